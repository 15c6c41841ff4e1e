"""Strict reading of a parsed TOML document: every fault is noted with its dotted key, none stops the reading.

A `Table` remembers which keys were asked for, so that `finish` can name the keys nobody knows, each with the nearest
known one. A getter that meets a fault notes it and answers the default, so that the rest of the file is read as well.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from hwcost.errors import Problem
from hwcost.problems import nearest_match

MOST_LISTED = 12
LARGEST = 1e15  # no figure of a purchase is larger; also keeps whole numbers exact as floats


@dataclass(frozen=True)
class Limit:
    """The physical range of a figure. An open end excludes the bound itself; `whole` asks for a whole number."""

    low: float = 0.0
    high: float = LARGEST
    low_open: bool = False
    high_open: bool = False
    whole: bool = False

    def holds(self, value: float) -> bool:
        """True where `value` lies in the range (NaN and infinity never do)."""
        above = value > self.low if self.low_open else value >= self.low
        below = value < self.high if self.high_open else value <= self.high
        return above and below and not (self.whole and value != int(value))

    def __str__(self) -> str:
        low = f"{self.low:g} {'<' if self.low_open else '<='} x"
        return low if self.high == LARGEST else f"{low} {'<' if self.high_open else '<='} {self.high:g}"


ANY_AMOUNT = Limit()
ABOVE_ZERO = Limit(low_open=True)
SHARE = Limit(high=1.0)
SHARE_BELOW_ONE = Limit(high=1.0, high_open=True)
WHOLE = Limit(whole=True)
COUNT = Limit(low=1, whole=True)


def shown(value: Any) -> str:
    """A value as the user wrote it, at most 60 characters."""
    if isinstance(value, str):
        text = f'"{value}"'
    elif isinstance(value, bool):
        text = str(value).lower()
    elif isinstance(value, Mapping):
        text = "{" + ", ".join(str(key) for key in value) + "}"
    else:
        text = str(value)
    return text if len(text) <= 60 else text[:57] + "..."


def number_fault(value: Any, limit: Limit) -> tuple[str, dict[str, Any]] | None:
    """The code and amounts of what is wrong with a number, or None."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return "scenario_not_number", {}
    if isinstance(value, float) and not math.isfinite(value):
        return "scenario_not_finite", {}
    if limit.holds(value):
        return None
    if limit.whole and value != int(value):
        return "scenario_not_whole", {}
    most = f" <= {LARGEST:g}" if limit.high == LARGEST and value > LARGEST else ""  # said only where it matters
    return "scenario_out_of_range", {"expected": f"{limit}{most}"}


def word_fault(value: Any, known: Collection[str]) -> tuple[str, dict[str, Any]] | None:
    """The code and amounts of what is wrong with a word that must be one of `known`, or None."""
    if not isinstance(value, str):
        return "scenario_not_text", {}
    if value in known:
        return None
    return "scenario_unknown_word", nearest_values(value, known)


