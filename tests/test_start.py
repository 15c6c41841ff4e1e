"""Answers to scenarios: what follows from them, what never falls, what is kept, and the words that never appear."""

from __future__ import annotations

import copy
import dataclasses
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hwcost import answers_io
from hwcost.answers_io import answers_from_dict, bundled_answers, load_answers
from hwcost.case import prepare
from hwcost.catalog import load_catalog
from hwcost.engine import solve_case
from hwcost.errors import InputError
from hwcost.memory import job_memory, largest_micro_batch
from hwcost.messages import texts
from hwcost.records import Catalog
from hwcost.scenario_io import bundled_scenarios, scenario_from_dict
from hwcost.scenario_text import scenario_text
from hwcost.start import QUESTIONS, Started, comment_keys, reference_build, start
from hwcost.steptime import step_time
from hwcost.strategies import evaluate

MEETINGS = ("meeting-1-cn", "meeting-2-eu", "meeting-3-owned")
LEAST: dict[str, Any] = {"schema": "hwcost.answers/1", "region": "CN", "id": "lab"}
FORBIDDEN = re.compile(r"flop|bytes|kernel|launch|moved|浮点|字节|内核", re.IGNORECASE)


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


def begin(catalog: Catalog, **answers: Any) -> Started:
    return start(answers_from_dict({**LEAST, **answers}, catalog, "lab.toml"), catalog)


def faults(catalog: Catalog, **answers: Any) -> dict[str, str]:
    """Codes by column of a document that is refused."""
    with pytest.raises(InputError) as caught:
        begin(catalog, **answers)
    return {problem.column: problem.code for problem in caught.value.problems}


# --- the three meetings ---


@pytest.mark.parametrize("name", MEETINGS)
def test_the_answers_of_a_meeting_give_a_scenario_whose_plan_is_proven(name: str, catalog: Catalog) -> None:
    started = start(load_answers(name, catalog), catalog)
    plan = solve_case(prepare(started.scenario, catalog))
    assert plan.status == "proven_optimal"
    assert plan.served_share(must=True) == pytest.approx(1.0)


def test_meeting_1_spends_a_lapsing_fund_on_people_at_once(catalog: Catalog) -> None:
    scenario = start(load_answers("meeting-1-cn", catalog), catalog).scenario
    assert (scenario.budget, scenario.currency, scenario.objective) == (250_000, "CNY", "budget")
    plan = solve_case(prepare(scenario, catalog))
    net = sum(p.nodes * p.build.price_net for p in plan.bought)
    assert 0.8 * 250_000 <= net * 1.13 <= 250_000
    assert sum(plan.people.values()) >= 6
    on_sale = {row.item_id for row in catalog.availability if (row.region, row.status) == ("CN", "on_sale")}
    assert {p.build.card.id for p in plan.bought} <= on_sale


def test_meeting_2_keeps_the_tax_and_the_quiet_room(catalog: Catalog) -> None:
    scenario = start(load_answers("meeting-2-eu", catalog), catalog).scenario
    assert scenario.budget == 30_000 and scenario.budget_tax_included and scenario.currency == "EUR"
    assert scenario.budget / (1 + scenario.tax_rate) == pytest.approx(25_210, abs=1)
    assert scenario.noise_limit_dba == 55


def test_meeting_3_keeps_what_it_owns_and_what_it_timed(catalog: Catalog) -> None:
    started = start(load_answers("meeting-3-owned", catalog), catalog)
    machine = started.scenario.owned[0]
    assert (machine.card_id, machine.cards, machine.storage_id) == ("rtx-3090", 2, "sata-4tb")
    assert catalog.psus[machine.psu_id].watts_high_line == 1000
    unet = started.scenario.workloads[1]
    here = evaluate(started.scenario, unet, reference_build(started.scenario, catalog), 1)
    assert here.hours_per_run == pytest.approx(2.67, rel=1e-6)


