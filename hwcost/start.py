"""The question engine: answers to the twelve questions become a scenario, and every step is written down.

`QUESTIONS` is what a front end asks. `start` takes the answers, fills what is open from `start_defaults`, and gives the
scenario's document with an `Item` for each figure: which question, what was answered, what follows, where it went.
What the calculation cannot use yet is kept with the answers and named in `notes`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from hwcost import demand
from hwcost import start_defaults as usual
from hwcost.answers_io import SCHEMA as ANSWERS_SCHEMA
from hwcost.answers_io import Answers
from hwcost.build import Build
from hwcost.demand import Group, Hours, Wait
from hwcost.errors import InputError, Problem
from hwcost.records import Catalog, Storage
from hwcost.scenario import Scenario
from hwcost.scenario_io import SCHEMA, scenario_from_dict
from hwcost.start_work import Job, Log, card_of, jobs_of, machine_of
from hwcost.storage_need import StorageNeed, storage_need, tiers_that_suffice
from hwcost.strategies import evaluate

MOST_CARDS_SHOWN = 8


@dataclass(frozen=True)
class Question:
    """One of the twelve: its number, and the dotted keys of the answers it fills. Words: messages `start.q<number>`."""

    number: int
    keys: tuple[str, ...]


QUESTIONS = (
    Question(1, ("budget.amount", "budget.unit", "budget.tax_included")),
    Question(2, ("fund.name", "fund.pays", "fund.amount", "fund.spend_by")),
    Question(3, ("people.total", "people.at_once")),
    Question(4, ("train.what",)),
    Question(5, ("train.now.hours", "train.now.card", "train.now.memory_gib", "train.now.memory_from")),
    Question(6, ("within",)),
    Question(7, ("train.papers", "train.runs_per_week", "train.runs_per_year")),
    Question(8, ("own.card", "own.cards", "own.count", "own.psu_watts", "own.disk")),
    Question(9, ("place.where",)),
    Question(10, ("payers.power", "payers.hosting", "payers.care")),
    Question(11, ("campus.available", "campus.price_per_card_hour", "campus.usual_wait_hours")),
    Question(12, ("procurement.profile",)),
)


@dataclass(frozen=True)
class Note:
    """What the answers say and the calculation does not use: a message key `start.note.<code>` and its figures."""

    code: str
    values: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Store:
    """What one job asks of the storage on the reference card, and the tiers that suffice for `readers` at once."""

    job: Job
    readers: int
    need: StorageNeed
    tiers: tuple[Storage, ...]


@dataclass(frozen=True)
class Started:
    """The result. `document` is what `scenario_text` writes; `scenario` is the same, loaded."""

    answers: Answers
    document: dict[str, Any]
    scenario: Scenario
    items: tuple[Any, ...]  # start_work.Item, in the order of the questions
    jobs: tuple[Job, ...]
    hours: Hours
    reference: str  # card on which a run was timed for the busy hours
    cards_for_all: int  # nobody waits, people of one job sharing cards
    waits: tuple[tuple[int, Wait, Wait], ...]  # by number of cards: a card for each person, and shared as assumed
    notes: tuple[Note, ...]
    stores: tuple[Store, ...]  # what each job asks of the storage

    @property
    def at_once(self) -> int:
        """People who train at the same time, over all jobs."""
        return sum(job.at_once for job in self.jobs)


def start(answers: Answers, catalog: Catalog) -> Started:
    """The scenario that follows from the answers. Raises `InputError` with all problems."""
    log = Log(answers)
    problems: list[Problem] = []
    document: dict[str, Any] = {"schema": SCHEMA, "id": answers.id, "name_en": answers.name_en,
                                "name_zh": answers.name_zh, "region": answers.region, "currency": answers.currency,
                                "horizon_years": usual.HORIZON_YEARS, "as_of": answers.as_of}  # fmt: skip
    document |= _money(answers, log)
    jobs = jobs_of(answers, catalog, log, problems)
    if not answers.owned:
        log.take(8, ("own.card", "own"), "", "", "")
    owned = [machine_of(answers, n, catalog, log, problems) for n in range(1, len(answers.owned) + 1)]
    document["site"] = _site(answers, log)
    document["payers"] = _payers(answers, log)
    funds, services = _funds(answers), _campus(answers, catalog, log, problems)
    profile = answers.profile or usual.PROCUREMENT[answers.region]
    log.take(12, ("procurement.profile",), profile, "", "procurement" if profile else "")
    if profile:
        document["procurement"] = profile
    if problems:
        raise InputError(problems)
    if owned:
        document["owned"] = owned
    if funds:
        document["fund"] = funds
    if services:
        document["service"] = services
    document["workload"] = [job.table for job in jobs]
    document = _scalars_first(document)
    scenario = scenario_from_dict(document, catalog, answers.file)
    reference, jobs = _timed(scenario, jobs, catalog)
    busy = sum(job.busy_card_hours for job in jobs)
    hours = demand.year_hours(_people(answers), busy, answers.rules)
    groups = [Group(job.at_once, job.per_card) for job in jobs if job.at_once]
    waits = _waits(groups, jobs, answers)
    notes = _notes(answers, jobs, hours, demand.cards_for_all(groups), scenario)
    document["answers"] = _kept(answers, log, jobs, hours, reference, notes)
    scenario = dataclasses.replace(scenario, answers=document["answers"])
    return Started(answers, document, scenario, tuple(log.items), tuple(jobs), hours, reference,
                   demand.cards_for_all(groups), waits, tuple(notes), _stores(scenario, jobs, catalog))  # fmt: skip


def _scalars_first(document: dict[str, Any]) -> dict[str, Any]:
    """Plain keys before tables, as the file will have them."""
    tables = {key: value for key, value in document.items() if isinstance(value, Mapping | list)}
    return {**{key: value for key, value in document.items() if key not in tables}, **tables}


def _people(answers: Answers) -> int:
    return answers.people or usual.PEOPLE


# --- questions 1, 2: money ---


def _money(answers: Answers, log: Log) -> dict[str, Any]:
    """Budget, tax basis, spend-by date and the objective that follows. Without an amount there is no limit."""
    equipment = [fund for fund in answers.funds if not fund.pays or "equipment" in fund.pays]
    amount = answers.budget
    keys: tuple[str, ...] = ("budget.amount",)
    if amount is None and equipment and all(fund.amount for fund in equipment):
        amount = sum(fund.amount or 0.0 for fund in equipment)
        keys = tuple(f"fund[{n}].amount" for n, fund in enumerate(answers.funds, 1) if fund in equipment)
    spend_by = min((fund.spend_by for fund in equipment if fund.spend_by), default=None)
    log.take(1, keys, "" if amount is None else amount, answers.currency, "" if amount is None else "budget.amount")
    tax = usual.TAX_INCLUDED if answers.tax_included is None else answers.tax_included
    log.take(1, ("budget.tax_included",), tax, "", "" if amount is None else "budget.tax_included")
    pays = ("fund.pays", *(f"fund[{n}].pays" for n in range(1, len(answers.funds) + 1)))
    log.take(2, pays, ", ".join(sorted({p for f in answers.funds for p in f.pays})) or "equipment", "", "")
    dates = ("fund.spend_by", *(f"fund[{n}].spend_by" for n in range(1, len(answers.funds) + 1)))
    placed = "budget.spend_by" if amount is not None and spend_by else ""
    log.take(2, dates, spend_by or "", "", placed)
    objective = "budget" if placed else "serve"
    log.take(2, dates, objective, "", "objective")
    budget: dict[str, Any] = {} if amount is None else {"amount": amount, "tax_included": tax}
    if placed and spend_by:
        budget["spend_by"] = spend_by
    return {"objective": objective, **({"budget": budget} if budget else {})}


# --- questions 9 to 11: place, payers, campus ---


def _site(answers: Answers, log: Log) -> dict[str, Any]:
    place = log.take(9, ("place.where",), answers.place or usual.PLACE, "", "site.place")
    site: dict[str, Any] = {"place": place}
    for key in ("noise_limit_dba", "rack_units"):
        value = getattr(answers, key)
        if value is not None:
            site[key] = log.take(9, (f"place.{key}",), value, "dBA" if key == "noise_limit_dba" else "U", f"site.{key}")
    count = answers.circuits or usual.CIRCUITS.get(place, 1 if answers.circuit_amps else 0)
    if count:
        amps = answers.circuit_amps or usual.CIRCUIT_AMPS[answers.region]
        site["circuit"] = [{
            "amps": log.take(9, ("place.circuit_amps",), amps, "A", "site.circuit[1].amps"),
            "count": log.take(9, ("place.circuits",), count, "", "site.circuit[1].count"),
        }]  # fmt: skip
    return site


def _payers(answers: Answers, log: Log) -> dict[str, Any]:
    """Power and hosting as stated; care is both upkeep and set-up."""
    payers = {}
    for asked, categories in (("power", ("energy",)), ("hosting", ("hosting",)), ("care", ("staff", "setup"))):
        for category in categories:
            payer = answers.payers[asked] or usual.PAYER
            payers[category] = log.take(10, (f"payers.{asked}",), payer, "", f"payers.{category}")
    return payers


def _funds(answers: Answers) -> list[dict[str, Any]]:
    """The funds as the scenario's tables, where their uses differ: one equipment fund alone is the budget itself."""
    if not any({"services", "consumables"} & set(fund.pays) for fund in answers.funds):
        return []
    tables = []
    for n, fund in enumerate(answers.funds, 1):
        table: dict[str, Any] = {"id": f"fund-{n}"}
        if fund.name:
            table |= {"name_en": fund.name, "name_zh": fund.name}
        if fund.amount is not None:
            table["amount"] = fund.amount
        table["pays"] = list(fund.pays) or ["equipment"]
        if fund.spend_by:
            table["spend_by"] = fund.spend_by
        tables.append(table)
    return tables


