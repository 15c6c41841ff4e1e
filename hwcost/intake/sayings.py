"""Questions, choices and remarks in words."""

from __future__ import annotations

from hwcost.errors import Problem
from hwcost.intake.model import Choice, Question, Said
from hwcost.messages import say
from hwcost.problems import problem_text
from hwcost.records import Catalog


def question_text(question: Question, lang: str) -> str:
    """The question as one sentence, with the row it is about."""
    values = dict(question.values)
    if "problem" in values:
        fault = Problem(values["problem"], value=str(values.get("value", "")), values=values.get("detail", {}))
        values["problem"] = problem_text(fault, lang)
    text = say(f"intake.ask.{question.key}", lang, **values)
    return text if question.row is None else say("intake.row", lang, row=question.row, text=text)


def choice_text(choice: Choice, lang: str, catalog: Catalog | None = None) -> str:
    """An offered answer: its words, or the id with the name that the catalog has for it."""
    if choice.label:
        return say(f"intake.choice.{choice.label}", lang, **choice.values)
    tables = (catalog.cards, catalog.chassis, catalog.psus, catalog.storage) if catalog else ()
    row = next((table[choice.value] for table in tables if choice.value in table), None)
    if row is None:
        return choice.value
    name = getattr(row, "name_zh", "") if lang == "zh" else ""
    return f"{choice.value}: {name or row.name}"


def said_text(said: Said, lang: str) -> str:
    """A remark as one sentence, with the row it is about."""
    values = dict(said.values)
    if "separator" in values:
        values["separator"] = say(f"intake.separator.{values['separator']}", lang)
    if "status" in values:
        values["status"] = say(f"rulecode.status.{values['status']}", lang)
    text = say(f"intake.note.{said.key}", lang, **values)
    return text if said.row is None else say("intake.row", lang, row=said.row, text=text)
