"""Software before a purchase, whether several cards pay, and the picture of S(N), from figures followed by hand."""

import json
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import pytest
from cli_calls import call
from prediction_rows import A5500, link, ssftt, workload

from hwcost.alternatives import Alternative, alternatives, example_workload, several_cards, several_cards_line
from hwcost.other_cards import other_cards
from hwcost.speedups import StepLine, bars, speedup_curves, speedup_rows, speedup_svg
from hwcost.workload import Workload

PCIE = (link("pcie_p2p", 4, 20.0, 100.0, pcie_gen=4), link("pcie_p2p", 4, 10.0, 100.0, pcie_gen=3))
MIB = 2**20
# 100 Mi parameters: 1,600 MiB of state beside 1,792 MiB of context; 500 MiB a sample; 18,423 MiB to plan with: 30 fit
JOB = workload(
    params=100.0 * MIB, optimizer="adam", precision="fp32", saved_bytes_per_sample=500.0 * MIB,
    largest_saved_bytes_per_sample=0.0, batch=40, forward_flop_per_sample=0.0, moved_bytes_per_sample=0.0,
    launches_per_step=1000.0, parameter_tensors=40, steps_per_run=300_000.0, startup_s=0.0, overlap=0.0, step_cv=0.0,
    batchnorm_min_batch=0, loader_ms_per_sample=0.0, input_bytes_per_sample=0.0,
)  # fmt: skip


def by_key(job: Workload = JOB, **changes: int) -> dict[str, Alternative]:
    return {found.key: found for found in alternatives(job, A5500, PCIE, **changes)}


def test_one_card_accumulates_where_the_batch_does_not_fit() -> None:
    one = by_key()["accumulation"]
    assert (one.micro_batch, one.accumulation_steps, one.global_batch, one.cards) == (20, 2, 40, 1)
    assert one.memory_mib == pytest.approx(1792 + 1600 + 20 * 500)
    assert one.step_ms == pytest.approx(2 * 12.0)
    assert one.runs_per_hour == pytest.approx(1 / (300_000 * 24.0 / 3.6e6))
    assert (one.watts, one.kind) == (A5500.tdp_w, "prediction")


def test_each_alternative_changes_what_it_says() -> None:
    found = by_key()
    assert found["amp"].memory_mib == pytest.approx(1792 + 1800 + 0.55 * 500 * 40)
    assert found["amp"].accumulation_steps == 1  # 14,831 / 275 = 53 fit
    # 20 layers and no largest tensor stated: a twentieth of the saved bytes stays, for a third more launches
    kept = found["checkpointing"]
    assert (kept.accumulation_steps, kept.kind) == (1, "estimate")
    assert kept.step_ms == pytest.approx(4 / 3 * 12.0)
    assert kept.memory_mib < by_key()["accumulation"].memory_mib
    assert found["compiled"].step_ms == pytest.approx(0.67 * 24.0)
    assert found["power_cap"].step_ms == pytest.approx(24.0)  # launches are the host's
    assert found["power_cap"].watts == pytest.approx(0.8 * A5500.tdp_w)
    busy = by_key(replace(JOB, moved_bytes_per_sample=768e6 * 0.75, launches_per_step=0.0))
    assert busy["power_cap"].step_ms == pytest.approx(40.0 / 0.95)


def test_cards_that_work_together_send_and_cards_that_work_apart_do_not() -> None:
    found = by_key()
    sent = 2 * 3 / 4 * 400 * MIB / 20e6 + 16 * 0.1 + 40 * 0.020
    assert found["data_parallel"].step_ms == pytest.approx(12.0 + sent)
    more = 3 * 3 / 4 * 400 * MIB / 20e6 + 3 * 3 * 0.1 + 40 * 0.020  # three blocks
    assert found["sharding"].step_ms == pytest.approx(12.0 + more)
    assert found["sharding"].memory_mib < found["data_parallel"].memory_mib
    apart, one = found["independent_runs"], found["accumulation"]
    assert (apart.cards, apart.step_ms) == (4, one.step_ms)
    assert apart.runs_per_hour == pytest.approx(4 * one.runs_per_hour)


