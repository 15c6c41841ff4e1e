"""What more or less money buys: every point is the best plan at its budget, and more money is never worse."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from small_cases import CARD, SCENARIO, WORKLOAD, Small, build, node_price, small, way

from hwcost import frontier, whatif
from hwcost.engine import solve_case


def one_kind(budget: float) -> Small:
    """Machines of 1,000 each, one card each; every one serves one person and 10 of 100 runs."""
    scenario = replace(
        SCENARIO, budget=budget, tax_rate=0.0, max_nodes=50, tariff_per_kwh=0.0, objective="serve",
        workloads=(replace(WORKLOAD, people_at_once=8, runs_per_year=100.0),),
    )  # fmt: skip
    return Small(scenario, (build("b", CARD, 1, 600.0, 400.0),), (way("w", "b", 500.0),))


def test_the_points_are_what_the_money_buys() -> None:
    best = solve_case(one_kind(5_000.0).case(), "serve")
    points = frontier.frontier(best, shares=(0.5, 1.0, 1.2, 2.0))
    # 2,500 buys 2 machines, 5,000 five, 6,000 six, 10,000 ten: 10 runs a year each, eight people at most
    assert [p.cards for p in points] == [2, 5, 6, 10]
    assert [p.spent for p in points] == [2_000.0, 5_000.0, 6_000.0, 10_000.0]
    assert [p.people_at_once for p in points] == [2, 5, 6, 8]
    assert [p.runs_per_year for p in points] == pytest.approx([20.0, 50.0, 60.0, 100.0], rel=1e-5)
    assert [p.served_must for p in points] == pytest.approx([0.2, 0.5, 0.6, 1.0], rel=1e-5)
    assert all(p.proven for p in points)


def test_the_gains_are_counted_from_the_scenarios_own_budget() -> None:
    best = solve_case(one_kind(5_000.0).case(), "serve")
    (gain,) = frontier.gains(frontier.frontier(best, shares=(1.0, 1.2)))
    assert (gain.people, gain.cards, gain.more_money, gain.more_spent) == (1, 1, 1_000.0, 1_000.0)
    assert gain.level == "must_demand" and gain.runs_per_year == pytest.approx(10.0)


def test_money_that_buys_nothing_more_improves_no_level() -> None:
    best = solve_case(one_kind(10_000.0).case(), "serve")
    (gain,) = frontier.gains(frontier.frontier(best, shares=(1.0, 1.05)))
    assert gain.level == "" and gain.cards == 0


@pytest.mark.parametrize("seed", range(12))
def test_more_money_is_never_worse_and_each_point_is_the_best_plan_at_its_budget(seed: int) -> None:
    given = small(seed)
    budget = 1.5 * min(node_price(given.scenario, b) for b in given.builds if not b.owned)
    given = given.with_scenario(budget=round(budget, 2))
    best = solve_case(given.case(), "budget")
    points = frontier.frontier(best, shares=(0.6, 1.0, 1.5, 2.2))
    for lower, higher in pairwise(points):
        assert whatif.standing(higher.plan, lower.plan).sign >= 0
    for p in points:
        alone = solve_case(given.with_scenario(budget=p.budget).case(), "budget")
        assert whatif.standing(p.plan, alone).sign == 0 and p.proven
        assert p.spent <= p.budget + 0.005


def test_the_result_is_the_same_for_any_number_of_workers() -> None:
    best = solve_case(small(1).with_scenario(budget=60_000.0).case(), "budget")
    alone = frontier.frontier(best, shares=(0.8, 1.0, 1.2), workers=1)
    together = frontier.frontier(best, shares=(0.8, 1.0, 1.2), workers=2)
    assert [(p.budget, whatif.configuration_key(p.plan), p.present_value) for p in alone] == [
        (p.budget, whatif.configuration_key(p.plan), p.present_value) for p in together
    ]
