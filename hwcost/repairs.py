"""Repairs: single changes that let everything be met, each re-solved and priced; pairs where no single one does.

    rules       the smallest change of one rule: budget (rounded up to the unit), people who wait, a longer run
                (bisection on the run times that occur), the next larger circuit, more machines; noise, ECC, upkeep
                hours, data, kinds of machines given up; a workload left out
    the lab     accumulation, mixed precision, checkpointing, a shared card, smaller tiles, local NVMe, upgrades of what
                it owns, more hours of a service that is stated

`present_value` is the full cost of the best plan after this change alone. Changes that a lab makes are tried only where
all of them together help at all. A change to the work is told with the memory that it saves, before and after.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from hwcost import whatif
from hwcost.case import Case
from hwcost.conflict import MANY_NODES, RuleInstance, change_workload, exists, lift, variant
from hwcost.costs import cents
from hwcost.engine import solve_case
from hwcost.funding import charges
from hwcost.funds import USE_OF, delivery
from hwcost.lab_changes import LabChange, lab_changes
from hwcost.money_rules import paid_elsewhere, widened
from hwcost.plan import Plan, Purchase
from hwcost.scenario import Circuit, Scenario

LARGER_CIRCUIT_AMPS = (16.0, 20.0, 32.0)
FAR_AWAY = 1e9  # a yearly limit that nothing reaches
MOST_PAIRS = 40  # pairs whose feasibility is checked


@dataclass(frozen=True)
class Repair:
    """The smallest change of one rule that lets everything be met, with the plan's full cost after it."""

    rule: str
    subject: str
    from_value: float
    to_value: float
    unit: str
    present_value: float
    capex: float
    purchases: tuple[Purchase, ...] = ()  # of the plan after the change, with its people
    people_at_once: int = 0
    proven: bool = True


@dataclass(frozen=True)
class Pair:
    """Two changes that are enough together; the second is as small as it can be after the first."""

    first: Repair  # its cost is that of the pair
    second: Repair

    @property
    def present_value(self) -> float:
        return self.second.present_value


