"""What the program decided: whole numbers rounded, shares without the solver's dust."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

from hwcost import solver
from hwcost.case import Case
from hwcost.decisions import nodes_of, ways_of
from hwcost.program import Model

DUST = 1e-7  # a share below this is none
CLOSED = 2e-7  # demand short by less than this is met: the solver's tolerance


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


def read(model: Model) -> Solution:
    """The values of the variables."""

    def whole(name: str) -> dict[Any, int]:
        return {key: round(solver.value(v)) for key, v in getattr(model, name).items()}

    def part(name: str, high: float = math.inf) -> dict[Any, float]:
        return {key: min(high, max(0.0, solver.value(v))) for key, v in getattr(model, name).items()}

    found = Solution(
        "best_found", (), buy=whole("buy"), kept=whole("kept"), share=part("share", 1.0), short=part("short", 1.0),
        place=whole("place"), on=whole("on"), in_use=whole("in_use"), unused=part("unused", 1.0),
        first=whole("first"), pay=part("pay"), worn=part("worn"),
    )  # fmt: skip
    _clean(model.case, found)
    return found


def widen(case: Case, found: Solution) -> Solution:
    """A solution of a narrowed case as one of the whole case: nothing is bought, placed or run of what was left out."""
    whole, number = case.whole, case.way_numbers
    if case is whole:
        return found
    ways = range(len(whole.ways))
    place = {(number[i], s): jobs for (i, s), jobs in found.place.items()}
    share = {(number[i], p): part for (i, p), part in found.share.items()}
    machines = [b.id for b in whole.builds if b.service is None]
    plugs = sorted({(c, s) for _, c, s in found.on})
    return replace(
        found,
        buy={(b.id, t): found.buy.get((b.id, t), 0) for b, t in whole.purchases},
        place={(i, s): place.get((i, s), 0) for i in ways for s in range(len(whole.stages))},
        share={(i, p): share.get((i, p), 0.0) for i in ways for p in range(len(whole.periods))},
        on={(b, c, s): found.on.get((b, c, s), 0) for b in machines for c, s in plugs},
    )


def _clean(case: Case, found: Solution) -> None:
    """Shares without the solver's dust: no work on a node that is not there, nothing left out that is a millionth.

    A whole number within the solver's tolerance may stand for a millionth of a node; what such a node was to carry goes
    to the other ways of the same workload. Shares and what is left out add up to 1 again, exactly.
    """
    share, short = found.share, found.short
    there = {(b.id, s) for b in case.builds for s in range(len(case.stages))
             if b.service is None and nodes_of(case, found, b, s)}  # fmt: skip
    for workload in case.scenario.workloads:
        ways = ways_of(case, workload=workload.id)
        for p in range(len(case.periods)):
            for i in ways:
                if share[i, p] < DUST or not _can_work(case, found, i, p, there):
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


def _can_work(case: Case, found: Solution, way: int, period: int, there: set[tuple[str, int]]) -> bool:
    """The machine is there, or the service in use, and a workload on several cards was set up for them."""
    strategy = case.ways[way]
    build, workload = strategy.build_id, strategy.workload_id
    begun = [found.first.get((workload, p), 1) for p in range(period + 1)]  # 1: setting up costs nothing
    if strategy.cards > 1 and not any(begun):
        return False
    if case.build_by_id[build].service is not None:
        return found.in_use.get((build, period), 1) > 0
    return (build, case.stage_of[period]) in there
