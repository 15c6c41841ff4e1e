"""Card-hours of every job on every machine of a market, exactly, in one table: what the ways of `ways.py` come to.

One card is the cheapest way of each job of this laboratory in card-hours, so that no other is counted. Take k cards
instead: each repeats the launches, and its passes are k ceil(ceil(B/k) / L') >= ceil(B/L) in all, since a card of
several never fits more samples (L' <= L; gradients are copied once more). The k ceil(B/k) >= B samples take no less
time on cards, in the loader and from the storage, which the cards of a machine share in a busy week in either way;
communication and the other start-ups come on top. Where jobs share a card, are sharded, checkpointed or measured,
must end in time or see so many samples at once, this need not hold, and such a laboratory is refused.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from hwcost.build import Build
from hwcost.memory import largest_micro_batch, limit_mib
from hwcost.records import Card
from hwcost.scenario import Scenario
from hwcost.steptime import step_time
from hwcost.ways import HOST_GIB_PER_PROCESS, HOST_GIB_PER_WORKER
from hwcost.workload import Workload

Array = Any
MS_PER_HOUR, S_PER_HOUR = 3.6e6, 3600.0


class Hours:
    """Card-hours of a year's runs of each job on a machine. What the card and what the host take is looked up once."""

    def __init__(self, scenario: Scenario) -> None:
        unlike = [w.id for w in scenario.workloads if not _plain(w)]
        if unlike:
            raise ValueError(f"hours are exact for jobs that run best on one card of their own; not for {unlike[0]}")
        self.work, self.margin = scenario.workloads, scenario.memory_margin
        self.data = math.fsum(w.dataset_bytes for w in self.work)
        self.per_run = np.array([w.steps_per_run / MS_PER_HOUR for w in self.work])
        self.start = np.array([w.startup_s / S_PER_HOUR for w in self.work])
        self.runs = np.array([w.runs_per_year for w in self.work])
        self.inline = np.array([w.workers == 0 for w in self.work])
        self.largest: dict[tuple[int, float], int] = {}
        self.by_card: dict[str, Array] = {}
        self.by_host: dict[tuple[object, ...], tuple[Array, Array]] = {}

    def of(self, build: Build) -> Array:
        """[w] hours; infinite where the machine cannot run the job."""
        card_ms = self._card_ms(build.card)
        loader_ms, storage_ms = self._host_ms(build)
        step_ms = np.maximum(np.where(self.inline, card_ms + loader_ms, np.maximum(card_ms, loader_ms)), storage_ms)
        return (self.start + self.per_run * step_ms) * self.runs

    def table(self, builds: Sequence[Build]) -> Array:
        """[j, w] hours."""
        return np.array([self.of(build) for build in builds])

    def _card_ms(self, card: Card) -> Array:
        if card.id not in self.by_card:
            self.by_card[card.id] = np.array([self._step_ms(n, w, card) for n, w in enumerate(self.work)])
        return self.by_card[card.id]

    def _step_ms(self, number: int, workload: Workload, card: Card) -> float:
        lacks_ecc = workload.ecc_required and card.ecc not in ("inline", "native")
        lacks_bf16 = workload.precision == "bf16" and not card.bf16
        fits = 0 if lacks_ecc or lacks_bf16 or card.pytorch_current is False else self._fits(number, workload, card)
        if not fits:
            return math.inf
        micro = math.ceil(workload.batch / math.ceil(workload.batch / fits))
        passes = math.ceil(workload.batch / micro)
        return step_time(workload, card, micro, accumulation_steps=passes).card_ms

    def _fits(self, number: int, workload: Workload, card: Card) -> int:
        """Samples of the batch that fit on the card at once; cards of one memory share the search."""
        key = number, limit_mib(card, self.margin, workload.ecc_required)
        if key not in self.largest:
            self.largest[key] = largest_micro_batch(workload, card, self.margin, workload.batch)
        return self.largest[key]

    def _host_ms(self, build: Build) -> tuple[Array, Array]:
        chassis = build.chassis
        host = (
            build.storage.read_mb_s, build.cards, chassis.ram_gib, chassis.cpu_cores, build.lanes_per_card,
            build.card.pcie_gen,
        )  # fmt: skip
        if host not in self.by_host:
            steps = [
                step_time(
                    w, build.card, w.batch, storage_mb_s=build.storage.read_mb_s, storage_shared_by=build.cards,
                    host_ram_gib=chassis.ram_gib, cpu_cores=chassis.cpu_cores, lanes=build.lanes_per_card,
                    other_data_bytes=self.data - w.dataset_bytes,
                )
                for w in self.work
            ]  # fmt: skip
            room = np.array([
                build.cards * (HOST_GIB_PER_PROCESS + w.workers * HOST_GIB_PER_WORKER) <= chassis.ram_gib
                for w in self.work
            ])  # fmt: skip
            storage_ms = np.where(room, np.array([s.storage_ms for s in steps]), np.inf)
            self.by_host[host] = np.array([s.loader_ms for s in steps]), storage_ms
        return self.by_host[host]


def _plain(workload: Workload) -> bool:
    """Whether one card of its own is the way of fewest card-hours (see above), and the batch may go in parts."""
    shared = workload.sharers > 1 or workload.checkpointing or workload.sharding or workload.multi_node
    judged = workload.max_hours_per_run is not None or workload.batchnorm_min_batch > 0 or workload.sync_batchnorm
    known = workload.calibrations or workload.anchor is not None or workload.time_factor != 1.0
    return workload.accumulation and not (shared or judged or known or workload.growth_per_year)
