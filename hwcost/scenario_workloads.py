"""The `[[workload]]` tables of a scenario: a catalog row (`preset`) or a network on tiles, plus what the lab says.

What a lab states wins over the preset or `tile`; a timed run (`anchor`) fits the predictions to it. Units of the file
are those people use (GFLOP, MiB, GB); a `Workload` holds FLOP and bytes: 1 GFLOP = 1e9 FLOP, 1 MiB = 2^20 bytes,
1 GB = 1e9 bytes (data on disk is counted in decimal units).
"""

from __future__ import annotations

import math
from collections.abc import Callable

from hwcost.anchors import anchored, read_anchor, startup_too_long
from hwcost.calibration import PARAMS_TOLERANCE
from hwcost.measured_work import rows_of, with_measured_steps
from hwcost.records import Catalog, Dataset, Network
from hwcost.scenario import Assumption
from hwcost.scenario_tiles import read_tile
from hwcost.strict import ABOVE_ZERO, COUNT, SHARE, WHOLE, Limit, Table
from hwcost.tiles import tile_network
from hwcost.workload import OPTIMIZERS, PRECISIONS, Anchor, Workload

GFLOP = 1e9
MIB = 2.0**20
GB = 1e9
NOT_OF_THE_CARD = {"loader_ms_per_sample", "input_mib_per_sample"}  # figures that leave a card's step as it is
BYTES_PER_RAW_SAMPLE = 2  # sensors deliver 16-bit integers

# Bytes moved through memory in one training step, in units of the bytes saved for backward, where nobody measured them.
# Counted on the commonest block, convolution + batch norm + ReLU, in tensors of the size of its output. Two are saved
# (the inputs of the convolution and of the batch norm). Forward makes 7 passes: convolution reads 1, writes 1; batch
# norm reads 2 (statistics, then normalising), writes 1; ReLU reads 1, writes 1. Backward makes 12: ReLU reads 2, writes
# 1; batch norm reads 4 (input and gradient, twice), writes 1; convolution reads 1, writes 1 for the input's gradient
# and reads 2 for the weights'. 19 / 2 = 9.5. The bandwidth-bound parts of three hyperspectral networks at batch 64 on
# an RTX A5500 (SSFTT 0.3 ms, HybridSN 2.2 ms, SpectralFormer 8.1 ms, at 75 % of 768 GB/s) give 7.5, 10.1 and 11.5.
MOVED_PER_SAVED = 9.5

# Physical ranges, by the field of `Workload`. The same table serves the file and later changes.
WORKLOAD_LIMITS: dict[str, Limit] = {
    "priority": Limit(low=0.01, high=100.0),
    "people_at_once": Limit(high=1000, whole=True),
    "runs_per_year": ABOVE_ZERO,
    "growth_per_year": Limit(low=-1.0, high=10.0),
    "steps_per_run": ABOVE_ZERO,
    "batch": COUNT,
    "max_hours_per_run": ABOVE_ZERO,
    "startup_s": Limit(high=1e6),
    "workers": WHOLE,
    "loader_ms_per_sample": Limit(high=1e6),
    "overlap": SHARE,
    "step_cv": SHARE,
    "params": ABOVE_ZERO,
    "forward_flop_per_sample": ABOVE_ZERO,
    "saved_bytes_per_sample": ABOVE_ZERO,
    "largest_saved_bytes_per_sample": ABOVE_ZERO,
    "moved_bytes_per_sample": ABOVE_ZERO,
    "launches_per_step": ABOVE_ZERO,
    "parameter_tensors": COUNT,
    "input_bytes_per_sample": ABOVE_ZERO,
    "dataset_bytes": ABOVE_ZERO,
    "batchnorm_min_batch": WHOLE,
    "sharers": Limit(low=1, high=16, whole=True),
}


