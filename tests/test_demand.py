"""People, papers and hours: expected values by hand or by formulas written here, and rules that hold for all inputs."""

from __future__ import annotations

import itertools
import math
from dataclasses import fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hwcost import demand
from hwcost.demand import Group, Rules

RULES = Rules()
PEOPLE = st.integers(1, 40)
HOURS = st.floats(0.01, 1e5)


# --- runs ---


def test_a_paper_on_patches_takes_675_runs() -> None:
    methods, ablations, settings_tried = 8 * 3 * 10, 5 * 3 * 10, 20 * 3
    assert demand.runs_per_paper("patch", RULES) == 1.5 * (methods + ablations + settings_tried) == 675


@pytest.mark.parametrize(("kind", "runs"), [("tiles", 60), ("pretraining", 3), ("finetuning", 60)])
def test_other_papers_take_their_stated_runs(kind: str, runs: int) -> None:
    assert demand.runs_per_paper(kind, RULES) == runs


def test_ten_people_with_a_paper_each_make_6750_runs() -> None:
    assert demand.runs_from_papers("patch", 10, RULES) == 6750


def test_runs_by_the_week_count_46_weeks_of_each_person() -> None:
    assert demand.runs_from_weeks(30, 8, RULES) == 30 * 8 * 46


def test_every_rule_has_a_range_that_holds_its_own_value() -> None:
    for rule in fields(Rules):
        assert demand.rule_limit(rule.name).holds(getattr(RULES, rule.name)), rule.name


# --- people and cards ---


@pytest.mark.parametrize(("people", "at_once"), [(1, 1), (5, 3), (8, 5), (10, 6), (20, 12)])
def test_six_tenths_of_the_people_train_at_once_rounded_up(people: int, at_once: int) -> None:
    assert demand.at_once_default(people, RULES) == at_once


@given(seats=st.integers(0, 30), weights=st.lists(st.floats(0.1, 50), min_size=1, max_size=4))
def test_everybody_at_once_has_a_job_and_one_more_takes_nobody_away(seats: int, weights: list[float]) -> None:
    now, more = demand.shared_out(seats, weights), demand.shared_out(seats + 1, weights)
    assert sum(now) == seats and sum(more) == seats + 1
    assert all(b >= a for a, b in zip(now, more, strict=True))


def test_people_at_once_follow_the_people_of_each_job() -> None:
    assert demand.shared_out(6, [3, 2, 1]) == [3, 2, 1]
    assert demand.shared_out(2, [1, 1, 1]) == [1, 1, 0]


def test_only_people_of_one_job_share_a_card() -> None:
    assert demand.cards_for_all([Group(3, 2), Group(2, 1), Group(1, 2)]) == 2 + 2 + 1


def served_by_trying_all(cards: int, groups: list[Group]) -> int:
    """The most people over all ways to give each job some of the cards."""
    ways = itertools.product(*(range(cards + 1) for _ in groups))
    return max(
        sum(min(g.people, n * g.per_card) for g, n in zip(groups, way, strict=True))
        for way in ways
        if sum(way) <= cards
    )


@settings(max_examples=60, deadline=None)
@given(
    cards=st.integers(0, 6),
    groups=st.lists(st.builds(Group, st.integers(1, 6), st.integers(1, 3)), min_size=1, max_size=3),
)
def test_the_people_served_are_the_most_of_all_ways_to_give_out_cards(cards: int, groups: list[Group]) -> None:
    assert demand.people_served(cards, groups) == served_by_trying_all(cards, groups)


# --- hours ---


def test_eight_people_hold_cards_for_7360_hours_while_few_are_busy() -> None:
    hours = demand.year_hours(8, 450, RULES)
    assert hours.busy_card_hours == 450
    assert hours.held_card_hours == 8 * 20 * 46 == 7360


def test_held_hours_are_three_times_the_busy_ones_where_those_are_many() -> None:
    assert demand.year_hours(2, 5000, RULES).held_card_hours == 15000


def test_wall_hours_of_one_person_are_the_hours_held() -> None:
    assert demand.wall_hours(1, 920, RULES) == pytest.approx(920)


