"""The options side by side: each is a filter on builds, solved to its own optimum under the same objective.

Options are what people name in the meeting (one large card, four professional cards, desktops with consumer cards ...).
An option buys one kind of machine, at least one, beside what the lab owns; the free choice may mix kinds, and is shown
as a combination where it does. Others upgrade what is there, use the machines of others, or buy in two stages.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from hwcost.build import Build, Refusal
from hwcost.case import Case, assemble, restrict
from hwcost.engine import solve_case
from hwcost.memory import largest_micro_batch
from hwcost.plan import Plan
from hwcost.records import Card
from hwcost.rules import Breach
from hwcost.strategy import Strategy

LARGE_GIB = 40.0  # a "large-memory" card: 40 GiB or more
VERY_LARGE_GIB = 80.0
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
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


@dataclass(frozen=True)
class LostBy:
    """The first level of the objective at which an option is worse than the best plan, with both values."""

    level: str
    own: float
    best: float


@dataclass(frozen=True)
class OptionResult:
    """One option: its own best plan, or why there is none.

    `full` is false where the musts cannot all be met (objective `cost`): the plan then serves as much as it can.
    """

    id: str
    letter: str
    plan: Plan | None
    full: bool
    lost_by: LostBy | None  # None for the chosen one
    refusals: tuple[Refusal, ...]  # why nothing of this kind can be bought, where plan is None
    largest_batch: dict[str, int]  # workload -> largest micro-batch on its card, 0 where the job does not run
    typical_hours: dict[str, float | None]  # workload -> hours of one run by the fastest single-card way


@dataclass(frozen=True)
class Comparison:
    """All options, best first is *not* implied: the order is that of `OPTIONS`; `chosen` is a letter."""

    best: Plan
    results: tuple[OptionResult, ...]
    chosen: str

    def by_letter(self, letter: str) -> OptionResult:
        return next(r for r in self.results if r.letter == letter)

    @property
    def chosen_result(self) -> OptionResult:
        return self.by_letter(self.chosen)


def compare(
    case: Case, objective: str | None = None, *, best: Plan | None = None, time_limit_s: float | None = None,
    on_option: Callable[[str], None] | None = None,
) -> Comparison:  # fmt: skip
    """Solve every option of the case that has a build, or could have had one, under one objective."""
    wanted = objective or case.scenario.objective
    best = best or solve_case(case, wanted, time_limit_s=time_limit_s)
    chosen_id = _option_of(best)
    found: list[_Found] = []
    for option in OPTIONS:
        refusals = _refusals(case, option)
        buys = option.id != KEEP
        part = restrict(case, partial(_accepts, option), must_buy=buys, max_distinct_builds=1)
        offered = list(part.buyable) if buys else list(part.builds)
        nothing = option.id == KEEP and chosen_id == KEEP  # the best plan buys nothing, and nothing is owned
        if not offered and not refusals and not nothing:
            continue
        if on_option:
            on_option(option.id)
        if option.id == chosen_id:
            found.append((option.id, best, True, ()))
        elif not offered:
            found.append((option.id, None, False, _runs_nothing(case, option) or refusals))
        else:
            found.append(_solved(option.id, part, wanted, time_limit_s))
    if chosen_id == COMBINATION:
        found.append((COMBINATION, best, True, ()))
    for name, part in _more(case):
        if on_option:
            on_option(name)
        found.append((name, best, True, ()) if name == chosen_id else _solved(name, part, wanted, time_limit_s))
    results = tuple(
        OptionResult(
            id=name, letter=LETTERS[n], plan=plan, full=full,
            lost_by=None if name == chosen_id or plan is None else _lost_by(plan, best, full),
            refusals=refusals, largest_batch=_largest_batch(case, plan), typical_hours=_typical_hours(case, plan),
        )
        for n, (name, plan, full, refusals) in enumerate(found)
    )  # fmt: skip
    return Comparison(best, results, next((r.letter for r in results if r.id == chosen_id), ""))


_Found = tuple[str, Plan | None, bool, tuple[Refusal, ...]]


def _solved(name: str, part: Case, wanted: str, time_limit_s: float | None) -> _Found:
    """The option's own best plan; where the musts cannot all be met, the one that serves most."""
    plan = solve_case(part, wanted, time_limit_s=time_limit_s)
    full = plan.has_plan
    if not full:
        plan = solve_case(part, "serve", time_limit_s=time_limit_s)
    if plan.has_plan:
        return name, plan, full, ()
    return name, None, False, _too_dear(part, list(part.buyable))


