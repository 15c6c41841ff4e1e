"""Which folder of the user's counts: HWCOST_HOME, else the platform's own where it holds tables."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hwcost.catalog import bundled_dir, load_catalog, tables_dir
from hwcost.folders import data_folder
from hwcost.intake.store import target_folder

ROW = "item_id,amount,currency,tax_included,price_kind,vendor,region,as_of,valid_until,source\n" \
      "rtx-a5500,12345,CNY,yes,quote,A dealer,CN,2026-11-29,,an offer\n"  # fmt: skip


def test_rows_that_are_imported_without_a_folder_count_in_the_next_plan(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hwcost.folders.sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert tables_dir() is None and target_folder() == tmp_path / "hwcost" == data_folder()
    header = (bundled_dir() / "prices.csv").read_text(encoding="utf-8").splitlines()[0]
    data_folder().mkdir()
    assert tables_dir() is None  # a folder without tables, such as the app's, is no layer
    names, cells = (line.split(",") for line in ROW.splitlines())
    given = dict(zip(names, cells, strict=True))
    row = ",".join(given.get(name, "") for name in header.split(","))
    (data_folder() / "prices.csv").write_text(f"{header}\n{row}\n", encoding="utf-8")
    assert tables_dir() == data_folder() == target_folder()
    added = [p for p in load_catalog().prices if p.vendor == "A dealer"]
    assert [(p.amount, p.origin.layer) for p in added] == [(12345, "user")]


def test_hwcost_home_wins_over_the_platforms_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HWCOST_HOME", str(tmp_path / "mine"))
    assert tables_dir() == tmp_path / "mine" == target_folder()


def test_tests_read_no_tables_of_whoever_runs_them() -> None:
    assert "hwcost-no-data-" in os.environ["XDG_DATA_HOME"] and tables_dir() is None
