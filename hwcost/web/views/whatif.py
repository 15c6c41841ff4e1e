"""What if: the next money, switching prices, rent, why something else is not chosen, and which assumption matters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from hwcost import why_not
from hwcost.breakeven import break_even
from hwcost.frontier import SHARES, frontier, gains
from hwcost.names import card_name, tax_basis
from hwcost.sensitivity import tornado
from hwcost.switching import switching_prices
from hwcost.told import break_even_text, gain_text, switch_text, why_not_text
from hwcost.told_sweep import tornado_texts
from hwcost.web import run, sections, state, whatif_tables
from hwcost.web.desk import Desk
from hwcost.web.solve import Outcome
from hwcost.web.words import lettered, plain, word

SOLVE_LIMIT_S = 10.0
MOST_BARS = 10  # in the chart; the table has all


def draw() -> None:
    lang, desk = state.language(), state.desk()
    st.title(plain(word("whatif.title", lang)), anchor=False)
    st.caption(plain(word("whatif.intro", lang)))
    notes = st.container()
    outcome = run.answer(desk, lang, notes)
    if outcome is None or not outcome.plan.has_plan or outcome.comparison is None:
        if outcome is not None:
            st.info(plain(word("whatif.need_plan", lang)))
        return
    _part("budget", desk, outcome, lang, _frontier, _show_frontier)
    _part("switch", desk, outcome, lang, _switching, _show_switching)
    _part("tornado", desk, outcome, lang, _tornado, _show_tornado)
    st.subheader(plain(word("whatif.rent", lang)), anchor=False)
    _rent(outcome, lang)
    _why(desk, outcome, lang)


def _part(
    name: str, desk: Desk, outcome: Outcome, lang: str, work: Callable[[Outcome, run.solve.Report], Any],
    show: Callable[[Any, Outcome, str], None],
) -> None:  # fmt: skip
    """A result that is worked out at the press of a button; an earlier one stays, marked as such."""
    st.subheader(plain(word(f"whatif.{name}", lang)), anchor=False)
    notes = st.container()
    made = run.kept_results(f"{name}/{desk.current}")
    asked = f"{name}_asked"
    if outcome.key not in made and st.session_state.pop(asked, None) == outcome.key:

        def task(report: run.solve.Report, part: Callable[[Any], None]) -> Any:
            return work(outcome, report)

        found = run.background(lang, f"{name}/{outcome.key}", task, notes)
        if found is not None:
            made[outcome.key] = (found, outcome)
    if outcome.key in made:
        found, about = made[outcome.key]
        show(found, about, lang)
        return
    if made:
        with notes:
            st.warning(plain(word("whatif.stale", lang)))
    st.button(word("whatif.again" if made else "whatif.start", lang), key=f"start-{name}", on_click=_ask,
              args=(asked, outcome.key))  # fmt: skip
    if made:
        found, about = next(reversed(made.values()))
        show(found, about, lang)


def _ask(name: str, key: str) -> None:
    st.session_state[name] = key


# --- budgets ---


def _frontier(outcome: Outcome, report: run.solve.Report) -> Any:
    return frontier(outcome.plan, shares=SHARES, time_limit_s=SOLVE_LIMIT_S,
                    on_done=lambda done, every: report("frontier", f"{done}/{every}"))  # fmt: skip


def _show_frontier(points: Any, outcome: Outcome, lang: str) -> None:
    scenario = outcome.scenario
    base = next((p for p in points if p.share == 1.0), None)
    if base is None:
        return
    with st.container(key="gains"):
        near = [g for g in gains(points) if g.share <= 1.2]
        st.markdown("\n".join(f"- {plain(gain_text(gain, base, lang))}" for gain in near))
    st.caption(plain(word("whatif.budget_note", lang)))
    st.altair_chart(whatif_tables.budgets(points, scenario, lang), key="chart-budgets")
    sections.table(whatif_tables.budget_table(points, scenario, lang), "budgets", right=(2, 4, 5), width=44)


# --- switching prices ---


def _switching(outcome: Outcome, report: run.solve.Report) -> Any:
    return switching_prices(outcome.plan, comparison=outcome.comparison, time_limit_s=SOLVE_LIMIT_S,
                            on_done=lambda done, every: report("switching", f"{done}/{every}"))  # fmt: skip


def _show_switching(found: Any, outcome: Outcome, lang: str) -> None:
    plan = outcome.plan
    st.caption(plain(word("whatif.switch_note", lang, basis=tax_basis(plan.case.scenario, lang))))
    with st.container(key="switches"):
        bought = [p for p in found if p.in_plan]
        st.markdown("\n".join(f"- {plain(switch_text(p, plan, lang))}" for p in bought))
    chart = whatif_tables.switching(found, plan, lang)
    if chart is not None:
        st.altair_chart(chart, key="chart-switching")
    sections.table(whatif_tables.switching_table(found, plan, lang), "switching", right=(2, 3, 4), width=50)


# --- one assumption after the other ---


def _tornado(outcome: Outcome, report: run.solve.Report) -> Any:
    return tornado(outcome.plan, time_limit_s=SOLVE_LIMIT_S,
                   on_done=lambda done, every: report("tornado", f"{done}/{every}"))  # fmt: skip


def _show_tornado(bars: Any, outcome: Outcome, lang: str) -> None:
    plan = outcome.plan
    with st.container(key="tornado-text"):
        st.markdown("\n".join(f"- {plain(text)}" for text in tornado_texts(bars, plan, lang)))
    st.caption(plain(word("whatif.tornado_note", lang, years=outcome.scenario.horizon_years)))
    chart = whatif_tables.tornado(bars[:MOST_BARS], plan, lang)
    if chart is not None:
        st.altair_chart(chart, key="chart-tornado")
    sections.table(whatif_tables.tornado_table(bars, plan, lang), "tornado", right=(3, 4), width=44)


# --- rent ---


def _rent(outcome: Outcome, lang: str) -> None:
    made = run.kept_results("rent")
    if outcome.key not in made:
        made[outcome.key] = break_even(outcome.plan)
    found = made[outcome.key]
    if not found:
        st.info(plain(word("whatif.rent_none", lang)))
        return
    st.caption(plain(word("whatif.rent_note", lang)))
    with st.container(key="rent"):
        st.markdown("\n".join(f"- {plain(break_even_text(b, outcome.plan, lang))}" for b in found))
    chart = whatif_tables.rent_chart(found, lang)
    if chart is not None:
        st.altair_chart(chart, key="chart-rent")
    frame = whatif_tables.rent_table(found, outcome.scenario, lang)
    sections.table(frame, "rent-table", right=(2, 3, 4, 5), width=44)


# --- why not ---


def _why(desk: Desk, outcome: Outcome, lang: str) -> None:
    st.subheader(plain(word("whatif.why", lang)), anchor=False)
    notes = st.container()
    assert outcome.comparison is not None
    catalog = outcome.plan.case.catalog
    options = {r.letter: lettered(r, lang) for r in outcome.comparison.results if r.letter != outcome.comparison.chosen}
    named = options | {c.id: card_name(c) for c in sorted(catalog.cards.values(), key=lambda c: c.name)}
    named |= {s.id: s.name_zh if lang == "zh" else s.name for s in catalog.systems.values()}
    chosen = st.selectbox(word("whatif.why_pick", lang), list(named), index=None, format_func=named.__getitem__,
                          key=f"{desk.current}/why", placeholder=word("open.choose", lang))  # fmt: skip
    if chosen is None:
        return
    made, key = run.kept_results("why"), f"{outcome.key}/{chosen}"
    if key not in made:
        asked = why_not.find(chosen, outcome.plan.case, outcome.comparison)
        if isinstance(asked, str):
            return

        def task(report: run.solve.Report, part: Callable[[Any], None]) -> Any:
            report("why", "")
            return why_not.why_not(outcome.plan, asked, time_limit_s=SOLVE_LIMIT_S)

        found = run.background(lang, f"why/{key}", task, notes)
        if found is None:
            return
        made[key] = found
    with st.container(key="why-text"):
        st.markdown("\n".join(f"- {plain(text)}" for text in why_not_text(made[key], lang)))


if __name__ == "__main__":
    draw()
