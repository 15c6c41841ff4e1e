"""The bundled cards: dense rates, generations, plugs and slots, and nothing that nobody measured."""

import pytest
from catalog_rows import Row, by_id, number

from hwcost import records

CARDS = by_id("cards")


@pytest.mark.parametrize("card", CARDS.values(), ids=CARDS)
def test_tensor_rates_are_not_below_fp32(card: Row) -> None:
    for column in ("tensor_fp16_tflops", "tensor_tf32_tflops"):
        rate = number(card, column)
        assert rate is None or rate >= 0.99 * float(card["fp32_tflops"])


def test_geforce_reaches_half_the_tensor_rate_of_the_workstation_card() -> None:
    """Twice fp32 on GeForce, four times on RTX workstation cards; the 5090 D V2 is cut further by 2375/3352."""
    for card in CARDS.values():
        ratio = (number(card, "tensor_fp16_tflops") or 0.0) / float(card["fp32_tflops"])
        if card["id"] == "rtx-5090-d-v2":
            assert ratio == pytest.approx(2.0 * 2375 / 3352, rel=0.01)
        elif card["segment"] == "consumer":
            assert ratio == pytest.approx(2.0, rel=0.01), card["id"]
        elif card["segment"] == "workstation":
            assert ratio == pytest.approx(4.0, rel=0.01), card["id"]


@pytest.mark.parametrize(
    ("card", "dense"),
    [("rtx-3090", 71), ("rtx-a5500", 136), ("rtx-a4000", 77), ("l4", 121), ("h100-80gb-pcie", 756),
     ("h200-nvl-141gb", 835.5), ("tesla-v100s-32gb-pcie", 130), ("a100-80gb-pcie", 312)],
)  # fmt: skip
def test_tensor_rates_are_dense_not_the_sparse_figures_of_data_sheets(card: str, dense: float) -> None:
    assert float(CARDS[card]["tensor_fp16_tflops"]) == pytest.approx(dense, rel=0.006)


def test_tf32_is_half_the_16_bit_rate_and_absent_before_ampere() -> None:
    for card in CARDS.values():
        if card["architecture"] in ("Volta", "Turing"):
            assert (card["tensor_tf32_tflops"], card["bf16"]) == ("", "no"), card["id"]
        elif card["tensor_tf32_tflops"] and card["id"] not in ("l40s", "rtx-5090-d-v2"):
            half = float(card["tensor_fp16_tflops"]) / 2
            assert float(card["tensor_tf32_tflops"]) == pytest.approx(half, rel=0.01), card["id"]


def test_memory_is_of_the_cards_generation() -> None:
    kinds = {"Volta": {"HBM2"}, "Turing": {"GDDR6"}, "Ampere": {"GDDR6", "GDDR6X", "HBM2e"},
             "Ada Lovelace": {"GDDR6", "GDDR6X"}, "Hopper": {"HBM2e", "HBM3", "HBM3e"}, "Blackwell": {"GDDR7"},
             "Da Vinci": {"HBM2e"}}  # fmt: skip
    for card in CARDS.values():
        assert card["memory_type"] in kinds[card["architecture"]], card["id"]
        if card["memory_type"] == "GDDR6X":
            assert card["segment"] == "consumer", card["id"]
        if card["memory_type"] == "GDDR6":
            assert card["ecc"] == "inline", card["id"]
        if card["memory_type"].startswith("HBM"):
            assert card["ecc"] == "native", card["id"]


@pytest.mark.parametrize(
    ("card", "mib"), [("rtx-a5500", 24564), ("a40", 45634), ("a10", 23028), ("h200-nvl-141gb", 143771)]
)
def test_usable_memory_is_what_the_driver_reports(card: str, mib: int) -> None:
    assert float(CARDS[card]["usable_mib"]) == mib


def test_usable_memory_is_at_most_the_memory() -> None:
    known = {i: (float(c["usable_mib"]), 1024 * float(c["memory_gib"])) for i, c in CARDS.items() if c["usable_mib"]}
    assert {i for i, (usable, whole) in known.items() if not 0.9 * whole <= usable <= whole} == set()


