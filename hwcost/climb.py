"""Solving level by level, and what tolerances make necessary on the way.

A level is solved, its answer is rounded to whole nodes and re-evaluated, and the level is held at that value while the
next one is solved. At the end all whole numbers are fixed and the shares are settled at their cheapest.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from hwcost import solver
from hwcost.case import Case
from hwcost.decisions import nodes_of, ways_of
from hwcost.errors import SolverError
from hwcost.model import FINE, Model, build_model
from hwcost.objectives import HOLD, HOLD_MONEY, RANKS, Level, levels_of

KEPT = 2e-6  # relative to max(1, |value|): how far the finished plan may be behind what a level was proved to reach
SETTLE_S = 1.0  # the shares are settled even where the time is over: a linear program
DUST = 1e-7  # a share below this is none
CLOSED = 2e-7  # demand short by less than this is met: the solver's tolerance
FREE = 1e15  # the limit of a row that is no longer wanted
CLOSED_BY_LEVELS = 1e-5  # ... and by less than this, before the shares are settled
MOST_GIVEN = 1e-3  # share of demand by which a level may give way when the shares are settled
PRICE_OF_GIVING = 1e9  # money for a whole share


@dataclass(frozen=True)
class Stage:
    """One level of the objective, as it was solved. `value` is in the level's own sense (demand is maximised)."""

    name: str
    status: str
    value: float | None
    gap: float | None
    seconds: float


@dataclass(frozen=True)
class Solution:
    """Integers rounded, shares re-solved for them. `status`: proven | best_found | infeasible | none."""

    status: str
    stages: tuple[Stage, ...]
    buy: dict[tuple[str, int], int] = field(default_factory=dict)
    kept: dict[tuple[str, int], int] = field(default_factory=dict)
    share: dict[tuple[int, int], float] = field(default_factory=dict)
    short: dict[tuple[str, int], float] = field(default_factory=dict)
    place: dict[tuple[int, int], int] = field(default_factory=dict)
    on: dict[tuple[str, int, int], int] = field(default_factory=dict)
    in_use: dict[tuple[str, int], int] = field(default_factory=dict)
    unused: dict[tuple[str, int], float] = field(default_factory=dict)
    first: dict[tuple[str, int], int] = field(default_factory=dict)
    pay: dict[tuple[str, str, int], float] = field(default_factory=dict)
    worn: dict[tuple[str, int], float] = field(default_factory=dict)

    @property
    def gap(self) -> float | None:
        gaps = [s.gap for s in self.stages]
        return None if any(g is None for g in gaps) or not gaps else max(g for g in gaps if g is not None)

    @property
    def seconds(self) -> float:
        return sum(s.seconds for s in self.stages)


def solve(
    case: Case, objective: str, *, time_limit_s: float | None = None, on_stage: Callable[[str], None] | None = None,
    ranked: bool = True, with_solver: str = "highs",
) -> Solution:  # fmt: skip
    """Solve the levels of `objective` one after the other; without `ranked`, equal answers are not told apart.

    Ctrl-C ends the search: the best plan so far is the answer, `best_found`; `KeyboardInterrupt` where there is none.
    """
    ladder = [level for level in levels_of(case, objective) if ranked or level.name not in RANKS]
    ideal = [level for level in ladder if level.ideal is not None]
    if ideal and len(ideal) < len(ladder):
        tried = _climb(
            build_model(case, objective, with_solver=with_solver), ladder, len(ideal), time_limit_s, on_stage
        )
        if tried.status in ("proven", "best_found"):
            return tried
        if time_limit_s is not None:
            time_limit_s = max(0.05, time_limit_s - tried.seconds)
    return _climb(build_model(case, objective, with_solver=with_solver), ladder, 0, time_limit_s, on_stage)


