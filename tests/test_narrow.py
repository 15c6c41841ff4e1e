"""Leaving out machines that no best plan has changes no answer: levels, ranks and plan stay, and brute force agrees."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import pytest
from oracle import Oracle
from small_cases import CARD, SCENARIO, Small, build, small, way
from years_cases import mixture

from hwcost import narrow, solver
from hwcost.case import Case, prepare
from hwcost.catalog import load_catalog
from hwcost.engine import solve_case
from hwcost.model import build_model
from hwcost.objectives import levels_of
from hwcost.plan import Plan
from hwcost.scenario_io import load_scenario
from hwcost.solution import Solution, widen

OBJECTIVES = ("budget", "serve", "cost", "spend")
TOLERANCE = {"want_demand": 1e-5, "cost": 2e-6}  # as in the comparison of the whole search with brute force
NEVER = 10**6


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Narrowing from two machines on; what comes back is the number of machines left out each time."""
    left_out: list[int] = []
    honest = narrow.with_only

    def counted(case: Case, builds: Collection[str]) -> Case:
        part = honest(case, builds)
        left_out.append(len(case.builds) - len(part.builds))
        return part

    monkeypatch.setattr(narrow, "FEW", 1)
    monkeypatch.setattr(narrow, "WORTH_IT", 1.0)
    monkeypatch.setattr(narrow, "with_only", counted)
    return left_out


def in_full(case: Case, objective: str) -> Plan:
    """The search with every machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(narrow, "FEW", NEVER)
        return solve_case(case, objective)


def same(found: Plan, whole: Plan) -> None:
    assert found.status == whole.status
    assert [s.name for s in found.stages] == [s.name for s in whole.stages]
    for ours, theirs in zip(found.stages, whole.stages, strict=True):
        if theirs.value is None:
            assert ours.value is None, ours.name
        else:
            assert ours.value == pytest.approx(theirs.value, rel=3e-6, abs=1e-5), ours.name
    bought = [[(p.build.id, p.year, p.nodes) for p in plan.purchases] for plan in (found, whole)]
    assert bought[0] == bought[1]
    work = [[(a.strategy, a.year) for a in plan.assignments] for plan in (found, whole)]
    assert work[0] == work[1]


@pytest.mark.parametrize("seed", [*range(16), 92, 138, 183, 230])
def test_a_narrowed_search_equals_brute_force_and_the_whole_one(seed: int, eager: list[int]) -> None:
    oracle, case = Oracle(small(seed)), small(seed).case()
    for objective in OBJECTIVES:
        best, plan = oracle.best(objective), solve_case(case, objective)
        assert (best is None) == (plan.status == "infeasible"), objective
        same(plan, in_full(case, objective))
        solved = {stage.name: stage.value for stage in plan.stages}
        for name, value in best.values.items() if best else ():
            slack = TOLERANCE.get(name, 1e-6)
            assert solved[name] == pytest.approx(value, rel=slack, abs=slack), (objective, name)


def test_the_small_cases_do_leave_machines_out(eager: list[int]) -> None:
    for seed in range(16):
        solve_case(small(seed).case(), "budget")
    assert sum(1 for n in eager if n) >= 10


@pytest.mark.parametrize("seed", range(8))
def test_purchases_over_years_funds_and_services_stay_as_they_are(seed: int, eager: list[int]) -> None:
    case = mixture(seed).case()
    for objective in ("cost", "serve", "budget"):
        same(solve_case(case, objective), in_full(case, objective))


@pytest.mark.parametrize("name", ["lab-default"])
def test_the_bundled_scenarios_keep_their_plans(name: str) -> None:
    catalog = load_catalog()
    case = prepare(load_scenario(name, catalog), catalog)
    assert len(case.buyable) > narrow.FEW
    for objective in ("budget", "cost"):
        same(solve_case(case, objective), in_full(case, objective))


# --- by hand ---


def two_machines() -> Case:
    """Alike but for the price: 10,000 and 12,500, tax 13 % on both."""
    cheap, dear = (build(name, CARD, 1, price, 4_000.0) for name, price in (("cheap", 6_000.0), ("dear", 8_500.0)))
    ways = tuple(way("w", name, 10.0) for name in ("cheap", "dear"))
    scenario = replace(SCENARIO, tax_rate=0.13, budget=None)
    beaten = Small(scenario, (cheap, replace(dear, system="quoted")), ways)  # a quoted system is never pruned
    return beaten.case()


def test_a_dearer_machine_loses_the_difference_in_price() -> None:
    case = two_machines()
    assert [b.id for b in case.buyable] == ["cheap", "dear"]
    model = build_model(case, "cost")
    cost = next(level for level in levels_of(case, "cost") if level.name == "cost")
    answer = solver.relax(model.problem, cost.of(model))
    assert answer.status == "proven"
    loss = narrow.losses(model)
    assert narrow.in_part(model) == {"cheap"}
    assert loss["cheap"] == pytest.approx(0.0, abs=1e-6)
    assert loss["dear"] == pytest.approx(2_500.0 * 1.13, abs=0.01)


def test_what_may_be_in_a_plan_as_good_has_room_for_every_tolerance() -> None:
    case = two_machines()
    cost = next(level for level in levels_of(case, "cost") if level.name == "cost")
    room = 200.0 * 0.005 + 1e-6 * 11_000.0  # two hundred times half a cent, and a millionth of the value
    loss = {"a": 0.0, "b": 1_000.0 + room - 0.001, "c": 1_000.0 + room + 0.001}
    assert narrow.as_good(loss, 10_000.0, 11_000.0, cost) == {"a", "b"}


def test_the_few_are_those_that_lose_least_then_those_in_use_then_by_id() -> None:
    loss = {"d": 0.0, "c": 0.0, "b": 0.0, "a": 5.0}
    assert narrow.least(loss, {"d"}, 1) == {"d"}
    assert narrow.least(loss, {"d"}, 2) == {"d", "b"}
    assert narrow.least(loss, {"d"}, 3) == {"d", "b", "c"}


def test_a_narrowed_case_counts_ranks_and_periods_as_the_whole_one() -> None:
    whole = small(3).case()
    kept = whole.buyable[-1].id
    part = narrow.with_only(whole, {kept})
    assert [b.id for b in part.buyable] == [kept]
    assert part.periods == whole.periods
    assert [whole.ways[n] for n in part.way_numbers] == list(part.ways)
    again = narrow.with_only(part, {kept})
    assert again.whole is whole


def test_a_solution_of_a_narrowed_case_says_that_the_rest_is_not_bought() -> None:
    whole = small(3).case()
    kept = whole.buyable[-1].id
    part = narrow.with_only(whole, {kept})
    found = Solution("proven", (), buy={(kept, 0): 2}, place={(0, 0): 1}, share={(0, 0): 0.5}, on={(kept, 1, 0): 2})
    wide = widen(part, found)
    assert wide.buy == {(b.id, 0): 2 if b.id == kept else 0 for b in whole.buyable}
    first = part.way_numbers[0]
    assert {key: jobs for key, jobs in wide.place.items() if jobs} == {(first, 0): 1}
    assert {key: part for key, part in wide.share.items() if part} == {(first, 0): 0.5}
    assert len(wide.share) == len(whole.ways) * len(whole.periods)
    assert {key: units for key, units in wide.on.items() if units} == {(kept, 1, 0): 2}
    assert widen(whole, found) is found
