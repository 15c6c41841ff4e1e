"""The file of a measurement (`hwcost.measurement/1`): written whole after every finished case, so that a measurement
which was stopped goes on where it was.

`results` holds, for each of the five steps, one record per case with its `key`, the number of `processes` and raw
medians; what follows from them (`summary`) is computed again at every writing.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hwcost.atomic import write_text
from hwcost.errors import InputError, Problem
from hwcost.jsontext import to_json

SCHEMA = "hwcost.measurement/1"
STEPS = ("baseline", "all_reduce", "ratio", "scan", "target")
Record = dict[str, Any]


def now() -> str:
    """The time, UTC, to the second."""
    return datetime.now(UTC).replace(microsecond=0).isoformat()


def new_record(machine: Record, versions: Record, settings: Record, models: Record) -> Record:
    """A measurement without results."""
    return {
        "schema": SCHEMA, "created": now(), "updated": now(), "complete": False, "machine": machine,
        "versions": versions, "settings": settings, "models": models, "results": {step: [] for step in STEPS},
        "summary": [],
    }  # fmt: skip


def read_record(path: Path) -> Record:
    """The measurement at `path`; raises `InputError` where there is none, or it cannot be read as one."""
    if not path.is_file():
        raise InputError([Problem("file_is_folder" if path.is_dir() else "file_missing", file=str(path))])
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        reason = str(error).splitlines()[0]
        raise InputError([Problem("measure_no_record", file=str(path), values={"reason": reason})]) from error
    fault = fault_of(record)
    if fault:
        raise InputError([Problem("measure_no_record", file=str(path), values={"reason": fault})])
    found: Record = record
    return found


def fault_of(record: Any) -> str:
    """What is wrong with the form of a measurement; "" where nothing is."""
    if not isinstance(record, dict) or record.get("schema") != SCHEMA:
        return f"schema {SCHEMA} expected"
    for name in ("machine", "versions", "settings", "models", "results"):
        if not isinstance(record.get(name), dict):
            return f"{name} is missing"
    for step in STEPS:
        cases = record["results"].get(step)
        if not isinstance(cases, list) or not all(isinstance(case, dict) and "key" in case for case in cases):
            return f"results.{step} is no list of cases"
    return ""


def resumed(old: Record, fresh: Record, path: Path) -> Record:
    """`fresh` with the results of `old`; raises `InputError` where the two were measured differently."""
    differing = [
        f"{group}.{name}"
        for group in ("settings", "machine", "versions")
        for name in sorted({*old[group], *fresh[group]})
        if old[group].get(name) != fresh[group].get(name)
    ]
    differing += [name for name, model in fresh["models"].items() if old["models"].get(name, model) != model]
    if differing:
        raise InputError([Problem("measure_other", file=str(path), values={"names": ", ".join(differing)})])
    return {
        **fresh, "created": old["created"], "models": {**old["models"], **fresh["models"]}, "results": old["results"],
    }  # fmt: skip


def find(record: Record, step: str, key: str) -> Record | None:
    """The case `key` of a step; None where it is not finished."""
    return next((case for case in record["results"][step] if case["key"] == key), None)


def save(record: Record, path: Path, *, complete: bool) -> None:
    """Writes the measurement with its summary, whole or not at all."""
    record["updated"] = now()
    record["complete"] = complete
    record["summary"] = summary_of(record)
    write_text(path, to_json(record))


def summary_of(record: Record) -> list[Record]:
    """Step three: for each network and number of processes, r, S and the ratio of ECD (article A sections 3 and 5.3).

    `communication_ms` is an all-reduce of the gradients alone; r and S come from the steps with and without partners.
    Two readings of one figure: `ratio` is the article's T_comm / T_c, `r` is (T_step - T_c) / T_c with all that
    several cards add.
    """
    found = []
    for case in record["results"]["ratio"]:
        if not case.get("sync") or case.get("median_ms") is None:
            continue
        name, processes = case["model"], case["processes"]
        alone = find(record, "baseline", f"{name}/{case['batch']}")
        if alone is None or alone.get("median_ms") is None:
            continue
        gradient = record["models"][name]["gradient_bytes"]
        apart = find(record, "ratio", case["key"].replace("/sync", "/apart"))
        travel = find(record, "all_reduce", f"{processes}/{gradient}")
        one, many = alone["median_ms"], case["median_ms"]
        comm = travel["median_ms"] if travel else None
        found.append({
            "model": name, "processes": processes, "per_card_batch": case["batch"], "one_ms": one, "step_ms": many,
            "apart_ms": apart["median_ms"] if apart else None, "communication_ms": comm,
            "ratio": None if comm is None else comm / one, "r": (many - one) / one,
            "speedup": processes * one / many, "efficiency": one / many,
        })  # fmt: skip
    return found
