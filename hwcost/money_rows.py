"""Rows about money: the budget, its years, what the lab may pay for running, and which fund pays what."""

from __future__ import annotations

import math
from typing import Any

from hwcost import solver
from hwcost.costs import Decisions, cost_lines
from hwcost.decisions import card_hours, ways_of
from hwcost.funds import (
    CONSUMABLES,
    EQUIPMENT,
    RUNNING,
    SERVICES,
    USE_OF,
    borne,
    charge,
    depreciation,
    equipment_funds,
    limits,
    may_pay,
    price_to_cover,
    to_cover,
)
from hwcost.program import Model, most_units
from hwcost.scenario import Fund


def add_budget(model: Model) -> None:
    """Equipment money over the horizon, and by year: with carry-over what has come so far, else what came that year."""
    case, scenario = model.case, model.case.scenario
    spent = {t: [case.price(b, t) * model.buy[b.id, t] for b, when in case.purchases if when == t]
             for t in case.purchase_years}  # fmt: skip
    if scenario.budget is not None and case.buyable:
        model.row("budget", solver.total(x for terms in spent.values() for x in terms) <= float(scenario.budget))
    for year, given in equipment_limits(model.case.scenario.equipment_per_year, scenario.horizon_years):
        so_far = [t for t in spent if (t <= year if scenario.equipment_carry_over else t == year)]
        amount = sum(given[: year + 1]) if scenario.equipment_carry_over else given[year]
        terms = [x for t in so_far for x in spent[t]]
        if terms and year in spent:
            model.row(f"budget_year{year}", solver.total(terms) <= amount)


def equipment_limits(per_year: tuple[float, ...], horizon_years: int) -> list[tuple[int, list[float]]]:
    """Equipment money of every year, 0 where none is stated; no row where all of it comes at the start."""
    if not per_year:
        return []
    given = [*per_year, *([0.0] * horizon_years)][:horizon_years]
    return [(year, given) for year in range(horizon_years)]


def add_running(model: Model) -> None:
    """What the lab itself pays in a year for running cost and services."""
    scenario = model.case.scenario
    if scenario.running_budget_per_year is None:
        return
    for year in range(scenario.horizon_years):
        terms = [x.amount for x in model.lines if x.year == year and x.payer == "lab" and x.category in RUNNING]
        if terms:
            model.row(f"running{year}", solver.total(terms) <= scenario.running_budget_per_year)


def add_payments(model: Model) -> None:
    """Variables of what each fund pays, for `overhead` lines to read."""
    scenario = model.case.scenario
    for year in range(scenario.horizon_years):
        for use in (EQUIPMENT, SERVICES, CONSUMABLES):
            funds = may_pay(scenario, use, year)
            need = _most_needed(model, use, year) if funds else 0.0
            for fund in funds:
                most = need if fund.amount is None else min(need, fund.amount * (1.0 + scenario.tax_rate))
                if use != EQUIPMENT:
                    model.pay[fund.id, use, year] = model.variable(most)
                elif year in model.case.purchase_years and fund.depreciation_only:
                    model.worn[fund.id, year] = model.variable(need)
                elif year in model.case.purchase_years:
                    model.pay[fund.id, use, year] = model.variable(most)


def _most_needed(model: Model, use: str, year: int) -> float:
    """More than can be needed of a use in a year: a bound that is far too high would spoil the solver's tolerances."""
    case, scenario = model.case, model.case.scenario
    units = {b.id: sum(most_units(case, b, t) for t in case.purchase_years) or b.owned_count for b in case.builds}
    machines = [b for b in case.builds if b.service is None]
    if use == EQUIPMENT:
        return math.fsum(
            most_units(case, b, t) * price_to_cover(scenario, b, t) for b, t in case.purchases if t == year
        )
    decided = Decisions(
        {(b.id, t): units[b.id] for b in machines for t in case.purchase_years},
        {(b.id, year): units[b.id] for b in machines},
        {(b.id, year): math.fsum(card_hours(case, i, year) for i in ways_of(case, build=b.id)) for b in case.builds},
        {(b.id, year): b.service.minimum_card_hours_per_year for b in case.services if b.service is not None},
        {(b.id, year): 1.0 for b in case.services},
    )  # fmt: skip
    lines = [x for x in cost_lines(scenario, case.builds, decided) if x.year == year and USE_OF.get(x.category) == use]
    return math.fsum(x.amount for x in lines)


