"""A budget, or a repair of a conflict, as changes of the scenario's document, so that one press applies it.

Where a repair leaves a choice that only people can make, `by_hand` says what to edit, and on which page.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from hwcost.errors import InputError
from hwcost.explain import Conflict, Pair, Repair
from hwcost.funds import EQUIPMENT, USE_OF
from hwcost.money_rules import paid_elsewhere
from hwcost.names import workload_name
from hwcost.records import Catalog
from hwcost.repair_words import pair_text, repair_text
from hwcost.scenario import Scenario
from hwcost.scenario_io import scenario_from_dict
from hwcost.web import smaller_tiles
from hwcost.web.documents import Document, get, put
from hwcost.web.words import word

NO_NOISE_LIMIT = 119.0  # dBA; louder than any machine of the catalog
MOST_SHARERS = 2
# by rule: the key of the figure that is taken away, or what it becomes
GIVEN_UP: dict[str, tuple[str, Any]] = {
    "rack_units_total": ("site.rack_units", None), "data_stay": ("site.data_stays", "anywhere"),
    "noise": ("site.noise_limit_dba", NO_NOISE_LIMIT), "upgrades": ("purchase.upgrades", True),
    "stock": ("purchase.stock", None), "min_order": ("purchase.min_order", None),
}  # fmt: skip
# by rule: the key of the figure that becomes the repair's
SIZED = {"running_budget": "budget.running_per_year", "staff_hours": "staff.hours_limit_per_year"}
OF_JOB: dict[str, tuple[str, Any]] = {
    "demand": ("must", False), "ecc": ("ecc", False), "amp": ("precision", "amp16"),
    "accumulation": ("accumulation", True), "checkpointing": ("checkpointing", True),
    "share": ("sharers", MOST_SHARERS),
}  # fmt: skip


def budget_changes(document: Mapping[str, Any], amount: float | None, gross: bool) -> dict[str, Any]:
    """The figures for another budget: of the fund that pays equipment where there is just one, and of the budget."""
    funds = [row for row in get(document, "fund", []) if isinstance(row, Mapping)]
    paying = [n for n, row in enumerate(funds, 1) if "equipment" in row.get("pays", ["equipment"])]
    fields: dict[str, Any] = {}
    if len(paying) == 1 and "amount" in funds[paying[0] - 1] and "per_year" not in funds[paying[0] - 1]:
        fields[f"fund[{paying[0]}].amount"] = amount
        if "amount" not in get(document, "budget", {}):
            return fields
    years = get(document, "budget.per_year")
    if years and (amount is None or not math.fsum(years)):
        fields["budget.per_year"] = None
    elif years and amount is not None:  # in the proportions that are stated
        parts = [round(amount * year / math.fsum(years), 2) for year in years[1:]]
        fields["budget.per_year"] = [round(amount - math.fsum(parts), 2), *parts]
    if amount is None:
        return {**fields, "budget.amount": None, "budget.tax_included": None}
    return {**fields, "budget.amount": amount, "budget.tax_included": gross}


def changes(repair: Repair, scenario: Scenario, document: Document, catalog: Catalog | None = None) -> dict[str, Any]:
    """The figures that the repair asks for, by their keys; empty where a document cannot say it."""
    number = next((n for n, w in enumerate(scenario.workloads, 1) if w.id == repair.subject), None)
    if repair.rule == "budget":
        return _budget(float(math.ceil(repair.to_value)), scenario, document)
    if repair.rule in SIZED:
        return {SIZED[repair.rule]: repair.to_value}
    if repair.rule in OF_MONEY:
        return OF_MONEY[repair.rule](repair, scenario, document)
    if repair.rule == "tiles" and catalog is not None:
        return smaller_tiles.changes(repair.subject, int(repair.to_value), scenario, document, catalog)
    if repair.rule == "nvme" and catalog is not None:
        disks = {s.id for s in catalog.storage.values() if s.tier == "nvme" and s.local}
        return {"storage.ids": sorted({*scenario.storage_ids, *disks})}
    if repair.rule == "people_at_once":
        return _people(int(repair.to_value), scenario)
    if repair.rule == "circuit":
        return _circuit(repair.from_value, repair.to_value, document)
    if repair.rule == "max_nodes":
        return {"capacity.max_nodes": int(repair.to_value)}
    if repair.rule == "distinct_builds":
        return {"capacity.max_distinct_builds": len(scenario.workloads) + scenario.max_distinct_builds}
    if repair.rule in GIVEN_UP:
        key, value = GIVEN_UP[repair.rule]
        return {key: value}
    if number is not None and repair.rule == "deadline":
        return {f"workload[{number}].max_hours_per_run": repair.to_value}
    if number is not None and repair.rule in OF_JOB:
        key, value = OF_JOB[repair.rule]
        return {f"workload[{number}].{key}": value}
    return {}


def pair_changes(pair: Pair, scenario: Scenario, document: Document, catalog: Catalog | None = None) -> dict[str, Any]:
    """Both changes, the second on top of the first; empty where a document cannot say one of them."""
    first = changes(pair.first, scenario, document, catalog)
    if not first:
        return {}
    between = put(document, first)
    if catalog is not None:
        try:
            scenario = scenario_from_dict(between, catalog, scenario.id)
        except InputError:  # only both together can be read
            between = document
    second = changes(pair.second, scenario, between, catalog)
    return {**first, **second} if second else {}


@dataclass(frozen=True)
class Offer:
    """One repair, or a pair: its sentence, and the figures that a press puts in or what to do instead of it."""

    text: str
    changes: dict[str, Any]
    by_hand: str  # "" where a press does it


def offers(conflict: Conflict, scenario: Scenario, document: Document, catalog: Catalog, lang: str) -> list[Offer]:
    """Everything that would repair the conflict, in its order."""
    found = [
        Offer(repair_text(r, scenario, lang), changes(r, scenario, document, catalog),
              by_hand(r, scenario, document, catalog, lang))
        for r in conflict.repairs
    ]  # fmt: skip
    return found + [
        Offer(pair_text(p, scenario, lang), pair_changes(p, scenario, document, catalog),
              by_hand(p, scenario, document, catalog, lang))
        for p in conflict.pairs
    ]  # fmt: skip


def by_hand(repair: Repair | Pair, scenario: Scenario, document: Document, catalog: Catalog, lang: str) -> str:
    """What to edit on which page where no press can do it; "" where one can."""
    if isinstance(repair, Pair):
        if pair_changes(repair, scenario, document, catalog):
            return ""
        found = (by_hand(one, scenario, document, catalog, lang) for one in (repair.first, repair.second))
        return next((text for text in found if text), word("by_hand.one_by_one", lang))
    if changes(repair, scenario, document, catalog):
        return ""
    if repair.rule == "budget":
        return word("by_hand.budget", lang)
    if repair.rule == "tiles":
        job = next((w for w in scenario.workloads if w.id == repair.subject), None)
        name = workload_name(job, lang) if job else repair.subject
        return word("by_hand.tiles", lang, workload=name, side=int(repair.to_value))
    return word("by_hand.file", lang)


def _budget(needed: float, scenario: Scenario, document: Document) -> dict[str, Any]:
    """Equipment money in all. Which of several funds pays the rest, or what it pays besides, is for people to say."""
    paying = [f for f in scenario.funds if EQUIPMENT in f.pays]
    if not paying:
        found = budget_changes(document, needed, scenario.budget_tax_included)
        return {**found, "budget.per_year": None} if "budget.per_year" in found else found
    n = _place(document, "fund", paying[0].id)
    alike = paying[0].tax_included == scenario.budget_tax_included  # both count gross prices, or both net ones
    if len(paying) > 1 or paying[0].pays != (EQUIPMENT,) or paying[0].depreciation_only or n is None or not alike:
        return {}
    fields: dict[str, Any] = {f"fund[{n}].amount": needed, f"fund[{n}].per_year": None}
    stated = get(document, "budget", {})
    if "per_year" in stated:
        fields["budget.per_year"] = None
    if {"amount", "per_year"} & set(stated):
        fields["budget.amount"] = needed
    return fields


def _people(total: int, scenario: Scenario) -> dict[str, Any]:
    """Fewer people at once on the musts, taken one by one from the job that has most of them."""
    at_once = {n: w.people_at_once for n, w in enumerate(scenario.workloads, 1) if w.must}
    before = dict(at_once)
    while sum(at_once.values()) > total:
        largest = max(at_once, key=lambda n: (at_once[n], -n))
        at_once[largest] -= 1
    return {f"workload[{n}].people_at_once": people for n, people in at_once.items() if people != before[n]}


def _circuit(before: float, after: float, document: Document) -> dict[str, Any]:
    """The largest circuits with the larger rating."""
    found = get(document, "site.circuit", [])
    rated = [n for n, circuit in enumerate(found, 1) if abs(float(circuit.get("amps", 0)) - before) < 1e-6]
    return {f"site.circuit[{n}].amps": after for n in rated}


# --- funds and services ---


def _place(document: Document, table: str, identity: str) -> int | None:
    """The number of the row of this id, from 1."""
    rows = get(document, table, [])
    return next((n for n, row in enumerate(rows, 1) if str(row.get("id")) == identity), None)


def _fund(repair: Repair, scenario: Scenario, document: Document) -> dict[str, Any]:
    """Another sum of a fund; the years in which it arrives are for people to say again."""
    n = _place(document, "fund", repair.subject)
    return {} if n is None else {f"fund[{n}].amount": repair.to_value, f"fund[{n}].per_year": None}


def _pays(repair: Repair, scenario: Scenario, document: Document) -> dict[str, Any]:
    """A fund that may pay for more."""
    identity, _, uses = repair.subject.rpartition(":")
    n = _place(document, "fund", identity)
    fund = next((f for f in scenario.funds if f.id == identity), None)
    if n is None or fund is None:
        return {}
    return {f"fund[{n}].pays": list(dict.fromkeys((*fund.pays, *uses.split("+"))))}


def _university(repair: Repair, scenario: Scenario, document: Document) -> dict[str, Any]:
    """The university pays what the lab would."""
    before = scenario.payers
    after = paid_elsewhere(scenario, repair.subject, USE_OF).payers
    return {f"payers.{category}": payer for category, payer in after.items() if before.get(category) != payer}


def _spend_by(repair: Repair, scenario: Scenario, document: Document) -> dict[str, Any]:
    """Every last day that is earlier becomes the later one."""
    day = scenario.as_of + timedelta(days=repair.to_value)
    fields: dict[str, Any] = {}
    if scenario.spend_by is not None and scenario.spend_by < day and get(document, "budget.spend_by"):
        fields["budget.spend_by"] = day
    for fund in scenario.funds:
        n = _place(document, "fund", fund.id)
        if n is not None and fund.spend_by is not None and fund.spend_by < day:
            fields[f"fund[{n}].spend_by"] = day
    return fields


def _at_the_start(repair: Repair, scenario: Scenario, document: Document) -> dict[str, Any]:
    """All equipment money in the first year."""
    years = get(document, "budget.per_year")
    return {"budget.per_year": None, "budget.amount": math.fsum(years)} if years else {}


def _quota(repair: Repair, scenario: Scenario, document: Document) -> dict[str, Any]:
    n = _place(document, "service", repair.subject)
    return {} if n is None else {f"service[{n}].quota_card_hours_per_year": repair.to_value}


OF_MONEY: dict[str, Callable[[Repair, Scenario, Document], dict[str, Any]]] = {
    "fund": _fund, "fund_pays": _pays, "fund_use": _university, "spend_by": _spend_by,
    "equipment_year": _at_the_start, "service_quota": _quota,
}  # fmt: skip
