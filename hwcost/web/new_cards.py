"""A card that the catalog lacks: its fields as a table, from an existing card or from the database of cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from hwcost.errors import InputError, Problem
from hwcost.intake.store import spec_of, write_rows
from hwcost.names import card_name
from hwcost.records import Card
from hwcost.web import grid, inputs
from hwcost.web.desk import Desk
from hwcost.web.documents import Change
from hwcost.web.forms import Form
from hwcost.web.grid import Column, Edits
from hwcost.web.words import plain, word

FILE = "cards.csv"
ORIGIN = ("source", "as_of", "kind")


def show(desk: Desk, lang: str) -> None:
    """The form: where to start from, the fields, and the button."""
    st.caption(plain(word("catalog.card.note", lang)))
    form = Form("new-card", desk.store)
    cells: dict[str, str] = form.values.setdefault("cells", {})
    cards = {c.id: card_name(c) for c in sorted(desk.catalog.cards.values(), key=lambda c: c.name)}

    def start_like() -> None:
        like = st.session_state["new-card-like"]
        if like:
            cells.clear()
            cells.update(cells_of(desk.catalog.cards[like]))

    def look_up() -> None:
        from hwcost.intake.new_card import new_card

        try:
            found = new_card(st.session_state["new-card-name"], desk.catalog)
        except InputError as error:
            st.session_state["card_faults"] = error.problems
            return
        cells.clear()
        cells.update(found.cells)

    left, middle, right = st.columns([3, 3, 1], vertical_alignment="bottom")
    with left:
        st.selectbox(word("catalog.card.like", lang), list(cards), index=None, format_func=cards.__getitem__,
                     key="new-card-like", on_change=start_like, placeholder=word("open.choose", lang))  # fmt: skip
    with middle:
        name = st.text_input(word("catalog.card.name", lang), key="new-card-name")
    with right:
        st.button(word("catalog.card.look_up", lang), key="new-card-look-up", on_click=look_up, disabled=not name,
                  width="stretch")  # fmt: skip
    if found := st.session_state.pop("card_faults", None):
        inputs.problems(found, lang)
    if added := st.session_state.pop("card_added", None):
        st.success(plain(word("catalog.card.added", lang, name=added)))
    columns = [
        Column("field", word("catalog.card.field", lang), "fixed"),
        Column("value", word("catalog.card.value", lang), "text", str.strip, str, width="large"),
        Column("needed", word("catalog.card.needed", lang), "fixed", width="small"),
    ]

    def apply(edits: Edits) -> Sequence[Problem]:
        for (field, key), value in edits.changed.items():
            if key == "value":
                cells[field] = value
        form.store.write_form(form.name, form.values)
        grid.settle("new-card", rows(cells, lang), columns)
        return ()

    grid.edit(
        "new-card",
        rows(cells, lang),
        columns,
        lang,
        apply=apply,
        names={name: str(row["field"]) for name, row in rows(cells, lang).items()},
    )
    st.button(word("catalog.card.add", lang), key="add-card", type="primary", on_click=_add, args=(desk, cells),
              disabled=not cells.get("id"))  # fmt: skip


def rows(cells: dict[str, str], lang: str) -> dict[str, dict[str, Any]]:
    """A row for each column of the table of cards, under its name in words."""
    return {
        c.name: {"field": word(f"card_column.{c.name}", lang), "value": cells.get(c.name, ""),
                 "needed": "*" if c.required else ""}
        for c in spec_of(FILE).columns
    }  # fmt: skip


def cells_of(card: Card) -> dict[str, str]:
    """A card as the cells of a new row: its figures, without its name, its id and what vouches for them."""
    cells = {}
    for column in spec_of(FILE).columns:
        if column.name in ("id", "name", *ORIGIN):
            continue
        cells[column.name] = _text(getattr(card, column.name))
    return cells


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.10g}" if isinstance(value, int | float) else str(value)


def _add(desk: Desk, cells: dict[str, str]) -> None:
    row = {key: value for key, value in cells.items() if value}
    try:
        write_rows({FILE: [row]}, desk.store.catalog_dir)
    except InputError as error:
        st.session_state["card_faults"] = error.problems
        return
    desk.note([Change(row.get("name", row["id"]), None, row["id"])], "card")
    st.session_state["card_added"] = row.get("name", row["id"])
    cells.clear()
