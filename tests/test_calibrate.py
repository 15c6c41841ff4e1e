"""Constants recovered from made measurements whose truth is known, and the rows that come of them."""

from __future__ import annotations

import csv
import json
import math
import random
import statistics
import sys
from pathlib import Path
from typing import Any

import pytest
from cli_calls import call

from hwcost.catalog import load_catalog
from hwcost.measure.fitting import Calibration, calibrate, variation
from hwcost.measure.line import Interval, fit_line, scatter, student
from hwcost.scaling import find_link

C0, PER_SAMPLE, ALPHA_MS, BUS = 2.0, 0.75, 0.030, 20.0  # ms, ms, ms, GB/s
PER_TENSOR, OVERLAP, CV = 0.020, 0.30, 0.02
SMALL, LARGE = 2_000_000, 50_000_000  # parameters: 8 MB in one bucket, 200 MB in eight of 25 MiB
TENSORS = 60
COUNT = 200
EXPECTED_MAXIMUM = {2: 0.5642, 4: 1.0294}
BATCHES = (1, 2, 4, 8, 9, 16, 32, 64)
SIZES = (4096, 65536, 2**20, 2**22, 2**24, 2**26, 2**28)


def true_all_reduce(size: float, cards: int) -> float:
    return ALPHA_MS + 2 * (cards - 1) / cards * size / (BUS * 1e6)


def true_step(params: int, cards: int, batch: int) -> float:
    compute = C0 + PER_SAMPLE * batch
    buckets = max(1, math.ceil(params * 4 / (25 * 2**20)))
    in_full = buckets * ALPHA_MS + 2 * (cards - 1) / cards * params * 4 / (BUS * 1e6)
    exposed = max(in_full - OVERLAP * 2 / 3 * compute, in_full / buckets)
    return compute * (1 + CV * EXPECTED_MAXIMUM[cards]) + PER_TENSOR * TENSORS + exposed


def measurement(noise: float = 0.0, seed: int = 0, card: str = "NVIDIA RTX A5500", device: str = "cuda") -> Any:
    """A measurement with relative noise on every median."""
    draw = random.Random(seed)

    def case(key: str, ms: float, **more: Any) -> dict[str, Any]:
        median = ms * math.exp(draw.gauss(0.0, noise))
        half = CV * 1.349 / 2 * median
        return {"key": key, "kind": "steps", "median_ms": median, "quartile1_ms": median - half,
                "quartile3_ms": median + half, "count": COUNT, "cv": CV, **more}  # fmt: skip

    models = {
        name: {"params": params, "parameter_tensors": TENSORS, "gradient_bytes": params * 4, "inputs": ["1x9x9"]}
        for name, params in (("own:small", SMALL), ("own:large", LARGE))
    }
    whole = {"accumulation_steps": 1, "sync": True}
    baseline = [
        case(f"{name}/{b}", C0 + PER_SAMPLE * b, model=name, batch=b, micro_batch=b, processes=1, **whole)
        for name in models for b in BATCHES
    ]  # fmt: skip
    baseline.append({**case("own:small/loader/9", 0.9, model="own:small", batch=9, processes=1), "kind": "loader"})
    all_reduce = [
        case(f"{n}/{size}", true_all_reduce(size, n), bytes=size, processes=n) for n in (2, 4) for size in SIZES
    ]
    ratio = []
    for name, params in (("own:small", SMALL), ("own:large", LARGE)):
        for n in (2, 4):
            shared = {"model": name, "batch": 64, "micro_batch": 64, "accumulation_steps": 1, "processes": n}
            ratio.append(case(f"{name}/{n}/64/sync", true_step(params, n, 64), sync=True, **shared))
            ratio.append(case(f"{name}/{n}/64/apart", C0 + PER_SAMPLE * 64, sync=False, **shared))
    cards = [{"name": card, "memory_mib": 24564.0, "capability": "8.6"}] * 4 if device == "cuda" else []
    return {
        "schema": "hwcost.measurement/1", "created": "2026-11-30T08:00:00+00:00",
        "updated": "2026-11-30T09:00:00+00:00", "complete": True,
        "machine": {"cpu": "test", "cores": 32, "ram_gib": 128.0, "cards": cards},
        "versions": {"torch": "2.13.0"}, "models": models,
        "settings": {"device": device, "precision": "torch_default", "batch": 64},
        "results": {"baseline": baseline, "all_reduce": all_reduce, "ratio": ratio, "scan": [], "target": []},
        "summary": [],
    }  # fmt: skip


