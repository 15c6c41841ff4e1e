"""Plans for the tests of the workbook: every bundled scenario, with one cheap machine for each option to choose from.

The choice is smaller than in real life and takes a second; everything that a workbook shows is there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path

from hwcost.answering import enough_plan
from hwcost.case import Case, prepare, restrict
from hwcost.catalog import load_catalog
from hwcost.messages.report import SHEETS
from hwcost.options import OPTIONS, Comparison, compare
from hwcost.plan import Plan
from hwcost.records import Catalog
from hwcost.scenario import Scenario
from hwcost.scenario_io import bundled_scenarios, load_scenario

EVERY_RATE = "every-rate"  # a scenario in which no rate is 0: discount, residual value, freight, fees, a short warranty
EVERY_MONEY = "every-money"  # two purchase years, funds, overhead, a service with a minimum, jobs over two machines
NAMES = (*bundled_scenarios(), EVERY_RATE)
SCENARIOS = Path(__file__).parent / "scenarios"
SECONDS = 20.0
DAY = date(2026, 11, 30)  # on which the workbooks are written


def title(key: str, lang: str) -> str:
    """The name of a sheet."""
    return SHEETS[key][0 if lang == "en" else 1]


@cache
def bundled_catalog() -> Catalog:
    return load_catalog()


def scenario_of(name: str) -> Scenario:
    if name == EVERY_MONEY:
        return load_scenario(SCENARIOS / f"{name}.toml", bundled_catalog())
    if name != EVERY_RATE:
        return load_scenario(name, bundled_catalog())
    base = load_scenario("eu-lab", bundled_catalog())
    grown = tuple(replace(w, growth_per_year=0.1) for w in base.workloads)
    return replace(
        base, discount_rate=0.035, residual_share=0.1517, freight_rate=0.0123, installation_per_node=333.33,
        hosting_per_node_year=1234.56, warranty_years=1.0, maintenance_rate=0.0417, failure_rate=0.03,
        staff_setup_hours_per_node=7.5, staff_wage_per_hour=31.7, workloads=grown,
        payers={"energy_idle": "university", "energy_busy": "university", "staff": "non_cash", "setup": "non_cash"},
    )  # fmt: skip


def small(case: Case) -> Case:
    """The cheapest machine of each option, all that the lab owns or may hire, and the cheapest two machines joined."""
    kept = {b.id for b in case.builds if b.owned or b.service is not None}
    if joined := [b for b in case.builds if b.nodes_per_unit > 1]:
        kept |= {min(joined, key=lambda b: (case.price_by_build[b.id], b.id)).id}
    for option in OPTIONS:
        mine = [b for b in case.builds if option.accepts(b.card, b.cards, b.owned)]
        kept |= {b.id for b in sorted(mine, key=lambda b: (case.price_by_build[b.id], b.id))[:1]}
    return restrict(case, lambda b: b.id in kept)


@cache
def comparison(name: str) -> Comparison:
    """Options of a scenario under its own objective, or under `serve` where the musts cannot all be met."""
    return options_of(scenario_of(name), bundled_catalog())


@cache
def need(name: str) -> Plan | None:
    """The smallest purchase that does the work of a scenario, where a fixed budget is to be used."""
    return enough_plan(comparison(name).best, time_limit_s=SECONDS)


def options_of(scenario: Scenario, catalog: Catalog, objectives: Sequence[str | None] = (None, "serve")) -> Comparison:
    case = small(prepare(scenario, catalog))
    found = [compare(case, objectives[0], time_limit_s=SECONDS)]
    if not found[0].best.has_plan:
        found = [compare(case, objective, time_limit_s=SECONDS) for objective in objectives[1:]] or found
    return found[0]
