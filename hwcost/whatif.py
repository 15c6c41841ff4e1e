"""What every "what if" shares: a smaller case with the same answer, other prices, forced purchases, plans in order.

A what-if solves one decision many times over, so everything that cannot change its answer is left out first.

    slim        build i removes build j of as many cards: in no year dearer to buy, not dearer over the horizon without
                work or at full work, not slower in any way, not more peak watts or rack units where these are
                limited, not later; nothing of i is scarce
    repriced    every price row of some parts times a factor, to the cent; pruning is done anew at the new prices
    order       plans are compared level by level as their objective does; a lower level counts only where all above
                it are equal within the solver's tolerance
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from hwcost.build import Build, BuildSet, PricedPart
from hwcost.case import Case, assemble, useful_builds
from hwcost.costs import cents, price_per_node
from hwcost.engine import solve_case
from hwcost.errors import SolverError
from hwcost.model import circuit_limits
from hwcost.objectives import levels_of
from hwcost.options import KEEP, KIND_OF, OPTIONS, RACK, UPGRADE
from hwcost.plan import Plan
from hwcost.scenario import Scenario
from hwcost.strategies import StrategySet
from hwcost.strategy import Strategy

LEVEL_TOLERANCE = 3e-6  # of demand, people and capacity, relative to max(1, |value|): each is held at 1e-6
MONEY_TOLERANCE = 0.02  # in the currency: costs are held to half a cent
MONEY_RELATIVE = 5e-7
EQUAL = 1.0 + 1e-12  # two figures computed from the same inputs in another order

Factor = Callable[[Build, PricedPart | None], float]  # of one part; of a service (None): its hourly rate


# --- a smaller case with the same answer ----------------------------------------------------------------------------


def slim(case: Case) -> Case:
    """The case without builds that another one beats or equals in everything that a rule or a cost reads.

    The values of all levels stay as they are; only the choice among equal plans may differ. Owned machines, upgrades,
    services, and builds that must be bought are kept.
    """
    groups: dict[tuple[object, ...], list[_Figures]] = {}
    kept: set[str] = set()
    hours: dict[str, dict[tuple[object, ...], float]] = {}
    for way in case.ways:
        key = (way.workload_id, way.kind, way.cards, way.sharers, way.nodes)
        table = hours.setdefault(way.build_id, {})
        table[key] = min(table.get(key, math.inf), way.card_hours_per_run)
    for build in case.builds:
        if build.owned or build.service is not None or build.upgrade_of or build.id in case.include:
            kept.add(build.id)
            continue
        figures = _Figures(build, _figures(case, build), hours.get(build.id, {}), _scarce(case.scenario, build))
        groups.setdefault((build.cards, build.nodes_per_unit), []).append(figures)
    for group in groups.values():
        group.sort(key=lambda f: (f.values, f.build.id))  # what beats another stands before it, or is equal to it
        survivors: list[_Figures] = []
        for figures in group:
            if not any(s.beats(figures) for s in survivors):
                survivors.append(figures)
        kept |= {f.build.id for f in survivors}
    builds = tuple(b for b in case.builds if b.id in kept)
    known = tuple(b for b in case.build_set.builds if b.id in kept or b.owned or b.service is not None)
    ways = tuple(w for w in case.ways if w.build_id in kept)
    return replace(case, builds=builds, ways=ways, build_set=replace(case.build_set, builds=known))


def beaten_by(case: Case, build: Build) -> Build | None:
    """The build that beats this one in everything that a rule or a cost reads, where one does; the cheapest of them."""
    mine = _of(case, build, case.strategies.feasible)
    rivals = [b for b in case.builds if b.cards == build.cards and b.id != build.id and not b.owned]
    better = []
    for rival in (r for r in rivals if r.service is None and not r.upgrade_of):
        theirs = _of(case, rival, case.strategies.feasible)
        if theirs.beats(mine) and not mine.beats(theirs):
            better.append(rival)
    return min(better, key=lambda b: (node_price(case, b), b.id), default=None)


def _of(case: Case, build: Build, ways: Iterable[Strategy]) -> _Figures:
    hours: dict[tuple[object, ...], float] = {}
    for way in ways:
        if way.build_id == build.id:
            key = (way.workload_id, way.kind, way.cards, way.sharers, way.nodes)
            hours[key] = min(hours.get(key, math.inf), way.card_hours_per_run)
    return _Figures(build, _figures(case, build), hours, _scarce(case.scenario, build))


@dataclass(frozen=True)
class _Figures:
    build: Build
    values: tuple[float, ...]
    card_hours: Mapping[tuple[object, ...], float]  # per run, by way
    scarce: bool  # it cannot stand in for another one without end

    def beats(self, other: _Figures) -> bool:
        if self.scarce or any(x > y * EQUAL for x, y in zip(self.values, other.values, strict=True)):
            return False
        return all(self.card_hours.get(way, math.inf) <= hours * EQUAL for way, hours in other.card_hours.items())


def _figures(case: Case, build: Build) -> tuple[float, ...]:
    """What a cost or a rule reads of one node, less is better.

    Its price in every purchase year (the budget), and its full cost until the end of the horizon, without work and at
    full work: cost is linear in card-hours, so what is not dearer at both ends is dearer nowhere between.
    """
    scenario = case.scenario
    most = build.cards * scenario.available_hours_per_card_year
    prices = [_net_price(scenario, build, year) for year in scenario.purchase_years]
    if scenario.funds or scenario.running_budget_per_year is not None:  # who pays which line counts, so each by itself
        costs = [_card_price(build), build.idle_wall_w, build.busy_extra_wall_w_per_card]
    else:
        costs = [_full_cost(scenario, build, year, h) for year in scenario.purchase_years for h in (0.0, most)]
    return (
        *prices, *costs, build.peak_wall_w if scenario.circuits else 0.0,
        float(build.chassis.rack_units or 0) if scenario.rack_units is not None else 0.0, build.lead_weeks,
    )  # fmt: skip


def _card_price(build: Build) -> float:
    return next((p.unit_price_net for p in build.parts if p.role == "card"), 0.0)


def _net_price(scenario: Scenario, build: Build, year: int) -> float:
    trend = scenario.price_trend_per_year
    return math.fsum(p.quantity * p.unit_price_net * (1.0 + trend.get(p.role, 0.0)) ** year for p in build.parts)


def _full_cost(scenario: Scenario, build: Build, bought: int, card_hours: float) -> float:
    """Present value of what differs between builds of as many cards: price with all that follows it, failures, energy.

    Net price x ((1 + freight)(1 + tax) + maintenance after the warranty - residual) + failures + energy of the idle
    node and of `card_hours` a year.
    """
    years = range(bought, scenario.horizon_years)
    discount = {year: (1.0 + scenario.discount_rate) ** -(year + 1) for year in years}
    after = math.fsum(d for year, d in discount.items() if year - bought >= scenario.warranty_years)
    end = (1.0 + scenario.discount_rate) ** -scenario.horizon_years
    net = _net_price(scenario, build, bought)
    follows = (1.0 + scenario.freight_rate) * (1.0 + scenario.tax_rate) * (1.0 + scenario.discount_rate) ** -bought
    watt_hours = build.idle_wall_w * scenario.on_hours_per_year + build.busy_extra_wall_w_per_card * card_hours
    return (
        net * (follows + after * scenario.maintenance_rate - end * scenario.residual_share)
        + build.cards * scenario.failure_rate * _card_price(build) * after
        + watt_hours * scenario.pue / 1000.0 * scenario.tariff_per_kwh * math.fsum(discount.values())
    )  # fmt: skip


def _scarce(scenario: Scenario, build: Build) -> bool:
    named = {*scenario.stock, *scenario.min_order}
    return bool(named & {build.id, build.card.id, build.chassis.id, *(p.item_id for p in build.parts)})


# --- other prices ---------------------------------------------------------------------------------------------------


def repriced_set(build_set: BuildSet, factor: Factor) -> BuildSet:
    """The builds with every unit price times `factor(build, part)`, to the cent."""
    return replace(build_set, builds=tuple(repriced_build(b, factor) for b in build_set.builds))


def repriced_build(build: Build, factor: Factor) -> Build:
    """One build with every unit price times `factor(build, part)`, to the cent."""
    if build.service is not None:
        rate = round(build.service.price_per_card_hour * factor(build, None), 6)
        return replace(build, service=replace(build.service, price_per_card_hour=rate))
    factors = [factor(build, part) for part in build.parts]
    if all(f == 1.0 for f in factors):
        return build
    parts = tuple(
        replace(part, unit_price_net=cents(f * part.unit_price_net))
        for part, f in zip(build.parts, factors, strict=True)
    )
    return replace(build, parts=parts)


def repriced(case: Case, factor: Factor) -> Case:
    """The case at other prices with all builds, none pruned: `solve` leaves out what is beaten at these prices."""
    whole = repriced_set(case.build_set, factor)
    build_set, builds, ways = useful_builds(case.scenario, whole, case.strategies)
    return replace(case, build_set=build_set, builds=tuple(builds), ways=ways)


def node_price(case: Case, build: Build) -> float:
    """What one node takes from the equipment budget, on the budget's own tax basis."""
    return price_per_node(case.scenario, build, tax_included=case.scenario.budget_tax_included)


