"""The justification form: the argument in its usual order, with the blanks of the applicant in their places."""

from __future__ import annotations

from hwcost.report.argument import Section
from hwcost.report.book import Sheet, literal
from hwcost.report.inputs import Inputs
from hwcost.report.live import unchanged

LABEL, CONTENT = range(2)
WIDTHS = {LABEL: 34.0, CONTENT: 82.0}


def write(sheet: Sheet, sections: list[Section], subject: str, inputs: Inputs) -> None:
    """One heading for each part; sentences over both columns, blanks with their label."""
    book = sheet.book
    sheet.fixed |= WIDTHS
    sheet.text(0, 0, book.say("form.title"), weight="title", fit=False)
    sheet.text(1, 0, subject, weight="note", wrap=True, across=2)
    sheet.text(2, 0, book.say("form.how"), weight="note", wrap=True, across=2)
    rerun = literal(book.say("changed.options"))
    sheet.formula(3, 0, f'IF({unchanged(sheet, inputs)},"",{rerun})', "", "text", weight="warning", fit=False)
    row = 4
    for section in sections:
        sheet.text(row, LABEL, section.title, weight="heading", fit=False)
        row += 1
        for line in section.lines:
            if line.blank:
                sheet.text(row, LABEL, line.text, wrap=True)
                sheet.blank(row, CONTENT, line.text)
            else:
                sheet.text(row, LABEL, line.text, wrap=True, across=2)
            row += 1
        row += 1
    sheet.finish(freeze=(4, 0))
