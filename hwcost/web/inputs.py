"""The sidebar: scenario, budget, objective, language. Every change is kept at once; nothing waits for a button.

A widget shows what the scenario's document says. What is typed and cannot be read stays in its box, with the reason
beside it, and the document stays as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from hwcost.errors import InputError, Problem
from hwcost.messages import LANGUAGES, say
from hwcost.messages.web import LANGUAGE_NAMES
from hwcost.problems import problem_text
from hwcost.quantities import money_text
from hwcost.scenario import OBJECTIVES, Scenario
from hwcost.scenario_io import bundled_scenarios
from hwcost.web import budget, files, fixes
from hwcost.web.desk import Desk
from hwcost.web.state import LANGUAGE, SCENARIO
from hwcost.web.words import plain, word

HORIZON_MOST = 10
FAULTS = "sidebar_faults"


def sidebar(desk: Desk, lang: str) -> None:
    """All of it, for the current scenario."""
    st.radio(word("language", lang), LANGUAGES, format_func=LANGUAGE_NAMES.__getitem__, key=LANGUAGE, horizontal=True)
    _picker(desk, lang)
    try:
        scenario = desk.scenario()
    except InputError as error:
        problems(error.problems, lang)
        return
    _budget(desk, scenario, lang)
    _choice(desk, "objective", scenario.objective, OBJECTIVES, lambda o: say(f"objective.{o}", lang),
            word("objective", lang))  # fmt: skip
    with st.expander(word("inputs.more", lang)):
        _number(desk, "horizon_years", scenario.horizon_years, word("horizon", lang), 1, HORIZON_MOST)
        currency = word(f"unit.{scenario.currency}", lang)
        _number(desk, "power.tariff_per_kwh", scenario.tariff_per_kwh, word("tariff", lang, currency=currency), 0.0,
                None, 0.05)  # fmt: skip
        st.text_input(word("who", lang), key="who", help=word("who.help", lang), on_change=_set_who, args=(desk,))
    left, right = st.columns(2)
    with left:
        st.button(word("undo", lang), key="undo", width="stretch", on_click=_undo, args=(desk,),
                  disabled=not desk.undos.get(desk.current))  # fmt: skip
    with right:
        st.button(word("reset", lang), key="reset", width="stretch", on_click=desk.reset, help=word("reset.help", lang),
                  disabled=not desk.changed)  # fmt: skip
    if desk.unkept:
        st.warning(plain(word("unkept", lang, reason=desk.unkept)))
    elif desk.changed:
        st.caption(plain(word("kept", lang)))
    with st.expander(word("open", lang)):
        files.opener(desk, lang)


def title_of(desk: Desk, key: str, lang: str) -> str:
    """The scenario's name; a bundled one that this session has changed says so."""
    document = desk.documents.get(key)
    if document is None or key == desk.current:
        before, desk.current = desk.current, key
        try:
            document = desk.document
        finally:
            desk.current = before
    name = str(document.get(f"name_{lang}") or document.get("name_en") or key)
    own = key in bundled_scenarios() and desk.store.stamp(key) is not None
    return word("scenario.changed", lang, name=name) if own else name


def _picker(desk: Desk, lang: str) -> None:
    st.session_state[SCENARIO] = desk.current

    def chosen() -> None:
        desk.open(st.session_state[SCENARIO])

    titles = {key: title_of(desk, key, lang) for key in desk.names()}
    st.selectbox(
        word("scenario", lang), list(titles), format_func=titles.__getitem__, key=SCENARIO, on_change=chosen,
        help=word("scenario.help", lang),
    )  # fmt: skip


def _undo(desk: Desk) -> None:
    desk.undo()


def _set_who(desk: Desk) -> None:
    desk.who = st.session_state["who"].strip()


# --- budget ---


def _budget(desk: Desk, scenario: Scenario, lang: str) -> None:
    text, unit, tax = (f"{desk.current}/{name}" for name in ("budget", "unit", "tax"))
    state = st.session_state
    _seed_budget(state, text, unit, scenario, lang)
    state[tax] = scenario.budget_tax_included

    def changed() -> None:
        amount, faults = _read(state[text], state[unit], scenario)
        state[FAULTS] = faults
        if not faults:
            _set_budget(desk, scenario, amount, state[tax])

    st.text_input(word("budget", lang), key=text, help=word("budget.help", lang), on_change=changed)
    amount, faults = _read(state[text], state[unit], scenario)
    for fault in faults:
        st.error(plain(problem_of(fault, word("budget", lang), lang)))
        _readings(desk, scenario, fault, text, unit, lang)
    left, right = st.columns(2)
    with left:
        st.radio(
            word("unit", lang), budget.unit_factors(scenario.currency, lang), key=unit, on_change=changed,
            format_func=lambda f: budget.unit_text(scenario.currency, f, lang),
        )  # fmt: skip
    with right:
        st.radio(
            word("tax", lang), (True, False), key=tax, on_change=changed,
            format_func=lambda g: word("tax.included" if g else "tax.excluded", lang),
        )  # fmt: skip
    if not faults:
        st.caption(plain(budget.echo(amount, state[tax], scenario, lang)))


