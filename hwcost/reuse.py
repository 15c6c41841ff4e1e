"""A proven plan that stays the best one when the budget alone is another: nothing is searched for twice.

Let a plan that spends s be proven best under the budget B0 (or under none). Under a budget B with s <= B <= B0 it is
still allowed, and whatever is allowed under B was allowed under B0: so no plan is better, on any level or by any rank.
Under the objective `spend` B may be above B0 too: a plan that spends less than s was allowed under B0. And where no
plan exists under B0, none exists under B <= B0.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields

from hwcost.case import Case
from hwcost.objectives import RANKS
from hwcost.plan import Plan, evaluate
from hwcost.scenario import Scenario

# Neither the rules nor the costs of a prepared case read these; the objective of a search is told beside the scenario.
WITHOUT_EFFECT = ("objective", "sha256", "file", "answers", "assumptions", "name", "name_zh")
COMPARED = tuple(f.name for f in fields(Scenario) if f.name not in ("budget", *WITHOUT_EFFECT))
OF_CASE = ("must_buy", "include", "fixed", "buy_years", "reference_hours")


def reused(case: Case, objective: str, known: Iterable[Plan]) -> Plan | None:
    """The first of the known plans that is proven best for `case` as well, with every figure and check of this case."""
    for plan in known:
        if plan.objective == objective and plan.solution is not None and _stays(plan, case):
            found = evaluate(case, objective, plan.solution)
            if all(check.ok for check in found.checks if check.hard):
                return found
    return None


def _stays(plan: Plan, case: Case) -> bool:
    """Whether the proof holds under the budget of `case`, and all else is the same."""
    if plan.status not in ("proven_optimal", "infeasible") or plan.solver != "highs" or not _same(plan.case, case):
        return False
    now, then = case.scenario.budget, plan.case.scenario.budget
    not_more = then is None or (now is not None and now <= then)
    if plan.status == "infeasible":
        return not_more
    ranked = any(stage.name == RANKS[-1] for stage in plan.stages)
    affordable = now is None or plan.budget_used <= now
    return ranked and affordable and (not_more or plan.objective == "spend")


def _same(one: Case, other: Case) -> bool:
    if one.catalog.sha256 != other.catalog.sha256 or len(one.builds) != len(other.builds):
        return False
    if any(getattr(one, name) != getattr(other, name) for name in OF_CASE):
        return False
    if any(getattr(one.scenario, name) != getattr(other.scenario, name) for name in COMPARED):
        return False
    return one.builds == other.builds and one.ways == other.ways
