"""Small random decisions made directly from records: no catalog, no builds, no step times are needed.

`small(seed)` varies everything that the decision model reads: budgets (tight, equal to a purchase, ample, none),
discount, residual value, warranty, circuits, rack, owned machines, nodes of 1 to 4 cards, jobs of 1, 2 and 4 cards,
growing demand, musts and wants, and items that another one beats.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from datetime import date
from decimal import ROUND_HALF_UP, Decimal

from hwcost.build import Build, BuildSet, PricedPart
from hwcost.case import Case, assemble
from hwcost.records import Card, Catalog, Chassis, Origin, Price, Psu, Storage
from hwcost.scenario import Circuit, Scenario
from hwcost.strategies import StrategySet
from hwcost.strategy import Strategy
from hwcost.workload import Workload

DAY = date(2026, 11, 1)
ORIGIN = Origin("test", 2, "bundled", "test", DAY, "estimate")

CARD = Card(
    id="card", name="Card", vendor="NVIDIA", segment="workstation", architecture="Ampere", compute_capability=8.6,
    memory_gib=24.0, usable_mib=24564.0, memory_type="GDDR6", ecc="inline", bandwidth_gb_s=768.0, fp32_tflops=34.1,
    tensor_fp16_tflops=136.4, tensor_tf32_tflops=68.2, bf16=True, tdp_w=230.0, idle_w=20.0, slot_width=2,
    length_mm=267.0, cooling="blower", power_connector="pcie8", power_connectors=1, pcie_gen=4, pcie_lanes=16,
    nvlink_gb_s=None, nvlink_max_cards=0, p2p=True, datacentre_licensed=True, pytorch_current=True,
    resnet50_fp32_img_s=None, bert_large_fp32_seq_s=None, warranty_years=3.0, notes="", origin=ORIGIN,
)  # fmt: skip

CHASSIS = Chassis(
    id="case", name="Case", name_zh="机箱", form="tower", segment="workstation", slots=8, max_cards_1slot=8,
    max_cards_2slot=4, max_cards_3slot=2, pcie_gen=4, lanes_by_cards={1: 16, 4: 16}, airflow="ducted", passive_ok=False,
    max_card_length_mm=None, psu_form="atx", psu_bays=1, redundant=False, host_idle_w=100.0, host_load_w=350.0,
    cpu_cores=16, ram_gib=128.0, noise_dba=40.0, rack_units=None, origin=ORIGIN,
)  # fmt: skip

PSU = Psu("psu", "PSU", "atx", 2000.0, 2000.0, 0.90, 0.92, 0.88, None, None, None, ORIGIN)
STORAGE = Storage("nvme", "NVMe", "固态盘", "nvme", 3000.0, 4.0, True, 8.0, ORIGIN)

WORKLOAD = Workload(
    id="w", name="W", name_zh="任务", must=True, priority=1.0, people_at_once=1, runs_per_year=100.0,
    growth_per_year=0.0, steps_per_run=1000.0, batch=32, precision="fp32", optimizer="adam", max_hours_per_run=None,
    ecc_required=False, accumulation=True, multi_card=True, startup_s=0.0, workers=4, loader_ms_per_sample=0.0,
    overlap=0.0, step_cv=0.0, params=1e6, forward_flop_per_sample=1e9, saved_bytes_per_sample=1e6,
    largest_saved_bytes_per_sample=1e5, moved_bytes_per_sample=1e7, launches_per_step=100.0, parameter_tensors=0,
    input_bytes_per_sample=0.0, dataset_bytes=0.0, batchnorm=False, batchnorm_min_batch=0,
)  # fmt: skip

SCENARIO = Scenario(
    id="s", name="S", name_zh="方案", region="CN", currency="CNY", horizon_years=3, as_of=DAY, objective="serve",
    procurement="cn", budget=None, budget_tax_included=True, spend_by=None, tax_rate=0.13, discount_rate=0.0,
    residual_share=0.0, freight_rate=0.0, installation_per_node=0.0, maintenance_rate=0.0, failure_rate=0.0,
    warranty_years=3.0, place="lab", noise_limit_dba=None, rack_units=None, circuits=(), tariff_per_kwh=0.6, pue=1.0,
    on_hours_per_year=8000.0, grid_factor_kg_per_kwh=None, hosting_per_node_year=0.0, staff_hours_per_node_year=0.0,
    staff_setup_hours_per_node=0.0, staff_wage_per_hour=0.0, payers={}, available_hours_per_card_year=5000.0,
    memory_margin=0.25, cards_per_node=(1, 2, 4), max_nodes=3, max_distinct_builds=2, storage_ids=(),
    storage_needed_tb=0.0, allowed_statuses=("on_sale",), include_cards=(), exclude_cards=(), include_chassis=(),
    exclude_chassis=(), include_systems=(), owned=(), workloads=(WORKLOAD,),
)  # fmt: skip


def part(item: str, role: str, quantity: int, price: float) -> PricedPart:
    row = Price(item, price, "CNY", False, "quote", "v", "CN", DAY, None, "test", ORIGIN)
    return PricedPart(item, role, item, quantity, round(price, 2), row, 1.0, False)


def to_cents(amount: float) -> float:
    """Half up on the decimal figure, as a spreadsheet rounds."""
    return float(Decimal(f"{amount:.15g}").quantize(Decimal("0.01"), rounding=ROUND_HALF_UP))


def build(build_id: str, card: Card, cards: int, card_price: float, host_price: float, **changes: object) -> Build:
    """A node of `cards` cards; watts follow the card count unless `changes` says otherwise."""
    base = Build(
        id=build_id, card=card, cards=cards, chassis=CHASSIS, psu=PSU, psu_count=1, storage=STORAGE, link=None,
        lanes_per_card=16, parts=(part(card.id, "card", cards, card_price), part("host", "host", 1, host_price)),
        idle_wall_w=100.0 + 20.0 * cards, peak_wall_w=350.0 + 250.0 * cards, busy_extra_wall_w_per_card=220.0,
        psu_need_w=500.0, estimate_only=True,
    )  # fmt: skip
    return replace(base, **changes)


def way(workload: str, build_id: str, hours: float, cards: int = 1) -> Strategy:
    return Strategy(
        workload_id=workload, build_id=build_id, kind="single" if cards == 1 else "ddp", cards=cards, micro_batch=8,
        accumulation_steps=1, memory_mib=8000.0, step_ms=100.0, compute_ms=100.0, loader_ms=0.0, storage_ms=0.0,
        communication_ms=0.0, hours_per_run=hours, bound="compute", evidence="estimated", error_share=0.5,
    )  # fmt: skip


@dataclass(frozen=True)
class Small:
    """A decision: the scenario, everything that could be bought or is owned, every way to run every job."""

    scenario: Scenario
    builds: tuple[Build, ...]
    ways: tuple[Strategy, ...]

    def case(self) -> Case:
        return assemble(self.scenario, Catalog(), BuildSet(self.builds, (), ()), StrategySet(self.ways, ()))

    def with_scenario(self, **changes: object) -> Small:
        return replace(self, scenario=replace(self.scenario, **changes))


def node_price(scenario: Scenario, node: Build) -> float:
    """What one node takes from the budget: goods, freight and installation, each to the cent, taxed where it counts."""
    if not node.parts:
        return 0.0
    net = to_cents(sum(p.quantity * p.unit_price_net for p in node.parts))
    before_tax = net + to_cents(scenario.freight_rate * net) + to_cents(scenario.installation_per_node)
    tax = to_cents(scenario.tax_rate * before_tax) if scenario.budget_tax_included else 0.0
    return to_cents(before_tax + tax)


def small(seed: int) -> Small:
    """The small case of that seed, always the same."""
    rng = random.Random(seed)
    workloads = tuple(_workload(rng, n) for n in range(rng.choice((2, 2, 3))))
    builds = _builds(rng)
    ways = _ways(rng, workloads, builds)
    builds, ways = _with_beaten_twin(rng, builds, ways)
    scenario = _scenario(rng, workloads)
    return Small(replace(scenario, budget=_budget(rng, seed, scenario, builds)), builds, ways)


def _workload(rng: random.Random, number: int) -> Workload:
    return replace(
        WORKLOAD, id=f"w{number}", must=number == 0 or rng.random() < 0.45, priority=rng.choice((0.5, 1.0, 2.0)),
        people_at_once=rng.choice((0, 1, 1, 2, 3)), runs_per_year=float(rng.randint(20, 400)),
        growth_per_year=rng.choice((0.0, 0.0, 0.2, -0.1)),
    )  # fmt: skip


def _builds(rng: random.Random) -> tuple[Build, ...]:
    found = []
    for c in range(rng.choice((2, 2, 3))):
        card = replace(CARD, id=f"card{c}", name=f"Card {c}")
        price = rng.uniform(4000.0, 30000.0)
        for cards in rng.sample((1, 2, 3, 4), 2 if c < 2 else 1):
            host = rng.uniform(5000.0, 20000.0)
            rack = replace(CHASSIS, id=f"case{cards}", rack_units=rng.choice((None, 2, 4)))
            found.append(
                build(f"b{c}_{cards}", card, cards, price, host, chassis=rack,
                      busy_extra_wall_w_per_card=rng.uniform(100.0, 400.0))
            )  # fmt: skip
    if rng.random() < 0.3:
        found.append(build("a_owned", replace(CARD, id="old"), 2, 0.0, 0.0, parts=(), owned_count=rng.choice((1, 2))))
    return tuple(found)


def _ways(rng: random.Random, workloads: tuple[Workload, ...], builds: tuple[Build, ...]) -> tuple[Strategy, ...]:
    speed: dict[tuple[str, str], float] = {}
    found = []
    for workload in workloads:
        for node in builds:
            key = (workload.id, node.card.id)
            speed.setdefault(key, rng.uniform(10.0, 90.0))
            if rng.random() < 0.12:
                continue  # this job does not run on this node at all
            alone = rng.random() > 0.25  # else it needs several cards
            if alone:
                found.append(way(workload.id, node.id, speed[key] * rng.uniform(0.95, 1.05)))
            for cards in (2, 4):
                if cards <= node.cards and (not alone or rng.random() < 0.6):
                    found.append(way(workload.id, node.id, speed[key] / cards * rng.uniform(0.9, 1.4), cards))
    return tuple(found)


def _with_beaten_twin(
    rng: random.Random, builds: tuple[Build, ...], ways: tuple[Strategy, ...]
) -> tuple[tuple[Build, ...], tuple[Strategy, ...]]:
    """Some cases hold a twin of a build: equal in all, dearer, or slower; it must never change the answer."""
    if rng.random() < 0.4:
        return builds, ways
    node = next(b for b in builds if not b.owned)
    dearer, slower = rng.choice(((1.0, 1.0), (1.2, 1.0), (1.0, 1.2), (1.1, 1.1)))
    parts = tuple(part(p.item_id, p.role, p.quantity, p.unit_price_net * dearer) for p in node.parts)
    twin = replace(node, id=f"{node.id}_twin", parts=parts)
    copies = tuple(
        replace(w, build_id=twin.id, hours_per_run=w.hours_per_run * slower) for w in ways if w.build_id == node.id
    )
    return (*builds, twin), ways + copies


def _scenario(rng: random.Random, workloads: tuple[Workload, ...]) -> Scenario:
    circuits: tuple[Circuit, ...] = ()
    if rng.random() < 0.35:
        circuits = (Circuit(220.0, rng.choice((4.0, 8.0, 11.0)), rng.choice((1, 2))),)
        if rng.random() < 0.5:
            circuits += (Circuit(220.0, 6.0, 1),)
    return replace(
        SCENARIO, workloads=workloads, horizon_years=rng.choice((1, 3, 3, 4)), circuits=circuits,
        rack_units=rng.choice((None, None, 4, 8)), budget_tax_included=rng.random() < 0.6,
        tax_rate=rng.choice((0.0, 0.13)), discount_rate=rng.choice((0.0, 0.0, 0.04)),
        residual_share=rng.choice((0.0, 0.1, 0.25)), freight_rate=rng.choice((0.0, 0.013)),
        installation_per_node=rng.choice((0.0, 333.335)), maintenance_rate=rng.choice((0.0, 0.057)),
        failure_rate=rng.choice((0.0, 0.03)), warranty_years=rng.choice((0.0, 1.0, 3.0)),
        tariff_per_kwh=rng.choice((0.35, 0.83)), pue=rng.choice((1.0, 1.4)),
        hosting_per_node_year=rng.choice((0.0, 1200.0)), staff_hours_per_node_year=rng.choice((0.0, 30.0)),
        staff_setup_hours_per_node=rng.choice((0.0, 8.0)), staff_wage_per_hour=rng.choice((0.0, 60.0)),
        available_hours_per_card_year=rng.choice((1500.0, 4000.0, 6000.0)), max_distinct_builds=rng.choice((1, 2, 2)),
        max_nodes=rng.choice((2, 3, 3)),
    )  # fmt: skip


def _budget(rng: random.Random, seed: int, scenario: Scenario, builds: tuple[Build, ...]) -> float | None:
    prices = sorted(node_price(scenario, b) for b in builds if not b.owned)
    kind = ("exact", "tight", "ample", "exact_two", "none")[seed % 5]
    if kind == "exact":
        return rng.choice(prices)
    if kind == "exact_two":
        return round(2.0 * rng.choice(prices), 2)
    if kind == "tight":
        return round(prices[0] * rng.uniform(0.8, 1.9), 2)
    return round(prices[-1] * rng.uniform(1.5, 4.0), 2) if kind == "ample" else None