def _seed_budget(state: Any, text: str, unit: str, scenario: Scenario, lang: str) -> None:
    """The box as it is, while it says what the document says or cannot be read; else the document's budget."""
    seeded = text in state and unit in state
    if seeded and state[unit] not in budget.unit_factors(scenario.currency, lang):
        wanted = budget.seed(scenario, lang)[1]
        state[text], state[unit] = budget.in_unit(state[text], state[unit], wanted), wanted
    typed = _read(state[text], state[unit], scenario) if seeded else (None, ())
    if not seeded or (not typed[1] and typed[0] != scenario.budget):
        state[text], state[unit] = budget.seed(scenario, lang)
    elif not typed[1]:
        for other in LANGUAGES:
            if (state[text], state[unit]) == budget.seed(scenario, other):
                state[text], state[unit] = budget.seed(scenario, lang)
    state[text], state[unit] = state[text], state[unit]  # claimed, so that another label keeps the value


def _read(text: str, factor: int, scenario: Scenario) -> tuple[float | None, tuple[Problem, ...]]:
    try:
        amount = budget.read(text, factor, scenario.currency)
    except InputError as error:
        return None, error.problems
    if amount == 0 and not scenario.owned:
        return None, (Problem("option_zero", column="budget", value=text),)
    return amount, ()


def _set_budget(desk: Desk, scenario: Scenario, amount: float | None, gross: bool) -> None:
    apply(desk, {**fixes.budget_changes(desk.document, amount, gross), "objective": scenario.objective})


def _readings(desk: Desk, scenario: Scenario, fault: Problem, text: str, unit: str, lang: str) -> None:
    """An amount that can be read in two ways: both, to choose from."""
    if fault.code != "number_ambiguous":
        return

    def choose(reading: str) -> None:
        st.session_state[text] = reading
        amount, faults = _read(reading, st.session_state[unit], scenario)
        if not faults:
            _set_budget(desk, scenario, amount, scenario.budget_tax_included)

    for n, name in enumerate(("first", "second")):
        reading = str(fault.values[name])
        meant = float(reading) * st.session_state[unit]
        st.button(word("budget.meant", lang, amount=money_text(meant, scenario.currency, lang)), key=f"meant-{n}",
                  on_click=choose, args=(reading,))  # fmt: skip


# --- one figure of the document ---


def _choice(desk: Desk, key: str, value: str, choices: Sequence[str], name: Callable[[str], str], label: str) -> None:
    box = f"{desk.current}/{key}"
    st.session_state[box] = value

    def changed() -> None:
        apply(desk, {key: st.session_state[box]})

    st.selectbox(label, list(choices), format_func=name, key=box, on_change=changed)


def _number(
    desk: Desk, key: str, value: float, label: str, low: float, high: float | None, step: float = 1
) -> None:  # fmt: skip
    box = f"{desk.current}/{key}"
    st.session_state[box] = value

    def changed() -> None:
        apply(desk, {key: st.session_state[box]}, label)

    whole = isinstance(value, int)
    st.number_input(label, min_value=low, max_value=high, step=int(step) if whole else step, key=box, on_change=changed,
                    format="%d" if whole else "%.4g")  # fmt: skip
    found: dict[str, tuple[Problem, ...]] = st.session_state.get("field_faults", {})
    lang = st.session_state[LANGUAGE]
    for fault in found.pop(key, ()):
        st.error(plain(problem_of(fault, label, lang)))


def apply(desk: Desk, fields: dict[str, Any], label: str = "") -> bool:
    """Edits the document; what is wrong is shown beside the widget at the next run."""
    faults = desk.edit(fields)
    kept: dict[str, tuple[Problem, ...]] = st.session_state.setdefault("field_faults", {})
    for key in fields:
        kept.pop(key, None)
    if faults:
        kept[next(iter(fields))] = faults
    return not faults


def problem_of(problem: Problem, label: str, lang: str) -> str:
    """The sentence with the input's own label in place of file and key."""
    from dataclasses import replace

    text = problem_text(replace(problem, file="", sheet="", row=None, column=""), lang)
    return word("input_at", lang, label=label, problem=text)


def problems(found: Sequence[Problem], lang: str) -> None:
    """A list of faults, each with its place."""
    lines = [f"- {plain(problem_text(problem, lang))}" for problem in found]
    st.error("\n".join([f"**{plain(word('problems', lang))}**", "", *lines]))
