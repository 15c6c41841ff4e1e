"""The `[[option]]` tables of a scenario: options of its own, compared beside the built-in ones."""

from __future__ import annotations

from collections.abc import Collection

from hwcost.records import Catalog
from hwcost.scenario import UserOption
from hwcost.strict import COUNT, Table

MOST_OPTIONS = 8  # each is solved, and has a letter of its own
# what the program itself calls an option
BUILT_IN = (
    "keep", "one_very_large", "one_large", "two_large", "four_large", "four_professional", "two_professional",
    "one_professional", "desktops_one_consumer", "desktops_two_consumer", "eight_cards", "combination", "upgrade",
    "eight_rack", "campus", "rent", "own_and_rented", "two_stage",
)  # fmt: skip


def read_options(top: Table, catalog: Catalog, services: Collection[str], most_nodes: int) -> tuple[UserOption, ...]:
    """Every option, in the file's order; `services` are the ids of the scenario's own."""
    tables = top.tables("option")
    if len(tables) > MOST_OPTIONS:
        top.note("scenario_options_many", "option", count=len(tables), limit=MOST_OPTIONS)
    found: list[UserOption] = []
    for table in tables[:MOST_OPTIONS]:
        before = len(table.problems)
        option = _option(table, catalog, services, most_nodes)
        if option.id in BUILT_IN:
            table.note("scenario_option_built_in", "id", option.id)
        if option.id and option.id in [o.id for o in found]:
            first = [o.id for o in found].index(option.id) + 1
            table.note("scenario_duplicate_id", "id", option.id, first=f"option[{first}]")
        if not (option.buys_machines or option.services or option.upgrades) and len(table.problems) == before:
            table.note("scenario_option_empty", "id", option.id)
        found.append(option)
    return tuple(found)


def _option(table: Table, catalog: Catalog, services: Collection[str], most_nodes: int) -> UserOption:
    identity = table.text("id", required=True)
    name = table.text("name_en", identity)
    most = table.number("max_nodes", None, COUNT)
    if most is not None and most > most_nodes:
        table.note("scenario_out_of_range", "max_nodes", most, expected=f"1 <= x <= {most_nodes} (capacity.max_nodes)")
    option = UserOption(
        id=identity,
        name=name,
        name_zh=table.text("name_zh", name),
        cards=table.words("cards", known=catalog.cards),
        chassis=table.words("chassis", known=catalog.chassis),
        systems=table.words("systems", known=catalog.systems),
        cards_per_node=table.counts("cards_per_node", ()),
        services=table.words("services", known=services),
        upgrades=table.flag("upgrades", False),
        max_nodes=None if most is None else int(most),
    )
    table.finish()
    return option
