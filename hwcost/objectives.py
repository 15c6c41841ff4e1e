"""The levels of each objective, in their order, and how a level is held while later ones are solved.

    budget  must demand > people at once, musts > people at once, wants > want demand > capacity > cost
    serve   must demand > people at once, musts > cost
    cost    cost (the musts are hard rules of the model)
    spend   purchase money > cost (the musts are hard rules): the smallest budget that meets everything

then fewest nodes, lowest rank of builds, of places and of shares, so that equal answers are always told apart alike.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from hwcost import solver
from hwcost.costs import cost_lines
from hwcost.decisions import decisions

if TYPE_CHECKING:
    from hwcost.model import Model

HOLD = 1e-7  # how far a later level may fall behind an earlier one, relative to max(1, |value|)
HOLD_MONEY = 0.005
HOLD_MONEY_RELATIVE = 1e-7
ALWAYS = ("cost", "share_rank")

Level = tuple[str, Any, float, Callable[[float], None]]


def levels_of(model: Model, objective: str) -> list[Level]:
    """(name, expression, sense, hold): sense -1 maximises; `hold` keeps the level while later ones are solved."""
    levels: list[Level] = []

    def add(name: str, expression: Any, sense: float, tolerance: Callable[[float], float]) -> None:
        def hold(value: float) -> None:
            slack = tolerance(value)
            condition = expression >= value - slack if sense < 0 else expression <= value + slack
            model.row(f"hold_{name}", condition)

        levels.append((name, expression, sense, hold))

    def relative(value: float) -> float:
        return HOLD * max(1.0, abs(value))

    def money(value: float) -> float:
        return max(HOLD_MONEY, HOLD_MONEY_RELATIVE * abs(value))

    workloads = model.case.scenario.workloads
    musts = [w.id for w in workloads if w.must]
    wants = [w.id for w in workloads if not w.must]
    if objective in ("budget", "serve") and musts:
        levels.append(_demand_level(model, "must_demand", musts))
        add("people_must", _people(model, musts), -1.0, relative)
    if objective == "budget":
        if wants:
            add("people_want", _people(model, wants), -1.0, relative)
            levels.append(_demand_level(model, "want_demand", wants))
        add("capacity", _capacity(model), -1.0, relative)
    if objective == "spend":
        add("spend", _spend(model), 1.0, money)
    add("cost", _cost(model), 1.0, money)
    builds = model.case.builds
    add("nodes", solver.total(model.buy[b.id] for b in builds), 1.0, relative)
    add("build_rank", solver.total((n + 1) * model.buy[b.id] for n, b in enumerate(builds)), 1.0, relative)
    add("place_rank", solver.total((i + 1) * v for i, v in model.place.items()), 1.0, relative)
    add("share_rank", solver.total((i + 1) * v for (i, _), v in model.share.items()), 1.0, relative)
    return [level for level in levels if level[0] in ALWAYS or not isinstance(level[1], int | float)]


def _demand_level(model: Model, name: str, ids: list[str]) -> Level:
    """Demand is held exactly where it is met in full, so that no later level nibbles a millionth off it."""
    case = model.case
    periods = range(len(case.periods))
    weight = {p: len(case.periods[p]) / case.scenario.horizon_years for p in periods}
    missing = solver.total(
        case.workload_by_id[w].priority * weight[p] * model.short[w, p] for w in ids for p in periods
    )

    def hold(value: float) -> None:
        if value <= HOLD:
            for n, w in enumerate(ids):
                for p in periods:
                    model.row(f"full_{name}{n}_{p}", model.short[w, p] <= 0)
        else:
            model.row(f"hold_{name}", missing <= value + HOLD)

    return (name, missing, 1.0, hold)


def _people(model: Model, ids: list[str]) -> Any:
    ways = [i for i, s in enumerate(model.case.ways) if s.workload_id in ids]
    return solver.total(model.place[i] for i in ways)


def _capacity(model: Model) -> Any:
    """Effective capacity in thousand reference card-hours a year."""
    case = model.case
    thousand_hours = case.scenario.available_hours_per_card_year / 1000.0
    return solver.total(b.cards * thousand_hours * case.speed_by_build[b.id] * model.buy[b.id] for b in case.builds)


def _spend(model: Model) -> Any:
    case = model.case
    return solver.total(case.price_by_build[b.id] * model.buy[b.id] for b in case.builds if not b.owned)


def _cost(model: Model) -> Any:
    lines = cost_lines(model.case.scenario, model.case.builds, decisions(model.case, model.buy, model.share))
    return solver.total(line.present_value for line in lines)
