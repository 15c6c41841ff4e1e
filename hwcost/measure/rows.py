"""Rows of the user's own catalog tables, from what was profiled or measured; a row of the same key is replaced.

The folder that holds them is read with `--catalog DIR` or `HWCOST_HOME`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hwcost.atomic import write_text
from hwcost.catalog_specs import SPECS
from hwcost.errors import InputError, Problem
from hwcost.tiles import LOADER_MS_PER_MIB

if TYPE_CHECKING:
    from hwcost.measure.fitting import AllReduceFit, Calibration, Interval, NetworkFit
    from hwcost.measure.profiling import Profile

MIB = 2.0**20
GIGA = 1e9
PLACES = 6  # significant figures of a computed cell
CALIBRATION = "calibration.csv"


def columns_of(table: str) -> list[str]:
    """The columns of a catalog table, in their order."""
    return [column.name for column in next(spec for spec in SPECS if spec.file == table).columns]


def workload_row(
    profile: Profile,
    *,
    row_id: str,
    name: str,
    shape: str,
    family: str,
    dataset_id: str,
    precision: str,
    source: str,
    as_of: date,
    loader_ms: float | None = None,
) -> dict[str, str]:
    """A row of workloads.csv: figures per sample at fp32. Without `loader_ms` the loader is an estimate by bytes."""
    input_mib = profile.input_bytes / profile.batch / MIB
    loader = LOADER_MS_PER_MIB * input_mib if loader_ms is None else loader_ms
    figures: dict[str, Any] = {
        "id": row_id, "name": name, "name_zh": "", "family": family, "input_shape": shape, "dataset_id": dataset_id,
        "params": profile.params, "forward_gflop_per_sample": profile.forward_flop / profile.batch / GIGA,
        "saved_mib_per_sample": profile.saved_bytes / profile.batch / MIB,
        "largest_saved_mib_per_sample": profile.largest_saved_bytes / profile.batch / MIB,
        "moved_mib_per_sample": profile.moved_bytes / profile.batch / MIB, "launches_per_step": profile.launches,
        "parameter_tensors": profile.parameter_tensors, "input_mib_per_sample": input_mib,
        "default_batch": profile.batch, "default_precision": precision,
        "batchnorm": "yes" if profile.batchnorm else "no", "batchnorm_min_batch": 0, "loader_ms_per_sample": loader,
        "source": source, "as_of": as_of.isoformat(), "kind": "estimate",
    }  # fmt: skip
    return {name: cell(value) for name, value in figures.items()}


def link_row(fit: AllReduceFit, link_id: str, pcie_gen: int | None, source: str, as_of: str) -> dict[str, str]:
    """A row of links.csv: measured bandwidth and latency, with the interval as its bounds."""
    figures: dict[str, Any] = {
        "id": link_id, "pcie_gen": pcie_gen, "cards": fit.processes, "bus_bandwidth_gb_s": fit.bus_gb_s.value,
        "low_gb_s": fit.bus_gb_s.low or None, "high_gb_s": fit.bus_gb_s.high, "alpha_us": fit.alpha_us.value,
        "source": source, "as_of": as_of, "kind": "measured",
    }  # fmt: skip
    return {name: cell(value) for name, value in figures.items()}


def calibration_row(
    network: NetworkFit, found: Calibration, workload_id: str, card_id: str, precision: str, source: str, as_of: str
) -> dict[str, str]:
    """A row of calibration.csv: T_c = c0 + ms_per_sample * b of one network on one card, and what several cards add."""

    def three(interval: Interval | None) -> tuple[float | None, float | None, float | None]:
        return (None, None, None) if interval is None else (interval.value, interval.low, interval.high)

    figures: tuple[Any, ...] = (
        workload_id, card_id, precision, network.params, network.batch_from, network.batch_to, *three(network.c0_ms),
        *three(network.ms_per_sample), *three(network.step_cv), *three(found.overlap),
        *three(found.overhead_ms_per_tensor), network.loader_ms_per_sample, source, as_of, "measured",
    )  # fmt: skip
    return {name: cell(value) for name, value in zip(columns_of(CALIBRATION), figures, strict=True)}


def cell(value: Any) -> str:
    """A value as a cell: no exponent, no more figures than are known."""
    if value is None:
        return ""
    if not isinstance(value, float):
        return str(value)
    text = f"{value:.{PLACES}g}"
    return text if "e" not in text else f"{value:.15f}".rstrip("0").rstrip(".")


def merge_rows(
    path: Path, table: str, rows: Iterable[Mapping[str, str]], key: Callable[[Mapping[str, str]], Any]
) -> str:
    """The text of `path` with `rows` in it. Raises `InputError` where what stands there is no such table."""
    columns = columns_of(table)
    held: dict[Any, Mapping[str, str]] = {}
    if path.exists():
        try:
            reader = csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline=""))
            found = [name for name in reader.fieldnames or () if name]
            old = [{name: row.get(name) or "" for name in columns} for row in reader]
        except (UnicodeDecodeError, csv.Error):
            found, old = [], []
        if not set(found) <= set(columns) or columns[0] not in found:
            raise InputError([Problem("measure_out_table", file=str(path), value=table, values={"table": table})])
        held = {key(row): row for row in old}
    held.update({key(row): row for row in rows})
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(held.values())
    return text.getvalue()


def write_rows(
    path: Path, table: str, rows: Iterable[Mapping[str, str]], key: Callable[[Mapping[str, str]], Any]
) -> None:
    """`merge_rows`, written whole or not at all."""
    write_text(path, merge_rows(path, table, rows, key))