def _campus(answers: Answers, catalog: Catalog, log: Log, problems: list[Problem]) -> list[dict[str, Any]]:
    """The campus cluster as the scenario's service, where there is one and its rate is known."""
    price, wait = answers.campus_price_per_card_hour, answers.campus_wait_hours
    log.take(11, ("campus.available",), "" if answers.campus is None else answers.campus, "", "")
    if answers.campus is False or price is None:
        log.take(11, ("campus.price_per_card_hour",), "" if price is None else price, f"{answers.currency}/h", "")
        log.take(11, ("campus.usual_wait_hours",), "" if wait is None else wait, "h", "")
        return []
    card = card_of(answers.campus_card or usual.CAMPUS_CARD, "campus.card", answers, catalog, problems)
    place = "service[1]"
    service: dict[str, Any] = {"id": "campus", "name_en": "Campus cluster", "name_zh": "校级计算平台", "kind": "campus"}
    service["card"] = log.take(11, ("campus.card",), card.id if card else "", "", f"{place}.card")
    unit = f"{answers.currency}/h"
    service["price_per_card_hour"] = log.take(11, ("campus.price_per_card_hour",), price, unit,
                                              f"{place}.price_per_card_hour")  # fmt: skip
    log.take(11, ("campus.usual_wait_hours",), "" if wait is None else wait, "h",
             "" if wait is None else f"{place}.wait_hours")  # fmt: skip
    if wait is not None:
        service["wait_hours"] = wait
    return [service]


