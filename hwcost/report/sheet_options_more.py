"""Below the options: their technical conditions, so that a room, a socket or a delivery can be checked at a glance."""

from __future__ import annotations

from hwcost.messages import say
from hwcost.names import option_name
from hwcost.options import Comparison, OptionResult
from hwcost.plan import Plan
from hwcost.quantities import date_text
from hwcost.report.book import Sheet
from hwcost.report.risks import status_of

HEADS = ("letter", "option", "buyable", "machines", "watts", "noise", "warranty", "wait", "decision")


def write(sheet: Sheet, row: int, comparison: Comparison) -> int:
    """From row `row`; returns the next free row."""
    book = sheet.book
    sheet.text(row, 0, book.say("options.technical"), weight="heading", fit=False)
    for column, name in enumerate(HEADS):
        sheet.text(row + 1, column, book.say(f"col.{name}"), weight="header", wrap=True)
    row += 2
    for result in comparison.results:
        _row(sheet, row, result, comparison)
        row += 1
    return row


def _row(sheet: Sheet, row: int, result: OptionResult, comparison: Comparison) -> None:
    lang = sheet.book.lang
    plan = result.plan if result.plan is not None and result.plan.has_plan else None
    builds = [p.build for p in plan.purchases] if plan else []
    chosen = result.letter == comparison.chosen
    weight = "total" if chosen else "cell"
    at = {name: column for column, name in enumerate(HEADS)}
    sheet.text(row, at["letter"], result.letter, weight=weight)
    sheet.text(row, at["option"], option_name(result, lang), weight=weight, wrap=True)
    nodes = float(sum(p.nodes for p in plan.purchases)) if plan else None
    watts = sum(p.nodes * p.build.peak_wall_w for p in plan.purchases) if plan else None
    noises = [b.chassis.noise_dba for b in builds]
    loudest = max((n for n in noises if n is not None), default=None) if None not in noises else None
    sheet.number(row, at["machines"], nodes, "count", weight=weight)
    sheet.number(row, at["watts"], watts, "count", weight=weight)
    sheet.number(row, at["noise"], loudest, "count", weight=weight)
    years = [b.system.warranty_years if b.system else comparison.best.case.scenario.warranty_years
             for b in builds if not b.owned]  # fmt: skip
    sheet.number(row, at["warranty"], min(years, default=None), "plain", weight=weight)
    sheet.text(row, at["buyable"], _buyable(plan, lang) if plan else "", weight=weight, wrap=True)
    sheet.text(row, at["wait"], _wait(plan, lang) if plan else "", weight=weight, wrap=True)
    decision = sheet.book.say("decision.chosen" if chosen else "decision.not")
    sheet.text(row, at["decision"], decision, weight=weight, wrap=True)


def _buyable(plan: Plan, lang: str) -> str:
    """Whether the cards can be bought, with the day on which somebody said so."""
    texts = []
    for build in {p.build.id: p.build for p in plan.bought}.values():
        row = status_of(plan, build.card.id)
        if row is None:
            texts.append(say("report.buyable.unknown", lang))
            continue
        status = say(f"rulecode.status.{row.status}", lang)
        texts.append(say("report.buyable.dated", lang, item=build.card.name, status=status,
                         day=date_text(row.as_of, lang)))  # fmt: skip
    return "\n".join(dict.fromkeys(texts))


def _wait(plan: Plan, lang: str) -> str:
    """People who find no card at the peak."""
    wanted = sum(w.people_at_once for w in plan.case.scenario.workloads)
    waiting = wanted - plan.people_at_once
    if waiting <= 0:
        return say("report.wait.none", lang)
    return say("report.wait.people", lang, waiting=waiting, people=wanted)
