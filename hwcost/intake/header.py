"""Where the table of a sheet begins, and what its columns are; titles over two rows are joined."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from hwcost.intake import words
from hwcost.intake.model import Cell, Grid

SEARCHED_ROWS = 60
LEAST_FIELDS = 2
FIGURE = re.compile(r"\d")


@dataclass(frozen=True)
class Column:
    """One column of the table: its field, its title as written, and what the title says of money."""

    place: int
    field: str
    title: str
    tax_included: bool | None = None
    currency: str = ""
    scale: float = 1.0


@dataclass(frozen=True)
class Header:
    """The header rows (as the user counts) and the columns, in their order; `first` is the first row of the body."""

    rows: tuple[int, ...]
    columns: tuple[Column, ...]
    first: int  # index into the grid's rows
    width: int = 0  # cells of the header

    def of(self, *fields: str) -> list[Column]:
        return [column for column in self.columns if column.field in fields]


def find_header(grid: Grid, row: int | None = None) -> Header | None:
    """The header of a grid: the row (with the next one where titles stand over two) that names most fields, among them
    a name and a price. `row` states it instead. None where there is no such row."""
    best: tuple[int, Header] | None = None
    for index, (number, _) in enumerate(grid.rows if row is not None else grid.rows[:SEARCHED_ROWS]):
        if row is not None and number != row:
            continue
        found = _candidate(grid, index)
        fields = {column.field for column in found.columns if column.field}
        if (
            (_fits(fields) or row is not None)
            and len(fields) >= LEAST_FIELDS
            and (best is None or len(fields) > best[0])
        ):
            best = len(fields), found
    return best[1] if best else None


def _fits(fields: set[str]) -> bool:
    return bool(fields & {*words.NAME_FIELDS}) and bool(fields & {*words.MONEY_FIELDS})


def other_headers(grid: Grid, header: Header) -> tuple[int, ...]:
    """Rows of other tables on the sheet: titles without figures that name other columns than `header` does. A header
    that is repeated, as on every printed page, is none."""
    own = {(column.place, column.field) for column in header.columns}
    found = []
    for number, cells in grid.rows:
        if number in header.rows or any(c.value is not None or FIGURE.search(c.text) for c in cells if not c.covered):
            continue
        columns = _columns([cell.text for cell in cells])
        if _fits({c.field for c in columns}) and len(columns) >= 3 and {(c.place, c.field) for c in columns} != own:
            found.append(number)
    return tuple(found)


def _candidate(grid: Grid, index: int) -> Header:
    number, upper = grid.rows[index]
    single = Header((number,), _columns([cell.text for cell in upper]), index + 1, len(upper))
    if index + 1 >= len(grid.rows):
        return single
    below, lower = grid.rows[index + 1]
    if below != number + 1 or not _is_title_row(lower, upper):
        return single
    width = max(len(upper), len(lower))
    titles = [_joined(_text(upper, n), _text(lower, n)) for n in range(width)]
    return Header((number, below), _columns(titles), index + 2, width)


def _is_title_row(lower: Sequence[Cell], upper: Sequence[Cell]) -> bool:
    """Whether a row continues the titles above it: no figures, and under a title merged over several columns or rows,
    or words of tax or a field of its own where the row above is empty or spans it."""
    filled = [cell for cell in lower if cell.text]
    if not filled or any(cell.value is not None or (FIGURE.search(cell.text) and not cell.covered) for cell in filled):
        return False
    own = [n for n, cell in enumerate(lower) if cell.text and not cell.covered]
    if not own:
        return False

    def continues(n: int) -> bool:
        above = upper[n] if n < len(upper) else None
        spans = above is None or not above.text or above.covered or (n + 1 < len(upper) and upper[n + 1].covered)
        named = bool(words.field_of(lower[n].text)) or words.tax_of(lower[n].text) is not None
        return named and (spans or words.tax_of(lower[n].text) is not None)

    return all(continues(n) for n in own)


def _text(cells: Sequence[Cell], n: int) -> str:
    return cells[n].text if n < len(cells) else ""


def _joined(upper: str, lower: str) -> str:
    return upper if lower in ("", upper) else f"{upper} {lower}".strip()


def _columns(titles: Sequence[str]) -> tuple[Column, ...]:
    """The columns of a header. Of two columns of one field the first counts, money columns aside: those may differ by
    tax or by currency."""
    found: list[Column] = []
    for place, title in enumerate(titles):
        name = words.field_of(title) or _by_its_parts(title)
        if not name:
            continue
        money = name in words.MONEY_FIELDS
        if not money and any(column.field == name for column in found):
            if name == "name" and not any(column.field == "spec" for column in found):
                name = "spec"  # "item" and "description" side by side
            else:
                continue
        if money:
            found.append(Column(place, name, title, words.tax_of(title), words.currency_of(title),
                                words.scale_of(title)))  # fmt: skip
        else:
            found.append(Column(place, name, title))
    return tuple(found)


def _by_its_parts(title: str) -> str:
    """The field of a title over two rows ("价格 含税", "Price / Net"): of the last part that names one."""
    parts = re.split(r"[\s/、和及与]+", title)
    return next((name for part in reversed(parts) if (name := words.field_of(part))), "") if len(parts) > 1 else ""