def read_workload(table: Table, catalog: Catalog) -> tuple[Workload, list[Assumption]]:
    """One workload and the assumptions it rests on. Faults are noted in `table`; figures then stand in as 1."""
    identity = table.text("id", required=True)
    preset_id = table.text("preset", known=catalog.networks)
    preset = catalog.networks.get(preset_id)
    tiled = _tiled(table)
    preset = preset or tiled
    read = _reader(table)
    own_figures: list[str] = []
    sized = bool({"preset", "tile"} & table.data.keys())  # by a row, so that the figures of the network may be left out

    def physical(key: str, field: str, unit: float, base: float | None, needed: bool = True) -> float:
        if key in table.data:
            own_figures.append(key)
        value = read(key, field, base, needed and not sized)
        return 1.0 if value is None else value * unit

    usual_batch = preset.default_batch if preset and not tiled else None
    batch = read("batch", "batch", usual_batch, "preset" not in table.data) or 1.0
    params = physical("params", "params", 1.0, preset.params if preset else None)
    flop = physical(
        "forward_gflop_per_sample",
        "forward_flop_per_sample",
        GFLOP,
        preset.forward_gflop_per_sample if preset else None,
    )
    saved = physical(
        "saved_mib_per_sample", "saved_bytes_per_sample", MIB, preset.saved_mib_per_sample if preset else None
    )
    largest = physical(
        "largest_saved_mib_per_sample",
        "largest_saved_bytes_per_sample",
        MIB,
        preset.largest_saved_mib_per_sample if preset else None,
    )
    if largest > saved:
        table.note(
            "scenario_largest_above_saved",
            "largest_saved_mib_per_sample",
            round(largest / MIB, 3),
            expected=f"<= {saved / MIB:g}",
        )
    read_bytes = physical(
        "input_mib_per_sample", "input_bytes_per_sample", MIB, preset.input_mib_per_sample if preset else None
    )
    launches = physical("launches_per_step", "launches_per_step", 1.0, preset.launches_per_step if preset else None)
    tensors = physical("parameter_tensors", "parameter_tensors", 1.0, preset.parameter_tensors if preset else None)
    loader = physical(
        "loader_ms_per_sample", "loader_ms_per_sample", 1.0, preset.loader_ms_per_sample if preset else None
    )
    assumptions: list[Assumption] = []
    moved_mib = preset.moved_mib_per_sample if preset and "saved_mib_per_sample" not in own_figures else None
    if "moved_mib_per_sample" in table.data or moved_mib is not None:
        moved = physical("moved_mib_per_sample", "moved_bytes_per_sample", MIB, moved_mib)
    else:
        table.has("moved_mib_per_sample")
        moved = MOVED_PER_SAVED * saved
        assumptions.append(
            Assumption(
                "moved_mib_per_sample",
                moved / MIB,
                "MiB",
                f"{identity}: {MOVED_PER_SAVED:g} x saved_mib_per_sample",
                "estimate",
            )
        )

    dataset = catalog.datasets.get(table.text("dataset", preset.dataset_id if preset else "", known=catalog.datasets))
    # pixels are not tiles: a scene's labels do not count them
    samples = _train_samples(table, None if "tile" in table.data else dataset)
    excused = preset is None and sized  # one wrong preset is one fault, not one per figure it lacks
    steps = _steps(table, samples, int(batch), excused)
    dataset_bytes = _dataset_bytes(table, dataset, samples, read_bytes, excused)
    name = table.text("name_en", preset.name if preset else identity)
    workload = Workload(
        id=identity,
        name=name,
        name_zh=table.text("name_zh", preset.name_zh if preset and "name_en" not in table.data else name),
        must=table.flag("must", True),
        priority=read("priority", "priority", 1.0) or 1.0,
        people_at_once=int(_or(read("people_at_once", "people_at_once", 1.0), 1.0)),
        runs_per_year=read("runs_per_year", "runs_per_year", None, True) or 1.0,
        growth_per_year=_or(read("growth_per_year", "growth_per_year", 0.0), 0.0),
        steps_per_run=steps,
        batch=int(batch),
        precision=table.text("precision", preset.default_precision if preset else "torch_default", known=PRECISIONS),
        optimizer=table.text("optimizer", "adam", known=OPTIMIZERS),
        max_hours_per_run=read("max_hours_per_run", "max_hours_per_run", None),
        ecc_required=table.flag("ecc", False),
        accumulation=table.flag("accumulation", True),
        multi_card=table.flag("multi_card", True),
        startup_s=_or(read("startup_s", "startup_s", 60.0), 60.0),
        workers=int(_or(read("workers", "workers", 4.0), 4.0)),
        loader_ms_per_sample=loader,
        overlap=_or(read("overlap", "overlap", 0.0), 0.0),
        step_cv=_or(read("step_cv", "step_cv", 0.02), 0.02),
        params=params,
        forward_flop_per_sample=flop,
        saved_bytes_per_sample=saved,
        largest_saved_bytes_per_sample=largest,
        moved_bytes_per_sample=moved,
        launches_per_step=launches,
        parameter_tensors=int(tensors),
        input_bytes_per_sample=read_bytes,
        dataset_bytes=dataset_bytes,
        batchnorm=table.flag("batchnorm", preset.batchnorm if preset else False),
        batchnorm_min_batch=int(
            _or(
                read(
                    "batchnorm_min_batch", "batchnorm_min_batch", float(preset.batchnorm_min_batch) if preset else 0.0
                ),
                0.0,
            )
        ),
        sharers=int(_or(read("sharers", "sharers", 1.0), 1.0)),
        checkpointing=table.flag("checkpointing", False),
        sharding=table.flag("sharding", False),
        multi_node=table.flag("multi_node", False),
        sync_batchnorm=table.flag("sync_batchnorm", False),
        compiled=table.flag("compiled", False),
        preset=preset_id,
        source=preset.origin.source
        if preset and not own_figures
        else "; ".join([*([preset.origin.source] if preset else []), "scenario: " + ", ".join(own_figures)]),
        kind=preset.origin.kind if preset and not own_figures else "estimate",
    )
    anchor = read_anchor(table, catalog)
    table.finish()
    workload, measured = _measured(workload, table, catalog, own_figures, anchor)
    assumptions.extend(measured)
    if anchor is not None and startup_too_long(workload, anchor) and "startup_s" in table.data:
        table.note("scenario_startup_above_anchor", "startup_s", workload.startup_s, hours=anchor.hours_per_run)
    elif anchor is not None:
        workload, noted = anchored(workload, anchor, catalog, "startup_s" in table.data)
        assumptions.extend(noted)
    return workload, assumptions


