"""The largest square tile of which a card trains one at a time: the memory of a U-Net grows with the tile's area."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from hwcost.memory import job_memory, limit_mib
from hwcost.records import Card, Catalog
from hwcost.workload import Workload

MULTIPLE = 16  # sides of a U-Net of four levels
MOST = 16_384  # pixels of a side; beyond it a tile is larger than a scene
UNET, MODEL = "unet", "model"


def areas(document: Mapping[str, Any], catalog: Catalog) -> dict[str, int]:
    """Pixels of one tile of each job that is a U-Net on tiles, by workload."""
    found = {}
    for table in document.get("workload", []):
        tile, preset = table.get("tile"), str(table.get("preset", ""))
        if isinstance(tile, Mapping) and tile.get(MODEL, UNET) == UNET:
            found[str(table.get("id"))] = int(tile["height"]) * int(tile["width"])
        elif preset.startswith(f"{UNET}-") and preset in catalog.networks:
            sides = re.findall(r"\d+", catalog.networks[preset].input_shape)
            found[str(table.get("id"))] = int(sides[0]) * int(sides[1])
    return found


def largest_side(workload: Workload, area: int, card: Card, margin: float) -> int:
    """Pixels of a side at the smallest batch that the job allows, 0 where not even the smallest tile fits.

    Every saved map of the network is a share of the tile's area, so a tile of `side`^2 pixels costs what
    side^2 / `area` samples cost. The smallest batch is 1, or what batch normalisation needs, or the whole one where
    gradients may not be accumulated.
    """
    least = max(1, workload.batchnorm_min_batch) if workload.accumulation else workload.batch
    limit = limit_mib(card, margin, workload.ecc_required)
    best = 0
    for side in range(MULTIPLE, MOST + 1, MULTIPLE):
        if job_memory(workload, least * side * side / area).total_mib > limit:
            break
        best = side
    return best
