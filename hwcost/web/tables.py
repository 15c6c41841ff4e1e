"""Tables of the page as data frames of text: money, dates and durations in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Callable

from hwcost.costs import CAPEX
from hwcost.messages import say, texts
from hwcost.messages.rules import sentence
from hwcost.names import (
    build_text,
    converted_text,
    pace_text,
    purchase_total,
    shares_text,
    tax_basis,
    use_text,
    way_text,
    workload_name,
)  # fmt: skip
from hwcost.options import Comparison, OptionResult
from hwcost.plan import Plan
from hwcost.quantities import UNKNOWN, date_text, hours_text, memory_text, money_text, number_text, percent_text
from hwcost.record import bought_parts
from hwcost.scenario import Assumption, Scenario
from hwcost.sentences import why_not
from hwcost.web.charts import Split, parts, planned
from hwcost.web.lazy import pd
from hwcost.web.words import configured, lettered, plain, word

SHARES = ("share of net price", "share of net price per year", "share of memory", "per year", "cards per card-year")
_CITED = re.compile(r"(\w+\.csv): [\w-]+ \((.*)\)", re.DOTALL)
SOURCES = {"scenario": "scenario_source", "changed": "changed_source", "hwcost default": "default_source"}


def _frame(index: str, rows: list[dict[str, str]], lang: str) -> pd.DataFrame:
    """Rows by column title; the column `index` is the row header."""
    frame = pd.DataFrame([{plain(k): v if k == index else plain(v) for k, v in row.items()} for row in rows])
    return frame.set_index(plain(index))


def _option_header(result: OptionResult, comparison: Comparison, lang: str) -> str:
    name = plain(lettered(result, lang))
    return f"**{name}**" if result.letter == comparison.chosen else name


def options(comparison: Comparison, lang: str) -> pd.DataFrame:
    """Configuration, price, total cost, people, work done, use of the cards, pace and the reason, by option."""
    scenario = comparison.best.case.scenario
    price = word("column.price", lang, basis=tax_basis(scenario, lang))
    rows = []
    for result in comparison.results:
        plan = result.plan if result.plan is not None and result.plan.has_plan else None
        rows.append({
            word("column.option", lang): _option_header(result, comparison, lang),
            word("column.configuration", lang): configured(result, lang),
            price: _money(purchase_total(plan) if plan else None, scenario, lang),
            word("column.total", lang, years=scenario.horizon_years): _money(
                plan.totals.nominal if plan else None, scenario, lang),
            word("column.people", lang): str(plan.people_at_once) if plan else UNKNOWN,
            word("column.shares", lang): shares_text(plan, lang) if plan else UNKNOWN,
            word("column.use", lang): use_text(plan, lang) if plan else UNKNOWN,
            word("column.pace", lang): pace_text(plan, lang) if plan else UNKNOWN,
            word("column.decision", lang): why_not(result, comparison, lang),
        })  # fmt: skip
    return _frame(word("column.option", lang), rows, lang)


def capability(comparison: Comparison, lang: str) -> pd.DataFrame:
    """For each job the largest batch on one card and the time of one run, with the people at once."""
    workloads = comparison.best.case.scenario.workloads
    rows = []
    for result in comparison.results:
        if result.plan is None or not result.plan.has_plan:
            continue
        row = {
            word("column.option", lang): _option_header(result, comparison, lang),
            word("column.people", lang): str(result.plan.people_at_once),
        }
        for workload in workloads:
            batch, hours = result.largest_batch.get(workload.id, 0), result.typical_hours.get(workload.id)
            cell = word("cell.batch_hours", lang, batch=number_text(batch, lang), hours=hours_text(hours, lang))
            row[workload_name(workload, lang)] = cell if batch and hours is not None else UNKNOWN
        rows.append(row)
    return _frame(word("column.option", lang), rows, lang)


def split_costs(comparison: Comparison, split: Split, part_name: Callable[[str], str], lang: str) -> pd.DataFrame:
    """The figures of a chart in one unit (`table_unit`): cost of each option by part, and their sum."""
    divisor, digits, _ = table_unit(comparison.best.case.scenario, lang)
    found = {letter: parts(plan, split) for letter, plan in planned(comparison)}
    used = [name for name in split.colours if any(name in p for p in found.values())]

    def cell(amount: float | None) -> str:
        return number_text(None if amount is None else amount / divisor, lang, digits)

    rows = []
    for letter, plan in planned(comparison):
        row = {word("column.option", lang): _option_header(comparison.by_letter(letter), comparison, lang)}
        row |= {part_name(name): cell(found[letter].get(name)) for name in used}
        row[word("column.sum", lang)] = cell(plan.totals.nominal)
        rows.append(row)
    return _frame(word("column.option", lang), rows, lang)


def table_unit(scenario: Scenario, lang: str) -> tuple[float, int, str]:
    """Divisor, decimals and name of the unit in which a table of money is written, so that its columns compare."""
    name = word(f"unit.{scenario.currency}", lang)
    if lang == "zh" and scenario.currency == "CNY":
        return 10_000.0, 2, word("unit_wan", lang, currency=name)
    return 1.0, 0, name


def purchases(plan: Plan, lang: str) -> pd.DataFrame:
    """The lines that finance pays, to the cent, with the kind and day of each price; the total last."""
    scenario, catalog = plan.case.scenario, plan.case.catalog
    stock = {**catalog.cards, **catalog.chassis, **catalog.psus, **catalog.storage, **catalog.systems}
    priced = {part.item_id: part for part in bought_parts(plan)}
    item, name = word("column.item", lang), word("column.name", lang)
    quantity = word("column.quantity", lang)
    unit_price = word("column.unit_price", lang, currency=word(f"unit.{scenario.currency}", lang))
    amount = word("column.amount", lang, currency=word(f"unit.{scenario.currency}", lang))
    kind, day = word("column.price_kind", lang), word("column.price_date", lang)
    rows = []
    for line in plan.cost_lines:
        if line.category not in CAPEX:
            continue
        part = priced.get(line.item)
        record = stock.get(line.item)
        named = getattr(record, "name_zh", "") if lang == "zh" else ""
        build = plan.case.build_by_id.get(line.build_id)  # none of a line that belongs to no machine
        machine = build_text(build, 1, lang) if build else line.item
        shown = say(f"pricekind.{part.price.price_kind}", lang) if part else UNKNOWN
        converted = converted_text(part, scenario, lang) if part else ""
        if converted:
            shown = word("cell.converted", lang, kind=shown, converted=converted)
        when = date_text(part.price.as_of, lang) if part else UNKNOWN
        rows.append({
            item: plain(say(f"category.{line.category}", lang)),
            name: (named or part.name) if part else machine,
            quantity: number_text(line.quantity, lang),
            unit_price: number_text(line.unit_price, lang, 2),
            amount: number_text(line.amount, lang, 2),
            kind: shown,
            day: word("cell.stale_mark", lang, date=when) if part and part.stale else when,
        })  # fmt: skip
    total = number_text(purchase_total(plan), lang, 2)
    rows.append({item: f"**{plain(word('column.sum', lang))}**", name: "", quantity: "", unit_price: "", amount: total,
                 kind: "", day: ""})  # fmt: skip
    return _frame(item, rows, lang)


def jobs(plan: Plan, lang: str) -> pd.DataFrame:
    """How each job runs in the first year, way by way, with what limits it and what the time rests on."""
    rows = []
    for assignment in plan.assignments:
        if assignment.year:
            continue
        way = assignment.strategy
        where = way_text(way, plan.case.build_by_id[way.build_id], lang)
        tier, error = say(f"evidence.{way.evidence}", lang), percent_text(way.error_share, lang, 0)
        rows.append({
            word("column.workload", lang): plain(workload_name(plan.case.workload_by_id[way.workload_id], lang)),
            word("column.where", lang): where,
            word("runs", lang): number_text(assignment.runs, lang),
            word("column.hours", lang): hours_text(way.hours_per_run, lang),
            word("column.memory", lang): memory_text(way.memory_mib, lang),
            word("column.batch", lang): word(
                "cell.batch_steps", lang, micro=way.micro_batch, steps=way.accumulation_steps),
            word("column.bound", lang): say(f"bound.{way.bound}", lang),
            word("column.evidence", lang): word("cell.evidence", lang, tier=tier, error=error),
        })  # fmt: skip
    return _frame(word("column.workload", lang), rows, lang)


def not_considered(plan: Plan, lang: str) -> pd.DataFrame:
    """Items that were left out whole, each with every reason."""
    rows = []
    for refusal in plan.not_considered:
        reasons = [sentence(b, lang) for b in refusal.breaches]
        rows.append({
            word("column.item", lang): plain(refusal.item_zh if lang == "zh" else refusal.item),
            word("column.reason", lang): ("" if lang == "zh" else " ").join(reasons),
        })  # fmt: skip
    return _frame(word("column.item", lang), rows, lang)


def assumptions(scenario: Scenario, lang: str) -> pd.DataFrame:
    """Figures of the scenario that a reader may dispute, with their kind and source."""
    rows = []
    for item in scenario.assumptions:
        key = f"assumption.{item.key}"
        rows.append({
            word("column.figure", lang): plain(say(key, lang) if key in texts() else item.key),
            word("column.value", lang): _figure(item, scenario, lang),
            word("column.kind", lang): say(f"figurekind.{item.kind}", lang),
            word("column.source", lang): source_text(item.source, scenario, lang),
        })  # fmt: skip
    return _frame(word("column.figure", lang), rows, lang)


def source_text(source: str, scenario: Scenario, lang: str) -> str:
    """Where a figure is from, in the reader's language as far as the program says it itself; a citation as it is.

    Of a row of the catalog the id is left out, and a job is called by its name.
    """
    if source in SOURCES:
        return word(f"cell.{SOURCES[source]}", lang)
    job, _, rest = source.partition(": ")
    named = next((w for w in scenario.workloads if w.id == job), None)
    if named is not None:
        return word("input_at", lang, label=workload_name(named, lang), problem=source_text(rest, scenario, lang))
    if found := _CITED.fullmatch(source):
        return word("cell.cited", lang, file=found[1], source=found[2])
    own = (entry[lang] for key, entry in texts().items() if key.startswith("web.source.") and entry["en"] == source)
    return next(own, source)


def _figure(item: Assumption, scenario: Scenario, lang: str) -> str:
    """The value with its unit; a payer in words."""
    if not isinstance(item.value, float):
        key = f"payer.{item.value}"
        return say(key, lang) if key in texts() else str(item.value)
    value = percent_text(item.value, lang, 2) if item.unit in SHARES else f"{item.value:,.6g}"
    key = f"web.figure_unit.{item.unit.replace(scenario.currency, '{currency}')}"
    if key not in texts():
        return f"{value} {item.unit}".strip()
    # not all of these name the currency
    return texts()[key][lang].format(value=value, currency=word(f"unit.{scenario.currency}", lang))


def _money(amount: float | None, scenario: Scenario, lang: str) -> str:
    return money_text(amount, scenario.currency, lang)
