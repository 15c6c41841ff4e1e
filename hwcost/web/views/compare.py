""" "X or Y?": named cards, whole machines and quotations beside each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from hwcost.errors import InputError
from hwcost.messages import say
from hwcost.messages.rules import sentence
from hwcost.names import card_name, configuration_text, people_text, purchase_total, tax_basis, workload_name
from hwcost.plan import Plan
from hwcost.quantities import UNKNOWN, date_text, money_text, number_text
from hwcost.records import Catalog
from hwcost.scenario import Scenario
from hwcost.web import headtohead, inputs, own_options, run, sections, solve, state
from hwcost.web.forms import Form
from hwcost.web.headtohead import CARD, Named, Side
from hwcost.web.lazy import pd
from hwcost.web.words import plain, word

MOST = 5
CONSUMER = "consumer"


def draw() -> None:
    lang, desk = state.language(), state.desk()
    st.title(plain(word("compare.title", lang)), anchor=False)
    st.caption(plain(word("compare.intro", lang)))
    notes = st.container()
    try:
        scenario = desk.scenario()
    except InputError as error:
        inputs.problems(error.problems, lang)
        return
    known = {f"{n.kind}/{n.id}": n for n in headtohead.choices(desk.catalog)}
    form = Form("compare", desk.store)
    form.values["pick"] = [key for key in form.values.get("pick", []) if key in known]

    def shown(key: str) -> str:
        return name_of(known[key], desk.catalog, lang)

    picked = form.several("pick", word("compare.pick", lang), list(known), shown,
                          max_selections=MOST, placeholder=word("compare.pick.choose", lang))  # fmt: skip
    form.keep()
    if len(picked) < 2:
        st.info(plain(word("compare.few", lang)))
        return
    case = run.case_of(desk, lang)
    if case is None:
        return
    made = run.kept_results("compare")
    key = "|".join((solve.key_of(scenario, desk.catalog), *picked))
    if key not in made:

        def task(report: solve.Report, part: Callable[[Any], None]) -> list[Side]:
            return headtohead.compare(case, [known[p] for p in picked],
                                      lambda one: report("compare", name_of(one, desk.catalog, lang)))  # fmt: skip

        found = run.background(lang, f"compare/{key}", task, notes)
        if found is None:
            return
        made[key] = found
    _show(made[key], scenario, desk.catalog, lang)


def name_of(named: Named, catalog: Catalog, lang: str) -> str:
    """ "card: RTX A5500 24 GB", "machine: ..." with vendor and number of its quotation."""
    if named.kind == CARD:
        return word("compare.pick.card", lang, name=card_name(catalog.cards[named.id]))
    system = catalog.systems[named.id]
    name = system.name_zh if lang == "zh" else system.name
    return word("compare.pick.system", lang, name=name, vendor=system.vendor, number=system.quote_number or UNKNOWN)


def _show(sides: Sequence[Side], scenario: Scenario, catalog: Catalog, lang: str) -> None:
    best = headtohead.better(sides)
    if best is not None:
        side, level = best
        name = short_name(side, lang)
        text = word("compare.verdict", lang, name=name, level=word(f"compare.level.{level}", lang)) if level else word(
            "compare.verdict_tie", lang, name=name)  # fmt: skip
        with st.container(border=True, key="verdict"):
            st.markdown(f"#### {plain(text)}")
            lines = [but_text(b, scenario, lang) for b in headtohead.exceptions(sides, side)]
            if side.assumed:
                lines.append(say("web.input_at", lang, label=name, problem=_assumed(side, lang)))
            if lines:
                st.markdown("\n".join(f"- {plain(line)}" for line in lines))
    sections.table(table(sides, scenario, lang), "head-to-head", width=18 + 14 * len(sides))


def short_name(side: Side, lang: str) -> str:
    if side.system is not None:
        return side.system.name_zh if lang == "zh" else side.system.name
    return card_name(side.card)


def table(sides: Sequence[Side], scenario: Scenario, lang: str) -> pd.DataFrame:
    """A row for each figure, a column for each side; how each job runs last."""
    title = word("compare.row", lang)
    rows = [
        (word("compare.row.memory", lang), [_memory(s, lang) for s in sides]),
        (word("compare.row.machines", lang), [_configuration(s, lang) for s in sides]),
        (word("compare.row.price", lang, basis=tax_basis(scenario, lang)),
         [_money(purchase_total(s.plan) if s.plan else None, scenario, lang) for s in sides]),
        (word("compare.row.total", lang, years=scenario.horizon_years),
         [_money(s.plan.totals.nominal if s.plan else None, scenario, lang) for s in sides]),
        (word("compare.row.people", lang), [_people(s.plan, lang) for s in sides]),
    ]  # fmt: skip
    for workload in scenario.workloads:
        rows.append((workload_name(workload, lang),
                     [_state(s, workload.id, lang) for s in sides]))  # fmt: skip
    rows += [
        (word("compare.row.power", lang), [_watts(s.plan, lang) for s in sides]),
        (word("compare.row.noise", lang), [_noise(s.plan, lang) for s in sides]),
        (word("compare.row.supply", lang), [_supply(s, lang) for s in sides]),
        (word("compare.row.quote", lang), [_quote(s, lang) for s in sides]),
        (word("compare.row.framework", lang), [_framework(s, lang) for s in sides]),
        (word("compare.row.source", lang), [_source(s, lang) for s in sides]),
        (word("compare.row.note", lang), [_note(s, lang) for s in sides]),
    ]
    names = [plain(short_name(s, lang)) for s in sides]
    frame = pd.DataFrame([[plain(cell) for cell in cells] for _, cells in rows], columns=names)
    frame.insert(0, title, [plain(name) for name, _ in rows])
    return frame.set_index(title)


def _memory(side: Side, lang: str) -> str:
    cards = side.system.cards if side.system else _cards(side.plan)
    one = word("compare.gib", lang, gib=number_text(side.card.memory_gib, lang))
    whole = word("compare.gib", lang, gib=number_text(side.card.memory_gib * cards, lang)) if cards else UNKNOWN
    return word("compare.memory", lang, card=one, machine=whole)


def _cards(plan: Plan | None) -> int:
    return plan.bought[0].build.cards if plan is not None and plan.bought else 0


def _configuration(side: Side, lang: str) -> str:
    return configuration_text(side.plan.bought, lang) if side.plan is not None and side.plan.bought else UNKNOWN


def _money(amount: float | None, scenario: Scenario, lang: str) -> str:
    return money_text(amount, scenario.currency, lang)


def _people(plan: Plan | None, lang: str) -> str:
    return UNKNOWN if plan is None else people_text(plan.people_at_once, lang)


def _watts(plan: Plan | None, lang: str) -> str:
    if plan is None or not plan.bought:
        return UNKNOWN
    return word("compare.watts", lang, watts=number_text(plan.bought[0].build.peak_wall_w, lang))


def _noise(plan: Plan | None, lang: str) -> str:
    if plan is None or not plan.bought:
        return UNKNOWN
    noise = plan.bought[0].build.chassis.noise_dba
    if noise is None:
        return UNKNOWN
    text, limit = word("compare.dba", lang, dba=number_text(noise, lang)), plan.case.scenario.noise_limit_dba
    if limit is None:
        return text
    key = "compare.noise_ok" if noise <= limit else "compare.noise_over"
    return word(key, lang, noise=text, limit=number_text(limit, lang))


def _supply(side: Side, lang: str) -> str:
    row = side.availability
    if row is None:
        return word("compare.supply_unknown", lang)
    return word(
        "compare.supply", lang, status=say(f"rulecode.status.{row.status}", lang), date=date_text(row.as_of, lang)
    )


def _state(side: Side, workload_id: str, lang: str) -> str:
    """How a job runs there, with the largest batch of one card."""
    state, batch = word(f"workloads.state.{side.states[workload_id]}", lang), side.batches.get(workload_id, 0)
    return word("compare.state_batch", lang, state=state, batch=number_text(batch, lang)) if batch else state


def _framework(side: Side, lang: str) -> str:
    """Whether a framework contract may cover it: nobody but purchasing knows, cards for games rarely are in one."""
    if side.system is not None:
        return word("compare.framework.quoted", lang, vendor=side.system.vendor)
    return word("compare.framework.consumer" if side.card.segment == CONSUMER else "compare.framework.ask", lang)


def but_text(but: headtohead.But, scenario: Scenario, lang: str) -> str:
    """Where the other one would be the better choice, in one sentence."""
    words = {"name": short_name(but.side, lang)}
    if but.reason == "people":
        words |= {"people": people_text(but.people, lang), "memory": number_text(but.memory_gib, lang, 1)}
    elif but.reason == "memory":
        words["memory"] = number_text(but.memory_gib, lang, 1)
    else:
        words["amount"] = money_text(but.cheaper, scenario.currency, lang)
    return word(f"compare.but.{but.reason}", lang, **words)


def _assumed(side: Side, lang: str) -> str:
    return word("compare.assumed", lang, status=say(f"rulecode.status.{side.assumed}", lang))


def _quote(side: Side, lang: str) -> str:
    if side.system is None:
        return word("compare.composed", lang)
    return word("compare.quoted", lang, number=side.system.quote_number or UNKNOWN)


def _source(side: Side, lang: str) -> str:
    if side.plan is None or not side.plan.bought:
        return UNKNOWN
    prices = [part.price for part in side.plan.bought[0].build.parts]
    kinds = dict.fromkeys(say(f"pricekind.{p.price_kind}", lang) for p in prices)
    oldest = min((p.as_of for p in prices), default=None)
    return word("compare.supply", lang, status="/".join(kinds), date=date_text(oldest, lang))


def _note(side: Side, lang: str) -> str:
    if side.plan is not None:
        text = word("compare.all" if side.serves_all else "compare.not_all", lang)
        if not side.assumed:
            return text
        return ("。" if lang == "zh" else ". ").join((text, _assumed(side, lang)))
    if side.breaches:
        return word("compare.refused", lang, reason=sentence(side.breaches[0], lang))
    return word("compare.nothing", lang)


if __name__ == "__main__":
    draw()
    own_options.section()
