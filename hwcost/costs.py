"""Cost lines. One function serves plain numbers and solver expressions, so report and optimiser cannot disagree.

A line is `quantity x unit price`. The unit price is always a number; the quantity is a number in a finished plan and
a linear expression in the model. Formulas, for one build j of g machines a unit (g = 1 but for machines joined by a
network), with `buy` units bought at the start of year t, `nodes` units in service during year y and `card_hours`
computing during year y:

    parts         quantity_per_unit * buy            x net unit price of year t  (CAPEX, year t)
    freight       buy                                x freight_rate * net price
    installation  g * buy                            x installation per node     (not for an upgrade)
    tax           buy                                x tax_rate * (net price + freight + g * installation)
    setup         g * buy * setup hours              x wage                      (one-off staff time, year t)
    setup         buy * hours of an upgrade          x wage                      (where those are stated)
    setup         set-up hours of several cards      x wage                      (a workload's first year on them)
    energy, idle  nodes * idle W * on hours * PUE / 1000       x tariff
    energy, busy  card_hours * extra W per card * PUE / 1000   x tariff
    staff         g * nodes * hours per node and year          x wage
    maintenance   buy                                x maintenance_rate * net price, after the warranty
    failures      buy * cards * failure_rate         x net price of a card, after the warranty
    hosting       g * nodes                          x hosting per node and year
    residual      buy                                x -(residual share at its age * net price)
    campus, rental  max(card_hours, minimum)         x price per card-hour       (a service, tax included)
    campus, rental  1 in a year of use               x fixed cost per year
    overhead      what a fund pays for services      x its overhead rate

The net unit price of year t is the price of today times (1 + yearly trend of its role)^t. A warranty counts from the
purchase. The residual share is `residual_share` for what is as old as the horizon is long, and residual_share^(age /
horizon) for what is younger: the same share is lost every year. Every unit price is rounded to the cent (tariffs, wages
and prices of card-hours are taken as given). CAPEX of year t is discounted by (1+d)^-t, a year's running cost by
(1+d)^-(t+1), the residual value by (1+d)^-T.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hwcost.build import Build
from hwcost.quantities import rounded
from hwcost.scenario import Scenario, Service

CAPEX = ("card", "bridge", "host", "psu", "storage", "system", "network", "freight", "installation", "tax")
OPEX = (
    "setup", "energy_idle", "energy_busy", "staff", "maintenance", "failures", "hosting", "campus", "rental",
    "overhead",
)  # fmt: skip
RESIDUAL = ("residual",)
CATEGORIES = CAPEX + OPEX + RESIDUAL
SERVICE_CATEGORY = {"campus": "campus", "cloud": "rental"}  # by kind of service

HOURS_PER_KWH_WATT = 1000.0  # W x h -> kWh

Quantity = Any  # float, or a linear expression of the solver


@dataclass(frozen=True)
class CostLine:
    """One line: `amount = quantity * unit_price`, nominal, in the scenario's currency."""

    year: int
    category: str
    item: str  # catalog id of what is paid for, or the id of the build, workload or fund
    build_id: str  # empty: of no build
    quantity: Quantity
    unit: str
    unit_price: float
    payer: str
    discount: float
    fund: str = ""  # id of the fund that pays it; empty: none is named

    @property
    def amount(self) -> Quantity:
        return self.unit_price * self.quantity

    @property
    def present_value(self) -> Quantity:
        return (self.unit_price * self.discount) * self.quantity


@dataclass(frozen=True)
class Decisions:
    """What the plan does, by (build id, year): numbers, or expressions of the solver."""

    buy: Mapping[tuple[str, int], Quantity]
    nodes: Mapping[tuple[str, int], Quantity]
    card_hours: Mapping[tuple[str, int], Quantity]
    unused_hours: Mapping[tuple[str, int], Quantity] = field(default_factory=dict)  # paid to reach a service's minimum
    in_use: Mapping[tuple[str, int], Quantity] = field(default_factory=dict)  # 1: a service is used in that year
    multi_card: Mapping[tuple[str, int], Quantity] = field(default_factory=dict)  # by workload: 1 in the first year
    overhead: Mapping[tuple[str, int], Quantity] = field(default_factory=dict)  # by fund: services that it pays


def cents(amount: float) -> float:
    """To the cent, half up as a spreadsheet rounds: 733.635 is 733.64, though its binary form lies just below."""
    return float(rounded(float(f"{amount:.15g}"), 2))


def part_price(scenario: Scenario, role: str, price: float, year: int) -> float:
    """Net unit price in `year` of a part that costs `price` today."""
    trend = scenario.price_trend_per_year.get(role, 0.0)
    return cents(price * (1.0 + trend) ** year) if year and trend else price


