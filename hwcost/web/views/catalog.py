"""The catalog: prices with source, date and supply to edit, quotations to read with a preview, cards to add."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from hwcost.errors import InputError, Problem
from hwcost.messages import say
from hwcost.names import card_name
from hwcost.pricing import choose_price, quote_max_age
from hwcost.quantities import CURRENCIES, UNKNOWN, QuantityError, date_text, number_text
from hwcost.records import PRICE_KINDS, STATUSES, Catalog
from hwcost.scenario import Scenario
from hwcost.web import grid, inputs, new_cards, price_rows, quotes, sections, state
from hwcost.web.desk import Desk
from hwcost.web.documents import Change
from hwcost.web.grid import Column, Edits
from hwcost.web.lazy import pd
from hwcost.web.price_rows import PriceRow
from hwcost.web.words import plain, word

HEIGHT = 560  # pixels
EDITABLE = ("amount", "currency", "tax", "kind", "vendor", "as_of", "valid_until", "source")


def draw() -> None:
    lang, desk = state.language(), state.desk()
    st.title(plain(word("catalog.title", lang)), anchor=False)
    st.caption(plain(word("catalog.intro", lang)))
    try:
        scenario = desk.scenario()
    except InputError as error:
        inputs.problems(error.problems, lang)
        return
    names = ("prices", "quote", "card", "specs")
    tabs = st.tabs([word(f"catalog.tab.{name}", lang) for name in names])
    with tabs[0]:
        _prices(desk, scenario, lang)
        _forget(desk, lang)
    with tabs[1]:
        quotes.show(desk, scenario, lang)
    with tabs[2]:
        new_cards.show(desk, lang)
    with tabs[3]:
        st.caption(plain(word("catalog.specs_note", lang)))
        sections.table(_specs(desk.catalog, lang), "specs", right=(2, 3, 4, 5, 6, 7), width=60)


# --- prices ---


def _prices(desk: Desk, scenario: Scenario, lang: str) -> None:
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    with left:
        role = str(st.radio(word("catalog.role", lang), price_rows.ROLES, horizontal=True, key="catalog-role",
                            format_func=lambda r: word(f"catalog.role.{r}", lang)))  # fmt: skip
    with right:
        own = st.checkbox(word("catalog.own_only", lang), key="catalog-own")
    st.caption(plain(word("catalog.prices_note", lang)))
    found = price_rows.rows(desk.catalog, scenario, role, lang)
    if own:
        found = [row for row in found if row.price is not None and row.price.origin.layer == "user"]
    for note in st.session_state.pop("price_notes", ()):
        st.info(plain(note))
    name = f"prices/{role}/{scenario.region}{'/own' if own else ''}"

    def apply(edits: Edits) -> Sequence[Problem]:
        faults = take(desk, scenario, {row.item_id: row for row in found}, edits, lang)
        fresh = state.catalog_of(desk.store)
        desk.catalog = fresh
        again = price_rows.rows(fresh, scenario, role, lang)
        shown = {row.item_id for row in found}
        # with the date, age and origin of a new price
        grid.settle(name, values([row for row in again if row.item_id in shown], lang), columns(lang))
        return faults

    grid.edit(
        name,
        values(found, lang),
        columns(lang),
        lang,
        apply=apply,
        height=HEIGHT,
        names={r.item_id: r.name for r in found},
    )


def columns(lang: str) -> list[Column]:
    """The columns of the table; price and days are text for the one parser."""

    def title(key: str) -> str:
        return word(f"catalog.{key}", lang)

    statuses = tuple(word(f"supply.{s}", lang) for s in STATUSES)
    kinds = tuple(say(f"pricekind.{k}", lang) for k in PRICE_KINDS)
    return [
        Column("item", title("item"), "fixed", width="medium"),
        Column("amount", title("amount"), "text", price_rows.money_cell, str, width="small"),
        Column("currency", title("currency"), "choice", choices=CURRENCIES, width="small"),
        Column("tax", title("tax"), "flag", width="small"), Column("kind", title("kind"), "choice", choices=kinds),
        Column("vendor", title("vendor"), "text", str.strip, str),
        Column("as_of", title("as_of"), "text", price_rows.day_cell, _day, width="small"),
        Column("valid_until", title("valid_until"), "text", price_rows.day_cell, _day, width="small"),
        Column("age", title("age"), "fixed"), Column("status", title("status"), "choice", choices=statuses),
        Column("source", title("source"), "text", str.strip, str, width="medium"),
        Column("layer", title("layer"), "fixed", width="small"),
    ]  # fmt: skip


def _day(day: Any) -> str:
    return day if isinstance(day, str) else day.isoformat()


def values(found: Sequence[PriceRow], lang: str) -> dict[str, dict[str, Any]]:
    """The table's values by item."""
    rows = {}
    for row in found:
        price = row.price
        age = word("catalog.none", lang)
        if row.age_days is not None:
            age = word("catalog.stale" if row.stale else "catalog.fresh", lang, days=row.age_days)
        rows[row.item_id] = {
            "item": row.name, "amount": price_rows.figure(price), "currency": price.currency if price else "",
            "tax": price.tax_included if price else True,
            "kind": say(f"pricekind.{price.price_kind}", lang) if price else "",
            "vendor": price.vendor if price else "", "as_of": price.as_of if price else None,
            "valid_until": price.valid_until if price else None, "age": age,
            "status": word(f"supply.{row.supply.status}", lang) if row.supply else "",
            "source": price.source if price else "",
            "layer": word(f"catalog.layer.{price.origin.layer}", lang) if price else "",
        }  # fmt: skip
    return rows


