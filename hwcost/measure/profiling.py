"""What one training step of a network needs, at fp32: FLOPs, bytes saved and moved, kernels, memory.

The network runs on tensors that have shapes and no values (`FakeTensorMode`): no card, no memory for activations, no
arithmetic. A network that looks at values (`.item()`, `nonzero`) has to run for real on the processor (`real=True`).
The optimizer's state is there before the step, as in every step but the first.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch._subclasses.fake_tensor import (
    DataDependentOutputException,
    DynamicOutputShapeException,
    FakeTensor,
    FakeTensorMode,
    UnsupportedFakeTensorException,
    UnsupportedOperatorException,
)

from hwcost.errors import InputError, Problem
from hwcost.measure.loading import InputSpec, build
from hwcost.measure.mixed import WeightCopies, autocast
from hwcost.measure.operators import tensors_in
from hwcost.measure.optimizers import Optimizer
from hwcost.measure.watching import AsOnCard, LiveMemory, Saved, Tally, Watch
from hwcost.memory import MIB

NEEDS_VALUES = (
    DataDependentOutputException,
    DynamicOutputShapeException,
    UnsupportedFakeTensorException,
    UnsupportedOperatorException,
)


# What a process takes on a card: its context; tensors alive at once, held in larger blocks; and the largest workspace
# of a convolution, in units of the input and result of the largest one of its kind. Fitted on public peaks of half of
# the image models, without runs that failed before their peak (`benchmarks/accuracy.py --memory`).
PROCESS_MIB = 1736.0
RESERVED_PER_LIVE = 1.07
WORKSPACE_PER_MAPS = {"plain": 3.7, "grouped": 3.4, "pointwise": 0.9, "depthwise": 0.5}


@dataclass(frozen=True)
class Profile:
    """One training step at fp32 with `batch` samples. Bytes are of the whole batch; FLOPs of the forward pass alone.

    `forward_flop` counts convolutions, matrix products and attention, `elementwise_flop` everything else.
    `unknown_operators` names what no formula covers, with its calls: where it is not empty, the FLOPs are too low.
    """

    batch: int
    optimizer: str
    params: int
    parameter_tensors: int
    batchnorm: bool
    forward_flop: int
    elementwise_flop: int
    saved_bytes: int
    largest_saved_bytes: int  # without the inputs: they get no gradient, so that nothing of their size is made
    saved_tensors: int
    moved_bytes: int
    launches: int
    launches_forward: int
    launches_backward: int
    launches_optimizer: int
    peak_live_bytes: int  # parameters, state, gradients, activations and temporaries alive at once
    state_bytes: int  # alive between two steps: parameters, buffers, optimizer
    convolution_bytes: dict[str, int]  # by kind (`convolution_kind`): input and result of the largest convolution
    input_bytes: int
    unknown_operators: dict[str, int] = field(default_factory=dict)
    real: bool = False
    precision: str = "fp32"  # amp16, bf16: forward under autocast, whose copies of weights are not in saved_bytes

    @property
    def training_flop(self) -> int:
        """Forward and a backward of twice its cost."""
        return 3 * self.forward_flop

    @property
    def reserved_bytes(self) -> float:
        """What the process takes on a card beside its context: measured peaks of image models, see the constants."""
        maps = (WORKSPACE_PER_MAPS[kind] * size for kind, size in self.convolution_bytes.items())
        return RESERVED_PER_LIVE * self.peak_live_bytes + max(maps, default=0.0)

    @property
    def process_mib(self) -> float:
        """Expected peak of the whole process on a card, MiB."""
        return PROCESS_MIB + self.reserved_bytes / MIB


def profile(
    factory: Callable[[], Any],
    word: str,
    inputs: Sequence[InputSpec],
    batch: int,
    optimizer: str = "adam",
    *,
    real: bool = False,
    precision: str = "fp32",
) -> Profile:
    """Profiles the network that `factory` makes on `batch` samples of `inputs`.

    At `amp16` and `bf16` the forward pass runs under autocast; all other precisions store what fp32 stores.

    Raises `InputError` where the user's code fails, or needs values that the tensors do not have.
    """
    mode = None if real else FakeTensorMode(allow_non_fake_inputs=True)
    model = _built(factory, word, mode)
    model.train()
    with mode if mode is not None else contextlib.nullcontext(), _plain_operators():
        try:
            return _profiled(model, inputs, batch, optimizer, real, precision)
        except NEEDS_VALUES as error:
            raise _fault("measure_needs_values", word, error) from error
        except (Exception, SystemExit) as error:  # whatever the user's forward pass raises
            raise _fault("measure_step", word, error, shapes=", ".join(str(spec) for spec in inputs)) from error


@contextlib.contextmanager
def _plain_operators() -> Iterator[None]:
    """Without the processor's fused library, whose recurrent layers no formula knows."""
    before = torch.backends.mkldnn.set_flags(_enabled=False)
    try:
        yield
    finally:
        torch.backends.mkldnn.set_flags(_enabled=before[0])


def _built(factory: Callable[[], Any], word: str, mode: FakeTensorMode | None) -> torch.nn.Module:
    """The network without values. A factory that needs values runs for real once, then its parameters lose theirs."""
    if mode is None:
        return build(factory, word)
    try:
        with mode:
            model = build(factory, word)
    except InputError:
        model = build(factory, word)
    _without_values(model, mode)
    return model


