"""Switching prices: at which price of X does the recommendation change?

    V(f)      best plan when every price row of X costs f times as much; X may be bought or not
    V0        best plan without X; it does not depend on f
    factor    the largest f at which V(f) is better than V0, that is, at which X is in the best plan

Plans are compared level by level, as the objective does. V(f) never becomes better as f rises (whatever can be bought
at a higher price can be bought at a lower one, for less), so the factor is unique, also under a budget. How *many* X
are bought may rise with the price all the same; `quantity_intervals` lists that on a grid.

Outcomes: `value`; `never_leaves` (no price drives X out); `unaffordable` (X leaves because the budget no longer pays
for one); `not_even_free` (X is not in the best plan though it cost nothing); `unproven` (a solve ended without proof).
Power supplies and pruning are chosen anew at every price that is tried.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from hwcost import pool, whatif
from hwcost.build import Build, PricedPart
from hwcost.costs import CAPEX
from hwcost.options import OPTIONS, Comparison
from hwcost.plan import Plan

OUTCOMES = ("value", "never_leaves", "unaffordable", "not_even_free", "unproven")
WITHIN = 0.001  # of the factor: the two sides of a switching price are no farther apart
MOST_STEPS = 60
NEARLY_FREE = 1e-3
UNIT_COUNTS_FROM = 10.0  # of a smaller price a unit of the currency would be no grain at all
WORTH_A_JUMP = 1.25  # a step that gains less than this is not worth another like it
GRID = tuple(round(0.5 + 0.1 * n, 1) for n in range(11))  # of `quantity_intervals`: 0.5 to 1.5 times the price
REFINED = 0.01  # of the factor: how closely a change of the quantity is told


@dataclass(frozen=True)
class Subject:
    """What is priced: `kind` option (all machines of that kind) or item (one catalog id, wherever it is built in)."""

    kind: str  # option | item
    id: str
    role: str = ""  # of an item: card | host | psu | storage | bridge | system
    letter: str = ""  # of an option


@dataclass(frozen=True)
class SwitchPrice:
    """`price_now` and `price` are for one unit (option: the cheapest machine of that kind), on the budget's tax basis.

    `factor`, `price` and `headroom` (factor - 1) are None where there is no such price. `low` and `high` are the two
    prices that were solved, as factors: X is in the best plan at `low` and not at `high`.
    """

    subject: Subject
    outcome: str
    in_plan: bool
    factor: float | None
    low: float | None
    high: float | None
    price_now: float
    price: float | None
    headroom: float | None
    level: str  # the level of the objective at which the plan without X is worse
    instead: tuple[tuple[str, int], ...]  # build, nodes of the best plan without X; empty where there is none
    instead_plan: Plan | None = None
    solves: int = 0  # plans that were solved to find it


@dataclass(frozen=True)
class Interval:
    """Between two factors (of the grid, refined) the best plan has `quantity` units of X."""

    low: float
    high: float
    quantity: int


# --- what is asked about --------------------------------------------------------------------------------------------


def accepts(subject: Subject) -> Callable[[Build], bool]:
    """The filter of builds that stand for the subject; owned machines never do."""
    if subject.kind == "option":
        found = whatif.option_filter(subject.id)
        assert found is not None, f"{subject.id} is more than a kind of machine"
        return found
    return lambda build: not build.owned and any(p.item_id == subject.id for p in build.parts)


def factor_of(subject: Subject, factor: float) -> whatif.Factor:
    """The factor on every price row of the subject: an option's are those of its whole machines."""
    chosen = accepts(subject)

    def of(build: Build, part: PricedPart | None) -> float:
        if subject.kind == "item":
            return factor if part is not None and part.item_id == subject.id else 1.0
        return factor if chosen(build) else 1.0

    return of


def subjects(best: Plan, comparison: Comparison | None = None) -> tuple[Subject, ...]:
    """The options of a comparison (all that have a machine to buy), then everything that the best plan buys."""
    letters = {r.id: r.letter for r in comparison.results} if comparison else {o.id: "" for o in OPTIONS}
    offered = (*best.case.buyable, *best.case.services)
    found = []
    for option, letter in letters.items():
        chosen = whatif.option_filter(option)
        if chosen is not None and any(chosen(b) for b in offered):
            found.append(Subject("option", option, letter=letter))
    roles = whatif.items_of(p.build for p in best.bought)
    return (*found, *(Subject("item", item, roles[item]) for item in sorted(roles, key=lambda i: (roles[i], i))))


# --- the search -----------------------------------------------------------------------------------------------------


def switching_prices(
    best: Plan, asked: tuple[Subject, ...] | None = None, *, comparison: Comparison | None = None,
    time_limit_s: float | None = None, workers: int | None = 1, dask: str | None = None,
    on_done: pool.Progress | None = None,
) -> tuple[SwitchPrice, ...]:  # fmt: skip
    """The switching price of every subject, in their order; after an interrupt only those that are done.

    `best` is the best plan of the case under its objective. `time_limit_s` is for one solve.
    """
    wanted = subjects(best, comparison) if asked is None else asked
    outcome = pool.run(_task, (best, time_limit_s), wanted, workers=workers, dask=dask, on_done=on_done)
    return outcome.done


