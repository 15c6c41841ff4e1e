"""Workload and machine-hours: the answers as given, the work of a year, and busy, held and wall hours."""

from __future__ import annotations

import math
from typing import Any

from hwcost.machine_hours import YARDSTICKS, JobHours, MachineHours
from hwcost.messages import say, texts
from hwcost.names import workload_name
from hwcost.plan import Plan
from hwcost.report.book import Ref, Sheet, cell, literal, rows_fixed
from hwcost.report.cells import sheet_round
from hwcost.report.inputs import CONSTANTS

NAME, PEOPLE, WANTED, RUNS, HOURS, PER_RUN, BUSY, EVIDENCE = range(8)
HEADS = ("workload", "people", "wanted", "runs", "hours", "per_run", "busy", "evidence")
WIDTHS = {NAME: 40.0, PEOPLE: 22.0, WANTED: 16.0, RUNS: 14.0, HOURS: 14.0, PER_RUN: 14.0, BUSY: 16.0, EVIDENCE: 34.0}
BLOCK = "█"


def write(sheet: Sheet, plan: Plan, found: MachineHours) -> None:
    book = sheet.book
    sheet.fixed |= WIDTHS
    sheet.text(0, 0, book.say("sheet.work"), weight="title", fit=False)
    sheet.text(1, 0, book.say("work.how"), weight="note", wrap=True, across=EVIDENCE + 1)
    row, busy = _jobs(sheet, 3, plan, found)
    row = _hours(sheet, row + 1, found, busy)
    _answers(sheet, row + 1, plan.case.scenario.answers)
    sheet.finish(freeze=(2, 0))


def _jobs(sheet: Sheet, row: int, plan: Plan, found: MachineHours) -> tuple[int, Ref]:
    """One row for each kind of work; returns the next row and the sum of the busy hours."""
    book = sheet.book
    sheet.text(row, 0, book.say("work.jobs"), weight="heading", fit=False)
    sheet.headers(row + 1, 0, [book.say(f"work.col.{n}") for n in HEADS])
    first = row = row + 2
    for job in found.jobs:
        _job(sheet, row, plan, job)
        row += 1
    sheet.text(row, NAME, book.say("work.all"), weight="total")
    sums = {
        PEOPLE: sum(j.people_at_once for j in found.jobs),
        WANTED: math.fsum(j.runs_wanted for j in found.jobs),
        RUNS: math.fsum(j.runs for j in found.jobs),
        BUSY: math.fsum(j.busy_card_hours for j in found.jobs),
    }
    for column in (HOURS, PER_RUN, EVIDENCE):
        sheet.text(row, column, "", weight="total")
    refs = {}
    for column, value in sums.items():
        formula = f"SUM({rows_fixed(first, row - 1, column)})" if row > first else "0"
        kind = "count" if column == PEOPLE else "tenths"
        refs[column] = sheet.formula(row, column, formula, float(value), kind, weight="total")
    return row + 1, refs[BUSY]


def _job(sheet: Sheet, row: int, plan: Plan, job: JobHours) -> None:
    lang = sheet.book.lang
    sheet.text(row, NAME, workload_name(plan.case.workload_by_id[job.workload_id], lang), wrap=True)
    sheet.number(row, PEOPLE, float(job.people_at_once), "count")
    sheet.number(row, WANTED, job.runs_wanted, "tenths")
    sheet.number(row, RUNS, job.runs, "tenths", role="solver")
    sheet.number(row, HOURS, job.hours_per_run, "quantity", role="solver")
    per_run = job.busy_card_hours / job.runs if job.runs else None
    sheet.number(row, PER_RUN, per_run, "quantity", role="solver")
    sheet.formula(row, BUSY, f"{cell(row, RUNS)}*{cell(row, PER_RUN)}", job.busy_card_hours, "tenths")
    join = "、" if lang == "zh" else ", "
    sheet.text(row, EVIDENCE, join.join(say(f"evidence.{tier}", lang) for tier in job.evidence), wrap=True)


