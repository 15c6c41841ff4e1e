"""A workload: what a lab wants to train, per run and per year.

The record is made from a scenario's `[[workload]]` table and, where one is named, a catalog row (`preset`).
Loading is in `scenario.py`; the catalog row is a `records.Network`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from hwcost.calibration import MeasuredStep

PRECISIONS = ("fp32", "torch_default", "tf32", "amp16", "bf16")
OPTIMIZERS = ("sgd", "momentum", "adam")
MEMORY_SOURCES = ("nvidia-smi", "max_memory_allocated", "max_memory_reserved", "tensorflow")


@dataclass(frozen=True)
class Anchor:
    """One run that the lab has timed on one card it knows: what `anchors.py` fits predictions to."""

    card_id: str
    hours_per_run: float
    memory_gib: float | None = None
    memory_source: str = ""  # one of MEMORY_SOURCES where memory is stated
    storage_id: str = ""  # where the data lay; empty: reading did not limit the run
    error_share: float = 0.0  # error band of a prediction on the anchor's card, filled by `anchors.py`


@dataclass(frozen=True)
class Workload:
    """One kind of training job. Figures per sample are at fp32; `batch` is the global batch of one optimizer step."""

    id: str
    name: str
    name_zh: str
    must: bool  # a must is served first; a want if money is left
    priority: float
    people_at_once: int
    runs_per_year: float
    growth_per_year: float  # 0.1: ten per cent more runs each year
    steps_per_run: float
    batch: int
    precision: str
    optimizer: str
    max_hours_per_run: float | None
    ecc_required: bool
    accumulation: bool  # gradient accumulation allowed
    multi_card: bool  # data parallelism allowed
    startup_s: float  # per run: start, validation, inference of the scene
    workers: int  # loader processes; 0 loads in the training process
    loader_ms_per_sample: float
    overlap: float  # share of communication hidden behind backward, 0..1
    step_cv: float  # coefficient of variation of a step
    params: float
    forward_flop_per_sample: float
    saved_bytes_per_sample: float
    largest_saved_bytes_per_sample: float
    moved_bytes_per_sample: float
    launches_per_step: float
    parameter_tensors: int
    input_bytes_per_sample: float  # read from storage for each sample
    dataset_bytes: float  # on disk; read once where it fits in memory
    batchnorm: bool
    batchnorm_min_batch: int
    preset: str = ""
    source: str = ""
    kind: str = "estimate"
    anchor: Anchor | None = None
    sharers: int = 1  # most people who may share one card for this job
    checkpointing: bool = False  # activation checkpointing may be used
    sharding: bool = False  # FSDP or ZeRO may be used
    multi_node: bool = False  # one job may span several machines
    sync_batchnorm: bool = False  # batch statistics over all cards, at two collectives per layer and step
    compiled: bool = False  # torch.compile or CUDA graphs in use: fewer launches
    time_factor: float = 1.0  # measured / predicted time of the anchor; every step of this workload is multiplied by it
    calibrations: tuple[MeasuredStep, ...] = ()  # measured steps of this network, by card and precision
    overhead_ms_per_tensor: float | None = None  # of data parallelism, as measured; None: the usual one

    def measured_on(self, card_id: str) -> MeasuredStep | None:
        """The measured step on this card at the workload's precision."""
        found = (step for step in self.calibrations if (step.card_id, step.precision) == (card_id, self.precision))
        return next(found, None)

    def time_factor_on(self, card_id: str) -> float:
        """What steps on this card are multiplied by: a card that was measured itself needs no factor of another."""
        return self.time_factor if self.measured_on(card_id) is None else 1.0

    def runs(self, year: int) -> float:
        """Runs wanted in year `year` (0 is the first)."""
        return self.runs_per_year * (1.0 + self.growth_per_year) ** year

    @staticmethod
    def steps_from_samples(train_samples: float, batch: int, epochs: float) -> float:
        """Optimizer steps of a run: ceil(n_train / batch) x epochs."""
        return math.ceil(train_samples / batch) * epochs
