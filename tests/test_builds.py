"""Builds: what is refused, with which rules in words of both languages, what may be bought, and the watts by hand."""

from dataclasses import replace
from datetime import date

import pytest
from small_catalog import (
    A5500,
    A6000,
    ATX1600,
    ATX2000,
    CRPS2200,
    DAY,
    NVME,
    ORIGIN,
    P620,
    P1000,
    RTX4090,
    SEVEN,
    SMC740,
    SOCKET_10A,
    TOWER,
    V100S,
    card,
    catalog,
    only_build,
    only_refusal,
    price,
    psu,
    rules,
    said,
    scenario,
    sold,
)

from hwcost.builds import make_builds
from hwcost.messages.rules import sentence
from hwcost.records import Storage, System
from hwcost.scenario import Circuit

# --- what decides real purchases ----------------------------------------------------------------------------------


def test_four_a5500_on_the_1000_w_p620_are_refused_with_every_rule() -> None:
    refusal = only_refusal(make_builds(scenario(4), catalog([A5500], [P620], [P1000])))
    assert rules(refusal) == {"slots", "card_count", "psu_watts"}
    assert refusal.item == "4 x RTX A5500 in ThinkStation P620"
    assert refusal.item_zh == "ThinkStation P620 主机（4 张 RTX A5500）"
    # 4 x 230 = 920 W, with the host 1,270 W, over 0.8 = 1,587.5 W
    english = said(refusal.breaches, "psu_watts", "en")
    assert "920 W" in english and "350 W" in english and "1,587.5 W" in english and "1,000 W" in english
    chinese = said(refusal.breaches, "psu_watts", "zh")
    assert "920 W" in chinese and "1,587.5 W" in chinese and "可用 1,000 W" in chinese


def test_a_built_in_supply_is_part_of_the_case_and_has_no_price_of_its_own() -> None:
    result = make_builds(scenario(1), catalog([A5500], [P620], [P1000]))
    build = only_build(result)
    assert build.id == "a5500x1@p620+p620-1000x1+nvme4"
    assert [p.item_id for p in build.parts] == ["a5500", "p620", "nvme4"]
    assert result.not_considered == ()


def test_a_built_in_supply_is_not_sold_for_other_cases() -> None:
    own = replace(P1000, form="atx")
    result = make_builds(scenario(1), catalog([A5500], [P620, TOWER], [own, ATX1600]))
    assert {b.id for b in result.builds} == {"a5500x1@p620+p620-1000x1+nvme4", "a5500x1@tower+atx1600x1+nvme4"}
    assert result.not_considered == ()


def test_four_three_slot_cards_do_not_fit_seven_slots() -> None:
    refusal = only_refusal(make_builds(scenario(4), catalog([RTX4090], [SEVEN], [psu("big", 4000.0)])))
    assert {"slots", "card_count", "open_air_stacking"} <= rules(refusal)
    assert said(refusal.breaches, "slots", "en") == "4 cards of 3 slots need 12 slots; the case has 7."
    assert said(refusal.breaches, "slots", "zh") == "4 张 3 槽卡需 12 槽，机箱仅有 7 槽。"


def test_a_passive_card_in_a_tower_is_refused() -> None:
    refusal = only_refusal(make_builds(scenario(1), catalog([V100S], [TOWER], [ATX2000])))
    assert rules(refusal) == {"passive_airflow"}
    assert "Tesla V100S has no fan" in said(refusal.breaches, "passive_airflow", "en")
    assert "被动散热" in said(refusal.breaches, "passive_airflow", "zh")


def test_a_passive_card_runs_where_the_case_blows() -> None:
    assert only_build(make_builds(scenario(1), catalog([V100S], [SMC740], [CRPS2200]))).cards == 1


def test_a_ring_over_four_a5500_runs_at_pcie_speed_and_says_why() -> None:
    build = only_build(make_builds(scenario(4), catalog([A5500], [TOWER], [ATX2000])))
    assert build.link is not None
    assert (build.link.id, build.link.bus_bandwidth_gb_s) == ("pcie_p2p", 22.0)
    assert said(build.notes, "link_pairs_only", "en") == (
        "An NVLink bridge joins only 2 RTX A5500, so a ring over 4 cards runs at PCIe speed."
    )
    assert "4 卡环路仍按 PCIe 速度计算" in said(build.notes, "link_pairs_only", "zh")


def test_a_bridge_is_not_bought_unasked_for_two_cards() -> None:
    build = only_build(make_builds(scenario(2), catalog([A5500], [TOWER], [ATX2000])))
    assert build.link is not None and build.link.id == "pcie_p2p"
    assert [n.rule for n in build.notes] == ["link_no_bridge"]


