"""LibreOffice without a screen: recalculates workbooks for real, and prints them.

A stored value is normally kept on loading, so that a check of formulas against it would prove nothing: each run has its
own profile in which loading always recalculates. A run that wrote nothing still returns 0, so the output is looked for.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest

REQUIRE_TOOLS = "HWCOST_REQUIRE_TOOLS"
XLSX = "xlsx:Calc MS Excel 2007 XML"
ALWAYS_RECALCULATE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema"
 xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse">
<value>0</value></prop></item>
</oor:items>
"""


def tool(name: str) -> str:
    """The program's path. Missing: the test is skipped, or fails where `HWCOST_REQUIRE_TOOLS=1`."""
    found = shutil.which(name)
    if found is None:
        reason = f"{name} is not installed: formulas and pages cannot be checked"
        if os.environ.get(REQUIRE_TOOLS) == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    return found


def convert(paths: Sequence[Path], folder: Path, to: str, suffix: str) -> list[Path]:
    """All files converted in one run; returns the outputs in their order."""
    soffice = tool("soffice")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="hwcost-soffice-") as profile:
        settings = Path(profile) / "user" / "registrymodifications.xcu"
        settings.parent.mkdir()
        settings.write_text(ALWAYS_RECALCULATE, encoding="utf-8")
        command = [
            soffice, "--headless", "--norestore", f"-env:UserInstallation={Path(profile).as_uri()}",
            "--convert-to", to, "--outdir", str(folder), *map(str, paths),
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    outputs = [folder / path.with_suffix(suffix).name for path in paths]
    missing = [path.name for path in outputs if not path.is_file()]
    assert done.returncode == 0 and not missing, f"LibreOffice wrote no {missing}: {done.stderr}"
    return outputs


def recalculate_all(paths: Sequence[Path], folder: Path) -> list[Path]:
    """The workbooks with every formula computed anew. To read figures from, not to pass on."""
    return convert(paths, folder, XLSX, ".xlsx")


def recalculate(path: Path, tmp: Path) -> Path:
    return recalculate_all([path], tmp)[0]


def to_pdf(paths: Sequence[Path], folder: Path) -> list[Path]:
    return convert(paths, folder, "pdf", ".pdf")


def pdf_text(path: Path) -> str:
    done = subprocess.run([tool("pdftotext"), "-layout", str(path), "-"], capture_output=True, check=True, timeout=60)
    return done.stdout.decode("utf-8")
