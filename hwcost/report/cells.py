"""What may stand in a cell: safe texts, finite numbers, and the width that a text takes."""

from __future__ import annotations

import math
import re
import unicodedata
from decimal import ROUND_HALF_UP, Decimal

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would read such a text as a formula when edited
FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")  # not allowed in XML, or invisible
REPLACEMENT = "\ufffd"
PIECES = re.compile(r"[\u1100-\uffdc]|[^\s\u1100-\uffdc]+|\s")  # a wide character, a word, or a space
MAX_TEXT = 32_000  # a cell holds 32,767 characters
ELLIPSIS = "…"


def clean_text(text: str) -> tuple[str, int]:
    """The text as it may be stored, and how many characters were replaced."""
    safe, count = FORBIDDEN.subn(REPLACEMENT, text)
    if len(safe) > MAX_TEXT:
        return safe[:MAX_TEXT] + ELLIPSIS, count + 1
    return safe, count


def needs_quote(text: str) -> bool:
    return text.startswith(FORMULA_STARTS)


def finite(value: float) -> float:
    """The number, or `ValueError`: a figure that is not a number must never reach a reader. -0 becomes 0."""
    if isinstance(value, bool) or not math.isfinite(value):
        raise ValueError(f"a cell of the workbook would hold {value!r}")
    return value if value != 0 else 0.0


def text_width(text: str) -> int:
    """Columns that the longest line takes: two for a wide character."""
    return max((_line_width(line) for line in text.split("\n")), default=0)


def _line_width(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WFA" else 1 for c in line)


def line_count(text: str, width: float) -> int:
    """Lines of a wrapped text in a cell `width` columns wide: wide characters break anywhere, words stay whole."""
    return sum(_wrapped_lines(line, max(1.0, width)) for line in text.split("\n"))


def _wrapped_lines(line: str, width: float) -> int:
    lines, used = 1, 0.0
    for piece in PIECES.findall(line):
        size = _line_width(piece)
        if used + size <= width:
            used += size
            continue
        whole = math.ceil(size / width) if size > width else 1
        lines += whole if used else whole - 1
        used = size - (whole - 1) * width
    return lines


def sheet_round(value: float, digits: int) -> float:
    """ROUND as spreadsheets do it: half away from zero, on the 15 digits that they show."""
    return float(Decimal(f"{value:.15g}").quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP))
