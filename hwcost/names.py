"""Names in sentences and tables: workloads, machines, options, rules and budgets, in zh and en."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from hwcost.build import Build, PricedPart
from hwcost.messages import say, texts
from hwcost.options import OptionResult
from hwcost.plan import Check, Plan, Purchase
from hwcost.quantities import CURRENCIES, UNKNOWN, money_text, number_text, percent_text
from hwcost.records import Card, Catalog, Chassis, FxRate, Storage, System
from hwcost.scenario import Scenario
from hwcost.strategy import Strategy
from hwcost.use import slowest, utilisation, waits_for_data
from hwcost.workload import Workload

MOST_NAMED = 2  # names in one sentence, the rest as a count


def workload_name(workload: Workload, lang: str) -> str:
    """The workload's name in the reader's language."""
    return workload.name_zh if lang == "zh" else workload.name


def scenario_name(scenario: Scenario, lang: str) -> str:
    """The scenario's name in the reader's language."""
    return scenario.name_zh if lang == "zh" else scenario.name


def card_name(card: Card) -> str:
    """The card with its memory: "RTX A5500 24 GB"; a name that states it already stays as it is."""
    return card.name if "GB" in card.name else f"{card.name} {card.memory_gib:g} GB"


def part_name(catalog: Catalog, part: PricedPart, lang: str) -> str:
    """The part's name in the reader's language, where the catalog has one."""
    tables: dict[str, Mapping[str, Chassis | Storage | System]] = {
        "host": catalog.chassis,
        "storage": catalog.storage,
        "system": catalog.systems,
    }
    row = tables.get(part.role, {}).get(part.item_id)
    return row.name_zh if lang == "zh" and row is not None else part.name


def build_text(build: Build, nodes: int, lang: str) -> str:
    """Machines of one kind: "1 x workstation with four RTX A5500 24 GB", "1 台四卡 RTX A5500 24 GB 工作站"."""
    key = f"number.{build.cards}"
    count = say(key, lang) if key in texts() else str(build.cards)
    words = {"nodes": nodes, "count": count, "card": card_name(build.card)}
    if build.system is not None:
        name = build.system.name_zh if lang == "zh" else build.system.name
        return say("configuration.system", lang, system=name, **words)
    if build.upgrade_of:
        added = say("configuration.and", lang).join(added_parts(build, lang))
        return say("configuration.upgraded", lang, form=say(f"form.{machine_form(build)}", lang), added=added, **words)
    kind = "configuration.owned" if build.owned else "configuration.built"
    return say(kind, lang, form=say(f"form.{machine_form(build)}", lang), **words)


def added_parts(build: Build, lang: str) -> list[str]:
    """What an upgrade adds to the machine, each piece in words, in the order of its parts."""
    named = []
    for part in build.parts:
        if part.role == "storage":
            named.append(build.storage.name_zh if lang == "zh" else build.storage.name)
        elif part.role == "host":  # memory is the one part of a host that is bought by itself
            named.append(say("configuration.memory", lang, gib=f"{build.chassis.ram_gib:g}"))
        else:
            name = card_name(build.card) if part.role == "card" else part.name
            named.append(name if part.quantity == 1 else f"{part.quantity} x {name}")
    return named


def way_text(way: Strategy, build: Build, lang: str) -> str:
    """Where and how one job runs: "1 x RTX A5500 24 GB", "2 share one ...", "4 x ... in parallel", the service."""
    card = card_name(build.card)
    if build.service is not None:
        service = build.service.name_zh if lang == "zh" else build.service.name
        text = say("way.service", lang, service=service, card=card)
        if way.wait_hours:
            text += say("way.wait", lang, hours=number_text(way.wait_hours, lang, 0 if way.wait_hours >= 1 else 1))
    elif way.kind == "shared":
        text = say("way.shared", lang, sharers=way.sharers, card=card)
    elif way.cards == 1:
        text = say("way.single", lang, card=card)
    else:
        text = say("way.sharded" if way.kind == "sharded" else "way.parallel", lang, count=way.cards, card=card)
    if way.nodes > 1:
        text += say("way.nodes", lang, nodes=way.nodes)
    return text + (say("way.checkpointing", lang) if way.checkpointing else "")


def machine_form(build: Build) -> str:
    """What people call the machine: rack server, tower server, workstation or desktop (a consumer tower)."""
    chassis = build.chassis
    if chassis.form == "rack":
        return "rack"
    return {"server": "tower_server", "workstation": "workstation"}.get(chassis.segment, "tower")


def configuration_text(purchases: Sequence[Purchase], lang: str) -> str:
    """What is bought, in one line, what comes in a later year with that year; owned machines are named only where
    nothing is bought.
    """
    bought = [p for p in purchases if not p.owned]
    shown = bought or list(purchases)
    if not shown:
        return say("configuration.nothing", lang)
    return say("configuration.and", lang).join(_in_its_year(p, lang) for p in shown)


def _in_its_year(purchase: Purchase, lang: str) -> str:
    text = build_text(purchase.build, purchase.nodes, lang)
    return say("configuration.in_year", lang, machines=text, year=purchase.year + 1) if purchase.year else text


def option_name(option: OptionResult | str, lang: str, count: int | None = None) -> str:
    """The name of an option, with the number of machines where the option is about several."""
    if isinstance(option, OptionResult):
        identity = option.id
        own = option.name_zh if lang == "zh" else option.name
        if count is None and option.plan is not None:
            count = sum(p.nodes for p in option.plan.bought) or None
    else:
        identity, own = option, ""
    if count is not None and f"option.{identity}.count" in texts():
        return say(f"option.{identity}.count", lang, count=count)
    name = own or (say(f"option.{identity}", lang) if f"option.{identity}" in texts() else identity)
    several = count is not None and count > 1 and identity not in ("keep", "combination")
    return say("option.machines", lang, name=name, count=count) if several else name


def listed(names: Iterable[str], lang: str, most: int = MOST_NAMED) -> str:
    """A few names, the rest as a count: "A, B and C", "A, B and 5 more", "A、B 等 7 项".

    In English a name that has a comma of its own is quoted.
    """
    unique = list(dict.fromkeys(names))
    left = len(unique) - most
    if lang == "zh":
        text = "、".join(unique[:most])
        items = f"{text} " if text[-1:].isascii() else text  # a space between a Latin word and Chinese
        return say("answer.and_more", lang, items=items, count=len(unique)) if left > 0 else text
    commas = len(unique) > 1 and any(", " in name for name in unique[:most])
    shown = [f"“{name}”" if commas and ", " in name else name for name in unique[:most]]
    if left > 0:
        return say("answer.and_more", lang, items=", ".join(shown), count=left)
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else "".join(shown)


def unit_text(unit: str, lang: str) -> str:
    """A unit in words; a symbol like GiB or A is the same in both languages."""
    return say(f"unit.{unit}", lang) if f"unit.{unit}" in texts() else unit


def people_text(people: int, lang: str) -> str:
    """ "1 person", "6 people", "6 人"."""
    return say("people.one" if people == 1 else "people.many", lang, people=people)


def cards_text(cards: int, lang: str) -> str:
    """ "1 card", "6 cards", "6 张卡"."""
    return say("cards.one" if cards == 1 else "cards.many", lang, cards=cards)


def check_text(check: Check, lang: str) -> str:
    """One rule with the plan's value and the limit, and whether it is met."""
    name = say("check.plugged" if check.rule == "plugged" else f"rulename.{check.rule}", lang)
    state = say("check.ok" if check.ok else "check.failed" if check.hard else "check.left_out", lang)
    if check.unit in CURRENCIES:
        value, limit = (money_text(x, check.unit, lang) for x in (check.value, check.limit))
        return say("check.money", lang, name=name, value=value, limit=limit, state=state)
    digits = 1 if check.unit in ("%", "card-hour", "hour", "GiB") else 0
    words = {
        "name": name, "state": state, "unit": unit_text(check.unit, lang),
        "value": number_text(check.value, lang, digits), "limit": number_text(check.limit, lang, digits),
    }  # fmt: skip
    if check.subject:
        return say("check.line_subject", lang, subject=check.subject, **words)
    return say("check.line", lang, **words)