def test_geforce_has_no_peer_to_peer() -> None:
    roomy = replace(TOWER, slots=8, stacked_open_air_max=2)
    build = only_build(make_builds(scenario(2), catalog([RTX4090], [roomy], [ATX2000])))
    assert build.link is not None and build.link.id == "pcie_p2p_off"
    assert [n.rule for n in build.notes] == ["link_no_p2p"]
    assert "经主机内存中转" in sentence(build.notes[0], "zh")


def test_one_card_has_no_link() -> None:
    build = only_build(make_builds(scenario(1), catalog([A5500], [TOWER], [ATX2000])))
    assert (build.link, build.notes) == (None, ())


def test_four_300_w_cards_are_too_much_for_a_10_a_office_socket() -> None:
    server = replace(SMC740, noise_dba=50.0)
    office = scenario(4, place="office", circuits=(SOCKET_10A,))
    refusal = only_refusal(make_builds(office, catalog([A6000], [server], [psu("c3000", 3000.0, form="crps")])))
    # 4 x 300 + 700 + 8 (storage) = 1,908 W; two supplies of 3,000 W share it: 31.8 % load
    wall = 1908 / (0.90 + (1908 / 6000 - 0.2) / 0.3 * 0.02)
    assert rules(refusal) == {"circuit"}
    assert refusal.breaches[0].values["peak_w"] == pytest.approx(wall)
    assert refusal.breaches[0].values["limit_w"] == pytest.approx(1760.0)
    assert f"{wall:,.1f} W" in said(refusal.breaches, "circuit", "en")
    assert "可持续承载 1,760 W" in said(refusal.breaches, "circuit", "zh")


def test_us_15_a_socket_derates_a_1600_w_supply_and_carries_1440_w() -> None:
    us = scenario(4, region="US", circuits=(Circuit(120.0, 15.0, 1),))
    data = catalog([A5500], [TOWER], [ATX1600], availability=(sold("a5500", region="US"),))
    refusal = only_refusal(make_builds(us, data))
    # need 1,587.5 W: enough at 230 V, but 1,300 W at 120 V; 1,278 W of load is 1,452 W at the wall (88 %)
    assert rules(refusal) == {"psu_low_line", "circuit"}
    english = said(refusal.breaches, "psu_low_line", "en")
    assert "At 120 V" in english and "1,300 W" in english and "1,600 W" in english
    assert "120 V 市电下" in said(refusal.breaches, "psu_low_line", "zh")
    circuit = next(b for b in refusal.breaches if b.rule == "circuit")
    share = 1278 / 1300
    assert circuit.values["peak_w"] == pytest.approx(1278 / (0.92 - (share - 0.5) / 0.5 * 0.04))
    assert circuit.values["limit_w"] == pytest.approx(1440.0)


def test_the_region_sets_the_voltage_where_no_circuit_is_stated() -> None:
    for region, fits in (("CN", True), ("EU", True), ("US", False)):
        data = catalog([A5500], [TOWER], [ATX1600], availability=(sold("a5500", region=region),))
        assert bool(make_builds(scenario(4, region=region), data).builds) is fits


def test_four_a5500_fit_the_740gp() -> None:
    build = only_build(make_builds(scenario(4), catalog([A5500], [SMC740], [CRPS2200])))
    assert build.id == "a5500x4@740gp+crps2200x2+nvme4"
    assert build.psu_need_w == pytest.approx((4 * 230 + 700) / 0.8) == pytest.approx(2025.0)
    assert build.psu_need_w <= 2200
    # both supplies share the load: 4,400 W rated; idle 160 + 4 x 20 + 8 = 248 W, peak 1,628 W
    idle, peak = 248 / 0.90, 1628 / (0.90 + (1628 / 4400 - 0.2) / 0.3 * 0.02)
    assert build.idle_wall_w == pytest.approx(idle)
    assert build.peak_wall_w == pytest.approx(peak)
    assert build.busy_extra_wall_w_per_card == pytest.approx((peak - idle) / 4)
    assert [(p.role, p.item_id, p.quantity) for p in build.parts] == [
        ("card", "a5500", 4), ("host", "740gp", 1), ("psu", "crps2200", 2), ("storage", "nvme4", 1),
    ]  # fmt: skip
    assert build.price_net == 8000.0
    assert build.estimate_only and not build.owned


