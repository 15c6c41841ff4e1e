"""What all commands share: language, outputs, progress, and the reading of inputs with all problems at once."""

from __future__ import annotations

import argparse
import sys
import time
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hwcost.atomic import output_problems, write_text
from hwcost.catalog import load_catalog
from hwcost.errors import InputError, Problem
from hwcost.jsontext import to_json
from hwcost.messages import say
from hwcost.quantities import QuantityError, parse_money, parse_number
from hwcost.records import Catalog
from hwcost.scenario import Scenario
from hwcost.scenario_io import DEFAULT_SCENARIO, load_scenario, with_changes

REPLACED = "\ufffd"
QUIET_S = 1.0  # nothing is said about work that takes less
STANDARD_OUTPUT = "-"
# problems of a cell that read differently for an option
OPTION_CODES = {"not_finite": "option_not_finite", "negative_price": "option_negative"}
INPUT_WORKBOOK = ".xlsx"
WORKBOOKS = (".xlsx", ".xlsm", ".xls", ".ods")


@dataclass
class Session:
    """One call of the program. Results go to stdout, everything else to stderr."""

    lang: str
    json_to: str | None
    started: float = field(default_factory=time.monotonic)

    def say(self, key: str, **values: Any) -> str:
        return say(key, self.lang, **values)

    def heading(self, name: str, **values: Any) -> str:
        return self.say(f"cli.heading.{name}", **values)

    def columns(self, *names: str) -> list[str]:
        return [self.say(f"cli.column.{name}") for name in names]

    @property
    def pure_json(self) -> bool:
        return self.json_to == STANDARD_OUTPUT

    def show(self, lines: list[str]) -> None:
        """Words for a reader; with `--json -` they would spoil stdout and are left out."""
        if not self.pure_json:
            print("\n".join(printable(line) for line in lines))

    def note(self, text: str) -> None:
        print(printable(text), file=sys.stderr)

    def progress(self, key: str, **values: Any) -> None:
        """A word about what is going on, once the call has taken a second."""
        if time.monotonic() - self.started >= QUIET_S:
            self.note(self.say("cli.progress", what=self.say(f"cli.{key}", **values)))

    def on_stage(self) -> Callable[[str], None]:
        return lambda stage: self.progress("progress_stage", stage=self.say(f"level.{stage}"))

    def write_json(self, record: dict[str, Any]) -> None:
        """The record to where `--json` points; nothing without it."""
        if self.json_to is None:
            return
        text = to_json(record)
        if self.pure_json:
            print(text, end="")
        else:
            written(self, "--json", Path(self.json_to), lambda path: write_text(path, text))


def printable(line: str) -> str:
    """A line for the terminal: control characters in names (escape sequences, line breaks) become a mark."""
    return "".join(REPLACED if unicodedata.category(c) in ("Cc", "Zl", "Zp") and c != "\n" else c for c in line)


def written(session: Session, option: str, path: Path, write: Callable[[Path], None]) -> None:
    """Write a file and say so; what the system refuses becomes a problem with its place."""
    try:
        write(path)
    except OSError as error:
        raise InputError([Problem("output_not_writable", file=f"{option} {path}", value=str(path))]) from error
    session.note(session.say("cli.written", path=path))


def check_outputs(
    session: Session, xlsx: str | None = None, source: str | None = None, docx: str | None = None
) -> list[Problem]:
    """Problems of the files that are to be written, before anything is computed; `source` is the file that is read."""
    problems: list[Problem] = []
    json_to = None if session.pure_json else session.json_to
    for option, target in (("--json", json_to), ("--xlsx", xlsx), ("--docx", docx)):
        if target is not None and source is not None and Path(target).resolve() == Path(source).resolve():
            problems.append(Problem("output_over_input", file=f"{option} {target}", value=target))
    if session.json_to is not None and not session.pure_json:
        problems += output_problems("--json", Path(session.json_to))
    if xlsx is not None:
        problems += output_problems("--xlsx", Path(xlsx), ".xlsx")
        if session.json_to is not None and Path(session.json_to).resolve() == Path(xlsx).resolve():
            problems.append(Problem("output_same", file=f"--xlsx {xlsx}", value=xlsx))
    if docx is not None:
        problems += output_problems("--docx", Path(docx), ".docx")
    return problems


