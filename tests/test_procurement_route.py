"""The purchasing route: bands on the right basis, documents, delivery, split purchases, amounts near a limit."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from report_cases import comparison

from hwcost.plan import Plan
from hwcost.procurement_route import asset_class, documents, route, warnings
from hwcost.records import Origin, ProcurementProfile

NAME = "eu-lab"  # rules on net amounts: below 1,000, below 25,000, and above
ORIGIN = Origin("procurement.csv", 2, "user", "rules of the test", date(2026, 1, 1), "specification")


def profile(low: float, high: float | None, **more: Any) -> ProcurementProfile:
    return ProcurementProfile("own", "DE", "Own", "本校", "gross", low, high, "EUR", f"from {low:g}", "", 3, 90, ORIGIN,
                              **more)  # fmt: skip


def plan_with(*rows: ProcurementProfile, **scenario: Any) -> Plan:
    """The plan of a European lab under rules of the test, if any are given."""
    plan = comparison(NAME).best
    case = plan.case
    changes = {**({"procurement": "own"} if rows else {}), **scenario}
    catalog = replace(case.catalog, procurement=(*case.catalog.procurement, *rows))
    return replace(plan, case=replace(case, scenario=replace(case.scenario, **changes), catalog=catalog))


def bought_at(plan: Plan, *prices: tuple[int, float]) -> Plan:
    """The plan's first machine, bought once for each (year, gross price)."""
    first = plan.bought[0]
    purchases = tuple(replace(first, nodes=1, year=year, unit_price=gross, unit_price_net=gross / 1.19)
                      for year, gross in prices)  # fmt: skip
    return replace(plan, purchases=purchases)


@pytest.mark.parametrize(
    ("gross", "method"),
    [
        (1_189.00, "Direct order"),  # 999.16 net
        (1_190.00, "Negotiated award, three offers"),  # 1,000.00 net: a band begins at its lower limit
        (29_749.00, "Negotiated award, three offers"),  # 24,999.16 net
        (29_750.00, "Formal award procedure"),  # 25,000.00 net
    ],
)
def test_band_follows_the_net_amount_where_rules_are_net(gross: float, method: str) -> None:
    found = route(bought_at(plan_with(), (0, gross)))
    assert found.basis == "net" and found.gross == gross
    assert found.amount == pytest.approx(round(gross / 1.19, 2))
    assert found.band is not None and found.band.method == method


def test_thirty_thousand_gross_is_told_to_be_just_above_the_net_limit() -> None:
    plan = plan_with()
    assert plan.case.scenario.budget == 30_000 and plan.case.scenario.tax_rate == 0.19
    (near,) = [n for n in route(plan).near if n.subject == "budget"]
    assert near.amount == pytest.approx(30_000 / 1.19, abs=0.005) and near.limit == 25_000
    texts = warnings(route(plan), plan.case.scenario, "en")
    assert "The budget: EUR 30,000 incl. tax is EUR 25,210 net, 0.8 % above the limit of EUR 25,000 net." in texts


def test_amounts_far_from_every_limit_are_not_told() -> None:
    plan = bought_at(plan_with(budget=None), (0, 12_000.0))
    assert route(plan).near == ()


def test_documents_name_form_quotations_experts_publicity_and_approvals() -> None:
    row = profile(0, None, form="Form 7", experts=5, external_experts=2, publicity_days=7, approvals="IT office")
    assert documents(route(plan_with(row)), "en") == [
        "Form 7", "at least 3 quotations, none older than 90 days",
        "opinion of at least 5 experts, 2 of them external", "publicity for 7 days", "IT office",
    ]  # fmt: skip


def test_rules_for_one_asset_class_come_before_those_for_all() -> None:
    plan = plan_with()
    own = asset_class(plan.bought[0].build)
    rows = (profile(0, None), profile(0, None, asset_class=own, form="for this class"))
    found = route(plan_with(*rows))
    assert found.band is not None and found.band.form == "for this class"
    other = "server" if own != "server" else "desktop"
    found = route(plan_with(profile(0, None), profile(0, None, asset_class=other, form="for another")))
    assert found.band is not None and found.band.form == ""


def test_delivery_counts_publicity_procedure_and_weeks_and_tells_when_it_is_too_late() -> None:
    row = profile(0, None, publicity_days=7, lead_days=30)
    plan = plan_with(row, lead_weeks=8.0, spend_by=date(2026, 12, 31))
    found = route(plan, date(2026, 10, 1))
    assert found.earliest == date(2027, 1, 2)  # 1 October + 7 + 30 + 56 days
    assert found.procedure_known and found.too_late
    assert not route(plan, date(2026, 9, 29)).too_late  # two days earlier: 31 December
    open_ended = route(plan_with(lead_weeks=8.0), date(2026, 10, 1))
    assert open_ended.earliest == date(2026, 11, 26) and not open_ended.procedure_known
    assert route(plan_with(lead_weeks=0.0)).earliest is None  # nobody stated a delivery


@pytest.mark.parametrize(
    ("purchases", "warned"),
    [
        (((0, 8_000.0),), False),
        (((0, 8_000.0), (1, 8_000.0)), True),  # the starts of two years are twelve months apart
        (((0, 8_000.0), (2, 8_000.0)), False),
        (((0, 8_000.0), (0, 8_000.0)), True),
    ],
)
def test_two_purchases_of_one_class_within_twelve_months_are_warned_of(
    purchases: tuple[tuple[int, float], ...], warned: bool
) -> None:
    plan = bought_at(plan_with(profile(0, 10_000), profile(10_000, None), budget=None), *purchases)
    found = route(plan)
    assert bool(found.splits) is warned
    assert any(text.startswith("Split purchases") for text in warnings(found, plan.case.scenario, "en")) is warned
    if warned:  # 8,000 is below the limit of 10,000, twice 8,000 is above it
        assert found.splits[0].lifts and found.splits[0].total == 16_000


def test_unknown_rules_are_said_and_nothing_is_made_up() -> None:
    plan = plan_with(procurement="")
    found = route(plan)
    assert found.band is None and not found.known and found.quotes_needed is None
    assert documents(found, "zh") == []


def test_servers_in_china_are_asked_about_the_standard_and_nothing_else_is() -> None:
    plan = comparison("lab-default").best
    found = route(plan)
    for region, classes, asked in (("CN", ("server",), True), ("CN", ("desktop",), False), ("EU", ("server",), False)):
        texts = warnings(replace(found, asset_classes=classes), replace(plan.case.scenario, region=region), "zh")
        assert any("33号" in text for text in texts) is asked
