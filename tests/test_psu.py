"""Power supplies: watts by hand, plugs, voltage, redundancy, and which supplies are kept."""

from dataclasses import replace
from datetime import date

import pytest

from hwcost import psu as power
from hwcost.catalog_specs import psu_form_cell
from hwcost.quantities import QuantityError
from hwcost.records import Card, Chassis, Origin, Psu

ORIGIN = Origin("test", 2, "bundled", "test", date(2026, 11, 1), "specification")


def supply(psu_id: str = "p", watts: float = 1000.0, low: float | None = None, **changes: object) -> Psu:
    base = Psu(
        id=psu_id, name=psu_id.upper(), form="atx", watts_high_line=watts,
        watts_low_line=watts if low is None else low, efficiency_20=0.90, efficiency_50=0.92, efficiency_100=0.88,
        pcie8_connectors=4, v12_2x6_connectors=1, eps8_connectors=1, origin=ORIGIN,
    )  # fmt: skip
    return replace(base, **changes)


CASE = Chassis(
    id="case", name="Case", name_zh="机箱", form="tower", segment="workstation", slots=8, max_cards_1slot=8,
    max_cards_2slot=4, max_cards_3slot=2, pcie_gen=4, lanes_by_cards={1: 16, 4: 16}, airflow="ducted", passive_ok=False,
    max_card_length_mm=None, psu_form="atx", psu_bays=1, redundant=False, host_idle_w=100.0, host_load_w=350.0,
    cpu_cores=16, ram_gib=128.0, noise_dba=40.0, rack_units=None, origin=ORIGIN,
)  # fmt: skip

CARD = Card(
    id="a5500", name="RTX A5500", vendor="NVIDIA", segment="workstation", architecture="Ampere", compute_capability=8.6,
    memory_gib=24.0, usable_mib=24564.0, memory_type="GDDR6", ecc="inline", bandwidth_gb_s=768.0, fp32_tflops=34.1,
    tensor_fp16_tflops=136.4, tensor_tf32_tflops=68.2, bf16=True, tdp_w=230.0, idle_w=20.0, slot_width=2,
    length_mm=267.0, cooling="blower", power_connector="pcie8", power_connectors=1, pcie_gen=4, pcie_lanes=16,
    nvlink_gb_s=112.5, nvlink_max_cards=2, p2p=True, datacentre_licensed=True, pytorch_current=True,
    resnet50_fp32_img_s=None, bert_large_fp32_seq_s=None, warranty_years=3.0, notes="", origin=ORIGIN,
)  # fmt: skip


def rules(load: power.Load, options: tuple[power.Candidate, ...], volts: float, circuit: float | None) -> list[str]:
    return [b.rule for b in power.select(load, options, "atx", volts, circuit)[1]]


@pytest.mark.parametrize(
    ("share", "expected"),
    [(0.05, 0.90), (0.20, 0.90), (0.35, 0.91), (0.50, 0.92), (0.75, 0.90), (1.00, 0.88), (1.30, 0.88)],
)
def test_efficiency_runs_in_straight_lines_and_is_constant_outside(share: float, expected: float) -> None:
    assert power.efficiency(supply(), share) == pytest.approx(expected)


def test_need_is_cards_and_host_over_four_fifths() -> None:
    load = power.node_load(CARD, 4, CASE, 8.0)
    assert load.need_w == pytest.approx((4 * 230 + 350) / 0.8)  # storage is not in the rating rule
    assert load.peak_w == pytest.approx(4 * 230 + 350 + 8)
    assert load.idle_w == pytest.approx(100 + 4 * 20 + 8)


def test_wall_watts_use_the_efficiency_at_that_load() -> None:
    option = power.candidate(supply(watts=2000.0), 1, CASE, 220.0)
    taken = power.supply(option, power.node_load(CARD, 4, CASE, 0.0))
    share = 1270 / 2000
    assert taken.peak_wall_w == pytest.approx(1270 / (0.92 - (share - 0.5) / 0.5 * 0.04))
    assert taken.idle_wall_w == pytest.approx(180 / 0.90)  # 9 % load: below the curve


def test_four_a5500_do_not_run_on_a_1000_w_supply() -> None:
    load = power.node_load(CARD, 4, CASE, 0.0)
    working, breaches = power.select(load, power.candidates(CASE, [supply()], 220.0), "atx", 220.0, None)
    assert working == ()
    assert [b.rule for b in breaches] == ["psu_watts"]
    assert breaches[0].values["need_w"] == pytest.approx(1587.5)
    assert breaches[0].values["usable_w"] == 1000.0


