"""Reads a vendor's file as lines: item lists and whole machines, one machine per row or per block of rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from hwcost.errors import InputError, Problem
from hwcost.intake import figures, words
from hwcost.intake.blocks import Block, machines_of
from hwcost.intake.facts import outside_facts
from hwcost.intake.files import SAMPLE_ROWS, load_bytes, read_source
from hwcost.intake.header import Column, Header, find_header, other_headers
from hwcost.intake.lines import Table, currency_fact, mark_of, read_line
from hwcost.intake.model import Answers, Cell, Choice, Grid, Line, Question, Reading, Said, Source, TotalCheck
from hwcost.quantities import QuantityError, is_missing

TOTAL_TOLERANCE = 0.01


def read_quote(source: bytes | str | Path, name: str = "", answers: Answers | None = None) -> Reading:
    """A vendor's CSV or xlsx file as lines, with everything that is open as questions.

    `answers` are those given so far, by question id; so that no question is asked twice, read again with all of them.
    Raises `InputError` where the file cannot be read at all or is hostile.
    """
    answers = answers or {}
    data, name = load_bytes(source, name)
    found, questions = read_source(data, name, answers)
    if found is None:
        return _open(name, questions)
    grids = found.grids
    if found.kind == "xlsx" and answers.get("sheet"):
        grids = tuple(grid for grid in grids if grid.sheet == answers["sheet"])
        if not grids:
            values = {"expected": ", ".join(grid.sheet for grid in found.grids)}
            raise InputError([Problem("intake_sheet_missing", file=name, value=answers["sheet"], values=values)])
    tables = [(grid, header) for grid in grids if (header := _header(grid, answers)) is not None]
    if not tables:
        if "header_row" in answers:
            raise InputError([Problem("intake_no_header", file=name)])
        return _open(name, [Question("header_row", "header_row", "number")], found)
    if len(tables) > 1:
        choices = tuple(Choice(grid.sheet) for grid, _ in tables)
        return _open(name, [Question("sheet", "sheet", "choice", choices)], found)
    grid, header = tables[0]
    others = other_headers(grid, header)
    if others and "header_row" not in answers:
        choices = tuple(Choice(str(row)) for row in sorted((header.rows[0], *others)))
        values = {"rows": ", ".join(choice.value for choice in choices)}
        return _open(name, [Question("header_row", "tables", "choice", choices, values)], found)
    after = [row for row in others if row > header.rows[0]]
    if after:  # what follows is another table, with columns of its own
        grid = replace(grid, rows=tuple((row, cells) for row, cells in grid.rows if row < after[0]))
    return _read(found, grid, header, answers)


def _header(grid: Grid, answers: Answers) -> Header | None:
    row = answers.get("header_row", "")
    return find_header(grid, int(row) if row.isascii() and row.isdigit() and len(row) <= 7 else None)


def _open(name: str, questions: Sequence[Question], found: Source | None = None) -> Reading:
    """A reading that has to wait for an answer."""
    sample = _sample(found.grids[0]) if found else ()
    kind, encoding, separator = (found.kind, found.encoding, found.separator) if found else ("csv", "", "")
    return Reading(name, kind, encoding, separator, "", (), {}, (), {}, (), tuple(questions), (), (), sample)


def _sample(grid: Grid) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(cell.text for cell in cells) for _, cells in grid.rows[:SAMPLE_ROWS])


def _read(source: Source, grid: Grid, header: Header, answers: Answers) -> Reading:
    body = [(row, cells) for row, cells in grid.rows[header.first :]]
    first = grid.rows[header.first - len(header.rows)][0]
    rows = [(row, cells, _kind(row, cells, header)) for row, cells in body]
    outside = [(row, cells) for row, cells in grid.rows if row < first]
    outside += [(row, cells) for row, cells, kind in rows if kind in ("text", "title")]
    facts = outside_facts(outside)
    header = _in_unit(header, [cell.text for _, cells in outside for cell in cells if not cell.covered])
    table = Table(header, answers, facts, _marks(source, header, [c for _, c, kind in rows if kind == "line"], answers))
    lines: list[Line] = []
    blocks: list[Block] = [Block(1)]
    totals: list[TotalCheck] = []
    for row, cells, kind in rows:
        if kind == "title":
            if blocks[-1].lines:
                blocks.append(Block(len(blocks) + 1))
            blocks[-1].title = next(cell.text for cell in cells if cell.text)
        elif kind in ("total", "subtotal"):
            check = _total(row, cells, kind, blocks, table)
            if check is not None:
                totals.append(check)
            blocks.append(Block(len(blocks) + 1))
        elif kind == "discount":
            text = " ".join(cell.text for cell in cells if cell.text and not cell.covered)[:80]
            values = {"text": text, "read": f"{sum(block.sum for block in blocks):,.2f}"}
            choices = (Choice("lines", "use_lines", values),)
            table.ask(Question(f"row{row}.total", "reduced", "choice", choices, values, row))
        elif kind == "tax":
            blocks[-1].tax += _figure(cells, table) or 0.0
        elif kind == "line":
            if source.kind == "csv" and any(cell.text for cell in cells[header.width :]):
                _refuse_split(row, cells, header, source.name)
            line = read_line(row, cells, table)
            if line is not None:
                blocks[-1].add(line, _covered_price(cells, header))
    for block in blocks:
        lines.extend(machines_of(block, table))
    _remarks(source, table)
    columns = {column.field: column.title for column in reversed(header.columns)}
    return Reading(source.name, source.kind, source.encoding, source.separator, grid.sheet, header.rows, columns,
                   tuple(lines), facts, tuple(totals), tuple(table.questions), tuple(table.rejected),
                   tuple(table.notes), _sample(grid),
                   tuple(row for row, _, kind in rows if kind == "discount"))  # fmt: skip


def _in_unit(header: Header, around: Sequence[str]) -> Header:
    """The header with the unit that a sentence around the table states ("单位：万元") for columns that state none."""
    scales = {scale for text in around if (scale := words.unit_of_money(text)) != 1.0}
    if len(scales) != 1:
        return header
    scale = scales.pop()

    def silent(column: Column) -> bool:
        return column.field in words.MONEY_FIELDS and column.scale == 1.0 and "元" not in column.title

    columns = tuple(replace(column, scale=scale) if silent(column) else column for column in header.columns)
    return replace(header, columns=columns)


def _refuse_split(row: int, cells: tuple[Cell, ...], header: Header, name: str) -> None:
    """A row with more cells than the header: most likely a price with a comma in it was cut in two."""
    values = {"found": len(cells), "expected": header.width}
    raise InputError([Problem("row_length", file=name, row=row, values=values)])


# --- rows ---


def _kind(row: int, cells: tuple[Cell, ...], header: Header) -> str:
    """line, total, subtotal, tax, discount (of the whole), title (of a block), text, header (repeated)."""
    own = [(n, cell) for n, cell in enumerate(cells) if cell.text and not cell.covered]
    if not own:
        return "text"
    titles = {column.place: column.title for column in header.columns}
    if all(titles.get(n) == cell.text for n, cell in own):
        return "header"
    money = {column.place for column in header.of(*words.MONEY_FIELDS)}
    named = {column.place for column in header.of(*words.NAME_FIELDS, *words.PART_FIELDS, "brand")}
    described = [n for n, _ in own if n in named]
    if len(described) <= 1 and any(char.isdigit() for _, cell in own for char in cell.text):
        kind = words.is_total(own[0][1].text)
        if kind:
            return kind
        whole = " ".join(cell.text for _, cell in own)
        if words.DISCOUNT.search(own[0][1].text) and not words.category_of(whole) and not words.MACHINE.search(whole):
            return "discount"
    if len(own) == 1 or not (money & {n for n, _ in own} or described):
        text = own[0][1].text
        short = len(text) <= 60 and ":" not in text and "：" not in text
        if short and (words.MACHINE.search(text) or _is_option(text)):
            return "title"
        return "line" if described and words.category_of(text) and short else "text"
    if not described and not any(cell.covered for cell in cells):
        return "text"
    place = header.of("quantity")
    filled = {n for n, _ in own}
    priced = bool(money & filled) or any(n in money and cell.covered for n, cell in enumerate(cells))
    stated = priced or (place and place[0].place in filled)
    return "line" if stated or len(own) >= 3 else "text"


def _is_option(text: str) -> bool:
    return text.lower().startswith(("方案", "配置", "选项", "option", "variant", "config", "套餐", "angebot"))


def _covered_price(cells: tuple[Cell, ...], header: Header) -> bool:
    """Whether the row's price is that of a merged range above it."""
    return any(c.place < len(cells) and cells[c.place].covered for c in header.of(*words.MONEY_FIELDS))


