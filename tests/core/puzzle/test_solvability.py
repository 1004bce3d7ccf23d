import subprocess
import sys
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BoardError
from core.languages import Language, translations
from core.puzzle import permutation
from core.puzzle.board import Board
from core.puzzle.solvability import count_inversions, explain, is_solvable
from tests import naive
from tests.strategies import boards, sizes

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
    assert "The sum is 1 + 0 = 1." in explanation.words
    assert "A soma é 1 + 0 = 1." in explanation.message.said(PORTUGUESE)
    line = Board([2, 1, 0], 3, 1)
    assert "never pass" in explain(line, Board([1, 2, 0], 3, 1)).words
    assert "cannot be reached" in explain(line, Board([1, 2, 0], 3, 1)).words


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
        "core.puzzle.canonical core.puzzle.scramble core.puzzle.packing core.puzzle.solvability "
        "core.puzzle.replay core.formats.solution_formats core.formats.board_json core.formats.npy"
    )
    program = "\n".join(
        [
            "import sys",
            *(f"import {module}" for module in modules.split()),
            "from core.formats.board_text import read_board",
            "assert read_board('0 1 3 4 2 5 7 8 6').is_solvable()",
            "sys.exit('numba' in sys.modules)",
        ]
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
