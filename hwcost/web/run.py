"""The answer on a page: at once where it is known, else worked out while the page shows how far it is.

A change of the inputs is answered without a button as long as answers come fast; where the last one took long, the
page keeps the earlier result, says that it is one, and asks. What runs can be stopped, and is when inputs change.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import streamlit as st

from hwcost.case import Case
from hwcost.errors import InputError
from hwcost.messages import say
from hwcost.names import budget_text, option_name, scenario_name
from hwcost.quantities import number_text
from hwcost.scenario import Scenario
from hwcost.web import inputs, solve
from hwcost.web.desk import Desk
from hwcost.web.solve import Outcome
from hwcost.web.words import plain, word
from hwcost.web.work import Job, Stopped

AUTO_S = 8.0  # a first answer that took longer is not worked out again without being asked for
POLL_S = 0.04
MOST_RESULTS = 6
MOST_SHARED = 8
JOB, SECONDS = "job", "seconds"
log = logging.getLogger(__name__)


def answer(desk: Desk, lang: str, notes: Any, ready: Callable[[Outcome], None] | None = None) -> Outcome | None:
    """The result for the inputs as they are, or an earlier one, marked as such; None where there is none yet.

    `notes` is a container for progress and warnings. `ready` gets the plan alone before the options are compared.
    """
    try:
        scenario = desk.scenario()
    except InputError as error:
        with notes:
            inputs.problems(error.problems, lang)
        return None
    key = solve.key_of(scenario, desk.catalog)
    known = desk.outcomes.get(key) or (shared().get(key) if desk.as_bundled else None)
    if known is not None:
        desk.keep(known)
        return known
    earlier = desk.last_outcome()
    asked = st.session_state.pop("solve_now", False)
    stopped = st.session_state.get("stopped") == scenario.sha256
    slow = st.session_state.get(SECONDS, {}).get(desk.current, 0.0) > AUTO_S
    if not asked and (stopped or (slow and earlier is not None)):
        with notes:
            _stale(earlier, lang)
        return earlier
    st.session_state.pop("stopped", None)
    outcome = _worked_out(desk, scenario, earlier, lang, notes, ready)
    return outcome or earlier


def _stale(earlier: Outcome | None, lang: str) -> None:
    if earlier is not None:
        st.warning(plain(word("stale", lang, inputs=inputs_line(earlier.scenario, lang))))
    else:
        st.warning(plain(word("stopped", lang)))
    st.button(word("solve_again", lang), key="again", type="primary", on_click=_ask, args=("solve_now", True))


def _worked_out(
    desk: Desk, scenario: Scenario, earlier: Outcome | None, lang: str, notes: Any,
    ready: Callable[[Outcome], None] | None,
) -> Outcome | None:  # fmt: skip
    like = earlier.plan.case if earlier is not None else None
    catalog = desk.catalog

    def task(report: solve.Report, part: Callable[[Outcome], None]) -> Outcome:
        return solve.compute(scenario, catalog, report, like=like, ready=part)

    job: Job[Outcome] = start(f"{desk.current}/{solve.key_of(scenario, catalog)}", task)
    with notes, progress(lang, scenario.sha256) as update:
        shown = False
        while not job.wait(POLL_S):
            update(job.steps)
            if job.parts and not shown:
                shown = True
                st.session_state.setdefault(SECONDS, {})[desk.current] = time.monotonic() - job.started
                if ready is not None:
                    ready(job.parts[0])
        update(job.steps)
        outcome = finished(job)
        if outcome is not None:
            if not outcome.plan.has_plan:
                st.session_state.setdefault(SECONDS, {})[desk.current] = job.seconds
            desk.keep(outcome)
            if desk.as_bundled:
                kept = shared()
                kept[outcome.key] = outcome
                while len(kept) > MOST_SHARED:
                    del kept[next(iter(kept))]
        return outcome


@st.cache_resource(show_spinner=False)
def shared() -> dict[str, Outcome]:
    """Results of bundled scenarios that nobody has changed, at the prices of the program: the same for everybody."""
    return {}


def start(name: str, task: Callable[..., Any]) -> Job[Any]:
    """The session's one calculation: the running one of this name, else a new one in the place of any other."""
    kept: tuple[str, Job[Any]] | None = st.session_state.get(JOB)
    if kept is not None:
        if kept[0] == name and not isinstance(kept[1].error, Stopped):
            return kept[1]
        kept[1].stop()
    job: Job[Any] = Job(task)
    st.session_state[JOB] = (name, job)
    return job


def finished(job: Job[Any]) -> Any:
    """The result of a job that is done. Its error is raised here, where the page can say it."""
    st.session_state.pop(JOB, None)
    if isinstance(job.error, Stopped):
        return None
    if job.error is not None:
        raise job.error
    return job.result


