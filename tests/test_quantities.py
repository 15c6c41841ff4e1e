"""Numbers and money as people write them, and as they read them."""

from __future__ import annotations

import math
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hwcost.quantities import (
    Money,
    QuantityError,
    date_text,
    decimal_mark,
    hours_text,
    memory_text,
    money_exact,
    money_text,
    number_text,
    parse_bool,
    parse_date,
    parse_memory,
    parse_money,
    parse_number,
    percent_text,
    rounded,
)


@pytest.mark.parametrize(
    ("text", "amount", "currency"),
    [
        ("￥12,999", 12999.0, "CNY"),
        ("¥12,999.00", 12999.0, "CNY"),
        ("RMB 12999", 12999.0, "CNY"),
        ("RMB 12,999", 12999.0, "CNY"),
        ("12,999元", 12999.0, "CNY"),
        ("人民币12,999元", 12999.0, "CNY"),
        ("$1,599.00", 1599.0, "USD"),
        ("US$1,599", 1599.0, "USD"),
        ("USD 1599", 1599.0, "USD"),
        ("１２，９９９．５０", 12999.5, "CNY"),
        ("１２９９９．５", 12999.5, "CNY"),
        ("1.2万", 12000.0, "CNY"),
        ("12万元", 120000.0, "CNY"),
        ("1.2 万美元", 12000.0, "USD"),
        ("1亿", 1e8, "CNY"),
        ("1 299,00", 1299.0, "CNY"),
        ("1\u00a0299,00 €", 1299.0, "EUR"),
        ("1\u202f299 EUR", 1299.0, "EUR"),
        ("€ 1.599,00", 1599.0, "EUR"),
        ("27200 欧元", 27200.0, "EUR"),
    ],
)
def test_a_price_is_read_with_its_currency(text: str, amount: float, currency: str) -> None:
    assert parse_money(text, "CNY") == Money(amount, currency)


def test_the_yen_sign_is_yen_only_where_the_default_is_yen() -> None:
    assert parse_money("¥12,999", "JPY") == Money(12999.0, "JPY")
    assert parse_money("¥12,999", "USD") == Money(12999.0, "CNY")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("(1,200)", -1200.0),
        ("（1,200）", -1200.0),
        ("\u22125", -5.0),
        ("13%", 0.13),
        ("１３％", 0.13),
        ("1.2万", 12000.0),
        ("1,234,567", 1234567.0),
        ("1.234.567", 1234567.0),
        ("1'299.50", 1299.5),
        ("0.599", 0.599),
        ("1599.125", 1599.125),
        ("1.2e6", 1_200_000.0),
        (" 8 ", 8.0),
    ],
)
def test_a_number_is_read_as_written(text: str, value: float) -> None:
    assert parse_number(text) == value


@pytest.mark.parametrize("text", ["N/A", "n/a", "-", "--", "—", "面议", "询价", "TBD", "", "   ", "\u3000", None])
def test_a_missing_figure_is_none_and_never_zero(text: str | None) -> None:
    assert parse_number(text) is None
    assert parse_money(text, "CNY") is None


@pytest.mark.parametrize("text", ["1,599", "1.599", "12,999"])
def test_one_separator_before_three_digits_is_refused_with_both_readings(text: str) -> None:
    with pytest.raises(QuantityError) as refused:
        parse_number(text)
    assert refused.value.code == "number_ambiguous"
    digits = text.replace(",", "").replace(".", "")
    assert refused.value.values == {"first": digits, "second": text.replace(",", ".")}


