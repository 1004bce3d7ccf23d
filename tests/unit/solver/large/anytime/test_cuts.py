"""Windows of a path: they cover it, elsewhere each time, and shorter ways fit in."""

from __future__ import annotations

import numpy as np
import pytest

from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import apply, replay
from tilework.core.solver.large.anytime.cuts import LEAST_MOVES, Cuts
from tilework.core.solver.trial import Effort

START = blank_last(Size(4, 4))
# Round a square of four cells and back is no progress at all; the rest goes along the border.
LOOPS = from_letters("DRULDRUL" * 3)
PATH = np.concatenate([LOOPS, from_letters("DDDRRRUUULLL"), LOOPS])


def none(windows):
    return [None] * len(windows)


@pytest.mark.parametrize("length", [10, 25, 200])
def test_a_pass_covers_the_path_and_the_next_one_cuts_elsewhere(length):
    cuts = Cuts(START, PATH, [Effort(length, 1)])
    cut_at = []
    while windows := cuts.next(100):
        for one in windows:
            assert one.start == apply(START, PATH[: one.first])
            assert one.end == apply(one.start, one.moves)
        covered = np.concatenate([one.moves for one in windows])
        # Pieces at the ends may be too short to be worth a search.
        assert len(PATH) - 2 * LEAST_MOVES < len(covered) <= len(PATH)
        cut_at.append({one.first for one in windows[1:]})
        cuts.put(windows, none(windows))
    assert len(cut_at) == 2
    assert not cut_at[0] & cut_at[1]
    assert cuts.path.tolist() == PATH.tolist()


def test_shorter_ways_are_put_in_and_the_path_still_leads_there():
    end = apply(START, PATH)
    cuts = Cuts(START, PATH, [Effort(12, 1), Effort(24, 1)])
    lengths = {len(PATH)}
    efforts = []
    while windows := cuts.next(2):
        efforts.append(cuts.effort.length)
        ways = []
        for one in windows:
            # A way that comes back to a board may leave out the moves between.
            boards = [one.start]
            for move in one.moves:
                boards.append(apply(boards[-1], np.array([move], dtype=np.uint8)))
            first = next((at for at, board in enumerate(boards) if board in boards[at + 1 :]), None)
            if first is None:
                ways.append(None)
                continue
            last = max(at for at, board in enumerate(boards) if board == boards[first])
            ways.append(np.concatenate([one.moves[:first], one.moves[last:]]))
        gained = cuts.put(windows, ways)
        assert len(cuts.path) == min(lengths) - gained
        lengths.add(len(cuts.path))
        replay(START, cuts.path, end)
    assert len(cuts.path) <= 12 + 2 * 2
    assert sorted(efforts) == efforts
    assert {12, 24} == set(efforts)


def test_another_path_is_begun_anew():
    cuts = Cuts(START, PATH, [Effort(30, 1)])
    while windows := cuts.next(100):
        cuts.put(windows, none(windows))
    assert cuts.effort is None
    cuts.begin(PATH[:24])
    assert [one.first for one in cuts.next(100)] == [0]


def test_paths_that_are_too_short_have_no_windows():
    assert Cuts(START, PATH[: LEAST_MOVES - 1], [Effort(30, 1), Effort(60, 1)]).next(10) == []
