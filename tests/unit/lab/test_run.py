import pytest

from tests.support import naive
from tests.unit.lab.runs import run_method
from tilework.core.errors import UnsolvableError
from tilework.core.lab.methods import LabAlgorithm, Method
from tilework.core.lab.problem import Problem
from tilework.core.lab.run import effective_branching_factor, run
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import explain
from tilework.core.puzzle.moves import LETTERS
from tilework.core.search.limits import Limits, StopReason

TILES = (1, 2, 3, 0, 4, 6, 7, 5, 8)
SWAPPED = (1, 2, 3, 4, 5, 6, 8, 7, 0)
WIDE, TALL = (4, 1, 0, 3, 2, 5), (1, 4, 3, 0, 2, 5)


@pytest.mark.parametrize(("width", "height"), [(1, 1), (1, 4), (4, 1), (3, 2), (3, 3)])
def test_successors_are_ordered_by_the_blank(width, height):
    for blank in range(width * height):
        tiles = list(range(1, width * height))
        tiles.insert(blank, 0)
        board = Board(tiles, width)
        problem = Problem(board, board)
        root = problem.root()
        successors = [(LETTERS[child.move], child.state) for child in problem.successors(root)]
        # The tile moves down when the blank moves up.
        neighbors = [(letter, naive.apply_move(tuple(tiles), width, letter)) for letter in "DURL"]
        assert successors == [(letter, state) for letter, state in neighbors if state is not None]
        assert (problem.width, problem.height) == (width, height)
        for node in problem.successors(root):
            states = [child.state for child in problem.successors(node)]
            states.remove(root.state)
            assert [child.state for child in problem.successors_except_undo(node)] == states


def test_unsolvable_board_is_rejected_before_the_search():
    for name in LabAlgorithm:
        for tiles, width in ((SWAPPED, 3), ((*range(1, 14), 15, 14, 0), 4)):
            with pytest.raises(UnsolvableError, match="cannot reach its goal") as error:
                run_method(tiles, Method.of(name), width=width)
            assert "to the goal): 1. " in str(error.value.explanation)


def test_unsolvable_board_is_searched_if_requested():
    swapped = (2, 1, 3, 4, 5, 0)
    start, goal = Board(swapped, 3), Board(naive.solved_tiles(3, 2), 3)
    for method in ("breadth-first", "depth-first", "a-star:manhattan"):
        result = run(start, goal, Method.from_text(method), Limits(), exhaust=True)
        assert (result.moves, result.stopped_by, result.statistics.visited) == (None, None, 360)
        unreachable = "Search space exhausted: this board cannot reach its goal. "
        assert str(result.message) == unreachable + explain(start, goal).words
    limits = Limits(nodes=1_000)
    result = run(start, goal, Method.from_text("ida-star:manhattan"), limits, exhaust=True)
    assert (result.moves, result.stopped_by) == (None, StopReason.NODES)


def test_effective_branching_factor():
    assert round(effective_branching_factor(52, 5), 2) == 1.92  # the example in the textbook
    for nodes, depth in ((10, 2), (483_563, 31), (3, 5), (1 + 3 + 9 + 27 - 1, 3)):
        factor = effective_branching_factor(nodes, depth)
        assert sum(factor**level for level in range(1, depth + 1)) == pytest.approx(nodes, rel=1e-6)
    assert effective_branching_factor(7, 7) == pytest.approx(1)
    for nodes, depth in ((0, 0), (0, 5), (4, 0)):
        assert effective_branching_factor(nodes, depth) == 0
    assert 1 < effective_branching_factor(300_000, 100_000) < 1.001