@pytest.mark.parametrize(
    ("text", "decimal", "value"),
    [("1,599", ".", 1599.0), ("1,599", ",", 1.599), ("1.599", ".", 1.599), ("1.599", ",", 1599.0), ("1,59", ",", 1.59)],
)
def test_the_columns_decimal_mark_decides_an_ambiguous_figure(text: str, decimal: str, value: float) -> None:
    assert parse_number(text, decimal=decimal) == value


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("1,59", "number_group"),
        ("0,5", "number_group"),
        ("1,59,000", "number_group"),
        ("12,34.5", "number_group"),
        ("1.599,00,0", "number_group"),
        ("5 5", "number_group"),
        ("nan", "not_finite"),
        ("NaN", "not_finite"),
        ("-inf", "not_finite"),
        ("1e999", "not_finite"),
        ("abc", "not_a_number"),
        ("12 W", "not_a_number"),
        ("--5", "not_a_number"),
        ("(-5)", "not_a_number"),
        ("12999 USD", "not_a_number"),
    ],
)
def test_what_is_no_number_is_refused(text: str, code: str) -> None:
    with pytest.raises(QuantityError) as refused:
        parse_number(text)
    assert refused.value.code == code


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_float_that_is_not_finite_is_refused(value: float) -> None:
    with pytest.raises(QuantityError) as refused:
        parse_number(value)
    assert refused.value.code == "not_finite"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("(1,200)", "negative_price"),
        ("\u22125", "negative_price"),
        ("-￥500", "negative_price"),
        ("(￥500)", "negative_price"),
        ("￥-500", "negative_price"),
        ("￥1.599", "number_ambiguous"),
        ("€1,599", "number_ambiguous"),
        ("12999 ABC", "currency_unknown"),
        ("$1,599元", "currency_conflict"),
        ("13%", "not_a_number"),
        ("12999左右", "not_a_number"),
    ],
)
def test_what_is_no_price_is_refused(text: str, code: str) -> None:
    with pytest.raises(QuantityError) as refused:
        parse_money(text, "CNY")
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("text", "mark", "lone"),
    [("12,999.00", ".", None), ("1.599,00", ",", None), ("1,599", None, None), ("12", None, None), ("0.5", ".", None),
     ("1,234,567", ".", None), ("0,5", None, ","), ("1,59", None, ",")],
)  # fmt: skip
def test_a_cell_proves_its_decimal_mark_only_where_it_can_be_read_in_one_way(
    text: str, mark: str | None, lone: str | None
) -> None:
    assert decimal_mark(text) == mark
    assert decimal_mark(text, lone_comma=True) == (lone or mark)


@given(st.integers(min_value=0, max_value=10**13), st.sampled_from(["￥{}", "{}元", "RMB {}", "CNY {}", "¥ {}"]))
def test_cents_survive_writing_and_reading(cents: int, form: str) -> None:
    figure = f"{cents // 100:,}.{cents % 100:02d}"
    assert parse_money(form.format(figure), "USD") == Money(cents / 100, "CNY")


@given(st.integers(min_value=-(10**9), max_value=10**9), st.sampled_from([".", ","]))
def test_both_european_and_chinese_separators_read_the_same(thousandths: int, decimal: str) -> None:
    plain = f"{thousandths / 1000:,.3f}"
    written = plain if decimal == "." else plain.replace(",", "_").replace(".", ",").replace("_", ".")
    assert parse_number(written, decimal=decimal) == thousandths / 1000


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_finite_float_reads_back_from_its_own_text(value: float) -> None:
    assert parse_number(repr(value), decimal=".") == value


@given(st.integers(min_value=0, max_value=10**12))
def test_full_width_digits_mean_what_plain_digits_mean(value: int) -> None:
    wide = str(value).translate({ord("0") + n: 0xFF10 + n for n in range(10)})
    assert parse_number(wide) == value


@given(st.text(max_size=12))
def test_any_text_is_a_finite_number_missing_or_refused(text: str) -> None:
    try:
        value = parse_number(text)
    except QuantityError as refused:
        assert refused.code
    else:
        assert value is None or math.isfinite(value)


@given(st.floats(min_value=-1e12, max_value=1e12))
def test_nothing_is_ever_written_as_minus_zero(value: float) -> None:
    for text in (number_text(value, "zh"), number_text(value, "en", 2), money_exact(value, "CNY", "en")):
        figure = text.removeprefix("CNY ")
        assert not (figure.startswith("-") and not figure.strip("-0.,"))


@pytest.mark.parametrize(
    ("text", "gib"),
    [("24 GB", 24.0), ("24GiB", 24.0), ("24564MiB", 24564 / 1024), ("24,564 MiB", 24564 / 1024), ("1.5 TB", 1536.0),
     ("48", 48.0), ("２４ ＧＢ", 24.0), ("N/A", None), ("", None)],
)  # fmt: skip
def test_memory_is_read_in_gib(text: str, gib: float | None) -> None:
    assert parse_memory(text) == gib


@pytest.mark.parametrize("text", ["24 GBit", "much", "0 GB", "-8 GB", "GB"])
def test_what_is_no_memory_is_refused(text: str) -> None:
    with pytest.raises(QuantityError) as refused:
        parse_memory(text)
    assert refused.value.code == "memory_unit"


