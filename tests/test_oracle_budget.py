"""Best use of a fixed budget over years equals brute force: demand, people, capacity, cost, in this order."""

import math

import pytest
from oracle_years import Choice, YearsOracle
from years_cases import mixture

from hwcost.engine import solve_case

SEEDS = [seed for seed in range(40) if all(w.must for w in mixture(seed).scenario.workloads)][:16]
CLOSE = 1e-7
SLACK = 1e-5  # a level may give way by a millionth, and a later one gain several times that


def speeds(oracle: YearsOracle) -> dict[str, float]:
    """How much faster a card does its part of the work than the fastest way there is, times the part it can do."""
    hired = {b.id for b in oracle.services}
    own: dict[tuple[str, str], float] = {}
    for way in oracle.ways:
        key = (way.build_id, way.workload_id)
        own[key] = min(own.get(key, math.inf), way.cards * way.hours_per_run / way.sharers)
    runs = {w: oracle.workloads[w].runs_per_year for w in oracle.workloads}
    fastest: dict[str, float] = {}
    for (name, w), hours in own.items():
        if name not in hired:
            fastest[w] = min(fastest.get(w, math.inf), hours)
    whole = sum(fastest[w] * runs[w] for w in fastest)
    found = {}
    for name in {name for name, _ in own} - hired:
        able = [w for w in fastest if (name, w) in own]
        reference = sum(fastest[w] * runs[w] for w in able)
        found[name] = reference / sum(own[name, w] * runs[w] for w in able) * reference / whole
    return found


def capacity(oracle: YearsOracle, choice: Choice, speed: dict[str, float]) -> float:
    """Thousand reference card-hours a year, mean over the years."""
    hours = oracle.s.available_hours_per_card_year / 1000.0
    total = 0.0
    for year in oracle.years:
        for build in oracle.new:
            total += oracle.there(choice.buy, build, year) * build.cards * hours * speed.get(build.id, 0.0)
        for build in oracle.owned:
            total += choice.kept[build.id, year] * build.cards * hours * speed.get(build.id, 0.0)
    return total / len(oracle.years)


def brute(oracle: YearsOracle) -> tuple[float, float, float, float] | None:
    """Least missing, then most people, then most capacity, then least cost, over every choice of whole numbers."""
    speed = speeds(oracle)
    rows = []
    for choice in oracle.choices():
        missing = oracle.solve(choice, "missing", None)
        if missing is not None:
            people = sum(oracle.people(choice, year) for year in oracle.years) / len(oracle.years)
            rows.append((missing, people, capacity(oracle, choice, speed), choice))
    if not rows:
        return None
    least = min(row[0] for row in rows)
    rows = [row for row in rows if row[0] <= least + CLOSE]
    people = max(row[1] for row in rows)
    rows = [row for row in rows if row[1] >= people - CLOSE]
    most = max(row[2] for row in rows)
    costs = []
    for missing, _, size, choice in rows:
        if size >= most - CLOSE:
            running = oracle.solve(choice, "cost", missing)
            if running is not None:
                costs.append(running + sum(oracle.worth(a, y) for _, _, a, y in oracle.fixed(choice)))
    return least, people, most, min(costs)


def test_there_are_enough_cases() -> None:
    assert len(SEEDS) >= 12


@pytest.mark.parametrize("seed", SEEDS)
def test_the_best_use_of_a_budget_equals_brute_force(seed: int) -> None:
    case = mixture(seed)
    best = brute(YearsOracle(case))
    plan = solve_case(case.case(), "budget")
    if best is None:
        assert plan.status == "infeasible"
        return
    missing, people, size, cost = best
    assert plan.status == "proven_optimal", plan.stages
    solved = {stage.name: stage.value for stage in plan.stages}
    assert solved["must_demand"] == pytest.approx(missing, abs=2e-6)
    assert solved["people_must"] == pytest.approx(people, abs=1e-6)
    assert solved["capacity"] == pytest.approx(size, rel=SLACK, abs=1e-6)
    assert plan.totals.present_value == pytest.approx(cost, rel=SLACK, abs=0.01)
