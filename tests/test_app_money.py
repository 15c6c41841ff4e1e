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


def typed(changed: dict[tuple[str, str], Any]) -> Edits:
    return Edits(changed, [])


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
    cells = {("equipment", "amount"): 90_000.0, ("equipment", "services"): True,
             ("running", "spend_by"): date(2027, 6, 30), ("running", "name"): "校级课题"}  # fmt: skip
    rows = money_rows.changed_rows("fund", document, values, typed(cells), catalog, "zh")
    made = scenario_from_dict(put(document, {"fund": rows}), catalog, "t").funds
    assert made[0].amount == 90_000 and made[0].pays == ("equipment", "services")
    assert made[1].spend_by == date(2027, 6, 30) and made[1].name_zh == "校级课题" and made[1].name == "Running cost"
    assert made[1].pays == ("services", "consumables")


def test_amounts_by_year_replace_the_sum_and_a_sum_replaces_them(catalog: Catalog) -> None:
    document, scenario = with_funds(catalog)
    values = money_rows.fund_values(scenario.funds, "en")
    rows = money_rows.changed_rows("fund", document, values, typed({("equipment", "per_year"): [6e4, 4e4]}), catalog,
                                   "en")  # fmt: skip
    staged = put(document, {"fund": rows})
    (found, _) = scenario_from_dict(staged, catalog, "t").funds
    assert found.per_year == (60_000.0, 40_000.0) and found.amount == 100_000
    again = money_rows.fund_values(scenario_from_dict(staged, catalog, "t").funds, "en")
    rows = money_rows.changed_rows("fund", staged, again, typed({("equipment", "amount"): 5e4}), catalog, "en")
    (found, _) = scenario_from_dict(put(staged, {"fund": rows}), catalog, "t").funds
    assert found.per_year == () and found.amount == 50_000


def test_new_funds_get_a_free_id_and_deleted_ones_are_gone(catalog: Catalog) -> None:
    document, _ = with_funds(catalog)
    for name in ("Gift", "Grant"):
        document = put(document, {"fund": money_rows.with_row("fund", document, {"name_en": name})})
    document = put(document, {"fund": money_rows.without_row("fund", document, "running")})
    document = put(document, {"fund": money_rows.without_row("fund", document, "fund-1")})
    document = put(document, {"fund": money_rows.with_row("fund", document, {"name_en": "Again"})})
    made = scenario_from_dict(document, catalog, "t").funds
    assert [(f.id, f.name, f.pays, f.amount) for f in made[1:]] == [
        ("fund-2", "Grant", ("equipment",), None), ("fund-1", "Again", ("equipment",), None),
    ]  # fmt: skip


def test_a_cell_that_says_what_holds_is_no_change(catalog: Catalog) -> None:
    document, scenario = with_funds(catalog)
    values = money_rows.fund_values(scenario.funds, "en")
    same = {("equipment", key): value for key, value in values["equipment"].items()}
    assert money_rows.changed_rows("fund", document, values, typed(same), catalog, "en") == document["fund"]


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
    columns = {c.key: c for c in money_rows.fund_rule_columns(load_scenario(QUICK, catalog), "en")}
    assert columns["from_year"].parse("1") == 0 and columns["to_year"].show(2) == "3"
    assert money_rows.fund_values([Fund("f", "F", "F", None, to_year=2)], "en")["f"]["to_year"] == 2


# --- services ---


