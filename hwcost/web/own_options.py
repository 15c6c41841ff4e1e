"""Options of the user's own: filters of what each may buy and use, in the names that the catalog shows.

An option is a table of the document as soon as it names anything; its boxes then show what the document says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from hwcost.errors import InputError, Problem
from hwcost.problems import problem_text
from hwcost.records import Catalog
from hwcost.scenario import Scenario, UserOption
from hwcost.scenario_options import MOST_OPTIONS
from hwcost.web import money_rows, state
from hwcost.web.desk import Desk
from hwcost.web.words import plain, word

TABLE, NEW = "option", "new-option"
LISTS = ("cards", "cards_per_node", "chassis", "systems", "services")
FREE = ("cards", "cards_per_node", "chassis")  # where empty means any; elsewhere it means none
FAULTS = "own_option_faults"


def section() -> None:
    """The part of a page; a scenario that cannot be read is told above it."""
    desk, lang = state.desk(), state.language()
    try:
        scenario = desk.scenario()
    except InputError:
        return
    st.divider()
    show(desk, scenario, lang)


def show(desk: Desk, scenario: Scenario, lang: str) -> None:
    """Every option of the scenario with its boxes, and a form for one more."""
    st.subheader(plain(word("own.title", lang)), anchor=False)
    st.caption(plain(word("own.note", lang, most=MOST_OPTIONS)))
    faults: dict[str, Sequence[Problem]] = st.session_state.pop(FAULTS, {})
    for n, option in enumerate(scenario.options, 1):
        with st.expander(plain(option.name_zh if lang == "zh" else option.name), expanded=option.id in faults):
            _boxes(desk, scenario, n, option, lang)
            _say(faults.get(option.id, ()), lang)
            st.button(word("own.remove", lang), key=f"remove-option-{n}", on_click=_remove, args=(desk, option.id))
    if len(scenario.options) >= MOST_OPTIONS:
        st.caption(plain(word("own.full", lang, most=MOST_OPTIONS)))
        return
    with st.expander(word("own.new", lang), expanded=NEW in faults):
        _new(desk, scenario, lang)
        _say(faults.get(NEW, ()), lang)


def choices(field: str, scenario: Scenario, catalog: Catalog, lang: str) -> dict[Any, str]:
    """What a list may name: its value in the document with the name that people read."""
    zh = lang == "zh"
    if field == "cards":
        return dict(money_rows.card_labels(catalog))
    if field == "cards_per_node":
        return {count: str(count) for count in scenario.cards_per_node}
    if field == "chassis":
        hosts = {c.id: c.name_zh if zh else c.name for c in catalog.chassis.values()}
        return dict(sorted(hosts.items(), key=lambda item: item[1]))
    if field == "systems":
        return {
            s.id: word("own.quoted", lang, name=s.name_zh if zh else s.name, vendor=s.vendor)
            for s in catalog.systems.values()
        }
    return {s.id: s.name_zh if zh else s.name for s in scenario.services}


def _field(name: str, lang: str) -> str:
    return word(f"own.{name}", lang)


def _lists(
    scenario: Scenario, catalog: Catalog, lang: str, box: Callable[[str], str], changed: Callable[[str], None] | None
) -> dict[str, list[Any]]:
    """The boxes of the lists that have anything to choose from; what stands in each."""
    said: dict[str, list[Any]] = {}
    asked = [name for name in LISTS if choices(name, scenario, catalog, lang)]
    for start in range(0, len(asked), 2):
        for name, column in zip(asked[start : start + 2], st.columns(2), strict=False):
            labels = choices(name, scenario, catalog, lang)
            with column:
                said[name] = st.multiselect(
                    _field(name, lang), list(labels), format_func=labels.__getitem__, key=box(name),
                    placeholder=word("own.any" if name in FREE else "own.none", lang),
                    on_change=changed, args=(name,),
                )  # fmt: skip
    return said


# --- an option that is there ---


def _boxes(desk: Desk, scenario: Scenario, n: int, option: UserOption, lang: str) -> None:
    def box(name: str) -> str:
        return f"{desk.current}/{TABLE}/{option.id}/{name}"

    def put(name: str, value: Any) -> None:
        if faults := desk.edit({f"{TABLE}[{n}].{name}": value}, "own_option"):
            st.session_state[FAULTS] = {option.id: [_named(fault, option, lang) for fault in faults]}

    def listed(name: str) -> None:
        put(name, st.session_state[box(name)] or None)

    def renamed() -> None:
        name = str(st.session_state[box("name")]).strip()
        if name:
            put(f"name_{lang}", name)

    for name in LISTS:
        known = choices(name, scenario, desk.catalog, lang)
        st.session_state[box(name)] = [value for value in getattr(option, name) if value in known]
    st.session_state[box("name")] = option.name_zh if lang == "zh" else option.name
    st.session_state[box("upgrades")] = option.upgrades
    st.session_state[box("max_nodes")] = option.max_nodes
    st.text_input(_field("name", lang), key=box("name"), on_change=renamed)
    _lists(scenario, desk.catalog, lang, box, listed)
    st.number_input(_field("max_nodes", lang), min_value=1, max_value=scenario.max_nodes, step=1, value=None,
                    placeholder=word("own.any", lang), key=box("max_nodes"),
                    on_change=lambda: put("max_nodes", st.session_state[box("max_nodes")]))  # fmt: skip
    if scenario.owned or option.upgrades:
        st.checkbox(_field("upgrades", lang), key=box("upgrades"),
                    on_change=lambda: put("upgrades", st.session_state[box("upgrades")] or None))  # fmt: skip


def _remove(desk: Desk, identity: str) -> None:
    desk.edit({TABLE: money_rows.without_row(TABLE, desk.document, identity)}, "own_option")


# --- a new one ---


def _new(desk: Desk, scenario: Scenario, lang: str) -> None:
    def box(name: str) -> str:
        return f"{NEW}/{name}"

    name = st.text_input(_field("name", lang), key=box("name"), placeholder=word("own.name.example", lang))
    said: dict[str, Any] = _lists(scenario, desk.catalog, lang, box, None)
    said["max_nodes"] = st.number_input(
        _field("max_nodes", lang), min_value=1, max_value=scenario.max_nodes, step=1, value=None,
        placeholder=word("own.any", lang), key=box("max_nodes"),
    )  # fmt: skip
    if scenario.owned:
        said["upgrades"] = st.checkbox(_field("upgrades", lang), key=box("upgrades"))
    row = new_row(name, said, lang)
    enough = any(row.get(key) for key in (*LISTS, "upgrades"))
    if name.strip() and not enough:
        st.caption(plain(word("own.empty", lang)))
    st.button(word("own.add", lang), key="add-option", disabled=not (name.strip() and enough), on_click=_add,
              args=(desk, row, lang))  # fmt: skip


def new_row(name: str, said: Mapping[str, Any], lang: str) -> dict[str, Any]:
    """The table of an option: its name, and what was said."""
    return {**money_rows.names(name.strip(), lang), **{key: value for key, value in said.items() if value}}


def _add(desk: Desk, row: dict[str, Any], lang: str) -> None:
    rows = money_rows.with_row(TABLE, desk.document, row)
    if faults := desk.edit({TABLE: rows}, "own_option"):
        option = UserOption(str(rows[-1]["id"]), row["name_en"], row.get("name_zh", row["name_en"]))
        st.session_state[FAULTS] = {NEW: [_named(fault, option, lang) for fault in faults]}
        return
    for key in [str(key) for key in st.session_state if str(key).startswith(f"{NEW}/")]:
        del st.session_state[key]


# --- faults ---


def _named(problem: Problem, option: UserOption, lang: str) -> Problem:
    """The fault under the names that the boxes show."""
    key = problem.column.rpartition(".")[2]
    title = _field(key, lang) if key in (*LISTS, "upgrades", "max_nodes") else ""
    return replace(problem, file=option.name_zh if lang == "zh" else option.name, sheet="", row=None, column=title)


def _say(faults: Sequence[Problem], lang: str) -> None:
    for fault in faults:
        if fault.code == "scenario_option_empty":  # its own sentence names the keys of the file
            text = word("input_at", lang, label=fault.file, problem=word("own.empty", lang))
        else:
            text = problem_text(fault, lang)
        st.error(plain(text))
