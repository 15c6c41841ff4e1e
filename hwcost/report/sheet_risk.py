"""Risk and sensitivity: two charts where they were computed, what the budget still bears, and signs of risk."""

from __future__ import annotations

from typing import Any

from hwcost.names import option_name
from hwcost.options import Comparison
from hwcost.plan import Plan
from hwcost.report.book import Sheet, cell
from hwcost.report.risk_data import RiskData
from hwcost.report.risks import signs
from hwcost.report.sheet_budget import Budget

WIDTHS = {0: 8.0, 1: 40.0, 2: 20.0, 3: 20.0, 4: 16.0, 5: 46.0}
LAST = 5
CHART_ROWS = 15
SIZE = {"width": 760, "height": 290}
PRICE_COLOUR, SWITCH_COLOUR = "#1F4E79", "#E6A23C"


def write(sheet: Sheet, plan: Plan, comparison: Comparison | None, budget: Budget | None, data: RiskData) -> None:
    book, scenario = sheet.book, plan.case.scenario
    sheet.fixed |= WIDTHS
    sheet.text(0, 0, book.say("sheet.risk"), weight="title", fit=False)
    sheet.text(1, 0, book.say("risk.how"), weight="note", wrap=True, across=LAST + 1)
    row = _switching(sheet, 3, comparison, data, scenario.currency)
    if data.switching and data.frontier:
        sheet.raw.set_h_pagebreaks([row + 1])  # each table on a page with its chart
    row = _frontier(sheet, row + 1, data, scenario.currency, scenario.horizon_years)
    row = _headroom(sheet, row + 1, budget)
    sheet.text(row, 0, book.say("risk.signs"), weight="heading", fit=False)
    row += 1
    for text in signs(plan, book.lang) or [book.say("form.no_signs")]:
        sheet.text(row, 0, text, wrap=True, across=LAST + 1)
        row += 1
    sheet.finish(freeze=(2, 0))


def _switching(sheet: Sheet, row: int, comparison: Comparison | None, data: RiskData, currency: str) -> int:
    book = sheet.book
    sheet.text(row, 0, book.say("risk.switch", currency=currency), weight="heading", fit=False)
    row += 1
    if not data.switching:
        sheet.text(row, 0, book.say("risk.switch_none"), weight="note", fit=False)
        return row + 1
    names = [book.say("col.letter"), book.say("col.option")]
    names += [book.say(f"risk.col.{n}") for n in ("price", "switching", "headroom", "outcome")]
    sheet.headers(row, 0, names)
    first = row + 1
    by_letter = {r.letter: r for r in comparison.results} if comparison else {}
    for n, item in enumerate(data.switching):
        row = first + n
        sheet.text(row, 0, item.letter)
        result = by_letter.get(item.letter)
        sheet.text(row, 1, option_name(result, book.lang) if result else "", wrap=True)
        sheet.number(row, 2, item.price, "money")
        sheet.number(row, 3, item.switching_price, "money", role="solver")
        if item.switching_price is None or not item.price:
            sheet.text(row, 4, "")
        else:
            value = item.switching_price / item.price - 1.0
            sheet.formula(row, 4, f"{cell(row, 3)}/{cell(row, 2)}-1", value, "percent")
        sheet.text(row, 5, item.outcome[book.lang], wrap=True)
    chart = book.workbook.add_chart({"type": "column"})
    for column, colour, key in ((2, PRICE_COLOUR, "price"), (3, SWITCH_COLOUR, "switching")):
        chart.add_series({
            "name": book.say(f"risk.col.{key}"), "categories": [sheet.title, first, 0, row, 0],
            "values": [sheet.title, first, column, row, column], "fill": {"color": colour}, "gap": 80,
        })  # fmt: skip
    return _place(sheet, chart, row + 1, book.say("risk.switch", currency=currency), currency, book.say("col.letter"))


def _frontier(sheet: Sheet, row: int, data: RiskData, currency: str, years: int) -> int:
    book = sheet.book
    sheet.text(row, 0, book.say("risk.frontier"), weight="heading", fit=False)
    row += 1
    if not data.frontier:
        sheet.text(row, 0, book.say("risk.frontier_none"), weight="note", fit=False)
        return row + 1
    sheet.headers(row, 1, [book.say(f"risk.col.{n}", currency=currency, years=years)
                           for n in ("budget", "people", "total")])  # fmt: skip
    first = row + 1
    for n, item in enumerate(data.frontier):
        row = first + n
        sheet.number(row, 1, item.budget, "money")
        sheet.number(row, 2, float(item.people), "count", role="solver")
        sheet.number(row, 3, item.nominal, "money", role="solver")
    chart = book.workbook.add_chart({"type": "scatter", "subtype": "straight_with_markers"})
    chart.add_series({
        "name": book.say("risk.col.people"), "categories": [sheet.title, first, 1, row, 1],
        "values": [sheet.title, first, 2, row, 2], "line": {"color": PRICE_COLOUR, "width": 2},
        "marker": {"type": "circle", "size": 6, "fill": {"color": PRICE_COLOUR}},
    })  # fmt: skip
    return _place(sheet, chart, row + 1, book.say("risk.frontier"), book.say("risk.col.people"),
                  book.say("risk.col.budget", currency=currency))  # fmt: skip


def _place(sheet: Sheet, chart: Any, row: int, title: str, upward: str, across: str) -> int:
    """Title, axes and size of a chart; returns the first free row below it."""
    grid = {"visible": True, "line": {"color": "#D9D9D9"}}
    chart.set_title({"name": title, "name_font": {"size": 11}})
    chart.set_y_axis({"num_format": "#,##0", "name": upward, "major_gridlines": grid, "min": 0})
    chart.set_x_axis({"num_format": "#,##0", "name": across})
    chart.set_legend({"position": "bottom"})
    chart.set_size(SIZE)
    sheet.raw.insert_chart(row + 1, 0, chart, {"object_position": 2, "description": title})
    return row + 2 + CHART_ROWS


def _headroom(sheet: Sheet, row: int, budget: Budget | None) -> int:
    """The rise of the price that the budget still bears, live."""
    if budget is None or budget.limit is None:
        return row
    book, here = sheet.book, sheet.title
    left = budget.limit.value - budget.spent.value
    sheet.text(row, 0, book.say("risk.budget_left"), weight="total", across=2, fit=False)
    sheet.formula(row, 2, f"{budget.limit.at(here)}-{budget.spent.at(here)}", left, role="link")
    sheet.text(row + 1, 0, book.say("risk.left_share"), weight="total", across=2, fit=False)
    spent = budget.spent.at(here)
    share = left / budget.spent.value if budget.spent.value else 0.0
    sheet.formula(row + 1, 2, f"IF({spent}=0,0,{cell(row, 2)}/{spent})", share, "percent")
    return row + 3
