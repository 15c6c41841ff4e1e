"""Solving level by level, and what tolerances make necessary on the way.

A level is solved, its answer is rounded to whole nodes and re-evaluated, and the level is held at that value while the
next one is solved. At the end all whole numbers are fixed and the shares are settled at their cheapest.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from typing import Any

from hwcost import narrow, solver
from hwcost.case import Case
from hwcost.errors import SolverError
from hwcost.model import FINE, Model, build_model
from hwcost.objectives import HOLD, HOLD_MONEY, RANKS, Level, levels_of
from hwcost.solution import CLOSED, Solution, Stage, read, widen

KEPT = 2e-6  # relative to max(1, |value|): how far the finished plan may be behind what a level was proved to reach
SETTLE_S = 1.0  # the shares are settled even where the time is over: a linear program
FIRST_LOOK_S = 2.0  # for a search among the few machines that seem best
FREE = 1e15  # the limit of a row that is no longer wanted
CLOSED_BY_LEVELS = 1e-5  # ... and by less than this, before the shares are settled
MOST_GIVEN = 1e-3  # share of demand by which a level may give way when the shares are settled
PRICE_OF_GIVING = 1e9  # money for a whole share


def solve(
    case: Case, objective: str, *, time_limit_s: float | None = None, on_stage: Callable[[str], None] | None = None,
    ranked: bool = True, with_solver: str = "highs",
) -> Solution:  # fmt: skip
    """Solve the levels of `objective` one after the other; without `ranked`, equal answers are not told apart.

    Ctrl-C ends the search: the best plan so far is the answer, `best_found`; `KeyboardInterrupt` where there is none.
    """

    def ladder(part: Case) -> Ladder:
        levels = [level for level in levels_of(part, objective) if ranked or level.name not in RANKS]
        return Ladder(build_model(part, objective, with_solver=with_solver), levels, ladder)

    steps = ladder(case)
    ideal = [level for level in steps.levels if level.ideal is not None]
    if ideal and len(ideal) < len(steps.levels):
        tried = _climb(steps, len(ideal), time_limit_s, on_stage)
        if tried.status in ("proven", "best_found"):
            return tried
        if time_limit_s is not None:
            time_limit_s = max(0.05, time_limit_s - tried.seconds)
        steps = ladder(case)
    return _climb(steps, 0, time_limit_s, on_stage)


@dataclass
class Ladder:
    """A model with its levels. `held` are values that levels are held at, by number; `made` are their expressions."""

    model: Model
    levels: list[Level]
    of_case: Callable[[Case], Ladder]
    held: dict[int, float] = field(default_factory=dict)
    made: dict[int, Any] = field(default_factory=dict)

    def expression(self, n: int) -> Any:
        """The level of number `n` in the model's variables, to be minimised."""
        if n not in self.made:
            self.made[n] = self.levels[n].sense * self.levels[n].of(self.model)
        return self.made[n]

    def hold(self, n: int, value: float) -> None:
        """Keep level `n` at `value`, with the slack that the solver's tolerance needs. Full demand is held at 0."""
        self.held[n] = value
        model, level = self.model, self.levels[n]
        if level.demand_of and value <= CLOSED:
            for w, workload in enumerate(level.demand_of):
                for p in range(len(model.case.periods)):
                    model.hold(f"full_{level.name}{w}_{p}", model.short[workload, p], 1.0, 0.0, 0.0, FINE)
            return
        reached = self.expression(n)
        if not isinstance(reached, int | float):
            scale = FINE if level.demand_of else 1.0
            model.hold(f"hold_{level.name}", reached, 1.0, level.sense * value, level.slack(value), scale)

    def with_only(self, builds: Collection[str]) -> Ladder:
        """The same with fewer machines to buy; what is held stays held."""
        part = self.of_case(narrow.with_only(self.model.case, builds))
        for n, value in self.held.items():
            part.hold(n, value)
        return part


def _narrowed(steps: Ladder, n: int, left: float | None) -> tuple[Ladder, solver.Answer | None, float]:
    """A ladder with the machines that can be in a best plan of level `n`, or the same one; the answer of the level,
    where it is known by then; and the seconds it took.
    """
    level, model = steps.levels[n], steps.model
    if model.solver != "highs" or not narrow.worth_trying(model, level):
        return steps, None, 0.0
    relaxed = solver.relax(model.problem, steps.expression(n), time_limit_s=left)
    if relaxed.stopped:  # its values are no plan
        return steps, replace(relaxed, status="none"), relaxed.seconds
    if relaxed.status != "proven" or relaxed.objective is None:
        return steps, None, relaxed.seconds
    loss, most = narrow.losses(model), narrow.WORTH_IT * len(model.case.buyable)
    if len(narrow.as_good(loss, relaxed.objective, relaxed.objective, level)) > most:
        return steps, None, relaxed.seconds
    first = narrow.least(loss, narrow.in_part(model), narrow.FEW)
    few = steps.with_only(first)
    limit = FIRST_LOOK_S if left is None else min(FIRST_LOOK_S, max(0.05, left - relaxed.seconds))
    known = solver.minimise(few.model.problem, few.expression(n), time_limit_s=limit)
    seconds = relaxed.seconds + known.seconds
    if known.stopped:
        return few, known, seconds
    if known.objective is None:
        return steps, None, seconds
    kept = narrow.as_good(loss, relaxed.objective, known.objective, level)
    if kept <= first and known.status == "proven":
        return few, known, seconds
    return (steps.with_only(kept) if len(kept) <= most else steps), None, seconds


