"""What has changed since the start: the inputs that differ, and what that does to price, cost and people."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

import streamlit as st

from hwcost.messages import say, texts
from hwcost.quantities import UNKNOWN, date_text, money_text, number_text
from hwcost.records import Catalog
from hwcost.web import documents, sections
from hwcost.web.desk import Desk, Figures
from hwcost.web.documents import Change, Document
from hwcost.web.lazy import pd
from hwcost.web.solve import Outcome
from hwcost.web.words import plain, word

MONEY_KEYS = ("budget.amount",)
MOST_ROWS = 40
TABLE_OF = {
    "choice.include_cards": "cards", "choice.exclude_cards": "cards", "choice.include_chassis": "chassis",
    "choice.exclude_chassis": "chassis", "choice.include_systems": "systems", "storage.ids": "storage",
    "option.cards": "cards", "option.chassis": "chassis", "option.systems": "systems", "service.card": "cards",
    "workload.preset": "networks",
}  # fmt: skip
# values that are words of the program, by the start of their message
WORDS_OF = {"fund.pays": "funduse", "service.kind": "web.money.kind", "workload.precision": "rulecode.precision"}
LISTED = re.compile(r"\[.*?\]")


def show(desk: Desk, outcome: Outcome, lang: str) -> None:
    """Both tables, where anything differs; and the button that starts to count anew."""
    start = desk.baseline()
    found = [*documents.differences(start, desk.document), *desk.other_changes()]
    if not found:
        return
    with st.expander(word("baseline", lang), expanded=True):
        sections.table(
            inputs_table(found, desk.document, outcome.scenario.currency, lang, desk.catalog),
            "changed-inputs",
            width=30,
        )
        before = desk.baseline_figures()
        if before is not None and before.total is not None:
            frame = result_table(before, Figures.of(outcome), outcome.scenario.currency, lang)
            sections.table(frame, "changed-results", right=(4,), width=36)
        st.button(word("baseline.set", lang), key="set-baseline", on_click=desk.set_baseline)


def inputs_table(
    found: list[Change], document: Document, currency: str, lang: str, catalog: Catalog | None = None
) -> pd.DataFrame:  # fmt: skip
    """Each input with its value before and now."""
    title, before, after = (word(f"baseline.{name}", lang) for name in ("input", "before", "after"))
    rows = [
        {
            title: plain(documents.label(c.key, document, lang)),
            before: plain(value_text(c.key, c.before, currency, lang, catalog)),
            after: plain(value_text(c.key, c.after, currency, lang, catalog)),
        }
        for c in found[:MOST_ROWS]
    ]
    return pd.DataFrame(rows).set_index(title)


def result_table(before: Figures, now: Figures, currency: str, lang: str) -> pd.DataFrame:
    """Purchase, total and people with their differences; the configuration in words."""

    def money(x: float | None) -> str:
        return money_text(x, currency, lang)

    def difference(a: float | None, b: float | None) -> float | None:
        return None if a is None or b is None else b - a

    title, old, new, more = (word(f"baseline.{n}", lang) for n in ("result", "before", "after", "difference"))
    rows = []
    for name, a, b in (("purchase", before.purchase, now.purchase), ("total", before.total, now.total)):
        change = difference(a, b)
        sign = "+" if change and change > 0 else ""
        rows.append({title: word(f"decision.row.{name}", lang), old: plain(money(a)), new: plain(money(b)),
                     more: plain(sign + money(change))})  # fmt: skip
    people = difference(before.people, now.people)
    rows.append({
        title: word("decision.row.people", lang), old: str(before.people), new: UNKNOWN if now.people is None else
        str(now.people), more: UNKNOWN if people is None else f"{people:+d}" if people else "0",
    })  # fmt: skip
    rows.append({title: word("decision.row.configuration", lang), old: plain(before.configuration.get(lang, UNKNOWN)),
                 new: plain(now.configuration.get(lang, UNKNOWN)), more: ""})  # fmt: skip
    return pd.DataFrame(rows).set_index(title)


def value_text(key: str, value: Any, currency: str, lang: str, catalog: Catalog | None = None) -> str:
    """A figure of the document as a reader knows it; items of the catalog by their names."""
    if value is None:
        return word("not_stated", lang)
    if isinstance(value, bool):
        return say("start.yes" if value else "start.no", lang)
    if key in MONEY_KEYS:
        return money_text(float(value), currency, lang)
    if isinstance(value, int | float):
        text = f"{value:,.10g}"
        return text if abs(value) < 1e9 else number_text(float(value), lang)
    if isinstance(value, date):
        return date_text(value, lang)
    if isinstance(value, list):
        return ("、" if lang == "zh" else ", ").join(
            value_text(key, item, currency, lang, catalog) for item in value)  # fmt: skip
    if isinstance(value, dict):
        return ", ".join(f"{name} {value_text(key, item, currency, lang)}" for name, item in value.items())
    plain_key = LISTED.sub("", key)  # "option[mine].cards" is one of the cards
    if plain_key.endswith(".id"):  # a row that came or went
        return say("start.yes", lang)
    if plain_key.startswith("payers."):
        return say(f"payer.{value}", lang)
    if plain_key in WORDS_OF and f"{WORDS_OF[plain_key]}.{value}" in texts():
        return say(f"{WORDS_OF[plain_key]}.{value}", lang)
    if catalog is not None and (table := TABLE_OF.get(plain_key)) is not None:
        row = getattr(catalog, table).get(value)
        if row is not None:
            return str((getattr(row, "name_zh", "") if lang == "zh" else "") or row.name)
    known = (f"objective.{value}", f"start.value.{value}", f"web.supply.{value}")
    return next((say(name, lang) for name in known if name in texts()), str(value))
