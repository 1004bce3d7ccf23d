"""Running one claimed slice on the engine, up to what is to be stored of it."""

from __future__ import annotations

import logging
import math
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
from core.services.completion import OpenOutcome, finish_open, note_bounds
from core.services.cutting import cut, worth
from core.services.farm import Farm
from core.services.improving import finish_improve, width_of
from core.services.iterating import Ended, SearchEnd, finish_search
from core.services.keeper import Hold
from core.services.ports import Engine, Piece, SearchOutcome, Storage
from core.services.records import Claim, Lease, Slice
from core.services.repositories import Session
from core.services.setbacks import refuse, report_error
from core.services.states import SliceKind
from core.settings import Settings

# Boards of more cells get some solution first, so that an upper bound is there at once.
QUICK_CELLS = 16

# Boards of more cells have no chance in the short optimal search that follows.
HOPEFUL_CELLS = 400

# A slice ends early for others, but runs for so long at least (seconds); and it ends late where
# the measured speed is not its own, but not by more than this factor.
LEAST_RUN_S = 0.15
LONGEST = 2

# Nodes a second, before the first measurement and at the least and most.
FIRST_SPEED = 4e6
SPEEDS = (2e4, 4e8)

_ANY = Target(TargetKind.ANY)

_log = logging.getLogger(__name__)


Store = Callable[[Session, float, Lease | None], Ended]
"""Ends a slice in a transaction; with a lease its worker would go on with what remains."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A claim that has run.

    Attributes
    ----------
    alone : bool
        Whether the transaction that stores it may store nothing else: one that gives out turns
        holds a client besides its solve.
    """

    claim: Claim
    store: Store
    alone: bool = True


class Runner:
    """Runs claims one after the other."""

    def __init__(
        self,
        storage: Storage,
        settings: Settings,
        engine: Engine,
        look: Callable[[str], Farm],
    ) -> None:
        self._storage = storage
        self._look = look
        self._settings = settings
        self._engine = engine
        self._clock = storage.clock
        self._speed = FIRST_SPEED

    def run(self, claim: Claim, hold: Hold, stopping: Callable[[], bool]) -> Finished | None:
        """Run a claim; None where it raised, which is then stored already."""
        piece = claim.slice

        def cancelled() -> bool:
            return stopping() or not hold.wanted(claim)

        try:
            board = unpack_board(claim.puzzle.board_bytes)
            goal = unpack_board(claim.puzzle.goal_bytes)
            if piece.kind is SliceKind.OPEN:
                return self._open(claim, board, goal, cancelled)
            if piece.kind is SliceKind.IMPROVE:
                return self._improve(claim, board, goal, hold, cancelled)
            return self._search(claim, board, goal, hold, cancelled)
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

        def store(session: Session, now: float, _lease: Lease | None) -> Ended:
            return Ended(finish_open(session, claim, outcome, root, now))

        return Finished(claim, store, alone=threshold is not None)

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
        self,
        claim: Claim,
        board: Board,
        goal: Board,
        hold: Hold,
        cancelled: Callable[[], bool],
    ) -> Finished:
        piece = claim.slice
        aim = (hold.farm or Farm()).slice_s(self._settings)
        begun = time.monotonic()

        def enough() -> bool:
            ran = time.monotonic() - begun
            early = ran > LEAST_RUN_S and (hold.shares or hold.makes_way)
            return early or ran > LONGEST * aim or cancelled()

        outcome = self._engine.run(
            board,
            goal,
            piece.threshold,
            piece.cursor,
            nodes=int(self._speed * aim),
            cancelled=enough,
        )
        seconds = time.monotonic() - begun
        if outcome.moves is not None:
            replay(board, outcome.moves, goal)
        self._measure(outcome.nodes, seconds)
        farm = hold.farm or self._look(piece.solve_id)
        short = farm.pieces_short(self._settings.spare_slices)
        outcome = replace(outcome, remaining=self._shared(board, piece, outcome, short))
        split, root = self._engine.split, self._engine.root()
        end = SearchEnd(outcome, seconds, short, lambda count: cut(split, board, [root], count))

        def store(session: Session, now: float, lease: Lease | None) -> Ended:
            return finish_search(session, claim, end, now, lease)

        return Finished(claim, store)

    def _improve(
        self,
        claim: Claim,
        board: Board,
        goal: Board,
        hold: Hold,
        cancelled: Callable[[], bool],
    ) -> Finished:
        begun = time.monotonic()
        result = self._engine.improve(
            board,
            goal,
            width_of(claim.slice),
            claim.slice.threshold + 1,
            lambda: hold.makes_way or cancelled(),
        )
        seconds = time.monotonic() - begun
        if result.moves is not None:
            replay(board, result.moves, goal)

        def store(session: Session, now: float, _lease: Lease | None) -> Ended:
            finish_improve(session, claim, result, seconds, now)
            return Ended()

        return Finished(claim, store)

    def _measure(self, nodes: int, seconds: float) -> None:
        # Short runs measure their own overhead.
        if seconds > self._settings.search_slice_s / 10:
            speed = (self._speed + nodes / seconds) / 2
            self._speed = min(max(speed, SPEEDS[0]), SPEEDS[1])

    def _shared(
        self, board: Board, piece: Slice, outcome: SearchOutcome, short: int
    ) -> tuple[Piece, ...]:
        """Cut what remains for others, as far as the parts are worth their while."""
        left = sum(rest.share for rest in outcome.remaining)
        done = piece.share - left
        # What is left is expected to be like what was done.
        seconds = outcome.nodes / self._speed * left / done if done > 0 else math.inf
        count = min(1 + short, worth(seconds))
        return cut(self._engine.split, board, outcome.remaining, count)


def _best(one: SearchResult, other: SearchResult) -> SearchResult:
    """Join two results of one board; the effort and the end are the second's."""
    moves, algorithm = other.moves, other.algorithm
    if one.moves is not None and (moves is None or len(one.moves) < len(moves)):
        moves, algorithm = one.moves, one.algorithm
    lower = max(one.lower_bound, other.lower_bound)
    return replace(other, lower_bound=lower, moves=moves, algorithm=algorithm)


def _words(error: Exception) -> str:
    return f"The search failed: {type(error).__name__}: {error}"[:500]
