"""Shared, checkpointed, sharded, many-machine and hired ways to run a job, from figures followed by hand."""

import math
from dataclasses import replace

import pytest
from small_cases import CARD, CHASSIS, ORIGIN, SCENARIO, WORKLOAD, build

from hwcost.build import Build
from hwcost.layouts import Layout, checkpointed_bytes, layout_memory
from hwcost.messages.rules import sentence
from hwcost.records import Link
from hwcost.rules import Breach
from hwcost.scenario import Service
from hwcost.strategies import make_strategies, undominated_ways
from hwcost.strategy import Strategy
from hwcost.ways import Way, evaluate
from hwcost.workload import Workload

MIB = 2**20
# As in the tests of plain ways: 1,600 MiB of state, 1,792 MiB of context, 500 MiB a sample, 18,423 MiB to plan with.
JOB = replace(
    WORKLOAD, params=100.0 * MIB, saved_bytes_per_sample=500.0 * MIB, largest_saved_bytes_per_sample=0.0, batch=16,
    forward_flop_per_sample=0.0, moved_bytes_per_sample=0.0, launches_per_step=1000.0, steps_per_run=300_000.0,
    workers=0,
)  # fmt: skip
LINK = Link("pcie_p2p", 4, 4, 20.0, None, None, 100.0, ORIGIN)
ETHERNET = Link("eth_10g", None, 8, 0.875, None, None, 200.0, ORIGIN)
NODE = build("node", CARD, 4, 1000.0, 1000.0, link=LINK)
BANDWIDTH = 768e6 * 0.75  # bytes a ms of the card, as training reaches


def ways(job: Workload, node: Build = NODE, feasible: bool = True) -> list[Strategy]:
    found = make_strategies(replace(SCENARIO, workloads=(job,)), [node])
    return list(found.feasible if feasible else found.excluded)


def rules(strategy: Strategy) -> list[str]:
    return [breach.rule for breach in strategy.breaches]


def shared(job: Workload, jobs: int, node: Build = NODE) -> Strategy:
    return evaluate(SCENARIO, job, node, 1, Way(sharers=jobs))


# --- several jobs on one card ---


def test_jobs_that_leave_the_card_idle_share_it_for_nothing() -> None:
    """12 ms of launches beside 1 ms of work: five of them fit into one step of 12 ms, 1.05 x 12 x 1 = 12.6 do not."""
    job = replace(JOB, batch=1, saved_bytes_per_sample=0.0, params=1e6, moved_bytes_per_sample=BANDWIDTH)
    alone = evaluate(SCENARIO, job, NODE, 1)
    assert alone.step_ms == pytest.approx(13.0)
    five = shared(job, 5)
    assert (five.kind, five.sharers, rules(five)) == ("shared", 5, [])
    assert five.step_ms == pytest.approx(13.0)
    assert five.card_hours_per_run == pytest.approx(alone.card_hours_per_run / 5)
    many = shared(replace(job, params=1e4), 10)
    assert many.step_ms == pytest.approx(13.0)  # 1.05 x 10 x 1 ms
    thirteen = evaluate(SCENARIO, replace(job, params=1e3), replace(NODE, cards=1), 1, Way(sharers=13))
    assert thirteen.step_ms == pytest.approx(1.05 * 13 * 1.0)
    assert thirteen.bound == "bandwidth"


def test_jobs_that_keep_the_card_busy_wait_for_each_other() -> None:
    job = replace(JOB, batch=1, launches_per_step=0.0, params=1e6, moved_bytes_per_sample=10 * BANDWIDTH)
    two = shared(job, 2)
    assert two.step_ms == pytest.approx(1.05 * 2 * 10.0)
    assert two.card_hours_per_run == pytest.approx(1.05 * evaluate(SCENARIO, job, NODE, 1).card_hours_per_run)


