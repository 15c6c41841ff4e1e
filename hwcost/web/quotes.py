"""Reading a quotation: what is open is asked, what would change is shown, and only then is anything taken over."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from hwcost.errors import InputError, Problem
from hwcost.intake import Changes, Question, apply_changes, plan_changes, read_quote
from hwcost.intake.model import PriceChange
from hwcost.intake.sayings import choice_text, question_text, said_text
from hwcost.quantities import UNKNOWN, money_exact, percent_text
from hwcost.scenario import Scenario
from hwcost.scenario_options import MOST_OPTIONS
from hwcost.web import inputs, quoted, sections, state
from hwcost.web.desk import Desk
from hwcost.web.documents import Change
from hwcost.web.lazy import pd
from hwcost.web.words import plain, word

MOST_BYTES = 5_000_000
MOST_ASKED = 8  # at a time; the next ones come once these are answered


def show(desk: Desk, scenario: Scenario, lang: str) -> None:
    """Upload, questions, preview, and the button that takes it over."""
    upload = st.file_uploader(word("catalog.upload", lang), type=["xlsx", "csv"], key="quote-file",
                              help=word("catalog.upload.help", lang))  # fmt: skip
    if taken := st.session_state.pop("quote_taken", None):
        st.success(plain(word("catalog.taken", lang, count=taken)))
    if upload is None:
        return
    data = upload.getvalue()
    if len(data) > MOST_BYTES:
        values = {"most": MOST_BYTES // 1000}
        inputs.problems([Problem("upload_too_large", file=upload.name, value=str(len(data)), values=values)], lang)
        return
    answers = answers_for(data)
    try:
        changes = plan_changes(read_quote(data, upload.name, answers), answers, desk.catalog, scenario)
    except InputError as error:
        inputs.problems(error.problems, lang)
        return
    _sample(changes, lang)
    if changes.questions:
        _ask(changes.questions, answers, desk, lang)
    _preview(changes, scenario, desk, lang)
    st.button(word("catalog.take", lang), key="take-quote", type="primary", disabled=not changes.ready,
              on_click=_take, args=(desk, changes))  # fmt: skip


def answers_for(data: bytes) -> dict[str, str]:
    """The answers given so far for this very file, in this session."""
    kept: dict[str, dict[str, str]] = st.session_state.setdefault("quote_answers", {})
    return kept.setdefault(hashlib.sha256(data).hexdigest(), {})


def _ask(questions: Sequence[Question], answers: dict[str, str], desk: Desk, lang: str) -> None:
    st.markdown(f"**{plain(word('catalog.questions', lang))}**")
    for question in questions[:MOST_ASKED]:
        key = f"quote/{question.id}"
        labels = {c.value: choice_text(c, lang, desk.catalog) for c in question.choices}

        def answered(key: str = key, question: Question = question, labels: dict[str, str] = labels) -> None:
            given = str(st.session_state[key] or "").strip()
            if given:
                answers[question.id] = meant(given, labels)

        text = plain(question_text(question, lang))
        if labels:
            free = question.kind != "choice" or question.key in ("item", "card", "chassis", "psu", "storage")

            def shown(value: str, labels: dict[str, str] = labels) -> str:
                return labels.get(value, value)

            st.selectbox(text, list(labels), index=None, format_func=shown, key=key,
                         on_change=answered, accept_new_options=free,
                         placeholder=word("open.choose", lang))  # fmt: skip
        else:
            st.text_input(text, key=key, on_change=answered)


def meant(given: str, labels: Mapping[str, str]) -> str:
    """The choice whose words hold what was typed, where there is just one; else what was typed."""
    if given in labels:
        return given
    found = [value for value, label in labels.items() if given.casefold() in label.casefold()]
    return found[0] if len(found) == 1 else given


def _sample(changes: Changes, lang: str) -> None:
    sample = changes.reading.sample
    if not sample:
        return
    with st.expander(word("catalog.sample", lang)):
        width = max(len(row) for row in sample)
        titles = [str(n) for n in range(1, width + 1)]
        frame = pd.DataFrame([[plain(c) for c in (*row, *[""] * (width - len(row)))] for row in sample], columns=titles)
        sections.table(frame.set_index(titles[0]), "quote-sample", width=8 * width)


def _preview(changes: Changes, scenario: Scenario, desk: Desk, lang: str) -> None:
    checks = [
        word("catalog.total_ok" if c.ok else "catalog.total_differs", lang, row=c.row, stated=f"{c.stated:,.2f}",
             read=f"{c.read:,.2f}")
        for c in changes.reading.totals
    ]  # fmt: skip
    if checks:
        st.markdown("\n".join(f"- {plain(check)}" for check in checks))
    if changes.prices or changes.systems:
        st.markdown(f"**{plain(word('catalog.preview', lang))}**")
    if changes.prices:
        sections.table(price_table(changes, lang), "quote-prices", right=(3, 5), width=44)
    if changes.systems:
        st.markdown(f"**{plain(word('quoted.machines', lang))}**")
        st.caption(plain(word("quoted.estimate_note", lang)))
        sections.table(quoted.machine_table(changes, desk.catalog, scenario.tax_rate, lang), "quote-machines", width=60)
    for name, said in (("left_out", changes.left_out), ("notes", changes.notes)):
        if said:
            st.markdown(f"**{plain(word(f'catalog.{name}', lang))}**")
            st.markdown("\n".join(f"- {plain(said_text(one, lang))}" for one in said))


def price_table(changes: Changes, lang: str) -> pd.DataFrame:
    """Each price with its difference from the catalog's."""
    names = ("row", "item", "amount", "tax", "differs", "valid_until", "replaces")
    titles = [word(f"catalog.{name}", lang) for name in names]
    rows = []
    for p in changes.prices:
        share = (
            UNKNOWN if p.difference is None else ("+" if p.difference > 0 else "") + percent_text(p.difference, lang)
        )
        gross = word("tax.included" if p.cells["tax_included"] == "yes" else "tax.excluded", lang)
        rows.append([str(p.row), plain(p.name), plain(money_exact(float(p.cells["amount"]), p.cells["currency"], lang)),
                     gross, share, p.cells.get("valid_until") or UNKNOWN,
                     word("catalog.yes" if p.replaces else "catalog.no", lang)])  # fmt: skip
    return pd.DataFrame(rows, columns=titles).set_index(titles[0])


