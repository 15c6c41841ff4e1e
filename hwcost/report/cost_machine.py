"""The rows of one machine on a sheet: what drives them, each lot with its prices, and every cost as a formula."""

from __future__ import annotations

from hwcost.build import Build
from hwcost.report import labels
from hwcost.report.book import Ref, area, cell
from hwcost.report.cost_lines import given, write_amounts, write_given, write_labels
from hwcost.report.cost_place import FIRST_YEAR, GROUP, PER, PRICE, UNIT, Block, WrittenRow, say_on
from hwcost.report.cost_rows import (
    LOT_DRIVERS,
    MACHINE_DRIVERS,
    CostRow,
    driver_values,
    drivers_of,
    follows,
    lot_drivers,
    lots_of,
    money_of,
    rows_of,
)  # fmt: skip
from hwcost.report.inputs import Inputs, trend_name

DRIVER_UNITS = {"card_hours": "card-hour", "cards": "card"}
Places = dict[int | None, dict[str, str]]  # by lot (None: the whole machine): addresses that formulas read


def write_machine(block: Block, row: int, head: int, build: Build, inputs: Inputs) -> int:
    """The drivers and the cost rows of one machine; returns the next free row."""
    plan, sheet = block.plan, block.sheet
    scenario, lots = plan.case.scenario, lots_of(plan, build)
    mine = [n for n in plan.cost_lines if n.build_id == build.id]
    items = rows_of(scenario, build, lots)
    drivers = [driver_values(plan, build, item) for item in items]
    if not follows(scenario, items, mine, drivers):
        return given(block, row, head, build, mine, inputs)
    sheet.text(row, GROUP, labels.machine(build, sheet.book.lang), weight="heading", fit=False)
    row += 1
    lines: dict[str, int] = {}  # row of each driver, that of a lot under its name and year
    places: Places = {None: _build_places(block, build, inputs)}
    net_lines: dict[int, int] = {}
    for lot in lots:
        places[lot], net_lines[lot], row = _lot(block, row, head, build, lot, lines, len(lots) > 1)
        places[lot] |= places[None] | {"horizon": cell(head, block.quantity_column(block.years - 1))}
    row = _machine_drivers(block, row, build, lots, lines)
    if build.nodes_per_unit > 1:
        at = Ref(sheet.title, lines["in_service"], PER, 0).at(sheet.title)
        for place in places.values():
            place["machines"] = at
    written: list[WrittenRow] = []
    for item, driver in zip(items, drivers, strict=True):
        line = lines[item.driver if item.lot is None else f"{item.driver}{item.lot}"]
        written.append(_cost_row(block, row, head, item, driver, build, line, inputs, places[item.lot]))
        if item.lot is not None and item.category in ("freight", "installation", "card"):
            places[item.lot][item.category] = written[-1].price.at(sheet.title)
        row += 1
    for lot, net_line in net_lines.items():
        parts = [w.line for w in written if w.row.lot == lot and "{part}" in w.row.price_formula]
        spans = [area(parts[0], column, parts[-1], column) for column in (PER, PRICE)]
        formula = f"ROUND(SUMPRODUCT({spans[0]},{spans[1]}),in_price_decimals)"
        net = sum(w.row.per * w.money.price for w in written if w.line in parts)
        sheet.formula(net_line, PRICE, formula, round(net, 2))
    block.rows += written
    known = {(item.category, item.item) for item in items}
    rest = [n for n in mine if (n.category, n.item) not in known]
    return write_given(block, row, head, build, rest, inputs)


def _build_places(block: Block, build: Build, inputs: Inputs) -> dict[str, str]:
    here = block.sheet.title
    return {"idle_w": inputs.idle_w[build.id].at(here), "busy_w": inputs.busy_w[build.id].at(here)}


