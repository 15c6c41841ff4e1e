"""The meeting of a group that owns two RTX 3090: keep them, add a disk, use the campus cluster, think again later."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hwcost.case import prepare
from hwcost.catalog import load_catalog
from hwcost.engine import solve_case
from hwcost.plan import Plan
from hwcost.scenario_io import load_scenario
from hwcost.sentences import answer

TILES, LARGE = "unet-tiles", "unet-batch-32"


@pytest.fixture(scope="module")
def plan() -> Iterator[Plan]:
    catalog = load_catalog()
    scenario = load_scenario("owned-3090s", catalog)
    yield solve_case(prepare(scenario, catalog), scenario.objective)


def test_the_machine_stays_and_gets_a_disk_and_no_card_is_bought(plan: Plan) -> None:
    assert plan.status == "proven_optimal" and not plan.falls_short
    (purchase,) = plan.bought
    assert purchase.build.upgrade_of == "owned:lab-box" and purchase.build.upgrade == "nvme"
    assert {part.role for part in purchase.build.parts} == {"storage"}
    assert purchase.build.card.id == "rtx-3090" and purchase.build.cards == 2


def test_the_disk_is_what_the_afternoon_needs(plan: Plan) -> None:
    """7,500 steps that read 8 tiles of 512 x 512 x 200 x 2 bytes: two readers on 500 MB/s need 7 hours, not 4."""
    step_bytes = 8 * 512 * 512 * 200 * 2
    reading_h = 7500 * step_bytes / (500e6 / 2) / 3600
    assert reading_h == pytest.approx(6.99, abs=0.01)
    old = [
        s for s in plan.case.strategies.excluded if (s.workload_id, s.build_id, s.cards) == (TILES, "owned:lab-box", 1)
    ]
    assert old and {b.rule for s in old for b in s.breaches} == {"deadline"}
    assert min(s.hours_per_run for s in old) == pytest.approx(reading_h, rel=0.02)
    (way,) = {a.strategy for a in plan.assignments if a.strategy.workload_id == TILES}
    assert way.hours_per_run < 4


def test_the_batch_that_no_card_at_home_holds_goes_to_the_cluster(plan: Plan) -> None:
    ways = {a.strategy.build_id for a in plan.assignments if a.strategy.workload_id == LARGE}
    assert len(ways) == 1 and plan.case.build_by_id[ways.pop()].service is not None
    (price,) = {s.price_per_card_hour for s in plan.case.scenario.services}
    hours = sum(a.card_hours for a in plan.assignments if a.strategy.workload_id == LARGE)
    paid = sum(line.amount for line in plan.cost_lines if line.category == "campus")
    assert paid == pytest.approx(hours * price, abs=0.01)
    assert {line.fund for line in plan.cost_lines if line.category == "campus"} == {"running"}


def test_the_words_say_all_three_and_when_to_think_again(plan: Plan) -> None:
    english, chinese = (" ".join(answer(plan, None, lang)) for lang in ("en", "zh"))
    for text in (
        "NVMe SSD 4 TB",
        "no new machine is needed",
        "Campus cluster, 80 GB cards",
        "Review when the work exceeds 14,000",
    ):
        assert text in english
    for text in ("加装 NVMe", "无须新购整机", "校级计算平台", "超过 14,000 卡时后再议"):
        assert text in chinese
