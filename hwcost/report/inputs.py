"""Every figure that the workbook's formulas read: rates of the scenario, prices of parts, watts of machines.

One input is one cell on the sheet of assumptions. Scalars have a name (`in_...`), the rest are found by item or build.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from hwcost.build import Build, PricedPart
from hwcost.plan import Plan
from hwcost.report.book import Ref
from hwcost.scenario import Scenario

PART_ORDER = ("system", "card", "bridge", "host", "psu", "storage", "network")

# field of the scenario -> kind of number, key of the unit, smallest and largest value that may be typed
SCALARS: dict[str, tuple[str, str, float, float]] = {
    "tax_rate": ("percent", "share", 0.0, 0.99),
    "discount_rate": ("percent", "share", 0.0, 0.99),
    "residual_share": ("percent", "share", 0.0, 0.99),
    "freight_rate": ("percent", "share", 0.0, 0.99),
    "installation_per_node": ("money", "per_node", 0.0, 1e9),
    "maintenance_rate": ("percent", "share_year", 0.0, 0.99),
    "failure_rate": ("percent", "share_year", 0.0, 0.99),
    "warranty_years": ("plain", "years", 0.0, 20.0),
    "tariff_per_kwh": ("plain", "per_kwh", 0.0, 1e6),
    "pue": ("plain", "ratio", 1.0, 3.0),
    "on_hours_per_year": ("count", "hours_year", 0.0, 8784.0),
    "grid_factor_kg_per_kwh": ("plain", "kg_kwh", 0.0, 2.0),
    "hosting_per_node_year": ("money", "per_node_year", 0.0, 1e9),
    "staff_hours_per_node_year": ("plain", "hours_node_year", 0.0, 8784.0),
    "staff_setup_hours_per_node": ("plain", "hours_node", 0.0, 8784.0),
    "staff_setup_hours_per_upgrade": ("plain", "hours_node", 0.0, 8784.0),
    "staff_wage_per_hour": ("money", "per_hour", 0.0, 1e6),
}
# constants that formulas name instead of writing the number
CONSTANTS: dict[str, tuple[float, str]] = {
    "price_decimals": (2.0, "count"),
    "watts_per_kw": (1000.0, "count"),
    "money_tolerance": (0.005, "plain"),
    "rule_tolerance": (1e-6, "plain"),
    "cent": (0.01, "plain"),
    "depreciation_years": (6.0, "count"),
    "months_per_year": (12.0, "count"),
    "bar_hours": (50.0, "count"),
}
PRICE_DECIMALS = int(CONSTANTS["price_decimals"][0])
WATTS_PER_KW = CONSTANTS["watts_per_kw"][0]


def name_of(key: str) -> str:
    return f"in_{key}"


def rate_name(currency: str) -> str:
    return f"in_fx_{currency.lower()}"


def trend_name(role: str) -> str:
    return f"in_trend_{role}"


@dataclass(frozen=True)
class PricePlace:
    """Cells of a price as it was quoted: the amount, a factor "*rate" into the own currency, and its tax basis."""

    amount: Ref
    rate: str
    taxed: Ref


@dataclass
class Inputs:
    """Where each input stands, filled when the sheet of assumptions is written."""

    scenario: Scenario
    parts: dict[str, PricedPart]
    builds: dict[str, Build]
    part_net: dict[str, Ref] = field(default_factory=dict)
    part_price: dict[str, PricePlace] = field(default_factory=dict)
    idle_w: dict[str, Ref] = field(default_factory=dict)
    busy_w: dict[str, Ref] = field(default_factory=dict)
    services: dict[str, Build] = field(default_factory=dict)  # that any of the plans uses or pays for
    trends: dict[str, float] = field(default_factory=dict)  # of roles bought in a later year
    service_price: dict[str, Ref] = field(default_factory=dict)
    service_fixed: dict[str, Ref] = field(default_factory=dict)
    changed: Ref | None = None  # number of inputs that differ from the optimisation
    fingerprint: tuple[Ref, Ref] | None = None  # of the inputs as they are, and as they were

    @property
    def rates(self) -> dict[str, float]:
        """Exchange rates into the scenario's currency, by foreign currency."""
        foreign = (p for p in self.parts.values() if p.price.currency != self.scenario.currency)
        return {p.price.currency: p.fx_rate for p in sorted(foreign, key=lambda p: p.price.currency)}


def collect(scenario: Scenario, plans: Iterable[Plan]) -> Inputs:
    """All parts, machines and services that any of the plans buys, keeps or uses, each once."""
    plans = tuple(plans)
    builds = {p.build.id: p.build for plan in plans for p in plan.purchases}
    found = {part.item_id: part for build in builds.values() for part in build.parts}
    order = sorted(found.values(), key=lambda p: (_order(p.role), p.item_id))
    later = {part.role for plan in plans for p in plan.bought if p.year for part in p.build.parts}
    return Inputs(
        scenario,
        {p.item_id: p for p in order},
        builds,
        services={u.build.id: u.build for plan in plans for u in plan.services},
        trends={role: trend for role, trend in scenario.price_trend_per_year.items() if role in later},
    )


def _order(role: str) -> int:
    """Parts in their usual order; a role that has no place comes last."""
    return PART_ORDER.index(role) if role in PART_ORDER else len(PART_ORDER)
