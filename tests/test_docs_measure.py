"""The page on measuring, followed word for word."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "measure.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def test_the_network_of_the_page_on_measuring_ends_in_a_plan(tmp_path: Path) -> None:
    [network] = blocks("python")
    [scenario] = blocks("toml")
    call_profile = next(line for line in "\n".join(blocks("sh")).splitlines() if "profile" in line)
    (tmp_path / "my_networks.py").write_text(network, encoding="utf-8")
    (tmp_path / "my-lab.toml").write_text(scenario, encoding="utf-8")
    for words in (call_profile.split()[1:], ["plan", "my-lab.toml", "--catalog", "my-tables", "--json", "plan.json"]):
        done = subprocess.run(
            [sys.executable, "-m", "hwcost", *words], cwd=tmp_path, capture_output=True, text=True, check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    plan = json.loads((tmp_path / "plan.json").read_text(encoding="utf-8"))
    assert {row["workload"] for row in plan["assignments"]} == {"small"} and plan["people_at_once"] == 2
