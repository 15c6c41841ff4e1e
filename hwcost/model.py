"""The mixed-integer program.

Sets        j builds (machines to buy, owned ones, upgrades of owned ones, services), w workloads, s ways (a workload
            on a build with k cards, shared by n jobs), t purchase years, g stages (years with the same machines),
            p periods (years of equal demand within a stage), y years, c circuits, f funds
Constants   D[w,p] runs a year, h[s] card-hours per run, k[s] cards of a job, N[j] cards of one machine of the unit,
            u[j] machines of the unit, H hours a card is there per year, L[j] weeks from order to use, B budget,
            price[j,t], peak[w] people at once, W[j] peak watts of a unit at the wall
Variables   buy[j,t]    integer, units bought at the start of year t      kept[j,g]  integer, owned machines in use
            x[s,p]      share of the demand of w in p that runs by way s  short[w,p] share left out
            place[s,g]  integer, jobs held at once by way s in a busy week
            cards[s,g]  integer, cards that the jobs of a shared way hold
            on[j,c,g]   integer, machines of j on circuit c               use[j]     binary, the build is bought at all
            in_use[j,p] binary, a service is used; unused[j,p] share of its minimum that is paid and not used
            first[w,p]  binary, the workload uses several cards from then on
            pay[f,use,y], worn[f,t]  money that a fund pays, and price whose depreciation it bears
            nodes[j,g]  = sum of buy[j,t] so far, or kept[j,g]: an expression, no variable
Rules       (1) demand        sum_s x[s,p] + short[w,p] = 1                        all w, p
                strong link   sum_{s of w on j} x[s,p] <= nodes[j,g]               all w, j, p
            (2) card-hours    sum_{s on j} h[s] D[w,p] x[s,p] <= u N H (nodes[j,g] - L/52 buy[j,t = year])   all j, p
                service       <= quota in_use[j,p];  unused >= in_use - hours / minimum
            (3) people        sum_{s of w} place[s,g] <= peak[w]; = peak[w] for musts when demand is a hard rule
                packing       sum_{s on j, k[s] >= q} k[s] place[s,g] <= nodes u q floor(N/q)    q = 1, 2, 4, 8
                              (job sizes divide one another, so filling by size is exact); a shared way counts
                              cards[s,g], n cards >= place; a job over several machines takes them whole, of one unit
                service       sum k[s] place[s,g] <= cards at once, where people can hold a card there at all
            (5) money         `money_rows.py`: budget, years of it, running budget, funds
            (6) site, (8) choice, staff  `site_rows.py`
            (10) several cards  sum of x and of place over ways with k[s] > 1 only from the period of first[w,p] on
Objectives  lexicographic, each level held while the next is solved:
            budget  must demand > people at once, musts > people at once, wants > want demand > capacity > cost
            serve   must demand > people at once, musts > cost
            cost    musts are hard rules (runs and people) > cost
            then, to make the answer unique: fewest units, lowest rank of builds, lowest rank of ways.
Cost        present value of all cost lines, every payer (`costs.cost_lines`, the same function as in the report).
"""

from __future__ import annotations

import math

from hwcost import solver
from hwcost.build import Build
from hwcost.case import Case
from hwcost.decisions import card_hours, ways_of
from hwcost.money_rows import add_budget, add_funds, add_payments, add_running
from hwcost.program import FINE, Held, Model, most_units
from hwcost.site_rows import add_choice, add_site, add_staff, circuit_limits
from hwcost.strategy import Strategy

__all__ = ["FINE", "PACK_SIZES", "Held", "Model", "build_model", "circuit_limits"]

PACK_SIZES = (1, 2, 4, 8)
WEEKS_PER_YEAR = 52.0
HARD_DEMAND = ("cost", "spend", "people", "exists")  # objectives under which the runs of the musts are hard rules
HARD_PEOPLE = ("cost", "spend", "exists")  # ... and their people at once too


def build_model(case: Case, objective: str, *, with_solver: str = "highs") -> Model:
    model = Model(case, solver.new_problem("plan"), with_solver)
    _add_variables(model)
    _add_demand(model, objective in HARD_DEMAND)
    _add_capacity(model)
    _add_services(model)
    _add_people(model, objective in HARD_PEOPLE)
    _add_packing(model)
    _add_several_cards(model)
    add_budget(model)
    add_choice(model)
    add_site(model)
    add_payments(model)
    add_staff(model)
    add_running(model)
    add_funds(model)
    return model


