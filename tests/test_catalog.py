"""Layers, joins, ranges and faults of the catalog, on small catalogs written for each test."""

from __future__ import annotations

import csv
import random
import re
from pathlib import Path

import pytest

import hwcost
from hwcost.catalog import bundled_dir, load_catalog, user_dir
from hwcost.catalog_specs import SPECS
from hwcost.errors import InputError, Problem
from hwcost.problems import problem_text

ORIGIN = {"source": "data sheet", "as_of": "2026-11-01", "kind": "specification"}
CARD = {
    "id": "c1", "name": "Card One", "vendor": "V", "segment": "workstation", "architecture": "A",
    "compute_capability": "8.6", "memory_gib": "24", "usable_mib": "24564", "memory_type": "GDDR6", "ecc": "inline",
    "bandwidth_gb_s": "768", "fp32_tflops": "34.1", "tensor_fp16_tflops": "136", "tensor_tf32_tflops": "68",
    "bf16": "yes", "tdp_w": "230", "idle_w": "20", "slot_width": "2", "length_mm": "267", "cooling": "blower",
    "power_connector": "pcie8", "power_connectors": "1", "pcie_gen": "4", "pcie_lanes": "16", "nvlink_gb_s": "112.5",
    "nvlink_max_cards": "2", "p2p": "yes", "datacentre_licensed": "yes", "pytorch_current": "yes",
    "resnet50_fp32_img_s": "", "bert_large_fp32_seq_s": "", "warranty_years": "3", "notes": "", **ORIGIN,
}  # fmt: skip
CHASSIS = {
    "id": "h1", "name": "Tower", "name_zh": "塔式主机", "form": "tower", "segment": "workstation", "slots": "8",
    "max_cards_1slot": "4", "max_cards_2slot": "4", "max_cards_3slot": "2", "pcie_gen": "4",
    "lanes_by_cards": "1:16 2:16 4:8", "airflow": "ducted", "passive_ok": "no", "max_card_length_mm": "330",
    "psu_form": "atx", "psu_bays": "1", "redundant": "no", "host_idle_w": "90", "host_load_w": "350",
    "cpu_cores": "16", "ram_gib": "128", "noise_dba": "40", "rack_units": "", **ORIGIN,
}  # fmt: skip
PSU = {
    "id": "p1", "name": "PSU 1600", "form": "atx", "watts_high_line": "1600", "watts_low_line": "1200",
    "efficiency_20": "0.90", "efficiency_50": "0.92", "efficiency_100": "0.89", "pcie8_connectors": "8",
    "v12_2x6_connectors": "", "eps8_connectors": "1", **ORIGIN,
}  # fmt: skip
STORAGE = {
    "id": "s1", "name": "NVMe 4 TB", "name_zh": "", "tier": "nvme", "read_mb_s": "5000", "capacity_tb": "4",
    "local": "yes", "watts": "8", **ORIGIN,
}  # fmt: skip
LINK = {
    "id": "pcie_p2p", "pcie_gen": "4", "cards": "2", "bus_bandwidth_gb_s": "20", "low_gb_s": "19", "high_gb_s": "22",
    "alpha_us": "30", **ORIGIN,
}  # fmt: skip
PRICE = {
    "item_id": "c1", "amount": "20000", "currency": "CNY", "tax_included": "yes", "price_kind": "list", "vendor": "V",
    "region": "CN", "as_of": "2026-11-01", "valid_until": "", "source": "shop",
}  # fmt: skip
FX = {"base": "USD", "quote": "CNY", "rate": "7.1", "as_of": "2026-11-01", "source": "bank"}
TARIFF = {
    "id": "t1", "category": "tariff", "region": "CN", "name": "Tariff", "name_zh": "电价", "value": "0.56", "low": "",
    "high": "", "unit": "CNY/kWh", "volts": "", **ORIGIN,
}  # fmt: skip
STAFF = {
    "id": "f1", "category": "failure", "region": "", "name": "Failures", "name_zh": "", "value": "0.03", "low": "0.02",
    "high": "0.06", "unit": "cards/card-year", **ORIGIN,
}  # fmt: skip
Tables = dict[str, list[dict[str, str]]]


