"""Data parallelism: link choice, all-reduce time, published scaling runs, and all cases of the threshold."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from prediction_rows import A5500, RTX3090, RTX4090, V100S, link

from hwcost.messages import LANGUAGES, texts
from hwcost.records import Link
from hwcost.scaling import (
    LINK_IDS,
    all_reduce_ms,
    bandwidth_gb_s,
    bucket_count,
    data_parallel,
    expected_maximum,
    find_link,
    link_id_for,
    slowest_link,
    volume_bytes,
)
from hwcost.threshold import ALTERNATIVES, CASES, threshold

MIB = 2**20

cards_count = st.sampled_from([2, 3, 4, 8, 16])
milliseconds = st.floats(0.1, 1e4)
parameters = st.floats(1e3, 1e9)
bandwidths = st.floats(0.05, 500)


@given(milliseconds, parameters, cards_count, bandwidths, st.floats(0, 1), st.floats(0, 0.2), st.integers(1, 64))
def test_speedup_never_exceeds_the_number_of_cards(
    compute: float, params: float, cards: int, gb_s: float, overlap: float, cv: float, passes: int
) -> None:
    found = data_parallel(
        compute, params, 4, cards, link("pcie_p2p", cards, gb_s, 20), overlap=overlap, step_cv=cv,
        parameter_tensors=30, accumulation_steps=passes,
    )  # fmt: skip
    assert found.speedup <= cards
    assert found.efficiency == pytest.approx(found.speedup / cards)
    parts = found.compute_ms + found.straggler_ms + found.overhead_ms + found.exposed_ms
    assert found.step_ms == pytest.approx(parts)


@given(milliseconds, parameters, cards_count, bandwidths, bandwidths)
def test_speedup_never_falls_with_link_bandwidth(compute: float, params: float, cards: int, a: float, b: float) -> None:
    slow, fast = (data_parallel(compute, params, 4, cards, link("x", cards, gb_s)) for gb_s in sorted((a, b)))
    assert fast.speedup >= slow.speedup


@given(milliseconds, cards_count, parameters, parameters)
def test_speedup_never_rises_with_parameters_where_nothing_overlaps(
    compute: float, cards: int, a: float, b: float
) -> None:
    small, large = (data_parallel(compute, p, 4, cards, link("x", cards, 10, 30)) for p in sorted((a, b)))
    assert large.speedup <= small.speedup


@given(milliseconds, parameters, cards_count, st.floats(0, 1), st.floats(0, 1))
def test_speedup_never_falls_with_overlap(compute: float, params: float, cards: int, a: float, b: float) -> None:
    less, more = (data_parallel(compute, params, 4, cards, link("x", cards, 10), overlap=f) for f in sorted((a, b)))
    assert more.speedup >= less.speedup


def test_r_of_three_on_four_cards_gives_a_speedup_of_exactly_one() -> None:
    # V = 2*3/4 * 2e6 * 4 = 12 MB; 12 MB / 0.5 GB/s = 24 ms = 3 x 8 ms
    found = data_parallel(8.0, 2e6, 4, 4, link("eth_10g", 4, 0.5))
    assert found.r == pytest.approx(3.0)
    assert found.speedup == pytest.approx(1.0)


def test_one_card_needs_no_link_and_loses_nothing() -> None:
    found = data_parallel(5.0, 1e6, 4, 1, None, step_cv=0.1, parameter_tensors=50)
    assert (found.step_ms, found.speedup, found.efficiency, found.volume_bytes) == (5.0, 1.0, 1.0, 0.0)


def test_several_cards_without_a_link_are_refused() -> None:
    with pytest.raises(ValueError, match="4 cards"):
        data_parallel(5.0, 1e6, 4, 4, None)


@pytest.mark.parametrize(
    ("cards", "closed_form"),
    [
        (2, 1 / math.sqrt(math.pi)),
        (3, 1.5 / math.sqrt(math.pi)),
        (4, 3 / math.sqrt(math.pi) * (0.5 + math.asin(1 / 3) / math.pi)),
    ],
)
def test_expected_maximum_of_normals_meets_the_closed_form(cards: int, closed_form: float) -> None:
    assert expected_maximum(cards) == pytest.approx(closed_form, abs=1e-6)


def test_expected_maximum_of_eight_normals_is_the_tabulated_one() -> None:
    assert expected_maximum(8) == pytest.approx(1.4236, abs=1e-4)  # order-statistics tables
    assert expected_maximum(1) == pytest.approx(0.0, abs=1e-9)


def test_exposed_time_is_latency_plus_volume_where_all_fits_one_bucket() -> None:
    # 20 MB of gradients: one bucket, so overlap hides nothing. 30 us + 1.5 * 20 MB / 20 GB/s = 1.53 ms
    for overlap in (0.0, 1.0):
        found = data_parallel(100.0, 5e6, 4, 4, link("pcie_p2p", 4, 20, 30), overlap=overlap)
        assert found.exposed_ms == pytest.approx(0.03 + 1.5)


def test_with_many_buckets_overlap_hides_all_but_the_tail() -> None:
    # 100 MiB in 4 buckets: 1.5 * 104.8576 MB / 20 GB/s = 7.864 ms; backward of 100 ms is 66.7 ms
    found = data_parallel(100.0, 25 * MIB, 4, 4, link("pcie_p2p", 4, 20), overlap=0.06)
    assert found.exposed_ms == pytest.approx(7.86432 - 0.06 * 200 / 3)
    hidden = data_parallel(100.0, 25 * MIB, 4, 4, link("pcie_p2p", 4, 20), overlap=1.0)
    assert hidden.exposed_ms == pytest.approx(7.86432 / 4)


@pytest.mark.parametrize(("size", "buckets"), [(1, 1), (25 * MIB, 1), (25 * MIB + 1, 2), (100 * MIB, 4)])
def test_gradients_travel_in_buckets_of_25_mib(size: float, buckets: int) -> None:
    assert bucket_count(size / 4, 4) == buckets


def test_accumulation_sends_gradients_once_per_optimizer_step() -> None:
    once = data_parallel(10.0, 1e6, 4, 4, link("eth_10g", 4, 1.0))
    four = data_parallel(40.0, 1e6, 4, 4, link("eth_10g", 4, 1.0), accumulation_steps=4)
    assert four.exposed_ms == once.exposed_ms
    assert four.r == pytest.approx(once.r / 4)


def test_straggling_falls_with_the_root_of_the_passes() -> None:
    four = data_parallel(40.0, 0.0, 4, 4, link("x", 4, 1.0), step_cv=0.02, accumulation_steps=4)
    assert four.straggler_ms == pytest.approx(40 * 0.02 / 2 * 1.0294, rel=1e-4)


# lambdal/deeplearning-benchmark@aa5addb6, BERT-large (335,150,082 parameters, 391 tensors), FP32 gradients; step_cv
# and link as inferred from hosts. PCIe 4 peer-to-peer is 19-26 GB/s on four A5500; a host that stages traffic
# through its memory reaches 1.0-1.3 GB/s at four cards and 3.7 at two.
BERT_LARGE = {"params": 335_150_082.0, "grad_bytes": 4.0, "step_cv": 0.0175, "parameter_tensors": 391}


@pytest.mark.parametrize(
    ("cards", "one_card_ms", "row", "measured"),
    [
        (2, 407.61, link("pcie_p2p", 2, 20.0, 30), 0.8647),
        (4, 407.61, link("pcie_p2p", 4, 22.5, 30), 0.8191),
        (8, 407.61, link("pcie_p2p", 8, 21.0, 30), 0.7264),
        (2, 461.3, link("pcie_host_staged", 2, 3.7, 50), 0.5291),
        (4, 461.3, link("pcie_host_staged", 4, 1.3, 50), 0.2353),
        (2, 438.93, link("nvlink_pair", 2, 55.0, 15), 0.947),
    ],
)
def test_public_scaling_runs_are_met_within_five_points(
    cards: int, one_card_ms: float, row: Link, measured: float
) -> None:
    found = data_parallel(one_card_ms, cards=cards, link=row, **BERT_LARGE)
    assert found.efficiency == pytest.approx(measured, abs=0.05)


def test_resnet50_on_four_a5500_scales_as_measured() -> None:
    found = data_parallel(
        531.66, 25_557_032, 4, 4, link("pcie_p2p", 4, 22.5, 30), step_cv=0.0175, parameter_tensors=161
    )
    assert found.efficiency == pytest.approx(0.975, abs=0.02)


def test_link_follows_bridges_peer_to_peer_and_host() -> None:
    assert link_id_for(A5500, 1) is None
    assert link_id_for(A5500, 4) == "pcie_p2p"
    assert link_id_for(A5500, 2, has_bridge=True) == "nvlink_pair"
    assert link_id_for(RTX3090, 2, "workstation") == "pcie_p2p_off"
    assert link_id_for(RTX4090, 2, "consumer") == "pcie_host_staged"
    assert link_id_for(RTX4090, 2, "server", has_bridge=True) == "pcie_p2p_off"  # no bridge exists for it
    assert link_id_for(replace(V100S, p2p=None), 4, "server") == "pcie_p2p_off"  # unknown counts as none
    assert link_id_for(replace(A5500, nvlink_max_cards=8), 8, "server", has_bridge=True) == "nvlink_sxm"


def test_four_cards_with_pair_bridges_run_at_pcie_speed() -> None:
    name = link_id_for(A5500, 4, has_bridge=True)
    assert name == "pcie_p2p_with_pair_bridges"
    rows = [link("nvlink_pair", 2, 55.0), link(name, 4, 20.0, pcie_gen=4)]
    found = find_link(rows, name, 4, 4)
    assert found is not None
    assert found.bus_bandwidth_gb_s == 20.0
    assert slowest_link(rows).bus_bandwidth_gb_s == 20.0


ROWS = (
    link("pcie_p2p", 2, 20.0, pcie_gen=4),
    link("pcie_p2p", 4, 22.0, pcie_gen=4),
    link("pcie_p2p", 4, 9.4, pcie_gen=3),
    link("eth_10g", 2, 1.1),
)


@pytest.mark.parametrize(
    ("cards", "pcie_gen", "lanes", "expected"),
    [
        (2, 4, 16, 20.0),
        (4, 4, 16, 22.0),
        (8, 4, 16, 22.0),  # nearest card count
        (3, 4, 16, 22.0),  # 3/2 is further than 4/3
        (4, 3, 16, 9.4),
        (2, 3, 16, 9.4),  # generation before count
        (4, 5, 16, 22.0),  # only older rows: as they are
        (4, 4, 8, 11.0),  # half the lanes, half the bandwidth
    ],
)
def test_nearest_link_row_by_generation_then_cards(cards: int, pcie_gen: int, lanes: int, expected: float) -> None:
    found = find_link(ROWS, "pcie_p2p", cards, pcie_gen, lanes)
    assert found is not None
    assert found.bus_bandwidth_gb_s == pytest.approx(expected)


def test_only_a_newer_generation_is_known_so_its_bandwidth_is_halved_per_generation() -> None:
    rows = [replace(link("pcie_p2p", 4, 40.0, pcie_gen=5), low_gb_s=36.0, high_gb_s=44.0)]
    found = find_link(rows, "pcie_p2p", 4, 3)
    assert found is not None
    assert (found.bus_bandwidth_gb_s, found.low_gb_s, found.high_gb_s) == (10.0, 9.0, 11.0)


def test_networks_do_not_depend_on_slot_lanes_and_unknown_classes_are_none() -> None:
    network = find_link(ROWS, "eth_10g", 4, 4, lanes=4)
    assert network is not None
    assert network.bus_bandwidth_gb_s == 1.1
    assert find_link(ROWS, "nvlink_pair", 2, 4) is None
    assert find_link(ROWS, None, 1, 4) is None


def test_all_reduce_time_is_latency_plus_bus_bytes() -> None:
    # 8 MB over 4 cards at 0.875 GB/s: 12 MB / 0.875 GB/s = 13.714 ms, plus 0.18 ms
    assert all_reduce_ms(8e6, 4, link("eth_10g", 4, 0.875, 180)) == pytest.approx(0.18 + 12 / 0.875)


@given(
    st.floats(0, 20), st.floats(1e-9, 1e-4), st.integers(1, 64), cards_count, bandwidths, st.floats(0, 20),
    st.floats(1.05, 7.9), st.floats(0, 0.2), st.floats(0, 1), parameters,
)  # fmt: skip
def test_threshold_case_agrees_with_the_condition_itself(
    c0: float,
    c1: float,
    b: int,
    cards: int,
    gb_s: float,
    alpha: float,
    target: float,
    s: float,
    f: float,
    params: float,
) -> None:
    assume(target < cards)
    found = threshold(
        c0_ms=c0, c1_ms_per_param_sample=c1, per_card_batch=b, cards=cards, bandwidth_gb_s=gb_s, alpha_ms=alpha,
        speedup_target=target, straggler_share=s, overlap=f,
    )  # fmt: skip
    compute = c0 + c1 * params * b
    communication = alpha + 2 * (cards - 1) / cards * params * 4 / (gb_s * 1e6)
    slack = cards / target - 1 - (communication - 2 / 3 * f * compute + s * compute) / compute
    assume(abs(slack) > 1e-6)
    limit = found.params if found.params is not None else math.nan
    pays = {
        "pays_from": params >= limit,
        "pays_up_to": params <= limit,
        "always": True,
        "never": False,
        "break_even": False,
    }[found.case]
    assert pays == (slack > 0)


LINE = {"c0_ms": 2.0, "c1_ms_per_param_sample": 1e-6 / 3, "per_card_batch": 9, "cards": 4, "speedup_target": 2.0}


@pytest.mark.parametrize(
    ("gb_s", "alpha", "case", "params"),
    [
        # r* = 1, so num = alpha - 2 and den = 3e-6 - 6e-6/BW per parameter
        (4.0, 3.5, "pays_from", 1.5 / (3e-6 - 1.5e-6)),
        (4.0, 0.5, "always", None),
        (0.875, 0.18, "pays_up_to", 1.82 / (6e-6 / 0.875 - 3e-6)),
        (1.0, 2.5, "never", None),
        (2.0, 2.0, "break_even", None),
        # the borders: one part zero
        (4.0, 2.0, "always", None),
        (2.0, 1.0, "always", None),
        (1.0, 2.0, "never", None),
        (2.0, 3.0, "never", None),
    ],
)
def test_threshold_names_its_case(gb_s: float, alpha: float, case: str, params: float | None) -> None:
    found = threshold(bandwidth_gb_s=gb_s, alpha_ms=alpha, **LINE)
    assert found.case == case
    assert found.params == (None if params is None else pytest.approx(params))
    assert found.alternatives == ALTERNATIVES


def test_overlap_helps_and_stragglers_hurt() -> None:
    base = threshold(bandwidth_gb_s=4.0, alpha_ms=3.5, **LINE)
    helped = threshold(bandwidth_gb_s=4.0, alpha_ms=3.5, overlap=0.3, **LINE)
    hurt = threshold(bandwidth_gb_s=4.0, alpha_ms=3.5, straggler_share=0.2, **LINE)
    assert helped.rho == pytest.approx(1.2)
    assert hurt.rho == pytest.approx(0.8)
    assert base.params is not None
    assert helped.params is not None
    assert hurt.params is not None
    assert helped.params < base.params < hurt.params


def test_volume_of_a_ring() -> None:
    assert [volume_bytes(1.0, 4.0, n) for n in (1, 2, 4, 8)] == [0.0, 4.0, 6.0, 7.0]


def test_every_link_case_and_alternative_has_words_in_both_languages() -> None:
    keys = [f"link.{name}" for name in LINK_IDS] + [f"threshold.case.{case}" for case in CASES] + list(ALTERNATIVES)
    keys += [f"bound.{name}" for name in ("launches", "bandwidth", "compute", "loader", "storage", "communication")]
    for key in keys:
        assert all(texts()[key][lang] for lang in LANGUAGES), key


@pytest.mark.parametrize(
    ("gradient_bytes", "factor"),
    [(600e6, 1.0), (1.2e9, 2**-0.25), (0.3e9, 2**0.25), (8e6, 3**0.25), (0.2e9, 3**0.25), (1.4e9, (7 / 3) ** -0.25),
     (9e9, (7 / 3) ** -0.25)],
)  # fmt: skip
def test_a_host_that_stages_copies_slows_down_with_the_fourth_root_of_the_bytes(
    gradient_bytes: float, factor: float
) -> None:
    """Its row holds for 600 MB; outside of 0.2 to 1.4 GB, where nobody measured, the nearest end holds."""
    assert bandwidth_gb_s(link("pcie_host_staged", 4, 2.0), gradient_bytes) == pytest.approx(2.0 * factor)
    assert bandwidth_gb_s(link("pcie_p2p", 4, 2.0), gradient_bytes) == 2.0


def test_messages_that_nothing_hides_come_on_top() -> None:
    wire = link("x", 4, 10.0, 50)
    hidden = data_parallel(100.0, 1e6, 4, 4, wire, overlap=1.0)
    waited = data_parallel(100.0, 1e6, 4, 4, wire, overlap=1.0, blocking_messages=20)
    assert waited.step_ms - hidden.step_ms == pytest.approx(20 * 0.05)
    blocks = data_parallel(100.0, 1e6, 4, 4, wire, messages=30)
    assert blocks.exposed_ms == pytest.approx(30 * 0.05 + 6e6 / 10e6)
