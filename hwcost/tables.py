"""Tables as text files: from the bytes that Excel or a script wrote to typed rows, with *all* problems noted.

Cells are text until a column's parser reads them, so that the ids 00123, 12E3 and NA stay what they are.
"""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hwcost import quantities
from hwcost.errors import Problem
from hwcost.problems import nearest_match
from hwcost.quantities import QuantityError

SEPARATORS = (",", ";", "\t", "，")
TOTAL_WORDS = frozenset(("合计", "小计", "总计", "total", "subtotal", "sum"))
FREE_COLUMNS = frozenset(("note", "notes", "remark", "remarks", "备注"))  # a reader's own, never read as figures
BYTE_ORDER_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))

Parser = Callable[[str, str | None], Any]  # (cell, decimal mark of the column) -> value; None: missing


@dataclass(frozen=True)
class RawTable:
    """The cells of a file as text. `rows` are (row as the user counts, cells); the header is row 1."""

    header: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    encoding: str
    separator: str


@dataclass(frozen=True)
class Column:
    """What a column holds. `low` and `high` belong to the range unless `low_open`, `high_open`.

    A column that is not `required` may be absent from the file, and its cells may be empty; both read as `default`.
    `blank_code` is the problem of an empty cell in a required column.
    """

    name: str
    parser: Parser
    required: bool = True
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    low_open: bool = False
    high_open: bool = False
    default: Any = None
    blank_code: str = "cell_empty"


@dataclass(frozen=True)
class Row:
    """One read row: its number in the file (header = 1), its values by column, and its cells as written."""

    number: int
    values: dict[str, Any]
    raw: dict[str, str]


# --- parsers of one cell ---


def text_cell(cell: str, decimal: str | None = None) -> str:
    """Text as it stands, without outer space: no word in it means "missing"."""
    return cell.strip()


def number_cell(cell: str, decimal: str | None = None) -> float | None:
    """A finite number."""
    return quantities.parse_number(cell, decimal=decimal)


def whole_cell(cell: str, decimal: str | None = None) -> int | None:
    """A whole number; 4.0 is one."""
    value = quantities.parse_number(cell, decimal=decimal)
    if value is None:
        return None
    if value != int(value):
        raise QuantityError("not_whole")
    return int(value)


def date_cell(cell: str, decimal: str | None = None) -> Any:
    """A day (`quantities.parse_date`)."""
    return quantities.parse_date(cell)


def bool_cell(cell: str, decimal: str | None = None) -> bool | None:
    """Yes or no (`quantities.parse_bool`)."""
    return quantities.parse_bool(cell)


# --- bytes to cells ---


def decode(data: bytes) -> tuple[str, str] | None:
    """The text and its encoding: by byte order mark, else strict UTF-8, else strict GB18030; None: none of them.

    UTF-8 comes before GB18030 because most Chinese words in UTF-8 decode as GB18030 without an error, to nonsense.
    """
    for mark, encoding in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _decoded(data, encoding)
    return _decoded(data, "utf-8") or _decoded(data, "gb18030")


def _decoded(data: bytes, encoding: str) -> tuple[str, str] | None:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else (text, encoding)


def read_raw(path: Path, names: Sequence[str] = ()) -> tuple[RawTable | None, list[Problem]]:
    """The cells of a CSV file, or the problem that prevents reading. `names` are the columns one hopes to find."""
    file = str(path)
    if path.is_dir():
        return None, [Problem("file_is_folder", file=file)]
    if not path.exists():
        return None, [Problem("file_missing", file=file)]
    try:
        data = path.read_bytes()
    except OSError as error:
        return None, [Problem("file_unreadable", file=file, values={"reason": error.strerror or str(error)})]
    return parse_raw(data, file, names)


def parse_raw(data: bytes, file: str, names: Sequence[str] = ()) -> tuple[RawTable | None, list[Problem]]:
    """As `read_raw`, from bytes (an upload)."""
    if data.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        return None, [Problem("file_is_workbook", file=file)]
    decoded = decode(data)
    if decoded is None:
        return None, [Problem("file_not_text", file=file)]
    text, encoding = decoded
    if not text.strip():
        return None, [Problem("file_empty", file=file)]
    first, _, rest = text.partition("\n")
    if first.strip().lower().startswith("sep=") and len(first.strip()) <= 5:
        separator, text = first.rstrip("\r")[4:5] or "\t", rest  # Excel's own hint, which Excel does not count as a row
    else:
        header_line = next(line for line in text.splitlines() if line.strip())
        separator = sniff_separator(header_line, names)
    records: list[list[str]] = []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        records.extend(reader)
    except csv.Error as error:
        return None, [Problem("csv_quotes", file=file, row=len(records) + 1, values={"reason": str(error)})]
    filled = [(n, tuple(record)) for n, record in enumerate(records, 1) if any(cell.strip() for cell in record)]
    if not filled:
        return None, [Problem("file_empty", file=file)]
    header = tuple(cell.strip() for cell in filled[0][1])
    return RawTable(header, tuple(filled[1:]), encoding, separator), []


def sniff_separator(header: str, names: Sequence[str] = ()) -> str:
    """The separator that finds the most expected names in the header, then the most columns; comma when equal."""
    known = {name.lower() for name in names}

    def score(separator: str) -> tuple[int, int]:
        cells = [cell.strip().strip('"').lower() for cell in header.split(separator)]
        return sum(cell in known for cell in cells), len(cells)

    return max(SEPARATORS, key=score)  # max keeps the first of equals


