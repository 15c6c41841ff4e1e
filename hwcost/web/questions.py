"""The twelve questions as widgets, and their entries as a document of answers (`hwcost.answers/1`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import streamlit as st

from hwcost.answers_io import DISKS, MEMORY_FROM, MOST_FUNDS, MOST_TRAININGS, PAYS, SCHEMA, WITHIN
from hwcost.errors import InputError, Problem
from hwcost.messages import say, texts
from hwcost.names import card_name
from hwcost.quantities import QuantityError, parse_date, parse_money
from hwcost.records import REGIONS, Catalog
from hwcost.scenario import PAYERS, PLACES
from hwcost.scenario_defaults import REGION_CURRENCY
from hwcost.start import QUESTIONS
from hwcost.start_defaults import default_answer
from hwcost.web import budget
from hwcost.web.forms import DONT_KNOW, Form, unless_open
from hwcost.web.words import plain, word

MOST_MACHINES = 3
RUNS_BY = ("papers", "runs_per_week", "runs_per_year")
TABLES = {"budget": 1, "fund": 2, "people": 3, "train": 4, "within": 6, "own": 8, "place": 9, "payers": 10,
          "campus": 11, "procurement": 12}  # fmt: skip
OF_TRAINING = {"now": 5, "within": 6, "papers": 7, "runs_per_week": 7, "runs_per_year": 7}


@dataclass
class Asked:
    """The document as far as it is read, and what cannot be read; places for the faults of each question."""

    document: dict[str, Any] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    places: dict[int, Any] = field(default_factory=dict)


def ask(form: Form, catalog: Catalog, lang: str) -> Asked:
    """Draws all questions; what is typed becomes the document."""
    asked = Asked({"schema": SCHEMA, "as_of": date.today()})
    left, right = st.columns(2)
    with left:
        name = form.text("name", word("start.name", lang), placeholder=word("start.default_name", lang))
    usual = "CN" if lang == "zh" else "EU"
    with right:
        region = form.choice("region", word("start.region", lang), REGIONS, lambda r: word(f"start.region.{r}", lang),
                             usual)  # fmt: skip
    asked.document |= {"region": region or usual, "id": "my-lab", **_names(name or word("start.default_name", lang))}
    drawers: tuple[Callable[[_Page], None], ...] = (
        _budget, _funds, _people, _trainings, _owned, _place, _payers, _campus, _profile,
    )  # fmt: skip
    page = _Page(form, catalog, lang, asked)
    for draw in drawers:
        draw(page)
    form.keep()
    return asked


def _names(name: str) -> dict[str, str]:
    return {"name_en": name, "name_zh": name}


@dataclass
class _Page:
    form: Form
    catalog: Catalog
    lang: str
    asked: Asked

    @property
    def region(self) -> str:
        return str(self.asked.document["region"])

    @property
    def currency(self) -> str:
        return REGION_CURRENCY[self.region]

    def head(self, *numbers: int) -> None:
        """Title of a question, what it changes, and the place of its faults."""
        for number in numbers:
            title = word("start.question", self.lang, number=number, title=say(f"start.q{number}", self.lang))
            st.markdown(f"**{plain(title)}**")
            changes = say("start.changes", self.lang, what=say(f"start.q{number}.changes", self.lang))
            st.caption(plain(changes))
            self.asked.places[number] = st.container()

    def default(self, key: str) -> str:
        """What an open field takes, as its placeholder."""
        people = self.asked.document.get("people", {}).get("total")
        text = default_answer(key, self.region, people if isinstance(people, int) else None)
        names = (f"start.choice.{key.partition('.')[0]}.{text}", f"start.value.{text}", f"start.choice.{text}")
        shown = next((say(name, self.lang) for name in names if name in texts()), "") or self.named(text)
        return word("start.default", self.lang, default=shown or say("start.empty", self.lang))

    def named(self, text: str) -> str:
        """Ids of the catalog under their names."""
        rows: dict[str, Any] = {**self.catalog.networks, **{row.id: row for row in self.catalog.procurement}}
        names = [_name_of(rows[part], self.lang) if part in rows else part for part in text.split(", ")]
        return ("；" if self.lang == "zh" else "; ").join(names)

    def words(self, key: str, choices: tuple[str, ...], *, open_text: str = "") -> Any:
        """One of the program's words, or "don't know"; None where open."""

        def name(choice: str) -> str:
            if choice == DONT_KNOW:
                return word("start.unknown", self.lang)
            first = key.rpartition(".")[0].partition("[")[0] or key
            names = (f"start.choice.{first}.{choice}", f"start.value.{choice}", f"start.choice.{choice}")
            return next((say(n, self.lang) for n in names if n in texts()), choice)

        bare = key.replace("[", "").replace("]", "")
        label = say(f"start.field.{_plain_key(key)}", self.lang)
        return self.form.choice(bare, label, (*choices, DONT_KNOW), name,
                                placeholder=open_text or self.default(_plain_key(key)))  # fmt: skip

    def money(self, key: str, label: str, column: str) -> float | None:
        """An amount as people type it, in the currency of the region; "?" and empty stay open."""
        text = self.form.text(key, label, placeholder=say("start.empty", self.lang))
        if text.strip() == DONT_KNOW:
            return None
        try:
            money = parse_money(text, self.currency)
        except QuantityError as error:
            self.asked.problems.append(Problem(error.code, column=column, value=text, values=error.values))
            return None
        if money is not None and money.currency != self.currency:
            values = {"found": money.currency, "currency": self.currency}
            self.asked.problems.append(Problem("option_currency", column=column, value=text, values=values))
            return None
        return None if money is None else money.amount


