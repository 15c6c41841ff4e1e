"""Cloud rows of the catalog that hold for the whole world serve every region whose currency has an exchange rate."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from hwcost.breakeven import BreakEven, break_even, rental_rows
from hwcost.case import prepare
from hwcost.catalog import load_catalog
from hwcost.engine import solve_case
from hwcost.plan import Plan
from hwcost.records import Rental
from hwcost.scenario_io import load_scenario
from hwcost.told import break_even_text

CATALOG = Path(__file__).resolve().parents[1] / "catalog"


def rows_of(name: str) -> list[dict[str, str]]:
    with (CATALOG / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def plan() -> Plan:
    catalog = load_catalog()
    scenario = load_scenario("eu-lab", catalog)
    return solve_case(prepare(scenario, catalog), scenario.objective)


def with_rentals(plan: Plan, *rows: Rental) -> Plan:
    """The plan before a catalog that has these rentals alone."""
    catalog = replace(plan.case.catalog, rentals={r.id: r for r in rows})
    return replace(plan, case=replace(plan.case, catalog=catalog))


def row(plan: Plan, identity: str) -> Rental:
    return plan.case.catalog.rentals[identity]


def test_a_european_lab_gets_break_even_hours_from_a_world_row(plan: Plan) -> None:
    assert not any(r["region"] == "EU" for r in rows_of("rentals.csv"))
    (found,) = [b for b in break_even(plan) if b.anywhere is not None]
    stated = next(r for r in rows_of("rentals.csv") if r["id"] == found.service.id)
    assert (stated["region"], stated["category"], stated["currency"], stated["tax_included"]) == (
        "world", "cloud", "USD", "no",
    )  # fmt: skip
    rates = [r for r in rows_of("fx.csv") if {r["base"], r["quote"]} == {"USD", "EUR"}]
    newest = max((r for r in rates if r["as_of"] <= "2026-11-30"), key=lambda r: r["as_of"])
    euro = float(newest["rate"]) if newest["base"] == "USD" else 1.0 / float(newest["rate"])
    charged = float(stated["price_per_card_hour"]) * euro * (1.0 + plan.case.scenario.tax_rate)
    assert found.service.price_per_card_hour == pytest.approx(charged, abs=5.1e-5)
    assert found.service.kind_of_figure == "estimate"
    assert found.threshold is not None
    own = found.own_fixed_per_year + found.own_energy_per_year * found.threshold / found.needed
    assert found.threshold * found.service.price_per_card_hour == pytest.approx(own)


def test_the_sentence_names_the_world_row_its_price_and_day(plan: Plan) -> None:
    (found,) = [b for b in break_even(plan) if b.anywhere is not None]
    stated = next(r for r in rows_of("rentals.csv") if r["id"] == found.service.id)
    year, month, day = (int(part) for part in stated["as_of"].split("-"))
    zh, en = (break_even_text(found, plan, lang) for lang in ("zh", "en"))
    for text in (zh, en):
        assert stated["id"] in text and f"{float(stated['price_per_card_hour']):.2f}" in text
    assert f"{year}年{month}月{day}日" in zh and "估算" in zh and "estimate" in en


def test_campus_rows_of_another_region_do_not_count(plan: Plan) -> None:
    region = plan.case.scenario.region
    regional = {r["id"] for r in rows_of("rentals.csv") if r["category"] == "campus" and r["region"] != region}
    assert regional and not regional & {r.id for r in rental_rows(plan.case.scenario, plan.case.catalog)}
    assert not regional & {b.service.id for b in break_even(plan)}


def test_of_world_rows_the_plan_is_told_its_own_cards_and_the_cheapest_for_its_work(plan: Plan) -> None:
    world = [r for r in plan.case.catalog.rentals.values() if r.region == "world"]
    alone = [b for r in world for b in break_even(with_rentals(plan, r))]
    bought = {p.build.card.id for p in plan.bought}

    def rank(b: BreakEven) -> tuple[float, ...]:
        return (len(b.not_run), len(b.late), b.hired_per_year)

    best = min(alone, key=rank)
    wanted = {best.service.id} | {b.service.id for b in alone if b.service.card_id in bought}
    assert {b.service.id for b in break_even(with_rentals(plan, *world))} == wanted
    assert len(alone) > len(wanted)


def test_a_cloud_row_of_the_region_stands_before_the_world_row_of_the_same_card(plan: Plan) -> None:
    world = row(plan, "cloud-rtx-a4000")
    own = replace(world, id="cloud-here", region="EU", currency="EUR", price_per_card_hour=0.5)
    (found,) = break_even(with_rentals(plan, world, own))
    assert found.service.id == "cloud-here" and found.anywhere is None


def test_a_world_row_without_an_exchange_rate_serves_nobody(plan: Plan) -> None:
    world = replace(row(plan, "cloud-rtx-a4000"), currency="CHF")
    assert not [r for r in plan.case.catalog.fx if "CHF" in (r.base, r.quote)]
    assert break_even(with_rentals(plan, world)) == ()
