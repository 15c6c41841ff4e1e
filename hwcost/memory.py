"""What one training job needs in the memory of one card.

    M = context + P*s + a_p*A*b + w*L*b            feasible when M <= (1 - margin) * usable

    P  parameters                                    s  bytes of state per parameter (`state_bytes_per_param`)
    A  bytes saved for backward per sample at fp32   a_p  share of them that the precision keeps
    L  bytes of the largest saved tensor per sample  b  micro-batch (samples of one forward and backward)

Data parallelism *replicates* all of it on every card; it never pools memory. All results are in MiB (2**20 bytes).
Source: article B section 5, article A section 2.1 (with the gradient, which A leaves out).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from hwcost.records import Card
from hwcost.workload import Workload

MIB = 2.0**20

# Fitted on public peak-memory measurements (2,545 runs of public image models, whole-process figures).
CONTEXT_MIB = 1.75 * 1024  # CUDA context, library workspaces, allocator reserve: paid once per process
WORKSPACE_PER_LARGEST = 3.9  # live temporaries beside the saved tensors, in units of the largest one

MOMENTS = {"sgd": 0, "momentum": 1, "adam": 2}  # extra fp32 copies that the optimizer keeps
SIXTEEN_BIT = ("amp16", "bf16")  # autocast: parameters and gradients stay fp32
AUTOCAST_COPY_BYTES = 2  # autocast caches one 16-bit copy of the weights
KEPT_ACTIVATIONS_16BIT = 0.55  # norms and softmax stay fp32; 0.49-0.67 in public measurements
FOREACH_ADAM_BYTES = 4  # temporary of the fused-list Adam step, when activations are already freed

INLINE_ECC_SHARE = 1.0 / 16.0  # GDDR cards keep the check bits in the memory itself
DRIVER_RESERVE_SHARE = 0.01  # 0.1-1 % is missing from what nvidia-smi shows; the larger value is the safe one


@dataclass(frozen=True)
class MemoryNeed:
    """Peak memory of one process on one card, MiB. `total_mib` is the sum of the four parts."""

    context_mib: float
    state_mib: float
    activations_mib: float
    workspace_mib: float
    total_mib: float


def state_bytes_per_param(optimizer: str, precision: str) -> float:
    """Bytes per parameter of weights, gradient and optimizer state: 4*(2+k), plus 2 under autocast.

    k is 0 for sgd, 1 for momentum, 2 for adam. `pure16` is 16-bit training with fp32 master weights: 8 + 4k.

    >>> state_bytes_per_param("adam", "fp32"), state_bytes_per_param("adam", "amp16")
    (16.0, 18.0)
    """
    k = MOMENTS[optimizer]
    if precision == "pure16":
        return 8.0 + 4.0 * k
    return 4.0 * (2 + k) + (AUTOCAST_COPY_BYTES if precision in SIXTEEN_BIT else 0)


def kept_activations(precision: str) -> float:
    """a_p: the share of the fp32 saved-for-backward bytes that this precision keeps."""
    return KEPT_ACTIVATIONS_16BIT if precision in (*SIXTEEN_BIT, "pure16") else 1.0


def gradient_bytes(precision: str) -> float:
    """Bytes per parameter of the gradient that data parallelism sends: fp32 also under autocast."""
    return 2.0 if precision == "pure16" else 4.0


def peak_memory(
    params: float,
    optimizer: str,
    precision: str,
    saved_bytes_per_sample: float,
    largest_saved_bytes: float,
    batch: float,
    *,
    data_parallel: bool = False,
) -> MemoryNeed:
    """Peak memory from raw figures; `largest_saved_bytes` is of the whole micro-batch, at fp32.

    Data parallelism adds one gradient copy (the communication buckets).
    """
    state = params * state_bytes_per_param(optimizer, precision)
    if data_parallel:
        state += params * gradient_bytes(precision)
    activations = kept_activations(precision) * saved_bytes_per_sample * batch
    return peak_of(state, activations, largest_saved_bytes, adam_params=params if optimizer == "adam" else 0.0)


def peak_of(state: float, activations: float, largest_saved: float, *, adam_params: float) -> MemoryNeed:
    """Peak of one process from the bytes of its parts; `adam_params` are the parameters that an Adam step updates here.

    The temporary of a foreach Adam lives when the activations are gone, so that the peak is the larger of the two
    moments. L is not scaled under autocast: the largest temporaries (softmax, loss, norms) are fp32 there too.
    """
    optimizer_step = FOREACH_ADAM_BYTES * adam_params
    workspace = max(WORKSPACE_PER_LARGEST * largest_saved, optimizer_step - activations)
    parts = (CONTEXT_MIB, state / MIB, activations / MIB, workspace / MIB)
    return MemoryNeed(*parts, total_mib=math.fsum(parts))


def job_memory(workload: Workload, micro_batch: float, *, data_parallel: bool = False) -> MemoryNeed:
    """Peak memory of `workload` at `micro_batch` samples per forward pass on one card."""
    return peak_memory(
        workload.params,
        workload.optimizer,
        workload.precision,
        workload.saved_bytes_per_sample,
        workload.largest_saved_bytes_per_sample * micro_batch,
        micro_batch,
        data_parallel=data_parallel,
    )


def inline_ecc_on(card: Card, ecc_required: bool) -> bool:
    """Whether ECC takes memory: data-centre GDDR cards ship with it on, others turn it on when a job requires it."""
    return card.ecc == "inline" and (ecc_required or card.segment == "datacentre")


def usable_mib(card: Card, ecc_required: bool = False) -> float:
    """Memory that processes can use, MiB.

    The catalog's measured figure where known; else the printed size less inline ECC (1/16) where that is on, less
    1 % for the driver. A measured figure above 15/16 of the printed size was read with ECC off: a job that requires
    ECC loses the sixteenth from it.
    """
    printed = card.memory_gib * 1024.0
    ecc_left = 1.0 - (INLINE_ECC_SHARE if inline_ecc_on(card, ecc_required) else 0.0)
    if card.usable_mib is None:
        return printed * ecc_left * (1.0 - DRIVER_RESERVE_SHARE)
    read_with_ecc_on = card.usable_mib <= printed * (1.0 - INLINE_ECC_SHARE)
    return card.usable_mib if read_with_ecc_on else card.usable_mib * ecc_left


def limit_mib(card: Card, margin: float, ecc_required: bool = False) -> float:
    """Memory a job may plan with: `margin` (0.25 by default of a scenario; article B 10.2: 20-30 %) stays free."""
    return (1.0 - margin) * usable_mib(card, ecc_required)


def largest_micro_batch(
    workload: Workload, card: Card, margin: float, per_card_batch: int, data_parallel: bool = False
) -> int:
    """Largest micro-batch up to `per_card_batch` that fits on `card`; 0 when even one sample does not.

    Memory never falls as the batch grows, so bisection finds it.
    """
    limit = limit_mib(card, margin, workload.ecc_required)
    return largest_that(
        lambda batch: job_memory(workload, batch, data_parallel=data_parallel).total_mib <= limit, per_card_batch
    )


def largest_that(fits: Callable[[int], bool], most: int) -> int:
    """The largest whole number up to `most` for which `fits` holds, 0 where it fails at 1; true never follows false."""
    if most < 1 or not fits(1):
        return 0
    if fits(most):  # most jobs fit whole: no search
        return most
    fitting, too_many = 1, most
    while too_many - fitting > 1:
        middle = (fitting + too_many) // 2
        if fits(middle):
            fitting = middle
        else:
            too_many = middle
    return fitting
