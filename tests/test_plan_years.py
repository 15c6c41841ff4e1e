"""Finished plans over years: who pays each line, what funds are charged, and a tampered plan fails every new check."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from small_cases import DAY, Small
from years_cases import (
    ALONE,
    BOTH,
    CHEAP,
    EQUIPMENT,
    GROWING,
    HPC,
    ONE,
    RULES,
    UNIVERSITY,
    WITH_HPC,
    decision,
    job,
    mixture,
    service_build,
)

from hwcost import climb
from hwcost.engine import solve_case
from hwcost.funds import arrivals, depreciation, limits
from hwcost.plan import Plan, evaluate
from hwcost.scenario import Fund

RUNNING = Fund("run", "Running", "运行费", 9_000.0, ("services", "consumables"))


def rule(name: str) -> Small:
    return next(r.case for r in RULES if r.name == name)


def tampered(case: Small, **changes: Any) -> set[str]:
    """Rules that fail after decisions of the best plan are changed; `changes` get the honest ones."""
    prepared = case.case()
    honest = climb.solve(prepared, "cost")
    assert honest.status == "proven"
    assert {c.rule for c in evaluate(prepared, "cost", honest).checks if c.hard and not c.ok} == set()
    made = {name: change(getattr(honest, name)) for name, change in changes.items()}
    return {c.rule for c in evaluate(prepared, "cost", replace(honest, **made)).checks if c.hard and not c.ok}


def adding(key: object, amount: float = 1) -> Any:
    return lambda honest: {**honest, key: honest.get(key, 0) + amount}


def test_a_later_purchase_stands_in_its_year_at_its_price() -> None:
    plan = solve_case(rule("a later purchase at a falling price").case(), "cost")
    assert [(p.nodes, p.year, p.unit_price, p.nodes_by_year) for p in plan.purchases] == [
        (1, 0, 10_000.0, (1, 1)), (1, 1, 7_000.0, (0, 1)),
    ]  # fmt: skip
    assert plan.budget_used == 17_000.0
    assert {line.year: line.amount for line in plan.cost_lines if line.category == "card"} == {0: 6_000.0, 1: 3_000.0}


def test_hours_of_a_service_are_told_with_what_they_cost() -> None:
    plan = solve_case(decision((ONE, HPC), WITH_HPC, job(60.0, 0)).case(), "cost")
    assert [(u.build.id, u.year, u.card_hours, u.amount) for u in plan.services] == [
        ("service:hpc", y, pytest.approx(600.0), pytest.approx(1_200.0)) for y in (0, 1)
    ]  # fmt: skip
    assert plan.purchases == ()
    assert plan.totals.opex == pytest.approx(2_400.0)


def test_two_funds_share_the_lines_that_both_may_pay() -> None:
    funds = (replace(EQUIPMENT, amount=7_500.0), Fund("own", "Own", "自筹", 2_500.0))
    plan = solve_case(decision((ONE,), ALONE, payers=UNIVERSITY, funds=funds).case(), "cost")
    card = {line.fund: line.amount for line in plan.cost_lines if line.category == "card"}
    assert card == {"eq": pytest.approx(0.75 * 6_000), "own": pytest.approx(0.25 * 6_000)}
    assert sum(line.amount for line in plan.cost_lines) == pytest.approx(plan.totals.nominal, abs=0.005)
    assert {line.fund for line in plan.cost_lines if line.payer == "university"} == {""}


def test_overhead_is_paid_by_the_fund_that_charges_it() -> None:
    fund = Fund("run", "Running", "运行费", 1_500.0, ("services",), overhead_rate=0.25, per_year=(750.0, 750.0))
    case = decision((HPC,), WITH_HPC[1:], job(30.0, 0), payers=UNIVERSITY, funds=(fund,))  # 300 h x 2 a year
    plan = solve_case(case.case(), "cost")
    assert [(x.year, x.fund, x.amount) for x in plan.cost_lines if x.category == "overhead"] == [
        (0, "run", pytest.approx(150.0)), (1, "run", pytest.approx(150.0)),
    ]  # fmt: skip
    fund_checks = [c for c in plan.checks if c.rule == "fund"]
    assert [(c.limit, c.value) for c in fund_checks] == [
        (750.0, pytest.approx(750.0)), (1_500.0, pytest.approx(1_500.0)),
    ]  # fmt: skip


def test_money_exactly_met_is_met() -> None:
    """20,000 of equipment, 600 h x 2 of services a year: the funds hold that and nothing more."""
    funds = (EQUIPMENT, Fund("run", "R", "R", 2_400.0, ("services",), per_year=(1_200.0, 1_200.0), carry_over=False))
    plan = solve_case(decision((ONE, HPC), WITH_HPC, job(60.0, 0), payers=UNIVERSITY, funds=funds).case(), "cost")
    assert plan.status == "proven_optimal" and plan.purchases == ()
    less = replace(funds[1], per_year=(1_199.0, 1_201.0))
    plan = solve_case(decision((HPC,), WITH_HPC[1:], job(60.0, 0), payers=UNIVERSITY, funds=(less,)).case(), "cost")
    assert plan.status == "infeasible"


def test_a_fund_for_depreciation_bears_its_years_alone() -> None:
    fund = Fund("d", "D", "D", 9_000.0, from_year=1, to_year=2, depreciation_only=True, depreciation_years=4.0)
    scenario = replace(decision((), ()).scenario, horizon_years=4, funds=(fund,))
    assert [depreciation(scenario, fund, 0, y) for y in range(4)] == [0.0, 0.25, 0.25, 0.0]
    short = replace(fund, from_year=0, to_year=None, depreciation_years=1.5)
    assert [depreciation(scenario, short, 0, y) for y in range(4)] == [pytest.approx(x) for x in (2 / 3, 1 / 3, 0, 0)]


def test_yearly_amounts_begin_in_the_funds_first_year() -> None:
    fund = Fund("f", "F", "F", 30.0, per_year=(10.0, 20.0), from_year=1)
    assert arrivals(fund, 4) == [0.0, 10.0, 20.0, 0.0]
    assert limits(fund, 3) == [(1, (1,), 10.0), (2, (1, 2), 30.0)]
    assert limits(replace(fund, carry_over=False), 3) == [(1, (1,), 10.0), (2, (2,), 20.0)]


def test_what_comes_too_late_is_told_with_its_dates() -> None:
    case = decision((ONE, replace(CHEAP, lead_weeks=10.0)), BOTH, spend_by=DAY + timedelta(days=60)).case()
    (refusal,) = case.build_set.not_considered
    assert (refusal.card_id, [b.rule for b in refusal.breaches]) == ("slow", ["spend_by"])
    assert refusal.breaches[0].values == {"delivery": "2027-01-10", "spend_by": "2026-12-31", "weeks": 10.0}
    assert [b.id for b in case.builds] == ["one"]


@pytest.mark.parametrize(
    ("name", "changes", "broken"),
    [
        ("a later purchase at a falling price", {"buy": adding(("one", 1), -1)}, "card_hours"),
        ("equipment money that comes later", {"buy": adding(("one", 0))}, "equipment_year"),
        ("the running budget of a year", {"buy": adding(("cheap", 0))}, "running_budget"),
        ("quota of a service", {"share": lambda s: dict.fromkeys(s, 1.0)}, "service_quota"),
        ("cards at once of a service", {"place": lambda s: dict.fromkeys(s, 2)}, "service_cards"),
        ("as many upgrades as owned machines", {"buy": adding(("better", 0))}, "owned_hosts"),
        ("two people share a card", {"place": adding((1, 0), 2)}, "packing"),
        ("hours of upkeep in a year", {"buy": adding(("one", 0), 2)}, "staff_hours"),
        ("set-up of jobs over several cards", {"first": lambda s: dict.fromkeys(s, 0),
         "share": lambda s: dict.fromkeys(s, 0.5)}, "multi_card_setup"),
        ("stock of a card", {"buy": adding(("cheap", 0))}, "stock"),
        ("least order of a card", {"buy": adding(("cheap", 0))}, "min_order"),
        ("a fund for depreciation alone", {"pay": lambda s: {}, "worn": lambda s: {}}, "fund_use"),
        ("a fund that may not pay energy", {"buy": adding(("cheap", 0))}, "fund"),
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)  # fmt: skip
def test_a_tampered_plan_breaks_the_rule(name: str, changes: dict[str, Any], broken: str) -> None:
    assert broken in tampered(rule(name), **changes)


def vector(case: Small) -> float | None:
    plan = solve_case(case.case(), "cost")
    assert plan.status in ("proven_optimal", "infeasible")
    return plan.totals.present_value if plan.has_plan else None


def no_worse(old: float | None, new: float | None) -> bool:
    return old is None or (new is not None and new <= old * (1 + 1e-5) + 0.01)


FEWER_RULES: dict[str, dict[str, Any]] = {
    "more years to buy in": {"purchase_years": (0, 1)}, "no running budget": {"running_budget_per_year": None},
    "no limit of hours": {"staff_hours_limit_per_year": None}, "no stock": {"stock": {}},
    "no least order": {"min_order": {}}, "owned may rest": {"retire_owned": True}, "no budget": {"budget": None},
    "no set-up": {"multi_card_setup_hours": 0.0}, "no funds": {"funds": ()},
}  # fmt: skip


@pytest.mark.parametrize("freed", FEWER_RULES)
def test_one_rule_fewer_is_never_dearer(freed: str) -> None:
    """Without funds overheads go too; without least orders nothing else can get worse."""
    for seed in random.Random(freed).sample(range(200), 5):
        case = mixture(seed)
        assert no_worse(vector(case), vector(case.with_scenario(**FEWER_RULES[freed]))), (freed, seed)


def test_a_cheaper_or_larger_service_is_never_dearer() -> None:
    for seed in range(12):
        case = mixture(seed)
        if not any(b.service for b in case.builds):
            continue

        def offer(case: Small = case, **changes: Any) -> Small:
            builds = tuple(
                service_build(replace(b.service, **changes)) if b.service else b for b in case.builds
            )  # fmt: skip
            return replace(case, builds=builds)

        for changes in ({"price_per_card_hour": 0.1}, {"quota_card_hours_per_year": None},
                        {"minimum_card_hours_per_year": 0.0}, {"cards_at_once": 9}):  # fmt: skip
            assert no_worse(vector(case), vector(offer(**changes))), (seed, changes)


def test_more_of_a_fund_is_never_dearer() -> None:
    for seed in range(20):
        case = mixture(seed)
        for n, fund in enumerate(case.scenario.funds):
            if fund.amount is not None:
                more = replace(fund, amount=2 * fund.amount, per_year=tuple(2 * x for x in fund.per_year))
                funds = (*case.scenario.funds[:n], more, *case.scenario.funds[n + 1 :])
                assert no_worse(vector(case), vector(case.with_scenario(funds=funds))), (seed, fund.id)


def test_lines_add_up_and_every_check_holds_in_mixtures() -> None:
    for seed in range(24):
        plan: Plan = solve_case(mixture(seed).case(), "serve")
        if not plan.has_plan:
            continue
        assert sum(x.amount for x in plan.cost_lines) == pytest.approx(plan.totals.nominal, abs=0.005)
        stage = next(s.value for s in plan.stages if s.name == "cost")
        assert plan.totals.present_value == pytest.approx(stage, rel=1e-5, abs=0.02)
        assert not [c for c in plan.checks if c.hard and not c.ok]
        assert plan.people == {w: min(year[w] for year in plan.people_by_year) for w in plan.people}


def test_people_and_capacity_are_means_over_the_years_and_the_fewest_are_told() -> None:
    """Money for one machine a year: one person of two in the first, both in the second; 5,000 hours, then 10,000."""
    case = decision((ONE,), ALONE, job(100.0, 2), purchase_years=(0, 1), equipment_per_year=(10_000.0, 10_000.0))
    plan = solve_case(case.with_scenario(budget=20_000.0).case(), "budget")
    solved = {stage.name: stage.value for stage in plan.stages}
    assert (solved["people_must"], solved["capacity"]) == (pytest.approx(1.5), pytest.approx(7.5))
    assert plan.people_by_year == ({"w": 1}, {"w": 2})
    assert (plan.people, plan.falls_short) == ({"w": 1}, True)
    assert [(p.nodes, p.year) for p in plan.bought] == [(1, 0), (1, 1)]


def test_equal_years_are_one_period_and_others_are_told_apart_only_where_a_rule_needs_it() -> None:
    def shape(**changes: Any) -> tuple[Any, Any]:
        case = decision((ONE,), ALONE, **changes).case()
        return case.stages, case.periods

    whole, apart = ((0, 1),), ((0,), (1,))
    assert shape() == (whole, whole)
    assert shape(purchase_years=(0, 1)) == (apart, apart)
    assert shape(running_budget_per_year=1e6) == (apart, apart)
    assert shape(funds=(EQUIPMENT,)) == (whole, whole)
    assert shape(funds=(EQUIPMENT, RUNNING)) == (apart, apart)
    growing = decision((ONE,), ALONE, GROWING).case()
    assert (growing.stages, growing.periods) == (whole, apart)
    late = decision((replace(ONE, lead_weeks=8.0),), ALONE).case()
    assert (late.stages, late.periods) == (whole, apart)
