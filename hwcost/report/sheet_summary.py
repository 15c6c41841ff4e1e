"""The one-page summary: the answer first, three figures, the options in short, what it rests on."""

from __future__ import annotations

from dataclasses import dataclass

from hwcost.explain import Conflict
from hwcost.messages import say
from hwcost.names import configuration_text, option_name, scenario_name
from hwcost.options import Comparison
from hwcost.plan import Plan
from hwcost.quantities import date_text, percent_text
from hwcost.report.book import Ref, Sheet, literal
from hwcost.report.cost_place import Block
from hwcost.report.cost_rows import drivers_of
from hwcost.report.inputs import Inputs
from hwcost.report.live import headline, while_unchanged
from hwcost.report.risk_data import RiskData
from hwcost.report.sheet_budget import Budget
from hwcost.report.sheet_checks import Verdict
from hwcost.report.sheet_options import Enough, Table, enough_name, full_name
from hwcost.sentences import answer, repair_text

COLUMNS = 6
WIDTHS = {0: 7.0, 1: 32.0, 2: 17.0, 3: 17.0, 4: 9.0, 5: 48.0}


@dataclass
class Summary:
    """The sheet, and the row where the verdict of the checks goes."""

    sheet: Sheet
    verdict_row: int = 0


@dataclass(frozen=True)
class Told:
    """The sentences of the answer, what would repair a conflict, and the state of the proof."""

    answer: list[str]
    repairs: list[str]
    state: list[str]

    @property
    def every(self) -> list[str]:
        return [*self.answer, *self.repairs, *self.state]


@dataclass(frozen=True)
class Facts:
    """What the other sheets hold of a plan with figures: cells that the summary shows."""

    sentences: list[Ref]  # in the order of `Told.every`
    block: Block
    blocks: dict[str, Block]  # by letter
    inputs: Inputs
    budget: Budget | None
    table: Table | None
    enough: Enough | None
    risk: RiskData


def told(plan: Plan, comparison: Comparison | None, lang: str, need: Plan | None, conflict: Conflict | None) -> Told:
    """All that the summary says in sentences about this plan, the same as on the screen."""
    repairs = [repair_text(r, plan.case.scenario, lang) for r in conflict.repairs] if conflict else []
    state = [
        say("report.summary.status", lang, status=say(f"status.{plan.status}", lang),
            objective=say(f"objective.{plan.objective}", lang))
    ]  # fmt: skip
    if plan.gap:
        state.append(say("status.gap", lang, gap=percent_text(plan.gap, lang)))
    return Told(answer(plan, comparison, lang, need=need, conflict=conflict), repairs, state)


def write(sheet: Sheet, plan: Plan, comparison: Comparison | None, texts: Told, facts: Facts | None) -> Summary:
    """Everything but the verdict, which needs the sheet of checks."""
    book, scenario = sheet.book, plan.case.scenario
    sheet.fixed |= WIDTHS
    sheet.text(0, 0, book.say("summary.title"), weight="title", fit=False)
    sheet.text(1, 0, scenario_name(scenario, book.lang), weight="note", wrap=True, across=COLUMNS)
    row = 3
    for n, sentence in enumerate([*texts.answer, *texts.repairs]):
        if n == len(texts.answer):
            row += 1
            sheet.text(row, 0, book.say("summary.repairs"), weight="heading", fit=False)
            row += 1
        _sentence(sheet, row, n, sentence, facts)
        row += 1
    row += 1
    if facts is not None:
        row = _figures(sheet, row, plan, facts.block)
        row = _use(sheet, row + 1, plan, facts.block)
        if comparison is not None and facts.table is not None:
            row = _options(sheet, row + 1, comparison, facts, facts.table)
        row = _route(sheet, row + 1, facts.budget)
        row = _would_change(sheet, row + 1, plan, comparison, facts)
    row = _rests_on(sheet, row + 1, plan, texts, facts)
    return Summary(sheet, row + 1)


def _sentence(sheet: Sheet, row: int, number: int, text: str, facts: Facts | None) -> None:
    """One sentence; where there are figures that may change, it stands only while no input is changed."""
    weight = "lead" if number == 0 else "none"
    if facts is None:
        sheet.text(row, 0, text, weight=weight, wrap=True, across=COLUMNS)
    elif number == 0:
        headline(sheet, row, facts.sentences[0], facts.inputs, facts.budget, weight=weight, across=COLUMNS)
    else:
        while_unchanged(sheet, row, 0, facts.sentences[number], facts.inputs, weight=weight, across=COLUMNS)


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


def _use(sheet: Sheet, row: int, plan: Plan, block: Block) -> int:
    """Busy card-hours a year, what the cards could give, and the share."""
    cards, busy = block.use["cards"], block.use["card_hours"]
    if not cards:
        return row
    book, years = sheet.book, plan.case.scenario.horizon_years
    drivers = [drivers_of(plan, build) for build in {p.build.id: p.build for p in plan.purchases}.values()]
    hours = sum(sum(d["card_hours"]) for d in drivers) / years
    room = sum(sum(d["cards"]) for d in drivers) / years * plan.case.scenario.available_hours_per_card_year
    count = f"COUNT({busy[0]})"
    spots = ((0, 2), (2, 2), (4, 2))
    for (column, across), name in zip(spots, ("use_busy", "use_room", "use_share"), strict=True):
        sheet.text(row, column, book.say(f"summary.{name}"), weight="header", wrap=True, across=across)
        style = book.styles.get("percent" if name == "use_share" else "count", "link", "figure")
        sheet.raw.merge_range(row + 1, column, row + 1, column + across - 1, "", style)
    need = sheet.formula(row + 1, 0, f"SUM({','.join(busy)})/{count}", hours, "count", role="link", weight="figure")
    could = sheet.formula(row + 1, 2, f"SUM({','.join(cards)})*in_available_hours_per_card_year/{count}", room, "count",
                          role="link", weight="figure")  # fmt: skip
    share = f"IF({could.at(sheet.title)}>0,{need.at(sheet.title)}/{could.at(sheet.title)},0)"
    sheet.formula(row + 1, 4, share, hours / room if room else 0.0, "percent", role="link", weight="figure")
    sheet.raw.set_row(row + 1, 24.0)
    sheet.text(row + 2, 0, book.say("summary.use_note"), weight="note", wrap=True, across=COLUMNS)
    return row + 3