def before(price: PriceChange, tax_rate: float) -> str | None:
    """What the catalog said, on the tax basis of the quotation; None where it said nothing."""
    if price.catalog_amount is None:
        return None
    share = 1.0 + tax_rate if price.cells["tax_included"] == "yes" else 1.0
    return f"{price.catalog_amount * share:.2f} {price.cells['currency']}"


def _take(desk: Desk, changes: Changes) -> None:
    try:
        apply_changes(changes, desk.store.catalog_dir)
    except InputError as error:
        st.session_state["page_faults"] = error.problems
        return
    _offer(desk, changes)
    rate = desk.scenario().tax_rate
    desk.note([Change(p.name, before(p, rate), f"{p.cells['amount']} {p.cells['currency']}") for p in changes.prices],
              "quote")  # fmt: skip
    st.session_state["quote_taken"] = len(changes.prices) + len(changes.systems)


def _offer(desk: Desk, changes: Changes) -> None:
    """Each quoted machine becomes an option of its own, and joins the machines that the scenario allows by name."""
    from hwcost.web.documents import get

    if not changes.systems:
        return
    named = get(desk.document, "choice.include_systems", [])
    new = [s.id for s in changes.systems if s.id not in named]
    fields: dict[str, Any] = {"choice.include_systems": [*named, *new]} if named and new else {}
    options = list(get(desk.document, "option", []))
    known = {system for option in options for system in option.get("systems", [])}
    more = [_option(s.id, s.cells) for s in changes.systems if s.id not in known]
    if more and len(options) + len(more) <= MOST_OPTIONS:
        fields["option"] = [*options, *more]
    if fields:
        desk.catalog = state.catalog_of(desk.store)
        desk.edit(fields, "quote")


def _option(identity: str, cells: Mapping[str, str]) -> dict[str, Any]:
    """The option that buys this machine alone."""
    words = {"name": cells["name"], "vendor": cells["vendor"]}
    return {"id": identity, "name_en": word("quoted.option", "en", **words), "systems": [identity],
            "name_zh": word("quoted.option", "zh", **words)}  # fmt: skip
