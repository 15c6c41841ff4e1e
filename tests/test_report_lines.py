"""Cost lines that follow no formula of the sheet: services, overhead, purchases at later prices, unknown categories."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest
from recalc import recalculate_all
from report_cases import DAY, comparison, title

from hwcost.costs import CostLine
from hwcost.plan import Plan, totals
from hwcost.report import write_workbook
from hwcost.report.cost_rows import driver_values, follows, given_rows, group_of, rows_of

NAME = "eu-lab"
CENT = 0.005


def with_lines(*more: CostLine) -> Plan:
    plan = comparison(NAME).best
    lines = (*plan.cost_lines, *more)
    return replace(plan, cost_lines=lines, totals=totals(lines))


def line(category: str, item: str, build_id: str, price: float, *, year: int = 1, quantity: float = 1.0) -> CostLine:
    return CostLine(year, category, item, build_id, quantity, "piece", price, "lab", 1.0)


STRANGE = {
    "service": (line("campus", "service:x", "service:x", 0.12, quantity=1000.0),),
    "overhead": (line("overhead", "fund-1", "", 0.15, quantity=800.0),),
    "unknown category": (line("insurance", "policy", "", 321.09),),
    "two prices of one item": (line("rental", "cloud", "service:y", 1.5), line("rental", "cloud", "service:y", 99.0)),
}


@pytest.mark.parametrize("kind", STRANGE)
def test_no_line_of_a_plan_is_dropped(kind: str, tmp_path: Path) -> None:
    plan = with_lines(*STRANGE[kind])
    write_workbook(plan, None, tmp_path / "plan.xlsx", "en", today=DAY)
    (fresh,) = recalculate_all([tmp_path / "plan.xlsx"], tmp_path / "out")
    sheet = openpyxl.load_workbook(fresh, data_only=True)[title("cost", "en")]
    row = next(r for r in sheet.iter_rows() if r[0].value == "Total")
    figures = [c.value for c in row if isinstance(c.value, int | float)]
    by_year = [math.fsum(n.amount for n in plan.cost_lines if n.year == y) for y in range(3)]
    whole = math.fsum(n.amount for n in plan.cost_lines)
    assert figures[:4] == pytest.approx([*by_year, whole], abs=CENT)
    checks = openpyxl.load_workbook(fresh, data_only=True)[title("checks", "en")]
    results = {r[1].value: r[9].value for r in checks.iter_rows() if r[3].value == "="}
    assert set(results.values()) == {"OK"}


def test_a_purchase_at_another_price_keeps_all_its_money(tmp_path: Path) -> None:
    plan = comparison(NAME).best
    build = plan.bought[0].build
    later = [replace(n, year=1, unit_price=round(0.9 * n.unit_price, 2)) for n in plan.cost_lines
             if n.build_id == build.id and n.category == "card"]  # fmt: skip
    plan = with_lines(*later)
    mine = [n for n in plan.cost_lines if n.build_id == build.id]
    scenario = plan.case.scenario
    whole = rows_of(scenario, build)
    drivers = [driver_values(plan, build, row) for row in whole]
    assert not follows(scenario, whole, mine, drivers)
    before = comparison(NAME).best.cost_lines
    assert follows(scenario, whole, [n for n in before if n.build_id == build.id], drivers)
    rows = [r for r in whole if r.category == "card"]
    prices = [r.price for r, _ in given_rows(mine) if r.category == "card"]
    assert prices == [rows[0].price, round(0.9 * rows[0].price, 2)]
    write_workbook(plan, None, tmp_path / "plan.xlsx", "zh", today=DAY)
    sheet = openpyxl.load_workbook(tmp_path / "plan.xlsx", data_only=True)[title("cost", "zh")]
    row = next(r for r in sheet.iter_rows() if r[0].value == "总计")
    figures = [c.value for c in row if isinstance(c.value, int | float)]
    assert figures[3] == pytest.approx(math.fsum(n.amount for n in plan.cost_lines), abs=CENT)


def test_every_category_has_a_group() -> None:
    assert group_of("card") == "cards" and group_of("tax") == "delivery" and group_of("network") == "machines"
    assert group_of("residual") == "residual"
    assert {group_of(c) for c in ("campus", "rental", "overhead", "insurance")} == {"services"}
