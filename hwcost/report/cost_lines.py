"""Cost rows as the program computed them, and what every row of the block has: labels, amounts, totals."""

from __future__ import annotations

from hwcost.build import Build
from hwcost.costs import CostLine, cents
from hwcost.messages import say, texts
from hwcost.report import labels
from hwcost.report.book import area, cell
from hwcost.report.cost_place import (
    CATEGORY,
    GROUP,
    ITEM,
    PAYER,
    PRICE,
    UNIT,
    Block,
    WrittenRow,
    category_text,
    say_on,
)  # fmt: skip
from hwcost.report.cost_rows import CostRow, Money, drivers_of, given_rows, group_of
from hwcost.report.inputs import Inputs


def given(block: Block, row: int, head: int, build: Build | None, lines: list[CostLine], inputs: Inputs) -> int:
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
    return write_given(block, row, head, build, lines, inputs)


def write_given(block: Block, row: int, head: int, build: Build | None, lines: list[CostLine], inputs: Inputs) -> int:
    """One row for each category, item, price and payer."""
    for item, first in given_rows(lines):
        mine = [n for n in lines if (n.category, n.item, n.unit_price, n.payer) ==
                (item.category, item.item, item.price, first.payer)]  # fmt: skip
        block.rows.append(_given_row(block, row, head, item, mine, build, inputs))
        row += 1
    return row


def _given_row(
    block: Block,
    line: int,
    head: int,
    item: CostRow,
    lines: list[CostLine],
    build: Build | None,
    inputs: Inputs,
) -> WrittenRow:
    sheet = block.sheet
    years = range(block.years)
    quantities = [sum(float(n.quantity) for n in lines if n.year == y) for y in years]
    amounts = [sum(float(n.amount) for n in lines if n.year == y) for y in years]
    money = Money(item.price, quantities, amounts, sum(float(n.present_value) for n in lines))
    write_labels(block, line, item, build, lines[0].payer)
    live = _live_price(block, item, build, inputs)
    if live:
        price = sheet.formula(line, PRICE, live, item.price, "plain" if item.unit == "kWh" else "money", role="link")
    else:
        price = sheet.number(line, PRICE, item.price, "money", role="solver")
    for year in years:
        sheet.number(line, block.quantity_column(year), quantities[year], "quantity", role="solver")
    write_amounts(block, line, head, item, money)
    return WrittenRow(build, item, money, line, price, lines[0].payer)


def _live_price(block: Block, item: CostRow, build: Build | None, inputs: Inputs) -> str:
    """The formula of the row's price, where it is one of the inputs; empty where it is the program's."""
    scenario, here = block.plan.case.scenario, block.sheet.title
    if item.unit == "kWh" and item.price == scenario.tariff_per_kwh:
        return "in_tariff_per_kwh"
    if item.category in ("setup", "staff") and item.price == scenario.staff_wage_per_hour:
        return "in_staff_wage_per_hour"
    service = build.service if build else None
    if build is None or service is None:
        return ""
    if item.unit == "card-hour" and item.price == service.price_per_card_hour:
        return inputs.service_price[build.id].at(here)
    if item.unit == "year" and item.price == cents(service.fixed_cost_per_year):
        return f"ROUND({inputs.service_fixed[build.id].at(here)},in_price_decimals)"
    return ""


def write_labels(block: Block, line: int, item: CostRow, build: Build | None, payer: str) -> None:
    sheet, lang = block.sheet, block.sheet.book.lang
    sheet.text(line, GROUP, say_on(block, f"group.{group_of(item.category)}"), wrap=True)
    sheet.text(line, CATEGORY, category_text(item.category, lang), wrap=True)
    sheet.text(line, ITEM, _item(block, item, build), wrap=True)
    sheet.text(line, PAYER, say(f"payer.{payer}", lang), wrap=True)
    sheet.text(line, UNIT, labels.unit(item.unit, lang), wrap=True)


def write_amounts(block: Block, line: int, head: int, item: CostRow, money: Money) -> None:
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
