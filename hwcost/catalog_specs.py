"""What each table of the catalog holds: its file, record type, columns with their physical ranges, and keys.

A column has the name of its field in `records.py`; its parser follows from the field's type, and a field that may be
None may be left empty. `source`, `as_of` and `kind` are the columns of `Origin`.
"""

from __future__ import annotations

import dataclasses
import re
import typing
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from datetime import date
from types import UnionType
from typing import Any

from hwcost import records, tables
from hwcost.calibration import CalibrationRow
from hwcost.quantities import CURRENCIES, Money, QuantityError, parse_money
from hwcost.records import FIGURE_KINDS, REGIONS
from hwcost.tables import Column
from hwcost.workload import PRECISIONS

ANY_REGION = ("*", "any", "all", "world")  # a row that serves every region; an empty cell means the same
PLACES = (*REGIONS, *ANY_REGION, "lab")


@dataclass(frozen=True)
class TableSpec:
    """One table: `key` finds a row given twice in a file, `override_key` what a later layer replaces."""

    file: str
    attribute: str  # field of `records.Catalog`
    record: type
    columns: tuple[Column, ...]
    key: Callable[[Any], Hashable]
    override_key: Callable[[Any], Hashable]
    by_id: bool  # the catalog keeps a dict by id; else a tuple
    needed: bool  # the bundled layer must have it


# --- parsers of the cells that only the catalog has ---

LOWEST_PRICE, HIGHEST_PRICE = 0.01, 1e10


def amount_cell(cell: str, decimal: str | None = None) -> Money | None:
    """A price above zero, perhaps with its currency beside it: "12999", "￥12,999"; one below a cent would be free."""
    money = parse_money(cell, "", decimal=decimal)
    if money is not None and money.amount == 0:
        raise QuantityError("zero_price")
    if money is not None and not LOWEST_PRICE <= money.amount <= HIGHEST_PRICE:
        raise QuantityError("range", low=f"{LOWEST_PRICE:g}", high=f"{HIGHEST_PRICE:.0f}")
    return money


def lanes_cell(cell: str, decimal: str | None = None) -> dict[int, int]:
    """Lanes of the worst slot by card count: "1:16 2:8" (also with , ; or | between) -> {1: 16, 2: 8}."""
    parts = [part for part in re.split(r"[\s,;|{}]+", cell.strip()) if part]
    pairs = [re.fullmatch(r"([1-9][0-9]?)[:=]([1-9][0-9]?)", part) for part in parts]
    lanes = {int(pair[1]): int(pair[2]) for pair in pairs if pair}
    if not pairs or len(lanes) != len(pairs) or any(n not in (1, 2, 4, 8, 16) for n in lanes.values()):
        raise QuantityError("lanes")
    return lanes


SEGMENTS = ("consumer", "workstation", "server")


def segments_cell(cell: str, decimal: str | None = None) -> tuple[str, ...]:
    """Kinds of case, separated by semicolons: "workstation;server" -> ("workstation", "server")."""
    words = tuple(word.strip() for word in re.split(r"[;；|]", cell) if word.strip())
    if not words or len(set(words)) != len(words) or set(words) - set(SEGMENTS):
        raise QuantityError("choice", expected=", ".join(SEGMENTS))
    return words


SUPPLY_FORM = re.compile(r"atx|crps:[a-z0-9][a-z0-9-]*")


def psu_form_cell(cell: str, decimal: str | None = None) -> str:
    """atx, crps:<maker> or fixed:<psu id>; whether that supply exists is checked once all tables are read."""
    form = cell.strip()
    if not SUPPLY_FORM.fullmatch(form) and not re.fullmatch(r"fixed:\S+", form):
        raise QuantityError("choice", expected="atx, crps:<maker>, fixed:<psu id>")
    return form


def supply_form_cell(cell: str, decimal: str | None = None) -> str:
    """atx or crps:<maker>: a server module fits the cases of its maker only."""
    form = cell.strip()
    if not SUPPLY_FORM.fullmatch(form):
        raise QuantityError("choice", expected="atx, crps:<maker>")
    return form


# --- ranges ---


@dataclass(frozen=True)
class Range:
    """low <= value <= high; an open lower end leaves out the bound itself."""

    low: float | None = 0.0
    high: float | None = None
    low_open: bool = False


@dataclass(frozen=True)
class Words:
    """One of these words."""

    choices: tuple[str, ...]


def above_zero(high: float | None = None) -> Range:
    return Range(0.0, high, low_open=True)


