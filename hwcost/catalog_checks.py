"""What must hold between the figures of a record and between the tables, once all layers are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from hwcost.calibration import PARAMS_TOLERANCE, PROCESSOR, CalibrationRow
from hwcost.catalog_specs import SPECS
from hwcost.errors import Problem
from hwcost.pricing import newest_rate
from hwcost.problems import nearest_match
from hwcost.quantities import CURRENCIES
from hwcost.records import Addition, Card, Catalog, Dataset, Link, PowerFigure, StaffFigure

RATING_TOLERANCE = 0.01  # data sheets round: 35.6 and 35.58 TFLOPS are the same rate
# training: 3 x forward; ResNet-50 at 224 x 224 has 4.09 GMAC forward (He et al. 2016), 1 MAC = 2 FLOP
RESNET50_TRAINING_GFLOP = 3 * 2 * 4.09
TARIFF_USD = (0.01, 2.0)  # per kWh
PUE = (1.0, 3.0)
GRID_FACTOR_MOST = 2.0  # kg CO2 per kWh: lignite with losses stays below 1.5


def check_catalog(catalog: Catalog) -> list[Problem]:
    """Every broken rule, in the order of the tables."""
    return [
        *(p for card in catalog.cards.values() for p in check_card(card)),
        *(
            p
            for link in catalog.links
            for p in check_band(link, link.low_gb_s, link.bus_bandwidth_gb_s, link.high_gb_s)
        ),
        *(p for row in catalog.power.values() for p in check_power(row, catalog)),
        *(p for row in catalog.staffing.values() for p in check_staff(row)),
        *(p for row in catalog.datasets.values() for p in check_dataset(row)),
        *(p for row in catalog.upgrades.values() for p in check_addition(row)),
        *(p for row in catalog.calibrations.values() for p in check_calibration(row, catalog)),
        *check_money(catalog),
        *check_joins(catalog),
    ]


def _problem(code: str, record: Any, column: str, value: object, **values: Any) -> Problem:
    return Problem(code, record.origin.file, "", record.origin.row, column, _figure(value), values)


def _figure(value: object) -> str:
    return f"{value:.10g}" if isinstance(value, float) else str(value)


# --- within a record ---


def check_card(card: Card) -> Iterator[Problem]:
    """Tensor rates are not below FP32, no measurement is above the roof, usable memory is not above the memory."""
    for column in ("tensor_fp16_tflops", "tensor_tf32_tflops"):
        rate = getattr(card, column)
        if rate is not None and rate < card.fp32_tflops * (1.0 - RATING_TOLERANCE):
            yield _problem("tensor_below_fp32", card, column, rate, fp32=_figure(card.fp32_tflops))
    if card.resnet50_fp32_img_s is not None:
        need = card.resnet50_fp32_img_s * RESNET50_TRAINING_GFLOP / 1000.0
        roof = max(card.fp32_tflops, card.tensor_tf32_tflops or 0.0)
        if need > roof:
            figures = {"need": f"{need:.1f}", "roof": _figure(roof)}
            yield _problem("above_roof", card, "resnet50_fp32_img_s", card.resnet50_fp32_img_s, **figures)
    if card.usable_mib is not None and card.usable_mib > card.memory_gib * 1024.0:
        most = _figure(card.memory_gib * 1024.0)
        yield _problem("usable_above_memory", card, "usable_mib", card.usable_mib, most=most)
    if card.idle_w >= card.tdp_w:
        yield _problem("idle_above_tdp", card, "idle_w", card.idle_w, most=_figure(card.tdp_w))


def check_band(record: Link | PowerFigure | StaffFigure, low: float | None, value: float, high: float | None
               ) -> Iterator[Problem]:  # fmt: skip
    """low <= value <= high, as far as they are known."""
    known = [x for x in (low, value, high) if x is not None]
    if known != sorted(known):
        ends = {"low": "-" if low is None else _figure(low), "high": "-" if high is None else _figure(high)}
        column = "bus_bandwidth_gb_s" if isinstance(record, Link) else "value"
        yield _problem("band", record, column, value, **ends)


def check_power(row: PowerFigure, catalog: Catalog) -> Iterator[Problem]:
    """Physical ranges by category; a tariff is compared in US dollars."""
    yield from check_band(row, row.low, row.value, row.high)
    if row.category == "tariff":
        currency, _, per = row.unit.partition("/")
        if currency not in CURRENCIES or per != "kWh":
            yield _problem("unit", row, "unit", row.unit, expected="CNY/kWh")
            return
        rate = newest_rate(catalog.fx, currency, "USD", None)
        if rate is not None and not TARIFF_USD[0] <= row.value * rate.rate <= TARIFF_USD[1]:
            usd = f"{row.value * rate.rate:.4g}"
            yield _problem("tariff_usd", row, "value", row.value, unit=row.unit, usd=usd)
    elif row.category == "pue" and not PUE[0] <= row.value <= PUE[1]:
        yield _problem("range", row, "value", row.value, low=_figure(PUE[0]), high=_figure(PUE[1]))
    elif row.category == "grid_factor" and row.value > GRID_FACTOR_MOST:
        yield _problem("range", row, "value", row.value, low="0", high=_figure(GRID_FACTOR_MOST))
    elif row.category == "circuit" and row.volts is None:
        yield _problem("cell_empty", row, "volts", "")


def check_staff(row: StaffFigure) -> Iterator[Problem]:
    """A failure or maintenance rate is a share of a year's stock: 0 <= rate < 1."""
    yield from check_band(row, row.low, row.value, row.high)
    if row.category in ("failure", "maintenance"):
        limit = 100.0 if row.unit.startswith("%") else 1.0
        if row.value >= limit:
            yield _problem("range_below", row, "value", row.value, low="0", high=_figure(limit))
    elif row.category == "wage" and row.unit.partition("/")[0] not in CURRENCIES:
        yield _problem("unit", row, "unit", row.unit, expected="CNY/h")


