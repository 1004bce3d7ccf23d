"""Running one claimed slice on the engine, up to what is to be stored of it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from core.errors import InputError
from core.puzzle.board import Board
from core.puzzle.packing import unpack_board
from core.puzzle.replay import replay
from core.search.catalogue import Algorithm, Heuristic
from core.search.limits import Limits, StopReason
from core.search.result import SearchResult, Statistics
from core.search.target import Target, TargetKind
from core.services.completion import OpenOutcome, finish_open, finish_search, note_bounds
from core.services.ports import Clock, Engine, Piece, Storage
from core.services.records import Claim
from core.services.repositories import Session
from core.services.setbacks import refuse, report_error
from core.services.states import Queue, SliceKind
from core.settings import Settings

# Boards of more cells get some solution first, so that an upper bound is there at once.
QUICK_CELLS = 16

# Boards of more cells have no chance in the short optimal search that follows.
HOPEFUL_CELLS = 400

# Nodes a second, before the first measurement and at the least and most.
FIRST_SPEED = 4e6
SPEEDS = (2e4, 4e8)

_ANY = Target(TargetKind.ANY)

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Finished:
    """A claim that has run; ``store`` ends it in a transaction and counts new ready slices."""

    claim: Claim
    store: Callable[[Session, float], int]


class Runner:
    """Runs claims one after the other."""

    def __init__(self, storage: Storage, settings: Settings, engine: Engine, clock: Clock) -> None:
        self._storage = storage
        self._settings = settings
        self._engine = engine
        self._clock = clock
        self._speed = FIRST_SPEED

    def run(self, claim: Claim, cancelled: Callable[[], bool]) -> Finished | None:
        """Run a claim; None where it raised, which is then stored already."""
        piece = claim.slice
        try:
            board = unpack_board(claim.puzzle.board_bytes)
            goal = unpack_board(claim.puzzle.goal_bytes)
            if piece.kind is SliceKind.OPEN:
                return self._open(claim, board, goal, cancelled)
            return self._search(claim, board, goal, cancelled)
        except InputError as error:
            with self._storage.writing() as session:
                refuse(session, piece, str(error), self._clock())
        except Exception as error:  # an engine may fail in any way; the worker goes on
            _log.exception("slice %s of %s failed", piece.id, claim.puzzle.key)
            with self._storage.writing() as session:
                report_error(session, piece, _words(error), self._clock())
        return None

    def halves(self, claim: Claim) -> tuple[Piece, Piece] | None:
        """Split a claim's cursor, if that is possible at all."""
        try:
            board = unpack_board(claim.puzzle.board_bytes)
            return self._engine.split(board, claim.slice.cursor)
        except Exception:  # a cursor that cannot even be read
            _log.exception("slice %s of %s cannot be split", claim.slice.id, claim.puzzle.key)
            return None

    def _open(
        self, claim: Claim, board: Board, goal: Board, cancelled: Callable[[], bool]
    ) -> Finished:
        begun_at, begun = self._clock(), time.monotonic()
        result = self._first_try(claim, board, goal, cancelled, begun_at)
        searchable = self._engine.searchable(claim.puzzle.cells)
        threshold = None
        if searchable and not result.optimal:
            threshold = max(result.lower_bound, self._engine.first_threshold(board, goal))
        outcome = OpenOutcome(result, threshold, begun_at, time.monotonic() - begun)
        root = self._engine.root()
        return Finished(claim, lambda session, now: finish_open(session, claim, outcome, root, now))

    def _first_try(
        self,
        claim: Claim,
        board: Board,
        goal: Board,
        cancelled: Callable[[], bool],
        begun_at: float,
    ) -> SearchResult:
        piece = claim.slice
        solve = partial(
            self._engine.solve,
            board,
            goal,
            algorithm=Algorithm(piece.algorithm),
            heuristic=Heuristic(piece.heuristic),
        )
        limits = Limits(seconds=self._settings.open_slice_s, cancelled=cancelled)
        if claim.puzzle.cells <= QUICK_CELLS:
            return solve(piece.target, limits)
        # Whatever was asked for, the first solution comes from the method whose time depends on
        # the size alone: it needs no limit.
        quick = self._engine.solve(
            board,
            goal,
            _ANY,
            Limits(cancelled=cancelled),
            algorithm=Algorithm.AUTO,
            heuristic=Heuristic.AUTO,
        )
        enough = piece.target.met_by(quick.lower_bound, quick.upper_bound)
        stopped = quick.stopped_by is StopReason.CANCELLED
        if enough or stopped or claim.puzzle.cells > HOPEFUL_CELLS:
            return quick
        with self._storage.writing() as session:
            wanted = note_bounds(session, claim, quick, begun_at, self._clock())
        noted = replace(quick, statistics=Statistics())
        if not wanted:
            return noted
        result = solve(piece.target, limits)
        return _best(noted, result)

    def _search(
        self, claim: Claim, board: Board, goal: Board, cancelled: Callable[[], bool]
    ) -> Finished:
        piece = claim.slice
        begun = time.monotonic()
        budget = int(self._speed * self._settings.search_slice_s)
        outcome = self._engine.run(
            board, goal, piece.threshold, piece.cursor, nodes=budget, cancelled=cancelled
        )
        seconds = time.monotonic() - begun
        if outcome.moves is not None:
            replay(board, outcome.moves, goal)
        self._measure(outcome.nodes, seconds)
        outcome = replace(outcome, remaining=self._spread(board, outcome.remaining))
        root = self._engine.root()
        pause = self._settings.search_slice_s

        def store(session: Session, now: float) -> int:
            return finish_search(
                session, claim, outcome, root=root, seconds=seconds, now=now, rest_s=pause
            )

        return Finished(claim, store)

    def _measure(self, nodes: int, seconds: float) -> None:
        # Short runs measure their own overhead.
        if seconds > self._settings.search_slice_s / 10:
            speed = (self._speed + nodes / seconds) / 2
            self._speed = min(max(speed, SPEEDS[0]), SPEEDS[1])

    def _spread(self, board: Board, remaining: tuple[Piece, ...]) -> tuple[Piece, ...]:
        """Split what remains where too little waits for the other workers."""
        if not remaining:
            return remaining
        with self._storage.reading() as session:
            ready = session.slices.ready(Queue.SEARCH)
        pieces = list(remaining)
        while ready + len(pieces) <= self._settings.spare_slices:
            largest = max(pieces, key=lambda piece: piece.share)
            halves = self._engine.split(board, largest.cursor)
            if halves is None:
                break
            pieces.remove(largest)
            pieces.extend(halves)
        return tuple(pieces)


def _best(one: SearchResult, other: SearchResult) -> SearchResult:
    """Join two results of one board; the effort and the end are the second's."""
    moves, algorithm = other.moves, other.algorithm
    if one.moves is not None and (moves is None or len(one.moves) < len(moves)):
        moves, algorithm = one.moves, one.algorithm
    lower = max(one.lower_bound, other.lower_bound)
    return replace(other, lower_bound=lower, moves=moves, algorithm=algorithm)


def _words(error: Exception) -> str:
    return f"The search failed: {type(error).__name__}: {error}"[:500]
