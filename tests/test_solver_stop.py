"""Ctrl-C during a solve keeps what is found; CBC gives the same answers as HiGHS."""

from __future__ import annotations

import os
import random
import signal
import threading
from typing import Any

import pytest
from small_cases import small
from years_cases import mixture

from hwcost import climb, solver
from hwcost.engine import solve_case
from hwcost.errors import SolverError


def knapsacks(items: int = 60, rows: int = 30) -> tuple[Any, Any]:
    """A problem that takes HiGHS minutes: many knapsacks over the same items."""
    rng = random.Random(1)
    problem = solver.new_problem("knapsacks")
    chosen = [problem.add_variable(f"v{i:03d}", 0, 1, cat="Integer") for i in range(items)]
    for row in range(rows):
        weights = [rng.randint(1, 1000) for _ in chosen]
        limit = sum(weights) // 2
        problem.addConstraint(solver.total(w * x for w, x in zip(weights, chosen, strict=True)) <= limit, f"r{row}")
    return problem, solver.total(-rng.randint(500, 1000) * x for x in chosen)


def press_in(seconds: float) -> threading.Timer:
    timer = threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    return timer


def test_ctrl_c_ends_a_solve_with_the_best_found_so_far() -> None:
    problem, objective = knapsacks()
    before = signal.getsignal(signal.SIGINT)
    timer = press_in(0.5)
    answer = solver.minimise(problem, objective, time_limit_s=60.0)
    timer.join()
    assert (answer.status, answer.stopped) == ("best_found", True)
    assert answer.seconds < 30.0
    assert answer.gap is not None and answer.gap > solver.PROVEN_GAP
    assert signal.getsignal(signal.SIGINT) is before


def test_a_stopped_level_ends_the_climb_with_a_plan_that_is_not_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    case = small(3).case()
    whole = solve_case(case, "serve")
    assert whole.status == "proven_optimal"
    asked: list[int] = []
    honest = solver.minimise

    def stops(problem: Any, objective: Any, **more: Any) -> solver.Answer:
        asked.append(1)
        answer = honest(problem, objective, **more)
        if len(asked) != 1:
            return answer
        return solver.Answer("best_found", answer.objective, None, 0.5, answer.seconds, stopped=True)

    monkeypatch.setattr(climb.solver, "minimise", stops)
    plan = solve_case(case, "serve")
    assert plan.status == "best_found"
    assert len(plan.stages) < len(whole.stages)
    assert not [c for c in plan.checks if c.hard and not c.ok]


def test_ctrl_c_before_any_plan_is_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = solver.Answer("none", None, None, None, 0.1, stopped=True)
    monkeypatch.setattr(climb.solver, "minimise", lambda *_, **__: nothing)
    with pytest.raises(KeyboardInterrupt):
        solve_case(small(3).case(), "serve")


@pytest.mark.parametrize("seed", range(6))
def test_cbc_agrees_where_there_is_one_and_is_asked_for_where_there_is_none(seed: int) -> None:
    for case in (small(seed).case(), mixture(seed).case()):
        if not solver.cbc_available():  # newer PuLP brings none along
            with pytest.raises(SolverError, match="CBC"):
                solve_case(case, "cost", with_solver="cbc")
            continue
        ours, theirs = (solve_case(case, "cost", with_solver=name, ranked=False) for name in solver.SOLVERS)
        assert ours.has_plan == theirs.has_plan
        if ours.has_plan:
            assert theirs.totals.present_value == pytest.approx(ours.totals.present_value, rel=1e-5, abs=0.05)
