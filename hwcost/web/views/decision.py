"""The decision: one sentence, three figures, the options side by side, and what stands behind them."""

from __future__ import annotations

from typing import Any

import streamlit as st

from hwcost.errors import InputError
from hwcost.messages import say
from hwcost.scenario_io import bundled_scenarios
from hwcost.sentences import rule_text
from hwcost.web import (
    campus,
    changes,
    configurator,
    downloads,
    fixes,
    inputs,
    largest_tile,
    next_money,
    owned_now,
    rivals,
    run,
    sections,
    solve,
    state,
    supply,
    what_else,
)
from hwcost.web.desk import Desk
from hwcost.web.solve import Outcome
from hwcost.web.words import plain, word


def draw() -> None:
    lang, desk = state.language(), state.desk()
    title = desk.document.get(f"name_{lang}") or desk.document.get("name_en") or desk.current
    st.title(plain(str(title)), anchor=False)
    if desk.current in bundled_scenarios() and not desk.changed:
        st.caption(plain(word("decision.example", lang)))
    notes = st.container()  # one place for progress and warnings, so that what follows does not move with them
    # what is known is drawn in place: an emptied part would fold up whatever the reader had unfolded in it
    known = _known(desk)
    top, rest = (st.container(), st.container()) if known else (st.empty(), st.empty())

    def ready(early: Outcome) -> None:
        with top.container():
            sections.show_answer(early, lang, "answer-early")
            if early.plan.has_plan:
                sections.figures(early.plan, lang)
        running = "decision.options_running" if early.plan.has_plan else "decision.conflict_running"
        rest.caption(plain(word(running, lang)))

    outcome = run.answer(desk, lang, notes, ready)
    if outcome is None:
        top.empty()
        rest.empty()
        return
    if st.session_state.pop("conflict_asked", None) == outcome.key:
        outcome = run.find_conflict(desk, outcome, lang, notes)
    with top if known else top.container():
        sections.show_answer(outcome, lang)
        if outcome.plan.has_plan:
            sections.figures(outcome.plan, lang)
    with rest if known else rest.container():
        _rest(desk, outcome, lang)


def _known(desk: Desk) -> bool:
    """The result for the inputs as they are is there already."""
    try:
        return solve.key_of(desk.scenario(), desk.catalog) in desk.outcomes
    except InputError:
        return False


def _rest(desk: Desk, outcome: Outcome, lang: str) -> None:
    if not outcome.plan.has_plan or outcome.plan.falls_short:
        _missing(desk, outcome, lang)
    if outcome.comparison is not None:
        rivals.side_by_side(outcome.comparison, lang, largest_tile.areas(desk.document, desk.catalog))
        next_money.show(desk, outcome, lang)
    changes.show(desk, outcome, lang)
    if outcome.comparison is not None:
        _money(outcome, lang)
        with st.expander(word("decision.all", lang), expanded=not outcome.plan.has_plan):
            supply.show_options(outcome.comparison, lang)
    if outcome.plan.bought:
        configurator.show(desk, outcome, lang)
    _asked(desk, outcome, lang)
    names = ("purchase", "jobs", "basis", "left_out") if outcome.plan.has_plan else ("left_out",)
    for name, tab in zip(names, st.tabs([word(f"decision.tab.{n}", lang) for n in names]), strict=True):
        with tab:
            _tab(name, outcome, lang)


def _asked(desk: Desk, outcome: Outcome, lang: str) -> None:
    """What is asked in every such meeting: supply, the campus cluster, what else the machine could do."""
    if outcome.comparison is not None and outcome.scenario.owned and outcome.plan.has_plan:
        with st.expander(word("owned.title", lang), expanded=True):
            owned_now.show(outcome.comparison, lang)
    with st.expander(word("supply.title", lang)):
        supply.ask(outcome.plan.case, desk.current, lang)
    if outcome.plan.has_plan:
        with st.expander(word("campus.title", lang)):
            campus.show(outcome, lang)
    if outcome.comparison is not None and outcome.plan.has_plan:
        with st.expander(word("else.title", lang)):
            what_else.show(outcome.comparison, lang)


def _tab(name: str, outcome: Outcome, lang: str) -> None:
    parts: dict[str, Any] = {"purchase": sections.purchases, "jobs": sections.jobs, "basis": sections.rests_on,
                             "left_out": sections.not_considered}  # fmt: skip
    parts[name](outcome.plan, lang)


def _money(outcome: Outcome, lang: str) -> None:
    """The cost of each option by payer, and by kind of cost."""
    assert outcome.comparison is not None
    sections.costs(outcome.comparison, sections.BY_PAYER, "payer", lang)
    years = outcome.scenario.horizon_years
    with st.expander(word("result.by_category", lang, years=years)):
        sections.costs(outcome.comparison, sections.BY_CATEGORY, "category", lang, titled=False)


# --- what is missing, and what would repair it ---


def _missing(desk: Desk, outcome: Outcome, lang: str) -> None:
    found = outcome.conflict
    if found is None:
        if outcome.plan.has_plan:
            st.info(plain(word("result.conflict_note", lang)))
            st.button(word("result.conflict_ask", lang), key="ask-conflict", on_click=_ask, args=(outcome.key,))
        return
    if not found.rules:
        return
    sections.heading("conflict", lang)
    st.markdown("\n".join(f"- {plain(rule_text(rule, outcome.scenario, lang))}" for rule in found.rules))
    catalog = outcome.plan.case.catalog
    offers = fixes.offers(found, outcome.scenario, desk.document, catalog, lang)
    for n, offer in enumerate(offers):
        left, right = st.columns([5, 1], vertical_alignment="center")
        with left:
            st.info(plain(offer.text))
            if offer.by_hand:
                st.caption(plain(offer.by_hand))
        if offer.changes:
            with right:
                st.button(word("decision.apply_short", lang), key=f"repair-{n}", width="stretch", on_click=_apply,
                          args=(desk, offer.changes))  # fmt: skip
    if not offers:
        st.info(plain(say("repair.none", lang)))
    if not found.proven:
        st.caption(plain(say("conflict.unproven", lang)))
    downloads.workbook_button(outcome, lang, "conflict")


def _ask(key: str) -> None:
    st.session_state["conflict_asked"] = key


def _apply(desk: Desk, wanted: dict[str, Any]) -> None:
    faults = desk.edit(wanted, "repair")
    if faults:
        st.session_state["page_faults"] = faults


if __name__ == "__main__":
    if faults := st.session_state.pop("page_faults", None):
        inputs.problems(faults, state.language())
    draw()
