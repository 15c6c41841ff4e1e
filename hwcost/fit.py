"""Whether cards fit a case, whether the machine suits its place, and how the cards reach one another.

Each rule gives one `Breach` with its amounts; what is unknown breaks no rule. Power is in `psu.py`.
"""

from __future__ import annotations

from hwcost.records import Card, Chassis, Link
from hwcost.rules import Breach
from hwcost.scenario import Scenario

OFFICE_NOISE_DBA = 65.0  # at or above: louder than an office bears, where the scenario states no limit of its own


def fit_breaches(card: Card, cards: int, chassis: Chassis) -> list[Breach]:
    """Rules of slots, length and cooling that the cards break in this case."""
    breaches = []
    need = cards * card.slot_width
    if need > chassis.slots:
        values = {"cards": cards, "slot_width": card.slot_width, "need": need, "have": chassis.slots}
        breaches.append(Breach("slots", values))
    limits = {1: chassis.max_cards_1slot, 2: chassis.max_cards_2slot}
    limit = limits.get(card.slot_width, chassis.max_cards_3slot)
    if cards > limit:
        breaches.append(Breach("card_count", {"cards": cards, "slot_width": card.slot_width, "limit": limit}))
    longest = chassis.max_card_length_mm
    if longest is not None and card.length_mm is not None and card.length_mm > longest:
        breaches.append(Breach("card_length", {"length_mm": card.length_mm, "limit_mm": longest}))
    if card.cooling == "passive" and not chassis.passive_ok:
        breaches.append(Breach("passive_airflow", {"card": card.name}))
    if card.cooling == "open_air" and cards > chassis.stacked_open_air_max:
        breaches.append(Breach("open_air_stacking", {"cards": cards, "limit": chassis.stacked_open_air_max}))
    return breaches


def site_breaches(card: Card, chassis: Chassis, scenario: Scenario) -> list[Breach]:
    """Rules of the place that the machine breaks: noise, rack, licence."""
    breaches = []
    limit = scenario.noise_limit_dba
    if chassis.noise_dba is not None:
        if limit is not None and chassis.noise_dba > limit:
            breaches.append(Breach("noise", {"noise_dba": chassis.noise_dba, "limit_dba": limit}))
        elif limit is None and scenario.place == "office" and chassis.noise_dba >= OFFICE_NOISE_DBA:
            breaches.append(Breach("noise", {"noise_dba": chassis.noise_dba, "limit_dba": OFFICE_NOISE_DBA}))
    if chassis.form == "rack":
        # a laboratory may have a rack of its own: then the scenario states its units
        if scenario.place == "office" or (scenario.place == "lab" and not scenario.rack_units):
            breaches.append(Breach("rack_place", {"place": scenario.place}))
        units = chassis.rack_units
        if units is not None and scenario.rack_units is not None and units > scenario.rack_units:
            breaches.append(Breach("rack_units", {"need": units, "have": scenario.rack_units}))
    if scenario.place == "machine_room" and card.datacentre_licensed is False:
        breaches.append(Breach("datacentre_licence", {"card": card.name}))
    return breaches


def lanes(card: Card, cards: int, chassis: Chassis) -> int:
    """PCIe lanes of the worst card: of the next card count that the case states, of its largest beyond that."""
    stated = chassis.lanes_by_cards
    if not stated:
        return card.pcie_lanes
    count = min((n for n in stated if n >= cards), default=max(stated))
    return min(card.pcie_lanes, stated[count])


def link_notes(card: Card, cards: int, link: Link | None) -> tuple[Breach, ...]:
    """Why the cards talk at PCIe speed or slower, where a reader may expect more."""
    if cards < 2 or (link is not None and link.id.startswith("nvlink")):
        return ()
    notes = [Breach("link_no_p2p", {"card": card.name})] if card.p2p is False else []
    if 1 < card.nvlink_max_cards < cards:
        notes.append(Breach("link_pairs_only", {"card": card.name, "joined": card.nvlink_max_cards, "cards": cards}))
    elif card.nvlink_max_cards >= cards:
        notes.append(Breach("link_no_bridge", {"card": card.name}))
    return tuple(notes)
