"""Deciding what remains at one board of a game, where its neighbours leave two lengths open."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from tilework.core.errors import DamagedFileError
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves
from tilework.core.puzzle.replay import replay
from tilework.core.search.limits import Limits, Statistics, StopReason, search_clock
from tilework.core.solver.kernels.constants import (
    EXHAUSTED,
    EXPANDED,
    FOUND,
    GENERATED,
    MAX_CELLS,
    MAX_NEARBY_MOVES,
)
from tilework.core.solver.optimal.choice import engine_for
from tilework.core.solver.optimal.cursor import Cursor
from tilework.core.solver.optimal.engines import Engine
from tilework.core.solver.optimal.nearby import solve_nearby
from tilework.core.solver.optimal.slice import Walk, confirm

logger = logging.getLogger(__name__)

_ALL_MOVES = 0b1111


class Effort:
    """Time and nodes, held against limits."""

    def __init__(self, limits: Limits, tick: Callable[[], object]) -> None:
        def cancelled() -> bool:
            tick()
            return limits.cancelled()

        self._limits = replace(limits, cancelled=cancelled)
        self._began = search_clock()
        self._spent = Statistics()

    @property
    def seconds(self) -> float:
        return search_clock() - self._began

    @property
    def statistics(self) -> Statistics:
        return Statistics(self._spent.expanded, self._spent.generated, self.seconds)

    @contextmanager
    def share(self, part: float) -> Iterator[None]:
        """Spend at most a part of what is left, until the end of the block."""
        before, left = self._limits, self.left()
        self._limits = replace(
            before,
            seconds=None if left.seconds is None else self.seconds + part * left.seconds,
            nodes=None if left.nodes is None else self._spent.generated + int(part * left.nodes),
        )
        try:
            yield
        finally:
            self._limits = before

    def add(self, spent: Statistics) -> None:
        self._spent += spent

    def chunk(self, most: int) -> int:
        return self._limits.budget(most, self._spent.generated)

    def left(self) -> Limits:
        return self._limits.after(self.seconds, self._spent.generated)

    def stopped_by(self) -> StopReason | None:
        return self._limits.reached(self.seconds, self._spent.generated)


class Decision(NamedTuple):
    lower: int  # proved
    # A solution as long as that, replayed; None where a limit came first, or where there is none
    way: Moves | None


class Decider:
    def __init__(self, goal: Board, pdb_folder: Path | None) -> None:
        self._goal = goal
        self._folder = pdb_folder

    def estimates(self, boards: Collection[Board]) -> list[int]:
        engine = engine_for(self._goal, self._folder)
        starts = [engine.start(board) for board in boards]
        if starts:
            confirm(engine, starts[0], None)
        return [start.estimate for start in starts]

    def decide(self, board: Board, length: int, closed: int, effort: Effort) -> Decision:
        """Search for a solution of a length that is the least not disproved."""
        try:
            decision = self._decided(board, length, closed, effort)
        except DamagedFileError as error:
            # Once changed, a file is not used again before its checksum was found right.
            logger.warning("%s; searching again without it", error)
            decision = self._decided(board, length, closed, effort)
        if decision.way is not None:
            replay(board, decision.way, self._goal)
        return decision

    def _decided(self, board: Board, length: int, closed: int, effort: Effort) -> Decision:
        if board.size.cells > MAX_CELLS:
            return self._near(board, length, effort)
        return _searched(
            engine_for(self._goal, self._folder), board, length, _ALL_MOVES & ~closed, effort
        )

    def _near(self, board: Board, length: int, effort: Effort) -> Decision:
        """The same for larger boards, whose goal has to be near."""
        if length > MAX_NEARBY_MOVES:
            return Decision(length, None)
        found = solve_nearby(board, self._goal, MAX_NEARBY_MOVES, effort.left())
        if found is None:
            return Decision(length, None)
        effort.add(found.statistics)
        return Decision(max(length, found.lower_bound), found.moves)


def _searched(engine: Engine, board: Board, length: int, first: int, effort: Effort) -> Decision:
    start = engine.start(board)
    if start.estimate > length:
        confirm(engine, start, None)
        return Decision(start.estimate, None)
    walk = Walk(engine, start, length, Cursor.root(first))
    while True:
        status = walk.search(effort.chunk(engine.chunk))
        effort.add(Statistics(int(walk.report[EXPANDED]), int(walk.report[GENERATED])))
        if status == FOUND:
            confirm(engine, start, walk.path)
            return Decision(length, walk.path)
        if status == EXHAUSTED:
            confirm(engine, start, None)
            return Decision(length + 2, None)
        if effort.stopped_by() is not None:
            return Decision(length, None)
