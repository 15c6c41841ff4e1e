"""The two files a reader takes away. They are made when asked for, from the result on the page, in its language."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import streamlit as st

from hwcost.record import plan_record, to_json
from hwcost.report import write_workbook
from hwcost.web.solve import Outcome
from hwcost.web.words import word

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
LATE = "callable" in (st.download_button.__doc__ or "").lower()  # newer Streamlit makes the file at the click


def buttons(outcome: Outcome, lang: str) -> None:
    """Workbook (where there is a plan) and record."""
    columns = iter(st.columns(2))
    if outcome.plan.has_plan:
        with next(columns):
            _button("workbook", outcome, lang, lambda: workbook_bytes(outcome, lang), XLSX)
    with next(columns):
        _button("record", outcome, lang, lambda: record_bytes(outcome), "application/json")


def workbook_bytes(outcome: Outcome, lang: str) -> bytes:
    """The justification workbook."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "workbook.xlsx"
        write_workbook(outcome.plan, outcome.comparison, path, lang, need=outcome.need, conflict=outcome.conflict)
        return path.read_bytes()


def record_bytes(outcome: Outcome) -> bytes:
    """The plan under schema `hwcost.plan/1`."""
    return to_json(plan_record(outcome.plan, outcome.conflict, outcome.comparison, need=outcome.need)).encode()


def _button(name: str, outcome: Outcome, lang: str, make: Callable[[], bytes], mime: str) -> None:
    data: Callable[[], bytes] | bytes = make
    if not LATE:
        made = st.session_state.setdefault("files", {})
        key = (name, outcome.key, lang, outcome.conflict is None)
        if key not in made:
            made[key] = make()
        data = made[key]
    st.download_button(
        word(f"result.{name}", lang), data, file_name=word(f"result.file.{name}", lang, scenario=outcome.scenario.id),
        mime=mime, key=f"download-{name}", on_click="ignore", width="stretch",
    )  # fmt: skip
