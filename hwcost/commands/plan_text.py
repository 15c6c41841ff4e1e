"""The plan as text for the terminal: answer, three figures, tables, what it rests on, status in words."""

from __future__ import annotations

from collections import Counter

from hwcost.basis import basis_lines
from hwcost.commands.fund_text import fund_lines, funds_below
from hwcost.commands.session import Session
from hwcost.commands.software_text import software_lines
from hwcost.commands.table import table
from hwcost.commands.unit_text import unit_lines
from hwcost.costs import CAPEX, CATEGORIES, CostLine
from hwcost.explain import Conflict
from hwcost.inference import what_else
from hwcost.names import (
    budget_text,
    card_name,
    cash_total,
    configuration_text,
    converted_text,
    gross_text,
    left_out_reason,
    listed,
    option_name,
    pace_text,
    part_name,
    purchase_total,
    shares_text,
    tax_basis,
    use_text,
    way_text,
    workload_name,
)  # fmt: skip
from hwcost.options import Comparison
from hwcost.plan import Assignment, Plan
from hwcost.quantities import (
    UNKNOWN,
    date_text,
    hours_text,
    memory_text,
    money_text,
    number_text,
    percent_text,
)  # fmt: skip
from hwcost.record import bought_parts, stale_rows
from hwcost.repair_words import conflict_texts, rule_text
from hwcost.sentences import answer, why_not
from hwcost.use import waits_for_data

MOST_NAMES = 40  # names in one line of what is not considered


def lines(
    plan: Plan, comparison: Comparison, session: Session, *, need: Plan | None = None, conflict: Conflict | None = None
) -> list[str]:
    """Everything `hwcost plan` says about a plan."""
    answered = answer(plan, comparison, session.lang, need=need, conflict=conflict)
    parts = [[*answered, *funds_below(plan, session)]]
    if plan.has_plan:
        parts += [_figures(plan, session), _purchase(plan, session), _workloads(plan, session), _costs(plan, session)]
        parts += [fund_lines(plan, session), unit_lines(plan, session), software_lines(plan, session)]
    parts += [options(comparison, session), why_nots(comparison, session)]
    if plan.has_plan:
        parts += [_what_else(plan, session), _rests_on(plan, session), _left_out(plan, session)]
    parts += [conflict_lines(plan, conflict, session), not_considered(plan, session), status(plan, session)]
    text: list[str] = []
    for part in parts:
        if part:
            text += [*part, ""]
    return text[:-1]


def _titled(title: str, body: list[str]) -> list[str]:
    return [title, *body] if body else []


def _figures(plan: Plan, session: Session) -> list[str]:
    scenario = plan.case.scenario
    currency, lang = scenario.currency, session.lang
    price = gross_text(money_text(purchase_total(plan), currency, lang), scenario, lang)
    total = money_text(plan.totals.nominal, currency, lang)
    separator = "，" if lang == "zh" else ", "
    payers = separator.join(
        session.say("cli.payer", payer=session.say(f"payer.{p}"), amount=money_text(a, currency, lang))
        for p, a in plan.totals.by_payer.items()
    )
    wanted = sum(w.people_at_once for w in scenario.workloads)
    budget = "" if scenario.budget is None else budget_text(scenario, lang)
    body = [
        session.say("cli.purchase_of" if budget else "cli.purchase", price=price, budget=budget),
        session.say("cli.total", years=scenario.horizon_years, total=total, payers=payers),
        *_cash(plan, session),
        session.say("cli.people", people=plan.people_at_once, wanted=wanted),
    ]
    if scenario.discount_rate:
        present = money_text(plan.totals.present_value, currency, lang)
        body.append(session.say("cli.present", total=present, rate=percent_text(scenario.discount_rate, lang)))
    return _titled(session.heading("figures"), body)


