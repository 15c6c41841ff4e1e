"""`hwcost predict scaling|transfer|memory ROWS.csv`: one prediction for each row of a table.

The rows come back in their order, each with the figures predicted; a fault in any row and nothing is written.
"""

from __future__ import annotations

import argparse
import csv
import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hwcost import tables
from hwcost.atomic import output_problems, write_text
from hwcost.catalog import load_catalog
from hwcost.commands.session import Session, check_outputs, written
from hwcost.errors import InputError, Problem
from hwcost.memory import MOMENTS, peak_memory
from hwcost.other_cards import KnownCards, other_cards
from hwcost.records import Card, Catalog, Link
from hwcost.scaling import (
    LINK_IDS,
    SXM_LINK,
    TYPICAL_OVERLAP,
    TYPICAL_STEP_CV,
    data_parallel,
    find_link,
    link_id_for,
)
from hwcost.tables import Column, Row
from hwcost.transfer import transfer
from hwcost.workload import PRECISIONS

SCHEMA = "hwcost.predict/1"
PAIR = "nvlink_pair"
MEMORY_PRECISIONS = (*PRECISIONS, "pure16")
# what logs call precisions; "FP32" of a log on Ampere or later is mostly tf32, which the caller has to say
OPTIMIZER_WORDS = {"adamw": "adam", "sgd_momentum": "momentum", "sgd+momentum": "momentum"}  # the same copies
PRECISION_WORDS = {"amp": "amp16", "fp16": "amp16", "float16": "amp16", "bfloat16": "bf16", "float32": "fp32"}


def word_cell(cell: str, decimal: str | None = None) -> str:
    """A word of the program, case aside."""
    return cell.strip().lower()


def precision_cell(cell: str, decimal: str | None = None) -> str:
    """A precision, also by the names that logs give it."""
    word = word_cell(cell)
    return PRECISION_WORDS.get(word, word)


def optimizer_cell(cell: str, decimal: str | None = None) -> str:
    """An optimizer, also one that keeps the same copies of the parameters."""
    word = word_cell(cell)
    return OPTIMIZER_WORDS.get(word, word)


def _above_zero(name: str, parser: tables.Parser = tables.number_cell, *, high: float | None = None) -> Column:
    return Column(name, parser, low=0.0, low_open=True, high=high)


def _optional(name: str, default: float | None = None, *, high: float | None = None) -> Column:
    return Column(name, tables.number_cell, required=False, low=0.0, high=high, default=default)


SCALING = (
    Column("card", tables.text_cell),
    Column("cards", tables.whole_cell, low=1, high=4096),
    _above_zero("params", high=1e15),
    _above_zero("grad_bytes", high=16.0),
    _above_zero("step_ms", high=1e9),
    _above_zero("per_card_batch", high=1e9),
    Column("link", word_cell, required=False, choices=LINK_IDS),
    _optional("step_cv", TYPICAL_STEP_CV, high=1.0),
    _optional("overlap", TYPICAL_OVERLAP, high=1.0),
    _optional("parameter_tensors", 0.0, high=1e9),
)
TRANSFER = (
    Column("from_card", tables.text_cell),
    _above_zero("step_ms", high=1e9),
    Column("precision", precision_cell, choices=PRECISIONS),
    Column("to_card", tables.text_cell),
    _optional("flops_per_step", high=1e24),
    _optional("bytes_per_step", high=1e24),
    _optional("launches_per_step", 0.0, high=1e9),
)
MEMORY = (
    _above_zero("params", high=1e15),
    Column("optimizer", optimizer_cell, choices=tuple(MOMENTS)),
    Column("precision", precision_cell, choices=MEMORY_PRECISIONS),
    Column("saved_bytes_per_sample", tables.number_cell, low=0.0, high=1e18),
    Column("largest_saved_bytes", tables.number_cell, low=0.0, high=1e18),
    _above_zero("batch", high=1e9),
)


@dataclass(frozen=True)
class _Sources:
    """What predictions look up, and where the faults of a row go."""

    catalog: Catalog
    cards: KnownCards
    file: str
    problems: list[Problem]

    def card(self, row: Row, column: str) -> Card | None:
        word = row.values[column]
        card = self.cards.find(word)
        if card is None:
            self.problems.append(self.cards.problem(word, self.file, row.number, column))
        return card


Predict = Callable[[Row, _Sources], "dict[str, Any] | None"]


def run(args: argparse.Namespace, session: Session) -> int:
    """Read the table, predict every row, write the table with the new columns; to stdout without `--out`."""
    problems = _output_problems(args, session)
    columns, predict = KINDS[args.kind]
    path = Path(args.rows)
    raw, faults = tables.read_raw(path, [column.name for column in columns])
    problems += faults
    rows: list[Row] = []
    if raw is not None:
        rows, faults = tables.type_rows(raw, columns, str(path))
        problems += faults
        if not raw.rows:
            problems.append(Problem("predict_no_rows", file=str(path)))
    try:
        catalog = load_catalog(Path(args.catalog) if args.catalog is not None else None)
    except InputError as error:
        raise InputError([*problems, *error.problems]) from error
    sources = _Sources(catalog, KnownCards(catalog, other_cards()), str(path), problems)
    found = [predict(row, sources) for row in rows]
    if problems or raw is None:
        raise InputError(sorted(problems, key=lambda problem: problem.row or 0))
    results = [result for result in found if result is not None]
    plain = sum(_may_be_tf32(row, sources) for row in rows) if args.kind == "transfer" else 0
    if plain:
        session.note(session.say("predict.fp32_note", count=plain))
    text = _csv(raw, columns, rows, results)
    if args.out is None:
        session.show([text.rstrip("\n")])
    else:
        written(session, "--out", Path(args.out), lambda place: write_text(place, text))
        session.show([session.say(f"predict.done.{args.kind}", count=len(rows))])
    session.write_json({
        "schema": SCHEMA, "kind": args.kind, "catalog_sha256": catalog.sha256,
        "rows": [
            {"row": row.number, **_read(row, columns), **result} for row, result in zip(rows, results, strict=True)
        ],
    })  # fmt: skip
    return 0


