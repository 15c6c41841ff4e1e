"""The argument in the order of the form, as data: workbook and text document print the same lines and figures.

A line is a sentence that the program knows, or a blank that a person has to fill in: nothing is invented.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from hwcost import machine_hours as hours_module
from hwcost.inference import largest_llm
from hwcost.machine_hours import MachineHours
from hwcost.messages import say, texts
from hwcost.names import (
    card_name,
    configuration_text,
    left_out_reason,
    listed,
    option_name,
    part_name,
    people_text,
    purchase_total,
    scenario_name,
    workload_name,
)  # fmt: skip
from hwcost.options import KEEP, Comparison
from hwcost.plan import Plan
from hwcost.quantities import hours_text, money_exact, money_text, number_text, percent_text
from hwcost.reasons import why_not
from hwcost.report import labels
from hwcost.report.risks import signs
from hwcost.requirements import Requirements, requirements
from hwcost.scenario import PAYERS
from hwcost.sentences import answer
from hwcost.use import utilisation

BTU_PER_WATT_HOUR = 3.412
SECTIONS = 9
OPTIONS_NEEDED = 3


@dataclass(frozen=True)
class Line:
    """One sentence, or with `blank` the label of what has to be filled in."""

    text: str
    blank: bool = False


@dataclass
class Section:
    """One numbered part of the form."""

    number: int
    title: str
    lines: list[Line] = field(default_factory=list)


@dataclass(frozen=True)
class Subject:
    """What the argument is about."""

    plan: Plan
    comparison: Comparison | None
    need: Plan | None
    hours: MachineHours
    needs: list[Requirements]
    lang: str

    def say(self, key: str, **values: Any) -> str:
        return say(f"report.form.{key}", self.lang, **values)

    def money(self, amount: float | None) -> str:
        return money_text(amount, self.plan.case.scenario.currency, self.lang)


def sections(plan: Plan, comparison: Comparison | None, lang: str, need: Plan | None = None) -> list[Section]:
    """The nine parts. `need` is the smallest purchase that is enough."""
    about = Subject(plan, comparison, need, hours_module.machine_hours(plan), requirements(plan), lang)
    writers = (_need, _campus, _selection, _running, _operators, _site, _sharing, _benefit, _opinion)
    found = []
    for number, write in enumerate(writers, 1):
        section = Section(number, f"2.{number} {about.say(f'heading.{number}')}")
        for item in write(about):
            section.lines.append(item if isinstance(item, Line) else Line(item))
        found.append(section)
    return found


def subject_line(plan: Plan, lang: str) -> str:
    return scenario_name(plan.case.scenario, lang)


def _blank(about: Subject, key: str) -> Line:
    return Line(about.say(f"blank.{key}"), blank=True)


def _need(about: Subject) -> list[str | Line]:
    """2.1: people, work and hours, and why what is at hand does not do."""
    plan, lang, hours = about.plan, about.lang, about.hours
    people = people_text(sum(j.people_at_once for j in hours.jobs), lang)
    runs = number_text(math.fsum(j.runs_wanted for j in hours.jobs), lang)
    found: list[str | Line] = [about.say("people", people=people, jobs=len(hours.jobs), runs=runs)]
    for job in hours.jobs:
        name = workload_name(plan.case.workload_by_id[job.workload_id], lang)
        wanted = number_text(job.runs_wanted, lang)
        if job.hours_per_run is None:
            found.append(about.say("job_none", workload=name, runs=wanted))
            continue
        evidence = listed([say(f"evidence.{tier}", lang) for tier in job.evidence], lang)
        found.append(about.say(
            "job" if job.people_at_once else "job_nobody", workload=name, runs=wanted,
            hours=hours_text(job.hours_per_run, lang),
            people=people_text(job.people_at_once, lang), evidence=evidence,
        ))  # fmt: skip
    figures = hours.hours
    found.append(about.say(
        "hours", busy=number_text(figures.busy_card_hours, lang), held=number_text(figures.held_card_hours, lang),
        wall=number_text(figures.wall_hours, lang),
    ))  # fmt: skip
    week = number_text(hours.rules.held_hours_per_person_week, lang)
    found.append(about.say("hours_stated", people=hours.people, week=week) if hours.people_stated
                 else about.say("hours_note"))  # fmt: skip
    found += _at_hand(about)
    return [*found, _blank(about, "subjects"), _blank(about, "present")]


def _at_hand(about: Subject) -> list[str]:
    plan, lang = about.plan, about.lang
    owned = [b for b in plan.case.build_set.builds if b.owned]
    if not owned:
        return [about.say("owned_none")]
    machines = listed([labels.machine(b, lang) for b in owned], lang, most=len(owned))
    found = [about.say("owned", machines=machines)]
    if not plan.bought:
        return [*found, about.say("keep_enough")]
    keep = next((r for r in about.comparison.results if r.id == KEEP), None) if about.comparison else None
    if keep is not None and about.comparison is not None:
        found.append(about.say("keep_not", letter=keep.letter, reason=why_not(keep, about.comparison, lang)))
    return found


def _campus(about: Subject) -> list[str | Line]:
    """2.2: the campus cluster with its yearly cost, where it was stated."""
    scenario, lang = about.plan.case.scenario, about.lang
    busy = about.hours.hours.busy_card_hours
    found: list[str | Line] = []
    services = [s for s in scenario.services if s.kind == "campus"]
    for service in services:
        hours = service.wait_hours
        wait = about.say("wait_unknown") if hours is None else about.say("wait", hours=hours_text(hours, lang))
        cost = max(busy, service.minimum_card_hours_per_year) * service.price_per_card_hour
        found.append(about.say(
            "service", name=service.name_zh if lang == "zh" else service.name, wait=wait,
            price=about.money(service.price_per_card_hour), cost=about.money(cost + service.fixed_cost_per_year),
            busy=number_text(busy, lang),
        ))  # fmt: skip
    if scenario.data_stays in ("campus", "lab"):
        found.append(about.say("stays", where=about.say(f"stays.{scenario.data_stays}")))
    if not services:
        found += [about.say("service_none"), _blank(about, "campus_rate")]
    return [*found, _blank(about, "campus_same"), _blank(about, "campus_why")]


def _selection(about: Subject) -> list[str | Line]:
    """2.3: the answer, the options with the reason against each, domestic equivalents."""
    plan, lang, comparison = about.plan, about.lang, about.comparison
    scenario = plan.case.scenario
    found: list[str | Line] = []
    configuration = configuration_text(plan.purchases, lang)
    if comparison and comparison.chosen:
        result = comparison.chosen_result
        name = option_name(result, lang)
        found.append(about.say("chosen", letter=result.letter, name=name, configuration=configuration))
    else:
        found.append(about.say("chosen_plain", configuration=configuration))
    if plan.bought:
        key = "price" if scenario.tax_rate else "price_untaxed"
        found.append(about.say(key, amount=money_exact(purchase_total(plan), scenario.currency, lang)))
    found += answer(plan, comparison, lang, need=about.need)[1:]
    if comparison:
        rest = [r for r in comparison.results if r.letter != comparison.chosen]
        found += [
            about.say("option", letter=r.letter, name=option_name(r, lang), reason=why_not(r, comparison, lang))
            for r in rest
        ]
        count = sum(1 for r in comparison.results if r.plan is not None and r.plan.has_plan)
        if count < OPTIONS_NEEDED:
            found.append(about.say("options_few", count=count))
    for number, need in enumerate(about.needs, 1):
        if need.about_cards:
            key = "products_lot" if len(about.needs) > 1 else "products"
            found.append(about.say(key, count=len(need.cards), number=number))
    return [*found, _domestic(about)]


def _domestic(about: Subject) -> str:
    """Cards of domestic make, and why none of them was chosen."""
    plan, lang = about.plan, about.lang
    cards = [c for c in plan.case.catalog.cards.values() if c.segment == "domestic"]
    if not cards:
        return about.say("domestic_none")
    ids = {c.id for c in cards}
    rules = [
        (b.rule, str(b.values.get("status", "")))
        for r in plan.not_considered if r.card_id in ids or r.item in {c.name for c in cards}
        for b in r.breaches
    ]  # fmt: skip
    reasons = [left_out_reason(rule, lang, status) for rule, status in dict.fromkeys(rules)]
    reason = listed(reasons, lang) if reasons else about.say("domestic_open")
    return about.say("domestic", names=listed([card_name(c) for c in cards], lang), reason=reason)


def _running(about: Subject) -> list[str | Line]:
    """2.4: parts beside the cards, running cost a year, who pays what."""
    plan, lang = about.plan, about.lang
    scenario, years = plan.case.scenario, plan.case.scenario.horizon_years
    parts = [p for purchase in plan.bought for p in purchase.build.parts if p.role not in ("card", "system")]
    names = list(dict.fromkeys(part_name(plan.case.catalog, p, lang) for p in parts))
    found: list[str | Line] = [about.say("parts", parts=listed(names, lang, most=len(names)))] if names else []
    found.append(about.say("running", amount=about.money(plan.totals.opex / years)))
    total = money_exact(plan.totals.nominal, scenario.currency, lang)
    found.append(about.say("total", years=years, amount=total))
    found += [
        about.say("running_payer", years=years, payer=say(f"payer.{payer}", lang),
                  amount=about.money(plan.totals.by_payer[payer]))
        for payer in PAYERS if payer in plan.totals.by_payer
    ]  # fmt: skip
    return [*found, _blank(about, "software"), _blank(about, "running_fund")]


def _operators(about: Subject) -> list[str | Line]:
    """2.5: hours of upkeep; names are for the applicant."""
    scenario = about.plan.case.scenario
    nodes = sum(p.nodes for p in about.plan.purchases)
    hours = scenario.staff_hours_per_node_year * nodes
    text = about.say("staff", hours=number_text(hours, about.lang)) if hours else about.say("staff_none")
    return [text, _blank(about, "operators")]


def _site(about: Subject) -> list[str | Line]:
    """2.6: watts, heat, noise and height of each machine; sockets of the site."""
    scenario, lang = about.plan.case.scenario, about.lang
    found: list[str | Line] = []
    if f"report.form.place.{scenario.place}" in texts():
        found.append(about.say("place", place=about.say(f"place.{scenario.place}")))
    for build in {p.build.id: p.build for p in about.plan.bought}.values():
        watts = number_text(build.peak_wall_w, lang)
        btu = number_text(build.peak_wall_w * BTU_PER_WATT_HOUR, lang)
        text = about.say("power", machine=labels.short_machine(build, lang), watts=watts, btu=btu)
        join = "" if lang == "zh" else " "
        if build.chassis.noise_dba is not None:
            text += join + about.say("noise", noise=number_text(build.chassis.noise_dba, lang))
        if build.chassis.rack_units:
            text += join + about.say("rack", units=build.chassis.rack_units)
        found.append(text)
    found += [
        about.say("circuit", count=c.count, volts=f"{c.volts:g}", amps=f"{c.amps:g}",
                  watts=number_text(c.continuous_w, lang))
        for c in scenario.circuits
    ]  # fmt: skip
    return [*found, _blank(about, "room"), _blank(about, "cooling")]


def _sharing(about: Subject) -> list[str | Line]:
    """2.7: hours that are free, and what a card-hour costs in full."""
    plan, used = about.plan, utilisation(about.plan)
    found: list[str | Line] = []
    if used is not None:
        free = max(0.0, used.available_card_hours_per_year - used.card_hours_per_year)
        whole = used.available_card_hours_per_year * plan.case.scenario.horizon_years
        cost = about.money(round(plan.totals.nominal / whole, 2))
        found.append(about.say("free", free=number_text(free, about.lang), cost=cost))
    return [*found, _blank(about, "sharing")]


def _benefit(about: Subject) -> list[str | Line]:
    """2.8: what else the machine can do, headroom, and signs of risk."""
    plan, lang, scenario = about.plan, about.lang, about.plan.case.scenario
    found: list[str | Line] = []
    build = max((p.build for p in plan.purchases), key=lambda b: (b.cards * b.card.memory_gib, b.id), default=None)
    model = largest_llm(plan.case.catalog, build.card, build.cards) if build else None
    if model is not None:
        found.append(about.say("model", model=model.name_zh if lang == "zh" and model.name_zh else model.name))
    if scenario.budget and plan.bought:
        left = scenario.budget - plan.budget_used
        share = percent_text(left / scenario.budget, lang)
        found.append(about.say("budget_left", amount=about.money(left), share=share))
    marks = signs(plan, lang)
    found += marks or [about.say("no_signs")]
    return [*found, _blank(about, "benefit")]


def _opinion(about: Subject) -> list[str | Line]:
    """2.9: signatures only."""
    return [_blank(about, key) for key in ("opinion", "experts", "approval", "conflict")]