def between(low: float, high: float) -> Range:
    return Range(low, high)


NOT_NEGATIVE = Range()
CURRENCY = Words(CURRENCIES)
REGION = Words(PLACES)
LANES = between(1, 16)

PARSERS: dict[Any, tables.Parser] = {
    str: tables.text_cell,
    float: tables.number_cell,
    int: tables.whole_cell,
    bool: tables.bool_cell,
    date: tables.date_cell,
    dict[int, int]: lanes_cell,
    tuple[str, ...]: segments_cell,
}


@dataclass(frozen=True)
class Shape:
    """Exceptions to what the record's types say: limits by field, text fields that may be empty, parsers."""

    limits: dict[str, Range | Words] = field(default_factory=dict)
    blank: tuple[str, ...] = ()
    parsers: dict[str, tables.Parser] = field(default_factory=dict)
    kind_needed: bool = True


def columns_of(record: type, shape: Shape) -> tuple[Column, ...]:
    """The columns of a record: its fields but `origin`, then source, as_of and kind."""
    hints = typing.get_type_hints(record)
    columns = []
    for item in dataclasses.fields(record):
        if item.name == "origin":
            continue
        kind, optional = _bare(hints[item.name])
        has_default = item.default is not dataclasses.MISSING
        default = item.default if has_default else "" if kind is str else None
        needed = not (optional or has_default or item.name in shape.blank)
        columns.append(
            _column(
                item.name, shape.parsers.get(item.name, PARSERS[kind]), needed, default, shape.limits.get(item.name)
            )
        )
    names = {column.name for column in columns}
    if "source" not in names:
        columns.append(Column("source", tables.text_cell))
    if "as_of" not in names:
        columns.append(Column("as_of", tables.date_cell, required=False))
    columns.append(Column("kind", tables.text_cell, required=shape.kind_needed, choices=FIGURE_KINDS, default=""))
    return tuple(columns)


def _bare(hint: Any) -> tuple[Any, bool]:
    """The type without None, and whether None was in it."""
    if typing.get_origin(hint) in (typing.Union, UnionType):
        kinds = [kind for kind in typing.get_args(hint) if kind is not type(None)]
        return kinds[0], True
    return hint, False


def _column(name: str, parser: tables.Parser, needed: bool, default: Any, limit: Range | Words | None) -> Column:
    blank_code = "zero_price" if parser is amount_cell else "cell_empty"
    if isinstance(limit, Words):
        return Column(name, parser, needed, choices=limit.choices, default=default)
    if isinstance(limit, Range):
        return Column(
            name, parser, needed, limit.low, limit.high, (), limit.low_open, default=default, blank_code=blank_code
        )
    return Column(name, parser, needed, default=default, blank_code=blank_code)


# --- the tables ---

