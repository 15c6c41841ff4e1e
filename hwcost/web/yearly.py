"""Equipment money that comes in parts, where no fund is stated: a box for each year, and whether the rest is kept."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from hwcost.errors import Problem
from hwcost.names import budget_text
from hwcost.scenario import Scenario
from hwcost.web import boxes, money_rows
from hwcost.web.desk import Desk
from hwcost.web.words import plain, word

COLUMNS = 5
KEY = "budget.per_year"


def show(desk: Desk, scenario: Scenario, lang: str) -> None:
    """The boxes; empty ones say that all of it is there at the start."""
    parts = scenario.equipment_per_year
    with st.expander(word("money.yearly", lang), expanded=bool(parts)):
        budget = word("no_limit", lang) if scenario.budget is None else budget_text(scenario, lang)
        st.caption(plain(word("money.yearly_note", lang, budget=budget)))
        currency = word(f"unit.{scenario.currency}", lang)
        asked: dict[str, tuple[float | None, str]] = {
            f"{KEY}/{year}": (parts[year] if year < len(parts) else None,
                              word("money.yearly_box", lang, year=year + 1, currency=currency))
            for year in range(scenario.horizon_years)
        }  # fmt: skip

        def edit(read: Mapping[str, Any]) -> Sequence[Problem]:
            return desk.edit(fields_of([read[name] for name in asked], desk.scenario()))

        boxes.figures(desk, asked, money_rows.money(scenario.currency), lang, edit, columns=COLUMNS)
        if not parts:
            return
        boxes.flag(desk, "budget.carry_over", scenario.equipment_carry_over, word("money.yearly_carry", lang))
        late = [year for year, part in enumerate(parts) if part and year > max(scenario.purchase_years)]
        if late:
            st.warning(plain(word("money.yearly_late", lang, year=late[0] + 1)))


def fields_of(amounts: Sequence[float | None], scenario: Scenario) -> dict[str, Any]:
    """Figures of the document for these amounts, the first year's first; the budget is their sum. None and 0 at the
    end are no years; all of them empty leaves the sum as it is, at the start.
    """
    parts = [amount or 0.0 for amount in amounts]
    while parts and not parts[-1]:
        parts.pop()
    if not parts and not scenario.equipment_per_year:
        return {}
    if not parts:
        return {KEY: None, "budget.amount": scenario.budget, "budget.carry_over": None,
                "objective": scenario.objective}  # fmt: skip
    return {KEY: parts, "budget.amount": math.fsum(parts), "budget.tax_included": scenario.budget_tax_included,
            "objective": scenario.objective}  # fmt: skip