def test_what_the_job_does_already_or_cannot_do_is_not_offered() -> None:
    assert "amp" not in by_key(replace(JOB, precision="bf16"))
    assert "compiled" not in by_key(replace(JOB, compiled=True))
    for job in (replace(JOB, multi_card=False), replace(JOB, batch=3)):
        assert not {"data_parallel", "sharding"} & by_key(job).keys()
    assert not {"data_parallel", "sharding"} & {found.key for found in alternatives(JOB, A5500)}
    too_large = by_key(replace(JOB, saved_bytes_per_sample=20_000.0 * MIB, parameter_tensors=0))
    assert (too_large["accumulation"].step_ms, too_large["accumulation"].runs_per_hour) == (None, None)
    assert too_large["amp"].fits


def test_the_articles_batch_of_36_takes_32_ms_on_one_card() -> None:
    """2 ms of launches and 6 ms of work for 9 samples of 2 M parameters; four passes; AMP and compiling are faster."""
    job = example_workload(A5500, params=2e6, per_card_batch=9, cards=4, c0_ms=2.0, c1_ms=1e-6 / 3)
    found = {a.key: a for a in alternatives(job, A5500, PCIE, hooks=False)}
    one = found["accumulation"]
    assert (one.global_batch, one.micro_batch, one.accumulation_steps) == (36, 9, 4)
    assert one.step_ms == pytest.approx(32.0)
    assert one.memory_mib <= 0.75 * 24564
    assert found["data_parallel"].step_ms == pytest.approx(8.0 + 12e6 / 20e6 + 0.1)
    assert found["compiled"].step_ms == pytest.approx(4 * (0.67 * 2 + 6))
    assert found["amp"].step_ms < one.step_ms / 1.5
    assert found["checkpointing"].micro_batch > 9


# --- several cards in one line ---


def test_several_cards_pay_or_the_line_says_why_not() -> None:
    large = several_cards(workload(batch=1024), A5500, PCIE)
    assert large.pays
    assert several_cards_line(large, "en") == f"4 cards: {large.speedup:.1f} times as fast as one."
    assert several_cards_line(large, "zh") == f"4 卡速度为单卡的 {large.speedup:.1f} 倍。"
    small = several_cards(ssftt(), A5500, PCIE)
    assert (small.pays, small.reason, small.bound) == (False, "slow", "launches")
    line = several_cards_line(small, "en")
    assert line.startswith("Several cards are not worth it, because 4 cards are only ")
    assert line.endswith(" times as fast, held back by kernel launches.")
    assert "4 张卡的速度仅为单卡的" in several_cards_line(small, "zh")  # a factor below one is no gain in speed
    assert "内核启动开销" in several_cards_line(small, "zh")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"multi_card": False}, "switched_off"),
        ({"batch": 3}, "batch"),
        ({"batchnorm_min_batch": 32}, "batchnorm"),
        ({"saved_bytes_per_sample": 20_000.0 * MIB}, "memory"),
    ],
)
def test_each_reason_against_several_cards_is_named(changes: dict[str, float], reason: str) -> None:
    found = several_cards(replace(JOB, **changes), A5500, PCIE)
    assert (found.reason, found.pays) == (reason, False)
    assert several_cards_line(found, "zh").startswith("不值得多卡并行，因为")
    assert several_cards(JOB, A5500, []).reason == "link"


def test_synchronised_statistics_count_the_samples_of_all_cards() -> None:
    assert several_cards(replace(JOB, batchnorm_min_batch=32, sync_batchnorm=True), A5500, PCIE).reason != "batchnorm"


def test_a_batch_that_only_four_cards_hold_needs_them_without_accumulation() -> None:
    found = several_cards(replace(JOB, accumulation=False), A5500, PCIE)
    assert (found.pays, found.speedup) == (True, None)
    assert "only way" in several_cards_line(found, "en")


# --- speedup over links and card counts ---


LINE = StepLine(2.0, 1e-6 / 3, 2e6, 9.0)


def test_the_card_chooses_the_generation_of_its_links() -> None:
    for generation, gb_s in ((4, 20.0), (3, 10.0)):
        (row,) = speedup_rows(LINE, PCIE, ["pcie_p2p"], [4], card=replace(A5500, pcie_gen=generation))
        step = 8.0 + 12e6 / (gb_s * 1e6) + 0.1
        assert row.spread.speedup == pytest.approx(4 * 8.0 / step)
    (unknown,) = speedup_rows(LINE, PCIE, ["pcie_p2p"], [4])
    assert unknown.link.pcie_gen == 3  # nobody said: the slower one


