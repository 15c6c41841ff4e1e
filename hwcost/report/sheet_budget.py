"""Sheet of configuration and budget: one line per part, net and with tax, with the age and kind of each price."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hwcost.amount_words import amount_words
from hwcost.costs import cents
from hwcost.messages import say
from hwcost.plan import Plan
from hwcost.report import labels, route
from hwcost.report.book import Book, Ref, Sheet, cell, literal, rows_fixed
from hwcost.report.cells import sheet_round
from hwcost.report.cost_place import Block, WrittenRow
from hwcost.report.inputs import CONSTANTS, PRICE_DECIMALS, Inputs, PricePlace
from hwcost.report.route import Route

(NO, ITEM, SPEC, QUANTITY, UNIT, NET, GROSS, AMOUNT_NET, AMOUNT, KIND, DAY, VALID, STALE, RATE, QUOTE, WARRANTY,
 DELIVERY) = range(17)  # fmt: skip
TOP = 4
NAMES = ["no", "item", "specification", "quantity", "unit", "unit_net", "unit_gross", "amount_net", "amount_gross",
         "price_kind", "price_date", "valid_until", "stale", "tax_rate", "quote",
         "warranty", "delivery"]  # fmt: skip


@dataclass(frozen=True)
class Budget:
    """The purchase with tax, and before it; what counts against the budget, and the budget, where there is one."""

    total: Ref
    net: Ref
    limit: Ref | None = None
    route: Route | None = None
    by_gross: bool = True

    @property
    def spent(self) -> Ref:
        """The purchase on the budget's own tax basis."""
        return self.total if self.by_gross else self.net


def write(sheet: Sheet, plan: Plan, block: Block, inputs: Inputs) -> Budget | None:
    """The sheet's totals; None where nothing is bought."""
    book, scenario = sheet.book, plan.case.scenario
    sheet.fixed |= {NO: 6.0, ITEM: 26.0, SPEC: 26.0, QUANTITY: 9.0, UNIT: 8.0, KIND: 12.0, STALE: 12.0, RATE: 9.0,
                    QUOTE: 16.0, WARRANTY: 9.0, DELIVERY: 9.0}  # fmt: skip
    sheet.text(0, 0, book.say("sheet.budget"), weight="title", fit=False)
    basis = book.say("money_basis", currency=scenario.currency, years=scenario.horizon_years)
    sheet.text(1, 0, basis, weight="note", fit=False)
    sheet.text(2, 0, book.say("budget.how"), weight="note", wrap=True, across=DELIVERY + 1)
    if not plan.bought:
        sheet.text(TOP, 0, book.say("budget.nothing"), weight="lead", fit=False)
        sheet.finish()
        return None
    sheet.headers(TOP, 0, [book.say(f"col.{name}") for name in NAMES])
    row, number = TOP + 1, 0
    values = [0.0, 0.0]
    for build in {p.build.id: p.build for p in plan.bought}.values():
        title = labels.machine(build, book.lang)
        if build.estimate_only:
            title = f"{title} {book.say('budget.estimate_only')}"
        sheet.text(row, NO, title, weight="heading", fit=False)
        row += 1
        for written in block.rows:
            if written.build is None or written.build.id != build.id or not _is_line(written):
                continue
            number += 1
            amounts = _line(sheet, row, number, written, plan, block)
            values = [total + amount for total, amount in zip(values, amounts, strict=True)]
            row += 1
    budget = replace(_totals(sheet, row, block, values), by_gross=scenario.budget_tax_included)
    row = _words_and_quotes(sheet, row + 4, plan, block, budget, inputs)
    limit = _against_budget(sheet, row + 1, plan, budget)
    found = route.write(sheet, row + 5, plan, budget.total, budget.net)
    sheet.header_rows = (TOP, TOP)
    sheet.finish(freeze=(TOP + 1, SPEC))
    return replace(budget, limit=limit, route=found)


def _is_line(written: WrittenRow) -> bool:
    return written.row.from_start and written.row.category != "tax"


