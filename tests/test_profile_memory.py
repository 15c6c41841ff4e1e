"""What the peak of a process is made of."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from hwcost.measure.loading import InputSpec
from hwcost.measure.profiling import RESERVED_PER_LIVE, WORKSPACE_PER_MAPS, profile
from hwcost.measure.watching import LiveMemory

BATCH, SIDE, FLOAT = 4, 32, 4


def test_the_largest_convolution_is_that_of_most_input_and_result() -> None:
    network = nn.Sequential(nn.Conv2d(8, 16, 3, padding=1), nn.Conv2d(16, 4, 1), nn.Flatten(), nn.Linear(4 * 1024, 2))
    found = profile(lambda: network, "test", [InputSpec((8, SIDE, SIDE))], BATCH, "sgd")
    assert found.largest_convolution_bytes == BATCH * SIDE * SIDE * (8 + 16) * FLOAT


def test_a_network_without_convolutions_needs_no_workspace() -> None:
    found = profile(lambda: nn.Linear(10, 4), "test", [InputSpec((10,))], BATCH, "sgd")
    assert found.largest_convolution_bytes == 0
    assert found.reserved_bytes == pytest.approx(RESERVED_PER_LIVE * found.peak_live_bytes)


def test_what_a_process_reserves_is_the_tensors_in_larger_blocks_and_the_workspace() -> None:
    network = nn.Sequential(nn.Conv2d(3, 4, 3), nn.Flatten(), nn.Linear(4 * 900, 2))
    found = profile(lambda: network, "test", [InputSpec((3, SIDE, SIDE))], BATCH, "adam")
    maps = BATCH * (3 * 32 * 32 + 4 * 30 * 30) * FLOAT
    assert found.reserved_bytes == pytest.approx(RESERVED_PER_LIVE * found.peak_live_bytes + WORKSPACE_PER_MAPS * maps)


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
