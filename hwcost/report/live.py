"""Texts that hold for the inputs of the optimisation: once an input is changed they give way to "run again"."""

from __future__ import annotations

from hwcost.report.book import Ref, Sheet, literal
from hwcost.report.inputs import Inputs
from hwcost.report.sheet_budget import Budget


def unchanged(sheet: Sheet, inputs: Inputs) -> str:
    """The condition that every input is as it was in the optimisation."""
    assert inputs.changed is not None
    return f"{inputs.changed.at(sheet.title)}=0"


def while_unchanged(
    sheet: Sheet, row: int, column: int, text: Ref, inputs: Inputs, *, weight: str = "cell", across: int = 1
) -> Ref:
    """The text of another cell, and nothing once an input is changed."""
    formula = f'IF({unchanged(sheet, inputs)},{text.at(sheet.title)},"")'
    return sheet.formula_text(row, column, formula, text.value, weight=weight, across=across)


def headline(
    sheet: Sheet, row: int, text: Ref, inputs: Inputs, budget: Budget | None, *, weight: str, across: int
) -> Ref:
    """The answer; once an input is changed, that it no longer holds, and by how much the budget is exceeded."""
    book, here = sheet.book, sheet.title
    rerun = book.say("changed.headline")
    other = literal(rerun)
    longest = rerun
    if budget is not None and budget.limit is not None:
        over = f"{budget.spent.at(here)}-{budget.limit.at(here)}"
        before = book.say("changed.over_before")
        after = book.say("changed.over_after", currency=inputs.scenario.currency)
        amount = f"FIXED({over},in_price_decimals)"
        other = f'{other}&IF({over}>in_money_tolerance,{literal(before)}&{amount}&{literal(after)},"")'
        longest += before + "0" * 15 + after
    formula = f"IF({unchanged(sheet, inputs)},{text.at(here)},{other})"
    return sheet.formula_text(row, 0, formula, text.value, weight=weight, across=across, tallest=longest)
