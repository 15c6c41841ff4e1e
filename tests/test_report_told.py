"""What the workbook tells a reader: the sentences of the screen, the use of the cards, checks in names, the route."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest
from report_cases import DAY, bundled_catalog, comparison, need, options_of, scenario_of, title

from hwcost.explain import Conflict, Repair, RuleInstance
from hwcost.messages import say
from hwcost.names import configuration_text
from hwcost.plan import Check, Purchase
from hwcost.report import write_workbook
from hwcost.report.labels import specification
from hwcost.report.route import band_of, bands_of
from hwcost.report.sheet_checks import subject_text
from hwcost.sentences import answer, repair_text

NAME = "lab-default"
LANGS = ("zh", "en")


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The same plan in both languages."""
    folder = tmp_path_factory.mktemp("told")
    options = comparison(NAME)
    for lang in LANGS:
        write_workbook(options.best, options, folder / f"{lang}.xlsx", lang, need=need(NAME), today=DAY)
    return {lang: folder / f"{lang}.xlsx" for lang in LANGS}


# --- what a reader is told --------------------------------------------------------------------------------------


def column_a(path: Path, key: str, lang: str) -> list[object]:
    return [cell.value for cell in openpyxl.load_workbook(path, data_only=True)[title(key, lang)]["A"]]


@pytest.mark.parametrize("lang", LANGS)
def test_summary_says_the_sentences_of_the_screen(lang: str, paths: dict[str, Path]) -> None:
    options = comparison(NAME)
    sentences = answer(options.best, options, lang, need=need(NAME))
    assert len(sentences) > len(answer(options.best, options, lang))  # what would be enough is among them
    assert column_a(paths[lang], "summary", lang)[3 : 3 + len(sentences)] == sentences


def test_summary_tells_the_share_of_the_cards_time_that_is_busy(paths: dict[str, Path]) -> None:
    plan = comparison(NAME).best
    busy = sum(a.runs * a.strategy.cards * a.strategy.hours_per_run for a in plan.assignments) / 3
    room = sum(p.nodes * p.build.cards for p in plan.purchases) * plan.case.scenario.available_hours_per_card_year
    sheet = openpyxl.load_workbook(paths["en"], data_only=True)[title("summary", "en")]
    (head,) = [c.row for c in sheet["A"] if c.value == "Busy card-hours a year"]
    shown = [sheet.cell(head + 1, column).value for column in (1, 3, 5)]
    assert shown == [pytest.approx(busy), pytest.approx(room), pytest.approx(busy / room)]
    assert "Busy time only" in sheet.cell(head + 2, 1).value


@pytest.mark.parametrize(("lang", "words"), [("en", ("must be done", "wanted")), ("zh", ("必须完成", "次要任务"))])
def test_checks_tell_what_the_lab_asked_for_in_names_not_ids(
    lang: str, words: tuple[str, str], paths: dict[str, Path], tmp_path: Path
) -> None:
    options = comparison(NAME)
    plan = options.best
    ids = [*(p.build.id for p in plan.purchases), *(w.id for w in plan.case.scenario.workloads)]
    rows = list(openpyxl.load_workbook(paths[lang])[title("checks", lang)].iter_rows())
    subjects = [str(row[2].value) for row in rows]
    assert not [text for text in subjects for identity in ids if identity in text]
    demand = [row for row in rows if row[1].value == say("rulename.demand", lang)]
    wanted = {words[0] if w.must else words[1] for w in plan.case.scenario.workloads}
    assert demand and {row[7].value for row in demand} == wanted
    hours = [row for row in rows if row[1].value == say("rulename.deadline", lang)]
    assert hours and {row[6].value for row in hours} == {"hours" if lang == "en" else "小时"}
    memory = [row for row in rows if row[1].value == say("rulename.memory", lang)]
    assert memory and all("0.0" in row[5].number_format for row in memory)


