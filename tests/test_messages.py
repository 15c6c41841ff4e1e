"""Every word that a user reads exists in both languages and asks for the same figures."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

import hwcost
from hwcost.messages import LANGUAGES, texts
from hwcost.problems import message_key

CJK = re.compile(r"[\u3400-\u9fff\uff00-\uffef\u3000-\u303f]")
ALL = sorted(texts().items())
IDS = [key for key, _ in ALL]


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize(("key", "entry"), ALL, ids=IDS)
def test_every_message_has_both_languages_and_the_same_placeholders(key: str, entry: dict[str, str]) -> None:
    assert sorted(entry) == sorted(LANGUAGES)
    assert bool(entry["en"].strip()) == bool(entry["zh"].strip())  # a column without a title has none in either
    assert placeholders(entry["en"]) == placeholders(entry["zh"])
    assert "" not in placeholders(entry["en"])  # figures are named, so that a translation may move them


@pytest.mark.parametrize(("key", "entry"), ALL, ids=IDS)
def test_chinese_is_chinese_and_english_is_english(key: str, entry: dict[str, str]) -> None:
    assert not CJK.search(entry["en"])
    # symbols (kWh, ATX, BF16) are the same in both languages; words are not
    assert CJK.search(entry["zh"]) or not re.search(r"\b[a-z]{4,}", re.sub(r"{[^}]*}", "", entry["zh"]))
    assert CJK.search(entry["zh"]) or not key.startswith(("problem.", "rule."))


def test_every_problem_that_the_program_can_raise_has_its_sentence() -> None:
    raised: set[str] = set()
    for path in Path(hwcost.__file__).parent.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        raised.update(re.findall(r"\b(?:Problem|QuantityError|_problem)\(\s*\"([a-z][a-z0-9_.]*)\"", source))
    assert {"zero_price", "number_ambiguous", "row_twice", "id_unknown"} <= raised
    assert not sorted(code for code in raised if message_key(code) not in texts())


def test_chinese_sentences_use_full_width_punctuation() -> None:
    for key, entry in ALL:
        # a half-width comma, colon or semicolon directly behind a Chinese character is a slip
        assert not re.search(r"[\u4e00-\u9fff][,;:?!]", entry["zh"]), key