def test_plugs_and_slots_are_those_of_the_boards() -> None:
    eps = {i for i, c in CARDS.items() if c["power_connector"] == "eps8" and c["vendor"] == "NVIDIA"}
    assert eps == {"rtx-a6000", "a30", "a40", "a100-40gb-pcie", "a100-80gb-pcie", "tesla-v100s-32gb-pcie"}
    single = {i for i, c in CARDS.items() if c["slot_width"] == "1"}
    assert single == {"rtx-a4000", "rtx-4000-ada", "rtx-pro-4000-blackwell", "tesla-t4", "a10", "l4"}
    triple = {i for i, c in CARDS.items() if c["slot_width"] == "3"}
    assert triple == {i for i, c in CARDS.items() if c["segment"] == "consumer"}
    for card in CARDS.values():
        assert card["power_connector"] in records.CONNECTORS
        assert (card["power_connector"] == "none") == (card["power_connectors"] == "0") == (float(card["tdp_w"]) <= 75)


def test_cooling_fits_the_segment() -> None:
    for card in CARDS.values():
        assert card["cooling"] in records.COOLINGS
        if card["segment"] == "datacentre":
            assert card["cooling"] == "passive", card["id"]
        if card["segment"] == "consumer":
            assert card["cooling"] == "open_air", card["id"]


def test_licence_software_and_peer_to_peer_follow_the_family() -> None:
    for card in CARDS.values():
        assert card["datacentre_licensed"] == ("no" if card["segment"] == "consumer" else "yes")
        if card["vendor"] == "NVIDIA":
            assert card["p2p"] == ("no" if card["segment"] == "consumer" else "yes")
            assert card["pytorch_current"] == ("no" if card["architecture"] == "Volta" else "yes")


def test_bridges_of_workstation_cards_join_two() -> None:
    bridged = {i: c["nvlink_max_cards"] for i, c in CARDS.items() if c["nvlink_gb_s"]}
    for card in ("rtx-3090", "rtx-a5500", "rtx-a6000", "a100-80gb-pcie"):
        assert bridged[card] == "2"
    assert float(CARDS["rtx-a5500"]["nvlink_gb_s"]) == 112.5
    assert {i for i, c in CARDS.items() if not c["nvlink_gb_s"] and c["nvlink_max_cards"] != "0"} == set()
    assert {i for i in bridged if CARDS[i]["architecture"] in ("Ada Lovelace", "Blackwell", "Volta")} == set()


@pytest.mark.parametrize(
    "family",
    [
        ["rtx-a4000", "rtx-a4500", "rtx-a5000", "rtx-a5500", "rtx-a6000"],
        ["rtx-4000-ada", "rtx-4500-ada", "rtx-5000-ada", "rtx-6000-ada"],
        ["rtx-pro-4000-blackwell", "rtx-pro-4500-blackwell", "rtx-pro-5000-blackwell-48gb",
         "rtx-pro-6000-blackwell-max-q", "rtx-pro-6000-blackwell-ws"],
        ["a100-40gb-pcie", "a100-80gb-pcie", "h100-80gb-pcie", "h100-nvl-94gb", "h200-nvl-141gb"],
    ],
)  # fmt: skip
def test_a_higher_card_of_a_family_is_nowhere_below_the_lower(family: list[str]) -> None:
    for column in ("memory_gib", "bandwidth_gb_s", "fp32_tflops", "tensor_fp16_tflops", "tdp_w"):
        figures = [float(CARDS[i][column]) for i in family]
        assert figures == sorted(figures), column


def test_reference_throughputs_stay_below_the_roof() -> None:
    """Training ResNet-50 takes 3 x 4.09 GMAC = 24.5 GFLOP an image; the FP32 rows ran on TF32."""
    known = [c for c in CARDS.values() if c["resnet50_fp32_img_s"]]
    assert {c["id"] for c in known} == {
        "rtx-3090", "rtx-4090", "rtx-a4000", "rtx-a5500", "rtx-a6000", "a100-40gb-pcie"
    }  # fmt: skip
    for card in known:
        assert float(card["resnet50_fp32_img_s"]) * 24.5e-3 < float(card["tensor_tf32_tflops"])
        assert card["bert_large_fp32_seq_s"]


def test_a_domestic_card_states_no_throughput_that_nobody_measured() -> None:
    domestic = [c for c in CARDS.values() if c["segment"] == "domestic"]
    assert len(domestic) >= 1
    assert {(c["resnet50_fp32_img_s"], c["bert_large_fp32_seq_s"], c["kind"]) for c in domestic} == {
        ("", "", "estimate")
    }
