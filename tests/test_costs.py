"""Every cost line against its formula, written out here with numbers that a person can follow."""

from dataclasses import replace

import pytest
from small_cases import CARD, PSU, SCENARIO, STORAGE, build, part

from hwcost import psu as power
from hwcost.build import Build
from hwcost.costs import (
    CAPEX,
    CATEGORIES,
    OPEX,
    RESIDUAL,
    CostLine,
    Decisions,
    capex_unit_prices,
    cost_lines,
    price_per_node,
)
from hwcost.scenario import Scenario

PAID = replace(
    SCENARIO, horizon_years=4, tax_rate=0.13, discount_rate=0.05, residual_share=0.15, freight_rate=0.02,
    installation_per_node=500.0, maintenance_rate=0.08, failure_rate=0.03, warranty_years=2.0, tariff_per_kwh=0.6183,
    pue=1.4, on_hours_per_year=8000.0, hosting_per_node_year=1200.0, staff_hours_per_node_year=25.0,
    staff_setup_hours_per_node=6.0, staff_wage_per_hour=80.0,
)  # fmt: skip

# 4 x 12,345.67 + 23,456.78 = 72,839.46 net
NODE = build("node", CARD, 4, 12345.67, 23456.78, idle_wall_w=200.0, busy_extra_wall_w_per_card=230.0)
NET = 72839.46
NODES = 2
CARD_HOURS = 9000.0


def lines(scenario: Scenario = PAID, node: Build = NODE, nodes: int = NODES) -> list[CostLine]:
    years = range(scenario.horizon_years)
    return cost_lines(
        scenario, [node],
        Decisions(
            {(node.id, 0): nodes}, {(node.id, y): nodes for y in years}, {(node.id, y): CARD_HOURS for y in years}
        ),
    )  # fmt: skip


def amounts(category: str, **of: object) -> list[float]:
    return [line.amount for line in lines(**of) if line.category == category]


def test_parts_are_count_times_net_price() -> None:
    assert amounts("card") == [pytest.approx(8 * 12345.67, abs=0.005)]
    assert amounts("host") == [pytest.approx(2 * 23456.78, abs=0.005)]


def test_freight_is_a_share_of_the_net_goods() -> None:
    assert amounts("freight") == [pytest.approx(2 * 1456.79, abs=0.005)]  # 2 % of 72,839.46 is 1,456.7892


def test_tax_is_on_goods_freight_and_installation() -> None:
    assert amounts("installation") == [pytest.approx(2 * 500.0)]
    per_node = 0.13 * (72839.46 + 1456.79 + 500.0)  # 9,723.5125
    assert per_node == pytest.approx(9723.5125)
    assert amounts("tax") == [pytest.approx(2 * 9723.51, abs=0.005)]


def test_the_price_of_a_node_is_the_sum_of_its_purchase_lines() -> None:
    assert price_per_node(PAID, NODE) == pytest.approx(72839.46 + 1456.79 + 500.0 + 9723.51, abs=0.001)
    assert price_per_node(PAID, NODE, tax_included=False) == pytest.approx(72839.46 + 1456.79 + 500.0, abs=0.001)
    bought = sum(line.amount for line in lines(nodes=1) if line.category in CAPEX)
    assert bought == pytest.approx(price_per_node(PAID, NODE), abs=0.001)


def test_a_rate_of_zero_leaves_the_line_out() -> None:
    free = replace(PAID, tax_rate=0.0, freight_rate=0.0, installation_per_node=0.0)
    assert [row[0] for row in capex_unit_prices(free, NODE)] == ["card", "host"]
    assert price_per_node(free, NODE) == NET


def test_idle_energy_is_wall_watts_times_hours_times_pue() -> None:
    kwh = 2 * 200 * 8000 * 1.4 / 1000  # 4,480 kWh
    assert amounts("energy_idle") == [pytest.approx(kwh * 0.6183)] * 4
    assert [line.quantity for line in lines() if line.category == "energy_idle"] == [pytest.approx(4480.0)] * 4


def test_busy_energy_counts_only_what_computing_adds() -> None:
    kwh = 9000 * 230 * 1.4 / 1000  # 2,898 kWh
    assert amounts("energy_busy") == [pytest.approx(kwh * 0.6183)] * 4


def test_losses_of_the_power_supply_reach_the_energy_line() -> None:
    """128 W of card, host and disk behind a supply that is 90 % efficient below a fifth of its load: 142.2 W."""
    host = replace(NODE.chassis, host_idle_w=100.0)
    load = power.node_load(CARD, 1, host, STORAGE.watts)
    taken = power.supply(power.candidate(PSU, 1, host, 220.0), load)
    node = replace(NODE, cards=1, idle_wall_w=taken.idle_wall_w)
    kwh = (100.0 + 20.0 + 8.0) / 0.90 / 1000 * 8000 * 1.4
    idle = [line for line in lines(node=node, nodes=1) if line.category == "energy_idle"]
    assert [line.quantity for line in idle] == [pytest.approx(kwh)] * 4