def _more(case: Case) -> list[tuple[str, Case]]:
    """Options beyond a kind of machine, each only where the case has what it is about."""
    eight = [b for b in case.buyable if _plain(b) and b.cards == 8]
    racks = {b.id for b in eight if b.chassis.form == "rack"}
    found: list[tuple[str, Case]] = []
    if any(b.upgrade_of for b in case.buyable):
        found.append((UPGRADE, restrict(case, lambda b: b.owned or bool(b.upgrade_of), must_buy=True)))
    if 0 < len(racks) < len(eight):
        found.append((RACK, restrict(case, lambda b: b.owned or b.id in racks, must_buy=True, max_distinct_builds=1)))
    kinds = {b.service.kind for b in case.services if b.service is not None}
    for name, kind in KIND_OF.items():
        if kind in kinds:
            found.append((name, restrict(case, partial(_hires, kind))))
    if kinds:
        own = restrict(case, lambda b: not b.upgrade_of, must_buy=True, max_distinct_builds=1)
        found.append((OWN_AND_RENTED, own))
    if _stages_matter(case):
        found.append((TWO_STAGE, replace(_staged(case), buy_years=STAGES)))
    return found


def _plain(build: Build) -> bool:
    """A machine of its own: no upgrade, no service, no pair joined by a network."""
    return not build.upgrade_of and build.service is None and build.nodes_per_unit == 1


def _hires(kind: str, build: Build) -> bool:
    """What the lab owns, and card-hours of that kind; nothing is bought."""
    return build.owned or (build.service is not None and build.service.kind == kind)


def _stages_matter(case: Case) -> bool:
    """Whether a year's wait can change anything: demand, prices or money differ from year to year."""
    scenario = case.scenario
    differs = (
        any(w.growth_per_year for w in scenario.workloads), scenario.price_trend_per_year, scenario.equipment_per_year,
        any(f.per_year or f.from_year for f in scenario.funds), max(case.purchase_years, default=0) > 0,
    )  # fmt: skip
    return scenario.horizon_years > STAGES[-1] and any(differs)


def _staged(case: Case) -> Case:
    """Machines alone, now and a year later. With price trends, what is beaten today may win then: all are weighed."""
    own = restrict(case, lambda b: b.owned or _plain(b), purchase_years=STAGES)
    if not case.scenario.price_trend_per_year:
        return own
    whole = assemble(own.scenario, case.catalog, case.build_set, case.strategies)
    return restrict(whole, lambda b: b.owned or _plain(b))


def _option_of(plan: Plan) -> str:
    """The option whose filter holds everything the plan buys and uses; any other mix is a combination."""
    if not plan.has_plan:
        return ""
    builds = list({p.build.id: p.build for p in plan.bought}.values())
    hired = {u.build.service.kind for u in plan.services if u.build.service is not None}
    if not builds:
        only = [name for name, kind in KIND_OF.items() if hired == {kind}]
        return only[0] if only else COMBINATION if hired else KEEP
    if all(b.upgrade_of for b in builds):
        return COMBINATION if hired else UPGRADE
    if hired:
        return OWN_AND_RENTED if len(builds) == 1 and not builds[0].upgrade_of else COMBINATION
    if all(_plain(b) for b in builds) and {p.year for p in plan.bought} == set(STAGES) and _stages_matter(plan.case):
        return TWO_STAGE
    if len(builds) == 1:
        for option in OPTIONS:
            if _plain(builds[0]) and option.accepts(builds[0].card, builds[0].cards, False):
                return option.id
    return COMBINATION


