"""A step on another card: every ordered pair of cards of one software version, model and precision."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

from accuracy_stats import Line, Point, errors_line, lowest, quantile

from hwcost.other_cards import KnownCards
from hwcost.records import Card
from hwcost.steptime import (
    BERT_LARGE_BYTES,
    BERT_LARGE_FLOP,
    ERROR_SHARE,
    MOVED_16BIT,
    RESNET50_BYTES,
    RESNET50_FLOP,
    card_rates,
)
from hwcost.transfer import FITTED, Efficiencies, has_references, time_ratio

WORK = {"resnet50": (RESNET50_FLOP, RESNET50_BYTES), "bert_large_squad": (BERT_LARGE_FLOP, BERT_LARGE_BYTES)}
# the containers' default is TF32 where the card has it
PRECISION = {"FP32": "tf32", "FP16": "amp16", "AMP": "amp16"}
OLDER = "v0"  # the series of which the catalog's reference throughputs are
Row = dict[str, str]
Pair = tuple[Row, Row]
V100_NOTE = (
    "the tail is the V100: its older software (PyTorch 1.4) ran Transformer-XL in 16 bit at half the rate of the newer"
)


def transfer_lines(rows: list[Row], known: KnownCards) -> list[Line]:
    """Specifications only, then with the two reference throughputs, then a network that nothing was fitted to."""
    held = {row["card"]: _card(known, row["card"]) for row in rows}
    pairs = [(a, b) for a, b in itertools.permutations(rows, 2) if _comparable(a, b)]
    fits = {name: _fit([p for p in pairs if name not in _chips(p)], held) for name in sorted({_chip(r) for r in rows})}

    def points(chosen: Sequence[Pair], references: bool) -> list[Point]:
        return [
            Point(_ratio(a, b, held, references, fits[_chip(b)]), _measured(a, b), f"{a['card']} > {b['card']}")
            for a, b in chosen
        ]  # fmt: skip

    with_both = [p for p in pairs if all(has_references(held[r["card"]]) for r in p)]
    # a reference of a card is not reported as a prediction of itself
    free = [p for p in with_both if not all(_is_reference(r) for r in p)]
    unseen = [p for p in pairs if p[0]["model"] not in WORK]
    without = _fit([p for p in pairs if p[0]["model"] in WORK], held)
    split = (
        "leave-card-out: four efficiencies fitted on pairs without the target card; FLOPs and bytes known for "
        "ResNet-50 and BERT-large, not for Transformer-XL"
    )
    lines = [
        errors_line("time on another card, specifications only", split, points(pairs, False), goal=(0.13, 0.35),
                    rivals=_rivals(pairs, held), plot="transfer"),
        errors_line("the same with two reference throughputs per card", f"{split}; pairs of reference rows left out",
                    points(free, True), goal=(0.07, 0.22), rivals=_rivals(free, held), note=V100_NOTE),
    ]  # fmt: skip
    for title, references, chosen in (
        ("specifications only", False, unseen),
        ("two reference throughputs", True, [p for p in unseen if p in with_both]),
    ):
        found = [Point(_ratio(a, b, held, references, without), _measured(a, b)) for a, b in chosen]
        lines.append(errors_line(
            f"Transformer-XL on another card, {title}", "efficiencies fitted on ResNet-50 and BERT-large alone", found,
            rivals=_rivals(chosen, held), note=V100_NOTE,
        ))  # fmt: skip
        planned = [Point(_planned(a, b, held, references), _measured(a, b)) for a, b in chosen]
        lines.append(errors_line(
            f"the same by the plan's step time, {title}",
            f"rates fitted on ResNet-50 and BERT-large alone; the band shown for this tier is "
            f"{ERROR_SHARE['transferred' if references else 'estimated']:.0%}".replace("%", " %"), planned,
            rivals=_rivals(chosen, held),
        ))  # fmt: skip
    return lines


def _planned(a: Row, b: Row, held: dict[str, Card], references: bool) -> float:
    """The ratio by `steptime`: the slower of compute and bandwidth, mean over the two reference networks."""
    precision, logs = PRECISION[a["precision"]], []
    for flop, moved in WORK.values():
        times = []
        for row in (a, b):
            card = held[row["card"]]
            if not references:
                card = replace(card, resnet50_fp32_img_s=None, bert_large_fp32_seq_s=None)
            rates = card_rates(card, precision)
            kept = MOVED_16BIT if precision == "amp16" else 1.0
            times.append(max(flop / rates.flop_per_ms, kept * moved / rates.bytes_per_ms))
        logs.append(math.log(times[1] / times[0]))
    return math.exp(math.fsum(logs) / len(logs))


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


def _fit(pairs: Sequence[Pair], held: dict[str, Card]) -> Efficiencies:
    half = [p for p in pairs if p[0]["card"] < p[1]["card"]]  # the other half mirrors it

    def efficiencies(logs: Sequence[float]) -> Efficiencies:
        fp32, tf32, tensor16, geforce = (math.exp(x) for x in logs)
        return Efficiencies(fp32, tf32, tensor16, geforce, FITTED.bandwidth)

    def cost(logs: Sequence[float]) -> float:
        fitted = efficiencies(logs)
        return math.fsum(
            math.sqrt(0.01 + math.log(_ratio(a, b, held, False, fitted) / _measured(a, b)) ** 2) for a, b in half
        )

    start = [math.log(x) for x in (FITTED.fp32, FITTED.tf32, FITTED.tensor16, FITTED.geforce)]
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
