"""Reads an input workbook back: a scenario and rows for the catalog, every fault with its sheet, row and column."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from hwcost import catalog as layers
from hwcost import tables
from hwcost.catalog_checks import check_catalog
from hwcost.errors import InputError, Problem
from hwcost.intake import figures, sheets
from hwcost.intake.facts import tax_word
from hwcost.intake.fields import Field, scenario_fields
from hwcost.intake.files import load_bytes, read_workbook, refuse
from hwcost.intake.model import Cell, Grid
from hwcost.quantities import QuantityError, parse_bool, parse_number
from hwcost.records import Catalog
from hwcost.scenario import Scenario
from hwcost.scenario_io import SCHEMA, scenario_from_dict

LAYER = "scenario"
PAIR = re.compile(r"^\s*(?P<name>[^=:：]+?)\s*[=:：]\s*(?P<value>.+?)\s*$")
# faults of which the scenario's file asks another remedy than a cell
CELL_CODES = {"scenario_not_table": "template_not_pairs", "scenario_not_flag": "template_not_flag",
              "scenario_not_date": "template_not_day", "scenario_not_number": "template_not_number",
              "scenario_not_list": "template_not_several", "scenario_missing_key": "template_missing"}  # fmt: skip
COMMAS = re.compile(r"[,，、;；]")


@dataclass(frozen=True)
class Place:
    """Where a key stands in the workbook."""

    sheet: str
    row: int | None
    column: str


@dataclass
class Document:
    """A scenario's document, with the place of each dotted key."""

    data: dict[str, Any] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)


@dataclass(frozen=True)
class InputBook:
    """An input workbook as read: `document` is what a scenario's file would hold, `rows` the cells of its own rows of
    the catalog by the file of their table."""

    scenario: Scenario
    catalog: Catalog
    document: dict[str, Any]
    rows: dict[str, list[dict[str, str]]]


def read_input(source: bytes | str | Path, catalog: Catalog, name: str = "") -> tuple[Scenario, Catalog]:
    """The scenario of an input workbook, and the catalog with the workbook's own rows.

    Raises `InputError` with every fault, at its sheet, row and column; the same workbook gives the same sha256 as the
    TOML file it was made from.
    """
    book = read_book(source, catalog, name)
    return book.scenario, book.catalog


def read_book(source: bytes | str | Path, catalog: Catalog, name: str = "") -> InputBook:
    """As `read_input`, with the document and the rows as they could be kept in files."""
    data, name = load_bytes(source, name)
    if not data.startswith(b"PK"):
        raise refuse("template_not_input", name)
    book = read_workbook(data, name, hidden=True)  # a sheet out of sight counts like any other
    fields = scenario_fields(catalog)
    paths = sheets.sheet_paths([grid.sheet for grid in book.grids], list({f.array for f in fields if f.array}))
    if sheets.SCENARIO not in paths.values():
        raise refuse("template_not_input", name)
    problems = _sheet_problems(book.grids, paths, name)
    document = Document({"schema": SCHEMA})
    own: dict[str, list[Any]] = {}
    rows: dict[str, list[dict[str, str]]] = {}
    for grid in book.grids:
        path = paths.get(grid.sheet, "")
        if path == sheets.SCENARIO:
            _read_keys(grid, [f for f in fields if not f.array], document, problems, name)
        elif path in sheets.CATALOG_TABLES:
            own[path], cells = _read_records(grid, path, name, problems)
            if cells:
                rows[path] = cells
        elif path:
            _read_entries(grid, path, [f for f in fields if f.array == path], document, problems, name)
    catalog = _layered(catalog, own, name, {path: sheet for sheet, path in paths.items()}, problems)
    try:
        scenario = scenario_from_dict(document.data, catalog, name)
    except InputError as error:
        problems += [_placed(problem, document, name) for problem in error.problems]
    if problems:
        raise InputError(problems)
    return InputBook(scenario, catalog, document.data, rows)


def _sheet_problems(grids: tuple[Grid, ...], paths: dict[str, str], name: str) -> list[Problem]:
    """Sheets that would be passed over: one that was renamed or copied, and a second one of the same kind. Sheets of
    the user's own, without a row of keys, are nobody's business."""
    problems = []
    first: dict[str, str] = {}
    for grid in grids:
        path = paths.get(grid.sheet, "")
        keys = next((cells for number, cells in grid.rows if number == sheets.HEADER_ROW + 1), ())
        if not path and _at(keys, 0).text in (sheets.USE, "key"):
            expected = ", ".join(paths)
            problems.append(Problem("template_sheet_unknown", name, grid.sheet, values={"expected": expected}))
        elif path and path in first:
            problems.append(Problem("template_sheet_twice", name, grid.sheet, values={"first": first[path]}))
        elif path:
            first[path] = grid.sheet
    return problems


