"""Who bears which kind of cost: the lab, the university, or nobody in cash."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from hwcost.messages import say, texts
from hwcost.quantities import parse_number
from hwcost.scenario import PAYERS, Scenario
from hwcost.web import boxes, inputs, money_rows
from hwcost.web.desk import Desk
from hwcost.web.words import plain, word

ENERGY = ("energy_idle", "energy_busy")
RUNNING = ("energy", "hosting", "staff", "setup", "maintenance", "failures", "campus", "rental", "overhead")
BOUGHT = ("system", "card", "host", "psu", "storage", "freight", "installation", "tax", "residual")
HOURS = ("staff", "setup")  # the only costs that can be hours which nobody is paid for
COLUMNS = 3
APART = "apart"  # waiting and computing are paid by different ones


def show(desk: Desk, scenario: Scenario, lang: str) -> None:
    """A box for each kind of running cost; those of the purchase folded away."""
    st.caption(plain(word("money.payers_note", lang)))
    _boxes(desk, scenario, RUNNING, lang)
    with st.expander(word("money.payers_bought", lang)):
        _boxes(desk, scenario, BOUGHT, lang)
    _amounts(desk, scenario, lang)


def _amounts(desk: Desk, scenario: Scenario, lang: str) -> None:
    """What hosting and hours cost, and how many hours the group has; an emptied box goes back to the usual figure."""
    currency = word(f"unit.{scenario.currency}", lang)
    money = money_rows.money(scenario.currency)
    asked = (
        ("power.hosting_per_node_year", scenario.hosting_per_node_year or None, "hosting_amount", money),
        ("staff.wage_per_hour", scenario.staff_wage_per_hour, "wage", money),
        ("staff.hours_limit_per_year", scenario.staff_hours_limit_per_year, "hours_limit", parse_number),
    )
    for (key, value, name, parse), column in zip(asked, st.columns(COLUMNS), strict=True):
        with column:
            label = word(f"money.{name}", lang, currency=currency)
            boxes.figure(desk, key, value, label, parse, lang, word(f"money.{name}_help", lang))


def _boxes(desk: Desk, scenario: Scenario, kinds: Sequence[str], lang: str) -> None:
    for start in range(0, len(kinds), COLUMNS):
        for kind, column in zip(kinds[start : start + COLUMNS], st.columns(COLUMNS), strict=True):
            with column:
                _box(desk, scenario, kind, lang)


def _box(desk: Desk, scenario: Scenario, kind: str, lang: str) -> None:
    box = f"{desk.current}/payers.{kind}"
    now = payer_of(scenario, kind)
    st.session_state[box] = now
    choices = [p for p in PAYERS if p != "non_cash" or kind in HOURS or now == p] + ([APART] if now == APART else [])

    def changed() -> None:
        chosen = st.session_state[box]
        if chosen != APART:
            inputs.apply(desk, fields_of(kind, chosen))

    st.selectbox(name_of(kind, lang), choices, key=box, on_change=changed, format_func=lambda p: payer_name(p, lang))


def payer_of(scenario: Scenario, kind: str) -> str:
    """Who pays it; electricity has two lines, which mostly have one payer."""
    if kind != "energy":
        return scenario.payers.get(kind, "lab")
    found = {scenario.payers.get(line, "lab") for line in ENERGY}
    return found.pop() if len(found) == 1 else APART


def fields_of(kind: str, payer: str) -> dict[str, Any]:
    """The figures of the document; of electricity both lines at once."""
    if kind != "energy":
        return {f"payers.{kind}": payer}
    return {"payers.energy": payer, **{f"payers.{line}": None for line in ENERGY}}


def name_of(kind: str, lang: str) -> str:
    key = f"web.money.payers.{kind}"
    return say(key if key in texts() else f"category.{kind}", lang)


def payer_name(payer: str, lang: str) -> str:
    return word("money.payers_apart", lang) if payer == APART else say(f"payer.{payer}", lang)
