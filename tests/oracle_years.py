"""Brute force for small decisions over years: purchases in any year, services, upgrades, shared cards, funds.

Shares nothing with the program but the records: own formulas, ranges, matrices. Every purchase by year, every number of
owned machines kept, every year of use of a service and every first year on several cards are enumerated; people are
seated one by one on single machines; what is continuous (shares of demand, unused hours, who pays) is solved by
`scipy.optimize.linprog`, each year for itself.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from oracle import _plug
from oracle_shares import Shares
from small_cases import Small, to_cents

from hwcost.build import Build
from hwcost.scenario import Fund
from hwcost.strategy import Strategy

FULL = 1e-7
Seats = list[tuple[str, list[int]]]  # of each unit: free cards of its machines


@dataclass(frozen=True)
class Choice:
    """The whole numbers of a plan: units by (build, year), owned machines kept, services in use, first years."""

    buy: dict[tuple[str, int], int]
    kept: dict[tuple[str, int], int]
    used: frozenset[tuple[str, int]]
    first: dict[str, int]  # workload -> first year on several cards


@dataclass(frozen=True)
class Best:
    """Least missing demand of the musts (mean over years, weighted), most people of the musts (mean), least cost."""

    missing: float
    people: float
    cost: float
    choice: Choice


class YearsOracle:
    def __init__(self, case: Small) -> None:
        self.s, self.builds, self.ways = case.scenario, case.builds, case.ways
        self.years = range(case.scenario.horizon_years)
        self.by_id = {b.id: b for b in case.builds}
        self.workloads = {w.id: w for w in case.scenario.workloads}
        self.new = [b for b in case.builds if not b.owned and b.service is None]
        self.owned = [b for b in case.builds if b.owned]
        self.services = [b for b in case.builds if b.service is not None]
        self.tolled = [b for b in self.services if b.service.fixed_cost_per_year or
                       b.service.minimum_card_hours_per_year]  # fmt: skip

    # ----- every choice of whole numbers -----

    def choices(self) -> Iterator[Choice]:
        times = [t for t in self.s.purchase_years if t in self.years]
        spots = [(b.id, t) for b in self.new for t in times if self.in_time(b, t)]
        counts = [range(self._most(self.by_id[b]) + 1) for b, _ in spots]
        many = [w for w in self.workloads if any(x.cards > 1 and x.workload_id == w for x in self.ways)]
        firsts = [(None, *self.years) if self.s.multi_card_setup_hours else (0,) for _ in many]
        tolls = [(b.id, y) for b in self.tolled for y in self.years]
        for units in itertools.product(*counts):
            buy = {spot: n for spot, n in zip(spots, units, strict=True) if n}
            if not self._allowed(buy):
                continue
            for kept in self._keeps(buy):
                for pattern in itertools.product((0, 1), repeat=len(tolls)):
                    used = frozenset(t for t, on in zip(tolls, pattern, strict=True) if on)
                    for begun in itertools.product(*firsts):
                        first = {w: y for w, y in zip(many, begun, strict=True) if y is not None}
                        choice = Choice(buy, kept, used, first)
                        if self._staffed(choice):
                            yield choice

    def _most(self, build: Build) -> int:
        if build.upgrade_of:
            return self.by_id[build.upgrade_of].owned_count
        return self.s.max_nodes // build.nodes_per_unit

    def _keeps(self, buy: dict[tuple[str, int], int]) -> Iterator[dict[tuple[str, int], int]]:
        ranges = []
        for host in self.owned:
            for y in self.years:
                left = host.owned_count - sum(self.there(buy, b, y) for b in self.new if b.upgrade_of == host.id)
                if left < 0:
                    return
                ranges.append(range(left + 1) if self.s.retire_owned else range(left, left + 1))
        keys = [(host.id, y) for host in self.owned for y in self.years]
        for counts in itertools.product(*ranges):
            kept = dict(zip(keys, counts, strict=True))
            if all(self._plugged(buy, kept, y) for y in self.years):
                yield kept

    def there(self, buy: dict[tuple[str, int], int], build: Build, year: int) -> int:
        return sum(n for (b, t), n in buy.items() if b == build.id and t <= year)

    def _plugged(self, buy: dict[tuple[str, int], int], kept: dict[tuple[str, int], int], year: int) -> bool:
        rooms = tuple(0.8 * c.volts * c.amps for c in self.s.circuits for _ in range(c.count))
        loads: list[float] = []
        for b in (*self.new, *self.owned):
            n = kept[b.id, year] if b.owned else self.there(buy, b, year)
            loads += [b.peak_wall_w / b.nodes_per_unit] * (n * b.nodes_per_unit)
        return not rooms or _plug(sorted(loads, reverse=True), rooms)

    def _allowed(self, buy: dict[tuple[str, int], int]) -> bool:
        s = self.s
        machines = {(b, t): n for (b, t), n in buy.items() if not self.by_id[b].upgrade_of}
        if sum(n * self.by_id[b].nodes_per_unit for (b, _), n in machines.items()) > s.max_nodes:
            return False
        if len({b for b, _ in machines}) > s.max_distinct_builds:
            return False
        units = sum(n * (self.by_id[b].chassis.rack_units or 0) * self.by_id[b].nodes_per_unit
                    for (b, _), n in machines.items())  # fmt: skip
        if s.rack_units is not None and units > s.rack_units:
            return False
        spent = [sum(n * self.price(self.by_id[b], t, s.budget_tax_included) for (b, t), n in buy.items() if t == y)
                 for y in self.years]  # fmt: skip
        if s.budget is not None and round(sum(spent), 2) > s.budget:
            return False
        if s.equipment_per_year:
            given = [*s.equipment_per_year, *[0.0] * len(self.years)]
            for y in self.years:
                start = 0 if s.equipment_carry_over else y
                if round(sum(spent[start : y + 1]), 2) > sum(given[start : y + 1]):
                    return False
        for item in {*s.stock, *s.min_order}:
            pieces = sum(n * p.quantity for (b, _), n in buy.items() for p in self.by_id[b].parts if p.item_id == item)
            if pieces > s.stock.get(item, 10**9) or 0 < pieces < s.min_order.get(item, 0):
                return False
        return True

    def in_time(self, build: Build, year: int) -> bool:
        return bool(self.payers(build, year)) if self.s.funds else self._before(build, year, self.s.spend_by)

    def _before(self, build: Build, year: int, last: object) -> bool:
        day = self.s.as_of.replace(year=self.s.as_of.year + year) + timedelta(days=7 * build.lead_weeks)
        return last is None or day <= last

    def payers(self, build: Build, year: int) -> list[Fund]:
        return [f for f in self.s.funds if "equipment" in f.pays and self.open(f, year)
                and self._before(build, year, f.spend_by)]  # fmt: skip

    def open(self, fund: Fund, year: int) -> bool:
        return fund.from_year <= year and (fund.to_year is None or year <= fund.to_year)

    def _staffed(self, choice: Choice) -> bool:
        s = self.s
        if s.staff_hours_limit_per_year is None:
            return True
        for y in self.years:
            hours = sum(n * self.by_id[b].nodes_per_unit for (b, t), n in choice.buy.items() if t == y)
            hours *= s.staff_setup_hours_per_node
            running = sum(self.there(choice.buy, b, y) * b.nodes_per_unit for b in self.new)
            running += sum(choice.kept[b.id, y] for b in self.owned)
            hours += running * s.staff_hours_per_node_year
            hours += s.multi_card_setup_hours * sum(1 for first in choice.first.values() if first == y)
            if hours > s.staff_hours_limit_per_year + 1e-9:
                return False
        return True

    # ----- money, by hand -----

    def net(self, build: Build, year: int) -> float:
        return to_cents(sum(p.quantity * self._trend(p.unit_price_net, p.role, year) for p in build.parts))

    def _trend(self, price: float, role: str, year: int) -> float:
        return to_cents(price * (1.0 + self.s.price_trend_per_year.get(role, 0.0)) ** year)

    def price(self, build: Build, year: int, taxed: bool) -> float:
        net = self.net(build, year)
        installed = 0.0 if build.upgrade_of else build.nodes_per_unit * to_cents(self.s.installation_per_node)
        before = net + to_cents(self.s.freight_rate * net) + installed
        return to_cents(before + (to_cents(self.s.tax_rate * before) if taxed else 0.0))

    def fixed(self, choice: Choice) -> list[tuple[int, str, float, float]]:
        """What the whole numbers alone cost: (year, category, amount, years of discounting)."""
        s, T = self.s, self.s.horizon_years
        rows: list[tuple[int, str, float, float]] = []
        for (name, t), n in choice.buy.items():
            b = self.by_id[name]
            g, net = b.nodes_per_unit, self.net(b, t)
            card = next((p.unit_price_net for p in b.parts if p.role == "card"), 0.0)
            rows.append((t, "equipment", n * self.price(b, t, True), t))
            rows.append((t, "setup", n * g * s.staff_setup_hours_per_node * s.staff_wage_per_hour, t + 1))
            left = s.residual_share ** ((T - t) / T) if s.residual_share else 0.0
            rows.append((T - 1, "residual", -n * to_cents(left * net), T))
            for y in range(t, T):
                rows += [(y, c, n * a, y + 1) for c, a in self._yearly(b)]
                if y - t >= s.warranty_years:
                    rows.append((y, "maintenance", n * to_cents(s.maintenance_rate * net), y + 1))
                    spare = to_cents(s.failure_rate * self._trend(card, "card", t))
                    rows.append((y, "failures", n * b.cards * spare, y + 1))
        for (name, y), n in choice.kept.items():
            rows += [(y, c, n * a, y + 1) for c, a in self._yearly(self.by_id[name])]
        for name, y in choice.used:
            service = self.by_id[name].service
            rows.append((y, self.kind(self.by_id[name]), to_cents(service.fixed_cost_per_year), y + 1))
        for y in choice.first.values():
            rows.append((y, "setup", s.multi_card_setup_hours * s.staff_wage_per_hour, y + 1))
        return rows

    def kind(self, build: Build) -> str:
        return {"campus": "campus", "cloud": "rental"}[build.service.kind]

    def _yearly(self, b: Build) -> list[tuple[str, float]]:
        s, g = self.s, b.nodes_per_unit
        return [
            ("energy_idle", b.idle_wall_w / 1000.0 * s.on_hours_per_year * s.pue * s.tariff_per_kwh),
            ("staff", g * s.staff_hours_per_node_year * s.staff_wage_per_hour),
            ("hosting", g * to_cents(s.hosting_per_node_year)),
        ]

    def worth(self, amount: float, years: float) -> float:
        return amount / (1.0 + self.s.discount_rate) ** years

    # ----- people, seated one by one -----

    def people(self, choice: Choice, year: int, must: bool = True) -> int:
        seats: Seats = []
        for b in (*self.new, *self.owned):
            n = choice.kept[b.id, year] if b.owned else self.there(choice.buy, b, year)
            seats += [(b.id, [b.cards // b.nodes_per_unit] * b.nodes_per_unit) for _ in range(n)]
        services = {}
        for b in self.services:
            open_ = b not in self.tolled or (b.id, year) in choice.used
            services[b.id] = (b.service.cards_at_once or 0) if b.service.interactive and open_ else 0
        persons = [w.id for w in self.workloads.values() if w.must == must for _ in range(w.people_at_once)]
        return self._seat(persons, seats, services, {}, choice, year)

    def _seat(
        self, persons: list[str], seats: Seats, services: dict[str, int], halves: dict[int, int], choice: Choice,
        year: int,
    ) -> int:  # fmt: skip
        if not persons:
            return 0
        who, rest = persons[0], persons[1:]
        best = self._seat(rest, seats, services, halves, choice, year)
        if best == len(rest) and not any(w.workload_id == who for w in self.ways):
            return best
        for n, way in enumerate(self.ways):
            if way.workload_id != who or (way.cards > 1 and choice.first.get(who, 99) > year):
                continue
            for after in self._places(n, way, seats, services, halves):
                best = max(best, 1 + self._seat(rest, *after, choice, year))
                if best == len(persons):
                    return best
        return best

    def _places(
        self, n: int, way: Strategy, seats: Seats, services: dict[str, int], halves: dict[int, int]
    ) -> Iterator[tuple[Seats, dict[str, int], dict[int, int]]]:
        if way.build_id in services:
            if services[way.build_id] >= way.cards:
                yield seats, {**services, way.build_id: services[way.build_id] - way.cards}, halves
            return
        if halves.get(n, 0):
            yield seats, services, {**halves, n: halves[n] - 1}
            return
        tried: set[tuple[str, tuple[int, ...]]] = set()
        for u, (build, free) in enumerate(seats):
            if build != way.build_id or (build, tuple(free)) in tried:
                continue
            tried.add((build, tuple(free)))
            machine = self.by_id[build].cards // self.by_id[build].nodes_per_unit
            if way.nodes > 1:
                empty = [m for m, c in enumerate(free) if c == machine][: way.nodes]
                if len(empty) == way.nodes:
                    left = [0 if m in empty else c for m, c in enumerate(free)]
                    yield [*seats[:u], (build, left), *seats[u + 1 :]], services, halves
                continue
            for m, c in enumerate(free):
                if c >= way.cards:
                    left = [*free[:m], c - way.cards, *free[m + 1 :]]
                    more = {**halves, n: way.sharers - 1} if way.sharers > 1 else halves
                    yield [*seats[:u], (build, left), *seats[u + 1 :]], services, more

    # ----- the continuous part -----

    def hours(self, way: Strategy, year: int) -> float:
        w = self.workloads[way.workload_id]
        return way.cards * way.hours_per_run / way.sharers * w.runs_per_year * (1.0 + w.growth_per_year) ** year

    def solve(self, choice: Choice, goal: str, missing: float | None) -> float | None:
        """Least missing demand of the musts, or least cost with no more missing than that; None: not allowed."""
        return Shares(self, choice).solve(goal, missing)

    # ----- objectives -----

    def best(self, objective: str) -> Best | None:
        """Of `cost` (all musts are done and seated) or `serve` (musts, then people, then cost)."""
        peak = sum(w.people_at_once for w in self.workloads.values() if w.must)
        found: Best | None = None
        rows = []
        for choice in self.choices():
            cost = sum(self.worth(a, y) for _, _, a, y in self.fixed(choice))
            people = sum(self.people(choice, y) for y in self.years) / len(self.years)
            if objective == "serve" or people == peak:
                rows.append((cost, people, choice))
        if objective == "cost":
            for cost, people, choice in sorted(rows, key=lambda row: row[0]):
                if found is not None and cost >= found.cost:
                    break  # running cost is never negative
                more = self.solve(choice, "cost", 0.0)
                if more is not None and (found is None or cost + more < found.cost):
                    found = Best(0.0, people, cost + more, choice)
            return found
        scored = []
        for cost, people, choice in rows:
            missing = self.solve(choice, "missing", None)
            if missing is not None:
                scored.append((missing, people, cost, choice))
        if not scored:
            return None
        least = min(row[0] for row in scored)
        scored = [row for row in scored if row[0] <= least + FULL]
        most = max(row[1] for row in scored)
        for missing, people, cost, choice in scored:
            more = self.solve(choice, "cost", missing) if people >= most - FULL else None
            if more is not None and (found is None or cost + more < found.cost):
                found = Best(least, most, cost + more, choice)
        return found
