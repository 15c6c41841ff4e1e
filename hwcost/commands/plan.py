"""`hwcost plan`: the best plan, the options beside it, the workbook and the record."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from hwcost import explain
from hwcost.answering import enough_plan
from hwcost.atomic import replacing
from hwcost.case import Case, prepare
from hwcost.commands import plan_text
from hwcost.commands.session import Session, check_outputs, number_option, read_inputs, written
from hwcost.commands.whatif_text import counted
from hwcost.engine import solve_case
from hwcost.errors import Problem
from hwcost.frontier import frontier
from hwcost.options import Comparison, compare
from hwcost.plan import Plan
from hwcost.record import plan_record
from hwcost.sentences import option_name
from hwcost.switching import subjects, switching_prices

if TYPE_CHECKING:
    from hwcost.report import RiskData

EXIT = {"proven_optimal": 0, "infeasible": 3, "best_found": 4, "no_plan_found": 4}
CONFLICT_CHECK_S = 10.0  # for one check while a conflict is looked for; an unproven check keeps its rule


def run(args: argparse.Namespace, session: Session) -> int:
    """Solve, compare, explain; then write everything, so that a fault writes nothing."""
    problems: list[Problem] = check_outputs(session, args.xlsx, args.input, args.docx)
    limit = number_option(args.time_limit, "--time-limit", problems)
    scenario, catalog = read_inputs(args, session, problems)
    session.progress("progress_prepare")
    case = prepare(scenario, catalog)
    plan = solve_case(case, args.objective, time_limit_s=limit, on_stage=session.on_stage())
    comparison = side_by_side(case, plan, session, limit)
    conflict = find_conflict(plan, session, limit)
    need = find_enough(plan, session, limit)
    record = plan_record(plan, conflict, comparison, need=need)
    session.show(plan_text.lines(plan, comparison, session, need=need, conflict=conflict))
    if args.xlsx is not None:
        risk = risk_of(plan, comparison, session, limit) if args.risk else None
        _workbook(plan, comparison, Path(args.xlsx), session, need, conflict, risk)
    if args.docx is not None:
        _document(plan, comparison, Path(args.docx), session, need)
    session.write_json(record)
    return EXIT[plan.status]


def side_by_side(case: Case, plan: Plan, session: Session, limit: float | None) -> Comparison:
    """All options under the plan's objective, with progress."""

    def on_option(name: str) -> None:
        session.progress("progress_option", option=option_name(name, session.lang))

    return compare(case, plan.objective, best=plan, time_limit_s=limit, on_option=on_option)


def find_enough(plan: Plan, session: Session, limit: float | None) -> Plan | None:
    """The smallest purchase that is enough, beside the best use of a fixed budget."""
    return enough_plan(
        plan, time_limit_s=limit,
        on_start=lambda: session.progress("progress_stage", stage=session.say("level.spend")),
    )  # fmt: skip


def find_conflict(plan: Plan, session: Session, limit: float | None) -> explain.Conflict | None:
    """What keeps the musts from being met in full, where they are not; None where a limit left it open."""
    if plan.status == "no_plan_found" or (plan.has_plan and not plan.falls_short):
        return None
    session.progress("progress_conflict")
    return explain.conflict(plan.case, time_limit_s=limit or CONFLICT_CHECK_S)


def risk_of(plan: Plan, comparison: Comparison, session: Session, limit: float | None) -> RiskData | None:
    """Switching prices of the options and what other budgets buy, for the sheet of risk; None without a plan."""
    if not plan.has_plan:
        return None
    from hwcost.report import risk_data

    options = tuple(s for s in subjects(plan, comparison) if s.letter)
    prices = switching_prices(plan, options, time_limit_s=limit, workers=None,
                              on_done=counted(session, "progress_switching"))  # fmt: skip
    points = frontier(plan, time_limit_s=limit, workers=None, on_done=counted(session, "progress_frontier"))
    return risk_data(comparison, prices, points)


def _workbook(
    plan: Plan,
    comparison: Comparison,
    path: Path,
    session: Session,
    need: Plan | None,
    conflict: explain.Conflict | None,
    risk: RiskData | None,
) -> None:
    """The workbook; where nothing meets the conditions it holds the conflict and the repairs, and no amounts."""
    if plan.status == "no_plan_found":
        session.note(session.say("cli.no_workbook"))
        return
    session.progress("progress_workbook")
    from hwcost.report import write_workbook

    def write(target: Path) -> None:
        with replacing(target) as temporary:
            write_workbook(
                plan, comparison if plan.has_plan else None, temporary, session.lang, need=need, conflict=conflict,
                risk=risk,
            )  # fmt: skip

    written(session, "--xlsx", path, write)


def _document(plan: Plan, comparison: Comparison, path: Path, session: Session, need: Plan | None) -> None:
    """The form as a text document; without a plan there is nothing to justify."""
    if not plan.has_plan:
        session.note(session.say("cli.no_document"))
        return
    from hwcost.report import write_document

    written(session, "--docx", path,
            lambda target: write_document(plan, comparison, target, session.lang, need=need))  # fmt: skip
