import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.long_solutions import long_solution
from tilework.core.errors import MoveError, ReplayError
from tilework.core.puzzle import replay
from tilework.core.puzzle.canonical import Transform
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.packed_moves import CHUNK_MOVES, PackedMoves, SeenMoves
from tilework.core.puzzle.packing import pack_body
from tilework.core.puzzle.symmetry import ALL

COUNT = 3 * CHUNK_MOVES - 11
MOVES = np.random.default_rng(1).integers(4, size=COUNT).astype(np.uint8)
BODIES = {
    number: pack_body(MOVES[number * CHUNK_MOVES : (number + 1) * CHUNK_MOVES])
    for number in range(3)
}


@given(st.integers(0, COUNT + 9), st.integers(0, COUNT + 9))
def test_any_part_is_read(first, end):
    assert np.array_equal(PackedMoves(COUNT, BODIES)[first:end], MOVES[first:end])


@pytest.mark.parametrize("symmetry", ALL)
@pytest.mark.parametrize("reverse", [False, True])
def test_seen_moves_are_those_of_the_whole_array(symmetry, reverse):
    transform = Transform(symmetry, reverse)
    whole = transform.from_canonical(MOVES)
    seen = transform.seen_from_canonical(PackedMoves(COUNT, BODIES))
    assert len(seen) == COUNT
    for first, end in ((0, 9), (CHUNK_MOVES - 20, CHUNK_MOVES + 20), (COUNT - 4, COUNT), (7, 7)):
        assert np.array_equal(seen[first:end], whole[first:end])


def test_what_is_missing_or_damaged_is_told():
    with pytest.raises(MoveError, match="chunk 1"):
        PackedMoves(COUNT, {0: BODIES[0]})[: CHUNK_MOVES + 1]
    with pytest.raises(MoveError, match="damaged"):
        PackedMoves(COUNT, {0: BODIES[2]})[:4]


def test_seen_moves_can_be_seen_again():
    opposite = np.array([1, 0, 3, 2], dtype=np.uint8)
    twice = SeenMoves(SeenMoves(MOVES, opposite, backwards=True), opposite, backwards=True)
    assert np.array_equal(twice[5:99], MOVES[5:99])


def test_long_solutions_are_replayed_by_the_kernel_as_without_it(monkeypatch):
    start, moves = long_solution(20, 200_000)
    goal = blank_last(start.size)
    stride = 2 * replay.CHUNK_MOVES
    slow = replay.replay_keeping(start, moves, goal, stride)
    monkeypatch.setattr(replay, "KERNEL_MOVES", 1)
    assert replay.replay_keeping(start, moves, goal, stride) == slow
    assert len(slow) == -(-len(moves) // stride)
    with pytest.raises(ReplayError, match="does not end at"):
        replay.replay(start, moves[:-2], goal)
    # The blank ends in the last row: nothing comes up from below it.
    with pytest.raises(ReplayError, match=f"move {len(moves) + 1}, U, is illegal"):
        replay.replay(start, np.append(moves, np.uint8(0)), goal)
