"""The result: purchases, assignments, cost lines and checks, evaluated from the decisions without the solver.

Every rule is checked again in plain Python: met is `value <= limit + 1e-6 * max(1, |limit|)`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from hwcost.build import Build, Refusal
from hwcost.case import Case
from hwcost.checks import MET, Check, all_checks
from hwcost.costs import CAPEX, OPEX, RESIDUAL, CostLine, cents, cost_lines, price_per_node
from hwcost.decisions import bought_of, card_hours, decisions, nodes_of, ways_of
from hwcost.funding import tidy, with_funds
from hwcost.solution import Solution, Stage
from hwcost.strategy import Strategy

__all__ = ["Assignment", "Check", "Plan", "Purchase", "ServiceUse", "Totals", "evaluate", "totals"]

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
    nodes_by_year: tuple[int, ...] = ()  # in use in each year of the horizon


@dataclass(frozen=True)
class ServiceUse:
    """Card-hours of a service in one year; `amount` is what is paid for them and for the year of use."""

    build: Build
    year: int
    card_hours: float
    amount: float


@dataclass(frozen=True)
class Assignment:
    """Runs of one workload in one year by one way."""

    year: int
    strategy: Strategy
    runs: float
    card_hours: float


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
    people: dict[str, int]  # people at once by workload, in the year with the fewest
    cost_lines: tuple[CostLine, ...]
    totals: Totals
    checks: tuple[Check, ...]
    not_considered: tuple[Refusal, ...]
    services: tuple[ServiceUse, ...] = ()
    people_by_year: tuple[dict[str, int], ...] = ()
    solver: str = "highs"  # one of `solver.SOLVERS`: what ran
    solution: Solution | None = None  # the decisions, for the same ones under other conditions

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
                    case.build_set.not_considered, solution=solution)  # fmt: skip
    decided, solution = solution, tidy(case, solution)
    lines = _lines(case, solution)
    by_stage = [_people(case, solution, s) for s in range(len(case.stages))]
    stage_of_year = {year: s for s, years in enumerate(case.stages) for year in years}
    return Plan(
        case=case, objective=objective, status=status, gap=solution.gap, seconds=solution.seconds,
        stages=solution.stages, purchases=_purchases(case, solution), assignments=_assignments(case, solution),
        held=_held(case, solution), shortfall=_shortfall(case, solution),
        people=_fewest(case, by_stage), cost_lines=lines,
        totals=totals(lines), checks=all_checks(case, objective, solution, lines),
        not_considered=case.build_set.not_considered, services=_services(case, lines, solution),
        people_by_year=tuple(by_stage[stage_of_year[year]] for year in range(case.scenario.horizon_years)),
        solution=decided,
    )  # fmt: skip


def _people(case: Case, solution: Solution, stage: int) -> dict[str, int]:
    return {w.id: sum(solution.place[i, stage] for i in ways_of(case, workload=w.id)) for w in case.scenario.workloads}


def _fewest(case: Case, by_stage: list[dict[str, int]]) -> dict[str, int]:
    """People in the stage with the fewest people of the musts, then of all: they may take turns from year to year."""
    musts = [w.id for w in case.scenario.workloads if w.must]
    return min(by_stage, key=lambda people: (sum(people[w] for w in musts), sum(people.values())))


def _held(case: Case, solution: Solution) -> tuple[tuple[Strategy, int], ...]:
    """Jobs held at once in the stage in which most are, the last one of them."""
    most = max(range(len(case.stages)), key=lambda s: (sum(_people(case, solution, s).values()), s))
    return tuple((case.ways[i], n) for (i, s), n in sorted(solution.place.items()) if n and s == most)


def _purchases(case: Case, solution: Solution) -> tuple[Purchase, ...]:
    """By build, then by year; owned machines that are kept in any year count once, with the most that are."""
    found = []
    years = range(case.scenario.horizon_years)
    for build in case.builds:
        if build.owned:
            kept = tuple(solution.kept[build.id, s] for year in years for s, stage in enumerate(case.stages)
                         if year in stage)  # fmt: skip
            if max(kept):
                found.append(Purchase(build, max(kept), 0, 0.0, 0.0, True, kept))
            continue
        for year in case.purchase_years:
            if nodes := solution.buy.get((build.id, year), 0):
                gross, net = (price_per_node(case.scenario, build, tax_included=t, year=year) for t in (True, False))
                there = tuple(nodes if y >= year else 0 for y in years)
                found.append(Purchase(build, nodes, year, gross, net, False, there))
    return tuple(found)


def _services(case: Case, lines: tuple[CostLine, ...], solution: Solution) -> tuple[ServiceUse, ...]:
    """Years in which a service is used or paid for."""
    found = []
    for build in case.services:
        for p, years in enumerate(case.periods):
            for year in years:
                ways = ways_of(case, build=build.id)
                hours = math.fsum(card_hours(case, i, year) * solution.share[i, p] for i in ways)
                own = [x for x in lines if x.build_id == build.id and x.year == year]
                if hours > NOTHING or own:
                    found.append(ServiceUse(build, year, hours, math.fsum(x.amount for x in own)))
    return tuple(sorted(found, key=lambda u: (u.build.id, u.year)))


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
    chosen = [b for b in case.builds if b.service is not None or _there(case, solution, b)]
    lines = cost_lines(case.scenario, chosen, decisions(case, solution))
    return tuple(with_funds(case, solution, [line for line in lines if abs(line.quantity) > NOTHING]))


def _there(case: Case, solution: Solution, build: Build) -> bool:
    in_use = any(nodes_of(case, solution, build, s) > 0 for s in range(len(case.stages)))
    return in_use or bought_of(solution, build, case.purchase_years) > 0


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
