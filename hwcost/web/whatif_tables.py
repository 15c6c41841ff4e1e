"""Charts and tables of the page "What if": budgets, switching prices, rent, one assumption after the other."""

from __future__ import annotations

from collections.abc import Sequence

from hwcost.breakeven import BreakEven
from hwcost.frontier import FrontierPoint
from hwcost.names import configuration_text, shares_text
from hwcost.plan import Plan
from hwcost.quantities import UNKNOWN, money_exact, money_text, number_text, percent_text
from hwcost.scenario import Scenario
from hwcost.sensitivity import Bar
from hwcost.switching import SwitchPrice
from hwcost.told import subject_name
from hwcost.told_sweep import assumption_name, range_source
from hwcost.web import charts
from hwcost.web.lazy import alt, pd
from hwcost.web.words import plain, word

BLUE, ORANGE, GREY = "#0072B2", "#E69F00", "#9A9A9A"


def budgets(points: Sequence[FrontierPoint], scenario: Scenario, lang: str) -> alt.Chart:
    """People at once over the budget; computing capacity where the objective counts it."""
    divisor, unit = charts.scale_of(scenario.currency, lang)
    capacity = any(p.capacity for p in points)
    title = word("whatif.capacity_axis" if capacity else "whatif.people_axis", lang)
    frame = pd.DataFrame([
        {"budget": p.budget / divisor, "value": p.capacity if capacity else float(p.people_at_once),
         "configuration": configuration_text(p.plan.purchases, lang) if p.plan.has_plan else UNKNOWN,
         "people": p.people_at_once}
        for p in points if p.plan.has_plan
    ])  # fmt: skip
    return (
        alt.Chart(frame)
        .mark_line(interpolate="step-after", point=alt.OverlayMarkDef(size=70), color=BLUE)
        .encode(
            x=alt.X("budget:Q", title=word("whatif.budget_axis", lang, unit=unit), scale=alt.Scale(zero=False)),
            y=alt.Y("value:Q", title=title),
            tooltip=[alt.Tooltip("budget:Q", title=word("whatif.share", lang), format=",.2f"),
                     alt.Tooltip("people:Q", title=word("whatif.people", lang)),
                     alt.Tooltip("configuration:N", title=word("whatif.configuration", lang))],
        )
        .properties(height=320, width="container")
    )  # fmt: skip


def budget_table(points: Sequence[FrontierPoint], scenario: Scenario, lang: str) -> pd.DataFrame:
    titles = [word(f"whatif.{name}", lang) for name in ("share", "spent", "configuration", "people", "served")]
    rows = [
        [plain(money_text(p.budget, scenario.currency, lang)), plain(money_text(p.spent, scenario.currency, lang)),
         plain(configuration_text(p.plan.purchases, lang)) if p.plan.has_plan else UNKNOWN, str(p.people_at_once),
         shares_text(p.plan, lang) if p.plan.has_plan else UNKNOWN]
        for p in points
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=titles).set_index(titles[0])


# --- switching prices ---


def switching(found: Sequence[SwitchPrice], plan: Plan, lang: str) -> alt.Chart | None:
    """Headroom of everything that has a switching price."""
    rows = [
        {"subject": subject_name(p.subject, plan, lang), "headroom": 100.0 * p.headroom,
         "in_plan": word("whatif.in_plan", lang) if p.in_plan else "–"}
        for p in found if p.headroom is not None
    ]  # fmt: skip
    if not rows:
        return None
    chosen = word("whatif.in_plan", lang)
    return (
        alt.Chart(pd.DataFrame(rows))
        .mark_bar(size=16)
        .encode(
            y=alt.Y("subject:N", sort=None, title=None, axis=alt.Axis(labelLimit=260)),
            x=alt.X("headroom:Q", title=word("whatif.switch_axis", lang)),
            color=alt.Color("in_plan:N", scale=alt.Scale(domain=[chosen, "–"], range=[BLUE, GREY]),
                            legend=alt.Legend(title=None, orient="bottom")),
            tooltip=[alt.Tooltip("subject:N", title=word("whatif.subject", lang)),
                     alt.Tooltip("headroom:Q", title=word("whatif.headroom", lang), format="+.1f")],
        )
        .properties(height=alt.Step(28), width="container")
    )  # fmt: skip


def switching_table(found: Sequence[SwitchPrice], plan: Plan, lang: str) -> pd.DataFrame:
    names = ("subject", "price_now", "price", "headroom", "outcome", "instead")
    titles = [word(f"whatif.{name}", lang) for name in names]
    currency = plan.case.scenario.currency
    rows = []
    for p in found:
        instead = configuration_text(p.instead_plan.purchases, lang) if p.instead_plan else UNKNOWN
        outcome = word(f"whatif.outcome.{p.outcome}", lang)
        rows.append([plain(subject_name(p.subject, plan, lang)), plain(money_text(p.price_now, currency, lang)),
                     plain(money_text(p.price, currency, lang)), percent_text(p.headroom, lang), outcome,
                     plain(instead) if p.in_plan else UNKNOWN])  # fmt: skip
    return pd.DataFrame(rows, columns=titles).set_index(titles[0])


# --- one assumption after the other ---