# --- hours, waiting ---


def reference_build(scenario: Scenario, catalog: Catalog) -> Build:
    """One card of the first owned machine, else of the reference: where a run is timed for the busy hours."""
    machine = scenario.owned[0] if scenario.owned else None
    card = catalog.cards[machine.card_id if machine else usual.REFERENCE_CARD]
    chassis = catalog.chassis[machine.chassis_id if machine else usual.REFERENCE_CHASSIS]
    storage = catalog.storage[machine.storage_id if machine else usual.REFERENCE_STORAGE]
    psu = next(iter(catalog.psus.values()))  # no time depends on it
    return Build("reference", card, 1, chassis, psu, 1, storage, None, card.pcie_lanes, (), 0.0, 0.0, 0.0, 0.0, False)


def _timed(scenario: Scenario, jobs: list[Job], catalog: Catalog) -> tuple[str, list[Job]]:
    """The jobs with the hours of one run on the reference card, and that card's name."""
    build = reference_build(scenario, catalog)
    timed = []
    for job, workload in zip(jobs, scenario.workloads, strict=True):
        way = evaluate(scenario, workload, build, 1)
        timed.append(dataclasses.replace(job, hours_per_run=way.hours_per_run, evidence=way.evidence,
                                         name=workload.name, name_zh=workload.name_zh,
                                         batch=workload.batch, memory_mib=way.memory_mib))  # fmt: skip
    return build.card.name, timed


