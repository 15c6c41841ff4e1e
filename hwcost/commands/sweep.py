"""`hwcost sweep`: how often each option wins over prices, work and tariffs, and its worst regret."""

from __future__ import annotations

import argparse

from hwcost import sweep
from hwcost.commands.plan import EXIT
from hwcost.commands.session import Session, number_option, whole_option
from hwcost.commands.table import table
from hwcost.commands.whatif_text import INTERRUPTED, begin, counted, options_of, stopped_note
from hwcost.errors import Problem
from hwcost.names import option_name
from hwcost.plan import Plan
from hwcost.quantities import money_text
from hwcost.sentences import answer
from hwcost.sweep import Sweep
from hwcost.told_sweep import ranked, sweep_record, sweep_texts

MOST_DRAWS = 10_000


def run(args: argparse.Namespace, session: Session) -> int:
    """Solve every listed combination and every draw for all options."""
    problems: list[Problem] = []
    factors = {name: _factors(getattr(args, name), f"--{name}", problems) for name in ("prices", "demand", "tariff")}
    draws = number_option(args.draws, "--draws", problems, above=None, most=MOST_DRAWS)
    seed = whole_option(args.seed, "--seed", problems)
    plan, limit, workers = begin(args, session, problems)
    if not plan.has_plan:
        session.show(answer(plan, None, session.lang))
        session.write_json(sweep_record(plan, Sweep((), (), 0, 0, seed or 1, False)))
        return EXIT[plan.status]
    comparison = options_of(plan, session, limit)
    listed = {name: found for name, found in factors.items() if found}
    count = sweep.DRAWS if draws is None else int(draws)
    states = sweep.states(plan.case, **listed, draws=count, seed=seed or 1)
    found = sweep.sweep(
        plan, comparison, states, seed=seed or 1, time_limit_s=limit, workers=workers, dask=args.dask,
        on_done=counted(session, "progress_sweep"),
    )  # fmt: skip
    session.show([session.heading("wins"), *_table(found, plan, session), "", *sweep_texts(found, plan, session.lang)])
    session.write_json(sweep_record(plan, found))
    if found.stopped:
        stopped_note(session, len(found.results), found.states)
        return INTERRUPTED
    return EXIT[plan.status] if found.proven_share == 1.0 else 4


def _factors(words: list[str] | None, option: str, problems: list[Problem]) -> tuple[float, ...]:
    found = [number_option(word, option, problems) for word in words or []]
    return tuple(f for f in found if f is not None)


def _table(found: Sweep, plan: Plan, session: Session) -> list[str]:
    currency, lang = plan.case.scenario.currency, session.lang
    rows = []
    for s in ranked(found):
        regrets = [money_text(x, currency, lang) for x in (s.worst_regret, s.mean_regret)]
        name = option_name(s.contestant.id, lang)
        rows.append([s.contestant.letter, name, str(s.wins), str(s.infeasible), *regrets])
    titles = session.columns("letter", "option", "wins", "infeasible", "worst_regret", "mean_regret")
    return table(titles, rows, right=(2, 3, 4, 5))
