"""Sheet of checks: every rule of the plan as a formula, sums that must agree, and whether inputs were changed."""

from __future__ import annotations

from dataclasses import dataclass

from hwcost.messages import say
from hwcost.plan import Check, Plan
from hwcost.quantities import CURRENCIES
from hwcost.report import labels
from hwcost.report.book import Book, Ref, Sheet, cell, literal, rows_fixed
from hwcost.report.cost_place import Block
from hwcost.report.inputs import Inputs
from hwcost.report.sheet_budget import Budget

NO, RULE, SUBJECT, SENSE, LIMIT, VALUE, UNIT, WORK, HARD, RESULT = range(10)
TOP = 6
AT_MOST, AT_LEAST = "≤", "≥"
COLUMNS = ["no", "check", "subject", "sense", "must_be", "is", "unit", "work", "hard", "result"]
SEPARATOR = ", "  # between the parts of a check's subject
ABOUT_WORK = ("demand", "people_at_once", "memory", "deadline")
DETAIL = {"packing": "job_size", "memory": "on_cards", "deadline": "on_cards"}  # what the last part counts; else years
# how a figure of a rule is shown, by its unit
KINDS = {"%": "tenths", "card-hour": "quantity", "GiB": "tenths", "hour": "hours"}


@dataclass(frozen=True)
class Verdict:
    """What the summary shows: the worst result as a word, and whether inputs were changed."""

    word: Ref
    changed: Ref


def write(
    sheet: Sheet, plan: Plan, block: Block, budget: Budget | None, inputs: Inputs, options: Ref | None
) -> Verdict:
    book = sheet.book
    assert inputs.changed is not None
    sheet.fixed |= {NO: 5.0, RULE: 34.0, SUBJECT: 34.0}
    sheet.text(0, 0, book.say("sheet.checks"), weight="title", fit=False)
    sheet.text(1, 0, book.say("checks.how"), weight="note", wrap=True, across=RESULT + 1)
    row = _sums(sheet, TOP, plan, block, budget, options, inputs)
    sums = (TOP + 2, row - 1)
    row = _rules(sheet, row + 1, plan, block)
    rules = (sums[1] + 4, row - 1)
    row = _counts(sheet, row + 1, block)
    counts = (row - 2, row - 1)
    spans = [rows_fixed(*span, RESULT) for span in (sums, rules, counts) if span[1] >= span[0]]
    sheet.text(3, 0, book.say("checks.all"), weight="total", across=2, fit=False)
    word = _verdict(sheet, spans, plan)
    sheet.text(4, 0, book.say("checks.changed"), weight="total", across=2, fit=False)
    same, other = book.say("checks.same"), book.say("checks.rerun")
    sheet.widths[SUBJECT] = 40.0
    changed = sheet.formula(4, SUBJECT, f'IF({inputs.changed.at(sheet.title)}=0,"{same}","{other}")', same, "text",
                            weight="total")  # fmt: skip
    _fingerprint(sheet, 5, inputs)
    sheet.header_rows = (TOP + 1, TOP + 1)
    sheet.finish(freeze=(6, 0))
    return Verdict(word, changed)


def _verdict(sheet: Sheet, spans: list[str], plan: Plan) -> Ref:
    """The worst result: a sum or a hard rule that does not hold, then work that is partly left out."""
    say_ = sheet.book.say
    bad, partly = say_("checks.not_ok"), say_("checks.partly")
    found = ["+".join(f"COUNTIF({span},{literal(word)})" for span in spans) for word in (bad, partly)]
    words = say_("checks.ok"), say_("checks.all_partly"), bad
    formula = f"IF({found[0]}>0,{literal(words[2])},IF({found[1]}>0,{literal(words[1])},{literal(words[0])}))"
    failed = [c.hard for c in plan.checks if not c.ok]
    value = words[2] if any(failed) else words[1] if failed else words[0]
    return sheet.formula(3, SUBJECT, formula, value, "text", weight="total")


def _head(sheet: Sheet, row: int, key: str) -> int:
    sheet.text(row, 0, sheet.book.say(key), weight="heading", fit=False)
    sheet.headers(row + 1, 0, [sheet.book.say(f"col.{n}") for n in COLUMNS])
    return row + 2


