"""Parse and format numbers, money, memory, dates: what people type, and what people read.

A figure that is missing is `None`, never 0. A figure that can be read in two ways is refused with both readings.
"""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Any

from hwcost.messages import say

CURRENCIES = ("CNY", "USD", "EUR", "GBP", "JPY", "HKD")
MISSING = frozenset(
    (
        "",
        "n/a",
        "na",
        "-",
        "--",
        "---",
        "–",
        "—",
        "——",
        "/",
        "tbd",
        "tba",
        "面议",
        "电议",
        "询价",
        "待定",
        "待询",
        "暂无",
    )
)
NOT_FINITE = frozenset(("nan", "inf", "infinity", "∞"))
SCALES = {"万": Decimal(10) ** 4, "亿": Decimal(10) ** 8}
# longest first, so that "US$" is not read as "US" and "$"
CURRENCY_WORDS = {
    "人民币": "CNY", "美元": "USD", "美金": "USD", "欧元": "EUR", "英镑": "GBP", "日元": "JPY", "日圆": "JPY",
    "港元": "HKD", "港币": "HKD", "RMB": "CNY", "US$": "USD", "HK$": "HKD", "USD": "USD", "CNY": "CNY", "EUR": "EUR",
    "GBP": "GBP", "JPY": "JPY", "HKD": "HKD", "元": "CNY", "圆": "CNY", "$": "USD", "€": "EUR", "£": "GBP", "¥": "CNY",
}  # fmt: skip
_CURRENCY = "|".join(re.escape(word) for word in CURRENCY_WORDS)
_CURRENCY_FIRST = re.compile(rf"^(?P<sign>[(+-]?) *(?P<word>{_CURRENCY}) *", re.IGNORECASE)
_CURRENCY_LAST = re.compile(rf" *(?P<word>{_CURRENCY})(?P<close>\)?)$", re.IGNORECASE)
_UNKNOWN_CURRENCY = re.compile(r"^[(+-]?(?P<first>[A-Z]{3}) *[0-9]|[0-9] *(?P<last>[A-Z]{3})\)?$")
_NUMBER = re.compile(r"^(?P<sign>[+-]?)(?P<body>[0-9][0-9., ']*|\.[0-9]+)(?P<exponent>[eE][+-]?[0-9]{1,3})?$")
_SPACE_GROUPS = re.compile(r"^[1-9][0-9]{0,2}([ '][0-9]{3})+(?P<rest>[.,][0-9]*)?$")
_MEMORY = re.compile(r"^(?P<figure>.*?) *(?P<unit>[MGT]i?B?)?$", re.IGNORECASE)
_MEMORY_GIB = {"M": 1.0 / 1024.0, "G": 1.0, "T": 1024.0}
_DATE = re.compile(r"^(\d{4})(?:[-/.年](\d{1,2})(?:[-/.月](\d{1,2})日?|月)?|年)?$")


class QuantityError(ValueError):
    """A text that cannot be read as a quantity: `code` is the key "problem.<code>", `values` fill its placeholders."""

    def __init__(self, code: str, **values: Any) -> None:
        self.code = code
        self.values = values
        super().__init__(f"{code} {values}" if values else code)


@dataclass(frozen=True)
class Money:
    """An amount in a currency (ISO 4217 code)."""

    amount: float
    currency: str


# --- reading ---


def tidy(text: str) -> str:
    """NFKC (full-width digits and signs become plain ones), one kind of minus and of space, no outer space."""
    plain = unicodedata.normalize("NFKC", text).replace("\u2212", "-").replace("\u2019", "'").replace("\ufeff", "")
    return re.sub(r"\s+", " ", plain).strip()


def is_missing(text: str) -> bool:
    """True for an empty cell and for the words that stand for "ask the vendor"."""
    return tidy(text).lower() in MISSING