class Repairer:
    """Tries changes on one case."""

    def __init__(self, case: Case, time_limit_s: float | None) -> None:
        self.case, self.limit = case, time_limit_s
        self.makers: dict[str, Callable[[Case, RuleInstance], Repair | None]] = {
            "budget": self._budget, "people_at_once": self._people, "deadline": self._deadline,
            "circuit": self._circuit, "max_nodes": self._nodes, "fund": self._fund, "spend_by": self._spend_by,
            "running_budget": self._running, "service_quota": self._quota, "staff_hours": self._staff,
        }  # fmt: skip

    # --- singles ---

    def all_of(self, instance: RuleInstance) -> list[Repair]:
        """Every single change of this rule that is enough alone: who may pay is a choice, all else has one size."""
        if instance.rule != "fund_use":
            return [r for r in [self.single(self.case, instance)] if r is not None]
        scenario, uses = self.case.scenario, instance.subject
        ways = [(RuleInstance("fund_pays", f"{f.id}:{uses}"), widened(scenario, uses, f.id)) for f in scenario.funds]
        ways.append((RuleInstance("fund_use", uses), paid_elsewhere(scenario, uses, USE_OF)))
        found = ((change, self._solved(self.case, changed)) for change, changed in ways)
        return [_priced(change, 0.0, 1.0, "", plan) for change, plan in found if plan is not None]

    def single(self, case: Case, instance: RuleInstance) -> Repair | None:
        """The smallest change of this rule alone that makes the musts feasible, or None where no change of it does."""
        lifted = variant(case, lift(case.scenario, instance))
        if not exists(lifted, self.limit):
            return None
        maker = self.makers.get(instance.rule)
        if maker is not None:
            return maker(case, instance)
        plan = self._solved(case, lift(case.scenario, instance))
        return _priced(instance, 1.0, 0.0, "", plan) if plan else None

    def changed(self, case: Case, change: LabChange) -> Repair | None:
        """A change that the lab makes, where it is enough alone."""
        part = variant(case, change.scenario)
        if not exists(part, self.limit):
            return None
        plan = self._best(part)
        instance = RuleInstance(change.kind, change.subject)
        return _priced(instance, change.before, change.after, change.unit, plan) if plan else None

    def lab(self) -> list[Repair]:
        """Every change of the lab that is enough alone; by kind for all jobs where it takes several of them."""
        changes = lab_changes(self.case)
        if not changes or not exists(variant(self.case, everything(self.case, changes)), self.limit):
            return []
        found: list[Repair] = []
        for kind in dict.fromkeys(c.kind for c in changes):
            same = [c for c in changes if c.kind == kind]
            if not exists(variant(self.case, everything(self.case, same)), self.limit):
                continue
            found += [r for c in same if (r := self.changed(self.case, c)) is not None]
        return found

    # --- pairs ---

    def pairs(self, instances: Sequence[RuleInstance]) -> list[Pair]:
        """The cheapest pair of changes: one rule given up or one change of the lab, the other as small as can be."""
        firsts: list[tuple[RuleInstance, Scenario, LabChange | None]] = [
            (i, lift(self.case.scenario, i), None) for i in instances if i.rule not in self.makers
        ]
        firsts += [(RuleInstance(c.kind, c.subject), c.scenario, c) for c in lab_changes(self.case)]
        found: list[Pair] = []
        checks = 0
        for first, scenario, change in firsts:
            case = variant(self.case, scenario)
            for second in (i for i in instances if i != first):
                checks += 1
                if checks > MOST_PAIRS:
                    break
                done = self.single(case, second)
                if done is not None:
                    before, after, unit = (change.before, change.after, change.unit) if change else (1.0, 0.0, "")
                    base = Repair(first.rule, first.subject, before, after, unit, done.present_value, done.capex)
                    found.append(Pair(base, done))
        for one, other in combinations([i for i in instances if i.rule in self.makers], 2):
            found += self._both_sized(one, other)
        return sorted(found, key=lambda p: (p.present_value, p.first.rule, p.first.subject))[:1]

    def _both_sized(self, one: RuleInstance, other: RuleInstance) -> list[Pair]:
        """Two rules with a size each: the first one step, then the second as small as can be."""
        case = variant(self.case, lift(self.case.scenario, one))
        second = self.single(case, other)
        if second is None:
            return []
        after = variant(self.case, apply(self.case.scenario, second))
        first = self.single(after, one)
        if first is None:
            return []
        return [Pair(replace(second, present_value=first.present_value, capex=first.capex, purchases=()), first)]

    # --- the sizes ---

    def _solved(self, case: Case, scenario: Scenario) -> Plan | None:
        return self._best(variant(case, scenario))

    def _best(self, case: Case) -> Plan | None:
        if not exists(case, self.limit):
            return None
        plan = solve_case(whatif.slim(case), "cost", time_limit_s=self.limit)
        return plan if plan.has_plan else None

    def _budget(self, case: Case, instance: RuleInstance) -> Repair | None:
        scenario = case.scenario
        if scenario.budget is None or scenario.funds or scenario.equipment_per_year:
            return self._given_up(case, instance)  # which fund pays the rest is for people to say
        least = whatif.solve(variant(case, lift(scenario, instance)), "spend", time_limit_s=self.limit)
        if not least.has_plan:
            return None
        needed = float(math.ceil(round(least.budget_used, 2)))
        plan = self._solved(case, replace(scenario, budget=needed))
        return _priced(instance, scenario.budget, needed, scenario.currency, plan) if plan else None

    def _given_up(self, case: Case, instance: RuleInstance) -> Repair | None:
        scenario = case.scenario
        plan = self._solved(case, lift(scenario, instance))
        if plan is None:
            return None
        return _priced(instance, scenario.budget or 0.0, float(math.ceil(plan.budget_used)), scenario.currency, plan)

    def _fund(self, case: Case, instance: RuleInstance) -> Repair | None:
        """What the fund is charged in all by the best plan that it does not limit."""
        plan = self._solved(case, lift(case.scenario, instance))
        if plan is None:
            return None
        fund = next(f for f in plan.case.scenario.funds if f.id == instance.subject)
        held = next(f.amount for f in case.scenario.funds if f.id == instance.subject)
        needed = math.fsum(charges(plan.case, fund, plan.cost_lines))
        return _priced(instance, held or 0.0, float(math.ceil(round(needed, 2))), case.scenario.currency, plan)

    def _most_of_a_year(self, case: Case, instance: RuleInstance, field: str, unit: str) -> Repair | None:
        """The most that the best plan takes in a year where the limit is far away: its checks tell it."""
        far: dict[str, Any] = {field: FAR_AWAY}
        plan = self._solved(case, replace(case.scenario, **far))
        if plan is None:
            return None
        most = max((c.value for c in plan.checks if c.rule == instance.rule), default=0.0)
        before = float(getattr(case.scenario, field))
        return _priced(instance, before, float(math.ceil(round(most, 2))), unit, plan)

    def _running(self, case: Case, instance: RuleInstance) -> Repair | None:
        return self._most_of_a_year(case, instance, "running_budget_per_year", case.scenario.currency)

    def _staff(self, case: Case, instance: RuleInstance) -> Repair | None:
        return self._most_of_a_year(case, instance, "staff_hours_limit_per_year", "hour")

    def _quota(self, case: Case, instance: RuleInstance) -> Repair | None:
        service = next(s for s in case.scenario.services if s.id == instance.subject)
        plan = self._solved(case, lift(case.scenario, instance))
        if plan is None:
            return None
        used = [u.card_hours for u in plan.services if u.build.service and u.build.service.id == service.id]
        needed = float(math.ceil(round(max(used, default=0.0), 2)))
        return _priced(instance, service.quota_card_hours_per_year or 0.0, needed, "card-hour", plan)

    def _spend_by(self, case: Case, instance: RuleInstance) -> Repair | None:
        """The day on which the last machine of the best plan comes, in days from the start."""
        plan = self._solved(case, lift(case.scenario, instance))
        if plan is None or not plan.bought:
            return None
        last = max(delivery(case.scenario, p.build, p.year) for p in plan.bought)
        ends = [d for d in (case.scenario.spend_by, *(f.spend_by for f in case.scenario.funds)) if d is not None]
        start = case.scenario.as_of
        return _priced(instance, float((max(ends) - start).days), float((last - start).days), "day", plan)

    def _people(self, case: Case, instance: RuleInstance) -> Repair | None:
        """As few people as possible wait: the most that can train at once while all the runs are done."""
        plan = whatif.solve(case, "people", time_limit_s=self.limit)
        if not plan.has_plan:
            return None
        musts = [w for w in case.scenario.workloads if w.must]
        wanted = sum(w.people_at_once for w in musts)
        return _priced(instance, wanted, sum(plan.people[w.id] for w in musts), "person", plan)

    def _deadline(self, case: Case, instance: RuleInstance) -> Repair | None:
        workload = case.workload_by_id[instance.subject]
        assert workload.max_hours_per_run is not None
        candidates = sorted(
            {
                math.ceil((s.hours_per_run + s.wait_hours) * 10 - 1e-9) / 10
                for s in case.strategies.excluded
                if s.workload_id == workload.id and [b.rule for b in s.breaches] == ["deadline"]
            }
        )
        low, high, best = 0, len(candidates) - 1, None
        while low <= high:
            middle = (low + high) // 2
            hours = candidates[middle]
            if exists(variant(case, change_workload(case.scenario, workload.id, max_hours_per_run=hours)), self.limit):
                best, high = hours, middle - 1
            else:
                low = middle + 1
        if best is None:
            return None
        plan = self._solved(case, change_workload(case.scenario, workload.id, max_hours_per_run=best))
        return _priced(instance, workload.max_hours_per_run, best, "hour", plan) if plan else None

    def _circuit(self, case: Case, instance: RuleInstance) -> Repair | None:
        scenario = case.scenario
        largest = max(c.amps for c in scenario.circuits)
        for amps in (a for a in LARGER_CIRCUIT_AMPS if a > largest):
            plan = self._solved(case, replace(scenario, circuits=with_amps(scenario, amps)))
            if plan:
                return _priced(instance, largest, amps, "A", plan)
        return None

    def _nodes(self, case: Case, instance: RuleInstance) -> Repair | None:
        scenario = case.scenario
        low, high = scenario.max_nodes, MANY_NODES
        while high - low > 1:  # more machines never make it impossible
            middle = (low + high) // 2
            if exists(variant(case, replace(scenario, max_nodes=middle)), self.limit):
                high = middle
            else:
                low = middle
        plan = self._solved(case, replace(scenario, max_nodes=high))
        return _priced(instance, scenario.max_nodes, high, "node", plan) if plan else None


