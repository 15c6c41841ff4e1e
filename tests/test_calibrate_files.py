"""Files that tell too little, were edited or cut, and folders that are made: what `hwcost calibrate` says."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from cli_calls import call
from test_calibrate import BATCHES, SIZES, measurement, write

from hwcost.catalog import load_catalog
from hwcost.measure.fitting import calibrate


def test_a_missing_file_is_named_and_a_missing_folder_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path / "m.json", measurement())
    code, _, err = call(capsys, "calibrate", str(tmp_path / "none.json"), "--lang", "en")
    assert code == 2 and "none.json" in err
    own = tmp_path / "new" / "own"
    assert call(capsys, "calibrate", str(file), "--out", str(own))[0] == 0
    assert sorted(path.name for path in own.iterdir()) == ["calibration.csv", "links.csv"]


def test_a_folder_that_cannot_be_made_is_named_before_anything_is_computed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path / "m.json", measurement())
    for place in (file, file / "own"):
        code, out, err = call(capsys, "calibrate", str(file), "--out", str(place), "--lang", "en")
        assert code == 2 and not out and "m.json" in err
        assert ("is a file; name another folder" if place != file else "this is a file") in err


def scan_of(record: Any, step_ms: Any) -> Any:
    """The baseline of the small network with other times: a function of the batch."""
    for case in record["results"]["baseline"]:
        if case["model"] == "own:small" and case["kind"] == "steps":
            case["median_ms"] = step_ms(case["batch"])
    return record


@pytest.mark.parametrize(("lang", "says"), [("en", "the step gets shorter as the batch grows"), ("zh", "步时反而缩短")])
def test_step_times_that_fall_give_no_constants_and_a_sentence_with_the_reason(
    lang: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path / "m.json", scan_of(measurement(), lambda batch: 40.0 - 0.4 * batch))
    code, out, err = call(capsys, "calibrate", str(file), "--lang", lang)
    assert code == 0, err
    line = next(line for line in out.splitlines() if says in line)
    assert "own:small" in line and "39.600" in line and "14.400" in line and "--restart" in line


def test_steps_that_do_not_depend_on_the_batch_are_their_fixed_part(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Launches alone: five ms at every batch, one per mille less at the largest. The row is one the catalog loads."""
    jitter = dict(zip(BATCHES, (5.01, 4.99, 5.02, 4.98, 5.0, 5.01, 4.99, 4.985), strict=True))
    record = scan_of(measurement(), lambda batch: jitter[batch])
    found = calibrate(record)
    small = next(network for network in found.networks if network.model == "own:small")
    assert small.c0_ms.value == pytest.approx(5.0, rel=0.005) and small.ms_per_sample.value == 0.0
    file, own = write(tmp_path / "m.json", record), tmp_path / "own"
    code, out, err = call(capsys, "calibrate", str(file), "--out", str(own), "--lang", "en")
    assert code == 0 and "own:small: all batches take the same time" in out, err
    row = next(row for row in load_catalog(own).calibrations.values() if row.workload_id == "own-small-1x9x9")
    assert 0.0 < row.ms_per_sample * 64 < 0.01 * row.c0_ms


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda r: r["results"]["baseline"][2].update(median_ms=-3.0), "results.baseline[2].median_ms"),
        (lambda r: r["results"]["ratio"][0].update(median_ms=1e308), "results.ratio[0].median_ms"),
        (lambda r: r["models"]["own:small"].update(gradient_bytes=10**400), "models.own:small.gradient_bytes"),
        (lambda r: r["results"]["all_reduce"][1].update(median_ms=math.nan), "results.all_reduce[1].median_ms"),
        (lambda r: r["results"]["ratio"][0].update(quartile1_ms="1"), "results.ratio[0].quartile1_ms"),
        (lambda r: r["results"]["ratio"][0].update(model="gone"), "results.ratio[0].model"),
        (lambda r: r["results"]["all_reduce"][0].update(processes=1), "results.all_reduce[0].processes"),
        (lambda r: r["results"]["baseline"][0].update(batch=True), "results.baseline[0].batch"),
        (lambda r: r["models"]["own:small"].update(params=0), "models.own:small.params"),
        (lambda r: r["machine"].update(cards=[]), "machine.cards"),
        (lambda r: r["settings"].update(precision="fp7"), "settings.precision"),
        (lambda r: r.update(updated="yesterday"), "updated"),
    ],
)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_an_edited_figure_is_named_with_its_place(
    change: Any, place: str, lang: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = measurement()
    change(record)
    file, own = write(tmp_path / "m.json", record), tmp_path / "own"
    code, out, err = call(capsys, "calibrate", str(file), "--out", str(own), "--lang", lang)
    assert code == 2 and not out and not own.exists()
    assert place in err and str(file) in err


def test_a_file_cut_anywhere_is_refused_with_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = json.dumps(measurement())
    for share in (0.0, 0.1, 0.5, 0.9, 0.999):
        (tmp_path / "m.json").write_text(text[: int(share * len(text))], encoding="utf-8")
        code, out, err = call(capsys, "calibrate", str(tmp_path / "m.json"), "--lang", "en")
        assert code == 2 and not out and "no measurement of hwcost" in err


def test_lists_nested_without_end_are_refused_with_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "m.json").write_text("[" * 200_000, encoding="utf-8")
    code, _, err = call(capsys, "calibrate", str(tmp_path / "m.json"), "--lang", "en")
    assert code == 2 and "no measurement of hwcost" in err


def test_one_card_alone_gives_its_networks_and_no_link(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = measurement()
    record["results"] |= {"all_reduce": [], "ratio": []}
    file, own = write(tmp_path / "m.json", record), tmp_path / "own"
    code, out, err = call(capsys, "calibrate", str(file), "--out", str(own), "--lang", "en")
    assert code == 0 and "not measured" in out and "known only from several cards" in err
    assert [path.name for path in own.iterdir()] == ["calibration.csv"]


def test_two_sizes_or_two_batches_are_called_too_few(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = measurement()
    record["results"]["all_reduce"] = [c for c in record["results"]["all_reduce"] if c["bytes"] in SIZES[:2]]
    record["results"]["baseline"] = [
        case for case in record["results"]["baseline"] if case["model"] == "own:large" or case["batch"] in BATCHES[:2]
    ]
    code, out, _ = call(capsys, "calibrate", str(write(tmp_path / "m.json", record)), "--lang", "en")
    assert code == 0
    assert "own:small: no c0 and c1, since only 2 different batches" in out
    assert "All-reduce over 4: no alpha and bandwidth, since only 2 message sizes" in out


@pytest.mark.parametrize(
    ("names", "says"),
    [
        (["NVIDIA RTX A5500", "NVIDIA GeForce RTX 3090"], "cards differ"),
        (["NVIDIA A100-SXM4-40GB MIG 1g.5gb"], "MIG off"),
    ],
)
def test_cards_of_two_kinds_and_parts_of_a_card_give_no_rows(
    names: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = measurement()
    record["machine"]["cards"] = [{"name": name} for name in names]
    code, out, err = call(capsys, "calibrate", str(write(tmp_path / "m.json", record)), "--lang", "en")
    assert code == 2 and not out and says in err and names[0] in err
