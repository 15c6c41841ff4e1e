"""The storage that the start form asks for, by hand."""

from __future__ import annotations

import pytest

from hwcost.answers_io import load_answers
from hwcost.catalog import load_catalog
from hwcost.start import start


def test_storage_of_a_data_set_by_hand() -> None:
    """1,000 tiles of 512 x 512 x 200 at two bytes: 104.9 GB, so 0.131 TB of room; a run reads 8 tiles a step."""
    catalog = load_catalog()
    started = start(load_answers("meeting-1-cn", catalog), catalog)
    store = next(s for s in started.stores if s.need.capacity_tb > 0.01)
    tile = 512 * 512 * 200 * 2
    assert store.need.capacity_tb == pytest.approx(1.25 * 1000 * tile / 1e12, rel=0.01)
    assert store.need.step_bytes == pytest.approx(8 * tile)
    assert store.need.read_mb_s == pytest.approx(8 * tile / 1e6 / (store.need.step_ms / 1e3))
    assert all(tier.capacity_tb >= store.need.capacity_tb for tier in store.tiers)
