"""A plan and its options in sentences, the same figures in zh and en.

`answer` chooses among the situations of a meeting: buy and it fits, cheapest that does all, more money than need, near
tie, too little money, keep what there is, one large card or many cards, parallel runs that do not pay, no plan at all,
an answer that rests on an estimate, an answer without proof. The recommendation comes first, what limits it last.
"""

from __future__ import annotations

from collections.abc import Sequence

from hwcost.build import PricedPart, Refusal
from hwcost.explain import Conflict, Repair, RuleInstance
from hwcost.memory import job_memory
from hwcost.messages import say
from hwcost.messages.rules import sentence
from hwcost.names import (
    MOST_NAMED,
    budget_text,
    card_total,
    check_text,
    configuration_text,
    listed,
    option_name,
    part_name,
    people_text,
    purchase_total,
    workload_name,
)  # fmt: skip
from hwcost.options import Comparison, OptionResult
from hwcost.plan import Plan
from hwcost.quantities import date_text, hours_text, memory_text, money_text, number_text, percent_text
from hwcost.scenario import Scenario
from hwcost.strategy import Strategy
from hwcost.workload import Workload

__all__ = ["answer", "check_text", "configuration_text", "option_name", "repair_text", "why_not"]

NEAR_TIE_SHARE = 0.03  # street prices of the same card differ by more than this between vendors
WORTHWHILE_EFFICIENCY = 0.5  # four cards that are not twice as fast do not pay
SMALL_CARD_GIB = 24.0  # what a usual professional card has
MANY_CARDS = 4
ALL = 1.0 - 1e-6
FIT_RULES = ("slots", "card_count", "card_length")  # another case takes the cards, so these tell little
DATA_BOUNDS = ("storage", "loader")

# --- why an option is not chosen ----------------------------------------------------------------------------------


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
        own, value = (number_text(x, lang, 1) for x in (lost.own, lost.best))
        return say("whynot.capacity", lang, own=own, value=value, best=best)
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


# --- the answer ---------------------------------------------------------------------------------------------------


def answer(
    plan: Plan, comparison: Comparison | None, lang: str, *, need: Plan | None = None, conflict: Conflict | None = None
) -> list[str]:
    """The recommendation first, then what explains it, then what limits it.

    `need` is the plan of the smallest purchase that does all the work (objective `spend`).
    """
    if plan.status == "no_plan_found":
        return [say("answer.none_found", lang)]
    if not plan.has_plan:
        return [_infeasible(plan.case.scenario, conflict, lang)]
    found = [
        _headline(plan, comparison, lang), *_proof(plan, lang), *_money(plan, comparison, need, lang),
        *_short(plan, lang), *_shape(plan, lang), *_parallel(plan, lang), *_data_bound(plan, lang), *_trust(plan, lang),
    ]  # fmt: skip
    return list(dict.fromkeys(found))


def everything_served(plan: Plan) -> bool:
    """All runs, of musts and wants, and all people at once."""
    enough = all(plan.people.get(w.id, 0) >= w.people_at_once for w in plan.case.scenario.workloads)
    return enough and all(plan.serves_all(must=m) for m in (True, False))


def _headline(plan: Plan, comparison: Comparison | None, lang: str) -> str:
    scenario = plan.case.scenario
    configuration = configuration_text(plan.purchases, lang)
    if not plan.bought:
        key = "answer.keep" if plan.purchases and everything_served(plan) else "answer.keep_short"
        hours = card_total(plan.purchases) * scenario.available_hours_per_card_year
        return say(key, lang, configuration=configuration, hours=number_text(hours, lang))
    letter = comparison.chosen if comparison else ""
    words = {
        "lead": say("answer.lead", lang, letter=letter) if letter else say("answer.lead_plain", lang),
        "configuration": configuration, "people": people_text(plan.people_at_once, lang),
        "price": money_text(purchase_total(plan), scenario.currency, lang),
    }  # fmt: skip
    if scenario.budget is None:
        return say("answer.buy", lang, **words)
    return say("answer.buy_in_budget", lang, budget=budget_text(scenario, lang), **words)