def _add_variables(model: Model) -> None:
    case = model.case
    for build, year in case.purchases:
        model.buy[build.id, year] = model.variable(most_units(case, build, year), whole=True)
    for build in case.builds:
        for s in range(len(case.stages) if build.owned else 0):
            model.kept[build.id, s] = model.variable(build.owned_count, whole=True)
    for i, way in enumerate(case.ways):
        # Jobs of one card need no integer variable: with whole nodes their rows form a transportation problem, whose
        # corners are whole; the last levels end on a corner, and the plan checks the rounded values again.
        whole = way.cards > 1 or way.sharers > 1
        most = _most_places(case, way)
        for s in range(len(case.stages)):
            model.place[i, s] = model.variable(most, whole=whole)
            if way.sharers > 1:
                model.cards[i, s] = model.variable(math.ceil(most / way.sharers), whole=True)
        for p in range(len(case.periods)):
            model.share[i, p] = model.variable(1)
    for workload in case.scenario.workloads:
        for p in range(len(case.periods)):
            model.short[workload.id, p] = model.variable(1)


def _most_places(case: Case, way: Strategy) -> int:
    """Jobs of this way that may be held at once: nobody holds a card of a service that only takes batch jobs."""
    peak = case.workload_by_id[way.workload_id].people_at_once
    service = case.build_by_id[way.build_id].service
    if service is None:
        return peak
    return min(peak, (service.cards_at_once or 0) // way.cards) if service.interactive else 0


def _add_demand(model: Model, hard: bool) -> None:
    case = model.case
    pairs: dict[tuple[str, str], list[int]] = {}
    for i, way in enumerate(case.ways):
        pairs.setdefault((way.workload_id, way.build_id), []).append(i)
    for n, workload in enumerate(case.scenario.workloads):
        ways = ways_of(case, workload=workload.id)
        for p in range(len(case.periods)):
            served = solver.total(model.share[i, p] for i in ways)
            model.row(f"demand{n}_{p}", FINE * (served + model.short[workload.id, p]) == FINE)
            if hard and workload.must:
                model.hold(f"must{n}_{p}", model.short[workload.id, p], 1.0, 0.0, 0.0, FINE)
    for n, ((_, name), together) in enumerate(pairs.items()):
        build = case.build_by_id[name]
        for p in range(len(case.periods) if build.service is None else 0):
            served = solver.total(model.share[i, p] for i in together)
            model.row(f"link{n}_{p}", FINE * (served - model.nodes(build, case.stage_of[p])) <= 0)


def _add_capacity(model: Model) -> None:
    case = model.case
    hours = case.scenario.available_hours_per_card_year
    for n, build in enumerate(case.builds):
        ways = ways_of(case, build=build.id)
        for p, years in enumerate(case.periods if build.service is None else ()):
            used = solver.total(card_hours(case, i, years[0]) / hours * model.share[i, p] for i in ways)
            there = build.cards * model.nodes(build, case.stage_of[p])
            missed = late_cards(build) * model.buy[build.id, years[0]] if (build.id, years[0]) in model.buy else 0.0
            model.row(f"hours{n}_{p}", FINE * (used - there + (missed if late_cards(build) else 0.0)) <= 0)


def late_cards(build: Build) -> float:
    """Cards' worth of hours that a unit misses in the year of its purchase, while it is on its way."""
    return build.cards * min(1.0, build.lead_weeks / WEEKS_PER_YEAR)


def _add_services(model: Model) -> None:
    """Quota, yearly cost of use, and hours that are paid at least."""
    case = model.case
    hours = case.scenario.available_hours_per_card_year
    for n, build in enumerate(case.services):
        service = build.service
        assert service is not None
        ways = ways_of(case, build=build.id)
        least, quota = service.minimum_card_hours_per_year, service.quota_card_hours_per_year
        for p, years in enumerate(case.periods):
            used = [card_hours(case, i, years[0]) for i in ways]
            total = solver.total(h / hours * model.share[i, p] for i, h in zip(ways, used, strict=True))
            in_use = 1.0
            if least or service.fixed_cost_per_year:
                in_use = model.in_use[build.id, p] = model.variable(1, whole=True)
                for i in ways:
                    model.row(f"serve{n}_{i}_{p}", FINE * (model.share[i, p] - in_use) <= 0)
            if least:
                unused = model.unused[build.id, p] = model.variable(1)
                model.row(f"least{n}_{p}", FINE * (least / hours * (in_use - unused) - total) <= 0)
            if quota is not None:
                model.row(f"quota{n}_{p}", FINE * (total - quota / hours * in_use) <= 0)


def _add_people(model: Model, hard: bool) -> None:
    case = model.case
    for s in range(len(case.stages)):
        for n, workload in enumerate(case.scenario.workloads):
            held = solver.total(model.place[i, s] for i in ways_of(case, workload=workload.id))
            model.row(f"people{n}_{s}", held <= workload.people_at_once)
            if hard and workload.must:
                model.row(f"people_must{n}_{s}", held >= workload.people_at_once)


def _add_packing(model: Model) -> None:
    case = model.case
    for (i, s), cards in model.cards.items():
        model.row(f"shared{i}_{s}", case.ways[i].sharers * cards - model.place[i, s] >= 0)
    for n, build in enumerate(case.builds):
        ways = ways_of(case, build=build.id)
        for s in range(len(case.stages)):
            if build.service is None:
                _pack_machines(model, n, build, ways, s)
            else:
                _pack_service(model, n, build, ways, s)


def _pack_machines(model: Model, n: int, build: Build, ways: tuple[int, ...], s: int) -> None:
    case = model.case
    machine = build.cards // build.nodes_per_unit
    single = [i for i in ways if case.ways[i].nodes == 1]
    several = [i for i in ways if case.ways[i].nodes > 1]
    nodes = model.nodes(build, s)
    for size in PACK_SIZES:
        large = [i for i in single if case.ways[i].cards >= size]
        if not (large or several) or size > machine:
            continue
        room = size * (machine // size)
        cards = [case.ways[i].cards * model.cards.get((i, s), model.place[i, s]) for i in large]
        whole = [room * case.ways[i].nodes * model.place[i, s] for i in several]
        model.row(f"pack{n}_{size}_{s}", solver.total(cards + whole) - build.nodes_per_unit * room * nodes <= 0)
    for span in sorted({case.ways[i].nodes for i in several}):
        wide = [i for i in several if case.ways[i].nodes >= span]
        held = solver.total(case.ways[i].nodes * model.place[i, s] for i in wide)
        model.row(f"span{n}_{span}_{s}", held - span * (build.nodes_per_unit // span) * nodes <= 0)


def _pack_service(model: Model, n: int, build: Build, ways: tuple[int, ...], s: int) -> None:
    """Cards that people hold at a service, in every period of the stage that it is used in."""
    case, service = model.case, build.service
    if service is None or not service.interactive or not service.cards_at_once or not ways:
        return
    held = solver.total(case.ways[i].cards * model.place[i, s] for i in ways)
    for p, stage in enumerate(case.stage_of):
        if stage == s:
            in_use = model.in_use.get((build.id, p), 1.0)
            model.row(f"hold{n}_{p}", held - service.cards_at_once * in_use <= 0)


def _add_several_cards(model: Model) -> None:
    """Work on several cards begins with the one-off set-up of its workload, if that costs hours."""
    case = model.case
    if not case.scenario.multi_card_setup_hours:
        return
    for n, workload in enumerate(case.scenario.workloads):
        ways = [i for i in ways_of(case, workload=workload.id) if case.ways[i].cards > 1]
        for p in range(len(case.periods) if ways else 0):
            model.first[workload.id, p] = model.variable(1, whole=True)
            begun = solver.total(model.first[workload.id, q] for q in range(p + 1))
            served = solver.total(model.share[i, p] for i in ways)
            model.row(f"several{n}_{p}", FINE * (served - begun) <= 0)
            held = solver.total(model.place[i, case.stage_of[p]] for i in ways)
            model.row(f"several_held{n}_{p}", held - workload.people_at_once * begun <= 0)
