"""Every rule of the plan checked again in plain Python: met is `value <= limit + 1e-6 * max(1, |limit|)`.

Nothing here reads the solver's rows. Rules that the scenario does not state have no check.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from hwcost.case import Case
from hwcost.costs import CostLine, cents, staff_hours
from hwcost.decisions import bought_of, card_hours, decisions, nodes_of, ways_of
from hwcost.funding import charges, service_hours, uncovered
from hwcost.funds import RUNNING, delivery, equipment_funds, limits
from hwcost.memory import limit_mib
from hwcost.model import PACK_SIZES, circuit_limits, late_cards
from hwcost.money_rows import equipment_limits
from hwcost.site_rows import counted, plug_watts, units_of
from hwcost.solution import Solution

MET = 1e-6
MIB_PER_GIB = 1024.0
NOTHING = 1e-9  # a quantity below this is none


@dataclass(frozen=True)
class Check:
    """One rule, its limit and the plan's value. `sense` is <= or >=."""

    rule: str
    subject: str  # build, workload, circuit or year the rule is about; empty: the whole plan
    limit: float
    value: float
    unit: str
    sense: str
    hard: bool  # a hard rule must hold; a soft one says what is left out

    @property
    def ok(self) -> bool:
        slack = MET * max(1.0, abs(self.limit))
        return self.value <= self.limit + slack if self.sense == "<=" else self.value >= self.limit - slack


def all_checks(case: Case, objective: str, solution: Solution, lines: Sequence[CostLine]) -> tuple[Check, ...]:
    """Every rule with its limit and the plan's value; `lines` carry their funds."""
    hard = objective == "cost"
    return (
        *_choice_checks(case, solution), *_year_checks(case, solution, lines), *_fund_checks(case, lines),
        *_demand_checks(case, solution, hard), *_use_checks(case, solution), *_service_checks(case, solution),
        *_way_checks(case, solution), *_site_checks(case, solution), *_order_checks(case, solution),
    )  # fmt: skip


def years_text(years: Sequence[int]) -> str:
    """Years of the plan, counted from 1."""
    return f"{years[0] + 1}" if len(years) == 1 else f"{years[0] + 1}-{years[-1] + 1}"


def _choice_checks(case: Case, solution: Solution) -> list[Check]:
    scenario = case.scenario
    spent = cents(math.fsum(n * case.price(case.build_by_id[b], t) for (b, t), n in solution.buy.items()))
    new = {b.id: bought_of(solution, b, case.purchase_years) for b in counted(case)}
    nodes = sum(case.build_by_id[b].nodes_per_unit * n for b, n in new.items())
    checks = []
    if scenario.budget is not None:
        checks.append(Check("budget", "", scenario.budget, spent, scenario.currency, "<=", True))
    checks.append(Check("max_nodes", "", scenario.max_nodes, nodes, "node", "<=", True))
    kinds = sum(1 for n in new.values() if n > 0)
    checks.append(Check("distinct_builds", "", scenario.max_distinct_builds, kinds, "build", "<=", True))
    return checks


def _year_checks(case: Case, solution: Solution, lines: Sequence[CostLine]) -> list[Check]:
    """Equipment money that has come, running cost that the lab pays, and hours of the group, year by year."""
    scenario = case.scenario
    checks = []
    spent = [0.0] * scenario.horizon_years
    for (build, year), units in solution.buy.items():
        spent[year] += units * case.price(case.build_by_id[build], year)
    for year, given in equipment_limits(scenario.equipment_per_year, scenario.horizon_years):
        first = 0 if scenario.equipment_carry_over else year
        value = cents(math.fsum(spent[first : year + 1]))
        limit = math.fsum(given[first : year + 1])
        checks.append(Check("equipment_year", years_text([year]), limit, value, scenario.currency, "<=", True))
    if scenario.running_budget_per_year is not None:
        for year in range(scenario.horizon_years):
            paid = math.fsum(
                x.amount for x in lines if x.year == year and x.payer == "lab" and x.category in RUNNING
            )  # fmt: skip
            limit = scenario.running_budget_per_year
            checks.append(Check("running_budget", years_text([year]), limit, paid, scenario.currency, "<=", True))
    if scenario.staff_hours_limit_per_year is not None:
        decided = decisions(case, solution)
        machines = [b for b in case.builds if b.service is None]
        for year in range(scenario.horizon_years):
            hours = math.fsum(staff_hours(scenario, machines, decided, year))
            limit = scenario.staff_hours_limit_per_year
            checks.append(Check("staff_hours", years_text([year]), limit, hours, "hour", "<=", True))
    return checks


