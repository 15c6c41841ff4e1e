"""The contract of the command line: exit status, what goes where, nothing written on bad input."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli_calls import call
from openpyxl import load_workbook

from hwcost.catalog import user_dir

pytest_plugins = ["cli_fixtures"]
pytestmark = pytest.mark.usefixtures("one_reading_of_the_bundled_catalog")
PRICE_HEADER = "item_id,amount,currency,tax_included,price_kind,vendor,region,as_of,valid_until,source,kind"


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
    texts = [str(c) for s in load_workbook(book) for row in s.iter_rows(values_only=True) for c in row if c is not None]
    assert any("Raise the purchase budget by" in t for t in texts), "the workbook holds the repairs"
    assert "Traceback" not in stderr
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


def test_an_unknown_user_in_hwcost_home_is_a_missing_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HWCOST_HOME", "~no-such-user/tables")
    assert user_dir() == Path("~no-such-user/tables")


def test_an_output_never_takes_the_place_of_the_input(
    scenario: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = scenario()
    before = Path(path).read_bytes()
    code, _, stderr = call(capsys, "plan", path, "--json", path, "--lang", "en")
    assert code == 2 and "the file that is read" in stderr
    assert Path(path).read_bytes() == before


def test_control_characters_of_a_name_do_not_reach_the_terminal(
    scenario: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    text = Path(scenario()).read_text(encoding="utf-8")
    name = next(line for line in text.splitlines() if line.startswith("name_en"))
    hostile = scenario((name, 'name_en = "a\\u001b[31mred\\u0007"'))
    _, english, stderr = call(capsys, "check", hostile, "--lang", "en")
    assert "\x1b" not in english + stderr and "\x07" not in english + stderr


@pytest.mark.parametrize("words", [["plan", "--catalog", "x" * 300], ["template", "x" * 300 + ".xlsx"]])
def test_a_name_that_the_system_refuses_is_bad_input_and_no_defect(
    words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    for lang, said in (("en", "check its name"), ("zh", "请检查名称")):
        code, _, stderr = call(capsys, *words, "--lang", lang)
        assert code == 2 and said in stderr and "x" * 201 not in stderr
    assert list(tmp_path.iterdir()) == []
