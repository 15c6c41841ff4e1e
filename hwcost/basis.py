"""What a plan rests on besides its prices: exchange rates and judgements about supply."""

from __future__ import annotations

from hwcost.build import PricedPart
from hwcost.messages import say
from hwcost.names import listed, money_rate_text, part_name
from hwcost.plan import Plan
from hwcost.pricing import newest_rate
from hwcost.records import FxRate

ESTIMATE = "estimate"


def rate_rows(plan: Plan) -> list[FxRate]:
    """Rows of the exchange rates with which the bought parts were converted, each once."""
    scenario, found = plan.case.scenario, []
    for part in _parts(plan):
        rate = newest_rate(plan.case.catalog.fx, part.price.currency, scenario.currency, scenario.as_of)
        found += list(rate.fx) if rate else []
    return list(dict.fromkeys(found))


def judged_items(plan: Plan, lang: str) -> list[str]:
    """Names of the bought items whose supply is a judgement and no statement of a seller."""
    catalog, region = plan.case.catalog, plan.case.scenario.region
    judged = {a.item_id for a in catalog.availability if a.region == region and a.origin.kind == ESTIMATE}
    return list(dict.fromkeys(part_name(catalog, p, lang) for p in _parts(plan) if p.item_id in judged))


def basis_lines(plan: Plan, lang: str) -> list[str]:
    """Exchange rates that are planning values, and supply that is judged, in sentences."""
    rates = [row for row in rate_rows(plan) if row.origin.kind == ESTIMATE]
    found = []
    if rates:
        texts = [money_rate_text(row, lang) for row in rates]
        found.append(say("basis.rates", lang, rates=listed(texts, lang, most=len(texts))))
    judged = judged_items(plan, lang)
    if judged:
        found.append(say("basis.supply", lang, items=listed(judged, lang, most=len(judged))))
    return found


def _parts(plan: Plan) -> list[PricedPart]:
    return [part for p in plan.bought for part in p.build.parts]
