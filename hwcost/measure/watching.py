"""Modes that see every operator of a step: what it computes and moves, what is saved, what is alive at once.

A storage is the memory behind one or several tensors; it counts once, from its making until nothing refers to it.
"""

from __future__ import annotations

import weakref
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from hwcost.measure.operators import (
    KNOWN_BACKWARD,
    base_name,
    convolution_kind,
    is_free,
    kernels,
    moved_bytes,
    plain_flop,
    product_flop,
    tensors_in,
)


@dataclass
class Tally:
    """What one phase of a step did. `strangers` counts calls of operators that no formula covers."""

    product_flop: int = 0
    plain_flop: int = 0
    moved_bytes: int = 0
    kernels: int = 0
    strangers: Counter[str] = field(default_factory=Counter)
    saved_sizes: list[int] = field(default_factory=list)  # bytes of each storage kept for backward
    largest_saved: int = 0  # of those, without the inputs


class LiveMemory:
    """Bytes of the storages alive now, and the most that ever were at once."""

    def __init__(self) -> None:
        self.live = 0
        self.peak = 0
        self._known: dict[int, weakref.ref[Any]] = {}

    def add(self, tensor: torch.Tensor) -> None:
        """Counts the memory of a tensor from now on, once."""
        storage = tensor.untyped_storage()
        key = id(storage)
        if key in self._known:
            return
        size = storage.nbytes()
        self._known[key] = weakref.ref(storage, lambda _: self._gone(key, size))
        self.live += size
        self.peak = max(self.peak, self.live)

    def _gone(self, key: int, size: int) -> None:
        del self._known[key]
        self.live -= size


class Watch(TorchDispatchMode):
    """Sees every operator; `phase` is the tally that the next ones go to."""

    def __init__(self, memory: LiveMemory) -> None:
        super().__init__()
        self.memory = memory
        self.phase = Tally()
        self.convolutions: dict[str, int] = {}  # by kind: bytes of the input and the result of the largest one

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        result = func(*args, **kwargs)
        for tensor in tensors_in(result):
            self.memory.add(tensor)
        if is_free(func):
            return result
        if base_name(func) == "convolution":
            kind = convolution_kind(args[1], args[8])
            self.convolutions[kind] = max(self.convolutions.get(kind, 0), moved_bytes(args[0], result))
        tally = self.phase
        tally.kernels += kernels(func, args, result)
        tally.moved_bytes += moved_bytes([args, kwargs], result)
        product = product_flop(func, args, result)
        if product is not None:
            tally.product_flop += product
            return result
        plain = plain_flop(func, args, result)
        if plain is not None:
            tally.plain_flop += plain
        elif base_name(func) not in KNOWN_BACKWARD:
            tally.strangers[str(func)] += 1
        return result


class Saved:
    """The storages that the forward pass keeps for backward, without those in `excluded` (parameters)."""

    def __init__(self, excluded: Iterable[torch.Tensor]) -> None:
        self._excluded = {tensor.untyped_storage()._cdata for tensor in excluded}
        self._found: dict[int, tuple[weakref.ref[Any], int]] = {}

    def hooks(self) -> Any:
        """The context in which the forward pass runs."""
        return torch.autograd.graph.saved_tensors_hooks(self._pack, _unpack)

    def _pack(self, tensor: torch.Tensor) -> torch.Tensor:
        storage = tensor.untyped_storage()
        if storage._cdata not in self._excluded:
            self._found[storage._cdata] = (weakref.ref(storage), storage.nbytes())
        return tensor

    def sizes(self, besides: Iterable[torch.Tensor] = ()) -> list[int]:
        """Bytes of each storage still held, but those of `besides`; what nothing needs any more is not counted."""
        left_out = {tensor.untyped_storage()._cdata for tensor in besides}
        return [size for key, (held, size) in self._found.items() if key not in left_out and held() is not None]


def _unpack(tensor: torch.Tensor) -> torch.Tensor:
    return tensor


class AsOnCard(TorchFunctionMode):
    """Calls what a card would run where the processor's own way differs.

    A card's dropout keeps one byte an element where the processor's keeps four; its attention with dropout keeps a
    seed, where the processor falls back to the full matrix of scores. A tensor without a device would do so, too.
    torch's own layers call these functions where no mode looks: there the names themselves stand for others meanwhile.
    """

    def __enter__(self) -> Any:
        functional: Any = torch.nn.functional
        self._own = {name: getattr(functional, name) for name in REPLACED}
        for name, replacement in REPLACED.items():
            setattr(functional, name, partial(replacement, self._own[name]))
        return super().__enter__()

    def __exit__(self, *error: Any) -> None:
        for name, own in self._own.items():
            setattr(torch.nn.functional, name, own)
        super().__exit__(*error)

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        replacement = REPLACED.get(getattr(func, "__name__", ""))
        return (func if replacement is None else partial(replacement, func))(*args, **(kwargs or {}))


def _attention(own: Any, *args: Any, **kwargs: Any) -> torch.Tensor:
    """Attention without dropout, never by the full matrix of scores where a card would not."""
    names = ("query", "key", "value", "attn_mask", "dropout_p", "is_causal")
    stated = {**dict(zip(names, args, strict=False)), **kwargs, "dropout_p": 0.0}
    learnt_mask = stated.get("attn_mask") is not None and stated["attn_mask"].requires_grad
    if stated["query"].device.type == "meta" and not stated.get("enable_gqa") and not learnt_mask:
        stated.pop("enable_gqa", None)
        found: torch.Tensor = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(**stated)[0]
        return found
    result: torch.Tensor = own(**stated)
    return result


def _dropout(own: Any, *args: Any, **kwargs: Any) -> torch.Tensor:
    """Dropout with a mask of one byte an element."""
    stated = {**dict(zip(("input", "p", "training", "inplace"), args, strict=False)), **kwargs}
    training = stated.get("training", stated.get("train", True))
    if training and not stated.get("inplace") and 0.0 < stated.get("p", 0.5) < 1.0:
        return torch.native_dropout(stated["input"], stated.get("p", 0.5), True)[0]
    result: torch.Tensor = own(*args, **kwargs)
    return result


REPLACED: dict[str, Any] = {"scaled_dot_product_attention": _attention, "dropout": _dropout}
