"""Games to be analysed: how a request is checked, and where it waits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tilework.core.errors import MoveError
from tilework.core.model.states import Queue
from tilework.core.model.task_specs import GameSpec, TaskKind
from tilework.core.model.tasks import Task
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves
from tilework.core.puzzle.solvability import check_solvable
from tilework.core.services.tasks.questions import Questions, check_seconds
from tilework.core.solver.analysis.game import EXACT_CELLS, Game

MOST_TIME_MS: Final = 30 * 86_400_000
"""Of a game: thirty days."""

_QUICK_CELLS: Final = 9
_QUICK_MOVES: Final = 500
"""Of a game on so few cells: some two milliseconds each."""

_NEAR_MOVES: Final = 40
"""Of a solution on up to 16 cells: nowhere along it is the goal farther, so a search is nothing."""


@dataclass(frozen=True, kw_only=True)
class GameRequest:
    """A game that a client wants to be analysed.

    Attributes
    ----------
    times_ms : tuple of int, optional
        When each move was made, in milliseconds since the first; one for each.
    seconds : float, optional
        What the analysis may take. Where left out, small boards, which are analysed to the end,
        get as much as there is.
    """

    client_id: str
    start: Board
    goal: Board
    moves: Moves
    times_ms: tuple[int, ...] | None = None
    seconds: float | None = None


class Games(Questions[GameSpec]):
    """Analyses of games."""

    kind = TaskKind.GAME

    def submit(self, request: GameRequest) -> Task[GameSpec]:
        """Store a request.

        The same game of the same client is the same analysis; one that failed or was cancelled is
        tried again.

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
        check_solvable(request.start, request.goal)
        game = Game(request.start, request.goal, request.moves)
        spec = GameSpec(
            start=request.start,
            goal=request.goal,
            moves=request.moves,
            times_ms=_checked_times(request),
            seconds=self._seconds(request),
        )
        return self._take(request.client_id, spec, _queue_of(game))

    def _seconds(self, request: GameRequest) -> float:
        settings = self._settings
        most = settings.analysis_max_seconds
        if request.seconds is None:
            large = request.start.size.cells > EXACT_CELLS
            return min(settings.analysis_seconds, most) if large else most
        return check_seconds(request.seconds, most)


def _queue_of(game: Game) -> Queue:
    """Return where a game waits: what takes a moment has workers that are never long occupied."""
    cells = game.start.size.cells
    quick = cells <= _QUICK_CELLS and len(game) <= _QUICK_MOVES
    near = cells <= EXACT_CELLS and len(game) <= _NEAR_MOVES and game.is_solution
    return Queue.QUICK_ANALYSIS if quick or near else Queue.ANALYSIS


def _checked_times(request: GameRequest) -> tuple[int, ...] | None:
    times = request.times_ms
    if times is None:
        return None
    if len(times) != len(request.moves):
        raise MoveError(
            "times-count",
            "there are {times} times for {moves} moves; give one for each move, or none",
            times=len(times),
            moves=len(request.moves),
        )
    before = 0
    for place, time in enumerate(times, 1):
        if not before <= time <= MOST_TIME_MS:
            raise MoveError(
                "time-range",
                "the time of move {place} is {time} ms; times never fall and go from 0 to {most}",
                place=place,
                time=str(time)[:40],
                most=MOST_TIME_MS,
            )
        before = time
    return times
