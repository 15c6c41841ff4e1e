"""Figures printed in the documents, computed anew by hand and compared with the program."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from hwcost import explain, memory, objectives, option_cases, plan, psu, rates, scaling, solver, steptime, ways
from hwcost.catalog import load_catalog
from hwcost.memory import job_memory, state_bytes_per_param
from hwcost.records import Catalog
from hwcost.scaling import expected_maximum, volume_bytes
from hwcost.scenario import Circuit
from hwcost.scenario_io import load_scenario
from hwcost.scenario_workloads import MOVED_PER_SAVED
from hwcost.threshold import threshold

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_hybridsn_takes_1300_steps(catalog: Catalog) -> None:
    assert math.ceil(10_249 * 0.30) == 3_075 and math.ceil(3_075 / 256) * 100 == 1_300
    assert "13 steps x 100 epochs = 1,300 steps" in text("docs/scenarios.md")
    workload = load_scenario("lab-default", catalog).workloads[0]
    assert (workload.id, workload.steps_per_run) == ("hybridsn", 1_300)


def test_a_paper_on_patches_takes_675_runs() -> None:
    assert 1.5 * (8 * 3 * 10 + 5 * 3 * 10 + 20 * 3) == 675
    assert "675 per paper" in text("docs/scenarios.md")


def test_four_a5500_need_a_supply_of_1587_5_w(catalog: Catalog) -> None:
    need = (4 * catalog.cards["rtx-a5500"].tdp_w + 350) / 0.8
    assert need == 1587.5
    assert "(4 x 230 + 350) / 0.8 = 1,587.5 W" in text("docs/method.md")


def test_a_16_a_socket_carries_2816_w() -> None:
    assert Circuit(220, 16, 1).continuous_w == pytest.approx(0.8 * 220 * 16) == pytest.approx(2816)
    for name in ("docs/method.md", "docs/scenarios.md"):
        assert "2,816 W" in text(name)


def test_the_large_tile_job_needs_33_5_gib(catalog: Catalog) -> None:
    workload = load_scenario("large-tiles", catalog).workloads[0]
    gib = 2.0**30
    saved, largest = 16 * workload.saved_bytes_per_sample, 16 * workload.largest_saved_bytes_per_sample
    by_hand = 1.75 + (16 * workload.params + saved + 3.9 * largest) / gib  # Adam at fp32: 16 bytes a parameter
    assert by_hand == pytest.approx(33.5, abs=0.05)
    assert job_memory(workload, 16).total_mib / 1024 == pytest.approx(by_hand, rel=1e-9)
    assert "33.5 GiB" in text("docs/method.md")


def test_two_million_parameters_have_32_mb_of_state_and_send_12_mb() -> None:
    assert 2e6 * state_bytes_per_param("adam", "fp32") == 32e6
    assert volume_bytes(2e6, 4, 4) == 12e6
    assert "32 MB of state" in text("docs/method.md") and "V = 12 MB" in text("docs/method.md")


def test_expected_maxima_are_as_printed() -> None:
    printed = ", ".join(f"{expected_maximum(n):.2f}" for n in (2, 4, 8))
    assert expected_maximum(2) == pytest.approx(1 / math.sqrt(math.pi), abs=1e-6)
    assert printed == "0.56, 1.03, 1.42" and printed in text("docs/method.md")


def test_the_threshold_on_10_gbe_is_0_472_million() -> None:
    # r* = 4/2 - 1 = 1; num = 0.18 - 2; den = 9 x 6/(9 x 2e6) - 6/0.875e6 per parameter
    by_hand = (0.18 - 2) / (6 / 2e6 - 6 / 0.875e6)
    found = threshold(
        c0_ms=2, c1_ms_per_param_sample=6 / 18e6, per_card_batch=9, cards=4, bandwidth_gb_s=0.875, alpha_ms=0.18,
        speedup_target=2,
    )  # fmt: skip
    assert found.case == "pays_up_to" and found.params == pytest.approx(by_hand)
    assert f"{by_hand / 1e6:.3f} M parameters" in text("docs/method.md")


def test_constants_of_the_method_page_are_those_of_the_program() -> None:
    page = text("docs/method.md")
    stated = {
        f"M = {memory.CONTEXT_MIB:g} MiB": page, f"{memory.WORKSPACE_PER_LARGEST:g} L b": page,
        f"{memory.KEPT_ACTIVATIONS_16BIT:g} under autocast": page, f"passes x {steptime.LAUNCH_MS:g} ms": page,
        f"{MOVED_PER_SAVED:g} x saved": page, f"x {rates.MOVED_16BIT:.2f} under autocast": page,
        f"FP32 {rates.FP32_EFFICIENCY:.2f}, TF32 {rates.TF32_EFFICIENCY:.2f}": page,
        f"16-bit tensor {rates.TENSOR16_EFFICIENCY:.2f} ({rates.TENSOR16_EFFICIENCY_CONSUMER:.2f} of": page,
        f"bandwidth {rates.BANDWIDTH_EFFICIENCY:.2f}": page, f"{steptime.CACHED_RAM_SHARE:g} of the host's": page,
        f"{scaling.OVERHEAD_MS_PER_TENSOR:.3f} ms x parameter tensors": page, f"/ {psu.MAX_LOAD_SHARE:g}  ": page,
        f"{scaling.BUCKET_BYTES / 2**20:g} MiB": page, f"{ways.HOST_GIB_PER_PROCESS:g} GiB a process": page,
    }  # fmt: skip
    assert not [sentence for sentence, where in stated.items() if sentence not in where]


def test_tolerances_of_the_method_page_are_those_of_the_program() -> None:
    page = " ".join(text("docs/method.md").split())
    assert f"a relative gap of {solver.PROVEN_GAP:g} (asked of the solver: {solver.RELATIVE_GAP:g})" in page
    assert f"give up {objectives.HOLD:g} x max(1, |value|) of an earlier one" in page
    assert f"money {objectives.HOLD_MONEY:g} or {objectives.HOLD_MONEY_RELATIVE:g} of it" in page
    assert f"value <= limit + {plan.MET:g} x max(1, |limit|)" in page
    assert "highspy>=1.13,<1.16" in text("requirements.txt") and "highspy is held below 1.16" in page


def test_the_options_of_the_method_page_have_the_bounds_of_the_program() -> None:
    page = text("docs/method.md")
    assert f"one card of {option_cases.VERY_LARGE_GIB:g} GiB or more" in page
    assert f"two or four of {option_cases.LARGE_GIB:g} GiB or more" in page
    assert f"({', '.join(f'{amps:g}' for amps in explain.LARGER_CIRCUIT_AMPS)} A)" in page
    assert f"at most {explain.MAX_SUBSETS} checks" in page


def test_shares_of_the_accuracy_page_are_those_of_the_program() -> None:
    page = " ".join(text("docs/accuracy.md").split())
    assert (
        f"FP32 {rates.FP32_EFFICIENCY:.2f}, TF32 {rates.TF32_EFFICIENCY:g}, "
        f"16-bit tensor {rates.TENSOR16_EFFICIENCY:g} "
        f"({rates.TENSOR16_EFFICIENCY_CONSUMER:g} of GeForce's halved rate), "
        f"bandwidth {rates.BANDWIDTH_EFFICIENCY:g}"
    ) in page
    bands = steptime.ERROR_SHARE
    assert f"{100 * bands['transferred']:.0f} % with reference throughputs, {100 * bands['estimated']:.0f} %" in page
    assert f"step {scaling.TYPICAL_STEP_CV:g}, the overlap {scaling.TYPICAL_OVERLAP:g}" in page