def test_rating_exactly_at_the_need_is_enough() -> None:
    load = power.node_load(CARD, 4, CASE, 0.0)
    assert rules(load, power.candidates(CASE, [supply(watts=1587.5)], 220.0), 220.0, None) == []
    assert rules(load, power.candidates(CASE, [supply(watts=1587.0)], 220.0), 220.0, None) == ["psu_watts"]


def test_a_derated_supply_fails_at_120_v_and_says_that_the_voltage_is_at_fault() -> None:
    load = power.node_load(CARD, 4, CASE, 0.0)  # needs 1587.5 W
    derated = supply(watts=1600.0, low=1300.0)
    assert rules(load, power.candidates(CASE, [derated], 230.0), 230.0, None) == []
    breaches = power.select(load, power.candidates(CASE, [derated], 120.0), "atx", 120.0, None)[1]
    assert [b.rule for b in breaches] == ["psu_low_line"]
    assert (breaches[0].values["usable_w"], breaches[0].values["high_line_w"]) == (1300.0, 1600.0)


def test_a_supply_that_does_not_run_at_low_line_gives_nothing_there() -> None:
    load = power.node_load(CARD, 1, CASE, 0.0)
    options = power.candidates(CASE, [supply(watts=2700.0, low=0.0)], 120.0)
    assert rules(load, options, 120.0, None) == ["psu_low_line"]


def test_redundancy_counts_one_supply_out() -> None:
    case = replace(CASE, redundant=True, psu_bays=2, psu_form="crps", host_load_w=700.0)
    psu = supply(watts=2200.0, low=1200.0, form="crps", pcie8_connectors=None)
    options = power.candidates(case, [psu], 220.0)
    assert [(o.count, o.usable_w, o.rated_w) for o in options] == [(2, 2200.0, 4400.0)]
    load = power.node_load(CARD, 4, case, 0.0)  # (920 + 700) / 0.8 = 2025
    assert rules(load, options, 220.0, None) == []
    assert rules(power.node_load(CARD, 6, case, 0.0), options, 220.0, None) == ["psu_watts"]  # 2600 W
    taken = power.supply(options[0], load)
    assert taken.peak_wall_w == pytest.approx(1620 / (0.90 + (1620 / 4400 - 0.2) / 0.3 * 0.02))  # both share the load


def test_without_redundancy_the_supplies_add_up() -> None:
    case = replace(CASE, psu_bays=2)
    options = power.candidates(case, [supply(watts=1125.0)], 220.0)
    assert [(o.count, o.usable_w) for o in options] == [(1, 1125.0), (2, 2250.0)]
    working, _ = power.select(power.node_load(CARD, 4, case, 0.0), options, "atx", 220.0, None)
    assert [s.count for s in working] == [2]


@pytest.mark.parametrize(
    ("connector", "per_card", "tdp", "cards", "need", "have"),
    [
        ("none", 0, 70.0, 4, 0, None),
        ("pcie6", 1, 140.0, 3, 3, 4),
        ("pcie8", 2, 300.0, 3, 6, 4),
        ("eps8", 1, 300.0, 2, 2, 1),
        ("v12_2x6", 1, 300.0, 1, 0, 4),  # the native plug
        ("v12_2x6", 1, 300.0, 2, 2, 4),  # one native plug, one adapter of two 8-pin plugs
        ("v12_2x6", 1, 450.0, 3, 6, 4),  # two adapters of three
        ("v12_2x6", 1, 575.0, 2, 4, 4),  # one adapter of four
        ("v12_2x6", 1, 130.0, 2, 2, 4),  # no adapter takes fewer than two
    ],
)
def test_plugs(connector: str, per_card: int, tdp: float, cards: int, need: int, have: int | None) -> None:
    card = replace(CARD, power_connector=connector, power_connectors=per_card, tdp_w=tdp)
    option = power.candidate(supply(), 1, CASE, 220.0)
    assert power.plugs(option, power.node_load(card, cards, CASE, 0.0)) == (need, have)


def test_plugs_of_a_board_fed_case_are_not_counted() -> None:
    fed = supply(watts=3000.0, pcie8_connectors=None, v12_2x6_connectors=None, eps8_connectors=None)
    for connector in ("pcie8", "eps8", "v12_2x6"):
        load = power.node_load(replace(CARD, power_connector=connector), 4, CASE, 0.0)
        assert rules(load, power.candidates(CASE, [fed], 220.0), 220.0, None) == []


