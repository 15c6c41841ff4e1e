"""Two machines joined by a network: which ones, with which parts, watts and link, and why some cannot be."""

from dataclasses import replace
from typing import Any

import pytest
from small_cases import WORKLOAD
from small_catalog import A5500, ATX2000, NVME, ORIGIN, SMC740, TOWER, card, case, catalog, link, price, psu, scenario

from hwcost.build import BuildSet
from hwcost.builds import make_builds
from hwcost.catalog import load_catalog
from hwcost.messages.rules import sentence
from hwcost.records import Addition, Catalog

ROOMY = case("roomy", "Roomy", slots=9)
NIC = Addition(
    "nic25", "25 GbE adapter", "25 GbE 网卡", "network", ("workstation", "server"), None, "eth_25g", 12.0, ORIGIN
)
CABLE = Addition(
    "cable25", "25 GbE cable", "25 GbE 线缆", "cable", ("workstation", "server"), None, "eth_25g", 0.0, ORIGIN
)
SPANNING = replace(WORKLOAD, multi_node=True)


def stocked(*chassis: Any, extra: tuple[Addition, ...] = (NIC, CABLE), **more: Any) -> Catalog:
    base = catalog([A5500], chassis, [ATX2000, psu("crps4000", 4000.0, form="crps", pcie8_connectors=None)], **more)
    prices = (*base.prices, price("nic25", 300.0), price("cable25", 50.0))
    links = (*base.links, link("eth_25g", 2, 2.5), link("eth_25g", 8, 2.4))
    return replace(base, upgrades={a.id: a for a in extra}, prices=prices, links=links)


def made(*chassis: Any, extra: tuple[Addition, ...] = (NIC, CABLE), **changes: Any) -> BuildSet:
    wanted = scenario(1, 4, **{"workloads": (SPANNING,), **changes})
    return make_builds(wanted, stocked(*chassis, extra=extra))


def test_two_of_the_largest_nodes_make_a_unit() -> None:
    units = [b for b in made(ROOMY).builds if b.nodes_per_unit > 1]
    (unit,) = units  # one card is not the most that a node takes
    assert (unit.nodes_per_unit, unit.cards) == (2, 8)
    assert {p.item_id: (p.role, p.quantity) for p in unit.parts} == {
        "a5500": ("card", 8), "roomy": ("host", 2), "atx2000": ("psu", 2), NVME.id: ("storage", 2),
        "nic25": ("network", 2), "cable25": ("network", 1),
    }  # fmt: skip
    # 8 cards, 2 cases, 2 supplies, 2 disks at 1,000; two adapters at 300 and one cable at 50
    assert unit.price_net == 14 * 1000.0 + 2 * 300.0 + 50.0


def test_the_network_joins_the_nodes_and_the_board_the_cards_of_one() -> None:
    (unit,) = [b for b in made(ROOMY).builds if b.nodes_per_unit > 1]
    assert unit.network is not None and (unit.network.id, unit.network.bus_bandwidth_gb_s) == ("eth_25g", 2.4)
    assert unit.link is not None and unit.link.id == "pcie_p2p"


def test_a_unit_draws_twice_a_node_with_its_adapter() -> None:
    (unit,) = [b for b in made(ROOMY).builds if b.nodes_per_unit > 1]
    load = 350.0 + 12.0 + 4 * 230.0 + 8.0  # host, adapter, cards, disk: 1,290 W, 64.5 % of 2,000 W
    efficiency = 0.92 + (load / 2000.0 - 0.5) / 0.5 * (0.88 - 0.92)
    assert unit.peak_wall_w == pytest.approx(2 * load / efficiency)
    assert unit.psu_need_w == pytest.approx((4 * 230.0 + 362.0) / 0.8)
    assert unit.busy_extra_wall_w_per_card == pytest.approx((unit.peak_wall_w - unit.idle_wall_w) / 8)


def test_units_are_made_only_where_a_job_may_span_machines_and_two_may_be_bought() -> None:
    assert [b for b in made(ROOMY, workloads=(WORKLOAD,)).builds if b.nodes_per_unit > 1] == []
    assert [b for b in made(ROOMY, max_nodes=1).builds if b.nodes_per_unit > 1] == []


def test_an_adapter_needs_a_slot_outside_server_cases() -> None:
    """Four double-slot cards fill eight pitches; a server keeps a slot of its own for the network."""
    result = made(TOWER, SMC740)
    assert {b.chassis.id for b in result.builds if b.nodes_per_unit > 1} == {"740gp"}
    (refusal,) = [r for r in result.refusals if r.cards == 8]
    assert refusal.item == "2 machines joined by a network, each 4 x RTX A5500 in Tower"
    (breach,) = refusal.breaches
    assert (breach.rule, breach.values["need"], breach.values["have"]) == ("network_slot", 9, 8)
    assert sentence(breach, "en") == "4 cards of 2 slots and a network adapter need 9 slots; the case has 8."
    assert "9 槽" in sentence(breach, "zh")


def test_without_an_adapter_and_a_cable_on_sale_nothing_is_joined() -> None:
    for extra in ((NIC,), (CABLE,), ()):
        result = made(ROOMY, extra=extra)
        assert [b for b in result.builds if b.nodes_per_unit > 1] == []
        assert [b.rule for r in result.refusals if r.cards == 8 for b in r.breaches] == ["network_segment"]


def test_the_supply_must_carry_the_adapter_too() -> None:
    """4 x 300 W + 396 W of host over 0.8 is 1,995 W; 12 W more need 2,010 W of a 2,000 W supply."""
    hot = card("hot", "Hot", tdp_w=300.0)
    tight = case("tight", "Tight", slots=9, host_load_w=396.0)
    base = catalog([hot], [tight], [ATX2000])
    stock = replace(
        base,
        upgrades={"nic25": NIC, "cable25": CABLE},
        prices=(*base.prices, price("nic25", 1.0), price("cable25", 1.0)),
    )
    result = make_builds(scenario(4, workloads=(SPANNING,)), stock)
    assert [b.nodes_per_unit for b in result.builds] == [1]
    (breach,) = [b for r in result.refusals for b in r.breaches]
    assert (breach.rule, breach.values["need_w"]) == ("psu_watts", pytest.approx(1608.0 / 0.8))


def test_the_bundled_catalog_joins_machines_at_three_speeds() -> None:
    result = make_builds(scenario(1, 2, 4, 8, workloads=(SPANNING,)), load_catalog())
    units = [b for b in result.builds if b.nodes_per_unit == 2]
    assert {b.network.id for b in units if b.network} == {"eth_10g", "eth_25g", "eth_100g"}
    assert len({b.id for b in result.builds}) == len(result.builds)
    singles = {b.id: b for b in result.builds}
    for unit in units:
        node = singles[unit.id.partition("x(")[2].rpartition(")+")[0]]
        extra = sum(p.quantity * p.unit_price_net for p in unit.parts if p.role == "network")
        assert unit.price_net == pytest.approx(2 * node.price_net + extra)
