"""Where a row of the catalog came from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True)
class Origin:
    """Where a row came from: file and row (header = 1), layer (bundled | user | scenario), and its source."""

    file: str
    row: int
    layer: str
    source: str
    as_of: date | None
    kind: str
