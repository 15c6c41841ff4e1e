"""The record of one build: cards, host, power supply and storage that physically work together.

`builds.py` makes them; everything below reads them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from hwcost.records import Card, Chassis, Link, Price, Psu, Storage, System
from hwcost.rules import Breach
from hwcost.scenario import Service


@dataclass(frozen=True)
class PricedPart:
    """One purchased part of a node: its unit price *net of tax*, in the scenario's currency, rounded to the cent."""

    item_id: str
    role: str  # card | host | psu | storage | bridge | system
    name: str
    quantity: int
    unit_price_net: float
    price: Price  # the row it came from
    fx_rate: float
    stale: bool


@dataclass(frozen=True)
class Build:
    """One node that can be bought or is owned. Watts are at the wall, losses of the power supply included."""

    id: str
    card: Card
    cards: int
    chassis: Chassis
    psu: Psu
    psu_count: int
    storage: Storage
    link: Link | None  # None for one card
    lanes_per_card: int
    parts: tuple[PricedPart, ...]  # empty: owned
    idle_wall_w: float  # whole node, nothing running
    peak_wall_w: float  # whole node, all cards at TDP, host loaded: what the circuit must carry
    busy_extra_wall_w_per_card: float  # what one computing card adds at the wall
    psu_need_w: float  # (cards x TDP + host) / 0.8
    estimate_only: bool  # composed from parts, not quoted
    system: System | None = None
    owned_count: int = 0  # > 0: the lab has that many, and they cost nothing to buy
    notes: tuple[Breach, ...] = ()  # physical rules that an owned machine breaks, and why the link is slower than hoped

    service: Service | None = None  # card-hours of somebody else's machine: no node, no watts, no purchase
    upgrade_of: str = ""  # the owned build that this one is made of by adding `parts`; at most its count in all
    upgrade: str = ""  # what is added or replaced: nvme | ram | psu | card | replace_card, joined by +
    nodes_per_unit: int = 1  # identical machines that one unit buys, joined by a network for jobs over several
    lead_weeks: float = 0.0  # from order to use
    network: Link | None = None  # joins the machines of one unit, whose cards `cards` counts all; None: one machine

    @property
    def owned(self) -> bool:
        return self.owned_count > 0

    @property
    def price_net(self) -> float:
        """Net price of one node, in the scenario's currency."""
        return round(math.fsum(p.quantity * p.unit_price_net for p in self.parts), 2)


@dataclass(frozen=True)
class Refusal:
    """A combination that does not work, with every rule it breaks."""

    item: str  # e.g. "4 x RTX A5500 in ThinkStation P620"
    item_zh: str
    card_id: str
    cards: int
    chassis_id: str
    breaches: tuple[Breach, ...]


@dataclass(frozen=True)
class BuildSet:
    """What `builds.make_builds` returns."""

    builds: tuple[Build, ...]
    refusals: tuple[Refusal, ...]  # one per card x count x chassis that cannot be built
    not_considered: tuple[Refusal, ...]  # items left out whole: no price, not buyable, no measured throughput
