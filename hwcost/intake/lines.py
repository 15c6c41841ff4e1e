"""One row of a vendor's table as a `Line`: what it names, its price with currency and tax basis, its doubts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from hwcost.intake import figures, words
from hwcost.intake.facts import tax_word
from hwcost.intake.header import Column, Header
from hwcost.intake.model import EMPTY, LEAVE_OUT, Amount, Answers, Cell, Choice, Line, Part, Question, Said
from hwcost.intake.parts import count_of, parts_of
from hwcost.quantities import QuantityError, is_missing, parse_memory, parse_number

LEAVE = Choice(LEAVE_OUT, "leave_out")
MOST_TITLE = 120
AMOUNT_CHOICES = ("price", "amount", LEAVE_OUT)  # answers to "which of the two counts", which share an id with a figure
HIGHEST_TAX = 1.3  # no country taxes computers more


@dataclass
class Table:
    """What is known while the rows of one table are read; questions and remarks gather here."""

    header: Header
    answers: Answers
    facts: Mapping[str, str]
    marks: dict[int, str | None]
    questions: list[Question] = field(default_factory=list)
    rejected: list[Said] = field(default_factory=list)
    notes: list[Said] = field(default_factory=list)

    def ask(self, question: Question) -> None:
        """Puts a question that no answer settles: a closed one only by one of its choices, a figure never, for it is
        asked only where the answer, too, could not be read."""
        answer = self.answers.get(question.id)
        settled = answer in [choice.value for choice in question.choices] if question.kind == "choice" else (
            answer in AMOUNT_CHOICES)  # fmt: skip
        if not settled and all(q.id != question.id for q in self.questions):
            self.questions.append(question)


@dataclass(frozen=True)
class Money:
    """The prices of a row that were found, by tax basis; `faulty`: a cell could not be read, and a question stands."""

    found: tuple[Amount, ...]
    faulty: bool

    def best(self) -> Amount | None:
        """What the lab pays: the price with tax, else the one without, else the one of which nothing is said."""
        order = {True: 0, False: 1, None: 2}
        return min(self.found, key=lambda amount: order[amount.tax_included], default=None)


def cell_at(cells: tuple[Cell, ...], column: Column | None) -> Cell:
    return cells[column.place] if column is not None and column.place < len(cells) else EMPTY


def text_of(cells: tuple[Cell, ...], header: Header, name: str) -> str:
    column = next(iter(header.of(name)), None)
    return cell_at(cells, column).text


def read_line(row: int, cells: tuple[Cell, ...], table: Table) -> Line | None:
    """The line of one row; None where it is left out (said in `rejected`). Doubts are asked."""
    header, answers = table.header, table.answers
    if any(answers.get(f"row{row}.{name}") == LEAVE_OUT for name in ("price", "amount", "item", "quantity")):
        table.rejected.append(Said("left_out_by_user", {"name": _title(cells, header)}, row))
        return None
    title = _title(cells, header)
    prices, amounts = (_money(row, cells, name, table) for name in words.MONEY_FIELDS)
    quantity = _quantity(row, cells, table)
    facts = _facts(cells, header)
    price, amount = prices.best(), _matching(amounts, prices.best())
    if price is not None and amount is not None and quantity is not None:
        price, amount = _checked(row, quantity, price, amount, table)
    elif price is None and amount is not None and quantity:
        price = Amount(round(amount.value / quantity, 2), amount.currency, amount.tax_included, amount.text)
    elif price is None and amount is not None and not prices.faulty:
        table.ask(Question(f"row{row}.quantity", "quantity", "number", (LEAVE,), {"name": title}, row))
    if price is not None and amounts.best() is None:
        _ask_discount(row, cells, price, table)
    memory = _memory(text_of(cells, header, "memory"))
    parts, is_machine = _parts(row, cells, header)
    kind = "machine" if is_machine else "extra" if _is_extra(cells, header) else "item"
    return Line(row, kind, title, _names(cells, header), quantity, price, amount, memory, facts, parts)


def _ask_discount(row: int, cells: tuple[Cell, ...], price: Amount, table: Table) -> None:
    """A reduction in a column of its own, and no amount that says what is left: the price after it is asked."""
    column = next(iter(table.header.of("discount")), None)
    text = cell_at(cells, column).text
    if column is None or not re.search(r"[1-9一二三四五六七八九]", text) or table.answers.get(f"row{row}.price"):
        return
    values = {"column": column.title, "discount": text[:40], "price": f"{price.value:,.2f}"}
    table.ask(Question(f"row{row}.price", "discount", "number", (LEAVE,), values, row))


def _title(cells: tuple[Cell, ...], header: Header) -> str:
    found = [text_of(cells, header, name) for name in ("name", "brand", "model")]
    if not any(found):
        found = [text_of(cells, header, name) for name in ("spec", "card")]
    return " ".join(dict.fromkeys(text.replace("\n", " ") for text in found if text))[:MOST_TITLE]


def _names(cells: tuple[Cell, ...], header: Header) -> tuple[str, ...]:
    """What may name a catalog item, the most exact first; the brand stands before the model."""
    brand, model, name, spec, card = (text_of(cells, header, n) for n in ("brand", "model", "name", "spec", "card"))
    column = next(iter(header.of("name")), None)
    if model and cell_at(cells, column).covered:  # the name of a whole block, above whose parts it is merged
        name = ""
    both = f"{name} {model}" if name and model else ""
    candidates = [model, f"{brand} {model}" if brand and model else "", name, both, card, spec]
    return tuple(dict.fromkeys(text.strip() for text in candidates if text.strip()))


def _is_extra(cells: tuple[Cell, ...], header: Header) -> bool:
    text = " ".join(text_of(cells, header, name) for name in ("category", "name", "model"))
    return words.EXTRAS.search(text) is not None and words.category_of(text) in ("", "other")


def _parts(row: int, cells: tuple[Cell, ...], header: Header) -> tuple[tuple[Part, ...], bool]:
    """The components of a row, and whether it is a whole machine: it has a column for the card beside others of the
    machine, or its words say "workstation" and name a card among other components."""
    parts: list[Part] = []
    number = _whole(text_of(cells, header, "cards"))
    for name in words.PART_FIELDS:
        text = text_of(cells, header, name)
        if text and not is_missing(text):
            stated = number if name == "card" and number is not None else count_of(text)
            parts.append(Part(name, text, stated, row))
    named = [text_of(cells, header, name) for name in ("name", "brand", "model", "spec", "note")]
    has_columns = any(p.category == "card" for p in parts) and len(header.of(*words.PART_FIELDS, "cards")) > 1
    free = [part for text in named if text for part in parts_of(text, row)]
    known = {part.category for part in parts}
    parts += [part for part in free if part.category not in known]
    says_machine = any(words.MACHINE.search(text) for text in named if text)
    by_words = says_machine and "card" in {part.category for part in free} and len({p.category for p in free}) > 1
    if not any(part.category == "chassis" for part in parts) and any(named):
        whole = " ".join(text for text in (named[1:3] if named[2] else named[:1]) if text)
        parts.append(Part("chassis", whole[:MOST_TITLE], None, row))
    is_machine = has_columns or by_words
    return (tuple(parts) if is_machine else ()), is_machine


def _facts(cells: tuple[Cell, ...], header: Header) -> dict[str, str]:
    facts: dict[str, str] = {}
    for column in header.of(*words.FACT_FIELDS):
        cell = cell_at(cells, column)
        if not cell.text or is_missing(cell.text):
            continue
        text = cell.text
        if column.field == "tax":
            stated = tax_word(text)
            if stated is None:
                continue
            text = "yes" if stated else "no"
        elif column.field == "currency":
            text = words.currency_of(text) or text
        elif column.field in ("delivery", "warranty"):
            text = with_unit(text, column.title)
        facts[column.field] = text
    return facts


def with_unit(text: str, title: str) -> str:
    """A bare number with the unit of its title: "4" under "交货期（周）" is "4 周"."""
    try:
        bare = parse_number(text) is not None
    except QuantityError:
        bare = False
    unit = next(
        (u for u in ("工作日", "周", "月", "年", "天", "week", "month", "year", "day") if u in title.lower()), ""
    )
    return f"{text} {unit}" if bare and unit else text


# --- figures ---


def _money(row: int, cells: tuple[Cell, ...], name: str, table: Table) -> Money:
    """Every price of a row in the columns of one field. A cell that cannot be read is asked about."""
    found: list[Amount] = []
    faulty = False
    corrected = table.answers.get(f"row{row}.{name}")
    titles: list[str] = []
    for column in _columns_of(name, table):
        cell = cell_at(cells, column)
        if cell.covered or not cell.text:
            continue
        if corrected and corrected not in AMOUNT_CHOICES:
            cell = Cell(corrected)
        currency = column.currency or currency_fact(cells, table)
        mark = "." if corrected else mark_of(cell, currency, table.marks.get(column.place))
        try:
            read = figures.amount(cell, currency, mark, column.scale)
        except QuantityError as error:
            if error.code == "zero_price":
                table.rejected.append(Said("zero_price", {"name": _title(cells, table.header)}, row))
                continue
            faulty = True
            _ask_cell(row, name, cell, error, table)
            continue
        if read is not None:
            stated = read[1] or currency or cell.currency
            found.append(Amount(read[0], stated, _tax(cell, column, cells, table), cell.text))
            titles.append(column_name(column, table.header.of(name)))
    _one_price(name, found, titles, table)
    return Money(tuple(found), faulty)


def _columns_of(name: str, table: Table) -> list[Column]:
    """The columns of money that count: all of them, or the one that the user chose of several."""
    columns = table.header.of(name)
    chosen = [column for column in columns if column_name(column, columns) == table.answers.get(f"column.{name}")]
    return chosen or columns


def column_name(column: Column, columns: list[Column]) -> str:
    """A column by its title, with its letter where another one has the same title."""
    same = [other for other in columns if other.title == column.title]
    return column.title if len(same) == 1 else f"{column.title} ({column_letters(column.place)})"


def column_letters(place: int) -> str:
    """ "A" for 0, "AA" for 26."""
    return (column_letters(place // 26 - 1) if place >= 26 else "") + chr(ord("A") + place % 26)


def _one_price(name: str, found: list[Amount], titles: list[str], table: Table) -> None:
    """Asks which column counts where two prices of a row differ by more than a tax: a list price and an offer."""
    distinct = {(a.value, a.currency) for a in found}
    if len(distinct) < 2:
        return
    net, gross = min(a.value for a in found), max(a.value for a in found)
    by_tax = {a.tax_included: a.value for a in found}
    taxed = len(found) == 2 and {True, False} == set(by_tax) and by_tax[True] == gross and gross <= HIGHEST_TAX * net
    currencies = len({a.currency for a in found}) > 1
    if not taxed or currencies:
        choices = tuple(Choice(title) for title in titles)
        values = {"titles": ", ".join(titles), "first": found[0].text, "second": found[1].text}
        table.ask(Question(f"column.{name}", "column", "choice", choices, values))


def mark_of(cell: Cell, currency: str, mark: str | None) -> str | None:
    """The decimal mark for one cell: the column's; beside a currency that writes a point, a comma divides thousands."""
    if mark is None and currency not in ("", "EUR") and "," in figures.bare(cell.text):
        return "."
    return mark


