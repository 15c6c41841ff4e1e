"""A market of 1,000 cards: the best plan that can be found in a minute, and a bound over every machine of it.

    1  machines          every combination that works (`make_builds`), less those that another beats (`prune`)
    2  relaxation        an LP over **all** machines that is never above the best plan (`relaxation.py`): its hours are
                         those of the best host of a card and of a batch that is never split
    3  plan              the program's own model, exact hours and whole machines, over the machines that
                         the LP values most
    4  branches          the bound is raised by whole numbers of machines, in the time that is left

The gap is (cost of the plan - bound) / cost of the plan, over the whole market. The plain gap is the same with the LP
of a plain formulation, which lacks branches and the link between shares and machines; the gap among the chosen is what
the model leaves open over the few machines of step 3 alone, without a word on the others. The laboratory buys once and
has the same work in each of five years, so that one stage stands for all; with other purchase dates the gaps would be
larger.

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

from relaxation import CARD_COUNTS, Columns, Market, Relaxation, machine_value
from synthetic import laboratory, market

from hwcost.build import Build, BuildSet
from hwcost.builds import make_builds
from hwcost.case import assemble
from hwcost.catalog import load_catalog
from hwcost.costs import Decisions, cost_lines
from hwcost.engine import solve_case
from hwcost.memory import job_memory, limit_mib
from hwcost.prune import undominated
from hwcost.records import Card, Catalog
from hwcost.scenario import Scenario
from hwcost.scenario_io import DEFAULT_SCENARIO, load_scenario
from hwcost.steptime import step_time
from hwcost.strategies import make_strategies

Array = Any
MS_PER_HOUR = 3.6e6
PLAN_SHARE, BRANCH_SHARE = 0.75, 0.9  # of the time: a branch and a stage of the model end a little after their limit
MACHINES = 48  # in the model of the plan
GROUPS = 40  # cards and counts of which every machine is looked at for the plan
SOME_HOURS = 1000.0  # a cost at which the price of a card-hour is read off: it is linear


def solve(scenario: Scenario, catalog: Catalog, seconds: float, most_machines: int = MACHINES) -> dict[str, Any]:
    """One market: machines, bound, plan and gaps, within about `seconds` of wall time."""
    started = time.perf_counter()

    def clock() -> float:
        return time.perf_counter() - started

    builds = make_builds(scenario, catalog).builds
    marks = {"machines_s": clock()}
    kept = undominated(scenario, builds)
    hours = Hours(scenario)
    columns = columns_of(scenario, kept, hours)
    marks["pruned_s"] = clock()
    everything = Market(scenario, columns)
    relaxed = everything.relax(until=started + 0.4 * seconds)
    marks["bounded_s"] = clock()
    chosen = shortlist(scenario, kept, columns, relaxed, hours, most_machines)
    cost, proven_cost, nodes = plan_of(scenario, catalog, chosen, started + PLAN_SHARE * seconds)
    marks["planned_s"] = clock()
    bound, branches = everything.branch(relaxed, cost, until=started + BRANCH_SHARE * seconds)
    marks["seconds"], marks["processor_s"] = clock(), time.process_time()
    plain = Market(scenario, columns, linked=False).relax(
        until=started + 2.0 * seconds
    )  # to compare with, off the clock
    return {
        "builds": len(builds), "undominated": len(kept), "in_relaxation": len(columns.builds), "in_plan": len(chosen),
        "nodes": nodes, "cost": cost, "bound": bound, "rounds": relaxed.rounds, "branches": branches, **marks,
        "gap": _gap(cost, bound), "plain_gap": _gap(cost, plain.bound),
        "relaxation_gap": _gap(cost, relaxed.bound), "gap_among_chosen": _gap(cost, proven_cost),
        "peak_rss_gib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20,
    }  # fmt: skip


def _gap(cost: float | None, bound: float | None) -> float | None:
    """Share of the plan's cost that the bound leaves open; None where there is no plan or no bound."""
    return None if cost is None or bound is None else max(0.0, (cost - bound) / cost)