def add_funds(model: Model) -> None:
    """Every line that the lab pays is covered by funds that may pay it, and no fund is charged more than has come."""
    if not model.case.scenario.funds:
        return
    _cover_equipment(model)
    _cover_running(model)
    for n, fund in enumerate(model.case.scenario.funds):
        charges = charged(model, fund)
        for year, counted, amount in limits(fund, model.case.scenario.horizon_years):
            terms = [x for y in counted for x in charges.get(y, [])]
            if terms:
                model.row(f"fund{n}_{year}", solver.total(terms) <= amount)


def _cover_equipment(model: Model) -> None:
    """A fund pays only what comes by its last day. Who may wait longest may pay all that others may, so the sets of
    funds are nested, and it is enough that each set covers what it alone may pay.
    """
    case, scenario = model.case, model.case.scenario
    for year in case.purchase_years:
        groups: dict[frozenset[str], list[Any]] = {}
        for build, when in case.purchases:
            if when == year:
                price = price_to_cover(scenario, build, year)
                payers = frozenset(f.id for f in equipment_funds(scenario, build, year))
                groups.setdefault(payers, []).append(price * model.buy[build.id, year])
        funds = {f.id: f for f in may_pay(scenario, EQUIPMENT, year)}
        sets = sorted(groups, key=lambda ids: (len(ids), sorted(ids)))
        for n, ids in enumerate(sets):
            own = solver.total(x for other in sets if other <= ids for x in groups[other])
            paid = solver.total(_covers(model, funds[i], year) for i in sorted(ids))
            model.row(f"equip{year}_{n}", own - paid == 0 if n == len(sets) - 1 else own - paid <= 0)
        for n, ids in enumerate([frozenset(), *sets[:-1]] if sets else []):
            others = sorted(sets[-1] - ids)
            within = solver.total(x for group in sets if not group <= ids for x in groups[group])
            worn = [model.worn[i, year] for i in others if (i, year) in model.worn]
            if worn:  # no price wears out twice
                model.row(f"worn{year}_{n}", solver.total(worn) - within <= 0)
        left = [i for i in funds if not sets or i not in sets[-1]]
        for i in left:  # nothing that this fund may pay is on offer
            model.row(f"idle{year}_{sorted(funds).index(i)}", _covers(model, funds[i], year) <= 0)


def _covers(model: Model, fund: Fund, year: int) -> Any:
    """What the fund pays of the purchases of `year`, sooner or later."""
    if fund.depreciation_only:
        return borne(model.case.scenario, fund, year) * model.worn[fund.id, year]
    return 1.0 * model.pay[fund.id, EQUIPMENT, year]


def _cover_running(model: Model) -> None:
    scenario = model.case.scenario
    for year in range(scenario.horizon_years):
        for use in (SERVICES, CONSUMABLES):
            lines = [x for x in model.lines if x.year == year and USE_OF.get(x.category) == use]
            lines = [x for x in lines if to_cover(scenario, x.category)]
            paid = [model.pay[f.id, use, year] for f in may_pay(scenario, use, year)]
            if lines or paid:
                amounts = solver.total(x.amount for x in lines)
                model.row(f"cover_{use}{year}", amounts - solver.total(paid) == 0)


def charged(model: Model, fund: Fund) -> dict[int, list[Any]]:
    """What the fund is charged, by year."""
    scenario = model.case.scenario
    found: dict[int, list[Any]] = {}
    for (name, use, year), paid in model.pay.items():
        if name == fund.id:
            found.setdefault(year, []).append(charge(scenario, fund, use) * paid)
    for (name, bought_in), amount in model.worn.items():
        for year in range(scenario.horizon_years):
            share = charge(scenario, fund, EQUIPMENT) * depreciation(scenario, fund, bought_in, year)
            if name == fund.id and share:
                found.setdefault(year, []).append(share * amount)
    return found
