"""What a reading would change in the user's tables, and what is still open. Nothing is written here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import PurePath

from hwcost.intake import figures, words
from hwcost.intake.machines import Asker, is_left_out, system_cells, system_id
from hwcost.intake.match import match_item
from hwcost.intake.model import (
    LEAVE_OUT,
    Amount,
    Answers,
    Changes,
    Choice,
    Line,
    PriceChange,
    Question,
    Reading,
    Said,
    SystemChange,
)
from hwcost.intake.store import KEYS
from hwcost.pricing import choose_price, convert, net_of_tax
from hwcost.quantities import CURRENCIES, QuantityError
from hwcost.records import PRICE_KINDS, REGIONS, Catalog, Price
from hwcost.scenario import Scenario
from hwcost.scenario_defaults import REGION_TAX

FAR = (-0.75, 3.0)  # a price that differs more from the catalog's is a slip more often than an offer
MOST_ASKED = 20  # lines of a quotation; a price list has more
UNMATCHED = ("cpu", "ram", "other")  # components of which the catalog has no table


@dataclass(frozen=True)
class _Quote:
    """What holds for the whole file once it is known."""

    vendor: str
    number: str
    issued: date | None
    order: str | None  # of days and months
    region: str
    kind: str
    tax_rate: float
    file: str


def plan_changes(reading: Reading, answers: Answers, catalog: Catalog, scenario: Scenario | None = None) -> Changes:
    """Prices and machines that an import would add, each with its difference from the catalog's price, and every
    question that is left. Facts of the file as answers: vendor, quote_number, date, valid_until, tax_included (yes,
    no), currency, region, price_kind, on_sale (yes: note the items as on sale). The scenario gives region and tax rate.
    """
    asker = Asker(answers, list(reading.questions))
    if not reading.header_rows:
        return Changes(reading, (), (), (), (), (), tuple(asker.questions))
    quote = _quote(reading, answers, scenario, asker)
    reading = _with_extras(reading, asker)
    left: list[Said] = list(reading.rejected)
    notes: list[Said] = list(reading.notes)
    prices: list[PriceChange] = []
    systems: list[SystemChange] = []
    unknown = _unknown_rows(reading, answers, catalog, asker)
    for line in reading.lines:
        if line.row in unknown:
            left.append(Said("unknown", {"name": line.title}, line.row))
        elif is_left_out(line, answers):
            left.append(Said("left_out_by_user", {"name": line.title}, line.row))
        elif line.kind == "extra":
            left.append(Said("extra", {"name": line.title}, line.row))
        elif line.price is None:
            if not any(q.row == line.row for q in reading.questions):
                left.append(Said("no_price", {"name": line.title}, line.row))
        elif line.kind == "machine":
            _machine(line, quote, reading, catalog, asker, prices, systems)
        else:
            _item(line, quote, reading, catalog, asker, prices, left)
    prices = _one_each(prices, asker, left)
    availability = _availability(prices, systems, quote, catalog, answers, notes)
    if quote.kind == "quote":
        notes += [Said(f"no_{name}") for name, value in (("quote_number", quote.number), ("validity", _validity(
            None, quote, reading, answers))) if not value]  # fmt: skip
    return Changes(reading, tuple(prices), tuple(systems), tuple(availability), tuple(left), tuple(notes),
                   _unique(asker.questions))  # fmt: skip


def _unique(questions: list[Question]) -> tuple[Question, ...]:
    return tuple({question.id: question for question in reversed(questions)}.values())[::-1]


# --- the file ---


def _quote(reading: Reading, answers: Answers, scenario: Scenario | None, asker: Asker) -> _Quote:
    facts = {**reading.facts, **{key: answers[key] for key in ("vendor", "quote_number", "date") if answers.get(key)}}
    order = answers.get("date_order") if answers.get("date_order") in ("dmy", "mdy") else None
    region = answers.get("region") or (scenario.region if scenario else "")
    if region not in REGIONS:
        asker.questions.append(Question("region", "region", "choice", tuple(Choice(r) for r in REGIONS)))
        region = ""
    needs_vendor = not facts.get("vendor") and not all(line.facts.get("vendor") for line in reading.lines)
    if needs_vendor:
        asker.questions.append(Question("vendor", "vendor", "text"))
    kind = answers.get("price_kind") or "quote"
    issued = _day("date", facts.get("date", ""), order, asker)
    if issued is None and not all(line.facts.get("date") for line in reading.lines) and not _asked(asker, "date"):
        asker.questions.append(Question("date", "date", "date"))
    tax_rate = scenario.tax_rate if scenario else REGION_TAX[region][0] if region else 0.0
    return _Quote(facts.get("vendor", ""), facts.get("quote_number", ""), issued, order, region,
                  kind if kind in PRICE_KINDS else "quote", tax_rate, PurePath(reading.name).name)  # fmt: skip


def _asked(asker: Asker, question_id: str) -> bool:
    return any(question.id in (question_id, "date_order") for question in asker.questions)


def _day(name: str, text: str, order: str | None, asker: Asker, row: int | None = None) -> date | None:
    """A day as written; one of two readings is asked for the whole file, an unreadable one for itself."""
    if not text:
        return None
    key = name if row is None else f"row{row}.{name}"
    try:
        return figures.day(asker.answers.get(key) or text, order)
    except QuantityError as error:
        _ask_day(error, key, text, asker, row)
        return None


def _ask_day(error: QuantityError, key: str, text: str, asker: Asker, row: int | None) -> None:
    values = {"value": text[:40], **error.values}
    if error.code == "date_ambiguous":
        orders = (("dmy", "first"), ("mdy", "second"))
        choices = tuple(Choice(order, "day", {"day": error.values[name]}) for order, name in orders)
        asker.questions.append(Question("date_order", "date_order", "choice", choices, values, row))
    else:
        asker.questions.append(Question(key, "date_unreadable", "date", (), values, row))


def _validity(line: Line | None, quote: _Quote, reading: Reading, answers: Answers, asker: Asker | None = None) -> str:
    """The last day of validity as ISO text; "" where nothing is stated."""
    own = line.facts.get("valid", "") if line else ""
    key = "valid_until"
    text = answers.get(key) or own or reading.facts.get("valid", "")
    if not text:
        return ""
    issued = quote.issued
    if line is not None and line.facts.get("date"):
        try:
            issued = figures.day(line.facts["date"], quote.order)
        except QuantityError:
            issued = None
    try:
        found = figures.validity(text, None, issued, quote.order)
    except QuantityError as error:
        if asker is not None:
            _ask_day(error, key, text, asker, line.row if line else None)
        return ""
    return found.isoformat() if found else ""


def _unknown_rows(reading: Reading, answers: Answers, catalog: Catalog, asker: Asker) -> set[int]:
    """Rows that name nothing of the catalog, where the file is a price list: left out together, or asked one by one."""
    open_lines = [line for line in reading.lines if line.kind == "item" and line.price is not None
                  and f"row{line.row}.item" not in answers]  # fmt: skip
    rows = {line.row for line in open_lines if not match_item(line, catalog, near_too=False).id}
    if len(rows) <= MOST_ASKED or answers.get("unknown") == "ask":
        return set()
    if answers.get("unknown") != LEAVE_OUT:
        values = {"count": len(rows)}
        choices = (Choice(LEAVE_OUT, "leave_unknown", values), Choice("ask", "ask_each", values))
        asker.questions.append(Question("unknown", "unknown", "choice", choices, values))
    return rows


def _basis(amount: Amount) -> tuple[str, bool | None]:
    return amount.currency, amount.tax_included


def _with_extras(reading: Reading, asker: Asker) -> Reading:
    """Freight, services and software beside the one machine of a file: part of its price, where the user says so."""
    machines = [line for line in reading.lines if line.kind == "machine" and line.price is not None]
    extras = [line for line in reading.lines if line.kind == "extra" and line.price is not None]
    if len(machines) != 1 or not extras or is_left_out(machines[0], asker.answers):
        return reading
    price = machines[0].price
    sums = [
        extra.price.value * (extra.quantity or 1.0)
        for extra in extras
        if extra.price is not None and price is not None and _basis(extra.price) == _basis(price)
    ]
    if price is None or len(sums) != len(extras) or (machines[0].quantity or 1.0) != 1.0:
        return reading
    if asker.answers.get("extras") != "add":
        if asker.answers.get("extras") != "apart":
            values = {"rows": ", ".join(str(e.row) for e in extras), "amount": f"{sum(sums):,.2f}",
                      "name": machines[0].title, "total": f"{price.value + sum(sums):,.2f}"}  # fmt: skip
            choices = (Choice("add", "add_extras", values), Choice("apart", "extras_apart", values))
            asker.questions.append(Question("extras", "extras", "choice", choices, values))
        return reading
    whole = replace(machines[0], price=replace(price, value=round(price.value + sum(sums), 2)))
    kept = [whole if line is machines[0] else line for line in reading.lines if line not in extras]
    added = tuple(Said("added_to_machine", {"name": e.title}, e.row) for e in extras)
    return replace(reading, lines=tuple(kept), notes=(*reading.notes, *added))


# --- lines ---


def _price(
    line: Line, item_id: str, name: str, quote: _Quote, reading: Reading, catalog: Catalog, asker: Asker,
    against: float | None = None,
) -> PriceChange | None:  # fmt: skip
    """The price row of a line; None while its currency, tax basis or date is open."""
    price = line.price
    assert price is not None
    if price.currency not in CURRENCIES:
        asker.questions.append(Question("currency", "currency", "choice", tuple(Choice(c) for c in CURRENCIES)))
    if price.tax_included is None:
        choices = (Choice("yes", "taxed"), Choice("no", "untaxed"))
        asker.questions.append(Question("tax_included", "tax_included", "choice", choices))
    issued = _day("date", line.facts["date"], quote.order, asker, line.row) if line.facts.get("date") else quote.issued
    valid = _validity(line, quote, reading, asker.answers, asker)
    if issued is not None and valid and date.fromisoformat(valid) < issued:
        values = {"value": valid, "date": issued.isoformat()}
        asker.questions.append(Question("valid_until", "valid_before_date", "date", (), values, line.row))
        return None
    if price.currency not in CURRENCIES or price.tax_included is None or issued is None:
        return None
    vendor = asker.answers.get("vendor") or line.facts.get("vendor") or quote.vendor
    number = line.facts.get("quote_number") or quote.number
    source = f"quotation {number}" if number else "quotation"
    cells = {
        "item_id": item_id, "amount": f"{round(price.value, 4):.12g}", "currency": price.currency,
        "tax_included": "yes" if price.tax_included else "no", "price_kind": quote.kind, "vendor": vendor,
        "region": quote.region, "as_of": issued.isoformat(), "valid_until": valid,
        "source": f"{source} ({quote.file}, row {line.row})", "note": line.title,
    }  # fmt: skip
    net = net_of_tax(price.value, price.tax_included, quote.tax_rate)
    known = against if against is not None else _catalog_net(catalog, item_id, quote, price.currency, issued)
    key = tuple(cells[name] for name in KEYS["prices.csv"])
    replaces = any(p.origin.layer != "bundled" and _key(p) == key for p in catalog.prices)
    difference = net / known - 1.0 if known else None
    kept = asker.answers.get(f"row{line.row}.far") == "keep"
    if difference is not None and not FAR[0] <= difference <= FAR[1] and not kept:
        values = {"name": name, "amount": cells["amount"], "currency": price.currency,
                  "difference": f"{100 * difference:+,.0f}"}  # fmt: skip
        choices = (Choice("keep", "keep", values), Choice(LEAVE_OUT, "leave_out"))
        asker.questions.append(Question(f"row{line.row}.far", "far", "choice", choices, values, line.row))
    return PriceChange(line.row, item_id, name, cells, known, difference, replaces)


def _key(price: Price) -> tuple[str, ...]:
    return price.item_id, price.region, price.price_kind, price.vendor, price.as_of.isoformat()


def _catalog_net(catalog: Catalog, item_id: str, quote: _Quote, currency: str, day: date) -> float | None:
    """What the catalog says the item costs on that day, net, in the quote's currency; None where it does not know."""
    found = choose_price(catalog, item_id, quote.region, day)
    if found is None:
        return None
    converted = convert(catalog, found.amount, found.currency, currency, day)
    if converted is None:  # the newest rate, where the quotation is older than every rate
        converted = convert(catalog, found.amount, found.currency, currency, date.max)
    return net_of_tax(converted.amount, found.tax_included, quote.tax_rate) if converted else None


