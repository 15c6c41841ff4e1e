"""One test per figure of the two articles that had to be corrected: what they say, what is right, worked by hand.

Article A asks from which parameter count several cards pay; article B which card to choose.
"""

from __future__ import annotations

import runpy
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from prediction_rows import A5500, ORIGIN, link, workload

from hwcost.catalog import load_catalog
from hwcost.memory import peak_memory, state_bytes_per_param
from hwcost.psu import node_load
from hwcost.records import Chassis
from hwcost.scaling import data_parallel, find_link, link_id_for, volume_bytes
from hwcost.steptime import step_time
from hwcost.threshold import threshold

MIB = 2**20
C0_MS = 2.0
C1_MS = float(Fraction(8 - 2, 2_000_000 * 9))  # T_c(2 M, b = 9) = 8 ms, less c0, per parameter and sample


def test_a_4_2_slope_is_3e_minus_7_ms_per_parameter_and_sample() -> None:
    """A 4.2 prints c1 = 3.3e-4 ms per parameter; that line gives 5,942 ms instead of 8 at 2 M and batch 9.

    Right: (8 - 2) ms / (2e6 x 9) = 3.33e-7. The threshold built on it must sit where r is exactly 1.
    """
    assert pytest.approx(3.333e-7, rel=1e-3) == C1_MS
    as_printed_ms = 2.0 + 3.3e-4 * 2e6 * 9
    assert as_printed_ms == pytest.approx(5942)
    found = threshold(
        c0_ms=C0_MS, c1_ms_per_param_sample=C1_MS, per_card_batch=9, cards=4, bandwidth_gb_s=4.0, alpha_ms=3.5,
        speedup_target=2,
    )  # fmt: skip
    assert found.params == pytest.approx(1e6)  # 1.5 ms / (3e-6 - 1.5e-6)
    at_threshold = data_parallel(C0_MS + C1_MS * 1e6 * 9, 1e6, 4, 4, link("x", 4, 4.0, 3500))
    assert at_threshold.r == pytest.approx(1.0)


def test_a_2_2_volume_on_four_cards_is_12_mb_and_not_16() -> None:
    """A 2.2 and 6 use V = 2*P*b (16 MB at 2 M). Right: 2*(3/4)*2e6*4 = 12 MB; the factor 2 is the limit for many."""
    assert volume_bytes(2e6, 4, 4) == 12e6
    assert data_parallel(8.0, 2e6, 4, 4, link("x", 4, 20.0)).volume_bytes == 12e6
    assert volume_bytes(2e6, 4, 10_000) == pytest.approx(16e6, rel=1e-3)


def test_a_3_1_ecd_of_several_cards_never_exceeds_that_of_one() -> None:
    """A 3.1 and 5.3 want ECD(N) > ECD(1). At a fixed per-card batch ECD(N)/ECD(1) = S/N = 1/(1+r) <= 1, even free."""
    for gb_s in (0.1, 10.0, 1e9):
        found = data_parallel(8.0, 2e6, 4, 4, link("x", 4, gb_s))
        assert found.efficiency == pytest.approx(1 / (1 + 12e6 / (gb_s * 1e6) / 8.0))
        assert found.efficiency <= 1.0
    faster_yet_less_dense = data_parallel(8.0, 2e6, 4, 4, link("x", 4, 1.0))
    assert faster_yet_less_dense.speedup > 1 > faster_yet_less_dense.efficiency


def test_a_3_2_limit_on_r_comes_from_the_target_speedup_and_r_of_three_breaks_even() -> None:
    """A 3.2 puts ECD in r < N/ECD_target - 1 and says r >= 3 is below 1. Right: r* = N/S_target - 1; r = 3 is S = 1."""
    even = data_parallel(8.0, 2e6, 4, 4, link("x", 4, 0.5))  # 24 ms of communication over 8 ms
    assert (even.r, even.speedup) == (pytest.approx(3.0), pytest.approx(1.0))
    found = threshold(
        c0_ms=C0_MS, c1_ms_per_param_sample=C1_MS, per_card_batch=9, cards=4, bandwidth_gb_s=1, alpha_ms=0,
        speedup_target=1,
    )  # fmt: skip
    assert found.r_target == 3.0


def test_a_3_3_negative_denominator_pays_below_the_threshold() -> None:
    """A 3.3 and 4.2 say a negative denominator means that several cards never pay.

    Right: at 10 GbE (0.875 GB/s, 0.18 ms) num = 0.18 - 2 = -1.82 ms and den = 3e-6 - 6/0.875e6 = -3.857e-6, both
    negative: they pay *up to* 0.472 M parameters.
    """
    found = threshold(
        c0_ms=C0_MS, c1_ms_per_param_sample=C1_MS, per_card_batch=9, cards=4, bandwidth_gb_s=0.875, alpha_ms=0.18,
        speedup_target=2,
    )  # fmt: skip
    assert found.case == "pays_up_to"
    assert found.params == pytest.approx(1.82 / (6 / 0.875e6 - 3e-6))
    assert found.params == pytest.approx(0.472e6, rel=1e-3)
    row = link("eth_10g", 4, 0.875, 180)
    below, above = (data_parallel(C0_MS + C1_MS * p * 9, p, 4, 4, row).speedup for p in (0.3e6, 0.7e6))
    assert below > 2 > above