def _stores(scenario: Scenario, jobs: list[Job], catalog: Catalog) -> tuple[Store, ...]:
    """Room and reading speed of each job that has a data set of its own on disk."""
    build = reference_build(scenario, catalog)
    found = []
    for job, workload in zip(jobs, scenario.workloads, strict=True):
        if workload.dataset_bytes > 0:
            need, readers = storage_need(workload, build.card, build.chassis), max(1, job.at_once)
            found.append(Store(job, readers, need, tiers_that_suffice(need, catalog.storage.values(), readers)))
    return tuple(found)


def _waits(groups: list[Group], jobs: list[Job], answers: Answers) -> tuple[tuple[int, Wait, Wait], ...]:
    """Waiting in a busy week by the number of cards, up to the number on which nobody waits."""
    people = sum(group.people for group in groups)
    busy = sum(job.busy_card_hours for job in jobs)
    long = sum(job.busy_card_hours * job.hours_per_run for job in jobs) / busy if busy else 0.0
    session = max(answers.rules.session_hours, long)

    def wait(places: int) -> Wait:
        return demand.waiting(people, places, session, answers.rules)

    shown = range(1, min(people, MOST_CARDS_SHOWN) + 1)
    return tuple((cards, wait(cards), wait(demand.people_served(cards, groups))) for cards in shown)


# --- what is kept, and what is only noted ---


def _notes(answers: Answers, jobs: list[Job], hours: Hours, cards: int, scenario: Scenario) -> list[Note]:
    notes = []
    if scenario.funds and not any("services" in fund.pays for fund in scenario.funds):
        notes.append(Note("services"))
    equipment = [fund.amount for fund in answers.funds if not fund.pays or "equipment" in fund.pays]
    total = sum(amount or 0.0 for amount in equipment)
    if answers.budget is not None and equipment and None not in equipment and total < answers.budget:
        notes.append(Note("funds_below", {"funds": total, "budget": answers.budget}))
    if scenario.budget is None:
        notes.append(Note("no_budget"))
    if answers.campus is False:
        notes.append(Note("campus_none"))
    elif answers.campus_price_per_card_hour:
        yearly = hours.busy_card_hours * answers.campus_price_per_card_hour
        notes.append(Note("campus", {"hours": hours.busy_card_hours, "cost": yearly}))
        if answers.campus_wait_hours is None and any(w.max_hours_per_run is not None for w in scenario.workloads):
            notes.append(Note("campus_wait"))
    else:
        notes.append(Note("campus_ask", {"hours": hours.busy_card_hours}))
    people = sum(job.at_once for job in jobs)
    if cards < people:
        notes.append(Note("sharing", {"cards": cards, "people": people}))
    if any(machine.ram_gib for machine in answers.owned):
        notes.append(Note("owned_memory"))
    return notes


def _kept(answers: Answers, log: Log, jobs: list[Job], hours: Hours, reference: str, notes: list[Note]
          ) -> dict[str, Any]:  # fmt: skip
    """The `[answers]` table: what was given, what follows from it, the rules, and the three figures of hours."""
    return {
        "schema": ANSWERS_SCHEMA,
        "noted": [note.code for note in notes],
        "hours": {**dataclasses.asdict(hours), "reference_card": reference, "kind": "estimate"},
        "given": plain_copy(answers.given),
        "derived": [item.record() for item in log.items],
        "assumption": [
            {"name": f.name, "value": getattr(answers.rules, f.name), "unit": demand.rule_unit(f.name),
             "origin": answers.origin(f"assumption.{f.name}"), "kind": "estimate"}
            for f in fields(answers.rules)
        ],
        "job": [job.record() for job in jobs],
    }  # fmt: skip


def plain_copy(value: Any) -> Any:
    """A copy in plain dicts and lists, as a TOML reader would give it."""
    if isinstance(value, Mapping):
        return {str(key): plain_copy(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain_copy(item) for item in value]
    return value


def comment_keys(started: Started) -> dict[str, list[Any]]:
    """The items by the dotted key of the scenario that they became, for comments in its file."""
    found: dict[str, list[Any]] = {}
    for item in started.items:
        if item.becomes:
            found.setdefault(item.becomes, []).append(item)
    return found
