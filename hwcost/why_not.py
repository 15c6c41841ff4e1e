"""Why not X? X is bought by force, at least one, and the two plans are laid side by side.

    forced plan   the best plan of the same objective that buys at least one X, whatever else it buys
    lines         full cost of both plans (present value) by category, largest difference first
    rule          the rule whose removal closes most of the difference: forced again with each rule lifted in turn;
                  none where no removal closes a tenth of it: then X loses by its own cost or speed

X that cannot be bought has its reason instead: left out whole, no machine holds it, every machine with it runs none of
the work, or it costs more than the budget. A machine that another one beats in everything names that one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from hwcost import explain, whatif
from hwcost.build import Build, Refusal
from hwcost.case import Case
from hwcost.costs import CATEGORIES
from hwcost.option_cases import idle_service
from hwcost.options import COMBINATION, KEEP, KIND_OF, OPTIONS, Comparison, OptionResult
from hwcost.plan import Plan
from hwcost.problems import nearest_match
from hwcost.rules import Breach

OUTCOMES = ("chosen", "tie", "worse", "impossible", "not_considered", "no_machine", "runs_nothing")
CLOSES_ENOUGH = 0.1  # of the difference: a rule that closes less is not what decides


@dataclass(frozen=True)
class Asked:
    """What was asked about: `kind` option, card, system or build; `name` as the user gave it."""

    kind: str
    id: str
    name: str
    letter: str = ""


@dataclass(frozen=True)
class LineDifference:
    """One cost category: present value in the best plan and in the forced one."""

    category: str
    best: float
    forced: float

    @property
    def difference(self) -> float:
        return self.forced - self.best


@dataclass(frozen=True)
class Relief:
    """With this rule lifted the forced plan comes nearer: `closes` is the share of the difference that goes away."""

    rule: explain.RuleInstance
    closes: float


@dataclass(frozen=True)
class WhyNot:
    """The answer for one X. `level` is where the forced plan is worse, with its value and the best plan's.

    `rules` are the reliefs, the largest first; `refusals` say why there is nothing to buy; `beaten_by` is the build
    that stands for a dominated one. `proven` is false where a solve ended without proof.
    """

    asked: Asked
    outcome: str
    best: Plan
    forced: Plan | None
    level: str
    own: float | None
    other: float | None
    lines: tuple[LineDifference, ...]
    rules: tuple[Relief, ...]
    refusals: tuple[Refusal, ...]
    beaten: Build | None = None
    beaten_by: Build | None = None
    proven: bool = True

    @property
    def rule(self) -> explain.RuleInstance | None:
        """The rule that decides; None where the difference is X's own."""
        return self.rules[0].rule if self.rules and self.rules[0].closes >= CLOSES_ENOUGH else None


# --- what was asked about -------------------------------------------------------------------------------------------


def find(name: str, case: Case, comparison: Comparison | None = None) -> Asked | str:
    """What a name stands for: an option by letter, id or name in either language, a card, a system, a build.

    A name that nothing bears gives the nearest one that something bears.
    """
    known = _known(case, comparison)
    found = known.get(name.strip().casefold())
    if found is not None:
        return Asked(found[0], found[1], name.strip(), found[2])
    return nearest_match(name, [word for _, _, _, word in known.values()])


def _known(case: Case, comparison: Comparison | None) -> dict[str, tuple[str, str, str, str]]:
    from hwcost.messages import LANGUAGES, say

    known: dict[str, tuple[str, str, str, str]] = {}
    for build in case.build_set.builds:
        known[build.id.casefold()] = ("build", build.id, "", build.id)
    for kind, rows in (("system", case.catalog.systems), ("card", case.catalog.cards)):
        for row in rows.values():
            for word in (row.id, row.name, getattr(row, "name_zh", "")):
                if word:
                    known[word.casefold()] = (kind, row.id, "", word)
    letters = {r.id: r.letter for r in comparison.results} if comparison else {}
    for option in letters or (*(o.id for o in OPTIONS), COMBINATION):
        letter = letters.get(option, "")
        for word in (option, *(say(f"option.{option}", lang) for lang in LANGUAGES), letter):
            if word and (letter or not letters):
                known[word.casefold()] = ("option", option, letter, word)
    return known


def accepts(asked: Asked) -> Callable[[Build], bool]:
    """The builds that stand for what was asked about; owned machines never do."""
    if asked.kind == "option":
        return whatif.option_filter(asked.id) or (lambda b: False)
    if asked.kind == "card":
        return lambda b: not b.owned and b.card.id == asked.id
    if asked.kind == "system":
        return lambda b: b.system is not None and b.system.id == asked.id
    return lambda b: not b.owned and b.id == asked.id


