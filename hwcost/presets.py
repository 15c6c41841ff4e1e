"""From words to rows: what a user calls a network, a data set or a sensor, and the tiles and steps that follow.

`find_preset("HybridSN on Indian Pines", catalog)` answers the rows that the words may mean and how they were found:
the very id or name, an alias of the catalog, words inside a longer text, or else the nearest names. Several rows are
several answers: the caller lists them, nothing is guessed.
"""

from __future__ import annotations

import difflib
import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hwcost.records import Catalog
from hwcost.tiles import Tile
from hwcost.workload import Workload

NEAREST = 3  # names that are offered where nothing fits
NEAREST_CUTOFF = 0.6
HALF_OVERLAP = 0.5
TILE_FAMILY = "tile_segmentation"  # what all tile models but the autoencoder are
LATIN = "a-z0-9"
CJK = "\u3400-\u9fff"


@dataclass(frozen=True)
class Choice:
    """One row that words can mean. `category`: network, tile (a model of `tiles.py`) or inference."""

    category: str
    id: str
    name: str
    name_zh: str
    family: str = ""
    dataset_id: str = ""


@dataclass(frozen=True)
class Matches:
    """What the words may mean; `how` is exact, alias, nearest or none. `datasets` are the scenes that they name."""

    how: str
    choices: tuple[Choice, ...]
    datasets: tuple[str, ...] = ()

    @property
    def one(self) -> Choice | None:
        """The row that is meant; None where several fit, or where the nearest names are only a suggestion."""
        return self.choices[0] if self.how in ("exact", "alias") and len(self.choices) == 1 else None


def find_preset(text: str, catalog: Catalog) -> Matches:
    """What `text` may mean, best level first; a data set named beside a network narrows the choice."""
    entries = _entries(catalog)
    wanted = _plain(text)
    if not wanted:
        return Matches("none", ())
    exact = [choice for choice, names, _ in entries if wanted in map(_plain, names)]
    if exact:
        return Matches("exact", tuple(exact))
    alias = [choice for choice, _, aliases in entries if wanted in map(_plain, aliases)]
    if alias:
        return Matches("alias", tuple(alias))
    datasets = find_dataset(text, catalog)
    inside = [entries[n][0] for n in _longest_inside(text, [(*names, *aliases) for _, names, aliases in entries])]
    if inside:
        on_them = [choice for choice in inside if choice.dataset_id in datasets]
        return Matches("alias", tuple(on_them or inside), datasets)
    by_name: dict[str, list[Choice]] = {}
    for choice, names, aliases in entries:
        for name in (*names, *aliases):
            by_name.setdefault(_plain(name), []).append(choice)
    near = difflib.get_close_matches(wanted, sorted(by_name), NEAREST, NEAREST_CUTOFF)
    found = tuple(dict.fromkeys(choice for name in near for choice in by_name[name]))
    return Matches("nearest" if found else "none", found, datasets)


def find_dataset(text: str, catalog: Catalog) -> tuple[str, ...]:
    """Ids of the data sets and sensors that `text` names, by the longest name in it."""
    named: list[tuple[str, tuple[str, ...]]] = []
    for scene in catalog.datasets.values():
        row = catalog.presets.get(scene.id)
        named.append((scene.id, (scene.id, scene.name, scene.name_zh, *_split(row.aliases if row else ""))))
    for sensor in catalog.sensors.values():
        named.append((sensor.id, (sensor.id, sensor.name, sensor.name_zh, *_split(sensor.aliases))))
    return tuple(named[n][0] for n in _longest_inside(text, [names for _, names in named]))


