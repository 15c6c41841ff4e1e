"""Decisions of a plan in the form the cost function reads: the same code for variables and for their values."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from hwcost import solver
from hwcost.case import Case
from hwcost.costs import Decisions


def ways_of(case: Case, *, workload: str | None = None, build: str | None = None) -> tuple[int, ...]:
    """Indices of the ways of a workload, or on a build."""
    if build is not None:
        return case.ways_by_build.get(build, ())
    return case.ways_by_workload.get(workload or "", ())


def card_hours(case: Case, way: int, year: int) -> float:
    """Card-hours of year `year` if the whole demand of the workload ran by this way."""
    strategy = case.ways[way]
    return strategy.card_hours_per_run * case.workload_by_id[strategy.workload_id].runs(year)


def decisions(case: Case, buy: Mapping[str, Any], share: Mapping[tuple[int, int], Any]) -> Decisions:
    """The cost function's view of variables, or of their values."""
    nodes: dict[tuple[str, int], Any] = {}
    hours: dict[tuple[str, int], Any] = {}
    for build in case.builds:
        ways = ways_of(case, build=build.id)
        for p, years in enumerate(case.periods):
            for year in years:
                nodes[build.id, year] = buy[build.id]
                terms = [card_hours(case, i, year) * share[i, p] for i in ways if _used(share, i, p)]
                hours[build.id, year] = add_up(terms)
    return Decisions({(b.id, 0): buy[b.id] for b in case.builds}, nodes, hours)


def _used(share: Mapping[tuple[int, int], Any], way: int, period: int) -> bool:
    found = share.get((way, period))
    return found is not None and not (isinstance(found, float) and found == 0.0)


def add_up(terms: list[Any]) -> Any:
    """The sum of numbers as a number, of expressions as an expression."""
    if terms and not all(isinstance(t, int | float) for t in terms):
        return solver.total(terms)
    return math.fsum(terms)