def holds(interval: Interval | None, truth: float) -> bool:
    assert interval is not None
    return interval.low <= truth and (interval.high is None or truth <= interval.high)


def known(found: Calibration) -> list[tuple[str, Interval | None, float]]:
    """Every constant beside its truth."""
    small = next(network for network in found.networks if network.model == "own:small")
    pairs = [
        ("c0", small.c0_ms, C0), ("ms per sample", small.ms_per_sample, PER_SAMPLE),
        ("c1", small.c1_ms, PER_SAMPLE / SMALL), ("cv", small.step_cv, CV),
        ("per tensor", found.overhead_ms_per_tensor, PER_TENSOR), ("overlap", found.overlap, OVERLAP),
    ]  # fmt: skip
    for fit in found.all_reduces:
        pairs += [("alpha", fit.alpha_us, ALPHA_MS * 1e3), ("bus", fit.bus_gb_s, BUS)]
    return pairs


# --- recovery ---


def test_exact_timings_give_the_constants_within_5_per_cent() -> None:
    pairs = known(calibrate(measurement()))
    assert len(pairs) == 10
    for name, interval, truth in pairs:
        assert interval is not None, name
        assert interval.value == pytest.approx(truth, rel=0.05), name


@pytest.mark.parametrize(("noise", "overlap"), [(0.02, 0.3), (0.02, 0.0)])
def test_noisy_timings_give_constants_whose_95_per_cent_intervals_hold_the_truth(
    noise: float, overlap: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules[__name__], "OVERLAP", overlap)
    held: dict[str, list[bool]] = {}
    for seed in range(200):
        for name, interval, truth in known(calibrate(measurement(noise, seed))):
            if name != "cv":  # stated in each case, without noise
                held.setdefault(name, []).append(holds(interval, truth))
    shares = {name: sum(found) / len(found) for name, found in held.items()}
    assert set(shares) == {"c0", "ms per sample", "c1", "alpha", "bus", "per tensor", "overlap"}
    # a 95 % interval is held by fewer than 90 % of 200 with a chance of 1 in 500
    assert all(share >= 0.90 for share in shares.values()), shares
    # an overlap at the edge of its range is held from one side alone
    inner = {name: share for name, share in shares.items() if overlap > 0.0 or name != "overlap"}
    assert all(share <= 0.99 for share in inner.values()), shares


@pytest.mark.parametrize("count", [8, 20, 200])
def test_the_interval_of_the_variation_holds_the_truth_at_few_steps_as_at_many(count: int) -> None:
    draw, held = random.Random(5), 0
    for _ in range(500):
        steps = sorted(draw.gauss(10.0, 10.0 * CV) for _ in range(count))
        quarter, half, three = statistics.quantiles(steps, n=4, method="inclusive")
        held += holds(variation({"cv": (three - quarter) / 1.349 / half, "count": count}), CV)
    assert 0.90 <= held / 500 <= 0.99


def test_a_scan_that_bends_from_launches_to_compute_is_not_taken_for_scatter() -> None:
    """Ten ms of launches up to a batch of 13, then 0.75 ms a sample: exact but for 0.2 % of noise."""
    draw = random.Random(1)
    scan = [(float(b), max(10.0, 0.75 * b) * math.exp(draw.gauss(0.0, 0.002))) for b in BATCHES]
    share, _ = scatter([scan, scan])
    assert share < 0.01


def test_the_interval_grows_with_the_noise_of_the_medians() -> None:
    def width(noise: float) -> float:
        widths = []
        for seed in range(20):
            interval = calibrate(measurement(noise, seed)).networks[0].c0_ms
            assert interval.high is not None
            widths.append(interval.high - interval.low)
        return sum(widths) / len(widths)

    assert width(0.04) == pytest.approx(2 * width(0.02), rel=0.15)


