"""A repair of a conflict as changes of the scenario's document, so that one press applies it."""

from __future__ import annotations

import math
from typing import Any

from hwcost.explain import Repair
from hwcost.scenario import Scenario
from hwcost.web.documents import Document, get

NO_NOISE_LIMIT = 119.0  # dBA; louder than any machine of the catalog


def changes(repair: Repair, scenario: Scenario, document: Document) -> dict[str, Any]:
    """The figures that the repair asks for, by their keys; empty where a document cannot say it."""
    subject = next((n for n, w in enumerate(scenario.workloads, 1) if w.id == repair.subject), None)
    at = f"workload[{subject}]" if subject else ""
    if repair.rule == "budget":
        return {"budget.amount": float(math.ceil(repair.to_value))}
    if repair.rule == "people_at_once":
        return _people(int(repair.to_value), scenario)
    if repair.rule == "circuit":
        return _circuit(repair.from_value, repair.to_value, scenario, document)
    if repair.rule == "max_nodes":
        return {"capacity.max_nodes": int(repair.to_value)}
    if repair.rule == "distinct_builds":
        return {"capacity.max_distinct_builds": len(scenario.workloads) + scenario.max_distinct_builds}
    if repair.rule == "noise":
        return {"site.noise_limit_dba": NO_NOISE_LIMIT}
    of_job: dict[str, dict[str, Any]] = {"demand": {"must": False}, "ecc": {"ecc": False},
                                         "deadline": {"max_hours_per_run": repair.to_value}}  # fmt: skip
    return {f"{at}.{key}": value for key, value in of_job.get(repair.rule, {}).items()} if at else {}


def _people(total: int, scenario: Scenario) -> dict[str, Any]:
    """Fewer people at once on the musts, taken one by one from the job that has most of them."""
    at_once = {n: w.people_at_once for n, w in enumerate(scenario.workloads, 1) if w.must}
    before = dict(at_once)
    while sum(at_once.values()) > total:
        largest = max(at_once, key=lambda n: (at_once[n], -n))
        at_once[largest] -= 1
    return {f"workload[{n}].people_at_once": people for n, people in at_once.items() if people != before[n]}


def _circuit(before: float, after: float, scenario: Scenario, document: Document) -> dict[str, Any]:
    """The largest circuits with the larger rating."""
    found = get(document, "site.circuit", [])
    rated = [n for n, circuit in enumerate(found, 1) if abs(float(circuit.get("amps", 0)) - before) < 1e-6]
    return {f"site.circuit[{n}].amps": after for n in rated}
