"""What finance reads: cover, form, requirements, market, hours, six years, risk; and the form as a text document."""

from __future__ import annotations

import re
import zipfile
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import docx
import openpyxl
import pytest
from openpyxl.workbook import Workbook
from openpyxl.worksheet.worksheet import Worksheet
from recalc import recalculate_all
from report_cases import DAY, EVERY_RATE, bundled_catalog, comparison, need, options_of, scenario_of, title

from hwcost.amount_words import amount_words
from hwcost.case import assemble, prepare
from hwcost.cli import main
from hwcost.engine import solve_case
from hwcost.machine_hours import machine_hours
from hwcost.messages import say
from hwcost.plan import Plan
from hwcost.report import FrontierRow, RiskData, SwitchRow, risk_data, write_document, write_workbook
from hwcost.report.argument import SECTIONS, sections
from hwcost.requirements import brand_words, line_text, requirements
from hwcost.strategies import make_strategies

NAME = "lab-default"
LANGS = ("zh", "en")
CENT = 0.005
RISK = RiskData(
    (SwitchRow("A", 100.0, 130.0, {"zh": "高于 130 元时改选。", "en": "Above 130 another is better."}),
     SwitchRow("B", 90.0, None, {"zh": "任何价格均不变。", "en": "At no price."})),
    (FrontierRow(100.0, 2, 150.0), FrontierRow(200.0, 4, 290.0)),
)  # fmt: skip