def _without_values(model: torch.nn.Module, mode: FakeTensorMode) -> None:
    """Replaces parameters and buffers that have values; one that several modules share stays shared."""
    made: dict[int, Any] = {}

    def bare(tensor: torch.Tensor) -> Any:
        if id(tensor) not in made:
            fake = _emptied(tensor.detach(), mode)
            is_parameter = isinstance(tensor, torch.nn.Parameter)
            made[id(tensor)] = torch.nn.Parameter(fake, tensor.requires_grad) if is_parameter else fake
        return made[id(tensor)]

    for module in model.modules():
        for held in (module._parameters, module._buffers):
            for name, tensor in held.items():
                if tensor is not None and getattr(tensor, "fake_mode", None) is not mode:
                    held[name] = bare(tensor)


def _emptied(tensor: torch.Tensor, mode: FakeTensorMode) -> torch.Tensor:
    """A tensor of this mode; what an earlier profile of the same network left is made anew."""
    if not isinstance(tensor, FakeTensor):
        return mode.from_tensor(tensor)
    with mode:
        return torch.empty_strided(tensor.size(), tensor.stride(), dtype=tensor.dtype)


def _profiled(
    model: torch.nn.Module, inputs: Sequence[InputSpec], batch: int, optimizer_name: str, real: bool, precision: str
) -> Profile:
    trained = [p for p in model.parameters() if p.requires_grad]
    own = [*model.parameters(), *model.buffers()]
    optimizer = Optimizer(optimizer_name, trained)
    memory = LiveMemory()
    for tensor in own:
        memory.add(tensor)
    watch = Watch(memory)
    with AsOnCard(), watch:
        optimizer.prepare()
        state = memory.live
        phases = _step(model, inputs, batch, optimizer, watch, Saved(own), precision)
    forward, backward, update = (phases[name] for name in ("forward", "backward", "optimizer"))
    strangers: Counter[str] = forward.strangers + backward.strangers + update.strangers
    sizes = forward.saved_sizes
    return Profile(
        batch=batch,
        optimizer=optimizer_name,
        params=sum(p.numel() for p in model.parameters()),
        parameter_tensors=len(trained),
        batchnorm=any(isinstance(m, torch.nn.modules.batchnorm._BatchNorm) for m in model.modules()),
        forward_flop=forward.product_flop,
        elementwise_flop=forward.plain_flop,
        saved_bytes=sum(sizes),
        largest_saved_bytes=forward.largest_saved,
        saved_tensors=len(sizes),
        moved_bytes=sum(tally.moved_bytes for tally in (forward, backward, update)),
        launches=sum(tally.kernels for tally in (forward, backward, update)),
        launches_forward=forward.kernels,
        launches_backward=backward.kernels,
        launches_optimizer=update.kernels,
        peak_live_bytes=memory.peak,
        state_bytes=state,
        convolution_bytes=dict(sorted(watch.convolutions.items())),
        input_bytes=batch * sum(spec.bytes_per_sample for spec in inputs),
        unknown_operators=dict(sorted(strangers.items())),
        real=real,
        precision=precision,
    )


def _step(
    model: torch.nn.Module,
    inputs: Sequence[InputSpec],
    batch: int,
    optimizer: Optimizer,
    watch: Watch,
    saved: Saved,
    precision: str = "fp32",
) -> dict[str, Tally]:
    """One step; the tally of each phase."""
    phases = {"inputs": Tally(), "forward": Tally(), "backward": Tally(), "optimizer": Tally()}
    watch.phase = phases["inputs"]
    samples = [spec.tensor(batch) for spec in inputs]
    watch.phase = phases["forward"]
    copies = WeightCopies(model.parameters())
    with saved.hooks():
        with autocast(precision, copies):
            output = model(*samples)
        loss = loss_of(output, samples)
    del output
    phases["forward"].saved_sizes = saved.sizes(besides=copies.copies)
    phases["forward"].largest_saved = max(saved.sizes(besides=[*samples, *copies.copies]), default=0)
    copies.copies.clear()
    watch.phase = phases["backward"]
    loss.backward()
    del loss
    watch.phase = phases["optimizer"]
    optimizer.step()
    return phases


def loss_of(output: Any, samples: Sequence[torch.Tensor]) -> torch.Tensor:
    """A loss that fits the output: itself where it is one number, the squared error where it looks like the input,
    else cross-entropy over the second dimension. Its kernels and bytes are small beside the network's."""
    found = [tensor for tensor in tensors_in(output) if tensor.is_floating_point()]
    if not found:
        raise ValueError("the network returns no tensor of floating-point numbers")
    result = found[0]
    if result.numel() == 1:
        return result.float().reshape(())
    if result.dim() == 1:
        return result.float().mean()
    if result.shape == samples[0].shape:
        return torch.nn.functional.mse_loss(result.float(), samples[0].float())
    target = torch.zeros(result.shape[0], *result.shape[2:], dtype=torch.int64, device=result.device)
    return torch.nn.functional.cross_entropy(result.float(), target)


def _fault(code: str, word: str, error: BaseException, **values: str) -> InputError:
    lines = str(error).splitlines()
    reason = f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
    return InputError([Problem(code, file=word, value=word, values={"reason": reason, **values})])
