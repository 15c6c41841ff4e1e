"""A case: one scenario joined with the catalog, ready for the model. Nothing here knows the solver."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from hwcost.build import Build, BuildSet, Refusal
from hwcost.builds import make_builds
from hwcost.costs import OPEX, CostLine, Decisions, cost_lines, price_per_node
from hwcost.funds import USE_OF, by_year, can_buy, late
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
    fixed: tuple[tuple[str, int], ...] | None = None  # (build, units): exactly what is bought at the start; None: free
    buy_years: tuple[int, ...] = ()  # in each of these years at least one unit is bought
    wide: Case | None = None  # what this one was narrowed from (`narrow.py`); ranks and periods are counted there

    @cached_property
    def whole(self) -> Case:
        """The case before anything was narrowed."""
        return self.wide or self

    @cached_property
    def way_numbers(self) -> tuple[int, ...]:
        """By way: its index in the whole case."""
        if self.wide is None:
            return tuple(range(len(self.ways)))
        index = {id(way): i for i, way in enumerate(self.wide.ways)}
        return tuple(index[id(way)] for way in self.ways)

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
        """What one unit takes from the equipment budget at the start, on the budget's own tax basis."""
        if self.wide is not None:
            return self.wide.price_by_build
        gross = self.scenario.budget_tax_included
        return {b.id: price_per_node(self.scenario, b, tax_included=gross) for b in self.build_set.builds}

    def price(self, build: Build, year: int) -> float:
        """The same for a purchase of `year`."""
        if not year:
            return self.price_by_build[build.id]
        return price_per_node(self.scenario, build, tax_included=self.scenario.budget_tax_included, year=year)

    @cached_property
    def buyable(self) -> tuple[Build, ...]:
        """What can be bought: upgrades too, but neither owned machines nor services."""
        return tuple(b for b in self.builds if not b.owned and b.service is None)

    @cached_property
    def services(self) -> tuple[Build, ...]:
        return tuple(b for b in self.builds if b.service is not None)

    @cached_property
    def purchase_years(self) -> tuple[int, ...]:
        years = {year for year in self.scenario.purchase_years if 0 <= year < self.scenario.horizon_years}
        return tuple(sorted(years))

    @cached_property
    def purchases(self) -> tuple[tuple[Build, int], ...]:
        """Every (build, year) in which money may buy it, by build."""
        return tuple((b, t) for b in self.buyable for t in self.purchase_years if can_buy(self.scenario, b, t))

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
    def stages(self) -> tuple[tuple[int, ...], ...]:
        """Years with the same machines, services and people at once, taken together: they have the same best answer.

        A purchase begins a new stage. With services, years of other demand stand apart; with a limit that counts year
        by year, every year does.
        """
        apart = by_year(self.scenario)
        groups: dict[tuple[object, ...], list[int]] = {}
        for year in range(self.scenario.horizon_years):
            bought = sum(1 for t in self.purchase_years if t <= year)
            demand = self._demand(year) if self.services else ()
            groups.setdefault((bought, year if apart else -1, demand), []).append(year)
        return tuple(tuple(years) for years in groups.values())

    @cached_property
    def periods(self) -> tuple[tuple[int, ...], ...]:
        """Years of one stage with the same demand; a year in which a purchase comes late stands apart."""
        if self.wide is not None:
            return self.wide.periods
        waits = {t for b, t in self.purchases if b.lead_weeks}
        groups: dict[tuple[object, ...], list[int]] = {}
        for year in range(self.scenario.horizon_years):
            stage = next(s for s, years in enumerate(self.stages) if year in years)
            groups.setdefault((stage, year in waits, self._demand(year)), []).append(year)
        return tuple(tuple(years) for years in groups.values())

    @cached_property
    def stage_of(self) -> tuple[int, ...]:
        """The stage of each period."""
        return tuple(next(s for s, stage in enumerate(self.stages) if years[0] in stage) for years in self.periods)

    def _demand(self, year: int) -> tuple[float, ...]:
        return tuple(w.runs(year) for w in self.scenario.workloads)


def _index(keys: Iterable[str]) -> dict[str, tuple[int, ...]]:
    found: dict[str, list[int]] = {}
    for i, key in enumerate(keys):
        found.setdefault(key, []).append(i)
    return {key: tuple(indices) for key, indices in found.items()}


def prepare(scenario: Scenario, catalog: Catalog, like: Case | None = None) -> Case:
    """Join, evaluate every way to run every job, and leave out what something else beats in every respect.

    `like` may be an earlier case: where its jobs are the same, the ways judged there are not judged again.
    """
    build_set = make_builds(scenario, catalog)
    earlier = like.strategies if like is not None and _same_jobs(like, scenario, catalog) else None
    return assemble(scenario, catalog, build_set, make_strategies(scenario, build_set.builds, earlier))