def _climb(steps: Ladder, granted: int, time_limit_s: float | None, on_stage: Callable[[str], None] | None) -> Solution:
    """Solve level by level. The first `granted` levels are set to their ideal, which needs no proof where it is met:
    one solve then stands for all of them. If it fails, nothing is known, and the caller climbs from the first level.
    """
    stages: list[Stage] = []
    best: Solution | None = None
    left = time_limit_s
    for n, level in enumerate(steps.levels[:granted]):
        assert level.ideal is not None
        steps.hold(n, level.ideal)
        stages.append(Stage(level.name, "proven", level.ideal, 0.0, 0.0))
    source, fixed = steps, False  # what `best` was read from, and whether its machines are fixed there
    for n in range(granted, len(steps.levels)):
        if on_stage:
            on_stage(steps.levels[n].name)
        steps, answer, seconds = _narrowed(steps, n, left)
        level = steps.levels[n]
        if best is not None and level.name == "place_rank":
            _fix_nodes(steps.model, best)
            fixed = True
        if answer is None:
            remains = None if left is None else max(0.05, left - seconds)
            answer = _minimise(steps.model, steps.expression(n), remains, tolerant=best is not None)
            seconds += answer.seconds
        if left is not None:
            left = max(0.05, left - seconds)
        if answer.status in ("error", "unbounded"):
            raise SolverError(f"level {level.name}: {answer.status}")
        if answer.has_values:
            source, best = steps, read(steps.model)
            value = float(level.of(best))
            stages.append(Stage(level.name, answer.status, value, answer.gap, seconds))
        if answer.stopped and best is None:
            raise KeyboardInterrupt
        if not answer.has_values or answer.stopped:
            if not answer.has_values:
                stages.append(Stage(level.name, answer.status, None, None, seconds))
            break
        # Cleaning may have dropped a millionth of work that an earlier level is held to: hold at the weaker value.
        reached = solver.value(steps.expression(n))
        steps.hold(n, level.sense * max(reached, level.sense * value))
    if best is None:
        return Solution(stages[-1].status if stages else "none", tuple(stages))
    ladder = source.levels
    if ladder[-1].name != "exists":
        if not fixed:
            _fix_nodes(source.model, best)
        best = _settle(source, best, None if left is None else max(left, SETTLE_S))
    proven = len(stages) == len(ladder) and all(s.status == "proven" for s in stages)
    proven = proven and all(_kept(level, stage.value, best) for level, stage in zip(ladder, stages, strict=True))
    status = "proven" if proven else "best_found"
    return replace(widen(source.model.case, best), status=status, stages=tuple(stages))


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


def _fix_nodes(model: Model, best: Solution) -> None:
    """What is bought, kept and used and where it stands, at the rounded values."""
    for name in ("buy", "kept", "on", "in_use", "first"):
        variables = getattr(model, name)
        for n, (key, amount) in enumerate(getattr(best, name).items()):
            model.row(f"fix_{name}{n}", variables[key] == amount)


def _settle(steps: Ladder, best: Solution, left: float | None) -> Solution:
    """With all whole numbers fixed, the shares at their cheapest, ties by rank.

    The slack by which levels are held was for the search among whole numbers. Now demand that is met is met exactly
    (unless a tolerance made it so), and rank weighs so little that all of it together costs less than half a cent:
    the answer is a corner of the cheapest plans, and no fraction of a run is traded for a fraction of a cent.
    """
    model, case = steps.model, steps.model.case
    for (i, s), jobs in best.place.items():
        model.row(f"fix_place{i}_{s}", model.place[i, s] == jobs)
    for held in model.held:  # money is what is minimised now, and whole numbers are fixed: only demand is still to keep
        slack = held.toward * (held.scale * held.slack if held.scale == FINE else FREE)
        model.problem.get_constraint_by_name(held.row).changeRHS(slack + (held.limit if held.scale == FINE else 0.0))
    ranks = [(case.way_numbers[i] + 1, share) for (i, _), share in model.share.items()]
    if not ranks:
        return best
    cost = steps.expression(next(n for n, level in enumerate(steps.levels) if level.name == "cost"))
    ways = len(case.whole.ways)
    weight = HOLD_MONEY / (len(case.periods) * ways * (ways + 1) / 2)
    objective = cost + solver.total(weight * rank * share for rank, share in ranks)
    exact = [f"exact{n}" for n, amount in enumerate(best.short.values()) if amount <= CLOSED_BY_LEVELS]
    for n, key in enumerate(best.short):
        if f"exact{n}" in exact:
            model.row(f"exact{n}", FINE * model.short[key] <= 0)
    answer = _ask(model, objective, left)
    if answer.status == "infeasible":
        answer = _ask(model, objective + _give(model, exact), left)
    return read(model) if answer.has_values else best


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
