"""The same money four times: cost lines, the solver's cost level, by hand, and in the recalculated workbook."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import openpyxl
import pytest
from money_by_hand import by_hand, to_cents
from openpyxl.cell import Cell
from openpyxl.workbook import Workbook
from openpyxl.worksheet.worksheet import Worksheet
from recalc import recalculate_all
from report_cases import EVERY_MONEY, EVERY_RATE, NAMES, comparison, need

from hwcost.build import Build
from hwcost.costs import Decisions, cost_lines
from hwcost.messages.report import SHEETS
from hwcost.plan import Plan
from hwcost.pricing import net_of_tax
from hwcost.quantities import rounded
from hwcost.report import write_workbook
from hwcost.scenario import Scenario
from hwcost.sentences import answer

CENT = 0.005
AT_ONCE = 30  # workbooks that one run of the spreadsheet takes
RELATIVE = 1e-6  # what the solver's own cost level may differ by

COST, INPUTS, CHECKS, SUMMARY, BUDGET, OPTIONS = (
    "Three-year cost", "Assumptions and sources", "Checks", "Summary", "Configuration and budget", "Options",
)  # fmt: skip


def buys(name: str) -> bool:
    return bool(comparison(name).best.bought)


CHANGES: dict[str, dict[str, float]] = {
    "tariff": {"tariff_per_kwh": 1.37},
    "discount": {"discount_rate": 0.08},
    "tax": {"tax_rate": 0.06},
    "pue": {"pue": 1.21},
    "wage": {"staff_wage_per_hour": 48.25},
    "installation": {"installation_per_node": 481.77},
    "warranty": {"warranty_years": 2.0},
    "residual": {"residual_share": 0.2671},
    "trend": {},  # of the prices of cards
    "hire": {},  # the price of a card-hour
    "price": {},
    "over": {},  # a price that takes the purchase over the budget
}
FACTORS = {"price": 1.1234, "over": 3.0}  # of the first part's price
TREND = 0.0519
HIRE = 0.6191
RERUN = "Inputs changed since the optimisation: run again."
WITH_OPTIONS = "lab-default"  # here with the options; without them it is a smaller file to change
OTHER = "zh"  # the workbooks in the other language, all formulas of which are recalculated too
CHINESE = "lab-default/zh/over"  # the change "over" in the Chinese workbook
OVER = ("lab-default", EVERY_RATE)
# In the suite a few scenarios that hold everything; `python benchmarks/reconcile_all.py` asks for all of them.
EVERYTHING = os.environ.get("HWCOST_RECONCILE") == "all"
SHOWN = (*NAMES, EVERY_MONEY) if EVERYTHING else (WITH_OPTIONS, "owned-3090s", EVERY_MONEY)
TRIED = {WITH_OPTIONS: ("price", "over"), "owned-3090s": ("tariff",), EVERY_MONEY: tuple(CHANGES)}
IMPOSSIBLE = {"trend": EVERY_MONEY, "hire": EVERY_MONEY}  # inputs that stand in this workbook alone
if EVERYTHING:
    TRIED = {
        name: tuple(c for c in CHANGES if IMPOSSIBLE.get(c, name) == name and (c not in FACTORS or buys(name)))
        for name in SHOWN
    }
TRIED[EVERY_MONEY] = tuple(c for c in TRIED[EVERY_MONEY] if c != "over")  # its funds set no limit that this passes
CHANGED = [(name, change) for name, changes in TRIED.items() for change in changes]
EXCEEDING = [name for name in OVER if "over" in TRIED.get(name, ())]


# --- the workbooks, all recalculated in one run -----------------------------------------------------------------


@dataclass
class Books:
    """A workbook as it was written, and as the spreadsheet recalculated it."""

    path: Path
    recalculated: Workbook
    written: Workbook | None = None  # with its formulas; None for a changed copy


def find(book: Workbook, sheet: str, text: str, column: int = 2) -> int:
    """The row whose cell in `column` begins with `text`."""
    rows = [r for r in range(1, book[sheet].max_row + 1) if str(book[sheet].cell(r, column).value).startswith(text)]
    assert rows, f"{sheet}: no row {text!r}"
    return rows[0]


def card_part(plan: Plan) -> tuple[str, str] | None:
    parts = [part for p in plan.bought for part in p.build.parts]
    return (parts[0].item_id, parts[0].name) if parts else None


def change_inputs(book: Workbook, out: Path, plan: Plan, change: str) -> Path:
    """A copy of the workbook with one input cell changed."""
    sheet = next(book[title] for title in SHEETS["assumptions"] if title in book.sheetnames)
    if change == "hire":
        rows = [r for r in range(1, sheet.max_row + 1) if str(sheet.cell(r, 2).value).endswith(": a card-hour")]
        cell, value = sheet.cell(rows[0], 3), HIRE
    elif change in FACTORS:
        part = card_part(plan)
        assert part, "this plan buys nothing whose price could change"
        ends = (f": {part[1]}", f"：{part[1]}")
        rows = [r for r in range(1, sheet.max_row + 1) if str(sheet.cell(r, 2).value).endswith(ends)]
        cell = sheet.cell(rows[0], 3)
        value = cell.value * FACTORS[change]
    else:
        ((key, value),) = CHANGES[change].items() or [("trend_card", TREND)]
        _, coordinate = book.defined_names[f"in_{key}"].attr_text.split("!")
        cell = sheet[coordinate.replace("$", "")]
    before, cell.value = cell.value, value
    book.save(out)
    cell.value = before
    return out


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Books]]:
    """By `scenario` and by `scenario/change`."""
    folder = tmp_path_factory.mktemp("reconcile")
    paths: dict[str, Path] = {}
    written: dict[str, Workbook] = {}
    for name in SHOWN:
        options = comparison(name)
        path = folder / f"{name}.xlsx"
        write_workbook(options.best, options, path, "en", need=need(name))
        paths[name] = path
        book = written[name] = openpyxl.load_workbook(path)
        other = f"{name}/{OTHER}"
        paths[other] = folder / f"{name}--{OTHER}.xlsx"
        write_workbook(options.best, options, paths[other], OTHER, need=need(name))
        written[other] = openpyxl.load_workbook(paths[other])
        if name != WITH_OPTIONS:
            path = folder / f"{name}--plan.xlsx"
            write_workbook(options.best, None, path, "en")
            book = openpyxl.load_workbook(path)
        for change in TRIED.get(name, ()):
            changed = change_inputs(book, folder / f"{name}--{change}.xlsx", options.best, change)
            paths[f"{name}/{change}"] = changed
    plan = comparison(WITH_OPTIONS).best
    write_workbook(plan, None, folder / "zh.xlsx", "zh")
    paths[CHINESE] = change_inputs(openpyxl.load_workbook(folder / "zh.xlsx"), folder / "zh--over.xlsx", plan, "over")
    files = list(paths.values())
    outputs = [o for n in range(0, len(files), AT_ONCE) for o in recalculate_all(files[n : n + AT_ONCE], folder / "o")]
    pairs = zip(paths.items(), outputs, strict=True)
    yield {
        key: Books(path, openpyxl.load_workbook(out, data_only=True), written.get(key)) for (key, path), out in pairs
    }


def options_rows(sheet: Worksheet) -> list[tuple[Cell, ...]]:
    last = next(c.row for c in sheet["A"] if c.value == "Technical conditions of the options") - 2
    return list(sheet.iter_rows(min_row=6, max_row=last))


def total_row(book: Workbook) -> list[float]:
    """The row of totals: a year each, the sum, the present value."""
    row = find(book, COST, "Total", 1)
    values = [book[COST].cell(row, c).value for c in range(1, book[COST].max_column + 1)]
    return [float(v) for v in values if isinstance(v, int | float)]


# --- the tests --------------------------------------------------------------------------------------------------


def test_the_scenario_of_every_rule_of_money_holds_each_of_them() -> None:
    plan = comparison(EVERY_MONEY).best
    found = {n.category for n in plan.cost_lines}
    assert {"freight", "installation", "maintenance", "failures", "residual", "hosting", "campus", "overhead"} <= found
    assert {p.year for p in plan.bought} == {0, 1} and {p.build.nodes_per_unit for p in plan.bought} == {2}
    assert {n.fund for n in plan.cost_lines if n.category == "card"} == {"depreciation", "chair"}
    assert len({n.unit_price for n in plan.cost_lines if n.category == "card"}) == 2
    assert any(n.category == "setup" and not n.build_id for n in plan.cost_lines)
    assert any(hours > 1.0 for hours in decided(plan).unused_hours.values())


@pytest.mark.parametrize("name", SHOWN)
def test_cost_lines_add_up_to_the_calculation_by_hand(name: str) -> None:
    plan = comparison(name).best
    assert plan.has_plan
    hand = by_hand(plan)
    assert sum(line.amount for line in plan.cost_lines) == pytest.approx(hand["nominal"], abs=CENT)
    assert sum(line.present_value for line in plan.cost_lines) == pytest.approx(hand["present_value"], abs=CENT)
    assert plan.totals.capex == pytest.approx(hand["capex"], abs=CENT)


@pytest.mark.parametrize("name", SHOWN)
def test_cost_level_of_the_solver_is_the_sum_of_the_lines(name: str) -> None:
    plan = comparison(name).best
    (level,) = [stage.value for stage in plan.stages if stage.name == "cost"]
    assert level == pytest.approx(by_hand(plan)["present_value"], rel=RELATIVE, abs=CENT)


@pytest.mark.parametrize("name", SHOWN)
def test_recalculated_workbook_gives_the_calculation_by_hand(name: str, books: dict[str, Books]) -> None:
    hand = by_hand(comparison(name).best)
    *years, total, present = total_row(books[name].recalculated)
    assert total == pytest.approx(hand["nominal"], abs=CENT)
    assert sum(years) == pytest.approx(hand["nominal"], abs=CENT)
    assert present == pytest.approx(hand["present_value"], abs=CENT)


@pytest.mark.parametrize("name", SHOWN)
def test_options_of_the_workbook_cost_what_each_costs_by_hand(name: str, books: dict[str, Books]) -> None:
    sheet = books[name].recalculated[OPTIONS]
    shown = {row[0].value: (row[3].value, row[4].value) for row in options_rows(sheet)}
    for result in comparison(name).results:
        if result.plan is None:
            assert shown[result.letter] == (None, None)
            continue
        hand = by_hand(result.plan)
        assert shown[result.letter][0] == pytest.approx(hand["capex"], abs=CENT)
        assert shown[result.letter][1] == pytest.approx(hand["nominal"], abs=CENT)
    least = need(name)
    assert (None in shown) is (least is not None)
    if least is not None:
        hand = by_hand(least)
        assert shown[None] == (pytest.approx(hand["capex"], abs=CENT), pytest.approx(hand["nominal"], abs=CENT))


@pytest.mark.parametrize("name", [key for name in SHOWN for key in (name, f"{name}/{OTHER}")])
def test_every_stored_value_is_what_the_spreadsheet_computes(name: str, books: dict[str, Books]) -> None:
    three = books[name]
    stored_book = openpyxl.load_workbook(three.path, data_only=True)
    differences, count = [], 0
    assert three.written is not None
    for sheet in three.written:
        for row in sheet.iter_rows():
            for cell in row:
                if cell.data_type != "f":
                    continue
                count += 1
                stored = stored_book[sheet.title][cell.coordinate].value
                fresh = three.recalculated[sheet.title][cell.coordinate].value
                if isinstance(stored, int | float) and isinstance(fresh, int | float):
                    same = abs(stored - fresh) < CENT
                else:
                    same = stored == fresh
                if not same:
                    differences.append((sheet.title, cell.coordinate, cell.value, stored, fresh))
    assert count > 100
    assert not differences


@pytest.mark.parametrize("name", SHOWN)
def test_all_checks_hold_and_inputs_count_as_unchanged(name: str, books: dict[str, Books]) -> None:
    checks = books[name].recalculated[CHECKS]
    everything = all(check.ok for check in comparison(name).best.checks)
    assert checks.cell(4, 3).value == ("OK" if everything else "all rules hold; part of the work is left out")
    assert checks.cell(5, 3).value == "unchanged since the optimisation"


# --- one input changed ------------------------------------------------------------------------------------------


def priced_anew(scenario: Scenario, build: Build, dearer: str, factor: float) -> Build:
    """The machine at the scenario's tax rate, with the price of one part times `factor`."""
    parts = tuple(
        replace(
            part,
            unit_price_net=float(
                rounded(
                    net_of_tax(
                        part.price.amount * (factor if part.item_id == dearer else 1.0) * part.fx_rate,
                        part.price.tax_included, scenario.tax_rate,
                    ),
                    2,
                )
            ),
        )
        for part in build.parts
    )  # fmt: skip
    return replace(build, parts=parts)


