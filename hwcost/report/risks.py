"""Signs of risk in what a plan buys: supply, age and kind of prices, licence, support, exchange rates."""

from __future__ import annotations

from hwcost.build import Build
from hwcost.messages import say
from hwcost.names import listed, part_name
from hwcost.plan import Plan
from hwcost.quantities import date_text, number_text
from hwcost.records import Availability

ROOMS = ("machine_room", "department_room")  # where a licence that excludes data centres matters


def signs(plan: Plan, lang: str) -> list[str]:
    """One sentence for each kind of sign, with all its items; those about supply first."""
    found: dict[str, list[str]] = {}
    rates: dict[str, float] = {}
    builds = list({p.build.id: p.build for p in plan.bought}.values())
    for build in builds:
        _of_card(plan, build, lang, found)
        for part in build.parts:
            name = part_name(plan.case.catalog, part, lang)
            if part.stale:
                found.setdefault("stale", []).append(_dated(name, date_text(part.price.as_of, lang), lang))
            if part.price.price_kind in ("estimate", "used"):
                found.setdefault(part.price.price_kind, []).append(name)
            if part.price.currency != plan.case.scenario.currency:
                rates[part.price.currency] = part.fx_rate
    texts = [
        say(f"report.risk.sign.{key}", lang, items=listed(items, lang, most=len(items))) for key, items in found.items()
    ]
    if any(build.estimate_only for build in builds):
        texts.append(say("report.risk.sign.no_quote", lang))
    own = plan.case.scenario.currency
    texts += [
        say("report.risk.sign.foreign", lang, currency=c, rate=number_text(r, lang, 4), own=own)
        for c, r in sorted(rates.items())
    ]
    return texts


def status_of(plan: Plan, item_id: str) -> Availability | None:
    """The newest word on whether an item can be bought in the region; None where nobody said."""
    region = plan.case.scenario.region
    rows = [r for r in plan.case.catalog.availability if r.item_id == item_id and r.region == region]
    return max(rows, key=lambda r: (r.as_of, r.status), default=None)


def _dated(name: str, detail: str, lang: str) -> str:
    return f"{name}（{detail}）" if lang == "zh" else f"{name} ({detail})"


def _of_card(plan: Plan, build: Build, lang: str, found: dict[str, list[str]]) -> None:
    card = build.card
    row = status_of(plan, card.id)
    if row is not None and (row.status != "on_sale" or row.origin.kind == "estimate"):
        status = say(f"rulecode.status.{row.status}", lang)
        key = "status_judged" if row.origin.kind == "estimate" else "status"
        day = date_text(row.as_of, lang)
        found.setdefault(key, []).append(
            _dated(card.name, f"{status}，{day}" if lang == "zh" else f"{status}, {day}", lang)
        )
    if card.datacentre_licensed is False and plan.case.scenario.place in ROOMS:
        found.setdefault("licence", []).append(card.name)
    if card.pytorch_current is False:
        found.setdefault("support", []).append(card.name)
