"""People and papers to runs, hours, cards at once and waiting. Pure arithmetic; nothing here knows a card.

    runs   = papers x runs per paper, or runs per person and week x people x weeks, or as stated
    busy   = runs x hours of one run                                          card-hours a year, cards computing
    held   = max(people x hours held per week x weeks, 3 x busy)              card-hours a year, a card reserved
    wall   = hours of the year in which somebody holds a card, see `wall_hours`
    cards  = sum over jobs of ceil(people at once / people per card)

Every constant is a field of `Rules`: an estimate, named, to be replaced by the lab's own figure.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from hwcost.strict import ABOVE_ZERO, ANY_AMOUNT, COUNT, Limit

HOURS_PER_WEEK = 168.0
HOURS_PER_YEAR = 8760.0
# What a training is, by how it is worked with: small patches or pixels, tiles, pretraining, fine-tuning.
KINDS = ("patch", "tiles", "pretraining", "finetuning")


@dataclass(frozen=True)
class Rules:
    """The rules of thumb behind demand. Each one is an estimate that the answers may replace (table `assumption`)."""

    # runs of one paper on patches: waste x (methods x scenes x repeats + ablations x scenes x repeats
    # + settings x repeats of a setting) = 1.5 x (240 + 150 + 60) = 675
    patch_methods: float = 8.0
    patch_scenes: float = 3.0
    patch_repeats: float = 10.0
    patch_ablations: float = 5.0
    patch_settings: float = 20.0
    patch_setting_repeats: float = 3.0
    patch_waste: float = 1.5  # runs that are thrown away
    tiles_runs_per_paper: float = 60.0
    pretraining_runs_per_paper: float = 3.0
    finetuning_runs_per_paper: float = 60.0
    papers_per_person_year: float = 1.0
    at_once_share: float = 0.6  # of the people, in a busy week
    weeks_per_year: float = 46.0
    held_hours_per_person_week: float = 20.0  # debugging, notebooks, runs: a card is reserved
    held_per_busy: float = 3.0  # held hours are at least this many busy hours
    window_hours_per_week: float = 84.0  # 12 h on 7 days: when people hold cards
    people_per_card_patch: float = 2.0
    people_per_card_tiles: float = 1.0
    people_per_card_pretraining: float = 1.0
    people_per_card_finetuning: float = 1.0
    busy_week_hours_per_person: float = 40.0  # for which a person wants a card in a busy week
    session_hours: float = 4.0  # for which a card is held in one go, on average; a longer run counts in full


RULE_LIMITS: dict[str, Limit] = {
    "patch_waste": Limit(low=1.0),
    "at_once_share": Limit(high=1.0, low_open=True),
    "weeks_per_year": Limit(high=53.0, low_open=True),
    "held_hours_per_person_week": Limit(high=HOURS_PER_WEEK),
    "held_per_busy": Limit(low=1.0),
    "window_hours_per_week": Limit(high=HOURS_PER_WEEK, low_open=True),
    "busy_week_hours_per_person": Limit(high=HOURS_PER_WEEK, low_open=True),
    **{f"people_per_card_{kind}": COUNT for kind in KINDS},
    **{f"patch_{name}": ANY_AMOUNT for name in ("ablations", "settings", "setting_repeats")},
}
RULE_UNITS = {
    "patch_waste": "ratio", "at_once_share": "share of people", "weeks_per_year": "weeks",
    "held_hours_per_person_week": "h/week", "held_per_busy": "ratio", "window_hours_per_week": "h/week",
    "busy_week_hours_per_person": "h/week", "session_hours": "h", "papers_per_person_year": "papers/person-year",
    "tiles_runs_per_paper": "runs/paper", "pretraining_runs_per_paper": "runs/paper",
    "finetuning_runs_per_paper": "runs/paper", **{f"people_per_card_{kind}": "people/card" for kind in KINDS},
}  # fmt: skip


def rule_limit(name: str) -> Limit:
    """The physical range of one rule."""
    return RULE_LIMITS.get(name, ABOVE_ZERO)


def rule_unit(name: str) -> str:
    """The unit of one rule; counts of methods, scenes and the like are plain numbers."""
    return RULE_UNITS.get(name, "count")


# --- runs ---


def runs_per_paper(kind: str, rules: Rules) -> float:
    """Runs that one paper takes, by the kind of training."""
    if kind != "patch":
        return float(getattr(rules, f"{kind}_runs_per_paper"))
    per_scene = rules.patch_scenes * rules.patch_repeats
    return rules.patch_waste * (
        (rules.patch_methods + rules.patch_ablations) * per_scene + rules.patch_settings * rules.patch_setting_repeats
    )


def runs_from_papers(kind: str, papers: float, rules: Rules) -> float:
    """Runs a year for so many papers a year."""
    return papers * runs_per_paper(kind, rules)


def runs_from_weeks(runs_per_person_week: float, people: float, rules: Rules) -> float:
    """Runs a year for so many runs of each person in a working week."""
    return runs_per_person_week * people * rules.weeks_per_year


# --- people ---


def at_once_default(people: float, rules: Rules) -> int:
    """People who train at the same time in a busy week: ceil(share x people)."""
    return max(1, math.ceil(round(rules.at_once_share * people, 9)))


def shared_out(seats: int, weights: Sequence[float]) -> list[int]:
    """`seats` people over jobs in proportion to `weights`, as whole people.

    By highest averages (Sainte-Lague), so that more seats never take one away from a job. The first of equals wins.
    """
    given = [0] * len(weights)
    for _ in range(seats):
        best = max(range(len(weights)), key=lambda i: (weights[i] / (2 * given[i] + 1), -i))
        given[best] += 1
    return given


@dataclass(frozen=True)
class Group:
    """People who train one job at the same time, and how many of them may use one card."""

    people: int
    per_card: int


def cards_for_all(groups: Sequence[Group]) -> int:
    """Cards on which nobody waits, when people of one job share cards."""
    return sum(math.ceil(g.people / g.per_card) for g in groups)


def people_served(cards: int, groups: Sequence[Group]) -> int:
    """The most people who find room on `cards` cards; only people of one job share a card."""
    rooms = sorted(
        (min(g.per_card, g.people - first) for g in groups for first in range(0, g.people, g.per_card)), reverse=True
    )
    return sum(rooms[:cards])


# --- hours ---


@dataclass(frozen=True)
class Hours:
    """Three figures that are not the same: cards computing, cards reserved, hours in which somebody holds a card."""

    busy_card_hours: float
    held_card_hours: float
    wall_hours: float


def held_hours(people: int, busy: float, rules: Rules) -> float:
    """Card-hours a year for which cards are reserved."""
    return max(people * rules.held_hours_per_person_week * rules.weeks_per_year, rules.held_per_busy * busy)


def year_hours(people: int, busy: float, rules: Rules) -> Hours:
    """Busy, held and wall hours of a year for `people` people whose runs take `busy` card-hours.

    Where runs decide the held hours, more people on the same work overlap more; the wall hours are then those that
    fewer of them would cover, so that a larger group never seems to use its cards less.
    """
    groups = range(1, people + 1)
    wall = max(wall_hours(n, held_hours(n, busy, rules), rules) for n in groups)
    return Hours(busy, held_hours(people, busy, rules), wall)


def wall_hours(people: int, held: float, rules: Rules) -> float:
    """Hours of the year in which at least one card is held.

    People come independently of each other within the window (12 hours on 7 days): each holds a card for the share
    p = held / (people x window), so that

        wall = window x (1 - (1 - p)^people).

    Where they hold more than the window has hours (runs through the night), one person's hours are what is left:
    held / people, at most a year. Never more than the held hours, and never less than those of one person.
    """
    window = rules.window_hours_per_week * rules.weeks_per_year
    each = held / people
    share = min(1.0, each / window)
    return min(HOURS_PER_YEAR, held, max(window * (1.0 - (1.0 - share) ** people), each))


# --- waiting ---


@dataclass(frozen=True)
class Wait:
    """Waiting in a busy week. Hours are means over all who come, those who find a card at once included."""

    people: int
    places: int
    people_waiting: int
    share: float  # (people - places) / people: how many wait while all want a card
    hours: float  # these people and no others come: M/M/c with a finite number of people
    open_hours: float | None  # M/M/c: the same load from people without number; None: the queue grows all week


def waiting(people: int, places: int, session_hours: float, rules: Rules) -> Wait:
    """Expected waiting of `people` at `places` places, each wanting a card for so many hours of the window in sessions.

    M/M/c has the offered load a = people x hours wanted / window and the mean wait C x session / (places - a), C by
    Erlang. It lets an endless row of newcomers come even while all of the group wait, so it is far too long for few
    people; `finite_wait` counts the group itself.
    """
    left = max(0, people - places)
    wanted = rules.busy_week_hours_per_person / rules.window_hours_per_week
    load = people * wanted
    opened = None if load >= places else erlang_c(places, load) * session_hours / (places - load)
    return Wait(people, places, left, left / people, finite_wait(people, places, session_hours, wanted), opened)


def finite_wait(people: int, places: int, session_hours: float, wanted: float) -> float:
    """Mean wait of a group of `people` who each want a card for the share `wanted` of the time, were none to wait.

    Birth and death of a closed queue: with n present, (people - n) / away newcomers an hour and min(n, places) /
    session leave; away = session (1 - wanted) / wanted. Mean wait = mean number waiting / throughput (Little).
    """
    if people <= places:
        return 0.0
    if wanted >= 1.0:  # nobody ever goes: all places are always taken
        return (people - places) * session_hours / places
    per_session = wanted / (1.0 - wanted)  # session / away
    weights = [1.0]
    for n in range(1, people + 1):
        weights.append(weights[-1] * (people - n + 1) * per_session / min(n, places))
    queue = math.fsum(max(0, n - places) * w for n, w in enumerate(weights))
    served = math.fsum(min(n, places) * w for n, w in enumerate(weights))
    return queue * session_hours / served


def erlang_c(servers: int, load: float) -> float:
    """Probability that a newcomer waits in an M/M/c queue of offered load `load` < `servers` (Erlang C).

    From Erlang B by its recursion B(k) = a B(k-1) / (k + a B(k-1)), which stays exact for many servers.
    """
    blocked = 1.0
    for k in range(1, servers + 1):
        blocked = load * blocked / (k + load * blocked)
    return blocked / (1.0 - (load / servers) * (1.0 - blocked))
