"""What a training is called becomes a row of the catalog or a network on tiles."""

from __future__ import annotations

from typing import Any

import pytest

from hwcost.answers_io import answers_from_dict
from hwcost.catalog import load_catalog
from hwcost.errors import InputError
from hwcost.records import Catalog
from hwcost.start import Started, start
from hwcost.start_defaults import named, owned_chassis, owned_psu, owned_storage

LEAST: dict[str, Any] = {"schema": "hwcost.answers/1", "region": "CN", "id": "lab"}


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


def begin(catalog: Catalog, *trainings: dict[str, Any]) -> Started:
    return start(answers_from_dict({**LEAST, "train": list(trainings)}, catalog, "lab.toml"), catalog)


@pytest.mark.parametrize(
    ("training", "preset"),
    [
        ({"what": "HybridSN"}, "hybridsn-ip"),
        ({"what": "HybridSN", "dataset": "Pavia University"}, "hybridsn-pu"),
        ({"what": "SSRN, Indian Pines"}, "ssrn-ip"),
        ({"what": "MAE pretraining"}, "mae-vit-l-pretrain"),
        ({"what": "HybridSN on Pavia University"}, "hybridsn-pu"),
        ({"what": "混合光谱网络"}, "hybridsn-ip"),
        ({"what": "SSRN", "dataset": "帕维亚大学"}, "ssrn-pu"),
        ({"what": "大模型微调"}, "vit-l-finetune"),
        ({"what": "?"}, "hybridsn-ip"),
    ],
)
def test_a_network_is_found_by_its_name_and_data_set(training: dict[str, Any], preset: str, catalog: Catalog) -> None:
    assert begin(catalog, training).document["workload"][0]["preset"] == preset


def test_a_network_without_a_row_for_the_data_set_takes_its_pixels(catalog: Catalog) -> None:
    started = begin(catalog, {"what": "SSFTT", "dataset": "Salinas", "epochs": 10})
    workload = started.scenario.workloads[0]
    assert workload.preset == "ssftt-ip"
    samples = -(-54129 * 10 // 100)  # a tenth of the labelled pixels, rounded up
    assert workload.steps_per_run == -(-samples // 64) * 10


@pytest.mark.parametrize(
    "training",
    [
        {"what": "U-Net 512x512x200"},
        {"what": "UNet 512 × 512 × 200"},
        {"what": "U-Net", "tile": {"height": 512, "width": 512, "bands": 200}},
    ],
)
def test_a_unet_is_sized_by_its_tiles(training: dict[str, Any], catalog: Catalog) -> None:
    started = begin(catalog, training)
    assert started.document["workload"][0]["tile"] == {"height": 512, "width": 512, "bands": 200}
    unet = started.scenario.workloads[0]
    assert unet.params == pytest.approx(31.2e6, rel=0.005)
    assert unet.saved_bytes_per_sample == pytest.approx(1.47 * 2**30, rel=0.005)
    assert unet.batch == 8


def test_other_networks_on_tiles_keep_their_model(catalog: Catalog) -> None:
    tables = begin(catalog, {"what": "3-D U-Net 64x64x32"}, {"what": "SegFormer 512x512x200"}).document["workload"]
    assert [table["tile"]["model"] for table in tables] == ["unet3d", "segformer-b2"]


def test_a_tile_that_would_be_cut_is_refused_with_the_size_that_fits(catalog: Catalog) -> None:
    with pytest.raises(InputError) as caught:
        begin(catalog, {"what": "U-Net 500x512x200"})
    assert [problem.code for problem in caught.value.problems] == ["scenario_tile_side"]


def test_a_unet_without_a_size_takes_the_usual_tile_and_lists_it(catalog: Catalog) -> None:
    started = begin(catalog, {"what": "U-Net"})
    assert started.document["workload"][0]["tile"] == {"height": 512, "width": 512, "bands": 200}
    assert "512 x 512 x 200" in next(str(item.value) for item in started.items if item.key == "train[1].what")


@pytest.mark.parametrize(
    ("what", "code"),
    [
        ("小块分类", "answers_training_several"),
        ("patch classification", "answers_training_several"),
        ("llm-7b-4bit", "answers_training_inference"),
        ("HybirdSN2", "answers_training_unknown"),
        ("zzz", "answers_training_unknown"),
    ],
)
def test_words_that_mean_several_trainings_or_none_are_refused(what: str, code: str, catalog: Catalog) -> None:
    with pytest.raises(InputError) as caught:
        begin(catalog, {"what": what})
    problem = caught.value.problems[0]
    assert (problem.code, problem.column) == (code, "train[1].what")
    assert code == "answers_training_inference" or "HybridSN" in problem.values["expected"] or what == "zzz"


def test_two_trainings_of_one_network_get_ids_of_their_own(catalog: Catalog) -> None:
    ids = [w.id for w in begin(catalog, {"what": "HybridSN"}, {"what": "HybridSN"}).scenario.workloads]
    assert len(set(ids)) == 2


def test_pretraining_takes_its_own_runs_and_no_overnight_limit(catalog: Catalog) -> None:
    started = begin(catalog, {"what": "MAE pretraining", "people": 2})
    assert started.jobs[0].runs_per_year == 2 * 3
    assert started.scenario.workloads[0].max_hours_per_run is None


def test_an_unknown_data_set_is_refused_with_the_nearest(catalog: Catalog) -> None:
    with pytest.raises(InputError) as caught:
        begin(catalog, {"what": "HybridSN", "dataset": "Salina Valley Farm"})
    problem = caught.value.problems[0]
    assert (problem.code, problem.column) == ("answers_dataset_unknown", "train[1].dataset")


# --- machines ---


@pytest.mark.parametrize("words", ["3090", "RTX 3090", "NVIDIA GeForce RTX 3090", "rtx-3090"])
def test_a_card_is_found_by_what_people_call_it(words: str, catalog: Catalog) -> None:
    assert named(words, catalog.cards) == ["rtx-3090"]


def test_a_name_that_several_cards_begin_with_means_all_of_them(catalog: Catalog) -> None:
    both = {"rtx-pro-6000-blackwell-max-q", "rtx-pro-6000-blackwell-ws"}
    assert set(named("PRO 6000", catalog.cards)) == both


@pytest.mark.parametrize(("cards", "host"), [(1, "consumer-mid"), (2, "consumer-full"), (3, "smc-740gp")])
def test_owned_cards_stand_in_the_plainest_host_that_holds_them(cards: int, host: str, catalog: Catalog) -> None:
    assert owned_chassis(catalog.cards["rtx-3090"], cards, catalog).id == host


def test_an_owned_supply_is_the_nearest_of_its_form(catalog: Catalog) -> None:
    host = catalog.chassis["consumer-full"]
    assert owned_psu(host, 1000, 0, catalog).watts_high_line == 1000
    # unknown: two cards of 350 W and the host, at four fifths of the rating
    need = (2 * 350 + host.host_load_w) / 0.8
    supply = owned_psu(host, None, need, catalog)
    assert supply.watts_high_line >= need
    assert not [p for p in catalog.psus.values() if p.form == host.psu_form and need <= p.watts_high_line
                < supply.watts_high_line]  # fmt: skip


def test_an_owned_disk_is_the_tier_of_its_kind_and_nearest_size(catalog: Catalog) -> None:
    assert owned_storage("nvme", 7, catalog).id == "nvme-8tb"
    assert owned_storage("nvme", None, catalog).id == "nvme-4tb"
    assert owned_storage("sata", 1, catalog).tier == "sata"
