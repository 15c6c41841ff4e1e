"""Anchors: one timed run replaces the estimate of that workload on every card, by the same factor."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scenario_kit import assumption, document, problems, said
from small_cases import CARD, SCENARIO, WORKLOAD, build

from hwcost.anchors import anchored, fit_memory
from hwcost.catalog import load_catalog
from hwcost.memory import job_memory
from hwcost.messages import LANGUAGES, say
from hwcost.records import Catalog, Link
from hwcost.scenario import Scenario
from hwcost.scenario_io import scenario_from_dict, with_changes
from hwcost.strategies import evaluate
from hwcost.strategy import Strategy
from hwcost.workload import Anchor

MIB, GIB = 2**20, 2**30
CATALOG = load_catalog()
CARDS = ("rtx-3090", "rtx-a5500", "rtx-a6000")
LINK = Link("pcie_p2p", 4, 4, 20.0, None, None, 100.0, CARD.origin)
UNET = "unet-512x512x200-b64"
few = settings(max_examples=15, deadline=None, derandomize=True, database=None)


def scenario(anchor: dict[str, Any] | None = None, preset: str = UNET, **changes: Any) -> Scenario:
    data = document(workload__preset=preset, workload__batch=8, workload__train_samples=1000, workload__epochs=60)
    data["workload"][0] |= changes | ({"anchor": anchor} if anchor else {})
    return scenario_from_dict(data, CATALOG)


def ways(of: Scenario) -> list[Strategy]:
    """One, two and four cards of three kinds."""
    nodes = [build(card, CATALOG.cards[card], 4, 1000.0, 1000.0, link=LINK) for card in CARDS]
    return [evaluate(of, of.workloads[0], node, cards) for node in nodes for cards in (1, 2, 4)]


@few
@given(hours=st.floats(0.5, 500.0), card=st.sampled_from(CARDS), startup=st.sampled_from([0, 60, 600]))
def test_an_anchor_changes_every_run_by_the_same_factor_and_sets_the_tier(hours: float, card: str, startup: int
                                                                          ) -> None:  # fmt: skip
    plain = ways(scenario(startup_s=startup))
    fitted = ways(scenario({"card": card, "hours_per_run": hours}, startup_s=startup))
    factors = [(b.hours_per_run - startup / 3600) / (a.hours_per_run - startup / 3600)
               for a, b in zip(plain, fitted, strict=True)]  # fmt: skip
    assert factors == pytest.approx([factors[0]] * 9, rel=1e-9)
    assert {way.evidence for way in fitted} == {"transferred"}
    for a, b in zip(plain, fitted, strict=True):
        steps = (b.step_ms, b.compute_ms, b.loader_ms, b.communication_ms)
        assert steps == pytest.approx([x * factors[0] for x in (a.step_ms, a.compute_ms, a.loader_ms,
                                                                a.communication_ms)])  # fmt: skip
        assert (a.memory_mib, a.bound, a.breaches) == (b.memory_mib, b.bound, b.breaches)


def test_the_run_on_the_anchors_own_card_takes_the_anchors_time() -> None:
    """One card of 16 lanes with 64 GiB would hold the batch in one pass; its data is read from no disk."""
    fitted = scenario({"card": "rtx-a6000", "hours_per_run": 2.67}, dataset_gb=1)
    way = evaluate(fitted, fitted.workloads[0], build("n", CATALOG.cards["rtx-a6000"], 1, 1.0, 1.0), 1)
    assert way.accumulation_steps == 1
    assert way.hours_per_run == pytest.approx(2.67)


def test_other_workloads_keep_their_estimate() -> None:
    data = document(workload__anchor={"card": "rtx-3090", "hours_per_run": 5})
    data["workload"].append({**document()["workload"][0], "id": "other"})
    first, second = scenario_from_dict(data, CATALOG).workloads
    assert first.time_factor != 1.0 and (second.time_factor, second.anchor) == (1.0, None)


def test_the_error_band_is_the_wider_one_of_the_two_cards() -> None:
    """The RTX 3090 and the RTX A5500 have reference throughputs (40 %), a card without them has 50 %."""
    bare = replace(CATALOG.cards["rtx-a5500"], resnet50_fp32_img_s=None, bert_large_fp32_seq_s=None)
    known = scenario({"card": "rtx-3090", "hours_per_run": 5})
    assert {way.error_share for way in ways(known)} == {0.40}
    on_bare = evaluate(known, known.workloads[0], build("bare", bare, 1, 1.0, 1.0), 1)
    assert (on_bare.error_share, on_bare.evidence) == (0.50, "transferred")
    from_bare, _ = anchored(scenario().workloads[0], Anchor("bare", 5.0), Catalog(cards={"bare": bare}), False)
    assert evaluate(known, from_bare, build("n", CATALOG.cards["rtx-3090"], 1, 1.0, 1.0), 1).error_share == 0.50


def test_a_slow_disk_under_the_anchor_explains_its_time() -> None:
    """8 tiles of 105 MB at 110 MB/s take 7.6 s a step; a run that long on that disk says nothing bad of the card."""
    local = scenario({"card": "rtx-3090", "hours_per_run": 16})
    nas = next(row.id for row in CATALOG.storage.values() if row.tier == "nas_1g")
    behind_nas = scenario({"card": "rtx-3090", "hours_per_run": 16, "storage": nas})
    assert behind_nas.workloads[0].time_factor < 0.2 * local.workloads[0].time_factor


def test_an_unstated_start_up_is_a_tenth_of_a_short_run_at_most() -> None:
    short = scenario({"card": "rtx-3090", "hours_per_run": 0.05})
    assert short.workloads[0].startup_s == pytest.approx(18.0)
    assert assumption(short, "anchor_startup").value == pytest.approx(18.0)
    assert scenario({"card": "rtx-3090", "hours_per_run": 5}).workloads[0].startup_s == 60


def test_later_changes_of_the_scenario_keep_the_factor() -> None:
    before = scenario({"card": "rtx-3090", "hours_per_run": 5})
    after = with_changes(before, workloads=(replace(before.workloads[0], runs_per_year=999.0),))
    assert after.workloads[0].time_factor == before.workloads[0].time_factor
    assert after.sha256 != before.sha256 != scenario().sha256


# --- memory ---


@few
@given(gib=st.floats(6.0, 20.0), batch=st.integers(1, 16), optimizer=st.sampled_from(["sgd", "adam"]))
def test_a_trusted_reading_is_what_is_predicted_at_the_anchors_batch(gib: float, batch: int, optimizer: str) -> None:
    anchor = {"card": "rtx-3090", "hours_per_run": 5, "memory_gib": gib, "source": "nvidia-smi"}
    job = scenario(anchor, batch=batch, optimizer=optimizer).workloads[0]
    assert job_memory(job, batch).total_mib == pytest.approx(gib * 1024)


@pytest.mark.parametrize(("source", "left_out"), [("max_memory_reserved", 512), ("max_memory_allocated", 1792)])
def test_what_a_reading_leaves_out_is_added(source: str, left_out: int) -> None:
    anchor = {"card": "rtx-3090", "hours_per_run": 5, "memory_gib": 12, "source": source}
    job = scenario(anchor).workloads[0]
    assert job_memory(job, 8).total_mib == pytest.approx(12 * 1024 + left_out)


def test_saved_bytes_and_the_largest_tensor_scale_together_by_hand() -> None:
    """Context 1,792, 16 MiB of state, 100 + 3.9 x 10 MiB a sample: ten samples and 4,000 MiB ask for 2192 / 1390."""
    job = replace(WORKLOAD, params=float(MIB), saved_bytes_per_sample=100.0 * MIB, precision="fp32",
                  largest_saved_bytes_per_sample=10.0 * MIB, batch=10, optimizer="adam")  # fmt: skip
    found = fit_memory(job, 4000 / 1024, "nvidia-smi", CARD)
    assert found.outcome == "used"
    assert found.factor == pytest.approx((4000 - 1792 - 16) / 1390)


@pytest.mark.parametrize(
    ("gib", "source", "outcome"),
    [
        (22.0, "nvidia-smi", "at_most"),
        (21.6, "nvidia-smi", "at_most"),  # 90 % of 24,564 MiB is 21.59 GiB
        (21.5, "nvidia-smi", "used"),
        (21.7, "max_memory_allocated", "used"),
        (8.0, "tensorflow", "at_most"),
        (1.9, "nvidia-smi", "below"),  # 1.75 GiB of context and 0.5 of weights and optimizer
    ],
)
def test_a_reading_that_cannot_be_trusted_leaves_the_estimate(gib: float, source: str, outcome: str) -> None:
    anchor = {"card": "rtx-a5500", "hours_per_run": 5, "memory_gib": gib, "source": source}
    fitted, plain = scenario(anchor), scenario()
    kept = fitted.workloads[0].saved_bytes_per_sample == plain.workloads[0].saved_bytes_per_sample
    assert kept == (outcome != "used")
    noted = assumption(fitted, f"anchor_memory_{outcome}")
    assert (noted.value, noted.unit, noted.kind) == (gib, "GiB", "measured")
    assert source in noted.source and "RTX A5500" in noted.source
    assert all(say(f"assumption.{noted.key}", lang) for lang in LANGUAGES)


# --- faults ---

ANCHOR = {"card": "rtx-3090", "hours_per_run": 2.67, "memory_gib": 17, "source": "nvidia-smi"}
FAULTS: dict[str, tuple[dict[str, Any], str, str]] = {
    "no card": ({"anchor": {"hours_per_run": 2}}, "anchor.card", "scenario_missing_key"),
    "no hours": ({"anchor": {"card": "rtx-3090"}}, "anchor.hours_per_run", "scenario_missing_key"),
    "no time at all": ({"anchor": {**ANCHOR, "hours_per_run": 0}}, "anchor.hours_per_run", "scenario_out_of_range"),
    "unknown card": ({"anchor": {**ANCHOR, "card": "3090"}}, "anchor.card", "scenario_unknown_word"),
    "unknown source": ({"anchor": {**ANCHOR, "source": "top"}}, "anchor.source", "scenario_unknown_word"),
    "memory without its source": (
        {"anchor": {"card": "rtx-3090", "hours_per_run": 2, "memory_gib": 9}}, "anchor.source",
        "scenario_missing_key"),
    "source without memory": (
        {"anchor": {"card": "rtx-3090", "hours_per_run": 2, "source": "nvidia-smi"}}, "anchor.memory_gib",
        "scenario_missing_key"),
    "unknown key": ({"anchor": {**ANCHOR, "gpu": 1}}, "anchor.gpu", "scenario_unknown_key"),
    "anchor as number": ({"anchor": 3}, "anchor", "scenario_not_table"),
    "start-up as long as the run": (
        {"anchor": {**ANCHOR, "hours_per_run": 0.01}, "startup_s": 60}, "startup_s", "scenario_startup_above_anchor"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_of_an_anchor_is_named_with_its_key_in_both_languages(name: str, monkeypatch: pytest.MonkeyPatch
                                                                         ) -> None:  # fmt: skip
    changes, column, code = FAULTS[name]
    monkeypatch.setattr("scenario_kit.SMALL", CATALOG)  # the small catalog has no cards
    data = document()
    data["workload"][0] |= changes
    found = problems(data)
    assert [(p.column, p.code) for p in found] == [(f"workload[1].{column}", code)]
    for sentence in said(found[0]).values():
        assert column in sentence and "{" not in sentence


def test_the_scenario_of_the_small_cases_has_no_anchor() -> None:
    assert all(w.anchor is None and w.time_factor == 1.0 for w in SCENARIO.workloads)
