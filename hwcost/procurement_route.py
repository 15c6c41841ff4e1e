"""The suggested procurement route of a plan: the band of the institution's rules, what it asks for, and what to beware.

    amount that counts = purchases incl. tax, or net of tax, as the rules say, all years together
    band               = from_amount <= amount < to_amount, of the asset class where rules tell classes apart
    earliest delivery  = day + publicity + lead time of the procedure + delivery of the machine, as far as known

A suggestion: the rules of the institution count. What a row does not state is None, and is named as not known.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date, timedelta

from hwcost.build import Build
from hwcost.costs import cents
from hwcost.messages import say
from hwcost.names import listed, machine_form
from hwcost.plan import Plan, Purchase
from hwcost.quantities import date_text, money_text, percent_text
from hwcost.records import ProcurementProfile
from hwcost.scenario import Scenario

FORM_CLASSES = {"rack": "server", "tower_server": "server", "workstation": "workstation", "tower": "desktop"}
CPV = {"server": "48820000", "workstation": "30214000", "desktop": "30213000", "part": "30237000"}
NEAR = 0.05  # an amount this near to a limit is told beside it
DAYS_PER_WEEK = 7
MONTHS_APART = 12


@dataclass(frozen=True)
class Split:
    """Purchases of one class that fall within twelve months: together they count as one."""

    asset_class: str
    years: tuple[int, ...]
    amounts: tuple[float, ...]  # on the basis of the rules, by year
    lifts: bool  # together they reach a higher band than the largest of them

    @property
    def total(self) -> float:
        return math.fsum(self.amounts)


@dataclass(frozen=True)
class NearLimit:
    """An amount close to a limit of the rules; `subject` is purchase or budget, amounts on the basis of the rules."""

    subject: str
    gross: float
    amount: float
    limit: float


@dataclass(frozen=True)
class Route:
    """What the rules ask of this purchase. None where the rules, or a figure of theirs, are not known."""

    profile_id: str  # empty: the institution's rules are not known
    basis: str  # gross | net
    amount: float
    gross: float
    net: float
    band: ProcurementProfile | None
    asset_classes: tuple[str, ...]
    machines: int
    delivery_days: int | None  # of the machine; None: not stated by anybody
    earliest: date | None  # None: the delivery is not known
    procedure_known: bool  # false: the earliest day leaves out the time of the procedure
    spend_by: date | None
    splits: tuple[Split, ...]
    near: tuple[NearLimit, ...]

    @property
    def known(self) -> bool:
        return self.band is not None

    @property
    def too_late(self) -> bool:
        """The machine cannot be there in time, even if the procedure took no time."""
        return self.earliest is not None and self.spend_by is not None and self.earliest > self.spend_by

    @property
    def quotes_needed(self) -> int | None:
        """Quotations that the rules ask for; None where they state no number."""
        return self.band.quotes_min if self.band else None


def asset_class(build: Build) -> str:
    """Server, workstation, desktop, or part where an owned machine is upgraded."""
    return "part" if build.upgrade_of else FORM_CLASSES[machine_form(build)]


def bands_of(plan: Plan, asset: str = "") -> list[ProcurementProfile]:
    """The bands of the scenario's rules by amount; none where it names no rules or ones in another currency.

    With an asset class, rows for that class alone come before rows for all.
    """
    scenario = plan.case.scenario
    rows = [r for r in plan.case.catalog.procurement if r.id == scenario.procurement]
    if not rows or any(r.currency != scenario.currency for r in rows):
        return []
    own = [r for r in rows if asset and r.asset_class == asset]
    return sorted(own or [r for r in rows if not r.asset_class] or rows, key=lambda r: r.from_amount)


def band_of(bands: list[ProcurementProfile], amount: float) -> ProcurementProfile | None:
    """The band that an amount falls into."""
    reached = [b for b in bands if b.from_amount <= amount]
    return reached[-1] if reached else None


def route(plan: Plan, today: date | None = None) -> Route:
    """The route of everything that the plan buys, all years together; `today` is the scenario's day where not given."""
    scenario = plan.case.scenario
    gross = cents(math.fsum(p.nodes * p.unit_price for p in plan.bought))
    net = cents(math.fsum(p.nodes * p.unit_price_net for p in plan.bought))
    classes = tuple(dict.fromkeys(asset_class(p.build) for p in plan.bought))
    bands = bands_of(plan, classes[0] if len(classes) == 1 else "")
    basis = bands[0].basis if bands else "gross"
    amount = gross if basis == "gross" else net
    band = band_of(bands, amount)
    days = _delivery_days(plan)
    before = (band.publicity_days or 0) + (band.lead_days or 0) if band else 0
    earliest = (today or scenario.as_of) + timedelta(days=days + before) if days is not None else None
    spend_by = min(
        (d for d in (scenario.spend_by, *(f.spend_by for f in scenario.funds if "equipment" in f.pays)) if d),
        default=None,
    )
    return Route(
        profile_id=scenario.procurement if bands else "", basis=basis, amount=amount, gross=gross, net=net, band=band,
        asset_classes=classes, machines=sum(p.nodes for p in plan.bought), delivery_days=days, earliest=earliest,
        procedure_known=band is not None and band.lead_days is not None, spend_by=spend_by,
        splits=tuple(_splits(plan, bands, basis)), near=tuple(_near(scenario, bands, basis, gross, net)),
    )  # fmt: skip


