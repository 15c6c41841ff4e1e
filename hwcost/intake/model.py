"""What reading a vendor's file yields: lines, questions, and the changes they would make to the user's tables.

Nothing here is guessed. What the file leaves open is a `Question`; its answer goes into a mapping `{question.id: text}`
that the next reading is given. A question whose `id` is answered is not asked again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

LEAVE_OUT = "leave_out"  # an answer to any question about a row: the row is not imported
Answers = Mapping[str, str]


@dataclass(frozen=True)
class Said:
    """One sentence for a reader: the key below "intake." and the values of its placeholders; `row` as in the file."""

    key: str
    values: dict[str, Any] = field(default_factory=dict)
    row: int | None = None


@dataclass(frozen=True)
class Choice:
    """One offered answer: what is stored, and how it is shown (a message key below "intake.choice.", or the text)."""

    value: str
    label: str = ""
    values: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Question:
    """One doubt. `kind`: choice (one of `choices`), text, date, number, currency; beside a free answer the choices
    are offered as well. `key` is the message below "intake.ask."."""

    id: str
    key: str
    kind: str = "choice"
    choices: tuple[Choice, ...] = ()
    values: dict[str, Any] = field(default_factory=dict)
    row: int | None = None


@dataclass(frozen=True)
class Cell:
    """One cell. `value` is a number or a day where the workbook stored one; `covered`: filled from a merged range."""

    text: str
    value: float | date | None = None
    currency: str = ""  # what a workbook's number format says
    covered: bool = False


EMPTY = Cell("")


@dataclass(frozen=True)
class Grid:
    """The cells of one sheet or text file; rows are numbered as the user sees them."""

    sheet: str
    rows: tuple[tuple[int, tuple[Cell, ...]], ...]


@dataclass(frozen=True)
class Source:
    """A file as grids, with what was found out about its form."""

    name: str
    kind: str  # csv | xlsx
    grids: tuple[Grid, ...]
    encoding: str = ""
    separator: str = ""


@dataclass(frozen=True)
class Amount:
    """One price of a line, as written and as read. `tax_included` None: the file does not say."""

    value: float
    currency: str  # "" where the file does not say
    tax_included: bool | None
    text: str


@dataclass(frozen=True)
class Part:
    """One component of a whole machine: card, cpu, ram, storage, psu, chassis or other; `count` None: not stated."""

    category: str
    text: str
    count: int | None
    row: int


@dataclass(frozen=True)
class Line:
    """One quoted line. `kind`: item, machine, extra (freight, software: not in the catalog). Facts of its own win over
    those of the file; None and "" are not stated."""

    row: int
    kind: str
    title: str  # model and name as written
    names: tuple[str, ...]  # what may name a catalog item, the best first
    quantity: float | None
    price: Amount | None  # of one unit
    amount: Amount | None  # of the line
    memory_gib: float | None = None
    facts: dict[str, str] = field(default_factory=dict)  # vendor, quote_number, date, valid, delivery, warranty, tax
    parts: tuple[Part, ...] = ()
    block: str = ""


@dataclass(frozen=True)
class TotalCheck:
    """A row of totals against the lines above it: what the file says, and what was read."""

    row: int
    stated: float
    read: float
    ok: bool


@dataclass(frozen=True)
class Reading:
    """A file as lines, with everything that is open. `facts` are those of the whole file, as text."""

    name: str
    kind: str
    encoding: str
    separator: str
    sheet: str
    header_rows: tuple[int, ...]
    columns: dict[str, str]  # field -> header as written
    lines: tuple[Line, ...]
    facts: dict[str, str]
    totals: tuple[TotalCheck, ...]
    questions: tuple[Question, ...]
    rejected: tuple[Said, ...]
    notes: tuple[Said, ...]
    sample: tuple[tuple[str, ...], ...]  # the first rows as read, to look at
    reduced: tuple[int, ...] = ()  # rows with words of a reduction of the whole


@dataclass(frozen=True)
class PriceChange:
    """A row for `prices.csv`. `difference` is net against net, as a share of the catalog's price; None: none known."""

    row: int
    item_id: str
    name: str
    cells: dict[str, str]
    catalog_amount: float | None  # net, in the quote's currency
    difference: float | None
    replaces: bool


@dataclass(frozen=True)
class SystemChange:
    """A row for `systems.csv`; its price is the `PriceChange` of the same id."""

    row: int
    id: str
    cells: dict[str, str]
    replaces: bool


@dataclass(frozen=True)
class Changes:
    """What an import would do. With `questions` left, nothing can be written."""

    reading: Reading
    prices: tuple[PriceChange, ...]
    systems: tuple[SystemChange, ...]
    availability: tuple[dict[str, str], ...]
    left_out: tuple[Said, ...]
    notes: tuple[Said, ...]
    questions: tuple[Question, ...]

    @property
    def ready(self) -> bool:
        """True where nothing is open and something would change."""
        return not self.questions and bool(self.prices or self.systems)
