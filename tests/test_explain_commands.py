"""The commands about conflicts, prices, budgets and assumptions: exit status, JSON, both languages, same bytes."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cli_calls import call
from cli_fixtures import one_reading_of_the_bundled_catalog as one_reading_of_the_bundled_catalog
from cli_fixtures import scenario as scenario
from small_cases import small

from hwcost import switching
from hwcost.engine import solve_case
from hwcost.jsontext import to_json
from hwcost.told_record import switch_record

pytestmark = pytest.mark.usefixtures("one_reading_of_the_bundled_catalog")
Write = Callable[..., str]
TOO_LITTLE = ("amount = 150000", "amount = 30000")
SCHEMAS = {
    "explain": "hwcost.explain/1", "frontier": "hwcost.frontier/1", "switch-price": "hwcost.switch_price/1",
    "sensitivity": "hwcost.sensitivity/1", "sweep": "hwcost.sweep/1",
}  # fmt: skip
FEW = {"frontier": ("--shares", "1", "1.2"), "sweep": ("--prices", "1", "--demand", "1", "--draws", "2")}


def record(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    code, out, err = call(capsys, *words, "--json", "-", "--lang", "en")
    assert out, err
    return code, json.loads(out)


@pytest.mark.parametrize("command", SCHEMAS)
def test_every_record_names_its_schema_and_decision(
    command: str, scenario: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    code, found = record(capsys, command, scenario(), *FEW.get(command, ()), *workers(command, "1"))
    assert (code, found["schema"], found["status"]) == (0, SCHEMAS[command], "proven_optimal")
    assert found["scenario"] == "small" and found["currency"] == "CNY" and found["best"]["purchases"]


def workers(command: str, count: str) -> tuple[str, ...]:
    return () if command == "explain" else ("--workers", count)


@pytest.mark.parametrize("command", [c for c in SCHEMAS if c != "explain"])
def test_two_workers_write_the_same_bytes_as_one(
    command: str, scenario: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = []
    for count in ("1", "2"):
        file = tmp_path / f"{count}.json"
        words = (command, scenario(), *FEW.get(command, ()), "--workers", count, "--json", str(file), "--lang", "en")
        code, _, err = call(capsys, *words)
        assert code == 0, err
        files.append(file.read_bytes())
    assert files[0] == files[1]


def test_the_same_switching_prices_for_any_order_of_rows() -> None:
    given = small(1)
    turned = replace(given, builds=given.builds[::-1], ways=given.ways[::-1])
    texts = []
    for one in (given, turned):
        plan = solve_case(one.case(), "cost")
        texts.append(to_json(switch_record(plan, switching.switching_prices(plan), ())))
    assert texts[0] == texts[1]


def test_a_conflict_is_told_with_its_repairs_in_both_languages(
    scenario: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    code, found = record(capsys, "explain", scenario(TOO_LITTLE))
    assert code == 3 and {r["rule"] for r in found["conflict"]["rules"]} == {"budget", "people_at_once"}
    repairs = {r["rule"]: r for r in found["conflict"]["repairs"]}
    assert repairs["budget"]["to"] > 30_000 and repairs["people_at_once"]["to"] < 2
    assert "Raise the purchase budget" in repairs["budget"]["sentence"]["en"]
    assert "购置预算增加" in repairs["budget"]["sentence"]["zh"]


def test_what_is_not_known_by_name_is_a_problem_of_the_input(
    scenario: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = call(capsys, "explain", scenario(), "--option", "RTX PRO 4001 Blackwell", "--lang", "en")
    assert code == 2 and out == "" and "“RTX PRO 4001 Blackwell”" in err and "nearest match: RTX PRO 4" in err


def test_a_card_outside_the_selection_has_that_as_its_reason(
    scenario: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    code, found = record(capsys, "explain", scenario(), "--option", "rtx-pro-5000-blackwell-48gb")
    (why,) = found["why_not"]
    assert code == 0 and why["outcome"] == "not_considered"
    assert "Outside" in why["sentences"]["en"][0] or "selection" in why["sentences"]["en"][0]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_switching_prices_and_break_even_hours_are_sentences_with_figures(
    lang: str, scenario: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("switch-price", scenario(), "--items", "RTX PRO 4000 Blackwell", "--workers", "1", "--lang", lang)
    code, out, _ = call(capsys, *words)
    assert code == 0
    assert ("卡时" if lang == "zh" else "buying pays above") in out
    assert ("RTX PRO 4000 Blackwell 24 GB现价" if lang == "zh" else "RTX PRO 4000 Blackwell 24 GB now costs") in out


def test_break_even_follows_the_formula(scenario: Write, capsys: pytest.CaptureFixture[str]) -> None:
    _, found = record(capsys, "switch-price", scenario(), "--items", "RTX PRO 4000 Blackwell", "--workers", "1")
    assert found["break_even"]
    for row in found["break_even"]:
        saved = row["card_hours_needed"] * row["price_per_card_hour"] - row["own_energy_per_year"]
        expected = row["own_fixed_per_year"] * row["card_hours_needed"] / saved if saved > 0 else None
        assert row["card_hours_break_even"] == (None if expected is None else pytest.approx(expected))
        total = found["best"]["nominal"] / found["horizon_years"]
        assert row["own_fixed_per_year"] + row["own_energy_per_year"] == pytest.approx(total)
