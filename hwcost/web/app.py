"""The page: inputs at the side, the answer and what stands behind it in the middle.

A result is computed once for each distinct input and belongs to the session that asked for it. Only the catalog and the
bundled scenarios, which are the same for everybody, are shared.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date

import streamlit as st

from hwcost.catalog import bundled_dir, load_catalog, user_dir
from hwcost.errors import InputError
from hwcost.messages import say
from hwcost.names import budget_text, option_name, scenario_name
from hwcost.problems import problem_text
from hwcost.quantities import number_text
from hwcost.records import Catalog
from hwcost.scenario import Scenario
from hwcost.scenario_io import DEFAULT_SCENARIO, bundled_scenarios, load_scenario
from hwcost.web import inputs, sections, solve
from hwcost.web.solve import Outcome
from hwcost.web.words import plain, word

MOST_OUTCOMES = 12  # kept in a session
# Streamlit's own hints exist in English only
STYLE = """<style>
[data-testid="InputInstructions"], [data-testid="stElementToolbar"] { display: none; }
[data-testid="stMetricValue"] > div { white-space: normal; overflow: visible; }
[data-testid="stTable"] th { color: inherit; }
</style>"""
log = logging.getLogger(__name__)


def main() -> None:
    """Draw the page."""
    inputs.keep_alive()
    lang = inputs.language()
    st.set_page_config(page_title=word("title", lang), layout="wide")
    st.html(STYLE)
    try:
        catalog, scenarios = _load(_tables_state(), date.today())
    except InputError as error:
        _problems([problem_text(p, lang) for p in error.problems], lang)
        return
    with st.sidebar:
        inputs.language_switch(lang)
        base = inputs.scenario_picker(scenarios, lang)
        typed = inputs.panel(base, lang)
    st.title(word("title", lang), anchor=False)
    st.caption(plain(word("scenario_line", lang, scenario=scenario_name(base, lang))))
    try:
        _body(typed, base, catalog, lang)
    except Exception as error:
        _failed(error, lang)


def _body(typed: inputs.Typed, base: Scenario, catalog: Catalog, lang: str) -> None:
    """The result of the inputs; or an earlier one of the same scenario, marked as such; and all problems."""
    outcomes: dict[str, Outcome] = st.session_state.setdefault("outcomes", {})
    shown: dict[str, str] = st.session_state.setdefault("shown", {})  # scenario -> key of the result on the page
    again = st.session_state.pop("solve_again", False)
    notes = (
        st.container()
    )  # one place for progress and warnings, so that what follows does not move as they come and go
    if typed.scenario is None:
        with notes:
            _problems(list(typed.problems), lang)
    else:
        key = solve.key_of(typed.scenario, catalog)
        nothing_yet = shown.get(base.id) not in outcomes
        if key not in outcomes and (typed.solve or again or nothing_yet):
            with notes, _working(lang) as report:
                _keep(outcomes, solve.compute(typed.scenario, catalog, report))
        if key in outcomes:
            shown[base.id] = key
    outcome = outcomes.get(shown.get(base.id, ""))
    if outcome is None:
        return
    with notes:
        if typed.scenario is None:
            st.warning(plain(word("fix_inputs", lang, inputs=_inputs_line(outcome.scenario, lang))))
        elif outcome.key != key:
            st.warning(plain(word("stale", lang, inputs=_inputs_line(outcome.scenario, lang))))
            st.button(word("solve_again", lang), key="again", type="primary", on_click=_ask, args=("solve_again", True))
    if st.session_state.pop("conflict_asked", None) == outcome.key:
        with notes, _working(lang) as report:
            outcome = replace(outcome, conflict=solve.find_conflict(outcome.plan, report))
            _keep(outcomes, outcome)
    asked_for = outcome.key
    sections.show(outcome, lang, lambda: _ask("conflict_asked", asked_for))


def _ask(name: str, value: object) -> None:
    st.session_state[name] = value


def _keep(outcomes: dict[str, Outcome], outcome: Outcome) -> None:
    """The newest results only: each holds a whole case."""
    outcomes.pop(outcome.key, None)
    outcomes[outcome.key] = outcome
    while len(outcomes) > MOST_OUTCOMES:
        del outcomes[next(iter(outcomes))]


@contextmanager
def _working(lang: str) -> Iterator[solve.Report]:
    """Progress on the page while the block runs. What goes wrong is said in words; the traceback goes to the log."""
    status = st.status(word("progress.running", lang))
    started = time.monotonic()

    def report(step: str, about: str) -> None:
        words = {}
        if step == "stage":
            words["stage"] = say(f"level.{about}", lang)
        elif step == "option":
            words["option"] = option_name(about, lang)
        text = word(f"progress.{step}", lang, **words)
        status.update(label=text)
        if step != "stage":  # the levels of the objective pass too fast to be read
            status.write(plain(text))

    try:
        yield report
    except InputError as error:
        status.update(label=word("progress.stopped", lang), state="error")
        _problems([problem_text(p, lang) for p in error.problems], lang)
    except Exception as error:
        status.update(label=word("progress.stopped", lang), state="error")
        _failed(error, lang)
    else:
        seconds = number_text(time.monotonic() - started, lang, 1)
        status.update(label=word("progress.done", lang, seconds=seconds), state="complete", expanded=False)


def _failed(error: Exception, lang: str) -> None:
    """A defect: a sentence for the reader, the traceback for the log."""
    log.error("the calculation failed", exc_info=error)
    st.error(plain(word("failed", lang, kind=type(error).__name__)))


def _problems(sentences: list[str], lang: str) -> None:
    st.error("\n".join([f"**{plain(word('problems', lang))}**", "", *(f"- {plain(text)}" for text in sentences)]))


def _inputs_line(scenario: Scenario, lang: str) -> str:
    """The inputs of a result in one line, to tell it from another."""
    budget = word("no_limit", lang) if scenario.budget is None else budget_text(scenario, lang)
    return word(
        "inputs_line", lang, scenario=scenario_name(scenario, lang), budget=budget, years=scenario.horizon_years,
        objective=say(f"objective.{scenario.objective}", lang),
        tariff=f"{scenario.tariff_per_kwh:g} {word(f'unit.{scenario.currency}', lang)}",
    )  # fmt: skip


# --- what all sessions share ---


def _tables_state() -> tuple[tuple[str, int, int], ...]:
    """Files of the catalog and the scenarios with time and size, so that an edited price table is read again."""
    folders = [bundled_dir(), bundled_dir() / "scenarios", *([own] if (own := user_dir()) else [])]
    files = [path for folder in folders if folder.is_dir() for path in sorted(folder.iterdir()) if path.is_file()]
    return tuple((str(path), (found := path.stat()).st_mtime_ns, found.st_size) for path in files)


@st.cache_resource(show_spinner=False, max_entries=2)
def _load(state: tuple[tuple[str, int, int], ...], today: date) -> tuple[Catalog, dict[str, Scenario]]:
    """The catalog and the bundled scenarios, the default first. `today` counts where a scenario states no day."""
    catalog = load_catalog()
    names = sorted(bundled_scenarios(), key=lambda name: (name != DEFAULT_SCENARIO, name))
    return catalog, {name: load_scenario(name, catalog) for name in names}


if __name__ == "__main__":
    main()
