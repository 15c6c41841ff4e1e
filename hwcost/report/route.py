"""The suggested procurement route: the bands of the scenario's procurement profile, and the one of this purchase.

A band reaches from its lower limit up to, not including, its upper one. The band that applies follows the amount.
"""

from __future__ import annotations

from dataclasses import dataclass

from hwcost.plan import Plan
from hwcost.records import ProcurementProfile
from hwcost.report.book import Ref, Sheet, area, cell, literal
from hwcost.report.labels import source_text

NO, METHOD, MARK, QUOTES, DAYS, FROM, TO, DATE, SOURCE = range(9)
SOURCE_ACROSS = 6
NAMES = ["no", "method", "applies", "quotes", "quote_days", "band_from", "band_to", "rule_date", "rule_source"]


@dataclass(frozen=True)
class Route:
    """Cells that hold the answer: the name of the rules, the amount they count, method, quotations, their age."""

    profile: Ref
    amount: Ref
    method: Ref
    quotes: Ref
    days: Ref


def bands_of(plan: Plan) -> list[ProcurementProfile]:
    """The bands of the scenario's profile by amount; none where it names no profile or one in another currency."""
    scenario = plan.case.scenario
    rows = [r for r in plan.case.catalog.procurement if r.id == scenario.procurement]
    known = bool(rows) and all(r.currency == scenario.currency for r in rows)
    return sorted(rows, key=lambda r: r.from_amount) if known else []


def band_of(bands: list[ProcurementProfile], amount: float) -> ProcurementProfile | None:
    """The band that an amount falls into."""
    reached = [b for b in bands if b.from_amount <= amount]
    return reached[-1] if reached else None


def write(sheet: Sheet, row: int, plan: Plan, gross: Ref, net: Ref) -> Route | None:
    """The section from `row`; None where the rules of the institution are not known."""
    book = sheet.book
    sheet.text(row, NO, book.say("route.title"), weight="heading", fit=False)
    bands = bands_of(plan)
    if not bands:
        sheet.text(row + 1, NO, book.say("route.unknown"), weight="note", fit=False)
        return None
    basis = bands[0].basis
    spent = gross if basis == "gross" else net
    sheet.text(row + 1, NO, book.say("route.note"), weight="note", fit=False)
    name = bands[0].name_zh if book.lang == "zh" else bands[0].name
    top = row + 2
    first = top + 6
    band = band_of(bands, spent.value)
    facts = ("route.rules", f"route.amount_{basis}", "col.method", "col.quotes", "route.quote_days")
    for n, key in enumerate(facts):
        sheet.text(top + n, NO, book.say(key), weight="total", across=2, fit=False)
    profile = sheet.text(top, MARK, name, wrap=True)
    amount = sheet.link(top + 1, MARK, spent)
    found = [
        _found(sheet, top + 2 + n, column, amount, _shown(sheet, band)[n], (first, first + len(bands) - 1))
        for n, column in enumerate((METHOD, QUOTES, DAYS))
    ]
    sheet.headers(first - 1, NO, [book.say(f"col.{n}") for n in NAMES[:SOURCE]])
    sheet.text(first - 1, SOURCE, book.say(f"col.{NAMES[SOURCE]}"), weight="header", across=SOURCE_ACROSS, fit=False)
    for n, item in enumerate(bands):
        _band(sheet, first + n, n + 1, item, amount, applies=item is band)
    return Route(profile, amount, *found)


def _shown(sheet: Sheet, band: ProcurementProfile | None) -> tuple[str, str, str]:
    """Method, number of quotations and their age as texts."""
    stated = sheet.book.say("not_stated")
    if band is None:
        return stated, stated, stated
    method = band.method_zh if sheet.book.lang == "zh" else band.method
    quotes, days = (stated if n is None else f"{n}" for n in (band.quotes_min, band.quote_max_age_days))
    return method, quotes, days


def _found(sheet: Sheet, row: int, column: int, amount: Ref, value: str, rows: tuple[int, int]) -> Ref:
    """What stands in `column` of the band of the amount."""
    limits, texts = (area(rows[0], c, rows[1], c) for c in (FROM, column))
    here = amount.at(sheet.title)
    lowest = f"${cell(rows[0], FROM)}"
    formula = f"IF({here}<{lowest},{literal(sheet.book.say('not_stated'))},LOOKUP({here},{limits},{texts}))"
    return sheet.formula_text(row, MARK, formula, value, role="formula")


def _band(sheet: Sheet, row: int, number: int, band: ProcurementProfile, amount: Ref, *, applies: bool) -> None:
    book = sheet.book
    method, quotes, days = _shown(sheet, band)
    sheet.number(row, NO, number, "year")
    sheet.text(row, METHOD, method, wrap=True)
    here = amount.at(sheet.title)
    upper = f'OR({cell(row, TO)}="",{here}<{cell(row, TO)})'
    mark = book.say("route.applies")
    formula = f'IF(AND({here}>={cell(row, FROM)},{upper}),{literal(mark)},"")'
    sheet.formula(row, MARK, formula, mark if applies else "", "text", weight="mark")
    sheet.text(row, QUOTES, quotes)
    sheet.text(row, DAYS, days)
    sheet.number(row, FROM, band.from_amount, "money")
    sheet.number(row, TO, band.to_amount, "money")
    sheet.day(row, DATE, band.origin.as_of)
    sheet.text(row, SOURCE, source_text(band.origin.source, book.lang), wrap=True, across=SOURCE_ACROSS)
