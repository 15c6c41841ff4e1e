"""`hwcost profile MODEL`: what one training step of a network needs, computed without a card.

MODEL is `module:factory` of the user's own code, which is imported and run, or one of the reference networks.
"""

from __future__ import annotations

import argparse
import contextlib
import re
import sys
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

from hwcost.commands.own_folder import file_problems
from hwcost.commands.session import Session, check_outputs, number_option, whole_option, written
from hwcost.commands.table import table
from hwcost.errors import InputError, Problem
from hwcost.measure import require_torch
from hwcost.memory import MIB, MemoryNeed, peak_memory
from hwcost.quantities import number_text

SCHEMA = "hwcost.profile/1"
TABLE = "workloads.csv"
UNKNOWN_ID = re.compile(r"[^a-z0-9]+")


def run(args: argparse.Namespace, session: Session) -> int:
    """Profiles the network, prints the figures, and writes the JSON and the catalog row where asked."""
    require_torch("profile")
    from hwcost.measure.loading import find_factory, parse_input
    from hwcost.measure.profiling import profile

    problems: list[Problem] = check_outputs(session)
    batch = whole_option(args.batch, "--batch", problems)
    loader_ms = number_option(args.loader_ms, "--loader-ms", problems, above=None)
    inputs = [parse_input(text, problems) for text in args.input or []]
    out = Path(args.out) if args.out is not None else None
    if out is not None:
        problems += file_problems("--out", out, ".csv")
    if problems or batch is None:
        raise InputError(problems)
    if ":" in args.model:
        session.note(session.say("measure.runs_your_code", model=args.model))
    with contextlib.redirect_stdout(sys.stderr):  # what the user's code prints is no result
        factory, own_inputs = find_factory(args.model)
        specs = [spec for spec in inputs if spec is not None] or list(own_inputs)
        if not specs:
            raise InputError([Problem("measure_input_missing", file="--input", value=args.model)])
        if args.real:
            _check_room(specs, batch)
        found = profile(factory, args.model, specs, batch, args.optimizer, real=args.real)
        narrow = _narrow(args, factory, specs, batch)
    need = peak_memory(
        found.params, args.optimizer, args.precision, found.saved_bytes / batch, found.largest_saved_bytes, batch
    )
    shape = " + ".join(str(spec) for spec in specs)
    row = _row(args, found, narrow, shape, loader_ms)
    if out is not None:
        from hwcost.measure.rows import write_rows

        out.resolve().parent.mkdir(parents=True, exist_ok=True)
        written(session, "--out", out, lambda place: write_rows(place, TABLE, [row], lambda item: item["id"]))
    session.show(_lines(session, args, found, narrow, need, shape))
    own_mib = found.process_mib
    session.write_json({
        "schema": SCHEMA, "model": args.model, "inputs": [str(spec) for spec in specs], "precision": args.precision,
        **asdict(found), "training_flop": found.training_flop, "process_mib": own_mib, "predicted_mib": asdict(need),
        "at_precision": narrow and asdict(narrow), "row": row,
    })  # fmt: skip
    return 0


def _narrow(args: argparse.Namespace, factory: Any, specs: list[Any], batch: int) -> Any:
    """The step under autocast, where `--precision` asks for 16 bits; else None. The one at fp32 has run already."""
    from hwcost.measure.mixed import SIXTEEN_BIT
    from hwcost.measure.profiling import profile

    if args.precision not in SIXTEEN_BIT:
        return None
    try:
        return profile(factory, args.model, specs, batch, args.optimizer, real=args.real, precision=args.precision)
    except InputError as error:
        values = {"reason": str(error.problems[0].values.get("reason", error.problems[0].code))}
        raise InputError([Problem("measure_autocast", file=args.model, value=args.precision, values=values)]) from error