def option_filter(option_id: str) -> Callable[[Build], bool] | None:
    """The builds of an option; None where the option is more than a kind of machine (combination, two stages ...)."""
    option = next((o for o in OPTIONS if o.id == option_id and option_id != KEEP), None)
    if option is not None:
        return lambda b: not b.owned and plain(b) and option.accepts(b.card, b.cards, False)
    if option_id == UPGRADE:
        return lambda b: bool(b.upgrade_of)
    if option_id == RACK:
        return lambda b: not b.owned and plain(b) and b.cards == 8 and b.chassis.form == "rack"
    if option_id in KIND_OF:
        return lambda b: b.service is not None and b.service.kind == KIND_OF[option_id]
    return None


def plain(build: Build) -> bool:
    """A machine of its own: no upgrade, no service, no pair joined by a network."""
    return not build.upgrade_of and build.service is None and build.nodes_per_unit == 1


# --- forced and forbidden purchases ---------------------------------------------------------------------------------


def forced(case: Case, accepts: Callable[[Build], bool]) -> Case | None:
    """The case in which at least one node of the accepted builds is bought; None where there is none to buy.

    Builds that another one beats come back among the accepted ones: what is asked for by name is shown, beaten or not.
    """
    asked = tuple(b for b in case.build_set.builds if not b.owned and b.service is None and accepts(b))
    ways = tuple(w for w in case.strategies.feasible if w.build_id in {b.id for b in asked})
    if not asked:
        return None
    part = assemble(case.scenario, case.catalog, replace(case.build_set, builds=asked), StrategySet(ways, ()))
    able = {b.id for b in part.builds}
    # a machine that runs none of the work may be asked for too: the cheapest of them stands for all
    idle = [b for b in asked if b.id not in {w.build_id for w in ways}]
    chosen = [*part.builds, *sorted(idle, key=lambda b: (node_price(case, b), b.id))[:1]] if not able else part.builds
    if not chosen:  # all of them come too late
        return None
    known = {b.id for b in case.builds}
    builds = sorted([*case.builds, *(b for b in chosen if b.id not in known)], key=lambda b: b.id)
    more = tuple(w for w in part.ways if w.build_id not in known)
    whole = sorted([*case.ways, *more], key=lambda w: (w.workload_id, w.build_id, w.cards))
    names = frozenset(b.id for b in chosen)
    return replace(case, builds=tuple(builds), ways=tuple(whole), include=names)


