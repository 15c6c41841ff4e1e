"""Which fund is charged how much in which year, as text for the terminal."""

from __future__ import annotations

from hwcost.commands.session import Session
from hwcost.commands.table import table
from hwcost.funding import charges
from hwcost.plan import Plan
from hwcost.quantities import UNKNOWN, money_text, number_text
from hwcost.scenario_money import equipment_of_funds


def fund_lines(plan: Plan, session: Session) -> list[str]:
    """A row for each fund of the scenario, on its own tax basis; empty where none is stated."""
    scenario, lang = plan.case.scenario, session.lang
    if not scenario.funds:
        return []
    rows = []
    for fund in scenario.funds:
        by_year = charges(plan.case, fund, plan.cost_lines)
        uses = ", " if lang == "en" else "、"
        paid = uses.join(session.say(f"funduse.{use}") for use in fund.pays)
        room = UNKNOWN if fund.amount is None else number_text(fund.amount, lang, 2)
        figures = [number_text(amount, lang, 2) for amount in [*by_year, sum(by_year)]]
        rows.append([fund.name_zh if lang == "zh" else fund.name, paid, *figures, room])
    years = [session.say("cli.column.year", year=y + 1) for y in range(scenario.horizon_years)]
    titles = [*session.columns("fund", "pays"), *years, *session.columns("total", "fund_amount")]
    title = session.heading("funds", currency=scenario.currency)
    return [title, *table(titles, rows, right=tuple(range(2, len(titles))))]


def funds_below(plan: Plan, session: Session) -> list[str]:
    """A warning where the funds that may pay equipment hold less than the budget that is stated."""
    scenario = plan.case.scenario
    held = equipment_of_funds(scenario.funds)
    if held is None or scenario.budget is None or held >= scenario.budget:
        return []
    words = {
        "funds": money_text(held, scenario.currency, session.lang),
        "budget": money_text(scenario.budget, scenario.currency, session.lang),
    }
    return [session.say("cli.funds_below", **words)]
