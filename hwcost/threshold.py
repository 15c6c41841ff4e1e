"""From which parameter count do several cards pay? (article A section 3.3, with all five cases)

The compute time of a step is the line T_c = c0 + c1*P*b. Several cards reach the speedup S_target when r <= r*:

    r* = N/S_target - 1        rho = r* - s + 2f/3        num = alpha + d - rho*c0
    den = rho*c1*b - (V/P)/BW                             num <= P*den

s is the straggler share, f the overlap, d the fixed cost of data parallelism per step, V/P = 2*(N-1)/N * b_grad.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from hwcost.scaling import BACKWARD_SHARE, volume_bytes

CASES = ("pays_from", "always", "pays_up_to", "never", "break_even")

# What to try before a second card, whatever the case: keys of messages, cheapest first.
ALTERNATIVES = (
    "threshold.alternative.accumulation",
    "threshold.alternative.amp",
    "threshold.alternative.checkpointing",
    "threshold.alternative.sharding",
    "threshold.alternative.independent_runs",
)


@dataclass(frozen=True)
class Threshold:
    """`params` is P* for `pays_from` and `pays_up_to`, else None. `numerator_ms` and `denominator` are its parts."""

    case: str
    params: float | None
    numerator_ms: float
    denominator_ms_per_param: float
    r_target: float
    rho: float
    alternatives: tuple[str, ...] = ALTERNATIVES

    @property
    def case_key(self) -> str:
        """Message key of the case's sentence."""
        return f"threshold.case.{self.case}"


def threshold(
    *,
    c0_ms: float,
    c1_ms_per_param_sample: float,
    per_card_batch: float,
    cards: int,
    bandwidth_gb_s: float,
    alpha_ms: float,
    speedup_target: float,
    grad_bytes: float = 4.0,
    straggler_share: float = 0.0,
    overlap: float = 0.0,
    overhead_ms: float = 0.0,
) -> Threshold:
    """P* with its case. Bandwidth is the bus bandwidth of the slowest link, in GB/s (1e9 bytes).

    >>> found = threshold(c0_ms=2, c1_ms_per_param_sample=1e-6 / 3, per_card_batch=9, cards=4,
    ...                   bandwidth_gb_s=0.875, alpha_ms=0.18, speedup_target=2)
    >>> found.case, round(found.params)
    ('pays_up_to', 471852)
    """
    r_target = cards / speedup_target - 1.0
    rho = r_target - straggler_share + BACKWARD_SHARE * overlap
    numerator = _difference(alpha_ms + overhead_ms, rho * c0_ms)
    communication = volume_bytes(1.0, grad_bytes, cards) / (bandwidth_gb_s * 1e6)
    denominator = _difference(rho * c1_ms_per_param_sample * per_card_batch, communication)
    case = _case(numerator, denominator)
    params = numerator / denominator if case in ("pays_from", "pays_up_to") else None
    return Threshold(case, params, numerator, denominator, r_target, rho)


def _case(numerator: float, denominator: float) -> str:
    if numerator == 0.0 and denominator == 0.0:
        return "break_even"
    if numerator > 0.0 and denominator > 0.0:
        return "pays_from"
    if numerator < 0.0 and denominator < 0.0:
        return "pays_up_to"
    return "always" if numerator <= 0.0 and denominator >= 0.0 else "never"


def _difference(a: float, b: float) -> float:
    """a - b, exactly 0 where the two agree to rounding: the cases hang on the sign."""
    return 0.0 if math.isclose(a, b, rel_tol=1e-12) else a - b