def number_option(
    text: str | None, option: str, problems: list[Problem], *, above: float | None = 0.0, most: float | None = None
) -> float | None:
    """The figure of an option, above `above` and at most `most`; a fault is noted and reads as None."""
    if text is None:
        return None
    try:
        value = parse_number(text)
    except QuantityError as error:
        code = OPTION_CODES.get(error.code, error.code)
        problems.append(Problem(code, file=option, value=text, values=error.values))
        return None
    if value is None:
        problems.append(Problem("option_empty", file=option, value=text))
        return None
    if above is not None and value <= above:
        problems.append(Problem("option_zero" if value == 0 else "option_negative", file=option, value=text))
        return None
    if (above is None and value < 0) or (most is not None and value > most):
        problems.append(Problem("option_range", file=option, value=text, values={"expected": f"0 - {most:g}"}))
        return None
    return value


def whole_option(text: str | None, option: str, problems: list[Problem]) -> int | None:
    """A whole number from 1 up; a fault is noted and reads as None."""
    value = number_option(text, option, problems)
    if value is not None and value != int(value):
        problems.append(Problem("option_whole", file=option, value=text or ""))
        return None
    return None if value is None else int(value)


def budget_option(text: str | None, currency: str, problems: list[Problem]) -> float | None:
    """The amount of `--budget` in the scenario's currency: "250000", "25万", "￥250,000"."""
    if text is None:
        return None
    try:
        money = parse_money(text, currency)
    except QuantityError as error:
        code = OPTION_CODES.get(error.code, error.code)
        problems.append(Problem(code, file="--budget", value=text, values=error.values))
        return None
    if money is None or money.amount == 0:
        problems.append(Problem("option_empty" if money is None else "option_zero", file="--budget", value=text))
        return None
    if money.currency != currency:
        values = {"found": money.currency, "currency": currency}
        problems.append(Problem("option_currency", file="--budget", value=text, values=values))
        return None
    return money.amount


def read_inputs(args: argparse.Namespace, session: Session, problems: list[Problem]) -> tuple[Scenario, Catalog]:
    """Catalog and scenario with the changes of the options. Raises `InputError` with these problems and all others."""
    session.progress("progress_load")
    found = list(problems)
    try:
        catalog = load_catalog(Path(args.catalog) if args.catalog is not None else None)
    except InputError as error:
        raise InputError([*found, *error.problems]) from error
    name = args.input or DEFAULT_SCENARIO
    suffix = Path(name).suffix.lower()
    if suffix in WORKBOOKS and suffix != INPUT_WORKBOOK:
        raise InputError([*found, Problem("input_is_workbook", file=name, value=name)])
    try:
        scenario, catalog = _from_workbook(name, catalog) if suffix == INPUT_WORKBOOK else (
            load_scenario(name, catalog), catalog)  # fmt: skip
    except InputError as error:
        budget_option(getattr(args, "budget", None), "CNY", found)
        raise InputError([*found, *error.problems]) from error
    budget = budget_option(getattr(args, "budget", None), scenario.currency, found)
    if found:
        raise InputError(found)
    return (scenario if budget is None else with_changes(scenario, budget=budget)), catalog


def _from_workbook(name: str, catalog: Catalog) -> tuple[Scenario, Catalog]:
    """The scenario of an input workbook, and the catalog with the workbook's own rows."""
    from hwcost.intake.template_read import read_input  # openpyxl takes its time: only where a workbook is read

    return read_input(name, catalog)