def test_geforce_is_not_licensed_for_a_machine_room() -> None:
    data = catalog([RTX4090], [TOWER], [ATX2000])
    refusal = only_refusal(make_builds(scenario(1, place="machine_room"), data))
    assert rules(refusal) == {"datacentre_licence"}
    assert "RTX 4090 is not licensed" in said(refusal.breaches, "datacentre_licence", "en")
    assert "许可不允许用于机房" in said(refusal.breaches, "datacentre_licence", "zh")
    assert make_builds(scenario(1, place="department_room"), data).builds


def test_a_card_that_may_not_be_exported_is_left_out_once() -> None:
    data = catalog([A6000], [TOWER, SMC740], [ATX2000, CRPS2200], availability=(sold("a6000", "not_exportable"),))
    result = make_builds(scenario(1, 2, 4), data)
    assert (result.builds, result.refusals) == ((), ())
    (left,) = result.not_considered
    assert (left.item, left.card_id, left.cards) == ("RTX A6000", "a6000", 0)
    assert sentence(left.breaches[0], "en") == (
        "RTX A6000 is not free to buy in China: not exportable to this region (as of 2026-11-01)."
    )
    assert "不可供货（出口管制）" in sentence(left.breaches[0], "zh")
    allowed = make_builds(scenario(1, allowed_statuses=("on_sale", "not_exportable")), data)
    assert allowed.builds


def test_an_unpriced_card_is_listed_once() -> None:
    result = make_builds(scenario(1, 2, 4), catalog([A5500, A6000], [TOWER, SMC740], [ATX2000], unpriced=["a6000"]))
    (left,) = result.not_considered
    assert (left.card_id, [b.rule for b in left.breaches]) == ("a6000", ["no_price"])
    assert "RTX A6000" in sentence(left.breaches[0], "en") and "没有价格" in sentence(left.breaches[0], "zh")
    assert {b.card.id for b in result.builds} == {"a5500"}
    assert all(r.card_id == "a5500" for r in result.refusals)


def test_a_price_in_a_currency_without_a_dated_rate_is_no_price() -> None:
    data = catalog([A5500], [TOWER], [ATX2000], unpriced=["a5500"])
    data = replace(data, prices=(*data.prices, replace(price("a5500", 2500.0), currency="USD")))
    (left,) = make_builds(scenario(1), data).not_considered
    assert rules(left) == {"no_fx"}
    assert "is priced in USD, and no dated exchange rate to CNY" in said(left.breaches, "no_fx", "en")
    assert "以 USD 计价" in said(left.breaches, "no_fx", "zh")


def test_a_case_is_named_in_the_readers_language() -> None:
    (left,) = make_builds(scenario(1), catalog([A5500], [TOWER], [ATX2000], unpriced=["tower"])).not_considered
    assert (left.chassis_id, left.item_zh) == ("tower", "Tower 主机")
    assert said(left.breaches, "no_price", "zh").startswith("Tower 主机 没有价格")
    assert said(left.breaches, "no_price", "en").startswith("Tower has no price")


# --- what may be bought -------------------------------------------------------------------------------------------


def test_a_card_without_an_availability_row_is_to_be_checked() -> None:
    data = catalog([A5500], [TOWER], [ATX2000], availability=(sold("a5500", region="US"),))
    (left,) = make_builds(scenario(1), data).not_considered
    assert (left.breaches[0].rule, left.breaches[0].values["status"]) == ("availability", "to_check")
    assert make_builds(scenario(1, allowed_statuses=("on_sale", "to_check")), data).builds


def test_the_newest_availability_row_counts() -> None:
    rows = (sold("a5500", "discontinued", day=date(2026, 11, 2)), sold("a5500", "on_sale", day=DAY))
    for order in (rows, rows[::-1]):
        data = catalog([A5500], [TOWER], [ATX2000], availability=order)
        assert make_builds(scenario(1), data).builds == ()


def test_the_user_may_leave_cards_and_cases_out() -> None:
    data = catalog([A5500, A6000], [TOWER, SMC740], [ATX2000, CRPS2200])
    for choice in ({"include_cards": ("a5500",)}, {"exclude_cards": ("a6000",)}):
        result = make_builds(scenario(1, **choice), data)
        assert {b.card.id for b in result.builds} == {"a5500"}
        assert [(r.card_id, rules(r)) for r in result.not_considered] == [("a6000", {"excluded_by_user"})]
    for choice in ({"include_chassis": ("tower",)}, {"exclude_chassis": ("740gp",)}):
        assert {b.chassis.id for b in make_builds(scenario(1, **choice), data).builds} == {"tower"}


def test_a_card_that_the_user_names_must_still_be_on_sale() -> None:
    data = catalog([A5500], [TOWER], [ATX2000], availability=(sold("a5500", "discontinued"),))
    (left,) = make_builds(scenario(1, include_cards=("a5500",)), data).not_considered
    assert rules(left) == {"availability"}