# --- the answer -----------------------------------------------------------------------------------------------------


def why_not(
    best: Plan, asked: Asked, comparison: Comparison | None = None, *, time_limit_s: float | None = None
) -> WhyNot:
    """Why the best plan does not buy it, or that it does. `best` is the best plan of its case.

    An option that is more than machines to buy (hired hours, two stages) is told from its plan in the comparison.
    """
    case = best.case
    result = next((r for r in comparison.results if r.id == asked.id), None) if comparison else None
    if asked.kind == "option" and result is not None and (asked.id in KIND_OF or not whatif.option_filter(asked.id)):
        return _from_comparison(best, asked, result, comparison)
    if asked.kind == "option" and asked.id == KEEP:
        return _judged(
            best, asked, whatif.solve(_nothing_bought(case), best.objective, time_limit_s=time_limit_s), None
        )
    if asked.kind == "option" and asked.id == COMBINATION:
        return _empty(best, asked, "chosen" if len(best.bought) > 1 else "tie")
    chosen = accepts(asked)
    if whatif.nodes_of(best, chosen):
        return _empty(best, asked, "chosen", forced=best)
    forced = whatif.forced(case, chosen)
    if forced is None:
        return _nothing_to_buy(best, asked, chosen)
    plan = whatif.solve(forced, best.objective, time_limit_s=time_limit_s)
    if not plan.has_plan:
        refusals = _too_dear(case, forced) or _idle(case, chosen)
        found = _empty(best, asked, "impossible", forced=plan, refusals=refusals)
        return _with_rules(found, forced, time_limit_s)
    found = _judged(best, asked, plan, chosen)
    return _with_rules(found, forced, time_limit_s) if found.outcome == "worse" else found


def _from_comparison(best: Plan, asked: Asked, result: OptionResult, comparison: Comparison | None) -> WhyNot:
    if comparison is not None and result.letter == comparison.chosen:
        return _empty(best, asked, "chosen", forced=best)
    if result.plan is None or not result.plan.has_plan:
        return _empty(best, asked, "impossible", refusals=result.refusals)
    found = _judged(best, asked, result.plan, None)
    if result.full or result.lost_by is None:
        return found
    lost = result.lost_by  # solved under another objective: its stages are not those of the best plan
    return replace(found, outcome="worse", level=lost.level, own=lost.own, other=lost.best)


def _empty(
    best: Plan, asked: Asked, outcome: str, *, forced: Plan | None = None, refusals: tuple[Refusal, ...] = ()
) -> WhyNot:
    return WhyNot(asked, outcome, best, forced, "", None, None, (), (), refusals)


def _nothing_bought(case: Case) -> Case:
    return whatif.without(case, lambda b: True)


def _judged(best: Plan, asked: Asked, plan: Plan, chosen: Callable[[Build], bool] | None) -> WhyNot:
    place = whatif.standing(plan, best)
    beaten, by = _dominance(best.case, plan, chosen) if chosen else (None, None)
    outcome = "tie" if place.sign >= 0 else "worse" if plan.has_plan else "impossible"
    proven = whatif.proven(plan) and whatif.proven(best)
    return WhyNot(
        asked, outcome, best, plan, place.level, place.own, place.other, line_differences(best, plan), (), (),
        beaten, by, proven,
    )  # fmt: skip


def line_differences(best: Plan, other: Plan) -> tuple[LineDifference, ...]:
    """Present value by category in both plans, the largest difference first."""

    def sums(plan: Plan) -> dict[str, float]:
        return {
            c: math.fsum(x.present_value for x in plan.cost_lines if x.category == c)
            for c in dict.fromkeys((*CATEGORIES, *(x.category for x in plan.cost_lines)))
        }

    if not other.has_plan or not best.has_plan:
        return ()
    mine, theirs = sums(best), sums(other)
    found = [LineDifference(c, mine.get(c, 0.0), theirs.get(c, 0.0)) for c in dict.fromkeys((*mine, *theirs))]
    kept = [d for d in found if abs(d.best) > 1e-9 or abs(d.forced) > 1e-9]
    return tuple(sorted(kept, key=lambda d: (-abs(d.difference), d.category)))


def _dominance(case: Case, plan: Plan, chosen: Callable[[Build], bool]) -> tuple[Build | None, Build | None]:
    """The machine with X of the forced plan and the build that beats it in everything, where one does."""
    for purchase in plan.bought:
        if chosen(purchase.build):
            by = whatif.beaten_by(case, purchase.build)
            if by is not None:
                return purchase.build, by
    return None, None


