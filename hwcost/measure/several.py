"""What several cards add to a step, from steps with gradients travelling less steps without. Needs no torch.

    added = d * tensors + max(T_ar - f * T_backward, last)          d >= 0, 0 <= f <= 1

d is the cost of each parameter tensor, f the share of backward under which the all-reduce hides, `last` the last
bucket's all-reduce, which nothing can hide. Where all gradients fit one bucket, T_ar = last and such a network tells d
alone. Both are fitted together by weighted least squares; the interval of one holds every value that is compatible with
the timings for some value of the other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from hwcost.measure.line import Interval

GRID = 400  # values of f
SAME = 1e-4  # of the sum of squares: no difference


@dataclass(frozen=True)
class Added:
    """What gradients that travel add to a step of one network over some cards. Times in ms, `error` one deviation."""

    added_ms: float
    error_ms: float
    tensors: int
    in_full_ms: float
    last_ms: float
    backward_ms: float

    @property
    def one_bucket(self) -> bool:
        return self.last_ms >= self.in_full_ms

    def exposed_ms(self, overlap: float) -> float:
        return max(self.in_full_ms - overlap * self.backward_ms, self.last_ms)


@dataclass(frozen=True)
class _At:
    """The best fit at one overlap: the free optimum of d, its curvature and both sums of squares."""

    overlap: float
    free_d: float
    curvature: float
    free_squares: float

    @property
    def d(self) -> float:
        return max(self.free_d, 0.0)

    @property
    def squares(self) -> float:
        return self.free_squares + self.curvature * (self.d - self.free_d) ** 2


def fit_added(
    seen: Sequence[Added], usual_d_ms: float, usual_error_ms: float, student: float
) -> tuple[Interval | None, Interval | None]:
    """(d in ms, f); each None where no network of its kind was measured.

    Without a network of one bucket d is not told: `usual_d_ms` with its error (one deviation) stands in for it.
    `student` is the 97.5 % point for the degrees of freedom of the errors.
    """
    tells_d, tells_f = any(item.one_bucket for item in seen), any(not item.one_bucket for item in seen)
    if not seen:
        return None, None
    prior = None if tells_d else (usual_d_ms, 1.0 / max(usual_error_ms, 1e-12) ** 2)
    grid = [_best_at(seen, i / GRID, prior) for i in range(GRID + 1 if tells_f else 1)]
    least = min(grid, key=lambda at: at.squares)
    if tells_f:
        near = [least.overlap + i / GRID / 20 for i in range(-20, 21)]
        grid = sorted([*grid, *(_best_at(seen, f, prior) for f in near if 0.0 <= f <= 1.0)], key=lambda at: at.overlap)
        lowest = min(at.squares for at in grid)
        # where all but the last bucket hides more overlap changes nothing: the value is the least of them
        least = next(at for at in grid if at.squares <= lowest + SAME)
    free = len(seen) - tells_d - tells_f
    # timings that contradict each other by more than their errors widen the interval
    scale = max(1.0, least.squares / free) if free > 0 else 1.0
    limit = least.squares + student**2 * scale
    inside = [at for at in grid if at.free_squares <= limit]
    return (
        _interval_of_d(least, inside, limit) if tells_d else None,
        _interval_of_f(least, grid, limit) if tells_f else None,
    )


def _best_at(seen: Sequence[Added], overlap: float, prior: tuple[float, float] | None) -> _At:
    weights = [1.0 / max(item.error_ms, 1e-12) ** 2 for item in seen]
    rests = [item.added_ms - item.exposed_ms(overlap) for item in seen]
    tensors = [float(item.tensors) for item in seen]
    if prior is not None:
        weights, rests, tensors = [*weights, prior[1]], [*rests, prior[0]], [*tensors, 1.0]
    curvature = math.fsum(w * t * t for w, t in zip(weights, tensors, strict=True))
    d = math.fsum(w * t * rest for w, t, rest in zip(weights, tensors, rests, strict=True)) / curvature
    squares = math.fsum(w * (rest - d * t) ** 2 for w, t, rest in zip(weights, tensors, rests, strict=True))
    return _At(overlap, d, curvature, squares)


def _interval_of_d(least: _At, inside: Sequence[_At], limit: float) -> Interval:
    reaches = [(at.free_d, math.sqrt((limit - at.free_squares) / at.curvature)) for at in inside]
    low, high = min(d - reach for d, reach in reaches), max(d + reach for d, reach in reaches)
    return Interval(least.d, min(max(low, 0.0), least.d), max(high, least.d))


def _interval_of_f(least: _At, grid: Sequence[_At], limit: float) -> Interval:
    inside = [at.overlap for at in grid if at.squares <= limit]
    return Interval(least.overlap, min(inside), max(inside))
