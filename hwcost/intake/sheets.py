"""The layout that the writer and the reader of the input workbook share."""

from __future__ import annotations

from typing import Any

from hwcost.catalog_specs import SPECS, TableSpec
from hwcost.intake.fields import Field
from hwcost.messages import LANGUAGES, say, texts
from hwcost.strict import Limit

SCENARIO = "scenario"
LISTS = "lists"
CATALOG_TABLES = ("prices.csv", "systems.csv", "cards.csv")
HEADER_ROW, FIRST_ROW = 2, 3  # zero-based: two rows of words above the keys
USE = "use"  # key of the first column: a row that says no is not read
KEY, MEANING, VALUE, UNIT, RANGE, DEFAULT = range(6)  # columns of the scenario sheet
# endings of keys that state their unit
UNITS = (
    ("_card_hours_per_year", "h/a"), ("_hours_per_year", "h/a"), ("_hours_per_card_year", "h/a"), ("_per_kwh", "/kWh"),
    ("_kg_per_kwh", "kg/kWh"), ("_per_card_hour", "/h"), ("_gflop_per_sample", "GFLOP"), ("_mib_per_sample", "MiB"),
    ("_ms_per_sample", "ms"), ("_hours_per_node", "h"), ("_hours_per_node_month", "h"), ("_per_hour", "/h"),
    ("_mb_s", "MB/s"), ("_gb_s", "GB/s"), ("_tflops", "TFLOPS"), ("_gib", "GiB"), ("_mib", "MiB"), ("_gb", "GB"),
    ("_tb", "TB"), ("_dba", "dBA"), ("_weeks", "weeks"), ("_years", "years"), ("_hours", "h"), ("_hours_per_run", "h"),
    ("_w", "W"), ("_mm", "mm"), ("_s", "s"), ("volts", "V"), ("amps", "A"),
)  # fmt: skip


def sheet_name(path: str, lang: str) -> str:
    """The name of the sheet of a list of tables, of a catalog table or of the scenario."""
    key = f"template.sheet.{path}"
    return say(key, lang) if key in texts() else path.replace(".", " ")[:31]


def sheet_paths(names: list[str], arrays: list[str]) -> dict[str, str]:
    """Path by the name of a sheet, in whichever language it is."""
    known = {sheet_name(path, lang): path for lang in LANGUAGES for path in (SCENARIO, *arrays, *CATALOG_TABLES)}
    return {name: known[name] for name in names if name in known}


def spec_of(file: str) -> TableSpec:
    return next(spec for spec in SPECS if spec.file == file)


def meaning(path: str, lang: str) -> str:
    """What a key is and what it changes; of keys without words of their own the figure's name, else nothing."""
    parts = path.replace("[]", "").split(".")
    names = [f"template.key.{'.'.join(parts[n:])}" for n in range(len(parts))] + [f"assumption.{parts[-1]}"]
    return next((say(name, lang) for name in names if name in texts()), "")


def unit_of(key: str) -> str:
    """The unit that the name of a key states; the longest ending counts."""
    last = key.rpartition(".")[2]
    fitting = [(ending, unit) for ending, unit in UNITS if last.endswith(ending)]
    return max(fitting, key=lambda pair: len(pair[0]))[1] if fitting else ""


def range_text(item: Field, lang: str) -> str:
    """What may stand in the cell: the words, or the range of a number."""
    if item.kind in ("text", "words") and 0 < len(item.known) <= 8:
        joined = ("、" if lang == "zh" else ", ").join(item.known)
        return joined if item.kind == "text" else say("template.several", lang, words=joined)
    if item.kind in ("flag", "day", "by_name", "numbers", "counts", "words"):
        return say(f"template.kind.{item.kind}", lang)
    return limit_text(item.limit, lang) if item.limit is not None else ""


def limit_text(limit: Limit, lang: str) -> str:
    return say("template.whole", lang, range=str(limit)) if limit.whole else str(limit)


def list_key(item: Field) -> tuple[str, ...] | None:
    """The words of a drop-down list; None where there are none."""
    return item.known if item.kind == "text" and item.known else None


def shown_value(value: Any, lang: str) -> Any:
    """A value of the document as it stands in a cell."""
    if isinstance(value, bool):
        return say("template.yes" if value else "template.no", lang)
    if isinstance(value, dict):
        return "; ".join(f"{name} = {exact(item)}" for name, item in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(exact(item) if isinstance(item, int | float) else str(item) for item in value)
    if isinstance(value, float) and float(f"{value:.16G}") != value:
        return exact(value)  # a cell's number has 16 digits; as a text it keeps all
    return value


def exact(value: float) -> str:
    """A number as the shortest text that reads back to it."""
    return f"{value:.15g}" if float(f"{value:.15g}") == value else repr(value)
