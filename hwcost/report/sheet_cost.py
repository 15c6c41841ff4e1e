"""Sheets of costs: the plan's three years, and in the annex the same block for every other option."""

from __future__ import annotations

from hwcost.plan import Plan
from hwcost.report import cost_six_years, cost_units
from hwcost.report.book import Sheet
from hwcost.report.cost_block import set_widths, write_block
from hwcost.report.cost_place import FIRST_YEAR, Block
from hwcost.report.inputs import Inputs

TOP = 4


def write(sheet: Sheet, plan: Plan, inputs: Inputs) -> Block:
    """The plan's cost; header rows repeat on every printed page."""
    _title(sheet, "cost", plan)
    block, row = write_block(sheet, TOP, plan, inputs, by_category=True)
    sheet.raw.set_h_pagebreaks([row + 1])  # six years and what follows stand together on a page
    row = cost_six_years.write(sheet, row + 1, plan, block)
    cost_units.write(sheet, row + 1, plan, block)
    sheet.header_rows = (TOP, TOP + 1)
    sheet.finish(freeze=(TOP + 2, FIRST_YEAR))
    return block


def write_annex(sheet: Sheet, plans: list[tuple[str, Plan, str]], inputs: Inputs) -> dict[str, Block]:
    """A block per plan (letter, plan, printed name); returns them by letter."""
    blocks: dict[str, Block] = {}
    row = TOP
    for letter, plan, name in plans:
        if row == TOP:
            _title(sheet, "annex", plan)
        sheet.text(row, 0, name, weight="heading", fit=False)
        blocks[letter], row = write_block(sheet, row + 1, plan, inputs, by_category=False)
        row += 2
    sheet.finish(freeze=(TOP, FIRST_YEAR))
    return blocks


def _title(sheet: Sheet, key: str, plan: Plan) -> None:
    book, scenario = sheet.book, plan.case.scenario
    set_widths(sheet)
    sheet.text(0, 0, book.say(f"sheet.{key}"), weight="title", fit=False)
    sheet.text(1, 0, book.say("money_basis", currency=scenario.currency, years=scenario.horizon_years), weight="note",
               fit=False)  # fmt: skip
    sheet.text(2, 0, book.say(f"{key}.how"), weight="note", fit=False)
