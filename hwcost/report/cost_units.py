"""Below the cost of the plan: what the total is per card-hour and per run, and the carbon of its electricity.

Total and kilowatt-hours follow the inputs; how many hours and runs there are was decided.
"""

from __future__ import annotations

from hwcost.names import workload_name
from hwcost.plan import Plan
from hwcost.report import labels
from hwcost.report.book import Ref, Sheet, area, cell
from hwcost.report.cost_place import FIRST_YEAR, GROUP, PER, PRICE, UNIT, Block
from hwcost.unit_costs import ENERGY_UNIT, UnitCosts, unit_costs

LABEL_COLUMNS = UNIT  # a label lies across all columns up to that of the unit


def write(sheet: Sheet, top: int, plan: Plan, block: Block) -> int:
    """From row `top`; returns the next free row."""
    found, book = unit_costs(plan), sheet.book
    if found is None or block.nominal is None:
        return top
    sheet.text(top, GROUP, book.say("units.title"), weight="heading", fit=False)
    sheet.text(top + 1, GROUP, book.say("units.how"), weight="note", fit=False)
    row = top + 2
    currency = plan.case.scenario.currency
    hours = sum(a.card_hours for a in plan.assignments)
    busy = _figure(sheet, row, book.say("units.busy"), "card-hour")
    busy_at = sheet.number(busy, FIRST_YEAR, hours, "quantity", role="solver")
    row += 1
    if hours > 0:
        line = _figure(sheet, row, book.say("units.per_busy"), currency)
        formula = f"{block.nominal.at(sheet.title)}/{busy_at.at(sheet.title)}"
        sheet.formula(line, FIRST_YEAR, formula, found.per_busy_card_hour or 0.0, weight="total")
        row += 1
    if found.per_available_card_hour is not None:
        row = _available(sheet, row, plan, block, found)
    row = _energy(sheet, row, block, found)
    return _runs(sheet, row + 1, plan, block, found, busy_at) if found.runs else row


def _figure(sheet: Sheet, row: int, label: str, unit: str) -> int:
    sheet.text(row, GROUP, label, across=LABEL_COLUMNS, fit=False)
    sheet.text(row, UNIT, labels.unit(unit, sheet.book.lang))
    return row


def _available(sheet: Sheet, row: int, plan: Plan, block: Block, found: UnitCosts) -> int:
    """Card-hours that the machines could give, and what each of them costs."""
    assert block.nominal is not None and found.per_available_card_hour is not None
    book = sheet.book
    _figure(sheet, row, book.say("units.available"), "card-hour")
    room = plan.totals.nominal / found.per_available_card_hour
    formula = f"SUM({','.join(block.use['cards'])})*in_available_hours_per_card_year"
    could = sheet.formula(row, FIRST_YEAR, formula, room, "quantity")
    _figure(sheet, row + 1, book.say("units.per_available"), plan.case.scenario.currency)
    formula = f"{block.nominal.at(sheet.title)}/{could.at(sheet.title)}"
    sheet.formula(row + 1, FIRST_YEAR, formula, found.per_available_card_hour, weight="total")
    return row + 2


def _energy(sheet: Sheet, row: int, block: Block, found: UnitCosts) -> int:
    """Kilowatt-hours of all machines over the years, and their carbon where the grid's factor is known."""
    book = sheet.book
    _figure(sheet, row, book.say("units.energy"), ENERGY_UNIT)
    units = area(block.first, UNIT, block.last, UNIT)
    last = block.quantity_column(block.years - 1)
    quantities = area(block.first, block.quantity_column(0), block.last, last)
    formula = f"SUMPRODUCT(({units}={cell(row, UNIT)})*{quantities})"
    energy = sheet.formula(row, FIRST_YEAR, formula, found.energy_kwh, "quantity")
    if found.carbon_kg is None:
        sheet.text(row + 1, GROUP, book.say("units.carbon_unknown"), weight="note", fit=False)
        return row + 2
    _figure(sheet, row + 1, book.say("units.carbon"), "kg")
    formula = f"{energy.at(sheet.title)}*in_grid_factor_kg_per_kwh"
    sheet.formula(row + 1, FIRST_YEAR, formula, found.carbon_kg, "quantity", weight="total")
    return row + 2


def _runs(sheet: Sheet, row: int, plan: Plan, block: Block, found: UnitCosts, busy: Ref) -> int:
    """What one run of each kind of work takes of the total, by its card-hours."""
    assert block.nominal is not None
    book, years = sheet.book, plan.case.scenario.horizon_years
    for column in range(FIRST_YEAR + 1):
        sheet.text(row, column, "", weight="header")
    names = ((GROUP, "run_work"), (PER, "run_count"), (PRICE, "run_hours"), (FIRST_YEAR, "run_cost"))
    for column, key in names:
        title = book.say(f"units.{key}", years=years, currency=plan.case.scenario.currency)
        sheet.text(row, column, title, weight="header", wrap=True)
    row += 1
    for run in found.runs:
        name = workload_name(plan.case.workload_by_id[run.workload_id], book.lang)
        sheet.text(row, GROUP, name, across=PER, fit=False)
        runs = sheet.number(row, PER, run.runs, "tenths", role="solver")
        hours = sheet.number(row, PRICE, run.card_hours, "quantity", role="solver")
        formula = f"{block.nominal.at(sheet.title)}*{cell(hours.row, hours.column)}/{busy.at(sheet.title)}"
        sheet.formula(row, FIRST_YEAR, f"{formula}/{cell(runs.row, runs.column)}", run.per_run)
        row += 1
    return row
