"""What the peak of a process is made of."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn

from hwcost.measure.loading import InputSpec
from hwcost.measure.profiling import PROCESS_MIB, RESERVED_PER_LIVE, WORKSPACE_PER_MAPS, profile
from hwcost.measure.watching import LiveMemory

BATCH, SIDE, FLOAT = 4, 32, 4


def maps(inside: int, outside: int, side: int = SIDE) -> int:
    """Bytes of the input and the result of a convolution that keeps the side."""
    return BATCH * side * side * (inside + outside) * FLOAT


def test_the_largest_convolution_of_each_kind_is_that_of_most_input_and_result() -> None:
    network = nn.Sequential(
        nn.Conv2d(8, 16, 3, padding=1),  # plain
        nn.Conv2d(16, 16, 3, padding=1),  # plain and larger
        nn.Conv2d(16, 4, 1),  # pointwise
        nn.Conv2d(4, 4, 5, padding=2, groups=4),  # depthwise
        nn.Conv2d(4, 8, 3, padding=1, groups=2),  # grouped
        nn.Flatten(), nn.Linear(8 * 1024, 2),
    )  # fmt: skip
    found = profile(lambda: network, "test", [InputSpec((8, SIDE, SIDE))], BATCH, "sgd")
    assert found.convolution_bytes == {
        "plain": maps(16, 16), "pointwise": maps(16, 4), "depthwise": maps(4, 4), "grouped": maps(4, 8),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("network", "shape", "kind"),
    [
        (nn.Conv1d(4, 8, 3), (4, 16), "plain"), (nn.Conv1d(4, 8, 1), (4, 16), "pointwise"),
        (nn.Conv3d(1, 8, 3), (1, 7, 5, 5), "plain"), (nn.Conv3d(2, 4, (1, 1, 1)), (2, 3, 3, 3), "pointwise"),
        (nn.ConvTranspose2d(4, 2, 2, stride=2), (4, 8, 8), "plain"),
        (nn.Conv2d(4, 8, 1, groups=4), (4, 8, 8), "depthwise"),
    ],
)  # fmt: skip
def test_a_convolution_is_told_by_its_groups_and_its_window(network: Any, shape: tuple[int, ...], kind: str) -> None:
    model = nn.Sequential(network, nn.Flatten(), nn.LazyLinear(2))
    with torch.no_grad():
        model(torch.zeros(1, *shape))
    assert list(profile(lambda: model, "test", [InputSpec(shape)], BATCH, "sgd").convolution_bytes) == [kind]


def test_a_network_without_convolutions_needs_no_workspace() -> None:
    found = profile(lambda: nn.Linear(10, 4), "test", [InputSpec((10,))], BATCH, "sgd")
    assert found.convolution_bytes == {}
    assert found.reserved_bytes == pytest.approx(RESERVED_PER_LIVE * found.peak_live_bytes)
    assert found.process_mib == pytest.approx(PROCESS_MIB + found.reserved_bytes / 2**20)


def test_what_a_process_reserves_is_the_tensors_in_larger_blocks_and_the_largest_workspace() -> None:
    network = nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.Conv2d(4, 64, 1), nn.Flatten(), nn.Linear(64 * 1024, 2))
    found = profile(lambda: network, "test", [InputSpec((3, SIDE, SIDE))], BATCH, "adam")
    window, point = WORKSPACE_PER_MAPS["plain"] * maps(3, 4), WORKSPACE_PER_MAPS["pointwise"] * maps(4, 64)
    assert point > window  # the larger workspace counts, not the sum
    assert found.reserved_bytes == pytest.approx(RESERVED_PER_LIVE * found.peak_live_bytes + point)


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