def _fund_checks(case: Case, lines: Sequence[CostLine]) -> list[Check]:
    """What each fund is charged against what has come, and that nothing is left without a fund that may pay it."""
    scenario = case.scenario
    checks = []
    for fund in scenario.funds:
        charged = charges(case, fund, lines)
        for year, counted_years, limit in limits(fund, scenario.horizon_years):
            value = math.fsum(charged[y] for y in counted_years)
            subject = f"{fund.id}, {years_text([year])}"
            checks.append(Check("fund", subject, limit, value, scenario.currency, "<=", True))
    left = uncovered(case, lines) if scenario.funds else {}
    return checks + [Check("fund_use", use, 0.0, left[use], scenario.currency, "<=", True) for use in sorted(left)]


def _demand_checks(case: Case, solution: Solution, hard: bool) -> list[Check]:
    checks = []
    for workload in case.scenario.workloads:
        must = hard and workload.must
        ways = ways_of(case, workload=workload.id)
        for p, years in enumerate(case.periods):
            assigned = math.fsum(solution.share[i, p] for i in ways)
            label = f"{workload.id}, {years_text(years)}"
            checks.append(Check("demand", label, 100.0, 100.0 * assigned, "%", ">=", must))
        for s, years in enumerate(case.stages):
            held = sum(solution.place[i, s] for i in ways)
            label = workload.id if len(case.stages) == 1 else f"{workload.id}, {years_text(years)}"
            checks.append(Check("people_at_once", label, workload.people_at_once, held, "person", ">=", must))
    return checks


def _use_checks(case: Case, solution: Solution) -> list[Check]:
    """Card-hours and places on every machine that is there or used."""
    checks = []
    for build in case.builds:
        ways = ways_of(case, build=build.id)
        used = any(solution.share[i, p] > NOTHING for i in ways for p in range(len(case.periods)))
        there = any(nodes_of(case, solution, build, s) for s in range(len(case.stages))) if not build.service else 0
        if build.service is not None or not (there or used):
            continue
        hours = case.scenario.available_hours_per_card_year
        for p, years in enumerate(case.periods):
            late = late_cards(build) * solution.buy.get((build.id, years[0]), 0)
            room = hours * (build.cards * nodes_of(case, solution, build, case.stage_of[p]) - late)
            spent = math.fsum(card_hours(case, i, years[0]) * solution.share[i, p] for i in ways)
            label = f"{build.id}, {years_text(years)}"
            checks.append(Check("card_hours", label, room, spent, "card-hour", "<=", True))
        for s in range(len(case.stages)):
            checks += _packing_checks(case, solution, build.id, s)
    return checks


