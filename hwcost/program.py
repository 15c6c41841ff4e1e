"""The mixed-integer program in the making: its variables, and how rows are added. The rules are in `model.py`."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from hwcost import solver
from hwcost.build import Build
from hwcost.case import Case
from hwcost.costs import CostLine, cost_lines
from hwcost.decisions import bought_of, decisions, nodes_of

FINE = 1000.0  # rows of shares are written in thousandths: a millionth of tolerance there is worth whole cents


@dataclass(frozen=True)
class Held:
    """A row that keeps an earlier level: `limit` without slack, in its own scale; `toward` is the slack's sign."""

    row: str
    limit: float
    slack: float
    scale: float
    toward: float


@dataclass
class Model:
    """The problem with its variables; keys as in `decisions.Values`, and (build, circuit, stage) for `on`."""

    case: Case
    problem: Any
    solver: str = "highs"  # one of `solver.SOLVERS`
    buy: dict[tuple[str, int], Any] = field(default_factory=dict)
    kept: dict[tuple[str, int], Any] = field(default_factory=dict)
    share: dict[tuple[int, int], Any] = field(default_factory=dict)
    short: dict[tuple[str, int], Any] = field(default_factory=dict)
    place: dict[tuple[int, int], Any] = field(default_factory=dict)
    cards: dict[tuple[int, int], Any] = field(default_factory=dict)  # by shared way and stage: cards held
    on: dict[tuple[str, int, int], Any] = field(default_factory=dict)
    in_use: dict[tuple[str, int], Any] = field(default_factory=dict)
    unused: dict[tuple[str, int], Any] = field(default_factory=dict)
    first: dict[tuple[str, int], Any] = field(default_factory=dict)
    pay: dict[tuple[str, str, int], Any] = field(default_factory=dict)
    worn: dict[tuple[str, int], Any] = field(default_factory=dict)  # by fund and year: money whose wear a fund bears
    ordered: dict[str, Any] = field(default_factory=dict)  # by item with a least order: 1 where any is bought
    held: list[Held] = field(default_factory=list)
    made: int = 0

    def variable(self, high: float, *, whole: bool = False) -> Any:
        """A variable from 0 to `high`. Its name keeps the order of making: PuLP 3 sorts by name, PuLP 4 does not."""
        self.made += 1
        return self.problem.add_variable(f"v{self.made:06d}", 0, high, cat="Integer" if whole else "Continuous")

    def row(self, name: str, condition: Any) -> None:
        self.problem.addConstraint(condition, name)

    def hold(self, name: str, expression: Any, sense: float, value: float, slack: float, scale: float) -> None:
        """Keep `expression` at `value`: at most (`sense` 1) or at least (-1), but for `slack`."""
        limit = scale * value
        edge = limit + sense * scale * slack
        self.row(name, scale * expression <= edge if sense > 0 else scale * expression >= edge)
        self.held.append(Held(name, limit, slack, scale, sense))

    def nodes(self, build: Build, stage: int) -> Any:
        """Units of a build in service."""
        return nodes_of(self.case, self, build, stage)

    def bought(self, build: Build) -> Any:
        """Units of a build bought over all years."""
        return bought_of(self, build, self.case.purchase_years)

    @cached_property
    def lines(self) -> list[CostLine]:
        """Cost lines as expressions; every variable that they read must be there before."""
        return cost_lines(self.case.scenario, self.case.builds, decisions(self.case, self))


def most_units(case: Case, build: Build, year: int) -> int:
    """A finite bound on every purchase: the number of nodes, the budget, the rack and the machines to upgrade."""
    scenario = case.scenario
    if build.upgrade_of:
        hosts = case.build_by_id.get(build.upgrade_of)
        most = hosts.owned_count if hosts else 0
    else:
        most = scenario.max_nodes // build.nodes_per_unit
    price = case.price(build, year)
    if scenario.budget is not None and price > 0:
        most = min(most, math.floor((scenario.budget + 1e-6) / price))
    if scenario.rack_units is not None and build.chassis.rack_units and not build.upgrade_of:
        most = min(most, scenario.rack_units // (build.chassis.rack_units * build.nodes_per_unit))
    return max(0, most)


def total(terms: Any) -> Any:
    return solver.total(terms)
