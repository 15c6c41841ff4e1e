"""The start: twelve questions, what follows from the answers, and the scenario made of them."""

from __future__ import annotations

from typing import Any

import streamlit as st

from hwcost.answers_io import answers_from_dict
from hwcost.errors import InputError, Problem
from hwcost.messages import say, texts
from hwcost.quantities import UNKNOWN, hours_text, memory_text, money_text, number_text, percent_text
from hwcost.records import Catalog
from hwcost.start import Started, start
from hwcost.start_work import Item
from hwcost.web import inputs, questions, sections, state
from hwcost.web.desk import Desk
from hwcost.web.forms import Form
from hwcost.web.lazy import pd
from hwcost.web.words import plain, word

MADE = "made"


def draw() -> None:
    lang, desk = state.language(), state.desk()
    st.title(plain(word("start.title", lang)), anchor=False)
    st.caption(plain(word("start.intro", lang)))
    form = Form("start", desk.store)
    asked = questions.ask(form, desk.catalog, lang)
    started, faults = None, list(asked.problems)
    if not faults:
        try:
            started = start(answers_from_dict(asked.document, desk.catalog), desk.catalog)
        except InputError as error:
            faults = list(error.problems)
    _faults(faults, asked, lang)
    st.divider()
    if started is None:
        st.warning(plain(word("start.wrong", lang)))
    else:
        _follows(started, desk.catalog, lang)
    left, right = st.columns([3, 1])
    with left:
        st.button(word("start.make", lang), key="make", type="primary", width="stretch", disabled=started is None,
                  on_click=_make, args=(desk, started, form))  # fmt: skip
    with right:
        st.button(word("start.clear", lang), key="clear-form", width="stretch", on_click=form.clear)
    if st.session_state.pop("go_decision", False):
        st.switch_page(str(decision_page()))


def decision_page() -> Any:
    """The page that shows the plan."""
    from hwcost.web.app import VIEWS

    return VIEWS / "decision.py"


def _faults(faults: list[Problem], asked: questions.Asked, lang: str) -> None:
    """Each fault at its question."""
    for problem in faults:
        number = questions.question_of(problem)
        with asked.places.get(number, st.container()):
            label = _field(problem.column, lang)
            st.error(plain(inputs.problem_of(problem, label, lang)))


def _field(key: str, lang: str) -> str:
    name = f"start.field.{questions._plain_key(key)}"
    return say(name, lang) if name in texts() else word("budget", lang) if key == "budget" else key


def _make(desk: Desk, started: Started, form: Form) -> None:
    """The scenario of the answers: a new one, or the one made of them before, changed."""
    made = str(form.values.get(MADE, ""))
    if made and desk.open(made) and desk.changed:
        faults = desk.replace({**started.document, "id": made}, "answers")
        if faults:
            st.session_state["page_faults"] = faults
            return
    else:
        form.values[MADE] = desk.add(started.document, started.answers.id, "answers")
    form.store.write_form(form.name, form.values)
    st.session_state["go_decision"] = True


def _follows(started: Started, catalog: Catalog, lang: str) -> None:
    st.subheader(plain(word("start.follows", lang)), anchor=False)
    st.caption(plain(say("start.jobs", lang, card=started.reference)))
    sections.table(_jobs(started, lang), "start-jobs", right=tuple(range(2, 10)), width=44)
    hours = started.hours
    busy, held = number_text(hours.busy_card_hours, lang), number_text(hours.held_card_hours, lang)
    lines = [say("start.busy", lang, hours=busy), say("start.held", lang, hours=held),
             say("start.wall", lang, hours=number_text(hours.wall_hours, lang))]  # fmt: skip
    if hours.busy_card_hours < 0.25 * hours.held_card_hours:
        lines.append(say("start.advice_compute", lang, busy=busy, held=held))
    st.markdown("\n".join(f"- {plain(line)}" for line in lines))
    if started.waits:
        st.caption(plain(say("start.waiting", lang, people=started.at_once)))
        sections.table(_waits(started, lang), "start-waits", width=34)
    notes = [_note(note.code, dict(note.values), started, lang) for note in started.notes]
    if notes:
        st.markdown("\n".join(f"- {plain(note)}" for note in notes))
    with st.expander(word("start.all_steps", lang)):
        sections.table(_steps(started, catalog, lang), "start-steps", width=44)


