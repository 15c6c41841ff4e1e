"""Puts machines together: parts in a case, a quoted whole machine, a machine that the lab has.

idle watts at the wall           (host idle + cards x idle + storage) / efficiency at that load
peak watts at the wall           (host load + cards x TDP + storage) / efficiency at that load
busy extra per card              (peak - idle) / cards
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from hwcost import psu as power
from hwcost.build import Build, PricedPart, Refusal
from hwcost.errors import Problem
from hwcost.fit import fit_breaches, lanes, link_notes, site_breaches
from hwcost.market import Market, card_selected, chassis_selected, names_of, no_throughput, too_small
from hwcost.records import Card, Catalog, Chassis, Link, Psu, Storage, System
from hwcost.rules import Breach
from hwcost.scaling import find_link, link_id_for
from hwcost.scenario import Owned, Scenario

QUOTE_SETTLES = ("remnant", "discontinued", "to_check")  # a vendor who quotes a machine can deliver such a card


@dataclass
class Factory:
    """Composes builds; holds what all of them share."""

    scenario: Scenario
    catalog: Catalog
    market: Market
    cards: dict[str, PricedPart]
    chassis: dict[str, PricedPart]
    tiers: dict[str, PricedPart]
    supplies: dict[str, PricedPart]
    memory: dict[str, PricedPart]  # additions of `upgrades.csv` that can be bought
    network: dict[str, PricedPart]

    def __post_init__(self) -> None:
        self.volts = power.site_volts(self.scenario)
        self.circuit_w = max((c.continuous_w for c in self.scenario.circuits), default=None)
        self.unit_price = {i: p.unit_price_net for i, p in self.supplies.items()}
        psus = self.catalog.psus.values()
        self.options = {i: power.candidates(c, psus, self.volts) for i, c in self.catalog.chassis.items()}
        self.bought: dict[tuple[str, str, int], PricedPart] = {}
        self.selected: dict[tuple[object, ...], tuple[tuple[power.Supply, ...], tuple[Breach, ...]]] = {}
        self.links: dict[tuple[str | None, int, int, int], Link | None] = {}

    def compose(self, card: Card, cards: int, chassis: Chassis) -> list[Build] | Refusal:
        """The builds of these cards in this case, or the refusal with every rule broken."""
        breaches = fit_breaches(card, cards, chassis) + site_breaches(card, chassis, self.scenario)
        builds: list[Build] = []
        electrical: list[Breach] = []
        for tier_id in sorted(self.tiers):
            tier = self.catalog.storage[tier_id]
            supplies, broken = self._supplies(card, cards, chassis, tier.watts)
            electrical += broken
            builds += [self._composed(card, cards, chassis, s, tier) for s in supplies] if not breaches else []
        if not self.tiers:
            electrical += self._supplies(card, cards, chassis, 0.0)[1] + self.failures(self.catalog.storage)
        if builds:
            return builds
        return refusal(card, cards, chassis, breaches + electrical)

    def _supplies(
        self, card: Card, cards: int, chassis: Chassis, storage_w: float
    ) -> tuple[tuple[power.Supply, ...], tuple[Breach, ...]]:
        """Undominated supplies that work and can be bought, or the rules broken. Cards alike share the answer."""
        key = (chassis.id, cards, card.tdp_w, card.idle_w, card.power_connector, card.power_connectors, storage_w)
        if key not in self.selected:
            load = power.node_load(card, cards, chassis, storage_w)
            working, broken = power.select(load, self.options[chassis.id], chassis.psu_form, self.volts, self.circuit_w)
            fixed = power.fixed_psu_id(chassis)
            bought = [s for s in working if s.psu.id == fixed or s.psu.id in self.supplies]
            if working and not bought:
                broken = self.failures(s.psu.id for s in working)
            self.selected[key] = power.undominated(bought, self.unit_price), broken
        return self.selected[key]

    def failures(self, item_ids: Iterable[str]) -> tuple[Breach, ...]:
        """Why none of these items can be bought."""
        return tuple(b for i in sorted(item_ids) for b in self.market.failed.get(i, ()))

    def _composed(self, card: Card, cards: int, chassis: Chassis, supply: power.Supply, tier: Storage) -> Build:
        parts = [self.bought_part(self.cards[card.id], cards), self.chassis[chassis.id]]
        if supply.psu.id in self.supplies:  # a supply that is built into its case has no price of its own
            parts.append(self.bought_part(self.supplies[supply.psu.id], supply.count))
        parts.append(self.tiers[tier.id])
        build_id = f"{card.id}x{cards}@{chassis.id}+{supply.psu.id}x{supply.count}+{tier.id}"
        return self.build(
            build_id, card, cards, chassis, supply, tier, parts=tuple(parts), estimate_only=True,
            lead_weeks=self.scenario.lead_weeks,
        )  # fmt: skip

    def bought_part(self, part: PricedPart, quantity: int) -> PricedPart:
        """So many of a part; builds alike share the record."""
        key = (part.role, part.item_id, quantity)
        if key not in self.bought:
            self.bought[key] = replace(part, quantity=quantity)
        return self.bought[key]

    def build(
        self, build_id: str, card: Card, cards: int, chassis: Chassis, supply: power.Supply, tier: Storage, **more: Any
    ) -> Build:
        width = lanes(card, cards, chassis)
        link = self._link(card, cards, chassis, width) if cards > 1 else None
        notes = tuple(more.pop("notes", ())) + link_notes(card, cards, link)
        return Build(
            id=build_id,
            card=card,
            cards=cards,
            chassis=chassis,
            psu=supply.psu,
            psu_count=supply.count,
            storage=tier,
            link=link,
            lanes_per_card=width,
            idle_wall_w=supply.idle_wall_w,
            peak_wall_w=supply.peak_wall_w,
            busy_extra_wall_w_per_card=(supply.peak_wall_w - supply.idle_wall_w) / cards,
            psu_need_w=power.need_w(cards * card.tdp_w, chassis.host_load_w),
            notes=notes,
            **more,
        )

    def _link(self, card: Card, cards: int, chassis: Chassis, width: int) -> Link | None:
        """What joins the cards of one node; builds alike share the record."""
        link_id = link_id_for(card, cards, chassis.segment)  # bridges are not bought
        key = (link_id, cards, min(card.pcie_gen, chassis.pcie_gen), width)
        if key not in self.links:
            self.links[key] = find_link(self.catalog.links, *key)
        return self.links[key]

    def quoted(self, system: System) -> Build | Refusal:
        """A quoted machine as a build, or its refusal. Its own price row pays for all of it.

        The include and exclude lists bind it unless the scenario names the system. A quote settles whether a card that
        is hard to get can be had, not whether it may be exported.
        """
        card, chassis = self.catalog.cards[system.card_id], self.catalog.chassis[system.chassis_id]
        chassis = replace(chassis, ram_gib=system.ram_gib)
        tier, supply_model = self.catalog.storage[system.storage_id], self.catalog.psus[system.psu_id]
        supply, breaches = self.given(card, system.cards, chassis, supply_model, system.psu_count, tier)
        breaches = breaches + [b for b in (no_throughput(card), too_small(self.scenario)(tier)) if b]
        allowed = card_selected(self.scenario)(card) and chassis_selected(self.scenario)(chassis)
        if not allowed and system.id not in self.scenario.include_systems:
            breaches.append(Breach("excluded_by_user", names_of(system)))
        if system.id in self.market.rows:
            availability = self.market.availability_breach(system.id, names_of(system), "on_sale")
        else:
            availability = self.market.availability_breach(card.id, names_of(card), "on_sale", QUOTE_SETTLES)
        part = self.market.part(system.id, "system", names_of(system))
        breaches += [b for b in (availability, part if isinstance(part, Breach) else None) if b]
        if isinstance(part, Breach) or breaches:
            return Refusal(system.name, system.name_zh, card.id, system.cards, chassis.id, one_each(breaches))
        return self.build(
            f"system:{system.id}", card, system.cards, chassis, supply, tier,
            parts=(part,), estimate_only=False, system=system, lead_weeks=system.delivery_weeks,
        )  # fmt: skip

    def owned(self, owned: Owned) -> Build:
        """A machine that the lab has: it costs nothing to buy and works already; the rules it breaks are notes."""
        card, chassis = self.catalog.cards[owned.card_id], self.catalog.chassis[owned.chassis_id]
        tier, supply_model = self.catalog.storage[owned.storage_id], self.catalog.psus[owned.psu_id]
        supply, breaches = self.given(card, owned.cards, chassis, supply_model, owned.psu_count, tier)
        return self.build(
            f"owned:{owned.id}", card, owned.cards, chassis, supply, tier,
            parts=(), estimate_only=False, owned_count=owned.count, notes=one_each(breaches),
        )  # fmt: skip

    def given(
        self, card: Card, cards: int, chassis: Chassis, model: Psu, count: int, tier: Storage
    ) -> tuple[power.Supply, list[Breach]]:
        """A machine with its supplies given: what it takes at the wall, and the physical rules it breaks."""
        load = power.node_load(card, cards, chassis, tier.watts)
        option = power.candidate(model, count, chassis, self.volts)
        options = (option,) if power.fits_form(model, chassis) else ()
        electrical = power.select(load, options, chassis.psu_form, self.volts, self.circuit_w)[1]
        breaches = fit_breaches(card, cards, chassis) + site_breaches(card, chassis, self.scenario)
        return power.supply(option, load), breaches + list(electrical)


def refusal(card: Card, cards: int, chassis: Chassis, breaches: Iterable[Breach]) -> Refusal:
    item = f"{cards} x {card.name} in {chassis.name}"
    item_zh = f"{chassis.name_zh}（{cards} 张 {card.name}）"
    return Refusal(item, item_zh, card.id, cards, chassis.id, one_each(breaches))


def one_each(breaches: Iterable[Breach]) -> tuple[Breach, ...]:
    """The first breach of each rule: a rule that fails for several tiers or supplies is told once."""
    first: dict[str, Breach] = {}
    for breach in breaches:
        first.setdefault(breach.rule, breach)
    return tuple(first.values())


def unknown_ids(machine: System | Owned, catalog: Catalog, file: str, row: int | None) -> list[Problem]:
    tables: dict[str, tuple[str, Mapping[str, Any]]] = {
        "card_id": (machine.card_id, catalog.cards),
        "chassis_id": (machine.chassis_id, catalog.chassis),
        "psu_id": (machine.psu_id, catalog.psus),
        "storage_id": (machine.storage_id, catalog.storage),
    }
    return [
        Problem("build_unknown_id", file, row=row, column=column, value=value, values={"machine": machine.name})
        for column, (value, table) in tables.items()
        if value not in table
    ]
