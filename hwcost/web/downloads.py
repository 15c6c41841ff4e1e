"""The files a reader takes away. They are made when asked for, from the result on the page, in its language."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from hwcost.record import plan_record, to_json
from hwcost.web.solve import Outcome
from hwcost.web.words import word

if TYPE_CHECKING:  # the report is heavy, and most pages hand out no file
    from hwcost.report import RiskData

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
LATE = "callable" in (st.download_button.__doc__ or "").lower()  # newer Streamlit makes the file at the click


def workbook_button(outcome: Outcome, lang: str, name: str = "workbook", risk: RiskData | None = None) -> None:
    """The justification workbook; where there is no plan, with the conflict in the plan's place."""
    if outcome.comparison is not None:
        label = "result.workbook" if name == "workbook" else "decision.conflict_workbook"
        file(f"download-{name}", word(label, lang), lambda: workbook_bytes(outcome, lang, risk),
             word("result.file.workbook", lang, scenario=outcome.scenario.id), XLSX,
             f"{outcome.key}/{(len(risk.switching), len(risk.frontier)) if risk else ''}")  # fmt: skip


def risk_of(outcome: Outcome, switching: Any, points: Any) -> RiskData | None:
    """The sheet of risk of what was worked out; None where nothing was."""
    if outcome.comparison is None or not outcome.plan.has_plan or (not switching and not points):
        return None
    from hwcost.report import risk_data

    return risk_data(outcome.comparison, switching or (), points or ())


def record_button(outcome: Outcome, lang: str) -> None:
    """The plan as data."""
    file("download-record", word("result.record", lang), lambda: record_bytes(outcome),
         word("result.file.record", lang, scenario=outcome.scenario.id), "application/json", outcome.key)  # fmt: skip


def workbook_bytes(outcome: Outcome, lang: str, risk: RiskData | None = None) -> bytes:
    """The justification workbook."""
    from hwcost.report import write_workbook  # heavy, and most pages hand out no file

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "workbook.xlsx"
        write_workbook(outcome.plan, outcome.comparison, path, lang, need=outcome.need, conflict=outcome.conflict,
                       risk=risk)  # fmt: skip
        return path.read_bytes()


def document_bytes(outcome: Outcome, lang: str) -> bytes:
    """The form as a text document."""
    from hwcost.report.word import write_document

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "form.docx"
        write_document(outcome.plan, outcome.comparison, path, lang, need=outcome.need)
        return path.read_bytes()


def record_bytes(outcome: Outcome) -> bytes:
    """The plan under schema `hwcost.plan/1`."""
    return to_json(plan_record(outcome.plan, outcome.conflict, outcome.comparison, need=outcome.need)).encode()


def file(key: str, label: str, make: Callable[[], bytes], name: str, mime: str, about: str) -> None:
    """A button that hands out a file. It is made at the click; older Streamlit makes it once for each `about`."""
    data: Callable[[], bytes] | bytes = make
    if not LATE:
        made = st.session_state.setdefault("files", {})
        if (name, about) not in made:
            made[name, about] = make()
        data = made[name, about]
    st.download_button(label, data, file_name=name, mime=mime, key=key, on_click="ignore", width="stretch")
