"""Training: parameters and their transpose, slopes of the losses, and a small course."""

import numpy as np
import pytest

from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble
from tilework.core.solver.large.learned.search import learned_beam
from training.course import train
from training.lessons import Example, Lesson, example, losses_of
from training.losses import Loss
from training.parameters import Parameters, Tables
from training.schedule import QUICK


@pytest.fixture(scope="module")
def parameters() -> Parameters:
    return Parameters()


def dot(one: Tables, other: Tables) -> float:
    return sum(float(a @ b) for a, b in zip(one.arrays, other.arrays, strict=True))


def test_the_transpose_is_the_transpose(parameters: Parameters) -> None:
    random = np.random.default_rng(1)
    vector = random.normal(size=parameters.size)
    zero = Tables.zero()
    tables = Tables(*(random.normal(size=one.shape) for one in zero.arrays))
    assert dot(parameters.tables(vector), tables) == pytest.approx(
        float(vector @ parameters.transposed(tables))
    )


def some_examples() -> list[Example]:
    found = [example(Lesson(5, 3, 100, by_databases=True), None, 1, number) for number in range(3)]
    potential = train(QUICK[:1], 1, 1, print)
    found += [example(Lesson(5, 3, 200, 8), potential, 2, number) for number in range(3)]
    return [one for one in found if one is not None]


def test_the_losses_slope_as_they_say(parameters: Parameters) -> None:
    random = np.random.default_rng(2)
    vector = parameters.start() + random.normal(size=parameters.size, scale=0.01)
    direction = random.normal(size=parameters.size)
    losses = losses_of(some_examples(), 3)
    assert len(losses) == 2

    def at(loss: Loss, step: float) -> float:
        return loss.at(parameters.tables(vector + step * direction))[0]

    for loss in losses:
        slope = parameters.transposed(loss.at(parameters.tables(vector))[1]) @ direction
        assert slope == pytest.approx((at(loss, 1e-5) - at(loss, -1e-5)) / 2e-5, rel=1e-4)


def test_a_short_course_learns_to_solve_and_is_the_same_each_time() -> None:
    lines: list[str] = []
    one, other = train(QUICK, 5, 1, lines.append), train(QUICK, 5, 2, lines.append)
    assert np.array_equal(one.blocks, other.blocks)
    assert one.distance == other.distance
    assert len(lines) == 2 * (len(QUICK) + 1)
    goal = blank_last(Size(5, 5))
    boards = [scramble(goal.size, goal, seed) for seed in range(3)]

    def total(board: Board) -> int:
        found = learned_beam(board, goal, 300, weights=one).moves
        assert found is not None
        return found.size

    # Shorter than twice the greatest optimum of 5 × 5 boards is what chance never finds.
    assert sum(total(board) for board in boards) < 3 * 200
