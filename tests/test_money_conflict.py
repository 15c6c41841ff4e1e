"""Money that no fund may pay, dates and limits of a year: named in the conflict, with repairs that do what they say."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from years_cases import ALONE, ONE, decision, job

from hwcost import conflict, explain
from hwcost.conflict import RuleInstance
from hwcost.engine import solve_case
from hwcost.repair_words import repair_text, rule_text
from hwcost.scenario import Fund

EQUIPMENT = Fund("eq", "Equipment grant", "设备费专项", 50_000.0)
LAB_PAYS = {"energy_idle": "lab", "energy_busy": "lab"}


@pytest.fixture(autouse=True)
def _small_cases_need_no_new_builds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conflict, "variant", lambda case, scenario: replace(case, scenario=scenario))
    monkeypatch.setattr("hwcost.repairs.variant", conflict.variant)


def test_energy_that_no_fund_may_pay_is_named_and_repaired_by_a_wider_fund_or_by_the_university() -> None:
    powered = replace(ONE, idle_wall_w=100.0)
    case = decision((powered,), ALONE, job(100.0), funds=(EQUIPMENT,), payers=LAB_PAYS, on_hours_per_year=8_760.0,
                    tariff_per_kwh=1.0, pue=1.0)  # fmt: skip
    found = explain.conflict(case.case(), lab=False)
    assert found is not None and found.rules == (RuleInstance("fund_use", "consumables"),)
    assert [(r.rule, r.subject) for r in found.repairs] == [
        ("fund_pays", "eq:consumables"),
        ("fund_use", "consumables"),
    ]
    wider = case.with_scenario(funds=(replace(EQUIPMENT, pays=("equipment", "consumables")),))
    after = solve_case(wider.case(), "cost")
    assert after.has_plan
    assert found.repairs[0].present_value == pytest.approx(after.totals.present_value, abs=0.01)
    for lang, words in (("en", "Equipment grant"), ("zh", "设备费专项")):
        assert words in rule_text(found.rules[0], case.scenario, lang)
        assert words in repair_text(found.repairs[0], case.scenario, lang)
    assert "学校" in repair_text(found.repairs[1], case.scenario, "zh")


def test_a_limit_of_hours_is_raised_to_what_the_plan_takes() -> None:
    """10 hours of set-up and 30 of upkeep in the first year."""
    case = decision((ONE,), ALONE, job(100.0), staff_setup_hours_per_node=10.0, staff_hours_per_node_year=30.0,
                    staff_hours_limit_per_year=20.0)  # fmt: skip
    found = explain.conflict(case.case(), lab=False)
    assert found is not None and found.rules == (RuleInstance("staff_hours"),)
    repair = found.repairs[0]
    assert (repair.rule, repair.from_value, repair.to_value) == ("staff_hours", 20.0, 40.0)
    assert solve_case(case.with_scenario(staff_hours_limit_per_year=40.0).case(), "cost").has_plan


def test_a_date_that_comes_too_early_is_moved_to_the_delivery() -> None:
    late = replace(ONE, lead_weeks=8.0)
    free = decision((late,), ALONE, job(100.0), as_of=date(2026, 11, 30), lead_weeks=8.0).case()
    case = replace(free, scenario=replace(free.scenario, spend_by=date(2026, 12, 31)))
    found = explain.conflict(case, lab=False)
    assert found is not None and found.rules == (RuleInstance("spend_by"),)
    assert found.repairs[0].to_value == 56.0  # days: eight weeks
    assert "2027-01-25" in repair_text(found.repairs[0], case.scenario, "en")


def test_who_may_be_limited_by_what_is_read_from_the_scenario() -> None:
    base = decision((ONE,), ALONE).scenario
    stated = replace(
        base, stock={"a": 1}, min_order={"a": 2}, equipment_per_year=(1.0, 2.0), running_budget_per_year=5.0
    )
    rules = [r.rule for r in conflict.rule_instances(stated)]
    assert {"stock", "min_order", "equipment_year", "running_budget"} <= set(rules)
    for instance in conflict.rule_instances(stated):
        assert instance not in conflict.rule_instances(conflict.lift(stated, instance)) or instance.rule in (
            "distinct_builds", "max_nodes",
        )  # fmt: skip
