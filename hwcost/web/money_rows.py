"""Funds and hired card-hours as rows of tables, and edited cells as tables of the scenario's document.

Columns are named after the keys of the document. An emptied cell takes the key away, so that its default holds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from hwcost.names import card_name
from hwcost.quantities import QuantityError, parse_date, parse_money, parse_number
from hwcost.records import Catalog
from hwcost.scenario import FUND_USES, SERVICE_KINDS, Fund, Scenario, Service
from hwcost.web.documents import Document, get
from hwcost.web.grid import Column, Edits
from hwcost.web.words import word

FUND, SERVICE = "fund", "service"
NARROW = 100  # pixels; eight columns fit beside the sidebar
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
    """What finance asks first: how much, for what, until when."""
    return [
        _text(FUND, "name", str.strip, lang, str, "medium"), _text(FUND, "amount", money(scenario.currency), lang),
        *(_flag(FUND, use, lang) for use in FUND_USES), _text(FUND, "spend_by", parse_date, lang),
    ]  # fmt: skip


def fund_rule_columns(scenario: Scenario, lang: str) -> list[Column]:
    """When it arrives, and the rules that few funds have."""
    return [
        Column("name", word("money.fund.name", lang), "fixed", width=160),
        _text(FUND, "per_year", several(scenario.currency), lang, width=150),
        _text(FUND, "from_year", year, lang, from_one, NARROW), _text(FUND, "to_year", year, lang, from_one, NARROW),
        _flag(FUND, "carry_over", lang, NARROW), _flag(FUND, "tax_included", lang, NARROW),
        _text(FUND, "overhead_rate", parse_number, lang, width=NARROW), _flag(FUND, "depreciation_only", lang, NARROW),
    ]  # fmt: skip


def _text(table: str, key: str, parse: Any, lang: str, show: Any = figure, width: str | int = "") -> Column:
    return Column(key, word(f"money.{table}.{key}", lang), "text", parse, show, width=width)


def _flag(table: str, key: str, lang: str, width: int = 0) -> Column:
    return Column(key, word(f"money.{table}.{key}", lang), "flag", width=width)


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
    """What a job meets: which card, at what price, after what wait."""
    kinds = tuple(word(f"money.kind.{kind}", lang) for kind in SERVICE_KINDS)
    return [
        _text(SERVICE, "name", str.strip, lang, str, "medium"),
        Column("kind", word("money.service.kind", lang), "choice", choices=kinds),
        Column("card", word("money.service.card", lang), "choice", choices=tuple(card_labels(catalog).values())),
        _text(SERVICE, "price_per_card_hour", money(scenario.currency), lang),
        _text(SERVICE, "wait_hours", parse_number, lang), _text(SERVICE, "cards_at_once", whole, lang),
    ]  # fmt: skip


def service_rule_columns(scenario: Scenario, lang: str) -> list[Column]:
    """Quota, least payment and what else a contract says."""
    return [
        Column("name", word("money.service.name", lang), "fixed", width="medium"),
        _text(SERVICE, "cards_per_job", whole, lang), _text(SERVICE, "quota_card_hours_per_year", parse_number, lang),
        _text(SERVICE, "minimum_card_hours_per_year", parse_number, lang),
        _text(SERVICE, "fixed_cost_per_year", money(scenario.currency), lang), _flag(SERVICE, "interactive", lang),
    ]  # fmt: skip


def card_labels(catalog: Catalog) -> dict[str, str]:
    """Every card by its name, in the order of the names; of two with one name the second says its maker's id too."""
    labels: dict[str, str] = {}
    for card in sorted(catalog.cards.values(), key=lambda c: (card_name(c), c.id)):
        name = card_name(card)
        labels[card.id] = name if name not in labels.values() else f"{name} ({card.id})"
    return labels


def service_values(services: Sequence[Service], catalog: Catalog, lang: str) -> dict[str, dict[str, Any]]:
    rows, labels = {}, card_labels(catalog)
    for s in services:
        rows[s.id] = {
            "name": s.name_zh if lang == "zh" else s.name, "kind": word(f"money.kind.{s.kind}", lang),
            "card": labels[s.card_id], "price_per_card_hour": s.price_per_card_hour, "wait_hours": s.wait_hours,
            "cards_per_job": s.cards_per_job, "cards_at_once": s.cards_at_once,
            "quota_card_hours_per_year": s.quota_card_hours_per_year,
            "minimum_card_hours_per_year": s.minimum_card_hours_per_year or None,
            "fixed_cost_per_year": s.fixed_cost_per_year or None, "interactive": s.interactive,
        }  # fmt: skip
    return rows


def changed_rows(
    table: str, document: Document, values: Mapping[str, Mapping[str, Any]], edits: Edits, catalog: Catalog, lang: str
) -> list[dict[str, Any]]:
    """The tables of the document after the edits."""
    edited: dict[str, dict[str, Any]] = {}
    for (row, key), value in edits.changed.items():
        if value != values.get(row, {}).get(key):
            edited.setdefault(row, {})[key] = value
    ids = {label: card for card, label in card_labels(catalog).items()}
    return [
        _put(table, dict(old), edited.get(str(old.get("id")), {}), ids, lang) for old in get(document, table, [])
    ]  # fmt: skip


def with_row(table: str, document: Document, row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The tables of the document with one more, under a free id."""
    rows = [dict(old) for old in get(document, table, [])]
    used = {str(old.get("id")) for old in rows}
    n = next(n for n in range(1, len(used) + 2) if f"{table}-{n}" not in used)
    return [*rows, {"id": f"{table}-{n}", **row}]


def names(name: str, lang: str) -> dict[str, str]:
    """A name as the document keeps it: in both languages until somebody says the other."""
    return {"name_en": name, **({"name_zh": name} if lang == "zh" else {})}


def without_row(table: str, document: Document, identity: str) -> list[dict[str, Any]]:
    """The tables of the document without this one."""
    return [dict(old) for old in get(document, table, []) if str(old.get("id")) != identity]


def _put(
    table: str, row: dict[str, Any], cells: Mapping[str, Any], cards: Mapping[str, str], lang: str
) -> dict[str, Any]:  # fmt: skip
    """One table with these cells; `cards` has the id of each card's name."""
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
        if key == "card":
            value = cards.get(value, value)
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
