"""Sheet of options: what each costs, what it can and cannot do, and why it is not chosen."""

from __future__ import annotations

from dataclasses import dataclass

from hwcost.messages import say
from hwcost.names import configuration_text, option_name
from hwcost.options import Comparison, OptionResult
from hwcost.plan import Plan
from hwcost.quantities import hours_text, number_text
from hwcost.report import labels, sheet_options_more
from hwcost.report.book import Ref, Sheet, literal
from hwcost.report.cost_place import Block
from hwcost.report.inputs import Inputs
from hwcost.report.live import unchanged
from hwcost.scenario import PAYERS
from hwcost.sentences import why_not
from hwcost.use import everything_served

TOP = 4
FIRST_PAYER = 5


@dataclass(frozen=True)
class Enough:
    """The smallest purchase that does the work, with the block of its cost."""

    plan: Plan
    block: Block


@dataclass(frozen=True)
class Table:
    """Where the chosen option's total and the reason of each option stand; `enough` is the reason of that row."""

    total: Ref | None
    reasons: dict[str, Ref]
    enough: Ref | None


def planned(comparison: Comparison) -> list[OptionResult]:
    """Options that have a plan, in their order."""
    return [r for r in comparison.results if r.plan is not None and r.plan.has_plan]


def full_name(result: OptionResult, lang: str) -> str:
    """Letter and name, the same everywhere."""
    return say("report.options.lettered", lang, letter=result.letter, name=option_name(result, lang))


def enough_name(plan: Plan, lang: str) -> str:
    """The row's name; where nothing needs to be bought, that the machines at hand are enough."""
    if not plan.bought:
        return say("report.options.enough_none", lang)
    return say("report.options.enough" if everything_served(plan) else "report.options.enough_must", lang)


def write(
    sheet: Sheet, comparison: Comparison, blocks: dict[str, Block], enough: Enough | None, inputs: Inputs
) -> Table:
    """One row for each option, and one without a letter for the smallest purchase that does the work."""
    book, scenario = sheet.book, comparison.best.case.scenario
    shown = [*blocks.values(), *([enough.block] if enough else [])]
    payers = [p for p in PAYERS if any(p in b.payers for b in shown)]
    names = ["letter", "option", "configuration", "price_gross", "three_year", *[f"paid_{p}" for p in payers],
             "people", "can", "cannot", "reason"]  # fmt: skip
    people = FIRST_PAYER + len(payers)
    sheet.fixed |= {0: 6.0, 1: 17.0, 2: 17.0, people: 7.0, people + 1: 34.0, people + 2: 17.0, people + 3: 20.0}
    sheet.text(0, 0, book.say("sheet.options"), weight="title", fit=False)
    basis = book.say("money_basis", currency=scenario.currency, years=scenario.horizon_years)
    sheet.text(1, 0, basis, weight="note", fit=False)
    sheet.text(2, 0, book.say("options.how"), weight="note", fit=False)
    rerun = f'IF({unchanged(sheet, inputs)},"",{literal(book.say("changed.options"))})'
    sheet.formula(3, 0, rerun, "", "text", weight="warning", fit=False)
    sheet.headers(TOP, 0, [book.say(f"col.{n}", years=scenario.horizon_years) for n in names])
    row = TOP + 1
    total = None
    reasons: dict[str, Ref] = {}
    for result in comparison.results:
        chosen = result.letter == comparison.chosen
        weight = "total" if chosen else "cell"
        sheet.text(row, 0, result.letter, weight=weight)
        sheet.text(row, 1, option_name(result, book.lang), weight=weight, wrap=True)
        plan = result.plan if result.plan and result.plan.has_plan else None
        configuration = configuration_text(plan.purchases, book.lang) if plan else book.say("none")
        sheet.text(row, 2, configuration, weight=weight, wrap=True)
        written = _money(sheet, row, blocks.get(result.letter), payers, FIRST_PAYER, weight)
        total = written if chosen else total
        sheet.number(row, people, float(plan.people_at_once) if plan else None, "count", weight=weight)
        sheet.text(row, people + 1, can_text(result, plan, book.lang), weight=weight, wrap=True)
        sheet.text(row, people + 2, cannot_text(plan, book.lang), weight=weight, wrap=True)
        reason = why_not(result, comparison, book.lang)
        reasons[result.letter] = sheet.text(row, people + 3, reason, weight=weight, wrap=True)
        row += 1
    reason_of_it = _enough(sheet, row, enough, comparison, payers) if enough else None
    row += 2 if enough else 1
    sheet_options_more.write(sheet, row, comparison)
    sheet.header_rows = (TOP, TOP)
    sheet.finish(freeze=(TOP + 1, 2))
    return Table(total, reasons, reason_of_it)