@pytest.mark.parametrize(("lang", "kind"), [("zh", "云算力"), ("en", "cloud")])
def test_a_hired_card_is_named_in_words_and_kept_by_its_id(lang: str, kind: str, catalog: Catalog) -> None:
    document = original(QUICK)
    row = {"name_en": "HPC", "card": "a100-40gb-pcie", "price_per_card_hour": 5.0, "wait_hours": 6.0}
    document = put(document, {"service": money_rows.with_row("service", document, row)})
    (made,) = scenario_from_dict(document, catalog, "t").services
    assert (made.id, made.kind, made.card_id, made.wait_hours) == ("service-1", "campus", "a100-40gb-pcie", 6)
    values = money_rows.service_values([made], catalog, lang)
    assert values["service-1"]["card"] == "NVIDIA A100 40GB PCIe"
    cells = {("service-1", "card"): "RTX A5500 24 GB", ("service-1", "kind"): kind, ("service-1", "wait_hours"): None}
    rows = money_rows.changed_rows("service", document, values, typed(cells), catalog, lang)
    (made,) = scenario_from_dict(put(document, {"service": rows}), catalog, "t").services
    assert (made.kind, made.card_id, made.wait_hours, made.price_per_card_hour) == ("cloud", "rtx-a5500", None, 5.0)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_no_table_of_money_is_wider_than_eight_columns_or_shows_an_id(lang: str, catalog: Catalog) -> None:
    document, scenario = with_funds(catalog)
    row = {"name_en": "HPC", "card": "a100-40gb-pcie", "price_per_card_hour": 5.0}
    document = put(document, {"service": money_rows.with_row("service", document, row)})
    scenario = scenario_from_dict(document, catalog, "t")
    funds = money_rows.fund_values(scenario.funds, lang)
    services = money_rows.service_values(scenario.services, catalog, lang)
    tables = [
        (money_rows.fund_columns(scenario, lang), funds), (money_rows.fund_rule_columns(scenario, lang), funds),
        (money_rows.service_columns(scenario, catalog, lang), services),
        (money_rows.service_rule_columns(scenario, lang), services),
    ]  # fmt: skip
    ids = {"equipment", "running", "service-1", "a100-40gb-pcie"}
    for columns, rows in tables:
        assert len(columns) <= 8
        assert not ids & {str(cells[c.key]) for cells in rows.values() for c in columns}


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


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_funds_and_offers_come_and_go_by_buttons(lang: str) -> None:
    at = go(page(lang), "money")
    at.button(key="make-funds").click().run()
    at.text_input(key="new-fund").set_value("省自然科学基金").run()
    at.button(key="add-fund").click().run()
    assert at.text_input(key="new-fund").value == ""
    at.text_input(key="own-offer-name").set_value("HPC").run()
    at.selectbox(key="own-offer-card").set_value("rtx-a5500").run()
    at.text_input(key="own-offer-price").set_value("1.5 EUR").run()
    assert at.error and at.button(key="add-own-offer").disabled
    at.text_input(key="own-offer-price").set_value("￥3.5").run()
    at.button(key="add-own-offer").click().run()
    assert sound(at)
    made = at.session_state["desk"].scenario()
    assert [f.name_zh for f in made.funds] == ["设备费", "业务费", "省自然科学基金"]
    assert [(s.name, s.card_id, s.price_per_card_hour) for s in made.services] == [("HPC", "rtx-a5500", 3.5)]
    at.selectbox(key="remove-which-fund").set_value(made.funds[2].id).run()
    at.button(key="remove-fund").click().run()
    at.selectbox(key="remove-which-service").set_value(made.services[0].id).run()
    at.button(key="remove-service").click().run()
    assert sound(at)
    made = at.session_state["desk"].scenario()
    assert [f.id for f in made.funds] == ["equipment", "running"] and made.services == ()


@pytest.mark.parametrize(("lang", "words"), [("zh", "不是数字"), ("en", "is not a number")])
def test_a_figure_that_cannot_be_read_stays_in_its_box_with_the_reason(lang: str, words: str) -> None:
    at = go(page(lang), "money")
    at.text_input(key=f"{QUICK}/budget.running_per_year").set_value("ask Lee").run()
    assert any(words in e.value for e in at.error)
    assert at.text_input(key=f"{QUICK}/budget.running_per_year").value == "ask Lee"
    at.text_input(key=f"{QUICK}/budget.running_per_year").set_value("500").run()
    assert not at.error and at.session_state["desk"].scenario().running_budget_per_year == 500
