"""`hwcost measure [MODEL ...]`: the five steps of article A section 5 on this machine."""

from __future__ import annotations

import argparse
import contextlib
import sys
from pathlib import Path
from typing import Any

from hwcost.commands.ends import INTERRUPTED
from hwcost.commands.own_folder import file_problems
from hwcost.commands.session import Session, check_outputs, number_option, whole_option
from hwcost.commands.table import table
from hwcost.errors import InputError, Problem
from hwcost.measure import require_torch
from hwcost.quantities import number_text, percent_text

ALL_STEPS = ("baseline", "all_reduce", "ratio", "scan", "target")
LEAST_STEPS = 3
TARGET_FIGURES = ("quartile1_s", "median_s", "quartile3_s")


def run(args: argparse.Namespace, session: Session) -> int:
    """Measures what the file does not hold yet, and prints what was found."""
    require_torch("measure")
    from hwcost.measure.ranks import Case
    from hwcost.measure.steps import measure

    out = Path(args.out)
    wanted = _wanted(args, [*check_outputs(session), *file_problems("--out", out, ".json")])
    if any(":" in word for word in (*wanted.models, wanted.data or "")):
        session.note(session.say("measure.runs_your_code", model=", ".join(wanted.models)))

    def tell(case: Case, done: int, count: int) -> None:
        what = session.say(f"measure.step.{case.step}")
        session.note(session.say("measure.progress", done=done + 1, count=count, what=what, case=case.key))

    try:
        with contextlib.redirect_stdout(sys.stderr):  # what the user's code prints is no result
            record = measure(wanted, out, args.restart, tell)
    except KeyboardInterrupt:
        if not out.is_file():
            raise
        session.note(session.say("measure.interrupted", path=out))
        return INTERRUPTED
    session.show([*lines_of(record, session), session.say("measure.written", path=out)])
    session.write_json(record)
    return 0


def _wanted(args: argparse.Namespace, problems: list[Problem]) -> Any:
    """The options as a record. Raises `InputError` with all their faults and `problems`."""
    from hwcost.measure.loading import parse_input
    from hwcost.measure.steps import DEFAULT_MODELS, Wanted

    figures: dict[str, Any] = {
        name: whole_option(getattr(args, name), "--" + name.replace("_", "-"), problems)
        for name in ("batch", "global_batch", "max_batch", "processes", "steps", "seeds")
    }
    message = number_option(args.max_message_mib, "--max-message-mib", problems, most=16384.0)
    accuracy = number_option(args.target, "--target", problems, most=1.0)
    for text in args.input or []:
        parse_input(text, problems)
    if figures["steps"] is not None and figures["steps"] < LEAST_STEPS:
        expected = {"expected": f"{LEAST_STEPS} -"}
        problems.append(Problem("option_range", file="--steps", value=args.steps, values=expected))
    if problems or message is None or accuracy is None:
        raise InputError(problems)
    return Wanted(
        models=tuple(dict.fromkeys(args.models)) or DEFAULT_MODELS, inputs=tuple(args.input or ()), data=args.data,
        only=tuple(args.only or ALL_STEPS), max_message_bytes=int(message * 2**20), device=args.device,
        precision=args.precision, optimizer=args.optimizer, target_accuracy=accuracy, **figures,
    )  # fmt: skip


def lines_of(record: dict[str, Any], session: Session) -> list[str]:
    """Tables of the five steps, without those that have no case."""
    results = record["results"]
    return [
        *_machine(record, session),
        *_section(session, "baseline", [*_baseline(results["baseline"], session)]),
        *_section(session, "all_reduce", [*_all_reduce(results["all_reduce"], session)]),
        *_section(session, "ratio", [*_ratio(record["summary"], session)]),
        *_section(session, "scan", [*_scan(results["scan"], session)]),
        *_section(session, "target", [*_target(results["target"], session)]),
        *_refused(record, session),
    ]


