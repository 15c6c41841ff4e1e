"""Makers of small catalogs and scenarios for tests: every item costs 1,000 CNY net and every card is on sale."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from typing import Any

from hwcost.build import Build, BuildSet, Refusal
from hwcost.messages.rules import sentence
from hwcost.records import Availability, Card, Catalog, Chassis, Link, Origin, Price, Psu, Storage
from hwcost.rules import Breach
from hwcost.scenario import Circuit, Scenario

DAY = date(2026, 11, 1)
ORIGIN = Origin("test", 2, "bundled", "test", DAY, "specification")
SOCKET_10A = Circuit(220.0, 10.0, 1)  # 1,760 W continuous


def card(card_id: str, name: str, **changes: Any) -> Card:
    base = Card(
        id=card_id, name=name, vendor="NVIDIA", segment="workstation", architecture="Ampere", compute_capability=8.6,
        memory_gib=24.0, usable_mib=24564.0, memory_type="GDDR6", ecc="inline", bandwidth_gb_s=768.0,
        fp32_tflops=34.1, tensor_fp16_tflops=136.4, tensor_tf32_tflops=68.2, bf16=True, tdp_w=230.0, idle_w=20.0,
        slot_width=2, length_mm=267.0, cooling="blower", power_connector="pcie8", power_connectors=1, pcie_gen=4,
        pcie_lanes=16, nvlink_gb_s=112.5, nvlink_max_cards=2, p2p=True, datacentre_licensed=True, pytorch_current=True,
        resnet50_fp32_img_s=None, bert_large_fp32_seq_s=None, warranty_years=3.0, notes="", origin=ORIGIN,
    )  # fmt: skip
    return replace(base, **changes)


A5500 = card("a5500", "RTX A5500")
A6000 = card("a6000", "RTX A6000", memory_gib=48.0, tdp_w=300.0, power_connector="eps8")
RTX4090 = card(
    "rtx-4090", "RTX 4090", segment="consumer", tdp_w=450.0, slot_width=3, length_mm=304.0, cooling="open_air",
    power_connector="v12_2x6", nvlink_gb_s=None, nvlink_max_cards=0, p2p=False, datacentre_licensed=False,
)  # fmt: skip
V100S = card(
    "v100s", "Tesla V100S", tdp_w=250.0, cooling="passive", power_connector="eps8", pcie_gen=3, nvlink_gb_s=None,
    nvlink_max_cards=0,
)  # fmt: skip


def case(case_id: str, name: str, **changes: Any) -> Chassis:
    base = Chassis(
        id=case_id, name=name, name_zh=f"{name} 主机", form="tower", segment="workstation", slots=8, max_cards_1slot=7,
        max_cards_2slot=4, max_cards_3slot=2, pcie_gen=4, lanes_by_cards={1: 16, 4: 16}, airflow="ducted",
        passive_ok=False, max_card_length_mm=312.0, psu_form="atx", psu_bays=1, redundant=False, host_idle_w=100.0,
        host_load_w=350.0, cpu_cores=16, ram_gib=128.0, noise_dba=45.0, rack_units=None, origin=ORIGIN,
    )  # fmt: skip
    return replace(base, **changes)


P620 = case("p620", "ThinkStation P620", slots=4, max_cards_2slot=2, max_cards_3slot=1, psu_form="fixed:p620-1000")
TOWER = case("tower", "Tower")
SEVEN = case("seven", "Seven-slot tower", slots=7, segment="consumer", airflow="open", max_card_length_mm=None)
SMC740 = case(
    "740gp", "740GP", segment="server", airflow="server", passive_ok=True, psu_form="crps", psu_bays=2, redundant=True,
    host_idle_w=160.0, host_load_w=700.0, noise_dba=60.0, ram_gib=256.0,
)  # fmt: skip


def psu(psu_id: str, watts: float, low: float | None = None, **changes: Any) -> Psu:
    base = Psu(
        id=psu_id, name=psu_id.upper(), form="atx", watts_high_line=watts,
        watts_low_line=watts if low is None else low, efficiency_20=0.90, efficiency_50=0.92, efficiency_100=0.88,
        pcie8_connectors=8, v12_2x6_connectors=2, eps8_connectors=4, origin=ORIGIN,
    )  # fmt: skip
    return replace(base, **changes)


P1000 = psu("p620-1000", 1000.0, form="fixed")
ATX1600 = psu("atx1600", 1600.0, 1300.0)
ATX2000 = psu("atx2000", 2000.0, 1600.0)
CRPS2200 = psu("crps2200", 2200.0, 1200.0, form="crps", pcie8_connectors=None, eps8_connectors=None)
NVME = Storage("nvme4", "NVMe 4 TB", "4 TB 固态盘", "nvme", 3000.0, 4.0, True, 8.0, ORIGIN)


def link(link_id: str, cards: int, bandwidth: float) -> Link:
    return Link(link_id, 4 if link_id.startswith("pcie") else None, cards, bandwidth, None, None, 20.0, ORIGIN)


LINKS = (
    link("pcie_p2p", 2, 20.0), link("pcie_p2p", 4, 22.0), link("pcie_p2p_off", 4, 7.0), link("nvlink_pair", 2, 55.0),
    link("pcie_host_staged", 2, 3.7), link("pcie_p2p_with_pair_bridges", 4, 21.0),
)  # fmt: skip


def price(item_id: str, amount: float) -> Price:
    return Price(item_id, amount, "CNY", False, "quote", "vendor", "CN", DAY, date(2027, 1, 31), "quotation", ORIGIN)


def sold(item_id: str, status: str = "on_sale", region: str = "CN", day: date = DAY) -> Availability:
    return Availability(item_id, region, status, day, "vendor", "", ORIGIN)


def catalog(
    cards: Iterable[Card],
    chassis: Iterable[Chassis],
    psus: Iterable[Psu] = (),
    unpriced: Iterable[str] = (),
    **more: Any,
) -> Catalog:
    """A small catalog in which everything but `unpriced` costs 1,000 CNY and every card is on sale in China."""
    cards, chassis, psus = tuple(cards), tuple(chassis), tuple(psus)
    built_in = {c.psu_form.removeprefix("fixed:") for c in chassis}
    priced = [*(c.id for c in cards), *(c.id for c in chassis), *(p.id for p in psus if p.id not in built_in), NVME.id]
    base = Catalog(
        cards={c.id: c for c in cards}, chassis={c.id: c for c in chassis}, psus={p.id: p for p in psus},
        storage={NVME.id: NVME}, links=LINKS, prices=tuple(price(i, 1000.0) for i in priced if i not in set(unpriced)),
        availability=tuple(sold(c.id) for c in cards),
    )  # fmt: skip
    return replace(base, **more)


def scenario(*counts: int, **changes: Any) -> Scenario:
    base = Scenario(
        id="t", name="Test", name_zh="测试", region="CN", currency="CNY", horizon_years=3, as_of=date(2026, 11, 30),
        objective="serve", procurement="none", budget=None, budget_tax_included=True, spend_by=None, tax_rate=0.13,
        discount_rate=0.0, residual_share=0.0, freight_rate=0.0, installation_per_node=0.0, maintenance_rate=0.0,
        failure_rate=0.0, warranty_years=3.0, place="lab", noise_limit_dba=None, rack_units=None, circuits=(),
        tariff_per_kwh=0.6, pue=1.0, on_hours_per_year=8000.0, grid_factor_kg_per_kwh=None, hosting_per_node_year=0.0,
        staff_hours_per_node_year=0.0, staff_setup_hours_per_node=0.0, staff_wage_per_hour=0.0, payers={},
        available_hours_per_card_year=7000.0, memory_margin=0.25, cards_per_node=counts or (4,), max_nodes=4,
        max_distinct_builds=2, storage_ids=(), storage_needed_tb=2.0, allowed_statuses=("on_sale",), include_cards=(),
        exclude_cards=(), include_chassis=(), exclude_chassis=(), include_systems=(), owned=(), workloads=(),
    )  # fmt: skip
    return replace(base, **changes)


def rules(refusal: Refusal) -> set[str]:
    return {b.rule for b in refusal.breaches}


def only_refusal(result: BuildSet) -> Refusal:
    assert result.builds == ()
    (refusal,) = result.refusals
    return refusal


def only_build(result: BuildSet) -> Build:
    assert result.refusals == ()
    (build,) = result.builds
    return build


def said(breaches: Iterable[Breach], rule: str, lang: str) -> str:
    return sentence(next(b for b in breaches if b.rule == rule), lang)
