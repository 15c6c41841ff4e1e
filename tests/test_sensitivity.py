"""The tornado tells by how much the total changes at the ends of each range, and whether another purchase is best."""

from __future__ import annotations

from dataclasses import replace

import pytest
from test_sweep import rivals

from hwcost import sensitivity, sweep
from hwcost.engine import solve_case
from hwcost.options import LostBy, compare
from hwcost.plan import Plan
from hwcost.sensitivity import Assumption


def plan() -> Plan:
    """One large card: 10,000 and 300 of energy; the rival costs 9,000 and 1,500."""
    return solve_case(rivals().case(), "cost")


def test_a_bar_is_the_change_of_the_best_plans_total() -> None:
    tariff = Assumption("tariff", 1.0, 0.75, 1.25, "CNY/kWh", "estimate", "sweep_band")
    (bar,) = sensitivity.tornado(plan(), [tariff])
    assert bar.base == pytest.approx(10_300.0)
    # at 0.75 the rival costs 9,000 + 1,125 = 10,125 and the old plan 10,225; at 1.25 the old plan 10,375
    assert bar.low.present_value == pytest.approx(10_125.0) and bar.low.switches
    assert bar.high.present_value == pytest.approx(10_375.0) and not bar.high.switches
    assert bar.swing == pytest.approx(175.0) and bar.switches


def test_the_widest_bar_comes_first() -> None:
    given = [
        Assumption("price:one", 10_000.0, 9_990.0, 10_010.0, "CNY", "list", "price_band"),
        Assumption("tariff", 1.0, 0.9, 1.1, "CNY/kWh", "estimate", "sweep_band"),
    ]
    bars = sensitivity.tornado(plan(), given)
    assert [b.assumption.key for b in bars] == ["tariff", "price:one"]
    assert [b.swing for b in bars] == pytest.approx([30.0, 10.0])


def test_a_quotation_swings_less_than_an_estimate() -> None:
    quoted = {a.key: a for a in sensitivity.assumptions(plan())}["price:one"]
    assert (quoted.low, quoted.high) == pytest.approx((9_800.0, 10_200.0))  # 2 % either way
    case = rivals().case()
    builds = tuple(
        replace(b, parts=tuple(replace(p, price=replace(p.price, price_kind="estimate")) for p in b.parts))
        for b in case.build_set.builds
    )
    guess = replace(rivals(), builds=builds).case()
    guessed = {a.key: a for a in sensitivity.assumptions(solve_case(guess, "cost"))}["price:one"]
    assert (guessed.low, guessed.high) == pytest.approx((7_500.0, 12_500.0))


def test_every_assumption_can_be_moved_to_both_ends() -> None:
    given = sensitivity.assumptions(plan())
    assert {"tariff", "demand", "hours", "residual_share", "discount_rate", "price:one"} <= {a.key for a in given}
    bars = sensitivity.tornado(plan(), given)
    assert {b.assumption.key for b in bars} == {a.key for a in given}
    assert all(b.low.proven and b.high.proven for b in bars)


def test_more_work_at_a_place_without_energy_cost_of_work_changes_nothing() -> None:
    demand = next(a for a in sensitivity.assumptions(plan()) if a.key == "demand")
    (bar,) = sensitivity.tornado(plan(), [demand])
    assert bar.swing == 0.0 and not bar.switches


def test_near_ties_are_named_with_their_margin() -> None:
    best = plan()
    comparison = compare(best.case, "cost", best=best)
    (tie,) = sensitivity.near_ties(comparison)
    assert tie.id == "desktops_one_consumer" and tie.level == "cost"
    assert tie.margin == pytest.approx(200.0 / 10_300.0)  # 10,500 against 10,300
    assert sensitivity.near_ties(comparison, within=0.01) == ()


def test_an_option_that_leaves_work_out_is_no_near_tie() -> None:
    best = plan()
    comparison = compare(best.case, "cost", best=best)
    short = replace(comparison.results[1], lost_by=LostBy("people_must", 1.0, 1.01))
    assert sensitivity.near_ties(replace(comparison, results=(comparison.results[0], short))) == ()


def test_ends_are_the_same_for_one_worker_and_two() -> None:
    given = sensitivity.assumptions(plan())[:3]
    assert sensitivity.tornado(plan(), given, workers=1) == sensitivity.tornado(plan(), given, workers=2)


def test_bands_get_wider_as_the_figure_gets_less_sure() -> None:
    order = ("quote", "list", "street", "used", "estimate")
    bands = [sweep.PRICE_BANDS[k] for k in order]
    assert bands == sorted(bands) and len(set(bands)) == len(bands)
