"""The workloads: what is trained, in plain words; memory against each card; which job runs where, and why not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from hwcost.answers_io import SCHEMA, answers_from_dict
from hwcost.case import Case
from hwcost.errors import InputError, Problem
from hwcost.messages import say
from hwcost.names import people_text, way_text, workload_name
from hwcost.quantities import QuantityError, hours_text, memory_text, number_text, parse_number, percent_text
from hwcost.start import start
from hwcost.web import feasible, grid, inputs, run, sections, state, workload_charts
from hwcost.web.desk import Desk
from hwcost.web.documents import get, put
from hwcost.web.grid import Column, Edits
from hwcost.web.questions import network_names
from hwcost.web.words import plain, word
from hwcost.workload import PRECISIONS, Workload

KEYS = {"must": "must", "people": "people_at_once", "runs": "runs_per_year", "batch": "batch",
        "precision": "precision", "hours": "max_hours_per_run", "ecc": "ecc", "accumulation": "accumulation",
        "sharers": "sharers", "checkpointing": "checkpointing", "multi_card": "multi_card",
        "sharding": "sharding"}  # fmt: skip
NAME_WIDTH, HOW_WIDTH = 150, 104  # pixels: eight columns fit beside the sidebar


def draw() -> None:
    lang, desk = state.language(), state.desk()
    st.title(plain(word("workloads.title", lang)), anchor=False)
    try:
        scenario = desk.scenario()
    except InputError as error:
        inputs.problems(error.problems, lang)
        return
    st.caption(plain(word("workloads.intro", lang)))
    _table(desk, scenario.workloads, lang)
    with st.expander(word("workloads.how", lang)):
        _table(desk, scenario.workloads, lang, how=True)
    with st.expander(word("workloads.add", lang)):
        _add_remove(desk, scenario.workloads, lang)
    case = run.case_of(desk, lang)
    if case is None:
        return
    cells = feasible.feasibility(case)
    st.subheader(plain(word("workloads.words", lang)), anchor=False)
    st.markdown("\n".join(f"- {plain(_line(w, case, cells, lang))}" for w in case.scenario.workloads))
    _memory(case, lang)
    st.subheader(plain(word("workloads.map", lang)), anchor=False)
    st.caption(plain(word("workloads.map_note", lang)))
    st.altair_chart(workload_charts.feasibility(cells, lang), key="chart-map")
    with st.expander(word("workloads.reasons", lang)):
        sections.table(workload_charts.feasibility_table(cells, lang), "map-table", width=44)


# --- the table ---


def _number(text: str) -> float | None:
    return parse_number(text)


def _count(text: str) -> int | None:
    value = parse_number(text)
    if value is not None and value != int(value):
        raise QuantityError("not_whole")
    return None if value is None else int(value)


def _figure(value: Any) -> str:
    """A figure as it could be typed again."""
    return f"{value:.10g}"


def columns(lang: str, how: bool = False) -> list[Column]:
    """The columns of what is asked, or of how it may be run; figures are text for the one parser."""

    narrow: str | int = HOW_WIDTH if how else ""

    def text(key: str, parse: grid.Parse) -> Column:
        return Column(key, word(f"workloads.{key}", lang), "text", parse, _figure, width=narrow)

    def flag(key: str) -> Column:
        return Column(key, word(f"workloads.{key}", lang), "flag", width=narrow)

    name = Column("name", word("workloads.name", lang), "fixed", width=NAME_WIDTH if how else "medium")
    if how:
        precisions = tuple(_precision(p, lang) for p in PRECISIONS)
        title = word("workloads.precision", lang)
        return [
            name, Column("precision", title, "choice", choices=precisions, width=NAME_WIDTH),
            text("sharers", _count), flag("accumulation"), flag("checkpointing"), flag("multi_card"), flag("sharding"),
            flag("ecc"),
        ]  # fmt: skip
    return [
        name, flag("must"), text("people", _count), text("runs", _number), text("batch", _count), text("hours", _number)
    ]  # fmt: skip


def _precision(precision: str, lang: str) -> str:
    return say(f"rulecode.precision.{precision}", lang)


def rows_of(workloads: Sequence[Workload], lang: str) -> dict[str, dict[str, Any]]:
    """The table's values by job."""
    return {
        w.id: {"name": workload_name(w, lang), "must": w.must, "people": w.people_at_once, "runs": w.runs_per_year,
               "batch": w.batch, "precision": _precision(w.precision, lang), "hours": w.max_hours_per_run,
               "ecc": w.ecc_required, "accumulation": w.accumulation, "sharers": w.sharers,
               "checkpointing": w.checkpointing, "multi_card": w.multi_card, "sharding": w.sharding}
        for w in workloads
    }  # fmt: skip


