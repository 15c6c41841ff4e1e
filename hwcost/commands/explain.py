"""`hwcost explain`: what is in conflict and what repairs it; with `--option`, why a choice is not taken."""

from __future__ import annotations

import argparse

from hwcost.commands.plan import EXIT, find_conflict
from hwcost.commands.session import Session
from hwcost.commands.table import table
from hwcost.commands.whatif_text import begin, named, options_of
from hwcost.plan import Plan
from hwcost.quantities import number_text
from hwcost.repair_words import conflict_texts, rule_text
from hwcost.sentences import answer
from hwcost.told import asked_name, known_category, why_not_text
from hwcost.told_record import explain_record
from hwcost.why_not import WhyNot, why_not


def run(args: argparse.Namespace, session: Session) -> int:
    """The answer, then the conflict where the work is not all done, then every why-not that was asked for."""
    plan, limit, _ = begin(args, session, [])
    comparison = options_of(plan, session, limit) if args.option and plan.has_plan else None
    asked = named(args.option or [], plan, comparison, "--option")
    conflict = find_conflict(plan, session, limit)
    found = []
    for one in asked if plan.has_plan else []:
        session.progress("progress_whynot")
        found.append(why_not(plan, one, comparison, time_limit_s=limit))
    lines = [answer(plan, comparison, session.lang, conflict=conflict)[0]]
    if conflict is not None:
        scenario = plan.case.scenario
        rules = [f"- {rule_text(rule, scenario, session.lang)}" for rule in conflict.rules]
        repairs = [f"> {text}" for text in conflict_texts(conflict, scenario, session.lang)]
        lines += ["", session.heading("conflict"), *rules, *repairs]
    elif not asked:
        lines += ["", session.say("explain.all_met")]
    for why in found:
        lines += ["", *_why_not(why, plan, session)]
    session.show(lines)
    session.write_json(explain_record(plan, conflict, found))
    return EXIT[plan.status]


def _why_not(found: WhyNot, plan: Plan, session: Session) -> list[str]:
    scenario, lang = plan.case.scenario, session.lang
    name = asked_name(found.asked, plan, lang)
    lines = [session.heading("whynot_one", what=name), *why_not_text(found, lang)]
    if found.outcome not in ("worse", "tie") or not found.lines:
        return lines
    rows = [
        [known_category(d.category, lang), *(number_text(x, lang, 2) for x in (d.best, d.forced, d.difference))]
        for d in found.lines
    ]
    sums = (
        sum(d.best for d in found.lines),
        sum(d.forced for d in found.lines),
        sum(d.difference for d in found.lines),
    )
    rows.append([session.say("cli.column.total"), *(number_text(x, lang, 2) for x in sums)])
    titles = session.columns("category", "best", "forced", "difference")
    heading = session.heading("difference", currency=scenario.currency, years=scenario.horizon_years)
    return [*lines, "", heading, *table(titles, rows, right=(1, 2, 3))]
