"""What the pages show, computed for one input. No Streamlit here: the page passes in what reports progress."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from hwcost import explain
from hwcost.answering import enough_plan
from hwcost.case import Case, prepare
from hwcost.engine import solve_case
from hwcost.options import Comparison, compare
from hwcost.plan import Plan
from hwcost.records import Catalog
from hwcost.reuse import WITHOUT_EFFECT
from hwcost.scenario import OBJECTIVES, Scenario

PLAN_LIMIT_S = 30.0
OPTION_LIMIT_S = 10.0
CONFLICT_CHECK_S = 5.0  # for one check of many
LIMITS_ONLY = ("budget", *WITHOUT_EFFECT)
AHEAD = (1.25, 0.8)  # from how far above the budget to how far below it plans are looked for while nobody asks
MOST_AHEAD = 16
A_STEP_DOWN = 1e-5  # of the budget: a whole number is whole to a millionth, so nearer than that nothing is certain
AHEAD_LIMIT_S = 1.5
Report = Callable[[str, str], None]  # step, and the stage or option it is about


@dataclass(frozen=True)
class Outcome:
    """One answer with the scenario it is for. The options are compared where there is no plan too.

    `need` is the smallest purchase that is enough, beside the best use of a fixed budget. `comparison` is None while
    the options are still being worked out.
    """

    key: str
    scenario: Scenario
    plan: Plan
    comparison: Comparison | None
    conflict: explain.Conflict | None
    need: Plan | None
    plan_seconds: float = 0.0


def key_of(scenario: Scenario, catalog: Catalog) -> str:
    """Equal for equal figures of scenario and catalog, whatever files they came from."""
    return f"{scenario.sha256}-{catalog.sha256}"


def case_for(scenario: Scenario, catalog: Catalog, like: Case | None) -> Case:
    """The case; that of an earlier input serves again where only the budget or the objective differ, its judgement of
    ways where the jobs are the same.
    """
    if like is not None and like.catalog.sha256 == catalog.sha256:
        old = {name: getattr(like.scenario, name) for name in LIMITS_ONLY}
        if replace(scenario, **old) == like.scenario:
            return replace(like, scenario=scenario)
    return prepare(scenario, catalog, like)


def compute(
    scenario: Scenario, catalog: Catalog, report: Report, *, like: Case | None = None,
    ready: Callable[[Outcome], None] = lambda part: None, known: Sequence[Plan] = (),
) -> Outcome:  # fmt: skip
    """Solve, compare, and say what stands in the way where nothing meets the conditions. Raises `InputError`.

    `ready` gets the result with the plan alone as soon as it is there; without a plan, with the options alone. `known`
    are plans of other budgets, which may save a search.
    """
    report("prepare", "")
    case = case_for(scenario, catalog, like)
    plan = solve_case(case, time_limit_s=PLAN_LIMIT_S, on_stage=lambda stage: report("stage", stage), known=known)
    key = key_of(scenario, catalog)
    if plan.has_plan:
        ready(Outcome(key, scenario, plan, None, None, None, plan.seconds))
    comparison = compare(
        case, plan.objective, best=plan, time_limit_s=OPTION_LIMIT_S, on_option=lambda name: report("option", name),
        known=known,
    )  # fmt: skip
    if not plan.has_plan:
        ready(Outcome(key, scenario, plan, comparison, None, None, plan.seconds))
    conflict = None if plan.has_plan else find_conflict(plan, report)
    need = enough_plan(plan, time_limit_s=OPTION_LIMIT_S, on_start=lambda: report("need", ""), known=known)
    return Outcome(key, scenario, plan, comparison, conflict, need, plan.seconds)


def find_conflict(plan: Plan, report: Report) -> explain.Conflict | None:
    """The conditions that keep the work from being done in full; None where the time limit left that open."""
    if plan.status == "no_plan_found":
        return None
    report("conflict", "")
    return explain.conflict(plan.case, time_limit_s=CONFLICT_CHECK_S)


def plans_of(outcome: Outcome) -> list[Plan]:
    """Every plan of a result, each of which may be the answer under another budget too."""
    options = [] if outcome.comparison is None else [r.plan for r in outcome.comparison.results]
    return [plan for plan in (outcome.plan, outcome.need, *options) if plan is not None]


def ahead(plan: Plan, report: Report, known: Sequence[Plan] = ()) -> Iterator[Plan]:
    """What may be asked next: the best plans under the other objectives, then those of the budgets around that of
    `plan`, from a quarter more down to a fifth less; each answers every budget between what it spends and its own.
    """

    def told(stage: str) -> None:
        report("stage", stage)

    for objective in OBJECTIVES:
        if objective != plan.objective:
            report("ahead", "")
            yield solve_case(plan.case, objective, time_limit_s=AHEAD_LIMIT_S, on_stage=told, known=known)
    budget = plan.case.scenario.budget
    if budget is None or not plan.has_plan:
        return
    amount = AHEAD[0] * budget
    for _ in range(MOST_AHEAD):
        if amount < AHEAD[1] * budget:
            return
        report("ahead", "")
        case = replace(plan.case, scenario=replace(plan.case.scenario, budget=round(amount, 2)))
        found = solve_case(case, plan.objective, time_limit_s=AHEAD_LIMIT_S, on_stage=told, known=known)
        if found.status != "proven_optimal" or not found.bought:
            return
        yield found
        amount = found.budget_used * (1.0 - A_STEP_DOWN)