@pytest.mark.parametrize("name", MEETINGS)
def test_the_text_loads_back_to_the_same_scenario_with_the_answers(name: str, catalog: Catalog) -> None:
    started = start(load_answers(name, catalog), catalog)
    comments = {key: ["an answer"] for key in comment_keys(started)}
    data = tomllib.loads(scenario_text(started.document, comments, ["a head"]))
    loaded = scenario_from_dict(data, catalog)
    assert loaded.sha256 == started.scenario.sha256
    assert loaded.answers == started.document["answers"]
    assert loaded.answers["given"] == tomllib.loads(bundled_answers()[name].read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", sorted(bundled_scenarios()))
def test_every_bundled_scenario_survives_being_written_and_read(name: str, catalog: Catalog) -> None:
    data = tomllib.loads(bundled_scenarios()[name].read_text(encoding="utf-8"))
    again = tomllib.loads(scenario_text(data))
    assert again == data
    assert scenario_from_dict(again, catalog).sha256 == scenario_from_dict(data, catalog).sha256


def test_answers_are_no_figure_of_the_scenario(catalog: Catalog) -> None:
    document = begin(catalog).document
    without = {key: value for key, value in document.items() if key != "answers"}
    assert scenario_from_dict(without, catalog).sha256 == scenario_from_dict(document, catalog).sha256


SCALARS = st.one_of(st.booleans(), st.integers(-(2**60), 2**60), st.floats(allow_nan=False, allow_infinity=False),
                    st.text(st.characters(exclude_categories=("Cs",))), st.dates())  # fmt: skip
DOCUMENTS = st.dictionaries(
    st.text(st.characters(exclude_categories=("Cs",)), min_size=1),
    st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.text(st.characters(exclude_categories=("Cs",)), min_size=1), inner, max_size=3), max_leaves=8),
    max_size=4,
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(document=DOCUMENTS)
def test_any_document_is_written_so_that_it_reads_back(document: dict[str, Any]) -> None:
    assert tomllib.loads(scenario_text(document)) == document


def test_a_comment_on_a_key_that_is_not_there_is_refused() -> None:
    with pytest.raises(KeyError, match="not-there"):
        scenario_text({"a": 1}, {"not-there": ["x"]})


# --- don't know ---


def unknown_everywhere() -> dict[str, Any]:
    """A document that answers every question with "don't know"."""
    document: dict[str, Any] = {}
    for question in QUESTIONS:
        for key in question.keys:
            *tables, last = key.split(".")
            target = document
            for table in tables:
                target = target.setdefault(table, [{}] if table in ("fund", "train") else {})
                target = target[0] if isinstance(target, list) else target
            target[last] = "?"
    document["own"] = "?"
    return document


@pytest.mark.parametrize("answers", [{}, unknown_everywhere()], ids=["nothing said", "don't know"])
def test_not_knowing_anything_still_gives_a_plan_and_lists_every_default(
    answers: dict[str, Any], catalog: Catalog
) -> None:
    started = begin(catalog, **copy.deepcopy(answers))
    assert {item.origin for item in started.items} <= {"default", "unknown"}
    assert {item.question for item in started.items} == set(range(1, 13))
    assert {row["name"] for row in started.document["answers"]["assumption"]} == {
        field.name for field in dataclasses.fields(answers_io.Rules)
    }
    assert all(row["kind"] == "estimate" for row in started.document["answers"]["derived"])
    assert solve_case(prepare(started.scenario, catalog)).status == "proven_optimal"


def test_dont_know_is_told_from_no_answer(catalog: Catalog) -> None:
    started = begin(catalog, people={"total": "不知道"})
    origins = {item.key: item.origin for item in started.items if item.question == 3}
    assert (origins["people.total"], origins["people.at_once"]) == ("unknown", "default")


def test_every_figure_that_became_part_of_the_scenario_stands_there(catalog: Catalog) -> None:
    for name in MEETINGS:
        started = start(load_answers(name, catalog), catalog)
        for item in started.items:
            if item.becomes and not item.becomes.endswith(("anchor", "tile")):
                assert answers_io._at(started.document, item.becomes) == item.value, item.becomes


# --- what never falls ---