def tornado(bars: Sequence[Bar], plan: Plan, lang: str) -> alt.Chart | None:
    """The change of the cost at the low and the high value of each figure, the widest first."""
    divisor, unit = charts.scale_of(plan.case.scenario.currency, lang)
    low, high = word("whatif.low", lang), word("whatif.high", lang)
    rows = []
    for bar in bars:
        name = assumption_name(bar.assumption, plan, lang)
        for end, found in ((low, bar.low), (high, bar.high)):
            if found.present_value is not None:
                choice = word("whatif.changes" if found.switches else "whatif.same", lang)
                change = (found.present_value - bar.base) / divisor
                rows.append({"figure": name, "end": end, "change": change, "choice": choice})
    if not rows:
        return None
    return (
        alt.Chart(pd.DataFrame(rows))
        .mark_bar(size=13)
        .encode(
            y=alt.Y("figure:N", sort=None, title=None, axis=alt.Axis(labelLimit=280)),
            yOffset=alt.YOffset("end:N", sort=[low, high]),
            x=alt.X("change:Q", title=word("whatif.tornado_axis", lang, unit=unit)),
            color=alt.Color("end:N", scale=alt.Scale(domain=[low, high], range=[BLUE, ORANGE]),
                            legend=alt.Legend(title=None, orient="bottom")),
            tooltip=[alt.Tooltip("figure:N", title=word("whatif.parameter", lang)),
                     alt.Tooltip("end:N", title=""), alt.Tooltip("change:Q", format="+,.2f", title=unit),
                     alt.Tooltip("choice:N", title=word("whatif.effect", lang))],
        )
        .properties(height=alt.Step(15), width="container")
    )  # fmt: skip


def tornado_table(bars: Sequence[Bar], plan: Plan, lang: str) -> pd.DataFrame:
    """Each figure with its range, where that comes from, the cost at both ends, and whether the choice changes."""
    currency = plan.case.scenario.currency
    names = ("parameter", "range", "at_low", "at_high", "effect", "range_from")
    titles = [word(f"whatif.{name}", lang) for name in names]
    rows = []
    for b in bars:
        a = b.assumption
        ends = [plain(money_text(e.present_value, currency, lang)) for e in (b.low, b.high)]
        choice = word("whatif.changes" if b.switches else "whatif.same", lang)
        between = " – ".join(number_text(x, lang, 0 if abs(x) >= 100 else 2) for x in (a.low, a.high))
        rows.append([plain(assumption_name(a, plan, lang)), between, *ends, choice, plain(range_source(a, lang))])
    return pd.DataFrame(rows, columns=titles).set_index(titles[0])


# --- rent ---


def rent_chart(found: Sequence[BreakEven], lang: str) -> alt.LayerChart | None:
    """Break-even hours of each offer, and the hours that the work needs."""
    rows = [
        {"offer": service_name(b, lang), "hours": b.threshold, "needed": b.needed,
         "says": word("whatif.rent_buy" if b.owning_pays else "whatif.rent_rent", lang)}
        for b in found if b.threshold is not None
    ]  # fmt: skip
    if not rows:
        return None
    frame = pd.DataFrame(rows)
    offers = alt.Y("offer:N", sort=None, title=None, axis=alt.Axis(labelLimit=260))
    buy, rent = word("whatif.rent_buy", lang), word("whatif.rent_rent", lang)
    bars = (
        alt.Chart(frame)
        .mark_bar(size=14)
        .encode(
            y=offers, x=alt.X("hours:Q", stack=None, title=word("whatif.rent_hours", lang)),
            color=alt.Color("says:N", scale=alt.Scale(domain=[buy, rent], range=[BLUE, ORANGE]),
                            legend=alt.Legend(title=word("whatif.rent_says", lang), orient="bottom")),
            tooltip=[alt.Tooltip("offer:N", title=word("whatif.rent_who", lang)),
                     alt.Tooltip("hours:Q", title=word("whatif.rent_hours", lang), format=",.0f"),
                     alt.Tooltip("needed:Q", title=word("whatif.rent_needed", lang), format=",.0f")],
        )
    )  # fmt: skip
    marks = alt.Chart(frame).mark_tick(color="#D55E00", thickness=3, size=20).encode(y=offers, x="needed:Q")
    return alt.layer(bars, marks).properties(height=alt.Step(28), width="container")


def service_name(found: BreakEven, lang: str) -> str:
    return found.service.name_zh if lang == "zh" else found.service.name


def rent_table(found: Sequence[BreakEven], scenario: Scenario, lang: str) -> pd.DataFrame:
    names = ("rent_who", "rent_rate", "rent_hours", "rent_needed", "rent_cost", "rent_says")
    titles = [word(f"whatif.{name}", lang) for name in names]
    rows = [
        [plain(service_name(b, lang)), plain(money_exact(b.service.price_per_card_hour, scenario.currency, lang)),
         number_text(b.threshold, lang), number_text(b.needed, lang),
         plain(money_text(b.hired_per_year, scenario.currency, lang)),
         word("whatif.rent_buy" if b.owning_pays else "whatif.rent_rent", lang)]
        for b in found
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=titles).set_index(titles[0])
