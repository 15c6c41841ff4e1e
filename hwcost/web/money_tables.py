"""The tables of funds and of hired hours: what is asked first, what few need below it, rows that come and go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from hwcost.errors import Problem
from hwcost.quantities import QuantityError, date_text
from hwcost.records import Catalog
from hwcost.scenario import Scenario
from hwcost.web import grid, inputs, money_rows
from hwcost.web.desk import Desk
from hwcost.web.documents import get
from hwcost.web.grid import Column, Edits
from hwcost.web.money_rows import FUND, SERVICE
from hwcost.web.words import plain, word

NOTES = {FUND: "funds", SERVICE: "services"}


def funds(desk: Desk, lang: str) -> None:
    """Every fund, and a new one."""
    table(desk, FUND, lang)
    rules(desk, FUND, lang)
    left, right = st.columns([6, 1], vertical_alignment="bottom")
    with left:
        name = st.text_input(
            word("money.new_fund", lang), key="new-fund", placeholder=word("money.new_fund_name", lang)
        )
    with right:
        st.button(word("workloads.add.button", lang), key="add-fund", width="stretch", on_click=_add_fund,
                  args=(desk, lang), disabled=not name.strip())  # fmt: skip
    _remove(desk, FUND, lang)


def services(desk: Desk, scenario: Scenario, lang: str) -> None:
    """Every offer; one more of the catalog, or of one's own."""
    if scenario.services:
        table(desk, SERVICE, lang)
        rules(desk, SERVICE, lang)
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
    _own_offer(desk, scenario, lang)
    _remove(desk, SERVICE, lang)


# --- tables ---


def _shown(desk: Desk, table: str, part: str, lang: str) -> tuple[dict[str, dict[str, Any]], list[Column]]:
    scenario = desk.scenario()
    if table == FUND:
        columns = money_rows.fund_rule_columns if part else money_rows.fund_columns
        return money_rows.fund_values(scenario.funds, lang), columns(scenario, lang)
    values = money_rows.service_values(scenario.services, desk.catalog, lang)
    if part:
        return values, money_rows.service_rule_columns(scenario, lang)
    return values, money_rows.service_columns(scenario, desk.catalog, lang)


def rules(desk: Desk, table_name: str, lang: str) -> None:
    """What few need."""
    with st.expander(word(f"money.{table_name}_rules", lang)):
        st.caption(plain(word(f"money.{table_name}_rules_note", lang)))
        table(desk, table_name, lang, "rules")


def table(desk: Desk, table_name: str, lang: str, part: str = "") -> None:
    """One of the two tables of funds or services."""
    name = f"{desk.current}/{table_name}" + (f"-{part}" if part else "")

    def apply(edits: Edits) -> Sequence[Problem]:
        values, columns = _shown(desk, table_name, part, lang)
        rows = money_rows.changed_rows(table_name, desk.document, values, edits, desk.catalog, lang)
        faults = desk.edit({table_name: rows})
        if not faults:
            grid.settle(name, *_shown(desk, table_name, part, lang))
        titles = {c.key: c.title for c in columns}
        return [named(fault, rows, titles, lang) for fault in faults]

    values, columns = _shown(desk, table_name, part, lang)
    grid.edit(
        name, values, columns, lang, apply=apply, names={row: str(cells["name"]) for row, cells in values.items()}
    )


def named(problem: Problem, rows: Sequence[dict[str, Any]], titles: dict[str, str], lang: str) -> Problem:
    """The fault under the names that the table shows."""
    number = problem.column.partition("[")[2].partition("]")[0]
    row = rows[int(number) - 1] if number.isdigit() and int(number) <= len(rows) else {}
    key = problem.column.rpartition(".")[2]
    name = str(row.get(f"name_{lang}") or row.get("name_en") or row.get("id") or "")
    return replace(problem, file=name, column=titles.get(key, problem.column))


# --- rows that come and go ---


def _add_fund(desk: Desk, lang: str) -> None:
    name = str(st.session_state["new-fund"]).strip()
    if _taken(desk, {FUND: money_rows.with_row(FUND, desk.document, money_rows.names(name, lang))}, NOTES[FUND]):
        st.session_state["new-fund"] = ""


def _own_offer(desk: Desk, scenario: Scenario, lang: str) -> None:
    """A cluster that no catalog knows: its name, its card and its price are enough."""
    labels = money_rows.card_labels(desk.catalog)
    with st.expander(word("money.own_offer", lang)):
        wide = st.columns([3, 3, 2, 1], vertical_alignment="bottom")
        with wide[0]:
            name = st.text_input(word("money.service.name", lang), key="own-offer-name")
        with wide[1]:
            card = st.selectbox(word("money.service.card", lang), list(labels), format_func=labels.__getitem__,
                                index=None, key="own-offer-card", placeholder=word("open.choose", lang))  # fmt: skip
        with wide[2]:
            currency = word(f"unit.{scenario.currency}", lang)
            label = word("money.own_offer_price", lang, currency=currency)
            text = st.text_input(label, key="own-offer-price")
        price, fault = None, None
        try:
            price = money_rows.money(scenario.currency)(text)
        except QuantityError as error:
            fault = Problem(error.code, value=text, values=error.values)
        with wide[3]:
            st.button(word("workloads.add.button", lang), key="add-own-offer", width="stretch",
                      disabled=not name.strip() or card is None or price is None, on_click=_add_offer,
                      args=(desk, {**money_rows.names(name.strip(), lang), "card": card, "price_per_card_hour": price}),
                      )  # fmt: skip
        if fault is not None:
            st.error(plain(inputs.problem_of(fault, label, lang)))


def _add_offer(desk: Desk, row: dict[str, Any]) -> None:
    if _taken(desk, {SERVICE: money_rows.with_row(SERVICE, desk.document, row)}, NOTES[SERVICE]):
        st.session_state["own-offer-name"], st.session_state["own-offer-price"] = "", ""
        st.session_state["own-offer-card"] = None


def _remove(desk: Desk, table_name: str, lang: str) -> None:
    rows, _ = _shown(desk, table_name, "", lang)
    if not rows:
        return
    left, right = st.columns([6, 1], vertical_alignment="bottom")
    with left:
        gone = st.selectbox(word(f"money.remove_{table_name}", lang), list(rows), index=None,
                            key=f"remove-which-{table_name}", placeholder=word("open.choose", lang),
                            format_func=lambda row: str(rows[row]["name"]))  # fmt: skip
    with right:
        st.button(word("workloads.remove", lang), key=f"remove-{table_name}", width="stretch", disabled=gone is None,
                  on_click=_take_away, args=(desk, table_name, str(gone)))  # fmt: skip


def _take_away(desk: Desk, table_name: str, gone: str) -> None:
    edit(desk, {table_name: money_rows.without_row(table_name, desk.document, gone)}, NOTES[table_name])


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
    edit(desk, {SERVICE: [*get(desk.document, SERVICE, []), {"id": identity, "rental": identity}]}, NOTES[SERVICE])


def edit(desk: Desk, fields: dict[str, Any], note: str) -> None:
    """Figures of the document, changed by a button."""
    _taken(desk, fields, note)


def _taken(desk: Desk, fields: dict[str, Any], note: str) -> bool:
    """Whether the document takes them; the faults are shown at the top of the page."""
    if faults := desk.edit(fields, note):
        st.session_state["page_faults"] = faults
    return not faults
