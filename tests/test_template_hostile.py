"""Input workbooks after somebody worked in them: copied rows, renamed and hidden sheets, moved columns."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from intake_files import catalog

from hwcost.errors import InputError
from hwcost.intake.template import write_template
from hwcost.intake.template_read import read_input
from hwcost.messages import LANGUAGES
from hwcost.problems import problem_text
from hwcost.scenario import Scenario
from hwcost.scenario_io import read_document

TEXT = (
    'schema = "hwcost.scenario/1"\nid = "lab"\nregion = "CN"\nas_of = 2026-11-30\n[budget]\nrunning_per_year = 9000\n'
    '[[fund]]\nid = "f"\namount = 250000\n[[workload]]\nid = "w"\npreset = "hybridsn-ip"\nruns_per_year = 60\n'
    "epochs = 100\n"
)


def edited(tmp_path: Path, edit: Callable[[Any], None]) -> Path:
    source, path = tmp_path / "lab.toml", tmp_path / "lab.xlsx"
    source.write_text(TEXT, encoding="utf-8")
    write_template(path, catalog(), "en", source)
    book = openpyxl.load_workbook(path)
    edit(book)
    book.save(path)
    return path


def row_of(sheet: Any, key: str) -> int:
    return next(row[0].row for row in sheet.iter_rows() if row[0].value == key)


def refused(path: Path) -> list[tuple[str, str, int | None]]:
    with pytest.raises(InputError) as error:
        read_input(path, catalog())
    assert all(problem_text(p, lang) for p in error.value.problems for lang in LANGUAGES)
    return [(p.code, p.sheet, p.row) for p in error.value.problems]


def read(path: Path) -> Scenario:
    return read_input(path, catalog())[0]


def test_a_key_in_two_rows_is_refused(tmp_path: Path) -> None:
    def edit(book: Any) -> None:
        sheet = book["Scenario"]
        sheet.cell(200, 1, "budget.running_per_year")
        sheet.cell(200, 3, 99)

    assert refused(edited(tmp_path, edit)) == [("row_twice", "Scenario", 200)]


def test_a_column_that_was_put_before_the_values_does_not_empty_them(tmp_path: Path) -> None:
    scenario = read(edited(tmp_path, lambda book: book["Scenario"].insert_cols(3)))
    assert (scenario.running_budget_per_year, scenario.budget) == (9000.0, 250000.0)


@pytest.mark.parametrize("sheet", ["Scenario", "Funds"])
def test_a_row_that_was_put_above_the_keys_is_told_once(tmp_path: Path, sheet: str) -> None:
    found = refused(edited(tmp_path, lambda book: book[sheet].insert_rows(1)))
    assert ("template_keys_moved", sheet, 3) in found
    assert len([code for code, *_ in found if code == "template_keys_moved"]) == 1


def test_a_hidden_sheet_counts_as_it_is(tmp_path: Path) -> None:
    def edit(book: Any) -> None:
        book["Funds"].sheet_state = "hidden"

    assert [f.amount for f in read(edited(tmp_path, edit)).funds] == [250000.0]


def test_a_renamed_sheet_is_not_passed_over(tmp_path: Path) -> None:
    def edit(book: Any) -> None:
        book["Funds"].title = "Our money"

    assert ("template_sheet_unknown", "Our money", None) in refused(edited(tmp_path, edit))


def test_a_sheet_of_the_other_language_beside_the_first_is_refused(tmp_path: Path) -> None:
    def edit(book: Any) -> None:
        book.copy_worksheet(book["Funds"]).title = "经费"

    assert [(code, sheet) for code, sheet, _ in refused(edited(tmp_path, edit))] == [("template_sheet_twice", "经费")]


def test_a_sheet_of_notes_is_nobodys_business(tmp_path: Path) -> None:
    def edit(book: Any) -> None:
        book.create_sheet("Notes")["A3"] = "talked to finance"

    assert read(edited(tmp_path, edit)).budget == 250000.0


def test_a_key_over_two_columns_is_refused(tmp_path: Path) -> None:
    def edit(book: Any) -> None:
        sheet = book["Funds"]
        place = sheet.max_column + 1
        sheet.cell(3, place, "amount")
        sheet.cell(4, place, 1)

    assert refused(edited(tmp_path, edit)) == [("template_column_twice", "Funds", 3)]


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [("purchase.stock", "rtx-a5500", "template_not_pairs"), ("budget.carry_over", "maybe", "template_not_flag"),
     ("budget.spend_by", "03/04/2027", "template_not_day"), ("horizon_years", "three", "template_not_number")],
)  # fmt: skip
def test_a_fault_of_a_cell_is_told_as_of_a_spreadsheet(tmp_path: Path, key: str, value: str, code: str) -> None:
    def edit(book: Any) -> None:
        book["Scenario"].cell(row_of(book["Scenario"], key), 3, value)

    path = edited(tmp_path, edit)
    row = row_of(openpyxl.load_workbook(path)["Scenario"], key)
    assert (code, "Scenario", row) in refused(path)


def test_a_german_day_of_one_reading_is_read(tmp_path: Path) -> None:
    def edit(book: Any) -> None:
        book["Scenario"].cell(row_of(book["Scenario"], "budget.spend_by"), 3, "31.12.2026")

    day = read(edited(tmp_path, edit)).spend_by
    assert day is not None and day.isoformat() == "2026-12-31"


def test_a_scenario_of_no_possible_name_or_of_no_end_is_refused_with_a_sentence(tmp_path: Path) -> None:
    for path in (Path(os.devnull), tmp_path / ("x" * 5000)):
        with pytest.raises(InputError) as error:
            read_document(path, {})
        assert [p.code for p in error.value.problems] == ["scenario_unreadable"]
