"""What may be bought: availability and price of every item of the catalog; what is left out whole, with its reasons."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from hwcost.build import PricedPart, Refusal
from hwcost.pricing import priced_part
from hwcost.records import Addition, Availability, Card, Catalog, Chassis, Psu, Storage, System
from hwcost.rules import Breach
from hwcost.scenario import Scenario

Item = TypeVar("Item", Card, Chassis, Psu, Storage, Addition)


class Market:
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
            names = names_of(item)
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


def names_of(item: Card | Chassis | Psu | Storage | System | Addition) -> dict[str, str]:
    """The item in both languages, for the sentence of a breach."""
    return {"item": item.name, "item_zh": getattr(item, "name_zh", item.name)}


def card_selected(scenario: Scenario) -> Callable[[Card], bool]:
    return lambda c: _listed(c.id, scenario.include_cards, scenario.exclude_cards)


def chassis_selected(scenario: Scenario) -> Callable[[Chassis], bool]:
    return lambda c: _listed(c.id, scenario.include_chassis, scenario.exclude_chassis)


def storage_selected(scenario: Scenario) -> Callable[[Storage], bool]:
    return lambda s: s.id in scenario.storage_ids if scenario.storage_ids else s.local


def _listed(item_id: str, include: tuple[str, ...], exclude: tuple[str, ...]) -> bool:
    return item_id not in exclude and (not include or item_id in include)


def no_throughput(card: Card) -> Breach | None:
    """A domestic accelerator runs its own software stack: without a measured throughput no hours can be told."""
    if card.segment == "domestic" and card.resnet50_fp32_img_s is None and card.bert_large_fp32_seq_s is None:
        return Breach("no_throughput", {"card": card.name})
    return None


def too_small(scenario: Scenario) -> Callable[[Storage], Breach | None]:
    def check(tier: Storage) -> Breach | None:
        if tier.capacity_tb >= scenario.storage_needed_tb:
            return None
        return Breach("storage_capacity", {"need_tb": scenario.storage_needed_tb, "have_tb": tier.capacity_tb})

    return check