def parse_number(text: str | float | None, *, decimal: str | None = None) -> float | None:
    """The number that `text` states; None where it is missing.

    `decimal` is the decimal mark of the column ("." or ","). Without it, one separator before exactly three digits
    ("1,599", "1.599") can be read in two ways and is refused. 13% is 0.13, 1.2万 is 12000, (1,200) is -1200.
    Raises `QuantityError`: not_a_number, number_ambiguous, number_group, not_finite.
    """
    if text is None:
        return None
    if isinstance(text, int | float):
        return _finite(float(text), str(text))
    plain = tidy(text)
    if plain.lower() in MISSING:
        return None
    if plain.lower().lstrip("+-") in NOT_FINITE:
        raise QuantityError("not_finite")
    if plain.startswith("(") and plain.endswith(")"):
        # brackets for a negative amount belong to the accounting style whose decimal mark is the point
        inner = plain[1:-1].strip()
        if inner.startswith(("-", "+", "(")):
            raise QuantityError("not_a_number")
        value = _scaled(inner, decimal or ".")
        return _finite(-float(value) if value else 0.0, plain)
    return _finite(float(_scaled(plain, decimal)), plain)


def _scaled(plain: str, decimal: str | None) -> Decimal:
    """A plain number, perhaps with one of the signs % 万 亿 behind it."""
    factor = Decimal(1)
    if plain.endswith("%"):
        plain, factor = plain[:-1].rstrip(), Decimal("0.01")
    elif plain[-1:] in SCALES:
        plain, factor = plain[:-1].rstrip(), SCALES[plain[-1]]
    match = _NUMBER.match(plain)
    if match is None:
        raise QuantityError("not_a_number")
    digits = _plain_digits(match["body"].rstrip(), decimal)
    try:
        return Decimal(match["sign"] + digits + (match["exponent"] or "")) * factor
    except InvalidOperation:
        raise QuantityError("not_a_number") from None


def _plain_digits(body: str, decimal: str | None) -> str:
    """Digits with at most one point: the separators of thousands are gone, and were where they belong."""
    if " " in body or "'" in body:
        spaced = _SPACE_GROUPS.match(body)
        if spaced is None:
            raise QuantityError("number_group")
        rest = spaced["rest"] or ""
        if rest and decimal is not None and rest[0] != decimal:
            raise QuantityError("number_group")
        return re.sub(r"[ ']", "", body[: len(body) - len(rest)]) + rest.replace(",", ".")
    mark = decimal or _mark_of(body)
    if mark is None:
        raise QuantityError("number_ambiguous", first=re.sub("[.,]", "", body), second=body.replace(",", "."))
    whole, _, fraction = body.partition(mark)
    group = "," if mark == "." else "."
    if group in fraction or mark in fraction:
        raise QuantityError("number_group")
    if group in whole and not _grouped(whole, group):
        raise QuantityError("number_group")
    return whole.replace(group, "") + ("." + fraction if fraction else "")


def _grouped(whole: str, group: str) -> bool:
    return re.fullmatch(rf"[1-9][0-9]{{0,2}}(?:{re.escape(group)}[0-9]{{3}})+", whole) is not None


def _mark_of(body: str) -> str | None:
    """The decimal mark that the figure itself shows; None where it could be either.

    A lone comma that is no thousands group ("1,59") is read with a point, which then refuses it.
    """
    comma, point = body.count(","), body.count(".")
    if comma and point:
        return "," if body.rindex(",") > body.rindex(".") else "."
    if comma > 1:
        return "."
    if point > 1:
        return ","
    either = comma + point == 1 and (_grouped(body, ",") or _grouped(body, "."))
    return None if either else "."


def decimal_mark(text: str, *, lone_comma: bool = False) -> str | None:
    """The decimal mark that a cell proves by itself ("12,999.00" and "0.5": "."; "1.599,00": ","), else None.

    `lone_comma`: "1,59" and "0,5" prove a decimal comma too (in files whose columns are not separated by commas).
    """
    body = re.sub(r"[^0-9.,]", "", tidy(text))
    if not re.search(r"[.,]", body.strip(".,")):
        return None
    if lone_comma and body.count(",") == 1 and "." not in body and not _grouped(body, ","):
        return ","
    mark = _mark_of(body)
    if mark is None:
        return None
    try:
        _plain_digits(body, mark)
    except QuantityError:
        return None
    return mark


