"""Measured steps of the catalog (`calibration.csv`) for one workload of a scenario.

A row is of the workload by its own id, or by the preset where the scenario changes no figure of the network; for one
card and precision the workload's own row counts. **Order of trust on a card**: a run that the lab timed there
(`anchors.py`: its whole training, with its data), the measured step, an anchor on another card, the estimate. So rows
of the anchor's card are left out, and the anchor's factor does not touch a card that was measured.

Variation, overlap, cost per tensor and loader of the rows at the workload's precision hold on every card, since the
host and the network set them and cards would not be compared alike otherwise; of several rows the most cautious figure
counts, and what the scenario states itself wins.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from typing import Any

from hwcost.calibration import CalibrationRow
from hwcost.records import Catalog
from hwcost.scenario import Assumption
from hwcost.workload import Workload

UNITS = {"step_cv": "", "overlap": "", "overhead_ms_per_tensor": "ms", "loader_ms_per_sample": "ms"}
CAUTIOUS: dict[str, Callable[[Iterable[float]], float]] = {
    "step_cv": max, "overlap": min, "overhead_ms_per_tensor": max, "loader_ms_per_sample": max,
}  # fmt: skip


def rows_of(catalog: Catalog, workload: Workload, same_network: bool) -> list[CalibrationRow]:
    """The rows that hold for the workload, by card and precision; those of the preset only for the `same_network`."""
    found: dict[tuple[str, str], CalibrationRow] = {}
    for name in (workload.preset if same_network else "", workload.id):
        rows = (row for row in catalog.calibrations.values() if name and row.workload_id == name)
        found.update({(row.card_id, row.precision): row for row in rows if row.card_id in catalog.cards})
    return [found[key] for key in sorted(found)]


def unused_rows(catalog: Catalog, workloads: Iterable[Workload]) -> list[CalibrationRow]:
    """Rows whose step serves no workload: another network, precision or card, or an anchor stands before it."""
    held = {
        (name, step) for w in workloads for name in (w.id, w.preset)
        for step in w.calibrations if step.precision == w.precision
    }  # fmt: skip
    return [row for row in catalog.calibrations.values() if (row.workload_id, row.step) not in held]


def with_measured_steps(
    workload: Workload, rows: Iterable[CalibrationRow], stated: Collection[str], anchor_card: str = ""
) -> tuple[Workload, list[Assumption]]:
    """The workload with what was measured of it, and the figures that it now rests on. `stated` are the scenario's."""
    rows = list(rows)
    steps = tuple(row.step for row in rows if row.card_id != anchor_card)
    workload = replace(workload, calibrations=steps)
    here = [row for row in rows if row.precision == workload.precision]
    noted = []
    for row in here:
        if row.card_id != anchor_card:
            step_ms = row.step.card_ms(1, workload.batch)
            noted.append(_figure("measured_step", step_ms, "ms", workload, row))
    fields: dict[str, Any] = {}
    for name, unit in UNITS.items():
        known = [(value, row) for row in here if (value := getattr(row, name)) is not None]
        if name in stated or not known:
            continue
        fields[name] = CAUTIOUS[name](value for value, _ in known)
        row = next(row for value, row in known if value == fields[name])
        noted.append(_figure(f"measured_{name}", fields[name], unit, workload, row))
    return replace(workload, **fields), noted


def _figure(key: str, value: float, unit: str, workload: Workload, row: CalibrationRow) -> Assumption:
    return Assumption(key, value, unit, f"{workload.id}: {row.origin.source}", "measured")
