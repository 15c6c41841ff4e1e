"""Aligned tables for the terminal: East Asian characters count two columns."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

GAP = "  "


def width(text: str) -> int:
    """Columns that a terminal gives to `text`."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 0 if unicodedata.combining(c) else 1 for c in text)


def pad(text: str, columns: int, right: bool = False) -> str:
    """`text` filled with spaces to `columns`."""
    room = " " * max(0, columns - width(text))
    return room + text if right else text + room


def table(titles: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> list[str]:
    """Lines of a table with its titles; the columns in `right` are flush right. Empty without rows."""
    if not rows:
        return []
    cells = [list(titles), *[list(row) for row in rows]]
    widths = [max(width(row[i]) for row in cells) for i in range(len(titles))]
    lines = [GAP.join(pad(c, widths[i], i in right) for i, c in enumerate(row)).rstrip() for row in cells]
    rule = GAP.join("-" * w for w in widths)
    return [lines[0], rule, *lines[1:]]
