"""Owning against hired card-hours where the queue is not known, or known to be too long."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hwcost.breakeven import BreakEven, break_even
from hwcost.case import prepare
from hwcost.catalog import load_catalog
from hwcost.engine import solve_case
from hwcost.plan import Plan
from hwcost.scenario_io import load_scenario
from hwcost.services import service_from_rental
from hwcost.told import break_even_text

OFFER = "campus-cn-80gb"


@pytest.fixture(scope="module")
def plan() -> Plan:
    catalog = load_catalog()
    scenario = load_scenario("fast-single-task", catalog)
    assert all(w.max_hours_per_run is not None for w in scenario.workloads)
    return solve_case(prepare(scenario, catalog), scenario.objective)


def offer(plan: Plan, wait_hours: float | None) -> BreakEven:
    """The campus cluster against the plan, with this wait in its queue."""
    case = plan.case
    service = replace(service_from_rental(case.catalog, case.scenario, OFFER), wait_hours=wait_hours)
    stated = replace(plan, case=replace(case, scenario=replace(case.scenario, services=(service,))))
    return next(b for b in break_even(stated) if b.service.id == OFFER)


def test_a_queue_that_nobody_states_is_not_counted_and_said_to_be_so(plan: Plan) -> None:
    found = offer(plan, None)
    assert found.needed > 0 and found.threshold is not None and not found.wait_stated
    assert (found.late, found.not_run) == ((), ())
    assert found.threshold == offer(plan, 0.0).threshold
    assert "not stated" in break_even_text(found, plan, "en") and "排队时间未说明" in break_even_text(found, plan, "zh")
    assert "not stated" not in break_even_text(offer(plan, 0.0), plan, "en")


def test_a_queue_longer_than_the_deadline_makes_jobs_late_and_changes_no_money(plan: Plan) -> None:
    (job,) = plan.case.scenario.workloads
    assert job.max_hours_per_run is not None
    found, none = offer(plan, job.max_hours_per_run + 1.0), offer(plan, 0.0)
    assert found.late == (job.id,) and none.late == ()
    assert (found.needed, found.threshold, found.hired_per_year) == (none.needed, none.threshold, none.hired_per_year)
    assert "later there than wanted" in break_even_text(found, plan, "en")
    assert "不能按时完成" in break_even_text(found, plan, "zh")


def test_an_offer_of_the_catalog_that_the_scenario_states_stands_there_once(plan: Plan) -> None:
    case = plan.case
    row = service_from_rental(case.catalog, case.scenario, OFFER)
    stated = replace(row, id="ours", name="Ours", wait_hours=2.0)
    found = break_even(replace(plan, case=replace(case, scenario=replace(case.scenario, services=(stated,)))))
    assert [b.service.id for b in found if b.service.card_id == row.card_id] == ["ours"]
    assert len(found) == len(break_even(plan))
