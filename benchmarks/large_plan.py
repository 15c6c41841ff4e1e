"""A plan for a market: whole machines among those that the relaxation values most, improved chunk by chunk.

    start     the LP over the first chunk, its numbers of machines rounded up: always a plan, whatever the solver does
    search    whole machines over the chunk with the best plan so far as start; then the machines of that plan with the
              next chunk, and so on (a restricted neighbourhood each time, as in RINS)
    judge     what is found is bought in the program's own model, which settles and prices the plan by its own rules

The search knows the model in short: on this laboratory one card is the best way of each job (`large_hours.py`), people
on whole cards are a transport problem and need no whole numbers of their own, and a whole number of machines links
shares to machines by their hours alone. It ends by branches looked at, and by the clock where a machine is too slow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import highspy
import numpy as np
from relaxation import CARD_COUNTS, Columns, linear_program, matrix_of

from hwcost.build import Build, BuildSet
from hwcost.case import assemble
from hwcost.engine import solve_case
from hwcost.records import Catalog
from hwcost.scenario import Scenario
from hwcost.strategies import make_strategies

Array = Any
CHUNK = 30  # machines that come in anew
NODES = 200  # branches of one search
MOST_UNITS = 400.0
SETTLED = 1e-6  # a number of machines this little above a whole one is that one


@dataclass(frozen=True)
class Found:
    """Numbers of machines by column, and their cost over all years with the work shared out best."""

    units: dict[int, int]
    cost: float


def improve(
    scenario: Scenario,
    columns: Columns,
    order: Sequence[int],
    seconds_left: Callable[[], float],
    start: Found | None = None,
) -> Found:
    """The best numbers of machines found over the chunks of `order`, the first chunk in any case."""
    best = start
    chunks = [list(order[i : i + CHUNK]) for i in range(0, len(order), CHUNK)]
    for number, chunk in enumerate(chunks):
        if number and seconds_left() <= 0.0:
            break
        inside = sorted({*chunk, *(best.units if best else ())})
        best = _search(scenario, columns, inside, max(1.0, seconds_left() / (2 if number == 0 else 1)), best)
    assert best is not None
    return best


def judged(scenario: Scenario, catalog: Catalog, columns: Columns, found: Found, time_limit_s: float) -> float | None:
    """Cost of the plan in the program's own model with exactly these machines for sale; None where it has none."""
    builds: list[Build] = [columns.builds[j] for j in sorted(found.units)]
    case = assemble(scenario, catalog, BuildSet(tuple(builds), (), ()), make_strategies(scenario, builds))
    bought = tuple((columns.builds[j].id, n) for j, n in sorted(found.units.items()))
    plan = solve_case(replace(case, fixed=bought), "cost", time_limit_s=time_limit_s, ranked=False)
    return next((stage.value for stage in plan.stages if stage.name == "cost"), None) if plan.has_plan else None


def _search(
    scenario: Scenario, columns: Columns, inside: list[int], seconds: float, best: Found | None
) -> Found | None:
    """The best of `best`, of rounding the LP up, and of what branching finds within the limits."""
    lp = _model(scenario, columns, inside)
    solver = highspy.Highs()
    for option, value in {"output_flag": False, "threads": 1, "random_seed": 1, "mip_rel_gap": 1e-5}.items():
        solver.setOptionValue(option, value)
    solver.passModel(lp)
    solver.run()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return best  # these machines alone cannot do the work
    units = np.ceil(np.array(solver.getSolution().col_value)[: len(inside)] - SETTLED)
    if best is not None:
        units = np.array([float(best.units.get(j, 0)) for j in inside])
    whole = np.concatenate([units, _counts(columns, inside) @ units])
    lp.integrality_ = [highspy.HighsVarType.kInteger] * len(whole) + [highspy.HighsVarType.kContinuous] * (
        lp.num_col_ - len(whole)
    )
    solver.passModel(lp)
    solver.setSolution(len(whole), np.arange(len(whole), dtype=np.int32), whole)
    solver.setOptionValue("time_limit", seconds)
    solver.setOptionValue("mip_max_nodes", NODES)
    solver.run()
    solution = solver.getSolution()
    if not solution.value_valid or not np.isfinite(solver.getInfo().objective_function_value):
        return best
    cost = float(solver.getInfo().objective_function_value)
    if best is not None and best.cost <= cost:
        return best
    bought = {j: round(solution.col_value[n]) for n, j in enumerate(inside)}
    return Found({j: n for j, n in bought.items() if n}, cost)


