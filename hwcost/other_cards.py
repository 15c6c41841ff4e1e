"""Cards that nobody buys here but that measurements name: older ones, and modules that come with their machine.

They serve predictions alone (`hwcost predict`); the optimiser knows the catalog's cards.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from hwcost.records import Card, Catalog, Origin

SXM_CARDS = 8  # joined by NVLink on one board
WORDS_ANYBODY_LEAVES_OUT = frozenset(("nvidia", "geforce", "rtx", "tesla", "quadro", "gpu"))


@dataclass(frozen=True)
class _Row:
    """Data-sheet figures; tensor rates dense, 16-bit with fp32 accumulation. References are FP32, images and
    sequences a second (lambdal/deeplearning-benchmark@aa5addb6)."""

    id: str
    name: str
    segment: str
    architecture: str
    memory_gib: float
    bandwidth_gb_s: float
    fp32_tflops: float
    tensor_fp16_tflops: float | None
    tensor_tf32_tflops: float | None
    pcie_gen: int
    source: str
    resnet50_fp32_img_s: float | None = None
    bert_large_fp32_seq_s: float | None = None


_ROWS = (
    _Row(
        "p100-pcie-16",
        "Tesla P100 PCIe 16GB",
        "datacentre",
        "Pascal",
        16,
        732,
        9.3,
        None,
        None,
        3,
        "NVIDIA data sheet Tesla P100",
    ),
    _Row(
        "v100-pcie-16",
        "Tesla V100 PCIe 16GB",
        "datacentre",
        "Volta",
        16,
        900,
        14,
        112,
        None,
        3,
        "NVIDIA data sheet Tesla V100",
    ),
    _Row(
        "v100-pcie-32",
        "Tesla V100 PCIe 32GB",
        "datacentre",
        "Volta",
        32,
        900,
        14,
        112,
        None,
        3,
        "NVIDIA data sheet Tesla V100",
    ),
    _Row(
        "v100-sxm2-16",
        "Tesla V100 SXM2 16GB",
        "datacentre",
        "Volta",
        16,
        900,
        15.7,
        125,
        None,
        3,
        "NVIDIA data sheet Tesla V100",
        369.66,
        12.42,
    ),
    _Row(
        "v100-sxm2-32",
        "Tesla V100 SXM2 32GB",
        "datacentre",
        "Volta",
        32,
        900,
        15.7,
        125,
        None,
        3,
        "NVIDIA data sheet Tesla V100",
        368.66,
        12.361,
    ),
    _Row(
        "a100-sxm4-40", "A100 SXM4 40GB", "datacentre", "Ampere", 40, 1555, 19.5, 312, 156, 4, "NVIDIA data sheet A100"
    ),
    _Row(
        "a100-sxm4-80", "A100 SXM4 80GB", "datacentre", "Ampere", 80, 2039, 19.5, 312, 156, 4, "NVIDIA data sheet A100"
    ),
    _Row(
        "h100-sxm5-80",
        "H100 SXM5 80GB",
        "datacentre",
        "Hopper",
        80,
        3350,
        66.9,
        989.4,
        494.7,
        5,
        "NVIDIA data sheet H100 (dense rates)",
    ),
    _Row(
        "h200-sxm5-141",
        "H200 SXM5 141GB",
        "datacentre",
        "Hopper",
        141,
        4800,
        66.9,
        989.4,
        494.7,
        5,
        "NVIDIA data sheet H200 (dense rates)",
    ),
    _Row("a10g", "A10G", "datacentre", "Ampere", 24, 600, 31.2, 70, 35, 4, "NVIDIA data sheet A10G"),
    _Row(
        "gtx-1080-ti", "GeForce GTX 1080 Ti", "consumer", "Pascal", 11, 484, 11.3, None, None, 3, "NVIDIA product page"
    ),
    _Row(
        "rtx-2080-ti",
        "GeForce RTX 2080 Ti",
        "consumer",
        "Turing",
        11,
        616,
        13.4,
        53.8,
        None,
        3,
        "NVIDIA Turing whitepaper (FP32 accumulate)",
    ),
    _Row("titan-v", "TITAN V", "workstation", "Volta", 12, 653, 14.9, 119, None, 3, "NVIDIA product page"),
    _Row("titan-rtx", "TITAN RTX", "workstation", "Turing", 24, 672, 16.3, 130.5, None, 3, "NVIDIA Turing whitepaper"),
    _Row(
        "quadro-rtx-5000", "Quadro RTX 5000", "workstation", "Turing", 16, 448, 11.2, 89.2, None, 3, "NVIDIA data sheet"
    ),
    _Row(
        "quadro-rtx-6000",
        "Quadro RTX 6000",
        "workstation",
        "Turing",
        24,
        672,
        16.3,
        130.5,
        None,
        3,
        "NVIDIA Turing whitepaper",
    ),
    _Row(
        "quadro-rtx-8000",
        "Quadro RTX 8000",
        "workstation",
        "Turing",
        48,
        672,
        16.3,
        130.5,
        None,
        3,
        "NVIDIA Turing whitepaper",
    ),
    _Row(
        "rtx-3070",
        "GeForce RTX 3070",
        "consumer",
        "Ampere",
        8,
        448,
        20.3,
        40.6,
        20.3,
        4,
        "NVIDIA GA102 whitepaper (FP32 accumulate)",
    ),
    _Row(
        "rtx-3080",
        "GeForce RTX 3080",
        "consumer",
        "Ampere",
        10,
        760,
        29.8,
        59.5,
        29.8,
        4,
        "NVIDIA GA102 whitepaper (FP32 accumulate)",
    ),
    _Row(
        "rtx-3080-ti",
        "GeForce RTX 3080 Ti",
        "consumer",
        "Ampere",
        12,
        912,
        34.1,
        68.2,
        34.1,
        4,
        "NVIDIA GA102 whitepaper (FP32 accumulate)",
    ),
    _Row(
        "rtx-4080",
        "GeForce RTX 4080",
        "consumer",
        "Ada Lovelace",
        16,
        717,
        48.7,
        97.5,
        48.7,
        4,
        "NVIDIA Ada whitepaper (FP32 accumulate)",
    ),
)


def other_cards() -> dict[str, Card]:
    """The cards by id."""
    return {row.id: _card(number, row) for number, row in enumerate(_ROWS, 1)}


class KnownCards:
    """Cards by what people call them: id, name, or both without maker, series and unit ("A5500", "a100-pcie-40")."""

    def __init__(self, catalog: Catalog, others: dict[str, Card]) -> None:
        cards = [*catalog.cards.values(), *(card for card in others.values() if card.id not in catalog.cards)]
        self.words = {word.lower(): card for card in reversed(cards) for word in (card.name, card.id)}
        self._parts: dict[frozenset[str], list[Card]] = {}
        for card in cards:
            for key in {_parts(card.id), _parts(card.name)}:
                self._parts.setdefault(key, []).append(card)

    def find(self, word: str) -> Card | None:
        """The card that `word` names; None where none or several could be meant."""
        exact = self.words.get(word.strip().lower())
        if exact is not None:
            return exact
        parts = _parts(word)
        alike = self._parts.get(parts, [])
        if not alike and parts:  # "v100-sxm2": every size of it, where they compute alike
            alike = [card for key, cards in self._parts.items() if parts < key for card in cards]
            rates = {(card.bandwidth_gb_s, card.fp32_tflops, card.tensor_fp16_tflops) for card in alike}
            return alike[0] if len(rates) == 1 else None
        return alike[0] if len(alike) == 1 else None

    def names(self) -> Iterable[str]:
        return self.words


def _parts(word: str) -> frozenset[str]:
    """Its words and numbers, without maker, series, unit and generation of a socket: "2080Ti" is 2080 and ti."""
    split = re.sub(r"(\d)(ti|super)\b", r"\1 \2", word.lower())
    parts = (re.sub(r"^(\d+)gb$", r"\1", part) for part in re.findall(r"[a-z0-9]+", split))
    return frozenset(re.sub(r"^sxm\d$", "sxm", part) for part in parts) - WORDS_ANYBODY_LEAVES_OUT


def _card(number: int, row: _Row) -> Card:
    return Card(
        id=row.id, name=row.name, vendor="NVIDIA", segment=row.segment, architecture=row.architecture,
        compute_capability=None, memory_gib=row.memory_gib, usable_mib=None, memory_type="", ecc="none",
        bandwidth_gb_s=row.bandwidth_gb_s, fp32_tflops=row.fp32_tflops, tensor_fp16_tflops=row.tensor_fp16_tflops,
        tensor_tf32_tflops=row.tensor_tf32_tflops, bf16=row.tensor_tf32_tflops is not None, tdp_w=0.0, idle_w=0.0,
        slot_width=0, length_mm=None, cooling="", power_connector="", power_connectors=0, pcie_gen=row.pcie_gen,
        pcie_lanes=16, nvlink_gb_s=None, nvlink_max_cards=SXM_CARDS if "sxm" in row.id else 0,
        p2p=row.segment != "consumer", datacentre_licensed=None, pytorch_current=None,
        resnet50_fp32_img_s=row.resnet50_fp32_img_s, bert_large_fp32_seq_s=row.bert_large_fp32_seq_s,
        warranty_years=None, notes="",
        origin=Origin("other_cards", number, "bundled", row.source, None, "specification"),
    )  # fmt: skip
