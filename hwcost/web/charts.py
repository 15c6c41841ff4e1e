"""Stacked bars of the cost of each option. Colours are fixed by category and told apart without red and green alone."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hwcost.costs import CostLine
from hwcost.options import Comparison
from hwcost.plan import Plan
from hwcost.quantities import money_text
from hwcost.web.lazy import alt, pd
from hwcost.web.words import lettered, word

# cost category -> group of the chart; order and colour of the groups (after Okabe and Ito, with darker and lighter kin)
GROUP_OF = {
    "card": "card", "bridge": "card", "host": "host", "psu": "host", "network": "host", "system": "system",
    "storage": "storage", "freight": "delivery", "installation": "delivery", "tax": "tax", "energy_idle": "energy",
    "energy_busy": "energy", "setup": "staff", "staff": "staff", "maintenance": "upkeep", "failures": "upkeep",
    "hosting": "hosting", "campus": "service", "rental": "service", "overhead": "overhead", "residual": "residual",
}  # fmt: skip
GROUP_COLOURS = {
    "card": "#0072B2", "host": "#56B4E9", "system": "#1B4F72", "storage": "#009E73", "delivery": "#B8DCCB",
    "tax": "#9A9A9A", "energy": "#F0E442", "staff": "#E69F00", "upkeep": "#D55E00", "hosting": "#CC79A7",
    "service": "#882255", "overhead": "#DDCC77", "residual": "#5E3C99",
}  # fmt: skip
PAYER_COLOURS = {"lab": "#0072B2", "university": "#E69F00", "non_cash": "#9A9A9A"}
BAND = 66  # pixels for one option: two lines of text above its bar
LABEL_COLUMNS = 56  # half-width characters in a line of a name


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
    comparison: Comparison, split: Split, part_name: Callable[[str], str], legend: str, lang: str
) -> alt.Chart | None:
    """One bar for each option that has a plan, its name and total above it; None where none has."""
    scenario = comparison.best.case.scenario
    divisor, unit = scale_of(scenario.currency, lang)
    names = {r.letter: lettered(r, lang) for r in comparison.results}
    rows, order, used = [], [], set()
    for letter, plan in planned(comparison):
        total = money_text(plan.totals.nominal, scenario.currency, lang)
        label = labelled(names[letter], total, lang)
        order.append(label)
        for rank, (name, amount) in enumerate(parts(plan, split).items()):
            used.add(name)
            money = money_text(amount, scenario.currency, lang)
            rows.append((label, names[letter], part_name(name), rank, amount / divisor, money))
    if not rows:
        return None
    present = [name for name in split.colours if name in used]
    frame = pd.DataFrame(rows, columns=["label", "option", "part", "rank", "amount", "money"])
    title = word("result.axis", lang, years=scenario.horizon_years, unit=unit)
    # names stand above the bars, where a narrow screen has room for them; as labels of the axis they follow the theme
    names_above = alt.Axis(
        title=None, ticks=False, domain=False, grid=False, labelAlign="left", labelBaseline="bottom", labelPadding=0,
        labelFontSize=12, labelOffset=-11, labelLimit=0, labelExpr="split(datum.label, '\\n')", zindex=1,
    )  # fmt: skip
    return (
        alt.Chart(frame)
        .mark_bar(size=18, yOffset=20)
        .encode(
            y=alt.Y("label:N", sort=order, axis=names_above, scale=alt.Scale(paddingInner=0.0, paddingOuter=0.0)),
            x=alt.X("amount:Q", stack="zero", title=title, axis=alt.Axis(format=",~f", tickCount=8)),
            color=alt.Color(
                "part:N",
                scale=alt.Scale(
                    domain=[part_name(name) for name in present], range=[split.colours[name] for name in present]
                ),
                legend=alt.Legend(
                    title=legend, orient="bottom", columns=3, symbolSize=140, labelLimit=220, titleLimit=300
                ),
            ),
            order=alt.Order("rank:Q"),
            tooltip=[
                alt.Tooltip("option:N", title=word("column.option", lang)),
                alt.Tooltip("part:N", title=legend),
                alt.Tooltip("money:N", title=word("column.cost", lang)),
            ],
        )
        .properties(height=alt.Step(BAND), width="container")
    )


def labelled(name: str, total: str, lang: str) -> str:
    """Name and total in two lines, so that every bar lies under them; a long name shares the second with the total."""
    first, *rest = wrapped(name).split("\n")
    if not rest:
        return f"{first}\n{total}"
    joined = ("" if lang == "zh" else " ").join(rest)
    return f"{first}\n" + word("cell.total_of", lang, option=joined, total=total)


def wrapped(text: str, columns: int = LABEL_COLUMNS) -> str:
    """The text in lines of at most `columns` half-width characters, broken at a space or anywhere in Chinese."""
    lines, line, width = [], "", 0
    for token in _tokens(text):
        if width + _columns(token) > columns and line:
            lines.append(line.rstrip())
            line, width = "", 0
            token = token.lstrip()
        line += token
        width += _columns(token)
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


def _columns(text: str) -> int:
    return sum(_width(char) for char in text)


def _width(char: str) -> int:
    return 2 if unicodedata.east_asian_width(char) in "WFA" else 1
