"""Boards with known solutions of any length, which are generated quickly."""

from dataclasses import replace

import numpy as np

from tilework.core.assembly import Services
from tilework.core.model.farm.solves import Bounds
from tilework.core.model.ids import new_id
from tilework.core.model.job_options import JobOptions
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import Moves, reverse_moves
from tilework.core.puzzle.replay import apply
from tilework.core.services.jobs.submit import DEFAULT_OPTIONS, Submission, prepare

_TRIPS = 16
_TRIP_MOVES = 20_000


def long_solution(side: int, count: int) -> tuple[Board, Moves]:
    """Return a board and about `count` moves that solve it.

    The blank makes random round trips from the last corner; each changes the order of the tiles.
    """
    size = Size(side, side)
    random = np.random.default_rng(1)
    trips = [_random_trip(side, random) for _ in range(_TRIPS)]
    choices = random.integers(_TRIPS, size=max(1, count // _TRIP_MOVES))
    moves = np.concatenate([trips[index] for index in choices])
    return apply(blank_last(size), reverse_moves(moves)), moves


def _random_trip(side: int, random: np.random.Generator) -> Moves:
    moves: list[int] = []
    position = [side - 1, side - 1]
    while len(moves) < _TRIP_MOVES - 2 * side:
        code = int(random.integers(4))
        axis, up = code // 2, code % 2 == 0
        possible = side - 1 - position[axis] if up else position[axis]
        steps = min(possible, int(random.integers(1, 1 + side // 4)))
        position[axis] += steps if up else -steps
        moves += [code] * steps
    moves += [0] * (side - 1 - position[0]) + [2] * (side - 1 - position[1])
    return np.array(moves, dtype=np.uint8)


def store_solution(services: Services, board: Board, moves: Moves) -> None:
    """Store a solution of a board, replacing the current one."""
    prepared = prepare(board, blank_last(board.size))
    symmetry, reverse = prepared.transform.symmetry, prepared.transform.reverse
    canonical = symmetry.moves(reverse_moves(moves) if reverse else moves)
    with services.storage.writing() as session:
        solve = session.solves.get_or_create(new_id(), prepared.puzzle, 1, 0.0)
        improved = replace(solve, bounds=Bounds(solve.lower_bound, len(moves)))
        session.solves.save_with_moves(improved, 0.0, canonical, "test")  # type: ignore[attr-defined]


def submit_board(services: Services, board: Board, options: JobOptions = DEFAULT_OPTIONS) -> str:
    """Submit a board; return the job's id."""
    boards = [(board, blank_last(board.size))]
    client = services.clients.new()
    return services.submit(Submission(boards=boards, client_id=client, options=options)).id