def _plain_key(key: str) -> str:
    """ "train[2].now.card" -> "train.now.card"."""
    import re

    return re.sub(r"\[\d+\]", "", key)


# --- the questions ---


def _budget(page: _Page) -> None:
    page.head(1)
    lang, form = page.lang, page.form
    columns = st.columns([2, 1, 1])
    with columns[0]:
        text = form.text("budget", word("start.amount", lang), placeholder=say("start.empty", lang),
                         help=word("budget.help", lang))  # fmt: skip
    factors = budget.unit_factors(page.currency, lang)
    with columns[1]:
        factor = form.radio(f"unit.{page.currency}.{lang}", word("unit", lang), factors,
                            lambda f: budget.unit_text(page.currency, f, lang),
                            factors[1] if lang == "zh" and page.currency == "CNY" else 1)  # fmt: skip
    with columns[2]:
        gross = form.radio("gross", word("tax", lang), (True, False),
                           lambda g: word("tax.included" if g else "tax.excluded", lang), True)  # fmt: skip
    if text.strip() == DONT_KNOW:
        page.asked.document["budget"] = {"amount": DONT_KNOW}
        return
    try:
        amount = budget.read(text, factor, page.currency)
    except InputError as error:
        page.asked.problems += error.problems
        return
    if amount is not None:
        page.asked.document["budget"] = {"amount": amount, "unit": page.currency, "tax_included": gross}


def _funds(page: _Page) -> None:
    page.head(2)
    lang, form = page.lang, page.form
    count = form.radio("funds", word("start.funds", lang), range(MOST_FUNDS + 1), str, 0)
    rows = []
    for n in range(1, count + 1):
        columns = st.columns([2, 2, 1, 1])
        with columns[0]:
            name = form.text(f"fund{n}.name", say("start.field.fund.name", lang))
        with columns[1]:
            pays = form.several(f"fund{n}.pays", say("start.field.fund.pays", lang), PAYS,
                                lambda p: say(f"start.choice.{p}", lang),
                                placeholder=page.default("fund.pays"))  # fmt: skip
        with columns[2]:
            amount = page.money(f"fund{n}.amount", say("start.field.fund.amount", lang), f"fund[{n}].amount")
        with columns[3]:
            until = form.text(f"fund{n}.spend_by", say("start.field.fund.spend_by", lang), placeholder="2026-12-31")
        day = None
        if until.strip() != DONT_KNOW:
            try:
                day = parse_date(until)
            except QuantityError as error:
                place = f"fund[{n}].spend_by"
                page.asked.problems.append(Problem(error.code, column=place, value=until, values=error.values))
        rows.append(unless_open({"name": name, "pays": pays, "amount": amount, "spend_by": day}))
    if filled := [row for row in rows if row]:
        # amounts of funds count in the unit of the budget
        page.asked.document["fund"] = filled
        if "budget" not in page.asked.document:
            page.asked.document["budget"] = {"unit": page.currency}