def base() -> Tables:
    """The smallest catalog without a fault."""
    return {
        "cards.csv": [CARD, CARD | {"id": "c2", "name": "Card Two"}],
        "chassis.csv": [CHASSIS],
        "psus.csv": [PSU],
        "storage.csv": [STORAGE],
        "links.csv": [LINK],
        "prices.csv": [PRICE, PRICE | {"item_id": "c2", "amount": "1500", "currency": "USD"}],
        "fx.csv": [FX],
        "power.csv": [TARIFF],
        "staffing.csv": [STAFF],
    }


def write(folder: Path, tables: Tables) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in tables.items():
        with (folder / name).open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    return folder


@pytest.fixture(autouse=True)
def _no_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HWCOST_HOME", raising=False)


def faults(folder: Path, extra: Path | None = None) -> list[Problem]:
    """The problems of a catalog, each checked to be one sentence in both languages that names its file."""
    with pytest.raises(InputError) as refused:
        load_catalog(extra, bundled=folder)
    for problem in refused.value.problems:
        zh, en = problem_text(problem, "zh"), problem_text(problem, "en")
        assert zh.endswith("。") and en.endswith(".")
        assert Path(problem.file).name in zh and Path(problem.file).name in en
        assert re.search(r"[\u4e00-\u9fff]", zh) and "{" not in zh + en
        if problem.row is not None:
            assert f"第 {problem.row} 行" in zh and f"row {problem.row}" in en
        if problem.value:
            assert problem.value in zh and problem.value in en
    return list(refused.value.problems)


def changed(tmp_path: Path, file: str, **changes: str) -> list[tuple[str, int | None, str]]:
    """(code, row, column) of the problems when the first row of `file` is changed."""
    tables = base()
    tables[file] = [tables[file][0] | changes, *tables[file][1:]]
    return [(p.code, p.row, p.column) for p in faults(write(tmp_path / "b", tables))]


def test_a_small_catalog_loads_with_types_and_origin(tmp_path: Path) -> None:
    catalog = load_catalog(bundled=write(tmp_path, base()))
    card = catalog.cards["c2"]
    assert (card.memory_gib, card.slot_width, card.bf16, card.resnet50_fp32_img_s) == (24.0, 2, True, None)
    assert (card.origin.file, card.origin.row, card.origin.layer) == ("cards.csv", 3, "bundled")
    assert (card.origin.source, str(card.origin.as_of), card.origin.kind) == (
        "data sheet",
        "2026-11-01",
        "specification",
    )
    assert catalog.chassis["h1"].lanes_by_cards == {1: 16, 2: 16, 4: 8}
    assert catalog.chassis["h1"].stacked_open_air_max == 1  # the column may be left out
    assert catalog.storage["s1"].name_zh == "NVMe 4 TB"
    assert [p.amount for p in catalog.prices] == [20000.0, 1500.0]
    assert catalog.prices[0].valid_until is None
    assert len(catalog.sha256) == 64


def test_later_layers_override_by_id_and_add_prices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bundled = write(tmp_path / "bundled", base())
    home = write(tmp_path / "home", {
        "cards.csv": [CARD | {"name": "Home"}, CARD | {"id": "c2", "name": "Home two"}],
        "prices.csv": [PRICE | {"price_kind": "quote", "amount": "￥19,500"}],
    })  # fmt: skip
    extra = write(
        tmp_path / "extra", {"cards.csv": [CARD | {"name": "Extra"}], "prices.csv": [PRICE | {"amount": "1"}]}
    )
    monkeypatch.setenv("HWCOST_HOME", str(home))
    assert user_dir() == home
    catalog = load_catalog(extra, bundled=bundled)
    assert [c.name for c in catalog.cards.values()] == ["Extra", "Home two"]
    assert catalog.cards["c1"].origin.file == str(extra / "cards.csv")
    assert (catalog.cards["c1"].origin.layer, catalog.cards["c1"].origin.row) == ("user", 2)
    found = {(p.item_id, p.price_kind): p.amount for p in catalog.prices}
    assert found == {("c1", "list"): 1.0, ("c1", "quote"): 19500.0, ("c2", "list"): 1500.0}


