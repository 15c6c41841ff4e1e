"""The campus cluster beside the recommendation: rate, wait, yearly cost, and whether each usual reason against holds.

Finance asks why the cluster of the university does not do. Every reason is read from the inputs; none is invented: a
reason that nobody has stated is to be asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from hwcost.breakeven import BreakEven, break_even
from hwcost.names import listed, workload_name
from hwcost.plan import Plan
from hwcost.quantities import UNKNOWN, hours_text, money_exact, money_text, number_text
from hwcost.scenario import Scenario, Service
from hwcost.told import break_even_text
from hwcost.web import run, sections
from hwcost.web.lazy import pd
from hwcost.web.solve import Outcome
from hwcost.web.words import plain, word

CAMPUS = "campus"
HOLDS, FAILS, OPEN = "holds", "fails", "open"
REASONS = ("queue", "data", "interactive", "fund", "memory")


@dataclass(frozen=True)
class Reason:
    """One usual reason against the cluster: whether it holds on the inputs, and by what."""

    name: str  # of REASONS
    state: str  # holds | fails | open: nobody has said
    evidence: str


def show(outcome: Outcome, lang: str) -> None:
    """The offers with their yearly cost, then the reasons; where no offer was stated, published rates as a guide."""
    plan, scenario = outcome.plan, outcome.scenario
    rivals = [b for b in _even(outcome) if b.service.kind == CAMPUS]
    stated = [s for s in scenario.services if s.kind == CAMPUS]
    if not stated:
        st.markdown(plain(word("campus.ask" if rivals else "campus.ask_only", lang)))
    if rivals:
        sections.table(offers(rivals, stated, scenario, lang), "campus-offers", right=(3, 4, 5), width=48)
        st.markdown("\n".join(f"- {plain(break_even_text(b, plan, lang))}" for b in rivals))
    st.markdown(f"**{plain(word('campus.reasons', lang))}**")
    st.caption(plain(word("campus.reasons_note", lang)))
    sections.table(reasons_table(reasons(plan, stated, rivals, lang), lang), "campus-reasons", width=44)


def _even(outcome: Outcome) -> tuple[BreakEven, ...]:
    made = run.kept_results("rent")
    if outcome.key not in made:
        made[outcome.key] = break_even(outcome.plan)
    found: tuple[BreakEven, ...] = made[outcome.key]
    return found


def offers(rivals: Sequence[BreakEven], stated: Sequence[Service], scenario: Scenario, lang: str) -> pd.DataFrame:
    """Each offer: price of a card-hour, wait, hours of a year, their cost with what is fixed, and whose price it is."""
    titles = [word(f"campus.{name}", lang) for name in ("offer", "wait", "rate", "hours", "cost", "whose")]
    own = {s.id for s in stated}
    rows = []
    for found in rivals:
        service = found.service
        hours = max(found.needed, service.minimum_card_hours_per_year)
        cost = hours * service.price_per_card_hour + service.fixed_cost_per_year
        rows.append([
            plain(service.name_zh if lang == "zh" else service.name),
            UNKNOWN if service.wait_hours is None else hours_text(service.wait_hours, lang),
            plain(money_exact(service.price_per_card_hour, scenario.currency, lang)), number_text(hours, lang),
            plain(money_text(cost, scenario.currency, lang)),
            word("campus.ours" if service.id in own else "campus.published", lang),
        ])  # fmt: skip
    return pd.DataFrame(rows, columns=titles).set_index(titles[0])


def reasons(plan: Plan, stated: Sequence[Service], rivals: Sequence[BreakEven], lang: str) -> list[Reason]:
    """Queue, data, interactive work, money that may not pay services, memory; each from the inputs alone."""
    scenario = plan.case.scenario
    return [_queue(plan, stated, rivals, lang), _data(scenario, lang), _interactive(scenario, stated, lang),
            _fund(scenario, lang), _memory(plan, rivals, lang)]  # fmt: skip


def _queue(plan: Plan, stated: Sequence[Service], rivals: Sequence[BreakEven], lang: str) -> Reason:
    waits = [s.wait_hours for s in stated if s.wait_hours is not None]
    if not waits:
        return Reason("queue", OPEN, word("campus.queue.open", lang))
    late = sorted({w for b in rivals if b.wait_stated for w in b.late})
    wait = hours_text(min(waits), lang)
    if late:
        return Reason("queue", HOLDS, word("campus.queue.holds", lang, wait=wait, jobs=_jobs(plan, late, lang)))
    return Reason("queue", FAILS, word("campus.queue.fails", lang, wait=wait))


def _jobs(plan: Plan, identities: Sequence[str], lang: str) -> str:
    names = [workload_name(plan.case.workload_by_id[w], lang) for w in identities]
    return listed(names, lang, most=len(names))


def _data(scenario: Scenario, lang: str) -> Reason:
    state = HOLDS if scenario.data_stays == "lab" else FAILS
    return Reason("data", state, word(f"campus.data.{state}", lang))


def _interactive(scenario: Scenario, stated: Sequence[Service], lang: str) -> Reason:
    people = sum(w.people_at_once for w in scenario.workloads)
    state = OPEN if not stated else FAILS if any(s.interactive for s in stated) else HOLDS if people else FAILS
    return Reason("interactive", state, word(f"campus.interactive.{state}", lang, people=people))


def _fund(scenario: Scenario, lang: str) -> Reason:
    if not scenario.funds:
        return Reason("fund", OPEN, word("campus.fund.open", lang))
    able = [f for f in scenario.funds if "services" in f.pays]
    names = listed([f.name_zh if lang == "zh" else f.name for f in able or scenario.funds], lang)
    state = FAILS if able else HOLDS
    return Reason("fund", state, word(f"campus.fund.{state}", lang, funds=names))


def _memory(plan: Plan, rivals: Sequence[BreakEven], lang: str) -> Reason:
    if not rivals:
        return Reason("memory", OPEN, word("campus.memory.open", lang))
    never = set.intersection(*(set(b.not_run) for b in rivals))
    if never:
        return Reason("memory", HOLDS, word("campus.memory.holds", lang, jobs=_jobs(plan, sorted(never), lang)))
    return Reason("memory", FAILS, word("campus.memory.fails", lang))


def reasons_table(found: Sequence[Reason], lang: str) -> pd.DataFrame:
    titles = [word(f"campus.{name}", lang) for name in ("reason", "state", "evidence")]
    rows = [[plain(word(f"campus.name.{r.name}", lang)), word(f"campus.state.{r.state}", lang), plain(r.evidence)]
            for r in found]  # fmt: skip
    return pd.DataFrame(rows, columns=titles).set_index(titles[0])
