"""`hwcost compare`: the options side by side, or named cards and whole machines head to head."""

from __future__ import annotations

import argparse
from dataclasses import replace

from hwcost.build import Build
from hwcost.case import Case, prepare, restrict
from hwcost.commands import plan_text
from hwcost.commands.plan import EXIT, find_conflict, find_enough, side_by_side
from hwcost.commands.session import Session, check_outputs, number_option, read_inputs
from hwcost.commands.table import table
from hwcost.engine import solve_case
from hwcost.errors import InputError, Problem
from hwcost.messages.rules import sentence
from hwcost.names import workload_name
from hwcost.options import Comparison
from hwcost.problems import nearest_match
from hwcost.quantities import UNKNOWN, hours_text
from hwcost.record import plan_record
from hwcost.records import Catalog
from hwcost.sentences import answer

SCHEMA = "hwcost.comparison/1"


def run(args: argparse.Namespace, session: Session) -> int:
    """Solve every option under one objective and show them beside each other."""
    problems = check_outputs(session, source=args.input)
    limit = number_option(args.time_limit, "--time-limit", problems)
    scenario, catalog = read_inputs(args, session, problems)
    wanted = _named(args.between or [], catalog)
    session.progress("progress_prepare")
    case = prepare(scenario, catalog)
    if wanted:
        case = _only(case, wanted, session.lang)
    plan = solve_case(case, args.objective, time_limit_s=limit, on_stage=session.on_stage())
    comparison = side_by_side(case, plan, session, limit)
    need = find_enough(plan, session, limit)
    conflict = None if plan.has_plan else find_conflict(plan, session, limit)
    text = [
        *answer(plan, comparison, session.lang, need=need, conflict=conflict), "",
        *plan_text.options(comparison, session), "",
        *plan_text.why_nots(comparison, session), "", *_jobs(comparison, session), "",
        *plan_text.status(plan, session),
    ]  # fmt: skip
    session.show(text)
    record = plan_record(plan, conflict, comparison, need=need)
    kept = ("answer", "enough", "solver", "objective", "inputs", "currency", "horizon_years", "discount_rate")
    session.write_json(
        {"schema": SCHEMA, **{key: record[key] for key in kept}, "chosen": comparison.chosen,
         "options": record["options"]}
    )  # fmt: skip
    return EXIT[plan.status]


def _jobs(comparison: Comparison, session: Session) -> list[str]:
    """For each option: the largest batch of each job on its card, and the time of one run."""
    scenario = comparison.best.case.scenario
    shown = [r for r in comparison.results if r.plan is not None and r.plan.purchases]
    rows = []
    for workload in scenario.workloads:
        cells = []
        for result in shown:
            largest = result.largest_batch.get(workload.id, 0)
            hours = result.typical_hours.get(workload.id)
            cells.append(f"{largest} / {hours_text(hours, session.lang)}" if largest else UNKNOWN)
        rows.append([workload_name(workload, session.lang), *cells])
    titles = [*session.columns("workload"), *(r.letter for r in shown)]
    found = table(titles, rows, right=tuple(range(1, len(titles))))
    return [session.heading("batches"), *found] if shown and found else []


def _named(names: list[str], catalog: Catalog) -> dict[str, str]:
    """Ids of the cards and systems named on the command line, each with the word that the user gave."""
    by_word = {word.lower(): item.id for table in (catalog.cards, catalog.systems)
               for item in table.values() for word in (item.id, item.name)}  # fmt: skip
    problems = []
    found: dict[str, str] = {}
    for name in names:
        identity = by_word.get(name.strip().lower())
        if identity is None:
            near = {"nearest": nearest_match(name, by_word)}
            problems.append(Problem("between_unknown", file="--between", value=name, values=near))
        else:
            found[identity] = name
    if problems:
        raise InputError(problems)
    return found


def _only(case: Case, wanted: dict[str, str], lang: str) -> Case:
    """The case with the machines of the named cards and systems only. Raises `InputError` where one has none."""

    def ids(build: Build) -> set[str]:
        return {build.card.id, build.system.id} if build.system else {build.card.id}

    problems = []
    for identity, name in wanted.items():
        if not any(identity in ids(b) for b in case.builds):
            refusals = [*case.build_set.not_considered, *case.build_set.refusals]
            reason = next((sentence(r.breaches[0], lang).rstrip(".。") for r in refusals if r.card_id == identity), "-")
            values = {"reason": reason}
            problems.append(Problem("between_not_buildable", file="--between", value=name, values=values))
    if problems:
        raise InputError(problems)
    named = restrict(case, lambda b: bool(ids(b) & set(wanted)))
    cards = {b.card.id for b in named.builds}
    kept = tuple(r for r in case.build_set.refusals if r.card_id in cards)
    return replace(named, build_set=replace(case.build_set, refusals=kept))
