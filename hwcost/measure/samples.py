"""Training samples: the user's own, or made ones that a network can learn.

A made sample is noise plus the pattern of its class, cut out of a larger array as a patch is cut out of a scene.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch.utils.data import Dataset

from hwcost.errors import InputError, Problem
from hwcost.measure.loading import InputSpec, find_factory

MADE_CLASSES = 4
MADE_TRAIN, MADE_VALIDATION = 2048, 128
PATTERN_SCALE = 0.5  # against noise of 1: learnt in tens of steps, not in one


class MadeSamples(Dataset[Any]):
    """`count` samples of `specs`: (inputs..., class). The same seed gives the same patterns and samples."""

    def __init__(self, specs: Sequence[InputSpec], count: int, seed: int) -> None:
        self.specs, self.count = specs, count
        makers = torch.Generator().manual_seed(7)
        self.patterns = [
            torch.randn(MADE_CLASSES, *spec.shape, generator=makers) * PATTERN_SCALE
            for spec in specs
            if spec.dtype.is_floating_point
        ]
        draw = torch.Generator().manual_seed(seed)
        self.classes = torch.randint(MADE_CLASSES, (count,), generator=draw)
        largest = max((pattern[0].numel() for pattern in self.patterns), default=1)
        self.noise = torch.randn(largest + count, generator=draw)

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, i: int) -> tuple[torch.Tensor, ...]:
        kind = self.classes[i]
        found, pattern = [], iter(self.patterns)
        for spec in self.specs:
            if spec.dtype.is_floating_point:
                own = next(pattern)[kind]
                found.append((own + self.noise[i : i + own.numel()].view(own.shape)).to(spec.dtype))
            else:
                found.append(torch.zeros(spec.shape, dtype=spec.dtype))
        return (*found, kind)


def datasets(data: str | None, specs: Sequence[InputSpec]) -> tuple[Any, Any]:
    """(training, validation) samples: what the user's `module:factory` returns, else made ones."""
    if data is None:
        return MadeSamples(specs, MADE_TRAIN, 1), MadeSamples(specs, MADE_VALIDATION, 2)
    factory, _ = find_factory(data)
    try:
        train, validation = factory()
        if len(train) < 1 or len(validation) < 1 or not isinstance(train[0], (tuple, list)) or len(train[0]) < 2:
            raise TypeError("(training, validation) data sets of (input, class) expected")
    except (Exception, SystemExit) as error:
        values = {"reason": f"{type(error).__name__}: {error}".splitlines()[0]}
        raise InputError([Problem("measure_data", file=data, value=data, values=values)]) from error
    return train, validation


def batch_of(samples: Any, first: int, count: int) -> list[torch.Tensor]:
    """`count` samples from place `first` on, around the end, stacked."""
    picked = [samples[(first + i) % len(samples)] for i in range(count)]
    return [torch.stack([torch.as_tensor(sample[j]) for sample in picked]) for j in range(len(picked[0]))]
