"""One way to run one workload on one build: micro-batch, memory, hours, and every rule that forbids it.

`single` runs a job on one card, with gradient accumulation where its batch does not fit; `ddp` keeps the global batch
and spreads it over k cards, each of which holds the whole model (data parallelism does not pool memory); `sharded`
spreads weights, gradients and optimizer state too; `shared` runs n like jobs on one card:

    hours per run = (startup + steps x step time x time factor) / 3600
    card-hours    = cards x hours per run / sharers
    shared step   = max(step alone beside n - 1 like jobs, 1.05 x n x time in which the card itself works)

A job is judged as in a busy week: every other card of the machine runs a job like it, reads the same storage and takes
its share of the CPU cores and of the host's memory, and all data sets of the scenario want to stay in memory together.
On somebody else's machine (a service) the host is not known and judged by nothing; waiting there and bringing the data
count against a deadline, not as card-hours. The time factor is 1, or what a timed run on a known card says
(`anchors.py`): the same for every way of a workload, but 1 on a card that was measured itself (`calibration.py`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from hwcost.build import Build
from hwcost.layouts import Layout, layout_memory, messages, statistics_messages, volume_params_bytes
from hwcost.memory import largest_that, limit_mib
from hwcost.records import Link
from hwcost.rules import Breach
from hwcost.scaling import DataParallel, data_parallel
from hwcost.scenario import Scenario
from hwcost.steptime import CACHED_RAM_SHARE, ERROR_SHARE, StepTime, step_time, with_predicted_rest
from hwcost.strategy import Strategy
from hwcost.workload import Workload

MS_PER_HOUR = 3_600_000.0
SECONDS_PER_HOUR = 3600.0
MIB_PER_GIB = 1024.0
BYTES_PER_GIB = 2.0**30
BYTES_PER_MB = 1e6
HOST_GIB_PER_PROCESS = 4.0  # estimate: interpreter, CUDA context and pinned buffers of one training process
HOST_GIB_PER_WORKER = 1.0  # estimate: one loader process with its prefetch queue
SHARING_LOSS = 1.05  # estimate: what switching between the jobs of one card costs
NETWORKS = "eth_"  # how ids of links between machines begin


@dataclass(frozen=True)
class Way:
    """How a job is to run. `sharding` as in `layouts`; `sharers` like jobs on each card; `nodes` machines of a unit."""

    cards: int = 1
    sharers: int = 1
    sharding: str = "none"
    checkpointing: bool = False
    nodes: int = 1

    @property
    def kind(self) -> str:
        if self.sharers > 1:
            return "shared"
        if self.cards == 1:
            return "single"
        return "ddp" if self.sharding == "none" else "sharded"

    @property
    def layout(self) -> Layout:
        return Layout(self.cards, self.sharding, self.checkpointing)


@dataclass(frozen=True)
class _Fit:
    """What fits: samples of a card's share of the batch, of a pass, and the largest pass (0: none); MiB on the card."""

    per_card: int
    micro: int
    passes: int
    largest: int
    memory_mib: float
    usable_mib: float


def evaluate(scenario: Scenario, workload: Workload, build: Build, cards: int, way: Way | None = None) -> Strategy:
    """One way, `cards` cards of one machine of `build` unless `way` says more. All broken rules are kept, with amounts.

    `way.cards` must equal `cards`.
    """
    way = way or Way(cards)
    fit = _fit(scenario, workload, build, way)
    step = _step(scenario, workload, build, way, fit)
    step_ms, card_ms, bound = step.total_ms, step.card_ms, step.bound
    communication_ms = 0.0
    link = _link(build, way)
    if way.cards > 1 and link is not None:
        communication_ms = _spread(workload, way, fit, link, step.total_ms).step_ms - step.total_ms
        step_ms = step.total_ms + communication_ms
        if communication_ms > max(step.launch_ms, step.bandwidth_ms, step.compute_ms, step.loader_ms, step.storage_ms):
            bound = "communication"
    if way.sharers > 1:
        in_turn = SHARING_LOSS * way.sharers * step.busy_ms
        if in_turn > step_ms:
            step_ms = card_ms = in_turn
            bound = "bandwidth" if step.bandwidth_ms >= step.compute_ms else "compute"
    factor = workload.time_factor_on(build.card.id)
    evidence, error_share = step.evidence, step.error_share
    if workload.measured_on(build.card.id) is not None:
        evidence, error_share = _measured_band(way, step, step_ms)
    elif workload.anchor is not None:
        evidence, error_share = "transferred", max(error_share, workload.anchor.error_share)
    step_ms, communication_ms = factor * step_ms, factor * communication_ms
    hours = workload.startup_s / SECONDS_PER_HOUR + workload.steps_per_run * step_ms / MS_PER_HOUR
    return Strategy(
        workload_id=workload.id, build_id=build.id, kind=way.kind, cards=way.cards, micro_batch=fit.micro,
        accumulation_steps=fit.passes, memory_mib=fit.memory_mib, step_ms=step_ms, compute_ms=factor * card_ms,
        loader_ms=factor * step.loader_ms, storage_ms=factor * step.storage_ms, communication_ms=communication_ms,
        hours_per_run=hours, bound=bound, evidence=evidence, error_share=error_share,
        breaches=(
            *_memory_breaches(workload, way, fit), *_deadline_breaches(workload, build, hours),
            *_job_breaches(workload, build, way, fit), *_host_breaches(workload, build, way),
        ),
        sharers=way.sharers, nodes=way.nodes, checkpointing=way.checkpointing,
        wait_hours=service_wait_hours(workload, build) or 0.0,
    )  # fmt: skip