def _marks(
    source: Source, header: Header, lines: Sequence[tuple[Cell, ...]], answers: Answers
) -> dict[int, str | None]:
    """The decimal mark of each column of figures: its own proof, else the other columns', else what the user says."""
    lone_comma = source.kind == "csv" and source.separator not in (",", "，")
    places = [column.place for column in header.of(*words.MONEY_FIELDS, "quantity")]
    own = {n: figures.column_mark([c[n] for c in lines if n < len(c)], lone_comma) for n in places}
    proven = {mark for mark in own.values() if mark}
    shared = proven.pop() if len(proven) == 1 else None
    stated = answers.get("decimal") if answers.get("decimal") in (".", ",") else None
    return {n: mark or shared or stated for n, mark in own.items()}


def _figure(cells: tuple[Cell, ...], table: Table) -> float | None:
    """The amount of a row of totals: of the last column of money that has one, else of any cell."""
    money = [column for column in table.header.of("amount", "price") if column.place < len(cells)]
    ordered = [*(c for c in money if c.field == "amount"), *(c for c in money if c.field == "price")]
    candidates = [(cells[c.place], c.scale, table.marks.get(c.place)) for c in ordered]
    candidates += [(cell, 1.0, None) for cell in reversed(cells) if cell.text]
    for cell, scale, mark in candidates:
        if cell.covered or not cell.text or is_missing(cell.text):
            continue
        currency = currency_fact(cells, table)
        try:
            read = figures.amount(cell, currency, mark_of(cell, currency, mark), scale)
        except QuantityError:
            continue
        if read is not None:
            return read[0]
    return None


