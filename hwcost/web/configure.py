"""One configuration that somebody puts together in the meeting, checked as the plan checks its own."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hwcost.build import Build, Refusal
from hwcost.case import Case, prepare, restrict
from hwcost.engine import solve_case
from hwcost.plan import Plan, Purchase
from hwcost.records import Catalog, Storage
from hwcost.rules import Breach
from hwcost.scenario import Scenario
from hwcost.scenario_io import with_changes

LIMIT_S = 10.0


@dataclass(frozen=True)
class Wanted:
    """What is asked for; an empty host or storage is the cheapest that serves."""

    card: str
    cards: int
    host: str
    storage: str
    nodes: int
    warranty_years: float
    needed_tb: float


@dataclass(frozen=True)
class Checked:
    """The machine and its plan, or the rules that forbid it. `plan` knows no budget; `over` says what it lacks.

    `larger_storage` is set where the named storage has not the room that is asked for, so that another one stands in.
    """

    build: Build | None
    plan: Plan | None
    breaches: tuple[Breach, ...]
    over: float | None  # above the budget on its own tax basis; negative: what is left; None: no budget
    larger_storage: bool = False


def of_purchase(purchase: Purchase, scenario: Scenario) -> Wanted:
    """The configuration of a bought machine."""
    build = purchase.build
    return Wanted(build.card.id, build.cards, build.chassis.id, build.storage.id, purchase.nodes,
                  scenario.warranty_years, scenario.storage_needed_tb)  # fmt: skip


def check(wanted: Wanted, scenario: Scenario, catalog: Catalog) -> Checked:
    """Builds this configuration alone and plans with it. Raises `InputError` for figures out of range.

    Where the storage is too small, the fastest one with the room takes its place: inside the machine, else beside it.
    """
    tiers = catalog.storage.values()
    chosen = [s for s in tiers if (s.id == wanted.storage if wanted.storage else _open_to(s, scenario))]
    roomy = [s for s in tiers if s.capacity_tb >= wanted.needed_tb]
    if any(s in roomy for s in chosen) or not roomy:
        return _check(wanted, scenario, catalog, tuple(s.id for s in chosen))
    able = [s for s in roomy if s.local] or roomy
    fastest = max(s.read_mb_s for s in able)
    found = _check(wanted, scenario, catalog, tuple(s.id for s in able if s.read_mb_s == fastest))
    return replace(found, larger_storage=found.build is not None)


def _open_to(tier: Storage, scenario: Scenario) -> bool:
    return tier.id in scenario.storage_ids if scenario.storage_ids else tier.local


def _check(wanted: Wanted, scenario: Scenario, catalog: Catalog, storage_ids: tuple[str, ...]) -> Checked:
    asked = with_changes(
        scenario, cards_per_node=(wanted.cards,), warranty_years=wanted.warranty_years,
        storage_needed_tb=wanted.needed_tb, include_cards=(wanted.card,), exclude_cards=(),
        include_chassis=(wanted.host,) if wanted.host else (), exclude_chassis=(),
        storage_ids=storage_ids, include_systems=(),
        max_nodes=wanted.nodes, max_distinct_builds=1, budget=None,
    )  # fmt: skip
    case = prepare(asked, catalog)
    fitting = [b for b in case.build_set.builds if not b.owned and _is(b, wanted)]
    if not fitting:
        return Checked(None, None, _reasons(case.build_set.refusals, case.build_set.not_considered, wanted), None)
    build = min(fitting, key=lambda b: (b.system is None, b.price_net, b.id))  # a quotation before an estimate
    only = restrict(_with(case, build), lambda b: b.owned or b.id == build.id, must_buy=True)
    plan = solve_case(only, "budget", time_limit_s=LIMIT_S)
    if not plan.has_plan:
        return Checked(build, plan, (), None)
    return Checked(build, plan, (), _over(plan, scenario))


def _with(case: Case, build: Build) -> Case:
    """The case with this build to choose from, also where a cheaper one of its kind had put it out."""
    if any(b.id == build.id for b in case.builds):
        return case
    ways = tuple(w for w in case.strategies.feasible if w.build_id == build.id)
    return replace(case, builds=(*case.builds, build), ways=(*case.ways, *ways))


def _is(build: Build, wanted: Wanted) -> bool:
    """Composed of these parts, or quoted with them and with the warranty that is asked for."""
    if build.card.id != wanted.card or build.cards != wanted.cards:
        return False
    if build.system is None:
        return True
    stated = build.system.warranty_years
    return (build.chassis.id, build.storage.id) == (wanted.host, wanted.storage) and stated >= wanted.warranty_years


def _over(plan: Plan, scenario: Scenario) -> float | None:
    if scenario.budget is None:
        return None
    gross = scenario.budget_tax_included
    return sum(p.nodes * (p.unit_price if gross else p.unit_price_net) for p in plan.bought) - scenario.budget


def _reasons(refusals: tuple[Refusal, ...], left_out: tuple[Refusal, ...], wanted: Wanted) -> tuple[Breach, ...]:
    """The rules that the nearest such machine breaks: in this host, else in the host that breaks fewest."""
    items = (wanted.host, wanted.storage)
    found = [r for r in refusals if r.card_id == wanted.card and r.cards == wanted.cards]
    found = [r for r in found if not wanted.host or r.chassis_id == wanted.host] or found
    found = found or [r for r in left_out if r.card_id == wanted.card or (r.chassis_id and r.chassis_id in items)]
    return min(found, key=lambda r: (len(r.breaches), r.item)).breaches if found else ()
