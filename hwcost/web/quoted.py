"""A quoted whole machine in the words of the meeting, beside what its parts cost in the catalog. No Streamlit here."""

from __future__ import annotations

from collections.abc import Mapping

from hwcost.intake import Changes
from hwcost.intake.model import PriceChange
from hwcost.names import card_name
from hwcost.quantities import UNKNOWN, date_text, money_exact, money_text, number_text, parse_date, percent_text
from hwcost.records import Catalog
from hwcost.web.lazy import pd
from hwcost.web.words import plain, word

NAMES = ("machine", "configuration", "amount", "tax", "valid", "warranty", "delivery", "estimate")
SAME = 0.0005  # a share that is written as 0.0 %


def machine_table(changes: Changes, catalog: Catalog, tax_rate: float, lang: str) -> pd.DataFrame:
    """One row for each quoted machine."""
    prices = {p.item_id: p for p in changes.prices}
    rows = [_row(s.cells, prices[s.id], catalog, tax_rate, lang) for s in changes.systems if s.id in prices]
    titles = [word(f"quoted.{name}", lang) for name in NAMES]
    return pd.DataFrame(rows, columns=titles).set_index(titles[0])


def _row(cells: Mapping[str, str], price: PriceChange, catalog: Catalog, tax_rate: float, lang: str) -> list[str]:
    tax = word("tax.included" if price.cells["tax_included"] == "yes" else "tax.excluded", lang)
    valid = parse_date(price.cells.get("valid_until", ""))
    texts = (
        (cells.get("name_zh") if lang == "zh" else "") or cells.get("name") or price.name,
        configuration(cells, catalog, lang),
        money_exact(float(price.cells["amount"]), price.cells["currency"], lang), tax, date_text(valid, lang),
        _figure("years", cells.get("warranty_years", ""), lang),
        _figure("weeks", cells.get("delivery_weeks", ""), lang),
        difference_text(price, tax_rate, lang),
    )  # fmt: skip
    return [plain(text) for text in texts]


def configuration(cells: Mapping[str, str], catalog: Catalog, lang: str) -> str:
    """Cards, host, supplies, memory and storage by their names."""

    def name(table: str, key: str) -> str:
        row = getattr(catalog, table).get(cells.get(key, ""))
        if row is None:
            return cells.get(key) or UNKNOWN
        return (getattr(row, "name_zh", "") if lang == "zh" else "") or str(row.name)

    card = catalog.cards.get(cells["card_id"])
    return word(
        "quoted.parts", lang, cards=cells["cards"], card=card_name(card) if card else cells["card_id"],
        host=name("chassis", "chassis_id"), supplies=cells["psu_count"] or "1", psu=name("psus", "psu_id"),
        ram=cells["ram_gib"] or UNKNOWN, storage=name("storage", "storage_id"),
    )  # fmt: skip


def _figure(unit: str, text: str, lang: str) -> str:
    """Years or weeks; a dash where the quotation states none (or 0)."""
    value = float(text) if text else 0.0
    return word(f"quoted.{unit}", lang, **{unit: number_text(value, lang, 1)}) if value else UNKNOWN


def difference_text(price: PriceChange, tax_rate: float, lang: str) -> str:
    """ "7.3 % below the catalog's estimate of ...": the sum of the parts, on the quotation's tax basis."""
    share, net = price.difference, price.catalog_amount
    if share is None or net is None:
        return word("quoted.no_estimate", lang)
    if abs(share) < SAME:
        return word("quoted.equal", lang)
    estimate = net * (1.0 + tax_rate) if price.cells["tax_included"] == "yes" else net
    key = "quoted.above" if share > 0 else "quoted.below"
    return word(key, lang, share=percent_text(abs(share), lang),
                estimate=money_text(estimate, price.cells["currency"], lang))  # fmt: skip
