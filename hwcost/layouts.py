"""How a job is laid out on cards, and what one card then holds of it.

    replicated      P*s (+ P*g between several cards)                                 A
    checkpointed    as laid out                            min over n of  n*L + A/n   (n segments of equal size)
    sharded, all    P*s/k + two gathered blocks + one block's gradient                A      volume 1.5 x
    sharded, part   P*(4 + c) + P*(s - 4 - c)/k, parameters (and copy c) whole        A      volume 1.0 x

P, s, A, L as in `memory.py`; k cards; a block is P / number of blocks. FSDP and ZeRO-3 shard everything and gather a
block before its use, forward and backward, so they send 3*(k-1)/k * P * b bytes where an all-reduce sends 2*(k-1)/k; in
the parameters' own dtype, which autocast leaves at fp32. ZeRO-2 shards gradients and optimizer alone. Checkpointing
keeps the input of each segment and recomputes the rest: 4/3 of the time and of the launches. Nothing says how large the
tensors between segments are: the largest saved one stands for them, and a network has no more segments than layers,
so the figures are estimates on the safe side. Source: article A sections 2 and 9; Rajbhandari et al. 2020 (ZeRO).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

from hwcost.memory import (
    AUTOCAST_COPY_BYTES,
    SIXTEEN_BIT,
    MemoryNeed,
    gradient_bytes,
    kept_activations,
    peak_of,
    state_bytes_per_param,
)
from hwcost.workload import Workload

RECOMPUTED = 4.0 / 3.0  # time and launches with checkpointing: a second forward beside the backward of twice its cost
TENSORS_PER_LAYER = 2  # estimate: weight and bias
TENSORS_PER_BLOCK = 12  # estimate: a transformer block has 12 to 16 parameter tensors
PARAM_BYTES = {"pure16": 2.0}  # fp32 in every other precision
SHARDING = ("none", "part", "all")
VOLUME_FACTOR = {"none": 1.0, "part": 1.0, "all": 1.5}  # of a ring all-reduce


@dataclass(frozen=True)
class Layout:
    """`cards` share one job; `sharding` is one of SHARDING."""

    cards: int = 1
    sharding: str = "none"
    checkpointing: bool = False

    @property
    def compute_factor(self) -> float:
        """Time and launches of the card, in those of a job that keeps everything."""
        return RECOMPUTED if self.checkpointing else 1.0


def layout_memory(workload: Workload, micro_batch: float, layout: Layout) -> MemoryNeed:
    """Peak memory of one process of `workload` on one card at `micro_batch` samples a pass, MiB."""
    saved = workload.saved_bytes_per_sample
    if layout.checkpointing:
        saved = checkpointed_bytes(saved, workload.largest_saved_bytes_per_sample, layers(workload))
    shards = layout.cards if layout.sharding != "none" else 1
    return peak_of(
        state_bytes(workload, layout),
        kept_activations(workload.precision) * saved * micro_batch,
        workload.largest_saved_bytes_per_sample * micro_batch,
        adam_params=workload.params / shards if workload.optimizer == "adam" else 0.0,
    )


def state_bytes(workload: Workload, layout: Layout) -> float:
    """Weights, gradients and optimizer state on one card, with what moving them between cards needs."""
    params, precision = workload.params, workload.precision
    whole = state_bytes_per_param(workload.optimizer, precision)
    if layout.sharding == "none":
        return params * (whole + (gradient_bytes(precision) if layout.cards > 1 else 0.0))
    weight = PARAM_BYTES.get(precision, 4.0)
    if layout.sharding == "part":
        kept = weight + (AUTOCAST_COPY_BYTES if precision in SIXTEEN_BIT else 0.0)
        return params * (kept + (whole - kept) / layout.cards)
    block = params / blocks(workload)
    return params * whole / layout.cards + block * (2.0 * weight + gradient_bytes(precision))


@cache
def checkpointed_bytes(saved: float, largest: float, most: int) -> float:
    """Bytes a sample keeps at fp32 with the best number of segments up to `most`; never more than without.

    >>> checkpointed_bytes(100.0, 1.0, 50)  # ten inputs of 1 and one segment of 10
    20.0
    """
    most = max(1, most)
    best = float(most) if saved >= largest * most**2 else math.sqrt(saved / largest)
    counts = {max(1, math.floor(best)), math.ceil(best)}
    return min(saved, *(n * largest + saved / n for n in counts))


def layers(workload: Workload) -> int:
    """Layers with weights, by the number of parameter tensors (estimate); 1 where it is not known."""
    return max(1, workload.parameter_tensors // TENSORS_PER_LAYER)


def blocks(workload: Workload) -> int:
    """Blocks that sharding gathers one by one, by the number of parameter tensors (estimate); 1: all at once."""
    return max(1, workload.parameter_tensors // TENSORS_PER_BLOCK)


def volume_params_bytes(workload: Workload, sharding: str) -> float:
    """Bytes per parameter of what travels, in an all-reduce of the same volume (`scaling.data_parallel`)."""
    if sharding == "all":
        return VOLUME_FACTOR[sharding] * PARAM_BYTES.get(workload.precision, 4.0)
    return gradient_bytes(workload.precision)


def messages(workload: Workload, sharding: str) -> int | None:
    """Messages of one step: three for each block where all is sharded; None: as many as there are buckets."""
    return 3 * blocks(workload) if sharding == "all" else None


def statistics_messages(workload: Workload, passes: int) -> int:
    """Small messages of synchronised batch normalisation in one step: two for each layer and pass.

    A layer with such a norm has three parameter tensors (estimate): weights, scale and shift.
    """
    return 2 * max(1, workload.parameter_tensors // 3) * passes if workload.sync_batchnorm else 0
