"""Each fault of a scenario file is named with its key, in both languages, and all are listed together."""

from __future__ import annotations

import copy
import math
from datetime import date
from typing import Any

import pytest
from scenario_kit import document, problems, said

from hwcost.errors import Problem
from hwcost.problems import where_text

FAULTS: dict[str, tuple[dict[str, Any], str, str]] = {
    "text for a number": ({"budget__amount": "25"}, "budget.amount", "scenario_not_number"),
    "flag for a number": ({"budget__amount": True}, "budget.amount", "scenario_not_number"),
    "not a number": ({"budget__amount": math.nan}, "budget.amount", "scenario_not_finite"),
    "infinite": ({"money__tax_rate": math.inf}, "money.tax_rate", "scenario_not_finite"),
    "a number beyond all floats": ({"budget__amount": 10**400}, "budget.amount", "scenario_out_of_range"),
    "negative budget": ({"budget__amount": -1}, "budget.amount", "scenario_out_of_range"),
    "zero budget, nothing owned": ({"budget__amount": 0}, "budget.amount", "scenario_out_of_range"),
    "budget table without amount": ({"budget__tax_included": True}, "budget.amount", "scenario_missing_key"),
    "tax of 13 instead of 0.13": ({"money__tax_rate": 13}, "money.tax_rate", "scenario_out_of_range"),
    "pue below 1": ({"power__pue": 0.9}, "power.pue", "scenario_out_of_range"),
    "unknown pue row": ({"power__pue": "pue-small-rom"}, "power.pue", "scenario_unknown_word"),
    "unknown region": ({"region": "UK"}, "region", "scenario_unknown_word"),
    "unknown currency": ({"currency": "RMB"}, "currency", "scenario_unknown_word"),
    "unknown preset": ({"workload__preset": "hybridsn"}, "workload[1].preset", "scenario_unknown_word"),
    "unknown precision": ({"workload__precision": "fp64"}, "workload[1].precision", "scenario_unknown_word"),
    "unknown card": ({"choice__include_cards": ["a5500"]}, "choice.include_cards", "scenario_unknown_word"),
    "unknown status": ({"choice__allowed_statuses": ["sale"]}, "choice.allowed_statuses", "scenario_unknown_word"),
    "no status": ({"choice__allowed_statuses": []}, "choice.allowed_statuses", "scenario_not_list"),
    "unknown payer": ({"payers__staff": "me"}, "payers.staff", "scenario_unknown_word"),
    "unknown schema": ({"schema": "hwcost.scenario/2"}, "schema", "scenario_unknown_word"),
    "unknown key": ({"budget__amout": 1, "budget__amount": 1}, "budget.amout", "scenario_unknown_key"),
    "horizon 0": ({"horizon_years": 0}, "horizon_years", "scenario_out_of_range"),
    "horizon 11": ({"horizon_years": 11}, "horizon_years", "scenario_out_of_range"),
    "horizon 2.5": ({"horizon_years": 2.5}, "horizon_years", "scenario_not_whole"),
    "date as text": ({"as_of": "2026-11-30"}, "as_of", "scenario_not_date"),
    "spend-by in the past": (
        {"budget__amount": 1, "budget__spend_by": date(2026, 1, 1)}, "budget.spend_by", "scenario_spend_by_past"),
    "flag as text": ({"workload__ecc": "yes"}, "workload[1].ecc", "scenario_not_flag"),
    "table as number": ({"money": 3}, "money", "scenario_not_table"),
    "tables as table": ({"owned": {"id": "x"}}, "owned", "scenario_not_tables"),
    "number as name": ({"name_en": 5}, "name_en", "scenario_not_text"),
    "cards per node not a list": ({"capacity__cards_per_node": 4}, "capacity.cards_per_node", "scenario_not_list"),
    "half a card": ({"capacity__cards_per_node": [0.5]}, "capacity.cards_per_node", "scenario_not_whole"),
    "no runs": ({"workload__runs_per_year": 0}, "workload[1].runs_per_year", "scenario_out_of_range"),
    # within the solver's tolerance of nothing: such a must would be left out of a plan called proven
    "priority of a millionth": ({"workload__priority": 1e-6}, "workload[1].priority", "scenario_out_of_range"),
    # coefficients that the solver refuses
    "tariff of 1e15": ({"power__tariff_per_kwh": 1e15}, "power.tariff_per_kwh", "scenario_out_of_range"),
    "hosting of 1e15": ({"power__hosting_per_node_year": 1e15}, "power.hosting_per_node_year", "scenario_out_of_range"),
    "1e15 machines": ({"capacity__max_nodes": 1e15}, "capacity.max_nodes", "scenario_out_of_range"),
    "1e-300 hours": ({"capacity__available_hours_per_card_year": 1e-300}, "capacity.available_hours_per_card_year",
                     "scenario_out_of_range"),
    # two of them would be one workload to the plan, and the work of one would be lost
    "workload without a name": ({"workload__id": " "}, "workload[1].id", "scenario_missing_key"),
    "a trillion circuits": ({"site__circuit": [{"amps": 16, "count": 10**12}]}, "site.circuit[1].count",
                            "scenario_out_of_range"),
    "circuit without amps": ({"site__circuit": [{"volts": 220}]}, "site.circuit[1].amps", "scenario_missing_key"),
    "owned card unknown": (
        {"owned": [{"id": "b", "card": "x", "chassis": "x", "psu": "x", "storage": "x"}]}, "owned[1].card",
        "scenario_unknown_word"),
    "steps in two ways": ({"workload__steps_per_run": 5}, "workload[1].steps_per_run", "scenario_two_ways"),
    "samples in two ways": (
        {"workload__train_samples": 5, "workload__train_share": 0.1}, "workload[1].train_share", "scenario_two_ways"),
    "largest above all": (
        {"workload__largest_saved_mib_per_sample": 3}, "workload[1].largest_saved_mib_per_sample",
        "scenario_largest_above_saved"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_is_named_with_its_key_in_both_languages(name: str) -> None:
    changes, column, code = FAULTS[name]
    found = next(p for p in problems(document(**copy.deepcopy(changes))) if p.code == code)
    assert (found.file, found.column) == ("lab.toml", column)
    for sentence in said(found).values():
        assert "lab.toml" in sentence and column in sentence and "{" not in sentence.replace("{id}", "")


def test_all_faults_are_listed_together() -> None:
    data = document(budgt=1, horizon_years=11, region="CNN", workload__batch="8", workload__people_at_onc=3)
    assert {(p.column, p.code) for p in problems(data)} == {
        ("budgt", "scenario_unknown_key"), ("horizon_years", "scenario_out_of_range"),
        ("region", "scenario_unknown_word"), ("workload[1].batch", "scenario_not_number"),
        ("workload[1].people_at_onc", "scenario_unknown_key"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "nearest"),
    [
        ({"workload__preset": "hybridsn-pi"}, "hybridsn-ip"),
        ({"region": "CNN"}, "CN"),
        ({"budgt": 1}, "budget"),
        ({"currency": "cny"}, "CNY"),
    ],
)
def test_a_slip_of_the_pen_is_answered_with_the_nearest_match(changes: dict[str, Any], nearest: str) -> None:
    found = problems(document(**changes))[0]
    assert found.values["nearest"] == nearest
    assert all(nearest in sentence for sentence in said(found).values())


def test_an_unknown_preset_is_one_fault_not_nine() -> None:
    found = problems(document(workload__preset="hybridsn"))
    assert [(p.column, p.code) for p in found] == [("workload[1].preset", "scenario_unknown_word")]


def test_no_workloads_and_duplicate_ids_are_refused() -> None:
    data = document()
    twice = {**data, "workload": data["workload"] * 2}
    assert [(p.column, p.code) for p in problems(twice)] == [("workload[2].id", "scenario_duplicate_id")]
    assert [p.code for p in problems({**data, "workload": []})] == ["scenario_no_workloads"]


def test_a_run_of_unknown_length_is_refused() -> None:
    data = document()
    del data["workload"][0]["epochs"]
    assert [p.code for p in problems(data)] == ["scenario_no_steps"]


def test_a_key_of_a_scenario_file_is_called_a_key_and_a_cell_of_a_table_a_column() -> None:
    key = Problem("scenario_not_number", file="lab.toml", column="budget.amount", value="x")
    assert where_text(key, "en") == "lab.toml, key budget.amount"
    assert "键“budget.amount”" in where_text(key, "zh")
    cell = Problem("not_a_number", file="cards.csv", row=3, column="tdp_w", value="x")
    assert where_text(cell, "en") == "cards.csv, row 3, column tdp_w"