def _climb(
    model: Model, ladder: list[Level], granted: int, time_limit_s: float | None, on_stage: Callable[[str], None] | None
) -> Solution:
    """Solve level by level. The first `granted` levels are set to their ideal, which needs no proof where it is met:
    one solve then stands for all of them. If it fails, nothing is known, and the caller climbs from the first level.
    """
    stages: list[Stage] = []
    best: Solution | None = None
    left = time_limit_s
    for level in ladder[:granted]:
        assert level.ideal is not None
        _hold(model, level, level.ideal)
        stages.append(Stage(level.name, "proven", level.ideal, 0.0, 0.0))
    fixed = False
    for level in ladder[granted:]:
        if on_stage:
            on_stage(level.name)
        if best is not None and level.name == "place_rank":
            _fix_nodes(model, best)
            fixed = True
        answer = _minimise(model, level.sense * level.of(model), left, tolerant=best is not None)
        if left is not None:
            left = max(0.05, left - answer.seconds)
        if answer.status in ("error", "unbounded"):
            raise SolverError(f"level {level.name}: {answer.status}")
        if answer.has_values:
            best = _read(model)
            value = float(level.of(best))
            stages.append(Stage(level.name, answer.status, value, answer.gap, answer.seconds))
        if answer.stopped and best is None:
            raise KeyboardInterrupt
        if not answer.has_values or answer.stopped:
            if not answer.has_values:
                stages.append(Stage(level.name, answer.status, None, None, answer.seconds))
            break
        # Cleaning may have dropped a millionth of work that an earlier level is held to: hold at the weaker value.
        reached = level.sense * solver.value(level.of(model))
        _hold(model, level, level.sense * max(reached, level.sense * value))
    if best is None:
        return Solution(stages[-1].status if stages else "none", tuple(stages))
    if ladder[-1].name != "exists":
        if not fixed:
            _fix_nodes(model, best)
        best = _settle(model, best, None if left is None else max(left, SETTLE_S))
    proven = len(stages) == len(ladder) and all(s.status == "proven" for s in stages)
    proven = proven and all(_kept(level, stage.value, best) for level, stage in zip(ladder, stages, strict=True))
    return replace(best, status="proven" if proven else "best_found", stages=tuple(stages))


def _kept(level: Level, value: float | None, best: Solution) -> bool:
    """The finished plan still has what the level was proved to reach, but for the slack (and as much tolerance)."""
    if value is None:
        return False
    allowed = max(2.0 * level.slack(value), KEPT * max(1.0, abs(value)))
    return level.sense * (float(level.of(best)) - value) <= allowed


def _ask(model: Model, objective: Any, left: float | None) -> solver.Answer:
    return solver.minimise(model.problem, objective, time_limit_s=left, solver=model.solver)


def _minimise(model: Model, objective: Any, left: float | None, *, tolerant: bool) -> solver.Answer:
    """Solve one level. Where an earlier level has an answer, "infeasible" can only be a matter of tolerances (a whole
    number is whole to a millionth): the levels held so far are then let go by ten times as much, twice at most.
    """
    answer = _ask(model, objective, left)
    for looser in (1, 2) if tolerant else ():
        if answer.status != "infeasible":
            break
        for held in model.held:
            slack = max(held.slack, HOLD) * 10**looser if held.slack else HOLD * 10 ** (looser - 1)
            model.problem.get_constraint_by_name(held.row).changeRHS(held.limit + held.toward * held.scale * slack)
        answer = _ask(model, objective, left)
    return answer


def _hold(model: Model, level: Level, value: float) -> None:
    """Keep `level` at `value`, with the slack that the solver's tolerance needs. Demand met in full is held at 0."""
    case = model.case
    if level.demand_of and value <= CLOSED:
        for n, workload in enumerate(level.demand_of):
            for p in range(len(case.periods)):
                model.hold(f"full_{level.name}{n}_{p}", model.short[workload, p], 1.0, 0.0, 0.0, FINE)
        return
    reached = level.of(model)
    if not isinstance(reached, int | float):
        scale = FINE if level.demand_of else 1.0
        model.hold(f"hold_{level.name}", reached, level.sense, value, level.slack(value), scale)


def _fix_nodes(model: Model, best: Solution) -> None:
    """What is bought, kept and used and where it stands, at the rounded values."""
    for name in ("buy", "kept", "on", "in_use", "first"):
        variables = getattr(model, name)
        for n, (key, amount) in enumerate(getattr(best, name).items()):
            model.row(f"fix_{name}{n}", variables[key] == amount)


