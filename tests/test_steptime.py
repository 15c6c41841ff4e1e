"""Time of one step: what bounds it, the published reference points, loader, storage, and the gains."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prediction_rows import A5500, RTX3090, RTX4090, RTX6000_ADA, V100S, spectralformer, ssftt, unet, workload

from hwcost.rates import SOFTWARE_GAIN_BERT_LARGE, SOFTWARE_GAIN_RESNET50, card_rates
from hwcost.records import Card
from hwcost.steptime import gains, step_time


def test_ssftt_is_bound_by_launches_on_an_a5500() -> None:
    step = step_time(ssftt(), A5500, 64)
    assert step.bound == "launches"
    assert step.launch_ms == pytest.approx(1.1, rel=0.05)
    assert step.bandwidth_ms == pytest.approx(0.3, abs=0.05)
    assert step.compute_ms == pytest.approx(0.3, abs=0.05)


def test_spectralformer_is_bound_by_bandwidth_on_an_a5500() -> None:
    step = step_time(spectralformer(), A5500, 64)
    assert step.bound == "bandwidth"
    assert step.bandwidth_ms == pytest.approx(8.1, rel=0.02)
    assert step.compute_ms == pytest.approx(1.3, rel=0.05)
    assert step.launch_ms == pytest.approx(3.0, rel=0.02)


def test_hybridsn_is_bound_by_compute_on_an_a5500() -> None:
    step = step_time(workload(), A5500, 64)
    assert step.bound == "compute"
    assert step.compute_ms == pytest.approx(5.6, rel=0.02)
    assert step.bandwidth_ms == pytest.approx(2.2, rel=0.05)
    assert step.launch_ms == pytest.approx(0.5, abs=0.01)


def test_step_is_launches_plus_the_larger_of_compute_and_bandwidth() -> None:
    # fp32 on an A5500: 34.1 TFLOPS at half, 768 GB/s at three quarters
    job = workload(forward_flop_per_sample=1e9, moved_bytes_per_sample=30e6, launches_per_step=100.0)
    step = step_time(job, A5500, 32)
    assert step.compute_ms == pytest.approx(3 * 1e9 * 32 / (34.1e9 * 0.5))
    assert step.bandwidth_ms == pytest.approx(30e6 * 32 / (768e6 * 0.75))
    assert step.total_ms == pytest.approx(100 * 0.012 + max(step.compute_ms, step.bandwidth_ms))


# Images (sequences) per second on one card: lambdal/deeplearning-benchmark@aa5addb6, FP32 rows (TF32 where present).
# GB/s; FP32, TF32 and 16-bit tensor TFLOPS; consumer; then ResNet-50 FP32 and AMP, BERT-large FP32 and FP16
# The FP32 figures of the first log series (older software), which the catalog keeps as references, stand below.
PUBLIC = {
    "a4000": (448.0, 19.2, 38.3, 76.7, False, 255.9, 454.5, 9.78, 29.0),
    "a5500": (768.0, 34.1, 68.2, 136.4, False, 421.3, 736.1, 19.14, 52.8),
    "a6000": (768.0, 38.7, 77.4, 154.8, False, 514.9, 916.7, 33.37, 68.1),
    "3090": (936.2, 35.6, 35.6, 71.2, True, 513.2, 905.4, 24.82, 52.6),
    "4090": (1008.0, 82.6, 82.6, 165.2, True, 721.2, 1301.7, 44.99, 93.6),
    "a100": (1555.0, 19.5, 156.0, 312.0, False, 882.6, 1396.7, 53.94, 117.9),
    "v100": (900.0, 15.7, None, 125.0, False, 369.7, 833.4, 12.42, 57.9),
}
REFERENCES = {
    "a5500": (421.3, 19.14),
    "a6000": (437.8, 25.73),
    "3090": (471.7, 17.41),
    "a100": (744.1, 37.61),
    "v100": (368.7, 12.36),
}
RESNET50 = {"forward_flop_per_sample": 8.2e9, "moved_bytes_per_sample": 1.25e9, "launches_per_step": 0.0}
BERT_LARGE = {"forward_flop_per_sample": 247e9, "moved_bytes_per_sample": 10e9, "launches_per_step": 0.0}


def public_card(name: str, references: bool = False) -> Card:
    bandwidth, fp32, tf32, tensor, consumer, *_ = PUBLIC[name]
    resnet, bert = REFERENCES[name] if references else (None, None)
    return replace(
        A5500,
        id=name,
        segment="consumer" if consumer else "workstation",
        bandwidth_gb_s=bandwidth,
        fp32_tflops=fp32,
        tensor_tf32_tflops=tf32,
        tensor_fp16_tflops=tensor,
        resnet50_fp32_img_s=resnet,
        bert_large_fp32_seq_s=bert,
    )


def errors(names: Iterable[str], references: bool, precisions: tuple[str, ...]) -> list[float]:
    found = []
    for name in names:
        row = PUBLIC[name]
        for figures, precision, measured in (
            (RESNET50, "tf32", row[5]),
            (RESNET50, "amp16", row[6]),
            (BERT_LARGE, "tf32", row[7]),
            (BERT_LARGE, "amp16", row[8]),
        ):
            if precision in precisions:
                step = step_time(workload(precision=precision, **figures), public_card(name, references), 100)
                found.append(abs(1e5 / step.total_ms / measured - 1.0))
    return found


def test_public_throughputs_are_predicted_from_specifications_with_a_median_error_under_15_per_cent() -> None:
    found = errors(PUBLIC, references=False, precisions=("tf32", "amp16"))
    assert len(found) == 28
    assert median(found) < 0.15
    assert sorted(found)[int(0.9 * len(found))] < 0.35


def test_two_fp32_references_of_older_software_predict_the_newer_rows_with_a_median_error_under_8_per_cent() -> None:
    newer = ("a6000", "3090", "a100", "v100")
    found = errors(newer, references=True, precisions=("tf32", "amp16"))
    assert len(found) == 16
    assert median(found) < 0.08
    assert median(found) < median(errors(newer, references=False, precisions=("tf32", "amp16")))


def test_a_card_with_both_references_is_transferred_and_reproduces_them() -> None:
    card = public_card("a5500", references=True)
    step = step_time(workload(precision="tf32", **RESNET50), card, 100)
    assert step.evidence == "transferred"
    assert 1e5 / step.total_ms == pytest.approx(421.3 * 1.149, rel=1e-6)  # newer software, as on three other cards
    bert = step_time(workload(precision="tf32", **BERT_LARGE), card, 100)
    assert 1e5 / bert.total_ms == pytest.approx(19.14 * 1.384, rel=1e-6)


def test_software_gain_is_that_of_the_three_tf32_cards_in_both_log_series() -> None:
    resnet = math.prod((513.16 / 471.69, 514.91 / 437.78, 882.62 / 744.06)) ** (1 / 3)
    bert = math.prod((24.821 / 17.408, 33.373 / 25.731, 53.941 / 37.609)) ** (1 / 3)
    assert pytest.approx(resnet, abs=1e-3) == SOFTWARE_GAIN_RESNET50
    assert pytest.approx(bert, abs=1e-3) == SOFTWARE_GAIN_BERT_LARGE


def test_volta_gains_nothing_from_newer_software() -> None:
    card = public_card("v100", references=True)
    both = [1e5 / step_time(workload(precision="tf32", **f), card, 100).total_ms for f in (RESNET50, BERT_LARGE)]
    assert both[0] == pytest.approx(369.66, rel=0.03)
    assert both[1] == pytest.approx(12.42, rel=0.03)


def test_one_reference_alone_stays_estimated_and_has_the_wider_error() -> None:
    half = step_time(workload(), replace(A5500, resnet50_fp32_img_s=421.3), 64)
    full = step_time(workload(), public_card("a5500", references=True), 64)
    assert half.evidence == "estimated"
    assert half.error_share > full.error_share


def test_precision_without_its_unit_runs_at_the_fp32_rate() -> None:
    fp32 = card_rates(V100S, "fp32").flop_per_ms
    assert card_rates(V100S, "tf32").flop_per_ms == fp32
    assert card_rates(V100S, "torch_default").flop_per_ms == pytest.approx(fp32)
    assert card_rates(V100S, "bf16").flop_per_ms == fp32  # no BF16 on Volta
    assert card_rates(V100S, "amp16").flop_per_ms > 4 * fp32  # but 130 TFLOPS of FP16 tensor rate
    bare = replace(V100S, tensor_fp16_tflops=None)
    assert card_rates(bare, "amp16").flop_per_ms == fp32


@given(st.integers(1, 2048), st.integers(1, 2048), st.sampled_from(["fp32", "tf32", "torch_default", "amp16", "bf16"]))
def test_time_never_falls_as_the_batch_grows(a: int, b: int, precision: str) -> None:
    job = workload(precision=precision, loader_ms_per_sample=0.1, input_bytes_per_sample=1e5)
    low, high = sorted((a, b))
    assert step_time(job, A5500, low).total_ms <= step_time(job, A5500, high).total_ms


@given(st.floats(100, 5000), st.floats(100, 5000))
def test_time_never_rises_with_bandwidth(a: float, b: float) -> None:
    slow, fast = (replace(A5500, bandwidth_gb_s=value) for value in sorted((a, b)))
    assert step_time(spectralformer(), fast, 64).total_ms <= step_time(spectralformer(), slow, 64).total_ms


@given(st.floats(5, 200), st.floats(5, 200))
def test_time_never_rises_with_the_fp32_rate(a: float, b: float) -> None:
    slow, fast = (replace(A5500, fp32_tflops=value) for value in sorted((a, b)))
    assert step_time(workload(), fast, 64).total_ms <= step_time(workload(), slow, 64).total_ms


def test_launch_bound_step_gains_almost_nothing_from_a_card_with_twice_the_rates() -> None:
    # launches 1.10 ms of 1.45: halving the rest saves under a sixth, where HybridSN saves over a third
    twice = replace(A5500, fp32_tflops=68.2, tensor_tf32_tflops=136.4, bandwidth_gb_s=1536.0)
    small = step_time(ssftt(), twice, 64).total_ms / step_time(ssftt(), A5500, 64).total_ms
    large = step_time(workload(), twice, 64).total_ms / step_time(workload(), A5500, 64).total_ms
    assert small > 5 / 6
    assert large < 2 / 3


def test_accumulation_repeats_launches_and_samples() -> None:
    once = step_time(workload(batch=256), A5500, 64)
    four = step_time(workload(batch=256), A5500, 64, accumulation_steps=4)
    assert four.launch_ms == pytest.approx(4 * once.launch_ms)
    assert four.compute_ms == pytest.approx(4 * once.compute_ms)


def test_a_short_last_pass_counts_only_the_samples_it_has() -> None:
    # a batch of 100 in passes of 64: 2 launches sequences, 100 samples
    one, both = (step_time(workload(batch=100), A5500, 64, accumulation_steps=n) for n in (1, 2))
    assert both.compute_ms == pytest.approx(one.compute_ms * 100 / 64)
    assert both.launch_ms == pytest.approx(2 * one.launch_ms)


def test_loader_hides_behind_the_card_with_workers_and_adds_without() -> None:
    job = workload(loader_ms_per_sample=0.1)  # 6.4 ms a step: 1.6 ms over four workers
    alone = step_time(workload(), A5500, 64).total_ms
    assert step_time(job, A5500, 64).total_ms == pytest.approx(alone)
    assert step_time(replace(job, workers=0), A5500, 64).total_ms == pytest.approx(alone + 6.4)


def test_slow_loader_bounds_the_step() -> None:
    step = step_time(workload(loader_ms_per_sample=4.0), A5500, 64)
    assert step.bound == "loader"
    assert step.total_ms == pytest.approx(4.0 * 64 / 4)


def test_loader_workers_are_limited_by_the_cores_of_the_job() -> None:
    # 16 cores for 4 processes: 4 each, one of them the process itself, so 3 of 8 workers run
    step = step_time(workload(workers=8, loader_ms_per_sample=4.0), A5500, 64, cpu_cores=16, data_parallel_cards=4)
    assert step.loader_ms == pytest.approx(4.0 * 64 / 3)


def test_slot_lanes_bound_the_copy_to_the_card() -> None:
    job = workload(input_bytes_per_sample=100e6)
    full = step_time(job, A5500, 8, lanes=16).loader_ms
    assert full == pytest.approx(800e6 / 25.6e6)  # PCIe 4 x16 at 80 %: 25.6 GB/s
    assert step_time(job, A5500, 8, lanes=4).loader_ms == pytest.approx(4 * full)


def test_unet_over_gigabit_ethernet_is_bound_by_storage_and_a_faster_card_changes_nothing() -> None:
    slow = step_time(unet(), A5500, 8, storage_mb_s=110, host_ram_gib=128)
    fast = step_time(unet(), RTX6000_ADA, 8, storage_mb_s=110, host_ram_gib=128)
    assert slow.bound == fast.bound == "storage"
    assert slow.total_ms == pytest.approx(8 * 512 * 512 * 200 * 2 / 110e3)  # 7.6 s
    assert abs(fast.total_ms / slow.total_ms - 1) < 0.05
    assert fast.card_ms < 0.8 * slow.card_ms  # though the card itself is faster


def test_data_that_fits_in_six_tenths_of_the_ram_is_not_read_again() -> None:
    job = unet(dataset_bytes=60 * 2**30)
    assert step_time(job, A5500, 8, storage_mb_s=110, host_ram_gib=100).storage_ms == 0
    assert step_time(job, A5500, 8, storage_mb_s=110, host_ram_gib=99).storage_ms > 0


def test_unknown_storage_speed_sets_no_limit() -> None:
    assert step_time(unet(), A5500, 8).storage_ms == 0


@pytest.mark.parametrize(("cards", "shared"), [(4, 1), (1, 4), (4, 4)])
def test_cards_that_read_at_once_share_the_storage(cards: int, shared: int) -> None:
    alone = step_time(unet(), A5500, 2, storage_mb_s=1000)
    crowd = step_time(unet(), A5500, 2, storage_mb_s=1000, data_parallel_cards=cards, storage_shared_by=shared)
    assert crowd.storage_ms == pytest.approx(4 * alone.storage_ms)


def test_required_ecc_costs_a_workstation_card_a_sixteenth_of_bandwidth() -> None:
    off, on = (step_time(spectralformer(ecc_required=value), A5500, 64).bandwidth_ms for value in (False, True))
    assert on == pytest.approx(off * 16 / 15)


def test_gains_name_the_resource_that_bounds_the_step() -> None:
    bandwidth = gains(spectralformer(), A5500, 64)
    assert max(bandwidth, key=lambda name: bandwidth[name]) == "bandwidth"
    # 8.1 of 11.1 ms shrink by 1/11
    assert bandwidth["bandwidth"] == pytest.approx(8.09 / 11.09 / 11, rel=0.01)
    assert bandwidth["compute"] == 0
    compute = gains(workload(), A5500, 64)
    assert max(compute, key=lambda name: compute[name]) == "compute"


def test_gains_of_storage_and_link_follow_their_share_of_the_step() -> None:
    stored = gains(unet(), A5500, 8, storage_mb_s=110.0, host_ram_gib=64)
    assert stored["storage"] == pytest.approx(1 / 11)
    assert stored["bandwidth"] == stored["compute"] == 0
    linked = gains(ssftt(), A5500, 64, communication_ms=lambda step_ms, factor: step_ms / factor)
    assert linked["link"] == pytest.approx(1 / 22)  # half of the step is communication


def test_gain_of_memory_comes_from_fewer_passes() -> None:
    # 18423 MiB of 24564: a micro-batch of 10 fits where 11 does not; with a tenth more memory all 11 do
    sample = (18423 - 1792) / 10.5
    job = ssftt(batch=11, saved_bytes_per_sample=sample * 2**20, largest_saved_bytes_per_sample=0.0, params=1.0)
    assert gains(job, A5500, 6, accumulation_steps=2)["memory"] > 0.2
    assert gains(job, A5500, 11)["memory"] == 0


def test_consumer_half_tensor_rate_does_not_halve_16_bit_training() -> None:
    # measured BERT-large FP16: 3090 52.6, A5500 52.8 sequences a second, at 71 and 136 TFLOPS
    job = workload(precision="amp16", **BERT_LARGE)
    ratio = step_time(job, RTX3090, 16).total_ms / step_time(job, A5500, 16).total_ms
    assert ratio == pytest.approx(52.8 / 52.6, rel=0.25)
    assert step_time(job, RTX4090, 16).total_ms < step_time(job, RTX3090, 16).total_ms
