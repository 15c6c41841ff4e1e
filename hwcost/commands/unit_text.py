"""What a plan's total is per card-hour and per run, and its carbon, as text for the terminal."""

from __future__ import annotations

from hwcost.commands.session import Session
from hwcost.names import workload_name
from hwcost.plan import Plan
from hwcost.quantities import UNKNOWN, money_text, number_text
from hwcost.unit_costs import unit_costs

KG_PER_TONNE = 1000.0


def unit_lines(plan: Plan, session: Session) -> list[str]:
    """Title and sentences; empty where nothing computes."""
    figures, scenario, lang = unit_costs(plan), plan.case.scenario, session.lang
    if figures is None or figures.per_busy_card_hour is None:
        return []

    def money(amount: float | None) -> str:
        return UNKNOWN if amount is None else money_text(round(amount, 2), scenario.currency, lang)

    busy, there = money(figures.per_busy_card_hour), money(figures.per_available_card_hour)
    body = [session.say("unitcost.busy", amount=busy, available=there)]
    for run in figures.runs:
        name = workload_name(plan.case.workload_by_id[run.workload_id], lang)
        body.append(session.say("unitcost.run", workload=name, amount=money(run.per_run)))
    energy = number_text(figures.energy_kwh, lang)
    if figures.carbon_kg is None:
        body.append(session.say("unitcost.energy", years=scenario.horizon_years, energy=energy))
    else:
        carbon = number_text(figures.carbon_kg / KG_PER_TONNE, lang, 1)
        body.append(session.say("unitcost.carbon", years=scenario.horizon_years, energy=energy, carbon=carbon))
    return [session.say("unitcost.title"), *body]