def currency_fact(cells: tuple[Cell, ...], table: Table) -> str:
    """The currency of a row's prices where neither cell nor title states one: its own column, the user, the file."""
    own = text_of(cells, table.header, "currency")
    stated = words.currency_of(own) if own else ""
    return stated or table.answers.get("currency", "") or table.facts.get("currency", "")


def _tax(cell: Cell, column: Column, cells: tuple[Cell, ...], table: Table) -> bool | None:
    """Whether a price has tax in it: the cell's words, the title's, the row's column, the user, the file."""
    own, note = (text_of(cells, table.header, name) for name in ("tax", "note"))
    for stated in (words.tax_of(cell.text), column.tax_included, tax_word(own) if own else None, words.tax_of(note)):
        if stated is not None:
            return stated
    word = table.answers.get("tax_included") or table.facts.get("tax", "")
    return {"yes": True, "no": False}.get(word)


def _ask_cell(row: int, name: str, cell: Cell, error: QuantityError, table: Table) -> None:
    values = {"value": cell.text[:40], "problem": error.code, "detail": dict(error.values)}
    if error.code == "number_ambiguous":
        choices = tuple(Choice(mark, f"decimal_{word}", {"value": cell.text, "number": _read_with(cell.text, mark)})
                        for mark, word in ((".", "point"), (",", "comma")))  # fmt: skip
        table.ask(Question("decimal", "decimal", "choice", choices, values, row))
        return
    table.ask(Question(f"row{row}.{name}", "cell", "number", (LEAVE,), values, row))


