"""Blocks of rows: a list of components that are one machine, or items each bought for itself."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field

from hwcost.intake import words
from hwcost.intake.lines import MOST_TITLE, Table
from hwcost.intake.model import Amount, Choice, Line, Part, Question, Said
from hwcost.intake.parts import count_of

HOST_PARTS = frozenset(("cpu", "ram", "storage", "psu", "chassis", "other"))
LEAST_HOST_PARTS = 2


@dataclass
class Block:
    """Rows between two titles or totals. `total` is what the file states for them; `tax` a tax line of its own."""

    number: int
    title: str = ""
    lines: list[Line] = field(default_factory=list)
    covered: set[int] = field(default_factory=set)  # rows under a merged price
    total: float | None = None
    total_row: int = 0
    total_tax: bool | None = None
    tax: float = 0.0

    def add(self, line: Line, covered: bool) -> None:
        self.lines.append(line)
        if covered:
            self.covered.add(line.row)

    @property
    def sum(self) -> float:
        return sum(_amount(line) for line in self.lines)

    @property
    def unpriced(self) -> bool:
        return any(line.price is None and line.row not in self.covered for line in self.lines)


def _amount(line: Line) -> float:
    if line.amount is not None:
        return line.amount.value
    if line.price is not None:
        return line.price.value * (line.quantity or 1.0)
    return 0.0


def machines_of(block: Block, table: Table) -> list[Line]:
    """The lines of a block, its components joined to one machine where they are one.

    Sure where they share one merged price or only the total has one; else asked, for components priced one by one may
    be bought one by one.
    """
    if any(line.kind == "machine" for line in block.lines):
        return block.lines
    groups = _merged_groups(block)
    if groups:
        return [_machine(block, group, table) if len(group) > 1 else group[0] for group in groups]
    if not _looks_like_a_machine(block):
        return block.lines
    priced = [line for line in block.lines if line.price is not None]
    if len(priced) <= 1 and (block.total is not None or len(priced) == 1) and len(block.lines) > 1:
        return [_machine(block, block.lines, table)]
    key = f"block{block.lines[0].row}.layout"
    values = {"first": block.lines[0].row, "last": block.lines[-1].row, "total": f"{block.total or block.sum:,.2f}",
              "title": block.title}  # fmt: skip
    chosen = table.answers.get(key)
    if chosen == "machine":
        return [_machine(block, block.lines, table)]
    if chosen != "items":
        choices = (Choice("machine", "machine", values), Choice("items", "items", values))
        table.ask(Question(key, "layout", "choice", choices, values, block.lines[0].row))
    return block.lines


def _merged_groups(block: Block) -> list[list[Line]]:
    """Rows by merged price: each row whose price is covered belongs to the row above. Empty where none is covered."""
    if not block.covered:
        return []
    groups: list[list[Line]] = []
    for line in block.lines:
        if line.row in block.covered and groups:
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups


def category(line: Line) -> str:
    """The component that a line is: by its own words, the first that tells."""
    return next((found for name in line.names if (found := words.category_of(name))), "")


def _looks_like_a_machine(block: Block) -> bool:
    kinds = {category(line) for line in block.lines}
    return "card" in kinds and len(kinds & HOST_PARTS) >= LEAST_HOST_PARTS


def _machine(block: Block, lines: list[Line], table: Table) -> Line:
    """One machine out of the lines of its components; its price is the total, else the one price, else the sum."""
    first = lines[0]
    parts = tuple(_part(line) for line in lines)
    priced = [line.price for line in lines if line.price is not None]
    example = priced[0] if priced else None
    currency = example.currency if example else table.answers.get("currency") or table.facts.get("currency", "")
    tax = example.tax_included if example else block.total_tax
    if tax is None:
        word = table.answers.get("tax_included") or table.facts.get("tax", "")
        tax = {"yes": True, "no": False}.get(word)
    whole = block.total is not None and lines is block.lines
    if (
        whole
        and block.total is not None
        and tax is False
        and block.tax
        and abs(block.sum + block.tax - block.total) < 1
    ):
        value = block.total - block.tax  # the total has the tax line in it, the lines do not
    elif whole and block.total is not None:
        value = block.total
    else:
        value = sum(_amount(line) for line in lines)
    price = Amount(round(value, 2), currency, tax, f"{value:,.2f}") if value > 0 else None
    named = next((name for name in first.names if words.MACHINE.search(name)), "")
    of_parts = " ".join(part.text for part in parts if part.category in ("chassis", "card"))[:MOST_TITLE]
    title = block.title or named or of_parts or first.title
    facts: dict[str, str] = {}
    for line in lines:
        facts = {**line.facts, **facts}
    table.notes.append(Said("machine_of_rows", {"first": lines[0].row, "last": lines[-1].row}, first.row))
    return dataclasses.replace(
        first, kind="machine", title=title, names=(title,), quantity=1.0, price=price, amount=price, parts=parts,
        memory_gib=None, facts=facts, block=str(block.number),
    )  # fmt: skip


def _part(line: Line) -> Part:
    """A line as a component. Its quantity counts where the words state no other."""
    text = next((name for name in line.names if words.category_of(name)), line.names[0] if line.names else line.title)
    stated = next((n for name in line.names if (n := count_of(name)) is not None), None)
    quantity = None if line.quantity is None else int(line.quantity)
    number = quantity if stated is None or (quantity or 0) > 1 else stated
    return Part(category(line) or "other", text, number, line.row)
