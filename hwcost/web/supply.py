"""Can it be bought, and as of which day? The supply of what an option buys, and of any card that somebody names."""

from __future__ import annotations

from datetime import date

import streamlit as st

from hwcost.build import Build
from hwcost.case import Case
from hwcost.messages import say
from hwcost.names import card_name, listed
from hwcost.options import Comparison
from hwcost.plan import Plan
from hwcost.quantities import UNKNOWN, date_text, money_exact
from hwcost.records import Availability, Card, Catalog, Price
from hwcost.use import waits_for_data
from hwcost.web import sections, tables
from hwcost.web.lazy import pd
from hwcost.web.words import plain, word

MOST_INSTEAD = 3
ESTIMATE, EXPORT = "estimate", "not_exportable"


def newest(catalog: Catalog, region: str, item_id: str) -> Availability | None:
    """The newest word on whether an item can be bought in the region, as the plan takes it; None where nobody said."""
    rows = [a for a in catalog.availability if a.item_id == item_id and a.region == region]
    return max(rows, key=lambda a: (a.as_of, a.status), default=None)


def row_text(row: Availability | None, lang: str) -> str:
    """Status and day; a status that was judged and not stated says that a quotation has to confirm it."""
    if row is None:
        return word("supply.unknown", lang)
    key = "supply.judged" if row.origin.kind == ESTIMATE else "supply.stated"
    if key == "supply.judged" and row.status == EXPORT:
        key = "supply.computed"
    return word(key, lang, status=say(f"rulecode.status.{row.status}", lang), day=date_text(row.as_of, lang))


def build_supply(build: Build, catalog: Catalog, region: str, lang: str) -> str:
    """The supply of one machine: of the whole machine where it is quoted, else of its card.

    An upgrade that brings no card brings common parts, of which the catalog states no supply.
    """
    if build.upgrade_of and not any(part.role == "card" for part in build.parts):
        return word("supply.parts", lang)
    if build.system is not None:
        row = newest(catalog, region, build.system.id)
        if row is not None:
            return row_text(row, lang)
        return word("supply.quoted", lang, day=date_text(_quoted_on(build), lang))
    return row_text(newest(catalog, region, build.card.id), lang)


def _quoted_on(build: Build) -> date | None:
    return min((part.price.as_of for part in build.parts), default=None)


def option_supply(plan: Plan | None, lang: str) -> str:
    """The supply of everything that the plan buys; a dash where it buys nothing."""
    if plan is None or not plan.has_plan or not plan.bought:
        return UNKNOWN
    case = plan.case
    texts = {p.build.card.id: build_supply(p.build, case.catalog, case.scenario.region, lang) for p in plan.bought}
    if len(set(texts.values())) == 1:
        return next(iter(texts.values()))
    named = {card_name(p.build.card): texts[p.build.card.id] for p in plan.bought}
    separator = "；" if lang == "zh" else "; "
    return separator.join(say("web.input_at", lang, label=name, problem=text) for name, text in named.items())


def option_rows(comparison: Comparison, lang: str) -> pd.DataFrame:
    """The table of all options with their supply before the decision."""
    frame = tables.options(comparison, lang)
    supplies = [plain(option_supply(r.plan, lang)) for r in comparison.results]
    frame.insert(frame.shape[1] - 1, word("supply.column", lang), supplies)
    return frame


# --- a card that somebody names ---


def ask(case: Case, place: str, lang: str) -> None:
    """ "Can the A5500 still be had?": a box with every card, and the answer under it."""
    cards = {c.id: c for c in sorted(case.catalog.cards.values(), key=lambda c: c.name)}
    chosen = st.selectbox(word("supply.ask", lang), list(cards), index=None, key=f"{place}/supply",
                          format_func=lambda c: card_name(cards[c]), placeholder=word("open.choose", lang))  # fmt: skip
    if chosen:
        with st.container(key="supply-answer"):
            st.markdown("\n".join(f"- {plain(text)}" for text in card_supply(case, cards[chosen], lang)))


def card_supply(case: Case, card: Card, lang: str) -> list[str]:
    """Status and day, the newest price with its day, and the cheapest cards of no less memory that can be bought."""
    region = case.scenario.region
    row = newest(case.catalog, region, card.id)
    lines = [say("web.input_at", lang, label=card_name(card), problem=row_text(row, lang))]
    price = newest_price(case.catalog, card.id)
    if price is not None:
        key = "supply.price_gross" if price.tax_included else "supply.price_net"
        amount, kind = money_exact(price.amount, price.currency, lang), say(f"pricekind.{price.price_kind}", lang)
        lines.append(word(key, lang, amount=amount, day=date_text(price.as_of, lang), kind=kind))
    if row is None or row.status != "on_sale":
        names = [card_name(c) for c in instead_of(case, card)]
        lines.append(word("supply.instead", lang, cards=listed(names, lang, most=len(names)))
                     if names else word("supply.nothing_instead", lang))  # fmt: skip
    return lines


def newest_price(catalog: Catalog, item_id: str) -> Price | None:
    """The last price that anybody saw, of any region."""
    return max((p for p in catalog.prices if p.item_id == item_id), key=lambda p: p.as_of, default=None)


def instead_of(case: Case, card: Card) -> list[Card]:
    """Cards that can be bought here and have no less memory, the cheapest first."""
    prices: dict[str, float] = {}
    cards: dict[str, Card] = {}
    for build in case.build_set.builds:
        part = next((p for p in build.parts if p.role == "card"), None)
        if build.owned or build.service is not None or part is None or build.card.id == card.id:
            continue
        cards[build.card.id] = build.card
        prices[build.card.id] = min(prices.get(build.card.id, part.unit_price_net), part.unit_price_net)
    able = [c for c in cards.values() if c.memory_gib >= card.memory_gib]
    return sorted(able, key=lambda c: (prices[c.id], c.name))[:MOST_INSTEAD]


def show_options(comparison: Comparison, lang: str) -> None:
    """All options with price, cost, people, supply and the reason; and what each can do."""
    sections.table(option_rows(comparison, lang), "options", right=(3, 4, 5, 6, 7), width=58)
    if any(r.plan is not None and waits_for_data(r.plan) for r in comparison.results):
        st.caption(plain(say("pace.hint", lang)))
    if not any(r.plan is not None and r.plan.has_plan for r in comparison.results):
        return
    sections.heading("capability", lang)
    st.caption(plain(word("result.capability_note", lang)))
    frame = tables.capability(comparison, lang)
    sections.table(frame, "capability", right=tuple(range(2, frame.shape[1] + 2)), width=14 + 6 * frame.shape[1])