def _same_jobs(like: Case, scenario: Scenario, catalog: Catalog) -> bool:
    """Whether all that a way depends on, beside its machine, is as it was."""
    before = like.scenario
    same_work = before.memory_margin == scenario.memory_margin and before.workloads == scenario.workloads
    return same_work and like.catalog.sha256 == catalog.sha256


def assemble(scenario: Scenario, catalog: Catalog, build_set: BuildSet, strategies: StrategySet) -> Case:
    """The case for given builds and strategies (a filter of options passes fewer builds)."""
    build_set, candidates, ways = useful_builds(scenario, build_set, strategies)
    unit_costs = {b.id: _unit_costs(scenario, b) for b in candidates}
    kept = {b.id for b in undominated_builds(scenario, candidates, ways, unit_costs)}
    kept |= {b.id for b in candidates if any(p.item_id in scenario.min_order for p in b.parts)}
    builds = tuple(sorted((b for b in candidates if b.id in kept), key=lambda b: b.id))
    ways = tuple(w for w in ways if w.build_id in kept)
    services = {b.id for b in builds if b.service is not None}
    reference: dict[str, float] = {}
    for (workload, build), hours in best_hours(ways).items():
        if build not in services:
            reference[workload] = min(reference.get(workload, hours), hours)
    return Case(scenario, catalog, build_set, strategies, builds, ways, reference)


def useful_builds(
    scenario: Scenario, build_set: BuildSet, strategies: StrategySet
) -> tuple[BuildSet, list[Build], tuple[Strategy, ...]]:
    """Builds that come in time and run something, with the ways worth having; prices play no part in it."""
    build_set, in_time = _in_time(scenario, build_set)
    by_id = {b.id: b for b in in_time}
    fitting = [w for w in strategies.feasible if w.build_id in by_id and _fits_machine(w, by_id[w.build_id])]
    ways = undominated_ways(fitting)
    useful = {w.build_id for w in ways}
    return build_set, [b for b in in_time if b.id in useful], ways


def _in_time(scenario: Scenario, build_set: BuildSet) -> tuple[BuildSet, list[Build]]:
    """What comes in time for the money; the rest is told as not considered, one row for each kind of machine."""
    told: dict[tuple[str, int, str], Refusal] = {}
    kept = []
    for build in build_set.builds:
        breach = late(scenario, build)
        if breach is None:
            kept.append(build)
            continue
        card, case = build.card, build.chassis
        name = f"{build.cards} x {card.name}"
        told.setdefault(
            (card.id, build.cards, case.id),
            Refusal(f"{name}, {case.name}", f"{name}，{case.name_zh}", card.id, build.cards, case.id, (breach,)),
        )
    if not told:
        return build_set, kept
    return replace(build_set, not_considered=(*build_set.not_considered, *told.values())), kept


def _fits_machine(way: Strategy, build: Build) -> bool:
    """A job of one machine needs no more cards than one machine of the unit has."""
    return way.nodes > 1 or build.service is not None or way.cards <= build.cards // build.nodes_per_unit


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
    """What money reads of one unit in each purchase year: price on both tax bases, full cost idle and at full work.

    Cost is linear in card-hours, and no node computes more than all its hours, so a node that is not dearer at both
    ends is not dearer anywhere between.
    """
    years = range(scenario.horizon_years)
    most = build.cards * scenario.available_hours_per_card_year
    figures: list[float] = []
    for bought_in in sorted({year for year in scenario.purchase_years if year in years}):
        served = [year for year in years if year >= bought_in]
        nodes = {(build.id, year): 1.0 for year in served}
        figures += (price_per_node(scenario, build, tax_included=gross, year=bought_in) for gross in (True, False))
        for hours in (0.0, most):
            work = {(build.id, year): hours for year in served}
            lines = cost_lines(scenario, [build], Decisions({(build.id, bought_in): 1.0}, nodes, work))
            figures.append(math.fsum(line.present_value for line in lines))
            if by_year(scenario):
                figures += _lab_pays(lines, served)
    return tuple(figures)


def _lab_pays(lines: Sequence[CostLine], years: Sequence[int]) -> list[float]:
    """What the lab pays besides the purchase, by year and use: limits of one year or fund read it."""
    uses = sorted({*USE_OF.values(), ""})
    running = [line for line in lines if line.payer == "lab" and line.category in OPEX]
    return [
        math.fsum(x.amount for x in running if x.year == year and USE_OF.get(x.category, "") == use)
        for year in years for use in uses
    ]  # fmt: skip
