"""A vendor's file to cells: text files of any usual encoding and separator, and workbooks, hostile ones refused.

Limits stand above any quotation and below what hurts: a file past them raises `InputError` with one sentence.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from datetime import date, datetime
from pathlib import Path
from typing import Any
from warnings import catch_warnings, simplefilter

from hwcost import tables
from hwcost.atomic import is_special
from hwcost.errors import InputError, Problem
from hwcost.intake import words
from hwcost.intake.model import EMPTY, Answers, Cell, Choice, Grid, Question, Source

MOST_BYTES = 20 * 2**20  # of the file
MOST_UNPACKED = 100 * 2**20  # of all parts of a workbook
MOST_PART = 40 * 2**20
MOST_PARTS = 2_000
MOST_ROWS = 20_000
MOST_MERGED = 200_000  # cells of all merged ranges of a sheet: each is made when the sheet is opened
MOST_COLUMNS = 200
MOST_CELL = 4_000  # characters; no field of a quotation is longer
SAMPLE_ROWS = 5
ZIP, OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
WORKBOOK_PART = "xl/workbook.xml"
FORMULA_CELL = re.compile(rb"<(?:\w+:)?f[ />]")
SHEET_PART = re.compile(r"xl/worksheets/[^/]+\.xml$")
MERGED = re.compile(
    rb"<(?:\w+:)?mergeCell\s[^>]*?ref\s*=\s*[\"']"
    rb"\$?([A-Za-z]{1,3})\$?(\d{1,7}):\$?([A-Za-z]{1,3})\$?(\d{1,7})"
)
FORMULA = re.compile(r"^\s*[=@]|^\s*[+-]\s*(@|=|[A-Za-z_]\w*[(|!]|.*\|.*!)")  # live where such a text is opened as CSV
CURRENCY_FORMATS = (("¥-411]", "JPY"), ("￥-411]", "JPY"), ("JPY", "JPY"), ("GBP", "GBP"),
                    ("¥", "CNY"), ("￥", "CNY"), ("[$€", "EUR"), ("€", "EUR"), ("£", "GBP"), ("US$", "USD"),
                    ("HK$", "HKD"), ("[$$-409]", "USD"), ("CNY", "CNY"), ("USD", "USD"), ("EUR", "EUR"))  # fmt: skip
# control signs but tab and line ends; marks that turn the direction of writing
UNPRINTED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069]")
OTHER_ENCODINGS = ("utf-16-le", "utf-16-be", "cp1252", "big5", "shift_jis")


def refuse(code: str, name: str, **values: Any) -> InputError:
    return InputError([Problem(code, file=name, values=values)])


def load_bytes(source: bytes | str | Path, name: str = "") -> tuple[bytes, str]:
    """The bytes and the name of a file or an upload. Raises `InputError` where it cannot be read."""
    if isinstance(source, bytes):
        data = source
    else:
        path = Path(source)
        name = name or str(path)
        try:
            if path.is_dir():
                raise refuse("intake_is_folder", name)
            if not path.exists():
                raise refuse("file_missing", name)
            if is_special(path):  # it has no size, and may never end
                raise refuse("intake_is_device", name)
            if path.stat().st_size > MOST_BYTES:
                raise refuse("intake_too_large", name, most=MOST_BYTES // 2**20)
            data = path.read_bytes()
        except OSError as error:
            raise refuse("file_unreadable", name, reason=error.strerror or str(error)) from error
    if len(data) > MOST_BYTES:
        raise refuse("intake_too_large", name, most=MOST_BYTES // 2**20)
    if not data.strip():
        raise refuse("intake_empty", name)
    return data, name


def read_source(data: bytes, name: str, answers: Answers) -> tuple[Source | None, list[Question]]:
    """The cells of a file. None where a question has to be answered first (the encoding)."""
    if data.startswith(ZIP):
        return read_workbook(data, name), []
    if data.startswith(OLE):
        raise refuse("intake_old_workbook", name)
    if re.match(rb"\s*(<!doctype html|<html|<\?xml)", data[:200], re.IGNORECASE):
        raise refuse("intake_markup", name)
    if data.startswith(b"%PDF"):
        raise refuse("intake_pdf", name)
    return _read_text(data, name, answers)


# --- text ---


def _read_text(data: bytes, name: str, answers: Answers) -> tuple[Source | None, list[Question]]:
    chosen = answers.get("encoding")
    decoded = _decode_as(data, chosen) if chosen else tables.decode(data)
    if decoded is None or (not chosen and decoded[1] == "gb18030" and not _plain_chinese(decoded[0])):
        return None, [_encoding_question(data, name)]
    text, encoding = decoded
    separator, text, skipped = _separator(text)
    records: list[list[str]] = []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        for record in reader:
            records.append(record)
            if len(records) > MOST_ROWS:
                raise refuse("intake_too_many_rows", name, most=MOST_ROWS)
    except csv.Error as error:
        raise refuse("intake_csv", name, line=reader.line_num + skipped, reason=str(error)) from error
    rows = [(n, tuple(Cell(_printed(cell)) for cell in record)) for n, record in enumerate(records, 1 + skipped)]
    rows = [(n, cells) for n, cells in rows if any(cell.text for cell in cells)]
    if not rows:
        raise refuse("intake_empty", name)
    for n, cells in rows:
        _check_cells(cells, n, "", name)
    return Source(name, "csv", (Grid("", tuple(rows)),), encoding, separator), []


def _decode_as(data: bytes, encoding: str) -> tuple[str, str] | None:
    try:
        text = data.decode(encoding)
    except (LookupError, UnicodeDecodeError):
        return None
    return None if "\0" in text else (text, encoding)


def _plain_chinese(text: str) -> bool:
    """Whether every character is of the common Chinese set: Latin accents read as GB18030 give rare characters."""
    try:
        text.replace("€", "").encode("gb2312")
    except UnicodeEncodeError:
        return False
    return True


def _encoding_question(data: bytes, name: str) -> Question:
    found = [(e, d[0]) for e in ("gb18030", *OTHER_ENCODINGS) if (d := _decode_as(data, e)) is not None]
    if not found:
        raise refuse("intake_encoding", name)
    choices = tuple(Choice(e, "encoding", {"encoding": e, "sample": _telling(text)}) for e, text in found)
    return Question("encoding", "encoding", "choice", choices)


def _telling(text: str) -> str:
    """The first line with a character beyond ASCII, by which a reader tells the right encoding."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return next((line for line in lines if not line.isascii()), lines[0] if lines else "")[:60]


