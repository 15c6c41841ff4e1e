"""A step time measured on one card, carried over to another.

    T(card) = F/(peak*e_c) + Q/(BW*e_b)                   work on the card; its layers run one after the other
    predicted = step * (c0 + T(to)) / (c0 + T(from))      c0 = launches x 12 us, the host's, equal on every card

Each layer is bound by compute or by bandwidth, and a network has both kinds: their times add up. Only the ratio of two
cards matters here, so that what the formula misses in size cancels out. Without FLOPs and bytes the geometric mean of
ResNet-50 (bandwidth) and BERT-large (compute) stands for the network. Where both cards have reference throughputs of
these two, the ratio is corrected by what the references say, more by the one that the network resembles.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from hwcost.memory import SIXTEEN_BIT
from hwcost.records import Card
from hwcost.steptime import (
    BERT_LARGE_BYTES,
    BERT_LARGE_FLOP,
    CONVOLUTION_SHARE,
    LAUNCH_MS,
    MOVED_16BIT,
    REFERENCE_RANGE,
    RESNET50_BYTES,
    RESNET50_FLOP,
    SOFTWARE_GAIN_BERT_LARGE,
    SOFTWARE_GAIN_RESNET50,
)

# Shares of the data-sheet rates, for times that add up: fitted on 72 public throughputs of ResNet-50, BERT-large and
# Transformer-XL on eight cards (lambdal/deeplearning-benchmark@aa5addb6). benchmarks/accuracy.py fits them again
# without each card in turn and reports the error on that card.
FP32_EFFICIENCY = 0.52
TF32_EFFICIENCY = 0.215
TENSOR16_EFFICIENCY = 0.295
GEFORCE_TENSOR_FACTOR = 1.66  # GeForce prints half the tensor rate of the same chip but is fed as fast
BANDWIDTH_EFFICIENCY = 0.75
REFERENCE_WEIGHT_16BIT = 0.5  # an FP32 reference tells half as much of a 16-bit step, on a log scale
# 90th percentile of |ln(predicted/measured)| on Transformer-XL, to which nothing was fitted (100 pairs of cards)
ERROR = {"transferred": 0.42, "estimated": 0.47}
SAME_CARD_ERROR = 0.08  # two hosts with one type of card and one container differ by 5-8 %


@dataclass(frozen=True)
class Efficiencies:
    """Shares of the data-sheet rates that training reaches."""

    fp32: float = FP32_EFFICIENCY
    tf32: float = TF32_EFFICIENCY
    tensor16: float = TENSOR16_EFFICIENCY
    geforce: float = GEFORCE_TENSOR_FACTOR
    bandwidth: float = BANDWIDTH_EFFICIENCY


@dataclass(frozen=True)
class Transfer:
    """`low_ms` and `high_ms` hold nine of ten cases; `basis` is measured (same card), transferred or estimated."""

    predicted_ms: float
    low_ms: float
    high_ms: float
    basis: str


FITTED = Efficiencies()


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

    The band is a factor exp(error) on both sides.
    """
    if from_card.id == to_card.id:
        return _banded(step_ms, SAME_CARD_ERROR, "measured")
    basis = "transferred" if has_references(from_card) and has_references(to_card) else "estimated"
    known = flops is not None and moved_bytes is not None and flops + moved_bytes > 0.0
    mix = [(flops or 0.0, moved_bytes or 0.0)] if known else None
    ratio = time_ratio(from_card, to_card, precision, mix, references=basis == "transferred")
    c0 = launches * LAUNCH_MS
    if known and mix:
        work = card_ms(from_card, precision, *mix[0])
        predicted = step_ms * (c0 + work * ratio) / (c0 + work)
    else:
        c0 = min(c0, step_ms)
        predicted = c0 + (step_ms - c0) * ratio
    return _banded(predicted, ERROR[basis], basis)