def take(desk: Desk, scenario: Scenario, rows: dict[str, PriceRow], edits: Edits, lang: str) -> list[Problem]:
    """Puts edited cells into the session's own tables, item by item; the faults."""
    by_item: dict[str, dict[str, Any]] = {}
    for (item, key), value in edits.changed.items():
        by_item.setdefault(item, {})[key] = value
    source = word("catalog.typed_by_name", lang, who=desk.who) if desk.who else word("catalog.typed_by", lang)
    faults: list[Problem] = []
    for item, edited in by_item.items():
        row = rows[item]
        edited = _codes(_new(edited, row, lang), lang)
        try:
            priced = price_rows.price_cells(row, edited, scenario, source) if set(edited) & set(EDITABLE) else None
            supply = [price_rows.supply_cells(row, edited["status"], scenario, source)] if edited.get("status") else []
            price_rows.keep(desk.store, [priced] if priced else [], supply)
        except QuantityError as error:
            faults.append(price_rows.fault(row.name, error))
            continue
        except InputError as error:
            faults += error.problems
            continue
        _log(desk, row, edited)
        if priced:
            _note_if_beaten(desk, scenario, row, priced, lang)
    return faults


def _new(edited: dict[str, Any], row: PriceRow, lang: str) -> dict[str, Any]:
    """The cells that differ from what counts now: an editor repeats all its edits with each new one."""
    now = values([row], lang)[row.item_id]
    price = row.price
    known = {**now, "amount": (price.amount, "") if price else None}
    return {key: value for key, value in edited.items() if value not in (known.get(key), None, "")
            and not (key == "amount" and price and value == (price.amount, price.currency))}  # fmt: skip


def _codes(edited: dict[str, Any], lang: str) -> dict[str, Any]:
    """Words of the reader's language as the codes of the tables."""
    kinds = {say(f"pricekind.{k}", lang): k for k in PRICE_KINDS}
    statuses = {word(f"supply.{s}", lang): s for s in STATUSES}
    codes = {"kind": kinds, "status": statuses}
    return {key: codes[key].get(value, "") if key in codes else value for key, value in edited.items()}


def _log(desk: Desk, row: PriceRow, edited: dict[str, Any]) -> None:
    before = f"{row.price.amount:g} {row.price.currency}" if row.price else None
    changes = []
    if "amount" in edited:
        amount, currency = edited["amount"]
        stated = currency or edited.get("currency") or (row.price.currency if row.price else "")
        changes.append(Change(row.name, before, f"{amount:g} {stated}".strip()))
    changes += [Change(f"{row.name}: {key}", None, str(value)) for key, value in edited.items() if key != "amount"]
    desk.note(changes, "price")


def _note_if_beaten(desk: Desk, scenario: Scenario, row: PriceRow, cells: dict[str, str], lang: str) -> None:
    """Says so where another price still counts."""
    catalog = state.catalog_of(desk.store)
    counts = choose_price(catalog, row.item_id, scenario.region, scenario.as_of,
                          quote_max_age(catalog, scenario.procurement))  # fmt: skip
    if counts is None or (abs(counts.amount - float(cells["amount"])) < 1e-9 and counts.currency == cells["currency"]):
        return
    note = word("catalog.not_counting", lang, item=row.name, kind=say(f"pricekind.{counts.price_kind}", lang),
                date=date_text(counts.as_of, lang))  # fmt: skip
    st.session_state.setdefault("price_notes", []).append(note)


def _forget(desk: Desk, lang: str) -> None:
    if not state.has_tables(desk.store.catalog_dir):
        return
    sure = st.checkbox(word("catalog.forget_sure", lang), key="forget-sure")
    st.button(word("catalog.forget", lang), key="forget", disabled=not sure, on_click=desk.store.forget_catalog)


def _specs(catalog: Catalog, lang: str) -> pd.DataFrame:
    names = ("memory", "bandwidth", "fp32", "tensor", "tdp", "slots", "ecc", "source", "date", "kind")
    titles = [word("catalog.item", lang), *(word(f"catalog.spec.{name}", lang) for name in names)]
    rows = [
        [plain(card_name(c)), number_text(c.memory_gib, lang), number_text(c.bandwidth_gb_s, lang),
         number_text(c.fp32_tflops, lang, 1), number_text(c.tensor_fp16_tflops, lang, 1), number_text(c.tdp_w, lang),
         str(c.slot_width), word(f"ecc.{c.ecc}", lang) if c.ecc else UNKNOWN, plain(c.origin.source),
         date_text(c.origin.as_of, lang), say(f"figurekind.{c.origin.kind}", lang)]
        for c in sorted(catalog.cards.values(), key=lambda c: c.name)
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=titles).set_index(titles[0])


if __name__ == "__main__":
    draw()
