"""A small catalog and a minimal scenario document for the tests of the scenario loader."""

from __future__ import annotations

import tomllib
from datetime import date
from typing import Any

import pytest

from hwcost.errors import InputError, Problem
from hwcost.messages import LANGUAGES
from hwcost.problems import problem_text
from hwcost.records import Catalog, Dataset, FxRate, Network, Origin, PowerFigure, StaffFigure
from hwcost.scenario import Scenario
from hwcost.scenario_io import scenario_from_dict

DAY = date(2026, 11, 1)


def origin(file: str, kind: str = "estimate") -> Origin:
    return Origin(file, 2, "bundled", "a page", DAY, kind)


def power(identity: str, category: str, region: str, value: float, unit: str) -> PowerFigure:
    return PowerFigure(
        identity, category, region, identity, identity, value, None, None, unit, None, origin("power.csv")
    )


def staff(identity: str, category: str, region: str, value: float, unit: str) -> StaffFigure:
    return StaffFigure(identity, category, region, identity, identity, value, None, None, unit, origin("staffing.csv"))


def by_id(*rows: Any) -> dict[str, Any]:
    return {row.id: row for row in rows}


NETWORK = Network(
    id="hybridsn-ip", name="HybridSN", name_zh="HybridSN", family="patch_cnn", input_shape="1x30x25x25",
    dataset_id="indian-pines", params=5_122_176, forward_gflop_per_sample=0.5, saved_mib_per_sample=2.0,
    largest_saved_mib_per_sample=0.5, moved_mib_per_sample=None, launches_per_step=40, parameter_tensors=14,
    input_mib_per_sample=0.25, default_batch=256, default_precision="torch_default", batchnorm=False,
    batchnorm_min_batch=0, loader_ms_per_sample=0.1, origin=origin("workloads.csv", "specification"),
)  # fmt: skip

SMALL = Catalog(
    networks=by_id(NETWORK),
    datasets=by_id(Dataset("indian-pines", "Indian Pines", "", 145, 145, 200, 10_249, 16, 0.3, origin("datasets.csv"))),
    power=by_id(
        power("cn-school", "tariff", "CN", 0.56, "CNY/kWh"),
        power("us-average", "tariff", "US", 0.128, "USD/kWh"),
        power("pue-desk", "pue", "any", 1.3, "ratio"),
        power("pue-small-room", "pue", "any", 1.8, "ratio"),
        power("cn-grid", "grid_factor", "CN", 0.5306, "kgCO2/kWh"),
    ),
    staffing=by_id(
        staff("upkeep", "hours", "any", 8, "h/node/month"),
        staff("setup", "hours", "any", 24, "h/node"),
        staff("wage-cn", "wage", "CN", 60, "CNY/h"),
        staff("failure", "failure", "any", 3, "%/card-year"),
        staff("maintenance", "maintenance", "any", 0.04, "share/year"),
        staff("warranty", "warranty", "any", 36, "months"),
    ),
    fx=(FxRate("USD", "CNY", 7.1, DAY, "a bank", origin("fx.csv")),),
)

MINIMAL = """
schema = "hwcost.scenario/1"
id = "small"
region = "CN"
as_of = 2026-11-30
[[workload]]
id = "w"
preset = "hybridsn-ip"
runs_per_year = 100
epochs = 100
"""


def document(**changes: Any) -> dict[str, Any]:
    """The minimal document with changes by dotted key, `__` standing for the dot; `workload` is the first one."""
    data = tomllib.loads(MINIMAL)
    for dotted, value in changes.items():
        target: Any = data
        *path, last = dotted.split("__")
        for part in path:
            target = target["workload"][0] if part == "workload" else target.setdefault(part, {})
        target[last] = value
    return data


def load(**changes: Any) -> Scenario:
    return scenario_from_dict(document(**changes), SMALL, "lab.toml")


def problems(data: dict[str, Any]) -> list[Problem]:
    with pytest.raises(InputError) as caught:
        scenario_from_dict(data, SMALL, "lab.toml")
    return list(caught.value.problems)


def assumption(scenario: Scenario, key: str) -> Any:
    return next(a for a in scenario.assumptions if a.key == key)


def said(problem: Problem) -> dict[str, str]:
    return {lang: problem_text(problem, lang) for lang in LANGUAGES}