def demand_of(started: Started) -> tuple[float, ...]:
    hours = started.hours
    return (sum(job.runs_per_year for job in started.jobs), hours.busy_card_hours, hours.held_card_hours,
            hours.wall_hours, started.at_once, started.cards_for_all)  # fmt: skip


TRAINED = st.fixed_dictionaries(
    {"what": st.sampled_from(("HybridSN, Indian Pines", "SSRN, Indian Pines"))},
    optional={"people": st.integers(1, 10), "papers": st.integers(1, 9), "epochs": st.integers(1, 300),
              "batch": st.integers(1, 512)},
)  # fmt: skip
TILED = st.fixed_dictionaries(
    {"what": st.just("U-Net 256x256x200"), "tiles": st.integers(1, 5000), "epochs": st.integers(1, 100)},
    optional={"papers": st.integers(1, 5), "runs_per_week": st.integers(1, 5)},
).filter(lambda training: not {"papers", "runs_per_week"} <= training.keys())


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(people=st.integers(1, 30), patches=st.lists(TRAINED, max_size=2), tiles=TILED,
       doubled=st.sampled_from(("people", "papers", "tiles", "epochs")))  # fmt: skip
def test_twice_the_people_papers_tiles_or_epochs_never_lowers_demand(
    people: int, patches: list[dict[str, Any]], tiles: dict[str, Any], doubled: str, catalog: Catalog
) -> None:
    trainings = [*patches, tiles]
    more = [{**t, doubled: 2 * t[doubled]} if doubled in t else t for t in trainings]
    now = begin(catalog, people={"total": people}, train=trainings)
    then = begin(catalog, people={"total": 2 * people if doubled == "people" else people}, train=more)
    for before, after in zip(demand_of(now), demand_of(then), strict=True):
        assert after >= before * (1 - 1e-12)


# --- the two examples ---