def _jobs(started: Started, lang: str) -> pd.DataFrame:
    names = ("job", "people", "at_once", "per_card", "batch", "memory", "runs", "one_run", "busy_hours")
    titles = [say(f"start.{name}", lang) for name in names]
    rows = [
        [plain(job.name_zh if lang == "zh" else job.name), number_text(job.people, lang, 1), str(job.at_once),
         str(job.per_card), number_text(job.batch, lang), memory_text(job.memory_mib, lang),
         number_text(job.runs_per_year, lang), hours_text(job.hours_per_run, lang),
         number_text(job.busy_card_hours, lang)]
        for job in started.jobs
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=titles).set_index(titles[0])


def _waits(started: Started, lang: str) -> pd.DataFrame:
    titles = [say(f"start.{name}", lang) for name in ("cards", "waits", "wait", "waits_shared")]
    rows = []
    for cards, alone, shared in started.waits:
        counts = [
            f"{w.people_waiting} ({percent_text(w.share, lang, 0)})" if w.people_waiting else say("start.nobody", lang)
            for w in (alone, shared)
        ]
        rows.append([str(cards), plain(counts[0]), hours_text(alone.hours, lang), plain(counts[1])])
    return pd.DataFrame(rows, columns=titles).set_index(titles[0])


def _note(code: str, values: dict[str, Any], started: Started, lang: str) -> str:
    if "hours" in values:
        values["hours"] = number_text(values["hours"], lang)
    for name in ("cost", "funds", "budget"):
        if name in values:
            values[name] = money_text(values[name], started.answers.currency, lang)
    return say(f"start.note.{code}", lang, **values)


def _steps(started: Started, catalog: Catalog, lang: str) -> pd.DataFrame:
    """Every derived figure: question, answer, where it is from, value."""
    names = ("question", "field", "answer", "origin", "value")
    titles = [say(f"start.{name}", lang) for name in names]
    in_zh = {n.name: n.name_zh for n in catalog.networks.values()} if lang == "zh" else {}
    rows = [
        [str(item.question), plain(_item_name(item, lang)), plain(in_zh.get(item.answer, item.answer) or UNKNOWN),
         say(f"start.origin.{item.origin}", lang), plain(_item_value(item, catalog, lang))]
        for item in sorted(started.items, key=lambda item: item.question)
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=titles).set_index(titles[0])


def _item_name(item: Item, lang: str) -> str:
    if item.becomes == "objective":
        return say("start.field.objective", lang)
    text = _field(item.key, lang)
    number = item.key.partition("[")[2].partition("]")[0]
    return say("start.numbered", lang, field=text, number=number) if number else text


def _item_value(item: Item, catalog: Catalog, lang: str) -> str:
    if isinstance(item.value, bool):
        return say("start.yes" if item.value else "start.no", lang)
    if isinstance(item.value, int | float):
        unit = f"start.unit.{item.unit}"
        return f"{item.value:,.10g} {say(unit, lang) if unit in texts() else item.unit}".rstrip()
    rows: dict[str, Any] = {**catalog.networks, **{row.id: row for row in reversed(catalog.procurement)}}
    row = rows.get(str(item.value))
    if row is not None:
        return str(row.name_zh if lang == "zh" else row.name)
    name = f"start.value.{item.value}"
    return say(name, lang) if name in texts() else str(item.value) or UNKNOWN


if __name__ == "__main__":
    if faults := st.session_state.pop("page_faults", None):
        inputs.problems(faults, state.language())
    draw()
