"""Networks on tiles: the closed forms against layers that are listed one by one, and the `tile` of a scenario."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from scenario_kit import document, load, problems, said

from hwcost.catalog import load_catalog
from hwcost.scenario_io import scenario_from_dict
from hwcost.tiles import Tile, tile_figures, tile_network

TILE = {"height": 512, "width": 512, "bands": 200}


def listed_unet(shape: tuple[int, ...], channels: int, base: int, depth: int, classes: int) -> dict[str, int]:
    """A U-Net walked layer by layer: weights, MACs, saved values and tensors of each are added up as they come."""
    k, f = 3 ** len(shape), 2 ** len(shape)
    total = {"params": 0, "mac": 0, "saved": 0, "tensors": 0, "kernels": 0, "largest": 0}

    def volume(size: tuple[int, ...]) -> int:
        product = 1
        for side in size:
            product *= side
        return product

    def keep(values: int) -> None:
        total["saved"] += values
        total["largest"] = max(total["largest"], values)

    def double_convolution(size: tuple[int, ...], before: int, after: int) -> None:
        for width in (before, after):
            total["params"] += k * width * after + 2 * after  # kernel without bias; scale and shift
            total["mac"] += k * width * after * volume(size)
            keep(after * volume(size))  # input of the norm
            keep(after * volume(size))  # output of the ReLU
            total["tensors"] += 3
            total["kernels"] += 3

    size, width = shape, base
    total["saved"] += channels * volume(size)  # the input gets no gradient: never the largest
    double_convolution(size, channels, width)
    sizes = [size]
    for _ in range(depth):
        size = tuple(side // 2 for side in size)
        total["saved"] += 3 * width * volume(size)  # pooled map and 8-byte indices
        total["kernels"] += 1
        double_convolution(size, width, 2 * width)
        sizes.append(size)
        width *= 2
    for size in reversed(sizes[:-1]):
        total["params"] += f * width * (width // 2) + width // 2
        total["mac"] += width * (width // 2) * volume(size)
        total["tensors"] += 2
        total["kernels"] += 2  # up-convolution, join
        keep(width * volume(size))  # joined: width / 2 from below, width / 2 from the left
        double_convolution(size, width, width // 2)
        width //= 2
    total["params"] += width * classes + classes
    total["mac"] += width * classes * volume(shape)
    total["tensors"] += 2
    total["kernels"] += 1
    return total


@pytest.mark.parametrize(
    ("height", "width", "bands", "base", "depth", "classes"),
    [(512, 512, 200, 64, 4, 10), (256, 128, 30, 32, 3, 16), (64, 64, 3, 16, 5, 2), (96, 32, 330, 48, 1, 7),
     (1024, 512, 166, 20, 6, 5)],
)  # fmt: skip
def test_the_unet_in_closed_form_equals_its_layers_one_by_one(
    height: int, width: int, bands: int, base: int, depth: int, classes: int
) -> None:
    found = tile_figures(Tile(height, width, bands, "unet", base, depth, classes))
    listed = listed_unet((height, width), bands, base, depth, classes)
    assert (found.params, found.forward_flop) == (listed["params"], 2 * listed["mac"])
    assert (found.saved_bytes, found.largest_saved_bytes) == (4 * listed["saved"], 4 * listed["largest"])
    assert (found.parameter_tensors, found.launches) == (listed["tensors"], 3 * listed["kernels"] + 9)
    assert found.input_bytes == height * width * bands * 2


@pytest.mark.parametrize(
    ("height", "width", "bands", "base", "depth"), [(64, 32, 200, 16, 3), (32, 32, 32, 8, 4), (16, 8, 6, 5, 1)]
)
def test_the_3d_unet_in_closed_form_equals_its_layers_one_by_one(
    height: int, width: int, bands: int, base: int, depth: int
) -> None:
    found = tile_figures(Tile(height, width, bands, "unet3d", base, depth, 9))
    listed = listed_unet((height, width, bands), 1, base, depth, 9)
    assert (found.params, found.forward_flop) == (listed["params"], 2 * listed["mac"])
    assert (found.saved_bytes, found.largest_saved_bytes) == (4 * listed["saved"], 4 * listed["largest"])
    assert found.parameter_tensors == listed["tensors"]


def test_the_unet_on_512_x_512_x_200_has_31_million_parameters_and_saves_1_47_gib() -> None:
    found = tile_figures(Tile(512, 512, 200))
    assert found.params == pytest.approx(31.2e6, rel=0.002)
    assert found.saved_bytes / 2**30 == pytest.approx(1.47, abs=0.005)
    assert found.forward_flop == pytest.approx(445e9, rel=0.001)


@pytest.mark.parametrize("side", [256, 512])
def test_a_tile_costs_what_the_row_of_the_catalog_says(side: int) -> None:
    row, tile = load_catalog().networks[f"unet-{side}x{side}x200-b64"], tile_network(Tile(side, side, 200))
    for name in ("params", "saved_mib_per_sample", "largest_saved_mib_per_sample", "launches_per_step",
                 "parameter_tensors", "input_mib_per_sample", "loader_ms_per_sample", "default_precision"):  # fmt: skip
        assert getattr(tile, name) == getattr(row, name), name
    assert tile.forward_gflop_per_sample == pytest.approx(row.forward_gflop_per_sample, rel=1e-6)


def test_segformer_b2_has_the_parameters_and_operations_that_its_paper_prints() -> None:
    """Xie et al. 2021, table 1: 27.5 M parameters, 62.4 GMAC at 512 x 512, 150 classes."""
    found = tile_figures(Tile(512, 512, 3, "segformer-b2", 0, 0, 150))
    assert found.params == pytest.approx(27.5e6, rel=0.005)
    assert found.forward_flop / 2 == pytest.approx(62.4e9, rel=0.005)
    assert found.largest_saved_bytes == 4 * (128 * 128) * (4 * 768)  # the joined maps of the decoder


def test_segformer_blocks_save_their_maps_keys_and_attention() -> None:
    """Sixteen blocks in four stages, tokens 64, 16, 4 and 1 of a 32 x 32 tile, counted map by map."""
    saved = 7 * 32 * 32
    for c, blocks, heads, reduction, tokens in (
        (64, 3, 1, 8, 64), (128, 4, 2, 4, 16), (320, 6, 5, 2, 4), (512, 3, 8, 1, 1)):  # fmt: skip
        keys = tokens // reduction**2
        norms, query_and_out, hidden = 4 * tokens * c, 2 * tokens * c, 3 * 4 * tokens * c
        reduced = 2 * keys * c if reduction > 1 else 0
        saved += 3 * tokens * c
        saved += blocks * (norms + query_and_out + hidden + reduced + 2 * keys * c + heads * tokens * keys)
    saved += 64 * (4 * 768 + 768 + 768)  # joined, before and after the batch norm
    assert tile_figures(Tile(32, 32, 7, "segformer-b2", 0, 0, 2)).saved_bytes == 4 * saved


def test_the_autoencoder_counts_every_layer_for_every_pixel() -> None:
    found = tile_figures(Tile(8, 4, 200, "autoencoder", 128, 3, 6))
    widths = [200, 128, 64, 32, 6]
    weights = sum(a * b for a, b in pairwise(widths))
    assert found.params == weights + (128 + 64 + 32 + 6) + 6 * 200
    assert found.forward_flop == 2 * (weights + 6 * 200) * 32
    assert found.saved_bytes == 4 * 32 * (sum(widths) + 200)
    assert found.largest_saved_bytes == 4 * 32 * 200


# --- in a scenario ---


def tiled(**changes: Any) -> dict[str, Any]:
    data = document(workload__tile=dict(TILE), workload__batch=8, workload__train_samples=5000)
    del data["workload"][0]["preset"]
    data["workload"][0].update(changes)
    return data


def test_a_tile_takes_the_place_of_a_preset() -> None:
    catalog = load_catalog()
    ours, rows = (
        scenario_from_dict(data, catalog).workloads[0]
        for data in (tiled(), document(workload__preset="unet-512x512x200-b64", workload__batch=8,
                                       workload__train_samples=5000)))  # fmt: skip
    for name in ("params", "saved_bytes_per_sample", "moved_bytes_per_sample", "input_bytes_per_sample", "precision",
                 "batchnorm", "steps_per_run", "dataset_bytes", "loader_ms_per_sample"):  # fmt: skip
        assert getattr(ours, name) == getattr(rows, name), name
    assert ours.steps_per_run == 625 * 100
    assert ours.dataset_bytes == 5000 * 512 * 512 * 200 * 2
    assert (ours.preset, ours.kind) == ("", "estimate")
    assert "512 x 512 x 200" in ours.name and "512×512×200" in ours.name_zh


def test_a_figure_that_the_lab_states_wins_over_the_tile() -> None:
    workload = scenario_from_dict(tiled(params=1_000_000), load_catalog()).workloads[0]
    assert workload.params == 1_000_000 and "params" in workload.source


FAULTS: dict[str, tuple[dict[str, Any], str, str]] = {
    "no bands": ({"tile": {"height": 512, "width": 512}}, "tile.bands", "scenario_missing_key"),
    "half a pixel": ({"tile": {**TILE, "height": 0.5}}, "tile.height", "scenario_not_whole"),
    "no pixel": ({"tile": {**TILE, "width": 0}}, "tile.width", "scenario_out_of_range"),
    "unknown model": ({"tile": {**TILE, "model": "unet4d"}}, "tile.model", "scenario_unknown_word"),
    "unknown key": ({"tile": {**TILE, "hight": 512}}, "tile.hight", "scenario_unknown_key"),
    "a level that is cut": ({"tile": {**TILE, "height": 500}}, "tile.height", "scenario_tile_side"),
    "bands of a volume": ({"tile": {**TILE, "model": "unet3d", "depth": 4}}, "tile.bands", "scenario_tile_side"),
    "a width that is fixed": ({"tile": {**TILE, "model": "segformer-b2", "base": 64}}, "tile.base",
                              "scenario_tile_fixed"),
    "a width that cannot be halved": ({"tile": {**TILE, "model": "autoencoder", "base": 6}}, "tile.base",
                                      "scenario_tile_base"),
    "tile as text": ({"tile": "512x512x200"}, "tile", "scenario_not_table"),
    "beside a preset": ({"preset": "hybridsn-ip"}, "tile", "scenario_two_ways"),
    "share of pixels": ({"train_share": 0.3, "train_samples": 5}, "train_share", "scenario_two_ways"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_of_a_tile_is_named_with_its_key_in_both_languages(name: str) -> None:
    changes, column, code = FAULTS[name]
    found = problems(tiled(**changes))
    assert [(p.column, p.code) for p in found] == [(f"workload[1].{column}", code)]
    for sentence in said(found[0]).values():
        assert column in sentence and "{" not in sentence


def test_a_batch_of_tiles_is_nobodys_default() -> None:
    data = tiled()
    del data["workload"][0]["batch"]
    assert [(p.column, p.code) for p in problems(data)] == [("workload[1].batch", "scenario_missing_key")]


def test_labelled_pixels_of_a_scene_do_not_count_tiles() -> None:
    data = tiled(dataset="indian-pines")
    del data["workload"][0]["train_samples"]
    assert [(p.column, p.code) for p in problems(data)] == [("workload[1].train_samples", "scenario_missing_key")]


def test_without_a_tile_nothing_changes() -> None:
    assert load().workloads[0].params == 5_122_176
