"""Changes whose effect is known without knowing the answer: what must not get worse, and what must stay as it is.

Objective vectors are compared, never plans: two plans may be equally good. Only proven answers count.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_cases import Small, part, small

from hwcost.build import Build
from hwcost.engine import solve_case
from hwcost.plan import Plan

BETTER_IF_MORE = ("people_must", "people_want", "capacity")
OBJECTIVES = ("budget", "serve", "cost", "spend")
TOLERANCE = 1e-5  # relative; a level may fall behind by 1e-6, and a later one may gain several times that from it

Vector = dict[str, float] | None  # None: infeasible
few = settings(max_examples=10, deadline=None, derandomize=True, database=None)
seeds = st.integers(0, 10_000)
objectives = st.sampled_from(OBJECTIVES)


def solved(case: Small, objective: str) -> Plan:
    plan = solve_case(case.case(), objective)
    assert plan.status in ("proven_optimal", "infeasible"), plan.stages
    return plan


def vector(case: Small, objective: str) -> Vector:
    plan = solved(case, objective)
    if not plan.has_plan:
        return None
    return {s.name: s.value for s in plan.stages if s.value is not None and not s.name.endswith("_rank")}


def verdict(old: Vector, new: Vector, levels: tuple[str, ...] | None = None) -> int:
    """1: `new` is better, 0: equal, -1: worse; by the first level that differs."""
    if old is None or new is None:
        return (new is not None) - (old is not None)
    assert list(old) == list(new)
    for name, before in old.items():
        if levels is not None and name not in levels:
            continue
        change = new[name] - before
        if abs(change) > TOLERANCE * max(1.0, abs(before)):
            return 1 if (change > 0) == (name in BETTER_IF_MORE) else -1
    return 0


def repriced(node: Build, factor: float, **changes: object) -> Build:
    parts = tuple(part(p.item_id, p.role, p.quantity, p.unit_price_net * factor) for p in node.parts)
    return replace(node, parts=parts, **changes)


def with_copy(case: Small, original: Build, copy: Build, slower: float = 1.0) -> Small:
    ways = tuple(
        replace(w, build_id=copy.id, hours_per_run=w.hours_per_run * slower)
        for w in case.ways if w.build_id == original.id
    )  # fmt: skip
    return Small(case.scenario, (*case.builds, copy), case.ways + ways)


def pick(case: Small, seed: int) -> Build:
    return random.Random(seed).choice([b for b in case.builds if not b.owned])


def scaled(case: Small, factor: float) -> Small:
    """Every sum of money times `factor`; rates, hours and watts stay. A cent of room where the budget is exact."""
    s = case.scenario
    scenario = replace(
        s, budget=None if s.budget is None else s.budget * factor + 0.05 * max(1.0, factor),
        installation_per_node=s.installation_per_node * factor, tariff_per_kwh=s.tariff_per_kwh * factor,
        hosting_per_node_year=s.hosting_per_node_year * factor, staff_wage_per_hour=s.staff_wage_per_hour * factor,
    )  # fmt: skip
    return Small(scenario, tuple(repriced(b, factor) for b in case.builds), case.ways)


@pytest.mark.parametrize("objective", OBJECTIVES)
@few
@given(seed=seeds, factor=st.floats(1.0, 3.0))
def test_a_larger_budget_is_never_worse(objective: str, seed: int, factor: float) -> None:
    case = small(5 * (seed // 5) + seed % 4)  # cases with a budget
    assert case.scenario.budget is not None
    larger = case.with_scenario(budget=case.scenario.budget * factor)
    assert verdict(vector(case, objective), vector(larger, objective)) >= 0


@few
@given(seed=seeds, objective=objectives, factor=st.floats(0.3, 1.0))
def test_a_lower_price_is_never_worse(seed: int, objective: str, factor: float) -> None:
    case = small(seed)
    node = pick(case, seed)
    cheaper = Small(case.scenario, tuple(repriced(b, factor) if b.id == node.id else b for b in case.builds), case.ways)
    assert verdict(vector(case, objective), vector(cheaper, objective)) >= 0


@few
@given(seed=seeds, objective=objectives, early=st.floats(5.0, 60.0), later=st.floats(0.0, 40.0))
def test_a_later_deadline_is_never_worse(seed: int, objective: str, early: float, later: float) -> None:
    """Up to the level of capacity, which counts in hours of the fastest way: a deadline can change that unit."""
    case = small(seed)

    def until(hours: float) -> Small:
        return replace(case, ways=tuple(w for w in case.ways if w.hours_per_run <= hours))

    levels = ("must_demand", "people_must", "people_want", "want_demand") if objective == "budget" else None
    assert verdict(vector(until(early), objective), vector(until(early + later), objective), levels) >= 0


@few
@given(
    seed=seeds, objective=objectives,
    rule=st.sampled_from(({"max_distinct_builds": 9}, {"rack_units": None}, {"circuits": ()}, {"max_nodes": 4})),
)  # fmt: skip
def test_one_rule_fewer_is_never_worse(seed: int, objective: str, rule: dict[str, object]) -> None:
    case = small(seed)
    assert verdict(vector(case, objective), vector(case.with_scenario(**rule), objective)) >= 0


@few
@given(seed=seeds, objective=objectives, name=st.sampled_from(("a", "z")))
def test_a_duplicate_never_changes_the_answer(seed: int, objective: str, name: str) -> None:
    case = small(seed)
    node = pick(case, seed)
    assert verdict(vector(case, objective), vector(with_copy(case, node, replace(node, id=name)), objective)) == 0


@pytest.mark.parametrize("card", ["same", "other"])
@few
@given(
    seed=seeds, objective=objectives,
    worse=st.sampled_from(((1.5, 1.0), (1.0, 1.3), (1.2, 3.0))), name=st.sampled_from(("a", "z")),
)  # fmt: skip
def test_a_beaten_item_never_changes_the_answer(
    card: str, seed: int, objective: str, worse: tuple[float, float], name: str
) -> None:
    """Dearer, slower or both; of the same card, or of another one that the program does not leave out by itself."""
    case = small(seed)
    node = pick(case, seed)
    copy = repriced(node, worse[0], id=name)
    if card == "other":
        copy = replace(copy, card=replace(node.card, id="another"))
    assert verdict(vector(case, objective), vector(with_copy(case, node, copy, worse[1]), objective)) == 0


@pytest.mark.parametrize("factor", [10.0, 1.0 / 7.1])
@few
@given(seed=seeds, objective=objectives)
def test_money_times_a_factor_or_in_another_currency_scales_the_cost_alone(
    factor: float, seed: int, objective: str
) -> None:
    case = small(seed)
    old, new = vector(case, objective), vector(scaled(case, factor), objective)
    assert (old is None) == (new is None)
    if old is None or new is None:
        return
    assert list(old) == list(new)
    for name, value in old.items():
        if name in ("cost", "spend"):  # sums of cents: each line rounds by half a cent
            assert new[name] == pytest.approx(value * factor, rel=1e-5, abs=0.05)
        else:
            assert new[name] == pytest.approx(value, rel=TOLERANCE, abs=TOLERANCE)


@few
@given(seed=seeds, objective=objectives)
def test_shuffled_rows_keep_the_plan(seed: int, objective: str) -> None:
    case = small(seed)
    rng = random.Random(seed)

    def mixed(rows: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(rng.sample(rows, len(rows)))

    shuffled = Small(
        replace(case.scenario, workloads=mixed(case.scenario.workloads)), mixed(case.builds), mixed(case.ways)
    )
    old, new = solved(case, objective), solved(shuffled, objective)
    assert verdict(vector(case, objective), vector(shuffled, objective)) == 0
    assert [(p.build.id, p.nodes) for p in old.purchases] == [(p.build.id, p.nodes) for p in new.purchases]
    assert new.totals.nominal == pytest.approx(old.totals.nominal, rel=1e-6, abs=0.01)


@few
@given(seed=seeds, objective=objectives)
def test_two_halves_of_a_workload_are_the_workload(seed: int, objective: str) -> None:
    """Half the runs, half the priority, half of an even number of people."""
    case = small(seed)
    whole = replace(case.scenario.workloads[0], people_at_once=random.Random(seed).choice((0, 2, 4)))
    rest = case.scenario.workloads[1:]
    half = replace(
        whole, runs_per_year=whole.runs_per_year / 2, priority=whole.priority / 2,
        people_at_once=whole.people_at_once // 2,
    )  # fmt: skip
    first, second = replace(half, id="first"), replace(half, id="second")
    ways = tuple(w for w in case.ways if w.workload_id != whole.id)
    ways += tuple(
        replace(w, workload_id=name) for name in ("first", "second") for w in case.ways if w.workload_id == whole.id
    )
    together = case.with_scenario(workloads=(whole, *rest))
    split = Small(replace(case.scenario, workloads=(first, second, *rest)), case.builds, ways)
    assert verdict(vector(together, objective), vector(split, objective)) == 0