def test_a_later_layer_replaces_all_bands_of_a_procurement_profile(tmp_path: Path) -> None:
    band = {"id": "uni", "country": "CN", "name": "Uni", "name_zh": "学校", "basis": "gross", "from_amount": "0",
            "to_amount": "100000", "currency": "CNY", "method": "m", "method_zh": "法", "quotes_min": "3",
            "quote_max_age_days": "90", **ORIGIN}  # fmt: skip
    upper = band | {"from_amount": "100000", "to_amount": ""}
    bundled = write(tmp_path / "b", base() | {"procurement.csv": [band, upper, band | {"id": "other"}]})
    extra = write(tmp_path / "e", {"procurement.csv": [band | {"to_amount": "", "quote_max_age_days": "30"}]})
    catalog = load_catalog(extra, bundled=bundled)
    assert [(p.id, p.quote_max_age_days) for p in catalog.procurement] == [("other", 90), ("uni", 30)]


def test_a_later_layer_decides_availability_whatever_its_date(tmp_path: Path) -> None:
    row = {"item_id": "c1", "region": "CN", "status": "on_sale", "as_of": "2026-11-01", "source": "shop", "note": ""}
    bundled = write(tmp_path / "b", base() | {"availability.csv": [row, row | {"item_id": "c2"}]})
    extra = write(tmp_path / "e", {"availability.csv": [row | {"status": "discontinued", "as_of": "2026-10-01"}]})
    catalog = load_catalog(extra, bundled=bundled)
    assert [(a.item_id, a.status) for a in catalog.availability] == [("c1", "discontinued"), ("c2", "on_sale")]


def test_shuffled_rows_give_the_same_catalog(tmp_path: Path) -> None:
    tables = base()
    tables["cards.csv"] = [CARD | {"id": f"c{n}", "name": f"Card {n}"} for n in range(1, 10)]
    first = load_catalog(bundled=write(tmp_path / "0", tables))
    for seed in range(1, 4):
        shuffled = {name: random.Random(seed).sample(rows, len(rows)) for name, rows in tables.items()}
        other = load_catalog(bundled=write(tmp_path / str(seed), shuffled))
        assert other.sha256 == first.sha256
        assert list(other.cards) == list(first.cards)


@pytest.mark.parametrize(
    ("file", "change"),
    [("prices.csv", {"amount": "20001"}), ("prices.csv", {"as_of": "2026-11-02"}), ("cards.csv", {"tdp_w": "231"}),
     ("cards.csv", {"source": "other"}), ("cards.csv", {"as_of": "2026-11-02"}), ("cards.csv", {"kind": "estimate"})],
)  # fmt: skip
def test_any_changed_figure_source_date_or_kind_changes_the_sha(
    tmp_path: Path, file: str, change: dict[str, str]
) -> None:
    first = load_catalog(bundled=write(tmp_path / "0", base()))
    tables = base()
    tables[file][0] = tables[file][0] | change
    assert load_catalog(bundled=write(tmp_path / "1", tables)).sha256 != first.sha256


def test_another_way_to_write_the_same_figure_keeps_the_sha(tmp_path: Path) -> None:
    first = load_catalog(bundled=write(tmp_path / "0", base()))
    tables = base()
    tables["prices.csv"][0] = PRICE | {"amount": "￥20,000.00", "tax_included": "是"}
    assert load_catalog(bundled=write(tmp_path / "1", tables)).sha256 == first.sha256


