"""What the meetings ask, without a browser: supply, largest tile, what else, campus, quoted machines, own cards."""

from __future__ import annotations

import csv
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from hwcost.case import prepare
from hwcost.catalog import load_catalog
from hwcost.engine import solve_case
from hwcost.intake import plan_changes, read_quote
from hwcost.memory import limit_mib, peak_memory
from hwcost.options import Comparison, compare
from hwcost.plan import Plan
from hwcost.records import Catalog
from hwcost.scenario_io import load_scenario, read_document
from hwcost.tiles import Tile, unet
from hwcost.web import campus, configure, headtohead, largest_tile, owned_now, quoted, quotes, supply, what_else
from hwcost.web.headtohead import CARD, Named
from hwcost.web.views.several import line_text

ROOT = Path(__file__).resolve().parents[1]
GIB = 2**30


@cache
def catalog() -> Catalog:
    return load_catalog()


@cache
def solved(name: str) -> Plan:
    scenario = load_scenario(name, catalog())
    return solve_case(prepare(scenario, catalog()), scenario.objective)


@cache
def compared(name: str) -> Comparison:
    return compare(solved(name).case, best=solved(name))


def rows_of(name: str) -> list[dict[str, str]]:
    with (ROOT / "catalog" / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


# --- supply ---


@pytest.mark.parametrize(
    ("card", "status"),
    [("rtx-a5500", "仅尾货"), ("rtx-6000-ada", "不可供货（出口管制）"), ("rtx-pro-4000-blackwell", "在售")],
)
def test_a_named_card_gets_status_day_last_price_and_what_to_take_instead(card: str, status: str) -> None:
    case = solved("lab-default").case
    stated = [r for r in rows_of("availability.csv") if (r["item_id"], r["region"]) == (card, "CN")]
    year, month, day = max(r["as_of"] for r in stated).split("-")
    first, price, *instead = supply.card_supply(case, catalog().cards[card], "zh")
    assert f"{status}（{int(year)}年{int(month)}月{int(day)}日" in first
    newest = max((r for r in rows_of("prices.csv") if r["item_id"] == card), key=lambda r: r["as_of"])
    assert f"{float(newest['amount']):,.2f} 美元" in price
    assert bool(instead) == (status != "在售")


def test_cards_named_instead_can_be_bought_have_no_less_memory_and_begin_with_the_cheapest() -> None:
    case = solved("lab-default").case
    found = supply.instead_of(case, catalog().cards["rtx-a5500"])
    on_sale = {r["item_id"] for r in rows_of("availability.csv") if (r["region"], r["status"]) == ("CN", "on_sale")}
    assert found and {c.id for c in found} <= on_sale and all(c.memory_gib >= 24 for c in found)
    assert found[0].id == "rtx-pro-4000-blackwell"


def test_an_upgrade_without_a_card_is_not_called_second_hand() -> None:
    (bought,) = solved("owned-3090s").bought
    assert bought.build.upgrade == "nvme" and bought.build.card.id == "rtx-3090"
    assert supply.option_supply(solved("owned-3090s"), "en") == "common parts; confirm with a quotation"


def test_every_option_that_buys_has_its_supply_in_the_table() -> None:
    frame = supply.option_rows(compared("lab-default"), "en")
    cells = dict(zip((r.letter for r in compared("lab-default").results), frame["Available to buy"], strict=True))
    for result in compared("lab-default").results:
        buys = result.plan is not None and result.plan.has_plan and bool(result.plan.bought)
        assert (cells[result.letter] != "—") == buys


# --- largest tile ---


@pytest.mark.parametrize("card_id", ["rtx-a5500", "rtx-pro-5000-blackwell-48gb"])
def test_the_largest_tile_is_the_last_one_that_fits_when_the_network_is_laid_out_at_its_size(card_id: str) -> None:
    case = solved("eu-lab").case
    job = next(w for w in case.scenario.workloads if w.id == "unet-tiles")
    card, margin = catalog().cards[card_id], case.scenario.memory_margin

    def need(side: int) -> float:
        figures = unet(Tile(side, side, 200))
        return peak_memory(figures.params, job.optimizer, job.precision, figures.saved_bytes,
                           figures.largest_saved_bytes, 1).total_mib  # fmt: skip

    found = largest_tile.largest_side(replace(job, batchnorm_min_batch=0), 512 * 512, card, margin)
    assert found % 16 == 0 and need(found) <= limit_mib(card, margin) * 1.001
    assert need(found + 16) > limit_mib(card, margin) * 0.999


def test_tiles_are_found_in_presets_and_tables_of_unets_alone() -> None:
    document = read_document(ROOT / "catalog" / "scenarios" / "eu-lab.toml", {})
    assert largest_tile.areas(document, catalog()) == {"unet-tiles": 512 * 512}
    net = {"height": 256, "width": 128, "bands": 200}
    other = {"height": 64, "width": 64, "bands": 9, "model": "autoencoder"}
    tiled = {"workload": [{"id": "a", "tile": net}, {"id": "b", "tile": other}]}
    assert largest_tile.areas(tiled, catalog()) == {"a": 256 * 128}


# --- what else ---


@pytest.mark.parametrize(("card_id", "cards"), [("rtx-pro-4000-blackwell", 4), ("rtx-pro-5000-blackwell-48gb", 1)])
def test_the_largest_language_model_is_the_last_that_fits_by_size_of_its_weights(card_id: str, cards: int) -> None:
    card = catalog().cards[card_id]
    usable = (card.usable_mib or card.memory_gib * 1024 * 0.99) / 1024
    models = [r for r in rows_of("presets.csv") if r["category"] == "inference" and r["id"].startswith("llm")]

    def fits(row: dict[str, str], spread: int) -> bool:
        weights = float(row["params_billion"]) * 1e9 * float(row["bytes_per_param"]) / GIB
        return 1.75 + (weights + float(row["extra_gib"])) / spread <= 0.9 * usable

    largest = max((r for r in models if fits(r, cards)), key=lambda r: float(r["params_billion"]))
    found = what_else.what_else(catalog(), solved("lab-default").case.scenario, card, cards, "zh")
    assert found.llm == largest["name_zh"] and found.llm_cards == (1 if fits(largest, 1) else cards)
    assert found.lora and found.batch >= 1


# --- the campus cluster ---


def reasons(plan: Plan) -> dict[str, str]:
    stated = [s for s in plan.case.scenario.services if s.kind == "campus"]
    even = [b for b in campus.break_even(plan) if b.service.kind == "campus"]
    return {r.name: r.state for r in campus.reasons(plan, stated, even, "en")}


def test_reasons_against_the_campus_cluster_follow_the_inputs_and_unknown_ones_are_to_be_asked() -> None:
    plan = solved("owned-3090s")
    assert reasons(plan) == {"queue": "holds", "data": "fails", "interactive": "holds", "fund": "fails",
                             "memory": "fails"}  # fmt: skip
    scenario = plan.case.scenario
    (service,) = scenario.services
    equipment = tuple(f for f in scenario.funds if "services" not in f.pays)
    other = replace(scenario, services=(replace(service, wait_hours=0.0, interactive=True),), data_stays="lab",
                    funds=equipment)  # fmt: skip
    changed = replace(plan, case=replace(plan.case, scenario=other))
    assert reasons(changed) == {"queue": "fails", "data": "holds", "interactive": "fails", "fund": "holds",
                                "memory": "fails"}  # fmt: skip
    nothing = replace(plan, case=replace(plan.case, scenario=replace(scenario, services=(), funds=())))
    assert [reasons(nothing)[name] for name in ("queue", "interactive", "fund")] == ["open"] * 3


# --- X or Y? ---


def test_a_card_of_which_only_stock_remains_is_compared_all_the_same_and_marked() -> None:
    case = solved("eu-lab").case
    named = [Named(CARD, c) for c in ("rtx-a5500", "rtx-pro-6000-blackwell-max-q")]
    old, new = headtohead.compare(case, named)
    assert old.plan is not None and new.plan is not None and (old.assumed, new.assumed) == ("remnant", "")
    assert {p.build.card.id for p in old.plan.bought} == {"rtx-a5500"}
    assert old.plan.people_at_once > new.plan.people_at_once
    best = headtohead.better([old, new])
    assert best is not None and best[0] is old
    (but,) = headtohead.exceptions([old, new], old)
    usable = catalog().cards["rtx-a5500"].usable_mib or 24 * 1024 * 0.99
    assert (but.reason, but.memory_gib) == ("memory", pytest.approx(0.75 * usable / 1024))


def test_a_card_that_may_not_be_exported_stays_refused() -> None:
    (side,) = headtohead.compare(solved("lab-default").case, [Named(CARD, "rtx-6000-ada")])
    assert side.plan is None and side.breaches[0].rule == "availability" and side.assumed == ""


# --- several cards ---


def test_several_cards_for_one_run_are_not_for_people_who_need_a_card_each() -> None:
    from hwcost.alternatives import SeveralCards

    job = solved("eu-lab").case.scenario.workloads[0]
    four = SeveralCards(job.id, 4, 3.5, "")
    assert four.pays and "8 people train at once" in line_text(job, four, 8, "en")
    assert "the others may run one model" in line_text(job, four, 2, "en")
    assert "people" not in line_text(job, four, 1, "en")


# --- quoted machines ---


def quote(amount: int) -> bytes:
    parts = "4×RTX PRO 5000 Blackwell 48GB / 256GB DDR5 / 4TB NVMe"
    lines = [
        "供应商,甲公司", "报价单号,Q-1", "报价日期,2026-11-28", "有效期至,2027-01-31", "币种,CNY",
        "名称,型号,配置,数量,含税单价（元）,交货期,质保",
        f"四卡工作站,戴尔 Precision 7960 塔式工作站,{parts},1,{amount},6周,3年",
    ]  # fmt: skip
    return "\n".join(lines).encode()


@pytest.mark.parametrize(("amount", "word"), [(200_000, "低于"), (250_000, "高于")])
def test_a_quoted_machine_is_held_against_the_sum_of_its_parts_with_tax(amount: int, word: str) -> None:
    scenario = load_scenario("lab-default", catalog())
    changes = plan_changes(read_quote(quote(amount), "q.csv", {}), {}, catalog(), scenario)
    assert not changes.questions
    prices = {r["item_id"]: float(r["amount"]) for r in rows_of("prices.csv")}
    dollars = 4 * prices["rtx-pro-5000-blackwell-48gb"] + prices["dell-7960"] + prices["nvme-4tb"]
    share = abs(amount / (dollars * 7.1 * 1.13) - 1)
    (row,) = quoted.machine_table(changes, catalog(), scenario.tax_rate, "zh").to_dict("records")
    assert row["与目录估算相比"].startswith(f"{word}目录估算 {100 * share:.1f}%".replace(".0%", "%"))
    assert row["有效期至"] == "2027年1月31日" and row["税"] == "含税"


def test_what_is_typed_for_a_choice_counts_where_it_names_just_one() -> None:
    labels = {"dell-7960": "dell-7960: 戴尔 Precision 7960", "hp-z8": "hp-z8: 惠普 Z8", "hp-z6": "hp-z6: 惠普 Z6"}
    assert quotes.meant("7960", labels) == "dell-7960" and quotes.meant("Z8", labels) == "hp-z8"
    assert quotes.meant("惠普", labels) == "惠普" and quotes.meant("hp-z8", labels) == "hp-z8"


# --- a configuration ---


def test_more_room_than_the_chosen_disk_has_takes_the_fastest_storage_with_the_room() -> None:
    scenario = load_scenario("lab-default", catalog())
    wanted = configure.Wanted("rtx-pro-5000-blackwell-48gb", 3, "dell-7960", "nvme-4tb", 1, 5.0, 6.0)
    found = configure.check(wanted, scenario, catalog())
    assert found.larger_storage and found.build is not None and found.build.storage.id == "nvme-8tb"
    beside = configure.check(replace(wanted, needed_tb=10.0), scenario, catalog())
    fastest = max(
        (r for r in rows_of("storage.csv") if float(r["capacity_tb"]) >= 10), key=lambda r: float(r["read_mb_s"])
    )
    assert beside.build is not None and beside.build.storage.id == fastest["id"]
    as_it_is = configure.check(replace(wanted, needed_tb=1.0), scenario, catalog())
    assert as_it_is.build is not None and as_it_is.build.storage.id == "nvme-4tb" and not as_it_is.larger_storage


# --- the machines at hand ---


def test_the_machines_at_hand_name_the_third_card_with_its_reasons_the_exchange_and_the_used_price() -> None:
    plan = solved("owned-3090s")
    (owned,) = plan.case.scenario.owned
    more, exchange, sale = owned_now.card_lines(owned, plan, "en")
    assert "number 3, does not work" in more and "9 slots; the case has 7" in more
    assert f"{(3 * 350 + 280) / 0.8:,.1f} W" in more
    assert "in place of the present ones" in exchange
    (used,) = [r for r in rows_of("prices.csv") if (r["item_id"], r["price_kind"]) == ("rtx-3090", "used")]
    assert f"USD {float(used['amount']):.2f}" in sale and used["as_of"] in sale


def test_the_upgrade_is_told_as_how_many_times_faster_a_run_becomes() -> None:
    comparison = compared("owned-3090s")
    keep = next(r for r in comparison.results if r.id == "keep")
    table = owned_now.job_table(keep, comparison.best, "en")
    assert keep.plan is not None
    before, after = (owned_now.hours_of(p, "unet-tiles") for p in (keep.plan, comparison.best))
    assert before is not None and after is not None and before / after > 1.5
    assert f"{before / after:.1f} times as fast" in list(table["Change"])
