"""The run record, last: what was computed, from which inputs, by which solver, and what was not considered."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import hwcost
from hwcost.messages import say
from hwcost.messages.rules import sentence
from hwcost.names import scenario_name
from hwcost.plan import Plan
from hwcost.quantities import percent_text
from hwcost.report.book import Ref, Sheet
from hwcost.solver import SOLVERS, solver_version


def write(sheet: Sheet, plan: Plan, today: date, sentences: Sequence[str] = ()) -> list[Ref]:
    """Returns the cells of `sentences`: the answer as it was computed, which the summary shows while it holds."""
    book, lang = sheet.book, sheet.book.lang
    scenario = plan.case.scenario
    sheet.fixed |= {0: 34.0, 1: 60.0, 2: 26.0, 3: 14.0, 4: 12.0}
    sheet.text(0, 0, book.say("sheet.record"), weight="title", fit=False)
    gap = percent_text(plan.gap, lang, 4) if plan.gap is not None else book.say("not_stated")
    facts = [
        ("run", book.run_id),
        ("program", f"hwcost {hwcost.__version__}"),
        ("scenario", f"{scenario.id}: {scenario_name(scenario, lang)}"),
        ("scenario_sha", scenario.sha256),
        ("catalog_sha", plan.case.catalog.sha256),
        ("as_of", scenario.as_of.isoformat()),
        ("written", today.isoformat()),
        ("objective", say(f"objective.{plan.objective}", lang)),
        ("status", say(f"status.{plan.status}", lang)),
        ("gap", gap),
        ("solver", f"{SOLVERS[plan.solver]} {solver_version(plan.solver)}".strip()),
        ("seconds", f"{plan.seconds:.2f}"),
        ("candidates", f"{len(plan.case.builds)} / {len(plan.case.build_set.builds)}"),
    ]
    row = 2
    for key, value in facts:
        sheet.text(row, 0, book.say(f"record.{key}"), fit=False)
        sheet.text(row, 1, value, wrap=True)
        row += 1
    cells = []
    if sentences:
        sheet.text(row + 1, 0, book.say("record.sentences"), weight="heading", fit=False)
        row += 2
        for sentence_text in sentences:
            cells.append(sheet.text(row, 0, sentence_text, wrap=True, across=5))
            row += 1
    row = _stages(sheet, row + 1, plan)
    _left_out(sheet, row + 1, plan)
    sheet.finish()
    return cells


def _stages(sheet: Sheet, row: int, plan: Plan) -> int:
    book, lang = sheet.book, sheet.book.lang
    sheet.text(row, 0, book.say("record.stages"), weight="heading", fit=False)
    sheet.headers(row + 1, 0, [book.say(f"col.{n}") for n in ("level", "stage_status", "value", "gap", "seconds")])
    row += 2
    for stage in plan.stages:
        sheet.text(row, 0, say(f"level.{stage.name}", lang))
        sheet.text(row, 1, book.say(f"stage.{stage.status}"))
        sheet.number(row, 2, stage.value, "quantity")
        sheet.number(row, 3, stage.gap, "percent")
        sheet.number(row, 4, stage.seconds, "quantity")
        row += 1
    return row


def _left_out(sheet: Sheet, row: int, plan: Plan) -> None:
    """Items of the catalog that took no part, each with its reason."""
    book, lang = sheet.book, sheet.book.lang
    if not plan.not_considered:
        return
    sheet.text(row, 0, book.say("record.left_out"), weight="heading", fit=False)
    sheet.headers(row + 1, 0, [book.say("col.item"), book.say("col.reason_left_out")])
    row += 2
    for refusal in plan.not_considered:
        sheet.text(row, 0, refusal.item_zh if lang == "zh" else refusal.item, wrap=True)
        reasons = ("" if lang == "zh" else " ").join(sentence(b, lang) for b in refusal.breaches)
        sheet.text(row, 1, reasons, wrap=True)
        row += 1
