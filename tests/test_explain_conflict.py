"""The set of rules in conflict is one of the smallest, and every repair does what its sentence says."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from small_cases import CARD, SCENARIO, WORKLOAD, Small, build, small, way

from hwcost import conflict, explain, repairs, whatif
from hwcost.case import Case
from hwcost.conflict import RuleInstance
from hwcost.engine import solve_case


def feasible(case: Case, active: tuple[RuleInstance, ...]) -> bool:
    """Straight from the model, with all rules lifted that are not active; small cases need no new builds."""
    scenario = case.scenario
    for rule in conflict.rule_instances(scenario):
        if rule not in active:
            scenario = conflict.lift(scenario, rule)
    return solve_case(replace(case, scenario=scenario), "cost").has_plan


def smallest_size(case: Case) -> int | None:
    """By brute force over all subsets; None where all rules hold together, 0 where no rule is to blame."""
    rules = conflict.rule_instances(case.scenario)
    if feasible(case, tuple(rules)):
        return None
    return next(n for n in range(len(rules) + 1) for s in combinations(rules, n) if not feasible(case, s))


def tight(seed: int) -> Case:
    """A small case whose rules are made tight, without circuits and deadlines, which would need builds made anew."""
    given = small(seed)
    scenario = replace(
        given.scenario, circuits=(), rack_units=None, max_nodes=1 + seed % 2, max_distinct_builds=1,
        workloads=tuple(
            replace(w, must=True, people_at_once=w.people_at_once + seed % 3) for w in given.scenario.workloads
        ),
    )  # fmt: skip
    return replace(given, scenario=scenario).case()


@pytest.mark.parametrize("seed", range(30))
def test_no_smaller_set_is_in_conflict(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    case = tight(seed)
    monkeypatch.setattr(conflict, "variant", lambda c, scenario: replace(c, scenario=scenario))
    search = conflict.Search(case, None)
    found = conflict.conflicting(search)
    size = smallest_size(case)
    if found is None or size is None:
        assert found is None and size is None
        return
    rules, smallest = found
    assert search.proven and smallest
    if size == 0:
        assert all(r.rule == "demand" for r in rules)
        return
    assert len(rules) == size
    assert not feasible(case, tuple(rules))


def two_people(budget: float) -> Case:
    """Two people, a machine of 1,000 for each; the runs of a year fill one card."""
    scenario = replace(
        SCENARIO, budget=budget, tax_rate=0.0, tariff_per_kwh=0.0, max_nodes=5,
        workloads=(replace(WORKLOAD, people_at_once=2, runs_per_year=100.0),),
    )  # fmt: skip
    return Small(scenario, (build("b", CARD, 1, 600.0, 400.0),), (way("w", "b", 50.0),)).case()


def test_budget_and_people_are_repaired_each_by_its_smallest_change() -> None:
    case = two_people(1_500.0)
    found = explain.conflict(case, lab=False)
    assert found is not None and found.smallest and found.pairs == ()
    assert set(found.rules) == {RuleInstance("people_at_once"), RuleInstance("budget")}
    priced = {r.rule: r for r in found.repairs}
    assert (priced["budget"].from_value, priced["budget"].to_value) == (1_500.0, 2_000.0)
    assert (priced["people_at_once"].from_value, priced["people_at_once"].to_value) == (2.0, 1.0)
    assert priced["budget"].present_value == 2_000.0 and priced["people_at_once"].present_value == 1_000.0


def test_a_repair_holds_at_its_size_and_not_one_step_before() -> None:
    case = two_people(1_500.0)
    found = explain.conflict(case, lab=False)
    assert found is not None
    (budget,) = [r for r in found.repairs if r.rule == "budget"]
    plan = solve_case(replace(case, scenario=repairs.apply(case.scenario, budget)), "cost")
    assert plan.has_plan and plan.totals.present_value == pytest.approx(budget.present_value)
    less = replace(case, scenario=replace(case.scenario, budget=budget.to_value - 1.0))
    assert solve_case(less, "cost").status == "infeasible"


@pytest.mark.parametrize("seed", range(12))
def test_every_repair_of_a_rule_is_enough_at_its_price_and_a_step_less_is_not(seed: int) -> None:
    case = tight(seed)
    found = explain.conflict(case, lab=False)
    if found is None:
        return
    for repair in found.repairs:
        if repair.rule == "people_at_once":
            continue  # who waits is part of the plan, not of the scenario
        part = replace(case, scenario=repairs.apply(case.scenario, repair))
        plan = solve_case(part, "cost")
        assert plan.has_plan
        assert plan.totals.present_value == pytest.approx(repair.present_value, abs=0.02)
        if repair.rule in ("budget", "max_nodes"):
            less = replace(repair, to_value=repair.to_value - 1.0)
            assert not whatif.solve(replace(case, scenario=repairs.apply(case.scenario, less)), "cost").has_plan


def test_two_changes_are_named_where_no_single_one_is_enough() -> None:
    # two machines are needed (people) and cost 2,000, but one machine at most is allowed and the budget is 1,500
    case = two_people(1_500.0)
    case = replace(case, scenario=replace(case.scenario, max_nodes=1))
    search = conflict.Search(case, None)
    assert conflict.conflicting(search) is not None
    pairs = repairs.Repairer(case, None).pairs([RuleInstance("budget"), RuleInstance("max_nodes")])
    (pair,) = pairs
    assert {pair.first.rule, pair.second.rule} == {"budget", "max_nodes"}
    sizes = {r.rule: r.to_value for r in (pair.first, pair.second)}
    assert sizes == {"budget": 2_000.0, "max_nodes": 2.0}
    assert pair.present_value == 2_000.0


def test_work_that_nothing_can_run_is_named_itself() -> None:
    case = two_people(1_500.0)
    hard = replace(WORKLOAD, id="hard", people_at_once=0)
    case = replace(case, scenario=replace(case.scenario, workloads=(*case.scenario.workloads, hard)))
    found = explain.conflict(case, lab=False)
    assert found is not None and found.rules == (RuleInstance("demand", "hard"),)


def test_nothing_is_in_conflict_where_all_can_be_met() -> None:
    assert explain.conflict(two_people(2_000.0)) is None