def _sums(
    sheet: Sheet, row: int, plan: Plan, block: Block, budget: Budget | None, options: Ref | None, inputs: Inputs
) -> int:
    """Pairs that must be equal to half a cent; the program's own total counts while no input was changed."""
    assert block.nominal is not None
    row = _head(sheet, row, "checks.sums")
    here = sheet.title
    groups = "+".join(block.subtotals[k].at(here) for k in ("capex", "opex", "residual"))
    categories = "+".join(ref.at(here) for ref in block.categories.values()) or "0"
    payers = "+".join(ref.at(here) for ref in block.payers.values()) or "0"
    years = "+".join(ref.at(here) for ref in block.year_totals)
    total = block.nominal
    pairs = [("years", years, total), ("groups", groups, total), ("categories", categories, total),
             ("payers", payers, total)]  # fmt: skip
    if budget is not None:
        pairs.append(("budget", budget.total.at(here), block.subtotals["capex"]))
    if options is not None:
        pairs.append(("options", options.at(here), total))
    for n, (key, formula, must) in enumerate(pairs, 1):
        _pair(sheet, row, n, key, must.at(here), must.value, formula, inputs)
        row += 1
    _pair(sheet, row, len(pairs) + 1, "engine", None, plan.totals.nominal, total.at(here), inputs)
    return row + 1


def _fingerprint(sheet: Sheet, row: int, inputs: Inputs) -> None:
    """Every input times its number: the sum as it is, and as it was in the optimisation."""
    book = sheet.book
    assert inputs.fingerprint is not None
    now, then = inputs.fingerprint
    sheet.text(row, 0, book.say("checks.fingerprint"), weight="total", across=2, fit=False)
    same, other = book.say("checks.same"), book.say("checks.rerun")
    formula = f"IF({now.at(sheet.title)}={then.at(sheet.title)},{literal(same)},{literal(other)})"
    sheet.formula(row, SUBJECT, formula, same, "text", weight="total")


def _pair(
    sheet: Sheet, row: int, number: int, key: str, must: str | None, value: float, formula: str, inputs: Inputs
) -> None:
    """One pair; without a formula for what it must be, that is the program's figure, which holds for its inputs."""
    book = sheet.book
    assert inputs.changed is not None
    sheet.number(row, NO, number, "year")
    sheet.text(row, RULE, book.say(f"sum.{key}"), wrap=True)
    sheet.text(row, SUBJECT, book.say("checks.only_unchanged") if must is None else "", wrap=True)
    sheet.text(row, SENSE, "=")
    if must is None:
        sheet.number(row, LIMIT, value, "money", role="solver")
    else:
        sheet.formula(row, LIMIT, must, value, role="link")
    sheet.formula(row, VALUE, formula, value, role="link")
    sheet.text(row, UNIT, inputs.scenario.currency)
    sheet.text(row, WORK, "")
    sheet.text(row, HARD, book.say("checks.hard"))
    ok = f"ABS({cell(row, VALUE)}-{cell(row, LIMIT)})<in_money_tolerance"
    only_if = f"{inputs.changed.at(sheet.title)}=0" if must is None else ""
    _result(sheet, row, ok, True, "not_ok", only_if=only_if)


def _result(sheet: Sheet, row: int, condition: str, ok: bool, otherwise: str, *, only_if: str = "") -> None:
    """The result in a word; with `only_if`, a check that says nothing where that condition fails."""
    book = sheet.book
    good, bad = book.say("checks.ok"), book.say(f"checks.{otherwise}")
    formula = f"IF({condition},{literal(good)},{literal(bad)})"
    if only_if:
        formula = f"IF({only_if},{formula},{literal(book.say('checks.not_applicable'))})"
    sheet.formula(row, RESULT, formula, good if ok else bad, "text")


def _rules(sheet: Sheet, row: int, plan: Plan, block: Block) -> int:
    row = _head(sheet, row, "checks.rules")
    for n, check in enumerate(plan.checks, 1):
        _rule(sheet, row, n, check, plan, block)
        row += 1
    return row


