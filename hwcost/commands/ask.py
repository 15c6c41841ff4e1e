"""The twelve questions at the terminal. Enter leaves a field open, "?" says "don't know"; both take the default."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Mapping
from typing import Any

from hwcost.answers_io import (
    DISKS,
    MEMORY_FROM,
    MOST_FUNDS,
    MOST_TRAININGS,
    PAYS,
    UNITS,
    WITHIN,
    budget_fault,
    is_unknown,
    word_of,
)
from hwcost.answers_io import SCHEMA as ANSWERS_SCHEMA
from hwcost.commands.session import Session
from hwcost.errors import Problem
from hwcost.messages import texts
from hwcost.problems import nearest_match, problem_text
from hwcost.quantities import QuantityError, parse_bool, parse_date, parse_number
from hwcost.records import REGIONS, Catalog
from hwcost.scenario import PAYERS, PLACES
from hwcost.scenario_defaults import REGION_CURRENCY
from hwcost.start import QUESTIONS, Question
from hwcost.start_defaults import default_answer
from hwcost.start_work import card_meant, meaning

REGION_OF_LANGUAGE = {"zh": "CN", "en": "EU"}
UNKNOWN = "?"
LISTS = {"fund": MOST_FUNDS, "train": MOST_TRAININGS, "own": 9}
COMMAS = re.compile(r"[,，、;；]")

Parser = Callable[[str], Any]
Kind = tuple[Parser, str, tuple[str, ...]]  # how it is read, which hint is shown, its choices


class _Wrong(ValueError):
    """An entry that cannot be used, with the problem to show."""

    def __init__(self, code: str, **values: Any) -> None:
        self.code, self.values = code, values
        super().__init__(code)


def ask(session: Session, catalog: Catalog) -> dict[str, Any]:
    """The document of answers that somebody types. Where the input ends, the rest stays open."""
    return _Asker(session, catalog).document()


class _Asker:
    def __init__(self, session: Session, catalog: Catalog) -> None:
        self.session = session
        self.kinds = _kinds(catalog)
        self.ended = False
        self.answers: dict[str, Any] = {"schema": ANSWERS_SCHEMA}

    def document(self) -> dict[str, Any]:
        session = self.session
        session.note(session.say("start.intro"))
        here = REGION_OF_LANGUAGE[session.lang]
        region = self.entry("start.region", (_word(REGIONS), "word", REGIONS), here)
        self.answers["region"] = here if region in (None, UNKNOWN) else region
        for question in QUESTIONS:
            if not self.ended:
                self.question(question)
        if self.ended:
            session.note(session.say("start.ended"))
        return self.answers

    def question(self, question: Question) -> None:
        """One question: its title, what it changes, and its fields, repeated where it may have several answers."""
        title = self.session.say(f"start.q{question.number}")
        self.session.note("")
        self.session.note(self.session.say("start.asked", number=question.number, title=title))
        what = self.session.say(f"start.q{question.number}.changes")
        self.session.note(f"   {self.session.say('start.changes', what=what)}")
        group = question.keys[0].partition(".")[0]
        if group not in LISTS:
            for key in question.keys:
                self.put(self.answers, key)
            while group == "budget" and not self.ended and self.wrong_budget():
                self.put(self.answers, "budget.amount")
                self.put(self.answers, "budget.unit")
        elif group == "train" and question.number > 4:
            for training in self.answers.get("train", []):
                self.session.note(f"   - {training.get('what', UNKNOWN)}")
                self.fields(training, question, stop_at_first=question.number == 7)
        else:
            self.several(group, question)

    def wrong_budget(self) -> bool:
        """True where the amount in its unit is one that no group has; says so and takes it back."""
        budget = self.answers.get("budget", {})
        if not isinstance(budget.get("amount"), float):
            return False
        unit = budget.get("unit", UNKNOWN)
        scale, currency = UNITS[REGION_CURRENCY[self.answers["region"]] if is_unknown(unit) else unit]
        fault = budget_fault(budget["amount"] * scale, currency)
        if fault:
            self.complain(Problem(fault[0], value=str(budget["amount"]), values=fault[1]))
            del budget["amount"]
        return fault is not None

    def complain(self, problem: Problem) -> None:
        self.session.note(self.session.say("start.again", problem=problem_text(problem, self.session.lang)))

    def several(self, group: str, question: Question) -> None:
        """Entries of a list until somebody has no other one."""
        entries: list[dict[str, Any]] = []
        while len(entries) < LISTS[group]:
            entry: dict[str, Any] = {}
            self.fields(entry, question)
            if not entry:
                break
            entries.append(entry)
            more = None if self.ended or len(entries) == LISTS[group] else self.another()
            if not more:
                break
        if entries:
            self.answers[group] = entries

    def another(self) -> bool:
        return self.entry("start.another", (_flag, "flag", ()), self.session.say("start.no")) is True

    def fields(self, entry: dict[str, Any], question: Question, stop_at_first: bool = False) -> None:
        """The fields of one entry. An open first field ends the entry; of rival fields the first answer will do."""
        for n, key in enumerate(question.keys):
            name = key.partition(".")[2]
            self.put(entry, name, key)
            answered = _inside(entry, name)
            if self.ended or (stop_at_first and answered) or (n == 0 and not answered and not stop_at_first):
                return

    def put(self, target: dict[str, Any], name: str, key: str = "") -> None:
        """Asks one field and writes what was entered at its dotted name."""
        if self.ended:
            return
        key = key or name
        people = self.answers.get("people", {}).get("total")
        default = default_answer(key, self.answers["region"], people if isinstance(people, int) else None)
        default = self.session.say("start.yes") if key == "budget.tax_included" else self.choice(default, key)
        value = self.entry(f"start.field.{key}", self.kinds[key], default, key)
        if value is None:
            return
        *tables, last = name.split(".")
        for table in tables:
            target = target.setdefault(table, {})
        target[last] = value

    def choice(self, word: str, key: str = "") -> str:
        """A word that may be entered for a field, as the reader writes it ("lab" is a place and a payer)."""
        names = (f"start.choice.{key.partition('.')[0]}.{word}", f"start.choice.{word}")
        return next((self.session.say(name) for name in names if name in texts()), word)

    def entry(self, label: str, kind: Kind, default: str, key: str = "") -> Any:
        """What somebody types for one field: None where it stays open. A wrong entry is asked again."""
        session = self.session
        parse, hint, choices = kind
        comma = "、" if session.lang == "zh" else ", "
        shown = session.say(f"start.hint.{hint}", choices=comma.join(self.choice(word, key) for word in choices))
        words = {"field": session.say(label), "hint": shown, "default": default or session.say("start.empty")}
        prompt = session.say("start.prompt", **words)
        while not self.ended:
            print(prompt, end="", file=sys.stderr, flush=True)
            line = sys.stdin.readline()
            if not line:
                self.ended = True
                return None
            text = line.strip()
            if not text:
                return None
            if is_unknown(text):
                return UNKNOWN
            try:
                return parse(text)
            except (_Wrong, QuantityError) as error:
                self.complain(Problem(error.code, value=text, values=error.values))
        return None


def _inside(entry: Mapping[str, Any], name: str) -> bool:
    found: Any = entry
    for part in name.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found is not None


# --- kinds of fields ---


def _number(text: str) -> float:
    value = parse_number(text)
    if value is None or value <= 0:
        raise _Wrong("option_zero")
    return value


def _whole(text: str) -> int:
    value = _number(text)
    if value != int(value):
        raise _Wrong("option_whole")
    return int(value)


def _flag(text: str) -> bool:
    return bool(parse_bool(text))


def _day(text: str) -> Any:
    return parse_date(text)


def _text(text: str) -> str:
    return text


def _word(known: Collection[str]) -> Parser:
    def parse(text: str) -> str:
        text = str(word_of(text))
        by_lower = {word.lower(): word for word in known}
        if text.lower() in by_lower:
            return by_lower[text.lower()]
        near = nearest_match(text, known)
        raise _Wrong("start_word", expected=", ".join(known), **({"nearest": near} if near else {}))

    return parse


def _words(known: Collection[str]) -> Parser:
    def parse(text: str) -> list[str]:
        return [_word(known)(part.strip()) for part in COMMAS.split(text) if part.strip()]

    return parse


def _within(text: str) -> str | float:
    return _number(text) if text[0].isdigit() else str(_word(WITHIN)(text))


def _named(meaning_of: Callable[[str], Any]) -> Parser:
    """A text that has to name something; what it may mean is found again when the answers are read."""

    def parse(text: str) -> str:
        meant = meaning_of(text)
        if isinstance(meant, tuple):
            raise _Wrong(meant[0], **meant[1])
        return text

    return parse


def _kinds(catalog: Catalog) -> dict[str, Kind]:
    """For every field: how it is read, which hint is shown, and its choices."""

    def word(known: Collection[str]) -> Kind:
        return _word(known), "word", tuple(known)

    number: Kind = (_number, "number", ())
    whole: Kind = (_whole, "whole", ())
    day: Kind = (_day, "day", ())
    flag: Kind = (_flag, "flag", ())
    text: Kind = (_text, "text", ())
    training: Kind = (_named(lambda words: meaning(words, catalog)), "text", ())
    card: Kind = (_named(lambda words: card_meant(words, catalog)), "text", ())
    profiles = tuple(dict.fromkeys(row.id for row in catalog.procurement))
    return {
        "budget.amount": number, "budget.unit": word(UNITS), "budget.tax_included": flag,
        "fund.name": text, "fund.pays": (_words(PAYS), "words", PAYS), "fund.amount": number,
        "fund.spend_by": day, "people.total": whole, "people.at_once": whole,
        "train.what": training, "train.now.hours": number, "train.now.card": card, "train.now.memory_gib": number,
        "train.now.memory_from": word(MEMORY_FROM), "within": (_within, "within", tuple(WITHIN)),
        "train.papers": number, "train.runs_per_week": number, "train.runs_per_year": number,
        "own.card": card, "own.cards": whole, "own.count": whole, "own.psu_watts": number, "own.disk": word(DISKS),
        "place.where": word(PLACES), "payers.power": word(PAYERS), "payers.hosting": word(PAYERS),
        "payers.care": word(PAYERS), "campus.available": flag, "campus.price_per_card_hour": number,
        "campus.usual_wait_hours": number, "procurement.profile": word(profiles),
    }  # fmt: skip
