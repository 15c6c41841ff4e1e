"""What the next money buys: one fifth more than the budget, in a sentence, at the press of a button."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from hwcost.frontier import frontier, gains
from hwcost.names import configuration_text
from hwcost.quantities import money_text
from hwcost.told import gain_text
from hwcost.web import run, solve
from hwcost.web.desk import Desk
from hwcost.web.solve import Outcome
from hwcost.web.words import plain, word

SHARES = (1.0, 1.2)
LIMIT_S = 10.0
KIND = "next"


def show(desk: Desk, outcome: Outcome, lang: str) -> None:
    """The button, and the sentence once it was worked out for this very result, here or on the page "what if"."""
    budget = outcome.scenario.budget
    if not budget or not outcome.plan.has_plan:
        return
    asked = "next_asked"
    found = run.made_for("budget", desk, outcome) or run.made_for(KIND, desk, outcome)
    notes = st.container()
    if found is None and st.session_state.pop(asked, None) == outcome.key:
        found = _worked_out(outcome, lang, notes)
        if found is not None:
            run.kept_results(f"{KIND}/{desk.current}")[outcome.key] = (found, outcome)
    if found is None:
        money = {"more": money_text(budget * (SHARES[1] - 1.0), outcome.scenario.currency, lang),
                 "to": money_text(budget * SHARES[1], outcome.scenario.currency, lang)}  # fmt: skip
        st.button(word("next.ask", lang, **money), key="next-money", on_click=_ask, args=(asked, outcome.key))
        return
    base = next(p for p in found if p.share == 1.0)
    lines = []
    for gain in gains(found):
        if gain.share <= SHARES[1]:
            bought = configuration_text(gain.point.plan.purchases, lang)
            lines.append(word("next.line", lang, gain=gain_text(gain, base, lang), configuration=bought))
    with st.container(key="next-money-text"):
        st.markdown("\n".join(f"- {plain(line)}" for line in lines))


def _worked_out(outcome: Outcome, lang: str, notes: Any) -> Any:
    def task(report: solve.Report, part: Callable[[Any], None]) -> Any:
        return frontier(outcome.plan, shares=SHARES, time_limit_s=LIMIT_S,
                        on_done=lambda done, every: report("frontier", f"{done}/{every}"))  # fmt: skip

    return run.background(lang, f"next/{outcome.key}", task, notes)


def _ask(name: str, key: str) -> None:
    st.session_state[name] = key
