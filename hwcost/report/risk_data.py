"""What the sheet of risk shows when it was computed: switching prices of the options, and the budget curve."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SwitchRow:
    """One option: its price and the price at which the recommendation flips, both with tax; None: there is none."""

    letter: str
    price: float
    switching_price: float | None
    outcome: dict[str, str]  # by language: what the figure means, or why there is none


@dataclass(frozen=True)
class FrontierRow:
    """What a budget buys: people at once and the total over the years."""

    budget: float
    people: int
    nominal: float


@dataclass(frozen=True)
class RiskData:
    """Empty parts were not computed: the sheet says so and shows no chart."""

    switching: tuple[SwitchRow, ...] = ()
    frontier: tuple[FrontierRow, ...] = ()
