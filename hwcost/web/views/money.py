"""Money and hired hours: funds and what each may pay for, campus and cloud card-hours, years of purchase."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from hwcost.errors import InputError, Problem
from hwcost.names import budget_text
from hwcost.quantities import QuantityError, date_text
from hwcost.records import Catalog
from hwcost.scenario import Scenario
from hwcost.scenario_money import equipment_of_funds
from hwcost.web import grid, inputs, money_rows, state
from hwcost.web.desk import Desk
from hwcost.web.documents import get
from hwcost.web.grid import Column, Edits
from hwcost.web.money_rows import FUND, SERVICE
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
    st.subheader(plain(word("money.services", lang)), anchor=False)
    _services(desk, scenario, lang)
    st.subheader(plain(word("money.purchase", lang)), anchor=False)
    _purchase(desk, scenario, lang)


def _funds(desk: Desk, scenario: Scenario, lang: str) -> None:
    if not scenario.funds:
        budget = word("no_limit", lang) if scenario.budget is None else budget_text(scenario, lang)
        st.info(plain(word("money.no_funds", lang, budget=budget)))
        st.button(word("money.make_funds", lang), key="make-funds", on_click=_edit,
                  args=(desk, money_rows.as_funds(scenario), "funds"))  # fmt: skip
        return
    st.caption(plain(word("money.funds_note", lang)))
    held = equipment_of_funds(scenario.funds)
    if "amount" in get(desk.document, "budget", {}) and held != scenario.budget:
        st.info(plain(word("money.both", lang, budget=budget_text(scenario, lang))))
    _table(desk, FUND, lang)
    st.button(
        word("money.drop_funds", lang), key="drop-funds", on_click=_edit, args=(desk, _without(scenario), "funds")
    )


def _without(scenario: Scenario) -> dict[str, Any]:
    """One budget in the place of the funds."""
    fields: dict[str, Any] = {"fund": [], "objective": scenario.objective}
    if scenario.budget is not None:
        fields |= {"budget.amount": scenario.budget, "budget.tax_included": scenario.budget_tax_included}
    return fields


def _services(desk: Desk, scenario: Scenario, lang: str) -> None:
    st.caption(plain(word("money.services_note", lang)))
    _table(desk, SERVICE, lang)
    offers = offered(desk.catalog, scenario)
    left, right = st.columns([6, 1], vertical_alignment="bottom")
    with left:
        chosen = st.selectbox(
            word("money.offer", lang), offers, index=None, key="offer", placeholder=word("open.choose", lang),
            format_func=lambda i: _offer(desk.catalog, i, lang),
        )  # fmt: skip
    with right:
        st.button(word("workloads.add.button", lang), key="add-offer", width="stretch", disabled=chosen is None,
                  on_click=_hire, args=(desk, str(chosen)))  # fmt: skip


def offered(catalog: Catalog, scenario: Scenario) -> list[str]:
    """Rows of the catalog with a card and a place in the region or anywhere, those of the region first."""
    used = {s.id for s in scenario.services}
    rows = [r for r in catalog.rentals.values() if r.card_id in catalog.cards and r.id not in used]
    near = [r for r in rows if r.region in (scenario.region, "world")]
    return [r.id for r in sorted(near, key=lambda r: (r.region == "world", r.id))]


def _offer(catalog: Catalog, identity: str, lang: str) -> str:
    row = catalog.rentals[identity]
    return word("money.offer_line", lang, name=row.name_zh if lang == "zh" else row.provider,
                card=catalog.cards[row.card_id].name, price=f"{row.price_per_card_hour:g} {row.currency}",
                date=date_text(row.origin.as_of, lang))  # fmt: skip


def _hire(desk: Desk, identity: str) -> None:
    _edit(desk, {SERVICE: [*get(desk.document, SERVICE, []), {"id": identity, "rental": identity}]}, "services")


def _table(desk: Desk, table: str, lang: str) -> None:
    name = f"{desk.current}/{table}"

    def shown(scenario: Scenario) -> tuple[dict[str, dict[str, Any]], list[Column]]:
        if table == FUND:
            return money_rows.fund_values(scenario.funds, lang), money_rows.fund_columns(scenario, lang)
        columns = money_rows.service_columns(scenario, desk.catalog, lang)
        return money_rows.service_values(scenario.services, lang), columns

    def apply(edits: Edits) -> Sequence[Problem]:
        values, columns = shown(desk.scenario())
        rows = money_rows.changed_rows(table, desk.document, values, edits, lang)
        faults = desk.edit({table: rows})
        values, columns = shown(desk.scenario())
        if not faults:
            grid.settle(name, values, columns, anew=bool(edits.added or edits.deleted))
        titles = {c.key: c.title for c in columns}
        return [_named(fault, rows, titles, lang) for fault in faults]

    values, columns = shown(desk.scenario())
    names = {row: str(cells["name"]) for row, cells in values.items()}
    grid.edit(name, values, columns, lang, apply=apply, rows_change=True, names=names)


def _named(problem: Problem, rows: Sequence[dict[str, Any]], titles: dict[str, str], lang: str) -> Problem:
    """The fault under the names that the table shows."""
    number = problem.column.partition("[")[2].partition("]")[0]
    row = rows[int(number) - 1] if number.isdigit() and int(number) <= len(rows) else {}
    key = problem.column.rpartition(".")[2]
    name = str(row.get(f"name_{lang}") or row.get("name_en") or row.get("id") or "")
    return replace(problem, file=name, column=titles.get(key, problem.column))


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
        _figure(desk, "purchase.lead_weeks", scenario.lead_weeks or None, word("money.lead_weeks", lang),
                money_rows.whole, lang, word("money.lead_help", lang))  # fmt: skip
    with right:
        currency = word(f"unit.{scenario.currency}", lang)
        _figure(desk, "budget.running_per_year", scenario.running_budget_per_year,
                word("money.running", lang, currency=currency), money_rows.money(scenario.currency), lang,
                word("money.running_help", lang))  # fmt: skip
    _flag(desk, "purchase.upgrades", scenario.upgrades, word("money.upgrades", lang))
    _flag(desk, "purchase.retire_owned", scenario.retire_owned, word("money.retire", lang))


def _figure(desk: Desk, key: str, value: float | None, label: str, parse: Any, lang: str, note: str) -> None:
    """A figure that may stay open, typed as people write it; what cannot be read stays in its box with the reason."""
    box, wrong = f"{desk.current}/{key}", f"{desk.current}/{key}/wrong"
    if wrong not in st.session_state:
        st.session_state[box] = "" if value is None else money_rows.figure(value)
    st.session_state[box] = st.session_state[box]

    def changed() -> None:
        st.session_state.pop(wrong, None)
        try:
            faults = desk.edit({key: parse(st.session_state[box])})
        except QuantityError as error:
            faults = (Problem(error.code, value=st.session_state[box], values=error.values),)
        if faults:
            st.session_state[wrong] = faults

    st.text_input(label, key=box, on_change=changed, help=note)
    for fault in st.session_state.get(wrong, ()):
        st.error(plain(inputs.problem_of(fault, label, lang)))


def _flag(desk: Desk, key: str, value: bool, label: str) -> None:
    box = f"{desk.current}/{key}"
    st.session_state[box] = value

    def changed() -> None:
        inputs.apply(desk, {key: st.session_state[box]})

    st.checkbox(label, key=box, on_change=changed)


def _edit(desk: Desk, fields: dict[str, Any], note: str) -> None:
    if faults := desk.edit(fields, note):
        st.session_state["page_faults"] = faults


if __name__ == "__main__":
    if faults := st.session_state.pop("page_faults", None):
        inputs.problems(faults, state.language())
    draw()