def _counts(columns: Columns, inside: list[int]) -> Array:
    """[size, j] what counts as a machine of each size, the first row of any: branches on these settle much at once."""
    cards = columns.cards[inside]
    return np.array([np.ones(len(inside)), *(np.where(cards == size, 1.0, 0.0) for size in CARD_COUNTS)])


def _model(scenario: Scenario, columns: Columns, inside: list[int]) -> highspy.HighsLp:
    """Variables: machines n[j], counts of them by size, shares y[j,w], people p[j,w] who hold a card.

    Minimise cost, subject to demand sum_j y = 1; people sum_j p = peak; hours sum_w h y <= available x cards x n;
    cards sum_w p <= cards x n; counts; and people whose jobs run on some machines only need as many cards of those.
    """
    people = np.array([float(w.people_at_once) for w in scenario.workloads])
    jobs, m = len(people), len(inside)
    hours, cards = columns.hours[inside], columns.cards[inside]
    able = np.isfinite(hours)
    machine, job = np.nonzero(able)
    seat, person = np.nonzero(able & (people > 0))
    counts = _counts(columns, inside)
    size, counted = np.nonzero(counts)
    first = m + len(counts)
    share = first + np.arange(len(machine))
    held = first + len(machine) + np.arange(len(seat))
    work = hours[machine, job]
    every, room = np.arange(m), scenario.available_hours_per_card_year
    rows = 2 * jobs + 2 * m
    blocks = [
        (job, share, np.ones(len(share))), (jobs + person, held, np.ones(len(held))),
        (2 * jobs + machine, share, work / room), (2 * jobs + every, every, -cards),
        (2 * jobs + m + seat, held, np.ones(len(held))), (2 * jobs + m + every, every, -cards),
        (rows + size, counted, np.ones(len(size))), (rows + np.arange(len(counts)), np.arange(m, first), -np.ones(5)),
    ]  # fmt: skip
    groups = _groups(able, people)
    for n, (group, _) in enumerate(groups):
        blocks.append((np.full(len(group), rows + len(counts) + n), group, cards[group]))
    needed = [least for _, least in groups]
    least = np.concatenate([np.ones(jobs), people, np.full(2 * m, -np.inf), np.zeros(len(counts)), needed])
    most = np.concatenate([np.ones(jobs), people, np.zeros(2 * m + len(counts)), np.full(len(needed), np.inf)])
    width = first + len(machine) + len(seat)
    cost = np.zeros(width)
    cost[:m], cost[share] = columns.cost[inside], work * columns.per_hour[inside][machine]
    upper = np.concatenate([np.full(first, MOST_UNITS), np.ones(len(share)), people[person]])
    return linear_program(cost, matrix_of(blocks, (len(most), width)), least, most, upper)


def _groups(able: Array, people: Array) -> list[tuple[Array, float]]:
    """Machines that some jobs need, with the people of all jobs that can run on none but these."""
    found: dict[bytes, tuple[Array, float]] = {}
    wanted = np.nonzero(people > 0)[0]
    for w in wanted:
        outside = ~able[:, w]
        within = [v for v in wanted if not (able[:, v] & outside).any()]
        found[able[:, w].tobytes()] = np.nonzero(able[:, w])[0], float(people[within].sum())
    return list(found.values())
