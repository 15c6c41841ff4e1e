"""Storage that a workload needs: room, reading speed, and whether the host's memory makes reading irrelevant.

room            = 1.25 x data set                      results and checkpoints beside it
speed           = input bytes of a step / time of the step on the card alone
stays in memory = data set <= 0.6 x RAM                then it is read once, and any tier is fast enough
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from hwcost.memory import largest_micro_batch
from hwcost.records import Card, Chassis, Storage
from hwcost.steptime import CACHED_RAM_SHARE, step_time
from hwcost.workload import Workload

ROOM = 1.25
MEMORY_MARGIN = 0.25
BYTES_PER_TB = 1e12


@dataclass(frozen=True)
class StorageNeed:
    """`read_mb_s` keeps one card from waiting (1 MB = 1e6 bytes); it counts only where the data leaves the RAM."""

    capacity_tb: float
    step_bytes: float
    step_ms: float
    read_mb_s: float
    stays_in_ram: bool

    def fast_enough(self, storage: Storage, readers: int = 1) -> bool:
        """Whether `readers` cards that train at the same time never wait for this tier."""
        return self.stays_in_ram or storage.read_mb_s >= readers * self.read_mb_s

    def suffices(self, storage: Storage, readers: int = 1) -> bool:
        """Large enough and fast enough."""
        return storage.capacity_tb >= self.capacity_tb and self.fast_enough(storage, readers)

    def slowdown(self, storage: Storage, readers: int = 1) -> float:
        """Time of a step with this tier over its time without waiting; 1 where reading is no limit."""
        return 1.0 if self.stays_in_ram else max(1.0, readers * self.read_mb_s / storage.read_mb_s)


def storage_need(workload: Workload, card: Card, host: Chassis) -> StorageNeed:
    """What one run of `workload` on one `card` in `host` asks of the storage; a batch too large takes passes."""
    fits = max(1, largest_micro_batch(workload, card, MEMORY_MARGIN, workload.batch))
    passes = math.ceil(workload.batch / fits)
    micro = math.ceil(workload.batch / passes)
    step = step_time(workload, card, micro, accumulation_steps=passes, lanes=card.pcie_lanes)
    step_ms = workload.time_factor_on(card.id) * step.card_ms
    step_bytes = workload.input_bytes_per_sample * workload.batch
    return StorageNeed(
        capacity_tb=ROOM * workload.dataset_bytes / BYTES_PER_TB,
        step_bytes=step_bytes,
        step_ms=step_ms,
        read_mb_s=step_bytes / (step_ms * 1e3),
        stays_in_ram=workload.dataset_bytes <= CACHED_RAM_SHARE * host.ram_gib * 2.0**30,
    )


def tiers_that_suffice(need: StorageNeed, storages: Iterable[Storage], readers: int = 1) -> tuple[Storage, ...]:
    """The tiers that suffice, slowest and smallest first: the first is the least that has to be bought."""
    enough = [storage for storage in storages if need.suffices(storage, readers)]
    return tuple(sorted(enough, key=lambda s: (s.read_mb_s, s.capacity_tb, s.id)))
