"""Several cards for one run? A line for each job, S(N), the size from which it pays, and software first."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from hwcost.alternatives import Alternative, SeveralCards, alternatives, several_cards, several_cards_line
from hwcost.case import Case
from hwcost.messages import say, texts
from hwcost.names import card_name, workload_name
from hwcost.quantities import UNKNOWN, memory_text, number_text, percent_text
from hwcost.records import Card
from hwcost.scaling import find_link, link_id_for
from hwcost.speedups import TARGET_SHARE
from hwcost.steptime import step_time
from hwcost.threshold import Threshold, threshold
from hwcost.web import run, sections, state
from hwcost.web.lazy import alt, pd
from hwcost.web.words import plain, word
from hwcost.workload import Workload

COUNTS = (2, 4, 8)


def draw() -> None:
    lang, desk = state.language(), state.desk()
    st.title(plain(word("several.title", lang)), anchor=False)
    st.caption(plain(word("several.intro", lang)))
    case = run.case_of(desk, lang)
    if case is None:
        return
    outcome = desk.outcomes.get(desk.shown.get(desk.current, ""))
    bought = [p.build.card.id for p in outcome.plan.purchases if p.build.service is None] if outcome else []
    cards = {c.id: c for c in sorted(case.catalog.cards.values(), key=lambda c: c.name)}
    usual = bought[0] if bought else next((b.card.id for b in case.builds), next(iter(cards)))
    left, right = st.columns(2)
    with left:
        chosen = st.selectbox(
            word("several.card", lang), list(cards), index=list(cards).index(usual), key=f"{desk.current}/several-card",
            format_func=lambda c: card_name(cards[c]),
        )  # fmt: skip
    with right:
        count = int(st.radio(word("several.cards", lang), COUNTS, index=1, horizontal=True, key="several-count"))
    card = cards[chosen]
    _lines(case, card, count, lang)
    named = {w.id: workload_name(w, lang) for w in case.scenario.workloads}
    which = st.selectbox(word("several.job", lang), list(named), format_func=named.__getitem__, key="several-job")
    workload = case.workload_by_id.get(which) or case.scenario.workloads[0]
    _curve(case, workload, card, lang)
    _threshold(case, workload, card, count, lang)
    _alternatives(case, workload, card, count, lang)
    _pool(card, count, lang)


def _lines(case: Case, card: Card, count: int, lang: str) -> None:
    margin, links = case.scenario.memory_margin, case.catalog.links
    people = sum(w.people_at_once for w in case.scenario.workloads)
    lines = []
    for workload in case.scenario.workloads:
        found = several_cards(workload, card, links, cards=count, margin=margin)
        lines.append(line_text(workload, found, people, lang))
    st.subheader(plain(word("several.lines", lang)), anchor=False)
    st.caption(plain(word("several.estimated", lang)))
    with st.container(key="several-lines"):
        st.markdown("\n".join(f"- {plain(line)}" for line in lines))


def line_text(workload: Workload, found: SeveralCards, people: int, lang: str) -> str:
    """One line for a job: how much faster several cards are, and whether anybody needs that.

    Cards that people use side by side are not free for one run; only those beyond the people are.
    """
    key = "several.line"
    if found.pays and found.speedup is not None and people > 1:
        key = "several.line_apart" if people >= found.cards else "several.line_partly"
    return word(key, lang, workload=workload_name(workload, lang), line=several_cards_line(found, lang), people=people)


def speedups(case: Case, workload: Workload, card: Card) -> list[SeveralCards]:
    """S(N) for one card and more at the same global batch; the speedup is None where the job does not run so."""
    margin, links = case.scenario.memory_margin, case.catalog.links
    more = [several_cards(workload, card, links, cards=count, margin=margin) for count in COUNTS]
    return [SeveralCards(workload.id, 1, 1.0, ""), *more]


def _curve(case: Case, workload: Workload, card: Card, lang: str) -> None:
    rows = speedups(case, workload, card)
    link = find_link(case.catalog.links, link_id_for(card, 4), 4, lanes=card.pcie_lanes, card=card)
    name = f"link.{link.id}" if link else ""
    shown = (say(name, lang) if name in texts() else link.id) if link else UNKNOWN
    st.subheader(plain(word("several.curve", lang)), anchor=False)
    st.caption(plain(word("several.curve_note", lang, link=shown)))
    ideal, real = word("several.ideal", lang), word("several.predicted", lang)
    frame = pd.DataFrame(
        [(row.cards, float(row.cards), ideal) for row in rows]
        + [(row.cards, row.speedup, real) for row in rows if row.speedup is not None],
        columns=["cards", "speedup", "kind"],
    )
    chart = (
        alt.Chart(frame)
        .mark_line(point=alt.OverlayMarkDef(size=70))
        .encode(
            x=alt.X("cards:Q", title=word("several.axis_cards", lang), axis=alt.Axis(values=[1, *COUNTS])),
            y=alt.Y("speedup:Q", title=word("several.axis_speedup", lang)),
            color=alt.Color("kind:N", scale=alt.Scale(domain=[real, ideal], range=["#0072B2", "#9A9A9A"]),
                            legend=alt.Legend(title=None, orient="bottom", symbolType="stroke")),
            strokeDash=alt.StrokeDash("kind:N", scale=alt.Scale(domain=[real, ideal], range=[[1, 0], [5, 4]]),
                                      legend=None),
            tooltip=[alt.Tooltip("cards:Q", title=word("several.axis_cards", lang)),
                     alt.Tooltip("speedup:Q", title=word("several.axis_speedup", lang), format=".2f")],
        )
        .properties(height=320, width="container")
    )  # fmt: skip
    st.altair_chart(chart, key="chart-speedup")
    titles = [word(f"several.{name}", lang) for name in ("axis_cards", "axis_speedup", "efficiency", "why")]
    cells = [
        [str(row.cards), number_text(row.speedup, lang, 2),
         percent_text(None if row.speedup is None else row.speedup / row.cards, lang, 0), plain(_reason(row, lang))]
        for row in rows
    ]  # fmt: skip
    sections.table(pd.DataFrame(cells, columns=titles).set_index(titles[0]), "speedups", right=(2, 3), width=24)


def _reason(row: SeveralCards, lang: str) -> str:
    return "" if row.cards == 1 else several_cards_line(row, lang)


# --- from which size on it pays ---


def size_that_pays(case: Case, workload: Workload, card: Card, cards: int) -> Threshold | None:
    """P* of this job's step as a line in the number of parameters; None without a link, or for a batch too small.

    The step of one card at its share of the batch is c0 (launches) + c1 x parameters x samples, so c1 follows from it.
    """
    link = find_link(case.catalog.links, link_id_for(card, cards), cards, lanes=card.pcie_lanes, card=card)
    share = workload.batch // cards
    if link is None or share < 1:
        return None
    step = step_time(workload, card, share)
    c1 = max(0.0, step.card_ms - step.launch_ms) / (workload.params * share)
    return threshold(
        c0_ms=step.launch_ms, c1_ms_per_param_sample=c1, per_card_batch=share, cards=cards,
        bandwidth_gb_s=link.bus_bandwidth_gb_s, alpha_ms=link.alpha_us / 1e3, speedup_target=TARGET_SHARE * cards,
        overlap=workload.overlap,
    )  # fmt: skip


def _threshold(case: Case, workload: Workload, card: Card, cards: int, lang: str) -> None:
    found = size_that_pays(case, workload, card, cards)
    st.subheader(plain(word("several.threshold", lang)), anchor=False)
    target = number_text(TARGET_SHARE * cards, lang, 1)
    st.caption(plain(word("several.threshold_note", lang, cards=cards, target=target)))
    if found is None:
        st.info(plain(word("several.no_link", lang, cards=cards)))
        return
    size = "" if found.params is None else word("several.millions", lang, size=number_text(found.params / 1e6, lang, 2))
    own = word("several.millions", lang, size=number_text(workload.params / 1e6, lang, 2))
    with st.container(key="threshold"):
        st.markdown(plain(word(f"several.case.{found.case}", lang, size=size, own=own)))


def _alternatives(case: Case, workload: Workload, card: Card, count: int, lang: str) -> None:
    found = alternatives(workload, card, case.catalog.links, cards=count, margin=case.scenario.memory_margin)
    st.subheader(plain(word("several.alternatives", lang)), anchor=False)
    st.caption(plain(word("several.alternatives_note", lang)))
    sections.table(alternative_table(found, lang), "alternatives", right=(2, 3, 4, 5), width=44)


def _pool(card: Card, count: int, lang: str) -> None:
    """Whether the cards make one large memory, and what a bridge does."""
    st.subheader(plain(word("pool.title", lang)), anchor=False)
    lines = [word("pool.no", lang, count=count, memory=number_text(card.memory_gib, lang))]
    bridged = card.nvlink_gb_s is not None and card.nvlink_max_cards > 1
    lines.append(word("pool.bridge", lang, cards=card.nvlink_max_cards) if bridged else word("pool.none", lang))
    with st.container(key="pool"):
        st.markdown("\n".join(f"- {plain(line)}" for line in lines))


def alternative_table(found: Sequence[Alternative], lang: str) -> pd.DataFrame:
    """One row for each way: memory of a card, passes, time of a step, runs an hour, watts."""
    names = ("way", "memory", "passes", "step", "runs", "watts", "kind")
    titles = [say(f"alternatives.column.{name}", lang) for name in names]
    rows = [
        [plain(say(f"alternative.{_key(a)}", lang, cards=a.cards)), memory_text(a.memory_mib, lang),
         f"{a.micro_batch} × {a.accumulation_steps}",
         say("alternatives.not", lang) if a.step_ms is None else number_text(a.step_ms, lang, 2),
         number_text(a.runs_per_hour, lang, 2), number_text(a.watts, lang), say(f"alternatives.kind.{a.kind}", lang)]
        for a in found
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=titles).set_index(titles[0])


def _key(way: Alternative) -> str:
    """One card that holds the whole batch accumulates nothing."""
    return "one_card" if way.key == "accumulation" and way.accumulation_steps == 1 else way.key


if __name__ == "__main__":
    draw()