def _hours(sheet: Sheet, row: int, found: MachineHours, busy: Ref) -> int:
    """The three figures; held hours follow from people, weeks and busy hours, wall hours are the program's."""
    book, rules, hours = sheet.book, found.rules, found.hours
    sheet.text(row, 0, book.say("work.hours"), weight="heading", fit=False)
    row += 1
    places = {}
    for key, value in (("people", float(found.people)), ("week", rules.held_hours_per_person_week),
                       ("weeks", rules.weeks_per_year), ("per_busy", rules.held_per_busy)):  # fmt: skip
        sheet.text(row, NAME, book.say(f"work.{key}"), wrap=True)
        places[key] = sheet.number(row, PEOPLE, value, "plain")
        row += 1
    at = {key: ref.at(sheet.title) for key, ref in places.items()}
    sheet.text(row, NAME, book.say("work.col.busy"), weight="total")
    own = sheet.formula(row, PEOPLE, busy.at(sheet.title), busy.value, "tenths", weight="total")
    row += 1
    sheet.text(row, NAME, book.say("work.held"), weight="total")
    people = f"{at['people']}*{at['week']}*{at['weeks']}"
    held = f"MAX({people},{at['per_busy']}*{own.at(sheet.title)})" if found.people else own.at(sheet.title)
    sheet.formula(row, PEOPLE, held, hours.held_card_hours, "tenths", weight="total")
    row += 1
    sheet.text(row, NAME, book.say("work.wall"), weight="total", wrap=True)
    wall = sheet.number(row, PEOPLE, hours.wall_hours, "tenths", role="solver", weight="total")
    row += 1
    if not found.people_stated:
        sheet.text(row, NAME, book.say("work.people_note"), weight="note", wrap=True, across=EVIDENCE + 1)
        row += 1
    return _yardsticks(sheet, row + 1, wall, found)


def _yardsticks(sheet: Sheet, row: int, wall: Ref, found: MachineHours) -> int:
    """A bar of blocks for the wall hours and for each yardstick."""
    book = sheet.book
    sheet.text(row, 0, book.say("work.yardsticks"), weight="heading", fit=False)
    row += 1
    block = CONSTANTS["bar_hours"][0]
    lines = [("here", wall.value, wall), *((None, y, None) for y in YARDSTICKS)]
    for key, value, ref in lines:
        label = book.say("work.here") if key else book.say("work.yardstick", hours=f"{value:,.0f}")
        sheet.text(row, NAME, label)
        if ref is not None:
            sheet.formula(row, PEOPLE, ref.at(sheet.title), value, "tenths", role="link")
        else:
            sheet.number(row, PEOPLE, value, "count")
        blocks = int(sheet_round(value / block, 0))
        formula = f"REPT({literal(BLOCK)},ROUND({cell(row, PEOPLE)}/in_bar_hours,0))"
        sheet.formula(row, RUNS, formula, BLOCK * blocks, "text", weight="none", fit=False)
        if ref is None:
            words = book.say("work.reached"), book.say("work.not_reached")
            formula = f"IF({wall.at(sheet.title)}>={cell(row, PEOPLE)},{literal(words[0])},{literal(words[1])})"
            sheet.formula(row, WANTED, formula, words[0] if found.reaches(value) else words[1], "text")
        row += 1
    sheet.text(row, 0, book.say("work.analogy"), weight="note", wrap=True, across=EVIDENCE + 1)
    return row + 1


def _answers(sheet: Sheet, row: int, answers: dict[str, Any]) -> None:
    """What the start form was told, and what followed."""
    book = sheet.book
    sheet.text(row, 0, book.say("work.answers"), weight="heading", fit=False)
    derived = answers.get("derived", ())
    if not derived:
        sheet.text(row + 1, 0, book.say("work.no_answers"), weight="note", fit=False)
        return
    sheet.headers(row + 1, 0, [book.say(f"work.col.{n}") for n in ("question", "answer", "follows", "origin")])
    row += 2
    for item in derived:
        sheet.text(row, NAME, _question(item, book.lang), wrap=True)
        sheet.text(row, PEOPLE, str(item.get("answer", "")), wrap=True)
        value = f"{item.get('value', '')}"
        sheet.text(row, WANTED, f"{value} {item.get('unit', '')}".strip() if value else "", wrap=True)
        key = f"report.work.origin.{item.get('origin', '')}"
        sheet.text(row, RUNS, say(key, book.lang) if key in texts() else "", wrap=True)
        row += 1


def _question(item: dict[str, Any], lang: str) -> str:
    """The question of the start form by its number, and the figure that it is about."""
    number = item.get("question", "")
    key = next((k for k in (f"start.q{number}", f"start.question.{number}") if k in texts()), "")
    name = say(key, lang) if key else str(item.get("key", ""))
    return f"{number}. {name}"