def nearest_values(word: str, known: Iterable[str]) -> dict[str, Any]:
    """What a message on an unknown word needs: the words that were expected (at most 12) and the nearest of them."""
    words = sorted(known)
    listed = words if len(words) <= MOST_LISTED else difflib.get_close_matches(word, words, MOST_LISTED // 2, 0.0)
    expected = ", ".join(listed) + (f" (+{len(words) - len(listed)})" if len(listed) < len(words) else "")
    near = nearest_match(word, words)
    return {"expected": expected or "-"} | ({"nearest": near} if near else {})


@dataclass
class Table:
    """One table of the document. `path` is its dotted key ("" for the top), `problems` is shared by all tables."""

    data: Mapping[str, Any]
    path: str
    problems: list[Problem]
    file: str
    asked: dict[str, None] = field(default_factory=dict)

    def dotted(self, key: str) -> str:
        return f"{self.path}.{key}" if self.path else key

    def note(self, code: str, key: str, value: Any = None, **values: Any) -> None:
        """Notes one fault at `key`."""
        given = "" if value is None else shown(value)
        self.problems.append(Problem(code, file=self.file, column=self.dotted(key), value=given, values=values))

    def has(self, key: str) -> bool:
        """True where the key is stated; asking makes the key a known one."""
        self.asked[key] = None
        return key in self.data

    def number(
        self, key: str, default: float | None = None, limit: Limit = ANY_AMOUNT, required: bool = False
    ) -> float | None:
        """A finite number within `limit`, as float, so that 5 and 5.0 are the same scenario."""
        if not self.has(key):
            if required:
                self.note("scenario_missing_key", key)
            return default
        value = self.data[key]
        fault = number_fault(value, limit)
        if fault:
            self.note(fault[0], key, value, **fault[1])
            return default
        return float(value)

    def text(self, key: str, default: str = "", known: Collection[str] | None = None, required: bool = False) -> str:
        """A text; where `known` is given, one of them."""
        if not self.has(key):
            if required:
                self.note("scenario_missing_key", key)
            return default
        value = self.data[key]
        if required and isinstance(value, str) and not value.strip():  # a name of nothing, which several could bear
            self.note("scenario_missing_key", key, value)
            return default
        fault = (
            word_fault(value, known)
            if known is not None
            else (None if isinstance(value, str) else ("scenario_not_text", {}))
        )
        if fault:
            self.note(fault[0], key, value, **fault[1])
            return default
        return str(value)

    def flag(self, key: str, default: bool) -> bool:
        """true or false."""
        if not self.has(key):
            return default
        value = self.data[key]
        if isinstance(value, bool):
            return value
        self.note("scenario_not_flag", key, value)
        return default

    def day(self, key: str, default: date | None = None) -> date | None:
        """A calendar day."""
        if not self.has(key):
            return default
        value = self.data[key]
        if isinstance(value, date) and not isinstance(value, datetime):
            return value
        self.note("scenario_not_date", key, value)
        return default

    def words(self, key: str, default: tuple[str, ...] = (), known: Collection[str] = ()) -> tuple[str, ...]:
        """A list of texts, each one of `known`; order kept, repeats dropped."""
        if not self.has(key):
            return default
        value = self.data[key]
        if not isinstance(value, list):
            self.note("scenario_not_list", key, value)
            return default
        for item in value:
            fault = word_fault(item, known)
            if fault:
                self.note(fault[0], key, item, **fault[1])
        return tuple(dict.fromkeys(item for item in value if isinstance(item, str) and item in known))

    def counts(self, key: str, default: tuple[int, ...]) -> tuple[int, ...]:
        """A list of whole numbers from 1 up, sorted, without repeats; not empty."""
        if not self.has(key):
            return default
        value = self.data[key]
        if not isinstance(value, list) or not value:
            self.note("scenario_not_list", key, value)
            return default
        faults = [(item, fault) for item in value if (fault := number_fault(item, COUNT))]
        for item, fault in faults:
            self.note(fault[0], key, item, **fault[1])
        return default if faults else tuple(sorted({int(item) for item in value}))

    def numbers(self, key: str, limit: Limit = ANY_AMOUNT) -> tuple[float, ...]:
        """A list of numbers within `limit`, order kept; an absent one is empty. An empty list is a fault."""
        if not self.has(key):
            return ()
        value = self.data[key]
        if not isinstance(value, list) or not value:
            self.note("scenario_not_list", key, value)
            return ()
        faults = [(item, fault) for item in value if (fault := number_fault(item, limit))]
        for item, fault in faults:
            self.note(fault[0], key, item, **fault[1])
        return () if faults else tuple(float(item) for item in value)

    def by_name(self, key: str, limit: Limit, known: Collection[str]) -> dict[str, float]:
        """The table at `key` as a number for each of `known` that it names, sorted by name."""
        table = self.table(key)
        read = {name: table.number(name, None, limit) for name in sorted(known) if name in table.data}
        table.asked = dict.fromkeys(known)
        table.finish()
        return {name: value for name, value in read.items() if value is not None}

    def table(self, key: str) -> Table:
        """The table at `key`; an absent one reads as empty."""
        value = self.data[key] if self.has(key) else {}
        if not isinstance(value, Mapping):
            self.note("scenario_not_table", key, value, table=self.dotted(key))
            value = {}
        return Table(value, self.dotted(key), self.problems, self.file)

    def tables(self, key: str) -> list[Table]:
        """The tables of `[[key]]`, named key[1], key[2], ... in problems."""
        value = self.data[key] if self.has(key) else []
        if not isinstance(value, list) or not all(isinstance(item, Mapping) for item in value):
            self.note("scenario_not_tables", key, value, table=self.dotted(key))
            return []
        return [Table(item, f"{self.dotted(key)}[{n}]", self.problems, self.file) for n, item in enumerate(value, 1)]

    def finish(self) -> None:
        """Notes every key that nothing asked for, with the nearest known key."""
        for key in self.data:
            if key in self.asked:
                continue
            self.note("scenario_unknown_key", key, self.data[key], **nearest_values(key, self.asked))