def test_wall_hours_of_two_people_count_their_overlap_once() -> None:
    window = 84 * 46
    share = 920 / window
    assert demand.wall_hours(2, 1840, RULES) == pytest.approx(2 * 920 - share * 920)


@given(people=PEOPLE, held=HOURS)
def test_wall_hours_lie_between_those_of_one_person_and_those_of_all(people: int, held: float) -> None:
    wall = demand.wall_hours(people, held, RULES)
    assert wall <= min(held, demand.HOURS_PER_YEAR) * (1 + 1e-9)
    assert wall >= min(held / people, demand.HOURS_PER_YEAR) * (1 - 1e-9)


@given(people=PEOPLE, busy=HOURS)
def test_twice_the_people_or_the_work_never_lowers_any_of_the_three_hours(people: int, busy: float) -> None:
    now = demand.year_hours(people, busy, RULES)
    for more in (
        demand.year_hours(2 * people, busy, RULES),
        demand.year_hours(2 * people, 2 * busy, RULES),
        demand.year_hours(people, 2 * busy, RULES),
    ):
        assert more.busy_card_hours >= now.busy_card_hours
        assert more.held_card_hours >= now.held_card_hours
        assert more.wall_hours >= now.wall_hours * (1 - 1e-12)


# --- waiting ---


def test_two_of_six_people_wait_at_four_cards() -> None:
    wait = demand.waiting(6, 4, 4.0, RULES)
    assert (wait.people_waiting, wait.share) == (2, 2 / 6)


def erlang_c_by_sums(servers: int, load: float) -> float:
    """The textbook form with powers and factorials."""
    top = load**servers / math.factorial(servers) * servers / (servers - load)
    return top / (sum(load**k / math.factorial(k) for k in range(servers)) + top)


@given(servers=st.integers(1, 20), use=st.floats(0.01, 0.99))
def test_the_chance_to_wait_is_erlangs_formula(servers: int, use: float) -> None:
    load = use * servers
    assert demand.erlang_c(servers, load) == pytest.approx(erlang_c_by_sums(servers, load), rel=1e-9)


def test_with_one_card_the_mean_wait_is_that_of_the_simplest_queue() -> None:
    # M/M/1: rho / (1 - rho) x session; one person wants a card 40 of 84 hours
    rho = 40 / 84
    assert demand.waiting(1, 1, 4.0, RULES).open_hours == pytest.approx(rho / (1 - rho) * 4.0)


def test_a_load_above_the_cards_has_no_mean_wait_in_the_open_queue() -> None:
    assert demand.waiting(3, 1, 4.0, RULES).open_hours is None  # 3 x 40 / 84 = 1.43 cards wanted


def test_two_people_at_one_card_wait_as_the_balance_of_three_states_says() -> None:
    # with r = session / away = 40 / 44: p1 = 2 r p0, p2 = 2 r r p0; waiting p2, served (p1 + p2) / session
    r, session = 40 / 44, 4.0
    p1, p2 = 2 * r, 2 * r * r
    assert demand.waiting(2, 1, session, RULES).hours == pytest.approx(p2 / ((p1 + p2) / session))


def test_nobody_waits_where_everybody_has_a_place() -> None:
    assert demand.waiting(4, 4, 4.0, RULES).hours == 0.0 == demand.waiting(4, 9, 4.0, RULES).hours


def test_people_who_never_leave_wait_for_all_who_are_before_them() -> None:
    always = replace(RULES, busy_week_hours_per_person=84.0)
    assert demand.waiting(3, 1, 4.0, always).hours == pytest.approx(2 * 4.0)


@given(people=st.integers(1, 15), places=st.integers(1, 15), session=st.floats(0.1, 50))
def test_one_more_place_never_lengthens_the_wait_and_one_more_person_never_shortens_it(
    people: int, places: int, session: float
) -> None:
    now = demand.waiting(people, places, session, RULES)
    assert demand.waiting(people, places + 1, session, RULES).hours <= now.hours * (1 + 1e-9)
    assert demand.waiting(people + 1, places, session, RULES).hours >= now.hours * (1 - 1e-9)
    assert now.hours <= (people - min(people, places)) * session / places * (1 + 1e-9)
