"""Why not everything can be met: a smallest set of rules in conflict, and for each the cheapest single repair.

The runs of the musts are what is asked for; the rules are what stands in their way. A rule instance is (rule, subject);
the subject is a workload or empty. Physical rules never relax. A set of rules is in conflict if no plan does the runs
under them while all the others are lifted. The set is found by a deletion filter and then replaced by a smaller one
where any exists; there may be others of the same size. A workload that nothing can run even with every rule lifted is
named with the rule `demand`. Every repair is re-solved and priced: `present_value` is the full cost of the best plan
after this change alone; leaving one workload out is always among the repairs tried.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from hwcost import climb
from hwcost.builds import make_builds
from hwcost.case import Case, assemble
from hwcost.costs import cents
from hwcost.engine import solve_case
from hwcost.plan import Plan, Purchase
from hwcost.scenario import Circuit, Scenario
from hwcost.strategies import make_strategies
from hwcost.workload import Workload

MANY_NODES = 64
LARGER_CIRCUIT_AMPS = (16.0, 20.0, 32.0)
MAX_SUBSETS = 100  # feasibility checks spent on looking for a smaller conflict
TECHNICAL = ("circuit", "noise", "ecc", "deadline")  # lifting these changes builds or ways, not only limits
BUILD_FIELDS = ("circuits", "noise_limit_dba", "place", "rack_units", "storage_needed_tb", "allowed_statuses")
WORKLOAD_FIELDS = ("max_hours_per_run", "ecc_required", "accumulation", "batchnorm_min_batch", "batch", "precision")


@dataclass(frozen=True)
class RuleInstance:
    """One rule about one thing."""

    rule: str
    subject: str = ""


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


@dataclass(frozen=True)
class Conflict:
    """Rules that cannot hold together; `proven` is false where a check ended without proof and kept its rule."""

    rules: tuple[RuleInstance, ...]
    repairs: tuple[Repair, ...]
    proven: bool


def conflict(case: Case, *, time_limit_s: float | None = None) -> Conflict | None:
    """The conflict that keeps the musts from being met in full; None where they can be."""
    search = _Search(case, time_limit_s)
    every = rule_instances(case.scenario)
    if search.feasible(every):
        return None
    possible = search.feasible(())
    kept = _smaller(search, every, _irreducible(search, every)) if possible else _impossible(search)
    tried = [*kept, *(i for i in _left_out(case.scenario) if i not in kept)]
    repairs = [r for rule in tried if (r := _repair(case, rule, time_limit_s)) is not None]
    return Conflict(tuple(kept), tuple(repairs), search.proven)


def rule_instances(scenario: Scenario) -> list[RuleInstance]:
    """All rules that a person could change. The filter drops the first ones first: the last are likeliest to stay."""
    musts = [w for w in scenario.workloads if w.must]
    found = [RuleInstance("distinct_builds"), RuleInstance("max_nodes")]
    if scenario.noise_limit_dba is not None:
        found.append(RuleInstance("noise"))
    found += [RuleInstance("ecc", w.id) for w in musts if w.ecc_required]
    found += [RuleInstance("deadline", w.id) for w in musts if w.max_hours_per_run is not None]
    if any(w.people_at_once for w in musts):
        found.append(RuleInstance("people_at_once"))
    if scenario.circuits:
        found.append(RuleInstance("circuit"))
    if scenario.budget is not None:
        found.append(RuleInstance("budget"))
    return found


def _left_out(scenario: Scenario) -> list[RuleInstance]:
    musts = [w for w in scenario.workloads if w.must]
    return [RuleInstance("demand", w.id) for w in musts] if len(musts) > 1 else []


def _impossible(search: _Search) -> list[RuleInstance]:
    """Workloads that no build can run, whatever rule is lifted."""
    case = search.lifted(frozenset())
    able = {w.workload_id for w in case.ways}
    return [RuleInstance("demand", w.id) for w in case.scenario.workloads if w.must and w.id not in able]


def _change(scenario: Scenario, workload_id: str, **fields: Any) -> Scenario:
    def changed(w: Workload) -> Workload:
        return replace(w, **fields) if w.id == workload_id else w

    return replace(scenario, workloads=tuple(changed(w) for w in scenario.workloads))


def lift(scenario: Scenario, instance: RuleInstance) -> Scenario:
    """The scenario without one rule."""
    subject = instance.subject
    lifts: dict[str, Callable[[], Scenario]] = {
        "budget": lambda: replace(scenario, budget=None),
        "circuit": lambda: replace(scenario, circuits=()),
        "noise": lambda: replace(scenario, noise_limit_dba=None),
        "distinct_builds": lambda: replace(scenario, max_distinct_builds=MANY_NODES),
        "max_nodes": lambda: replace(scenario, max_nodes=max(MANY_NODES, scenario.max_nodes)),
        "people_at_once": lambda: replace(
            scenario, workloads=tuple(replace(w, people_at_once=0) if w.must else w for w in scenario.workloads)
        ),
        "demand": lambda: _change(scenario, subject, must=False),
        "deadline": lambda: _change(scenario, subject, max_hours_per_run=None),
        "ecc": lambda: _change(scenario, subject, ecc_required=False),
    }
    return lifts[instance.rule]()


def variant(case: Case, scenario: Scenario) -> Case:
    """The case for a changed scenario; builds and ways are made anew only where the change reaches them."""
    old = case.scenario
    builds_changed = any(getattr(old, f) != getattr(scenario, f) for f in BUILD_FIELDS)
    build_set = make_builds(scenario, case.catalog) if builds_changed else case.build_set

    def technical(s: Scenario) -> list[tuple[object, ...]]:
        return [(w.id, *(getattr(w, f) for f in WORKLOAD_FIELDS)) for w in s.workloads]

    if not builds_changed and technical(old) == technical(scenario):
        return replace(case, scenario=scenario)
    return assemble(scenario, case.catalog, build_set, make_strategies(scenario, build_set.builds))


class _Search:
    """Feasibility of a set of rules with all others lifted; answers are kept."""

    def __init__(self, case: Case, time_limit_s: float | None) -> None:
        self.case = case
        self.every = rule_instances(case.scenario)
        self.time_limit_s = time_limit_s
        self.known: dict[frozenset[RuleInstance], bool] = {}
        self.cases: dict[frozenset[RuleInstance], Case] = {}
        self.proven = True

    def feasible(self, active: Iterable[RuleInstance]) -> bool:
        key = frozenset(active)
        if key not in self.known:
            self.known[key] = self._solve(key)
        return self.known[key]

    def lifted(self, active: frozenset[RuleInstance]) -> Case:
        """The case with every rule lifted that is not `active`."""
        lifted = [r for r in self.every if r not in active]
        technical = frozenset(r for r in lifted if r.rule in TECHNICAL)
        if technical not in self.cases:
            scenario = self.case.scenario
            for instance in sorted(technical, key=lambda r: (r.rule, r.subject)):
                scenario = lift(scenario, instance)
            self.cases[technical] = variant(self.case, scenario)
        case = self.cases[technical]
        scenario = case.scenario
        for instance in lifted:
            if instance not in technical:
                scenario = lift(scenario, instance)
        return replace(case, scenario=scenario)

    def _solve(self, active: frozenset[RuleInstance]) -> bool:
        status = climb.solve(self.lifted(active), "exists", time_limit_s=self.time_limit_s).status
        if status == "none":
            self.proven = False
        return status in ("proven", "best_found")


def _irreducible(search: _Search, every: Sequence[RuleInstance]) -> list[RuleInstance]:
    kept = list(every)
    for instance in every:
        rest = [r for r in kept if r != instance]
        if not search.feasible(rest):
            kept = rest
    return kept


def _smaller(search: _Search, every: Sequence[RuleInstance], found: list[RuleInstance]) -> list[RuleInstance]:
    """A smaller conflict where one exists, subsets by size, within a bounded number of checks."""
    checks = 0
    for size in range(len(found)):
        for subset in combinations(every, size):
            checks += 1
            if checks > MAX_SUBSETS:
                return found
            if not search.feasible(subset):
                return list(subset)
    return found


def _repair(case: Case, instance: RuleInstance, time_limit_s: float | None) -> Repair | None:
    """The smallest change of this rule alone that makes the musts feasible, or None where no change of it does."""
    makers = {
        "budget": _repair_budget, "people_at_once": _repair_people, "deadline": _repair_deadline,
        "circuit": _repair_circuit, "max_nodes": _repair_nodes,
    }  # fmt: skip
    lifted = variant(case, lift(case.scenario, instance))
    if climb.solve(lifted, "exists", time_limit_s=time_limit_s).status not in ("proven", "best_found"):
        return None
    maker = makers.get(instance.rule)
    if maker is not None:
        return maker(case, instance, time_limit_s)
    plan = _solved(case, lift(case.scenario, instance), time_limit_s)
    return _priced(instance, 1.0, 0.0, "", plan) if plan else None


def _solved(case: Case, scenario: Scenario, time_limit_s: float | None) -> Plan | None:
    plan = solve_case(variant(case, scenario), "cost", time_limit_s=time_limit_s, ranked=False)
    return plan if plan.has_plan else None


def _priced(instance: RuleInstance, before: float, after: float, unit: str, plan: Plan) -> Repair:
    return Repair(
        instance.rule, instance.subject, before, after, unit, cents(plan.totals.present_value),
        cents(plan.totals.capex), plan.purchases, plan.people_at_once,
    )  # fmt: skip


def _repair_budget(case: Case, instance: RuleInstance, time_limit_s: float | None) -> Repair | None:
    scenario = case.scenario
    assert scenario.budget is not None
    least = solve_case(variant(case, lift(scenario, instance)), "spend", time_limit_s=time_limit_s, ranked=False)
    if not least.has_plan:
        return None
    needed = float(math.ceil(least.budget_used))
    plan = _solved(case, replace(scenario, budget=needed), time_limit_s)
    return _priced(instance, scenario.budget, needed, scenario.currency, plan) if plan else None


def _repair_people(case: Case, instance: RuleInstance, time_limit_s: float | None) -> Repair | None:
    """As few people as possible wait: the most that can train at once while all the runs are done."""
    plan = solve_case(case, "people", time_limit_s=time_limit_s, ranked=False)
    if not plan.has_plan:
        return None
    musts = [w for w in case.scenario.workloads if w.must]
    wanted = sum(w.people_at_once for w in musts)
    return _priced(instance, wanted, sum(plan.people[w.id] for w in musts), "person", plan)


def _repair_deadline(case: Case, instance: RuleInstance, time_limit_s: float | None) -> Repair | None:
    workload = case.workload_by_id[instance.subject]
    assert workload.max_hours_per_run is not None
    candidates = sorted(
        {
            math.ceil(s.hours_per_run * 10 - 1e-9) / 10
            for s in case.strategies.excluded
            if s.workload_id == workload.id and [b.rule for b in s.breaches] == ["deadline"]
        }
    )

    def attempt(hours: float) -> Plan | None:
        return _solved(case, _change(case.scenario, workload.id, max_hours_per_run=hours), time_limit_s)

    low, high, best = 0, len(candidates) - 1, None
    while low <= high:
        middle = (low + high) // 2
        plan = attempt(candidates[middle])
        if plan:
            best = (candidates[middle], plan)
            high = middle - 1
        else:
            low = middle + 1
    return _priced(instance, workload.max_hours_per_run, best[0], "hour", best[1]) if best else None


def _repair_circuit(case: Case, instance: RuleInstance, time_limit_s: float | None) -> Repair | None:
    scenario = case.scenario
    largest = max(c.amps for c in scenario.circuits)
    for amps in LARGER_CIRCUIT_AMPS:
        if amps <= largest:
            continue
        circuits = tuple(Circuit(c.volts, amps if c.amps == largest else c.amps, c.count) for c in scenario.circuits)
        plan = _solved(case, replace(scenario, circuits=circuits), time_limit_s)
        if plan:
            return _priced(instance, largest, amps, "A", plan)
    return None


def _repair_nodes(case: Case, instance: RuleInstance, time_limit_s: float | None) -> Repair | None:
    scenario = case.scenario
    for nodes in range(scenario.max_nodes + 1, MANY_NODES + 1):
        plan = _solved(case, replace(scenario, max_nodes=nodes), time_limit_s)
        if plan:
            return _priced(instance, scenario.max_nodes, nodes, "node", plan)
    return None
