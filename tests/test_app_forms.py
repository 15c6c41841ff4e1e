"""Forms for what a scenario file can say: who pays, money by year, options of the user's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from app_kit import QUICK, go, page, sound, texts_of

from hwcost.catalog import load_catalog
from hwcost.messages import texts
from hwcost.records import Catalog
from hwcost.scenario_io import PAYER_CATEGORIES, load_scenario, scenario_from_dict
from hwcost.web import payers, yearly
from hwcost.web.desk import original
from hwcost.web.documents import put


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HWCOST_HOME", str(tmp_path))
    return tmp_path


def scenario_of(at: Any) -> Any:
    return at.session_state["desk"].scenario()


# --- who pays ---


def test_every_cost_that_arises_has_a_box() -> None:
    """Bridges and networks are kept for parts that nobody buys yet."""
    lines = {*payers.BOUGHT, *payers.RUNNING, *payers.ENERGY} - {"energy"}
    assert lines == set(PAYER_CATEGORIES) - {"bridge", "network"}
    for kind in ("energy", *lines):
        assert f"web.key.payers.{kind}" in texts()


@pytest.mark.parametrize(("lang", "lab"), [("zh", "课题组"), ("en", "the lab")])
def test_a_payer_chosen_on_the_page_is_the_one_of_the_plan(lang: str, lab: str) -> None:
    at = go(page(lang), "money")
    box = at.selectbox(key=f"{QUICK}/payers.hosting")
    assert box.value == "university" and lab in box.options
    box.set_value("lab").run()
    at.selectbox(key=f"{QUICK}/payers.staff").set_value("lab").run()
    assert sound(at)
    found = scenario_of(at).payers
    assert (found["hosting"], found["staff"], found["setup"]) == ("lab", "lab", "non_cash")


def test_one_box_for_electricity_sets_both_lines_and_says_where_they_differ(catalog: Catalog) -> None:
    document = put(original(QUICK), {"payers": {"energy_idle": "lab"}})
    scenario = scenario_from_dict(document, catalog, "t")
    assert payers.payer_of(scenario, "energy") == payers.APART
    made = scenario_from_dict(put(document, payers.fields_of("energy", "lab")), catalog, "t")
    assert (made.payers["energy_idle"], made.payers["energy_busy"]) == ("lab", "lab")
    assert payers.payer_of(made, "energy") == "lab"
    back = put(put(document, payers.fields_of("energy", "lab")), payers.fields_of("energy", "university"))
    assert scenario_from_dict(back, catalog, "t").payers["energy_idle"] == "university"


@pytest.mark.parametrize(("lang", "payer"), [("zh", "课题组"), ("en", "the lab")])
def test_the_list_of_changes_names_the_payer_in_words(lang: str, payer: str) -> None:
    at = go(page(lang), "money")
    at.selectbox(key=f"{QUICK}/payers.energy").set_value("lab").run()
    at = go(at, "decision")
    assert sound(at) and payer in texts_of(at)


# --- money by year ---


def years(at: Any, *amounts: str) -> Any:
    for year, text in enumerate(amounts):
        at.text_input(key=f"{QUICK}/budget.per_year/{year}").set_value(text).run()
    return at


def test_money_typed_by_year_makes_the_budget_and_its_years(catalog: Catalog) -> None:
    at = years(go(page("zh"), "money"), "6万", "￥40,000")
    assert not at.error
    found = scenario_of(at)
    assert (found.equipment_per_year, found.budget) == ((60_000.0, 40_000.0), 100_000.0)
    assert any("第 2 年" in w.value for w in at.warning)  # nothing may be bought then
    at.multiselect(key=f"{QUICK}/purchase.years").set_value([1, 2]).run()
    assert not at.warning
    at.checkbox(key=f"{QUICK}/budget.carry_over").set_value(False).run()
    assert not scenario_of(at).equipment_carry_over
    assert scenario_of(at).objective == load_scenario(QUICK, catalog).objective


def test_emptied_years_leave_the_sum_at_the_start() -> None:
    at = years(go(page("en"), "money"), "60000", "40000")
    at = years(at, "", "")
    found = scenario_of(at)
    assert (found.equipment_per_year, found.budget) == ((), 40_000.0)  # the last year stood alone before


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_year_that_cannot_be_read_is_told_and_changes_nothing(lang: str, catalog: Catalog) -> None:
    before = load_scenario(QUICK, catalog)
    at = years(go(page(lang), "money"), "soon")
    assert len(at.error) == 1 and "soon" in at.error[0].value
    assert scenario_of(at).budget == before.budget and scenario_of(at).equipment_per_year == ()
    assert at.text_input(key=f"{QUICK}/budget.per_year/0").value == "soon"


@pytest.mark.parametrize(
    ("amounts", "parts"),
    [([1.0, None, 2.0], [1.0, 0.0, 2.0]), ([1.0, 0.0, None], [1.0]), ([None, 3.0], [0.0, 3.0])],
)
def test_a_year_between_is_nothing_and_none_at_the_end(
    amounts: list[float | None], parts: list[float], catalog: Catalog
) -> None:
    fields = yearly.fields_of(amounts, load_scenario(QUICK, catalog))
    assert fields["budget.per_year"] == parts and fields["budget.amount"] == sum(parts)


def test_empty_boxes_where_nothing_was_stated_are_no_change(catalog: Catalog) -> None:
    assert yearly.fields_of([None, None], load_scenario(QUICK, catalog)) == {}