def test_each_job_on_a_card_has_its_own_context_and_state() -> None:
    """Two times 1,792 + 1,600 MiB leave 18,423 / 2 - 3,392 = 5,819.5 MiB, 11 samples: 16 take two passes of 8."""
    two = shared(JOB, 2)
    assert (two.micro_batch, two.accumulation_steps) == (8, 2)
    assert two.memory_mib == pytest.approx(2 * (1792 + 1600 + 8 * 500))
    six = shared(JOB, 6)  # 3,070.5 MiB each: less than context and state
    assert rules(six) == ["shared_memory"]
    breach = six.breaches[0]
    assert breach.values["jobs"] == 6
    assert breach.values["need_gib"] == pytest.approx(6 * (1792 + 1600 + 500) / 1024)


def test_jobs_on_a_card_need_cores_and_memory_of_the_machine() -> None:
    job = replace(JOB, workers=7, params=1e6, saved_bytes_per_sample=0.0)
    few = replace(NODE, cards=1, chassis=replace(CHASSIS, cpu_cores=23, ram_gib=1000.0))
    three = shared(job, 3, few)  # 3 x (1 + 7) cores
    assert rules(three) == ["host_cores"]
    assert three.breaches[0].values == {"jobs": 3, "need": 24, "cores": 23}
    assert rules(shared(job, 3, replace(few, chassis=replace(few.chassis, cpu_cores=24)))) == []
    lean = replace(NODE, cards=1, chassis=replace(CHASSIS, cpu_cores=64, ram_gib=32.0))
    assert rules(shared(job, 3, lean)) == ["host_memory"]  # 3 x (4 + 7) = 33 GiB
    assert rules(shared(job, 2, lean)) == []


def test_each_process_holds_its_own_data() -> None:
    """Two processes of 4 GiB with 15 GiB of data each need 38 GiB: too much for 32, and for 37.9."""
    job = replace(JOB, params=1e6, saved_bytes_per_sample=0.0, dataset_bytes=15.0 * 2**30)
    for ram, expected in ((32.0, ["host_data"]), (37.9, ["host_data"]), (38.0, [])):
        node = replace(NODE, cards=1, chassis=replace(CHASSIS, ram_gib=ram))
        assert rules(shared(job, 2, node)) == expected
    found = shared(job, 2, replace(NODE, cards=1, chassis=replace(CHASSIS, ram_gib=32.0))).breaches[0]
    assert found.values == {"need_gib": 38.0, "ram_gib": 32.0, "processes": 2, "data_gib": 15.0}


def test_sharing_is_listed_up_to_the_number_that_the_workload_allows() -> None:
    job = replace(JOB, params=1e6, saved_bytes_per_sample=0.0)
    assert {way.sharers for way in ways(job)} == {1}
    assert sorted(way.sharers for way in ways(replace(job, sharers=3)) if way.kind == "shared") == [2, 3]
    kept = undominated_ways(ways(replace(job, sharers=3, launches_per_step=0.0, moved_bytes_per_sample=BANDWIDTH)))
    assert {way.sharers for way in kept} == {1, 2, 3}  # more card-hours each, and more people at once


# --- activation checkpointing ---


def test_checkpointing_keeps_the_ends_of_segments_and_one_segment() -> None:
    assert checkpointed_bytes(100.0, 1.0, 50) == 20.0  # ten ends and a tenth
    assert checkpointed_bytes(100.0, 1.0, 4) == 4.0 + 25.0  # no more segments than layers
    assert checkpointed_bytes(100.0, 60.0, 50) == 100.0  # 60 + 100 would be more than before
    assert checkpointed_bytes(100.0, 0.0, 5) == 20.0
    for most in range(1, 30):
        best = min(n * 3.0 + 200.0 / n for n in range(1, most + 1))
        assert checkpointed_bytes(200.0, 3.0, most) == pytest.approx(min(200.0, best))