def _cash(plan: Plan, session: Session) -> list[str]:
    """The cash of the total, where own hours, which cost none, are part of it."""
    cash = cash_total(plan)
    if cash is None:
        return []
    amounts = (cash, plan.totals.by_payer.get("lab", 0.0))
    cash_of_all, lab = (money_text(x, plan.case.scenario.currency, session.lang) for x in amounts)
    return [session.say("cli.cash", cash=cash_of_all, lab=lab)]


def _purchase(plan: Plan, session: Session) -> list[str]:
    """The lines that finance pays: parts at their net price, freight, installation, tax; then the total."""
    title = session.heading("purchase", currency=plan.case.scenario.currency)
    kept = [p for p in plan.purchases if p.owned]
    body = [session.say("cli.kept", configuration=configuration_text([p], session.lang)) for p in kept if plan.bought]
    rows: list[list[str]] = []
    parts = {part.item_id: part for part in bought_parts(plan)}
    builds = {p.build.id: p.build for p in plan.bought}
    for line in plan.cost_lines:
        if line.category not in CAPEX:
            continue
        part = parts.get(line.item)
        origin = ""
        if part is not None:
            key = "cli.quoted_stale" if part.stale else "cli.quoted"
            kind = session.say(f"pricekind.{part.price.price_kind}")
            origin = session.say(key, kind=kind, date=date_text(part.price.as_of, session.lang))
            converted = converted_text(part, plan.case.scenario, session.lang)
            origin = session.say("cli.converted", origin=origin, converted=converted) if converted else origin
        build = builds.get(line.build_id)  # none of a line that belongs to no machine
        whole = session.say("cli.runs_on", count=build.cards, card=card_name(build.card)) if build else line.item
        name = part_name(plan.case.catalog, part, session.lang) if part is not None else whole
        rows.append(
            [session.say(f"category.{line.category}"), name, number_text(line.quantity, session.lang),
             number_text(line.unit_price, session.lang, 2), number_text(line.amount, session.lang, 2), origin]
        )  # fmt: skip
    if rows:
        total = session.say("cli.sum", basis=tax_basis(plan.case.scenario, session.lang))
        rows.append([total, "", "", "", number_text(purchase_total(plan), session.lang, 2), ""])
    titles = session.columns("item", "name", "quantity", "unit_price", "amount", "price_from")
    return _titled(title, [*body, *table(titles, rows, right=(2, 3, 4))])


def _workloads(plan: Plan, session: Session) -> list[str]:
    """One row per job and way; years with the same figures are taken together."""
    groups: dict[tuple[int, str], list[Assignment]] = {}
    for a in plan.assignments:
        groups.setdefault((id(a.strategy), f"{a.runs:.6g}"), []).append(a)
    rows = []
    for found in groups.values():
        first, way = found[0], found[0].strategy
        build = plan.case.build_by_id[way.build_id]
        years = [a.year + 1 for a in found]
        rows.append([
            workload_name(plan.case.workload_by_id[way.workload_id], session.lang),
            way_text(way, build, session.lang),
            f"{years[0]}" if len(years) == 1 else f"{years[0]}-{years[-1]}",
            number_text(first.runs, session.lang),
            hours_text(way.hours_per_run, session.lang),
            memory_text(way.memory_mib, session.lang),
            session.say("cli.batch", micro=way.micro_batch, steps=way.accumulation_steps),
            session.say(f"bound.{way.bound}"),
            session.say("cli.evidence", evidence=session.say(f"evidence.{way.evidence}"),
                        error=percent_text(way.error_share, session.lang, 0)),
        ])  # fmt: skip
    titles = session.columns("workload", "on", "years", "runs", "hours", "memory", "batch", "bound", "evidence")
    return _titled(session.heading("workloads"), table(titles, rows, right=(3, 4, 5, 6)))


