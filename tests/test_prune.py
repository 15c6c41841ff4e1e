"""Machines left out because another one beats them: which ones, which never, and that the best plan stays the same."""

import random
from dataclasses import replace
from typing import Any

import pytest
from small_cases import WORKLOAD
from small_catalog import A5500, NVME, TOWER, case, catalog, price, psu, scenario

from hwcost.build import Build, BuildSet
from hwcost.builds import make_builds
from hwcost.case import Case, assemble
from hwcost.catalog import load_catalog
from hwcost.engine import solve_case
from hwcost.prune import undominated
from hwcost.records import Catalog, Chassis, Psu
from hwcost.scenario import Circuit, Owned, Scenario
from hwcost.strategies import make_strategies, undominated_ways

GOOD = psu("good", 2000.0)
HEAVY = replace(
    WORKLOAD, dataset_bytes=100 * 2.0**30, input_bytes_per_sample=1e8, workers=7, sharers=2, loader_ms_per_sample=1.0
)


def priced(chassis: list[Chassis], psus: list[Psu], amounts: dict[str, float], **more: Any) -> Catalog:
    """Every item costs 1,000 CNY but those of `amounts`."""
    base = catalog([A5500], chassis, psus, **more)
    prices = tuple(price(p.item_id, amounts.get(p.item_id, 1000.0)) for p in base.prices)
    return replace(base, prices=prices)


def hosts(wanted: Scenario, stock: Catalog, **more: Any) -> set[str]:
    return {b.chassis.id for b in undominated(wanted, make_builds(wanted, stock).builds, **more)}


def two(amounts: dict[str, float] | None = None, wanted: Scenario | None = None, **changes: Any) -> set[str]:
    """Cases that stay of the plain one and another that differs by `changes`, or in price."""
    other = replace(TOWER, id="other", name="Other", **changes)
    stock = priced([TOWER, other], [GOOD], amounts or {})
    return hosts(wanted or scenario(1, workloads=(HEAVY,)), stock)


# --- which ones ---


def test_of_two_equal_machines_the_lower_id_stays() -> None:
    assert two() == {"other"}  # "other" < "tower"


@pytest.mark.parametrize(
    "worse",
    [{"host_idle_w": 120.0}, {"host_load_w": 400.0, "host_idle_w": 100.0}, {"cpu_cores": 8}],
    ids=["idle", "load", "cores"],
)
def test_a_machine_that_is_worse_in_one_thing_and_better_in_none_is_left_out(worse: dict[str, Any]) -> None:
    assert two(None, None, **worse) == {"tower"}


def test_a_dearer_machine_is_left_out_unless_it_is_better_in_something() -> None:
    assert two({"other": 1001.0}) == {"tower"}
    assert two({"other": 1001.0}, None, host_idle_w=90.0) == {"tower", "other"}


def test_cores_beyond_what_the_jobs_use_count_for_nothing() -> None:
    """One card, two jobs on it, seven workers each: 1 x 2 x 8 = 16 cores."""
    assert two({"other": 1001.0}, None, cpu_cores=17) == {"tower"}
    fewer = replace(TOWER, id="tower", cpu_cores=15)
    other = replace(TOWER, id="other", cpu_cores=16)
    assert hosts(scenario(1, workloads=(HEAVY,)), priced([fewer, other], [GOOD], {"other": 1001.0})) == {
        "tower",
        "other",
    }


def test_peak_watts_count_only_where_circuits_are_stated() -> None:
    """More at the peak, less when idle: 1 W idle is worth the other only where nobody limits the peak."""
    hot = {"host_load_w": 380.0, "host_idle_w": 100.0}
    circuits = scenario(1, workloads=(HEAVY,), circuits=(Circuit(220.0, 16.0, 1),))
    assert two({"tower": 1001.0}, circuits, **hot) == {"tower", "other"}


def test_memories_are_not_compared_where_jobs_share_a_card_and_not_all_can_hold_their_data() -> None:
    """2 jobs x (4 + 7 + 100 GiB) = 222 GiB: 128 and 192 GiB are both short of that, 256 and 512 are not."""
    assert two(None, None, ram_gib=192.0) == {"tower", "other"}
    alone = scenario(1, workloads=(replace(HEAVY, sharers=1),))
    assert two(None, alone, ram_gib=192.0) == {"other"}
    rich = priced([replace(TOWER, ram_gib=256.0), replace(TOWER, id="other", ram_gib=512.0)], [GOOD], {"other": 1001.0})
    assert hosts(scenario(1, workloads=(HEAVY,)), rich) == {"tower"}  # 100 / 0.6 = 167 GiB hold the data in both


def test_a_price_that_rises_differently_by_role_is_compared_in_every_year_of_purchase() -> None:
    """The dearer case has the cheaper supply: cheaper in year 0, dearer in year 2 when cases have doubled in price."""
    stock = priced(
        [TOWER, replace(TOWER, id="other", psu_form="crps")], [GOOD, replace(GOOD, id="module", form="crps")],
        {"tower": 1000.0, "good": 1000.0, "other": 1400.0, "module": 500.0},
    )  # fmt: skip
    now = scenario(1, workloads=(HEAVY,))
    assert hosts(now, stock) == {"other"}
    later = replace(now, purchase_years=(0, 2), price_trend_per_year={"host": 0.5})
    assert hosts(later, stock) == {"tower", "other"}  # year 2: 1,000 x 2.25 + 1,000 < 1,400 x 2.25 + 500


# --- which never ---


def test_a_machine_of_limited_stock_removes_no_other_but_can_be_removed() -> None:
    few = scenario(1, workloads=(HEAVY,), stock={"other": 1})
    assert two({"tower": 1001.0}, few) == {"tower", "other"}
    assert two({"other": 1001.0}, few) == {"tower"}
    batch = scenario(1, workloads=(HEAVY,), min_order={"other": 5})
    assert two({"tower": 1001.0}, batch) == {"tower", "other"}


