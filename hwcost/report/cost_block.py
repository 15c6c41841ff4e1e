"""The block of cost rows of one plan on a sheet: drivers, rows, and totals by year, group, category and payer.

Year columns have the same formula in each year. The block gives back where its totals stand.
"""

from __future__ import annotations

from hwcost.plan import Plan
from hwcost.report.book import Sheet, cell, rows_fixed
from hwcost.report.cost_lines import given
from hwcost.report.cost_machine import write_machine
from hwcost.report.cost_place import FIRST_YEAR, GROUP, LABEL_WIDTHS, Block, say_on
from hwcost.report.cost_tables import write_tables
from hwcost.report.inputs import Inputs


def set_widths(sheet: Sheet) -> None:
    sheet.fixed |= LABEL_WIDTHS


def write_block(sheet: Sheet, top: int, plan: Plan, inputs: Inputs, *, by_category: bool) -> tuple[Block, int]:
    """Write the block from row `top`; returns it and the next free row."""
    block = Block(plan, sheet, plan.case.scenario.horizon_years)
    head = _head(block, top)
    row = head + 3
    block.first = row
    builds = {p.build.id: p.build for p in plan.purchases}
    for build in builds.values():
        row = write_machine(block, row, head, build, inputs)
    rest = [n for n in plan.cost_lines if n.build_id not in builds]
    for build_id in dict.fromkeys(n.build_id for n in rest):
        lines = [n for n in rest if n.build_id == build_id]
        row = given(block, row, head, plan.case.build_by_id.get(build_id), lines, inputs)
    if row == block.first:
        row += 1  # nothing bought, nothing kept: an empty row, so that sums have a range
    block.last = row - 1
    row = _total(block, row, head)
    row = write_tables(block, row + 1, by_category)
    return block, row


def _head(block: Block, top: int) -> int:
    """Two rows of headers and two of discount factors; returns the row of the year numbers."""
    sheet, years = block.sheet, block.years
    for column in range(FIRST_YEAR):
        sheet.text(top, column, "", weight="header")
    for first, key in ((block.quantity_column(0), "quantity"), (block.amount_column(0), "amount")):
        sheet.text(top, first, say_on(block, f"col.{key}"), weight="header", across=years, fit=False)
    for column in (block.total_column, block.total_column + 1):
        sheet.text(top, column, "", weight="header")
    head = top + 1
    names = ["group", "category", "item", "payer", "unit", "per", "unit_price"]
    sheet.headers(head, 0, [say_on(block, f"col.{name}") for name in names])
    for year in range(years):
        sheet.number(head, block.quantity_column(year), year + 1.0, "year_number", weight="header")
        sheet.number(head, block.amount_column(year), year + 1.0, "year_number", weight="header")
    sheet.headers(head, block.total_column, [say_on(block, "col.total"), say_on(block, "col.present_value")])
    rate = block.plan.case.scenario.discount_rate
    for n, key in enumerate(("start", "end")):
        row = head + 1 + n
        sheet.text(row, GROUP, say_on(block, f"cost.factor_{key}"), weight="note", fit=False)
        for year in range(years):
            column = block.amount_column(year)
            power = cell(head, column) if n else f"({cell(head, column)}-1)"
            sheet.formula(row, column, f"1/(1+in_discount_rate)^{power}", (1.0 + rate) ** -(year + n), "factor")
    return head


def _total(block: Block, row: int, head: int) -> int:
    sheet, plan = block.sheet, block.plan
    for column in range(block.amount_column(0)):
        sheet.text(row, column, say_on(block, "col.grand_total") if column == GROUP else "", weight="total", fit=False)
    for year in range(block.years):
        column = block.amount_column(year)
        value = sum(float(n.amount) for n in plan.cost_lines if n.year == year)
        formula = f"SUM({rows_fixed(block.first, block.last, column)})"
        block.year_totals.append(sheet.formula(row, column, formula, value, weight="total"))
    for offset, value in enumerate((plan.totals.nominal, plan.totals.present_value)):
        column = block.total_column + offset
        formula = f"SUM({rows_fixed(block.first, block.last, column)})"
        ref = sheet.formula(row, column, formula, value, weight="total")
        if offset:
            block.present_value = ref
        else:
            block.nominal = ref
    return row + 1
