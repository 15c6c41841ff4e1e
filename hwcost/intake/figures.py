"""Figures of a quotation: amounts in the column's decimal mark, days in all usual orders, durations in weeks and years.

What can be read in two ways raises `QuantityError` with both readings; the caller asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, timedelta

from hwcost import quantities
from hwcost.intake.model import Cell
from hwcost.quantities import QuantityError, is_missing, parse_date, parse_money, parse_number, tidy

SERIAL_START = date(1899, 12, 30)  # day 0 of a spreadsheet's days, with its leap year of 1900
SERIALS = range(36526, 73051)  # 2000-01-01 to 2100-01-01
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
NUMERALS = {"一": 1, "两": 2, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10}
WEEKS = {"day": 1 / 7, "workday": 1 / 5, "week": 1.0, "month": 365.25 / 12 / 7, "year": 365.25 / 7}
UNIT_WORDS = (
    ("workday", r"个?工作日|working days?|business days?|werktage?n?"),
    ("week", r"周|星期|个?礼拜|weeks?|wks?|wochen?"),
    ("month", r"个?月|months?|monaten?|monate?"), ("year", r"年|years?|yrs?|jahren?|jahre?"),
    ("day", r"日历天|个?天|日|days?|tagen?|tage?"),
)  # fmt: skip
LONGEST_WEEKS = 30 * 365.25 / 7  # no offer, delivery or warranty is longer
FROM_TO = r"(?<![A-Za-z0-9.])(?:(\d+(?:\.\d+)?)\s*(?:[-~–至到]|to|bis)\s*)?(\d+(?:\.\d+)?|[一两二三四五六七八九十])"
AT_ONCE = re.compile(r"现货|即时|立即|in stock|ex stock|immediate|ab lager|sofort", re.IGNORECASE)
DAY_FIRST = re.compile(r"^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$")
DAY_MONTH_NAME = re.compile(r"^(\d{1,2})(?:st|nd|rd|th)?[ .-]*([a-z]{3,9})\.?,?[ -]*(\d{4})$")
MONTH_NAME_DAY = re.compile(r"^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$")
# a unit behind a price: "12,999 元/张", "￥12,999.00/台"
PER_UNIT = re.compile(r"\s*(/|per |每)\s*(张|台|块|套|个|件|条|piece|pc|pcs|unit|each|ea|stück|st)\.?$", re.IGNORECASE)
PIECES = re.compile(
    r"\s*(台|张|块|套|个|件|条|颗|根|只|pcs?\.?|pieces?|units?|ea\.?|st(ück|k)?\.?|x|×)$", re.IGNORECASE
)
LEADING_WORD = re.compile(r"^(约|共|计|合计|ca\.?|approx\.?)\s*", re.IGNORECASE)
TAX_WORDS = re.compile(
    r"\([^()]*(?:税|tax|vat|gst|mwst|net|gross)[^()]*\)$|[,，]?\s*(?:不?含[^()]{0,8}税|未税|net|gross|incl\.?|excl\.?)$",
    re.IGNORECASE,
)


def column_mark(cells: Iterable[Cell], lone_comma: bool) -> str | None:
    """The decimal mark that a column's cells prove: "." or ","; None where none proves any, or they contradict."""
    marks = {quantities.decimal_mark(bare(c.text), lone_comma=lone_comma) for c in cells if c.value is None} - {None}
    return marks.pop() if len(marks) == 1 else None


def bare(text: str) -> str:
    """An amount without the unit and the words of tax behind it."""
    plain = PER_UNIT.sub("", tidy(text))
    plain = TAX_WORDS.sub("", plain).strip()
    return LEADING_WORD.sub("", PER_UNIT.sub("", plain)).strip()


def amount(cell: Cell, currency: str, mark: str | None, scale: float = 1.0) -> tuple[float, str] | None:
    """The amount of a cell and the currency it states ("" where none); None where it is missing.

    `currency` is what the column or the file says. Raises `QuantityError`; a price of 0 has the code zero_price.
    """
    if isinstance(cell.value, float):
        value, stated = cell.value, cell.currency
        if value < 0:
            raise QuantityError("negative_price")
    else:
        text = bare(cell.text)
        if not text or is_missing(text):
            return None
        money = parse_money(text, currency or "", decimal=mark)
        if money is None:
            return None
        value, stated = money.amount, money.currency if money.currency != currency or not currency else currency
        scale = 1.0 if re.search(r"[万亿元圆]", text) else scale  # a cell's own unit wins over its column's
    if value == 0:
        raise QuantityError("zero_price")
    return value * scale, stated


