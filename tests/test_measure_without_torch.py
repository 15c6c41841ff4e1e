"""The optional extra is missing: two commands say what to install, all others work."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from test_calibrate import measurement

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize("command", ["profile hybridsn", "measure"])
@pytest.mark.parametrize(("lang", "says"), [("en", "pip install"), ("zh", "请执行")])
def test_without_torch_the_two_commands_end_with_2_and_say_what_to_install(
    command: str, lang: str, says: str, tmp_path: Path
) -> None:
    hidden = "import sys; sys.modules['torch'] = None\nfrom hwcost.cli import main\nsys.exit(main(sys.argv[1:]))"
    words = [sys.executable, "-c", hidden, *command.split(), "--lang", lang]
    environment = {"PYTHONPATH": str(ROOT), "PATH": ""}
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert says in done.stderr and "hwcost[measure]" in done.stderr
    assert not done.stdout and not list(tmp_path.iterdir())


def test_without_torch_a_measurement_is_calibrated_and_its_rows_written(tmp_path: Path) -> None:
    (tmp_path / "m.json").write_text(json.dumps(measurement()), encoding="utf-8")
    (tmp_path / "own").mkdir()
    hidden = "import sys; sys.modules['torch'] = None\nfrom hwcost.cli import main\nsys.exit(main(sys.argv[1:]))"
    words = [sys.executable, "-c", hidden, "calibrate", "m.json", "--out", "own"]
    environment = {"PYTHONPATH": str(ROOT), "PATH": ""}
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert {path.name for path in (tmp_path / "own").iterdir()} == {"links.csv", "calibration.csv"}


def test_without_torch_other_commands_work(tmp_path: Path) -> None:
    hidden = "import sys; sys.modules['torch'] = None\nfrom hwcost.cli import main\nsys.exit(main(sys.argv[1:]))"
    words = [sys.executable, "-c", hidden, "threshold", "--lang", "en"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