def test_set_up_and_upkeep_are_hours_times_the_wage() -> None:
    assert amounts("setup") == [pytest.approx(2 * 6 * 80.0)]
    assert amounts("staff") == [pytest.approx(2 * 25 * 80.0)] * 4


def test_maintenance_and_failures_begin_when_the_warranty_ends() -> None:
    for category, amount in (("maintenance", 2 * 5827.16), ("failures", 2 * 4 * 370.37)):
        found = [line for line in lines() if line.category == category]
        assert [line.year for line in found] == [2, 3]  # the third and the fourth year
        assert [line.amount for line in found] == [pytest.approx(amount, abs=0.005)] * 2
    assert [line.year for line in lines(replace(PAID, warranty_years=2.5)) if line.category == "maintenance"] == [3]
    assert amounts("maintenance", scenario=replace(PAID, warranty_years=4.0)) == []


def test_hosting_is_a_price_per_node_and_year() -> None:
    assert amounts("hosting") == [pytest.approx(2400.0)] * 4


def test_residual_value_is_a_negative_line_at_the_end() -> None:
    found = [line for line in lines() if line.category == "residual"]
    assert [(line.year, line.quantity) for line in found] == [(3, 2)]
    assert found[0].amount == pytest.approx(-2 * 10925.92, abs=0.005)  # 15 % of 72,839.46 is 10,925.919
    assert amounts("residual", scenario=replace(PAID, residual_share=0.0)) == []


@pytest.mark.parametrize(
    ("category", "exponents"),
    [
        ("card", [0]), ("freight", [0]), ("installation", [0]), ("tax", [0]), ("setup", [1]),
        ("energy_idle", [1, 2, 3, 4]), ("energy_busy", [1, 2, 3, 4]), ("staff", [1, 2, 3, 4]),
        ("hosting", [1, 2, 3, 4]), ("maintenance", [3, 4]), ("failures", [3, 4]), ("residual", [4]),
    ],
)  # fmt: skip
def test_purchases_are_paid_at_the_start_of_a_year_and_the_rest_at_its_end(category: str, exponents: list[int]) -> None:
    found = [line for line in lines() if line.category == category]
    assert [line.present_value / line.amount for line in found] == [pytest.approx(1.05**-n) for n in exponents]


def test_without_discounting_present_value_is_the_amount() -> None:
    for line in lines(replace(PAID, discount_rate=0.0)):
        assert line.present_value == line.amount


def test_the_whole_plan_by_hand_to_the_cent() -> None:
    capex = 2 * (72839.46 + 1456.79 + 500.0 + 9723.51)
    yearly = (4480 + 2898) * 0.6183 + 2 * 25 * 80 + 2 * 1200
    late = 2 * 5827.16 + 8 * 370.37
    nominal = capex + 2 * 6 * 80 + 4 * yearly + 2 * late - 2 * 10925.92
    assert sum(line.amount for line in lines()) == pytest.approx(nominal, abs=0.005)
    worth = capex + (2 * 6 * 80) / 1.05 + sum(yearly / 1.05**n for n in (1, 2, 3, 4))
    worth += late / 1.05**3 + late / 1.05**4 - 2 * 10925.92 / 1.05**4
    assert sum(line.present_value for line in lines()) == pytest.approx(worth, abs=0.005)


def test_an_owned_machine_has_running_cost_only() -> None:
    owned = replace(NODE, parts=(), owned_count=2)
    assert price_per_node(PAID, owned) == 0.0
    found = {line.category for line in lines(node=owned)}
    assert found == {"energy_idle", "energy_busy", "staff", "hosting"}


def test_a_purchase_in_a_later_year_is_discounted_from_that_year() -> None:
    late = cost_lines(PAID, [NODE], Decisions({("node", 2): 1}, {}, {}))
    card = next(line for line in late if line.category == "card")
    assert (card.year, card.present_value / card.amount) == (2, pytest.approx(1.05**-2))


def test_each_line_names_its_payer() -> None:
    split = replace(PAID, payers={"energy_idle": "university", "staff": "non_cash"})
    payers = {line.category: line.payer for line in lines(split)}
    assert (payers["energy_idle"], payers["staff"], payers["card"]) == ("university", "non_cash", "lab")


def test_categories_are_disjoint_and_cover_every_line() -> None:
    assert len(set(CATEGORIES)) == len(CAPEX) + len(OPEX) + len(RESIDUAL)
    assert {line.category for line in lines()} <= set(CATEGORIES)


def test_all_bought_parts_count_into_the_net_price() -> None:
    psu_part, disk = part("psu", "psu", 2, 1999.99), part("nvme", "storage", 1, 1499.0)
    richer = replace(NODE, parts=(*NODE.parts, psu_part, disk))
    assert richer.price_net == pytest.approx(NET + 2 * 1999.99 + 1499.0, abs=0.001)
    rows = {row[0]: row[2] * row[3] for row in capex_unit_prices(PAID, richer)}
    assert (rows["psu"], rows["storage"]) == (pytest.approx(3999.98), pytest.approx(1499.0))
