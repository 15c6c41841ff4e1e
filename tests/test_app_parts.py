"""The parts of the app that need no page: the budget as people type it, charts, tables and files."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import openpyxl
import pytest
from cli_calls import call

from hwcost.catalog import load_catalog
from hwcost.costs import CATEGORIES
from hwcost.errors import InputError
from hwcost.frontier import frontier
from hwcost.messages import LANGUAGES
from hwcost.names import purchase_total
from hwcost.record import bought_parts
from hwcost.scenario import PAYERS, Scenario
from hwcost.scenario_io import load_scenario, with_changes
from hwcost.sentences import answer
from hwcost.web import budget, charts, configure, downloads, rivals, sections, solve, tables
from hwcost.web.words import plain

QUICK = "fast-single-task"


@pytest.fixture(scope="module")
def quick() -> Scenario:
    return load_scenario(QUICK, load_catalog())


@pytest.fixture(scope="module")
def outcome(quick: Scenario) -> solve.Outcome:
    return solve.compute(quick, load_catalog(), lambda step, about: None)


@pytest.mark.parametrize(
    ("text", "factor", "currency", "amount"),
    [
        ("25", 10_000, "CNY", 250_000),
        ("12.5", 10_000, "CNY", 125_000),
        ("25.125", 10_000, "CNY", 251_250),
        ("1,250", 10_000, "CNY", 12_500_000),
        ("250000", 1, "CNY", 250_000),
        ("250 000", 1, "CNY", 250_000),
        ("CNY 250,000", 1, "CNY", 250_000),
        ("２５", 10_000, "CNY", 250_000),
        ("25万", 1, "CNY", 250_000),
        ("25万", 10_000, "CNY", 250_000),
        ("25 万元", 10_000, "CNY", 250_000),
        ("￥250,000", 10_000, "CNY", 250_000),
        ("250000元", 10_000, "CNY", 250_000),
        ("30.000,50", 1, "EUR", 30_000.5),
        ("30", 1_000, "EUR", 30_000),
        ("", 10_000, "CNY", None),
        ("面议", 1, "CNY", None),
    ],
)
def test_a_budget_reads_as_people_write_it(text: str, factor: int, currency: str, amount: float | None) -> None:
    assert budget.read(text, factor, currency) == amount


@pytest.mark.parametrize(
    ("text", "factor", "wanted", "expected"),
    [("25", 10_000, 1, "250000"), ("250", 1_000, 10_000, "25"), ("12.5", 10_000, 1_000, "125"),
     ("25万", 10_000, 1, "25万"), ("", 10_000, 1, ""), ("abc", 10_000, 1, "abc")],
)  # fmt: skip
def test_a_bare_budget_keeps_its_amount_in_another_unit(text: str, factor: int, wanted: int, expected: str) -> None:
    assert budget.in_unit(text, factor, wanted) == expected


@pytest.mark.parametrize(
    ("text", "currency"),
    [("abc", "CNY"), ("-5", "CNY"), ("30.000", "EUR"), ("30,000", "EUR"), ("250,000", "CNY"), ("25%", "CNY"),
     ("$5000", "CNY")],
)  # fmt: skip
def test_a_budget_that_cannot_be_read_is_refused(text: str, currency: str) -> None:
    with pytest.raises(InputError):
        budget.read(text, 1, currency)


def test_every_cost_category_and_payer_has_its_colour() -> None:
    assert set(charts.GROUP_OF) == set(CATEGORIES)
    assert set(charts.GROUP_OF.values()) == set(charts.GROUP_COLOURS)
    assert set(charts.PAYER_COLOURS) == set(PAYERS)
    assert len(set(charts.GROUP_COLOURS.values())) == len(charts.GROUP_COLOURS)


@pytest.mark.parametrize("split", [sections.BY_CATEGORY, sections.BY_PAYER])
def test_the_parts_of_each_bar_add_up_to_the_total_cost(split: charts.Split, outcome: solve.Outcome) -> None:
    assert outcome.comparison is not None
    planned = charts.planned(outcome.comparison)
    assert planned
    for _, plan in planned:
        assert sum(charts.parts(plan, split).values()) == pytest.approx(plan.totals.nominal, rel=1e-9)


@pytest.mark.parametrize(("lang", "unit"), [("zh", "万元"), ("en", "1,000 CNY")])
def test_the_axis_states_its_unit(lang: str, unit: str, outcome: solve.Outcome) -> None:
    assert outcome.comparison is not None
    chart = charts.stacked(outcome.comparison, sections.BY_PAYER, lambda part: part, "", lang)
    assert chart is not None
    assert unit in json.dumps(chart.to_dict()["encoding"]["x"]["title"], ensure_ascii=False)


def test_shares_among_the_assumptions_read_as_per_cent(quick: Scenario) -> None:
    rows = tables.assumptions(quick, "zh")
    assert rows.loc["购置税率"].iloc[0] == "不含税价的 13%"
    assert tables.assumptions(quick, "en").loc["Electricity tariff"].iloc[0] == "0.7 CNY per kWh"


def test_every_bar_has_two_lines_above_it() -> None:
    assert charts.labelled("A short name", "EUR 5", "en") == "A short name\nEUR 5"
    long = "D Four professional cards (4 x 20-32 GB, data parallel), 2 machines"
    assert charts.labelled(long, "EUR 5", "en") == (
        "D Four professional cards (4 x 20-32 GB, data parallel),\n2 machines: EUR 5"
    )


def test_a_long_name_is_broken_into_lines_of_the_given_width() -> None:
    assert charts.wrapped("four cards in one box", 10) == "four cards\nin one box"
    assert charts.wrapped("四卡专业工作站", 6) == "四卡专\n业工作\n站"


def test_the_purchase_lines_add_up_to_the_total_of_the_headline(outcome: solve.Outcome) -> None:
    amounts = [float(text.replace(",", "")) for text in tables.purchases(outcome.plan, "en").iloc[:, 3]]
    assert sum(amounts[:-1]) == pytest.approx(amounts[-1], abs=0.005)
    assert amounts[-1] == pytest.approx(purchase_total(outcome.plan), abs=0.005)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_workbook_of_the_page_opens(lang: str, outcome: solve.Outcome) -> None:
    book = openpyxl.load_workbook(io.BytesIO(downloads.workbook_bytes(outcome, lang)))
    assert len(book.sheetnames) > 3


def test_the_workbook_of_the_page_holds_what_was_worked_out_before(outcome: solve.Outcome) -> None:
    """The budget curve of another page stands in the sheet of risk; without it the sheet says so."""
    assert downloads.risk_of(outcome, (), ()) is None
    points = frontier(outcome.plan, shares=(1.0, 1.1), time_limit_s=10)
    risk = downloads.risk_of(outcome, None, points)
    assert risk is not None and [row.budget for row in risk.frontier] == sorted(p.budget for p in points)
    books = [openpyxl.load_workbook(io.BytesIO(downloads.workbook_bytes(outcome, "en", r))) for r in (None, risk)]
    cells = [{c.value for sheet in book for row in sheet.iter_rows() for c in row} for book in books]
    larger = max(p.budget for p in points)
    assert larger in cells[1] and larger not in cells[0]


def test_how_a_job_runs_is_said_where_it_is_not_one_card_of_its_own(outcome: solve.Outcome) -> None:
    plan = outcome.plan
    (way,) = {a.strategy for a in plan.assignments}
    assert rivals.unusual(plan, [replace(way, kind="single", cards=1)], "en") == ""
    four = rivals.unusual(plan, [replace(way, kind="ddp", cards=4)], "en")
    assert four.startswith("4 x ") and four.endswith("in parallel")
    assert "共用" in rivals.unusual(plan, [replace(way, kind="shared", cards=1, sharers=2)], "zh")


def test_the_command_line_gives_the_sentences_of_the_page(quick: Scenario, capsys: pytest.CaptureFixture[str]) -> None:
    """A budget that is more than enough: what the work itself needs is said alike by all."""
    scenario = with_changes(quick, objective="budget", budget=100_000.0)
    page = solve.compute(scenario, load_catalog(), lambda step, about: None)
    assert page.need is not None
    code, stdout, _ = call(capsys, "plan", QUICK, "--objective", "budget", "--budget", "100000", "--json", "-")
    record = json.loads(stdout)
    assert code == 0
    for lang in LANGUAGES:
        told = answer(page.plan, page.comparison, lang, need=page.need, conflict=page.conflict)
        assert record["answer"][lang] == told
        words = call(capsys, "plan", QUICK, "--objective", "budget", "--budget", "100000", "--lang", lang)[1]
        assert words.split("\n\n")[0].splitlines() == told
    assert any("The work itself needs only" in text for text in record["answer"]["en"])
    assert json.loads(downloads.record_bytes(page))["enough"] == record["enough"]


def test_the_options_show_both_shares_the_use_of_the_cards_and_the_pace(outcome: solve.Outcome) -> None:
    rows = tables.options(outcome.comparison, "en")
    assert [c for c in rows.columns if c in (
        "Must / wanted", "Card use", "Pace set by")] == ["Must / wanted", "Card use", "Pace set by"]  # fmt: skip
    chosen = rows[[str(i).startswith("**") for i in rows.index]].iloc[0]
    assert chosen["Must / wanted"] == "100 % / —"


def test_a_price_in_another_currency_shows_its_rate(outcome: solve.Outcome) -> None:
    shown = [str(text) for text in tables.purchases(outcome.plan, "en")["Kind of price"]]
    foreign = [p for p in bought_parts(outcome.plan) if p.price.currency != "CNY"]
    assert foreign
    assert sum(" x " in text for text in shown) >= len(foreign)


def test_the_record_of_the_page_is_the_plan(outcome: solve.Outcome) -> None:
    record = json.loads(downloads.record_bytes(outcome))
    assert record["schema"] == "hwcost.plan/1"
    assert record["totals"]["nominal"] == pytest.approx(outcome.plan.totals.nominal)
    assert outcome.comparison is not None
    assert [o["letter"] for o in record["options"]] == [r.letter for r in outcome.comparison.results]


def test_markdown_marks_in_a_name_stay_plain() -> None:
    assert plain("*a_b* $5 [x](y)") == r"\*a\_b\* \$5 \[x\](y)"


# --- a configuration put together in the meeting ---


def test_the_recommended_machine_checks_as_the_plan_has_it(outcome: solve.Outcome) -> None:
    (bought,) = outcome.plan.bought
    found = configure.check(configure.of_purchase(bought, outcome.scenario), outcome.scenario, load_catalog())
    assert found.build is not None and found.plan is not None
    assert found.build.id == bought.build.id
    assert purchase_total(found.plan) == purchase_total(outcome.plan)
    assert found.over == pytest.approx(bought.unit_price * bought.nodes - 60_000.0)


def test_more_machines_than_the_budget_buys_are_checked_and_said_to_be_too_many(outcome: solve.Outcome) -> None:
    (bought,) = outcome.plan.bought
    wanted = replace(configure.of_purchase(bought, outcome.scenario), nodes=3)
    found = configure.check(wanted, outcome.scenario, load_catalog())
    assert found.plan is not None and sum(p.nodes for p in found.plan.bought) == 3
    assert found.over == pytest.approx(3 * bought.unit_price - 60_000.0) and found.over > 0


def test_four_cards_in_a_case_for_one_are_refused_with_the_rule(outcome: solve.Outcome) -> None:
    (bought,) = outcome.plan.bought
    wanted = replace(configure.of_purchase(bought, outcome.scenario), cards=4, host="consumer-mid")
    found = configure.check(wanted, outcome.scenario, load_catalog())
    assert found.build is None and found.plan is None
    assert {b.rule for b in found.breaches} & {"card_count", "slots"}
