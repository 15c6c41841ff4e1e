"""The log of decisions as a table and as a file: who changed what, and what it cost."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from hwcost.messages import say, texts
from hwcost.quantities import UNKNOWN, money_exact, money_text
from hwcost.records import Catalog
from hwcost.web import documents
from hwcost.web.changes import value_text
from hwcost.web.documents import Document
from hwcost.web.lazy import pd
from hwcost.web.words import plain, word

LIVE = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would run a text that begins so
NAMES = ("time", "who", "what", "purchase", "cost", "difference")


def rows(
    entries: Sequence[Mapping[str, Any]], document: Document, currency: str, lang: str, catalog: Catalog | None = None,
    exact: bool = False,
) -> list[list[str]]:  # fmt: skip
    """One row for each decision, the first one first; `exact`: money to the cent."""
    money = money_exact if exact else money_text
    found = []
    for entry in entries:
        before, after = entry.get("before") or {}, entry.get("after") or {}
        total, old = after.get("total"), before.get("total")
        more = None if total is None or old is None else total - old
        sign = "+" if more and more > 0 else ""
        found.append([
            _time(str(entry.get("time", ""))), str(entry.get("who") or UNKNOWN),
            what(entry, document, currency, lang, catalog),
            money(after.get("purchase"), currency, lang), money(total, currency, lang),
            sign + money(more, currency, lang),
        ])  # fmt: skip
    return found


def what(
    entry: Mapping[str, Any], document: Document, currency: str, lang: str, catalog: Catalog | None = None
) -> str:  # fmt: skip
    """The changes of one decision in words, with how they came about."""
    note = f"web.log_note.{entry.get('note')}"
    parts = [
        word("report.change", lang, name=documents.label(str(c["key"]), document, lang),
             before=value_text(str(c["key"]), c["from"], currency, lang, catalog),
             after=value_text(str(c["key"]), c["to"], currency, lang, catalog))
        for c in entry.get("changes", [])
    ]  # fmt: skip
    told = ("；" if lang == "zh" else "; ").join(parts)
    if note not in texts():
        return told
    return say("web.input_at", lang, label=say(note, lang), problem=told) if told else say(note, lang)


def _time(text: str) -> str:
    try:
        return f"{datetime.fromisoformat(text).astimezone():%Y-%m-%d %H:%M}"
    except ValueError:
        return text


def table(
    entries: Sequence[Mapping[str, Any]], document: Document, currency: str, lang: str, catalog: Catalog | None = None
) -> pd.DataFrame:  # fmt: skip
    """The latest decision first."""
    titles = [word(f"report.{name}", lang) for name in NAMES]
    cells = [[plain(cell) for cell in row] for row in reversed(rows(entries, document, currency, lang, catalog))]
    return pd.DataFrame(cells, columns=titles).set_index(titles[0])


def csv_bytes(
    entries: Sequence[Mapping[str, Any]], document: Document, currency: str, lang: str, catalog: Catalog | None = None
) -> bytes:  # fmt: skip
    """The log for a spreadsheet: UTF-8 with its mark, texts that would run made harmless."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow([word(f"report.{name}", lang) for name in NAMES])
    for row in rows(entries, document, currency, lang, catalog, exact=True):
        writer.writerow([*(_safe(cell) for cell in row[:3]), *row[3:]])
    return out.getvalue().encode("utf-8-sig")


def _safe(text: str) -> str:
    return f"'{text}" if text.startswith(LIVE) else text
