"""Funds and hired card-hours as rows of tables, and edited cells as tables of the scenario's document.

Columns are named after the keys of the document. An emptied cell takes the key away, so that its default holds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from hwcost.quantities import QuantityError, parse_date, parse_money, parse_number
from hwcost.records import Catalog
from hwcost.scenario import FUND_USES, SERVICE_KINDS, Fund, Scenario, Service
from hwcost.web.documents import Document, get
from hwcost.web.grid import Column, Edits
from hwcost.web.words import word

FUND, SERVICE = "fund", "service"
PARTS = re.compile(r"[;；+\n]|,\s|，")  # between the amounts of several years; "1,599" is one amount


def figure(value: Any) -> str:
    """A figure, a list of them or a day, as it could be typed again."""
    if isinstance(value, tuple | list):
        return "; ".join(figure(x) for x in value)
    return f"{value:.10g}" if isinstance(value, int | float) else str(value)


def money(currency: str) -> Any:
    """The parser of a cell of money in the scenario's currency; another one beside the amount is refused."""

    def read(text: str) -> float | None:
        found = parse_money(text, currency)
        if found is not None and found.currency not in ("", currency):
            raise QuantityError("currency_conflict", found=", ".join(sorted((found.currency, currency))))
        return None if found is None else found.amount

    return read


def several(currency: str) -> Any:
    """The parser of amounts by year: "15万; 10万"."""
    one = money(currency)

    def read(text: str) -> list[float] | None:
        found = [one(part) for part in PARTS.split(text) if part.strip()]
        return [0.0 if x is None else x for x in found] or None

    return read


def whole(text: str) -> int | None:
    value = parse_number(text)
    if value is not None and value != int(value):
        raise QuantityError("not_whole")
    return None if value is None else int(value)


def year(text: str) -> int | None:
    """A year of the plan, counted from 1 on the page and from 0 in the document."""
    value = whole(text)
    return None if value is None else value - 1


def from_one(value: int) -> str:
    return str(value + 1)


def fund_columns(scenario: Scenario, lang: str) -> list[Column]:
    def text(key: str, parse: Any, show: Any = figure, needed: bool = False, width: str = "") -> Column:
        return Column(key, word(f"money.fund.{key}", lang), "text", parse, show, needed=needed, width=width)

    def flag(key: str) -> Column:
        return Column(key, word(f"money.fund.{key}", lang), "flag")

    return [
        text("name", str.strip, str, True, "medium"), text("amount", money(scenario.currency)),
        *(flag(use) for use in FUND_USES), text("spend_by", parse_date), text("per_year", several(scenario.currency)),
        text("from_year", year, from_one), text("to_year", year, from_one),
        flag("carry_over"), flag("tax_included"), text("overhead_rate", parse_number), flag("depreciation_only"),
    ]  # fmt: skip


def fund_values(funds: Sequence[Fund], lang: str) -> dict[str, dict[str, Any]]:
    rows = {}
    for f in funds:
        rows[f.id] = {
            "name": f.name_zh if lang == "zh" else f.name, "amount": f.amount, "per_year": f.per_year or None,
            "from_year": f.from_year, "to_year": f.to_year, "spend_by": f.spend_by, "carry_over": f.carry_over,
            "tax_included": f.tax_included, "overhead_rate": f.overhead_rate,
            "depreciation_only": f.depreciation_only, **{use: use in f.pays for use in FUND_USES},
        }  # fmt: skip
    return rows


def service_columns(scenario: Scenario, catalog: Catalog, lang: str) -> list[Column]:
    def text(key: str, parse: Any, show: Any = figure, needed: bool = False, width: str = "") -> Column:
        return Column(key, word(f"money.service.{key}", lang), "text", parse, show, needed=needed, width=width)

    kinds = tuple(word(f"money.kind.{kind}", lang) for kind in SERVICE_KINDS)
    cards = tuple(sorted(catalog.cards))
    return [
        text("name", str.strip, str, True, "medium"),
        Column("kind", word("money.service.kind", lang), "choice", choices=kinds),
        Column("card", word("money.service.card", lang), "choice", choices=cards, needed=True),
        text("price_per_card_hour", money(scenario.currency), needed=True), text("wait_hours", parse_number),
        text("cards_per_job", whole), text("cards_at_once", whole), text("quota_card_hours_per_year", parse_number),
        text("minimum_card_hours_per_year", parse_number), text("fixed_cost_per_year", money(scenario.currency)),
        Column("interactive", word("money.service.interactive", lang), "flag"),
    ]  # fmt: skip


