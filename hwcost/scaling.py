"""Data parallelism over N cards: link, all-reduce time, speedup.

    V      = 2*(N-1)/N * P * b_grad                          bytes per optimizer step and card
    T_exp  = max(alpha*buckets + V/BW - overlap*T_backward, tail)      T_backward = 2/3 of the last pass
    T_step = T_c*(1 + cv*m(N)) + d + T_exp                   r = (T_step - T_c)/T_c,  S = N/(1+r)

    BW  bus bandwidth of the slowest link of the ring        m(N)  expected maximum of N standard normals
    d   20 us per parameter tensor (hooks, bucket copies)    tail  the last bucket, which nothing can hide

Efficiency S/N never exceeds 1 at a fixed per-card batch, so "ECD(N) > ECD(1)" cannot happen: the criteria are S > 1
for time and cost per run for money. Source: article A sections 2-4, corrected.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache

from hwcost.records import Card, Link

LINK_IDS = (
    "pcie_p2p",
    "pcie_p2p_off",
    "pcie_host_staged",
    "nvlink_pair",
    "pcie_p2p_with_pair_bridges",
    "nvlink_sxm",
    "eth_1g",
    "eth_10g",
    "eth_25g",
    "eth_100g",
)
BUCKET_BYTES = 25 * 2**20  # gradients up to this size travel in one message, after backward: nothing overlaps
BACKWARD_SHARE = 2.0 / 3.0
OVERHEAD_MS_PER_TENSOR = 0.020  # fitted on public 1-to-8-card step times
FULL_LANES = 16
# A host that stages copies through its memory slows down as more is sent at once: its caches hold less of it. Fitted on
# the twelve staged rows of RTX 3090 (lambdal/deeplearning-benchmark@aa5addb6), 0.2 to 1.4 GB of gradients: bandwidth
# falls with the fourth root of the gradient bytes; outside of the rows the nearest of them holds.
STAGED_LINK = "pcie_host_staged"
STAGED_BYTES, STAGED_RANGE, STAGED_EXPONENT = 600e6, (0.2e9, 1.4e9), -0.25
SXM_LINK = "nvlink_sxm"

# Of a step whose figures nobody states. Overlap is a share of backward, fitted on the 1-to-8-card step times of
# ResNet-50 and BERT-base (74 rows of lambdal/deeplearning-benchmark@aa5addb6): frameworks hide little, since the cards
# that reduce gradients also compute. The variation of a step is the spread of repeated runs there.
TYPICAL_OVERLAP = 0.03
TYPICAL_STEP_CV = 0.0175


@dataclass(frozen=True)
class DataParallel:
    """One optimizer step on N cards, ms. `step_ms` = compute + straggler + overhead + exposed communication."""

    step_ms: float
    compute_ms: float
    straggler_ms: float
    overhead_ms: float
    exposed_ms: float
    volume_bytes: float
    r: float
    speedup: float
    efficiency: float  # S/N = ECD(N)/ECD(1)


def link_id_for(card: Card, cards: int, chassis_segment: str = "workstation", has_bridge: bool = False) -> str | None:
    """The link class over which `cards` of one node reduce gradients; None for one card.

    A bridge joins `nvlink_max_cards` only: four cards with pair bridges make rings whose slowest hop is PCIe.
    Without peer-to-peer, a consumer board stages through host memory. Unknown peer-to-peer counts as none.
    """
    if cards <= 1:
        return None
    if has_bridge and card.nvlink_max_cards >= cards:
        return "nvlink_pair" if card.nvlink_max_cards == 2 else "nvlink_sxm"
    if card.p2p:
        bridged = has_bridge and card.nvlink_max_cards >= 2
        return "pcie_p2p_with_pair_bridges" if bridged else "pcie_p2p"
    return "pcie_host_staged" if chassis_segment == "consumer" else "pcie_p2p_off"


def find_link(
    links: Iterable[Link],
    link_id: str | None,
    cards: int,
    pcie_gen: int | None = None,
    lanes: int = FULL_LANES,
    card: Card | None = None,
) -> Link | None:
    """The row of `link_id` nearest to `cards` and `pcie_gen`; None where the table has no such class.

    Without a generation, that of `card` counts, and without either the oldest one in the table (safe). Generation
    first: the same one, else a row that holds for any, else the nearest older one as it is (safe), else
    the nearest newer one with its bandwidth halved per generation. Then the card count nearest in ratio, the larger
    one on a tie (more cards are not faster). Fewer than 16 lanes scale a PCIe link down in proportion.
    """
    if pcie_gen is None and card is not None:
        pcie_gen = card.pcie_gen
    rows = [row for row in links if row.id == link_id]
    if not rows or link_id is None:
        return None

    def distance(row: Link) -> tuple[int, int, float, int]:
        return (*_generation_distance(row, pcie_gen), abs(math.log(row.cards / cards)), -row.cards)

    row = min(rows, key=distance)
    factor = 1.0
    if pcie_gen is not None and row.pcie_gen is not None and row.pcie_gen > pcie_gen:
        factor = 0.5 ** (row.pcie_gen - pcie_gen)
    if link_id.startswith("pcie"):
        factor *= min(lanes, FULL_LANES) / FULL_LANES
    return row if factor == 1.0 else scaled(row, factor)


def scaled(link: Link, factor: float) -> Link:
    """`link` with its bandwidth, and the bounds of it, times `factor`."""
    return replace(
        link,
        bus_bandwidth_gb_s=link.bus_bandwidth_gb_s * factor,
        low_gb_s=None if link.low_gb_s is None else link.low_gb_s * factor,
        high_gb_s=None if link.high_gb_s is None else link.high_gb_s * factor,
    )


def slowest_link(links: Iterable[Link]) -> Link:
    """The link that sets the pace of a ring: the one of least bus bandwidth."""
    return min(links, key=lambda link: link.bus_bandwidth_gb_s)


@cache
def expected_maximum(cards: int) -> float:
    """m(N): expected maximum of N standard normals (0.56, 1.03, 1.42 for 2, 4, 8), by Simpson's rule."""
    steps, low = 2000, -8.0
    width = -2.0 * low / steps
    total = 0.0
    for i in range(steps + 1):
        x = low + i * width
        below = 0.5 * (1.0 + math.erf(x / math.sqrt(2.0)))
        density = math.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi)
        weight = 1.0 if i in (0, steps) else (4.0 if i % 2 else 2.0)
        total += weight * x * cards * density * below ** (cards - 1)
    return total * width / 3.0


