"""From how many card-hours a year on does owning pay, against the campus cluster and against rent?

The plan is scaled with the work: its machines stay, its computing energy and the hired hours grow in step.

    F     full cost of the plan a year without computing energy (nominal, every payer, residual value taken off)
    v     its computing energy a year;  H hired card-hours a year for the same runs;  r the price of one
    F + v s = r H s   gives   s = F / (r H - v);  break-even N = s H, in card-hours of the hired card

Owning pays above N; None where it never does (hiring costs less than the energy of owning). Runs that the hired card
cannot do (memory, ECC ...) are left out of H and named: such a service is no full rival. Money is compared here, not
waiting: runs that end too late there count in H and are named. Where the usual wait is not stated, it is taken as not
known, and only what ends too late without any wait is named.

A cloud row of the region `world` serves every region that has an exchange rate for it, as an estimate; campus rows stay
in their region. There are many such rows: those of the plan's own cards are kept, and the one that does most of the
work in time for the least money.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from hwcost.build import Build
from hwcost.other_cards import other_cards
from hwcost.plan import Plan
from hwcost.pricing import card_hour_price
from hwcost.records import Catalog, Rental
from hwcost.scenario import Scenario, Service
from hwcost.services import service_build, service_from_rental
from hwcost.strategies import make_strategies

WORLD, CLOUD = "world", "cloud"
ESTIMATE = "estimate"


@dataclass(frozen=True)
class BreakEven:
    """`needed` and `threshold` are card-hours a year of the hired card; money is a year's, nominal."""

    service: Service
    needed: float
    threshold: float | None
    own_fixed_per_year: float
    own_energy_per_year: float
    hired_per_year: float
    not_run: tuple[str, ...]  # workloads that the hired card does not run
    late: tuple[str, ...] = ()  # workloads that it runs, but not within their deadline
    wait_stated: bool = True  # False: nobody has said how long a run waits in the queue
    anywhere: Rental | None = None  # the row of the catalog, where it is one for the whole world

    @property
    def owning_pays(self) -> bool:
        return self.threshold is not None and self.needed >= self.threshold


def break_even(plan: Plan) -> tuple[BreakEven, ...]:
    """The plan's own machines against the services of the scenario and the rentals that serve its region, by id.

    Empty where the plan has no machine of its own or does no work.
    """
    own = [p for p in plan.purchases if p.build.service is None]
    if not plan.has_plan or not own or not plan.assignments:
        return ()
    scenario, years = plan.case.scenario, plan.case.scenario.horizon_years
    hired_now = {p.build.id for p in plan.purchases if p.build.service is not None}
    hired_now |= {b.id for b in plan.case.build_set.builds if b.service is not None}
    lines = [x for x in plan.cost_lines if x.build_id not in hired_now]
    energy = math.fsum(x.amount for x in lines if x.category == "energy_busy") / years
    fixed = math.fsum(x.amount for x in lines) / years - energy
    runs: dict[str, float] = {}
    for a in plan.assignments:
        if a.strategy.build_id not in hired_now:
            runs[a.strategy.workload_id] = runs.get(a.strategy.workload_id, 0.0) + a.runs / years
    found = []
    free = tuple(replace(w, max_hours_per_run=None) for w in scenario.workloads)
    for service, build, anywhere in _rivals(plan):
        hours: dict[str, float] = {}
        for way in make_strategies(replace(scenario, workloads=free), (build,)).feasible:
            hours[way.workload_id] = min(hours.get(way.workload_id, math.inf), way.card_hours_per_run)
        in_time = {way.workload_id for way in make_strategies(scenario, (build,)).feasible}
        needed = math.fsum(n * hours[w] for w, n in runs.items() if w in hours)
        if needed <= 0:
            continue
        rate = needed * service.price_per_card_hour
        threshold = fixed / (rate - energy) * needed if rate > energy else None
        not_run = tuple(sorted(w for w in runs if w not in hours))
        late = tuple(sorted(w for w in runs if w in hours and w not in in_time))
        stated = service.wait_hours is not None
        found.append(BreakEven(service, needed, threshold, fixed, energy, rate, not_run, late, stated, anywhere))
    return _told(found, {p.build.card.id for p in own})


def _told(found: list[BreakEven], own_cards: set[str]) -> tuple[BreakEven, ...]:
    """Without the rows for the whole world that are neither of an own card nor the best of them for this work."""
    world = [b for b in found if b.anywhere is not None]
    best = min(world, key=lambda b: (len(b.not_run), len(b.late), b.hired_per_year, b.service.id), default=None)
    return tuple(b for b in found if b.anywhere is None or b is best or b.service.card_id in own_cards)


def rental_rows(scenario: Scenario, catalog: Catalog) -> list[Rental]:
    """Rows that serve the scenario's region and name a card: its own, and cloud rows for the whole world.

    A world row stands back where the region has a cloud row of the same card, and where no dated rate leads from its
    currency to the scenario's.
    """
    named = [r for r in catalog.rentals.values() if r.card_id]
    own = [r for r in named if r.region == scenario.region]
    clouds = {r.card_id for r in own if r.category == CLOUD}
    world = [
        r for r in named
        if r.region == WORLD and r.category == CLOUD and r.card_id not in clouds
        and card_hour_price(catalog, r, scenario.currency, scenario.as_of, scenario.tax_rate) is not None
    ]  # fmt: skip
    return [*own, *world]


def _rivals(plan: Plan) -> list[tuple[Service, Build, Rental | None]]:
    """Services of the scenario and rows of the catalog whose card is known, with the row where it is a world one.

    A row that a service of the scenario was made of is the same offer, and stands there once.
    """
    case = plan.case
    stated = {s.id: s for s in case.scenario.services}
    rows = {r.id: r for r in rental_rows(case.scenario, case.catalog)}
    anywhere = {i: r for i, r in rows.items() if r.region == WORLD and i not in stated}
    listed = {i: service_from_rental(case.catalog, case.scenario, i) for i in rows}
    listed = {i: replace(s, kind_of_figure=ESTIMATE) if i in anywhere else s for i, s in listed.items()}
    known = {(s.kind, s.card_id, s.price_per_card_hour) for s in stated.values()}
    listed = {i: s for i, s in listed.items() if (s.kind, s.card_id, s.price_per_card_hour) not in known}
    found = []
    for service in sorted({**listed, **stated}.values(), key=lambda s: (s.kind, s.id)):
        card = case.catalog.cards.get(service.card_id) or other_cards().get(service.card_id)
        if card is not None:
            timed = replace(service, wait_hours=service.wait_hours or 0.0)  # not known: no wait
            found.append((service, service_build(case.catalog, timed, card), anywhere.get(service.id)))
    return found
