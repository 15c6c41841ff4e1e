"""Whether the figures of a measurement can be what was measured: a file may be cut, edited or made by hand.

`record.fault_of` looks at the form; here every figure that the fit reads has its rule. Needs no torch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

from hwcost.errors import Problem
from hwcost.measure.record import Record
from hwcost.workload import PRECISIONS

MOST_TOLD = 20
SHORTEST_MS, LONGEST_MS, MOST = 1e-6, 1e9, 10**18  # beyond lies no measurement, and arithmetic overflows
Rule = tuple[str, Callable[[Any], bool]]  # what is expected, as a key of the messages, and the test


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= MOST


def _whole(least: int) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and least <= value <= MOST


TIME: Rule = ("time", lambda value: _number(value) and SHORTEST_MS <= value <= LONGEST_MS)
TIME_OR_NONE: Rule = ("time", lambda value: value is None or TIME[1](value))
SHARE: Rule = ("share", lambda value: value is None or (_number(value) and 0 <= value <= LONGEST_MS))
COUNT: Rule = ("count", _whole(1))
SEVERAL: Rule = ("several", _whole(2))
YES_NO: Rule = ("yes_no", lambda value: isinstance(value, bool))
TEXT: Rule = ("text", lambda value: isinstance(value, str) and bool(value))

LOADER: dict[str, Rule] = {"batch": COUNT, "median_ms": TIME}
RAN: dict[str, Rule] = {"batch": COUNT, "accumulation_steps": COUNT}
CASES: dict[str, dict[str, Rule]] = {
    "baseline": {**RAN, "count": COUNT, "cv": SHARE},
    "all_reduce": {"processes": SEVERAL, "bytes": COUNT, "median_ms": TIME},
    "ratio": {**RAN, "processes": SEVERAL, "sync": YES_NO, "count": COUNT, "quartile1_ms": TIME, "quartile3_ms": TIME},
    "scan": {**RAN, "processes": COUNT},
}  # fmt: skip
MODEL: dict[str, Rule] = {"params": COUNT, "parameter_tensors": COUNT, "gradient_bytes": COUNT}


def record_problems(record: Record, file: str) -> list[Problem]:
    """Every figure that cannot be one, with its place, what stands there and what was expected; at most twenty."""
    found = []
    for place, value, expected in _faults(record):
        found.append(Problem(f"measure_figure_{expected}", file=file, value=_shown(value), values={"place": place}))
        if len(found) == MOST_TOLD:
            break
    return found


def _shown(value: Any) -> str:
    text = "-" if value is None else str(value)
    return text if len(text) <= 60 else text[:60] + "…"


Fault = tuple[str, Any, str]


def _faults(record: Record) -> Iterator[Fault]:
    yield from _head(record)
    for name, figures in record["models"].items():
        if not isinstance(figures, dict):
            yield f"models.{name}", figures, "model"
            continue
        yield from _against(figures, MODEL, f"models.{name}")
        inputs = figures.get("inputs")
        if not isinstance(inputs, list) or not all(isinstance(item, str) for item in inputs):
            yield f"models.{name}.inputs", inputs, "text"
    for step, rules in CASES.items():
        for i, case in enumerate(record["results"][step]):
            yield from _case(record, case, rules, step, f"results.{step}[{i}]")


def _head(record: Record) -> Iterator[Fault]:
    settings, machine = record["settings"], record["machine"]
    if settings.get("device") not in ("cpu", "cuda"):
        yield "settings.device", settings.get("device"), "device"
    if settings.get("precision") not in PRECISIONS:
        yield "settings.precision", settings.get("precision"), "precision"
    yield from _against(settings, {"batch": COUNT}, "settings")
    yield from _against(record["versions"], {"torch": TEXT}, "versions")
    cards = machine.get("cards")
    named = isinstance(cards, list) and all(isinstance(c, dict) and isinstance(c.get("name"), str) for c in cards)
    if not named or (settings.get("device") == "cuda" and not cards):
        yield "machine.cards", cards, "cards"
    try:
        date.fromisoformat(str(record.get("updated"))[:10])
    except ValueError:
        yield "updated", record.get("updated"), "date"


def _case(record: Record, case: Record, rules: dict[str, Rule], step: str, place: str) -> Iterator[Fault]:
    if not isinstance(case["key"], str):
        yield f"{place}.key", case["key"], "text"
        return
    if step != "all_reduce":
        if not isinstance(case.get("model"), str) or case["model"] not in record["models"]:
            yield f"{place}.model", case.get("model"), "model"
            return
        if case.get("kind") == "loader":
            yield from _against(case, LOADER, place)
            return
        yield from _against(case, {"median_ms": TIME_OR_NONE}, place)
        if case.get("median_ms") is None:  # did not fit, or did not run at this batch
            return
    yield from _against(case, rules, place)


def _against(held: Record, rules: dict[str, Rule], place: str) -> Iterator[Fault]:
    for name, (expected, holds) in rules.items():
        if not holds(held.get(name)):
            yield f"{place}.{name}", held.get(name), expected
