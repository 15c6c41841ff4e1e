"""What costs nothing and is worth trying before anything is bought: a faster step on the card that a job has.

    saving of a run = 1 - hours with the change / hours as it is        told from a tenth on

Mixed precision and compiling are looked at for every job of a plan that its card, not the data, holds up. Both are
predictions from one factor each; whether the network still learns as well is for its owner to try.
"""

from __future__ import annotations

from dataclasses import dataclass

from hwcost.alternatives import alternatives
from hwcost.plan import Plan
from hwcost.use import DATA_BOUNDS

FREE = ("amp", "compiled")
WORTH_TELLING = 0.10


@dataclass(frozen=True)
class Saving:
    """One change of one job: hours of a run on its card as it is and with the change."""

    workload_id: str
    card_id: str
    key: str  # of messages alternative.<key>
    hours_now: float
    hours_then: float
    kind: str  # prediction | estimate

    @property
    def share(self) -> float:
        return 1.0 - self.hours_then / self.hours_now


def software_first(plan: Plan) -> tuple[Saving, ...]:
    """Changes worth telling, by workload in the scenario's order, the largest saving first."""
    found: list[Saving] = []
    margin = plan.case.scenario.memory_margin
    for workload in plan.case.scenario.workloads:
        ways = [a.strategy for a in plan.assignments if a.strategy.workload_id == workload.id]
        ways = [w for w in ways if w.bound not in DATA_BOUNDS and w.cards == 1]
        if not ways:
            continue
        card = plan.case.build_by_id[ways[0].build_id].card
        each = {a.key: a for a in alternatives(workload, card, margin=margin)}
        now = each["accumulation"].runs_per_hour  # one card, as it is
        mine = [
            Saving(workload.id, card.id, key, 1.0 / now, 1.0 / runs, each[key].kind)
            for key in FREE
            if key in each and now and (runs := each[key].runs_per_hour)
        ]
        found += sorted((s for s in mine if s.share >= WORTH_TELLING), key=lambda s: (-s.share, s.key))
    return tuple(found)
