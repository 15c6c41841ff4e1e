"""The justification form as a text document (.docx): the lines and figures of the workbook's form, in their order."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hwcost.amount_words import amount_words
from hwcost.atomic import replacing
from hwcost.messages import LANGUAGES, say
from hwcost.names import purchase_total
from hwcost.options import Comparison
from hwcost.plan import Plan
from hwcost.quantities import money_exact
from hwcost.report import argument
from hwcost.report.argument import Line
from hwcost.report.cells import clean_text
from hwcost.report.workbook import run_id

FONTS = {"zh": ("Times New Roman", "SimSun"), "en": ("Calibri", "Calibri")}
FILL = "FCE8DC"  # as the cells to be filled in of the workbook
A4_MM = (210, 297)
MARGIN_MM = 25
POINTS = 11
BLANK_LINES = 2  # of room in a field that a person fills in


def write_document(
    plan: Plan, comparison: Comparison | None, path: str | Path, lang: str = "zh", *, need: Plan | None = None
) -> None:
    """Write the form of `plan` to `path`, whole or not at all.

    Needs python-docx (`ModuleNotFoundError` without it). Raises `ValueError` for an unknown language or a plan without
    figures, `OSError` where `path` is not writable.
    """
    if lang not in LANGUAGES:
        raise ValueError(f"language {lang!r}: expected one of {', '.join(LANGUAGES)}")
    if not plan.has_plan:
        raise ValueError("a form needs a plan: there is nothing to justify")
    import docx

    document = docx.Document()
    _page(document, lang)
    _core(document, plan, lang)
    document.add_heading(_clean(say("report.form.title", lang)), level=0)
    document.add_paragraph(_clean(argument.subject_line(plan, lang)))
    _amount(document, plan, lang)
    for section in argument.sections(plan, comparison, lang, need):
        document.add_heading(_clean(section.title), level=1)
        _lines(document, section.lines, lang)
    note = document.add_paragraph(_clean(say("report.form.docx_note", lang, run=run_id(plan))))
    note.runs[0].italic = True
    with replacing(Path(path)) as temporary:
        document.save(str(temporary))


def _clean(text: str) -> str:
    """Characters that no XML may hold are replaced, as in the workbook."""
    return clean_text(text)[0]


def _page(document: Any, lang: str) -> None:
    """A4, and a font for each script."""
    from docx.oxml.ns import qn
    from docx.shared import Mm, Pt

    section = document.sections[0]
    section.page_width, section.page_height = Mm(A4_MM[0]), Mm(A4_MM[1])
    for side in ("left_margin", "right_margin", "top_margin", "bottom_margin"):
        setattr(section, side, Mm(MARGIN_MM))
    latin, asian = FONTS[lang]
    for name in ("Normal", "Title", "Heading 1"):
        style = document.styles[name]
        style.font.name = latin
        fonts = style.element.get_or_add_rPr().get_or_add_rFonts()
        fonts.set(qn("w:eastAsia"), asian)
        for theme in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):
            fonts.attrib.pop(qn(f"w:{theme}"), None)
    document.styles["Normal"].font.size = Pt(POINTS)


def _core(document: Any, plan: Plan, lang: str) -> None:
    properties = document.core_properties
    properties.title, properties.author = say("report.form.title", lang), ""
    properties.comments = say("report.footer", lang, run=run_id(plan))
    properties.language = "zh-CN" if lang == "zh" else "en-GB"


def _amount(document: Any, plan: Plan, lang: str) -> None:
    """The total in figures and words, or that nothing is bought."""
    scenario = plan.case.scenario
    if not plan.bought:
        document.add_paragraph(say("report.cover.nothing", lang))
        return
    total = purchase_total(plan)
    key = "amount" if scenario.tax_rate else "amount_untaxed"
    rows = [
        (say(f"report.cover.{key}", lang, currency=scenario.currency), money_exact(total, scenario.currency, lang)),
        (say("report.cover.words", lang), amount_words(total, scenario.currency, lang)),
    ]
    table = document.add_table(rows=0, cols=2, style="Table Grid")
    for label, text in rows:
        cells = table.add_row().cells
        cells[0].text, cells[1].text = label, text
        cells[0].paragraphs[0].runs[0].bold = True
        cells[1].paragraphs[0].runs[0].bold = True


def _lines(document: Any, lines: Sequence[Line], lang: str) -> None:
    """Sentences as paragraphs; blanks together in a table with room to write."""
    blanks = [line for line in lines if line.blank]
    for line in lines:
        if not line.blank:
            document.add_paragraph(_clean(line.text))
    if not blanks:
        return
    table = document.add_table(rows=0, cols=2, style="Table Grid")
    for line in blanks:
        cells = table.add_row().cells
        cells[0].text = _clean(line.text)
        cells[1].text = say("report.fill", lang) + "\n" * (BLANK_LINES - 1)
        _shade(cells[1])


def _shade(cell: Any) -> None:
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    shading = OxmlElement("w:shd")
    shading.set(qn("w:val"), "clear")
    shading.set(qn("w:fill"), FILL)
    cell._tc.get_or_add_tcPr().append(shading)