def _line(sheet: Sheet, row: int, number: int, written: WrittenRow, plan: Plan, block: Block) -> tuple[float, float]:
    """One line; returns its amounts without and with tax."""
    book, item, build = sheet.book, written.row, written.build
    assert build is not None
    part = next((p for p in build.parts if p.item_id == item.item and p.role == item.category), None)
    sheet.number(row, NO, number, "year")
    category = say(f"category.{item.category}", book.lang)
    name = labels.part(plan.case.catalog, part.item_id, part.name, book.lang) if part else category
    sheet.text(row, ITEM, name, wrap=True)
    sheet.text(row, SPEC, _specification(written, plan, book), wrap=True)
    count = sum(written.money.quantities)
    sheet.formula(row, QUANTITY, f"SUM({block.quantities(written.line)})", count, "count", role="link")
    sheet.text(row, UNIT, labels.unit(item.unit, book.lang))
    net = written.money.price
    gross = sheet_round(net * (1.0 + plan.case.scenario.tax_rate), PRICE_DECIMALS)
    sheet.link(row, NET, written.price)
    sheet.formula(row, GROSS, f"ROUND({cell(row, NET)}*(1+in_tax_rate),in_price_decimals)", gross)
    sheet.formula(row, AMOUNT_NET, f"{cell(row, QUANTITY)}*{cell(row, NET)}", count * net)
    sheet.formula(row, AMOUNT, f"{cell(row, QUANTITY)}*{cell(row, GROSS)}", count * gross)
    sheet.text(row, KIND, say(f"pricekind.{part.price.price_kind}", book.lang) if part else "")
    sheet.day(row, DAY, part.price.as_of if part else None)
    sheet.day(row, VALID, part.price.valid_until if part else None)
    sheet.text(row, STALE, book.say("stale") if part and part.stale else "", weight="mark")
    sheet.formula(row, RATE, "in_tax_rate", plan.case.scenario.tax_rate, "percent", role="link")
    system = build.system
    sheet.text(row, QUOTE, system.quote_number if system else "", wrap=True)
    years = system.warranty_years if system else plan.case.scenario.warranty_years
    sheet.number(row, WARRANTY, years if part else None, "plain")
    weeks = (system.delivery_weeks if system else build.lead_weeks) or plan.case.scenario.lead_weeks or None
    sheet.number(row, DELIVERY, weeks if part else None, "plain")
    return count * net, count * gross


def _specification(written: WrittenRow, plan: Plan, book: Book) -> str:
    """What the part is; of a purchase in stages, in which year it is bought."""
    assert written.build is not None
    text, lot = labels.specification(written.build, written.row.category, book.lang), written.row.lot
    if lot is None or {p.year for p in plan.bought} == {0}:
        return text
    when = book.say("budget.in_year", year=lot + 1)
    return f"{text}{'；' if book.lang == 'zh' else '; '}{when}" if text else when


def _totals(sheet: Sheet, row: int, block: Block, values: list[float]) -> Budget:
    """Subtotal, tax, the difference that rounding leaves, and the total, which is that of the cost sheet."""
    say_ = sheet.book.say
    first, last = TOP + 1, row - 1
    capex, net = block.subtotals["capex"], block.subtotals["capex_net"]
    for n, key in enumerate(("subtotal", "tax", "rounding", "total")):
        sheet.text(row + n, NO, say_(f"budget.{key}"), weight="total", across=GROSS + 1, fit=False)
        for column in (AMOUNT_NET, AMOUNT):
            sheet.text(row + n, column, "", weight="total")
    sums = [
        sheet.formula(row, column, f"SUM({rows_fixed(first, last, column)})", value, weight="total")
        for column, value in zip((AMOUNT_NET, AMOUNT), values, strict=True)
    ]
    tax = f"{capex.at(sheet.title)}-{net.at(sheet.title)}"
    sheet.formula(row + 1, AMOUNT_NET, tax, capex.value - net.value, weight="total")
    rest = f"{capex.at(sheet.title)}-{cell(row, AMOUNT)}"
    sheet.formula(row + 2, AMOUNT, rest, capex.value - values[1], weight="total")
    net_total = f"{cell(row, AMOUNT_NET)}+{cell(row + 1, AMOUNT_NET)}"
    sheet.formula(row + 3, AMOUNT_NET, net_total, values[0] + capex.value - net.value, weight="total")
    total = f"{cell(row, AMOUNT)}+{cell(row + 2, AMOUNT)}"
    total_ref = sheet.formula(row + 3, AMOUNT, total, capex.value, weight="total")
    return Budget(total_ref, sums[0])


