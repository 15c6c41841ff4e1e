"""The report: procurement route, brand-neutral requirements, files to take away, and the log of decisions."""

from __future__ import annotations

from importlib.util import find_spec

import pandas as pd
import streamlit as st

from hwcost.amount_words import amount_words
from hwcost.names import purchase_total
from hwcost.plan import Plan
from hwcost.procurement_route import asset_text, delivery_text, documents, route, warnings
from hwcost.quantities import money_exact
from hwcost.requirements import line_text, requirements
from hwcost.requirements import warnings as requirement_warnings
from hwcost.scenario_text import scenario_text
from hwcost.web import decision_log, downloads, run, sections, state
from hwcost.web.desk import Desk
from hwcost.web.solve import Outcome
from hwcost.web.words import plain, word

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def draw() -> None:
    lang, desk = state.language(), state.desk()
    st.title(plain(word("report.title", lang)), anchor=False)
    notes = st.container()
    outcome = run.answer(desk, lang, notes)
    if outcome is None:
        return
    if outcome.plan.has_plan:
        sections.show_answer(outcome, lang)
        st.subheader(plain(word("report.route", lang)), anchor=False)
        _route(outcome.plan, lang)
        with st.expander(word("report.requirements", lang)):
            _requirements(outcome.plan, lang)
    else:
        st.info(plain(word("report.no_plan", lang)))
    st.subheader(plain(word("report.files", lang)), anchor=False)
    _files(desk, outcome, lang)
    st.subheader(plain(word("report.log", lang)), anchor=False)
    _log(desk, outcome, lang)


def _route(plan: Plan, lang: str) -> None:
    """The band of the rules, what has to be attached, delivery, and what to beware of."""
    if not plan.bought:
        st.markdown(plain(word("result.purchases_none", lang)))
        return
    scenario = plan.case.scenario
    found = route(plan)
    total = purchase_total(plan)
    lines = [word("report.amount", lang, amount=money_exact(total, scenario.currency, lang)),
             word("report.in_words", lang, words=amount_words(total, scenario.currency, lang)),
             word("report.asset", lang, asset=asset_text(found, lang))]  # fmt: skip
    if found.band is not None:
        method = found.band.method_zh if lang == "zh" else found.band.method
        basis = word(f"report.basis.{found.basis}", lang)
        counted = money_exact(found.amount, scenario.currency, lang)
        lines += [word("report.counts", lang, basis=basis, amount=counted), word("report.method", lang, method=method)]
        attached = documents(found, lang)
        if attached:
            joined = ("；" if lang == "zh" else "; ").join(attached)
            lines.append(word("report.documents", lang, documents=joined))
    lines.append(word("report.delivery", lang, text=delivery_text(found, lang)))
    with st.container(key="route"):
        st.markdown("\n".join(f"- {plain(line)}" for line in lines))
    if found.band is None:
        st.info(plain(word("report.route.unknown", lang)))
    for text in warnings(found, scenario, lang):
        st.warning(plain(text))


def _requirements(plan: Plan, lang: str) -> None:
    for number, found in enumerate(requirements(plan)):
        titles = [word("report.requirement", lang), word("report.products", lang)]
        separator = "、" if lang == "zh" else ", "
        rows = [
            [plain(line_text(line, lang)), plain(separator.join(p.text(lang) for p in line.products[:5]))]
            for line in found.lines
        ]
        sections.table(pd.DataFrame(rows, columns=titles).set_index(titles[0]), f"requirements-{number}", width=40)
        for text in requirement_warnings(found, lang):
            st.warning(plain(text))


def _files(desk: Desk, outcome: Outcome, lang: str) -> None:
    """Workbook, form, scenario, plan and log; each is made at the click."""
    name, entries = outcome.scenario.id, desk.log()
    prices, points = (run.made_for(kind, desk, outcome) for kind in ("switch", "budget"))
    if outcome.plan.has_plan:
        known = [word(f"report.risk.{kind}", lang) for kind, made in (("switch", prices), ("budget", points)) if made]
        lacking = [word(f"report.risk.{kind}", lang) for kind, made in (("switch", prices), ("budget", points))
                   if not made]  # fmt: skip
        joined = ("、" if lang == "zh" else ", ").join
        if known:
            st.caption(plain(word("report.risk_with", lang, parts=joined(known))))
        if lacking:
            st.caption(plain(word("report.risk_without", lang, parts=joined(lacking))))
    columns = st.columns(5)
    with columns[0]:
        downloads.workbook_button(outcome, lang, risk=downloads.risk_of(outcome, prices, points))
    with columns[1]:
        if outcome.plan.has_plan and find_spec("docx") is not None:
            downloads.file("download-docx", word("report.docx", lang), lambda: downloads.document_bytes(outcome, lang),
                           word("report.file.docx", lang, scenario=name), DOCX, outcome.key)  # fmt: skip
        elif outcome.plan.has_plan:
            st.caption(plain(word("report.no_docx", lang)))
    with columns[2]:
        downloads.file("download-toml", word("report.toml", lang), lambda: scenario_text(desk.document).encode(),
                       word("report.file.toml", lang, scenario=desk.current), "application/toml",
                       outcome.key)  # fmt: skip
    with columns[3]:
        downloads.record_button(outcome, lang)
    with columns[4]:
        downloads.file(
            "download-log", word("report.log_csv", lang),
            lambda: decision_log.csv_bytes(entries, desk.document, outcome.scenario.currency, lang),
            word("report.file.log", lang, scenario=name), "text/csv", f"{outcome.key}/{len(entries)}",
        )  # fmt: skip
    if desk.changed and state.personal():
        st.caption(plain(word("report.where", lang, path=desk.store.path(desk.current))))


def _log(desk: Desk, outcome: Outcome, lang: str) -> None:
    entries = desk.log()
    if not entries:
        st.caption(plain(word("report.log_none", lang)))
        return
    frame = decision_log.table(entries, desk.document, outcome.scenario.currency, lang)
    sections.table(frame, "decision-log", right=(4, 5, 6), width=50)


if __name__ == "__main__":
    draw()