def _route(sheet: Sheet, row: int, budget: Budget | None) -> int:
    """The suggested procurement route in one line; none where nothing is bought."""
    book = sheet.book
    if budget is None:
        return row
    sheet.text(row, 0, book.say("route.title"), weight="heading", fit=False)
    found = budget.route
    if found is None:
        sheet.text(row + 1, 0, book.say("route.unknown"), weight="none", wrap=True, across=COLUMNS)
        return row + 2
    here, colon = sheet.title, book.say("route.colon")
    pieces = [
        (found.profile, colon), (found.method, book.say("route.quotes_before")),
        (found.quotes, book.say("route.days_before")), (found.days, book.say("route.end")),
    ]  # fmt: skip
    formula = "&".join(f"{ref.at(here)}&{literal(text)}" for ref, text in pieces)
    value = "".join(f"{ref.value}{text}" for ref, text in pieces)
    sheet.formula_text(row + 1, 0, formula, value, weight="none", across=COLUMNS)
    return row + 2


def _options(sheet: Sheet, row: int, comparison: Comparison, facts: Facts, table: Table) -> int:
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
        block = facts.blocks.get(result.letter)
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
        while_unchanged(sheet, row, 5, table.reasons[result.letter], facts.inputs, weight=weight)
        row += 1
    if facts.enough is not None and table.enough is not None:
        _enough(sheet, row, facts.enough, table.enough, facts.inputs)
        row += 1
    if impossible:
        names_of = ("；" if lang == "zh" else "; ").join(impossible)
        text = book.say("summary.impossible", names=names_of)
        sheet.text(row, 0, text, weight="note", wrap=True, across=COLUMNS)
        row += 1
    return row


def _enough(sheet: Sheet, row: int, enough: Enough, reason: Ref, inputs: Inputs) -> None:
    """The smallest purchase that does the work, below the options."""
    lang, plan, block = sheet.book.lang, enough.plan, enough.block
    assert block.nominal is not None
    sheet.text(row, 0, "")
    sheet.text(row, 1, f"{enough_name(plan, lang)}\n{configuration_text(plan.purchases, lang)}", wrap=True)
    sheet.link(row, 2, block.subtotals["capex"])
    sheet.link(row, 3, block.nominal)
    sheet.number(row, 4, float(plan.people_at_once), "count")
    while_unchanged(sheet, row, 5, reason, inputs)


def _would_change(sheet: Sheet, row: int, plan: Plan, comparison: Comparison | None, facts: Facts) -> int:
    """At most two lines: the rise of the price that the budget bears, and the price at which the answer changes."""
    book, here, budget = sheet.book, sheet.title, facts.budget
    lines = []
    if budget is not None and budget.limit is not None:
        left = f"{budget.limit.at(here)}-{budget.spent.at(here)}"
        before, after = (
            book.say("summary.bears_before"),
            book.say("summary.bears_after", currency=facts.inputs.scenario.currency),
        )
        shown = f"{max(0.0, budget.limit.value - budget.spent.value):,.2f}"
        formula = f"{literal(before)}&FIXED(MAX(0,{left}),in_price_decimals)&{literal(after)}"
        lines.append((formula, f"{before}{shown}{after}"))
    mine = next((s for s in facts.risk.switching if comparison and s.letter == comparison.chosen), None)
    if mine is not None:
        lines.append((literal(mine.outcome[book.lang]), mine.outcome[book.lang]))
    if not lines:
        return row - 1
    sheet.text(row, 0, book.say("summary.would_change"), weight="heading", fit=False)
    row += 1
    for formula, text in lines:
        sheet.formula_text(row, 0, formula, text, weight="none", across=COLUMNS)
        row += 1
    return row


def _rests_on(sheet: Sheet, row: int, plan: Plan, texts: Told, facts: Facts | None) -> int:
    """Ages and kinds of the prices, the evidence behind the hours, and the state of the proof."""
    book, lang = sheet.book, sheet.book.lang
    sheet.text(row, 0, book.say("summary.rests_on"), weight="heading", fit=False)
    row += 1
    first = len(texts.answer) + len(texts.repairs)
    for n, text in enumerate(texts.state):
        if facts is None:
            sheet.text(row, 0, text, weight="none", wrap=True, across=COLUMNS)
        else:
            while_unchanged(sheet, row, 0, facts.sentences[first + n], facts.inputs, weight="none", across=COLUMNS)
        row += 1
    lines = []
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
    if facts is not None:
        lines.append(book.say("summary.choice_note"))
    for line in lines:
        sheet.text(row, 0, line, weight="none", wrap=True, across=COLUMNS)
        row += 1
    return row
