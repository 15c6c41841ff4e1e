"""The five steps of article A section 5, as cases for one, two, four and more processes.

    baseline    steps of one process at growing batches, its memory, and its loader                     (5.1)
    all_reduce  one message over all processes, from 4 KiB to the largest, and the size of each gradient  (5.2)
    ratio       the same per-card batch on several cards, with and without gradients travelling          (5.3)
    scan        one global batch on 1, 2, 4 ... cards, accumulated where it does not fit                  (5.4)
    target      training until an accuracy is reached, for several seeds                                  (5.5)

Cases of one number of processes run together, since starting processes takes seconds.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from hwcost.errors import InputError, Problem
from hwcost.measure import machine
from hwcost.measure.checking import record_problems
from hwcost.measure.kinds import model_and_inputs
from hwcost.measure.loading import InputSpec
from hwcost.measure.ranks import Case, Settings, run_cases
from hwcost.measure.record import Record, find, new_record, read_record, resumed, save
from hwcost.measure.samples import MADE_CLASSES, datasets

SMALLEST_MESSAGE = 4096
MESSAGE_FACTOR = 4
FLOAT_BYTES = 4
# one bound by compute, one by bandwidth, one by launches
DEFAULT_MODELS = ("hybridsn", "spectralformer", "ssftt")
LEAST_TARGET_STEPS = 200
GIB = 2**30
TF32_CAPABILITY = (8, 0)  # the first cards with TF32 and BF16
ADDRESS = re.compile(r"0x[0-9a-fA-F]+")


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
        most_steps=max(LEAST_TARGET_STEPS, 10 * wanted.steps), threads=max(1, machine.usable_cores() // most),
    )  # fmt: skip
    models = {word: _figures(word, settings, wanted) for word in wanted.models}
    stated = {**asdict(settings), "inputs": list(settings.inputs), "batch": wanted.batch, "steps": wanted.steps,
              "global_batch": wanted.global_batch}  # fmt: skip
    record = new_record(machine.describe(device), machine.versions(), stated, models)
    if path.exists() and not restart:
        old = read_record(path)
        record = resumed(old, record, path)
        problems = record_problems(old, str(path))
        if problems:
            raise InputError(problems)
    planned = [(count, case) for count in counts for case in plan(wanted, models, count)]
    missing = [(count, case) for count, case in planned if find(record, case.step, case.key) is None]
    done = len(planned) - len(missing)
    path.resolve().parent.mkdir(parents=True, exist_ok=True)
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
            # a network with batch normalisation may refuse a batch of 1: the line needs the others alone
            optional = batch != wanted.batch
            yield Case("baseline", f"{word}/{batch}", "steps", word, batch, count, optional=optional)
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
    if device == "cuda":
        _check_cards(wanted, most)
    elif wanted.precision == "tf32":
        raise InputError([Problem("measure_precision_processor", file="--precision", value=wanted.precision)])
    return device, most


def _check_cards(wanted: Wanted, most: int) -> None:
    """Raises `InputError` where the cards cannot do what is asked: exchange, be compared, compute in the precision."""
    if most > 1 and not torch.distributed.is_nccl_available():
        raise InputError([Problem("measure_no_nccl", file="--processes", value=str(most))])
    cards = [torch.cuda.get_device_properties(i) for i in range(most)]
    if len({(card.name, card.total_memory) for card in cards}) > 1:
        names = ", ".join(f"{i}: {card.name}" for i, card in enumerate(cards))
        raise InputError([Problem("measure_mixed_cards", file="--processes", value=names)])
    capability = (cards[0].major, cards[0].minor)
    if wanted.precision in ("tf32", "bf16") and capability < TF32_CAPABILITY:
        values = {"card": cards[0].name, "capability": f"{capability[0]}.{capability[1]}"}
        raise InputError([Problem("measure_precision_card", file="--precision", value=wanted.precision, values=values)])


def _figures(word: str, settings: Settings, wanted: Wanted) -> dict[str, Any]:
    """What the fit needs to know of a network; it is built here once, so that faults of the user's code show early.

    `structure` tells a changed network of as many parameters from the one that was measured.
    """
    model, specs = model_and_inputs(word, settings)
    if not specs:
        raise InputError([Problem("measure_input_missing", file="--input", value=word)])
    _check_room(specs, settings, wanted)
    datasets(settings.data, specs)
    trained = [p for p in model.parameters() if p.requires_grad]
    return {
        "params": sum(p.numel() for p in model.parameters()), "parameter_tensors": len(trained),
        "gradient_bytes": sum(p.numel() for p in trained) * FLOAT_BYTES, "inputs": [str(spec) for spec in specs],
        "structure": hashlib.sha256(ADDRESS.sub("", repr(model)).encode()).hexdigest()[:16],
    }  # fmt: skip


def _check_room(specs: Sequence[InputSpec], settings: Settings, wanted: Wanted) -> None:
    """Raises `InputError` where the samples alone are more than the main memory: before any is made."""
    have = machine.ram_gib()
    batch = max(wanted.batch, wanted.max_batch, wanted.global_batch)
    sample = sum(spec.bytes_per_sample for spec in specs)
    made = 0 if settings.data else MADE_CLASSES + 1  # the pattern of each class, and the noise
    need = sample * (batch + made) / GIB
    if have is not None and need > have:
        values = {
            "shapes": ", ".join(str(spec) for spec in specs), "batch": batch, "need": f"{need:,.0f}",
            "have": f"{have:,.0f}",
        }  # fmt: skip
        raise InputError([Problem("measure_large", file="--input", value=str(specs[0]), values=values)])
