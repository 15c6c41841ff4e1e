"""Time of one optimizer step on one card.

    T_c(b) = c0 + max(F*b / (peak*e_c), Q*b / (BW*e_b))          step = slowest of T_c, loader, storage

    c0  launches x 12 us, set by the host's CPU and about equal on every card
    F   training FLOPs per sample, 3 x forward               Q  bytes moved through memory per sample
    e_c, e_b  shares of peak and bandwidth that training reaches (`rates.py`, with where they come from)

Where the network was measured on the card itself (`calibration.py`), the measured line takes the place of both: c0 as
measured, and rates scaled by one factor so that a sample takes the measured time. What bounds the step, and what 10 %
more of a resource gains, is then still told by the specification's ratio of compute to bandwidth.

With accumulation, launches and samples repeat. Times are in ms, rates in FLOP/ms and bytes/ms.
Source: article A section 3.3 (the line c0 + c1*P*b is the fit of a measured batch scan), article B section 6.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from hwcost.calibration import MeasuredStep
from hwcost.memory import largest_micro_batch
from hwcost.rates import CardRates, busy_ms, card_rates, kept_bytes
from hwcost.records import Card
from hwcost.workload import Workload

LAUNCH_MS = 0.012  # 9-15 us by host, fitted on public small-batch step times
# Estimate: launch-bound steps captured as CUDA graphs took 0.61 of the time (8.4 to 5.1 ms, H100, cloudai.pt, 2026) and
# 0.73 (11.1 to 8.1 ms, ninetyfive.gg, 2025-12); both are of inference. The middle of the two.
COMPILED_LAUNCH_SHARE = 0.67
BACKWARD_FACTOR = 3.0  # training is forward plus a backward of twice its cost

# 90th percentile of |ln(predicted/measured)| from one card to another on a network that nothing was fitted to
# (Transformer-XL, 26 card pairs of one software version); the medians are 0.19 and 0.22. No public time of a
# hyperspectral network states card, batch and steps together, so a measured run narrows this more than any table.
ERROR_SHARE = {"transferred": 0.40, "estimated": 0.50}

CACHED_RAM_SHARE = 0.6  # a data set up to this share of RAM is read from disk once
PCIE_GB_S_PER_LANE = {3: 0.8, 4: 1.6, 5: 3.2, 6: 6.4}  # host to card, 80 % of the line rate


@dataclass(frozen=True)
class StepTime:
    """One optimizer step on one card, ms. `bound` names the slowest part; `error_share` is a share of `total_ms`."""

    total_ms: float
    launch_ms: float
    bandwidth_ms: float
    compute_ms: float
    loader_ms: float
    storage_ms: float
    bound: str  # launches | bandwidth | compute | loader | storage
    evidence: str  # measured | transferred | estimated
    error_share: float

    @property
    def card_ms(self) -> float:
        """T_c: what the card itself needs, with the loader and the storage out of the way."""
        return self.launch_ms + self.busy_ms

    @property
    def busy_ms(self) -> float:
        """Part of it in which the card itself works, and another job on the same card has to wait."""
        return busy_ms(self.compute_ms, self.bandwidth_ms)


def step_time(
    workload: Workload,
    card: Card,
    micro_batch: int,
    *,
    accumulation_steps: int = 1,
    data_parallel_cards: int = 1,
    storage_mb_s: float | None = None,
    storage_shared_by: int = 1,
    host_ram_gib: float | None = None,
    cpu_cores: int | None = None,
    lanes: int = 16,
    other_data_bytes: float = 0.0,
    recompute: float = 1.0,
    machines: int = 1,
) -> StepTime:
    """One optimizer step of `workload` on one card of `data_parallel_cards`, each with `micro_batch` samples a pass.

    `storage_mb_s` is the tier's read speed (None: no limit); it and the `cpu_cores` of the host are shared by the
    `storage_shared_by` cards that work at the same time (the job's own count in any case). `host_ram_gib` decides
    whether the data stays in memory, beside `other_data_bytes` of other work; `lanes` are those of the card's slot.
    `recompute` multiplies time and launches of the card (4/3 with activation checkpointing); the cards of the job are
    spread over so many `machines`, each with its own storage and CPU.
    """
    measured = workload.measured_on(card.id)
    rates = _rates(workload, card, measured)
    host = _Host(
        data_parallel_cards, storage_mb_s, storage_shared_by, host_ram_gib, cpu_cores, lanes, card.pcie_gen,
        other_data_bytes, recompute, machines,
    )  # fmt: skip
    return _step(workload, rates, micro_batch, accumulation_steps, host, measured)


def gains(
    workload: Workload,
    card: Card,
    micro_batch: int,
    *,
    accumulation_steps: int = 1,
    margin: float = 0.25,
    communication_ms: Callable[[float, float], float] | None = None,
    raise_by: float = 0.10,
    **conditions: Any,
) -> dict[str, float]:
    """Share of the step that +10 % of one resource saves: memory, bandwidth, compute, storage and link.

    `conditions` are those of `step_time`; `communication_ms(step_ms, link_factor)` is what data parallelism adds at
    that multiple of the link's bandwidth (None: one card, the link gains nothing). +10 % memory helps through a larger
    micro-batch, hence fewer passes. The ranking of article B section 3 as a computed figure.
    """
    measured = workload.measured_on(card.id)
    base_rates = _rates(workload, card, measured)
    host = _Host(
        conditions.get("data_parallel_cards", 1),
        conditions.get("storage_mb_s"),
        conditions.get("storage_shared_by", 1),
        conditions.get("host_ram_gib"),
        conditions.get("cpu_cores"),
        conditions.get("lanes", 16),
        card.pcie_gen,
        conditions.get("other_data_bytes", 0.0),
    )
    up = 1.0 + raise_by

    def total(
        rates: CardRates = base_rates,
        where: _Host = host,
        passes: tuple[int, int] = (micro_batch, accumulation_steps),
        link_factor: float = 1.0,
    ) -> float:
        alone = _step(workload, rates, passes[0], passes[1], where, measured).total_ms
        return alone + (communication_ms(alone, link_factor) if communication_ms else 0.0)

    per_card = _samples(workload, micro_batch, accumulation_steps, host)
    more_memory = replace(
        card, memory_gib=card.memory_gib * up, usable_mib=None if card.usable_mib is None else card.usable_mib * up
    )
    larger = max(micro_batch, largest_micro_batch(workload, more_memory, margin, per_card, host.readers > 1))
    faster_storage = replace(host, storage_mb_s=None if host.storage_mb_s is None else host.storage_mb_s * up)
    base = total()
    after = {
        "memory": total(passes=(larger, -(-per_card // larger))),
        "bandwidth": total(replace(base_rates, bytes_per_ms=base_rates.bytes_per_ms * up)),
        "compute": total(replace(base_rates, flop_per_ms=base_rates.flop_per_ms * up)),
        "storage": total(where=faster_storage),
        "link": total(link_factor=up),
    }
    return {name: (base - ms) / base for name, ms in after.items()}


@dataclass(frozen=True)
class _Host:
    readers: int
    storage_mb_s: float | None
    shared_by: int
    ram_gib: float | None
    cores: int | None
    lanes: int
    pcie_gen: int
    other_data_bytes: float
    recompute: float = 1.0
    machines: int = 1

    @property
    def sharers(self) -> int:
        """Cards that work at the same time and share storage and CPU."""
        return max(self.readers // self.machines, self.shared_by)


def with_predicted_rest(error_share: float, measured_ms: float, total_ms: float) -> float:
    """Error share of a time of which only a part was measured; the rest has the band of an estimate."""
    rest = max(0.0, total_ms - measured_ms) / total_ms
    return (1.0 - rest) * error_share + rest * ERROR_SHARE["estimated"]


def _rates(workload: Workload, card: Card, measured: MeasuredStep | None) -> CardRates:
    """Rates of the card; where it was measured, scaled so that one sample takes the measured time."""
    rates = card_rates(card, workload.precision, workload.ecc_required)
    if measured is None:
        return rates
    compute = BACKWARD_FACTOR * workload.forward_flop_per_sample / rates.flop_per_ms
    moved = kept_bytes(workload.moved_bytes_per_sample, workload.precision) / rates.bytes_per_ms
    slower = measured.ms_per_sample / busy_ms(compute, moved)
    return CardRates(rates.flop_per_ms / slower, rates.bytes_per_ms / slower, "measured")


def _tier(
    workload: Workload, measured: MeasuredStep, micro_batch: int, passes: int, samples: int, host: _Host
) -> tuple[str, float]:
    """Evidence and error share of the card's part. What was not measured as it is to run is carried over from it:
    batches outside those measured, checkpointing, compiling, and a measurement that does not tell its interval."""
    found = measured.error_share(passes, samples)
    as_measured = measured.holds(micro_batch) and host.recompute == 1.0 and not workload.compiled
    if found is not None and as_measured:
        return "measured", found
    return "transferred", max(found or 0.0, ERROR_SHARE["transferred"])


def _step(
    workload: Workload,
    rates: CardRates,
    micro_batch: int,
    passes: int,
    host: _Host,
    measured: MeasuredStep | None = None,
) -> StepTime:
    samples = _samples(workload, micro_batch, passes, host)
    launched = COMPILED_LAUNCH_SHARE if workload.compiled else 1.0
    launch = host.recompute * launched * workload.launches_per_step * LAUNCH_MS * passes
    if measured is not None:
        launch = host.recompute * launched * measured.c0_ms * passes
    moved = kept_bytes(workload.moved_bytes_per_sample, workload.precision)
    bandwidth = host.recompute * moved * samples / rates.bytes_per_ms
    compute = host.recompute * BACKWARD_FACTOR * workload.forward_flop_per_sample * samples / rates.flop_per_ms
    loader = _loader_ms(workload, samples, host)
    storage = _storage_ms(workload, samples, host)
    card_ms = launch + busy_ms(compute, bandwidth)
    total = card_ms + loader if workload.workers == 0 else max(card_ms, loader)
    total = max(total, storage)
    parts = {"launches": launch, "bandwidth": bandwidth, "compute": compute}
    bound = max(parts, key=lambda name: parts[name])
    if storage >= total:
        bound = "storage"
    elif loader > card_ms:
        bound = "loader"
    if measured is None:
        evidence, error_share = rates.evidence, ERROR_SHARE[rates.evidence]
    else:
        evidence, error_share = _tier(workload, measured, micro_batch, passes, samples, host)
        error_share = with_predicted_rest(error_share, card_ms, total)
    return StepTime(total, launch, bandwidth, compute, loader, storage, bound, evidence, error_share)


def _samples(workload: Workload, micro_batch: int, passes: int, host: _Host) -> int:
    """Samples of one step on this card; the last of several passes holds only what is left of the card's share."""
    if passes == 1:
        return micro_batch
    return min(micro_batch * passes, max(-(-workload.batch // host.readers), micro_batch))


def _loader_ms(workload: Workload, samples: float, host: _Host) -> float:
    """Preparing samples on the CPU and copying them to the card; with workers the two run side by side."""
    cores = workload.workers if host.cores is None else max(1, host.cores // host.sharers - 1)
    prepare = workload.loader_ms_per_sample * samples / max(1, min(workload.workers, cores))
    gb_s = PCIE_GB_S_PER_LANE[min(max(host.pcie_gen, 3), 6)] * host.lanes
    copy = workload.input_bytes_per_sample * samples / (gb_s * 1e6)
    return prepare + copy if workload.workers == 0 else max(prepare, copy)


def _storage_ms(workload: Workload, samples: float, host: _Host) -> float:
    """Reading the step's samples; nothing once the data set sits in RAM."""
    data = workload.dataset_bytes + host.other_data_bytes
    cached = host.ram_gib is not None and data <= CACHED_RAM_SHARE * host.ram_gib * 2.0**30
    if host.storage_mb_s is None or cached:
        return 0.0
    step_bytes = workload.input_bytes_per_sample * samples * host.sharers
    return step_bytes / (host.storage_mb_s * 1e3)