# --- cells to typed rows ---


def read_table(path: Path, columns: Sequence[Column]) -> tuple[list[Row], list[Problem]]:
    """The typed rows of a CSV file and every problem in it. A row with a problem is not among the rows."""
    raw, problems = read_raw(path, [column.name for column in columns])
    if raw is None:
        return [], problems
    return type_rows(raw, columns, str(path))


def type_rows(raw: RawTable, columns: Sequence[Column], file: str) -> tuple[list[Row], list[Problem]]:
    """Reads every cell by its column's parser; notes all problems."""
    places, problems = _match_header(raw, columns, file)
    marks = {name: _decimal_mark(raw, place) for name, place in places.items()}
    rows: list[Row] = []
    for number, cells in raw.rows:
        fault = _row_fault(number, cells, len(raw.header), file)
        if fault is not None:
            problems.append(fault)
            continue
        values: dict[str, Any] = {}
        written: dict[str, str] = {}
        before = len(problems)
        for column in columns:
            written[column.name] = cells[places[column.name]] if column.name in places else ""
            if column.name not in places:
                values[column.name] = column.default
                continue
            value, problem = read_cell(written[column.name], column, marks.get(column.name))
            values[column.name] = value
            if problem is not None:
                problems.append(
                    Problem(problem.code, file, "", number, column.name, written[column.name].strip(), problem.values)
                )
        if len(problems) == before:
            rows.append(Row(number, values, written))
    if any(column.required and column.name not in places for column in columns):
        rows = []  # a whole required column is missing: the header problem says so, and no row can be complete
    return rows, problems


def read_cell(cell: str, column: Column, decimal: str | None = None) -> tuple[Any, QuantityError | None]:
    """The value of one cell, or what is wrong with it."""
    try:
        value = column.parser(cell, decimal) if cell.strip() else None
        if value is None or value == "":
            if column.required:
                raise QuantityError(column.blank_code)
            return column.default, None
        _check_range(value, column)
    except QuantityError as error:
        return None, error
    return value, None


def _check_range(value: Any, column: Column) -> None:
    if column.choices and value not in column.choices:
        raise QuantityError(
            "choice", expected=", ".join(column.choices), nearest=nearest_match(str(value), column.choices)
        )
    low, high = column.low, column.high
    below = low is not None and (value < low or (column.low_open and value == low))
    above = high is not None and (value > high or (column.high_open and value == high))
    if not below and not above:
        return
    ends = {"low": _plain(low), "high": _plain(high)}
    if low is not None and high is not None:
        code = "range_above_to" if column.low_open else "range_below" if column.high_open else "range"
    else:
        code = "range_above" if column.low_open else "range_low"
    raise QuantityError(code, **ends)


def _plain(x: float | None) -> str:
    return "" if x is None else f"{x:g}" if abs(x) < 1e6 else f"{x:.0f}"


def _match_header(raw: RawTable, columns: Sequence[Column], file: str) -> tuple[dict[str, int], list[Problem]]:
    """Where each known column stands, and what is wrong with the header."""
    known = {column.name.lower(): column.name for column in columns}
    places: dict[str, int] = {}
    strangers: list[str] = []
    problems: list[Problem] = []
    for position, title in enumerate(raw.header):
        name = known.get(title.lower())
        if name is not None and name in places:
            pair = {"first": places[name] + 1, "second": position + 1}
            problems.append(Problem("column_twice", file=file, row=1, column=name, values=pair))
        elif name is not None:
            places[name] = position
        elif not title:
            if any(len(cells) > position and cells[position].strip() for _, cells in raw.rows):
                problems.append(Problem("column_unnamed", file=file, row=1, values={"position": position + 1}))
        elif title.lower() not in FREE_COLUMNS:
            strangers.append(title)
    missing = [column.name for column in columns if column.name not in places]
    for column in columns:
        if column.required and column.name not in places:
            near = {"nearest": nearest_match(column.name, strangers)}
            problems.append(Problem("column_missing", file=file, row=1, column=column.name, values=near))
    for title in strangers:
        near = {"nearest": nearest_match(title, missing or known.values())}
        problems.append(Problem("column_unknown", file=file, row=1, column=title, value=title, values=near))
    return places, problems


def _row_fault(number: int, cells: tuple[str, ...], width: int, file: str) -> Problem | None:
    """A row of the wrong length (empty cells at its end aside), or a row of totals."""
    if cells[0].strip().lower() in TOTAL_WORDS:
        return Problem("row_total", file=file, row=number, value=cells[0].strip())
    extra = any(cell.strip() for cell in cells[width:])
    if len(cells) < width or extra:
        return Problem("row_length", file=file, row=number, values={"found": len(cells), "expected": width})
    return None


def _decimal_mark(raw: RawTable, place: int) -> str | None:
    """The decimal mark of a column: what its unambiguous cells prove, else what the file's separator implies.

    A file whose columns are separated by commas comes from a place that writes a decimal point.
    """
    lone_comma = raw.separator not in (",", "，")
    cells = [cells[place] for _, cells in raw.rows if len(cells) > place]
    marks = {quantities.decimal_mark(cell, lone_comma=lone_comma) for cell in cells} - {None}
    if len(marks) == 1:
        return marks.pop()
    return "." if not marks and not lone_comma else None
