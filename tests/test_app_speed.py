"""What makes the app quick changes nothing that it says: cases, plans and calculations that are used again."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from app_kit import QUICK, headline, page

from hwcost.case import prepare
from hwcost.catalog import load_catalog
from hwcost.records import Catalog
from hwcost.scenario import Scenario
from hwcost.scenario_io import DEFAULT_SCENARIO, load_scenario
from hwcost.web import run, serve, solve
from hwcost.web.work import Job, Stopped


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of its own for each test, and nothing worked out by another."""
    monkeypatch.setenv("HWCOST_HOME", str(tmp_path))
    run.SHARED.clear()
    return tmp_path


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


def silent(step: str, about: str) -> None:
    """No progress is shown."""


def slow_to_come(catalog: Catalog, last_day: date | None) -> Scenario:
    """A year from order to use, and a last day for the money."""
    scenario = load_scenario(QUICK, catalog)
    return replace(scenario, lead_weeks=40.0, spend_by=last_day, sha256=f"to {last_day}")


def test_a_later_last_day_brings_back_what_came_too_late(catalog: Catalog) -> None:
    soon, late = slow_to_come(catalog, date(2026, 12, 31)), slow_to_come(catalog, None)
    early = solve.case_for(soon, catalog, None)
    again = solve.case_for(late, catalog, early)
    fresh = solve.case_for(late, catalog, None)
    assert not early.buyable
    assert fresh.buyable and [b.id for b in again.builds] == [b.id for b in fresh.builds]


def test_another_budget_or_objective_needs_no_new_case(catalog: Catalog) -> None:
    scenario = load_scenario(QUICK, catalog)
    case = solve.case_for(scenario, catalog, None)
    for changes in ({"budget": 1_000.0}, {"objective": "serve"}):
        assert solve.case_for(replace(scenario, sha256="other", **changes), catalog, case).ways is case.ways
    assert solve.case_for(replace(scenario, tariff_per_kwh=9.0), catalog, case).ways is not case.ways


@pytest.mark.parametrize("name", [QUICK, "owned-3090s"])
def test_a_case_made_from_an_earlier_one_is_the_case_made_anew(name: str, catalog: Catalog) -> None:
    scenario = load_scenario(name, catalog)
    case = prepare(scenario, catalog)
    first = scenario.workloads[0]
    changes: list[dict[str, Any]] = [
        {"tariff_per_kwh": 9.0}, {"horizon_years": 5}, {"memory_margin": 0.6}, {"max_nodes": 1}, {"storage_ids": ()},
        {"allowed_statuses": ("on_sale", "used", "remnant")}, {"owned": ()}, {"noise_limit_dba": 30.0},
        {"workloads": (replace(first, batch=4 * first.batch), *scenario.workloads[1:])},
        {"workloads": (replace(first, sharers=first.sharers + 1), *scenario.workloads[1:])},
    ]  # fmt: skip
    for change in changes:
        other = replace(scenario, **change)
        again, fresh = prepare(other, catalog, case), prepare(other, catalog)
        assert again.strategies == fresh.strategies, change
        assert (again.builds, again.ways, again.reference_hours) == (fresh.builds, fresh.ways, fresh.reference_hours)
    judged = prepare(replace(scenario, tariff_per_kwh=9.0), catalog, case).strategies.judged
    assert all(judged[key] is case.strategies.judged[key] for key in judged)


def test_an_answer_from_known_plans_is_the_answer_of_a_search(catalog: Catalog) -> None:
    scenario = replace(load_scenario(QUICK, catalog), objective="budget")
    first = solve.compute(scenario, catalog, silent)
    budget = first.plan.budget_used + 1.0
    less = replace(scenario, budget=budget, sha256="less")
    searched: list[str] = []
    known = solve.plans_of(first)
    again = solve.compute(less, catalog, lambda step, about: searched.append(step), like=first.plan.case, known=known)
    fresh = solve.compute(less, catalog, silent)
    assert "stage" not in searched  # the plan itself was known
    assert again.plan.totals == fresh.plan.totals
    assert again.comparison is not None and fresh.comparison is not None
    for ours, theirs in zip(again.comparison.results, fresh.comparison.results, strict=True):
        assert (ours.id, ours.letter, ours.full, ours.refusals) == (
            theirs.id,
            theirs.letter,
            theirs.full,
            theirs.refusals,
        )
        assert (ours.plan is None) == (theirs.plan is None)
        if ours.plan is not None and theirs.plan is not None:
            assert ours.plan.totals.nominal == pytest.approx(theirs.plan.totals.nominal, abs=0.01)
            assert ours.plan.budget_used == theirs.plan.budget_used <= budget