def _finite(value: float, text: str) -> float:
    if not math.isfinite(value):
        raise QuantityError("not_finite")
    return value + 0.0  # -0.0 + 0.0 is 0.0


def parse_money(text: str | float | None, default_currency: str, *, decimal: str | None = None) -> Money | None:
    """An amount with its currency; None where it is missing ("N/A", "面议", empty).

    ￥ and ¥ mean CNY unless `default_currency` is JPY. Beside a currency that writes a decimal point (all but EUR)
    "￥12,999" is 12999; a bare "12,999" is ambiguous unless `decimal` is given.
    Raises `QuantityError`: those of `parse_number`, negative_price, currency_unknown, currency_conflict.
    """
    if text is None or isinstance(text, int | float):
        value, stated = parse_number(text), ""
    else:
        plain, stated = _split_currency(tidy(text), default_currency)
        if stated and is_missing(plain):
            return None
        if plain.endswith("%"):
            raise QuantityError("not_a_number")
        # beside such a currency a comma divides thousands; a point before three digits stays open: prices have no mills
        mark = decimal or ("." if stated and stated != "EUR" and "," in plain else None)
        value = parse_number(plain, decimal=mark)
    if value is None:
        return None
    if value < 0:
        raise QuantityError("negative_price")
    return Money(value, stated or default_currency)


def _split_currency(plain: str, default_currency: str) -> tuple[str, str]:
    """The text without its currency words, and the currency they name ("" where there is none)."""
    found: list[str] = []
    while match := _CURRENCY_FIRST.match(plain):
        found.append(match["word"].upper())
        plain = match["sign"] + plain[match.end() :]
    while match := _CURRENCY_LAST.search(plain):
        found.append(match["word"].upper())
        plain = plain[: match.start()] + match["close"]
    codes = {"JPY" if word == "¥" and default_currency == "JPY" else CURRENCY_WORDS[word] for word in found}
    if "CNY" in codes and len(codes) == 2 and "¥" in found and "JPY" in codes:
        codes.discard("CNY")  # ¥ with the word JPY beside it
    if len(codes) > 1:
        raise QuantityError("currency_conflict", found=", ".join(sorted(codes)))
    unknown = _UNKNOWN_CURRENCY.search(plain)
    if unknown:
        named = unknown["first"] or unknown["last"]
        raise QuantityError("currency_unknown", currency=named, expected=", ".join(CURRENCIES))
    return plain, next(iter(codes), "")


def parse_memory(text: str | float | None, *, unit: str = "G") -> float | None:
    """Memory in GiB from "24 GB", "24564MiB", "1.5 TB"; a bare number is in `unit` (M, G or T).

    Cards are sold in GB and hold GiB, so both spellings mean GiB here.
    """
    if text is None or isinstance(text, int | float):
        value, letter = parse_number(text), unit
    else:
        match = _MEMORY.match(tidy(text))
        if match is None:
            raise QuantityError("memory_unit")
        letter = (match["unit"] or unit)[0].upper()
        try:
            value = parse_number(match["figure"], decimal=".")
        except QuantityError as error:
            raise QuantityError("memory_unit") from error
        if value is None and match["unit"]:
            raise QuantityError("memory_unit")
    if value is None:
        return None
    if value <= 0:
        raise QuantityError("memory_unit")
    return value * _MEMORY_GIB[letter]


def parse_date(text: str | date | None) -> date | None:
    """A day from 2026-11-30, 2026/11/30 or 2026年11月30日. A month or a year alone counts from its first day,
    so that a figure looks older rather than younger than it is.
    """
    if text is None or isinstance(text, date):
        return text
    plain = tidy(text).replace(" ", "")
    if plain.lower() in MISSING:
        return None
    match = _DATE.match(plain)
    if match is None:
        raise QuantityError("date")
    year, month, day = (int(part) if part else 1 for part in match.groups())
    try:
        return date(year, month, day)
    except ValueError:
        raise QuantityError("date") from None


