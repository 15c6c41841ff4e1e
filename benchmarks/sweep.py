"""How long 200 re-solves of a bundled scenario take, each a full best plan at other prices, work, tariff and run times.

    python benchmarks/sweep.py [--scenario lab-default] [--solves 200] [--workers 2] [--objective cost] [--json F]

Every state is a draw of `hwcost sweep` (seed 1); the best plan among all machines is found anew under the objective.
A solve counts as proven where every level is within the gap that is stated. Times are wall-clock, start of the worker
processes included; the machine's other load is in them.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path
from typing import Any

from hwcost import pool, sweep, whatif
from hwcost.case import Case, prepare
from hwcost.catalog import load_catalog
from hwcost.scenario_io import load_scenario
from hwcost.solver import PROVEN_GAP
from hwcost.sweep import State


def solve(context: tuple[Case, str], state: State) -> tuple[bool, float, float]:
    """Whether the best plan of the state is proven, and the seconds it took: by the clock, and of the processor."""
    case, objective = context
    started, busy = time.perf_counter(), time.process_time()
    plan = whatif.solve(sweep.case_at(case, state), objective)
    return whatif.proven(plan), time.perf_counter() - started, time.process_time() - busy


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenario", default="lab-default")
    parser.add_argument("--solves", type=int, default=200)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--objective", default="cost", choices=("budget", "serve", "cost"))
    parser.add_argument("--json", default=None)
    args = parser.parse_args()
    catalog = load_catalog(None)
    case = prepare(load_scenario(args.scenario, catalog), catalog)
    states = sweep.states(case, prices=(), draws=args.solves, seed=1)
    started = time.perf_counter()
    outcome = pool.run(solve, (case, args.objective), states, workers=args.workers)
    seconds = time.perf_counter() - started
    done = outcome.done
    record: dict[str, Any] = {
        "scenario": args.scenario, "objective": args.objective, "builds": len(case.builds), "solves": len(done),
        "workers": args.workers, "gap": PROVEN_GAP, "seconds": seconds,
        "proven_share": sum(d[0] for d in done) / len(done), "median_solve_s": statistics.median(d[1] for d in done),
        "slowest_solve_s": max(d[1] for d in done),
        "processor_s": sum(d[2] for d in done),
    }  # fmt: skip
    print(
        f"{record['solves']} re-solves of {args.scenario} ({record['builds']} builds, objective {args.objective}) on "
        f"{args.workers} processes: {seconds:.1f} s; proven within a relative gap of {PROVEN_GAP:g}: "
        f"{record['proven_share']:.1%}; one solve {record['median_solve_s']:.3f} s (median), "
        f"{record['slowest_solve_s']:.3f} s (slowest); {record['processor_s']:.1f} s of processor time in all"
    )
    if args.json is not None:
        Path(args.json).write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
