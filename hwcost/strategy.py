"""The record of one way to run one workload on one build."""

from __future__ import annotations

from dataclasses import dataclass

from hwcost.rules import Breach

TIERS = ("measured", "transferred", "estimated")


@dataclass(frozen=True)
class Strategy:
    """`kind` is single | ddp. Hours are of one run; `memory_mib` is the peak on one card; error is a share of hours."""

    workload_id: str
    build_id: str
    kind: str
    cards: int
    micro_batch: int
    accumulation_steps: int
    memory_mib: float
    step_ms: float
    compute_ms: float
    loader_ms: float
    storage_ms: float
    communication_ms: float
    hours_per_run: float
    bound: str  # launches | bandwidth | compute | loader | storage | communication
    evidence: str
    error_share: float
    breaches: tuple[Breach, ...] = ()

    @property
    def feasible(self) -> bool:
        return not self.breaches

    @property
    def card_hours_per_run(self) -> float:
        return self.cards * self.hours_per_run
