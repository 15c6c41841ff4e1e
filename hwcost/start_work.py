"""Trainings and owned machines of the start form: a user's words become `[[workload]]` and `[[owned]]` tables.

Every figure goes through `Log.take`, which notes question, answer, value and the scenario's key it became.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from hwcost import demand
from hwcost import start_defaults as usual
from hwcost.answers_io import WITHIN, Answers, Now, Training
from hwcost.errors import Problem
from hwcost.presets import find_dataset, find_preset
from hwcost.problems import nearest_match
from hwcost.records import Card, Catalog, Network
from hwcost.tiles import DEFAULT_BASE, DEFAULT_DEPTH, MODELS, Tile, tile_network

MOST_OFFERED = 12

Value = bool | int | float | str | date


@dataclass(frozen=True)
class Item:
    """One figure: the question it belongs to, the answer, what follows from it, and the key of the scenario it became.

    `origin` is answered, unknown ("don't know") or default (not answered). All are estimates: the lab vouches for them.
    """

    question: int
    key: str
    answer: str
    origin: str
    value: Value  # "" where nothing follows
    unit: str
    becomes: str  # "" where the calculation does not use it
    kind: str = "estimate"

    def record(self) -> dict[str, Any]:
        return {"question": self.question, "key": self.key, "answer": self.answer, "origin": self.origin,
                "value": self.value, "unit": self.unit, "becomes": self.becomes, "kind": self.kind}  # fmt: skip


@dataclass
class Log:
    """Collects the items of one run of the engine."""

    answers: Answers
    items: list[Item] = field(default_factory=list)

    def take(self, question: int, keys: tuple[str, ...], value: Any, unit: str, becomes: str) -> Any:
        """Notes one figure that answers `keys` (the first is its name) and hands its value back."""
        answer, origin = self.answers.as_given(*keys), self.answers.origin(*keys)
        self.items.append(Item(question, keys[0], answer, origin, value, unit, becomes))
        return value


@dataclass(frozen=True)
class Job:
    """One training: its table in the scenario, and what the demand of a year counts. Timed by `start`."""

    table: dict[str, Any]
    kind: str
    people: float
    at_once: int
    per_card: int
    runs_per_year: float
    hours_per_run: float = 0.0  # on the reference card
    evidence: str = ""
    name: str = ""
    name_zh: str = ""
    batch: int = 0
    memory_mib: float = 0.0

    @property
    def busy_card_hours(self) -> float:
        return self.runs_per_year * self.hours_per_run

    def record(self) -> dict[str, Any]:
        return {"workload": self.table["id"], "kind_of_training": self.kind, "people": self.people,
                "people_at_once": self.at_once, "people_per_card": self.per_card, "runs_per_year": self.runs_per_year,
                "hours_per_run": self.hours_per_run, "evidence": self.evidence,
                "busy_card_hours": self.busy_card_hours}  # fmt: skip


# --- trainings ---


def jobs_of(answers: Answers, catalog: Catalog, log: Log, problems: list[Problem]) -> list[Job]:
    """A job for each training, or for the usual ones where none is named. Faults are added to `problems`."""
    people = log.take(3, ("people.total",), answers.people or usual.PEOPLE, "people", "")
    total = answers.at_once or demand.at_once_default(people, answers.rules)
    log.take(3, ("people.at_once",), total, "people", "")
    trainings = answers.trainings or tuple(_open() for _ in usual.TRAININGS)
    shares = [t.people or people / len(trainings) for t in trainings]
    at_once = _at_once(total, trainings, shares)
    jobs: list[Job] = []
    for n, (training, share, seats) in enumerate(zip(trainings, shares, at_once, strict=True), 1):
        key = f"train[{n}]"
        default = usual.TRAININGS[min(n, len(usual.TRAININGS)) - 1]
        found = _network(training, key, default, answers, catalog, problems)
        if found is None:
            continue
        table, network = found
        table["id"] = _free_id(table["id"], [job.table["id"] for job in jobs])
        place = f"workload[{n}]"
        log.take(
            4,
            (f"{key}.what",),
            table.get("preset", network.name),
            "",
            f"{place}.{'tile' if 'tile' in table else 'preset'}",
        )
        jobs.append(_job(training, n, table, network, share, seats, answers, catalog, log, problems))
    return jobs


def _open() -> Training:
    """A training about which nothing was said."""
    nothing = Now(None, "", None, "")
    return Training("", "", "", True, "", None, None, None, None, None, None, None, nothing, "", None, None, None)


def _at_once(total: int, trainings: tuple[Training, ...], shares: list[float]) -> list[int]:
    """People at once of each training: as stated, the rest of `total` over the others by their people."""
    stated = [t.at_once for t in trainings]
    rest = max(0, total - sum(seats or 0 for seats in stated))
    others = [i for i, seats in enumerate(stated) if seats is None]
    given = dict(zip(others, demand.shared_out(rest, [shares[i] for i in others]), strict=True)) if others else {}
    return [given.get(i, seats or 0) for i, seats in enumerate(stated)]


TILE_IN_WORDS = re.compile(r"(\d{2,5}) *[x×*] *(\d{2,5}) *[x×*] *(\d{1,4})")


@dataclass(frozen=True)
class Meant:
    """What the words of a training mean: a row of the catalog (perhaps on another data set), or a network on tiles."""

    network: Network
    dataset_id: str = ""  # where it is not the row's own
    tile: Tile | None = None

    def table(self) -> dict[str, Any]:
        """The start of the workload's table."""
        if self.tile is None:
            own = {"id": self.network.id, "preset": self.network.id}
            return {**own, "dataset": self.dataset_id} if self.dataset_id else own
        sides: dict[str, Any] = {"height": self.tile.height, "width": self.tile.width, "bands": self.tile.bands}
        shape = f"{self.tile.height}x{self.tile.width}x{self.tile.bands}"
        model = {} if self.tile.model == MODELS[0] else {"model": self.tile.model}
        return {"id": f"{self.tile.model}-{shape}", "tile": {**sides, **model}}


