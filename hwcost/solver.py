"""The one place that calls a solver: PuLP with HiGHS in this process, or with CBC for a second opinion.

What the callers need to know stands in `Answer.status`, never in a library's own code:

    proven      optimal within the tolerance          best_found   feasible, the proof is missing
    infeasible  no solution exists                    none         nothing found before the time limit
    unbounded   a defect of the model                 error        a defect of the solver

Values may be read only after `proven` and `best_found`; PuLP leaves numbers in the variables in every other case.
The code uses only what PuLP 3.3 and PuLP 4 have in common; the answer is read from HiGHS itself (`solverModel`).

Ctrl-C during a solve stops HiGHS at its next step; what it has found so far is the answer, marked `stopped`.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import version
from typing import Any

import highspy
import pulp

from hwcost.errors import SolverError

RELATIVE_GAP = 1e-9  # asked of the solver
PROVEN_GAP = 1e-6  # accepted as proof
SOLVERS = {"highs": "HiGHS", "cbc": "CBC"}  # by the word that asks for it
CBC = getattr(pulp, "PULP_CBC_CMD", pulp.COIN_CMD)  # PuLP 4 brings none along and runs the one that is installed


@dataclass(frozen=True)
class Answer:
    """Result of one solve; `gap` is relative, None where there is no bound."""

    status: str
    objective: float | None
    bound: float | None
    gap: float | None
    seconds: float
    stopped: bool = False  # by the user, before the proof

    @property
    def has_values(self) -> bool:
        return self.status in ("proven", "best_found")


@cache
def solver_version(solver: str = "highs") -> str:
    """The version of the solver; empty for CBC, which does not tell PuLP."""
    return version("highspy") if solver == "highs" else ""


@cache
def _mute_banner() -> None:
    """HiGHS 1.16 prints two lines to file descriptor 1 when its first object is made; JSON on stdout must stay JSON."""
    null = os.open(os.devnull, os.O_WRONLY)
    keep = os.dup(1)
    try:
        os.dup2(null, 1)
        highspy.Highs()
    finally:
        os.dup2(keep, 1)
        os.close(keep)
        os.close(null)


def new_problem(name: str) -> Any:
    """An empty minimisation problem."""
    return pulp.LpProblem(name, pulp.LpMinimize)


def total(terms: Any) -> Any:
    """The sum of expressions (an expression even where it is empty)."""
    return pulp.lpSum(terms)


def value(expression: Any) -> float:
    """The value of a variable or expression after a solve that has values; an unused variable is 0."""
    if isinstance(expression, int | float):
        return float(expression)
    found = pulp.value(expression)
    return 0.0 if found is None else float(found)


def cbc_available() -> bool:
    """Whether PuLP finds a CBC that it can run."""
    return bool(CBC(msg=False).available())


def minimise(problem: Any, objective: Any, *, time_limit_s: float | None = None, solver: str = "highs") -> Answer:
    """Minimise `objective` over `problem`; the expression must have no constant (its bound would be off by it).

    `solver` is one of SOLVERS; `SolverError` where CBC is asked for and not there.

    Three habits of HiGHS are met here. Its presolve calls some problems infeasible that have a solution, so that word
    is believed only when the search without presolve says it too. It keeps its own tolerances: a tighter integer
    tolerance than 1e-6, tried here, ended in proofs of optima that were not. And it refuses every solve after another
    library in this process ran it with more threads, until its scheduler is reset.
    """
    _mute_banner()
    problem.setObjective(objective if not isinstance(objective, int | float) else pulp.lpSum([]))
    if solver == "cbc":
        return _solve_cbc(problem, time_limit_s)
    answer = _solve(problem, time_limit_s)
    if answer.status == "error":
        highspy.Highs.resetGlobalScheduler(True)
        answer = _solve(problem, time_limit_s)
    if answer.status == "infeasible":
        left = None if time_limit_s is None else time_limit_s - answer.seconds
        second = _solve(problem, left, presolve="off")
        answer = replace(second if second.has_values else answer, seconds=answer.seconds + second.seconds)
    return answer


def relax(problem: Any, objective: Any, *, time_limit_s: float | None = None) -> Answer:
    """Minimise with parts of whole numbers allowed. After `proven`, `reduced_cost` tells what each variable costs.

    HiGHS keeps a tolerance of 1e-7 on every reduced cost; who compares them leaves more room than that.
    """
    _mute_banner()
    problem.setObjective(objective if not isinstance(objective, int | float) else pulp.lpSum([]))
    return _solve(problem, time_limit_s, mip=False)


def reduced_cost(variable: Any) -> float:
    """After `relax`: by how much the objective grows at least with each unit of a variable that is 0; never below 0."""
    return max(0.0, float(variable.dj or 0.0))


def _solve(problem: Any, time_limit_s: float | None, **more: Any) -> Answer:
    options: dict[str, Any] = {"msg": False, "gapRel": RELATIVE_GAP, "threads": 1, "random_seed": 1, **more}
    if time_limit_s is not None:
        options["timeLimit"] = max(0.01, time_limit_s)
    started = time.perf_counter()
    with _interruptible() as pressed:
        if pressed is not None:
            options |= {"callbackTuple": (_stop_when, pressed), "callbacksToActivate": list(INTERRUPTS)}
        try:
            problem.solve(pulp.HiGHS(**options))
        except (pulp.PulpError, IndexError):  # HiGHS refused the model: PuLP then reads values that are not there
            return Answer("error", None, None, None, time.perf_counter() - started)
    seconds = time.perf_counter() - started
    answer = _answer(problem, seconds)
    return replace(answer, stopped=bool(pressed) and answer.status != "proven")


INTERRUPTS = (
    highspy.cb.HighsCallbackType.kCallbackMipInterrupt,
    highspy.cb.HighsCallbackType.kCallbackSimplexInterrupt,
)


@contextmanager
def _interruptible() -> Iterator[list[int] | None]:
    """A list that fills when Ctrl-C is pressed; None where signals are not ours: another thread, or ignored ones.

    HiGHS computes outside Python, where Ctrl-C would end the process without a word of what is found so far.
    """
    here = threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGINT) if here else None
    if before is None or before == signal.SIG_IGN:
        yield None
        return
    pressed: list[int] = []
    signal.signal(signal.SIGINT, lambda number, frame: pressed.append(number))
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, before)


def _stop_when(kind: Any, message: str, told: Any, reply: Any, pressed: list[int]) -> None:
    """HiGHS asks from time to time whether to go on."""
    if pressed:
        reply.user_interrupt = True


def _solve_cbc(problem: Any, time_limit_s: float | None) -> Answer:
    if not cbc_available():
        raise SolverError("CBC is not installed: pip install pulp[cbc]")
    options: dict[str, Any] = {"msg": False, "gapRel": RELATIVE_GAP, "threads": 1}
    if time_limit_s is not None:
        options["timeLimit"] = max(0.01, time_limit_s)
    started = time.perf_counter()
    told = problem.solve(CBC(**options))
    seconds = time.perf_counter() - started
    status = _cbc_status(problem, told)
    objective = value(problem.objective) if status in ("proven", "best_found") else None
    proven = status == "proven"
    return Answer(status, objective, objective if proven else None, 0.0 if proven else None, seconds)


def _cbc_status(problem: Any, told: Any) -> str:
    """PuLP 4 answers with what is known of the solution; PuLP 3 leaves it with the problem."""
    names = pulp.constants
    if hasattr(told, "has_solution"):
        found = names.LpSolveStatus
        known = {found.Optimal: "proven", found.Infeasible: "infeasible", found.Unbounded: "unbounded"}
        return known.get(told.status, "best_found" if told.has_solution else "none")
    known = {
        names.LpSolutionOptimal: "proven", names.LpSolutionIntegerFeasible: "best_found",
        names.LpSolutionInfeasible: "infeasible", names.LpSolutionUnbounded: "unbounded",
    }  # fmt: skip
    return known.get(problem.sol_status, "none")


def _answer(problem: Any, seconds: float) -> Answer:
    model = problem.solverModel
    status = model.getModelStatus()
    names = highspy.HighsModelStatus
    if status in (names.kInfeasible, names.kUnboundedOrInfeasible):
        return Answer("infeasible", None, None, None, seconds)
    if status == names.kUnbounded:
        return Answer("unbounded", None, None, None, seconds)
    if status == names.kModelEmpty:
        return Answer("proven", 0.0, 0.0, 0.0, seconds)
    info = model.getInfo()
    found = info.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible
    objective = float(info.objective_function_value) if found else None
    if status == names.kOptimal and found:
        return Answer("proven", objective, objective, 0.0, seconds)
    limits = (names.kTimeLimit, names.kIterationLimit, names.kInterrupt, names.kSolutionLimit)
    if status not in limits:
        return Answer("error", None, None, None, seconds)
    if not found or objective is None:
        return Answer("none", None, None, None, seconds)
    return _with_gap(objective, float(info.mip_dual_bound), seconds)


def _with_gap(objective: float, bound: float, seconds: float) -> Answer:
    gap = abs(objective - bound) / max(1.0, abs(objective))
    if gap != gap or gap == float("inf"):
        return Answer("best_found", objective, None, None, seconds)
    return Answer("proven" if gap <= PROVEN_GAP else "best_found", objective, bound, gap, seconds)
