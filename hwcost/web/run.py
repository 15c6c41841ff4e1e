"""The answer on a page: at once where it is known, else worked out while the page shows how far it is.

A change of the inputs is answered without a button as long as answers come fast; where the last one took long, the
page keeps the earlier result, says that it is one, and asks. What runs can be stopped, and is when inputs change.
"""

from __future__ import annotations

import logging
import os
import threading
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
from hwcost.plan import Plan
from hwcost.quantities import number_text
from hwcost.records import Catalog
from hwcost.scenario import Scenario
from hwcost.web import inputs, solve
from hwcost.web.desk import Desk
from hwcost.web.solve import Outcome
from hwcost.web.words import plain, word
from hwcost.web.work import Job, Stopped

AUTO_S = 8.0  # a first answer that took longer is not worked out again without being asked for
POLL_S = 0.02
DRAWN_S = 0.06
PATIENCE_S = 4.0
MOST_RESULTS = 6
MOST_SHARED = 8
JOB, SECONDS = "job", "seconds"
AHEAD_VARIABLE = "HWCOST_APP_AHEAD"  # "0": no plans for other budgets while nobody asks
AHEAD_FROM_S = 0.5  # the page is drawn by then
AHEAD_MOST_S = 2.0  # a plan that took longer is not worked out for budgets that nobody has asked for
log = logging.getLogger(__name__)
# Of bundled scenarios that nobody has changed, at the prices of the program: the same for everybody on this server.
SHARED: dict[str, Outcome] = {}
SHARED_JOBS: dict[str, Job[Outcome]] = {}
LOCK = threading.Lock()
ASKED = threading.Event()  # somebody waits for a shared result
LOOKING = threading.Lock()  # one look ahead at a time on this server


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
    known = desk.outcomes.get(key) or (SHARED.get(key) if desk.as_bundled else None)
    if known is not None:
        desk.keep(known)
        _look_ahead(desk, known)
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
    if outcome is not None:
        _look_ahead(desk, outcome)
        return outcome
    if earlier is not None:  # failed, or stopped from elsewhere: the figures below are of other inputs
        with notes:
            _stale(earlier, lang)
    return earlier


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
    catalog, known = desk.catalog, _plans(desk)

    def task(report: solve.Report, part: Callable[[Outcome], None]) -> Outcome:
        return solve.compute(scenario, catalog, report, like=like, ready=_shown_first(part), known=known)

    key = solve.key_of(scenario, catalog)
    if desk.as_bundled:
        _halt()
        job = shared_job(scenario, catalog)
    else:
        job = start(f"{desk.current}/{key}", task)
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
        return outcome


def _shown_first(part: Callable[[Outcome], None]) -> Callable[[Outcome], None]:
    """Gives the page the moment that it takes to show the plan, before the options are compared."""

    def ready(outcome: Outcome) -> None:
        part(outcome)
        time.sleep(DRAWN_S)

    return ready


def _plans(desk: Desk) -> list[Plan]:
    """What this session knows of plans: one of them may be the best for another budget too."""
    looked = [plan for job in desk.ahead.values() for plan in list(job.parts)]
    return [*looked, *(plan for outcome in desk.outcomes.values() for plan in solve.plans_of(outcome))]


def shared_job(scenario: Scenario, catalog: Catalog, *, patient: bool = False) -> Job[Outcome]:
    """The calculation of a bundled scenario: one for all who wait for it, and nobody's to stop.

    A `patient` one is begun before anybody asks: once the plan is there it leaves the processor to the page that is
    being loaded, until that page asks for the answer or enough time is over.
    """
    key = solve.key_of(scenario, catalog)

    def task(report: solve.Report, part: Callable[[Outcome], None]) -> Outcome:
        shown = _shown_first(part)

        def ready(outcome: Outcome) -> None:
            if patient:
                part(outcome)
                ASKED.wait(PATIENCE_S)
                time.sleep(DRAWN_S)
            else:
                shown(outcome)

        try:
            outcome = solve.compute(scenario, catalog, report, ready=ready)
            with LOCK:
                SHARED[key] = outcome
                while len(SHARED) > MOST_SHARED:
                    del SHARED[next(iter(SHARED))]
            return outcome
        finally:
            with LOCK:
                SHARED_JOBS.pop(key, None)

    with LOCK:
        if not patient:
            ASKED.set()
        if key not in SHARED_JOBS:
            SHARED_JOBS[key] = Job(task)
        return SHARED_JOBS[key]


def _busy() -> bool:
    kept: tuple[str, Job[Any]] | None = st.session_state.get(JOB)
    return kept is not None and not kept[1].done


def _halt() -> None:
    kept: tuple[str, Job[Any]] | None = st.session_state.pop(JOB, None)
    if kept is not None:
        kept[1].stop()


def _look_ahead(desk: Desk, outcome: Outcome) -> None:
    """Work out the plans of budgets around this one while nobody asks, so that another budget is answered at once."""
    before = desk.ahead.get(outcome.key)
    if before is not None and not isinstance(before.error, Stopped):
        return
    if outcome.plan_seconds > AHEAD_MOST_S or os.environ.get(AHEAD_VARIABLE) == "0" or _busy():
        return
    known = _plans(desk)

    def task(report: solve.Report, part: Callable[[Plan], None]) -> None:
        time.sleep(AHEAD_FROM_S)
        report("ahead", "")
        if LOOKING.acquire(blocking=False):
            try:
                for plan in solve.ahead(outcome.plan, report, known):
                    part(plan)
            finally:
                LOOKING.release()

    desk.ahead.pop(outcome.key, None)
    desk.ahead[outcome.key] = start(f"ahead/{outcome.key}", task)
    while len(desk.ahead) > MOST_RESULTS:
        del desk.ahead[next(iter(desk.ahead))]


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
    _halt()
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
