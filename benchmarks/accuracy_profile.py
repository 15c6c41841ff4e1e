"""Peak memory from `hwcost profile` on public image models: fitted on half of the models, reported on the other half.

The profiles (evidence/memory_live.csv) are made by `collect_profiles.py` on a sample of the models, in the order of a
hash of their name. The prediction is

    M = context + f * peak of tensors alive + max over kinds (w[kind] * input and result of the largest convolution)

with kinds as in `hwcost.measure.operators`. Batches other than 8 and 16 lie on the line through these two.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from accuracy_memory import MARGIN, _bytes, _fit, _half, _impossible
from accuracy_stats import Line, Point, errors_line, lowest, quantile

from hwcost.memory import MIB

Row = dict[str, str]
KINDS = ("plain", "grouped", "pointwise", "depthwise")
SHIPPED = (1736.0, 1.07, 3.7, 3.4, 0.9, 0.5)  # PROCESS_MIB, RESERVED_PER_LIVE, WORKSPACE_PER_MAPS of the profiler
STEPS = (64.0, 0.04, 0.4, 0.4, 0.2, 0.2)
BATCHES = (8.0, 16.0)


def profile_lines(peaks: Sequence[Row], profiles: Sequence[Row], live: Sequence[Row]) -> list[Line]:
    """All usable rows of the sampled models, then those that the saved bytes do not prove impossible."""
    own = {row["model"]: row for row in live}
    known = {row["model"]: row for row in profiles}
    rows = [row for row in peaks if row["model"] in own and row["model"] in known]
    impossible = _impossible(rows, known)
    lines = []
    for title, chosen in (
        ("peak memory by hwcost profile, sampled models", rows),
        ("by hwcost profile, without runs that cannot be", [row for row in rows if row["model"] not in impossible]),
    ):
        fitting = [row for row in chosen if _half(row["model"]) == 0]
        reported = [row for row in chosen if _half(row["model"]) == 1]
        fit = lowest(lambda fit, fitting=fitting: _cost(fit, fitting, own), SHIPPED, STEPS, rounds=4)
        points = [Point(_predicted(row, own, fit), float(row["peak_mib"]), row["model"]) for row in reported]
        above = sum(point.measured > point.predicted / (1.0 - MARGIN) for point in points) / len(points)
        shipped = _errors([_predicted(row, own, SHIPPED) for row in reported], reported)
        lines.append(errors_line(
            title, f"{len(own)} of {len(known)} models (by hash of the name); six constants fitted on half of them, "
            "reported on the other half",
            points, goal=(0.03, 0.09), rivals=_rivals(fitting, reported, own, known),
            note=f"fit {fit[0]:.0f} MiB, {fit[1]:.2f} and {' / '.join(f'{w:.1f}' for w in fit[2:])} "
            f"({' / '.join(KINDS)}); the constants in the program give "
            f"{100 * shipped[0]:.1f} / {100 * shipped[1]:.1f} %; measured above prediction/0.75 in {100 * above:.1f} % "
            f"(goal under 1 %: {'met' if above < 0.01 else 'MISSED'})",
        ))  # fmt: skip
    return lines


def _figures(row: Row, own: dict[str, Row]) -> list[float]:
    """Live tensors and the maps of the largest convolution of each kind at the row's batch, MiB."""
    found = own[row["model"]]
    share = (float(row["batch"]) - BATCHES[0]) / (BATCHES[1] - BATCHES[0])
    ends = [[float(found[f"{name}_{batch:.0f}"]) for batch in BATCHES] for name in ("live", *KINDS)]
    return [(small + (large - small) * share) / MIB for small, large in ends]


def _predicted(row: Row, own: dict[str, Row], fit: Sequence[float]) -> float:
    live, *maps = _figures(row, own)
    return fit[0] + fit[1] * live + max(w * size for w, size in zip(fit[2:], maps, strict=True))


def _cost(fit: Sequence[float], rows: Sequence[Row], own: dict[str, Row]) -> float:
    """Sum of the errors, each counted up to 15 %: impossible runs are among them."""
    if min(fit[:2]) <= 0.0 or min(fit) < 0.0:
        return math.inf
    return math.fsum(min(abs(math.log(_predicted(row, own, fit) / float(row["peak_mib"]))), 0.15) for row in rows)


def _errors(predicted: Sequence[float], rows: Sequence[Row]) -> tuple[float, float]:
    off = [abs(math.log(value / float(row["peak_mib"]))) for value, row in zip(predicted, rows, strict=True)]
    return quantile(off, 0.5), quantile(off, 0.9)


def _rivals(
    fitting: Sequence[Row], reported: Sequence[Row], own: dict[str, Row], known: dict[str, Row]
) -> dict[str, tuple[float, float]]:
    """The planning formula (saved bytes and the largest tensor), and live tensors with a fitted constant, same rows."""
    fit = _fit(fitting, known)
    parts = [_bytes(row, known) for row in reported]
    formula = [fit[0] + state + saved + fit[1] * largest for state, saved, largest in parts]
    constant = quantile([float(row["peak_mib"]) - _figures(row, own)[0] for row in fitting], 0.5)
    alone = [constant + _figures(row, own)[0] for row in reported]
    return {"planning formula": _errors(formula, reported), "live tensors + constant": _errors(alone, reported)}
