"""Conflicts and repairs in sentences: the change, then what the plan costs after it, the same figures in zh and en."""

from __future__ import annotations

from datetime import timedelta

from hwcost.explain import Conflict, Pair, Repair, RuleInstance
from hwcost.messages import say
from hwcost.names import (
    configuration_text,
    needed_text,
    people_text,
    workload_name,
)
from hwcost.quantities import date_text, hours_text, memory_text, money_text, number_text
from hwcost.scenario import Scenario

MIB_PER_GIB = 1024.0


def rule_text(instance: RuleInstance, scenario: Scenario, lang: str) -> str:
    """The short name of a rule, with the workload it is about."""
    name = say(f"rulename.{instance.rule}", lang)
    subject = _named(instance.subject, scenario, lang)
    if instance.rule == "fund_use":
        fund = _widest(instance, scenario, lang)
        return say("conflict.fund_use", lang, uses=_uses(instance.subject, lang), fund=fund)
    return say("conflict.rule_of", lang, rule=name, workload=subject) if subject else name


def change_text(repair: Repair, scenario: Scenario, lang: str) -> str:
    """The change alone, without what it costs."""
    words = {"more": "", "people": "", "runs": "", "uses": ""}
    workload = next((w for w in scenario.workloads if w.id == repair.subject), None)
    if workload is not None:
        words["people"] = people_text(workload.people_at_once, lang)
        words["runs"] = number_text(workload.runs_per_year, lang)
    if repair.rule == "budget":
        words["more"] = needed_text(repair.to_value - repair.from_value, scenario, lang)
    if repair.rule in ("fund_pays", "fund_use"):
        words["uses"] = _uses(repair.subject.rpartition(":")[2], lang)
    to, before = (_amount(x, repair, scenario, lang) for x in (repair.to_value, repair.from_value))
    rule = "people" if repair.rule == "people_at_once" and not repair.subject else repair.rule
    return say(f"repair.{rule}", lang, to=to, from_=before, workload=_subject(repair, scenario, lang), **words)


def _amount(value: float, repair: Repair, scenario: Scenario, lang: str) -> str:
    if repair.rule == "budget":
        return needed_text(value, scenario, lang)
    if repair.rule in ("fund", "running_budget") and repair.unit:
        return money_text(value, scenario.currency, lang)
    if repair.unit == "day":
        return date_text(scenario.as_of + timedelta(days=value), lang)
    if repair.unit == "hour" and repair.rule != "staff_hours":
        return hours_text(value, lang)
    if repair.unit == "GiB":
        return memory_text(value * MIB_PER_GIB, lang)
    return number_text(value, lang)


def _subject(repair: Repair, scenario: Scenario, lang: str) -> str:
    subject = repair.subject.partition(":")[0] if repair.rule == "fund_pays" else repair.subject
    return _named(subject, scenario, lang) or subject


def _named(subject: str, scenario: Scenario, lang: str) -> str:
    """The workload, service or fund of this id; empty where there is none."""
    for workload in scenario.workloads:
        if workload.id == subject:
            return workload_name(workload, lang)
    names = {x.id: (x.name, x.name_zh) for x in scenario.funds} | {x.id: (x.name, x.name_zh) for x in scenario.services}
    return names[subject][lang == "zh"] if subject in names else ""


def _uses(subject: str, lang: str) -> str:
    """What money is for, by the uses that funds know."""
    return say("configuration.and", lang).join(say(f"funduse.{use}", lang) for use in subject.split("+"))


def _widest(instance: RuleInstance, scenario: Scenario, lang: str) -> str:
    """The fund that could be widened: the largest one that does not pay all of it yet."""
    able = [f for f in scenario.funds if set(instance.subject.split("+")) - set(f.pays)]
    fund = max(able, key=lambda f: (f.amount is None, f.amount or 0.0), default=scenario.funds[0])
    return fund.name_zh if lang == "zh" else fund.name


def repair_text(repair: Repair, scenario: Scenario, lang: str) -> str:
    """The change as a sentence, then what the plan costs, what it buys and how many people it serves."""
    return _with_cost(change_text(repair, scenario, lang), repair, scenario, lang)


def pair_text(pair: Pair, scenario: Scenario, lang: str) -> str:
    """Two changes that are needed together, then what the plan costs after both."""
    changes = [change_text(r, scenario, lang) for r in (pair.first, pair.second)]
    joined = say("repair.pair", lang, first=changes[0], second=changes[1])
    return _with_cost(joined, pair.second, scenario, lang)


def _with_cost(change: str, repair: Repair, scenario: Scenario, lang: str) -> str:
    total, capex = (money_text(x, scenario.currency, lang) for x in (repair.present_value, repair.capex))
    if scenario.discount_rate:
        total = say("answer.present", lang, money=total)
    cost = {"change": change, "total": total, "capex": capex, "years": scenario.horizon_years}
    if not repair.purchases:
        return say("repair.cost", lang, **cost)
    return say("repair.cost_machines", lang, configuration=configuration_text(repair.purchases, lang),
               people=people_text(repair.people_at_once, lang), **cost)  # fmt: skip


def conflict_texts(conflict: Conflict, scenario: Scenario, lang: str) -> list[str]:
    """Every repair as a sentence, the pair where no single one is enough, and what is not proven."""
    found = [repair_text(r, scenario, lang) for r in conflict.repairs]
    if not conflict.repairs:
        found.append(say("repair.none", lang))
        found += [pair_text(p, scenario, lang) for p in conflict.pairs]
    if not conflict.smallest:
        found.append(say("conflict.filtered", lang))
    if not conflict.proven:
        found.append(say("conflict.unproven", lang))
    return found
