"""The `[budget]`, `[purchase]` and `[[fund]]` tables of a scenario: how much, when, and what it may pay for."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from typing import Any

from hwcost.records import Catalog
from hwcost.scenario import FUND_USES, Fund
from hwcost.scenario_checks import LIMITS, MONEY, SHARE_OF_PRICE
from hwcost.scenario_defaults import Defaults
from hwcost.strict import COUNT, Limit, Table

PRICE_ROLES = ("card", "host", "psu", "storage", "system", "bridge", "network")
TREND = Limit(low=-0.9, high=1.0)
WEEKS = Limit(high=104.0)
DEPRECIATION_YEARS = Limit(low=1.0, high=20.0)
CENT = 0.005


@dataclass(frozen=True)
class Budget:
    """What the table `[budget]` says."""

    amount: float | None
    tax_included: bool
    spend_by: date | None
    per_year: tuple[float, ...]
    carry_over: bool
    running_per_year: float | None


def read_budget(top: Table, as_of: date, horizon: int, owns: bool, has_funds: bool) -> Budget:
    """Equipment money with its day and its years. 0 makes sense only beside owned machines (`owns`)."""
    table = top.table("budget")
    amount = table.number("amount", None, LIMITS["budget"])
    per_year = _per_year(table, amount, horizon)
    if per_year and amount is None:
        amount = math.fsum(per_year)
    if amount == 0 and not owns:
        table.note("scenario_out_of_range", "amount", 0, expected="0 < x")
    spend_by = _spend_by(table, as_of)
    if table.data and not {"amount", "per_year", "running_per_year"} & table.data.keys() and not has_funds:
        table.note("scenario_missing_key", "amount")
    budget = Budget(
        amount, table.flag("tax_included", True), spend_by, per_year, table.flag("carry_over", True),
        table.number("running_per_year", None, LIMITS["running_budget_per_year"]),
    )  # fmt: skip
    table.finish()
    return budget


def read_funds(top: Table, as_of: date, horizon: int) -> tuple[Fund, ...]:
    """The sources of money, in the file's order."""
    return tuple(_fund(table, as_of, horizon) for table in top.tables("fund"))


def equipment_of_funds(funds: tuple[Fund, ...]) -> float | None:
    """What the funds that pay equipment hold together; None without such a fund or where one has no limit."""
    amounts = [f.amount for f in funds if "equipment" in f.pays]
    known = [a for a in amounts if a is not None]
    return math.fsum(known) if known and len(known) == len(amounts) else None


def read_purchase(top: Table, catalog: Catalog, horizon: int, defaults: Defaults) -> dict[str, Any]:
    """The fields of `Scenario` that say when and how something may be bought."""
    table = top.table("purchase")
    items = {*catalog.cards, *catalog.chassis, *catalog.psus, *catalog.storage, *catalog.systems}
    years = tuple(int(y) for y in sorted(set(table.numbers("years", Limit(high=horizon - 1, whole=True)))))
    fields: dict[str, Any] = {
        "purchase_years": years or (0,),
        "lead_weeks": _or_zero(table.number("lead_weeks", 0.0, WEEKS)),
        "price_trend_per_year": table.by_name("price_trend_per_year", TREND, PRICE_ROLES),
        "stock": _whole(table, "stock", items, Limit(whole=True)),
        "min_order": _whole(table, "min_order", items, COUNT),
        "upgrades": table.flag("upgrades", True),
        "retire_owned": table.flag("retire_owned", True),
    }
    table.finish()
    if years:
        defaults.record("purchase_years", ", ".join(str(y + 1) for y in years), "", "scenario")
    if fields["lead_weeks"]:
        defaults.record("lead_weeks", fields["lead_weeks"], "weeks", "scenario")
    for role, trend in fields["price_trend_per_year"].items():
        defaults.record("price_trend_per_year", trend, "per year", f"scenario: {role}")
    return fields


def _fund(table: Table, as_of: date, horizon: int) -> Fund:
    identity = table.text("id", required=True)
    name = table.text("name_en", identity)
    year = Limit(high=horizon - 1, whole=True)
    first = int(_or_zero(table.number("from_year", 0.0, year)))
    last = table.number("to_year", None, Limit(low=first, high=horizon - 1, whole=True))
    amount = table.number("amount", None, MONEY)
    per_year = _per_year(table, amount, horizon)
    fund = Fund(
        id=identity,
        name=name,
        name_zh=table.text("name_zh", name),
        amount=math.fsum(per_year) if per_year and amount is None else amount,
        pays=table.words("pays", ("equipment",), known=FUND_USES),
        per_year=per_year,
        carry_over=table.flag("carry_over", True),
        from_year=first,
        to_year=None if last is None else int(last),
        tax_included=table.flag("tax_included", True),
        overhead_rate=_or_zero(table.number("overhead_rate", 0.0, SHARE_OF_PRICE)),
        depreciation_only=table.flag("depreciation_only", False),
        depreciation_years=table.number("depreciation_years", 6.0, DEPRECIATION_YEARS) or 6.0,
        spend_by=_spend_by(table, as_of),
    )
    if table.data.get("pays") == []:
        table.note("scenario_not_list", "pays", [])
    table.finish()
    return fund


def _per_year(table: Table, amount: float | None, horizon: int) -> tuple[float, ...]:
    """Money by year: at most as many as the horizon has, adding up to the amount where that is stated too."""
    years = table.numbers("per_year", MONEY)
    if len(years) > horizon:
        table.note("scenario_too_many_years", "per_year", list(years), years=len(years), horizon=horizon)
    elif years and amount is not None and abs(math.fsum(years) - amount) > CENT:
        table.note("scenario_sum_differs", "per_year", math.fsum(years), expected=f"{amount:g}")
    return years


def _spend_by(table: Table, as_of: date) -> date | None:
    day = table.day("spend_by")
    if day and day < as_of:
        table.note("scenario_spend_by_past", "spend_by", day, expected=f">= {as_of}")
    return day


def _whole(table: Table, key: str, known: Collection[str], limit: Limit) -> dict[str, int]:
    return {name: int(value) for name, value in table.by_name(key, limit, known).items()}


def _or_zero(value: float | None) -> float:
    return 0.0 if value is None else value
