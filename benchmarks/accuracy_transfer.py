"""A step on another card: every ordered pair of cards of one software version, model and precision."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence

from accuracy_stats import Line, Point, errors_line, lowest, quantile

from hwcost.other_cards import KnownCards
from hwcost.rates import (
    BERT_LARGE_BYTES,
    BERT_LARGE_FLOP,
    FITTED,
    RESNET50_BYTES,
    RESNET50_FLOP,
    Efficiencies,
    card_rates,
    has_references,
    kept_bytes,
)
from hwcost.records import Card
from hwcost.steptime import ERROR_SHARE
from hwcost.transfer import time_ratio

WORK = {"resnet50": (RESNET50_FLOP, RESNET50_BYTES), "bert_large_squad": (BERT_LARGE_FLOP, BERT_LARGE_BYTES)}
# the containers' default is TF32 where the card has it
PRECISION = {"FP32": "tf32", "FP16": "amp16", "AMP": "amp16"}
OLDER = "v0"  # the series of which the catalog's reference throughputs are
Row = dict[str, str]
Pair = tuple[Row, Row]
Ratio = Callable[[Row, Row, Efficiencies], float]
TAIL_NOTE = (
    "the tail is 16 bit on two chips: the A100, which gains a fifth less from 16 bit than its references say, and the "
    "V100, whose older software (PyTorch 1.4) ran Transformer-XL in 16 bit at half the rate of the newer"
)


def transfer_lines(rows: list[Row], known: KnownCards) -> list[Line]:
    """Specifications only, then with the two reference throughputs, then a network that nothing was fitted to."""
    held = {row["card"]: _card(known, row["card"]) for row in rows}
    pairs = [(a, b) for a, b in itertools.permutations(rows, 2) if _comparable(a, b)]
    chips = sorted({_chip(row) for row in rows})

    def plain(a: Row, b: Row, fitted: Efficiencies) -> float:
        return _ratio(a, b, held, False, fitted)

    def added(a: Row, b: Row, fitted: Efficiencies) -> float:
        return _summed(a, b, held, fitted)

    def without(chip: str) -> list[Pair]:
        return [pair for pair in pairs if chip not in _chips(pair)]

    fits = {chip: _fit(without(chip), plain) for chip in chips}
    sums = {chip: _fit(without(chip), added) for chip in chips}

    def points(chosen: Sequence[Pair], references: bool) -> list[Point]:
        return [
            Point(_ratio(a, b, held, references, fits[_chip(b)]), _measured(a, b), f"{a['card']} > {b['card']}")
            for a, b in chosen
        ]  # fmt: skip

    with_both = [p for p in pairs if all(has_references(held[r["card"]]) for r in p)]
    # a reference of a card is not reported as a prediction of itself
    free = [p for p in with_both if not all(_is_reference(r) for r in p)]
    unseen = [p for p in pairs if p[0]["model"] not in WORK]
    taught = [p for p in pairs if p[0]["model"] in WORK]
    split = (
        "leave-card-out: four efficiencies fitted on pairs without the target card; FLOPs and bytes known for "
        "ResNet-50 and BERT-large, not for Transformer-XL"
    )
    off = [abs(math.log(added(a, b, sums[_chip(b)]) / _measured(a, b))) for a, b in pairs]
    by_sum = {"sum of compute and bandwidth": (quantile(off, 0.5), quantile(off, 0.9))}
    lines = [
        errors_line("time on another card, specifications only", split, points(pairs, False), goal=(0.13, 0.35),
                    rivals={**_rivals(pairs, held), **by_sum}, plot="transfer"),
        errors_line("the same with two reference throughputs per card", f"{split}; pairs of reference rows left out",
                    points(free, True), goal=(0.07, 0.22), rivals=_rivals(free, held), note=TAIL_NOTE),
    ]  # fmt: skip
    fitted, fitted_sum = _fit(taught, plain), _fit(taught, added)
    for title, references, chosen in (
        ("specifications only", False, unseen),
        ("two reference throughputs", True, [p for p in unseen if p in with_both]),
    ):
        found = [Point(_ratio(a, b, held, references, fitted), _measured(a, b)) for a, b in chosen]
        shipped = [abs(math.log(_ratio(a, b, held, references, FITTED) / _measured(a, b))) for a, b in chosen]
        band = ERROR_SHARE["transferred" if references else "estimated"]
        rivals = _rivals(chosen, held)
        if not references:
            off = [abs(math.log(added(a, b, fitted_sum) / _measured(a, b))) for a, b in chosen]
            rivals["sum of compute and bandwidth"] = (quantile(off, 0.5), quantile(off, 0.9))
        lines.append(errors_line(
            f"Transformer-XL on another card, {title}", "efficiencies fitted on ResNet-50 and BERT-large alone", found,
            rivals=rivals,
            note=f"the program's constants give {100 * quantile(shipped, 0.5):.1f} / {100 * quantile(shipped, 0.9):.1f}"
            f" %, and the band shown for this tier is {100 * band:.0f} %",
        ))  # fmt: skip
    return lines


def _card(known: KnownCards, name: str) -> Card:
    card = known.find(name)
    if card is None:
        raise LookupError(name)
    return card


def _chip(row: Row) -> str:
    """V100 with 16 and with 32 GB are one chip: held out together."""
    return row["card"].removesuffix("-16").removesuffix("-32")


def _chips(pair: Pair) -> set[str]:
    return {_chip(row) for row in pair}


def _comparable(a: Row, b: Row) -> bool:
    same = all(a[key] == b[key] for key in ("model", "precision"))
    return same and _chip(a) != _chip(b) and a["software"].split()[0] == b["software"].split()[0]


def _is_reference(row: Row) -> bool:
    return row["model"] in WORK and row["precision"] == "FP32" and row["software"].startswith(OLDER)


def _measured(a: Row, b: Row) -> float:
    return float(a["per_s"]) / float(b["per_s"])


def _ratio(a: Row, b: Row, held: dict[str, Card], references: bool, fitted: Efficiencies) -> float:
    work = WORK.get(a["model"])
    return time_ratio(
        held[a["card"]], held[b["card"]], PRECISION[a["precision"]], None if work is None else [work],
        references=references, fitted=fitted,
    )  # fmt: skip


def _summed(a: Row, b: Row, held: dict[str, Card], fitted: Efficiencies) -> float:
    """The ratio by the rival rule, from specifications: compute and bandwidth one after the other."""
    precision, logs = PRECISION[a["precision"]], []
    for flop, moved in [WORK[a["model"]]] if a["model"] in WORK else WORK.values():
        times = []
        for row in (a, b):
            rates = card_rates(held[row["card"]], precision, fitted=fitted, references=False)
            times.append(flop / rates.flop_per_ms + kept_bytes(moved, precision) / rates.bytes_per_ms)
        logs.append(math.log(times[1] / times[0]))
    return math.exp(math.fsum(logs) / len(logs))


def _fit(pairs: Sequence[Pair], ratio: Ratio) -> Efficiencies:
    half = [p for p in pairs if p[0]["card"] < p[1]["card"]]  # the other half mirrors it

    def efficiencies(logs: Sequence[float]) -> Efficiencies:
        fp32, tf32, tensor16, consumer = (math.exp(x) for x in logs)
        return Efficiencies(fp32, tf32, tensor16, consumer, FITTED.bandwidth)

    def cost(logs: Sequence[float]) -> float:
        fitted = efficiencies(logs)
        return math.fsum(math.sqrt(0.01 + math.log(ratio(a, b, fitted) / _measured(a, b)) ** 2) for a, b in half)

    start = [math.log(x) for x in (FITTED.fp32, FITTED.tf32, FITTED.tensor16, FITTED.tensor16_consumer)]
    return efficiencies(lowest(cost, start, [0.1] * 4, rounds=3))


def _rivals(pairs: Sequence[Pair], held: dict[str, Card]) -> dict[str, tuple[float, float]]:
    def off(rate: str) -> list[float]:
        found = []
        for a, b in pairs:
            source, target = held[a["card"]], held[b["card"]]
            bandwidth = source.bandwidth_gb_s / target.bandwidth_gb_s
            tensor = (source.tensor_fp16_tflops or source.fp32_tflops) / (
                target.tensor_fp16_tflops or target.fp32_tflops
            )
            predicted = {"bandwidth": bandwidth, "tensor": tensor, "both": math.sqrt(bandwidth * tensor)}[rate]
            found.append(abs(math.log(predicted / _measured(a, b))))
        return found

    names = {"bandwidth ratio": "bandwidth", "tensor ratio": "tensor", "geometric mean": "both"}
    return {name: (quantile(off(rate), 0.5), quantile(off(rate), 0.9)) for name, rate in names.items()}
