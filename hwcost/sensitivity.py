"""Sensitivity: which assumptions move the answer most, and which options are nearly as good.

Every assumption is set to the low and the high end of its range, the rest as it is, and the best plan is found anew.
The effect is the change of its full cost (present value); whether another plan is recommended is told too.

Ranges follow the kind of figure: prices by `sweep.PRICE_BANDS` (a quotation swings less than an estimate), rates by
`KIND_BANDS`, work, run times and tariff as in a sweep. They are assumptions of this program unless a source is named.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from hwcost import pool, sweep, whatif
from hwcost.build import Build, PricedPart
from hwcost.case import Case
from hwcost.conflict import variant
from hwcost.options import COMBINATION, Comparison
from hwcost.plan import Plan
from hwcost.scenario import Scenario
from hwcost.sweep import State

KIND_BANDS = {"measured": 0.10, "specification": 0.05, "estimate": 0.30}  # either way, of the figure
NEAR_TIE = 0.05  # of the best plan's value
MOST_RESIDUAL = 0.30
MOST_DISCOUNT = 0.05
# figures of a scenario whose range is a share of the figure, by their kind
RATES = (
    "pue", "on_hours_per_year", "maintenance_rate", "failure_rate", "staff_hours_per_node_year", "staff_wage_per_hour",
    "staff_setup_hours_per_node", "hosting_per_node_year",
)  # fmt: skip
MOST = {"on_hours_per_year": 8760.0}
LEAST = {"pue": 1.0}


@dataclass(frozen=True)
class Assumption:
    """One figure with its range; `key` is a field of the scenario, or price:<item>, demand, tariff, hours."""

    key: str
    value: float
    low: float
    high: float
    unit: str
    kind: str  # of the figure: quote | list | street | used | estimate | measured | specification
    source: str  # of the range


@dataclass(frozen=True)
class End:
    """The best plan at one end of a range; `present_value` None where nothing meets the conditions."""

    value: float
    present_value: float | None
    purchases: tuple[tuple[str, int], ...]
    switches: bool  # another purchase is recommended
    level: str  # the first level of the objective that changes; empty for none
    proven: bool


@dataclass(frozen=True)
class Bar:
    """One bar of the tornado."""

    assumption: Assumption
    low: End
    high: End
    base: float  # present value of the best plan as things are

    @property
    def swing(self) -> float:
        """The larger change of the total at either end; an end without a plan counts as no figure."""
        return max((abs(e.present_value - self.base) for e in (self.low, self.high) if e.present_value is not None),
                   default=0.0)  # fmt: skip

    @property
    def switches(self) -> bool:
        return self.low.switches or self.high.switches


@dataclass(frozen=True)
class NearTie:
    """An option that is as good at every level before `level`, and behind there by `margin`, a share of the best."""

    id: str
    letter: str
    level: str
    own: float
    best: float
    margin: float


def assumptions(best: Plan) -> tuple[Assumption, ...]:
    """The figures that may be wrong, with their ranges: prices of what is bought, then rates, work and run times."""
    case, scenario = best.case, best.case.scenario
    parts = {p.item_id: p for purchase in best.bought for p in purchase.build.parts}
    found = []
    for item in sorted(parts):
        part, kind = parts[item], parts[item].price.price_kind
        band = sweep.PRICE_BANDS[kind]
        found.append(
            Assumption(f"price:{item}", part.unit_price_net, part.unit_price_net * (1 - band),
                       part.unit_price_net * (1 + band), scenario.currency, kind, "price_band")
        )  # fmt: skip
    kinds = {a.key: a.kind for a in scenario.assumptions}
    for field in RATES:
        value = float(getattr(scenario, field))
        kind = kinds.get(field, "estimate")
        if value > 0:
            band = KIND_BANDS.get(kind, KIND_BANDS["estimate"])
            low = max(LEAST.get(field, 0.0), value * (1 - band))
            high = min(MOST.get(field, value * (1 + band)), value * (1 + band))
            found.append(Assumption(field, value, low, high, "", kind, "kind_band"))
    found.append(_between("residual_share", scenario.residual_share, 0.0, MOST_RESIDUAL))
    found.append(_between("discount_rate", scenario.discount_rate, 0.0, MOST_DISCOUNT))
    tariff = scenario.tariff_per_kwh
    if tariff > 0:
        low, high = tariff * (1 - sweep.TARIFF_BAND), tariff * (1 + sweep.TARIFF_BAND)
        unit = f"{scenario.currency}/kWh"
        found.append(
            Assumption("tariff", tariff, low, high, unit, kinds.get("tariff_per_kwh", "estimate"), "sweep_band")
        )
    if case.scenario.workloads:
        wide = sweep.DEMAND_BAND
        found.append(Assumption("demand", 1.0, 1 - wide, 1 + wide, "factor", "estimate", "sweep_band"))
        error = max((a.strategy.error_share for a in best.assignments), default=sweep.HOURS_BAND)
        low = 1.0 / (1.0 + error)  # as likely half as twice
        found.append(Assumption("hours", 1.0, low, 1.0 + error, "factor", "estimate", "prediction_error"))
    return tuple(found)


def _between(key: str, value: float, low: float, high: float) -> Assumption:
    return Assumption(key, value, min(value, low), max(value, high), "", "estimate", "stated_range")


def tornado(
    best: Plan, given: Sequence[Assumption] | None = None, *, time_limit_s: float | None = None,
    workers: int | None = 1, dask: str | None = None, on_done: pool.Progress | None = None,
) -> tuple[Bar, ...]:  # fmt: skip
    """The bars, the widest first; after an interrupt only assumptions with both ends done."""
    wanted = tuple(assumptions(best) if given is None else given)
    jobs = [(a, value) for a in wanted for value in (a.low, a.high)]
    outcome = pool.run(_task, (best, time_limit_s), jobs, workers=workers, dask=dask, on_done=on_done)
    bars = [
        Bar(a, low, high, best.totals.present_value)
        for a, low, high in zip(wanted, outcome.results[::2], outcome.results[1::2], strict=True)
        if low is not None and high is not None
    ]
    return tuple(sorted(bars, key=lambda b: (-b.swing, b.assumption.key)))


def _task(context: tuple[Plan, float | None], job: tuple[Assumption, float]) -> End:
    best, limit = context
    assumption, value = job
    if value == assumption.value:
        return End(value, best.totals.present_value, whatif.configuration_key(best), False, "", whatif.proven(best))
    plan = whatif.solve(moved(best.case, assumption, value), best.objective, time_limit_s=limit)
    place = whatif.standing(plan, best)
    purchases = whatif.configuration_key(plan) if plan.has_plan else ()
    total = plan.totals.present_value if plan.has_plan else None
    switches = plan.has_plan and purchases != whatif.configuration_key(best) and _really(best, plan, assumption, value)
    return End(value, total, purchases, switches, place.level, whatif.proven(plan))


def _really(best: Plan, plan: Plan, assumption: Assumption, value: float) -> bool:
    """The old purchase is worse at the new value: another one of several equal plans is no change."""
    case = moved(best.case, assumption, value)
    fixed = tuple(sorted((p.build.id, p.nodes) for p in best.bought if p.year == 0))
    names = {b for b, _ in fixed}
    stay = [b for b in case.build_set.builds if b.owned or b.service is not None or b.id in names]
    ids = {b.id for b in stay}
    ways = tuple(w for w in case.strategies.feasible if w.build_id in ids)
    old = whatif.values(replace(case, builds=tuple(stay), ways=ways, fixed=fixed), best.objective, None)
    return whatif.standing(old, plan).sign < 0


def moved(case: Case, assumption: Assumption, value: float) -> Case:
    """The case with one figure at another value."""
    key = assumption.key
    factor = value / assumption.value if assumption.value else 1.0
    if key.startswith("price:"):
        item = key.removeprefix("price:")

        def of(_: Build, part: PricedPart | None) -> float:
            return factor if part is not None and part.item_id == item else 1.0

        return whatif.repriced(case, of)
    if key in ("demand", "tariff", "hours"):
        factors: dict[str, Any] = {key: factor}
        return sweep.case_at(case, replace(State("end"), **factors))
    fields: dict[str, Any] = {key: value}
    scenario: Scenario = replace(case.scenario, **fields)
    return replace(variant(case, scenario), reference_hours=case.reference_hours)


def near_ties(comparison: Comparison, within: float = NEAR_TIE) -> tuple[NearTie, ...]:
    """Options that lose by less than `within` at the level that decides, the nearest first."""
    found = []
    for result in comparison.results:
        lost = result.lost_by
        if lost is None or result.id == COMBINATION or not result.full or lost.level not in ("cost", "capacity"):
            continue
        margin = abs(lost.own - lost.best) / abs(lost.best) if lost.best else 0.0
        if margin <= within:
            found.append(NearTie(result.id, result.letter, lost.level, lost.own, lost.best, margin))
    return tuple(sorted(found, key=lambda t: (t.margin, t.letter)))