def _accepts(option: Option, build: Build) -> bool:
    """What the option may use: its own kind, and whatever the lab owns already."""
    return build.owned or (_plain(build) and option.accepts(build.card, build.cards, False))


def _runs_nothing(case: Case, option: Option) -> tuple[Refusal, ...]:
    """Machines of this kind can be had but run none of the work: the rules of the way that comes nearest."""
    offered = [b for b in case.build_set.builds if not b.owned and _plain(b)]
    machines = {b.id: b for b in offered if option.accepts(b.card, b.cards, False)}
    ways = [s for s in case.strategies.excluded if s.build_id in machines]
    if not ways:
        return ()
    nearest = min(ways, key=lambda s: (s.cards, len(s.breaches), case.price_by_build[s.build_id], s.build_id))
    build = machines[nearest.build_id]
    name = f"{build.cards} x {build.card.name}"
    return (Refusal(name, name, build.card.id, build.cards, build.chassis.id, nearest.breaches),)


def _too_dear(part: Case, offered: list[Build]) -> tuple[Refusal, ...]:
    """Why not one node of this kind can be bought: the cheapest is over the budget (or, without one, over the site)."""
    if not offered:
        return ()
    cheapest = min(offered, key=lambda b: (part.price_by_build[b.id], b.id))
    price, budget = part.price_by_build[cheapest.id], part.scenario.budget
    if budget is None or price <= budget:
        breach = Breach("max_nodes", {"limit": part.scenario.max_nodes, "value": 1})
    else:
        breach = Breach("budget", {"limit": budget, "value": price})
    name = f"{cheapest.cards} x {cheapest.card.name}"
    return (Refusal(name, name, cheapest.card.id, cheapest.cards, cheapest.chassis.id, (breach,)),)


def _refusals(case: Case, option: Option) -> tuple[Refusal, ...]:
    cards = case.catalog.cards
    wanted = [r for r in case.build_set.refusals if option.accepts(cards[r.card_id], r.cards, False)]
    return tuple(wanted)


def _lost_by(plan: Plan, best: Plan, full: bool) -> LostBy | None:
    """The first level that decides; an option that cannot do all the musts loses by demand or by people at once."""
    if not full:
        missing = 0.0 if plan.serves_all(must=True) else 1.0 - (plan.served_share(must=True) or 0.0)
        if missing > 1e-6:
            return LostBy("must_demand", missing, 0.0)
        musts = [w for w in plan.case.scenario.workloads if w.must]
        return LostBy("people_must", sum(plan.people[w.id] for w in musts), sum(w.people_at_once for w in musts))
    own = {s.name: s.value for s in plan.stages}
    for stage in best.stages:
        value, mine = stage.value, own.get(stage.name)
        if value is None or mine is None:
            continue
        if abs(mine - value) > 1e-6 * max(1.0, abs(value)):
            return LostBy(stage.name, mine, value)
    return None


def _machines(plan: Plan) -> list[Build]:
    """Everything that the plan's jobs may run on."""
    return [p.build for p in plan.purchases] + [u.build for u in plan.services]


def _fastest(case: Case, plan: Plan, workload: str) -> Strategy | None:
    builds = {b.id for b in _machines(plan)}
    ways = [w for w in case.strategies.feasible if w.build_id in builds and w.workload_id == workload and w.cards == 1]
    return min(ways, key=lambda w: w.hours_per_run, default=None)


def _typical_hours(case: Case, plan: Plan | None) -> dict[str, float | None]:
    if plan is None:
        return {}
    fastest = {w.id: _fastest(case, plan, w.id) for w in case.scenario.workloads}
    return {w: way.hours_per_run if way else None for w, way in fastest.items()}


def _largest_batch(case: Case, plan: Plan | None) -> dict[str, int]:
    if plan is None:
        return {}
    margin = case.scenario.memory_margin
    cards = {b.card.id: b.card for b in _machines(plan)}
    return {
        w.id: max((largest_micro_batch(w, card, margin, 10**6, False) for card in cards.values()), default=0)
        for w in case.scenario.workloads
    }
