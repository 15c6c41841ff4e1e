"""Small decisions over years, one for each rule: in each, that rule alone changes the answer; and random mixtures."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from small_cases import CARD, DAY, SCENARIO, WORKLOAD, Small, build, part, way

from hwcost.build import Build
from hwcost.scenario import Circuit, Fund, Service
from hwcost.strategy import Strategy

TWO = replace(SCENARIO, horizon_years=2, tax_rate=0.0, max_nodes=3, max_distinct_builds=2)
FAST, SLOW, THIRD = (replace(CARD, id=name, name=name) for name in ("fast", "slow", "third"))
SERVICE = Service(
    "hpc", "Campus cluster", "校级平台", "campus", "fast", 2, 2.0, wait_hours=1.0, cards_at_once=1, interactive=True
)


def job(runs: float, people: int = 1, growth: float = 0.0, **more: Any) -> Any:
    return replace(WORKLOAD, runs_per_year=runs, people_at_once=people, growth_per_year=growth, **more)


def service_build(service: Service) -> Build:
    return build(
        f"service:{service.id}", FAST, service.cards_per_job, 0.0, 0.0, parts=(), idle_wall_w=0.0, peak_wall_w=0.0,
        busy_extra_wall_w_per_card=0.0, service=service,
    )  # fmt: skip


def shared(workload: str, name: str, hours: float, sharers: int) -> Strategy:
    return replace(way(workload, name, hours), kind="shared", sharers=sharers)


def wide(workload: str, name: str, hours: float, cards: int, nodes: int) -> Strategy:
    return replace(way(workload, name, hours, cards), nodes=nodes)


def decision(builds: tuple[Build, ...], ways: tuple[Strategy, ...], *jobs: Any, **changes: Any) -> Small:
    return Small(replace(TWO, workloads=jobs or (job(100.0),), **changes), builds, ways)


def lifting(**changes: Any) -> Callable[[Small], Small]:
    return lambda case: case.with_scenario(**changes)


def changing(name: str, **changes: Any) -> Callable[[Small], Small]:
    """The same case with another build of that name."""
    return lambda case: replace(
        case, builds=tuple(replace(b, **changes) if b.id == name else b for b in case.builds)
    )  # fmt: skip


def offering(**changes: Any) -> Callable[[Small], Small]:
    """The same case with another service."""
    service = replace(SERVICE, **changes)
    return lambda case: replace(
        case, builds=tuple(service_build(service) if b.service else b for b in case.builds)
    )  # fmt: skip


@dataclass(frozen=True)
class RuleCase:
    """`without` gives the same case without the rule; the two answers differ."""

    name: str
    case: Small
    without: Callable[[Small], Small]
    objective: str = "cost"


ONE = build("one", FAST, 1, 6000.0, 4000.0)  # 10,000
CHEAP = build("cheap", SLOW, 1, 3000.0, 4000.0, idle_wall_w=400.0, busy_extra_wall_w_per_card=600.0)
ALONE = (way("w", "one", 10.0),)
BOTH = (way("w", "one", 10.0), way("w", "cheap", 10.0))
HPC = service_build(replace(SERVICE, interactive=False))
WITH_HPC = (*ALONE, way("w", "service:hpc", 10.0))
OLD = build("old", THIRD, 1, 0.0, 0.0, parts=(), owned_count=1)
BETTER = build("better", FAST, 1, 0.0, 0.0, parts=(part("fast", "card", 1, 4000.0),), upgrade_of="old", upgrade="card")
UNIT = build(
    "unit", FAST, 4, 3000.0, 8000.0, nodes_per_unit=2, peak_wall_w=1000.0,
    parts=(part("fast", "card", 4, 3000.0), part("host", "host", 2, 4000.0), part("nic", "network", 2, 500.0)),
)  # fmt: skip
EQUIPMENT = Fund("eq", "Equipment", "设备费", 20_000.0)
UNIVERSITY = dict.fromkeys(("energy_idle", "energy_busy"), "university")


def with_service(**changes: Any) -> Small:
    return decision((ONE, service_build(replace(SERVICE, **changes))), WITH_HPC, job(60.0, 0))


GROWING = job(400.0, 1, 1.0)  # 4,000 hours, then 8,000: one card, then two

RULES = (
    RuleCase(
        "a later purchase at a falling price",
        decision((ONE,), ALONE, GROWING, purchase_years=(0, 1), price_trend_per_year={"card": -0.5}),
        lifting(purchase_years=(0,)),
    ),
    RuleCase(
        "no price trend",
        decision((ONE,), ALONE, GROWING, purchase_years=(0, 1), price_trend_per_year={"card": 0.3}),
        lifting(price_trend_per_year={}),
    ),
    RuleCase(
        "no carry-over of equipment money",
        decision((ONE,), ALONE, GROWING, purchase_years=(0, 1), budget=20_000.0, equipment_per_year=(12_000.0, 8_000.0),
                 equipment_carry_over=False),
        lifting(equipment_carry_over=True),
    ),
    RuleCase(
        "equipment money that comes later",
        decision((ONE,), ALONE, GROWING, purchase_years=(0, 1), price_trend_per_year={"card": 0.3}, budget=30_000.0,
                 equipment_per_year=(10_000.0, 20_000.0)),
        lifting(equipment_per_year=()),
    ),
    RuleCase(
        "the running budget of a year",
        decision((ONE, CHEAP), BOTH, job(60.0), running_budget_per_year=1_500.0),
        lifting(running_budget_per_year=None),
    ),
    RuleCase(
        "least hours of a service", with_service(interactive=False, minimum_card_hours_per_year=4000.0),
        offering(interactive=False),
    ),
    RuleCase(
        "yearly cost of a service", with_service(interactive=False, fixed_cost_per_year=7000.0),
        offering(interactive=False),
    ),
    RuleCase(
        "quota of a service", with_service(interactive=False, quota_card_hours_per_year=500.0),
        offering(interactive=False),
    ),
    RuleCase(
        "cards at once of a service",
        decision((ONE, service_build(SERVICE)), WITH_HPC, job(60.0, 2)), offering(cards_at_once=2),
    ),
    RuleCase(
        "nobody sits at a batch service",
        decision((ONE, HPC), WITH_HPC, job(60.0, 1)), offering(interactive=True),
    ),
    RuleCase(
        "as many upgrades as owned machines",
        decision((ONE, OLD, BETTER), (*ALONE, way("w", "better", 10.0)), job(100.0, 2)), changing("old", owned_count=2),
    ),
    RuleCase(
        "owned machines may not be left unused",
        decision((ONE, replace(OLD, idle_wall_w=500.0)), (*ALONE, way("w", "old", 40.0)), job(200.0),
                 retire_owned=False),
        lifting(retire_owned=True),
    ),
    RuleCase(
        "two people share a card",
        decision((build("pair", FAST, 2, 6000.0, 4000.0),),
                 (way("w", "pair", 10.0), shared("w", "pair", 18.0, 2)), job(50.0, 3)),
        lambda case: replace(case, ways=case.ways[:1]),
    ),
    RuleCase(
        "a unit of two machines counts twice",
        decision((UNIT,), (wide("w", "unit", 10.0, 4, 2),), job(300.0, 2), max_nodes=3), lifting(max_nodes=4),
    ),
    RuleCase(
        "a job over several machines takes a whole unit",
        decision((UNIT,), (wide("w", "unit", 5.0, 4, 2), way("v", "unit", 10.0)), job(100.0, 1),
                 job(50.0, 1, id="v"), max_nodes=4),
        lambda case: replace(case, ways=(way("w", "unit", 5.0, 2), case.ways[1])),
    ),
    RuleCase(
        "machines of a unit on separate circuits",
        decision((UNIT,), (wide("w", "unit", 10.0, 4, 2),), circuits=(Circuit(220.0, 4.0, 1),)),
        lifting(circuits=(Circuit(220.0, 4.0, 2),)),
    ),
    RuleCase(
        "hours of upkeep in a year",
        decision((ONE, build("four", FAST, 4, 6000.0, 9000.0)), (*ALONE, way("w", "four", 10.0)), job(100.0, 2),
                 staff_hours_per_node_year=30.0, staff_setup_hours_per_node=8.0, staff_hours_limit_per_year=50.0),
        lifting(staff_hours_limit_per_year=None),
    ),
    RuleCase(
        "set-up of jobs over several cards",
        decision((build("pair", FAST, 2, 6000.0, 4000.0, busy_extra_wall_w_per_card=900.0),),
                 (way("w", "pair", 20.0), way("w", "pair", 5.0, 2)), job(200.0, 0), multi_card_setup_hours=80.0,
                 staff_wage_per_hour=60.0),
        lifting(multi_card_setup_hours=0.0),
    ),
    RuleCase(
        "hours of set-up count in their year",
        decision((build("pair", FAST, 2, 6000.0, 4000.0, busy_extra_wall_w_per_card=900.0),),
                 (way("w", "pair", 20.0), way("w", "pair", 5.0, 2)), job(200.0, 0), multi_card_setup_hours=20.0,
                 staff_setup_hours_per_node=30.0, staff_hours_limit_per_year=40.0),
        lifting(staff_hours_limit_per_year=60.0),
    ),
    RuleCase(
        "stock of a card",
        decision((ONE, replace(CHEAP, idle_wall_w=120.0)), BOTH, job(100.0, 2), stock={"slow": 1}), lifting(stock={}),
    ),
    RuleCase(
        "least order of a card",
        decision((ONE, replace(CHEAP, idle_wall_w=120.0)), BOTH, job(100.0, 1), min_order={"slow": 2}),
        lifting(min_order={}),
    ),
    RuleCase(
        "hours lost until delivery",
        decision((replace(ONE, lead_weeks=26.0),), ALONE, job(400.0)), changing("one", lead_weeks=0.0),
    ),
    RuleCase(
        "delivery before the money ends",
        decision((ONE, replace(CHEAP, lead_weeks=10.0, idle_wall_w=120.0)), BOTH, spend_by=DAY + timedelta(days=60)),
        lifting(spend_by=None),
    ),
    RuleCase(
        "a fund that may not pay services",
        decision((ONE, HPC), WITH_HPC, job(60.0, 0), funds=(EQUIPMENT,), payers=UNIVERSITY),
        lifting(funds=(replace(EQUIPMENT, pays=("equipment", "services")),)),
    ),
    RuleCase(
        "a fund that may not pay energy",
        decision((ONE, CHEAP), BOTH, job(60.0, 1), funds=(EQUIPMENT, Fund("run", "Running", "运行费", 1_500.0,
                 ("consumables",)))),
        lifting(funds=(EQUIPMENT, Fund("run", "Running", "运行费", 20_000.0, ("consumables",)))),
    ),
    RuleCase(
        "a fund for depreciation alone",
        decision((ONE, CHEAP), BOTH, job(100.0, 1), payers=UNIVERSITY, funds=(
            replace(EQUIPMENT, depreciation_only=True, depreciation_years=4.0), Fund("own", "Own", "自筹", 4_000.0))),
        lifting(funds=(EQUIPMENT, Fund("own", "Own", "自筹", 4_000.0))),
    ),
    RuleCase(
        "overhead on services",
        decision((ONE, HPC), WITH_HPC, job(200.0, 0), payers=UNIVERSITY, funds=(
            EQUIPMENT, Fund("run", "Running", "运行费", None, ("services",), overhead_rate=0.4))),
        lifting(funds=(EQUIPMENT, Fund("run", "Running", "运行费", None, ("services",)))),
    ),
    RuleCase(
        "a fund without carry-over",
        decision((ONE, HPC), WITH_HPC, job(60.0, 0), payers=UNIVERSITY, funds=(
            Fund("run", "Running", "运行费", 2_400.0, ("services",), per_year=(1_500.0, 900.0), carry_over=False),)),
        lifting(funds=(Fund("run", "Running", "运行费", 2_400.0, ("services",), per_year=(1_500.0, 900.0)),)),
    ),
    RuleCase(
        "a fund that ends before the second year",
        decision((ONE,), ALONE, GROWING, purchase_years=(0, 1), price_trend_per_year={"card": -0.5}, payers=UNIVERSITY,
                 funds=(replace(EQUIPMENT, to_year=0),)),
        lifting(funds=(EQUIPMENT,)),
    ),
    RuleCase(
        "a fund that is charged net prices",
        decision((ONE,), ALONE, tax_rate=0.13, payers=UNIVERSITY, funds=(replace(EQUIPMENT, amount=10_000.0),)),
        lifting(funds=(replace(EQUIPMENT, amount=10_000.0, tax_included=False),)),
    ),
    RuleCase(
        "a fund that ends before the slower delivery",
        decision((ONE, replace(CHEAP, lead_weeks=10.0, idle_wall_w=120.0)), BOTH, payers=UNIVERSITY, funds=(
            replace(EQUIPMENT, spend_by=DAY + timedelta(days=30)), Fund("own", "Own", "自筹", 3_000.0))),
        lifting(funds=(EQUIPMENT, Fund("own", "Own", "自筹", 3_000.0))),
    ),
    RuleCase(
        "a fund that may not pay services, work first",
        decision((ONE, HPC), WITH_HPC, job(60.0, 0), funds=(replace(EQUIPMENT, amount=5_000.0),), payers=UNIVERSITY),
        lifting(funds=(replace(EQUIPMENT, amount=5_000.0, pays=("equipment", "services")),)), "serve",
    ),
)  # fmt: skip


def mixture(seed: int) -> Small:
    """A random decision over two years with several of the rules at once, always the same for a seed."""
    rng = random.Random(f"years {seed}")
    builds, ways, jobs = _offers(rng)
    funds: tuple[Fund, ...] = ()
    if rng.random() < 0.4:
        funds = (
            Fund("eq", "Equipment", "设备费", rng.choice((9_000.0, 25_000.0, 40_000.0)),
                 tax_included=rng.random() < 0.6, depreciation_only=rng.random() < 0.25, depreciation_years=3.0,
                 spend_by=rng.choice((None, date(2026, 12, 15), date(2027, 12, 15)))),
            Fund("run", "Running", "运行费", rng.choice((3_000.0, 9_000.0, None)), ("equipment", "services"),
                 carry_over=rng.random() < 0.6, overhead_rate=rng.choice((0.0, 0.3))),
        )  # fmt: skip
        if funds[1].amount is not None:
            funds = (funds[0], replace(funds[1], per_year=(funds[1].amount / 3, funds[1].amount * 2 / 3)))
    changes: dict[str, Any] = dict(
        purchase_years=rng.choice(((0,), (0, 1), (1,))), price_trend_per_year=rng.choice(({}, {"card": -0.3})),
        tax_rate=rng.choice((0.0, 0.13)), discount_rate=rng.choice((0.0, 0.05)), funds=funds,
        residual_share=rng.choice((0.0, 0.2)), warranty_years=rng.choice((0.0, 1.0)),
        maintenance_rate=rng.choice((0.0, 0.06)), failure_rate=rng.choice((0.0, 0.04)),
        staff_hours_per_node_year=rng.choice((0.0, 20.0)), staff_setup_hours_per_node=rng.choice((0.0, 8.0)),
        staff_wage_per_hour=rng.choice((0.0, 50.0)), retire_owned=rng.random() < 0.8,
        payers={**UNIVERSITY, "staff": "non_cash"}, max_nodes=2,
        budget=rng.choice((None, 12_000.0, 30_000.0)), multi_card_setup_hours=rng.choice((0.0, 0.0, 30.0)),
        staff_hours_limit_per_year=rng.choice((None, None, 60.0)),
        running_budget_per_year=rng.choice((None, None, 2_500.0)), stock=rng.choice(({}, {"fast": 2})),
        min_order=rng.choice(({}, {"slow": 2})),
    )  # fmt: skip
    return decision(builds, ways, *jobs, **changes)


def _offers(rng: random.Random) -> tuple[tuple[Build, ...], tuple[Strategy, ...], tuple[Any, ...]]:
    jobs = [job(float(rng.randint(20, 300)), rng.choice((0, 1, 2)), rng.choice((0.0, 0.0, 0.6)))]
    if rng.random() < 0.5:
        jobs.append(job(float(rng.randint(20, 150)), rng.choice((0, 1)), id="v", must=rng.random() < 0.6))
    lead = rng.choice((0.0, 0.0, 12.0))
    pair = build("pair", FAST, 2, rng.uniform(3000.0, 6000.0), 4000.0, lead_weeks=lead)
    builds = [pair, build("single", SLOW, 1, rng.uniform(2000.0, 5000.0), 3000.0)]
    if rng.random() < 0.3:
        builds[0] = replace(UNIT, id="pair")
    ways = []
    for name in (j.id for j in jobs):
        hours = rng.uniform(8.0, 25.0)
        unit = builds[0].nodes_per_unit > 1
        ways += [way(name, "single", hours * rng.uniform(1.0, 1.6)), way(name, "pair", hours)]
        ways.append(wide(name, "pair", hours / 3, 4, 2) if unit else way(name, "pair", hours / 1.7, 2))
        if rng.random() < 0.4:
            ways.append(shared(name, "single", hours * 1.7, 2))
        if rng.random() < 0.6:
            ways.append(way(name, "service:hpc", hours * rng.uniform(0.8, 1.2)))
        if rng.random() < 0.5:
            ways += [way(name, "old", hours * 2.5), way(name, "better", hours)]
    if any(w.build_id == "service:hpc" for w in ways):
        builds.append(service_build(replace(
            SERVICE, interactive=rng.random() < 0.5, price_per_card_hour=rng.uniform(0.5, 3.0),
            fixed_cost_per_year=rng.choice((0.0, 800.0)), minimum_card_hours_per_year=rng.choice((0.0, 900.0)),
            quota_card_hours_per_year=rng.choice((None, 1_200.0)),
        )))  # fmt: skip
    if any(w.build_id == "old" for w in ways):
        builds += [OLD, BETTER]
    return tuple(sorted(builds, key=lambda b: b.id)), tuple(ways), tuple(jobs)
