"""Technical requirements without brands, from the chosen machine: values with >= or <=, and the products for each.

    value of a requirement = chosen value x (1 - margin), rounded down to a plain figure, at least what the work needs

The margin is the smallest of `MARGINS` at which at least three cards of the catalog meet all requirements on cards at
once; where none does, the widest stands with a warning. Only what is on sale in the region counts as a product, and
the chosen card itself.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from hwcost.build import Build
from hwcost.memory import usable_mib
from hwcost.messages import say
from hwcost.names import card_name, purchase_total
from hwcost.plan import Plan
from hwcost.quantities import number_text, percent_text
from hwcost.records import Card, Catalog, Chassis
from hwcost.scenario import Scenario

MARGINS = (0.05, 0.1, 0.2, 0.3, 0.4)
PRODUCTS_NEEDED = 3
FEW_ITEMS, MANY_ITEMS = 7, 14
SMALL_PURCHASE = {"CNY": 100_000.0, "EUR": 13_000.0, "USD": 14_000.0}  # below it a shorter list is usual
ROLE_OF = {"ram": "ram", "capacity": "storage", "read": "storage", "psu": "psu"}  # lines on what an upgrade may buy
MIB_PER_GIB = 1024.0
GB_PER_TB = 1000.0
STARRED = ("memory", "cards")  # on at most two
# which lines stay where the list has to be short
PRIORITY = ("machines", "cards", "memory", "ecc", "bandwidth", "ram", "capacity", "warranty", "tensor", "power", "fp32",
            "noise", "psu", "read", "framework", "cores")  # fmt: skip


@dataclass(frozen=True)
class Product:
    """A product of the catalog by its names."""

    name: str
    name_zh: str

    def text(self, lang: str) -> str:
        return self.name_zh if lang == "zh" and self.name_zh else self.name


@dataclass(frozen=True)
class Requirement:
    """One line: `sense` is >= or <= or "" (a property that is required, without a value)."""

    key: str
    sense: str
    value: float | None
    unit: str
    starred: bool
    group: str  # card | host | machine
    products: tuple[Product, ...]  # of the catalog that meet it; empty where it has no such products
    counted: bool  # false: the catalog does not list products of this kind, so that none are counted


@dataclass(frozen=True)
class Requirements:
    """All lines of one machine, the margin, and the cards that meet all requirements on cards at once."""

    build: Build
    nodes: int
    lines: tuple[Requirement, ...]
    margin: float
    cards: tuple[Product, ...]

    @property
    def about_cards(self) -> bool:
        """Cards are bought: an upgrade may buy storage or memory alone."""
        return any(line.group == "card" for line in self.lines)

    @property
    def enough(self) -> bool:
        return not self.about_cards or len(self.cards) >= PRODUCTS_NEEDED


def requirements(plan: Plan) -> list[Requirements]:
    """One list for each kind of machine that is bought."""
    return [_of_machine(plan, p.build, p.nodes) for p in plan.bought]


def _of_machine(plan: Plan, build: Build, nodes: int) -> Requirements:
    needs = _memory_need_gib(plan, build)
    ecc = any(w.ecc_required for w in plan.case.scenario.workloads)
    offered = _cards_on_sale(plan.case.catalog, plan.case.scenario, build.card)
    for margin in MARGINS:
        lines = _card_lines(build, margin, needs, ecc)
        meet = [c for c in offered if all(_card_meets(c, key, value) for key, _, value, _ in lines)]
        if len(meet) >= PRODUCTS_NEEDED:
            break
    found = [Requirement("machines", "=", float(nodes), "node", False, "machine", (), False),
             Requirement("cards", ">=", float(build.cards), "card", True, "machine",
                         _hosts(plan, lambda c: _takes(c, build)), True)]  # fmt: skip
    found += [
        Requirement(key, sense, value, unit, key in STARRED, "card",
                    tuple(_card(c) for c in offered if _card_meets(c, key, value)), True)
        for key, sense, value, unit in lines
    ]  # fmt: skip
    found += _host_lines(plan, build, margin)
    if build.upgrade_of:
        bought = {part.role for part in build.parts}
        found = [line for line in found if ROLE_OF.get(line.key, "card" if line.group == "card" else "") in bought]
    small = purchase_total(plan) < SMALL_PURCHASE.get(plan.case.scenario.currency, 0.0)
    first = sorted(found, key=lambda line: PRIORITY.index(line.key))[: FEW_ITEMS if small else MANY_ITEMS]
    kept = tuple(line for line in found if line in first)
    return Requirements(build, nodes, kept, margin, tuple(_card(c) for c in meet))


# --- values ---


def plain(value: float) -> float:
    """Rounded down to two significant digits, and to whole multiples of 8 below 200 where that costs little.

    >>> plain(636.8), plain(45.6), plain(0.97)
    (630.0, 45.0, 0.97)
    """
    if value <= 0:
        return 0.0
    step = 10.0 ** (math.floor(math.log10(value)) - 1)
    return round(math.floor(value / step + 1e-9) * step, 6)


def _memory_need_gib(plan: Plan, build: Build) -> float:
    """Printed memory that the work of this machine needs on one card: its largest job, with the margin free."""
    margin = plan.case.scenario.memory_margin
    largest = max((a.strategy.memory_mib for a in plan.assignments if a.strategy.build_id == build.id), default=0.0)
    usable = usable_mib(build.card) / (build.card.memory_gib * MIB_PER_GIB)
    return largest / MIB_PER_GIB / (1.0 - margin) / usable


def _card_lines(build: Build, margin: float, need_gib: float, ecc: bool) -> list[tuple[str, str, float | None, str]]:
    """Requirements on the card: key, sense, value, unit. Memory keeps its printed size at small margins."""
    card = build.card
    less = 1.0 - margin
    memory = card.memory_gib if margin <= MARGINS[1] else max(math.ceil(need_gib), plain(card.memory_gib * less))
    lines: list[tuple[str, str, float | None, str]] = [
        ("memory", ">=", min(card.memory_gib, memory), "GB"),
        ("bandwidth", ">=", plain(card.bandwidth_gb_s * less), "GB/s"),
    ]
    if card.tensor_fp16_tflops:
        lines.append(("tensor", ">=", plain(card.tensor_fp16_tflops * less), "TFLOPS"))
    lines.append(("fp32", ">=", plain(card.fp32_tflops * less), "TFLOPS"))
    if ecc:
        lines.append(("ecc", "", None, ""))
    if card.pytorch_current:
        lines.append(("framework", "", None, ""))
    return lines


def _card_meets(card: Card, key: str, value: float | None) -> bool:
    if key == "ecc":
        return card.ecc in ("inline", "native")
    if key == "framework":
        return bool(card.pytorch_current)
    own = {
        "memory": card.memory_gib, "bandwidth": card.bandwidth_gb_s, "tensor": card.tensor_fp16_tflops,
        "fp32": card.fp32_tflops,
    }[key]  # fmt: skip
    return own is not None and value is not None and own >= value


def _host_lines(plan: Plan, build: Build, margin: float) -> list[Requirement]:
    chassis, storage, catalog = build.chassis, build.storage, plan.case.catalog
    ram = build.system.ram_gib if build.system else chassis.ram_gib
    cores = max(1.0, math.floor(chassis.cpu_cores * (1.0 - margin)))
    tiers = [s for s in catalog.storage.values() if s.local]
    read = plain(storage.read_mb_s * (1.0 - margin))
    watts = math.ceil(build.psu_need_w / 50.0) * 50.0
    supplies = tuple(Product(p.name, "") for p in catalog.psus.values() if p.watts_high_line >= watts)

    def host(key: str, value: float, unit: str, fits: Callable[[Chassis], bool]) -> Requirement:
        return Requirement(key, ">=", value, unit, False, "host", _hosts(plan, fits), True)

    lines = [
        host("ram", ram, "GiB", lambda c: c.ram_gib >= ram),
        host("cores", cores, "core", lambda c: c.cpu_cores >= cores),
        Requirement("capacity", ">=", storage.capacity_tb, "TB", False, "host", (), False),
        Requirement("read", ">=", read, "MB/s", False, "host",
                    tuple(Product(s.name, s.name_zh) for s in tiers if s.read_mb_s >= read), False),
        Requirement("psu", ">=", watts, "W", False, "host", supplies, True),
    ]  # fmt: skip
    circuits = plan.case.scenario.circuits
    if circuits:
        watts = max(c.continuous_w for c in circuits)
        lines.append(Requirement("power", "<=", math.floor(watts), "W", False, "machine", (), False))
    limit = plan.case.scenario.noise_limit_dba
    if limit is not None:
        lines.append(Requirement("noise", "<=", limit, "dBA", False, "machine", _hosts(
            plan, lambda c: c.noise_dba is not None and c.noise_dba <= limit), True))  # fmt: skip
    years = build.system.warranty_years if build.system else plan.case.scenario.warranty_years
    lines.append(Requirement("warranty", ">=", years, "year", False, "machine", (), False))
    return lines


# --- products ---


def _cards_on_sale(catalog: Catalog, scenario: Scenario, chosen: Card) -> list[Card]:
    """Cards whose newest row for the region says "on sale" (or what the scenario allows), and the chosen one."""
    newest: dict[str, Any] = {}
    for row in catalog.availability:
        if row.region == scenario.region:
            known = newest.get(row.item_id)
            if known is None or (known.as_of, known.status) < (row.as_of, row.status):
                newest[row.item_id] = row
    allowed = {"on_sale", *scenario.allowed_statuses}
    cards = [
        c for c in catalog.cards.values() if c.id == chosen.id or (c.id in newest and newest[c.id].status in allowed)
    ]
    return sorted(cards, key=lambda c: c.id)


def _card(card: Card) -> Product:
    return Product(card_name(card), "")


def _hosts(plan: Plan, fits: Callable[[Chassis], bool]) -> tuple[Product, ...]:
    return tuple(Product(c.name, c.name_zh) for c in plan.case.catalog.chassis.values() if fits(c))


def _takes(chassis: Chassis, build: Build) -> bool:
    """The case takes the cards of the machine side by side."""
    most = {1: chassis.max_cards_1slot, 2: chassis.max_cards_2slot}.get(build.card.slot_width, chassis.max_cards_3slot)
    return most >= build.cards


# --- words ---


def line_text(line: Requirement, lang: str) -> str:
    """The requirement as a tender states it: "Memory of one card >= 48 GB"."""
    name = say(f"requirement.{line.key}", lang)
    colon = "：" if lang == "zh" else ": "
    if line.value is None:
        return f"{name}{colon}{say('requirement.yes', lang)}"
    return f"{name} {sign(line)} {value_text(line, lang)}"


def sign(line: Requirement) -> str:
    return {">=": "≥", "<=": "≤"}.get(line.sense, line.sense)


def value_text(line: Requirement, lang: str) -> str:
    digits = 0 if line.value is None or line.value == int(line.value) else 1
    unit = say(f"requnit.{line.unit}", lang) if line.unit in ("node", "card", "core", "year") else line.unit
    return f"{number_text(line.value, lang, digits)} {unit}"


def warnings(found: Requirements, lang: str) -> list[str]:
    """Fewer than three products for all requirements on cards, or for one on hosts."""
    texts = []
    if not found.enough:
        texts.append(say("requirement.warning", lang, count=len(found.cards)))
    for line in found.lines:
        if line.group != "card" and line.counted and len(line.products) < PRODUCTS_NEEDED:
            name = say(f"requirement.{line.key}", lang)
            texts.append(say("requirement.warning_one", lang, name=name, count=len(line.products)))
    return texts


def margin_text(found: Requirements, lang: str) -> str:
    return say("requirement.margin_note", lang, margin=percent_text(found.margin, lang, 0))


def brand_words(catalog: Catalog) -> set[str]:
    """Words that a requirement must not hold: makers, series and model numbers of everything in the catalog."""
    tables: Iterable[Iterable[Any]] = (
        catalog.cards.values(), catalog.chassis.values(), catalog.psus.values(), catalog.systems.values(),
    )  # fmt: skip
    names = [text for table in tables for row in table for text in (row.name, getattr(row, "vendor", ""))]
    names += [row.name_zh for table in (catalog.chassis, catalog.systems) for row in table.values()]
    words = {w.lower() for name in names for w in re.findall(r"[A-Za-z][A-Za-z0-9-]{2,}|[一-鿿]{2,}", name)}
    return words - ORDINARY


ORDINARY = frozenset((
    "four", "eight", "two", "three", "one", "card", "cards", "class", "workstation", "server", "tower", "rack", "power",
    "supply", "full", "mid", "consumer", "example", "slot", "slots", "seven", "gold", "platinum", "titanium", "the",
    "ecc", "pcie", "with", "own", "case", "for", "and", "desktop", "max", "pro", "illustration", "vendor", "gen",
))  # fmt: skip
