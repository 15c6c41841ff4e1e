"""Cases that one or several processes run together, one a card: the same code on cards (nccl) and processors (gloo).

Every case that ends leaves its result in a folder, from where the caller takes it while the rest still runs.
"""

from __future__ import annotations

import json
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import distributed, multiprocessing, nn

from hwcost.atomic import write_text
from hwcost.errors import InputError, Problem
from hwcost.measure.loading import InputSpec, build, find_factory, parse_input
from hwcost.measure.samples import batch_of, datasets
from hwcost.measure.timing import Clock, Trainer, autocast, quantile, summary, time_all_reduce, time_steps

EVALUATE_EVERY = 5  # steps between two looks at the validation samples
LOADER_BATCHES = 20


@dataclass(frozen=True)
class Case:
    """One thing to measure. `kind` is a key of `KINDS`; `step` and `key` say where its result belongs."""

    step: str
    key: str
    kind: str
    model: str = ""
    batch: int = 1  # samples of one process and optimizer step
    count: int = 10  # timed steps, or repeats
    sync: bool = True
    message_bytes: int = 0
    seeds: int = 1


@dataclass(frozen=True)
class Settings:
    """What all cases share."""

    device: str
    precision: str
    optimizer: str
    inputs: tuple[str, ...]  # of the user's own networks
    data: str | None
    max_batch: int  # largest micro-batch; more is accumulated
    target_accuracy: float
    most_steps: int  # of a run to the target
    threads: int  # of one process, on a processor


def run_cases(cases: Sequence[Case], processes: int, settings: Settings) -> Iterator[tuple[Case, dict[str, Any]]]:
    """Runs the cases in their order over `processes` and yields each result as soon as it is there.

    Raises `InputError` where a process fails: the user's code, or the machine's communication.
    """
    with tempfile.TemporaryDirectory(prefix="hwcost-measure-") as name:
        folder = Path(name)
        arguments = (processes, list(cases), settings, str(folder))
        context: Any = multiprocessing.start_processes(
            _process, arguments, nprocs=processes, join=False, start_method="spawn"
        )
        given = 0
        try:
            running = True
            while running:
                running = not context.join(timeout=0.1)
                while given < len(cases) and (folder / f"{given}.json").is_file():
                    yield cases[given], json.loads((folder / f"{given}.json").read_text(encoding="utf-8"))
                    given += 1
        except (multiprocessing.ProcessRaisedException, multiprocessing.ProcessExitedException) as error:
            lines = [line for line in str(error).strip().splitlines() if line.strip()]
            raise _failed(cases[min(given, len(cases) - 1)], lines[-1] if lines else type(error).__name__) from error
        finally:
            for process in context.processes:
                if process.is_alive():
                    process.terminate()
                process.join()
        if given < len(cases):  # a network that ends the program leaves no error behind
            raise _failed(cases[given], "SystemExit: 0")


def _failed(case: Case, reason: str) -> InputError:
    values = {"case": f"{case.step} {case.key}", "reason": reason}
    return InputError([Problem("measure_failed", file=case.model or "measure", values=values)])


def _process(rank: int, processes: int, cases: list[Case], settings: Settings, folder: str) -> None:
    """What each process does; the first one writes the results."""
    warnings.filterwarnings("ignore", message="Grad strides do not match bucket view strides")  # nothing to act on
    device = torch.device(settings.device, rank) if settings.device == "cuda" else torch.device("cpu")
    if settings.device == "cuda":
        torch.cuda.set_device(device)
    else:
        torch.set_num_threads(settings.threads)
    distributed.init_process_group(
        "nccl" if settings.device == "cuda" else "gloo", init_method=f"file://{folder}/meeting", rank=rank,
        world_size=processes,
    )  # fmt: skip
    try:
        for i, case in enumerate(cases):
            torch.manual_seed(0)
            result = KINDS[case.kind](case, settings, _Ranks(rank, processes, device))
            if rank == 0:
                write_text(Path(folder) / f"{i}.json", json.dumps({"processes": processes, **result}))
            distributed.barrier()
    finally:
        distributed.destroy_process_group()


@dataclass(frozen=True)
class _Ranks:
    rank: int
    processes: int
    device: torch.device

    def all_say(self, yes: bool) -> bool:
        """True where every process says so."""
        votes = torch.tensor([1.0 if yes else 0.0], device=self.device)
        distributed.all_reduce(votes, op=distributed.ReduceOp.MIN)
        return bool(votes.item() > 0.5)


# --- kinds of cases ---


def model_and_inputs(word: str, settings: Settings) -> tuple[nn.Module, tuple[InputSpec, ...]]:
    """A new network and the shapes of its inputs."""
    factory, own = find_factory(word)
    problems: list[Problem] = []
    stated = tuple(spec for spec in (parse_input(text, problems) for text in settings.inputs) if spec is not None)
    return build(factory, word), own or stated


def _trainer(word: str, settings: Settings, ranks: _Ranks) -> tuple[Trainer, tuple[InputSpec, ...]]:
    model, specs = model_and_inputs(word, settings)
    model.train().to(ranks.device)
    wrapped: nn.Module = model
    if ranks.processes > 1:
        own = [ranks.device.index] if ranks.device.type == "cuda" else None
        wrapped = nn.parallel.DistributedDataParallel(model, device_ids=own)
    return Trainer(wrapped, ranks.device, settings.precision, settings.optimizer, settings.data is None), specs


