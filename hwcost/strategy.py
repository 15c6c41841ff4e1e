"""The record of one way to run one workload on one build."""

from __future__ import annotations

from dataclasses import dataclass

from hwcost.rules import Breach

KINDS = ("single", "shared", "ddp", "sharded")
TIERS = ("measured", "transferred", "estimated")


@dataclass(frozen=True)
class Strategy:
    """`kind` is one of KINDS. Hours are of one run; `memory_mib` is the peak on one card; error is a share of hours.

    A shared way is one of `sharers` like jobs on one card: its hours are those that it takes beside the others.
    """

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
    sharers: int = 1  # like jobs on one card, this one counted
    nodes: int = 1  # machines that one job spans
    checkpointing: bool = False
    wait_hours: float = 0.0  # in a queue before the run; part of what a deadline counts, not of the card-hours

    @property
    def feasible(self) -> bool:
        return not self.breaches

    @property
    def card_hours_per_run(self) -> float:
        return self.cards * self.hours_per_run / self.sharers