def _delivery_days(plan: Plan) -> int | None:
    """The longest stated delivery of what is bought first; None where nobody states one."""
    first = min((p.year for p in plan.bought), default=0)
    weeks = [_weeks(p.build, plan.case.scenario) for p in plan.bought if p.year == first]
    return math.ceil(DAYS_PER_WEEK * max(weeks)) if weeks and all(weeks) else None


def _weeks(build: Build, scenario: Scenario) -> float:
    stated = build.system.delivery_weeks if build.system else 0.0
    return stated or build.lead_weeks or scenario.lead_weeks


def _splits(plan: Plan, bands: list[ProcurementProfile], basis: str) -> list[Split]:
    """Purchases of one class in the same year by several machines, or in years that follow each other."""

    def amount(purchase: Purchase) -> float:
        return purchase.nodes * (purchase.unit_price if basis == "gross" else purchase.unit_price_net)

    found: list[Split] = []
    for asset in dict.fromkeys(asset_class(p.build) for p in plan.bought):
        mine = sorted((p for p in plan.bought if asset_class(p.build) == asset), key=lambda p: (p.year, p.build.id))
        for first in range(len(mine)):
            near = [p for p in mine[first:] if (p.year - mine[first].year) * MONTHS_APART <= MONTHS_APART]
            if len(near) < 2 or (found and found[-1].asset_class == asset):
                continue
            amounts = tuple(amount(p) for p in near)
            together, largest = band_of(bands, math.fsum(amounts)), band_of(bands, max(amounts))
            found.append(Split(asset, tuple(p.year for p in near), amounts, together is not largest))
    return found


def _near(scenario: Scenario, bands: list[ProcurementProfile], basis: str, gross: float, net: float) -> list[NearLimit]:
    """The purchase and the budget where they lie close to a limit; 30,000 gross is 25,210 net at 19 per cent."""
    subjects = [("purchase", gross, gross if basis == "gross" else net)]
    if scenario.budget is not None:
        share = 1.0 + scenario.tax_rate
        whole = scenario.budget if scenario.budget_tax_included else scenario.budget * share
        subjects.append(("budget", cents(whole), cents(whole if basis == "gross" else whole / share)))
    limits = [b.from_amount for b in bands if b.from_amount > 0]
    return [
        NearLimit(subject, whole, amount, limit)
        for subject, whole, amount in subjects
        for limit in limits
        if abs(amount - limit) <= NEAR * limit
    ]


# --- in words ---


def documents(found: Route, lang: str) -> list[str]:
    """What has to be attached, as far as the rules say."""
    band = found.band
    if band is None:
        return []
    names = []
    form = band.form_zh if lang == "zh" else band.form
    if form:
        names.append(form)
    if band.quotes_min:
        if band.quote_max_age_days is None:
            names.append(say("route.doc.quotes", lang, count=band.quotes_min))
        else:
            names.append(say("route.doc.quotes_age", lang, count=band.quotes_min, days=band.quote_max_age_days))
    if band.experts:
        key = "route.doc.experts_external" if band.external_experts else "route.doc.experts"
        names.append(say(key, lang, count=band.experts, external=band.external_experts))
    if band.publicity_days:
        names.append(say("route.doc.publicity", lang, days=band.publicity_days))
    approvals = band.approvals_zh if lang == "zh" else band.approvals
    if approvals:
        names.append(approvals)
    return names


def asset_text(found: Route, lang: str) -> str:
    """The asset classes with their CPV codes: a suggestion for the asset office."""
    texts = [say("route.asset", lang, name=say(f"asset.{c}", lang), code=CPV[c]) for c in found.asset_classes]
    return listed(texts, lang, most=len(texts))


def delivery_text(found: Route, lang: str) -> str:
    """The earliest delivery, and what it leaves out."""
    if found.earliest is None:
        return say("route.delivery.unknown", lang)
    key = "route.delivery.known" if found.procedure_known else "route.delivery.open"
    text = say(key, lang, day=date_text(found.earliest, lang))
    if found.too_late:
        return text + say("route.delivery.late", lang, day=date_text(found.spend_by, lang))
    return text


def warnings(found: Route, scenario: Scenario, lang: str) -> list[str]:
    """Split purchases, amounts near a limit, and a standard whose items a tender for servers may have to hold."""
    texts = []
    for split in found.splits:
        key = "route.split_lifts" if split.lifts else "route.split"
        amount = money_text(split.total, scenario.currency, lang)
        texts.append(say(key, lang, asset=say(f"asset.{split.asset_class}", lang), count=len(split.years),
                         amount=amount))  # fmt: skip
    for near in found.near:
        above = near.amount >= near.limit
        key = f"route.near_{found.basis}_{'above' if above else 'below'}"
        texts.append(say(
            key, lang, subject=say(f"route.subject.{near.subject}", lang),
            gross=money_text(near.gross, scenario.currency, lang),
            amount=money_text(near.amount, scenario.currency, lang),
            limit=money_text(near.limit, scenario.currency, lang),
            share=percent_text(abs(near.amount / near.limit - 1.0), lang),
        ))  # fmt: skip
    if scenario.region == "CN" and "server" in found.asset_classes:
        texts.append(say("route.server_standard", lang))
    return texts
