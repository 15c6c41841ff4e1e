"""Components of a whole machine from words: "4×RTX PRO 5000 48GB / 128GB DDR5 / 8TB NVMe / 2200W"."""

from __future__ import annotations

import re

from hwcost.intake import words
from hwcost.intake.figures import NUMERALS
from hwcost.intake.model import Part
from hwcost.quantities import tidy

SEGMENTS = re.compile(r"[;；,，、\n\r|]|(?<!\d)\+|\+(?!\d)|\s/\s|/(?=[A-Za-z\u4e00-\u9fff\d])|\s{2,}")
DIGIT_WORDS = "一二两双三四五六七八九十"
COUNT_FIRST = re.compile(r"(?<![\w.-])(\d{1,2})\s*(?:[x×*]\s*(?=\D)|[张块片颗个]\s*)", re.IGNORECASE)
COUNT_LAST = re.compile(
    r"(?:\s|(?<=[a-z\)\u4e00-\u9fff])|(?<=[A-Za-z]))[x×*]\s*(\d{1,2})(?!\d|\s*(?:g|t|w)b?)\s*[张块片颗个]?\s*(?:\)|$)|"
    r"[x×*]\s*(\d{1,2})\s*(?:[张块片颗个]|$)|[(（](\d{1,2})[张块片个]?[)）]\s*$",
    re.IGNORECASE,
)
COUNT_OF_WATTS = re.compile(r"(?<![\w.])(\d)\s*[x×*]\s*\d{3,4}\s*(?:w|瓦)", re.IGNORECASE)
COUNT_WORD = re.compile(
    rf"([{DIGIT_WORDS}])(?:张|块|片|卡|路|颗)|\b(single|dual|two|three|four|quad|six|eight)\b", re.IGNORECASE
)
ENGLISH = {"single": 1, "dual": 2, "two": 2, "three": 3, "four": 4, "quad": 4, "six": 6, "eight": 8}
PRODUCT = re.compile(r"(\d{1,3})\s*[x×*]\s*(\d+(?:\.\d+)?)\s*(G|T)i?B?(?![a-z])", re.IGNORECASE)
PRODUCT_LAST = re.compile(
    r"(\d+(?:\.\d+)?)\s*(G|T)i?B?\s*(?:[A-Za-z0-9.\- ]{0,14})[x×*]\s*(\d{1,2})(?!\d)", re.IGNORECASE
)
SIZE = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)\s*(G|T)i?B?(?![a-z])", re.IGNORECASE)
WATTS = re.compile(r"(?<![\w.])(\d{3,4})\s*(?:w\b|瓦)", re.IGNORECASE)


def parts_of(text: str, row: int) -> list[Part]:
    """The components that a text names, one per segment that names any."""
    found = []
    for segment in SEGMENTS.split(tidy_lines(text)):
        segment = segment.strip()
        category = words.category_of(segment)
        if category and not (category == "card" and not re.search(r"\d", segment)):  # "GPU 工作站" names no card
            found.append(Part(category, segment, count_of(segment), row))
    return found


def tidy_lines(text: str) -> str:
    return "\n".join(tidy(line) for line in text.splitlines())


def count_of(text: str) -> int | None:
    """How many of a component a text states: "4×", "×4", "4张", "四卡", "dual"; None where it does not say.

    "8×16GB" counts modules, not what the buyer means, and is left to `size_gib`.
    """
    category = words.category_of(text)
    plain = PRODUCT.sub(" ", tidy(text)) if category == "ram" else tidy(text)
    if category == "psu" and (both := re.search(r"(?<!\d)(\d)\+(\d)(?!\d)", plain)):
        return int(both[1]) + int(both[2])  # those that carry the load and the redundant ones
    match = COUNT_OF_WATTS.search(plain) if category == "psu" else None
    match = match or COUNT_FIRST.search(plain)
    if match:
        return int(match[1])
    match = COUNT_LAST.search(plain)
    if match:
        return int(next(group for group in match.groups() if group))
    match = COUNT_WORD.search(plain)
    if match:
        word = (match[1] or match[2]).lower()
        return ENGLISH.get(word) or {"双": 2}.get(word) or NUMERALS[word]
    return None


def without_count(text: str) -> str:
    """A component's name without its count."""
    plain = COUNT_FIRST.sub(" ", COUNT_LAST.sub(" ", tidy(text), count=1), count=1)
    plain = re.sub(r"[(（]\s*[)）]", " ", COUNT_WORD.sub(" ", plain, count=1))
    return re.sub(r"\s+", " ", plain).strip()


def size_gib(text: str) -> float | None:
    """The size that a text states, in GiB, with the number of modules: "128GB (8×16GB)", "16G*8", "1TB"; None: none."""
    plain = tidy(text)
    sizes = {float(m[1]) * float(m[2]) * _unit(m[3]) for m in PRODUCT.finditer(plain)}
    sizes |= {float(m[1]) * _unit(m[2]) * float(m[3]) for m in PRODUCT_LAST.finditer(plain)}
    if len(sizes) == 1:
        return sizes.pop()
    single = [float(m[1]) * _unit(m[2]) for m in SIZE.finditer(plain)]
    return single[0] if single and not sizes else None


def watts(text: str) -> float | None:
    """The rating of a supply: "2200W", "1600 瓦"; None where none is stated."""
    match = WATTS.search(tidy(text))
    return float(match[1]) if match else None


def _unit(letter: str) -> float:
    return 1024.0 if letter.upper() == "T" else 1.0
