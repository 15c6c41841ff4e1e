"""Answers in words: the situation is recognised, the figures are the same in zh and en, sentences stay short."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from small_cases import CARD, CHASSIS, SCENARIO, WORKLOAD, Small, build, way

from hwcost import explain, names, options, sentences
from hwcost.build import Refusal
from hwcost.engine import solve_case
from hwcost.messages import say, texts
from hwcost.options import Comparison, LostBy, OptionResult
from hwcost.plan import Check, Plan, Purchase
from hwcost.rules import Breach

AREAS = ("answer.", "whynot.", "repair.", "option.", "configuration.", "conflict.")
LARGE = replace(CARD, id="large", name="RTX A6000", memory_gib=48.0, usable_mib=48_000.0)


def decision(cards: tuple[Any, ...] = (), **changes: Any) -> Small:
    """Four people who run 100 x 10 h each a year on machines with one or four cards."""
    workload = replace(WORKLOAD, people_at_once=4, name="U-Net", name_zh="语义分割")
    scenario = replace(SCENARIO, workloads=(workload,), **{"max_nodes": 4, **changes})
    builds = cards or (build("one", CARD, 1, 10_000.0, 5_000.0), build("four", CARD, 4, 10_000.0, 9_000.0))
    return Small(scenario, builds, tuple(way("w", b.id, 10.0) for b in builds))


def said(small: Small, objective: str, lang: str, **more: Any) -> list[str]:
    case = small.case()
    plan = solve_case(case, objective)
    comparison = options.compare(case, objective, best=plan)
    return sentences.answer(plan, comparison, lang, **more)


def chinese_length(text: str) -> int:
    """Chinese characters, with a number or a Latin word counted as one."""
    return len(re.findall(r"[一-鿿]|[A-Za-z0-9.,%×]+", text))


# --- the answer ---


def test_buy_that_fits_names_machine_price_budget_and_people() -> None:
    small = decision(budget=60_000.0)
    # one node of four cards: (4 x 10,000 + 9,000) x 1.13 = 55,370; four of one card: 67,800, over the budget
    english, chinese = said(small, "cost", "en")[0], said(small, "cost", "zh")[0]
    assert "1 x workstation with four Card 24 GB for CNY 55,370 incl. tax" in english
    assert "within the CNY 60,000 budget" in english and "4 people at once" in english
    assert "1 台四卡 Card 24 GB 工作站，5.54 万元（含税）" in chinese
    assert "6.00 万元预算内" in chinese and "4 人同时训练" in chinese


def test_cheapest_is_said_only_where_it_is_the_lowest() -> None:
    case = decision().case()
    plan = solve_case(case, "cost")
    comparison = options.compare(case, "cost", best=plan)
    text = sentences.answer(plan, comparison, "en")
    assert any("the lowest of all options" in t for t in text)
    cheaper = replace(plan, totals=replace(plan.totals, nominal=1.0))
    rigged = tuple(replace(r, plan=cheaper) if r.letter != comparison.chosen else r for r in comparison.results)
    text = sentences.answer(plan, replace(comparison, results=rigged), "en")
    assert not any("the lowest of all options" in t for t in text)


def test_near_tie_gives_the_difference_and_its_share() -> None:
    case = decision().case()
    plan = solve_case(case, "cost")
    comparison = options.compare(case, "cost", best=plan)
    total = plan.totals.nominal
    for share, expected in ((0.02, True), (0.05, False)):
        near = replace(plan, totals=replace(plan.totals, nominal=total * (1 + share)))
        rigged = tuple(
            replace(r, plan=near, full=True, lost_by=LostBy("cost", 2.0, 1.0)) if r.letter != comparison.chosen else r
            for r in comparison.results
        )
        text = sentences.answer(plan, replace(comparison, results=rigged), "en")
        assert any("(2 %)" in t and "differ by" in t for t in text) is expected


def test_a_budget_larger_than_the_need_names_both() -> None:
    small = decision(budget=120_000.0)
    case = small.case()
    need = solve_case(case, "spend")
    text = said(small, "budget", "en", need=need)
    # the smallest purchase is one four-card node; twice that fits the budget
    assert (
        "The work itself needs only CNY 55,370 incl. tax: 1 x workstation with four Card 24 GB, for 4 people at once."
        in text
    )
    assert any("the full CNY 120,000 must be used" in t and "8 cards instead of 4" in t for t in text)
    assert not any("needs only" in t for t in said(small, "budget", "en"))


def test_a_short_budget_gives_the_share_and_the_job() -> None:
    text = said(decision(budget=10_000.0), "serve", "en")
    assert text[0] == "Nothing worth buying was found within the conditions."
    assert any("CNY 10,000 covers 0 % of the work that must be done. Left out: U-Net." in t for t in text)
    assert any("Only 0 of the 4 people" in t for t in text)


def test_keep_where_what_is_there_is_enough() -> None:
    small = decision()
    owned = replace(small.builds[1], id="mine", parts=(), owned_count=1)
    small = replace(small, builds=(*small.builds, owned), ways=(*small.ways, way("w", "mine", 10.0)))
    english, chinese = said(small, "cost", "en")[0], said(small, "cost", "zh")[0]
    assert english.startswith("The machines you have are enough") and "Buy nothing now" in english
    # 4 cards x 5,000 hours
    assert "20,000 card-hours" in english and "20,000 卡时" in chinese
    assert "暂不购置" in chinese


def test_one_large_card_where_a_job_needs_it() -> None:
    machines = (build("big", LARGE, 1, 30_000.0, 5_000.0),)
    small = decision(machines, max_nodes=4)
    # 30 GiB saved per sample at fp32: more than a 24 GB card has, whatever the batch
    heavy = replace(small.scenario.workloads[0], saved_bytes_per_sample=30 * 2.0**30, people_at_once=1)
    small = replace(small, scenario=replace(small.scenario, workloads=(heavy,)))
    text = said(small, "cost", "en")
    assert any("1 of the 1 jobs need more than 24 GiB" in t and "48 GB" in t for t in text)


def test_many_small_jobs_want_many_cards() -> None:
    assert any("the number of cards matters more" in t for t in said(decision(), "cost", "en"))


@pytest.mark.parametrize(("step_ms", "expected"), [(80.0, "1.3 times faster"), (30.0, "3.3 times as fast")])
def test_parallel_runs_are_judged_by_their_speedup(step_ms: float, expected: str) -> None:
    small = decision((build("four", CARD, 4, 10_000.0, 9_000.0),))
    spread = replace(way("w", "four", 9.0, cards=4), step_ms=step_ms, hours_per_run=9.0)
    text = said(replace(small, ways=(*small.ways, spread)), "cost", "en")
    # one card takes 100 ms a step; 100/80 = 1.25, said as 1.3, and 100/30 = 3.33
    found = [t for t in text if "times" in t]
    assert len(found) == 1
    assert expected in found[0]
    assert ("Do not run one model" in found[0]) is (step_ms == 80.0)


def test_infeasible_names_the_rules_in_conflict() -> None:
    case = decision(budget=10_000.0).case()
    plan = solve_case(case, "cost")
    conflict = explain.conflict(case)
    (text,) = sentences.answer(plan, None, "en", conflict=conflict)
    assert text.startswith("No option meets all the conditions")
    assert "Purchase budget" in text


def test_estimated_and_stale_prices_are_said() -> None:
    small = decision()

    def marked(**changes: Any) -> Small:
        def part(p: Any) -> Any:
            kind = changes.get("kind", p.price.price_kind)
            return replace(p, stale=changes.get("stale", False), price=replace(p.price, price_kind=kind))

        builds = tuple(replace(b, parts=tuple(part(p) for p in b.parts)) for b in small.builds)
        return replace(small, builds=builds)

    assert any("rests on an estimated price of card and host" in t for t in said(marked(kind="estimate"), "cost", "en"))
    assert any("Out-of-date prices: card (2026-11-01)" in t for t in said(marked(stale=True), "cost", "en"))
    quoted = said(marked(), "cost", "en")
    assert any("composed of parts" in t for t in quoted)
    assert not any("Out-of-date" in t or "estimated price" in t for t in quoted)


def test_an_unproven_plan_is_never_called_the_best() -> None:
    proven = solve_case(decision().case(), "cost")
    for name, words in (("cost", "1.2 % above the lower bound"), ("capacity", "effective capacity is up to 1.2 %")):
        stage = replace(proven.stages[0], name=name, status="best_found", gap=0.012)
        plan = replace(proven, status="best_found", gap=0.012, stages=(stage,))
        text = sentences.answer(plan, None, "en")
        assert "not proven to be the best" in text[1] and words in text[1]
        assert "尚未证明最优" in sentences.answer(plan, None, "zh")[1]
    plan = replace(proven, status="best_found", gap=None, stages=())
    assert sentences.answer(plan, None, "en")[1].endswith("over 3 years; not proven to be the best.")
    text = sentences.answer(replace(plan, status="no_plan_found"), None, "en")
    assert len(text) == 1 and "does not mean that there is none" in text[0]
    assert not any("not proven" in t for t in sentences.answer(proven, None, "en"))


# --- why not ---


def result(plan: Plan | None, letter: str, **changes: Any) -> OptionResult:
    base = OptionResult("one_large", letter, plan, True, None, (), {}, {})
    return replace(base, **changes)


@pytest.mark.parametrize(
    ("lost", "en", "zh"),
    [
        (LostBy("people_must", 1.0, 4.0), "Serves 1 person at once; option A serves 4.", "可供 1 人同时训练"),
        (LostBy("capacity", 22.4, 28.0), "20 % less computing capacity than option A.", "比方案 A 少 20%"),
        (LostBy("cost", 75_000.0, 60_000.0), "Costs CNY 15,000 more than option A over 3 years.", "高 1.50 万元"),
        (LostBy("build_rank", 3.0, 2.0), "Serves and costs the same as option A", "相当"),
        (None, "Serves and costs the same as option A", "相当"),
    ],
)
def test_each_loss_is_one_sentence_with_its_figure(lost: LostBy | None, en: str, zh: str) -> None:
    plan = solve_case(decision().case(), "cost")
    loser = result(plan, "B", lost_by=lost)
    comparison = Comparison(plan, (result(plan, "A"), loser), "A")
    assert en in sentences.why_not(loser, comparison, "en")
    assert zh in sentences.why_not(loser, comparison, "zh")
    assert sentences.why_not(comparison.results[0], comparison, "en") == "Chosen."


def test_a_refused_option_gives_the_reason_nearest_to_working() -> None:
    plan = solve_case(decision(budget=60_000.0).case(), "cost")
    fit = Breach("card_count", {"cards": 4, "slot_width": 3, "limit": 2})
    noise = Breach("noise", {"noise_dba": 70.0, "limit_dba": 65.0})
    refusals = (
        Refusal("small case", "小机箱", "c", 4, "x", (fit,)),
        Refusal("server", "服务器", "c", 4, "y", (noise, Breach("rack_place", {"place": "office"}))),
    )
    loser = result(None, "B", refusals=refusals)
    comparison = Comparison(plan, (result(plan, "A"), loser), "A")
    assert "70 dB(A)" in sentences.why_not(loser, comparison, "en")
    dear = replace(
        loser, refusals=(Refusal("i", "i", "c", 4, "y", (Breach("budget", {"value": 80_000.0, "limit": 6e4}),)),)
    )
    text = sentences.why_not(dear, comparison, "en")
    assert text == "One machine costs CNY 80,000, more than the budget of CNY 60,000."
    assert "No machine of this kind" in sentences.why_not(result(None, "C"), comparison, "en")


def test_a_job_that_cannot_run_is_named_with_its_rule() -> None:
    small = decision()
    case = small.case()
    plan = solve_case(case, "serve")
    breach = Breach("memory", {"need_gib": 33.5, "usable_gib": 17.8, "micro_batch": 16})
    other = replace(plan, case=replace(
        case, ways=(), strategies=replace(case.strategies, excluded=(replace(small.ways[0], breaches=(breach,)),))
    ), shortfall=(("w", 0, 100.0),))  # fmt: skip
    loser = result(other, "B", lost_by=LostBy("must_demand", 1.0, 0.0))
    comparison = Comparison(plan, (result(plan, "A"), loser), "A")
    text = sentences.why_not(loser, comparison, "en")
    assert text.startswith("Cannot do U-Net: ") and "33.5 GiB" in text


# --- names ---


def test_configurations_are_named_alike_in_both_languages() -> None:
    node = build("x", LARGE, 4, 1.0, 1.0)
    bought = Purchase(node, 2, 0, 1.0, 1.0, False)
    assert names.configuration_text([bought], "en") == "2 x workstation with four RTX A6000 48 GB"
    assert names.configuration_text([bought], "zh") == "2 台四卡 RTX A6000 48 GB 工作站"
    assert names.configuration_text([], "en") == "nothing"
    desktop = replace(node, chassis=replace(CHASSIS, segment="consumer"), cards=1)
    assert names.configuration_text([replace(bought, build=desktop, nodes=1)], "zh") == "1 台单卡 RTX A6000 48 GB 主机"


def test_options_count_machines_where_there_are_several() -> None:
    assert names.option_name("desktops_one_consumer", "en", 3) == "3 x desktop with one GeForce-class card"
    assert names.option_name("desktops_one_consumer", "zh", 3) == "消费级单卡主机（每台 1 张，共 3 台）"
    assert names.option_name("four_large", "en", 1) == names.option_name("four_large", "en")


def test_checks_show_value_limit_and_state() -> None:
    money = Check("budget", "", 250_000.0, 211_000.0, "CNY", "<=", True)
    assert names.check_text(money, "zh") == "购置预算：21.10 万元 / 25.00 万元（满足）"
    short = Check("demand", "w, 1-3", 100.0, 92.0, "%", ">=", False)
    assert names.check_text(short, "en") == "Work per year, w, 1-3: 92.0 / 100.0 % (partly left out)"
    assert "not met" in names.check_text(replace(short, hard=True), "en")


def test_every_option_and_level_has_a_name() -> None:
    for option in options.OPTIONS:
        for lang in ("zh", "en"):
            assert names.option_name(option.id, lang)
    case = decision().case()
    for objective in ("budget", "serve", "cost", "spend"):
        for stage in solve_case(case, objective).stages:
            assert say(f"level.{stage.name}", "zh")


# --- wording ---


def test_repairs_are_whole_sentences_with_the_price() -> None:
    case = decision(budget=10_000.0).case()
    conflict = explain.conflict(case)
    assert conflict is not None
    repair = next(r for r in conflict.repairs if r.rule == "budget")
    text = sentences.repair_text(repair, case.scenario, "en")
    # one node of four cards, 55,370 with tax
    assert "Raise the purchase budget by CNY 45,370 (to CNY 55,370)" in text
    assert "55,370 of it to buy" in text
    for rule in conflict.rules:
        assert sentences.rule_text(rule, case.scenario, "zh")


def test_placeholders_are_the_same_in_both_languages() -> None:
    for key, entry in texts().items():
        if key.startswith((*AREAS, "cli.", "doctor.", "check.", "problem.option", "problem.output")):
            fields = {lang: set(re.findall(r"{(\w+)", entry[lang])) for lang in ("zh", "en")}
            assert fields["zh"] == fields["en"], key


def test_words_that_must_not_occur_do_not() -> None:
    for key, entry in texts().items():
        if key.startswith(AREAS):
            words = re.sub(r"{\w+}", "", entry["en"])
            assert not re.search(r"best mix|consumer|DDP box|CAPEX|relax", words, re.IGNORECASE), key
            assert "最优解" not in entry["zh"], key


def test_chinese_sentences_of_the_answer_stay_within_sixty_characters() -> None:
    for small, objective in ((decision(budget=60_000.0), "cost"), (decision(budget=120_000.0), "budget"),
                             (decision(budget=10_000.0), "serve")):  # fmt: skip
        for text in said(small, objective, "zh", need=solve_case(small.case(), "spend")):
            assert chinese_length(text) <= 60, text


def test_both_languages_carry_the_same_figures() -> None:
    def figures(text: str) -> list[float]:
        plain = re.sub(r"U-Net|48 GB|24 GB", "", text)
        for english, digit in (("four", "4"), ("one workstation", "1")):
            plain = plain.replace(english, digit)
        plain = plain.replace("四卡", "4 卡")
        found = re.findall(r"(\d[\d,]*(?:\.\d+)?)( 万元)?", plain)
        values = [float(n.replace(",", "")) * (10_000 if wan else 1) for n, wan in found]
        return sorted(round(v, -2) if v >= 10_000 else v for v in values)

    small = decision(budget=120_000.0)
    need = solve_case(small.case(), "spend")
    english, chinese = (said(small, "budget", lang, need=need) for lang in ("en", "zh"))
    assert len(english) == len(chinese)
    for one, other in zip(english, chinese, strict=True):
        assert figures(one) == figures(other)
