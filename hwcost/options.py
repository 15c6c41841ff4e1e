"""The options side by side: each is a filter on builds, solved to its own optimum under the same objective.

`option_cases.py` says what each may buy and use. The free choice may mix kinds; where no option holds what it buys, it
is shown as a combination, after all others, so that letters do not move. The scenario's own options come last but that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from hwcost.build import Build, Refusal
from hwcost.case import Case, restrict
from hwcost.engine import solve_case
from hwcost.memory import largest_micro_batch
from hwcost.money_rules import unpaid_uses
from hwcost.option_cases import (
    COMBINATION,
    KEEP,
    KIND_OF,
    OPTIONS,
    OWN_AND_RENTED,
    RACK,
    STAGES,
    TWO_STAGE,
    UPGRADE,
    Option,
    accepts,
    allows,
    further_cases,
    own_cases,
    plain,
    takes,
    unusable_services,
    why_not_staged,
)
from hwcost.plan import Plan
from hwcost.rules import Breach
from hwcost.scenario import UserOption
from hwcost.strategy import Strategy

__all__ = [
    "COMBINATION", "KEEP", "KIND_OF", "OPTIONS", "OWN_AND_RENTED", "RACK", "TWO_STAGE", "UPGRADE", "Comparison",
    "LostBy", "Option", "OptionResult", "compare",
]  # fmt: skip

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"  # enough for every option and as many of the scenario's own as may be stated


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
    name: str = ""  # of an option of the scenario's own; others are named by `option.<id>`
    name_zh: str = ""


@dataclass(frozen=True)
class Comparison:
    """All options, best first is *not* implied: the order is that of `OPTIONS`; `chosen` is a letter.

    `not_offered`: options that cannot matter here, each with the key of the reason (`notoffered.<reason>`).
    """

    best: Plan
    results: tuple[OptionResult, ...]
    chosen: str
    not_offered: tuple[tuple[str, str], ...] = ()

    def by_letter(self, letter: str) -> OptionResult:
        return next(r for r in self.results if r.letter == letter)

    @property
    def chosen_result(self) -> OptionResult:
        return self.by_letter(self.chosen)


def compare(
    case: Case, objective: str | None = None, *, best: Plan | None = None, time_limit_s: float | None = None,
    on_option: Callable[[str], None] | None = None, known: Sequence[Plan] = (),
) -> Comparison:  # fmt: skip
    """Solve every option of the case that has a build, or could have had one, under one objective.

    `known` are plans of other budgets, which may save a search.
    """
    wanted = objective or case.scenario.objective
    best = best or solve_case(case, wanted, time_limit_s=time_limit_s)
    chosen_id = _option_of(best)
    found: list[_Found] = []
    for option in OPTIONS:
        refusals = _refusals(case, option)
        buys = option.id != KEEP
        part = restrict(case, partial(accepts, option), must_buy=buys, max_distinct_builds=1)
        offered = list(part.buyable) if buys else list(part.builds)
        nothing = option.id == KEEP and chosen_id == KEEP  # the best plan buys nothing, and nothing is owned
        if not offered and not refusals and not nothing:
            continue
        if on_option:
            on_option(option.id)
        if option.id == chosen_id:
            found.append((option.id, best, True, ()))
        elif not offered:
            found.append((option.id, None, False, _runs_nothing(case, partial(accepts, option)) or refusals))
        else:
            found.append(_solved(option.id, part, wanted, time_limit_s, known))
    for name, part in further_cases(case):
        if on_option:
            on_option(name)
        found.append((name, best, True, ()) if name == chosen_id else _solved(name, part, wanted, time_limit_s, known))
    found += [(name, None, False, refusals) for name, refusals in unusable_services(case) if refusals]
    for own, part in own_cases(case):
        if on_option:
            on_option(own.id)
        if part.buyable or not part.must_buy:
            found.append(_solved(own.id, part, wanted, time_limit_s, known))
        else:
            found.append((own.id, None, False, _runs_nothing(case, partial(allows, own)) or _refused(case, own)))
    if chosen_id == COMBINATION:
        chosen_id = next((name for name, plan, full, _ in found if full and _same(plan, best)), COMBINATION)
        if chosen_id == COMBINATION:
            found.append((COMBINATION, best, True, ()))
    names = {o.id: o for o in case.scenario.options}
    results = tuple(
        OptionResult(
            id=name, letter=LETTERS[n], plan=plan, full=full,
            lost_by=None if name == chosen_id or plan is None else _lost_by(plan, best, full),
            refusals=refusals, largest_batch=_largest_batch(case, plan), typical_hours=_typical_hours(case, plan),
            name=names[name].name if name in names else "", name_zh=names[name].name_zh if name in names else "",
        )
        for n, (name, plan, full, refusals) in enumerate(found)
    )  # fmt: skip
    reason = why_not_staged(case)
    left_out = ((TWO_STAGE, reason),) if reason else ()
    return Comparison(best, results, next((r.letter for r in results if r.id == chosen_id), ""), left_out)


def _same(plan: Plan | None, best: Plan) -> bool:
    """Both buy the same, and no level tells them apart."""

    def bought(p: Plan) -> list[tuple[str, int, int]]:
        return sorted((x.build.id, x.nodes, x.year) for x in p.bought)

    return plan is not None and bought(plan) == bought(best) and _lost_by(plan, best, True) is None


_Found = tuple[str, Plan | None, bool, tuple[Refusal, ...]]


def _solved(name: str, part: Case, wanted: str, time_limit_s: float | None, known: Sequence[Plan]) -> _Found:
    """The option's own best plan; where the musts cannot all be met, the one that serves most."""
    plan = solve_case(part, wanted, time_limit_s=time_limit_s, known=known)
    full = plan.has_plan
    if not full:
        plan = solve_case(part, "serve", time_limit_s=time_limit_s, known=known)
    if plan.has_plan:
        return name, plan, full, ()
    return name, None, False, _too_dear(part, list(part.buyable))


