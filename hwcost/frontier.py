"""The frontier: what more or less money buys, each point a plan of its own.

    budget of a point = share x the scenario's budget (without one: x what the best plan spends)

The best plan at a budget stays the best one down to what it spends, so a point holds for every budget between `spent`
and `budget`. Points are solved by the scenario's own objective (`cost`, which has no use for more money, by `serve`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from hwcost import pool, whatif
from hwcost.case import Case
from hwcost.engine import solve_case
from hwcost.memory import largest_micro_batch
from hwcost.plan import Plan
from hwcost.use import cards_of

SHARES = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.5)
NEXT = (1.1, 1.2)  # "the next 10-20 %"
UNBOUNDED_BATCH = 10**6


@dataclass(frozen=True)
class FrontierPoint:
    """What one budget buys. Money in the scenario's currency; `spent` is on the budget's tax basis.

    `runs_per_year` counts the runs that are done, mean over the years; the shares are those of `Plan.served_share`,
    None where there is no such work. `largest_memory_gib` is the largest card, `largest_batch` the largest batch of
    each workload that one card of the plan holds at once (0: the job does not fit).
    """

    share: float
    budget: float
    plan: Plan
    spent: float
    present_value: float
    nominal: float
    people_at_once: int
    runs_per_year: float
    served_must: float | None
    served_want: float | None
    cards: int
    capacity: float | None  # thousand reference card-hours a year, where the objective counts it
    largest_memory_gib: float
    largest_batch: dict[str, int]

    @property
    def proven(self) -> bool:
        return self.plan.status == "proven_optimal"


@dataclass(frozen=True)
class Gain:
    """What a larger budget adds to the plan at the scenario's own; `level` is the first level that improves."""

    share: float
    more_money: float  # budget of the point - budget of the scenario
    more_spent: float
    level: str  # empty: nothing improves
    people: int
    cards: int
    runs_per_year: float
    memory_gib: float  # of the largest card
    batch: dict[str, int]  # workload -> by how much its largest batch grows, where it does
    point: FrontierPoint


def base_budget(best: Plan) -> float:
    """The scenario's budget; without one, what the best plan spends."""
    budget = best.case.scenario.budget
    return best.budget_used if budget is None else budget


def frontier(
    best: Plan, *, shares: Sequence[float] = SHARES, time_limit_s: float | None = None, workers: int | None = 1,
    dask: str | None = None, on_done: pool.Progress | None = None,
) -> tuple[FrontierPoint, ...]:  # fmt: skip
    """A point for every share of the budget, in rising order; empty where nothing is bought and no budget is stated.

    `best` is the best plan at the scenario's own budget. After an interrupt only the points that are done.
    """
    base = base_budget(best)
    if base <= 0:
        return ()
    context = (best.case, "serve" if best.objective == "cost" else best.objective, base, time_limit_s)
    found = pool.run(_task, context, sorted(set(shares)), workers=workers, dask=dask, on_done=on_done)
    return found.done


def _task(context: tuple[Case, str, float, float | None], share: float) -> FrontierPoint:
    case, objective, base, limit = context
    budget = round(share * base, 2)
    part = replace(case, scenario=replace(case.scenario, budget=budget))
    return point(share, budget, solve_case(part, objective, time_limit_s=limit))


def point(share: float, budget: float, plan: Plan) -> FrontierPoint:
    """The figures of one plan as a point of the frontier."""
    scenario = plan.case.scenario
    values = {stage.name: stage.value for stage in plan.stages}
    cards = [p.build.card for p in plan.purchases]
    return FrontierPoint(
        share=share, budget=budget, plan=plan, spent=plan.budget_used, present_value=plan.totals.present_value,
        nominal=plan.totals.nominal, people_at_once=plan.people_at_once,
        runs_per_year=math.fsum(a.runs for a in plan.assignments) / scenario.horizon_years,
        served_must=plan.served_share(must=True) if plan.has_plan else None,
        served_want=plan.served_share(must=False) if plan.has_plan else None,
        cards=cards_of(plan), capacity=values.get("capacity"),
        largest_memory_gib=max((c.memory_gib for c in cards), default=0.0),
        largest_batch={
            w.id: max((largest_micro_batch(w, c, scenario.memory_margin, UNBOUNDED_BATCH, False) for c in cards),
                      default=0)
            for w in scenario.workloads
        },
    )  # fmt: skip


def gains(points: Sequence[FrontierPoint]) -> tuple[Gain, ...]:
    """What each larger budget adds to the point at the scenario's own one (share 1)."""
    base = next((p for p in points if p.share == 1.0), None)
    if base is None:
        return ()
    found = []
    for here in points:
        if here.share <= 1.0:
            continue
        place = whatif.standing(here.plan, base.plan)
        batch = {w: n - base.largest_batch[w] for w, n in here.largest_batch.items() if n > base.largest_batch[w]}
        found.append(
            Gain(
                share=here.share, more_money=here.budget - base.budget, more_spent=here.spent - base.spent,
                level=place.level if place.sign > 0 else "", people=here.people_at_once - base.people_at_once,
                cards=here.cards - base.cards, runs_per_year=here.runs_per_year - base.runs_per_year,
                memory_gib=here.largest_memory_gib - base.largest_memory_gib, batch=batch, point=here,
            )
        )  # fmt: skip
    return tuple(found)
