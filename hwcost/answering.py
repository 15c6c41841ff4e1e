"""What an answer needs beside the plan itself, computed in one place for the command line, the app and the workbook."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from hwcost.engine import solve_case
from hwcost.plan import Plan
from hwcost.use import everything_served


def enough_plan(
    plan: Plan, *, time_limit_s: float | None = None, on_start: Callable[[], None] | None = None,
    known: Iterable[Plan] = (),
) -> Plan | None:  # fmt: skip
    """The smallest purchase that does the work, beside a plan that makes the best use of a fixed budget.

    All the work with all its people where the budget does all of it; else the work that must be done with its people.
    None under another objective, where nothing is bought, or where the budget does not even do what must be done.
    """
    if plan.objective != "budget" or not plan.bought or plan.falls_short:
        return None
    if on_start:
        on_start()
    case = plan.case
    if everything_served(plan):
        everything = tuple(replace(w, must=True) for w in case.scenario.workloads)
        case = replace(case, scenario=replace(case.scenario, workloads=everything))
    found = solve_case(case, "spend", time_limit_s=time_limit_s, known=known)
    return found if found.has_plan else None
