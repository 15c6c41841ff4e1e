"""`hwcost sensitivity`: which assumptions move the answer most, and which options are nearly as good."""

from __future__ import annotations

import argparse

from hwcost import sensitivity
from hwcost.commands.plan import EXIT
from hwcost.commands.session import Session
from hwcost.commands.table import table
from hwcost.commands.whatif_text import INTERRUPTED, begin, counted, options_of, stopped_note
from hwcost.plan import Plan
from hwcost.quantities import UNKNOWN, money_text, number_text, percent_text
from hwcost.sensitivity import Assumption, Bar, End
from hwcost.sentences import answer
from hwcost.told_sweep import assumption_name, near_tie_texts, range_source, sensitivity_record, tornado_texts


def run(args: argparse.Namespace, session: Session) -> int:
    """Vary one assumption after the other."""
    plan, limit, workers = begin(args, session, [])
    if not plan.has_plan:
        session.show(answer(plan, None, session.lang))
        session.write_json(sensitivity_record(plan, (), ()))
        return EXIT[plan.status]
    comparison = options_of(plan, session, limit)
    asked = sensitivity.assumptions(plan)
    bars = sensitivity.tornado(
        plan, asked, time_limit_s=limit, workers=workers, dask=args.dask,
        on_done=counted(session, "progress_sensitivity"),
    )  # fmt: skip
    ties = sensitivity.near_ties(comparison)
    session.show([
        session.heading("tornado"), *_table(bars, plan, session), "", *tornado_texts(bars, plan, session.lang), "",
        session.heading("near_ties"), *near_tie_texts(ties, plan, session.lang),
    ])  # fmt: skip
    stopped = len(bars) < len(asked)
    session.write_json(sensitivity_record(plan, bars, ties, stopped=stopped))
    if stopped:
        stopped_note(session, len(bars), len(asked))
        return INTERRUPTED
    return EXIT[plan.status] if all(e.proven for b in bars for e in (b.low, b.high)) else 4


def _table(bars: tuple[Bar, ...], plan: Plan, session: Session) -> list[str]:
    currency, lang = plan.case.scenario.currency, session.lang

    def effect(end: End, base: float) -> str:
        if end.present_value is None:
            return session.say("switch.no_plan")
        difference = end.present_value - base
        sign = "+" if difference >= 0.5 else "-" if difference <= -0.5 else ""
        text = sign + money_text(abs(difference), currency, lang)
        return f"{text} *" if end.switches else text

    def figure(a: Assumption, value: float) -> str:
        if a.unit == currency:
            return number_text(value, lang, 0)
        return number_text(value, lang, 0 if abs(value) >= 100 else 2 if abs(value) >= 0.1 else 3)

    rows = [
        [assumption_name(b.assumption, plan, lang),
         f"{figure(b.assumption, b.assumption.low)} - {figure(b.assumption, b.assumption.high)}",
         effect(b.low, b.base), effect(b.high, b.base), range_source(b.assumption, lang)]
        for b in bars
    ]  # fmt: skip
    titles = session.columns("assumption", "range", "low", "high", "range_source")
    found = table(titles, rows, right=(2, 3))
    if any(b.switches for b in bars):
        found.append(f"* {session.say('sensitivity.mark')}")
    return found or [UNKNOWN, percent_text(None, lang)]
