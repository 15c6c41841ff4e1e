"""Upgrades of owned machines: what may be added, what it costs and changes, and every reason why something may not."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from small_cases import WORKLOAD
from small_catalog import (
    A5500,
    ATX2000,
    NVME,
    ORIGIN,
    SEVEN,
    TOWER,
    card,
    case,
    catalog,
    price,
    psu,
    rules,
    scenario,
    sold,
)

from hwcost.build import Build, BuildSet, Refusal
from hwcost.builds import make_builds
from hwcost.catalog import load_catalog
from hwcost.errors import InputError
from hwcost.messages.rules import rule_name, sentence
from hwcost.records import Addition, Card, Catalog, Chassis, Psu, Storage
from hwcost.scenario import Owned, Scenario
from hwcost.strategies import make_strategies

RTX3090 = card(
    "rtx-3090", "RTX 3090", segment="consumer", tdp_w=350.0, idle_w=25.0, slot_width=3, length_mm=300.0,
    cooling="open_air", power_connectors=2, p2p=False, datacentre_licensed=False, ecc="none",
)  # fmt: skip
TWO_SLOT = replace(RTX3090, id="two-slot", name="Two-slot card", slot_width=2, cooling="blower")
BIG = card("big", "Big 48 GB", memory_gib=48.0, tdp_w=300.0)
ATX1000 = psu("atx1000", 1000.0)
SATA = Storage("sata1", "SATA 1 TB", "1 TB SATA 盘", "sata", 500.0, 1.0, True, 4.0, ORIGIN)
LARGER = replace(NVME, id="nvme8", name="NVMe 8 TB", capacity_tb=8.0)
RAM = Addition("ram64", "Memory 64 GB", "内存 64 GB", "ram", ("workstation", "consumer"), 64.0, "", 8.0, ORIGIN)


def box(card_id: str = "rtx-3090", **changes: Any) -> Owned:
    base = Owned("box", "Lab box", "rtx-3090", 2, 1, "seven", "atx1000", 1, "sata1")
    return replace(base, **{"card_id": card_id, **changes})


def stocked(
    cards: list[Card], chassis: list[Chassis], psus: list[Psu], *tiers: Storage, extra: tuple[Addition, ...] = (RAM,)
) -> Catalog:
    """Everything on sale at 1,000 CNY net; the tiers besides."""
    base = catalog(cards, chassis, psus)
    stored = {t.id: t for t in tiers}
    new = [*stored, *(a.id for a in extra)]
    prices = tuple(p for p in base.prices if p.item_id != NVME.id) + tuple(price(i, 1000.0) for i in new)
    return replace(base, storage=stored, upgrades={a.id: a for a in extra}, prices=prices)


def upgraded(result: BuildSet) -> dict[str, Build]:
    return {b.upgrade: b for b in result.builds if b.upgrade_of == "owned:box"}


def refused(result: BuildSet, word: str) -> Refusal:
    (found,) = [r for r in result.refusals if r.item.startswith("Upgrade of Lab box") and word in r.item]
    return found


def owning(*counts: int, machine: Owned | None = None, **changes: Any) -> Scenario:
    return scenario(*(counts or (1,)), owned=(machine or box(),), **changes)


# --- storage and memory ---


def test_a_disk_is_replaced_by_a_faster_one_and_memory_comes_on_top() -> None:
    result = make_builds(owning(), stocked([RTX3090], [SEVEN], [ATX1000], SATA, NVME))
    found = upgraded(result)
    assert set(found) == {"nvme", "ram", "nvme+ram"}
    assert (found["nvme"].storage.id, found["nvme"].chassis.ram_gib) == ("nvme4", SEVEN.ram_gib)
    assert (found["ram"].storage.id, found["ram"].chassis.ram_gib) == ("sata1", SEVEN.ram_gib + 64.0)
    both = found["nvme+ram"]
    assert (both.storage.read_mb_s, both.chassis.ram_gib) == (3000.0, SEVEN.ram_gib + 64.0)
    assert [(p.role, p.item_id, p.quantity) for p in both.parts] == [("storage", "nvme4", 1), ("host", "ram64", 1)]
    assert both.price_net == 2000.0
    assert not both.owned and both.estimate_only and both.cards == 2


def test_an_upgraded_machine_draws_what_is_added_and_what_stays() -> None:
    result = make_builds(owning(), stocked([RTX3090], [SEVEN], [ATX1000], SATA, NVME))
    both = upgraded(result)["nvme+ram"]
    # idle: host 100 + memory 8 + 2 cards x 25 + old disk 4 + new disk 8 = 170 W of 1,000 W, below 20 % load: 0.90
    assert both.idle_wall_w == pytest.approx(170.0 / 0.90)
    # peak: host 350 + 8 + 2 x 350 + 12 = 1,070 W: above the rating, the efficiency at full load, 0.88
    assert both.peak_wall_w == pytest.approx(1070.0 / 0.88)
    assert "psu_watts" in {n.rule for n in both.notes}  # as it was before: the machine runs


def test_nvme_lifts_the_storage_bound_by_the_ratio_of_the_tiers() -> None:
    """A job that reads more than memory holds: 500 MB/s before, 3,000 MB/s after, a sixth of the time per step."""
    tiles = replace(WORKLOAD, input_bytes_per_sample=1e8, dataset_bytes=1e13, loader_ms_per_sample=0.0)
    wanted = owning(workloads=(tiles,))
    builds = make_builds(wanted, stocked([RTX3090], [SEVEN], [ATX1000], SATA, NVME)).builds
    ways = make_strategies(wanted, builds)
    own = {b.upgrade: b.id for b in builds if b.owned or b.upgrade in ("nvme", "ram")}
    every = [*ways.feasible, *ways.excluded]
    storage_ms = {u: next(s.storage_ms for s in every if s.build_id == i and s.cards == 1) for u, i in own.items()}
    assert storage_ms[""] / storage_ms["nvme"] == pytest.approx(3000.0 / 500.0)
    assert storage_ms["ram"] == storage_ms[""]


def test_storage_that_is_no_better_is_not_offered() -> None:
    result = make_builds(owning(machine=box(storage_id="nvme4")), stocked([RTX3090], [SEVEN], [ATX1000], NVME, LARGER))
    assert {b.storage.id for b in result.builds if b.upgrade == "nvme"} == {"nvme8"}
    same = make_builds(owning(machine=box(storage_id="nvme8")), stocked([RTX3090], [SEVEN], [ATX1000], NVME, LARGER))
    assert "nvme" not in upgraded(same)


def test_memory_is_offered_to_its_own_class_of_case() -> None:
    server_only = replace(RAM, segments=("server",))
    result = make_builds(owning(), stocked([RTX3090], [SEVEN], [ATX1000], SATA, NVME, extra=(server_only,)))
    assert set(upgraded(result)) == {"nvme"}


def test_memory_without_a_price_is_left_out_once() -> None:
    stock = stocked([RTX3090], [SEVEN], [ATX1000], SATA, NVME)
    without = replace(stock, prices=tuple(p for p in stock.prices if p.item_id != "ram64"))
    result = make_builds(owning(), without)
    assert set(upgraded(result)) == {"nvme"}
    (left,) = [r for r in result.not_considered if r.item == "Memory 64 GB"]
    assert rules(left) == {"no_price"}


# --- one more card ---


def test_a_third_3090_on_1000_w_is_refused_with_every_reason() -> None:
    result = make_builds(owning(), stocked([RTX3090], [SEVEN], [ATX1000], SATA, NVME))
    refusal = refused(result, "third")
    assert refusal.item == "Upgrade of Lab box: third RTX 3090"
    assert refusal.item_zh == "Lab box 升级：加装第 3 张 RTX 3090"
    assert {"slots", "card_count", "open_air_stacking", "psu_watts"} <= rules(refusal)
    watts = next(b for b in refusal.breaches if b.rule == "psu_watts")
    # (3 x 350 W + host 350 W) / 0.8
    assert watts.values["need_w"] == pytest.approx((3 * 350.0 + 350.0) / 0.8)
    assert watts.values["usable_w"] == 1000.0


def test_a_third_card_that_fits_brings_the_supply_that_it_needs() -> None:
    """3 x 350 + 350 = 1,400 W over 0.8 = 1,750 W: the 1,000 W supply goes, 2,000 W comes."""
    stock = stocked([TWO_SLOT], [TOWER], [ATX1000, ATX2000], SATA, NVME)
    result = make_builds(owning(machine=box("two-slot", chassis_id="tower")), stock)
    found = upgraded(result)["psu+card"]
    assert (found.cards, found.psu.id, found.psu_need_w) == (3, "atx2000", pytest.approx(1750.0))
    assert [(p.role, p.item_id, p.quantity) for p in found.parts] == [("psu", "atx2000", 1), ("card", "two-slot", 1)]
    assert found.price_net == 2000.0
    assert "psu_watts" not in {n.rule for n in found.notes}
    with_all = upgraded(result)["nvme+ram+psu+card"]
    assert (with_all.storage.id, with_all.chassis.ram_gib) == ("nvme4", TOWER.ram_gib + 64.0)
    assert with_all.price_net == 4000.0


def test_a_third_card_on_a_supply_that_carries_it_brings_the_card_alone() -> None:
    stock = stocked([TWO_SLOT], [TOWER], [ATX1000, ATX2000], SATA, NVME)
    machine = box("two-slot", chassis_id="tower", psu_id="atx2000")
    found = upgraded(make_builds(owning(machine=machine), stock))
    assert "psu+card" not in found
    assert [p.item_id for p in found["card"].parts] == ["two-slot"]


def test_a_built_in_supply_is_never_replaced() -> None:
    fixed = case("fixed", "Fixed", psu_form="fixed:atx1000")
    stock = stocked([TWO_SLOT], [fixed], [ATX1000, ATX2000], SATA, NVME)
    result = make_builds(owning(machine=box("two-slot", chassis_id="fixed")), stock)
    assert rules(refused(result, "third")) == {"psu_watts"}


def test_a_third_card_needs_plugs() -> None:
    few = psu("few", 2000.0, pcie8_connectors=4)
    stock = stocked([TWO_SLOT], [TOWER], [few], SATA, NVME)  # 3 cards x 2 plugs = 6 of 4
    result = make_builds(owning(machine=box("two-slot", chassis_id="tower", psu_id="few")), stock)
    breach = next(b for b in refused(result, "third").breaches if b.rule == "psu_connectors")
    assert (breach.values["need"], breach.values["have"]) == (6, 4)


def test_a_third_card_that_is_not_on_sale_is_refused_for_that_too() -> None:
    stock = stocked([RTX3090], [SEVEN], [ATX1000], SATA, NVME)
    used = replace(stock, availability=(sold("rtx-3090", "used"),))
    assert "availability" in rules(refused(make_builds(owning(), used), "third"))
    willing = make_builds(owning(allowed_statuses=("on_sale", "used")), used)
    assert "availability" not in rules(refused(willing, "third"))


def test_a_third_card_runs_at_the_lanes_that_its_slot_has() -> None:
    narrow = case("narrow", "Narrow", lanes_by_cards={1: 16, 2: 8, 3: 4})
    stock = stocked([TWO_SLOT], [narrow], [ATX1000, ATX2000], SATA, NVME)
    found = upgraded(make_builds(owning(machine=box("two-slot", chassis_id="narrow")), stock))
    assert (found["nvme"].lanes_per_card, found["psu+card"].lanes_per_card) == (8, 4)


# --- larger cards in place of the present ones ---


def test_cards_are_replaced_by_models_with_more_memory_only() -> None:
    stock = stocked([RTX3090, A5500, BIG], [SEVEN], [ATX1000], SATA, NVME)
    result = make_builds(owning(1), stock)
    replaced = [b for b in result.builds if "replace_card" in b.upgrade]
    assert {b.card.id for b in replaced} == {"big"}  # the A5500 has 24 GB like the 3090
    # one: (300 + 350) / 0.8 = 812.5 W on the 1,000 W supply; two: 1,187.5 W, and nothing stronger is sold
    assert {(b.cards, b.upgrade) for b in replaced} == {(1, "replace_card"), (1, "nvme+ram+replace_card")}
    assert "psu_watts" in rules(refused(result, "2 x Big"))
    alone = next(b for b in replaced if b.upgrade == "replace_card")
    assert [(p.role, p.item_id, p.quantity) for p in alone.parts] == [("card", "big", 1)]
    assert alone.price_net == 1000.0 and alone.cards == 1


def test_replacing_two_cards_by_two_buys_two() -> None:
    stock = stocked([RTX3090, BIG], [SEVEN], [ATX1000, ATX2000], SATA, NVME)
    found = {(b.cards, b.upgrade): b for b in make_builds(owning(2), stock).builds if b.upgrade_of}
    assert [(p.item_id, p.quantity) for p in found[2, "psu+replace_card"].parts] == [("atx2000", 1), ("big", 2)]


def test_geforce_is_not_put_into_a_machine_room() -> None:
    bigger = replace(TWO_SLOT, id="gaming-48", name="Gaming 48", memory_gib=48.0)
    stock = stocked([RTX3090, bigger], [SEVEN], [ATX1000, ATX2000], SATA, NVME)
    result = make_builds(owning(1, place="machine_room"), stock)
    assert "datacentre_licence" in rules(refused(result, "1 x Gaming 48"))


# --- the whole ---


def test_upgrades_can_be_switched_off_and_follow_their_machine() -> None:
    stock = stocked([RTX3090], [SEVEN], [ATX1000], SATA, NVME)
    assert upgraded(make_builds(owning(upgrades=False), stock)) == {}
    found = make_builds(owning(lead_weeks=6.0), stock).builds
    assert {b.upgrade_of for b in found if b.upgrade} == {"owned:box"}
    assert {b.lead_weeks for b in found if b.upgrade} == {6.0}
    assert {b.lead_weeks for b in found if b.owned} == {0.0}


def test_memory_is_not_asked_for_where_nothing_is_owned() -> None:
    stock = stocked([RTX3090], [SEVEN], [ATX1000], SATA, NVME)
    without = replace(stock, prices=tuple(p for p in stock.prices if p.item_id != "ram64"))
    assert "Memory 64 GB" not in {r.item for r in make_builds(scenario(1), without).not_considered}


def test_ids_are_unique_and_every_reason_can_be_said() -> None:
    machine = Owned("box", "Lab box", "rtx-3090", 2, 1, "consumer-full", "rm1000x", 1, "sata-4tb")
    wide = scenario(1, 2, 4, owned=(machine,), allowed_statuses=("on_sale", "used", "to_check", "not_exportable"))
    result = make_builds(wide, load_catalog())
    assert len({b.id for b in result.builds}) == len(result.builds)
    upgrades = [b for b in result.builds if b.upgrade]
    assert len(upgrades) > 20
    assert all(b.parts and b.price_net > 0 for b in upgrades)
    for refusal in result.refusals:
        for breach in refusal.breaches:
            for lang in ("en", "zh"):
                assert sentence(breach, lang) and rule_name(breach, lang)


def test_meeting_figures_of_the_bundled_catalog() -> None:
    """NVMe 4 TB and 64 GB of memory: 330 and 550 USD at 7.1 CNY."""
    machine = Owned("box", "Lab box", "rtx-3090", 2, 1, "consumer-full", "rm1000x", 1, "sata-4tb")
    result = make_builds(scenario(1, owned=(machine,)), load_catalog())
    (both,) = [b for b in result.builds if b.upgrade == "nvme+ram" and b.storage.id == "nvme-4tb"]
    assert both.price_net == pytest.approx(round(330 * 7.1, 2) + round(550 * 7.1, 2))


# --- the table ---

HEAD = "id,name,name_zh,category,segments,gib,link_id,watts,source,as_of,kind\n"


def codes(folder: Path, row: str) -> set[tuple[str, str]]:
    """Problem codes and columns of a user's table with this row."""
    (folder / "upgrades.csv").write_text(HEAD + row + "\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_catalog(folder)
    return {(p.code, p.column) for p in caught.value.problems}


def test_a_row_of_the_users_own_is_read(tmp_path: Path) -> None:
    row = "ram-x,Memory 32 GB,,ram,consumer；server,32,,5,shop,2026-11-01,estimate\n"
    (tmp_path / "upgrades.csv").write_text(HEAD + row, encoding="utf-8")
    found = load_catalog(tmp_path).upgrades["ram-x"]
    assert (found.gib, found.segments, found.name_zh, found.link_id) == (
        32.0,
        ("consumer", "server"),
        "Memory 32 GB",
        "",
    )
    assert found.origin.layer == "user"


@pytest.mark.parametrize(
    ("row", "code", "column"),
    [
        ("x,X,,ram,server,,,5,shop,2026-11-01,estimate", "cell_empty", "gib"),
        ("x,X,,network,server,,,5,shop,2026-11-01,estimate", "cell_empty", "link_id"),
        ("x,X,,network,server,,eth_26g,5,shop,2026-11-01,estimate", "id_unknown", "link_id"),
        ("x,X,,disk,server,1,,5,shop,2026-11-01,estimate", "choice", "category"),
        ("x,X,,ram,laptop,1,,5,shop,2026-11-01,estimate", "choice", "segments"),
        ("x,X,,ram,server,0,,5,shop,2026-11-01,estimate", "range_above_to", "gib"),
        ("x,X,,ram,server,64,,,shop,2026-11-01,estimate", "cell_empty", "watts"),
    ],
)
def test_a_faulty_row_is_told_by_its_column(tmp_path: Path, row: str, code: str, column: str) -> None:
    assert (code, column) in codes(tmp_path, row)
