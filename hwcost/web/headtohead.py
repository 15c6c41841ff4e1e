""" "X or Y?": named cards, whole machines and quotations, each as if it were the only thing to buy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from hwcost.build import Build, Refusal
from hwcost.case import Case, assemble, prepare, restrict
from hwcost.engine import solve_case
from hwcost.memory import largest_micro_batch, limit_mib
from hwcost.names import purchase_total
from hwcost.plan import Plan
from hwcost.records import Availability, Card, Catalog, System
from hwcost.rules import Breach
from hwcost.scenario import Scenario
from hwcost.scenario_io import with_changes
from hwcost.strategies import StrategySet
from hwcost.web.feasible import NO, STATES, state_of

LIMIT_S = 10.0
CARD, SYSTEM = "card", "system"
SET_ASIDE = ("remnant", "discontinued", "to_check")  # a vendor who quotes such a card can deliver it
MOST_BATCH = 10**6
MIB_PER_GIB = 1024.0


@dataclass(frozen=True)
class Named:
    """One thing to compare."""

    kind: str  # card | system
    id: str


@dataclass(frozen=True)
class Side:
    """One of the things compared: what its best plan is, or why there is none.

    `serves_all` is false where it cannot do all the musts; the plan then does as much as it can. `states` say how each
    job runs on its card.
    """

    named: Named
    card: Card
    system: System | None
    plan: Plan | None
    serves_all: bool
    breaches: tuple[Breach, ...]
    states: dict[str, str]
    availability: Availability | None
    assumed: str = ""  # the supply status that was set aside, so that the figures can be told at all
    batches: Mapping[str, int] = field(default_factory=dict)  # the largest of one card, by job


def choices(catalog: Catalog) -> list[Named]:
    """Everything that can be named: whole machines first, then cards."""
    systems = [Named(SYSTEM, s.id) for s in sorted(catalog.systems.values(), key=lambda s: s.name)]
    return [*systems, *(Named(CARD, c.id) for c in sorted(catalog.cards.values(), key=lambda c: c.name))]


def compare(case: Case, named: Sequence[Named], on_one: Callable[[Named], None] = lambda one: None) -> list[Side]:
    """A side for each of them, in their order."""
    found = []
    for one in named:
        on_one(one)
        found.append(_side(case, one))
    return found


def _side(case: Case, named: Named) -> Side:
    catalog = case.catalog
    system = catalog.systems[named.id] if named.kind == SYSTEM else None
    card = catalog.cards[system.card_id if system else named.id]
    assumed, row = "", _availability(case, named, card)
    if row is not None and row.status in SET_ASIDE and row.status not in case.scenario.allowed_statuses:
        case, assumed = _as_if_on_sale(case, card), row.status
    part = only(case, lambda b: _is(b, named))
    plan, full = None, False
    if part is not None:
        plan = solve_case(part, case.scenario.objective, time_limit_s=LIMIT_S)
        full = plan.has_plan and not plan.falls_short
        if not plan.has_plan:
            plan = solve_case(part, "serve", time_limit_s=LIMIT_S)
        plan = plan if plan.has_plan else None
    breaches = () if plan else _reasons(case, named, card)
    return Side(named, card, system, plan, full, breaches, _states(case, named, card),
                row, assumed if plan else "", largest_batches(case.scenario, card))  # fmt: skip


def _as_if_on_sale(case: Case, card: Card) -> Case:
    """The case with this card alone, its supply set aside: whoever names a card wants its figures."""
    allowed = (*case.scenario.allowed_statuses, *SET_ASIDE)
    open_to = with_changes(case.scenario, allowed_statuses=allowed, include_cards=(card.id,), exclude_cards=())
    return replace(prepare(open_to, case.catalog), reference_hours=case.reference_hours)


def largest_batches(scenario: Scenario, card: Card) -> dict[str, int]:
    """The largest batch of each job that one card holds at once; 0 where not even one sample fits."""
    return {w.id: largest_micro_batch(w, card, scenario.memory_margin, MOST_BATCH) for w in scenario.workloads}


def _is(build: Build, named: Named) -> bool:
    if build.owned or build.service is not None or build.upgrade_of:
        return False
    if named.kind == SYSTEM:
        return build.system is not None and build.system.id == named.id
    return build.card.id == named.id


def only(case: Case, accepts: Callable[[Build], bool]) -> Case | None:
    """The case in which only the accepted builds are bought, at least one, beside what is owned; None without any.

    Builds that another one beats come back: what is named is shown, beaten or not.
    """
    asked = tuple(b for b in case.build_set.builds if accepts(b))
    kept = {b.id for b in (*asked, *(b for b in case.build_set.builds if b.owned))}
    ways = StrategySet(tuple(w for w in case.strategies.feasible if w.build_id in kept), case.strategies.excluded)
    if not any(w.build_id == b.id for b in asked for w in ways.feasible):
        return None
    builds = tuple(b for b in case.build_set.builds if b.id in kept)
    part = assemble(case.scenario, case.catalog, replace(case.build_set, builds=builds), ways)
    part = replace(part, reference_hours=case.reference_hours)
    return restrict(part, lambda b: True, must_buy=True)


def _reasons(case: Case, named: Named, card: Card) -> tuple[Breach, ...]:
    """Why nothing can be bought: left out whole, refused in every host, or running none of the work."""
    left = [r for r in case.build_set.not_considered if _about(r, named, card)]
    refused = [r for r in case.build_set.refusals if r.card_id == card.id]
    builds = {b.id for b in case.build_set.builds if _is(b, named)}
    ways = [w for w in case.strategies.excluded if w.build_id in builds]
    if builds and ways:
        return min(ways, key=lambda w: (len(w.breaches), w.cards)).breaches
    for group in (left, refused):
        if group:
            return min(group, key=lambda r: (len(r.breaches), r.item)).breaches
    return ()


def _about(refusal: Refusal, named: Named, card: Card) -> bool:
    return named.id in (refusal.card_id, refusal.item) or (named.kind == CARD and refusal.card_id == card.id)


def _states(case: Case, named: Named, card: Card) -> dict[str, str]:
    """How each job runs there, the best way of any of its builds."""
    builds = {b.id for b in case.build_set.builds if _is(b, named)}
    found = {}
    for workload in case.scenario.workloads:
        ways = [w for w in case.strategies.feasible if w.build_id in builds and w.workload_id == workload.id]
        found[workload.id] = min((state_of(w) for w in ways), key=STATES.index, default=NO)
    return found


def _availability(case: Case, named: Named, card: Card) -> Availability | None:
    """The newest word on supply in the scenario's region: of the machine, else of its card."""
    region = case.scenario.region
    for item in (named.id, card.id):
        rows = [a for a in case.catalog.availability if a.item_id == item and a.region in (region, "*", "")]
        if rows:
            return max(rows, key=lambda a: a.as_of)
    return None


