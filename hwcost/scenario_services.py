"""The `[[service]]` tables of a scenario: the campus cluster or a cloud, stated in full or from a row of `rentals.csv`.

The price is what the lab is charged: a row without tax gets the scenario's tax, a row in another currency is converted
at the dated rate of the scenario's day.
"""

from __future__ import annotations

from hwcost.pricing import card_hour_price
from hwcost.records import Catalog
from hwcost.scenario import SERVICE_KINDS, Service
from hwcost.scenario_checks import MONEY
from hwcost.scenario_defaults import Defaults
from hwcost.strict import ABOVE_ZERO, ANY_AMOUNT, COUNT, WHOLE, Limit, Table

HOURS = Limit(high=8784.0)


def read_services(top: Table, catalog: Catalog, defaults: Defaults, tax_rate: float) -> tuple[Service, ...]:
    """Every service with its price in the scenario's currency, tax included, in the file's order."""
    return tuple(_service(table, catalog, defaults, tax_rate) for table in top.tables("service"))


def _service(table: Table, catalog: Catalog, defaults: Defaults, tax_rate: float) -> Service:
    identity = table.text("id", required=True)
    row = catalog.rentals.get(table.text("rental", known=catalog.rentals))
    name = table.text("name_en", row.provider if row else identity)
    usual_card = row.card_id if row and row.card_id in catalog.cards else ""
    stated = table.number("price_per_card_hour", None, MONEY, required="rental" not in table.data)
    price, source, kind = stated, "scenario", "estimate"
    if stated is None and row is not None:
        charged = card_hour_price(catalog, row, defaults.currency, defaults.as_of, tax_rate)
        price = charged.amount if charged else None
        source, kind = f"{row.origin.file}: {row.id} ({row.origin.source})", row.origin.kind
        if price is None:
            table.note("scenario_no_rate", "rental", row.id, expected=f"{row.currency} -> {defaults.currency}")
    if price is not None:
        named = source if stated is None else f"scenario: {identity}"
        defaults.record("service_price_per_card_hour", price, "{currency}/h", named, kind)
    service = Service(
        id=identity,
        name=name,
        name_zh=table.text("name_zh", row.name_zh if row and "name_en" not in table.data else name),
        kind=table.text("kind", row.category if row else "campus", known=SERVICE_KINDS),
        card_id=table.text("card", usual_card, known=catalog.cards, required=not usual_card),
        cards_per_job=int(table.number("cards_per_job", 1.0, COUNT) or 1),
        price_per_card_hour=price or 0.0,
        wait_hours=table.number("wait_hours", None, HOURS),
        cards_at_once=_whole(table.number("cards_at_once", None, WHOLE)),
        quota_card_hours_per_year=table.number("quota_card_hours_per_year", None, ANY_AMOUNT),
        minimum_card_hours_per_year=table.number("minimum_card_hours_per_year", 0.0, ANY_AMOUNT) or 0.0,
        fixed_cost_per_year=table.number("fixed_cost_per_year", 0.0, MONEY) or 0.0,
        transfer_mb_s=table.number("transfer_mb_s", None, ABOVE_ZERO),
        storage_mb_s=table.number("storage_mb_s", None, ABOVE_ZERO),
        interactive=table.flag("interactive", False),
        kind_of_figure=kind,
        source=source,
    )
    table.finish()
    return service


def _whole(value: float | None) -> int | None:
    return None if value is None else int(value)