def test_all_who_wait_for_an_unchanged_example_wait_for_one_calculation(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenario, begun, go_on = load_scenario(QUICK, catalog), [], threading.Event()

    def slow(wanted: Scenario, *_: Any, **__: Any) -> solve.Outcome:
        begun.append(wanted.id)
        go_on.wait(10.0)
        raise ValueError("no answer")

    monkeypatch.setattr(solve, "compute", slow)
    jobs = [run.shared_job(scenario, catalog) for _ in range(3)]
    go_on.set()
    assert jobs[0].wait(10.0) and jobs[0] is jobs[1] is jobs[2]
    assert begun == [QUICK] and isinstance(jobs[0].error, ValueError)
    assert not run.SHARED_JOBS and not run.SHARED  # a failure is not kept for those who come later


def test_the_server_makes_the_first_answer_ready_before_anybody_asks(catalog: Catalog) -> None:
    serve.warm()
    run.ASKED.set()
    key = solve.key_of(load_scenario(DEFAULT_SCENARIO, catalog), catalog)
    with run.LOCK:
        job = run.SHARED_JOBS.get(key)
    assert job is None or job.wait(60.0)
    assert run.SHARED[key].plan.has_plan and run.SHARED[key].comparison is not None


def test_faulty_tables_do_not_keep_the_server_from_starting(home: Path) -> None:
    (home / "prices.csv").write_text("nonsense\n1,2,3\n", encoding="utf-8")
    serve.warm()
    assert not run.SHARED and not run.SHARED_JOBS


def test_plans_are_looked_for_ahead_and_a_change_stops_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(run.AHEAD_VARIABLE, "1")
    monkeypatch.setattr(run, "AHEAD_FROM_S", 0.0)
    asked = threading.Event()
    ended: list[str] = []

    def endless(plan: Any, report: solve.Report, known: Any) -> Any:
        try:
            while True:
                report("ahead", "")
                asked.set()
                time.sleep(0.01)
                yield plan
        except Stopped:
            ended.append("stopped")
            raise

    monkeypatch.setattr(solve, "ahead", endless)
    at = page("en")
    assert asked.wait(10.0)
    [job] = at.session_state["desk"].ahead.values()
    assert job.parts
    box = next(x for x in at.text_input if str(x.key).endswith("/budget"))
    box.set_value("32000").run()
    assert "32,000 budget" in headline(at)
    assert job.wait(10.0) and ended[:1] == ["stopped"]
    for left in at.session_state["desk"].ahead.values():
        left.stop()
        assert left.wait(10.0)


def test_a_job_that_was_stopped_says_so() -> None:
    begun = threading.Event()

    def task(report: Any, part: Any) -> None:
        while True:
            report("step", "")
            begun.set()
            time.sleep(0.01)

    job: Job[None] = Job(task)
    assert begun.wait(10.0)
    job.stop()
    assert job.wait(10.0) and isinstance(job.error, Stopped)


def test_a_budget_that_buys_nothing_is_a_page_without_a_defect() -> None:
    at = page("en", scenario=DEFAULT_SCENARIO)
    box = next(x for x in at.text_input if str(x.key).endswith("/budget"))
    box.set_value("1").run()
    assert not at.error and not at.exception
    assert headline(at) == "Nothing worth buying was found within the conditions."
    assert any("No job runs in the first year." in m.value for m in at.markdown)


def test_the_end_of_the_program_waits_for_what_still_searches() -> None:
    script = (
        "import time; from hwcost.web.work import Job\n"
        "def task(report, part):\n"
        "    while True:\n"
        "        try: report('step', '')\n"
        "        except BaseException: print('stopped', flush=True); raise\n"
        "        time.sleep(0.05)\n"
        "Job(task); time.sleep(0.2)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "stopped", "")


def test_earlier_figures_are_said_to_be_old_after_a_calculation_that_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    at = page("en")

    def fails(*_: Any, **__: Any) -> solve.Outcome:
        raise ValueError("a defect")

    honest = solve.compute
    monkeypatch.setattr(solve, "compute", fails)
    box = next(x for x in at.text_input if str(x.key).endswith("/budget"))
    box.set_value("32000").run()
    assert any("The calculation failed." in error.value for error in at.error)
    assert "60,000 budget" in headline(at)  # the last answer stays in sight ...
    [old] = at.warning
    assert "60,000" in old.value  # ... and says what it is for
    monkeypatch.setattr(solve, "compute", honest)
    at.button(key="again").click().run()
    assert "32,000 budget" in headline(at) and not at.warning and not at.error
