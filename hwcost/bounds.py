"""What binds a job on a card, what a tenth more of each resource would save, and whether several cards pay.

Article B section 3 ranks memory, bandwidth and compute in words; here the ranking is computed for each job on each
card. The card stands alone: neither storage nor the CPU cores of a host limit it, which a plan judges with the host.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from hwcost.layouts import statistics_messages
from hwcost.memory import gradient_bytes, largest_micro_batch
from hwcost.records import Card, Link
from hwcost.scaling import DataParallel, data_parallel, find_link, link_id_for, scaled
from hwcost.steptime import gains, step_time
from hwcost.workload import Workload

CARDS = 4  # several cards: the article's machine
PAYS_FROM = 2.0  # speedup from which four cards are worth saying: half of their hours
RAISE_BY = 0.10


@dataclass(frozen=True)
class Several:
    """The same step, its batch split over several cards. `bound` also knows communication and a batch too small."""

    cards: int
    link_id: str
    step_ms: float
    speedup: float
    bound: str
    batchnorm_kept: bool = True  # each card still sees as many samples as its batch normalisation needs

    @property
    def pays(self) -> bool:
        return self.batchnorm_kept and self.speedup >= PAYS_FROM


@dataclass(frozen=True)
class Bound:
    """One step of the whole batch on one card. `gains` are shares of the step; that of the link is on four cards.

    `several` is None where the batch does not split or the job does not fit there.
    """

    step_ms: float
    bound: str
    micro_batch: int
    accumulation_steps: int
    evidence: str
    error_share: float
    gains: dict[str, float]
    several: Several | None


def bound_on(workload: Workload, card: Card, margin: float, links: Iterable[Link]) -> Bound | None:
    """The job on one card of this kind and on four; None where the job cannot run on one."""
    split = _passes(workload, card, margin, workload.batch, parallel=False)
    if split is None:
        return None
    micro, passes = split
    step = step_time(workload, card, micro, accumulation_steps=passes, lanes=card.pcie_lanes)
    saved = gains(
        workload, card, micro, accumulation_steps=passes, margin=margin, raise_by=RAISE_BY, lanes=card.pcie_lanes
    )
    several, link_gain = _several(workload, card, margin, tuple(links), step.total_ms)
    shown = {name: saved[name] for name in ("memory", "bandwidth", "compute")}
    if link_gain is not None:
        shown["link"] = link_gain
    factor = workload.time_factor_on(card.id)
    if several is not None:
        several = replace(several, step_ms=factor * several.step_ms)
    return Bound(factor * step.total_ms, step.bound, micro, passes, step.evidence, step.error_share, shown, several)


def _passes(workload: Workload, card: Card, margin: float, batch: int, parallel: bool) -> tuple[int, int] | None:
    """Micro-batch and passes for `batch` samples on one card; None where the job cannot run there."""
    largest = largest_micro_batch(workload, card, margin, batch, parallel)
    if largest < 1 or (largest < batch and not workload.accumulation):
        return None
    passes = math.ceil(batch / largest)
    micro = math.ceil(batch / passes)
    return micro, math.ceil(batch / micro)


def _several(
    workload: Workload, card: Card, margin: float, links: tuple[Link, ...], alone_ms: float
) -> tuple[Several | None, float | None]:
    """The step on four cards, and the share of it that a tenth more link bandwidth saves."""
    link = find_link(links, link_id_for(card, CARDS), CARDS, card.pcie_gen, card.pcie_lanes)
    per_card = math.ceil(workload.batch / CARDS)
    split = _passes(workload, card, margin, per_card, parallel=True)
    if link is None or split is None or workload.batch < CARDS or not workload.multi_card:
        return None, None
    micro, passes = split
    step = step_time(workload, card, micro, accumulation_steps=passes, data_parallel_cards=CARDS, lanes=card.pcie_lanes)

    def over(factor: float) -> DataParallel:
        return data_parallel(
            step.total_ms, workload.params, gradient_bytes(workload.precision), CARDS, scaled(link, factor),
            overlap=workload.overlap, step_cv=workload.step_cv, parameter_tensors=workload.parameter_tensors,
            accumulation_steps=passes, overhead_ms_per_tensor=workload.overhead_ms_per_tensor,
            blocking_messages=statistics_messages(workload, passes),
        )  # fmt: skip

    spread = over(1.0)
    added = spread.step_ms - step.total_ms
    parts = (step.launch_ms, step.bandwidth_ms, step.compute_ms, step.loader_ms)
    bound = "communication" if added > max(parts) else step.bound
    together = micro * (CARDS if workload.sync_batchnorm else 1)
    kept = not workload.batchnorm_min_batch or together >= min(workload.batchnorm_min_batch, workload.batch)
    several = Several(CARDS, link.id, spread.step_ms, alone_ms / spread.step_ms, bound, kept)
    return several, (spread.step_ms - over(1.0 + RAISE_BY).step_ms) / spread.step_ms
