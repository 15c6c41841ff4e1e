"""Cost lines of later purchases, services, units of machines, upgrades, several cards and overheads, by hand."""

from dataclasses import replace

import pytest
from small_cases import CARD, SCENARIO, build, part
from years_cases import SERVICE, service_build

from hwcost.build import Build
from hwcost.costs import CostLine, Decisions, cost_lines, price_per_node, residual_share, staff_hours
from hwcost.scenario import Fund, Scenario

PAID = replace(
    SCENARIO, horizon_years=4, tax_rate=0.13, discount_rate=0.05, residual_share=0.16, freight_rate=0.02,
    installation_per_node=500.0, maintenance_rate=0.08, failure_rate=0.03, warranty_years=2.0, tariff_per_kwh=0.6,
    on_hours_per_year=8000.0, hosting_per_node_year=1200.0, staff_hours_per_node_year=25.0,
    staff_setup_hours_per_node=6.0, staff_wage_per_hour=80.0, price_trend_per_year={"card": -0.1},
)  # fmt: skip
NODE = build("node", CARD, 2, 10_000.0, 8_000.0)  # 28,000 net


def lines(node: Build, decisions: Decisions, scenario: Scenario = PAID) -> dict[str, list[CostLine]]:
    found: dict[str, list[CostLine]] = {}
    for line in cost_lines(scenario, [node], decisions):
        found.setdefault(line.category, []).append(line)
    return found


def bought_in(year: int, node: Build = NODE, units: int = 1) -> dict[str, list[CostLine]]:
    years = range(year, PAID.horizon_years)
    return lines(node, Decisions({(node.id, year): units}, {(node.id, y): units for y in years}, {}))


def test_a_price_follows_the_trend_of_its_role_alone() -> None:
    found = bought_in(2)
    assert [x.unit_price for x in found["card"]] == [pytest.approx(10_000 * 0.9**2)]
    assert [x.unit_price for x in found["host"]] == [8_000.0]
    net = 2 * 8_100.0 + 8_000.0  # 24,200
    assert price_per_node(PAID, NODE, year=2) == pytest.approx(1.13 * (net + 484.0 + 500.0), abs=0.005)
    assert price_per_node(PAID, NODE) == pytest.approx(1.13 * (28_000 + 560.0 + 500.0), abs=0.005)


def test_a_warranty_counts_from_the_purchase() -> None:
    assert [x.year for x in bought_in(0)["maintenance"]] == [2, 3]
    assert [x.year for x in bought_in(1)["maintenance"]] == [3]
    assert bought_in(1)["maintenance"][0].amount == pytest.approx(0.08 * (2 * 9_000 + 8_000))
    assert bought_in(1)["failures"][0].amount == pytest.approx(2 * 0.03 * 9_000)
    assert "maintenance" not in bought_in(2)


def test_residual_value_falls_by_the_same_share_every_year() -> None:
    """0.16 after four years is 0.4 after two: the square root."""
    assert residual_share(PAID, 4) == pytest.approx(0.16)
    assert residual_share(PAID, 2) == pytest.approx(0.4)
    (line,) = bought_in(2)["residual"]
    assert (line.year, line.amount) == (3, pytest.approx(-0.4 * 24_200))
    assert line.present_value / line.amount == pytest.approx(1.05**-4)


def test_purchases_of_two_years_are_lines_of_their_own() -> None:
    decisions = Decisions({("node", 0): 1, ("node", 2): 2}, {("node", y): 1 if y < 2 else 3 for y in range(4)}, {})
    found = lines(NODE, decisions)
    assert [(x.year, x.quantity) for x in found["card"]] == [(0, 2), (2, 4)]
    assert [(x.year, x.quantity) for x in found["maintenance"]] == [(2, 1), (3, 1)]
    assert [x.quantity for x in found["residual"]] == [1, 2]
    assert [x.quantity for x in found["hosting"]] == [1, 1, 3, 3]


def test_a_unit_of_two_machines_is_installed_hosted_set_up_and_kept_twice() -> None:
    unit = replace(NODE, nodes_per_unit=2)
    found = bought_in(0, unit)
    assert found["installation"][0].amount == pytest.approx(2 * 500.0)
    assert found["tax"][0].amount == pytest.approx(0.13 * (28_000 + 560 + 1_000), abs=0.005)
    assert found["hosting"][0].amount == pytest.approx(2 * 1_200.0)
    assert found["staff"][0].amount == pytest.approx(2 * 25 * 80.0)
    assert found["setup"][0].amount == pytest.approx(2 * 6 * 80.0)
    assert found["energy_idle"][0].quantity == pytest.approx(NODE.idle_wall_w * 8.0)  # the watts are of the unit


