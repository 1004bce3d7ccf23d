"""Beam search: short solutions of boards too hard to solve optimally at once."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import NO_MOVES, Moves
from tilework.core.search.limits import Limits, StopReason, search_clock
from tilework.core.solver.kernels.beam.beam import COUNT, GOAL, KEYS, MADE, choose, settle
from tilework.core.solver.large.beam_level import Candidates, Estimates, Grid, Level, estimates_for
from tilework.core.solver.large.outcome import Ancestry, Outcome

_CHUNK = 1 << 13  # boards expanded between two checks of the limits: a few milliseconds


def beam_search(
    board: Board,
    goal: Board,
    width: int,
    *,
    limits: Limits | None = None,
    pdb_folder: Path | None = None,
    upper_bound: int | None = None,
) -> Outcome:
    """Look for a short solution, level by level, keeping the best boards of each.

    The first solution that is generated is the shortest of those the beam contains. The outcome
    is the same for the same input, unless time or a cancel ends it.

    Parameters
    ----------
    board, goal : Board; of one size, from 2 × 2 to 256 cells; the goal must be reachable
    width : int
        Boards kept of each level, from 1 to 2²⁸. A solution costs about 2.2 × width nodes a move.
    upper_bound : int, optional
        Only solutions of fewer moves are looked for: boards that cannot be on one are dropped.

    Notes
    -----
    B. Lowerre, "The HARPY speech recognition system", 1976; R. Bisiani, "Beam search", in
    Encyclopedia of Artificial Intelligence, 1987. Boards are ordered by the sum of all their
    estimates rather than by the greatest: on Korf's 24-puzzles that finds shorter solutions.
    """
    began = search_clock()
    if board == goal:
        return Outcome(NO_MOVES, 0, search_clock() - began, None)
    beam = _Beam(board, goal, width, estimates_for(goal, pdb_folder), limits or Limits())
    most = _most_moves(board) if upper_bound is None else upper_bound - 1
    moves, stopped_by = beam.search(most)
    return Outcome(moves, beam.nodes, search_clock() - began, stopped_by)


def _most_moves(board: Board) -> int:
    """Moves after which a beam is taken to be going in circles: more than any solution has."""
    return 8 * board.size.cells * (board.width + board.height)


class _Beam:
    """A level of boards, and what the next one is made with."""

    def __init__(
        self, board: Board, goal: Board, width: int, estimates: Estimates, limits: Limits
    ) -> None:
        self._began = search_clock()
        self._limits = limits
        self._grid = Grid(goal.size)
        self._level = Level.empty(width, goal.size.cells)
        self._next_level = Level.empty(width, goal.size.cells)
        self._candidates = Candidates(width, estimates.memory)
        self._chosen = np.empty(width, dtype=np.int64)
        self._counts = np.empty(KEYS, dtype=np.int64)
        self._ancestry = Ancestry()
        self._estimates = estimates
        self._level.begin(board, self._grid)
        estimates.begin(board, width, self._candidates.size)

    @property
    def nodes(self) -> int:
        return int(self._candidates.report[MADE])

    def search(self, most: int) -> tuple[Moves | None, StopReason | None]:
        """Search by levels; return a solution of at most ``most`` moves, or what stopped it."""
        count = 1
        for depth in range(most):
            if (stopped_by := self._expand(count, most - depth - 1)) is not None:
                return None, stopped_by
            if (origin := int(self._candidates.report[GOAL])) >= 0:
                return self._ancestry.moves_to(origin), None
            if (count := self._keep_best()) == 0:
                break
        return None, None

    def _expand(self, count: int, room: int) -> StopReason | None:
        """Make candidates of the children of the level's ``count`` boards."""
        self._candidates.clear(count)
        for first in range(0, count, _CHUNK):
            if (stopped_by := self._stopped_by()) is not None:
                return stopped_by
            rows = range(first, min(count, first + _CHUNK))
            self._estimates.expand(self._grid, self._level, rows, room, self._candidates)
            if self._candidates.report[GOAL] >= 0:
                break
        return None

    def _keep_best(self) -> int:
        """Make the next level of the best candidates; return the number of its boards."""
        found = self._candidates
        keys = found.keys[: found.report[COUNT]]
        count = int(choose(keys, self._chosen.size, self._counts, self._chosen))
        chosen = self._chosen[:count]
        origins = found.origins[chosen]
        settle(
            self._level.boards,
            self._level.hashes,
            self._grid.ways,
            self._grid.zobrist,
            origins,
            self._next_level.boards,
            self._next_level.hashes,
        )
        self._estimates.carry(self._grid, self._level, origins, chosen)
        self._level, self._next_level = self._next_level, self._level
        self._ancestry.add(origins)
        return count

    def _stopped_by(self) -> StopReason | None:
        seconds = search_clock() - self._began
        return self._limits.reached(seconds, self.nodes, self._nbytes())

    def _nbytes(self) -> int:
        levels = self._level.nbytes + self._next_level.nbytes + self._chosen.nbytes
        return levels + self._candidates.nbytes + self._estimates.nbytes + self._ancestry.nbytes
