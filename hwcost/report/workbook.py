"""The justification workbook. Sheets stand in the order in which they are read; the run record is last.

Every formula is stored with the value that the program computed, so that previews show figures and an audit can compare
three sources: the program, the stored value, and the spreadsheet's own recalculation.
"""

from __future__ import annotations

import hashlib
from datetime import date
from pathlib import Path

import xlsxwriter

import hwcost
from hwcost import procurement_route
from hwcost.atomic import replacing
from hwcost.explain import Conflict
from hwcost.machine_hours import machine_hours
from hwcost.messages import LANGUAGES
from hwcost.options import Comparison
from hwcost.plan import Plan
from hwcost.report import (
    argument,
    sheet_assumptions,
    sheet_budget,
    sheet_chart,
    sheet_checks,
    sheet_cost,
    sheet_cover,
    sheet_form,
    sheet_market,
    sheet_options,
    sheet_record,
    sheet_requirements,
    sheet_risk,
    sheet_summary,
    sheet_technical,
    sheet_work,
)
from hwcost.report import inputs as inputs_module
from hwcost.report.book import Book, Sheet
from hwcost.report.cost_place import Block
from hwcost.report.inputs import Inputs
from hwcost.report.risk_data import RiskData
from hwcost.report.sheet_budget import Budget
from hwcost.report.sheet_options import Enough
from hwcost.requirements import requirements

# key of the sheet, and whether it lies across the page; a new sheet is one entry here and one module
SHEETS = (
    ("cover", False),
    ("summary", False),
    ("form", False),
    ("options", True),
    ("budget", True),
    ("requirements", True),
    ("market", True),
    ("work", True),
    ("cost", True),
    ("risk", True),
    ("assumptions", True),
    ("checks", True),
    ("technical", True),
    ("annex", True),
    ("chart", True),
    ("record", False),
)
WITHOUT_PLAN = ("summary", "record")
ENOUGH = ""  # stands where a letter stands for the options


def write_workbook(
    plan: Plan, comparison: Comparison | None, path: str | Path, lang: str = "zh", *, need: Plan | None = None,
    conflict: Conflict | None = None, risk: RiskData | None = None, today: date | None = None,
) -> None:  # fmt: skip
    """Write the workbook of `plan` to `path`, whole or not at all.

    `comparison` adds the options; `need` (`answering.enough_plan`) and `conflict` add their sentences.
    `risk` holds switching prices and the budget curve where they were computed; without it their charts are left out.
    Without a plan (infeasible, or none found in time) there is no sheet with amounts: a summary and the run record.
    Raises `ValueError` for an unknown language or a figure that is not finite, `OSError` where `path` is not writable.
    """
    if lang not in LANGUAGES:
        raise ValueError(f"language {lang!r}: expected one of {', '.join(LANGUAGES)}")
    if comparison is not None and comparison.best.purchases != plan.purchases:
        raise ValueError("the plan is not the comparison's best plan")
    with replacing(Path(path)) as temporary, xlsxwriter.Workbook(str(temporary)) as workbook:
        book = Book(workbook, lang, run_id(plan), plan.case.catalog)
        _properties(book, plan)
        if plan.has_plan:
            _with_plan(book, plan, comparison, need, conflict, risk or RiskData(), today or date.today())
        else:
            _without_plan(book, plan, comparison, conflict, today or date.today())


def run_id(plan: Plan) -> str:
    """Twelve digits that name the inputs, the objective and the program's version."""
    case = plan.case
    text = "|".join((hwcost.__version__, plan.objective, case.scenario.sha256, case.catalog.sha256))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _properties(book: Book, plan: Plan) -> None:
    book.workbook.set_properties({"title": book.say("summary.title"), "comments": book.say("footer", run=book.run_id)})
    book.workbook.set_calc_mode("auto")