def _people(page: _Page) -> None:
    page.head(3)
    left, right = st.columns(2)
    with left:
        total = page.form.whole("people", say("start.field.people.total", page.lang),
                                placeholder=page.default("people.total"))  # fmt: skip
    page.asked.document["people"] = unless_open({"total": total})
    with right:
        at_once = page.form.whole("at_once", say("start.field.people.at_once", page.lang),
                                  placeholder=page.default("people.at_once"))  # fmt: skip
    page.asked.document["people"] |= unless_open({"at_once": at_once})


def _trainings(page: _Page) -> None:
    page.head(4, 5, 6, 7)
    lang, form, catalog = page.lang, page.form, page.catalog
    within = page.words("within", tuple(WITHIN))
    page.asked.document |= unless_open({"within": within})
    count = form.radio("trainings", word("start.trainings", lang), range(1, MOST_TRAININGS + 1), str, 1)
    names = network_names(catalog, lang)
    rows = []
    for n in range(1, count + 1):
        with st.container(border=True):
            st.caption(plain(word("start.training", lang, number=n)))
            rows.append(_training(page, n, names))
    if filled := [row for row in rows if row]:
        page.asked.document["train"] = filled


def network_names(catalog: Catalog, lang: str) -> list[str]:
    """What can be trained, by name: the networks of the catalog and those on tiles."""
    rows: list[Any] = [*catalog.networks.values(), *(p for p in catalog.presets.values() if p.category == "tile")]
    return sorted({_name_of(row, lang) for row in rows})


def _training(page: _Page, n: int, names: list[str]) -> dict[str, Any]:
    lang, form, at = page.lang, page.form, f"train{n}"
    columns = st.columns([3, 1, 1, 1])
    with columns[0]:
        what = form.choice(f"{at}.what", word("start.what", lang), names, str, accept_new_options=True,
                           help=word("start.what.help", lang), placeholder=page.default("train.what"))  # fmt: skip
    with columns[1]:
        people = form.number(f"{at}.people", word("start.people", lang))
    with columns[2]:
        batch = form.whole(f"{at}.batch", word("start.batch", lang))
    with columns[3]:
        tiles = form.whole(f"{at}.tiles", word("start.tiles", lang))
    columns = st.columns([1, 1, 1, 2, 1, 1])
    with columns[0]:
        by = form.choice(f"{at}.by", word("start.runs_by", lang), RUNS_BY, lambda b: word(f"start.runs_by.{b}", lang),
                         "papers")  # fmt: skip
    with columns[1]:
        count = form.number(f"{at}.count", word("start.count", lang))
    with columns[2]:
        hours = form.number(f"{at}.hours", word("start.now.hours", lang), help=word("start.now", lang))
    with columns[3]:
        cards = {c.id: card_name(c) for c in sorted(page.catalog.cards.values(), key=lambda c: c.name)}
        card = form.choice(f"{at}.card", word("start.now.card", lang), list(cards),
                           lambda c: cards.get(c, str(c)), placeholder=say("start.empty", lang))  # fmt: skip
    with columns[4]:
        memory = form.number(f"{at}.memory", word("start.now.memory_gib", lang))
    with columns[5]:
        source = form.choice(f"{at}.source", word("start.now.memory_from", lang), MEMORY_FROM, str,
                             placeholder=page.default("train.now.memory_from"))  # fmt: skip
    must = form.flag(f"{at}.must", word("start.must", lang), True)
    now = unless_open({"hours": hours, "card": card, "memory_gib": memory, "memory_from": source if memory else None})
    row = unless_open({"what": what, "people": people, "batch": batch, "tiles": tiles, by: count, "now": now})
    return {**row, "must": must} if row else {}


