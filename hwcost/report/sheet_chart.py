"""One page with the cost of each option by kind, as a table and as a stacked chart that reads it."""

from __future__ import annotations

from hwcost.names import option_name
from hwcost.options import Comparison
from hwcost.report.book import Sheet, quoted
from hwcost.report.cost_place import Block
from hwcost.report.cost_rows import GROUPS

COLOURS = ("#1F4E79", "#2E9BB3", "#9DC3C1", "#E6A23C", "#8E7CC3", "#A5573F", "#7F7F7F", "#B9A44C", "#C9C9C9")
TOP = 3
SIZE = {"width": 900, "height": 420}


def write(sheet: Sheet, comparison: Comparison, blocks: dict[str, Block]) -> None:
    """Options down, kinds of cost across; a kind that costs nothing anywhere is left out of both."""
    book, scenario = sheet.book, comparison.best.case.scenario
    title = book.say("sheet.chart")
    basis = book.say("money_basis", currency=scenario.currency, years=scenario.horizon_years)
    sheet.text(0, 0, title, weight="title", fit=False)
    sheet.text(1, 0, basis, weight="note", fit=False)
    shown = [r for r in comparison.results if r.letter in blocks]
    used = [g for g in GROUPS if any(blocks[r.letter].groups[g].value for r in shown)]
    sheet.fixed |= {0: 8.0, 1: 44.0}
    columns = ["letter", "option"]
    sheet.headers(TOP, 0, [book.say(f"col.{c}") for c in columns] + [book.say(f"group.{g}") for g in used])
    sheet.headers(TOP, 2 + len(used), [book.say("col.total")])
    for n, result in enumerate(shown):
        row = TOP + 1 + n
        block = blocks[result.letter]
        weight = "total" if result.letter == comparison.chosen else "cell"
        sheet.text(row, 0, result.letter, weight=weight)
        sheet.text(row, 1, option_name(result, book.lang), weight=weight, wrap=True)
        for m, group in enumerate(used):
            sheet.link(row, 2 + m, block.groups[group], weight=weight)
        assert block.nominal is not None
        sheet.link(row, 2 + len(used), block.nominal, weight=weight)
    if used:  # a chart without a series is no chart: nothing is bought, kept or paid anywhere
        _chart(sheet, used, TOP + len(shown), scenario.horizon_years, scenario.currency)
    sheet.finish(freeze=(TOP + 1, 2), one_page=True)


def _chart(sheet: Sheet, used: list[str], last: int, years: int, currency: str) -> None:
    """The stacked columns, below the table that ends in row `last`."""
    book = sheet.book
    chart = book.workbook.add_chart({"type": "column", "subtype": "stacked"})
    for m, group in enumerate(used):
        chart.add_series({
            "name": [sheet.title, TOP, 2 + m],
            "categories": f"={quoted(sheet.title)}!$A${TOP + 2}:$A${last + 1}",
            "values": [sheet.title, TOP + 1, 2 + m, last, 2 + m],
            "fill": {"color": COLOURS[GROUPS.index(group)]}, "border": {"color": "#FFFFFF", "width": 0.5}, "gap": 60,
        })  # fmt: skip
    grid = {"visible": True, "line": {"color": "#D9D9D9"}}
    chart.set_title({"name": book.say("chart.title", years=years), "name_font": {"size": 12}})
    chart.set_y_axis({"num_format": "#,##0", "name": currency, "major_gridlines": grid})
    chart.set_x_axis({"name": book.say("col.letter"), "label_position": "low"})
    chart.set_legend({"position": "right"})
    chart.set_size(SIZE)
    sheet.raw.insert_chart(last + 2, 0, chart, {"object_position": 2, "description": sheet.title})