def _with_plan(
    book: Book, plan: Plan, comparison: Comparison | None, need: Plan | None, conflict: Conflict | None, risk: RiskData,
    today: date,
) -> None:  # fmt: skip
    results = sheet_options.planned(comparison) if comparison else []
    others = [r for r in results if comparison and r.letter != comparison.chosen]
    left_out = set() if comparison else {"options", "chart"}
    more = need if comparison is not None and need is not None and need.has_plan else None
    apart = more is not None and more.purchases != plan.purchases  # its cost is a block of its own
    if not others and not apart:
        left_out.add("annex")
    sheets = {key: book.add(key, landscape=across) for key, across in SHEETS if key not in left_out}
    plans = [plan, *(r.plan for r in others if r.plan is not None), *([more] if more is not None else [])]
    inputs = inputs_module.collect(plan.case.scenario, plans)
    sheet_assumptions.write(sheets["assumptions"], inputs)
    block = sheet_cost.write(sheets["cost"], plan, inputs)
    blocks: dict[str, Block] = {}
    enough = Enough(more, block) if more is not None else None
    if "annex" in sheets:
        named = [(r.letter, r.plan, sheet_options.full_name(r, book.lang)) for r in others if r.plan is not None]
        if more is not None and apart:
            named.append((ENOUGH, more, sheet_options.enough_name(more, book.lang)))
        blocks = sheet_cost.write_annex(sheets["annex"], named, inputs)
        if more is not None and apart:
            enough = Enough(more, blocks.pop(ENOUGH))
    if comparison and comparison.chosen:
        blocks[comparison.chosen] = block
    budget = sheet_budget.write(sheets["budget"], plan, block, inputs)
    table = None
    if comparison:
        table = sheet_options.write(sheets["options"], comparison, blocks, enough, inputs)
        sheet_chart.write(sheets["chart"], comparison, blocks)
    texts = sheet_summary.told(plan, comparison, book.lang, need, conflict)
    sentences = sheet_record.write(sheets["record"], plan, today, texts.every)
    facts = sheet_summary.Facts(sentences, block, blocks, inputs, budget, table, enough, risk)
    summary = sheet_summary.write(sheets["summary"], plan, comparison, texts, facts)
    _for_the_form(book, sheets, plan, comparison, need, inputs, block, budget, risk)
    verdict = sheet_checks.write(sheets["checks"], plan, block, budget, inputs, table.total if table else None)
    sheet_summary.write_verdict(summary, verdict)
    sheet_summary.finish(summary)
    sheets["cover"].raw.activate()


def _for_the_form(
    book: Book, sheets: dict[str, Sheet], plan: Plan, comparison: Comparison | None, need: Plan | None, inputs: Inputs,
    block: Block, budget: Budget | None, risk: RiskData,
) -> None:  # fmt: skip
    """The sheets that the form asks for; the cover comes last, as it lists what all others leave open."""
    route = procurement_route.route(plan)
    sections = argument.sections(plan, comparison, book.lang, need)
    sheet_form.write(sheets["form"], sections, argument.subject_line(plan, book.lang), inputs)
    sheet_requirements.write(sheets["requirements"], plan, requirements(plan))
    sheet_market.write(sheets["market"], plan, route)
    sheet_work.write(sheets["work"], plan, machine_hours(plan))
    sheet_risk.write(sheets["risk"], plan, comparison, budget, risk)
    sheet_technical.write(sheets["technical"], plan, block)
    sheet_cover.write(sheets["cover"], plan, route, budget, inputs)


def _without_plan(
    book: Book, plan: Plan, comparison: Comparison | None, conflict: Conflict | None, today: date
) -> None:
    sheets: dict[str, Sheet] = {key: book.add(key, landscape=across) for key, across in SHEETS if key in WITHOUT_PLAN}
    texts = sheet_summary.told(plan, comparison, book.lang, None, conflict)
    summary = sheet_summary.write(sheets["summary"], plan, comparison, texts, None)
    sheet_summary.finish(summary)
    sheet_record.write(sheets["record"], plan, today)
