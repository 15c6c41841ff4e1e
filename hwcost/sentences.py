"""A plan and its options in sentences, the same figures in zh and en.

`answer` chooses among the situations of a meeting: buy and it fits, cheapest that does all, more money than need, near
tie, too little money, keep what there is, one large card or many cards, parallel runs that do not pay, no plan at all,
an answer that rests on an estimate, an answer without proof. The recommendation comes first, what limits it last.
"""

from __future__ import annotations

from hwcost.build import PricedPart
from hwcost.explain import Conflict
from hwcost.memory import job_memory
from hwcost.messages import say
from hwcost.names import (
    MOST_NAMED,
    budget_text,
    card_total,
    cards_text,
    check_text,
    configuration_text,
    gross_text,
    listed,
    needed_text,
    option_name,
    part_name,
    people_text,
    purchase_total,
    workload_name,
)  # fmt: skip
from hwcost.options import Comparison
from hwcost.plan import Plan
from hwcost.quantities import date_text, memory_text, money_text, number_text, percent_text
from hwcost.reasons import why_not
from hwcost.repair_words import repair_text, rule_text
from hwcost.scenario import Scenario
from hwcost.strategy import Strategy
from hwcost.use import DATA_BOUNDS, cards_held, everything_served, free_cards, utilisation
from hwcost.workload import Workload

__all__ = [
    "answer", "check_text", "configuration_text", "everything_served", "option_name", "repair_text", "rule_text",
    "why_not",
]  # fmt: skip

NEAR_TIE_SHARE = 0.03  # street prices of the same card differ by more than this between vendors
WORTHWHILE_EFFICIENCY = 0.5  # four cards that are not twice as fast do not pay
SMALL_CARD_GIB = 24.0  # what a usual professional card has
MANY_CARDS = 4
BUSY_SHARE = 0.5  # below it the hours do not decide how many cards are bought
NEARLY_ALL = 0.99  # a purchase that takes this share of what is spent is not worth a second answer

# --- the answer ---------------------------------------------------------------------------------------------------


def answer(
    plan: Plan, comparison: Comparison | None, lang: str, *, need: Plan | None = None, conflict: Conflict | None = None
) -> list[str]:
    """The recommendation first, then what explains it, then what limits it.

    `need` is the smallest purchase that is enough (`answering.enough_plan`).
    """
    if plan.status == "no_plan_found":
        return [say("answer.none_found", lang)]
    if not plan.has_plan:
        return [_infeasible(plan.case.scenario, conflict, lang)]
    found = [
        _headline(plan, comparison, lang), *_services(plan, lang), *_proof(plan, lang), *_enough(plan, need, lang),
        *_use(plan, lang), *_money(plan, comparison, lang), *_short(plan, lang), *_shape(plan, lang),
        *_parallel(plan, lang), *_data_bound(plan, lang), *_trust(plan, lang),
    ]  # fmt: skip
    return list(dict.fromkeys(found))


def _headline(plan: Plan, comparison: Comparison | None, lang: str) -> str:
    scenario = plan.case.scenario
    configuration = configuration_text(plan.purchases, lang)
    if not plan.bought:
        return _nothing_bought(plan, configuration, lang)
    letter = comparison.chosen if comparison else ""
    if all(p.build.upgrade_of for p in plan.bought):
        lead = say("answer.lead_upgrade" if letter else "answer.lead_upgrade_plain", lang, letter=letter)
        price = gross_text(money_text(purchase_total(plan), scenario.currency, lang), scenario, lang)
        return say("answer.upgrade", lang, lead=lead, configuration=configuration, price=price)
    words = {
        "lead": say("answer.lead", lang, letter=letter) if letter else say("answer.lead_plain", lang),
        "configuration": configuration, "people": people_text(plan.people_at_once, lang),
        "price": gross_text(money_text(purchase_total(plan), scenario.currency, lang), scenario, lang),
    }  # fmt: skip
    if scenario.budget is None:
        return say("answer.buy", lang, **words)
    return say("answer.buy_in_budget", lang, budget=budget_text(scenario, lang), **words)


def _nothing_bought(plan: Plan, configuration: str, lang: str) -> str:
    services = services_text(plan, lang)
    if services and not plan.purchases:
        return say("answer.only_service", lang, services=services)
    key = "answer.keep" if plan.purchases and everything_served(plan) else "answer.keep_short"
    if services and key == "answer.keep":
        key = "answer.keep_service"
    return say(key, lang, configuration=configuration, services=services, **_room(plan, lang))


def _room(plan: Plan, lang: str) -> dict[str, str]:
    """Card-hours a year that the plan's machines could give, and what is used of them now."""
    hours = card_total(plan.purchases) * plan.case.scenario.available_hours_per_card_year
    used = utilisation(plan)
    return {"hours": number_text(hours, lang), "used": _hours(used.card_hours_per_year if used else 0.0, lang)}


