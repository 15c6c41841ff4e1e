"""The levels of each objective, in their order.

    budget  must demand > people at once, musts > people at once, wants > want demand > capacity > cost
    serve   must demand > people at once, musts > cost
    cost    cost (the musts are hard rules of the model)
    spend   purchase money > cost (the musts are hard rules): the smallest budget that meets everything
    people  people at once, musts > cost (the runs of the musts are hard rules, people are not): how many must wait
    exists  nothing (the musts are hard rules): whether there is a plan at all

then, so that equal answers are always told apart alike: fewest nodes, lowest rank of builds, of places (and of shares:
`model.py`).

Each level is one function of the decisions. It gives a linear expression for the solver's variables and a number for
their rounded values, so a level is held at the value that the plan really has.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hwcost.case import Case
from hwcost.costs import cost_lines
from hwcost.decisions import Values, add_up, decisions

HOLD = 1e-6  # how far a later level may fall behind an earlier one, relative to max(1, |value|): the solver's tolerance
HOLD_MONEY = 0.005
HOLD_MONEY_RELATIVE = 1e-7
RANKS = ("build_rank", "place_rank")  # these levels only tell equal answers apart


@dataclass(frozen=True)
class Level:
    """`sense` is 1 to minimise, -1 to maximise; `demand_of` names the workloads of a demand level."""

    name: str
    of: Callable[[Values], Any]
    sense: float
    money: bool = False
    demand_of: tuple[str, ...] = ()
    least: float = 1.0  # of a demand level: the smallest priority in it, at most 1
    ideal: float | None = None  # no plan can be better than this, whatever it buys

    def slack(self, value: float) -> float:
        """How far later levels may fall behind `value`. A demand level is a sum of shares by priority: no share of
        low priority may lose more than the slack of one of priority 1.
        """
        if self.money:
            return max(HOLD_MONEY, HOLD_MONEY_RELATIVE * abs(value))
        return HOLD * self.least * max(1.0, abs(value))


def levels_of(case: Case, objective: str) -> list[Level]:
    """The levels of `objective` for this case; levels about workloads that it does not have are left out."""
    workloads = case.scenario.workloads
    musts = tuple(w.id for w in workloads if w.must)
    wants = tuple(w.id for w in workloads if not w.must)
    levels: list[Level] = []
    if objective == "exists":
        return [Level("exists", lambda v: 0.0, 1.0)]
    if objective == "people":
        levels.append(Level("people_must", lambda v: _people(case, v, musts), -1.0))
    if objective in ("budget", "serve") and musts:
        levels.append(
            Level(
                "must_demand",
                lambda v: _missing(case, v, musts),
                1.0,
                demand_of=musts,
                least=_least(case, musts),
                ideal=0.0,
            )
        )
        levels.append(Level("people_must", lambda v: _people(case, v, musts), -1.0, ideal=_peak(case, musts)))
    if objective == "budget":
        if wants:
            levels.append(Level("people_want", lambda v: _people(case, v, wants), -1.0, ideal=_peak(case, wants)))
            levels.append(
                Level(
                    "want_demand",
                    lambda v: _missing(case, v, wants),
                    1.0,
                    demand_of=wants,
                    least=_least(case, wants),
                    ideal=0.0,
                )
            )
        levels.append(Level("capacity", lambda v: _capacity(case, v), -1.0))
    if objective == "spend":
        levels.append(Level("spend", lambda v: _spend(case, v), 1.0, money=True))
    levels.append(Level("cost", lambda v: _cost(case, v), 1.0, money=True))
    levels.append(Level("build_rank", lambda v: _build_rank(case, v), 1.0))
    levels.append(Level("place_rank", lambda v: _place_rank(case, v), 1.0))
    return levels


def _least(case: Case, ids: tuple[str, ...]) -> float:
    return min([1.0, *(case.workload_by_id[w].priority for w in ids)])


def _missing(case: Case, values: Values, ids: tuple[str, ...]) -> Any:
    """Priority-weighted share of demand left out, mean over the years."""
    years = case.scenario.horizon_years
    return add_up(
        [
            case.workload_by_id[w].priority * (len(case.periods[p]) / years) * values.short[w, p]
            for w in ids
            for p in range(len(case.periods))
        ]
    )


def _people(case: Case, values: Values, ids: tuple[str, ...]) -> Any:
    """People at once, mean over the years."""
    years = case.scenario.horizon_years
    return add_up(
        [
            (len(stage) / years) * values.place[i, s]
            for i, way in enumerate(case.ways) if way.workload_id in ids
            for s, stage in enumerate(case.stages)
        ]
    )  # fmt: skip


def _peak(case: Case, ids: tuple[str, ...]) -> float:
    return float(sum(case.workload_by_id[w].people_at_once for w in ids))


def _capacity(case: Case, values: Values) -> Any:
    """Effective capacity of all machines in thousand reference card-hours a year, mean over the years."""
    years = case.scenario.horizon_years
    thousand_hours = case.scenario.available_hours_per_card_year / 1000.0
    size = {b.id: b.cards * thousand_hours * case.speed_by_build[b.id] for b in case.builds}
    bought = [size[b] * ((years - t) / years) * units for (b, t), units in values.buy.items()]
    kept = [size[b] * (len(case.stages[s]) / years) * units for (b, s), units in values.kept.items()]
    return add_up(bought + kept)


def _spend(case: Case, values: Values) -> Any:
    return add_up([case.price(case.build_by_id[b], t) * units for (b, t), units in values.buy.items()])


def _cost(case: Case, values: Values) -> Any:
    lines = cost_lines(case.scenario, case.builds, decisions(case, values))
    return add_up([line.present_value for line in lines])


def _build_rank(case: Case, values: Values) -> Any:
    """Fewest units first: one unit weighs more than all ranks together. Earlier years come first, then builds by id."""
    years, builds = case.scenario.horizon_years, case.whole.builds
    rank = {b.id: n + 1 for n, b in enumerate(builds)}
    later = {t: n * len(builds) for n, t in enumerate(case.purchase_years)}
    unit = float(max(1, len(later)) * len(builds) + 1) * max(1, case.scenario.max_nodes)
    bought = [(unit + later[t] + rank[b]) * units for (b, t), units in values.buy.items()]
    kept = [(unit + rank[b]) * (len(case.stages[s]) / years) * units for (b, s), units in values.kept.items()]
    return add_up(bought + kept)


def _place_rank(case: Case, values: Values) -> Any:
    return add_up([(case.way_numbers[i] + 1) * n for (i, _), n in values.place.items()])
