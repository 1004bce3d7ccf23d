"""Submitting a game to be analysed: it is checked, stored and queued."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tilework.core.errors import MoveError, OptionError, OverloadError, QuotaError
from tilework.core.messages import plural
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves
from tilework.core.puzzle.solvability import check_solvable
from tilework.core.services.analyses.read import ReadAnalyses
from tilework.core.services.analyses.records import AnalysisView, GameSpec, NewAnalysis
from tilework.core.services.ids import new_id
from tilework.core.services.ports import Storage, Tickets
from tilework.core.services.repositories import Session
from tilework.core.services.states import Queue, RunState
from tilework.core.services.tickets import announce
from tilework.core.settings import Settings
from tilework.core.solver.analysis.game import EXACT_CELLS, Game

TURN_S: Final = 5.0
"""Seconds of service that one unfinished analysis counts for when turns are given out: those of a
client who asks for many are spread over time, with others' in between."""

MOST_TIME_MS: Final = 30 * 86_400_000
"""Of a game: thirty days."""

_TRIED_AGAIN: Final = (RunState.FAILED, RunState.CANCELLED)


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


class SubmitAnalysis:
    """Submits games."""

    def __init__(self, storage: Storage, tickets: Tickets, settings: Settings) -> None:
        self._storage = storage
        self._tickets = tickets
        self._settings = settings
        self._clock = storage.clock
        self._read = ReadAnalyses(storage)

    def __call__(self, request: GameRequest) -> AnalysisView:
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
        spec = self._spec(request)
        now = self._clock()
        with self._storage.writing() as session:
            session.clients.add(request.client_id, now)
            before = session.analyses.unfinished_of(request.client_id)
            turn = now + before * TURN_S
            new = NewAnalysis(new_id(), request.client_id, spec.key, spec, turn)
            found = session.analyses.obtain(new, now)
            again = found.state in _TRIED_AGAIN
            if again:
                session.analyses.queue(found.id, turn, now)
            if again or found.id == new.id:
                self._check_room(session, request.client_id, before)
        if not found.state.ended or again:
            announce(self._tickets, [Queue.ANALYSIS])
        return self._read.view(found.id)

    def _spec(self, request: GameRequest) -> GameSpec:
        check_solvable(request.start, request.goal)
        Game(request.start, request.goal, request.moves)
        return GameSpec(
            start=request.start,
            goal=request.goal,
            moves=request.moves,
            times_ms=_checked_times(request),
            seconds=self._seconds(request),
        )

    def _seconds(self, request: GameRequest) -> float:
        settings = self._settings
        most = settings.analysis_max_seconds
        if request.seconds is None:
            large = request.start.size.cells > EXACT_CELLS
            return min(settings.analysis_seconds, most) if large else most
        if not 0 < request.seconds <= most:
            raise OptionError(
                "time-limit",
                "invalid time limit {limit:g} s; give more than 0 and at most {most:g} s",
                limit=float(request.seconds),
                most=float(most),
            )
        return float(request.seconds)

    def _check_room(self, session: Session, client_id: str, before: int) -> None:
        """Roll everything back if an analysis that was just stored is one too many."""
        most = self._settings.analyses_per_client
        if before >= most:
            raise QuotaError(
                plural(
                    "analysis-quota",
                    "you have {count} unfinished analysis; wait for its end, as {most} are allowed",
                    "you have {count} unfinished analyses; wait for one to end, as {most} are "
                    "allowed",
                    count=before,
                    most=most,
                )
            )
        if session.analyses.unfinished() > self._settings.analysis_depth_cap:
            raise OverloadError(
                "analysis-overload",
                "{count} analyses are unfinished, and no more are accepted for now",
                count=self._settings.analysis_depth_cap,
            )


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