def without(case: Case, accepts: Callable[[Build], bool]) -> Case:
    """The case in which none of the accepted builds can be bought, with all others; owned machines stay."""
    builds = tuple(b for b in case.build_set.builds if b.owned or not accepts(b))
    left = replace(case.build_set, builds=builds)
    build_set, useful, ways = useful_builds(case.scenario, left, case.strategies)
    return replace(case, build_set=build_set, builds=tuple(useful), ways=ways)


# --- plans in order -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Standing:
    """Where two plans part: `sign` is -1 where the first is worse, 1 where it is better, 0 for a tie."""

    sign: int
    level: str  # the first level at which they differ; empty for a tie; "plan" where one has no plan
    own: float | None
    other: float | None


def solve(case: Case, objective: str, *, time_limit_s: float | None = None) -> Plan:
    """The values of the best plan; which of several equal plans comes out is not settled.

    Power circuits are looked at last: without them far fewer builds matter, and where the machines of the plan can be
    plugged in all the same, it is the best plan with them too. Its `case` then states no circuits.
    """
    if not case.scenario.circuits:
        return values(slim(case), objective, time_limit_s)
    free = slim(replace(case, scenario=replace(case.scenario, circuits=())))
    plan = values(free, objective, time_limit_s)
    if plan.status == "infeasible" or (plan.has_plan and plugs_in(case, plan)):
        return plan
    return values(slim(case), objective, time_limit_s)