def _place(page: _Page) -> None:
    page.head(9)
    where = page.words("place.where", PLACES)
    page.asked.document |= unless_open({"place": unless_open({"where": where})})


def _payers(page: _Page) -> None:
    page.head(10)
    found = {}
    for column, key in zip(st.columns(3), ("power", "hosting", "care"), strict=True):
        with column:
            found[key] = page.words(f"payers.{key}", PAYERS)
    page.asked.document |= unless_open({"payers": unless_open(found)})


def _campus(page: _Page) -> None:
    page.head(11)
    lang = page.lang
    columns = st.columns(3)
    with columns[0]:
        there = page.form.choice("campus", say("start.field.campus.available", lang), (True, False, DONT_KNOW),
                                 lambda c: word({True: "start.yes", False: "start.no"}.get(c, "start.unknown"), lang),
                                 placeholder=say("start.empty", lang))  # fmt: skip
    rate = wait = None
    if there is not False:
        with columns[1]:
            rate = page.money("campus.rate", say("start.field.campus.price_per_card_hour", lang),
                              "campus.price_per_card_hour")  # fmt: skip
        with columns[2]:
            wait = page.form.number("campus.wait", say("start.field.campus.usual_wait_hours", lang))
    found = {"available": there, "price_per_card_hour": rate, "usual_wait_hours": wait}
    page.asked.document |= unless_open({"campus": unless_open(found)})


def _profile(page: _Page) -> None:
    page.head(12)
    rows = {row.id: row for row in page.catalog.procurement}
    choices = list(rows)

    def name(key: str) -> str:
        return word("start.unknown", page.lang) if key == DONT_KNOW else _name_of(rows[key], page.lang)

    chosen = page.form.choice("profile", say("start.field.procurement.profile", page.lang), (*choices, DONT_KNOW), name,
                              placeholder=page.default("procurement.profile"))  # fmt: skip
    page.asked.document |= unless_open({"procurement": unless_open({"profile": chosen})})


def _name_of(row: Any, lang: str) -> str:
    return str(row.name_zh if lang == "zh" else row.name)


def _owned(page: _Page) -> None:
    page.head(8)
    lang, form = page.lang, page.form
    count = form.radio("machines", word("start.machines", lang), range(MOST_MACHINES + 1), str, 0)
    cards = {c.id: card_name(c) for c in sorted(page.catalog.cards.values(), key=lambda c: c.name)}
    rows = []
    for n in range(1, count + 1):
        at = f"own{n}"
        columns = st.columns([2, 1, 1, 1, 1, 1])
        with columns[0]:
            card = form.choice(f"{at}.card", say("start.field.own.card", lang), list(cards),
                               lambda c: cards.get(c, str(c)), placeholder=word("open.choose", lang))  # fmt: skip
        with columns[1]:
            each = form.whole(f"{at}.cards", say("start.field.own.cards", lang), placeholder="1")
        with columns[2]:
            machines = form.whole(f"{at}.count", say("start.field.own.count", lang), placeholder="1")
        with columns[3]:
            watts = form.number(f"{at}.psu", say("start.field.own.psu_watts", lang) + ", W")
        with columns[4]:
            disk = form.choice(f"{at}.disk", say("start.field.own.disk", lang), DISKS, str,
                               placeholder=page.default("own.disk"))  # fmt: skip
        with columns[5]:
            size = form.number(f"{at}.tb", say("start.field.own.disk_tb", lang) + ", TB")
        if card:
            rows.append(unless_open({"card": card, "cards": each, "count": machines, "psu_watts": watts, "disk": disk,
                                     "disk_tb": size}))  # fmt: skip
    if rows:
        page.asked.document["own"] = rows


# --- faults ---


def question_of(problem: Problem) -> int:
    """The question that a fault belongs to."""
    table, _, rest = _plain_key(problem.column).partition(".")
    if table == "train":
        return OF_TRAINING.get(rest.partition(".")[0], 4)
    known = {key: q.number for q in QUESTIONS for key in q.keys}
    return known.get(_plain_key(problem.column), TABLES.get(table, 1))
