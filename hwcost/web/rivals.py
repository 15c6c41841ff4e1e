"""The recommended option and its nearest rivals in columns: price, cost, people, what each can do and cannot."""

from __future__ import annotations

import math
from collections.abc import Mapping

import streamlit as st

from hwcost.messages import say
from hwcost.messages.rules import sentence
from hwcost.names import people_text, purchase_total, tax_basis, way_text, workload_name
from hwcost.options import Comparison, OptionResult
from hwcost.plan import Plan
from hwcost.quantities import hours_text, money_text, number_text, percent_text
from hwcost.sentences import why_not
from hwcost.strategy import Strategy
from hwcost.web import largest_tile, supply
from hwcost.web.words import configured, lettered, plain, word

SHOWN = 3


def nearest(comparison: Comparison, most: int = SHOWN) -> list[OptionResult]:
    """The recommended option first, then those that lose latest and by least; only options that have a plan."""
    stages = [stage.name for stage in comparison.best.stages]

    def distance(result: OptionResult) -> tuple[float, ...]:
        if result.letter == comparison.chosen:
            return (-1.0, 0.0, 0.0)
        lost = result.lost_by
        if lost is None:
            return (0.0, 0.0, 0.0)
        level = len(stages) - stages.index(lost.level) if lost.level in stages else len(stages) + 1
        return (1.0, float(level), abs(lost.own - lost.best) / max(1e-9, abs(lost.best), abs(lost.own)))

    planned = [r for r in comparison.results if r.plan is not None and r.plan.has_plan]
    return sorted(planned, key=distance)[:most]


def side_by_side(comparison: Comparison, lang: str, areas: Mapping[str, int]) -> None:
    """Up to three columns. `areas` are the pixels of one tile, by job on tiles."""
    shown = nearest(comparison)
    if not shown:
        return
    st.subheader(plain(word("decision.three", lang)), anchor=False)
    with st.container(key="rivals"):
        for column, result in zip(st.columns(len(shown), border=True), shown, strict=True):
            with column:
                _one(result, comparison, lang, areas)


def _one(result: OptionResult, comparison: Comparison, lang: str, areas: Mapping[str, int]) -> None:
    plan = result.plan
    assert plan is not None
    scenario = plan.case.scenario
    chosen = result.letter == comparison.chosen
    mark = f" :blue-badge[{word('decision.chosen', lang)}]" if chosen else ""
    st.markdown(f"**{plain(lettered(result, lang))}**{mark}")
    st.caption(plain(configured(result, lang)))
    price = word("decision.price", lang, basis=tax_basis(scenario, lang))
    total = word("decision.total", lang, years=scenario.horizon_years)
    rows = [
        (price, money_text(purchase_total(plan), scenario.currency, lang)),
        (total, money_text(plan.totals.nominal, scenario.currency, lang)),
        (word("decision.people", lang), people_text(plan.people_at_once, lang)),
        (word("supply.column", lang), supply.option_supply(plan, lang)),
    ]
    colon = "：" if lang == "zh" else ": "
    st.markdown("  \n".join(f"{plain(label + colon)}**{plain(value)}**" for label, value in rows))
    can, cannot = abilities(result, lang, areas)
    _list("can", can, lang)
    _list("cannot", cannot, lang)
    if not chosen:
        st.markdown(f"*{plain(why_not(result, comparison, lang))}*")


def _list(name: str, lines: list[str], lang: str) -> None:
    if not lines:
        return
    mark = "✓" if name == "can" else "✗"
    st.markdown(f"{mark} **{plain(word(f'decision.{name}', lang))}**\n" + "\n".join(f"- {plain(x)}" for x in lines))


def abilities(result: OptionResult, lang: str, areas: Mapping[str, int] | None = None) -> tuple[list[str], list[str]]:
    """What the option does of what is asked, and what it does not, one line for each job."""
    plan = result.plan
    assert plan is not None
    can, cannot = [], []
    for workload in plan.case.scenario.workloads:
        name = workload_name(workload, lang)
        have, share = plan.people.get(workload.id, 0), served(plan, workload.id)
        ways = [a.strategy for a in plan.assignments if a.strategy.workload_id == workload.id]
        hours = min((w.hours_per_run for w in ways), default=result.typical_hours.get(workload.id))
        if share <= 0.0 and not have:
            cannot.append(_reason(plan, workload.id, name, lang))
            continue
        if have < workload.people_at_once:
            cannot.append(word("decision.short_people", lang, workload=name, have=have, wanted=workload.people_at_once))
        if share < 1.0 - 1e-6:
            cannot.append(word("decision.short_runs", lang, workload=name, share=percent_text(share, lang)))
        if have >= workload.people_at_once and share >= 1.0 - 1e-6:
            words = {"workload": name, "people": people_text(have, lang), "hours": hours_text(hours, lang)}
            how = unusual(plan, ways, lang)
            key = "decision.can_job" if have else "decision.can_runs"  # nobody sits at a job that nobody waits for
            line = word(f"{key}_how" if how else key, lang, **words, how=how)
            side = _largest_side(plan, workload.id, areas or {})
            if side:
                line = word("decision.largest_tile", lang, job=line, side=number_text(side, lang))
            can.append(line)
    return can, cannot


def _largest_side(plan: Plan, workload_id: str, areas: Mapping[str, int]) -> int:
    """The largest tile that one card of the plan trains, pixels of a side; 0 for a job that is not on tiles."""
    if workload_id not in areas:
        return 0
    workload, margin = plan.case.workload_by_id[workload_id], plan.case.scenario.memory_margin
    cards = {p.build.card.id: p.build.card for p in plan.purchases if p.build.service is None}
    sides = (largest_tile.largest_side(workload, areas[workload_id], c, margin) for c in cards.values())
    return max(sides, default=0)


def unusual(plan: Plan, ways: list[Strategy], lang: str) -> str:
    """How a job runs, where that is not simply one card of its own; empty where it is."""
    builds = plan.case.build_by_id
    plainly = all(w.kind == "single" and not w.checkpointing and builds[w.build_id].service is None for w in ways)
    if plainly:
        return ""
    separator = "；" if lang == "zh" else "; "
    return separator.join(dict.fromkeys(way_text(w, builds[w.build_id], lang) for w in ways))


def served(plan: Plan, workload_id: str) -> float:
    """Share of the runs of one job that are done over the horizon."""
    workload = plan.case.workload_by_id[workload_id]
    wanted = math.fsum(workload.runs(year) for year in range(plan.case.scenario.horizon_years))
    missing = math.fsum(runs for name, _, runs in plan.shortfall if name == workload_id)
    return max(0.0, 1.0 - missing / wanted) if wanted > 0 else 1.0


def _reason(plan: Plan, workload_id: str, name: str, lang: str) -> str:
    """Why a job does not run: the rule of the nearest way on the option's machines, else that no card is left."""
    builds = {p.build.id for p in plan.purchases} or {b.id for b in plan.case.builds}
    able = [w for w in plan.case.ways if w.workload_id == workload_id and w.build_id in builds]
    out = [w for w in plan.case.strategies.excluded if w.workload_id == workload_id and w.build_id in builds]
    if able or not out:
        wanted = plan.case.workload_by_id[workload_id].people_at_once
        return word("decision.short_people", lang, workload=name, have=0, wanted=wanted)
    nearest_way = min(out, key=lambda w: (len(w.breaches), w.cards, w.build_id))
    return say("web.input_at", lang, label=name, problem=sentence(nearest_way.breaches[0], lang))
