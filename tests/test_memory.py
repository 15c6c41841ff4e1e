"""Memory of one job on one card: the formula by hand, public peaks, ECC, and the largest micro-batch."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prediction_rows import A5500, RTX3090, RTX6000_ADA, V100S, unet, workload

from hwcost.memory import (
    CONTEXT_MIB,
    WORKSPACE_PER_LARGEST,
    job_memory,
    largest_micro_batch,
    limit_mib,
    peak_memory,
    state_bytes_per_param,
    usable_mib,
)

MIB = 2**20


@pytest.mark.parametrize(
    ("optimizer", "precision", "expected"),
    [
        ("sgd", "fp32", 8),  # weight + gradient
        ("momentum", "fp32", 12),
        ("adam", "fp32", 16),
        ("adam", "torch_default", 16),  # TF32 is a way to multiply, not to store
        ("adam", "amp16", 18),  # fp32 weight, gradient and two moments, plus the cached 16-bit weight
        ("adam", "bf16", 18),
        ("adam", "pure16", 16),  # 2 + 2 + 4 master + 8 moments
    ],
)
def test_state_counts_weight_gradient_and_moments(optimizer: str, precision: str, expected: float) -> None:
    assert state_bytes_per_param(optimizer, precision) == expected


def test_total_is_the_formula_worked_by_hand() -> None:
    # 1e6 parameters with Adam: 16e6 B; 2 MiB saved x 10; largest 0.5 MiB x 10
    need = job_memory(
        workload(params=1e6, saved_bytes_per_sample=2 * MIB, largest_saved_bytes_per_sample=MIB / 2), micro_batch=10
    )
    assert need.context_mib == pytest.approx(1792)
    assert need.state_mib == pytest.approx(16e6 / MIB)
    assert need.activations_mib == pytest.approx(20)
    assert need.workspace_mib == pytest.approx(3.9 * 5)
    assert need.total_mib == pytest.approx(1792 + 16e6 / MIB + 20 + 19.5)


def test_data_parallel_adds_one_gradient_copy_and_pools_nothing() -> None:
    job = workload(params=50e6)
    alone, parallel = job_memory(job, 32), job_memory(job, 32, data_parallel=True)
    assert parallel.total_mib - alone.total_mib == pytest.approx(50e6 * 4 / MIB)
    assert parallel.activations_mib == alone.activations_mib


def test_autocast_keeps_about_half_of_the_activations_and_all_of_the_state() -> None:
    fp32, amp = job_memory(unet(precision="fp32"), 4), job_memory(unet(precision="amp16"), 4)
    assert amp.activations_mib == pytest.approx(0.55 * fp32.activations_mib)
    assert amp.state_mib == pytest.approx(fp32.state_mib * 18 / 16)


def test_adam_temporary_counts_only_where_it_outlives_the_activations() -> None:
    small = peak_memory(100e6, "adam", "fp32", 0.0, 0.0, 1)
    assert small.workspace_mib == pytest.approx(400e6 / MIB)
    assert peak_memory(100e6, "sgd", "fp32", 0.0, 0.0, 1).workspace_mib == 0
    assert peak_memory(100e6, "adam", "fp32", 1e9, 0.0, 1).workspace_mib == 0


def resnet50_saved_bytes() -> float:
    """Saved for backward by ResNet-50 at 224 x 224, fp32, by layer: each convolution's output (kept for its norm),
    and each activation after a norm and ReLU in place (kept for the next convolution); 4 bytes an element."""
    conv = 64 * 112 * 112
    after = 64 * 112 * 112 + 64 * 56 * 56  # ReLU and max-pool
    for blocks, width, side in ((3, 64, 56), (4, 128, 28), (6, 256, 14), (3, 512, 7)):
        for block in range(blocks):
            entry = side if block or width == 64 else 2 * side  # stride sits on the 3x3 convolution
            conv += width * entry**2 + width * side**2 + 4 * width * side**2
            after += width * entry**2 + width * side**2 + 4 * width * side**2
            if block == 0:
                conv += 4 * width * side**2  # projection of the shortcut
    pool_indices = 64 * 56 * 56 * 8
    image = 3 * 224 * 224 * 4
    return 4.0 * (conv + after) + pool_indices + image


# itu-rad/GPUMemNet@f01eb0592e1b, fake_tensor.xlsx: peak of the whole process on a 40 GB card, fp32 defaults
RESNET50_PEAK_MIB = {8: 2875, 16: 3733, 32: 5229, 64: 8465, 128: 15169}


@pytest.mark.parametrize("batch", RESNET50_PEAK_MIB)
def test_resnet50_peak_is_within_ten_per_cent_of_the_public_measurement(batch: int) -> None:
    largest = 64 * 112 * 112 * 4 * batch
    need = peak_memory(25.557e6, "sgd", "fp32", resnet50_saved_bytes(), largest, batch)
    assert need.total_mib == pytest.approx(RESNET50_PEAK_MIB[batch], rel=0.10)


@given(st.integers(1, 4096), st.integers(1, 4096), st.sampled_from(["fp32", "tf32", "amp16", "bf16"]))
def test_memory_never_falls_as_the_batch_grows(a: int, b: int, precision: str) -> None:
    job = workload(precision=precision)
    low, high = sorted((a, b))
    assert job_memory(job, low).total_mib <= job_memory(job, high).total_mib


@given(st.integers(1, 512), st.floats(0.0, 0.9), st.booleans())
def test_largest_micro_batch_fits_and_one_more_does_not(wanted: int, margin: float, parallel: bool) -> None:
    job = workload(saved_bytes_per_sample=200.0 * MIB, largest_saved_bytes_per_sample=10.0 * MIB)
    found = largest_micro_batch(job, A5500, margin, wanted, parallel)
    limit = (1 - margin) * 24564
    assert 0 <= found <= wanted
    if found:
        assert job_memory(job, found, data_parallel=parallel).total_mib <= limit
    if found < wanted:
        assert job_memory(job, found + 1, data_parallel=parallel).total_mib > limit


def test_largest_micro_batch_by_hand() -> None:
    # 0.75 x 24564 = 18423; less context 1792 and state 16e6 B = 15.26 MiB; a sample takes 100 + 3.9 x 10 = 139 MiB
    job = workload(params=1e6, saved_bytes_per_sample=100 * MIB, largest_saved_bytes_per_sample=10 * MIB)
    assert largest_micro_batch(job, A5500, 0.25, 10_000, False) == int((18423 - 1792 - 15.26) / 139)


def test_one_sample_too_large_gives_zero() -> None:
    assert largest_micro_batch(workload(saved_bytes_per_sample=30.0 * 2**30), A5500, 0.25, 8, False) == 0


def test_more_memory_never_gives_a_smaller_micro_batch() -> None:
    job = unet(precision="fp32", batch=64)
    small = largest_micro_batch(job, A5500, 0.25, 64, False)
    large = largest_micro_batch(job, RTX6000_ADA, 0.25, 64, False)
    assert 0 < small < large


def test_usable_memory_is_the_measured_figure_where_known() -> None:
    assert usable_mib(A5500) == 24564
    assert limit_mib(A5500, 0.25) == pytest.approx(18423)


def test_unknown_usable_memory_is_the_printed_one_less_a_reserve() -> None:
    assert usable_mib(RTX3090) == pytest.approx(24 * 1024 * 0.99)
    assert usable_mib(V100S) == pytest.approx(32 * 1024 * 0.99)  # HBM checks itself: nothing is lost


def test_inline_ecc_takes_a_sixteenth_on_data_centre_cards_and_where_a_job_requires_it() -> None:
    a40 = replace(A5500, segment="datacentre", memory_gib=48.0, usable_mib=None)
    assert usable_mib(a40) == pytest.approx(48 * 1024 * 15 / 16 * 0.99)
    assert usable_mib(a40) == pytest.approx(45634, rel=0.01)  # what nvidia-smi shows on an A40 with ECC on
    assert usable_mib(A5500, ecc_required=True) == pytest.approx(24564 * 15 / 16)


def test_a_figure_read_with_ecc_on_is_not_reduced_again() -> None:
    a10 = replace(A5500, segment="datacentre", usable_mib=23028.0)
    assert usable_mib(a10, ecc_required=True) == 23028


def test_constants_are_those_of_the_fit() -> None:
    assert CONTEXT_MIB / 1024 == 1.75
    assert WORKSPACE_PER_LARGEST == 3.9