def left_out_reason(rule: str, lang: str, status: str = "") -> str:
    """Why items are left out, worded as a reason: the short name of a rule says what was checked, not that it failed.

    `status` is the availability of an item, where the rule is "availability".
    """
    if rule == "availability" and status:
        return say("leftout.availability_status", lang, status=say(f"rulecode.status.{status}", lang))
    return say(f"leftout.{rule}" if f"leftout.{rule}" in texts() else f"rulename.{rule}", lang)


def budget_text(scenario: Scenario, lang: str) -> str:
    """The equipment budget, marked where it is net of tax."""
    money = money_text(scenario.budget, scenario.currency, lang)
    return money if scenario.budget_tax_included or not scenario.tax_rate else say("answer.net", lang, money=money)


def tax_basis(scenario: Scenario, lang: str) -> str:
    """ "incl. tax", or "no tax" where the purchase bears none."""
    return say("tax.included" if scenario.tax_rate else "tax.none", lang)


def gross_text(amount: str, scenario: Scenario, lang: str) -> str:
    """An amount in words with its tax basis: "CNY 211,000 incl. tax", "USD 5,000 (no tax)"."""
    return say("answer.gross" if scenario.tax_rate else "answer.untaxed", lang, money=amount)


def needed_text(amount: float, scenario: Scenario, lang: str) -> str:
    """Money that is needed, rounded up to the whole unit: less would not be enough. Equal figures in zh and en."""
    return say(f"money.{scenario.currency}", lang, figure=number_text(math.ceil(round(amount, 2)), lang))


