"""An amount of money in words, as a form or a cheque asks for it: Chinese capitals and English.

Chinese capitals follow the rules for filling in bills: yuan, jiao and fen; 整 where no fen follow; one 零 for any run
of zeros inside the figure, also between yuan and fen; no 零 before the unit itself. Amounts are rounded half up to the
cent first.
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from hwcost.messages import say

DIGITS = "零壹贰叁肆伍陆柒捌玖"
PLACES = ("", "拾", "佰", "仟")
GROUPS = ("", "万", "亿", "万亿")
LIMIT = Decimal(10) ** 16
SMALL = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
THOUSANDS = ("", " thousand", " million", " billion", " trillion", " quadrillion")


def amount_words(amount: float, currency: str, lang: str) -> str:
    """The amount in words with its currency: "人民币贰拾壹万壹仟元整", "Two hundred eleven thousand euros and 00/100".

    Raises `ValueError` for a negative amount or one of 17 digits or more: no form holds either.
    """
    figure = _chinese(amount) if lang == "zh" else _english(amount)
    name = say(f"amount.{currency}", lang)
    if lang == "zh":
        return f"{name}{figure}"
    words, cents = figure.split("|")
    return say("amount.sentence", lang, words=words[0].upper() + words[1:], currency=name, cents=cents)


def _cents(amount: float) -> tuple[int, int]:
    """Whole units and cents."""
    exact = Decimal(repr(float(amount)))
    if not 0 <= exact < LIMIT:
        raise ValueError(f"an amount in words must be from 0 to below {LIMIT:.0e}, not {amount!r}")
    total = int(exact.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP) * 100)
    return divmod(total, 100)


def _chinese(amount: float) -> str:
    """In capitals, without the currency: 1409.5 -> 壹仟肆佰零玖元伍角整."""
    whole, cents = _cents(amount)
    jiao, fen = divmod(cents, 10)
    text = f"{_chinese_whole(whole)}元" if whole else ""
    if not cents:
        return (text or "零元") + "整"
    if jiao:
        text += f"{DIGITS[jiao]}角"
    elif whole:
        text += "零"
    return f"{text}{DIGITS[fen]}分" if fen else f"{text}整"


def _chinese_whole(number: int) -> str:
    """Groups of four digits; a zero between two figures is said once."""
    text, gap = "", False
    for place in reversed(range(4 * len(GROUPS))):
        digit = number // 10**place % 10
        group, inside = divmod(place, 4)
        if digit:
            text += ("零" if gap and text else "") + DIGITS[digit] + PLACES[inside]
            gap = False
        else:
            gap = True
        if inside == 0 and number // 10**place % 10_000:
            text += GROUPS[group]
    return text


def _english(amount: float) -> str:
    """Words and cents, parted by a bar: 211000 -> two hundred eleven thousand|00."""
    whole, cents = _cents(amount)
    parts: list[str] = []
    rest, group = whole, 0
    while rest:
        rest, part = divmod(rest, 1000)
        if part:
            parts.insert(0, _below_thousand(part) + THOUSANDS[group])
        group += 1
    return f"{' '.join(parts) or SMALL[0]}|{cents:02d}"


def _below_thousand(number: int) -> str:
    hundreds, rest = divmod(number, 100)
    words = [f"{SMALL[hundreds]} hundred"] if hundreds else []
    if rest >= 20:
        tens, ones = divmod(rest, 10)
        words.append(TENS[tens] + (f"-{SMALL[ones]}" if ones else ""))
    elif rest:
        words.append(SMALL[rest])
    return " ".join(words)
