"""Loads the catalog: bundled tables, then the user's folder, then a folder named on the command line.

Later rows override by key, every record says file, row and layer, and all problems of all tables are raised together.
Records are kept sorted by key, so that the order of rows in a file changes nothing.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
from collections.abc import Hashable
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

import hwcost
from hwcost import tables
from hwcost.catalog_checks import check_catalog
from hwcost.catalog_specs import SPECS, TableSpec
from hwcost.errors import InputError, Problem
from hwcost.folders import data_folder
from hwcost.problems import nearest_match
from hwcost.quantities import Money
from hwcost.records import Catalog, Origin

SESSIONS = "sessions"  # a user's folder with this sub-folder may hold the app's data and no tables
# what a price row is where its file has no `kind`; any other figure without one is an estimate
KIND_OF_PRICE = {"quote": "measured", "list": "specification", "street": "measured", "used": "measured"}


def bundled_dir() -> Path:
    """The folder of the catalog that comes with the program: `catalog/` of a checkout, else inside the package."""
    package = Path(hwcost.__file__).resolve().parent
    checkout = package.parent / "catalog"
    # a folder called catalog beside an installed package could be anybody's
    return checkout if (package.parent / "pyproject.toml").is_file() and checkout.is_dir() else package / "bundled"


def user_dir() -> Path | None:
    """The user's own folder of tables (environment variable HWCOST_HOME), or None."""
    named = os.environ.get("HWCOST_HOME", "").strip()
    try:
        return Path(named).expanduser() if named else None
    except RuntimeError:  # ~name of a user whom this machine does not know: reported as a missing folder
        return Path(named)


def tables_dir() -> Path | None:
    """The user's folder whose tables count: HWCOST_HOME, else the platform's folder for data where it holds tables.

    What `hwcost catalog import` writes without being told where thus counts in the next plan.
    """
    named = user_dir()
    if named is not None:
        return named
    try:
        usual = data_folder()
    except RuntimeError:  # a process without a home
        return None
    return usual if any((usual / spec.file).is_file() for spec in SPECS) else None


def load_catalog(extra_dir: Path | None = None, *, bundled: Path | None = None) -> Catalog:
    """The catalog of all layers. `extra_dir` (--catalog) wins over the user's own folder (`tables_dir`).

    `bundled` replaces the bundled layer. Raises `InputError` with every problem of every table.
    """
    problems: list[Problem] = []
    found: dict[str, dict[Hashable, list[Any]]] = {spec.file: {} for spec in SPECS}
    for layer, folder in _layers(bundled or bundled_dir(), extra_dir):
        for spec, records in _read_layer(folder, layer, problems):
            _override(found[spec.file], spec, records)
    catalog = _assemble(found)
    problems.extend(check_catalog(catalog))
    if problems:
        raise InputError(problems)
    return replace(catalog, sha256=catalog_sha256(catalog))


def catalog_sha256(catalog: Catalog) -> str:
    """sha256 of what the records say, sorted by key: not of files, places or row order."""
    lines: list[str] = []
    for spec in SPECS:
        held = getattr(catalog, spec.attribute)
        records = held.values() if isinstance(held, dict) else held
        lines.extend(sorted(f"{spec.file} {_canonical(record)}" for record in records))
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _canonical(record: Any) -> str:
    fields = dataclasses.asdict(record)
    origin = fields.pop("origin")
    fields["origin"] = [origin["source"], origin["as_of"], origin["kind"]]
    return json.dumps(fields, sort_keys=True, ensure_ascii=False, allow_nan=False, default=date.isoformat)


# --- layers ---


def _layers(bundled: Path, extra_dir: Path | None) -> list[tuple[str, Path]]:
    """(layer, folder) from the weakest to the strongest."""
    home = tables_dir()
    if home is not None and (home / SESSIONS).is_dir() and not any((home / spec.file).is_file() for spec in SPECS):
        home = None
    own = [folder for folder in (home, extra_dir) if folder is not None]
    if len(own) == 2 and own[0].resolve() == own[1].resolve():
        own = own[1:]
    return [("bundled", bundled), *(("user", folder) for folder in own)]


