"""Switching prices, break-even hours, the frontier and why-not in sentences, the same figures in zh and en."""

from __future__ import annotations

from hwcost.breakeven import BreakEven
from hwcost.frontier import FrontierPoint, Gain
from hwcost.messages import say, texts
from hwcost.messages.rules import sentence
from hwcost.names import (
    build_text,
    card_name,
    cards_text,
    configuration_text,
    listed,
    option_name,
    part_name,
    people_text,
    workload_name,
)
from hwcost.options import KEEP, KIND_OF
from hwcost.plan import Plan
from hwcost.quantities import UNKNOWN, date_text, memory_text, money_exact, money_text, number_text, percent_text
from hwcost.scenario import Scenario
from hwcost.sentences import rule_text
from hwcost.switching import Interval, Subject, SwitchPrice
from hwcost.unit_costs import unit_costs
from hwcost.whatif import option_filter
from hwcost.why_not import CLOSES_ENOUGH, Asked, WhyNot

KG_PER_TONNE = 1000.0

EXACT_BELOW = 10_000.0  # prices of parts below this are told to the cent
MOST_GAINS = 4


# --- names --------------------------------------------------------------------------------------------------------


def subject_name(subject: Subject, plan: Plan, lang: str) -> str:
    """What is priced: the option with its letter, or the part's name."""
    if subject.kind == "option":
        return _lettered(option_name(subject.id, lang), subject.letter, lang)
    catalog = plan.case.catalog
    card = catalog.cards.get(subject.id)
    if card is not None:
        return card_name(card)
    for table in (catalog.chassis, catalog.storage, catalog.systems):
        row = table.get(subject.id)
        if row is not None:
            return row.name_zh if lang == "zh" else row.name
    psu = catalog.psus.get(subject.id)
    return psu.name if psu is not None else subject.id


def asked_name(asked: Asked, plan: Plan, lang: str) -> str:
    """What was asked about, by its own name."""
    case = plan.case
    if asked.kind == "option":
        return _lettered(option_name(asked.id, lang), asked.letter, lang)
    if asked.kind == "build":
        build = case.build_by_id[asked.id]
        if build.service is not None:
            return build.service.name_zh if lang == "zh" else build.service.name
        return build_text(build, 1, lang)
    if asked.kind == "card":
        return card_name(case.catalog.cards[asked.id])
    row = case.catalog.systems[asked.id]
    return row.name_zh if lang == "zh" else row.name


def _lettered(name: str, letter: str, lang: str) -> str:
    return say("explain.option", lang, letter=letter, name=name) if letter else name


def _price(amount: float, scenario: Scenario, lang: str) -> str:
    if amount < EXACT_BELOW:
        return money_exact(amount, scenario.currency, lang)
    return money_text(amount, scenario.currency, lang)


# --- switching prices ---------------------------------------------------------------------------------------------


def switch_text(found: SwitchPrice, plan: Plan, lang: str) -> str:
    """The switching price in one sentence."""
    scenario = plan.case.scenario
    words = {"name": subject_name(found.subject, plan, lang), "now": _price(found.price_now, scenario, lang)}
    if found.price is None or found.headroom is None:
        return say(f"switch.{found.outcome}", lang, **words)
    if found.outcome == "unproven":
        return say("switch.unproven", lang, **words)
    words["price"] = _price(found.price, scenario, lang)
    words["headroom"] = percent_text(abs(found.headroom), lang)
    if found.low is not None and found.low <= 1.0 <= (found.high or 0.0) and abs(found.headroom) < 1e-3:
        return say("switch.tie", lang, **words)
    if not found.in_plan:
        return say("switch.unaffordable_out" if found.outcome == "unaffordable" else "switch.value_out", lang, **words)
    if found.outcome == "unaffordable":
        return say("switch.unaffordable", lang, **words)
    other = found.instead_plan
    if other is None:
        return say("switch.value_none", lang, **words)
    words["instead"] = _instead(found.subject, other, plan, lang)
    return say("switch.value", lang, **words)


def _instead(subject: Subject, other: Plan, plan: Plan, lang: str) -> str:
    """The best plan without it; where that is the same but for a part, the part."""
    text = configuration_text(other.purchases, lang)
    if text != configuration_text(plan.purchases, lang) or subject.kind == "option":
        return text
    mine = {part.item_id for p in plan.bought for part in p.build.parts}
    parts = [part for p in other.bought for part in p.build.parts]
    new = [part_name(plan.case.catalog, x, lang) for x in parts if x.role == subject.role and x.item_id not in mine]
    return listed(new, lang) if new else text


