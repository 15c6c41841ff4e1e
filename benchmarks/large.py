"""A market of 1,000 cards: the best plan that can be found in a minute, and a bound over every machine of it.

    1  machines      every combination that works (`make_builds`), less those that another beats (`prune`), with the
                     exact hours of every job on each (`large_hours.py`)
    2  relaxation    an LP over **all** machines that is never above the best plan (`relaxation.py`)
    3  plan          whole machines among those that the LP values most (`large_plan.py`), priced by the program's model
    4  branches      the bound is raised by whole numbers of machines, in the time that is left

The gap is (cost of the plan - bound) / cost of the plan, over the whole market. The plain gap is the same with the LP
of a plain formulation, which lacks branches and the link between shares and machines. The laboratory buys once and has
the same work in each of five years, so that one stage stands for all; with other purchase dates the gaps would be
larger. Time is that of one processor, so that the answer does not hang on what else the machine does.

    python benchmarks/large.py [--cards N] [--level L] [--seconds S]       prints one JSON object
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from large_hours import Hours
from large_plan import improve, judged
from relaxation import Columns, Market
from synthetic import laboratory, market

from hwcost.build import Build
from hwcost.builds import make_builds
from hwcost.catalog import load_catalog
from hwcost.costs import Decisions, cost_lines
from hwcost.prune import undominated
from hwcost.records import Catalog
from hwcost.scenario import Scenario
from hwcost.scenario_io import DEFAULT_SCENARIO, load_scenario

Array = Any
PLAN_SHARE, BRANCH_SHARE, JUDGE_SHARE = 0.6, 0.85, 0.3  # of the time: a branch or a search ends a little late
LOOKED_AT = 150  # machines of which the plan is made
SOME_HOURS = 1000.0  # a cost at which the price of a card-hour is read off: it is linear
WORK = "energy_busy"  # the one line that grows with the hours worked


def solve(scenario: Scenario, catalog: Catalog, seconds: float) -> dict[str, Any]:
    """One market: machines, bound, plan and gaps, within about `seconds` of one processor.

    On an idle machine they are seconds of wall time; where other work runs, the answer is the same and comes later.
    """
    wall, processor = time.perf_counter(), time.process_time()

    def clock() -> float:
        return time.process_time() - processor

    def wall_left(share: float) -> float:
        """Wall time until that share of the processor time is used, as slow as the machine has been so far."""
        return (share * seconds - clock()) * max(1.0, (time.perf_counter() - wall) / clock())

    builds = make_builds(scenario, catalog).builds
    marks = {"machines_s": clock()}
    kept = undominated(scenario, builds)
    columns = columns_of(scenario, kept, Hours(scenario))
    marks["pruned_s"] = clock()
    everything = Market(scenario, columns)
    relaxed = everything.relax(until=processor + 0.4 * seconds)
    marks["bounded_s"] = clock()
    order = np.argsort(-relaxed.worth, kind="stable")[:LOOKED_AT].tolist()
    found = improve(scenario, columns, order, lambda: wall_left(PLAN_SHARE))
    marks["planned_s"] = clock()
    cost = judged(scenario, catalog, columns, found, wall_left(1.0 - JUDGE_SHARE))
    marks["judged_s"] = clock()
    bound, branches = everything.branch(relaxed, cost, until=processor + BRANCH_SHARE * seconds)
    marks["seconds"], marks["processor_s"] = time.perf_counter() - wall, clock()
    plain = Market(scenario, columns, linked=False).relax(until=processor + 2.0 * seconds)  # to compare: off the clock
    return {
        "builds": len(builds), "undominated": len(kept), "in_relaxation": len(columns.builds), "in_plan": len(order),
        "nodes": sum(found.units.values()), "cost": cost, "bound": bound, "rounds": relaxed.rounds,
        "branches": branches, **marks, "gap": _gap(cost, bound), "plain_gap": _gap(cost, plain.bound),
        "relaxation_gap": _gap(cost, relaxed.bound), "searched_cost": found.cost,
        "peak_rss_gib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20,
    }  # fmt: skip


def _gap(cost: float | None, bound: float | None) -> float | None:
    """Share of the plan's cost that the bound leaves open; None where there is no plan or no bound."""
    return None if cost is None or bound is None else max(0.0, (cost - bound) / cost)


# --- the machines of the relaxation ---


def columns_of(scenario: Scenario, builds: Sequence[Build], hours: Hours) -> Columns:
    """Machines that no other of the same card and count beats in price, watts and the hours of every job.

    Nothing else of a machine is read in this laboratory, so that the best plan over these is the best over all.
    """
    groups: dict[tuple[str, int], list[Build]] = {}
    for build in builds:
        groups.setdefault((build.card.id, build.cards), []).append(build)
    kept: list[Build] = []
    rates: list[Array] = []
    for group in groups.values():
        rivals: list[tuple[float, float, Array]] = []
        for build in sorted(group, key=lambda b: (b.price_net, b.idle_wall_w, b.busy_extra_wall_w_per_card, b.id)):
            own, idle, busy = hours.of(build), build.idle_wall_w, build.busy_extra_wall_w_per_card
            beaten = any(i <= idle and b <= busy and (h <= own).all() for i, b, h in rivals)
            if not beaten and np.isfinite(own).any():
                rivals.append((idle, busy, own))
                kept.append(build)
                rates.append(own)
    return _columns(scenario, kept, rates)


def _columns(scenario: Scenario, builds: Sequence[Build], hours: Sequence[Array]) -> Columns:
    costs = np.array([_cost(scenario, build) for build in builds])
    cards = np.array([float(build.cards) for build in builds])
    memory = np.array([build.card.memory_gib for build in builds])
    return Columns(tuple(builds), costs[:, 0], costs[:, 1], cards, np.array(hours), memory)


def _cost(scenario: Scenario, build: Build) -> tuple[float, float]:
    """Present value of one machine over all years without work, and of one card-hour in each of them."""
    years = range(scenario.horizon_years)
    nodes = {(build.id, year): 1.0 for year in years}
    work = {(build.id, year): SOME_HOURS for year in years}
    lines = cost_lines(scenario, [build], Decisions({(build.id, 0): 1.0}, nodes, work))
    busy = math.fsum(line.present_value for line in lines if line.category == WORK)
    return math.fsum(line.present_value for line in lines if line.category != WORK), busy / SOME_HOURS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cards", type=int, default=1000, help="cards of the market (default 1000)")
    parser.add_argument("--level", type=float, default=1.0, help="demand level (default 1: about four machines)")
    parser.add_argument("--seconds", type=float, default=60.0, help="processor time (default 60)")
    given = parser.parse_args()
    catalog = load_catalog()
    scenario = laboratory(load_scenario(DEFAULT_SCENARIO, catalog), level=given.level)
    found = solve(scenario, market(given.cards), given.seconds)
    print(json.dumps({"cards": given.cards, "level": given.level, **found}))


if __name__ == "__main__":
    main()
