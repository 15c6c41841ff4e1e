"""Upgrades of machines that the lab has: more storage speed, memory, another card, larger cards, a stronger supply.

    nvme          a local NVMe tier of the catalog that is faster or larger than the machine's own storage
    ram           memory of `upgrades.csv` that the case's class takes, on top of what is fitted
    card          one more card of the same model
    replace_card  cards of one model with more memory in place of all present ones, which bring nothing
    psu           another supply of the case's own form, only where a change of cards needs it

Storage, memory or both stand alone; a change of cards stands alone or with the cheapest storage and memory that help.
What is added works already in the machine or is refused with every rule that it breaks: the rules of slots, length and
cooling, the licence, the market, and those of the supply at hand. Rules that the machine broke before it is touched are
notes, as for the machine itself. An upgrade may be bought at most as often as there are such machines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from hwcost import psu as power
from hwcost.assembly import Factory, one_each
from hwcost.build import Build, PricedPart, Refusal
from hwcost.fit import fit_breaches, site_breaches
from hwcost.messages import say
from hwcost.messages.machines import ORDINALS
from hwcost.records import Addition, Card, Chassis, Storage
from hwcost.rules import Breach
from hwcost.scenario import Owned

KINDS = ("nvme", "ram", "psu", "card", "replace_card")


@dataclass(frozen=True)
class _Fitted:
    """The machine with what is added besides cards: its case with all memory, its storage, and the parts bought."""

    kinds: tuple[str, ...]
    chassis: Chassis
    tier: Storage
    storage_w: float
    parts: tuple[PricedPart, ...]

    @property
    def price_net(self) -> float:
        return sum(part.quantity * part.unit_price_net for part in self.parts)


def make_upgrades(factory: Factory, owned: Owned) -> tuple[list[Build], list[Refusal]]:
    """Every sensible upgrade of one owned machine, and the changes of cards that do not work, with every reason."""
    present = _present(factory, owned)
    additions = _additions(factory, present)
    card = factory.catalog.cards[owned.card_id]
    builds = [_machine(factory, owned, card, owned.cards, fitted, (), ()) for fitted in additions]
    refusals: list[Refusal] = []
    helped = [present, *_cheapest_help(additions)]
    for kind, model, cards in _card_changes(factory, owned):
        for fitted in helped:
            made = _with_cards(factory, owned, kind, model, cards, fitted)
            if isinstance(made, Refusal):
                refusals += [made] if fitted is present else []
            else:
                builds += made
    return builds, refusals


# --- what may be added besides cards ---


def _present(factory: Factory, owned: Owned) -> _Fitted:
    tier = factory.catalog.storage[owned.storage_id]
    return _Fitted((), factory.catalog.chassis[owned.chassis_id], tier, tier.watts, ())


def _additions(factory: Factory, present: _Fitted) -> list[_Fitted]:
    """NVMe, memory, and both, of what can be bought; by id."""
    tiers = [factory.catalog.storage[i] for i in sorted(factory.tiers)]
    faster = [_with_tier(factory, present, tier) for tier in tiers if _helps(tier, present.tier)]
    memory = [factory.catalog.upgrades[i] for i in sorted(factory.memory)]
    fitting = [row for row in memory if present.chassis.segment in row.segments]
    larger = [_with_memory(factory, present, row) for row in fitting]
    both = [_with_memory(factory, fitted, row) for fitted in faster for row in fitting]
    return faster + larger + both


def _helps(tier: Storage, old: Storage) -> bool:
    if tier.tier != "nvme" or not tier.local or tier.id == old.id or tier.read_mb_s < old.read_mb_s:
        return False
    return tier.read_mb_s > old.read_mb_s or tier.capacity_tb > old.capacity_tb


def _with_tier(factory: Factory, fitted: _Fitted, tier: Storage) -> _Fitted:
    """The data move to the new tier; what is in the machine stays in it and draws its watts."""
    kept_w = fitted.tier.watts if fitted.tier.local else 0.0
    parts = (*fitted.parts, factory.bought_part(factory.tiers[tier.id], 1))
    return replace(fitted, kinds=(*fitted.kinds, "nvme"), tier=tier, storage_w=kept_w + tier.watts, parts=parts)


def _with_memory(factory: Factory, fitted: _Fitted, row: Addition) -> _Fitted:
    chassis = replace(
        fitted.chassis,
        ram_gib=fitted.chassis.ram_gib + (row.gib or 0.0),
        host_idle_w=fitted.chassis.host_idle_w + row.watts,
        host_load_w=fitted.chassis.host_load_w + row.watts,
    )
    parts = (*fitted.parts, factory.bought_part(factory.memory[row.id], 1))
    return replace(fitted, kinds=(*fitted.kinds, "ram"), chassis=chassis, parts=parts)


def _cheapest_help(additions: Iterable[_Fitted]) -> list[_Fitted]:
    """The cheapest addition of the widest kind there is: storage and memory, else the one that helps."""
    widest = max((len(a.kinds) for a in additions), default=0)
    return sorted((a for a in additions if len(a.kinds) == widest), key=lambda a: a.price_net)[:1]


# --- changes of cards ---


def _card_changes(factory: Factory, owned: Owned) -> Iterator[tuple[str, Card, int]]:
    """One more card of the model; then every model on sale with more memory, in each wanted count."""
    present = factory.catalog.cards[owned.card_id]
    yield "card", present, owned.cards + 1
    counts = sorted({*factory.scenario.cards_per_node, owned.cards})
    for card_id in sorted(factory.cards):
        model = factory.catalog.cards[card_id]
        if model.memory_gib > present.memory_gib:
            for cards in counts:
                yield "replace_card", model, cards


def _with_cards(
    factory: Factory, owned: Owned, kind: str, card: Card, cards: int, fitted: _Fitted
) -> list[Build] | Refusal:
    """The machine with its new cards, on its own supply where that carries them, else on every stronger one."""
    chassis = fitted.chassis
    breaches = list(() if card.id in factory.cards else factory.failures([card.id]))
    breaches += fit_breaches(card, cards, chassis)
    breaches += [b for b in site_breaches(card, chassis, factory.scenario) if b.rule == "datacentre_licence"]
    load = power.node_load(card, cards, chassis, fitted.storage_w)
    model = factory.catalog.psus[owned.psu_id]
    own = power.candidate(model, owned.psu_count, chassis, factory.volts)
    own_options = (own,) if power.fits_form(model, chassis) else ()
    working, electrical = power.select(load, own_options, chassis.psu_form, factory.volts, factory.circuit_w)
    stronger = _stronger(factory, owned, own)
    bigger: tuple[power.Supply, ...] = ()
    if electrical:
        options = own_options + stronger
        bigger, still = power.select(load, options, chassis.psu_form, factory.volts, factory.circuit_w)
        electrical = still if bigger == () and not breaches else electrical
    if breaches or not (working or bigger):
        return _refused(owned, kind, card, cards, [*breaches, *electrical])
    quantity = 1 if kind == "card" else cards
    bought = (factory.bought_part(factory.cards[card.id], quantity),)
    if working:
        return [_machine(factory, owned, card, cards, fitted, (kind,), bought)]
    kept = power.undominated((s for s in bigger if s.psu.id != owned.psu_id), factory.unit_price)
    return [
        _machine(
            factory, owned, card, cards, fitted, ("psu", kind),
            (factory.bought_part(factory.supplies[s.psu.id], s.count), *bought), s,
        )
        for s in kept
    ]  # fmt: skip


def _stronger(factory: Factory, owned: Owned, own: power.Candidate) -> tuple[power.Candidate, ...]:
    """Supplies on sale that the case takes in place of its own and that are rated higher."""
    options = factory.options[owned.chassis_id]
    return tuple(o for o in options if o.psu.id in factory.supplies and o.rated_w > own.rated_w)


def _refused(owned: Owned, kind: str, card: Card, cards: int, breaches: Iterable[Breach]) -> Refusal:
    def item(lang: str) -> str:
        if kind == "card":
            ordinal = say(f"upgrade.ordinal.{min(cards, len(ORDINALS))}", lang)
            return say("upgrade.add_card", lang, machine=owned.name, ordinal=ordinal, card=card.name)
        return say("upgrade.replace_card", lang, machine=owned.name, cards=cards, card=card.name)

    return Refusal(item("en"), item("zh"), card.id, cards, owned.chassis_id, one_each(breaches))


def _machine(
    factory: Factory, owned: Owned, card: Card, cards: int, fitted: _Fitted,
    changed: tuple[str, ...], bought: tuple[PricedPart, ...], supply: power.Supply | None = None,
) -> Build:  # fmt: skip
    """One upgraded machine; without a new `supply` it keeps its own, whatever rule the machine broke before."""
    load = power.node_load(card, cards, fitted.chassis, fitted.storage_w)
    notes: tuple[Breach, ...] = ()
    if supply is None:
        model = factory.catalog.psus[owned.psu_id]
        broken = factory.given(card, cards, fitted.chassis, model, owned.psu_count, fitted.tier)[1]
        supply = power.supply(power.candidate(model, owned.psu_count, fitted.chassis, factory.volts), load)
        notes = one_each(broken)
    parts = (*fitted.parts, *bought)
    added = [f"{part.item_id}x{part.quantity}" for part in parts]
    kinds = (*fitted.kinds, *changed)
    return factory.build(
        "+".join([f"upgrade:{owned.id}", *added]), card, cards, fitted.chassis, supply, fitted.tier,
        parts=parts, estimate_only=True, notes=notes, upgrade_of=f"owned:{owned.id}",
        upgrade="+".join(kind for kind in KINDS if kind in kinds), lead_weeks=factory.scenario.lead_weeks,
    )  # fmt: skip
