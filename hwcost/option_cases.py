"""What the options are: filters on builds, and the case in which each is solved.

Options are what people name in the meeting (one large card, four professional cards, desktops with consumer cards ...).
An option buys one kind of machine, at least one, beside what the lab owns; others upgrade what is there, use the
machines of others, or buy in two stages. A scenario may name options of its own (`[[option]]`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from hwcost.build import Build, Refusal
from hwcost.case import Case, assemble, restrict
from hwcost.records import Card
from hwcost.scenario import UserOption

LARGE_GIB = 40.0  # a "large-memory" card: 40 GiB or more
VERY_LARGE_GIB = 80.0
PROFESSIONAL = ("workstation", "datacentre")


@dataclass(frozen=True)
class Option:
    """`id` is the message key `option.<id>`; `accepts` reads the card, the cards per node and whether it is owned."""

    id: str
    accepts: Callable[[Card, int, bool], bool]


def _professional(low: float, high: float, cards: int) -> Callable[[Card, int, bool], bool]:
    def accepts(card: Card, count: int, owned: bool) -> bool:
        return not owned and count == cards and card.segment in PROFESSIONAL and low <= card.memory_gib < high

    return accepts


def _consumer(cards: int) -> Callable[[Card, int, bool], bool]:
    return lambda card, count, owned: not owned and count == cards and card.segment == "consumer"


KEEP = "keep"
OPTIONS = (
    Option(KEEP, lambda card, count, owned: owned),
    Option("one_very_large", _professional(VERY_LARGE_GIB, 1e9, 1)),
    Option("one_large", _professional(LARGE_GIB, VERY_LARGE_GIB, 1)),
    Option("two_large", _professional(LARGE_GIB, 1e9, 2)),
    Option("four_large", _professional(LARGE_GIB, 1e9, 4)),
    Option("four_professional", _professional(20.0, LARGE_GIB, 4)),
    Option("two_professional", _professional(0.0, LARGE_GIB, 2)),
    Option("one_professional", _professional(0.0, LARGE_GIB, 1)),
    Option("desktops_one_consumer", _consumer(1)),
    Option("desktops_two_consumer", _consumer(2)),
    Option("eight_cards", lambda card, count, owned: not owned and count == 8),
)
COMBINATION = "combination"
UPGRADE, RACK, CAMPUS, RENT, OWN_AND_RENTED, TWO_STAGE = (
    "upgrade", "eight_rack", "campus", "rent", "own_and_rented", "two_stage",
)  # fmt: skip
KIND_OF = {CAMPUS: "campus", RENT: "cloud"}
STAGES = (0, 1)  # years in each of which the two-stage purchase buys something


def plain(build: Build) -> bool:
    """A machine of its own: no upgrade, no service, no pair joined by a network."""
    return not build.upgrade_of and build.service is None and build.nodes_per_unit == 1


def accepts(option: Option, build: Build) -> bool:
    """What the option may use: its own kind, and whatever the lab owns already."""
    return build.owned or (plain(build) and option.accepts(build.card, build.cards, False))


def further_cases(case: Case) -> Iterator[tuple[str, Case]]:
    """Options beyond a kind of machine, each only where the case has what it is about."""
    if any(b.upgrade_of for b in case.buyable):
        hired = restrict(case, lambda b: b.owned or bool(b.upgrade_of) or b.service is not None, must_buy=True)
        yield UPGRADE, hired
    racks, others = (_among(case, partial(_eight, rack)) for rack in (True, False))
    if racks.buyable and others.buyable:
        yield RACK, replace(racks, must_buy=True, scenario=replace(case.scenario, max_distinct_builds=1))
    kinds = {b.service.kind for b in case.services if b.service is not None}
    for name, kind in KIND_OF.items():
        if kind in kinds:
            yield name, restrict(case, partial(_hires, kind))
    if kinds:
        own = restrict(case, lambda b: not b.upgrade_of, must_buy=True, max_distinct_builds=1)
        yield OWN_AND_RENTED, own
    if why_not_staged(case) is None:
        yield TWO_STAGE, replace(_staged(case), buy_years=STAGES)


def unusable_services(case: Case) -> Iterator[tuple[str, tuple[Refusal, ...]]]:
    """Campus or rent where the scenario states it and none of it can be used: what keeps each service out."""
    for name, kind in KIND_OF.items():
        stated = {s.name: s for s in case.scenario.services if s.kind == kind}
        if stated and not any(b.service is not None and b.service.kind == kind for b in case.services):
            refused = tuple(r for r in case.build_set.refusals if r.item in stated and not r.chassis_id)
            idle = [idle_service(case, b) for b in case.build_set.builds if b.service and b.service.name in stated]
            yield name, refused + tuple(r for r in idle if r is not None)


def idle_service(case: Case, build: Build) -> Refusal | None:
    """Why no job may run at a service: the rules of the way that comes nearest."""
    ways = [s for s in case.strategies.excluded if s.build_id == build.id]
    if build.service is None or not ways:
        return None
    name, name_zh = build.service.name, build.service.name_zh
    nearest = min(ways, key=lambda s: (len(s.breaches), s.cards, s.workload_id))
    breaches = tuple(
        replace(b, values={**b.values, "service_zh": name_zh}) if "service" in b.values else b for b in nearest.breaches
    )
    return Refusal(name, name_zh, build.card.id, build.cards, "", breaches)


def own_cases(case: Case) -> Iterator[tuple[UserOption, Case]]:
    """The scenario's own options, each with whatever it may buy and use; what it buys, it buys at least one of."""
    for option in case.scenario.options:
        part = _among(case, partial(allows, option))
        most = case.scenario.max_nodes if option.max_nodes is None else min(option.max_nodes, case.scenario.max_nodes)
        buys = option.buys_machines or option.upgrades
        yield option, replace(part, must_buy=buys, scenario=replace(case.scenario, max_nodes=most))


