"""The price at which the recommendation changes is found, on both sides, and equals what can be worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from small_cases import CARD, SCENARIO, WORKLOAD, Small, build, small, way

from hwcost import switching, whatif
from hwcost.engine import solve_case
from hwcost.plan import Plan
from hwcost.switching import Subject

# X serves 1 at a price of p, one Y serves 2.5 at 65, the budget is 90, and everybody wants 100.
X_CARD, Y_CARD = replace(CARD, id="x"), replace(CARD, id="y")


def x_and_y(price: float, budget: float | None = 90.0, wanted: float = 100.0) -> Small:
    """A unit of X computes 5,000 hours a year, one run takes 5,000 hours on X and 2,000 on Y: 1 and 2.5 runs."""
    scenario = replace(
        SCENARIO, budget=budget, tax_rate=0.0, max_nodes=10, max_distinct_builds=5, tariff_per_kwh=0.0,
        workloads=(replace(WORKLOAD, runs_per_year=wanted, people_at_once=0),), objective="serve",
    )  # fmt: skip
    builds = (build("bx", X_CARD, 1, price, 0.0), build("by", Y_CARD, 1, 65.0, 0.0))
    return Small(scenario, builds, (way("w", "bx", 5000.0), way("w", "by", 2000.0)))


def bought(price: float) -> dict[str, int]:
    plan = solve_case(x_and_y(price).case(), "serve")
    return {p.build.id: p.nodes for p in plan.bought}


def best(price: float, objective: str = "serve", budget: float | None = 90.0, wanted: float = 100.0) -> Plan:
    return solve_case(x_and_y(price, budget, wanted).case(), objective)


def test_the_quantity_bought_is_not_monotone_in_the_price() -> None:
    assert bought(24.0) == {"bx": 1, "by": 1}  # 24 + 65 = 89: serves 3.5, four X would be 96
    assert bought(28.0) == {"bx": 3}  # 28 + 65 = 93 is too much; three X serve 3, one Y 2.5
    assert bought(31.0) == {"by": 1}  # three X are 93; two serve 2


def test_x_leaves_where_the_third_one_cannot_be_paid_any_more() -> None:
    found = switching.switching_price(best(28.0), Subject("item", "x", "card"))
    assert found.outcome == "value" and found.in_plan
    assert found.price == pytest.approx(30.0, rel=1e-3)  # 3 X = 90
    assert found.headroom == pytest.approx(30.0 / 28.0 - 1.0, abs=2e-3)
    assert found.instead == (("by", 1),)


def test_all_intervals_of_the_quantity_are_listed() -> None:
    found = switching.quantity_intervals(best(25.0), Subject("item", "x", "card"), grid=(0.8, 0.92, 1.1, 1.3))
    # four X up to 22.50, one X beside Y up to 25, three X up to 30, then none
    assert [i.quantity for i in found] == [4, 1, 3, 0]
    assert [i.high * 25.0 for i in found[:-1]] == pytest.approx([22.5, 25.0, 30.0], rel=0.011)


def test_under_least_cost_the_price_is_that_of_the_rival() -> None:
    # one run a year, both serve it: X leaves at 65, the price of Y
    found = switching.switching_price(best(28.0, "cost", None, 1.0), Subject("item", "x", "card"))
    assert found.outcome == "value" and found.level == "cost"
    assert found.price == pytest.approx(65.0, abs=1.0)  # a unit of the currency is the grain
    rival = switching.switching_price(best(28.0, "cost", None, 1.0), Subject("item", "y", "card"))
    assert not rival.in_plan and rival.headroom is not None and rival.headroom < 0
    assert rival.price == pytest.approx(28.0, abs=1.0)


def test_what_alone_can_do_the_work_never_leaves_without_a_budget() -> None:
    alone = replace(x_and_y(28.0, None, 1.0), ways=(way("w", "bx", 5000.0),))
    found = switching.switching_price(solve_case(alone.case(), "cost"), Subject("item", "x", "card"))
    assert found.outcome == "never_leaves" and found.price is None and found.instead_plan is None


def test_what_alone_can_do_the_work_leaves_when_the_budget_no_longer_pays_one() -> None:
    alone = replace(x_and_y(28.0, 90.0, 1.0), ways=(way("w", "bx", 5000.0),))
    found = switching.switching_price(solve_case(alone.case(), "cost"), Subject("item", "x", "card"))
    assert found.outcome == "unaffordable"
    assert found.price == pytest.approx(90.0, rel=2e-3)


def test_what_brings_nothing_is_not_even_free() -> None:
    slow = x_and_y(80.0, 90.0, 1.0)
    scenario = replace(slow.scenario, tariff_per_kwh=0.6)  # a second machine costs energy and adds nothing
    hungry = replace(slow.builds[0], idle_wall_w=5000.0)
    case = Small(scenario, (hungry, slow.builds[1]), slow.ways).case()
    found = switching.switching_price(solve_case(case, "cost"), Subject("item", "x", "card"))
    assert found.outcome == "not_even_free" and found.factor is None


SEEDS = range(16)


@pytest.mark.parametrize("objective", ["cost", "budget"])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_plan_differs_on_the_two_sides_of_a_switching_price(seed: int, objective: str) -> None:
    case = small(seed).case()
    plan = solve_case(case, objective)
    if not plan.has_plan:
        return
    for card in sorted({b.card.id for b in case.builds if not b.owned}):
        subject = Subject("item", card, "card")
        found = switching.switching_price(plan, subject)
        out = solve_case(whatif.without(case, switching.accepts(subject)), objective)
        assert found.outcome != "unproven"

        def best_at(factor: float, card: str = card) -> Plan:
            """Everything made anew: prices, pruning, the plan."""
            given = small(seed)
            builds = tuple(
                replace(b, parts=tuple(
                    replace(p, unit_price_net=round(p.unit_price_net * (factor if p.item_id == card else 1.0), 2))
                    for p in b.parts)) for b in given.builds
            )  # fmt: skip
            return solve_case(replace(given, builds=builds).case(), objective)

        if found.factor is None:
            assert found.outcome in ("never_leaves", "not_even_free")
            there = best_at(1000.0 if found.outcome == "never_leaves" else 0.0)
            assert (whatif.standing(there, out).sign > 0) == (found.outcome == "never_leaves")
            continue
        assert found.low is not None and found.high is not None
        assert found.high - found.low <= max(1e-3 * found.high, 1.0 / found.price_now) + 1e-12
        assert whatif.standing(best_at(found.low), out).sign > 0
        assert whatif.standing(best_at(found.high), out).sign == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_leaving_out_what_is_beaten_changes_no_level(seed: int) -> None:
    case = small(seed).case()
    for objective in ("budget", "serve", "cost"):
        whole, less = solve_case(case, objective), whatif.solve(whatif.slim(case), objective)
        assert whatif.standing(less, whole).sign == 0
