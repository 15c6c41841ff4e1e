"""Services: card-hours of others as builds, the rules that keep one out, and rentals of the catalog as services."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from small_catalog import A5500, ORIGIN, P620, P1000, RTX4090, catalog, rules, scenario

from hwcost.build import Build, BuildSet
from hwcost.builds import make_builds
from hwcost.catalog import load_catalog
from hwcost.errors import InputError
from hwcost.messages.rules import rule_name, sentence
from hwcost.problems import problem_text
from hwcost.records import Catalog, FxRate, Rental
from hwcost.scenario import Fund, Service
from hwcost.services import UNLIMITED_MB_S, service_from_rental

CLUSTER = Service("hpc", "Campus cluster", "校级平台", "campus", "a5500", 4, 5.0, storage_mb_s=800.0)
CLOUD = replace(CLUSTER, id="cloud", name="Cloud", name_zh="甲云", kind="cloud", card_id="rtx-4090")
STOCK = catalog([A5500, RTX4090], [P620], [P1000])
EQUIPMENT = Fund("e", "Equipment", "设备费", 100.0)
BUSINESS = Fund("s", "Services", "业务费", 100.0, pays=("services",))


def services(result: BuildSet) -> dict[str, Build]:
    return {b.id: b for b in result.builds if b.service is not None}


def test_a_service_is_a_build_without_parts_and_watts() -> None:
    found = services(make_builds(scenario(1, services=(CLUSTER, CLOUD)), STOCK))
    assert set(found) == {"service:hpc", "service:cloud"}
    build = found["service:hpc"]
    assert (build.card.id, build.cards, build.parts, build.price_net) == ("a5500", 4, (), 0.0)
    assert (build.idle_wall_w, build.peak_wall_w, build.busy_extra_wall_w_per_card) == (0.0, 0.0, 0.0)
    assert build.service == CLUSTER and not build.owned and build.storage.read_mb_s == 800.0


def test_the_cards_of_a_service_are_joined_as_its_card_usually_is() -> None:
    found = services(make_builds(scenario(1, services=(CLUSTER, CLOUD)), STOCK))
    assert found["service:hpc"].link is not None and found["service:hpc"].link.id == "pcie_p2p"
    assert found["service:cloud"].link is not None and found["service:cloud"].link.id == "pcie_p2p_off"
    single = services(make_builds(scenario(1, services=(replace(CLUSTER, cards_per_job=1),)), STOCK))
    assert single["service:hpc"].link is None


def test_a_module_that_only_comes_with_its_machine_is_joined_by_nvlink() -> None:
    sxm = replace(CLUSTER, card_id="a100-sxm4-80", cards_per_job=8)
    (build,) = services(make_builds(scenario(1, services=(sxm,)), load_catalog())).values()
    assert build.card.name.startswith("A100") and build.link is not None and build.link.id == "nvlink_sxm"


def test_storage_that_the_service_does_not_state_bounds_nothing() -> None:
    (build,) = services(make_builds(scenario(1, services=(replace(CLUSTER, storage_mb_s=None),)), STOCK)).values()
    assert build.storage.read_mb_s == UNLIMITED_MB_S


@pytest.mark.parametrize(("stays", "kept"), [("anywhere", {"hpc", "cloud"}), ("campus", {"hpc"}), ("lab", set())])
def test_data_that_must_stay_keep_services_out(stays: str, kept: set[str]) -> None:
    result = make_builds(scenario(1, services=(CLUSTER, CLOUD), data_stays=stays), STOCK)
    assert {b.service.id for b in services(result).values() if b.service} == kept
    out = {r.item: rules(r) for r in result.refusals if r.item in ("Campus cluster", "Cloud")}
    assert list(out.values()) == [{"data_stay"}] * (2 - len(kept))


def test_funds_that_may_not_pay_services_keep_them_out() -> None:
    barred = make_builds(scenario(1, services=(CLUSTER,), funds=(EQUIPMENT,)), STOCK)
    assert services(barred) == {}
    (refusal,) = [r for r in barred.refusals if r.item == "Campus cluster"]
    assert rules(refusal) == {"fund_services"}
    assert services(make_builds(scenario(1, services=(CLUSTER,), funds=(EQUIPMENT, BUSINESS)), STOCK))
    assert services(make_builds(scenario(1, services=(CLUSTER,)), STOCK))  # without stated funds nothing is barred


def test_all_reasons_are_told_in_both_languages() -> None:
    unknown = replace(CLOUD, card_id="rtx-9999")
    result = make_builds(scenario(1, services=(unknown,), funds=(EQUIPMENT,), data_stays="lab"), STOCK)
    (refusal,) = [r for r in result.refusals if r.item == "Cloud"]
    assert [b.rule for b in refusal.breaches] == ["data_stay", "fund_services", "card_unknown"]
    english = [sentence(b, "en") for b in refusal.breaches]
    assert english[0] == "The data may be processed in the laboratory alone; Cloud is a cloud."
    assert "rtx-9999" in english[2]
    chinese = [sentence(b, "zh") for b in refusal.breaches]
    assert chinese[0] == "数据只能在本实验室处理，而甲云属于云平台。"
    assert all(rule_name(b, lang) for b in refusal.breaches for lang in ("en", "zh"))


# --- rentals ---


RENTAL = Rental("r1", "Cloud X", "云 X", "cloud", "a5500", "world", 0.5, "USD", False, "on-demand", ORIGIN)


def with_rental(**changes: Any) -> Catalog:
    row = replace(RENTAL, **changes)
    old = FxRate("USD", "CNY", 6.5, date(2026, 1, 1), "bank", ORIGIN)
    new = FxRate("USD", "CNY", 7.0, date(2026, 10, 1), "bank", ORIGIN)
    late = FxRate("USD", "CNY", 9.0, date(2027, 1, 1), "bank", ORIGIN)
    return replace(STOCK, rentals={row.id: row}, fx=(old, new, late))


def test_a_rental_is_charged_in_the_scenarios_currency_with_tax() -> None:
    stock = with_rental()
    found = service_from_rental(stock, scenario(1), "r1")
    assert found.price_per_card_hour == pytest.approx(0.5 * 7.0 * 1.13)
    assert (found.kind, found.card_id, found.cards_per_job, found.name_zh) == ("cloud", "a5500", 1, "云 X")
    assert "1 USD = 7 CNY (2026-10-01)" in found.source
    assert (found.wait_hours, found.cards_at_once, found.quota_card_hours_per_year) == (None, None, None)


def test_a_rental_with_tax_in_the_same_currency_keeps_its_amount() -> None:
    stock = with_rental(currency="CNY", tax_included=True, price_per_card_hour=5.0)
    assert service_from_rental(stock, scenario(1), "r1").price_per_card_hour == 5.0


def test_a_rental_that_cannot_become_a_service_says_why() -> None:
    stock = with_rental()
    without_card = with_rental(card_id="")
    no_rate = with_rental(currency="EUR")
    for given, name, code, said in (
        (stock, "r2", "rental_unknown", ("rentals.csv",)),
        (without_card, "r1", "rental_without_card", ("which card",)),
        (no_rate, "r1", "rental_no_rate", ("EUR", "CNY", "fx.csv")),
    ):
        with pytest.raises(InputError) as caught:
            service_from_rental(given, scenario(1), name)
        (problem,) = caught.value.problems
        assert problem.code == code
        assert all(word in problem_text(problem, "en") for word in (*said, name))
        assert problem_text(problem, "zh")


def test_every_bundled_rental_that_names_a_card_becomes_a_service() -> None:
    bundled = load_catalog()
    for row in bundled.rentals.values():
        if row.card_id:
            assert service_from_rental(bundled, scenario(1), row.id).price_per_card_hour > 0
