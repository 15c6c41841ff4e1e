"""`hwcost switch-price`: at which price the recommendation changes, and from how many hours on owning pays."""

from __future__ import annotations

import argparse

from hwcost import switching
from hwcost.breakeven import break_even
from hwcost.commands.plan import EXIT
from hwcost.commands.session import Session
from hwcost.commands.table import table
from hwcost.commands.whatif_text import INTERRUPTED, begin, counted, named, options_of, stopped_note
from hwcost.plan import Plan
from hwcost.quantities import UNKNOWN, money_text, percent_text
from hwcost.sentences import answer
from hwcost.switching import Interval, Subject, SwitchPrice
from hwcost.told import break_even_text, interval_text, subject_name, switch_text
from hwcost.told_record import switch_record
from hwcost.why_not import Asked


def run(args: argparse.Namespace, session: Session) -> int:
    """Price every option and everything bought, or only what `--items` names."""
    plan, limit, workers = begin(args, session, [])
    if not plan.has_plan:
        session.show(answer(plan, None, session.lang))
        session.write_json(switch_record(plan, (), ()))
        return EXIT[plan.status]
    comparison = options_of(plan, session, limit)
    if args.items:
        asked = [_subject(a, plan) for a in named(args.items, plan, comparison, "--items")]
    else:
        asked = list(switching.subjects(plan, comparison))
    found = switching.switching_prices(
        plan, tuple(asked), time_limit_s=limit, workers=workers, dask=args.dask,
        on_done=counted(session, "progress_switching"),
    )  # fmt: skip
    stopped = len(found) < len(asked)
    intervals = {}
    if args.items and not stopped:
        intervals = {s.id: switching.quantity_intervals(plan, s, time_limit_s=limit) for s in asked}
    even = break_even(plan)
    session.show(_lines(plan, found, intervals, session))
    even_text = [break_even_text(x, plan, session.lang) for x in even]
    session.show(["", session.heading("breakeven"), *even_text] if even else [])
    session.write_json(switch_record(plan, found, even, intervals, stopped=stopped))
    if stopped:
        stopped_note(session, len(found), len(asked))
        return INTERRUPTED
    return 4 if any(x.outcome == "unproven" for x in found) else EXIT[plan.status]


def _subject(asked: Asked, plan: Plan) -> Subject:
    """What is priced for a name: an option, a part, or the whole system."""
    if asked.kind == "option":
        return Subject("option", asked.id, letter=asked.letter)
    if asked.kind == "build":  # a machine is priced by its card
        return Subject("item", plan.case.build_by_id[asked.id].card.id, "card")
    return Subject("item", asked.id, asked.kind)


def _lines(
    plan: Plan, found: tuple[SwitchPrice, ...], intervals: dict[str, tuple[Interval, ...]], session: Session
) -> list[str]:
    scenario, lang = plan.case.scenario, session.lang
    rows = []
    for x in found:
        price = money_text(x.price, scenario.currency, lang) if x.price is not None else UNKNOWN
        headroom = percent_text(x.headroom, lang) if x.headroom is not None else UNKNOWN
        now = money_text(x.price_now, scenario.currency, lang)
        rows.append([subject_name(x.subject, plan, lang), now, price, headroom])
    titles = session.columns("what", "now", "switch", "headroom")
    text = [session.heading("switching"), *table(titles, rows, right=(1, 2, 3)), ""]
    text += [switch_text(x, plan, lang) for x in found]
    for x in found:
        if x.subject.id in intervals:
            text += ["", session.heading("quantities")]
            text += [interval_text(i, x.price_now, scenario, lang) for i in intervals[x.subject.id]]
    return text