def _measured(
    workload: Workload, table: Table, catalog: Catalog, own_figures: list[str], anchor: Anchor | None
) -> tuple[Workload, list[Assumption]]:
    """The workload with the measured steps of the catalog; a row of a network of another size is a fault."""
    rows = rows_of(catalog, workload, not set(own_figures) - NOT_OF_THE_CARD)
    for row in rows:
        if "params" in table.data and abs(row.params / workload.params - 1.0) > PARAMS_TOLERANCE:
            place = {"params": f"{row.params:.10g}", "table": row.origin.file, "row": row.origin.row}
            table.note("scenario_calibration_params", "params", workload.params, **place)
    return with_measured_steps(workload, rows, table.data.keys(), anchor.card_id if anchor else "")


def _tiled(table: Table) -> Network | None:
    """The network on tiles that `tile` describes, as a row like those of the catalog; not beside a preset."""
    tile = read_tile(table)
    if "tile" in table.data and "preset" in table.data:
        table.note("scenario_two_ways", "tile", table.data["tile"], expected="preset")
    return tile_network(tile) if tile else None


def _or(value: float | None, default: float) -> float:
    return default if value is None else value


def _reader(table: Table) -> Callable[..., float | None]:
    """Reads one figure, in the file's unit, within the range of its field (no bound depends on the unit's size)."""

    def read(key: str, field: str, base: float | None, needed: bool = False) -> float | None:
        return table.number(key, None if base is None else float(base), WORKLOAD_LIMITS[field], required=needed)

    return read


def _train_samples(table: Table, dataset: Dataset | None) -> float | None:
    """Training samples of one epoch: as stated, else ceil(labelled pixels x training share) of the data set."""
    stated = table.number("train_samples", None, COUNT)
    share = table.number("train_share", dataset.train_share if dataset else None, Limit(high=1.0, low_open=True))
    if "train_samples" in table.data:
        if "train_share" in table.data:
            table.note("scenario_two_ways", "train_share", table.data["train_share"], expected="train_samples")
        return stated
    if dataset and dataset.labelled_pixels and share:
        # a product such as 1000 x 0.3 must not climb over its whole number by a rounding error of floats
        return float(math.ceil(round(dataset.labelled_pixels * share, 6)))
    if "train_share" in table.data:
        table.note("scenario_share_of_what", "train_share", table.data["train_share"])
    return None


def _steps(table: Table, samples: float | None, batch: int, excused: bool) -> float:
    """Optimizer steps of one run: `steps_per_run`, or ceil(samples / batch) x epochs."""
    steps = table.number("steps_per_run", None, ABOVE_ZERO)
    epochs = table.number("epochs", None, ABOVE_ZERO)
    if "steps_per_run" in table.data:
        if "epochs" in table.data:
            table.note("scenario_two_ways", "steps_per_run", table.data["steps_per_run"], expected="epochs")
        return steps or 1.0
    if "epochs" in table.data:
        if samples is None and not excused and not {"train_samples", "train_share"} & table.data.keys():
            table.note("scenario_missing_key", "train_samples")
        return Workload.steps_from_samples(samples, batch, epochs) if samples and epochs else 1.0
    table.note("scenario_no_steps", "steps_per_run")
    return 1.0


def _dataset_bytes(
    table: Table, dataset: Dataset | None, samples: float | None, input_bytes: float, excused: bool
) -> float:
    """Bytes on disk: as stated, else the scene at 16 bit, else one input per training sample."""
    stated = table.number("dataset_gb", None, ABOVE_ZERO)
    if "dataset_gb" in table.data:
        return (stated or 1.0) * GB
    if dataset:
        return float(dataset.height * dataset.width * dataset.bands * BYTES_PER_RAW_SAMPLE)
    if samples:
        return samples * input_bytes
    if "train_samples" not in table.data and not excused:
        table.note("scenario_missing_key", "dataset_gb")
    return GB
