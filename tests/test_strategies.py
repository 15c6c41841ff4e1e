"""Ways to run a job: micro-batches, hours and broken rules, from figures that can be followed by hand."""

from dataclasses import replace

import pytest
from small_cases import CARD, CHASSIS, ORIGIN, SCENARIO, WORKLOAD, Small, build, way

from hwcost.build import Build
from hwcost.records import Link
from hwcost.scenario import Circuit, Scenario
from hwcost.strategies import evaluate, make_strategies, undominated_ways
from hwcost.strategy import Strategy
from hwcost.workload import Workload

MIB = 2**20

# 100 Mi parameters with Adam at fp32: 16 bytes each are 1,600 MiB; 1,792 MiB of context; 500 MiB a sample.
# A card of 24,564 MiB plans with three quarters, 18,423 MiB, so (18,423 - 3,392) / 500 = 30 samples fit.
JOB = replace(
    WORKLOAD, params=100.0 * MIB, saved_bytes_per_sample=500.0 * MIB, largest_saved_bytes_per_sample=0.0, batch=128,
    forward_flop_per_sample=0.0, moved_bytes_per_sample=0.0, launches_per_step=100.0, steps_per_run=300_000.0,
)  # fmt: skip
LINK = Link("pcie_p2p", 4, 4, 20.0, None, None, 100.0, ORIGIN)
NODE = build("node", CARD, 4, 1000.0, 1000.0, link=LINK)


def one(
    job: Workload = JOB, cards: int = 1, node: Build = NODE, scenario: Scenario = SCENARIO, **changes: object
) -> Strategy:
    return evaluate(scenario, replace(job, **changes), node, cards)


def rules(strategy: Strategy) -> list[str]:
    return [breach.rule for breach in strategy.breaches]


@pytest.mark.parametrize(
    ("batch", "cards", "steps", "micro"),
    [
        (1, 1, 1, 1),
        (30, 1, 1, 30),  # exactly what fits
        (31, 1, 2, 16),  # two halves, not 30 and 1
        (128, 1, 5, 26),  # ceil(128 / 30) = 5 passes of 26
        (128, 2, 3, 22),  # a gradient copy of 400 MiB leaves 29: ceil(64 / 29) = 3 passes of 22
        (128, 4, 2, 16),
        (116, 4, 1, 29),  # 29 a card: one pass
        (120, 4, 2, 15),  # 30 a card no longer fit beside the copy
    ],
)
def test_a_batch_that_does_not_fit_is_run_in_equal_passes(batch: int, cards: int, steps: int, micro: int) -> None:
    strategy = one(batch=batch, cards=cards)
    assert (strategy.accumulation_steps, strategy.micro_batch, rules(strategy)) == (steps, micro, [])
    assert strategy.kind == ("single" if cards == 1 else "ddp")
    copy = 0 if cards == 1 else 400
    adam = max(0, 400 - 500 * micro)
    assert strategy.memory_mib == pytest.approx(1792 + 1600 + copy + 500 * micro + adam)


def test_several_cards_never_pool_their_memory() -> None:
    """A job whose one sample does not fit on a card does not fit on four of them either."""
    large = replace(JOB, batch=4, saved_bytes_per_sample=16_000.0 * MIB)  # 3,392 + 16,000 > 18,423
    for cards in (1, 2, 4):
        assert rules(one(large, cards)) == ["memory"]


def test_hours_are_start_up_and_steps_times_passes() -> None:
    strategy = one(startup_s=1800.0)
    assert strategy.step_ms == pytest.approx(5 * 100 * 0.012)  # five passes of 100 launches of 12 us
    assert strategy.hours_per_run == pytest.approx(0.5 + 300_000 * 6.0 / 3_600_000)
    assert (strategy.bound, strategy.communication_ms) == ("launches", 0.0)
    assert strategy.card_hours_per_run == strategy.hours_per_run


def test_gradients_travel_once_per_step_however_many_passes() -> None:
    strategy = one(cards=4)
    volume = 2 * 3 / 4 * 100 * MIB * 4  # bytes
    sent = volume / 20e6 + 16 * 0.1  # 400 MiB in 16 buckets of 25 MiB, 100 us each
    assert strategy.communication_ms == pytest.approx(sent)
    assert strategy.step_ms == pytest.approx(2 * 1.2 + sent)
    assert strategy.bound == "communication"
    assert strategy.card_hours_per_run == pytest.approx(4 * strategy.hours_per_run)


def test_without_accumulation_the_whole_batch_must_fit() -> None:
    strategy = one(accumulation=False)
    assert (strategy.micro_batch, strategy.accumulation_steps) == (128, 1)
    assert rules(strategy) == ["memory", "accumulation_off"]
    memory, off = strategy.breaches
    assert memory.values["need_gib"] == pytest.approx((3392 + 128 * 500) / 1024)
    assert memory.values["usable_gib"] == pytest.approx(0.75 * 24564 / 1024)
    assert off.values == {"micro_batch": 30, "batch": 128}
    assert rules(one(accumulation=False, batch=30)) == []


