"""The block of cost rows of one plan on a sheet: drivers, rows, and totals by year, group, category and payer.

Year columns have the same formula in each year. The block gives back where its totals stand.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hwcost.build import Build
from hwcost.costs import CAPEX, CATEGORIES
from hwcost.messages import say
from hwcost.plan import Plan
from hwcost.report import labels
from hwcost.report.book import Ref, Sheet, area, cell, rows_fixed
from hwcost.report.cost_rows import (
    CAPEX_GROUPS,
    DRIVERS,
    GROUP_OF,
    OPEX_GROUPS,
    RESIDUAL_GROUPS,
    CostRow,
    Money,
    drivers_of,
    money_of,
    rows_of,
)  # fmt: skip
from hwcost.report.inputs import Inputs
from hwcost.scenario import PAYERS

GROUP, CATEGORY, ITEM, PAYER, UNIT, PER, PRICE = range(7)
FIRST_YEAR = 7
LABEL_WIDTHS = {GROUP: 15.0, CATEGORY: 18.0, ITEM: 26.0, PAYER: 14.0, UNIT: 14.0}


@dataclass
class WrittenRow:
    """A cost row with the places of its unit price and of its quantities (first and last year)."""

    build: Build
    row: CostRow
    money: Money
    line: int
    price: Ref


@dataclass
class Block:
    """Where the totals of a plan stand."""

    plan: Plan
    sheet: Sheet
    years: int
    first: int = 0  # first and last row that may hold amounts
    last: int = 0
    rows: list[WrittenRow] = field(default_factory=list)
    year_totals: list[Ref] = field(default_factory=list)
    nominal: Ref | None = None
    present_value: Ref | None = None
    groups: dict[str, Ref] = field(default_factory=dict)
    categories: dict[str, Ref] = field(default_factory=dict)
    payers: dict[str, Ref] = field(default_factory=dict)
    subtotals: dict[str, Ref] = field(default_factory=dict)  # capex, capex_net, opex, residual
    # rows of cards in service and of their busy hours, over the years, as another sheet reads them
    use: dict[str, list[str]] = field(default_factory=lambda: {"cards": [], "card_hours": []})

    def quantity_column(self, year: int) -> int:
        return FIRST_YEAR + year

    def amount_column(self, year: int) -> int:
        return FIRST_YEAR + self.years + year

    @property
    def total_column(self) -> int:
        return FIRST_YEAR + 2 * self.years

    @property
    def amounts_area(self) -> str:
        """All amounts, totals and present values of the rows, as another sheet reads them."""
        return area(self.first, self.amount_column(0), self.last, self.total_column + 1, self.sheet.title)

    def quantities(self, line: int) -> str:
        """The quantities of a row over the years, as another sheet reads them."""
        return area(line, self.quantity_column(0), line, self.quantity_column(self.years - 1), self.sheet.title)


def set_widths(sheet: Sheet) -> None:
    sheet.fixed |= LABEL_WIDTHS


def write_block(sheet: Sheet, top: int, plan: Plan, inputs: Inputs, *, by_category: bool) -> tuple[Block, int]:
    """Write the block from row `top`; returns it and the next free row."""
    block = Block(plan, sheet, plan.case.scenario.horizon_years)
    head = _head(block, top)
    row = head + 3
    block.first = row
    for purchase in plan.purchases:
        row = _machine(block, row, head, purchase.build, inputs)
    if row == block.first:
        row += 1  # nothing bought, nothing kept: an empty row, so that sums have a range
    block.last = row - 1
    row = _total(block, row, head)
    row = _tables(block, row + 1, by_category)
    return block, row


def _say(block: Block, key: str, **values: object) -> str:
    return block.sheet.book.say(key, **values)


def _head(block: Block, top: int) -> int:
    """Two rows of headers and two of discount factors; returns the row of the year numbers."""
    sheet, years = block.sheet, block.years
    for column in range(FIRST_YEAR):
        sheet.text(top, column, "", weight="header")
    for first, key in ((block.quantity_column(0), "quantity"), (block.amount_column(0), "amount")):
        sheet.text(top, first, _say(block, f"col.{key}"), weight="header", across=years, fit=False)
    for column in (block.total_column, block.total_column + 1):
        sheet.text(top, column, "", weight="header")
    head = top + 1
    names = ["group", "category", "item", "payer", "unit", "per", "unit_price"]
    sheet.headers(head, 0, [_say(block, f"col.{name}") for name in names])
    for year in range(years):
        sheet.number(head, block.quantity_column(year), year + 1.0, "year_number", weight="header")
        sheet.number(head, block.amount_column(year), year + 1.0, "year_number", weight="header")
    sheet.headers(head, block.total_column, [_say(block, "col.total"), _say(block, "col.present_value")])
    rate = block.plan.case.scenario.discount_rate
    for n, key in enumerate(("start", "end")):
        row = head + 1 + n
        sheet.text(row, GROUP, _say(block, f"cost.factor_{key}"), weight="note", fit=False)
        for year in range(years):
            column = block.amount_column(year)
            power = cell(head, column) if n else f"({cell(head, column)}-1)"
            sheet.formula(row, column, f"1/(1+in_discount_rate)^{power}", (1.0 + rate) ** -(year + n), "factor")
    return head


def _machine(block: Block, row: int, head: int, build: Build, inputs: Inputs) -> int:
    """The drivers and the cost rows of one machine; returns the next free row."""
    sheet, lang = block.sheet, block.sheet.book.lang
    sheet.text(row, GROUP, labels.machine(build, lang), weight="heading", fit=False)
    drivers = drivers_of(block.plan, build)
    lines = {name: row + 1 + n for n, name in enumerate(DRIVERS)}
    _drivers(block, lines, drivers, head, build)
    row += 1 + len(DRIVERS)
    net_line = row
    if not build.owned:
        sheet.text(net_line, GROUP, _say(block, "cost.net_price"), weight="note", fit=False)
        row += 1
    written: list[WrittenRow] = []
    for item in rows_of(block.plan.case.scenario, build):
        money = money_of(item, build, block.plan.cost_lines, drivers[item.driver])
        written.append(_cost_row(block, row, head, item, money, build, lines[item.driver], inputs, net_line, written))
        row += 1
    if not build.owned:
        parts = [w.line for w in written if w.row.price_formula == "{part}"]
        spans = [area(parts[0], column, parts[-1], column) for column in (PER, PRICE)]
        formula = f"ROUND(SUMPRODUCT({spans[0]},{spans[1]}),in_price_decimals)"
        sheet.formula(net_line, PRICE, formula, build.price_net)
    block.rows += written
    return row


def _drivers(block: Block, lines: dict[str, int], drivers: dict[str, list[float]], head: int, build: Build) -> None:
    sheet = block.sheet
    for name, line in lines.items():
        label = "kept" if name == "bought" and build.owned else name
        sheet.text(line, GROUP, _say(block, f"driver.{label}"), weight="note", fit=False)
        unit = {"card_hours": "card-hour", "cards": "card"}.get(name, "node")
        sheet.text(line, UNIT, labels.unit(unit, sheet.book.lang))
        if name in block.use:
            block.use[name].append(block.quantities(line))
        if name == "cards":
            sheet.number(line, PER, float(build.cards), "count", role="solver")
        first = cell(lines["bought"], FIRST_YEAR, column_fixed=True)
        last_year = cell(head, block.quantity_column(block.years - 1), column_fixed=True)
        for year, value in enumerate(drivers[name]):
            column = block.quantity_column(year)
            if name in ("bought", "card_hours"):
                sheet.number(line, column, value, "quantity" if name == "card_hours" else "count", role="solver")
                continue
            service = cell(lines["in_service"], column)
            formula = {
                "in_service": f"SUM({first}:{cell(lines['bought'], column)})",
                "after_warranty": f"IF({cell(head, column)}-1>=in_warranty_years,{service},0)",
                "at_end": f"IF({cell(head, column)}={last_year},{service},0)",
                "cards": f"{cell(line, PER, column_fixed=True)}*{service}",
            }[name]
            sheet.formula(line, column, formula, value, "count")


def _cost_row(
    block: Block, line: int, head: int, item: CostRow, money: Money, build: Build, driver: int, inputs: Inputs,
    net_line: int, written: list[WrittenRow],
) -> WrittenRow:  # fmt: skip
    sheet, lang = block.sheet, block.sheet.book.lang
    scenario = block.plan.case.scenario
    sheet.text(line, GROUP, _say(block, f"group.{GROUP_OF[item.category]}"), wrap=True)
    sheet.text(line, CATEGORY, say(f"category.{item.category}", lang), wrap=True)
    sheet.text(line, ITEM, _item(block, item, build), wrap=True)
    sheet.text(line, PAYER, say(f"payer.{scenario.payers.get(item.category, 'lab')}", lang), wrap=True)
    sheet.text(line, UNIT, labels.unit(item.unit, lang), wrap=True)
    by_category = {w.row.category: w.price.at(sheet.title) for w in written}
    places = {
        "idle_w": inputs.idle_w[build.id].at(sheet.title),
        "busy_w": inputs.busy_w[build.id].at(sheet.title),
        "net": Ref(sheet.title, net_line, PRICE, 0).at(sheet.title),
        "part": inputs.part_net[item.item].at(sheet.title) if item.price_formula == "{part}" else "",
        **{name: by_category.get(name, "") for name in ("freight", "installation", "card")},
    }
    if item.per_formula:
        sheet.formula(line, PER, item.per_formula.format(**places), item.per, "quantity")
    else:
        sheet.number(line, PER, item.per, "count")
    role = "link" if item.price_formula == "{part}" else "formula"
    kind = "plain" if item.unit == "kWh" else "money"
    price = sheet.formula(line, PRICE, item.price_formula.format(**places), money.price, kind, role=role)
    counted = "quantity" if item.per_formula else "count"
    for year in range(block.years):
        quantity, amount = block.quantity_column(year), block.amount_column(year)
        per = f"{cell(line, PER, column_fixed=True)}*{cell(driver, quantity)}"
        sheet.formula(line, quantity, per, money.quantities[year], counted)
        sheet.formula(
            line, amount, f"{cell(line, PRICE, column_fixed=True)}*{cell(line, quantity)}", money.amounts[year]
        )
    amounts = area(line, block.amount_column(0), line, block.amount_column(block.years - 1))
    factors = head + 1 if item.from_start else head + 2
    factor = area(factors, block.amount_column(0), factors, block.amount_column(block.years - 1))
    sheet.formula(line, block.total_column, f"SUM({amounts})", sum(money.amounts))
    sheet.formula(line, block.total_column + 1, f"SUMPRODUCT({amounts},{factor})", money.present_value)
    return WrittenRow(build, item, money, line, price)


def _item(block: Block, item: CostRow, build: Build) -> str:
    part = next((p for p in build.parts if p.item_id == item.item and p.role == item.category), None)
    if part:
        return labels.part(block.plan.case.catalog, part.item_id, part.name, block.sheet.book.lang)
    return _say(block, f"basis.{item.category}")


def _total(block: Block, row: int, head: int) -> int:
    sheet, plan = block.sheet, block.plan
    for column in range(block.amount_column(0)):
        sheet.text(row, column, _say(block, "col.grand_total") if column == GROUP else "", weight="total", fit=False)
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


def _tables(block: Block, row: int, by_category: bool) -> int:
    """Totals by group (with purchase, running cost and residual), by category and by payer."""
    row = _table_head(block, row, "by_group")
    spans = (("capex", CAPEX_GROUPS), ("opex", OPEX_GROUPS), ("residual", RESIDUAL_GROUPS))
    for key, names in spans:
        first = row
        for name in names:
            label = _say(block, f"group.{name}")
            block.groups[name] = _sum_row(block, row, GROUP, label, {c for c, g in GROUP_OF.items() if g == name})
            row += 1
        if key == "residual":
            block.subtotals[key] = block.groups[key]
            continue
        block.subtotals[key] = _subtotal(block, row, key, first, {c for c, g in GROUP_OF.items() if g in names})
        row += 1
        if key == "capex":
            block.subtotals["capex_net"] = _net_row(block, row)
            row += 1
    row += 1
    if by_category:
        row = _table_head(block, row, "by_category")
        used = {w.row.category for w in block.rows}
        for category in (c for c in CATEGORIES if c in used):
            label = say(f"category.{category}", block.sheet.book.lang)
            block.categories[category] = _sum_row(block, row, CATEGORY, label, {category})
            row += 1
        row += 1
    row = _table_head(block, row, "by_payer")
    payers = block.plan.case.scenario.payers
    used = {w.row.category for w in block.rows}
    for payer in (p for p in PAYERS if p in {payers.get(c, "lab") for c in used}):
        mine = {c for c in used if payers.get(c, "lab") == payer}
        block.payers[payer] = _sum_row(block, row, PAYER, say(f"payer.{payer}", block.sheet.book.lang), mine)
        row += 1
    return row


def _table_head(block: Block, row: int, key: str) -> int:
    block.sheet.text(row, GROUP, _say(block, f"cost.{key}"), weight="heading", fit=False)
    return row + 1


def _amounts(block: Block, categories: set[str]) -> list[float]:
    """By year, over all years, and discounted."""
    lines = [n for n in block.plan.cost_lines if n.category in categories]
    years = [sum(float(n.amount) for n in lines if n.year == y) for y in range(block.years)]
    return [*years, sum(years), sum(float(n.present_value) for n in lines)]


def _sum_row(block: Block, row: int, by: int, label: str, categories: set[str]) -> Ref:
    """A row that adds up the cost rows whose column `by` holds `label`; returns the total over all years."""
    sheet = block.sheet
    sheet.text(row, GROUP, label, across=3, fit=False)
    keys = area(block.first, by, block.last, by)
    name = cell(row, GROUP, column_fixed=True)
    ref = None
    for n, value in enumerate(_amounts(block, categories)):
        column = block.amount_column(0) + n
        formula = f"SUMIF({keys},{name},{rows_fixed(block.first, block.last, column)})"
        written = sheet.formula(row, column, formula, value)
        if column == block.total_column:
            ref = written
    assert ref is not None
    return ref


def _subtotal(block: Block, row: int, key: str, first: int, categories: set[str]) -> Ref:
    sheet = block.sheet
    sheet.text(row, GROUP, _say(block, f"cost.{key}"), weight="total", across=3, fit=False)
    ref = None
    for n, value in enumerate(_amounts(block, categories)):
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
    sheet.text(row, GROUP, _say(block, "cost.capex_net"), across=3, fit=False)
    keys = area(block.first, CATEGORY, block.last, CATEGORY)
    name = next((cell(w.line, CATEGORY, column_fixed=True) for w in block.rows if w.row.category == "tax"), None)
    values = zip(_amounts(block, set(CAPEX)), _amounts(block, {"tax"}), strict=True)
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
