"""Analyses of games: the validation of requests, and the choice of a queue."""

from __future__ import annotations

from typing import Final

from tilework.core.errors import MoveError
from tilework.core.model.states import Queue
from tilework.core.model.task_specs import GameSpec, TaskKind
from tilework.core.model.tasks import Task
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import check_solvable
from tilework.core.puzzle.moves import Moves
from tilework.core.services.tasks.questions import MAX_SECONDS, QuestionService, check_seconds
from tilework.core.solver.analysis.game import EXACT_CELLS, Game

LARGE_BOARD_S: Final = 10.0
"""The default time limit for boards that are not solved exactly."""

MAX_TIME_MS: Final = 30 * 86_400_000
"""Maximum duration of a game: thirty days."""

_QUICK_CELLS: Final = 9
_QUICK_MOVES: Final = 500
"""Moves of a game on a small board that are analysed quickly, about two milliseconds each."""

_NEAR_MOVES: Final = 40
"""Solutions of up to this many moves on up to 16 cells have only boards that are easy to search."""


class GameService(QuestionService[GameSpec]):
    """Analyses of games."""

    kind = TaskKind.GAME

    def submit(
        self,
        client_id: str,
        start: Board,
        goal: Board,
        moves: Moves,
        *,
        times_ms: tuple[int, ...] | None = None,
        seconds: float | None = None,
    ) -> Task[GameSpec]:
        """Request the analysis of a game.

        A repeated request of a client returns the same analysis, queued again if it failed or was
        cancelled.

        ``times_ms``: time of each move, in milliseconds since the first move.
        ``seconds``: time limit; by default the maximum on small boards, which are analysed
            completely.

        Raises BoardError if the goal does not fit the board, UnsolvableError if it cannot be
        reached, MoveError if a move is impossible or the times do not fit the moves.
        Raises OptionError if there are too many moves or cells, or the time limit is too high.
        Raises QuotaError or OverloadError if the client or the service has too many unfinished
        analyses.
        """
        check_solvable(start, goal)
        game = Game(start, goal, moves)
        if times_ms is not None:
            _check_times(times_ms, len(moves))
        spec = GameSpec(start, goal, moves, times_ms, self._seconds(start, seconds))
        return self._take(client_id, spec, _choose_queue(game))

    def _seconds(self, start: Board, seconds: float | None) -> float:
        if seconds is None:
            return LARGE_BOARD_S if start.size.cells > EXACT_CELLS else MAX_SECONDS
        return check_seconds(seconds, MAX_SECONDS)


def _choose_queue(game: Game) -> Queue:
    """Return the queue of a game. Short games go to workers that are never occupied for long."""
    cells = game.start.size.cells
    is_quick = cells <= _QUICK_CELLS and len(game) <= _QUICK_MOVES
    is_near = cells <= EXACT_CELLS and len(game) <= _NEAR_MOVES and game.is_solution
    return Queue.QUICK_ANALYSIS if is_quick or is_near else Queue.ANALYSIS


def _check_times(times: tuple[int, ...], moves: int) -> None:
    if len(times) != moves:
        raise MoveError(
            "times-count",
            "{times} times were given for {moves} moves; use one for each move, or none",
            times=len(times),
            moves=moves,
        )
    previous = 0
    for number, time in enumerate(times, 1):
        if not previous <= time <= MAX_TIME_MS:
            raise MoveError(
                "time-range",
                "the time of move {position} is {time} ms; times must not decrease and range from "
                "0 to {max}",
                position=number,
                time=str(time)[:40],
                max=MAX_TIME_MS,
            )
        previous = time
