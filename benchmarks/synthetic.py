"""A market and a laboratory that exist nowhere, of any size: the same for the same size on every machine.

`market(cards)` has that many cards (10 to 1,000), 40 cases, the bundled power supplies and one storage tier; every item
is on sale and priced. `laboratory(workloads, level)` has that many kinds of jobs over five years; `level` multiplies
the runs and the people. Figures are drawn within what cards of 2018 to 2026 have; a dearer card is better in the mean,
not always, so that many machines stay that nothing else beats.
"""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import date

from hwcost.catalog import load_catalog
from hwcost.records import Availability, Card, Catalog, Chassis, Origin, Price
from hwcost.scenario import Scenario
from hwcost.workload import Workload

CASES, WORKLOADS, YEARS = 40, 100, 5
CARD_COUNTS = (1, 2, 4, 8)
DAY = date(2026, 11, 1)
ORIGIN = Origin("synthetic", 0, "scenario", "drawn by chance", DAY, "estimate")
SEGMENT_SHARE = (("consumer", 0.35), ("workstation", 0.4), ("datacentre", 0.25))
MEMORY_GIB = {
    "consumer": (8, 12, 16, 24, 32), "workstation": (16, 20, 24, 32, 48, 96), "datacentre": (24, 40, 48, 80, 141),
}  # fmt: skip


def market(cards: int, seed: int = 1) -> Catalog:
    """A catalog of `cards` cards; a larger one holds every card of a smaller one."""
    bundled = load_catalog()
    made = {c.id: (c, amount) for c, amount in (_card(random.Random(f"{seed} card {i}"), i) for i in range(cards))}
    cases = {c.id: (c, amount) for c, amount in (_case(random.Random(f"{seed} case {i}"), i) for i in range(CASES))}
    storage = {"nvme-4tb": bundled.storage["nvme-4tb"]}
    kept = {*bundled.psus, *storage}
    amounts = {i: a for table in (made, cases) for i, (_, a) in table.items()}
    prices = [
        Price(i, amount, "CNY", False, "quote", "market", "CN", DAY, None, "drawn", ORIGIN)
        for i, amount in amounts.items()
    ]
    return replace(
        bundled,
        cards={i: c for i, (c, _) in made.items()},
        chassis={i: c for i, (c, _) in cases.items()},
        storage=storage,
        systems={},
        rentals={},
        prices=(*(p for p in bundled.prices if p.item_id in kept), *prices),
        availability=tuple(Availability(i, "CN", "on_sale", DAY, "drawn", "", ORIGIN) for i in made),
        sha256="",
    )


def _card(rng: random.Random, number: int) -> tuple[Card, float]:
    pick, segment = rng.random(), SEGMENT_SHARE[-1][0]
    for name, share in SEGMENT_SHARE:
        if pick < share:
            segment = name
            break
        pick -= share
    memory = float(rng.choice(MEMORY_GIB[segment]))
    strength = rng.uniform(0.5, 2.0)  # of a card of its memory
    fp32 = round(1.2 * memory**0.95 * strength * rng.uniform(0.8, 1.25), 1)
    tensor = round(fp32 * (2.0 if segment == "consumer" else 4.0), 1)
    tdp = float(round(min(575.0, 80.0 + 60.0 * strength + 2.2 * memory * rng.uniform(0.8, 1.2)), -1))
    amount = 380.0 * memory * strength**0.8 * rng.uniform(0.75, 1.35) * (1.0 if segment == "consumer" else 1.6)
    wide = segment == "consumer" and tdp > 300
    card = Card(
        id=f"card-{number:04d}", name=f"Card {number:04d}", vendor="NVIDIA", segment=segment, architecture="drawn",
        compute_capability=8.9, memory_gib=memory, usable_mib=None, memory_type="GDDR6",
        ecc="none" if segment == "consumer" else "inline", bandwidth_gb_s=float(round(22 * memory * strength**0.7)),
        fp32_tflops=fp32, tensor_fp16_tflops=tensor, tensor_tf32_tflops=round(tensor / 2, 1), bf16=True, tdp_w=tdp,
        idle_w=float(round(10 + 0.05 * tdp)), slot_width=3 if wide else 2 if tdp > 90 else 1, length_mm=267.0,
        cooling={"consumer": "open_air", "workstation": "blower", "datacentre": "passive"}[segment],
        power_connector="eps8" if segment == "datacentre" else "pcie8", power_connectors=1 + (tdp > 225),
        pcie_gen=rng.choice((4, 5)), pcie_lanes=16, nvlink_gb_s=None, nvlink_max_cards=0, p2p=segment != "consumer",
        datacentre_licensed=segment != "consumer", pytorch_current=True, resnet50_fp32_img_s=None,
        bert_large_fp32_seq_s=None, warranty_years=3.0, notes="", origin=ORIGIN,
    )  # fmt: skip
    return card, round(amount, 2)


