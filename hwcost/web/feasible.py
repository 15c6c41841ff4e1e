"""Which job runs on which card, how, and if not, why: the map of the page on workloads. No Streamlit here."""

from __future__ import annotations

from dataclasses import dataclass

from hwcost.case import Case
from hwcost.memory import job_memory, limit_mib
from hwcost.records import Card
from hwcost.rules import Breach
from hwcost.strategy import Strategy
from hwcost.workload import Workload

# how a job runs on a card, best first
WHOLE, SAVING, SEVERAL, NO = "whole", "saving", "several", "no"
STATES = (WHOLE, SAVING, SEVERAL, NO)


@dataclass(frozen=True)
class Cell:
    """One job on one card. `way` is the best way where there is one, else `breaches` of the nearest one."""

    workload: Workload
    card: Card
    state: str
    way: Strategy | None
    breaches: tuple[Breach, ...]


def cards_of(case: Case) -> list[Card]:
    """Cards that can be had or are owned, those with most memory first."""
    found = {b.card.id: b.card for b in case.build_set.builds if b.service is None}
    return sorted(found.values(), key=lambda c: (-c.memory_gib, c.name))


def feasibility(case: Case) -> list[Cell]:
    """A cell for every job and card."""
    card_of = {b.id: b.card.id for b in case.build_set.builds if b.service is None}
    good: dict[tuple[str, str], Strategy] = {}
    bad: dict[tuple[str, str], Strategy] = {}
    for ways, best, rank in ((case.strategies.feasible, good, _ease), (case.strategies.excluded, bad, _nearness)):
        for way in ways:
            if way.build_id in card_of:
                place = (way.workload_id, card_of[way.build_id])
                if place not in best or rank(way) < rank(best[place]):
                    best[place] = way
    cells = []
    for workload in case.scenario.workloads:
        for card in cards_of(case):
            place = (workload.id, card.id)
            found, out = good.get(place), bad.get(place)
            breaches = out.breaches if out and not found else ()
            cells.append(Cell(workload, card, state_of(found), found, breaches))
    return cells


def state_of(way: Strategy | None) -> str:
    """WHOLE: one card holds the batch at once; SAVING: one card with accumulation or checkpointing."""
    if way is None:
        return NO
    if way.cards > 1 or way.nodes > 1:
        return SEVERAL
    return SAVING if way.accumulation_steps > 1 or way.checkpointing else WHOLE


def _ease(way: Strategy) -> tuple[float, ...]:
    return (STATES.index(state_of(way)), way.sharers > 1, way.hours_per_run)


def _nearness(way: Strategy) -> tuple[float, ...]:
    return (len(way.breaches), way.cards, way.hours_per_run)


@dataclass(frozen=True)
class Bar:
    """A card's memory for one job, GiB: what it has for jobs, and what the margin keeps free."""

    card: Card
    limit_gib: float
    state: str
    largest_batch: int


def bars(case: Case, workload: Workload) -> list[Bar]:
    """Each card's memory, beside what the job needs."""
    from hwcost.memory import largest_micro_batch

    margin = case.scenario.memory_margin
    found = []
    for card in cards_of(case):
        most = largest_micro_batch(workload, card, margin, 10**6)
        state = WHOLE if most >= workload.batch else SAVING if most >= 1 and workload.accumulation else NO
        found.append(Bar(card, limit_mib(card, margin, workload.ecc_required) / 1024.0, state, most))
    return found


def needed_gib(workload: Workload) -> tuple[float, float]:
    """Memory of the whole batch in one piece, and of one sample at a time."""
    return job_memory(workload, workload.batch).total_mib / 1024.0, job_memory(workload, 1).total_mib / 1024.0
