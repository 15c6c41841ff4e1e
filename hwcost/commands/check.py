"""`hwcost check`: everything that can be wrong before a solve, and what the catalog makes of the scenario."""

from __future__ import annotations

import argparse
from collections import Counter
from typing import Any

from hwcost.case import prepare
from hwcost.commands import plan_text
from hwcost.commands.session import Session, check_outputs, read_inputs
from hwcost.commands.table import table
from hwcost.measured_work import unused_rows
from hwcost.names import left_out_reason, listed, scenario_name
from hwcost.plan import Plan, Totals
from hwcost.quantities import number_text
from hwcost.record import plan_record, refusal_rows

SCHEMA = "hwcost.check/1"
MOST_RULES = 4


def run(args: argparse.Namespace, session: Session) -> int:
    """Read, join and evaluate without solving. Status 2 comes from the problems that reading raises."""
    scenario, catalog = read_inputs(args, session, check_outputs(session, source=args.input))
    session.progress("progress_prepare")
    case = prepare(scenario, catalog)
    nothing = Totals(0.0, 0.0, 0.0, 0.0, 0.0, {})
    unsolved = Plan(case, scenario.objective, "not_solved", None, 0.0, (), (), (), (), (), {}, (), nothing, (),
                    case.build_set.not_considered)  # fmt: skip
    record = plan_record(unsolved)
    counts = {
        "workloads": len(scenario.workloads), "cards": len(catalog.cards), "chassis": len(catalog.chassis),
        "prices": len(catalog.prices), "builds": len(case.build_set.builds), "ways": len(case.strategies.feasible),
        "refused": len(case.build_set.refusals),
    }  # fmt: skip
    text = [session.say("cli.check_ok", scenario=scenario_name(scenario, session.lang), **counts)]
    if not case.ways:
        text.append(session.say("cli.check_none"))
    refused = Counter(b.rule for r in case.build_set.refusals for b in r.breaches)
    if refused:
        names = [left_out_reason(rule, session.lang) for rule, _ in refused.most_common(MOST_RULES)]
        rules = listed(names, session.lang, most=MOST_RULES)
        text.append(session.say("cli.check_refused", count=len(case.build_set.refusals), rules=rules))
    unused = [row.id for row in unused_rows(catalog, scenario.workloads)]
    if unused:
        text.append(session.say("cli.check_unmeasured", rows=listed(unused, session.lang, most=MOST_RULES)))
    sums = {"sha": catalog.sha256[:12], "sha_scenario": scenario.sha256[:12]}
    text.append(session.say("cli.check_catalog", **sums))
    for part in (_stale(record["inputs"]["stale"], session), plan_text.not_considered(unsolved, session)):
        if part:
            text += ["", *part]
    session.show(text)
    kept = ("inputs", "not_considered", "assumptions")
    refused_rows = refusal_rows(case.build_set.refusals)
    session.write_json({
        "schema": SCHEMA, "ok": True, "counts": counts, **{key: record[key] for key in kept}, "refused": refused_rows,
        **({"measured_steps_unused": unused} if catalog.calibrations else {}),
    })  # fmt: skip
    return 0


def _stale(rows: list[dict[str, Any]], session: Session) -> list[str]:
    cells = [
        [row["item"], session.say(f"pricekind.{row['kind']}"), row["as_of"], number_text(row["age_days"], session.lang),
         row["source"]]
        for row in rows
    ]  # fmt: skip
    titles = session.columns("item", "kind", "as_of", "age", "source")
    found = table(titles, cells, right=(3,))
    return [session.heading("stale"), *found] if found else [session.say("cli.none_stale")]