def test_all_problems_of_all_tables_come_at_once(tmp_path: Path) -> None:
    tables = base()
    tables["cards.csv"] = [CARD | {"tdp_w": "abc", "cooling": "blowr"}, CARD | {"id": "c2", "memory_gib": "nan"}]
    tables["prices.csv"] = [PRICE | {"amount": "0"}, PRICE | {"item_id": "c2", "currency": "CNYY"}]
    tables["fx.csv"] = [FX | {"rate": "-7"}]
    found = [(Path(p.file).name, p.row, p.column, p.code) for p in faults(write(tmp_path, tables))]
    assert found == [
        ("cards.csv", 2, "tdp_w", "not_a_number"),
        ("cards.csv", 2, "cooling", "choice"),
        ("cards.csv", 3, "memory_gib", "not_finite"),
        ("prices.csv", 2, "amount", "zero_price"),
        ("prices.csv", 3, "currency", "choice"),
        ("fx.csv", 2, "rate", "range_above"),
    ]


def test_the_nearest_word_is_told(tmp_path: Path) -> None:
    tables = base()
    tables["cards.csv"][0] = CARD | {"cooling": "blowr"}
    tables["prices.csv"][0] = PRICE | {"item_id": "c11"}
    problems = faults(write(tmp_path, tables))
    assert problems[0].values["nearest"] == "blower"
    assert "最接近的是“blower”" in problem_text(problems[0], "zh")


@pytest.mark.parametrize(
    ("file", "changes", "code", "column"),
    [
        ("prices.csv", {"amount": ""}, "zero_price", "amount"),
        ("prices.csv", {"amount": "面议"}, "zero_price", "amount"),
        ("prices.csv", {"amount": "0.00"}, "zero_price", "amount"),
        ("prices.csv", {"amount": "0.001"}, "range", "amount"),  # rounds to a free item
        ("prices.csv", {"amount": "1e15"}, "range", "amount"),  # a coefficient that the solver refuses
        ("prices.csv", {"amount": "-5"}, "negative_price", "amount"),
        ("prices.csv", {"amount": "inf"}, "not_finite", "amount"),
        ("prices.csv", {"amount": "$20000"}, "currency_conflict", "amount"),
        ("prices.csv", {"amount": "20000 CHF"}, "currency_unknown", "amount"),
        ("prices.csv", {"currency": ""}, "cell_empty", "currency"),
        ("prices.csv", {"currency": "cny"}, "choice", "currency"),
        ("prices.csv", {"price_kind": "offer"}, "choice", "price_kind"),
        ("prices.csv", {"region": "CHN"}, "choice", "region"),
        ("prices.csv", {"as_of": ""}, "cell_empty", "as_of"),
        ("prices.csv", {"as_of": "31.11.2026"}, "date", "as_of"),
        ("prices.csv", {"valid_until": "2026-10-31"}, "valid_before_as_of", "valid_until"),
        ("prices.csv", {"source": ""}, "cell_empty", "source"),
        ("prices.csv", {"item_id": "c9"}, "id_unknown", "item_id"),
        ("cards.csv", {"tensor_fp16_tflops": "17"}, "tensor_below_fp32", "tensor_fp16_tflops"),
        ("cards.csv", {"usable_mib": "24577"}, "usable_above_memory", "usable_mib"),
        ("cards.csv", {"idle_w": "230"}, "idle_above_tdp", "idle_w"),
        ("cards.csv", {"resnet50_fp32_img_s": "2800"}, "above_roof", "resnet50_fp32_img_s"),
        ("cards.csv", {"memory_gib": "0"}, "range_above_to", "memory_gib"),
        ("cards.csv", {"slot_width": "2.5"}, "not_whole", "slot_width"),
        ("cards.csv", {"kind": "spec"}, "choice", "kind"),
        ("cards.csv", {"memory_gib": ""}, "cell_empty", "memory_gib"),
        ("psus.csv", {"efficiency_50": "92"}, "range", "efficiency_50"),
        ("chassis.csv", {"lanes_by_cards": "16"}, "lanes", "lanes_by_cards"),
        ("chassis.csv", {"psu_form": "fixed:p9"}, "id_unknown", "psu_form"),
        ("psus.csv", {"form": "crps"}, "choice", "form"),
        ("chassis.csv", {"passive_ok": "perhaps"}, "yes_no", "passive_ok"),
        ("links.csv", {"low_gb_s": "21"}, "band", "bus_bandwidth_gb_s"),
        ("power.csv", {"value": "560"}, "tariff_usd", "value"),
        ("power.csv", {"value": "0.05"}, "tariff_usd", "value"),
        ("power.csv", {"unit": "yuan"}, "unit", "unit"),
        ("power.csv", {"category": "pue", "value": "0.9"}, "range", "value"),
        ("power.csv", {"category": "pue", "value": "3.1"}, "range", "value"),
        ("power.csv", {"category": "circuit", "value": "16"}, "cell_empty", "volts"),
        ("staffing.csv", {"value": "1", "high": ""}, "range_below", "value"),
        ("staffing.csv", {"value": "0.01"}, "band", "value"),
        ("fx.csv", {"quote": "USD"}, "same_currency", "quote"),
    ],
)
def test_a_figure_outside_its_physical_range_is_refused(
    tmp_path: Path, file: str, changes: dict[str, str], code: str, column: str
) -> None:
    assert (code, 2, column) in changed(tmp_path, file, **changes)


