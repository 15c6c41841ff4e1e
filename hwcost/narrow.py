"""Machines that are in no plan as good as one that is known: left out of the search, and the answer stays the same.

The linear relaxation of a level (parts of machines allowed) has the value z, and from its reduced costs

    loss[j] = least over the years (reduced cost of a unit)
              + machines of the unit x least over the circuits (reduced cost of a machine on it)

is what the level loses at least in any plan with a unit of j: no such plan is better than z + loss[j] (every variable
has bounds, so the duals prove it, whatever must be whole). A search among the few machines that lose least gives a plan
of value v. What has z + loss[j] beyond v, with room for all tolerances, is in no plan as good, neither on this level
nor on a later one, where this one is held. Ranks are counted as in the whole case, so that equal plans are told apart
as if nothing had been left out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from hwcost import solver
from hwcost.case import Case
from hwcost.objectives import HOLD, Level
from hwcost.program import Model

FEW = 24  # machines on offer; where there are no more, there is nothing to gain
WORTH_IT = 0.7  # share of the machines that may be left, else the search goes on as it is
ROOM = 200.0  # slacks: where tolerances ask for it, a level is let go by a hundred of them
LEVELS = ("capacity", "spend", "cost")  # on the others most machines are worth the same


def worth_trying(model: Model, level: Level) -> bool:
    """Whether there is something to gain. What is bought is not to be chosen where it is fixed."""
    return level.name in LEVELS and len(model.case.buyable) > FEW and model.case.fixed is None


def losses(model: Model) -> dict[str, float]:
    """By build that can be bought: what the level loses with a unit of it, after `solver.relax`."""
    case = model.case
    plugs: dict[str, list[float]] = {}
    for (name, _, _), variable in model.on.items():
        plugs.setdefault(name, []).append(solver.reduced_cost(variable))
    units: dict[str, list[float]] = {}
    for build, year in case.purchases:
        units.setdefault(build.id, []).append(solver.reduced_cost(model.buy[build.id, year]))
    return {
        name: min(cost) + case.build_by_id[name].nodes_per_unit * min(plugs.get(name, [0.0]))
        for name, cost in units.items()
    }  # fmt: skip


def in_part(model: Model) -> frozenset[str]:
    """What the relaxation buys, be it a part of a unit."""
    return frozenset(build for (build, _), units in model.buy.items() if solver.value(units) > 0.0)


def least(loss: Mapping[str, float], first: Collection[str], count: int) -> frozenset[str]:
    """The few that lose least; of equal ones those in `first`, then the lower ids."""
    return frozenset(sorted(loss, key=lambda name: (loss[name], name not in first, name))[:count])


def as_good(loss: Mapping[str, float], bound: float, value: float, level: Level) -> frozenset[str]:
    """What may be in a plan as good as one of `value`, both in the sense that is minimised."""
    room = ROOM * level.slack(value) + HOLD * max(1.0, abs(value))
    return frozenset(name for name, amount in loss.items() if bound + amount <= value + room)


def with_only(case: Case, builds: Collection[str]) -> Case:
    """The case in which only these can be bought; owned machines and services stay."""
    whole = case.whole
    kept = tuple(b for b in case.builds if b.owned or b.service is not None or b.id in builds)
    ids = {b.id for b in kept}
    return replace(case, builds=kept, ways=tuple(w for w in case.ways if w.build_id in ids), wide=whole)
