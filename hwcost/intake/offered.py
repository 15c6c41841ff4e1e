"""Answers to questions whose choices are the same for every file; anything else would be read as one of them."""

from __future__ import annotations

import re

from hwcost.intake.model import LEAVE_OUT
from hwcost.records import PRICE_KINDS

OFFERED: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"price_kind", PRICE_KINDS),
    (r"tax_included", ("yes", "no")),
    (r"on_sale", ("yes", "no")),
    (r"date_order", ("dmy", "mdy")),
    (r"decimal", (".", ",")),
    (r"extras", ("add", "apart")),
    (r"unknown", (LEAVE_OUT, "ask")),
    (r"block\d+\.layout", ("machine", "items")),
    (r"row\d+\.far", ("keep", LEAVE_OUT)),
    (r"row\d+\.total", ("lines",)),
)


def offered(question_id: str) -> tuple[str, ...]:
    """The answers that a question may have; empty where the file decides."""
    if question_id == "header_row":
        return ("1-9999999",)
    return next((answers for pattern, answers in OFFERED if re.fullmatch(pattern, question_id)), ())


def fits(question_id: str, answer: str) -> bool:
    """Whether an answer can be one to the question of this id."""
    if question_id == "header_row":
        return re.fullmatch(r"[0-9]{1,7}", answer) is not None
    return not offered(question_id) or answer in offered(question_id)
