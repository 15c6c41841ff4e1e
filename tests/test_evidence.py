"""Predictions against a small set of public measurements, each entered here with its source."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path
from statistics import median

import pytest
from prediction_rows import link

from hwcost.catalog import load_catalog
from hwcost.memory import peak_memory
from hwcost.other_cards import KnownCards, other_cards
from hwcost.scaling import TYPICAL_OVERLAP, TYPICAL_STEP_CV, all_reduce_ms, data_parallel, find_link
from hwcost.transfer import time_ratio

ROOT = Path(__file__).resolve().parent.parent
# lambdal/deeplearning-benchmark@aa5addb6: parameters
BERT_LARGE, BERT_BASE = 335_150_082.0, 109_483_778.0
# RTX 3090 hosts that stage through memory: parameters, gradient bytes, cards, step on one card (ms), efficiency
STAGED = (
    (BERT_BASE, 2, 2, 311.66, 0.8607), (BERT_BASE, 2, 4, 311.66, 0.7008), (BERT_BASE, 2, 8, 311.66, 0.4507),
    (BERT_BASE, 4, 2, 355.10, 0.7494), (BERT_BASE, 4, 4, 355.10, 0.4888), (BERT_BASE, 4, 8, 355.10, 0.2631),
    (BERT_LARGE, 2, 2, 328.55, 0.6608), (BERT_LARGE, 2, 4, 328.55, 0.3505), (BERT_LARGE, 2, 8, 328.55, 0.1775),
    (BERT_LARGE, 4, 2, 461.30, 0.5291), (BERT_LARGE, 4, 4, 461.30, 0.2353), (BERT_LARGE, 4, 8, 461.30, 0.1164),
)  # fmt: skip
MAXIMA = {2: 0.5642, 4: 1.0294, 8: 1.4236}  # expected maximum of N normals, from tables


def staged_bandwidth(without: int) -> float:
    """GB/s for 600 MB on as many cards as that row, by ln BW = a + p ln(2/N) through the eleven other staged runs.

    Each is first brought to 600 MB by the fourth root of its gradient bytes.
    """
    points = []
    for i, (params, sent, cards, step, efficiency) in enumerate(STAGED):
        if i != without:
            exposed = step / efficiency - step * (1 + 0.0175 * MAXIMA[cards])
            volume = 2 * (cards - 1) / cards * params * sent
            at_600_mb = volume / exposed / 1e6 * (params * sent / 600e6) ** 0.25
            points.append((math.log(2 / cards), math.log(at_600_mb)))
    mean_x, mean_y = (sum(p[k] for p in points) / len(points) for k in (0, 1))
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)
    return math.exp(mean_y + slope * (math.log(2 / STAGED[without][2]) - mean_x))


def test_bert_large_on_four_staged_3090_is_met_by_a_link_fitted_without_it() -> None:
    held_out = STAGED.index((BERT_LARGE, 4, 4, 461.30, 0.2353))
    row = link("pcie_host_staged", 4, staged_bandwidth(held_out), 30)
    found = data_parallel(461.30, BERT_LARGE, 4, 4, row, overlap=TYPICAL_OVERLAP, step_cv=TYPICAL_STEP_CV)
    assert found.efficiency == pytest.approx(0.2353, abs=0.025)
    bundled = find_link(load_catalog().links, "pcie_host_staged", 4, 4)
    assert bundled is not None
    assert bundled.bus_bandwidth_gb_s == pytest.approx(row.bus_bandwidth_gb_s, rel=0.15)


@pytest.mark.parametrize("held_out", range(len(STAGED)))
def test_every_staged_run_is_met_without_itself(held_out: int) -> None:
    params, sent, cards, step, measured = STAGED[held_out]
    row = link("pcie_host_staged", cards, staged_bandwidth(held_out), 30)
    found = data_parallel(step, params, sent, cards, row, overlap=0.0, step_cv=TYPICAL_STEP_CV)
    assert found.efficiency == pytest.approx(measured, abs=0.05)


@pytest.mark.parametrize("gb_s", [22.0, 25.8])  # the link table's; four RTX 4090 with peer-to-peer, measured elsewhere
def test_bert_large_on_four_a5500_is_met_by_the_same_model(gb_s: float) -> None:
    row = link("pcie_p2p", 4, gb_s, 14)
    found = data_parallel(407.61, BERT_LARGE, 4, 4, row, overlap=TYPICAL_OVERLAP, step_cv=TYPICAL_STEP_CV)
    assert found.efficiency == pytest.approx(0.8191, abs=0.05)


# same source, step in ms: cards with bridges on pairs
@pytest.mark.parametrize(
    ("cards", "step", "measured"),
    [(4, 688.0, 0.9216), (8, 688.0, 0.8854), (4, 413.11, 0.9016), (8, 413.11, 0.8595)],  # RTX A6000, A100 PCIe
)
def test_bridged_pairs_scale_better_than_a_single_ring_over_pcie(cards: int, step: float, measured: float) -> None:
    links = load_catalog().links
    bridged, plain = (
        data_parallel(
            step,
            BERT_LARGE,
            4,
            cards,
            find_link(links, name, cards, 4),
            overlap=TYPICAL_OVERLAP,
            step_cv=TYPICAL_STEP_CV,
        ).efficiency
        for name in ("pcie_p2p_with_pair_bridges", "pcie_p2p")
    )
    assert bridged == pytest.approx(measured, abs=0.05)
    assert abs(plain - measured) > abs(bridged - measured)


# rcgsheffield/sheffield_hpc@f60c6e60, four V100 PCIe in one switch group, 128 MiB: 9.4 to 11.2 GB/s of bus bandwidth
@pytest.mark.parametrize("gb_s", [9.406, 9.434, 11.164])
def test_a_large_all_reduce_takes_as_long_as_the_link_table_says(gb_s: float) -> None:
    row = find_link(load_catalog().links, "pcie_p2p", 4, 3)
    assert row is not None
    measured = 1.5 * 128 * 2**20 / (gb_s * 1e6)
    assert abs(math.log(all_reduce_ms(128 * 2**20, 4, row) / measured)) < 0.20


# lambdal/deeplearning-benchmark@aa5addb6, PyTorch 1.13: Transformer-XL, thousand tokens a second, FP32 (TF32) and FP16
TRANSFORMER_XL = {
    "rtx-3090": (12.10, 22.86), "rtx-4090": (22.75, 40.43), "rtx-a6000": (14.50, 26.03),
    "a100-pcie-40": (23.19, 35.37), "v100-sxm2-16": (6.92, 18.49),
}  # fmt: skip


@pytest.mark.parametrize(("references", "most"), [(False, 0.20), (True, 0.15)])
def test_an_unknown_network_is_carried_to_another_card(references: bool, most: float) -> None:
    known = KnownCards(load_catalog(), other_cards())
    errors = []
    for column, precision in ((0, "tf32"), (1, "amp16")):
        for a, figures in TRANSFORMER_XL.items():
            for b, others in TRANSFORMER_XL.items():
                source, target = known.find(a), known.find(b)
                assert source is not None
                assert target is not None
                if a != b:
                    ratio = time_ratio(source, target, precision, references=references)
                    errors.append(abs(math.log(ratio * others[column] / figures[column])))
    assert len(errors) == 40
    assert median(errors) < most


# Peaks: itu-rad/GPUMemNet@f01eb059 (fp32). Parameters, saved bytes and largest saved tensor a sample: the models' own
# code, see benchmarks/evidence/README.md. Model, parameters, saved, largest, batch, MiB.
PEAKS = (
    ("resnet50", 25_557_032, 86_019_754, 3_211_264, 8, 2875),
    ("resnet50", 25_557_032, 86_019_754, 3_211_264, 128, 15169),
    ("vit_base_patch16_224", 86_567_656, 118_180_242, 2_420_736, 8, 3491),
    ("vit_base_patch16_224", 86_567_656, 118_180_242, 2_420_736, 64, 10197),
    ("swin_tiny_patch4_window7_224", 28_288_354, 106_638_226, 4_816_896, 16, 3965),
    ("swin_tiny_patch4_window7_224", 28_288_354, 106_638_226, 4_816_896, 64, 9431),
    ("efficientnet_b0", 5_288_548, 88_276_938, 4_816_896, 8, 2587),
    ("efficientnet_b0", 5_288_548, 88_276_938, 4_816_896, 64, 7931),
    ("mobilenetv3_large_100", 5_483_032, 44_161_642, 3_211_264, 16, 2651),
    ("mobilenetv3_large_100", 5_483_032, 44_161_642, 3_211_264, 128, 8739),
    ("poolformer_m48", 73_473_448, 323_044_018, 4_816_896, 16, 7787),
)


@pytest.mark.parametrize(("model", "params", "saved", "largest", "batch", "measured"), PEAKS)
def test_peak_memory_of_public_models_is_met_within_15_per_cent(
    model: str, params: float, saved: float, largest: float, batch: int, measured: float
) -> None:
    found = peak_memory(params, "momentum", "fp32", saved, largest * batch, batch).total_mib
    assert abs(math.log(found / measured)) < 0.15, model


def test_a_gigabyte_given_as_a_gibibyte_would_be_seen() -> None:
    errors = []
    for _, params, saved, largest, batch, measured in PEAKS:
        found = peak_memory(params, "momentum", "fp32", saved, largest * batch, batch).total_mib
        errors.append([abs(math.log(found * unit / measured)) for unit in (1.0, 1.073741824)])
    assert median(e[0] for e in errors) + 0.02 < median(e[1] for e in errors)


def test_the_page_on_accuracy_says_what_the_benchmark_computes() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / "accuracy.py")], cwd=ROOT, capture_output=True, text=True, check=True
    )
    page = (ROOT / "docs" / "accuracy.md").read_text(encoding="utf-8")
    assert done.stdout.strip() in page
    assert "MISSED" in done.stdout  # a miss is printed as one
