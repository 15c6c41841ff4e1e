"""A straight line through timings, with intervals; steps vary by a share of their length, so that each counts alike.

Needs no torch.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

LEAST_POINTS = 3
NORMAL_95 = 1.959964
# 97.5 % point of Student's t for 1, 2, 3 ... degrees of freedom
STUDENT = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
    2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip
MEDIAN_OF_SQUARES = 0.4549  # of a standard normal's squares: the median of chi-squared with one degree of freedom
FEW_CORNERS = 4  # with fewer, their mean square; a median of so few says nothing
CORNERS_PER_DEGREE = 2.0  # neighbouring corners share points, and a median uses part of what they tell


@dataclass(frozen=True)
class Interval:
    """A value and its 95 % interval; `high` is None where the data set no upper limit."""

    value: float
    low: float
    high: float | None

    def scaled(self, factor: float) -> Interval:
        return Interval(self.value * factor, self.low * factor, None if self.high is None else self.high * factor)


@dataclass(frozen=True)
class LineFit:
    """y = intercept + slope x, neither below zero; `worst` is the largest |ln(fitted/measured)|.

    `falling`: the whole interval of the slope lies below zero, so that no line of this form describes the points.
    """

    intercept: Interval
    slope: Interval
    points: int
    worst: float
    falling: bool = False


def student(degrees: int) -> float:
    """The 97.5 % point of Student's t."""
    if degrees <= len(STUDENT):
        return STUDENT[degrees - 1]
    return NORMAL_95 + (NORMAL_95**3 + NORMAL_95) / (4.0 * degrees)  # Cornish-Fisher


def fit_line(points: Sequence[tuple[float, float]]) -> LineFit | None:
    """Weighted least squares of (x, y), relative errors; None with fewer than three different x.

    A line that would start or fall below zero is held at zero there.
    """
    if len({x for x, _ in points}) < LEAST_POINTS or any(y <= 0.0 for _, y in points):
        return None
    weights = [1.0 / (y * y) for _, y in points]
    w, wx, wxx = (math.fsum(k * x**p for k, (x, _) in zip(weights, points, strict=True)) for p in (0, 1, 2))
    wy, wxy = (math.fsum(k * x**p * y for k, (x, y) in zip(weights, points, strict=True)) for p in (0, 1))
    determinant = w * wxx - wx * wx
    intercept, slope = (wxx * wy - wx * wxy) / determinant, (w * wxy - wx * wy) / determinant
    spread = math.fsum(((y - intercept - slope * x) / y) ** 2 for x, y in points) / (len(points) - 2)
    reach = student(len(points) - 2) * math.sqrt(spread / determinant)
    first = Interval(max(intercept, 0.0), max(intercept - reach * math.sqrt(wxx), 0.0),
                     max(intercept + reach * math.sqrt(wxx), 0.0))  # fmt: skip
    second = Interval(max(slope, 0.0), max(slope - reach * math.sqrt(w), 0.0), max(slope + reach * math.sqrt(w), 0.0))
    if intercept < 0.0:
        second = Interval(wxy / wxx, min(second.low, wxy / wxx), max(second.high or 0.0, wxy / wxx))
    elif slope < 0.0:
        first = Interval(wy / w, min(first.low, wy / w), max(first.high or 0.0, wy / w))
    worst = max(abs(math.log((first.value + second.value * x) / y)) for x, y in points)
    return LineFit(first, second, len(points), worst, falling=slope + reach * math.sqrt(w) < 0.0)


def inverse(interval: Interval) -> Interval:
    """1 / x of a positive interval; without upper limit where x may be zero."""
    return Interval(
        1.0 / interval.value,
        0.0 if interval.high is None else 1.0 / interval.high,
        1.0 / interval.low if interval.low > 0.0 else None,
    )


def scatter(scans: Iterable[Sequence[tuple[float, float]]]) -> tuple[float, int]:
    """By which share one timing differs from the next beside what x does to it, and the degrees of freedom of that.

    Each point is compared with the straight line between its neighbours. The median of the squares is taken: where a
    card goes from launches to compute the scan bends at one place, which is no scatter. (0, 0) without three points.
    """
    squares: list[float] = []
    for scan in scans:
        ordered = sorted(scan)
        for (x1, y1), (x2, y2), (x3, y3) in zip(ordered, ordered[1:], ordered[2:], strict=False):
            if x1 == x3:
                continue
            share = (x2 - x1) / (x3 - x1)
            off = y2 - (1.0 - share) * y1 - share * y3
            squares.append(off * off / (y2 * y2 + ((1.0 - share) * y1) ** 2 + (share * y3) ** 2))
    if not squares:
        return 0.0, 0
    if len(squares) < FEW_CORNERS:
        return math.sqrt(math.fsum(squares) / len(squares)), len(squares)
    squares.sort()
    middle = (squares[(len(squares) - 1) // 2] + squares[len(squares) // 2]) / 2.0
    return math.sqrt(middle / MEDIAN_OF_SQUARES), max(1, int(len(squares) / CORNERS_PER_DEGREE))