def test_checkpointing_is_offered_where_the_job_does_not_fit_without() -> None:
    """One sample of 16,000 MiB does not fit; 16 segments with ends of 62.5 MiB keep 1,000 + 1,000 MiB a sample."""
    large = replace(
        JOB, batch=2, saved_bytes_per_sample=16_000.0 * MIB, largest_saved_bytes_per_sample=62.5 * MIB,
        parameter_tensors=32, checkpointing=True, multi_card=False,
    )  # fmt: skip
    one = replace(NODE, cards=1)
    assert [rules(way) for way in ways(replace(large, checkpointing=False), one, feasible=False)] == [["memory"]]
    (kept,) = ways(large, one)
    assert (kept.kind, kept.checkpointing, kept.micro_batch, kept.accumulation_steps) == ("single", True, 2, 1)
    assert kept.memory_mib == pytest.approx(1792 + 1600 + 2 * (16 * 62.5 + 16_000 / 16) + 3.9 * 125)
    assert kept.step_ms == pytest.approx(4 / 3 * 12.0)  # launches too
    assert len(ways(large, one, feasible=False)) == 1


def test_checkpointing_is_left_out_where_it_saves_nothing() -> None:
    """Everything fits: not tried. Two passes against one of 4/3: saves launches. Busy cards: costs a third."""
    job = replace(JOB, checkpointing=True, multi_card=False, parameter_tensors=40)
    one = replace(NODE, cards=1)
    assert [way.checkpointing for way in ways(job, one)] == [False]
    more = replace(job, batch=40)  # 30 fit at a time
    plain, kept = ways(more, one)
    assert (plain.accumulation_steps, plain.step_ms) == (2, pytest.approx(24.0))
    assert (kept.checkpointing, kept.accumulation_steps, kept.step_ms) == (True, 1, pytest.approx(16.0))
    assert undominated_ways([plain, kept]) == (kept,)
    busy = replace(more, launches_per_step=0.0, moved_bytes_per_sample=BANDWIDTH)
    assert [way.checkpointing for way in ways(busy, one)] == [False]


# --- sharding ---


def test_sharding_pools_the_state_and_not_the_activations() -> None:
    """Ten blocks of 10 Mi parameters: 1,600/4 + 2 x 40 gathered + 40 of gradient; all of a sample stays on its card."""
    job = replace(JOB, parameter_tensors=120, sharding=True)
    everything = layout_memory(job, 8, Layout(4, "all"))
    assert everything.total_mib == pytest.approx(1792 + 400 + 80 + 40 + 8 * 500)
    part = layout_memory(job, 8, Layout(4, "part"))  # 4 bytes stay, 12 of 16 are shared
    assert part.total_mib == pytest.approx(1792 + 100 * (4 + 12 / 4) + 8 * 500)
    assert layout_memory(job, 8, Layout(4)).total_mib == pytest.approx(1792 + 1600 + 400 + 8 * 500)
    half = layout_memory(replace(job, precision="amp16"), 0, Layout(4, "part"))  # the 16-bit copy stays whole
    assert half.state_mib == pytest.approx(100 * (6 + 12 / 4))


def test_a_state_too_large_for_one_card_runs_sharded_alone() -> None:
    """1,950 Mi parameters are 31,200 MiB of state: 4 bytes of each whole are 7,800, a quarter of the rest 5,850.

    Sharding everything fits as well, and sends half as much again.
    """
    job = replace(
        JOB, params=1950.0 * MIB, parameter_tensors=1200, sharding=True, batch=8, saved_bytes_per_sample=MIB,
        launches_per_step=0.0, moved_bytes_per_sample=BANDWIDTH,
    )  # fmt: skip
    found = ways(job)
    assert [(way.kind, way.cards, rules(way)) for way in found] == [("sharded", 4, [])]
    way = found[0]
    assert way.memory_mib == pytest.approx(1792 + 7800 + 5850 + 2 + (1950 - 2))
    overhead = 1200 * 0.020
    sent = 2 * 3 / 4 * 1950 * MIB * 4 / 20e6 + 312 * 0.1  # 7,800 MiB in 312 buckets
    assert way.communication_ms == pytest.approx(overhead + sent)
    out = [(w.kind, w.cards, rules(w)) for w in ways(job, feasible=False)]
    assert out == [
        ("single", 1, ["memory"]),
        ("ddp", 2, ["memory"]),
        ("ddp", 4, ["memory"]),
        ("sharded", 2, ["memory"]),
    ]


