"""The result: purchases, assignments, cost lines and checks, evaluated from the decisions without the solver.

Every rule is checked again in plain Python: met is `value <= limit + 1e-6 * max(1, |limit|)`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from hwcost.build import Build, Refusal
from hwcost.case import Case
from hwcost.climb import Solution, Stage
from hwcost.costs import CAPEX, OPEX, RESIDUAL, CostLine, cents, cost_lines, price_per_node
from hwcost.decisions import card_hours, decisions, ways_of
from hwcost.memory import limit_mib
from hwcost.model import PACK_SIZES, circuit_limits
from hwcost.strategy import Strategy

MET = 1e-6
MIB_PER_GIB = 1024.0
NOTHING = 1e-9  # a quantity below this is none


@dataclass(frozen=True)
class Purchase:
    """Nodes of one build, bought at the start of `year`, or owned ones that are kept (`owned`)."""

    build: Build
    nodes: int
    year: int
    unit_price: float  # one node, tax included
    unit_price_net: float
    owned: bool


@dataclass(frozen=True)
class Assignment:
    """Runs of one workload in one year by one way."""

    year: int
    strategy: Strategy
    runs: float
    card_hours: float


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


@dataclass(frozen=True)
class Totals:
    """Sums over the cost lines. `nominal` is undiscounted, all payers; `by_payer` splits it."""

    capex: float
    opex: float
    residual: float
    nominal: float
    present_value: float
    by_payer: dict[str, float]


@dataclass(frozen=True)
class Plan:
    """A finished plan. `status`: proven_optimal | best_found | infeasible | no_plan_found."""

    case: Case
    objective: str
    status: str
    gap: float | None
    seconds: float
    stages: tuple[Stage, ...]
    purchases: tuple[Purchase, ...]
    assignments: tuple[Assignment, ...]
    held: tuple[tuple[Strategy, int], ...]  # jobs held at once in a busy week
    shortfall: tuple[tuple[str, int, float], ...]  # workload, year, runs left out
    people: dict[str, int]  # people at once by workload
    cost_lines: tuple[CostLine, ...]
    totals: Totals
    checks: tuple[Check, ...]
    not_considered: tuple[Refusal, ...]

    @property
    def has_plan(self) -> bool:
        return self.status in ("proven_optimal", "best_found")

    @property
    def people_at_once(self) -> int:
        return sum(self.people.values())

    @property
    def budget_used(self) -> float:
        """Equipment money spent, on the budget's own tax basis."""
        gross = self.case.scenario.budget_tax_included
        return cents(math.fsum(p.nodes * (p.unit_price if gross else p.unit_price_net) for p in self.bought))

    @property
    def bought(self) -> tuple[Purchase, ...]:
        return tuple(p for p in self.purchases if not p.owned)

    def serves_all(self, *, must: bool) -> bool:
        """All runs of the musts, or of the wants, are done (or there are none), within the solver's tolerance."""
        share = self.served_share(must=must)
        return share is None or share >= 1.0 - MET

    @property
    def falls_short(self) -> bool:
        """Some of the work that must be done, or of the people who do it, is left out."""
        musts = [w for w in self.case.scenario.workloads if w.must]
        return not self.serves_all(must=True) or any(self.people.get(w.id, 0) < w.people_at_once for w in musts)

    def served_share(self, *, must: bool) -> float | None:
        """Share of the wanted runs that run, over the horizon, weighted by priority; None without such workloads."""
        scenario = self.case.scenario
        ids = [w for w in scenario.workloads if w.must == must]
        if not ids:
            return None
        missing = {(w, y): r for w, y, r in self.shortfall}
        weight = math.fsum(w.priority for w in ids) * scenario.horizon_years
        lost = math.fsum(
            w.priority * missing.get((w.id, y), 0.0) / max(w.runs(y), NOTHING)
            for w in ids for y in range(scenario.horizon_years)
        )  # fmt: skip
        return 1.0 - lost / weight


STATUS = {"proven": "proven_optimal", "best_found": "best_found", "infeasible": "infeasible", "none": "no_plan_found"}


