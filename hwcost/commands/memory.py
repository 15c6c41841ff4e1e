"""`hwcost memory`: what each job needs on each card, the largest batch, and what limits it (article B section 5)."""

from __future__ import annotations

import argparse
import math
from typing import Any

from hwcost.alternatives import alternatives
from hwcost.bounds import bound_on
from hwcost.builds import make_builds
from hwcost.commands.gains import alternative_lines, alternative_record, bound_record, gain_lines
from hwcost.commands.session import Session, check_outputs, read_inputs
from hwcost.commands.table import table
from hwcost.errors import InputError
from hwcost.memory import MemoryNeed, job_memory, largest_micro_batch, limit_mib
from hwcost.names import card_name, workload_name
from hwcost.other_cards import KnownCards
from hwcost.quantities import memory_text, number_text, percent_text
from hwcost.records import Card, Catalog
from hwcost.scenario import Scenario
from hwcost.workload import Workload

SCHEMA = "hwcost.memory/1"
ANY_BATCH = 10**6
PARTS = ("context_mib", "state_mib", "activations_mib", "workspace_mib")


def run(args: argparse.Namespace, session: Session) -> int:
    """One row per job and card: need of the whole batch, what may be used, the largest batch and how the job runs."""
    scenario, catalog = read_inputs(args, session, check_outputs(session, source=args.input))
    cards = _named(args.cards, catalog) if args.cards else _buyable(scenario, catalog)
    rows = [(w, card, *_fit(scenario, w, card)) for w in scenario.workloads for card in cards]
    cells = []
    for w, card, need, limit, largest in rows:
        part = max(PARTS, key=lambda name: getattr(need, name))
        share = percent_text(getattr(need, part) / need.total_mib, session.lang, 0)
        cells.append([
            workload_name(w, session.lang), card_name(card), memory_text(limit, session.lang),
            memory_text(need.total_mib, session.lang), number_text(largest, session.lang),
            session.say("cli.memory_mostly", part=session.say(f"cli.memory_part.{part}"), share=share),
            _how(session, w, need, limit, largest),
        ])  # fmt: skip
    titles = session.columns("workload", "card", "usable", "need", "largest", "mostly", "limits")
    title = session.heading("memory", margin=percent_text(scenario.memory_margin, session.lang))
    bounds = [bound_on(w, card, scenario.memory_margin, catalog.links) for w, card, *_ in rows] if args.gains else []
    ways = [alternatives(w, card, catalog.links, margin=scenario.memory_margin) if args.gains else ()
            for w, card, *_ in rows]  # fmt: skip
    extra = []
    if args.gains:
        pairs = [(w, card) for w, card, *_ in rows]
        extra = gain_lines(session, pairs, bounds, catalog.links, scenario.memory_margin)
        for (w, card), found in zip(pairs, ways, strict=True):
            extra += alternative_lines(session, w, card, found)
        extra += [session.say("alternatives.note")]
    session.show([title, *table(titles, cells, right=(2, 3, 4)), *extra])
    session.write_json({
        "schema": SCHEMA, "scenario_sha256": scenario.sha256, "catalog_sha256": catalog.sha256,
        "memory_margin": scenario.memory_margin, "rows": [
            {**_record(*row), **(
                {"step": bound_record(bounds[i]), "alternatives": [alternative_record(way) for way in ways[i]]}
                if args.gains else {}
            )}
            for i, row in enumerate(rows)
        ],
    })  # fmt: skip
    return 0


def _fit(scenario: Scenario, workload: Workload, card: Card) -> tuple[MemoryNeed, float, int]:
    """Need of the whole batch on one card, MiB that may be used, and the largest micro-batch (0: none)."""
    limit = limit_mib(card, scenario.memory_margin, workload.ecc_required)
    largest = largest_micro_batch(workload, card, scenario.memory_margin, ANY_BATCH)
    return job_memory(workload, workload.batch), limit, largest


def accumulated(workload: Workload, largest: int) -> tuple[int, int]:
    """Micro-batch and accumulation steps for the whole batch in equal parts of at most `largest` samples."""
    if largest >= workload.batch:
        return workload.batch, 1
    micro = math.ceil(workload.batch / math.ceil(workload.batch / largest))
    return micro, math.ceil(workload.batch / micro)


def _how(session: Session, workload: Workload, need: MemoryNeed, limit: float, largest: int) -> str:
    most = memory_text(limit, session.lang)
    if largest < 1:
        one = job_memory(workload, 1).total_mib
        return session.say("cli.memory_none", need=memory_text(one, session.lang), limit=most)
    if largest >= workload.batch:
        return session.say("cli.memory_full", batch=workload.batch)
    if not workload.accumulation:
        return session.say("cli.memory_off", need=memory_text(need.total_mib, session.lang), limit=most)
    micro, steps = accumulated(workload, largest)
    return session.say("cli.memory_accumulate", micro=micro, steps=steps)


def _record(workload: Workload, card: Card, need: MemoryNeed, limit: float, largest: int) -> dict[str, Any]:
    runs = largest >= workload.batch or (largest >= 1 and workload.accumulation)
    micro, steps = accumulated(workload, largest) if runs else (None, None)
    return {
        "workload": workload.id, "card": card.id, "batch": workload.batch, "precision": workload.precision,
        "optimizer": workload.optimizer, "need_mib": need.total_mib,
        "parts_mib": {name.removesuffix("_mib"): getattr(need, name) for name in PARTS},
        "limit_mib": limit, "largest_micro_batch": largest, "micro_batch": micro, "accumulation_steps": steps,
        "fits": runs,
    }  # fmt: skip


def _buyable(scenario: Scenario, catalog: Catalog) -> list[Card]:
    """Cards of machines that can be bought or are owned, by memory."""
    cards = {b.card.id: b.card for b in make_builds(scenario, catalog).builds}
    return sorted(cards.values(), key=lambda c: (c.memory_gib, c.id))


def _named(names: list[str], catalog: Catalog) -> list[Card]:
    known = KnownCards(catalog, {})
    found = {name: known.find(name) for name in names}
    problems = [known.problem(name, "--cards") for name, card in found.items() if card is None]
    if problems:
        raise InputError(problems)
    return list({card.id: card for card in found.values() if card is not None}.values())