def services_text(plan: Plan, lang: str) -> str:
    """The services that the plan uses, each with its work, card-hours and money of a mean year; empty without any."""
    years, found = plan.case.scenario.horizon_years, []
    for identity in dict.fromkeys(use.build.id for use in plan.services if use.card_hours > 0):
        uses = [use for use in plan.services if use.build.id == identity]
        service = uses[0].build.service
        assert service is not None
        jobs = dict.fromkeys(a.strategy.workload_id for a in plan.assignments if a.strategy.build_id == identity)
        work = listed([workload_name(plan.case.workload_by_id[w], lang) for w in jobs], lang)
        amount = sum(use.amount for use in uses) / years
        found.append(
            say("service.use", lang, service=service.name_zh if lang == "zh" else service.name, workload=work,
                hours=_hours(sum(use.card_hours for use in uses) / years, lang),
                amount=money_text(round(amount, 2), plan.case.scenario.currency, lang))
        )  # fmt: skip
    return say("configuration.and", lang).join(found)


def _services(plan: Plan, lang: str) -> list[str]:
    """Services beside a purchase, and when to think again where the purchase is an upgrade."""
    if not plan.bought:
        return []
    services = services_text(plan, lang)
    found = [say("answer.service", lang, services=services)] if services else []
    if all(p.build.upgrade_of for p in plan.bought):
        found.append(say("answer.review", lang, **_room(plan, lang)))
    return found


def _hours(hours: float, lang: str) -> str:
    return number_text(hours, lang, 0 if hours >= 10 else 1)


def _use(plan: Plan, lang: str) -> list[str]:
    """How much of the cards' time the jobs take, and what then decides the number of cards."""
    used = utilisation(plan)
    if used is None:
        return []
    words = {"hours": _hours(used.card_hours_per_year, lang), "share": percent_text(used.share, lang)}
    free, wanted = free_cards(plan), sum(w.people_at_once for w in plan.case.scenario.workloads)
    if free:
        return [say("answer.use_free", lang, free=free, cards=card_total(plan.purchases), **words)]
    if used.share < BUSY_SHARE and plan.people_at_once >= wanted:
        return [say("answer.use_people", lang, people=people_text(plan.people_at_once, lang), **words)]
    return [say("answer.use", lang, **words)]


def _enough(plan: Plan, need: Plan | None, lang: str) -> list[str]:
    """The smallest purchase that is enough, and what the rest of the budget then buys."""
    scenario = plan.case.scenario
    if need is None or scenario.budget is None or need.budget_used >= NEARLY_ALL * plan.budget_used:
        return []
    whole = all(need.people.get(w.id, 0) >= w.people_at_once for w in scenario.workloads)
    whole = whole and not need.shortfall
    words = {"people": people_text(need.people_at_once, lang)}
    if need.bought:
        words["need"] = gross_text(needed_text(purchase_total(need), scenario, lang), scenario, lang)
        words["configuration"] = configuration_text(need.purchases, lang)
    key = "answer.enough" if need.bought else "answer.enough_owned"
    found = [say(key if whole else f"{key}_must", lang, **words)]
    before, after = card_total(need.purchases), card_total(plan.purchases)
    budget = budget_text(scenario, lang)
    if not whole:
        return [*found, say("answer.rest_wants", lang, budget=budget)]
    if after > before:
        return [*found, say("answer.rest_cards", lang, budget=budget, need_cards=before, cards=cards_text(after, lang))]
    return [*found, say("answer.rest", lang, budget=budget)]


def _money(plan: Plan, comparison: Comparison | None, lang: str) -> list[str]:
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
                need=memory_text(max(large), lang), memory=f"{memory:g} GB",
                margin=percent_text(scenario.memory_margin, lang))
        ]  # fmt: skip
    alone = all(a.strategy.cards == 1 for a in plan.assignments)
    if not large and alone and cards >= MANY_CARDS and plan.people_at_once >= MANY_CARDS:
        held = cards_held(plan)
        key = "answer.many_cards_more" if cards > held else "answer.many_cards"
        people = people_text(plan.people_at_once, lang)
        return [say(key, lang, cards=cards_text(held, lang), people=people)]
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
    plain = [s for s in known if s.build_id == build.id and s.kind in ("single", "ddp") and not s.checkpointing]
    ways = {(s.workload_id, s.cards): s for s in plain if s.nodes == 1}
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
    amounts: dict[tuple[str, str], float] = {}
    parts = []
    for purchase in plan.bought:
        for part in purchase.build.parts:
            parts.append(part)
            if part.price.price_kind == "estimate":
                name = part_name(plan.case.catalog, part, lang)
                paid = purchase.nodes * part.quantity * part.unit_price_net
                amounts[part.item_id, name] = amounts.get((part.item_id, name), 0.0) + paid
    # the largest amount first; equal ones by id, so that both languages name the same items
    guessed = [name for _, name in sorted(amounts, key=lambda key: (-amounts[key], key[0]))]
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
