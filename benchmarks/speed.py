"""How long a plan takes: medians over several runs, and each figure as a multiple of a yardstick of the same run.

    plan_cold_s    a fresh process: start, catalog, scenario, machines, proof, plan (`hwcost plan` without the options)
    resolve_s      the same process, budget 10 % lower: machines, proof, plan ("what if the money were less?")
    compare_s      the options side by side, the best plan being known
    workbook_s     the justification workbook from a solved comparison
    start_s        a fresh process that imports the command line, which is what a user waits for before any word

With `--large`, a synthetic market of 1,000 cards is solved in fresh processes (`large.py`), in 60 s of one core each:

    large          gap of the best plan to a bound over every machine, and to the bound of a plain formulation; seconds,
                   memory, at four levels of demand; the figures at the top are those of about ten machines
    growth         processor seconds until machines, pruning and the first bound are there, from 10 to 1,000 cards

The yardstick is a fixed piece of Python work (a sum over two million whole numbers), timed before each figure: seconds
depend on the machine and on what else runs on it, the multiples much less. Run

    python benchmarks/speed.py [--scenario NAME ...] [--runs N] [--large] [--json F]

Times are printed and never asserted: a miss of a goal is shown as such.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from hwcost.case import prepare
from hwcost.catalog import load_catalog
from hwcost.engine import make_plan, solve_case
from hwcost.options import compare
from hwcost.report import write_workbook
from hwcost.scenario_io import DEFAULT_SCENARIO, bundled_scenarios, load_scenario, with_changes

ROOT = Path(__file__).resolve().parent.parent
SCHEMA = "hwcost.speed/1"
LESS_BUDGET = 0.9
# Seconds that a user should not have to exceed, on two cores of 2020 or newer.
GOALS_S = {"start_s": 1.0, "plan_cold_s": 2.0, "resolve_s": 1.0, "compare_s": 3.0, "workbook_s": 1.0}
COLD = (
    "import sys; sys.path.insert(0, sys.argv[1]); from hwcost.catalog import load_catalog;"
    "from hwcost.scenario_io import load_scenario; from hwcost.engine import make_plan;"
    "catalog = load_catalog(); print(make_plan(load_scenario(sys.argv[2], catalog), catalog).status)"
)
LARGE = Path(__file__).resolve().parent / "large.py"
LARGE_CARDS, LARGE_SECONDS = 1000, 60.0
LEVELS = (0.6, 2.7, 8.0, 27.0)  # optima of about 3, 10, 30 and 100 machines
HEADLINE_LEVEL = 2.7
GROWTH_CARDS = (10, 100, 1000)
# (below so many machines, largest gap that is acceptable, largest gap that is aimed at)
GAPS = ((10, 0.05, 0.01), (math.inf, 0.02, 0.003))
START = "import sys; sys.path.insert(0, sys.argv[1]); import hwcost.cli"


@dataclass(frozen=True)
class Timing:
    """One measurement: seconds, and how many yardsticks they are."""

    seconds: float
    yardsticks: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenario", nargs="+", default=[DEFAULT_SCENARIO], choices=sorted(bundled_scenarios()))
    parser.add_argument("--runs", type=int, default=5, help="runs of each figure (default 5)")
    parser.add_argument("--json", metavar="F", help="write the figures as JSON; - is standard output")
    parser.add_argument("--large", action="store_true", help="solve the synthetic market too (some six minutes)")
    options = parser.parse_args()
    if options.runs < 1:
        parser.error("--runs must be 1 or more")
    record = measure(options.scenario, options.runs)
    record |= measure_large() if options.large else {"large": None, "growth": []}
    text = json.dumps(record, indent=2, ensure_ascii=False) + "\n"
    if options.json == "-":
        print(text, end="")
        return
    print(as_table(record))
    if options.json is not None:
        Path(options.json).write_text(text, encoding="utf-8")


def measure(scenarios: list[str], runs: int) -> dict[str, Any]:
    """The record: figures of the first scenario at the top, of every one under `scenarios`."""
    found = {name: measure_one(name, runs) for name in scenarios}
    first = found[scenarios[0]]
    return {
        "schema": SCHEMA,
        **{name: first["median_s"].get(name) for name in GOALS_S},
        "goals_s": GOALS_S,
        "runs": runs,
        "scenarios": found,
        "machine": {
            "python": platform.python_version(), "pulp": version("pulp"), "highspy": version("highspy"),
            "system": platform.platform(), "cores": os.cpu_count(), "load_average": os.getloadavg()[0],
        },
    }  # fmt: skip


def measure_one(name: str, runs: int) -> dict[str, Any]:
    """Medians, ranges and multiples for one scenario, and what was solved."""
    catalog = load_catalog()
    scenario = load_scenario(name, catalog)
    case = prepare(scenario, catalog)
    plan = solve_case(case)
    less = with_changes(scenario, budget=LESS_BUDGET * scenario.budget) if scenario.budget else scenario
    jobs: dict[str, Callable[[], object]] = {
        "start_s": lambda: _fresh(START, name),
        "plan_cold_s": lambda: _fresh(COLD, name),
        "resolve_s": lambda: make_plan(less, catalog),
    }
    if plan.has_plan:
        comparison = compare(case, best=plan)
        jobs["compare_s"] = lambda: compare(case, best=plan)
        jobs["workbook_s"] = lambda: _workbook(plan, comparison)
    timings = {figure: [_timed(job) for _ in range(runs)] for figure, job in jobs.items()}
    return {
        "status": plan.status,
        "workloads": len(scenario.workloads),
        "years": scenario.horizon_years,
        "builds": len(case.build_set.builds),
        "builds_undominated": len(case.builds),
        "ways": len(case.ways),
        "median_s": {figure: median(t.seconds for t in found) for figure, found in timings.items()},
        "range_s": {figure: _ends([t.seconds for t in found]) for figure, found in timings.items()},
        "median_yardsticks": {figure: median(t.yardsticks for t in found) for figure, found in timings.items()},
    }


def measure_large() -> dict[str, Any]:
    """The synthetic market at every level, and its growth at one of them."""
    levels = [_solve_large(LARGE_CARDS, level) for level in LEVELS]
    head = levels[LEVELS.index(HEADLINE_LEVEL)]
    smaller = [_solve_large(cards, HEADLINE_LEVEL) for cards in GROWTH_CARDS if cards != LARGE_CARDS]
    growth = [*smaller, head]
    return {
        "large": {**{name: head[name] for name in ("seconds", "gap", "plain_gap", "peak_rss_gib")}, "levels": levels},
        "growth": [
            {
                "cards": found["cards"],
                "seconds": found["bounded_s"],
                "builds": found["builds"],
                "machines_s": found["machines_s"],
            }
            for found in growth
        ],
    }


def _solve_large(cards: int, level: float) -> dict[str, Any]:
    """One market in a process of its own, so that its peak of memory is its own."""
    command = [
        sys.executable,
        str(LARGE),
        "--cards",
        str(cards),
        "--level",
        str(level),
        "--seconds",
        f"{LARGE_SECONDS:g}",
    ]
    found: dict[str, Any] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return found | judge(found["gap"], found["nodes"])


def judge(gap: float | None, machines: float) -> dict[str, Any]:
    """Floor and goal for a plan of so many machines, and which of them the gap meets."""
    floor, goal = next((floor, goal) for below, floor, goal in GAPS if machines < below)
    verdict = "goal met" if gap is not None and gap <= goal else "floor met, goal missed"
    if gap is None or gap > floor:
        verdict = "floor missed"
    return {"floor": floor, "goal": goal, "verdict": verdict}


def _timed(job: Callable[[], object]) -> Timing:
    yardstick = _seconds(lambda: sum(n * n for n in range(2_000_000)))
    seconds = _seconds(job)
    return Timing(seconds, seconds / yardstick)


def _seconds(job: Callable[[], object]) -> float:
    started = time.perf_counter()
    job()
    return time.perf_counter() - started


def _ends(values: list[float]) -> tuple[float, float]:
    return min(values), max(values)


def _fresh(code: str, scenario: str) -> None:
    """Run `code` in a new process; what it says is checked only for its end."""
    subprocess.run([sys.executable, "-c", code, str(ROOT), scenario], check=True, capture_output=True)


def _workbook(plan: Any, comparison: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        write_workbook(plan, comparison, Path(folder) / "speed.xlsx", "en")


def as_table(record: dict[str, Any]) -> str:
    """The figures for a reader."""
    lines = []
    load, cores = record["machine"]["load_average"], record["machine"]["cores"]
    if load > cores:
        lines.append(
            f"other work runs on this machine (load {load:.1f} on {cores} cores): seconds and gaps are worse than alone"
        )
    for name, found in record["scenarios"].items():
        lines.append(
            f"{name}: {found['builds']} machines ({found['builds_undominated']} undominated), {found['ways']} ways, "
            f"{found['workloads']} jobs, {found['years']} years; {found['status']}; {record['runs']} runs"
        )
        lines.append(f"  {'figure':<12} {'median s':>9} {'range s':>15} {'yardsticks':>11} {'goal s':>7}")
        for figure, seconds in found["median_s"].items():
            low, high = found["range_s"][figure]
            goal = record["goals_s"][figure]
            met = "" if seconds <= goal else "  missed"
            multiple = found["median_yardsticks"][figure]
            lines.append(f"  {figure:<12} {seconds:>9.3f} {low:>7.3f}-{high:<7.3f} {multiple:>11.1f} {goal:>7.1f}{met}")
    return "\n".join(lines + (large_table(record) if record.get("large") else []))


def large_table(record: dict[str, Any]) -> list[str]:
    """The synthetic market for a reader: a line per level, then the growth."""
    lines = [
        f"market of {LARGE_CARDS:,} cards, five years, one purchase date, 100 kinds of jobs",
        f"  {'level':>6} {'bought':>7} {'gap':>7} {'plain gap':>10} {'floor':>6} {'goal':>6} {'seconds':>8} "
        f"{'CPU s':>7} {'GiB':>5}  verdict",
    ]
    for found in record["large"]["levels"]:
        gap, plain = (_percent(found[name]) for name in ("gap", "plain_gap"))
        lines.append(
            f"  {found['level']:>6g} {found['nodes']:>7.0f} {gap:>7} {plain:>10} {found['floor']:>6.1%} "
            f"{found['goal']:>6.1%} {found['seconds']:>8.1f} {found['processor_s']:>7.1f} "
            f"{found['peak_rss_gib']:>5.2f}  {found['verdict']}"
        )
    first = record["growth"][0]
    lines.append(f"  {'cards':>6} {'machines':>16} {'seconds':>7} {'of the first':>13}")
    for found in record["growth"]:
        ratio = found["seconds"] / first["seconds"]
        lines.append(f"  {found['cards']:>6} {found['builds']:>16,} {found['seconds']:>7.1f} {ratio:>12.1f}x")
    return lines


def _percent(share: float | None) -> str:
    return "no plan" if share is None else f"{share:.2%}"


if __name__ == "__main__":
    main()