def _total(row: int, cells: tuple[Cell, ...], kind: str, blocks: list[Block], table: Table) -> TotalCheck | None:
    """A row of totals held against the lines above: since the last total of its kind, or of the whole table.

    Tax given on a line of its own may be in it. A total that disagrees with what was read is asked about.
    """
    stated = _figure(cells, table)
    if stated is None:
        return None
    here = blocks[-1] if blocks[-1].lines or len(blocks) == 1 else blocks[-2]
    if blocks[-1].lines:
        here.total, here.total_row = stated, row
        amount = next((c for c in table.header.of("amount", "price")), None)
        here.total_tax = words.tax_of(cells[0].text) if amount is None or amount.tax_included is None else None
    sums = {round(here.sum, 2), round(sum(block.sum for block in blocks), 2)}
    unpriced = (kind != "subtotal" and any(block.unpriced for block in blocks)) or here.unpriced
    if unpriced and not any(block.sum for block in blocks):
        return None  # components without prices of their own: the total is the machine's price
    tax = sum(block.tax for block in blocks)
    sums |= {round(value + extra, 2) for value in sums for extra in (tax, here.tax)}
    ok = any(abs(value - stated) <= max(TOTAL_TOLERANCE, 1e-6 * stated) for value in sums)
    read = here.sum if kind == "subtotal" else sum(block.sum for block in blocks)
    if not ok:
        values = {"stated": f"{stated:,.2f}", "read": f"{read:,.2f}"}
        choices = (Choice("lines", "use_lines", values),)
        table.ask(Question(f"row{row}.total", "total", "choice", choices, values, row))
    return TotalCheck(row, stated, round(read, 2), ok)


def _remarks(source: Source, table: Table) -> None:
    """What was decided from the file itself, so that a reader can object."""
    if source.kind == "csv":
        separator = {"\t": "tab", ",": "comma", ";": "semicolon", "，": "wide_comma"}.get(source.separator, "other")
        table.notes.insert(0, Said("read_as", {"encoding": source.encoding, "separator": separator}))
    for column in table.header.of(*words.MONEY_FIELDS):
        mark = table.marks.get(column.place)
        if mark == ",":
            table.notes.append(Said("decimal_comma", {"column": column.title}))