def test_an_upgrade_costs_its_parts_with_freight_and_tax_but_no_installation() -> None:
    upgrade = replace(NODE, parts=(part("nvme", "storage", 1, 2_000.0),), upgrade_of="old")
    found = bought_in(0, upgrade)
    assert "installation" not in found and "card" not in found
    assert found["storage"][0].amount == 2_000.0
    assert found["tax"][0].amount == pytest.approx(0.13 * 2_040.0)
    assert found["hosting"][0].amount == 1_200.0  # a machine like any other
    assert "failures" not in found  # no card was bought


def test_card_hours_of_a_service_are_paid_at_least_to_its_minimum_and_a_year_of_use_besides() -> None:
    service = service_build(replace(SERVICE, price_per_card_hour=1.2345, fixed_cost_per_year=300.0))
    key = (service.id, 1)
    found = lines(service, Decisions({}, {}, {key: 700.0}, {key: 50.0}, {key: 1}))
    assert set(found) == {"campus"}
    assert [(x.unit, x.amount) for x in found["campus"]] == [
        ("card-hour", pytest.approx(750 * 1.2345)), ("year", 300.0),
    ]  # fmt: skip
    assert all(x.present_value / x.amount == pytest.approx(1.05**-2) for x in found["campus"])


def test_a_cloud_is_rental() -> None:
    cloud = service_build(replace(SERVICE, kind="cloud"))
    assert set(lines(cloud, Decisions({}, {}, {(cloud.id, 0): 10.0}))) == {"rental"}


def test_jobs_over_several_cards_are_set_up_once_for_a_wage() -> None:
    scenario = replace(PAID, multi_card_setup_hours=40.0)
    found = lines(NODE, Decisions({}, {}, {}, multi_card={("w", 1): 1}), scenario)
    (line,) = found["setup"]
    assert (line.item, line.build_id, line.year, line.amount) == ("w", "", 1, 40 * 80.0)
    assert "setup" not in lines(NODE, Decisions({}, {}, {}, multi_card={("w", 1): 1}), replace(
        scenario, staff_wage_per_hour=0.0))  # fmt: skip


def test_overhead_is_a_share_of_the_services_that_the_fund_pays() -> None:
    scenario = replace(PAID, funds=(Fund("f", "F", "F", None, ("services",), overhead_rate=0.25),))
    (line,) = lines(NODE, Decisions({}, {}, {}, overhead={("f", 2): 4_000.0}), scenario)["overhead"]
    assert (line.item, line.amount, line.payer) == ("f", pytest.approx(1_000.0), "lab")
    assert line.present_value == pytest.approx(1_000 / 1.05**3)


def test_own_hours_are_set_up_upkeep_and_jobs_over_several_cards() -> None:
    scenario = replace(PAID, multi_card_setup_hours=40.0)
    decisions = Decisions({("node", 1): 2}, {("node", 1): 3}, {}, multi_card={("w", 1): 1, ("v", 0): 1})
    assert sum(staff_hours(scenario, [NODE], decisions, 1)) == pytest.approx(2 * 6 + 3 * 25 + 40)
    assert sum(staff_hours(scenario, [NODE], decisions, 0)) == pytest.approx(40)


def test_an_upgrade_takes_its_own_hours_where_they_are_stated_and_those_of_a_machine_where_not() -> None:
    """Two upgrades at 2 h, or at 6 h each as for a machine, 80 an hour."""
    for stated, hours in ((2.0, 2.0), (None, 6.0)):
        hourly = {"staff_setup_hours_per_node": 6.0, "staff_wage_per_hour": 80.0}
        scenario = replace(SCENARIO, staff_setup_hours_per_upgrade=stated, **hourly)
        upgrade = replace(build("u", CARD, 1, 100.0, 50.0), upgrade_of="owned:o")
        lines = cost_lines(scenario, [upgrade], Decisions({("u", 0): 2.0}, {}, {}))
        assert [line.amount for line in lines if line.category == "setup"] == [2 * hours * 80.0]
