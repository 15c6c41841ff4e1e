"""Options beyond a kind of machine: offered where the case has it, true to their filter, each its own optimum."""

from __future__ import annotations

from dataclasses import replace

import pytest
from oracle_years import YearsOracle
from small_cases import CHASSIS, Small, build
from years_cases import (
    ALONE,
    BETTER,
    FAST,
    GROWING,
    HPC,
    OLD,
    ONE,
    SERVICE,
    SLOW,
    WITH_HPC,
    decision,
    job,
    service_build,
)

from hwcost.build import BuildSet, Refusal
from hwcost.case import assemble
from hwcost.messages import texts
from hwcost.names import option_name
from hwcost.options import OPTIONS, Comparison, OptionResult, compare
from hwcost.reasons import why_not as reason
from hwcost.records import Catalog
from hwcost.rules import Breach
from hwcost.scenario import UserOption
from hwcost.scenario_options import BUILT_IN
from hwcost.strategies import StrategySet
from hwcost.told import asked_name
from hwcost.why_not import Asked, why_not

CLOUD = service_build(replace(SERVICE, id="cloud", kind="cloud", price_per_card_hour=6.0, interactive=False))
EIGHT = build("eight", FAST, 8, 6_000.0, 9_000.0)
RACK = replace(EIGHT, id="rack", card=SLOW, chassis=replace(CHASSIS, id="rack", form="rack"))


def compared(case: Small, objective: str = "cost") -> Comparison:
    return compare(case.case(), objective)


def one(comparison: Comparison, option: str) -> OptionResult:
    return next(r for r in comparison.results if r.id == option)


def bought(result: OptionResult) -> list[tuple[str, int, int]]:
    assert result.plan is not None
    return [(p.build.id, p.nodes, p.year) for p in result.plan.bought]


def test_none_is_offered_where_the_case_has_none_of_it() -> None:
    assert [r.id for r in compared(decision((ONE,), ALONE)).results] == ["one_professional"]


def test_an_upgrade_is_offered_for_an_owned_machine_and_buys_nothing_else() -> None:
    ways = (*ALONE, replace(ALONE[0], build_id="better"))
    found = compared(decision((ONE, OLD, BETTER), ways))
    assert found.chosen_result.id == "upgrade"
    assert bought(found.chosen_result) == [("better", 1, 0)]
    assert bought(one(found, "one_professional")) == [("one", 1, 0)]
    assert [r.id for r in found.results][-1] == "upgrade"  # after those that were there before


def test_campus_and_cloud_buy_nothing_and_use_their_own_kind_alone() -> None:
    ways = (*WITH_HPC, replace(WITH_HPC[1], build_id="service:cloud"))
    found = compared(decision((ONE, HPC, CLOUD), ways, job(60.0, 0)))
    assert found.chosen_result.id == "campus"
    for option, service, price in (("campus", "service:hpc", 2.0), ("rent", "service:cloud", 6.0)):
        plan = one(found, option).plan
        assert plan is not None and plan.purchases == ()
        assert {u.build.id for u in plan.services} == {service}
        assert plan.totals.nominal == pytest.approx(2 * 600 * price)  # 600 hours in each of two years
    lost = one(found, "rent").lost_by
    assert lost is not None and (lost.level, lost.own, lost.best) == (
        "cost", pytest.approx(7_200.0), pytest.approx(2_400.0),
    )  # fmt: skip


def test_a_stated_service_that_no_job_may_use_is_told_with_its_reason_in_both_languages() -> None:
    """Its wait is not known and the result is wanted within 14 hours, so only the machine is left."""
    unknown = Breach("wait_unknown", {"service": "Campus cluster", "limit_hours": 14.0})
    excluded = replace(WITH_HPC[1], breaches=(unknown,))
    small = decision((ONE, HPC), ALONE, services=(SERVICE,))
    builds, ways = BuildSet(small.builds, (), ()), StrategySet(small.ways, (excluded,))
    found = compare(assemble(small.scenario, Catalog(), builds, ways), "cost")
    campus = one(found, "campus")
    assert campus.plan is None and found.chosen_result.id == "one_professional"
    assert "usual wait at Campus cluster is not known" in reason(campus, found, "en")
    assert "校级平台 的常见排队时间未知" in reason(campus, found, "zh")
    asked = Asked("build", "service:hpc", "service:hpc")
    told = why_not(found.best, asked, found)
    assert (asked_name(asked, found.best, "en"), asked_name(asked, found.best, "zh")) == ("Campus cluster", "校级平台")
    assert told.outcome == "impossible" and [r.breaches[0].rule for r in told.refusals] == ["wait_unknown"]


def test_a_service_that_the_scenario_refuses_is_told_with_its_rule() -> None:
    refused = Refusal(
        "Campus cluster", "校级平台", "fast", 2, "", (Breach("fund_services", {"item": "Campus cluster"}),)
    )
    small = decision((ONE,), ALONE, services=(SERVICE,))
    case = assemble(small.scenario, Catalog(), BuildSet(small.builds, (refused,), ()), StrategySet(small.ways, ()))
    campus = one(compare(case, "cost"), "campus")
    assert campus.plan is None and campus.refusals == (refused,)


