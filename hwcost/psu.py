"""Power supplies: what a node draws, which supplies carry it, and what it takes at the wall.

Formula first:

    need    = (cards x TDP + host) / 0.8                 the rating that the supplies must give, watts
    usable  = rated(volts) x count                       one supply counted out where the case is N+1 redundant
    share   = watts / (rated(volts) x count)             all fitted supplies share the load
    wall    = watts / efficiency(share)

`rated` is the low-line figure below 200 V. The efficiency runs in straight lines through its figures at 20, 50 and
100 % load and is constant outside: data sheets give nothing below 20 %, where real supplies do worse, so the idle
watts of an oversized supply are a lower bound.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from hwcost.records import Card, Chassis, Psu
from hwcost.rules import Breach
from hwcost.scenario import Scenario
from hwcost.scenario_defaults import REGION_VOLTS

MAX_LOAD_SHARE = 0.8  # continuous load on a supply's rating: room for transients and ageing
HIGH_LINE_MIN_V = 200.0
PCIE8_W = 150.0  # one 8-pin PCIe plug
ADAPTER_MIN_PLUGS = 2  # no 12V-2x6 adapter takes fewer 8-pin plugs


@dataclass(frozen=True)
class Load:
    """What one node asks of its supplies: watts behind the supply, and plugs for the cards."""

    idle_w: float  # nothing running
    peak_w: float  # all cards at TDP, host loaded, storage
    cards_w: float  # cards x TDP
    host_w: float
    connector: str
    cards: int
    plugs_per_card: int
    tdp_w: float

    @property
    def need_w(self) -> float:
        """Rating that the supplies must give, watts."""
        return need_w(self.cards_w, self.host_w)


@dataclass(frozen=True)
class Candidate:
    """`count` supplies of one model in a case, before any load is known. Watts at the site's voltage."""

    psu: Psu
    count: int
    rated_w: float  # of all fitted supplies together
    usable_w: float  # without the one that N+1 counts out
    usable_high_line_w: float
    feeding: int  # supplies whose plugs count


@dataclass(frozen=True)
class Supply:
    """Supplies that carry a load, with the watts at the wall."""

    psu: Psu
    count: int
    idle_wall_w: float
    peak_wall_w: float


def need_w(cards_w: float, host_w: float) -> float:
    """Rating that the supplies of a node must give for its cards at TDP and its host, watts."""
    return (cards_w + host_w) / MAX_LOAD_SHARE


def site_volts(scenario: Scenario) -> float:
    """Voltage at the site: of the largest circuit where circuits are stated, else the region's."""
    if scenario.circuits:
        return max(scenario.circuits, key=lambda c: (c.continuous_w, c.volts)).volts
    return REGION_VOLTS[scenario.region]


def node_load(card: Card, cards: int, chassis: Chassis, storage_w: float) -> Load:
    """Watts and plugs of `cards` cards in a case; `storage_w` is what the storage tier draws."""
    return Load(
        idle_w=chassis.host_idle_w + cards * card.idle_w + storage_w,
        peak_w=chassis.host_load_w + cards * card.tdp_w + storage_w,
        cards_w=cards * card.tdp_w,
        host_w=chassis.host_load_w,
        connector=card.power_connector,
        cards=cards,
        plugs_per_card=card.power_connectors,
        tdp_w=card.tdp_w,
    )


def rated_w(psu: Psu, volts: float) -> float:
    """Rating of one supply at the site's voltage, watts; 0 where it does not run there."""
    return psu.watts_high_line if volts >= HIGH_LINE_MIN_V else psu.watts_low_line


def efficiency(psu: Psu, share: float) -> float:
    """Efficiency at a load share (0..1): straight lines through 20, 50 and 100 %, constant outside."""
    if share <= 0.2:
        return psu.efficiency_20
    if share <= 0.5:
        return psu.efficiency_20 + (share - 0.2) / 0.3 * (psu.efficiency_50 - psu.efficiency_20)
    if share <= 1.0:
        return psu.efficiency_50 + (share - 0.5) / 0.5 * (psu.efficiency_100 - psu.efficiency_50)
    return psu.efficiency_100


def candidate(psu: Psu, count: int, chassis: Chassis, volts: float) -> Candidate:
    """`count` supplies of one model in the case; with N+1 one of them carries nothing that may be counted."""
    feeding = count - 1 if chassis.redundant else count
    return Candidate(
        psu, count, count * rated_w(psu, volts), feeding * rated_w(psu, volts), feeding * psu.watts_high_line, feeding
    )


def fixed_psu_id(chassis: Chassis) -> str | None:
    """Id of the supply that is built into the case, or None."""
    return chassis.psu_form.removeprefix("fixed:") if chassis.psu_form.startswith("fixed:") else None


def fits_form(psu: Psu, chassis: Chassis) -> bool:
    """Whether the case takes this supply: the built-in one, else one of its own form; server modules name the maker."""
    fixed = fixed_psu_id(chassis)
    return psu.id == fixed if fixed is not None else psu.form == chassis.psu_form


def candidates(chassis: Chassis, psus: Iterable[Psu], volts: float) -> tuple[Candidate, ...]:
    """Every model and count that the case takes, by id. A built-in supply fills all bays."""
    if fixed_psu_id(chassis) is not None:
        counts: Iterable[int] = (max(1, chassis.psu_bays),)
    else:
        counts = range(2 if chassis.redundant else 1, max(chassis.psu_bays, 1) + 1)
    counts = tuple(counts)
    fitting = sorted((p for p in psus if fits_form(p, chassis)), key=lambda p: p.id)
    return tuple(candidate(psu, count, chassis, volts) for psu in fitting for count in counts)


