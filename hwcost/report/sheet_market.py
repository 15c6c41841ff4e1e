"""Market survey: quotations with their age and how they differ from the catalog, and the prices behind the parts."""

from __future__ import annotations

from hwcost.build import Build
from hwcost.costs import price_per_node
from hwcost.messages import say
from hwcost.plan import Plan
from hwcost.pricing import is_stale, quote_max_age
from hwcost.procurement_route import Route
from hwcost.records import Price
from hwcost.report import labels
from hwcost.report.book import Ref, Sheet, cell
from hwcost.report.labels import source_text

COLUMNS = ("supplier", "contact", "number", "machine", "day", "valid", "age", "basis", "whole", "total", "estimate",
           "differs", "delivery", "warranty", "payment", "verdict")  # fmt: skip
(SUPPLIER, CONTACT, NUMBER, MACHINE, DAY, VALID, AGE, BASIS, WHOLE, TOTAL, ESTIMATE, DIFFERS, DELIVERY, WARRANTY,
 PAYMENT, VERDICT) = range(16)  # fmt: skip
PART_COLUMNS = ("item", "kind", "supplier", "price", "day", "valid", "age", "basis", "currency", "used", "source")
WIDTHS = {
    SUPPLIER: 20.0, CONTACT: 10.0, NUMBER: 13.0, MACHINE: 18.0, AGE: 7.0, BASIS: 9.0,
    WHOLE: 9.0, DIFFERS: 8.0, DELIVERY: 9.0, WARRANTY: 9.0, PAYMENT: 10.0, VERDICT: 18.0,
}  # fmt: skip
EMPTY_ROWS = 3  # for quotations that come in later
EVIDENCE = ("competition", "contract", "history", "catalogue", "estimate")
TICK = "☐"


def write(sheet: Sheet, plan: Plan, found: Route) -> None:
    book, scenario = sheet.book, plan.case.scenario
    sheet.fixed |= WIDTHS
    sheet.text(0, 0, book.say("sheet.market"), weight="title", fit=False)
    sheet.text(1, 0, book.say("market.how"), weight="note", wrap=True, across=VERDICT + 1)
    sheet.text(2, 0, book.say("market.day"), weight="total", across=2, fit=False)
    day = sheet.day(2, NUMBER, scenario.as_of)
    max_age = quote_max_age(plan.case.catalog, scenario.procurement)
    sheet.text(3, 0, book.say("market.max_age"), weight="total", across=2, fit=False)
    sheet.number(3, NUMBER, float(max_age), "count")
    quoted = [b for b in plan.case.build_set.builds if b.system is not None]
    row = _quotes(sheet, 5, plan, quoted, day, max_age)
    row = _count(sheet, row, plan, quoted, found)
    row = _parts(sheet, row + 1, plan, day)
    _reason(sheet, row + 1)
    sheet.finish(freeze=(4, 0))


def _heads(sheet: Sheet, row: int, names: tuple[str, ...], currency: str) -> None:
    sheet.headers(row, 0, [sheet.book.say(f"market.col.{name}", currency=currency) for name in names])


def _quotes(sheet: Sheet, row: int, plan: Plan, quoted: list[Build], day: Ref, max_age: int) -> int:
    book = sheet.book
    sheet.text(row, 0, book.say("market.quotes"), weight="heading", fit=False)
    _heads(sheet, row + 1, COLUMNS, plan.case.scenario.currency)
    row += 2
    for build in sorted(quoted, key=lambda b: (price_per_node(plan.case.scenario, b), b.id)):
        _quote(sheet, row, plan, build, day, max_age)
        row += 1
    for _ in range(EMPTY_ROWS):
        for column in range(len(COLUMNS)):
            sheet.text(row, column, "", role="fill", fit=False)
        row += 1
    return row


def _quote(sheet: Sheet, row: int, plan: Plan, build: Build, day: Ref, max_age: int) -> None:
    book, scenario = sheet.book, plan.case.scenario
    system = build.system
    assert system is not None
    part = build.parts[0]
    sheet.text(row, SUPPLIER, system.vendor or part.price.vendor, wrap=True)
    sheet.blank(row, CONTACT, book.say("market.col.contact"))
    sheet.text(row, NUMBER, system.quote_number, wrap=True)
    sheet.text(row, MACHINE, labels.machine(build, book.lang), wrap=True)
    written = sheet.day(row, DAY, part.price.as_of)
    sheet.day(row, VALID, part.price.valid_until)
    _age(sheet, row, day, written)
    sheet.text(row, BASIS, book.say("market.taxed" if part.price.tax_included else "market.untaxed"))
    sheet.text(row, WHOLE, book.say("yes"))
    total = price_per_node(scenario, build)
    sheet.number(row, TOTAL, total, "money")
    other = _composed(plan, build)
    sheet.number(row, ESTIMATE, other, "money")
    if other is None:
        sheet.text(row, DIFFERS, "")
    else:
        sheet.formula(row, DIFFERS, f"{cell(row, TOTAL)}/{cell(row, ESTIMATE)}-1", total / other - 1.0, "percent")
    sheet.number(row, DELIVERY, system.delivery_weeks, "plain")
    sheet.number(row, WARRANTY, system.warranty_years, "plain")
    sheet.blank(row, PAYMENT, book.say("market.col.payment"))
    chosen = any(p.build.id == build.id for p in plan.bought)
    stale = is_stale(part.price, scenario.as_of, max_age)
    key = "accepted" if chosen else "example" if system.example else "too_old" if stale else "dearer"
    sheet.text(row, VERDICT, book.say(f"market.{key}"), wrap=True)


