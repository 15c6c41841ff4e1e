"""Builds: every card x cards per node x case x power supply x storage tier that physically works, or why it does not.

    for each card, count and case:   fit + site + supply rules broken?   yes: one `Refusal` with all of them
                                                                         no: a `Build` per supply and storage tier
    supplies kept:                   those that no other beats in price, losses and units together (`psu.py`)

An item that can never be bought (left out by the user, not on sale, no price, no throughput figure) is listed once in
`not_considered`, not once per combination. Figures that are unknown break no rule. Quoted systems and owned machines
are builds like any other; an owned machine works already, so the rules it breaks are its `notes`. Upgrades of owned
machines, services and units of two machines are builds too (`upgrades.py`, `services.py`, `clusters.py`).
"""

from __future__ import annotations

from dataclasses import replace

from hwcost.assembly import Factory, unknown_ids
from hwcost.build import Build, BuildSet, Refusal
from hwcost.clusters import make_clusters, wanted
from hwcost.errors import InputError, Problem
from hwcost.market import Market, card_selected, chassis_selected, no_throughput, storage_selected, too_small
from hwcost.psu import fixed_psu_id
from hwcost.records import Addition, Catalog
from hwcost.scenario import Scenario
from hwcost.services import make_services
from hwcost.upgrades import make_upgrades


def make_builds(scenario: Scenario, catalog: Catalog) -> BuildSet:
    """All builds of a scenario, the refused combinations and the items left out whole, each sorted by id.

    Raises `InputError` where a quoted system or an owned machine names an item that the catalog does not have.
    """
    market = Market(scenario, catalog)
    factory = _factory(scenario, catalog, market)
    builds, refusals = _composed(factory)
    if wanted(scenario):
        _take(make_clusters(factory, builds), builds, refusals)
    problems: list[Problem] = []
    for system in sorted(catalog.systems.values(), key=lambda s: s.id):
        if system.example and system.id not in scenario.include_systems:
            continue
        if missing := unknown_ids(system, catalog, system.origin.file, system.origin.row):
            problems.extend(missing)
            continue
        quoted = factory.quoted(system)
        if isinstance(quoted, Build):
            builds.append(quoted)
        else:
            refusals.append(quoted)
    for owned in scenario.owned:
        if missing := unknown_ids(owned, catalog, scenario.file, None):
            problems.extend(missing)
            continue
        builds.append(factory.owned(owned))
        if scenario.upgrades:
            _take(make_upgrades(factory, owned), builds, refusals)
    _take(make_services(scenario, catalog), builds, refusals)
    if problems:
        raise InputError(problems)
    return BuildSet(
        tuple(sorted(builds, key=lambda b: b.id)),
        tuple(sorted(refusals, key=lambda r: (r.card_id, r.chassis_id, r.cards, r.item))),
        tuple(sorted(market.left_out, key=lambda r: r.item)),
    )


def _factory(scenario: Scenario, catalog: Catalog, market: Market) -> Factory:
    """Everything that may be bought. Additions are asked for only where something could take them."""
    built_in = {fixed_psu_id(c) for c in catalog.chassis.values()}
    sold_supplies = {i: p for i, p in catalog.psus.items() if i not in built_in}

    def additions(needed: bool, *categories: str) -> dict[str, Addition]:
        return {i: a for i, a in catalog.upgrades.items() if needed and a.category in categories}

    upgraded = bool(scenario.owned) and scenario.upgrades
    memory = market.buyable(additions(upgraded, "ram"), "memory", lambda _: True, "on_sale")
    return Factory(
        scenario,
        catalog,
        market,
        cards=market.buyable(catalog.cards, "card", card_selected(scenario), "to_check", no_throughput),
        chassis=market.buyable(catalog.chassis, "host", chassis_selected(scenario), "on_sale"),
        tiers=market.buyable(catalog.storage, "storage", storage_selected(scenario), "on_sale", too_small(scenario)),
        supplies=market.buyable(sold_supplies, "psu", lambda _: True, "on_sale"),
        memory={i: replace(part, role="host") for i, part in memory.items()},
        network=market.buyable(additions(wanted(scenario), "network", "cable"), "network", lambda _: True, "on_sale"),
    )


def _composed(factory: Factory) -> tuple[list[Build], list[Refusal]]:
    """Machines put together from parts, in every wanted number of cards."""
    builds: list[Build] = []
    refusals: list[Refusal] = []
    for card_id in sorted(factory.cards):
        for chassis_id in sorted(factory.chassis):
            for count in sorted(set(factory.scenario.cards_per_node)):
                made = factory.compose(factory.catalog.cards[card_id], count, factory.catalog.chassis[chassis_id])
                if isinstance(made, Refusal):
                    refusals.append(made)
                else:
                    builds.extend(made)
    return builds, refusals


def _take(made: tuple[list[Build], list[Refusal]], builds: list[Build], refusals: list[Refusal]) -> None:
    builds += made[0]
    refusals += made[1]
