"""Machines that another one beats in everything a cost or a rule reads: left out before any job is placed on them.

i removes j, both put together from parts, with the same cards and as many of them, where i has

    not more   net price in every year of purchase; energy of a year without work and at full work; lead time;
               peak watts, where circuits are stated; rack units, where they are limited
    not less   CPU cores and memory, up to what the work can use; reading speed of the storage; PCIe lanes; bandwidth of
               the links, at no more latency
    no limit   of stock or least order on any of its parts

Every cost line grows with price, energy or hours, and energy is linear in the hours between its two ends; no way to
run a job takes longer on i than on j, since the card, its memory and so the micro-batch are the same; what several
machines add up to (watts of a circuit, rack units, staff, number of machines) is not more. So in any plan each j may
be exchanged for an i: the optimum stays. Of two that are equal in all that, the lower id stays. Memory is the
exception: where jobs share a card, a data set that a larger memory holds is held by each of them, and a smaller one
streams it; below what all of them need, memories are not compared.

Owned machines, upgrades, services, quoted systems and forced items are kept: a name may be wanted for its own sake.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from operator import le

from hwcost.build import Build
from hwcost.records import Link
from hwcost.scenario import Scenario
from hwcost.steptime import CACHED_RAM_SHARE
from hwcost.ways import BYTES_PER_GIB, HOST_GIB_PER_PROCESS, HOST_GIB_PER_WORKER, cards_per_machine
from hwcost.workload import Workload


def undominated(scenario: Scenario, builds: Iterable[Build], forced: Collection[str] = ()) -> tuple[Build, ...]:
    """The builds that no other removes, sorted by id. `forced` are ids that stay whatever beats them."""
    limited = {*scenario.stock, *scenario.min_order}
    useful: dict[int, _Useful] = {}  # by cards of one machine
    kept: list[Build] = []
    groups: dict[tuple[object, ...], list[tuple[tuple[float, ...], Build]]] = {}
    for build in builds:
        if not _replaceable(build):
            kept.append(build)
            continue
        jobs = cards_per_machine(build)
        if jobs not in useful:
            useful[jobs] = _useful(scenario, jobs)
        held_gib = min(build.chassis.ram_gib, useful[jobs].shared_gib)
        key = (build.card.id, build.cards, build.nodes_per_unit, held_gib)
        groups.setdefault(key, []).append((_burden(scenario, build, useful[jobs]), build))
    for group in groups.values():
        kept += _best(group, limited, forced)
    return tuple(sorted(kept, key=lambda b: b.id))


def _replaceable(build: Build) -> bool:
    special = build.owned or build.upgrade_of or build.service is not None or build.system is not None
    return not special and build.estimate_only


def _best(
    group: list[tuple[tuple[float, ...], Build]], limited: Collection[str], forced: Collection[str]
) -> list[Build]:
    """Whatever removes a build is not behind it in any figure: sorted by all of them, it comes first."""
    ranked = sorted(group, key=lambda pair: (pair[0], pair[1].id))
    rivals: list[tuple[float, ...]] = []
    kept: list[Build] = []
    for burden, build in ranked:
        beaten = any(all(map(le, rival, burden)) for rival in rivals)
        if beaten and build.id not in forced:
            continue
        kept.append(build)
        if not limited or not any(part.item_id in limited for part in build.parts):
            rivals.append(burden)
    return kept


def _burden(scenario: Scenario, build: Build, useful: _Useful) -> tuple[float, ...]:
    """Everything of a build that a cost or a rule reads beside its cards, each so that less is better."""
    idle_wh = build.idle_wall_w * scenario.on_hours_per_year
    return (
        *_prices(scenario, build),
        idle_wh,
        idle_wh + build.busy_extra_wall_w_per_card * build.cards * scenario.available_hours_per_card_year,
        build.lead_weeks,
        build.peak_wall_w if scenario.circuits else 0.0,
        float(build.chassis.rack_units or 0) if scenario.rack_units is not None else 0.0,
        -min(float(build.chassis.cpu_cores), useful.cores),
        -min(build.chassis.ram_gib, useful.gib),
        -build.storage.read_mb_s,
        -float(build.lanes_per_card),
        *_slowness(build.link),
        *_slowness(build.network),
    )


@dataclass(frozen=True)
class _Useful:
    """What the work of a machine can use at most; more of it changes nothing."""

    cores: float
    gib: float  # no data set and no process asks for more
    shared_gib: float  # with it all jobs that share cards hold their data; 0 where none shares


def _useful(scenario: Scenario, jobs: int) -> _Useful:
    """The limits of a machine on which so many cards work at once."""
    work = scenario.workloads
    cores = max((jobs * w.sharers * (1 + w.workers) for w in work), default=0)
    hosts = max((jobs * w.sharers * _process_gib(w) for w in work), default=0.0)
    data_gib = sum(w.dataset_bytes for w in work) / BYTES_PER_GIB
    shared = (jobs * w.sharers * (_process_gib(w) + w.dataset_bytes / BYTES_PER_GIB) for w in work if w.sharers > 1)
    shared_gib = max(shared, default=0.0)
    return _Useful(float(cores), max(data_gib / CACHED_RAM_SHARE, hosts, shared_gib), shared_gib)


def _process_gib(workload: Workload) -> float:
    return HOST_GIB_PER_PROCESS + workload.workers * HOST_GIB_PER_WORKER


def _prices(scenario: Scenario, build: Build) -> tuple[float, ...]:
    """Net price in each year of purchase: without trends by role it is the same in all."""
    trends = scenario.price_trend_per_year
    if not trends or not any(scenario.purchase_years):
        return (build.price_net,)
    return tuple(
        sum(p.quantity * p.unit_price_net * (1.0 + trends.get(p.role, 0.0)) ** year for p in build.parts)
        for year in scenario.purchase_years
    )


def _slowness(link: Link | None) -> tuple[float, float]:
    """Bandwidth and latency, each so that less is better. Without a link there is nothing to reduce over."""
    return (0.0, float("inf")) if link is None else (-link.bus_bandwidth_gb_s, link.alpha_us)