def tiles_per_scene(scene_side: tuple[int, int], tile_side: tuple[int, int], overlap: float = 0.0) -> int:
    """Whole tiles cut from a scene (height, width), neighbours sharing `overlap` (0 <= overlap < 1) of their sides.

    >>> tiles_per_scene((2000, 2083), (512, 512)), tiles_per_scene((2000, 2083), (512, 512), HALF_OVERLAP)
    (12, 42)
    """
    counts = []
    for scene, tile in zip(scene_side, tile_side, strict=True):
        step = max(1, round(tile * (1.0 - overlap)))
        counts.append((scene - tile) // step + 1 if scene >= tile else 0)
    return counts[0] * counts[1]


@dataclass(frozen=True)
class RunLength:
    """Samples of one epoch and optimizer steps of one run; bytes of the samples on disk."""

    samples: int
    steps: float
    dataset_bytes: float


def classification_run(labelled_pixels: int, train_share: float, batch: int, epochs: float,
                       scene_bytes: float) -> RunLength:  # fmt: skip
    """A patch classifier: every labelled pixel of the training share is a sample, cut from the scene in memory.

    >>> classification_run(10_249, 0.3, 256, 100, 8.4e6)
    RunLength(samples=3075, steps=1300, dataset_bytes=8400000.0)
    """
    samples = math.ceil(round(labelled_pixels * train_share, 6))
    return RunLength(samples, Workload.steps_from_samples(samples, batch, epochs), scene_bytes)


def tile_run(tile: Tile, scenes: int, scene_side: tuple[int, int], overlap: float, batch: int, epochs: float
             ) -> RunLength:  # fmt: skip
    """A network on tiles cut from `scenes` equal scenes; each tile is stored, so an overlap is stored twice."""
    tiles = scenes * tiles_per_scene(scene_side, (tile.height, tile.width), overlap)
    return RunLength(tiles, Workload.steps_from_samples(tiles, batch, epochs), float(tiles * tile.input_bytes))


# --- names ---


def _entries(catalog: Catalog) -> list[tuple[Choice, tuple[str, ...], tuple[str, ...]]]:
    """(row, its names, its aliases) of every network, tile model and inference row; a family's words are those of
    all its networks."""
    families: Mapping[str, tuple[str, ...]] = {
        row.id: (row.name, row.name_zh, *_split(row.aliases))
        for row in catalog.presets.values()
        if row.category == "family"
    }
    found: list[tuple[Choice, tuple[str, ...], tuple[str, ...]]] = []
    for network in catalog.networks.values():
        row = catalog.presets.get(network.id)
        own = _split(row.aliases) if row else ()
        choice = Choice("network", network.id, network.name, network.name_zh, network.family, network.dataset_id)
        found.append((choice, (network.id, network.name, network.name_zh), (*own, *families.get(network.family, ()))))
    for row in catalog.presets.values():
        if row.category in ("tile", "inference"):
            family = TILE_FAMILY if row.category == "tile" and row.id != "autoencoder" else ""
            choice = Choice(row.category, row.id, row.name, row.name_zh, family)
            found.append((choice, (row.id, row.name, row.name_zh), (*_split(row.aliases), *families.get(family, ()))))
    return found


def _longest_inside(text: str, named: Sequence[tuple[str, ...]]) -> list[int]:
    """Places of those of which a name stands in `text` as words of its own; of several, the longest names count."""
    folded = _folded(text)
    best, found = 0, list[int]()
    for place, names in enumerate(named):
        longest = max((len(_plain(name)) for name in names if name and _pattern(name).search(folded)), default=0)
        if longest > best:
            best, found = longest, [place]
        elif longest and longest == best:
            found.append(place)
    return found


def _pattern(name: str) -> re.Pattern[str]:
    """The name with any marks between its words, not inside another Latin word."""
    words = re.findall(f"[{LATIN}]+|[{CJK}]+", _folded(name))
    gap = f"[^{LATIN}{CJK}]*"
    return re.compile(f"(?<![{LATIN}]){gap.join(words)}(?![{LATIN}])" if words else "(?!)")


def _folded(text: str) -> str:
    """Full-width forms, case and the multiplication sign made equal."""
    return unicodedata.normalize("NFKC", text).casefold().replace("×", "x")


def _plain(text: str) -> str:
    """Letters, digits and Chinese characters alone: "U-Net" and "unet" are the same."""
    return re.sub(f"[^{LATIN}{CJK}]", "", _folded(text))


def _split(aliases: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in aliases.split(";") if name.strip())
