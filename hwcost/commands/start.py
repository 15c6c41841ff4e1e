"""`hwcost start`: the twelve questions at the terminal or from a file, and the scenario that follows, as TOML."""

from __future__ import annotations

import argparse
import dataclasses
import re
from pathlib import Path
from typing import Any

from hwcost import demand
from hwcost.answers_io import Answers, answers_from_dict, bundled_answers, load_answers
from hwcost.atomic import output_problems, write_text
from hwcost.catalog import load_catalog
from hwcost.commands.ask import ask
from hwcost.commands.session import Session, check_outputs, written
from hwcost.commands.table import table
from hwcost.errors import InputError, Problem
from hwcost.messages import texts
from hwcost.quantities import hours_text, memory_text, money_text, number_text, percent_text
from hwcost.scenario_text import scenario_text
from hwcost.start import Started, comment_keys, start
from hwcost.start_work import Item

SCHEMA = "hwcost.start/1"
SHOWN_TB = 0.01
IDLE_SHARE = 0.25  # of the held hours: below it, computing is not what limits the group


def run(args: argparse.Namespace, session: Session) -> int:
    """Ask or read, derive, write the scenario, show what follows. A fault writes nothing."""
    outputs = check_outputs(session)
    if args.out is not None:  # before anybody answers twelve questions
        outputs += _target_problems(Path(args.out), args)
    if outputs:
        raise InputError(outputs)
    catalog = load_catalog(Path(args.catalog) if args.catalog is not None else None)
    if args.input is None:
        answers = answers_from_dict(ask(session, catalog), catalog)
    else:
        answers = load_answers(args.input, catalog)
    target = Path(args.out) if args.out is not None else Path(f"{answers.id}-scenario.toml")
    if found := _target_problems(target, args):
        raise InputError(found)
    started = start(answers, catalog)
    text = file_text(started, session)
    written(session, "--out", target, lambda path: write_text(path, text))
    session.show(lines(started, session, target))
    session.write_json(record(started, target))
    return 0


def _target_problems(target: Path, args: argparse.Namespace) -> list[Problem]:
    """What keeps the scenario from being written: its folder, a file that is there, the answers themselves."""
    place = f"--out {target}"
    source = bundled_answers().get(args.input, Path(args.input)) if args.input is not None else None
    if source is not None and source.exists() and target.exists() and source.samefile(target):
        return [Problem("output_is_input", file=place, value=str(target))]
    if target.is_file() and not args.force:
        return [Problem("output_exists", file=place, value=str(target))]
    return output_problems("--out", target, ".toml")


# --- words ---


def field_text(item: Item, session: Session) -> str:
    """The name of an answer: "train[2].now.hours" is "One run now (2)"."""
    if item.becomes == "objective":
        return session.say("start.field.objective")
    name, index = re.sub(r"\[\d+\]", "", item.key), re.search(r"\[(\d+)\]", item.key)
    text = session.say(f"start.field.{name}")
    return session.say("start.numbered", field=text, number=index[1]) if index else text


def value_of(item: Item, session: Session) -> str:
    """A derived value with its unit, words of the program in the reader's language."""
    if isinstance(item.value, bool):
        return session.say("start.yes" if item.value else "start.no")
    if isinstance(item.value, int | float):
        unit = f"start.unit.{item.unit}"
        return f"{item.value:,.10g} {session.say(unit) if unit in texts() else item.unit}".rstrip()
    word = f"start.value.{item.value}"
    return session.say(word) if word in texts() else str(item.value) or "—"


def file_text(started: Started, session: Session) -> str:
    """The scenario as TOML, with the answer behind each figure as a comment."""
    comments: dict[str, list[str]] = {}
    for key, items in comment_keys(started).items():
        comments[key] = [
            session.say("start.comment", number=item.question, field=field_text(item, session),
                        answer=item.answer or session.say("start.no_answer"),
                        origin=session.say(f"start.origin.{item.origin}"))
            for item in items
        ]  # fmt: skip
    return scenario_text(started.document, comments, [session.say("start.head")])


def lines(started: Started, session: Session, target: Path) -> list[str]:
    """Everything a reader needs: answers, demand, the three hours, waiting, rules, and what is only noted."""
    parts = [_answers(started, session), _jobs(started, session), _hours(started, session), _stores(started, session),
             _waiting(started, session), _rules(started.answers, session), _noted(started, session)]  # fmt: skip
    text: list[str] = []
    for part in parts:
        if part:
            text += [*part, ""]
    return [*text, session.say("start.next", path=target)]


def _titles(session: Session, *names: str) -> list[str]:
    return [session.say(f"start.{name}") for name in names]


def _answers(started: Started, session: Session) -> list[str]:
    rows = [
        [str(item.question), field_text(item, session), item.answer or "—",
         session.say(f"start.origin.{item.origin}"), value_of(item, session), item.becomes or "—"]
        for item in sorted(started.items, key=lambda item: item.question)
    ]  # fmt: skip
    titles = _titles(session, "question", "field", "answer", "origin", "value", "becomes")
    return [session.say("start.title"), *table(titles, rows)]