COLUMNS = {
    "baseline": ("model", "batch", "median", "cv", "peak"),
    "all_reduce": ("processes", "message", "median", "bus"),
    "ratio": ("model", "processes", "one", "step", "comm", "ratio", "r", "speedup", "efficiency"),
    "scan": ("model", "processes", "micro", "accumulation", "median", "samples_s"),
    "target": ("model", "processes", "reached", "quartile1", "median_s", "quartile3"),
}


def _section(session: Session, step: str, rows: list[list[str]]) -> list[str]:
    if not rows:
        return []
    titles = [session.say(f"measure.column.{name}") for name in COLUMNS[step]]
    return ["", session.say(f"measure.heading.{step}"), *table(titles, rows, right=range(1, len(titles)))]


def _machine(record: dict[str, Any], session: Session) -> list[str]:
    machine, versions = record["machine"], record["versions"]
    cards = ", ".join(card["name"] for card in machine["cards"]) or session.say("measure.no_cards")
    return [session.say(
        "measure.machine", cpu=machine["cpu"] or "-", cores=machine["cores"] or "-", cards=cards,
        torch=versions["torch"], precision=record["settings"]["precision"],
    )]  # fmt: skip


def _figure(session: Session, value: float | None, decimals: int = 2) -> str:
    return "-" if value is None else number_text(value, session.lang, decimals)


def _baseline(cases: list[dict[str, Any]], session: Session) -> list[list[str]]:
    rows = []
    for case in cases:
        name = case["model"] if case["kind"] == "steps" else session.say("measure.loader_of", model=case["model"])
        cv = "-" if case.get("cv") is None else percent_text(case["cv"], session.lang, 1)
        rows.append([name, str(case["batch"]), _figure(session, case["median_ms"], 3), cv,
                     _figure(session, case.get("peak_mib"), 0)])  # fmt: skip
    return rows


def _all_reduce(cases: list[dict[str, Any]], session: Session) -> list[list[str]]:
    rows = []
    for case in cases:
        n, size, ms = case["processes"], case["bytes"], case["median_ms"]
        bus = 2.0 * (n - 1) / n * size / (ms * 1e6)
        rows.append([str(n), _figure(session, size / 2**20, 3), _figure(session, ms, 3), _figure(session, bus, 3)])
    return rows


def _ratio(summary: list[dict[str, Any]], session: Session) -> list[list[str]]:
    return [
        [item["model"], str(item["processes"]), _figure(session, item["one_ms"]), _figure(session, item["step_ms"]),
         _figure(session, item["communication_ms"]), _figure(session, item["ratio"], 3), _figure(session, item["r"], 3),
         _figure(session, item["speedup"]), percent_text(item["efficiency"], session.lang, 0)]
        for item in summary
    ]  # fmt: skip


def _scan(cases: list[dict[str, Any]], session: Session) -> list[list[str]]:
    rows = []
    for case in cases:
        ms = case["median_ms"]
        per_s = None if ms is None else case["batch"] * case["processes"] * 1e3 / ms
        micro, passes = (str(case[name] or "-") for name in ("micro_batch", "accumulation_steps"))
        rows.append([case["model"], str(case["processes"]), micro, passes, _figure(session, ms, 2),
                     _figure(session, per_s, 0)])  # fmt: skip
    return rows


def _target(cases: list[dict[str, Any]], session: Session) -> list[list[str]]:
    rows = []
    for case in cases:
        reached = sum(value is not None for value in case["seconds"])
        rows.append([case["model"], str(case["processes"]), f"{reached}/{len(case['seconds'])}",
                     *(_figure(session, case[name]) for name in TARGET_FIGURES)])  # fmt: skip
    return rows


def _refused(record: dict[str, Any], session: Session) -> list[str]:
    """What a network did not do, with its reason."""
    lines = [
        session.say("measure.refused", model=case["model"], batch=case["batch"], reason=case["refused"])
        for case in record["results"]["baseline"] if case.get("refused")
    ]  # fmt: skip
    aimless = dict.fromkeys(case["model"] for case in record["results"]["target"] if case.get("no_classes"))
    lines += [session.say("measure.no_classes", model=model) for model in aimless]
    return ["", *lines] if lines else []
