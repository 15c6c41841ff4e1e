"""Problems as sentences: where, what, what was expected, what to do."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from hwcost.errors import Problem
from hwcost.messages import say, texts


def nearest_match(word: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """The known word most like `word` (case aside), or "" where none is at least `cutoff` alike (1: equal)."""
    by_lower = {name.lower(): name for name in sorted(known, reverse=True)}
    found = difflib.get_close_matches(word.strip().lower(), sorted(by_lower), n=1, cutoff=cutoff)
    return by_lower[found[0]] if found else ""


def message_key(code: str) -> str:
    """The message key of a problem code, which may carry the prefix already."""
    return code if code.startswith("problem.") else f"problem.{code}"


def where_text(problem: Problem, lang: str) -> str:
    """The place of a problem, e.g. `cards.csv, row 3, column tdp_w`; "" where it has none."""
    parts = [problem.file] if problem.file else []
    if problem.sheet:
        parts.append(say("problem.where.sheet", lang, sheet=problem.sheet))
    if problem.row is not None:
        parts.append(say("problem.where.row", lang, row=problem.row))
    if problem.column:
        kind = "key" if problem.row is None and problem.file.lower().endswith(".toml") else "column"
        parts.append(say(f"problem.where.{kind}", lang, column=problem.column))
    return ("，" if lang == "zh" else ", ").join(parts)


def problem_text(problem: Problem, lang: str) -> str:
    """One sentence: place, what is wrong, what is expected or to be done, and the nearest match where there is one."""
    key = message_key(problem.code)
    place = {
        "file": problem.file,
        "sheet": problem.sheet,
        "row": problem.row,
        "column": problem.column,
        "value": problem.value,
    }
    values = {**place, **problem.values}
    if lang == "zh":  # lists come with the comma of the program's own words
        values |= {name: str(values[name]).replace(", ", "、") for name in ("expected", "found") if name in values}
    body = say(key, lang, **values).rstrip("。.")
    nearest = problem.values.get("nearest")
    if nearest and "{nearest" not in texts()[key][lang]:
        body += say("problem.nearest", lang, nearest=nearest)
    where = where_text(problem, lang)
    colon, stop = ("：", "。") if lang == "zh" else (": ", ".")
    return f"{where}{colon if where else ''}{body}{stop}"
