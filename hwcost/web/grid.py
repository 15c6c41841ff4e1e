"""Tables that people type and paste into. Cells of figures are text and go through the one parser of the program.

What cannot be read stays in its cell and is listed below the table with the reason; what can is put to use at once. The
editor is a new one only when its figures changed elsewhere. After its own edits it stays, with what follows from them
(a date, an age) in its other cells: a new editor would take away the cell that somebody types in meanwhile.
Rows come and go by buttons beside the table, for the same reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from hwcost.errors import Problem
from hwcost.problems import problem_text
from hwcost.quantities import QuantityError
from hwcost.web.lazy import pd
from hwcost.web.words import plain, word

Parse = Callable[[str], Any]
OPEN = "—"  # in a list, where an empty cell would read "None"


@dataclass(frozen=True)
class Column:
    """`kind`: text (parsed), flag, choice or fixed. `parse` gets the text of a cell and may raise `QuantityError`."""

    key: str
    title: str
    kind: str = "text"
    parse: Parse = str
    show: Callable[[Any], str] = str
    choices: tuple[str, ...] = ()
    width: str | int = ""  # small, medium, large, or pixels


@dataclass(frozen=True)
class Rejected:
    """A cell that cannot be used: row and column as the reader sees them."""

    row: str
    column: str
    text: str
    reason: str


@dataclass(frozen=True)
class Edits:
    """Values by (row id, column key), and cells that cannot be read."""

    changed: dict[tuple[str, str], Any]
    rejected: list[Rejected]


def read_edits(state: Mapping[str, Any], ids: Sequence[str], columns: Sequence[Column], lang: str) -> Edits:
    """What the editor's own record of edits says, read by the columns' parsers."""
    by_key = {c.key: c for c in columns}
    changed: dict[tuple[str, str], Any] = {}
    rejected: list[Rejected] = []
    for index, cells in state.get("edited_rows", {}).items():
        if int(index) >= len(ids):
            continue
        row = ids[int(index)]
        for key, cell in cells.items():
            value, fault = _value(by_key[key], cell, row, lang)
            if fault:
                rejected.append(fault)
            else:
                changed[row, key] = value
    return Edits(changed, rejected)


def _value(column: Column, cell: Any, row: str, lang: str) -> tuple[Any, Rejected | None]:
    if column.kind in ("flag", "choice"):
        return "" if cell == OPEN else cell, None
    text = "" if _empty(cell) else str(cell)
    try:
        return column.parse(text), None
    except QuantityError as error:
        reason = problem_text(Problem(error.code, value=text, values=error.values), lang)
        return None, Rejected(row, column.title, text, reason)


def _empty(cell: Any) -> bool:
    return cell is None or cell == "" or (isinstance(cell, float) and cell != cell)


def edit(
    name: str, rows: Mapping[str, Mapping[str, Any]], columns: Sequence[Column], lang: str, *,
    apply: Callable[[Edits], Sequence[Problem]], names: Mapping[str, str] | None = None, height: int | None = None,
) -> None:  # fmt: skip
    """Draws the table; `rows` are values by row id and column key. `apply` puts edits to use and gives the faults."""
    key_of = f"grid.{name}"
    now = {i: {c.key: _shown(c, cells.get(c.key)) for c in columns} for i, cells in rows.items()}
    kept: dict[str, Any] | None = st.session_state.get(key_of)
    if kept is None or kept["lang"] != lang or kept["drawn"] != st.session_state.get("page_turn"):
        kept = {"rows": now, "known": now, "version": (kept or {}).get("version", 0) + 1, "lang": lang, "faults": (),
                "drawn": st.session_state.get("page_turn")}  # fmt: skip
    elif kept["known"] != now:  # changed elsewhere
        kept = {**kept, "rows": now, "known": now, "version": kept["version"] + 1}
    st.session_state[key_of] = kept
    box = f"{name}/{kept['version']}"
    ids = list(kept["rows"])
    frame = pd.DataFrame([kept["rows"][i] for i in ids], columns=[c.key for c in columns])
    for column in columns:
        frame[column.key] = frame[column.key].astype(bool if column.kind == "flag" else "object")

    def changed() -> None:
        found = read_edits(st.session_state[box], ids, columns, lang)
        kept["faults"] = tuple(apply(found))
        kept["pending"] = True

    with st.container(key=f"grid-{name.replace('/', '-')}"):
        st.data_editor(
            frame, key=box, hide_index=True, num_rows="fixed", on_change=changed,
            column_config={c.key: _config(c, bool((frame[c.key] == OPEN).any())) for c in columns}, width="stretch",
            disabled=[c.key for c in columns if c.kind == "fixed"],
            height=height or "auto",
        )  # fmt: skip
    _after(kept, box, ids, columns, lang, names or {})


def settle(name: str, rows: Mapping[str, Mapping[str, Any]], columns: Sequence[Column]) -> None:
    """Called by `apply`: the figures as they are after it, so that they do not count as changed elsewhere."""
    kept: dict[str, Any] | None = st.session_state.get(f"grid.{name}")
    if kept is None:
        return
    now = {i: {c.key: _shown(c, cells.get(c.key)) for c in columns} for i, cells in rows.items()}
    kept["known"] = now
    if list(now) == list(kept["rows"]):  # values alone do not make another editor; what was typed stays above them
        kept["rows"] = now


def _after(
    kept: dict[str, Any], box: str, ids: Sequence[str], columns: Sequence[Column], lang: str, names: Mapping[str, str]
) -> None:  # fmt: skip
    """The cells that were not taken, and why."""
    found = read_edits(st.session_state.get(box) or {}, ids, columns, lang)
    if found.rejected:
        lines = [
            f"- {plain(word('grid.rejected_cell', lang, row=names.get(r.row, r.row), column=r.column, text=r.text))}"
            f"{plain(r.reason)}"
            for r in found.rejected
        ]
        with st.container(key=f"rejected-{box.replace('/', '-')}"):
            st.error("\n".join([f"**{plain(word('grid.rejected', lang))}**", "", *lines]))
    for problem in kept["faults"]:
        st.error(plain(problem_text(problem, lang)))


def _shown(column: Column, value: Any) -> Any:
    if column.kind == "flag":
        return bool(value)
    if column.kind == "choice" and not value:
        return OPEN
    return "" if value is None else column.show(value)


def _config(column: Column, blank: bool) -> Any:
    """`blank`: some of its cells are open, and the list has an entry for that."""
    width: Any = column.width or None
    if column.kind == "flag":
        return st.column_config.CheckboxColumn(column.title, width=width)
    if column.kind == "choice":
        options = [*([OPEN] if blank else []), *column.choices]
        return st.column_config.SelectboxColumn(column.title, options=options, width=width)
    return st.column_config.TextColumn(column.title, width=width)
