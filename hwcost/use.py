"""How much of the machines the work takes, what sets the pace, and whether everything is served.

    busy card-hours a year      = card-hours of the runs on these machines over the horizon / years
    available card-hours a year = cards in all machines x usable hours of one card, mean over the years they are there
    share                       = busy / available

Busy hours are hours in which a card computes; hours in which somebody only holds a card are not among them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from hwcost.plan import Plan
from hwcost.strategy import Strategy

DATA_BOUNDS = ("storage", "loader")


@dataclass(frozen=True)
class Utilisation:
    """Mean over the years; `share` is between 0 and 1."""

    card_hours_per_year: float
    available_card_hours_per_year: float
    share: float


def cards_of(plan: Plan) -> int:
    """Cards in all machines of the plan, bought or kept, in the year with the most of them."""
    return int(max(_cards_by_year(plan), default=0.0))


def _cards_by_year(plan: Plan) -> list[float]:
    years = range(plan.case.scenario.horizon_years)
    there = [[*p.nodes_by_year] or [p.nodes for _ in years] for p in plan.purchases]
    return [float(sum(n[y] * p.build.cards for n, p in zip(there, plan.purchases, strict=True))) for y in years]


def utilisation(plan: Plan) -> Utilisation | None:
    """Busy hours against what the cards could give; None where the plan has no card."""
    scenario = plan.case.scenario
    cards = math.fsum(_cards_by_year(plan)) / scenario.horizon_years
    available = cards * scenario.available_hours_per_card_year
    if not plan.has_plan or available <= 0:
        return None
    own = {p.build.id for p in plan.purchases}  # hours of a service are nobody's machine here
    busy = math.fsum(a.card_hours for a in plan.assignments if a.strategy.build_id in own) / scenario.horizon_years
    return Utilisation(busy, available, busy / available)


def cards_held(plan: Plan) -> int:
    """Cards that the jobs of the busiest week hold at once on the plan's machines; jobs that share one count once."""
    own = {p.build.id for p in plan.purchases}
    return sum(way.cards * math.ceil(jobs / way.sharers) for way, jobs in plan.held if way.build_id in own)


def free_cards(plan: Plan) -> int:
    """Cards that stay free in the busiest week."""
    return max(0, cards_of(plan) - cards_held(plan))


def slowest(plan: Plan) -> Strategy | None:
    """The way with the longest run among those in use."""
    ways = [a.strategy for a in plan.assignments]
    return max(ways, key=lambda w: (w.hours_per_run, w.workload_id), default=None)


def waits_for_data(plan: Plan) -> bool:
    """Storage or data loading sets the pace of a job."""
    return any(a.strategy.bound in DATA_BOUNDS for a in plan.assignments)


def everything_served(plan: Plan) -> bool:
    """All runs, of musts and wants, and all people at once."""
    enough = all(plan.people.get(w.id, 0) >= w.people_at_once for w in plan.case.scenario.workloads)
    return enough and all(plan.serves_all(must=m) for m in (True, False))