def changes_of(edits: Edits, workloads: Sequence[Workload], lang: str) -> dict[str, Any]:
    """Edited cells as figures of the document, by their keys; an emptied deadline is none."""
    place = {w.id: n for n, w in enumerate(workloads, 1)}
    now = rows_of(workloads, lang)
    precisions = {_precision(p, lang): p for p in PRECISIONS}
    return {
        f"workload[{place[row]}].{KEYS[key]}": precisions[value] if key == "precision" else value
        for (row, key), value in edits.changed.items()
        if row in place and key in KEYS and value != now[row][key] and (value is not None or key == "hours")
    }  # fmt: skip


def _table(desk: Desk, workloads: tuple[Workload, ...], lang: str, how: bool = False) -> None:
    name = f"{desk.current}/jobs" + ("-how" if how else "")

    def apply(edits: Edits) -> Sequence[Problem]:
        """One by one, so that a figure out of range does not keep the others from being used."""
        faults: list[Problem] = []
        for key, value in changes_of(edits, desk.scenario().workloads, lang).items():
            faults += desk.edit({key: value})
        grid.settle(name, rows_of(desk.scenario().workloads, lang), columns(lang, how))
        return [_named(problem, desk.scenario().workloads, lang) for problem in faults]

    names = {w.id: workload_name(w, lang) for w in workloads}
    grid.edit(name, rows_of(workloads, lang), columns(lang, how), lang, apply=apply, names=names)


def _named(problem: Problem, workloads: Sequence[Workload], lang: str) -> Problem:
    """The fault under the names that the table shows."""
    from dataclasses import replace

    number = problem.column.partition("[")[2].partition("]")[0]
    title = next((word(f"workloads.{name}", lang) for name, key in KEYS.items() if problem.column.endswith(f".{key}")),
                 problem.column)  # fmt: skip
    job = workload_name(workloads[int(number) - 1], lang) if number.isdigit() else ""
    return replace(problem, file=job, column=title)


# --- add, remove ---


def _add_remove(desk: Desk, workloads: tuple[Workload, ...], lang: str) -> None:
    names = network_names(desk.catalog, lang)
    wide = st.columns([4, 1, 1, 1], vertical_alignment="bottom")
    with wide[0]:
        what = st.selectbox(word("workloads.add.what", lang), names, index=None, accept_new_options=True,
                            key="add-what", placeholder=word("open.choose", lang))  # fmt: skip
    with wide[1]:
        people = st.number_input(word("workloads.add.people", lang), 0, value=1, key="add-people")
    with wide[2]:
        runs = st.number_input(word("workloads.add.runs", lang), 1.0, value=100.0, format="%.6g", key="add-runs")
    with wide[3]:
        st.button(word("workloads.add.button", lang), key="add-job", width="stretch", disabled=not what,
                  on_click=_add, args=(desk, str(what), int(people), float(runs)))  # fmt: skip
    if len(workloads) < 2:
        st.caption(plain(word("workloads.last", lang)))
        return
    narrow = st.columns([6, 1], vertical_alignment="bottom")
    named = {w.id: workload_name(w, lang) for w in workloads}
    with narrow[0]:
        gone = st.selectbox(word("workloads.remove.which", lang), list(named), format_func=named.__getitem__,
                            index=None, key="remove-which", placeholder=word("open.choose", lang))  # fmt: skip
    with narrow[1]:
        st.button(word("workloads.remove", lang), key="remove-job", width="stretch", disabled=gone is None,
                  on_click=_remove, args=(desk, gone))  # fmt: skip


