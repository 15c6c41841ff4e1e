"""The same money four times: cost lines, the solver's cost level, by hand, and in the recalculated workbook."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import openpyxl
import pytest
from openpyxl.cell import Cell
from openpyxl.workbook import Workbook
from openpyxl.worksheet.worksheet import Worksheet
from recalc import recalculate_all
from report_cases import EVERY_RATE, NAMES, comparison, need

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
RELATIVE = 1e-6  # what the solver's own cost level may differ by

COST, INPUTS, CHECKS, SUMMARY, BUDGET, OPTIONS = (
    "Three-year cost", "Assumptions and sources", "Checks", "Summary", "Configuration and budget", "Options",
)  # fmt: skip

CHANGES = {
    "tariff": {"tariff_per_kwh": 1.37},
    "discount": {"discount_rate": 0.08},
    "tax": {"tax_rate": 0.06},
    "pue": {"pue": 1.21},
    "wage": {"staff_wage_per_hour": 48.25},
    "price": {},
    "over": {},  # a price that takes the purchase over the budget
}
FACTORS = {"price": 1.1234, "over": 3.0}  # of the first part's price
RERUN = "Inputs changed since the optimisation: run again."
FULL = ("lab-default", EVERY_RATE)  # here every change is tried; elsewhere one each, in turn
WITH_OPTIONS = "lab-default"  # here with the options; without them it is a smaller file to change
CHANGED = [
    (name, change)
    for n, name in enumerate(NAMES)
    for m, change in enumerate(CHANGES)
    if name in FULL or (n % (len(CHANGES) - 1) == m and change not in FACTORS)
]
OTHER = "zh"  # the workbooks in the other language, all formulas of which are recalculated too
CHINESE = "lab-default/zh/over"  # the change "over" in the Chinese workbook


# --- by hand ----------------------------------------------------------------------------------------------------


def to_cents(x: float) -> float:
    return float(Decimal(f"{x:.15g}").quantize(Decimal("0.01"), rounding=ROUND_HALF_UP))


def by_hand(plan: Plan) -> dict[str, float]:
    """Nominal total and present value from purchases and assignments: plain sums, none of the program's cost code."""
    s = plan.case.scenario
    years = s.horizon_years
    total = present = capex = 0.0

    def pay(amount: float, discounted_years: int) -> None:
        nonlocal total, present
        total += amount
        present += amount / (1 + s.discount_rate) ** discounted_years

    for purchase in plan.purchases:
        build, nodes, start = purchase.build, purchase.nodes, purchase.year
        goods = sum(part.quantity * part.unit_price_net for part in build.parts)
        if not purchase.owned:
            assert start == 0 or not s.price_trend_per_year  # prices of later years are not computed by hand
            freight = to_cents(s.freight_rate * goods)
            fee = 0.0 if build.upgrade_of else to_cents(s.installation_per_node)
            tax = to_cents(s.tax_rate * (goods + freight + fee))
            capex += nodes * (goods + freight + fee + tax)
            pay(nodes * (goods + freight + fee + tax), start)
            pay(nodes * s.staff_setup_hours_per_node * s.staff_wage_per_hour, start + 1)
            pay(
                -nodes * to_cents(s.residual_share ** ((years - start) / years) * goods if s.residual_share else 0.0),
                years,
            )
        card = sum(part.unit_price_net for part in build.parts if part.role == "card")
        for year in range(start, years):
            cost = nodes * build.idle_wall_w * s.on_hours_per_year / 1000 * s.pue * s.tariff_per_kwh
            cost += nodes * s.staff_hours_per_node_year * s.staff_wage_per_hour
            cost += nodes * to_cents(s.hosting_per_node_year)
            if year - start >= s.warranty_years and not purchase.owned:
                cost += nodes * to_cents(s.maintenance_rate * goods)
                cost += nodes * build.cards * to_cents(s.failure_rate * card)
            pay(cost, year + 1)
    for year in range(years):
        for build_id in {a.strategy.build_id for a in plan.assignments if a.year == year}:
            build = plan.case.build_by_id[build_id]
            runs = [a for a in plan.assignments if a.year == year and a.strategy.build_id == build_id]
            hours = sum(a.runs * a.strategy.cards / a.strategy.sharers * a.strategy.hours_per_run for a in runs)
            if build.service is None:
                pay(hours * build.busy_extra_wall_w_per_card / 1000 * s.pue * s.tariff_per_kwh, year + 1)
                continue
            service = build.service
            paid = max(hours, service.minimum_card_hours_per_year) * service.price_per_card_hour
            pay(paid + service.fixed_cost_per_year, year + 1)
    for workload in s.workloads:
        several = [a.year for a in plan.assignments if a.strategy.workload_id == workload.id and a.strategy.cards > 1]
        if several:
            pay(s.multi_card_setup_hours * s.staff_wage_per_hour, min(several) + 1)
    return {"nominal": total, "present_value": present, "capex": capex}


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
    if change in FACTORS:
        sheet = next(book[title] for title in SHEETS["assumptions"] if title in book.sheetnames)
        part = card_part(plan)
        assert part, "this plan buys nothing whose price could change"
        ends = (f": {part[1]}", f"：{part[1]}")
        rows = [r for r in range(1, sheet.max_row + 1) if str(sheet.cell(r, 2).value).endswith(ends)]
        cell = sheet.cell(rows[0], 3)
        value = cell.value * FACTORS[change]
    else:
        ((key, value),) = CHANGES[change].items()
        _, coordinate = book.defined_names[f"in_{key}"].attr_text.split("!")
        cell = book[INPUTS][coordinate.replace("$", "")]
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
    for name in NAMES:
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
        for change in (c for n, c in CHANGED if n == name):
            changed = change_inputs(book, folder / f"{name}--{change}.xlsx", options.best, change)
            paths[f"{name}/{change}"] = changed
    plan = comparison("lab-default").best
    write_workbook(plan, None, folder / "zh.xlsx", "zh")
    paths[CHINESE] = change_inputs(openpyxl.load_workbook(folder / "zh.xlsx"), folder / "zh--over.xlsx", plan, "over")
    outputs = recalculate_all(list(paths.values()), folder / "out")
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


