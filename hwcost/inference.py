"""What else a card can run: language models, LoRA, inference of a whole scene. Rules of thumb, all estimates.

    need on one card = 1.75 GiB + (parameters x bytes of each + extra) / cards          fits: <= 0.9 x usable memory

Extra is the key-value cache of a language model, or adapters and activations of a LoRA fine-tuning (`presets.csv`).
Layers of a model that only answers may be spread over the cards of one machine, so there memory does add up; training
by data parallelism copies it instead. A margin of a tenth suffices: nothing grows while it runs.
"""

from __future__ import annotations

from dataclasses import dataclass

from hwcost.memory import CONTEXT_MIB, usable_mib
from hwcost.records import Card, Catalog, Preset
from hwcost.steptime import BACKWARD_FACTOR, step_time
from hwcost.workload import Workload

GIB = 2.0**30
MIB_PER_GIB = 1024.0
USED_SHARE = 0.9
KIND = "estimate"
MS_PER_HOUR = 3_600_000.0


@dataclass(frozen=True)
class InferenceFit:
    """One inference-only row on `cards` cards of one machine; GiB of one card."""

    preset_id: str
    cards: int
    need_gib: float
    usable_gib: float
    fits: bool
    kind: str = KIND


def inference_need_gib(row: Preset, cards: int = 1) -> float:
    """Memory on each of `cards` cards. A row without a size is no inference row (ValueError)."""
    if row.params_billion is None or row.bytes_per_param is None:
        raise ValueError(f"{row.id} states no parameters or no bytes of each")
    weights = row.params_billion * 1e9 * row.bytes_per_param / GIB
    return CONTEXT_MIB / MIB_PER_GIB + (weights + (row.extra_gib or 0.0)) / cards


def what_else(catalog: Catalog, card: Card, cards: int = 1) -> tuple[InferenceFit, ...]:
    """Every inference-only row of the catalog on this card, smallest first.

    A LoRA fine-tuning stays on one card: spreading it is training, which data parallelism does not pool.
    """
    usable = USED_SHARE * usable_mib(card) / MIB_PER_GIB
    found = []
    for row in catalog.presets.values():
        if row.category != "inference" or row.params_billion is None or row.bytes_per_param is None:
            continue
        spread = cards if answers_only(row) else 1
        need = inference_need_gib(row, spread)
        found.append(InferenceFit(row.id, spread, need, usable, need <= usable))
    return tuple(sorted(found, key=lambda fit: (fit.need_gib * fit.cards, fit.preset_id)))


def largest_llm(catalog: Catalog, card: Card, cards: int = 1) -> Preset | None:
    """The language model of most parameters that fits, or None."""
    rows = [catalog.presets[fit.preset_id] for fit in what_else(catalog, card, cards) if fit.fits]
    return max((row for row in rows if answers_only(row)), key=lambda row: row.params_billion or 0.0, default=None)


def answers_only(row: Preset) -> bool:
    """True for a model that only answers; the adapters of LoRA are trained."""
    return row.category == "inference" and not row.id.startswith("lora")


def scene_hours(workload: Workload, card: Card, samples: int) -> float:
    """Hours to run the trained network over a whole scene: every pixel of a patch classifier, or every tile, once.

    A forward pass takes a third of a training step of the same batch; what the lab timed (`anchors.py`) counts too.
    """
    step = step_time(workload, card, workload.batch, lanes=card.pcie_lanes)
    return workload.time_factor_on(card.id) * samples / workload.batch * step.card_ms / BACKWARD_FACTOR / MS_PER_HOUR
