"""`hwcost frontier`: what more or less money buys."""

from __future__ import annotations

import argparse

from hwcost import frontier
from hwcost.commands.plan import EXIT
from hwcost.commands.session import Session, number_option
from hwcost.commands.table import table
from hwcost.commands.whatif_text import INTERRUPTED, begin, counted, stopped_note
from hwcost.errors import Problem
from hwcost.frontier import FrontierPoint
from hwcost.names import configuration_text
from hwcost.quantities import memory_text, money_text, number_text, percent_text
from hwcost.told import gain_text
from hwcost.told_record import frontier_record


def run(args: argparse.Namespace, session: Session) -> int:
    """Solve every budget, then say what the next 10-20 % buys."""
    problems: list[Problem] = []
    shares = [number_option(text, "--shares", problems) for text in args.shares or []]
    plan, limit, workers = begin(args, session, problems)
    asked = tuple({*(s for s in shares if s is not None), 1.0}) if shares else frontier.SHARES
    points = frontier.frontier(
        plan, shares=asked, time_limit_s=limit, workers=workers, dask=args.dask,
        on_done=counted(session, "progress_frontier"),
    )  # fmt: skip
    found = frontier.gains(points)
    stopped = bool(points) and len(points) < len(set(asked))
    lines = _table(points, session) if points else [session.say("frontier.none")]
    base = next((p for p in points if p.share == 1.0), None)
    if base is not None and found:
        lines += ["", session.heading("gains"), *(gain_text(g, base, session.lang) for g in found)]
    session.show(lines)
    session.write_json(frontier_record(plan, points, found, stopped=stopped))
    if stopped:
        stopped_note(session, len(points), len(set(asked)))
        return INTERRUPTED
    return EXIT[plan.status] if all(p.proven or p.plan.status == "infeasible" for p in points) else 4


def _table(points: tuple[FrontierPoint, ...], session: Session) -> list[str]:
    lang, currency = session.lang, points[0].plan.case.scenario.currency
    rows = []
    for p in points:
        served = " / ".join(percent_text(s, lang) for s in (p.served_must, p.served_want))
        rows.append([
            money_text(p.budget, currency, lang), money_text(p.spent, currency, lang),
            money_text(p.nominal, currency, lang), number_text(p.people_at_once, lang),
            number_text(p.runs_per_year, lang), served, memory_text(p.largest_memory_gib * 1024.0, lang),
            configuration_text(p.plan.purchases, lang),
        ])  # fmt: skip
    years = session.say("cli.column.years_total", years=points[0].plan.case.scenario.horizon_years)
    titles = [
        *session.columns("budget", "spent"), years,
        *session.columns("people", "runs_year", "served", "largest_card", "buys"),
    ]  # fmt: skip
    return [session.heading("frontier"), *table(titles, rows, right=(0, 1, 2, 3, 4, 5, 6))]