@pytest.mark.parametrize(
    ("file", "changes"),
    [
        ("power.csv", {"value": "0.071"}),  # 0.01 USD/kWh
        ("power.csv", {"category": "pue", "value": "1", "unit": "ratio"}),
        ("power.csv", {"category": "pue", "value": "3", "unit": "ratio"}),
        ("staffing.csv", {"value": "0", "low": ""}),
        ("staffing.csv", {"value": "0.99", "high": ""}),
        ("cards.csv", {"tensor_tf32_tflops": "34.1"}),
        ("cards.csv", {"resnet50_fp32_img_s": "2700"}),  # 2700 x 24.54 GFLOP = 66.3 of 68 TFLOPS
        ("cards.csv", {"usable_mib": "24576"}),
    ],
)
def test_the_ends_of_a_physical_range_belong_to_it(tmp_path: Path, file: str, changes: dict[str, str]) -> None:
    tables = base()
    tables[file] = [tables[file][0] | changes, *tables[file][1:]]
    assert load_catalog(bundled=write(tmp_path, tables)).sha256


def test_a_row_given_twice_names_both_rows(tmp_path: Path) -> None:
    tables = base()
    tables["cards.csv"] = [CARD, CARD | {"id": "c2"}, CARD | {"name": "Again"}]
    problems = faults(write(tmp_path, tables))
    assert [(p.code, p.row, p.value, p.values["first"]) for p in problems] == [("row_twice", 4, "c1", 2)]
    assert "row 4" in problem_text(problems[0], "en") and "row 2" in problem_text(problems[0], "en")


def test_joins_name_the_missing_id_and_the_nearest_one(tmp_path: Path) -> None:
    system = {
        "id": "q1", "name": "Quote", "name_zh": "", "vendor": "V", "quote_number": "0012", "card_id": "c1",
        "cards": "4", "chassis_id": "h1", "psu_id": "psu-x", "psu_count": "1", "storage_id": "s1", "ram_gib": "128",
        "warranty_years": "3", "delivery_weeks": "6", "example": "no", **ORIGIN,
    }  # fmt: skip
    good = write(tmp_path / "good", base() | {"systems.csv": [system | {"psu_id": "p1"}]})
    assert load_catalog(bundled=good).systems["q1"].quote_number == "0012"
    problems = faults(
        write(tmp_path / "bad", base() | {"systems.csv": [system, system | {"id": "q2", "card_id": "c1x"}]})
    )
    assert [(p.row, p.column, p.value, p.values["nearest"]) for p in problems] == [
        (3, "card_id", "c1x", "c1"),
        (2, "psu_id", "psu-x", ""),
        (3, "psu_id", "psu-x", ""),
    ]


