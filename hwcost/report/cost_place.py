"""Where the cost rows of one plan and their totals stand on a sheet."""

from __future__ import annotations

from dataclasses import dataclass, field

from hwcost.build import Build
from hwcost.messages import say, texts
from hwcost.plan import Plan
from hwcost.report.book import Ref, Sheet, area
from hwcost.report.cost_rows import CostRow, Money

GROUP, CATEGORY, ITEM, PAYER, UNIT, PER, PRICE = range(7)
FIRST_YEAR = 7
LABEL_WIDTHS = {GROUP: 15.0, CATEGORY: 18.0, ITEM: 26.0, PAYER: 14.0, UNIT: 14.0}


@dataclass
class WrittenRow:
    """A cost row with the places of its unit price and of its quantities (first and last year)."""

    build: Build | None  # None: of no machine
    row: CostRow
    money: Money
    line: int
    price: Ref
    payer: str


@dataclass
class Block:
    """Where the totals of a plan stand."""

    plan: Plan
    sheet: Sheet
    years: int
    first: int = 0  # first and last row that may hold amounts
    last: int = 0
    rows: list[WrittenRow] = field(default_factory=list)
    year_totals: list[Ref] = field(default_factory=list)
    nominal: Ref | None = None
    present_value: Ref | None = None
    groups: dict[str, Ref] = field(default_factory=dict)
    categories: dict[str, Ref] = field(default_factory=dict)
    payers: dict[str, Ref] = field(default_factory=dict)
    subtotals: dict[str, Ref] = field(default_factory=dict)  # capex, capex_net, opex, residual
    # rows of cards in service and of their busy hours, over the years, as another sheet reads them
    use: dict[str, list[str]] = field(default_factory=lambda: {"cards": [], "card_hours": []})

    def quantity_column(self, year: int) -> int:
        return FIRST_YEAR + year

    def amount_column(self, year: int) -> int:
        return FIRST_YEAR + self.years + year

    @property
    def total_column(self) -> int:
        return FIRST_YEAR + 2 * self.years

    @property
    def amounts_area(self) -> str:
        """All amounts, totals and present values of the rows, as another sheet reads them."""
        return area(self.first, self.amount_column(0), self.last, self.total_column + 1, self.sheet.title)

    def quantities(self, line: int) -> str:
        """The quantities of a row over the years, as another sheet reads them."""
        return area(line, self.quantity_column(0), line, self.quantity_column(self.years - 1), self.sheet.title)


def say_on(block: Block, key: str, **values: object) -> str:
    return block.sheet.book.say(key, **values)


def category_text(category: str, lang: str) -> str:
    """The category in words; one without words stands for itself."""
    key = f"category.{category}"
    return say(key, lang) if key in texts() else category