def volume_bytes(params: float, grad_bytes: float, cards: int) -> float:
    """Bytes that one card sends (and receives) in a ring all-reduce: 2*(N-1)/N * P * b_grad.

    >>> volume_bytes(2e6, 4, 4)
    12000000.0
    """
    return 2.0 * (cards - 1) / cards * params * grad_bytes


def bucket_count(params: float, grad_bytes: float) -> int:
    """Messages per step: gradients are sent in buckets of 25 MiB, one for a typical hyperspectral network."""
    return max(1, math.ceil(params * grad_bytes / BUCKET_BYTES))


def bandwidth_gb_s(link: Link, gradient_bytes: float) -> float:
    """Bus bandwidth of `link` for so many gradient bytes a step: that of its row, but for hosts that stage copies.

    The row of a staging host holds for 600 MB.
    """
    if link.id != STAGED_LINK:
        return link.bus_bandwidth_gb_s
    low, high = STAGED_RANGE
    return link.bus_bandwidth_gb_s * (min(max(gradient_bytes, low), high) / STAGED_BYTES) ** STAGED_EXPONENT


def all_reduce_ms(message_bytes: float, cards: int, link: Link) -> float:
    """One all-reduce of `message_bytes` over `cards`: alpha + 2*(N-1)/N * bytes / BW."""
    return link.alpha_us / 1e3 + volume_bytes(message_bytes, 1.0, cards) / (bandwidth_gb_s(link, message_bytes) * 1e6)


def data_parallel(
    compute_ms: float,
    params: float,
    grad_bytes: float,
    cards: int,
    link: Link | None,
    *,
    overlap: float = 0.0,
    step_cv: float = 0.0,
    parameter_tensors: int = 0,
    accumulation_steps: int = 1,
    messages: int | None = None,
    blocking_messages: int = 0,
    overhead_ms_per_tensor: float | None = None,
) -> DataParallel:
    """One optimizer step over `cards`, each computing `compute_ms` (all passes) with the same per-card batch.

    `grad_bytes` per parameter as sent; `overlap` the share of backward under which communication hides (0..1);
    `step_cv` the coefficient of variation of one pass. Gradients travel once per optimizer step, after the last pass,
    so that only its backward can hide them, and the variation of a sum of passes falls with their root.
    `messages` replaces the number of buckets (sharding gathers block by block); `blocking_messages` are small ones
    that every card waits for and nothing hides, such as the statistics of synchronised batch normalisation.
    `overhead_ms_per_tensor` as measured; None: the usual 20 us.
    `link` is None only for one card (ValueError otherwise).
    """
    if cards <= 1:
        return DataParallel(compute_ms, compute_ms, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0)
    if link is None:
        raise ValueError(f"data parallelism over {cards} cards needs a link")
    volume = volume_bytes(params, grad_bytes, cards)
    buckets = bucket_count(params, grad_bytes) if messages is None else messages
    in_full = buckets * link.alpha_us / 1e3 + volume / (bandwidth_gb_s(link, params * grad_bytes) * 1e6)
    tail = in_full / buckets
    exposed = max(in_full - overlap * BACKWARD_SHARE * compute_ms / accumulation_steps, tail)
    exposed += blocking_messages * link.alpha_us / 1e3
    straggler = compute_ms * step_cv / math.sqrt(accumulation_steps) * expected_maximum(cards)
    per_tensor = OVERHEAD_MS_PER_TENSOR if overhead_ms_per_tensor is None else overhead_ms_per_tensor
    overhead = per_tensor * parameter_tensors
    step = compute_ms + straggler + overhead + exposed
    r = (step - compute_ms) / compute_ms
    speedup = cards / (1.0 + r)
    return DataParallel(step, compute_ms, straggler, overhead, exposed, volume, r, speedup, speedup / cards)


def _generation_distance(row: Link, pcie_gen: int | None) -> tuple[int, int]:
    if row.pcie_gen == pcie_gen:
        return (0, 0)
    if row.pcie_gen is None:
        return (1, 0)
    if pcie_gen is None:
        return (2, row.pcie_gen)
    return (2, pcie_gen - row.pcie_gen) if row.pcie_gen < pcie_gen else (3, row.pcie_gen - pcie_gen)
