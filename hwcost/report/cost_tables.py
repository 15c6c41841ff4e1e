"""Totals of the cost rows: by group with purchase, running cost and residual value, by category and by payer."""

from __future__ import annotations

from hwcost.costs import CAPEX, CostLine
from hwcost.messages import say
from hwcost.report.book import Ref, area, cell, rows_fixed
from hwcost.report.cost_place import CATEGORY, GROUP, PAYER, Block, category_text, say_on
from hwcost.report.cost_rows import CAPEX_GROUPS, OPEX_GROUPS, RESIDUAL_GROUPS, group_of
from hwcost.scenario import PAYERS


def write_tables(block: Block, row: int, by_category: bool) -> int:
    """Totals by group (with purchase, running cost and residual), by category and by payer."""
    row = _table_head(block, row, "by_group")
    spans = (("capex", CAPEX_GROUPS), ("opex", OPEX_GROUPS), ("residual", RESIDUAL_GROUPS))
    for key, names in spans:
        first = row
        for name in names:
            lines = [n for n in block.plan.cost_lines if group_of(n.category) == name]
            block.groups[name] = _sum_row(block, row, GROUP, say_on(block, f"group.{name}"), lines)
            row += 1
        if key == "residual":
            block.subtotals[key] = block.groups[key]
            continue
        lines = [n for n in block.plan.cost_lines if group_of(n.category) in names]
        block.subtotals[key] = _subtotal(block, row, key, first, lines)
        row += 1
        if key == "capex":
            block.subtotals["capex_net"] = _net_row(block, row)
            row += 1
    row += 1
    if by_category:
        row = _table_head(block, row, "by_category")
        for category in dict.fromkeys(w.row.category for w in block.rows):
            lines = [n for n in block.plan.cost_lines if n.category == category]
            label = category_text(category, block.sheet.book.lang)
            block.categories[category] = _sum_row(block, row, CATEGORY, label, lines)
            row += 1
        row += 1
    row = _table_head(block, row, "by_payer")
    for payer in (p for p in PAYERS if p in {w.payer for w in block.rows}):
        lines = [n for n in block.plan.cost_lines if n.payer == payer]
        block.payers[payer] = _sum_row(block, row, PAYER, say(f"payer.{payer}", block.sheet.book.lang), lines)
        row += 1
    return row


def _table_head(block: Block, row: int, key: str) -> int:
    block.sheet.text(row, GROUP, say_on(block, f"cost.{key}"), weight="heading", fit=False)
    return row + 1


def _amounts(block: Block, lines: list[CostLine]) -> list[float]:
    """By year, over all years, and discounted."""
    years = [sum(float(n.amount) for n in lines if n.year == y) for y in range(block.years)]
    return [*years, sum(years), sum(float(n.present_value) for n in lines)]


def _sum_row(block: Block, row: int, by: int, label: str, lines: list[CostLine]) -> Ref:
    """A row that adds up the cost rows whose column `by` holds `label`; returns the total over all years."""
    sheet = block.sheet
    sheet.text(row, GROUP, label, across=3, fit=False)
    keys = area(block.first, by, block.last, by)
    name = cell(row, GROUP, column_fixed=True)
    ref = None
    for n, value in enumerate(_amounts(block, lines)):
        column = block.amount_column(0) + n
        formula = f"SUMIF({keys},{name},{rows_fixed(block.first, block.last, column)})"
        written = sheet.formula(row, column, formula, value)
        if column == block.total_column:
            ref = written
    assert ref is not None
    return ref


def _subtotal(block: Block, row: int, key: str, first: int, lines: list[CostLine]) -> Ref:
    sheet = block.sheet
    sheet.text(row, GROUP, say_on(block, f"cost.{key}"), weight="total", across=3, fit=False)
    ref = None
    for n, value in enumerate(_amounts(block, lines)):
        column = block.amount_column(0) + n
        formula = f"SUM({rows_fixed(first, row - 1, column)})"
        written = sheet.formula(row, column, formula, value, weight="total")
        if column == block.total_column:
            ref = written
    assert ref is not None
    return ref


def _net_row(block: Block, row: int) -> Ref:
    """The purchase without tax: the row above less the tax rows."""
    sheet = block.sheet
    sheet.text(row, GROUP, say_on(block, "cost.capex_net"), across=3, fit=False)
    keys = area(block.first, CATEGORY, block.last, CATEGORY)
    name = next((cell(w.line, CATEGORY, column_fixed=True) for w in block.rows if w.row.category == "tax"), None)
    purchases = [n for n in block.plan.cost_lines if n.category in CAPEX]
    taxes_of = [n for n in purchases if n.category == "tax"]
    values = zip(_amounts(block, purchases), _amounts(block, taxes_of), strict=True)
    ref = None
    for n, (all_of_it, taxes) in enumerate(values):
        column = block.amount_column(0) + n
        formula = cell(row - 1, column)
        if name is not None:
            formula += f"-SUMIF({keys},{name},{rows_fixed(block.first, block.last, column)})"
        written = sheet.formula(row, column, formula, all_of_it - taxes)
        if column == block.total_column:
            ref = written
    assert ref is not None
    return ref
