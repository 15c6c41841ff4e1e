"""A machine measured for real: two processes of a small network on the processor, killed once and taken up again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
import torch
from cli_calls import call
from torch import nn

from hwcost.measure import kinds
from hwcost.measure.loading import InputSpec
from hwcost.measure.ranks import Case, Ranks, Settings
from hwcost.measure.record import STEPS
from hwcost.measure.samples import MadeSamples, batch_of
from hwcost.measure.steps import Wanted, batches, message_sizes, plan, process_counts
from hwcost.measure.timing import Trainer, quantile, summary

ROOT = Path(__file__).resolve().parent.parent
CODE = """
    import os, signal
    import torch
    from torch import nn

    def small():
        return nn.Sequential(
            nn.Conv2d(3, 32, 3, padding=1), nn.ReLU(), nn.AvgPool2d(8), nn.Flatten(), nn.Linear(32 * 16, 4)
        )

    class Breaks(nn.Linear):
        def forward(self, x):
            raise RuntimeError("the antenna is wet")

    def breaks():
        return Breaks(4, 4)

    class Ends(nn.Linear):
        def forward(self, x):
            raise SystemExit(0)

    def ends():
        return Ends(4, 4)

    class Dies(nn.Linear):
        def forward(self, x):
            print("a network that prints")
            if torch.distributed.is_initialized() and torch.distributed.get_rank() == 1:
                os.kill(os.getpid(), signal.SIGKILL)
            return super().forward(x)

    def dies():
        return Dies(4, 4)