def _costs(plan: Plan, session: Session) -> list[str]:
    scenario = plan.case.scenario
    years = range(scenario.horizon_years)

    def row(name: str, payer: str, found: list[CostLine]) -> list[str]:
        sums = [sum(float(x.amount) for x in found if x.year == year) for year in years]
        figures = [number_text(s, session.lang, 2) for s in [*sums, sum(sums)]]
        return [name, payer, *figures]

    rows = []
    for category in CATEGORIES:
        for payer in sorted({x.payer for x in plan.cost_lines if x.category == category}):
            found = [x for x in plan.cost_lines if x.category == category and x.payer == payer]
            rows.append(row(session.say(f"category.{category}"), session.say(f"payer.{payer}"), found))
    total = session.say("cli.column.total")
    for payer in plan.totals.by_payer:
        found = [x for x in plan.cost_lines if x.payer == payer]
        rows.append(row(total, session.say(f"payer.{payer}"), found))
    if len(plan.totals.by_payer) > 1:
        rows.append(row(total, "", list(plan.cost_lines)))
    titles = [
        *session.columns("category", "payer"),
        *(session.say("cli.column.year", year=y + 1) for y in years),
        total,
    ]
    right = tuple(range(2, len(titles)))
    return _titled(session.heading("costs", currency=scenario.currency), table(titles, rows, right=right))


def options(comparison: Comparison, session: Session) -> list[str]:
    """The options side by side; the chosen one is starred."""
    scenario = comparison.best.case.scenario
    rows = []
    for result in comparison.results:
        mark = session.say("cli.chosen_mark") if result.letter == comparison.chosen else ""
        plan = result.plan if result.plan is not None and result.plan.has_plan else None
        figures = [UNKNOWN] * 6
        if plan is not None:
            figures = [
                money_text(purchase_total(plan), scenario.currency, session.lang),
                money_text(plan.totals.nominal, scenario.currency, session.lang),
                str(plan.people_at_once),
                shares_text(plan, session.lang),
                use_text(plan, session.lang),
                pace_text(plan, session.lang),
            ]
        rows.append([result.letter + mark, option_name(result, session.lang), *figures])
    basis = tax_basis(scenario, session.lang)
    price = session.say("cli.price_basis", price=session.say("cli.column.price"), basis=basis)
    titles = [
        *session.columns("letter", "option"), price,
        session.say("cli.column.years_total", years=scenario.horizon_years),
        *session.columns("people", "served", "use", "pace"),
    ]  # fmt: skip
    found = table(titles, rows, right=(2, 3, 4, 5, 6))
    if any(r.plan is not None and waits_for_data(r.plan) for r in comparison.results):
        found.append(session.say("pace.hint"))
    return _titled(session.heading("options"), found)


def why_nots(comparison: Comparison, session: Session) -> list[str]:
    """What each option buys, and in one sentence why it lost."""
    stop = "。" if session.lang == "zh" else ". "
    body = []
    for result in comparison.results:
        bought = result.plan is not None and result.plan.purchases
        what = configuration_text(result.plan.purchases, session.lang) + stop if result.plan and bought else ""
        doubt = session.say("cli.unproven") if result.plan and result.plan.status == "best_found" else ""
        body.append(f"{result.letter}  {what}{why_not(result, comparison, session.lang)}{doubt}")
    body += [
        session.say(f"notoffered.{option}.{reason}", name=option_name(option, session.lang))
        for option, reason in comparison.not_offered
    ]
    return _titled(session.heading("whynot"), body)


def _what_else(plan: Plan, session: Session) -> list[str]:
    """What the machines could run besides: language models that only answer, and LoRA. Rules of thumb."""
    catalog, lang, body = plan.case.catalog, session.lang, []
    for build in {p.build.id: p.build for p in plan.purchases}.values():
        names: dict[bool, list[str]] = {True: [], False: []}
        for fit in what_else(catalog, build.card, build.cards):
            row = catalog.presets[fit.preset_id]
            names[fit.fits].append(row.name_zh if lang == "zh" else row.name)
        for fits, found in names.items():
            if found:
                key = "cli.else_fits" if fits else "cli.else_not"
                models = listed(found, lang, most=len(found))
                body.append(session.say(key, cards=build.cards, card=build.card.name, models=models))
    return _titled(session.heading("what_else"), body)


