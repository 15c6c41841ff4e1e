"""Typed records of the catalog: a frozen dataclass per table, units in the field names; `None` is unknown, never 0."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

from hwcost.calibration import CalibrationRow
from hwcost.origin import Origin

SEGMENTS = ("consumer", "workstation", "datacentre", "domestic")
COOLINGS = ("blower", "open_air", "passive")
ECC_KINDS = ("none", "inline", "native")  # inline ECC on GDDR takes 1/16 of memory and some bandwidth
CONNECTORS = ("none", "pcie6", "pcie8", "eps8", "v12_2x6")
FIGURE_KINDS = ("measured", "specification", "estimate")
PRICE_KINDS = ("quote", "list", "street", "used", "estimate")  # in order of trust
STATUSES = ("on_sale", "remnant", "discontinued", "not_exportable", "used", "modified", "to_check")
REGIONS = ("CN", "US", "EU")
ADDITIONS = ("ram", "network", "cable")  # what `upgrades.csv` holds
ASSET_CLASSES = ("server", "workstation", "desktop", "part")  # as asset offices sort computers


@dataclass(frozen=True)
class Card:
    """One graphics card or accelerator (`cards.csv`). Tensor rates are dense, 16-bit in, fp32 accumulate."""

    id: str
    name: str
    vendor: str
    segment: str
    architecture: str
    compute_capability: float | None
    memory_gib: float
    usable_mib: float | None
    memory_type: str
    ecc: str | None
    bandwidth_gb_s: float
    fp32_tflops: float
    tensor_fp16_tflops: float | None
    tensor_tf32_tflops: float | None  # None where the card has no TF32
    bf16: bool | None
    tdp_w: float
    idle_w: float
    slot_width: int
    length_mm: float | None
    cooling: str
    power_connector: str
    power_connectors: int
    pcie_gen: int
    pcie_lanes: int
    nvlink_gb_s: float | None  # both directions together, as data sheets print it; None: no bridge
    nvlink_max_cards: int  # cards one bridge joins; 0: none
    p2p: bool | None  # PCIe peer-to-peer with the stock driver
    datacentre_licensed: bool | None
    pytorch_current: bool | None  # served by the default wheels of current PyTorch
    resnet50_fp32_img_s: float | None
    bert_large_fp32_seq_s: float | None
    warranty_years: float | None
    notes: str
    origin: Origin


@dataclass(frozen=True)
class Chassis:
    """A host without cards and PSU: case, board, CPU, RAM (`chassis.csv`). Its price includes CPU and RAM."""

    id: str
    name: str
    name_zh: str
    form: str  # tower | workstation | rack
    segment: str  # consumer | workstation | server
    slots: int  # pitches of one slot that cards may cover together
    max_cards_1slot: int
    max_cards_2slot: int
    max_cards_3slot: int
    pcie_gen: int
    lanes_by_cards: dict[int, int]  # lanes of the worst slot when that many cards are fitted: {1: 16, 2: 8}
    airflow: str  # open | ducted | server
    passive_ok: bool
    max_card_length_mm: float | None
    psu_form: str  # atx | crps:<maker> | fixed:<psu id>
    psu_bays: int
    redundant: bool  # N+1: one supply is counted out
    host_idle_w: float
    host_load_w: float
    cpu_cores: int
    ram_gib: float
    noise_dba: float | None
    rack_units: int | None
    origin: Origin
    stacked_open_air_max: int = 1  # open-air cards that may sit side by side without throttling


@dataclass(frozen=True)
class Psu:
    """A power supply (`psus.csv`). Efficiencies are shares at 20, 50 and 100 % load."""

    id: str
    name: str
    form: str  # atx | crps:<maker>
    watts_high_line: float  # at 200-240 V
    watts_low_line: float  # at 100-127 V; 0: will not run there
    efficiency_20: float
    efficiency_50: float
    efficiency_100: float
    pcie8_connectors: int | None  # None: fed by the chassis' board, not counted
    v12_2x6_connectors: int | None
    eps8_connectors: int | None  # usable for cards, the CPU's own already taken off
    origin: Origin


@dataclass(frozen=True)
class Storage:
    """A storage tier as one purchasable unit (`storage.csv`)."""

    id: str
    name: str
    name_zh: str
    tier: str  # nvme | sata | nas_10g | nas_1g
    read_mb_s: float
    capacity_tb: float
    local: bool
    watts: float
    origin: Origin


@dataclass(frozen=True)
class Link:
    """Bus bandwidth and latency of an all-reduce by link class, PCIe generation and card count (`links.csv`)."""

    id: str
    pcie_gen: int | None
    cards: int
    bus_bandwidth_gb_s: float
    low_gb_s: float | None
    high_gb_s: float | None
    alpha_us: float  # fixed time of one all-reduce over these cards
    origin: Origin


@dataclass(frozen=True)
class System:
    """A quoted whole machine (`systems.csv`). Its price is the `prices.csv` row of the same id."""

    id: str
    name: str
    name_zh: str
    vendor: str
    quote_number: str
    card_id: str
    cards: int
    chassis_id: str
    psu_id: str
    psu_count: int
    storage_id: str
    ram_gib: float
    warranty_years: float
    delivery_weeks: float
    example: bool  # marked as an example: never chosen unless the scenario asks for it
    origin: Origin


@dataclass(frozen=True)
class Price:
    """One price row (`prices.csv`); `price_kind` orders the trust, `as_of` the age."""

    item_id: str
    amount: float
    currency: str
    tax_included: bool
    price_kind: str
    vendor: str
    region: str
    as_of: date
    valid_until: date | None
    source: str
    origin: Origin


@dataclass(frozen=True)
class FxRate:
    """One dated exchange rate (`fx.csv`): 1 `base` = `rate` `quote`."""

    base: str
    quote: str
    rate: float
    as_of: date
    source: str
    origin: Origin


@dataclass(frozen=True)
class Availability:
    """Whether an item can be bought in a region (`availability.csv`)."""

    item_id: str
    region: str
    status: str
    as_of: date
    source: str
    note: str
    origin: Origin


@dataclass(frozen=True)
class PowerFigure:
    """A tariff, PUE, grid factor or circuit (`power.csv`)."""

    id: str
    category: str  # tariff | pue | grid_factor | circuit
    region: str
    name: str
    name_zh: str
    value: float
    low: float | None
    high: float | None
    unit: str  # e.g. CNY/kWh, ratio, kgCO2/kWh, A@220V
    volts: float | None
    origin: Origin


@dataclass(frozen=True)
class StaffFigure:
    """Upkeep hours, wages, failure and maintenance rates (`staffing.csv`)."""

    id: str
    category: str  # hours | wage | failure | maintenance | warranty
    region: str
    name: str
    name_zh: str
    value: float
    low: float | None
    high: float | None
    unit: str
    origin: Origin


@dataclass(frozen=True)
class Rental:
    """An hourly rate of a cloud or campus card (`rentals.csv`)."""

    id: str
    provider: str
    name_zh: str
    category: str  # campus | cloud
    card_id: str
    region: str
    price_per_card_hour: float
    currency: str
    tax_included: bool
    tier: str
    origin: Origin


@dataclass(frozen=True)
class Dataset:
    """A public hyperspectral scene (`datasets.csv`)."""

    id: str
    name: str
    name_zh: str
    height: int
    width: int
    bands: int
    labelled_pixels: int | None
    classes: int | None
    train_share: float | None
    origin: Origin


@dataclass(frozen=True)
class Network:
    """A workload row of the catalog (`workloads.csv`): what one training sample costs, per sample at fp32."""

    id: str
    name: str
    name_zh: str
    family: str  # patch_cnn | patch_transformer | tile_segmentation | foundation | other
    input_shape: str
    dataset_id: str
    params: float
    forward_gflop_per_sample: float
    saved_mib_per_sample: float  # saved for backward
    largest_saved_mib_per_sample: float
    moved_mib_per_sample: float | None  # bytes moved through memory in one training step; None: estimated from saved
    launches_per_step: float
    parameter_tensors: int
    input_mib_per_sample: float  # as read from storage
    default_batch: int
    default_precision: str
    batchnorm: bool
    batchnorm_min_batch: int  # 0: no rule
    loader_ms_per_sample: float
    origin: Origin


@dataclass(frozen=True)
class Addition:
    """A part that is added to a machine (`upgrades.csv`): memory, a network adapter, a cable between two machines."""

    id: str
    name: str
    name_zh: str
    category: str  # ram | network | cable
    segments: tuple[str, ...]  # kinds of case that take it: consumer | workstation | server
    gib: float | None  # of memory that it adds; None: not memory
    link_id: str  # class of link between machines (`links.csv`); empty: memory
    watts: float  # at the supply, idle and loaded alike
    origin: Origin


@dataclass(frozen=True)
class Preset:
    """Words by which people name something they train or run (`presets.csv`), and the size of inference-only rows."""

    id: str  # of a network, a family of networks, a network on tiles or a data set; of its own for inference
    category: str  # network | family | tile | dataset | inference
    name: str  # empty where the row that it names has one
    name_zh: str
    aliases: str  # in any language, separated by semicolons
    params_billion: float | None  # inference: parameters, bytes of each as stored, and what comes on top of them
    bytes_per_param: float | None
    extra_gib: float | None
    origin: Origin


@dataclass(frozen=True)
class Sensor:
    """A hyperspectral sensor and the size of one scene (`sensors.csv`)."""

    id: str
    name: str
    name_zh: str
    aliases: str  # separated by semicolons
    height: int
    width: int
    bands: int
    origin: Origin


@dataclass(frozen=True)
class ProcurementProfile:
    """One row of the purchasing rules (`procurement.csv`)."""

    id: str
    country: str
    name: str
    name_zh: str
    basis: str  # net | gross
    from_amount: float
    to_amount: float | None
    currency: str
    method: str
    method_zh: str
    quotes_min: int | None
    quote_max_age_days: int | None
    origin: Origin
    asset_class: str = ""  # server | workstation | desktop | part: the row is for that class alone; empty: for all
    form: str = ""  # what has to be filled in
    form_zh: str = ""
    experts: int | None = None  # at least so many, the external ones among them
    external_experts: int | None = None
    publicity_days: int | None = None
    approvals: str = ""
    approvals_zh: str = ""
    lead_days: int | None = None  # of the procedure, publicity not counted


@dataclass(frozen=True)
class Catalog:
    """All tables, joined by id. `prices`, `availability` and `links` keep every row; the rest are by id."""

    cards: dict[str, Card] = field(default_factory=dict)
    chassis: dict[str, Chassis] = field(default_factory=dict)
    psus: dict[str, Psu] = field(default_factory=dict)
    storage: dict[str, Storage] = field(default_factory=dict)
    systems: dict[str, System] = field(default_factory=dict)
    networks: dict[str, Network] = field(default_factory=dict)
    datasets: dict[str, Dataset] = field(default_factory=dict)
    power: dict[str, PowerFigure] = field(default_factory=dict)
    staffing: dict[str, StaffFigure] = field(default_factory=dict)
    rentals: dict[str, Rental] = field(default_factory=dict)
    procurement: tuple[ProcurementProfile, ...] = ()
    links: tuple[Link, ...] = ()
    prices: tuple[Price, ...] = ()
    availability: tuple[Availability, ...] = ()
    fx: tuple[FxRate, ...] = ()
    presets: dict[str, Preset] = field(default_factory=dict)
    sensors: dict[str, Sensor] = field(default_factory=dict)
    sha256: str = ""  # over the parsed rows sorted by id, so that row order does not change it
    upgrades: dict[str, Addition] = field(default_factory=dict)
    calibrations: dict[str, CalibrationRow] = field(default_factory=dict)
