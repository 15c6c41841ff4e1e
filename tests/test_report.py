"""The workbook as a file: what a spreadsheet accepts, what a printer shows, and what no text in it may do."""

from __future__ import annotations

import math
import re
import unicodedata
import zipfile
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest
from openpyxl.cell import Cell
from openpyxl.workbook import Workbook
from recalc import pdf_text, to_pdf
from report_cases import DAY, bundled_catalog, comparison, need, options_of, scenario_of, title

from hwcost.answering import enough_plan
from hwcost.messages import say
from hwcost.messages.report import SHEETS
from hwcost.names import configuration_text
from hwcost.report import workbook as workbook_module
from hwcost.report import write_workbook
from hwcost.report.cells import clean_text, finite, line_count, sheet_round, text_width

NAME = "lab-default"
LANGS = ("zh", "en")
MAX_CELL = 32767

FORBIDDEN = (
    "OFFSET", "INDIRECT", "NOW", "TODAY", "RAND", "RANDBETWEEN", "XLOOKUP", "LET", "FILTER", "SORT", "UNIQUE", "LAMBDA",
    "SEQUENCE", "WEBSERVICE", "HYPERLINK", "CELL", "INFO",
)  # fmt: skip
PLAIN_NUMBERS = {"0", "1", "12", "100"}
CELL_LIKE = re.compile(r"[A-Za-z]{1,3}[0-9]{1,7}|[Rr][0-9]*[Cc]?[0-9]*|[Cc][0-9]*")
TEXT_IN_FORMULA = re.compile(r'"[^"]*"')
SHEET_IN_FORMULA = re.compile(r"'[^']*'!")
WORDS_IN_FORMULA = re.compile(r"\$?[A-Z]{1,3}\$?[0-9]+|in_[a-z0-9_]+|[A-Z]+(?=\()")
NUMBER_IN_FORMULA = re.compile(r"[0-9]+(?:\.[0-9]+)?")


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The same plan in both languages."""
    folder = tmp_path_factory.mktemp("report")
    options = comparison(NAME)
    for lang in LANGS:
        write_workbook(options.best, options, folder / f"{lang}.xlsx", lang, need=need(NAME), today=DAY)
    return {lang: folder / f"{lang}.xlsx" for lang in LANGS}


@pytest.fixture(scope="module")
def books(paths: dict[str, Path]) -> dict[str, Workbook]:
    return {lang: openpyxl.load_workbook(path) for lang, path in paths.items()}


def formulas(book: Workbook) -> list[tuple[str, str, str]]:
    return [
        (sheet.title, cell.coordinate, cell.value)
        for sheet in book
        for row in sheet.iter_rows()
        for cell in row
        if cell.data_type == "f"
    ]


# --- what spreadsheets accept -----------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
def test_names_are_prefixed_and_never_look_like_a_cell(lang: str, books: dict[str, Workbook]) -> None:
    names = list(books[lang].defined_names)
    assert len(names) > 15
    assert all(name.startswith("in_") and not CELL_LIKE.fullmatch(name) for name in names)


@pytest.mark.parametrize("lang", LANGS)
def test_sheet_titles_are_short_and_plain(lang: str, books: dict[str, Workbook]) -> None:
    for name in books[lang].sheetnames:
        assert len(name) <= 31 and not re.search(r"[\[\]:*?/\\']", name) and name.lower() != "history"


@pytest.mark.parametrize("lang", LANGS)
def test_formulas_use_no_function_that_is_volatile_new_or_reaches_outside(
    lang: str, books: dict[str, Workbook]
) -> None:
    found = formulas(books[lang])
    assert len(found) > 500
    for sheet, cell, text in found:
        used = set(re.findall(r"([A-Z][A-Z0-9.]*)\(", TEXT_IN_FORMULA.sub("", text)))
        assert not used & set(FORBIDDEN), (sheet, cell, text)
        assert "[" not in SHEET_IN_FORMULA.sub("", text), (sheet, cell, text)


@pytest.mark.parametrize("lang", LANGS)
def test_formulas_hold_no_figure_that_may_change(lang: str, books: dict[str, Workbook]) -> None:
    for sheet, cell, text in formulas(books[lang]):
        bare = SHEET_IN_FORMULA.sub("", TEXT_IN_FORMULA.sub("", text))
        numbers = set(NUMBER_IN_FORMULA.findall(WORDS_IN_FORMULA.sub("", bare)))
        assert numbers <= PLAIN_NUMBERS, (sheet, cell, text)


@pytest.mark.parametrize("lang", LANGS)
def test_file_has_no_macro_no_external_link_no_hidden_part_and_short_validations(
    lang: str, paths: dict[str, Path], books: dict[str, Workbook]
) -> None:
    with zipfile.ZipFile(paths[lang]) as package:
        assert not [n for n in package.namelist() if "vba" in n.lower() or "external" in n.lower()]
    for sheet in books[lang]:
        assert sheet.sheet_state == "visible"
        assert not [r for r, d in sheet.row_dimensions.items() if d.hidden]
        assert not [c for c, d in sheet.column_dimensions.items() if d.hidden]
        for rule in sheet.data_validations.dataValidation:
            assert rule.type == "decimal" and len(rule.formula1) < 255 and rule.error and rule.errorTitle


@pytest.mark.parametrize("lang", LANGS)
def test_every_sheet_prints_on_a4_one_page_wide_with_page_and_run_in_the_footer(
    lang: str, books: dict[str, Workbook]
) -> None:
    for sheet in books[lang]:
        assert sheet.page_setup.paperSize == 9 and sheet.sheet_properties.pageSetUpPr.fitToPage
        assert sheet.page_setup.fitToWidth in (None, 1)
        assert "&P" in sheet.oddFooter.right.text or "&[Page]" in sheet.oddFooter.right.text
        assert re.search(r"[0-9a-f]{12}$", sheet.oddFooter.left.text)
    for key in ("options", "budget", "cost", "checks"):
        assert books[lang][title(key, lang)].print_title_rows
    for key in ("options", "chart", "budget", "cost", "assumptions", "checks"):
        assert books[lang][title(key, lang)].freeze_panes


@pytest.mark.parametrize("lang", LANGS)
def test_only_inputs_are_unlocked_and_no_password_guards_the_rest(lang: str, books: dict[str, Workbook]) -> None:
    inputs, fills = set(), set()
    for sheet in books[lang]:
        assert sheet.protection.sheet and not sheet.protection.password
        for c in (c for row in sheet.iter_rows() for c in row if isinstance(c, Cell) and not c.protection.locked):
            figure = isinstance(c.value, int | float)
            (inputs if figure else fills).add((sheet.title, c.column) if figure else c.fill.start_color.rgb)
            assert figure or c.value in (None, "☐", say("report.fill", lang)), (sheet.title, c.coordinate)
    assert inputs == {(title("assumptions", lang), 3)}
    assert fills == {"FFFCE8DC"}  # all else that is unlocked is for a person to fill in


# --- texts ------------------------------------------------------------------------------------------------------

BAD_TEXTS = (
    "=cmd|' /C calc'!A0",
    "+1+1",
    "-1+1",
    "@SUM(1)",
    '=WEBSERVICE("http://x.invalid")',
    "\t=1+1",
    "A100\x0b\x16",
)


def poisoned(tmp_path: Path, lang: str) -> Workbook:
    """A workbook whose names, vendors and sources all try to be formulas or cannot be stored."""
    catalog = bundled_catalog()
    cards = {i: replace(c, name=BAD_TEXTS[n % len(BAD_TEXTS)]) for n, (i, c) in enumerate(catalog.cards.items())}
    hosts = {i: replace(c, name=BAD_TEXTS[0], name_zh=BAD_TEXTS[3]) for i, c in catalog.chassis.items()}
    prices = tuple(replace(p, vendor=BAD_TEXTS[1], source=BAD_TEXTS[6]) for p in catalog.prices)
    base = scenario_of(NAME)
    workloads = tuple(replace(w, name=BAD_TEXTS[n], name_zh=BAD_TEXTS[-1 - n]) for n, w in enumerate(base.workloads))
    scenario = replace(base, name=BAD_TEXTS[4], name_zh=BAD_TEXTS[4], workloads=workloads)
    options = options_of(scenario, replace(catalog, cards=cards, chassis=hosts, prices=prices))
    least = enough_plan(options.best)
    write_workbook(options.best, options, tmp_path / "bad.xlsx", lang, need=least, today=DAY)
    return openpyxl.load_workbook(tmp_path / "bad.xlsx")


@pytest.mark.parametrize("lang", LANGS)
def test_texts_that_look_like_formulas_stay_texts(lang: str, tmp_path: Path, books: dict[str, Workbook]) -> None:
    book = poisoned(tmp_path, lang)
    texts = [c for sheet in book for row in sheet.iter_rows() for c in row if c.data_type == "s"]
    starts = [c for c in texts if c.value.startswith(("=", "+", "-", "@", "\t"))]
    assert {c.value for c in starts} >= {BAD_TEXTS[0 if lang == "en" else 3], BAD_TEXTS[4]}
    assert all(c.quotePrefix for c in starts)
    live = {text for _, _, text in formulas(book)}
    assert not [t for t in live if "cmd" in t or "WEBSERVICE" in t or "SUM(1)" in t]
    assert len(formulas(book)) == len(formulas(books[lang]))


def test_characters_that_cannot_be_stored_are_replaced_and_counted(tmp_path: Path) -> None:
    book = poisoned(tmp_path, "en")
    values = [c.value for sheet in book for row in sheet.iter_rows() for c in row if isinstance(c.value, str)]
    assert any("A100\ufffd\ufffd" in v for v in values)
    assert not [v for v in values if "\x0b" in v or "\x16" in v]
    rows = [row for row in book[title("checks", "en")].iter_rows() if str(row[1].value).startswith("Characters")]
    assert rows[0][5].value >= 2


def test_no_figure_that_is_not_a_number_reaches_a_cell() -> None:
    for bad in (math.nan, math.inf, -math.inf):
        with pytest.raises(ValueError, match="cell"):
            finite(bad)
    assert math.copysign(1.0, finite(-0.0)) == 1.0


def test_long_text_is_cut_visibly_and_counted() -> None:
    text, count = clean_text("x" * 40_000)
    assert len(text) <= MAX_CELL and text.endswith("…") and count == 1
    assert clean_text("英伟达 H100") == ("英伟达 H100", 0)


def test_wide_characters_take_two_columns() -> None:
    # 英伟达 6 + H100 4 + 八卡服务器 10 + （含税） 8
    assert text_width("英伟达H100八卡服务器（含税）") == 28
    assert line_count("显卡" * 10, 20.0) == 2  # 40 columns
    assert line_count("one two three", 7.0) == 2  # "one two", "three": words stay whole
    assert line_count("a\nb", 10.0) == 2


def test_rounding_is_the_spreadsheets_own() -> None:
    assert sheet_round(0.13 * 12345.5, 2) == 1604.92  # 1604.915: half goes up, whatever the binary digits say
    assert sheet_round(-0.125, 2) == -0.13
    assert sheet_round(2.344999, 2) == 2.34


# --- languages --------------------------------------------------------------------------------------------------


def wide(text: str) -> bool:
    return any(unicodedata.east_asian_width(c) in "WF" for c in text)


def test_both_languages_have_the_same_sheets_and_formulas(books: dict[str, Workbook]) -> None:
    zh, en = books["zh"], books["en"]
    assert set(zh.sheetnames) == {s[1] for s in SHEETS.values()}
    assert set(en.sheetnames) == {s[0] for s in SHEETS.values()}
    assert len(formulas(zh)) == len(formulas(en))
    assert zh.sheetnames[0] == title("cover", "zh") and zh.sheetnames[-1] == title("record", "zh")


def test_english_workbook_is_english_and_chinese_headers_are_chinese(books: dict[str, Workbook]) -> None:
    titles = {row.origin.source for row in bundled_catalog().procurement}  # documents keep the name they have
    for sheet in books["en"]:
        for row in sheet.iter_rows():
            texts = [c.value for c in row if isinstance(c.value, str) and c.value not in titles]
            assert not [text for text in texts if wide(text)], sheet.title
    for sheet in books["zh"]:
        heads = [c.value for row in sheet.iter_rows() for c in row if c.font.b and isinstance(c.value, str)]
        words = [h for h in heads if not h.startswith("=") and not re.fullmatch(r"[A-Z]|", h)]
        assert words and all(wide(h) for h in words), (sheet.title, [h for h in words if not wide(h)])


# --- contents ---------------------------------------------------------------------------------------------------


def test_budget_lines_with_tax_add_up_to_the_purchase(paths: dict[str, Path]) -> None:
    plan = comparison(NAME).best
    sheet = openpyxl.load_workbook(paths["en"], data_only=True)[title("budget", "en")]
    end = next(c.row for c in sheet["A"] if c.value == "Suggested procurement route")
    lines = [row for row in sheet.iter_rows(min_row=6, max_row=end) if isinstance(row[0].value, int | float)]
    wanted = sum(len(p.build.parts) + 2 for p in plan.bought)  # parts, freight, installation
    assert len(lines) == wanted
    for row in lines:
        quantity, net, gross, amount = row[3].value, row[5].value, row[6].value, row[8].value
        assert gross == pytest.approx(round(net * 1.13, 2), abs=0.0101)
        assert amount == pytest.approx(quantity * gross, abs=0.005)
    by_label = {row[0].value: row[8].value for row in sheet.iter_rows() if isinstance(row[0].value, str)}
    purchase = sum(p.nodes * p.unit_price for p in plan.bought)
    assert by_label["Total incl. tax"] == pytest.approx(purchase, abs=0.005)
    assert sum(row[8].value for row in lines) + by_label["Rounding of the single lines"] == pytest.approx(
        purchase, abs=0.005
    )
    assert by_label["Left of the budget"] == pytest.approx(250_000 - purchase, abs=0.005)


def test_stale_prices_and_estimates_are_marked(paths: dict[str, Path]) -> None:
    plan = comparison(NAME).best
    sheet = openpyxl.load_workbook(paths["en"], data_only=True)[title("budget", "en")]
    end = next(c.row for c in sheet["A"] if c.value == "Suggested procurement route")
    rows = sheet.iter_rows(min_row=6, max_row=end)
    marks = {row[1].value: (row[9].value, row[12].value) for row in rows if row[9].value}
    parts = {part.name: part for p in plan.bought for part in p.build.parts}
    assert set(marks) == set(parts)
    for name, (kind, stale) in marks.items():
        assert (stale == "out of date") is parts[name].stale
        assert ("estimate" in kind) is (parts[name].price.price_kind == "estimate")


def test_options_tell_what_each_can_do_and_why_it_is_not_chosen(paths: dict[str, Path]) -> None:
    options = comparison(NAME)
    sheet = openpyxl.load_workbook(paths["en"], data_only=True)[title("options", "en")]
    head = [c.value for c in sheet[5]]
    last = next(c.row for c in sheet["A"] if c.value == "Technical conditions of the options") - 2
    table = sheet.iter_rows(min_row=6, max_row=last)
    rows = {row[0].value: dict(zip(head, (c.value for c in row), strict=True)) for row in table}
    enough = rows.pop(None)  # a row without a letter
    assert set(rows) == {r.letter for r in options.results}
    least = need(NAME)
    assert least is not None
    assert enough["Name"] == "Smallest purchase that does the work"
    assert enough["Configuration"] == configuration_text(least.purchases, "en")
    assert enough["Purchase, incl. tax"] == pytest.approx(sum(p.nodes * p.unit_price for p in least.bought), abs=0.005)
    assert enough["People at once"] == sum(least.people.values()) == 6
    assert rows[options.chosen]["Why (not) chosen"] == "Chosen."
    for result in options.results:
        row = rows[result.letter]
        assert row["Why (not) chosen"] and row["Cannot do"]
        if result.plan is not None and result.plan.has_plan:
            assert row["People at once"] == sum(result.plan.people.values())
            assert row["Can do (largest batch on one card, one run)"]


def test_chart_is_native_and_reads_cells(paths: dict[str, Path]) -> None:
    with zipfile.ZipFile(paths["zh"]) as package:
        (chart,) = [n for n in package.namelist() if n.startswith("xl/charts/chart")]
        text = package.read(chart).decode()
    assert 'val="stacked"' in text and text.count("<c:ser>") >= 4 and "<c:f>" in text


def test_workbook_of_a_plan_that_buys_nothing_has_no_chart_and_no_amounts_but_zero(tmp_path: Path) -> None:
    options = options_of(replace(scenario_of(NAME), budget=1.0, objective="serve"), bundled_catalog(), (None,))
    assert options.best.has_plan and not options.best.bought
    write_workbook(options.best, options, tmp_path / "nothing.xlsx", "en", today=DAY)
    with zipfile.ZipFile(tmp_path / "nothing.xlsx") as package:
        assert not [n for n in package.namelist() if n.startswith("xl/charts/chart")]
    book = openpyxl.load_workbook(tmp_path / "nothing.xlsx")
    assert title("chart", "en") in book.sheetnames


def test_impossible_case_has_the_reason_and_no_amounts(tmp_path: Path) -> None:
    base = scenario_of(NAME)
    options = options_of(replace(base, budget=1.0, objective="cost"), bundled_catalog(), (None,))
    assert options.best.status == "infeasible"
    write_workbook(options.best, options, tmp_path / "none.xlsx", "en", today=DAY)
    book = openpyxl.load_workbook(tmp_path / "none.xlsx")
    assert book.sheetnames == [title("summary", "en"), title("record", "en")]
    assert not formulas(book)
    cells = [c.value for row in book[title("summary", "en")].iter_rows() for c in row if c.value is not None]
    assert "No option meets all the conditions" in " ".join(map(str, cells))
    assert not [c for c in cells if isinstance(c, int | float)]


# --- writing ----------------------------------------------------------------------------------------------------


def test_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options = comparison(NAME)
    path = tmp_path / "old.xlsx"
    path.write_bytes(b"old")

    def broken(*_: object) -> None:
        raise RuntimeError("in the middle")

    monkeypatch.setattr(workbook_module.sheet_checks, "write", broken)
    with pytest.raises(RuntimeError, match="middle"):
        write_workbook(options.best, options, path, "zh")
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["old.xlsx"]


def test_wrong_language_and_foreign_comparison_are_refused(tmp_path: Path) -> None:
    options = comparison(NAME)
    with pytest.raises(ValueError, match="language"):
        write_workbook(options.best, options, tmp_path / "x.xlsx", "fr")
    other = comparison("fast-single-task")
    with pytest.raises(ValueError, match="comparison"):
        write_workbook(options.best, other, tmp_path / "x.xlsx", "en")
    assert not list(tmp_path.iterdir())


def test_plan_alone_makes_a_workbook_without_options(tmp_path: Path) -> None:
    write_workbook(comparison(NAME).best, None, tmp_path / "plan.xlsx", "en", today=DAY)
    names = openpyxl.load_workbook(tmp_path / "plan.xlsx").sheetnames
    assert names == [title(k, "en") for k in SHEETS if k not in ("options", "chart", "annex")]


# --- on paper ---------------------------------------------------------------------------------------------------


def test_printed_pages_show_every_figure_and_the_summary_fits_one(paths: dict[str, Path], tmp_path: Path) -> None:
    owned = comparison("owned-3090s")
    keep = tmp_path / "keep.xlsx"
    write_workbook(owned.best, owned, keep, "zh", today=DAY)
    for lang, pdf in zip((*LANGS, "zh"), to_pdf([*paths.values(), keep], tmp_path / "pdf"), strict=True):
        text = pdf_text(pdf)
        for bad in ("###", "#REF!", "#NAME?", "#VALUE!", "#DIV/0!", "Err:"):
            assert bad not in text, (pdf.name, bad)
        pages = text.split("\f")
        for key in ("summary", "chart"):
            name = title(key, lang)
            footers = [page.rstrip().splitlines()[-1] for page in pages if page.strip()]
            assert sum(1 for line in footers if re.search(rf"[0-9a-f]{{12}}\s+{name}\s+\d", line)) == 1, (key, footers)
