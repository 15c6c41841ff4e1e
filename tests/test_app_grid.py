"""Tables that people type and paste into: one parser for every figure, and a reason for each cell that is not taken."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hwcost.catalog import load_catalog
from hwcost.errors import InputError
from hwcost.messages import LANGUAGES
from hwcost.pricing import choose_price
from hwcost.quantities import QuantityError
from hwcost.records import Catalog
from hwcost.scenario import Scenario
from hwcost.scenario_io import load_scenario
from hwcost.web import grid, price_rows
from hwcost.web.store import Store
from hwcost.web.views import catalog as catalog_page
from hwcost.web.views import workloads as workloads_page

QUICK = "fast-single-task"


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


@pytest.fixture(scope="module")
def quick(catalog: Catalog) -> Scenario:
    return load_scenario(QUICK, catalog)


def pasted(cells: list[str], lang: str = "en") -> grid.Edits:
    """A column of prices as pasted into consecutive rows."""
    columns = catalog_page.columns(lang)
    state = {"edited_rows": {n: {"amount": cell} for n, cell in enumerate(cells)}}
    return grid.read_edits(state, [f"row{n}" for n in range(len(cells))], columns, lang)


@pytest.mark.parametrize(
    ("text", "amount", "currency"),
    [("￥12,999", 12_999.0, "CNY"), ("1.2万", 12_000.0, ""), ("1.599,00", 1_599.0, ""), ("$1,599.00", 1_599.0, "USD"),
     ("１２３", 123.0, ""), ("1 299", 1_299.0, ""), ("RMB 12999", 12_999.0, "CNY"), ("12万元", 120_000.0, "CNY")],
)  # fmt: skip
def test_a_pasted_price_is_read_as_people_write_it(text: str, amount: float, currency: str) -> None:
    edits = pasted([text])
    assert edits.changed == {("row0", "amount"): (amount, currency)} and not edits.rejected


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("text", ["1,599", "1.599", "abc", "-5", "0", "1,59"])
def test_a_price_that_cannot_be_read_is_listed_with_its_place_and_reason(text: str, lang: str) -> None:
    edits = pasted(["700", text], lang)
    assert list(edits.changed) == [("row0", "amount")]
    (fault,) = edits.rejected
    assert (fault.row, fault.text) == ("row1", text) and len(fault.reason) > 5


@pytest.mark.parametrize("text", ["N/A", "面议", "-"])
def test_ask_the_vendor_is_no_price_and_never_zero(text: str) -> None:
    assert pasted([text]).changed == {("row0", "amount"): None}


def test_an_edit_keeps_the_editor_and_what_follows_from_it_is_shown_in_the_other_cells() -> None:
    """A new editor would take away the cell in which somebody types meanwhile."""
    columns = [grid.Column("n", "N", parse=float), grid.Column("day", "Day", "fixed")]
    held = grid.st.session_state
    before = {"a": {"n": "1", "day": ""}, "b": {"n": "2", "day": ""}}
    held["grid.t"] = {"rows": before, "known": before, "version": 4}
    grid.settle("t", {"a": {"n": 3.0, "day": "today"}, "b": {"n": 2.0, "day": ""}}, columns)
    assert held["grid.t"]["version"] == 4
    assert held["grid.t"]["rows"]["a"] == {"n": "3.0", "day": "today"} == held["grid.t"]["known"]["a"]
    del held["grid.t"]


# --- jobs ---


def test_cells_of_jobs_become_figures_of_the_document(quick: Scenario) -> None:
    cells = {"people": "３", "runs": "1 200", "hours": "", "batch": "8.5"}
    columns = workloads_page.columns("en")
    job = quick.workloads[0]
    edits = grid.read_edits({"edited_rows": {0: cells}}, [job.id], columns, "en")
    assert workloads_page.changes_of(edits, quick.workloads, "en") == {
        "workload[1].people_at_once": 3, "workload[1].runs_per_year": 1200.0, "workload[1].max_hours_per_run": None,
    }  # fmt: skip
    assert [r.text for r in edits.rejected] == ["8.5"]


@pytest.mark.parametrize(("lang", "words"), [("zh", "混合精度（FP16）"), ("en", "mixed precision (FP16)")])
def test_a_precision_chosen_in_words_is_kept_by_its_code(lang: str, words: str, quick: Scenario) -> None:
    job = replace(quick.workloads[0], precision="fp32")
    how = {c.key: c for c in workloads_page.columns(lang, how=True)}
    assert words in how["precision"].choices and not {"amp16", "torch_default"} & set(how["precision"].choices)
    edits = grid.Edits({(job.id, "precision"): words}, [])
    assert workloads_page.changes_of(edits, (job,), lang) == {"workload[1].precision": "amp16"}
    assert workloads_page.changes_of(edits, (replace(job, precision="amp16"),), lang) == {}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_both_tables_of_jobs_have_every_figure_once_and_eight_columns_at_most(lang: str) -> None:
    asked, how = workloads_page.columns(lang), workloads_page.columns(lang, how=True)
    assert len(asked) <= 8 and len(how) <= 8
    keys = [c.key for c in (*asked, *how) if c.key != "name"]
    assert sorted(keys) == sorted(workloads_page.KEYS)


def test_a_cell_typed_back_to_its_figure_is_no_change(quick: Scenario) -> None:
    job = quick.workloads[0]
    edits = grid.Edits({(job.id, "people"): job.people_at_once}, [])
    assert workloads_page.changes_of(edits, quick.workloads, "en") == {}


# --- prices ---


def row_of(item: str, catalog: Catalog, scenario: Scenario, role: str = "card") -> price_rows.PriceRow:
    return next(r for r in price_rows.rows(catalog, scenario, role, "en") if r.item_id == item)


def test_a_new_price_counts_in_the_session_and_nowhere_else(
    catalog: Catalog, quick: Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HWCOST_HOME", raising=False)
    row = row_of("rtx-pro-4000-blackwell", catalog, quick)
    cells = price_rows.price_cells(row, {"amount": (9_000.0, "CNY"), "tax": True, "kind": "quote"}, quick, "typed")
    assert cells is not None
    kept = Store(tmp_path)
    price_rows.keep(kept, [cells], [])
    own = load_catalog(kept.catalog_dir)
    found = choose_price(own, row.item_id, quick.region, quick.as_of)
    assert found is not None and (found.amount, found.currency, found.tax_included) == (9_000.0, "CNY", True)
    assert (found.as_of, found.source, found.origin.layer) == (quick.as_of, "typed", "user")
    assert choose_price(load_catalog(), row.item_id, quick.region, quick.as_of) == row.price


def test_an_edit_of_the_source_alone_keeps_amount_day_and_kind(catalog: Catalog, quick: Scenario) -> None:
    row = row_of("rtx-pro-4000-blackwell", catalog, quick)
    assert row.price is not None
    cells = price_rows.price_cells(row, {"source": "letter of 3 May"}, quick, "typed")
    assert cells is not None
    assert float(cells["amount"]) == row.price.amount and cells["as_of"] == row.price.as_of.isoformat()
    assert (cells["price_kind"], cells["source"]) == (row.price.price_kind, "letter of 3 May")


def test_a_currency_beside_the_amount_that_contradicts_its_column_is_refused(catalog: Catalog, quick: Scenario) -> None:
    row = row_of("rtx-pro-4000-blackwell", catalog, quick)
    with pytest.raises(QuantityError, match="currency_conflict"):
        price_rows.price_cells(row, {"amount": (9.0, "CNY"), "currency": "USD"}, quick, "")


def test_a_price_of_no_item_is_refused_as_the_catalog_does(catalog: Catalog, quick: Scenario, tmp_path: Path) -> None:
    row = replace(row_of("rtx-pro-4000-blackwell", catalog, quick), item_id="no-such-item")
    cells = price_rows.price_cells(row, {"amount": (9.0, "CNY")}, quick, "typed")
    assert cells is not None
    with pytest.raises(InputError):
        price_rows.keep(Store(tmp_path), [cells], [])
    assert not list(tmp_path.rglob("*.csv"))
