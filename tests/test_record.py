"""The JSON record: schema hwcost.plan/1, figures that add up, every price traced, the same text each time."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
import years_cases
from small_cases import CARD, SCENARIO, WORKLOAD, Small, build, way

from hwcost import explain, options, record
from hwcost.build import Build
from hwcost.engine import solve_case
from hwcost.errors import InputError, Problem
from hwcost.scenario import Assumption, Fund

TOP_KEYS = (
    "schema", "solver", "objective", "inputs", "currency", "horizon_years", "discount_rate", "purchases", "assignments",
    "shortfall", "people_at_once", "cost_lines", "totals", "checks", "not_considered", "assumptions",
)  # fmt: skip
KEYS = {
    "solver": {"name", "version", "status", "gap", "seconds"},
    "inputs": {"scenario_sha256", "catalog_sha256", "stale"},
    "totals": {"capex", "opex", "residual", "nominal", "present_value"},
}
ROW_KEYS = {
    "purchases": {"build", "card", "cards_per_node", "chassis", "psu", "psu_count", "nodes", "year", "unit_price"},
    "assignments": {
        "workload", "year", "strategy", "build", "cards_per_job", "micro_batch", "accumulation_steps", "memory_gib",
        "hours_per_run", "runs", "card_hours", "bound", "evidence",
    },
    "cost_lines": {
        "year", "category", "item", "quantity", "unit", "unit_price", "amount", "present_value", "payer",
    },
    "checks": {"rule", "limit", "value", "unit", "ok"},
    "assumptions": {"key", "value", "unit", "source", "kind"},
    "prices": {"item", "unit_price_net", "amount", "currency", "kind", "as_of", "source", "layer", "stale"},
}  # fmt: skip


def decision(**changes: Any) -> Small:
    """One job of 100 runs x 10 h a year for two people; machines with one or two cards."""
    workload = replace(WORKLOAD, people_at_once=2)
    assumption = Assumption("tariff_per_kwh", 0.6, "CNY/kWh", "scenario", "estimate")
    scenario = replace(
        SCENARIO, workloads=(workload,), assumptions=(assumption,), residual_share=0.1, discount_rate=0.05, **changes
    )
    builds = (build("one", CARD, 1, 10_000.0, 5_000.0), build("two", CARD, 2, 10_000.0, 7_000.0))
    return Small(scenario, builds, (way("w", "one", 10.0), way("w", "two", 10.0)))


def recorded(small: Small, objective: str = "cost") -> dict[str, Any]:
    return record.plan_record(solve_case(small.case(), objective))


def test_the_schema_is_complete() -> None:
    found = recorded(decision(budget=100_000.0))
    assert found["schema"] == "hwcost.plan/1"
    assert set(TOP_KEYS) <= set(found)
    for name, keys in KEYS.items():
        assert keys <= set(found[name])
    for name, keys in ROW_KEYS.items():
        assert found[name]
        assert all(keys <= set(row) for row in found[name])


def test_the_purchase_is_the_cheaper_of_the_two_by_hand() -> None:
    """Two people: two machines of one card (2 x 15,000 net) or one of two (27,000 net); 13 % tax on top."""
    found = recorded(decision())
    (bought,) = found["purchases"]
    assert (bought["build"], bought["nodes"], bought["year"]) == ("two", 1, 0)
    assert bought["unit_price"] == pytest.approx(27_000 * 1.13)
    assert found["people_at_once"] == 2
    assert found["totals"]["capex"] == pytest.approx(27_000 * 1.13)
    assert found["totals"]["residual"] == pytest.approx(-0.1 * 27_000)


def test_lines_add_up_to_the_totals() -> None:
    found = recorded(decision())
    lines, totals = found["cost_lines"], found["totals"]
    assert sum(x["amount"] for x in lines) == pytest.approx(totals["nominal"], rel=1e-9)
    assert sum(x["present_value"] for x in lines) == pytest.approx(totals["present_value"], rel=1e-9)
    assert totals["capex"] + totals["opex"] + totals["residual"] == pytest.approx(totals["nominal"], rel=1e-9)
    assert sum(totals["by_payer"].values()) == pytest.approx(totals["nominal"], rel=1e-9)
    assert all(x["amount"] == pytest.approx(x["quantity"] * x["unit_price"]) for x in lines)
    assert any(x["category"] == "residual" and x["amount"] < 0 for x in lines)


def test_card_hours_are_cards_times_hours_times_runs() -> None:
    for row in recorded(decision())["assignments"]:
        assert row["card_hours"] == pytest.approx(row["cards_per_job"] * row["hours_per_run"] * row["runs"])
        assert row["memory_gib"] == pytest.approx(8000.0 / 1024.0)
        assert row["evidence"] in ("measured", "transferred", "estimated")


def test_an_owned_machine_is_kept_not_bought() -> None:
    small = decision()
    owned = replace(small.builds[1], id="mine", parts=(), owned_count=1)
    found = recorded(replace(small, builds=(*small.builds, owned), ways=(*small.ways, way("w", "mine", 10.0))))
    assert found["purchases"] == []
    assert [(k["build"], k["unit_price"]) for k in found["kept"]] == [("mine", 0.0)]
    assert found["totals"]["capex"] == 0.0


def test_services_funds_and_years_stand_in_the_record() -> None:
    funds = (Fund("eq", "E", "设备费", 12_000.0), Fund("run", "R", "运行费", 900.0, ("services",), overhead_rate=0.5))
    case = years_cases.decision(
        (years_cases.ONE, years_cases.HPC), years_cases.WITH_HPC, years_cases.job(10.0, 1), funds=funds,
        payers=years_cases.UNIVERSITY,
    )  # fmt: skip
    found = recorded(case)  # a card for the person; its 100 hours cost the lab nothing there
    (bought,) = found["purchases"]
    assert (bought["upgrade_of"], bought["machines_per_unit"], bought["nodes_by_year"]) == (None, 1, [1, 1])
    assert found["services"] == []
    assert [(f["fund"], f["charged_by_year"]) for f in found["funds"]] == [("eq", [10_000.0, 0.0]), ("run", [0.0, 0.0])]
    assert {x["fund"] for x in found["cost_lines"] if x["payer"] == "lab"} == {"eq"}
    hired = recorded(replace(case, builds=case.builds[1:], ways=case.ways[1:]).with_scenario(
        workloads=(years_cases.job(10.0, 0),)))  # fmt: skip
    assert [(u["service"], u["kind"], u["card_hours"], u["amount"]) for u in hired["services"]] == [
        ("hpc", "campus", pytest.approx(100.0), pytest.approx(200.0))
    ] * 2  # fmt: skip
    assert hired["funds"][1]["charged_by_year"] == [pytest.approx(300.0)] * 2  # half as much again
    assert [x["build"] for x in hired["cost_lines"] if x["category"] == "overhead"] == [None, None]
    assert hired["people_by_year"] == [{"w": 0}, {"w": 0}]


def test_without_a_plan_unknown_figures_are_null() -> None:
    case = decision(budget=1_000.0).case()
    plan = solve_case(case, "cost")
    found = record.plan_record(plan, explain.conflict(case))
    assert found["solver"]["status"] == "infeasible"
    assert found["purchases"] == found["assignments"] == found["cost_lines"] == found["checks"] == []
    assert found["people_at_once"] is None
    assert all(found["totals"][name] is None for name in KEYS["totals"])
    assert found["conflict"]["rules"]
    assert all({"rule", "from", "to", "present_value"} <= set(r) for r in found["conflict"]["repairs"])


def test_stale_prices_are_listed_with_their_age_and_whether_they_are_paid() -> None:
    small = decision()

    def aged(node: Build, day: date) -> Build:
        parts = tuple(
            replace(p, price=replace(p.price, as_of=day), stale=True) if p.role == "card" else p for p in node.parts
        )
        return replace(node, parts=parts)

    day = date(2026, 1, 5)
    builds = tuple(aged(b, day) for b in small.builds)
    found = recorded(replace(small, builds=builds))
    (row,) = found["inputs"]["stale"]
    assert (row["item"], row["bought"], row["as_of"]) == (CARD.id, True, "2026-01-05")
    assert row["age_days"] == (date(2026, 11, 1) - day).days
    assert recorded(small)["inputs"]["stale"] == []
    assert [p["stale"] for p in found["prices"] if p["item"] == CARD.id] == [True]


def test_the_same_plan_gives_the_same_text_but_for_seconds() -> None:
    def text() -> str:
        found = recorded(decision())
        found["solver"]["seconds"] = 0.0
        return record.to_json(found)

    assert text() == text()


def test_json_refuses_nan_and_keeps_chinese_readable() -> None:
    assert record.to_json({"b": "显卡", "a": date(2026, 11, 30)}) == '{\n  "b": "显卡",\n  "a": "2026-11-30"\n}\n'
    with pytest.raises(ValueError, match="JSON"):
        record.to_json({"x": math.nan})
    with pytest.raises(TypeError):
        record.to_json({"x": object()})


def test_options_stand_beside_the_plan_with_one_chosen() -> None:
    case = decision().case()
    plan = solve_case(case, "cost")
    found = record.plan_record(plan, None, options.compare(case, "cost", best=plan))
    assert [o["letter"] for o in found["options"] if o["chosen"]]
    assert all({"letter", "name", "name_zh", "totals", "people_at_once", "lost_by"} <= set(o) for o in found["options"])
    json.loads(record.to_json(found))


def test_problems_are_data_with_their_sentence() -> None:
    error = InputError([Problem("zero_price", file="prices.csv", row=4, column="amount", value="0")])
    found = record.problems_record(error, "en")
    (row,) = found["problems"]
    assert found["schema"] == "hwcost.problems/1"
    assert (row["code"], row["file"], row["row"], row["column"]) == ("zero_price", "prices.csv", 4, "amount")
    assert row["message"].startswith("prices.csv, row 4, column amount: ")
