"""The main job in two calls: `make_plan` for the best plan, `options.compare` for the options side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from hwcost import climb
from hwcost.case import Case, prepare
from hwcost.errors import SolverError
from hwcost.plan import Plan, evaluate
from hwcost.records import Catalog
from hwcost.reuse import reused
from hwcost.scenario import Scenario


def solve_case(
    case: Case, objective: str | None = None, *, time_limit_s: float | None = None,
    on_stage: Callable[[str], None] | None = None, ranked: bool = True, with_solver: str = "highs",
    known: Iterable[Plan] = (),
) -> Plan:  # fmt: skip
    """The best plan of a prepared case under `objective` (the scenario's own where none is given).

    Without `ranked` the figures are the same, but which of several equal plans comes out is not settled. Raises
    `SolverError` where the rounded answer breaks a hard rule. `with_solver` "cbc" asks CBC for a second opinion.
    A plan among the `known` ones that stays the best (`reuse.py`) needs no search.
    """
    wanted = objective or case.scenario.objective
    again = reused(case, wanted, known) if with_solver == "highs" else None
    if again is not None:
        return again
    solution = climb.solve(
        case, wanted, time_limit_s=time_limit_s, on_stage=on_stage, ranked=ranked, with_solver=with_solver
    )
    plan = replace(evaluate(case, wanted, solution), solver=with_solver)
    broken = [check for check in plan.checks if check.hard and not check.ok]
    if broken:  # the solver's answer, rounded, breaks a rule: such a plan is never shown as one
        raise SolverError("; ".join(f"{c.rule} {c.subject}: {c.value} against {c.limit} {c.unit}" for c in broken))
    return plan


def make_plan(
    scenario: Scenario, catalog: Catalog, objective: str | None = None, *, time_limit_s: float | None = None,
    on_stage: Callable[[str], None] | None = None,
) -> Plan:  # fmt: skip
    """Prepare and solve. Raises `InputError` for bad input; an impossible case is a plan with status `infeasible`."""
    return solve_case(prepare(scenario, catalog), objective, time_limit_s=time_limit_s, on_stage=on_stage)
