"""Stacked bars of the cost of each option. Colours are fixed by category and told apart without red and green alone."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import altair as alt
import pandas as pd

from hwcost.costs import CostLine
from hwcost.options import Comparison
from hwcost.plan import Plan
from hwcost.quantities import money_text
from hwcost.web.words import lettered, word

# cost category -> group of the chart; order and colour of the groups (after Okabe and Ito, with darker and lighter kin)
GROUP_OF = {
    "card": "card", "bridge": "card", "host": "host", "psu": "host", "network": "host", "system": "system",
    "storage": "storage", "freight": "delivery", "installation": "delivery", "tax": "tax", "energy_idle": "energy",
    "energy_busy": "energy", "setup": "staff", "staff": "staff", "maintenance": "upkeep", "failures": "upkeep",
    "hosting": "hosting", "residual": "residual",
}  # fmt: skip
GROUP_COLOURS = {
    "card": "#0072B2", "host": "#56B4E9", "system": "#1B4F72", "storage": "#009E73", "delivery": "#B8DCCB",
    "tax": "#9A9A9A", "energy": "#F0E442", "staff": "#E69F00", "upkeep": "#D55E00", "hosting": "#CC79A7",
    "residual": "#5E3C99",
}  # fmt: skip
PAYER_COLOURS = {"lab": "#0072B2", "university": "#E69F00", "non_cash": "#9A9A9A"}
BAND = 52  # pixels for one option: its name above its bar
LABEL_COLUMNS = 56  # half-width characters in a line of a name
INK = {"light": "#31333F", "dark": "#FAFAFA"}


@dataclass(frozen=True)
class Split:
    """A way to divide the cost: the names of the parts in order, their colours, and the part of a cost line."""

    colours: dict[str, str]
    key: str  # of the parts' names: web.group or payer
    part: Callable[[CostLine], str]


def scale_of(currency: str, lang: str) -> tuple[float, str]:
    """Divisor and name of the unit of the axis: 万元, 1,000 EUR."""
    name = word(f"unit.{currency}", lang)
    if lang == "zh" and currency == "CNY":
        return 10_000.0, word("unit_wan", lang, currency=name)
    return 1_000.0, word("unit_thousand", lang, currency=name)


def planned(comparison: Comparison) -> list[tuple[str, Plan]]:
    """Letter and plan of each option that has one."""
    return [(r.letter, r.plan) for r in comparison.results if r.plan is not None and r.plan.has_plan]


def parts(plan: Plan, split: Split) -> dict[str, float]:
    """Nominal cost by part, in the order of the split, without the parts that do not occur."""
    sums: dict[str, float] = {}
    for line in plan.cost_lines:
        name = split.part(line)
        sums[name] = sums.get(name, 0.0) + float(line.amount)
    return {name: sums[name] for name in split.colours if name in sums}


def stacked(
    comparison: Comparison, split: Split, part_name: Callable[[str], str], legend: str, lang: str, dark: bool
) -> alt.LayerChart | None:
    """One bar for each option that has a plan; None where none has."""
    scenario = comparison.best.case.scenario
    divisor, unit = scale_of(scenario.currency, lang)
    names = {r.letter: lettered(r, lang) for r in comparison.results}
    rows, ends = [], []
    for letter, plan in planned(comparison):
        found = parts(plan, split)
        for rank, (name, amount) in enumerate(found.items()):
            money = money_text(amount, scenario.currency, lang)
            rows.append((letter, names[letter], part_name(name), rank, amount / divisor, money))
        total = money_text(plan.totals.nominal, scenario.currency, lang)
        positive = sum(a for a in found.values() if a > 0) / divisor
        ends.append((letter, wrapped(names[letter]), positive, total))
    if not rows:
        return None
    present = {row[2] for row in rows}
    domain = [part_name(p) for p in split.colours if part_name(p) in present]
    colours = [colour for p, colour in split.colours.items() if part_name(p) in present]
    frame = pd.DataFrame(rows, columns=["letter", "option", "part", "rank", "amount", "money"])
    tips = pd.DataFrame(ends, columns=["letter", "name", "end", "total"])
    ink = INK["dark" if dark else "light"]
    y = alt.Y("letter:N", sort=[e[0] for e in ends], axis=None, scale=alt.Scale(paddingInner=0.0, paddingOuter=0.0))
    title = word("result.axis", lang, years=scenario.horizon_years, unit=unit)
    top = 1.2 * max(end for *_, end, _ in ends)
    low = min(0.0, min(row[4] for row in rows))
    bars = alt.Chart(frame).mark_bar(size=18, yOffset=10, stroke="white", strokeWidth=0.6).encode(
        y=y,
        x=alt.X("amount:Q", stack="zero", title=title, scale=alt.Scale(domain=[low, top]), axis=alt.Axis(format=",~f")),
        color=alt.Color(
            "part:N", scale=alt.Scale(domain=domain, range=colours),
            legend=alt.Legend(title=legend, orient="bottom", columns=3, labelLimit=220, titleLimit=300),
        ),
        order=alt.Order("rank:Q"),
        tooltip=[
            alt.Tooltip("option:N", title=word("column.option", lang)), alt.Tooltip("part:N", title=legend),
            alt.Tooltip("money:N", title=word("column.sum", lang)),
        ],
    )  # fmt: skip
    labels = (
        alt.Chart(tips)
        .mark_text(align="left", baseline="bottom", dy=-2, lineBreak="\n", color=ink)
        .encode(y=y, x=alt.value(0), text="name:N")
    )
    totals = (
        alt.Chart(tips)
        .mark_text(align="left", baseline="middle", dx=4, dy=10, color=ink)
        .encode(y=y, x="end:Q", text="total:N")
    )
    return alt.layer(bars, labels, totals).properties(height=alt.Step(BAND), width="container")


def wrapped(text: str, columns: int = LABEL_COLUMNS) -> str:
    """The text in lines of at most `columns` half-width characters, broken at a space or anywhere in Chinese."""
    lines, line, width = [], "", 0
    for token in _tokens(text):
        size = sum(_width(c) for c in token)
        if width + size > columns and line:
            lines.append(line.rstrip())
            line, width = "", 0
            token = token.lstrip()
        line += token
        width += size
    return "\n".join([*lines, line])


def _tokens(text: str) -> Sequence[str]:
    """Words with the space before them; each wide character by itself."""
    tokens: list[str] = []
    for char in text:
        if tokens and char != " " and _width(char) == 1 and _width(tokens[-1][-1]) == 1:
            tokens[-1] += char
        else:
            tokens.append(char)
    return tokens


def _width(char: str) -> int:
    return 2 if unicodedata.east_asian_width(char) in "WFA" else 1