def test_subject_of_a_check_names_machine_workload_and_cards() -> None:
    plan = comparison(NAME).best
    build, workload = plan.purchases[0].build, plan.case.scenario.workloads[0]
    check = Check("memory", f"{workload.id}, {build.id}, 2", 1.0, 1.0, "GiB", "<=", True)
    machine = f"{build.cards} x {build.card.name} in {build.chassis.name}"
    assert subject_text(check, plan, "en") == f"{workload.name}; {machine}; on 2 card(s)"
    span = Check("demand", f"{workload.id}, 1-3", 100.0, 100.0, "%", ">=", True)
    assert subject_text(span, plan, "zh") == f"{workload.name_zh}；第 1 至 3 年"


def test_one_word_for_the_form_of_a_host() -> None:
    builds = {p.build.id: p.build for r in comparison(NAME).results if r.plan for p in r.plan.bought}
    assert {b.chassis.segment for b in builds.values()} >= {"server", "consumer"}
    for build in builds.values():
        words = specification(build, "host", "en").split(",")[0]
        assert f" x {words} with " in configuration_text([Purchase(build, 1, 0, 1.0, 1.0, False)], "en")


# --- procurement route ------------------------------------------------------------------------------------------


def test_band_of_the_route_reaches_from_its_lower_limit_up_to_below_its_upper_one() -> None:
    bands = bands_of(comparison(NAME).best)  # general rules of China: below 1, below 2, from 2 million
    found = [band_of(bands, amount) for amount in (0.0, 999_999.99, 1_000_000.0, 1_999_999.0, 2_000_000.0, 9e9)]
    assert [bands.index(b) for b in found if b] == [0, 0, 1, 1, 2, 2]


def test_route_is_on_the_budget_sheet_and_in_the_summary(paths: dict[str, Path]) -> None:
    plan = comparison(NAME).best
    band = bands_of(plan)[0]
    sheet = openpyxl.load_workbook(paths["en"], data_only=True)[title("budget", "en")]
    facts = {row[0].value: row[2].value for row in sheet.iter_rows() if isinstance(row[0].value, str)}
    assert facts["Amount that counts, incl. tax"] == pytest.approx(plan.totals.capex, abs=0.005)
    assert facts["Method"] == band.method and facts["Quotations at least"] == "3"
    assert facts["Greatest age of a quotation in days"] == "90"
    sources = [row[8].value for row in sheet.iter_rows()]
    assert sources.count(band.origin.source) == len(bands_of(plan))
    lines = [str(text) for text in column_a(paths["en"], "summary", "en")]
    assert [text for text in lines if text.startswith(f"{band.name}: {band.method}.") and "a suggestion" in text]


@pytest.mark.parametrize("change", [{"procurement": ""}, {"currency": "USD"}])
def test_route_is_not_known_without_rules_in_the_own_currency(change: dict[str, str]) -> None:
    plan = comparison(NAME).best
    other = replace(plan, case=replace(plan.case, scenario=replace(plan.case.scenario, **change)))
    assert bands_of(plan) and not bands_of(other)


def test_workbook_says_where_the_route_is_not_known(tmp_path: Path) -> None:
    plan = comparison(NAME).best
    other = replace(plan, case=replace(plan.case, scenario=replace(plan.case.scenario, procurement="")))
    write_workbook(other, None, tmp_path / "plan.xlsx", "en", today=DAY)
    for key in ("budget", "summary"):
        texts = [str(text) for text in column_a(tmp_path / "plan.xlsx", key, "en")]
        assert [text for text in texts if text.startswith("Not known for your institution")], key


@pytest.mark.parametrize("lang", LANGS)
def test_impossible_case_says_the_conflict_and_what_would_help(lang: str, tmp_path: Path) -> None:
    best = options_of(replace(scenario_of(NAME), budget=1.0, objective="cost"), bundled_catalog(), (None,)).best
    repair = Repair("budget", "", 1.0, 143_740.0, "CNY", 226_792.0, 143_740.0)
    conflict = Conflict((RuleInstance("budget"),), (repair,), True)
    write_workbook(best, None, tmp_path / "none.xlsx", lang, conflict=conflict, today=DAY)
    texts = column_a(tmp_path / "none.xlsx", "summary", lang)
    assert answer(best, None, lang, conflict=conflict)[0] in texts
    assert (
        texts.index(repair_text(repair, best.case.scenario, lang))
        == texts.index(say("report.summary.repairs", lang)) + 1
    )
