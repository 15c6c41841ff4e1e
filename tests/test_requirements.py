"""Technical requirements: met by the chosen machine, free of brands, with a warning where few products meet them."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from report_cases import NAMES, bundled_catalog, comparison

from hwcost.names import card_name
from hwcost.plan import Plan
from hwcost.requirements import (
    MANY_ITEMS,
    PRODUCTS_NEEDED,
    Requirements,
    brand_words,
    line_text,
    plain,
    requirements,
    warnings,
)

LANGS = ("zh", "en")
BUYING = [name for name in NAMES if name != "owned-3090s"]


def lists(name: str) -> list[Requirements]:
    return requirements(comparison(name).best)


def values(found: Requirements) -> dict[str, float | None]:
    return {line.key: line.value for line in found.lines}


@pytest.mark.parametrize("name", BUYING)
def test_the_chosen_machine_meets_its_own_requirements(name: str) -> None:
    plan = comparison(name).best
    found = requirements(plan)
    assert [f.build.id for f in found] == [p.build.id for p in plan.bought]
    for each in found:
        own, card = values(each), each.build.card
        assert own["memory"] is not None and own["memory"] <= card.memory_gib
        chassis, storage = each.build.chassis, each.build.storage
        has = {"bandwidth": card.bandwidth_gb_s, "fp32": card.fp32_tflops, "tensor": card.tensor_fp16_tflops,
               "ram": chassis.ram_gib, "capacity": storage.capacity_tb, "read": storage.read_mb_s}  # fmt: skip
        for key, value in has.items():
            asked = own.get(key)
            assert asked is None or (value is not None and 0 < asked <= value), (key, asked, value)
        assert card_name(card) in [p.name for p in each.cards]


@pytest.mark.parametrize("name", BUYING)
def test_memory_is_never_below_what_the_work_needs_on_one_card(name: str) -> None:
    plan = comparison(name).best
    free = 1.0 - plan.case.scenario.memory_margin
    for each in requirements(plan):
        largest = max((a.strategy.memory_mib for a in plan.assignments if a.strategy.build_id == each.build.id),
                      default=0.0)  # fmt: skip
        asked = values(each)["memory"]
        assert asked is not None and asked * 1024 * free >= largest


@pytest.mark.parametrize("name", BUYING)
def test_three_products_meet_the_requirements_or_the_warning_says_how_many(name: str) -> None:
    cards = bundled_catalog().cards.values()
    by_name = {card_name(c): c for c in cards}
    for each in lists(name):
        asked = values(each)
        for product in each.cards:  # each product, measured against each value anew
            card = by_name[product.name]
            assert card.memory_gib >= (asked["memory"] or 0) and card.bandwidth_gb_s >= (asked["bandwidth"] or 0)
            assert card.fp32_tflops >= (asked.get("fp32") or 0)
        warned = any("at once" in text for text in warnings(each, "en"))
        assert warned is (len(each.cards) < PRODUCTS_NEEDED)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", BUYING)
def test_no_requirement_names_a_brand_a_series_or_a_model(name: str, lang: str) -> None:
    banned = brand_words(bundled_catalog())
    assert {"nvidia", "rtx", "geforce", "huawei", "dell", "lenovo", "blackwell", "a5500"} <= banned
    for each in lists(name):
        assert 3 <= len(each.lines) <= MANY_ITEMS
        assert sum(line.starred for line in each.lines) <= 2
        for line in each.lines:
            text = line_text(line, lang)
            words = {w.lower() for w in re.findall(r"[A-Za-z][A-Za-z0-9-]{2,}", text)}
            assert not words & banned, text
            assert not [b for b in banned if len(b) >= 2 and not b.isascii() and b in text], text
            assert line.value is None or "≥" in text or "≤" in text or "=" in text


def test_a_brand_in_a_requirement_would_be_seen() -> None:
    banned = brand_words(bundled_catalog())
    words = {w.lower() for w in re.findall(r"[A-Za-z][A-Za-z0-9-]{2,}", "one RTX PRO 5000 Blackwell or better")}
    assert words & banned


def test_values_are_rounded_down_to_two_digits() -> None:
    assert [plain(x) for x in (636.8, 45.6, 99.99, 1344.0, 0.97)] == [630, 45, 99, 1300, 0.97]


def test_ecc_is_asked_for_only_where_a_workload_needs_it() -> None:
    plan = comparison("lab-default").best
    needy = tuple(replace(w, ecc_required=True) for w in plan.case.scenario.workloads)
    strict = replace(plan, case=replace(plan.case, scenario=replace(plan.case.scenario, workloads=needy)))

    def asks(p: Plan) -> bool:
        return all("ecc" in values(f) for f in requirements(p))

    assert asks(strict) and not asks(plan)


def test_a_purchase_of_a_small_sum_has_a_short_list() -> None:
    plan = comparison("lab-default").best
    cheap = replace(plan, purchases=tuple(replace(p, unit_price=9_000.0) for p in plan.bought))
    assert all(len(f.lines) == 7 for f in requirements(cheap))


def test_an_upgrade_asks_only_for_what_it_buys() -> None:
    plan = comparison("owned-3090s").best
    found = requirements(plan)
    assert [f.build.id for f in found] == [p.build.id for p in plan.bought]
    roles = {"ram": "ram", "capacity": "storage", "read": "storage", "psu": "psu"}
    upgrades = [f for f in found if f.build.upgrade_of]
    assert upgrades, "this lab upgrades what it has"
    for each in upgrades:
        bought = {part.role for part in each.build.parts}
        assert each.about_cards is ("card" in bought)
        assert {roles[line.key] for line in each.lines if line.group != "card"} <= bought
        assert each.lines and (each.enough or each.about_cards)


def test_nothing_bought_has_no_requirements() -> None:
    plan = comparison("lab-default").best
    assert requirements(replace(plan, purchases=())) == []
