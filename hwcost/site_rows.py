"""Rows about the site, the choice and the work of the group: circuits, rack, numbers, stock, owned hosts, own hours."""

from __future__ import annotations

import math

from hwcost import solver
from hwcost.build import Build
from hwcost.case import Case
from hwcost.costs import staff_hours
from hwcost.decisions import decisions
from hwcost.program import Model, most_units


def circuit_limits(case: Case) -> list[float]:
    """Continuous watts of every single circuit of the site; empty where none is stated."""
    return [c.continuous_w for c in case.scenario.circuits for _ in range(c.count)]


def plug_watts(build: Build) -> float:
    """What one machine of the unit takes from a circuit at most."""
    return build.peak_wall_w / build.nodes_per_unit


def counted(case: Case) -> list[Build]:
    """What counts as a new machine: everything that can be bought but upgrades of what is there."""
    return [b for b in case.buyable if not b.upgrade_of]


def units_of(build: Build, item: str) -> int:
    """How many of a catalog item one unit of the build takes: of a priced part, or of its case."""
    return sum(p.quantity for p in build.parts if p.item_id == item)


def add_site(model: Model) -> None:
    _add_circuits(model)
    racked = [b for b in counted(model.case) if b.chassis.rack_units]
    if model.case.scenario.rack_units is not None and racked:
        units = solver.total((b.chassis.rack_units or 0) * b.nodes_per_unit * model.bought(b) for b in racked)
        model.row("rack", units <= model.case.scenario.rack_units)


def _add_circuits(model: Model) -> None:
    case = model.case
    limits = circuit_limits(case)
    machines = [b for b in case.builds if b.service is None]
    for s in range(len(case.stages) if limits else 0):
        for n, build in enumerate(machines):
            for c, limit in enumerate(limits):
                fit = math.floor(limit / plug_watts(build) + 1e-9)
                model.on[build.id, c, s] = model.variable(fit, whole=True)
            placed = solver.total(model.on[build.id, c, s] for c in range(len(limits)))
            model.row(f"plugged{n}_{s}", placed - build.nodes_per_unit * model.nodes(build, s) == 0)
        loads = [solver.total(plug_watts(b) / limit * model.on[b.id, c, s] for b in machines)
                 for c, limit in enumerate(limits)]  # fmt: skip
        for c, load in enumerate(loads if machines else []):
            model.row(f"circuit{c}_{s}", load <= 1)
            if c and limits[c] == limits[c - 1]:  # like circuits in one order only, or every plan is there many times
                model.row(f"alike{c}_{s}", load - loads[c - 1] <= 0)


def add_choice(model: Model) -> None:
    """What an option or a question asks to be bought, how many machines and of how many kinds."""
    case, scenario = model.case, model.case.scenario
    if case.must_buy:
        model.row("must_buy", solver.total(model.bought(b) for b in case.buyable) >= 1)
    if case.include:
        model.row("include", solver.total(model.bought(b) for b in case.buyable if b.id in case.include) >= 1)
    for year in case.buy_years:
        bought = solver.total(model.buy[b.id, t] for b, t in case.purchases if t == year)
        model.row(f"buy_year{year}", bought >= 1)
    if case.fixed is not None:
        units = dict(case.fixed)
        for n, (build, year) in enumerate(case.purchases):
            if year == 0:
                model.row(f"fixed{n}", model.buy[build.id, 0] == units.get(build.id, 0))
    new = counted(case)
    if new:
        model.row("nodes", solver.total(b.nodes_per_unit * model.bought(b) for b in new) <= scenario.max_nodes)
    if len(new) > scenario.max_distinct_builds:
        use = {}
        for n, build in enumerate(new):
            use[build.id] = model.variable(1, whole=True)
            most = max((most_units(case, build, t) for t in case.purchase_years), default=0)
            model.row(f"used{n}", model.bought(build) - most * use[build.id] <= 0)
        model.row("distinct", solver.total(use.values()) <= scenario.max_distinct_builds)
    _add_hosts(model)
    _add_stock(model)


def _add_hosts(model: Model) -> None:
    """An upgraded machine is one of the owned ones; without `retire_owned` every one of them stays in use."""
    case = model.case
    for n, host in enumerate(b for b in case.build_set.builds if b.owned):
        upgrades = [b for b in case.buyable if b.upgrade_of == host.id]
        for s in range(len(case.stages)):
            kept = [model.kept[host.id, s]] if (host.id, s) in model.kept else []
            in_all = solver.total([*kept, *(model.nodes(b, s) for b in upgrades)])
            if kept and not case.scenario.retire_owned:
                model.row(f"host{n}_{s}", in_all == host.owned_count)
            elif upgrades:
                model.row(f"host{n}_{s}", in_all <= host.owned_count)


def _add_stock(model: Model) -> None:
    """What can be had of an item at most, and at least where any is ordered, over all years."""
    case, scenario = model.case, model.case.scenario
    for n, item in enumerate(sorted({*scenario.stock, *scenario.min_order})):
        using = [b for b in case.buyable if units_of(b, item)]
        if not using:
            continue
        units = solver.total(units_of(b, item) * model.bought(b) for b in using)
        most = sum(units_of(b, item) * most_units(case, b, t) for b in using for t in case.purchase_years)
        if item in scenario.stock:
            most = min(most, scenario.stock[item])
            model.row(f"stock{n}", units <= scenario.stock[item])
        if item in scenario.min_order:
            model.ordered[item] = model.variable(1, whole=True)
            model.row(f"order{n}", units - most * model.ordered[item] <= 0)
            model.row(f"least{n}", units - scenario.min_order[item] * model.ordered[item] >= 0)


def add_staff(model: Model) -> None:
    """Hours of upkeep and set-up that the group has in a year."""
    case, limit = model.case, model.case.scenario.staff_hours_limit_per_year
    if limit is None:
        return
    decided = decisions(case, model)
    machines = [b for b in case.builds if b.service is None]
    for year in range(case.scenario.horizon_years):
        hours = staff_hours(case.scenario, machines, decided, year)
        if hours:
            model.row(f"staff{year}", solver.total(hours) <= limit)