def scaling_row(row: Row, sources: _Sources) -> dict[str, Any] | None:
    """`t_comm_ms` is what communication adds to the step; `r` is all that several cards add, in steps of one card."""
    v = row.values
    link = _link(row, sources)
    if v["cards"] > 1 and link is None:
        return None
    found = data_parallel(
        v["step_ms"], v["params"], v["grad_bytes"], v["cards"], link, overlap=v["overlap"], step_cv=v["step_cv"],
        parameter_tensors=v["parameter_tensors"],
    )  # fmt: skip
    return {"t_comm_ms": found.exposed_ms, "r": found.r, "speedup": found.speedup, "efficiency": found.efficiency}


def transfer_row(row: Row, sources: _Sources) -> dict[str, Any] | None:
    """The step on the other card, its band of nine in ten cases, and whether references of both cards were known."""
    v = row.values
    source, target = sources.card(row, "from_card"), sources.card(row, "to_card")
    if source is None or target is None:
        return None
    found = transfer(
        source, target, v["step_ms"], v["precision"], flops=v["flops_per_step"], moved_bytes=v["bytes_per_step"],
        launches=v["launches_per_step"],
    )  # fmt: skip
    return {
        "predicted_ms": found.predicted_ms, "low_ms": found.low_ms, "high_ms": found.high_ms, "basis": found.basis,
    }  # fmt: skip


def _may_be_tf32(row: Row, sources: _Sources) -> bool:
    """Whether "fp32" may be the log's word for TF32, which one of the two cards has and the other may lack."""
    cards = (sources.cards.find(row.values[name]) for name in ("from_card", "to_card"))
    return row.values["precision"] == "fp32" and any(card and card.tensor_tf32_tflops is not None for card in cards)


def memory_row(row: Row, sources: _Sources) -> dict[str, Any]:
    """Peak of one process, MiB; `largest_saved_bytes` is of the whole batch."""
    v = row.values
    need = peak_memory(
        v["params"], v["optimizer"], v["precision"], v["saved_bytes_per_sample"], v["largest_saved_bytes"], v["batch"]
    )
    return {"predicted_mib": need.total_mib}


KINDS: dict[str, tuple[tuple[Column, ...], Predict]] = {
    "scaling": (SCALING, scaling_row),
    "transfer": (TRANSFER, transfer_row),
    "memory": (MEMORY, memory_row),
}


def _link(row: Row, sources: _Sources) -> Link | None:
    """The link of the row, else the one that its card has; a fault is noted, and None also stands for one card."""
    card = sources.card(row, "card")
    cards, stated = row.values["cards"], row.values["link"]
    if stated == PAIR and cards > 2:
        sources.problems.append(Problem("predict_link_pair", sources.file, "", row.number, "link", stated))
        return None
    if card is None or cards == 1:
        return None
    name = stated or (SXM_LINK if "sxm" in card.id else link_id_for(card, cards))
    link = find_link(sources.catalog.links, name, cards, card.pcie_gen)
    if link is None:
        sources.problems.append(Problem("predict_link_missing", sources.file, "", row.number, "link", str(name)))
    return link


def _output_problems(args: argparse.Namespace, session: Session) -> list[Problem]:
    problems = check_outputs(session)
    if args.out is None:
        return problems
    problems += output_problems("--out", Path(args.out))
    others = (
        [Path(args.rows)] if session.json_to is None or session.pure_json else [Path(args.rows), Path(session.json_to)]
    )
    if Path(args.out).resolve() in [other.resolve() for other in others]:
        problems.append(Problem("output_same", file=f"--out {args.out}", value=args.out))
    return problems


def _read(row: Row, columns: tuple[Column, ...]) -> dict[str, Any]:
    return {column.name: row.values[column.name] for column in columns}


def _csv(raw: tables.RawTable, columns: tuple[Column, ...], rows: list[Row], results: list[dict[str, Any]]) -> str:
    """The columns of the file in their order, figures with a decimal point, then what was predicted."""
    known = {column.name.lower(): column.name for column in columns}
    places = [(place, known.get(title.lower())) for place, title in enumerate(raw.header) if title]
    titles = [name or raw.header[place] for place, name in places]
    lines = io.StringIO(newline="")
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow([*titles, *results[0]])
    for (_, cells), row, result in zip(raw.rows, rows, results, strict=True):
        own = [
            (_cell(row.values[name]) if cells[place].strip() else "") if name else cells[place]
            for place, name in places
        ]
        writer.writerow([*own, *(_cell(value) for value in result.values())])
    return lines.getvalue()


def _cell(value: Any) -> str:
    return f"{value:.10g}" if isinstance(value, float) else str(value)
