"""Which price counts, when it is stale, and what it is worth net in the scenario's currency."""

from __future__ import annotations

from dataclasses import fields
from datetime import date, timedelta
from itertools import permutations
from typing import Any, get_type_hints

import pytest

from hwcost.build import PricedPart
from hwcost.pricing import choose_price, convert, is_stale, priced_part, quote_max_age
from hwcost.records import Catalog, FxRate, Origin, Price, ProcurementProfile
from hwcost.rules import Breach
from hwcost.scenario import Scenario

TODAY = date(2026, 11, 30)
ORIGIN = Origin("prices.csv", 2, "bundled", "test", TODAY, "estimate")


def price(kind: str = "list", amount: float = 100.0, days: int = 10, **changes: Any) -> Price:
    """A price `days` old."""
    values: dict[str, Any] = {
        "item_id": "card", "amount": amount, "currency": "CNY", "tax_included": False, "price_kind": kind,
        "vendor": "v", "region": "CN", "as_of": TODAY - timedelta(days=days), "valid_until": None, "source": "test",
        "origin": ORIGIN,
    }  # fmt: skip
    return Price(**{**values, **changes})


def rate(base: str, quote: str, value: float, days: int = 5) -> FxRate:
    return FxRate(base, quote, value, TODAY - timedelta(days=days), "test", ORIGIN)


def profile(identity: str, days: int | None) -> ProcurementProfile:
    return ProcurementProfile(identity, "CN", "n", "名", "gross", 0.0, None, "CNY", "m", "法", 3, days, ORIGIN)


def scenario(**changes: Any) -> Scenario:
    """A scenario of empty values but for what pricing reads."""
    blank = {"str": "", "float": 0.0, "int": 0, "bool": False, "date": TODAY}
    hints = get_type_hints(Scenario)
    values: dict[str, Any] = {
        f.name: blank.get(getattr(hints[f.name], "__name__", ""), {} if "dict" in str(hints[f.name]) else ())
        for f in fields(Scenario)
    }
    values |= {"region": "CN", "currency": "CNY", "as_of": TODAY, "tax_rate": 0.13, "procurement": "p"}
    return Scenario(**{**values, **changes})


def chosen(*prices: Price, region: str = "CN", max_age: int = 90) -> Price | None:
    """The chosen row, which must not depend on the order of the rows."""
    picks = {choose_price(Catalog(prices=order), "card", region, TODAY, max_age) for order in permutations(prices)}
    assert len(picks) == 1
    return picks.pop()


def test_trust_goes_before_age_and_amount() -> None:
    quote, listed, street = price("quote", 130, 60), price("list", 120, 5), price("street", 110, 4)
    used, estimate = price("used", 60, 3), price("estimate", 50, 1)
    assert chosen(quote, listed, street, used, estimate) is quote
    assert chosen(listed, street, used, estimate) is listed
    assert chosen(street, used, estimate) is street
    assert chosen(used, estimate) is used
    assert chosen(estimate) is estimate
    assert chosen() is None


def test_of_two_valid_quotes_the_newest_counts_though_it_is_dearer() -> None:
    old = price("quote", 90, 40, valid_until=TODAY + timedelta(days=1))
    new = price("quote", 95, 20, valid_until=TODAY)
    assert chosen(old, new) is new


def test_an_expired_quote_counts_only_where_nothing_else_is_left() -> None:
    expired = price("quote", 90, 40, valid_until=TODAY - timedelta(days=1))
    estimate = price("estimate", 200, 300)
    assert chosen(expired, estimate) is estimate
    assert chosen(expired) is expired


def test_a_quote_without_validity_loses_its_rank_when_it_is_old() -> None:
    old = price("quote", 100.0, currency="USD", as_of=date(2020, 1, 1))
    listed = price("list", 2_000.0, currency="USD", as_of=date(2026, 11, 1))
    assert chosen(old, listed) is listed
    assert chosen(old) is old
    estimate_past_validity = price("estimate", 300.0, 400, valid_until=TODAY - timedelta(days=300))
    assert chosen(old, estimate_past_validity) is estimate_past_validity


def test_how_old_a_quote_may_be_is_the_profiles_word() -> None:
    quote, listed = price("quote", 100.0, 31), price("list", 2_000.0)
    assert chosen(quote, listed) is quote
    assert chosen(quote, listed, max_age=30) is listed
    catalog = Catalog(prices=(quote, listed), procurement=(profile("p", 30),))
    strict = priced_part(catalog, scenario(), "card", "card", "Card", 1)
    loose = priced_part(catalog, scenario(procurement="other"), "card", "card", "Card", 1)
    assert isinstance(strict, PricedPart) and strict.unit_price_net == 2_000.0
    assert isinstance(loose, PricedPart) and loose.unit_price_net == 100.0


def test_the_regions_own_price_goes_before_a_newer_foreign_one_of_the_same_kind_only() -> None:
    home, abroad = price("street", 100, 90), price("street", 80, 1, region="US")
    assert chosen(home, abroad) is home
    assert chosen(home, abroad, region="US") is abroad
    foreign_list = price("list", 120, 1, region="US")
    assert chosen(home, foreign_list) is foreign_list


def test_a_price_of_tomorrow_is_not_known_today() -> None:
    today, tomorrow = price("list", 100, 0), price("quote", 90, -1)
    assert chosen(today, tomorrow) is today
    assert chosen(tomorrow) is None


def test_prices_of_other_items_are_never_taken() -> None:
    assert chosen(price("quote", item_id="other")) is None


def test_of_prices_equal_in_kind_region_and_day_the_lowest_counts() -> None:
    high, low = price("quote", 101, vendor="a"), price("quote", 100, vendor="b")
    assert chosen(high, low) is low