def _option_of(plan: Plan) -> str:
    """The option whose filter holds everything the plan buys and uses; any other mix is a combination."""
    if not plan.has_plan:
        return ""
    builds = list({p.build.id: p.build for p in plan.bought}.values())
    machines = [b for b in builds if not b.upgrade_of]
    hired = {u.build.service.kind for u in plan.services if u.build.service is not None}
    if not builds and len(hired) < 2:
        return next((name for name, kind in KIND_OF.items() if kind in hired), KEEP)
    if not builds:
        return OWN_AND_RENTED if plan.purchases else COMBINATION  # what is kept, beside campus and cloud
    if not machines:
        return UPGRADE
    if len(machines) < len(builds):
        return COMBINATION
    if hired:
        return OWN_AND_RENTED if len(builds) == 1 else COMBINATION
    staged = {p.year for p in plan.bought} == set(STAGES) and why_not_staged(plan.case) is None
    if staged and all(plain(b) for b in builds):
        return TWO_STAGE
    if len(builds) == 1:
        for option in OPTIONS:
            if plain(builds[0]) and option.accepts(builds[0].card, builds[0].cards, False):
                return option.id
    return COMBINATION


def _runs_nothing(case: Case, wanted: Callable[[Build], bool]) -> tuple[Refusal, ...]:
    """Machines of this kind can be had but run none of the work: the rules of the way that comes nearest."""
    machines = {b.id: b for b in case.build_set.builds if not b.owned and plain(b) and wanted(b)}
    ways = [s for s in case.strategies.excluded if s.build_id in machines]
    if not ways:
        return ()
    nearest = min(ways, key=lambda s: (s.cards, len(s.breaches), case.price_by_build[s.build_id], s.build_id))
    build = machines[nearest.build_id]
    name = f"{build.cards} x {build.card.name}"
    return (Refusal(name, name, build.card.id, build.cards, build.chassis.id, nearest.breaches),)


def _too_dear(part: Case, offered: list[Build]) -> tuple[Refusal, ...]:
    """Why not one node of this kind can be bought: the cheapest is over the budget, or no fund may pay what it takes.

    Where it is neither, rules clash, as in the conflict of the best plan.
    """
    if not offered:
        return ()
    cheapest = min(offered, key=lambda b: (part.price_by_build[b.id], b.id))
    price, budget = part.price_by_build[cheapest.id], part.scenario.budget
    if budget is not None and price > budget:
        breaches: tuple[Breach, ...] = (Breach("budget", {"limit": budget, "value": price}),)
    else:
        breaches = tuple(Breach("fund_pays", {"use": use}) for use in unpaid_uses(part.scenario))
        breaches = breaches or (Breach("no_plan"),)
    name = f"{cheapest.cards} x {cheapest.card.name}"
    return (Refusal(name, name, cheapest.card.id, cheapest.cards, cheapest.chassis.id, breaches),)


def _refusals(case: Case, option: Option) -> tuple[Refusal, ...]:
    cards = case.catalog.cards
    machines = [r for r in case.build_set.refusals if r.chassis_id]  # a refused service has no case
    return tuple(r for r in machines if option.accepts(cards[r.card_id], r.cards, False))


def _refused(case: Case, option: UserOption) -> tuple[Refusal, ...]:
    """Combinations of an own option that cannot be built."""
    machines = [r for r in case.build_set.refusals if r.chassis_id]
    return tuple(r for r in machines if takes(option, r.card_id, r.cards, r.chassis_id))


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