def decided(plan: Plan) -> Decisions:
    """What the plan does, read back from its purchases, assignments and lines."""
    buy: dict[tuple[str, int], float] = {}
    nodes: dict[tuple[str, int], float] = {}
    hours: dict[tuple[str, int], float] = {}
    unused: dict[tuple[str, int], float] = {}
    in_use: dict[tuple[str, int], float] = {}
    overhead: dict[tuple[str, int], float] = {}
    for p in plan.purchases:
        if not p.owned:
            buy[p.build.id, p.year] = float(p.nodes)
        for year, n in enumerate(p.nodes_by_year):
            nodes[p.build.id, year] = nodes.get((p.build.id, year), 0.0) + n
            hours.setdefault((p.build.id, year), 0.0)
    for u in plan.services:
        hours.setdefault((u.build.id, u.year), 0.0)
    for a in plan.assignments:
        hours[a.strategy.build_id, a.year] += a.card_hours
    for n in plan.cost_lines:
        key = (n.build_id or n.item, n.year)
        if n.unit == "card-hour":
            unused[key] = unused.get(key, -hours[key]) + n.quantity
        elif n.unit == "year":
            in_use[key] = in_use.get(key, 0.0) + n.quantity
        elif n.category == "overhead":
            overhead[key] = overhead.get(key, 0.0) + n.quantity
    joint = {(n.item, n.year): 1.0 for n in plan.cost_lines if n.category == "setup" and not n.build_id}
    return Decisions(buy, nodes, hours, unused, in_use, joint, overhead)


