"""How long the workbook takes: five options, five years, in both languages; medians.

`python benchmarks/workbook.py [--json F]` prints seconds and, as a figure that does not depend on the machine, the
ratio to the time in which XlsxWriter alone writes as many formulas. Nothing here is asserted.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import openpyxl
import xlsxwriter

from hwcost.case import prepare, restrict
from hwcost.catalog import load_catalog
from hwcost.jsontext import to_json
from hwcost.options import OPTIONS, Comparison, compare
from hwcost.report import write_document, write_workbook
from hwcost.scenario_io import load_scenario

RUNS = 5
SHOWN = 5
YEARS = 5


def five_options() -> Comparison:
    """The first five options with a plan, each with its cheapest machines, over five years."""
    catalog = load_catalog()
    scenario = replace(load_scenario("lab-default", catalog), horizon_years=YEARS, spend_by=None, budget=600_000.0)
    case = prepare(scenario, catalog)
    kept = set()
    for option in OPTIONS:
        mine = [b for b in case.builds if option.accepts(b.card, b.cards, b.owned)]
        kept |= {b.id for b in sorted(mine, key=lambda b: (case.price_by_build[b.id], b.id))[:1]}
    found = compare(restrict(case, lambda b: b.id in kept), "serve", time_limit_s=20.0)
    chosen = [r for r in found.results if r.letter == found.chosen]
    rest = [r for r in found.results if r.plan is not None and r.letter != found.chosen]
    return replace(found, results=tuple(sorted((*chosen, *rest[: SHOWN - 1]), key=lambda r: r.letter)))


def median_s(work: Callable[[], None]) -> float:
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def plain_formulas(path: Path, count: int) -> None:
    """As many formulas on one sheet, without formats."""
    with xlsxwriter.Workbook(str(path)) as book:
        sheet = book.add_worksheet()
        for n in range(count):
            sheet.write_formula(n // 20, n % 20, "=1+1", None, 2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", metavar="F")
    to = parser.parse_args().json
    options = five_options()
    items = [p for r in options.results if r.plan for b in r.plan.bought for p in b.build.parts]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "w.xlsx"
        record = {"options": len(options.results), "items": len(items), "years": YEARS}
        for lang in ("zh", "en"):
            record[f"workbook_{lang}_s"] = median_s(partial(write_workbook, options.best, options, path, lang))
        record["document_s"] = median_s(lambda: write_document(options.best, options, Path(folder) / "d.docx", "zh"))
        book = openpyxl.load_workbook(path)
        formulas = sum(1 for sheet in book for row in sheet.iter_rows() for c in row if c.data_type == "f")
        plain = median_s(lambda: plain_formulas(Path(folder) / "p.xlsx", formulas))
    record |= {"formulas": formulas, "ratio_to_plain_formulas": record["workbook_zh_s"] / plain}
    text = to_json(record)
    if to in (None, "-"):
        print(text, end="")
    else:
        Path(to).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