def _jobs(started: Started, session: Session) -> list[str]:
    lang = session.lang
    rows = [
        [job.name_zh if lang == "zh" else job.name, number_text(job.people, lang, 1), str(job.at_once),
         str(job.per_card), number_text(job.batch, lang), memory_text(job.memory_mib, lang),
         number_text(job.runs_per_year, lang), hours_text(job.hours_per_run, lang),
         number_text(job.busy_card_hours, lang)]
        for job in started.jobs
    ]  # fmt: skip
    titles = _titles(session, "job", "people", "at_once", "per_card", "batch", "memory", "runs", "one_run",
                     "busy_hours")  # fmt: skip
    shown = table(titles, rows, right=tuple(range(1, 9)))
    return [session.say("start.jobs", card=started.reference), *shown]


def _hours(started: Started, session: Session) -> list[str]:
    hours, lang = started.hours, session.lang
    busy, held = number_text(hours.busy_card_hours, lang), number_text(hours.held_card_hours, lang)
    text = [session.say("start.hours"), session.say("start.busy", hours=busy), session.say("start.held", hours=held),
            session.say("start.wall", hours=number_text(hours.wall_hours, lang))]  # fmt: skip
    if hours.busy_card_hours < IDLE_SHARE * hours.held_card_hours:
        text.append(session.say("start.advice_compute", busy=busy, held=held))
    return text


def _stores(started: Started, session: Session) -> list[str]:
    """Room and reading speed of the data, whether it stays in memory, and the storage that suffices."""
    if not started.stores:
        return []
    lang, rows = session.lang, []
    for store in started.stores:
        need = store.need
        names = [tier.name_zh if lang == "zh" else tier.name for tier in store.tiers]
        speed = f"{number_text(store.readers * need.read_mb_s, lang)} MB/s"
        rows.append(
            [store.job.name_zh if lang == "zh" else store.job.name,
             f"{number_text(need.capacity_tb, lang, 2)} TB" if need.capacity_tb >= SHOWN_TB else f"< {SHOWN_TB} TB",
             session.say("start.in_memory") if need.stays_in_ram else speed,
             session.say("start.any_tier") if need.stays_in_ram else (names or [session.say("start.no_tier")])[0]]
        )  # fmt: skip
    titles = _titles(session, "job", "room", "read_speed", "least_tier")
    return [session.say("start.stores", card=started.reference), *table(titles, rows, right=(1,))]


def _waiting(started: Started, session: Session) -> list[str]:
    if not started.at_once:
        return []
    rows = []
    for cards, alone, shared in started.waits:
        row = [str(cards)]
        for wait in (alone, shared):
            share = percent_text(wait.share, session.lang, 0)
            row.append(f"{wait.people_waiting} ({share})" if wait.people_waiting else session.say("start.nobody"))
            row.append(hours_text(wait.hours, session.lang))
        opened = alone.open_hours
        row.append(session.say("start.grows") if opened is None else hours_text(opened, session.lang))
        rows.append(row)
    titles = _titles(session, "cards", "waits", "wait", "waits_shared", "wait", "open_wait")
    title = session.say("start.waiting", people=started.at_once)
    return [title, *table(titles, rows, right=(0,))]


def _rules(answers: Answers, session: Session) -> list[str]:
    rows = [
        [session.say(f"start.rule.{name}"), f"{getattr(answers.rules, name):g}", name,
         session.say(f"start.origin.{answers.origin(f'assumption.{name}')}")]
        for name in demand.Rules.__dataclass_fields__
    ]  # fmt: skip
    return [session.say("start.rules"), *table(_titles(session, "name", "value_plain", "key", "origin"), rows, (1,))]


def _noted(started: Started, session: Session) -> list[str]:
    currency, lang = started.answers.currency, session.lang
    text = []
    for note in started.notes:
        values = dict(note.values)
        if "hours" in values:
            values["hours"] = number_text(values["hours"], lang)
        for name in ("cost", "funds", "budget"):
            if name in values:
                values[name] = money_text(values[name], currency, lang)
        text.append("- " + session.say(f"start.note.{note.code}", **values))
    return [session.say("start.noted"), *text] if text else []


def record(started: Started, target: Path) -> dict[str, Any]:
    """The JSON record: the scenario's document with all answers, and the waiting by number of cards."""
    return {
        "schema": SCHEMA, "scenario_sha256": started.scenario.sha256, "written": str(target),
        "answers": started.document["answers"], "cards_for_all": started.cards_for_all,
        "waiting": [
            {"cards": cards, "alone": dataclasses.asdict(alone), "shared": dataclasses.asdict(shared)}
            for cards, alone, shared in started.waits
        ],
        "storage": [
            {"workload": store.job.table["id"], "readers": store.readers, **dataclasses.asdict(store.need),
             "suffices": [tier.id for tier in store.tiers]}
            for store in started.stores
        ],
        "notes": [{"code": note.code, **note.values} for note in started.notes],
    }  # fmt: skip
