"""The six-year view below the cost of the plan, depreciation, and what a region's funds ask beside it.

purchases      as planned; none after the horizon            running cost   as planned, then that of the last year
depreciation   purchase / years, from the year of purchase   book value     purchases so far less depreciation so far
"""

from __future__ import annotations

from hwcost.plan import Plan
from hwcost.report.book import Ref, Sheet, cell
from hwcost.report.cost_place import FIRST_YEAR, GROUP, Block
from hwcost.report.cost_rows import CAPEX_GROUPS, OPEX_GROUPS, group_of
from hwcost.report.inputs import CONSTANTS

YEARS = 6
PURCHASE, RUNNING, SUM, CUMULATIVE, DEPRECIATION, BOOK = range(6)
ROWS = ("purchase", "running", "sum", "cumulative", "depreciation", "book")


def write(sheet: Sheet, top: int, plan: Plan, block: Block) -> int:
    """From row `top`; returns the next free row."""
    book, years = sheet.book, plan.case.scenario.horizon_years
    shown = max(YEARS, years)
    sheet.text(top, GROUP, book.say("six.title"), weight="heading", fit=False)
    sheet.text(top + 1, GROUP, book.say("six.how", years=years), weight="note", fit=False)
    head = top + 2
    for column in range(FIRST_YEAR):
        sheet.text(head, column, "", weight="header")
    for year in range(shown):
        sheet.number(head, FIRST_YEAR + year, year + 1.0, "year_number", weight="header")
    first = head + 1
    for n, key in enumerate(ROWS):
        sheet.text(
            first + n, GROUP, book.say(f"six.{key}"), weight="total" if n == SUM else "cell", across=3, fit=False
        )
    sums = _sums(block, plan)
    values = _values(plan, shown)
    for year in range(shown):
        column = FIRST_YEAR + year
        at = {n: cell(first + n, column) for n in range(len(ROWS))}
        before = {n: cell(first + n, column - 1) for n in range(len(ROWS))}
        planned = year < years
        purchase = sums["capex"][year] if planned else "0"
        running = sums["opex"][year] if planned else before[RUNNING]
        start = f"{cell(first + PURCHASE, FIRST_YEAR, column_fixed=True)}:{at[PURCHASE]}"
        depreciation = f"SUM({start})/in_depreciation_years"
        if shown > int(CONSTANTS["depreciation_years"][0]):
            depreciation = f"IF({cell(head, column)}>in_depreciation_years,0,{depreciation})"
        formulas = (
            purchase, running, f"{at[PURCHASE]}+{at[RUNNING]}",
            f"{before[CUMULATIVE]}+{at[SUM]}" if year else at[SUM],
            depreciation,
            f"{before[BOOK]}+{at[PURCHASE]}-{at[DEPRECIATION]}" if year else f"{at[PURCHASE]}-{at[DEPRECIATION]}",
        )  # fmt: skip
        for n, formula in enumerate(formulas):
            weight = "total" if n == SUM else "cell"
            sheet.formula(first + n, column, formula, values[n][year], weight=weight)
    return _region(sheet, first + len(ROWS) + 1, plan, block)


def _sums(block: Block, plan: Plan) -> dict[str, list[str]]:
    """Cells of purchase and running cost by year, as the block's tables hold them."""
    found = {}
    for key in ("capex", "opex"):
        ref = block.subtotals[key]
        found[key] = [cell(ref.row, block.amount_column(y)) for y in range(plan.case.scenario.horizon_years)]
    return found


def _values(plan: Plan, shown: int) -> list[list[float]]:
    """What the program computes for each row, by year; purchases and running cost by the cost lines' own groups."""
    years = plan.case.scenario.horizon_years
    life = CONSTANTS["depreciation_years"][0]

    def amount(year: int, groups: tuple[str, ...]) -> float:
        return sum(float(n.amount) for n in plan.cost_lines if n.year == year and group_of(n.category) in groups)

    purchase = [amount(y, CAPEX_GROUPS) for y in range(shown)]
    running = [amount(min(y, years - 1), OPEX_GROUPS) for y in range(shown)]
    whole = [p + r for p, r in zip(purchase, running, strict=True)]
    cumulative = [sum(whole[: y + 1]) for y in range(shown)]
    depreciation = [sum(purchase[: y + 1]) / life if y < life else 0.0 for y in range(shown)]
    book = [sum(purchase[: y + 1]) - sum(depreciation[: y + 1]) for y in range(shown)]
    return [purchase, running, whole, cumulative, depreciation, book]


def _region(sheet: Sheet, row: int, plan: Plan, block: Block) -> int:
    """What a European project may charge, and the indirect cost of services in the United States: typed by a person."""
    book, region = sheet.book, plan.case.scenario.region
    if region == "EU" and plan.bought:
        capex = cell(block.subtotals["capex"].row, block.total_column)
        label = book.say("six.months")
        formula = f'IF(ISNUMBER({{blank}}),{capex}*{{blank}}/(in_months_per_year*in_depreciation_years),"")'
        return _typed(sheet, row, label, book.say("six.eligible"), formula)
    if region == "US" and block.groups["services"].value:
        services = cell(block.groups["services"].row, block.total_column)
        label = book.say("six.overhead")
        return _typed(
            sheet, row, label, book.say("six.overhead_amount"), f'IF(ISNUMBER({{blank}}),{services}*{{blank}},"")'
        )
    return row


def _typed(sheet: Sheet, row: int, label: str, result: str, formula: str) -> int:
    """A blank and the amount that follows from it, empty until the blank holds a number."""
    sheet.text(row, GROUP, label, across=3, fit=False)
    blank: Ref = sheet.blank(row, FIRST_YEAR, label)
    sheet.text(row + 1, GROUP, result, weight="total", across=3, fit=False)
    live = formula.replace("{blank}", cell(blank.row, blank.column))
    sheet.formula(row + 1, FIRST_YEAR, live, "", "money", weight="total", fit=False)
    return row + 2
