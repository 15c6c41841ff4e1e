"""The app without a browser: what the page says is what the engine says, and nothing typed is lost."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from app_kit import PAGE, QUICK, SESSION, expected_figures, figures, go, headline, page, set_budget, sound, texts_of
from streamlit.testing.v1 import AppTest

from hwcost.case import prepare
from hwcost.catalog import load_catalog
from hwcost.engine import make_plan, solve_case
from hwcost.errors import SolverError
from hwcost.explain import conflict
from hwcost.messages import LANGUAGES, say
from hwcost.options import compare
from hwcost.records import Catalog
from hwcost.scenario import Scenario
from hwcost.scenario_io import DEFAULT_SCENARIO, load_scenario, with_changes
from hwcost.sentences import answer, repair_text, why_not
from hwcost.web import run, solve
from hwcost.web.words import plain

CJK = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


@pytest.fixture(scope="module")
def quick(catalog: Catalog) -> Scenario:
    return load_scenario(QUICK, catalog)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of its own for each test."""
    monkeypatch.setenv("HWCOST_HOME", str(tmp_path))
    run.SHARED.clear()  # what another test worked out
    return tmp_path


# --- the answer ---


def test_the_first_run_answers_for_the_default_scenario_in_both_languages(catalog: Catalog) -> None:
    at = AppTest.from_file(str(PAGE), default_timeout=120).run()
    assert sound(at)
    assert at.selectbox(key="scenario").value == DEFAULT_SCENARIO
    plan = make_plan(load_scenario(DEFAULT_SCENARIO, catalog), catalog)
    assert figures(at) == expected_figures(plan, "zh")
    letter = re.search(r"方案 ([A-Z])", headline(at))
    at.radio(key="lang").set_value("en").run()
    assert sound(at)
    assert figures(at) == expected_figures(plan, "en")
    assert letter is not None and headline(at).startswith(f"Choose option {letter[1]}")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_sentence_and_reasons_are_those_of_the_engine(lang: str, quick: Scenario, catalog: Catalog) -> None:
    at = page(lang)
    case = prepare(quick, catalog)
    comparison = compare(case, best=solve_case(case))
    assert headline(at) == plain(answer(comparison.best, comparison, lang)[0])
    reasons = [plain(why_not(r, comparison, lang)) for r in comparison.results]
    assert any(list(table.value.iloc[:, -1]) == reasons for table in at.table)


@pytest.mark.parametrize(
    ("key", "value", "fields"),
    [
        ("budget", "32000", {"budget": 32_000.0}),
        ("objective", "budget", {"objective": "budget"}),
        ("power.tariff_per_kwh", 1.4, {"tariff_per_kwh": 1.4}),
        ("horizon_years", 5, {"horizon_years": 5}),
        ("tax", False, {"budget_tax_included": False}),
    ],
)
def test_a_changed_input_changes_the_figures_as_it_does_in_the_engine(
    key: str, value: Any, fields: dict[str, Any], quick: Scenario, catalog: Catalog
) -> None:
    at = page("en")
    kind = {"budget": "text_input", "objective": "selectbox", "tax": "radio"}.get(key, "number_input")
    getattr(at, kind)(key=f"{QUICK}/{key}").set_value(value).run()
    assert sound(at) and not at.warning
    assert figures(at) == expected_figures(make_plan(with_changes(quick, **fields), catalog), "en")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_impossible_case_shows_conflict_and_repairs_and_no_figures(lang: str, catalog: Catalog) -> None:
    at = page(lang, "office-circuit")
    scenario = load_scenario("office-circuit", catalog)
    plan = make_plan(scenario, catalog)
    found = conflict(plan.case)
    assert found is not None and found.repairs
    assert headline(at) == plain(answer(plan, None, lang, conflict=found)[0])
    assert [i.value for i in at.info] == [plain(repair_text(r, scenario, lang)) for r in found.repairs]
    assert not at.metric
    assert [b for b in at.get("download_button") if b.key == "download-conflict"]


