"""The bundled tables as plain rows, read with the csv module alone: a fault of the loader hides none of the data."""

import csv
from pathlib import Path

CATALOG = Path(__file__).resolve().parent.parent / "catalog"
Row = dict[str, str]


def read(table: str) -> list[Row]:
    with (CATALOG / f"{table}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def by_id(table: str) -> dict[str, Row]:
    return {row["id"]: row for row in read(table)}


def number(row: Row, column: str) -> float | None:
    return float(row[column]) if row[column] else None