def _age(sheet: Sheet, row: int, day: Ref, written: Ref) -> None:
    days = (day.value - written.value).days
    formula = f"{day.at(sheet.title)}-{cell(row, written.column)}"
    sheet.formula(row, AGE, formula, float(days), "count")


def _composed(plan: Plan, build: Build) -> float | None:
    """The cheapest machine of the same cards and number that is composed from the catalog's parts, with tax."""
    same = [
        b for b in plan.case.build_set.builds
        if b.system is None and not b.owned and b.service is None and not b.upgrade_of and b.parts
        and b.card.id == build.card.id and b.cards == build.cards
    ]  # fmt: skip
    host = [b for b in same if b.chassis.id == build.chassis.id] or same
    return min((price_per_node(plan.case.scenario, b) for b in host), default=None)


def _count(sheet: Sheet, row: int, plan: Plan, quoted: list[Build], found: Route) -> int:
    """Quotations at hand against those that the rules ask for, with the paragraph for a single source."""
    book = sheet.book
    have = sum(1 for b in quoted if b.system is not None and not b.system.example)
    need = found.quotes_needed
    if not quoted:
        sheet.text(row, 0, book.say("market.none"), weight="none", wrap=True, across=VERDICT + 1)
        row += 1
    text = book.say("market.count", have=have, need=need) if need else book.say("market.count_open", have=have)
    few = need is not None and have < need
    sheet.text(row, 0, text, weight="warning" if few else "none", wrap=True, across=VERDICT + 1)
    row += 1
    if few:
        sheet.text(row, 0, book.say("market.sole"), wrap=True, across=TOTAL)
        sheet.blank(row, TOTAL, book.say("requirements.single"), across=VERDICT - TOTAL + 1)
        row += 1
    for key in ("lowest", "history"):
        sheet.text(row, 0, book.say(f"market.{key}"), wrap=True, across=TOTAL)
        sheet.blank(row, TOTAL, book.say(f"market.{key}"), across=VERDICT - TOTAL + 1)
        row += 1
    return row


def _parts(sheet: Sheet, row: int, plan: Plan, day: Ref) -> int:
    """All price rows of the chosen parts in the region or for all regions, the one in use marked."""
    book, catalog, scenario = sheet.book, plan.case.catalog, plan.case.scenario
    parts = {p.item_id: p for purchase in plan.bought for p in purchase.build.parts}
    if not parts:
        return row
    sheet.text(row, 0, book.say("market.parts"), weight="heading", fit=False)
    _heads(sheet, row + 1, PART_COLUMNS[:-1], scenario.currency)
    last = len(PART_COLUMNS) - 1
    sheet.text(row + 1, last, book.say("market.col.source"), weight="header", across=VERDICT - last + 1, fit=False)
    row += 2
    for item_id, part in parts.items():
        known = [p for p in catalog.prices if p.item_id == item_id and p.as_of <= scenario.as_of]
        for price in sorted(known, key=lambda p: (p != part.price, p.as_of, p.source)):
            name = labels.part(catalog, item_id, part.name, book.lang)
            _price(sheet, row, name, price, day, used=price == part.price)
            row += 1
    return row


def _price(sheet: Sheet, row: int, name: str, price: Price, day: Ref, *, used: bool) -> None:
    book = sheet.book
    sheet.text(row, 0, name, wrap=True)
    sheet.text(row, 1, say(f"pricekind.{price.price_kind}", book.lang))
    sheet.text(row, 2, price.vendor, wrap=True)
    sheet.number(row, 3, price.amount, "money")
    written = sheet.day(row, DAY, price.as_of)
    sheet.day(row, VALID, price.valid_until)
    _age(sheet, row, day, written)
    sheet.text(row, BASIS, book.say("market.taxed" if price.tax_included else "market.untaxed"))
    sheet.text(row, 8, price.currency)
    sheet.text(row, 9, book.say("market.used") if used else "")
    last = len(PART_COLUMNS) - 1
    sheet.text(row, last, source_text(price.source, book.lang), wrap=True, across=VERDICT - last + 1)


def _reason(sheet: Sheet, row: int) -> None:
    """Boxes to tick, and the statement on price and interest."""
    book = sheet.book
    sheet.text(row, 0, book.say("market.evidence"), weight="heading", fit=False)
    row += 1
    for key in EVIDENCE:
        sheet.text(row, 0, TICK, role="fill")
        sheet.text(row, 1, book.say(f"market.evidence.{key}"), across=VERDICT, fit=False)
        row += 1
    sheet.text(row, 0, book.say("market.certify"), wrap=True, across=TOTAL)
    sheet.blank(row, TOTAL, book.say("market.signed"), across=VERDICT - TOTAL + 1)
