"""Money and hired hours: funds and what each may pay for, who pays what, card-hours of others, years of purchase."""

from __future__ import annotations

from typing import Any

import streamlit as st

from hwcost.errors import InputError
from hwcost.names import budget_text
from hwcost.scenario import Scenario
from hwcost.scenario_money import equipment_of_funds
from hwcost.web import boxes, inputs, money_rows, money_tables, payers, state, yearly
from hwcost.web.desk import Desk
from hwcost.web.documents import get
from hwcost.web.words import plain, word


def draw() -> None:
    lang, desk = state.language(), state.desk()
    st.title(plain(word("money.title", lang)), anchor=False)
    st.caption(plain(word("money.intro", lang)))
    try:
        scenario = desk.scenario()
    except InputError as error:
        inputs.problems(error.problems, lang)
        return
    st.subheader(plain(word("money.funds", lang)), anchor=False)
    _funds(desk, scenario, lang)
    st.subheader(plain(word("money.payers", lang)), anchor=False)
    payers.show(desk, scenario, lang)
    st.subheader(plain(word("money.services", lang)), anchor=False)
    st.caption(plain(word("money.services_note", lang)))
    money_tables.services(desk, scenario, lang)
    st.subheader(plain(word("money.purchase", lang)), anchor=False)
    _purchase(desk, scenario, lang)


def _funds(desk: Desk, scenario: Scenario, lang: str) -> None:
    if not scenario.funds:
        budget = word("no_limit", lang) if scenario.budget is None else budget_text(scenario, lang)
        st.info(plain(word("money.no_funds", lang, budget=budget)))
        st.button(word("money.make_funds", lang), key="make-funds", on_click=money_tables.edit,
                  args=(desk, money_rows.as_funds(scenario), "funds"))  # fmt: skip
        yearly.show(desk, scenario, lang)
        return
    st.caption(plain(word("money.funds_note", lang)))
    held = equipment_of_funds(scenario.funds)
    if "amount" in get(desk.document, "budget", {}) and held != scenario.budget:
        st.info(plain(word("money.both", lang, budget=budget_text(scenario, lang))))
    money_tables.funds(desk, lang)
    st.button(word("money.drop_funds", lang), key="drop-funds", on_click=money_tables.edit,
              args=(desk, _without(scenario), "funds"))  # fmt: skip


def _without(scenario: Scenario) -> dict[str, Any]:
    """One budget in the place of the funds."""
    fields: dict[str, Any] = {"fund": [], "objective": scenario.objective}
    if scenario.budget is not None:
        fields |= {"budget.amount": scenario.budget, "budget.tax_included": scenario.budget_tax_included}
    return fields


# --- years, delivery, running cost ---


def _purchase(desk: Desk, scenario: Scenario, lang: str) -> None:
    left, middle, right = st.columns(3)
    with left:
        box = f"{desk.current}/purchase.years"
        st.session_state[box] = [y + 1 for y in scenario.purchase_years]

        def years() -> None:
            inputs.apply(desk, {"purchase.years": [y - 1 for y in sorted(st.session_state[box])] or None})

        st.multiselect(word("money.years", lang), list(range(1, scenario.horizon_years + 1)), key=box, on_change=years,
                       placeholder=word("open.choose", lang), help=word("money.years_help", lang),
                       format_func=lambda y: word("money.year", lang, year=y))  # fmt: skip
    with middle:
        boxes.figure(desk, "purchase.lead_weeks", scenario.lead_weeks or None, word("money.lead_weeks", lang),
                     money_rows.whole, lang, word("money.lead_help", lang))  # fmt: skip
    with right:
        currency = word(f"unit.{scenario.currency}", lang)
        boxes.figure(desk, "budget.running_per_year", scenario.running_budget_per_year,
                     word("money.running", lang, currency=currency), money_rows.money(scenario.currency), lang,
                     word("money.running_help", lang))  # fmt: skip
    boxes.flag(desk, "purchase.upgrades", scenario.upgrades, word("money.upgrades", lang))
    boxes.flag(desk, "purchase.retire_owned", scenario.retire_owned, word("money.retire", lang))


if __name__ == "__main__":
    if faults := st.session_state.pop("page_faults", None):
        inputs.problems(faults, state.language())
    draw()
