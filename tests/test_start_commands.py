"""`hwcost start` on the command line: files, the terminal, both languages, and what is never overwritten."""

from __future__ import annotations

import io
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from cli_calls import call

from hwcost.answers_io import WORDS_ZH, bundled_answers, is_unknown, load_answers
from hwcost.catalog import load_catalog
from hwcost.messages import texts
from hwcost.records import Catalog
from hwcost.scenario_io import load_scenario

pytest_plugins = ("cli_fixtures",)
pytestmark = pytest.mark.usefixtures("one_reading_of_the_bundled_catalog", "in_a_folder_of_its_own")

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


def typed(monkeypatch: pytest.MonkeyPatch, *entries: str) -> None:
    """Stands for somebody who types these lines and then ends the input."""
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{entry}\n" for entry in entries)))


# --- from a file ---


@pytest.mark.parametrize("name", sorted(bundled_answers()))
def test_bundled_answers_write_a_scenario_that_loads(name: str, capsys: Capture, catalog: Catalog) -> None:
    code, out, err = call(capsys, "start", name, "--lang", "en")
    assert code == 0 and f"{name}-scenario.toml" in err
    scenario = load_scenario(f"{name}-scenario.toml", catalog)
    assert scenario.id == name
    assert "Busy (cards compute)" in out and "Held (a card is reserved)" in out and "Wall (somebody" in out
    assert ("campus cluster" in out.lower() and "no part in the plan" in out) or "as an option" in out


def test_a_scenario_from_answers_is_planned_with_status_0(capsys: Capture) -> None:
    assert call(capsys, "start", "meeting-3-owned", "--out", "s.toml")[0] == 0
    code, out, _ = call(capsys, "plan", "s.toml", "--json", "-")
    assert code == 0 and json.loads(out)["solver"]["status"] == "proven_optimal"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_above_every_figure_stands_its_question_in_the_readers_language(lang: str, capsys: Capture) -> None:
    call(capsys, "start", "meeting-1-cn", "--out", "s.toml", "--lang", lang)
    lines = Path("s.toml").read_text(encoding="utf-8").splitlines()
    amount = next(n for n, line in enumerate(lines) if line.startswith("amount = "))
    assert texts()["start.field.budget.amount"][lang] in lines[amount - 1] and lines[amount - 1].startswith("# ")


def test_the_record_has_the_answers_the_three_hours_and_the_waiting(capsys: Capture, catalog: Catalog) -> None:
    code, out, _ = call(capsys, "start", "meeting-1-cn", "--out", "s.toml", "--json", "-")
    record = json.loads(out)
    assert code == 0 and record["schema"] == "hwcost.start/1"
    assert record["scenario_sha256"] == load_scenario("s.toml", catalog).sha256
    hours = record["answers"]["hours"]
    assert hours["held_card_hours"] == 8 * 20 * 46
    assert hours["busy_card_hours"] < hours["held_card_hours"]
    assert [row["cards"] for row in record["waiting"]] == [1, 2, 3, 4, 5, 6]
    assert record["answers"]["given"]["budget"]["amount"] == 25


# --- what is never overwritten ---


def test_a_file_that_exists_is_only_replaced_with_force(capsys: Capture) -> None:
    Path("s.toml").write_text("mine", encoding="utf-8")
    code, out, err = call(capsys, "start", "meeting-1-cn", "--out", "s.toml", "--lang", "en")
    assert (code, out) == (2, "") and "--force" in err
    assert Path("s.toml").read_text(encoding="utf-8") == "mine"
    assert call(capsys, "start", "meeting-1-cn", "--out", "s.toml", "--force")[0] == 0
    assert "hwcost.scenario/1" in Path("s.toml").read_text(encoding="utf-8")


def test_the_answers_themselves_are_never_replaced(capsys: Capture) -> None:
    text = bundled_answers()["meeting-1-cn"].read_text(encoding="utf-8")
    Path("a.toml").write_text(text, encoding="utf-8")
    code, _, err = call(capsys, "start", "a.toml", "--out", "./a.toml", "--force", "--lang", "en")
    assert code == 2 and "file of the answers" in err
    assert Path("a.toml").read_text(encoding="utf-8") == text


def test_a_fault_in_the_answers_writes_nothing(capsys: Capture, tmp_path: Path) -> None:
    text = bundled_answers()["meeting-1-cn"].read_text(encoding="utf-8")
    Path("a.toml").write_text(text.replace('"万元"', '"dollars"').replace("total = 8", "total = 0"), encoding="utf-8")
    code, out, err = call(capsys, "start", "a.toml", "--lang", "en")
    assert (code, out) == (2, "")
    assert "budget.unit" in err and "people.total" in err
    assert [path.name for path in tmp_path.iterdir()] == ["a.toml"]


@pytest.mark.parametrize(
    "words", [("nowhere",), ("meeting-1-cn", "--out", "s.csv"), ("meeting-1-cn", "--out", "x/s.toml")]
)
def test_wrong_names_are_refused_with_a_sentence(words: tuple[str, ...], capsys: Capture) -> None:
    code, out, err = call(capsys, "start", *words, "--lang", "en")
    assert (code, out) == (2, "") and words[-1] in err


# --- at the terminal ---


def test_an_empty_input_takes_every_default(capsys: Capture, monkeypatch: pytest.MonkeyPatch, catalog: Catalog) -> None:
    typed(monkeypatch)
    code, out, err = call(capsys, "start", "--lang", "zh")
    assert code == 0 and texts()["start.ended"]["zh"] in err
    written = next(Path().glob("*-scenario.toml"))
    assert load_scenario(written, catalog).region == "CN"
    assert texts()["start.origin.default"]["zh"] in out and texts()["start.origin.answered"]["zh"] not in out


