import subprocess
import sys
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import naive
from tests.support.strategies import boards, sizes
from tilework.core.errors import BoardError
from tilework.core.formats.board_text import read_board
from tilework.core.languages import Language, translations
from tilework.core.puzzle import permutation
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.solvability import (
    MOST_PAIRS,
    count_inversions,
    explain,
    inverted_pairs,
    is_solvable,
)

SMALL = [(1, 1), (1, 2), (2, 1), (1, 4), (4, 1), (2, 2), (3, 2), (2, 3)]

PORTUGUESE = translations(Language.PORTUGUESE)


@pytest.mark.parametrize(("width", "height"), SMALL)
def test_solvable_is_what_breadth_first_search_reaches(width, height):
    everything = list(permutations(range(width * height)))
    random = np.random.default_rng(width)
    goals = {everything[int(random.integers(len(everything)))] for _ in range(6)}
    for goal in goals | {naive.solved(width, height)}:
        reached = naive.distances(goal, width)
        goal_board = Board(goal, width, height)
        for tiles in everything:
            board = Board(tiles, width, height)
            assert is_solvable(board, goal_board) == (tiles in reached)
            if goal == naive.solved(width, height):
                assert board.is_solvable() == (tiles in reached)


@pytest.mark.parametrize(("width", "height"), SMALL[5:])
def test_the_sum_decides(width, height):
    goal = Board(naive.solved(width, height), width, height)
    for tiles in permutations(range(width * height)):
        explanation = explain(Board(tiles, width, height), goal)
        assert explanation.solvable == (explanation.sum % 2 == 0)


@given(sizes().flatmap(lambda size: st.tuples(boards(size), boards(size))))
def test_the_numbers_of_the_explanation_agree_with_the_definition(case):
    board, goal = case
    order = [tile for tile in goal.cells.tolist() if tile]
    ranks = [order.index(tile) for tile in board.cells.tolist() if tile]
    explanation = explain(board, goal)
    assert explanation.solvable == is_solvable(board, goal)
    assert explanation.inversions == naive.inversions(ranks)
    assert explanation.blank_row == board.blank // board.width + 1
    assert explanation.blank_distance == abs(board.blank // board.width - goal.blank // board.width)
    for language in Language:
        assert "{" not in explanation.message.said(translations(language))


def test_words_in_both_languages():
    board = Board([1, 2, 3, 4, 5, 6, 8, 7, 0])
    goal = Board([1, 2, 3, 4, 5, 6, 7, 8, 0])
    assert explain(board, goal).words.endswith("1 is odd, so the goal cannot be reached.")
    assert (
        explain(board, goal)
        .message.said(PORTUGUESE)
        .endswith("1 é ímpar, logo o objetivo não pode ser alcançado.")
    )
    board = Board([1, 2, 4, 3, 0, 5, 6, 7], 4, 2)
    goal = Board([1, 2, 3, 4, 5, 6, 7, 0], 4, 2)
    explanation = explain(board, goal)
    assert "row 2 and its goal row is 2: distance 0" in explanation.words
    assert "By the blank's distance the sum is 1 + 0 = 1." in explanation.words
    assert "Pela distância do espaço vazio, a soma é 1 + 0 = 1." in explanation.message.said(
        PORTUGUESE
    )
    line = Board([2, 1, 0], 3, 1)
    assert "never pass" in explain(line, Board([1, 2, 0], 3, 1)).words
    assert "cannot be reached" in explain(line, Board([1, 2, 0], 3, 1)).words


WAY_HOME = [
    ("1 2 3 4 5 0 6 8 9 10 7 11 13 14 15 12", 6, 8, 7),
    ("1 2 3 4 5 6 0 8 9 10 7 11 13 14 15 12", 6, 8, 7),
    ("1 2 3 4 5 6 7 8 9 10 0 11 13 14 15 12", 3, 4, 5),
    ("1 2 3 4 5 6 7 8 9 10 11 0 13 14 15 12", 3, 4, 5),
    ("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0", 0, 0, 3),
]


@pytest.mark.parametrize(("text", "inversions", "by_distance", "by_row"), WAY_HOME)
def test_the_sums_of_both_conventions_on_the_published_way_home(
    text, inversions, by_distance, by_row
):
    explanation = explain(read_board(text), Board(naive.solved(4, 4)))
    assert (explanation.inversions, explanation.solvable) == (inversions, True)
    assert [parity.document() for parity in explanation.parities] == [
        {"convention": "blank-distance", "sum": by_distance, "solvable_if": "even"},
        {"convention": "blank-row", "sum": by_row, "solvable_if": "odd"},
    ]


@given(sizes().flatmap(lambda size: st.tuples(boards(size), boards(size))))
def test_every_convention_gives_the_same_verdict(case):
    board, goal = case
    explanation = explain(board, goal)
    verdicts = {one.sum % 2 == one.odd_if_solvable for one in explanation.parities}
    assert verdicts == (set() if 1 in board.size else {explanation.solvable})
    expected = 0 if 1 in board.size else 1 if board.width % 2 else 2
    assert len(explanation.parities) == expected


def test_both_conventions_are_named():
    swapped = [*range(1, 14), 15, 14, 0]
    explanation = explain(Board(swapped), Board(naive.solved(4, 4)))
    assert "By the blank's distance the sum is 1 + 0 = 1. 1 is odd" in explanation.words
    by_row = (
        "By the blank's row, counted from 0 at the top, it is 1 + 3 = 4, which for this goal has"
    )
    assert f"{by_row} to be odd." in explanation.words
    first = explain(Board([0, *range(1, 16)]), Board([0, *range(1, 16)]))
    assert "it is 0 + 0 = 0, which for this goal has to be even." in first.words


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("1 2 3 4 5 6 8 7 0", "8-7"),
        ("1 2 3 4 5 6 8 0 7", "8-7"),
        ("1 2 3 4 6 0 8 5 7", "6-5 8-5 8-7"),
        ("1 2 3 4 0 6 8 5 7", "6-5 8-5 8-7"),
        ("1 2 3 4 6 7 8 5 0", "6-5 7-5 8-5"),
        ("0 1 3 4 2 5 7 8 6", "3-2 4-2 7-6 8-6"),
        ("1 2 3 4 0 5 7 8 6", "7-6 8-6"),
        ("1 2 3 4 5 6 7 8 0", ""),
    ],
)
def test_the_published_inverted_pairs(text, pairs):
    found = inverted_pairs(read_board(text), Board(naive.solved(3, 3)))
    assert " ".join(f"{one}-{other}" for one, other in found) == pairs


