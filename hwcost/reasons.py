"""Why an option is not the chosen one, in one sentence with a figure."""

from __future__ import annotations

from collections.abc import Sequence

from hwcost.build import Refusal
from hwcost.messages import say
from hwcost.messages.rules import sentence
from hwcost.names import budget_text, people_text, workload_name
from hwcost.options import Comparison, OptionResult
from hwcost.plan import Plan
from hwcost.quantities import money_text, number_text, percent_text
from hwcost.scenario import Scenario

ALL = 1.0 - 1e-6
FIT_RULES = ("slots", "card_count", "card_length")  # another case takes the cards, so these tell little


def why_not(result: OptionResult, comparison: Comparison, lang: str) -> str:
    """One sentence for an option: why it is not the chosen one, with a figure."""
    if result.letter == comparison.chosen:
        return say("whynot.chosen", lang)
    best = say("whynot.best_word", lang, letter=comparison.chosen) if comparison.chosen else ""
    best = best or say("whynot.best_plain", lang)
    plan = result.plan
    if plan is None:
        return _refusal_text(result.refusals, comparison.best.case.scenario, lang)
    if not plan.has_plan:
        return say("whynot.no_plan_found" if plan.status == "no_plan_found" else "whynot.no_plan", lang)
    return _too_dear(plan, lang) or _lost_text(result, plan, comparison.best, best, lang)


def _refusal_text(refusals: Sequence[Refusal], scenario: Scenario, lang: str) -> str:
    """The refusal that is nearest to working: the cards fit into the case, and the fewest rules are broken."""
    if not refusals:
        return say("whynot.no_build", lang)

    def distance(refusal: Refusal) -> tuple[bool, int, str]:
        return any(b.rule in FIT_RULES for b in refusal.breaches), len(refusal.breaches), refusal.item

    breach = min(refusals, key=distance).breaches[0]
    if breach.rule == "no_plan":
        return say("whynot.no_plan", lang)
    if breach.rule == "budget":
        price = money_text(breach.values["value"], scenario.currency, lang)
        return say("whynot.too_dear", lang, price=price, budget=budget_text(scenario, lang))
    return say("whynot.refused", lang, reason=sentence(breach, lang))


def _too_dear(plan: Plan, lang: str) -> str:
    scenario = plan.case.scenario
    prices = [plan.case.price_by_build[b.id] for b in plan.case.builds if not b.owned]
    if plan.bought or not prices or scenario.budget is None or min(prices) <= scenario.budget:
        return ""
    return say("whynot.too_dear", lang, price=money_text(min(prices), scenario.currency, lang),
               budget=budget_text(scenario, lang))  # fmt: skip


def _lost_text(result: OptionResult, plan: Plan, best_plan: Plan, best: str, lang: str) -> str:
    lost = result.lost_by
    if lost is None:
        proven = plan.status == best_plan.status == "proven_optimal"
        return say("whynot.tie" if proven else "whynot.unproven", lang, best=best)
    if lost.level == "must_demand":
        return _demand_text(plan, best_plan, best, lang) or _people_text(plan, lang)
    if lost.level in ("people_must", "people_want"):
        if not best_plan.has_plan:
            return _people_text(plan, lang)
        own = people_text(round(lost.own), lang)
        return say("whynot.people", lang, own=own, value=number_text(lost.best, lang), best=best)
    if lost.level == "want_demand":
        return say("whynot.want_demand", lang, best=best)
    if lost.level == "capacity":
        share = percent_text(1.0 - lost.own / lost.best, lang, 0)
        return say("whynot.capacity", lang, share=share, best=best)
    if lost.level == "cost":
        scenario = plan.case.scenario
        key = "whynot.cost_present" if scenario.discount_rate else "whynot.cost"
        more = money_text(lost.own - lost.best, scenario.currency, lang)
        return say(key, lang, more=more, best=best, years=scenario.horizon_years)
    return say("whynot.tie", lang, best=best)


def _demand_text(plan: Plan, best_plan: Plan, best: str, lang: str) -> str:
    """A job that no machine of this kind can run, with the rule; else the share of the work that is done."""
    musts = {w.id for w in plan.case.scenario.workloads if w.must}
    runnable = {s.workload_id for s in plan.case.ways}
    builds = {b.id for b in plan.case.builds}
    for workload, _, _ in plan.shortfall:
        if workload not in musts or workload in runnable:
            continue
        ways = [s for s in plan.case.strategies.excluded if s.workload_id == workload and s.build_id in builds]
        if ways:
            nearest = min(ways, key=lambda s: (len(s.breaches), s.cards, s.build_id))
            name = workload_name(plan.case.workload_by_id[workload], lang)
            return say("whynot.must_workload", lang, workload=name, reason=sentence(nearest.breaches[0], lang))
    share = plan.served_share(must=True)
    if share is None or share >= ALL:
        return ""
    if not best_plan.has_plan:
        return say("whynot.must_share", lang, served=percent_text(share, lang))
    other = percent_text(best_plan.served_share(must=True), lang)
    return say("whynot.must_demand", lang, served=percent_text(share, lang), best_served=other, best=best)


def _people_text(plan: Plan, lang: str) -> str:
    wanted = sum(w.people_at_once for w in plan.case.scenario.workloads if w.must)
    own = sum(plan.people.get(w.id, 0) for w in plan.case.scenario.workloads if w.must)
    return say("whynot.people_wanted", lang, own=own, wanted=wanted)
