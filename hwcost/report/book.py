"""A workbook under construction: sheets that write safe cells, know where things stand, and fit on paper."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Any

from xlsxwriter.utility import xl_col_to_name, xl_rowcol_to_cell

from hwcost.messages import say
from hwcost.records import Catalog
from hwcost.report.cells import clean_text, finite, line_count, needs_quote, text_width
from hwcost.report.styles import Styles

MAX_WIDTH = 44.0  # a wider column wraps
MIN_WIDTH = 5.0
LINE_HEIGHTS = {"en": 13.5, "zh": 15.5}  # of 10 points; Chinese fonts are higher
ROW_PADDING = 4.0
TITLE_HEIGHT = 24.0
HEADING_HEIGHT = 19.0
INDENT = 1.5  # columns that the inset of a text takes
A4 = 9
TITLE_LIMIT = 31
TEXT_SIZES = {"lead": 1.25, "figure": 1.4, "note": 0.95}  # of 10 points


@dataclass(frozen=True)
class Ref:
    """A cell of the workbook, and the value stored in it."""

    sheet: str
    row: int
    column: int
    value: Any

    def at(self, sheet: str) -> str:
        """The absolute address as a formula on `sheet` writes it."""
        cell = xl_rowcol_to_cell(self.row, self.column, row_abs=True, col_abs=True)
        return cell if sheet == self.sheet else f"{quoted(self.sheet)}!{cell}"


def literal(text: str) -> str:
    """A short text inside a formula (a spreadsheet allows 255 characters; longer ones belong in a cell)."""
    assert len(text) <= 255
    return '"' + text.replace('"', '""') + '"'


def quoted(title: str) -> str:
    return "'" + title.replace("'", "''") + "'"


def cell(row: int, column: int, *, column_fixed: bool = False) -> str:
    """A relative address, rows and columns from 0; with `column_fixed` it may be copied along the row."""
    return str(xl_rowcol_to_cell(row, column, col_abs=column_fixed))


def rows_fixed(first_row: int, last_row: int, column: int) -> str:
    """A range of one column that may be copied along the row: D$5:D$9."""
    name = xl_col_to_name(column)
    return f"{name}${first_row + 1}:{name}${last_row + 1}"


def area(first_row: int, first_column: int, last_row: int, last_column: int, sheet: str = "") -> str:
    """An absolute range; with `sheet`, as a formula of another sheet writes it."""
    columns = xl_col_to_name(first_column, col_abs=True), xl_col_to_name(last_column, col_abs=True)
    text = f"{columns[0]}${first_row + 1}:{columns[1]}${last_row + 1}"
    return f"{quoted(sheet)}!{text}" if sheet else text


class Book:
    """The workbook with its language, formats, names and counts."""

    def __init__(self, workbook: Any, lang: str, run_id: str, catalog: Catalog) -> None:
        self.workbook, self.lang, self.run_id, self.catalog = workbook, lang, run_id, catalog
        words = {key: self.say(key) for key in ("yes", "no", "changed", "year")}
        self.styles = Styles(workbook, lang, words)
        self.sheets: dict[str, Sheet] = {}
        self.replaced = 0  # characters that could not be stored
        self.inputs: list[tuple[int, float]] = []  # number and value of each input that may be changed
        self.blanks: list[tuple[str, str]] = []  # sheet and label of each cell that a person has to fill in

    def say(self, key: str, **values: Any) -> str:
        return say(f"report.{key}", self.lang, **values)

    def add(self, key: str, *, landscape: bool = True) -> Sheet:
        """A new sheet; its title is the message `report.sheet.<key>`."""
        title = self.say(f"sheet.{key}")
        assert len(title) <= TITLE_LIMIT
        sheet = Sheet(self, title, self.workbook.add_worksheet(title), landscape)
        self.sheets[key] = sheet
        return sheet

    def define(self, name: str, ref: Ref) -> None:
        """A name for a scalar; the prefix keeps it from looking like a cell ("H100")."""
        assert name.startswith("in_")
        self.workbook.define_name(name, f"={quoted(ref.sheet)}!{xl_rowcol_to_cell(ref.row, ref.column, True, True)}")


@dataclass
class Sheet:
    """One sheet. Rows and columns count from 0."""

    book: Book
    title: str
    raw: Any
    landscape: bool = True
    widths: dict[int, float] = field(default_factory=dict)  # measured
    fixed: dict[int, float] = field(default_factory=dict)
    wrapped: list[tuple[int, int, int, str, float]] = field(default_factory=list)
    headings: set[int] = field(default_factory=set)
    header_rows: tuple[int, int] | None = None

    # --- cells ---

    def text(
        self, row: int, column: int, text: str, *, role: str = "plain", weight: str = "cell", wrap: bool = False,
        across: int = 1, fit: bool = True,
    ) -> Ref:  # fmt: skip
        """A text that stays a text, whatever it begins with; `across` merges that many columns."""
        safe, count = clean_text(text)
        self.book.replaced += count
        style = self.book.styles.get("text", role, weight, wrap=wrap, quote=needs_quote(safe))
        if across > 1:
            self.raw.merge_range(row, column, row, column + across - 1, "", style)
        if safe:
            self.raw.write_string(row, column, safe, style)
        else:
            self.raw.write_blank(row, column, None, style)
        if weight == "heading":
            self.headings.add(row)
        if wrap:
            self.wrapped.append((row, column, across, safe, TEXT_SIZES.get(weight, 1.0)))
        elif across == 1 and fit:
            self._widen(column, text_width(safe) * (1.15 if weight in ("header", "total") else 1.0))
        return Ref(self.title, row, column, safe)

    def blank(self, row: int, column: int, label: str, *, across: int = 1) -> Ref:
        """A cell that a person has to fill in: marked, unlocked, and listed on the cover under its label."""
        self.book.blanks.append((self.title, label))
        return self.text(row, column, self.book.say("fill"), role="fill", across=across, fit=False)

    def number(
        self, row: int, column: int, value: float | None, kind: str, *, role: str = "plain", weight: str = "cell"
    ) -> Ref:
        """A number; None is an empty cell, never 0."""
        style = self.book.styles.get(kind, role, weight)
        if value is None:
            self.raw.write_blank(row, column, None, style)
        else:
            self.raw.write_number(row, column, finite(value), style)
            self._widen(column, _shown_width(value, kind))
        return Ref(self.title, row, column, value)

    def day(self, row: int, column: int, day: date | None, *, weight: str = "cell") -> Ref:
        style = self.book.styles.get("date", "plain", weight)
        if day is None:
            self.raw.write_blank(row, column, None, style)
        else:
            self.raw.write_datetime(row, column, day, style)
            self._widen(column, 15 if self.book.lang == "zh" else 11)
        return Ref(self.title, row, column, day)

    def formula(
        self, row: int, column: int, formula: str, value: float | str, kind: str = "money", *, role: str = "formula",
        weight: str = "cell", wrap: bool = False, fit: bool = True,
    ) -> Ref:  # fmt: skip
        """A live formula (without "=") with the value that the program computed."""
        stored = value if isinstance(value, str) else finite(value)
        style = self.book.styles.get(kind, role, weight, wrap=wrap)
        self.raw.write_formula(row, column, f"={formula}", style, stored)
        if fit:
            self._widen(column, text_width(stored) if isinstance(stored, str) else _shown_width(stored, kind))
        return Ref(self.title, row, column, stored)

    def formula_text(
        self, row: int, column: int, formula: str, value: str, *, role: str = "plain", weight: str = "cell",
        across: int = 1, tallest: str = "",
    ) -> Ref:  # fmt: skip
        """A live text that wraps over `across` columns; the row is high enough for `tallest` too, which it may show."""
        if across > 1:
            style = self.book.styles.get("text", role, weight, wrap=True)
            self.raw.merge_range(row, column, row, column + across - 1, "", style)
        safe, _ = clean_text(value)
        size = TEXT_SIZES.get(weight, 1.0)
        self.wrapped += [(row, column, across, text, size) for text in (safe, tallest) if text]
        return self.formula(row, column, formula, safe, "text", role=role, weight=weight, wrap=True, fit=False)

    def link(self, row: int, column: int, ref: Ref, kind: str = "money", *, weight: str = "cell") -> Ref:
        """A cell that shows another sheet's cell."""
        return self.formula(row, column, ref.at(self.title), ref.value, kind, role="link", weight=weight)

    def headers(self, row: int, column: int, titles: list[str]) -> None:
        for n, title in enumerate(titles):
            self.text(row, column + n, title, weight="header", wrap=True)
            self._widen(column + n, min(text_width(title) * 1.15, 12.0))

    # --- paper and finish ---

    def _widen(self, column: int, width: float) -> None:
        self.widths[column] = max(self.widths.get(column, 0.0), min(width + 1.5 + INDENT, MAX_WIDTH))

    def width(self, column: int) -> float:
        return self.fixed.get(column, max(MIN_WIDTH, self.widths.get(column, 9.0)))

    def finish(self, *, freeze: tuple[int, int] | None = None, one_page: bool = False) -> None:
        """Widths, heights of wrapped rows, paper, footer and protection."""
        last = max([*self.widths, *self.fixed, 0])
        for column in range(last + 1):
            self.raw.set_column(column, column, self.width(column))
        line = LINE_HEIGHTS[self.book.lang]
        heights = {0: TITLE_HEIGHT} | dict.fromkeys(self.headings, HEADING_HEIGHT)
        for row, column, across, text, size in self.wrapped:
            room = sum(self.width(c) for c in range(column, column + across)) - INDENT
            lines = line_count(text, room / size)
            heights[row] = max(heights.get(row, 0.0), line * size * lines + ROW_PADDING)
        self.raw.set_default_row(line + ROW_PADDING / 2)
        for row, height in heights.items():
            self.raw.set_row(row, min(409.0, max(height, line)))
        self.raw.set_paper(A4)
        if self.landscape:
            self.raw.set_landscape()
        self.raw.set_margins(left=0.5, right=0.5, top=0.6, bottom=0.7)
        self.raw.fit_to_pages(1, 1 if one_page else 0)
        if self.header_rows:
            self.raw.repeat_rows(*self.header_rows)
        if freeze:
            self.raw.freeze_panes(*freeze)
        self.raw.hide_gridlines(2)
        self.raw.set_footer(f"&L{self.book.say('footer', run=self.book.run_id)}&C&A&R&P / &N")
        self.raw.protect("", {"format_columns": True, "format_rows": True, "select_locked_cells": True})


def _shown_width(value: float, kind: str) -> float:
    if kind in ("money", "quantity"):
        return len(f"{value:,.2f}")
    if kind in ("count", "tenths", "hours"):
        return len(f"{value:,.0f}")
    if kind == "plain":
        return len(f"{value:,.8f}".rstrip("0").rstrip("."))
    return 9.0
