"""Sheet of assumptions and sources: the only inputs of the workbook, each beside the value of the optimisation.

All inputs stand in one column, all values of the optimisation in another, so that "inputs changed" is one formula.
"""

from __future__ import annotations

import math
from typing import Any

from hwcost.messages import say, texts
from hwcost.report import labels
from hwcost.report.book import Ref, Sheet, area, cell
from hwcost.report.inputs import CONSTANTS, SCALARS, Inputs, PricePlace, name_of, rate_name, trend_name
from hwcost.scenario import Assumption

NO, NAME, VALUE, UNIT, STORED, CHANGED, KIND, SOURCE = range(8)
DAY, VALID, STALE, TAXED, NET = range(8, 13)
FIRST = 6  # first row of inputs
CARD_HOURS = "available_hours_per_card_year"  # decides the choice; the share of busy time is counted from it


def write(sheet: Sheet, inputs: Inputs) -> None:
    """Write the sheet and fill the places of `inputs`."""
    book = sheet.book
    sheet.fixed |= {NO: 6.0, NAME: 38.0, UNIT: 16.0, STORED: 18.0, CHANGED: 10.0, KIND: 14.0, SOURCE: 44.0}
    sheet.text(0, 0, book.say("sheet.assumptions"), weight="title", fit=False)
    sheet.text(1, 0, book.say("assumptions.how"), weight="note", wrap=True, across=NET + 1)
    sheet.text(2, 0, book.say("assumptions.legend"), weight="note", fit=False)
    row = _legend(sheet, 3)
    assert row < FIRST
    row = _scalars(sheet, FIRST, inputs)
    row = _prices(sheet, row + 1, inputs)
    row = _watts(sheet, row + 1, inputs)
    row = _services(sheet, row + 1, inputs)
    last_input = row - 1
    row = _constants(sheet, row + 1, inputs)
    row = _others(sheet, row + 1, inputs)
    label = book.say("assumptions.changed_count")
    sheet.text(4, 0, label, weight="total", across=2, wrap=True)
    count = f"SUM({area(FIRST, CHANGED, last_input, CHANGED)})"
    inputs.changed = sheet.formula(4, VALUE, count, 0, "count", weight="total")
    _fingerprint(sheet, inputs, last_input)
    sheet.finish(freeze=(FIRST - 1, VALUE))


def _fingerprint(sheet: Sheet, inputs: Inputs, last: int) -> None:
    """Every input times its number, added up: as it is, and as it was in the optimisation."""
    sheet.text(4, UNIT, sheet.book.say("assumptions.fingerprint"), weight="total", wrap=True)
    numbers = area(FIRST, NO, last, NO)
    spans = {c: f"SUMPRODUCT({numbers},{area(FIRST, c, last, c)})" for c in (VALUE, STORED)}
    total = math.fsum(number * value for number, value in sheet.book.inputs)
    now = sheet.formula(4, STORED, spans[VALUE], total, "quantity", weight="total", fit=False)
    then = sheet.formula(4, SOURCE, spans[STORED], total, "quantity", role="solver", weight="total", fit=False)
    inputs.fingerprint = now, then


def _legend(sheet: Sheet, row: int) -> int:
    say_ = sheet.book.say
    for n, role in enumerate(("input", "solver", "link", "formula", "fill")):
        place = (NAME, UNIT, STORED, KIND, SOURCE)[n]
        shown = "shown" if role == "fill" else role
        sheet.text(row, place, say_(f"legend.{role}"), role=shown, weight="cell", wrap=True)
    return row + 1


def _heads(sheet: Sheet, row: int, title: str, more: list[str] | None = None) -> int:
    say_ = sheet.book.say
    sheet.text(row, NO, title, weight="heading", fit=False)
    names = ["no", "item", "value", "unit", "stored", "changed", "kind", "source", *(more or [])]
    sheet.headers(row + 1, 0, [say_(f"col.{name}") for name in names])
    return row + 2


def _input(sheet: Sheet, row: int, number: int, name: str, value: float, kind: str, unit: str, limits: Any) -> Ref:
    """One input with its value in the optimisation and the mark of a change."""
    say_ = sheet.book.say
    sheet.number(row, NO, number, "year")
    sheet.text(row, NAME, name, wrap=True)
    ref = sheet.number(row, VALUE, value, kind, role="input")
    sheet.text(row, UNIT, unit, wrap=True)
    sheet.number(row, STORED, value, kind, role="solver")
    sheet.book.inputs.append((number, value))
    sheet.formula(row, CHANGED, f"IF({cell(row, VALUE)}<>{cell(row, STORED)},1,0)", 0, "changed")
    low, high = limits
    message = say_("input.error", low=f"{low:g}", high=f"{high:g}")
    sheet.raw.data_validation(row, VALUE, row, VALUE, {
        "validate": "decimal", "criteria": "between", "minimum": low, "maximum": high,
        "error_title": say_("input.error_title"), "error_message": message,
    })  # fmt: skip
    return ref


