"""What a plan's total is per card-hour and per run, its carbon, and what software saves, as text for the terminal."""

from __future__ import annotations

from hwcost.commands.session import Session
from hwcost.names import card_name, workload_name
from hwcost.plan import Plan
from hwcost.quantities import hours_text, number_text, percent_text
from hwcost.software_first import software_first
from hwcost.told import unit_cost_texts

SECONDS_PER_HOUR, MANY_SECONDS = 3600.0, 600.0


def unit_lines(plan: Plan, session: Session) -> list[str]:
    """Title and sentences; empty where nothing computes."""
    body = unit_cost_texts(plan, session.lang)
    return [session.say("unitcost.title"), *body] if body else []


def software_lines(plan: Plan, session: Session) -> list[str]:
    """Title and a sentence for each change of software that shortens a run; empty where none does."""
    lang = session.lang
    body = [
        session.say(
            "software.line",
            workload=workload_name(plan.case.workload_by_id[s.workload_id], lang),
            card=card_name(plan.case.catalog.cards[s.card_id]),
            way=session.say(f"software.way.{s.key}"),
            then=_time(s.hours_then, session),
            now=_time(s.hours_now, session),
            share=percent_text(s.share, lang, 0),
        )
        for s in software_first(plan)
        if s.card_id in plan.case.catalog.cards
    ]
    return [session.say("software.title"), *body] if body else []


def _time(hours: float, session: Session) -> str:
    """A short run in seconds: two runs of a minute each may differ by a fifth."""
    seconds = hours * SECONDS_PER_HOUR
    if seconds >= MANY_SECONDS:
        return hours_text(hours, session.lang)
    return session.say("software.seconds", seconds=number_text(seconds, session.lang))
