"""Vendors' files and input workbooks: from what people have to the program's tables.

    reading = read_quote(data, "quote.xlsx", answers)
    changes = plan_changes(reading, answers, catalog, scenario)
    # while changes.questions: put their answers into `answers`, by question id, and do both again
    apply_changes(changes, folder)

A leaf, beside `report` and `web`: nothing below it imports it.
"""

from hwcost.intake.changes import plan_changes
from hwcost.intake.model import LEAVE_OUT, Changes, Choice, Question, Reading, Said
from hwcost.intake.reading import read_quote
from hwcost.intake.store import apply_changes, target_folder

__all__ = ["LEAVE_OUT", "Changes", "Choice", "Question", "Reading", "Said", "apply_changes", "plan_changes",
           "read_quote", "target_folder"]  # fmt: skip
