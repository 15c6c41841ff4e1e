"""Which money may pay what, and when: the rules of funds, in numbers alone.

    equipment    CAPEX with tax                          lines that the lab pays, by category (`USE_OF`)
    services     campus and rented card-hours, hosting, maintenance
    consumables  energy, spare parts

A fund pays in its window of years. What it is charged: equipment on its own tax basis, services with its overhead on
top. A fund for depreciation alone bears 1 / (depreciation years) of a price in each year of use within its window; the
rest of that price must come from elsewhere. Own hours of staff and residual values are paid by no fund.
"""

from __future__ import annotations

import math
from datetime import date, timedelta

from hwcost.build import Build
from hwcost.costs import CAPEX, OPEX, capex_unit_prices, cents
from hwcost.rules import Breach
from hwcost.scenario import Fund, Scenario

EQUIPMENT, SERVICES, CONSUMABLES = "equipment", "services", "consumables"
USE_OF = {
    **dict.fromkeys(CAPEX, EQUIPMENT),
    **dict.fromkeys(("campus", "rental", "hosting", "maintenance"), SERVICES),
    **dict.fromkeys(("energy_idle", "energy_busy", "failures"), CONSUMABLES),
}
RUNNING = OPEX  # what the yearly running budget covers, where the lab pays it


def window(fund: Fund, horizon_years: int) -> range:
    """Years in which the fund may be spent."""
    last = horizon_years - 1 if fund.to_year is None else min(fund.to_year, horizon_years - 1)
    return range(fund.from_year, last + 1)


def arrivals(fund: Fund, horizon_years: int) -> list[float] | None:
    """What arrives in each year of the horizon; None: no limit. Yearly amounts begin in the fund's first year."""
    if fund.amount is None:
        return None
    found = [0.0] * horizon_years
    for n, amount in enumerate(fund.per_year or (fund.amount,)):
        if fund.from_year + n < horizon_years:
            found[fund.from_year + n] = amount
    return found


def limits(fund: Fund, horizon_years: int) -> list[tuple[int, tuple[int, ...], float]]:
    """What may be charged at most: (year, years that count, amount), one row for each year of the window."""
    given = arrivals(fund, horizon_years)
    if given is None:
        return []
    rows = []
    for year in window(fund, horizon_years):
        counted = tuple(y for y in window(fund, horizon_years) if y <= year) if fund.carry_over else (year,)
        come = sum(given[: year + 1]) if fund.carry_over else given[year]
        rows.append((year, counted, come))
    return rows


def may_pay(scenario: Scenario, use: str, year: int) -> tuple[Fund, ...]:
    """Funds that may pay for `use` in `year`."""
    return tuple(f for f in scenario.funds if use in f.pays and year in window(f, scenario.horizon_years))


def start_of(scenario: Scenario, year: int) -> date:
    """The first day of year `year` of the plan."""
    day = scenario.as_of
    try:
        return day.replace(year=day.year + year)
    except ValueError:  # the 29th of February
        return day.replace(year=day.year + year, day=28)


def delivery(scenario: Scenario, build: Build, year: int) -> date:
    """The day on which a purchase of year `year` can be used."""
    return start_of(scenario, year) + timedelta(weeks=build.lead_weeks)


def equipment_funds(scenario: Scenario, build: Build, year: int) -> tuple[Fund, ...]:
    """Funds that may pay for `build` bought in `year`: they pay equipment then, and it is there by their last day."""
    day = delivery(scenario, build, year)
    return tuple(f for f in may_pay(scenario, EQUIPMENT, year) if f.spend_by is None or day <= f.spend_by)


def can_buy(scenario: Scenario, build: Build, year: int) -> bool:
    """Whether `build` bought in `year` comes in time for some money that may pay it."""
    if scenario.funds:
        return bool(equipment_funds(scenario, build, year))
    return scenario.spend_by is None or delivery(scenario, build, year) <= scenario.spend_by


def late(scenario: Scenario, build: Build) -> Breach | None:
    """Why `build` can be bought in none of the purchase years: every fund (or the budget) ends before it comes."""
    years = [year for year in scenario.purchase_years if year < scenario.horizon_years]
    if not build.parts or any(can_buy(scenario, build, year) for year in years):
        return None
    if scenario.funds:
        ends = [f.spend_by for year in years for f in may_pay(scenario, EQUIPMENT, year) if f.spend_by is not None]
    else:
        ends = [scenario.spend_by] if scenario.spend_by is not None else []
    if not ends:
        return Breach("fund_equipment", {})
    day = delivery(scenario, build, min(years))
    values = {"delivery": day.isoformat(), "spend_by": max(ends).isoformat(), "weeks": build.lead_weeks}
    return Breach("spend_by", values)


def charged_gross(scenario: Scenario) -> bool:
    """Whether payments for equipment are counted with tax: unless every fund that pays it is charged net prices."""
    paying = [f for f in scenario.funds if EQUIPMENT in f.pays]
    return not paying or any(f.tax_included for f in paying)


def price_to_cover(scenario: Scenario, build: Build, year: int) -> float:
    """What funds must pay for one unit bought in `year`: the lines that the lab pays, with tax if any fund bears it."""
    rows = capex_unit_prices(scenario, build, year)
    return cents(math.fsum(q * price for category, _, q, price in rows if to_cover(scenario, category)))


def to_cover(scenario: Scenario, category: str) -> bool:
    """Whether funds must pay the lines of `category`: the lab pays them, and they are of a use that funds know."""
    use = USE_OF.get(category)
    if use is None or scenario.payers.get(category, "lab") != "lab":
        return False
    return category != "tax" or charged_gross(scenario)


def charge(scenario: Scenario, fund: Fund, use: str) -> float:
    """What the fund is charged for a payment of 1."""
    if use == SERVICES:
        return 1.0 + fund.overhead_rate
    if use == EQUIPMENT and charged_gross(scenario) and not fund.tax_included:
        return 1.0 / (1.0 + scenario.tax_rate)
    return 1.0


def depreciation(scenario: Scenario, fund: Fund, bought_in: int, year: int) -> float:
    """Share of a price of `bought_in` that the fund bears in `year`."""
    if year < bought_in or year not in window(fund, scenario.horizon_years):
        return 0.0
    return max(0.0, min(1.0, fund.depreciation_years - (year - bought_in))) / fund.depreciation_years


def borne(scenario: Scenario, fund: Fund, bought_in: int) -> float:
    """Share of a price of `bought_in` that a fund for depreciation bears in all its years."""
    return sum(depreciation(scenario, fund, bought_in, year) for year in range(scenario.horizon_years))


def by_year(scenario: Scenario) -> bool:
    """Whether some limit on money or hours is counted year by year, so that like years need not be alike."""
    horizon = scenario.horizon_years
    running = [f for f in scenario.funds if set(f.pays) - {EQUIPMENT}]
    partial = any(f.amount is not None or len(window(f, horizon)) < horizon for f in running)
    limited = (scenario.running_budget_per_year, scenario.staff_hours_limit_per_year)
    return partial or any(limit is not None for limit in limited)
