"""The five steps of article A section 5, as cases for one, two, four and more processes.

    baseline    steps of one process at growing batches, its memory, and its loader                     (5.1)
    all_reduce  one message over all processes, from 4 KiB to the largest, and the size of each gradient  (5.2)
    ratio       the same per-card batch on several cards, with and without gradients travelling          (5.3)
    scan        one global batch on 1, 2, 4 ... cards, accumulated where it does not fit                  (5.4)
    target      training until an accuracy is reached, for several seeds                                  (5.5)

Cases of one number of processes run together, since starting processes takes seconds.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from hwcost.errors import InputError, Problem
from hwcost.measure import machine
from hwcost.measure.ranks import Case, Settings, model_and_inputs, run_cases
from hwcost.measure.record import Record, find, new_record, read_record, resumed, save
from hwcost.measure.samples import datasets

SMALLEST_MESSAGE = 4096
MESSAGE_FACTOR = 4
FLOAT_BYTES = 4
# one bound by compute, one by bandwidth, one by launches
DEFAULT_MODELS = ("hybridsn", "spectralformer", "ssftt")
LEAST_TARGET_STEPS = 200


@dataclass(frozen=True)
class Wanted:
    """What the user asked for."""

    models: tuple[str, ...]
    inputs: tuple[str, ...]
    data: str | None
    batch: int
    global_batch: int
    max_batch: int
    processes: int | None
    steps: int
    only: tuple[str, ...]
    seeds: int
    max_message_bytes: int
    device: str
    precision: str
    optimizer: str
    target_accuracy: float


def measure(wanted: Wanted, path: Path, restart: bool, tell: Callable[[Case, int, int], None]) -> Record:
    """Measures what is not yet in the file at `path` and returns the whole record.

    `tell(case, done, all)` is called before each case. Raises `InputError` where the machine or the user's code cannot
    do what is asked, or the file was measured differently.
    """
    device, most = _device(wanted)
    counts = process_counts(most)
    settings = Settings(
        device=device, precision=wanted.precision, optimizer=wanted.optimizer, inputs=wanted.inputs, data=wanted.data,
        max_batch=wanted.max_batch, target_accuracy=wanted.target_accuracy,
        most_steps=max(LEAST_TARGET_STEPS, 10 * wanted.steps), threads=max(1, (os.cpu_count() or 1) // most),
    )  # fmt: skip
    models = {word: _figures(word, settings) for word in wanted.models}
    stated = {**asdict(settings), "inputs": list(settings.inputs), "batch": wanted.batch, "steps": wanted.steps,
              "global_batch": wanted.global_batch}  # fmt: skip
    record = new_record(machine.describe(device), machine.versions(), stated, models)
    if path.exists() and not restart:
        record = resumed(read_record(path), record, path)
    planned = [(count, case) for count in counts for case in plan(wanted, models, count)]
    missing = [(count, case) for count, case in planned if find(record, case.step, case.key) is None]
    done = len(planned) - len(missing)
    save(record, path, complete=not missing)
    for count in counts:
        cases = [case for processes, case in missing if processes == count]
        if not cases:
            continue
        tell(cases[0], done, len(planned))
        for i, (case, result) in enumerate(run_cases(cases, count, settings)):
            record["results"][case.step].append({"key": case.key, "kind": case.kind, "model": case.model, **result})
            done += 1
            save(record, path, complete=done == len(planned))
            if i + 1 < len(cases):
                tell(cases[i + 1], done, len(planned))
    return record


def process_counts(most: int) -> list[int]:
    """1, 2, 4 ... and the most itself."""
    return sorted({2**i for i in range(most.bit_length()) if 2**i <= most} | {most})


def plan(wanted: Wanted, models: Record, processes: int) -> Iterator[Case]:
    """The cases of the five steps for one number of processes, in the order of the steps."""
    if processes > 1 and "all_reduce" in wanted.only:
        for size in message_sizes(wanted.max_message_bytes, [model["gradient_bytes"] for model in models.values()]):
            yield Case("all_reduce", f"{processes}/{size}", "all_reduce", count=wanted.steps, message_bytes=size)
    for word in models:
        yield from _of_one_model(wanted, word, processes)


def _of_one_model(wanted: Wanted, word: str, processes: int) -> Iterator[Case]:
    if processes == 1 and ("baseline" in wanted.only or "ratio" in wanted.only):
        for batch in batches(wanted.batch, wanted.max_batch):
            count = wanted.steps if batch == wanted.batch else max(5, wanted.steps // 4)
            yield Case("baseline", f"{word}/{batch}", "steps", word, batch, count)
        yield Case("baseline", f"{word}/loader/{wanted.batch}", "loader", word, wanted.batch)
    if processes > 1 and "ratio" in wanted.only:
        for name, sync in (("sync", True), ("apart", False)):
            key = f"{word}/{processes}/{wanted.batch}/{name}"
            yield Case("ratio", key, "steps", word, wanted.batch, wanted.steps, sync)
    share = -(-wanted.global_batch // processes)
    if "scan" in wanted.only:
        yield Case("scan", f"{word}/{processes}/{share}", "steps", word, share, max(5, wanted.steps // 2))
    if "target" in wanted.only:
        key = f"{word}/{processes}/{share}/{wanted.seeds}"
        yield Case("target", key, "target", word, share, wanted.steps, seeds=wanted.seeds)


def batches(batch: int, most: int) -> list[int]:
    """Micro-batches of the baseline: doubled up to the most, the stated one, and the most."""
    return sorted({2**i for i in range(most.bit_length()) if 2**i <= most} | {min(batch, most), most} | {batch})


def message_sizes(most: int, gradients: Sequence[int]) -> list[int]:
    """Bytes of the messages: 4 KiB times four up to the most, and each gradient."""
    sizes, size = set(gradients), SMALLEST_MESSAGE
    while size <= most:
        sizes.add(size)
        size *= MESSAGE_FACTOR
    return sorted(sizes)


def _device(wanted: Wanted) -> tuple[str, int]:
    """Where to run, and the most processes."""
    cards = torch.cuda.device_count() if torch.cuda.is_available() else 0
    device = wanted.device if wanted.device != "auto" else ("cuda" if cards else "cpu")
    if device == "cuda" and not cards:
        raise InputError([Problem("measure_no_card", file="--device", value="cuda")])
    most = wanted.processes or (cards if device == "cuda" else 2)
    if device == "cuda" and most > cards:
        raise InputError([Problem("measure_few_cards", file="--processes", value=str(most), values={"cards": cards})])
    if most > 1 and not torch.distributed.is_available():
        raise InputError([Problem("measure_no_distributed", file="--processes", value=str(most))])
    return device, most


def _figures(word: str, settings: Settings) -> dict[str, Any]:
    """What the fit needs to know of a network; it is built here once, so that faults of the user's code show early."""
    model, specs = model_and_inputs(word, settings)
    if not specs:
        raise InputError([Problem("measure_input_missing", file="--input", value=word)])
    datasets(settings.data, specs)
    trained = [p for p in model.parameters() if p.requires_grad]
    return {
        "params": sum(p.numel() for p in model.parameters()), "parameter_tensors": len(trained),
        "gradient_bytes": sum(p.numel() for p in trained) * FLOAT_BYTES, "inputs": [str(spec) for spec in specs],
    }  # fmt: skip
