"""`hwcost catalog import FILE`: reads a quotation, asks what is open, shows what would change, writes it."""

from __future__ import annotations

import argparse
import re
import sys
from typing import Any

from hwcost.catalog import tables_dir
from hwcost.commands.session import Session
from hwcost.commands.table import table
from hwcost.errors import InputError, Problem
from hwcost.intake import Changes, Question, apply_changes, plan_changes, read_quote, target_folder
from hwcost.intake.offered import fits, offered
from hwcost.intake.sayings import choice_text, question_text, said_text
from hwcost.quantities import QuantityError, money_exact, parse_bool, percent_text
from hwcost.records import Catalog
from hwcost.scenario import Scenario
from hwcost.scenario_io import load_scenario

SCHEMA = "hwcost.import/1"
CONFIGURATION = "{cards} x {card_id}, {chassis_id}, {psu_count} x {psu_id}, {ram_gib} GiB, {storage_id}"
MOST_QUESTIONS = 500  # more than any quotation leaves open; ends a loop on an answer that settles nothing
OPTIONS = ("vendor", "quote_number", "date", "valid_until", "currency", "tax_included", "region", "price_kind", "sheet",
           "encoding")  # fmt: skip


# ids of questions beside those of the options
IDS = re.compile(
    r"row\d+\.(item|price|amount|quantity|total|card|cards|chassis|psu|psu_count|storage|ram|warranty|delivery|far|date)|"
    r"block\d+\.layout|same\..+|column\.(price|amount)|header_row|decimal|date_order|extras|unknown|on_sale"
)


def run(args: argparse.Namespace, session: Session, catalog: Catalog) -> int:
    """Questions are put at the terminal; elsewhere they are listed, each with its id, and the status is 2."""
    scenario = load_scenario(args.scenario, catalog) if args.scenario else None
    answers = _given(args)
    folder = target_folder(args.to, args.catalog)
    changes = _settled(args.what, answers, catalog, scenario, session)
    problems = _rows_without_questions(changes, answers, args.what)
    problems += [_doubt(question, args.what, session) for question in changes.questions]
    if problems:
        raise InputError(problems)
    session.show(_shown(changes, session))
    session.write_json(record(changes, str(folder), session.lang))
    if not changes.ready:
        raise InputError([Problem("intake_nothing", file=args.what)])
    if args.dry_run:
        session.note(session.say("intake.dry_run", folder=folder))
        return 0
    if not args.yes and sys.stdin.isatty() and not _confirmed(session, str(folder)):
        session.note(session.say("intake.not_confirmed"))
        return 0
    apply_changes(changes, folder)
    done = "intake.done_home" if folder == tables_dir() else "intake.done"
    session.note(session.say(done, folder=folder))
    return 0


def _given(args: argparse.Namespace) -> dict[str, str]:
    """Answers of the options. Raises `InputError` for one that is not "question=answer"."""
    answers = {name: getattr(args, name) for name in OPTIONS if getattr(args, name, None)}
    if args.on_sale:
        answers["on_sale"] = "yes"
    if "currency" in answers:
        answers["currency"] = answers["currency"].upper()
    problems = []
    for text in args.answer or []:
        name, equals, value = text.partition("=")
        if not equals or not name.strip() or not value.strip():
            problems.append(Problem("intake_answer", file="--answer", value=text))
        elif name.strip() not in OPTIONS and not IDS.fullmatch(name.strip()):
            problems.append(Problem("intake_answer_unknown", file="--answer", value=name.strip()))
        else:
            answers[name.strip()] = value.strip()
    problems += [_not_offered(name, value) for name, value in answers.items() if not fits(name, value)]
    if problems:
        raise InputError(problems)
    return answers


def _not_offered(name: str, value: str) -> Problem:
    values = {"id": name, "expected": ", ".join(offered(name))}
    return Problem("intake_answer_choice", file="--answer", value=value, values=values)


def _rows_without_questions(changes: Changes, answers: dict[str, str], file: str) -> list[Problem]:
    """Answers about rows of which nothing was read: a slip of the pen, and the row that was meant goes on as it is."""
    reading = changes.reading
    if not reading.header_rows:
        return []  # the table itself is still open
    rows = {line.row for line in reading.lines} | {part.row for line in reading.lines for part in line.parts}
    rows |= {said.row for said in (*reading.rejected, *changes.left_out) if said.row}
    rows |= {check.row for check in reading.totals} | {q.row for q in changes.questions if q.row} | set(reading.reduced)
    found = [(name, re.match(r"(?:row|block)(\d+)\.", name)) for name in answers]
    return [Problem("intake_answer_row", file=file, value=name, values={"row": match[1]})
            for name, match in found if match and int(match[1]) not in rows]  # fmt: skip


