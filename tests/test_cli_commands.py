"""What the commands show: options, languages, check, compare, threshold, memory, doctor, app."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest
from cli_calls import call

from hwcost import cli
from hwcost.commands import app
from hwcost.commands.table import table, width
from hwcost.scenario_io import bundled_scenarios

pytest_plugins = ["cli_fixtures"]
pytestmark = pytest.mark.usefixtures("one_reading_of_the_bundled_catalog")


def figures(text: str) -> list[str]:
    """Numbers of a text, 万元 turned into yuan rounded to 100, in the order of their size."""
    found = []
    for number, wan in re.findall(r"(\d[\d,]*(?:\.\d+)?)( 万元)?", text):
        value = float(number.replace(",", ""))
        found.append(f"{round(value * 10_000, -2) if wan else (round(value, -2) if value >= 10_000 else value):g}")
    return sorted(found)


# --- options ---


def test_the_budget_is_read_in_ten_thousands(scenario: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    code, stdout, _ = call(capsys, "plan", scenario(), "--budget", "25万", "--json", "-")
    assert code == 0
    assert json.loads(stdout)["budget"]["amount"] == 250_000


def test_the_objective_can_be_changed(scenario: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    _, by_cost, _ = call(capsys, "plan", scenario(), "--json", "-")
    _, by_budget, _ = call(capsys, "plan", scenario(), "--objective", "budget", "--json", "-")
    cost, budget = json.loads(by_cost), json.loads(by_budget)
    assert (cost["objective"], budget["objective"]) == ("cost", "budget")
    assert cost["totals"]["present_value"] < budget["totals"]["present_value"]
    assert budget["budget"]["used"] > cost["budget"]["used"]


@pytest.mark.parametrize(
    ("environment", "words", "expected"),
    [
        ({"LANG": "zh_CN.UTF-8"}, [], "zh"),
        ({"LANG": "en_US.UTF-8"}, [], "en"),
        ({"LANG": "de_DE.UTF-8"}, [], "en"),
        ({"LC_ALL": "zh_TW", "LANG": "en_US"}, [], "zh"),
        ({"LC_ALL": "", "LANG": "zh_CN"}, [], "zh"),
        ({}, [], "en"),
        ({"LANG": "zh_CN"}, ["plan", "--lang", "en"], "en"),
        ({"LANG": "en_US"}, ["plan", "--lang=zh"], "zh"),
    ],
)
def test_the_language_is_the_option_then_the_environment(
    environment: dict[str, str], words: list[str], expected: str
) -> None:
    assert cli.language(words, environment) == expected


def test_both_languages_show_the_same_figures(scenario: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    _, english, _ = call(capsys, "plan", scenario(), "--lang", "en")
    _, chinese, _ = call(capsys, "plan", scenario(), "--lang", "zh")
    heading = {"en": "What is bought", "zh": "购置清单"}
    # the answer and the three figures; tables repeat them in one format for both languages
    first = {"en": english.split(heading["en"])[0], "zh": chinese.split(heading["zh"])[0]}
    money = {lang: [f for f in figures(text) if float(f) >= 10_000] for lang, text in first.items()}
    assert len(money["en"]) >= 4
    assert money["en"] == money["zh"]
    assert re.findall(r"\d+,\d{3}\.\d\d", english) == re.findall(r"\d+,\d{3}\.\d\d", chinese)


# --- the other commands ---


def test_check_counts_and_lists_stale_prices(scenario: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    code, stdout, _ = call(capsys, "check", scenario(("as_of = 2026-11-30", "as_of = 2029-11-30")), "--json", "-")
    record = json.loads(stdout)
    assert code == 0 and record["ok"] is True
    assert record["counts"]["workloads"] == 1
    # three years on, every price that any machine uses is out of date
    assert record["inputs"]["stale"]
    assert all(row["age_days"] > 180 for row in record["inputs"]["stale"])


def test_items_are_left_out_under_the_reason_not_under_the_rule(
    scenario: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    _, english, _ = call(capsys, "check", scenario())
    assert "Not on sale here (used goods only): Gigabyte G292-Z20" in english
    assert "Price known" not in english and "Available to buy" not in english
    _, chinese, _ = call(capsys, "check", scenario(), "--lang", "zh")
    assert "本地区不可直接采购（" in chinese and "有无价格" not in chinese


def test_compare_puts_named_cards_head_to_head(
    scenario: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = scenario(('include_cards = ["rtx-pro-4000-blackwell"]', ""))
    words = ("--between", "rtx-pro-4000-blackwell", "RTX PRO 4500 Blackwell", "--json", "-")
    code, stdout, _ = call(capsys, "compare", path, *words)
    bought = {p["build"] for o in json.loads(stdout)["options"] for p in o["purchases"]}
    assert code == 0
    assert bought
    assert all("rtx-pro-4000" in b or "rtx-pro-4500" in b for b in bought)


def test_compare_refuses_an_unknown_card_with_the_nearest(
    scenario: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, stderr = call(capsys, "compare", scenario(), "--between", "RTX A550", "--lang", "en")
    assert code == 2
    assert "nearest match: rtx a5500" in stderr.lower()


def test_threshold_shows_the_articles_example(capsys: pytest.CaptureFixture[str]) -> None:
    code, stdout, _ = call(capsys, "threshold", "--cards", "4", "--link", "pcie_p2p", "--json", "-")
    record = json.loads(stdout)
    (row,) = record["rows"]
    # T_c = c0 + c1 * P * b = 2 ms + 1/3 ms * 2 M * 9 = 8 ms; V = 2 * 3/4 * 2e6 * 4 bytes = 12 MB
    assert code == 0
    assert record["inputs"]["compute_ms"] == pytest.approx(8.0)
    assert row["volume_bytes"] == pytest.approx(12e6)
    exposed = row["alpha_ms"] + 12e6 / (row["bus_bandwidth_gb_s"] * 1e6)
    assert row["speedup"] == pytest.approx(4 / (1 + exposed / 8.0))
    assert row["efficiency"] == pytest.approx(row["speedup"] / 4)


def test_threshold_aims_above_one_for_two_cards_and_says_where_its_figures_come_from(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ("threshold", "--cards", "2", "4", "--link", "pcie_p2p", "eth_1g")
    _, stdout, _ = call(capsys, *words, "--json", "-")
    assert {(r["cards"], r["speedup_target"]) for r in json.loads(stdout)["rows"]} == {(2, 1.5), (4, 3.0)}
    _, stdout, _ = call(capsys, *words, "--lang", "en")
    assert "from the example of article A, section 4.2, not from a measurement" in stdout
    assert "PCIe, peer-to-peer, PCIe 4, 2 cards: 20 GB/s, estimate (" in stdout
    assert "only up to" in stdout and "from which size" not in stdout
    _, stdout, _ = call(capsys, *words, "--c0-ms", "3", "--lang", "en")
    assert "as stated in the call" in stdout and "article A" not in stdout.split("Link figures")[0]


def test_check_lists_every_refused_combination_with_its_rules_and_amounts(
    scenario: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    _, stdout, _ = call(capsys, "check", scenario(), "--json", "-")
    record = json.loads(stdout)
    assert len(record["refused"]) == record["counts"]["refused"] > 0
    for row in record["refused"]:
        assert row["breaches"]
        assert all(b["rule"] and b["reason"] and b["reason_zh"] for b in row["breaches"])
    assert any(b["values"] for row in record["refused"] for b in row["breaches"])


def test_where_nothing_is_bought_the_words_say_how_much_is_used_and_whose_prices_are_old(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    patient = tmp_path / "patient.toml"  # the U-Net may take a weekend, so that the disk at hand will do
    text = bundled_scenarios()["owned-3090s"].read_text(encoding="utf-8")
    patient.write_text(text.replace("max_hours_per_run = 4 #", "max_hours_per_run = 60 #"), encoding="utf-8")
    _, stdout, _ = call(capsys, "plan", str(patient), "--lang", "en")
    record = json.loads(call(capsys, "plan", str(patient), "--json", "-")[1])
    now = round(record["utilisation"]["card_hours_per_year"])
    assert f"exceeds 14,000 card-hours a year (now about {now})" in stdout
    assert "more prices in the comparison" not in stdout and "none of them paid by this plan" in stdout
    assert "waits for data" in stdout and "more memory or a faster disk helps first" in stdout


def test_compare_gives_the_sentences_of_the_plan(
    scenario: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    words = (scenario(), "--objective", "budget", "--lang", "en")
    plan, compared = (call(capsys, command, *words)[1] for command in ("plan", "compare"))
    assert compared.split("\n\n")[0] == plan.split("\n\n")[0]


def test_threshold_never_pairs_four_cards_with_a_bridge(capsys: pytest.CaptureFixture[str]) -> None:
    _, stdout, _ = call(capsys, "threshold", "--cards", "2", "4", "--json", "-")
    pairs = {(r["link"], r["cards"]) for r in json.loads(stdout)["rows"]}
    assert ("nvlink_pair", 2) in pairs and ("nvlink_pair", 4) not in pairs
    code, _, stderr = call(capsys, "threshold", "--cards", "4", "--link", "nvlink_pair", "--lang", "en")
    assert code == 2
    assert "joins two cards only" in stderr


def test_memory_rows_agree_with_the_formula(scenario: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    code, stdout, _ = call(capsys, "memory", scenario(), "--cards", "rtx-a5500", "--json", "-")
    (row,) = json.loads(stdout)["rows"]
    assert code == 0
    assert row["need_mib"] == pytest.approx(sum(row["parts_mib"].values()))
    assert row["limit_mib"] == pytest.approx(0.75 * 24564)  # measured usable MiB of the card, a quarter kept free
    assert row["largest_micro_batch"] >= row["batch"] == 256
    assert row["fits"] is True


def test_doctor_finds_the_solver_right(capsys: pytest.CaptureFixture[str]) -> None:
    code, stdout, _ = call(capsys, "doctor", "--json", "-")
    record = json.loads(stdout)
    assert code == 0 and record["ok"] is True
    assert {"python", "solver_ok", "catalog_ok", "scenarios"} <= {c["check"] for c in record["checks"]}


def test_doctor_says_what_to_install(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from importlib.metadata import PackageNotFoundError, version

    from hwcost import doctor

    def without_pandas(name: str) -> str:
        if name == "pandas":
            raise PackageNotFoundError(name)
        return version(name)

    monkeypatch.setattr(doctor, "version", without_pandas)
    code, stdout, _ = call(capsys, "doctor", "--lang", "en")
    assert code == 2
    assert "pip install pandas" in stdout
    assert "does not work" in stdout


def test_the_app_serves_this_machine_only() -> None:
    words = app.command(Path("x.py"), 8600)
    assert words[words.index("--server.address") + 1] == "127.0.0.1"
    assert words[words.index("--server.port") + 1] == "8600"


# --- tables ---


def test_columns_line_up_with_wide_characters() -> None:
    assert width("显卡 A") == 6
    lines = table(["名称", "n"], [["显卡", "1"], ["card", "12"]], right=(1,))
    assert len({width(line) for line in lines}) == 1
    assert lines[2].endswith(" 1") and lines[3].endswith("12")


def test_a_plan_says_what_else_its_machines_could_run(
    scenario: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    """70 B parameters of half a byte are over 32 GiB: no single card of 24 GiB holds them, 7 B fit with ease."""
    _, english, _ = call(capsys, "plan", scenario(), "--lang", "en")
    _, chinese, _ = call(capsys, "plan", scenario(), "--lang", "zh")
    lines = english[english.index("What else each machine could run") :].splitlines()[1:3]
    assert "7 B parameters" in lines[0] and "no room for" not in lines[0]
    assert "整机还能运行什么" in chinese and "大语言模型 7B" in chinese


def test_the_workbook_holds_switching_prices_and_the_budget_curve_where_they_are_asked_for(
    scenario: Callable[..., str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def cells(*more: str) -> list[object]:
        code, _, stderr = call(capsys, "plan", scenario(), "--xlsx", str(tmp_path / "risk.xlsx"), "--lang", "en", *more)
        assert code == 0, stderr
        sheet = openpyxl.load_workbook(tmp_path / "risk.xlsx", data_only=True)["Risk and sensitivity"]
        return [cell for row in sheet.iter_rows(values_only=True) for cell in row if cell is not None]

    budgets = {150_000.0 * share for share in (0.5, 1.0, 1.5)}  # of the curve, by its shares of the budget
    without, with_risk = ({c for c in cells(*more) if isinstance(c, int | float)} for more in ((), ("--risk",)))
    assert not budgets <= without and budgets <= with_risk