def gross(plan: Plan) -> float:
    return sum(p.nodes * p.unit_price for p in plan.bought)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same plan in both languages, with data of risk in the English one, and one scenario with rates."""
    folder = tmp_path_factory.mktemp("form")
    options = comparison(NAME)
    for lang in LANGS:
        risk = RISK if lang == "en" else None
        write_workbook(options.best, options, folder / f"{lang}.xlsx", lang, need=need(NAME), risk=risk, today=DAY)
        write_document(options.best, options, folder / f"{lang}.docx", lang, need=need(NAME))
    rates = comparison(EVERY_RATE)
    write_workbook(rates.best, rates, folder / "rates.xlsx", "en", today=DAY)
    return folder


@pytest.fixture(scope="module")
def stored(folder: Path) -> dict[str, Workbook]:
    """The values that a reader sees without a recalculation."""
    return {p.stem: openpyxl.load_workbook(p, data_only=True) for p in folder.glob("*.xlsx")}


def texts(sheet: Worksheet) -> list[str]:
    return [c.value for row in sheet.iter_rows() for c in row if isinstance(c.value, str)]


def beside(sheet: Worksheet, label: str, column: int = 2) -> object:
    """What stands in `column` of the row whose first cell is `label`."""
    found = [row[column - 1].value for row in sheet.iter_rows() if row[0].value == label]
    assert len(found) == 1, (sheet.title, label, found)
    return found[0]


# --- cover ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
def test_cover_comes_first_and_states_the_amount_in_figures_and_words(lang: str, stored: dict[str, Workbook]) -> None:
    plan = comparison(NAME).best
    book = stored[lang]
    assert book.sheetnames[0] == title("cover", lang)
    cover = book[title("cover", lang)]
    amount = beside(cover, say("report.cover.amount", lang, currency="CNY"))
    assert amount == pytest.approx(gross(plan), abs=CENT)
    words = amount_words(round(gross(plan), 2), "CNY", lang)
    assert beside(cover, say("report.cover.words", lang)) == words
    assert beside(book[title("budget", lang)], say("report.budget.words", lang), 4) == words
    assert beside(cover, say("report.cover.machines", lang)) == sum(p.nodes for p in plan.bought)


@pytest.mark.parametrize("lang", LANGS)
def test_every_blank_is_pale_unlocked_listed_and_counted_on_the_cover(lang: str, folder: Path) -> None:
    book = openpyxl.load_workbook(folder / f"{lang}.xlsx")
    word = say("report.fill", lang)
    blanks = [(sheet.title, c) for sheet in book for row in sheet.iter_rows() for c in row if c.value == word]
    assert len(blanks) > 20
    colours = {c.fill.start_color.rgb for _, c in blanks}
    assert len(colours) == 1 and colours.pop()[-6:] not in ("000000", "FFFFFF")
    assert all(not c.protection.locked for _, c in blanks)
    cover = book[title("cover", lang)]
    values = openpyxl.load_workbook(folder / f"{lang}.xlsx", data_only=True)[title("cover", lang)]
    assert beside(values, say("report.cover.blanks", lang)) == len(blanks)
    assert "COUNTIF" in str(beside(cover, say("report.cover.blanks", lang)))
    listing = " ".join(texts(cover))
    for sheet, cell in blanks:
        assert sheet in listing
        if sheet in (cover.title, title("form", lang)):
            assert str(book[sheet].cell(cell.row, 1).value) in listing


def test_filling_in_a_blank_lowers_the_count(folder: Path, tmp_path: Path) -> None:
    book = openpyxl.load_workbook(folder / "en.xlsx")
    before = sum(1 for sheet in book for row in sheet.iter_rows() for c in row if c.value == "to be filled in")
    cover = book[title("cover", "en")]
    cover.cell(4, 2).value = "Four-card workstation"
    book.save(tmp_path / "filled.xlsx")
    (fresh,) = recalculate_all([tmp_path / "filled.xlsx"], tmp_path / "out")
    values = openpyxl.load_workbook(fresh, data_only=True)[title("cover", "en")]
    assert beside(values, "Fields left to fill in, all sheets") == before - 1


def test_cover_of_a_plan_that_buys_nothing_asks_for_no_money(tmp_path: Path) -> None:
    options = options_of(replace(scenario_of(NAME), budget=1.0, objective="serve"), bundled_catalog(), (None,))
    assert not options.best.bought
    write_workbook(options.best, options, tmp_path / "none.xlsx", "en", today=DAY)
    book = openpyxl.load_workbook(tmp_path / "none.xlsx", data_only=True)
    cover = book[title("cover", "en")]
    assert "Nothing is bought: there is no amount to approve." in texts(cover)
    assert not [t for t in texts(cover) if t.startswith("Total")]
    write_document(options.best, options, tmp_path / "none.docx", "en")
    assert "Nothing is bought" in document_text(tmp_path / "none.docx")


# --- the form, and the document -----------------------------------------------------------------------------------


def document_text(path: Path) -> str:
    document = docx.Document(str(path))
    cells = [c.text for table in document.tables for row in table.rows for c in row.cells]
    return "\n".join([p.text for p in document.paragraphs] + cells)


@pytest.mark.parametrize("lang", LANGS)
def test_form_and_document_hold_the_same_lines_in_the_same_order(
    lang: str, folder: Path, stored: dict[str, Workbook]
) -> None:
    options = comparison(NAME)
    parts = sections(options.best, options, lang, need(NAME))
    assert [p.number for p in parts] == list(range(1, SECTIONS + 1))
    wanted = [text for p in parts for text in (p.title, *(line.text for line in p.lines if not line.blank))]
    column = [c.value for c in stored[lang][title("form", lang)]["A"] if c.value is not None]
    assert [t for t in column if t in wanted] == wanted
    document = docx.Document(str(folder / f"{lang}.docx"))
    paragraphs = [p.text for p in document.paragraphs]
    assert [t for t in paragraphs if t in wanted] == wanted
    heads = [p.text for p in document.paragraphs if p.style.name == "Heading 1"]
    assert heads == [p.title for p in parts]
    blanks = [line.text for p in parts for line in p.lines if line.blank]
    labels = [row.cells[0].text for table in document.tables[1:] for row in table.rows]
    assert labels == blanks


@pytest.mark.parametrize("lang", LANGS)
def test_money_of_the_document_is_that_of_the_workbook(lang: str, folder: Path, stored: dict[str, Workbook]) -> None:
    plan = comparison(NAME).best
    amount = beside(stored[lang][title("cover", lang)], say("report.cover.amount", lang, currency="CNY"))
    assert isinstance(amount, float)
    text = document_text(folder / f"{lang}.docx")
    assert f"{amount:,.2f}" in text and amount_words(amount, "CNY", lang) in text
    assert f"{sum(line.amount for line in plan.cost_lines):,.2f}" in text


def test_document_has_the_language_of_the_reader(folder: Path) -> None:
    english = document_text(folder / "en.docx")
    assert not re.search("[一-鿿]", english)
    for line in document_text(folder / "zh.docx").split("\n"):
        assert not line or re.search("[一-鿿]", line) or re.fullmatch(r"[0-9,. A-Z]+", line), line


def test_document_of_poisoned_names_is_written_and_names_stay_text(tmp_path: Path) -> None:
    plan = comparison(NAME).best
    bad = "=cmd|' /C calc'!A0\x0b\x16"
    scenario = replace(plan.case.scenario, name=bad, name_zh=bad)
    poisoned = replace(plan, case=replace(plan.case, scenario=scenario))
    write_document(poisoned, None, tmp_path / "bad.docx", "zh")
    assert "=cmd|' /C calc'!A0\ufffd\ufffd" in document_text(tmp_path / "bad.docx")


def test_document_needs_a_plan_and_a_known_language(tmp_path: Path) -> None:
    plan = comparison(NAME).best
    with pytest.raises(ValueError, match="language"):
        write_document(plan, None, tmp_path / "x.docx", "fr")
    with pytest.raises(ValueError, match="plan"):
        write_document(replace(plan, status="infeasible"), None, tmp_path / "x.docx", "en")
    assert not list(tmp_path.iterdir())


# --- requirements, market, hours ----------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
def test_requirements_of_the_sheet_are_free_of_brands_and_counted(lang: str, stored: dict[str, Workbook]) -> None:
    plan = comparison(NAME).best
    sheet = stored[lang][title("requirements", lang)]
    rows = [row for row in sheet.iter_rows() if isinstance(row[0].value, int | float)]
    wanted = [(line_text(line, lang), float(len(line.products)) if line.counted else None)
              for each in requirements(plan) for line in each.lines]  # fmt: skip
    assert [(row[2].value, row[3].value) for row in rows] == wanted
    banned = brand_words(bundled_catalog())
    for row in rows:
        assert not {w.lower() for w in re.findall(r"[A-Za-z][A-Za-z0-9-]{2,}", row[2].value)} & banned


def with_quote() -> Plan:
    """A plan that may buy only quoted machines: those of the examples."""
    base = replace(scenario_of(NAME), include_systems=tuple(bundled_catalog().systems), spend_by=None)
    case = prepare(base, bundled_catalog())
    quoted = tuple(b for b in case.build_set.builds if b.system is not None)
    ways = make_strategies(base, quoted)
    plan = solve_case(assemble(base, bundled_catalog(), replace(case.build_set, builds=quoted), ways), "budget")
    return replace(plan, case=replace(plan.case, build_set=case.build_set))  # composed machines are there to compare


def test_budget_equals_the_quotation_and_says_when_it_does_not(tmp_path: Path) -> None:
    plan = with_quote()
    quoted = [p for p in plan.bought if p.build.system is not None]
    assert quoted == list(plan.bought) and quoted
    write_workbook(plan, None, tmp_path / "quote.xlsx", "en", today=DAY)
    label = f"Equals quotation no. {quoted[0].build.system.quote_number}?" if quoted[0].build.system else ""
    values = openpyxl.load_workbook(tmp_path / "quote.xlsx", data_only=True)
    budget = values[title("budget", "en")]
    assert beside(budget, label, 4) == "equal"
    price = quoted[0].build.parts[0].price
    lines = [row for row in budget.iter_rows(min_row=6) if row[0].value == 1]
    shown = lines[0][6 if price.tax_included else 5].value
    assert shown == pytest.approx(price.amount, abs=0.0101) and lines[0][14].value == "EXAMPLE-A-001"
    market = values[title("market", "en")]
    (row,) = [r for r in market.iter_rows() if r[2].value == "EXAMPLE-A-001"]
    assert row[6].value == (plan.case.scenario.as_of - price.as_of).days
    assert row[9].value == pytest.approx(quoted[0].unit_price, abs=CENT)
    like = [b for b in plan.case.build_set.builds if b.system is None and b.card.id == quoted[0].build.card.id
            and b.cards == 4 and b.chassis.id == "dell-7960"]  # fmt: skip
    composed = min(round(1.13 * sum(p.quantity * p.unit_price_net for p in b.parts), 2) for b in like)
    assert row[10].value == pytest.approx(composed, abs=0.011)
    assert row[11].value == pytest.approx(quoted[0].unit_price / composed - 1, abs=1e-6)


def test_market_states_ages_of_all_prices_and_how_many_quotations_are_missing(stored: dict[str, Workbook]) -> None:
    plan = comparison(NAME).best
    sheet = stored["en"][title("market", "en")]
    parts = {p.item_id: p for purchase in plan.bought for p in purchase.build.parts}
    rows = {row[0].value: row for row in sheet.iter_rows() if row[9].value == "used"}
    assert set(rows) == {p.name for p in parts.values()}
    for part in parts.values():
        row = rows[part.name]
        assert row[6].value == (plan.case.scenario.as_of - part.price.as_of) / timedelta(days=1)
        assert row[3].value == part.price.amount and row[8].value == part.price.currency
    assert "Quotations at hand: 0; the rules ask for at least 3." in texts(sheet)


@pytest.mark.parametrize("lang", LANGS)
def test_workload_sheet_has_busy_held_and_wall_hours(lang: str, stored: dict[str, Workbook]) -> None:
    found = machine_hours(comparison(NAME).best)
    sheet = stored[lang][title("work", lang)]
    assert beside(sheet, say("report.work.col.busy", lang)) == pytest.approx(found.hours.busy_card_hours)
    assert beside(sheet, say("report.work.held", lang)) == pytest.approx(6 * 20 * 46)
    assert beside(sheet, say("report.work.wall", lang)) == pytest.approx(found.hours.wall_hours)
    for yardstick in (800, 1200, 1400):
        label = say("report.work.yardstick", lang, hours=f"{yardstick:,}")
        word = "reached" if found.hours.wall_hours >= yardstick else "not_reached"
        assert beside(sheet, label, 3) == say(f"report.work.{word}", lang)
        assert beside(sheet, label, 4) == "█" * round(yardstick / 50)


# --- six years, risk ----------------------------------------------------------------------------------------------


def test_six_years_repeat_the_last_running_cost_and_depreciate_the_purchase(stored: dict[str, Workbook]) -> None:
    plan = comparison(EVERY_RATE).best
    by_year = [[n for n in plan.cost_lines if n.year == y] for y in range(3)]
    capex = [sum(n.amount for n in plan.cost_lines if n.year == y and n.category in
                 ("card", "host", "psu", "storage", "bridge", "system", "freight", "installation", "tax"))
             for y in range(3)]  # fmt: skip
    residual = [sum(n.amount for n in lines if n.category == "residual") for lines in by_year]
    opex = [sum(n.amount for n in lines) - capex[y] - residual[y] for y, lines in enumerate(by_year)]
    capex += [0.0] * 3
    opex += [opex[2]] * 3
    sheet = stored["rates"][title("cost", "en")]
    start = next(c.row for c in sheet["A"] if c.value == "Six-year view (public depreciation)")

    def shown(label: str) -> list[float]:
        (row,) = [r for r in sheet.iter_rows(min_row=start) if r[0].value == label]
        return [c.value for c in row[7:13]]

    assert shown("Purchase") == pytest.approx(capex, abs=CENT)
    assert shown("Running cost") == pytest.approx(opex, abs=CENT)
    totals = [sum(capex[: y + 1]) + sum(opex[: y + 1]) for y in range(6)]
    assert shown("Since the start") == pytest.approx(totals, abs=CENT)
    depreciation = [sum(capex) / 6] * 6
    assert shown("Depreciation, straight line, no residual value") == pytest.approx(depreciation, abs=CENT)
    assert shown("Book value at the end of the year")[-1] == pytest.approx(0.0, abs=CENT)


def test_risk_has_a_chart_for_each_figure_that_was_computed_and_says_what_was_not(
    folder: Path, stored: dict[str, Workbook]
) -> None:
    def charts(lang: str) -> int:
        with zipfile.ZipFile(folder / f"{lang}.xlsx") as package:
            return len([n for n in package.namelist() if n.startswith("xl/charts/chart")])

    assert charts("en") == 3 and charts("zh") == 1  # the chart of cost by kind is always there
    plain = texts(stored["zh"][title("risk", "zh")])
    assert "本次运行未计算临界价格。" in plain and "本次运行未计算预算曲线。" in plain
    sheet = stored["en"][title("risk", "en")]
    (row,) = [r for r in sheet.iter_rows() if r[0].value == "A"]
    assert row[2].value == 100 and row[3].value == 130 and row[4].value == pytest.approx(0.3)
    (row,) = [r for r in sheet.iter_rows() if r[0].value == "B"]
    assert row[3].value is None and not row[4].value


class Switching:
    """A computed switching price, as far as the workbook reads it."""

    def __init__(self, letter: str, outcome: str, price: float | None, *, in_plan: bool = False) -> None:
        self.subject, self.outcome, self.in_plan = self, outcome, in_plan
        self.letter, self.price_now, self.price = letter, 1000.0, price


@pytest.mark.parametrize("lang", LANGS)
def test_every_outcome_of_a_switching_price_has_a_sentence(lang: str) -> None:
    found = [
        Switching("C", "value", 1200.0, in_plan=True), Switching("A", "value", 800.0),
        *(Switching("B", o, None) for o in ("never_leaves", "unaffordable", "not_even_free", "unproven")),
        Switching("", "value", 1.0),  # an item, no option: it has no row
    ]  # fmt: skip
    data = risk_data(comparison(NAME), found)
    assert [row.letter for row in data.switching] == ["A", "B", "B", "B", "B", "C"]
    sentences = [row.outcome[lang] for row in data.switching]
    assert len(set(sentences)) == 6 and all(sentences)
    assert "1,200" in sentences[-1] and "800" in sentences[0]


def test_inputs_have_a_fingerprint_that_a_change_breaks(folder: Path, tmp_path: Path) -> None:
    book = openpyxl.load_workbook(folder / "en.xlsx")
    _, place = book.defined_names["in_tariff_per_kwh"].attr_text.split("!")
    book[title("assumptions", "en")][place.replace("$", "")].value = 1.9
    book.save(tmp_path / "changed.xlsx")
    fresh, same = recalculate_all([tmp_path / "changed.xlsx", folder / "en.xlsx"], tmp_path / "out")
    for path, changed in ((fresh, True), (same, False)):
        values = openpyxl.load_workbook(path, data_only=True)
        again = "inputs changed since the optimisation: run again"
        assert (beside(values[title("checks", "en")], "Fingerprint of the inputs", 3) == again) is changed
        words = beside(values[title("cover", "en")], "Total in words")
        assert (words == again) is changed


def test_the_command_line_refuses_a_document_of_another_kind_before_it_computes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["plan", "--docx", str(tmp_path / "form.odt"), "--lang", "en"]) == 2
    assert ".docx" in capsys.readouterr().err and not list(tmp_path.iterdir())