def test_sharding_everything_sends_half_as_much_again_block_by_block() -> None:
    job = replace(
        JOB, params=2400.0 * MIB, parameter_tensors=1200, sharding=True, batch=8, saved_bytes_per_sample=MIB,
        launches_per_step=0.0, moved_bytes_per_sample=BANDWIDTH,
    )  # fmt: skip
    (way,) = ways(job)  # 9,600 MiB of state and blocks of 24 Mi; with whole parameters 9,600 + 7,200: too much beside
    assert way.memory_mib == pytest.approx(1792 + 9600 + 3 * 24 * 4 + 2 + 2400 - 2)
    sent = 3 * 3 / 4 * 2400 * MIB * 4 / 20e6 + 3 * 100 * 0.1
    assert way.communication_ms == pytest.approx(1200 * 0.020 + sent)


def test_sharded_ways_keep_the_rules_of_several_cards() -> None:
    job = replace(JOB, sharding=True, multi_card=False, parameter_tensors=120)
    out = [way for way in ways(job, feasible=False) if way.kind == "sharded"]
    assert [(way.cards, rules(way)) for way in out] == [(2, ["multi_card_off"]), (4, ["multi_card_off"])]


# --- several machines ---


def test_a_job_over_several_machines_rings_through_the_network() -> None:
    """Two machines of four cards: 2 x 7/8 x 400 MiB at 0.875 GB/s and 16 buckets of 200 us."""
    job = replace(JOB, multi_node=True, saved_bytes_per_sample=MIB)
    pair = replace(NODE, id="pair", cards=8, nodes_per_unit=2, network=ETHERNET)
    way = next(way for way in ways(job, pair) if way.nodes == 2)
    sent = 2 * 7 / 8 * 400 * MIB / 0.875e6 + 16 * 0.2
    assert (way.kind, way.cards, way.micro_batch) == ("ddp", 8, 2)
    assert way.communication_ms == pytest.approx(sent)
    assert way.bound == "communication"
    within = next(way for way in ways(job, pair) if way.cards == 4)
    assert within.communication_ms == pytest.approx(2 * 3 / 4 * 400 * MIB / 20e6 + 1.6)  # over its own link
    assert {way.nodes for way in ways(replace(job, multi_node=False), pair)} == {1}
    assert max(way.cards for way in ways(replace(job, multi_node=False), pair)) == 4
    bare = replace(pair, network=None)
    assert ["link"] in [rules(way) for way in ways(job, bare, feasible=False)]


def test_machines_of_one_job_read_their_own_storage() -> None:
    """Four cards read from each machine's own disk, not eight from one."""
    job = replace(
        JOB, multi_node=True, input_bytes_per_sample=100e6, dataset_bytes=1e15, batch=8, saved_bytes_per_sample=MIB
    )
    slow = replace(NODE.storage, read_mb_s=400.0)
    pair = replace(NODE, id="pair", cards=8, nodes_per_unit=2, network=ETHERNET, storage=slow)
    way = next(way for way in ways(job, pair) if way.nodes == 2)
    assert way.storage_ms == pytest.approx(4 * 100 / 400 * 1000)


# --- somebody else's machines ---

SERVICE = Service(
    "campus", "Campus", "校级平台", "campus", CARD.id, 2, 3.0, wait_hours=3.0, transfer_mb_s=100.0, storage_mb_s=50.0
)
HIRED = replace(NODE, id="campus", cards=2, service=SERVICE, parts=())


def test_waiting_and_bringing_the_data_count_against_the_deadline_alone() -> None:
    """360 GB at 100 MB/s take an hour. 300,000 steps of 12 ms are 1 h of one card."""
    job = replace(JOB, dataset_bytes=360e9, saved_bytes_per_sample=MIB)
    way = next(way for way in ways(job, HIRED) if way.cards == 1)
    assert way.wait_hours == pytest.approx(4.0)
    assert way.card_hours_per_run == way.hours_per_run == pytest.approx(1.0)
    assert 1 in {way.cards for way in ways(replace(job, max_hours_per_run=5.01), HIRED)}
    late = [way for way in ways(replace(job, max_hours_per_run=4.9), HIRED, feasible=False) if way.cards == 1]
    assert rules(late[0]) == ["deadline"]
    assert late[0].breaches[0].values["hours"] == pytest.approx(5.0)
    nearby = replace(HIRED, service=replace(SERVICE, transfer_mb_s=None))
    assert ways(job, nearby)[0].wait_hours == 3.0


