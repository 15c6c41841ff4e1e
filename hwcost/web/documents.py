"""Scenario documents (parsed TOML) as the app edits them: one figure by its dotted key, and what differs between two.

Keys are those of the file, lists counted from 1: "budget.amount", "workload[2].people_at_once".
"""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hwcost.messages import say, texts

Document = dict[str, Any]
_PART = re.compile(r"([^.\[\]]+)|\[(\d+)\]")
UNSEEN = ("answers", "schema", "id")  # of no figure of the plan


@dataclass(frozen=True)
class Change:
    """One figure that differs; None is "not stated"."""

    key: str
    before: Any
    after: Any


def steps(key: str) -> list[str | int]:
    """ "workload[2].batch" -> ["workload", 1, "batch"]."""
    return [m[1] if m[1] is not None else int(m[2]) - 1 for m in _PART.finditer(key)]


def get(document: Mapping[str, Any], key: str, default: Any = None) -> Any:
    """The value at `key`, or `default`."""
    found: Any = document
    for step in steps(key):
        try:
            found = found[step]
        except (KeyError, IndexError, TypeError):
            return default
    return found


def put(document: Document, changes: Mapping[str, Any]) -> Document:
    """A copy with these figures; None takes one away, and with it a table that holds nothing else."""
    changed = copy.deepcopy(document)
    for key, value in changes.items():
        *way, last = steps(key)
        target: Any = changed
        for step in way:
            if isinstance(step, str) and step not in target:
                target[step] = {}
            target = target[step]
        if value is not None:
            target[last] = copy.deepcopy(value)
        elif isinstance(target, list) and isinstance(last, int):
            del target[last]
        else:
            target.pop(last, None)
    return {key: value for key, value in changed.items() if value not in ({}, [])}


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Change]:
    """The figures that differ, in the order of the files."""
    old, new = _flat(before), _flat(after)
    keys = [*old, *(key for key in new if key not in old)]
    return [Change(key, old.get(key), new.get(key)) for key in keys if old.get(key) != new.get(key)]


def _flat(value: Any, key: str = "") -> dict[str, Any]:
    if isinstance(value, Mapping):
        rows: dict[str, Any] = {}
        for name, item in value.items():
            if key or name not in UNSEEN:
                rows |= _flat(item, f"{key}.{name}" if key else str(name))
        return rows
    if isinstance(value, list) and value and all(isinstance(item, Mapping) for item in value):
        rows = {}
        for item in value:  # by id, so that one that is gone does not change the others
            rows |= _flat(item, f"{key}[{item.get('id', value.index(item) + 1)}]")
        return rows
    return {key: value}


def label(key: str, document: Mapping[str, Any], lang: str) -> str:
    """What a figure is called: "Equipment budget", "U-Net segmentation: People at once"; the key where it has no name.

    The key is one of `differences`, its lists by id.
    """
    found = re.fullmatch(r"(\w+)\[(.+?)\]\.(.+)", key)
    if found:
        name = _named(document, found[1], found[2], lang)
        return say("web.input_at", lang, label=name, problem=_word(f"{found[1]}.{found[3]}", lang))
    return _word(key, lang)


def _word(key: str, lang: str) -> str:
    name = f"web.key.{key}"
    return say(name, lang) if name in texts() else key


def _named(document: Mapping[str, Any], table: str, identity: str, lang: str) -> str:
    rows = document.get(table, [])
    row = next((r for r in rows if isinstance(r, Mapping) and str(r.get("id")) == identity), {})
    return str(row.get(f"name_{lang}") or row.get("name_en") or row.get("name") or identity)
