"""The chosen option as a form: card, number of cards, host, storage, machines, warranty; checked at every change."""

from __future__ import annotations

from typing import Any

import streamlit as st

from hwcost.build import Build
from hwcost.errors import InputError
from hwcost.messages.rules import sentence
from hwcost.names import card_name, configuration_text, purchase_total
from hwcost.plan import Plan, Purchase
from hwcost.quantities import money_text, number_text
from hwcost.scenario import Scenario
from hwcost.web import configure, inputs, sections
from hwcost.web.configure import Checked, Wanted
from hwcost.web.desk import Desk
from hwcost.web.lazy import pd
from hwcost.web.solve import Outcome
from hwcost.web.words import lettered, plain, word

ANY = ""
MOST_CARDS, MOST_NODES = 8, 20


def show(desk: Desk, outcome: Outcome, lang: str) -> None:
    """The form and its check. It starts from the largest machine of the recommended option, or of another one."""
    open_key = f"{desk.current}/configure"
    with st.expander(word("decision.edit", lang), expanded=open_key in st.session_state):
        st.caption(plain(word("decision.edit.note", lang)))
        letter, start, untouched = _start(desk, outcome, lang)
        machines = _machines(start)
        if not machines:
            st.caption(plain(word("decision.edit.upgrade", lang)))
            return
        seed = configure.of_purchase(max(machines, key=lambda p: (p.build.cards, p.nodes)), outcome.scenario)
        wanted = _form(desk, f"{desk.current}/{outcome.key[:12]}/c{letter}", seed, lang)
        if wanted == seed and untouched:
            _free(desk, lang)
            return
        st.session_state[open_key] = True
        try:
            found = _checked(wanted, outcome.scenario, desk)
        except InputError as error:
            inputs.problems(error.problems, lang)
            return
        _result(found, wanted, outcome, lang)
        if found.build is not None:
            st.button(word("decision.edit.take", lang), key="take-configuration", type="primary", on_click=_take,
                      args=(desk, wanted, found.build))  # fmt: skip
        _free(desk, lang)


def _machines(plan: Plan) -> list[Purchase]:
    """What the plan buys as whole machines; parts for a machine at hand are no configuration of their own."""
    return [p for p in plan.bought if not p.build.upgrade_of]


def _start(desk: Desk, outcome: Outcome, lang: str) -> tuple[str, Plan, bool]:
    """Letter and plan of the option whose machine is changed, and whether nobody has chosen it: the recommended one."""
    comparison = outcome.comparison
    if comparison is None:
        return "", outcome.plan, True
    plans = {
        r.letter: r.plan for r in comparison.results if r.plan is not None and r.plan.has_plan and _machines(r.plan)
    }
    if not plans:
        return "", outcome.plan, True
    if comparison.chosen in plans:
        plans[comparison.chosen] = outcome.plan
    letters = sorted(plans, key=lambda letter: (letter != comparison.chosen, letter))
    chosen = st.selectbox(word("decision.edit.start", lang), letters, key=f"{desk.current}/{outcome.key[:12]}/c.start",
                          format_func=lambda letter: lettered(comparison.by_letter(letter), lang))  # fmt: skip
    return chosen, plans[chosen] or outcome.plan, chosen == letters[0]


def _form(desk: Desk, place: str, seed: Wanted, lang: str) -> Wanted:
    catalog = desk.catalog
    cards = {c.id: card_name(c) for c in sorted(catalog.cards.values(), key=lambda c: c.name)}
    hosts = {ANY: word("decision.edit.any_host", lang)} | {
        h.id: h.name_zh if lang == "zh" else h.name for h in catalog.chassis.values()
    }
    stores = {ANY: word("decision.edit.any_storage", lang)} | {
        s.id: s.name_zh if lang == "zh" else s.name for s in catalog.storage.values()
    }

    def choose(name: str, choices: dict[str, str], value: str) -> str:
        return str(st.selectbox(word(f"decision.edit.{name}", lang), list(choices), key=f"{place}.{name}",
                                index=list(choices).index(value) if value in choices else 0,
                                format_func=choices.__getitem__))  # fmt: skip

    def count(name: str, value: int, most: int) -> int:
        return int(st.number_input(word(f"decision.edit.{name}", lang), 1, most, value, key=f"{place}.{name}"))

    def figure(name: str, value: float, most: float) -> float:
        label = word(f"decision.edit.{name}", lang)
        return float(st.number_input(label, 0.0, most, float(value), step=1.0, format="%.4g", key=f"{place}.{name}"))

    left, middle, right = st.columns(3)
    with left:
        card, host = choose("card", cards, seed.card), choose("host", hosts, seed.host)
    with middle:
        each, nodes = count("cards", seed.cards, MOST_CARDS), count("nodes", seed.nodes, MOST_NODES)
    with right:
        store = choose("storage", stores, seed.storage)
        inner = st.columns(2)
        with inner[0]:
            warranty = figure("warranty", seed.warranty_years, 10.0)
        with inner[1]:
            room = figure("room", seed.needed_tb, 10_000.0)
    # a figure that the form shows shortened is still the scenario's own
    warranty = seed.warranty_years if abs(warranty - seed.warranty_years) < 1e-9 else warranty
    return Wanted(card, each, host, store, nodes, warranty, room)