def _item(
    line: Line, quote: _Quote, reading: Reading, catalog: Catalog, asker: Asker, prices: list[PriceChange],
    left: list[Said],
) -> None:  # fmt: skip
    category = next((c for name in line.names if (c := words.category_of(name))), "")
    match = match_item(line, catalog)
    if not match.id and category in UNMATCHED:
        left.append(Said("no_table", {"name": line.title}, line.row))
        return
    tables = (catalog.cards, catalog.chassis, catalog.psus, catalog.storage)
    known = {identity: row for table in tables for identity, row in table.items()}
    item_id = asker.item(f"row{line.row}.item", "item", match, known, line, line.title)
    if not item_id:
        return
    change = _price(line, item_id, known[item_id].name, quote, reading, catalog, asker)
    if change is not None:
        prices.append(change)


def _machine(
    line: Line, quote: _Quote, reading: Reading, catalog: Catalog, asker: Asker, prices: list[PriceChange],
    systems: list[SystemChange],
) -> None:  # fmt: skip
    facts = {**reading.facts, **line.facts}
    cells = system_cells(line, facts, catalog, asker)
    number = line.facts.get("quote_number") or quote.number
    vendor = asker.answers.get("vendor") or line.facts.get("vendor") or quote.vendor
    identity = system_id(line, vendor, number, quote.issued.isoformat() if quote.issued else "")
    against = _parts_net(cells, quote, catalog, line) if cells else None
    price = _price(line, identity, line.title, quote, reading, catalog, asker, against)
    if cells is None or price is None:
        return
    prices.append(price)
    row = {"id": identity, "name": cells.pop("name"), "name_zh": "", "vendor": vendor, "quote_number": number, **cells,
           "source": price.cells["source"], "as_of": price.cells["as_of"], "kind": "specification"}  # fmt: skip
    known = catalog.systems.get(identity)
    systems.append(SystemChange(line.row, identity, row, known is not None and known.origin.layer != "bundled"))


