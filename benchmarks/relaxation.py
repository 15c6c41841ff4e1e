"""A bound that no plan over any machine of a market can undercut: an LP, priced over all machines, and branches of it.

LP        machines may be bought in parts; no way on a machine takes fewer hours than those counted for it
pricing   the LP holds few machines; the dual prices say which others could pay. Prices scaled until the worst of
          all machines just breaks even bound the whole market at any moment (Farley 1990).
branches  whole machines have a whole number of each size (1, 2, 4, 8 cards) and in all: where the LP buys 2.6 of
          them, either at most 2 or at least 3 are bought; so have those of some memory, or cost, and above. The branch
          of the lowest bound is split next; the lowest bound of the open ones holds for the market, and one above the
          cost of a known plan needs no splitting.
"""

from __future__ import annotations

import heapq
import itertools
import math
import time
from dataclasses import dataclass, replace
from typing import Any

import highspy
import numpy as np
from scipy.sparse import coo_array

from hwcost.build import Build
from hwcost.scenario import Scenario

Array = Any
CARD_COUNTS = (1, 2, 4, 8)
FIRST, EACH_ROUND, ROUNDS = 80, 60, 25
PAYS = 1.0 + 1e-6  # value per cost above which a machine is taken into the LP
FIGURES = ("memory", "cost")  # by which machines are told apart in a branch
WHOLE = 1e-3  # a number this near to a whole one is whole


@dataclass(frozen=True)
class Columns:
    """Machines of the relaxation: cost over all years, cost of a card-hour, cards, card-hours of each job a year."""

    builds: tuple[Build, ...]
    cost: Array  # [j] present value without work
    per_hour: Array  # [j] present value of one card-hour in every year
    cards: Array  # [j]
    hours: Array  # [j, w] card-hours of a year's runs; infinite where the card cannot run the job
    memory: Array  # [j] GiB of one card


@dataclass(frozen=True)
class Count:
    """How many machines of one size are bought (`cards` 0: of all sizes): at most or at least `number`.

    With `figure`, only machines count of which that figure (a field of `Columns`) is at least `least`.
    """

    cards: int
    at_least: bool
    number: int
    figure: str = ""
    least: float = 0.0

    def of(self, columns: Columns) -> Array:
        """[j] 1 for the machines that count."""
        sizes = columns.cards == self.cards if self.cards else np.ones(len(columns.cards), bool)
        return np.where(sizes & (getattr(columns, self.figure) >= self.least) if self.figure else sizes, 1.0, 0.0)


@dataclass(frozen=True)
class Prices:
    """Dual prices: of each job's demand and people, and of each count (negative where it is an upper limit)."""

    demand: Array
    people: Array
    counts: Array


@dataclass(frozen=True)
class Relaxation:
    """What the LP over all machines says: its bound, each machine's value per cost, and the machines that it buys."""

    bound: float
    worth: Array  # [j]
    prices: Prices
    units: dict[int, float]
    rounds: int


