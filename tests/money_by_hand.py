"""What a plan costs, computed from its purchases and assignments by plain sums: none of the program's cost code."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from hwcost.plan import Plan


def to_cents(x: float) -> float:
    return float(Decimal(f"{x:.15g}").quantize(Decimal("0.01"), rounding=ROUND_HALF_UP))


def by_hand(plan: Plan) -> dict[str, float]:
    """Nominal total and present value from purchases and assignments: plain sums, none of the program's cost code."""
    s = plan.case.scenario
    years = s.horizon_years
    total = present = capex = 0.0
    services = [0.0] * years  # what a fund with an overhead pays for

    def pay(amount: float, discounted_years: int) -> None:
        nonlocal total, present
        total += amount
        present += amount / (1 + s.discount_rate) ** discounted_years

    for purchase in plan.purchases:
        build, units, start, machines = purchase.build, purchase.nodes, purchase.year, purchase.build.nodes_per_unit
        prices = {
            part.item_id: to_cents(part.unit_price_net * (1 + s.price_trend_per_year.get(part.role, 0.0)) ** start)
            for part in build.parts
        }
        goods = sum(part.quantity * prices[part.item_id] for part in build.parts)
        if not purchase.owned:
            freight = to_cents(s.freight_rate * goods)
            fee = 0.0 if build.upgrade_of else machines * to_cents(s.installation_per_node)
            tax = to_cents(s.tax_rate * (goods + freight + fee))
            capex += units * (goods + freight + fee + tax)
            pay(units * (goods + freight + fee + tax), start)
            own = s.staff_setup_hours_per_upgrade if build.upgrade_of else None
            hours = machines * s.staff_setup_hours_per_node if own is None else own
            pay(units * hours * s.staff_wage_per_hour, start + 1)
            share = s.residual_share ** ((years - start) / years) if s.residual_share else 0.0
            pay(-units * to_cents(share * goods), years)
        card = sum(prices[part.item_id] for part in build.parts if part.role == "card")
        for year in range(years):
            there = purchase.nodes_by_year[year]
            cost = there * build.idle_wall_w * s.on_hours_per_year / 1000 * s.pue * s.tariff_per_kwh
            cost += there * machines * s.staff_hours_per_node_year * s.staff_wage_per_hour
            cost += there * machines * to_cents(s.hosting_per_node_year)
            if there and year - start >= s.warranty_years and not purchase.owned:
                maintenance = units * to_cents(s.maintenance_rate * goods)
                services[year] += maintenance
                cost += maintenance + units * build.cards * to_cents(s.failure_rate * card)
            pay(cost, year + 1)
    used = {(u.build.id, u.year) for u in plan.services}
    for year in range(years):
        here = [a for a in plan.assignments if a.year == year]
        for build_id in {a.strategy.build_id for a in here} | {b for b, y in used if y == year}:
            build = plan.case.build_by_id[build_id]
            runs = [a for a in here if a.strategy.build_id == build_id]
            hours = sum(a.runs * a.strategy.cards / a.strategy.sharers * a.strategy.hours_per_run for a in runs)
            if build.service is None:
                pay(hours * build.busy_extra_wall_w_per_card / 1000 * s.pue * s.tariff_per_kwh, year + 1)
                continue
            service = build.service
            paid = max(hours, service.minimum_card_hours_per_year) * service.price_per_card_hour
            pay(paid + service.fixed_cost_per_year, year + 1)
            services[year] += paid + service.fixed_cost_per_year
    for workload in s.workloads:
        several = [a.year for a in plan.assignments if a.strategy.workload_id == workload.id and a.strategy.cards > 1]
        if several:
            pay(s.multi_card_setup_hours * s.staff_wage_per_hour, min(several) + 1)
    charging = [fund for fund in s.funds if "services" in fund.pays and fund.overhead_rate]
    for fund in charging:
        assert charging == [
            f for f in s.funds if "services" in f.pays
        ]  # one fund pays all services, hosting is not its
        for year in range(years):
            pay(fund.overhead_rate * services[year], year + 1)
    return {"nominal": total, "present_value": present, "capex": capex}
