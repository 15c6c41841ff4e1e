"""The machines that the lab has: what they do now, what an upgrade changes, and what becomes of more or other cards."""

from __future__ import annotations

import streamlit as st

from hwcost.build import Build, Refusal
from hwcost.costs import price_per_node
from hwcost.messages.rules import sentence
from hwcost.names import build_text, card_name, people_text, workload_name
from hwcost.options import KEEP, Comparison, OptionResult
from hwcost.plan import Plan
from hwcost.quantities import date_text, hours_text, money_exact, money_text, number_text, percent_text
from hwcost.scenario import Owned
from hwcost.use import utilisation
from hwcost.web import rivals, sections
from hwcost.web.lazy import pd
from hwcost.web.words import plain, word

REPLACE, USED = "replace_card", "used"
NOTABLE = 1.05  # a run is called faster from here on


def show(comparison: Comparison, lang: str) -> None:
    """Everything about the machines at hand; nothing where the lab has none."""
    case = comparison.best.case
    keep = next((r for r in comparison.results if r.id == KEEP), None)
    if keep is not None and keep.plan is not None and keep.plan.has_plan:
        used = utilisation(keep.plan)
        if used is not None:
            st.markdown(plain(word(
                "owned.now", lang, used=number_text(used.card_hours_per_year, lang),
                available=number_text(used.available_card_hours_per_year, lang),
                share=percent_text(used.share, lang), people=people_text(keep.plan.people_at_once, lang),
            )))  # fmt: skip
        sections.table(job_table(keep, comparison.best, lang), "owned-jobs", right=(2, 3), width=40)
    lines = []
    for owned in case.scenario.owned:
        lines += card_lines(owned, comparison.best, lang)
    if lines:
        with st.container(key="owned-cards"):
            st.markdown("\n".join(f"- {plain(line)}" for line in lines))


def job_table(keep: OptionResult, best: Plan, lang: str) -> pd.DataFrame:
    """Each job with its run now, or why it does not run; its run in the recommended option; how much faster that is."""
    titles = [word(f"owned.{name}", lang) for name in ("job", "before", "after", "change")]
    assert keep.plan is not None
    _, cannot = rivals.abilities(keep, lang)
    rows = []
    for workload in best.case.scenario.workloads:
        name = workload_name(workload, lang)
        now, then = (hours_of(p, workload.id) for p in (keep.plan, best))
        reason = next((text for text in cannot if text.startswith(name)), "").removeprefix(name).lstrip("：: ")
        change = reason
        if now and then:
            ratio = now / then
            change = word("owned.faster", lang, times=number_text(ratio, lang, 1)) if ratio > NOTABLE else word(
                "owned.same", lang)  # fmt: skip
        rows.append([plain(name), hours_text(now, lang), hours_text(then, lang), plain(change)])
    return pd.DataFrame(rows, columns=titles).set_index(titles[0])


def hours_of(plan: Plan, workload_id: str) -> float | None:
    """The shortest run of a job in the plan; None where it is not done."""
    found = [a.strategy.hours_per_run for a in plan.assignments if a.strategy.workload_id == workload_id]
    return min(found, default=None)


def card_lines(owned: Owned, best: Plan, lang: str) -> list[str]:
    """One more card with every rule against it, the cheapest exchange of cards, and what the old ones would bring."""
    case = best.case
    card = case.catalog.cards[owned.card_id]
    lines = []
    third = next((r for r in case.build_set.refusals if _adds_one(r, owned)), None)
    if third is not None:
        reasons = ("" if lang == "zh" else " ").join(sentence(b, lang) for b in third.breaches)
        lines.append(word("owned.one_more", lang, card=card_name(card), number=owned.cards + 1, reasons=reasons))
    exchange = cheapest_exchange(best, owned)
    if exchange is not None:
        price = price_per_node(case.scenario, exchange)
        lines.append(word("owned.replace", lang, machine=build_text(exchange, 1, lang),
                          price=money_text(price, case.scenario.currency, lang)))  # fmt: skip
    used = [p for p in case.catalog.prices if p.item_id == owned.card_id and p.price_kind == USED]
    if used:
        newest = max(used, key=lambda p: p.as_of)
        lines.append(word("owned.sell", lang, card=card_name(card), day=date_text(newest.as_of, lang),
                          price=money_exact(newest.amount, newest.currency, lang)))  # fmt: skip
    return lines


def _adds_one(refusal: Refusal, owned: Owned) -> bool:
    machine = (refusal.chassis_id, refusal.card_id, refusal.cards)
    return machine == (owned.chassis_id, owned.card_id, owned.cards + 1) and owned.name in refusal.item


def cheapest_exchange(best: Plan, owned: Owned) -> Build | None:
    """The cheapest upgrade that puts other cards in the place of the present ones."""
    found = [
        b for b in best.case.build_set.builds if REPLACE in b.upgrade.split("+") and b.upgrade_of == f"owned:{owned.id}"
    ]
    return min(found, key=lambda b: (b.price_net, b.id), default=None)