def _case(rng: random.Random, number: int) -> tuple[Chassis, float]:
    """Four kinds of case in turn, each with figures of its own."""
    kind = ("tower", "workstation", "rack", "rack")[number % 4]
    cards, slots = {0: (2, 7), 1: (4, 8), 2: (4, 8), 3: (8, 16)}[number % 4]
    server = kind == "rack"
    maker = ("asus", "gigabyte", "lenovo", "supermicro")[number // 4 % 4]
    load = float(rng.randrange(200, 400, 20) if kind == "tower" else rng.randrange(350, 900, 50))
    case = Chassis(
        id=f"case-{number:02d}", name=f"Case {number:02d}", name_zh=f"机箱 {number:02d}", form=kind,
        segment="server" if server else "consumer" if kind == "tower" else "workstation", slots=slots,
        max_cards_1slot=cards, max_cards_2slot=cards, max_cards_3slot=max(1, cards // 2), pcie_gen=rng.choice((4, 5)),
        lanes_by_cards={1: 16, 2: 8 if kind == "tower" else 16, cards: 8 if cards != 4 else 16},
        airflow="server" if server else "ducted", passive_ok=server, max_card_length_mm=None,
        psu_form=f"crps:{maker}" if server else "atx", psu_bays=2 if server else 1, redundant=server,
        host_idle_w=round(0.3 * load), host_load_w=load,
        cpu_cores=rng.choice((16, 24, 32) if kind == "tower" else (24, 32, 64)),
        ram_gib=float(rng.choice((64, 96, 128) if kind == "tower" else (128, 256, 512))), noise_dba=None,
        rack_units=4 if server else None, origin=ORIGIN, stacked_open_air_max=cards,
    )  # fmt: skip
    amount = {0: 12_000.0, 1: 35_000.0, 2: 55_000.0, 3: 95_000.0}[number % 4] * rng.uniform(0.7, 1.4)
    return case, round(amount, 2)


def laboratory(base: Scenario, workloads: int = WORKLOADS, level: float = 1.0, seed: int = 1) -> Scenario:
    """`base` with its place, tariff and rules, five years, and `workloads` kinds of jobs at a demand level."""
    jobs = tuple(_workload(random.Random(f"{seed} job {i}"), i, level) for i in range(workloads))
    return replace(
        base, id="synthetic", name="Synthetic laboratory", name_zh="合成算例", horizon_years=YEARS, objective="cost",
        budget=None, spend_by=None, place="machine_room", noise_limit_dba=None, rack_units=None, circuits=(),
        cards_per_node=CARD_COUNTS, max_nodes=400, max_distinct_builds=400, storage_ids=(), storage_needed_tb=0.0,
        include_cards=(), exclude_cards=(), include_chassis=(), exclude_chassis=(), include_systems=(), owned=(),
        workloads=jobs, funds=(), services=(), stock={}, min_order={}, equipment_per_year=(), purchase_years=(0,),
    )  # fmt: skip


def _workload(rng: random.Random, number: int, level: float) -> Workload:
    params = 10 ** rng.uniform(5.5, 8.3)
    saved_mib = 10 ** rng.uniform(0.3, 3.9)
    batch = rng.choice((16, 32, 64, 128))
    people = level * rng.uniform(0.05, 0.35)
    return Workload(
        id=f"job-{number:03d}", name=f"Job {number:03d}", name_zh=f"任务 {number:03d}", must=True, priority=1.0,
        people_at_once=int(people) + (rng.random() < people % 1.0),
        runs_per_year=round(level * rng.uniform(100, 1500), 1),
        growth_per_year=0.0, steps_per_run=rng.uniform(2e3, 3e4), batch=batch,
        precision=rng.choice(("torch_default", "amp16", "amp16")), optimizer="adam", max_hours_per_run=None,
        ecc_required=rng.random() < 0.1, accumulation=True, multi_card=rng.random() < 0.3, startup_s=60.0, workers=2,
        loader_ms_per_sample=0.05, overlap=0.0, step_cv=0.02, params=params,
        forward_flop_per_sample=10 ** rng.uniform(9.0, 11.3), saved_bytes_per_sample=saved_mib * 2**20,
        largest_saved_bytes_per_sample=saved_mib * 2**20 / 12, moved_bytes_per_sample=4 * saved_mib * 2**20,
        launches_per_step=float(rng.randrange(150, 1200)), parameter_tensors=rng.randrange(30, 300),
        input_bytes_per_sample=10 ** rng.uniform(4.5, 6.5), dataset_bytes=10 ** rng.uniform(8.0, 10.5),
        batchnorm=False, batchnorm_min_batch=0, source="drawn by chance",
    )  # fmt: skip
