"""The keys of a scenario as its own reader asks for them: what the input workbook has rows and columns for.

The reader is run over a document of empty tables while every question it puts is written down. A key that the reader
learns is a key of the workbook from then on.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from hwcost import scenario_io
from hwcost.records import Catalog
from hwcost.strict import ANY_AMOUNT, Limit, Table

LEFT_OUT = ("schema", "answers")  # what the workbook itself says, and what only `hwcost start` writes
MOST_PASSES = 5


@dataclass(frozen=True)
class Field:
    """One key. `path` is dotted, with [] for the entries of a list of tables; `kind` is the reader's question."""

    path: str
    kind: str  # number | text | flag | day | words | counts | numbers | by_name | any
    limit: Limit | None = None
    known: tuple[str, ...] = ()
    default: Any = None
    required: bool = False

    @property
    def array(self) -> str:
        """The list of tables that the key belongs to ("site.circuit"), or ""."""
        return self.path.rpartition("[].")[0]

    @property
    def key(self) -> str:
        """The key within its entry or, at the top, the whole dotted key."""
        return self.path.rpartition("[].")[2]


@dataclass
class Recorder(Table):
    """A table that writes down what is asked of it."""

    log: dict[str, Field] = field(default_factory=dict)
    arrays: dict[str, None] = field(default_factory=dict)

    def _note(self, key: str, kind: str, **more: Any) -> None:
        path = re.sub(r"\[\d+\]", "[]", self.dotted(key))
        before = self.log.get(path)
        if before is None or before.kind == "any":
            self.log[path] = Field(path, kind, **more)
        elif kind == "text" and before.kind == "number":
            pass  # a figure or the id of a row: the cell decides

    def has(self, key: str) -> bool:
        self._note(key, "any")
        return super().has(key)

    def number(
        self, key: str, default: float | None = None, limit: Limit = ANY_AMOUNT, required: bool = False
    ) -> float | None:
        self._note(key, "number", limit=limit, default=default, required=required)
        return super().number(key, default, limit, required)

    def text(self, key: str, default: str = "", known: Collection[str] | None = None, required: bool = False) -> str:
        self._note(key, "text", known=tuple(known or ()), default=default or None, required=required)
        return super().text(key, default, known, required)

    def flag(self, key: str, default: bool) -> bool:
        self._note(key, "flag", default=default)
        return super().flag(key, default)

    def day(self, key: str, default: date | None = None) -> date | None:
        self._note(key, "day", default=default)
        return super().day(key, default)

    def words(self, key: str, default: tuple[str, ...] = (), known: Collection[str] = ()) -> tuple[str, ...]:
        self._note(key, "words", known=tuple(known), default=default or None)
        return super().words(key, default, known)

    def counts(self, key: str, default: tuple[int, ...]) -> tuple[int, ...]:
        self._note(key, "counts", default=default)
        return super().counts(key, default)

    def numbers(self, key: str, limit: Limit = ANY_AMOUNT) -> tuple[float, ...]:
        self._note(key, "numbers", limit=limit)
        return super().numbers(key, limit)

    def by_name(self, key: str, limit: Limit, known: Collection[str]) -> dict[str, float]:
        self._note(key, "by_name", limit=limit, known=tuple(known))
        return super().by_name(key, limit, known)

    def table(self, key: str) -> Table:
        inner = super().table(key)
        path = re.sub(r"\[\d+\]", "[]", self.dotted(key))
        if path in self.log and self.log[path].kind == "any":
            del self.log[path]  # a table, no key of its own
        return Recorder(inner.data, inner.path, self.problems, self.file, log=self.log, arrays=self.arrays)

    def tables(self, key: str) -> list[Table]:
        found = super().tables(key)
        path = re.sub(r"\[\d+\]", "[]", self.dotted(key))
        if path in self.log and self.log[path].kind == "any":
            del self.log[path]
        self.arrays[path] = None
        return [Recorder(t.data, t.path, self.problems, self.file, log=self.log, arrays=self.arrays) for t in found]


def scenario_fields(catalog: Catalog) -> tuple[Field, ...]:
    """Every key of a scenario, in the reader's order; lists of tables after the keys of the top.

    A key is required where the reader asks for it even beside a row of the catalog that gives the usual figures.
    """
    bare = _asked(catalog, {})
    rows = {
        "workload": {"preset": next(iter(catalog.networks), "")},
        "service": {"rental": next(iter(catalog.rentals), "")},
    }
    helped = _asked(catalog, {name: row for name, row in rows.items() if all(row.values())})
    found = [
        replace(item, required=item.required and helped.get(path, item).required)
        for path, item in bare.items()
        if path.partition(".")[0] not in LEFT_OUT
    ]
    return (*(f for f in found if not f.array), *(f for f in found if f.array))


def _asked(catalog: Catalog, entries: Mapping[str, Mapping[str, str]]) -> dict[str, Field]:
    """What the reader asks of a document whose lists of tables have one entry each: empty, or as in `entries`."""
    document: dict[str, Any] = {"region": "CN"}
    recorder = Recorder(document, "", [], "")
    for _ in range(MOST_PASSES):
        before = set(recorder.arrays)
        scenario_io._read(recorder, catalog)
        for path in recorder.arrays:
            _put_entry(document, path, dict(entries.get(path, {})))
        if set(recorder.arrays) == before:
            break
        recorder = Recorder(document, "", [], "", arrays=recorder.arrays)
    return recorder.log


def _put_entry(document: dict[str, Any], path: str, entry: dict[str, str]) -> None:
    """One entry at a dotted path, so that the reader asks for the keys of an entry."""
    *tables, last = path.split(".")
    for name in tables:
        document = document.setdefault(name, {})
    document.setdefault(last, [entry])
