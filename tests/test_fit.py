"""Fit and place at their limits, lanes, and machines that are quoted or owned."""

from dataclasses import replace
from typing import Any

import pytest
from small_catalog import (
    A5500,
    ATX2000,
    ORIGIN,
    P620,
    P1000,
    RTX4090,
    SEVEN,
    SMC740,
    TOWER,
    catalog,
    only_build,
    price,
    psu,
    rules,
    scenario,
    sold,
)

from hwcost.build import Build, BuildSet
from hwcost.builds import make_builds
from hwcost.errors import InputError
from hwcost.fit import fit_breaches, lanes, site_breaches
from hwcost.messages import say
from hwcost.records import Catalog, Chassis, System
from hwcost.scenario import Owned


def test_each_rule_of_the_case_at_its_limit() -> None:
    assert [b.rule for b in fit_breaches(replace(A5500, length_mm=312.0), 4, TOWER)] == []
    assert [b.rule for b in fit_breaches(replace(A5500, length_mm=312.5), 4, TOWER)] == ["card_length"]
    assert [b.rule for b in fit_breaches(A5500, 5, replace(TOWER, slots=10))] == ["card_count"]
    assert [b.rule for b in fit_breaches(A5500, 4, replace(TOWER, slots=7))] == ["slots"]
    assert [b.rule for b in fit_breaches(replace(A5500, cooling="open_air"), 2, TOWER)] == ["open_air_stacking"]
    unknown = replace(A5500, length_mm=None)
    assert fit_breaches(unknown, 1, TOWER) == []


def test_each_rule_of_the_place_at_its_limit() -> None:
    def broken(place: str, chassis: Chassis, **site: Any) -> list[str]:
        return [b.rule for b in site_breaches(A5500, chassis, scenario(1, place=place, **site))]

    rack = replace(SMC740, form="rack", noise_dba=50.0, rack_units=2)
    assert broken("office", rack) == ["rack_place"]
    assert broken("lab", rack) == ["rack_place"]
    assert broken("lab", rack, rack_units=2) == []
    assert broken("machine_room", rack) == []
    assert broken("machine_room", rack, rack_units=1) == ["rack_units"]
    loud = replace(TOWER, noise_dba=65.0)
    assert broken("office", loud) == ["noise"]
    assert broken("lab", loud) == []
    assert broken("lab", loud, noise_limit_dba=64.0) == ["noise"]
    assert broken("office", loud, noise_limit_dba=65.0) == []
    assert broken("office", replace(TOWER, noise_dba=None), noise_limit_dba=30.0) == []


def test_lanes_are_those_of_the_next_stated_count_and_never_more_than_the_card_has() -> None:
    chassis = replace(TOWER, lanes_by_cards={1: 16, 4: 8})
    assert [lanes(A5500, n, chassis) for n in (1, 2, 4, 8)] == [16, 8, 8, 8]
    assert lanes(replace(A5500, pcie_lanes=8), 1, chassis) == 8
    assert lanes(A5500, 2, replace(TOWER, lanes_by_cards={})) == 16


def test_fewer_lanes_slow_the_link() -> None:
    narrow = replace(TOWER, lanes_by_cards={1: 16, 4: 8})
    build = only_build(make_builds(scenario(4), catalog([A5500], [narrow], [ATX2000])))
    assert build.lanes_per_card == 8
    assert build.link is not None and build.link.bus_bandwidth_gb_s == pytest.approx(11.0)


QUOTED = System(
    "q1", "Quoted workstation", "报价工作站", "Vendor", "Q-1", "a5500", 4, "tower", "atx2000", 1, "nvme4", 512.0, 5.0,
    4.0, False, ORIGIN,
)  # fmt: skip


def with_system(data: Catalog, system: System, amount: float | None = 180000.0) -> Catalog:
    prices = data.prices if amount is None else (*data.prices, price(system.id, amount))
    return replace(data, systems={system.id: system}, prices=prices)


def quoted_builds(result: BuildSet) -> list[Build]:
    return [b for b in result.builds if b.system is not None]


def test_a_quoted_machine_costs_its_quote_and_is_no_estimate() -> None:
    data = with_system(catalog([A5500], [TOWER], [ATX2000]), QUOTED)
    (build,) = quoted_builds(make_builds(scenario(4), data))
    assert [(p.role, p.item_id, p.quantity) for p in build.parts] == [("system", "q1", 1)]
    assert (build.price_net, build.estimate_only, build.chassis.ram_gib) == (180000.0, False, 512.0)
    assert build.cards == 4


def test_an_example_system_is_used_only_when_named() -> None:
    data = with_system(catalog([A5500], [TOWER], [ATX2000]), replace(QUOTED, example=True))
    assert quoted_builds(make_builds(scenario(4), data)) == []
    assert len(quoted_builds(make_builds(scenario(4, include_systems=("q1",)), data))) == 1


def test_a_quote_settles_supply_but_not_export() -> None:
    data = with_system(catalog([A5500], [TOWER], [ATX2000]), QUOTED)
    for status, bought in (("discontinued", True), ("not_exportable", False)):
        listed = replace(data, availability=(sold("a5500", status),))
        assert bool(quoted_builds(make_builds(scenario(4), listed))) is bought
    own = replace(data, availability=(sold("a5500"), sold("q1", "discontinued")))
    assert quoted_builds(make_builds(scenario(4), own)) == []


def test_a_quoted_machine_obeys_the_physical_rules_and_needs_a_price() -> None:
    base = catalog([A5500], [TOWER, P620], [ATX2000, P1000])
    on_p620 = with_system(base, replace(QUOTED, chassis_id="p620", psu_id="p620-1000"))
    refused = [r for r in make_builds(scenario(1), on_p620).refusals if r.item == "Quoted workstation"]
    assert [rules(r) for r in refused] == [{"slots", "card_count", "psu_watts"}]
    unpriced = make_builds(scenario(1), with_system(base, QUOTED, None))
    assert [rules(r) for r in unpriced.refusals if r.item_zh == "报价工作站"] == [{"no_price"}]


def test_an_owned_machine_costs_nothing_and_its_breaches_are_notes() -> None:
    owned = Owned("old", "Our 4090 box", "rtx-4090", 2, 3, "seven", "atx1600", 1, "nvme4")
    data = catalog([RTX4090], [SEVEN], [psu("atx1600", 1000.0)], unpriced=["rtx-4090"], availability=())
    result = make_builds(scenario(1, owned=(owned,)), data)
    (build,) = result.builds
    assert (build.id, build.parts, build.price_net, build.owned_count) == ("owned:old", (), 0.0, 3)
    assert {n.rule for n in build.notes} == {"open_air_stacking", "psu_watts", "link_no_p2p"}
    assert build.peak_wall_w == pytest.approx((900 + 350 + 8) / 0.88)  # overloaded: the curve's end
    assert not build.estimate_only


def test_an_unknown_id_in_a_machine_is_an_input_error_with_its_place() -> None:
    owned = Owned("old", "Our box", "rtx-9999", 1, 1, "tower", "no-psu", 1, "nvme4")
    with pytest.raises(InputError) as caught:
        make_builds(scenario(1, owned=(owned,), file="lab.toml"), catalog([A5500], [TOWER], [ATX2000]))
    assert [(p.file, p.column, p.value) for p in caught.value.problems] == [
        ("lab.toml", "card_id", "rtx-9999"), ("lab.toml", "psu_id", "no-psu"),
    ]  # fmt: skip
    for problem in caught.value.problems:
        assert "Our box" in say(f"problem.{problem.code}", "en", **problem.values)
