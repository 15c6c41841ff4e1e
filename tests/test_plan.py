"""The finished plan: its sums agree with its lines and the solver, its checks hold, and a tampered plan fails them."""

from dataclasses import replace

import pytest
from small_cases import CARD, SCENARIO, WORKLOAD, Small, build, small, way

from hwcost import climb
from hwcost.engine import solve_case
from hwcost.errors import SolverError
from hwcost.plan import Check, Plan, evaluate
from hwcost.scenario import Circuit
from hwcost.solution import Solution

SEEDS = range(12)


def broken(plan: Plan) -> set[str]:
    return {check.rule for check in plan.checks if check.hard and not check.ok}


@pytest.mark.parametrize("seed", SEEDS)
def test_sum_of_lines_is_the_total_and_the_solvers_cost(seed: int) -> None:
    for objective in ("budget", "serve", "cost"):
        plan = solve_case(small(seed).case(), objective)
        if not plan.has_plan:
            continue
        worth = sum(line.quantity * line.unit_price * line.discount for line in plan.cost_lines)
        paid = sum(line.quantity * line.unit_price for line in plan.cost_lines)
        assert plan.totals.present_value == pytest.approx(worth, rel=1e-9)
        assert plan.totals.nominal == pytest.approx(paid, rel=1e-9)
        assert plan.totals.capex + plan.totals.opex + plan.totals.residual == pytest.approx(paid, rel=1e-9)
        assert sum(plan.totals.by_payer.values()) == pytest.approx(paid, rel=1e-9)
        stage = next(s.value for s in plan.stages if s.name == "cost")
        assert plan.totals.present_value == pytest.approx(stage, rel=1e-6, abs=0.01)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_hard_check_of_a_plan_holds(seed: int) -> None:
    case = small(seed).case()
    for objective in ("budget", "serve", "cost"):
        plan = solve_case(case, objective)
        assert broken(plan) == set()
        if objective == "cost" and plan.has_plan:
            musts = {w.id for w in case.scenario.workloads if w.must}
            assert not [missing for missing in plan.shortfall if missing[0] in musts]
            assert all(plan.people[w] == case.workload_by_id[w].people_at_once for w in musts)


@pytest.mark.parametrize("seed", SEEDS)
def test_runs_assigned_and_left_out_add_up_to_the_demand_of_each_year(seed: int) -> None:
    case = small(seed).case()
    plan = solve_case(case, "budget")
    for workload in case.scenario.workloads:
        for year in range(case.scenario.horizon_years):
            runs = sum(a.runs for a in plan.assignments if (a.strategy.workload_id, a.year) == (workload.id, year))
            left = sum(n for w, y, n in plan.shortfall if (w, y) == (workload.id, year))
            wanted = workload.runs_per_year * (1 + workload.growth_per_year) ** year
            assert runs + left == pytest.approx(wanted, rel=1e-6)


# One node serves 2,500 runs of 2 hours a year; 4,000 are wanted, so two are needed. Two circuits carry one node each.
NODE = build("b", CARD, 1, 9000.0, 11000.0, peak_wall_w=600.0)
TIGHT = Small(
    replace(
        SCENARIO, tax_rate=0.0, budget=40_000.0, circuits=(Circuit(220.0, 4.0, 2),), max_nodes=2, max_distinct_builds=1,
        rack_units=4, workloads=(replace(WORKLOAD, runs_per_year=4000.0, people_at_once=2),),
    ),
    (
        replace(NODE, chassis=replace(NODE.chassis, rack_units=2)),
        build("c", replace(CARD, id="other"), 1, 9500.0, 11000.0, peak_wall_w=600.0),
    ),
    (way("w", "b", 2.0), way("w", "c", 2.0)),
)  # fmt: skip


@pytest.fixture(scope="module")
def honest() -> Solution:
    return climb.solve(TIGHT.case(), "cost")


def tampered(solution: Solution, **changes: object) -> set[str]:
    return broken(evaluate(TIGHT.case(), "cost", replace(solution, **changes)))


def test_the_honest_plan_buys_the_two_nodes_that_everything_is_sized_for(honest: Solution) -> None:
    plan = evaluate(TIGHT.case(), "cost", honest)
    assert (plan.status, broken(plan)) == ("proven_optimal", set())
    assert [(p.build.id, p.nodes, p.unit_price) for p in plan.purchases] == [("b", 2, 20_000.0)]
    assert (plan.budget_used, plan.people_at_once, plan.served_share(must=True)) == (40_000.0, 2, 1.0)
    assert plan.served_share(must=False) is None
    used = {c.rule: (c.value, c.limit) for c in plan.checks}
    assert used["card_hours"] == (pytest.approx(8000.0), 10_000.0)
    assert used["circuit_load"] == (600.0, pytest.approx(704.0))