def _measured_band(way: Way, step: StepTime, step_ms: float) -> tuple[str, float]:
    """Evidence and error share where the card was measured: communication is predicted, sharing a card is estimated."""
    share = with_predicted_rest(step.error_share, step.total_ms, step_ms) if way.cards > 1 else step.error_share
    if way.sharers == 1:
        return step.evidence, share
    return "transferred", max(share, ERROR_SHARE["transferred"])


def service_wait_hours(workload: Workload, build: Build) -> float | None:
    """Hours before a run starts: the queue, and bringing the data; None: the wait is not known. 0 on own machines."""
    if build.service is None:
        return 0.0
    if build.service.wait_hours is None:
        return None
    speed = build.service.transfer_mb_s
    brought_s = 0.0 if speed is None else workload.dataset_bytes / (speed * BYTES_PER_MB)
    return build.service.wait_hours + brought_s / SECONDS_PER_HOUR


def cards_per_machine(build: Build) -> int:
    """Cards of one machine: of a unit of several, its share; of a service, the most that one job may take."""
    return build.cards // build.nodes_per_unit if build.service is None else build.service.cards_per_job


def network(build: Build) -> Link | None:
    """What joins the machines of one unit; None for one machine."""
    if build.nodes_per_unit == 1:
        return None
    if build.network is None and build.link is not None and build.link.id.startswith(NETWORKS):
        return build.link
    return build.network


def _link(build: Build, way: Way) -> Link | None:
    return network(build) if way.nodes > 1 else build.link


def _fit(scenario: Scenario, workload: Workload, build: Build, way: Way) -> _Fit:
    usable = limit_mib(build.card, scenario.memory_margin, workload.ecc_required)
    per_card = math.ceil(workload.batch / way.cards)

    layout = way.layout

    def need(batch: int) -> float:
        return way.sharers * layout_memory(workload, batch, layout).total_mib

    largest = largest_that(lambda batch: need(batch) <= usable, per_card)
    micro = _micro_batch(workload, per_card, largest)
    return _Fit(per_card, micro, math.ceil(per_card / micro), largest, need(micro), usable)


def _micro_batch(workload: Workload, per_card: int, fits: int) -> int:
    """The micro-batch: the whole batch where it fits, else equal parts of it; 1 where nothing fits (it is refused)."""
    if fits >= per_card:
        return per_card
    if not workload.accumulation or fits < 1:
        return per_card if not workload.accumulation else 1
    return math.ceil(per_card / math.ceil(per_card / fits))


def _step(scenario: Scenario, workload: Workload, build: Build, way: Way, fit: _Fit) -> StepTime:
    """The step on one card beside all other work of its machine; of a service only its file system is known."""
    if build.service is not None:
        return step_time(
            workload, build.card, fit.micro, accumulation_steps=fit.passes, data_parallel_cards=way.cards,
            storage_mb_s=build.service.storage_mb_s, lanes=build.lanes_per_card, recompute=way.layout.compute_factor,
        )  # fmt: skip
    return step_time(
        workload, build.card, fit.micro, accumulation_steps=fit.passes, data_parallel_cards=way.cards,
        storage_mb_s=build.storage.read_mb_s, storage_shared_by=way.sharers * cards_per_machine(build),
        host_ram_gib=build.chassis.ram_gib, cpu_cores=build.chassis.cpu_cores, lanes=build.lanes_per_card,
        other_data_bytes=math.fsum(w.dataset_bytes for w in scenario.workloads if w.id != workload.id),
        recompute=way.layout.compute_factor, machines=way.nodes,
    )  # fmt: skip