def test_forced_and_owned_machines_and_upgrades_stay() -> None:
    wanted = scenario(1, workloads=(HEAVY,), owned=(Owned("box", "Box", "a5500", 1, 1, "tower", "good", 1, "nvme4"),))
    stock = priced([TOWER, replace(TOWER, id="other")], [GOOD], {})
    every = make_builds(wanted, stock).builds
    (loser,) = [b for b in every if b.chassis.id == "tower" and not b.owned and not b.upgrade_of]
    kept = {b.id for b in undominated(wanted, every)}
    assert loser.id not in kept
    assert {b.id for b in every if b.owned or b.upgrade_of} <= kept
    assert loser.id in {b.id for b in undominated(wanted, every, forced=[loser.id])}


def test_machines_with_other_cards_or_counts_are_never_compared() -> None:
    wanted = scenario(1, 2, 4, workloads=(HEAVY,))
    kept = undominated(wanted, make_builds(wanted, priced([TOWER], [GOOD], {})).builds)
    assert {b.cards for b in kept} == {1, 2, 4}


def test_what_is_left_out_of_the_bundled_catalog_is_beaten_by_what_stays() -> None:
    wanted = scenario(1, 2, 4, 8, workloads=(WORKLOAD,))
    every = make_builds(wanted, load_catalog()).builds
    kept = undominated(wanted, every)
    assert 0 < len(kept) < len(every)
    groups = {(b.card.id, b.cards) for b in every}
    assert {(b.card.id, b.cards) for b in kept} == groups
    for out in {b.id for b in every} - {b.id for b in kept}:
        build = next(b for b in every if b.id == out)
        assert any(
            k.card.id == build.card.id and k.cards == build.cards and k.price_net <= build.price_net
            and k.peak_wall_w <= build.peak_wall_w and k.lanes_per_card >= build.lanes_per_card
            for k in kept
        ), out  # fmt: skip


# --- the best plan stays the same ---


def drawn(seed: int) -> tuple[Scenario, Catalog]:
    rng = random.Random(seed)
    chassis = [
        case(
            f"case{i}", f"Case {i}", cpu_cores=rng.choice((4, 8, 16)), ram_gib=rng.choice((32.0, 64.0, 128.0)),
            host_idle_w=rng.choice((80.0, 100.0)), host_load_w=rng.choice((250.0, 350.0)), max_cards_2slot=2,
            lanes_by_cards={1: 16, 2: rng.choice((8, 16))},
        )
        for i in range(4)
    ]  # fmt: skip
    chassis.append(replace(chassis[0], id="twin", name="Dearer twin"))
    supplies = [psu("plain", 1600.0), psu("fine", 1600.0, efficiency_20=0.94, efficiency_50=0.96, efficiency_100=0.94)]
    items = [*(c.id for c in chassis), *(p.id for p in supplies), A5500.id, NVME.id]
    amounts = {item: float(rng.randrange(5, 30) * 1000) for item in items}
    amounts["twin"] = amounts["case0"] + 500.0
    jobs = tuple(
        replace(
            WORKLOAD, id=f"w{i}", people_at_once=rng.randrange(1, 4), runs_per_year=rng.uniform(2000.0, 30_000.0),
            dataset_bytes=rng.choice((0.0, 30.0, 90.0)) * 2.0**30, input_bytes_per_sample=rng.choice((1e5, 1e7)),
            workers=rng.randrange(0, 5), loader_ms_per_sample=rng.choice((0.0, 2.0)), sharers=rng.randrange(1, 3),
            forward_flop_per_sample=1e10, params=1e7, parameter_tensors=50,
        )
        for i in range(2)
    )  # fmt: skip
    wanted = scenario(
        1, 2, workloads=jobs, storage_needed_tb=0.0, available_hours_per_card_year=3000.0, max_nodes=4,
        staff_hours_per_node_year=10.0, staff_wage_per_hour=100.0,
        circuits=rng.choice(((), (Circuit(220.0, 10.0, 3),))), budget=rng.choice((None, 90_000.0, 150_000.0)),
    )  # fmt: skip
    return wanted, priced(chassis, supplies, amounts)


def whole(wanted: Scenario, stock: Catalog, builds: tuple[Build, ...]) -> Case:
    """A case in which nothing else is left out."""
    ways = undominated_ways(make_strategies(wanted, builds).feasible)
    able = {w.build_id for w in ways}
    base = assemble(wanted, stock, BuildSet(builds, (), ()), make_strategies(wanted, builds))
    return replace(base, builds=tuple(b for b in builds if b.id in able), ways=ways)


def levels(found: Case, objective: str) -> dict[str, float] | None:
    plan = solve_case(found, objective)
    assert plan.status in ("proven_optimal", "infeasible")
    if not plan.has_plan:
        return None
    return {s.name: s.value for s in plan.stages if s.value is not None and not s.name.endswith("_rank")}


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("objective", ["cost", "budget"])
def test_the_best_plan_of_a_drawn_market_is_as_good_with_the_beaten_machines_left_out(
    seed: int, objective: str
) -> None:
    wanted, stock = drawn(seed)
    every = make_builds(wanted, stock).builds
    kept = undominated(wanted, every)
    assert len(kept) < len(every)
    before, after = levels(whole(wanted, stock, every), objective), levels(whole(wanted, stock, kept), objective)
    assert (before is None) == (after is None)
    for name, value in (before or {}).items():
        assert after is not None and after[name] == pytest.approx(value, rel=1e-5, abs=1e-5), name
