"""Card-hours of somebody else's machine: one build per service of the scenario, or why it may not be used.

The machine behind a service is not ours to describe: its case and supply are stand-ins without watts, with the cores
and memory that a cluster usually gives with each card, and the link between its cards is the usual one of the card.
Its storage reads as fast as the service says; unsaid, it bounds nothing.
"""

from __future__ import annotations

from hwcost.build import Build, Refusal
from hwcost.errors import InputError, Problem
from hwcost.other_cards import other_cards
from hwcost.pricing import card_hour_price
from hwcost.records import Card, Catalog, Chassis, Origin, Psu, Storage
from hwcost.rules import Breach
from hwcost.scaling import find_link, link_id_for
from hwcost.scenario import Scenario, Service

CORES_PER_CARD = 16  # estimate: what clusters give with each card
GIB_PER_CARD = 128.0  # estimate: likewise
UNLIMITED_MB_S = 1e9  # storage that bounds no job


def make_services(scenario: Scenario, catalog: Catalog) -> tuple[list[Build], list[Refusal]]:
    """A build per usable service of the scenario, by id, and the others with every rule that they break."""
    builds: list[Build] = []
    refusals: list[Refusal] = []
    for service in sorted(scenario.services, key=lambda s: s.id):
        card = catalog.cards.get(service.card_id) or other_cards().get(service.card_id)
        breaches = service_breaches(scenario, service, card)
        if card is None or breaches:
            refusals.append(
                Refusal(service.name, service.name_zh, service.card_id, service.cards_per_job, "", breaches)
            )
        else:
            builds.append(service_build(catalog, service, card))
    return builds, refusals


def service_breaches(scenario: Scenario, service: Service, card: Card | None) -> tuple[Breach, ...]:
    """Rules that keep a service out: where the data may go, who may pay, and whether its card is known."""
    names = {"item": service.name, "item_zh": service.name_zh}
    found = []
    if scenario.data_stays == "lab" or (scenario.data_stays == "campus" and service.kind != "campus"):
        values = {**names, "data_stays": scenario.data_stays, "service_kind": service.kind}
        found.append(Breach("data_stay", values))
    if scenario.funds and not any("services" in fund.pays for fund in scenario.funds):
        found.append(Breach("fund_services", dict(names)))
    if card is None:
        found.append(Breach("card_unknown", {**names, "card": service.card_id}))
    return tuple(found)


def service_build(catalog: Catalog, service: Service, card: Card) -> Build:
    """The build that stands for a service: no parts, no watts; as many cards as one job may take."""
    cards = service.cards_per_job
    origin = Origin("scenario", 0, "scenario", service.source, None, service.kind_of_figure)
    chassis = _stand_in_case(service, card, origin)
    psu = Psu("service", service.name, "atx", 0.0, 0.0, 1.0, 1.0, 1.0, None, None, None, origin)
    read_mb_s = UNLIMITED_MB_S if service.storage_mb_s is None else service.storage_mb_s
    storage = Storage(
        f"service:{service.id}", service.name, service.name_zh, "nas_10g", read_mb_s, 0.0, False, 0.0, origin
    )
    link_id = link_id_for(card, cards, "server", has_bridge="sxm" in card.id)
    return Build(
        id=f"service:{service.id}", card=card, cards=cards, chassis=chassis, psu=psu, psu_count=1, storage=storage,
        link=find_link(catalog.links, link_id, cards, card.pcie_gen, card.pcie_lanes) if cards > 1 else None,
        lanes_per_card=card.pcie_lanes, parts=(), idle_wall_w=0.0, peak_wall_w=0.0, busy_extra_wall_w_per_card=0.0,
        psu_need_w=0.0, estimate_only=False, service=service,
    )  # fmt: skip


def _stand_in_case(service: Service, card: Card, origin: Origin) -> Chassis:
    cards = service.cards_per_job
    return Chassis(
        id=f"service:{service.id}", name=service.name, name_zh=service.name_zh, form="rack", segment="server",
        slots=cards * max(1, card.slot_width), max_cards_1slot=cards, max_cards_2slot=cards, max_cards_3slot=cards,
        pcie_gen=card.pcie_gen, lanes_by_cards={cards: card.pcie_lanes}, airflow="server", passive_ok=True,
        max_card_length_mm=None, psu_form="atx", psu_bays=1, redundant=False, host_idle_w=0.0, host_load_w=0.0,
        cpu_cores=CORES_PER_CARD * cards, ram_gib=GIB_PER_CARD * cards, noise_dba=None, rack_units=None, origin=origin,
        stacked_open_air_max=cards,
    )  # fmt: skip


def service_from_rental(catalog: Catalog, scenario: Scenario, rental_id: str) -> Service:
    """A row of `rentals.csv` as a service in the scenario's currency, tax included, for jobs on one card.

    The amount is converted at the newest rate of the scenario's day and rounded to four decimals; the rates' days stand
    in the source. Wait, quota and what may be held at once are not in the table: they stay unknown. Raises `InputError`
    where the row is missing, names no card, or its currency has no dated rate.
    """

    def refuse(code: str, **values: str) -> InputError:
        return InputError([Problem(code, scenario.file, column="rental", value=rental_id, values=values)])

    row = catalog.rentals.get(rental_id)
    if row is None:
        raise refuse("rental_unknown")
    if not row.card_id:
        raise refuse("rental_without_card")
    charged = card_hour_price(catalog, row, scenario.currency, scenario.as_of, scenario.tax_rate)
    if charged is None:
        raise refuse("rental_no_rate", currency=row.currency, to=scenario.currency)
    rates = [f"1 {fx.base} = {fx.rate:g} {fx.quote} ({fx.as_of})" for fx in charged.fx]
    return Service(
        id=row.id, name=row.provider, name_zh=row.name_zh, kind=row.category, card_id=row.card_id, cards_per_job=1,
        price_per_card_hour=charged.amount, kind_of_figure=row.origin.kind,
        source="; ".join([f"{row.origin.file}: {row.id} ({row.origin.source})", *rates]),
    )  # fmt: skip