def test_an_unknown_wait_promises_no_deadline() -> None:
    unknown = replace(HIRED, service=replace(SERVICE, wait_hours=None))
    assert {rules(way)[0] for way in ways(replace(JOB, max_hours_per_run=100.0), unknown, feasible=False)} == {
        "wait_unknown"
    }
    assert ways(JOB, unknown)  # without a deadline it may be used


def test_a_service_is_judged_by_its_own_storage_and_lends_whole_cards() -> None:
    job = replace(JOB, sharers=4, input_bytes_per_sample=1e6, saved_bytes_per_sample=MIB, workers=64)
    lean = replace(HIRED, chassis=replace(CHASSIS, ram_gib=1.0, cpu_cores=1))
    found = ways(job, lean)
    assert {(way.kind, way.cards) for way in found} == {("single", 1), ("ddp", 2)}
    assert next(way for way in found if way.cards == 1).storage_ms == pytest.approx(16 * 1 / 50 * 1000)
    assert {way.storage_ms for way in ways(job, replace(lean, service=replace(SERVICE, storage_mb_s=None)))} == {0.0}


# --- synchronised statistics, compiled networks ---


def test_synchronised_batch_norm_counts_the_samples_of_all_cards_and_costs_two_messages_a_layer() -> None:
    job = replace(
        JOB, batchnorm=True, batchnorm_min_batch=16, parameter_tensors=30, saved_bytes_per_sample=MIB, params=1e6
    )
    assert rules(evaluate(SCENARIO, job, NODE, 4)) == ["batchnorm"]
    together = evaluate(SCENARIO, replace(job, sync_batchnorm=True), NODE, 4)
    assert rules(together) == []
    apart = evaluate(SCENARIO, replace(job, batchnorm=False, batchnorm_min_batch=0), NODE, 4)
    assert together.communication_ms - apart.communication_ms == pytest.approx(2 * 10 * 0.1)
    accumulated = replace(JOB, batch=128, batchnorm_min_batch=100, sync_batchnorm=True)  # two passes of 16 on 4 cards
    breach = evaluate(SCENARIO, accumulated, NODE, 4).breaches[0]
    assert (breach.rule, breach.values) == ("batchnorm", {"per_card": 64, "minimum": 100})


def test_compiled_networks_launch_less_and_compute_as_much() -> None:
    job = replace(JOB, moved_bytes_per_sample=BANDWIDTH)
    plain, compiled = (evaluate(SCENARIO, replace(job, compiled=on), NODE, 1) for on in (False, True))
    assert plain.step_ms == pytest.approx(12.0 + 16.0)
    assert compiled.step_ms == pytest.approx(0.67 * 12.0 + 16.0)


def test_the_new_rules_are_said_with_their_amounts() -> None:
    cases = [
        ("shared_memory", {"jobs": 3, "need_gib": 30.04, "usable_gib": 18.0, "micro_batch": 64}, ("3", "30.0", "18.0")),
        ("host_cores", {"jobs": 3, "need": 24, "cores": 16}, ("3", "24", "16")),
        ("host_data", {"processes": 8, "data_gib": 15.0, "need_gib": 152.0, "ram_gib": 128.0}, ("8", "152", "128")),
        ("wait_unknown", {"service": "HPC", "limit_hours": 14.0}, ("HPC", "14.0")),
    ]
    for rule, values, figures in cases:
        for lang in ("en", "zh"):
            words = sentence(Breach(rule, values), lang)
            assert all(figure in words for figure in figures), words


def test_steps_of_every_way_are_finite_and_no_way_beats_the_card_hours_of_its_share() -> None:
    job = replace(JOB, sharers=3, sharding=True, checkpointing=True, parameter_tensors=60, moved_bytes_per_sample=1e8)
    for way in ways(job):
        assert math.isfinite(way.step_ms)
        assert way.step_ms > 0.0
        assert way.card_hours_per_run == pytest.approx(way.cards * way.hours_per_run / way.sharers)
