"""What the start form makes of funds, the campus cluster and people who share a card."""

from __future__ import annotations

from typing import Any

import pytest

from hwcost.answers_io import answers_from_dict
from hwcost.catalog import load_catalog
from hwcost.records import Catalog
from hwcost.start import Started, start

LEAST = {"schema": "hwcost.answers/1", "region": "CN"}


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


def begin(catalog: Catalog, **answers: Any) -> Started:
    return start(answers_from_dict({**LEAST, **answers}, catalog, "lab.toml"), catalog)


def test_one_equipment_fund_is_the_budget_and_no_fund_of_the_scenario(catalog: Catalog) -> None:
    assert begin(catalog, fund=[{"pays": ["equipment"], "amount": 100_000}]).scenario.funds == ()


def test_a_campus_cluster_with_a_rate_becomes_a_service_and_one_without_is_to_be_asked(catalog: Catalog) -> None:
    campus = {"available": True, "price_per_card_hour": 5, "usual_wait_hours": 24}
    (service,) = begin(catalog, campus=campus).scenario.services
    assert (service.kind, service.price_per_card_hour, service.wait_hours) == ("campus", 5, 24)
    assert service.card_id == "a100-40gb-pcie" and service.cards_at_once is None and not service.interactive
    assert begin(catalog, campus={**campus, "card": "RTX 4090"}).scenario.services[0].card_id == "rtx-4090"
    unknown = begin(catalog, campus={**campus, "price_per_card_hour": "?"})
    assert unknown.scenario.services == () and "campus_ask" in {note.code for note in unknown.notes}


def test_a_campus_cluster_whose_wait_is_not_known_is_said_to_serve_no_training_with_a_time(catalog: Catalog) -> None:
    campus = {"available": True, "price_per_card_hour": 4}
    assert "campus_wait" in {note.code for note in begin(catalog, campus=campus).notes}
    known = begin(catalog, campus={**campus, "usual_wait_hours": 2})
    assert "campus_wait" not in {note.code for note in known.notes}
    assert "campus_wait" not in {note.code for note in begin(catalog, campus=campus, within="any").notes}


def test_people_who_share_a_card_for_small_patches_are_permitted_to(catalog: Catalog) -> None:
    patch, tiles = begin(catalog, train=[{"what": "HybridSN"}, {"what": "U-Net 512x512x200"}]).scenario.workloads
    assert (patch.sharers, tiles.sharers) == (2, 1)