def _settle(model: Model, best: Solution, left: float | None) -> Solution:
    """With all whole numbers fixed, the shares at their cheapest, ties by rank.

    The slack by which levels are held was for the search among whole numbers. Now demand that is met is met exactly
    (unless a tolerance made it so), and rank weighs so little that all of it together costs less than half a cent:
    the answer is a corner of the cheapest plans, and no fraction of a run is traded for a fraction of a cent.
    """
    for (i, s), jobs in best.place.items():
        model.row(f"fix_place{i}_{s}", model.place[i, s] == jobs)
    for held in model.held:  # money is what is minimised now, and whole numbers are fixed: only demand is still to keep
        slack = held.toward * (held.scale * held.slack if held.scale == FINE else FREE)
        model.problem.get_constraint_by_name(held.row).changeRHS(slack + (held.limit if held.scale == FINE else 0.0))
    ranks = [(i + 1, share) for (i, _), share in model.share.items()]
    if not ranks:
        return best
    cost = next(level for level in levels_of(model.case, "cost") if level.name == "cost").of(model)
    weight = HOLD_MONEY / sum(rank for rank, _ in ranks)
    objective = cost + solver.total(weight * rank * share for rank, share in ranks)
    exact = [f"exact{n}" for n, amount in enumerate(best.short.values()) if amount <= CLOSED_BY_LEVELS]
    for n, key in enumerate(best.short):
        if f"exact{n}" in exact:
            model.row(f"exact{n}", FINE * model.short[key] <= 0)
    answer = _ask(model, objective, left)
    if answer.status == "infeasible":
        answer = _ask(model, objective + _give(model, exact), left)
    return _read(model) if answer.has_values else best


def _give(model: Model, exact: list[str]) -> Any:
    """Rows about demand give way by as little as possible: what an earlier level reached may rest on a whole number
    that was whole to a millionth. Returns the price of giving way, which no saving is worth.
    """
    rows = [(held.row, held.limit, held.toward) for held in model.held if held.scale == FINE]
    price = []
    for n, (row, limit, toward) in enumerate([*rows, *((row, 0.0, 1.0) for row in exact)]):
        given = model.variable(MOST_GIVEN)
        kept = model.problem.get_constraint_by_name(row)
        terms = solver.total(factor * variable for variable, factor in kept.items())
        kept.changeRHS(toward * FREE)
        model.row(f"give{n}", terms - FINE * given <= limit if toward > 0 else terms + FINE * given >= limit)
        price.append(PRICE_OF_GIVING * given)
    return solver.total(price)


def _read(model: Model) -> Solution:
    def whole(name: str) -> dict[Any, int]:
        return {key: round(solver.value(v)) for key, v in getattr(model, name).items()}

    def part(name: str, high: float = math.inf) -> dict[Any, float]:
        return {key: min(high, max(0.0, solver.value(v))) for key, v in getattr(model, name).items()}

    read = Solution(
        "best_found", (), buy=whole("buy"), kept=whole("kept"), share=part("share", 1.0), short=part("short", 1.0),
        place=whole("place"), on=whole("on"), in_use=whole("in_use"), unused=part("unused", 1.0),
        first=whole("first"), pay=part("pay"), worn=part("worn"),
    )  # fmt: skip
    _clean(model.case, read)
    return read


def _clean(case: Case, read: Solution) -> None:
    """Shares without the solver's dust: no work on a node that is not there, nothing left out that is a millionth.

    A whole number within the solver's tolerance may stand for a millionth of a node; what such a node was to carry goes
    to the other ways of the same workload. Shares and what is left out add up to 1 again, exactly.
    """
    share, short = read.share, read.short
    there = {(b.id, s) for b in case.builds for s in range(len(case.stages))
             if b.service is None and nodes_of(case, read, b, s)}  # fmt: skip
    for workload in case.scenario.workloads:
        ways = ways_of(case, workload=workload.id)
        for p in range(len(case.periods)):
            for i in ways:
                if share[i, p] < DUST or not _can_work(case, read, i, p, there):
                    share[i, p] = 0.0
            served = math.fsum(share[i, p] for i in ways)
            if served <= 0.0:
                short[workload.id, p] = 1.0
            elif 1.0 - served <= CLOSED:
                short[workload.id, p] = 0.0
                for i in ways:
                    share[i, p] /= served
            else:
                short[workload.id, p] = 1.0 - served


def _can_work(case: Case, read: Solution, way: int, period: int, there: set[tuple[str, int]]) -> bool:
    """The machine is there, or the service in use, and a workload on several cards was set up for them."""
    strategy = case.ways[way]
    build, workload = strategy.build_id, strategy.workload_id
    begun = [read.first.get((workload, p), 1) for p in range(period + 1)]  # 1: setting up costs nothing
    if strategy.cards > 1 and not any(begun):
        return False
    if case.build_by_id[build].service is not None:
        return read.in_use.get((build, period), 1) > 0
    return (build, case.stage_of[period]) in there