def _moved(grid: Grid, name: str, first: str) -> Problem:
    return Problem("template_keys_moved", name, grid.sheet, sheets.HEADER_ROW + 1, values={"first": first})


def _repeated(header: Sequence[str], sheet: str, name: str) -> list[Problem]:
    """Keys of a row of keys that stand there twice, of which one would win unseen."""
    return [Problem("template_column_twice", name, sheet, sheets.HEADER_ROW + 1, key, key)
            for key in dict.fromkeys(header) if key and list(header).count(key) > 1]  # fmt: skip


# --- the scenario ---


def _read_keys(grid: Grid, fields: list[Field], document: Document, problems: list[Problem], name: str) -> None:
    """The sheet of single keys: key in the first column, value in the one titled so. A key of the user's own is read
    too, and refused by the reader with the nearest known one; a key in two rows is refused here."""
    known = {f.path: f for f in fields}
    titles = next(([c.text for c in cells] for number, cells in grid.rows if number == sheets.HEADER_ROW + 1), [])
    if titles[:1] != ["key"] or titles.count("value") != 1:
        problems.append(_moved(grid, name, "key"))
        return
    place = titles.index("value")
    seen: dict[str, int] = {}
    for number, cells in grid.rows:
        key = _at(cells, sheets.KEY).text
        if number <= sheets.HEADER_ROW + 1 or not key or not re.fullmatch(r"[\w.-]+", key):
            continue
        if seen.setdefault(key, number) != number:
            problems.append(Problem("row_twice", name, grid.sheet, number, "key", key, {"first": seen[key]}))
            continue
        where = Place(grid.sheet, number, "value")
        document.places[key] = where
        value = _value(_at(cells, place), known.get(key))
        if value is not None:
            _put(document.data, key, value)


def _read_entries(
    grid: Grid, path: str, fields: list[Field], document: Document, problems: list[Problem], name: str
) -> None:
    """A sheet of a list of tables: one entry per row that says yes, or says nothing and is not empty."""
    known = {f.key: f for f in fields}
    header: list[str] = []
    entries: list[dict[str, Any]] = []
    document.places[path] = Place(grid.sheet, None, "")
    for number, cells in grid.rows:
        if number == sheets.HEADER_ROW + 1:
            header = [cell.text for cell in cells]
            if not header or header[0] != sheets.USE:  # a row or a column was put before it: nothing can be told apart
                break
            problems += _repeated(header[1:], grid.sheet, name)
        if number <= sheets.HEADER_ROW + 1 or not header:
            continue
        if not is_used(cells):
            continue
        entry: dict[str, Any] = {}
        here = f"{path}[{len(entries) + 1}]"
        document.places[here] = Place(grid.sheet, number, "")
        for column, key in enumerate(header):
            if column == 0 or not key:
                continue
            value = _value(_at(cells, column), known.get(key))
            if value is not None:
                _put(entry, key, value)
                document.places[f"{here}.{key}"] = Place(grid.sheet, number, key)
        entries.append(entry)
    if header[:1] != [sheets.USE]:
        problems.append(_moved(grid, name, sheets.USE))
    if entries:
        _put(document.data, path, entries)


def is_used(cells: tuple[Cell, ...]) -> bool:
    """Whether a row is read: it says something, and not "no" in its first column."""
    return any(cell.text for cell in cells[1:]) and tax_word(_at(cells, 0).text) is not False


def _at(cells: tuple[Cell, ...], place: int) -> Cell:
    return cells[place] if place < len(cells) else Cell("")


def _put(data: dict[str, Any], dotted: str, value: Any) -> None:
    *tables_of, last = dotted.split(".")
    for name in tables_of:
        inner = data.setdefault(name, {})
        data = inner if isinstance(inner, dict) else {}
    data[last] = value


def _value(cell: Cell, item: Field | None) -> Any:
    """The value of a cell as the scenario's file would hold it; a text that fits nothing stays, to be refused."""
    if not cell.text:
        return None
    kind = item.kind if item else "any"
    if kind == "text":
        return cell.text if not isinstance(cell.value, float) else f"{cell.value:.15g}"
    if kind == "day":
        return _or_text(figures.day, cell)
    if kind == "flag":
        return _or_text(lambda c: parse_bool(c.text), cell)
    if kind == "by_name":
        return _pairs(cell.text)
    if kind in ("words", "counts", "numbers"):
        if isinstance(cell.value, float):
            return [cell.value]
        parts = [part.strip() for part in COMMAS.split(cell.text) if part.strip()]
        return parts if kind == "words" else [_number(part) for part in parts]
    if isinstance(cell.value, float | date):
        return cell.value
    return _number(cell.text)


