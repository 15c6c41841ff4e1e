"""All words that a user reads, in zh and en, by key. Each area has one module with a `TEXTS` table.

`TEXTS = {"key": {"en": "...", "zh": "..."}}`; placeholders are `str.format` fields and are the same in both languages.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import Any

LANGUAGES = ("zh", "en")


@cache
def texts() -> dict[str, dict[str, str]]:
    """Every message of every area; a key that two areas define is a defect."""
    merged: dict[str, dict[str, str]] = {}
    for info in pkgutil.iter_modules(__path__):
        area = importlib.import_module(f"{__name__}.{info.name}")
        for key, entry in area.TEXTS.items():
            if key in merged:
                raise KeyError(f"message {key} is defined twice")
            merged[key] = entry
    return merged


def say(key: str, lang: str, **values: Any) -> str:
    """The sentence for `key` in `lang`, with its placeholders filled."""
    return texts()[key][lang].format(**values)
