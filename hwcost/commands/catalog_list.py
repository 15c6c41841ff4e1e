"""`hwcost catalog list [cards|prices|...] [--region R]`: what the catalog holds, and from which layer."""

from __future__ import annotations

import argparse
import dataclasses
from datetime import date
from typing import Any

from hwcost.catalog_specs import ANY_REGION, SPECS, TableSpec
from hwcost.commands.session import Session
from hwcost.commands.table import table
from hwcost.errors import InputError, Problem
from hwcost.problems import nearest_match
from hwcost.quantities import UNKNOWN, money_exact
from hwcost.records import REGIONS, Catalog

SCHEMA = "hwcost.catalog/1"
NAMES = {spec.file.removesuffix(".csv"): spec for spec in SPECS}


def run(args: argparse.Namespace, session: Session, catalog: Catalog) -> int:
    """One table, or without its name how many rows each has."""
    if not args.what:
        session.show([session.say("intake.catalog_rows", file=spec.file, count=len(_records(spec, catalog)))
                      for spec in SPECS])  # fmt: skip
        session.write_json({"schema": SCHEMA, "tables": {s.file: len(_records(s, catalog)) for s in SPECS}})
        return 0
    spec = NAMES.get(args.what.removesuffix(".csv"))
    if spec is None:
        values = {"expected": ", ".join(NAMES), "nearest": nearest_match(args.what, NAMES)}
        raise InputError([Problem("catalog_table_unknown", file="catalog list", value=args.what, values=values)])
    rows = [row for row in _records(spec, catalog) if _serves(row, args.region)]
    if spec.file == "cards.csv":
        titles, cells = _cards(rows, catalog, args.region, session)
    elif spec.file == "prices.csv":
        titles, cells = _prices(rows, session)
    else:
        titles, cells = _plain(rows)
    session.show([session.say("intake.catalog_rows", file=spec.file, count=len(rows)), *table(titles, cells)])
    session.write_json({"schema": SCHEMA, "table": spec.file, "rows": [_as_data(row) for row in rows]})
    return 0


def _records(spec: TableSpec, catalog: Catalog) -> list[Any]:
    held = getattr(catalog, spec.attribute)
    return list(held.values()) if isinstance(held, dict) else list(held)


def _serves(row: Any, region: str | None) -> bool:
    """Whether a row counts in a region; a row without one counts everywhere."""
    own = getattr(row, "region", "")
    return region is None or own in ("", region, *ANY_REGION)


def _cards(
    rows: list[Any], catalog: Catalog, region: str | None, session: Session
) -> tuple[list[str], list[list[str]]]:
    """Cards with their memory and whether each region's dealers have them."""
    regions = (region,) if region else REGIONS
    titles = [session.say(f"intake.column.{name}") for name in ("id", "name", "memory")] + [*regions]
    newest: dict[tuple[str, str], Any] = {}
    for row in sorted(catalog.availability, key=lambda a: a.as_of):
        newest[row.item_id, row.region] = row.status

    def status(card: str, where: str) -> str:
        return session.say(f"rulecode.status.{newest.get((card, where), 'to_check')}")

    cells = [[c.id, c.name, f"{c.memory_gib:g} GiB", *(status(c.id, where) for where in regions)] for c in rows]
    return titles, cells


def _prices(rows: list[Any], session: Session) -> tuple[list[str], list[list[str]]]:
    names = ("item", "amount", "tax", "kind", "vendor", "region", "as_of", "valid", "layer")
    cells = [
        [p.item_id, money_exact(p.amount, p.currency, session.lang),
         session.say("intake.incl" if p.tax_included else "intake.excl"), session.say(f"pricekind.{p.price_kind}"),
         p.vendor or UNKNOWN, p.region or UNKNOWN, p.as_of.isoformat(),
         p.valid_until.isoformat() if p.valid_until else UNKNOWN, p.origin.layer]
        for p in rows
    ]  # fmt: skip
    return [session.say(f"intake.column.{name}") for name in names], cells


def _plain(rows: list[Any]) -> tuple[list[str], list[list[str]]]:
    """Any other table: its columns as they are named in the file."""
    if not rows:
        return [], []
    names = [item.name for item in dataclasses.fields(rows[0]) if item.name not in ("origin", "notes", "aliases")][:9]
    return [*names, "layer"], [[_text(getattr(row, name)) for name in names] + [row.origin.layer] for row in rows]


def _text(value: Any) -> str:
    if value is None or value == "":
        return UNKNOWN
    return f"{value:g}" if isinstance(value, float) else str(value)


def _as_data(row: Any) -> dict[str, Any]:
    fields = dataclasses.asdict(row)
    return {name: value.isoformat() if isinstance(value, date) else value for name, value in fields.items()
            if name != "origin"} | {"source": row.origin.source, "layer": row.origin.layer}  # fmt: skip
