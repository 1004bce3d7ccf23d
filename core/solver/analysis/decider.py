"""Decides which of two possible lengths a board next to a settled one has."""

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
from tilework.core.solver.optimal.choice import select_engine
from tilework.core.solver.optimal.cursor import Cursor
from tilework.core.solver.optimal.engines import Engine
from tilework.core.solver.optimal.nearby import solve_nearby
from tilework.core.solver.optimal.slice import Walk, confirm

logger = logging.getLogger(__name__)

_ALL_MOVES = 0b1111


class EffortMeter:
    """Measures the time and nodes spent, and limits them."""

    def __init__(self, limits: Limits, tick: Callable[[], object]) -> None:
        def cancelled() -> bool:
            tick()
            return limits.cancelled()

        self._limits = replace(limits, cancelled=cancelled)
        self._started = search_clock()
        self._counts = Statistics()

    @property
    def seconds(self) -> float:
        return search_clock() - self._started

    @property
    def statistics(self) -> Statistics:
        return Statistics(self._counts.expanded, self._counts.generated, self.seconds)

    @contextmanager
    def share(self, fraction: float) -> Iterator[None]:
        """Limit the effort within the block to a share of the remaining effort."""
        outer_limits, remaining = self._limits, self.remaining()
        self._limits = replace(
            outer_limits,
            seconds=None
            if remaining.seconds is None
            else self.seconds + fraction * remaining.seconds,
            nodes=None
            if remaining.nodes is None
            else self._counts.generated + int(fraction * remaining.nodes),
        )
        try:
            yield
        finally:
            self._limits = outer_limits

    def add(self, statistics: Statistics) -> None:
        self._counts += statistics

    def chunk(self, maximum: int) -> int:
        return self._limits.budget(maximum, self._counts.generated)

    def remaining(self) -> Limits:
        return self._limits.after(self.seconds, self._counts.generated)

    def stopped_by(self) -> StopReason | None:
        return self._limits.check(self.seconds, self._counts.generated)


class Decision(NamedTuple):
    lower: int  # a proven lower bound
    path: Moves | None  # a replayed solution of that length; None if none was found


class Decider:
    def __init__(self, goal: Board, pdb_folder: Path | None) -> None:
        self._goal = goal
        self._folder = pdb_folder

    def estimates(self, boards: Collection[Board]) -> list[int]:
        engine = select_engine(self._goal, self._folder)
        starts = [engine.start(board) for board in boards]
        if starts:
            confirm(engine, starts[0], None)
        return [start.estimate for start in starts]

    def decide(self, board: Board, length: int, pruned: int, effort: EffortMeter) -> Decision:
        """Search for a solution whose length is the lower bound."""
        try:
            decision = self._search(board, length, pruned, effort)
        except DamagedFileError as error:
            # A changed file is not used again until its checksum is verified.
            logger.warning("%s; searching again without it", error)
            decision = self._search(board, length, pruned, effort)
        if decision.path is not None:
            replay(board, decision.path, self._goal)
        return decision

    def _search(self, board: Board, length: int, pruned: int, effort: EffortMeter) -> Decision:
        if board.size.cells > MAX_CELLS:
            return self._search_nearby(board, length, effort)
        return _search_threshold(
            select_engine(self._goal, self._folder), board, length, _ALL_MOVES & ~pruned, effort
        )

    def _search_nearby(self, board: Board, length: int, effort: EffortMeter) -> Decision:
        """Search a larger board if its goal is near."""
        if length > MAX_NEARBY_MOVES:
            return Decision(length, None)
        result = solve_nearby(board, self._goal, MAX_NEARBY_MOVES, effort.remaining())
        if result is None:
            return Decision(length, None)
        effort.add(result.statistics)
        moves = None if result.moves is None else result.moves[:]
        return Decision(max(length, result.lower_bound), moves)


def _search_threshold(
    engine: Engine, board: Board, length: int, first_moves: int, effort: EffortMeter
) -> Decision:
    start = engine.start(board)
    if start.estimate > length:
        confirm(engine, start, None)
        return Decision(start.estimate, None)
    walk = Walk(engine, start, length, Cursor.root(first_moves))
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
