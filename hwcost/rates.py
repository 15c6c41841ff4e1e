"""What a card delivers in training, and how compute and bandwidth together take their time.

    time in which the card works = max(F/(peak*e_c), Q/(BW*e_b))

One rule for every prediction of the program: steps of a plan (`steptime.py`) and steps carried over from another card
(`transfer.py`). The sum of the two was tried beside it: fitted without the card in question it is nearer on ResNet-50
and BERT-large by specifications alone, and further off on a network that nothing was fitted to and wherever reference
throughputs are known (`docs/accuracy.md`).

e_c and e_b are shares of the data sheet. Where a card's two reference throughputs are known, the rates are scaled by
measured / predicted: BERT-large tells of the compute rate, ResNet-50 of whatever the formula says bounds it there.
"""

from __future__ import annotations

from dataclasses import dataclass

from hwcost.memory import SIXTEEN_BIT, inline_ecc_on
from hwcost.records import Card

# Shares of the data-sheet rates reached in training, fitted on 50 public throughputs of ResNet-50 and BERT-large on
# eight cards (lambdal/deeplearning-benchmark@aa5addb6): error 10 % median, 28 % at the 90th percentile on those rows;
# with the two FP32 references of a card, 6 % and 9 % on the ten 16-bit rows of the newer software.
FP32_EFFICIENCY = 0.50
TF32_EFFICIENCY = 0.25
TENSOR16_EFFICIENCY = 0.30
TENSOR16_EFFICIENCY_CONSUMER = 0.48  # GeForce prints half the tensor rate of the same chip but is fed as fast
BANDWIDTH_EFFICIENCY = 0.75
CONVOLUTION_SHARE = 0.5  # of FLOPs: PyTorch's default gives TF32 to convolutions, not to matrix products
MOVED_16BIT = 0.60  # bytes moved under autocast, of those at fp32

# The two reference workloads by which a card's own efficiency is known: training FLOPs and bytes per sample.
RESNET50_FLOP, RESNET50_BYTES = 3 * 8.2e9, 1.25e9  # 224 x 224; 4.1 GMAC forward
BERT_LARGE_FLOP, BERT_LARGE_BYTES = 3 * 247e9, 10e9  # 384 tokens: 2*303e6*384 + 24 layers of 4*384^2*1024
# The catalog's references are of the first log series (PyTorch 1.7-1.10, TF32 where the card has it); the rates above
# are of the second (1.13), which ran the same three TF32 cards this much faster, and a V100 no faster at all.
SOFTWARE_GAIN_RESNET50, SOFTWARE_GAIN_BERT_LARGE = 1.149, 1.384
REFERENCE_RANGE = (0.5, 2.0)  # a reference further off than this is a fault of the row, not of the card
REFERENCE_WEIGHT_16BIT = 0.5  # an FP32 reference tells half as much of a 16-bit tensor unit, on a log scale


@dataclass(frozen=True)
class Efficiencies:
    """Shares of the data-sheet rates that training reaches."""

    fp32: float = FP32_EFFICIENCY
    tf32: float = TF32_EFFICIENCY
    tensor16: float = TENSOR16_EFFICIENCY
    tensor16_consumer: float = TENSOR16_EFFICIENCY_CONSUMER
    bandwidth: float = BANDWIDTH_EFFICIENCY


FITTED = Efficiencies()


@dataclass(frozen=True)
class CardRates:
    """What a card delivers in training at one precision: FLOP/ms and bytes/ms, efficiencies included."""

    flop_per_ms: float
    bytes_per_ms: float
    evidence: str


def busy_ms(compute_ms: float, bandwidth_ms: float) -> float:
    """Time in which the card works: the longer of the two hides the other."""
    return max(compute_ms, bandwidth_ms)


def kept_bytes(moved_bytes: float, precision: str) -> float:
    """Bytes moved at this precision, of those at fp32."""
    return moved_bytes * (MOVED_16BIT if precision in SIXTEEN_BIT else 1.0)


def has_references(card: Card) -> bool:
    """Whether both reference throughputs of the card are known."""
    return card.resnet50_fp32_img_s is not None and card.bert_large_fp32_seq_s is not None


def card_rates(
    card: Card,
    precision: str,
    ecc_required: bool = False,
    *,
    fitted: Efficiencies = FITTED,
    references: bool = True,
) -> CardRates:
    """Rates of `card` at `precision`; a card without the precision's unit falls back to its FP32 rate.

    `references` False: by its specifications alone. Evidence is `transferred` with references, else `estimated`.
    """
    flop = _flop_per_ms(card, precision, fitted)
    moved = card.bandwidth_gb_s * 1e6 * fitted.bandwidth
    if ecc_required and inline_ecc_on(card, True) and not inline_ecc_on(card, False):
        moved *= 15.0 / 16.0  # check bits travel on the same bus
    if not references or card.resnet50_fp32_img_s is None or card.bert_large_fp32_seq_s is None:
        return CardRates(flop, moved, "estimated")
    compute_factor, bandwidth_factor = _reference_factors(
        card, card.resnet50_fp32_img_s, card.bert_large_fp32_seq_s, fitted
    )
    if flop > _flop_per_ms(card, "tf32", fitted):
        compute_factor **= REFERENCE_WEIGHT_16BIT
    return CardRates(flop * compute_factor, moved * bandwidth_factor, "transferred")


def _flop_per_ms(card: Card, precision: str, fitted: Efficiencies) -> float:
    fp32 = fitted.fp32 * card.fp32_tflops
    tf32 = max(fp32, fitted.tf32 * (card.tensor_tf32_tflops or 0.0))
    tensor_share = fitted.tensor16_consumer if card.segment == "consumer" else fitted.tensor16
    sixteen = max(tf32, tensor_share * (card.tensor_fp16_tflops or 0.0))
    tflops = {
        "fp32": fp32,
        "tf32": tf32,
        "torch_default": 1.0 / (CONVOLUTION_SHARE / tf32 + (1.0 - CONVOLUTION_SHARE) / fp32),
        "amp16": sixteen,
        "bf16": sixteen if card.bf16 else fp32,
    }[precision]
    return tflops * 1e9


def _reference_factors(
    card: Card, resnet50_img_s: float, bert_large_seq_s: float, fitted: Efficiencies
) -> tuple[float, float]:
    """(compute, bandwidth) factors measured / predicted. The public FP32 rows ran with TF32 where the card has it."""
    flop = _flop_per_ms(card, "tf32", fitted)
    moved = card.bandwidth_gb_s * 1e6 * fitted.bandwidth
    if card.tensor_tf32_tflops is not None:
        resnet50_img_s, bert_large_seq_s = (
            resnet50_img_s * SOFTWARE_GAIN_RESNET50,
            bert_large_seq_s * SOFTWARE_GAIN_BERT_LARGE,
        )

    def measured_over_predicted(per_s: float, flops: float, moved_bytes: float) -> float:
        predicted_ms = busy_ms(flops / flop, moved_bytes / moved)
        low, high = REFERENCE_RANGE
        return min(max(per_s / 1e3 * predicted_ms, low), high)

    by_bert = measured_over_predicted(bert_large_seq_s, BERT_LARGE_FLOP, BERT_LARGE_BYTES)
    by_resnet = measured_over_predicted(resnet50_img_s, RESNET50_FLOP, RESNET50_BYTES)
    if RESNET50_FLOP / flop > RESNET50_BYTES / moved:  # no TF32: both references are bound by compute
        return (by_bert * by_resnet) ** 0.5, 1.0
    return by_bert, by_resnet
