"""The one-page summary: the answer first, three figures, the options in short, what it rests on."""

from __future__ import annotations

from dataclasses import dataclass

from hwcost.explain import Conflict
from hwcost.messages import say
from hwcost.names import configuration_text, option_name, scenario_name
from hwcost.options import Comparison
from hwcost.plan import Plan
from hwcost.quantities import date_text, percent_text
from hwcost.report.book import Sheet
from hwcost.report.cost_block import Block
from hwcost.report.sheet_checks import Verdict
from hwcost.report.sheet_options import full_name
from hwcost.sentences import answer, repair_text, why_not

COLUMNS = 6
WIDTHS = {0: 7.0, 1: 32.0, 2: 17.0, 3: 17.0, 4: 9.0, 5: 48.0}


@dataclass
class Summary:
    """The sheet, and the row where the verdict of the checks goes."""

    sheet: Sheet
    verdict_row: int = 0


def write(
    sheet: Sheet, plan: Plan, comparison: Comparison | None, block: Block | None, blocks: dict[str, Block],
    need: Plan | None, conflict: Conflict | None,
) -> Summary:  # fmt: skip
    """Everything but the verdict, which needs the sheet of checks."""
    book, scenario = sheet.book, plan.case.scenario
    sheet.fixed |= WIDTHS
    sheet.text(0, 0, book.say("summary.title"), weight="title", fit=False)
    sheet.text(1, 0, scenario_name(scenario, book.lang), weight="note", wrap=True, across=COLUMNS)
    row = 3
    for n, sentence in enumerate(answer(plan, comparison, book.lang, need=need, conflict=conflict)):
        weight = "lead" if n == 0 else "none"
        sheet.text(row, 0, sentence, weight=weight, wrap=True, across=COLUMNS)
        row += 1
    if conflict is not None:
        for repair in conflict.repairs:
            text = repair_text(repair, scenario, book.lang)
            sheet.text(row, 0, text, weight="none", wrap=True, across=COLUMNS)
            row += 1
    row += 1
    if block is not None:
        row = _figures(sheet, row, plan, block)
    if comparison is not None and block is not None:
        row = _options(sheet, row + 1, comparison, blocks)
    row = _rests_on(sheet, row + 1, plan)
    return Summary(sheet, row)


def write_verdict(summary: Summary, verdict: Verdict) -> None:
    sheet = summary.sheet
    for n, (key, ref) in enumerate((("checks.all", verdict.word), ("checks.changed", verdict.changed))):
        row = summary.verdict_row + n
        sheet.text(row, 0, sheet.book.say(key), across=2, fit=False)
        sheet.raw.merge_range(row, 2, row, COLUMNS - 1, "", sheet.book.styles.get("text", "link", "cell"))
        sheet.formula(row, 2, ref.at(sheet.title), ref.value, "text", role="link")


def finish(summary: Summary) -> None:
    summary.sheet.finish(one_page=True)


def _figures(sheet: Sheet, row: int, plan: Plan, block: Block) -> int:
    """Purchase with tax, total over the years, people at once."""
    book, scenario = sheet.book, plan.case.scenario
    spots = ((0, 2), (2, 2), (4, 2))
    names = ("purchase", "three_year", "people")
    for (column, across), name in zip(spots, names, strict=True):
        label = book.say(f"summary.{name}", currency=scenario.currency, years=scenario.horizon_years)
        sheet.text(row, column, label, weight="header", wrap=True, across=across)
    assert block.nominal is not None
    for (column, across), ref in zip(spots[:2], (block.subtotals["capex"], block.nominal), strict=True):
        style = sheet.book.styles.get("money", "link", "figure")
        sheet.raw.merge_range(row + 1, column, row + 1, column + across - 1, "", style)
        sheet.formula(row + 1, column, ref.at(sheet.title), ref.value, role="link", weight="figure")
    style = sheet.book.styles.get("count", "solver", "figure")
    sheet.raw.merge_range(row + 1, 4, row + 1, 5, "", style)
    sheet.number(row + 1, 4, float(plan.people_at_once), "count", role="solver", weight="figure")
    sheet.raw.set_row(row + 1, 24.0)
    return row + 2


def _options(sheet: Sheet, row: int, comparison: Comparison, blocks: dict[str, Block]) -> int:
    """The options in short; those that nobody can buy are named in one line below."""
    book, lang = sheet.book, sheet.book.lang
    years = comparison.best.case.scenario.horizon_years
    sheet.text(
        row,
        0,
        book.say("summary.options", currency=comparison.best.case.scenario.currency),
        weight="heading",
        fit=False,
    )
    names = ("letter", "option", "price_gross", "three_year", "people", "reason")
    sheet.headers(row + 1, 0, [book.say(f"col.{n}", years=years) for n in names])
    row += 2
    impossible = []
    for result in comparison.results:
        block = blocks.get(result.letter)
        plan = result.plan
        if block is None or block.nominal is None or plan is None:
            impossible.append(full_name(result, lang))
            continue
        weight = "total" if result.letter == comparison.chosen else "cell"
        sheet.text(row, 0, result.letter, weight=weight)
        name = f"{option_name(result, lang)}\n{configuration_text(plan.purchases, lang)}"
        sheet.text(row, 1, name, weight=weight, wrap=True)
        sheet.link(row, 2, block.subtotals["capex"], weight=weight)
        sheet.link(row, 3, block.nominal, weight=weight)
        sheet.number(row, 4, float(plan.people_at_once), "count", weight=weight)
        sheet.text(row, 5, why_not(result, comparison, lang), weight=weight, wrap=True)
        row += 1
    if impossible:
        names_of = ("；" if lang == "zh" else "; ").join(impossible)
        text = book.say("summary.impossible", names=names_of)
        sheet.text(row, 0, text, weight="note", wrap=True, across=COLUMNS)
        row += 1
    return row


def _rests_on(sheet: Sheet, row: int, plan: Plan) -> int:
    """Ages and kinds of the prices, the evidence behind the hours, and the state of the proof."""
    book, lang = sheet.book, sheet.book.lang
    sheet.text(row, 0, book.say("summary.rests_on"), weight="heading", fit=False)
    row += 1
    lines = [book.say("summary.status", status=say(f"status.{plan.status}", lang),
                      objective=say(f"objective.{plan.objective}", lang))]  # fmt: skip
    if plan.gap:
        lines.append(say("status.gap", lang, gap=percent_text(plan.gap, lang)))
    parts = [part for p in plan.bought for part in p.build.parts]
    if parts:
        oldest = min(p.price.as_of for p in parts)
        kinds = [say(f"pricekind.{k}", lang) for k in dict.fromkeys(p.price.price_kind for p in parts)]
        stale = len({p.item_id for p in parts if p.stale})
        comma = "、" if lang == "zh" else ", "
        lines.append(book.say("summary.prices", oldest=date_text(oldest, lang), kinds=comma.join(kinds), stale=stale))
    hours: dict[str, float] = {}
    for assignment in plan.assignments:
        tier = assignment.strategy.evidence
        hours[tier] = hours.get(tier, 0.0) + assignment.card_hours
    whole = sum(hours.values())
    if whole:
        shares = {tier: percent_text(hours.get(tier, 0.0) / whole, lang) for tier in
                  ("measured", "transferred", "estimated")}  # fmt: skip
        lines.append(book.say("summary.evidence", **shares))
    lines.append(book.say("summary.choice_note"))
    for line in lines:
        sheet.text(row, 0, line, weight="none", wrap=True, across=COLUMNS)
        row += 1
    return row
