"""Tornado, near ties and sweeps in sentences and as data, the same figures in zh and en."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hwcost.messages import LANGUAGES, say
from hwcost.names import listed, option_name
from hwcost.plan import Plan
from hwcost.quantities import money_text, percent_text
from hwcost.sensitivity import NEAR_TIE, Assumption, Bar, End, NearTie
from hwcost.sweep import Score, State, Sweep
from hwcost.switching import Subject
from hwcost.told import subject_name
from hwcost.told_record import both, head

SENSITIVITY_SCHEMA = "hwcost.sensitivity/1"
SWEEP_SCHEMA = "hwcost.sweep/1"
MOST_SWITCHES = 6


# --- sensitivity --------------------------------------------------------------------------------------------------


def assumption_name(assumption: Assumption, plan: Plan, lang: str) -> str:
    """What is varied, in words."""
    if assumption.key.startswith("price:"):
        item = subject_name(Subject("item", assumption.key.removeprefix("price:")), plan, lang)
        return say("sensitivity.price", lang, item=item)
    return say(f"sensitivity.{assumption.key}", lang)


def range_source(assumption: Assumption, lang: str) -> str:
    """Where the range comes from."""
    price = assumption.source == "price_band"
    key = f"pricekind.{assumption.kind}" if price else f"figurekind.{assumption.kind}"
    return say(f"rangesource.{assumption.source}", lang, kind=say(key, lang))


def tornado_texts(bars: Sequence[Bar], plan: Plan, lang: str) -> list[str]:
    """Which assumptions change the purchase within their range."""
    names = [assumption_name(b.assumption, plan, lang) for b in bars if b.switches]
    if not names:
        return [say("sensitivity.stays", lang)]
    return [say("sensitivity.switch", lang, items=listed(names, lang, most=MOST_SWITCHES))]


def near_tie_text(tie: NearTie, plan: Plan, lang: str) -> str:
    """An option that is nearly as good, with its margin."""
    words = {"letter": tie.letter, "name": option_name(tie.id, lang), "margin": percent_text(tie.margin, lang)}
    if tie.level == "cost":
        words["difference"] = money_text(tie.own - tie.best, plan.case.scenario.currency, lang)
    return say(f"neartie.{tie.level}", lang, **words)


def near_tie_texts(ties: Sequence[NearTie], plan: Plan, lang: str) -> list[str]:
    """All near ties, or that there is none."""
    if not ties:
        return [say("neartie.none", lang, within=percent_text(NEAR_TIE, lang, 0))]
    return [near_tie_text(t, plan, lang) for t in ties]


def sensitivity_record(
    plan: Plan, bars: Sequence[Bar], ties: Sequence[NearTie], *, stopped: bool = False
) -> dict[str, Any]:
    """Schema `hwcost.sensitivity/1`; bars the widest first."""

    def end(e: End) -> dict[str, Any]:
        return {
            "value": e.value, "present_value": e.present_value, "switches": e.switches, "level": e.level or None,
            "purchases": [{"build": b, "nodes": n} for b, n in e.purchases], "proven": e.proven,
        }  # fmt: skip

    return {
        **head(SENSITIVITY_SCHEMA, plan), "stopped": stopped,
        "tornado": [
            {
                "key": b.assumption.key, "name": assumption_name(b.assumption, plan, "en"),
                "name_zh": assumption_name(b.assumption, plan, "zh"), "value": b.assumption.value,
                "unit": b.assumption.unit, "kind": b.assumption.kind, "range_source": range_source(b.assumption, "en"),
                "base_present_value": b.base, "swing": b.swing, "switches": b.switches, "low": end(b.low),
                "high": end(b.high),
            }
            for b in bars
        ],
        "near_ties": [
            {"letter": t.letter, "id": t.id, "level": t.level, "own": t.own, "best": t.best, "margin": t.margin}
            for t in ties
        ],
        "sentences": {
            lang: [*tornado_texts(bars, plan, lang), *near_tie_texts(ties, plan, lang)] for lang in sorted(LANGUAGES)
        },
    }  # fmt: skip


# --- sweep --------------------------------------------------------------------------------------------------------


def score_text(score: Score, found: Sweep, plan: Plan, lang: str) -> str:
    """How often one option wins, and its worst regret."""
    count = len(found.results)
    words = {"letter": score.contestant.letter, "name": option_name(score.contestant.id, lang), "count": count}
    if score.worst_regret is None:
        return say("sweep.never", lang, **words)
    regret = money_text(score.worst_regret, plan.case.scenario.currency, lang)
    text = say("sweep.wins", lang, wins=score.wins, regret=regret, **words)
    if score.infeasible:
        text += ("" if lang == "zh" else " ") + say("sweep.partly", lang, count=score.infeasible)
    return text


def sweep_texts(found: Sweep, plan: Plan, lang: str) -> list[str]:
    """What was compared, then each option, the most frequent winner first."""
    if not found.scores:
        return [say("sweep.none", lang)]
    draws = sum(r.state.name == "draw" for r in found.results)
    intro = say("sweep.states", lang, count=len(found.results), listed=len(found.results) - draws, draws=draws,
                seed=found.seed, proven=percent_text(found.proven_share, lang, 0))  # fmt: skip
    basis = say("sweep.basis", lang, years=plan.case.scenario.horizon_years)
    return [intro, basis, *(score_text(s, found, plan, lang) for s in ranked(found))]


def ranked(found: Sweep) -> list[Score]:
    """The most frequent winner first, then the smaller worst regret."""

    def key(score: Score) -> tuple[float, float, str]:
        regret = float("inf") if score.worst_regret is None else score.worst_regret
        return -score.wins, regret, score.contestant.letter

    return sorted(found.scores, key=key)


def sweep_record(plan: Plan, found: Sweep) -> dict[str, Any]:
    """Schema `hwcost.sweep/1`: scores in the order of the letters, and every state with all costs."""
    names = [s.contestant.letter for s in found.scores]
    return {
        **head(SWEEP_SCHEMA, plan), "stopped": found.stopped, "seed": found.seed, "states_asked": found.states,
        "states_done": len(found.results), "states_nobody_can_do": found.none, "proven_share": found.proven_share,
        "scores": [
            {
                "letter": s.contestant.letter, "id": s.contestant.id, "name": option_name(s.contestant.id, "en"),
                "name_zh": option_name(s.contestant.id, "zh"), "wins": s.wins, "infeasible": s.infeasible,
                "worst_regret": s.worst_regret, "mean_regret": s.mean_regret,
                "worst_state": state_row(s.worst_state) if s.worst_state else None,
                "purchases": [{"build": b, "nodes": n} for b, n in s.contestant.purchases],
            }
            for s in found.scores
        ],
        "states": [
            {**state_row(r.state), "costs": dict(zip(names, r.costs, strict=True)), "yardstick": r.yardstick,
             "proven": r.proven}
            for r in found.results
        ],
        "sentences": both_lists(found, plan),
    }  # fmt: skip


def state_row(state: State) -> dict[str, Any]:
    """The factors of a state; `items` are those on single prices."""
    return {
        "kind": state.name, "prices": state.prices, "demand": state.demand, "tariff": state.tariff,
        "hours": state.hours, "items": dict(state.items),
    }  # fmt: skip


def both_lists(found: Sweep, plan: Plan) -> dict[str, list[str]]:
    return {lang: sweep_texts(found, plan, lang) for lang in sorted(LANGUAGES)}


__all__ = [
    "assumption_name", "both", "near_tie_texts", "range_source", "ranked", "sensitivity_record", "sweep_record",
    "sweep_texts", "tornado_texts",
]  # fmt: skip
