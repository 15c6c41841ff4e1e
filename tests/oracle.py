"""Brute force for small decisions, to prove the program's answers: its own formulas, ranges, matrices and order.

It shares nothing with the model but the records. Everything that could be bought is enumerated (also what the program
leaves out as beaten), jobs are packed node by node, nodes are put on circuits one by one, and the shares of demand are
solved by `scipy.optimize.linprog`, year by year rather than by groups of equal years.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.optimize import linprog
from small_cases import Small, node_price, to_cents

from hwcost.build import Build
from hwcost.strategy import Strategy

TIE = 1e-9
FULL = 1e-9
Vector = dict[str, float]
Jobs = tuple[int, int, int]  # jobs of 1, 2 and 4 cards held on the nodes of one build


@dataclass(frozen=True)
class Outcome:
    """The best vector under one objective, with one purchase that reaches it; `None` where nothing is allowed."""

    values: Vector
    buy: dict[str, int]


class Oracle:
    """Every purchase of one small case, with what it can do."""

    def __init__(self, case: Small) -> None:
        self.scenario, self.builds, self.ways = case.scenario, case.builds, case.ways
        self.years = range(case.scenario.horizon_years)
        self.musts = [w for w in case.scenario.workloads if w.must]
        self.wants = [w for w in case.scenario.workloads if not w.must]

    # ----- money, by hand -----

    def node_cost(self, node: Build) -> float:
        """Present value of owning one node without any work: all purchase, running and residual lines."""
        s = self.scenario
        d = 1.0 + s.discount_rate
        net = to_cents(sum(p.quantity * p.unit_price_net for p in node.parts))
        card = next((p.unit_price_net for p in node.parts if p.role == "card"), 0.0)
        cost = 0.0
        if not node.owned:
            goods = net + to_cents(s.freight_rate * net) + to_cents(s.installation_per_node)
            cost += goods + to_cents(s.tax_rate * goods)
            cost += s.staff_setup_hours_per_node * s.staff_wage_per_hour / d
            cost -= to_cents(s.residual_share * net) / d**s.horizon_years
        for year in self.years:
            running = node.idle_wall_w / 1000.0 * s.on_hours_per_year * s.pue * s.tariff_per_kwh
            running += s.staff_hours_per_node_year * s.staff_wage_per_hour + to_cents(s.hosting_per_node_year)
            if year >= s.warranty_years:
                running += to_cents(s.maintenance_rate * net) + node.cards * to_cents(s.failure_rate * card)
            cost += running / d ** (year + 1)
        return cost

    def work_cost(self, way: Strategy, year: int) -> float:
        """Present value of the energy of all runs of that year, if they all ran this way."""
        s = self.scenario
        node = self.by_id[way.build_id]
        kwh = node.busy_extra_wall_w_per_card / 1000.0 * s.pue * self.hours(way, year)
        return kwh * s.tariff_per_kwh / (1.0 + s.discount_rate) ** (year + 1)

    def hours(self, way: Strategy, year: int) -> float:
        workload = next(w for w in self.scenario.workloads if w.id == way.workload_id)
        runs = workload.runs_per_year * (1.0 + workload.growth_per_year) ** year
        return way.cards * way.hours_per_run * runs

    @cached_property
    def by_id(self) -> dict[str, Build]:
        return {b.id: b for b in self.builds}

    # ----- purchases -----

    @cached_property
    def purchases(self) -> list[dict[str, int]]:
        """Every purchase that money, nodes, kinds, rack and circuits allow."""
        return [buy for buy in self._counts() if self._allowed(buy)]

    def _counts(self) -> Iterator[dict[str, int]]:
        most = [b.owned_count if b.owned else self.scenario.max_nodes for b in self.builds]
        for counts in itertools.product(*(range(m + 1) for m in most)):
            yield {b.id: n for b, n in zip(self.builds, counts, strict=True) if n}

    def _allowed(self, buy: dict[str, int]) -> bool:
        s = self.scenario
        new = [(self.by_id[i], n) for i, n in buy.items() if not self.by_id[i].owned]
        if sum(n for _, n in new) > s.max_nodes or len(new) > s.max_distinct_builds:
            return False
        if s.budget is not None and self.spent(buy) > s.budget:
            return False
        units = sum(n * (b.chassis.rack_units or 0) for b, n in new)
        if s.rack_units is not None and units > s.rack_units:
            return False
        rooms = tuple(0.8 * c.volts * c.amps for c in s.circuits for _ in range(c.count))
        loads = sorted((self.by_id[i].peak_wall_w for i, n in buy.items() for _ in range(n)), reverse=True)
        return not rooms or _plug(loads, rooms)

    def spent(self, buy: dict[str, int]) -> float:
        """Purchase money, on the budget's tax basis; owned nodes cost nothing."""
        return round(sum(n * node_price(self.scenario, self.by_id[i]) for i, n in buy.items()), 2)

    # ----- people: jobs packed into nodes, card by card -----

    def people(self, buy: dict[str, int]) -> tuple[int, int]:
        """Most jobs held at once: of musts, and then of wants."""
        ids = list(buy)
        rooms = [_packings(self.by_id[i].cards, buy[i]) for i in ids]
        best: dict[tuple[Jobs, ...], tuple[int, int]] = {tuple((0, 0, 0) for _ in ids): (0, 0)}
        for workload in self.scenario.workloads:
            spots = [
                (ids.index(w.build_id), (1, 2, 4).index(w.cards))
                for w in self.ways if w.workload_id == workload.id and w.build_id in buy
            ]  # fmt: skip
            gain = (1, 0) if workload.must else (0, 1)
            for _ in range(workload.people_at_once):
                grown = dict(best)
                for held, score in best.items():
                    for spot, size in spots:
                        more = _one_more(held, spot, size)
                        new = (score[0] + gain[0], score[1] + gain[1])
                        if more[spot] in rooms[spot] and grown.get(more, (-1, -1)) < new:
                            grown[more] = new
                best = grown
        return max(best.values())

    # ----- shares of demand: linear programs -----

    def shares(self, buy: dict[str, int], goal: str, must_missing: float | None, want_missing: float | None) -> float:
        """Least of `goal` (must | want | energy) for a purchase; the other two are held where a value is given."""
        ways = [w for w in self.ways if w.build_id in buy]
        spots = [(w, y) for w in ways for y in self.years]
        lacks = [(w, y) for w in self.scenario.workloads for y in self.years]
        n = len(spots) + len(lacks)
        equal = np.zeros((len(lacks), n))
        for row, (workload, year) in enumerate(lacks):
            equal[row, len(spots) + row] = 1.0
            for column, (way, when) in enumerate(spots):
                equal[row, column] = float(way.workload_id == workload.id and when == year)
        rows, limits = [], []
        for build_id, count in buy.items():
            for year in self.years:
                room = count * self.by_id[build_id].cards * self.scenario.available_hours_per_card_year
                rows.append([
                    self.hours(w, y) / room if w.build_id == build_id and y == year else 0.0 for w, y in spots
                ] + [0.0] * len(lacks))  # fmt: skip
                limits.append(1.0)
        weights = {
            must: np.array([0.0] * len(spots) + [
                w.priority / len(self.years) if w.must == must else 0.0 for w, _ in lacks
            ])
            for must in (True, False)
        }  # fmt: skip
        for must, held in ((True, must_missing), (False, want_missing)):
            if held is not None:
                rows.append(list(weights[must]))
                limits.append(held + TIE)
        energy = np.array([self.work_cost(w, y) for w, y in spots] + [0.0] * len(lacks))
        cost = {"must": weights[True], "want": weights[False], "energy": energy}[goal]
        solved = linprog(
            cost, A_ub=np.array(rows) if rows else None, b_ub=limits or None, A_eq=equal, b_eq=np.ones(len(lacks)),
            bounds=(0.0, 1.0), method="highs-ds",
        )  # fmt: skip
        assert solved.status == 0, solved.message
        return max(0.0, float(solved.fun))

    # ----- capacity -----

    @cached_property
    def speed(self) -> dict[str, float]:
        """Speed of one card for the mix: reference hours of the part it can run, squared, over its own hours and all.

        The reference of a workload is the way of fewest card-hours over everything that could be bought or is owned.
        """
        best: dict[tuple[str, str], float] = {}
        for w in self.ways:
            key = (w.workload_id, w.build_id)
            best[key] = min(best.get(key, np.inf), w.cards * w.hours_per_run)
        reference: dict[str, float] = {}
        for (workload, _), hours in best.items():
            reference[workload] = min(reference.get(workload, np.inf), hours)
        runs = {w.id: w.runs_per_year for w in self.scenario.workloads}
        whole = sum(runs[w] * h for w, h in reference.items())
        speed = {}
        for b in self.builds:
            part = sum(runs[w] * h for w, h in reference.items() if (w, b.id) in best)
            own = sum(runs[w] * best[w, b.id] for w in reference if (w, b.id) in best)
            speed[b.id] = part**2 / (own * whole) if own else 0.0
        return speed

    def capacity(self, buy: dict[str, int]) -> float:
        """Thousand reference card-hours a year."""
        hours = self.scenario.available_hours_per_card_year / 1000.0
        return sum(n * self.by_id[i].cards * hours * self.speed[i] for i, n in buy.items())

    # ----- objectives -----

    @cached_property
    def must_missing(self) -> list[float]:
        return [self.shares(buy, "must", None, None) if self.musts else 0.0 for buy in self.purchases]

    @cached_property
    def held(self) -> list[tuple[int, int]]:
        return [self.people(buy) for buy in self.purchases]

    def best(self, objective: str) -> Outcome | None:
        """The best purchase: levels in their order, each the best among what the earlier ones left."""
        left = list(range(len(self.purchases)))
        values: Vector = {}
        if objective in ("cost", "spend"):
            peak = sum(w.people_at_once for w in self.musts)
            left = [i for i in left if self.must_missing[i] <= FULL and self.held[i][0] == peak]
            if left and objective == "spend":
                left = _keep(left, [self.spent(buy) for buy in self.purchases], values, "spend")
            return self._cheapest(values, left, full=True) if left else None
        if self.musts:
            left = _keep(left, self.must_missing, values, "must_demand")
            left = _keep(left, [-h[0] for h in self.held], values, "people_must")
            values["people_must"] = -values["people_must"]
        if objective == "budget":
            if self.wants:
                left = _keep(left, [-h[1] for h in self.held], values, "people_want")
                values["people_want"] = -values["people_want"]
                wanted = {
                    i: self.shares(self.purchases[i], "want", self.must_missing[i] if self.musts else None, None)
                    for i in left
                }
                left = _keep(left, wanted, values, "want_demand")
            size = {i: -self.capacity(self.purchases[i]) for i in left}
            left = _keep(left, size, values, "capacity")
            values["capacity"] = -values["capacity"]
        return self._cheapest(values, left, full=False)

    def _cheapest(self, values: Vector, left: list[int], *, full: bool) -> Outcome:
        fixed = {i: sum(n * self.node_cost(self.by_id[b]) for b, n in self.purchases[i].items()) for i in left}
        best, chosen = np.inf, left[0]
        for i in sorted(left, key=lambda i: fixed[i]):
            if fixed[i] >= best:
                break  # energy costs nothing less than 0
            must = (0.0 if full else self.must_missing[i]) if self.musts else None
            cost = fixed[i] + self.shares(self.purchases[i], "energy", must, values.get("want_demand"))
            if cost < best:
                best, chosen = cost, i
        return Outcome({**values, "cost": best}, self.purchases[chosen])


