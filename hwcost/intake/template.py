"""Writes the input workbook: a sheet per table, drop-downs from ranges, units, notes, and one example row each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import xlsxwriter

from hwcost.errors import InputError
from hwcost.intake import sheets
from hwcost.intake.fields import Field, scenario_fields
from hwcost.messages import say
from hwcost.records import REGIONS, Catalog
from hwcost.scenario_io import SCHEMA, bundled_scenarios, read_document, scenario_from_dict
from hwcost.tables import Column

FONTS = {"zh": "Microsoft YaHei", "en": "Calibri"}
REGION_OF_LANGUAGE = {"zh": "CN", "en": "EU"}
READY_ROWS = 40  # rows with drop-downs below the header
MOST_LISTED = 500
# entries that show how a row is filled; they say "no" in the first column and are not read
EXAMPLES: dict[str, dict[str, Any]] = {
    "workload": {"id": "hybridsn", "preset": "hybridsn-ip", "runs_per_year": 675, "people_at_once": 2, "epochs": 100},
    "owned": {"id": "old-box", "name": "Old workstation", "card": "rtx-3090", "cards": 2, "chassis": "consumer-full",
              "psu": "rm1000x", "storage": "sata-4tb"},
    "site.circuit": {"volts": 220, "amps": 16, "count": 1},
    "fund": {"id": "equipment", "name_en": "Equipment fund", "amount": 250000, "pays": ["equipment"]},
    "service": {"id": "campus", "name_en": "Campus cluster", "kind": "campus", "card": "a100-40gb-pcie",
                "price_per_card_hour": 5},
    "option": {"id": "two-a5500", "name_en": "Two A5500", "cards": ["rtx-a5500"], "cards_per_node": [2]},
    "prices.csv": {"item_id": "rtx-a5500", "amount": 12999, "currency": "CNY", "tax_included": True,
                   "price_kind": "quote", "vendor": "Some dealer", "region": "CN", "as_of": date(2026, 11, 20),
                   "source": "quotation 2026-118"},
}  # fmt: skip


class _Book:
    """The workbook while it is written: its formats, and the lists of drop-downs by their words."""

    def __init__(self, path: Path, lang: str) -> None:
        self.book = xlsxwriter.Workbook(str(path), {"strings_to_formulas": False, "strings_to_urls": False})
        self.lang = lang
        base = {"font_name": FONTS[lang], "font_size": 10, "valign": "vcenter"}
        made = self.book.add_format
        self.plain = made(base | {"text_wrap": True})
        self.title = made(base | {"bold": True, "font_size": 14})
        self.head = made(base | {"bold": True, "bg_color": "#DDE7F0", "border": 1, "text_wrap": True})
        self.key = made(base | {"font_color": "#595959", "bg_color": "#F2F2F2", "border": 1})
        self.input = made(base | {"font_color": "#0000C0", "bg_color": "#FFF9DB", "border": 1})
        self.day = made(
            base | {"font_color": "#0000C0", "bg_color": "#FFF9DB", "border": 1, "num_format": "yyyy-mm-dd"}
        )
        self.example = made(base | {"italic": True, "font_color": "#7F7F7F", "border": 1})
        self.example_day = made(
            base | {"italic": True, "font_color": "#7F7F7F", "border": 1, "num_format": "yyyy-mm-dd"}
        )
        self.section = made(base | {"bold": True, "font_color": "#1F3864"})
        self.lists: dict[tuple[str, ...], str] = {}
        self.list_columns: list[tuple[str, ...]] = []

    def say(self, key: str, **values: Any) -> str:
        return say(f"template.{key}", self.lang, **values)

    def source(self, words: Sequence[str]) -> str:
        """The range that holds these words, for a drop-down: a list in the rule itself may not pass 255 characters."""
        known = tuple(words)[:MOST_LISTED]
        if known not in self.lists:
            column = xlsxwriter.utility.xl_col_to_name(len(self.list_columns))
            name = sheets.sheet_name(sheets.LISTS, self.lang)
            self.lists[known] = f"='{name}'!${column}$2:${column}${len(known) + 1}"
            self.list_columns.append(known)
        return self.lists[known]

    def write(self, sheet: Any, row: int, column: int, value: Any, example: bool = False) -> None:
        shown = sheets.shown_value(value, self.lang)
        plain, day = (self.example, self.example_day) if example else (self.input, self.day)
        if shown is None or shown == "":
            sheet.write_blank(row, column, None, plain)
        elif isinstance(shown, date):
            sheet.write_datetime(row, column, shown, day)
        elif isinstance(shown, int | float):
            sheet.write_number(row, column, shown, plain)
        else:
            sheet.write_string(row, column, str(shown), plain)

    def drop_down(
        self, sheet: Any, rows: tuple[int, int], column: int, words: Sequence[str], strict: bool = True
    ) -> None:
        rule: dict[str, Any] = {"validate": "list", "source": self.source(words), "ignore_blank": True}
        rule |= {"error_title": self.say("error_title"), "error_message": self.say("error"),
                 "error_type": "stop" if strict else "warning"}  # fmt: skip
        sheet.data_validation(rows[0], column, rows[1], column, rule)

    def close(self) -> None:
        sheet = self.book.add_worksheet(sheets.sheet_name(sheets.LISTS, self.lang))
        sheet.set_column(0, max(len(self.list_columns), 1), 26, self.plain)
        for column, words in enumerate(self.list_columns):
            sheet.write_string(0, column, self.say("list", number=column + 1), self.head)
            for row, word in enumerate(words, 1):
                sheet.write_string(row, column, word)
        self.book.close()


def write_template(path: Path, catalog: Catalog, lang: str, source: str | Path | None = None) -> None:
    """The input workbook at `path`; `source` names a bundled scenario or a TOML file whose figures fill it.

    Raises `InputError` where `source` cannot be read, `OSError` where `path` cannot be written.
    """
    document: Mapping[str, Any] = {}
    if source is not None:
        file = bundled_scenarios().get(str(source), Path(source))
        document = read_document(file, bundled_scenarios())
    fields = scenario_fields(catalog)
    book = _Book(path, lang)
    _scenario_sheet(book, [f for f in fields if not f.array], document, catalog)
    for array in dict.fromkeys(f.array for f in fields if f.array):
        entries = _inside(document, array) or []
        _array_sheet(book, array, [f for f in fields if f.array == array], entries)
    for file_name in sheets.CATALOG_TABLES:
        _catalog_sheet(book, file_name, catalog)
    book.close()


def _inside(document: Any, dotted: str) -> Any:
    for name in dotted.split("."):
        document = document.get(name) if isinstance(document, Mapping) else None
    return document


def _start(book: _Book, path: str, note: str) -> Any:
    sheet = book.book.add_worksheet(sheets.sheet_name(path, book.lang))
    sheet.write_string(0, 0, sheets.sheet_name(path, book.lang), book.title)
    sheet.write_string(0, 2, book.say(note), book.section)
    sheet.set_landscape()
    sheet.set_paper(9)
    if path == sheets.SCENARIO:
        sheet.fit_to_pages(1, 0)
    sheet.freeze_panes(sheets.FIRST_ROW, 2)
    sheet.repeat_rows(sheets.HEADER_ROW - 1, sheets.HEADER_ROW)
    return sheet


def _scenario_sheet(book: _Book, fields: Sequence[Field], document: Mapping[str, Any], catalog: Catalog) -> None:
    """One row per key: what it means, its value, unit, range and default."""
    sheet = _start(book, sheets.SCENARIO, "note.scenario")
    titles = ("key", "meaning", "value", "unit", "range", "default")
    for column, (name, width) in enumerate(zip(titles, (30, 52, 30, 9, 34, 20), strict=True)):
        sheet.set_column(column, column, width)
        sheet.write_string(sheets.HEADER_ROW - 1, column, book.say(f"column.{name}"), book.head)
        sheet.write_string(sheets.HEADER_ROW, column, name, book.key)
    row = sheets.FIRST_ROW
    usual = _usual(catalog, document, book.lang)
    group = ""
    for item in sorted(fields, key=lambda f: _order(f, fields)):
        if (head := item.path.rpartition(".")[0]) != group:
            group = head
            sheet.write_string(row, sheets.MEANING, f"[{group}]", book.section)
            row += 1
        sheet.write_string(row, sheets.KEY, item.path, book.key)
        sheet.write_string(row, sheets.MEANING, sheets.meaning(item.path, book.lang), book.plain)
        book.write(sheet, row, sheets.VALUE, _inside(document, item.path))
        sheet.write_string(row, sheets.UNIT, sheets.unit_of(item.path), book.plain)
        sheet.write_string(row, sheets.RANGE, sheets.range_text(item, book.lang), book.plain)
        sheet.write_string(row, sheets.DEFAULT, _default(item, book, usual), book.plain)
        _choices(book, sheet, (row, row), sheets.VALUE, item)
        row += 1


def _order(item: Field, fields: Sequence[Field]) -> tuple[int, int]:
    """Keys of one table stand together, in the order in which the reader first asks for the table."""
    heads = list(dict.fromkeys(f.path.rpartition(".")[0] for f in fields))
    head = item.path.rpartition(".")[0]
    return (1 + heads.index(head) if head else 0), fields.index(item)


def _default(item: Field, book: _Book, usual: Mapping[str, float | str]) -> str:
    """What holds where the cell stays empty: of the figures that depend on the region, those of this one."""
    if item.required:
        return book.say("required")
    last = item.key.rpartition(".")[2]
    known = next((usual[name] for name in (last, f"staff_{last}") if not item.array and name in usual), None)
    shown = item.default if item.default is not None else known
    if isinstance(shown, int | float) and not isinstance(shown, bool):
        return f"{shown:.6g}"
    return "" if shown is None else str(sheets.shown_value(shown, book.lang))


def _usual(catalog: Catalog, document: Mapping[str, Any], lang: str) -> dict[str, float | str]:
    """The figures that a scenario of this region takes where it states none."""
    region = document.get("region") if document.get("region") in REGIONS else REGION_OF_LANGUAGE[lang]
    bare = {"schema": SCHEMA, "region": region, "workload": [EXAMPLES["workload"]]}
    try:
        scenario = scenario_from_dict(bare, catalog)
    except InputError:  # a catalog without these rows: then nothing is said of defaults
        return {}
    return {assumption.key: assumption.value for assumption in scenario.assumptions}


def _choices(book: _Book, sheet: Any, rows: tuple[int, int], column: int, item: Field) -> None:
    words = sheets.list_key(item)
    if words:
        book.drop_down(sheet, rows, column, words)
    elif item.kind == "flag":
        book.drop_down(sheet, rows, column, (book.say("yes"), book.say("no")))
    elif item.kind == "words" and item.known:
        book.drop_down(sheet, rows, column, item.known, strict=False)  # one is picked, several are typed


def _array_sheet(book: _Book, array: str, fields: Sequence[Field], entries: Sequence[Mapping[str, Any]]) -> None:
    """One column per key, one row per entry."""
    sheet = _start(book, array, "note.rows")
    _use_column(book, sheet)
    for column, item in enumerate(fields, 1):
        unit = sheets.unit_of(item.key)
        words = sheets.meaning(item.path, book.lang) or item.key
        mark = f" ({unit})" if unit else ""
        star = " *" if item.required else ""
        sheet.write_string(sheets.HEADER_ROW - 1, column, f"{words}{mark}{star}", book.head)
        sheet.write_string(sheets.HEADER_ROW, column, item.key, book.key)
        sheet.set_column(column, column, max(14, min(30, len(item.key) + 2)))
        sheet.write_comment(sheets.HEADER_ROW, column, _comment(item, book))
        _choices(book, sheet, (sheets.FIRST_ROW, sheets.FIRST_ROW + READY_ROWS), column, item)
    rows: list[tuple[Mapping[str, Any], bool]] = [(entry, False) for entry in entries]
    for row, (entry, example) in enumerate([*rows, (EXAMPLES.get(array, {}), True)], sheets.FIRST_ROW):
        book.write(sheet, row, 0, not example, example)
        for column, item in enumerate(fields, 1):
            book.write(sheet, row, column, _inside(entry, item.key), example)
    sheet.set_row(sheets.HEADER_ROW - 1, 60)


def _comment(item: Field, book: _Book) -> str:
    lines = [sheets.range_text(item, book.lang), book.say("default_is", default=_default(item, book, {}) or "-")]
    return "\n".join(line for line in lines if line)


def _use_column(book: _Book, sheet: Any) -> None:
    sheet.write_string(sheets.HEADER_ROW - 1, 0, book.say("column.use"), book.head)
    sheet.write_string(sheets.HEADER_ROW, 0, sheets.USE, book.key)
    sheet.set_column(0, 0, 12)
    rows = (sheets.FIRST_ROW, sheets.FIRST_ROW + READY_ROWS)
    book.drop_down(sheet, rows, 0, (book.say("yes"), book.say("no")))


def _catalog_sheet(book: _Book, file: str, catalog: Catalog) -> None:
    """The columns of a catalog table, with one row as an example."""
    sheet = _start(book, file, "note.catalog")
    _use_column(book, sheet)
    columns = sheets.spec_of(file).columns
    for column, item in enumerate(columns, 1):
        unit = sheets.unit_of(item.name)
        words = f"{item.name}{f' ({unit})' if unit else ''}{' *' if item.required else ''}"
        sheet.write_string(sheets.HEADER_ROW - 1, column, words, book.head)
        sheet.write_string(sheets.HEADER_ROW, column, item.name, book.key)
        sheet.set_column(column, column, max(12, min(28, len(item.name) + 2)))
        words_of = _words(item, catalog)
        if words_of:
            rows = (sheets.FIRST_ROW, sheets.FIRST_ROW + READY_ROWS)
            book.drop_down(sheet, rows, column, words_of, strict=bool(item.choices))
    example = EXAMPLES.get(file) or _first(file, catalog)
    book.write(sheet, sheets.FIRST_ROW, 0, False, True)
    for column, item in enumerate(columns, 1):
        book.write(sheet, sheets.FIRST_ROW, column, example.get(item.name), True)


def _words(item: Column, catalog: Catalog) -> tuple[str, ...]:
    """What a column of a catalog table may hold: its own words, or the ids of the table that it names."""
    tables: dict[str, Mapping[str, Any]] = {
        "card_id": catalog.cards, "chassis_id": catalog.chassis, "psu_id": catalog.psus, "storage_id": catalog.storage,
        "item_id": {**catalog.cards, **catalog.chassis, **catalog.psus, **catalog.storage},
    }  # fmt: skip
    return item.choices or tuple(tables.get(item.name, {}))


def _first(file: str, catalog: Catalog) -> dict[str, Any]:
    """The first record of a table as cells."""
    held = getattr(catalog, sheets.spec_of(file).attribute)
    records = list(held.values()) if isinstance(held, dict) else list(held)
    if not records:
        return {}
    record = records[0]
    origin = {"source": record.origin.source, "as_of": record.origin.as_of, "kind": record.origin.kind}
    return {**origin, **{name: getattr(record, name) for name in record.__dataclass_fields__ if name != "origin"}}