def evaluate(case: Case, objective: str, solution: Solution) -> Plan:
    """The plan for the decisions of `solution`, every figure computed anew from them."""
    status = STATUS[solution.status]
    if solution.status not in ("proven", "best_found"):
        empty = Totals(0.0, 0.0, 0.0, 0.0, 0.0, {})
        return Plan(case, objective, status, None, solution.seconds, solution.stages, (), (), (), (), {}, (), empty, (),
                    case.build_set.not_considered)  # fmt: skip
    lines = _lines(case, solution)
    assignments = _assignments(case, solution)
    people = {w.id: sum(solution.place[i] for i in ways_of(case, workload=w.id)) for w in case.scenario.workloads}
    return Plan(
        case=case, objective=objective, status=status, gap=solution.gap, seconds=solution.seconds,
        stages=solution.stages, purchases=_purchases(case, solution), assignments=assignments,
        held=tuple((case.ways[i], n) for i, n in sorted(solution.place.items()) if n),
        shortfall=_shortfall(case, solution), people=people, cost_lines=lines, totals=totals(lines),
        checks=_checks(case, objective, solution, people), not_considered=case.build_set.not_considered,
    )  # fmt: skip


def _purchases(case: Case, solution: Solution) -> tuple[Purchase, ...]:
    return tuple(
        Purchase(b, solution.buy[b.id], 0, price_per_node(case.scenario, b),
                 price_per_node(case.scenario, b, tax_included=False), b.owned)
        for b in case.builds if solution.buy[b.id] > 0
    )  # fmt: skip


def _assignments(case: Case, solution: Solution) -> tuple[Assignment, ...]:
    found = []
    for p, years in enumerate(case.periods):
        for year in years:
            for i, way in enumerate(case.ways):
                share = solution.share[i, p]
                if share > NOTHING:
                    runs = share * case.workload_by_id[way.workload_id].runs(year)
                    found.append(Assignment(year, way, runs, share * card_hours(case, i, year)))
    return tuple(sorted(found, key=lambda a: (a.year, a.strategy.workload_id, a.strategy.build_id, a.strategy.cards)))


def _shortfall(case: Case, solution: Solution) -> tuple[tuple[str, int, float], ...]:
    found = []
    for workload in case.scenario.workloads:
        for p, years in enumerate(case.periods):
            share = solution.short[workload.id, p]
            found += [(workload.id, year, share * workload.runs(year)) for year in years if share > NOTHING]
    return tuple(sorted(found))


def _lines(case: Case, solution: Solution) -> tuple[CostLine, ...]:
    chosen = [b for b in case.builds if solution.buy[b.id] > 0]
    lines = cost_lines(case.scenario, chosen, decisions(case, solution.buy, solution.share))
    return tuple(line for line in lines if abs(line.quantity) > NOTHING)


def totals(lines: tuple[CostLine, ...]) -> Totals:
    """Sums of cost lines by group and by payer."""

    def amount(categories: tuple[str, ...]) -> float:
        return math.fsum(line.amount for line in lines if line.category in categories)

    payers = sorted({line.payer for line in lines})
    return Totals(
        capex=amount(CAPEX), opex=amount(OPEX), residual=amount(RESIDUAL),
        nominal=math.fsum(line.amount for line in lines),
        present_value=math.fsum(line.present_value for line in lines),
        by_payer={p: math.fsum(line.amount for line in lines if line.payer == p) for p in payers},
    )  # fmt: skip


def _checks(case: Case, objective: str, solution: Solution, people: dict[str, int]) -> tuple[Check, ...]:
    scenario = case.scenario
    hard = objective == "cost"
    bought = [b for b in case.builds if not b.owned]
    nodes = sum(solution.buy[b.id] for b in bought)
    spent = cents(math.fsum(solution.buy[b.id] * case.price_by_build[b.id] for b in bought))
    checks = []
    if scenario.budget is not None:
        checks.append(Check("budget", "", scenario.budget, spent, scenario.currency, "<=", True))
    checks.append(Check("max_nodes", "", scenario.max_nodes, nodes, "node", "<=", True))
    kinds = sum(1 for b in bought if solution.buy[b.id] > 0)
    checks.append(Check("distinct_builds", "", scenario.max_distinct_builds, kinds, "build", "<=", True))
    checks += _demand_checks(case, solution, people, hard)
    checks += _use_checks(case, solution)
    checks += _way_checks(case, solution)
    checks += _site_checks(case, solution)
    return tuple(checks)


