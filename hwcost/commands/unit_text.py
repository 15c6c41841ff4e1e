"""What a plan's total is per card-hour and per run, and its carbon, as text for the terminal."""

from __future__ import annotations

from hwcost.commands.session import Session
from hwcost.plan import Plan
from hwcost.told import unit_cost_texts


def unit_lines(plan: Plan, session: Session) -> list[str]:
    """Title and sentences; empty where nothing computes."""
    body = unit_cost_texts(plan, session.lang)
    return [session.say("unitcost.title"), *body] if body else []
