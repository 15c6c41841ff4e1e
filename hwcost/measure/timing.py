"""Training steps and all-reduces of one process, timed. Times are in ms."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import nn

from hwcost.measure.optimizers import MOMENTUM, RATE
from hwcost.measure.profiling import loss_of

NORMAL_QUARTILES = 1.349  # distance of the quartiles of a normal, in standard deviations
LOWEST_WARM_UP = 3


@dataclass
class Clock:
    """Marks on the device's own time line, so that the host may run ahead of a card as in training."""

    device: torch.device
    marks: list[Any] = field(default_factory=list)

    def mark(self) -> None:
        if self.device.type == "cuda":
            event = torch.cuda.Event(enable_timing=True)
            event.record()
            self.marks.append(event)
        else:
            self.marks.append(time.perf_counter())

    def intervals_ms(self) -> list[float]:
        """Time between neighbouring marks."""
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)
            return [a.elapsed_time(b) for a, b in zip(self.marks, self.marks[1:], strict=False)]
        return [1e3 * (b - a) for a, b in zip(self.marks, self.marks[1:], strict=False)]


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which `share` of the values lie, between neighbours in proportion."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def summary(times_ms: Sequence[float]) -> dict[str, Any]:
    """Median, quartiles and variation. The variation is that of the middle half, which no hiccup of the host enters."""
    low, median, high = (quantile(times_ms, share) for share in (0.25, 0.5, 0.75))
    return {
        "median_ms": median, "quartile1_ms": low, "quartile3_ms": high, "count": len(times_ms),
        "cv": (high - low) / NORMAL_QUARTILES / median if median > 0.0 else None,
    }  # fmt: skip


def warm_up_of(steps: int) -> int:
    """Steps that are run before those that are timed."""
    return max(LOWEST_WARM_UP, steps // 10)


# --- training steps ---


@dataclass
class Trainer:
    """A network on a device with its optimizer, at a precision. `wrapped` is the network itself or its DDP."""

    wrapped: nn.Module
    device: torch.device
    precision: str
    optimizer_name: str
    made_samples: bool = True  # their classes fold into those that the network has

    def __post_init__(self) -> None:
        self.parameters = parameters = [p for p in self.wrapped.parameters() if p.requires_grad]
        if self.optimizer_name == "adam":
            self.optimizer: Any = torch.optim.Adam(parameters, lr=RATE)
        else:
            momentum = MOMENTUM if self.optimizer_name == "momentum" else 0.0
            self.optimizer = torch.optim.SGD(parameters, lr=10.0 * RATE, momentum=momentum)
        scaled = self.precision == "amp16" and self.device.type == "cuda"
        self.scaler = torch.amp.GradScaler(self.device.type, enabled=scaled)
        set_tf32(self.precision)

    def step(self, passes: Sequence[Sequence[torch.Tensor]], sync: bool = True) -> int:
        """One optimizer step over the batches of `passes`; gradients travel with the last one, or never.

        Returns the number of parameters that got no gradient.
        """
        for i, batch in enumerate(passes):
            quiet = not sync or i < len(passes) - 1
            with self._without_travel() if quiet else contextlib.nullcontext():
                loss = self.loss(batch) / len(passes)
                self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        without = sum(p.grad is None for p in self.parameters)
        self.optimizer.zero_grad(set_to_none=True)
        return without

    def loss(self, batch: Sequence[torch.Tensor]) -> torch.Tensor:
        """Cross-entropy where the output has classes, else what fits the output."""
        with autocast(self.device, self.precision):
            output = self.wrapped(*batch[:-1])
        if not has_classes(output, batch):
            return loss_of(output, batch[:-1])
        return nn.functional.cross_entropy(output.float(), self.wanted(batch[-1], output))

    def wanted(self, classes: torch.Tensor, output: torch.Tensor) -> torch.Tensor:
        """The classes in the shape of the output: one class a sample holds for every position of a tile."""
        if classes.is_floating_point():
            raise TypeError("the classes of --data are no whole numbers")
        found = classes.to(torch.int64)
        if self.made_samples:
            found = found % output.shape[1]
        if found.dim() == 1 and output.dim() > 2:
            found = found.view(-1, *[1] * (output.dim() - 2)).expand(-1, *output.shape[2:])
        return found

    def _without_travel(self) -> Any:
        no_sync = getattr(self.wrapped, "no_sync", None)
        return no_sync() if no_sync is not None else contextlib.nullcontext()


def has_classes(output: Any, batch: Sequence[torch.Tensor]) -> bool:
    """Whether the second dimension of the output can be classes: neither one number nor the input over again."""
    return isinstance(output, torch.Tensor) and output.dim() >= 2 and output.shape != batch[0].shape


def autocast(device: torch.device, precision: str) -> Any:
    """The context in which the forward pass runs."""
    if precision not in ("amp16", "bf16"):
        return contextlib.nullcontext()
    return torch.autocast(device.type, dtype=torch.float16 if precision == "amp16" else torch.bfloat16)


def set_tf32(precision: str) -> None:
    """`fp32` turns TF32 off, `tf32` on; otherwise torch's default stays: on for convolutions, off for products."""
    if precision in ("fp32", "tf32"):
        torch.backends.cudnn.allow_tf32 = precision == "tf32"
        torch.backends.cuda.matmul.allow_tf32 = precision == "tf32"


def time_steps(
    trainer: Trainer, passes: Sequence[Sequence[torch.Tensor]], steps: int, sync: bool = True
) -> dict[str, Any]:
    """`steps` timed optimizer steps after a warm-up, and the peak of memory over them."""
    for _ in range(warm_up_of(steps)):
        trainer.step(passes, sync)
    if trainer.device.type == "cuda":
        torch.cuda.synchronize(trainer.device)
        torch.cuda.reset_peak_memory_stats(trainer.device)
    clock = Clock(trainer.device)
    clock.mark()
    for _ in range(steps):
        trainer.step(passes, sync)
        clock.mark()
    return {**summary(clock.intervals_ms()), **peak_memory(trainer.device)}


def peak_memory(device: torch.device) -> dict[str, Any]:
    """Peak of this process: on a card that of torch's allocator, on a processor the resident memory."""
    if device.type == "cuda":
        return {
            "peak_mib": torch.cuda.max_memory_allocated(device) / 2**20, "memory_source": "max_memory_allocated",
            "peak_reserved_mib": torch.cuda.max_memory_reserved(device) / 2**20,
        }  # fmt: skip
    if sys.platform == "win32":  # tells no such figure
        return {"peak_mib": None, "memory_source": None, "peak_reserved_mib": None}
    import resource

    unit = 1.0 if sys.platform == "darwin" else 1024.0  # bytes on macOS, KiB elsewhere
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**20
    return {"peak_mib": peak, "memory_source": "resident", "peak_reserved_mib": None}


def time_all_reduce(device: torch.device, message_bytes: int, repeats: int) -> dict[str, Any]:
    """All-reduces of one message of fp32 over every process."""
    message = torch.ones(max(1, message_bytes // 4), device=device)
    for _ in range(warm_up_of(repeats)):
        torch.distributed.all_reduce(message)
        message.fill_(1.0)
    torch.distributed.barrier()
    clock = Clock(device)
    for _ in range(repeats):  # the host runs ahead, as it does in a step: a card waits for the link, not for the host
        clock.mark()
        torch.distributed.all_reduce(message)
        clock.mark()
        message.fill_(1.0)  # sums of sums would overflow
    times = clock.intervals_ms()[::2]
    return {**summary(times), "bytes": message.numel() * 4}