def better(sides: Sequence[Side]) -> tuple[Side, str] | None:
    """The side whose plan is best, and the level at which the next one loses ("" for a tie); None with fewer than two.

    Plans are compared level by level, as the objective does; a plan that does all the musts comes before one that does
    not.
    """
    planned = [s for s in sides if s.plan is not None]
    if len(planned) < 2:
        return None
    ranked = sorted(planned, key=_rank)
    first, second = _levels(ranked[0]), _levels(ranked[1])
    level = next((name for (name, a), (_, b) in zip(first, second, strict=False) if not _equal(a, b)), "")
    return ranked[0], level


@dataclass(frozen=True)
class But:
    """Where one of the others would be the better choice. `reason`: people | memory | price."""

    side: Side
    reason: str
    people: int = 0  # that the better one serves at once
    memory_gib: float = 0.0  # for a job on one card
    cheaper: float = 0.0  # purchase, tax included


def exceptions(sides: Sequence[Side], best: Side) -> list[But]:
    """What speaks for each other side with a plan: more people at once, more memory on a card, a lower price."""
    found = []
    for side in sides:
        if side is best or side.plan is None or best.plan is None:
            continue
        margin = best.plan.case.scenario.memory_margin
        mine, others = (limit_mib(s.card, margin) / MIB_PER_GIB for s in (best, side))
        people, cheaper = best.plan.people_at_once, purchase_total(best.plan) - purchase_total(side.plan)
        if cards_in(side.plan) > cards_in(best.plan) and others < mine:
            found.append(But(side, "people", people=max(people, cards_in(best.plan)), memory_gib=others))
        elif others > mine:
            found.append(But(side, "memory", memory_gib=mine))
        elif cheaper > 0:
            found.append(But(side, "price", cheaper=cheaper))
    return found


def cards_in(plan: Plan) -> int:
    """Cards in all machines that the plan buys."""
    return sum(p.nodes * p.build.cards for p in plan.bought)


def _rank(side: Side) -> tuple[float, ...]:
    return tuple(value for _, value in _levels(side))


def _levels(side: Side) -> list[tuple[str, float]]:
    """What decides, smaller is better: musts, people, wants, then money as the objective has it."""
    plan = side.plan
    assert plan is not None
    scenario = plan.case.scenario
    musts = [w for w in scenario.workloads if w.must]
    missing = 1.0 - (plan.served_share(must=True) or (0.0 if musts else 1.0))
    share = plan.served_share(must=False)
    wants = 0.0 if share is None else 1.0 - share
    waiting = sum(max(0, w.people_at_once - plan.people.get(w.id, 0)) for w in scenario.workloads)
    capacity = next((s.value or 0.0 for s in plan.stages if s.name == "capacity"), 0.0)
    levels = [("must_demand", round(missing, 6)), ("people_must", float(waiting)), ("want_demand", round(wants, 6))]
    if scenario.objective == "budget":
        levels.append(("capacity", -round(capacity, 6)))
    return [*levels, ("cost", round(plan.totals.present_value, 2))]


def _equal(a: float, b: float) -> bool:
    return abs(a - b) <= 1e-6 * max(1.0, abs(a), abs(b))