"""
FLAGS = (
    "--input", "3x32x32", "--batch", "4", "--global-batch", "12", "--max-batch", "8", "--steps", "8", "--seeds", "2",
    "--processes", "2", "--max-message-mib", "4", "--device", "cpu", "--target", "0.6", "--precision", "fp32",
    "--lang", "en",
)  # fmt: skip
ROW = tuple("4" if FLAGS[i - 1] == "--input" else word for i, word in enumerate(FLAGS))  # samples of four figures
PARAMS = 32 * 27 + 32 + 32 * 16 * 4 + 4
# baseline: batches 1, 2, 4, 8 and the loader; all-reduce: the gradient, and 4 KiB to 4 MiB in steps of four; ratio:
# with and without; scan and target on one and on two
CASES = {"baseline": 5, "all_reduce": 7, "ratio": 2, "scan": 2, "target": 2}


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "hwcost", "measure", *words]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("measure")
    (place / "own_code.py").write_text(textwrap.dedent(CODE), encoding="utf-8")
    return place


@pytest.fixture(scope="module")
def killed(folder: Path) -> Any:
    """The file that a measurement leaves which is killed in its fourth case."""
    process = subprocess.Popen(
        command("own_code:small", *FLAGS), cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, start_new_session=True,
    )  # fmt: skip
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith("4/"):
            break
    process.kill()  # the caller alone: the end of the pipe comes when its processes have ended, too
    process.communicate(timeout=60)
    return json.loads((folder / "measurement.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def measured(folder: Path, killed: Any) -> Any:
    """What the same call makes of that file."""
    done = subprocess.run(
        command("own_code:small", *FLAGS), cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return {**json.loads((folder / "measurement.json").read_text(encoding="utf-8")), "stdout": done.stdout}


def cases(record: Any, step: str) -> list[Any]:
    found: list[Any] = record["results"][step]
    return found


# --- killed and taken up again ---


def test_a_killed_measurement_keeps_what_was_finished(killed: Any) -> None:
    assert killed["schema"] == "hwcost.measurement/1" and killed["complete"] is False
    assert 3 <= len(cases(killed, "baseline")) <= 5
    assert [case["key"] for case in cases(killed, "baseline")][:3] == [f"own_code:small/{b}" for b in (1, 2, 4)]


def test_the_same_call_goes_on_there_and_repeats_nothing(killed: Any, measured: Any) -> None:
    assert measured["complete"] is True
    before = cases(killed, "baseline")
    assert cases(measured, "baseline")[: len(before)] == before
    assert {step: len(cases(measured, step)) for step in STEPS} == CASES
    assert measured["created"] == killed["created"]


def test_a_file_measured_differently_is_refused_and_left_alone(
    folder: Path, measured: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])
    text = (folder / "measurement.json").read_text(encoding="utf-8")
    flags = ["5" if word == "4" and FLAGS[i - 1] == "--batch" else word for i, word in enumerate(FLAGS)]
    code, _, err = call(capsys, "measure", "own_code:small", *flags)
    assert code == 2 and "settings.batch" in err and "--restart" in err
    assert (folder / "measurement.json").read_text(encoding="utf-8") == text


def test_a_killed_process_keeps_what_was_finished_and_is_a_sentence(folder: Path) -> None:
    words = ("own_code:dies", "--out", "dies.json", "--only", "scan", *ROW)
    done = subprocess.run(
        command(*words), cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True,
        check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 2 and not done.stdout
    assert "own_code:dies: measuring scan own_code:dies/2/6 failed (process 1 terminated" in done.stderr
    left = json.loads((folder / "dies.json").read_text(encoding="utf-8"))
    assert [case["key"] for case in left["results"]["scan"]] == ["own_code:dies/1/12"] and not left["complete"]


def test_an_interrupted_measurement_says_where_the_finished_cases_are(folder: Path) -> None:
    words = ("own_code:small", "--out", "stopped.json", *FLAGS)
    process = subprocess.Popen(
        command(*words), cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL, text=True, start_new_session=True,
    )  # fmt: skip
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith("2/"):
            break
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does it: every process hears it
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Finished cases are in stopped.json" in err and "Traceback" not in err
    assert len(json.loads((folder / "stopped.json").read_text(encoding="utf-8"))["results"]["baseline"]) >= 1


class Picky(nn.Module):
    """Batch normalisation, which refuses one sample, and a layer that no step uses."""

    def __init__(self) -> None:
        super().__init__()
        self.used, self.norm, self.never = nn.Linear(4, 4), nn.BatchNorm1d(4), nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = self.norm(self.used(x))
        return out


def test_a_batch_that_a_network_refuses_is_noted_with_its_reason_and_the_next_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(kinds, "model_and_inputs", lambda word, settings: (Picky(), (InputSpec((4,)),)))
    settings = Settings("cpu", "fp32", "adam", (), None, 8, 0.9, 10, torch.get_num_threads())
    alone = Ranks(0, 1, torch.device("cpu"))
    one, four = (
        kinds._steps(Case("baseline", "k", "steps", "m", b, 3, optional=True), settings, alone) for b in (1, 4)
    )
    assert one["median_ms"] is None and "more than 1 value" in one["refused"]
    assert four["median_ms"] > 0.0 and four["unused_parameters"] is True
    with pytest.raises(ValueError, match="more than 1 value"):  # the stated batch is what was asked for
        kinds._steps(Case("baseline", "k", "steps", "m", 1, 3), settings, alone)


@pytest.mark.parametrize("unused", [False, True])
def test_data_parallelism_is_told_of_parameters_that_no_step_uses(
    unused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[bool] = []

    def wrap(model: nn.Module, device_ids: Any, find_unused_parameters: bool) -> nn.Module:
        told.append(find_unused_parameters)
        return model

    monkeypatch.setattr(nn.parallel, "DistributedDataParallel", wrap)
    trainer = Trainer(Picky(), torch.device("cpu"), "fp32", "sgd")
    kinds._join(trainer, Ranks(0, 2, torch.device("cpu")), unused)
    assert told == [unused]


# --- what was measured ---


def test_every_case_has_its_median_between_its_quartiles(measured: Any) -> None:
    for step in ("baseline", "all_reduce", "ratio", "scan"):
        for case in cases(measured, step):
            assert 0.0 < case["quartile1_ms"] <= case["median_ms"] <= case["quartile3_ms"], case


def test_the_record_says_on_what_and_with_what_it_was_measured(measured: Any) -> None:
    assert measured["machine"]["device"] == "cpu" and measured["machine"]["cores"] == os.cpu_count()
    assert measured["versions"]["torch"] == torch.__version__
    figures = measured["models"]["own_code:small"]
    assert len(figures.pop("structure")) == 16
    assert figures == {"params": PARAMS, "parameter_tensors": 4, "gradient_bytes": 4 * PARAMS, "inputs": ["3x32x32"]}


def test_step_three_is_the_articles_ratio_of_steps_one_and_two(measured: Any) -> None:
    (found,) = measured["summary"]
    one = next(case for case in cases(measured, "baseline") if case["key"] == "own_code:small/4")["median_ms"]
    two = next(case for case in cases(measured, "ratio") if case["sync"])["median_ms"]
    travel = next(case for case in cases(measured, "all_reduce") if case["bytes"] == 4 * PARAMS)["median_ms"]
    assert found["ratio"] == pytest.approx(travel / one)
    assert found["r"] == pytest.approx(two / one - 1)
    assert found["speedup"] == pytest.approx(2 / (1 + found["r"]))
    assert found["efficiency"] == pytest.approx(found["speedup"] / 2)


def test_the_scan_keeps_the_global_batch_and_accumulates_what_is_more_than_a_pass_holds(measured: Any) -> None:
    one, two = (next(c for c in cases(measured, "scan") if c["processes"] == n) for n in (1, 2))
    assert (one["batch"], one["micro_batch"], one["accumulation_steps"]) == (12, 6, 2)
    assert (two["batch"], two["micro_batch"], two["accumulation_steps"]) == (6, 6, 1)


def test_runs_to_the_target_give_quartiles_over_the_seeds(measured: Any) -> None:
    for case in cases(measured, "target"):
        assert len(case["seconds"]) == len(case["steps"]) == 2
        if None in case["seconds"]:
            assert case["median_s"] is None
        else:
            assert case["median_s"] == pytest.approx(sum(case["seconds"]) / 2)
    # the patterns can be learnt, so that one process gets there
    assert None not in cases(measured, "target")[0]["seconds"]


def test_the_tables_of_the_five_steps_are_printed(measured: Any) -> None:
    for heading in ("Baseline", "All-reduce", "Communication against compute", "over card counts", "target accuracy"):
        assert heading in measured["stdout"]


def test_the_measurement_of_a_processor_can_be_calibrated(
    folder: Path, measured: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = call(capsys, "calibrate", str(folder / "measurement.json"), "--json", "-")
    assert code == 0, err
    record = json.loads(out)
    assert record["links"][0]["processes"] == 2 and record["networks"][0]["ms_per_sample"]["value"] > 0.0


# --- faults ---


@pytest.mark.parametrize(("name", "reason"), [("breaks", "the antenna is wet"), ("ends", "SystemExit")])
def test_a_network_that_fails_in_a_process_is_a_sentence_with_its_reason(folder: Path, name: str, reason: str) -> None:
    """A network that ends the program leaves no result: the measurement is not called done."""
    words = (f"own_code:{name}", "--out", "broken.json", "--restart", "--only", "scan", *FLAGS)
    done = subprocess.run(
        command(*words), cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert reason in done.stderr and f"own_code:{name}" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--steps", "1"), "--steps"),
        (("--target", "1.5"), "--target"),
        (("--batch", "0"), "--batch"),
        (("--processes", "two"), "--processes"),
        (("--device", "cuda"), "--device cpu"),
        (("--only", "everything"), "baseline"),
        (("--out", "/dev/null/m.json"), "/dev/null"),
        (("--out", "m.csv"), ".json"),
        (("no_such:thing",), "no_such"),
    ],
)
def test_a_fault_of_the_call_is_a_sentence_and_writes_nothing(
    words: tuple[str, ...],
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    code, out, err = call(capsys, "measure", *words, "--lang", "en")
    assert code == 2 and not out
    assert says in err
    assert not list(tmp_path.iterdir())


# --- the plan of cases ---


def wanted(**changes: Any) -> Wanted:
    plain: dict[str, Any] = {
        "models": ("m",), "inputs": (), "data": None, "batch": 9, "global_batch": 36, "max_batch": 64, "processes": 4,
        "steps": 200, "only": STEPS, "seeds": 3, "max_message_bytes": 2**20, "device": "cpu", "precision": "fp32",
        "optimizer": "adam", "target_accuracy": 0.9,
    }  # fmt: skip
    return Wanted(**{**plain, **changes})


def planned(processes: int, **changes: Any) -> list[Case]:
    return list(plan(wanted(**changes), {"m": {"gradient_bytes": 8_000_000}}, processes))


def test_the_articles_scan_divides_36_samples_over_the_cards() -> None:
    shares = [next(c.batch for c in planned(n) if c.step == "scan") for n in (1, 2, 4)]
    assert shares == [36, 18, 9]


def test_the_baseline_is_measured_longest_at_the_stated_batch() -> None:
    counts = {c.batch: c.count for c in planned(1) if c.step == "baseline" and c.kind == "steps"}
    assert counts[9] == 200 and set(counts) == {1, 2, 4, 8, 9, 16, 32, 64}
    assert all(count == 50 for batch, count in counts.items() if batch != 9)


def test_only_the_steps_asked_for_are_planned() -> None:
    assert {c.step for c in planned(2, only=("all_reduce",))} == {"all_reduce"}
    assert {c.step for n in (1, 2) for c in planned(n, only=("ratio",))} == {"baseline", "ratio"}


def test_card_counts_messages_and_batches_are_doubled_up_to_the_most() -> None:
    assert process_counts(1) == [1] and process_counts(4) == [1, 2, 4] and process_counts(6) == [1, 2, 4, 6]
    assert message_sizes(2**16, [1000]) == [1000, 4096, 16384, 65536]
    assert batches(9, 20) == [1, 2, 4, 8, 9, 16, 20]


# --- timing ---


def test_the_variation_is_that_of_the_middle_half() -> None:
    # quartiles of 1..101 are 26, 51, 76
    found = summary([float(i) for i in range(1, 102)])
    assert (found["quartile1_ms"], found["median_ms"], found["quartile3_ms"]) == (26.0, 51.0, 76.0)
    assert found["cv"] == pytest.approx(50.0 / 1.349 / 51.0)
    assert quantile([1.0, 2.0], 0.5) == 1.5


def test_accumulated_passes_make_the_step_of_the_whole_batch() -> None:
    spec = [InputSpec((6,))]
    samples = MadeSamples(spec, 16, 1)
    weights = []
    for parts in ((8,), (4, 4)):
        torch.manual_seed(0)
        trainer = Trainer(nn.Linear(6, 4), torch.device("cpu"), "fp32", "sgd")
        starts = [sum(parts[:i]) for i in range(len(parts))]
        trainer.step([batch_of(samples, start, size) for start, size in zip(starts, parts, strict=True)])
        weights.append(trainer.wrapped.weight.detach())
    assert torch.allclose(weights[0], weights[1], atol=1e-7)


def test_made_samples_are_the_same_every_time_and_differ_by_class() -> None:
    specs = [InputSpec((3, 5, 5))]
    first, second = MadeSamples(specs, 64, 1), MadeSamples(specs, 64, 1)
    assert torch.equal(first[7][0], second[7][0])
    assert len({int(first[i][1]) for i in range(64)}) == 4
    assert not torch.equal(first.patterns[0][0], first.patterns[0][1])