def test_a_repair_is_applied_by_its_button_and_the_plan_then_exists(catalog: Catalog) -> None:
    at = page("en", "office-circuit")
    sentences = [i.value for i in at.info]
    of_people = next(n for n, text in enumerate(sentences) if "people" in text)
    at.button(key=f"repair-{of_people}").click().run()
    assert sound(at) and not at.info
    assert len(at.metric) == 3
    changed = next(t.value for t in at.table if t.value.index.name == "Input")
    assert len(changed) == 1 and int(changed.iloc[0]["now"]) < int(changed.iloc[0]["before"])


def test_what_is_missing_is_told_when_somebody_asks(quick: Scenario, catalog: Catalog) -> None:
    at = set_budget(page("en"), "32000")
    at.selectbox(key=f"{QUICK}/objective").set_value("serve").run()
    at = go(at, "workloads")
    write_people(at, 3)
    at = go(at, "decision")
    waiting = replace(quick.workloads[0], people_at_once=3)
    plan = make_plan(with_changes(quick, objective="serve", budget=32_000.0, workloads=(waiting,)), catalog)
    found = conflict(plan.case)
    assert plan.people_at_once < 3 and found is not None and found.repairs
    at.button(key="ask-conflict").click().run()
    assert [i.value for i in at.info] == [plain(repair_text(r, plan.case.scenario, "en")) for r in found.repairs]
    assert figures(at) == expected_figures(plan, "en")


def write_people(at: AppTest, people: int) -> None:
    """As the table of jobs does, which AppTest cannot edit."""
    at.session_state["desk"].edit({"workload[1].people_at_once": people})


def test_the_packaged_script_is_the_same_page() -> None:
    at = AppTest.from_file(str(PAGE.parent / "hwcost" / "web" / "app.py"), default_timeout=120)
    at.query_params["scenario"], at.query_params["lang"] = QUICK, "en"
    assert headline(at.run()) == headline(page("en"))


# --- inputs ---


@pytest.mark.parametrize(
    ("lang", "expected"),
    [("zh", "¥ 60,000 = 6.00 万元（含税），不含税 5.31 万元"), ("en", "incl. tax; CNY 53,097 excl. tax")],
)  # 60,000 / 1.13 = 53,097.35
def test_the_budget_is_echoed_on_both_tax_bases(lang: str, expected: str) -> None:
    assert any(expected in c.value.replace("\\", "") for c in page(lang).caption)


@pytest.mark.parametrize(("lang", "words"), [("zh", "不是数字"), ("en", "is not a number")])
def test_a_bad_budget_gives_a_sentence_and_keeps_what_was_typed(lang: str, words: str) -> None:
    at = page(lang)
    before = figures(at)
    at = set_budget(at, "a lot")
    assert not at.exception
    assert any("a lot" in e.value and words in e.value for e in at.error)
    assert at.text_input(key=f"{QUICK}/budget").value == "a lot"
    assert figures(at) == before


def test_a_budget_that_can_be_read_in_two_ways_is_asked(quick: Scenario, catalog: Catalog) -> None:
    at = set_budget(page("en"), "32,000")
    assert [b.label for b in at.button if str(b.key).startswith("meant-")] == ["It means CNY 32,000", "It means CNY 32"]
    at.button(key="meant-0").click().run()
    assert sound(at)
    assert figures(at) == expected_figures(make_plan(with_changes(quick, budget=32_000.0), catalog), "en")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_figure_out_of_range_is_named_by_its_label(lang: str) -> None:
    at = page(lang)
    at.number_input(key=f"{QUICK}/power.tariff_per_kwh").set_value(0.0).run()
    label = at.number_input(key=f"{QUICK}/power.tariff_per_kwh").label
    assert any(plain(label) in e.value for e in at.error)
    assert not any("toml" in e.value for e in at.error)


