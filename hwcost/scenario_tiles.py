"""The `tile` of a scenario's workload: `{height = 512, width = 512, bands = 200}`, read strictly, as `tiles.Tile`."""

from __future__ import annotations

from collections.abc import Mapping

from hwcost.strict import Limit, Table
from hwcost.tiles import DEFAULT_BASE, DEFAULT_DEPTH, MODELS, Tile, side_multiple

SIDE = Limit(low=1, high=65536, whole=True)
BANDS = Limit(low=1, high=10000, whole=True)
BASE = Limit(low=1, high=4096, whole=True)
DEPTH = Limit(low=1, high=8, whole=True)
CLASSES = Limit(low=1, high=10000, whole=True)


def read_tile(table: Table) -> Tile | None:
    """The tile of a workload's table, or None where there is none or a figure of it is wrong (noted in the table)."""
    part = table.table("tile")
    stated = {
        "height": part.number("height", None, SIDE),
        "width": part.number("width", None, SIDE),
        "bands": part.number("bands", None, BANDS),
        "base": part.number("base", None, BASE),
        "depth": part.number("depth", None, DEPTH),
        "classes": part.number("classes", None, CLASSES),
    }
    model = part.text("model", MODELS[0], known=MODELS)
    part.finish()
    if not isinstance(table.data.get("tile"), Mapping):
        return None
    for key in ("height", "width", "bands"):
        if key not in part.data:
            part.note("scenario_missing_key", key)
    for key in ("base", "depth"):
        if key in part.data and model not in DEFAULT_BASE:
            part.note("scenario_tile_fixed", key, part.data[key], model=model)
    if model != part.data.get("model", model) or any(stated[key] is None for key in part.data if key in stated):
        return None
    if not {"height", "width", "bands"} <= part.data.keys():
        return None
    tile = Tile(
        **{key: int(value) for key, value in stated.items() if value is not None and key not in ("base", "depth")},
        model=model,
        base=int(stated["base"] or DEFAULT_BASE.get(model, 0)),
        depth=int(stated["depth"] or DEFAULT_DEPTH.get(model, 0)),
    )
    return tile if _fits(tile, part) else None


def _fits(tile: Tile, part: Table) -> bool:
    """Whether no level of the network is cut: sides are multiples of 2^depth, widths can be halved."""
    multiple = side_multiple(tile)
    sides = {"height": tile.height, "width": tile.width} | ({"bands": tile.bands} if tile.model == "unet3d" else {})
    wrong = [key for key, side in sides.items() if side % multiple]
    for key in wrong:
        near = max(multiple, round(sides[key] / multiple) * multiple)
        part.note("scenario_tile_side", key, sides[key], multiple=multiple, expected=near)
    if tile.model == "autoencoder" and tile.base % 2 ** (tile.depth - 1):
        part.note("scenario_tile_base", "base", tile.base, multiple=2 ** (tile.depth - 1))
        return False
    return not wrong