def net_price(scenario: Scenario, build: Build, year: int = 0) -> float:
    """Net price of the parts of one unit in `year`."""
    parts = [p.quantity * part_price(scenario, p.role, p.unit_price_net, year) for p in build.parts]
    return round(math.fsum(parts), 2)


def capex_unit_prices(scenario: Scenario, build: Build, year: int = 0) -> list[tuple[str, str, float, float]]:
    """What one unit costs to buy in `year`: (category, item, quantity per unit, net unit price), the tax line last."""
    if build.owned or not build.parts:
        return []
    rows = [
        (p.role, p.item_id, float(p.quantity), part_price(scenario, p.role, p.unit_price_net, year))
        for p in build.parts
    ]
    net = net_price(scenario, build, year)
    freight = cents(scenario.freight_rate * net)
    installation = 0.0 if build.upgrade_of else cents(scenario.installation_per_node)
    if freight:
        rows.append(("freight", build.id, 1.0, freight))
    if installation:
        rows.append(("installation", build.id, float(build.nodes_per_unit), installation))
    tax = cents(scenario.tax_rate * (net + freight + build.nodes_per_unit * installation))
    if tax:
        rows.append(("tax", build.id, 1.0, tax))
    return rows


def price_per_node(scenario: Scenario, build: Build, *, tax_included: bool = True, year: int = 0) -> float:
    """CAPEX of one unit with freight and installation, with or without tax, to the cent."""
    rows = capex_unit_prices(scenario, build, year)
    return cents(math.fsum(q * price for category, _, q, price in rows if tax_included or category != "tax"))


def residual_share(scenario: Scenario, age: int) -> float:
    """Share of the net price that is left at `age` years."""
    return scenario.residual_share ** (age / scenario.horizon_years) if scenario.residual_share else 0.0


def cost_lines(scenario: Scenario, builds: Sequence[Build], decisions: Decisions) -> list[CostLine]:
    """All cost lines of a plan, in the order build, year, category. Lines with a unit price of 0 are left out."""
    lines: list[CostLine] = []
    for build in builds:
        if build.service is not None:
            lines += _service_lines(scenario, build, build.service, decisions)
            continue
        lines += _purchase_lines(scenario, build, decisions)
        lines += _running_lines(scenario, build, decisions)
        lines += _residual_lines(scenario, build, decisions)
    return lines + _workload_lines(scenario, decisions) + _overhead_lines(scenario, decisions)


def staff_hours(scenario: Scenario, builds: Sequence[Build], decisions: Decisions, year: int) -> list[Quantity]:
    """Terms of the group's own hours in `year`: set-up of machines, upkeep, set-up of jobs over several cards."""
    terms: list[Quantity] = []
    for build in builds:
        if (bought := decisions.buy.get((build.id, year))) is not None:
            terms.append(setup_hours(scenario, build) * bought)
        if (nodes := decisions.nodes.get((build.id, year))) is not None:
            terms.append(build.nodes_per_unit * scenario.staff_hours_per_node_year * nodes)
    terms += [scenario.multi_card_setup_hours * n for (_, y), n in decisions.multi_card.items() if y == year]
    return terms


def setup_hours(scenario: Scenario, build: Build) -> float:
    """Hours of set-up of one unit: of each of its machines, or of an upgrade where that is stated by itself."""
    per_upgrade = scenario.staff_setup_hours_per_upgrade
    if build.upgrade_of and per_upgrade is not None:
        return per_upgrade
    return build.nodes_per_unit * scenario.staff_setup_hours_per_node


def _payer(scenario: Scenario, category: str) -> str:
    return scenario.payers.get(category, "lab")


def _line(
    scenario: Scenario,
    build_id: str,
    year: int,
    category: str,
    item: str,
    quantity: Quantity,
    unit: str,
    price: float,
    discount_years: int,
) -> CostLine:
    discount = (1.0 + scenario.discount_rate) ** -discount_years
    return CostLine(year, category, item, build_id, quantity, unit, price, _payer(scenario, category), discount)


def _purchase_lines(scenario: Scenario, build: Build, decisions: Decisions) -> list[CostLine]:
    lines: list[CostLine] = []
    if build.owned:
        return lines
    for year in range(scenario.horizon_years):
        bought = decisions.buy.get((build.id, year))
        if bought is None:
            continue
        for category, item, per_unit, price in capex_unit_prices(scenario, build, year):
            lines.append(_line(scenario, build.id, year, category, item, per_unit * bought, "piece", price, year))
        if (per_unit := setup_hours(scenario, build)) and scenario.staff_wage_per_hour:
            hours, wage = per_unit * bought, scenario.staff_wage_per_hour
            lines.append(_line(scenario, build.id, year, "setup", build.id, hours, "hour", wage, year + 1))
    return lines