def test_one_node_more_breaks_money_nodes_rack_and_sockets(honest: Solution) -> None:
    assert tampered(honest, buy={**honest.buy, ("b", 0): 3}) == {"budget", "max_nodes", "rack_units_total", "plugged"}


def test_another_kind_of_node_breaks_the_number_of_kinds(honest: Solution) -> None:
    assert "distinct_builds" in tampered(honest, buy={("b", 0): 1, ("c", 0): 1})


def test_one_node_less_breaks_card_hours_and_packing(honest: Solution) -> None:
    assert {"card_hours", "packing"} <= tampered(honest, buy={**honest.buy, ("b", 0): 1})


def test_both_nodes_on_one_circuit_break_its_load(honest: Solution) -> None:
    assert tampered(honest, on={**honest.on, ("b", 0, 0): 2, ("b", 1, 0): 0}) == {"circuit_load"}


def test_shares_that_do_not_reach_the_demand_break_it(honest: Solution) -> None:
    less = {key: 0.9 * value for key, value in honest.share.items()}
    assert tampered(honest, share=less) == {"demand"}


def test_a_hidden_shortfall_breaks_the_demand(honest: Solution) -> None:
    less = {key: 0.9 * value for key, value in honest.share.items()}
    short = dict.fromkeys(honest.short, 0.1)
    assert tampered(honest, share=less, short=short) == {"demand"}


def test_a_person_without_a_card_breaks_people_at_once(honest: Solution) -> None:
    place = {i: max(0, jobs - 1) for i, jobs in honest.place.items()}
    assert tampered(honest, place=place) == {"people_at_once"}


def test_work_on_a_node_that_is_not_bought_breaks_its_card_hours(honest: Solution) -> None:
    ways = TIGHT.case().ways
    other = next(i for i, w in enumerate(ways) if w.build_id == "c")
    own = next(i for i, w in enumerate(ways) if w.build_id == "b")
    moved = {(i, p): value * (0.5 if i == own else 0.0) for (i, p), value in honest.share.items()}
    moved |= {(other, p): 0.5 for i, p in honest.share if i == other}
    assert tampered(honest, share=moved) == {"card_hours"}


def test_jobs_of_two_cards_do_not_share_three_card_nodes_across_nodes() -> None:
    """Two nodes of three cards hold two jobs of two cards, not three, though six cards would do for three."""
    workload = replace(WORKLOAD, people_at_once=3)
    scenario = replace(SCENARIO, workloads=(workload,), max_nodes=2)
    case = Small(scenario, (build("b", CARD, 3, 1000.0, 1000.0),), (way("w", "b", 1.0, 2),)).case()
    plan = solve_case(case, "budget")
    assert plan.people_at_once == 2
    solution = climb.solve(case, "budget")
    worse = evaluate(case, "budget", replace(solution, place=dict.fromkeys(solution.place, 3)))
    assert broken(worse) == {"packing"}


def test_a_check_allows_a_millionth_of_its_limit_and_no_more() -> None:
    def check(value: float, limit: float, sense: str) -> bool:
        return Check("r", "", limit, value, "", sense, True).ok

    assert check(1_000_000.9, 1e6, "<=") and not check(1_000_001.1, 1e6, "<=")
    assert check(999_999.1, 1e6, ">=") and not check(999_998.9, 1e6, ">=")
    assert check(9e-7, 0.0, "<=") and not check(2e-6, 0.0, "<=")


def test_a_machine_the_lab_has_is_used_before_money_is_spent() -> None:
    owned = build("old", CARD, 1, 0.0, 0.0, parts=(), owned_count=1)
    scenario = replace(SCENARIO, workloads=(replace(WORKLOAD, runs_per_year=100.0),))
    plan = solve_case(Small(scenario, (owned, NODE), (way("w", "old", 9.0), way("w", "b", 3.0))).case(), "serve")
    assert [(p.build.id, p.nodes, p.owned) for p in plan.purchases] == [("old", 1, True)]
    assert (plan.totals.capex, plan.budget_used, plan.bought) == (0.0, 0.0, ())
    assert {line.category for line in plan.cost_lines} == {"energy_idle", "energy_busy"}


def test_a_plan_that_breaks_a_hard_rule_is_a_defect_not_a_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    """One node more than the solver bought is over the budget: no such plan may come out as proven."""
    honest = climb.solve(TIGHT.case(), "cost")
    more = replace(honest, buy={key: nodes + 1 if nodes else 0 for key, nodes in honest.buy.items()})
    monkeypatch.setattr(climb, "solve", lambda *_, **__: more)
    with pytest.raises(SolverError, match="budget"):
        solve_case(TIGHT.case(), "cost")
