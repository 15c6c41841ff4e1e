"""The parts of a result: the answer, three figures, options, charts, purchase, jobs, what it rests on."""

from __future__ import annotations

from collections import Counter

import streamlit as st

from hwcost.basis import basis_lines
from hwcost.messages import say
from hwcost.names import budget_text, cash_total, configuration_text, listed, part_name, purchase_total, tax_basis
from hwcost.options import Comparison
from hwcost.plan import Plan
from hwcost.quantities import date_text, money_text, number_text, percent_text
from hwcost.record import bought_parts, stale_rows
from hwcost.sentences import answer
from hwcost.told import unit_cost_texts
from hwcost.web import charts, tables
from hwcost.web.lazy import pd
from hwcost.web.solve import Outcome
from hwcost.web.words import plain, word

BY_CATEGORY = charts.Split(charts.GROUP_COLOURS, "web.group", lambda line: charts.GROUP_OF[line.category])
BY_PAYER = charts.Split(charts.PAYER_COLOURS, "payer", lambda line: line.payer)


def heading(name: str, lang: str, **values: object) -> None:
    st.subheader(plain(word(f"result.{name}", lang, **values)), anchor=False)


def table(frame: pd.DataFrame, key: str, right: tuple[int, ...] = (), width: int = 0) -> None:
    """A table that wraps its text; `right` are the columns of figures, the row header being 1.

    On a narrow screen it keeps a `width` (in rem) at which it can be read, and scrolls.
    """
    css = f".st-key-{key} table"
    rules = [f"{css} {{ min-width: max(100%, {width}rem); }}"] if width else []
    if right:
        cells = ", ".join(f"{css} tr > *:nth-child({n})" for n in right)
        # Streamlit sets the alignment of each cell itself, hence the !important
        rules += [
            f":is({cells}) {{ text-align: right !important; }}",
            f":is({cells}):not(thead *) p {{ white-space: nowrap; }}",
        ]
    if rules:
        st.html(f"<style>{' '.join(rules)}</style>")
    with st.container(key=key):
        st.table(frame)


def show_answer(outcome: Outcome, lang: str, key: str = "answer") -> None:
    """The recommendation, and what explains and limits it."""
    plan = outcome.plan
    first, *rest = answer(plan, outcome.comparison, lang, need=outcome.need, conflict=outcome.conflict)
    with st.container(border=True, key=key):
        st.markdown(f"#### {plain(first)}")
        if rest:
            st.markdown("\n".join(f"- {plain(sentence)}" for sentence in rest))
        status, objective = say(f"status.{plan.status}", lang), say(f"objective.{plan.objective}", lang)
        if plan.status == "best_found" and plan.gap is not None:
            gap = say("status.gap", lang, gap=percent_text(plan.gap, lang, 2))
            st.caption(plain(word("result.status_gap", lang, status=status, gap=gap, objective=objective)))
        else:
            st.caption(plain(word("result.status", lang, status=status, objective=objective)))


def figures(plan: Plan, lang: str) -> None:
    """Purchase, cost over the horizon, people at once."""
    scenario = plan.case.scenario

    def money(amount: float) -> str:
        return money_text(amount, scenario.currency, lang)

    wanted = sum(w.people_at_once for w in scenario.workloads)
    budget = "" if scenario.budget is None else word("result.of_budget", lang, budget=budget_text(scenario, lang))
    lab = word("result.of_lab", lang, amount=money(plan.totals.by_payer.get("lab", 0.0)))
    cash = cash_total(plan)
    if cash is not None:
        lab = word("result.of_cash", lang, cash=money(cash), lab=money(plan.totals.by_payer.get("lab", 0.0)))
    people = word("result.people_count", lang, people=plan.people_at_once)
    shown = [
        (word("result.purchase", lang, basis=tax_basis(scenario, lang)), money(purchase_total(plan)), budget),
        (word("result.total", lang, years=scenario.horizon_years), money(plan.totals.nominal), lab),
        (word("result.served", lang), people, word("result.of_people", lang, wanted=wanted)),
    ]
    for column, (label, value, note) in zip(st.columns(3), shown, strict=True):
        with column:
            st.metric(label, plain(value))
            if note:
                st.caption(plain(note))
    note = word("result.amounts_note", lang, years=scenario.horizon_years, currency=scenario.currency)
    if scenario.discount_rate:
        rate, present = percent_text(scenario.discount_rate, lang), money(plan.totals.present_value)
        note += ("" if lang == "zh" else " ") + word("result.present", lang, rate=rate, amount=present)
    st.caption(plain(note))


