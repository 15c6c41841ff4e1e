"""The input workbook: what is written comes back as the same scenario, faults are told at their cell."""

from __future__ import annotations

import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from cli_calls import call
from intake_files import catalog

from hwcost.errors import InputError
from hwcost.intake import sheets
from hwcost.intake.fields import scenario_fields
from hwcost.intake.template import EXAMPLES, write_template
from hwcost.intake.template_read import read_input
from hwcost.messages import LANGUAGES
from hwcost.problems import problem_text
from hwcost.scenario_io import bundled_scenarios, load_scenario

SCENARIOS = sorted(bundled_scenarios())


@cache
def content(lang: str, source: str | None) -> bytes:
    """The bytes of a template, written once."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "input.xlsx"
        write_template(path, catalog(), lang, source)
        return path.read_bytes()


def template(folder: Path, lang: str = "en", source: str | None = "lab-default") -> Path:
    path = folder / f"input-{lang}.xlsx"
    path.write_bytes(content(lang, source))
    return path


def changed(path: Path, sheet: str, cells: dict[str, Any]) -> Path:
    """The workbook after somebody has typed into some cells."""
    book = openpyxl.load_workbook(path)
    for place, value in cells.items():
        book[sheet][place] = value
    book.save(path)
    return path


def key_row(path: Path, key: str, sheet: str = "Scenario") -> int:
    rows = openpyxl.load_workbook(path)[sheet].iter_rows(min_col=1, max_col=1)
    return next(cell.row for (cell,) in rows if cell.value == key)


def column_of(path: Path, sheet: str, key: str) -> str:
    header = openpyxl.load_workbook(path)[sheet][sheets.HEADER_ROW + 1]
    return next(cell.column_letter for cell in header if cell.value == key)


@pytest.mark.parametrize(("name", "lang"), [*((name, "zh") for name in SCENARIOS), ("lab-default", "en")])
def test_every_bundled_scenario_comes_back_the_same(tmp_path: Path, name: str, lang: str) -> None:
    scenario, read = read_input(template(tmp_path, lang, name), catalog())
    assert scenario.sha256 == load_scenario(name, catalog()).sha256
    assert read.sha256 == catalog().sha256  # example rows are not read


def test_sections_of_all_kinds_come_back_the_same(tmp_path: Path) -> None:
    import tomllib

    from hwcost.scenario_io import scenario_from_dict

    text = (
        'schema = "hwcost.scenario/1"\nid = "all"\nregion = "CN"\nas_of = 2026-11-30\n[purchase]\nyears = [0, 1]\n'
        '[purchase.price_trend_per_year]\ncard = -0.125\n[purchase.stock]\nrtx-a5500 = 2\n[[fund]]\nid = "f"\n'
        'amount = 250000\npays = ["equipment", "services"]\nspend_by = 2027-12-31\n[[service]]\nid = "campus"\n'
        'card = "a100-40gb-pcie"\nprice_per_card_hour = 5.25\ninteractive = true\n'
        '[[owned]]\nid = "o"\ncard = "rtx-3090"\n'
        'chassis = "consumer-full"\npsu = "rm1000x"\nstorage = "sata-4tb"\n[[workload]]\nid = "w"\nruns_per_year = 60\n'
        "train_samples = 1000\nbatch = 8\nepochs = 50\ntile = { height = 512, width = 512, bands = 200 }\n"
        'anchor = { hours_per_run = 2.6666666666666665, card = "rtx-3090" }\n'
    )
    source = tmp_path / "all.toml"
    source.write_text(text, encoding="utf-8")
    scenario, _ = read_input(template(tmp_path, "zh", str(source)), catalog())
    assert scenario.sha256 == scenario_from_dict(tomllib.loads(text), catalog(), "all.toml").sha256


def test_the_workbook_has_a_row_or_column_for_every_key_of_the_reader(tmp_path: Path) -> None:
    book = openpyxl.load_workbook(template(tmp_path))
    fields = scenario_fields(catalog())
    assert {"fund[].amount", "workload[].tile.height", "site.circuit[].amps", "purchase.years"} <= {
        f.path for f in fields
    }
    for item in fields:
        if item.array:
            keys = [cell.value for cell in book[sheets.sheet_name(item.array, "en")][sheets.HEADER_ROW + 1]]
            assert item.key in keys, item.path
        else:
            assert item.path in [cell.value for cell in book["Scenario"]["A"]], item.path


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_key_says_what_it_is_in_both_languages(lang: str) -> None:
    assert not [item.path for item in scenario_fields(catalog()) if not sheets.meaning(item.path, lang)]


def test_every_table_has_its_sheet_with_an_example_that_says_no(tmp_path: Path) -> None:
    book = openpyxl.load_workbook(template(tmp_path, "en", None))
    names = ["Scenario", "Owned", "Funds", "Circuits", "Workloads", "Services", "Options", "Prices", "Systems",
             "Cards", "Lists"]  # fmt: skip
    assert sorted(book.sheetnames) == sorted(names)
    for name in names[1:-1]:
        row = book[name][sheets.FIRST_ROW + 1]
        assert row[0].value == "no" and sum(cell.value is not None for cell in row) > 2, name


@pytest.mark.parametrize("array", [name for name in EXAMPLES if name != "prices.csv"])
def test_an_example_is_valid_once_it_says_yes(tmp_path: Path, array: str) -> None:
    path = template(tmp_path)
    sheet = sheets.sheet_name(array, "en")
    rows = [
        row
        for row in openpyxl.load_workbook(path)[sheet].iter_rows(min_row=sheets.FIRST_ROW + 1)
        if row[0].value == "no"
    ]
    place = f"A{rows[0][0].row}"
    cells = {place: "yes"}
    if array == "workload":  # its id is in use in the scenario that fills the workbook
        cells[column_of(path, sheet, "id") + str(rows[0][0].row)] = "another"
    scenario, _ = read_input(changed(path, sheet, cells), catalog())
    assert scenario.sha256 != load_scenario("lab-default", catalog()).sha256


def test_drop_downs_point_to_ranges_and_never_hold_lists(tmp_path: Path) -> None:
    book = openpyxl.load_workbook(template(tmp_path))
    rules = [rule for sheet in book for rule in sheet.data_validations.dataValidation]
    assert len(rules) > 40
    assert all(rule.formula1.startswith("'Lists'!$") or rule.formula1.startswith("Lists!$") for rule in rules)
    place = f"{column_of(template(tmp_path), 'Owned', 'card')}{sheets.FIRST_ROW + 1}:"
    card = next(rule for rule in book["Owned"].data_validations.dataValidation if str(rule.sqref).startswith(place))
    column = card.formula1.split("$")[1]
    assert [c.value for c in book["Lists"][column][1:] if c.value] == sorted(catalog().cards)


def test_an_empty_template_says_what_it_lacks_at_its_cell(tmp_path: Path) -> None:
    path = template(tmp_path, "en", None)
    with pytest.raises(InputError) as error:
        read_input(path, catalog())
    found = {(p.code, p.sheet, p.row, p.column) for p in error.value.problems}
    assert ("template_missing", "Scenario", key_row(path, "region"), "value") in found


@pytest.mark.parametrize(
    ("sheet", "key", "value", "code"),
    [("Workloads", "batch", "eight", "template_not_number"), ("Workloads", "preset", "hybrid", "scenario_unknown_word"),
     ("Workloads", "must", "perhaps", "template_not_flag"), ("Circuits", "amps", 0, "scenario_out_of_range")],
)  # fmt: skip
def test_a_fault_names_sheet_row_and_column(tmp_path: Path, sheet: str, key: str, value: Any, code: str) -> None:
    path = template(tmp_path)
    row = sheets.FIRST_ROW + 1
    changed(path, sheet, {f"{column_of(path, sheet, key)}{row}": value})
    with pytest.raises(InputError) as error:
        read_input(path, catalog())
    problem = next(p for p in error.value.problems if p.code == code)
    assert (problem.sheet, problem.row, problem.column, problem.file) == (sheet, row, key, str(path))
    assert f"sheet {sheet}, row {row}, column {key}" in problem_text(problem, "en")


def test_amounts_and_days_may_be_written_as_people_do(tmp_path: Path) -> None:
    path = template(tmp_path)
    typed = {"budget.amount": "25万", "budget.spend_by": "2026年12月31日", "capacity.cards_per_node": "1、2，4"}
    cells = {f"C{key_row(path, key)}": value for key, value in typed.items()}
    scenario, _ = read_input(changed(path, "Scenario", cells), catalog())
    assert scenario.budget == 250000.0
    assert str(scenario.spend_by) == "2026-12-31" and scenario.cards_per_node == (1, 2, 4)


def test_a_name_that_looks_like_a_formula_stays_a_text(tmp_path: Path) -> None:
    source = tmp_path / "formula.toml"
    text = bundled_scenarios()["fast-single-task"].read_text(encoding="utf-8")
    source.write_text(text.replace('name_en = "One U-Net', 'name_en = "=1+1 One U-Net'), encoding="utf-8")
    path = template(tmp_path, "en", str(source))
    cell = openpyxl.load_workbook(path)["Scenario"][f"C{key_row(path, 'name_en')}"]
    assert cell.data_type == "s" and str(cell.value).startswith("=1+1 One U-Net")


def test_a_key_that_nobody_knows_is_refused_with_the_nearest(tmp_path: Path) -> None:
    path = template(tmp_path)
    changed(path, "Scenario", {"A200": "money.tax_rat", "C200": 0.1})
    with pytest.raises(InputError) as error:
        read_input(path, catalog())
    problem = error.value.problems[0]
    assert (problem.code, problem.row, problem.values["nearest"]) == ("scenario_unknown_key", 200, "tax_rate")


# --- rows for the catalog ---


def price_cells(path: Path, **values: Any) -> dict[str, Any]:
    row = sheets.FIRST_ROW + 2
    return {"A5": "yes"} | {f"{column_of(path, 'Prices', key)}{row}": value for key, value in values.items()}


PRICE = {"item_id": "rtx-a5500", "amount": 12500, "currency": "CNY", "tax_included": "yes", "price_kind": "quote",
         "vendor": "Dealer", "region": "CN", "as_of": "2026-11-25", "source": "quotation 7"}  # fmt: skip


def test_a_price_of_the_workbook_joins_the_catalog(tmp_path: Path) -> None:
    path = template(tmp_path)
    _, read = read_input(changed(path, "Prices", price_cells(path, **PRICE)), catalog())
    own = [price for price in read.prices if price.origin.layer == "scenario"]
    assert [(p.item_id, p.amount, p.origin.row) for p in own] == [("rtx-a5500", 12500.0, 5)]
    assert len(read.prices) == len(catalog().prices) + 1 and read.sha256 != catalog().sha256


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [("amount", -5, "negative_price"), ("item_id", "rtx-a5501", "id_unknown"), ("currency", "XYZ", "choice")],
)
def test_a_faulty_price_names_its_cell(tmp_path: Path, key: str, value: Any, code: str) -> None:
    path = template(tmp_path)
    changed(path, "Prices", price_cells(path, **PRICE | {key: value}))
    with pytest.raises(InputError) as error:
        read_input(path, catalog())
    assert [(p.code, p.sheet, p.row, p.column) for p in error.value.problems] == [(code, "Prices", 5, key)]


# --- the command line ---


def test_template_check_and_plan_take_the_workbook(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "input.xlsx"
    code, out, _ = call(capsys, "template", str(path), "--from", "fast-single-task", "--lang", "en")
    assert code == 0 and f"hwcost plan {path}" in out
    code, out, _ = call(capsys, "check", str(path), "--json", "-")
    expected = load_scenario("fast-single-task", catalog()).sha256
    assert code == 0 and json.loads(out)["inputs"]["scenario_sha256"] == expected


def test_a_template_never_replaces_a_file_unasked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "input.xlsx"
    path.write_bytes(b"mine")
    code, _, err = call(capsys, "template", str(path), "--lang", "en")
    assert code == 2 and "--force" in err and path.read_bytes() == b"mine"
    assert call(capsys, "template", str(path), "--force")[0] == 0


def test_another_workbook_is_refused_with_what_to_do(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "other.xlsx"
    book = openpyxl.Workbook()
    book.worksheets[0].append(["x"])
    book.save(path)
    code, _, err = call(capsys, "plan", str(path), "--lang", "en")
    assert code == 2 and "hwcost template" in err
