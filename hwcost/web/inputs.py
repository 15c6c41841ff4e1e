"""The inputs in the sidebar. What is typed is kept by scenario, so that a look at another one loses nothing.

Every change from the scenario's own figures also stands in the page's address: a reload, or a colleague who is sent the
address, sees the same inputs.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from typing import Any

import streamlit as st

from hwcost.errors import InputError
from hwcost.messages import LANGUAGES, say
from hwcost.messages.web import LANGUAGE_NAMES
from hwcost.names import scenario_name, workload_name
from hwcost.problems import problem_text
from hwcost.scenario import OBJECTIVES, Scenario
from hwcost.scenario_io import DEFAULT_SCENARIO, with_changes
from hwcost.web import budget
from hwcost.web.words import plain, word
from hwcost.workload import Workload

HORIZON_MOST = 10
LANGUAGE, SCENARIO = "lang", "scenario"
LANGUAGE_VARIABLE = "HWCOST_LANG"
KEPT = (LANGUAGE, SCENARIO)


@dataclasses.dataclass(frozen=True)
class Typed:
    """The scenario as changed in the sidebar, or the problems in sentences; `solve`: the button was pressed."""

    scenario: Scenario | None
    problems: tuple[str, ...]
    solve: bool


def keep_alive() -> None:
    """Claims every input for the session, so that a widget whose label changes with the language keeps its value."""
    for name in list(st.session_state):
        key = str(name)
        if key in KEPT or "/" in key:
            st.session_state[key] = st.session_state[key]


def language() -> str:
    """The language chosen, else that of the address, of `hwcost app --lang`, of the browser, else Chinese."""
    if LANGUAGE not in st.session_state:
        browser = (st.context.locale or "zh")[:2]
        asked = (st.query_params.get(LANGUAGE, ""), os.environ.get(LANGUAGE_VARIABLE, ""), browser, "en")
        st.session_state[LANGUAGE] = next(lang for lang in asked if lang in LANGUAGES)
    return str(st.session_state[LANGUAGE])


def language_switch(lang: str) -> None:
    st.radio(word("language", lang), LANGUAGES, format_func=LANGUAGE_NAMES.__getitem__, key=LANGUAGE, horizontal=True)


def scenario_picker(scenarios: Mapping[str, Scenario], lang: str) -> Scenario:
    """The scenario to start from."""
    if st.session_state.get(SCENARIO) not in scenarios:
        asked = st.query_params.get(SCENARIO, DEFAULT_SCENARIO)
        st.session_state[SCENARIO] = asked if asked in scenarios else next(iter(scenarios))

    def name(identity: str) -> str:
        return scenario_name(scenarios[identity], lang)

    st.selectbox(
        word("scenario", lang), list(scenarios), format_func=name, key=SCENARIO, help=word("scenario.help", lang)
    )
    return scenarios[st.session_state[SCENARIO]]


def panel(base: Scenario, lang: str) -> Typed:
    """All inputs of one scenario, and the button."""
    seeds = _seeds(base, lang)
    _sow(base, seeds)
    _speak(base, lang)
    st.subheader(word("inputs.money", lang), anchor=False)
    problems: list[str] = []
    fields = _money(base, lang, problems)
    st.subheader(word("inputs.demand", lang), anchor=False)
    changed_workloads = tuple(_workload(base, w, lang) for w in base.workloads)
    if changed_workloads != base.workloads:
        fields["workloads"] = changed_workloads
    solve = st.button(word("solve", lang), key="solve", type="primary", width="stretch", disabled=bool(problems))
    st.button(word("reset", lang), key="reset", width="stretch", on_click=_reset, args=(base, seeds))
    _write_address(base, seeds)
    if problems:
        return Typed(None, tuple(problems), False)
    try:
        return Typed(with_changes(base, **fields) if fields else base, (), solve)
    except InputError as error:
        return Typed(None, tuple(_problem_texts(error, base, lang)), False)


# --- what is typed ---


def _key(base: Scenario, name: str) -> str:
    return f"{base.id}/{name}"


def _seeds(base: Scenario, lang: str) -> dict[str, Any]:
    """The scenario's own figures, as the widgets hold them."""
    text, factor = budget.seed(base, lang)
    seeds: dict[str, Any] = {
        "budget": text, "unit": factor, "tax": base.budget_tax_included, "objective": base.objective,
        "years": base.horizon_years, "tariff": float(base.tariff_per_kwh),
    }  # fmt: skip
    for workload in base.workloads:
        seeds[f"people.{workload.id}"] = workload.people_at_once
        seeds[f"runs.{workload.id}"] = float(workload.runs_per_year)
    return seeds


def _speak(base: Scenario, lang: str) -> None:
    """Turns a bare budget into the unit of the language, where that one does not offer the unit it was typed in."""
    unit, text = _key(base, "unit"), _key(base, "budget")
    state = st.session_state
    for other in LANGUAGES:
        if (state[text], state[unit]) == budget.seed(base, other):  # the scenario's own budget
            state[text], state[unit] = budget.seed(base, lang)
    if state[unit] in budget.unit_factors(base.currency, lang):
        return
    factor = budget.unit_factors(base.currency, lang)[1] if lang == "zh" else 1
    state[text], state[unit] = budget.in_unit(state[text], state[unit], factor), factor


