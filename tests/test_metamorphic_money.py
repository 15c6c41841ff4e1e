"""Rules on years, funds, stock and hours: one rule fewer, or more of what it limits, is never worse."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from test_metamorphic import vector, verdict
from years_cases import mixture

from hwcost.scenario import Fund, Scenario

OBJECTIVES = ("budget", "serve", "cost")


def richer(fund: Fund) -> Fund:
    amount = None if fund.amount is None else 2.0 * fund.amount
    return replace(fund, amount=amount, per_year=tuple(2.0 * x for x in fund.per_year))


def changes(scenario: Scenario) -> list[dict[str, Any]]:
    """Each makes the scenario freer, where it changes it at all."""
    funds = scenario.funds
    wide = ("equipment", "services", "consumables")
    found: list[dict[str, Any]] = [
        {"stock": {}}, {"min_order": {}}, {"running_budget_per_year": None}, {"staff_hours_limit_per_year": None},
        {"multi_card_setup_hours": 0.0}, {"funds": tuple(map(richer, funds))},
        {"funds": tuple(replace(f, pays=wide) if not f.depreciation_only else f for f in funds)},
        {"funds": tuple(replace(f, carry_over=True) for f in funds)},
        {"funds": tuple(replace(f, overhead_rate=0.0) for f in funds)},
    ]  # fmt: skip
    if scenario.budget is not None:
        found.append({"budget": 2.0 * scenario.budget})
    return [c for c in found if any(getattr(scenario, name) != value for name, value in c.items())]


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("seed", range(100, 110))
def test_one_rule_fewer_or_more_money_is_never_worse(seed: int, objective: str) -> None:
    case = mixture(seed)
    before = vector(case, objective)
    freer = changes(case.scenario)
    assert freer
    for change in freer:
        assert verdict(before, vector(case.with_scenario(**change), objective)) >= 0, change
