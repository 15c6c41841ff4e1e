"""The synthetic market of the speed benchmark, and the bound of its gaps, which is never above the best plan."""

import math
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hwcost.build import BuildSet
from hwcost.builds import make_builds
from hwcost.case import assemble
from hwcost.catalog import load_catalog
from hwcost.engine import solve_case
from hwcost.prune import undominated
from hwcost.records import Catalog
from hwcost.scenario import Scenario
from hwcost.scenario_io import DEFAULT_SCENARIO, load_scenario
from hwcost.strategies import make_strategies

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "benchmarks"))

from large import columns_of
from large_hours import Hours
from large_plan import improve, judged
from relaxation import Count, Market
from speed import judge, large_table
from synthetic import laboratory, market

LATE = 1e12  # on a clock that never runs out


def small(seed: int) -> tuple[Scenario, Catalog]:
    """Four cards, five cases, six jobs: small enough to be solved to proof over every machine."""
    stock = market(4, seed)
    stock = replace(stock, chassis={i: c for i, c in stock.chassis.items() if i in [f"case-{n:02d}" for n in range(5)]})
    base = load_scenario(DEFAULT_SCENARIO, load_catalog())
    return laboratory(base, workloads=6, level=3.0, seed=seed), stock


def test_the_market_is_the_same_each_time_and_a_larger_one_holds_a_smaller_one() -> None:
    larger, smaller = market(12), market(5)
    assert larger == market(12)
    assert {i: c for i, c in larger.cards.items() if i in smaller.cards} == smaller.cards
    assert (len(larger.cards), len(larger.chassis)) == (12, 40)
    base = load_scenario(DEFAULT_SCENARIO, load_catalog())
    assert laboratory(base) == laboratory(base)
    assert (len(laboratory(base).workloads), laboratory(base).horizon_years) == (100, 5)


@pytest.mark.parametrize("seed", [1, 2])
def test_the_hours_of_a_job_are_those_of_its_cheapest_way_on_every_machine(seed: int) -> None:
    wanted, stock = small(seed)
    builds = make_builds(wanted, stock).builds
    ways = make_strategies(wanted, builds).feasible
    assert any(way.cards > 1 for way in ways)
    cheapest: dict[tuple[str, str], float] = {}
    for way in ways:
        key = (way.build_id, way.workload_id)
        cheapest[key] = min(cheapest.get(key, math.inf), way.card_hours_per_run)
    hours = Hours(wanted)
    for build in builds:
        expected = [cheapest.get((build.id, w.id), math.inf) * w.runs_per_year for w in wanted.workloads]
        assert hours.of(build).tolist() == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    "change", [{"sharers": 2}, {"checkpointing": True}, {"sharding": True}, {"max_hours_per_run": 9.0},
               {"accumulation": False}, {"growth_per_year": 0.1}, {"batchnorm_min_batch": 8}],
)  # fmt: skip
def test_a_job_whose_best_way_may_take_several_cards_or_share_one_is_refused(change: dict[str, Any]) -> None:
    wanted, _ = small(1)
    first, *rest = wanted.workloads
    with pytest.raises(ValueError, match=first.id):
        Hours(replace(wanted, workloads=(replace(first, **change), *rest)))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_plan_of_the_search_costs_what_the_programs_own_model_says_and_never_less_than_the_best(seed: int) -> None:
    wanted, stock = small(seed)
    kept = undominated(wanted, make_builds(wanted, stock).builds)
    columns = columns_of(wanted, kept, Hours(wanted))
    order = np.argsort(-Market(wanted, columns).relax(LATE).worth, kind="stable").tolist()
    searched = improve(wanted, columns, order, lambda: 60.0)
    cost = judged(wanted, stock, columns, searched, 60.0)
    assert cost == pytest.approx(searched.cost, rel=1e-6)
    case = assemble(wanted, stock, BuildSet(kept, (), ()), make_strategies(wanted, kept))
    best = next(s.value for s in solve_case(case, "cost", ranked=False).stages if s.name == "cost")
    assert best is not None
    assert best * (1 - 1e-6) <= searched.cost <= 1.005 * best


