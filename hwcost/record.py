"""The result as data: schema `hwcost.plan/1`, for other programs and for the audit.

Keys stand in a fixed order, the same plan gives the same text but for `seconds`, and NaN never occurs. An unknown
figure is null, never 0. Years count from 0. Money is nominal, in `currency`; `unit_price` of a purchase is one machine
with tax, of a cost line net of tax (tax is a line of its own). A residual value is a negative line. A line that several
funds pay stands once for each; `fund` is null where none is named.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hwcost.basis import judged_items, rate_rows
from hwcost.build import Build, PricedPart, Refusal
from hwcost.costs import CostLine
from hwcost.errors import InputError
from hwcost.explain import Conflict, Repair
from hwcost.funding import charges
from hwcost.jsontext import to_json
from hwcost.messages import LANGUAGES
from hwcost.messages.rules import sentence
from hwcost.names import cash_total, configuration_text, option_name
from hwcost.options import Comparison, OptionResult
from hwcost.plan import Assignment, Check, Plan, Purchase, ServiceUse
from hwcost.problems import problem_text
from hwcost.rules import Breach
from hwcost.sentences import answer
from hwcost.solver import SOLVERS, solver_version
from hwcost.use import everything_served, free_cards, slowest, utilisation, waits_for_data

__all__ = ["option_rows", "plan_record", "problems_record", "stale_rows", "to_json"]

SCHEMA = "hwcost.plan/1"
PROBLEMS_SCHEMA = "hwcost.problems/1"
MIB_PER_GIB = 1024.0


def plan_record(
    plan: Plan, conflict: Conflict | None = None, comparison: Comparison | None = None, *, need: Plan | None = None
) -> dict[str, Any]:
    """The plan under schema `hwcost.plan/1`; `conflict` and `comparison` add their parts where they are given.

    `need` is the smallest purchase that is enough (`answering.enough_plan`); `answer` holds the sentences that the
    command line and the app show, in both languages. Without a plan (status `infeasible` or `no_plan_found`) lists are
    empty and totals are null.
    """
    case, scenario = plan.case, plan.case.scenario
    record: dict[str, Any] = {
        "schema": SCHEMA,
        "solver": {
            "name": SOLVERS[plan.solver], "version": solver_version(plan.solver) or None, "status": plan.status,
            "gap": plan.gap, "seconds": plan.seconds,
        },
        "objective": plan.objective,
        "answer": {lang: answer(plan, comparison, lang, need=need, conflict=conflict) for lang in sorted(LANGUAGES)},
        "enough": _enough(need),
        "utilisation": _utilisation(plan),
        "inputs": {
            "scenario": scenario.id, "scenario_file": scenario.file, "scenario_sha256": scenario.sha256,
            "catalog_sha256": case.catalog.sha256, "as_of": scenario.as_of.isoformat(), "stale": stale_rows(plan),
        },
        "currency": scenario.currency,
        "horizon_years": scenario.horizon_years,
        "discount_rate": scenario.discount_rate,
        "budget": {"amount": scenario.budget, "tax_included": scenario.budget_tax_included,
                   "used": plan.budget_used if plan.has_plan else None},
        "purchases": [_purchase(p) for p in plan.bought],
        "kept": [_purchase(p) for p in plan.purchases if p.owned],
        "assignments": [_assignment(a) for a in plan.assignments],
        "shortfall": [{"workload": w, "year": year, "runs": runs} for w, year, runs in plan.shortfall],
        "people_at_once": plan.people_at_once if plan.has_plan else None,
        "people_by_workload": dict(plan.people),
        "people_by_year": [dict(people) for people in plan.people_by_year],
        "services": [_service(u) for u in plan.services],
        "funds": fund_rows(plan),
        "served_share": _served(plan),
        "cost_lines": [_cost_line(line) for line in plan.cost_lines],
        "totals": _totals(plan),
        "checks": [_check(c) for c in plan.checks],
        "not_considered": [_left_out(r) for r in plan.not_considered],
        "assumptions": [
            {"key": a.key, "value": a.value, "unit": a.unit, "source": a.source, "kind": a.kind}
            for a in scenario.assumptions
        ],
        "exchange_rates": [
            {"base": r.base, "quote": r.quote, "rate": r.rate, "as_of": r.as_of.isoformat(), "source": r.source,
             "kind": r.origin.kind}
            for r in rate_rows(plan)
        ],
        "judged_supply": judged_items(plan, "en"),
        "prices": [_price(part) for part in bought_parts(plan)],
        "stages": [{"name": s.name, "status": s.status, "value": s.value, "gap": s.gap} for s in plan.stages],
    }  # fmt: skip
    if comparison is not None:
        record["options"] = option_rows(comparison)
    if conflict is not None:
        record["conflict"] = _conflict(conflict)
    return record


def problems_record(error: InputError, lang: str) -> dict[str, Any]:
    """Bad input as data: schema `hwcost.problems/1`, each problem with its place and its sentence."""
    return {
        "schema": PROBLEMS_SCHEMA,
        "problems": [
            {
                "code": p.code.removeprefix("problem."), "file": p.file, "sheet": p.sheet, "row": p.row,
                "column": p.column, "value": p.value, "message": problem_text(p, lang),
            }
            for p in error.problems
        ],
    }  # fmt: skip


def bought_parts(plan: Plan) -> list[PricedPart]:
    """The priced parts of everything bought, one per item and role, by item."""
    parts = {(part.item_id, part.role): part for p in plan.bought for part in p.build.parts}
    return [parts[key] for key in sorted(parts)]


def stale_rows(plan: Plan) -> list[dict[str, Any]]:
    """Out-of-date price rows among those the choice rested on; `bought` marks the ones that the plan pays."""
    case = plan.case
    bought = {part.item_id for part in bought_parts(plan)}
    parts = {part.item_id: part for build in case.builds for part in build.parts if part.stale}
    return [
        {
            "item": item, "kind": part.price.price_kind, "as_of": part.price.as_of.isoformat(),
            "age_days": (case.scenario.as_of - part.price.as_of).days,
            "valid_until": part.price.valid_until.isoformat() if part.price.valid_until else None,
            "source": part.price.source, "layer": part.price.origin.layer, "bought": item in bought,
        }
        for item, part in sorted(parts.items())
    ]  # fmt: skip


def _machine(build: Build) -> dict[str, Any]:
    return {
        "build": build.id, "card": build.card.id, "cards_per_node": build.cards, "chassis": build.chassis.id,
        "psu": build.psu.id, "psu_count": build.psu_count,
    }  # fmt: skip


def _purchase(purchase: Purchase) -> dict[str, Any]:
    build = purchase.build
    return {
        **_machine(build),
        "nodes": purchase.nodes, "year": purchase.year, "unit_price": purchase.unit_price,
        "unit_price_net": purchase.unit_price_net, "storage": build.storage.id,
        "system": build.system.id if build.system else None, "estimate_only": build.estimate_only,
        "peak_watts": build.peak_wall_w, "link": build.link.id if build.link else None,
        "upgrade_of": build.upgrade_of or None, "machines_per_unit": build.nodes_per_unit,
        "nodes_by_year": list(purchase.nodes_by_year), "lead_weeks": build.lead_weeks,
    }  # fmt: skip


def _service(use: ServiceUse) -> dict[str, Any]:
    service = use.build.service
    return {
        "service": service.id if service else None, "kind": service.kind if service else None, "build": use.build.id,
        "card": use.build.card.id, "year": use.year, "card_hours": use.card_hours, "amount": use.amount,
    }  # fmt: skip


def fund_rows(plan: Plan) -> list[dict[str, Any]]:
    """What each fund is charged by year, on its own tax basis and with its overhead, of what it holds."""
    if not plan.has_plan:
        return []
    return [
        {
            "fund": fund.id, "name": fund.name, "name_zh": fund.name_zh, "amount": fund.amount,
            "pays": list(fund.pays), "charged_by_year": charges(plan.case, fund, plan.cost_lines),
        }
        for fund in plan.case.scenario.funds
    ]  # fmt: skip


def _assignment(assignment: Assignment) -> dict[str, Any]:
    way = assignment.strategy
    return {
        "workload": way.workload_id, "year": assignment.year, "strategy": way.kind, "build": way.build_id,
        "cards_per_job": way.cards, "micro_batch": way.micro_batch, "accumulation_steps": way.accumulation_steps,
        "memory_gib": way.memory_mib / MIB_PER_GIB, "hours_per_run": way.hours_per_run, "runs": assignment.runs,
        "card_hours": assignment.card_hours, "bound": way.bound, "evidence": way.evidence,
        "error_share": way.error_share, "sharers": way.sharers, "machines_per_job": way.nodes,
        "wait_hours": way.wait_hours,
    }  # fmt: skip


def _cost_line(line: CostLine) -> dict[str, Any]:
    return {
        "year": line.year, "category": line.category, "item": line.item, "quantity": line.quantity, "unit": line.unit,
        "unit_price": line.unit_price, "amount": line.amount, "present_value": line.present_value,
        "payer": line.payer, "fund": line.fund or None, "build": line.build_id or None,
    }  # fmt: skip


def _enough(need: Plan | None) -> dict[str, Any] | None:
    """The smallest purchase that is enough; `everything` is false where only the work that must be done is."""
    if need is None:
        return None
    return {
        "purchases": [_purchase(p) for p in need.bought],
        "configuration": configuration_text(need.purchases, "en"),
        "configuration_zh": configuration_text(need.purchases, "zh"),
        "capex": need.totals.capex, "people_at_once": need.people_at_once,
        "present_value": need.totals.present_value, "everything": everything_served(need), "status": need.status,
    }  # fmt: skip


def _utilisation(plan: Plan) -> dict[str, Any] | None:
    found = utilisation(plan)
    if found is None:
        return None
    return {
        "card_hours_per_year": found.card_hours_per_year,
        "available_card_hours_per_year": found.available_card_hours_per_year,
        "share": found.share, "free_cards_in_busiest_week": free_cards(plan),
    }  # fmt: skip


def _totals(plan: Plan) -> dict[str, Any]:
    names = ("capex", "opex", "residual", "nominal", "present_value")
    if not plan.has_plan:
        return {**dict.fromkeys(names), "cash": None, "by_payer": {}}
    cash = cash_total(plan)
    return {
        **{n: getattr(plan.totals, n) for n in names},
        "cash": plan.totals.nominal if cash is None else cash, "by_payer": dict(plan.totals.by_payer),
    }  # fmt: skip


def _served(plan: Plan) -> dict[str, float | None]:
    if not plan.has_plan:
        return {"must": None, "want": None}
    return {"must": plan.served_share(must=True), "want": plan.served_share(must=False)}


def _check(check: Check) -> dict[str, Any]:
    return {
        "rule": check.rule, "limit": check.limit, "value": check.value, "unit": check.unit, "ok": check.ok,
        "subject": check.subject, "sense": check.sense, "hard": check.hard,
    }  # fmt: skip


def _left_out(refusal: Refusal) -> dict[str, Any]:
    return {
        "item": refusal.item,
        "reason": " ".join(sentence(b, "en") for b in refusal.breaches),
        "reason_zh": "".join(sentence(b, "zh") for b in refusal.breaches),
        "rules": [b.rule for b in refusal.breaches],
    }


def refusal_rows(refusals: Sequence[Refusal]) -> list[dict[str, Any]]:
    """Combinations that do not work, each with all its rules and their amounts."""
    return [
        {
            "item": r.item, "item_zh": r.item_zh, "card": r.card_id, "cards": r.cards, "chassis": r.chassis_id,
            "breaches": [breach_row(b) for b in r.breaches],
        }
        for r in refusals
    ]  # fmt: skip


def breach_row(breach: Breach) -> dict[str, Any]:
    """One broken rule with its amounts and its sentence."""
    return {
        "rule": breach.rule, "values": dict(breach.values), "reason": sentence(breach, "en"),
        "reason_zh": sentence(breach, "zh"),
    }  # fmt: skip


def _price(part: PricedPart) -> dict[str, Any]:
    price = part.price
    return {
        "item": part.item_id, "role": part.role, "name": part.name, "unit_price_net": part.unit_price_net,
        "amount": price.amount, "currency": price.currency, "tax_included": price.tax_included,
        "fx_rate": part.fx_rate, "kind": price.price_kind, "vendor": price.vendor, "region": price.region,
        "as_of": price.as_of.isoformat(),
        "valid_until": price.valid_until.isoformat() if price.valid_until else None,
        "source": price.source, "layer": price.origin.layer, "file": price.origin.file, "row": price.origin.row,
        "stale": part.stale,
    }  # fmt: skip


def option_rows(comparison: Comparison) -> list[dict[str, Any]]:
    """The options side by side, one row each, in the order of their letters."""
    return [_option(result, comparison) for result in comparison.results]


def _option(result: OptionResult, comparison: Comparison) -> dict[str, Any]:
    plan = result.plan if result.plan is not None and result.plan.has_plan else None
    lost, way = result.lost_by, slowest(plan) if plan else None
    return {
        "letter": result.letter, "id": result.id,
        "name": option_name(result, "en"), "name_zh": option_name(result, "zh"),
        "chosen": result.letter == comparison.chosen,
        "configuration": configuration_text(plan.purchases, "en") if plan else None,
        "configuration_zh": configuration_text(plan.purchases, "zh") if plan else None,
        "purchases": [{"build": p.build.id, "nodes": p.nodes} for p in plan.bought] if plan else [],
        "full": result.full,
        "totals": _totals(plan) if plan else None,
        "people_at_once": plan.people_at_once if plan else None,
        "served_share": _served(plan) if plan else None,
        "status": result.plan.status if result.plan is not None else "no_build",
        "lost_by": {"level": lost.level, "own": lost.own, "best": lost.best} if lost else None,
        "utilisation": _utilisation(plan) if plan else None,
        "slowest_bound": way.bound if way else None,
        "waits_for_data": waits_for_data(plan) if plan else None,
        "refusals": _refused(result.refusals),
        "largest_batch": dict(result.largest_batch),
        "typical_hours": dict(result.typical_hours),
    }  # fmt: skip


def _refused(refusals: Sequence[Refusal]) -> list[dict[str, Any]]:
    """Every rule with its amounts, once for each combination that it keeps out."""
    return [
        {"item": r.item, "item_zh": r.item_zh, "rule": b.rule, "values": dict(b.values)}
        for r in refusals for b in r.breaches
    ]  # fmt: skip


def _conflict(conflict: Conflict) -> dict[str, Any]:
    return {
        "rules": [r.rule for r in conflict.rules],
        "subjects": [{"rule": r.rule, "subject": r.subject} for r in conflict.rules],
        "repairs": [_repair(r) for r in conflict.repairs],
        "pairs": [[_repair(r) for r in (p.first, p.second)] for p in conflict.pairs],
        "smallest": conflict.smallest, "proven": conflict.proven,
    }  # fmt: skip


def _repair(r: Repair) -> dict[str, Any]:
    return {
        "rule": r.rule, "from": r.from_value, "to": r.to_value, "present_value": r.present_value,
        "subject": r.subject, "unit": r.unit, "capex": r.capex,
        "purchases": [{"build": p.build.id, "nodes": p.nodes} for p in r.purchases if not p.owned],
        "people_at_once": r.people_at_once if r.purchases else None,
    }  # fmt: skip