def meaning(
    what: str, catalog: Catalog, dataset: str = "", tile: tuple[int, int, int] | None = None
) -> Meant | tuple[str, dict[str, Any]]:
    """What a training is called, as a row or a tile; else the code of a problem and its values.

    "U-Net 512x512x200" and "U-Net" beside `tile` are a network on tiles. A name that stands for one network on
    several data sets takes the data set that is named, else the first; one that stands for several networks is refused.
    """
    sizes = TILE_IN_WORDS.search(what)
    sides = tile or ((int(sizes[1]), int(sizes[2]), int(sizes[3])) if sizes else None)
    matches = find_preset(TILE_IN_WORDS.sub(" ", what) if sides else what, catalog)
    if sides and (matches.one is None or matches.one.category != "tile"):
        matches = find_preset(what, catalog)
    if matches.one is not None and matches.one.category == "tile":
        return _on_tiles(matches.one.id, sides or usual.TILE_SIDES[matches.one.id])
    names = _offered(choice.name for choice in matches.choices)
    networks = [choice for choice in matches.choices if choice.category == "network"]
    if matches.how in ("nearest", "none"):
        return "answers_training_unknown", {"expected": names or _offered(r.name for r in catalog.networks.values())}
    if not networks:
        return "answers_training_inference", {}
    if len({usual.stem_of(choice.id) for choice in networks}) > 1:
        return "answers_training_several", {"expected": names}
    network = catalog.networks[networks[0].id]
    if sides and usual.kind_of(network) == "tiles":
        return _on_tiles(MODELS[0], sides)
    scenes = [
        row for row in (find_dataset(dataset, catalog) if dataset else matches.datasets) if row in catalog.datasets
    ]
    if dataset and len(scenes) != 1:
        return "answers_dataset_unknown", {"expected": ", ".join(row.name for row in catalog.datasets.values())}
    if not scenes or usual.kind_of(network) != "patch":
        return Meant(network)
    own = usual.network_on(network, scenes[0], catalog)
    return Meant(own, "" if own.dataset_id == scenes[0] else scenes[0])


def _offered(names: Iterable[str]) -> str:
    """Networks to choose from, each once, without their data sets."""
    return ", ".join(list(dict.fromkeys(name.partition(",")[0] for name in names))[:MOST_OFFERED])


def _on_tiles(model: str, sides: tuple[int, int, int]) -> Meant:
    tile = Tile(*sides, model=model, base=DEFAULT_BASE.get(model, 0), depth=DEFAULT_DEPTH.get(model, 0))
    return Meant(tile_network(tile), tile=tile)


def _network(
    training: Training, key: str, default: str, answers: Answers, catalog: Catalog, problems: list[Problem]
) -> tuple[dict[str, Any], Network] | None:
    """The start of the workload's table and the network; a fault is noted in `problems`."""
    meant = meaning(training.what or default, catalog, training.dataset, training.tile)
    if isinstance(meant, Meant):
        return meant.table(), meant.network
    code, values = meant
    column, value = ("dataset", training.dataset) if "dataset" in code else ("what", training.what)
    problems.append(Problem(code, file=answers.file, column=f"{key}.{column}", value=value, values=values))
    return None