def _spread(workload: Workload, way: Way, fit: _Fit, link: Link, step_ms: float) -> DataParallel:
    return data_parallel(
        step_ms, workload.params, volume_params_bytes(workload, way.sharding), way.cards, link,
        overlap=workload.overlap, step_cv=workload.step_cv, parameter_tensors=workload.parameter_tensors,
        accumulation_steps=fit.passes, messages=messages(workload, way.sharding),
        blocking_messages=statistics_messages(workload, fit.passes),
        overhead_ms_per_tensor=workload.overhead_ms_per_tensor,
    )  # fmt: skip


def _memory_breaches(workload: Workload, way: Way, fit: _Fit) -> list[Breach]:
    if fit.largest >= 1 and fit.micro <= fit.largest:
        return []
    need, usable = fit.memory_mib / MIB_PER_GIB, fit.usable_mib / MIB_PER_GIB
    values = {"need_gib": need, "usable_gib": usable, "micro_batch": fit.micro}
    found = [Breach("memory", values)]
    if way.sharers > 1:
        found = [Breach("shared_memory", {**values, "jobs": way.sharers})]
    if not workload.accumulation and fit.largest >= 1:
        found.append(Breach("accumulation_off", {"micro_batch": fit.largest, "batch": fit.per_card}))
    return found


def _deadline_breaches(workload: Workload, build: Build, hours: float) -> list[Breach]:
    """The queue of a service counts; where nobody knows it, no deadline can be promised."""
    limit = workload.max_hours_per_run
    if limit is None:
        return []
    found: list[Breach] = []
    wait = service_wait_hours(workload, build)
    if wait is None and build.service is not None:
        found.append(Breach("wait_unknown", {"service": build.service.name, "limit_hours": limit}))
    if hours + (wait or 0.0) > limit:
        found.append(Breach("deadline", {"hours": hours + (wait or 0.0), "limit_hours": limit}))
    return found


def _job_breaches(workload: Workload, build: Build, way: Way, fit: _Fit) -> list[Breach]:
    card = build.card
    found: list[Breach] = []
    if workload.ecc_required and card.ecc not in ("inline", "native"):
        found.append(Breach("ecc", {"card": card.name}))
    if workload.precision == "bf16" and card.bf16 is False:
        found.append(Breach("precision", {"precision": workload.precision, "card": card.name}))
    if card.pytorch_current is False:
        found.append(Breach("software", {"card": card.name}))
    together = fit.micro * way.cards if workload.sync_batchnorm else fit.micro
    if workload.batchnorm_min_batch and together < min(workload.batchnorm_min_batch, workload.batch):
        found.append(Breach("batchnorm", {"per_card": together, "minimum": workload.batchnorm_min_batch}))
    if way.cards > 1 and not workload.multi_card:
        found.append(Breach("multi_card_off", {}))
    if way.cards > 1 and _link(build, way) is None:
        found.append(Breach("link", {"cards": way.cards}))
    if way.cards > workload.batch:
        found.append(Breach("batch_too_small", {"batch": workload.batch, "cards": way.cards}))
    return found


def _host_breaches(workload: Workload, build: Build, way: Way) -> list[Breach]:
    """Memory and cores of the machine. Jobs that share a card are strangers to each other: each holds its own data."""
    if build.service is not None:
        return []
    chassis = build.chassis
    processes = cards_per_machine(build) * way.sharers
    found: list[Breach] = []
    host_gib = processes * (HOST_GIB_PER_PROCESS + workload.workers * HOST_GIB_PER_WORKER)
    if host_gib > chassis.ram_gib:
        found.append(Breach("host_memory", {"need_gib": host_gib, "ram_gib": chassis.ram_gib}))
    if way.sharers == 1:
        return found
    data_gib = workload.dataset_bytes / BYTES_PER_GIB
    held = data_gib <= CACHED_RAM_SHARE * chassis.ram_gib  # a larger set is streamed, whoever reads it
    if held and host_gib <= chassis.ram_gib < host_gib + processes * data_gib:
        need = host_gib + processes * data_gib
        found.append(
            Breach(
                "host_data",
                {"need_gib": need, "ram_gib": chassis.ram_gib, "processes": processes, "data_gib": data_gib},
            )
        )
    cores = way.sharers * (1 + workload.workers)
    if chassis.cpu_cores is not None and cores > chassis.cpu_cores:
        found.append(Breach("host_cores", {"jobs": way.sharers, "need": cores, "cores": chassis.cpu_cores}))
    return found
