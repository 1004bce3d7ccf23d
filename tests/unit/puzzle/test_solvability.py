from dataclasses import asdict
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import naive
from tests.support.strategies import boards, sizes
from tilework.core.errors import BoardError
from tilework.core.formats.board_text import read_board
from tilework.core.messages import Language, translations
from tilework.core.puzzle import arrangement
from tilework.core.puzzle import board_kernel as parity
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import MAX_PAIRS, count_inversions, explain, inverted_pairs

SMALL = [(1, 1), (1, 2), (2, 1), (1, 4), (4, 1), (2, 2), (3, 2), (2, 3)]


@pytest.mark.parametrize(("width", "height"), SMALL)
def test_solvability_agrees_with_breadth_first_search(width, height):
    all_tiles = list(permutations(range(width * height)))
    random = np.random.default_rng(width)
    goals = {all_tiles[int(random.integers(len(all_tiles)))] for _ in range(6)}
    for goal in goals | {naive.solved_tiles(width, height)}:
        lengths = naive.distances(goal, width)
        goal_board = Board(goal, width, height)
        for tiles in all_tiles:
            board = Board(tiles, width, height)
            assert board.is_solvable(goal_board) == (tiles in lengths)
            if goal == naive.solved_tiles(width, height):
                assert board.is_solvable() == (tiles in lengths)


@given(sizes().flatmap(lambda size: st.tuples(boards(size), boards(size))))
def test_explanation_agrees_with_the_definition(case):
    board, goal = case
    order = [tile for tile in goal.cells.tolist() if tile]
    ranks = [order.index(tile) for tile in board.cells.tolist() if tile]
    explanation = explain(board, goal)
    assert explanation.solvable == board.is_solvable(goal)
    assert explanation.inversions == naive.inversions(ranks)
    assert explanation.blank_row == board.blank // board.width + 1
    assert explanation.blank_distance == abs(board.blank // board.width - goal.blank // board.width)
    for language in Language:
        assert "{" not in explanation.message.translate(translations(language))
    assert len(inverted_pairs(board, goal)) == min(explanation.inversions, MAX_PAIRS)
    # All conventions agree.
    verdicts = {
        (parity.sum % 2 == 1) == (parity.solvable_if == "odd") for parity in explanation.parities
    }
    assert verdicts == (set() if 1 in board.size else {explanation.solvable})
    assert len(explanation.parities) == (0 if 1 in board.size else 1 if board.width % 2 else 2)
    assert 1 in board.size or explanation.solvable == (explanation.sum % 2 == 0)


def test_inversion_sums_along_the_published_solution():
    for text, inversions, by_distance, by_row in (
        ("1 2 3 4 5 0 6 8 9 10 7 11 13 14 15 12", 6, 8, 7),
        ("1 2 3 4 5 6 7 8 9 10 11 0 13 14 15 12", 3, 4, 5),
        ("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0", 0, 0, 3),
    ):
        explanation = explain(read_board(text), Board(naive.solved_tiles(4, 4)))
        assert (explanation.inversions, explanation.solvable) == (inversions, True)
        assert [asdict(parity) for parity in explanation.parities] == [
            {"convention": "blank-distance", "sum": by_distance, "solvable_if": "even"},
            {"convention": "blank-row", "sum": by_row, "solvable_if": "odd"},
        ]


def test_published_inverted_pairs():
    for text, pairs in (
        ("1 2 3 4 5 6 8 0 7", "8-7"),
        ("1 2 3 4 0 6 8 5 7", "6-5 8-5 8-7"),
        ("1 2 3 4 6 7 8 5 0", "6-5 7-5 8-5"),
        ("0 1 3 4 2 5 7 8 6", "3-2 4-2 7-6 8-6"),
        ("1 2 3 4 5 6 7 8 0", ""),
    ):
        inversions = inverted_pairs(read_board(text), Board(naive.solved_tiles(3, 3)))
        assert " ".join(f"{larger}-{smaller}" for larger, smaller in inversions) == pairs
    # The number of listed pairs is limited.
    reversed_board = Board([0, *range(99, 0, -1)])
    pairs = inverted_pairs(reversed_board, Board(naive.solved_tiles(10, 10)))
    assert pairs == [(99, tile) for tile in range(98, 0, -1)] + [(98, 97), (98, 96)]


def test_goal_of_another_size_is_rejected():
    board = Board([1, 2, 3, 0])
    with pytest.raises(BoardError, match="does not fit"):
        explain(board, Board([0]))


@given(st.integers(1, 60).flatmap(lambda count: st.permutations(range(count))))
def test_inversions_and_parity_agree_with_the_definition(numbers):
    inversions = naive.inversions(numbers)
    cells = np.array(numbers, dtype=np.int32)
    assert count_inversions(cells) == inversions
    assert arrangement.is_odd(cells) == (inversions % 2 == 1)


@pytest.mark.parametrize("exchanges", [0, 1, 2, 7, 300, 900])
def test_solvability_of_boards_that_differ_in_few_cells(exchanges):
    random = np.random.default_rng(exchanges)
    for size in ((40, 30), (41, 31)):
        cells = size[0] * size[1]
        goal = Board(random.permutation(cells), *size)
        tiles = goal.cells.copy()
        for first, second in random.integers(0, cells, (exchanges, 2)):
            tiles[first], tiles[second] = int(tiles[second]), int(tiles[first])
        # Then the blank is swapped too.
        indices = [goal.blank, *random.integers(0, cells, 3)]
        tiles[indices] = tiles[np.roll(indices, 1)] if len(set(indices)) == 4 else tiles[indices]
        board = Board(tiles, *size)
        assert board.is_solvable(goal) == explain(board, goal).solvable


@pytest.mark.parametrize("compiled", [True, False])
def test_parity_kernel_on_any_number_of_groups(compiled, monkeypatch):
    if not compiled:
        for name, value in list(vars(parity).items()):
            if hasattr(value, "py_func"):
                monkeypatch.setattr(parity, name, value.py_func)
    for count in (1, 2, 3, 63, 64, 65, 300):
        cells = np.random.default_rng(count).permutation(count).astype(np.int32)
        odd = naive.inversions(cells.tolist()) % 2
        for groups in (1, 7, 64):
            assert parity.permutation_is_odd(cells, -(-count // groups)) == odd
    for values, index in (
        ([0, 1, 2], -1),
        ([0, 3, 2], 1),
        ([-1, 0, 1], 0),
        ([2, 1, 2], 2),
        ([0, 2**40, 1], 1),
    ):
        bits = np.zeros(1, dtype=np.uint64)
        assert parity.find_invalid_value(np.array(values, dtype=np.int64), bits) == index


def test_parity_by_sorting_agrees_with_counting_cycles():
    """The board has over 64 × 2^14 cells, enough for two levels of partitions."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    count = 64 * parity.CACHED + 12_345
    cells = np.random.default_rng(8).permutation(count).astype(np.int32)
    steps = csr_array((np.ones(count), (np.arange(count), cells)))
    cycles, _ = connected_components(steps)
    assert parity.permutation_is_odd(cells, parity.GROUP) == (count - cycles) % 2
    assert parity.permutation_is_odd(cells, count // 5) == (count - cycles) % 2