# --- the machines of the relaxation ---


def columns_of(scenario: Scenario, builds: Sequence[Build], hours: Hours) -> Columns:
    """Machines that no other of the same card and count beats in price, idle watts and busy watts: the relaxation takes
    the best host for each of them, so nothing else tells them apart."""
    groups: dict[tuple[str, int], list[tuple[tuple[float, ...], Build]]] = {}
    for build in builds:
        burden = (build.price_net, build.idle_wall_w, build.busy_extra_wall_w_per_card)
        groups.setdefault((build.card.id, build.cards), []).append((burden, build))
    rates: dict[tuple[str, int], Array] = {}
    kept: list[Build] = []
    for key, group in groups.items():
        rates[key] = hours.of([build for _, build in group])
        rivals: list[tuple[float, ...]] = []
        for burden, build in sorted(group, key=lambda pair: (pair[0], pair[1].id)):
            if not any(all(r <= b for r, b in zip(rival, burden, strict=True)) for rival in rivals):
                rivals.append(burden)
                kept.append(build)
    able = [b for b in kept if np.isfinite(rates[b.card.id, b.cards]).any()]
    return _columns(scenario, able, [rates[b.card.id, b.cards] for b in able])


def _columns(scenario: Scenario, builds: Sequence[Build], hours: Sequence[Array]) -> Columns:
    idle = np.array([_cost(scenario, b, 0.0) for b in builds])
    busy = np.array([_cost(scenario, b, SOME_HOURS) for b in builds])
    cards = np.array([float(b.cards) for b in builds])
    return Columns(tuple(builds), idle, np.maximum(0.0, (busy - idle) / SOME_HOURS), cards, np.array(hours))


def _cost(scenario: Scenario, build: Build, hours: float) -> float:
    """Present value of one machine over all years with so many card-hours in each."""
    years = range(scenario.horizon_years)
    nodes = {(build.id, year): 1.0 for year in years}
    work = {(build.id, year): hours for year in years}
    lines = cost_lines(scenario, [build], Decisions({(build.id, 0): 1.0}, nodes, work))
    return math.fsum(line.present_value for line in lines)


class Hours:
    """Card-hours of a year's runs of each job on machines with the same cards: fewer than any way on any of them takes.

    The whole batch in one pass on one card, with the best of everything that one of the hosts has. Several cards repeat
    the launches, parts of a batch do too, and all the rest is in proportion to the samples. What the card and what the
    host take is looked up once for cards and hosts alike.
    """

    def __init__(self, scenario: Scenario) -> None:
        self.work, self.margin = scenario.workloads, scenario.memory_margin
        self.need_mib = np.array([job_memory(w, 1).total_mib for w in self.work])
        self.data = math.fsum(w.dataset_bytes for w in self.work)
        self.per_run = np.array([w.steps_per_run / MS_PER_HOUR for w in self.work])
        self.start = np.array([w.startup_s / 3600.0 for w in self.work])
        self.runs = np.array([w.runs_per_year for w in self.work])
        self.inline = np.array([w.workers == 0 for w in self.work])
        self.by_card: dict[str, Array] = {}
        self.by_host: dict[tuple[object, ...], tuple[Array, Array]] = {}

    def of(self, builds: Sequence[Build]) -> Array:
        """[w] hours; infinite where the card cannot run the job."""
        card = builds[0].card
        card_ms = self._card_ms(card)
        loader_ms, storage_ms = self._host_ms(builds)
        step_ms = np.maximum(np.where(self.inline, card_ms + loader_ms, np.maximum(card_ms, loader_ms)), storage_ms)
        return (self.start + self.per_run * step_ms) * self.runs

    def _card_ms(self, card: Card) -> Array:
        if card.id not in self.by_card:
            ms = np.array([step_time(w, card, w.batch).card_ms for w in self.work])
            limit = np.array([limit_mib(card, self.margin, w.ecc_required) for w in self.work])
            lacks = np.array([
                (w.ecc_required and card.ecc not in ("inline", "native")) or (w.precision == "bf16" and not card.bf16)
                for w in self.work
            ])  # fmt: skip
            self.by_card[card.id] = np.where(lacks | (self.need_mib > limit), np.inf, ms)
        return self.by_card[card.id]

    def _host_ms(self, builds: Sequence[Build]) -> tuple[Array, Array]:
        card = builds[0].card
        best = (
            max(b.storage.read_mb_s for b in builds), builds[0].cards, max(b.chassis.ram_gib for b in builds),
            max(b.chassis.cpu_cores for b in builds), max(b.lanes_per_card for b in builds), card.pcie_gen,
        )  # fmt: skip
        if best not in self.by_host:
            steps = [
                step_time(
                    w, card, w.batch, storage_mb_s=best[0], storage_shared_by=best[1], host_ram_gib=best[2],
                    cpu_cores=best[3], lanes=best[4], other_data_bytes=self.data - w.dataset_bytes,
                )
                for w in self.work
            ]  # fmt: skip
            self.by_host[best] = np.array([s.loader_ms for s in steps]), np.array([s.storage_ms for s in steps])
        return self.by_host[best]


