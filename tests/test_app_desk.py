"""What the app keeps: documents, history, log and baseline of a session, on disk and apart from other sessions."""

from __future__ import annotations

import dataclasses
import tomllib
from pathlib import Path

import openpyxl
import pytest

from hwcost.catalog import load_catalog
from hwcost.errors import InputError
from hwcost.intake import sheets
from hwcost.records import Catalog
from hwcost.scenario_io import bundled_scenarios, load_scenario, scenario_sha256
from hwcost.scenario_text import scenario_text
from hwcost.web import decision_log, documents, files, fixes, store
from hwcost.web.desk import Desk, Figures
from hwcost.web.documents import Change
from hwcost.web.store import Store

QUICK = "fast-single-task"
SESSION = "a-session-of-the-tests"


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


@pytest.fixture
def desk(catalog: Catalog, tmp_path: Path) -> Desk:
    found = Desk(Store(tmp_path / SESSION), catalog)
    found.open(QUICK)
    return found


# --- folders ---


def test_the_data_folder_is_hwcost_home_else_the_platforms_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HWCOST_HOME", str(tmp_path / "mine"))
    assert store.data_dir() == tmp_path / "mine"
    monkeypatch.delenv("HWCOST_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setattr("hwcost.folders.sys.platform", "linux")
    assert store.data_dir() == tmp_path / "share" / "hwcost"


def test_ids_of_sessions_are_long_differ_and_name_no_path() -> None:
    ids = {store.new_session() for _ in range(50)}
    assert len(ids) == 50 and all(store.is_session(i) and len(i) >= 20 for i in ids)
    assert not any(store.is_session(text) for text in ("", "short", "../../../../etc/passwd", "a/b/c/d/e/f/g/h/i/j/k"))


@pytest.mark.parametrize(
    ("name", "key"),
    [("2026/Q1 plan", "2026-Q1-plan"), ("../up", "up"), ("课题组 甲", "课题组-甲"), ("///", "scenario")],
)
def test_a_name_becomes_a_file_name(name: str, key: str) -> None:
    assert store.file_key(name) == key


def test_a_file_that_cannot_be_replaced_keeps_the_old_one(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    assert desk.edit({"horizon_years": 4}) == ()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(store, "write_text", full)
    assert desk.edit({"horizon_years": 5}) == ()
    assert desk.unkept == "No space left on device" and desk.scenario().horizon_years == 5
    assert tomllib.loads(desk.store.path(QUICK).read_text())["horizon_years"] == 4


# --- documents ---


def test_a_key_finds_its_figure_and_nothing_else_changes() -> None:
    before = {"a": {"b": 1}, "list": [{"id": "x", "n": 1}, {"id": "y", "n": 2}]}
    after = documents.put(before, {"list[2].n": 5, "a.c": 3, "new.deep": 7})
    assert documents.get(after, "list[2].n") == 5 and documents.get(after, "new.deep") == 7
    assert documents.get(after, "list[3].n", "none") == "none"
    assert before == {"a": {"b": 1}, "list": [{"id": "x", "n": 1}, {"id": "y", "n": 2}]}
    assert documents.put(after, {"new.deep": None}) == {key: after[key] for key in ("a", "list")}


def test_differences_follow_the_id_of_a_row_not_its_place() -> None:
    before = {"workload": [{"id": "x", "n": 1}, {"id": "y", "n": 2}]}
    after = {"workload": [{"id": "y", "n": 3}]}
    found = documents.differences(before, after)
    assert Change("workload[y].n", 2, 3) in found
    assert {c.key for c in found} == {"workload[x].id", "workload[x].n", "workload[y].n"}


@pytest.mark.parametrize("name", sorted(bundled_scenarios()))
def test_every_bundled_scenario_survives_being_kept(name: str, catalog: Catalog, tmp_path: Path) -> None:
    kept = Store(tmp_path)
    kept.write(name, documents.put(tomllib.loads(bundled_scenarios()[name].read_text(encoding="utf-8")), {}))
    desk = Desk(kept, catalog)
    desk.open(name)
    assert desk.scenario().sha256 == load_scenario(name, catalog).sha256


# --- edits ---


def test_an_edit_is_checked_as_a_whole_and_a_bad_one_changes_nothing(desk: Desk) -> None:
    before = desk.document
    faults = desk.edit({"horizon_years": 4, "power.tariff_per_kwh": -1.0})
    assert [f.column for f in faults] == ["power.tariff_per_kwh"]
    assert desk.document == before and not desk.changed and desk.log() == []


def test_each_edit_is_kept_at_once_with_the_version_before_it(desk: Desk) -> None:
    for years in (4, 5, 6):
        desk.edit({"horizon_years": years})
    assert tomllib.loads(desk.store.path(QUICK).read_text())["horizon_years"] == 6
    past = [tomllib.loads(path.read_text())["horizon_years"] for path in desk.store.history(QUICK)]
    assert past == [5, 4]
    assert desk.undo() and desk.scenario().horizon_years == 5
    desk.reset()
    assert desk.scenario().sha256 == load_scenario(QUICK, desk.catalog).sha256


def test_another_window_of_the_session_sees_the_edit_and_another_session_does_not(desk: Desk, tmp_path: Path) -> None:
    window, other = Desk(desk.store, desk.catalog), Desk(Store(tmp_path / "other-session"), desk.catalog)
    for view in (window, other):
        view.open(QUICK)
        assert view.scenario().horizon_years == 3
    desk.edit({"horizon_years": 5})
    assert window.scenario().horizon_years == 5
    assert other.scenario().horizon_years == 3


def test_a_damaged_file_falls_back_to_the_bundled_scenario(desk: Desk) -> None:
    desk.store.folder.mkdir(parents=True)
    desk.store.path(QUICK).write_text("not = [toml")
    assert desk.scenario().sha256 == load_scenario(QUICK, desk.catalog).sha256


def test_the_log_and_the_baseline_outlive_the_session(desk: Desk) -> None:
    desk.who = "Li"
    desk.edit({"budget.amount": 50_000.0}, "repair")
    again = Desk(desk.store, desk.catalog)
    again.open(QUICK)
    (entry,) = again.log()
    assert (entry["who"], entry["note"]) == ("Li", "repair")
    assert entry["changes"] == [{"key": "budget.amount", "from": 60_000, "to": 50_000.0}]
    assert documents.differences(again.baseline(), again.document) == [Change("budget.amount", 60_000, 50_000.0)]
    again.set_baseline()
    assert documents.differences(again.baseline(), again.document) == []


# --- files ---


def test_a_file_is_opened_as_a_copy_under_a_free_name(desk: Desk) -> None:
    text = scenario_text(documents.put(desk.document, {"horizon_years": 7}))
    assert files.add_file(desk, text.encode(), "mine.toml") == f"{QUICK}-2"
    assert desk.scenario().horizon_years == 7 and desk.current == f"{QUICK}-2"
    desk.open(QUICK)
    assert desk.scenario().horizon_years == 3


@pytest.mark.parametrize(
    ("data", "code"),
    [(b"x = [", "scenario_not_toml"), (b"", "scenario_empty"), (b"\xff\xfe\x00", "scenario_not_utf8"),
     (b"#" * (files.MOST_BYTES + 1), "upload_too_large")],
)  # fmt: skip
def test_a_file_that_is_no_scenario_is_refused_by_its_own_name(data: bytes, code: str, desk: Desk) -> None:
    with pytest.raises(InputError) as refused:
        files.add_file(desk, data, "mine.toml")
    assert [(p.code, p.file) for p in refused.value.problems] == [(code, "mine.toml")]
    assert desk.current == QUICK


def test_an_input_workbook_opens_as_the_scenario_it_was_made_of(desk: Desk) -> None:
    assert desk.edit({"horizon_years": 7, "budget.running_per_year": 4321.0}) == ()
    wanted = desk.scenario()
    assert files.add_file(desk, files.template_bytes(desk, "zh"), "填写.xlsx") == f"{QUICK}-2"
    assert desk.current == f"{QUICK}-2"
    assert scenario_sha256(dataclasses.replace(desk.scenario(), id=wanted.id)) == wanted.sha256
    assert desk.store.path(f"{QUICK}-2").is_file() and not desk.store.catalog_dir.exists()


def test_a_price_of_an_input_workbook_counts_in_the_session(desk: Desk, tmp_path: Path, catalog: Catalog) -> None:
    book = filled(desk, tmp_path, {"amount": 23456})
    files.add_file(desk, book, "filled.xlsx")
    prices = [p for p in desk.catalog.prices if p.item_id == "rtx-a5500" and p.amount == 23456]
    assert len(prices) == 1 and (desk.store.catalog_dir / "prices.csv").is_file()
    assert not [p for p in catalog.prices if p.item_id == "rtx-a5500" and p.amount == 23456]


def test_a_faulty_input_workbook_leaves_nothing_and_names_the_cell(desk: Desk, tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        files.add_file(desk, filled(desk, tmp_path, {"amount": "ask the vendor", "as_of": "soon"}), "filled.xlsx")
    places = {(p.file, p.sheet, p.column) for p in refused.value.problems}
    assert any(file == "filled.xlsx" and sheet and column == "as_of" for file, sheet, column in places)
    assert desk.current == QUICK and not desk.store.folder.exists()


def filled(desk: Desk, folder: Path, cells: dict[str, object]) -> bytes:
    """The input workbook of the desk's scenario with the example price put to use, some of its cells changed."""
    path = folder / "filled.xlsx"
    path.write_bytes(files.template_bytes(desk, "en"))
    book = openpyxl.load_workbook(path)
    sheet = next(s for s in book.worksheets if "price_kind" in [c.value for c in s[sheets.HEADER_ROW + 1]])
    titles = [c.value for c in sheet[sheets.HEADER_ROW + 1]]
    row = sheets.HEADER_ROW + 2
    sheet.cell(row, 1).value = "yes"
    for key, value in cells.items():
        sheet.cell(row, titles.index(key) + 1).value = value
    book.save(path)
    return path.read_bytes()


# --- log in words ---


def test_the_log_as_a_file_reads_as_text_also_where_a_spreadsheet_would_calculate() -> None:
    figures = Figures(100.0, 250.0, 2).record()
    entry = {"time": "2026-11-30T10:00:00+00:00", "who": "=HYPERLINK(1)", "note": "", "sha256": "",
             "changes": [{"key": "horizon_years", "from": 3, "to": 5}], "before": figures,
             "after": {**figures, "total": 300.5}}  # fmt: skip
    text = decision_log.csv_bytes([entry], {}, "EUR", "en").decode("utf-8-sig").splitlines()
    assert "'=HYPERLINK(1)" in text[1]
    assert "Horizon, years: 3 → 5" in text[1] and "EUR 300.50" in text[1] and "+EUR 50.50" in text[1]


# --- budget of one fund ---


def test_the_budget_of_a_single_equipment_fund_is_the_amount_of_that_fund() -> None:
    one = {
        "fund": [{"id": "f", "amount": 10.0, "pays": ["equipment"]}, {"id": "s", "amount": 1.0, "pays": ["services"]}]
    }
    assert fixes.budget_changes(one, 20.0, True) == {"fund[1].amount": 20.0}
    both = {**one, "budget": {"amount": 10.0}}
    assert fixes.budget_changes(both, 20.0, False) == {
        "fund[1].amount": 20.0, "budget.amount": 20.0, "budget.tax_included": False}  # fmt: skip
    two = {"fund": [{"id": "f", "amount": 10.0}, {"id": "g", "amount": 5.0}]}
    assert fixes.budget_changes(two, 20.0, True) == {"budget.amount": 20.0, "budget.tax_included": True}