def test_curves_start_at_one_card_and_bars_are_efficiencies() -> None:
    rows = speedup_rows(LINE, PCIE, ["pcie_p2p"], [2, 4], card=A5500)
    curve = speedup_curves(rows)["pcie_p2p"]
    assert curve[0] == (1, 1.0, 1.0)
    assert [n for n, _, _ in curve] == [1, 2, 4]
    assert all(s == pytest.approx(n * e) for n, s, e in curve)
    assert [bar.count("#") for bar in bars(rows, 100)] == [round(100 * row.spread.efficiency) for row in rows]


def test_the_picture_holds_each_point_of_each_curve() -> None:
    curves = {"pcie_p2p": [(1, 1.0, 1.0), (2, 1.5, 0.75)], "eth_10g": [(1, 1.0, 1.0), (2, 1.0, 0.5)]}
    root = ElementTree.fromstring(speedup_svg(curves, "a < b", lambda key: key))
    circles = [node for node in root.iter() if node.tag.endswith("circle")]
    assert len(circles) == 2 * 2 * 2  # curves, points, panels
    heights = {round(float(c.get("cy") or 0)) for c in circles if float(c.get("cx") or 0) > 700}
    assert heights == {50 + 65, 50 + 130}  # efficiencies of 0.75 and 0.5 in a panel of 260
    words = [node.text or "" for node in root.iter()]
    assert "a < b" in words
    assert any("link.eth_10g" in text for text in words)


def test_the_command_writes_the_picture_and_the_alternatives(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "chart.svg"
    code, stdout, _ = call(capsys, "threshold", "--cards", "4", "--chart", str(path), "--lang", "zh")
    assert code == 0
    root = ElementTree.fromstring(path.read_text(encoding="utf-8"))
    assert root.tag.endswith("svg")
    assert "先用软件手段" in stdout and "全局批量 36" in stdout
    code, stdout, _ = call(capsys, "threshold", "--cards", "4", "--json", "-")
    found = {row["key"]: row for row in json.loads(stdout)["alternatives"]}
    assert found["accumulation"]["step_ms"] == pytest.approx(32.0)
    assert found["accumulation"]["global_batch"] == 36


def test_the_command_refuses_an_unknown_card_and_a_place_that_is_none(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, _, stderr = call(capsys, "threshold", "--card", "rtx-9999", "--chart", str(tmp_path / "no" / "c.svg"))
    assert code == 2
    assert "rtx-9999" in stderr and "c.svg" in stderr


@pytest.mark.parametrize(("lang", "words"), [("en", "Software first: "), ("zh", "先用软件手段：")])
def test_memory_with_gains_lists_the_alternatives_of_each_job(
    capsys: pytest.CaptureFixture[str], lang: str, words: str
) -> None:
    code, stdout, _ = call(capsys, "memory", "lab-default", "--gains", "--cards", "rtx-a5500", "--lang", lang)
    assert code == 0
    _, record, _ = call(capsys, "memory", "lab-default", "--gains", "--cards", "rtx-a5500", "--json", "-")
    rows = json.loads(record)["rows"]
    assert stdout.count(words) == len(rows)
    for row in rows:
        found = {way["key"]: way for way in row["alternatives"]}
        assert found["independent_runs"]["runs_per_hour"] == pytest.approx(4 * found["accumulation"]["runs_per_hour"])
        assert all(way["global_batch"] == row["batch"] for way in found.values())
        assert {key for key, way in found.items() if way["kind"] == "estimate"} <= {
            "checkpointing", "compiled", "power_cap", "sharding",
        }  # fmt: skip


def test_the_alternatives_of_a_threshold_use_the_link_that_was_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    _, stdout, _ = call(capsys, "threshold", "--cards", "4", "--link", "eth_10g", "--json", "-")
    record = json.loads(stdout)
    spread = next(way for way in record["alternatives"] if way["key"] == "data_parallel")
    assert spread["step_ms"] == pytest.approx(record["rows"][0]["step_ms"])
    assert spread["step_ms"] == pytest.approx(8.0 + 12e6 / 0.875e6 + 0.225)


def test_the_watts_of_a_card_whose_draw_is_not_known_are_unknown_and_never_zero() -> None:
    cards = other_cards()
    assert {way.watts for way in alternatives(ssftt(), cards["v100-sxm2-32"])} == {None}
