"""Reads the answers to the twelve questions (TOML, schema `hwcost.answers/1`), strictly, with all faults at once.

A key that is left out, and one that says "don't know" ("?", "unknown", "不知道"), are both open: the question engine
(`start.py`) then takes its default. The second is remembered, because a report says "not known", not "not asked".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import date
from pathlib import Path
from typing import Any

from hwcost.catalog import bundled_dir
from hwcost.demand import Rules, rule_limit
from hwcost.errors import InputError, Problem
from hwcost.quantities import CURRENCIES
from hwcost.records import REGIONS, Catalog
from hwcost.scenario import PAYERS, PLACES
from hwcost.scenario_defaults import REGION_CURRENCY
from hwcost.scenario_io import read_document
from hwcost.strict import ABOVE_ZERO, ANY_AMOUNT, COUNT, WHOLE, Limit, Table

SCHEMA = "hwcost.answers/1"
DONT_KNOW = ("?", "？", "unknown", "don't know", "dont know", "do not know", "不知道", "不清楚", "待定")
WAN = "万元"
UNITS: dict[str, tuple[float, str]] = {"元": (1.0, "CNY"), WAN: (1e4, "CNY"), **{c: (1.0, c) for c in CURRENCIES}}
PAYS = ("equipment", "services", "consumables")
WITHIN = {"hour": 1.0, "overnight": 14.0, "weekend": 60.0, "week": 168.0, "any": None}
DISKS = ("nvme", "sata", "nas_10g", "nas_1g")
MEMORY_FROM = ("max_memory_allocated", "max_memory_reserved", "nvidia-smi", "tensorflow")
# The same words in Chinese, as the form shows them; "lab" is a place and a payer.
WORDS_ZH = {
    "设备": "equipment", "服务": "services", "业务": "services", "材料": "consumables",
    "1小时": "hour", "当晚": "overnight", "周末": "weekend", "一周": "week", "不限": "any",
    "办公室": "office", "实验室": "lab", "学院机房": "department_room", "校级机房": "machine_room",
    "课题组": "lab", "学校": "university", "不单独计费": "non_cash",
}  # fmt: skip
WORD_KEYS = ("pays", "within", "where", "power", "hosting", "care")
MOST_PEOPLE = Limit(low=1, high=1000, whole=True)
PLAUSIBLE_BUDGET = (1e3, 1e8)  # outside, the unit is wrong: 25 yuan for 25万元, or 250,000万元
MOST_FUNDS = 3
MOST_TRAININGS = 4
TILE_KEYS = ("height", "width", "bands")


@dataclass(frozen=True)
class Fund:
    """One source of money: what it may pay for, how much, until when."""

    name: str
    pays: tuple[str, ...]  # empty: not known
    amount: float | None  # in the scenario's currency
    spend_by: date | None


@dataclass(frozen=True)
class Now:
    """One run as it is today: hours on a named card, and the memory it takes."""

    hours: float | None
    card: str
    memory_gib: float | None
    memory_from: str  # how the memory was read; "" not known


@dataclass(frozen=True)
class Training:
    """One kind of training in the user's words. None and "" are open."""

    what: str
    name_en: str
    name_zh: str
    must: bool
    dataset: str
    tile: tuple[int, int, int] | None  # height, width, bands
    tiles: float | None
    batch: float | None
    epochs: float | None
    people: float | None
    at_once: int | None
    people_per_card: int | None
    now: Now
    within: str | float  # a word of WITHIN, or hours
    papers: float | None
    runs_per_week: float | None
    runs_per_year: float | None


@dataclass(frozen=True)
class Owned:
    """One kind of machine that the lab has."""

    name: str
    card: str
    cards: int
    count: int
    host: str
    psu_watts: float | None
    ram_gib: float | None
    disk: str
    disk_tb: float | None


@dataclass(frozen=True)
class Answers:
    """All answers of one lab. None and "" are open; `unknown` holds the dotted keys answered with "don't know"."""

    id: str
    name_en: str
    name_zh: str
    region: str
    as_of: date
    budget: float | None  # in `currency`
    currency: str
    tax_included: bool | None
    funds: tuple[Fund, ...]
    people: int | None
    at_once: int | None
    within: str | float  # for every training that says nothing else
    trainings: tuple[Training, ...]
    owned: tuple[Owned, ...]
    place: str
    circuit_amps: float | None
    circuits: int | None
    noise_limit_dba: float | None
    rack_units: int | None
    payers: dict[str, str]  # power, hosting, care
    campus: bool | None
    campus_price_per_card_hour: float | None
    campus_wait_hours: float | None
    campus_card: str
    profile: str
    rules: Rules
    file: str = ""
    given: Mapping[str, Any] = field(default_factory=dict)  # the document as it was given
    unknown: frozenset[str] = frozenset()

    def origin(self, *keys: str) -> str:
        """How a figure was answered: "answered", "unknown" (the user said so) or "default" (nothing was said)."""
        if any(_has(self.given, key) and key not in self.unknown for key in keys):
            return "answered"
        return "unknown" if self.unknown & set(keys) else "default"

    def as_given(self, *keys: str) -> str:
        """The first of these answers that was given, as the user wrote it; "" where none was."""
        return next((_shown(_at(self.given, key)) for key in keys if _has(self.given, key)), "")


