"""What holds for every job and machine: more of a resource never hurts, cards never gain more than their number, memory
grows with the batch, and a gigabyte is not a gibibyte."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prediction_rows import A5500, spectralformer, ssftt, workload
from small_cases import CARD, CHASSIS, ORIGIN, SCENARIO, build

from hwcost.build import Build
from hwcost.layouts import SHARDING, Layout, layout_memory
from hwcost.memory import largest_micro_batch, limit_mib, usable_mib
from hwcost.quantities import memory_text, parse_memory
from hwcost.records import Card, Link
from hwcost.steptime import step_time
from hwcost.strategies import make_strategies
from hwcost.strategy import Strategy
from hwcost.ways import Way, evaluate
from hwcost.workload import Workload

MIB, GIB = 2**20, 2**30
LINK = Link("pcie_p2p", 4, 4, 20.0, None, None, 15.0, ORIGIN)
Key = tuple[str, int, int]


@st.composite
def jobs(draw: st.DrawFn) -> Workload:
    """Any job: launch-bound to compute-bound, kilobytes to gigabytes a sample, every permission on or off."""
    saved = draw(st.floats(1e4, 4e9))
    batch = draw(st.integers(1, 300))
    on = st.booleans()
    return workload(
        params=draw(st.floats(1e4, 3e9)), optimizer=draw(st.sampled_from(("sgd", "momentum", "adam"))),
        precision=draw(st.sampled_from(("fp32", "torch_default", "amp16"))), batch=batch,
        saved_bytes_per_sample=saved, largest_saved_bytes_per_sample=saved * draw(st.floats(0.0, 0.5)),
        moved_bytes_per_sample=10 * saved, forward_flop_per_sample=draw(st.floats(1e6, 1e13)),
        launches_per_step=draw(st.floats(0, 3000)), parameter_tensors=draw(st.integers(0, 500)),
        accumulation=draw(on), checkpointing=draw(on), sharding=draw(on), sharers=draw(st.integers(1, 3)),
        sync_batchnorm=draw(on), compiled=draw(on), batchnorm_min_batch=draw(st.sampled_from((0, 8))),
        input_bytes_per_sample=draw(st.floats(0, 1e7)), dataset_bytes=draw(st.floats(1e6, 1e12)),
        steps_per_run=1000.0, max_hours_per_run=draw(st.one_of(st.none(), st.floats(0.01, 100.0))),
    )  # fmt: skip


def node(cards: int = 4, card: Card = CARD, link: Link = LINK) -> Build:
    return build("node", card, cards, 1.0, 1.0, link=link if cards > 1 else None)


def found(job: Workload, where: Build) -> tuple[Strategy, ...]:
    return make_strategies(replace(SCENARIO, workloads=(job,)), [where]).feasible


def feasible(job: Workload, where: Build) -> dict[Key, float]:
    """Fewest hours of each kind, card count and number of sharers that is possible at all."""
    best: dict[Key, float] = {}
    for way in found(job, where):
        key = (way.kind, way.cards, way.sharers)
        best[key] = min(best.get(key, math.inf), way.hours_per_run)
    return best


def never_worse(before: dict[Key, float], after: dict[Key, float]) -> bool:
    return all(key in after and after[key] <= hours * (1 + 1e-9) for key, hours in before.items())


# --- more of a resource ---


@settings(max_examples=60, deadline=None)
@given(jobs(), st.floats(1.0, 4.0))
def test_more_memory_never_makes_a_feasible_way_infeasible(job: Workload, factor: float) -> None:
    larger = replace(CARD, memory_gib=24.0 * factor, usable_mib=24564.0 * factor)
    assert feasible(job, node()).keys() <= feasible(job, node(card=larger)).keys()


@settings(max_examples=60, deadline=None)
@given(jobs(), st.floats(1.0, 4.0))
def test_more_bandwidth_never_makes_a_feasible_way_infeasible_or_slower(job: Workload, factor: float) -> None:
    faster = replace(CARD, bandwidth_gb_s=768.0 * factor)
    assert never_worse(feasible(job, node()), feasible(job, node(card=faster)))


@settings(max_examples=60, deadline=None)
@given(jobs(), st.floats(1.0, 10.0))
def test_a_faster_link_never_makes_a_way_infeasible_or_slower(job: Workload, factor: float) -> None:
    faster = replace(LINK, bus_bandwidth_gb_s=20.0 * factor)
    assert never_worse(feasible(job, node()), feasible(job, node(link=faster)))


@settings(max_examples=60, deadline=None)
@given(jobs())
def test_a_permission_more_never_takes_a_way_away(job: Workload) -> None:
    bare = replace(job, checkpointing=False, sharding=False, sharers=1)
    assert never_worse(feasible(bare, node()), feasible(job, node()))


# --- more cards ---


@settings(max_examples=60, deadline=None)
@given(jobs())
def test_the_best_time_never_rises_with_the_cards_that_may_be_used(job: Workload) -> None:
    """Host and site as they are, data in memory: with k cards in the machine, ways of fewer are still there."""
    job = replace(job, input_bytes_per_sample=0.0, dataset_bytes=1e6)
    host = replace(CHASSIS, ram_gib=4096.0, cpu_cores=1024)
    best = []
    for cards in (1, 2, 4):
        hours = [way.hours_per_run for way in found(job, replace(node(cards), chassis=host))]
        best.append(min(hours, default=math.inf))
    assert all(more <= fewer * (1 + 1e-9) for fewer, more in pairwise(best))


@settings(max_examples=80, deadline=None)
@given(jobs(), st.sampled_from((2, 4)), st.booleans())
def test_speedup_never_exceeds_the_cards_at_the_same_batch_per_card(
    job: Workload, cards: int, checkpointing: bool
) -> None:
    """One card with batch b against N cards with batch N b: N times the samples in no less time, so S <= N."""
    job = replace(job, max_hours_per_run=None)
    one = evaluate(SCENARIO, job, node(), 1, Way(checkpointing=checkpointing))
    together = replace(job, batch=cards * job.batch)
    many = evaluate(SCENARIO, together, node(), cards, Way(cards, checkpointing=checkpointing))
    if (one.micro_batch, one.accumulation_steps) == (many.micro_batch, many.accumulation_steps):
        assert cards * one.step_ms / many.step_ms <= cards * (1 + 1e-9)


@settings(max_examples=60, deadline=None)
@given(jobs(), st.integers(2, 4))
def test_jobs_that_share_a_card_never_do_more_than_one_after_the_other_without_launches(
    job: Workload, sharers: int
) -> None:
    """A card computes for one at a time, and switching costs: n jobs take at least n times its work of one."""
    alone = step_time(job, CARD, 1)
    way = evaluate(SCENARIO, replace(job, batch=1), node(1), 1, Way(sharers=sharers))
    assert way.step_ms >= sharers * alone.busy_ms
    assert way.step_ms >= alone.card_ms


# --- memory ---


@settings(max_examples=100, deadline=None)
@given(
    jobs(),
    st.integers(1, 500),
    st.integers(1, 500),
    st.sampled_from((1, 2, 4)),
    st.sampled_from(SHARDING),
    st.booleans(),
)
def test_memory_grows_with_the_batch_in_every_layout(
    job: Workload, a: int, b: int, cards: int, sharding: str, checkpointing: bool
) -> None:
    layout = Layout(cards, sharding if cards > 1 else "none", checkpointing)
    small, large = (layout_memory(job, batch, layout).total_mib for batch in sorted((a, b)))
    assert small <= large * (1 + 1e-12)


@settings(max_examples=100, deadline=None)
@given(jobs(), st.integers(1, 300))
def test_checkpointing_and_sharding_never_need_more_than_keeping_everything(job: Workload, batch: int) -> None:
    plain = layout_memory(job, batch, Layout(4)).total_mib
    assert layout_memory(job, batch, Layout(4, checkpointing=True)).total_mib <= plain * (1 + 1e-12)
    assert layout_memory(job, batch, Layout(4, "part")).total_mib <= plain * (1 + 1e-12)


# --- units ---


def test_a_card_of_24_gb_holds_gibibytes() -> None:
    """24 GB on a box are 24 x 2^30 bytes, 24,576 MiB; 24e9 bytes would be 22,888 MiB."""
    assert parse_memory("24 GB") == parse_memory("24 GiB") == 24.0
    assert parse_memory("24576 MiB") == 24.0
    assert memory_text(24 * 1024, "en") == "24 GiB"
    card = replace(CARD, usable_mib=None, ecc="none", memory_gib=24.0)
    assert usable_mib(card) == pytest.approx(24 * 1024 * 0.99)
    assert usable_mib(card) > 24e9 / MIB


def test_a_gigabyte_taken_for_a_gibibyte_would_change_what_fits() -> None:
    """512 MiB a sample: (18,247.7 - 1,792) / 512 = 32.1 fit on 24 GiB; on 24e9 bytes (16,994 MiB) only 29 would."""
    card = replace(CARD, usable_mib=None, ecc="none")
    job = workload(params=1.0, saved_bytes_per_sample=512.0 * MIB, largest_saved_bytes_per_sample=0.0, optimizer="sgd")
    assert limit_mib(card, 0.25) == pytest.approx(18_247.68)
    assert largest_micro_batch(job, card, 0.25, 100) == 32


def test_memory_of_the_host_is_in_gibibytes_and_speeds_are_in_gigabytes() -> None:
    """0.6 x 100 GiB hold 60 x 2^30 bytes exactly; 100 MB/s read 1e8 bytes a second."""
    held = ssftt(dataset_bytes=60.0 * GIB, input_bytes_per_sample=1e6)
    assert step_time(held, A5500, 64, storage_mb_s=100.0, host_ram_gib=100.0).storage_ms == 0.0
    assert step_time(held, A5500, 64, storage_mb_s=100.0, host_ram_gib=99.99).storage_ms == pytest.approx(640.0)


# --- the three networks at batch 64 on an A5500 ---


def times(job: Workload, **faster: float) -> float:
    """Time on a card with some rates raised, over the time on the A5500."""
    return step_time(job, replace(A5500, **faster), 64).total_ms / step_time(job, A5500, 64).total_ms


def test_a_faster_card_helps_each_network_by_what_binds_it() -> None:
    """SSFTT: 1.10 ms of launches and 0.30 of work. SpectralFormer: 3.0 and 8.1 of bandwidth. HybridSN: 0.5 and 5.6."""
    bandwidth, rate = {"bandwidth_gb_s": 7680.0}, {"fp32_tflops": 341.0}
    both = {**bandwidth, **rate}
    assert times(ssftt(), **both) == pytest.approx(
        (1.104 + 0.030) / (1.104 + 0.30), abs=0.01
    )  # ten times: a fifth less
    assert times(ssftt(), **bandwidth) > 0.79 and times(ssftt(), **rate) > 0.79
    assert times(spectralformer(), **bandwidth) == pytest.approx((3.0 + 1.33) / (3.0 + 8.1), abs=0.02)  # then compute
    assert times(spectralformer(), **rate) == 1.0
    assert times(workload(), **rate) == pytest.approx((0.5 + 2.2) / (0.5 + 5.6), abs=0.02)  # then bandwidth
    assert times(workload(), **bandwidth) == 1.0