@pytest.mark.parametrize("name", NAMES)
def test_cost_lines_add_up_to_the_calculation_by_hand(name: str) -> None:
    plan = comparison(name).best
    assert plan.has_plan
    hand = by_hand(plan)
    assert sum(line.amount for line in plan.cost_lines) == pytest.approx(hand["nominal"], abs=CENT)
    assert sum(line.present_value for line in plan.cost_lines) == pytest.approx(hand["present_value"], abs=CENT)
    assert plan.totals.capex == pytest.approx(hand["capex"], abs=CENT)


@pytest.mark.parametrize("name", NAMES)
def test_cost_level_of_the_solver_is_the_sum_of_the_lines(name: str) -> None:
    plan = comparison(name).best
    (level,) = [stage.value for stage in plan.stages if stage.name == "cost"]
    assert level == pytest.approx(by_hand(plan)["present_value"], rel=RELATIVE, abs=CENT)


@pytest.mark.parametrize("name", NAMES)
def test_recalculated_workbook_gives_the_calculation_by_hand(name: str, books: dict[str, Books]) -> None:
    hand = by_hand(comparison(name).best)
    *years, total, present = total_row(books[name].recalculated)
    assert total == pytest.approx(hand["nominal"], abs=CENT)
    assert sum(years) == pytest.approx(hand["nominal"], abs=CENT)
    assert present == pytest.approx(hand["present_value"], abs=CENT)


@pytest.mark.parametrize("name", NAMES)
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


@pytest.mark.parametrize("name", [key for name in NAMES for key in (name, f"{name}/{OTHER}")])
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


@pytest.mark.parametrize("name", NAMES)
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


def changed_cost(plan: Plan, change: str, dearer: str) -> tuple[list[float], float]:
    """By the program's cost function, for the same purchases: amounts by year, and the present value."""
    scenario = replace(plan.case.scenario, **CHANGES[change])
    years = range(scenario.horizon_years)
    builds = [priced_anew(scenario, p.build, dearer, FACTORS.get(change, 1.0)) for p in plan.purchases]
    hours = {(b.id, y): 0.0 for b in builds for y in years}
    for a in plan.assignments:
        if (a.strategy.build_id, a.year) in hours:
            hours[a.strategy.build_id, a.year] += a.card_hours
    buy = {(p.build.id, 0): float(p.nodes) for p in plan.purchases}
    nodes = {(p.build.id, y): float(p.nodes) for p in plan.purchases for y in years}
    lines = cost_lines(scenario, builds, Decisions(buy, nodes, hours))
    own = {b.id for b in builds}
    rest = [
        n for n in plan.cost_lines if n.build_id not in own
    ]  # services and the like: no input of the sheet is theirs
    wage = scenario.staff_wage_per_hour
    lines += [
        replace(n, discount=(1 + scenario.discount_rate) ** -(n.year + 1),
                unit_price=wage if n.category == "setup" else n.unit_price)
        for n in rest
    ]  # fmt: skip
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


def excess(name: str) -> float:
    """What the purchase exceeds the budget by after the change "over", by hand, on the budget's own tax basis."""
    plan = comparison(name).best
    s = plan.case.scenario
    part = card_part(plan)
    assert part and s.budget is not None
    spent = 0.0
    for p in plan.bought:
        build = priced_anew(s, p.build, part[0], FACTORS["over"])
        goods = sum(x.quantity * x.unit_price_net for x in build.parts)
        fees = to_cents(s.freight_rate * goods) + to_cents(s.installation_per_node)
        tax = to_cents(s.tax_rate * (goods + fees)) if s.budget_tax_included else 0.0
        spent += p.nodes * (goods + fees + tax)
    return spent - s.budget


@pytest.mark.parametrize("name", FULL)
def test_headline_gives_way_to_the_change_and_says_what_exceeds_the_budget(name: str, books: dict[str, Books]) -> None:
    plan = comparison(name).best
    sentences = answer(plan, comparison(name), "en", need=need(name))
    whole = [c.value for c in books[name].recalculated[SUMMARY]["A"]]
    assert whole[3 : 3 + len(sentences)] == sentences
    over = excess(name)
    assert over > 0
    fresh = books[f"{name}/over"].recalculated
    changed = [c.value for c in fresh[SUMMARY]["A"]]
    assert changed[3].endswith(f"The purchase now exceeds the budget by {over:,.2f} {plan.case.scenario.currency}.")
    assert not set(changed) & set(sentences)
    assert not [text for text in changed if "Proven to be the best" in str(text)]
    assert fresh[CHECKS].cell(4, 3).value == "NOT OK"
    cheaper = books[f"{name}/tariff"].recalculated[SUMMARY].cell(4, 1).value
    assert cheaper.startswith(RERUN) and "exceeds" not in cheaper


def test_chinese_headline_says_what_exceeds_the_budget(books: dict[str, Books]) -> None:
    fresh = books[CHINESE].recalculated
    text = fresh[SHEETS["summary"][1]].cell(4, 1).value
    assert text.startswith("优化后输入已改动，请重新运行")
    assert text.endswith(f"按现输入，购置费超出预算 {excess('lab-default'):,.2f} CNY。")
    results = [row[9].value for row in fresh[SHEETS["checks"][1]].iter_rows()]
    assert results.count("不适用") == 1 and results.count("不满足") == 1
