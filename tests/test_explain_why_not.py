"""Why not X: X is forced in, the difference is told line by line, with the rule that decides."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from small_cases import CARD, SCENARIO, WORKLOAD, Small, build, small, way

from hwcost import explain, whatif, why_not
from hwcost.build import Build, BuildSet, Refusal
from hwcost.engine import solve_case
from hwcost.rules import Breach
from hwcost.why_not import Asked

NO_ENERGY = replace(SCENARIO, tax_rate=0.0, tariff_per_kwh=0.0, max_nodes=10, max_distinct_builds=5)


def two(scenario_budget: float | None, price_a: float, price_b: float, hours_b: float = 10.0) -> Small:
    scenario = replace(NO_ENERGY, budget=scenario_budget, workloads=(replace(WORKLOAD, runs_per_year=100.0),))
    cards = (replace(CARD, id="a", name="Card A"), replace(CARD, id="b", name="Card B"))
    builds = (build("na", cards[0], 1, price_a, 0.0), build("nb", cards[1], 1, price_b, 500.0))
    return Small(scenario, builds, (way("w", "na", 10.0), way("w", "nb", hours_b)))


def test_the_difference_is_told_by_category_the_largest_first() -> None:
    best = solve_case(two(None, 1_000.0, 1_800.0).case(), "cost")
    found = why_not.why_not(best, Asked("build", "nb", "nb"))
    assert found.outcome == "worse" and found.level == "cost"
    # one B instead of one A: 800 more for the card and 500 more for the host
    assert [(d.category, d.difference) for d in found.lines] == [("card", 800.0), ("host", 500.0)]
    assert found.own is not None and found.other is not None
    assert sum(d.difference for d in found.lines) == pytest.approx(found.own - found.other)


def test_the_budget_is_named_where_its_removal_closes_the_difference() -> None:
    # A and B each run one person's work of two; only a budget for two machines A serves both
    case = two(2_000.0, 1_000.0, 1_200.0).with_scenario(
        workloads=(replace(WORKLOAD, people_at_once=2, runs_per_year=100.0),)
    )
    best = solve_case(case.case(), "serve")
    found = why_not.why_not(best, Asked("build", "nb", "nb"))
    assert (found.outcome, found.level, found.own, found.other) == ("worse", "people_must", 1.0, 2.0)
    assert found.rule == explain.RuleInstance("budget")


def test_what_is_bought_is_chosen() -> None:
    best = solve_case(two(None, 1_000.0, 1_800.0).case(), "cost")
    assert why_not.why_not(best, Asked("card", "a", "Card A")).outcome == "chosen"


def test_a_machine_that_another_beats_names_it() -> None:
    case = two(None, 1_000.0, 1_800.0)
    twin = replace(case.builds[0], id="nz", parts=tuple(
        replace(p, unit_price_net=p.unit_price_net + 50.0) for p in case.builds[0].parts
    ))  # fmt: skip
    small_case = Small(case.scenario, (*case.builds, twin), (*case.ways, way("w", "nz", 10.0)))
    found = why_not.why_not(solve_case(small_case.case(), "cost"), Asked("build", "nz", "nz"))
    assert found.beaten_by is not None and found.beaten_by.id == "na"
    assert found.outcome == "worse" and sum(d.difference for d in found.lines) == pytest.approx(100.0)  # both parts


def test_one_machine_over_the_budget_is_impossible_with_its_price() -> None:
    best = solve_case(two(1_500.0, 1_000.0, 1_800.0).case(), "serve")
    found = why_not.why_not(best, Asked("build", "nb", "nb"))
    assert found.outcome == "impossible" and found.rule == explain.RuleInstance("budget")
    (refusal,) = found.refusals
    assert refusal.breaches[0].values == {"limit": 1_500.0, "value": 2_300.0}


def test_what_is_left_out_whole_keeps_its_reason() -> None:
    given = two(None, 1_000.0, 1_800.0)
    case = given.case()
    gone = replace(CARD, id="gone", name="Gone")
    left_out = Refusal("Gone", "Gone", "gone", 0, "", (Breach("availability", {"status": "discontinued"}),))
    case = replace(
        case, catalog=replace(case.catalog, cards={"gone": gone}),
        build_set=BuildSet(case.build_set.builds, (), (left_out,)),
    )  # fmt: skip
    found = why_not.why_not(solve_case(case, "cost"), Asked("card", "gone", "Gone"))
    assert found.outcome == "not_considered" and found.refusals == (left_out,)


def test_names_are_found_whatever_their_case_and_a_slip_gets_the_nearest() -> None:
    case = two(None, 1_000.0, 1_800.0).case()
    case = replace(case, catalog=replace(case.catalog, cards={"a": replace(CARD, id="a", name="Card A")}))
    assert why_not.find("card a", case) == Asked("card", "a", "card a")
    assert why_not.find("nB", case) == Asked("build", "nb", "nB")
    assert why_not.find("Card AA", case) == "Card A"


def has_id(build_id: str, node: Build) -> bool:
    return node.id == build_id


@pytest.mark.parametrize("seed", range(12))
def test_a_forced_plan_is_never_better_and_buys_what_was_asked(seed: int) -> None:
    case = small(seed).case()
    for objective in ("cost", "budget"):
        best = solve_case(case, objective)
        if not best.has_plan:
            continue
        for build_id in sorted(b.id for b in case.build_set.builds if not b.owned):
            found = why_not.why_not(best, Asked("build", build_id, build_id))
            if found.forced is None or not found.forced.has_plan:
                assert found.outcome in ("impossible", "runs_nothing", "no_machine")
                continue
            assert whatif.nodes_of(found.forced, partial(has_id, build_id)) >= 1
            assert whatif.standing(found.forced, best).sign <= 0
            total = sum(d.difference for d in found.lines)
            exact = found.forced.totals.present_value - best.totals.present_value
            assert total == pytest.approx(exact, abs=0.01)
