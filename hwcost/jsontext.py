"""JSON as the program writes it: UTF-8 characters, keys in the order given, never NaN or infinity."""

from __future__ import annotations

import json
from datetime import date
from typing import Any


def to_json(record: dict[str, Any]) -> str:
    """JSON text with a final line feed; days as 2026-11-30. Raises `ValueError` on NaN or infinity."""
    return json.dumps(record, ensure_ascii=False, indent=2, allow_nan=False, default=_plain) + "\n"


def _plain(value: Any) -> Any:
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} has no place in the record")