def hired(build: Build, change: str) -> Build:
    assert build.service is not None
    price = HIRE if change == "hire" else build.service.price_per_card_hour
    return replace(build, service=replace(build.service, price_per_card_hour=price))


def changed_cost(plan: Plan, change: str, dearer: str) -> tuple[list[float], float]:
    """By the program's cost function, for the same decisions: amounts by year, and the present value."""
    scenario = replace(plan.case.scenario, **CHANGES[change])
    if change == "trend":
        scenario = replace(scenario, price_trend_per_year=scenario.price_trend_per_year | {"card": TREND})
    factor = FACTORS.get(change, 1.0)
    builds = {p.build.id: priced_anew(scenario, p.build, dearer, factor) for p in plan.purchases}
    builds |= {u.build.id: hired(u.build, change) for u in plan.services}
    lines = cost_lines(scenario, list(builds.values()), decided(plan))
    years = range(scenario.horizon_years)
    return [sum(n.amount for n in lines if n.year == y) for y in years], sum(n.present_value for n in lines)


@pytest.mark.parametrize(("name", "change"), CHANGED)
def test_changed_input_recalculates_to_the_cost_function(name: str, change: str, books: dict[str, Books]) -> None:
    plan = comparison(name).best
    fresh = books[f"{name}/{change}"].recalculated
    part = card_part(plan)
    dearer = part[0] if part and change in FACTORS else ""
    by_year, present = changed_cost(plan, change, dearer)
    *years, total, present_value = total_row(fresh)
    assert years == pytest.approx(by_year, abs=CENT)
    assert total == pytest.approx(sum(by_year), abs=CENT)
    assert present_value == pytest.approx(present, abs=CENT)
    if change in FACTORS:
        assert total > total_row(books[name].recalculated)[-2] + 1.0
    assert fresh[CHECKS].cell(5, 3).value == "inputs changed since the optimisation: run again"
    sums = {row[1].value: row[9].value for row in fresh[CHECKS].iter_rows() if row[3].value == "="}
    assert sums.pop("Total = total computed by the program") == "not applicable"
    assert set(sums.values()) == {"OK"}
    assert fresh[SUMMARY].cell(4, 1).value.startswith(RERUN)
    if name == WITH_OPTIONS:
        shown = {row[0].value: row[4].value for row in options_rows(fresh[OPTIONS])}
        for result in comparison(name).results:
            if result.plan is not None:
                amounts, _ = changed_cost(result.plan, change, dearer)
                assert shown[result.letter] == pytest.approx(sum(amounts), abs=CENT), result.letter