def _free_id(wanted: str, used: list[str]) -> str:
    numbered = [wanted, *(f"{wanted}-{n}" for n in range(2, 100))]
    return next(identity for identity in numbered if identity not in used)


def _job(
    training: Training, n: int, table: dict[str, Any], network: Network, people: float, at_once: int,
    answers: Answers, catalog: Catalog, log: Log, problems: list[Problem],
) -> Job:  # fmt: skip
    """The rest of one training: people, runs, time, length of a run, and the run as it is today."""
    key, place, kind, rules = f"train[{n}]", f"workload[{n}]", usual.kind_of(network), answers.rules
    for name in ("name_en", "name_zh"):
        if getattr(training, name):
            table[name] = getattr(training, name)
    if not training.must:
        table["must"] = False
    log.take(3, (f"{key}.people", "people.total"), people, "people", "")
    table["people_at_once"] = log.take(3, (f"{key}.at_once", "people.at_once"), at_once, "people",
                                       f"{place}.people_at_once")  # fmt: skip
    per_card = training.people_per_card or int(getattr(rules, f"people_per_card_{kind}"))
    seats = (f"{key}.people_per_card", f"assumption.people_per_card_{kind}")
    log.take(3, seats, per_card, "people/card", f"{place}.sharers" if per_card > 1 else "")
    if per_card > 1:
        table["sharers"] = per_card
    runs = _runs(training, kind, people, answers)
    asked = tuple(f"{key}.{name}" for name in ("papers", "runs_per_week", "runs_per_year"))
    table["runs_per_year"] = log.take(7, asked, runs, "runs/year", f"{place}.runs_per_year")
    _length(training, n, table, network, log)
    within = training.within or answers.within or usual.WITHIN_BY_KIND.get(kind, usual.WITHIN)
    hours = WITHIN[within] if isinstance(within, str) else within
    asked = (f"{key}.within", "within")
    if hours is None:
        log.take(6, asked, "any", "h", "")
    else:
        table["max_hours_per_run"] = log.take(6, asked, hours, "h", f"{place}.max_hours_per_run")
    _anchor(training.now, n, table, answers, catalog, log, problems)
    return Job(table, kind, people, at_once, per_card, runs)


def _runs(training: Training, kind: str, people: float, answers: Answers) -> float:
    """Runs a year: as stated, by the week, or by papers (one for each person unless stated)."""
    if training.runs_per_year is not None:
        return training.runs_per_year
    if training.runs_per_week is not None:
        return demand.runs_from_weeks(training.runs_per_week, people, answers.rules)
    papers = training.papers if training.papers is not None else answers.rules.papers_per_person_year * people
    return demand.runs_from_papers(kind, papers, answers.rules)


def _length(training: Training, n: int, table: dict[str, Any], network: Network, log: Log) -> None:
    """Batch, passes and samples of one run. Samples come from the data set where it counts labelled pixels."""
    key, place, length = f"train[{n}]", f"workload[{n}]", usual.length_of(network)
    batch = training.batch or (usual.TILE_BATCH if "tile" in table else network.default_batch)
    table["batch"] = log.take(4, (f"{key}.batch",), int(batch), "samples", f"{place}.batch")
    table["epochs"] = log.take(4, (f"{key}.epochs",), training.epochs or length.epochs, "epochs", f"{place}.epochs")
    pixels = "tile" not in table and (table.get("dataset") or network.dataset_id)
    if training.tiles is None and pixels:
        if length.train_share and "dataset" not in table:
            table["train_share"] = log.take(4, (f"{key}.tiles",), length.train_share, "share", f"{place}.train_share")
        return
    samples = int(training.tiles or length.samples or usual.LENGTH_BY_KIND["tiles"].samples or 1)
    table["train_samples"] = log.take(4, (f"{key}.tiles",), samples, "samples", f"{place}.train_samples")