def costs(comparison: Comparison, split: charts.Split, name: str, lang: str, titled: bool = True) -> None:
    """A chart and, under it, the table of its figures."""
    years = comparison.best.case.scenario.horizon_years

    def part_name(part: str) -> str:
        return say(f"{split.key}.{part}", lang)

    chart = charts.stacked(comparison, split, part_name, word(f"legend.{name}", lang), lang)
    if chart is None:
        return
    if titled:
        heading(f"by_{name}", lang, years=years)
    st.altair_chart(chart, key=f"chart-{name}")
    _, _, unit = tables.table_unit(comparison.best.case.scenario, lang)
    st.caption(plain(word("result.table_unit", lang, unit=unit)))
    frame = tables.split_costs(comparison, split, part_name, lang)
    table(frame, f"costs-{name}", right=tuple(range(2, frame.shape[1] + 2)), width=10 + 4 * frame.shape[1])


def purchases(plan: Plan, lang: str) -> None:
    """The lines that finance pays."""
    kept = [p for p in plan.purchases if p.owned]
    if kept:
        st.markdown(plain(word("result.kept", lang, configuration=configuration_text(kept, lang))))
    if not plan.bought:
        st.markdown(plain(word("result.purchases_none", lang)))
        return
    st.caption(plain(word("result.purchases_note", lang)))
    table(tables.purchases(plan, lang), "purchases", right=(3, 4, 5), width=46)


def jobs(plan: Plan, lang: str) -> None:
    """How each job runs."""
    if not any(assignment.year == 0 for assignment in plan.assignments):
        st.markdown(plain(word("result.jobs_none", lang)))
        return
    table(tables.jobs(plan, lang), "jobs", right=(3, 4, 5), width=52)
    found = unit_cost_texts(plan, lang)
    if found:
        with st.container(key="unit-costs"):
            st.markdown(f"**{plain(say('unitcost.title', lang))}**")
            st.markdown("\n".join(f"- {plain(text)}" for text in found))


def rests_on(plan: Plan, lang: str) -> None:
    """Kinds and ages of the prices, evidence of the times, estimates among the figures."""
    separator = "，" if lang == "zh" else ", "
    found = bought_parts(plan)
    lines = []
    if found:
        kinds = Counter(part.price.price_kind for part in found)
        names = [word("result.rests.kind", lang, count=n, kind=say(f"pricekind.{k}", lang)) for k, n in kinds.items()]
        lines.append(word("result.rests.kinds", lang, kinds=separator.join(names)))
        old = [
            word("result.rests.stale_item", lang, name=part_name(plan.case.catalog, part, lang),
                 date=date_text(part.price.as_of, lang))
            for part in found if part.stale
        ]  # fmt: skip
        if old:
            lines.append(word("result.rests.stale", lang, items=listed(old, lang, most=len(old))))
        else:
            lines.append(word("result.rests.fresh", lang))
    others = sum(1 for row in stale_rows(plan) if not row["bought"])
    if others:
        some = any(part.stale for part in found)
        lines.append(
            word("result.rests.stale_others" if some else "result.rests.stale_only_others", lang, count=others)
        )
    if any(p.build.estimate_only for p in plan.bought):
        lines.append(word("result.rests.composed", lang))
    lines += basis_lines(plan, lang)
    tiers = dict.fromkeys(say(f"evidence.{a.strategy.evidence}", lang) for a in plan.assignments)
    if tiers:
        lines.append(word("result.rests.times", lang, tiers=separator.join(tiers)))
    stated = plan.case.scenario.assumptions
    estimates = sum(1 for a in stated if a.kind == "estimate")
    if stated:
        lines.append(
            word(
                "result.rests.figures", lang, estimates=number_text(estimates, lang), all=number_text(len(stated), lang)
            )
        )
    st.markdown("\n".join(f"- {plain(line)}" for line in lines))
    if stated:
        with st.expander(word("result.assumptions", lang)):
            table(tables.assumptions(plan.case.scenario, lang), "assumptions", width=40)


def not_considered(plan: Plan, lang: str) -> None:
    """Items that were left out whole, with the reasons."""
    if not plan.not_considered:
        return
    st.caption(plain(word("result.not_considered_count", lang, count=len(plan.not_considered))))
    table(tables.not_considered(plan, lang), "not-considered", width=32)
