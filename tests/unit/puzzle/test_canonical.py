from collections import defaultdict
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import naive
from tests.support.strategies import boards, sizes, walks
from tilework.core.errors import BoardError
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.canonical import Transform, canonicalize
from tilework.core.puzzle.goals import blank_at, blank_first, blank_last
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import apply, replay
from tilework.core.puzzle.scramble import scramble

# The eight symmetries of a grid: rotations and reflections of a list of rows.
VIEWS = {
    "same": lambda rows: rows,
    "rotated right": lambda rows: [list(row) for row in zip(*rows[::-1], strict=True)],
    "rotated by 180 degrees": lambda rows: [row[::-1] for row in rows[::-1]],
    "rotated left": lambda rows: [list(row) for row in zip(*rows, strict=True)][::-1],
    "mirrored": lambda rows: [row[::-1] for row in rows],
    "flipped": lambda rows: rows[::-1],
    "transposed": lambda rows: [list(row) for row in zip(*rows, strict=True)],
    "transposed along the other diagonal": lambda rows: [
        list(row) for row in zip(*[row[::-1] for row in rows[::-1]], strict=True)
    ],
}


def view_board(view, board):
    return Board(VIEWS[view](board.cells.reshape(board.height, board.width).tolist()))


@st.composite
def puzzles(draw):
    """Draw a start, a goal, and a solution that may not be the shortest."""
    start = draw(boards(largest=5))
    moves = from_letters(draw(walks(start)))
    return start, apply(start, moves), moves


@st.composite
def equivalent_boards(draw, start, goal):
    view = draw(st.sampled_from(sorted(VIEWS)))
    names = [0, *draw(st.permutations(range(1, start.size.cells)))]
    views = [view_board(view, board) for board in (start, goal)]
    start, goal = (Board([names[tile] for tile in board.cells], *board.size) for board in views)
    return (goal, start) if draw(st.booleans()) else (start, goal)


@given(st.data(), sizes(largest=5))
def test_all_equivalent_boards_have_one_canonical_form(data, size):
    start, goal = data.draw(boards(size)), data.draw(boards(size))
    form = canonicalize(start, goal)
    other_form = canonicalize(*data.draw(equivalent_boards(start, goal)))
    assert other_form.key == form.key
    assert other_form.board == form.board
    assert other_form.goal == form.goal


@given(puzzles())
def test_solutions_are_mapped_between_equivalent_boards(puzzle):
    start, goal, moves = puzzle
    form = canonicalize(start, goal)
    transform = Transform.from_text(form.transform.to_text())
    assert transform == form.transform
    canonical_moves = transform.to_canonical(moves)
    replay(form.board, canonical_moves, form.goal)
    assert transform.from_canonical(canonical_moves).tolist() == moves.tolist()
    for view in VIEWS:
        twin_start, twin_goal = view_board(view, goal), view_board(view, start)
        twin = canonicalize(twin_start, twin_goal)
        replay(twin_start, twin.transform.from_canonical(canonical_moves), twin_goal)


@given(puzzles())
def test_canonicalization_is_idempotent(puzzle):
    form = canonicalize(puzzle[0], puzzle[1])
    assert form.board.width >= form.board.height
    assert form.goal == blank_at(form.board.size, form.goal.blank)
    repeated = canonicalize(form.board, form.goal)
    assert (repeated.key, repeated.board, repeated.goal) == (form.key, form.board, form.goal)


def test_corner_blank_is_moved_to_the_last_cell():
    size = Size(4, 3)
    for corner in (0, 3, 8, 11):
        goal = blank_at(size, corner)
        assert canonicalize(scramble(size, goal, 1), goal).goal == blank_last(size)
    # A start with its blank in a corner is solved in reverse.
    form = canonicalize(blank_first(Size(3, 3)), blank_at(Size(3, 3), 4))
    assert form.goal == blank_last(Size(3, 3))
    assert form.transform.reverse


def test_boards_with_the_same_key_have_the_same_length():
    lengths = defaultdict(set)
    all_tiles = list(permutations(range(6)))
    for blank in range(6):
        goal = tuple(blank_at(Size(3, 2), blank).cells.tolist())
        depths = naive.distances(goal, 3)
        for tiles in all_tiles:
            key = canonicalize(Board(tiles, 3, 2), Board(goal, 3, 2)).key
            lengths[key].add(depths.get(tiles))
    assert all(len(values) == 1 for values in lengths.values())


def test_keys_are_short_and_readable_for_small_boards():
    size = Size(4, 4)
    form = canonicalize(blank_last(size), blank_last(size))
    assert form.key == "4x4:15:1-2-3-4-5-6-7-8-9-10-11-12-13-14-15-0"
    for side in (11, 12, 256):
        size = Size(side, side)
        key = canonicalize(scramble(size, blank_last(size), 1), blank_last(size)).key
        assert len(key) <= 500
        assert ("sha256" in key) == (side > 11)


def test_boards_without_a_canonical_form_are_rejected():
    with pytest.raises(BoardError, match="does not fit"):
        canonicalize(blank_last(Size(3, 2)), blank_last(Size(2, 3)))
    for text in ("", "q", "ii", "yx", "ir", "txyrr"):
        with pytest.raises(BoardError, match="is not a transform"):
            Transform.from_text(text)
