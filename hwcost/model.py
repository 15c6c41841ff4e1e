"""The mixed-integer program.

Sets        j builds, w workloads, s ways (a workload on a build with k cards), p periods (years of equal demand),
            c circuits
Constants   D[w,p] runs a year, h[s] card-hours per run, k[s] cards of a job, N[j] cards of a node, H hours a card is
            there per year, B budget, price[j], peak[w] people at once, W[j] peak watts at the wall
Variables   buy[j]      integer, nodes bought at the start (owned builds: nodes kept, at no price)
            use[j]      binary, the build is bought at all
            x[s,p]      share of the demand of w in p that runs by way s
            short[w,p]  share left out
            place[s]    integer, jobs held at once by way s in a busy week
            on[j,c]     integer, nodes of j on circuit c
Rules       (1) demand        sum_s x[s,p] + short[w,p] = 1                        all w, p
                strong link   sum_{s of w on j} x[s,p] <= buy[j]                   all w, j, p
            (2) card-hours    sum_{s on j} h[s] D[w,p] x[s,p] <= N[j] H buy[j]     all j, p
            (3) people        sum_{s of w} place[s] <= peak[w]; = peak[w] for musts when demand is a hard rule
                packing       sum_{s on j, k[s] >= q} k[s] place[s] <= buy[j] q floor(N[j]/q)    q = 1, 2, 4, 8
                              (job sizes divide one another, so filling by size is exact)
            (5) budget        sum_j price[j] buy[j] <= B
            (6) site          sum_j W[j] on[j,c] <= 0.8 V A;  sum_c on[j,c] = buy[j];  rack units; number of nodes
            (8) choice        sum_j use[j] <= distinct builds (owned ones do not count)
Objectives  lexicographic, each level held while the next is solved:
            budget  must demand > people at once, musts > people at once, wants > want demand > capacity > cost
            serve   must demand > people at once, musts > cost
            cost    musts are hard rules (runs and people) > cost
            then, to make the answer unique: fewest nodes, lowest rank of builds, lowest rank of ways.
Cost        present value of all cost lines, every payer (`costs.cost_lines`, the same function as in the report).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from hwcost import solver
from hwcost.case import Case
from hwcost.decisions import card_hours, ways_of

PACK_SIZES = (1, 2, 4, 8)
FINE = 1000.0  # rows of shares are written in thousandths: a millionth of tolerance there is worth whole cents
HARD_DEMAND = ("cost", "spend", "people", "exists")  # objectives under which the runs of the musts are hard rules
HARD_PEOPLE = ("cost", "spend", "exists")  # ... and their people at once too


@dataclass(frozen=True)
class Held:
    """A row that keeps an earlier level: `limit` without slack, in its own scale; `toward` is the slack's sign."""

    row: str
    limit: float
    slack: float
    scale: float
    toward: float


@dataclass
class Model:
    """The problem with its variables, by build id, way index and period index."""

    case: Case
    problem: Any
    buy: dict[str, Any] = field(default_factory=dict)
    share: dict[tuple[int, int], Any] = field(default_factory=dict)
    short: dict[tuple[str, int], Any] = field(default_factory=dict)
    place: dict[int, Any] = field(default_factory=dict)
    on: dict[tuple[str, int], Any] = field(default_factory=dict)
    held: list[Held] = field(default_factory=list)
    made: int = 0

    def variable(self, high: float, *, whole: bool = False) -> Any:
        """A variable from 0 to `high`. Its name keeps the order of making: PuLP 3 sorts by name, PuLP 4 does not."""
        self.made += 1
        return self.problem.add_variable(f"v{self.made:06d}", 0, high, cat="Integer" if whole else "Continuous")

    def row(self, name: str, condition: Any) -> None:
        self.problem.addConstraint(condition, name)

    def hold(self, name: str, expression: Any, sense: float, value: float, slack: float, scale: float) -> None:
        """Keep `expression` at `value`: at most (`sense` 1) or at least (-1), but for `slack`."""
        limit = scale * value
        edge = limit + sense * scale * slack
        self.row(name, scale * expression <= edge if sense > 0 else scale * expression >= edge)
        self.held.append(Held(name, limit, slack, scale, sense))


def build_model(case: Case, objective: str) -> Model:
    model = Model(case, solver.new_problem("plan"))
    _add_variables(model)
    _add_demand(model, objective in HARD_DEMAND)
    _add_capacity(model)
    _add_people(model, objective in HARD_PEOPLE)
    _add_money_and_choice(model)
    _add_site(model)
    return model