def _or_text(read: Any, cell: Cell) -> Any:
    if isinstance(cell.value, date):
        return cell.value
    try:
        value = read(cell)
    except QuantityError:
        return cell.text
    return cell.text if value is None else value


def _number(text: str) -> Any:
    """The number of a text, else the text; one separator before three digits stays open and so a text."""
    try:
        value = parse_number(text)
    except QuantityError:
        return text
    return text if value is None else value


def _pairs(text: str) -> Any:
    """ "card = -0.1; host = 0" as a table."""
    pairs = [PAIR.match(part) for part in re.split(r"[;；,，\n]", text) if part.strip()]
    return {pair["name"]: _number(pair["value"]) for pair in pairs if pair} if all(pairs) else text


def _placed(problem: Problem, document: Document, name: str) -> Problem:
    """A fault of the reader at the cell that it is about: the key's own, else that of the entry or table it is in."""
    dotted = problem.column
    if dotted in document.places:
        place = document.places[dotted]
        return _at_place(problem, place, place.column or dotted, name)
    head, _, rest = dotted.rpartition(".")
    while head:
        if head in document.places:
            return _at_place(problem, document.places[head], f"{rest}", name)
        head, _, more = head.rpartition(".")
        rest = f"{more}.{rest}"
    sheet = next((p.sheet for p in document.places.values()), "")
    return dataclasses.replace(problem, file=name, sheet=problem.sheet or sheet, column=dotted)


def _at_place(problem: Problem, place: Place, column: str, name: str) -> Problem:
    code = CELL_CODES.get(problem.code, problem.code)
    return dataclasses.replace(problem, code=code, file=name, sheet=place.sheet, row=place.row, column=column)


# --- rows for the catalog ---


def _read_records(grid: Grid, file: str, name: str, problems: list[Problem]) -> tuple[list[Any], list[dict[str, str]]]:
    """The records of a sheet of catalog rows, and their cells by title; notes all problems."""
    spec = sheets.spec_of(file)
    header: tuple[str, ...] = ()
    rows: list[tuple[int, tuple[str, ...]]] = []
    for number, cells in grid.rows:
        if number == sheets.HEADER_ROW + 1:
            header = tuple(cell.text for cell in cells[1:])
        elif number > sheets.HEADER_ROW + 1 and header and is_used(cells):
            width = max(len(header), len(cells) - 1)
            rows.append((number, tuple(_at(cells, n + 1).text for n in range(width))))
    if not rows:
        return [], []
    typed, found = tables.type_rows(tables.RawTable(header, tuple(rows), "", ","), spec.columns, name)
    problems += [dataclasses.replace(problem, sheet=grid.sheet) for problem in found]
    records = []
    seen: dict[Hashable, int] = {}
    for row in typed:
        record = layers._record(row, Path(name), LAYER, spec)
        first = seen.setdefault(spec.key(record), row.number)
        if first != row.number:
            named = getattr(record, "id", "") or record.item_id
            problems.append(Problem("row_twice", name, grid.sheet, row.number, "", named, {"first": first}))
        records.append(record)
    as_text = [{title.lower(): text for title, text in zip(header, texts, strict=False) if title} for _, texts in rows]
    return records, as_text


def _sheet_of(problem: Problem, own: dict[str, list[Any]], places: dict[str, str]) -> str:
    """The sheet of a fault that the check of the whole catalog found: that of the row with this column."""
    for file, records in own.items():
        columns = {column.name for column in sheets.spec_of(file).columns}
        if problem.column in columns and any(record.origin.row == problem.row for record in records):
            return places[file]
    return ""


def _layered(
    catalog: Catalog, own: dict[str, list[Any]], name: str, places: dict[str, str], problems: list[Problem]
) -> Catalog:
    """The catalog with the workbook's rows in the place of those with the same key."""
    held: dict[str, Any] = {}
    for file, records in own.items():
        spec = sheets.spec_of(file)
        if not records:
            continue
        before = getattr(catalog, spec.attribute)
        groups: dict[Hashable, list[Any]] = {}
        for record in before.values() if isinstance(before, dict) else before:
            groups.setdefault(spec.override_key(record), []).append(record)
        layers._override(groups, spec, records)
        merged = sorted((r for group in groups.values() for r in group), key=lambda r: str(spec.key(r)))
        held[spec.attribute] = {r.id: r for r in merged} if spec.by_id else tuple(merged)
    if not held:
        return catalog
    changed = dataclasses.replace(catalog, **held)
    problems += [
        dataclasses.replace(p, sheet=_sheet_of(p, own, places)) for p in check_catalog(changed) if p.file == name
    ]
    return dataclasses.replace(changed, sha256=layers.catalog_sha256(changed))