def values(case: Case, objective: str, time_limit_s: float | None) -> Plan:
    """Solve as it stands; equal plans are told apart only where the rounded shares miss a rule by a hair."""
    try:
        return solve_case(case, objective, time_limit_s=time_limit_s, ranked=False)
    except SolverError:
        return solve_case(case, objective, time_limit_s=time_limit_s)


def proven(plan: Plan) -> bool:
    """The values of all levels are proved, or that there is no plan.

    A plan whose shares in the end miss a level by a few millionths is not called proven, yet the level's value is.
    """
    if plan.status in ("proven_optimal", "infeasible"):
        return True
    return plan.status == "best_found" and all(s.status == "proven" for s in plan.stages)


def plugs_in(case: Case, plan: Plan) -> bool:
    """The machines find a circuit each, the hungriest first. False where this way of placing them finds none."""
    left = sorted(circuit_limits(case), reverse=True)
    loads = [p.build.peak_wall_w for p in plan.purchases if p.build.service is None for _ in range(p.nodes)]
    for load in sorted(loads, reverse=True):
        place = next((n for n, room in enumerate(left) if load <= room * (1.0 + 1e-9)), None)
        if place is None:
            return False
        left[place] -= load
    return True


def standing(plan: Plan, other: Plan) -> Standing:
    """Compare two plans of one objective, level by level."""
    if not plan.has_plan or not other.has_plan:
        sign = int(plan.has_plan) - int(other.has_plan)
        return Standing(sign, "plan" if sign else "", None, None)
    senses = {level.name: (level.sense, level.money) for level in levels_of(other.case, other.objective)}
    theirs = {stage.name: stage.value for stage in other.stages}
    for stage in plan.stages:
        if stage.name.endswith("_rank") or stage.name == "nodes" or stage.name not in theirs:
            continue
        own, value = stage.value, theirs[stage.name]
        if own is None or value is None:
            continue
        sense, money = senses[stage.name]
        if abs(own - value) > tolerance(value, money):
            return Standing(1 if sense * own < sense * value else -1, stage.name, own, value)
    return Standing(0, "", None, None)


def tolerance(value: float, money: bool) -> float:
    """How far two solves of the same level may differ."""
    if money:
        return max(MONEY_TOLERANCE, MONEY_RELATIVE * abs(value))
    return LEVEL_TOLERANCE * max(1.0, abs(value))


def nodes_of(plan: Plan, accepts: Callable[[Build], bool]) -> int:
    """Machines among the purchases that the filter accepts."""
    return sum(p.nodes for p in plan.bought if accepts(p.build))


def configuration_key(plan: Plan) -> tuple[tuple[str, int], ...]:
    """What is bought, as a key that does not depend on the order of rows."""
    return tuple(sorted((p.build.id, p.nodes) for p in plan.bought))


def changed(scenario: Scenario, **fields: Any) -> Scenario:
    """The scenario with other figures."""
    return replace(scenario, **fields)


def items_of(builds: Iterable[Build]) -> dict[str, str]:
    """Ids of all priced parts, each with its role."""
    return {part.item_id: part.role for build in builds for part in build.parts}