def test_a_search_without_time_still_ends_with_a_plan_and_a_start_is_never_made_worse() -> None:
    wanted, stock = small(2)
    columns = columns_of(wanted, undominated(wanted, make_builds(wanted, stock).builds), Hours(wanted))
    order = np.argsort(-Market(wanted, columns).relax(LATE).worth, kind="stable").tolist()
    starved = improve(wanted, columns, order, lambda: 0.0)
    assert judged(wanted, stock, columns, starved, 60.0) == pytest.approx(starved.cost, rel=1e-6)
    free = replace(starved, cost=1.0)
    assert improve(wanted, columns, order, lambda: 0.0, free) == free


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_bound_is_never_above_the_best_plan_with_or_without_branches(seed: int) -> None:
    wanted, stock = small(seed)
    kept = undominated(wanted, make_builds(wanted, stock).builds)
    case = assemble(wanted, stock, BuildSet(kept, (), ()), make_strategies(wanted, kept))
    plan = solve_case(case, "cost", ranked=False)
    assert plan.status == "proven_optimal"
    best = next(s.value for s in plan.stages if s.name == "cost")
    assert best is not None
    everything = Market(wanted, columns_of(wanted, kept, Hours(wanted)))
    root = everything.relax(LATE)
    assert 0.3 * best < root.bound <= best * (1 + 1e-6)
    branched, looked = everything.branch(root, None, LATE)
    assert root.bound <= branched <= best * (1 + 1e-6)
    assert looked >= 1
    assert everything.branch(root, best, LATE)[0] <= best
    plain = Market(wanted, everything.columns, linked=False).relax(LATE)
    assert plain.bound <= root.bound * (1 + 1e-6)


def test_a_branch_that_buys_nothing_costs_more_than_any_plan() -> None:
    wanted, stock = small(1)
    kept = undominated(wanted, make_builds(wanted, stock).builds)
    everything = Market(wanted, columns_of(wanted, kept, Hours(wanted)))
    root = everything.relax(LATE)
    assert everything.relax(LATE, (Count(0, False, 0),)).bound > 5 * root.bound


@pytest.mark.parametrize(
    ("gap", "machines", "verdict"),
    [
        (0.01, 9, "goal met"), (0.011, 9, "floor met, goal missed"), (0.05, 9, "floor met, goal missed"),
        (0.051, 9, "floor missed"), (0.003, 10, "goal met"), (0.004, 10, "floor met, goal missed"),
        (0.03, 10, "floor missed"), (None, 3, "floor missed"),
    ],
)  # fmt: skip
def test_the_table_says_which_floor_and_which_goal_a_gap_meets(gap: float | None, machines: int, verdict: str) -> None:
    level = {
        "level": 1.0, "nodes": machines, "gap": gap, "plain_gap": 0.2, "seconds": 5.0, "processor_s": 4.0,
        "peak_rss_gib": 0.25, **judge(gap, machines),
    }  # fmt: skip
    growth = [{"cards": 10, "builds": 7, "seconds": 2.0}, {"cards": 100, "builds": 70, "seconds": 6.0}]
    lines = large_table({"large": {"levels": [level]}, "growth": growth})
    assert level["verdict"] == verdict
    assert lines[2].endswith(verdict)
    assert lines[-1].endswith("3.0x")


@pytest.mark.parametrize("figure", ["memory", "cost"])
@pytest.mark.parametrize("seed", [1, 2])
def test_of_two_branches_on_a_figure_one_holds_the_best_plan(seed: int, figure: str) -> None:
    wanted, stock = small(seed)
    kept = undominated(wanted, make_builds(wanted, stock).builds)
    case = assemble(wanted, stock, BuildSet(kept, (), ()), make_strategies(wanted, kept))
    best = next(s.value for s in solve_case(case, "cost", ranked=False).stages if s.name == "cost")
    assert best is not None
    everything = Market(wanted, columns_of(wanted, kept, Hours(wanted)))
    root = everything.relax(LATE)
    least = float(np.median(getattr(everything.columns, figure)))
    for number in (0, 1, 2):
        below = everything.relax(LATE, (Count(0, False, number, figure, least),)).bound
        above = everything.relax(LATE, (Count(0, True, number + 1, figure, least),)).bound
        assert root.bound * (1 - 1e-5) <= min(below, above) <= best * (1 + 1e-6)


def test_counts_that_exclude_each_other_cost_more_than_any_plan() -> None:
    wanted, stock = small(1)
    kept = undominated(wanted, make_builds(wanted, stock).builds)
    everything = Market(wanted, columns_of(wanted, kept, Hours(wanted)))
    root = everything.relax(LATE)
    clash = everything.relax(LATE, (Count(0, False, 2), Count(0, True, 9)))
    assert clash.bound > 5 * root.bound
