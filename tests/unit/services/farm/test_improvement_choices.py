"""Which kind of try comes next, and at which stretch of the path."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tilework.core.services.farm.improvement.bandit import choose
from tilework.core.services.farm.improvement.state import Pay, UnderWay
from tilework.core.services.farm.improvement.stretches import next_stretch, stretch_length
from tilework.core.solver.trial import EFFORTS, Trial, TrialKind


def chosen(pays, times=1_000):
    return Counter(choose(pays, 3, number) for number in range(times))


def test_a_kind_that_pays_is_chosen_most_and_the_others_now_and_then():
    assert min(chosen({"a": Pay(), "b": Pay(), "c": Pay()}).values()) > 250
    never = Pay().after(10.0, 0)
    assert chosen({"pays": Pay().after(10.0, 30), "does not": never})["pays"] > 950
    assert 10 < chosen({"pays": Pay().after(10.0, 2), "does not": never})["does not"] < 400
    # What paid long ago counts less.
    faded = Pay().after(1.0, 40)
    for _ in range(60):
        faded = faded.after(1.0, 0)
    assert faded.gained == 40
    assert chosen({"faded": faded, "fresh": Pay().after(1.0, 2)})["fresh"] > 750


def taken(first, count):
    return UnderWay(f"{first}", Trial(TrialKind.WINDOWS), first, count)


def test_the_next_stretch_begins_where_the_last_one_ended_and_leaves_out_what_others_are_at():
    for at, under_way, expected in (
        (300, [], (300, 200)),
        (900, [], (900, 100)),
        (300, [taken(300, 100)], (400, 200)),
        (300, [taken(450, 100)], (300, 150)),
        # Behind the end it begins again.
        (900, [taken(850, 150)], (0, 200)),
        (0, [taken(0, 400), taken(400, 600)], None),
        (0, [UnderWay("b", Trial(TrialKind.BEAM, width=100))], (0, 200)),
    ):
        assert next_stretch(1_000, at, 200, under_way) == expected


def test_no_two_stretches_share_a_move():
    choose = random.Random(1)
    for _ in range(300):
        moves, under_way, at = choose.randint(1, 400), [], 0
        for _ in range(12):
            found = next_stretch(moves, at, choose.randint(1, 90), under_way)
            if found is None:
                break
            first, count = found
            assert 0 <= first < first + count <= moves
            for other in under_way:
                assert first + count <= other.first or other.end <= first
            under_way.append(taken(first, count))
            if choose.random() < 0.3:
                under_way.pop(choose.randrange(len(under_way)))
            at = first + count


def test_workers_share_a_short_path_and_of_a_long_one_a_stretch_takes_its_time():
    assert stretch_length(900, EFFORTS[0], 1.0, shares=3) == 300
    short = stretch_length(10**7, EFFORTS[0], 1.0, shares=2)
    assert stretch_length(10**7, EFFORTS[0], 4.0, shares=2) == pytest.approx(4 * short, abs=4)
