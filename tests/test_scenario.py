"""The scenario loader: what a run is, traceable defaults, identity and changes, and the bundled scenarios."""

from __future__ import annotations

import math
import tomllib
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from scenario_kit import DAY, MINIMAL, SMALL, assumption, by_id, document, load, origin, power, problems, said, staff

from hwcost.catalog import load_catalog
from hwcost.errors import InputError
from hwcost.messages import LANGUAGES, texts
from hwcost.psu import site_volts
from hwcost.records import Catalog, Dataset, FxRate
from hwcost.scenario_defaults import REGION_VOLTS
from hwcost.scenario_io import (
    DEFAULT_SCENARIO,
    PAYER_CATEGORIES,
    bundled_scenarios,
    load_scenario,
    scenario_from_dict,
    with_changes,
)

# ---- what a run is


def test_steps_are_ceil_of_samples_over_batch_times_epochs() -> None:
    # HybridSN on Indian Pines: 10,249 labelled pixels x 30 % = 3,074.7 -> 3,075 samples; 3,075 / 256 = 12.01 -> 13
    assert math.ceil(10_249 * 0.3) == 3075
    assert load().workloads[0].steps_per_run == 13 * 100
    assert load(workload__train_samples=3075).workloads[0].steps_per_run == 1300
    assert load(workload__train_samples=3072).workloads[0].steps_per_run == 12 * 100
    assert load(workload__train_share=0.1, workload__batch=64).workloads[0].steps_per_run == 17 * 100  # 1,025 samples


def test_a_share_that_gives_whole_samples_does_not_climb_by_rounding() -> None:
    # 0.07 x 100 is 7.000000000000001 in floats; the batch of 7 then needs one step, not two
    catalog = Catalog(**{**vars(SMALL), "datasets": by_id(
        Dataset("indian-pines", "", "", 10, 10, 10, 100, 2, 0.07, origin("datasets.csv")))})  # fmt: skip
    assert 0.07 * 100 > 7
    assert scenario_from_dict(document(workload__batch=7), catalog).workloads[0].steps_per_run == 100


def test_stated_steps_are_taken_as_they_are() -> None:
    data = document(workload__steps_per_run=777)
    del data["workload"][0]["epochs"]
    assert scenario_from_dict(data, SMALL).workloads[0].steps_per_run == 777


def test_units_of_the_file_become_flop_and_bytes() -> None:
    workload = load(
        workload__forward_gflop_per_sample=2.5,
        workload__saved_mib_per_sample=3,
        workload__largest_saved_mib_per_sample=1,
        workload__moved_mib_per_sample=20,
        workload__input_mib_per_sample=0.5,
        workload__dataset_gb=105,
    ).workloads[0]
    assert workload.forward_flop_per_sample == 2_500_000_000
    assert workload.saved_bytes_per_sample == 3 * 1024 * 1024
    assert workload.largest_saved_bytes_per_sample == 1024 * 1024
    assert workload.moved_bytes_per_sample == 20 * 1024 * 1024
    assert workload.input_bytes_per_sample == 512 * 1024
    assert workload.dataset_bytes == 105_000_000_000
    assert workload.kind == "estimate"
    assert "saved_mib_per_sample" in workload.source


def test_a_preset_fills_what_the_lab_does_not_state() -> None:
    workload = load().workloads[0]
    assert (workload.params, workload.batch, workload.precision) == (5_122_176, 256, "torch_default")
    assert (workload.launches_per_step, workload.parameter_tensors, workload.loader_ms_per_sample) == (40, 14, 0.1)
    assert (workload.name, workload.preset, workload.kind) == ("HybridSN", "hybridsn-ip", "specification")
    assert (workload.must, workload.people_at_once, workload.workers, workload.startup_s) == (True, 1, 4, 60)
    assert (workload.overlap, workload.step_cv, workload.growth_per_year) == (0.0, 0.02, 0.0)


def test_the_scene_at_16_bit_is_the_data_set_on_disk() -> None:
    assert load().workloads[0].dataset_bytes == 145 * 145 * 200 * 2


