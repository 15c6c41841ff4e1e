"""Reading years, funds, services and permissions of a scenario; expected values are those written in the document."""

from __future__ import annotations

import tomllib
from datetime import date
from pathlib import Path

import pytest
from scenario_kit import assumption, document, load, problems

from hwcost.catalog import load_catalog
from hwcost.scenario_io import scenario_from_dict

ROOT = Path(__file__).parent.parent


def test_without_these_sections_everything_is_bought_at_the_start_from_one_budget() -> None:
    scenario = load(budget__amount=1000)
    assert scenario.purchase_years == (0,) and scenario.equipment_per_year == () and scenario.funds == ()
    assert scenario.services == () and scenario.running_budget_per_year is None and scenario.lead_weeks == 0
    assert scenario.data_stays == "anywhere" and scenario.upgrades and scenario.retire_owned
    assert scenario.workloads[0].sharers == 1 and not scenario.workloads[0].checkpointing


def test_money_by_year_adds_up_to_the_amount_where_that_is_not_stated() -> None:
    scenario = load(budget__per_year=[150_000, 100_000], budget__carry_over=False, budget__running_per_year=12_000)
    assert scenario.budget == 250_000 and scenario.equipment_per_year == (150_000, 100_000)
    assert scenario.equipment_carry_over is False and scenario.running_budget_per_year == 12_000


def test_years_that_do_not_add_up_or_pass_the_horizon_are_faults() -> None:
    differs = problems(document(budget__amount=240_000, budget__per_year=[150_000, 100_000]))
    assert [(p.code, p.column) for p in differs] == [("scenario_sum_differs", "budget.per_year")]
    many = problems(document(budget__per_year=[1, 2, 3, 4]))
    assert [(p.code, p.values["years"], p.values["horizon"]) for p in many] == [("scenario_too_many_years", 4, 3)]


def test_years_of_purchase_are_sorted_once_each_and_within_the_horizon() -> None:
    scenario = load(purchase__years=[1, 0, 1], purchase__lead_weeks=8)
    assert scenario.purchase_years == (0, 1) and scenario.lead_weeks == 8
    assert assumption(scenario, "purchase_years").value == "1, 2"
    late = problems(document(purchase__years=[0, 3]))
    assert [(p.code, p.column) for p in late] == [("scenario_out_of_range", "purchase.years")]


def test_trends_stock_and_least_orders_are_tables_by_name_and_an_unknown_name_is_a_fault() -> None:
    changes = {"purchase__stock": {"nvme-4tb": 0}, "purchase__min_order": {"rtx-3090": 2}}
    scenario = scenario_from_dict(document(purchase__price_trend_per_year={"card": -0.08}, **changes), load_catalog())
    assert scenario.price_trend_per_year == {"card": -0.08}
    assert scenario.stock == {"nvme-4tb": 0} and scenario.min_order == {"rtx-3090": 2}
    unknown = problems(document(purchase__price_trend_per_year={"crad": -0.08}))
    assert [(p.code, p.column) for p in unknown] == [("scenario_unknown_key", "purchase.price_trend_per_year.crad")]
    assert unknown[0].values["nearest"] == "card"


def test_a_fund_keeps_what_it_may_pay_and_when() -> None:
    fund = {"id": "dfg", "amount": 30_000, "pays": ["services", "consumables"], "from_year": 1, "overhead_rate": 0.22,
            "spend_by": date(2027, 6, 30)}  # fmt: skip
    scenario = load(fund=[fund, {"id": "own", "per_year": [5, 7]}])
    first, second = scenario.funds
    assert (first.amount, first.pays, first.from_year, first.to_year) == (30_000, ("services", "consumables"), 1, None)
    assert (first.overhead_rate, first.spend_by, first.carry_over) == (0.22, date(2027, 6, 30), True)
    assert (second.amount, second.per_year, second.pays) == (12, (5, 7), ("equipment",))
    assert scenario.budget == 12  # the fund that pays equipment; the other one does not count


def test_funds_with_faults_name_the_fund_and_the_key() -> None:
    faults = problems(
        document(fund=[{"id": "a", "pays": ["cars"]}, {"id": "a", "amount": 1, "to_year": 5, "colour": "red"}])
    )
    found = {(p.code, p.column) for p in faults}
    assert found == {
        ("scenario_unknown_word", "fund[1].pays"), ("scenario_duplicate_id", "fund[2].id"),
        ("scenario_out_of_range", "fund[2].to_year"), ("scenario_unknown_key", "fund[2].colour"),
    }  # fmt: skip


def test_a_service_needs_a_price_or_a_row_and_a_card() -> None:
    faults = problems(document(service=[{"id": "hpc"}]))
    assert {(p.code, p.column) for p in faults} == {
        ("scenario_missing_key", "service[1].price_per_card_hour"), ("scenario_missing_key", "service[1].card"),
    }  # fmt: skip


def test_a_row_of_the_rental_table_is_charged_with_tax_in_the_currency_of_the_scenario() -> None:
    catalog = load_catalog()
    data = document(service=[{"id": "campus", "rental": "campus-cn-40gb"}, {"id": "cloud", "rental": "cloud-a10"}])
    campus, cloud = scenario_from_dict(data, catalog).services
    assert (campus.kind, campus.card_id, campus.price_per_card_hour) == ("campus", "a100-40gb-pcie", 5)
    rate = max((r for r in catalog.fx if {r.base, r.quote} == {"USD", "CNY"}), key=lambda r: r.as_of)
    usd_cny = rate.rate if rate.base == "USD" else 1 / rate.rate
    assert cloud.kind == "cloud" and cloud.price_per_card_hour == pytest.approx(1.1 * usd_cny * 1.13, abs=1e-4)


def test_permissions_of_a_workload_are_read() -> None:
    names = ("checkpointing", "sharding", "multi_node", "sync_batchnorm", "compiled")
    scenario = load(workload__sharers=2, **{f"workload__{name}": True for name in names})
    assert scenario.workloads[0].sharers == 2
    assert all(getattr(scenario.workloads[0], name) for name in names)
    assert [p.column for p in problems(document(workload__sharers=0))] == ["workload[1].sharers"]


def test_a_change_of_any_new_field_changes_the_fingerprint() -> None:
    base = load(budget__amount=1000)
    others = [
        load(budget__amount=1000, purchase__years=[0, 1]), load(budget__amount=1000, site__data_stays="lab"),
        load(budget__amount=1000, fund=[{"id": "f"}]), load(budget__amount=1000, workload__sharers=2),
        load(budget__amount=1000, staff__hours_limit_per_year=10), load(budget__amount=1000, purchase__upgrades=False),
    ]  # fmt: skip
    assert len({s.sha256 for s in [base, *others]}) == len(others) + 1


def test_the_example_of_the_page_loads_as_it_says() -> None:
    page = (ROOT / "docs" / "funds.md").read_text(encoding="utf-8")
    example = page.split("```toml\n")[1].split("```")[0]
    scenario = scenario_from_dict(tomllib.loads(example), load_catalog(), "lab.toml")
    assert scenario.budget == 250_000 and scenario.purchase_years == (0, 1)
    assert scenario.services[0].wait_hours == 6 and scenario.stock == {"rtx-pro-4500-blackwell": 2}
    assert [f.carry_over for f in scenario.funds] == [True, False]
