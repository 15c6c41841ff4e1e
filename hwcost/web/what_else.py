"""What else a machine could do: the largest language model, LoRA, fine-tuning of a vision model; all estimates."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from hwcost.build import Build
from hwcost.inference import answers_only, largest_llm
from hwcost.inference import what_else as inference_rows
from hwcost.memory import largest_micro_batch
from hwcost.names import build_text
from hwcost.options import Comparison
from hwcost.records import Card, Catalog
from hwcost.scenario import Scenario
from hwcost.web import rivals, sections
from hwcost.web.lazy import pd
from hwcost.web.words import lettered, plain, word
from hwcost.workload import Workload

MIB = 2**20
VISION = "vit-l-finetune"  # the encoder of Segment Anything (SAM) of this size is the same network
PRECISION, OPTIMIZER = "amp16", "adam"
MOST_BATCH = 4096


@dataclass(frozen=True)
class Else:
    """`llm` is empty where none fits; `batch` is the largest of one card, 0 where the network does not fit."""

    llm: str
    llm_cards: int
    lora: bool
    batch: int


def what_else(catalog: Catalog, scenario: Scenario, card: Card, cards: int, lang: str) -> Else:
    """Of one machine with so many cards. A model that only answers may be spread over them, training may not."""
    one, all_of_them = largest_llm(catalog, card), largest_llm(catalog, card, cards)
    larger = all_of_them is not None and (one is None or (all_of_them.params_billion or 0) > (one.params_billion or 0))
    llm = all_of_them if larger else one
    tunings = [f for f in inference_rows(catalog, card) if not answers_only(catalog.presets[f.preset_id])]
    name = "" if llm is None else llm.name_zh if lang == "zh" else llm.name
    vision = vision_job(catalog, scenario)
    batch = largest_micro_batch(vision, card, scenario.memory_margin, MOST_BATCH) if vision else 0
    return Else(name, cards if larger else 1, bool(tunings) and all(f.fits for f in tunings), batch)


def vision_job(catalog: Catalog, scenario: Scenario) -> Workload | None:
    """Fine-tuning of the large vision model; None where catalog or scenario has nothing to make it of."""
    row = catalog.networks.get(VISION)
    if row is None or not scenario.workloads:
        return None
    return replace(
        scenario.workloads[0], id=VISION, params=row.params, batch=row.default_batch, precision=PRECISION,
        optimizer=OPTIMIZER, saved_bytes_per_sample=row.saved_mib_per_sample * MIB, ecc_required=False,
        largest_saved_bytes_per_sample=row.largest_saved_mib_per_sample * MIB, checkpointing=False, sharding=False,
    )  # fmt: skip


def table(comparison: Comparison, lang: str) -> pd.DataFrame | None:
    """A row for each of the options side by side that has a machine; None where there is none."""
    rows = []
    scenario, catalog = comparison.best.case.scenario, comparison.best.case.catalog
    for result in rivals.nearest(comparison):
        machines = [p.build for p in result.plan.purchases if p.build.service is None] if result.plan else []
        if not machines:
            continue
        build = max(machines, key=lambda b: (b.card.memory_gib, b.cards))
        rows.append([plain(lettered(result, lang)), *(plain(cell) for cell in cells(build, scenario, catalog, lang))])
    titles = [word(f"else.{name}", lang) for name in ("option", "machine", "llm", "lora", "vision")]
    return pd.DataFrame(rows, columns=titles).set_index(titles[0]) if rows else None


def cells(build: Build, scenario: Scenario, catalog: Catalog, lang: str) -> list[str]:
    """Machine, language model, LoRA, vision model."""
    found = what_else(catalog, scenario, build.card, build.cards // build.nodes_per_unit, lang)
    llm = word("else.none", lang)
    if found.llm:
        key = "else.spread" if found.llm_cards > 1 else "else.one_card"
        llm = word(key, lang, model=found.llm, cards=found.llm_cards)
    vision = word("else.batch", lang, batch=found.batch) if found.batch else word("else.no", lang)
    return [build_text(build, 1, lang), llm, word("else.yes" if found.lora else "else.no", lang), vision]


def show(comparison: Comparison, lang: str) -> None:
    """The table with its note."""
    frame = table(comparison, lang)
    if frame is None:
        return
    st.caption(plain(word("else.note", lang)))
    sections.table(frame, "what-else", width=46)
