"""Games to be analysed: how a request is checked, and where it waits."""

from __future__ import annotations

from typing import Final

from tilework.core.errors import MoveError
from tilework.core.model.states import Queue
from tilework.core.model.task_specs import GameSpec, TaskKind
from tilework.core.model.tasks import Task
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves
from tilework.core.puzzle.solvability import check_solvable
from tilework.core.services.tasks.questions import QuestionService, check_seconds
from tilework.core.solver.analysis.game import EXACT_CELLS, Game

MOST_TIME_MS: Final = 30 * 86_400_000
"""Of a game: thirty days."""

_QUICK_CELLS: Final = 9
_QUICK_MOVES: Final = 500
"""Of a game on so few cells: some two milliseconds each."""

_NEAR_MOVES: Final = 40
"""Of a solution on up to 16 cells: nowhere along it is the goal farther, so a search is nothing."""


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
        """Have a game analysed.

        The same game of the same client is the same analysis; one that failed or was cancelled is
        tried again.

        Parameters
        ----------
        times_ms : tuple of int, optional
            When each move was made, in milliseconds since the first; one for each.
        seconds : float, optional
            What the analysis may take. Where left out, small boards, which are analysed to the
            end, get as much as there is.

        Raises
        ------
        BoardError
            For a goal that does not fit its board.
        UnsolvableError
            With the inversions counted.
        MoveError
            For a move that no tile can make, and for times that do not fit the moves.
        OptionError
            For too many moves or cells, and a time limit over what the settings allow.
        QuotaError, OverloadError
            For too many unfinished analyses, of the client or of all.
        """
        check_solvable(start, goal)
        game = Game(start, goal, moves)
        if times_ms is not None:
            _check_times(times_ms, len(moves))
        spec = GameSpec(start, goal, moves, times_ms, self._seconds(start, seconds))
        return self._take(client_id, spec, _queue_of(game))

    def _seconds(self, start: Board, seconds: float | None) -> float:
        settings = self._settings
        most = settings.analysis_max_seconds
        if seconds is None:
            large = start.size.cells > EXACT_CELLS
            return min(settings.analysis_seconds, most) if large else most
        return check_seconds(seconds, most)


def _queue_of(game: Game) -> Queue:
    """Return where a game waits: what takes a moment has workers that are never long occupied."""
    cells = game.start.size.cells
    quick = cells <= _QUICK_CELLS and len(game) <= _QUICK_MOVES
    near = cells <= EXACT_CELLS and len(game) <= _NEAR_MOVES and game.is_solution
    return Queue.QUICK_ANALYSIS if quick or near else Queue.ANALYSIS


def _check_times(times: tuple[int, ...], moves: int) -> None:
    if len(times) != moves:
        raise MoveError(
            "times-count",
            "{times} times were given for {moves} moves; give one for each move, or none",
            times=len(times),
            moves=moves,
        )
    before = 0
    for place, time in enumerate(times, 1):
        if not before <= time <= MOST_TIME_MS:
            raise MoveError(
                "time-range",
                "the time of move {place} is {time} ms; times must not decrease and range from "
                "0 to {most}",
                place=place,
                time=str(time)[:40],
                most=MOST_TIME_MS,
            )
        before = time