def _nothing_to_buy(best: Plan, asked: Asked, chosen: Callable[[Build], bool]) -> WhyNot:
    """No build holds it: it is left out whole, or no machine can be made with it."""
    case = best.case
    if asked.kind in ("card", "system"):
        row = (case.catalog.cards if asked.kind == "card" else case.catalog.systems)[asked.id]
        whole = tuple(r for r in case.build_set.not_considered if r.item == row.name or r.card_id == asked.id)
        if whole:
            return _empty(best, asked, "not_considered", refusals=whole)
        made = tuple(r for r in case.build_set.refusals if r.card_id == asked.id or r.item == row.name)
        return _empty(best, asked, "no_machine", refusals=made)
    service = next((b for b in case.build_set.builds if b.id == asked.id and b.service is not None), None)
    if service is not None and (idle := idle_service(case, service)) is not None:
        return _empty(best, asked, "impossible", refusals=(idle,))
    option = next((o for o in OPTIONS if asked.kind == "option" and o.id == asked.id), None)
    cards = case.catalog.cards
    machines = [r for r in case.build_set.refusals if r.chassis_id]  # a refused service has no case
    refusals = tuple(r for r in machines if option and option.accepts(cards[r.card_id], r.cards, False))
    return _empty(best, asked, "no_machine", refusals=refusals)


def _too_dear(case: Case, forced: Case) -> tuple[Refusal, ...]:
    """One machine alone costs more than the budget."""
    budget = case.scenario.budget
    machines = [b for b in forced.builds if b.id in forced.include]
    if budget is None or not machines:
        return ()
    cheapest = min(machines, key=lambda b: (whatif.node_price(case, b), b.id))
    price = whatif.node_price(case, cheapest)
    if price <= budget:
        return ()
    name = f"{cheapest.cards} x {cheapest.card.name}"
    breach = Breach("budget", {"limit": budget, "value": price})
    return (Refusal(name, name, cheapest.card.id, cheapest.cards, cheapest.chassis.id, (breach,)),)


def _idle(case: Case, chosen: Callable[[Build], bool]) -> tuple[Refusal, ...]:
    """Machines with X run none of the work: the rules of the way that comes nearest, for each workload."""
    machines = {b.id: b for b in case.build_set.builds if chosen(b)}
    if any(w.build_id in machines for w in case.strategies.feasible):
        return ()
    found = []
    for workload in case.scenario.workloads:
        ways = [s for s in case.strategies.excluded if s.build_id in machines and s.workload_id == workload.id]
        if ways:
            way = min(ways, key=lambda s: (len(s.breaches), s.cards, s.build_id))
            build = machines[way.build_id]
            name = f"{build.cards} x {build.card.name}"
            found.append(Refusal(name, name, build.card.id, build.cards, build.chassis.id, way.breaches))
    return tuple(found)


# --- the rule that decides ------------------------------------------------------------------------------------------


def _with_rules(found: WhyNot, forced: Case, time_limit_s: float | None) -> WhyNot:
    """The same answer with what the removal of each rule alone would close."""
    best, case = found.best, found.best.case
    reliefs = []
    for rule in explain.rule_instances(case.scenario):
        lifted = explain.variant(case, explain.lift(case.scenario, rule))
        part = whatif.forced(lifted, accepts(found.asked))
        if part is None:
            continue
        plan = whatif.solve(part, best.objective, time_limit_s=time_limit_s)
        closes = _closes(found, plan)
        if closes > 0:
            reliefs.append(Relief(rule, closes))
    reliefs.sort(key=lambda r: (-r.closes, r.rule.rule, r.rule.subject))
    return replace(found, rules=tuple(reliefs))


def _closes(found: WhyNot, plan: Plan) -> float:
    """Share of the difference at the level that decides which is gone in `plan`: 1 where nothing of it is left."""
    if not plan.has_plan:
        return 0.0
    place = whatif.standing(plan, found.best)
    if place.sign >= 0:
        return 1.0
    if found.outcome == "impossible":  # now there is a plan at all; how far it is behind is another question
        return 1.0
    if place.level != found.level or found.own is None or found.other is None:
        return 1.0 if _later(found, place.level) else 0.0
    whole = abs(found.own - found.other)
    assert place.own is not None and place.other is not None
    return max(0.0, 1.0 - abs(place.own - place.other) / whole) if whole > 0 else 0.0


def _later(found: WhyNot, level: str) -> bool:
    """The new plan loses only at a level of less weight than before."""
    order = [stage.name for stage in found.best.stages]
    return level in order and found.level in order and order.index(level) > order.index(found.level)
