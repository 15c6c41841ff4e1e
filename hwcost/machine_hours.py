"""Machine-hours as forms ask for them: busy, held and wall hours of a plan's year, beside the usual yardsticks.

    busy = card-hours of all runs, a year's mean        held, wall: `demand.year_hours`

Answers of the start form keep the three figures with the number of people. Without them the people who train at once
stand for all people, and the usual rules (20 held hours a week, 46 weeks) are assumed: both are said.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from hwcost.demand import Hours, Rules, year_hours
from hwcost.plan import Plan

YARDSTICKS = (800.0, 1200.0, 1400.0)  # hours a year that reviews of shared instruments ask for


@dataclass(frozen=True)
class JobHours:
    """One workload, a year's mean over the horizon; `hours_per_run` is weighted by runs, None where nothing runs."""

    workload_id: str
    people_at_once: int
    runs_wanted: float
    runs: float
    hours_per_run: float | None
    busy_card_hours: float
    evidence: tuple[str, ...]


@dataclass(frozen=True)
class MachineHours:
    """The three figures of the plan's year, by whom they are stated, and each job's part."""

    hours: Hours
    people: int
    people_stated: bool  # false: the people at once stand for all
    rules: Rules
    jobs: tuple[JobHours, ...]

    def reaches(self, yardstick: float) -> bool:
        """Forms ask for hours in which the equipment is in use: the wall hours."""
        return self.hours.wall_hours >= yardstick


def machine_hours(plan: Plan) -> MachineHours:
    """Hours of the plan as it runs the work. The busy hours are the plan's own, on the machines that it buys."""
    scenario = plan.case.scenario
    jobs = tuple(_job(plan, w.id) for w in scenario.workloads)
    busy = math.fsum(job.busy_card_hours for job in jobs)
    people, stated, rules = _people(plan)
    found = year_hours(people, busy, rules) if people else Hours(busy, busy, busy)
    return MachineHours(found, people, stated, rules, jobs)


def _people(plan: Plan) -> tuple[int, bool, Rules]:
    """People and rules as the start form kept them; else the people at once and the usual rules."""
    answers = plan.case.scenario.answers
    known = {a["name"]: a["value"] for a in answers.get("assumption", ()) if isinstance(a, dict)}
    rules = Rules(**{name: float(value) for name, value in known.items() if name in Rules.__dataclass_fields__})
    people = sum(float(job.get("people", 0.0)) for job in answers.get("job", ()))
    total = answers.get("given", {}).get("people", {})
    if isinstance(total, dict) and total.get("total"):
        people = float(total["total"])
    if people:
        return max(1, round(people)), True, rules
    return sum(w.people_at_once for w in plan.case.scenario.workloads), False, rules


def _job(plan: Plan, workload_id: str) -> JobHours:
    scenario = plan.case.scenario
    years = scenario.horizon_years
    workload = plan.case.workload_by_id[workload_id]
    mine = [a for a in plan.assignments if a.strategy.workload_id == workload_id]
    runs = math.fsum(a.runs for a in mine)
    return JobHours(
        workload_id=workload_id, people_at_once=workload.people_at_once,
        runs_wanted=math.fsum(workload.runs(y) for y in range(years)) / years, runs=runs / years,
        hours_per_run=math.fsum(a.runs * a.strategy.hours_per_run for a in mine) / runs if runs else None,
        busy_card_hours=math.fsum(a.card_hours for a in mine) / years,
        evidence=tuple(sorted({a.strategy.evidence for a in mine})),
    )  # fmt: skip