def _scalars(sheet: Sheet, row: int, inputs: Inputs) -> int:
    book, scenario = sheet.book, inputs.scenario
    row = _heads(sheet, row, book.say("assumptions.scalars"))
    known = {a.key: a for a in scenario.assumptions}
    number = 0
    for key, (kind, unit, low, high) in SCALARS.items():
        if getattr(inputs.scenario, key) is None:
            continue
        number += 1
        unit_text = book.say(f"unit.{unit}", currency=scenario.currency)
        name = say(f"assumption.{key}", book.lang)
        ref = _input(sheet, row, number, name, getattr(scenario, key), kind, unit_text, (low, high))
        book.define(name_of(key), ref)
        _source(sheet, row, known.get(key))
        row += 1
    for role, trend in inputs.trends.items():
        number += 1
        label, text = say("assumption.price_trend_per_year", book.lang), say(f"category.{role}", book.lang)
        unit_text = book.say("unit.share_year", currency=scenario.currency)
        name = book.say("labelled", label=label, text=text)
        book.define(trend_name(role), _input(sheet, row, number, name, trend, "percent", unit_text, (-0.99, 10.0)))
        _source(sheet, row, known.get("price_trend_per_year"))
        row += 1
    for currency, rate in inputs.rates.items():
        number += 1
        name = book.say("assumptions.rate", currency=currency)
        ref = _input(sheet, row, number, name, rate, "plain", f"{scenario.currency}/{currency}", (1e-6, 1e6))
        book.define(rate_name(currency), ref)
        sheet.text(row, KIND, book.say("assumptions.rate_kind"))
        sheet.text(row, SOURCE, book.say("assumptions.rate_source"), wrap=True)
        row += 1
    return row


def _source(sheet: Sheet, row: int, assumption: Assumption | None) -> None:
    lang = sheet.book.lang
    kind = say(f"figurekind.{assumption.kind}", lang) if assumption else sheet.book.say("not_stated")
    sheet.text(row, KIND, kind)
    source = assumption.source if assumption else sheet.book.say("not_stated")
    shown = _word(f"report.given.{source}", labels.source_text(source, lang), lang)
    sheet.text(row, SOURCE, shown, wrap=True)


def _prices(sheet: Sheet, row: int, inputs: Inputs) -> int:
    book, scenario = sheet.book, inputs.scenario
    if not inputs.parts:
        return row
    row = _heads(sheet, row, book.say("assumptions.prices"), ["price_date", "valid_until", "stale", "taxed", "net"])
    catalog = book.catalog
    for number, (item_id, part) in enumerate(inputs.parts.items(), 1):
        price = part.price
        part_name = labels.part(catalog, item_id, part.name, book.lang)
        name = book.say("labelled", label=say(f"category.{part.role}", book.lang), text=part_name)
        amount = _input(sheet, row, number, name, price.amount, "money", price.currency, (0.01, 1e9))
        sheet.text(row, KIND, say(f"pricekind.{price.price_kind}", book.lang))
        source = f"{price.vendor}; {price.source}" if price.vendor else price.source
        sheet.text(row, SOURCE, labels.source_text(source, book.lang), wrap=True)
        sheet.day(row, DAY, price.as_of)
        sheet.day(row, VALID, price.valid_until)
        sheet.text(row, STALE, book.say("stale") if part.stale else "", weight="mark")
        taxed = sheet.number(row, TAXED, 1.0 if price.tax_included else 0.0, "yes_no")
        rate = "" if price.currency == scenario.currency else f"*{rate_name(price.currency)}"
        untaxed = f"{cell(row, VALUE)}{rate}/IF({cell(taxed.row, taxed.column)}=1,1+in_tax_rate,1)"
        inputs.part_price[item_id] = PricePlace(amount, rate, taxed)
        formula = f"ROUND({untaxed},in_price_decimals)"
        inputs.part_net[item_id] = sheet.formula(row, NET, formula, part.unit_price_net, weight="total")
        row += 1
    sheet.text(row, 0, book.say("assumptions.net_note", currency=scenario.currency), weight="note", fit=False)
    return row + 1