def service_values(services: Sequence[Service], lang: str) -> dict[str, dict[str, Any]]:
    rows = {}
    for s in services:
        rows[s.id] = {
            "name": s.name_zh if lang == "zh" else s.name, "kind": word(f"money.kind.{s.kind}", lang),
            "card": s.card_id, "price_per_card_hour": s.price_per_card_hour, "wait_hours": s.wait_hours,
            "cards_per_job": s.cards_per_job, "cards_at_once": s.cards_at_once,
            "quota_card_hours_per_year": s.quota_card_hours_per_year,
            "minimum_card_hours_per_year": s.minimum_card_hours_per_year or None,
            "fixed_cost_per_year": s.fixed_cost_per_year or None, "interactive": s.interactive,
        }  # fmt: skip
    return rows


def changed_rows(
    table: str, document: Document, values: Mapping[str, Mapping[str, Any]], edits: Edits, lang: str
) -> list[dict[str, Any]]:
    """The tables of the document after the edits; new rows get a free id, deleted ones are gone."""
    edited: dict[str, dict[str, Any]] = {}
    for (row, key), value in edits.changed.items():
        if value != values.get(row, {}).get(key):
            edited.setdefault(row, {})[key] = value
    rows = []
    for old in get(document, table, []):
        identity = str(old.get("id"))
        if identity not in edits.deleted:
            rows.append(_put(table, dict(old), edited.get(identity, {}), lang))
    used = {str(row["id"]) for row in rows}
    for new in edits.added:
        n = next(n for n in range(1, len(used) + 2) if f"{table}-{n}" not in used)
        used.add(f"{table}-{n}")
        rows.append(_put(table, {"id": f"{table}-{n}"}, new, lang))
    return rows


def _put(table: str, row: dict[str, Any], cells: Mapping[str, Any], lang: str) -> dict[str, Any]:
    """One table with these cells."""
    pays = set(row.get("pays", ("equipment",))) if table == FUND else set()
    for key, value in cells.items():
        if key in FUND_USES:
            pays = pays | {key} if value else pays - {key}
            continue
        if key == "name":
            name = f"name_{lang}"
            row.update({name: value} if "name_en" in row else {"name_en": value, name: value})
            continue
        if key == "kind":
            value = next((k for k in SERVICE_KINDS if value in (word(f"money.kind.{k}", x) for x in ("en", "zh"))), "")
        if value in (None, ""):
            row.pop(key, None)
        else:
            row[key] = value
    if table == FUND and pays != set(row.get("pays", ("equipment",))):
        row["pays"] = [use for use in FUND_USES if use in pays]
    if table == FUND and {"amount", "per_year"} & set(cells):
        _agree(row, cells)
    return row


def _agree(row: dict[str, Any], cells: Mapping[str, Any]) -> None:
    """What was typed last counts: amounts by year make the sum, and another sum arrives all at once."""
    if cells.get("per_year"):
        row.pop("amount", None)
    elif "amount" in cells:
        row.pop("per_year", None)


def as_funds(scenario: Scenario) -> dict[str, Any]:
    """The budget as a fund for equipment, beside one without limit for what runs: the same plan, ready to be changed.

    With funds, every cost of the lab must be covered by one that may pay for it.
    """
    equipment: dict[str, Any] = {"id": "equipment", "name_en": "Equipment fund", "name_zh": "设备费",
                                 "pays": ["equipment"], "tax_included": scenario.budget_tax_included}  # fmt: skip
    if scenario.budget is not None:
        equipment["amount"] = scenario.budget
    if scenario.spend_by is not None:
        equipment["spend_by"] = scenario.spend_by
    running = {"id": "running", "name_en": "Running cost", "name_zh": "业务费", "pays": ["services", "consumables"]}
    return {"fund": [equipment, running], "budget.amount": None, "budget.tax_included": None, "budget.spend_by": None,
            "objective": scenario.objective}  # fmt: skip
