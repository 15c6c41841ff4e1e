"""Each repair as figures of the document: the scenario after one press is the one that was solved and priced."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from hwcost import explain, money_rules
from hwcost.case import prepare
from hwcost.catalog import load_catalog
from hwcost.engine import solve_case
from hwcost.explain import Conflict, Pair, Repair
from hwcost.funds import USE_OF
from hwcost.records import Catalog
from hwcost.repairs import apply
from hwcost.scenario import Scenario
from hwcost.scenario_io import scenario_from_dict, scenario_sha256
from hwcost.tiles import Tile, tile_figures
from hwcost.web import fixes
from hwcost.web.documents import Document, put

DOCUMENT: Document = {
    "schema": "hwcost.scenario/1", "id": "t", "region": "CN", "horizon_years": 3, "as_of": date(2026, 11, 30),
    "objective": "serve", "staff": {"hours_limit_per_year": 10.0},
    "budget": {"running_per_year": 500.0},
    "storage": {"ids": ["sata-4tb"]},
    "purchase": {"lead_weeks": 10, "stock": {"rtx-a5500": 1}, "min_order": {"rtx-4090": 5}, "upgrades": False},
    "fund": [
        {"id": "e", "amount": 100_000.0, "pays": ["equipment"], "spend_by": date(2026, 12, 31)},
        {"id": "s", "per_year": [100.0, 200.0, 300.0], "pays": ["services"]},
    ],
    "service": [{"id": "hpc", "rental": "campus-cn-80gb", "quota_card_hours_per_year": 10.0}],
    "workload": [{"id": "w", "preset": "hybridsn-ip", "runs_per_year": 100.0, "people_at_once": 1, "epochs": 100}],
}  # fmt: skip


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


def repair(rule: str, subject: str, after: float, unit: str = "") -> Repair:
    return Repair(rule, subject, 0.0, after, unit, 0.0, 0.0)


def pressed(found: Repair, catalog: Catalog, document: Document = DOCUMENT) -> tuple[Scenario, Scenario]:
    """The scenario before and after the press."""
    before = scenario_from_dict(document, catalog, "t")
    fields = fixes.changes(found, before, document, catalog)
    assert fields, found.rule
    return before, scenario_from_dict(put(document, fields), catalog, "t")


def same(after: Scenario, wanted: Scenario) -> bool:
    return scenario_sha256(after) == scenario_sha256(wanted)


@pytest.mark.parametrize(
    ("rule", "after", "field"),
    [("running_budget", 900.0, "running_budget_per_year"), ("staff_hours", 40.0, "staff_hours_limit_per_year")],
)
def test_a_yearly_limit_becomes_what_the_sentence_says(rule: str, after: float, field: str, catalog: Catalog) -> None:
    before, made = pressed(repair(rule, "", after), catalog)
    wanted: dict[str, Any] = {field: after}
    assert same(made, replace(before, **wanted)) and same(made, apply(before, repair(rule, "", after)))


@pytest.mark.parametrize("rule", ["stock", "min_order"])
def test_stock_and_least_orders_are_taken_away(rule: str, catalog: Catalog) -> None:
    before, made = pressed(repair(rule, "", 0.0), catalog)
    assert same(made, explain.lift(before, explain.RuleInstance(rule)))


def test_a_quota_grows_to_the_hours_asked_for(catalog: Catalog) -> None:
    _, made = pressed(repair("service_quota", "hpc", 321.0), catalog)
    assert made.services[0].quota_card_hours_per_year == 321.0


def test_a_fund_grows_and_arrives_at_once(catalog: Catalog) -> None:
    before, made = pressed(repair("fund", "s", 5000.0), catalog)
    assert before.funds[1].amount == 600.0
    assert (made.funds[1].amount, made.funds[1].per_year) == (5000.0, ())


def test_a_fund_may_pay_for_more(catalog: Catalog) -> None:
    before, made = pressed(repair("fund_pays", "s:consumables", 0.0), catalog)
    assert same(made, money_rules.widened(before, "consumables", "s"))


def test_the_university_pays_what_no_fund_may(catalog: Catalog) -> None:
    document = put(DOCUMENT, {"payers": {"energy": "lab"}})
    before, made = pressed(repair("fund_use", "consumables", 0.0), catalog, document)
    assert before.payers["energy_busy"] == "lab" and made.payers["energy_busy"] == "university"
    assert made.payers == money_rules.paid_elsewhere(before, "consumables", USE_OF).payers


def test_the_last_day_moves_to_the_delivery(catalog: Catalog) -> None:
    _, made = pressed(repair("spend_by", "", 70.0, "day"), catalog)
    assert made.funds[0].spend_by == date(2027, 2, 8)  # 70 days after 30 November 2026
    assert made.funds[1].spend_by is None


def test_a_disk_named_fast_may_be_bought_beside_those_named(catalog: Catalog) -> None:
    _, made = pressed(repair("nvme", "", 8.0, "TB"), catalog)
    local = {s.id for s in catalog.storage.values() if s.tier == "nvme" and s.local}
    assert local and set(made.storage_ids) == {"sata-4tb"} | local


@pytest.mark.parametrize(
    ("rule", "field", "value"),
    [("checkpointing", "checkpointing", True), ("share", "sharers", 2), ("amp", "precision", "amp16")],
)
def test_a_change_of_the_work_is_a_figure_of_the_job(rule: str, field: str, value: Any, catalog: Catalog) -> None:
    before, made = pressed(repair(rule, "w", 0.0), catalog)
    wanted: dict[str, Any] = {field: value}
    assert same(made, explain_changed(before, wanted))


def explain_changed(scenario: Scenario, fields: dict[str, Any]) -> Scenario:
    return replace(scenario, workloads=tuple(replace(w, **fields) for w in scenario.workloads))


def test_money_by_year_comes_at_the_start_or_keeps_its_proportions(catalog: Catalog) -> None:
    document = put({**DOCUMENT, "fund": []}, {"budget.per_year": [60_000.0, 40_000.0]})
    before, made = pressed(repair("equipment_year", "", 0.0), catalog, document)
    assert before.budget == made.budget == 100_000.0 and made.equipment_per_year == ()
    more = scenario_from_dict(put(document, fixes.budget_changes(document, 200_000.0, True)), catalog, "t")
    assert more.equipment_per_year == (120_000.0, 80_000.0) and more.budget == 200_000.0
    none = scenario_from_dict(put(document, fixes.budget_changes(document, None, True)), catalog, "t")
    assert none.equipment_per_year == () and none.budget is None
    _, repaired = pressed(repair("budget", "", 150_000.0), catalog, document)
    assert repaired.budget == 150_000.0 and repaired.equipment_per_year == ()


# --- smaller tiles ---

TILES = {"id": "t", "preset": "unet-512x512x200-b64", "runs_per_year": 60.0, "batch": 8, "steps_per_run": 900.0,
         "dataset_gb": 40.0}  # fmt: skip
MIB = 2**20


def with_job(row: dict[str, Any]) -> Document:
    return {**DOCUMENT, "workload": [row]}


def test_half_the_side_of_a_catalog_tile_is_the_network_of_the_catalog_on_that_tile(catalog: Catalog) -> None:
    _, made = pressed(repair("tiles", "t", 256.0, "pixel"), catalog, with_job(TILES))
    job, row = made.workloads[0], catalog.networks["unet-256x256x200-b64"]
    assert job.input_bytes_per_sample / MIB == row.input_mib_per_sample == 25
    assert job.saved_bytes_per_sample / MIB == pytest.approx(row.saved_mib_per_sample, rel=1e-3)
    assert job.largest_saved_bytes_per_sample / MIB == pytest.approx(row.largest_saved_mib_per_sample)
    assert job.forward_flop_per_sample / 1e9 == pytest.approx(row.forward_gflop_per_sample, rel=1e-3)
    assert job.loader_ms_per_sample == row.loader_ms_per_sample
    assert (job.params, job.batch, job.dataset_bytes) == (row.params, 8, 40e9)
    assert job.steps_per_run == 900 * 4  # as many pixels in all


def test_a_second_press_goes_on_from_the_smaller_tile(catalog: Catalog) -> None:
    first = with_job(TILES)
    before = scenario_from_dict(first, catalog, "t")
    second = put(first, fixes.changes(repair("tiles", "t", 256.0, "pixel"), before, first, catalog))
    _, made = pressed(repair("tiles", "t", 128.0, "pixel"), catalog, second)
    assert made.workloads[0].input_bytes_per_sample == 128 * 128 * 200 * 2
    assert made.workloads[0].steps_per_run == 900 * 16


@pytest.mark.parametrize("base", [64, 32])
def test_a_job_that_describes_its_tile_gets_a_smaller_one_and_more_of_them(base: int, catalog: Catalog) -> None:
    tile = {"height": 512, "width": 512, "bands": 200, "base": base}
    row = {"id": "t", "tile": tile, "runs_per_year": 60.0, "batch": 8, "epochs": 50, "train_samples": 720}
    before, made = pressed(repair("tiles", "t", 384.0, "pixel"), catalog, with_job(row))
    job, wanted = made.workloads[0], tile_figures(Tile(384, 384, 200, base=base))
    assert "384 x 384" in job.name
    assert job.saved_bytes_per_sample == pytest.approx(wanted.saved_bytes)
    assert job.forward_flop_per_sample == pytest.approx(wanted.forward_flop)
    # 720 tiles are 1,280 of 9/16 the size: 160 steps of 8 an epoch
    assert job.steps_per_run == 160 * 50
    assert job.dataset_bytes == pytest.approx(before.workloads[0].dataset_bytes)


def test_an_epoch_that_does_not_come_out_even_is_told_in_steps(catalog: Catalog) -> None:
    row = {**TILES, "epochs": 10, "train_samples": 100}
    del row["steps_per_run"]
    before, made = pressed(repair("tiles", "t", 384.0, "pixel"), catalog, with_job(row))
    assert before.workloads[0].steps_per_run == 130
    assert made.workloads[0].steps_per_run == pytest.approx(130 * 16 / 9)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_time_measured_on_the_old_tiles_is_left_to_people_who_are_told_what_to_do(
    lang: str, catalog: Catalog
) -> None:
    anchor = {"card": "rtx-a5500", "hours_per_run": 20.0}
    document = with_job({**TILES, "anchor": anchor})
    scenario, found = scenario_from_dict(document, catalog, "t"), repair("tiles", "t", 384.0, "pixel")
    assert fixes.changes(found, scenario, document, catalog) == {}
    text = fixes.by_hand(found, scenario, document, catalog, lang)
    assert "384" in text and "hwcost calibrate" in text


# --- which fund ---


def funded(*funds: dict[str, Any], budget: dict[str, Any] | None = None) -> Document:
    return {**DOCUMENT, "fund": list(funds), "budget": budget or {}}


def test_money_that_is_missing_comes_into_the_one_fund_for_equipment(catalog: Catalog) -> None:
    one = {"id": "e", "per_year": [60_000.0, 40_000.0], "pays": ["equipment"]}
    other = {"id": "r", "pays": ["consumables"]}
    document = funded(one, other, budget={"amount": 90_000.0})
    before, made = pressed(repair("budget", "", 123_456.2), catalog, document)
    assert before.budget == 90_000
    assert (made.funds[0].amount, made.funds[0].per_year, made.budget) == (123_457.0, (), 123_457.0)
    _, made = pressed(repair("budget", "", 123_456.2), catalog, funded(one, other))
    assert (made.funds[0].amount, made.budget) == (123_457.0, 123_457.0)


@pytest.mark.parametrize(
    "funds",
    [
        [{"id": "e", "amount": 5e4, "pays": ["equipment"]}, {"id": "f", "amount": 5e4, "pays": ["equipment"]}],
        [{"id": "e", "amount": 5e4, "pays": ["equipment", "consumables"]}],
        [{"id": "e", "amount": 5e4, "pays": ["equipment"], "depreciation_only": True}],
    ],
)
@pytest.mark.parametrize(("lang", "page"), [("zh", "经费与机时"), ("en", "page Money")])
def test_which_fund_pays_the_rest_is_left_to_people_who_are_told_where(
    lang: str, page: str, funds: list[dict[str, Any]], catalog: Catalog
) -> None:
    document = funded(*funds)
    scenario, found = scenario_from_dict(document, catalog, "t"), repair("budget", "", 123_456.0)
    assert fixes.changes(found, scenario, document, catalog) == {}
    assert page in fixes.by_hand(found, scenario, document, catalog, lang)


def test_what_a_press_can_do_needs_no_sentence(catalog: Catalog) -> None:
    scenario = scenario_from_dict(DOCUMENT, catalog, "t")
    assert fixes.by_hand(repair("running_budget", "", 900.0), scenario, DOCUMENT, catalog, "en") == ""


# --- pairs ---


def test_two_changes_of_one_fund_both_hold(catalog: Catalog) -> None:
    scenario = scenario_from_dict(DOCUMENT, catalog, "t")
    pair = Pair(repair("fund_pays", "s:consumables", 0.0), repair("fund_pays", "s:equipment", 0.0))
    fields = fixes.pair_changes(pair, scenario, DOCUMENT, catalog)
    made = scenario_from_dict(put(DOCUMENT, fields), catalog, "t")
    assert set(made.funds[1].pays) == {"services", "consumables", "equipment"}


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_pair_of_which_one_is_for_people_says_which(lang: str, catalog: Catalog) -> None:
    document = funded({"id": "e", "amount": 5e4, "pays": ["equipment", "consumables"]})
    scenario = scenario_from_dict(document, catalog, "t")
    pair = Pair(repair("stock", "", 0.0), repair("budget", "", 90_000.0))
    assert fixes.pair_changes(pair, scenario, document, catalog) == {}
    assert fixes.by_hand(pair, scenario, document, catalog, lang) == fixes.by_hand(
        pair.second, scenario, document, catalog, lang
    )


def test_every_rule_that_can_be_repaired_has_its_figures_or_its_sentence() -> None:
    """The names of the rules, by hand: those of the conflict, and those of the lab."""
    of_conflict = {"distinct_builds", "max_nodes", "noise", "staff_hours", "stock", "min_order", "service_quota",
                   "spend_by", "equipment_year", "running_budget", "fund", "fund_use", "fund_pays", "ecc", "deadline",
                   "people_at_once", "data_stay", "rack_units_total", "circuit", "budget", "demand"}  # fmt: skip
    of_lab = {"amp", "accumulation", "checkpointing", "share", "tiles", "nvme", "upgrades"}
    named = {*fixes.SIZED, *fixes.GIVEN_UP, *fixes.OF_JOB, *fixes.OF_MONEY}
    own = {"budget", "tiles", "nvme", "people_at_once", "circuit", "max_nodes", "distinct_builds", "deadline"}
    assert of_conflict | of_lab == named | own


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_offer_has_a_press_or_a_sentence_and_never_both(lang: str, catalog: Catalog) -> None:
    document = funded({"id": "e", "amount": 5e4, "pays": ["equipment", "consumables"]})
    scenario = scenario_from_dict(document, catalog, "t")
    stock, budget = repair("stock", "", 0.0), repair("budget", "", 90_000.0, "CNY")
    conflict = Conflict((), (stock, budget), True, True, (Pair(stock, budget),))
    found = fixes.offers(conflict, scenario, document, catalog, lang)
    assert [bool(offer.changes) for offer in found] == [True, False, False]
    assert [bool(offer.by_hand) for offer in found] == [False, True, True]
    assert all(offer.text for offer in found)


def test_after_the_press_the_plan_costs_what_the_repair_said(catalog: Catalog) -> None:
    """A batch that no card holds in one piece: each repair is put into the document and solved anew."""
    document = {
        "schema": "hwcost.scenario/1", "id": "t", "region": "CN", "as_of": date(2026, 11, 30), "objective": "cost",
        "choice": {"include_cards": ["rtx-pro-4000-blackwell"]}, "capacity": {"cards_per_node": [1], "max_nodes": 1},
        "workload": [{**TILES, "batch": 32, "accumulation": False, "multi_card": False}],
    }  # fmt: skip
    scenario = scenario_from_dict(document, catalog, "t")
    found = explain.conflict(prepare(scenario, catalog), time_limit_s=5.0)
    assert found is not None and {"tiles", "accumulation"} <= {r.rule for r in found.repairs}
    for one in found.repairs:
        made = scenario_from_dict(put(document, fixes.changes(one, scenario, document, catalog)), catalog, "t")
        plan = solve_case(prepare(made, catalog), "cost")
        assert plan.has_plan and plan.totals.present_value == pytest.approx(one.present_value, abs=0.01), one.rule