def _task(context: tuple[Plan, float | None], subject: Subject) -> SwitchPrice:
    best, limit = context
    return switching_price(best, subject, time_limit_s=limit)


def switching_price(best: Plan, subject: Subject, *, time_limit_s: float | None = None) -> SwitchPrice:
    """The switching price of one subject."""
    return _Search(best, subject, time_limit_s).result()


class _Search:
    """Finds the factor between a price at which X is bought and one at which it is not."""

    def __init__(self, best: Plan, subject: Subject, time_limit_s: float | None) -> None:
        self.best, self.case, self.subject, self.limit = best, best.case, subject, time_limit_s
        self.accepts = accepts(subject)
        rest = whatif.without(self.case, self.accepts)
        self.plan0 = whatif.solve(rest, best.objective, time_limit_s=time_limit_s)
        self.proven = whatif.proven(self.plan0)
        self.level = ""
        self.known: dict[float, Plan | None] = {}

    def bought_at(self, factor: float) -> Plan | None:
        """The best plan at this factor where it is better than without X, else None."""
        if factor not in self.known:
            case = whatif.repriced(self.case, factor_of(self.subject, factor))
            plan = whatif.solve(case, self.best.objective, time_limit_s=self.limit)
            self.proven = self.proven and whatif.proven(plan)
            place = whatif.standing(plan, self.plan0)
            if place.sign > 0:
                self.level = place.level
            self.known[factor] = plan if place.sign > 0 else None
        return self.known[factor]

    def result(self) -> SwitchPrice:
        here = self.best if whatif.standing(self.best, self.plan0).sign > 0 else None
        self.known[1.0] = here
        hired = any(b.service is not None and self.accepts(b) for b in self.case.build_set.builds)
        nothing = NEARLY_FREE if hired else 0.0  # hours at no price leave no line whose slope could be read
        low, high = (1.0, math.inf) if here is not None else (nothing, 1.0)
        plan = here if here is not None else self.bought_at(nothing)
        if here is not None:
            self.level = whatif.standing(self.best, self.plan0).level
        if plan is None:
            return self._told("not_even_free", here, None, None)
        last = 0.0  # what the step before gained
        for _ in range(MOST_STEPS):
            if high - low <= self._width(high):
                outcome = "value" if self._affordable(high) else "unaffordable"
                return self._told(outcome, here, low, high)
            edge = self._edge(plan, low)
            if edge is None:
                return self._told("never_leaves", here, None, None)
            above = edge * (1.0 + 0.4 * WITHIN)
            below = edge * (1.0 - 0.4 * WITHIN)
            crawling = 0.0 < last < WORTH_A_JUMP and math.isfinite(high)
            if above >= high or crawling:
                above = below = self._middle(low, high, edge)
            gained = low
            for probe in (above, below):
                if not low < probe < high:
                    continue
                found = self.bought_at(probe)
                if found is None:
                    high = probe
                else:
                    low, plan = probe, found
                    break
            last = low / gained if gained > 0 else 0.0
        return self._told("unproven", here, low, high)

    def _width(self, high: float) -> float:
        """0.1 %, or one unit of the currency where that is more."""
        return max(WITHIN * high, 1.0 / max(UNIT_COUNTS_FROM, self.price_now)) if math.isfinite(high) else 0.0

    @staticmethod
    def _middle(low: float, high: float, edge: float) -> float:
        if low <= 0.0:
            return edge if 0.0 < edge < high else high / 2.0
        return math.sqrt(low * high)

    def _edge(self, plan: Plan, at: float) -> float | None:
        """Up to which factor this very plan stays affordable and better than the one without X; None: for ever."""
        spent, rate = self._spending(plan, at)
        edges = []
        budget = self.case.scenario.budget
        if budget is not None and rate > 0:
            edges.append(at + (budget - spent) / rate)
        place = whatif.standing(plan, self.plan0)
        if place.level == "cost" and place.own is not None and place.other is not None:
            slope = self._cost_rate(plan, at)
            if slope > 0:
                edges.append(at + (place.other - place.own) / slope)
        return max(at, min(edges)) if edges else None

    def _spending(self, plan: Plan, at: float) -> tuple[float, float]:
        """Equipment money of the plan, and what it grows by for each 1 of the factor."""
        case, rate = plan.case, 0.0
        for purchase in plan.bought:
            if self.accepts(purchase.build):
                base = self._original(purchase.build)
                more = whatif.repriced_build(base, factor_of(self.subject, at + 1.0))
                now = whatif.repriced_build(base, factor_of(self.subject, at))
                rate += purchase.nodes * (whatif.node_price(case, more) - whatif.node_price(case, now))
        return plan.budget_used, rate

    def _original(self, build: Build) -> Build:
        return self.case.build_by_id[build.id]

    def _cost_rate(self, plan: Plan, at: float) -> float:
        """What the full cost grows by for each 1 of the factor: the lines that follow the price of X, by its share.

        A guess that the next solve checks: freight, tax, maintenance and residual value follow the machine's net price.
        """
        hired = {b.id for b in plan.case.services if self.accepts(b)}
        rate = math.fsum(x.present_value for x in plan.cost_lines if x.build_id in hired) / at if at > 0 else 0.0
        for purchase in plan.bought:
            if not self.accepts(purchase.build):
                continue
            base = self._original(purchase.build)
            net = purchase.build.price_net
            part = [p for p in base.parts if factor_of(self.subject, 2.0)(base, p) != 1.0]
            own = math.fsum(p.quantity * p.unit_price_net for p in part)
            items = {p.item_id for p in part}
            for line in plan.cost_lines:
                if line.build_id != base.id or (line.category in CAPEX and line.item in items):
                    continue
                if line.category in ("freight", "tax", "maintenance", "residual") and net > 0:
                    rate += line.present_value * own / net
            rate += purchase.nodes * own * (1.0 + self.case.scenario.discount_rate) ** -purchase.year
        return rate

    def _affordable(self, factor: float) -> bool:
        """One machine with X can still be paid at this factor."""
        budget = self.case.scenario.budget
        if budget is None:
            return True
        builds = whatif.repriced_set(self.case.build_set, factor_of(self.subject, factor)).builds
        chosen = [b for b in builds if self.accepts(b)]
        prices = [whatif.node_price(self.case, b) for b in chosen if b.service is None]
        return len(prices) < len(chosen) or min(prices, default=math.inf) <= budget

    @property
    def price_now(self) -> float:
        """One unit of the item, the cheapest machine of the option (tax as in the budget), or a service's card-hour."""
        scenario = self.case.scenario
        if self.subject.kind == "option":
            whole = [b for b in self.case.build_set.builds if self.accepts(b)]
            offered = [b for b in self.case.builds if self.accepts(b)] or whole
            rates = [b.service.price_per_card_hour for b in offered if b.service is not None]
            if rates:
                return min(rates)
            return min((whatif.node_price(self.case, b) for b in offered), default=0.0)
        taxed = 1.0 + scenario.tax_rate if scenario.budget_tax_included else 1.0
        parts = [p for b in self.case.build_set.builds for p in b.parts if p.item_id == self.subject.id]
        return min(p.unit_price_net for p in parts) * taxed

    def _told(self, outcome: str, here: Plan | None, low: float | None, high: float | None) -> SwitchPrice:
        factor = (low + high) / 2.0 if low is not None and high is not None and math.isfinite(high) else None
        return SwitchPrice(
            subject=self.subject, outcome=outcome if self.proven else "unproven", in_plan=here is not None,
            factor=factor, low=low, high=high if factor is not None else None, price_now=self.price_now,
            price=None if factor is None else factor * self.price_now,
            headroom=None if factor is None else factor - 1.0, level=self.level,
            instead=whatif.configuration_key(self.plan0), instead_plan=self.plan0 if self.plan0.has_plan else None,
            solves=1 + sum(1 for f in self.known if f != 1.0),
        )  # fmt: skip