def supply(option: Candidate, load: Load) -> Supply:
    """The wall watts of a load on these supplies."""

    def wall(watts: float) -> float:
        share = watts / option.rated_w if option.rated_w > 0 else math.inf
        return watts / efficiency(option.psu, share)

    return Supply(option.psu, option.count, wall(load.idle_w), wall(load.peak_w))


def plugs(option: Candidate, load: Load) -> tuple[int, int | None]:
    """Plugs that the cards need and that these supplies have; None: fed by the case's board, not counted.

    A 6-pin socket takes an 8-pin (6+2) plug. A card with a 12V-2x6 socket takes a native plug or the adapter that comes
    with it, which needs one 8-pin plug per 150 W of TDP, two at least; the figures are then in 8-pin plugs, for the
    cards that no native plug serves. Cards with an 8-pin EPS socket need EPS plugs, no adapter is counted.
    """
    psu, need = option.psu, load.cards * load.plugs_per_card
    if load.connector == "none":
        return 0, None
    if load.connector == "eps8":
        return need, None if psu.eps8_connectors is None else psu.eps8_connectors * option.feeding
    eight_pin = None if psu.pcie8_connectors is None else psu.pcie8_connectors * option.feeding
    if load.connector in ("pcie6", "pcie8"):
        return need, eight_pin
    if psu.v12_2x6_connectors is None:
        return need, None
    by_adapter = max(0, need - psu.v12_2x6_connectors * option.feeding)
    watts_per_socket = load.tdp_w / max(1, load.plugs_per_card)
    return by_adapter * max(ADAPTER_MIN_PLUGS, math.ceil(watts_per_socket / PCIE8_W)), eight_pin


def _has_plugs(option: Candidate, load: Load) -> bool:
    need, have = plugs(option, load)
    return have is None or need <= have


def _watts_breach(options: tuple[Candidate, ...], load: Load, volts: float) -> Breach:
    """`psu_low_line` where a supply would do at 200-240 V (the socket is at fault), else `psu_watts` of the largest."""
    derated = [o for o in options if load.need_w <= o.usable_high_line_w]
    nearest = max(derated or options, key=lambda o: o.usable_w)
    values = {
        "psu": nearest.psu.name,
        "count": nearest.count,
        "need_w": load.need_w,
        "usable_w": nearest.usable_w,
        "cards_w": load.cards_w,
        "host_w": load.host_w,
        "volts": volts,
        "high_line_w": nearest.usable_high_line_w,
    }
    return Breach("psu_low_line" if derated else "psu_watts", values)


def _plugs_breach(option: Candidate, load: Load) -> Breach:
    need, have = plugs(option, load)
    connector = "pcie8" if load.connector == "v12_2x6" else load.connector
    values = {"psu": option.psu.name, "count": option.count, "connector": connector, "need": need, "have": have}
    return Breach("psu_connectors", values)


def select(
    load: Load, options: tuple[Candidate, ...], form: str, volts: float, circuit_w: float | None
) -> tuple[tuple[Supply, ...], tuple[Breach, ...]]:
    """Supplies that carry a load, or every rule that no supply meets, told by the one that comes nearest.

    `options` are what the case takes, `form` names its kind of supply. `circuit_w` is the continuous watts of the
    largest circuit; None: not stated.
    """
    if not options:
        breaches = [Breach("psu_form", {"form": "fixed" if form.startswith("fixed:") else form})]
        if circuit_w is not None and load.peak_w > circuit_w:  # even without losses
            breaches.append(_circuit_breach(load.peak_w, circuit_w, volts))
        return (), tuple(breaches)

    strong = [o for o in options if load.need_w <= o.usable_w]
    working = [o for o in strong if _has_plugs(o, load)]
    supplies = [supply(o, load) for o in working or strong or options]
    breaches = []
    if not strong:
        breaches.append(_watts_breach(options, load, volts))
    if not working and (strong or not any(_has_plugs(o, load) for o in options)):
        breaches.append(_plugs_breach(min(strong or options, key=lambda o: _plugs_short(o, load)), load))
    if circuit_w is not None:
        least = min(s.peak_wall_w for s in supplies)
        if least > circuit_w:
            breaches.append(_circuit_breach(least, circuit_w, volts))
        supplies = [s for s in supplies if s.peak_wall_w <= circuit_w]
    return ((), tuple(breaches)) if breaches else (tuple(supplies), ())


def _plugs_short(option: Candidate, load: Load) -> int:
    need, have = plugs(option, load)
    return 0 if have is None else need - have


def _circuit_breach(peak_w: float, limit_w: float, volts: float) -> Breach:
    return Breach("circuit", {"peak_w": peak_w, "limit_w": limit_w, "volts": volts})


def undominated(supplies: Iterable[Supply], unit_price: Mapping[str, float]) -> tuple[Supply, ...]:
    """Supplies that no other beats in price, losses and units together; of two equal ones the lower id stays.

    Losses are compared idle and at the peak: the energy of a year is a mean of the two, whatever the hours.
    `unit_price` is by supply id; a built-in supply costs nothing apart from its case.
    """

    ranked = sorted(
        (
            ((s.count * unit_price.get(s.psu.id, 0.0), s.idle_wall_w, s.peak_wall_w, s.count, s.psu.id), s)
            for s in supplies
        ),
        key=lambda pair: pair[0],
    )
    kept: list[tuple[float, float, int]] = []
    best: list[Supply] = []
    for (_, idle, peak, count, _), s in ranked:  # whatever dominates a supply costs no more: it comes before it
        if any(i <= idle and p <= peak and n <= count for i, p, n in kept):
            continue
        kept.append((idle, peak, count))
        best.append(s)
    return tuple(sorted(best, key=lambda s: (s.psu.id, s.count)))