def interval_text(interval: Interval, price_now: float, scenario: Scenario, lang: str) -> str:
    """Between which prices how many are bought."""
    low, high = (_price(f * price_now, scenario, lang) for f in (interval.low, interval.high))
    return say("switch.interval", lang, low=low, high=high, quantity=interval.quantity)


def break_even_text(found: BreakEven, plan: Plan, lang: str) -> str:
    """From how many card-hours a year on owning pays against one service."""
    scenario, service = plan.case.scenario, found.service
    name = service.name_zh if lang == "zh" else service.name
    words = {
        "service": name, "rate": money_exact(service.price_per_card_hour, scenario.currency, lang),
        "needed": number_text(found.needed, lang),
    }  # fmt: skip
    if found.threshold is None:
        text = say("breakeven.never", lang, **words)
    else:
        text = say("breakeven.pays", lang, threshold=number_text(found.threshold, lang), **words)
    gap = "" if lang == "zh" else " "
    for key, jobs in (("breakeven.partly", found.not_run), ("breakeven.late", found.late)):
        if jobs:
            names = ("、" if lang == "zh" else ", ").join(
                workload_name(plan.case.workload_by_id[w], lang) for w in jobs
            )
            text += gap + say(key, lang, service=name, workload=names)
    timed = any(plan.case.workload_by_id[w].max_hours_per_run is not None for w in plan.case.workload_by_id)
    if timed and not found.wait_stated:
        text += gap + say("breakeven.wait_unknown", lang)
    if (row := found.anywhere) is not None:
        price = money_exact(row.price_per_card_hour, row.currency, lang)
        key = "breakeven.world_gross" if row.tax_included else "breakeven.world"
        text += gap + say(key, lang, row=row.id, price=price, day=date_text(row.origin.as_of, lang))
    return text


# --- the frontier -------------------------------------------------------------------------------------------------


def gain_text(gain: Gain, base: FrontierPoint, lang: str) -> str:
    """What a larger budget adds, in one sentence."""
    scenario = gain.point.plan.case.scenario
    money = {
        "more": money_text(gain.more_money, scenario.currency, lang),
        "to": money_text(gain.point.budget, scenario.currency, lang),
    }
    parts = _gain_parts(gain, base, lang)
    if not gain.level or not parts:
        return say("frontier.nothing", lang, **money)
    joined = "，".join(parts) if lang == "zh" else ", ".join(parts)
    return say("frontier.gain", lang, what=joined, **money)


def _gain_parts(gain: Gain, base: FrontierPoint, lang: str) -> list[str]:
    here, parts = gain.point, []
    if gain.people > 0:
        parts.append(say("frontier.people", lang, people=people_text(gain.people, lang)))
    if gain.runs_per_year >= 0.5:
        parts.append(say("frontier.runs", lang, count=number_text(gain.runs_per_year, lang)))
    if gain.cards > 0:
        parts.append(say("frontier.cards", lang, cards=cards_text(gain.cards, lang)))
    if base.capacity and here.capacity and here.capacity > base.capacity * 1.005:
        share = percent_text(here.capacity / base.capacity - 1.0, lang, 0)
        parts.append(say("frontier.capacity", lang, share=share))
    if gain.memory_gib > 0:
        parts.append(say("frontier.memory", lang, memory=memory_text(here.largest_memory_gib * 1024.0, lang)))
    for workload, more in sorted(gain.batch.items(), key=lambda item: -item[1])[:1]:
        name = workload_name(here.plan.case.workload_by_id[workload], lang)
        before = base.largest_batch[workload]
        sizes = {"batch": number_text(before + more, lang), "before": number_text(before, lang)}
        parts.append(say("frontier.batch", lang, workload=name, **sizes))
    if gain.level == "cost" and not parts:
        lower = base.present_value - here.present_value
        parts.append(say("frontier.cost", lang, amount=money_text(lower, here.plan.case.scenario.currency, lang)))
    return parts[:MOST_GAINS]


# --- why not ------------------------------------------------------------------------------------------------------