@contextmanager
def progress(lang: str, about: str) -> Iterator[Callable[[Sequence[tuple[str, str]]], None]]:
    """Progress with a stop button while the block runs. What goes wrong is said in words; the rest goes to the log."""
    place = st.empty()
    with place.container():
        left, right = st.columns([5, 1], vertical_alignment="center")
        with left:
            text = st.empty()
        with right:
            st.button(word("stop", lang), key="stop", width="stretch", on_click=_stop, args=(about,))
    begun, last = time.monotonic(), ("", 0.0)

    def update(steps: Sequence[tuple[str, str]]) -> None:
        nonlocal last
        if not steps:
            return
        said, seconds = step_text(*steps[-1], lang), time.monotonic() - begun
        if said != last[0] or seconds - last[1] >= 1.0:
            last = (said, seconds)
            text.caption(plain(word("progress.now", lang, step=said, seconds=number_text(seconds, lang, 0))))

    text.caption(plain(word("progress.running", lang)))
    try:
        yield update
    except InputError as error:
        place.empty()
        inputs.problems(error.problems, lang)
    except Exception as error:
        place.empty()
        failed(error, lang)
    else:
        place.empty()


def step_text(step: str, about: str, lang: str) -> str:
    """One step of a calculation in words."""
    words = {}
    if step == "stage":
        words["stage"] = say(f"level.{about}", lang)
    elif step == "option":
        words["option"] = option_name(about, lang)
    elif about:
        words["about"] = about
    return word(f"progress.{step}", lang, **words)


def _stop(about: str) -> None:
    kept: tuple[str, Job[Any]] | None = st.session_state.pop(JOB, None)
    if kept is not None:
        kept[1].stop()
    st.session_state["stopped"] = about


def _ask(name: str, value: object) -> None:
    st.session_state[name] = value


def failed(error: Exception, lang: str) -> None:
    """A defect: a sentence for the reader, the traceback for the log."""
    log.error("the calculation failed", exc_info=error)
    st.error(plain(word("failed", lang, kind=type(error).__name__)))


def case_of(desk: Desk, lang: str) -> Case | None:
    """The case of the inputs: that of a known result, else prepared now (a fraction of a second)."""
    scenario = desk.scenario()
    key = solve.key_of(scenario, desk.catalog)
    known = desk.outcomes.get(key)
    if known is not None:
        return known.plan.case
    kept: tuple[str, Case] | None = st.session_state.get("case")
    if kept is None or kept[0] != key:
        earlier = desk.last_outcome()
        try:
            kept = (key, solve.case_for(scenario, desk.catalog, earlier.plan.case if earlier else None))
        except InputError as error:
            inputs.problems(error.problems, lang)
            return None
        st.session_state["case"] = kept
    return kept[1]


def find_conflict(desk: Desk, outcome: Outcome, lang: str, notes: Any) -> Outcome:
    """The result with what stands in the way of doing everything."""

    def task(report: solve.Report, part: Callable[[Any], None]) -> Any:
        return solve.find_conflict(outcome.plan, report)

    job = start(f"conflict/{outcome.key}", task)
    with notes, progress(lang, "conflict") as update:
        while not job.wait(POLL_S):
            update(job.steps)
        outcome = replace(outcome, conflict=finished(job))
        desk.keep(outcome)
    return outcome


def inputs_line(scenario: Scenario, lang: str) -> str:
    """The inputs of a result in one line, to tell it from another."""
    budget = word("no_limit", lang) if scenario.budget is None else budget_text(scenario, lang)
    return word(
        "inputs_line", lang, scenario=scenario_name(scenario, lang), budget=budget, years=scenario.horizon_years,
        objective=say(f"objective.{scenario.objective}", lang),
        tariff=f"{scenario.tariff_per_kwh:g} {word(f'unit.{scenario.currency}', lang)}",
    )  # fmt: skip


def background(lang: str, name: str, task: Callable[[solve.Report, Callable[[Any], None]], Any], notes: Any) -> Any:
    """A calculation of a page, with progress and a stop button; None where it was stopped or failed."""
    job = start(name, task)
    found = None
    with notes, progress(lang, name) as update:
        while not job.wait(POLL_S):
            update(job.steps)
        found = finished(job)
    return found


def kept_results(kind: str) -> dict[str, Any]:
    """Results of one kind in this session, by what they are for; the newest few."""
    made: dict[str, Any] = st.session_state.setdefault("made", {}).setdefault(kind, {})
    while len(made) > MOST_RESULTS:
        del made[next(iter(made))]
    return made


def made_for(kind: str, desk: Desk, outcome: Outcome) -> Any:
    """What was worked out on another page for this very result; None where it was not, or for other inputs."""
    found = kept_results(f"{kind}/{desk.current}").get(outcome.key)
    return None if found is None else found[0]
