"""Where the row of a profiled network goes."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_calls import call

Capture = pytest.CaptureFixture[str]


def test_a_file_that_is_another_table_is_left_alone(tmp_path: Path, capsys: Capture) -> None:
    target = tmp_path / "workloads.csv"
    target.write_text("name,price\nx,1\n", encoding="utf-8")
    code, _, err = call(capsys, "profile", "ssftt", "--out", str(target), "--lang", "en")
    assert code == 2 and "workloads.csv" in err
    assert target.read_text(encoding="utf-8") == "name,price\nx,1\n"
