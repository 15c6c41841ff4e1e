"""Builds: every card x cards per node x case x power supply x storage tier that physically works, or why it does not.

    for each card, count and case:   fit + site + supply rules broken?   yes: one `Refusal` with all of them
                                                                         no: a `Build` per supply and storage tier
    supplies kept:                   those that no other beats in price, losses and units together (`psu.py`)
    idle watts at the wall           (host idle + cards x idle + storage) / efficiency at that load
    peak watts at the wall           (host load + cards x TDP + storage) / efficiency at that load
    busy extra per card              (peak - idle) / cards

An item that can never be bought (left out by the user, not on sale, no price, no throughput figure) is listed once in
`not_considered`, not once per combination. Figures that are unknown break no rule. Quoted systems and owned machines
are builds like any other; an owned machine works already, so the rules it breaks are its `notes`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from hwcost import psu as power
from hwcost.build import Build, BuildSet, PricedPart, Refusal
from hwcost.errors import InputError, Problem
from hwcost.fit import fit_breaches, lanes, link_notes, site_breaches
from hwcost.pricing import priced_part
from hwcost.records import Availability, Card, Catalog, Chassis, Psu, Storage, System
from hwcost.rules import Breach
from hwcost.scaling import find_link, link_id_for
from hwcost.scenario import Owned, Scenario

QUOTE_SETTLES = ("remnant", "discontinued", "to_check")  # a vendor who quotes a machine can deliver such a card

Item = TypeVar("Item", Card, Chassis, Psu, Storage)


def make_builds(scenario: Scenario, catalog: Catalog) -> BuildSet:
    """All builds of a scenario, the refused combinations and the items left out whole, each sorted by id.

    Raises `InputError` where a quoted system or an owned machine names an item that the catalog does not have.
    """
    market = _Market(scenario, catalog)
    built_in = {power.fixed_psu_id(c) for c in catalog.chassis.values()}
    cards = market.buyable(catalog.cards, "card", _card_selected(scenario), "to_check", _no_throughput)
    chassis = market.buyable(catalog.chassis, "host", _chassis_selected(scenario), "on_sale")
    tiers = market.buyable(catalog.storage, "storage", _storage_selected(scenario), "on_sale", _too_small(scenario))
    sold_supplies = {i: p for i, p in catalog.psus.items() if i not in built_in}
    supplies = market.buyable(sold_supplies, "psu", lambda _: True, "on_sale")

    factory = _Factory(scenario, catalog, market, cards, chassis, tiers, supplies)
    builds: list[Build] = []
    refusals: list[Refusal] = []
    for card_id in sorted(cards):
        for chassis_id in sorted(chassis):
            for count in sorted(set(scenario.cards_per_node)):
                made = factory.compose(catalog.cards[card_id], count, catalog.chassis[chassis_id])
                if isinstance(made, Refusal):
                    refusals.append(made)
                else:
                    builds.extend(made)
    problems: list[Problem] = []
    for system in sorted(catalog.systems.values(), key=lambda s: s.id):
        if system.example and system.id not in scenario.include_systems:
            continue
        if missing := _unknown_ids(system, catalog, system.origin.file, system.origin.row):
            problems.extend(missing)
            continue
        quoted = factory.quoted(system)
        if isinstance(quoted, Build):
            builds.append(quoted)
        else:
            refusals.append(quoted)
    for owned in scenario.owned:
        if missing := _unknown_ids(owned, catalog, scenario.file, None):
            problems.extend(missing)
        else:
            builds.append(factory.owned(owned))
    if problems:
        raise InputError(problems)
    return BuildSet(
        tuple(sorted(builds, key=lambda b: b.id)),
        tuple(sorted(refusals, key=lambda r: (r.card_id, r.chassis_id, r.cards, r.item))),
        tuple(sorted(market.left_out, key=lambda r: r.item)),
    )


# --- what may be bought -------------------------------------------------------------------------------------------


class _Market:
    """Availability and price of items; collects what is left out whole."""

    def __init__(self, scenario: Scenario, catalog: Catalog) -> None:
        self.scenario, self.catalog = scenario, catalog
        self.left_out: list[Refusal] = []
        self.failed: dict[str, tuple[Breach, ...]] = {}
        self.rows: dict[str, Availability] = {}
        for row in catalog.availability:
            if row.region == scenario.region:
                known = self.rows.get(row.item_id)
                # the newest row counts; of two of one day the stricter-sounding name, whatever the order of the file
                if known is None or (known.as_of, known.status) < (row.as_of, row.status):
                    self.rows[row.item_id] = row

    def availability_breach(
        self, item_id: str, names: dict[str, str], default: str, waived: tuple[str, ...] = ()
    ) -> Breach | None:
        """The breach of `availability`, or None; without a row the status is `default`."""
        row = self.rows.get(item_id)
        status = row.status if row else default
        if status in self.scenario.allowed_statuses or status in waived:
            return None
        if row is None and default == "on_sale":
            return None
        as_of = str(row.as_of) if row else "-"
        return Breach("availability", {**names, "status": status, "region": self.scenario.region, "as_of": as_of})

    def part(self, item_id: str, role: str, names: dict[str, str]) -> PricedPart | Breach:
        """One priced piece, or why it has no price."""
        part = priced_part(self.catalog, self.scenario, item_id, role, names["item"], 1)
        return replace(part, values={**part.values, **names}) if isinstance(part, Breach) else part

    def buyable(
        self,
        items: Mapping[str, Item],
        role: str,
        selected: Callable[[Any], bool],
        default_status: str,
        check: Callable[[Any], Breach | None] = lambda _: None,
    ) -> dict[str, PricedPart]:
        """Priced items of one table by id; the others go to `left_out`, each once with every rule it breaks."""
        parts: dict[str, PricedPart] = {}
        for item_id, item in items.items():
            names = _names(item)
            breaches = [] if selected(item) else [Breach("excluded_by_user", dict(names))]
            breaches += [b for b in (self.availability_breach(item_id, names, default_status), check(item)) if b]
            part = self.part(item_id, role, names)
            if isinstance(part, Breach):
                breaches.append(part)
            elif not breaches:
                parts[item_id] = part
            if breaches:
                self.failed[item_id] = tuple(breaches)
                card_id = item_id if role == "card" else ""
                chassis_id = item_id if role == "host" else ""
                self.left_out.append(Refusal(item.name, names["item_zh"], card_id, 0, chassis_id, tuple(breaches)))
        return parts


def _names(item: Card | Chassis | Psu | Storage | System) -> dict[str, str]:
    """The item in both languages, for the sentence of a breach."""
    return {"item": item.name, "item_zh": getattr(item, "name_zh", item.name)}


def _card_selected(scenario: Scenario) -> Callable[[Card], bool]:
    return lambda c: _listed(c.id, scenario.include_cards, scenario.exclude_cards)


def _chassis_selected(scenario: Scenario) -> Callable[[Chassis], bool]:
    return lambda c: _listed(c.id, scenario.include_chassis, scenario.exclude_chassis)


def _storage_selected(scenario: Scenario) -> Callable[[Storage], bool]:
    return lambda s: s.id in scenario.storage_ids if scenario.storage_ids else s.local


def _listed(item_id: str, include: tuple[str, ...], exclude: tuple[str, ...]) -> bool:
    return item_id not in exclude and (not include or item_id in include)


def _no_throughput(card: Card) -> Breach | None:
    """A domestic accelerator runs its own software stack: without a measured throughput no hours can be told."""
    if card.segment == "domestic" and card.resnet50_fp32_img_s is None and card.bert_large_fp32_seq_s is None:
        return Breach("no_throughput", {"card": card.name})
    return None


def _too_small(scenario: Scenario) -> Callable[[Storage], Breach | None]:
    def check(tier: Storage) -> Breach | None:
        if tier.capacity_tb >= scenario.storage_needed_tb:
            return None
        return Breach("storage_capacity", {"need_tb": scenario.storage_needed_tb, "have_tb": tier.capacity_tb})

    return check


# --- making builds ------------------------------------------------------------------------------------------------


@dataclass
class _Factory:
    """Composes builds; holds what all of them share."""

    scenario: Scenario
    catalog: Catalog
    market: _Market
    cards: dict[str, PricedPart]
    chassis: dict[str, PricedPart]
    tiers: dict[str, PricedPart]
    supplies: dict[str, PricedPart]

    def __post_init__(self) -> None:
        self.volts = power.site_volts(self.scenario)
        self.circuit_w = max((c.continuous_w for c in self.scenario.circuits), default=None)
        self.unit_price = {i: p.unit_price_net for i, p in self.supplies.items()}
        psus = self.catalog.psus.values()
        self.options = {i: power.candidates(c, psus, self.volts) for i, c in self.catalog.chassis.items()}
        self.bought: dict[tuple[str, str, int], PricedPart] = {}
        self.selected: dict[tuple[str, power.Load], tuple[tuple[power.Supply, ...], tuple[Breach, ...]]] = {}

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
            electrical += self._supplies(card, cards, chassis, 0.0)[1] + self._failures(self.catalog.storage)
        if builds:
            return builds
        return _refusal(card, cards, chassis, breaches + electrical)

    def _supplies(
        self, card: Card, cards: int, chassis: Chassis, storage_w: float
    ) -> tuple[tuple[power.Supply, ...], tuple[Breach, ...]]:
        """Undominated supplies that work and can be bought, or the rules broken. Cards alike share the answer."""
        load = power.node_load(card, cards, chassis, storage_w)
        key = (chassis.id, load)
        if key not in self.selected:
            working, broken = power.select(load, self.options[chassis.id], chassis.psu_form, self.volts, self.circuit_w)
            fixed = power.fixed_psu_id(chassis)
            bought = [s for s in working if s.psu.id == fixed or s.psu.id in self.supplies]
            if working and not bought:
                broken = self._failures(s.psu.id for s in working)
            self.selected[key] = power.undominated(bought, self.unit_price), broken
        return self.selected[key]

    def _failures(self, item_ids: Iterable[str]) -> tuple[Breach, ...]:
        """Why none of these items can be bought."""
        return tuple(b for i in sorted(item_ids) for b in self.market.failed.get(i, ()))

    def _composed(self, card: Card, cards: int, chassis: Chassis, supply: power.Supply, tier: Storage) -> Build:
        parts = [self._bought(self.cards[card.id], cards), self.chassis[chassis.id]]
        if supply.psu.id in self.supplies:  # a supply that is built into its case has no price of its own
            parts.append(self._bought(self.supplies[supply.psu.id], supply.count))
        parts.append(self.tiers[tier.id])
        build_id = f"{card.id}x{cards}@{chassis.id}+{supply.psu.id}x{supply.count}+{tier.id}"
        return self._build(build_id, card, cards, chassis, supply, tier, parts=tuple(parts), estimate_only=True)

    def _bought(self, part: PricedPart, quantity: int) -> PricedPart:
        """So many of a part; builds alike share the record."""
        key = (part.role, part.item_id, quantity)
        if key not in self.bought:
            self.bought[key] = replace(part, quantity=quantity)
        return self.bought[key]

    def _build(
        self, build_id: str, card: Card, cards: int, chassis: Chassis, supply: power.Supply, tier: Storage, **more: Any
    ) -> Build:
        link = None
        if cards > 1:
            link_id = link_id_for(card, cards, chassis.segment)  # bridges are not bought
            generation = min(card.pcie_gen, chassis.pcie_gen)
            link = find_link(self.catalog.links, link_id, cards, generation, lanes(card, cards, chassis))
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
            lanes_per_card=lanes(card, cards, chassis),
            idle_wall_w=supply.idle_wall_w,
            peak_wall_w=supply.peak_wall_w,
            busy_extra_wall_w_per_card=(supply.peak_wall_w - supply.idle_wall_w) / cards,
            psu_need_w=power.node_load(card, cards, chassis, tier.watts).need_w,
            notes=notes,
            **more,
        )

    def quoted(self, system: System) -> Build | Refusal:
        """A quoted machine as a build, or its refusal. Its own price row pays for all of it.

        The include and exclude lists bind it unless the scenario names the system. A quote settles whether a card that
        is hard to get can be had, not whether it may be exported.
        """
        card, chassis = self.catalog.cards[system.card_id], self.catalog.chassis[system.chassis_id]
        chassis = replace(chassis, ram_gib=system.ram_gib)
        tier, supply_model = self.catalog.storage[system.storage_id], self.catalog.psus[system.psu_id]
        supply, breaches = self._given(card, system.cards, chassis, supply_model, system.psu_count, tier)
        breaches = breaches + [b for b in (_no_throughput(card), _too_small(self.scenario)(tier)) if b]
        allowed = _card_selected(self.scenario)(card) and _chassis_selected(self.scenario)(chassis)
        if not allowed and system.id not in self.scenario.include_systems:
            breaches.append(Breach("excluded_by_user", _names(system)))
        if system.id in self.market.rows:
            availability = self.market.availability_breach(system.id, _names(system), "on_sale")
        else:
            availability = self.market.availability_breach(card.id, _names(card), "on_sale", QUOTE_SETTLES)
        part = self.market.part(system.id, "system", _names(system))
        breaches += [b for b in (availability, part if isinstance(part, Breach) else None) if b]
        if isinstance(part, Breach) or breaches:
            return Refusal(system.name, system.name_zh, card.id, system.cards, chassis.id, _one_each(breaches))
        return self._build(
            f"system:{system.id}", card, system.cards, chassis, supply, tier,
            parts=(part,), estimate_only=False, system=system,
        )  # fmt: skip

    def owned(self, owned: Owned) -> Build:
        """A machine that the lab has: it costs nothing to buy and works already; the rules it breaks are notes."""
        card, chassis = self.catalog.cards[owned.card_id], self.catalog.chassis[owned.chassis_id]
        tier, supply_model = self.catalog.storage[owned.storage_id], self.catalog.psus[owned.psu_id]
        supply, breaches = self._given(card, owned.cards, chassis, supply_model, owned.psu_count, tier)
        return self._build(
            f"owned:{owned.id}", card, owned.cards, chassis, supply, tier,
            parts=(), estimate_only=False, owned_count=owned.count, notes=_one_each(breaches),
        )  # fmt: skip

    def _given(
        self, card: Card, cards: int, chassis: Chassis, model: Psu, count: int, tier: Storage
    ) -> tuple[power.Supply, list[Breach]]:
        """A machine with its supplies given: what it takes at the wall, and the physical rules it breaks."""
        load = power.node_load(card, cards, chassis, tier.watts)
        option = power.candidate(model, count, chassis, self.volts)
        options = (option,) if power.fits_form(model, chassis) else ()
        electrical = power.select(load, options, chassis.psu_form, self.volts, self.circuit_w)[1]
        breaches = fit_breaches(card, cards, chassis) + site_breaches(card, chassis, self.scenario)
        return power.supply(option, load), breaches + list(electrical)


def _refusal(card: Card, cards: int, chassis: Chassis, breaches: Iterable[Breach]) -> Refusal:
    item = f"{cards} x {card.name} in {chassis.name}"
    item_zh = f"{chassis.name_zh}（{cards} 张 {card.name}）"
    return Refusal(item, item_zh, card.id, cards, chassis.id, _one_each(breaches))


def _one_each(breaches: Iterable[Breach]) -> tuple[Breach, ...]:
    """The first breach of each rule: a rule that fails for several tiers or supplies is told once."""
    first: dict[str, Breach] = {}
    for breach in breaches:
        first.setdefault(breach.rule, breach)
    return tuple(first.values())


def _unknown_ids(machine: System | Owned, catalog: Catalog, file: str, row: int | None) -> list[Problem]:
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
