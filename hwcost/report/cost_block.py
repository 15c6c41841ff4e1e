"""The block of cost rows of one plan on a sheet: drivers, rows, and totals by year, group, category and payer.

Year columns have the same formula in each year. The block gives back where its totals stand.
"""

from __future__ import annotations

from hwcost.build import Build
from hwcost.costs import CostLine
from hwcost.messages import say, texts
from hwcost.plan import Plan
from hwcost.report import labels
from hwcost.report.book import Ref, Sheet, area, cell, rows_fixed
from hwcost.report.cost_place import (
    CATEGORY,
    FIRST_YEAR,
    GROUP,
    ITEM,
    LABEL_WIDTHS,
    PAYER,
    PER,
    PRICE,
    UNIT,
    Block,
    WrittenRow,
    category_text,
    say_on,
)  # fmt: skip
from hwcost.report.cost_rows import (
    DRIVERS,
    CostRow,
    Money,
    drivers_of,
    follows,
    given_rows,
    group_of,
    money_of,
    rows_of,
)  # fmt: skip
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
        row = _machine(block, row, head, build, inputs)
    rest = [n for n in plan.cost_lines if n.build_id not in builds]
    for build_id in dict.fromkeys(n.build_id for n in rest):
        lines = [n for n in rest if n.build_id == build_id]
        row = _given(block, row, head, plan.case.build_by_id.get(build_id), lines)
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


def _machine(block: Block, row: int, head: int, build: Build, inputs: Inputs) -> int:
    """The drivers and the cost rows of one machine; returns the next free row."""
    sheet, lang = block.sheet, block.sheet.book.lang
    drivers = drivers_of(block.plan, build)
    lines_of = [n for n in block.plan.cost_lines if n.build_id == build.id]
    items = rows_of(block.plan.case.scenario, build)
    known = {(item.category, item.item) for item in items}
    if not all(follows(block.plan.case.scenario, i, lines_of, drivers[i.driver]) for i in items):
        return _given(block, row, head, build, lines_of)
    sheet.text(row, GROUP, labels.machine(build, lang), weight="heading", fit=False)
    lines = {name: row + 1 + n for n, name in enumerate(DRIVERS)}
    _drivers(block, lines, drivers, head, build)
    row += 1 + len(DRIVERS)
    net_line = row
    if not build.owned:
        sheet.text(net_line, GROUP, say_on(block, "cost.net_price"), weight="note", fit=False)
        row += 1
    written: list[WrittenRow] = []
    for item in items:
        money = money_of(item, build, block.plan.cost_lines, drivers[item.driver])
        written.append(_cost_row(block, row, head, item, money, build, lines[item.driver], inputs, net_line, written))
        row += 1
    if not build.owned:
        parts = [w.line for w in written if w.row.price_formula == "{part}"]
        spans = [area(parts[0], column, parts[-1], column) for column in (PER, PRICE)]
        formula = f"ROUND(SUMPRODUCT({spans[0]},{spans[1]}),in_price_decimals)"
        sheet.formula(net_line, PRICE, formula, build.price_net)
    block.rows += written
    return _given_rows(block, row, head, build, [n for n in lines_of if (n.category, n.item) not in known])


def _given(block: Block, row: int, head: int, build: Build | None, lines: list[CostLine]) -> int:
    """The lines of a machine or a service as the program computed them: its prices follow no input."""
    sheet, lang, plan = block.sheet, block.sheet.book.lang, block.plan
    title = labels.machine(build, lang) if build else say_on(block, "cost.other")
    sheet.text(row, GROUP, title, weight="heading", fit=False)
    row += 1
    if build is not None and build.service is None:
        drivers = drivers_of(plan, build)
        for name in block.use:
            sheet.text(row, GROUP, say_on(block, f"driver.{name}"), weight="note", fit=False)
            sheet.text(row, UNIT, labels.unit("card" if name == "cards" else "card-hour", lang))
            for year, value in enumerate(drivers[name]):
                sheet.number(row, block.quantity_column(year), value, "quantity", role="solver")
            block.use[name].append(block.quantities(row))
            row += 1
    return _given_rows(block, row, head, build, lines)


def _given_rows(block: Block, row: int, head: int, build: Build | None, lines: list[CostLine]) -> int:
    """One row for each category, item, price and payer."""
    for item, first in given_rows(lines):
        mine = [n for n in lines if (n.category, n.item, n.unit_price, n.payer) ==
                (item.category, item.item, item.price, first.payer)]  # fmt: skip
        block.rows.append(_given_row(block, row, head, item, mine, build))
        row += 1
    return row