def test_unknown_memory_traffic_is_estimated_from_saved_bytes_and_says_so() -> None:
    # convolution + batch norm + ReLU: 7 passes forward and 12 backward over two saved tensors
    scenario = load()
    assert scenario.workloads[0].moved_bytes_per_sample == (7 + 12) / 2 * 2.0 * 2**20
    note = assumption(scenario, "moved_mib_per_sample")
    assert (note.value, note.unit, note.kind) == (19.0, "MiB", "estimate")
    assert not [a for a in load(workload__moved_mib_per_sample=5).assumptions if a.key == "moved_mib_per_sample"]


def test_a_workload_without_preset_states_every_physical_figure() -> None:
    data = document()
    del data["workload"][0]["preset"]
    data["workload"][0]["train_samples"] = 100
    missing = {p.column for p in problems(data) if p.code == "scenario_missing_key"}
    assert missing == {f"workload[1].{key}" for key in (
        "batch", "params", "forward_gflop_per_sample", "saved_mib_per_sample", "largest_saved_mib_per_sample",
        "launches_per_step", "parameter_tensors", "input_mib_per_sample", "loader_ms_per_sample")}  # fmt: skip


# ---- defaults and where they come from


def test_every_default_is_recorded_with_value_unit_and_source() -> None:
    scenario = load()
    tariff = assumption(scenario, "tariff_per_kwh")
    assert (tariff.value, tariff.unit, tariff.source) == (0.56, "CNY/kWh", "power.csv: cn-school (a page)")
    assert (scenario.tariff_per_kwh, scenario.grid_factor_kg_per_kwh) == (0.56, 0.5306)
    assert scenario.tax_rate == assumption(scenario, "tax_rate").value == 0.13
    assert (scenario.residual_share, scenario.discount_rate) == (0.0, 0.0)
    assert scenario.failure_rate == 3 / 100
    assert scenario.warranty_years == 36 / 12
    assert scenario.staff_hours_per_node_year == 8 * 12
    assert scenario.staff_setup_hours_per_node == 24
    assert (scenario.available_hours_per_card_year, scenario.memory_margin) == (7000, 0.25)
    for a in scenario.assumptions:
        if a.key in vars(scenario):
            assert getattr(scenario, a.key) == a.value


def test_a_stated_figure_is_recorded_with_the_source_scenario() -> None:
    scenario = load(money__tax_rate=0.06, power__tariff_per_kwh=0.8, staff__hours_per_node_month=2, power__pue=1.5)
    for key, value in (("tax_rate", 0.06), ("tariff_per_kwh", 0.8), ("staff_hours_per_node_year", 24), ("pue", 1.5)):
        assert (assumption(scenario, key).value, assumption(scenario, key).source) == (value, "scenario")


def test_every_assumption_has_a_name_in_both_languages() -> None:
    scenario = load(site__noise_limit_dba=50, site__rack_units=4)
    for a in scenario.assumptions:
        assert all(texts()[f"assumption.{a.key}"][lang] for lang in LANGUAGES)


def test_a_tariff_in_another_currency_uses_the_dated_rate_and_is_refused_without_one() -> None:
    assert load(power__tariff="us-average").tariff_per_kwh == pytest.approx(0.128 * 7.1)
    no_rates = Catalog(**{**vars(SMALL), "fx": ()})
    with pytest.raises(InputError) as caught:
        scenario_from_dict(document(power__tariff="us-average"), no_rates)
    assert [p.code for p in caught.value.problems] == ["scenario_no_rate"]


def priced_abroad(*rates: FxRate) -> Catalog:
    """The small catalog with a European tariff and wage."""
    tariff, wage = power("eu-average", "tariff", "EU", 0.2, "EUR/kWh"), staff("wage-eu", "wage", "EU", 45, "EUR/h")
    return replace(
        SMALL, power={**SMALL.power, tariff.id: tariff}, staffing={**SMALL.staffing, wage.id: wage}, fx=rates
    )


def fx(base: str, quote: str, rate: float, day: date = DAY) -> FxRate:
    return FxRate(base, quote, rate, day, "a bank", origin("fx.csv"))


