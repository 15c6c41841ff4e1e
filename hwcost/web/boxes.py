"""Boxes for one figure of the document that may stay open, typed as people write it.

What cannot be read stays in its box with the reason; the document stays as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from hwcost.errors import Problem
from hwcost.quantities import QuantityError
from hwcost.web import inputs, money_rows
from hwcost.web.desk import Desk
from hwcost.web.words import plain

Parse = Callable[[str], Any]


def figure(desk: Desk, key: str, value: float | None, label: str, parse: Parse, lang: str, note: str) -> None:
    """One figure by its key; an empty box takes it away."""

    def edit(read: Mapping[str, Any]) -> Sequence[Problem]:
        return desk.edit({key: read[key]})

    figures(desk, {key: (value, label)}, parse, lang, edit, note)


def figures(
    desk: Desk, boxes: Mapping[str, tuple[float | None, str]], parse: Parse, lang: str,
    edit: Callable[[Mapping[str, Any]], Sequence[Problem]], note: str = "", columns: int = 1,
) -> None:  # fmt: skip
    """Boxes by name with value and label, whose figures make sense together: `edit` gets all of them."""
    places = {name: f"{desk.current}/{name}" for name in boxes}
    wrong = f"{desk.current}/{next(iter(boxes))}/wrong"

    def changed() -> None:
        faults: dict[str, Sequence[Problem]] = {}
        read: dict[str, Any] = {}
        for name, box in places.items():
            try:
                read[name] = parse(st.session_state[box])
            except QuantityError as error:
                faults[name] = [Problem(error.code, value=st.session_state[box], values=error.values)]
        st.session_state.pop(wrong, None)
        if not faults and (found := edit(read)):
            faults[next(iter(boxes))] = found
        if faults:
            st.session_state[wrong] = faults

    for name, (value, _) in boxes.items():
        if wrong not in st.session_state:
            st.session_state[places[name]] = "" if value is None else money_rows.figure(value)
        st.session_state[places[name]] = st.session_state.get(places[name], "")
    named = list(boxes)
    for start in range(0, len(named), columns):
        row = st.columns(columns) if columns > 1 else [st.container()]
        for name, place in zip(named[start : start + columns], row, strict=False):
            with place:
                st.text_input(boxes[name][1], key=places[name], on_change=changed, help=note or None)
                for fault in st.session_state.get(wrong, {}).get(name, ()):
                    st.error(plain(inputs.problem_of(fault, boxes[name][1], lang)))


def flag(desk: Desk, key: str, value: bool, label: str) -> None:
    """A tick."""
    box = f"{desk.current}/{key}"
    st.session_state[box] = value

    def changed() -> None:
        inputs.apply(desk, {key: st.session_state[box]})

    st.checkbox(label, key=box, on_change=changed)
