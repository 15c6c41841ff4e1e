"""The page on funds, hired card-hours and years of purchase: what is typed is in the document, and nothing else is."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from app_kit import QUICK, go, page, sound

from hwcost.catalog import load_catalog
from hwcost.quantities import QuantityError
from hwcost.records import Catalog
from hwcost.scenario import Fund, Scenario
from hwcost.scenario_io import load_scenario, scenario_from_dict
from hwcost.web import money_rows
from hwcost.web.desk import original
from hwcost.web.documents import put
from hwcost.web.grid import Edits


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HWCOST_HOME", str(tmp_path))
    return tmp_path


def edits(changed: dict[tuple[str, str], Any] | None = None, added: Any = (), deleted: Any = ()) -> Edits:
    return Edits(changed or {}, list(added), list(deleted), [])


def with_funds(catalog: Catalog) -> tuple[dict[str, Any], Scenario]:
    """The quick example with its budget as funds."""
    scenario = load_scenario(QUICK, catalog)
    document = put(original(QUICK), money_rows.as_funds(scenario))
    return document, scenario_from_dict(document, catalog, "t")


# --- funds ---


def test_a_budget_as_funds_buys_and_pays_the_same(catalog: Catalog) -> None:
    before = load_scenario(QUICK, catalog)
    _, after = with_funds(catalog)
    assert [f.id for f in after.funds] == ["equipment", "running"]
    assert after.funds[0].amount == before.budget == after.budget and after.funds[0].pays == ("equipment",)
    assert after.funds[1].amount is None and after.funds[1].pays == ("services", "consumables")
    assert after.objective == before.objective


def test_cells_of_a_fund_become_its_keys_and_the_rest_stays(catalog: Catalog) -> None:
    document, scenario = with_funds(catalog)
    values = money_rows.fund_values(scenario.funds, "zh")
    typed = {("equipment", "amount"): 90_000.0, ("equipment", "services"): True,
             ("running", "spend_by"): date(2027, 6, 30), ("running", "name"): "校级课题"}  # fmt: skip
    rows = money_rows.changed_rows("fund", document, values, edits(typed), "zh")
    made = scenario_from_dict(put(document, {"fund": rows}), catalog, "t").funds
    assert made[0].amount == 90_000 and made[0].pays == ("equipment", "services")
    assert made[1].spend_by == date(2027, 6, 30) and made[1].name_zh == "校级课题" and made[1].name == "Running cost"
    assert made[1].pays == ("services", "consumables")


def test_amounts_by_year_replace_the_sum_and_a_sum_replaces_them(catalog: Catalog) -> None:
    document, scenario = with_funds(catalog)
    values = money_rows.fund_values(scenario.funds, "en")
    rows = money_rows.changed_rows("fund", document, values, edits({("equipment", "per_year"): [6e4, 4e4]}), "en")
    staged = put(document, {"fund": rows})
    (found, _) = scenario_from_dict(staged, catalog, "t").funds
    assert found.per_year == (60_000.0, 40_000.0) and found.amount == 100_000
    again = money_rows.fund_values(scenario_from_dict(staged, catalog, "t").funds, "en")
    rows = money_rows.changed_rows("fund", staged, again, edits({("equipment", "amount"): 5e4}), "en")
    (found, _) = scenario_from_dict(put(staged, {"fund": rows}), catalog, "t").funds
    assert found.per_year == () and found.amount == 50_000


def test_new_funds_get_a_free_id_and_deleted_ones_are_gone(catalog: Catalog) -> None:
    document, scenario = with_funds(catalog)
    values = money_rows.fund_values(scenario.funds, "en")
    new = [{"name": "Gift", "amount": 1000.0}, {"name": "Grant", "consumables": True}]
    rows = money_rows.changed_rows("fund", document, values, edits(added=new, deleted=["running"]), "en")
    made = scenario_from_dict(put(document, {"fund": rows}), catalog, "t").funds
    assert [(f.id, f.name, f.pays) for f in made] == [
        ("equipment", "Equipment fund", ("equipment",)), ("fund-1", "Gift", ("equipment",)),
        ("fund-2", "Grant", ("equipment", "consumables")),
    ]  # fmt: skip


def test_a_cell_that_says_what_holds_is_no_change(catalog: Catalog) -> None:
    document, scenario = with_funds(catalog)
    values = money_rows.fund_values(scenario.funds, "en")
    same = {("equipment", key): value for key, value in values["equipment"].items()}
    assert money_rows.changed_rows("fund", document, values, edits(same), "en") == document["fund"]


@pytest.mark.parametrize(
    ("text", "amounts"),
    [("15万; 10万", [150_000.0, 100_000.0]), ("1,599.00; 0", [1599.0, 0.0]), ("", None), ("6万；4万", [6e4, 4e4])],
)
def test_amounts_by_year_are_read_as_people_write_them(text: str, amounts: list[float] | None) -> None:
    assert money_rows.several("CNY")(text) == amounts


def test_money_of_another_currency_is_refused() -> None:
    with pytest.raises(QuantityError) as refused:
        money_rows.money("CNY")("100 EUR")
    assert refused.value.code == "currency_conflict"


def test_years_count_from_one_on_the_page(catalog: Catalog) -> None:
    columns = {c.key: c for c in money_rows.fund_columns(load_scenario(QUICK, catalog), "en")}
    assert columns["from_year"].parse("1") == 0 and columns["to_year"].show(2) == "3"
    assert money_rows.fund_values([Fund("f", "F", "F", None, to_year=2)], "en")["f"]["to_year"] == 2


# --- services ---


def test_a_hired_card_typed_in_the_reader_language_is_a_service(catalog: Catalog) -> None:
    document = original(QUICK)
    new = [{"name": "校级平台", "kind": "校级平台", "card": "a100-40gb-pcie", "price_per_card_hour": 5.0,
            "wait_hours": 6.0}]  # fmt: skip
    rows = money_rows.changed_rows("service", document, {}, edits(added=new), "zh")
    (made,) = scenario_from_dict(put(document, {"service": rows}), catalog, "t").services
    assert (made.kind, made.card_id, made.price_per_card_hour, made.wait_hours) == ("campus", "a100-40gb-pcie", 5.0, 6)
    values = money_rows.service_values([made], "zh")
    rows = money_rows.changed_rows(
        "service", put(document, {"service": rows}), values, edits({("service-1", "wait_hours"): None}), "zh"
    )
    assert "wait_hours" not in rows[0] and rows[0]["price_per_card_hour"] == 5.0


# --- the page ---


def test_the_page_splits_the_budget_hires_and_sets_years(catalog: Catalog) -> None:
    at = go(page("zh"), "money")
    assert sound(at)
    at.button(key="make-funds").click().run()
    assert sound(at)
    at.selectbox(key="offer").set_value("campus-cn-80gb").run()
    at.button(key="add-offer").click().run()
    at.multiselect(key=f"{QUICK}/purchase.years").set_value([1, 2]).run()
    at.text_input(key=f"{QUICK}/budget.running_per_year").set_value("1.2万").run()
    assert sound(at)
    made = at.session_state["desk"].scenario()
    assert len(made.funds) == 2 and [s.id for s in made.services] == ["campus-cn-80gb"]
    assert made.purchase_years == (0, 1) and made.running_budget_per_year == 12_000
    at.button(key="drop-funds").click().run()
    again = at.session_state["desk"].scenario()
    assert again.funds == () and again.budget == load_scenario(QUICK, catalog).budget


@pytest.mark.parametrize(("lang", "words"), [("zh", "不是数字"), ("en", "is not a number")])
def test_a_figure_that_cannot_be_read_stays_in_its_box_with_the_reason(lang: str, words: str) -> None:
    at = go(page(lang), "money")
    at.text_input(key=f"{QUICK}/budget.running_per_year").set_value("ask Lee").run()
    assert any(words in e.value for e in at.error)
    assert at.text_input(key=f"{QUICK}/budget.running_per_year").value == "ask Lee"
    at.text_input(key=f"{QUICK}/budget.running_per_year").set_value("500").run()
    assert not at.error and at.session_state["desk"].scenario().running_budget_per_year == 500
