"""Switching prices, the frontier and why-not as data, for other programs: one schema for each.

Keys stand in a fixed order; an unknown figure is null. Money is in `currency`; factors are of today's price.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hwcost.breakeven import BreakEven
from hwcost.explain import Conflict, Repair
from hwcost.frontier import FrontierPoint, Gain
from hwcost.messages import LANGUAGES
from hwcost.names import configuration_text
from hwcost.plan import Plan
from hwcost.record import refusal_rows
from hwcost.repair_words import conflict_texts, pair_text, repair_text, rule_text
from hwcost.scenario import Scenario
from hwcost.switching import Interval, SwitchPrice
from hwcost.told import asked_name, break_even_text, gain_text, subject_name, switch_text, why_not_text
from hwcost.why_not import WhyNot

SWITCH_SCHEMA = "hwcost.switch_price/1"
FRONTIER_SCHEMA = "hwcost.frontier/1"
EXPLAIN_SCHEMA = "hwcost.explain/1"


def head(schema: str, plan: Plan) -> dict[str, Any]:
    """What every record of a what-if begins with: the decision it is about and its best plan."""
    scenario = plan.case.scenario
    return {
        "schema": schema, "scenario": scenario.id, "scenario_sha256": scenario.sha256,
        "catalog_sha256": plan.case.catalog.sha256, "objective": plan.objective, "status": plan.status,
        "currency": scenario.currency, "horizon_years": scenario.horizon_years,
        "budget": {"amount": scenario.budget, "tax_included": scenario.budget_tax_included},
        "best": plan_row(plan),
    }  # fmt: skip


def plan_row(plan: Plan | None) -> dict[str, Any] | None:
    """A plan in short: what it buys and costs; null where there is none."""
    if plan is None or not plan.has_plan:
        return None
    return {
        "purchases": [{"build": p.build.id, "nodes": p.nodes, "year": p.year} for p in plan.bought],
        "configuration": configuration_text(plan.purchases, "en"),
        "configuration_zh": configuration_text(plan.purchases, "zh"),
        "status": plan.status, "budget_used": plan.budget_used, "present_value": plan.totals.present_value,
        "nominal": plan.totals.nominal, "people_at_once": plan.people_at_once,
        "levels": [{"name": s.name, "value": s.value} for s in plan.stages if not s.name.endswith("_rank")],
    }  # fmt: skip


def both(text: Mapping[str, str]) -> dict[str, str]:
    return {lang: text[lang] for lang in sorted(text)}


def switch_record(
    plan: Plan, found: Sequence[SwitchPrice], even: Sequence[BreakEven],
    intervals: Mapping[str, Sequence[Interval]] | None = None, *, stopped: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """Schema `hwcost.switch_price/1`; `intervals` by id of what was asked about."""
    return {
        **head(SWITCH_SCHEMA, plan), "stopped": stopped,
        "prices": [
            {
                "kind": x.subject.kind, "id": x.subject.id, "role": x.subject.role or None,
                "letter": x.subject.letter or None, "name": subject_name(x.subject, plan, "en"),
                "name_zh": subject_name(x.subject, plan, "zh"), "outcome": x.outcome, "in_plan": x.in_plan,
                "price_now": x.price_now, "switching_price": x.price, "factor": x.factor, "factor_low": x.low,
                "factor_high": x.high, "headroom": x.headroom, "level": x.level or None,
                "instead": plan_row(x.instead_plan),
                "sentence": both({lang: switch_text(x, plan, lang) for lang in LANGUAGES}),
                "intervals": [
                    {"factor_low": i.low, "factor_high": i.high, "quantity": i.quantity}
                    for i in (intervals or {}).get(x.subject.id, ())
                ],
            }
            for x in found
        ],
        "break_even": [
            {
                "service": x.service.id, "kind": x.service.kind, "card": x.service.card_id,
                "price_per_card_hour": x.service.price_per_card_hour, "card_hours_needed": x.needed,
                "card_hours_break_even": x.threshold, "owning_pays": x.owning_pays,
                "own_fixed_per_year": x.own_fixed_per_year, "own_energy_per_year": x.own_energy_per_year,
                "hired_per_year": x.hired_per_year, "not_run": list(x.not_run), "source": x.service.source,
                "late": list(x.late), "wait_stated": x.wait_stated,
                "sentence": both({lang: break_even_text(x, plan, lang) for lang in LANGUAGES}),
            }
            for x in even
        ],
    }  # fmt: skip


def frontier_record(
    plan: Plan, points: Sequence[FrontierPoint], found: Sequence[Gain], *, stopped: bool = False
) -> dict[str, Any]:
    """Schema `hwcost.frontier/1`."""
    base = next((p for p in points if p.share == 1.0), None)
    return {
        **head(FRONTIER_SCHEMA, plan), "stopped": stopped,
        "points": [
            {
                "share": p.share, "budget": p.budget, "spent": p.spent, "proven": p.proven, "cards": p.cards,
                "people_at_once": p.people_at_once, "runs_per_year": p.runs_per_year, "served_must": p.served_must,
                "served_want": p.served_want, "capacity_thousand_card_hours": p.capacity,
                "largest_memory_gib": p.largest_memory_gib, "largest_batch": dict(p.largest_batch),
                "plan": plan_row(p.plan),
            }
            for p in points
        ],
        "gains": [
            {
                "share": g.share, "more_money": g.more_money, "more_spent": g.more_spent, "level": g.level or None,
                "people": g.people, "cards": g.cards, "runs_per_year": g.runs_per_year, "memory_gib": g.memory_gib,
                "batch": dict(g.batch),
                "sentence": both({lang: gain_text(g, base, lang) for lang in LANGUAGES}) if base else None,
            }
            for g in found
        ],
    }  # fmt: skip


def explain_record(plan: Plan, conflict: Conflict | None, found: Sequence[WhyNot]) -> dict[str, Any]:
    """Schema `hwcost.explain/1`: the conflict (null where everything is met), and every why-not that was asked for."""
    return {
        **head(EXPLAIN_SCHEMA, plan),
        "conflict": conflict_row(conflict, plan.case.scenario) if conflict is not None else None,
        "why_not": [why_not_row(x) for x in found],
    }


def conflict_row(conflict: Conflict, scenario: Scenario) -> dict[str, Any]:
    """The conflict with its repairs and pairs, each with its sentence."""
    return {
        "rules": [
            {"rule": r.rule, "subject": r.subject, **{lang: rule_text(r, scenario, lang) for lang in sorted(LANGUAGES)}}
            for r in conflict.rules
        ],
        "smallest": conflict.smallest, "proven": conflict.proven,
        "repairs": [
            {**_repair(r), "sentence": both({lang: repair_text(r, scenario, lang) for lang in LANGUAGES})}
            for r in conflict.repairs
        ],
        "pairs": [
            {
                "changes": [_repair(p.first), _repair(p.second)], "present_value": p.present_value,
                "sentence": both({lang: pair_text(p, scenario, lang) for lang in LANGUAGES}),
            }
            for p in conflict.pairs
        ],
        "sentences": {lang: conflict_texts(conflict, scenario, lang) for lang in sorted(LANGUAGES)},
    }  # fmt: skip


def _repair(repair: Repair) -> dict[str, Any]:
    return {
        "rule": repair.rule, "subject": repair.subject, "from": repair.from_value, "to": repair.to_value,
        "unit": repair.unit, "present_value": repair.present_value, "capex": repair.capex, "proven": repair.proven,
        "purchases": [{"build": p.build.id, "nodes": p.nodes} for p in repair.purchases if not p.owned],
        "people_at_once": repair.people_at_once if repair.purchases else None,
    }  # fmt: skip


def why_not_row(found: WhyNot) -> dict[str, Any]:
    """One why-not, as part of schema `hwcost.explain/1`."""
    return {
        "asked": {
            "kind": found.asked.kind, "id": found.asked.id, "letter": found.asked.letter or None,
            "name": asked_name(found.asked, found.best, "en"), "name_zh": asked_name(found.asked, found.best, "zh"),
        },
        "outcome": found.outcome, "level": found.level or None, "own": found.own, "best": found.other,
        "proven": found.proven, "plan": plan_row(found.forced),
        "lines": [
            {"category": d.category, "best": d.best, "forced": d.forced, "difference": d.difference}
            for d in found.lines
        ],
        "rules": [{"rule": r.rule.rule, "subject": r.rule.subject, "closes": r.closes} for r in found.rules],
        "refusals": refusal_rows(found.refusals),
        "beaten": found.beaten.id if found.beaten else None,
        "beaten_by": found.beaten_by.id if found.beaten_by else None,
        "sentences": {lang: why_not_text(found, lang) for lang in sorted(LANGUAGES)},
    }  # fmt: skip
