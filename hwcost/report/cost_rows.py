"""What a plan costs, as rows of formulas: the same formulas as the cost function, read from the inputs' cells.

A row is `quantity = per unit x driver` and `amount = quantity x unit price`. What is bought at the start of one year is
a lot: it has its own prices, its own warranty and its own age at the end. Drivers of a machine and of a lot:

    energy idle, staff, hosting                 in service
    energy busy                                 card-hours
    parts, freight, installation, tax, setup    bought                                    (by lot)
    maintenance, failures                       in service after the warranty             (by lot)
    residual                                    in service in the last year, at its age   (by lot)

A unit may be several machines joined by a network: what is paid per machine is paid for each. An upgrade is not
installed. Cards in service cost nothing by themselves; the share of their time that is busy is counted from them.

Where the program's own lines of a machine do not follow these formulas, all its lines stand as the program computed
them: quantities and unit prices as decided, amounts as their product. So no money is dropped, whatever a plan holds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from hwcost.build import Build
from hwcost.costs import CAPEX, RESIDUAL, CostLine, net_price, part_price, residual_share, setup_hours
from hwcost.plan import Plan, Purchase
from hwcost.report.cells import sheet_round
from hwcost.report.inputs import PRICE_DECIMALS, WATTS_PER_KW
from hwcost.scenario import Scenario

MACHINE_DRIVERS = ("in_service", "cards", "card_hours")
LOT_DRIVERS = ("bought", "lot_service", "after_warranty", "at_end")
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
SAME = 1e-9  # relative; the lines and the rows count the same hours
DUST = 1e-6  # below any amount that is shown


def group_of(category: str) -> str:
    """The group of a category; one that has no place of its own is a purchase, a residual value or a service."""
    if category in GROUP_OF:
        return GROUP_OF[category]
    return "machines" if category in CAPEX else "residual" if category in RESIDUAL else "services"


@dataclass(frozen=True)
class CostRow:
    """One kind of cost of one machine. Formulas may hold the fields `{idle_w}`, `{busy_w}`, `{machines}`, and of a lot
    `{part}`, `{trend}`, `{year}`, `{horizon}`, `{net}`, `{freight}`, `{installation}` and `{card}`, filled with
    addresses by the sheet."""

    category: str
    item: str
    unit: str
    driver: str
    per: float
    per_formula: str  # empty: a given number
    price: float
    price_formula: str
    lot: int | None = None  # the year of purchase; None: of all lots together

    @property
    def from_start(self) -> bool:
        """Paid at the start of the year (purchases); all else at its end."""
        return group_of(self.category) in CAPEX_GROUPS


def rows_of(scenario: Scenario, build: Build, lots: Sequence[int] = (0,)) -> list[CostRow]:
    """The rows of one machine, purchases first. A rate that is 0 keeps its row: it may be typed in later."""
    bought = [row for lot in lots for row in _purchase(scenario, build, lot)]
    upkeep = [row for lot in lots for row in _upkeep(scenario, build, lot)]
    return _running(scenario, build) if build.owned else [*bought, *_running(scenario, build), *upkeep]


def _cents(amount: float) -> float:
    return sheet_round(amount, PRICE_DECIMALS)


def _times(build: Build, formula: str) -> str:
    """The formula for each machine of a unit."""
    return formula if build.nodes_per_unit == 1 else f"{{machines}}*{formula}"


def _purchase(scenario: Scenario, build: Build, lot: int) -> list[CostRow]:
    rows = []
    for p in build.parts:
        later = lot and p.role in scenario.price_trend_per_year
        formula = "ROUND({part}*(1+{trend})^({year}-1),in_price_decimals)" if later else "{part}"
        price = part_price(scenario, p.role, p.unit_price_net, lot)
        rows.append(CostRow(p.role, p.item_id, "piece", "bought", float(p.quantity), "", price, formula, lot))
    net, machines = net_price(scenario, build, lot), build.nodes_per_unit
    freight = _cents(scenario.freight_rate * net)
    installation = 0.0 if build.upgrade_of else _cents(scenario.installation_per_node)
    tax = _cents(scenario.tax_rate * (net + freight + machines * installation))
    installed = "" if build.upgrade_of else "+" + _times(build, "{installation}")
    fees = [
        ("freight", 1.0, freight, "ROUND(in_freight_rate*{net},in_price_decimals)"),
        ("installation", float(machines), installation, "ROUND(in_installation_per_node,in_price_decimals)"),
        ("tax", 1.0, tax, f"ROUND(in_tax_rate*({{net}}+{{freight}}{installed}),in_price_decimals)"),
    ]
    rows += [
        CostRow(category, build.id, "piece", "bought", per, "", price, text, lot)
        for category, per, price, text in fees if not (category == "installation" and build.upgrade_of)
    ]  # fmt: skip
    field = setup_field(scenario, build)
    hours = f"in_{field}" if field.endswith("upgrade") else _times(build, f"in_{field}")
    rows.append(
        CostRow("setup", build.id, "hour", "bought", setup_hours(scenario, build), hours,
                scenario.staff_wage_per_hour, "in_staff_wage_per_hour", lot)
    )  # fmt: skip
    return rows


def setup_field(scenario: Scenario, build: Build) -> str:
    """The figure of the scenario that gives the hours of set-up: an upgrade has its own where that is stated."""
    own = build.upgrade_of and scenario.staff_setup_hours_per_upgrade is not None
    return "staff_setup_hours_per_upgrade" if own else "staff_setup_hours_per_node"


def _running(scenario: Scenario, build: Build) -> list[CostRow]:
    kilowatts, machines = scenario.pue / WATTS_PER_KW, build.nodes_per_unit
    tariff, wage = scenario.tariff_per_kwh, scenario.staff_wage_per_hour
    return [
        CostRow("energy_idle", build.id, "kWh", "in_service",
                build.idle_wall_w * scenario.on_hours_per_year * kilowatts,
                "{idle_w}*in_on_hours_per_year*in_pue/in_watts_per_kw", tariff, "in_tariff_per_kwh"),
        CostRow("energy_busy", build.id, "kWh", "card_hours", build.busy_extra_wall_w_per_card * kilowatts,
                "{busy_w}*in_pue/in_watts_per_kw", tariff, "in_tariff_per_kwh"),
        CostRow("staff", build.id, "hour", "in_service", machines * scenario.staff_hours_per_node_year,
                _times(build, "in_staff_hours_per_node_year"), wage, "in_staff_wage_per_hour"),
        CostRow("hosting", build.id, "node-year", "in_service", float(machines), "",
                _cents(scenario.hosting_per_node_year), "ROUND(in_hosting_per_node_year,in_price_decimals)"),
    ]  # fmt: skip


def _upkeep(scenario: Scenario, build: Build, lot: int) -> list[CostRow]:
    """After the warranty of a lot, and what it is worth at the end."""
    net, age = net_price(scenario, build, lot), scenario.horizon_years - lot
    rows = [
        CostRow("maintenance", build.id, "node-year", "after_warranty", 1.0, "",
                _cents(scenario.maintenance_rate * net), "ROUND(in_maintenance_rate*{net},in_price_decimals)", lot)
    ]  # fmt: skip
    card = next((p.unit_price_net for p in build.parts if p.role == "card"), None)
    if card is not None:
        price = _cents(scenario.failure_rate * part_price(scenario, "card", card, lot))
        rows.append(
            CostRow("failures", build.id, "card-year", "after_warranty", float(build.cards), "", price,
                    "ROUND(in_failure_rate*{card},in_price_decimals)", lot)
        )  # fmt: skip
    share = "in_residual_share^(({horizon}+1-{year})/{horizon})" if lot else "in_residual_share"
    rows.append(
        CostRow("residual", build.id, "piece", "at_end", 1.0, "", -_cents(residual_share(scenario, age) * net),
                f"-ROUND({share}*{{net}},in_price_decimals)", lot)
    )  # fmt: skip
    return rows


def lots_of(plan: Plan, build: Build) -> list[int]:
    """Years in which units of the machine are bought."""
    return sorted({p.year for p in plan.purchases if p.build.id == build.id and not p.owned})


def drivers_of(plan: Plan, build: Build) -> dict[str, list[float]]:
    """The value of each driver of a machine, by year."""
    years = range(plan.case.scenario.horizon_years)
    mine = [p for p in plan.purchases if p.build.id == build.id]
    service = [float(sum(_there(p, y) for p in mine)) for y in years]
    hours = [
        math.fsum(a.card_hours for a in plan.assignments if a.strategy.build_id == build.id and a.year == y)
        for y in years
    ]
    return {"in_service": service, "cards": [build.cards * n for n in service], "card_hours": hours}


def _there(purchase: Purchase, year: int) -> int:
    """Units in service: owned machines may be retired or upgraded, bought ones stay."""
    if purchase.owned and purchase.nodes_by_year:
        return purchase.nodes_by_year[year]
    return purchase.nodes if year >= purchase.year else 0


def lot_drivers(plan: Plan, build: Build, lot: int) -> dict[str, list[float]]:
    """The value of each driver of what is bought at the start of year `lot`, by year."""
    scenario = plan.case.scenario
    years = range(scenario.horizon_years)
    units = float(sum(p.nodes for p in plan.purchases if p.build.id == build.id and p.year == lot and not p.owned))
    service = [units if y >= lot else 0.0 for y in years]
    return {
        "bought": [units if y == lot else 0.0 for y in years],
        "lot_service": service,
        "after_warranty": [n if y - lot >= scenario.warranty_years else 0.0 for y, n in enumerate(service)],
        "at_end": [n if y == len(years) - 1 else 0.0 for y, n in enumerate(service)],
    }


def driver_values(plan: Plan, build: Build, row: CostRow) -> list[float]:
    """The driver of a row, by year."""
    found = drivers_of(plan, build) if row.lot is None else lot_drivers(plan, build, row.lot)
    return found[row.driver]


@dataclass(frozen=True)
class Money:
    """What one row costs: by year, and discounted."""

    price: float
    quantities: list[float]
    amounts: list[float]
    present_value: float


def money_of(scenario: Scenario, row: CostRow, driver: Sequence[float]) -> Money:
    """What the formulas of a row give."""
    quantities = [row.per * d for d in driver]
    amounts = [row.price * q for q in quantities]
    rate, late = 1.0 + scenario.discount_rate, 0 if row.from_start else 1
    return Money(row.price, quantities, amounts, math.fsum(a * rate ** -(y + late) for y, a in enumerate(amounts)))


def follows(
    scenario: Scenario, rows: Sequence[CostRow], lines: Sequence[CostLine], drivers: Sequence[Sequence[float]]
) -> bool:
    """Whether the program's lines of a machine are what the formulas of its rows give: for each category and item the
    same quantity and amount a year, one payer, the usual discount. A line may be split among funds."""
    found = [money_of(scenario, row, driver) for row, driver in zip(rows, drivers, strict=True)]
    for key in dict.fromkeys((row.category, row.item) for row in rows):
        mine = [n for n in lines if (n.category, n.item) == key]
        paid = scenario.payers.get(key[0], "lab")
        late = 0 if group_of(key[0]) in CAPEX_GROUPS else 1
        usual = all(math.isclose(n.discount, (1.0 + scenario.discount_rate) ** -(n.year + late), rel_tol=SAME)
                    for n in mine)  # fmt: skip
        if not usual or any(n.payer != paid for n in mine):
            return False
        money = [m for row, m in zip(rows, found, strict=True) if (row.category, row.item) == key]
        for year in range(scenario.horizon_years):
            given = [n for n in mine if n.year == year]
            pairs = [(math.fsum(float(n.amount) for n in given), math.fsum(m.amounts[year] for m in money))]
            if given:  # a line whose price is 0 is left out by the program
                wanted = math.fsum(m.quantities[year] for m in money if m.price)
                pairs.append((math.fsum(float(n.quantity) for n in given), wanted))
            if not all(math.isclose(g, w, rel_tol=SAME, abs_tol=DUST) for g, w in pairs):
                return False
    return True


def given_rows(lines: Sequence[CostLine]) -> list[tuple[CostRow, CostLine]]:
    """Rows as the program has them: one for each category, item, price, payer and discount rule, in their order."""
    found = {(n.category, n.item, n.unit_price, n.payer): n for n in reversed(lines)}
    order = dict.fromkeys((n.category, n.item, n.unit_price, n.payer) for n in lines)
    return [
        (CostRow(n.category, n.item, n.unit, "", 1.0, "", n.unit_price, ""), n) for n in (found[key] for key in order)
    ]