def allows(option: UserOption, build: Build) -> bool:
    """Whether the option may use the build: it names it, or the lab owns it."""
    if build.owned:
        return True
    if build.service is not None:
        return build.service.id in option.services
    if build.upgrade_of:
        return option.upgrades
    if build.system is not None and build.system.id in option.systems:
        return True
    return takes(option, build.card.id, build.cards, build.chassis.id)


def takes(option: UserOption, card: str, cards: int, chassis: str) -> bool:
    """Whether the option may buy this machine: what it does not name is free, but it names something."""
    named = option.cards or option.chassis or option.cards_per_node
    right = (not option.cards or card in option.cards, not option.chassis or chassis in option.chassis,
             not option.cards_per_node or cards in option.cards_per_node)  # fmt: skip
    return bool(named) and all(right)


def _among(case: Case, wanted: Callable[[Build], bool]) -> Case:
    """The case with these builds alone. A machine that another one beats is left out only where that one is among
    them: an option by its case or system is judged among its own.
    """
    offered = {b.card.id for b in case.builds}
    builds = tuple(b for b in case.build_set.builds if wanted(b) and b.card.id in offered)
    part = assemble(case.scenario, case.catalog, replace(case.build_set, builds=builds), case.strategies)
    return replace(case, builds=part.builds, ways=part.ways)


def _eight(rack: bool, build: Build) -> bool:
    return build.owned or (plain(build) and build.cards == 8 and (build.chassis.form == "rack") == rack)


def _hires(kind: str, build: Build) -> bool:
    """What the lab owns, and card-hours of that kind; nothing is bought."""
    return build.owned or (build.service is not None and build.service.kind == kind)


def why_not_staged(case: Case) -> str | None:
    """Why a purchase in two years is no option here: a year's wait can change nothing. None where it can."""
    scenario = case.scenario
    if scenario.horizon_years <= STAGES[-1]:
        return "one_year"
    differs = (
        any(w.growth_per_year for w in scenario.workloads), scenario.price_trend_per_year, scenario.equipment_per_year,
        any(f.per_year or f.from_year or f.to_year is not None for f in scenario.funds),
        max(case.purchase_years, default=0) > 0, scenario.staff_hours_limit_per_year is not None,
    )  # fmt: skip
    return None if any(differs) else "same_years"


def _staged(case: Case) -> Case:
    """Machines alone, now and a year later. With price trends, what is beaten today may win then: all are weighed."""
    own = restrict(case, lambda b: b.owned or plain(b), purchase_years=STAGES)
    if not case.scenario.price_trend_per_year:
        return own
    whole = assemble(own.scenario, case.catalog, case.build_set, case.strategies)
    return restrict(whole, lambda b: b.owned or plain(b))
