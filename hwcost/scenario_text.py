"""A scenario document as TOML text, with a comment above each figure that somebody answered for.

    tomllib.loads(scenario_text(document)) == document

so that the text loads back to the same scenario, with the same sha256. Floats are written with all their digits.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
ESCAPES = {"\\": "\\\\", '"': '\\"', "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}

Comments = Mapping[str, Sequence[str]]


def scenario_text(document: Mapping[str, Any], comments: Comments | None = None, head: Sequence[str] = ()) -> str:
    """The document as TOML. `comments` are lines by dotted key ("workload[1].batch"), `head` those at the top.

    A key of `comments` that the document lacks is a defect of the caller: `KeyError`. A value that TOML cannot hold
    (None, NaN, infinity) is `TypeError` or `ValueError`.
    """
    writer = _Writer(dict(comments or {}))
    lines = [*_comment(head), *([""] if head else []), *writer.table(document, "", "")]
    if writer.comments:
        raise KeyError(f"comments on keys that are not there: {', '.join(sorted(writer.comments))}")
    return "\n".join(lines) + "\n"


def value_text(value: Any) -> str:
    """One value on one line; a table becomes an inline table."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} has no place in a scenario")
        return repr(value)
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_key(key)} = {value_text(item)}" for key, item in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, Sequence):
        return f"[{', '.join(value_text(item) for item in value)}]"
    raise TypeError(f"{type(value).__name__} has no place in a scenario")


def _string(text: str) -> str:
    escaped = "".join(ESCAPES.get(c, f"\\u{ord(c):04x}" if ord(c) < 32 or ord(c) == 127 else c) for c in text)
    return f'"{escaped}"'


def _key(name: str) -> str:
    return name if BARE_KEY.fullmatch(name) else _string(name)


def _comment(lines: Sequence[str]) -> list[str]:
    return [f"# {line}".rstrip() for text in lines for line in (text.splitlines() or [""])]


def _is_array_of_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, Mapping) for item in value)


class _Writer:
    """Writes tables in the order of the document: plain values first, as TOML asks, then tables of their own."""

    def __init__(self, comments: dict[str, Sequence[str]]) -> None:
        self.comments = comments

    def table(self, data: Mapping[str, Any], header: str, place: str) -> list[str]:
        """The lines of one table. `header` is its name in brackets, `place` its dotted key with indices."""
        lines: list[str] = []
        nested: list[str] = []
        for key, value in data.items():
            here = f"{place}.{key}" if place else key
            name = f"{header}.{_key(key)}" if header else _key(key)
            note = _comment(self.comments.pop(here, ()))
            inline = "[" in place and isinstance(value, Mapping) and not _deep(value)
            if _is_array_of_tables(value):
                for n, item in enumerate(value, 1):
                    nested += ["", *(note if n == 1 else []), f"[[{name}]]", *self.table(item, name, f"{here}[{n}]")]
            elif isinstance(value, Mapping) and not inline:
                nested += ["", *note, f"[{name}]", *self.table(value, name, here)]
            else:
                lines += [*note, f"{_key(key)} = {value_text(value)}"]
        return lines + nested


def _deep(value: Mapping[str, Any]) -> bool:
    return any(isinstance(item, Mapping) or _is_array_of_tables(item) for item in value.values())