def bundled_answers() -> dict[str, Path]:
    """The answer files that come with the package, by name."""
    return {path.stem: path for path in sorted((bundled_dir() / "answers").glob("*.toml"))}


def load_answers(name_or_path: str | Path, catalog: Catalog) -> Answers:
    """Reads bundled answers by name, or a TOML file by its path. Raises `InputError` with all problems."""
    path = bundled_answers().get(str(name_or_path), Path(name_or_path))
    return answers_from_dict(read_document(path, bundled_answers(), "answers_not_found"), catalog, str(path))


def answers_from_dict(data: Mapping[str, Any], catalog: Catalog, file: str = "") -> Answers:
    """The answers of a parsed document. Raises `InputError` with all problems."""
    unknown: set[str] = set()
    problems: list[Problem] = []
    top = Table(_known(data, "", unknown), "", problems, file)
    answers = _read(top, catalog, data, frozenset(unknown))
    if problems:
        raise InputError(problems)
    return answers


def budget_fault(amount: float, currency: str) -> tuple[str, dict[str, Any]] | None:
    """What is wrong with a budget that no group has: the unit, most likely. None where it is plausible."""
    low, high = PLAUSIBLE_BUDGET
    if low <= amount <= high:
        return None
    code = "answers_budget_small" if amount < low else "answers_budget_large"
    return code, {"amount": f"{amount:,.10g}", "currency": currency}


def is_unknown(value: Any) -> bool:
    """True for the words that stand for "don't know"."""
    return isinstance(value, str) and value.strip().lower() in DONT_KNOW


def word_of(value: Any) -> Any:
    """The program's word for a Chinese one; anything else as it is."""
    return WORDS_ZH.get(value.strip(), value) if isinstance(value, str) else value


# --- documents ---


def _known(value: Any, path: str, unknown: set[str]) -> Any:
    """The document without what nobody knows, its Chinese words as keys; dotted keys of the unknown are collected."""
    if isinstance(value, Mapping):
        kept = {}
        for key, item in value.items():
            dotted = f"{path}.{key}" if path else str(key)
            if is_unknown(item):
                unknown.add(dotted)
            elif key in WORD_KEYS:
                kept[key] = [word_of(word) for word in item] if isinstance(item, list) else word_of(item)
            else:
                kept[key] = _known(item, dotted, unknown)
        return kept
    if isinstance(value, list):
        return [_known(item, f"{path}[{n}]", unknown) for n, item in enumerate(value, 1)]
    return value


def _at(data: Any, dotted: str) -> Any:
    """The value at "train[1].now.hours"; None where there is none."""
    for part in dotted.split("."):
        name, _, index = part.partition("[")
        data = data.get(name) if isinstance(data, Mapping) else None
        if index:
            place = int(index.rstrip("]"))
            data = data[place - 1] if isinstance(data, list) and len(data) >= place else None
    return data


def _has(data: Mapping[str, Any], dotted: str) -> bool:
    return _at(data, dotted) is not None