def test_own_and_rented_buys_one_kind_and_rents_the_peak() -> None:
    """5,200 hours a year: a second machine for 200 of them costs 10,000, renting them 400 a year."""
    case = decision((ONE, HPC), WITH_HPC, job(520.0, 1))
    found = compared(case)
    assert found.chosen_result.id == "own_and_rented"
    assert bought(found.chosen_result) == [("one", 1, 0)]
    best = YearsOracle(case).best("cost")
    assert best is not None and found.best.totals.present_value == pytest.approx(best.cost, abs=0.01)
    assert found.best.services[0].card_hours == pytest.approx(200.0)
    assert bought(one(found, "one_professional")) == [("one", 2, 0)]


def test_two_stages_are_offered_where_a_year_can_matter_even_if_the_scenario_buys_once() -> None:
    growing = decision((ONE,), ALONE, GROWING, price_trend_per_year={"card": -0.5})
    found = compared(growing)
    staged = one(found, "two_stage")
    assert bought(staged) == [("one", 1, 0), ("one", 1, 1)]
    assert staged.plan is not None and staged.plan.totals.present_value < found.best.totals.present_value
    assert found.chosen_result.id == "one_professional"  # the scenario itself buys at the start
    asked = compared(growing.with_scenario(purchase_years=(0, 1)))
    assert asked.chosen_result.id == "two_stage"
    assert "two_stage" not in [r.id for r in compared(decision((ONE,), ALONE)).results]


def test_a_rack_server_stands_apart_where_eight_cards_come_in_other_cases_too() -> None:
    ways = tuple(replace(ALONE[0], build_id=name) for name in ("one", "eight", "rack"))
    found = compared(decision((ONE, EIGHT, RACK), ways))
    assert bought(one(found, "eight_rack")) == [("rack", 1, 0)]
    alone = compared(decision((ONE, RACK), ways[::2]))
    assert [r.id for r in alone.results] == ["one_professional", "eight_cards"]


def test_every_option_has_its_name_in_both_languages() -> None:
    for option in ("upgrade", "eight_rack", "campus", "rent", "own_and_rented", "two_stage"):
        assert all(texts()[f"option.{option}"][lang] for lang in ("zh", "en"))


def test_an_upgrade_with_hired_hours_is_an_upgrade() -> None:
    """The better card does 5,000 hours a year; 200 more are hired rather than bought."""
    ways = (replace(ALONE[0], build_id="better"), *WITH_HPC[1:])
    found = compared(decision((OLD, BETTER, HPC), ways, job(520.0, 1)))
    assert found.best.services and [p.build.id for p in found.best.bought] == ["better"]
    assert found.chosen_result.id == "upgrade"
    assert "combination" not in [r.id for r in found.results]


def test_a_rack_server_that_another_case_beats_is_still_offered() -> None:
    """The same eight cards, dearer and in a rack: left out of the free choice, not of the option."""
    dear = replace(EIGHT, id="rack", chassis=replace(CHASSIS, id="rack", form="rack"),
                   parts=tuple(replace(p, unit_price_net=2 * p.unit_price_net) for p in EIGHT.parts))  # fmt: skip
    ways = tuple(replace(ALONE[0], build_id=name) for name in ("one", "eight", "rack"))
    whole = decision((ONE, EIGHT, dear), ways).case()
    free = replace(whole, builds=tuple(b for b in whole.builds if b.id != "rack"),
                   ways=tuple(w for w in whole.ways if w.build_id != "rack"))  # fmt: skip
    assert bought(one(compare(free, "cost"), "eight_rack")) == [("rack", 1, 0)]


def test_an_option_of_the_scenario_is_solved_among_what_it_names_and_lettered_last() -> None:
    ways = tuple(replace(ALONE[0], build_id=name) for name in ("one", "eight", "rack"))
    mine = (
        UserOption("mine", "Mine", "我的方案", cards=("slow",), cards_per_node=(8,)),
        UserOption("none", "None", "无", cards=("third",)),
    )
    found = compared(decision((ONE, EIGHT, RACK), ways, options=mine))
    assert [r.id for r in found.results][-2:] == ["mine", "none"]
    assert bought(one(found, "mine")) == [("rack", 1, 0)]
    assert option_name(one(found, "mine"), "zh") == "我的方案"
    assert one(found, "none").plan is None
    assert found.chosen_result.id == "one_professional"


def test_why_two_stages_are_not_offered_is_said() -> None:
    assert compared(decision((ONE,), ALONE)).not_offered == (("two_stage", "same_years"),)
    assert compared(decision((ONE,), ALONE, horizon_years=1)).not_offered == (("two_stage", "one_year"),)
    assert compared(decision((ONE,), ALONE, GROWING)).not_offered == ()


def test_ids_of_built_in_options_are_reserved() -> None:
    more = ("combination", "upgrade", "eight_rack", "campus", "rent", "own_and_rented", "two_stage")
    assert set(BUILT_IN) == {o.id for o in OPTIONS} | set(more)