def _given_row(
    block: Block, line: int, head: int, item: CostRow, lines: list[CostLine], build: Build | None
) -> WrittenRow:
    sheet = block.sheet
    years = range(block.years)
    quantities = [sum(float(n.quantity) for n in lines if n.year == y) for y in years]
    amounts = [sum(float(n.amount) for n in lines if n.year == y) for y in years]
    money = Money(item.price, quantities, amounts, sum(float(n.present_value) for n in lines))
    _labels(block, line, item, build, lines[0].payer)
    live = _live_price(block, item)
    if live:
        price = sheet.formula(line, PRICE, live, item.price, "plain" if item.unit == "kWh" else "money", role="link")
    else:
        price = sheet.number(line, PRICE, item.price, "money", role="solver")
    for year in years:
        sheet.number(line, block.quantity_column(year), quantities[year], "quantity", role="solver")
    _amounts_of(block, line, head, item, money)
    return WrittenRow(build, item, money, line, price, lines[0].payer)


def _live_price(block: Block, item: CostRow) -> str:
    """The name of the input that is the row's price; empty where its price is the program's."""
    scenario = block.plan.case.scenario
    if item.unit == "kWh" and item.price == scenario.tariff_per_kwh:
        return "in_tariff_per_kwh"
    wages = item.category in ("setup", "staff") and item.price == scenario.staff_wage_per_hour
    return "in_staff_wage_per_hour" if wages else ""


def _drivers(block: Block, lines: dict[str, int], drivers: dict[str, list[float]], head: int, build: Build) -> None:
    sheet = block.sheet
    for name, line in lines.items():
        label = "kept" if name == "bought" and build.owned else name
        sheet.text(line, GROUP, say_on(block, f"driver.{label}"), weight="note", fit=False)
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
    sheet = block.sheet
    payer = block.plan.case.scenario.payers.get(item.category, "lab")
    _labels(block, line, item, build, payer)
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
        quantity = block.quantity_column(year)
        per = f"{cell(line, PER, column_fixed=True)}*{cell(driver, quantity)}"
        sheet.formula(line, quantity, per, money.quantities[year], counted)
    _amounts_of(block, line, head, item, money)
    return WrittenRow(build, item, money, line, price, payer)


def _labels(block: Block, line: int, item: CostRow, build: Build | None, payer: str) -> None:
    sheet, lang = block.sheet, block.sheet.book.lang
    sheet.text(line, GROUP, say_on(block, f"group.{group_of(item.category)}"), wrap=True)
    sheet.text(line, CATEGORY, category_text(item.category, lang), wrap=True)
    sheet.text(line, ITEM, _item(block, item, build), wrap=True)
    sheet.text(line, PAYER, say(f"payer.{payer}", lang), wrap=True)
    sheet.text(line, UNIT, labels.unit(item.unit, lang), wrap=True)


def _amounts_of(block: Block, line: int, head: int, item: CostRow, money: Money) -> None:
    """Amounts by year, their total, and their present value."""
    sheet = block.sheet
    for year in range(block.years):
        product = f"{cell(line, PRICE, column_fixed=True)}*{cell(line, block.quantity_column(year))}"
        sheet.formula(line, block.amount_column(year), product, money.amounts[year])
    amounts = area(line, block.amount_column(0), line, block.amount_column(block.years - 1))
    factors = head + 1 if item.from_start else head + 2
    factor = area(factors, block.amount_column(0), factors, block.amount_column(block.years - 1))
    sheet.formula(line, block.total_column, f"SUM({amounts})", sum(money.amounts))
    sheet.formula(line, block.total_column + 1, f"SUMPRODUCT({amounts},{factor})", money.present_value)


def _item(block: Block, item: CostRow, build: Build | None) -> str:
    parts = build.parts if build else ()
    part = next((p for p in parts if p.item_id == item.item and p.role == item.category), None)
    if part:
        return labels.part(block.plan.case.catalog, part.item_id, part.name, block.sheet.book.lang)
    scenario, lang = block.plan.case.scenario, block.sheet.book.lang
    named = {w.id: labels.workload(w, lang) for w in scenario.workloads}
    named |= {f.id: f.name_zh if lang == "zh" and f.name_zh else f.name for f in scenario.funds}
    if item.item in named:
        return named[item.item]
    key = f"report.basis.{item.category}"
    return say_on(block, f"basis.{item.category}") if key in texts() else ""


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
