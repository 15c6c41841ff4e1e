"""Charts of the page on workloads: memory of each card against one job, and which job runs on which card."""

from __future__ import annotations

from collections.abc import Sequence

from hwcost.messages.rules import sentence
from hwcost.names import card_name, workload_name
from hwcost.quantities import UNKNOWN, hours_text, number_text
from hwcost.web.charts import wrapped
from hwcost.web.feasible import STATES, Bar, Cell
from hwcost.web.lazy import alt, pd
from hwcost.web.words import plain, word

# blue to orange to grey: told apart without red and green, and by their marks
STATE_COLOURS = {"whole": "#0072B2", "saving": "#56B4E9", "several": "#E69F00", "no": "#9A9A9A"}
ROW = 26
LABEL_COLUMNS = 26  # half-width characters in a line of a job's name


def _scale(lang: str) -> alt.Scale:
    names = [word(f"workloads.state.{state}", lang) for state in STATES]
    return alt.Scale(domain=names, range=[STATE_COLOURS[state] for state in STATES])


def _legend(columns: int = 2) -> alt.Legend:
    return alt.Legend(title=None, orient="bottom", columns=columns, labelLimit=320, symbolStrokeWidth=0)


def memory(bars: Sequence[Bar], whole_gib: float, one_gib: float, lang: str) -> alt.LayerChart:
    """A bar for each card, with lines for what the job needs."""
    frame = pd.DataFrame([
        {"card": card_name(b.card), "gib": round(b.limit_gib, 1), "state": word(f"workloads.state.{b.state}", lang)}
        for b in bars
    ])  # fmt: skip
    order = list(frame["card"])
    axis = alt.X("gib:Q", title=word("workloads.memory_axis", lang), scale=alt.Scale(nice=True))
    base = alt.Chart(frame).mark_bar(size=14).encode(
        y=alt.Y("card:N", sort=order, title=None, axis=alt.Axis(labelLimit=240)), x=axis,
        color=alt.Color("state:N", scale=_scale(lang), legend=_legend()),
        tooltip=[alt.Tooltip("card:N", title=word("workloads.card", lang)),
                 alt.Tooltip("gib:Q", title=word("workloads.limit", lang)),
                 alt.Tooltip("state:N", title=word("workloads.fits", lang))],
    )  # fmt: skip
    lines = [
        alt.Chart(pd.DataFrame({"gib": [at]}))
        .mark_rule(strokeDash=dash, strokeWidth=2, color="#D55E00")
        .encode(x="gib:Q")
        for at, dash in ((whole_gib, [1, 0]), (one_gib, [4, 4]))
    ]
    return alt.layer(base, *lines).properties(height=alt.Step(ROW), width="container")


def memory_table(bars: Sequence[Bar], lang: str) -> pd.DataFrame:
    titles = [word(f"workloads.{name}", lang) for name in ("card", "limit", "largest", "fits")]
    rows = [
        [plain(card_name(b.card)), number_text(b.limit_gib, lang, 1), number_text(b.largest_batch, lang),
         word(f"workloads.state.{b.state}", lang)]
        for b in bars
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=titles).set_index(titles[0])


def feasibility(cells: Sequence[Cell], lang: str) -> alt.LayerChart:
    """A field for every job and card, with its mark."""
    frame = pd.DataFrame([
        {"job": wrapped(workload_name(c.workload, lang), LABEL_COLUMNS), "card": card_name(c.card),
         "state": word(f"workloads.state.{c.state}", lang), "mark": word(f"workloads.short.{c.state}", lang),
         "hours": hours_text(c.way.hours_per_run, lang) if c.way else UNKNOWN, "reason": reason(c, lang)}
        for c in cells
    ])  # fmt: skip
    cards, jobs = list(dict.fromkeys(frame["card"])), list(dict.fromkeys(frame["job"]))
    names = alt.Axis(
        orient="top", labelAngle=0, labelLimit=220, labelOverlap=False, labelFlush=False, labelAlign="center",
        labelExpr="split(datum.label, '\\n')",
    )  # fmt: skip
    place = {
        "y": alt.Y("card:N", sort=cards, title=None, axis=alt.Axis(labelLimit=240)),
        "x": alt.X("job:N", sort=jobs, title=None, axis=names),
    }
    tips = [alt.Tooltip(f"{name}:N", title=word(f"workloads.{title}", lang)) for name, title in (
        ("job", "name"), ("card", "card"), ("state", "fits"), ("hours", "one_run"), ("reason", "reason"))]  # fmt: skip
    fields = alt.Chart(frame).mark_rect(stroke="#888888", strokeWidth=1).encode(
        **place, color=alt.Color("state:N", scale=_scale(lang), legend=_legend()), tooltip=tips)  # fmt: skip
    marks = alt.Chart(frame).mark_text(fontSize=13, color="white").encode(**place, text="mark:N", tooltip=tips)
    return alt.layer(fields, marks).properties(height=alt.Step(ROW), width="container")


def feasibility_table(cells: Sequence[Cell], lang: str) -> pd.DataFrame:
    titles = [word(f"workloads.{name}", lang) for name in ("card", "name", "fits", "one_run", "reason")]
    rows = [
        [plain(card_name(c.card)), plain(workload_name(c.workload, lang)), word(f"workloads.state.{c.state}", lang),
         hours_text(c.way.hours_per_run, lang) if c.way else UNKNOWN, plain(reason(c, lang))]
        for c in cells
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=titles).set_index(titles[0])


def reason(cell: Cell, lang: str) -> str:
    """Why a job does not run; empty where it does."""
    return ("" if lang == "zh" else " ").join(sentence(b, lang) for b in cell.breaches)