def test_a_6_2_pcie_4_carries_31_5_gb_s_a_direction_and_an_all_reduce_less() -> None:
    """A 6.2 takes 40 GB/s and B 7.1 32 GB/s both ways together, for PCIe 4.0 x16.

    Right: 16 GT/s x 16 lanes x 128/130 / 8 = 31.5 GB/s in each direction, and about 19-26 GB/s of all-reduce bus
    bandwidth on four A5500: 12 MB take 0.46-0.63 ms, not 0.4.
    """
    per_direction = 16 * 16 * 128 / 130 / 8
    assert per_direction == pytest.approx(31.5, abs=0.05)
    row = find_link(load_catalog().links, link_id_for(A5500, 4), 4, A5500.pcie_gen)
    assert row is not None
    assert 19 <= row.bus_bandwidth_gb_s <= 26 < per_direction
    found = data_parallel(8.0, 2e6, 4, 4, row)
    assert found.exposed_ms == pytest.approx(row.alpha_us / 1e3 + 12 / row.bus_bandwidth_gb_s)
    assert 0.46 <= found.exposed_ms <= 0.66


def test_a_6_3_bridges_of_an_a5500_join_two_cards_at_112_5_gb_s() -> None:
    """A 6.3 gives a four-card box NVLink at 600 GB/s: that is an A100. A5500 bridges join pairs, 112.5 GB/s both ways.

    Four cards with pair bridges therefore stay bound by PCIe: half of the hops remain, so two rings share the slots.
    """
    catalog = load_catalog()
    card = catalog.cards["rtx-a5500"]
    assert (card.nvlink_gb_s, card.nvlink_max_cards) == (112.5, 2)
    pairs = find_link(catalog.links, link_id_for(card, 4, has_bridge=True), 4, card.pcie_gen)
    plain = find_link(catalog.links, link_id_for(card, 4), 4, card.pcie_gen)
    two = find_link(catalog.links, link_id_for(card, 2, has_bridge=True), 2, card.pcie_gen)
    assert pairs is not None
    assert plain is not None
    assert two is not None
    assert pairs.bus_bandwidth_gb_s == 2 * plain.bus_bandwidth_gb_s
    assert pairs.bus_bandwidth_gb_s < two.bus_bandwidth_gb_s
    assert plain.bus_bandwidth_gb_s < two.bus_bandwidth_gb_s <= 112.5 / 2


def test_b_5_1_autocast_keeps_parameters_and_gradients_in_fp32() -> None:
    """B 5.1 stores parameters and gradients in 16 bit under AMP. Autocast keeps both, and both moments, in fp32.

    4 + 4 + 8 bytes, and 2 more for the cached 16-bit weights: 18 where B's reading gives 2 + 2 + 8 = 12.
    """
    assert state_bytes_per_param("adam", "amp16") == 4 + 4 + 8 + 2
    assert state_bytes_per_param("adam", "amp16") > state_bytes_per_param("adam", "fp32")


def test_b_5_2_first_activation_is_0_42_gb_and_not_4_2() -> None:
    """B 5.2 says 64 x 32 x 16 x 16 x 200 values in fp32 are 4.2 GB. They are 104,857,600 x 4 B = 0.42 GB (0.21).

    (Autocast as a whole keeps about 0.55 of the fp32 bytes: 0.23 GB.)
    """
    per_sample = 32 * 16 * 16 * 200 * 4
    need = peak_memory(0.0, "sgd", "fp32", per_sample, 0.0, 64)
    assert need.activations_mib * MIB == pytest.approx(0.41943e9, rel=1e-4)
    amp = peak_memory(0.0, "sgd", "amp16", per_sample, 0.0, 64)
    assert amp.activations_mib * MIB == pytest.approx(0.55 * 0.41943e9, rel=1e-4)
    assert 64 * per_sample / 2 == pytest.approx(0.21e9, rel=2e-3)


def test_b_5_2_state_of_five_million_parameters_is_0_08_gb() -> None:
    """B 5.2 puts the state of 5 M parameters at about 0.3 GB. With Adam it is 5e6 x 16 B = 0.08 GB."""
    assert 5e6 * state_bytes_per_param("adam", "fp32") == 0.08e9
    assert peak_memory(5e6, "adam", "fp32", 1e9, 0.0, 1).state_mib * MIB == pytest.approx(0.08e9)


