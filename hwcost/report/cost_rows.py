"""What a plan costs, as rows of formulas: the same formulas as the cost function, read from the inputs' cells.

A row is `quantity = per unit x driver` and `amount = quantity x unit price`. Drivers are what the optimiser decided
(machines bought, card-hours) and what follows (machines in service, after the warranty, at the end):

    parts, freight, installation, tax, setup    bought
    energy idle, staff, hosting                 in service
    energy busy                                 card-hours
    maintenance, failures                       in service after the warranty
    residual                                    in service in the last year

Cards in service cost nothing by themselves; the share of their time that is busy is counted from them.

Where the program's own lines of a machine do not follow these formulas (purchases at another year's prices, services,
retired machines), all its lines stand as the program computed them: quantities and unit prices as decided, amounts as
their product. So no money is dropped, whatever a plan holds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from hwcost.build import Build
from hwcost.costs import CAPEX, RESIDUAL, CostLine
from hwcost.plan import Plan
from hwcost.report.cells import sheet_round
from hwcost.report.inputs import PRICE_DECIMALS, WATTS_PER_KW
from hwcost.scenario import Scenario

DRIVERS = ("bought", "in_service", "after_warranty", "at_end", "cards", "card_hours")
CAPEX_GROUPS = ("cards", "machines", "delivery")
OPEX_GROUPS = ("energy", "staff", "upkeep", "hosting", "services")
RESIDUAL_GROUPS = ("residual",)
GROUPS = CAPEX_GROUPS + OPEX_GROUPS + RESIDUAL_GROUPS
GROUP_OF = {
    "card": "cards", "bridge": "machines", "host": "machines", "psu": "machines", "storage": "machines",
    "system": "machines", "network": "machines", "freight": "delivery", "installation": "delivery", "tax": "delivery",
    "setup": "staff", "energy_idle": "energy", "energy_busy": "energy", "staff": "staff", "maintenance": "upkeep",
    "failures": "upkeep", "hosting": "hosting", "residual": "residual",
}  # fmt: skip
SAME = 1e-6  # relative; the solver's shares are no more exact


def group_of(category: str) -> str:
    """The group of a category; one that has no place of its own is a purchase, a residual value or a service."""
    if category in GROUP_OF:
        return GROUP_OF[category]
    return "machines" if category in CAPEX else "residual" if category in RESIDUAL else "services"


@dataclass(frozen=True)
class CostRow:
    """One kind of cost of one machine. Formulas may hold the fields `{idle_w}`, `{busy_w}`, `{net}`, `{freight}`,
    `{installation}`, `{card}` and `{part}`, filled with addresses by the sheet."""

    category: str
    item: str
    unit: str
    driver: str
    per: float
    per_formula: str  # empty: a given number
    price: float
    price_formula: str

    @property
    def from_start(self) -> bool:
        """Paid at the start of the year (purchases); all else at its end."""
        return group_of(self.category) in CAPEX_GROUPS


def rows_of(scenario: Scenario, build: Build) -> list[CostRow]:
    """The rows of one machine, purchases first. A rate that is 0 keeps its row: it may be typed in later."""
    running = _running(scenario, build)
    return running if build.owned else [*_purchase(scenario, build), *running]


def _purchase(scenario: Scenario, build: Build) -> list[CostRow]:
    def share(rate: float, base: float) -> float:
        return sheet_round(rate * base, PRICE_DECIMALS)

    rows = [
        CostRow(p.role, p.item_id, "piece", "bought", float(p.quantity), "", p.unit_price_net, "{part}")
        for p in build.parts
    ]
    freight = share(scenario.freight_rate, build.price_net)
    installation = share(1.0, scenario.installation_per_node)
    tax = share(scenario.tax_rate, build.price_net + freight + installation)
    fees = (
        ("freight", freight, "ROUND(in_freight_rate*{net},in_price_decimals)"),
        ("installation", installation, "ROUND(in_installation_per_node,in_price_decimals)"),
        ("tax", tax, "ROUND(in_tax_rate*({net}+{freight}+{installation}),in_price_decimals)"),
    )
    rows += [CostRow(category, build.id, "piece", "bought", 1.0, "", price, text) for category, price, text in fees]
    field = setup_field(scenario, build)
    rows.append(
        CostRow("setup", build.id, "hour", "bought", getattr(scenario, field), f"in_{field}",
                scenario.staff_wage_per_hour, "in_staff_wage_per_hour")
    )  # fmt: skip
    return rows


def setup_field(scenario: Scenario, build: Build) -> str:
    """The figure of the scenario that gives the hours of set-up: an upgrade has its own where that is stated."""
    own = build.upgrade_of and scenario.staff_setup_hours_per_upgrade is not None
    return "staff_setup_hours_per_upgrade" if own else "staff_setup_hours_per_node"


def _running(scenario: Scenario, build: Build) -> list[CostRow]:
    def share(rate: float, base: float) -> float:
        return sheet_round(rate * base, PRICE_DECIMALS)

    kilowatts = scenario.pue / WATTS_PER_KW
    tariff, wage = scenario.tariff_per_kwh, scenario.staff_wage_per_hour
    rows = [
        CostRow("energy_idle", build.id, "kWh", "in_service",
                build.idle_wall_w * scenario.on_hours_per_year * kilowatts,
                "{idle_w}*in_on_hours_per_year*in_pue/in_watts_per_kw", tariff, "in_tariff_per_kwh"),
        CostRow("energy_busy", build.id, "kWh", "card_hours", build.busy_extra_wall_w_per_card * kilowatts,
                "{busy_w}*in_pue/in_watts_per_kw", tariff, "in_tariff_per_kwh"),
        CostRow("staff", build.id, "hour", "in_service", scenario.staff_hours_per_node_year,
                "in_staff_hours_per_node_year", wage, "in_staff_wage_per_hour"),
        CostRow("hosting", build.id, "node-year", "in_service", 1.0, "", share(1.0, scenario.hosting_per_node_year),
                "ROUND(in_hosting_per_node_year,in_price_decimals)"),
    ]  # fmt: skip
    if build.owned:
        return rows
    net = build.price_net
    rows.append(
        CostRow("maintenance", build.id, "node-year", "after_warranty", 1.0, "", share(scenario.maintenance_rate, net),
                "ROUND(in_maintenance_rate*{net},in_price_decimals)")
    )  # fmt: skip
    card = next((p.unit_price_net for p in build.parts if p.role == "card"), None)
    if card is not None:
        rows.append(
            CostRow("failures", build.id, "card-year", "after_warranty", float(build.cards), "",
                    share(scenario.failure_rate, card), "ROUND(in_failure_rate*{card},in_price_decimals)")
        )  # fmt: skip
    rows.append(
        CostRow("residual", build.id, "piece", "at_end", 1.0, "", -share(scenario.residual_share, net),
                "-ROUND(in_residual_share*{net},in_price_decimals)")
    )  # fmt: skip
    return rows


def drivers_of(plan: Plan, build: Build) -> dict[str, list[float]]:
    """The value of each driver by year."""
    scenario = plan.case.scenario
    years = range(scenario.horizon_years)
    bought = [float(sum(p.nodes for p in plan.purchases if p.build.id == build.id and p.year == y)) for y in years]
    service = [sum(bought[: y + 1]) for y in years]
    hours = [
        sum(a.card_hours for a in plan.assignments if a.strategy.build_id == build.id and a.year == y) for y in years
    ]
    return {
        "bought": bought,
        "in_service": service,
        "after_warranty": [n if y >= scenario.warranty_years else 0.0 for y, n in enumerate(service)],
        "at_end": [n if y == len(years) - 1 else 0.0 for y, n in enumerate(service)],
        "cards": [build.cards * n for n in service],
        "card_hours": hours,
    }


@dataclass(frozen=True)
class Money:
    """What the program computed for one row: by year, and discounted."""

    price: float
    quantities: list[float]
    amounts: list[float]
    present_value: float


def money_of(row: CostRow, build: Build, lines: tuple[CostLine, ...], driver: list[float]) -> Money:
    """The program's own lines for this row; a line that the program leaves out (its amount is 0) follows the row."""
    mine = {n.year: n for n in lines if (n.build_id, n.category, n.item) == (build.id, row.category, row.item)}
    price = next((line.unit_price for line in mine.values()), row.price)
    years = range(len(driver))
    quantities = [float(mine[y].quantity) if y in mine else row.per * driver[y] for y in years]
    amounts = [float(mine[y].amount) if y in mine else 0.0 for y in years]
    return Money(price, quantities, amounts, sum(float(line.present_value) for line in mine.values()))