def _passes(samples: Any, batch: int, micro: int, ranks: _Ranks) -> list[list[torch.Tensor]]:
    """The batch of this process in parts of at most `micro` samples."""
    first = ranks.rank * batch
    sizes = [min(micro, batch - done) for done in range(0, batch, micro)]
    starts = [first + sum(sizes[:i]) for i in range(len(sizes))]
    return [
        [tensor.to(ranks.device) for tensor in batch_of(samples, start, size)]
        for start, size in zip(starts, sizes, strict=True)
    ]


def _steps(case: Case, settings: Settings, ranks: _Ranks) -> dict[str, Any]:
    """Optimizer steps; what does not fit is halved and accumulated, on all processes alike."""
    micro = min(case.batch, settings.max_batch)
    while True:
        trainer, specs = _trainer(case.model, settings, ranks)
        passes = _passes(datasets(settings.data, specs)[0], case.batch, micro, ranks)
        told = {"batch": case.batch, "sync": case.sync}
        # each tries alone: a process without memory in the middle of an exchange would leave the others waiting
        if ranks.all_say(_fits(trainer, passes)):
            steps = len(passes)
            found = time_steps(trainer, passes, case.count, case.sync)
            return {**told, "micro_batch": micro, "accumulation_steps": steps, **found}
        if micro == 1:
            return {**told, "micro_batch": None, "accumulation_steps": None, "median_ms": None}
        del trainer, passes
        torch.cuda.empty_cache()
        micro = -(-micro // 2)


def _fits(trainer: Trainer, passes: Sequence[Sequence[torch.Tensor]]) -> bool:
    """Whether this process has the memory for a step."""
    try:
        trainer.step(passes, sync=False)
    except torch.OutOfMemoryError:
        return False
    return True


def _loader(case: Case, settings: Settings, ranks: _Ranks) -> dict[str, Any]:
    """Time to prepare a batch on the processor and to copy it to the device, in this process."""
    _, specs = model_and_inputs(case.model, settings)
    samples = datasets(settings.data, specs)[0]
    clock = Clock(torch.device("cpu"))
    clock.mark()
    for i in range(LOADER_BATCHES + 1):
        for tensor in batch_of(samples, i * case.batch, case.batch):
            tensor.to(ranks.device)
        clock.mark()
    found = summary(clock.intervals_ms()[1:])
    return {"batch": case.batch, "samples": settings.data or "made", **found}


def _all_reduce(case: Case, settings: Settings, ranks: _Ranks) -> dict[str, Any]:
    return time_all_reduce(ranks.device, case.message_bytes, case.count)


def _target(case: Case, settings: Settings, ranks: _Ranks) -> dict[str, Any]:
    """Training time until the validation accuracy reaches the target, for each seed; None where it never did."""
    seconds: list[float | None] = []
    steps: list[int] = []
    for seed in range(case.seeds):
        torch.manual_seed(seed)
        taken, count = _run_to_target(case, settings, ranks, seed)
        seconds.append(taken)
        steps.append(count)
    reached = [value for value in seconds if value is not None]
    quartiles = [quantile(reached, share) for share in (0.25, 0.5, 0.75)] if len(reached) == case.seeds else [None] * 3
    return {
        "batch": case.batch, "target_accuracy": settings.target_accuracy, "seconds": seconds, "steps": steps,
        "quartile1_s": quartiles[0], "median_s": quartiles[1], "quartile3_s": quartiles[2],
        "samples": settings.data or "made",
    }  # fmt: skip


def _run_to_target(case: Case, settings: Settings, ranks: _Ranks, seed: int) -> tuple[float | None, int]:
    trainer, specs = _trainer(case.model, settings, ranks)
    train, validation = datasets(settings.data, specs)
    held = [tensor.to(ranks.device) for tensor in batch_of(validation, 0, min(len(validation), 256))]
    micro = min(case.batch, settings.max_batch)
    order = torch.randperm(len(train), generator=torch.Generator().manual_seed(seed)).tolist()
    shuffled = _Ordered(train, order)
    taken = 0.0
    for step in range(settings.most_steps):
        started = time.perf_counter()
        first = step * case.batch * ranks.processes
        passes = _passes(
            _Ordered(shuffled, range(first, first + case.batch * ranks.processes)), case.batch, micro, ranks
        )
        trainer.step(passes)
        if ranks.device.type == "cuda":
            torch.cuda.synchronize(ranks.device)
        taken += time.perf_counter() - started
        # every process looks at the same samples with the same weights; the vote settles a rounding difference
        if (step + 1) % EVALUATE_EVERY == 0 and ranks.all_say(_accuracy(trainer, held) >= settings.target_accuracy):
            return taken, step + 1
    return None, settings.most_steps


class _Ordered:
    """Samples in another order, around the end."""

    def __init__(self, samples: Any, order: Sequence[int]) -> None:
        self.samples, self.order = samples, order

    def __len__(self) -> int:
        return len(self.order)

    def __getitem__(self, i: int) -> Any:
        return self.samples[self.order[i % len(self.order)]]


@torch.no_grad()
def _accuracy(trainer: Trainer, held: Sequence[torch.Tensor]) -> float:
    """Share of the validation samples (or their positions) whose class is found."""
    trainer.wrapped.eval()
    with autocast(trainer.device, trainer.precision):
        output = trainer.wrapped(*held[:-1])
    trainer.wrapped.train()
    return float((output.argmax(dim=1) == trainer.wanted(held[-1], output)).float().mean())


KINDS: dict[str, Callable[[Case, Settings, _Ranks], dict[str, Any]]] = {
    "steps": _steps,
    "loader": _loader,
    "all_reduce": _all_reduce,
    "target": _target,
}