def test_a_2_1_state_includes_the_gradient() -> None:
    """A 2.1 counts 4*P*(1+k): 24 MB for 2 M parameters with Adam. With the gradient it is 4*P*(2+k) = 32 MB."""
    assert 2e6 * state_bytes_per_param("adam", "fp32") == 32e6
    assert 2e6 * state_bytes_per_param("momentum", "fp32") == 4 * 2e6 * (2 + 1)


def test_b_8_1_four_a5500_need_a_supply_of_about_1600_w() -> None:
    """B 8.1 asks for 1000 W and more. Four cards take 920 W, the host about 350; a supply carries 0.8 of its rating.

    (920 + 350) / 0.8 = 1587.5 W.
    """
    host = Chassis(
        id="tower", name="", name_zh="", form="tower", segment="workstation", slots=8, max_cards_1slot=4,
        max_cards_2slot=4, max_cards_3slot=2, pcie_gen=4, lanes_by_cards={4: 16}, airflow="ducted", passive_ok=False,
        max_card_length_mm=None, psu_form="atx", psu_bays=1, redundant=False, host_idle_w=120.0, host_load_w=350.0,
        cpu_cores=32, ram_gib=128.0, noise_dba=None, rack_units=None, origin=ORIGIN,
    )  # fmt: skip
    load = node_load(A5500, 4, host, storage_w=0.0)
    assert load.cards_w == 920
    assert load.need_w == pytest.approx(1587.5)
    assert load.need_w > 1000


def test_a_1_1_pavia_university_is_340_columns_wide() -> None:
    """A 1.1 gives Pavia University as 610 x 610 x 103. The scene that is distributed has 610 x 340 pixels."""
    scenes = [row for row in load_catalog().datasets.values() if row.name.startswith("Pavia University")]
    assert [(row.height, row.width, row.bands) for row in scenes] == [(610, 340, 103)]


def test_a_6_1_four_machines_over_10_gbe_reach_1_6_and_use_2_5_times_the_card_hours() -> None:
    """A 6.1 computes S = 1.33 and ECD 0.33 at 1 GB/s from V = 16 MB. With V = 12 MB: r = 1.5, S = 1.6, S/N = 0.4."""
    found = data_parallel(8.0, 2e6, 4, 4, link("eth_10g", 4, 1.0))
    assert found.r == pytest.approx(1.5)
    assert found.speedup == pytest.approx(1.6)
    assert found.efficiency == pytest.approx(0.4)
    half = data_parallel(8.0, 2e6, 2, 4, link("eth_10g", 4, 1.0))  # 16-bit gradients: r = 0.75
    assert half.speedup == pytest.approx(4 / 1.75)


def test_a_7_1_accumulation_keeps_the_throughput_of_one_card() -> None:
    """A 7.1 is right: four passes of 9 make a batch of 36 in four times the step, at the memory of batch 9."""
    job = replace(workload(), batch=36)
    one, four = step_time(job, A5500, 9), step_time(job, A5500, 9, accumulation_steps=4)
    assert four.total_ms == pytest.approx(4 * one.total_ms)


def test_b_7_1_all_reduce_of_five_million_parameters_takes_under_two_milliseconds_on_pcie() -> None:
    """B 7.1 says milliseconds on PCIe and a small share of a step of tens of milliseconds: confirmed for fp32 too.

    Gradients are fp32 under autocast: 1.5 x 20 MB = 30 MB at 19-26 GB/s, 1.2-1.6 ms.
    """
    row = find_link(load_catalog().links, "pcie_p2p", 4, 4)
    assert row is not None
    found = data_parallel(30.0, 5e6, 4, 4, row)
    assert 30 / 26 <= found.exposed_ms <= 30 / 19 + 0.05
    assert found.speedup > 3.7


def test_the_tables_that_both_articles_announce_are_computed() -> None:
    """A 4.2 and B tables 1-5 are missing from the texts. P* of 10 GbE in the first is (alpha - 2) / (3e-6 - 6/BW)."""
    catalog = load_catalog()
    program = runpy.run_path(str(Path(__file__).parent.parent / "benchmarks" / "article_tables.py"))
    text = program["tables"](catalog)
    titles = [line for line in text.splitlines() if line.startswith("### ")]
    assert [title.split(":")[0] for title in titles] == ["### A 4.2", *(f"### B table {n}" for n in range(1, 6))]
    row = find_link(catalog.links, "eth_10g", 4)
    assert row is not None
    params = (row.alpha_us / 1e3 - 2) / (3e-6 - 6 / (row.bus_bandwidth_gb_s * 1e6))
    assert f"pays up to {params / 1e6:.3f} M" in text
    assert all(network.name in text for network in catalog.networks.values())
