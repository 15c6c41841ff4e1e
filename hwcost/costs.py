"""Cost lines. One function serves plain numbers and solver expressions, so report and optimiser cannot disagree.

A line is `quantity x unit price`. The unit price is always a number; the quantity is a number in a finished plan and
a linear expression in the model. Formulas, for one build j with `buy` nodes bought at the start of year t, `nodes` in
service during year t and `card_hours` computing during year t:

    parts         quantity_per_node * buy            x net unit price            (CAPEX, year t)
    freight       buy                                x freight_rate * net price
    installation  buy                                x installation per node
    tax           buy                                x tax_rate * (net price + freight + installation)
    setup         buy * setup hours                  x wage                      (one-off staff time)
    energy, idle  nodes * idle W * on hours * PUE / 1000       x tariff
    energy, busy  card_hours * extra W per card * PUE / 1000   x tariff
    staff         nodes * hours per node and year    x wage
    maintenance   nodes                              x maintenance_rate * net price, after the warranty
    failures      nodes * cards * failure_rate       x net price of a card, after the warranty
    hosting       nodes                              x hosting per node and year
    residual      nodes at the end                   x -(residual share * net price)

Every unit price is rounded to the cent (energy tariffs and wages are taken as given). CAPEX of year t is discounted by
(1+d)^-t, a year's running cost by (1+d)^-(t+1), the residual value by (1+d)^-T.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hwcost.build import Build
from hwcost.quantities import rounded
from hwcost.scenario import Scenario

CAPEX = ("card", "bridge", "host", "psu", "storage", "system", "network", "freight", "installation", "tax")
OPEX = ("setup", "energy_idle", "energy_busy", "staff", "maintenance", "failures", "hosting")
RESIDUAL = ("residual",)
CATEGORIES = CAPEX + OPEX + RESIDUAL

HOURS_PER_KWH_WATT = 1000.0  # W x h -> kWh

Quantity = Any  # float, or a linear expression of the solver


@dataclass(frozen=True)
class CostLine:
    """One line: `amount = quantity * unit_price`, nominal, in the scenario's currency."""

    year: int
    category: str
    item: str  # catalog id of what is paid for, or the build's id
    build_id: str
    quantity: Quantity
    unit: str
    unit_price: float
    payer: str
    discount: float

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


def cents(amount: float) -> float:
    """To the cent, half up as a spreadsheet rounds: 733.635 is 733.64, though its binary form lies just below."""
    return float(rounded(float(f"{amount:.15g}"), 2))


def capex_unit_prices(scenario: Scenario, build: Build) -> list[tuple[str, str, float, float]]:
    """What one node costs to buy: (category, item, quantity per node, net unit price), the tax line last."""
    rows = [(p.role, p.item_id, float(p.quantity), p.unit_price_net) for p in build.parts]
    if build.owned or not rows:
        return []
    net = build.price_net
    freight = cents(scenario.freight_rate * net)
    installation = cents(scenario.installation_per_node)
    if freight:
        rows.append(("freight", build.id, 1.0, freight))
    if installation:
        rows.append(("installation", build.id, 1.0, installation))
    tax = cents(scenario.tax_rate * (net + freight + installation))
    if tax:
        rows.append(("tax", build.id, 1.0, tax))
    return rows


def price_per_node(scenario: Scenario, build: Build, *, tax_included: bool = True) -> float:
    """CAPEX of one node with freight and installation, with or without tax, to the cent."""
    rows = capex_unit_prices(scenario, build)
    return cents(math.fsum(q * price for category, _, q, price in rows if tax_included or category != "tax"))


def cost_lines(scenario: Scenario, builds: Sequence[Build], decisions: Decisions) -> list[CostLine]:
    """All cost lines of a plan, in the order build, year, category. Lines with a unit price of 0 are left out."""
    lines: list[CostLine] = []
    for build in builds:
        lines += _purchase_lines(scenario, build, decisions)
        lines += _running_lines(scenario, build, decisions)
        lines += _residual_lines(scenario, build, decisions)
    return lines


def _payer(scenario: Scenario, category: str) -> str:
    return scenario.payers.get(category, "lab")


def _line(
    scenario: Scenario,
    build: Build,
    year: int,
    category: str,
    item: str,
    quantity: Quantity,
    unit: str,
    price: float,
    discount_years: int,
) -> CostLine:
    discount = (1.0 + scenario.discount_rate) ** -discount_years
    return CostLine(year, category, item, build.id, quantity, unit, price, _payer(scenario, category), discount)


def _purchase_lines(scenario: Scenario, build: Build, decisions: Decisions) -> list[CostLine]:
    lines = []
    for year in range(scenario.horizon_years):
        bought = decisions.buy.get((build.id, year))
        if bought is None or build.owned:
            continue
        for category, item, per_node, price in capex_unit_prices(scenario, build):
            lines.append(_line(scenario, build, year, category, item, per_node * bought, "piece", price, year))
        if scenario.staff_setup_hours_per_node and scenario.staff_wage_per_hour:
            hours = scenario.staff_setup_hours_per_node * bought
            lines.append(
                _line(scenario, build, year, "setup", build.id, hours, "hour", scenario.staff_wage_per_hour, year + 1)
            )
    return lines


def _running_lines(scenario: Scenario, build: Build, decisions: Decisions) -> list[CostLine]:
    kwh_per_watt = scenario.pue / HOURS_PER_KWH_WATT
    net = build.price_net
    card_price = next((p.unit_price_net for p in build.parts if p.role == "card"), 0.0)
    lines = []
    for year in range(scenario.horizon_years):
        nodes = decisions.nodes.get((build.id, year))
        if nodes is None:
            continue
        after_warranty = year >= scenario.warranty_years
        idle_kwh = build.idle_wall_w * scenario.on_hours_per_year * kwh_per_watt
        busy_kwh = build.busy_extra_wall_w_per_card * kwh_per_watt
        maintenance = cents(scenario.maintenance_rate * net) if after_warranty else 0.0
        failures = cents(scenario.failure_rate * card_price) if after_warranty else 0.0
        candidates = [
            ("energy_idle", idle_kwh * nodes, "kWh", scenario.tariff_per_kwh),
            ("energy_busy", busy_kwh * decisions.card_hours.get((build.id, year), 0.0), "kWh", scenario.tariff_per_kwh),
            ("staff", scenario.staff_hours_per_node_year * nodes, "hour", scenario.staff_wage_per_hour),
            ("maintenance", nodes, "node-year", maintenance),
            ("failures", build.cards * nodes, "card-year", failures),
            ("hosting", nodes, "node-year", cents(scenario.hosting_per_node_year)),
        ]
        for category, quantity, unit, price in candidates:
            if price:
                lines.append(_line(scenario, build, year, category, build.id, quantity, unit, price, year + 1))
    return lines


def _residual_lines(scenario: Scenario, build: Build, decisions: Decisions) -> list[CostLine]:
    value = cents(scenario.residual_share * build.price_net)
    last = scenario.horizon_years - 1
    nodes = decisions.nodes.get((build.id, last))
    if not value or nodes is None or build.owned:
        return []
    return [_line(scenario, build, last, "residual", build.id, nodes, "piece", -value, scenario.horizon_years)]
