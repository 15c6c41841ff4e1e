"""Machine-hours of a plan: sums by hand, people as stated or as they train at once."""

from __future__ import annotations

from dataclasses import replace

import pytest
from report_cases import comparison

from hwcost.machine_hours import YARDSTICKS, machine_hours
from hwcost.plan import Plan

NAME = "lab-default"


def with_people(people: int, week: float) -> Plan:
    """The plan with what the start form would have kept of the people."""
    plan = comparison(NAME).best
    kept = {"given": {"people": {"total": people}},
            "assumption": [{"name": "held_hours_per_person_week", "value": week}]}  # fmt: skip
    return replace(plan, case=replace(plan.case, scenario=replace(plan.case.scenario, answers=kept)))


def test_busy_hours_are_runs_times_hours_times_cards_a_year() -> None:
    plan = comparison(NAME).best
    whole = sum(a.runs * a.strategy.cards / a.strategy.sharers * a.strategy.hours_per_run for a in plan.assignments)
    found = machine_hours(plan)
    assert found.hours.busy_card_hours == pytest.approx(whole / 3)
    assert sum(j.busy_card_hours for j in found.jobs) == pytest.approx(whole / 3)


def test_held_hours_are_people_times_weeks_times_hours() -> None:
    assert machine_hours(with_people(8, 20.0)).hours.held_card_hours == 8 * 20 * 46 == 7360
    assert machine_hours(with_people(8, 5.0)).hours.held_card_hours == 8 * 5 * 46
    assert machine_hours(with_people(8, 20.0)).people_stated


def test_people_who_train_at_once_stand_for_people_who_were_not_stated() -> None:
    found = machine_hours(comparison(NAME).best)
    assert not found.people_stated and found.people == 2 + 1 + 1 + 2
    assert found.hours.held_card_hours == 6 * 20 * 46


def test_yardsticks_are_compared_with_the_hours_in_which_a_card_is_held() -> None:
    found = machine_hours(with_people(1, 20.0))
    assert YARDSTICKS == (800, 1200, 1400)
    assert found.hours.wall_hours == pytest.approx(920)  # one person: 20 hours in each of 46 weeks
    assert [found.reaches(y) for y in YARDSTICKS] == [True, False, False]


def test_a_workload_that_cannot_run_has_no_hours_but_keeps_its_runs() -> None:
    plan = comparison(NAME).best
    gone = replace(plan, assignments=tuple(a for a in plan.assignments if a.strategy.workload_id != "ssftt"))
    (job,) = [j for j in machine_hours(gone).jobs if j.workload_id == "ssftt"]
    assert job.hours_per_run is None and job.runs == 0 and job.runs_wanted == 1350