def _parts_net(cells: Mapping[str, str], quote: _Quote, catalog: Catalog, line: Line) -> float | None:
    """What the catalog's parts of such a machine cost together, net; None where one has no price."""
    if line.price is None or quote.issued is None or line.price.currency not in CURRENCIES:
        return None
    counts = ((cells["card_id"], int(cells["cards"])), (cells["chassis_id"], 1),
              (cells["psu_id"], int(cells["psu_count"])), (cells["storage_id"], 1))  # fmt: skip
    fixed = catalog.chassis[cells["chassis_id"]].psu_form.startswith("fixed:")
    known = [(n, _catalog_net(catalog, identity, quote, line.price.currency, quote.issued))
             for identity, n in counts if not (fixed and identity == cells["psu_id"])]  # fmt: skip
    return sum(n * net for n, net in known if net is not None) if all(net is not None for _, net in known) else None


def _one_each(prices: list[PriceChange], asker: Asker, left: list[Said]) -> list[PriceChange]:
    """One price per item, vendor and day: of several different ones the user chooses."""
    groups: dict[tuple[str, ...], list[PriceChange]] = {}
    for change in prices:
        key = tuple(change.cells[c] for c in ("item_id", "region", "price_kind", "vendor", "as_of"))
        groups.setdefault(key, []).append(change)
    kept = []
    for group in groups.values():
        first = group[0]
        if len({(c.cells["amount"], c.cells["currency"], c.cells["tax_included"]) for c in group}) > 1:
            question_id = f"same.{first.item_id}"
            chosen = next((c for c in group if str(c.row) == asker.answers.get(question_id)), None)
            if chosen is None:
                choices = tuple(Choice(str(c.row), "row", {
                    "row": c.row, "name": c.cells["note"], "amount": c.cells["amount"], "currency": c.cells["currency"],
                }) for c in group)  # fmt: skip
                asker.questions.append(Question(question_id, "same_item", "choice", choices, {"name": first.name}))
            first = chosen or first
        kept.append(first)
        left += [Said("same_item", {"name": c.cells["note"]}, c.row) for c in group if c is not first]
    return sorted(kept, key=lambda change: change.row)


def _availability(
    prices: list[PriceChange], systems: list[SystemChange], quote: _Quote, catalog: Catalog, answers: Answers,
    notes: list[Said],
) -> list[dict[str, str]]:  # fmt: skip
    """Cards that the catalog does not hold for buyable: said, and noted as on sale where the user says so."""
    named = {change.item_id for change in prices} | {change.cells["card_id"] for change in systems}
    rows = []
    for card_id in sorted(named & set(catalog.cards)):
        known = [a for a in catalog.availability if (a.item_id, a.region) == (card_id, quote.region)]
        status = max(known, key=lambda a: a.as_of).status if known else "to_check"
        if status == "on_sale" or not quote.region:
            continue
        if answers.get("on_sale") != "yes":
            values = {"name": catalog.cards[card_id].name, "region": quote.region, "status": status}
            notes.append(Said("not_on_sale", values))
            continue
        price = next(p for p in prices if p.item_id == card_id or any(
            s.id == p.item_id and s.cells["card_id"] == card_id for s in systems))  # fmt: skip
        rows.append({"item_id": card_id, "region": quote.region, "status": "on_sale", "as_of": price.cells["as_of"],
                     "source": price.cells["source"]})  # fmt: skip
    return rows
