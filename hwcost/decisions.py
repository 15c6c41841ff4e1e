"""Decisions of a plan in the form the cost function reads: the same code for variables and for their values."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Protocol

from hwcost import solver
from hwcost.build import Build
from hwcost.case import Case
from hwcost.costs import Decisions
from hwcost.funds import SERVICES


class Values(Protocol):
    """Decisions: variables, or their values. Stages and periods are counted as in `Case.stages` and `Case.periods`."""

    @property
    def buy(self) -> Mapping[tuple[str, int], Any]: ...  # by build and year: units bought
    @property
    def kept(self) -> Mapping[tuple[str, int], Any]: ...  # by owned build and stage: machines in use
    @property
    def place(self) -> Mapping[tuple[int, int], Any]: ...  # by way and stage: jobs held at once
    @property
    def share(self) -> Mapping[tuple[int, int], Any]: ...  # by way and period: share of the demand
    @property
    def short(self) -> Mapping[tuple[str, int], Any]: ...  # by workload and period: share left out
    @property
    def in_use(self) -> Mapping[tuple[str, int], Any]: ...  # by service and period, where a year of use costs: 1 or 0
    @property
    def unused(self) -> Mapping[tuple[str, int], Any]: ...  # likewise: share of the service's minimum paid unused
    @property
    def first(self) -> Mapping[tuple[str, int], Any]: ...  # by workload and period: 1 where it first uses many cards
    @property
    def pay(self) -> Mapping[tuple[str, str, int], Any]: ...  # by fund, use and year: money


def ways_of(case: Case, *, workload: str | None = None, build: str | None = None) -> tuple[int, ...]:
    """Indices of the ways of a workload, or on a build."""
    if build is not None:
        return case.ways_by_build.get(build, ())
    return case.ways_by_workload.get(workload or "", ())


def card_hours(case: Case, way: int, year: int) -> float:
    """Card-hours of year `year` if the whole demand of the workload ran by this way."""
    strategy = case.ways[way]
    return strategy.card_hours_per_run * case.workload_by_id[strategy.workload_id].runs(year)


def nodes_of(case: Case, values: Values, build: Build, stage: int) -> Any:
    """Units of `build` in service: owned ones that are kept, or all bought so far. A service has none."""
    if build.owned:
        return values.kept[build.id, stage]
    start = case.stages[stage][0]
    terms = [values.buy[build.id, t] for t in case.purchase_years if t <= start and (build.id, t) in values.buy]
    return terms[0] if len(terms) == 1 else add_up(terms)


def bought_of(values: Values, build: Build, years: tuple[int, ...]) -> Any:
    """Units of `build` bought over all years."""
    return add_up([values.buy[build.id, t] for t in years if (build.id, t) in values.buy])


def decisions(case: Case, values: Values) -> Decisions:
    """The cost function's view of variables, or of their values."""
    nodes: dict[tuple[str, int], Any] = {}
    hours: dict[tuple[str, int], Any] = {}
    for build in case.builds:
        ways = ways_of(case, build=build.id)
        for p, years in enumerate(case.periods):
            for year in years:
                if build.service is None:
                    nodes[build.id, year] = nodes_of(case, values, build, case.stage_of[p])
                terms = [card_hours(case, i, year) * values.share[i, p] for i in ways if _used(values.share, i, p)]
                hours[build.id, year] = add_up(terms)
    buy = {key: amount for key, amount in values.buy.items() if key[1] < case.scenario.horizon_years}
    return Decisions(buy, nodes, hours, **_more(case, values))


def _more(case: Case, values: Values) -> dict[str, dict[tuple[str, int], Any]]:
    """What services, jobs over several cards and overheads add; empty for most decisions."""
    minimum = {b.id: b.service.minimum_card_hours_per_year for b in case.services if b.service is not None}
    charged = {fund.id for fund in case.scenario.funds if fund.overhead_rate}
    by_year = [(p, year) for p, years in enumerate(case.periods) for year in years]
    return {
        "unused_hours": {(s, y): minimum[s] * v for (s, q), v in values.unused.items() for p, y in by_year if p == q},
        "in_use": {(s, y): v for (s, q), v in values.in_use.items() for p, y in by_year if p == q},
        "multi_card": {(w, case.periods[p][0]): v for (w, p), v in values.first.items()},
        "overhead": {(f, y): v for (f, use, y), v in values.pay.items() if use == SERVICES and f in charged},
    }


def _used(share: Mapping[tuple[int, int], Any], way: int, period: int) -> bool:
    found = share.get((way, period))
    return found is not None and not (isinstance(found, float) and found == 0.0)


def add_up(terms: list[Any]) -> Any:
    """The sum of numbers as a number, of expressions as an expression."""
    if terms and not all(isinstance(t, int | float) for t in terms):
        return solver.total(terms)
    return math.fsum(terms)