def test_an_answer_that_took_long_is_marked_as_stale_until_it_is_asked_for() -> None:
    at = page("en")
    at.session_state["seconds"] = {QUICK: 1000.0}
    at = set_budget(at, "32000")
    assert len(at.warning) == 1 and "60,000" in at.warning[0].value
    assert "60,000 budget" in headline(at)
    at.button(key="again").click().run()
    assert not at.warning and "32,000 budget" in headline(at)
    assert set_budget(at, "60000").warning == []  # worked out before


def test_each_input_is_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    computed: list[float | None] = []
    compute = solve.compute

    def counted(scenario: Scenario, *rest: Any, **more: Any) -> solve.Outcome:
        computed.append(scenario.budget)
        return compute(scenario, *rest, **more)

    monkeypatch.setattr(solve, "compute", counted)
    at = set_budget(page("en"), "32000")
    at.radio(key="lang").set_value("zh").run()
    at = set_budget(set_budget(at, "60000元"), "32000元")
    assert computed == [60_000.0, 32_000.0]


def test_a_result_of_an_earlier_case_is_what_a_fresh_one_gives(quick: Scenario, catalog: Catalog) -> None:
    first = solve.compute(quick, catalog, lambda step, about: None)
    changed = with_changes(quick, budget=32_000.0)
    again = solve.compute(changed, catalog, lambda step, about: None, like=first.plan.case)
    fresh = make_plan(changed, catalog)
    assert again.plan.totals == fresh.totals
    assert [(p.build.id, p.nodes) for p in again.plan.purchases] == [(p.build.id, p.nodes) for p in fresh.purchases]


def test_an_unchanged_example_is_worked_out_once_for_all_sessions_and_a_changed_one_is_not_shared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    computed: list[float | None] = []
    compute = solve.compute

    def counted(scenario: Scenario, *rest: Any, **more: Any) -> solve.Outcome:
        computed.append(scenario.budget)
        return compute(scenario, *rest, **more)

    monkeypatch.setattr(solve, "compute", counted)
    set_budget(page("en"), "32000")
    other = page("en", session="another-session-of-the-tests")
    assert computed == [60_000.0, 32_000.0] and "60,000 budget" in headline(other)
    set_budget(other, "32000")
    assert computed == [60_000.0, 32_000.0, 32_000.0]


# --- nothing is lost ---


def test_nothing_typed_is_lost_by_a_look_at_another_page_language_or_scenario() -> None:
    at = set_budget(page("zh"), "3.2")
    at.number_input(key=f"{QUICK}/power.tariff_per_kwh").set_value(1.25).run()
    at = go(at, "workloads")
    at.radio(key="lang").set_value("en").run()
    at.selectbox(key="scenario").set_value("office-circuit").run()
    at.selectbox(key="scenario").set_value(QUICK).run()
    at = go(at, "decision")
    assert at.text_input(key=f"{QUICK}/budget").value == "32000"  # English counts in units of one
    assert at.number_input(key=f"{QUICK}/power.tariff_per_kwh").value == 1.25
    at.button(key="reset").click().run()
    assert at.text_input(key=f"{QUICK}/budget").value == "60000"
    assert at.number_input(key=f"{QUICK}/power.tariff_per_kwh").value == 0.7


def test_edits_survive_a_restart_and_stand_in_a_file(home: Path, quick: Scenario, catalog: Catalog) -> None:
    set_budget(page("en"), "32000")
    kept = tomllib.loads((home / "sessions" / SESSION / f"{QUICK}.toml").read_text(encoding="utf-8"))
    assert kept["budget"]["amount"] == 32_000.0
    again = page("en", scenario="")  # the same session in a new window: its latest scenario
    assert again.text_input(key=f"{QUICK}/budget").value == "32000"
    assert figures(again) == expected_figures(make_plan(with_changes(quick, budget=32_000.0), catalog), "en")


def test_another_session_does_not_see_the_edits() -> None:
    set_budget(page("en"), "32000")
    other = page("en", session="another-session-of-the-tests")
    assert other.text_input(key=f"{QUICK}/budget").value == "60000"