def _most_nodes(case: Case, build_id: str) -> int:
    """A finite bound on every purchase: the number of nodes, the budget and the rack."""
    build = case.build_by_id[build_id]
    if build.owned:
        return build.owned_count
    scenario = case.scenario
    most = scenario.max_nodes
    price = case.price_by_build[build_id]
    if scenario.budget is not None and price > 0:
        most = min(most, math.floor((scenario.budget + 1e-6) / price))
    if scenario.rack_units is not None and build.chassis.rack_units:
        most = min(most, scenario.rack_units // build.chassis.rack_units)
    return max(0, most)


def _add_variables(model: Model) -> None:
    case = model.case
    for build in case.builds:
        model.buy[build.id] = model.variable(_most_nodes(case, build.id), whole=True)
    for i, way in enumerate(case.ways):
        peak = case.workload_by_id[way.workload_id].people_at_once
        # Jobs of one card need no integer variable: with whole nodes their rows form a transportation problem, whose
        # corners are whole; the last levels end on a corner, and the plan checks the rounded values again.
        model.place[i] = model.variable(peak, whole=way.cards > 1)
        for p in range(len(case.periods)):
            model.share[i, p] = model.variable(1)
    for workload in case.scenario.workloads:
        for p in range(len(case.periods)):
            model.short[workload.id, p] = model.variable(1)


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
    for n, ((_, build), together) in enumerate(pairs.items()):
        for p in range(len(case.periods)):
            served = solver.total(model.share[i, p] for i in together)
            model.row(f"link{n}_{p}", FINE * (served - model.buy[build]) <= 0)


def _add_capacity(model: Model) -> None:
    case = model.case
    hours = case.scenario.available_hours_per_card_year
    for n, build in enumerate(case.builds):
        ways = ways_of(case, build=build.id)
        for p, years in enumerate(case.periods):
            used = solver.total(card_hours(case, i, years[0]) / hours * model.share[i, p] for i in ways)
            model.row(f"hours{n}_{p}", FINE * (used - build.cards * model.buy[build.id]) <= 0)


def _add_people(model: Model, hard: bool) -> None:
    case = model.case
    for n, workload in enumerate(case.scenario.workloads):
        held = solver.total(model.place[i] for i in ways_of(case, workload=workload.id))
        model.row(f"people{n}", held <= workload.people_at_once)
        if hard and workload.must:
            model.row(f"people_must{n}", held >= workload.people_at_once)
    for n, build in enumerate(case.builds):
        ways = ways_of(case, build=build.id)
        for size in PACK_SIZES:
            large = [i for i in ways if case.ways[i].cards >= size]
            if not large or size > build.cards:
                continue
            cards = solver.total(case.ways[i].cards * model.place[i] for i in large)
            room = size * (build.cards // size)
            model.row(f"pack{n}_{size}", cards - room * model.buy[build.id] <= 0)


def _add_money_and_choice(model: Model) -> None:
    case, scenario = model.case, model.case.scenario
    bought = [b for b in case.builds if not b.owned]
    spent = solver.total(case.price_by_build[b.id] * model.buy[b.id] for b in bought)
    if scenario.budget is not None and bought:
        model.row("budget", spent <= float(scenario.budget))
    if case.must_buy:
        model.row("must_buy", solver.total(model.buy[b.id] for b in bought) >= 1)
    if case.include:
        model.row("include", solver.total(model.buy[b.id] for b in bought if b.id in case.include) >= 1)
    if bought:
        model.row("nodes", solver.total(model.buy[b.id] for b in bought) <= scenario.max_nodes)
    if len(bought) > scenario.max_distinct_builds:
        use = {}
        for n, build in enumerate(bought):
            use[build.id] = model.variable(1, whole=True)
            most = _most_nodes(case, build.id)
            model.row(f"used{n}", model.buy[build.id] - most * use[build.id] <= 0)
        model.row("distinct", solver.total(use.values()) <= scenario.max_distinct_builds)


def circuit_limits(case: Case) -> list[float]:
    """Continuous watts of every single circuit of the site; empty where none is stated."""
    return [c.continuous_w for c in case.scenario.circuits for _ in range(c.count)]


def _add_site(model: Model) -> None:
    case = model.case
    limits = circuit_limits(case)
    for n, build in enumerate(case.builds):
        if not limits:
            break
        for c, limit in enumerate(limits):
            fit = math.floor(limit / build.peak_wall_w + 1e-9)
            model.on[build.id, c] = model.variable(fit, whole=True)
        placed = solver.total(model.on[build.id, c] for c in range(len(limits)))
        model.row(f"plugged{n}", placed - model.buy[build.id] == 0)
    loads = [solver.total(b.peak_wall_w / limit * model.on[b.id, c] for b in case.builds)
             for c, limit in enumerate(limits)]  # fmt: skip
    for c, load in enumerate(loads if case.builds else []):
        model.row(f"circuit{c}", load <= 1)
        if c and limits[c] == limits[c - 1]:  # like circuits in one order only, or every plan would be there many times
            model.row(f"alike{c}", load - loads[c - 1] <= 0)
    racked = [b for b in case.builds if b.chassis.rack_units and not b.owned]
    if case.scenario.rack_units is not None and racked:
        units = solver.total((b.chassis.rack_units or 0) * model.buy[b.id] for b in racked)
        model.row("rack", units <= case.scenario.rack_units)
