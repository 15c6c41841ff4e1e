"""Which price counts, how old it is, and what it is worth net of tax in the scenario's currency."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date

from hwcost.build import PricedPart
from hwcost.quantities import rounded
from hwcost.records import PRICE_KINDS, Catalog, FxRate, Price, Rental
from hwcost.rules import Breach
from hwcost.scenario import Scenario

QUOTE_MAX_AGE_DAYS = 90  # unless the procurement profile says otherwise
OTHER_MAX_AGE_DAYS = 180
CARD_HOUR_DECIMALS = 4
PIVOT = "USD"  # most published rates have the dollar on one side


@dataclass(frozen=True)
class Rate:
    """Units of the target currency for one unit of the source, and the rows it came from (none: same currency)."""

    rate: float
    fx: tuple[FxRate, ...]


@dataclass(frozen=True)
class Converted:
    """An amount in another currency, not rounded, with the rate and the rows of `fx.csv` behind it."""

    amount: float
    rate: float
    fx: tuple[FxRate, ...]


def is_expired(price: Price, as_of: date) -> bool:
    """Past its stated validity."""
    return price.valid_until is not None and price.valid_until < as_of


def is_stale(price: Price, as_of: date, quote_max_age_days: int = QUOTE_MAX_AGE_DAYS) -> bool:
    """Past its validity, or older than a quote (`quote_max_age_days`) or another price (180 days) may be."""
    most = quote_max_age_days if price.price_kind == "quote" else OTHER_MAX_AGE_DAYS
    return is_expired(price, as_of) or (as_of - price.as_of).days > most


def choose_price(
    catalog: Catalog, item_id: str, region: str, as_of: date, quote_max_age_days: int = QUOTE_MAX_AGE_DAYS
) -> Price | None:
    """The price row that counts on the day `as_of`; None where the item has no price yet.

    The newest valid quote wins, then list, street, used, estimate; within a kind the region's own rows come first, then
    the newest. Another price past its validity comes after all of these, and last a stale quote: one past its validity
    or, stated or not, older than the procurement profile's `quote_max_age_days`. Rows dated after `as_of` are ignored.
    Of rows equal in all that, the lowest amount counts.
    """
    known = [price for price in _prices_by_item(catalog.prices).get(item_id, ()) if price.as_of <= as_of]

    def rank(price: Price) -> tuple[bool, bool, int, bool, int, float, str, str]:
        stale_quote = price.price_kind == "quote" and is_stale(price, as_of, quote_max_age_days)
        kind = PRICE_KINDS.index(price.price_kind)
        elsewhere = price.region != region
        age = (as_of - price.as_of).days
        return stale_quote, is_expired(price, as_of), kind, elsewhere, age, price.amount, price.currency, price.vendor

    return min(known, key=rank, default=None)


_indexed: tuple[tuple[Price, ...], dict[str, list[Price]]] = ((), {})


def _prices_by_item(prices: tuple[Price, ...]) -> dict[str, list[Price]]:
    """The rows of each item, kept for the table asked last: a large catalog asks for thousands of items in a row."""
    global _indexed
    table, index = _indexed
    if table is not prices:
        index = {}
        for price in prices:
            index.setdefault(price.item_id, []).append(price)
        _indexed = (prices, index)
    return index


def newest_rate(fx: Iterable[FxRate], currency: str, to: str, as_of: date | None) -> Rate | None:
    """The newest rate on the day `as_of` (None: of all): direct or inverse, else through the US dollar."""
    if currency == to:
        return Rate(1.0, ())
    rows = [row for row in fx if as_of is None or row.as_of <= as_of]
    direct = _one_step(rows, currency, to)
    if direct is not None or PIVOT in (currency, to):
        return direct
    first, second = _one_step(rows, currency, PIVOT), _one_step(rows, PIVOT, to)
    if first is None or second is None:
        return None
    return Rate(first.rate * second.rate, first.fx + second.fx)


def _one_step(rows: list[FxRate], currency: str, to: str) -> Rate | None:
    pair = [row for row in rows if {row.base, row.quote} == {currency, to}]
    if not pair:
        return None
    row = max(pair, key=lambda r: (r.as_of, r.base == currency))  # of one day, the direct row
    return Rate(row.rate if row.base == currency else 1.0 / row.rate, (row,))


def convert(catalog: Catalog, amount: float, currency: str, to: str, as_of: date) -> Converted | None:
    """`amount` in the currency `to`; None where no dated rate leads there."""
    rate = newest_rate(catalog.fx, currency, to, as_of)
    return None if rate is None else Converted(amount * rate.rate, rate.rate, rate.fx)


def card_hour_price(catalog: Catalog, row: Rental, currency: str, as_of: date, tax_rate: float) -> Converted | None:
    """Price of a card-hour of a rental row as the lab is charged it: in `currency`, tax included, to four decimals.

    None where no dated rate leads from the row's currency to `currency`.
    """
    converted = convert(catalog, row.price_per_card_hour, row.currency, currency, as_of)
    if converted is None:
        return None
    gross = converted.amount * (1.0 if row.tax_included else 1.0 + tax_rate)
    return replace(converted, amount=float(rounded(gross, CARD_HOUR_DECIMALS)))


def net_of_tax(amount: float, tax_included: bool, tax_rate: float) -> float:
    """The net amount: a price with tax is divided by 1 + rate."""
    return amount / (1.0 + tax_rate) if tax_included else amount


def quote_max_age(catalog: Catalog, profile_id: str) -> int:
    """Days that a quote may be old under a procurement profile: its strictest band, 90 where it says nothing."""
    stated = [row.quote_max_age_days for row in catalog.procurement if row.id == profile_id]
    return min((days for days in stated if days is not None), default=QUOTE_MAX_AGE_DAYS)


def priced_part(
    catalog: Catalog, scenario: Scenario, item_id: str, role: str, name: str, quantity: int
) -> PricedPart | Breach:
    """A part at the price that counts, net of tax, in the scenario's currency, rounded to the cent.

    Breach `no_price` where no row counts, `no_fx` where its currency cannot be converted on the scenario's day.
    """
    max_age = quote_max_age(catalog, scenario.procurement)
    price = choose_price(catalog, item_id, scenario.region, scenario.as_of, max_age)
    if price is None:
        return Breach("no_price", {"item": name, "item_id": item_id})
    converted = convert(catalog, price.amount, price.currency, scenario.currency, scenario.as_of)
    if converted is None:
        values = {"item": name, "item_id": item_id, "currency": price.currency, "to": scenario.currency}
        return Breach("no_fx", values)
    net = float(rounded(net_of_tax(converted.amount, price.tax_included, scenario.tax_rate), 2))
    stale = is_stale(price, scenario.as_of, max_age)
    return PricedPart(item_id, role, name, quantity, net, price, converted.rate, stale)
