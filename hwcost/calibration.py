"""The measured step of one network on one card (`calibration.csv`), and what it says about a step of other work.

    T_c = c0 * passes + ms_per_sample * samples        error: by the ends of both intervals, at least 8 %

`hwcost calibrate` writes such rows. Both ends of both intervals together are wider than the line's own interval, since
a line that starts higher rises less; the floor is what two hosts of one type differ by in public logs (5-8 %): a
measurement holds for the host that was measured.
"""

from __future__ import annotations

from dataclasses import dataclass

from hwcost.origin import Origin

PROCESSOR = "cpu"  # the card of a measurement without cards; no card has this id, so that the row serves none
HOST_SHARE = 0.08
PARAMS_TOLERANCE = 0.05  # another number of classes changes the last layer; another network more


@dataclass(frozen=True)
class MeasuredStep:
    """The line of one card at one precision, ms; its ends are None where the measurement does not tell."""

    card_id: str
    precision: str
    c0_ms: float
    ms_per_sample: float
    c0_low_ms: float | None
    c0_high_ms: float | None
    ms_per_sample_low: float | None
    ms_per_sample_high: float | None
    batch_from: int
    batch_to: int

    def card_ms(self, passes: float, samples: float) -> float:
        """Time of one step of so many passes with so many samples together."""
        return self.c0_ms * passes + self.ms_per_sample * samples

    def error_share(self, passes: float, samples: float) -> float | None:
        """Half width of the error band as a share of the time; None where an end is not known."""
        ends = (self.c0_low_ms, self.c0_high_ms, self.ms_per_sample_low, self.ms_per_sample_high)
        c0_low, c0_high, low, high = ends
        if c0_low is None or c0_high is None or low is None or high is None:
            return None
        middle = self.card_ms(passes, samples)
        above = c0_high * passes + high * samples - middle
        below = middle - c0_low * passes - low * samples
        return max(above / middle, below / middle, HOST_SHARE)

    def holds(self, micro_batch: int) -> bool:
        """Whether such a batch lies within those that were measured."""
        return self.batch_from <= micro_batch <= self.batch_to


@dataclass(frozen=True)
class CalibrationRow:
    """One row of `calibration.csv`. `workload_id` is a preset or a workload of a scenario, `step_cv` a share."""

    workload_id: str
    card_id: str
    precision: str
    params: float
    batch_from: int
    batch_to: int
    c0_ms: float
    c0_low_ms: float | None
    c0_high_ms: float | None
    ms_per_sample: float
    ms_per_sample_low: float | None
    ms_per_sample_high: float | None
    step_cv: float | None
    step_cv_low: float | None
    step_cv_high: float | None
    overlap: float | None  # share of backward under which communication hides
    overlap_low: float | None
    overlap_high: float | None
    overhead_ms_per_tensor: float | None  # of each parameter tensor and step, with several cards
    overhead_low_ms: float | None
    overhead_high_ms: float | None
    loader_ms_per_sample: float | None
    origin: Origin

    @property
    def id(self) -> str:
        """The key: a later layer replaces the row of the same network, card and precision."""
        return f"{self.workload_id}/{self.card_id}/{self.precision}"

    @property
    def step(self) -> MeasuredStep:
        return MeasuredStep(
            self.card_id, self.precision, self.c0_ms, self.ms_per_sample, self.c0_low_ms, self.c0_high_ms,
            self.ms_per_sample_low, self.ms_per_sample_high, self.batch_from, self.batch_to,
        )  # fmt: skip

    @property
    def bands(self) -> tuple[tuple[str, float | None, float | None, float | None], ...]:
        """(column, low, value, high) of every figure with an interval."""
        return (
            ("c0_ms", self.c0_low_ms, self.c0_ms, self.c0_high_ms),
            ("ms_per_sample", self.ms_per_sample_low, self.ms_per_sample, self.ms_per_sample_high),
            ("step_cv", self.step_cv_low, self.step_cv, self.step_cv_high),
            ("overlap", self.overlap_low, self.overlap, self.overlap_high),
            ("overhead_ms_per_tensor", self.overhead_low_ms, self.overhead_ms_per_tensor, self.overhead_high_ms),
        )