def test_a_look_writes_nothing(home: Path) -> None:
    page("en")
    assert not list((home / "sessions").rglob("*.*"))


def test_an_odd_session_id_is_replaced() -> None:
    at = page("en", session="../../etc")
    assert re.fullmatch(r"[A-Za-z0-9_-]{16,64}", str(at.session_state["s"]))


def test_undo_takes_the_last_change_back() -> None:
    at = set_budget(set_budget(page("en"), "32000"), "45000")
    at.button(key="undo").click().run()
    assert at.text_input(key=f"{QUICK}/budget").value == "32000"


def test_what_changed_since_the_start_is_told_with_its_difference(quick: Scenario, catalog: Catalog) -> None:
    at = page("en")
    at.number_input(key=f"{QUICK}/power.tariff_per_kwh").set_value(1.4).run()
    inputs = next(t.value for t in at.table if t.value.index.name == "Input")
    assert inputs.loc["Electricity tariff per kWh", "now"] == "1.4"
    before, now = (make_plan(s, catalog) for s in (quick, with_changes(quick, tariff_per_kwh=1.4)))
    results = next(t.value for t in at.table if t.value.index.name == "Result")
    more = now.totals.nominal - before.totals.nominal
    assert more > 0 and results.loc["Cost over the horizon", "difference"] == plain(f"+CNY {more:,.0f}")


def test_the_log_says_who_changed_what_and_the_cost(home: Path) -> None:
    import json

    at = page("en")
    at.text_input(key="who").set_value("Ms Li").run()
    at.number_input(key=f"{QUICK}/horizon_years").set_value(5).run()
    (entry,) = json.loads((home / "sessions" / SESSION / f"{QUICK}.log.json").read_text(encoding="utf-8"))
    assert entry["who"] == "Ms Li"
    assert entry["changes"] == [{"key": "horizon_years", "from": 3, "to": 5}]
    assert entry["after"]["total"] > entry["before"]["total"] > 0


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_language_of_the_command_counts_where_the_address_names_none(
    lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HWCOST_LANG", lang)
    at = AppTest.from_file(str(PAGE), default_timeout=120)
    at.query_params["scenario"] = QUICK
    assert at.run().radio(key="lang").value == lang


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("error", [SolverError("no status"), RuntimeError("no memory")])
def test_a_defect_is_a_sentence_and_no_traceback(lang: str, error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> solve.Outcome:
        raise error

    monkeypatch.setattr(solve, "compute", fail)
    at = page(lang)
    assert not at.exception
    assert [e.value for e in at.error] == [plain(say("web.failed", lang, kind=type(error).__name__))]


def test_the_budget_switch_counts_in_ten_thousands_in_chinese_only() -> None:
    at = page("zh")
    unit = at.radio(key=f"{QUICK}/unit")
    assert unit.options == ["元", "万元"] and at.text_input(key=f"{QUICK}/budget").value == "6"
    at.radio(key="lang").set_value("en").run()
    assert sound(at)
    assert at.radio(key=f"{QUICK}/unit").options == ["CNY", "1,000 CNY"]
    assert at.text_input(key=f"{QUICK}/budget").value == "60000"
    at.radio(key="lang").set_value("zh").run()
    assert at.text_input(key=f"{QUICK}/budget").value == "6"


# --- words ---


@pytest.mark.parametrize("scenario", [QUICK, "owned-3090s", "large-tiles"])
def test_the_english_page_has_no_chinese_word(scenario: str) -> None:
    texts = texts_of(page("en", scenario))
    assert len(texts) > 50
    assert not [text for text in texts if CJK.search(text) and text != "中文"]


def test_the_chinese_tables_have_chinese_titles() -> None:
    for table in page("zh").table:
        frame = table.value.reset_index()
        # a job is called by the name of its network, which may be a name of letters only
        assert all(CJK.search(str(title)) or "Net" in str(title) for title in frame.columns)