def _demand_checks(case: Case, solution: Solution, people: dict[str, int], hard: bool) -> list[Check]:
    checks = []
    for workload in case.scenario.workloads:
        for p, years in enumerate(case.periods):
            assigned = math.fsum(solution.share[i, p] for i in ways_of(case, workload=workload.id))
            must = hard and workload.must
            label = f"{workload.id}, {_years(years)}"
            checks.append(Check("demand", label, 100.0, 100.0 * assigned, "%", ">=", must))
        checks.append(
            Check("people_at_once", workload.id, workload.people_at_once, people[workload.id], "person", ">=",
                  hard and workload.must)
        )  # fmt: skip
    return checks


def _years(years: tuple[int, ...]) -> str:
    return f"{years[0] + 1}" if len(years) == 1 else f"{years[0] + 1}-{years[-1] + 1}"


def _use_checks(case: Case, solution: Solution) -> list[Check]:
    scenario = case.scenario
    checks = []
    for build in case.builds:
        nodes = solution.buy[build.id]
        ways = ways_of(case, build=build.id)
        used = [i for i in ways if any(solution.share[i, p] > NOTHING for p in range(len(case.periods)))]
        if not nodes and not used:
            continue
        room = build.cards * scenario.available_hours_per_card_year * nodes
        for p, years in enumerate(case.periods):
            spent = math.fsum(card_hours(case, i, years[0]) * solution.share[i, p] for i in ways)
            checks.append(Check("card_hours", f"{build.id}, {_years(years)}", room, spent, "card-hour", "<=", True))
        for size in PACK_SIZES:
            jobs = [i for i in ways if case.ways[i].cards >= size]
            if jobs and size <= build.cards:
                held = sum(case.ways[i].cards * solution.place[i] for i in jobs)
                room = size * (build.cards // size) * nodes
                checks.append(Check("packing", f"{build.id}, {size}", room, held, "card", "<=", True))
    return checks


def _way_checks(case: Case, solution: Solution) -> list[Check]:
    """Memory and deadline of every way in use, as the plan runs it."""
    checks = []
    for i, way in enumerate(case.ways):
        if not solution.place[i] and not any(solution.share[i, p] > NOTHING for p in range(len(case.periods))):
            continue
        workload = case.workload_by_id[way.workload_id]
        card = case.build_by_id[way.build_id].card
        limit = limit_mib(card, case.scenario.memory_margin, workload.ecc_required) / MIB_PER_GIB
        label = f"{workload.id}, {way.build_id}, {way.cards}"
        checks.append(Check("memory", label, limit, way.memory_mib / MIB_PER_GIB, "GiB", "<=", True))
        if workload.max_hours_per_run is not None:
            checks.append(
                Check("deadline", label, workload.max_hours_per_run, way.hours_per_run, "hour", "<=", True)
            )  # fmt: skip
    return checks


def _site_checks(case: Case, solution: Solution) -> list[Check]:
    checks = []
    for c, limit in enumerate(circuit_limits(case)):
        load = math.fsum(b.peak_wall_w * solution.on[b.id, c] for b in case.builds)
        checks.append(Check("circuit_load", f"{c + 1}", limit, load, "W", "<=", True))
    if circuit_limits(case):
        plugged = sum(solution.on.values())
        nodes = sum(solution.buy.values())
        checks.append(Check("plugged", "", nodes, plugged, "node", ">=", True))
    if case.scenario.rack_units is not None:
        units = sum((b.chassis.rack_units or 0) * solution.buy[b.id] for b in case.builds if not b.owned)
        checks.append(Check("rack_units_total", "", case.scenario.rack_units, units, "U", "<=", True))
    return checks