def test_gradients_of_one_bucket_say_nothing_about_overlap_and_those_of_several_nothing_about_tensors() -> None:
    only_small, only_large = measurement(), measurement()
    for record, other in ((only_small, "own:large"), (only_large, "own:small")):
        del record["models"][other]
        record["results"]["ratio"] = [case for case in record["results"]["ratio"] if case["model"] != other]
    assert calibrate(only_small).overlap is None
    assert calibrate(only_large).overhead_ms_per_tensor is None
    overlap = calibrate(only_large).overlap  # with the usual 20 us a tensor, which is the truth here
    assert overlap is not None and overlap.value == pytest.approx(OVERLAP, rel=0.05)


def test_communication_that_hides_whole_gives_the_least_overlap_and_no_upper_limit_below_one() -> None:
    record = measurement()
    record["results"]["ratio"] = [case for case in record["results"]["ratio"] if case["processes"] == 2]
    # over two cards all but the last of eight buckets hides: 7/8 of it in 2/3 of the step
    compute = C0 + PER_SAMPLE * 64
    in_full = 8 * ALPHA_MS + LARGE * 4 / (BUS * 1e6)
    overlap = calibrate(record).overlap
    assert overlap is not None
    assert overlap.value == pytest.approx(7 / 8 * in_full / (2 / 3 * compute), rel=0.01)
    assert overlap.value <= OVERLAP <= (overlap.high or 0.0) == 1.0


def test_predictions_from_exact_timings_equal_them_also_where_nothing_was_fitted() -> None:
    record = measurement()
    share = {"model": "own:small", "batch": 32, "micro_batch": 16, "accumulation_steps": 2, "sync": True}
    one_pass = C0 + PER_SAMPLE * 16
    record["results"]["scan"] = [
        {"key": "scan", "kind": "steps", "processes": 1, "median_ms": 2 * one_pass, **share},
        {"key": "scan2", "kind": "steps", "processes": 2, **share, "median_ms": 2 * one_pass
         * (1 + CV * EXPECTED_MAXIMUM[2] / math.sqrt(2)) + PER_TENSOR * TENSORS + true_all_reduce(SMALL * 4, 2)},
    ]  # fmt: skip
    checks = calibrate(record).checks
    scans = [check for check in checks if check.kind == "scan"]
    assert len(scans) == 2 and not any(check.fitted for check in scans)
    assert all(check.error < 0.005 for check in checks)


def test_steps_that_several_processes_slow_without_communication_are_told_apart() -> None:
    record = measurement()
    for case in record["results"]["ratio"]:
        if not case["sync"]:
            case["median_ms"] *= 1.5
    contention = calibrate(record).contention
    assert contention["own:small", 4] == pytest.approx(1.5, rel=1e-6)


# --- the line ---


def test_a_line_needs_three_different_points() -> None:
    assert fit_line([(1.0, 2.0), (2.0, 3.0), (2.0, 3.1)]) is None
    line = fit_line([(1.0, 3.0), (2.0, 5.0), (4.0, 9.0)])
    assert line is not None
    assert (line.intercept.value, line.slope.value) == (pytest.approx(1.0), pytest.approx(2.0))


def test_a_line_that_would_start_below_zero_starts_at_zero() -> None:
    line = fit_line([(1.0, 0.9), (2.0, 2.1), (4.0, 4.3)])
    assert line is not None
    assert line.intercept.value == 0.0 and line.intercept.low == 0.0
    # through the origin, relative errors squared: sum(x/y) / sum(x^2/y^2)
    points = [(1.0, 0.9), (2.0, 2.1), (4.0, 4.3)]
    expected = sum(x / y for x, y in points) / sum(x * x / (y * y) for x, y in points)
    assert line.slope.value == pytest.approx(expected)


def test_students_t_follows_the_tables() -> None:
    for degrees, expected in ((1, 12.706), (10, 2.228), (30, 2.042), (40, 2.021), (60, 2.000), (120, 1.980)):
        assert student(degrees) == pytest.approx(expected, abs=0.002)


