"""The learned beam: what it finds is a solution, and its limits hold."""

import pytest

from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.large.learned.beam import Quotas
from tilework.core.solver.large.learned.search import learned_beam
from tilework.core.solver.solve import solve


def manhattan(board: Board, goal: Board) -> int:
    home = {int(tile): divmod(cell, board.width) for cell, tile in enumerate(goal.cells)}
    places = ((int(tile), divmod(cell, board.width)) for cell, tile in enumerate(board.cells))
    return sum(
        abs(row - home[tile][0]) + abs(column - home[tile][1])
        for tile, (row, column) in places
        if tile
    )


@pytest.mark.parametrize(
    "size",
    [Size(2, 2), Size(3, 2), Size(3, 3), Size(5, 4), Size(6, 6), Size(4, 9), Size(8, 8)],
    ids=str,
)
def test_solves_boards_of_any_size_and_goal(size: Size) -> None:
    for seed in range(4):
        goal = scramble(size, blank_last(size), seed)
        board = scramble(size, goal, 100 + seed)
        moves = learned_beam(board, goal, 100).moves
        assert moves is not None
        replay(board, moves, goal)


def test_finds_short_solutions() -> None:
    ratios = []
    goal = blank_last(Size(6, 6))
    for seed in range(4):
        board = scramble(goal.size, goal, 9_500 + seed)
        moves = learned_beam(board, goal, 1000).moves
        assert moves is not None
        ratios.append(moves.size / manhattan(board, goal))
    assert sum(ratios) / len(ratios) < 1.5


def test_a_wide_beam_finds_the_optimum_of_small_boards() -> None:
    goal = blank_last(Size(3, 3))
    for seed in range(10):
        board = scramble(goal.size, goal, seed)
        moves = learned_beam(board, goal, 3000).moves
        assert moves is not None
        assert moves.size == solve(board, goal).upper_bound


def test_the_goal_needs_no_moves() -> None:
    goal = blank_last(Size(6, 6))
    moves = learned_beam(goal, goal, 10).moves
    assert moves is not None
    assert moves.size == 0


def test_only_shorter_solutions_are_looked_for() -> None:
    goal = blank_last(Size(5, 5))
    board = scramble(goal.size, goal, 4)
    found = learned_beam(board, goal, 300).moves
    assert found is not None
    again = learned_beam(board, goal, 300, upper_bound=found.size).moves
    assert again is None or again.size < found.size
    least = manhattan(board, goal)
    assert learned_beam(board, goal, 300, upper_bound=least).moves is None


def test_is_the_same_each_time() -> None:
    goal = blank_last(Size(7, 7))
    board = scramble(goal.size, goal, 5)
    one, other = (learned_beam(board, goal, 200) for _ in range(2))
    assert one.moves is not None
    assert other.moves is not None
    assert one.moves.tobytes() == other.moves.tobytes()
    assert one.nodes == other.nodes


def test_stuck_beams_end_with_a_solution_nevertheless() -> None:
    """A beam of one board never solves 8 × 8 by itself."""
    goal = blank_last(Size(8, 8))
    board = scramble(goal.size, goal, 6)
    moves = learned_beam(board, goal, 1, quotas=Quotas()).moves
    assert moves is not None
    replay(board, moves, goal)


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (Limits(seconds=0.0), StopReason.TIME),
        (Limits(nodes=1000), StopReason.NODES),
        (Limits(memory_bytes=1000), StopReason.MEMORY),
        (Limits(cancelled=lambda: True), StopReason.CANCELLED),
    ],
)
def test_limits_end_it(limits: Limits, reason: StopReason) -> None:
    goal = blank_last(Size(10, 10))
    outcome = learned_beam(scramble(goal.size, goal, 7), goal, 500, limits=limits)
    assert outcome.moves is None
    assert outcome.stopped_by is reason


@pytest.mark.parametrize("quotas", [Quotas(), Quotas(3, 0.5), Quotas(4, 1.0), Quotas(2, 0.2)])
def test_quotas_leave_the_width_as_it_is(quotas: Quotas) -> None:
    goal = blank_last(Size(9, 9))
    board = scramble(goal.size, goal, 8)
    moves = learned_beam(board, goal, 300, quotas=quotas).moves
    assert moves is not None
    replay(board, moves, goal)
