"""The learned potential against its definition, summed up naively over the board."""

import numpy as np
import pytest

from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.distance import inverse
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits
from tilework.core.solver.kernels.learned.potential import SCALE, potential
from tilework.core.solver.large.learned.beam import LearnedBeam, Quotas
from tilework.core.solver.large.learned.layout import labels_of, layout_of
from tilework.core.solver.large.learned.potential import Potential
from tilework.core.solver.large.learned.weights import shipped

BLANK, BORDER = 25, 26


def some_goal(size: Size, seed: int) -> Board:
    return scramble(size, blank_last(size), seed)


def naive_code(down: int, right: int) -> int:
    def level(way: int) -> int:
        return (0 if way == 0 else 1 if abs(way) < 3 else 2) * (1 if way > 0 else -1)

    return (level(down) + 2) * 5 + level(right) + 2


def naive_value(board: Board, goal: Board, weights: Potential) -> float:
    """In units of the kernel's, from nothing but the definition."""
    width, height = board.size
    home = {int(tile): divmod(cell, width) for cell, tile in enumerate(goal.cells)}
    grid = board.cells.reshape(height, width)
    codes = np.full((height + 2, width + 2), BORDER)
    total, distance, away = 0.0, 0, 0
    for row in range(height):
        for column in range(width):
            tile = int(grid[row, column])
            down, right = home[tile][0] - row, home[tile][1] - column
            steps = abs(down) + abs(right)
            if tile == 0:
                codes[row + 1, column + 1], away = BLANK, steps
                continue
            codes[row + 1, column + 1] = naive_code(down, right)
            distance += steps
            besides = weights.steps[min(abs(down), 6), min(abs(right), 6)]
            total += np.rint((weights.distance * steps + besides) * SCALE)
    for row in range(height + 1):
        for column in range(width + 1):
            block = 0
            for code in codes[row : row + 2, column : column + 2].ravel():
                block = block * 27 + int(code)
            total += weights.blocks[block]
    return total + (weights.near[distance, min(away, 39)] if distance < 40 else 0)


def kernel_value(board: Board, goal: Board, weights: Potential) -> int:
    layout, labels = layout_of(board.size), labels_of(board, goal)
    steps = layout.steps[labels, np.arange(labels.size)]
    codes = np.full(layout.padded_cells, BORDER, dtype=np.uint8)
    return int(
        potential(
            labels, codes, layout.padded, layout.code_of, weights.unary(layout), weights.blocks,
            weights.near, layout.stride, int(steps.sum() - steps[board.blank]),
            int(steps[board.blank]), goal.blank,
        )
    )  # fmt: skip


SIZES = [Size(2, 2), Size(3, 3), Size(2, 7), Size(9, 4), Size(8, 8), Size(12, 5)]


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_value_is_what_the_definition_says(size: Size) -> None:
    for seed in range(5):
        goal = some_goal(size, seed)
        for board in (scramble(size, goal, 100 + seed), scramble(size, goal, seed, 8), goal):
            assert kernel_value(board, goal, shipped()) == naive_value(board, goal, shipped())


@pytest.mark.parametrize("size", SIZES[1:], ids=str)
def test_the_value_kept_along_moves_equals_the_one_from_scratch(size: Size) -> None:
    goal = some_goal(size, 3)
    seen = 0

    def watch(level: int, labels: np.ndarray) -> None:
        nonlocal seen
        for row, one in enumerate(labels[:3]):
            board = Board(goal.cells[one], *size)
            kept = beam._values[level & 1, row]
            assert kept == naive_value(board, goal, shipped())
            seen += 1

    beam = LearnedBeam(size, 20, Quotas(), shipped(), most_levels=3)
    for moves in (12, None):
        board = scramble(size, goal, 7, moves)
        beam.run(labels_of(board, goal), goal.blank, None, Limits(nodes=4000), watch=watch)
    assert seen > 10


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("down", [1, -1])
@pytest.mark.parametrize("right", [1, -1])
def test_boards_turned_or_mirrored_have_the_same_value(
    transposed: bool, down: int, right: int
) -> None:
    size = Size(7, 5)
    for seed in range(5):
        goal = some_goal(size, seed)
        board = scramble(size, goal, 50 + seed, None if seed % 2 else 10)

        def image(of: Board) -> Board:
            grid = of.cells.reshape(of.height, of.width)[::down, ::right]
            grid = grid.T if transposed else grid
            return Board(np.ascontiguousarray(grid).ravel(), grid.shape[1], grid.shape[0])

        value = kernel_value(board, goal, shipped())
        assert kernel_value(image(board), image(goal), shipped()) == value


def test_labels_are_goal_cells() -> None:
    goal = some_goal(Size(4, 3), 1)
    board = scramble(goal.size, goal, 2)
    assert list(labels_of(board, goal)) == [list(goal.cells).index(tile) for tile in board.cells]
    assert list(goal.cells[labels_of(board, goal)]) == list(board.cells)
    assert list(inverse(goal.cells)[goal.cells]) == list(range(12))
