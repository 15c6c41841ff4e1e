"""Anchors: one timed run on a card that the lab knows replaces estimates of that workload.

**Time.** hours on a card = start-up + predicted steps there x (anchor hours - start-up) / predicted steps on the
anchor's card. The last ratio is kept as one factor (`Workload.time_factor`), so every way to run the workload changes
by the same factor; start-up (start, validation, inference of the scene) is the same on every card and is left out of
it. The anchor's run is predicted on one card with its whole batch in one pass, the loader processes of
the workload, and the storage that the anchor names (none: reading did not limit it). The tier of evidence becomes
*transferred*; the error band is the wider one of the two cards.

**Memory.** The saved bytes are scaled so that the prediction at the anchor's batch equals the reading, less what the
source of the reading does not count:

    nvidia-smi            the whole process                       predicted total
    max_memory_reserved   not the CUDA context                    predicted total - 512 MiB
    max_memory_allocated  neither context nor allocator reserve   predicted total - 1792 MiB (`memory.CONTEXT_MIB`)

A reading of nvidia-smi from 90 % of the card's usable memory up only says "at most", since the allocator keeps what it
once had, and so does any reading of TensorFlow, which takes all memory at the start: the estimate stays. So it does
where the reading lies below what weights and optimizer alone are predicted to need: no amount of saved bytes fits it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from hwcost.memory import CONTEXT_MIB, job_memory, usable_mib
from hwcost.rates import card_rates
from hwcost.records import Card, Catalog
from hwcost.scenario import Assumption
from hwcost.steptime import ERROR_SHARE, step_time
from hwcost.strict import ABOVE_ZERO, Table
from hwcost.workload import MEMORY_SOURCES, Anchor, Workload

FULL_CARD_SHARE = 0.9  # from here up a reading of nvidia-smi says "at most"
CUDA_CONTEXT_MIB = 512.0  # estimate: 0.3-0.6 GiB by card and version
NOT_COUNTED_MIB = {"nvidia-smi": 0.0, "max_memory_reserved": CUDA_CONTEXT_MIB, "max_memory_allocated": CONTEXT_MIB}
STARTUP_SHARE = 0.1  # where nobody stated the start-up, it is at most this share of the anchor's hours
SECONDS_PER_HOUR = 3600.0
MS_PER_HOUR = 3_600_000.0
MIB_PER_GIB = 1024.0


@dataclass(frozen=True)
class MemoryFit:
    """What became of a memory reading: `used` (the saved bytes are scaled by `factor`), `at_most` or `below`."""

    outcome: str
    factor: float = 1.0


def read_anchor(table: Table, catalog: Catalog) -> Anchor | None:
    """The `anchor` of a workload's table, or None. Faults are noted in the table."""
    part = table.table("anchor")
    hours = part.number("hours_per_run", None, ABOVE_ZERO)
    memory = part.number("memory_gib", None, ABOVE_ZERO)
    card = part.text("card", known=catalog.cards)
    source = part.text("source", known=MEMORY_SOURCES)
    storage = part.text("storage", known=catalog.storage)
    part.finish()
    if not isinstance(table.data.get("anchor"), Mapping):
        return None
    for key in ("card", "hours_per_run", *(["source"] if "memory_gib" in part.data else [])):
        if key not in part.data:
            part.note("scenario_missing_key", key)
    if "source" in part.data and "memory_gib" not in part.data:
        part.note("scenario_missing_key", "memory_gib")
    if hours is None or not card or ("memory_gib" in part.data and (memory is None or not source)):
        return None
    return Anchor(card, hours, memory, source, storage)


def anchored(
    workload: Workload, anchor: Anchor, catalog: Catalog, startup_stated: bool
) -> tuple[Workload, list[Assumption]]:
    """The workload fitted to its anchor, and what is assumed with it.

    Where the start-up was not stated, it is held to a tenth of the anchor's hours. A stated start-up must be below
    the anchor's hours (`startup_too_long`).
    """
    card = catalog.cards[anchor.card_id]
    place = f"{workload.id}: {card.name}"
    noted = [Assumption("anchor_hours", anchor.hours_per_run, "h", place, "measured")]
    if not startup_stated:
        most = STARTUP_SHARE * anchor.hours_per_run * SECONDS_PER_HOUR
        if most < workload.startup_s:
            workload = replace(workload, startup_s=most)
            noted.append(Assumption("anchor_startup", most, "s", place, "estimate"))
    storage = catalog.storage.get(anchor.storage_id)
    factor = time_factor(workload, anchor.hours_per_run, card, storage.read_mb_s if storage else None)
    band = ERROR_SHARE[card_rates(card, workload.precision).evidence]
    workload = replace(workload, anchor=replace(anchor, error_share=band), time_factor=factor)
    if anchor.memory_gib is not None:
        fit = fit_memory(workload, anchor.memory_gib, anchor.memory_source, card)
        noted.append(
            Assumption(
                f"anchor_memory_{fit.outcome}", anchor.memory_gib, "GiB", f"{place}, {anchor.memory_source}", "measured"
            )
        )
        workload = replace(
            workload,
            saved_bytes_per_sample=fit.factor * workload.saved_bytes_per_sample,
            largest_saved_bytes_per_sample=fit.factor * workload.largest_saved_bytes_per_sample,
        )
    return workload, noted


def startup_too_long(workload: Workload, anchor: Anchor) -> bool:
    """True where the start-up alone takes as long as the anchor's whole run."""
    return workload.startup_s >= anchor.hours_per_run * SECONDS_PER_HOUR


def time_factor(workload: Workload, hours_per_run: float, card: Card, storage_mb_s: float | None = None) -> float:
    """Measured over predicted time of the steps of one run on one `card`; start-up is in neither."""
    step = step_time(workload, card, workload.batch, storage_mb_s=storage_mb_s, lanes=card.pcie_lanes)
    measured = hours_per_run - workload.startup_s / SECONDS_PER_HOUR
    return measured / (workload.steps_per_run * step.total_ms / MS_PER_HOUR)


def fit_memory(workload: Workload, reading_gib: float, source: str, card: Card) -> MemoryFit:
    """The factor on the saved bytes by which the prediction of the whole batch equals the reading.

    The prediction is fixed + max(a x, t) with x the factor, a the activations and their workspace at x = 1, t the
    optimizer's temporary; a reading up to fixed + t holds for no x or for many.
    """
    reading_mib = reading_gib * MIB_PER_GIB
    full = FULL_CARD_SHARE * usable_mib(card, workload.ecc_required)
    if source == "tensorflow" or (source == "nvidia-smi" and reading_mib >= full):
        return MemoryFit("at_most")
    total_mib = reading_mib + NOT_COUNTED_MIB[source]
    nothing_saved = replace(workload, saved_bytes_per_sample=0.0, largest_saved_bytes_per_sample=0.0)
    smallest = job_memory(nothing_saved, workload.batch)
    if total_mib <= smallest.total_mib:
        return MemoryFit("below")
    fixed = smallest.context_mib + smallest.state_mib
    without_optimizer = replace(workload, optimizer="sgd")  # its step has no temporary: activations and workspace alone
    need = job_memory(without_optimizer, workload.batch)
    return MemoryFit("used", (total_mib - fixed) / (need.activations_mib + need.workspace_mib))