CARD = Shape(
    limits={
        "segment": Words(records.SEGMENTS), "cooling": Words(records.COOLINGS), "ecc": Words(records.ECC_KINDS),
        "power_connector": Words(records.CONNECTORS), "compute_capability": between(1, 20),
        "memory_gib": above_zero(1024), "usable_mib": above_zero(1024 * 1024), "bandwidth_gb_s": above_zero(50_000),
        "fp32_tflops": above_zero(2_000), "tensor_fp16_tflops": above_zero(20_000),
        "tensor_tf32_tflops": above_zero(20_000), "tdp_w": between(10, 3_000), "idle_w": between(0, 1_000),
        "slot_width": between(1, 4), "length_mm": between(50, 600), "power_connectors": between(0, 4),
        "pcie_gen": between(1, 7), "pcie_lanes": LANES, "nvlink_gb_s": above_zero(5_000),
        "nvlink_max_cards": between(0, 576), "resnet50_fp32_img_s": above_zero(), "bert_large_fp32_seq_s": above_zero(),
        "warranty_years": between(0, 15),
    },
    blank=("notes",),
)  # fmt: skip
CHASSIS = Shape(
    limits={
        "form": Words(("tower", "workstation", "rack")), "segment": Words(SEGMENTS),
        "slots": between(1, 40), "max_cards_1slot": between(0, 20), "max_cards_2slot": between(0, 20),
        "max_cards_3slot": between(0, 20), "pcie_gen": between(1, 7), "airflow": Words(("open", "ducted", "server")),
        "max_card_length_mm": between(50, 600), "psu_bays": between(1, 8), "host_idle_w": between(1, 2_000),
        "host_load_w": between(1, 5_000), "cpu_cores": between(1, 1_024), "ram_gib": above_zero(16_384),
        "noise_dba": between(10, 120), "rack_units": between(1, 48), "stacked_open_air_max": between(0, 20),
    },
    blank=("name_zh",),
    parsers={"psu_form": psu_form_cell},
)  # fmt: skip
PSU = Shape(
    limits={
        "watts_high_line": between(100, 10_000), "watts_low_line": between(0, 10_000),
        "efficiency_20": between(0.5, 1), "efficiency_50": between(0.5, 1), "efficiency_100": between(0.5, 1),
        "pcie8_connectors": between(0, 40), "v12_2x6_connectors": between(0, 20), "eps8_connectors": between(0, 20),
    },
    parsers={"form": supply_form_cell},
)  # fmt: skip
STORAGE = Shape(
    limits={
        "tier": Words(("nvme", "sata", "nas_10g", "nas_1g")), "read_mb_s": above_zero(100_000),
        "capacity_tb": above_zero(10_000), "watts": between(0, 2_000),
    },
    blank=("name_zh",),
)  # fmt: skip
LINK = Shape(
    limits={
        "pcie_gen": between(1, 7), "cards": between(2, 1_024), "bus_bandwidth_gb_s": above_zero(2_000),
        "low_gb_s": above_zero(2_000), "high_gb_s": above_zero(2_000), "alpha_us": between(0, 1e6),
    },
)  # fmt: skip
SYSTEM = Shape(
    limits={
        "cards": between(1, 20), "psu_count": between(1, 8), "ram_gib": above_zero(16_384),
        "warranty_years": between(0, 15), "delivery_weeks": between(0, 200),
    },
    blank=("name_zh", "vendor", "quote_number"),
)  # fmt: skip
PRICE = Shape(
    limits={"currency": CURRENCY, "price_kind": Words(records.PRICE_KINDS), "region": REGION},
    blank=("vendor", "region"), parsers={"amount": amount_cell}, kind_needed=False,
)  # fmt: skip
FX = Shape(limits={"base": CURRENCY, "quote": CURRENCY, "rate": above_zero()}, kind_needed=False)
AVAILABILITY = Shape(
    limits={"region": Words(REGIONS), "status": Words(records.STATUSES)}, blank=("note",), kind_needed=False
)
POWER = Shape(
    limits={"category": Words(("tariff", "pue", "grid_factor", "circuit")), "region": REGION, "value": above_zero(),
            "low": NOT_NEGATIVE, "high": NOT_NEGATIVE, "volts": between(90, 480)},
    blank=("name_zh", "region"),
)  # fmt: skip
STAFF = Shape(
    limits={"category": Words(("hours", "wage", "failure", "maintenance", "warranty")), "region": REGION,
            "value": NOT_NEGATIVE, "low": NOT_NEGATIVE, "high": NOT_NEGATIVE},
    blank=("name_zh", "region"),
)  # fmt: skip
RENTAL = Shape(
    limits={"category": Words(("campus", "cloud")), "region": REGION, "currency": CURRENCY},
    blank=("name_zh", "card_id", "region", "tier"), parsers={"price_per_card_hour": amount_cell},
)  # fmt: skip
NETWORK = Shape(
    limits={
        "family": Words(("patch_cnn", "patch_transformer", "tile_segmentation", "foundation", "other")),
        "params": above_zero(1e13), "forward_gflop_per_sample": above_zero(1e9),
        "saved_mib_per_sample": above_zero(1e7), "largest_saved_mib_per_sample": above_zero(1e7),
        "moved_mib_per_sample": above_zero(1e8), "launches_per_step": above_zero(1e7),
        "parameter_tensors": between(1, 1e6), "input_mib_per_sample": above_zero(1e6),
        "default_batch": between(1, 1e6), "default_precision": Words(PRECISIONS),
        "batchnorm_min_batch": between(0, 1e5), "loader_ms_per_sample": between(0, 1e6),
    },
    blank=("name_zh", "dataset_id"),
)  # fmt: skip
DATASET = Shape(
    limits={"height": between(1, 1e6), "width": between(1, 1e6), "bands": between(1, 10_000),
            "labelled_pixels": between(1, 1e12), "classes": between(2, 10_000), "train_share": above_zero(1)},
    blank=("name_zh",),
)  # fmt: skip
ADDITION = Shape(
    limits={"category": Words(records.ADDITIONS), "gib": above_zero(16_384), "watts": between(0, 1_000)},
    blank=("name_zh", "link_id"),
)
CALIBRATION = Shape(
    limits={
        "precision": Words(PRECISIONS), "params": above_zero(1e13), "batch_from": between(1, 1e6),
        "batch_to": between(1, 1e6), "c0_ms": between(0, 1e6), "c0_low_ms": between(0, 1e6),
        "c0_high_ms": between(0, 1e6), "ms_per_sample": above_zero(1e6), "ms_per_sample_low": between(0, 1e6),
        "ms_per_sample_high": above_zero(1e6), "step_cv": between(0, 1), "step_cv_low": between(0, 1),
        "step_cv_high": NOT_NEGATIVE, "overlap": between(0, 1), "overlap_low": between(0, 1),
        "overlap_high": NOT_NEGATIVE, "overhead_ms_per_tensor": between(0, 1_000),
        "overhead_low_ms": between(0, 1_000), "overhead_high_ms": between(0, 1_000),
        "loader_ms_per_sample": between(0, 1e6),
    },
)  # fmt: skip
PRESET = Shape(
    limits={"category": Words(("network", "family", "tile", "dataset", "inference")),
            "params_billion": above_zero(100_000), "bytes_per_param": above_zero(16), "extra_gib": between(0, 10_000)},
    blank=("name", "name_zh"),
)  # fmt: skip
SENSOR = Shape(
    limits={"height": between(1, 1e6), "width": between(1, 1e6), "bands": between(1, 10_000)},
    blank=("name_zh", "aliases"),
)
PROCUREMENT = Shape(
    limits={"basis": Words(("net", "gross")), "from_amount": NOT_NEGATIVE, "to_amount": above_zero(),
            "currency": CURRENCY, "quotes_min": between(0, 20), "quote_max_age_days": between(1, 1_000),
            "experts": between(0, 50), "external_experts": between(0, 50), "publicity_days": between(0, 365),
            "lead_days": between(0, 1_000), "asset_class": Words(records.ASSET_CLASSES)},
    blank=("name_zh", "method_zh"),
)  # fmt: skip


