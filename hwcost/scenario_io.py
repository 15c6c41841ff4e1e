"""Loads a scenario (TOML, schema `hwcost.scenario/1`) into a `Scenario`.

Strict: every fault of the file is collected and raised together as one `InputError`. Every figure that the plan uses,
stated or taken from the region's defaults, is kept as an `Assumption` with its source, so that it can be traced.
A stated figure has the source "scenario" and the kind "estimate": nobody but the lab vouches for it.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
import tomllib
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from hwcost.catalog import bundled_dir
from hwcost.errors import InputError, Problem
from hwcost.problems import nearest_match
from hwcost.records import REGIONS, STATUSES, Catalog
from hwcost.scenario import OBJECTIVES, PAYERS, PLACES, Circuit, Owned, Scenario
from hwcost.scenario_checks import DATA_PLACES, LIMITS, check_changes
from hwcost.scenario_defaults import REGION_CURRENCY, Defaults
from hwcost.scenario_money import equipment_of_funds, read_budget, read_funds, read_purchase
from hwcost.scenario_options import read_options
from hwcost.scenario_services import read_services
from hwcost.scenario_workloads import read_workload
from hwcost.strict import COUNT, Limit, Table
from hwcost.workload import Workload

SCHEMA = "hwcost.scenario/1"
DEFAULT_SCENARIO = "lab-default"
ONLY_WHERE_MEASURED: dict[str, Any] = {"calibrations": (), "overhead_ms_per_tensor": None}  # of a workload
# each circuit of a count is a row of the model: a slip of the pen would fill the memory
VOLTS, AMPS, CIRCUITS = Limit(1.0, 1000.0), Limit(0.1, 10_000.0), Limit(1, 100, whole=True)
DATASET_ROOM = 1.25  # results, checkpoints and copies beside the data sets
ENERGY_CATEGORIES = ("energy_idle", "energy_busy")
PAYER_CATEGORIES = (
    "card", "bridge", "host", "psu", "storage", "system", "network", "freight", "installation", "tax",
    *ENERGY_CATEGORIES, "staff", "setup", "maintenance", "failures", "hosting", "residual",
    "campus", "rental", "overhead",
)  # fmt: skip
# Where the file is silent: the institution pays power and room, and a student's hours are no cash.
DEFAULT_PAYERS = {"energy_idle": "university", "energy_busy": "university", "hosting": "university",
                  "staff": "non_cash", "setup": "non_cash"}  # fmt: skip


def bundled_scenarios() -> dict[str, Path]:
    """The scenarios that come with the package, by id (the file's stem)."""
    return {path.stem: path for path in sorted((bundled_dir() / "scenarios").glob("*.toml"))}


def load_scenario(name_or_path: str | Path, catalog: Catalog) -> Scenario:
    """Loads a bundled scenario by its id, or a TOML file by its path. Raises `InputError` with all problems."""
    path = bundled_scenarios().get(str(name_or_path), Path(name_or_path))
    return scenario_from_dict(read_document(path, bundled_scenarios()), catalog, str(path))


def scenario_from_dict(data: Mapping[str, Any], catalog: Catalog, file: str = "") -> Scenario:
    """Builds a `Scenario` from a parsed document. Raises `InputError` with all problems."""
    problems: list[Problem] = []
    scenario = _read(Table(data, "", problems, file), catalog)
    if problems:
        raise InputError(problems)
    return _sealed(scenario)


def with_changes(scenario: Scenario, **fields: Any) -> Scenario:
    """The scenario with some fields replaced, checked again, with a new sha256.

    Figures that came from the region's defaults stay as they are when `region` changes. The assumptions of changed
    figures follow, with the source "changed". Ids of cards, hosts and storage are not looked up: that takes a catalog.
    Raises `InputError` with all problems.
    """
    problems = check_changes(scenario, fields)
    if problems:
        raise InputError(problems)
    fields = {name: _typed(name, value) for name, value in fields.items()}
    assumptions = tuple(
        dataclasses.replace(a, value=_recordable(fields[a.key]), source="changed") if a.key in fields else a
        for a in scenario.assumptions
    )
    changed = dataclasses.replace(scenario, **{"assumptions": assumptions, **fields})
    return _sealed(changed)


def scenario_sha256(scenario: Scenario) -> str:
    """sha256 of the resolved scenario: its figures, not the file's bytes, comments, place, sources or answers."""
    fields = dataclasses.asdict(scenario)
    for name in ("sha256", "file", "assumptions", "answers"):
        del fields[name]
    for workload in fields["workloads"]:
        for name, unset in ONLY_WHERE_MEASURED.items():  # a scenario without measurements keeps its fingerprint
            if workload[name] == unset:
                del workload[name]
    if not fields["options"]:  # a scenario without options of its own keeps its fingerprint
        del fields["options"]
    text = json.dumps(fields, sort_keys=True, ensure_ascii=False, default=date.isoformat, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _sealed(scenario: Scenario) -> Scenario:
    return dataclasses.replace(scenario, sha256=scenario_sha256(scenario))


def _typed(name: str, value: Any) -> Any:
    """A figure as the file would have given it, so that 5 and 5.0 are the same scenario."""
    if name not in LIMITS or value is None:
        return value
    return int(value) if LIMITS[name].whole else float(value)


def _recordable(value: Any) -> float | str:
    return float(value) if isinstance(value, int | float) else "" if value is None else str(value)


def read_document(path: Path, known: Mapping[str, Path], missing: str = "scenario_not_found") -> dict[str, Any]:
    """The parsed TOML file at `path`. Raises `InputError` that says why it cannot be read.

    Where the file is not there, the problem has the code `missing` and names those of `known`.
    """
    file = str(path)

    def refuse(code: str, **values: Any) -> InputError:
        return InputError([Problem(code, file=file, values=values)])

    try:
        endless = path.is_char_device()
    except OSError as error:  # a name that the system takes for none, such as one that is too long
        raise refuse("scenario_unreadable", reason=error.strerror or str(error)) from error
    if endless:  # /dev/zero would fill the memory; a pipe ends
        raise refuse("scenario_unreadable", reason="device")
    if path.is_dir():
        raise refuse("scenario_is_folder")
    if not path.exists():
        near = nearest_match(path.name.removesuffix(".toml"), known)
        raise refuse(missing, expected=", ".join(known), **({"nearest": near} if near else {}))
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise refuse("scenario_not_utf8", byte=error.start + 1) from error
    except OSError as error:
        raise refuse("scenario_unreadable", reason=error.strerror or str(error)) from error
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)$", str(error))
        lines = text.splitlines() or [""]
        stated = place is not None and place[1] is not None
        line, column = (int(place[1]), int(place[2])) if place and stated else (len(lines), len(lines[-1]) + 1)
        reason = str(error)[: place.start()] if place else str(error)
        raise refuse("scenario_not_toml", line=line, at=column, reason=reason) from error
    except (RecursionError, ValueError) as error:  # brackets thousands deep, a whole number of thousands of digits
        raise refuse("scenario_unreadable", reason=str(error)) from error
    if not data:
        raise refuse("scenario_empty")
    return data


def _read(top: Table, catalog: Catalog) -> Scenario:
    """Reads the whole document; where something is wrong, a stand-in takes its place and the fault is noted."""
    top.text("schema", required=True, known=(SCHEMA,))
    identity = top.text("id", Path(top.file).stem)
    name = top.text("name_en", identity)
    region = top.text("region", REGIONS[0], known=REGIONS, required=True)
    currencies = {*REGION_CURRENCY.values(), *(p.currency for p in catalog.prices),
                  *(rate.base for rate in catalog.fx), *(rate.quote for rate in catalog.fx)}  # fmt: skip
    currency = top.text("currency", REGION_CURRENCY[region], known=currencies)
    horizon = int(top.number("horizon_years", 3.0, LIMITS["horizon_years"]) or 3)
    as_of = top.day("as_of") or date.today()
    objective = top.text("objective", known=OBJECTIVES)
    profiles = {row.id for row in catalog.procurement}
    procurement = top.text("procurement", known=profiles)
    owned = tuple(_owned(table, catalog) for table in top.tables("owned"))
    _unique(top, "owned", [o.id for o in owned])

    funds = read_funds(top, as_of, horizon)
    _unique(top, "fund", [f.id for f in funds])
    budget = read_budget(top, as_of, horizon, bool(owned), bool(funds))
    amount = equipment_of_funds(funds) if budget.amount is None else budget.amount
    if not objective:
        objective = "budget" if amount and budget.spend_by else "serve"

    site = top.table("site")
    place = site.text("place", "lab", known=PLACES)
    defaults = Defaults(catalog, region, currency, place, as_of)
    noise = defaults.optional(site, "noise_limit_dba", "dBA")
    rack_units = defaults.optional(site, "rack_units", "U")
    circuits = tuple(_circuit(table, defaults) for table in site.tables("circuit"))
    data_stays = site.text("data_stays", "anywhere", known=DATA_PLACES)
    site.finish()

    money = top.table("money")
    tax_rate = defaults.figure(money, "tax_rate")
    power = top.table("power")
    staff = top.table("staff")
    capacity = top.table("capacity")
    storage = top.table("storage")
    choice = top.table("choice")
    workload_tables = top.tables("workload")
    if not workload_tables:
        top.note("scenario_no_workloads", "workload")
    read = [read_workload(table, catalog) for table in workload_tables]
    workloads = tuple(workload for workload, _ in read)
    _unique(top, "workload", [w.id for w in workloads])

    services = read_services(top, catalog, defaults, tax_rate)
    _unique(top, "service", [s.id for s in services])
    purchase = read_purchase(top, catalog, horizon, defaults)

    scenario = Scenario(
        id=identity,
        name=name,
        name_zh=top.text("name_zh", name),
        region=region,
        currency=currency,
        horizon_years=horizon,
        as_of=as_of,
        objective=objective,
        procurement=procurement,
        budget=amount,
        budget_tax_included=budget.tax_included,
        spend_by=budget.spend_by,
        tax_rate=tax_rate,
        discount_rate=defaults.figure(money, "discount_rate"),
        residual_share=defaults.figure(money, "residual_share"),
        freight_rate=defaults.figure(money, "freight_rate"),
        installation_per_node=defaults.figure(money, "installation_per_node"),
        maintenance_rate=defaults.figure(money, "maintenance_rate"),
        failure_rate=defaults.figure(money, "failure_rate"),
        warranty_years=defaults.figure(money, "warranty_years"),
        place=place,
        noise_limit_dba=noise,
        rack_units=None if rack_units is None else int(rack_units),
        circuits=circuits,
        tariff_per_kwh=defaults.tariff(power),
        pue=defaults.pue(power),
        on_hours_per_year=defaults.figure(power, "on_hours_per_year"),
        grid_factor_kg_per_kwh=defaults.grid_factor(power),
        hosting_per_node_year=defaults.figure(power, "hosting_per_node_year"),
        staff_hours_per_node_year=defaults.staff_hours(staff),
        staff_setup_hours_per_node=defaults.figure(staff, "setup_hours_per_node", "staff_setup_hours_per_node"),
        staff_setup_hours_per_upgrade=_per_upgrade(staff, defaults, owned),
        staff_wage_per_hour=defaults.figure(staff, "wage_per_hour", "staff_wage_per_hour"),
        payers=_payers(top.table("payers"), defaults),
        available_hours_per_card_year=defaults.figure(capacity, "available_hours_per_card_year"),
        memory_margin=defaults.figure(capacity, "memory_margin"),
        cards_per_node=capacity.counts("cards_per_node", (1, 2, 4, 8)),
        max_nodes=int(defaults.figure(capacity, "max_nodes")),
        max_distinct_builds=int(defaults.figure(capacity, "max_distinct_builds")),
        storage_ids=storage.words("ids", (), known=catalog.storage),
        storage_needed_tb=defaults.storage_needed(storage, _needed_tb(workloads)),
        allowed_statuses=choice.words("allowed_statuses", ("on_sale",), known=STATUSES),
        include_cards=choice.words("include_cards", known=catalog.cards),
        exclude_cards=choice.words("exclude_cards", known=catalog.cards),
        include_chassis=choice.words("include_chassis", known=catalog.chassis),
        exclude_chassis=choice.words("exclude_chassis", known=catalog.chassis),
        include_systems=choice.words("include_systems", known=catalog.systems),
        owned=owned,
        workloads=workloads,
        file=top.file,
        answers=dict(top.table("answers").data),  # kept as they are: nothing of the plan depends on them
        equipment_per_year=budget.per_year,
        equipment_carry_over=budget.carry_over,
        running_budget_per_year=budget.running_per_year,
        funds=funds,
        services=services,
        data_stays=data_stays,
        staff_hours_limit_per_year=staff.number("hours_limit_per_year", None, LIMITS["staff_hours_limit_per_year"]),
        multi_card_setup_hours=staff.number("multi_card_setup_hours", 0.0, LIMITS["multi_card_setup_hours"]) or 0.0,
        **purchase,
    )
    if "allowed_statuses" in choice.data and choice.data["allowed_statuses"] == []:
        choice.note("scenario_not_list", "allowed_statuses", [])
    options = read_options(top, catalog, [s.id for s in services], scenario.max_nodes)
    for table in (money, power, staff, capacity, storage, choice, top):
        table.finish()
    return dataclasses.replace(
        scenario,
        assumptions=(*defaults.recorded, *(a for _, assumptions in read for a in assumptions)),
        options=options,
    )


def _needed_tb(workloads: tuple[Workload, ...]) -> float:
    """Room for all data sets plus a quarter, at least 1 TB."""
    return max(1.0, DATASET_ROOM * sum(w.dataset_bytes for w in workloads) / 1e12)


def _circuit(table: Table, defaults: Defaults) -> Circuit:
    volts = table.number("volts", defaults.volts(), VOLTS) or 1.0
    amps = table.number("amps", None, AMPS, required=True) or 1.0
    circuit = Circuit(volts, amps, int(table.number("count", 1.0, CIRCUITS) or 1))
    table.finish()
    return circuit


def _owned(table: Table, catalog: Catalog) -> Owned:
    identity = table.text("id", required=True)
    machine = Owned(
        id=identity,
        name=table.text("name", identity),
        card_id=table.text("card", known=catalog.cards, required=True),
        cards=int(table.number("cards", 1.0, COUNT) or 1),
        count=int(table.number("count", 1.0, COUNT) or 1),
        chassis_id=table.text("chassis", known=catalog.chassis, required=True),
        psu_id=table.text("psu", known=catalog.psus, required=True),
        psu_count=int(table.number("psu_count", 1.0, COUNT) or 1),
        storage_id=table.text("storage", known=catalog.storage, required=True),
    )
    table.finish()
    return machine


def _per_upgrade(staff: Table, defaults: Defaults, owned: tuple[Owned, ...]) -> float | None:
    """Hours for one upgrade; no figure of a lab that owns nothing."""
    key, field = "setup_hours_per_upgrade", "staff_setup_hours_per_upgrade"
    return defaults.figure(staff, key, field) if owned or staff.has(key) else None


def _unique(top: Table, key: str, ids: list[str]) -> None:
    for n, identity in enumerate(ids, 1):
        if identity and identity in ids[: n - 1]:
            top.note("scenario_duplicate_id", f"{key}[{n}].id", identity, first=f"{key}[{ids.index(identity) + 1}]")


def _payers(table: Table, defaults: Defaults) -> dict[str, str]:
    """Who pays each cost category; "energy" sets both energy lines, a line of its own wins over it."""
    energy = table.text("energy", known=PAYERS)
    payers: dict[str, str] = {}
    for category in PAYER_CATEGORIES:
        usual = DEFAULT_PAYERS.get(category, "lab")
        if energy and category in ENERGY_CATEGORIES:
            usual = energy
        payers[category] = table.text(category, usual, known=PAYERS)
    for category in ("energy_busy", "hosting", "staff", "maintenance"):
        stated = category in table.data or (category == "energy_busy" and "energy" in table.data)
        key = "payer_energy" if category == "energy_busy" else f"payer_{category}"
        defaults.record(key, payers[category], "", "scenario" if stated else "hwcost default")
    table.finish()
    return payers
