"""A case: one scenario joined with the catalog, ready for the model. Nothing here knows the solver."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from hwcost.build import Build, BuildSet
from hwcost.builds import make_builds
from hwcost.costs import Decisions, cost_lines, price_per_node
from hwcost.records import Catalog
from hwcost.scenario import Scenario
from hwcost.strategies import StrategySet, make_strategies, undominated_builds, undominated_ways
from hwcost.strategy import Strategy
from hwcost.workload import Workload


@dataclass(frozen=True)
class Case:
    """`builds` and `ways` are what the model chooses from; `build_set` and `strategies` keep all, with the reasons."""

    scenario: Scenario
    catalog: Catalog
    build_set: BuildSet
    strategies: StrategySet
    builds: tuple[Build, ...]
    ways: tuple[Strategy, ...]
    reference_hours: dict[str, float]  # fewest card-hours per run of any build, by workload: the unit of capacity
    must_buy: bool = False  # an option that stands for buying something buys at least one node
    include: frozenset[str] = frozenset()  # of these builds at least one node is bought

    @cached_property
    def build_by_id(self) -> dict[str, Build]:
        return {b.id: b for b in self.build_set.builds}

    @cached_property
    def workload_by_id(self) -> dict[str, Workload]:
        return {w.id: w for w in self.scenario.workloads}

    @cached_property
    def ways_by_build(self) -> dict[str, tuple[int, ...]]:
        """Indices into `ways` of each build."""
        return _index(way.build_id for way in self.ways)

    @cached_property
    def ways_by_workload(self) -> dict[str, tuple[int, ...]]:
        """Indices into `ways` of each workload."""
        return _index(way.workload_id for way in self.ways)

    @cached_property
    def price_by_build(self) -> dict[str, float]:
        """What one node takes from the equipment budget, on the budget's own tax basis."""
        gross = self.scenario.budget_tax_included
        return {b.id: price_per_node(self.scenario, b, tax_included=gross) for b in self.build_set.builds}

    @cached_property
    def speed_by_build(self) -> dict[str, float]:
        """Useful speed of one card for the scenario's mix, 1 for a card that runs every workload fastest.

        With R[w] the yearly hours of workload w on its reference way (the one of fewest card-hours over all builds)
        and T[w] its hours on this card, over the workloads that the card can run,

            speed = (sum R / sum T) * (sum R / sum R over all workloads):

        how much faster or slower it does its part of the mix, times the part it can do. So `nodes x cards x hours x
        speed` is the effective capacity in reference card-hours. The fastest way is the reference because nothing
        that another item beats can be it: the slowest one would let a machine that nobody would buy shift the choice.
        """
        hours = best_hours(self.ways)
        runs = {w.id: w.runs_per_year for w in self.scenario.workloads}
        whole = math.fsum(h * runs[w] for w, h in self.reference_hours.items())
        if whole <= 0:
            return {b.id: 1.0 for b in self.builds}
        speed = {}
        for build in self.builds:
            able = [w for w in self.reference_hours if (w, build.id) in hours]
            reference = math.fsum(self.reference_hours[w] * runs[w] for w in able)
            own = math.fsum(hours[w, build.id] * runs[w] for w in able)
            speed[build.id] = reference / own * reference / whole if own > 0 else 0.0
        return speed

    @cached_property
    def periods(self) -> tuple[tuple[int, ...], ...]:
        """Years with the same demand, taken together: with purchases at the start they have the same best answer."""
        groups: dict[tuple[float, ...], list[int]] = {}
        for year in range(self.scenario.horizon_years):
            groups.setdefault(tuple(w.runs(year) for w in self.scenario.workloads), []).append(year)
        return tuple(tuple(years) for years in groups.values())


def _index(keys: Iterable[str]) -> dict[str, tuple[int, ...]]:
    found: dict[str, list[int]] = {}
    for i, key in enumerate(keys):
        found.setdefault(key, []).append(i)
    return {key: tuple(indices) for key, indices in found.items()}


def prepare(scenario: Scenario, catalog: Catalog) -> Case:
    """Join, evaluate every way to run every job, and leave out what something else beats in every respect."""
    build_set = make_builds(scenario, catalog)
    return assemble(scenario, catalog, build_set, make_strategies(scenario, build_set.builds))


def assemble(scenario: Scenario, catalog: Catalog, build_set: BuildSet, strategies: StrategySet) -> Case:
    """The case for given builds and strategies (a filter of options passes fewer builds)."""
    ways = undominated_ways(strategies.feasible)
    useful = {w.build_id for w in ways}
    candidates = [b for b in build_set.builds if b.id in useful]
    unit_costs = {b.id: _unit_costs(scenario, b) for b in candidates}
    builds = undominated_builds(scenario, candidates, ways, unit_costs)
    kept = {b.id for b in builds}
    ways = tuple(w for w in ways if w.build_id in kept)
    reference: dict[str, float] = {}
    for (workload, _), hours in best_hours(ways).items():
        reference[workload] = min(reference.get(workload, hours), hours)
    return Case(scenario, catalog, build_set, strategies, builds, ways, reference)


def restrict(case: Case, accepts: Callable[[Build], bool], *, must_buy: bool = False, **changes: Any) -> Case:
    """The same case with fewer builds to choose from; `changes` are fields of the scenario."""
    builds = tuple(b for b in case.builds if accepts(b))
    kept = {b.id for b in builds}
    ways = tuple(w for w in case.ways if w.build_id in kept)
    return replace(case, scenario=replace(case.scenario, **changes), builds=builds, ways=ways, must_buy=must_buy)


def best_hours(ways: Sequence[Strategy]) -> dict[tuple[str, str], float]:
    """Fewest card-hours per run by (workload, build)."""
    best: dict[tuple[str, str], float] = {}
    for way in ways:
        key = (way.workload_id, way.build_id)
        best[key] = min(best.get(key, way.card_hours_per_run), way.card_hours_per_run)
    return best


def _unit_costs(scenario: Scenario, build: Build) -> tuple[float, ...]:
    """Everything money reads of one node: its price on both tax bases, and its full cost without work and at full work.

    Cost is linear in card-hours, and no node computes more than all its hours, so a node that is not dearer at both
    ends is not dearer anywhere between.
    """
    years = range(scenario.horizon_years)
    most = build.cards * scenario.available_hours_per_card_year
    nodes = {(build.id, year): 1.0 for year in years}

    def cost(hours: float) -> float:
        work = {(build.id, year): hours for year in years}
        lines = cost_lines(scenario, [build], Decisions({(build.id, 0): 1.0}, nodes, work))
        return math.fsum(line.present_value for line in lines)

    prices = (price_per_node(scenario, build), price_per_node(scenario, build, tax_included=False))
    return (*prices, cost(0.0), cost(most))
