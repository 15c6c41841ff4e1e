"""A vendor's words to the catalog's ids: equal names are taken, near ones are offered, nothing is assumed."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from hwcost.intake import words
from hwcost.intake.model import Line, Part
from hwcost.intake.parts import size_gib, watts, without_count
from hwcost.quantities import tidy
from hwcost.records import Card, Catalog, Chassis

MOST_OFFERED = 8
NEAR = 0.55
# words around a card's name that do not tell cards apart; board makers' names do not either
NOISE = re.compile(
    r"nvidia|geforce|\brtx(?=[\s_-]|\d|a\d|pro)|leadtek|\bpny\b|graphics card|\bgpu\b|\bcards?\b|gddr\d+x?|"
    r"\bhbm\d?e?\b|\becc\b"
)
MEMORY = re.compile(r"(?<![\d.])\d{1,3} ?gi?b?(?![a-z])")
# a card sold as something else than new and as made: never taken for the catalog's
OTHER_GOODS = re.compile(
    r"二手|拆机|翻新|改装|魔改|退役|\bused\b|refurb|second.?hand|modified|gebraucht", re.IGNORECASE
)
TABLES = ("cards", "chassis", "psus", "storage")


@dataclass(frozen=True)
class Match:
    """The id that names mean ("" where none is sure), and the ids that come near, the nearest first."""

    id: str
    near: tuple[str, ...] = ()


def squeezed(text: str) -> str:
    """Letters and digits of a name without case, brand, memory size: "NVIDIA RTX A5500 24G 专业显卡" -> "a5500"."""
    plain = NOISE.sub(" ", MEMORY.sub(" ", tidy(text).lower()))
    return re.sub(r"[^a-z0-9+]", "", plain)


@lru_cache(maxsize=8)
def _ids_by_key(cards: tuple[tuple[str, str], ...]) -> dict[str, tuple[str, ...]]:
    """Ids by squeezed name, of (id, name)."""
    found: dict[str, tuple[str, ...]] = {}
    for identity, name in cards:
        for key in {squeezed(name), squeezed(identity.replace("-", " ")), squeezed(name).removeprefix("tesla")}:
            found[key] = (*found.get(key, ()), identity)
    return found


def match_card(names: Iterable[str], memory_gib: float | None, catalog: Catalog, near: bool = True) -> Match:
    """The card of exactly one of these names, whose memory is not contradicted. "RTX 4090 48GB" is none.

    `near`: whether near ones are looked for, which takes its time.
    """
    candidates = [without_count(name) for name in names]
    ids = _ids_by_key(tuple((card.id, card.name) for card in catalog.cards.values()))
    by_key = {key: [catalog.cards[identity] for identity in found] for key, found in ids.items()} if near else {}
    for name in candidates:
        found = [catalog.cards[identity] for identity in ids.get(squeezed(name), ())]
        stated = memory_gib if memory_gib is not None else size_gib(name)
        fitting = [card for card in found if stated is None or card.memory_gib == stated]
        if len(fitting) == 1 and not OTHER_GOODS.search(" ".join(candidates)):
            return Match(fitting[0].id)
        if found:
            return Match("", tuple(card.id for card in sorted(found, key=lambda c: (c not in fitting, c.id))))
    return Match("", _near_cards(candidates, by_key) if near else ())


def _near_cards(names: list[str], by_key: Mapping[str, list[Card]]) -> tuple[str, ...]:
    """Cards by likeness of their names; one whose number stands in the text comes first."""
    scores: dict[str, float] = {}
    for name in names:
        wanted = squeezed(name)
        if not re.search(r"\d", wanted):
            continue
        for key, cards in by_key.items():
            likeness = difflib.SequenceMatcher(None, wanted, key).ratio()
            numbers = set(re.findall(r"\d{2,4}", key))
            if numbers and numbers & set(re.findall(r"\d{2,4}", wanted)):
                likeness += 0.5
            if key.startswith(wanted) or wanted.startswith(key):
                likeness += 0.3
            for card in cards:
                scores[card.id] = max(scores.get(card.id, 0.0), likeness)
    ranked = sorted((identity for identity, score in scores.items() if score >= NEAR), key=lambda i: (-scores[i], i))
    return tuple(ranked[:MOST_OFFERED])


def plain(text: str) -> str:
    return re.sub(r"[^a-z0-9\u4e00-\u9fff]", "", tidy(text).lower())


@lru_cache(maxsize=16)
def _spellings(rows: tuple[tuple[str, str, str], ...]) -> dict[str, frozenset[str]]:
    """The names of each row, of (id, name, Chinese name), as `plain` writes them."""
    return {row[0]: frozenset(plain(text) for text in row) - {""} for row in rows}


def match_named(names: Iterable[str], rows: Mapping[str, Any], near: bool = True) -> Match:
    """A row of another table by its id or name, in either language."""
    wanted = [text for name in names if (text := plain(name))]
    spellings = _spellings(tuple((i, row.name, getattr(row, "name_zh", "") or "") for i, row in rows.items()))
    for name in wanted:
        found = [identity for identity, known in spellings.items() if name in known]
        if len(found) == 1:
            return Match(found[0])
    if not near:
        return Match("")
    scores = {i: max((difflib.SequenceMatcher(None, w, k).ratio() for w in wanted for k in known), default=0.0)
              for i, known in spellings.items()}  # fmt: skip
    ranked = sorted((i for i, score in scores.items() if score >= NEAR), key=lambda i: (-scores[i], i))
    return Match("", tuple(ranked[:MOST_OFFERED]))


def match_item(line: Line, catalog: Catalog, near_too: bool = True) -> Match:
    """The catalog item that a line is, of any table with prices; `near_too` as in `match_card`."""
    about = " ".join(line.names)
    category = next((c for name in line.names if (c := words.category_of(name))), "")
    if category in ("card", ""):
        found = match_card(line.names, line.memory_gib, catalog, near_too)
        if found.id or category == "card":
            return found
    near: list[str] = []
    for table, kind in (("psus", "psu"), ("storage", "storage"), ("chassis", "chassis")):
        if category not in ("", kind):
            continue
        match = match_named(line.names, getattr(catalog, table), near_too)
        if match.id:
            return match
        near += match.near if kind != category else ()
    if category == "psu":
        near = list(psus_of(about, None, catalog).near)
    elif category == "storage":
        near = list(storage_of(about, catalog).near)
    elif category == "chassis":
        near = list(match_named(line.names, catalog.chassis).near)
    return Match("", tuple(near[:MOST_OFFERED]))


# --- components of a whole machine ---


def hosts_for(card: Card, cards: int, catalog: Catalog) -> list[Chassis]:
    """Hosts that hold so many of these cards by slot width, the smallest first."""

    def most(host: Chassis) -> int:
        return (host.max_cards_1slot, host.max_cards_2slot, host.max_cards_3slot, 0)[min(card.slot_width, 4) - 1]

    return sorted((h for h in catalog.chassis.values() if most(h) >= cards), key=lambda h: (most(h), h.id))


def chassis_of(part: Part | None, card: Card, cards: int, catalog: Catalog) -> Match:
    """The host by its name; else those that hold the cards, the likest names first."""
    fitting = [host.id for host in hosts_for(card, cards, catalog)]
    if part is None:
        return Match("", tuple(fitting))
    match = match_named((part.text, without_count(part.text)), catalog.chassis)
    if match.id:
        return match
    return Match("", tuple(dict.fromkeys([*(i for i in match.near if i in fitting), *fitting])))


def psus_of(text: str, chassis: Chassis | None, catalog: Catalog) -> Match:
    """The supply of the host: its built-in one, else the one of its form with the stated watts; near: the nearest."""
    if chassis is not None and chassis.psu_form.startswith("fixed:"):
        return Match(chassis.psu_form.removeprefix("fixed:"))
    fitting = [p for p in catalog.psus.values() if chassis is None or p.form == chassis.psu_form]
    rating = watts(text)
    named = match_named((text, without_count(text)), {p.id: p for p in fitting}) if text else Match("")
    if named.id:
        return named
    exact = [p.id for p in fitting if rating is not None and p.watts_high_line == rating]
    if len(exact) == 1 and chassis is not None:
        return Match(exact[0])
    ranked = sorted(fitting, key=lambda p: (abs(p.watts_high_line - rating) if rating else p.watts_high_line, p.id))
    return Match("", tuple(p.id for p in ranked[:MOST_OFFERED]))


def storage_of(text: str, catalog: Catalog) -> Match:
    """The tier with the stated interface and capacity; near: the others, the nearest capacity first."""
    low = text.lower()
    tier = (
        "nvme"
        if re.search(r"nvme|m\.2|u\.2|固态|ssd", low)
        else "sata"
        if re.search(r"sata|hdd|机械|硬盘", low)
        else ""
    )
    tier = "sata" if "sata" in low else tier
    gib = size_gib(text)
    terabytes = gib / 1024.0 if gib else None
    rows = [s for s in catalog.storage.values() if s.local]
    exact = [s.id for s in rows if terabytes is not None and s.tier == tier and abs(s.capacity_tb - terabytes) < 1e-6]
    if len(exact) == 1:
        return Match(exact[0])

    def distance(row: Any) -> tuple[bool, float, str]:
        return row.tier != tier, abs(row.capacity_tb - terabytes) if terabytes else row.capacity_tb, row.id

    return Match("", tuple(s.id for s in sorted(rows, key=distance)[:MOST_OFFERED]))
