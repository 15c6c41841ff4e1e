"""Changes that a lab makes to its work or its site, each as another scenario with a figure before and after.

Of a change to one workload the figure is the memory of one run on one card, GiB; of the others what is counted.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from hwcost.case import Case
from hwcost.conflict import change_workload
from hwcost.layouts import Layout, layout_memory
from hwcost.memory import job_memory
from hwcost.records import Catalog
from hwcost.scenario import Scenario
from hwcost.tiles import Tile, side_multiple, tile_figures
from hwcost.workload import Workload

MIB_PER_GIB = 1024.0
FULL_PRECISION = ("fp32", "torch_default", "tf32")
MIXED = "amp16"
TILE_SHARES = (0.75, 0.5)  # of the side of a tile
MOST_SHARERS = 2
PATCH_FAMILIES = ("patch_cnn", "patch_transformer")  # small enough to share a card
SHAPE = re.compile(r"(\d+)x(\d+)x(\d+)")
SIZES = re.compile(r"base (\d+), depth (\d+)")  # in the source of a tile that the scenario describes


@dataclass(frozen=True)
class LabChange:
    """`make` turns a scenario into the changed one; `scenario` is the case's own after this change alone."""

    kind: str  # accumulation | amp | checkpointing | share | tiles | nvme | upgrades
    subject: str  # a workload or a service; empty: the whole site
    before: float
    after: float
    unit: str
    make: Callable[[Scenario], Scenario]
    scenario: Scenario


def lab_changes(case: Case) -> list[LabChange]:
    """All changes that are open to the lab, the cheap ones first."""
    found: list[LabChange] = []
    for workload in case.scenario.workloads:
        if workload.must:
            found += _of_workload(case, workload)
    return sorted([*found, *_of_site(case)], key=lambda c: (KINDS.index(c.kind), c.subject, -c.after))


KINDS = ("amp", "accumulation", "checkpointing", "share", "tiles", "nvme", "upgrades")


def _of_workload(case: Case, w: Workload) -> list[LabChange]:
    def change(kind: str, before: float, after: float, unit: str, **fields: Any) -> LabChange:
        def make(scenario: Scenario) -> Scenario:
            return change_workload(scenario, w.id, **fields)

        return LabChange(kind, w.id, before, after, unit, make, make(case.scenario))

    found = []
    whole = memory_gib(w, w.batch)
    if w.precision in FULL_PRECISION:
        found.append(change("amp", whole, memory_gib(replace(w, precision=MIXED), w.batch), "GiB", precision=MIXED))
    if not w.accumulation and w.batch > 1:
        least = max(1, w.batchnorm_min_batch)
        found.append(change("accumulation", whole, memory_gib(w, least), "GiB", accumulation=True))
    if not w.checkpointing:
        less = layout_memory(w, w.batch, Layout(checkpointing=True)).total_mib / MIB_PER_GIB
        if less < whole:
            found.append(change("checkpointing", whole, less, "GiB", checkpointing=True))
    network = case.catalog.networks.get(w.preset)
    if network is not None and network.family in PATCH_FAMILIES and w.sharers < MOST_SHARERS:
        found.append(change("share", 1.0, float(MOST_SHARERS), "person", sharers=MOST_SHARERS))
    tile = tile_of(case.catalog, w)
    for smaller in [_smaller(tile, share) for share in TILE_SHARES] if tile is not None else []:
        if tile is not None and smaller is not None:
            figures = tiled(w, tile, smaller)
            found.append(change("tiles", float(tile.height), float(smaller.height), "pixel", **figures))
    return found


def memory_gib(workload: Workload, micro_batch: int) -> float:
    """Memory of one run on one card."""
    return job_memory(workload, micro_batch).total_mib / MIB_PER_GIB


def tile_of(catalog: Catalog, workload: Workload) -> Tile | None:
    """The U-Net tile of a workload as it is now, by its preset or the source of its figures; None where it is none.

    A preset whose tiles were made smaller before still names the old ones: its input tells by how much.
    """
    network = catalog.networks.get(workload.preset)
    text = network.input_shape if network is not None and network.family == "tile_segmentation" else ""
    if not text and "U-Net" in workload.source and "3-D" not in workload.source:
        text = workload.source
    found = SHAPE.search(text)
    if found is None:
        return None
    height, width, bands = (int(x) for x in found.groups())
    width_of_network = SIZES.search(text)
    base, depth = (int(x) for x in width_of_network.groups()) if width_of_network else (Tile.base, Tile.depth)
    tile = Tile(height, width, bands, base=base, depth=depth)
    share = math.sqrt(workload.input_bytes_per_sample / tile.input_bytes)
    sides = [share * side for side in (height, width)]
    if share < 1.0 and all(abs(side - round(side)) < 1e-6 and round(side) % side_multiple(tile) == 0 for side in sides):
        return replace(tile, height=round(sides[0]), width=round(sides[1]))
    return tile


def _smaller(tile: Tile, share: float) -> Tile | None:
    step = side_multiple(tile)
    sides = [int(side * share) for side in (tile.height, tile.width)]
    if any(side % step or side < 2 * step for side in sides):
        return None
    return replace(tile, height=sides[0], width=sides[1])


def tiled(workload: Workload, tile: Tile, smaller: Tile) -> dict[str, float]:
    """Figures of the workload on smaller tiles: as many pixels in all, so as many times more samples as they shrink.

    Saved bytes, FLOP and traffic follow the pixels of a tile, as in the closed form of a U-Net; parameters stay.
    """
    old, new = tile_figures(tile), tile_figures(smaller)
    saved, flop = new.saved_bytes / old.saved_bytes, new.forward_flop / old.forward_flop
    pixels = smaller.height * smaller.width / (tile.height * tile.width)
    return {
        "saved_bytes_per_sample": workload.saved_bytes_per_sample * saved,
        "largest_saved_bytes_per_sample": workload.largest_saved_bytes_per_sample * saved,
        "moved_bytes_per_sample": workload.moved_bytes_per_sample * saved,
        "forward_flop_per_sample": workload.forward_flop_per_sample * flop,
        "input_bytes_per_sample": workload.input_bytes_per_sample * pixels,
        "loader_ms_per_sample": workload.loader_ms_per_sample * pixels,
        "steps_per_run": workload.steps_per_run / pixels,
    }


def _of_site(case: Case) -> list[LabChange]:
    scenario, found = case.scenario, []

    def change(kind: str, subject: str, before: float, after: float, unit: str, **fields: Any) -> LabChange:
        def make(given: Scenario) -> Scenario:
            return replace(given, **fields)

        return LabChange(kind, subject, before, after, unit, make, make(scenario))

    tiers = [s for s in case.catalog.storage.values() if s.tier == "nvme" and s.local]
    named = set(scenario.storage_ids)
    if named and tiers and not named & {s.id for s in tiers}:
        ids = tuple(sorted({*named, *(s.id for s in tiers)}))
        found.append(change("nvme", "", 0.0, max(s.capacity_tb for s in tiers), "TB", storage_ids=ids))
    if scenario.owned and not scenario.upgrades:
        found.append(change("upgrades", "", 0.0, 1.0, "", upgrades=True))
    return found
