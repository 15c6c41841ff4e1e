"""The program's answers equal brute force where decisions reach over years: rule by rule, and all rules mixed."""

from functools import cache

import pytest
from oracle_years import Best, YearsOracle
from small_cases import Small
from years_cases import RULES, RuleCase, mixture

from hwcost.engine import solve_case
from hwcost.plan import Plan

SEEDS = range(40)
MONEY = 2e-6  # relative; a cent besides
SHORT = 1e-5  # where work is left out: a millionth of it may be, and costs several millionths of the money


@cache
def brute(seed: int, objective: str) -> Best | None:
    return YearsOracle(mixture(seed)).best(objective)


def agrees(case: Small, objective: str, best: Best | None) -> Plan:
    """The plan of the program is proven, as good as brute force, and costs what its lines say."""
    plan = solve_case(case.case(), objective)
    if best is None:
        assert plan.status == "infeasible", plan.totals
        return plan
    assert plan.status == "proven_optimal", plan.stages
    slack = SHORT if best.missing else MONEY
    assert plan.totals.present_value == pytest.approx(best.cost, rel=slack, abs=0.01)
    if objective == "serve":
        solved = {stage.name: stage.value for stage in plan.stages}
        assert solved["must_demand"] == pytest.approx(best.missing, abs=2e-6)
        assert solved["people_must"] == pytest.approx(best.people, abs=1e-6)
    return plan


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_alone_changes_the_answer_as_brute_force_says(rule: RuleCase) -> None:
    free = rule.without(rule.case)
    bound, lifted = YearsOracle(rule.case).best(rule.objective), YearsOracle(free).best(rule.objective)
    assert (bound is None) != (lifted is None) or (bound and lifted and _vector(bound) != _vector(lifted))
    agrees(rule.case, rule.objective, bound)
    agrees(free, rule.objective, lifted)


def _vector(best: Best) -> tuple[float, float, float]:
    return round(best.missing, 6), round(best.people, 6), round(best.cost, 1)


@pytest.mark.parametrize("objective", ["cost", "serve"])
@pytest.mark.parametrize("seed", SEEDS)
def test_all_rules_mixed_equal_brute_force(seed: int, objective: str) -> None:
    agrees(mixture(seed), objective, brute(seed, objective))
