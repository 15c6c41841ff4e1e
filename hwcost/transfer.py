"""A step time measured on one card, carried over to another.

    predicted = step * (c0 + T(to)) / (c0 + T(from))      T of `rates.py`, the rule of a plan's steps too
    c0 = launches x 12 us, the host's, equal on every card

Only the ratio of two cards matters, so that what the formula misses in size cancels out. Without FLOPs and bytes the
geometric mean of ResNet-50 (bandwidth) and BERT-large (compute) stands for the network.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from hwcost.rates import (
    BERT_LARGE_BYTES,
    BERT_LARGE_FLOP,
    FITTED,
    RESNET50_BYTES,
    RESNET50_FLOP,
    Efficiencies,
    busy_ms,
    card_rates,
    has_references,
    kept_bytes,
)
from hwcost.records import Card
from hwcost.steptime import ERROR_SHARE, LAUNCH_MS

SAME_CARD_ERROR = 0.08  # two hosts with one type of card and one container differ by 5-8 %


@dataclass(frozen=True)
class Transfer:
    """`low_ms` and `high_ms` hold nine of ten cases; `basis` is measured (same card), transferred or estimated."""

    predicted_ms: float
    low_ms: float
    high_ms: float
    basis: str


def transfer(
    from_card: Card,
    to_card: Card,
    step_ms: float,
    precision: str,
    *,
    flops: float | None = None,
    moved_bytes: float | None = None,
    launches: float = 0.0,
) -> Transfer:
    """The step on `to_card`. `flops` and `moved_bytes` (at fp32) are of one training step; either None: unknown.

    The band is a factor exp(error) on both sides; `transferred` needs the references of both cards.
    """
    if from_card.id == to_card.id:
        return _banded(step_ms, SAME_CARD_ERROR, "measured")
    basis = "transferred" if has_references(from_card) and has_references(to_card) else "estimated"
    c0 = launches * LAUNCH_MS
    if flops is not None and moved_bytes is not None and flops + moved_bytes > 0.0:
        before, after = (card_ms(card, precision, flops, moved_bytes) for card in (from_card, to_card))
        predicted = step_ms * (c0 + after) / (c0 + before)
    else:
        c0 = min(c0, step_ms)
        predicted = c0 + (step_ms - c0) * time_ratio(from_card, to_card, precision)
    return _banded(predicted, ERROR_SHARE[basis], basis)


def time_ratio(
    from_card: Card,
    to_card: Card,
    precision: str,
    mix: list[tuple[float, float]] | None = None,
    *,
    references: bool = True,
    fitted: Efficiencies = FITTED,
) -> float:
    """Time on `to_card` over time on `from_card`, launches aside: geometric mean over the (FLOP, bytes) of `mix`."""
    works = mix or [(RESNET50_FLOP, RESNET50_BYTES), (BERT_LARGE_FLOP, BERT_LARGE_BYTES)]
    logs = [
        math.log(
            card_ms(to_card, precision, *work, references=references, fitted=fitted)
            / card_ms(from_card, precision, *work, references=references, fitted=fitted)
        )
        for work in works
    ]
    return math.exp(math.fsum(logs) / len(logs))


def card_ms(
    card: Card,
    precision: str,
    flops: float,
    moved_bytes: float,
    *,
    references: bool = True,
    fitted: Efficiencies = FITTED,
) -> float:
    """T of one training step, ms; `moved_bytes` at fp32."""
    rates = card_rates(card, precision, fitted=fitted, references=references)
    return busy_ms(flops / rates.flop_per_ms, kept_bytes(moved_bytes, precision) / rates.bytes_per_ms)


def _banded(predicted_ms: float, error: float, basis: str) -> Transfer:
    return Transfer(predicted_ms, predicted_ms * math.exp(-error), predicted_ms * math.exp(error), basis)