def _words_and_quotes(sheet: Sheet, row: int, plan: Plan, block: Block, budget: Budget, inputs: Inputs) -> int:
    """The total in words, and for each quoted machine whether its line equals the quotation."""
    book, scenario = sheet.book, plan.case.scenario
    assert inputs.changed is not None
    sheet.text(row, NO, book.say("budget.words"), weight="total", across=3, fit=False)
    words = amount_words(cents(budget.total.value), scenario.currency, book.lang)
    again = literal(book.say("checks.rerun"))
    formula = f"IF({inputs.changed.at(sheet.title)}=0,{literal(words)},{again})"
    sheet.formula_text(row, QUANTITY, formula, words, weight="total", across=AMOUNT - QUANTITY + 1)
    row += 1
    for build in {p.build.id: p.build for p in plan.bought}.values():
        number = build.system.quote_number if build.system else ""
        label = book.say("budget.equals", number=number) if number else labels.short_machine(build, book.lang)
        sheet.text(row, NO, label, weight="total", wrap=True, across=3)
        mine = [w for w in block.rows if w.build is not None and w.build.id == build.id and w.row.category == "system"]
        place = inputs.part_price.get(mine[0].row.item) if mine else None
        if place is None:
            sheet.text(row, QUANTITY, book.say("budget.no_quote"), weight="mark", across=AMOUNT - QUANTITY + 1)
        else:
            _equals(sheet, row, mine[0], place, build.parts[0].unit_price_net)
        row += 1
    return row


def _equals(sheet: Sheet, row: int, written: WrittenRow, place: PricePlace, quoted: float) -> None:
    """The unit price equals the quotation, on its own tax basis, to the cent that its net price loses. At a later
    year's price it does not."""
    book, here = sheet.book, sheet.title
    price = f"{place.amount.at(here)}{place.rate}"
    taxed = f"IF({place.taxed.at(here)}=1,1+in_tax_rate,1)"
    off = f"ABS({written.price.at(here)}*{taxed}-{price})"
    words = book.say("budget.equal"), book.say("budget.unequal")
    formula = f"IF({off}<=in_cent,{literal(words[0])},{literal(words[1])})"
    same = abs(written.money.price - quoted) <= CONSTANTS["cent"][0]
    sheet.formula_text(row, QUANTITY, formula, words[0 if same else 1], weight="mark", across=AMOUNT - QUANTITY + 1)


def _against_budget(sheet: Sheet, row: int, plan: Plan, budget: Budget) -> Ref | None:
    """The equipment budget beside the purchase, on the budget's own tax basis."""
    scenario, book = plan.case.scenario, sheet.book
    if scenario.budget is None:
        sheet.text(row, NO, book.say("budget.no_limit"), weight="note", fit=False)
        return None
    basis = "gross" if scenario.budget_tax_included else "net"
    sheet.text(row, NO, book.say(f"budget.limit_{basis}"), weight="total", across=GROSS + 1, fit=False)
    sheet.text(row + 1, NO, book.say("budget.left"), weight="total", across=GROSS + 1, fit=False)
    for line in (row, row + 1):
        sheet.text(line, AMOUNT_NET, "", weight="total")
    limit = sheet.number(row, AMOUNT, scenario.budget, "money", weight="total")
    left = f"{limit.at(sheet.title)}-{budget.spent.at(sheet.title)}"
    sheet.formula(row + 1, AMOUNT, left, scenario.budget - plan.budget_used, weight="total")
    if scenario.spend_by:
        text = book.say("budget.spend_by", date=scenario.spend_by.isoformat())
        sheet.text(row + 2, NO, text, weight="note", fit=False)
    return limit
