"""Why not everything can be met: a smallest set of rules in conflict, and what repairs it, re-solved and priced.

`conflict` joins `conflict.py` (the set) and `repairs.py` (single changes; a pair where no single one helps). Leaving
one workload out is always among the repairs tried.
"""

from __future__ import annotations

from dataclasses import dataclass

from hwcost.case import Case
from hwcost.conflict import MAX_SUBSETS, RuleInstance, Search, conflicting, lift, rule_instances, variant
from hwcost.repairs import LARGER_CIRCUIT_AMPS, Pair, Repair, Repairer

__all__ = [
    "LARGER_CIRCUIT_AMPS", "MAX_SUBSETS", "Conflict", "Pair", "Repair", "RuleInstance", "conflict", "lift",
    "rule_instances", "variant",
]  # fmt: skip


@dataclass(frozen=True)
class Conflict:
    """Rules that cannot hold together; `proven` is false where a check ended without proof and kept its rule.

    `smallest` is false where only a deletion filter was used: no rule can be left out, but a smaller set may exist.
    `pairs` has the cheapest pair of changes where no single one is enough.
    """

    rules: tuple[RuleInstance, ...]
    repairs: tuple[Repair, ...]
    proven: bool
    smallest: bool = True
    pairs: tuple[Pair, ...] = ()


def conflict(case: Case, *, time_limit_s: float | None = None, lab: bool = True) -> Conflict | None:
    """The conflict that keeps the musts from being met in full; None where they can be.

    `lab`: changes that the lab makes to its work and site are tried too.
    """
    search = Search(case, time_limit_s)
    found = conflicting(search)
    if found is None:
        return None
    rules, smallest = found
    left_out = [i for i in _left_out(case) if i not in rules]
    repairer = Repairer(case, time_limit_s)
    singles = [r for rule in (*rules, *left_out) for r in repairer.all_of(rule)]
    known = {(r.rule, r.subject) for r in singles}
    singles += [r for r in repairer.lab() if (r.rule, r.subject) not in known] if lab else []
    pairs = () if singles else tuple(repairer.pairs([*rules, *(r for r in search.every if r not in rules)]))
    return Conflict(tuple(rules), tuple(singles), search.proven, smallest, pairs)


def _left_out(case: Case) -> list[RuleInstance]:
    musts = [w for w in case.scenario.workloads if w.must]
    return [RuleInstance("demand", w.id) for w in musts] if len(musts) > 1 else []