@pytest.mark.parametrize(
    ("content", "codes"),
    [
        (b"", {"file_empty"}),
        (b"sku,cost\na,1\n", {"column_missing", "column_unknown"}),
        (b"PK\x03\x04", {"file_is_workbook"}),
        (b"\xff\xff\xff", {"file_not_text"}),
    ],
)
def test_a_file_that_is_no_table_is_refused(tmp_path: Path, content: bytes, codes: set[str]) -> None:
    folder = write(tmp_path, base())
    (folder / "fx.csv").write_bytes(content)
    assert {p.code for p in faults(folder)} == codes


def test_missing_files_and_folders_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write(tmp_path / "b", base())
    assert [p.code for p in faults(folder, tmp_path / "none")] == ["folder_missing"]
    assert [p.code for p in faults(folder, folder / "fx.csv")] == ["folder_is_file"]
    (tmp_path / "empty").mkdir()
    assert [p.code for p in faults(folder, tmp_path / "empty")] == ["folder_without_tables"]
    monkeypatch.setenv("HWCOST_HOME", str(tmp_path / "typo"))
    assert [p.code for p in faults(folder)] == ["folder_missing"]
    monkeypatch.delenv("HWCOST_HOME")
    (folder / "prices.csv").unlink()
    assert "file_missing" in [p.code for p in faults(folder)]


def test_a_misnamed_table_of_the_user_is_not_passed_over(tmp_path: Path) -> None:
    folder = write(tmp_path / "b", base())
    extra = write(tmp_path / "e", {"price.csv": [PRICE], "cards.csv": [CARD], "measurements.csv": [{"a": "1"}]})
    problems = faults(folder, extra)
    assert [(p.code, Path(p.file).name, p.values["nearest"]) for p in problems] == [
        ("file_unknown", "price.csv", "prices.csv")
    ]


def test_ids_that_look_like_numbers_or_missing_words_stay_text(tmp_path: Path) -> None:
    ids = ["00123", "12E3", "NA", "None", "1.0"]
    catalog = load_catalog(bundled=write(tmp_path, base() | {
        "cards.csv": [CARD | {"id": name} for name in ["c1", "c2", *ids]],
        "prices.csv": [PRICE | {"item_id": name} for name in ids],
    }))  # fmt: skip
    assert set(ids) < set(catalog.cards)
    assert {p.item_id for p in catalog.prices} == set(ids)


def test_a_gbk_table_from_excel_with_semicolons_is_read(tmp_path: Path) -> None:
    folder = write(tmp_path, base())
    header, row = ";".join(STORAGE), ";".join((STORAGE | {"name_zh": "固态硬盘"}).values())
    (folder / "storage.csv").write_bytes(f"{header}\r\n{row}\r\n".encode("gbk"))
    assert load_catalog(bundled=folder).storage["s1"].name_zh == "固态硬盘"


def test_every_table_has_a_source_a_date_and_a_kind() -> None:
    for spec in SPECS:
        assert {"source", "as_of", "kind"} <= {column.name for column in spec.columns}
        assert next(c for c in spec.columns if c.name == "source").required


def test_the_bundled_folder_is_the_checkouts_or_the_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checkout = tmp_path / "checkout"
    (checkout / "hwcost").mkdir(parents=True)
    (checkout / "catalog").mkdir()
    monkeypatch.setattr(hwcost, "__file__", str(checkout / "hwcost" / "__init__.py"))
    assert bundled_dir() == (checkout / "hwcost" / "bundled").resolve()  # any folder called catalog may lie there
    (checkout / "pyproject.toml").write_text("", encoding="utf-8")
    assert bundled_dir() == (checkout / "catalog").resolve()


def test_the_bundled_catalog_loads_without_a_problem() -> None:
    catalog = load_catalog()
    assert catalog.cards and catalog.prices and catalog.fx
    assert {c.origin.layer for c in catalog.cards.values()} == {"bundled"}
