"""What binds a job, what more of each resource saves, and whether four cards pay (article B section 3, A 3.1)."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from cli_calls import call
from hypothesis import given
from hypothesis import strategies as st
from prediction_rows import A5500, RTX3090, link, spectralformer, ssftt, workload

from hwcost.alternatives import several_cards
from hwcost.bounds import Bound, bound_on
from hwcost.catalog import load_catalog
from hwcost.records import Card
from hwcost.workload import Workload

pytest_plugins = ["cli_fixtures"]
PCIE = (link("pcie_p2p", 4, 22.0, 14.0, pcie_gen=4), link("pcie_p2p_off", 4, 6.5, 28.0, pcie_gen=4))


def on_a5500(job: Workload, card: Card = A5500) -> Bound:
    found = bound_on(job, card, 0.25, PCIE)
    assert found is not None
    return found


def test_each_of_the_three_networks_gains_from_what_binds_it() -> None:
    small, wide, deep = on_a5500(ssftt()), on_a5500(spectralformer()), on_a5500(workload())
    assert (small.bound, wide.bound, deep.bound) == ("launches", "bandwidth", "compute")
    assert max(small.gains["bandwidth"], small.gains["compute"]) < 0.025  # 0.3 of 1.4 ms, a tenth faster
    assert wide.gains["bandwidth"] == pytest.approx(8.09 / 11.09 / 11, rel=0.02)
    assert deep.gains["compute"] == pytest.approx(5.58 / 6.08 / 11, rel=0.02)
    assert wide.gains["compute"] == deep.gains["bandwidth"] == 0


def test_four_cards_do_not_pay_where_launches_bind() -> None:
    # a quarter of the batch has as many launches: 1.1 of 1.4 ms stay, and the hooks of the tensors come on top
    small = on_a5500(ssftt()).several
    assert small is not None
    assert (small.pays, small.bound) == (False, "launches")
    assert small.speedup < 1.4 / 1.1


def test_four_cards_pay_where_compute_binds_a_large_batch() -> None:
    large = on_a5500(workload(batch=1024)).several
    assert large is not None
    assert large.pays
    assert 3 < large.speedup < 4


def test_communication_is_named_where_it_takes_most() -> None:
    job = workload(params=3e8, optimizer="sgd")
    slow = on_a5500(job, replace(RTX3090, memory_gib=48.0)).several
    assert slow is not None
    # 1.5 x 1.2 GB over 6.5 GB/s: 277 ms against a step of 6
    assert (slow.bound, slow.pays, slow.link_id) == ("communication", False, "pcie_p2p_off")
    assert on_a5500(job, replace(RTX3090, memory_gib=48.0)).gains["link"] == pytest.approx(1 / 11, rel=0.1)


def test_a_job_that_fits_no_card_has_no_bound() -> None:
    assert bound_on(workload(saved_bytes_per_sample=1e12), A5500, 0.25, PCIE) is None
    assert bound_on(workload(saved_bytes_per_sample=5e8, accumulation=False), A5500, 0.25, PCIE) is None


def test_several_cards_are_left_out_where_they_are_switched_off_or_the_batch_is_too_small() -> None:
    for job in (workload(multi_card=False), workload(batch=3)):
        found = on_a5500(job)
        assert found.several is None
        assert "link" not in found.gains


def test_a_measured_run_scales_the_steps_and_not_the_speedup() -> None:
    plain, timed = on_a5500(workload()), on_a5500(workload(time_factor=2.0))
    assert plain.several is not None
    assert timed.several is not None
    assert timed.step_ms == pytest.approx(2 * plain.step_ms)
    assert timed.several.step_ms == pytest.approx(2 * plain.several.step_ms)
    assert timed.several.speedup == plain.several.speedup


@given(st.floats(1.0, 3.0), st.sampled_from(["bandwidth_gb_s", "fp32_tflops", "memory_gib"]))
def test_more_of_a_resource_never_makes_a_step_slower_nor_a_job_impossible(factor: float, name: str) -> None:
    better = replace(A5500, usable_mib=None, **{name: getattr(A5500, name) * factor})
    for job in (ssftt(), spectralformer(), workload(batch=4096)):
        assert on_a5500(job, better).step_ms <= on_a5500(job, replace(A5500, usable_mib=None)).step_ms * (1 + 1e-12)


@pytest.mark.usefixtures("one_reading_of_the_bundled_catalog")
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_command_shows_bound_gains_and_one_line_per_workload(
    scenario: Callable[..., str], capsys: pytest.CaptureFixture[str], lang: str
) -> None:
    path = scenario()
    code, stdout, _ = call(capsys, "memory", path, "--gains", "--cards", "rtx-a5500", "--lang", lang)
    assert code == 0
    assert sum(line.startswith("HybridSN") and ("2.8" in line) for line in stdout.splitlines()) == 2
    _, stdout, _ = call(capsys, "memory", path, "--gains", "--cards", "rtx-a5500", "--json", "-")
    [row] = json.loads(stdout)["rows"]
    assert row["step"]["bound"] == "compute"
    assert set(row["step"]["gains"]) == {"memory", "bandwidth", "compute", "link"}
    assert row["step"]["several"]["pays"] is True
    _, stdout, _ = call(capsys, "memory", path, "--cards", "rtx-a5500", "--json", "-")
    assert "step" not in json.loads(stdout)["rows"][0]


@pytest.mark.parametrize(
    "changes",
    [{}, {"sync_batchnorm": True, "parameter_tensors": 300}, {"batchnorm_min_batch": 32}, {"batch": 1024}],
)
def test_the_table_of_gains_and_the_line_on_four_cards_never_disagree(changes: dict[str, Any]) -> None:
    """Statistics that travel, and a share too small for batch normalisation, count in both."""
    catalog = load_catalog()
    card, job = catalog.cards["rtx-a5500"], workload(**{"batch": 64, **changes})
    bound, line = bound_on(job, card, 0.25, catalog.links), several_cards(job, card, catalog.links)
    assert bound is not None and bound.several is not None
    assert bound.several.pays == line.pays
    assert line.speedup is None or bound.several.speedup == pytest.approx(line.speedup)


def test_synchronised_statistics_cost_two_messages_a_layer() -> None:
    """100 layers of three tensors: 200 messages of the link's latency more than without."""
    catalog = load_catalog()
    card, job = catalog.cards["rtx-a5500"], workload(batch=64, parameter_tensors=300)
    steps = []
    for each in (job, replace(job, sync_batchnorm=True)):
        found = bound_on(each, card, 0.25, catalog.links)
        assert found is not None and found.several is not None
        steps.append(found.several.step_ms)
    alpha_us = next(x.alpha_us for x in catalog.links if (x.id, x.pcie_gen, x.cards) == ("pcie_p2p", 4, 4))
    assert steps[1] - steps[0] == pytest.approx(200 * alpha_us / 1e3)