def time_ratio(
    from_card: Card,
    to_card: Card,
    precision: str,
    mix: list[tuple[float, float]] | None = None,
    *,
    references: bool,
    fitted: Efficiencies = FITTED,
) -> float:
    """Time on `to_card` over time on `from_card`, launches aside: geometric mean over the (FLOP, bytes) of `mix`."""
    works = mix or [(RESNET50_FLOP, RESNET50_BYTES), (BERT_LARGE_FLOP, BERT_LARGE_BYTES)]
    logs = [
        math.log(card_ms(to_card, precision, *work, fitted) / card_ms(from_card, precision, *work, fitted))
        for work in works
    ]
    log = math.fsum(logs) / len(logs)
    if references:
        likeness = _likeness(*mix[0]) if mix else 0.5
        log += _correction(to_card, precision, likeness, fitted) - _correction(from_card, precision, likeness, fitted)
    return math.exp(log)


def card_ms(card: Card, precision: str, flops: float, moved_bytes: float, fitted: Efficiencies = FITTED) -> float:
    """F/(peak*e_c) + Q/(BW*e_b), ms; `moved_bytes` at fp32, of which 16-bit training moves 0.6."""
    moved = moved_bytes * (MOVED_16BIT if precision in SIXTEEN_BIT else 1.0)
    return flops / _flop_per_ms(card, precision, fitted) + moved / (card.bandwidth_gb_s * 1e6 * fitted.bandwidth)


def has_references(card: Card) -> bool:
    """Whether both reference throughputs of the card are known."""
    return card.resnet50_fp32_img_s is not None and card.bert_large_fp32_seq_s is not None


def _flop_per_ms(card: Card, precision: str, fitted: Efficiencies) -> float:
    fp32 = fitted.fp32 * card.fp32_tflops
    fed = fitted.geforce if card.segment == "consumer" else 1.0
    tf32 = max(fp32, fitted.tf32 * fed * (card.tensor_tf32_tflops or 0.0))
    sixteen = max(tf32, fitted.tensor16 * fed * (card.tensor_fp16_tflops or 0.0))
    tflops = {
        "fp32": fp32,
        "tf32": tf32,
        "torch_default": 1.0 / (CONVOLUTION_SHARE / tf32 + (1.0 - CONVOLUTION_SHARE) / fp32),
        "amp16": sixteen,
        "bf16": sixteen if card.bf16 else fp32,
    }[precision]
    return tflops * 1e9


def _correction(card: Card, precision: str, likeness: float, fitted: Efficiencies) -> float:
    """ln(measured/predicted) of the references; 0 without them. `likeness` 0: as ResNet-50, 1: as BERT-large."""
    if card.resnet50_fp32_img_s is None or card.bert_large_fp32_seq_s is None:
        return 0.0
    tf32 = card.tensor_tf32_tflops is not None  # the references of these cards are of older software, see steptime
    resnet = card.resnet50_fp32_img_s * (SOFTWARE_GAIN_RESNET50 if tf32 else 1.0)
    bert = card.bert_large_fp32_seq_s * (SOFTWARE_GAIN_BERT_LARGE if tf32 else 1.0)
    low, high = (math.log(x) for x in REFERENCE_RANGE)

    def off(per_s: float, flops: float, moved: float) -> float:
        return min(max(math.log(1e3 / per_s / card_ms(card, "tf32", flops, moved, fitted)), low), high)

    by_resnet, by_bert = off(resnet, RESNET50_FLOP, RESNET50_BYTES), off(bert, BERT_LARGE_FLOP, BERT_LARGE_BYTES)
    weight = REFERENCE_WEIGHT_16BIT if precision in SIXTEEN_BIT else 1.0
    return weight * ((1.0 - likeness) * by_resnet + likeness * by_bert)


def _likeness(flops: float, moved_bytes: float) -> float:
    """Where FLOP per byte lies between ResNet-50 (0) and BERT-large (1), on a log scale; the ends hold beyond."""
    if moved_bytes <= 0.0 or flops <= 0.0:
        return 1.0 if flops > 0.0 else 0.0
    low, high = math.log(RESNET50_FLOP / RESNET50_BYTES), math.log(BERT_LARGE_FLOP / BERT_LARGE_BYTES)
    return min(max((math.log(flops / moved_bytes) - low) / (high - low), 0.0), 1.0)


def _banded(predicted_ms: float, error: float, basis: str) -> Transfer:
    return Transfer(predicted_ms, predicted_ms * math.exp(-error), predicted_ms * math.exp(error), basis)
