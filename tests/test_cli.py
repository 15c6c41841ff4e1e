"""The contract of the command line: exit status, what goes where, nothing written on bad input, two languages."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hwcost import cli
from hwcost.commands import app, session
from hwcost.commands.table import table, width

SCENARIO = """
schema = "hwcost.scenario/1"
id = "small"
name_en = "Small lab"
name_zh = "小型课题组"
region = "CN"
currency = "CNY"
as_of = 2026-11-30
objective = "cost"
[budget]
amount = 150000
tax_included = true
[choice]
include_cards = ["rtx-pro-4000-blackwell"]
[capacity]
cards_per_node = [1, 2]
[[workload]]
id = "hybridsn"
preset = "hybridsn-ip"
runs_per_year = 500
people_at_once = 2
train_samples = 3075
batch = 256
epochs = 100
max_hours_per_run = 14
"""
PRICE_HEADER = "item_id,amount,currency,tax_included,price_kind,vendor,region,as_of,valid_until,source,kind"


@pytest.fixture(autouse=True)
def one_reading_of_the_bundled_catalog(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read the bundled tables once for all tests; a folder of the user's is read as always."""
    load = session.load_catalog

    def cached(folder: Path | None = None) -> Any:
        if folder is not None:
            return load(folder)
        if "bundled" not in READ:
            READ["bundled"] = load(None)
        return READ["bundled"]

    monkeypatch.setattr(session, "load_catalog", cached)
    for name in cli.LOCALE_VARIABLES:
        monkeypatch.delenv(name, raising=False)


READ: dict[str, Any] = {}


@pytest.fixture
def scenario(tmp_path: Path) -> Callable[..., str]:
    """Writes the small scenario with some lines replaced; gives its path."""

    def write(*changes: tuple[str, str]) -> str:
        text = SCENARIO
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / "small.toml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def call(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = cli.main(list(words))
    out, err = capsys.readouterr()
    return code, out, err


def figures(text: str) -> list[str]:
    """Numbers of a text, 万元 turned into yuan rounded to 100, in the order of their size."""
    found = []
    for number, wan in re.findall(r"(\d[\d,]*(?:\.\d+)?)( 万元)?", text):
        value = float(number.replace(",", ""))
        found.append(f"{round(value * 10_000, -2) if wan else (round(value, -2) if value >= 10_000 else value):g}")
    return sorted(found)


# --- exit status and streams ---


