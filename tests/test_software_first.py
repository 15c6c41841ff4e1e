"""Software that costs nothing is told where a card holds a job up and a tenth of a run is saved."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hwcost.alternatives import alternatives
from hwcost.case import prepare
from hwcost.catalog import load_catalog
from hwcost.engine import solve_case
from hwcost.plan import Plan
from hwcost.scenario_io import load_scenario
from hwcost.software_first import WORTH_TELLING, software_first


@pytest.fixture(scope="module")
def plan() -> Plan:
    catalog = load_catalog()
    scenario = load_scenario("lab-default", catalog)
    return solve_case(prepare(scenario, catalog), "cost")


def test_savings_are_those_of_the_step_over_a_whole_run_start_up_included(plan: Plan) -> None:
    found = {(s.workload_id, s.key): s for s in software_first(plan)}
    assert found
    for (identity, key), saving in found.items():
        workload = plan.case.workload_by_id[identity]
        card = plan.case.catalog.cards[saving.card_id]
        steps = {a.key: a.step_ms for a in alternatives(workload, card)}

        def hours(
            step_ms: float | None, startup_s: float = workload.startup_s, n: float = workload.steps_per_run
        ) -> float:
            assert step_ms is not None
            return (startup_s + n * step_ms / 1000) / 3600

        assert saving.hours_now == pytest.approx(hours(steps["accumulation"]))
        assert saving.hours_then == pytest.approx(hours(steps[key]))
        assert saving.share >= WORTH_TELLING


def test_a_job_in_mixed_precision_is_not_told_to_use_it(plan: Plan) -> None:
    halved = tuple(replace(w, precision="bf16") for w in plan.case.scenario.workloads)
    case = replace(plan.case, scenario=replace(plan.case.scenario, workloads=halved))
    assert {s.key for s in software_first(replace(plan, case=case))} <= {"compiled"}


def test_where_data_hold_a_job_up_a_faster_step_is_no_saving(plan: Plan) -> None:
    waiting = tuple(replace(a, strategy=replace(a.strategy, bound="storage")) for a in plan.assignments)
    assert software_first(replace(plan, assignments=waiting)) == ()
