"""Which fund pays which cost line of a finished plan, and what each fund is charged year by year.

A line that several funds pay is split in their shares of the year's payments, so that the lines still add up to the
plan's cost. A fund for depreciation pays its share of a price in later years; its lines stand in the year of purchase.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from hwcost.case import Case
from hwcost.costs import CostLine, cost_lines
from hwcost.decisions import card_hours, decisions, ways_of
from hwcost.funds import (
    EQUIPMENT,
    SERVICES,
    USE_OF,
    borne,
    charge,
    depreciation,
    equipment_funds,
    to_cover,
)
from hwcost.scenario import Fund
from hwcost.solution import Solution

NOTHING = 1e-9
WHOLE = 1e-6  # a share of a line within this of all or nothing is that


def tidy(case: Case, solution: Solution) -> Solution:
    """What follows from the rest, without the solver's dust: unused hours of services, and payments that add up."""
    unused = {}
    for (name, p), used in solution.in_use.items():
        service = case.build_by_id[name].service
        if service is not None and service.minimum_card_hours_per_year:
            share = service_hours(case, solution, name, p) / service.minimum_card_hours_per_year
            unused[name, p] = max(0.0, 1.0 - share) if used else 0.0
    exact = replace(solution, unused=unused)
    if not case.scenario.funds:
        return exact
    lines = cost_lines(case.scenario, case.builds, decisions(case, replace(exact, pay={})))
    pay = dict(exact.pay)
    for use, year in sorted({(use, year) for _, use, year in pay if use != EQUIPMENT}):
        keys = [key for key in pay if key[1:] == (use, year)]
        paid = math.fsum(pay[key] for key in keys)
        due = math.fsum(x.amount for x in lines if x.year == year and USE_OF.get(x.category) == use
                        and to_cover(case.scenario, x.category))  # fmt: skip
        for key in keys:
            pay[key] = pay[key] * due / paid if paid > 0.0 else 0.0
    return replace(exact, pay=pay)


def service_hours(case: Case, solution: Solution, build: str, period: int) -> float:
    """Card-hours of a service in each year of the period."""
    year = case.periods[period][0]
    ways = ways_of(case, build=build)
    return math.fsum(card_hours(case, i, year) * solution.share[i, period] for i in ways)


def with_funds(case: Case, solution: Solution, lines: Sequence[CostLine]) -> list[CostLine]:
    """The lines with the fund that pays each, split where several do."""
    scenario = case.scenario
    if not scenario.funds:
        return list(lines)
    equipment = {year: _equipment_shares(case, solution, lines, year) for year in case.purchase_years}
    found: list[CostLine] = []
    for line in lines:
        use = USE_OF.get(line.category)
        if line.category == "overhead":
            found.append(replace(line, fund=line.item))
        elif use is None or not to_cover(scenario, line.category):
            found.append(line)
        elif use == EQUIPMENT:
            payers = _payers(case, line)
            found += _split(line, equipment[line.year][payers])
        else:
            paid = {f: amount for (f, u, year), amount in solution.pay.items() if (u, year) == (use, line.year)}
            found += _split(line, _shares(paid))
    return found


def _payers(case: Case, line: CostLine) -> frozenset[str]:
    build = case.build_by_id[line.build_id]
    return frozenset(f.id for f in equipment_funds(case.scenario, build, line.year))


def _equipment_shares(
    case: Case, solution: Solution, lines: Iterable[CostLine], year: int
) -> dict[frozenset[str], dict[str, float]]:
    """By set of funds that may pay, the share of each: who may pay least takes first, from what each fund has left."""
    scenario = case.scenario
    left = {f: amount for (f, use, y), amount in solution.pay.items() if (use, y) == (EQUIPMENT, year)}
    for fund in scenario.funds:
        if (fund.id, year) in solution.worn:
            left[fund.id] = borne(scenario, fund, year) * solution.worn[fund.id, year]
    due: dict[frozenset[str], float] = {}
    for line in lines:
        if line.year == year and USE_OF.get(line.category) == EQUIPMENT and to_cover(scenario, line.category):
            payers = _payers(case, line)
            due[payers] = due.get(payers, 0.0) + line.amount
    shares = {}
    for payers in sorted(due, key=lambda ids: (len(ids), sorted(ids))):
        shares[payers] = _shares({f: max(0.0, left.get(f, 0.0)) for f in payers})
        for fund_id, share in shares[payers].items():
            left[fund_id] = left.get(fund_id, 0.0) - share * due[payers]
    return shares


def _shares(paid: dict[str, float]) -> dict[str, float]:
    whole = math.fsum(paid.values())
    if whole <= NOTHING:
        return {}
    kept = {f: amount / whole for f, amount in sorted(paid.items()) if amount / whole > WHOLE}
    return {f: share / math.fsum(kept.values()) for f, share in kept.items()}


def _split(line: CostLine, shares: dict[str, float]) -> list[CostLine]:
    """One line for each fund; a line that no fund pays stays as it is, and the check of it fails."""
    if len(shares) <= 1:
        return [replace(line, fund=fund) for fund in shares] or [line]
    return [replace(line, fund=fund, quantity=share * line.quantity) for fund, share in shares.items()]


def charges(case: Case, fund: Fund, lines: Iterable[CostLine]) -> list[float]:
    """What the fund is charged in each year of the horizon for the lines that it pays."""
    scenario = case.scenario
    found = [0.0] * scenario.horizon_years
    for line in lines:
        if line.fund != fund.id:
            continue
        use = USE_OF.get(line.category, SERVICES)
        if use == EQUIPMENT and fund.depreciation_only:
            price = charge(scenario, fund, use) * line.amount / borne(scenario, fund, line.year)
            for year in range(scenario.horizon_years):
                found[year] += price * depreciation(scenario, fund, line.year, year)
        elif use == EQUIPMENT:
            found[line.year] += charge(scenario, fund, use) * line.amount
        else:  # an overhead is a line of its own
            found[line.year] += line.amount
    return found


def uncovered(case: Case, lines: Iterable[CostLine]) -> dict[str, float]:
    """What funds must pay and none does, by use."""
    found: dict[str, float] = {}
    for line in lines:
        if to_cover(case.scenario, line.category):
            use = USE_OF[line.category]
            found[use] = found.get(use, 0.0) + (0.0 if line.fund else line.amount)
    return found