def _watts(sheet: Sheet, row: int, inputs: Inputs) -> int:
    book = sheet.book
    if not inputs.builds:
        return row
    row = _heads(sheet, row, book.say("assumptions.watts"))
    number = 0
    for build_id, build in inputs.builds.items():
        figures = (
            ("idle", build.idle_wall_w, inputs.idle_w),
            ("busy", build.busy_extra_wall_w_per_card, inputs.busy_w),
        )
        for key, watts, places in figures:
            number += 1
            name = book.say(f"assumptions.{key}_w", machine=labels.machine(build, book.lang))
            places[build_id] = _input(sheet, row, number, name, watts, "quantity", "W", (0.0, 1e6))
            sheet.text(row, KIND, say("figurekind.estimate", book.lang))
            sheet.text(row, SOURCE, book.say("assumptions.watts_source"), wrap=True)
            row += 1
    return row


def _services(sheet: Sheet, row: int, inputs: Inputs) -> int:
    """What is paid for a card-hour, and for a year of use; how many hours are used or paid for was decided."""
    book = sheet.book
    if not inputs.services:
        return row
    row = _heads(sheet, row, book.say("assumptions.services"))
    number = 0
    for build_id, build in inputs.services.items():
        service = build.service
        assert service is not None
        figures = (
            ("service_price", service.price_per_card_hour, inputs.service_price, "per_card_hour"),
            ("service_fixed", service.fixed_cost_per_year, inputs.service_fixed, "per_year"),
        )
        for key, price, places, unit in figures:
            number += 1
            name = book.say(f"assumptions.{key}", service=labels.machine(build, book.lang))
            unit_text = book.say(f"unit.{unit}", currency=inputs.scenario.currency)
            places[build_id] = _input(sheet, row, number, name, price, "plain", unit_text, (0.0, 1e10))
            sheet.text(row, KIND, _word(f"figurekind.{service.kind_of_figure}", service.kind_of_figure, book.lang))
            sheet.text(row, SOURCE, labels.source_text(service.source, book.lang), wrap=True)
            row += 1
    return row


def _constants(sheet: Sheet, row: int, inputs: Inputs) -> int:
    book, scenario = sheet.book, inputs.scenario
    sheet.text(row, 0, book.say("assumptions.constants"), weight="heading", fit=False)
    row += 1
    for number, (key, (value, kind)) in enumerate(CONSTANTS.items(), 1):
        sheet.number(row, NO, number, "year")
        sheet.text(row, NAME, book.say(f"constant.{key}"), wrap=True)
        book.define(name_of(key), sheet.number(row, VALUE, value, kind))
        row += 1
    sheet.number(row, NO, len(CONSTANTS) + 1, "year")
    sheet.text(row, NAME, say(f"assumption.{CARD_HOURS}", book.lang), wrap=True)
    book.define(name_of(CARD_HOURS), sheet.number(row, VALUE, scenario.available_hours_per_card_year, "count"))
    sheet.text(row, UNIT, book.say("unit.hours_year"), wrap=True)
    for column in (STORED, CHANGED):
        sheet.text(row, column, "")
    _source(sheet, row, next((a for a in scenario.assumptions if a.key == CARD_HOURS), None))
    return row + 1


def _others(sheet: Sheet, row: int, inputs: Inputs) -> int:
    """Figures that decide the choice but stand in no formula: a change needs a new run."""
    book = sheet.book
    names = {w.id: labels.workload(w, book.lang) for w in inputs.scenario.workloads}
    rest = [a for a in inputs.scenario.assumptions if a.key not in SCALARS and a.key != CARD_HOURS]
    if not rest:
        return row
    row = _heads(sheet, row, book.say("assumptions.others"))
    for number, item in enumerate(rest, 1):
        sheet.number(row, NO, number, "year")
        sheet.text(row, NAME, _assumption_name(item.key, names, book.lang), wrap=True)
        if isinstance(item.value, str):
            sheet.text(row, VALUE, _word(f"payer.{item.value}", item.value, book.lang), wrap=True)
        else:
            sheet.number(row, VALUE, float(item.value), "plain")
        sheet.text(row, UNIT, _word(f"report.given.{item.unit}", item.unit, book.lang), wrap=True)
        for column in (STORED, CHANGED):
            sheet.text(row, column, "")
        _source(sheet, row, item)
        row += 1
    return row


def _assumption_name(key: str, workloads: dict[str, str], lang: str) -> str:
    """The figure's name; of a figure of one workload, behind the workload's name."""
    subject, _, figure = key.rpartition(".")
    message = f"assumption.{figure}"
    name = say(message, lang) if message in texts() else figure
    return say("report.labelled", lang, label=workloads.get(subject, subject), text=name) if subject else name


def _word(key: str, otherwise: str, lang: str) -> str:
    """A code of the input in words, where it has any."""
    return say(key, lang) if key in texts() else otherwise
