"""Builds of the bundled catalog: machines that a laboratory asks about, and rules recomputed on every build."""

from functools import cache

import pytest
from small_catalog import rules, scenario

from hwcost.build import BuildSet
from hwcost.builds import make_builds
from hwcost.catalog import load_catalog
from hwcost.messages.rules import sentence
from hwcost.scenario import Circuit

ANY_STATUS = ("on_sale", "remnant", "discontinued", "to_check", "used", "not_exportable")
COUNTS = (1, 2, 4, 8)


@cache
def china() -> BuildSet:
    return make_builds(scenario(*COUNTS, allowed_statuses=ANY_STATUS, place="department_room"), load_catalog())


def test_four_a5500_are_refused_on_the_p620_and_built_in_the_740gp() -> None:
    (refusal,) = [r for r in china().refusals if (r.card_id, r.cards, r.chassis_id) == ("rtx-a5500", 4, "lenovo-p620")]
    assert "psu_watts" in rules(refusal)
    built = [b for b in china().builds if (b.card.id, b.cards, b.chassis.id) == ("rtx-a5500", 4, "smc-740gp")]
    assert built
    assert all(b.psu_need_w == pytest.approx(2025.0) for b in built)
    assert {b.link.id for b in built if b.link} == {"pcie_p2p"}


def test_four_4090_are_built_nowhere() -> None:
    assert not [b for b in china().builds if b.card.id == "rtx-4090" and b.cards >= 4]
    assert [b for b in china().builds if b.card.id == "rtx-4090" and b.cards == 1]


def test_every_combination_is_built_or_refused_once() -> None:
    catalog, result = load_catalog(), china()
    out = {r.card_id or r.chassis_id for r in result.not_considered}
    combinations = {
        (c, n, h) for c in catalog.cards if c not in out for n in COUNTS for h in catalog.chassis if h not in out
    }
    built = {(b.card.id, b.cards, b.chassis.id) for b in result.builds}
    refused = [(r.card_id, r.cards, r.chassis_id) for r in result.refusals]
    assert len(set(refused)) == len(refused)
    assert built | set(refused) == combinations
    assert not built & set(refused)


def test_every_build_keeps_the_power_rules_recomputed_here() -> None:
    for b in china().builds:
        working = b.psu_count - 1 if b.chassis.redundant else b.psu_count
        need = (b.cards * b.card.tdp_w + b.chassis.host_load_w) / 0.8
        assert need <= working * b.psu.watts_high_line, b.id
        direct = b.cards * b.card.tdp_w + b.chassis.host_load_w + b.storage.watts
        efficiencies = (b.psu.efficiency_20, b.psu.efficiency_50, b.psu.efficiency_100)
        assert min(efficiencies) <= direct / b.peak_wall_w <= max(efficiencies), b.id
        assert b.cards * b.card.slot_width <= b.chassis.slots, b.id
        assert b.card.cooling != "passive" or b.chassis.passive_ok, b.id
        assert b.price_net == pytest.approx(sum(p.quantity * p.unit_price_net for p in b.parts), abs=0.005)


def test_a_server_module_is_never_put_into_another_makers_case() -> None:
    makers = {"lenovo": "lenovo-", "supermicro": "smc-", "asus": "asus-", "gigabyte": "gigabyte-"}
    paired = {(b.psu.id, b.chassis.id): b.psu.form for b in china().builds if b.chassis.psu_form.startswith("crps")}
    assert {form for form in paired.values()} == {f"crps:{maker}" for maker in makers}
    for (psu_id, chassis_id), form in paired.items():
        prefix = makers[form.removeprefix("crps:")]
        assert psu_id.startswith(prefix) and chassis_id.startswith(prefix)


def test_eight_pro_4000_in_the_st650_v2_take_a_supply_of_lenovo() -> None:
    built = [b for b in china().builds if (b.card.id, b.cards, b.chassis.id) == (
        "rtx-pro-4000-blackwell", 8, "lenovo-st650v2")]  # fmt: skip
    # (8 x 140 W + 600 W) / 0.8 = 2,150 W: of the pairs of 750, 1100, 1800 and 2400 W only the last carries it alone
    assert {(b.psu.id, b.psu_count) for b in built} == {("lenovo-2400", 2)}
    own = {p.watts_high_line for p in load_catalog().psus.values() if p.form == "crps:lenovo"}
    assert own == {750.0, 1100.0, 1800.0, 2400.0}


def test_an_office_socket_admits_only_what_it_carries() -> None:
    office = scenario(*COUNTS, place="office", circuits=(Circuit(220.0, 10.0, 2),), allowed_statuses=ANY_STATUS)
    result = make_builds(office, load_catalog())
    assert result.builds
    assert all(b.peak_wall_w <= 1760.0 for b in result.builds)
    assert all(b.chassis.form != "rack" and (b.chassis.noise_dba or 0.0) < 65.0 for b in result.builds)
    a5500 = {b.chassis.id for b in result.builds if b.card.id == "rtx-a5500" and b.cards == 4}
    assert "smc-740gp" in a5500  # 1,620 W of load, about 1,710 W at the wall


def test_every_refusal_can_be_said_in_both_languages() -> None:
    for refusal in (*china().refusals, *china().not_considered):
        assert refusal.breaches, refusal.item
        for breach in refusal.breaches:
            for lang in ("en", "zh"):
                assert sentence(breach, lang)


def test_what_may_not_be_exported_to_china_is_left_out_once() -> None:
    result = make_builds(scenario(*COUNTS), load_catalog())
    left = [r for r in result.not_considered if r.card_id == "rtx-4090"]
    assert [b.values["status"] for r in left for b in r.breaches if b.rule == "availability"] == ["not_exportable"]
    assert not [b for b in result.builds if b.card.id == "rtx-4090"]
