"""Ways to run each workload on each build, with the hours of one run, or every rule that forbids them.

`single` runs a job on one card, with gradient accumulation where its batch does not fit; `ddp` keeps the global batch
and spreads it over k cards of one node, each of which holds the whole model (data parallelism does not pool memory).

    hours per run = (startup + steps x step time x time factor) / 3600
    card-hours    = cards x hours per run

A job is judged as in a busy week: every other card of the node runs a job like it, reads the same storage and takes its
share of the CPU cores and of the host's memory, and all data sets of the scenario want to stay in memory together.
The time factor is 1, or what a timed run on a known card says (`anchors.py`): the same for every way of a workload.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from hwcost.build import Build
from hwcost.memory import gradient_bytes, job_memory, largest_micro_batch, limit_mib
from hwcost.rules import Breach
from hwcost.scaling import data_parallel
from hwcost.scenario import Scenario
from hwcost.steptime import step_time
from hwcost.strategy import Strategy
from hwcost.workload import Workload

MS_PER_HOUR = 3_600_000.0
SECONDS_PER_HOUR = 3600.0
MIB_PER_GIB = 1024.0
HOST_GIB_PER_PROCESS = 4.0  # estimate: interpreter, CUDA context and pinned buffers of one training process
HOST_GIB_PER_WORKER = 1.0  # estimate: one loader process with its prefetch queue
CARD_COUNTS = (1, 2, 4, 8)


@dataclass(frozen=True)
class StrategySet:
    """Feasible ways, in the order of workloads and builds, and the ones that break a rule."""

    feasible: tuple[Strategy, ...]
    excluded: tuple[Strategy, ...]


def make_strategies(scenario: Scenario, builds: Sequence[Build]) -> StrategySet:
    """Every way to run every workload of the scenario on every build."""
    feasible: list[Strategy] = []
    excluded: list[Strategy] = []
    known: dict[tuple[object, ...], tuple[Strategy, ...]] = {}  # builds that differ only in their supply run alike
    for workload in scenario.workloads:
        for build in builds:
            host = (build.chassis.id, build.chassis.ram_gib, build.chassis.cpu_cores)  # a quote states its own memory
            key = (workload.id, build.card.id, build.cards, host, build.storage.id, build.lanes_per_card, build.link)
            if key not in known:
                known[key] = tuple(_ways(scenario, workload, build))
            for strategy in known[key]:
                own = replace(strategy, build_id=build.id)
                (feasible if own.feasible else excluded).append(own)
    return StrategySet(tuple(feasible), tuple(excluded))


def _ways(scenario: Scenario, workload: Workload, build: Build) -> Iterable[Strategy]:
    for cards in CARD_COUNTS:
        if cards <= build.cards:
            yield evaluate(scenario, workload, build, cards)


def evaluate(scenario: Scenario, workload: Workload, build: Build, cards: int) -> Strategy:
    """One way: `cards` cards of one node of `build`. All broken rules are kept, with their amounts."""
    parallel = cards > 1
    per_card = math.ceil(workload.batch / cards)
    fits = largest_micro_batch(workload, build.card, scenario.memory_margin, per_card, parallel)
    micro = _micro_batch(workload, per_card, fits)
    steps = math.ceil(per_card / micro)
    memory = job_memory(workload, micro, data_parallel=parallel).total_mib
    step = step_time(
        workload, build.card, micro, accumulation_steps=steps, data_parallel_cards=cards,
        storage_mb_s=build.storage.read_mb_s, storage_shared_by=build.cards, host_ram_gib=build.chassis.ram_gib,
        cpu_cores=build.chassis.cpu_cores, lanes=build.lanes_per_card,
        other_data_bytes=math.fsum(w.dataset_bytes for w in scenario.workloads if w.id != workload.id),
    )  # fmt: skip
    step_ms, communication_ms, bound = step.total_ms, 0.0, step.bound
    if parallel and build.link is not None:
        spread = data_parallel(
            step.total_ms, workload.params, gradient_bytes(workload.precision), cards, build.link,
            overlap=workload.overlap, step_cv=workload.step_cv, parameter_tensors=workload.parameter_tensors,
            accumulation_steps=steps,
        )  # fmt: skip
        communication_ms = spread.step_ms - step.total_ms
        step_ms = spread.step_ms
        if communication_ms > max(step.launch_ms, step.bandwidth_ms, step.compute_ms, step.loader_ms, step.storage_ms):
            bound = "communication"
    factor = workload.time_factor
    evidence, error_share = step.evidence, step.error_share
    if workload.anchor is not None:
        evidence, error_share = "transferred", max(error_share, workload.anchor.error_share)
    step_ms, communication_ms = factor * step_ms, factor * communication_ms
    hours = workload.startup_s / SECONDS_PER_HOUR + workload.steps_per_run * step_ms / MS_PER_HOUR
    return Strategy(
        workload_id=workload.id, build_id=build.id, kind="ddp" if parallel else "single", cards=cards,
        micro_batch=micro, accumulation_steps=steps, memory_mib=memory, step_ms=step_ms,
        compute_ms=factor * step.card_ms, loader_ms=factor * step.loader_ms, storage_ms=factor * step.storage_ms,
        communication_ms=communication_ms, hours_per_run=hours, bound=bound,
        evidence=evidence, error_share=error_share,
        breaches=_breaches(scenario, workload, build, cards, per_card, micro, fits, hours),
    )  # fmt: skip


def _micro_batch(workload: Workload, per_card: int, fits: int) -> int:
    """The micro-batch: the whole batch where it fits, else equal parts of it; 1 where nothing fits (it is refused)."""
    if fits >= per_card:
        return per_card
    if not workload.accumulation or fits < 1:
        return per_card if not workload.accumulation else 1
    return math.ceil(per_card / math.ceil(per_card / fits))


def _breaches(
    scenario: Scenario, workload: Workload, build: Build, cards: int, per_card: int, micro: int, fits: int, hours: float
) -> tuple[Breach, ...]:
    card = build.card
    parallel = cards > 1
    usable_gib = limit_mib(card, scenario.memory_margin, workload.ecc_required) / MIB_PER_GIB
    found: list[Breach] = []
    if fits < 1 or fits < micro:
        need = job_memory(workload, micro, data_parallel=parallel).total_mib / MIB_PER_GIB
        found.append(Breach("memory", {"need_gib": need, "usable_gib": usable_gib, "micro_batch": micro}))
        if not workload.accumulation and fits >= 1:
            found.append(Breach("accumulation_off", {"micro_batch": fits, "batch": per_card}))
    if workload.max_hours_per_run is not None and hours > workload.max_hours_per_run:
        found.append(Breach("deadline", {"hours": hours, "limit_hours": workload.max_hours_per_run}))
    if workload.ecc_required and card.ecc not in ("inline", "native"):
        found.append(Breach("ecc", {"card": card.name}))
    if workload.precision == "bf16" and card.bf16 is False:
        found.append(Breach("precision", {"precision": workload.precision, "card": card.name}))
    if card.pytorch_current is False:
        found.append(Breach("software", {"card": card.name}))
    if workload.batchnorm_min_batch and micro < min(workload.batchnorm_min_batch, workload.batch):
        found.append(Breach("batchnorm", {"per_card": micro, "minimum": workload.batchnorm_min_batch}))
    if parallel and not workload.multi_card:
        found.append(Breach("multi_card_off", {}))
    if parallel and build.link is None:
        found.append(Breach("link", {"cards": cards}))
    if cards > workload.batch:
        found.append(Breach("batch_too_small", {"batch": workload.batch, "cards": cards}))
    host_gib = build.cards * (HOST_GIB_PER_PROCESS + workload.workers * HOST_GIB_PER_WORKER)
    if host_gib > build.chassis.ram_gib:
        found.append(Breach("host_memory", {"need_gib": host_gib, "ram_gib": build.chassis.ram_gib}))
    return tuple(found)


def undominated_ways(strategies: Sequence[Strategy]) -> tuple[Strategy, ...]:
    """Drop a way for which another on the same build needs no more cards and no more card-hours.

    It may be faster for one run, but deadlines have decided already. Fewer cards at no more card-hours leave the plan
    more room in every rule, so the optimum is unchanged.
    """
    kept: list[Strategy] = []
    fewest: dict[tuple[str, str], float] = {}  # card-hours of the ways kept, which have no more cards
    for strategy in sorted(strategies, key=lambda s: (s.workload_id, s.build_id, s.cards)):
        key = (strategy.workload_id, strategy.build_id)
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
    Owned builds and quoted systems are kept: a name may be wanted for its own sake.
    """
    hours: dict[str, dict[tuple[str, int], float]] = {b.id: {} for b in builds}
    for s in strategies:
        hours[s.build_id][(s.workload_id, s.cards)] = s.hours_per_run

    def figures(build: Build) -> tuple[float, ...]:
        watts = build.peak_wall_w if scenario.circuits else 0.0
        units = float(build.chassis.rack_units or 0) if scenario.rack_units is not None else 0.0
        return (*unit_costs[build.id], watts, units, float(build.estimate_only))

    def beats(a: Build, b: Build) -> bool:
        if any(x > y for x, y in zip(figures(a), figures(b), strict=True)):
            return False
        return all(hours[a.id].get(way, math.inf) <= h for way, h in hours[b.id].items())

    kept: list[Build] = []
    groups: dict[tuple[str, int], list[Build]] = {}
    for build in sorted(builds, key=lambda b: b.id):
        groups.setdefault((build.card.id, build.cards), []).append(build)
    for group in groups.values():
        for build in group:
            if build.owned or build.system is not None:
                kept.append(build)
                continue
            rivals = [r for r in group if r.id != build.id and not r.owned]
            worse = any(beats(r, build) and (not beats(build, r) or r.id < build.id) for r in rivals)
            if not worse:
                kept.append(build)
    return tuple(sorted(kept, key=lambda b: b.id))