def _enough(sheet: Sheet, row: int, enough: Enough, comparison: Comparison, payers: list[str]) -> Ref:
    """The row of the smallest purchase; returns its reason."""
    book, plan, people = sheet.book, enough.plan, FIRST_PAYER + len(payers)
    sheet.text(row, 0, "")
    sheet.text(row, 1, enough_name(plan, book.lang), wrap=True)
    sheet.text(row, 2, configuration_text(plan.purchases, book.lang), wrap=True)
    _money(sheet, row, enough.block, payers, FIRST_PAYER, "cell")
    sheet.number(row, people, float(plan.people_at_once), "count")
    sheet.text(
        row,
        people + 1,
        book.say("options.enough_can" if everything_served(plan) else "options.enough_can_must"),
        wrap=True,
    )
    sheet.text(row, people + 2, cannot_text(plan, book.lang), wrap=True)
    same = plan.purchases == comparison.best.purchases
    return sheet.text(row, people + 3, book.say("options.enough_same" if same else "options.enough_why"), wrap=True)


def _money(sheet: Sheet, row: int, block: Block | None, payers: list[str], first: int, weight: str) -> Ref | None:
    """Price, total and who pays; returns the total."""
    if block is None or block.nominal is None:
        for column in range(first - 2, first + len(payers)):
            sheet.number(row, column, None, "money", weight=weight)
        return None
    sheet.link(row, first - 2, block.subtotals["capex"], weight=weight)
    total = sheet.link(row, first - 1, block.nominal, weight=weight)
    for n, payer in enumerate(payers):
        if payer in block.payers:
            sheet.link(row, first + n, block.payers[payer], weight=weight)
        else:
            sheet.number(row, first + n, None, "money", weight=weight)
    return total


def can_text(result: OptionResult, plan: Plan | None, lang: str) -> str:
    """Per workload that runs: largest batch on one card and the hours of one run."""
    if plan is None:
        return say("report.none", lang)
    found = []
    for item in plan.case.scenario.workloads:
        hours = result.typical_hours.get(item.id)
        if hours is not None:
            batch = number_text(result.largest_batch.get(item.id), lang)
            found.append(say("report.options.can", lang, workload=labels.workload(item, lang), batch=batch,
                             hours=hours_text(hours, lang)))  # fmt: skip
    return "\n".join(found) or say("report.none", lang)


def cannot_text(plan: Plan | None, lang: str) -> str:
    """Workloads without a way to run, runs left out, people who wait."""
    if plan is None:
        return say("report.options.all_out", lang)
    scenario = plan.case.scenario
    missing: dict[str, float] = {}
    for workload, _, runs in plan.shortfall:
        missing[workload] = missing.get(workload, 0.0) + runs / scenario.horizon_years
    found = []
    for item in scenario.workloads:
        name = labels.workload(item, lang)
        if item.id in missing:
            values = {"runs": number_text(missing[item.id], lang), "all": number_text(item.runs_per_year, lang)}
            found.append(say("report.options.left_out", lang, workload=name, **values))
        waiting = item.people_at_once - plan.people.get(item.id, 0)
        if waiting > 0:
            found.append(say("report.options.waiting", lang, workload=name, people=waiting))
    return "\n".join(found) or say("report.options.nothing_out", lang)
