"""What a plan's total is per card-hour and per run, and the carbon of its electricity.

    per busy card-hour        total / card-hours that compute over the horizon
    per available card-hour   total / (cards x usable hours x years)
    per run of a workload     total x (its card-hours / all card-hours) / its runs
    carbon                    kWh of the energy lines x grid factor

The total is nominal, over all payers, residual value taken off. A run bears its part of the idle time: what nobody uses
is paid for all the same. None stands where there is nothing to divide by, or the factor of the grid is not known.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from hwcost.costs import CAPEX
from hwcost.plan import Plan
from hwcost.use import utilisation

ENERGY_UNIT = "kWh"


@dataclass(frozen=True)
class RunCost:
    """One workload: what one run takes of the total, in the plan's currency."""

    workload_id: str
    runs: float  # over the horizon
    card_hours: float  # over the horizon
    per_run: float


@dataclass(frozen=True)
class UnitCosts:
    """Money in the plan's currency; energy and carbon over the whole horizon."""

    per_busy_card_hour: float | None
    per_available_card_hour: float | None
    runs: tuple[RunCost, ...]
    energy_kwh: float
    carbon_kg: float | None
    purchase_share: float | None  # of the total that is spent at purchase


def unit_costs(plan: Plan) -> UnitCosts | None:
    """The figures of a plan; None where there is no plan."""
    if not plan.has_plan:
        return None
    scenario, total = plan.case.scenario, plan.totals.nominal
    busy = math.fsum(a.card_hours for a in plan.assignments)
    use = utilisation(plan)
    available = 0.0 if use is None else use.available_card_hours_per_year * scenario.horizon_years
    energy = math.fsum(line.quantity for line in plan.cost_lines if line.unit == ENERGY_UNIT)
    factor = scenario.grid_factor_kg_per_kwh
    spent = math.fsum(line.amount for line in plan.cost_lines if line.category in CAPEX)
    return UnitCosts(
        per_busy_card_hour=total / busy if busy > 0 else None,
        per_available_card_hour=total / available if available > 0 else None,
        runs=_runs(plan, total, busy),
        energy_kwh=energy,
        carbon_kg=None if factor is None else energy * factor,
        purchase_share=spent / total if total > 0 else None,
    )


def _runs(plan: Plan, total: float, busy: float) -> tuple[RunCost, ...]:
    """Workloads that run, in the scenario's order."""
    found = []
    for workload in plan.case.scenario.workloads:
        mine = [a for a in plan.assignments if a.strategy.workload_id == workload.id]
        runs, hours = math.fsum(a.runs for a in mine), math.fsum(a.card_hours for a in mine)
        if runs > 0 and busy > 0:
            found.append(RunCost(workload.id, runs, hours, total * hours / busy / runs))
    return tuple(found)