def count(cell: Cell, mark: str | None = None) -> float | None:
    """A quantity: "4", "4 台", "x4"; None where it is missing."""
    if isinstance(cell.value, float):
        return cell.value
    plain = re.sub(r"^[x×*]\s*", "", tidy(cell.text), flags=re.IGNORECASE)
    plain = PIECES.sub("", plain)
    if plain in NUMERALS:
        return float(NUMERALS[plain])
    return parse_number(plain, decimal=mark)


def day(cell: Cell | str, order: str | None = None) -> date | None:
    """A day from any usual form. `order` ("dmy" or "mdy") settles 03/04/2026; without it: date_ambiguous.

    A number is a spreadsheet's day. Raises `QuantityError`: date, date_ambiguous.
    """
    value = cell.value if isinstance(cell, Cell) else None
    text = tidy(cell.text if isinstance(cell, Cell) else cell).lower()
    if isinstance(value, date):
        return value
    if value is not None or re.fullmatch(r"\d{5}(\.\d+)?", text):
        serial = int(float(text if value is None else value))
        if serial not in SERIALS:
            raise QuantityError("date")
        return SERIAL_START + timedelta(days=serial)
    match = DAY_FIRST.match(text)
    if match:
        return _two_orders(int(match[1]), int(match[2]), int(match[3]), order)
    for pattern, names in ((DAY_MONTH_NAME, (1, 2)), (MONTH_NAME_DAY, (2, 1))):
        match = pattern.match(text)
        if match:
            month = match[names[1]][:3].replace("mai", "may").replace("okt", "oct").replace("dez", "dec")
            if month in MONTHS:
                return _day(int(match[3]), MONTHS.index(month) + 1, int(match[names[0]]))
    return parse_date(re.sub(r"(?<=\d)[ t]\d{1,2}:\d{2}.*$|日?(止|前)$", "", text) if text else text)


def _two_orders(first: int, second: int, year: int, order: str | None) -> date:
    if first > 12 or second > 12 or first == second or order:
        day_first = order == "dmy" if order and max(first, second) <= 12 else second <= 12
        return _day(year, second, first) if day_first else _day(year, first, second)
    pair = {"first": _day(year, second, first).isoformat(), "second": _day(year, first, second).isoformat()}
    raise QuantityError("date_ambiguous", **pair)


def _day(year: int, month: int, number: int) -> date:
    try:
        return date(year, month, number)
    except ValueError:
        raise QuantityError("date") from None


def duration_weeks(text: str) -> float | None:
    """Weeks of "4周", "30天", "15个工作日", "4-6 weeks" (the longer one), "现货" (0); a bare number is none."""
    plain = tidy(text).lower()
    if is_missing(plain):
        return None
    for unit, pattern in UNIT_WORDS:
        match = re.search(rf"{FROM_TO}\s*(?:{pattern})", plain)
        if match:
            figure = NUMERALS.get(match[2]) or float(match[2])
            weeks = figure * WEEKS[unit]
            return round(weeks, 2) if weeks <= LONGEST_WEEKS else None
    return 0.0 if AT_ONCE.search(plain) else None


def duration_years(text: str) -> float | None:
    """Years of "3年", "36个月", "三年"; a bare number up to 10 is years, a larger one could be months and is none."""
    weeks = duration_weeks(text)
    if weeks is not None and not AT_ONCE.search(text):
        return round(weeks / WEEKS["year"], 2)
    number = re.fullmatch(r"\d+(\.\d+)?", tidy(text))
    if number is None:
        return None
    return float(number[0]) if float(number[0]) <= 10 else None


def validity(text: str, value: Cell | None, issued: date | None, order: str | None) -> date | None:
    """The last day of validity: a day, or a duration from the day of the quotation (unknown without it)."""
    cell = value or Cell(text)
    try:
        return day(cell, order)
    except QuantityError as error:
        if error.code == "date_ambiguous":
            raise
        found = re.search(r"\d{4}\s*[-/.年]\s*\d{1,2}\s*[-/.月]\s*\d{1,2}", tidy(text))
        if found:
            return parse_date(found[0].replace(" ", ""))
        weeks = duration_weeks(text)
        if weeks is None:
            raise
        return issued + timedelta(days=round(weeks * 7)) if issued else None
