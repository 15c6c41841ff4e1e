"""Sweeps: how often each option wins when prices, work, tariff and predictions differ, and its worst regret.

    contestants   the options of the comparison that have a plan, each with what it buys at the start. The free choice
                  among all machines never loses and takes no part; it is solved as the yardstick
    states        every combination of the listed factors, then random draws within the error bands; the same states for
                  all contestants, from one seed
    cost          least full cost (present value) in a state with those purchases fixed and all else decided anew;
                  all musts are hard rules. None where they cannot be met: reported, not numbered
    win           no other contestant costs less in that state
    regret        cost - cost of the best contestant in that state

The error bands of prices follow their kind (`PRICE_BANDS`): a quotation is nearly sure, an estimate is not. They are
assumptions of this program, as those of work, tariff and run times are.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

from hwcost import pool, whatif
from hwcost.build import Build, PricedPart
from hwcost.case import Case
from hwcost.options import COMBINATION, Comparison
from hwcost.plan import Plan
from hwcost.rules import Breach
from hwcost.strategies import StrategySet
from hwcost.strategy import Strategy

PRICE_BANDS = {"quote": 0.02, "list": 0.05, "street": 0.10, "used": 0.20, "estimate": 0.25}  # either way, of the price
DEMAND_BAND = 0.30
TARIFF_BAND = 0.25
HOURS_BAND = 0.35  # about the 90th percentile of predictions from specifications (see the page on accuracy)
LISTED_PRICES = (0.9, 1.0, 1.1)
LISTED_DEMAND = (0.7, 1.0, 1.5)
LISTED_TARIFF = (1.0, 1.5)
DRAWS = 24


@dataclass(frozen=True)
class State:
    """Factors on today's figures: all prices, single items, runs a year, tariff, and the time of a step."""

    name: str  # listed | draw
    prices: float = 1.0
    items: tuple[tuple[str, float], ...] = ()
    demand: float = 1.0
    tariff: float = 1.0
    hours: float = 1.0


@dataclass(frozen=True)
class Contestant:
    """An option with what it buys at the start."""

    id: str
    letter: str
    purchases: tuple[tuple[str, int], ...]  # build, units


@dataclass(frozen=True)
class StateResult:
    """Costs by contestant, in their order; `yardstick` is the least cost of any plan. `proven`: all solves are."""

    state: State
    costs: tuple[float | None, ...]
    yardstick: float | None
    proven: bool


@dataclass(frozen=True)
class Score:
    """One contestant over all states. Shares are of all states; regrets None where it never does the work."""

    contestant: Contestant
    wins: int
    infeasible: int
    worst_regret: float | None
    worst_state: State | None
    mean_regret: float | None


@dataclass(frozen=True)
class Sweep:
    """`scores` in the order of the options; `stopped` before all states were done; `none` states nobody can do."""

    results: tuple[StateResult, ...]
    scores: tuple[Score, ...]
    states: int
    none: int
    seed: int
    stopped: bool

    @property
    def proven_share(self) -> float:
        return sum(r.proven for r in self.results) / len(self.results) if self.results else 0.0


# --- states ---------------------------------------------------------------------------------------------------------


def states(
    case: Case, *, prices: Sequence[float] = LISTED_PRICES, demand: Sequence[float] = LISTED_DEMAND,
    tariff: Sequence[float] = LISTED_TARIFF, draws: int = DRAWS, seed: int = 1,
) -> tuple[State, ...]:  # fmt: skip
    """The listed combinations, then the draws; the same for any order of rows."""
    listed = [State("listed", prices=p, demand=d, tariff=t) for p, d, t in product(prices, demand, tariff)]
    kinds = {part.item_id: part.price.price_kind for b in case.build_set.builds for part in b.parts}
    rng = random.Random(seed)

    def band(width: float) -> float:
        return round(1.0 + rng.uniform(-width, width), 6)

    drawn = []
    for _ in range(draws):
        items = tuple((item, band(PRICE_BANDS[kinds[item]])) for item in sorted(kinds))
        drawn.append(
            State("draw", items=items, demand=band(DEMAND_BAND), tariff=band(TARIFF_BAND), hours=band(HOURS_BAND))
        )
    return (*listed, *drawn)


def contestants(comparison: Comparison) -> tuple[Contestant, ...]:
    """The options that have a plan; a combination of machines is no option."""
    return tuple(
        Contestant(r.id, r.letter, tuple(sorted((p.build.id, p.nodes) for p in r.plan.bought if p.year == 0)))
        for r in comparison.results
        if r.plan is not None and r.plan.has_plan and r.id != COMBINATION
    )


