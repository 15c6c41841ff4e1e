"""What the commands about other prices, budgets and assumptions share: solving first, workers, progress."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from hwcost.case import prepare
from hwcost.commands.session import Session, check_outputs, number_option, read_inputs, whole_option
from hwcost.engine import solve_case
from hwcost.errors import InputError, Problem
from hwcost.options import Comparison, compare
from hwcost.plan import Plan
from hwcost.why_not import Asked, find

INTERRUPTED = 130


def begin(args: argparse.Namespace, session: Session, problems: list[Problem]) -> tuple[Plan, float | None, int | None]:
    """Read the inputs and solve; the best plan, the limit of one solve and the number of workers."""
    problems += check_outputs(session, source=args.input)
    limit = number_option(args.time_limit, "--time-limit", problems)
    workers = whole_option(getattr(args, "workers", None), "--workers", problems)
    scenario, catalog = read_inputs(args, session, problems)
    session.progress("progress_prepare")
    case = prepare(scenario, catalog)
    return solve_case(case, args.objective, time_limit_s=limit, on_stage=session.on_stage()), limit, workers


def counted(session: Session, key: str) -> Callable[[int, int], None]:
    """Progress as "switching prices: 3 of 17"."""

    def report(done: int, count: int) -> None:
        session.progress("progress_done", what=session.say(f"cli.{key}"), done=done, count=count)

    return report


def options_of(plan: Plan, session: Session, limit: float | None) -> Comparison:
    """The options, for their letters."""
    session.progress("progress_prepare")
    return compare(plan.case, plan.objective, best=plan, time_limit_s=limit)


def named(names: list[str], plan: Plan, comparison: Comparison | None, option: str) -> list[Asked]:
    """What the user named. Raises `InputError` with every name that nothing bears."""
    found, problems = [], []
    for name in names:
        asked = find(name, plan.case, comparison)
        if isinstance(asked, Asked):
            found.append(asked)
        else:
            problems.append(Problem("option_unknown", file=option, value=name, values={"nearest": asked}))
    if problems:
        raise InputError(problems)
    return found


def stopped_note(session: Session, done: int, count: int) -> None:
    """Say that not everything is done."""
    session.note(session.say("cli.stopped", done=done, count=count))