def test_too_few_plugs_are_a_rule_of_their_own_beside_too_few_watts() -> None:
    load = power.node_load(replace(CARD, power_connectors=2), 4, CASE, 0.0)
    assert rules(load, power.candidates(CASE, [supply()], 220.0), 220.0, None) == ["psu_watts", "psu_connectors"]


def test_watts_in_one_supply_and_plugs_in_another_do_not_help() -> None:
    load = power.node_load(CARD, 4, CASE, 0.0)
    pool = [supply("strong", 2000.0, pcie8_connectors=3), supply("plugged", 1000.0, pcie8_connectors=8)]
    breaches = power.select(load, power.candidates(CASE, pool, 220.0), "atx", 220.0, None)[1]
    assert [(b.rule, b.values["psu"], b.values["have"]) for b in breaches] == [("psu_connectors", "STRONG", 3)]


def test_a_server_module_fits_the_cases_of_its_maker_only() -> None:
    pool = [supply("own", form="crps:lenovo"), supply("foreign", form="crps:supermicro"), supply("any", form="crps")]
    pool.append(supply("generic", form="crps:generic"))
    taken = power.candidates(replace(CASE, psu_form="crps:lenovo"), pool, 220.0)
    assert [o.psu.id for o in taken] == ["own"]


def test_a_case_names_the_maker_of_its_modules() -> None:
    assert [psu_form_cell(form) for form in ("atx", "crps:lenovo", "fixed:own")] == ["atx", "crps:lenovo", "fixed:own"]
    for form in ("crps", "crps:", "crps:Lenovo", "atx:lenovo", "fixed:"):
        with pytest.raises(QuantityError):
            psu_form_cell(form)


def test_a_case_takes_only_its_form_or_its_own_supply() -> None:
    pool = [supply("a"), supply("b", form="crps"), supply("own", watts=1000.0)]
    assert [o.psu.id for o in power.candidates(replace(CASE, psu_form="crps"), pool, 220.0)] == ["b"]
    assert [o.psu.id for o in power.candidates(replace(CASE, psu_form="fixed:own"), pool, 220.0)] == ["own"]
    load = power.node_load(CARD, 1, CASE, 0.0)
    assert [b.rule for b in power.select(load, (), "fixed:none", 220.0, None)[1]] == ["psu_form"]


def test_circuit_is_compared_with_the_watts_at_the_wall() -> None:
    load = power.node_load(CARD, 4, CASE, 0.0)
    options = power.candidates(CASE, [supply(watts=2000.0)], 220.0)
    share = 1270 / 2000
    wall = 1270 / (0.92 - (share - 0.5) / 0.5 * 0.04)  # 1395.6 W
    assert rules(load, options, 220.0, wall + 0.1) == []
    assert rules(load, options, 220.0, wall - 0.1) == ["circuit"]
    assert wall - 0.1 > 1270  # the losses decide


def test_the_better_supply_stays_where_only_it_keeps_the_circuit() -> None:
    load = power.node_load(CARD, 4, CASE, 0.0)
    good = supply("good", 2000.0, efficiency_20=0.94, efficiency_50=0.96, efficiency_100=0.94)
    options = power.candidates(CASE, [supply("plain", 2000.0), good], 220.0)
    working, breaches = power.select(load, options, "atx", 220.0, 1380.0)
    assert ([s.psu.id for s in working], breaches) == (["good"], ())


def test_supplies_beaten_in_price_losses_and_units_are_dropped() -> None:
    def taken(psu_id: str, idle: float, peak: float, count: int = 1) -> power.Supply:
        return power.Supply(supply(psu_id), count, idle, peak)

    cheap, frugal = taken("cheap", 200.0, 1500.0), taken("frugal", 190.0, 1400.0)
    worse, twin = taken("worse", 201.0, 1500.0), taken("twin", 200.0, 1500.0)
    prices = {"cheap": 100.0, "frugal": 300.0, "worse": 120.0, "twin": 100.0}
    for pool in ([cheap, frugal, worse, twin], [twin, worse, frugal, cheap]):
        assert power.undominated(pool, prices) == (cheap, frugal)
    pair = taken("pair", 200.0, 1500.0, 2)  # 2 x 40 is cheaper, so it stays
    assert power.undominated([cheap, pair], {"cheap": 100.0, "pair": 40.0}) == (cheap, pair)