def _lot(
    block: Block, row: int, head: int, build: Build, lot: int, lines: dict[str, int], several: bool
) -> tuple[dict[str, str], int, int]:
    """What is bought at the start of one year: its year, its drivers, the line of its net price; the next free row."""
    sheet, values = block.sheet, lot_drivers(block.plan, build, lot)
    year = None
    if several or lot:
        sheet.text(row, GROUP, say_on(block, "driver.lot"), weight="note", fit=False)
        year = sheet.number(row, PER, lot + 1.0, "year_number", role="solver")
        row += 1
    for n, name in enumerate(LOT_DRIVERS):
        lines[f"{name}{lot}"] = row + n
    last = cell(head, block.quantity_column(block.years - 1), column_fixed=True)
    bought = lines[f"bought{lot}"]
    first = cell(bought, FIRST_YEAR, column_fixed=True)
    age = f"-{year.at(sheet.title)}" if year is not None else "-1"
    for name in LOT_DRIVERS:
        line = lines[f"{name}{lot}"]
        _driver_label(block, line, name if name != "lot_service" or several else "in_service")
        for y, value in enumerate(values[name]):
            column = block.quantity_column(y)
            if name == "bought":
                sheet.number(line, column, value, "count", role="solver")
                continue
            service = cell(lines[f"lot_service{lot}"], column)
            formula = {
                "lot_service": f"SUM({first}:{cell(bought, column)})",
                "after_warranty": f"IF({cell(head, column)}{age}>=in_warranty_years,{service},0)",
                "at_end": f"IF({cell(head, column)}={last},{service},0)",
            }[name]
            sheet.formula(line, column, formula, value, "count")
    row += len(LOT_DRIVERS)
    sheet.text(row, GROUP, say_on(block, "cost.net_price"), weight="note", fit=False)
    places = {"net": Ref(sheet.title, row, PRICE, 0).at(sheet.title)}
    if year is not None:
        places["year"] = year.at(sheet.title)
    return places, row, row + 1


def _machine_drivers(block: Block, row: int, build: Build, lots: list[int], lines: dict[str, int]) -> int:
    """Units in service over all lots (of owned machines, as decided), their cards and their card-hours."""
    sheet, values = block.sheet, drivers_of(block.plan, build)
    for name in MACHINE_DRIVERS:
        if name == "in_service" and len(lots) == 1 and build.nodes_per_unit == 1:
            lines[name] = lines[f"lot_service{lots[0]}"]
            continue
        lines[name] = row
        label = "kept" if build.owned else "units" if build.nodes_per_unit > 1 else "in_service"
        _driver_label(block, row, label if name == "in_service" else name)
        if name in block.use:
            block.use[name].append(block.quantities(row))
        per = {"cards": build.cards, "in_service": build.nodes_per_unit}.get(name, 1)
        if per > 1 or name == "cards":
            sheet.number(row, PER, float(per), "count", role="solver")
        for year, value in enumerate(values[name]):
            column = block.quantity_column(year)
            if name == "cards":
                formula = f"{cell(row, PER, column_fixed=True)}*{cell(lines['in_service'], column)}"
            elif name == "in_service" and lots:
                formula = "+".join(cell(lines[f"lot_service{lot}"], column) for lot in lots)
            else:
                sheet.number(row, column, value, "quantity" if name == "card_hours" else "count", role="solver")
                continue
            sheet.formula(row, column, formula, value, "count")
        row += 1
    return row


def _driver_label(block: Block, line: int, name: str) -> None:
    sheet = block.sheet
    sheet.text(line, GROUP, say_on(block, f"driver.{name}"), weight="note", fit=False)
    sheet.text(line, UNIT, labels.unit(DRIVER_UNITS.get(name, "node"), sheet.book.lang))


def _cost_row(
    block: Block, line: int, head: int, item: CostRow, driver: list[float], build: Build, driver_line: int,
    inputs: Inputs, known: dict[str, str],
) -> WrittenRow:  # fmt: skip
    sheet, scenario = block.sheet, block.plan.case.scenario
    payer, money = scenario.payers.get(item.category, "lab"), money_of(scenario, item, driver)
    write_labels(block, line, item, build, payer)
    places = dict(known)
    if "{part}" in item.price_formula:
        places["part"] = inputs.part_net[item.item].at(sheet.title)
        places["trend"] = trend_name(item.category)
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
        per = f"{cell(line, PER, column_fixed=True)}*{cell(driver_line, quantity)}"
        sheet.formula(line, quantity, per, money.quantities[year], counted)
    write_amounts(block, line, head, item, money)
    return WrittenRow(build, item, money, line, price, payer)
