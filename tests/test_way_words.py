"""How a job runs, in words; and a shared or checkpointed way is no measure of what several cards bring."""

from __future__ import annotations

from dataclasses import replace

import pytest
from small_cases import CARD, SCENARIO, WORKLOAD, Small, build, way

from hwcost.build import Build
from hwcost.engine import solve_case
from hwcost.names import way_text
from hwcost.scenario import Service
from hwcost.sentences import answer
from hwcost.strategy import Strategy

FOUR = build("four", CARD, 4, 10_000.0, 9_000.0)
CAMPUS = replace(FOUR, service=Service("c", "Campus cluster", "校级计算平台", "campus", CARD.id, 1, 5.0))
ALONE, SPREAD = way("w", "four", 10.0), way("w", "four", 3.0, cards=4)


@pytest.mark.parametrize(
    ("found", "machine", "en", "zh"),
    [
        (ALONE, FOUR, "1 x Card 24 GB", "1 张 Card 24 GB"),
        (SPREAD, FOUR, "4 x Card 24 GB in parallel", "4 张 Card 24 GB 并行"),
        (replace(SPREAD, kind="sharded"), FOUR, "4 x Card 24 GB, sharded", "4 张 Card 24 GB 分片训练"),
        (replace(ALONE, kind="shared", sharers=2), FOUR, "2 share one Card 24 GB", "2 人共用 1 张 Card 24 GB"),
        (replace(ALONE, checkpointing=True), FOUR, "1 x Card 24 GB, with activation checkpointing",
         "1 张 Card 24 GB，启用激活检查点"),
        (replace(SPREAD, nodes=2), FOUR, "4 x Card 24 GB in parallel, over 2 machines",
         "4 张 Card 24 GB 并行，跨 2 台主机"),
        (replace(ALONE, wait_hours=24.0), CAMPUS, "Campus cluster, Card 24 GB, after about 24 h in the queue",
         "校级计算平台，Card 24 GB，排队约 24 小时"),
    ],
)  # fmt: skip
def test_a_way_is_told_in_a_few_words(found: Strategy, machine: Build, en: str, zh: str) -> None:
    assert (way_text(found, machine, "en"), way_text(found, machine, "zh")) == (en, zh)


def test_what_several_cards_bring_is_measured_against_one_job_alone_on_a_card() -> None:
    """One card 100 ms, four cards 40 ms: 2.5 times. Beside a neighbour the step takes 210 ms, which is no measure."""
    workload = replace(WORKLOAD, people_at_once=4, name="U-Net", name_zh="语义分割")
    scenario = replace(SCENARIO, workloads=(workload,), max_nodes=4)
    spread = replace(SPREAD, step_ms=40.0, hours_per_run=9.0)
    shared = replace(ALONE, kind="shared", sharers=2, step_ms=210.0, hours_per_run=20.0)
    small = Small(scenario, (FOUR,), (ALONE, spread, shared))
    text = " ".join(answer(solve_case(small.case(), "cost"), None, "en"))
    assert "2.5 times" in text and "5.3 times" not in text and "5.2 times" not in text