def _shown(value: Any) -> str:
    """A value as a reader writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_shown(item)}" for key, item in value.items())
    if isinstance(value, list):
        return ", ".join(_shown(item) for item in value)
    return f"{value:g}" if isinstance(value, float) else str(value)


# --- tables ---


def _read(top: Table, catalog: Catalog, given: Mapping[str, Any], unknown: frozenset[str]) -> Answers:
    top.text("schema", required=True, known=(SCHEMA,))
    identity = top.text("id", Path(top.file).stem or "my-lab")
    name = top.text("name_en", identity)
    region = top.text("region", REGIONS[0], known=REGIONS, required=True)
    as_of = top.day("as_of") or date.today()
    budget = top.table("budget")
    scale, currency = UNITS[budget.text("unit", REGION_CURRENCY[region], known=UNITS)]
    amount = budget.number("amount", None, ABOVE_ZERO)
    if amount is not None and (fault := budget_fault(amount * scale, currency)):
        budget.note(fault[0], "amount", budget.data["amount"], **fault[1])
    people, place = top.table("people"), top.table("place")
    payers, campus, procurement = top.table("payers"), top.table("campus"), top.table("procurement")
    answers = Answers(
        id=identity, name_en=name, name_zh=top.text("name_zh", name), region=region, as_of=as_of,
        budget=None if amount is None else amount * scale, currency=currency,
        tax_included=budget.flag("tax_included", True) if budget.has("tax_included") else None,
        funds=tuple(_fund(table, scale, as_of) for table in _some(top, "fund", MOST_FUNDS)),
        people=_whole(people, "total", MOST_PEOPLE), at_once=_whole(people, "at_once", MOST_PEOPLE),
        within=_within(top),
        trainings=tuple(_training(table) for table in _some(top, "train", MOST_TRAININGS)),
        owned=tuple(_owned(table) for table in top.tables("own")),
        place=place.text("where", known=PLACES),
        circuit_amps=place.number("circuit_amps", None, ABOVE_ZERO), circuits=_whole(place, "circuits", COUNT),
        noise_limit_dba=place.number("noise_limit_dba", None, Limit(high=120.0, low_open=True)),
        rack_units=_whole(place, "rack_units", WHOLE),
        payers={key: payers.text(key, known=PAYERS) for key in ("power", "hosting", "care")},
        campus=campus.flag("available", True) if campus.has("available") else None,
        campus_price_per_card_hour=campus.number("price_per_card_hour", None, ABOVE_ZERO),
        campus_wait_hours=campus.number("usual_wait_hours", None, ANY_AMOUNT), campus_card=campus.text("card"),
        profile=procurement.text("profile", known={row.id for row in catalog.procurement}),
        rules=_rules(top.table("assumption")), file=top.file, given=given, unknown=unknown,
    )  # fmt: skip
    if answers.people and answers.at_once and answers.at_once > answers.people:
        people.note("scenario_out_of_range", "at_once", answers.at_once, expected=f"x <= {answers.people}")
    for table in (budget, people, place, payers, campus, procurement, top):
        table.finish()
    return answers


def _some(top: Table, key: str, most: int) -> list[Table]:
    tables = top.tables(key)
    if len(tables) > most:
        top.note("answers_too_many", key, len(tables), most=most)
    return tables


def _whole(table: Table, key: str, limit: Limit) -> int | None:
    value = table.number(key, None, limit)
    return None if value is None else int(value)


def _within(table: Table) -> str | float:
    """A word of `WITHIN`, or hours; "" where open."""
    value = table.data.get("within")
    if isinstance(value, int | float) and not isinstance(value, bool):
        return table.number("within", None, ABOVE_ZERO) or ""
    return table.text("within", known=WITHIN)


def _fund(table: Table, scale: float, as_of: date) -> Fund:
    amount = table.number("amount", None, ANY_AMOUNT)
    fund = Fund(
        table.text("name"), table.words("pays", (), known=PAYS), None if amount is None else amount * scale,
        table.day("spend_by"),
    )  # fmt: skip
    if fund.spend_by and fund.spend_by < as_of:
        table.note("answers_spend_by_past", "spend_by", fund.spend_by, as_of=as_of)
    table.finish()
    return fund


def _training(table: Table) -> Training:
    tile = table.table("tile")
    sizes = [_whole(tile, key, COUNT) for key in TILE_KEYS]
    if tile.data and None in sizes and not set(tile.data) - set(TILE_KEYS):
        tile.note("answers_tile_incomplete", next(k for k, size in zip(TILE_KEYS, sizes, strict=True) if size is None))
    now = table.table("now")
    training = Training(
        what=table.text("what"), name_en=table.text("name_en"), name_zh=table.text("name_zh"),
        must=table.flag("must", True), dataset=table.text("dataset"),
        tile=(sizes[0], sizes[1], sizes[2]) if sizes[0] and sizes[1] and sizes[2] else None,
        tiles=table.number("tiles", None, COUNT), batch=table.number("batch", None, COUNT),
        epochs=table.number("epochs", None, ABOVE_ZERO), people=table.number("people", None, ABOVE_ZERO),
        at_once=_whole(table, "at_once", WHOLE), people_per_card=_whole(table, "people_per_card", COUNT),
        now=Now(now.number("hours", None, ABOVE_ZERO), now.text("card"), now.number("memory_gib", None, ABOVE_ZERO),
                now.text("memory_from", known=MEMORY_FROM)),
        within=_within(table), papers=table.number("papers", None, ABOVE_ZERO),
        runs_per_week=table.number("runs_per_week", None, ABOVE_ZERO),
        runs_per_year=table.number("runs_per_year", None, ABOVE_ZERO),
    )  # fmt: skip
    if training.people and training.at_once and training.at_once > training.people:
        table.note("scenario_out_of_range", "at_once", training.at_once, expected=f"x <= {training.people:g}")
    stated = [key for key in ("papers", "runs_per_week", "runs_per_year") if key in table.data]
    for key in stated[1:]:
        table.note("scenario_two_ways", key, table.data[key], expected=stated[0])
    if (training.now.hours is None) != (not training.now.card):
        now.note("answers_anchor_incomplete", "card" if training.now.hours else "hours")
    for part in (tile, now, table):
        part.finish()
    return training


def _owned(table: Table) -> Owned:
    machine = Owned(
        name=table.text("name"), card=table.text("card", required=True), cards=_whole(table, "cards", COUNT) or 1,
        count=_whole(table, "count", COUNT) or 1, host=table.text("host"),
        psu_watts=table.number("psu_watts", None, ABOVE_ZERO), ram_gib=table.number("ram_gib", None, ABOVE_ZERO),
        disk=table.text("disk", known=DISKS), disk_tb=table.number("disk_tb", None, ABOVE_ZERO),
    )  # fmt: skip
    table.finish()
    return machine


def _rules(table: Table) -> Rules:
    """The rules of demand, each replaced where the file states it."""
    values = {f.name: table.number(f.name, float(str(f.default)), rule_limit(f.name)) for f in fields(Rules)}
    table.finish()
    return Rules(**{name: value for name, value in values.items() if value is not None})
