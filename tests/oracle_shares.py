"""The continuous part of `oracle_years`: shares of demand, unused hours of services, and what each fund pays."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import linprog

from hwcost.scenario import Fund

if TYPE_CHECKING:
    from oracle_years import Choice, YearsOracle

SERVICES, CONSUMABLES = ("maintenance", "hosting", "campus", "rental"), ("energy_idle", "energy_busy", "failures")
OPEX = (*SERVICES, *CONSUMABLES, "staff", "setup", "overhead")
USES = {**dict.fromkeys(SERVICES, "services"), **dict.fromkeys(CONSUMABLES, "consumables")}


class Shares:
    """One linear program: shares of demand, unused hours of services, and what each fund pays."""

    def __init__(self, oracle: YearsOracle, choice: Choice) -> None:
        self.o, self.s, self.choice = oracle, oracle.s, choice
        years = list(oracle.years)
        keys: list[tuple[object, ...]] = [("x", n, y) for n in range(len(oracle.ways)) for y in years]
        keys += [("short", w, y) for w in oracle.workloads for y in years]
        keys += [("extra", b.id, y) for b in oracle.tolled for y in years]
        keys += [("pay", f.id, use, y) for f in self.s.funds for use in f.pays for y in years]
        keys += [("worn", f.id, y) for f in self.s.funds for y in years]
        self.at = {key: n for n, key in enumerate(keys)}
        self.upper = np.full(len(keys), np.inf)
        self.less: list[tuple[np.ndarray, float]] = []
        self.equal: list[tuple[np.ndarray, float]] = []

    def row(self) -> np.ndarray:
        return np.zeros(len(self.at))

    def solve(self, goal: str, missing: float | None) -> float | None:
        self._demand()
        self._capacity()
        running = {(y, c): self._running(y, c) for y in self.o.years for c in OPEX}
        if self.s.running_budget_per_year is not None:
            for y in self.o.years:
                row, fixed = self.row(), 0.0
                for c in OPEX:
                    if self.s.payers.get(c, "lab") == "lab":
                        row, fixed = row + running[y, c][0], fixed + running[y, c][1]
                self.less.append((row, self.s.running_budget_per_year - fixed))
        if self.s.funds:
            self._funds(running)
        lost = self.row()
        for w, y in [(w, y) for w in self.o.workloads.values() if w.must for y in self.o.years]:
            lost[self.at["short", w.id, y]] = w.priority / len(self.o.years)
        if missing is not None:
            self.less.append((lost, missing + 1e-9))
        cost = self.row()
        for y in self.o.years:
            for c in ("energy_busy", "campus", "rental", "overhead"):
                cost += running[y, c][0] / (1.0 + self.s.discount_rate) ** (y + 1)
        found = linprog(
            cost if goal == "cost" else lost, A_ub=np.array([r for r, _ in self.less]),
            b_ub=[v for _, v in self.less], A_eq=np.array([r for r, _ in self.equal]),
            b_eq=[v for _, v in self.equal], bounds=[(0.0, u) for u in self.upper], method="highs-ds",
        )  # fmt: skip
        assert found.status in (0, 2), found.message
        return None if found.status == 2 else float(found.fun)

    def _demand(self) -> None:
        o, choice = self.o, self.choice
        for w in o.workloads:
            for y in o.years:
                row = self.row()
                row[self.at["short", w, y]] = 1.0
                for n, way in enumerate(o.ways):
                    if way.workload_id == w:
                        row[self.at["x", n, y]] = 1.0
                self.equal.append((row, 1.0))
        for n, way in enumerate(o.ways):
            for y in o.years:
                unready = way.cards > 1 and choice.first.get(way.workload_id, 99) > y
                shut = any(b.id == way.build_id and (b.id, y) not in choice.used for b in o.tolled)
                self.upper[self.at["x", n, y]] = 0.0 if unready or shut else 1.0

    def _capacity(self) -> None:
        o, s, choice = self.o, self.s, self.choice
        for b in o.builds:
            for y in o.years:
                row = self.row()
                for n, way in enumerate(o.ways):
                    if way.build_id == b.id:
                        row[self.at["x", n, y]] = o.hours(way, y)
                if b.service is not None:
                    if b.service.quota_card_hours_per_year is not None:
                        self.less.append((row, b.service.quota_card_hours_per_year))
                    if b in o.tolled and (b.id, y) in choice.used:
                        row = -row
                        row[self.at["extra", b.id, y]] = -1.0
                        self.less.append((row, -b.service.minimum_card_hours_per_year))
                    continue
                units = choice.kept[b.id, y] if b.owned else o.there(choice.buy, b, y)
                room = units - choice.buy.get((b.id, y), 0) * min(1.0, b.lead_weeks / 52.0)
                self.less.append((row, room * b.cards * s.available_hours_per_card_year))

    def _running(self, year: int, category: str) -> tuple[np.ndarray, float]:
        """Amount of a category in a year: coefficients and a constant."""
        o, s = self.o, self.s
        row = self.row()
        fixed = sum(a for y, c, a, _ in o.fixed(self.choice) if (y, c) == (year, category))
        for n, way in enumerate(o.ways):
            b = o.by_id[way.build_id]
            if b.service is None and category == "energy_busy":
                kwh = b.busy_extra_wall_w_per_card / 1000.0 * s.pue * o.hours(way, year)
                row[self.at["x", n, year]] = kwh * s.tariff_per_kwh
            elif b.service is not None and o.kind(b) == category:
                row[self.at["x", n, year]] = o.hours(way, year) * b.service.price_per_card_hour
        for b in o.tolled:
            if o.kind(b) == category:
                row[self.at["extra", b.id, year]] = b.service.price_per_card_hour
        for f in s.funds:
            if category == "overhead" and "services" in f.pays:
                row[self.at["pay", f.id, "services", year]] = f.overhead_rate
        return row, fixed

    def _funds(self, running: dict[tuple[int, str], tuple[np.ndarray, float]]) -> None:
        o, s = self.o, self.s
        for f in s.funds:
            for y in o.years:
                for use in f.pays:
                    if not o.open(f, y) or (use == "equipment" and f.depreciation_only):
                        self.upper[self.at["pay", f.id, use, y]] = 0.0
                if "equipment" not in f.pays or not f.depreciation_only or not o.open(f, y):
                    self.upper[self.at["worn", f.id, y]] = 0.0
        for y in o.years:
            for use in ("services", "consumables"):
                row, due = self.row(), 0.0
                for f in s.funds:
                    if use in f.pays:
                        row[self.at["pay", f.id, use, y]] = 1.0
                for c in (c for c in USES if USES[c] == use and s.payers.get(c, "lab") == "lab"):
                    row, due = row - running[y, c][0], due + running[y, c][1]
                self.equal.append((row, due))
            self._equipment(y)
        for f in s.funds:
            self._limit(f)

    def _gross(self) -> bool:
        return any(f.tax_included for f in self.s.funds if "equipment" in f.pays)

    def _equipment(self, year: int) -> None:
        """Any group of funds together pays at least what nobody else may pay, and all of them pay all of it."""
        o = self.o
        paying = [f for f in self.s.funds if "equipment" in f.pays]
        bought = [(o.by_id[b], n) for (b, t), n in self.choice.buy.items() if t == year]
        for size in range(len(paying) + 1):
            for group in itertools.combinations(paying, size):
                row, due = self.row(), 0.0
                for b, n in bought:
                    if all(f in group for f in o.payers(b, year)):
                        due += n * o.price(b, year, self._gross())
                for f in group:
                    row[self.at["pay", f.id, "equipment", year]] = 1.0
                    lasting = sum(self._wear(f, year, y) for y in o.years)
                    row[self.at["worn", f.id, year]] = lasting
                if size == len(paying):
                    self.equal.append((row, due))
                else:
                    self.less.append((-row, -due))
                worn = self.row()
                for f in group:
                    worn[self.at["worn", f.id, year]] = 1.0
                reach = sum(n * o.price(b, year, self._gross()) for b, n in bought
                            if any(f in group for f in o.payers(b, year)))  # fmt: skip
                self.less.append((worn, reach))

    def _wear(self, fund: Fund, bought: int, year: int) -> float:
        if year < bought or not self.o.open(fund, year):
            return 0.0
        return min(1.0, max(0.0, fund.depreciation_years - (year - bought))) / fund.depreciation_years

    def _limit(self, fund: Fund) -> None:
        o = self.o
        if fund.amount is None:
            return
        net = 1.0 if fund.tax_included or not self._gross() else 1.0 / (1.0 + self.s.tax_rate)
        scale = {"equipment": net, "services": 1.0 + fund.overhead_rate, "consumables": 1.0}
        for y in (y for y in o.years if o.open(fund, y)):
            row = self.row()
            for when in (t for t in o.years if t == y or (fund.carry_over and t < y)):
                for use in fund.pays:
                    row[self.at["pay", fund.id, use, when]] = scale[use]
                for bought in o.years:
                    row[self.at["worn", fund.id, bought]] += net * self._wear(fund, bought, when)
            come = fund.per_year or (fund.amount,)
            upto = y - fund.from_year
            got = sum(come[: upto + 1]) if fund.carry_over else (come[upto] if upto < len(come) else 0.0)
            self.less.append((row, got))