def _packing_checks(case: Case, solution: Solution, name: str, stage: int) -> list[Check]:
    build = case.build_by_id[name]
    nodes = nodes_of(case, solution, build, stage)
    machine, machines = build.cards // build.nodes_per_unit, build.nodes_per_unit
    jobs = [(case.ways[i], solution.place[i, stage]) for i in ways_of(case, build=name)]
    label = name if len(case.stages) == 1 else f"{name}, {years_text(case.stages[stage])}"
    checks = []
    for size in PACK_SIZES:
        single = [(way, n) for way, n in jobs if way.nodes == 1 and way.cards >= size]
        wide = [(way, n) for way, n in jobs if way.nodes > 1]
        if (single or wide) and size <= machine:
            whole = size * (machine // size)
            held = sum(way.cards * math.ceil(n / way.sharers) for way, n in single)
            held += sum(whole * way.nodes * n for way, n in wide)
            room = whole * machines * nodes
            checks.append(Check("packing", f"{label}, {size}", room, held, "card", "<=", True))
    for span in sorted({way.nodes for way, _ in jobs if way.nodes > 1}):
        taken = sum(way.nodes * n for way, n in jobs if way.nodes >= span)
        checks.append(Check("packing", label, span * (machines // span) * nodes, taken, "node", "<=", True))
    return checks


def _service_checks(case: Case, solution: Solution) -> list[Check]:
    checks = []
    for build in case.services:
        service, ways = build.service, ways_of(case, build=build.id)
        if service is None:
            continue
        for p, years in enumerate(case.periods):
            used = service_hours(case, solution, build.id, p)
            paid_for = solution.in_use.get((build.id, p), 1)
            label = f"{build.id}, {years_text(years)}"
            if service.quota_card_hours_per_year is not None:
                limit = service.quota_card_hours_per_year * paid_for
                checks.append(Check("service_quota", label, limit, used, "card-hour", "<=", True))
            elif not paid_for:
                checks.append(Check("service_quota", label, 0.0, used, "card-hour", "<=", True))
            held = sum(case.ways[i].cards * solution.place[i, case.stage_of[p]] for i in ways)
            limit = (service.cards_at_once or 0) * paid_for if service.interactive else 0
            if held or service.interactive:
                checks.append(Check("service_cards", label, limit, held, "card", "<=", True))
    return checks


def _way_checks(case: Case, solution: Solution) -> list[Check]:
    """Memory and deadline of every way in use, as the plan runs it, and that several cards were set up before."""
    checks = []
    periods = range(len(case.periods))
    for i, way in enumerate(case.ways):
        held = any(solution.place[i, s] for s in range(len(case.stages)))
        if not held and not any(solution.share[i, p] > NOTHING for p in periods):
            continue
        workload = case.workload_by_id[way.workload_id]
        card = case.build_by_id[way.build_id].card
        limit = limit_mib(card, case.scenario.memory_margin, workload.ecc_required) / MIB_PER_GIB
        label = f"{workload.id}, {way.build_id}, {way.cards}"
        checks.append(Check("memory", label, limit, way.memory_mib / MIB_PER_GIB, "GiB", "<=", True))
        if workload.max_hours_per_run is not None:
            hours = way.hours_per_run + way.wait_hours
            checks.append(Check("deadline", label, workload.max_hours_per_run, hours, "hour", "<=", True))
        if way.cards > 1 and case.scenario.multi_card_setup_hours:
            used = [p for p in periods if solution.share[i, p] > NOTHING or solution.place[i, case.stage_of[p]]]
            begun = sum(solution.first.get((workload.id, p), 0) for p in range(used[0] + 1))
            checks.append(Check("multi_card_setup", workload.id, 1.0, begun, "share", ">=", True))
    return checks


def _site_checks(case: Case, solution: Solution) -> list[Check]:
    checks = []
    machines = [b for b in case.builds if b.service is None]
    single = len(case.stages) == 1
    for s, years in enumerate(case.stages if circuit_limits(case) else ()):
        for c, limit in enumerate(circuit_limits(case)):
            load = math.fsum(plug_watts(b) * solution.on[b.id, c, s] for b in machines)
            label = f"{c + 1}" if single else f"{c + 1}, {years_text(years)}"
            checks.append(Check("circuit_load", label, limit, load, "W", "<=", True))
        plugged = sum(n for (_, _, stage), n in solution.on.items() if stage == s)
        nodes = sum(b.nodes_per_unit * nodes_of(case, solution, b, s) for b in machines)
        checks.append(Check("plugged", "" if single else years_text(years), nodes, plugged, "node", ">=", True))
    if case.scenario.rack_units is not None:
        units = sum(
            (b.chassis.rack_units or 0) * b.nodes_per_unit * bought_of(solution, b, case.purchase_years)
            for b in counted(case)
        )
        checks.append(Check("rack_units_total", "", case.scenario.rack_units, units, "U", "<=", True))
    return checks


def _order_checks(case: Case, solution: Solution) -> list[Check]:
    """Stock and least orders, machines to upgrade, and deliveries before the money ends."""
    scenario = case.scenario
    checks = []
    for item in sorted({*scenario.stock, *scenario.min_order}):
        units = sum(units_of(b, item) * bought_of(solution, b, case.purchase_years) for b in case.buyable)
        if item in scenario.stock:
            checks.append(Check("stock", item, scenario.stock[item], units, "piece", "<=", True))
        if item in scenario.min_order and units:
            checks.append(Check("min_order", item, scenario.min_order[item], units, "piece", ">=", True))
    for host in (b for b in case.build_set.builds if b.owned):
        upgrades = [b for b in case.buyable if b.upgrade_of == host.id]
        for s in range(len(case.stages) if upgrades else 0):
            kept = solution.kept.get((host.id, s), 0)
            in_all = kept + sum(nodes_of(case, solution, b, s) for b in upgrades)
            checks.append(Check("owned_hosts", host.id, host.owned_count, in_all, "node", "<=", True))
    return checks + _delivery_checks(case, solution)


def _delivery_checks(case: Case, solution: Solution) -> list[Check]:
    """Days from today to the delivery of what is bought, against the last day of the money that may pay it."""
    scenario = case.scenario
    checks = []
    for (name, year), units in sorted(solution.buy.items()):
        build = case.build_by_id[name]
        ends = [f.spend_by for f in equipment_funds(scenario, build, year)] if scenario.funds else [scenario.spend_by]
        if units and ends and None not in ends:
            last = max(day for day in ends if day is not None)
            days = (delivery(scenario, build, year) - scenario.as_of).days
            checks.append(Check("spend_by", name, (last - scenario.as_of).days, days, "day", "<=", True))
    return checks
