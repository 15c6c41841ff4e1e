"""What a quotation says outside its table: vendor, number, date, validity, delivery, warranty, currency, tax basis."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from hwcost.intake import words
from hwcost.intake.model import Cell

LABELLED = re.compile(r"^\s*(?P<label>[^:：]{1,30})[:：]\s*(?P<value>.+?)\s*$")
PIECES = re.compile(r"[\n\r;；，。]|,\s|\s{3,}")
ABOUT_MONEY = re.compile(r"币种|货币|单位|价格|报价|prices?\b|amounts?\b|currency|preise", re.IGNORECASE)
COMPANY = re.compile(
    r"^[\w（）()·\s&.,\-]{2,40}(有限公司|股份公司|Ltd\.?|Inc\.?|GmbH|LLC|Co\.,? ?Ltd\.?|B\.V\.)"
    r"(?= ?(报价单?|quotation|quote)?$)",
    re.IGNORECASE,
)
DURATION = re.compile(r"^(质保期?|保修期?|交货期|货期|交期|有效期|warranty|delivery|lead time|validity)\s*(?:为|of)?\s*"
                      r"((?:\d|[一两二三四五六七八九十]).{0,20})$", re.IGNORECASE)  # fmt: skip
TAX_WORDS = {True: "yes", False: "no"}


def outside_facts(rows: Iterable[tuple[int, Sequence[Cell]]]) -> dict[str, str]:
    """Facts of the rows before and after the table, as written. Where they contradict each other, tax and currency are
    left open; of the others the first word counts."""
    facts: dict[str, str] = {}
    taxes: set[bool] = set()
    currencies: set[str] = set()
    for _, cells in rows:
        own = [cell for cell in cells if cell.text and not cell.covered]
        for place, cell in enumerate(own):
            for piece in PIECES.split(cell.text):
                following = own[place + 1].text if place + 1 < len(own) else ""
                _one(piece.strip(), following, facts)
                if words.tax_of(piece) is not None:
                    taxes.add(bool(words.tax_of(piece)))
                if ABOUT_MONEY.search(piece) and words.currency_of(piece):
                    currencies.add(words.currency_of(piece))
    if len(taxes) == 1 and "tax" not in facts:
        facts["tax"] = TAX_WORDS[taxes.pop()]
    elif len(taxes) > 1:
        facts.pop("tax", None)
    if len(currencies) == 1 and "currency" not in facts:
        facts["currency"] = currencies.pop()
    return facts


def _one(piece: str, following: str, facts: dict[str, str]) -> None:
    """Notes the fact of "label: value", of a label with its value in the next cell, or of a company's name alone."""
    found = LABELLED.match(piece)
    if found:
        _note(found["label"], found["value"], facts)
    elif piece and following and not LABELLED.match(following):
        _note(piece.rstrip(":： "), following, facts)
    elif (company := COMPANY.match(piece)) and "vendor" not in facts and "大学" not in piece:
        facts["vendor"] = company[0].strip()
    elif duration := DURATION.match(piece):
        _note(duration[1], duration[2], facts)


def _note(label: str, value: str, facts: dict[str, str]) -> None:
    name = words.field_of(label)
    if name not in words.FACT_FIELDS or (name == "quote_number" and not re.search(r"\d", value)):
        return
    if name == "currency":
        value = words.currency_of(value) or value
    if name == "tax":
        stated = tax_word(value)
        if stated is None:
            return
        value = TAX_WORDS[stated]
    facts.setdefault(name, value.strip())


def tax_word(text: str) -> bool | None:
    """Whether a word in a column or behind "tax included:" says that tax is in the price; None: it does not say."""
    stated = words.tax_of(text)
    if stated is not None:
        return stated
    plain = text.strip().lower()
    if plain in ("yes", "y", "true", "是", "含", "有", "included", "incl", "incl.", "1"):
        return True
    if plain in ("no", "n", "false", "否", "不含", "无", "excluded", "excl", "excl.", "0"):
        return False
    return None