class Market:
    """The machines of a market with the work of a laboratory; the machines once priced in stay in for every branch."""

    def __init__(self, scenario: Scenario, columns: Columns, linked: bool = True) -> None:
        self.columns, self.linked = columns, linked
        self.people = np.array([float(w.people_at_once) for w in scenario.workloads])
        self.available = scenario.available_hours_per_card_year
        density = columns.cost / columns.cards
        self.inside = set(np.argsort(density, kind="stable")[:FIRST].tolist())
        for w in range(len(self.people)):  # every job has a machine that runs it cheaply
            hours = np.where(np.isfinite(columns.hours[:, w]), density * columns.hours[:, w], np.inf)
            self.inside.add(int(np.argmin(hours)))
        self.missing = 10.0 * float(columns.cost.max())  # cost of a job or a person left out: a plan never pays it

    def relax(self, until: float, counts: tuple[Count, ...] = ()) -> Relaxation:
        """Price machines in until none pays, or until the processor clock says `until`; bounds hold in either case."""
        best = 0.0
        for done in itertools.count(1):
            value, prices, units = self._lp(sorted(self.inside), counts)
            worth = self.worth(prices, counts)
            best = max(best, value * min(1.0, 1.0 / float(worth.max())))
            better = [int(j) for j in np.argsort(-worth, kind="stable")[:EACH_ROUND] if worth[j] > PAYS]
            if not better or done == ROUNDS or time.process_time() > until:
                return Relaxation(best, worth, prices, units, done)
            self.inside.update(better)
        raise AssertionError

    def branch(self, root: Relaxation, cost: float | None, until: float) -> tuple[float, int]:
        """The best bound by branching until the processor clock says `until`, and the branches looked at.

        `cost` is that of a known plan: branches above it hold no better plan, so that the bound ends at it at most.
        """
        ceiling = math.inf if cost is None else cost
        order = itertools.count()
        open_: list[tuple[float, int, Relaxation, tuple[Count, ...]]] = [(root.bound, next(order), root, ())]
        looked = 1
        while open_:
            bound, _, found, counts = open_[0]
            split = broken_count(self.columns, found.units)
            if bound >= ceiling or split is None or time.process_time() > until:
                return min(bound, ceiling), looked
            heapq.heappop(open_)
            for limit in (split, replace(split, at_least=True, number=split.number + 1)):
                narrower = self.relax(until, (*counts, limit))
                lifted = replace(narrower, bound=max(bound, narrower.bound))  # what holds above holds below
                heapq.heappush(open_, (lifted.bound, next(order), lifted, (*counts, limit)))
                looked += 1
        return ceiling, looked

    def worth(self, prices: Prices, counts: tuple[Count, ...] = ()) -> Array:
        """Value per cost of one machine of each kind."""
        columns = self.columns
        value = machine_value(columns, prices, self.available, self.linked)
        for price, count in zip(prices.counts, counts, strict=True):
            value = value + price * count.of(columns)
        return value / columns.cost

    def _lp(self, inside: list[int], counts: tuple[Count, ...]) -> tuple[float, Prices, dict[int, float]]:
        """The LP over some machines: its dual value, the dual prices and what it buys.

        Variables: machines n[j] >= 0, shares y[j,w] in runs, people p[j,w] who hold a card, shares and people left out.
        Minimise cost, subject to demand sum_j y + out = 1; people sum_j p + out = peak; hours sum_w h y <= available x
        cards x n; cards sum_w p <= cards x n; link y <= n; and the counts of a branch, where machines may be left out
        too: those that keep all counts may not be inside yet.
        """
        columns, people, jobs = self.columns, self.people, len(self.people)
        able = np.isfinite(columns.hours[inside])
        machine, job = np.nonzero(able)
        seat, person = np.nonzero(able & (people > 0))
        m, k, p = len(inside), len(machine), len(seat)
        index = np.array(inside)
        hours, cards = columns.hours[index[machine], job], columns.cards[index]
        share, held, out = m + np.arange(k), m + k + np.arange(p), m + k + p + np.arange(2 * jobs)
        running = hours * columns.per_hour[index[machine]]
        objective = np.concatenate(
            [columns.cost[index], running, np.zeros(p), np.full(2 * jobs + len(counts), self.missing)]
        )
        every, ones = np.arange(m), np.ones(k)
        blocks = [
            (job, share, ones), (jobs + person, held, np.ones(p)), (np.arange(2 * jobs), out, np.ones(2 * jobs)),
            (2 * jobs + machine, share, hours), (2 * jobs + every, every, -self.available * cards),
            (2 * jobs + m + seat, held, np.ones(p)), (2 * jobs + m + every, every, -cards),
        ]  # fmt: skip
        height = 2 * jobs + 2 * m
        if self.linked:
            blocks += [(height + np.arange(k), share, ones), (height + np.arange(k), machine, -ones)]
            height += k
        for row, count in enumerate(counts):
            blocks.append((np.full(m, height + row), every, count.of(columns)[index]))
            if count.at_least:
                blocks.append((np.array([height + row]), np.array([m + k + p + 2 * jobs + row]), np.ones(1)))
        least = np.full(height + len(counts), -np.inf)
        most = np.zeros(height + len(counts))
        least[: 2 * jobs] = most[: 2 * jobs] = np.concatenate([np.ones(jobs), people])
        for row, count in enumerate(counts):
            least[height + row] = count.number if count.at_least else -np.inf
            most[height + row] = np.inf if count.at_least else count.number
        bought_of, duals = interior_point(objective, matrix_of(blocks, (len(most), len(objective))), least, most)
        wanted = np.maximum(0.0, duals[: 2 * jobs])  # more demand never costs less
        signs = np.array([1.0 if count.at_least else -1.0 for count in counts])
        counted = signs * np.maximum(0.0, signs * duals[height:])
        numbers = np.array([float(count.number) for count in counts])
        prices = Prices(wanted[:jobs], wanted[jobs:], counted)
        value = prices.demand.sum() + prices.people @ people + counted @ numbers
        return float(value), prices, dict(zip(inside, bought_of[:m].tolist(), strict=True))