# --- the command ---


def write(path: Path, record: Any) -> Path:
    path.write_text(json.dumps(record), encoding="utf-8")
    return path


def test_measured_links_are_preferred_to_the_bundled_ones(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, own = write(tmp_path / "m.json", measurement()), tmp_path / "own"
    own.mkdir()
    code, out, err = call(capsys, "calibrate", str(file), "--out", str(own), "--lang", "en")
    assert code == 0, err
    assert "own:small" in out
    bundled, calibrated = load_catalog(), load_catalog(own)
    for cards in (2, 4):
        link = find_link(calibrated.links, "pcie_p2p", cards, 4)
        assert link is not None and link.origin.kind == "measured" and link.origin.layer == "user"
        assert link.bus_bandwidth_gb_s == pytest.approx(BUS, rel=0.05)
        assert link.alpha_us == pytest.approx(1e3 * ALPHA_MS, rel=0.05)
        assert "RTX A5500" in link.origin.source and str(link.origin.as_of) == "2026-11-30"
    eight = find_link(calibrated.links, "pcie_p2p", 8, 4)
    assert eight == find_link(bundled.links, "pcie_p2p", 8, 4)


def test_the_rows_of_steps_hold_the_constants_and_a_second_call_replaces_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, own = write(tmp_path / "m.json", measurement()), tmp_path / "own"
    own.mkdir()
    for _ in range(2):
        assert call(capsys, "calibrate", str(file), "--out", str(own))[0] == 0
    rows = list(csv.DictReader((own / "calibration.csv").open(encoding="utf-8")))
    assert [row["workload_id"] for row in rows] == ["own-small-1x9x9", "own-large-1x9x9"]
    small = rows[0]
    assert (small["card_id"], small["precision"], small["kind"]) == ("rtx-a5500", "torch_default", "measured")
    assert float(small["c0_ms"]) == pytest.approx(C0, rel=0.05)
    assert float(small["ms_per_sample"]) == pytest.approx(PER_SAMPLE, rel=0.05)
    assert float(small["step_cv"]) == pytest.approx(CV, rel=0.05)
    assert float(small["loader_ms_per_sample"]) == pytest.approx(0.1, rel=0.05)


def test_a_measurement_without_cards_gives_no_link_row(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, own = write(tmp_path / "m.json", measurement(device="cpu")), tmp_path / "own"
    own.mkdir()
    code, _, err = call(capsys, "calibrate", str(file), "--out", str(own), "--lang", "en")
    assert code == 0 and "links.csv" in err
    assert [path.name for path in own.iterdir()] == ["calibration.csv"]
    code, _, err = call(capsys, "calibrate", str(file), "--link", "pcie_p2p", "--lang", "en")
    assert code == 2 and "processor" in err


def test_json_holds_values_with_their_intervals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path / "m.json", measurement(0.01))
    code, out, _ = call(capsys, "calibrate", str(file), "--json", "-")
    record = json.loads(out)
    assert code == 0 and record["schema"] == "hwcost.calibration/1" and record["card"] == "rtx-a5500"
    interval = record["networks"][0]["c0_ms"]
    assert interval["low"] <= interval["value"] <= interval["high"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda record: record.update(schema="other/1"), "hwcost.measurement/1"),
        (lambda record: record.pop("models"), "models"),
        (lambda record: record["results"].update(baseline=[{"key": "1", "kind": "steps", "model": "own:small",
                                                            "median_ms": 1.0}]), "accumulation_steps"),
        (lambda record: record["results"].update(baseline=[], all_reduce=[]), "three batches"),
        (lambda record: record["machine"]["cards"][0].update(name="RTX 9999 Unknown"), "--card"),
    ],
)  # fmt: skip
def test_a_file_that_tells_nothing_ends_with_2_and_a_sentence(
    change: Any, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = measurement()
    change(record)
    code, out, err = call(capsys, "calibrate", str(write(tmp_path / "m.json", record)), "--lang", "en")
    assert code == 2 and not out
    assert says in err
