"""What a case does in each of its processes: training steps, the loader, an all-reduce, training to a target."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import nn

from hwcost.errors import Problem
from hwcost.measure.loading import InputSpec, build, find_factory, parse_input
from hwcost.measure.ranks import Case, Ranks, Settings
from hwcost.measure.samples import batch_of, datasets
from hwcost.measure.timing import Clock, Trainer, autocast, has_classes, quantile, summary, time_all_reduce, time_steps

EVALUATE_EVERY = 5  # steps between two looks at the validation samples
LOADER_BATCHES = 20
HELD_SAMPLES, HELD_BYTES = 256, 2**29  # of the validation set, at most


def model_and_inputs(word: str, settings: Settings) -> tuple[nn.Module, tuple[InputSpec, ...]]:
    """A new network and the shapes of its inputs."""
    factory, own = find_factory(word)
    problems: list[Problem] = []
    stated = tuple(spec for spec in (parse_input(text, problems) for text in settings.inputs) if spec is not None)
    return build(factory, word), own or stated


def _trainer(word: str, settings: Settings, ranks: Ranks) -> tuple[Trainer, tuple[InputSpec, ...]]:
    """A new network of this process alone."""
    model, specs = model_and_inputs(word, settings)
    model.train().to(ranks.device)
    return Trainer(model, ranks.device, settings.precision, settings.optimizer, settings.data is None), specs


def _join(trainer: Trainer, ranks: Ranks, unused: bool) -> None:
    """From now on the gradients of all processes are averaged. `unused`: some parameters get none in a step."""
    if ranks.processes > 1:
        own = [ranks.device.index] if ranks.device.type == "cuda" else None
        trainer.wrapped = nn.parallel.DistributedDataParallel(
            trainer.wrapped, device_ids=own, find_unused_parameters=unused
        )


def _passes(samples: Any, batch: int, micro: int, ranks: Ranks) -> list[list[torch.Tensor]]:
    """The batch of this process in equal parts of at most `micro` samples: none of one alone, if it can be."""
    count = -(-batch // micro)
    sizes = [batch // count + (i < batch % count) for i in range(count)]
    starts = [ranks.rank * batch + sum(sizes[:i]) for i in range(count)]
    return [
        [tensor.to(ranks.device) for tensor in batch_of(samples, start, size)]
        for start, size in zip(starts, sizes, strict=True)
    ]


def _steps(case: Case, settings: Settings, ranks: Ranks) -> dict[str, Any]:
    """Optimizer steps; what does not fit is halved and accumulated, on all processes alike."""
    none = {"batch": case.batch, "sync": case.sync, "micro_batch": None, "accumulation_steps": None, "median_ms": None}
    try:
        room = _room(case, settings, ranks)
        if room is None:
            return none
        micro, unused = room
        trainer, specs = _trainer(case.model, settings, ranks)
        passes = _passes(datasets(settings.data, specs)[0], case.batch, micro, ranks)
        _join(trainer, ranks, unused)
        found = time_steps(trainer, passes, case.count, case.sync)
    except Exception as error:
        if not case.optional:
            raise
        reason = str(error).splitlines()
        return {**none, "refused": f"{type(error).__name__}: {reason[0] if reason else ''}"}
    return {
        **none, "micro_batch": max(len(part[0]) for part in passes), "accumulation_steps": len(passes),
        "unused_parameters": unused, **found,
    }  # fmt: skip


def _room(case: Case, settings: Settings, ranks: Ranks) -> tuple[int, bool] | None:
    """The largest micro-batch that fits every process, and whether a step leaves parameters without a gradient; None
    where one sample does not fit."""
    micro = min(case.batch, settings.max_batch)
    while True:
        trainer, specs = _trainer(case.model, settings, ranks)
        passes = _passes(datasets(settings.data, specs)[0], case.batch, micro, ranks)
        # each tries alone: a process without memory in the middle of an exchange would leave the others waiting
        without_gradient = _tried(trainer, passes)
        if ranks.all_say(without_gradient is not None):
            unused = not ranks.all_say(not without_gradient)
            _join(trainer, ranks, unused)
            if ranks.processes == 1 or ranks.all_say(_tried(trainer, passes) is not None):
                return micro, unused
        if micro == 1:
            return None
        del trainer, passes
        gc.collect()
        torch.cuda.empty_cache()
        micro = -(-micro // 2)


def _tried(trainer: Trainer, passes: Sequence[Sequence[torch.Tensor]]) -> int | None:
    """Parameters without a gradient after a step of this process alone; None where its memory does not suffice."""
    try:
        return trainer.step(passes, sync=False)
    except torch.OutOfMemoryError:
        return None
    except RuntimeError as error:  # of a processor's memory
        if "can't allocate memory" not in str(error):
            raise
        return None


def _loader(case: Case, settings: Settings, ranks: Ranks) -> dict[str, Any]:
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


def _all_reduce(case: Case, settings: Settings, ranks: Ranks) -> dict[str, Any]:
    return time_all_reduce(ranks.device, case.message_bytes, case.count)


def _target(case: Case, settings: Settings, ranks: Ranks) -> dict[str, Any]:
    """Training time until the validation accuracy reaches the target, for each seed; None where it never did."""
    told = {
        "batch": case.batch, "target_accuracy": settings.target_accuracy, "samples": settings.data or "made",
        "seconds": [None] * case.seeds, "steps": [0] * case.seeds, "quartile1_s": None, "median_s": None,
        "quartile3_s": None,
    }  # fmt: skip
    room = _room(case, settings, ranks)
    if room is None:
        return told
    seconds: list[float | None] = []
    steps: list[int] = []
    for seed in range(case.seeds):
        torch.manual_seed(seed)
        run = _run_to_target(case, settings, ranks, seed, *room)
        if run is None:
            return {**told, "no_classes": True}
        seconds.append(run[0])
        steps.append(run[1])
    reached = [value for value in seconds if value is not None]
    quartiles = [quantile(reached, share) for share in (0.25, 0.5, 0.75)] if len(reached) == case.seeds else [None] * 3
    return {
        **told, "seconds": seconds, "steps": steps, "quartile1_s": quartiles[0], "median_s": quartiles[1],
        "quartile3_s": quartiles[2],
    }  # fmt: skip


def _run_to_target(
    case: Case, settings: Settings, ranks: Ranks, seed: int, micro: int, unused: bool
) -> tuple[float | None, int] | None:
    """(seconds or None, steps) of one run; None for a network whose output has no classes."""
    trainer, specs = _trainer(case.model, settings, ranks)
    train, validation = datasets(settings.data, specs)
    sample_bytes = max(1, sum(spec.bytes_per_sample for spec in specs))
    held_count = max(1, min(len(validation), HELD_SAMPLES, HELD_BYTES // sample_bytes))
    held = [tensor.to(ranks.device) for tensor in batch_of(validation, 0, held_count)]
    if _accuracy(trainer, held, micro) is None:
        return None
    _join(trainer, ranks, unused)
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
        if (step + 1) % EVALUATE_EVERY == 0:
            accuracy = _accuracy(trainer, held, micro)
            if ranks.all_say(accuracy is not None and accuracy >= settings.target_accuracy):
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
def _accuracy(trainer: Trainer, held: Sequence[torch.Tensor], micro: int) -> float | None:
    """Share of the validation samples (or their positions) whose class is found; None where there are no classes."""
    trainer.wrapped.eval()
    right = count = 0
    for first in range(0, len(held[0]), micro):
        part = [tensor[first : first + micro] for tensor in held]
        with autocast(trainer.device, trainer.precision):
            output = trainer.wrapped(*part[:-1])
        if not has_classes(output, part):
            trainer.wrapped.train()
            return None
        hits = output.argmax(dim=1) == trainer.wanted(part[-1], output)
        right, count = right + int(hits.sum()), count + hits.numel()
    trainer.wrapped.train()
    return right / count


KINDS: dict[str, Callable[[Case, Settings, Ranks], dict[str, Any]]] = {
    "steps": _steps,
    "loader": _loader,
    "all_reduce": _all_reduce,
    "target": _target,
}
