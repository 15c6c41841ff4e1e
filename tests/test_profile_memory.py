"""What a convolution takes beside what is alive while it runs."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from hwcost.measure.loading import InputSpec
from hwcost.measure.profiling import WORKSPACE_PER_MAPS, Profile, peak_with_workspace, profile
from hwcost.measure.watching import Convolution, LiveMemory

BATCH, SIDE, FLOAT = 4, 32, 4


class Summed(nn.Module):
    """One convolution and the sum of its result as the loss."""

    def __init__(self, channels_in: int, channels: int, width: int, groups: int) -> None:
        super().__init__()
        self.convolution = nn.Conv2d(channels_in, channels, width, padding=width // 2, groups=groups, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = self.convolution(x)
        return out.sum()


def of(channels_in: int, channels: int, width: int, groups: int = 1) -> Profile:
    spec = [InputSpec((channels_in, SIDE, SIDE))]
    return profile(lambda: Summed(channels_in, channels, width, groups), "test", spec, BATCH, "sgd")


@pytest.mark.parametrize(
    ("width", "groups", "kind"), [(3, 1, "dense"), (1, 1, "pointwise"), (3, 8, "grouped"), (1, 8, "grouped")]
)
def test_convolutions_are_told_apart_and_seen_forward_and_backward(width: int, groups: int, kind: str) -> None:
    found = of(8, 16, width, groups)
    assert [convolution.kind for convolution in found.convolutions] == [kind, kind]


def test_a_convolution_works_between_the_input_and_the_result() -> None:
    forward = of(8, 16, 3).convolutions[0]
    maps = BATCH * SIDE * SIDE * (8 + 16) * FLOAT
    assert forward.maps_bytes == maps
    assert forward.live_bytes == maps + 8 * 16 * 9 * FLOAT  # and the weights


def test_the_workspace_is_a_multiple_of_the_maps_by_kind() -> None:
    calls = [Convolution("dense", 100, 10), Convolution("pointwise", 90, 40), Convolution("grouped", 120, 1000)]
    none = {"dense": 0.0, "pointwise": 0.0, "grouped": 0.0}
    assert peak_with_workspace(150, calls, none) == 150
    assert peak_with_workspace(150, calls, {**none, "dense": 6.0}) == 100 + 60
    assert peak_with_workspace(150, calls, {**none, "dense": 6.0, "pointwise": 2.0}) == 90 + 80


def test_the_peak_with_workspace_is_that_of_the_constants_in_the_program() -> None:
    for found in (of(8, 16, 3), of(8, 16, 1), of(8, 16, 3, 8)):
        expected = max(
            [found.peak_live_bytes]
            + [c.live_bytes + WORKSPACE_PER_MAPS[c.kind] * c.maps_bytes for c in found.convolutions]
        )
        assert found.peak_with_workspace_bytes == int(expected)


def test_memory_counts_a_storage_once_until_nothing_refers_to_it() -> None:
    memory = LiveMemory()
    first = torch.zeros(100)
    view = first[10:]
    memory.add(first)
    memory.add(view)
    assert memory.live == 400
    del first
    assert memory.live == 400
    del view
    assert (memory.live, memory.peak) == (0, 400)