def with_amps(scenario: Scenario, amps: float) -> tuple[Circuit, ...]:
    """The circuits with the largest ones replaced."""
    largest = max(c.amps for c in scenario.circuits)
    return tuple(Circuit(c.volts, amps if c.amps == largest else c.amps, c.count) for c in scenario.circuits)


def everything(case: Case, changes: Sequence[LabChange]) -> Scenario:
    """The scenario with all these changes at once."""
    scenario = case.scenario
    for change in changes:
        scenario = change.make(scenario)
    return scenario


def apply(scenario: Scenario, repair: Repair) -> Scenario:
    """The scenario after a repair of a rule."""
    value = repair.to_value
    changes: dict[str, Callable[[], Scenario]] = {
        "budget": lambda: replace(scenario, budget=value),
        "deadline": lambda: change_workload(scenario, repair.subject, max_hours_per_run=value),
        "circuit": lambda: replace(scenario, circuits=with_amps(scenario, value)),
        "max_nodes": lambda: replace(scenario, max_nodes=int(value)),
        "running_budget": lambda: replace(scenario, running_budget_per_year=value),
        "staff_hours": lambda: replace(scenario, staff_hours_limit_per_year=value),
        "people_at_once": lambda: lift(scenario, RuleInstance("people_at_once")),
    }
    return changes.get(repair.rule, lambda: lift(scenario, RuleInstance(repair.rule, repair.subject)))()


def _priced(instance: RuleInstance, before: float, after: float, unit: str, plan: Plan) -> Repair:
    return Repair(
        instance.rule, instance.subject, before, after, unit, cents(plan.totals.present_value),
        cents(plan.totals.capex), plan.purchases, plan.people_at_once, whatif.proven(plan),
    )  # fmt: skip
