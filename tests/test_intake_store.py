"""Writing accepted rows: whole or not at all, only what loads, nothing of the user's is lost."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from intake_files import planned

from hwcost.catalog import load_catalog
from hwcost.errors import InputError
from hwcost.intake import apply_changes, store, target_folder

TEXT = "型号,含税单价（元）\nRTX A5500,12999\n"


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_what_is_written_loads_and_counts(tmp_path: Path) -> None:
    apply_changes(planned(TEXT), tmp_path / "mine")
    loaded = load_catalog(tmp_path / "mine")
    own = [price for price in loaded.prices if price.origin.layer == "user"]
    assert [(p.item_id, p.amount, p.currency, p.tax_included, p.vendor, p.as_of.isoformat()) for p in own] == [
        ("rtx-a5500", 12999.0, "CNY", True, "Dealer", "2026-11-20")
    ]


def test_importing_twice_replaces_and_never_doubles(tmp_path: Path) -> None:
    apply_changes(planned(TEXT), tmp_path)
    apply_changes(planned(TEXT.replace("12999", "12500")), tmp_path)
    assert [row["amount"] for row in rows(tmp_path / "prices.csv")] == ["12500"]


def test_rows_and_columns_of_the_user_stay_as_written(tmp_path: Path) -> None:
    own = (
        "item_id,amount,currency,tax_included,price_kind,vendor,region,as_of,source,备注\n"
        "rtx-a6000,38500,CNY,yes,quote,Other,CN,2026/11/1,mine,留着\n"
        "rtx-a5500,15000,CNY,yes,quote,Dealer,CN,2026/11/20,old,换掉\n"
    )
    (tmp_path / "prices.csv").write_bytes(own.encode("gb18030"))
    apply_changes(planned(TEXT), tmp_path)
    found = rows(tmp_path / "prices.csv")
    assert [(row["item_id"], row["amount"], row["as_of"], row["备注"]) for row in found] == [
        ("rtx-a6000", "38500", "2026/11/1", "留着"), ("rtx-a5500", "12999", "2026-11-20", ""),
    ]  # fmt: skip


def test_an_open_question_writes_nothing(tmp_path: Path) -> None:
    changes = planned("型号,单价（元）\nRTX A5500,12999\n")
    with pytest.raises(InputError) as error:
        apply_changes(changes, tmp_path / "mine")
    assert error.value.problems[0].code == "intake_open"
    assert not (tmp_path / "mine").exists()


def test_a_faulty_table_of_the_user_writes_nothing(tmp_path: Path) -> None:
    faulty = (
        "item_id,amount,currency,tax_included,price_kind,as_of,source\nrtx-a6000,-1,CNY,yes,quote,2026-11-01,mine\n"
    )
    (tmp_path / "prices.csv").write_text(faulty, encoding="utf-8")
    with pytest.raises(InputError) as error:
        apply_changes(planned(TEXT), tmp_path)
    assert error.value.problems[0].code == "negative_price"
    assert (tmp_path / "prices.csv").read_text(encoding="utf-8") == faulty


def test_when_a_later_file_cannot_be_written_the_earlier_ones_are_as_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.csv").write_text("old", encoding="utf-8")
    real, calls = store.replacing, []

    def failing(path: Path) -> Any:
        calls.append(path)
        if len(calls) == 3:
            raise OSError("disk full")
        return real(path)

    monkeypatch.setattr(store, "replacing", failing)
    with pytest.raises(OSError, match="disk full"):
        store._write_all({tmp_path / name: "new" for name in ("a.csv", "b.csv", "c.csv")})
    assert [p.name for p in sorted(tmp_path.iterdir())] == ["a.csv"]
    assert (tmp_path / "a.csv").read_text(encoding="utf-8") == "old"


def test_a_text_that_a_spreadsheet_would_run_is_stored_as_text(tmp_path: Path) -> None:
    apply_changes(planned(TEXT, {"vendor": "=HYPERLINK(1)"}), tmp_path)
    assert rows(tmp_path / "prices.csv")[0]["vendor"] == "'=HYPERLINK(1)"


def test_a_card_that_is_not_on_sale_is_said_and_noted_only_when_asked(tmp_path: Path) -> None:
    text = "型号,含税单价（元）\nRTX A6000,38500\n"
    changes = planned(text, {"region": "CN"})
    status = [a.status for a in load_catalog().availability if (a.item_id, a.region) == ("rtx-a6000", "CN")]
    assert status and status[-1] != "on_sale"
    assert "not_on_sale" in [said.key for said in changes.notes] and not changes.availability
    apply_changes(planned(text, {"region": "CN", "on_sale": "yes"}), tmp_path)
    assert rows(tmp_path / "availability.csv")[0]["status"] == "on_sale"


def test_the_folder_is_the_one_named_last_the_users_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HWCOST_HOME", str(tmp_path / "home"))
    assert target_folder("to", "catalog") == Path("to")
    assert target_folder(None, "catalog") == Path("catalog")
    assert target_folder() == tmp_path / "home"
    monkeypatch.delenv("HWCOST_HOME")
    assert target_folder().name == "hwcost" and target_folder().is_absolute()
