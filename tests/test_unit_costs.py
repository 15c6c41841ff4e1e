"""Cost per card-hour and per run and the carbon of a plan, from its own lines by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from hwcost.case import prepare
from hwcost.catalog import load_catalog
from hwcost.engine import solve_case
from hwcost.plan import Plan
from hwcost.scenario_io import load_scenario
from hwcost.unit_costs import unit_costs


@pytest.fixture(scope="module")
def plan() -> Plan:
    catalog = load_catalog()
    scenario = load_scenario("fast-single-task", catalog)
    return solve_case(prepare(scenario, catalog), "cost")


def test_runs_share_out_the_whole_total(plan: Plan) -> None:
    figures = unit_costs(plan)
    assert figures is not None
    assert math.fsum(r.per_run * r.runs for r in figures.runs) == pytest.approx(plan.totals.nominal)


def test_card_hours_that_compute_times_their_cost_are_the_total(plan: Plan) -> None:
    figures = unit_costs(plan)
    assert figures is not None and figures.per_busy_card_hour is not None
    assert figures.per_available_card_hour is not None
    busy = sum(a.card_hours for a in plan.assignments)
    assert figures.per_busy_card_hour * busy == pytest.approx(plan.totals.nominal)
    cards = sum(p.nodes * p.build.cards for p in plan.purchases)
    there = cards * plan.case.scenario.available_hours_per_card_year * plan.case.scenario.horizon_years
    assert figures.per_available_card_hour * there == pytest.approx(plan.totals.nominal)
    assert figures.per_available_card_hour < figures.per_busy_card_hour


def test_energy_is_idle_watts_for_the_hours_on_plus_what_computing_adds(plan: Plan) -> None:
    figures, scenario = unit_costs(plan), plan.case.scenario
    assert figures is not None
    idle = sum(p.nodes * p.build.idle_wall_w for p in plan.purchases) * scenario.on_hours_per_year
    builds = {p.build.id: p.build for p in plan.purchases}
    busy = sum(a.card_hours * builds[a.strategy.build_id].busy_extra_wall_w_per_card for a in plan.assignments)
    watt_hours = idle * scenario.horizon_years + busy
    assert figures.energy_kwh == pytest.approx(watt_hours * scenario.pue / 1000)


def test_an_unknown_factor_of_the_grid_is_unknown_carbon_not_none_of_it(plan: Plan) -> None:
    def with_factor(factor: float | None) -> Plan:
        scenario = replace(plan.case.scenario, grid_factor_kg_per_kwh=factor)
        return replace(plan, case=replace(plan.case, scenario=scenario))

    unknown, known = unit_costs(with_factor(None)), unit_costs(with_factor(0.5))
    assert unknown is not None and unknown.carbon_kg is None
    assert known is not None and known.carbon_kg == pytest.approx(0.5 * known.energy_kwh)


def test_without_a_plan_there_are_no_figures(plan: Plan) -> None:
    assert unit_costs(replace(plan, status="infeasible")) is None