@dataclass(frozen=True)
class _Seen:
    row: int
    record: Any


def _read_layer(folder: Path, layer: str, problems: list[Problem]) -> list[tuple[TableSpec, list[Any]]]:
    """The records of every table in a folder; notes all problems."""
    names = [spec.file for spec in SPECS]
    if not folder.is_dir():
        problems.append(Problem("folder_is_file" if folder.exists() else "folder_missing", file=str(folder)))
        return []
    present = {path.name for path in folder.iterdir() if path.suffix.lower() == ".csv"}
    for stranger in sorted(present - set(names)):
        # a folder may hold other tables; only a name that is nearly right is taken for a slip
        near = nearest_match(Path(stranger).stem, [Path(name).stem for name in names], cutoff=0.8)
        if near and f"{near}.csv" not in present:
            problems.append(Problem("file_unknown", file=str(folder / stranger), values={"nearest": f"{near}.csv"}))
    if layer != "bundled" and not present & set(names):
        problems.append(Problem("folder_without_tables", file=str(folder), values={"expected": ", ".join(names)}))
    read = []
    for spec in SPECS:
        if spec.file in present or (spec.needed and layer == "bundled"):
            read.append((spec, _read_records(folder / spec.file, layer, spec, problems)))
    return read


def _read_records(path: Path, layer: str, spec: TableSpec, problems: list[Problem]) -> list[Any]:
    rows, found = tables.read_table(path, spec.columns)
    problems.extend(found)
    seen: dict[Hashable, _Seen] = {}
    for row in rows:
        money = next(((name, v) for name, v in row.values.items() if isinstance(v, Money)), None)
        if money is not None and money[1].currency not in ("", row.values["currency"]):
            pair = ", ".join(sorted((money[1].currency, row.values["currency"])))
            written = row.raw[money[0]].strip()
            problems.append(Problem("currency_conflict", str(path), "", row.number, money[0], written, {"found": pair}))
            continue
        record = _record(row, path, layer, spec)
        first = seen.get(spec.key(record))
        if first is not None:
            name = getattr(record, "id", None) or getattr(record, "item_id", None) or f"{record.base}/{record.quote}"
            problems.append(Problem("row_twice", str(path), "", row.number, "", name, {"first": first.row}))
            continue
        seen[spec.key(record)] = _Seen(row.number, record)
    return [entry.record for entry in seen.values()]


def _record(row: tables.Row, path: Path, layer: str, spec: TableSpec) -> Any:
    """One record with its origin. A missing Chinese name is the name."""
    values: dict[str, Any] = {
        name: value.amount if isinstance(value, Money) else value for name, value in row.values.items()
    }
    kind = values.pop("kind") or KIND_OF_PRICE.get(values.get("price_kind", ""), "estimate")
    # the bundled folder lies somewhere else on every machine: its file name says enough
    file = path.name if layer == "bundled" else str(path)
    origin = Origin(file, row.number, layer, values["source"], values["as_of"], kind)
    if "name_zh" in values and not values["name_zh"]:
        values["name_zh"] = values.get("name") or values.get("provider") or ""
    names = {item.name for item in dataclasses.fields(spec.record)}
    return spec.record(**{name: value for name, value in values.items() if name in names}, origin=origin)


def _override(found: dict[Hashable, list[Any]], spec: TableSpec, records: list[Any]) -> None:
    """Puts a layer's records in the place of those with the same key in the layers below."""
    own: dict[Hashable, list[Any]] = {}
    for record in records:
        own.setdefault(spec.override_key(record), []).append(record)
    found.update(own)


def _assemble(found: dict[str, dict[Hashable, list[Any]]]) -> Catalog:
    held: dict[str, Any] = {}
    for spec in SPECS:
        records = [record for group in found[spec.file].values() for record in group]
        records.sort(key=lambda record: str(spec.key(record)))
        held[spec.attribute] = {record.id: record for record in records} if spec.by_id else tuple(records)
    return Catalog(**held)