ENTRIES = (
    "CN", "25", "万元", "yes",  # region, 1
    "设备费", "equipment", "", "2099-12-31", "no",  # 2
    "8", "?",  # 3
    "HybridSN, Indian Pines", "yes", "U-Net 512x512x200", "no",  # 4
    "", "2.67", "RTX 3090", "17", "nvidia-smi",  # 5, once for each training
    "weekend",  # 6
    "4", "", "30",  # 7: papers of the first; runs a week of the second
    "3090", "2", "", "1000", "sata", "no",  # 8
    "lab", "lab", "", "non_cash",  # 9, 10
    "yes", "5", "24", "cn-generic",  # 11, 12
)  # fmt: skip


def test_what_is_typed_becomes_the_scenario(capsys: Capture, monkeypatch: pytest.MonkeyPatch, catalog: Catalog) -> None:
    typed(monkeypatch, *ENTRIES)
    code, _, err = call(capsys, "start", "--out", "s.toml", "--lang", "en")
    assert code == 0, err
    assert all(texts()[f"start.q{n}"]["en"] in err for n in range(1, 13))
    scenario = load_scenario("s.toml", catalog)
    assert (scenario.budget, scenario.objective, scenario.procurement) == (250_000, "budget", "cn-generic")
    assert [w.people_at_once for w in scenario.workloads] == [3, 2]  # ceil(0.6 x 8) = 5 over four people each
    assert [w.runs_per_year for w in scenario.workloads] == [4 * 675, 30 * 4 * 46]
    assert {w.max_hours_per_run for w in scenario.workloads} == {60}
    assert scenario.owned[0].card_id == "rtx-3090" and scenario.payers["energy_busy"] == "lab"
    anchor = scenario.workloads[1].anchor
    assert anchor is not None and (anchor.card_id, anchor.hours_per_run, anchor.memory_gib) == ("rtx-3090", 2.67, 17)
    given = scenario.answers["given"]
    assert is_unknown(given["people"]["at_once"])


def test_a_wrong_entry_is_asked_again_with_its_reason(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, "Mars", "EU", "much", "-3", "30,000.00", "EURO", "EUR")
    code, _, err = call(capsys, "start", "--out", "s.toml", "--lang", "en")
    assert code == 0 and "Mars" in err and "EURO" in err
    data = tomllib.loads(Path("s.toml").read_text(encoding="utf-8"))
    assert data["budget"]["amount"] == 30_000 and data["currency"] == "EUR"


def test_a_budget_without_its_unit_is_asked_again(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, catalog: Catalog
) -> None:
    typed(monkeypatch, "CN", "25", "", "", "25", "万元")
    code, _, err = call(capsys, "start", "--out", "s.toml", "--lang", "zh")
    assert code == 0 and "25 CNY" in err
    assert load_scenario("s.toml", catalog).budget == 250_000


@pytest.mark.parametrize(("amount", "unit"), [("25", "元"), ("250_000", "万元")])
def test_a_budget_that_no_group_has_is_refused_in_a_file(amount: str, unit: str, capsys: Capture) -> None:
    budget = f'schema = "hwcost.answers/1"\nregion = "CN"\n[budget]\namount = {amount}\nunit = "{unit}"\n'
    Path("a.toml").write_text(budget, encoding="utf-8")
    code, out, err = call(capsys, "start", "a.toml", "--lang", "en")
    assert (code, out) == (2, "") and "budget.amount" in err and "unit" in err


def test_every_chinese_word_that_the_form_shows_may_be_entered() -> None:
    shown = {key.removeprefix("start.choice."): entry for key, entry in texts().items()
             if key.startswith("start.choice.")}  # fmt: skip
    assert {word.partition(".")[2] or word for word in shown} == set(WORDS_ZH.values())
    for word, entry in shown.items():
        assert WORDS_ZH[entry["zh"]] == (word.partition(".")[2] or word) == entry["en"]


def test_the_form_may_be_filled_in_chinese(capsys: Capture, monkeypatch: pytest.MonkeyPatch, catalog: Catalog) -> None:
    chinese = {
        "equipment": "设备",
        "yes": "是",
        "no": "否",
        "weekend": "周末",
        "lab": "实验室",
        "non_cash": "不单独计费",
    }
    typed(monkeypatch, *ENTRIES)
    call(capsys, "start", "--out", "en.toml")
    typed(monkeypatch, *(chinese.get(entry, entry) for entry in ENTRIES))
    call(capsys, "start", "--out", "zh.toml", "--lang", "zh")
    assert load_scenario("zh.toml", catalog).sha256 == load_scenario("en.toml", catalog).sha256


def test_every_field_shows_its_default(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, *ENTRIES)
    _, _, err = call(capsys, "start", "--out", "s.toml", "--lang", "en")
    assert err.count("; default: ") >= len(ENTRIES)
    assert "At once in busy weeks (a whole number; default: 5)" in err  # ceil(0.6 x 8)


@pytest.mark.parametrize("name", sorted(bundled_answers()))
def test_bundled_answers_leave_no_question_out_without_saying_so(name: str, catalog: Catalog) -> None:
    given: dict[str, Any] = dict(load_answers(name, catalog).given)
    assert {"budget", "fund", "people", "train", "place", "payers", "campus", "procurement"} <= given.keys()