def _rests_on(plan: Plan, session: Session) -> list[str]:
    parts = bought_parts(plan)
    lang = session.lang
    separator = "，" if lang == "zh" else ", "
    body = []
    if parts:
        kinds = Counter(part.price.price_kind for part in parts)
        words = [session.say("cli.kind_count", count=n, kind=session.say(f"pricekind.{k}")) for k, n in kinds.items()]
        body.append(session.say("cli.price_kinds", kinds=separator.join(words)))
    if any(p.build.estimate_only for p in plan.bought):
        body.append(session.say("cli.composed"))
    stale = stale_rows(plan)
    mine = {row["item"] for row in stale if row["bought"]}
    old = []
    for part in (p for p in parts if p.item_id in mine):
        name, day = part_name(plan.case.catalog, part, lang), date_text(part.price.as_of, lang)
        old.append(session.say("cli.group", rule=name, items=day))
    if old:
        body.append(session.say("cli.stale_bought", items=listed(old, lang, most=len(old))))
    if len(stale) > len(mine):
        others = "cli.stale_others" if mine else "cli.stale_only_others"
        body.append(session.say(others, count=len(stale) - len(mine)))
    elif not stale:
        body.append(session.say("cli.none_stale"))
    body += basis_lines(plan, lang)
    tiers = dict.fromkeys(a.strategy.evidence for a in plan.assignments)
    if tiers:
        body.append(session.say("cli.tiers", tiers=separator.join(session.say(f"evidence.{t}") for t in tiers)))
    assumptions = plan.case.scenario.assumptions
    estimates = sum(1 for a in assumptions if a.kind == "estimate")
    if assumptions:
        body.append(session.say("cli.figures", estimates=estimates, all=len(assumptions)))
    return _titled(session.heading("rests"), body)


def _left_out(plan: Plan, session: Session) -> list[str]:
    body = [
        session.say("cli.left_out", workload=workload_name(plan.case.workload_by_id[w], session.lang),
                    runs=number_text(runs, session.lang), year=year + 1)
        for w, year, runs in plan.shortfall
    ]  # fmt: skip
    return _titled(session.heading("left_out"), body or [session.say("cli.nothing_left_out")])


def conflict_lines(plan: Plan, conflict: Conflict | None, session: Session) -> list[str]:
    """The rules that cannot hold together, and the changes that repair it with their prices."""
    if conflict is None or not conflict.rules:
        return []
    scenario = plan.case.scenario
    body = [f"- {rule_text(rule, scenario, session.lang)}" for rule in conflict.rules]
    body += [f"> {text}" for text in conflict_texts(conflict, scenario, session.lang)]
    return _titled(session.heading("conflict"), body)


def not_considered(plan: Plan, session: Session) -> list[str]:
    """Items left out whole, by the reason that keeps them out."""
    groups: dict[str, list[str]] = {}
    for refusal in plan.not_considered:
        item = refusal.item_zh if session.lang == "zh" else refusal.item
        first = refusal.breaches[0]
        reason = left_out_reason(first.rule, session.lang, first.values.get("status", ""))
        groups.setdefault(reason, []).append(item)
    body = [
        session.say("cli.group", rule=rule, items=listed(items, session.lang, most=MOST_NAMES))
        for rule, items in groups.items()
    ]
    return _titled(session.heading("not_considered"), body)


def status(plan: Plan, session: Session) -> list[str]:
    """Proven or best found, never mixed up, with the gap where there is one."""
    words = {
        "status": session.say(f"status.{plan.status}"), "objective": session.say(f"objective.{plan.objective}"),
    }  # fmt: skip
    if plan.status == "best_found" and plan.gap is not None:
        gap = session.say("status.gap", gap=percent_text(plan.gap, session.lang, 2))
        return [session.say("cli.status_gap", gap=gap, **words)]
    return [session.say("cli.status", **words)]