def test_tariff_and_wage_in_another_currency_go_through_the_dollar() -> None:
    catalog = priced_abroad(fx("EUR", "USD", 1.1), fx("USD", "GBP", 0.75))
    scenario = scenario_from_dict(document(region="EU", currency="GBP"), catalog)
    assert scenario.staff_wage_per_hour == pytest.approx(37.125)  # 45 EUR x 1.1 USD/EUR x 0.75 GBP/USD
    assert scenario.tariff_per_kwh == pytest.approx(0.165)  # 0.2 EUR x 1.1 x 0.75
    assert assumption(scenario, "staff_wage_per_hour").value == scenario.staff_wage_per_hour


def test_a_wage_without_a_rate_is_a_problem_that_says_what_to_do() -> None:
    catalog = priced_abroad(fx("USD", "GBP", 0.75))
    with pytest.raises(InputError) as caught:
        scenario_from_dict(document(region="EU", currency="GBP"), catalog)
    found = {p.column: p for p in caught.value.problems}
    assert {column: p.code for column, p in found.items()} == {
        "staff.wage_per_hour": "scenario_no_rate", "power.tariff_per_kwh": "scenario_no_rate",
    }  # fmt: skip
    words = said(found["staff.wage_per_hour"])
    assert "wage-eu" in words["en"] and "EUR -> GBP" in words["en"] and "add the rate to the catalog" in words["en"]
    assert "EUR -> GBP" in words["zh"] and "补充汇率" in words["zh"]
    stated = document(region="EU", currency="GBP", staff__wage_per_hour=30, power__tariff_per_kwh=0.25)
    assert scenario_from_dict(stated, catalog).staff_wage_per_hour == 30


def test_a_rate_of_after_the_scenarios_day_does_not_count() -> None:
    known, later = fx("EUR", "GBP", 0.8), fx("EUR", "GBP", 0.5, date(2026, 12, 1))
    scenario = scenario_from_dict(document(region="EU", currency="GBP"), priced_abroad(known, later))
    assert scenario.staff_wage_per_hour == pytest.approx(36.0)  # 45 x 0.8, on 2026-11-30
    assert scenario.tariff_per_kwh == pytest.approx(0.16)
    with pytest.raises(InputError) as caught:
        scenario_from_dict(document(region="EU", currency="GBP"), priced_abroad(later))
    assert {p.code for p in caught.value.problems} == {"scenario_no_rate"}


def test_the_voltage_of_a_region_stands_in_one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(REGION_VOLTS, "CN", 200.0)
    scenario = load(site__circuit=[{"amps": 10}])
    assert scenario.circuits[0].volts == site_volts(load()) == 200.0


def test_the_room_decides_the_default_pue() -> None:
    assert load(site__place="office").pue == 1.3
    assert load(site__place="machine_room").pue == 1.8
    assert load(power__pue="pue-small-room").pue == 1.8


def test_a_missing_default_asks_to_state_the_figure() -> None:
    bare = Catalog(networks=SMALL.networks, datasets=SMALL.datasets)
    with pytest.raises(InputError) as caught:
        scenario_from_dict(document(), bare)
    assert {p.column for p in caught.value.problems} == {
        "money.maintenance_rate", "money.failure_rate", "money.warranty_years", "power.tariff_per_kwh", "power.pue",
        "staff.hours_per_node_month", "staff.setup_hours_per_node", "staff.wage_per_hour",
    }  # fmt: skip
    assert {p.code for p in caught.value.problems} == {"scenario_no_default"}


def test_circuits_take_the_region_s_voltage() -> None:
    scenario = load(site__circuit=[{"amps": 10}])
    assert scenario.circuits[0].continuous_w == pytest.approx(0.8 * 220 * 10)
    assert load().circuits == ()


def test_storage_holds_the_data_sets_and_a_quarter_more_and_at_least_1_tb() -> None:
    assert load().storage_needed_tb == 1.0
    assert load(workload__dataset_gb=4000).storage_needed_tb == pytest.approx(5.0)
    assert load(storage__needed_tb=3).storage_needed_tb == 3.0


