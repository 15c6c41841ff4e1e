"""Texts as Streamlit shows them: its sentences and table cells are Markdown, ours are plain."""

from __future__ import annotations

import re
from typing import Any

from hwcost.messages import say
from hwcost.names import configuration_text, option_name
from hwcost.options import OptionResult

_MARKS = re.compile(r"([\\`*_{}\[\]<>#$|~:])")


def plain(text: str) -> str:
    """The text with the marks of Markdown made harmless."""
    return _MARKS.sub(r"\\\1", text)


def word(key: str, lang: str, **values: Any) -> str:
    """A word of the app."""
    return say(f"web.{key}", lang, **values)


def lettered(result: OptionResult, lang: str) -> str:
    """Letter and name of an option: "B Two large-memory cards (2 x 40 GB or more)"."""
    return word("cell.lettered", lang, letter=result.letter, name=option_name(result, lang))


def configured(result: OptionResult, lang: str) -> str:
    """What the option buys or keeps; a dash where there is no plan of the kind."""
    if result.plan is None or not result.plan.has_plan:
        return "—"
    return configuration_text(result.plan.purchases, lang)
