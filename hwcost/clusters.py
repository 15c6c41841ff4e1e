"""Units of two identical machines joined by a network, for jobs that span several machines.

    unit     2 x the node, an adapter in each, one cable between them (no switch for two)
    cards    of both nodes together;  watts of both;  one node's case, supply and storage describe each of them
    network  the link class of the adapter, the slowest hop of a ring over both; `link` joins the cards of one node

Only nodes with the most cards of their model are joined: a job goes over several machines when one is full. Outside
server cases the adapter takes one slot pitch; server cases keep a slot of their own for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from hwcost import psu as power
from hwcost.assembly import Factory
from hwcost.build import Build, Refusal
from hwcost.messages import say
from hwcost.records import Addition
from hwcost.rules import Breach
from hwcost.scaling import find_link
from hwcost.scenario import Scenario

NODES = 2
ADAPTER_SLOTS = 1


def wanted(scenario: Scenario) -> bool:
    """Whether some job may span several machines and the plan may hold two."""
    return scenario.max_nodes >= NODES and any(w.multi_node for w in scenario.workloads)


def make_clusters(factory: Factory, composed: Iterable[Build]) -> tuple[list[Build], list[Refusal]]:
    """Units of two of the largest composed nodes of each card, and one refusal per node that cannot be joined."""
    nodes = sorted(composed, key=lambda b: b.id)
    most: dict[str, int] = {}
    for node in nodes:
        most[node.card.id] = max(node.cards, most.get(node.card.id, 0))
    builds: list[Build] = []
    refused: dict[tuple[str, str], Refusal] = {}
    for node in nodes:
        if node.cards < most[node.card.id]:
            continue
        made = [_unit(factory, node, adapter) for adapter in _adapters(factory, node)]
        found = [unit for unit in made if isinstance(unit, Build)]
        builds += found
        if not found:
            broken = next((breaches for breaches in made if not isinstance(breaches, Build)), ())
            refused.setdefault((node.card.id, node.chassis.id), _refusal(node, broken))
    joined = {(b.card.id, b.chassis.id) for b in builds}
    return builds, [refusal for key, refusal in refused.items() if key not in joined]


def _adapters(factory: Factory, node: Build) -> list[Addition]:
    """Adapters on sale for this case, each with a cable on sale; none where the case has no slot left."""
    if _slots_short(node):
        return []
    rows = [factory.catalog.upgrades[i] for i in sorted(factory.network)]
    cables = {row.link_id for row in rows if row.category == "cable"}
    fitting = [row for row in rows if row.category == "network" and node.chassis.segment in row.segments]
    return [row for row in fitting if row.link_id in cables]


def _slots_short(node: Build) -> bool:
    needed = node.cards * node.card.slot_width + ADAPTER_SLOTS
    return node.chassis.segment != "server" and needed > node.chassis.slots


def _unit(factory: Factory, node: Build, adapter: Addition) -> Build | tuple[Breach, ...]:
    """Two nodes with this adapter; the rules broken where the node's supply or circuit does not carry it."""
    chassis = replace(
        node.chassis,
        host_idle_w=node.chassis.host_idle_w + adapter.watts,
        host_load_w=node.chassis.host_load_w + adapter.watts,
    )
    load = power.node_load(node.card, node.cards, chassis, node.storage.watts)
    option = power.candidate(node.psu, node.psu_count, chassis, factory.volts)
    working, broken = power.select(load, (option,), chassis.psu_form, factory.volts, factory.circuit_w)
    if not working:
        return broken
    rows = factory.catalog.upgrades.values()
    cables = [r for r in rows if r.category == "cable" and r.link_id == adapter.link_id and r.id in factory.network]
    cable = min(cables, key=lambda r: (factory.network[r.id].unit_price_net, r.id))
    cards = NODES * node.cards
    return replace(
        node,
        id=f"{NODES}x({node.id})+{adapter.id}",
        cards=cards,
        chassis=chassis,
        parts=(
            *(replace(part, quantity=NODES * part.quantity) for part in node.parts),
            factory.bought_part(factory.network[adapter.id], NODES),
            factory.bought_part(factory.network[cable.id], 1),
        ),
        idle_wall_w=NODES * working[0].idle_wall_w,
        peak_wall_w=NODES * working[0].peak_wall_w,
        busy_extra_wall_w_per_card=(working[0].peak_wall_w - working[0].idle_wall_w) / node.cards,
        psu_need_w=load.need_w,
        nodes_per_unit=NODES,
        network=find_link(factory.catalog.links, adapter.link_id, cards),
    )


def _refusal(node: Build, broken: tuple[Breach, ...]) -> Refusal:
    values = {
        "cards": node.cards,
        "slot_width": node.card.slot_width,
        "need": node.cards * node.card.slot_width + ADAPTER_SLOTS,
        "have": node.chassis.slots,
    }
    if not broken:
        broken = (Breach("network_slot", values) if _slots_short(node) else Breach("network_segment", {}),)

    def item(lang: str) -> str:
        chassis = node.chassis.name_zh if lang == "zh" else node.chassis.name
        return say("network.unit", lang, machines=NODES, cards=node.cards, card=node.card.name, chassis=chassis)

    return Refusal(item("en"), item("zh"), node.card.id, NODES * node.cards, node.chassis.id, broken)
