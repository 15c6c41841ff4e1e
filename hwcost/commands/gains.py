"""What `hwcost memory --gains` adds: the bound of each job on each card, gains, and a plain line on four cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from hwcost.alternatives import Alternative, several_cards, several_cards_line
from hwcost.bounds import Bound
from hwcost.commands.session import Session
from hwcost.commands.table import table
from hwcost.names import card_name, workload_name
from hwcost.quantities import memory_text, number_text, percent_text
from hwcost.records import Card, Link
from hwcost.steptime import ERROR_SHARE
from hwcost.workload import Workload

GAINS = ("memory", "bandwidth", "compute", "link")


def gain_lines(
    session: Session, pairs: Sequence[tuple[Workload, Card]], bounds: Sequence[Bound | None], links: Sequence[Link],
    margin: float,
) -> list[str]:  # fmt: skip
    """A table of gains, then one line for each workload: what four of the card that speeds up most bring."""
    lang = session.lang
    cells = []
    for (workload, card), found in zip(pairs, bounds, strict=True):
        if found is None:
            continue
        shares = [percent_text(found.gains.get(name), lang) for name in GAINS]
        times = "" if found.several is None else _times(session, found.several.speedup)
        cells.append([
            workload_name(workload, lang), card_name(card), number_text(found.step_ms, lang, 1),
            session.say(f"bound.{found.bound}"), *shares, times,
        ])  # fmt: skip
    names = ("workload", "card", "step", "bound", *GAINS, "several")
    titles = [session.say(f"gains.column.{name}") for name in names]
    low, high = (percent_text(ERROR_SHARE[tier], lang, 0) for tier in ("transferred", "estimated"))
    return [
        "", session.say("gains.heading"), *table(titles, cells, right=(2, 4, 5, 6, 7, 8)), "",
        session.say("gains.several_heading"), *_several(session, pairs, bounds, links, margin), "",
        session.say("gains.note", low=low, high=high),
    ]  # fmt: skip


def bound_record(found: Bound | None) -> dict[str, Any] | None:
    """The bound as JSON; None where the job cannot run on the card."""
    if found is None:
        return None
    several = found.several
    return {
        "step_ms": found.step_ms, "bound": found.bound, "evidence": found.evidence, "error_share": found.error_share,
        "gains": found.gains,
        "several": None if several is None else {
            "cards": several.cards, "link": several.link_id, "step_ms": several.step_ms, "speedup": several.speedup,
            "bound": several.bound, "pays": several.pays,
        },
    }  # fmt: skip


def alternative_table(session: Session, found: Sequence[Alternative], *, steps: bool = False) -> list[str]:
    """One row per alternative; `steps`: steps a second instead of runs an hour, where nobody said how long a run is."""
    lang = session.lang
    cells = []
    for way in found:
        rate = way.runs_per_hour
        if steps:
            rate = None if way.step_ms is None else 1e3 / way.step_ms * (way.cards if _independent(way) else 1)
        cells.append([
            session.say(f"alternative.{_shown(way)}", cards=way.cards), memory_text(way.memory_mib, lang),
            f"{way.micro_batch} x {way.accumulation_steps}", number_text(way.global_batch, lang),
            session.say("alternatives.not") if way.step_ms is None else number_text(way.step_ms, lang, 2),
            "" if rate is None else number_text(rate, lang, 2), number_text(way.watts, lang, 0),
            session.say(f"alternatives.kind.{way.kind}"),
        ])  # fmt: skip
    names = ("way", "memory", "passes", "batch", "step", "steps" if steps else "runs", "watts", "kind")
    titles = [session.say(f"alternatives.column.{name}") for name in names]
    return table(titles, cells, right=(1, 2, 3, 4, 5, 6))


def alternative_lines(session: Session, workload: Workload, card: Card, found: Sequence[Alternative]) -> list[str]:
    """Heading and table of one job on one card."""
    heading = session.say(
        "alternatives.heading", workload=workload_name(workload, session.lang),
        batch=number_text(workload.batch, session.lang), card=card_name(card),
    )  # fmt: skip
    return ["", heading, *alternative_table(session, found)]


def alternative_record(found: Alternative) -> dict[str, Any]:
    """The alternative as JSON."""
    return {**asdict(found), "fits": found.fits}


def _shown(way: Alternative) -> str:
    """One card that takes the whole batch at once accumulates nothing."""
    return "one_card" if way.key == "accumulation" and way.accumulation_steps == 1 else way.key


def _independent(way: Alternative) -> bool:
    return way.key == "independent_runs"


def _several(
    session: Session, pairs: Sequence[tuple[Workload, Card]], bounds: Sequence[Bound | None], links: Sequence[Link],
    margin: float,
) -> list[str]:  # fmt: skip
    """One line for each workload: on the card that gains most from being four, else the reason on the first card."""
    lines = []
    for workload in dict.fromkeys(workload for workload, _ in pairs):
        own = [(card, found) for (w, card), found in zip(pairs, bounds, strict=True) if w is workload]
        card = max(own, key=lambda pair: _speedup(pair[1]))[0]
        found = several_cards(workload, card, links, margin=margin)
        name = workload_name(workload, session.lang)
        lines.append(session.say(
            "gains.several_line", workload=name, card=card_name(card), line=several_cards_line(found, session.lang)
        ))  # fmt: skip
    return lines


def _speedup(found: Bound | None) -> float:
    return 0.0 if found is None or found.several is None else found.several.speedup


def _times(session: Session, speedup: float) -> str:
    return session.say("gains.times", speedup=number_text(speedup, session.lang, 1))
