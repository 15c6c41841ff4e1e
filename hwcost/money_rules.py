"""Rules about money, stock and hours of services that a person could change, and the scenario without one of them.

budget          equipment money: the budget, and with funds what the funds that pay equipment hold
equipment_year  its years                      fund        what another fund holds
fund_use        uses that the lab must pay and no fund may pay in some year
spend_by        delivery before the last day   stock, min_order, service_quota, running_budget, staff_hours
"""

from __future__ import annotations

from dataclasses import replace

from hwcost.funds import CONSUMABLES, EQUIPMENT, SERVICES, charged_gross, may_pay
from hwcost.scenario import Fund, Scenario

UNIVERSITY = "university"


def stated(scenario: Scenario) -> list[tuple[str, str]]:
    """(rule, subject) of what the scenario states, the easily changed ones first."""
    found: list[tuple[str, str]] = []
    if scenario.staff_hours_limit_per_year is not None:
        found.append(("staff_hours", ""))
    if scenario.stock:
        found.append(("stock", ""))
    if scenario.min_order:
        found.append(("min_order", ""))
    found += [("service_quota", s.id) for s in scenario.services if s.quota_card_hours_per_year is not None]
    if scenario.lead_weeks and (scenario.spend_by or any(f.spend_by for f in scenario.funds)):
        found.append(("spend_by", ""))
    if scenario.equipment_per_year:
        found.append(("equipment_year", ""))
    if scenario.running_budget_per_year is not None:
        found.append(("running_budget", ""))
    found += [("fund", f.id) for f in scenario.funds if EQUIPMENT not in f.pays and f.amount is not None]
    if uses := unpaid_uses(scenario):
        found.append(("fund_use", "+".join(uses)))
    return found


def unpaid_uses(scenario: Scenario) -> list[str]:
    """Uses that bring cost which the lab pays, and that no fund may pay in some year of the horizon."""
    if not scenario.funds:
        return []
    late = scenario.horizon_years > scenario.warranty_years
    costs = {  # cluster hours are not among them: a service that no fund may pay is not offered
        EQUIPMENT: [("card", True), ("system", True)],
        SERVICES: [("hosting", scenario.hosting_per_node_year > 0),
                   ("maintenance", late and scenario.maintenance_rate > 0)],
        CONSUMABLES: [("energy_idle", True), ("energy_busy", True), ("failures", late and scenario.failure_rate > 0)],
    }  # fmt: skip
    years = {
        EQUIPMENT: [y for y in scenario.purchase_years if y < scenario.horizon_years][:1],
        SERVICES: range(scenario.horizon_years),
        CONSUMABLES: range(scenario.horizon_years),
    }
    return [
        use
        for use, categories in costs.items()
        if any(there and scenario.payers.get(category, "lab") == "lab" for category, there in categories)
        and any(not may_pay(scenario, use, year) for year in years[use])
    ]


def without(scenario: Scenario, rule: str, subject: str) -> Scenario | None:
    """The scenario without the rule; None where the rule is not one of these."""
    if rule == "budget":
        funds = tuple(_unlimited(f) if EQUIPMENT in f.pays else f for f in scenario.funds)
        return replace(scenario, budget=None, equipment_per_year=(), funds=funds)
    if rule == "equipment_year":
        return replace(scenario, equipment_per_year=())
    if rule == "fund":
        return replace(scenario, funds=tuple(_unlimited(f) if f.id == subject else f for f in scenario.funds))
    if rule == "fund_use":
        more = Fund("?", "", "", None, tuple(subject.split("+")), tax_included=charged_gross(scenario))
        return replace(scenario, funds=(*scenario.funds, more))
    if rule == "spend_by":
        return replace(scenario, spend_by=None, funds=tuple(replace(f, spend_by=None) for f in scenario.funds))
    if rule == "service_quota":
        services = (replace(s, quota_card_hours_per_year=None) if s.id == subject else s for s in scenario.services)
        return replace(scenario, services=tuple(services))
    if rule == "stock":
        return replace(scenario, stock={})
    if rule == "min_order":
        return replace(scenario, min_order={})
    if rule == "running_budget":
        return replace(scenario, running_budget_per_year=None)
    return replace(scenario, staff_hours_limit_per_year=None) if rule == "staff_hours" else None


def _unlimited(fund: Fund) -> Fund:
    return replace(fund, amount=None, per_year=())


def widened(scenario: Scenario, uses: str, fund_id: str) -> Scenario:
    """One fund may pay these uses too."""
    more = tuple(uses.split("+"))
    funds = (replace(f, pays=tuple(dict.fromkeys((*f.pays, *more)))) if f.id == fund_id else f for f in scenario.funds)
    return replace(scenario, funds=tuple(funds))


def paid_elsewhere(scenario: Scenario, uses: str, categories: dict[str, str]) -> Scenario:
    """The university pays what the lab would pay of these uses; `categories` has the use of each cost category."""
    payers = dict(scenario.payers)
    for category, use in categories.items():
        if use in uses.split("+") and payers.get(category, "lab") == "lab":
            payers[category] = UNIVERSITY
    return replace(scenario, payers=payers)


def dates(scenario: Scenario) -> tuple[object, ...]:
    """What decides whether a machine comes in time for money that may pay it."""
    paying = tuple(
        (f.id, f.from_year, f.to_year, f.spend_by, f.depreciation_only) for f in scenario.funds if EQUIPMENT in f.pays
    )
    return (scenario.spend_by, bool(scenario.funds), paying)
