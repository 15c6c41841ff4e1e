"""A proven plan answers other budgets without a search exactly where a search would find the same."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from small_cases import small

from hwcost import engine, reuse
from hwcost.case import Case, prepare
from hwcost.catalog import load_catalog
from hwcost.engine import solve_case
from hwcost.plan import Plan
from hwcost.scenario_io import load_scenario
from hwcost.web import solve

OBJECTIVES = ("budget", "serve", "cost", "spend")


def with_budget(case: Case, budget: float | None) -> Case:
    return replace(case, scenario=replace(case.scenario, budget=budget))


def told(plan: Plan) -> list[tuple[Any, ...]]:
    """What people read of a plan, flat."""
    return [
        (plan.status, plan.people_at_once, plan.totals.nominal, plan.totals.present_value),
        *((s.name, s.status, s.value) for s in plan.stages),
        *((p.build.id, p.year, p.nodes, p.unit_price) for p in plan.purchases),
        *(
            (a.strategy.workload_id, a.strategy.build_id, a.strategy.cards, a.year, a.card_hours)
            for a in plan.assignments
        ),
        *((x.year, x.category, x.item, x.payer, x.quantity, x.amount) for x in plan.cost_lines),
        # no rank says which of several machines is on which of several circuits
        *((c.rule, c.subject, c.limit, c.rule == "circuit_load" or c.value, c.ok) for c in plan.checks),
    ]


def near(one: Any, other: Any) -> bool:
    """Equal, floats to a millionth."""
    if isinstance(one, float) and isinstance(other, float):
        return bool(one == pytest.approx(other, rel=1e-6, abs=1e-6))
    return bool(one == other)


def proven(seed: int, objective: str) -> Plan | None:
    """The plan under twice the budget of the case, where there is one and it is proven."""
    case = small(seed).case()
    plan = solve_case(with_budget(case, 2.0 * (case.scenario.budget or 20_000.0)), objective)
    return plan if plan.status == "proven_optimal" else None


@pytest.mark.parametrize("seed", range(14))
def test_between_what_it_spends_and_its_budget_a_search_finds_the_same(seed: int) -> None:
    for objective in OBJECTIVES:
        plan = proven(seed, objective)
        if plan is None:
            continue
        top = float(plan.case.scenario.budget or 0.0)
        for share in (0.0, 0.3, 1.0):
            case = with_budget(plan.case, plan.budget_used + share * (top - plan.budget_used))
            found, searched = reuse.reused(case, objective, [plan]), solve_case(case, objective)
            assert found is not None
            assert [(p.build.id, p.nodes) for p in found.purchases] == [
                (p.build.id, p.nodes) for p in searched.purchases
            ]
            for ours, theirs in zip(found.stages, searched.stages, strict=True):
                assert ours.value == pytest.approx(theirs.value, rel=3e-6, abs=1e-5), (objective, ours.name)
            assert found.totals.nominal == pytest.approx(searched.totals.nominal, rel=2e-6, abs=0.01)
            assert found.case is case  # its checks are against this budget
            assert [c.limit for c in found.checks if c.rule == "budget"] == [case.scenario.budget]


def test_enough_cases_are_proven_for_that_to_mean_something() -> None:
    assert sum(1 for seed in range(14) for objective in OBJECTIVES if proven(seed, objective)) >= 24


def test_outside_of_it_nothing_is_said() -> None:
    plan = next(p for p in (proven(seed, "serve") for seed in range(14)) if p is not None and p.bought)
    top, spent = float(plan.case.scenario.budget or 0.0), plan.budget_used
    assert reuse.reused(with_budget(plan.case, spent - 0.01), "serve", [plan]) is None
    assert reuse.reused(with_budget(plan.case, top + 0.01), "serve", [plan]) is None
    assert reuse.reused(with_budget(plan.case, None), "serve", [plan]) is None
    assert reuse.reused(with_budget(plan.case, top), "cost", [plan]) is None
    assert reuse.reused(with_budget(plan.case, top), "serve", []) is None


def test_the_least_purchase_stays_the_least_under_any_larger_budget() -> None:
    plan = next(p for p in (proven(seed, "spend") for seed in range(14)) if p is not None and p.bought)
    for budget in (10.0 * float(plan.case.scenario.budget or 0.0), None):
        case = with_budget(plan.case, budget)
        found = reuse.reused(case, "spend", [plan])
        assert found is not None and found.budget_used == solve_case(case, "spend").budget_used == plan.budget_used


def test_where_no_plan_exists_none_exists_for_less() -> None:
    case = next(
        case for case in (with_budget(small(seed).case(), 5_000.0) for seed in range(60))
        if solve_case(case, "cost").status == "infeasible"
    )  # fmt: skip
    nothing = solve_case(case, "cost")
    less, more = (reuse.reused(with_budget(case, budget), "cost", [nothing]) for budget in (4_000.0, 5_000.01))
    assert less is not None and less.status == "infeasible"
    assert more is None


@pytest.mark.parametrize(
    "changes",
    [{"tax_rate": 0.2}, {"horizon_years": 5}, {"max_nodes": 1}, {"spend_by": date(2026, 12, 1)},
     {"tariff_per_kwh": 9.0}, {"discount_rate": 0.3}, {"budget_tax_included": None}, {"payers": {"staff": "lab"}}],
    ids=lambda changes: next(iter(changes)),
)  # fmt: skip
def test_another_figure_than_the_budget_asks_for_a_search(changes: dict[str, Any]) -> None:
    plan = next(p for p in (proven(seed, "serve") for seed in range(14)) if p is not None)
    if "budget_tax_included" in changes:
        changes = {"budget_tax_included": not plan.case.scenario.budget_tax_included}
    assert reuse.reused(plan.case, "serve", [plan]) is not None
    assert reuse.reused(replace(plan.case, scenario=replace(plan.case.scenario, **changes)), "serve", [plan]) is None


def test_other_machines_and_other_conditions_on_them_ask_for_a_search() -> None:
    plan = next(p for p in (proven(seed, "serve") for seed in range(14)) if p is not None)
    case = plan.case
    fewer = replace(case, builds=case.builds[:-1])
    for other in (fewer, replace(case, must_buy=True), replace(case, fixed=()), replace(case, include=frozenset("x"))):
        assert reuse.reused(other, "serve", [plan]) is None


def test_a_plan_whose_ties_are_not_settled_or_that_is_not_proven_is_not_taken() -> None:
    case = next(p for p in (proven(seed, "serve") for seed in range(14)) if p is not None).case
    assert reuse.reused(case, "serve", [solve_case(case, "serve", ranked=False)]) is None
    assert reuse.reused(case, "serve", [replace(solve_case(case, "serve"), status="best_found")]) is None


def test_plans_ahead_answer_every_budget_between_them_without_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    catalog = load_catalog()
    case = prepare(load_scenario("large-tiles", catalog), catalog)
    base = float(case.scenario.budget or 0.0)
    monkeypatch.setattr(solve, "MOST_AHEAD", 6)
    plan = solve_case(case)
    found = list(solve.ahead(plan, lambda step, about: None))
    assert {p.objective for p in found[:2]} == {"serve", "cost"}
    budgets = [float(p.case.scenario.budget or 0.0) for p in found[2:]]
    assert budgets[0] == pytest.approx(1.25 * base) and budgets == sorted(budgets, reverse=True)
    asked = [budget - 1.0 for budget in budgets if budget - 1.0 >= 0.9 * base]
    assert len(asked) >= 3
    wanted = [solve_case(with_budget(case, budget)) for budget in asked]

    def never(*_: object, **__: object) -> None:
        raise AssertionError("a search was made")

    monkeypatch.setattr(engine.climb, "solve", never)
    for budget, searched in zip(asked, wanted, strict=True):
        again = solve_case(with_budget(case, budget), known=found)
        for ours, theirs in zip(told(again), told(searched), strict=True):
            assert all(near(a, b) for a, b in zip(ours, theirs, strict=True)), (ours, theirs)
