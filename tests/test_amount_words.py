"""Amounts in words: the examples of the rules for filling in bills, and a reader that turns words back into figures."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hwcost.amount_words import amount_words

DIGIT = {c: n for n, c in enumerate("零壹贰叁肆伍陆柒捌玖")}
PLACE = {"拾": 10, "佰": 100, "仟": 1000}
TEENS = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
]  # fmt: skip
TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
SCALE = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12, "quadrillion": 10**15}


@pytest.mark.parametrize(
    ("amount", "words"),
    [
        (1409.50, "壹仟肆佰零玖元伍角整"),  # a zero in the middle is said
        (6007.14, "陆仟零柒元壹角肆分"),  # several zeros in the middle are said once
        (1680.32, "壹仟陆佰捌拾元叁角贰分"),  # a zero before yuan may be left out
        (107_000.53, "壹拾万零柒仟元伍角叁分"),
        (16_409.02, "壹万陆仟肆佰零玖元零贰分"),  # no jiao but fen: the zero is said
        (325.04, "叁佰贰拾伍元零肆分"),
        (211_000.00, "贰拾壹万壹仟元整"),
        (100_000_001.00, "壹亿零壹元整"),
        (0.05, "伍分"),
        (0.0, "零元整"),
    ],
)
def test_chinese_capitals_follow_the_rules_for_bills(amount: float, words: str) -> None:
    assert amount_words(amount, "CNY", "zh") == f"人民币{words}"


@pytest.mark.parametrize(
    ("amount", "currency", "words"),
    [
        (28_400.00, "EUR", "Twenty-eight thousand four hundred euros and 00/100"),
        (211_000.50, "CNY", "Two hundred eleven thousand Chinese yuan and 50/100"),
        (1_000_013.07, "USD", "One million thirteen US dollars and 07/100"),
        (0.0, "USD", "Zero US dollars and 00/100"),
    ],
)
def test_english_words_name_the_currency_and_hundredths(amount: float, currency: str, words: str) -> None:
    assert amount_words(amount, currency, "en") == words


def read_chinese(text: str) -> int:
    """Cents of an amount in capitals."""
    total = section = digit = 0
    cents = 0
    for c in text:
        if c in DIGIT:
            digit = DIGIT[c]
        elif c in PLACE:
            section += digit * PLACE[c]
            digit = 0
        elif c == "万":
            total += (section + digit) * 10**4
            section = digit = 0
        elif c == "亿":
            total = (total + section + digit) * 10**8
            section = digit = 0
        elif c == "元":
            total += section + digit
            section = digit = 0
        elif c == "角":
            cents += 10 * digit
            digit = 0
        elif c == "分":
            cents += digit
            digit = 0
    return 100 * total + cents


def read_english(text: str) -> int:
    words, hundredths = text.removesuffix("/100").rsplit(" and ", 1)
    total = part = 0
    for word in words.lower().split():
        pieces = word.split("-")
        if word in SCALE:
            total, part = total + part * SCALE[word], 0
        elif word == "hundred":
            part *= 100
        elif all(p in TEENS or p in TENS for p in pieces):
            part += sum(TEENS.index(p) if p in TEENS else TENS[p] for p in pieces)
    return 100 * (total + part) + int(hundredths)


@settings(max_examples=300)
@given(st.integers(0, 10**14))
def test_words_read_back_as_the_amount(cents: int) -> None:
    amount = cents / 100
    assert read_chinese(amount_words(amount, "CNY", "zh")) == cents
    assert read_english(amount_words(amount, "EUR", "en")) == cents


@given(st.integers(0, 10**14))
def test_no_zero_is_said_twice_or_before_a_unit(cents: int) -> None:
    words = amount_words(cents / 100, "CNY", "zh").removeprefix("人民币")
    assert "零零" not in words
    assert words == "零元整" or not any(f"零{unit}" in words for unit in "拾佰仟万亿元角分整")


def test_half_a_cent_rounds_up() -> None:
    assert amount_words(0.125, "CNY", "zh") == "人民币壹角叁分"


@pytest.mark.parametrize("bad", [-1.0, 1e16, float("nan"), float("inf")])
def test_amounts_that_no_form_holds_are_refused(bad: float) -> None:
    with pytest.raises((ValueError, ArithmeticError)):
        amount_words(bad, "CNY", "zh")
