"""A budget, or a repair of a conflict, as changes of the scenario's document, so that one press applies it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from hwcost.explain import Pair, Repair
from hwcost.scenario import Scenario
from hwcost.web.documents import Document, get

NO_NOISE_LIMIT = 119.0  # dBA; louder than any machine of the catalog
MOST_SHARERS = 2
# by rule: the key of the figure that is taken away, or what it becomes
GIVEN_UP: dict[str, tuple[str, Any]] = {
    "running_budget": ("budget.running_per_year", None), "staff_hours": ("staff.hours_limit_per_year", None),
    "rack_units_total": ("site.rack_units", None), "data_stay": ("site.data_stays", "anywhere"),
    "noise": ("site.noise_limit_dba", NO_NOISE_LIMIT), "upgrades": ("purchase.upgrades", True),
}  # fmt: skip
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
    if amount is None:
        return {**fields, "budget.amount": None, "budget.tax_included": None}
    return {**fields, "budget.amount": amount, "budget.tax_included": gross}


def changes(repair: Repair, scenario: Scenario, document: Document) -> dict[str, Any]:
    """The figures that the repair asks for, by their keys; empty where a document cannot say it."""
    number = next((n for n, w in enumerate(scenario.workloads, 1) if w.id == repair.subject), None)
    if repair.rule == "budget":
        return budget_changes(document, float(math.ceil(repair.to_value)), scenario.budget_tax_included)
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


def pair_changes(pair: Pair, scenario: Scenario, document: Document) -> dict[str, Any]:
    """Both changes; empty where a document cannot say one of them."""
    first, second = (changes(repair, scenario, document) for repair in (pair.first, pair.second))
    return {**first, **second} if first and second else {}


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
