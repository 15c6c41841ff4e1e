"""Smaller tiles for a job, as figures of the scenario's document: those that the repair was priced with.

A job that describes its tile gets a smaller one; a job by a row of the catalog, or with figures of its own, gets the
figures that follow. Where neither is the job that was priced (a timed run is of the old tiles), there are none.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from hwcost.errors import InputError
from hwcost.lab_changes import tile_of, tiled
from hwcost.records import Catalog
from hwcost.scenario import Scenario
from hwcost.scenario_io import scenario_from_dict
from hwcost.scenario_workloads import GB, GFLOP, MIB
from hwcost.web.documents import Document, get, put
from hwcost.workload import Workload

# field of a workload: key of the file and its unit
FIGURES = {
    "saved_bytes_per_sample": ("saved_mib_per_sample", MIB),
    "largest_saved_bytes_per_sample": ("largest_saved_mib_per_sample", MIB),
    "moved_bytes_per_sample": ("moved_mib_per_sample", MIB),
    "forward_flop_per_sample": ("forward_gflop_per_sample", GFLOP),
    "input_bytes_per_sample": ("input_mib_per_sample", MIB),
    "loader_ms_per_sample": ("loader_ms_per_sample", 1.0),
}
SAME = 1e-9  # share by which figures may differ after a change of units
LEFT_OUT = ("source", "kind", "name", "name_zh")  # words about the figures


def changes(job: str, side: int, scenario: Scenario, document: Document, catalog: Catalog) -> dict[str, Any]:
    """The keys of the document for tiles of `side` pixels in height; {} where they would not be the job priced."""
    n, workload = next(((n, w) for n, w in enumerate(scenario.workloads, 1) if w.id == job), (0, None))
    tile = tile_of(catalog, workload) if workload is not None else None
    if workload is None or tile is None:
        return {}
    smaller = replace(tile, height=side, width=round(tile.width * side / tile.height))
    figures: dict[str, Any] = tiled(workload, tile, smaller)
    wanted = replace(workload, **figures)
    row = get(document, f"workload[{n}]", {})
    length = _length(row, workload, wanted, tile.height * tile.width / (smaller.height * smaller.width))
    by_tile = {"tile.height": smaller.height, "tile.width": smaller.width, "dataset_gb": workload.dataset_bytes / GB}
    by_figure = {key: figures[field] / unit for field, (key, unit) in FIGURES.items()}
    by_figure["dataset_gb"] = workload.dataset_bytes / GB
    for fields in ([by_tile] if "tile" in row else []) + [by_figure]:
        found = {f"workload[{n}].{key}": value for key, value in {**fields, **length}.items()}
        if _alike(_made(found, scenario, document, catalog, n), wanted):
            return found
    return {}


def _length(row: dict[str, Any], now: Workload, wanted: Workload, times: float) -> dict[str, Any]:
    """As many pixels in all: so many times more tiles of an epoch where that comes out even, else steps of a run."""
    tiles, epochs = row.get("train_samples"), row.get("epochs")
    if tiles is not None and epochs is not None:
        more = math.ceil(round(tiles * times, 6))
        if math.ceil(more / now.batch) * epochs == wanted.steps_per_run:
            return {"train_samples": more}
    return {"steps_per_run": wanted.steps_per_run, "epochs": None}


def _made(
    fields: dict[str, Any], scenario: Scenario, document: Document, catalog: Catalog, n: int
) -> Workload | None:  # fmt: skip
    try:
        return scenario_from_dict(put(document, fields), catalog, scenario.id).workloads[n - 1]
    except InputError:
        return None


def _alike(made: Workload | None, wanted: Workload) -> bool:
    """Every figure agrees but for rounding."""
    if made is None:
        return False
    for name, value in vars(wanted).items():
        other = getattr(made, name)
        if name in LEFT_OUT:
            continue
        if isinstance(value, float) and isinstance(other, float | int):
            if not math.isclose(value, other, rel_tol=SAME):
                return False
        elif value != other:
            return False
    return True