def _money(plan: Plan, comparison: Comparison | None, need: Plan | None, lang: str) -> list[str]:
    scenario = plan.case.scenario
    found = []
    rivals = [r for r in comparison.results if r.letter != comparison.chosen] if comparison else []
    others = [(r, r.plan) for r in rivals if r.plan is not None and r.full and everything_served(r.plan)]
    mine, done = plan.totals.nominal, everything_served(plan)
    years = scenario.horizon_years
    if plan.objective in ("cost", "serve") and comparison and comparison.chosen and done and others:
        total = money_text(mine, scenario.currency, lang)
        if all(p.totals.nominal >= mine for _, p in others) and plan.status == "proven_optimal":
            found.append(say("answer.cheapest", lang, letter=comparison.chosen, total=total, years=years))
    if plan.objective == "budget" and done and need is not None and need.has_plan and scenario.budget is not None:
        found += _larger_than_need(plan, need, lang)
    close = [
        (abs(p.totals.nominal - mine), r) for r, p in others if r.lost_by is not None and r.lost_by.level == "cost"
    ]
    if close and comparison and comparison.chosen and mine > 0:
        difference, other = min(close, key=lambda c: (c[0], c[1].letter))
        if difference <= NEAR_TIE_SHARE * mine:
            found.append(
                say("answer.near_tie", lang, letter=comparison.chosen, other=other.letter, years=years,
                    difference=money_text(difference, scenario.currency, lang),
                    share=percent_text(difference / mine, lang))
            )  # fmt: skip
    return found


def _larger_than_need(plan: Plan, need: Plan, lang: str) -> list[str]:
    scenario = plan.case.scenario
    before, after = card_total(need.purchases), card_total(plan.purchases)
    if need.budget_used >= 0.99 * plan.budget_used or before >= after:
        return []
    key = "answer.larger_than_need" if need.bought else "answer.need_none"
    return [
        say(key, lang, need=money_text(purchase_total(need), scenario.currency, lang),
            budget=budget_text(scenario, lang), need_cards=before, cards=after)
    ]  # fmt: skip


def _short(plan: Plan, lang: str) -> list[str]:
    scenario = plan.case.scenario
    found = []
    missing = [plan.case.workload_by_id[w] for w, _, _ in plan.shortfall]
    musts = [workload_name(w, lang) for w in missing if w.must]
    wants = [workload_name(w, lang) for w in missing if not w.must]
    if musts and not plan.serves_all(must=True):
        share = percent_text(plan.served_share(must=True), lang)
        key = "answer.short_no_budget" if scenario.budget is None else "answer.short"
        found.append(say(key, lang, budget=budget_text(scenario, lang), share=share, workload=listed(musts, lang)))
    if wants and not plan.serves_all(must=False):
        found.append(say("answer.short_want", lang, workload=listed(wants, lang)))
    wanted = sum(w.people_at_once for w in scenario.workloads)
    if plan.people_at_once < wanted:
        found.append(say("answer.short_people", lang, people=plan.people_at_once, wanted=wanted))
    return found


def _shape(plan: Plan, lang: str) -> list[str]:
    """One large card, or many cards: what the memory of the jobs says."""
    scenario = plan.case.scenario
    cards = card_total(plan.purchases)
    if not plan.bought or not scenario.workloads:
        return []
    needs = [_least_need_mib(w) / (1.0 - scenario.memory_margin) for w in scenario.workloads]
    small = SMALL_CARD_GIB * 1024.0
    large = [n for n in needs if n > small]
    one = all(p.build.cards == 1 for p in plan.bought)
    memory = min(p.build.card.memory_gib for p in plan.bought)
    if large and one and memory > SMALL_CARD_GIB:
        return [
            say("answer.single_large", lang, count=len(large), all=len(needs), limit=memory_text(small, lang),
                need=memory_text(max(large), lang), memory=f"{memory:g} GB")
        ]  # fmt: skip
    alone = all(a.strategy.cards == 1 for a in plan.assignments)
    if not large and alone and cards >= MANY_CARDS and plan.people_at_once >= MANY_CARDS:
        return [say("answer.many_cards", lang, cards=cards)]
    return []


def _least_need_mib(workload: Workload) -> float:
    """Memory at the smallest batch that the job may run with: one sample where accumulation is allowed."""
    return job_memory(workload, 1 if workload.accumulation else workload.batch).total_mib


def _parallel(plan: Plan, lang: str) -> list[str]:
    """What several cards bring to one model, on the machine that the plan buys."""
    build = max((p.build for p in plan.bought), key=lambda b: b.cards, default=None)
    if build is None or build.cards < 2:
        return []
    known = (*plan.case.strategies.feasible, *plan.case.strategies.excluded)
    ways = {(s.workload_id, s.cards): s for s in known if s.build_id == build.id}
    cards = max((c for _, c in ways), default=1)
    speedups = [
        (ways[w.id, 1].step_ms / ways[w.id, cards].step_ms, w)
        for w in plan.case.scenario.workloads
        if w.multi_card and (w.id, 1) in ways and (w.id, cards) in ways and cards <= w.batch
    ]
    if not speedups or cards < 2:
        return []
    speedup, workload = max(speedups, key=lambda s: (s[0], s[1].id))
    words = {"cards": cards, "speedup": number_text(speedup, lang, 1), "workload": workload_name(workload, lang)}
    used = [a.strategy for a in plan.assignments if a.strategy.cards > 1]
    if used:
        return _parallel_used(used[0], ways, plan, lang)
    key = "answer.parallel_no" if speedup < WORTHWHILE_EFFICIENCY * cards else "answer.parallel_separate"
    return [say(key, lang, **words)]


