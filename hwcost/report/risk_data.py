"""What the sheet of risk shows when it was computed: switching prices of the options, and the budget curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from hwcost.messages import LANGUAGES, say
from hwcost.options import Comparison
from hwcost.quantities import money_text


class Subject(Protocol):
    """What is priced; `letter` of an option."""

    @property
    def letter(self) -> str: ...


class Switching(Protocol):
    """A computed switching price: prices of one machine, and `outcome` in a word where there is no price."""

    @property
    def subject(self) -> Subject: ...
    @property
    def outcome(self) -> str: ...
    @property
    def in_plan(self) -> bool: ...
    @property
    def price_now(self) -> float: ...
    @property
    def price(self) -> float | None: ...


class Point(Protocol):
    """A computed point of the budget curve."""

    @property
    def budget(self) -> float: ...
    @property
    def people_at_once(self) -> int: ...
    @property
    def nominal(self) -> float: ...


@dataclass(frozen=True)
class SwitchRow:
    """One option: the price of one machine and the one at which the recommendation flips; None: there is none."""

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


def risk_data(comparison: Comparison, switching: Sequence[Switching] = (), frontier: Sequence[Point] = ()) -> RiskData:
    """Rows for the options that have a letter, in the order of the letters, and for the budgets in theirs."""
    currency = comparison.best.case.scenario.currency
    rows = [
        SwitchRow(s.subject.letter, s.price_now, s.price, {lang: _outcome(s, currency, lang) for lang in LANGUAGES})
        for s in switching
        if s.subject.letter
    ]
    points = [FrontierRow(p.budget, p.people_at_once, p.nominal) for p in frontier]
    return RiskData(
        tuple(sorted(rows, key=lambda r: r.letter)), tuple(sorted(points, key=lambda p: (p.budget, p.people)))
    )


def _outcome(found: Switching, currency: str, lang: str) -> str:
    """The figure in a sentence, or why there is none."""
    side = "in" if found.in_plan else "out"
    key = f"value_{side}" if found.price is not None else found.outcome
    return say(f"report.risk.outcome.{key}", lang, letter=found.subject.letter,
               price=money_text(found.price, currency, lang))  # fmt: skip
