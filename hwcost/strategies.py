"""Every way to run each workload on each build, and the ways and builds that nothing else beats.

`ways.py` judges one way; here stands which ones there are:

    single    one card; with activation checkpointing beside it where the whole batch does not fit and that helps
    shared    2 to `workload.sharers` like jobs on one card
    ddp       2, 4, 8 cards of one machine; all cards of a unit of several machines over its network
    sharded   2, 4, 8 cards of one machine where `workload.sharding`: all of the state, or gradients and optimizer
              alone, whichever is faster among those that fit
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from operator import le

from hwcost.build import Build
from hwcost.rules import Breach
from hwcost.scenario import Scenario
from hwcost.strategy import Strategy
from hwcost.ways import Way, cards_per_machine, evaluate
from hwcost.workload import Workload

CARD_COUNTS = (1, 2, 4, 8)


@dataclass(frozen=True)
class StrategySet:
    """Feasible ways, in the order of workloads and builds, and the ones that break a rule."""

    feasible: tuple[Strategy, ...]
    excluded: tuple[Strategy, ...]
    judged: dict[tuple[object, ...], tuple[Strategy, ...]] = field(default_factory=dict, compare=False, repr=False)


def make_strategies(scenario: Scenario, builds: Sequence[Build], like: StrategySet | None = None) -> StrategySet:
    """Every way to run every workload of the scenario on every build.

    `like` is the set for the same workloads, memory margin and catalog under other conditions: what was judged there,
    by all that a way depends on, is not judged again.
    """
    feasible: list[Strategy] = []
    excluded: list[Strategy] = []
    known = {} if like is None else dict(like.judged)  # builds that differ only in their supply run alike
    for workload in scenario.workloads:
        for build in builds:
            host = (build.chassis.id, build.chassis.ram_gib, build.chassis.cpu_cores)  # a quote states its own memory
            unit = (build.nodes_per_unit, build.network, build.service)
            key = (
                workload.id, build.card.id, build.cards, host, build.storage.id, build.lanes_per_card, build.link, unit,
            )  # fmt: skip
            if key not in known:
                known[key] = tuple(_ways(scenario, workload, build))
            for strategy in known[key]:
                own = replace(strategy, build_id=build.id)
                (feasible if own.feasible else excluded).append(own)
    return StrategySet(tuple(feasible), tuple(excluded), known)


def _ways(scenario: Scenario, workload: Workload, build: Build) -> Iterable[Strategy]:
    most = cards_per_machine(build)
    counts = [cards for cards in CARD_COUNTS if cards <= most]
    for cards in counts:
        yield from _with_checkpointing(scenario, workload, build, Way(cards))
    if build.service is None:  # a service lends whole cards
        for sharers in range(2, workload.sharers + 1):
            yield from _with_checkpointing(scenario, workload, build, Way(sharers=sharers))
    if workload.sharding:
        for cards in counts[1:]:
            yield from _sharded(scenario, workload, build, cards)
    if workload.multi_node and build.nodes_per_unit > 1:
        yield from _with_checkpointing(scenario, workload, build, Way(build.cards, nodes=build.nodes_per_unit))


def _with_checkpointing(scenario: Scenario, workload: Workload, build: Build, way: Way) -> Iterable[Strategy]:
    """The way itself, and with checkpointing where it is needed or its larger passes save more than it costs."""
    plain = evaluate(scenario, workload, build, way.cards, way)
    yield plain
    whole = plain.accumulation_steps == 1 and not _lacks_memory(plain.breaches)
    if not workload.checkpointing or whole:
        return
    kept = evaluate(scenario, workload, build, way.cards, replace(way, checkpointing=True))
    if plain.feasible:
        helps = kept.feasible and kept.hours_per_run < plain.hours_per_run
    else:
        helps = kept.feasible or _lacks_memory(plain.breaches)
    if helps:
        yield kept


def _sharded(scenario: Scenario, workload: Workload, build: Build, cards: int) -> Iterable[Strategy]:
    """The faster of the two degrees of sharding among those that fit, all of the state where neither does."""
    found = [
        way
        for degree in ("part", "all")
        for way in _with_checkpointing(scenario, workload, build, Way(cards, sharding=degree))
    ]
    able = [way for way in found if way.feasible]
    yield min(able, key=lambda way: way.hours_per_run) if able else found[-1]


def _lacks_memory(breaches: Sequence[Breach]) -> bool:
    return any(breach.rule in ("memory", "shared_memory") for breach in breaches)


def undominated_ways(strategies: Sequence[Strategy]) -> tuple[Strategy, ...]:
    """Drop a way for which another on the same build needs no more cards and no more card-hours.

    It may be faster for one run, but deadlines have decided already. Fewer cards at no more card-hours leave the plan
    more room in every rule, so the optimum is unchanged. Jobs that share a card are compared among their like only:
    they may take more card-hours and still let more people work at once.
    """
    kept: list[Strategy] = []
    fewest: dict[tuple[str, str, int], float] = {}  # card-hours of the ways kept, which have no more cards
    for strategy in sorted(strategies, key=lambda s: (s.workload_id, s.build_id, s.cards, s.card_hours_per_run)):
        key = (strategy.workload_id, strategy.build_id, strategy.sharers)
        if strategy.card_hours_per_run * (1 + 1e-12) < fewest.get(key, math.inf):
            fewest[key] = strategy.card_hours_per_run
            kept.append(strategy)
    return tuple(kept)


def undominated_builds(
    scenario: Scenario,
    builds: Sequence[Build],
    strategies: Sequence[Strategy],
    unit_costs: dict[str, tuple[float, ...]],
) -> tuple[Build, ...]:
    """Drop a build that another with the same card and card count beats or equals in everything a rule or cost reads.

    Compared: price, full cost without work and at full work, the hours of every way to run every workload, and what
    a rule over several nodes adds up: peak watts where circuits are stated, rack units where they are limited. Rules
    about one node alone (noise, slots) have already decided. Of two equal builds the quoted one or the lower id stays.
    Owned builds, their upgrades, services and quoted systems are kept: a name may be wanted for its own sake. What
    cannot be bought without limit beats nothing, and a later delivery is a figure like another.
    """
    hours: dict[str, dict[tuple[object, ...], float]] = {b.id: {} for b in builds}
    for s in strategies:
        way = (s.workload_id, s.kind, s.cards, s.sharers, s.nodes)
        hours[s.build_id][way] = min(s.hours_per_run + s.wait_hours, hours[s.build_id].get(way, math.inf))

    def figures_of(build: Build) -> tuple[float, ...]:
        watts = build.peak_wall_w if scenario.circuits else 0.0
        units = float(build.chassis.rack_units or 0) if scenario.rack_units is not None else 0.0
        return (*unit_costs[build.id], watts, units, build.lead_weeks, float(build.estimate_only))

    figures = {b.id: figures_of(b) for b in builds}

    def stays(build: Build) -> bool:
        return build.owned or build.system is not None or bool(build.upgrade_of) or build.service is not None

    def limited(build: Build) -> bool:
        return any(part.item_id in scenario.stock or part.item_id in scenario.min_order for part in build.parts)

    def beats(a: Build, b: Build) -> bool:
        if not all(map(le, figures[a.id], figures[b.id])):
            return False
        return all(hours[a.id].get(way, math.inf) <= h for way, h in hours[b.id].items())

    kept: list[Build] = []
    groups: dict[tuple[str, int, int], list[Build]] = {}
    for build in sorted(builds, key=lambda b: b.id):
        groups.setdefault((build.card.id, build.cards, build.nodes_per_unit), []).append(build)
    for group in groups.values():
        rivals = [r for r in group if not r.owned and not r.upgrade_of and r.service is None and not limited(r)]
        for build in group:
            if stays(build):
                kept.append(build)
                continue
            others = (r for r in rivals if r.id != build.id)
            worse = any(beats(r, build) and (not beats(build, r) or r.id < build.id) for r in others)
            if not worse:
                kept.append(build)
    return tuple(sorted(kept, key=lambda b: b.id))
