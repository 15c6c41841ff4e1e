"""Writes accepted rows to the user's folder: all files or none, and only where the result loads."""

from __future__ import annotations

import csv
import io
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hwcost import tables
from hwcost.atomic import replacing
from hwcost.catalog import load_catalog, user_dir
from hwcost.catalog_specs import SPECS, TableSpec
from hwcost.errors import InputError, Problem
from hwcost.folders import data_folder
from hwcost.intake.model import Changes

KEYS: dict[str, tuple[str, ...]] = {
    "prices.csv": ("item_id", "region", "price_kind", "vendor", "as_of"),
    "availability.csv": ("item_id", "region", "as_of"),
}
ENCODING = "utf-8-sig"  # Excel takes a file without the mark for the local code page
LIVE = ("=", "+", "@", "\t", "\r")


def target_folder(to: str | None = None, catalog: str | None = None) -> Path:
    """Where the user's rows go: --to, else --catalog, else HWCOST_HOME, else the platform's folder for data."""
    for named in (to, catalog):
        if named:
            return Path(named).expanduser()
    return user_dir() or data_folder()


def has_tables(folder: Path) -> bool:
    """Whether a folder is there and holds a table of the catalog."""
    return folder.is_dir() and any((folder / spec.file).exists() for spec in SPECS)


@contextmanager
def first_use() -> Iterator[None]:
    """While it lasts, HWCOST_HOME counts only if it holds tables: the first import is what puts some there."""
    named = os.environ.get("HWCOST_HOME")
    home = user_dir()
    try:
        if home is not None and not has_tables(home):
            del os.environ["HWCOST_HOME"]
        yield
    finally:
        if named is not None:
            os.environ["HWCOST_HOME"] = named


def apply_changes(changes: Changes, folder: Path, bundled: Path | None = None) -> list[Path]:
    """Adds the rows of an import to the tables in `folder`, replacing rows of the same key. The files written.

    Whole or not at all: the new tables are loaded with the catalog first. Raises `InputError` where something is still
    open, where they do not load, or where the folder cannot be written.
    """
    if changes.questions:
        raise InputError([Problem("intake_open", file=changes.reading.name, values={"count": len(changes.questions)})])
    rows: dict[str, list[Mapping[str, str]]] = {
        "systems.csv": [change.cells for change in changes.systems],
        "prices.csv": [change.cells for change in changes.prices],
        "availability.csv": list(changes.availability),
    }
    return write_rows({file: held for file, held in rows.items() if held}, folder, bundled)


def write_rows(
    rows: Mapping[str, Iterable[Mapping[str, str]]], folder: Path, bundled: Path | None = None
) -> list[Path]:
    """Rows by table file into `folder`, as `apply_changes`."""
    if folder.exists() and not folder.is_dir():
        raise InputError([Problem("folder_is_file", file=str(folder))])
    texts = {file: _merged(folder / file, spec_of(file), list(held)) for file, held in rows.items()}
    _try(texts, folder, bundled)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write_all({folder / file: text for file, text in texts.items()})
    except OSError as error:
        values = {"reason": error.strerror or str(error)}
        raise InputError([Problem("intake_not_written", file=str(folder), values=values)]) from error
    return [folder / file for file in texts]


def spec_of(file: str) -> TableSpec:
    return next(spec for spec in SPECS if spec.file == file)


def _merged(path: Path, spec: TableSpec, rows: list[Mapping[str, str]]) -> str:
    """The table as text: rows that stand there stay as written, those of the same key give way, new ones follow."""
    columns = [column.name for column in spec.columns]
    header: list[str] = []
    held: list[dict[str, str]] = []
    if path.exists():
        raw, problems = tables.read_raw(path, columns)
        typed, found = tables.type_rows(raw, spec.columns, str(path)) if raw else ([], [])
        if raw is None or problems or found:
            raise InputError([*problems, *found])
        header = list(raw.header)
        held = [dict(zip(header, cells, strict=False)) for _, cells in raw.rows]
        del typed
    lower = {title.lower() for title in header}
    used = {name for row in rows for name in row}
    wanted = [*columns, *sorted(used - set(columns))]
    header += [name for name in wanted if name.lower() not in lower and (not header or name in used)]
    if not path.exists():
        header = [name for name in header if name in used or _needed(spec, name)]
    keys = KEYS.get(spec.file, ("id",))
    new = {tuple(_plain(row.get(key, "")) for key in keys) for row in rows}
    titles = {title.lower(): title for title in header}
    kept = [row for row in held if tuple(_plain(row.get(titles.get(k, k), "")) for k in keys) not in new]
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    for row in kept:
        writer.writerow([row.get(title, "") for title in header])
    for added in rows:
        writer.writerow([_safe(added.get(title.lower(), "")) for title in header])
    return out.getvalue()


def _needed(spec: TableSpec, name: str) -> bool:
    return any(column.name == name and column.required for column in spec.columns)


def _plain(text: str) -> str:
    """A cell of a key for comparison: days in one form, other words without outer space and the sign of `_safe`."""
    text = text.strip()
    if text.startswith("'") and text[1:].startswith(LIVE):
        text = text[1:]
    try:
        day = tables.date_cell(text) if text[:4].isdigit() else None
    except ValueError:
        day = None
    return day.isoformat() if day else text


def _safe(text: str) -> str:
    """A text that a spreadsheet would run when the file is opened there stays a text."""
    return f"'{text}" if text.startswith(LIVE) else text


def _try(texts: Mapping[str, str], folder: Path, bundled: Path | None) -> None:
    """Loads the catalog with the new tables in a copy of the folder. Raises `InputError` as they would later."""
    with tempfile.TemporaryDirectory(prefix="hwcost-") as name:
        copy = Path(name)
        if folder.is_dir():
            for path in folder.glob("*.csv"):
                shutil.copy(path, copy / path.name)
        for file, text in texts.items():
            (copy / file).write_text(text, encoding=ENCODING, newline="")
        try:
            with first_use():
                load_catalog(copy, bundled=bundled)
        except InputError as error:
            raise InputError([_placed(p, copy, folder) for p in error.problems]) from error


def _placed(problem: Problem, copy: Path, folder: Path) -> Problem:
    values: dict[str, Any] = dict(problem.values)
    return Problem(problem.code, problem.file.replace(str(copy), str(folder)), problem.sheet, problem.row,
                   problem.column, problem.value, values)  # fmt: skip


def _write_all(texts: Mapping[Path, str]) -> None:
    """Every file, or the old state: what stood there is put back where a later file cannot be written."""
    before = {path: path.read_bytes() if path.exists() else None for path in texts}
    done: list[Path] = []
    try:
        for path, text in texts.items():
            with replacing(path) as temporary:
                temporary.write_text(text, encoding=ENCODING, newline="")
            done.append(path)
    except OSError:
        for path in done:
            old = before[path]
            if old is None:
                path.unlink(missing_ok=True)
            else:
                path.write_bytes(old)
        raise


def add_draft(folder: Path, file: str, cells: Mapping[str, str]) -> Path:
    """Puts a row with empty cells into a draft beside the table, in the place of one with the same id. Its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{Path(file).stem}.draft.csv"
    columns = [column.name for column in spec_of(file).columns]
    held: list[dict[str, str]] = []
    if path.exists():
        with path.open(encoding=ENCODING, newline="") as stream:
            held = [row for row in csv.DictReader(stream) if row.get("id") != cells["id"]]
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, columns, extrasaction="ignore", restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows([*held, {name: _safe(text) for name, text in cells.items()}])
    with replacing(path) as temporary:
        temporary.write_text(out.getvalue(), encoding=ENCODING, newline="")
    return path