@given(sizes().flatmap(lambda size: st.tuples(boards(size), boards(size))))
def test_there_are_as_many_inverted_pairs_as_inversions(case):
    board, goal = case
    assert len(inverted_pairs(board, goal)) == min(explain(board, goal).inversions, MOST_PAIRS)


def test_no_more_inverted_pairs_are_listed_than_people_read():
    backwards = Board([0, *range(99, 0, -1)])
    pairs = inverted_pairs(backwards, Board(naive.solved(10, 10)))
    assert pairs == [(99, tile) for tile in range(98, 0, -1)] + [(98, 97), (98, 96)]


def test_another_size_is_refused():
    board = Board([1, 2, 3, 0])
    with pytest.raises(BoardError, match="does not fit"):
        explain(board, Board([0]))


@given(st.integers(0, 60).flatmap(lambda count: st.permutations(range(count))))
def test_inversions_agree_with_the_definition(numbers):
    assert count_inversions(np.array(numbers, dtype=np.int32)) == naive.inversions(numbers)


@given(st.integers(1, 60).flatmap(lambda count: st.permutations(range(count))))
def test_parity_is_that_of_the_inversions(numbers):
    assert permutation.is_odd(np.array(numbers, dtype=np.int32)) == (
        naive.inversions(numbers) % 2 == 1
    )


def test_large_boards_go_through_the_kernels_and_agree(monkeypatch):
    random = np.random.default_rng(2)
    for cells in (97, 5000):
        tiles = random.permutation(cells).astype(np.int32)
        odd = permutation.is_odd(tiles)
        broken = tiles.copy()
        broken[60] = broken[7]
        with monkeypatch.context() as patch:
            patch.setattr(permutation, "KERNEL_CELLS", 50)
            patch.setattr(permutation, "SMALL_CELLS", 9)
            assert permutation.is_odd(tiles) == odd
            assert permutation.is_permutation(tiles)
            assert not permutation.is_permutation(broken)
            text = f"^{broken[60]} at cell 61 appears a second time$"
            with pytest.raises(AssertionError, match=text):
                raise AssertionError(permutation.describe_fault(broken))


@pytest.mark.parametrize("exchanges", [0, 1, 2, 7, 300, 900])
@pytest.mark.parametrize("size", [(40, 30), (41, 31)], ids=str)
def test_boards_that_differ_in_few_cells_agree_with_the_inversions(size, exchanges):
    random = np.random.default_rng(exchanges)
    cells = size[0] * size[1]
    for _ in range(4):
        goal = Board(random.permutation(cells), *size)
        tiles = goal.cells.copy()
        for one, other in random.integers(0, cells, (exchanges, 2)):
            tiles[one], tiles[other] = int(tiles[other]), int(tiles[one])
        # The blank goes a way of its own, too.
        places = [goal.blank, *random.integers(0, cells, 3)]
        tiles[places] = tiles[np.roll(places, 1)] if len(set(places)) == 4 else tiles[places]
        board = Board(tiles, *size)
        assert board.is_solvable(goal) == explain(board, goal).solvable


def test_importing_the_puzzle_loads_no_compiler():
    modules = (
        "puzzle.canonical puzzle.scramble puzzle.packing puzzle.solvability puzzle.replay "
        "formats.solution_formats formats.board_json formats.npy"
    )
    program = "\n".join(
        [
            "import sys",
            *(f"import tilework.core.{module}" for module in modules.split()),
            "from tilework.core.formats.board_text import read_board",
            "assert read_board('0 1 3 4 2 5 7 8 6').is_solvable()",
            "sys.exit('numba' in sys.modules)",
        ]
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