def _separator(text: str) -> tuple[str, str, int]:
    """The separator, the text without Excel's hint, and how many lines the hint took."""
    first, _, rest = text.partition("\n")
    if first.strip().lower().startswith("sep=") and len(first.strip()) <= 5:
        return first.rstrip("\r")[4:5] or "\t", rest, 1
    lines = [line for line in text.splitlines()[:60] if line.strip()]

    def score(separator: str) -> tuple[int, int]:
        """Lines that it divides alike, weighed by their number of cells; a lone preamble does not count."""
        counts = [len(next(csv.reader([line], delimiter=separator), [])) for line in lines]
        most = max(counts, default=1)
        return sum(count == most for count in counts) * (most - 1), most

    return max(tables.SEPARATORS, key=score), text, 0


# --- workbooks ---


def read_workbook(data: bytes, name: str, hidden: bool = False) -> Source:
    """The visible sheets of a workbook, with `hidden` all. Raises `InputError` for anything but a plain one with stored
    values."""
    has_formulas = _check_archive(data, name)
    import openpyxl

    try:
        with catch_warnings():
            simplefilter("ignore")  # what openpyxl cannot keep is of no use here
            stored = openpyxl.load_workbook(io.BytesIO(data), data_only=True, keep_links=False)
            written = openpyxl.load_workbook(io.BytesIO(data), keep_links=False) if has_formulas else stored
    except Exception as error:  # openpyxl raises whatever a broken part leads to
        raise refuse("intake_broken_workbook", name, reason=type(error).__name__) from error
    grids = []
    for sheet in stored.worksheets:
        if hidden or sheet.sheet_state == "visible":
            grids.append(_grid(sheet, written[sheet.title], name))
    grids = [grid for grid in grids if grid.rows]
    if not grids:
        raise refuse("intake_empty", name)
    return Source(name, "xlsx", tuple(grids))


def _check_archive(data: bytes, name: str) -> bool:
    """Whether any sheet has a formula; refuses what is no plain workbook, before anything is unpacked in full."""
    has_formulas = False
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
            if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > MOST_UNPACKED:
                raise refuse("intake_unpacked", name, most=MOST_UNPACKED // 2**20)
            names = {part.filename for part in parts}
            if WORKBOOK_PART not in names:
                raise refuse("intake_not_workbook", name)
            if any(part.startswith("xl/externalLinks/") for part in names):
                raise refuse("intake_external_links", name)
            for part in parts:
                if part.filename.endswith((".xml", ".rels")):
                    content = archive.read(part)
                    _check_part(content, part, name)
                    has_formulas |= (
                        SHEET_PART.search(part.filename) is not None and FORMULA_CELL.search(content) is not None
                    )
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError) as error:
        raise refuse("intake_broken_workbook", name, reason=type(error).__name__) from error
    return has_formulas