def converted_text(part: PricedPart, scenario: Scenario, lang: str) -> str:
    """How a price in another currency was converted: "USD 1,546 x 7.10"; empty where it was not."""
    price = part.price
    if price.currency == scenario.currency:
        return ""
    amount = say(f"money.{price.currency}", lang, figure=number_text(price.amount, lang, _digits(price.amount)))
    key = "price.converted_gross" if price.tax_included else "price.converted"
    return say(key, lang, amount=amount, rate=_rate(part.fx_rate, lang))


def money_rate_text(row: FxRate, lang: str) -> str:
    """An exchange rate: "1 USD = 7.10 CNY"."""
    return f"1 {row.base} = {_rate(row.rate, lang)} {row.quote}"


def _digits(amount: float) -> int:
    return 0 if amount == int(amount) else 2


def _rate(rate: float, lang: str) -> str:
    return number_text(rate, lang, 2 if rate >= 1 and round(rate, 2) == round(rate, 4) else 4)


def cash_total(plan: Plan) -> float | None:
    """The total without own hours, which cost no cash; None where the plan has none of them."""
    hours = plan.totals.by_payer.get("non_cash", 0.0)
    return plan.totals.nominal - hours if hours else None


def shares_text(plan: Plan, lang: str) -> str:
    """Shares of the work that is done, "must / wanted"; a dash where there is no such work."""
    return " / ".join(percent_text(plan.served_share(must=must), lang) for must in (True, False))


def use_text(plan: Plan, lang: str) -> str:
    """Share of the available card-hours in which the cards compute."""
    found = utilisation(plan)
    return percent_text(found.share, lang) if found else UNKNOWN


def pace_text(plan: Plan, lang: str) -> str:
    """What bounds the slowest job; "waits for data" where storage or data loading bounds any."""
    if waits_for_data(plan):
        return say("pace.data", lang)
    way = slowest(plan)
    return say(f"bound.{way.bound}", lang) if way else UNKNOWN


def purchase_total(plan: Plan) -> float:
    """What the purchase costs, tax included."""
    return round(sum(p.nodes * p.unit_price for p in plan.bought), 2)


def card_total(purchases: Sequence[Purchase]) -> int:
    """Cards in all machines, bought or kept, in the year with the most of them."""
    years = max((len(p.nodes_by_year) for p in purchases), default=0)
    if not years:
        return sum(p.nodes * p.build.cards for p in purchases)
    return max(sum((p.nodes_by_year or (p.nodes,) * years)[y] * p.build.cards for p in purchases) for y in range(years))
