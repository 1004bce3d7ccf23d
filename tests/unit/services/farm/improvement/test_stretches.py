from __future__ import annotations

import random

import pytest

from tilework.core.services.farm.improvement.state import UnderWay
from tilework.core.services.farm.improvement.stretches import next_stretch, stretch_length
from tilework.core.solver.trial import EFFORTS, Trial, TrialKind


def taken(first, count):
    return UnderWay(f"{first}", Trial(TrialKind.WINDOWS), first, count)


def test_a_free_path_is_taken_from_where_the_last_stretch_ended():
    assert next_stretch(1_000, 300, 200, []) == (300, 200)


def test_the_last_stretch_is_as_long_as_the_path_is():
    assert next_stretch(1_000, 900, 200, []) == (900, 100)


def test_what_others_are_at_is_left_out():
    assert next_stretch(1_000, 300, 200, [taken(300, 100)]) == (400, 200)
    assert next_stretch(1_000, 300, 200, [taken(450, 100)]) == (300, 150)


def test_behind_the_end_it_begins_again_at_the_start():
    assert next_stretch(1_000, 900, 200, [taken(850, 150)]) == (0, 200)


def test_a_path_that_is_taken_whole_has_no_stretch_left():
    assert next_stretch(1_000, 0, 200, [taken(0, 400), taken(400, 600)]) is None


def test_beams_take_no_stretch():
    beam = UnderWay("b", Trial(TrialKind.BEAM, width=100))
    assert next_stretch(1_000, 0, 200, [beam]) == (0, 200)


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


def test_workers_share_a_short_path_equally():
    assert stretch_length(900, EFFORTS[0], 1.0, shares=3) == 300


def test_of_a_long_path_a_stretch_takes_the_time_that_it_should():
    short = stretch_length(10**7, EFFORTS[0], 1.0, shares=2)
    assert stretch_length(10**7, EFFORTS[0], 4.0, shares=2) == pytest.approx(4 * short, abs=4)