def follows(scenario: Scenario, row: CostRow, lines: Sequence[CostLine], driver: list[float]) -> bool:
    """Whether the program's lines of a row are what its formulas give: one price, one payer, quantity per driver."""
    mine = [n for n in lines if (n.category, n.item) == (row.category, row.item)]
    wanted = [row.per * d for d in driver]
    given = [0.0] * len(driver)
    for line in mine:
        given[line.year] += float(line.quantity)
    same_price = all(math.isclose(n.unit_price, row.price, rel_tol=1e-9, abs_tol=1e-9) for n in mine)
    discounts = [(1.0 + scenario.discount_rate) ** -(n.year + (0 if row.from_start else 1)) for n in mine]
    same_discount = all(math.isclose(n.discount, d, rel_tol=1e-9) for n, d in zip(mine, discounts, strict=True))
    paid = all(n.payer == scenario.payers.get(row.category, "lab") for n in mine)
    once = len({n.year for n in mine}) == len(mine)
    pairs = zip(given, wanted, strict=True)
    return once and same_price and same_discount and paid and (
        not row.price or all(math.isclose(g, w, rel_tol=SAME, abs_tol=SAME) for g, w in pairs)
    )  # fmt: skip


def given_rows(lines: Sequence[CostLine]) -> list[tuple[CostRow, CostLine]]:
    """Rows as the program has them: one for each category, item, price, payer and discount rule, in their order."""
    found = {(n.category, n.item, n.unit_price, n.payer): n for n in reversed(lines)}
    order = dict.fromkeys((n.category, n.item, n.unit_price, n.payer) for n in lines)
    return [
        (CostRow(n.category, n.item, n.unit, "", 1.0, "", n.unit_price, ""), n) for n in (found[key] for key in order)
    ]