def _read_with(text: str, mark: str) -> str:
    try:
        read = figures.amount(Cell(text), "", mark)
    except QuantityError:
        return "-"
    return "-" if read is None else f"{read[0]:.10g}"


def _quantity(row: int, cells: tuple[Cell, ...], table: Table) -> float | None:
    answer = table.answers.get(f"row{row}.quantity")
    column = next(iter(table.header.of("quantity")), None)
    cell = Cell(answer) if answer else cell_at(cells, column)
    if not cell.text or cell.covered:
        return None
    try:
        value = figures.count(cell, table.marks.get(column.place) if column else None)
        if value is not None and value <= 0:
            raise QuantityError("range_above", low="0")
        return value
    except QuantityError as error:
        values = {"value": cell.text[:40], "problem": error.code, "detail": dict(error.values)}
        table.ask(Question(f"row{row}.quantity", "cell", "number", (LEAVE,), values, row))
        return None


def _matching(amounts: Money, price: Amount | None) -> Amount | None:
    """The line's amount on the tax basis of its price; the best one where there is no price."""
    if price is None:
        return amounts.best()
    same = [a for a in amounts.found if a.tax_included == price.tax_included]
    return next(iter([*same, *(a for a in amounts.found if a.tax_included is None)]), None)


def _checked(row: int, quantity: float, price: Amount, amount: Amount, table: Table) -> tuple[Amount, Amount]:
    """Price and amount that agree, or the question which of them counts."""
    product = quantity * price.value
    if abs(product - amount.value) <= 0.01 * max(1.0, quantity) + 1e-4 * amount.value:
        return price, Amount(amount.value, price.currency, price.tax_included, amount.text)
    use = table.answers.get(f"row{row}.amount")
    if use == "amount":
        return Amount(round(amount.value / quantity, 2), price.currency, price.tax_included, amount.text), amount
    if use != "price":
        values = {"quantity": f"{quantity:g}", "price": f"{price.value:,.2f}", "product": f"{product:,.2f}",
                  "amount": f"{amount.value:,.2f}"}  # fmt: skip
        choices = (Choice("price", "use_price", values), Choice("amount", "use_amount", values), LEAVE)
        table.ask(Question(f"row{row}.amount", "amount_differs", "choice", choices, values, row))
    return price, Amount(product, price.currency, price.tax_included, price.text)


def _memory(text: str) -> float | None:
    try:
        return parse_memory(text) if text else None
    except QuantityError:
        return None


def _whole(text: str) -> int | None:
    try:
        value = figures.count(Cell(text)) if text else None
    except QuantityError:
        return None
    return int(value) if value is not None and value == int(value) and value > 0 else None