def _check_part(content: bytes, part: zipfile.ZipInfo, name: str) -> None:
    content = content.replace(b"\0", b"")  # UTF-16 is told by its signs alone
    if len(content) > MOST_PART:
        code = "intake_too_many_rows" if SHEET_PART.search(part.filename) else "intake_unpacked"
        raise refuse(code, name, most=MOST_ROWS if code == "intake_too_many_rows" else MOST_PART // 2**20)
    if re.search(rb"<!(DOCTYPE|ENTITY)", content, re.IGNORECASE):  # entities unfold to any size
        raise refuse("intake_broken_workbook", name, reason="DOCTYPE")
    if not SHEET_PART.search(part.filename):
        return
    if len(re.findall(rb"<(?:\w+:)?row[ />]", content)) > MOST_ROWS or _merged_cells(content) > MOST_MERGED:
        raise refuse("intake_too_many_rows", name, most=MOST_ROWS)


def _merged_cells(content: bytes) -> int:
    """Cells of all merged ranges of a sheet, from its text: opening it would make every one of them."""
    cells = 0
    for left, top, right, bottom in MERGED.findall(content):
        columns = _column_number(right) - _column_number(left) + 1
        cells += max(columns, 1) * max(int(bottom) - int(top) + 1, 1)
    return cells


def _column_number(letters: bytes) -> int:
    """1 for A, 27 for AA."""
    number = 0
    for letter in letters.upper():
        number = 26 * number + letter - ord("A") + 1
    return number


def _grid(sheet: Any, written: Any, name: str) -> Grid:
    """The cells of a sheet; a merged range repeats its first cell, marked as covered."""
    if sheet.max_row > MOST_ROWS and len(sheet._cells) > MOST_ROWS * MOST_COLUMNS:
        raise refuse("intake_too_many_rows", name, most=MOST_ROWS)
    cells: dict[int, dict[int, Cell]] = {}
    for (row, column), cell in sheet._cells.items():
        if column > MOST_COLUMNS or row > MOST_ROWS:
            if cell.value is not None:
                raise refuse("intake_too_many_rows", name, most=MOST_ROWS)
            continue
        formula = written._cells[row, column].data_type == "f" if (row, column) in written._cells else False
        if cell.value is None and not formula:
            continue
        if cell.value is None:
            place = {"cell": cell.coordinate, "sheet": sheet.title}
            raise refuse("intake_formula_unstored", name, **place)
        cells.setdefault(row, {})[column] = _cell(cell)
    for merged in sheet.merged_cells.ranges:
        first = cells.get(merged.min_row, {}).get(merged.min_col)
        if first is None or merged.size["rows"] * merged.size["columns"] > MOST_ROWS:
            continue
        for row in range(merged.min_row, merged.max_row + 1):
            for column in range(merged.min_col, min(merged.max_col, MOST_COLUMNS) + 1):
                if (row, column) != (merged.min_row, merged.min_col):
                    cells.setdefault(row, {})[column] = Cell(first.text, first.value, first.currency, covered=True)
    rows = []
    for number in sorted(cells):
        held = cells[number]
        row_cells = tuple(held.get(column, EMPTY) for column in range(1, max(held) + 1))
        _check_cells(row_cells, number, sheet.title, name)
        rows.append((number, row_cells))
    return Grid(sheet.title, tuple(rows))


def _cell(cell: Any) -> Cell:
    value = cell.value
    shape = str(cell.number_format or "")
    if isinstance(value, bool):
        return Cell("yes" if value else "no")
    if isinstance(value, datetime):
        return Cell(value.date().isoformat(), value.date())
    if isinstance(value, date):
        return Cell(value.isoformat(), value)
    if isinstance(value, int | float):
        text = f"{value:.15g}"
        if re.fullmatch(r"0{2,}", shape) and value == int(value):  # an identifier shown with its leading zeros
            return Cell(str(int(value)).zfill(len(shape)))
        if "%" in shape:
            return Cell(f"{value * 100:.12g}%", float(value))
        currency = next((code for mark, code in CURRENCY_FORMATS if mark in shape), "")
        scale = _scale_of_format(shape)
        if scale != 1.0:
            return Cell(f"{value * scale:.15g}", value * scale, "CNY")
        return Cell(text, float(value), currency)
    return Cell(_printed(str(value)))


def _printed(text: str) -> str:
    """A text without signs that are not printed: they would work on the terminal on which it is shown."""
    return UNPRINTED.sub("", text).strip()


def _scale_of_format(shape: str) -> float:
    """What a number shown as "2.60万元" is counted in: 10,000 where the format only writes the word behind it; 1 where
    the format itself divides for the show (a point or a comma put between the digits)."""
    section = shape.split(";")[0].replace("\\ ", "")
    if re.search(r"0[!\\]\.0|0,+[^0#]*$|0!,0|0\",\"0|0\"\.\"0", section):
        return 1.0
    return words.scale_of(re.sub(r'[0#?.,"]', "", section)) if "元" in section else 1.0


def _check_cells(cells: tuple[Cell, ...], row: int, sheet: str, name: str) -> None:
    if len(cells) > MOST_COLUMNS:
        raise InputError([Problem("intake_too_wide", name, sheet, row, values={"most": MOST_COLUMNS})])
    for cell in cells:
        if len(cell.text) > MOST_CELL:
            raise InputError([Problem("intake_huge_cell", name, sheet, row, values={"most": MOST_CELL})])
        if cell.value is None and FORMULA.match(cell.text):
            raise InputError([Problem("intake_formula_text", name, sheet, row, value=cell.text[:40])])
