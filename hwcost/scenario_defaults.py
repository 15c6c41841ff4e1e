"""Figures that a scenario need not state, by region, from the catalog's power and staffing tables.

Every figure handed out, stated or not, is recorded as an `Assumption` with its value, unit, source and kind.
"""

from __future__ import annotations

from datetime import date

from hwcost.pricing import convert
from hwcost.records import Catalog, Origin, PowerFigure, StaffFigure
from hwcost.scenario import Assumption
from hwcost.scenario_checks import LIMITS
from hwcost.strict import Limit, Table

REGION_CURRENCY = {"CN": "CNY", "US": "USD", "EU": "EUR"}
REGION_VOLTS = {"CN": 220.0, "US": 120.0, "EU": 230.0}  # nominal single-phase mains
# Tax that a public university pays on goods and cannot recover. EU: the German standard rate stands for the region.
REGION_TAX = {
    "CN": (0.13, "standard VAT rate on goods, China"),
    "US": (0.0, "public universities are commonly exempt from sales tax"),
    "EU": (0.19, "standard VAT rate, Germany"),
}
PROGRAM = "hwcost default"
ANY_REGION = ("", "*", "any", "all", "world")
MONTHS_PER_YEAR = 12.0
# Rows of the power table that suit a place; a catalog without them serves its first row of the category.
PUE_IDS = {
    "office": "pue-desk",
    "lab": "pue-desk",
    "department_room": "pue-small-room",
    "machine_room": "pue-small-room",
}

# Figures with one default for all regions: value, unit.
FIXED: dict[str, tuple[float, str]] = {
    "discount_rate": (0.0, "per year"),  # public bodies: nominal and present value agree
    "residual_share": (0.0, "share of net price"),  # public bodies may not sell
    "freight_rate": (0.0, "share of net price"),  # quotes for whole machines are delivered prices
    "installation_per_node": (0.0, "{currency}/node"),
    "on_hours_per_year": (8760.0, "h"),
    "hosting_per_node_year": (0.0, "{currency}/node-year"),
    "available_hours_per_card_year": (7000.0, "h"),
    "memory_margin": (0.25, "share of memory"),
    "staff_setup_hours_per_upgrade": (2.0, "h/machine"),  # opening a case, a disk or a card, a test run: by judgement
    "max_nodes": (8.0, "nodes"),
    "max_distinct_builds": (2.0, "builds"),
}
UNITS = {
    "tax_rate": "share of net price",
    "maintenance_rate": "share of net price per year",
    "failure_rate": "cards per card-year",
    "warranty_years": "years",
    "staff_setup_hours_per_node": "h/node",
    "staff_wage_per_hour": "{currency}/h",
}


