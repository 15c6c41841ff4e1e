"""Changes that a lab makes: what they save is told, and they are enough where the plan after them does all the work."""

from __future__ import annotations

from dataclasses import replace

import pytest
from small_cases import WORKLOAD
from small_catalog import A5500, A6000, ATX2000, TOWER, catalog, scenario

from hwcost import conflict, explain, repairs
from hwcost.case import Case, prepare
from hwcost.engine import solve_case
from hwcost.lab_changes import lab_changes, tiled
from hwcost.memory import job_memory
from hwcost.tiles import Tile

GIB = 2**30


def needing(gib: float, **changes: object) -> Case:
    """One job whose batch of 16 keeps `gib` at fp32 in one piece, on cards of 24 GiB; nothing else is tight."""
    per_sample = gib * GIB / 16
    job = replace(
        WORKLOAD, batch=16, accumulation=False, precision="fp32", saved_bytes_per_sample=per_sample,
        largest_saved_bytes_per_sample=per_sample / 50, parameter_tensors=40, multi_card=False, **changes,
    )  # fmt: skip
    return prepare(scenario(1, workloads=(job,)), catalog((A5500,), (TOWER,), (ATX2000,)))


def test_a_job_that_is_too_large_is_repaired_by_what_saves_memory() -> None:
    case = needing(22.0)  # 18 GiB may be used: 75 % of 24
    found = explain.conflict(case)
    assert found is not None
    by_rule = {r.rule: r for r in found.repairs}
    assert {"amp", "accumulation", "checkpointing"} <= set(by_rule)
    job = case.scenario.workloads[0]
    whole = job_memory(job, 16).total_mib / 1024
    mixed = job_memory(replace(job, precision="amp16"), 16).total_mib / 1024
    assert (by_rule["amp"].from_value, by_rule["amp"].to_value) == pytest.approx((whole, mixed))
    assert by_rule["accumulation"].to_value == pytest.approx(job_memory(job, 1).total_mib / 1024)
    assert by_rule["checkpointing"].to_value < whole


def test_every_change_of_the_lab_that_is_offered_is_enough_at_its_price() -> None:
    case = needing(22.0)
    offered = {(r.rule, r.subject): r for r in repairs.Repairer(case, None).lab()}
    assert offered
    for change in lab_changes(case):
        plan = solve_case(conflict.variant(case, change.scenario), "cost")
        repair = offered.get((change.kind, change.subject))
        assert plan.has_plan == (repair is not None)
        if repair is not None:
            assert repair.present_value == pytest.approx(plan.totals.present_value, abs=0.02)


def test_nothing_is_offered_where_all_changes_together_do_not_help() -> None:
    case = needing(22.0, max_hours_per_run=1e-6)  # no change of memory makes it fast enough
    assert repairs.Repairer(case, None).lab() == []


def test_a_larger_card_in_the_catalog_leaves_no_conflict() -> None:
    case = needing(22.0)
    larger = catalog((A5500, replace(A6000, usable_mib=49140.0)), (TOWER,), (ATX2000,))
    assert explain.conflict(prepare(case.scenario, larger)) is None


def test_smaller_tiles_keep_the_pixels_and_shrink_the_memory_by_area() -> None:
    figures = tiled(WORKLOAD, Tile(512, 512, 200), Tile(384, 384, 200))
    area = (384 / 512) ** 2  # 56 %
    assert figures["saved_bytes_per_sample"] == pytest.approx(WORKLOAD.saved_bytes_per_sample * area)
    assert figures["forward_flop_per_sample"] == pytest.approx(WORKLOAD.forward_flop_per_sample * area)
    work = figures["steps_per_run"] * figures["forward_flop_per_sample"]
    assert work == pytest.approx(WORKLOAD.steps_per_run * WORKLOAD.forward_flop_per_sample)