def _checked(wanted: Wanted, scenario: Scenario, desk: Desk) -> Checked:
    """Checked once for each configuration of a scenario."""
    made: dict[Any, Checked] = st.session_state.setdefault("configurations", {})
    key = (scenario.sha256, desk.catalog.sha256, wanted)
    if key not in made:
        while len(made) >= 8:
            del made[next(iter(made))]
        made[key] = configure.check(wanted, scenario, desk.catalog)
    return made[key]


def _result(found: Checked, wanted: Wanted, outcome: Outcome, lang: str) -> None:
    scenario, plan = outcome.scenario, found.plan
    if found.build is None:
        reasons = [sentence(b, lang) for b in found.breaches]
        for reason in reasons:
            st.error(plain(word("decision.edit.refused", lang, reason=reason)))
        if not reasons:
            st.error(plain(word("decision.edit.no_build", lang)))
        return
    if plan is None or not plan.has_plan or sum(p.nodes for p in plan.bought) < wanted.nodes:
        st.error(plain(word("decision.edit.site_fails", lang)))
    if plan is None or not plan.has_plan:
        return
    if found.larger_storage:
        stored = found.build.storage.name_zh if lang == "zh" else found.build.storage.name
        room = number_text(wanted.needed_tb, lang, 1)
        st.warning(plain(word("decision.edit.larger_storage", lang, storage=stored, room=room)))
    lines = [word("decision.edit.fits", lang, configuration=configuration_text(plan.purchases, lang)),
             _power(found.build, lang),
             word("decision.edit.people", lang, have=plan.people_at_once,
                  wanted=sum(w.people_at_once for w in scenario.workloads))]  # fmt: skip
    if found.over is not None:
        key = "over_budget" if found.over > 0.005 else "in_budget"
        amount = money_text(abs(found.over), scenario.currency, lang)
        (st.error if key == "over_budget" else st.success)(plain(word(f"decision.edit.{key}", lang, amount=amount)))
    st.markdown("\n".join(f"- {plain(line)}" for line in lines))
    title, old, new = (word(f"decision.{n}", lang) for n in ("edit.against", "row.recommended", "row.changed"))
    pair = (outcome.plan, plan)

    def money(amounts: list[float]) -> list[str]:
        return [plain(money_text(amount, scenario.currency, lang)) for amount in amounts]

    figures = {
        "purchase": money([purchase_total(p) for p in pair]), "total": money([p.totals.nominal for p in pair]),
        "people": [str(p.people_at_once) for p in pair],
    }  # fmt: skip
    rows = [{title: word(f"decision.row.{name}", lang), old: a, new: b} for name, (a, b) in figures.items()]
    sections.table(pd.DataFrame(rows).set_index(title), "configured", right=(2, 3), width=24)


def _power(build: Build, lang: str) -> str:
    watts, supply = build.peak_wall_w, build.psu.watts_high_line * build.psu_count
    return word("decision.edit.power", lang, watts=number_text(watts, lang), supply=number_text(supply, lang))


def _take(desk: Desk, wanted: Wanted, build: Build) -> None:
    fields: dict[str, Any] = {
        "choice.include_cards": [wanted.card], "capacity.cards_per_node": [wanted.cards],
        "choice.include_chassis": [build.chassis.id], "storage.ids": [build.storage.id],
        "capacity.max_nodes": wanted.nodes, "money.warranty_years": wanted.warranty_years,
        "storage.needed_tb": wanted.needed_tb, "choice.exclude_cards": None, "choice.exclude_chassis": None,
    }  # fmt: skip
    faults = desk.edit(fields, "configuration")
    if faults:
        st.session_state["page_faults"] = faults


def _free(desk: Desk, lang: str) -> None:
    """The way back, once a configuration was taken over."""
    held = ("choice.include_cards", "capacity.cards_per_node", "choice.include_chassis", "storage.ids",
            "capacity.max_nodes")  # fmt: skip
    from hwcost.web.documents import get

    start = desk.baseline()
    if any(get(desk.document, key) != get(start, key) for key in held):
        back = {key: get(start, key) for key in held}
        st.button(word("decision.edit.free", lang), key="free-configuration", on_click=_back, args=(desk, back))


def _back(desk: Desk, back: dict[str, Any]) -> None:
    desk.edit(back)