def _running_lines(scenario: Scenario, build: Build, decisions: Decisions) -> list[CostLine]:
    kwh_per_watt = scenario.pue / HOURS_PER_KWH_WATT
    machines = build.nodes_per_unit
    tariff, wage = scenario.tariff_per_kwh, scenario.staff_wage_per_hour
    idle_kwh = build.idle_wall_w * scenario.on_hours_per_year * kwh_per_watt
    busy_kwh = build.busy_extra_wall_w_per_card * kwh_per_watt
    lines = []
    for year in range(scenario.horizon_years):
        nodes = decisions.nodes.get((build.id, year))
        if nodes is None:
            continue
        candidates = [
            ("energy_idle", idle_kwh * nodes, "kWh", tariff),
            ("energy_busy", busy_kwh * decisions.card_hours.get((build.id, year), 0.0), "kWh", tariff),
            ("staff", machines * scenario.staff_hours_per_node_year * nodes, "hour", wage),
            *_upkeep(scenario, build, decisions, year),
            ("hosting", machines * nodes, "node-year", cents(scenario.hosting_per_node_year)),
        ]
        for category, quantity, unit, price in candidates:
            if price:
                lines.append(_line(scenario, build.id, year, category, build.id, quantity, unit, price, year + 1))
    return lines


def _upkeep(
    scenario: Scenario, build: Build, decisions: Decisions, year: int
) -> list[tuple[str, Quantity, str, float]]:
    """Maintenance and failures in `year` of what was bought in each year whose warranty is over."""
    maintenance, failures = [], []
    card = next((p.unit_price_net for p in build.parts if p.role == "card"), 0.0)
    for bought_in in range(year + 1):
        bought = decisions.buy.get((build.id, bought_in))
        if bought is None or build.owned or year - bought_in < scenario.warranty_years:
            continue
        rate = cents(scenario.maintenance_rate * net_price(scenario, build, bought_in))
        card_price = cents(scenario.failure_rate * part_price(scenario, "card", card, bought_in))
        maintenance.append(("maintenance", bought, "node-year", rate))
        failures.append(("failures", build.cards * bought, "card-year", card_price))
    return maintenance + failures


def _residual_lines(scenario: Scenario, build: Build, decisions: Decisions) -> list[CostLine]:
    lines: list[CostLine] = []
    horizon = scenario.horizon_years
    for year in range(horizon):
        bought = decisions.buy.get((build.id, year))
        if bought is None or build.owned or not scenario.residual_share:
            continue
        value = cents(residual_share(scenario, horizon - year) * net_price(scenario, build, year))
        if value:
            lines.append(_line(scenario, build.id, horizon - 1, "residual", build.id, bought, "piece", -value, horizon))
    return lines


def _service_lines(scenario: Scenario, build: Build, service: Service, decisions: Decisions) -> list[CostLine]:
    """Card-hours used or paid for at least, and what a year of use costs besides."""
    category = SERVICE_CATEGORY[service.kind]
    lines = []
    for year in range(scenario.horizon_years):
        hours = decisions.card_hours.get((build.id, year))
        if hours is None:
            continue
        paid = hours + decisions.unused_hours.get((build.id, year), 0.0)
        candidates = [
            (paid, "card-hour", service.price_per_card_hour),
            (decisions.in_use.get((build.id, year), 0.0), "year", cents(service.fixed_cost_per_year)),
        ]
        for quantity, unit, price in candidates:
            if price:
                lines.append(_line(scenario, build.id, year, category, build.id, quantity, unit, price, year + 1))
    return lines


def _workload_lines(scenario: Scenario, decisions: Decisions) -> list[CostLine]:
    wage, hours = scenario.staff_wage_per_hour, scenario.multi_card_setup_hours
    if not wage:
        return []
    return [
        _line(scenario, "", year, "setup", workload, hours * first, "hour", wage, year + 1)
        for (workload, year), first in sorted(decisions.multi_card.items(), key=lambda row: row[0])
    ]


def _overhead_lines(scenario: Scenario, decisions: Decisions) -> list[CostLine]:
    rates = {fund.id: fund.overhead_rate for fund in scenario.funds}
    return [
        _line(scenario, "", year, "overhead", fund, paid, scenario.currency, rates[fund], year + 1)
        for (fund, year), paid in sorted(decisions.overhead.items(), key=lambda row: row[0])
        if rates[fund]
    ]
