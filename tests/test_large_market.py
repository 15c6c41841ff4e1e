"""The synthetic market of the speed benchmark, and the bound of its gaps, which is never above the best plan."""

import sys
from dataclasses import replace
from pathlib import Path

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

from large import Hours, columns_of
from relaxation import Count, Market
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
def test_no_way_on_any_machine_takes_fewer_card_hours_than_the_relaxation_counts(seed: int) -> None:
    wanted, stock = small(seed)
    builds = make_builds(wanted, stock).builds
    hours = Hours(wanted)
    counted = {b.id: hours.of([b]) for b in builds}
    place = {w.id: n for n, w in enumerate(wanted.workloads)}
    runs = {w.id: w.runs_per_year for w in wanted.workloads}
    ways = make_strategies(wanted, builds).feasible
    assert ways
    for way in ways:
        assert counted[way.build_id][place[way.workload_id]] <= way.card_hours_per_run * runs[way.workload_id] * (
            1 + 1e-9
        )


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