# --- the plan ---


def shortlist(
    scenario: Scenario, kept: Sequence[Build], columns: Columns, relaxed: Relaxation, hours: Hours, most: int
) -> list[Build]:
    """The machines worth most per cost with the hours of their own host, and of each number of cards the best few.

    Looked at are all machines with the cards that the relaxation values most. Whole machines need small ones too.
    """
    best: dict[tuple[str, int], float] = {}
    for build, worth in zip(columns.builds, relaxed.worth, strict=True):
        key = (build.card.id, build.cards)
        best[key] = max(best.get(key, 0.0), float(worth))
    groups = set(sorted(best, key=lambda key: (-best[key], key))[:GROUPS])
    groups |= {
        k for n in CARD_COUNTS for k in sorted((k for k in best if k[1] == n), key=lambda k: -best[k])[: GROUPS // 8]
    }
    near = [b for b in kept if (b.card.id, b.cards) in groups]
    own = _columns(scenario, near, [hours.of([b]) for b in near])
    worth = machine_value(own, relaxed.prices, scenario.available_hours_per_card_year) / own.cost
    ranked = np.argsort(-worth, kind="stable")
    chosen = [int(j) for n in CARD_COUNTS for j in ranked[own.cards[ranked] == n][: most // 8]]
    chosen += [int(j) for j in ranked if int(j) not in set(chosen)][: most - len(chosen)]
    return [own.builds[j] for j in chosen]


def plan_of(
    scenario: Scenario, catalog: Catalog, builds: Sequence[Build], until: float
) -> tuple[float | None, float | None, float]:
    """Cost of the best plan over these machines, the bound that the model has for them alone, and how many it buys."""
    case = assemble(scenario, catalog, BuildSet(tuple(builds), (), ()), make_strategies(scenario, builds))
    left = max(1.0, until - time.perf_counter())
    plan = solve_case(case, "cost", time_limit_s=left, ranked=False)
    if not plan.has_plan:
        return None, None, 0.0
    stage = next(s for s in plan.stages if s.name == "cost")
    bound = None if stage.gap is None or stage.value is None else stage.value * (1.0 - stage.gap)
    return stage.value, bound, float(sum(p.nodes for p in plan.purchases))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cards", type=int, default=1000, help="cards of the market (default 1000)")
    parser.add_argument("--level", type=float, default=1.0, help="demand level (default 1: about four machines)")
    parser.add_argument("--seconds", type=float, default=60.0, help="wall time (default 60)")
    given = parser.parse_args()
    catalog = load_catalog()
    scenario = laboratory(load_scenario(DEFAULT_SCENARIO, catalog), level=given.level)
    found = solve(scenario, market(given.cards), given.seconds)
    print(json.dumps({"cards": given.cards, "level": given.level, **found}))


if __name__ == "__main__":
    main()