def over_by(name: str, change: str) -> float:
    """What the purchase exceeds the budget by after a change of price, by hand, on the budget's own tax basis."""
    plan = comparison(name).best
    s = plan.case.scenario
    part = card_part(plan)
    assert part and s.budget is not None
    spent = 0.0
    for p in plan.bought:
        build = priced_anew(s, p.build, part[0], FACTORS[change])
        goods = sum(x.quantity * x.unit_price_net for x in build.parts)
        fees = to_cents(s.freight_rate * goods) + to_cents(s.installation_per_node)
        tax = to_cents(s.tax_rate * (goods + fees)) if s.budget_tax_included else 0.0
        spent += p.nodes * (goods + fees + tax)
    return spent - s.budget


@pytest.mark.parametrize("name", EXCEEDING)
def test_headline_gives_way_to_the_change_and_says_what_exceeds_the_budget(name: str, books: dict[str, Books]) -> None:
    plan = comparison(name).best
    sentences = answer(plan, comparison(name), "en", need=need(name))
    whole = [c.value for c in books[name].recalculated[SUMMARY]["A"]]
    assert whole[3 : 3 + len(sentences)] == sentences
    over = over_by(name, "over")
    assert over > 0
    fresh = books[f"{name}/over"].recalculated
    changed = [c.value for c in fresh[SUMMARY]["A"]]
    assert changed[3].endswith(f"The purchase now exceeds the budget by {over:,.2f} {plan.case.scenario.currency}.")
    assert not set(changed) & set(sentences)
    assert not [text for text in changed if "Proven to be the best" in str(text)]
    assert fresh[CHECKS].cell(4, 3).value == "NOT OK"
    dearer = books[f"{name}/price"].recalculated[SUMMARY].cell(4, 1).value
    assert dearer.startswith(RERUN) and ("exceeds" in dearer) is (over_by(name, "price") > 0)


def test_chinese_headline_says_what_exceeds_the_budget(books: dict[str, Books]) -> None:
    fresh = books[CHINESE].recalculated
    text = fresh[SHEETS["summary"][1]].cell(4, 1).value
    assert text.startswith("优化后输入已改动，请重新运行")
    assert text.endswith(f"按现输入，购置费超出预算 {over_by('lab-default', 'over'):,.2f} CNY。")
    results = [row[9].value for row in fresh[SHEETS["checks"][1]].iter_rows()]
    assert results.count("不适用") == 1 and results.count("不满足") == 1