def _check_room(specs: list[Any], batch: int) -> None:
    """Raises `InputError` where the samples alone are more than the main memory that they would really take."""
    from hwcost.measure.machine import ram_gib

    need, have = batch * sum(spec.bytes_per_sample for spec in specs) / 2**30, ram_gib()
    if have is not None and need > have:
        values = {"shapes": ", ".join(str(spec) for spec in specs), "batch": batch, "need": f"{need:,.0f}",
                  "have": f"{have:,.0f}"}  # fmt: skip
        raise InputError([Problem("measure_large", file="--input", value=str(specs[0]), values=values)])


def _row(args: argparse.Namespace, found: Any, narrow: Any, shape: str, loader_ms: float | None) -> dict[str, str]:
    """The network as a row of workloads.csv."""
    import torch

    from hwcost.measure.models import REFERENCES
    from hwcost.measure.rows import workload_row

    reference = REFERENCES.get(args.model)
    name = args.name or (reference.name if reference else args.model)
    loader = "loader estimated from the bytes" if loader_ms is None else "loader as stated"
    kept = (
        ""
        if narrow is None
        else (f"; saved for backward at {args.precision} {narrow.saved_bytes / max(1, found.saved_bytes):.2f} of that")
    )
    source = (
        f"hwcost profile {args.model} --input {shape} --batch {found.batch} --optimizer {found.optimizer}, "
        f"torch {torch.__version__}, figures at fp32{kept}; {loader}"
    )
    return workload_row(
        found, row_id=args.id or UNKNOWN_ID.sub("-", f"{args.model}-{shape}".lower()).strip("-"),
        name=name, shape=shape,
        family=args.family or (reference.family if reference else "other"),
        dataset_id=args.dataset if args.dataset is not None else (reference.dataset_id if reference else ""),
        precision=args.precision, source=source, as_of=date.today(), loader_ms=loader_ms,
    )  # fmt: skip


def _lines(
    session: Session, args: argparse.Namespace, found: Any, narrow: Any, need: MemoryNeed, shape: str
) -> list[str]:
    def figure(key: str, value: float, decimals: int = 0, **values: Any) -> list[str]:
        return [session.say(f"measure.figure.{key}", **values), number_text(value, session.lang, decimals)]

    batch = found.batch
    cells = [
        figure("params", found.params), figure("tensors", found.parameter_tensors),
        figure("forward", found.forward_flop / batch / 1e9, 4), figure("training", found.training_flop / 1e9, 3),
        figure("elementwise", found.elementwise_flop / batch / 1e9, 4),
        figure("saved", found.saved_bytes / batch / MIB, 3),
        figure("largest", found.largest_saved_bytes / batch / MIB, 3),
        figure("moved", found.moved_bytes / batch / MIB, 2),
        figure("launches", found.launches, forward=found.launches_forward, backward=found.launches_backward,
               optimizer=found.launches_optimizer),
        figure("state", found.state_bytes / MIB, 1), figure("live", found.peak_live_bytes / MIB, 1),
        figure("process", found.process_mib, 0),
        figure("predicted", need.total_mib, 0, precision=args.precision),
    ]  # fmt: skip
    if narrow is not None:
        cells.append(figure("saved_at", narrow.saved_bytes / batch / MIB, 3, precision=args.precision))
        cells.append(figure("live_at", narrow.peak_live_bytes / MIB, 1, precision=args.precision))
    lines = [
        session.say("measure.profile_heading", model=args.model, shape=shape, batch=batch, optimizer=args.optimizer),
        *table([session.say("measure.column.figure"), session.say("measure.column.value")], cells, right=(1,)),
        session.say("measure.batchnorm_yes" if found.batchnorm else "measure.batchnorm_no"),
    ]
    if args.precision == "tf32":
        lines.append(session.say("measure.precision_same", precision=args.precision))
    if found.unknown_operators:
        names = ", ".join(f"{name} x{calls}" for name, calls in found.unknown_operators.items())
        lines.append(session.say("measure.unknown_operators", names=names))
    return lines
