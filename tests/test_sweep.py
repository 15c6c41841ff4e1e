"""Wins and regrets equal what can be worked out by hand, whatever the order of rows and the number of workers."""

from __future__ import annotations

import contextlib
import importlib.util
import signal
from dataclasses import replace

import pytest
from small_cases import CARD, SCENARIO, WORKLOAD, Small, build, small, way

from hwcost import pool, sweep, whatif
from hwcost.engine import solve_case
from hwcost.options import compare
from hwcost.sweep import State, StateResult

ONE = replace(CARD, id="one", name="One", memory_gib=48.0, segment="workstation")
TWO = replace(CARD, id="two", name="Two", memory_gib=24.0, segment="consumer")


def rivals() -> Small:
    """A large card for 10,000 and a consumer card for 9,000 whose energy costs more; both do the one job."""
    scenario = replace(
        SCENARIO, tax_rate=0.0, tariff_per_kwh=1.0, on_hours_per_year=1000.0, max_nodes=3, objective="cost",
        workloads=(replace(WORKLOAD, people_at_once=1, runs_per_year=10.0),),
    )  # fmt: skip
    calm = {"idle_wall_w": 100.0, "busy_extra_wall_w_per_card": 0.0}
    hungry = {"idle_wall_w": 500.0, "busy_extra_wall_w_per_card": 0.0}
    builds = (build("n1", ONE, 1, 10_000.0, 0.0, **calm), build("n2", TWO, 1, 9_000.0, 0.0, **hungry))
    return Small(scenario, builds, (way("w", "n1", 1.0), way("w", "n2", 1.0)))


def costs(prices_one: float, tariff: float) -> tuple[float, float]:
    """Three years of 1,000 h at 0.1 and 0.5 kW beside the price."""
    return 10_000.0 * prices_one + 300.0 * tariff, 9_000.0 + 1_500.0 * tariff


def test_costs_wins_and_regrets_are_those_worked_out_by_hand() -> None:
    case = rivals().case()
    best = solve_case(case, "cost")
    given = [
        State("listed"), State("listed", tariff=0.5), State("listed", tariff=3.0),
        State("listed", items=(("one", 1.2),), tariff=1.0),
    ]  # fmt: skip
    found = sweep.sweep(best, compare(case, "cost", best=best), given)
    by_id = {s.contestant.id: s for s in found.scores}
    expected = [costs(1.0, 1.0), costs(1.0, 0.5), costs(1.0, 3.0), costs(1.2, 1.0)]
    assert [tuple(r.costs) for r in found.results] == [pytest.approx(e) for e in expected]
    # 10,300 / 10,500, 10,150 / 9,750, 10,900 / 13,500, 12,300 / 10,500
    assert by_id["one_large"].wins == 2 and by_id["desktops_one_consumer"].wins == 2
    assert by_id["one_large"].worst_regret == pytest.approx(1_800.0)
    assert by_id["desktops_one_consumer"].worst_regret == pytest.approx(2_600.0)
    assert by_id["desktops_one_consumer"].mean_regret == pytest.approx((200.0 + 2_600.0) / 4)
    assert [r.yardstick for r in found.results] == pytest.approx([min(e) for e in expected])
    assert found.proven_share == 1.0


def test_a_state_that_the_purchase_cannot_do_is_reported_and_not_numbered() -> None:
    case = rivals().case()
    best = solve_case(case, "cost")
    found = sweep.sweep(best, compare(case, "cost", best=best), [State("listed"), State("listed", demand=10_000.0)])
    assert [s.infeasible for s in found.scores] == [1, 1]  # 100,000 hours a year do not fit on one card
    assert found.none == 1 and found.results[1].costs == (None, None)
    assert all(s.worst_regret is not None and s.worst_regret < 300.0 for s in found.scores)


def test_who_never_does_the_work_has_no_regret() -> None:
    player = sweep.Contestant("one_large", "A", ())
    (score,) = sweep.scores([player], [StateResult(State("draw"), (None,), 1.0, True)])
    assert (score.wins, score.infeasible, score.worst_regret, score.mean_regret) == (0, 1, None, None)


