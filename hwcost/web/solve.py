"""What the page shows, computed for one input. No Streamlit here: the page passes in what reports progress."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hwcost import explain
from hwcost.answering import enough_plan
from hwcost.case import prepare
from hwcost.engine import solve_case
from hwcost.options import Comparison, compare
from hwcost.plan import Plan
from hwcost.records import Catalog
from hwcost.scenario import Scenario

PLAN_LIMIT_S = 30.0
OPTION_LIMIT_S = 10.0
CONFLICT_CHECK_S = 5.0  # for one check of many
Report = Callable[[str, str], None]  # step, and the stage or option it is about


@dataclass(frozen=True)
class Outcome:
    """One answer with the scenario it is for. The options are compared where there is no plan too.

    `need` is the smallest purchase that is enough, beside the best use of a fixed budget.
    """

    key: str
    scenario: Scenario
    plan: Plan
    comparison: Comparison
    conflict: explain.Conflict | None
    need: Plan | None


def key_of(scenario: Scenario, catalog: Catalog) -> str:
    """Equal for equal figures of scenario and catalog, whatever files they came from."""
    return f"{scenario.sha256}-{catalog.sha256}"


def compute(scenario: Scenario, catalog: Catalog, report: Report) -> Outcome:
    """Solve, compare, and say what stands in the way where nothing meets the conditions. Raises `InputError`."""
    report("prepare", "")
    case = prepare(scenario, catalog)
    plan = solve_case(case, time_limit_s=PLAN_LIMIT_S, on_stage=lambda stage: report("stage", stage))
    key = key_of(scenario, catalog)
    comparison = compare(
        case, plan.objective, best=plan, time_limit_s=OPTION_LIMIT_S, on_option=lambda name: report("option", name)
    )
    conflict = None if plan.has_plan else find_conflict(plan, report)
    need = enough_plan(plan, time_limit_s=OPTION_LIMIT_S, on_start=lambda: report("need", ""))
    return Outcome(key, scenario, plan, comparison, conflict, need)


def find_conflict(plan: Plan, report: Report) -> explain.Conflict | None:
    """The conditions that keep the work from being done in full; None where the time limit left that open."""
    if plan.status == "no_plan_found":
        return None
    report("conflict", "")
    return explain.conflict(plan.case, time_limit_s=CONFLICT_CHECK_S)