def _keep(left: list[int], level: list[float] | dict[int, float], values: Vector, name: str) -> list[int]:
    best = min(level[i] for i in left)
    values[name] = float(best)
    return [i for i in left if level[i] <= best + 1e-8 * max(1.0, abs(best))]


def _plug(loads: list[float], rooms: tuple[float, ...]) -> bool:
    """Whether every node finds a circuit that still carries it."""
    if not loads:
        return True
    return any(
        loads[0] <= room + 1e-9 and _plug(loads[1:], (*rooms[:c], room - loads[0], *rooms[c + 1 :]))
        for c, room in enumerate(rooms)
    )


def _packings(cards: int, nodes: int) -> set[Jobs]:
    """Every (jobs of 1, 2, 4 cards) that `nodes` nodes of `cards` cards hold, no job on two nodes."""
    one = {
        (a, b, c)
        for a in range(cards + 1) for b in range(cards // 2 + 1) for c in range(cards // 4 + 1)
        if a + 2 * b + 4 * c <= cards
    }  # fmt: skip
    total = {(0, 0, 0)}
    for _ in range(nodes):
        total = {(x[0] + y[0], x[1] + y[1], x[2] + y[2]) for x in total for y in one}
    return total


def _one_more(held: tuple[Jobs, ...], spot: int, size: int) -> tuple[Jobs, ...]:
    jobs = list(held[spot])
    jobs[size] += 1
    return (*held[:spot], (jobs[0], jobs[1], jobs[2]), *held[spot + 1 :])