def case_at(case: Case, state: State, builds: Sequence[Build] | None = None) -> Case:
    """The case in a state; with `builds` only those may be bought (owned machines and services stay)."""
    factors = dict(state.items)

    def factor(_: Build, part: PricedPart | None) -> float:
        return state.prices * (factors.get(part.item_id, 1.0) if part is not None else 1.0)

    scenario = replace(
        case.scenario, tariff_per_kwh=case.scenario.tariff_per_kwh * state.tariff,
        workloads=tuple(replace(w, runs_per_year=w.runs_per_year * state.demand) for w in case.scenario.workloads),
    )  # fmt: skip
    strategies = timed(case, state.hours)
    moved = replace(case, scenario=scenario, strategies=strategies)
    if builds is None:
        return whatif.repriced(moved, factor)
    kept = {b.id for b in builds} | {b.id for b in case.build_set.builds if b.owned or b.service is not None}
    chosen = tuple(whatif.repriced_build(b, factor) for b in case.build_set.builds if b.id in kept)
    # a contestant's machines may have been beaten by others in the case: their ways are taken from all of them
    ways = tuple(w for w in strategies.feasible if w.build_id in kept)
    return replace(moved, build_set=replace(case.build_set, builds=chosen), builds=chosen, ways=ways)


def timed(case: Case, factor: float) -> StrategySet:
    """The ways with every step `factor` times as long; deadlines are judged anew."""
    if factor == 1.0:
        return case.strategies
    feasible: list[Strategy] = []
    excluded: list[Strategy] = []
    for way in (*case.strategies.feasible, *case.strategies.excluded):
        workload = case.workload_by_id[way.workload_id]
        start = workload.startup_s / 3600.0
        hours = start + (way.hours_per_run - start) * factor
        breaches = [b for b in way.breaches if b.rule != "deadline"]
        limit = workload.max_hours_per_run
        if limit is not None and hours + way.wait_hours > limit:
            breaches.append(Breach("deadline", {"hours": hours, "limit_hours": limit}))
        changed = replace(way, hours_per_run=hours, step_ms=way.step_ms * factor, breaches=tuple(breaches))
        (excluded if breaches else feasible).append(changed)
    return StrategySet(tuple(feasible), tuple(excluded))


# --- the sweep ------------------------------------------------------------------------------------------------------


def sweep(
    best: Plan, comparison: Comparison, given: Sequence[State] | None = None, *, seed: int = 1,
    time_limit_s: float | None = None, workers: int | None = 1, dask: str | None = None,
    on_done: pool.Progress | None = None,
) -> Sweep:  # fmt: skip
    """Solve every state for every contestant. After an interrupt the states that are done count."""
    wanted = tuple(states(best.case, seed=seed) if given is None else given)
    players = contestants(comparison)
    context = (best.case, players, time_limit_s)
    outcome = pool.run(_task, context, wanted, workers=workers, dask=dask, on_done=on_done)
    results = outcome.done
    none = sum(all(c is None for c in r.costs) for r in results)
    return Sweep(results, scores(players, results), len(wanted), none, seed, outcome.stopped)


def _task(context: tuple[Case, tuple[Contestant, ...], float | None], state: State) -> StateResult:
    case, players, limit = context
    free = whatif.solve(case_at(case, state), "cost", time_limit_s=limit)
    proven = whatif.proven(free)
    later = any(year > 0 for year in case.scenario.purchase_years)
    costs: list[float | None] = []
    for player in players:
        names = {build for build, _ in player.purchases}
        builds = [b for b in case.build_set.builds if b.id in names or (later and b in case.builds)]
        part = replace(case_at(case, state, builds), fixed=player.purchases)
        plan = whatif.values(part, "cost", limit)
        proven = proven and whatif.proven(plan)
        costs.append(plan.totals.present_value if plan.has_plan else None)
    return StateResult(state, tuple(costs), free.totals.present_value if free.has_plan else None, proven)


def scores(players: Sequence[Contestant], results: Sequence[StateResult]) -> tuple[Score, ...]:
    """Wins and regrets of every contestant; equal costs win together."""
    found = []
    for n, player in enumerate(players):
        wins, infeasible, regrets = 0, 0, []
        for result in results:
            own = result.costs[n]
            best = min((c for c in result.costs if c is not None), default=None)
            if own is None or best is None:
                infeasible += 1
                continue
            regret = own - best
            wins += regret <= whatif.tolerance(best, money=True)
            regrets.append((max(0.0, regret), result.state))
        worst = max(regrets, key=lambda r: r[0], default=None)
        mean = math.fsum(r for r, _ in regrets) / len(regrets) if regrets else None
        found.append(
            Score(player, wins, infeasible, worst[0] if worst else None, worst[1] if worst else None, mean)
        )  # fmt: skip
    return tuple(found)