def _add(desk: Desk, what: str, people: int, runs: float) -> None:
    try:
        desk.edit_with(with_job(desk, what, people, runs), "job_added")
    except InputError as error:
        st.session_state["page_faults"] = error.problems


def with_job(desk: Desk, what: str, people: int, runs: float) -> dict[str, Any]:
    """The document with one more job, from its name in words. Raises `InputError`."""
    scenario = desk.scenario()
    train = {"what": what, "at_once": people, "runs_per_year": runs, "people": max(1, people)}
    answers = answers_from_dict({"schema": SCHEMA, "region": scenario.region, "as_of": scenario.as_of,
                                 "train": [train]}, desk.catalog)  # fmt: skip
    table = dict(start(answers, desk.catalog).document["workload"][0])
    used = {w.id for w in scenario.workloads}
    stem, n = str(table["id"]), 2
    while table["id"] in used:
        table["id"], n = f"{stem}-{n}", n + 1
    return put(desk.document, {"workload": [*get(desk.document, "workload", []), table]})


def _remove(desk: Desk, gone: str) -> None:
    rest = [row for row in get(desk.document, "workload", []) if row.get("id") != gone]
    faults = desk.edit({"workload": rest}, "job_removed")
    if faults:
        st.session_state["page_faults"] = faults


# --- in words ---


def _line(workload: Workload, case: Case, cells: Sequence[feasible.Cell], lang: str) -> str:
    """One job in a sentence, timed on the card that runs it with least ado."""
    whole, _ = feasible.needed_gib(workload)
    words = {"name": workload_name(workload, lang), "batch": number_text(workload.batch, lang),
             "memory": memory_text(whole * 1024.0, lang)}  # fmt: skip
    mine = [c.way for c in cells if c.workload.id == workload.id and c.way is not None]
    mine = mine or [w for w in case.strategies.feasible if w.workload_id == workload.id]  # hired hours alone
    if not mine:
        return word("workloads.line_no", lang, **words)
    way = min(mine, key=lambda w: (feasible.STATES.index(feasible.state_of(w)), w.hours_per_run))
    where = way_text(way, case.build_by_id[way.build_id], lang)
    return word(
        "workloads.line", lang, **words, hours=hours_text(way.hours_per_run, lang), card=where,
        evidence=say(f"evidence.{way.evidence}", lang), error=percent_text(way.error_share, lang, 0),
        runs=number_text(workload.runs_per_year, lang), people=people_text(workload.people_at_once, lang),
        busy=number_text(workload.runs_per_year * way.card_hours_per_run, lang),
    )  # fmt: skip


def _memory(case: Case, lang: str) -> None:
    st.subheader(plain(word("workloads.memory", lang)), anchor=False)
    named = {w.id: workload_name(w, lang) for w in case.scenario.workloads}
    chosen = st.selectbox(word("workloads.name", lang), list(named), format_func=named.__getitem__, key="memory-of")
    workload = case.workload_by_id.get(chosen) or case.scenario.workloads[0]
    whole, one = feasible.needed_gib(workload)
    margin = percent_text(case.scenario.memory_margin, lang, 0)
    st.caption(plain(word("workloads.memory_note", lang, margin=margin, whole=memory_text(whole * 1024.0, lang),
                          one=memory_text(one * 1024.0, lang))))  # fmt: skip
    found = feasible.bars(case, workload)
    st.altair_chart(workload_charts.memory(found, whole, one, lang), key="chart-memory")
    sections.table(workload_charts.memory_table(found, lang), "memory-table", right=(2, 3), width=28)


if __name__ == "__main__":
    if faults := st.session_state.pop("page_faults", None):
        inputs.problems(faults, state.language())
    draw()
