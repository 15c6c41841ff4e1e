"""Cards, links and networks for the prediction tests, with figures from public sources."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hwcost.records import Card, Link, Origin
from hwcost.workload import Workload

ORIGIN = Origin(file="test", row=1, layer="scenario", source="test", as_of=None, kind="specification")

# Data-sheet figures: RTX A5500 (GA102, GDDR6, inline ECC); the two throughputs are left out unless a test gives them.
A5500 = Card(
    id="rtx-a5500",
    name="RTX A5500",
    vendor="NVIDIA",
    segment="workstation",
    architecture="Ampere",
    compute_capability=8.6,
    memory_gib=24.0,
    usable_mib=24564.0,
    memory_type="GDDR6",
    ecc="inline",
    bandwidth_gb_s=768.0,
    fp32_tflops=34.1,
    tensor_fp16_tflops=136.4,
    tensor_tf32_tflops=68.2,
    bf16=True,
    tdp_w=230.0,
    idle_w=20.0,
    slot_width=2,
    length_mm=267.0,
    cooling="blower",
    power_connector="pcie8",
    power_connectors=1,
    pcie_gen=4,
    pcie_lanes=16,
    nvlink_gb_s=112.5,
    nvlink_max_cards=2,
    p2p=True,
    datacentre_licensed=True,
    pytorch_current=True,
    resnet50_fp32_img_s=None,
    bert_large_fp32_seq_s=None,
    warranty_years=3.0,
    notes="",
    origin=ORIGIN,
)
RTX3090 = replace(
    A5500,
    id="rtx-3090",
    name="RTX 3090",
    segment="consumer",
    ecc="none",
    usable_mib=None,
    bandwidth_gb_s=936.2,
    fp32_tflops=35.6,
    tensor_fp16_tflops=71.2,
    tensor_tf32_tflops=35.6,
    tdp_w=350.0,
    slot_width=3,
    cooling="open_air",
    p2p=False,
)
RTX4090 = replace(
    RTX3090,
    id="rtx-4090",
    name="RTX 4090",
    bandwidth_gb_s=1008.0,
    fp32_tflops=82.6,
    tensor_fp16_tflops=165.2,
    tensor_tf32_tflops=82.6,
    nvlink_gb_s=None,
    nvlink_max_cards=0,
)
RTX6000_ADA = replace(
    A5500,
    id="rtx-6000-ada",
    name="RTX 6000 Ada",
    memory_gib=48.0,
    usable_mib=None,
    bandwidth_gb_s=960.0,
    fp32_tflops=91.1,
    tensor_fp16_tflops=364.2,
    tensor_tf32_tflops=182.1,
    nvlink_gb_s=None,
    nvlink_max_cards=0,
)
V100S = replace(
    A5500,
    id="tesla-v100s",
    name="Tesla V100S",
    segment="datacentre",
    memory_gib=32.0,
    usable_mib=None,
    ecc="native",
    bandwidth_gb_s=1134.0,
    fp32_tflops=16.4,
    tensor_fp16_tflops=130.0,
    tensor_tf32_tflops=None,
    bf16=False,
    cooling="passive",
    pcie_gen=3,
    nvlink_gb_s=None,
    nvlink_max_cards=0,
)


def link(link_id: str, cards: int, gb_s: float, alpha_us: float = 0.0, pcie_gen: int | None = None) -> Link:
    """A row of the link table without bounds."""
    return Link(link_id, pcie_gen, cards, gb_s, None, None, alpha_us, ORIGIN)


def workload(**changes: Any) -> Workload:
    """HybridSN on Indian Pines, 25x25x30: parameters, FLOPs and saved bytes from gokriznastic/HybridSN@8e9fd37c.

    Bytes moved are ten times the bytes saved, an estimate.
    """
    values: dict[str, Any] = {
        "id": "hybridsn",
        "name": "HybridSN",
        "name_zh": "HybridSN",
        "must": True,
        "priority": 1.0,
        "people_at_once": 1,
        "runs_per_year": 100.0,
        "growth_per_year": 0.0,
        "steps_per_run": 1000.0,
        "batch": 64,
        "precision": "fp32",
        "optimizer": "adam",
        "max_hours_per_run": None,
        "ecc_required": False,
        "accumulation": True,
        "multi_card": True,
        "startup_s": 60.0,
        "workers": 4,
        "loader_ms_per_sample": 0.0,
        "overlap": 0.0,
        "step_cv": 0.0175,
        "params": 5_122_176.0,
        "forward_flop_per_sample": 495_366_784.0,
        "saved_bytes_per_sample": 15_648_704 / 8,
        "largest_saved_bytes_per_sample": 400_000.0,
        "moved_bytes_per_sample": 10 * 15_648_704 / 8,
        "launches_per_step": 42.0,
        "parameter_tensors": 16,
        "input_bytes_per_sample": 0.0,
        "dataset_bytes": 1e8,
        "batchnorm": False,
        "batchnorm_min_batch": 0,
    }
    return Workload(**{**values, **changes})


def spectralformer(**changes: Any) -> Workload:
    """SpectralFormer, pixel-wise, Indian Pines: danfenghong/IEEE_TGRS_SpectralFormer@fd08eb5e; 250 launches."""
    figures = {
        "id": "spectralformer",
        "params": 346_361.0,
        "forward_flop_per_sample": 117_810_176.0,
        "saved_bytes_per_sample": 50_654_016 / 8,
        "moved_bytes_per_sample": 11.5 * 50_654_016 / 8,
        "launches_per_step": 250.0,
    }
    return workload(**{**figures, **changes})


def ssftt(**changes: Any) -> Workload:
    """SSFTT, Indian Pines 13x13x30: zgr6010/HSI_SSFTT@994f5d72; 92 launches."""
    figures = {
        "id": "ssftt",
        "params": 153_224.0,
        "forward_flop_per_sample": 23_294_528.0,
        "saved_bytes_per_sample": 2_871_616 / 8,
        "moved_bytes_per_sample": 7.5 * 2_871_616 / 8,
        "launches_per_step": 92.0,
    }
    return workload(**{**figures, **changes})


def unet(**changes: Any) -> Workload:
    """U-Net, base 64, on 512x512x200 tiles stored as int16: 31.2 M parameters, 445 GFLOP forward, 1.47 GiB saved."""
    figures = {
        "id": "unet",
        "batch": 8,
        "precision": "amp16",
        "params": 31.2e6,
        "forward_flop_per_sample": 445e9,
        "saved_bytes_per_sample": 1.47 * 2**30,
        "largest_saved_bytes_per_sample": 128 * 512 * 512 * 4,
        "moved_bytes_per_sample": 14.7 * 2**30,
        "launches_per_step": 300.0,
        "input_bytes_per_sample": 512 * 512 * 200 * 2,
        "dataset_bytes": 5000 * 512 * 512 * 200 * 2,
    }
    return workload(**{**figures, **changes})
