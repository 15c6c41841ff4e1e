"""Measured steps (`calibration.csv`) count before predictions: hours, evidence and error bands by formula."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cli_calls import call
from openpyxl import load_workbook
from scenario_kit import document
from small_cases import CARD, WORKLOAD, build
from test_calibrate import C0, PER_SAMPLE, SMALL, measurement

from hwcost.alternatives import alternatives
from hwcost.bounds import bound_on
from hwcost.calibration import CalibrationRow, MeasuredStep
from hwcost.catalog import catalog_sha256, load_catalog
from hwcost.errors import InputError
from hwcost.messages import LANGUAGES, say
from hwcost.records import Catalog, Link, Origin
from hwcost.scaling import data_parallel
from hwcost.scenario import Scenario
from hwcost.scenario_io import scenario_from_dict
from hwcost.steptime import ERROR_SHARE, gains, step_time
from hwcost.strategy import Strategy
from hwcost.ways import Way, evaluate

CATALOG = load_catalog()
ORIGIN = Origin("calibration.csv", 2, "user", "measured here", None, "measured")
LINK = Link("pcie_p2p", 4, 4, 20.0, None, None, 100.0, CARD.origin)
LINE = MeasuredStep("card", "fp32", 4.0, 0.5, 3.8, 4.4, 0.45, 0.55, 1, 64)
MEASURED = replace(WORKLOAD, calibrations=(LINE,))
OTHER_CARD = replace(CARD, id="other")
COMPILED_SHARE, FLOOR = 0.67, 0.08


def row(**changes: Any) -> CalibrationRow:
    """HybridSN on an A5500: 4 ms and 0.05 ms a sample, each known to a tenth."""
    return replace(
        CalibrationRow(
            workload_id="hybridsn-ip", card_id="rtx-a5500", precision="torch_default", params=5_122_176.0,
            batch_from=1, batch_to=256, c0_ms=4.0, c0_low_ms=3.6, c0_high_ms=4.4, ms_per_sample=0.05,
            ms_per_sample_low=0.045, ms_per_sample_high=0.055, step_cv=None, step_cv_low=None, step_cv_high=None,
            overlap=None, overlap_low=None, overlap_high=None, overhead_ms_per_tensor=None, overhead_low_ms=None,
            overhead_high_ms=None, loader_ms_per_sample=None, origin=ORIGIN,
        ),
        **changes,
    )  # fmt: skip


def scenario(rows: Sequence[CalibrationRow] = (), **changes: Any) -> Scenario:
    catalog = replace(CATALOG, calibrations={item.id: item for item in rows})
    data = document(workload__startup_s=0, workload__steps_per_run=36_000, workload__workers=8)
    del data["workload"][0]["epochs"]
    data["workload"][0] |= changes
    return scenario_from_dict(data, catalog)


def way(of: Scenario, card: str = "rtx-a5500", cards: int = 1) -> Strategy:
    node = build(card, CATALOG.cards[card], 4, 1000.0, 1000.0, link=LINK)
    return evaluate(of, of.workloads[0], node, cards)


# --- the step ---


@pytest.mark.parametrize(("micro", "passes"), [(8, 1), (16, 2), (32, 1)])
def test_the_card_time_of_a_measured_step_is_c0_a_pass_and_the_measured_time_a_sample(micro: int, passes: int) -> None:
    step = step_time(MEASURED, CARD, micro, accumulation_steps=passes)
    middle = 4.0 * passes + 0.5 * micro * passes
    assert step.card_ms == pytest.approx(middle, rel=1e-12)
    assert step.launch_ms == pytest.approx(4.0 * passes, rel=1e-12)
    above = (4.4 * passes + 0.55 * micro * passes) / middle - 1
    below = 1 - (3.8 * passes + 0.45 * micro * passes) / middle
    assert step.evidence == "measured"
    assert step.error_share == pytest.approx(max(above, below), rel=1e-9)


def test_a_last_pass_with_fewer_samples_counts_those_it_has() -> None:
    # a batch of 32 in passes of 12: 12 + 12 + 8
    assert step_time(MEASURED, CARD, 12, accumulation_steps=3).card_ms == pytest.approx(3 * 4.0 + 0.5 * 32)


def test_another_card_or_precision_is_predicted_as_before() -> None:
    assert step_time(MEASURED, OTHER_CARD, 32) == step_time(WORKLOAD, OTHER_CARD, 32)
    half = replace(MEASURED, precision="amp16")
    assert step_time(half, CARD, 32) == step_time(replace(half, calibrations=()), CARD, 32)


def test_the_band_is_never_narrower_than_what_hosts_differ_by() -> None:
    exact = replace(LINE, c0_low_ms=4.0, c0_high_ms=4.0, ms_per_sample_low=0.5, ms_per_sample_high=0.5)
    assert step_time(replace(WORKLOAD, calibrations=(exact,)), CARD, 32).error_share == FLOOR


@pytest.mark.parametrize(
    ("line", "micro", "recompute", "compiled"),
    [(LINE, 65, 1.0, False), (replace(LINE, batch_from=16), 8, 1.0, False), (LINE, 32, 4 / 3, False),
     (LINE, 32, 1.0, True), (replace(LINE, c0_high_ms=None), 32, 1.0, False)],
)  # fmt: skip
def test_what_does_not_run_as_it_was_measured_is_called_transferred(
    line: MeasuredStep, micro: int, recompute: float, compiled: bool
) -> None:
    step = step_time(replace(WORKLOAD, calibrations=(line,), compiled=compiled), CARD, micro, recompute=recompute)
    assert (step.evidence, step.error_share) == ("transferred", ERROR_SHARE["transferred"])
    launches = 4.0 * (COMPILED_SHARE if compiled else 1.0)
    assert step.card_ms == pytest.approx(recompute * (launches + 0.5 * micro))


def test_waiting_for_the_loader_was_not_measured_and_widens_the_band() -> None:
    slow = replace(MEASURED, loader_ms_per_sample=5.0, workers=4)  # 32 x 5 / 4 = 40 ms against 20 on the card
    step = step_time(slow, CARD, 32)
    middle = 4.0 + 0.5 * 32
    own = max((4.4 + 0.55 * 32) / middle - 1, FLOOR)
    assert (step.total_ms, step.bound) == (pytest.approx(40.0), "loader")
    assert step.error_share == pytest.approx((own * middle + ERROR_SHARE["estimated"] * (40.0 - middle)) / 40.0)


def test_a_tenth_more_of_what_bounds_a_sample_gains_only_on_the_samples() -> None:
    # fp32: 3 GFLOP against 10 MB a sample is bound by compute
    saved = gains(MEASURED, CARD, 32)
    assert saved["compute"] == pytest.approx(0.5 * 32 * (1 - 1 / 1.1) / 20.0, rel=1e-9)
    assert saved["bandwidth"] == pytest.approx(0.0, abs=1e-12)


# --- ways ---


def test_hours_of_a_run_follow_from_the_measured_line() -> None:
    found = way(scenario([row()]))
    step_ms = 4.0 + 0.05 * 256
    assert found.step_ms == pytest.approx(step_ms, rel=1e-9)
    assert found.hours_per_run == pytest.approx(36_000 * step_ms / 3.6e6, rel=1e-9)
    assert (found.evidence, found.error_share) == ("measured", pytest.approx(0.1, rel=1e-9))
    assert way(scenario()).evidence != "measured"


def test_several_cards_add_predicted_communication_with_the_band_of_an_estimate() -> None:
    measured = scenario([row(step_cv=0.03, overlap=0.2, overhead_ms_per_tensor=0.01)])
    job, found = measured.workloads[0], way(measured, cards=4)
    alone = 4.0 + 0.05 * 64
    spread = data_parallel(
        alone, job.params, 4.0, 4, LINK, overlap=0.2, step_cv=0.03, parameter_tensors=job.parameter_tensors,
        overhead_ms_per_tensor=0.01,
    )  # fmt: skip
    assert spread.overhead_ms == pytest.approx(0.01 * job.parameter_tensors)
    assert found.step_ms == pytest.approx(spread.step_ms, rel=1e-9)
    rest = spread.step_ms - alone
    assert found.evidence == "measured"
    assert found.error_share == pytest.approx((0.1 * alone + 0.5 * rest) / spread.step_ms, rel=1e-9)


def test_without_a_measurement_a_tensor_costs_the_usual_20_us() -> None:
    spread = data_parallel(10.0, 1e6, 4.0, 2, LINK, parameter_tensors=50)
    assert spread.overhead_ms == pytest.approx(50 * 0.020)
    assert data_parallel(10.0, 1e6, 4.0, 2, LINK, parameter_tensors=50, overhead_ms_per_tensor=0.0).overhead_ms == 0.0


def test_sharing_a_card_is_an_estimate_on_top_of_the_measurement() -> None:
    of = scenario([row()], sharers=2)
    node = build("rtx-a5500", CATALOG.cards["rtx-a5500"], 4, 1000.0, 1000.0, link=LINK)
    shared = evaluate(of, of.workloads[0], node, 1, Way(sharers=2))
    assert shared.evidence == "transferred" and shared.error_share >= ERROR_SHARE["transferred"]
    assert shared.step_ms >= 1.05 * 2 * 0.05 * 256


def test_every_page_about_a_card_uses_the_measured_step() -> None:
    job, card = scenario([row()]).workloads[0], CATALOG.cards["rtx-a5500"]
    bound = bound_on(job, card, 0.25, CATALOG.links)
    assert bound is not None and bound.evidence == "measured" and bound.step_ms == pytest.approx(4.0 + 0.05 * 256)
    assert alternatives(job, card, CATALOG.links)[0].step_ms == pytest.approx(4.0 + 0.05 * 256)


# --- which row counts ---


def test_the_workloads_own_row_wins_over_that_of_its_preset() -> None:
    found = way(scenario([row(), row(workload_id="w", c0_ms=8.0, c0_low_ms=8.0, c0_high_ms=8.0)]))
    assert found.step_ms == pytest.approx(8.0 + 0.05 * 256)


def test_a_preset_whose_network_the_scenario_changes_is_not_what_was_measured() -> None:
    changed: dict[str, Any] = {"forward_gflop_per_sample": 3.0}
    assert scenario([row()], **changed) == scenario(**changed)
    assert way(scenario([row(workload_id="w")], **changed)).evidence == "measured"
    assert way(scenario([row()], loader_ms_per_sample=0.01)).evidence == "measured"  # not a figure of the card


def test_a_measurement_on_a_processor_serves_nothing() -> None:
    assert scenario([row(card_id="cpu", step_cv=0.5)]) == scenario()


def test_the_anchors_own_card_keeps_the_timed_run_and_other_measured_cards_their_step() -> None:
    anchor = {"card": "rtx-a5500", "hours_per_run": 3.0}
    plain, both = scenario(anchor=anchor), scenario([row(), row(card_id="rtx-3090")], anchor=anchor)
    assert way(both) == way(plain)
    assert way(both).evidence == "transferred"
    assert way(both, "rtx-3090").step_ms == pytest.approx(4.0 + 0.05 * 256)
    assert way(both, "rtx-3090").evidence == "measured"
    assert way(both, "rtx-a6000") == way(plain, "rtx-a6000")  # the anchor's factor holds where nothing was measured


def test_what_the_measurement_says_beyond_the_step_is_used_unless_the_scenario_states_it() -> None:
    rows = [
        row(step_cv=0.03, overlap=0.2, overhead_ms_per_tensor=0.01, loader_ms_per_sample=0.4),
        row(card_id="rtx-3090", step_cv=0.05, overlap=0.1, overhead_ms_per_tensor=0.03, loader_ms_per_sample=0.3),
        row(card_id="rtx-a6000", precision="amp16", step_cv=0.9, overlap=0.0),
    ]
    job = scenario(rows).workloads[0]
    assert (job.step_cv, job.overlap, job.overhead_ms_per_tensor, job.loader_ms_per_sample) == (0.05, 0.1, 0.03, 0.4)
    stated = {"step_cv": 0.01, "overlap": 0.6, "loader_ms_per_sample": 0.2}
    job = scenario(rows, **stated).workloads[0]
    assert {name: getattr(job, name) for name in stated} == stated


def test_used_measurements_stand_among_the_assumptions_with_a_name_in_both_languages() -> None:
    found = scenario([row(step_cv=0.03, overlap=0.2, overhead_ms_per_tensor=0.01, loader_ms_per_sample=0.4)])
    noted = {a.key: a for a in found.assumptions if a.key.startswith("measured_")}
    assert noted["measured_step"].value == pytest.approx(4.0 + 0.05 * 256)
    assert len(noted) == 5
    for key, assumption in noted.items():
        assert (assumption.kind, assumption.source) == ("measured", "w: measured here")
        assert len({say(f"assumption.{key}", lang) for lang in LANGUAGES}) == 2


def test_a_measurement_changes_the_fingerprints_and_none_leaves_them() -> None:
    plain = scenario()
    assert scenario([row(workload_id="another")]).sha256 == plain.sha256
    assert scenario([row()]).sha256 != plain.sha256
    assert scenario([row(origin=replace(ORIGIN, row=9, file="elsewhere"))]).sha256 == scenario([row()]).sha256
    held = replace(CATALOG, calibrations={row().id: row()})
    assert catalog_sha256(CATALOG) == CATALOG.sha256 != catalog_sha256(held)


# --- the table ---


COLUMNS = (
    "workload_id", "card_id", "precision", "params", "batch_from", "batch_to", "c0_ms", "c0_low_ms", "c0_high_ms",
    "ms_per_sample", "ms_per_sample_low", "ms_per_sample_high", "step_cv", "step_cv_low", "step_cv_high", "overlap",
    "overlap_low", "overlap_high", "overhead_ms_per_tensor", "overhead_low_ms", "overhead_high_ms",
    "loader_ms_per_sample", "source", "as_of", "kind",
)  # fmt: skip
CELLS = {
    "workload_id": "hybridsn-ip", "card_id": "rtx-a5500", "precision": "torch_default", "params": "5122176",
    "batch_from": "1", "batch_to": "256", "c0_ms": "4", "c0_low_ms": "3.6", "c0_high_ms": "4.4",
    "ms_per_sample": "0.05", "ms_per_sample_low": "0.045", "ms_per_sample_high": "0.055", "source": "measured here",
    "as_of": "2026-11-30", "kind": "measured",
}  # fmt: skip


def folder(path: Path, *rows: dict[str, str]) -> Path:
    with (path / "calibration.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="")
        writer.writeheader()
        writer.writerows(rows)
    return path


def loaded(path: Path, *rows: dict[str, str]) -> Catalog:
    return load_catalog(folder(path, *rows))


def test_a_folder_with_nothing_but_measured_steps_is_read(tmp_path: Path) -> None:
    found = loaded(tmp_path, CELLS).calibrations
    held = found["hybridsn-ip/rtx-a5500/torch_default"]
    assert list(found) == [held.id] and held.origin.layer == "user" and held.origin.kind == "measured"
    assert replace(held, origin=ORIGIN) == row()


@pytest.mark.parametrize(
    ("column", "cell", "code"),
    [("card_id", "rtx-a550", "id_unknown"), ("precision", "fp23", "choice"),
     ("params", "10000000", "calibration_params"), ("c0_ms", "-1", "range"), ("ms_per_sample", "0", None),
     ("ms_per_sample", "", "cell_empty"), ("c0_ms", "5", "band"), ("batch_to", "0", None),
     ("kind", "estimate", "choice"), ("kind", "", "cell_empty"), ("step_cv", "2", "range"),
     ("source", "", "cell_empty")],
)  # fmt: skip
def test_a_wrong_cell_is_told_with_file_row_and_column(column: str, cell: str, code: str | None, tmp_path: Path
                                                       ) -> None:  # fmt: skip
    with pytest.raises(InputError) as caught:
        loaded(tmp_path, CELLS, CELLS | {"precision": "tf32"} | {column: cell})
    problem = caught.value.problems[0]
    assert (problem.row, problem.column) == (3, column) and problem.file == str(tmp_path / "calibration.csv")
    assert code is None or problem.code == code


def test_batches_that_fall_and_a_row_given_twice_are_told(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        loaded(tmp_path, CELLS | {"batch_from": "64", "batch_to": "8"})
    assert [(p.code, p.column) for p in caught.value.problems] == [("range_low", "batch_to")]
    with pytest.raises(InputError) as caught:
        loaded(tmp_path, CELLS, CELLS | {"c0_ms": "4.1"})
    assert [(p.code, p.row) for p in caught.value.problems] == [("row_twice", 3)]


def test_a_workload_of_another_size_than_its_row_is_told() -> None:
    with pytest.raises(InputError) as caught:
        scenario([row(workload_id="w")], params=1e6)
    assert [(p.code, p.column) for p in caught.value.problems] == [
        ("scenario_calibration_params", "workload[1].params")
    ]


def test_a_wrong_row_ends_a_plan_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = folder(tmp_path, CELLS | {"card_id": "rtx-a550"})
    for lang in LANGUAGES:
        code, out, err = call(capsys, "check", "--catalog", str(own), "--lang", lang)
        assert code == 2 and not out and "calibration.csv" in err and "card_id" in err and "rtx-a5500" in err


# --- from the measurement to the plan ---

LAB = """
schema = "hwcost.scenario/1"
id = "own"
region = "CN"
as_of = 2026-11-30
objective = "serve"
[choice]
include_cards = ["rtx-a5500"]
allowed_statuses = ["on_sale", "remnant", "used", "discontinued"]
[[owned]]
id = "o"
card = "rtx-a5500"
chassis = "consumer-full"
psu = "rm1000x"
storage = "nvme-4tb"
[[workload]]
id = "own-small-1x9x9"
runs_per_year = 10
batch = 64
steps_per_run = 36000
startup_s = 0
params = 2000000
forward_gflop_per_sample = 0.5
saved_mib_per_sample = 2.0
largest_saved_mib_per_sample = 0.5
launches_per_step = 100
parameter_tensors = 60
input_mib_per_sample = 0.01
loader_ms_per_sample = 0.01
dataset_gb = 1
"""


def test_a_measured_card_that_the_catalog_lacks_is_to_be_added(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "m.json"
    file.write_text(json.dumps(measurement(card="NVIDIA A100-SXM4-40GB")), encoding="utf-8")
    card = "a100-sxm4-40"
    assert card not in CATALOG.cards
    code, _, err = call(capsys, "calibrate", str(file), "--out", str(tmp_path), "--lang", "en")
    assert code == 0 and f"no card {card} yet" in err and "hwcost catalog add" in err
    code, _, err = call(capsys, "check", "--catalog", str(tmp_path), "--lang", "en")
    assert code == 2 and card in err


def test_check_names_the_rows_that_serve_no_workload(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lab = tmp_path / "lab.toml"
    lab.write_text(LAB.replace('id = "own-small-1x9x9"', 'id = "w"\nprecision = "torch_default"'), encoding="utf-8")
    fits, slip = CELLS | {"workload_id": "w", "params": "2000000"}, CELLS | {"workload_id": "v"}
    own = folder(tmp_path, fits, slip, fits | {"precision": "tf32"})
    for lang in LANGUAGES:
        code, out, err = call(capsys, "check", str(lab), "--catalog", str(own), "--lang", lang)
        assert code == 0, err
        assert "v/rtx-a5500/torch_default" in out and "w/rtx-a5500/tf32" in out
        assert "w/rtx-a5500/torch_default" not in out


def test_a_calibrated_folder_sets_the_hours_of_a_plan(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own, file, lab, result = tmp_path / "own", tmp_path / "m.json", tmp_path / "lab.toml", tmp_path / "plan.json"
    own.mkdir()
    file.write_text(json.dumps(measurement()), encoding="utf-8")
    lab.write_text(LAB, encoding="utf-8")
    assert call(capsys, "calibrate", str(file), "--out", str(own))[0] == 0
    words = {"en": "measured on this card", "zh": "本卡实测"}
    for lang in LANGUAGES:
        book = tmp_path / f"{lang}.xlsx"
        options = ("--catalog", str(own), "--json", str(result), "--lang", lang, "--xlsx", str(book))
        code, out, err = call(capsys, "plan", str(lab), *options)
        assert code == 0, err
        assert words[lang] in out
        cells = [c for sheet in load_workbook(book) for line in sheet.iter_rows(values_only=True) for c in line]
        assert any(words[lang] in str(cell) for cell in cells)
    plan = json.loads(result.read_text(encoding="utf-8"))
    assert {a["evidence"] for a in plan["assignments"]} == {"measured"}
    assert SMALL == 2_000_000
    for assignment in plan["assignments"]:
        assert assignment["hours_per_run"] == pytest.approx(36_000 * (C0 + PER_SAMPLE * 64) / 3.6e6, rel=1e-4)
    assert any(a["key"] == "measured_step" and a["kind"] == "measured" for a in plan["assumptions"])