def test_energy_sets_both_energy_lines_and_a_line_of_its_own_wins() -> None:
    scenario = load(payers__energy="lab", payers__energy_idle="university")
    assert (scenario.payers["energy_idle"], scenario.payers["energy_busy"]) == ("university", "lab")
    assert set(scenario.payers) == set(PAYER_CATEGORIES)


def test_the_objective_is_budget_for_a_fund_with_a_spend_by_date_and_serve_otherwise() -> None:
    assert load(budget__amount=100.0, budget__spend_by=date(2026, 12, 31)).objective == "budget"
    assert load(budget__amount=100.0).objective == "serve"
    assert load().objective == "serve"
    assert load(objective="cost", budget__amount=100.0, budget__spend_by=date(2026, 12, 31)).objective == "cost"


# ---- files


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


def test_the_bundled_scenarios_are_the_eight_that_the_package_promises() -> None:
    assert set(bundled_scenarios()) == {
        "lab-default", "eu-lab", "owned-3090s", "fast-single-task", "many-experiments-ecc", "large-tiles",
        "foundation-model", "office-circuit",
    }  # fmt: skip
    assert DEFAULT_SCENARIO in bundled_scenarios()


@pytest.mark.parametrize("name", sorted(bundled_scenarios()))
def test_every_bundled_scenario_loads_and_names_itself(name: str, catalog: Catalog) -> None:
    scenario = load_scenario(name, catalog)
    assert scenario.id == name
    assert scenario.name != scenario.name_zh
    assert scenario.allowed_statuses == ("on_sale",)
    assert all(w.preset for w in scenario.workloads)
    assert len(scenario.sha256) == 64


def test_the_default_scenario_is_the_meeting_of_eight_students(catalog: Catalog) -> None:
    scenario = load_scenario(DEFAULT_SCENARIO, catalog)
    assert (scenario.region, scenario.currency, scenario.budget, scenario.budget_tax_included) == (
        "CN",
        "CNY",
        250_000,
        True,
    )
    assert (scenario.objective, scenario.spend_by, scenario.place) == ("budget", date(2026, 12, 31), "department_room")
    assert sum(w.people_at_once for w in scenario.workloads) == 6
    # runs per paper on patches: 1.5 x (methods 8 x scenes 3 x repeats 10 + ablations 5 x 3 x 10 + settings 20 x 3)
    per_paper = 1.5 * (8 * 3 * 10 + 5 * 3 * 10 + 20 * 3)
    assert [w.runs_per_year for w in scenario.workloads] == [3 * per_paper, 2 * per_paper, per_paper, 2 * 60]
    # ceil(3,075/256) x 100, ceil(1,025/64) x 100, ceil(1,025/64) x 300, 1,000/8 x 60
    assert [w.steps_per_run for w in scenario.workloads] == [1300, 1700, 5100, 7500]


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_utf8_loads_with_and_without_byte_order_mark(mark: bytes, tmp_path: Path) -> None:
    path = tmp_path / "实验室.toml"
    path.write_bytes(mark + MINIMAL.replace('id = "small"', 'id = "small"\nname_zh = "课题组"').encode())
    assert load_scenario(path, SMALL).name_zh == "课题组"


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "scenario_empty"),
        (b"# only a comment\n", "scenario_empty"),
        ("region = \"实验室\"".encode("gb18030"), "scenario_not_utf8"),
        (b'schema = "x"\nregion = CN\n', "scenario_not_toml"),
        (b"a = " + b"[" * 20_000 + b"]" * 20_000, "scenario_unreadable"),  # deeper than the parser can go
        (b"a = " + b"9" * 5_000, "scenario_unreadable"),  # more digits than Python reads
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_used_says_why(content: bytes, code: str, tmp_path: Path) -> None:
    path = tmp_path / "lab.toml"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        load_scenario(path, SMALL)
    assert [p.code for p in caught.value.problems] == [code]
    assert all("lab.toml" in sentence for sentence in said(caught.value.problems[0]).values())