def test_a_domestic_card_needs_a_measured_throughput() -> None:
    domestic = card("npu", "NPU 1", segment="domestic")
    (left,) = make_builds(scenario(1), catalog([domestic], [TOWER], [ATX2000])).not_considered
    assert rules(left) == {"no_throughput"}
    known = replace(domestic, resnet50_fp32_img_s=300.0)
    assert make_builds(scenario(1), catalog([known], [TOWER], [ATX2000])).builds


def test_storage_that_is_too_small_is_left_out_and_named_where_nothing_else_is_there() -> None:
    data = catalog([A5500], [TOWER], [ATX2000])
    result = make_builds(scenario(1, storage_needed_tb=4.5), data)
    assert [(r.item, rules(r)) for r in result.not_considered] == [("NVMe 4 TB", {"storage_capacity"})]
    assert rules(only_refusal(result)) == {"storage_capacity"}
    assert make_builds(scenario(1, storage_needed_tb=4.0), data).builds


def test_network_storage_is_used_only_when_named() -> None:
    nas = Storage("nas", "NAS", "网络存储", "nas_10g", 1000.0, 40.0, False, 60.0, ORIGIN)
    data = catalog([A5500], [TOWER], [ATX2000])
    data = replace(data, storage={"nvme4": NVME, "nas": nas}, prices=(*data.prices, price("nas", 9000.0)))
    assert {b.storage.id for b in make_builds(scenario(1), data).builds} == {"nvme4"}
    assert {b.storage.id for b in make_builds(scenario(1, storage_ids=("nas",)), data).builds} == {"nas"}


def test_an_unpriced_supply_is_named_where_it_is_the_only_one_that_works() -> None:
    result = make_builds(scenario(4), catalog([A5500], [TOWER], [ATX2000, psu("weak", 800.0)], unpriced=["atx2000"]))
    assert [r.item for r in result.not_considered] == ["ATX2000"]
    assert rules(only_refusal(result)) == {"no_price"}


def test_every_undominated_supply_makes_a_build() -> None:
    frugal = psu("frugal", 2000.0, efficiency_20=0.94, efficiency_50=0.96, efficiency_100=0.94)
    waste = psu("waste", 2000.0, efficiency_20=0.85, efficiency_50=0.87, efficiency_100=0.83)
    data = catalog([A5500], [TOWER], [ATX2000, frugal, waste], unpriced=["frugal"])
    data = replace(data, prices=(*data.prices, price("frugal", 1500.0)))
    assert [b.psu.id for b in make_builds(scenario(4), data).builds] == ["atx2000", "frugal"]


# --- order -----------------------------------------------------------------------------------------------------------


def test_the_order_of_rows_changes_nothing() -> None:
    data = catalog([A5500, A6000, RTX4090], [TOWER, SMC740, P620], [ATX1600, ATX2000, CRPS2200, P1000], ["a6000"])
    turned = replace(
        data,
        cards=dict(reversed(data.cards.items())),
        chassis=dict(reversed(data.chassis.items())),
        psus=dict(reversed(data.psus.items())),
        prices=data.prices[::-1],
        availability=data.availability[::-1],
        links=data.links[::-1],
    )
    first, second = (make_builds(scenario(4, 1, 2), d) for d in (data, turned))
    assert first == second == make_builds(scenario(1, 2, 4, 4), data)
    assert [b.id for b in first.builds] == sorted(b.id for b in first.builds)
    assert len({b.id for b in first.builds}) == len(first.builds)
    built = {(b.card.id, b.cards, b.chassis.id) for b in first.builds}
    refused = [(r.card_id, r.cards, r.chassis_id) for r in first.refusals]
    assert len(built) + len(refused) == 2 * 3 * 3  # cards with a price x counts x cases: each once
    assert not built & set(refused)


# --- from order to use ---


def test_a_quote_states_its_delivery_and_parts_take_what_the_scenario_says() -> None:
    quoted = System(
        "q1",
        "Quoted",
        "报价整机",
        "V",
        "N1",
        A5500.id,
        4,
        TOWER.id,
        ATX2000.id,
        1,
        NVME.id,
        128.0,
        3.0,
        8.0,
        False,
        ORIGIN,
    )
    stock = catalog([A5500], [TOWER], [ATX2000])
    with_quote = replace(stock, systems={"q1": quoted}, prices=(*stock.prices, price("q1", 150_000.0)))
    weeks = {b.id.partition("@")[0]: b.lead_weeks for b in make_builds(scenario(4, lead_weeks=5.0), with_quote).builds}
    assert weeks == {"a5500x4": 5.0, "system:q1": 8.0}