def test_ten_students_on_hybridsn_need_cards_for_people_not_for_computing(catalog: Catalog) -> None:
    started = begin(catalog, people={"total": 10}, train=[{"what": "HybridSN, Indian Pines"}])
    job = started.jobs[0]
    assert job.runs_per_year == 10 * 675 == 6750
    steps = -(-round(0.3 * 10249 + 0.5) // 256) * 100
    assert started.scenario.workloads[0].steps_per_run == steps == 1300
    assert 60 < job.hours_per_run * 3600 < 120  # one to two minutes
    assert started.hours.busy_card_hours == pytest.approx(170, rel=0.1)
    assert started.hours.held_card_hours == 10 * 20 * 46 == 9200
    assert (started.at_once, job.per_card, started.cards_for_all) == (6, 2, 3)


def test_a_unet_on_large_tiles_needs_storage_before_it_needs_a_card(catalog: Catalog) -> None:
    started = begin(catalog, train=[{"what": "U-Net 512x512x200", "batch": 8, "tiles": 5000}])
    unet = started.scenario.workloads[0]
    tile_bytes = 512 * 512 * 200 * 2
    assert 8 * unet.input_bytes_per_sample == 8 * tile_bytes == pytest.approx(0.84e9, rel=0.01)
    assert unet.dataset_bytes == 5000 * tile_bytes == pytest.approx(0.52e12, rel=0.01)
    for card, seconds in (("rtx-a5500", 0.20), ("rtx-6000-ada", 0.08)):
        step = step_time(unet, catalog.cards[card], 8, storage_mb_s=3000)
        compute = max(step.compute_ms, step.bandwidth_ms) / 1000
        assert 0.6 * seconds < compute < 1.4 * seconds
        assert step.bound == "storage" and step.total_ms == pytest.approx(8 * tile_bytes / 3e9 * 1000)


def test_figures_of_the_start_page_are_those_of_the_program(catalog: Catalog) -> None:
    page = (Path(__file__).parent.parent / "docs" / "start.md").read_text(encoding="utf-8")
    started = begin(catalog, people={"total": 10}, train=[{"what": "HybridSN, Indian Pines"}])
    assert f"| {started.jobs[0].hours_per_run * 3600:.0f} s |" in page
    assert f"| {started.hours.busy_card_hours:.0f} | 90 s" in page
    assert f"| {job_memory(started.scenario.workloads[0], 256).total_mib / 1024:.1f} GiB | the paper" in page
    unet = begin(catalog, train=[{"what": "U-Net 512x512x200", "batch": 8}]).scenario.workloads[0]
    for precision, words in (("amp16", "and the workspace"), ("fp32", "the same 5.6 GiB")):
        need = job_memory(dataclasses.replace(unet, precision=precision), 8).total_mib / 1024
        assert f"| {need:.1f} GiB | {words}" in page
    fp32 = dataclasses.replace(unet, precision="fp32")
    assert f"| 11 | {largest_micro_batch(fp32, catalog.cards['rtx-a5500'], 0.25, 99)} | follows" in page
    two = begin(catalog, people={"total": 2, "at_once": 2}, train=[{"what": "HybridSN, Indian Pines"}])
    _, alone, _ = two.waits[0]
    assert f"says {alone.open_hours:.0f} hours where {alone.hours:.0f} are meant" in page
    for field in dataclasses.fields(answers_io.Rules):
        assert f"`{field.name}`" in page


# --- rules of single questions ---


@pytest.mark.parametrize(
    ("budget", "amount"),
    [
        ({"amount": 25, "unit": "万元"}, 250_000),
        ({"amount": 250_000, "unit": "元"}, 250_000),
        ({"amount": 9500.5}, 9500.5),
    ],
)
def test_a_budget_counts_in_its_own_unit(budget: dict[str, Any], amount: float, catalog: Catalog) -> None:
    assert begin(catalog, budget=budget).scenario.budget == amount


def test_funds_that_may_pay_for_equipment_make_the_budget_where_none_is_stated(catalog: Catalog) -> None:
    funds = [{"pays": ["equipment"], "amount": 100_000}, {"pays": ["services"], "amount": 50_000}, {"amount": 20_000}]
    started = begin(catalog, fund=funds)
    assert started.scenario.budget == 120_000
    assert [(f.id, f.amount, f.pays) for f in started.scenario.funds] == [
        ("fund-1", 100_000, ("equipment",)), ("fund-2", 50_000, ("services",)), ("fund-3", 20_000, ("equipment",)),
    ]  # fmt: skip


def test_funds_that_are_smaller_than_the_budget_are_told(catalog: Catalog) -> None:
    started = begin(catalog, budget={"amount": 25, "unit": "万元"}, fund=[{"amount": 20}, {"pays": ["services"]}])
    assert {note.code: note.values for note in started.notes}["funds_below"] == {"funds": 200_000, "budget": 250_000}


def test_the_first_date_of_an_equipment_fund_sets_the_goal(catalog: Catalog) -> None:
    funds = [{"spend_by": "?"}, {"pays": ["services"], "spend_by": tomllib.loads("d=2099-01-01")["d"]}]
    assert begin(catalog, budget={"amount": 1e5}, fund=funds).scenario.objective == "serve"
    funds[0]["spend_by"] = tomllib.loads("d=2099-12-31")["d"]
    assert begin(catalog, budget={"amount": 1e5}, fund=funds).scenario.objective == "budget"


def test_a_timed_run_changes_every_prediction_by_one_factor_and_says_transferred(catalog: Catalog) -> None:
    def ways(hours: float) -> list[Any]:
        now = {"hours": hours, "card": "3090"}
        scenario = begin(catalog, train=[{"what": "U-Net 512x512x200", "now": now}]).scenario
        case = prepare(scenario, catalog)
        startup = scenario.workloads[0].startup_s / 3600
        return [(w.build_id, w.cards, w.evidence, w.hours_per_run - startup) for w in case.strategies.feasible]

    one, two = ways(4.0), {way[:2]: way for way in ways(8.0)}
    single = [way for way in one if way[1] == 1 and way[:2] in two]
    assert len(single) > 10 and {way[2] for way in one} == {"transferred"}
    startup = 60 / 3600
    for way in single:
        assert two[way[:2]][3] / way[3] == pytest.approx((8.0 - startup) / (4.0 - startup))


def test_the_campus_rate_is_priced_for_the_busy_hours_and_only_noted(catalog: Catalog) -> None:
    started = begin(catalog, campus={"available": True, "price_per_card_hour": 5})
    note = next(note for note in started.notes if note.code == "campus")
    assert note.values["cost"] == pytest.approx(5 * started.hours.busy_card_hours)


def test_people_who_share_cards_are_noted_and_the_plan_counts_one_card_each(catalog: Catalog) -> None:
    started = begin(catalog, people={"total": 10}, train=[{"what": "HybridSN, Indian Pines", "people_per_card": 3}])
    note = next(note for note in started.notes if note.code == "sharing")
    assert note.values == {"cards": 2, "people": 6}
    assert started.scenario.workloads[0].people_at_once == 6


def test_a_rule_of_thumb_may_be_replaced(catalog: Catalog) -> None:
    started = begin(catalog, people={"total": 2}, train=[{"what": "U-Net 512x512x200"}],
                    assumption={"tiles_runs_per_paper": 10})  # fmt: skip
    assert started.jobs[0].runs_per_year == 20


# --- faults ---


def test_all_faults_of_the_answers_are_told_at_once_with_their_place(catalog: Catalog) -> None:
    assert faults(
        catalog,
        budget={"amount": -1, "unit": "dollars"},
        people={"total": 3, "at_once": 4},
        train=[{"what": "U-Net", "papers": 1, "runs_per_year": 5, "now": {"hours": 2}}],
        place={"wher": "lab"},
        assumption={"at_once_share": 2},
    ) == {
        "budget.unit": "scenario_unknown_word", "budget.amount": "scenario_out_of_range",
        "people.at_once": "scenario_out_of_range", "train[1].runs_per_year": "scenario_two_ways",
        "train[1].now.card": "answers_anchor_incomplete", "place.wher": "scenario_unknown_key",
        "assumption.at_once_share": "scenario_out_of_range",
    }  # fmt: skip


def test_names_that_mean_nothing_or_several_things_are_refused(catalog: Catalog) -> None:
    found = faults(
        catalog,
        train=[{"what": "zzz"}, {"what": "U-Net 512x512x200", "now": {"hours": 1, "card": "PRO 6000"}}],
        own=[{"card": "RTX 9999"}, {"card": "3090", "host": "nowhere"}],
    )
    assert found == {
        "train[1].what": "answers_training_unknown", "train[2].now.card": "answers_card_several",
        "own[1].card": "answers_card_unknown", "own[2].host": "answers_host_unknown",
    }  # fmt: skip


def test_a_fifth_training_and_a_fourth_fund_are_refused(catalog: Catalog) -> None:
    found = faults(catalog, train=[{"what": "HybridSN"}] * 5, fund=[{"name": "f"}] * 4)
    assert found == {"train": "answers_too_many", "fund": "answers_too_many"}


def test_a_date_that_has_passed_is_refused(catalog: Catalog) -> None:
    past = tomllib.loads("d=2001-01-01")["d"]
    assert faults(catalog, fund=[{"spend_by": past}]) == {"fund[1].spend_by": "answers_spend_by_past"}


# --- words ---


def test_no_question_field_or_word_of_the_form_speaks_of_what_a_network_costs() -> None:
    keys = [key for question in QUESTIONS for key in question.keys]
    for record in (answers_io.Answers, answers_io.Training, answers_io.Now, answers_io.Owned, answers_io.Fund):
        keys += [field.name for field in dataclasses.fields(record)]
    words = [text for key, entry in texts().items() if key.startswith("start.") for text in entry.values()]
    words += [path.read_text(encoding="utf-8") for path in bundled_answers().values()]
    assert not [word for word in [*keys, *words] if FORBIDDEN.search(word)]


def test_there_are_twelve_questions_each_with_its_words() -> None:
    assert [question.number for question in QUESTIONS] == list(range(1, 13))
    for question in QUESTIONS:
        for key in (f"start.q{question.number}", f"start.q{question.number}.changes"):
            assert set(texts()[key]) == {"en", "zh"}
