"""Makers of vendors' files for tests."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import openpyxl

from hwcost.catalog import load_catalog
from hwcost.intake import Changes, plan_changes, read_quote
from hwcost.records import Catalog

QUOTE = {"vendor": "Dealer", "date": "2026-11-20", "region": "CN"}  # what a file may leave out in tests of other things


@cache
def catalog() -> Catalog:
    return load_catalog()


def workbook(rows: Sequence[Sequence[Any]], merged: Sequence[str] = (), title: str = "Quote") -> bytes:
    """The bytes of an xlsx with these rows from A1."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = title
    for row in rows:
        sheet.append(list(row))
    for place in merged:
        sheet.merge_cells(place)
    return saved(book)


def saved(book: openpyxl.Workbook) -> bytes:
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def planned(data: bytes | str, answers: Mapping[str, str] | None = None, name: str = "quote.csv") -> Changes:
    """The changes of a file, with the usual facts unless `answers` say otherwise."""
    given = {**QUOTE, **(answers or {})}
    raw = data.encode() if isinstance(data, str) else data
    return plan_changes(read_quote(raw, name, given), given, catalog())


def amounts(changes: Changes) -> dict[str, tuple[float, str]]:
    """Amount and currency by item."""
    return {p.item_id: (float(p.cells["amount"]), p.cells["currency"]) for p in changes.prices}


def open_ids(changes: Changes) -> list[str]:
    return [question.id for question in changes.questions]
