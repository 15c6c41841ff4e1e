"""A training step at 16 bits as torch's autocast runs it: products in 16 bits, parameters and gradients in fp32."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_map

from hwcost.measure.operators import base_name

# what a card's autocast runs in fp32, and a processor's in the type of its input (torch.amp, "CUDA Ops that can
# autocast to float32"): the results of these are kept at four bytes
IN_FP32 = frozenset(
    (
        "softmax", "log_softmax", "softmin", "layer_norm", "group_norm", "norm", "cross_entropy", "nll_loss", "l1_loss",
        "smooth_l1_loss", "mse_loss", "kl_div", "cosine_similarity", "cosine_embedding_loss", "exp", "expm1", "log",
        "log10", "log2", "log1p", "pow", "__pow__", "__rpow__", "reciprocal", "rsqrt", "softplus", "sum", "prod",
        "cumsum", "cumprod", "dist", "cdist", "renorm", "sinh", "cosh", "tan", "erfinv", "acos", "asin",
    )
)  # fmt: skip
SIXTEEN_BIT = {"amp16": torch.float16, "bf16": torch.bfloat16}


class WeightCopies(TorchDispatchMode):
    """Notes the 16-bit copies that autocast makes of parameters: kept for backward, but not of any sample."""

    def __init__(self, parameters: Iterable[torch.Tensor]) -> None:
        super().__init__()
        self._parameters = {tensor.untyped_storage()._cdata for tensor in parameters}
        self.copies: list[torch.Tensor] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        if base_name(func) == "_to_copy" and args[0].untyped_storage()._cdata in self._parameters:
            self.copies.append(result)
        return result


class InFp32(TorchFunctionMode):
    """Widens the inputs of what a card computes in fp32."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if getattr(func, "__name__", "") not in IN_FP32:
            return func(*args, **kwargs)
        args, kwargs = tree_map(_wide, (args, kwargs))
        with torch.autocast("cpu", enabled=False):
            return func(*args, **kwargs)


def _wide(value: Any) -> Any:
    narrow = isinstance(value, torch.Tensor) and value.dtype in (torch.float16, torch.bfloat16)
    return value.float() if narrow else value


@contextlib.contextmanager
def autocast(precision: str, copies: WeightCopies | None = None) -> Iterator[None]:
    """The context of the forward pass on a processor; nothing where all is 32 bits wide."""
    if precision not in SIXTEEN_BIT:
        yield
        return
    with torch.autocast("cpu", dtype=SIXTEEN_BIT[precision]), copies or contextlib.nullcontext(), InFp32():
        yield