def _anchor(
    now: Now, n: int, table: dict[str, Any], answers: Answers, catalog: Catalog, log: Log, problems: list[Problem]
) -> None:
    """One run as it is today, on a named card: the scenario's `anchor`."""
    key, place = f"train[{n}].now", f"workload[{n}]"
    if now.hours is None or not now.card:
        log.take(5, (f"{key}.hours", f"{key}.card"), "", "h", "")
        return
    card = card_of(now.card, f"{key}.card", answers, catalog, problems)
    if card is None:
        return
    anchor: dict[str, Any] = {"card": card.id, "hours_per_run": now.hours}
    if now.memory_gib is not None:
        anchor |= {"memory_gib": now.memory_gib, "source": now.memory_from or usual.MEMORY_FROM}
    table["anchor"] = anchor
    at_home = [m for m in answers.owned if usual.named(m.card, catalog.cards) == [card.id]]
    if at_home:  # it was timed on the machine that the group owns, with the data on that machine's disk
        tier = usual.owned_storage(at_home[0].disk or usual.OWNED_DISK, at_home[0].disk_tb, catalog)
        anchor["storage"] = tier.id
        log.take(5, (f"own[{answers.owned.index(at_home[0]) + 1}].disk",), tier.id, "", f"{place}.anchor")
    log.take(5, (f"{key}.hours",), now.hours, "h", f"{place}.anchor")
    log.take(5, (f"{key}.card",), card.name, "", f"{place}.anchor")
    if now.memory_gib is not None:
        log.take(5, (f"{key}.memory_gib",), now.memory_gib, "GiB", f"{place}.anchor")
        log.take(5, (f"{key}.memory_from",), anchor["source"], "", f"{place}.anchor")


# --- machines ---


def card_meant(text: str, catalog: Catalog) -> Card | tuple[str, dict[str, Any]]:
    """The card that `text` names; else the code of a problem and its values."""
    found = usual.named(text, catalog.cards)
    if len(found) == 1:
        return catalog.cards[found[0]]
    names = [catalog.cards[identity].name for identity in found or catalog.cards]
    values: dict[str, Any] = {"expected": ", ".join(names[:MOST_OFFERED])}
    if near := nearest_match(text, [card.name for card in catalog.cards.values()]):
        values["nearest"] = near
    return "answers_card_several" if found else "answers_card_unknown", values


def card_of(text: str, key: str, answers: Answers, catalog: Catalog, problems: list[Problem]) -> Card | None:
    """The card that `text` names; a fault is noted where it is none or several."""
    meant = card_meant(text, catalog)
    if isinstance(meant, Card):
        return meant
    problems.append(Problem(meant[0], file=answers.file, column=key, value=text, values=meant[1]))
    return None


def machine_of(answers: Answers, n: int, catalog: Catalog, log: Log, problems: list[Problem]) -> dict[str, Any]:
    """The n-th owned machine as the scenario's `[[owned]]` table: the catalog's nearest host, supply and disk."""
    machine, key, place = answers.owned[n - 1], f"own[{n}]", f"owned[{n}]"
    card = card_of(machine.card, f"{key}.card", answers, catalog, problems)
    if card is None:
        return {}
    hosts = usual.named(machine.host, catalog.chassis) if machine.host else []
    if machine.host and len(hosts) != 1:
        values: dict[str, Any] = {"expected": ", ".join(sorted(catalog.chassis))}
        if near := nearest_match(machine.host, catalog.chassis):
            values["nearest"] = near
        problems.append(
            Problem("answers_host_unknown", file=answers.file, column=f"{key}.host", value=machine.host, values=values)
        )
        return {}
    chassis = catalog.chassis[hosts[0]] if hosts else usual.owned_chassis(card, machine.cards, catalog)
    need_w = (card.tdp_w * machine.cards + chassis.host_load_w) / usual.PSU_LOAD
    psu = usual.owned_psu(chassis, machine.psu_watts, need_w, catalog)
    tier = usual.owned_storage(machine.disk or usual.OWNED_DISK, machine.disk_tb, catalog)
    table: dict[str, Any] = {"id": f"machine-{n}", "name": machine.name or f"{machine.cards} x {card.name}"}
    table["card"] = log.take(8, (f"{key}.card",), card.id, "", f"{place}.card")
    table["cards"] = log.take(8, (f"{key}.cards",), machine.cards, "cards", f"{place}.cards")
    table["count"] = log.take(8, (f"{key}.count",), machine.count, "machines", f"{place}.count")
    table["chassis"] = log.take(8, (f"{key}.host",), chassis.id, "", f"{place}.chassis")
    table["psu"] = log.take(8, (f"{key}.psu_watts",), psu.id, "", f"{place}.psu")
    if chassis.redundant:
        table["psu_count"] = log.take(8, (f"{key}.psu_watts",), chassis.psu_bays, "supplies", f"{place}.psu_count")
    table["storage"] = log.take(8, (f"{key}.disk", f"{key}.disk_tb"), tier.id, "", f"{place}.storage")
    return table
