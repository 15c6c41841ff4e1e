"""A network and its inputs from the words of the command line.

`package.module:factory` is imported from where Python looks, the current folder first, and its factory is called
without arguments: **the user's own code runs**. A bare name is one of the reference networks (`hwcost.measure.models`).
"""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch.nn.parameter import is_lazy

from hwcost.errors import InputError, Problem
from hwcost.problems import nearest_match

DTYPES = {
    "float32": torch.float32, "float64": torch.float64, "float16": torch.float16, "bfloat16": torch.bfloat16,
    "int64": torch.int64, "int32": torch.int32, "bool": torch.bool,
}  # fmt: skip
SHAPE = re.compile(r"\d+(?:[x×*]\d+)*")
MOST_ELEMENTS = 2**40


@dataclass(frozen=True)
class InputSpec:
    """One input of the network without its batch: `shape` of a sample."""

    shape: tuple[int, ...]
    dtype: torch.dtype = torch.float32

    def tensor(self, batch: int) -> torch.Tensor:
        """A batch; whole numbers are zeros, so that they are valid classes and indices of any table."""
        if self.dtype.is_floating_point:
            return torch.randn(batch, *self.shape, dtype=self.dtype)
        return torch.zeros(batch, *self.shape, dtype=self.dtype)

    @property
    def bytes_per_sample(self) -> int:
        count = 1
        for side in self.shape:
            count *= side
        return count * self.dtype.itemsize

    def __str__(self) -> str:
        text = "x".join(str(side) for side in self.shape)
        return text if self.dtype == torch.float32 else f"{text}:{str(self.dtype).removeprefix('torch.')}"


def parse_input(text: str, problems: list[Problem]) -> InputSpec | None:
    """`1x30x25x25`, `128:int64`; a fault is noted and reads as None."""
    sides, _, kind = text.strip().lower().partition(":")
    numbers = [int(side) for side in re.split("[x×*]", sides)] if SHAPE.fullmatch(sides) else []
    elements = 1
    for number in numbers:
        elements *= number
    if not numbers or not 0 < elements <= MOST_ELEMENTS:
        problems.append(Problem("measure_input", file="--input", value=text))
        return None
    if kind and kind not in DTYPES:
        values = {"expected": ", ".join(DTYPES), "nearest": nearest_match(kind, list(DTYPES))}
        problems.append(Problem("measure_input_type", file="--input", value=text, values=values))
        return None
    return InputSpec(tuple(numbers), DTYPES[kind or "float32"])


def find_factory(word: str) -> tuple[Callable[[], Any], tuple[InputSpec, ...]]:
    """The factory of `word`, and the inputs that go with it where it is a reference network.

    Raises `InputError` where the module cannot be imported, or has no such factory.
    """
    from hwcost.measure.models import REFERENCES

    if word in REFERENCES:
        reference = REFERENCES[word]
        return reference.factory, tuple(InputSpec(shape) for shape in reference.inputs)
    module_name, colon, name = word.partition(":")
    if not colon or not module_name or not name:
        near = {"nearest": nearest_match(word, list(REFERENCES)), "known": ", ".join(REFERENCES)}
        raise InputError([Problem("measure_model_form", file=word, value=word, values=near)])
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        held: Any = importlib.import_module(module_name)
    except (Exception, SystemExit) as error:  # a script without a guard may end the program
        raise InputError([_failed("measure_import", word, error)]) from error
    for part in name.split("."):
        if not hasattr(held, part):
            public = [item for item in dir(held) if not item.startswith("_")]
            near = {"name": part, "nearest": nearest_match(part, public)}
            raise InputError([Problem("measure_no_factory", file=word, value=word, values=near)])
        held = getattr(held, part)
    if isinstance(held, torch.nn.Module):
        model = held
        return lambda: model, ()
    if not callable(held):
        raise InputError([Problem("measure_not_callable", file=word, value=word)])
    return held, ()


def build(factory: Callable[[], Any], word: str) -> torch.nn.Module:
    """Calls the factory; raises `InputError` where it fails or gives no network."""
    try:
        model = factory()
    except (Exception, SystemExit) as error:
        needs = _needed(factory)
        if needs:
            raise InputError([_failed("measure_build", word, error, needs=needs)]) from error
        raise InputError([_failed("measure_build_failed", word, error)]) from error
    if not isinstance(model, torch.nn.Module):
        raise InputError([Problem("measure_not_module", file=word, value=type(model).__name__)])
    lazy = next((name for name, p in model.named_parameters() if is_lazy(p)), None)
    if lazy is not None:
        raise InputError([Problem("measure_lazy", file=word, value=lazy)])
    if not any(parameter.requires_grad for parameter in model.parameters()):
        raise InputError([Problem("measure_no_parameters", file=word, value=word)])
    return model


def _needed(factory: Callable[..., Any]) -> str:
    try:
        parameters = inspect.signature(factory).parameters.values()
    except (TypeError, ValueError):
        return ""
    empty = inspect.Parameter.empty
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return ", ".join(p.name for p in parameters if p.default is empty and p.kind in kinds)


def _failed(code: str, word: str, error: BaseException, **values: str) -> Problem:
    lines = str(error).splitlines()
    reason = f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
    return Problem(code, file=word, value=word, values={"reason": reason, **values})