# --- how many are bought --------------------------------------------------------------------------------------------


def quantity_intervals(
    best: Plan, subject: Subject, *, grid: tuple[float, ...] = GRID, time_limit_s: float | None = None
) -> tuple[Interval, ...]:
    """How many units of X (option: machines) the best plan buys, by the factor on its price: all intervals on the grid.

    Between two neighbours of the grid with the same quantity another one could hide; changes that are seen are told
    within 1 % of the factor.
    """
    known: dict[float, int] = {}

    def quantity(factor: float) -> int:
        if factor not in known:
            case = whatif.repriced(best.case, factor_of(subject, factor))
            known[factor] = _units(whatif.solve(case, best.objective, time_limit_s=time_limit_s), subject)
        return known[factor]

    def refine(low: float, high: float) -> None:
        if quantity(low) == quantity(high) or high - low <= REFINED * high:
            return
        middle = (low + high) / 2.0
        refine(low, middle)
        refine(middle, high)

    points = sorted(grid)
    for low, high in pairwise(points):
        refine(low, high)
    return _merged(known)


def _units(plan: Plan, subject: Subject) -> int:
    if subject.kind == "option":
        return whatif.nodes_of(plan, accepts(subject))
    return sum(p.nodes * part.quantity for p in plan.bought for part in p.build.parts if part.item_id == subject.id)


def _merged(known: dict[float, int]) -> tuple[Interval, ...]:
    """Neighbours with the same quantity as one interval; a change lies half-way between two factors."""
    points = sorted(known)
    found: list[Interval] = []
    start = points[0]
    for here, after in zip(points, [*points[1:], None], strict=True):
        if after is None or known[after] != known[here]:
            end = here if after is None else (here + after) / 2.0
            found.append(Interval(start, end, known[here]))
            start = end
    return tuple(found)
