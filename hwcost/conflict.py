"""A smallest set of rules that cannot hold together.

The runs of the musts are what is asked for; the rules are what stands in their way. A rule instance is (rule, subject);
the subject is a workload or empty. Physical rules never relax. A set of rules is in conflict if no plan does the runs
under them while all the others are lifted. Sets are tried by size, those of hard-to-change rules first, so the set
found is one of the smallest; others of the same size may exist. What is known saves solves: a part of a feasible set is
feasible, and every feasible set is enlarged as far as it goes. With more than a dozen rules a deletion filter finds a
set from which no rule can be left out, which need not be the smallest (`smallest` is then false).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from hwcost import money_rules, whatif
from hwcost.builds import make_builds
from hwcost.case import Case, assemble
from hwcost.scenario import Scenario
from hwcost.strategies import make_strategies
from hwcost.workload import Workload

MANY_NODES = 64
MOST_RULES = 12  # up to here sets are tried by size
MAX_SUBSETS = 100  # feasibility checks that are spent on it
TECHNICAL = (  # lifting these changes the builds
    "circuit", "noise", "ecc", "deadline", "data_stay", "rack_units_total", "stock", "min_order", "service_quota",
    "spend_by", "fund_use",
)  # fmt: skip
NO_REBUILD = (  # fields of a scenario that only the model reads
    "budget", "max_nodes", "max_distinct_builds", "running_budget_per_year", "staff_hours_limit_per_year", "objective",
    "funds", "equipment_per_year", "equipment_carry_over", "sha256", "spend_by", "options",
)  # fmt: skip
NO_REEVALUATION = ("people_at_once", "must", "priority", "runs_per_year", "growth_per_year", "name", "name_zh")


@dataclass(frozen=True)
class RuleInstance:
    """One rule about one thing."""

    rule: str
    subject: str = ""


def rule_instances(scenario: Scenario) -> list[RuleInstance]:
    """All rules that a person could change, the easily changed ones first."""
    musts = [w for w in scenario.workloads if w.must]
    found = [RuleInstance("distinct_builds"), RuleInstance("max_nodes")]
    if scenario.noise_limit_dba is not None:
        found.append(RuleInstance("noise"))
    found += [RuleInstance(rule, subject) for rule, subject in money_rules.stated(scenario)]
    found += [RuleInstance("ecc", w.id) for w in musts if w.ecc_required]
    found += [RuleInstance("deadline", w.id) for w in musts if w.max_hours_per_run is not None]
    if any(w.people_at_once for w in musts):
        found.append(RuleInstance("people_at_once"))
    if scenario.services and scenario.data_stays != "anywhere":
        found.append(RuleInstance("data_stay"))
    if scenario.rack_units is not None:
        found.append(RuleInstance("rack_units_total"))
    if scenario.circuits:
        found.append(RuleInstance("circuit"))
    if scenario.budget is not None or any("equipment" in f.pays and f.amount is not None for f in scenario.funds):
        found.append(RuleInstance("budget"))
    return found


def change_workload(scenario: Scenario, workload_id: str, **fields: Any) -> Scenario:
    """The scenario with other figures of one workload."""

    def changed(w: Workload) -> Workload:
        return replace(w, **fields) if w.id == workload_id else w

    return replace(scenario, workloads=tuple(changed(w) for w in scenario.workloads))


def lift(scenario: Scenario, instance: RuleInstance) -> Scenario:
    """The scenario without one rule."""
    subject = instance.subject
    changed = money_rules.without(scenario, instance.rule, subject)
    if changed is not None:
        return changed
    lifts: dict[str, Callable[[], Scenario]] = {
        "circuit": lambda: replace(scenario, circuits=()),
        "rack_units_total": lambda: replace(scenario, rack_units=None),
        "noise": lambda: replace(scenario, noise_limit_dba=None),
        "data_stay": lambda: replace(scenario, data_stays="anywhere"),
        "distinct_builds": lambda: replace(scenario, max_distinct_builds=MANY_NODES),
        "max_nodes": lambda: replace(scenario, max_nodes=max(MANY_NODES, scenario.max_nodes)),
        "people_at_once": lambda: replace(
            scenario, workloads=tuple(replace(w, people_at_once=0) if w.must else w for w in scenario.workloads)
        ),
        "demand": lambda: change_workload(scenario, subject, must=False),
        "deadline": lambda: change_workload(scenario, subject, max_hours_per_run=None),
        "ecc": lambda: change_workload(scenario, subject, ecc_required=False),
    }
    return lifts[instance.rule]()


def variant(case: Case, scenario: Scenario) -> Case:
    """The case for a changed scenario; builds and ways are made anew only where the change reaches them."""
    old = case.scenario

    def about_builds(s: Scenario) -> Scenario:
        return replace(s, workloads=(), **{f: getattr(old, f) for f in NO_REBUILD})

    def about_ways(s: Scenario) -> list[Workload]:
        return [replace(w, **{f: getattr(old.workloads[0], f) for f in NO_REEVALUATION}) for w in s.workloads]

    def offers(s: Scenario) -> bool:  # a fund decides whether a service may be used
        return not s.funds or any("services" in f.pays for f in s.funds)

    same_builds = about_builds(old) == about_builds(scenario) and (offers(old) == offers(scenario) or not old.services)
    if same_builds and about_ways(old) == about_ways(scenario):
        if money_rules.dates(old) == money_rules.dates(scenario):
            return replace(case, scenario=scenario)
        in_time = [r for r in case.build_set.not_considered if r.breaches[0].rule not in ("spend_by", "fund_equipment")]
        whole = replace(case.build_set, not_considered=tuple(in_time))
        return assemble(scenario, case.catalog, whole, case.strategies)
    build_set = case.build_set if same_builds else make_builds(scenario, case.catalog)
    return assemble(scenario, case.catalog, build_set, make_strategies(scenario, build_set.builds))


class Search:
    """Feasibility of a set of rules with all others lifted; what is known is kept and used."""

    def __init__(self, case: Case, time_limit_s: float | None) -> None:
        self.case = case
        self.every = tuple(rule_instances(case.scenario))
        self.time_limit_s = time_limit_s
        self.feasible_sets: list[frozenset[RuleInstance]] = []
        self.impossible_sets: list[frozenset[RuleInstance]] = []
        self.cases: dict[frozenset[RuleInstance], Case] = {}
        self.proven = True
        self.solves = 0

    def feasible(self, active: Iterable[RuleInstance]) -> bool:
        key = frozenset(active)
        if any(key <= known for known in self.feasible_sets):
            return True
        if any(key >= known for known in self.impossible_sets):
            return False
        found = exists(self.lifted(key), self.time_limit_s)
        self.solves += 1
        if found is None:
            self.proven = False  # what is not proved keeps its rules
        (self.feasible_sets if found else self.impossible_sets).append(key)
        return bool(found)

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

    def enlarge(self, active: Iterable[RuleInstance]) -> None:
        """Make a feasible set as large as it goes: all rules but one where that does, else one rule after the other."""
        kept = frozenset(active)
        others = [r for r in self.every if r not in kept]
        for out in sorted(others, key=lambda r: (r.rule in TECHNICAL, self.every.index(r))):
            if out.rule not in TECHNICAL and self.feasible(r for r in self.every if r != out):
                return
        for rule in reversed(others):
            if self.feasible({*kept, rule}):
                kept |= {rule}


def exists(case: Case, time_limit_s: float | None = None) -> bool | None:
    """Whether any plan does all the musts with their people; None where that is not known in the time."""
    status = whatif.solve(case, "exists", time_limit_s=time_limit_s).status
    return None if status == "no_plan_found" else status != "infeasible"


def conflicting(search: Search) -> tuple[list[RuleInstance], bool] | None:
    """A smallest set of rules in conflict, and whether it is one of the smallest; None where all can be met."""
    if search.feasible(search.every):
        return None
    if not search.feasible(()):
        return _impossible(search), True
    if len(search.every) <= MOST_RULES:
        before = search.solves
        for subset in _by_size(search.every):
            if search.solves - before > MAX_SUBSETS:
                break
            if not search.feasible(subset):
                return list(subset), search.proven
            search.enlarge(subset)
    return _irreducible(search), False


def _by_size(every: Sequence[RuleInstance]) -> Iterable[tuple[RuleInstance, ...]]:
    """Subsets by size; of one size those of hard-to-change rules first, each in the order of `every`."""
    hardest = tuple(reversed(every))
    for size in range(1, len(every) + 1):
        for subset in combinations(hardest, size):
            yield tuple(reversed(subset))


def _irreducible(search: Search) -> list[RuleInstance]:
    kept = list(search.every)
    for instance in search.every:
        rest = [r for r in kept if r != instance]
        if not search.feasible(rest):
            kept = rest
    return kept


def _impossible(search: Search) -> list[RuleInstance]:
    """Workloads that no build can run, whatever rule is lifted."""
    case = search.lifted(frozenset())
    able = {w.workload_id for w in case.ways}
    return [RuleInstance("demand", w.id) for w in case.scenario.workloads if w.must and w.id not in able]