def test_batch_statistics_need_large_passes_on_every_card() -> None:
    """Neither passes of 26 nor 16 samples a card give the statistics of 32, and a batch of 8 is never asked for 32."""
    normed = replace(JOB, batchnorm=True, batchnorm_min_batch=32)
    for cards, per_card in ((1, 26), (4, 16)):
        strategy = one(normed, cards)
        assert rules(strategy) == ["batchnorm"]
        assert strategy.breaches[0].values == {"per_card": per_card, "minimum": 32}
    assert rules(one(normed, batchnorm_min_batch=26)) == []
    assert rules(one(normed, batch=8)) == []
    assert rules(one(normed, 4, batch=8)) == ["batchnorm"]  # two samples a card


def test_a_deadline_is_kept_to_the_hour_and_says_by_how_much_it_is_missed() -> None:
    hours = 300_000 * 6.0 / 3_600_000  # 0.5
    assert rules(one(max_hours_per_run=hours)) == []
    late = one(max_hours_per_run=0.4)
    assert rules(late) == ["deadline"]
    assert late.breaches[0].values == {"hours": pytest.approx(0.5), "limit_hours": 0.4}


def test_ecc_takes_its_sixteenth_and_a_card_without_it_is_out() -> None:
    """24,564 MiB were read with ECC off: 23,028.75 are left, 17,271.6 planned, 27 samples, ceil(128 / 27) = 5."""
    kept = one(ecc_required=True, batch=28)
    assert (kept.accumulation_steps, kept.micro_batch, rules(kept)) == (2, 14, [])
    assert one(batch=28).accumulation_steps == 1
    for ecc in ("none", None):
        bare = replace(NODE, card=replace(CARD, ecc=ecc))
        assert rules(one(node=bare, ecc_required=True)) == ["ecc"]
        assert rules(one(node=bare)) == []
    limit = one(ecc_required=True, accumulation=False).breaches[0].values["usable_gib"]
    assert limit == pytest.approx(0.75 * 24564 * 15 / 16 / 1024)


def test_rules_of_precision_software_cards_and_host() -> None:
    assert rules(one(node=replace(NODE, card=replace(CARD, bf16=False)), precision="bf16")) == ["precision"]
    assert rules(one(node=replace(NODE, card=replace(CARD, bf16=False)), precision="amp16")) == []
    assert rules(one(node=replace(NODE, card=replace(CARD, pytorch_current=False)))) == ["software"]
    assert rules(one(multi_card=False)) == []
    assert rules(one(multi_card=False, cards=2)) == ["multi_card_off"]
    assert rules(one(batch=3, cards=4)) == ["batch_too_small"]
    small = replace(NODE, chassis=replace(CHASSIS, ram_gib=31.0))
    breach = one(cards=4, node=small).breaches[0]  # four processes of 4 GiB with four workers of 1 GiB each
    assert (breach.rule, breach.values) == ("host_memory", {"need_gib": 32.0, "ram_gib": 31.0})
    assert rules(one(cards=4, node=replace(NODE, chassis=replace(CHASSIS, ram_gib=32.0)))) == []


def test_every_broken_rule_is_kept_not_only_the_first() -> None:
    worst = replace(
        JOB, batch=2, accumulation=False, multi_card=False, ecc_required=True, precision="bf16", batchnorm=True,
        batchnorm_min_batch=16, max_hours_per_run=0.001, saved_bytes_per_sample=40_000.0 * MIB, workers=64,
    )  # fmt: skip
    card = replace(CARD, ecc="none", bf16=False, pytorch_current=False)
    strategy = one(worst, 4, replace(NODE, card=card))
    assert sorted(rules(strategy)) == sorted(
        ["memory", "deadline", "ecc", "precision", "software", "batchnorm", "multi_card_off", "batch_too_small",
         "host_memory"]
    )  # fmt: skip
    assert not strategy.feasible


def test_every_way_is_listed_as_feasible_or_with_its_reasons() -> None:
    jobs = (JOB, replace(JOB, id="v", multi_card=False))
    found = make_strategies(replace(SCENARIO, workloads=jobs), [NODE, replace(NODE, id="two", cards=2)])
    every = {(w, b, k) for w in ("w", "v") for b, most in (("node", 4), ("two", 2)) for k in (1, 2, 4) if k <= most}
    listed = [(s.workload_id, s.build_id, s.cards) for s in (*found.feasible, *found.excluded)]
    assert (set(listed), len(listed)) == (every, len(every))
    assert {(s.workload_id, s.cards) for s in found.excluded} == {("v", 2), ("v", 4)}


def test_a_quoted_machine_with_less_memory_is_judged_by_its_own_memory() -> None:
    """Two nodes of one chassis, one of them quoted with 31 GiB, where four cards at work need 32."""
    lean = replace(NODE, id="quoted", chassis=replace(CHASSIS, ram_gib=31.0))
    found = make_strategies(replace(SCENARIO, workloads=(JOB,)), [NODE, lean])
    assert {s.build_id for s in found.excluded} == {"quoted"}
    assert {s.cards for s in found.excluded} == {1, 2, 4}  # in a busy week all four cards work, whatever one job takes