def _sow(base: Scenario, seeds: dict[str, Any]) -> None:
    """Gives each input its first value: from the address where it names this scenario, else the scenario's own."""
    address = st.query_params.to_dict() if st.query_params.get(SCENARIO) == base.id else {}
    for name, seed in seeds.items():
        if _key(base, name) not in st.session_state:
            st.session_state[_key(base, name)] = _from_address(name, address.get(name), seed, base)


def _from_address(name: str, text: str | None, seed: Any, base: Scenario) -> Any:
    """A value out of the address in the type of the input; anything odd counts as not stated."""
    if text is None:
        return seed
    if name == "objective":
        return text if text in OBJECTIVES else seed
    if isinstance(seed, str):
        return text
    if isinstance(seed, bool):
        return text == "1"
    try:
        value = type(seed)(text)
    except ValueError:
        return seed
    if name == "unit":
        return value if value in (1, budget.THOUSAND, budget.WAN) else seed
    if name == "years":
        return value if 1 <= value <= HORIZON_MOST else seed
    return value if 0 <= value < 1e9 else seed


def _write_address(base: Scenario, seeds: dict[str, Any]) -> None:
    wanted = {LANGUAGE: st.session_state[LANGUAGE], SCENARIO: base.id}
    for name, seed in seeds.items():
        value = st.session_state[_key(base, name)]
        if value != seed:
            wanted[name] = str(int(value)) if isinstance(value, bool) else str(value)
    if wanted != st.query_params.to_dict():
        st.query_params.from_dict(wanted)


def _reset(base: Scenario, seeds: dict[str, Any]) -> None:
    for name, seed in seeds.items():
        st.session_state[_key(base, name)] = seed


# --- widgets ---


def _money(base: Scenario, lang: str, problems: list[str]) -> dict[str, Any]:
    """Budget, objective, horizon and tariff; the fields that differ from the scenario."""
    text = st.text_input(word("budget", lang), key=_key(base, "budget"), help=word("budget.help", lang))
    left, right = st.columns(2)
    with left:
        factor = st.radio(
            word("unit", lang), budget.unit_factors(base.currency, lang), key=_key(base, "unit"),
            format_func=lambda f: budget.unit_text(base.currency, f, lang),
        )  # fmt: skip
    with right:
        gross = st.radio(
            word("tax", lang), (True, False), key=_key(base, "tax"),
            format_func=lambda g: word("tax.included" if g else "tax.excluded", lang),
        )  # fmt: skip
    amount = base.budget
    try:
        amount = budget.read(text, factor, base.currency)
        if amount == 0 and not base.owned:
            problems.append(word("budget_zero", lang))
        st.caption(plain(budget.echo(amount, gross, base, lang)))
    except InputError as error:
        problems += _problem_texts(error, base, lang)
    for problem in problems:
        st.error(plain(problem))
    st.selectbox(
        word("objective", lang),
        OBJECTIVES,
        key=_key(base, "objective"),
        format_func=lambda o: say(f"objective.{o}", lang),
    )
    left, right = st.columns(2, vertical_alignment="bottom")
    with left:
        years = st.number_input(word("horizon", lang), 1, HORIZON_MOST, step=1, key=_key(base, "years"))
    currency = word(f"unit.{base.currency}", lang)
    with right:
        tariff = st.number_input(
            word("tariff", lang, currency=currency), min_value=0.0, step=0.05, format="%.4g", key=_key(base, "tariff")
        )
    stated = {
        "budget": amount, "budget_tax_included": gross, "objective": st.session_state[_key(base, "objective")],
        "horizon_years": years, "tariff_per_kwh": tariff,
    }  # fmt: skip
    return {name: value for name, value in stated.items() if value != getattr(base, name)}


def _workload(base: Scenario, workload: Workload, lang: str) -> Workload:
    """People at once and runs per year of one job."""
    title = word("must" if workload.must else "want", lang, workload=workload_name(workload, lang))
    st.markdown(f"**{plain(title)}**")
    left, right = st.columns(2)
    with left:
        people = st.number_input(word("people", lang), min_value=0, step=1, key=_key(base, f"people.{workload.id}"))
    with right:
        runs = st.number_input(
            word("runs", lang), min_value=0.0, step=10.0, format="%.6g", key=_key(base, f"runs.{workload.id}")
        )
    if (people, runs) == (workload.people_at_once, workload.runs_per_year):
        return workload
    return dataclasses.replace(workload, people_at_once=people, runs_per_year=runs)


def _problem_texts(error: InputError, base: Scenario, lang: str) -> list[str]:
    """The sentences with the input's own label in place of the file and the name of the field."""
    labels = {
        "budget": word("budget", lang), "horizon_years": word("horizon", lang), "objective": word("objective", lang),
        "tariff_per_kwh": word("tariff", lang, currency=word(f"unit.{base.currency}", lang)),
    }  # fmt: skip
    for n, workload in enumerate(base.workloads, 1):
        name = workload_name(workload, lang)
        labels[f"workload[{n}].people_at_once"] = word("input_at", lang, label=name, problem=word("people", lang))
        labels[f"workload[{n}].runs_per_year"] = word("input_at", lang, label=name, problem=word("runs", lang))
    found = []
    for problem in error.problems:
        if problem.column in labels:
            text = problem_text(dataclasses.replace(problem, file="", sheet="", row=None, column=""), lang)
            found.append(word("input_at", lang, label=labels[problem.column], problem=text))
        else:
            found.append(problem_text(problem, lang))
    return found