def _rule(sheet: Sheet, row: int, number: int, check: Check, plan: Plan, block: Block) -> None:
    book = sheet.book
    sheet.number(row, NO, number, "year")
    key = "check.plugged" if check.rule == "plugged" else f"rulename.{check.rule}"
    sheet.text(row, RULE, say(key, book.lang), wrap=True)
    sheet.text(row, SUBJECT, subject_text(check, plan, book.lang), wrap=True)
    sheet.text(row, SENSE, AT_MOST if check.sense == "<=" else AT_LEAST)
    kind = "money" if check.unit in CURRENCIES else KINDS.get(check.unit, "count")
    sheet.number(row, LIMIT, check.limit, kind)
    if check.rule == "budget":
        spent = block.subtotals["capex" if plan.case.scenario.budget_tax_included else "capex_net"]
        sheet.formula(row, VALUE, spent.at(sheet.title), check.value, kind, role="link")
    else:
        sheet.number(row, VALUE, check.value, kind, role="solver")
    hours = check.unit == "hour"  # of a run; the word for staff hours is another one in Chinese
    sheet.text(row, UNIT, book.say("given.h") if hours else labels.unit(check.unit, book.lang))
    sheet.text(row, WORK, _asked(check, plan, book))
    sheet.text(row, HARD, book.say("checks.hard" if check.hard else "checks.soft"))
    value, limit = cell(row, VALUE), cell(row, LIMIT)
    slack = f"in_rule_tolerance*MAX(1,ABS({limit}))"
    condition = f"{value}<={limit}+{slack}" if check.sense == "<=" else f"{value}>={limit}-{slack}"
    _result(sheet, row, condition, check.ok, "not_ok" if check.hard else "partly")


def _asked(check: Check, plan: Plan, book: Book) -> str:
    """Whether the lab said that the work must be done or is wanted; empty for rules that are about no workload."""
    workload = plan.case.workload_by_id.get(check.subject.split(SEPARATOR)[0])
    if workload is None or check.rule not in ABOUT_WORK:
        return ""
    return book.say("checks.must" if workload.must else "checks.want")


def subject_text(check: Check, plan: Plan, lang: str) -> str:
    """What a rule is about, in names: a machine or a workload, and the years, jobs or cards of it."""
    if check.rule == "circuit_load":
        return say("report.checks.circuit", lang, which=check.subject)
    builds, workloads = plan.case.build_by_id, plan.case.workload_by_id
    found = []
    for part in check.subject.split(SEPARATOR):
        if part in builds:
            found.append(labels.short_machine(builds[part], lang))
        elif part in workloads:
            found.append(labels.workload(workloads[part], lang))
        elif part:
            found.append(_detail(check, part, lang))
    return ("；" if lang == "zh" else "; ").join(found)


def _detail(check: Check, part: str, lang: str) -> str:
    """The size of jobs or the number of cards; else a year, or the first and last of several."""
    if check.rule in DETAIL:
        return say(f"report.checks.{DETAIL[check.rule]}", lang, which=part)
    first, _, last = part.partition("-")
    return say("report.checks.years" if last else "report.checks.year", lang, first=first, last=last or first)


def _counts(sheet: Sheet, row: int, block: Block) -> int:
    """No error values among the amounts; no characters lost."""
    book = sheet.book
    row = _head(sheet, row, "checks.health")
    span = block.amounts_area
    formulas = (("errors", f"SUMPRODUCT(1*ISERROR({span}))", 0.0), ("replaced", None, float(book.replaced)))
    for n, (key, formula, value) in enumerate(formulas, 1):
        sheet.number(row, NO, n, "year")
        sheet.text(row, RULE, book.say(f"checks.{key}"), wrap=True)
        sheet.text(row, SUBJECT, "")
        sheet.text(row, SENSE, "=")
        sheet.number(row, LIMIT, 0.0, "count")
        if formula:
            sheet.formula(row, VALUE, formula, value, "count")
        else:
            sheet.number(row, VALUE, value, "count")
        sheet.text(row, UNIT, "")
        sheet.text(row, WORK, "")
        sheet.text(row, HARD, book.say("checks.hard"))
        _result(sheet, row, f"{cell(row, VALUE)}=0", value == 0, "not_ok" if formula else "look")
        row += 1
    return row
