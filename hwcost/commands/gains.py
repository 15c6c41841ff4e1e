"""What `hwcost memory --gains` adds: the bound of each job on each card, gains, and a plain line on four cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hwcost.bounds import Bound
from hwcost.commands.session import Session
from hwcost.commands.table import table
from hwcost.names import card_name, workload_name
from hwcost.quantities import number_text, percent_text
from hwcost.records import Card
from hwcost.steptime import ERROR_SHARE
from hwcost.workload import Workload

GAINS = ("memory", "bandwidth", "compute", "link")


def gain_lines(session: Session, pairs: Sequence[tuple[Workload, Card]], bounds: Sequence[Bound | None]) -> list[str]:
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
        session.say("gains.several_heading"), *_several(session, pairs, bounds), "",
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


def _several(session: Session, pairs: Sequence[tuple[Workload, Card]], bounds: Sequence[Bound | None]) -> list[str]:
    lines = []
    for workload in dict.fromkeys(workload for workload, _ in pairs):
        own = [
            (card, found.several)
            for (w, card), found in zip(pairs, bounds, strict=True)
            if w is workload and found is not None and found.several is not None
        ]
        name = workload_name(workload, session.lang)
        if not own:
            lines.append(session.say("gains.pays_never", workload=name))
            continue
        card, several = max(own, key=lambda pair: pair[1].speedup)
        lines.append(session.say(
            "gains.pays" if several.pays else "gains.pays_not", workload=name, card=card_name(card),
            speedup=number_text(several.speedup, session.lang, 1),
            **({} if several.pays else {"bound": session.say(f"bound.{several.bound}")}),
        ))  # fmt: skip
    return lines


def _times(session: Session, speedup: float) -> str:
    return session.say("gains.times", speedup=number_text(speedup, session.lang, 1))