def _parallel_used(used: Strategy, ways: dict[tuple[str, int], Strategy], plan: Plan, lang: str) -> list[str]:
    alone = ways.get((used.workload_id, 1))
    if alone is None:
        return []
    name = workload_name(plan.case.workload_by_id[used.workload_id], lang)
    speedup = number_text(alone.step_ms / used.step_ms, lang, 1)
    return [say("answer.parallel_used", lang, workload=name, cards=used.cards, speedup=speedup)]


def _data_bound(plan: Plan, lang: str) -> list[str]:
    slow = {a.strategy.workload_id: a.strategy.bound for a in plan.assignments if a.strategy.bound in DATA_BOUNDS}
    return [
        say("answer.data_bound", lang, workload=workload_name(plan.case.workload_by_id[w], lang),
            bound=say(f"bound.{bound}", lang))
        for w, bound in list(slow.items())[:MOST_NAMED]
    ]  # fmt: skip


def _proof(plan: Plan, lang: str) -> list[str]:
    """That the plan is not proven to be the best, with its distance from the bound where that is known."""
    if plan.status != "best_found":
        return []
    scenario = plan.case.scenario
    total = money_text(plan.totals.nominal, scenario.currency, lang)
    words = {"total": total, "years": scenario.horizon_years}
    open_stage = next((s for s in plan.stages if s.status == "best_found" and s.gap is not None), None)
    if open_stage is None:
        return [say("answer.not_proven_plain", lang, **words)]
    gap = percent_text(open_stage.gap, lang)
    if open_stage.name == "cost":
        return [say("answer.not_proven", lang, gap=gap, **words)]
    return [say("answer.not_proven_level", lang, gap=gap, level=say(f"level.{open_stage.name}", lang), **words)]


def _trust(plan: Plan, lang: str) -> list[str]:
    """What the answer rests on: estimated or out-of-date prices, machines without a quotation."""
    parts = [part for p in plan.bought for part in p.build.parts]
    guessed = [part_name(plan.case.catalog, p, lang) for p in parts if p.price.price_kind == "estimate"]
    found = []
    if guessed:
        found.append(say("answer.estimate", lang, items=listed(guessed, lang)))
    elif any(p.build.estimate_only for p in plan.bought):
        found.append(say("answer.no_quote", lang))
    stale = [_dated(plan, p, lang) for p in parts if p.stale]
    if stale:
        found.append(say("answer.stale", lang, items=listed(stale, lang)))
    return found


def _dated(plan: Plan, part: PricedPart, lang: str) -> str:
    bracket = "{}（{}）" if lang == "zh" else "{} ({})"
    return bracket.format(part_name(plan.case.catalog, part, lang), date_text(part.price.as_of, lang))


# --- no plan, and what would repair it ----------------------------------------------------------------------------


def _infeasible(scenario: Scenario, conflict: Conflict | None, lang: str) -> str:
    if conflict is None or not conflict.rules:
        return say("answer.infeasible_plain", lang)
    rules = [rule_text(r, scenario, lang) for r in conflict.rules]
    return say("answer.infeasible", lang, rules=listed(rules, lang, most=len(rules)))


def rule_text(instance: RuleInstance, scenario: Scenario, lang: str) -> str:
    """The short name of a rule, with the workload it is about."""
    name = say(f"rulename.{instance.rule}", lang)
    subject = next((workload_name(w, lang) for w in scenario.workloads if w.id == instance.subject), "")
    return say("conflict.rule_of", lang, rule=name, workload=subject) if subject else name


def repair_text(repair: Repair, scenario: Scenario, lang: str) -> str:
    """The change as a sentence, and what the plan then costs."""
    to, before = number_text(repair.to_value, lang), number_text(repair.from_value, lang)
    more = ""
    if repair.rule == "budget":
        to = money_text(repair.to_value, scenario.currency, lang)
        more = money_text(repair.to_value - repair.from_value, scenario.currency, lang)
    elif repair.rule == "deadline":
        to, before = hours_text(repair.to_value, lang), hours_text(repair.from_value, lang)
    subject = next((workload_name(w, lang) for w in scenario.workloads if w.id == repair.subject), repair.subject)
    rule = "people" if repair.rule == "people_at_once" and not repair.subject else repair.rule
    change = say(f"repair.{rule}", lang, to=to, from_=before, more=more, workload=subject)
    total, capex = (money_text(x, scenario.currency, lang) for x in (repair.present_value, repair.capex))
    return say("repair.cost", lang, change=change, total=total, capex=capex, years=scenario.horizon_years)
