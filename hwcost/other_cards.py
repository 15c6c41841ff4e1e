"""Cards that nobody buys here but that measurements name: older ones, and modules that come with their machine.

They serve predictions alone (`hwcost predict`); the optimiser knows the catalog's cards.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from hwcost.errors import Problem
from hwcost.problems import nearest_match
from hwcost.records import Card, Catalog, Origin

SXM_CARDS = 8  # joined by NVLink on one board
WORDS_ANYBODY_LEAVES_OUT = frozenset(("nvidia", "geforce", "rtx", "gtx", "tesla", "quadro", "gpu", "generation"))
FORMS = frozenset(("pcie", "sxm", "blackwell", "ws", "one", "of", "two", "chips"))
MOST_GIB = 200  # a larger number is a model
OTHER_FORM = re.compile("laptop|mobile|max-q")  # the same number, another chip
# what the driver calls a card, where that says neither form nor memory
DRIVER_NAMES = {
    "nvidia h100 80gb hbm3": "h100-sxm5-80", "nvidia h200": "h200-sxm5-141",
    "nvidia rtx pro 6000 blackwell workstation edition": "rtx-pro-6000-blackwell-ws",
    "nvidia rtx pro 6000 blackwell max-q workstation edition": "rtx-pro-6000-blackwell-max-q",
}  # fmt: skip


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


# fmt: off
_ROWS = (
    _Row("p100-pcie-16", "Tesla P100 PCIe 16GB", "datacentre", "Pascal",
         16, 732, 9.3, None, None, 3, "NVIDIA data sheet Tesla P100"),
    _Row("v100-pcie-16", "Tesla V100 PCIe 16GB", "datacentre", "Volta",
         16, 900, 14, 112, None, 3, "NVIDIA data sheet Tesla V100"),
    _Row("v100-pcie-32", "Tesla V100 PCIe 32GB", "datacentre", "Volta",
         32, 900, 14, 112, None, 3, "NVIDIA data sheet Tesla V100"),
    _Row("v100-sxm2-16", "Tesla V100 SXM2 16GB", "datacentre", "Volta",
         16, 900, 15.7, 125, None, 3, "NVIDIA data sheet Tesla V100", 369.66, 12.42),
    _Row("v100-sxm2-32", "Tesla V100 SXM2 32GB", "datacentre", "Volta",
         32, 900, 15.7, 125, None, 3, "NVIDIA data sheet Tesla V100", 368.66, 12.361),
    _Row("a100-sxm4-40", "A100 SXM4 40GB", "datacentre", "Ampere",
         40, 1555, 19.5, 312, 156, 4, "NVIDIA data sheet A100"),
    _Row("a100-sxm4-80", "A100 SXM4 80GB", "datacentre", "Ampere",
         80, 2039, 19.5, 312, 156, 4, "NVIDIA data sheet A100"),
    _Row("h100-sxm5-80", "H100 SXM5 80GB", "datacentre", "Hopper",
         80, 3350, 66.9, 989.4, 494.7, 5, "NVIDIA data sheet H100 (dense rates)"),
    _Row("h200-sxm5-141", "H200 SXM5 141GB", "datacentre", "Hopper",
         141, 4800, 66.9, 989.4, 494.7, 5, "NVIDIA data sheet H200 (dense rates)"),
    _Row("a10g", "A10G", "datacentre", "Ampere", 24, 600, 31.2, 70, 35, 4, "NVIDIA data sheet A10G"),
    _Row("gtx-1080-ti", "GeForce GTX 1080 Ti", "consumer", "Pascal",
         11, 484, 11.3, None, None, 3, "NVIDIA product page"),
    _Row("rtx-2080-ti", "GeForce RTX 2080 Ti", "consumer", "Turing",
         11, 616, 13.4, 53.8, None, 3, "NVIDIA Turing whitepaper (FP32 accumulate)"),
    _Row("titan-v", "TITAN V", "workstation", "Volta", 12, 653, 14.9, 119, None, 3, "NVIDIA product page"),
    _Row("titan-rtx", "TITAN RTX", "workstation", "Turing",
         24, 672, 16.3, 130.5, None, 3, "NVIDIA Turing whitepaper"),
    _Row("quadro-rtx-5000", "Quadro RTX 5000", "workstation", "Turing",
         16, 448, 11.2, 89.2, None, 3, "NVIDIA data sheet"),
    _Row("quadro-rtx-6000", "Quadro RTX 6000", "workstation", "Turing",
         24, 672, 16.3, 130.5, None, 3, "NVIDIA Turing whitepaper"),
    _Row("quadro-rtx-8000", "Quadro RTX 8000", "workstation", "Turing",
         48, 672, 16.3, 130.5, None, 3, "NVIDIA Turing whitepaper"),
    _Row("rtx-3070", "GeForce RTX 3070", "consumer", "Ampere",
         8, 448, 20.3, 40.6, 20.3, 4, "NVIDIA GA102 whitepaper (FP32 accumulate)"),
    _Row("rtx-3080", "GeForce RTX 3080", "consumer", "Ampere",
         10, 760, 29.8, 59.5, 29.8, 4, "NVIDIA GA102 whitepaper (FP32 accumulate)"),
    _Row("rtx-3080-ti", "GeForce RTX 3080 Ti", "consumer", "Ampere",
         12, 912, 34.1, 68.2, 34.1, 4, "NVIDIA GA102 whitepaper (FP32 accumulate)"),
    _Row("rtx-4080", "GeForce RTX 4080", "consumer", "Ada Lovelace",
         16, 717, 48.7, 97.5, 48.7, 4, "NVIDIA Ada whitepaper (FP32 accumulate)"),
    _Row("k80", "Tesla K80 (one of two chips)", "datacentre", "Kepler",
         12, 240, 4.37, None, None, 3, "NVIDIA board specification Tesla K80"),
    _Row("m40-24", "Tesla M40 24GB", "datacentre", "Maxwell",
         24, 288, 6.8, None, None, 3, "NVIDIA data sheet Tesla M40"),
    _Row("p40", "Tesla P40", "datacentre", "Pascal", 24, 346, 12, None, None, 3, "NVIDIA data sheet Tesla P40"),
    _Row("quadro-gv100", "Quadro GV100", "workstation", "Volta",
         32, 870, 14.8, 118.5, None, 3, "NVIDIA data sheet Quadro GV100"),
    _Row("quadro-p6000", "Quadro P6000", "workstation", "Pascal",
         24, 432, 12.6, None, None, 3, "NVIDIA data sheet Quadro P6000"),
    _Row("quadro-rtx-4000", "Quadro RTX 4000", "workstation", "Turing",
         8, 416, 7.1, 57, None, 3, "NVIDIA data sheet Quadro RTX 4000"),
    _Row("rtx-a2000-12", "RTX A2000 12GB", "workstation", "Ampere",
         12, 288, 8, 32, 16, 4, "NVIDIA data sheet RTX A2000"),
    _Row("rtx-2000-ada", "RTX 2000 Ada", "workstation", "Ada Lovelace",
         16, 224, 12, 48, 24, 4, "NVIDIA data sheet RTX 2000 Ada"),
    _Row("titan-xp", "TITAN Xp", "workstation", "Pascal", 12, 547.7, 12.15, None, None, 3, "NVIDIA product page"),
    _Row("a2", "A2", "datacentre", "Ampere", 16, 200, 4.5, 18, 9, 4, "NVIDIA data sheet A2"),
    _Row("l20", "L20", "datacentre", "Ada Lovelace", 48, 864, 59.8, 119.5, 59.8, 4, "NVIDIA data sheet L20"),
    _Row("h20-96", "H20 96GB", "datacentre", "Hopper", 96, 4000, 44, 148, 74, 5, "NVIDIA data sheet H20"),
    _Row("a800-pcie-80", "A800 PCIe 80GB", "datacentre", "Ampere",
         80, 1935, 19.5, 312, 156, 4, "NVIDIA data sheet A800"),
    _Row("a800-sxm4-80", "A800 SXM4 80GB", "datacentre", "Ampere",
         80, 2039, 19.5, 312, 156, 4, "NVIDIA data sheet A800"),
    _Row("h800-sxm5-80", "H800 SXM5 80GB", "datacentre", "Hopper",
         80, 3350, 66.9, 989.4, 494.7, 5, "NVIDIA data sheet H800"),
    _Row("gh200-96", "GH200 96GB", "datacentre", "Hopper",
         96, 4000, 66.9, 989.4, 494.7, 5, "NVIDIA data sheet GH200 (dense rates)"),
    _Row("gtx-980m", "GeForce GTX 980M (laptop)", "consumer", "Maxwell",
         8, 160, 3.2, None, None, 3, "NVIDIA product page, base clock"),
    _Row("gtx-1060-laptop", "GeForce GTX 1060 (laptop)", "consumer", "Pascal",
         6, 192, 4.3, None, None, 3, "NVIDIA product page"),
    _Row("mx150", "GeForce MX150 (laptop)", "consumer", "Pascal", 2, 48, 1.2, None, None, 3, "NVIDIA product page"),
    _Row("gtx-1060", "GeForce GTX 1060", "consumer", "Pascal", 6, 192, 4.4, None, None, 3, "NVIDIA product page"),
    _Row("gtx-1070", "GeForce GTX 1070", "consumer", "Pascal", 8, 256, 6.5, None, None, 3, "NVIDIA product page"),
    _Row("gtx-1080", "GeForce GTX 1080", "consumer", "Pascal", 8, 320, 8.9, None, None, 3, "NVIDIA product page"),
    _Row("rtx-2060", "GeForce RTX 2060", "consumer", "Turing",
         6, 336, 6.5, 25.8, None, 3, "NVIDIA Turing whitepaper (FP32 accumulate)"),
    _Row("rtx-2070", "GeForce RTX 2070", "consumer", "Turing",
         8, 448, 7.5, 29.9, None, 3, "NVIDIA Turing whitepaper (FP32 accumulate)"),
    _Row("rtx-2080", "GeForce RTX 2080", "consumer", "Turing",
         8, 448, 10.1, 40.3, None, 3, "NVIDIA Turing whitepaper (FP32 accumulate)"),
    _Row("rtx-2080-super", "GeForce RTX 2080 SUPER", "consumer", "Turing",
         8, 496, 11.2, 44.6, None, 3, "NVIDIA Turing whitepaper (FP32 accumulate)"),
    _Row("rtx-3060", "GeForce RTX 3060", "consumer", "Ampere",
         12, 360, 12.7, 25.5, 12.7, 4, "NVIDIA GA102 whitepaper (FP32 accumulate)"),
    _Row("rtx-3060-ti", "GeForce RTX 3060 Ti", "consumer", "Ampere",
         8, 448, 16.2, 32.4, 16.2, 4, "NVIDIA GA102 whitepaper (FP32 accumulate)"),
    _Row("rtx-3070-ti", "GeForce RTX 3070 Ti", "consumer", "Ampere",
         8, 608, 21.7, 43.5, 21.7, 4, "NVIDIA GA102 whitepaper (FP32 accumulate)"),
    _Row("rtx-4070", "GeForce RTX 4070", "consumer", "Ada Lovelace",
         12, 504, 29.1, 58.3, 29.1, 4, "NVIDIA Ada whitepaper (FP32 accumulate)"),
    _Row("rtx-4070-ti", "GeForce RTX 4070 Ti", "consumer", "Ada Lovelace",
         12, 504, 40.1, 80.2, 40.1, 4, "NVIDIA Ada whitepaper (FP32 accumulate)"),
    _Row("rtx-4080-super", "GeForce RTX 4080 SUPER", "consumer", "Ada Lovelace",
         16, 736, 52.2, 104.4, 52.2, 4, "NVIDIA Ada whitepaper (FP32 accumulate)"),
    _Row("rtx-5070", "GeForce RTX 5070", "consumer", "Blackwell",
         12, 672, 30.9, 61.7, 30.9, 5, "NVIDIA Blackwell whitepaper (FP32 accumulate)"),
    _Row("rtx-5070-ti", "GeForce RTX 5070 Ti", "consumer", "Blackwell",
         16, 896, 43.9, 87.9, 43.9, 5, "NVIDIA Blackwell whitepaper (FP32 accumulate)"),
    _Row("rtx-5080", "GeForce RTX 5080", "consumer", "Blackwell",
         16, 960, 56.3, 112.6, 56.3, 5, "NVIDIA Blackwell whitepaper (FP32 accumulate)"),
)
# fmt: on


def other_cards() -> dict[str, Card]:
    """The cards by id."""
    return {row.id: _card(number, row) for number, row in enumerate(_ROWS, 1)}


class KnownCards:
    """Cards by what people call them: id, name, the driver's name, or either without maker, series and unit."""

    def __init__(self, catalog: Catalog, others: dict[str, Card]) -> None:
        cards = [*catalog.cards.values(), *(card for card in others.values() if card.id not in catalog.cards)]
        self.words = {word.lower(): card for card in reversed(cards) for word in (card.name, card.id)}
        self._parts: dict[frozenset[str], list[Card]] = {}
        for card in cards:
            for key in {_parts(card.id), _parts(card.name)}:
                self._parts.setdefault(key, []).append(card)

    def find(self, word: str) -> Card | None:
        """The card that `word` names; None where none or several could be meant."""
        alike = self.alike(word)
        rates = {(card.bandwidth_gb_s, card.fp32_tflops, card.tensor_fp16_tflops) for card in alike}
        return alike[0] if len(rates) == 1 else None

    def alike(self, word: str) -> list[Card]:
        """Every card that `word` may mean: "a100" comes in two sizes and two forms, "v100-sxm2" in two sizes.

        A word that says more than a size or a form names another card: "rtx-2080" is no RTX 2080 Ti.
        """
        named = word.strip().lower()
        exact = self.words.get(DRIVER_NAMES.get(named, named))
        if exact is not None:
            return [exact]
        # "RTX 3090 x8" and "8x RTX 4090" say how many, "RTX 4090 (48GB mod)" what else is known of it
        counted = re.sub(r"^\d+\s*x\s+|\s+x\s*\d+$", "", named)
        plain = named if OTHER_FORM.search(named) else re.sub(r"\([^)]*\)", "", counted)
        for parts in dict.fromkeys((_parts(named), _parts(counted), _parts(plain))):
            found = self._parts.get(parts) or [
                card for key, cards in self._parts.items() if parts and parts < key and _only_size(key - parts)
                for card in cards
            ]  # fmt: skip
            if found:
                return list({card.id: card for card in found}.values())
        return []

    def names(self) -> Iterable[str]:
        return self.words

    def problem(self, word: str, file: str, row: int | None = None, column: str = "") -> Problem:
        """Why `find` gives no card: several are meant, or none is known."""
        alike = self.alike(word)
        if alike:
            values = {"known": ", ".join(card.id for card in alike)}
            return Problem("card_several", file, "", row, column, word, values)
        values = {"nearest": nearest_match(word, self.words)}
        code = "card_unknown" if row is None else "predict_card_unknown"
        return Problem(code, file, "", row, column, word, values)


def _only_size(parts: frozenset[str]) -> bool:
    """Whether these words tell the memory or the form of a card, not another model."""
    return all(part in FORMS or (part.isdigit() and int(part) <= MOST_GIB) for part in parts)


def _parts(word: str) -> frozenset[str]:
    """Its words and numbers, without maker, series, unit and generation of a socket: "2080Ti" is 2080 and ti."""
    split = re.sub(r"(\d)(ti|super|ada|d)\b", r"\1 \2", re.sub(r"\b([rg]tx)(\d)", r"\1 \2", word.lower()))
    parts = (re.sub(r"^(\d+)gb?$", r"\1", part) for part in re.findall(r"[a-z0-9]+", split))
    return frozenset(re.sub(r"^(sxm|pcie)\d$", r"\1", part) for part in parts) - WORDS_ANYBODY_LEAVES_OUT


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
