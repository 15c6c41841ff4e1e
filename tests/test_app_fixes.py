"""Each repair as figures of the document: the scenario after one press is the one that was solved and priced."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from hwcost import explain, money_rules
from hwcost.catalog import load_catalog
from hwcost.explain import Repair
from hwcost.funds import USE_OF
from hwcost.records import Catalog
from hwcost.repairs import apply
from hwcost.scenario import Scenario
from hwcost.scenario_io import scenario_from_dict, scenario_sha256
from hwcost.web import fixes
from hwcost.web.documents import Document, put

DOCUMENT: Document = {
    "schema": "hwcost.scenario/1", "id": "t", "region": "CN", "horizon_years": 3, "as_of": date(2026, 11, 30),
    "objective": "serve", "staff": {"hours_limit_per_year": 10.0},
    "budget": {"running_per_year": 500.0},
    "storage": {"ids": ["sata-4tb"]},
    "purchase": {"lead_weeks": 10, "stock": {"rtx-a5500": 1}, "min_order": {"rtx-4090": 5}, "upgrades": False},
    "fund": [
        {"id": "e", "amount": 100_000.0, "pays": ["equipment"], "spend_by": date(2026, 12, 31)},
        {"id": "s", "per_year": [100.0, 200.0, 300.0], "pays": ["services"]},
    ],
    "service": [{"id": "hpc", "rental": "campus-cn-80gb", "quota_card_hours_per_year": 10.0}],
    "workload": [{"id": "w", "preset": "hybridsn-ip", "runs_per_year": 100.0, "people_at_once": 1, "epochs": 100}],
}  # fmt: skip


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


def repair(rule: str, subject: str, after: float, unit: str = "") -> Repair:
    return Repair(rule, subject, 0.0, after, unit, 0.0, 0.0)


def pressed(found: Repair, catalog: Catalog, document: Document = DOCUMENT) -> tuple[Scenario, Scenario]:
    """The scenario before and after the press."""
    before = scenario_from_dict(document, catalog, "t")
    fields = fixes.changes(found, before, document, catalog)
    assert fields, found.rule
    return before, scenario_from_dict(put(document, fields), catalog, "t")


def same(after: Scenario, wanted: Scenario) -> bool:
    return scenario_sha256(after) == scenario_sha256(wanted)


@pytest.mark.parametrize(
    ("rule", "after", "field"),
    [("running_budget", 900.0, "running_budget_per_year"), ("staff_hours", 40.0, "staff_hours_limit_per_year")],
)
def test_a_yearly_limit_becomes_what_the_sentence_says(rule: str, after: float, field: str, catalog: Catalog) -> None:
    before, made = pressed(repair(rule, "", after), catalog)
    wanted: dict[str, Any] = {field: after}
    assert same(made, replace(before, **wanted)) and same(made, apply(before, repair(rule, "", after)))


@pytest.mark.parametrize("rule", ["stock", "min_order"])
def test_stock_and_least_orders_are_taken_away(rule: str, catalog: Catalog) -> None:
    before, made = pressed(repair(rule, "", 0.0), catalog)
    assert same(made, explain.lift(before, explain.RuleInstance(rule)))


def test_a_quota_grows_to_the_hours_asked_for(catalog: Catalog) -> None:
    _, made = pressed(repair("service_quota", "hpc", 321.0), catalog)
    assert made.services[0].quota_card_hours_per_year == 321.0


def test_a_fund_grows_and_arrives_at_once(catalog: Catalog) -> None:
    before, made = pressed(repair("fund", "s", 5000.0), catalog)
    assert before.funds[1].amount == 600.0
    assert (made.funds[1].amount, made.funds[1].per_year) == (5000.0, ())


def test_a_fund_may_pay_for_more(catalog: Catalog) -> None:
    before, made = pressed(repair("fund_pays", "s:consumables", 0.0), catalog)
    assert same(made, money_rules.widened(before, "consumables", "s"))


def test_the_university_pays_what_no_fund_may(catalog: Catalog) -> None:
    document = put(DOCUMENT, {"payers": {"energy": "lab"}})
    before, made = pressed(repair("fund_use", "consumables", 0.0), catalog, document)
    assert before.payers["energy_busy"] == "lab" and made.payers["energy_busy"] == "university"
    assert made.payers == money_rules.paid_elsewhere(before, "consumables", USE_OF).payers


def test_the_last_day_moves_to_the_delivery(catalog: Catalog) -> None:
    _, made = pressed(repair("spend_by", "", 70.0, "day"), catalog)
    assert made.funds[0].spend_by == date(2027, 2, 8)  # 70 days after 30 November 2026
    assert made.funds[1].spend_by is None


def test_a_disk_named_fast_may_be_bought_beside_those_named(catalog: Catalog) -> None:
    _, made = pressed(repair("nvme", "", 8.0, "TB"), catalog)
    local = {s.id for s in catalog.storage.values() if s.tier == "nvme" and s.local}
    assert local and set(made.storage_ids) == {"sata-4tb"} | local


@pytest.mark.parametrize(
    ("rule", "field", "value"),
    [("checkpointing", "checkpointing", True), ("share", "sharers", 2), ("amp", "precision", "amp16")],
)
def test_a_change_of_the_work_is_a_figure_of_the_job(rule: str, field: str, value: Any, catalog: Catalog) -> None:
    before, made = pressed(repair(rule, "w", 0.0), catalog)
    wanted: dict[str, Any] = {field: value}
    assert same(made, explain_changed(before, wanted))


def explain_changed(scenario: Scenario, fields: dict[str, Any]) -> Scenario:
    return replace(scenario, workloads=tuple(replace(w, **fields) for w in scenario.workloads))


def test_money_by_year_comes_at_the_start_or_keeps_its_proportions(catalog: Catalog) -> None:
    document = put({**DOCUMENT, "fund": []}, {"budget.per_year": [60_000.0, 40_000.0]})
    before, made = pressed(repair("equipment_year", "", 0.0), catalog, document)
    assert before.budget == made.budget == 100_000.0 and made.equipment_per_year == ()
    more = scenario_from_dict(put(document, fixes.budget_changes(document, 200_000.0, True)), catalog, "t")
    assert more.equipment_per_year == (120_000.0, 80_000.0) and more.budget == 200_000.0
    none = scenario_from_dict(put(document, fixes.budget_changes(document, None, True)), catalog, "t")
    assert none.equipment_per_year == () and none.budget is None
    _, repaired = pressed(repair("budget", "", 150_000.0), catalog, document)
    assert repaired.budget == 150_000.0 and repaired.equipment_per_year == ()