def _id(row: Any) -> Hashable:
    return row.id


def _spec(
    file: str,
    attribute: str,
    record: type,
    shape: Shape,
    key: Callable[[Any], Hashable] = _id,
    override_key: Callable[[Any], Hashable] | None = None,
    needed: bool = False,
) -> TableSpec:
    columns = columns_of(record, shape)
    return TableSpec(file, attribute, record, columns, key, override_key or key, key is _id, needed)


SPECS: tuple[TableSpec, ...] = (
    _spec("cards.csv", "cards", records.Card, CARD, needed=True),
    _spec("chassis.csv", "chassis", records.Chassis, CHASSIS, needed=True),
    _spec("psus.csv", "psus", records.Psu, PSU, needed=True),
    _spec("storage.csv", "storage", records.Storage, STORAGE, needed=True),
    _spec("systems.csv", "systems", records.System, SYSTEM),
    _spec("workloads.csv", "networks", records.Network, NETWORK),
    _spec("datasets.csv", "datasets", records.Dataset, DATASET),
    _spec("presets.csv", "presets", records.Preset, PRESET),
    _spec("sensors.csv", "sensors", records.Sensor, SENSOR),
    _spec("power.csv", "power", records.PowerFigure, POWER),
    _spec("staffing.csv", "staffing", records.StaffFigure, STAFF),
    _spec("rentals.csv", "rentals", records.Rental, RENTAL),
    # bands of one profile share its id; a later layer that names the profile replaces all its bands
    _spec("procurement.csv", "procurement", records.ProcurementProfile, PROCUREMENT,
          lambda r: (r.id, r.from_amount, r.asset_class), _id),
    _spec("links.csv", "links", records.Link, LINK, lambda r: (r.id, r.pcie_gen, r.cards), needed=True),
    _spec("prices.csv", "prices", records.Price, PRICE,
          lambda r: (r.item_id, r.region, r.price_kind, r.vendor, r.as_of), needed=True),
    # of one item and region, what a later layer says counts, whatever its date
    _spec("availability.csv", "availability", records.Availability, AVAILABILITY,
          lambda r: (r.item_id, r.region, r.as_of), lambda r: (r.item_id, r.region)),
    _spec("upgrades.csv", "upgrades", records.Addition, ADDITION),
    _spec("calibration.csv", "calibrations", CalibrationRow, CALIBRATION),
    _spec("fx.csv", "fx", records.FxRate, FX, lambda r: (r.base, r.quote, r.as_of), needed=True),
)  # fmt: skip
