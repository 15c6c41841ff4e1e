"""A scenario: one decision, with its budget, site, people and workloads (TOML, schema `hwcost.scenario/1`)."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Any

from hwcost.workload import Workload

OBJECTIVES = ("budget", "serve", "cost")
PLACES = ("office", "lab", "department_room", "machine_room")
PAYERS = ("lab", "university", "non_cash")


@dataclass(frozen=True)
class Circuit:
    """Sockets of one kind: each `count` is a circuit of its own. Continuous load is held to 80 % of volts x amps."""

    volts: float
    amps: float
    count: int

    @property
    def continuous_w(self) -> float:
        return 0.8 * self.volts * self.amps


@dataclass(frozen=True)
class Owned:
    """A machine the lab has: no purchase price, running cost only. `count` like ones."""

    id: str
    name: str
    card_id: str
    cards: int
    count: int
    chassis_id: str
    psu_id: str
    psu_count: int
    storage_id: str


@dataclass(frozen=True)
class Assumption:
    """A figure of the scenario that a reader may dispute: its name (message key), value, unit, source and kind."""

    key: str
    value: float | str
    unit: str
    source: str
    kind: str


@dataclass(frozen=True)
class Scenario:
    """Everything the plan depends on besides the catalog. Money is in `currency`; rates are shares."""

    id: str
    name: str
    name_zh: str
    region: str
    currency: str
    horizon_years: int
    as_of: date  # the day from which ages of prices are counted
    objective: str  # budget | serve | cost, resolved
    procurement: str
    # budget
    budget: float | None  # equipment money over the horizon; None: no limit
    budget_tax_included: bool
    spend_by: date | None
    # money
    tax_rate: float
    discount_rate: float
    residual_share: float  # of the net price at the end of the horizon
    freight_rate: float  # of the net price of the goods
    installation_per_node: float
    maintenance_rate: float  # of net price and year, after the warranty
    failure_rate: float  # cards per card-year, after the warranty
    warranty_years: float
    # site
    place: str
    noise_limit_dba: float | None
    rack_units: int | None
    circuits: tuple[Circuit, ...]  # empty: no limit stated
    # power
    tariff_per_kwh: float
    pue: float
    on_hours_per_year: float
    grid_factor_kg_per_kwh: float | None
    hosting_per_node_year: float
    # people
    staff_hours_per_node_year: float
    staff_setup_hours_per_node: float
    staff_wage_per_hour: float
    payers: dict[str, str]  # cost category -> payer
    # capacity
    available_hours_per_card_year: float
    memory_margin: float
    cards_per_node: tuple[int, ...]
    max_nodes: int
    max_distinct_builds: int
    # choice
    storage_ids: tuple[str, ...]  # tiers that may be bought; empty: all local ones
    storage_needed_tb: float
    allowed_statuses: tuple[str, ...]  # availability that may be bought: on_sale unless the user says more
    include_cards: tuple[str, ...]  # empty: all
    exclude_cards: tuple[str, ...]
    include_chassis: tuple[str, ...]
    exclude_chassis: tuple[str, ...]
    include_systems: tuple[str, ...]  # examples are used only when named here
    owned: tuple[Owned, ...]
    workloads: tuple[Workload, ...]
    assumptions: tuple[Assumption, ...] = ()
    sha256: str = ""
    file: str = ""
    extra: dict[str, str] = field(default_factory=dict)
    answers: dict[str, Any] = field(default_factory=dict)  # of the start form, verbatim; no figure of the plan
