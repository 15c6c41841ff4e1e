"""Errors of predictions in one line of a table, and the small search that fits a handful of constants."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Point:
    """One prediction beside its measurement."""

    predicted: float
    measured: float
    label: str = ""


@dataclass(frozen=True)
class Line:
    """One line of the table. Errors are shares, of efficiencies differences; None: nothing to report on."""

    prediction: str
    split: str
    median: float | None
    p90: float | None
    rows: int
    goal: tuple[float | None, float | None] = (None, None)
    rivals: dict[str, tuple[float, float]] = field(default_factory=dict)
    absolute: bool = False
    worst: bool = False  # the second goal holds for the worst point, not for nine in ten
    highest: float | None = None
    plot: str = ""
    points: tuple[Point, ...] = ()
    note: str = ""

    @property
    def logarithmic(self) -> bool:
        return not self.absolute

    def figure(self, value: float | None) -> str:
        """An error as the table prints it."""
        if value is None:
            return "-"
        return f"{value:.3f}" if self.absolute else f"{100 * value:.1f} %"

    def met(self) -> bool | None:
        """Whether both goals are reached; None without rows or goals."""
        pairs = zip(self.goal, (self.median, self.highest if self.worst else self.p90), strict=True)
        stated = [(goal, value) for goal, value in pairs if goal is not None]
        if not stated or any(value is None for _, value in stated):
            return None
        return all(value is not None and value <= goal for goal, value in stated)

    def goal_text(self) -> str:
        if self.goal == (None, None):
            return "-"
        goals = f"{self.figure(self.goal[0])} / {self.figure(self.goal[1])}"
        if self.worst:
            goals = f"worst {self.figure(self.goal[1])}, is {self.figure(self.highest)}"
        return f"{goals}: {({True: 'met', False: 'MISSED', None: 'NOT MEASURED'})[self.met()]}"

    def record(self) -> dict[str, Any]:
        """The line as JSON."""
        return {
            "prediction": self.prediction, "split": self.split, "median": self.median, "p90": self.p90,
            "rows": self.rows, "unit": "difference" if self.absolute else "share",
            "goal": {"median": self.goal[0], "worst" if self.worst else "p90": self.goal[1]}, "met": self.met(),
            "worst": self.highest, "note": self.note,
            "rivals": {name: {"median": a, "p90": b} for name, (a, b) in self.rivals.items()},
        }  # fmt: skip


def errors_line(prediction: str, split: str, points: Sequence[Point], *, absolute: bool = False, **more: Any) -> Line:
    """A line from its points."""
    errors = [error(point, absolute) for point in points]
    return Line(
        prediction, split, quantile(errors, 0.5), quantile(errors, 0.9), len(errors), absolute=absolute,
        highest=max(errors), points=tuple(points), **more,
    )  # fmt: skip


def error(point: Point, absolute: bool = False) -> float:
    """|ln(predicted/measured)|, or the difference."""
    if absolute:
        return abs(point.predicted - point.measured)
    return abs(math.log(point.predicted / point.measured))


def quantile(values: Sequence[float], share: float) -> float:
    """Linear between the ordered values, as numpy's default."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def lowest(
    cost: Callable[[Sequence[float]], float], start: Sequence[float], steps: Sequence[float], *, rounds: int = 8
) -> list[float]:
    """Compass search: a step up or down along each constant, halved when none helps. Deterministic."""
    best, at = cost(start), list(start)
    width = list(steps)
    for _ in range(rounds):
        moved = True
        while moved:
            moved = False
            for i in range(len(at)):
                for sign in (1.0, -1.0):
                    there = [*at[:i], at[i] + sign * width[i], *at[i + 1 :]]
                    value = cost(there)
                    if value < best - 1e-12:
                        best, at, moved = value, there, True
        width = [w / 2.0 for w in width]
    return at
