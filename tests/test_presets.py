"""Words to rows: names and aliases in two languages, scenes to tiles, what else a card runs, storage that suffices."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scenario_kit import document
from small_cases import CARD, CHASSIS

from hwcost.catalog import load_catalog
from hwcost.inference import answers_only, inference_need_gib, largest_llm, scene_hours, what_else
from hwcost.presets import classification_run, find_dataset, find_preset, tile_run, tiles_per_scene
from hwcost.records import Storage
from hwcost.scenario_io import scenario_from_dict
from hwcost.steptime import step_time
from hwcost.storage_need import StorageNeed, storage_need, tiers_that_suffice
from hwcost.tiles import MODELS, Tile
from hwcost.workload import Workload

CATALOG = load_catalog()
CJK = "\u3400", "\u9fff"
few = settings(max_examples=25, deadline=None, derandomize=True, database=None)


def ids(text: str) -> list[str]:
    return [choice.id for choice in find_preset(text, CATALOG).choices]


# --- words ---


def test_every_network_has_aliases_in_both_languages() -> None:
    families = {row.id: row.aliases for row in CATALOG.presets.values() if row.category == "family"}
    for network in CATALOG.networks.values():
        words = (CATALOG.presets[network.id].aliases + ";" + families[network.family]).split(";")
        chinese = [w for w in words if any(CJK[0] <= letter <= CJK[1] for letter in w)]
        assert chinese and len(chinese) < len(words), network.id


def test_every_row_of_the_table_names_something_that_exists() -> None:
    known: dict[str, set[str]] = {
        "network": set(CATALOG.networks), "dataset": set(CATALOG.datasets), "tile": set(MODELS),
        "family": {network.family for network in CATALOG.networks.values()},
    }  # fmt: skip
    for row in CATALOG.presets.values():
        assert row.category == "inference" or row.id in known[row.category], row.id
        assert (row.params_billion is not None) == (row.category == "inference"), row.id
        assert row.origin.kind == "estimate"
    assert set(CATALOG.datasets) | set(MODELS) <= set(CATALOG.presets)


@pytest.mark.parametrize("network", sorted(CATALOG.networks))
def test_an_id_or_a_name_is_found_exactly(network: str) -> None:
    row = CATALOG.networks[network]
    for text in (row.id, row.id.upper(), row.name, row.name_zh):
        found = find_preset(text, CATALOG)
        assert found.how == "exact" and found.one is not None and found.one.id == network


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HybridSN on Indian Pines", "hybridsn-ip"),
        ("hybridsn 帕维亚大学", "hybridsn-pu"),
        ("SSRN，印第安松树", "ssrn-ip"),
        ("SpectralFormer patch Houston", "spectralformer-patch7-houston"),
        ("U-Net", "unet"),
        ("三维 UNet", "unet3d"),
        ("ＳｅｇＦｏｒｍｅｒ", "segformer-b2"),
        ("U-Net 512×512×200", "unet-512x512x200-b64"),
        ("光谱解混", "autoencoder"),
        ("LoRA 微调", "lora-7b"),
        ("自监督预训练", "mae-vit-l-pretrain"),
    ],
)
def test_words_that_mean_one_row_find_it(text: str, expected: str) -> None:
    found = find_preset(text, CATALOG)
    assert found.one is not None and found.one.id == expected, ids(text)


def test_words_that_mean_several_rows_list_them_all_and_choose_none() -> None:
    assert sorted(ids("HybridSN")) == ["hybridsn-ip", "hybridsn-pu", "hybridsn-sa"]
    cnns = {n.id for n in CATALOG.networks.values() if n.family == "patch_cnn"}
    patches = cnns | {n.id for n in CATALOG.networks.values() if n.family == "patch_transformer"}
    assert set(ids("3D-CNN 小块分类")) == cnns
    assert set(ids("patch classification")) == set(ids("高光谱分类")) == patches
    assert {"unet", "unet3d", "segformer-b2", "unet-512x512x200-b64"} <= set(ids("语义分割"))
    assert all(find_preset(text, CATALOG).one is None for text in ("HybridSN", "3D-CNN 小块分类", "语义分割"))


def test_a_slip_of_the_pen_is_a_suggestion_and_never_taken() -> None:
    found = find_preset("hybridsnn", CATALOG)
    assert found.how == "nearest" and found.one is None and "hybridsn-ip" in ids("hybridsnn")
    assert find_preset("zzzzqq", CATALOG).how == "none" and find_preset("  ", CATALOG).choices == ()


def test_a_name_inside_another_word_is_not_a_name() -> None:
    assert find_dataset("ship detection", CATALOG) == ()  # "IP" inside "ship"
    assert find_dataset("on IP", CATALOG) == ("indian-pines",)
    assert find_dataset("高分五号影像", CATALOG) == ("gf5-ahsi",)


# --- scenes to tiles, pixels to steps ---


@pytest.mark.parametrize(
    ("sensor", "whole", "half"),
    [("gf5-ahsi", 3 * 4, 6 * 7), ("zy1-02d-ahsi", 3 * 3, 6 * 6), ("enmap", 2 * 2, 3 * 3), ("prisma", 1, 2 * 2)],
)
def test_tiles_of_512_in_a_scene_of_each_sensor(sensor: str, whole: int, half: int) -> None:
    """Without overlap floor(side / 512) a side, at half overlap floor((side - 512) / 256) + 1."""
    row = CATALOG.sensors[sensor]
    assert tiles_per_scene((row.height, row.width), (512, 512)) == whole
    assert tiles_per_scene((row.height, row.width), (512, 512), 0.5) == half
    assert row.origin.kind == "estimate"


def test_a_scene_of_gf5_holds_2_75_gb_and_one_smaller_than_a_tile_holds_none() -> None:
    row = CATALOG.sensors["gf5-ahsi"]
    assert row.height * row.width * row.bands * 2 / 1e9 == pytest.approx(2.75, abs=0.005)
    assert tiles_per_scene((500, 4000), (512, 512)) == 0


def test_labelled_pixels_split_batch_and_epochs_give_the_steps() -> None:
    """HybridSN on Indian Pines: ceil(10,249 x 30 %) = 3,075; ceil(3,075 / 256) = 13; x 100 epochs."""
    run = classification_run(10_249, 0.3, 256, 100, 145 * 145 * 200 * 2.0)
    assert (run.samples, run.steps, run.dataset_bytes) == (3075, 1300, 8_410_000)


def test_tiles_of_scenes_give_samples_steps_and_bytes() -> None:
    """Two scenes of GF-5 at half overlap: 84 tiles, 11 steps of 8 an epoch, 84 x 512 x 512 x 200 x 2 bytes."""
    run = tile_run(Tile(512, 512, 200), 2, (2000, 2083), 0.5, 8, 60)
    assert (run.samples, run.steps, run.dataset_bytes) == (84, 11 * 60, 84 * 104_857_600)


def job(**changes: Any) -> Workload:
    data = document(workload__tile={"height": 512, "width": 512, "bands": 200}, workload__batch=8,
                    workload__train_samples=5000, workload__epochs=60)  # fmt: skip
    del data["workload"][0]["preset"]
    data["workload"][0] |= changes
    return scenario_from_dict(data, CATALOG).workloads[0]


@few
@given(tiles=st.integers(1, 20_000), epochs=st.integers(1, 300), batch=st.integers(1, 32))
def test_twice_the_tiles_or_epochs_never_lower_the_demand(tiles: int, epochs: int, batch: int) -> None:
    once = job(train_samples=tiles, epochs=epochs, batch=batch)
    more = (job(train_samples=2 * tiles, epochs=epochs, batch=batch),
            job(train_samples=tiles, epochs=2 * epochs, batch=batch))  # fmt: skip
    for other in more:
        assert other.steps_per_run >= once.steps_per_run
        assert other.dataset_bytes >= once.dataset_bytes
        assert other.runs_per_year == once.runs_per_year
    assert more[1].steps_per_run == 2 * once.steps_per_run


# --- what else it runs ---


def test_a_70_b_model_at_4_bit_needs_41_gib_on_one_card_and_less_on_each_of_two() -> None:
    """70.6e9 x 0.5625 bytes = 36.99 GiB, 2.5 GiB of cache, 1.75 GiB of context on each card."""
    row = CATALOG.presets["llm-70b-4bit"]
    assert inference_need_gib(row) == pytest.approx(70.6e9 * 0.5625 / 2**30 + 2.5 + 1.75)
    assert inference_need_gib(row, 2) == pytest.approx((70.6e9 * 0.5625 / 2**30 + 2.5) / 2 + 1.75)


def test_the_largest_language_model_grows_with_memory_and_with_cards() -> None:
    card = CATALOG.cards["rtx-a5500"]
    assert [getattr(largest_llm(CATALOG, card, n), "id", "") for n in (1, 2)] == ["llm-32b-4bit", "llm-70b-4bit"]
    small = replace(card, memory_gib=6.0, usable_mib=6000.0)
    assert largest_llm(CATALOG, small) is None


def test_lora_is_trained_so_a_second_card_does_not_make_it_fit() -> None:
    card = replace(CATALOG.cards["rtx-a5500"], memory_gib=16.0, usable_mib=16_000.0)
    lora = [next(fit for fit in what_else(CATALOG, card, n) if fit.preset_id == "lora-7b") for n in (1, 4)]
    assert [(fit.cards, fit.fits) for fit in lora] == [(1, False), (1, False)]
    assert not answers_only(CATALOG.presets["lora-7b"])
    assert {fit.kind for fit in what_else(CATALOG, card)} == {"estimate"}


def test_a_row_without_a_size_is_no_inference_row() -> None:
    with pytest.raises(ValueError, match="unet"):
        inference_need_gib(CATALOG.presets["unet"])


def test_inference_of_a_scene_takes_a_third_of_training_on_as_many_samples() -> None:
    work, card = job(), CATALOG.cards["rtx-a5500"]
    training = step_time(work, card, 8).card_ms / 3.6e6 * 42 / 8
    assert scene_hours(work, card, 42) == pytest.approx(training / 3)
    assert scene_hours(replace(work, time_factor=2.0), card, 42) == pytest.approx(2 * training / 3)


# --- storage ---


def tier(identity: str, read_mb_s: float, capacity_tb: float) -> Storage:
    return replace(next(iter(CATALOG.storage.values())), id=identity, read_mb_s=read_mb_s, capacity_tb=capacity_tb)


def test_a_unet_on_5000_tiles_reads_0_84_gb_a_step_and_needs_0_66_tb() -> None:
    need = storage_need(job(), CATALOG.cards["rtx-a5500"], CHASSIS)
    assert need.step_bytes == 8 * 512 * 512 * 200 * 2
    assert need.capacity_tb == pytest.approx(1.25 * 0.524288)
    assert need.read_mb_s == pytest.approx(need.step_bytes / 1e6 / (need.step_ms / 1e3))
    assert not need.stays_in_ram


def test_data_up_to_six_tenths_of_the_memory_is_read_once() -> None:
    host = replace(CHASSIS, ram_gib=100.0)
    most = 0.6 * 100 * 2**30 / 1e9
    held, left = (storage_need(job(dataset_gb=gb), CARD, host) for gb in (most * 0.999, most * 1.001))
    slow = tier("slow", 1.0, 4.0)
    assert held.stays_in_ram and held.suffices(slow) and held.slowdown(slow) == 1.0
    assert not left.stays_in_ram and not left.suffices(slow)


def test_the_least_tier_that_is_large_and_fast_enough_comes_first() -> None:
    need = StorageNeed(1.0, 800e6, 200.0, 4000.0, False)
    tiers = [tier("big-slow", 500, 8), tier("small-fast", 9000, 0.5), tier("enough", 4000, 1), tier("more", 7000, 4)]
    assert [row.id for row in tiers_that_suffice(need, tiers)] == ["enough", "more"]
    assert [row.id for row in tiers_that_suffice(need, tiers, readers=2)] == []
    assert need.slowdown(tiers[0]) == 8.0 and need.slowdown(tiers[0], 2) == 16.0


@pytest.mark.parametrize("read_mb_s", [110.0, 3000.0, 20_000.0])
def test_a_tier_that_suffices_never_bounds_the_step(read_mb_s: float) -> None:
    """On one card with enough loader processes, the plan's step is this long times the slowdown."""
    work, card = job(workers=16, precision="fp32"), CATALOG.cards["rtx-a6000"]
    need = storage_need(work, card, CHASSIS)
    storage = tier("t", read_mb_s, 4.0)
    step = step_time(work, card, 8, storage_mb_s=read_mb_s, host_ram_gib=CHASSIS.ram_gib)
    assert (step.bound == "storage") == (not need.fast_enough(storage))
    assert step.total_ms == pytest.approx(need.step_ms * need.slowdown(storage))
    assert math.isclose(step.card_ms, need.step_ms)
