"""Words of the rules: complete, and the same figures in both languages."""

import re
from string import Formatter

from hwcost.messages import texts
from hwcost.messages.rules import CODES, TEXTS, rule_name, sentence
from hwcost.names import left_out_reason
from hwcost.records import STATUSES
from hwcost.rules import BUILD_RULES, PLAN_RULES, STRATEGY_RULES, Breach
from hwcost.scenario import PLACES
from hwcost.workload import PRECISIONS


def test_every_rule_has_a_name_and_a_sentence_in_both_languages() -> None:
    for rule in (*BUILD_RULES, *STRATEGY_RULES, *PLAN_RULES):
        for key in (f"rule.{rule}", f"rulename.{rule}"):
            assert texts()[key]["en"] and texts()[key]["zh"], key


def test_the_reason_for_leaving_an_item_out_reads_as_a_reason() -> None:
    assert left_out_reason("no_price", "en") == "No price in the catalog"
    assert left_out_reason("availability", "en", "used") == "Not on sale here (used goods only)"
    assert left_out_reason("availability", "zh", "used") == "本地区不可直接采购（仅二手）"
    assert left_out_reason("slots", "en") == TEXTS["rulename.slots"]["en"]
    for rule in ("no_price", "no_fx", "availability", "excluded_by_user", "no_throughput", "storage_capacity"):
        for lang in ("en", "zh"):
            reason = left_out_reason(rule, lang)
            assert reason != TEXTS[f"rulename.{rule}"][lang]
            assert re.search("^(No|Not|Left out|Too)\\b" if lang == "en" else "不|没有|缺少", reason), reason


def test_both_languages_of_a_sentence_give_the_same_figures() -> None:
    for key, entry in TEXTS.items():
        fields = [sorted((f, s) for _, f, s, _ in Formatter().parse(entry[lang]) if f) for lang in ("en", "zh")]
        assert fields[0] == fields[1], key


def test_codes_are_said_as_words() -> None:
    breach = Breach("rack_place", {"place": "office"})
    assert sentence(breach, "zh") == "机架式设备须安装在机房机柜内，不宜放在办公室。"
    assert rule_name(Breach("memory"), "zh") == "单卡显存"
    for name, codes in (("status", STATUSES), ("place", PLACES), ("precision", PRECISIONS)):
        assert set(CODES[name]) == set(codes)
    assert sentence(Breach("budget", {"value": 211000.0, "limit": 250000.5}), "en") == (
        "Purchases cost 211,000; the budget is 250,000.5."
    )


def test_the_form_of_a_server_module_names_its_maker() -> None:
    def said(form: str) -> tuple[str, str]:
        breach = Breach("psu_form", {"form": form})
        return sentence(breach, "en"), sentence(breach, "zh")

    assert said("crps:lenovo") == (
        "The case takes only a power supply of the form Lenovo server module (CRPS); none at hand fits.",
        "机箱只能安装联想服务器冗余模块（CRPS）电源，没有可用的型号。",
    )
    assert "dell server module" in said("crps:dell")[0] and "dell 服务器" in said("crps:dell")[1]
    assert "ATX" in said("atx")[0] and "built into this case" in said("fixed")[0]


def test_the_rules_of_jobs_and_plans_are_said_with_their_amounts() -> None:
    cases = [
        ("memory", {"need_gib": 40.04, "usable_gib": 18.0, "micro_batch": 8}, ("40.0 GiB", "18.0 GiB", "8")),
        ("deadline", {"hours": 61.25, "limit_hours": 48.0}, ("61.2", "48.0")),
        ("ecc", {"card": "RTX 4090"}, ("RTX 4090",)),
        ("precision", {"precision": "bf16", "card": "V100S"}, ("BF16", "V100S")),
        ("software", {"card": "V100S"}, ("V100S",)),
        ("batchnorm", {"per_card": 4, "minimum": 16}, ("4", "16")),
        ("batch_too_small", {"batch": 2, "cards": 4}, ("2", "4")),
        ("accumulation_off", {"micro_batch": 4, "batch": 16}, ("4", "16")),
        ("multi_card_off", {}, ()),
        ("host_memory", {"need_gib": 96.0, "ram_gib": 64.0}, ("96 GiB", "64 GiB")),
        ("people_at_once", {"need": 6, "have": 4}, ("6", "4")),
        ("demand", {"share": 0.92}, ("92%",)),
        ("circuit_load", {"limit_w": 1760.0, "value_w": 2120.4}, ("1,760 W", "2,120 W")),
        ("distinct_builds", {"limit": 2, "value": 3}, ("2", "3")),
        ("max_nodes", {"limit": 4.0, "value": 5.0}, ("4", "5")),
        ("rack_units_total", {"limit": 8, "value": 12}, ("8", "12")),
    ]
    for rule, values, figures in cases:
        for lang in ("en", "zh"):
            words = sentence(Breach(rule, values), lang)
            assert all(figure in words for figure in figures), words
            assert "{" not in words and ".0 mach" not in words
