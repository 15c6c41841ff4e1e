"""The prices that count, as rows of a table, and edited cells as rows of the session's own price table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from hwcost.catalog_specs import amount_cell
from hwcost.errors import Problem
from hwcost.intake.store import write_rows
from hwcost.names import card_name
from hwcost.pricing import choose_price, is_stale, quote_max_age
from hwcost.quantities import QuantityError, parse_date
from hwcost.records import Availability, Catalog, Price
from hwcost.scenario import Scenario
from hwcost.web.store import Store

ROLES = ("card", "host", "psu", "storage", "system", "upgrade")
FILE, SUPPLY = "prices.csv", "availability.csv"


@dataclass(frozen=True)
class PriceRow:
    """One item with the price that counts for the scenario (None: none) and the word on its supply."""

    item_id: str
    name: str
    price: Price | None
    stale: bool
    age_days: int | None
    supply: Availability | None


def rows(catalog: Catalog, scenario: Scenario, role: str, lang: str) -> list[PriceRow]:
    """All items of one role, by name."""
    tables: Mapping[str, Mapping[str, Any]] = {
        "card": catalog.cards, "host": catalog.chassis, "psu": catalog.psus, "storage": catalog.storage,
        "system": catalog.systems, "upgrade": getattr(catalog, "upgrades", {}),
    }  # fmt: skip
    most = quote_max_age(catalog, scenario.procurement)
    found = []
    for item in tables[role].values():
        price = choose_price(catalog, item.id, scenario.region, scenario.as_of, most)
        name = (
            card_name(item) if role == "card" else (getattr(item, "name_zh", "") if lang == "zh" else "") or item.name
        )
        age = (scenario.as_of - price.as_of).days if price else None
        stale = price is not None and is_stale(price, scenario.as_of, most)
        found.append(PriceRow(item.id, name, price, stale, age, supply_of(catalog, item.id, scenario.region)))
    return sorted(found, key=lambda row: (row.name, row.item_id))


def supply_of(catalog: Catalog, item_id: str, region: str) -> Availability | None:
    """The newest word on supply in the region."""
    known = [a for a in catalog.availability if a.item_id == item_id and a.region == region]
    return max(known, key=lambda a: a.as_of, default=None)


# --- cells ---


def money_cell(text: str) -> tuple[float, str] | None:
    """An amount with the currency that stands beside it ("" without one); None for an empty cell.

    Raises `QuantityError`: 0 and what can be read in two ways are no prices.
    """
    money = amount_cell(text)
    return None if money is None else (money.amount, money.currency)


def day_cell(text: str) -> date | None:
    return parse_date(text)


def figure(price: Price | None) -> str:
    """An amount as it could be typed again: it has no separators, so that it reads in one way only."""
    return "" if price is None else f"{price.amount:.2f}".rstrip("0").rstrip(".")


def price_cells(row: PriceRow, edited: Mapping[str, Any], scenario: Scenario, source: str) -> dict[str, str] | None:
    """The row for `prices.csv` that these edits ask for; None where they take nothing over.

    What is not edited stays as it is; a new amount is of the scenario's day unless a day was typed. Raises
    `QuantityError` where there is an amount and no currency for it.
    """
    old = row.price
    amount, currency = edited.get("amount") or (old.amount if old else None, "")
    if amount is None:
        return None
    stated = currency or edited.get("currency") or (old.currency if old else scenario.currency)
    if currency and edited.get("currency") and currency != edited["currency"]:
        raise QuantityError("currency_conflict", found=", ".join(sorted((currency, edited["currency"]))))
    new_amount = "amount" in edited
    day = edited.get("as_of") or (scenario.as_of if new_amount or old is None else old.as_of)
    until = edited.get("valid_until", None if new_amount or old is None else old.valid_until)
    tax = edited.get("tax", old.tax_included if old else scenario.budget_tax_included)
    return {
        "item_id": row.item_id, "amount": f"{amount:.10g}", "currency": stated, "tax_included": "yes" if tax else "no",
        "price_kind": edited.get("kind") or (old.price_kind if old and not new_amount else "street"),
        "vendor": edited.get("vendor", old.vendor if old and not new_amount else ""), "region": scenario.region,
        "as_of": day.isoformat(), "valid_until": until.isoformat() if until else "",
        "source": edited.get("source") or (old.source if old and not new_amount else source),
    }  # fmt: skip


def supply_cells(row: PriceRow, status: str, scenario: Scenario, source: str) -> dict[str, str]:
    """The row for `availability.csv`."""
    return {"item_id": row.item_id, "region": scenario.region, "status": status, "as_of": scenario.as_of.isoformat(),
            "source": source, "note": "", "kind": ""}  # fmt: skip


def keep(store: Store, prices: list[dict[str, str]], supply: list[dict[str, str]]) -> None:
    """Writes the rows to the session's own tables. Raises `InputError` where they would not load."""
    held = {FILE: prices, SUPPLY: supply}
    wanted = {file: found for file, found in held.items() if found}
    if wanted:
        write_rows(wanted, store.catalog_dir)


def fault(row: str, error: QuantityError, text: str = "") -> Problem:
    return Problem(error.code, file=row, value=text, values=error.values)