def test_invalid_toml_names_line_and_column(tmp_path: Path) -> None:
    path = tmp_path / "lab.toml"
    path.write_text('schema = "x"\nregion = CN\n', encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_scenario(path, SMALL)
    assert "line 2, column 10" in said(caught.value.problems[0])["en"]
    path.write_text('schema = "x', encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_scenario(path, SMALL)
    assert "line 1, column 12" in said(caught.value.problems[0])["en"]


def test_a_folder_and_a_missing_file_are_refused_with_the_nearest_bundled_id(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        load_scenario(tmp_path, SMALL)
    assert caught.value.problems[0].code == "scenario_is_folder"
    with pytest.raises(InputError) as caught:
        load_scenario("lab-defualt", SMALL)
    assert caught.value.problems[0].values["nearest"] == DEFAULT_SCENARIO


# ---- identity and changes


def test_comments_order_and_spelling_of_numbers_do_not_change_the_sha() -> None:
    plain = scenario_from_dict(tomllib.loads(MINIMAL), SMALL, "a.toml")
    other = MINIMAL.replace("runs_per_year = 100", "# a comment\nruns_per_year = 1e2")
    other = other.replace('region = "CN"\n', "").replace("as_of", 'region = "CN"\nas_of')
    assert scenario_from_dict(tomllib.loads(other), SMALL, "b.toml").sha256 == plain.sha256
    stated_default = document(horizon_years=3, capacity__memory_margin=0.25)
    assert scenario_from_dict(stated_default, SMALL).sha256 == plain.sha256


def test_a_figure_that_matters_changes_the_sha() -> None:
    shas = {load().sha256, load(horizon_years=4).sha256, load(workload__runs_per_year=101).sha256,
            load(payers__energy="lab").sha256, load(as_of=date(2026, 12, 1)).sha256}  # fmt: skip
    assert len(shas) == 5


def test_with_changes_checks_records_and_seals_again() -> None:
    scenario = load()
    changed = with_changes(scenario, budget=5.0, tariff_per_kwh=1.25, spend_by=date(2027, 1, 1))
    assert (changed.budget, changed.tariff_per_kwh, scenario.budget) == (5.0, 1.25, None)
    assert changed.sha256 not in ("", scenario.sha256)
    assert (assumption(changed, "tariff_per_kwh").value, assumption(changed, "tariff_per_kwh").source) == (
        1.25,
        "changed",
    )
    assert with_changes(changed, budget=None, tariff_per_kwh=0.56, spend_by=None).sha256 == scenario.sha256
    assert with_changes(scenario, horizon_years=3.0).sha256 == scenario.sha256
    assert isinstance(with_changes(scenario, horizon_years=4.0).horizon_years, int)
    assert with_changes(scenario, budget=5).sha256 == with_changes(scenario, budget=5.0).sha256


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"budget": -1.0}, "scenario_out_of_range"),
        ({"budget": 0}, "scenario_out_of_range"),
        ({"budget": math.nan}, "scenario_not_finite"),
        ({"budget": "25"}, "scenario_not_number"),
        ({"horizon_years": 11}, "scenario_out_of_range"),
        ({"budgt": 1}, "scenario_unknown_key"),
        ({"objective": "best"}, "scenario_unknown_word"),
        ({"spend_by": "soon"}, "scenario_not_date"),
        ({"spend_by": date(2020, 1, 1)}, "scenario_spend_by_past"),
        ({"workloads": ()}, "scenario_no_workloads"),
        ({"tariff_per_kwh": None}, "scenario_not_number"),
        ({"allowed_statuses": ("sold",)}, "scenario_unknown_word"),
        ({"payers": {"staff": "me"}}, "scenario_unknown_word"),
        ({"cards_per_node": (0,)}, "scenario_out_of_range"),
    ],
)
def test_with_changes_refuses_what_the_file_would_refuse(fields: dict[str, Any], code: str) -> None:
    with pytest.raises(InputError) as caught:
        with_changes(load(), **fields)
    assert [p.code for p in caught.value.problems] == [code]
    assert all("{" not in sentence for sentence in said(caught.value.problems[0]).values())