@pytest.mark.parametrize(
    ("kind", "days", "stale"),
    [("quote", 90, False), ("quote", 91, True), ("list", 180, False), ("list", 181, True), ("street", 91, False),
     ("estimate", 181, True)],
)  # fmt: skip
def test_a_quote_is_stale_after_90_days_and_any_other_price_after_180(kind: str, days: int, stale: bool) -> None:
    assert is_stale(price(kind, days=days), TODAY) is stale


def test_a_price_past_its_validity_is_stale_however_young() -> None:
    assert is_stale(price("quote", days=3, valid_until=TODAY - timedelta(days=1)), TODAY)
    assert not is_stale(price("quote", days=3, valid_until=TODAY), TODAY)


def test_the_procurement_profile_shortens_the_age_of_quotes() -> None:
    catalog = Catalog(procurement=(profile("p", 30), profile("p", 60), profile("q", None)))
    assert quote_max_age(catalog, "p") == 30
    assert quote_max_age(catalog, "q") == 90
    assert quote_max_age(catalog, "unknown") == 90
    assert is_stale(price("quote", days=31), TODAY, 30)


def test_money_is_converted_directly_inversely_or_through_the_dollar() -> None:
    catalog = Catalog(fx=(rate("USD", "CNY", 8.0), rate("EUR", "USD", 1.25)))
    direct = convert(catalog, 100.0, "USD", "CNY", TODAY)
    inverse = convert(catalog, 100.0, "CNY", "USD", TODAY)
    crossed = convert(catalog, 100.0, "EUR", "CNY", TODAY)
    back = convert(catalog, 1000.0, "CNY", "EUR", TODAY)
    assert direct is not None and direct.amount == 800.0 and len(direct.fx) == 1
    assert inverse is not None and inverse.amount == 12.5
    assert crossed is not None and crossed.amount == 100.0 * 1.25 * 8.0
    assert [(r.base, r.quote) for r in crossed.fx] == [("EUR", "USD"), ("USD", "CNY")]
    assert back is not None and back.amount == pytest.approx(1000.0 / 8.0 / 1.25, rel=1e-15)
    same = convert(catalog, 100.0, "JPY", "JPY", TODAY)
    assert same is not None and (same.amount, same.rate, same.fx) == (100.0, 1.0, ())
    assert convert(catalog, 100.0, "GBP", "CNY", TODAY) is None


def test_the_newest_rate_that_is_known_on_the_day_counts() -> None:
    catalog = Catalog(fx=(rate("USD", "CNY", 7.0, 100), rate("USD", "CNY", 7.2, 10), rate("USD", "CNY", 9.0, -1)))
    found = convert(catalog, 1.0, "USD", "CNY", TODAY)
    assert found is not None and found.rate == 7.2
    assert convert(Catalog(fx=(rate("USD", "CNY", 9.0, -1),)), 1.0, "USD", "CNY", TODAY) is None


def test_a_newer_inverse_rate_goes_before_an_older_direct_one() -> None:
    catalog = Catalog(fx=(rate("USD", "CNY", 7.0, 100), rate("CNY", "USD", 0.125, 1)))
    found = convert(catalog, 1.0, "USD", "CNY", TODAY)
    assert found is not None and found.rate == 8.0


def test_of_a_direct_and_an_inverse_rate_of_one_day_the_direct_one_counts() -> None:
    direct, inverse = rate("USD", "CNY", 7.0), rate("CNY", "USD", 0.125)
    for rows in ((direct, inverse), (inverse, direct)):
        found = convert(Catalog(fx=rows), 1.0, "USD", "CNY", TODAY)
        assert found is not None and found.fx == (direct,)


def test_a_part_is_priced_net_of_tax_to_the_cent() -> None:
    gross = Catalog(prices=(price("list", 12_999.0, tax_included=True),))
    part = priced_part(gross, scenario(), "card", "card", "Card", 4)
    assert isinstance(part, PricedPart)
    assert (part.quantity, part.fx_rate, part.stale) == (4, 1.0, False)
    assert part.unit_price_net == 11_503.54  # 12999 / 1.13 = 11503.5398...
    net = Catalog(prices=(price("list", 12_999.0),))
    without = priced_part(net, scenario(), "card", "card", "Card", 1)
    assert isinstance(without, PricedPart) and without.unit_price_net == 12_999.0


def test_a_foreign_part_is_priced_in_the_scenarios_currency() -> None:
    catalog = Catalog(prices=(price("list", 1_599.0, currency="USD"),), fx=(rate("USD", "CNY", 7.1),))
    part = priced_part(catalog, scenario(), "card", "card", "Card", 1)
    assert isinstance(part, PricedPart)
    assert (part.unit_price_net, part.fx_rate, part.price.currency) == (11_352.9, 7.1, "USD")


def test_a_part_says_that_its_price_is_stale_by_the_profiles_rule() -> None:
    catalog = Catalog(prices=(price("quote", days=31),), procurement=(profile("p", 30),))
    strict = priced_part(catalog, scenario(), "card", "card", "Card", 1)
    loose = priced_part(catalog, scenario(procurement="other"), "card", "card", "Card", 1)
    assert isinstance(strict, PricedPart) and strict.stale
    assert isinstance(loose, PricedPart) and not loose.stale


def test_no_price_and_no_rate_are_breaches_and_never_zero() -> None:
    none = priced_part(Catalog(), scenario(), "card", "card", "Card", 1)
    assert isinstance(none, Breach) and none.rule == "no_price"
    assert none.values["item"] == "Card"
    foreign = priced_part(Catalog(prices=(price(currency="USD"),)), scenario(), "card", "card", "Card", 1)
    assert isinstance(foreign, Breach) and foreign.rule == "no_fx"
    assert (foreign.values["currency"], foreign.values["to"]) == ("USD", "CNY")
