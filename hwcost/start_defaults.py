"""What the start form takes where the answers are silent: lengths of a run, sockets, machines, the reference card.

Every value is an estimate of what is usual; it is listed with the answers, and the lab replaces it by answering.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from hwcost.demand import Rules, at_once_default
from hwcost.records import Card, Catalog, Chassis, Network, Psu, Storage
from hwcost.scenario_defaults import REGION_CURRENCY

PEOPLE = 5
HORIZON_YEARS = 3
PLACE = "lab"
PAYER = "university"
TAX_INCLUDED = True
WITHIN = "overnight"
PROCUREMENT = {"CN": "cn-generic", "US": "us-2cfr200", "EU": ""}  # no profile: quotations may be 90 days old
CIRCUIT_AMPS = {"CN": 16.0, "EU": 16.0, "US": 20.0}
CIRCUITS = {"office": 1, "lab": 1, "department_room": 2}  # a machine room states its own limit or none
# Two trainings stand for a group that does not say what it trains: small patches, and tiles.
TRAININGS = ("hybridsn-ip", "unet-512x512x200-b64")
TILE_BATCH = 8
TILE_SIDES = {"unet": (512, 512, 200), "segformer-b2": (512, 512, 200), "autoencoder": (512, 512, 200),
              "unet3d": (128, 128, 200)}  # fmt: skip
# Runs are timed on this card for the busy hours where nothing is owned: middle of the range, known in every region.
CAMPUS_CARD = "a100-40gb-pcie"  # what published rate pages of campus clusters name; an assumption until asked
REFERENCE_CARD, REFERENCE_CHASSIS, REFERENCE_STORAGE = "rtx-a5500", "dell-7960", "nvme-8tb"
# An owned machine that is named by its cards only: the catalog's plainest host that holds so many.
OWNED_CHASSIS = ((1, "consumer-mid"), (2, "consumer-full"), (4, "smc-740gp"), (8, "gigabyte-g292-z20"))
OWNED_DISK = "sata"
PSU_LOAD = 0.8  # a supply is loaded to 80 % of its rating
MEMORY_FROM = "nvidia-smi"  # where a memory reading comes from when nobody says so
SERVER_CARDS = "datacentre"
FIXED = "fixed:"  # a host with its own supply names it


@dataclass(frozen=True)
class Length:
    """The usual length of one run: passes over the samples, and how many samples where no data set says so."""

    epochs: float
    samples: int | None = None
    train_share: float | None = None


# By the first word of the preset; the papers' own settings where known, common practice elsewhere.
LENGTH_BY_NETWORK = {
    "hybridsn": Length(100.0, train_share=0.3),
    "ssrn": Length(200.0, train_share=0.2),
    "fdssc": Length(80.0, train_share=0.2),
    "dbma": Length(200.0),
    "dbda": Length(200.0),
    "spectralformer": Length(300.0),
    "vit": Length(300.0),
    "morphformer": Length(500.0),
}
LENGTH_BY_KIND = {
    "patch": Length(100.0, 1000),
    "tiles": Length(60.0, 1000),
    "pretraining": Length(100.0, 100_000),
    "finetuning": Length(50.0, 5000),
}
WITHIN_BY_KIND = {"pretraining": "any"}  # nobody waits for a pretraining overnight


def kind_of(network: Network) -> str:
    """patch, tiles, pretraining or finetuning, from the network's family."""
    if network.family.startswith("patch"):
        return "patch"
    if network.family == "foundation":
        return "pretraining" if "pretrain" in network.id else "finetuning"
    return "tiles"


def length_of(network: Network) -> Length:
    """The usual length of a run of this network."""
    kind = kind_of(network)
    known = LENGTH_BY_NETWORK.get(network.id.split("-")[0]) if kind == "patch" else None
    return known or LENGTH_BY_KIND[kind]


def stem_of(network_id: str) -> str:
    """The network without its data set: "hybridsn-ip" and "hybridsn-pu" are both "hybridsn"."""
    return network_id.rpartition("-")[0]


def network_on(network: Network, dataset_id: str, catalog: Catalog) -> Network:
    """The same network's row for another data set; the row itself where the catalog has none."""
    rows = (row for row in catalog.networks.values() if stem_of(row.id) == stem_of(network.id))
    return next((row for row in rows if row.dataset_id == dataset_id), network)


def default_answer(key: str, region: str, people: int | None) -> str:
    """What an open field of the form takes, as somebody would type it; "" where it stays empty."""
    count = people or PEOPLE
    known = {
        "budget.unit": REGION_CURRENCY[region], "fund.pays": "equipment", "people.total": str(PEOPLE),
        "people.at_once": str(at_once_default(count, Rules())), "train.what": ", ".join(TRAININGS), "within": WITHIN,
        "own.cards": "1", "own.count": "1", "own.disk": OWNED_DISK, "place.where": PLACE, "payers.power": PAYER,
        "payers.hosting": PAYER, "payers.care": PAYER, "procurement.profile": PROCUREMENT[region],
        "train.now.memory_from": MEMORY_FROM,
    }  # fmt: skip
    return known.get(key, "")


# --- names of machines ---

BRANDS = re.compile(r"nvidia|geforce|quadro|tesla|blackwell|rtx|gpu|显卡|[^0-9a-z\u4e00-\u9fff]")


def plain(name: str) -> str:
    """A name without brand words, spaces and hyphens: "NVIDIA GeForce RTX 3090" and "3090" are both "3090"."""
    return BRANDS.sub("", name.lower())


def named(text: str, rows: Mapping[str, Any]) -> list[str]:
    """Ids of the rows that `text` may mean: those of exactly this name, else those whose name begins with it."""
    wanted = plain(text)
    names = {identity: {plain(identity), plain(row.name)} for identity, row in rows.items()}
    exact = [identity for identity, spellings in names.items() if wanted in spellings]
    if exact or not wanted:
        return exact
    return [identity for identity, spellings in names.items() if any(s.startswith(wanted) for s in spellings)]


def owned_chassis(card: Card, cards: int, catalog: Catalog) -> Chassis:
    """The plainest host of the catalog for so many cards; a card without a fan needs one that cools it."""
    served = [c for n, c in OWNED_CHASSIS if n >= cards and (n > 2 or card.segment != SERVER_CARDS)]
    return catalog.chassis[served[0] if served else OWNED_CHASSIS[-1][1]]


def owned_psu(chassis: Chassis, watts: float | None, need_w: float, catalog: Catalog) -> Psu:
    """The supply of the host's form nearest to `watts`; unknown: the smallest that gives `need_w`, else the largest."""
    if chassis.psu_form.startswith(FIXED):
        return catalog.psus[chassis.psu_form.removeprefix(FIXED)]
    fitting = [p for p in catalog.psus.values() if p.form == chassis.psu_form] or list(catalog.psus.values())
    if watts is not None:
        return min(fitting, key=lambda p: (abs(p.watts_high_line - watts), p.id))
    enough = [p for p in fitting if p.watts_high_line >= need_w]
    pool = enough or [max(fitting, key=lambda p: (p.watts_high_line, p.id))]
    return min(pool, key=lambda p: (p.watts_high_line, p.id))


def owned_storage(disk: str, tb: float | None, catalog: Catalog) -> Storage:
    """The tier of this kind whose size is nearest; unknown size: the smallest."""
    fitting: Iterable[Storage] = [s for s in catalog.storage.values() if s.tier == disk] or catalog.storage.values()
    return min(fitting, key=lambda s: (abs(s.capacity_tb - tb) if tb is not None else s.capacity_tb, s.id))