def _settled(
    file: str, answers: dict[str, str], catalog: Catalog, scenario: Scenario | None, session: Session
) -> Changes:
    """The changes once every question is answered, or with those that nobody is there to answer."""
    at_terminal = sys.stdin.isatty() and not session.pure_json
    for _ in range(MOST_QUESTIONS):
        changes = plan_changes(read_quote(file, answers=answers), answers, catalog, scenario)
        if not changes.questions or not at_terminal:
            return changes
        question = changes.questions[0]
        answer = ask(question, session, catalog)
        if answer is None:
            return changes
        answers[question.id] = answer
    return changes


def ask(question: Question, session: Session, catalog: Catalog | None = None) -> str | None:
    """The answer somebody types: the number of a choice, or a text. None where the input ends."""
    session.note(question_text(question, session.lang))
    for number, choice in enumerate(question.choices, 1):
        session.note(f"  {number}. {choice_text(choice, session.lang, catalog)}")
    while True:
        print(session.say("intake.prompt"), end="", file=sys.stderr, flush=True)
        line = sys.stdin.readline()
        if not line:
            return None
        text = line.strip()
        picked = int(text) if text.isdigit() else 0
        if question.kind != "number" and 1 <= picked <= len(question.choices):
            return question.choices[picked - 1].value
        closed = question.kind == "choice" and question.key not in ("item", "card", "chassis", "psu", "storage")
        if text and (not closed or text in [choice.value for choice in question.choices]):
            return text
        session.note(session.say("intake.again"))


def _confirmed(session: Session, folder: str) -> bool:
    print(session.say("intake.confirm", folder=folder), end="", file=sys.stderr, flush=True)
    try:
        return parse_bool(sys.stdin.readline()) is True
    except QuantityError:
        return False


def _doubt(question: Question, file: str, session: Session) -> Problem:
    text = question_text(question, session.lang)
    offered = [choice.value for choice in question.choices]
    if offered:
        text += f" [{' | '.join(offered)}]"
    return Problem("intake_doubt", file=file, values={"question": text, "id": question.id})


# --- what is shown ---


def _shown(changes: Changes, session: Session) -> list[str]:
    reading, lang = changes.reading, session.lang
    header = ", ".join(str(row) for row in reading.header_rows)
    text = [session.say("intake.read", lines=len(reading.lines), name=reading.name, header=header)]
    for check in reading.totals:
        key = "intake.total_ok" if check.ok else "intake.total_differs"
        text.append(session.say(key, row=check.row, stated=f"{check.stated:,.2f}", read=f"{check.read:,.2f}"))
    names = ("row", "item", "amount", "tax", "difference", "valid", "what")
    columns = [session.say(f"intake.column.{name}") for name in names]
    rows = [
        [str(p.row), p.name, money_exact(float(p.cells["amount"]), p.cells["currency"], lang),
         session.say("intake.incl" if p.cells["tax_included"] == "yes" else "intake.excl"),
         _difference(p.difference, lang), p.cells["valid_until"] or "-",
         session.say("intake.replaces" if p.replaces else "intake.new")]
        for p in changes.prices
    ]  # fmt: skip
    if rows:
        text += ["", session.say("intake.heading.prices"), *table(columns, rows, right=(0, 2, 4))]
    machines = [
        [str(s.row), s.id, CONFIGURATION.format(**s.cells),
         session.say("intake.replaces" if s.replaces else "intake.new")]
        for s in changes.systems
    ]  # fmt: skip
    if machines:
        titles = [session.say(f"intake.column.{name}") for name in ("row", "id", "machine", "what")]
        text += ["", session.say("intake.heading.systems"), *table(titles, machines, right=(0,))]
    for name, said in (("left_out", changes.left_out), ("notes", changes.notes)):
        if said:
            text += ["", session.say(f"intake.heading.{name}"), *(f"  {said_text(item, lang)}" for item in said)]
    return text


def _difference(share: float | None, lang: str) -> str:
    return "-" if share is None else ("+" if share > 0 else "") + percent_text(share, lang)


def record(changes: Changes, folder: str, lang: str) -> dict[str, Any]:
    """The import as data: rows to write, lines left out, totals, what is open."""
    reading = changes.reading
    return {
        "schema": SCHEMA, "file": reading.name, "folder": folder, "encoding": reading.encoding,
        "separator": reading.separator, "sheet": reading.sheet, "header_rows": list(reading.header_rows),
        "prices": [{**p.cells, "row": p.row, "difference": p.difference, "replaces": p.replaces}
                   for p in changes.prices],
        "systems": [{**s.cells, "row": s.row, "replaces": s.replaces} for s in changes.systems],
        "availability": list(changes.availability),
        "left_out": [said_text(said, lang) for said in changes.left_out],
        "notes": [said_text(said, lang) for said in changes.notes],
        "totals": [{"row": c.row, "stated": c.stated, "read": c.read, "ok": c.ok} for c in reading.totals],
        "questions": [{"id": q.id, "text": question_text(q, lang), "choices": [c.value for c in q.choices]}
                      for q in changes.questions],
    }  # fmt: skip
