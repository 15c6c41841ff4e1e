"""The budget as people type it: "25" with the switch at 10,000 yuan, "25万", "￥250,000", "30 000"."""

from __future__ import annotations

import re

from hwcost.errors import InputError, Problem
from hwcost.names import tax_basis
from hwcost.quantities import QuantityError, money_text, number_text, parse_money, tidy
from hwcost.scenario import Scenario
from hwcost.web.words import word

_BARE = re.compile(r"[0-9.,' ]+")
WAN = 10_000
THOUSAND = 1_000


def unit_factors(currency: str, lang: str) -> tuple[int, int]:
    """What the unit switch offers: the unit of the currency, and the multiple in which budgets are spoken.

    Yuan are counted in ten thousands in Chinese; in English they are counted in thousands as every currency is.
    """
    return (1, WAN if currency == "CNY" and lang == "zh" else THOUSAND)


def in_unit(text: str, factor: int, wanted: int) -> str:
    """A bare number in another unit: "25" x 10,000 is "250" x 1,000. Any other text stays as it is typed."""
    if factor == wanted or _BARE.fullmatch(tidy(text)) is None:
        return text
    try:
        found = _money(text, "CNY", factor > 1)
    except QuantityError:
        return text
    return text if found is None else figure(found[0] * factor / wanted)


def figure(amount: float) -> str:
    """A number as it is typed: no separators, which could be read in two ways, and no trailing zeros."""
    return f"{amount:.6f}".rstrip("0").rstrip(".")


def unit_text(currency: str, factor: int, lang: str) -> str:
    """The unit in words: 元, 万元, EUR, 1,000 EUR."""
    name = word(f"unit.{currency}", lang)
    if factor == 1:
        return name
    return word("unit_wan" if factor == WAN else "unit_thousand", lang, currency=name)


def seed(scenario: Scenario, lang: str) -> tuple[str, int]:
    """The scenario's budget as text, with its unit: 25 x 10,000 yuan in zh, 250,000 in en; "" is no limit."""
    factor = unit_factors(scenario.currency, lang)[1] if scenario.currency == "CNY" and lang == "zh" else 1
    return ("" if scenario.budget is None else figure(scenario.budget / factor)), factor


def read(text: str, factor: int, currency: str) -> float | None:
    """The amount in `currency`; None is no limit. A unit or currency in the text counts before the switch.

    "250,000" can be read in two ways and is asked, as on the command line. Raises `InputError` in words.
    """
    bare = _BARE.fullmatch(tidy(text)) is not None
    try:
        money = _money(text, currency, bare and factor > 1)
    except QuantityError as error:
        code = "option_negative" if error.code == "negative_price" else error.code
        raise InputError([Problem(code, column="budget", value=text, values=error.values)]) from error
    if money is None:
        return None
    amount, found = money
    if found != currency:
        values = {"found": found, "currency": currency}
        raise InputError([Problem("option_currency", column="budget", value=text, values=values)])
    return round(amount * factor, 2) if bare else amount


def _money(text: str, currency: str, decimals: bool) -> tuple[float, str] | None:
    """`decimals`: a point before three digits is a decimal point, as in 25.125 x 10,000."""
    money = parse_money(text, currency, decimal="." if decimals else None)
    return None if money is None else (money.amount, money.currency)


def echo(amount: float | None, tax_included: bool, scenario: Scenario, lang: str) -> str:
    """What was understood, with the amount on the other tax basis."""
    if amount is None:
        return word("echo.none", lang)
    if scenario.currency == "CNY" and lang == "zh":
        digits = 0 if amount == int(amount) else 2
        shown = word(
            "echo.yuan", lang, figure=number_text(amount, lang, digits), wan=number_text(amount / WAN, lang, 2)
        )
    else:
        shown = money_text(amount, scenario.currency, lang)
    if not scenario.tax_rate:
        return word("echo.untaxed", lang, amount=shown, basis=tax_basis(scenario, lang))
    rate = 1.0 + scenario.tax_rate
    other = amount / rate if tax_included else amount * rate
    bases = [word("tax.included", lang), word("tax.excluded", lang)]
    basis, other_basis = bases if tax_included else reversed(bases)
    return word("echo", lang, amount=shown, basis=basis, other=money_text(other, scenario.currency, lang),
                other_basis=other_basis)  # fmt: skip