def test_equal_costs_win_together() -> None:
    players = [sweep.Contestant("a", "A", ()), sweep.Contestant("b", "B", ())]
    first, second = sweep.scores(players, [StateResult(State("draw"), (100.0, 100.0), 100.0, True)])
    assert (first.wins, second.wins) == (1, 1) and first.worst_regret == 0.0


def test_draws_depend_on_the_seed_alone_and_not_on_the_order_of_rows() -> None:
    given = small(3)
    turned = replace(given, builds=given.builds[::-1], ways=given.ways[::-1])
    assert sweep.states(given.case(), draws=5, seed=7) == sweep.states(turned.case(), draws=5, seed=7)
    assert sweep.states(given.case(), draws=5, seed=7) != sweep.states(given.case(), draws=5, seed=8)
    for state in sweep.states(given.case(), draws=20)[-20:]:
        assert all(abs(f - 1.0) <= sweep.PRICE_BANDS["quote"] for _, f in state.items)  # all are quotations here
        assert abs(state.demand - 1.0) <= sweep.DEMAND_BAND


def test_the_same_result_for_one_worker_and_two() -> None:
    case = rivals().case()
    best = solve_case(case, "cost")
    comparison = compare(case, "cost", best=best)
    given = sweep.states(case, draws=3)[-5:]
    alone = sweep.sweep(best, comparison, given, workers=1)
    together = sweep.sweep(best, comparison, given, workers=2)
    assert alone == together


@pytest.mark.parametrize("seed", range(8))
def test_a_fixed_purchase_never_costs_less_than_the_best_plan(seed: int) -> None:
    case = small(seed).case()
    best = solve_case(case, "serve")
    found = sweep.sweep(best, compare(case, "serve", best=best), sweep.states(case, draws=2)[-4:])
    for result in found.results:
        done = [c for c in result.costs if c is not None]
        if done:
            assert result.yardstick is not None
            assert min(done) >= result.yardstick - whatif.tolerance(result.yardstick, money=True)


def test_a_longer_step_shifts_the_deadline() -> None:
    given = rivals()
    workload = replace(given.scenario.workloads[0], max_hours_per_run=1.5)
    case = replace(given, scenario=replace(given.scenario, workloads=(workload,))).case()
    assert len(sweep.timed(case, 1.4).feasible) == 2 and sweep.timed(case, 1.6).feasible == ()
    assert [w.hours_per_run for w in sweep.timed(case, 1.4).feasible] == pytest.approx([1.4, 1.4])


# --- the pool -----------------------------------------------------------------------------------------------------


def triple(context: int, job: int) -> int:
    return context * job


def interrupted(context: int, job: int) -> int:
    if job == context:
        raise KeyboardInterrupt
    return job


def test_results_come_in_the_order_of_the_jobs() -> None:
    assert pool.run(triple, 3, [1, 2, 3], workers=1).results == (3, 6, 9)
    assert pool.run(triple, 3, [1, 2, 3], workers=2).results == (3, 6, 9)


def test_an_interrupt_keeps_what_is_done() -> None:
    found = pool.run(interrupted, 3, [1, 2, 3, 4], workers=1)
    assert found.stopped and found.results == (1, 2, None, None) and found.done == (1, 2)


def swallowed(context: int, job: int) -> int:
    """What a solver does that takes Ctrl-C for the end of its own search."""
    if job == context:
        with contextlib.suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    return job


def test_an_interrupt_that_ends_a_solve_ends_the_sweep_too() -> None:
    found = pool.run(swallowed, 3, [1, 2, 3, 4], workers=1)
    assert found.stopped and found.results == (1, 2, None, None)


def test_progress_counts_to_the_end() -> None:
    told: list[tuple[int, int]] = []
    pool.run(triple, 1, [5, 6, 7], workers=2, on_done=lambda done, count: told.append((done, count)))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_the_same_tasks_run_on_a_dask_cluster() -> None:
    assert importlib.util.find_spec("distributed") is not None, "the test extra installs distributed"
    from distributed import LocalCluster

    case = rivals().case()
    best = solve_case(case, "cost")
    comparison = compare(case, "cost", best=best)
    given = sweep.states(case, draws=1)[-3:]
    with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster:
        there = sweep.sweep(best, comparison, given, dask=cluster.scheduler_address)
    assert there == sweep.sweep(best, comparison, given)