class Defaults:
    """Hands out the figures of one scenario and records where each came from."""

    def __init__(self, catalog: Catalog, region: str, currency: str, place: str, as_of: date) -> None:
        self.catalog = catalog
        self.region = region
        self.currency = currency
        self.place = place
        self.as_of = as_of
        self.recorded: list[Assumption] = []

    def record(self, key: str, value: float | str, unit: str, source: str, kind: str = "estimate") -> None:
        """Notes one figure that the plan uses."""
        self.recorded.append(Assumption(key, value, unit.format(currency=self.currency), source, kind))

    def figure(self, table: Table, key: str, field: str = "") -> float:
        """The figure at `key`: as stated, else the region's; a missing default is a problem that asks to state it."""
        field = field or key
        stated = table.number(key, None, LIMITS[field])
        unit = FIXED[field][1] if field in FIXED else UNITS[field]
        if stated is not None:
            self.record(field, stated, unit, "scenario")
            return stated
        if key in table.data:
            return LIMITS[field].low
        if field in FIXED:
            self.record(field, FIXED[field][0], unit, PROGRAM)
            return FIXED[field][0]
        if field == "tax_rate":
            value, source = REGION_TAX[self.region]
            self.record(field, value, unit, source)
            return value
        row = self._staff_row(field)
        if row is not None and row.category == "wage":
            return self._from_currency(table, key, field, row, unit)
        return self._from_row(table, key, field, row, unit, row.value * _staff_scale(row) if row else None)

    def optional(self, table: Table, key: str, unit: str) -> float | None:
        """A figure with no default: recorded where stated, None where not."""
        value = table.number(key, None, LIMITS[key])
        if value is not None:
            self.record(key, value, unit, "scenario")
        return value

    def tariff(self, table: Table) -> float:
        """Price of a kWh in the scenario's currency: `tariff_per_kwh`, else the row `tariff`, else the region's row."""
        unit = "{currency}/kWh"
        stated = table.number("tariff_per_kwh", None, LIMITS["tariff_per_kwh"])
        named = table.text("tariff", known=self._power_ids("tariff"))
        if "tariff_per_kwh" in table.data:
            if "tariff" in table.data:
                table.note("scenario_two_ways", "tariff", table.data["tariff"], expected="tariff_per_kwh")
            if stated is not None:
                self.record("tariff_per_kwh", stated, unit, "scenario")
            return stated or 1.0
        row = self.catalog.power.get(named) or self._power_row("tariff")
        if row is None:
            return self._from_row(table, "tariff_per_kwh", "tariff_per_kwh", None, unit, None)
        return self._from_currency(table, "tariff_per_kwh", "tariff_per_kwh", row, unit)

    def pue(self, table: Table) -> float:
        """Energy of the room per energy of the machine: a number, the id of a row, or the row that suits the place."""
        if isinstance(table.data.get("pue"), str):
            named = table.text("pue", known=self._power_ids("pue"))
            row = self.catalog.power.get(named)
            return self._from_row(table, "pue", "pue", row, "ratio", row.value if row else 1.0)
        stated = table.number("pue", None, LIMITS["pue"])
        if "pue" in table.data:
            if stated is not None:
                self.record("pue", stated, "ratio", "scenario")
            return stated or 1.0
        suited = self.catalog.power.get(PUE_IDS[self.place]) or self._power_row("pue")
        return self._from_row(table, "pue", "pue", suited, "ratio", suited.value if suited else None)

    def grid_factor(self, table: Table) -> float | None:
        """Carbon per kWh; None where neither the scenario nor the catalog knows it."""
        stated = table.number("grid_factor_kg_per_kwh", None, LIMITS["grid_factor_kg_per_kwh"])
        row = self._power_row("grid_factor")
        if stated is not None:
            self.record("grid_factor_kg_per_kwh", stated, "kgCO2/kWh", "scenario")
        elif row is not None and "grid_factor_kg_per_kwh" not in table.data:
            self.record("grid_factor_kg_per_kwh", row.value, "kgCO2/kWh", _cite(row.id, row.origin), row.origin.kind)
            return row.value
        return stated

    def staff_hours(self, table: Table) -> float:
        """Hours of upkeep per node and year, from hours per node and month."""
        field, unit = "staff_hours_per_node_year", "h/node-year"
        stated = table.number("hours_per_node_month", None, Limit(high=744.0))
        if "hours_per_node_month" in table.data:
            if stated is not None:
                self.record(field, MONTHS_PER_YEAR * stated, unit, "scenario")
            return MONTHS_PER_YEAR * (stated or 0.0)
        row = self._staff_row(field)
        return self._from_row(
            table, "hours_per_node_month", field, row, unit, MONTHS_PER_YEAR * row.value if row else None
        )

    def storage_needed(self, table: Table, needed_tb: float) -> float:
        """Terabytes that the purchase must hold: as stated, else `needed_tb`, worked out from the data sets."""
        stated = table.number("needed_tb", None, LIMITS["storage_needed_tb"])
        value = needed_tb if stated is None else stated
        source = "1.25 x data sets, at least 1 TB" if stated is None else "scenario"
        self.record("storage_needed_tb", value, "TB", source)
        return value

    def volts(self) -> float:
        """Mains voltage of the region."""
        return REGION_VOLTS[self.region]

    def _from_row(
        self, table: Table, key: str, field: str, row: PowerFigure | StaffFigure | None, unit: str, value: float | None
    ) -> float:
        if row is None or value is None:
            if key not in table.data:
                table.note("scenario_no_default", key, expected=self.region)
            return LIMITS[field].low
        self.record(field, value, unit, _cite(row.id, row.origin), row.origin.kind)
        return value

    def _from_currency(self, table: Table, key: str, field: str, row: PowerFigure | StaffFigure, unit: str) -> float:
        """A row's money at the rate of the scenario's day; without a rate a problem that says what to do."""
        currency = row.unit.split("/")[0]
        converted = convert(self.catalog, row.value, currency, self.currency, self.as_of)
        if converted is None:
            table.note("scenario_no_rate", key, row.id, expected=f"{currency} -> {self.currency}")
            return LIMITS[field].low
        return self._from_row(table, key, field, row, unit, converted.amount)

    def _power_ids(self, category: str) -> list[str]:
        return [row.id for row in self.catalog.power.values() if row.category == category]

    def _power_row(self, category: str) -> PowerFigure | None:
        """The first row of the category in the table's order: the region's own, else one that serves all regions."""
        rows = [row for row in self.catalog.power.values() if row.category == category]
        own = [row for row in rows if row.region == self.region]
        return next(iter([*own, *(row for row in rows if row.region in ANY_REGION)]), None)

    def _staff_row(self, field: str) -> StaffFigure | None:
        """The row of the staffing table that gives `field`: the region's own, else one that serves all regions."""
        category = {"maintenance_rate": "maintenance", "failure_rate": "failure", "warranty_years": "warranty",
                    "staff_wage_per_hour": "wage"}.get(field, "hours")  # fmt: skip
        rows = [row for row in self.catalog.staffing.values() if row.category == category]
        if category == "hours":
            monthly = field == "staff_hours_per_node_year"
            rows = [row for row in rows if ("month" in row.unit) == monthly]
        own = [row for row in rows if row.region == self.region]
        return next(iter([*own, *(row for row in rows if row.region in ANY_REGION)]), None)


def _staff_scale(row: StaffFigure) -> float:
    """Factor from the row's unit to the scenario's: per cent to share, months to years."""
    if row.unit.startswith("%"):
        return 0.01
    return 1.0 / MONTHS_PER_YEAR if row.unit.startswith("month") else 1.0


def _cite(identity: str, origin: Origin) -> str:
    return f"{origin.file}: {identity}" + (f" ({origin.source})" if origin.source else "")
