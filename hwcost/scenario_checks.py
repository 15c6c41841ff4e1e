"""Ranges of a scenario's figures, and the checks of `scenario_io.with_changes` on fields that are replaced."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping
from datetime import date, datetime
from typing import Any

from hwcost.errors import Problem
from hwcost.records import REGIONS, STATUSES
from hwcost.scenario import OBJECTIVES, PAYERS, PLACES, Scenario
from hwcost.scenario_workloads import WORKLOAD_LIMITS
from hwcost.strict import (
    ANY_AMOUNT,
    COUNT,
    SHARE_BELOW_ONE,
    Limit,
    nearest_values,
    number_fault,
    shown,
    word_fault,
)
from hwcost.workload import OPTIMIZERS, PRECISIONS, Workload

# No lab's figure lies beyond such bounds, and products of such figures leave what a solver can work with: it refuses
# coefficients from 1e15 on, and a weight that is a millionth of another one is lost in its tolerance.
MONEY = Limit(high=1e10)
SHARE_OF_PRICE = Limit(high=2.0)  # overhead may exceed half of what is charged, never three times it

# Physical ranges, by the field of `Scenario`. The same table serves the file and later changes.
LIMITS: dict[str, Limit] = {
    "horizon_years": Limit(low=1, high=10, whole=True),
    "budget": MONEY,  # 0, "buy nothing", makes sense only beside owned machines
    "tax_rate": SHARE_BELOW_ONE,
    "discount_rate": SHARE_BELOW_ONE,
    "residual_share": SHARE_BELOW_ONE,
    "freight_rate": SHARE_BELOW_ONE,
    "installation_per_node": MONEY,
    "maintenance_rate": SHARE_BELOW_ONE,
    "failure_rate": SHARE_BELOW_ONE,
    "warranty_years": Limit(high=10.0),
    "noise_limit_dba": Limit(high=120.0, low_open=True),
    "rack_units": Limit(whole=True),
    "tariff_per_kwh": Limit(high=1000.0, low_open=True),
    "pue": Limit(low=1.0, high=3.0),
    "on_hours_per_year": Limit(high=8784.0, low_open=True),
    "grid_factor_kg_per_kwh": Limit(high=2.0),
    "hosting_per_node_year": MONEY,
    "staff_hours_per_node_year": Limit(high=8928.0),
    "staff_setup_hours_per_node": Limit(high=8784.0),
    "staff_setup_hours_per_upgrade": Limit(high=8784.0),
    "staff_wage_per_hour": Limit(high=1e6),
    "available_hours_per_card_year": Limit(low=1.0, high=8784.0),
    "memory_margin": SHARE_BELOW_ONE,
    "max_nodes": Limit(low=1, high=1000, whole=True),
    "max_distinct_builds": COUNT,
    "storage_needed_tb": ANY_AMOUNT,
    "running_budget_per_year": MONEY,
    "lead_weeks": Limit(high=104.0),
    "staff_hours_limit_per_year": Limit(high=1e6),
    "multi_card_setup_hours": Limit(high=1e4),
}
OPTIONAL = (
    "budget",
    "running_budget_per_year",
    "staff_hours_limit_per_year",
    "staff_setup_hours_per_upgrade",
    "noise_limit_dba",
    "rack_units",
    "grid_factor_kg_per_kwh",
)
DATA_PLACES = ("anywhere", "campus", "lab")
WORDS: dict[str, Collection[str]] = {
    "region": REGIONS, "objective": OBJECTIVES, "place": PLACES, "data_stays": DATA_PLACES,
}  # fmt: skip
DAYS = ("as_of", "spend_by")
FLAGS = ("budget_tax_included", "equipment_carry_over", "upgrades", "retire_owned")
WORKLOAD_WORDS: dict[str, Collection[str]] = {"precision": PRECISIONS, "optimizer": OPTIMIZERS}


def check_changes(scenario: Scenario, fields: Mapping[str, Any]) -> list[Problem]:
    """Every fault of `fields` as new values of `scenario`'s fields."""
    problems: list[Problem] = []
    known = [f.name for f in dataclasses.fields(Scenario)]

    def note(code: str, key: str, value: Any, values: Mapping[str, Any]) -> None:
        problems.append(Problem(code, file=scenario.file, column=key, value=shown(value), values=dict(values)))

    def check(
        key: str, name: str, value: Any, limits: Mapping[str, Limit], words: Mapping[str, Collection[str]]
    ) -> None:
        fault = (
            number_fault(value, limits[name])
            if name in limits
            else (word_fault(value, words[name]) if name in words else None)
        )
        if fault:
            note(fault[0], key, value, fault[1])

    for name, value in fields.items():
        if name not in known:
            note("scenario_unknown_key", name, value, nearest_values(name, known))
        elif value is None and (name in OPTIONAL or name == "spend_by"):
            continue
        elif name in DAYS and (not isinstance(value, date) or isinstance(value, datetime)):
            note("scenario_not_date", name, value, {})
        elif name in FLAGS and not isinstance(value, bool):
            note("scenario_not_flag", name, value, {})
        else:
            check(name, name, value, LIMITS, WORDS)
    workloads = fields.get("workloads", scenario.workloads)
    if not workloads:
        note("scenario_no_workloads", "workloads", "", {})
    for n, workload in enumerate(workloads, 1):
        for name in (*WORKLOAD_LIMITS, *WORKLOAD_WORDS):
            value = getattr(workload, name)
            if value is not None:
                check(f"workload[{n}].{name}", name, value, WORKLOAD_LIMITS, WORKLOAD_WORDS)
    _check_together(scenario, fields, workloads, note)
    return problems


def _check_together(scenario: Scenario, fields: Mapping[str, Any], workloads: tuple[Workload, ...], note: Any) -> None:
    """Rules over several fields: ids, nothing to spend, a day that has passed, unknown payers and statuses."""
    ids = [w.id for w in workloads]
    for n, identity in enumerate(ids, 1):
        if identity in ids[: n - 1]:
            note(
                "scenario_duplicate_id",
                f"workload[{n}].id",
                identity,
                {"first": f"workload[{ids.index(identity) + 1}]"},
            )
    if fields.get("budget") == 0 and not fields.get("owned", scenario.owned):
        note("scenario_out_of_range", "budget", 0, {"expected": "0 < x"})
    spend_by, as_of = fields.get("spend_by", scenario.spend_by), fields.get("as_of", scenario.as_of)
    if isinstance(spend_by, date) and isinstance(as_of, date) and spend_by < as_of:
        note("scenario_spend_by_past", "spend_by", spend_by, {"expected": f">= {as_of}"})
    for category, payer in fields.get("payers", {}).items():
        fault = word_fault(payer, PAYERS)
        if fault:
            note(fault[0], f"payers.{category}", payer, fault[1])
    for count in fields.get("cards_per_node", ()):
        fault = number_fault(count, COUNT)
        if fault:
            note(fault[0], "cards_per_node", count, fault[1])
    for status in fields.get("allowed_statuses", ()):
        fault = word_fault(status, STATUSES)
        if fault:
            note(fault[0], "allowed_statuses", status, fault[1])
