"""The report: procurement route, brand-neutral requirements, files to take away, and the log of decisions."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec

import streamlit as st

from hwcost.amount_words import amount_words
from hwcost.names import configuration_text, purchase_total
from hwcost.plan import Plan, Purchase
from hwcost.procurement_route import asset_text, delivery_text, documents, route, warnings
from hwcost.quantities import money_exact
from hwcost.requirements import line_text, requirements
from hwcost.requirements import warnings as requirement_warnings
from hwcost.scenario import Scenario
from hwcost.scenario_text import scenario_text
from hwcost.web import decision_log, downloads, run, sections, state
from hwcost.web.desk import Desk
from hwcost.web.lazy import pd
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
             *(_unit_line(p, scenario, lang) for p in plan.bought),
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
    rows = other_rules(plan, lang)
    if rows:
        with st.expander(word("report.others", lang)):
            st.caption(plain(word("report.others_note", lang)))
            titles = [word(f"report.others.{name}", lang) for name in ("rules", "method", "documents")]
            sections.table(pd.DataFrame(rows, columns=titles).set_index(titles[0]), "other-rules", width=40)


def _unit_line(purchase: Purchase, scenario: Scenario, lang: str) -> str:
    """How many machines of which price each."""
    price = money_exact(purchase.unit_price, scenario.currency, lang)
    return word("report.units", lang, nodes=purchase.nodes, price=price,
                configuration=configuration_text([replace(purchase, nodes=1)], lang))  # fmt: skip


def other_rules(plan: Plan, lang: str) -> list[list[str]]:
    """What each other set of rules of this currency asks of the same purchase: name, procedure, documents."""
    scenario, catalog = plan.case.scenario, plan.case.catalog
    rows = []
    for identity in dict.fromkeys(r.id for r in catalog.procurement):
        if identity == scenario.procurement:
            continue
        case = replace(plan.case, scenario=replace(scenario, procurement=identity))
        found = route(replace(plan, case=case))
        if found.band is None:
            continue
        attached = documents(found, lang)
        joined = ("；" if lang == "zh" else "; ").join(attached) if attached else word("report.others.nothing", lang)
        name, method = ((found.band.name_zh, found.band.method_zh) if lang == "zh"
                        else (found.band.name, found.band.method))  # fmt: skip
        rows.append([plain(name), plain(method), plain(joined)])
    return rows


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
            lambda: decision_log.csv_bytes(entries, desk.document, outcome.scenario.currency, lang, desk.catalog),
            word("report.file.log", lang, scenario=name), "text/csv", f"{outcome.key}/{len(entries)}",
        )  # fmt: skip
    if desk.changed and state.personal():
        st.caption(plain(word("report.where", lang, path=desk.store.path(desk.current))))


def _log(desk: Desk, outcome: Outcome, lang: str) -> None:
    entries = desk.log()
    if not entries:
        st.caption(plain(word("report.log_none", lang)))
        return
    frame = decision_log.table(entries, desk.document, outcome.scenario.currency, lang, desk.catalog)
    sections.table(frame, "decision-log", right=(4, 5, 6), width=50)


if __name__ == "__main__":
    draw()
