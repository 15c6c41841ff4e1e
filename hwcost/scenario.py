"""A scenario: one decision, with its budget, site, people and workloads (TOML, schema `hwcost.scenario/1`)."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Any

from hwcost.workload import Workload

OBJECTIVES = ("budget", "serve", "cost")
PLACES = ("office", "lab", "department_room", "machine_room")
PAYERS = ("lab", "university", "non_cash")
FUND_USES = ("equipment", "services", "consumables")  # what a fund may pay for
SERVICE_KINDS = ("campus", "cloud")


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
class Fund:
    """One source of money: how much, when, and what it may pay for. Years count from 0; amounts are in the currency."""

    id: str
    name: str
    name_zh: str
    amount: float | None  # over all its years; None: no limit
    pays: tuple[str, ...] = ("equipment",)  # of FUND_USES
    per_year: tuple[float, ...] = ()  # what arrives each year, adding up to `amount`; empty: all of it in `from_year`
    carry_over: bool = True  # money left at the end of a year may be spent in the next one
    from_year: int = 0
    to_year: int | None = None  # the last year in which it may be spent; None: the horizon's last
    tax_included: bool = True  # what it is charged: gross or net prices
    overhead_rate: float = 0.0  # charged on top of services paid by it
    depreciation_only: bool = False  # pays the depreciation within its years, not the price
    depreciation_years: float = 6.0
    spend_by: date | None = None  # delivery must be before this day


@dataclass(frozen=True)
class Service:
    """Card-hours that somebody else offers: the campus cluster or a cloud. Money as the lab is charged, with tax."""

    id: str
    name: str
    name_zh: str
    kind: str  # campus | cloud
    card_id: str
    cards_per_job: int  # most cards of one job
    price_per_card_hour: float
    wait_hours: float | None = None  # usual wait in the queue before a run; None: unknown, to be asked
    cards_at_once: int | None = None  # cards that the lab may hold at once; None: unknown, serves nobody interactively
    quota_card_hours_per_year: float | None = None
    minimum_card_hours_per_year: float = 0.0  # paid for in every year of use, used or not
    fixed_cost_per_year: float = 0.0  # storage, membership: in every year of use
    transfer_mb_s: float | None = None  # to bring the data there, once per run; None: the data lie there
    storage_mb_s: float | None = None  # what its file system reads for a job; None: no limit
    interactive: bool = False  # people can hold a card there, so that it counts for people at once
    kind_of_figure: str = "estimate"
    source: str = ""


@dataclass(frozen=True)
class UserOption:
    """An option that the scenario names, beside the built-in ones: what it may buy and use beside what is owned.

    Of cards, chassis and cards per node, what is not named is free; where none is named, no machine but the named
    systems is bought.
    """

    id: str
    name: str
    name_zh: str
    cards: tuple[str, ...] = ()
    chassis: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    cards_per_node: tuple[int, ...] = ()
    services: tuple[str, ...] = ()
    upgrades: bool = False
    max_nodes: int | None = None  # None: as in the scenario

    @property
    def buys_machines(self) -> bool:
        return bool(self.cards or self.chassis or self.systems or self.cards_per_node)


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
    # years
    purchase_years: tuple[int, ...] = (0,)  # years at whose start something may be bought
    price_trend_per_year: dict[str, float] = field(default_factory=dict)  # by part role: -0.1 is ten per cent less
    equipment_per_year: tuple[float, ...] = ()  # equipment money by year, within `budget`; empty: all at the start
    equipment_carry_over: bool = True
    running_budget_per_year: float | None = None  # what the lab itself may pay for running and services
    lead_weeks: float = 0.0  # of a purchase without a stated delivery; shortens its first year's hours
    # who pays: with funds, `budget` is the part of them that pays equipment
    funds: tuple[Fund, ...] = ()
    services: tuple[Service, ...] = ()
    data_stays: str = "anywhere"  # anywhere | campus | lab: where the data may be processed
    # staff, stock and owned machines
    staff_hours_limit_per_year: float | None = None
    multi_card_setup_hours: float = 0.0  # one-off work for each workload that uses several cards
    stock: dict[str, int] = field(default_factory=dict)  # most units of a catalog item that can be had
    min_order: dict[str, int] = field(default_factory=dict)  # least units of a catalog item, if any
    upgrades: bool = True  # owned machines may be upgraded
    staff_setup_hours_per_upgrade: float | None = None  # None: as for a whole machine
    retire_owned: bool = True  # an owned machine may be left unused, at no cost
    options: tuple[UserOption, ...] = ()  # options to be compared beside the built-in ones