def test_a_proven_plan_ends_0_and_writes_the_record(
    scenario: Callable[..., str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "plan.json"
    code, stdout, stderr = call(capsys, "plan", scenario(), "--json", str(out), "--lang", "en")
    record = json.loads(out.read_text(encoding="utf-8"))
    assert code == 0
    assert record["solver"]["status"] == "proven_optimal"
    assert "Proven to be the best" in stdout
    assert "People at once: 2 of 2" in stdout
    assert str(out) in stderr and str(out) not in stdout


def test_with_json_to_stdout_nothing_else_is_there(
    scenario: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    code, stdout, _ = call(capsys, "plan", scenario(), "--json", "-")
    assert code == 0
    assert json.loads(stdout)["schema"] == "hwcost.plan/1"


def test_the_process_itself_prints_pure_json(scenario: Callable[..., str]) -> None:
    """The solver's banner goes to file descriptor 1, which only a real process shows."""
    done = subprocess.run(
        [sys.executable, "-m", "hwcost", "plan", scenario(), "--json", "-"],
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0
    assert json.loads(done.stdout.decode("utf-8"))["schema"] == "hwcost.plan/1"


def test_an_ascii_locale_still_gets_utf8(scenario: Callable[..., str]) -> None:
    environment = {"PYTHONIOENCODING": "ascii", "LC_ALL": "zh_CN", "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        [sys.executable, "-m", "hwcost", "check", "nothing.toml"], capture_output=True, env=environment, timeout=60,
        check=False, cwd=Path(__file__).parent.parent,
    )  # fmt: skip
    assert done.returncode == 2
    assert "未写出任何文件" in done.stderr.decode("utf-8")


def test_no_plan_ends_3_with_the_conflict_and_its_repairs(
    scenario: Callable[..., str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, book = tmp_path / "plan.json", tmp_path / "plan.xlsx"
    path = scenario(("amount = 150000", "amount = 30000"))
    code, stdout, stderr = call(capsys, "plan", path, "--json", str(out), "--xlsx", str(book), "--lang", "en")
    record = json.loads(out.read_text(encoding="utf-8"))
    assert code == 3
    assert record["solver"]["status"] == "infeasible"
    assert "budget" in record["conflict"]["rules"]
    repair = next(r for r in record["conflict"]["repairs"] if r["rule"] == "budget")
    assert repair["from"] == 30000
    assert repair["to"] > 30000
    assert "Raise the purchase budget by" in stdout
    assert "No option meets all the conditions" in stdout
    assert not book.exists() and "No workbook" in stderr
    assert record["purchases"] == [] and record["totals"]["capex"] is None
    # the repair is what it claims to be: with that budget there is a plan, with one yuan less there is none
    code, _, _ = call(capsys, "plan", path, "--budget", str(repair["to"]), "--json", "-")
    assert code == 0
    code, _, _ = call(capsys, "plan", path, "--budget", str(repair["to"] - 1), "--json", "-")
    assert code == 3


def test_the_conflict_is_in_pure_json_too(scenario: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    code, stdout, _ = call(capsys, "plan", scenario(("amount = 150000", "amount = 30000")), "--json", "-")
    assert code == 3
    assert json.loads(stdout)["conflict"]["rules"]


@pytest.mark.parametrize(
    ("status", "code"), [("proven_optimal", 0), ("infeasible", 3), ("best_found", 4), ("no_plan_found", 4)]
)
def test_each_status_has_its_exit_code(status: str, code: int) -> None:
    from hwcost.commands.plan import EXIT

    assert EXIT[status] == code


def test_a_defect_is_one_sentence_and_ends_1(
    scenario: Callable[..., str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("wires crossed")

    monkeypatch.setattr("hwcost.commands.check.prepare", broken)
    monkeypatch.delenv("HWCOST_DEBUG", raising=False)
    code, stdout, stderr = call(capsys, "check", scenario(), "--lang", "en")
    assert code == 1
    assert stdout == ""
    assert "RuntimeError: wires crossed" in stderr and "HWCOST_DEBUG=1" in stderr
    assert "Traceback" not in stderr
    monkeypatch.setenv("HWCOST_DEBUG", "1")
    _, _, stderr = call(capsys, "check", scenario(), "--lang", "en")
    assert "Traceback" in stderr


def test_ctrl_c_ends_130_with_a_sentence(
    scenario: Callable[..., str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("hwcost.commands.check.prepare", interrupted)
    code, _, stderr = call(capsys, "check", scenario(), "--lang", "en")
    assert code == 130
    assert stderr == "Interrupted. Nothing has been written.\n"


# --- bad input ---

BAD_OPTIONS = [
    (("--budget", "-5"), "“-5” is negative"),
    (("--budget", "NaN"), "not a finite number"),
    (("--budget", "0"), "“0” is zero"),
    (("--budget", "12,999"), "12999 or 12.999"),
    (("--budget", "USD 5000"), "is in USD, but the scenario counts in CNY"),
    (("--budget", "lots"), "“lots” is not a number"),
    (("--budget", "CHF 500"), "“CHF” in “CHF 500” is not known"),
    (("--time-limit", "0"), "“0” is zero"),
    (("--time-limit", "soon"), "“soon” is not a number"),
]


@pytest.mark.parametrize(("words", "said"), BAD_OPTIONS)
def test_a_bad_option_ends_2_and_says_why(
    words: tuple[str, str], said: str, scenario: Callable[..., str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "plan.json"
    code, stdout, stderr = call(capsys, "plan", scenario(), "--json", str(out), "--lang", "en", *words)
    assert code == 2
    assert said in stderr
    assert stdout == ""
    assert not out.exists()


def test_all_problems_are_listed_together(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("plan", "nowhere.toml", "--budget", "-1", "--time-limit", "x", "--xlsx", "a.csv", "--lang", "en")
    code, _, stderr = call(capsys, *words)
    assert code == 2
    assert all(w in stderr for w in ("nowhere.toml", "--budget", "--time-limit", "--xlsx"))
    assert "4 problem(s)" in stderr


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("missing.toml", None, "there is no such scenario"),
        ("empty.toml", "", "the file is empty"),
        ("broken.toml", "id = [", "not valid TOML"),
        ("book.xlsx", "x", "input workbook"),
    ],
)
def test_a_bad_scenario_file_ends_2(
    name: str, content: str | None, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_text(content, encoding="utf-8")
    code, stdout, stderr = call(capsys, "plan", str(path), "--lang", "en")
    assert (code, stdout) == (2, "")
    assert said in stderr and name in stderr


@pytest.mark.parametrize(
    ("table_text", "said"),
    [
        ("", "the file is empty"),
        (f"{PRICE_HEADER.replace('amount', 'sum')}\n", "column amount: the column is missing"),
        (f"{PRICE_HEADER}\nrtx-pro-4000-blackwell,dear,CNY,true,quote,v,CN,2026-11-01,,s,\n", "“dear” is not a number"),
        (f"{PRICE_HEADER}\nrtx-pro-4000-blackwell,0,CNY,true,quote,v,CN,2026-11-01,,s,\n", "the price “0” is"),
        (f"{PRICE_HEADER}\nrtx-pro-4000-blackwell,NaN,CNY,true,quote,v,CN,2026-11-01,,s,\n", "not a finite number"),
        (f"{PRICE_HEADER}\nrtx-pro-4000-blackwell,5,XXX,true,quote,v,CN,2026-11-01,,s,\n", "XXX"),
        (f"{PRICE_HEADER}\nrtx-pro-4000-blackwell,-5,CNY,true,quote,v,CN,2026-11-01,,s,\n", "“-5”"),
    ],
)
def test_a_bad_table_ends_2_with_file_and_place(
    table_text: str, said: str, scenario: Callable[..., str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, out = tmp_path / "mine", tmp_path / "plan.json"
    folder.mkdir()
    (folder / "prices.csv").write_text(table_text, encoding="utf-8")
    words = ("plan", scenario(), "--catalog", str(folder), "--json", str(out), "--lang", "en")
    code, stdout, stderr = call(capsys, *words)
    assert (code, stdout) == (2, "")
    assert said in stderr
    assert "prices.csv" in stderr
    assert not out.exists()


def test_a_price_of_the_users_folder_wins_and_is_named(
    scenario: Callable[..., str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    row = "rtx-pro-4000-blackwell,1130,CNY,true,quote,vendor,CN,2026-11-20,2027-01-31,quotation 7,"
    (folder / "prices.csv").write_text(f"{PRICE_HEADER}\n{row}\n", encoding="utf-8")
    code, stdout, _ = call(capsys, "plan", scenario(), "--catalog", str(folder), "--json", "-")
    price = next(p for p in json.loads(stdout)["prices"] if p["role"] == "card")
    assert code == 0
    assert (price["layer"], price["source"], price["kind"]) == ("user", "quotation 7", "quote")
    assert price["unit_price_net"] == pytest.approx(1130 / 1.13)


def test_bad_input_is_json_where_stdout_is_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, stdout, stderr = call(capsys, "plan", "--budget", "-3", "--json", "-", "--lang", "en")
    record = json.loads(stdout)
    assert code == 2
    assert record["schema"] == "hwcost.problems/1"
    assert [p["code"] for p in record["problems"]] == ["option_negative"]
    assert record["problems"][0]["message"] in stderr


def test_outputs_that_cannot_be_written_are_refused_first(
    scenario: Callable[..., str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for target, said in ((tmp_path / "no" / "x.json", "does not exist"), (tmp_path, "this is a folder")):
        code, stdout, stderr = call(capsys, "check", scenario(), "--json", str(target), "--lang", "en")
        assert (code, stdout) == (2, "")
        assert said in stderr


@pytest.mark.parametrize(
    ("words", "en", "zh"),
    [
        (("plan", "--bogus"), "not known: --bogus", "不认识的参数：--bogus"),
        (("plan", "--objective", "best"), "is not one of", "不在可选范围"),
        (("plan", "--json"), "--json needs a value", "--json 需要一个值"),
    ],
)
def test_usage_errors_end_2_in_the_readers_language(
    words: tuple[str, ...], en: str, zh: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for lang, said in (("en", en), ("zh", zh)):
        code, stdout, stderr = (
            call(capsys, *words, "--lang", lang) if words[-1] != "--json" else call(capsys, "--lang", lang, *words)
        )
        assert (code, stdout) == (2, "")
        assert said in stderr
        assert "Traceback" not in stderr


def test_without_a_command_the_help_is_shown_and_the_status_is_2(capsys: pytest.CaptureFixture[str]) -> None:
    code, stdout, stderr = call(capsys)
    assert (code, stdout) == (2, "")
    assert "plan" in stderr and "doctor" in stderr


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