def check_dataset(row: Dataset) -> Iterator[Problem]:
    """A scene has not more labelled pixels than pixels."""
    if row.labelled_pixels is not None and row.labelled_pixels > row.height * row.width:
        yield _problem("labelled_above_scene", row, "labelled_pixels", row.labelled_pixels, most=row.height * row.width)


def check_addition(row: Addition) -> Iterator[Problem]:
    """Memory states how much it adds; an adapter or a cable states the class of its link."""
    if row.category == "ram":
        if row.gib is None:
            yield _problem("cell_empty", row, "gib", "")
    elif not row.link_id:
        yield _problem("cell_empty", row, "link_id", "")


def check_calibration(row: CalibrationRow, catalog: Catalog) -> Iterator[Problem]:
    """A row is measured, its batches and intervals rise, and it is of the network that it names."""
    if row.origin.kind != "measured":
        yield _problem("choice", row, "kind", row.origin.kind, expected="measured")
    if row.batch_to < row.batch_from:
        yield _problem("range_low", row, "batch_to", row.batch_to, low=_figure(row.batch_from))
    for column, low, value, high in row.bands:
        known = [x for x in (low, value, high) if x is not None]
        if known != sorted(known):
            ends = {"low": "-" if low is None else _figure(low), "high": "-" if high is None else _figure(high)}
            yield _problem("band", row, column, "-" if value is None else value, **ends)
    network = catalog.networks.get(row.workload_id)
    if network is not None and abs(row.params / network.params - 1.0) > PARAMS_TOLERANCE:
        named = {"network": network.id, "params": _figure(network.params)}
        yield _problem("calibration_params", row, "params", row.params, **named)


def check_money(catalog: Catalog) -> Iterator[Problem]:
    """Prices are valid from their date on, and rates join two currencies."""
    for price in catalog.prices:
        if price.valid_until is not None and price.valid_until < price.as_of:
            yield _problem("valid_before_as_of", price, "valid_until", price.valid_until, as_of=str(price.as_of))
    for rate in catalog.fx:
        if rate.base == rate.quote:
            yield _problem("same_currency", rate, "quote", rate.quote)
    for profile in catalog.procurement:
        if profile.to_amount is not None and profile.to_amount <= profile.from_amount:
            low = _figure(profile.from_amount)
            yield _problem("range_above", profile, "to_amount", profile.to_amount, low=low)


# --- between tables ---


def check_joins(catalog: Catalog) -> Iterator[Problem]:
    """Every id that a row names exists; else the nearest one is told."""
    files = {spec.attribute: spec.file for spec in SPECS}

    def missing(records: Iterable[Any], column: str, tables: Mapping[str, Iterable[str]]) -> Iterator[Problem]:
        known = {name for ids in tables.values() for name in ids}
        for record in records:
            named = getattr(record, column)
            if named and named not in known:
                near = nearest_match(named, known)
                listed = " / ".join(files[table] for table in tables)
                yield _problem("id_unknown", record, column, named, table=listed, nearest=near)

    def of(*attributes: str) -> dict[str, Iterable[str]]:
        return {name: getattr(catalog, name) for name in attributes}

    priced = of("cards", "chassis", "psus", "storage", "systems", "upgrades")
    systems = catalog.systems.values()
    yield from missing(systems, "card_id", of("cards"))
    yield from missing(systems, "chassis_id", of("chassis"))
    yield from missing(systems, "psu_id", of("psus"))
    yield from missing(systems, "storage_id", of("storage"))
    yield from missing(catalog.rentals.values(), "card_id", of("cards"))
    measured = [row for row in catalog.calibrations.values() if row.card_id != PROCESSOR]
    yield from missing(measured, "card_id", of("cards"))
    yield from missing(catalog.networks.values(), "dataset_id", of("datasets"))
    links = {"links": [row.id for row in catalog.links]}
    yield from missing(catalog.upgrades.values(), "link_id", links)
    for category, named in (("network", of("networks")), ("dataset", of("datasets"))):
        yield from missing((row for row in catalog.presets.values() if row.category == category), "id", named)
    yield from missing(catalog.prices, "item_id", priced)
    yield from missing(catalog.availability, "item_id", priced)
    for chassis in catalog.chassis.values():
        form, _, psu_id = chassis.psu_form.partition(":")
        if form == "fixed" and psu_id not in catalog.psus:
            near = nearest_match(psu_id, catalog.psus)
            yield _problem("id_unknown", chassis, "psu_form", psu_id, table=files["psus"], nearest=near)
