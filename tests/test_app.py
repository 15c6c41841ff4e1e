"""The app without a browser: what the page says is what the engine says, and nothing typed is lost."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from hwcost.case import prepare
from hwcost.catalog import load_catalog
from hwcost.engine import make_plan, solve_case
from hwcost.errors import SolverError
from hwcost.explain import conflict
from hwcost.messages import LANGUAGES, say
from hwcost.names import purchase_total
from hwcost.options import compare
from hwcost.plan import Plan
from hwcost.quantities import money_text
from hwcost.records import Catalog
from hwcost.scenario import Scenario
from hwcost.scenario_io import DEFAULT_SCENARIO, load_scenario, with_changes
from hwcost.sentences import answer, repair_text, why_not
from hwcost.web import solve
from hwcost.web.words import plain

PAGE = Path(__file__).resolve().parents[1] / "streamlit_app.py"
QUICK = "fast-single-task"
CJK = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


@pytest.fixture(scope="module")
def quick(catalog: Catalog) -> Scenario:
    return load_scenario(QUICK, catalog)


def page(lang: str = "zh", scenario: str = QUICK, **address: str) -> AppTest:
    at = AppTest.from_file(str(PAGE), default_timeout=120)
    for name, value in {"lang": lang, "scenario": scenario, **address}.items():
        at.query_params[name] = value
    return at.run()


def headline(at: AppTest) -> str:
    return next(m.value for m in at.markdown if m.value.startswith("#### "))[5:]


def figures(at: AppTest) -> list[str]:
    return [m.value for m in at.metric]


def expected_figures(plan: Plan, lang: str) -> list[str]:
    currency = plan.case.scenario.currency
    people = f"{plan.people_at_once} 人" if lang == "zh" else str(plan.people_at_once)
    money = [purchase_total(plan), plan.totals.nominal]
    return [plain(text) for text in (*(money_text(x, currency, lang) for x in money), people)]


def set_budget(at: AppTest, text: str) -> AppTest:
    at.text_input(key=f"{QUICK}/budget").set_value(text)
    return at.run()


def press(at: AppTest) -> AppTest:
    return at.button(key="solve").click().run()


# --- the answer ---


def test_the_first_run_answers_for_the_default_scenario_in_both_languages(catalog: Catalog) -> None:
    at = AppTest.from_file(str(PAGE), default_timeout=120).run()
    assert not at.exception
    assert at.selectbox(key="scenario").value == DEFAULT_SCENARIO
    plan = make_plan(load_scenario(DEFAULT_SCENARIO, catalog), catalog)
    assert figures(at) == expected_figures(plan, "zh")
    letter = re.search(r"方案 ([A-Z])", headline(at))
    at.radio(key="lang").set_value("en").run()
    assert not at.exception
    assert figures(at) == expected_figures(plan, "en")
    assert letter is not None and headline(at).startswith(f"Choose option {letter[1]}")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_sentence_and_reasons_are_those_of_the_engine(lang: str, quick: Scenario, catalog: Catalog) -> None:
    at = page(lang)
    case = prepare(quick, catalog)
    comparison = compare(case, best=solve_case(case))
    assert headline(at) == plain(answer(comparison.best, comparison, lang)[0])
    shown = at.table[0].value
    assert list(shown.iloc[:, -1]) == [plain(why_not(r, comparison, lang)) for r in comparison.results]


@pytest.mark.parametrize(
    ("name", "value", "fields"),
    [
        ("budget", "32,000", {"budget": 32_000.0}),
        ("objective", "budget", {"objective": "budget"}),
        ("tariff", 1.4, {"tariff_per_kwh": 1.4}),
        ("years", 5, {"horizon_years": 5}),
        ("tax", False, {"budget_tax_included": False}),
    ],
)
def test_a_changed_input_changes_the_figures_as_it_does_in_the_engine(
    name: str, value: Any, fields: dict[str, Any], quick: Scenario, catalog: Catalog
) -> None:
    at = page("en")
    kind = {"budget": "text_input", "objective": "selectbox", "tax": "radio"}.get(name, "number_input")
    getattr(at, kind)(key=f"{QUICK}/{name}").set_value(value)
    at = press(at.run())
    assert not at.warning
    assert figures(at) == expected_figures(make_plan(with_changes(quick, **fields), catalog), "en")


def test_changed_demand_changes_the_figures_as_it_does_in_the_engine(quick: Scenario, catalog: Catalog) -> None:
    at = page("en")
    workload = quick.workloads[0]
    at.number_input(key=f"{QUICK}/people.{workload.id}").set_value(2)
    at.number_input(key=f"{QUICK}/runs.{workload.id}").set_value(400.0)
    at = press(at.run())
    changed = with_changes(quick, workloads=(replace(workload, people_at_once=2, runs_per_year=400.0),))
    assert figures(at) == expected_figures(make_plan(changed, catalog), "en")


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
    options = compare(plan.case, plan.objective, best=plan)
    shown = at.table[0].value  # what each kind of machine could do all the same, and why it is not enough
    assert list(shown.iloc[:, -1]) == [plain(why_not(r, options, lang)) for r in options.results]


def test_what_is_missing_is_told_when_somebody_asks(quick: Scenario, catalog: Catalog) -> None:
    at = page("en", objective="serve", budget="32,000", **{"people.unet-fast": "3"})
    assert not at.exception
    waiting = replace(quick.workloads[0], people_at_once=3)
    plan = make_plan(with_changes(quick, objective="serve", budget=32_000.0, workloads=(waiting,)), catalog)
    found = conflict(plan.case)
    assert plan.people_at_once < 3 and found is not None and found.repairs
    at = at.button(key="ask-conflict").click().run()
    assert [i.value for i in at.info] == [plain(repair_text(r, plan.case.scenario, "en")) for r in found.repairs]
    assert figures(at) == expected_figures(plan, "en")


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
    assert at.button(key="solve").disabled
    assert figures(at) == before and len(at.warning) == 1  # still there, and said to be for the earlier inputs


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_figure_out_of_range_is_named_by_its_label(lang: str) -> None:
    at = page(lang)
    at.number_input(key=f"{QUICK}/tariff").set_value(0.0)
    at = at.run()
    label = at.number_input(key=f"{QUICK}/tariff").label
    assert any(plain(label) in e.value for e in at.error)
    assert not any("toml" in e.value for e in at.error)


def test_a_result_is_marked_as_stale_until_it_is_worked_out_again() -> None:
    at = page("en")
    before = figures(at)
    at = set_budget(at, "32,000")
    assert len(at.warning) == 1 and "60,000" in at.warning[0].value
    assert figures(at) == before
    at = at.button(key="again").click().run()
    assert not at.warning
    assert set_budget(at, "60,000").warning == []  # worked out before


def test_each_input_is_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    computed: list[float | None] = []
    compute = solve.compute

    def counted(scenario: Scenario, *rest: Any) -> solve.Outcome:
        computed.append(scenario.budget)
        return compute(scenario, *rest)

    monkeypatch.setattr(solve, "compute", counted)
    at = press(set_budget(page("en"), "32,000"))
    at.radio(key="lang").set_value("zh").run()
    at = press(set_budget(at, "60,000"))
    at = press(set_budget(at, "32000元"))
    assert computed == [60_000.0, 32_000.0]


def test_nothing_typed_is_lost_by_a_look_at_another_language_or_scenario() -> None:
    at = set_budget(page("zh"), "3.2")
    at.number_input(key=f"{QUICK}/tariff").set_value(1.25)
    at = at.run()
    at.radio(key="lang").set_value("en").run()
    at.selectbox(key="scenario").set_value("office-circuit").run()
    at.selectbox(key="scenario").set_value(QUICK).run()
    assert at.text_input(key=f"{QUICK}/budget").value == "32,000"  # English counts in units of one
    assert at.number_input(key=f"{QUICK}/tariff").value == 1.25
    at = at.button(key="reset").click().run()
    assert at.text_input(key=f"{QUICK}/budget").value == "60,000"
    assert at.number_input(key=f"{QUICK}/tariff").value == 0.7


def test_the_address_holds_what_was_changed_and_restores_it() -> None:
    at = set_budget(page("en"), "32,000")
    kept = {name: values[0] if isinstance(values, list) else values for name, values in at.query_params.items()}
    assert kept == {"lang": "en", "scenario": QUICK, "budget": "32,000"}
    again = page(**kept)
    assert again.text_input(key=f"{QUICK}/budget").value == "32,000"
    assert "CNY 32,000" in headline(again)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_language_of_the_command_counts_where_the_address_names_none(
    lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HWCOST_LANG", lang)
    at = AppTest.from_file(str(PAGE), default_timeout=120)
    at.query_params["scenario"] = QUICK
    assert at.run().radio(key="lang").value == lang


def test_an_odd_address_counts_as_not_stated() -> None:
    odd = {"tariff": "much", "years": "99", "objective": "all", "unit": "7", "runs.unet-fast": "nan"}
    at = page("fr", **odd)
    assert not at.exception
    assert at.number_input(key=f"{QUICK}/tariff").value == 0.7
    assert at.number_input(key=f"{QUICK}/years").value == 3
    assert at.number_input(key=f"{QUICK}/runs.unet-fast").value == 92.0


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("error", [SolverError("no status"), RuntimeError("no memory")])
def test_a_defect_is_a_sentence_and_no_traceback(lang: str, error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> solve.Outcome:
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
    assert not at.exception
    assert at.radio(key=f"{QUICK}/unit").options == ["CNY", "1,000 CNY"]
    assert at.text_input(key=f"{QUICK}/budget").value == "60,000"
    at.radio(key="lang").set_value("zh").run()
    assert at.text_input(key=f"{QUICK}/budget").value == "6"


# --- words, figures and files ---


@pytest.mark.parametrize("scenario", [QUICK, "owned-3090s", "large-tiles"])
def test_the_english_page_has_no_chinese_word(scenario: str) -> None:
    at = page("en", scenario)
    texts = [e.value for kind in ("markdown", "caption", "subheader", "title", "info", "warning") for e in at.get(kind)]
    texts += [w.label for kind in ("text_input", "selectbox", "number_input", "button", "metric") for w in at.get(kind)]
    texts += [e.label for e in at.expander] + figures(at)
    for table in at.table:
        frame = table.value.reset_index()
        texts += [str(x) for x in [*frame.columns, *frame.to_numpy().ravel()]]
    assert len(texts) > 50
    assert not [text for text in texts if CJK.search(text)]


def test_the_chinese_tables_have_chinese_titles() -> None:
    for table in page("zh").table:
        frame = table.value.reset_index()
        # a job is called by the name of its network, which may be a name of letters only
        assert all(CJK.search(str(title)) or "Net" in str(title) for title in frame.columns)
