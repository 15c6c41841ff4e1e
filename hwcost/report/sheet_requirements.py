"""Technical requirements without brands, and beside them, for the file only, the products that meet each."""

from __future__ import annotations

from hwcost.names import configuration_text, listed
from hwcost.plan import Plan
from hwcost.report.book import Sheet
from hwcost.requirements import PRODUCTS_NEEDED, Requirement, Requirements, line_text, margin_text, warnings

NO, STAR, TEXT, COUNT, PRODUCTS = range(5)
WIDTHS = {NO: 6.0, STAR: 6.0, TEXT: 58.0, COUNT: 10.0, PRODUCTS: 62.0}
STAR_MARK = "★"
NAMED = 5  # products by name, the rest as a count


def write(sheet: Sheet, plan: Plan, needs: list[Requirements]) -> None:
    """A block for each kind of machine."""
    book = sheet.book
    sheet.fixed |= WIDTHS
    sheet.text(0, 0, book.say("sheet.requirements"), weight="title", fit=False)
    sheet.text(1, 0, book.say("requirements.how"), weight="note", wrap=True, across=PRODUCTS + 1)
    row = 3
    if not needs:
        sheet.text(row, 0, book.say("budget.nothing"), weight="lead", fit=False)
    for number, found in enumerate(needs, 1):
        row = _block(sheet, row, number, found, plan) + 1
    sheet.finish(freeze=(2, 0))


def _block(sheet: Sheet, row: int, number: int, found: Requirements, plan: Plan) -> int:
    book = sheet.book
    sheet.text(row, 0, book.say("requirements.lot", number=number), weight="heading", fit=False)
    sheet.headers(row + 1, 0, [book.say(f"requirements.col.{n}") for n in ("no", "star", "text", "count", "products")])
    row += 2
    for n, line in enumerate(found.lines, 1):
        sheet.number(row, NO, n, "year")
        sheet.text(row, STAR, STAR_MARK if line.starred else "")
        sheet.text(row, TEXT, line_text(line, book.lang), wrap=True)
        few = line.counted and len(line.products) < PRODUCTS_NEEDED
        sheet.number(row, COUNT, float(len(line.products)) if line.counted else None, "count",
                     weight="mark" if few else "cell")  # fmt: skip
        sheet.text(row, PRODUCTS, _products(sheet, line), wrap=True)
        row += 1
    sheet.text(row, 0, margin_text(found, book.lang), weight="note", wrap=True, across=PRODUCTS + 1)
    row += 1
    row = _together(sheet, row, found) if found.about_cards else row
    for text in warnings(found, book.lang):
        sheet.text(row, 0, text, weight="warning", wrap=True, across=PRODUCTS + 1)
        row += 1
    if not found.enough:
        label = book.say("requirements.single")
        sheet.text(row, 0, label, wrap=True, across=TEXT + 1)
        sheet.blank(row, COUNT, label, across=2)
        row += 1
    chosen = [p for p in plan.bought if p.build.id == found.build.id][:1]
    text = book.say("requirements.from", configuration=configuration_text(chosen, book.lang))
    sheet.text(row, 0, text, weight="note", wrap=True, across=PRODUCTS + 1)
    return row + 1


def _together(sheet: Sheet, row: int, found: Requirements) -> int:
    """The products that meet all the requirements on cards at once."""
    book = sheet.book
    join = "、" if book.lang == "zh" else ", "
    text = book.say(
        "requirements.together", count=len(found.cards), names=join.join(p.text(book.lang) for p in found.cards)
    )
    sheet.text(row, 0, text, weight="none", wrap=True, across=PRODUCTS + 1)
    row += 1
    return row


def _products(sheet: Sheet, line: Requirement) -> str:
    if not line.counted:
        return sheet.book.say("requirements.uncounted")
    return listed([p.text(sheet.book.lang) for p in line.products], sheet.book.lang, most=NAMED)