def broken_count(columns: Columns, units: dict[int, float]) -> Count | None:
    """The count to branch on, as the upper branch: of all machines first, then by size, then the one nearest a half."""
    bought = [j for j, n in units.items() if n > WHOLE]
    for cards in (0, *sorted(CARD_COUNTS, key=lambda size: -_broken(columns, bought, units, Count(size, False, 0)))):
        count = Count(cards, False, 0)
        if _broken(columns, bought, units, count) > WHOLE:
            return _at(columns, bought, units, count)
    apart = [
        Count(cards, False, 0, figure, float(least))
        for cards in (0, *CARD_COUNTS) for figure in FIGURES
        for least in sorted({float(getattr(columns, figure)[j]) for j in bought})
    ]  # fmt: skip
    best = max(apart, key=lambda count: _broken(columns, bought, units, count), default=None)
    if best is None or _broken(columns, bought, units, best) <= WHOLE:
        return None
    return _at(columns, bought, units, best)


def _number(columns: Columns, bought: list[int], units: dict[int, float], count: Count) -> float:
    return math.fsum(
        units[j] for j in bought
        if (not count.cards or columns.cards[j] == count.cards)
        and (not count.figure or getattr(columns, count.figure)[j] >= count.least)
    )  # fmt: skip


def _broken(columns: Columns, bought: list[int], units: dict[int, float], count: Count) -> float:
    number = _number(columns, bought, units, count)
    return abs(number - round(number))


def _at(columns: Columns, bought: list[int], units: dict[int, float], count: Count) -> Count:
    return replace(count, number=math.floor(_number(columns, bought, units, count)))


def interior_point(objective: Array, matrix: Any, least: Array, most: Array) -> tuple[Array, Array]:
    """Values and row prices of min objective x, least <= matrix x <= most, x >= 0.

    Without crossing over to a vertex: prices need not be exact, since they are scaled until they bound every machine.
    """
    lp = linear_program(objective, matrix, least, most, np.full(len(objective), np.inf))
    solver = highspy.Highs()
    for option, value in {"output_flag": False, "solver": "ipm", "run_crossover": "off", "threads": 1}.items():
        solver.setOptionValue(option, value)
    solver.passModel(lp)
    solver.run()
    solution = solver.getSolution()
    if not solution.value_valid or not solution.dual_valid:
        raise RuntimeError(f"the relaxation was not solved: {solver.modelStatusToString(solver.getModelStatus())}")
    return np.array(solution.col_value), np.array(solution.row_dual)


def linear_program(objective: Array, matrix: Any, least: Array, most: Array, upper: Array) -> highspy.HighsLp:
    """min objective x, least <= matrix x <= most, 0 <= x <= upper, as HiGHS takes it."""
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = len(objective), len(most)
    lp.col_cost_, lp.col_lower_ = objective, np.zeros(len(objective))
    lp.col_upper_ = np.minimum(upper, highspy.kHighsInf)
    lp.row_lower_, lp.row_upper_ = np.maximum(least, -highspy.kHighsInf), np.minimum(most, highspy.kHighsInf)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_, lp.a_matrix_.index_, lp.a_matrix_.value_ = matrix.indptr, matrix.indices, matrix.data
    return lp


def matrix_of(blocks: list[tuple[Array, Array, Array]], shape: tuple[int, int]) -> Any:
    rows, cols, values = (np.concatenate(part) for part in zip(*blocks, strict=True))
    return coo_array((values, (rows, cols)), shape=shape).tocsc()


def machine_value(columns: Columns, prices: Prices, available: float, linked: bool = True) -> Array:
    """What one machine of each kind is worth at these prices: its best shares, by worth per hour, within its hours and
    (`linked`) one whole job each; and all its cards held by the people who pay most."""
    finite = np.isfinite(columns.hours)
    hours = np.where(finite, columns.hours, 1.0)
    profit = np.where(finite, prices.demand - columns.per_hour[:, None] * hours, 0.0)
    held = columns.cards * np.where(finite, prices.people, 0.0).max(axis=1)
    if not linked:
        return held + available * columns.cards * np.maximum(0.0, (profit / hours).max(axis=1))
    order = np.argsort(-profit / hours, axis=1, kind="stable")
    hours, profit = np.take_along_axis(hours, order, 1), np.take_along_axis(np.maximum(0.0, profit), order, 1)
    left = available * columns.cards[:, None] - (np.cumsum(hours, axis=1) - hours)
    return held + (profit * np.clip(left / hours, 0.0, 1.0)).sum(axis=1)