def test_a_day_is_read_in_the_usual_forms_and_a_month_counts_from_its_first_day() -> None:
    for text in ("2026-11-03", "2026/11/3", "2026年11月3日", "２０２６-11-03"):
        assert parse_date(text) == date(2026, 11, 3)
    assert parse_date("2026-11") == date(2026, 11, 1)
    assert parse_date("2026") == date(2026, 1, 1)
    assert parse_date("") is None
    for text in ("2026-13-01", "2026-02-30", "3.11.2026", "soon"):
        with pytest.raises(QuantityError) as refused:
            parse_date(text)
        assert refused.value.code == "date"


def test_yes_and_no_are_read_in_both_languages() -> None:
    assert [parse_bool(t) for t in ("true", "Yes", "是", "1")] == [True] * 4
    assert [parse_bool(t) for t in ("FALSE", "no", "否", "0")] == [False] * 4
    assert parse_bool("") is None
    with pytest.raises(QuantityError):
        parse_bool("maybe")


@pytest.mark.parametrize(
    ("amount", "currency", "zh", "en"),
    [
        (211_000, "CNY", "21.10 万元", "CNY 211,000"),
        (250_000.4, "CNY", "25.00 万元", "CNY 250,000"),
        (3_500, "CNY", "3,500 元", "CNY 3,500"),
        (9_999.4, "CNY", "9,999 元", "CNY 9,999"),
        (9_999.5, "CNY", "1.00 万元", "CNY 10,000"),
        (0.75, "CNY", "0.75 元", "CNY 0.75"),
        (999.5, "CNY", "999.50 元", "CNY 999.50"),
        (999.999, "CNY", "1,000 元", "CNY 1,000"),
        (500.0, "CNY", "500 元", "CNY 500"),
        (0, "CNY", "0 元", "CNY 0"),
        (-0.001, "CNY", "0 元", "CNY 0"),
        (-63_000, "CNY", "-6.30 万元", "CNY -63,000"),
        (27_200, "EUR", "27,200 欧元", "EUR 27,200"),
        (1_599, "USD", "1,599 美元", "USD 1,599"),
        (None, "CNY", "—", "—"),
    ],
)
def test_money_is_spoken_in_the_readers_way(amount: float | None, currency: str, zh: str, en: str) -> None:
    assert money_text(amount, currency, "zh") == zh
    assert money_text(amount, currency, "en") == en


def test_exact_money_has_two_decimals_rounded_half_up() -> None:
    assert money_exact(211_000, "CNY", "zh") == "211,000.00 元"
    assert money_exact(1234.565, "USD", "en") == "USD 1,234.57"
    assert money_exact(-0.001, "EUR", "zh") == "0.00 欧元"


def test_figures_too_large_for_decimals_are_written_whole() -> None:
    assert rounded(1e15 + 0.5, 2) == Decimal("1000000000000000.50")
    assert rounded(-1e308, 2) == Decimal(int(-1e308)) and number_text(1e16, "en", 2) == "10,000,000,000,000,000"


@pytest.mark.parametrize(
    ("share", "zh", "en"),
    [(0.027, "2.7%", "2.7 %"), (0.92, "92%", "92 %"), (1.0, "100%", "100 %"), (0.0, "0%", "0 %"),
     (0.125, "12.5%", "12.5 %"), (0.9999, ">99.9%", ">99.9 %"), (0.0001, "<0.1%", "<0.1 %"),
     (0.9999999999, "100%", "100 %"), (1.2, "120%", "120 %")],
)  # fmt: skip
def test_not_quite_all_is_never_shown_as_all(share: float, zh: str, en: str) -> None:
    assert percent_text(share, "zh") == zh
    assert percent_text(share, "en") == en


@pytest.mark.parametrize(
    ("hours", "zh", "en"),
    [(0.0, "0 小时", "0 h"), (0.001, "3.6 秒", "3.6 s"), (0.01, "36 秒", "36 s"), (0.5, "30 分钟", "30 min"),
     (0.9999, "1 小时", "1 h"), (3.26, "3.3 小时", "3.3 h"), (9200, "9,200 小时", "9,200 h")],
)  # fmt: skip
def test_a_duration_is_in_the_unit_that_keeps_it_readable(hours: float, zh: str, en: str) -> None:
    assert hours_text(hours, "zh") == zh
    assert hours_text(hours, "en") == en


def test_memory_and_days_are_written_for_the_reader() -> None:
    assert memory_text(24_564, "en") == "24 GiB"  # 23.988
    assert memory_text(45_634, "zh") == "44.6 GiB"  # 44.564
    assert memory_text(512, "zh") == "512 MiB"
    assert date_text(date(2026, 11, 3), "zh") == "2026年11月3日"
    assert date_text(date(2026, 11, 3), "en") == "2026-11-03"