def parse_bool(text: str | bool | None) -> bool | None:
    """True or False from true/false, yes/no, 1/0, 是/否; None where it is missing."""
    if text is None or isinstance(text, bool):
        return text
    plain = tidy(text).lower()
    if plain in MISSING:
        return None
    if plain in ("true", "yes", "y", "1", "是", "有"):
        return True
    if plain in ("false", "no", "n", "0", "否", "无"):
        return False
    raise QuantityError("yes_no")


# --- writing ---

UNKNOWN = "—"
EXACT = 2.0**53  # from here on a float has no decimals


def rounded(x: float, digits: int) -> Decimal:
    """Half up on the decimal figure that a reader sees, never -0."""
    if abs(x) >= EXACT:  # no decimals are left, and more digits than `quantize` bears
        return Decimal(int(x))
    result = Decimal(repr(float(x))).quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP)
    return abs(result) if result == 0 else result


def number_text(x: float | None, lang: str, digits: int = 0) -> str:
    """Thousands by commas, `digits` decimals. Both languages write numbers alike; unknown is a dash."""
    return UNKNOWN if x is None else f"{rounded(x, digits):,f}"


def _short(x: float, digits: int) -> str:
    """Up to `digits` decimals, without trailing zeros."""
    text = f"{rounded(x, digits):,f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def money_text(amount: float | None, currency: str, lang: str) -> str:
    """Money as it is spoken: 21.10 万元, 3,500 元, CNY 211,000. Cents only below 1,000, where there are any."""
    if amount is None:
        return UNKNOWN
    cents = rounded(amount, 2)
    if lang == "zh" and currency == "CNY" and abs(rounded(amount, 0)) >= 10_000:
        return say("money.CNY_wan", lang, figure=number_text(float(cents / 10_000), lang, 2))
    show_cents = abs(cents) < 1_000 and cents != cents.to_integral_value()
    return say(f"money.{currency}", lang, figure=number_text(amount, lang, 2 if show_cents else 0))


def money_exact(amount: float | None, currency: str, lang: str) -> str:
    """Money to the cent, for tables that must add up."""
    return UNKNOWN if amount is None else say(f"money.{currency}", lang, figure=number_text(amount, lang, 2))


def percent_text(share: float | None, lang: str, digits: int = 1) -> str:
    """A share as per cent: 2.7% in zh, 2.7 % in en. Not quite all is never shown as 100 %, nor a little as 0 %."""
    if share is None:
        return UNKNOWN
    sign = "%" if lang == "zh" else " %"
    step, noise = 10.0**-digits, 1e-6  # a solver's 0.9999999 is all of it
    value = rounded(share * 100.0, digits)
    if value == 0 and abs(share) > noise:
        return f"{'<' if share > 0 else '>-'}{_short(step, digits)}{sign}"
    if value == 100 and share < 1.0 - noise:
        return f">{_short(100.0 - step, digits)}{sign}"
    return f"{_short(share * 100.0, digits)}{sign}"


def hours_text(hours: float | None, lang: str) -> str:
    """A duration in the unit that keeps the figure readable: seconds, minutes, or hours."""
    if hours is None:
        return UNKNOWN
    if hours != 0 and rounded(abs(hours) * 3600.0, 0) < 60:
        return say("quantity.seconds", lang, figure=_short(hours * 3600.0, 0 if abs(hours) * 3600.0 >= 10 else 1))
    if hours != 0 and rounded(abs(hours) * 60.0, 0) < 60:
        return say("quantity.minutes", lang, figure=_short(hours * 60.0, 0))
    return say("quantity.hours", lang, figure=_short(hours, 1 if abs(hours) < 100 else 0))


def memory_text(mib: float | None, lang: str) -> str:
    """Memory in GiB, below one GiB in MiB."""
    if mib is None:
        return UNKNOWN
    if rounded(abs(mib), 0) < 1024:
        return f"{number_text(mib, lang)} MiB"
    return f"{_short(mib / 1024.0, 1)} GiB"


def date_text(day: date | None, lang: str) -> str:
    """2026年11月30日 in zh, 2026-11-30 in en."""
    return UNKNOWN if day is None else say("quantity.date", lang, year=day.year, month=day.month, day=day.day)