def why_not_text(found: WhyNot, lang: str) -> list[str]:
    """Why something is not in the best plan: what it would cost or lack, then the condition that decides."""
    scenario = found.best.case.scenario
    name = asked_name(found.asked, found.best, lang)
    if found.outcome == "chosen":
        return [say("why.chosen", lang, name=name, configuration=configuration_text(found.best.purchases, lang))]
    if found.outcome in ("not_considered", "no_machine"):
        return _no_machine(found, name, lang)
    text = []
    configuration = configuration_text(found.forced.purchases, lang) if found.forced else ""
    if found.outcome == "impossible":
        text.append(say("why.impossible", lang, name=name))
        text += list(dict.fromkeys(sentence(b, lang) for r in found.refusals for b in r.breaches))
        if found.rules:
            text.append(say("why.rule_impossible", lang, rule=rule_text(found.rules[0].rule, scenario, lang)))
    elif found.outcome == "tie":
        text.append(say("why.tie", lang, name=name, configuration=configuration))
    else:
        text.append(_worse(found, name, configuration, lang))
        if found.rules or not _told_whole(found.asked):
            text.append(_decides(found, lang))
    if found.beaten is not None and found.beaten_by is not None:
        words = {"beaten": build_text(found.beaten, 1, lang), "by": build_text(found.beaten_by, 1, lang)}
        if words["beaten"] != words["by"]:
            text.append(say("why.beaten", lang, **words))
    return text if found.proven else [*text, say("why.unproven", lang)]


def _no_machine(found: WhyNot, name: str, lang: str) -> list[str]:
    if not found.refusals:
        return [say("why.no_machine_plain", lang, name=name)]
    nearest = min(found.refusals, key=lambda r: (len(r.breaches), r.item))
    reason = sentence(nearest.breaches[0], lang)
    return [say(f"why.{found.outcome}", lang, name=name, reason=reason)]


def _worse(found: WhyNot, name: str, configuration: str, lang: str) -> str:
    scenario = found.best.case.scenario
    words = {"name": name, "configuration": configuration}
    if found.level == "cost" and found.own is not None and found.other is not None and found.lines:
        line = found.lines[0]
        more, amount = (money_text(x, scenario.currency, lang) for x in (found.own - found.other, abs(line.difference)))
        category = say(f"category.{line.category}", lang)
        return say("why.cost", lang, more=more, line=category, amount=amount, years=scenario.horizon_years, **words)
    own, other = (level_value(found.level, x, lang) for x in (found.own, found.other))
    return say("why.level", lang, level=say(f"level.{found.level}", lang), own=own, other=other, **words)


def level_value(level: str, value: float | None, lang: str) -> str:
    """The value of a level as a reader knows it."""
    if value is None:
        return say("switch.no_plan", lang)
    if level in ("must_demand", "want_demand"):
        return say("why.missing", lang, share=number_text(value, lang, 3))
    if level == "capacity":
        return say("why.thousand_hours", lang, hours=number_text(value, lang, 1))
    return number_text(value, lang)


def _told_whole(asked: Asked) -> bool:
    """An option whose own plan is shown: no condition was lifted for it."""
    return asked.kind == "option" and (asked.id in (KEEP, *KIND_OF) or option_filter(asked.id) is None)


def _decides(found: WhyNot, lang: str) -> str:
    rule = found.rule
    if rule is None:
        return say("why.own", lang)
    closes = percent_text(max(CLOSES_ENOUGH, found.rules[0].closes), lang, 0)
    return say("why.rule", lang, rule=rule_text(rule, found.best.case.scenario, lang), share=closes)


def known_category(category: str, lang: str) -> str:
    """The name of a cost category; one without a name keeps its code."""
    return say(f"category.{category}", lang) if f"category.{category}" in texts() else category


# --- what a card-hour and a run cost ------------------------------------------------------------------------------


def unit_cost_texts(plan: Plan, lang: str) -> list[str]:
    """The total per card-hour and per run, electricity and carbon; empty where nothing computes."""
    figures, scenario = unit_costs(plan), plan.case.scenario
    if figures is None or figures.per_busy_card_hour is None:
        return []

    def money(amount: float | None) -> str:
        return UNKNOWN if amount is None else money_text(round(amount, 2), scenario.currency, lang)

    busy, there = money(figures.per_busy_card_hour), money(figures.per_available_card_hour)
    found = [say("unitcost.busy", lang, amount=busy, available=there)]
    for run in figures.runs:
        name = workload_name(plan.case.workload_by_id[run.workload_id], lang)
        found.append(say("unitcost.run", lang, workload=name, amount=money(run.per_run)))
    energy = number_text(figures.energy_kwh, lang)
    if figures.carbon_kg is None:
        return [*found, say("unitcost.energy", lang, years=scenario.horizon_years, energy=energy)]
    carbon = number_text(figures.carbon_kg / KG_PER_TONNE, lang, 1)
    return [*found, say("unitcost.carbon", lang, years=scenario.horizon_years, energy=energy, carbon=carbon)]
