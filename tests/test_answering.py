"""The second answer (what is enough), how far the cards are used, and the words around money and lists."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from small_cases import CARD, DAY, ORIGIN, SCENARIO, WORKLOAD, Small, build, part, way

from hwcost import basis, explain, names, options, record, sentences, use
from hwcost.answering import enough_plan
from hwcost.build import Refusal
from hwcost.engine import solve_case
from hwcost.options import Comparison, OptionResult
from hwcost.plan import Plan
from hwcost.records import Availability, Catalog, FxRate
from hwcost.rules import Breach

ONE_CARD = 10_000.0 + 5_000.0  # net price of a machine with one card
FOUR_CARDS = 4 * 10_000.0 + 9_000.0


def decision(**changes: Any) -> Small:
    """Four people at once (two for a must, two for a want) who run 100 x 10 h each job a year."""
    must = replace(WORKLOAD, id="m", name="U-Net", name_zh="语义分割", people_at_once=2)
    want = replace(WORKLOAD, id="v", name="HybridSN", name_zh="混合网络", people_at_once=2, must=False)
    scenario = replace(SCENARIO, workloads=(must, want), **{"max_nodes": 9, **changes})
    builds = (build("one", CARD, 1, 10_000.0, 5_000.0), build("four", CARD, 4, 10_000.0, 9_000.0))
    return Small(scenario, builds, tuple(way(w, b.id, 10.0) for w in ("m", "v") for b in builds))


def best(small: Small) -> Plan:
    return solve_case(small.case(), "budget")


# --- what is enough ---


def test_enough_is_the_smallest_purchase_that_does_all_the_work_with_all_its_people() -> None:
    plan = best(decision(budget=120_000.0))
    need = enough_plan(plan)
    # four people at once: one machine of four cards; the two of the must alone would need only two of one card
    assert need is not None
    assert names.purchase_total(need) == pytest.approx(FOUR_CARDS * 1.13)
    assert need.people_at_once == 4
    text = sentences.answer(plan, None, "en", need=need)
    expected = "1 x workstation with four Card 24 GB, for 4 people at once."
    assert f"The work itself needs only CNY 55,370 incl. tax: {expected}" in text
    assert any("CNY 120,000 must be used" in t and "instead of 4" in t for t in text)
    assert any(t.startswith("任务本身只需 55,370 元（含税）") for t in sentences.answer(plan, None, "zh", need=need))


def test_where_wanted_work_is_left_out_enough_speaks_of_the_work_that_must_be_done() -> None:
    small = decision(budget=120_000.0)
    small = replace(small, ways=tuple(w for w in small.ways if w.workload_id == "m"))  # nothing runs the want
    plan = best(small)
    need = enough_plan(plan)
    assert need is not None and need.people_at_once == 2
    text = sentences.answer(plan, None, "en", need=need)
    # two people: two machines of one card
    assert any(t.startswith("The work that must be done needs only CNY 33,900 incl. tax") for t in text)
    assert any("for 2 people at once" in t for t in text)
    assert not any("The work itself" in t for t in text)
    found = record.plan_record(plan, need=need)["enough"]
    assert found["everything"] is False


def test_enough_is_data_with_the_same_sentences() -> None:
    plan = best(decision(budget=120_000.0))
    need = enough_plan(plan)
    found = record.plan_record(plan, need=need)
    assert found["enough"]["capex"] == pytest.approx(FOUR_CARDS * 1.13)
    assert found["enough"]["people_at_once"] == 4
    assert [(p["build"], p["nodes"]) for p in found["enough"]["purchases"]] == [("four", 1)]
    assert found["enough"]["present_value"] > found["enough"]["capex"]  # electricity comes on top
    for lang in ("zh", "en"):
        assert found["answer"][lang] == sentences.answer(plan, None, lang, need=need)


@pytest.mark.parametrize("objective", ["serve", "cost"])
def test_other_objectives_have_no_second_answer(objective: str) -> None:
    assert enough_plan(solve_case(decision(budget=120_000.0).case(), objective)) is None


def test_a_budget_that_is_too_small_for_the_musts_has_no_second_answer() -> None:
    assert enough_plan(best(decision(budget=17_000.0))) is None


def test_money_that_is_needed_is_rounded_up_and_equal_in_both_languages() -> None:
    assert names.needed_text(143_739.01, SCENARIO, "en") == "CNY 143,740"
    assert names.needed_text(143_739.01, SCENARIO, "zh") == "143,740 元"
    assert names.needed_text(143_739.0, SCENARIO, "en") == "CNY 143,739"


# --- how far the cards are used ---


def test_utilisation_is_busy_hours_over_the_hours_of_all_cards() -> None:
    plan = solve_case(decision().case(), "serve")
    found = use.utilisation(plan)
    # two jobs x 100 runs x 10 h; the must alone decides: its two people get two machines of one card
    cards = sum(p.nodes * p.build.cards for p in plan.purchases)
    assert found is not None
    assert found.available_card_hours_per_year == cards * 5_000.0
    assert found.card_hours_per_year == pytest.approx(sum(a.card_hours for a in plan.assignments) / 3)
    row = record.plan_record(plan)["utilisation"]
    assert row["share"] == pytest.approx(row["card_hours_per_year"] / (cards * 5_000.0))


def test_the_answer_says_early_how_little_the_jobs_compute_and_what_decides_the_number_of_cards() -> None:
    small = decision()
    scenario = replace(small.scenario, workloads=small.scenario.workloads[:1])
    alone = Small(scenario, small.builds, tuple(w for w in small.ways if w.workload_id == "m"))
    text = sentences.answer(solve_case(alone.case(), "serve"), None, "en")
    # 100 runs x 10 h = 1,000 of 2 x 5,000
    assert text[1] == (
        "These jobs take about 1,000 card-hours a year, 10 % of what the cards could give (busy hours only); "
        "the number of cards follows from 2 people at once."
    )


def test_cards_that_nobody_needs_at_once_are_counted_and_never_recommended_as_needed() -> None:
    plan = best(decision(budget=120_000.0))
    cards = sum(p.nodes * p.build.cards for p in plan.purchases)
    assert cards == 8 and use.free_cards(plan) == 4
    text = sentences.answer(plan, None, "en")
    assert any(t.endswith("cards that stay free in the busiest week: 4 of 8.") for t in text)
    assert any("4 people at once use 4 cards; more cards only shorten the queue." in t for t in text)
    assert not any("Choose 8 cards" in t for t in text)


def test_the_pace_is_that_of_the_slowest_job_and_data_is_named() -> None:
    plan = solve_case(decision().case(), "serve")
    assert names.pace_text(plan, "en") == "compute"
    slow = tuple(replace(a, strategy=replace(a.strategy, bound="storage")) for a in plan.assignments[:1])
    waiting = replace(plan, assignments=(*slow, *plan.assignments[1:]))
    assert names.pace_text(waiting, "en") == "waits for data"
    assert names.pace_text(waiting, "zh") == "等待数据"


def test_both_shares_of_the_work_are_shown() -> None:
    small = decision(budget=120_000.0)
    assert names.shares_text(best(small), "en") == "100 % / 100 %"
    only_must = replace(small, ways=tuple(w for w in small.ways if w.workload_id == "m"))
    assert names.shares_text(best(only_must), "en") == "100 % / 0 %"


# --- money in words ---


def test_a_plan_without_tax_says_so() -> None:
    small = decision(tax_rate=0.0, budget=120_000.0)
    text = sentences.answer(best(small), None, "en")[0]
    assert "(no tax)" in text and "incl. tax" not in text
    assert "不计税" in sentences.answer(best(small), None, "zh")[0]


def test_cash_leaves_out_own_hours_only_where_there_are_any() -> None:
    small = decision(staff_hours_per_node_year=10.0, staff_wage_per_hour=100.0, payers={"staff": "non_cash"})
    plan = solve_case(small.case(), "cost")
    nodes = sum(p.nodes for p in plan.purchases)
    cash = names.cash_total(plan)
    assert cash == pytest.approx(plan.totals.nominal - 3 * nodes * 10.0 * 100.0)
    assert record.plan_record(plan)["totals"]["cash"] == pytest.approx(cash)
    assert names.cash_total(solve_case(decision().case(), "cost")) is None


def dollars(plan: Plan) -> Plan:
    """The plan with a catalog whose dollar rate is an estimate, and a card priced in dollars."""
    rate = FxRate("USD", "CNY", 7.1, DAY, "planning value", replace(ORIGIN, kind="estimate"))
    judged = Availability(CARD.id, "CN", "on_sale", DAY, "judged", "", replace(ORIGIN, kind="estimate"))
    case = replace(plan.case, catalog=Catalog(fx=(rate,), availability=(judged,)))

    def priced(p: Any) -> Any:
        price = replace(p.price, currency="USD", amount=1_546.0)
        return replace(p, price=price, fx_rate=7.1) if p.role == "card" else p

    purchases = tuple(
        replace(p, build=replace(p.build, parts=tuple(priced(x) for x in p.build.parts))) for p in plan.purchases
    )
    return replace(plan, case=case, purchases=purchases)


def test_a_converted_price_shows_amount_and_rate() -> None:
    plan = dollars(solve_case(decision().case(), "cost"))
    card, host = plan.purchases[0].build.parts
    assert names.converted_text(card, plan.case.scenario, "en") == "USD 1,546 x 7.10"
    assert names.converted_text(host, plan.case.scenario, "en") == ""


def test_planning_rates_and_judged_supply_are_named() -> None:
    plan = dollars(solve_case(decision().case(), "cost"))
    rates, supply = basis.basis_lines(plan, "en")
    assert rates == "Exchange rates are planning values, an estimate: 1 USD = 7.10 CNY."
    assert "confirm with the seller" in supply and CARD.id in supply
    found = record.plan_record(plan)
    assert [(r["base"], r["quote"], r["rate"], r["kind"]) for r in found["exchange_rates"]] == [
        ("USD", "CNY", 7.1, "estimate")
    ]
    assert basis.basis_lines(solve_case(decision().case(), "cost"), "en") == []


def test_estimated_items_are_named_from_the_largest_amount_down() -> None:
    dear = build("one", CARD, 1, 1_000.0, 5_000.0)

    def guessed(p: Any) -> Any:
        return replace(p, price=replace(p.price, price_kind="estimate"))

    parts = tuple(guessed(p) for p in (*dear.parts, part("disk", "storage", 1, 2_000.0)))
    small = decision()
    machine = replace(dear, parts=parts)
    small = Small(small.scenario, (machine,), tuple(w for w in small.ways if w.build_id == "one"))
    text = sentences.answer(solve_case(small.case(), "cost"), None, "en")
    assert any("an estimated price of host, disk and 1 more." in t for t in text)


# --- lists, options, repairs ---


@pytest.mark.parametrize(
    ("items", "most", "en", "zh"),
    [
        (["A"], 2, "A", "A"),
        (["A", "B"], 2, "A and B", "A、B"),
        (["A", "B", "C"], 3, "A, B and C", "A、B、C"),
        (["A", "B", "C", "D"], 2, "A, B and 2 more", "A、B 等 4 项"),
        (["SSRN, Pavia", "B"], 2, "“SSRN, Pavia” and B", "SSRN, Pavia、B"),
        ([], 2, "", ""),
    ],
)
def test_lists_read_as_each_language_writes_them(items: list[str], most: int, en: str, zh: str) -> None:
    assert names.listed(items, "en", most) == en
    assert names.listed(items, "zh", most) == zh


def test_refused_options_carry_the_amounts() -> None:
    plan = solve_case(decision().case(), "cost")
    breach = Breach("noise", {"noise_dba": 70.0, "limit_dba": 65.0})
    refused = OptionResult("eight_cards", "A", None, False, None, (Refusal("x", "y", "c", 8, "h", (breach,)),), {}, {})
    (row,) = record.option_rows(Comparison(plan, (refused,), ""))
    assert row["refusals"] == [
        {"item": "x", "item_zh": "y", "rule": "noise", "values": {"noise_dba": 70.0, "limit_dba": 65.0}}
    ]


def test_an_option_is_named_alike_before_and_after_it_is_solved() -> None:
    plan = solve_case(decision().case(), "cost")
    solved = OptionResult("eight_cards", "A", plan, True, None, (), {}, {})
    assert names.option_name("eight_cards", "en") == "Eight cards in one server"
    assert names.option_name(solved, "en").startswith("Eight cards in one server")


def test_repairs_name_the_machines_and_the_people_they_serve() -> None:
    case = decision(budget=10_000.0).case()
    conflict = explain.conflict(case)
    assert conflict is not None
    repair = next(r for r in conflict.repairs if r.rule == "budget")
    text = sentences.repair_text(repair, case.scenario, "en")
    assert "2 x workstation with one Card 24 GB" in text and "for 2 people at once" in text
    assert "to CNY 33,900" in text
    assert "2 台单卡 Card 24 GB 工作站" in sentences.repair_text(repair, case.scenario, "zh")


def test_the_record_of_the_options_says_how_each_uses_its_cards() -> None:
    case = decision().case()
    plan = solve_case(case, "cost")
    for row in record.option_rows(options.compare(case, "cost", best=plan)):
        if row["totals"] is not None:
            assert 0 < row["utilisation"]["share"] <= 1
            assert row["slowest_bound"] == "compute" and row["waits_for_data"] is False
