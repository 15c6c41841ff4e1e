"""What the terminal says of funds: what each is charged, and that they hold less than the budget."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_calls import call

from hwcost.scenario_io import bundled_scenarios


def test_each_fund_is_shown_with_what_it_is_charged_by_year(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "plan", "owned-3090s", "--lang", "en")
    assert code == 0
    block = out.split("Charged to each fund (CNY)\n")[1].split("\n\n")[0]
    equipment = next(line for line in block.splitlines() if line.startswith("Equipment money"))
    running = next(line for line in block.splitlines() if line.startswith("Running money"))
    record = json.loads(call(capsys, "plan", "owned-3090s", "--json", "-")[1])
    bought = sum(line["amount"] for line in record["cost_lines"] if line["category"] in ("storage", "tax"))
    hours = sum(line["amount"] for line in record["cost_lines"] if line["category"] == "campus")
    assert f"{bought:,.2f}" in equipment and "40,000.00" in equipment and "0.00" in equipment
    assert f"{hours:,.2f}" in running and "services" in running
    assert "the funds decide" not in out


def test_funds_that_hold_less_than_the_budget_are_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = bundled_scenarios()["owned-3090s"].read_text(encoding="utf-8")
    file = tmp_path / "less.toml"
    file.write_text(text.replace("amount = 40_000\npays", "amount = 30_000\npays"), encoding="utf-8")
    for lang, said in (
        ("en", "hold CNY 30,000, less than the budget of CNY 40,000"),
        ("zh", "合计 3.00 万元，低于预算 4.00 万元"),
    ):
        assert said in call(capsys, "plan", str(file), "--lang", lang)[1]