def test_nodes_that_differ_in_their_link_run_at_their_own_speed() -> None:
    slow = replace(NODE, id="slow", link=replace(LINK, bus_bandwidth_gb_s=5.0))
    found = make_strategies(replace(SCENARIO, workloads=(JOB,)), [NODE, slow])
    sent = {s.build_id: s.communication_ms for s in found.feasible if s.cards == 4}
    assert sent["slow"] - 1.6 == pytest.approx(4 * (sent["node"] - 1.6))


def test_more_cards_at_no_fewer_card_hours_are_left_out() -> None:
    ways = (
        way("w", "a", 10.0),
        way("w", "a", 5.0, 2),
        way("w", "a", 2.4, 4),
        way("w", "b", 5.0, 2),
        way("v", "a", 9.0),
    )
    kept = {(w.workload_id, w.build_id, w.cards) for w in undominated_ways(ways)}
    assert kept == {("w", "a", 1), ("w", "a", 4), ("w", "b", 2), ("v", "a", 1)}


PLAIN = build("m", CARD, 1, 1000.0, 1000.0)


@pytest.mark.parametrize(
    ("other", "hours", "left"),
    [
        (replace(PLAIN, id="n"), 5.0, {"m"}),  # equal: the lower id stays
        (replace(PLAIN, id="a"), 5.0, {"a"}),
        (build("a", CARD, 1, 1000.0, 1001.0), 5.0, {"m"}),  # dearer
        (replace(PLAIN, id="a"), 5.1, {"m"}),  # slower
        (build("a", CARD, 1, 1000.0, 999.0), 5.1, {"a", "m"}),  # cheaper and slower
        (replace(PLAIN, id="a", idle_wall_w=121.0), 5.0, {"m"}),
        (replace(PLAIN, id="a", busy_extra_wall_w_per_card=221.0), 5.0, {"m"}),
        (build("a", replace(CARD, id="other"), 1, 2000.0, 2000.0), 9.0, {"a", "m"}),  # another card is a choice
        (build("a", CARD, 2, 1000.0, 1000.0), 5.0, {"a", "m"}),
        (replace(PLAIN, id="a", parts=(), owned_count=1), 9.0, {"a", "m"}),  # owned machines always stay
    ],
)
def test_a_node_that_another_beats_in_everything_is_left_out(other: Build, hours: float, left: set[str]) -> None:
    case = Small(SCENARIO, (PLAIN, other), (way("w", "m", 5.0), way("w", other.id, hours))).case()
    assert {b.id for b in case.builds} == left
    assert {w.build_id for w in case.ways} == left


def test_watts_and_rack_units_keep_a_node_only_where_the_site_limits_them() -> None:
    modest = replace(PLAIN, id="n", peak_wall_w=500.0, chassis=replace(CHASSIS, rack_units=2))
    tall = replace(PLAIN, chassis=replace(CHASSIS, rack_units=4))  # lower id, cheaper by a yuan, more of both
    modest = replace(modest, parts=build("n", CARD, 1, 1000.0, 1001.0).parts)
    ways = (way("w", "m", 5.0), way("w", "n", 5.0))
    for limits, left in (
        ({}, {"m"}), ({"rack_units": 8}, {"m", "n"}), ({"circuits": (Circuit(220.0, 10.0, 1),)}, {"m", "n"}),
    ):  # fmt: skip
        case = Small(replace(SCENARIO, **limits), (tall, modest), ways).case()
        assert {b.id for b in case.builds} == left


def test_a_node_that_runs_nothing_is_left_out() -> None:
    case = Small(SCENARIO, (PLAIN, build("a", CARD, 1, 1.0, 1.0)), (way("w", "m", 5.0),)).case()
    assert [b.id for b in case.builds] == ["m"]


def test_cards_of_one_node_share_its_storage_and_its_cores() -> None:
    """Four cards read 100 MiB each from 400 MB/s: 4 x 104.8576 MB / 400 MB/s = 1,048.576 ms a step for any of them."""
    job = replace(
        JOB, input_bytes_per_sample=100.0 * MIB, batch=1, dataset_bytes=1e15, multi_card=False, loader_ms_per_sample=0.0
    )
    node = replace(NODE, storage=replace(NODE.storage, read_mb_s=400.0))
    assert one(job, 1, node).storage_ms == pytest.approx(4 * 104.8576 / 400.0 * 1000.0)


def test_data_of_other_work_takes_its_place_in_memory() -> None:
    """0.6 x 256 GiB = 153.6 GiB hold one data set of 100 GiB, not two."""
    job = replace(JOB, input_bytes_per_sample=MIB, dataset_bytes=100.0 * 2**30)
    node = replace(NODE, chassis=replace(CHASSIS, ram_gib=256.0), storage=replace(NODE.storage, read_mb_s=100.0))
    alone = make_strategies(replace(SCENARIO, workloads=(job,)), [node])
    both = make_strategies(replace(SCENARIO, workloads=(job, replace(job, id="other"))), [node])
    assert {s.storage_ms for s in (*alone.feasible, *alone.excluded)} == {0.0}
    assert all(s.storage_ms > 0.0 for s in (*both.feasible, *both.excluded))
