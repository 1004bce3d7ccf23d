"""Beams of one board, each four times as wide as the last."""

from __future__ import annotations

from pathlib import Path

from tilework.core.puzzle.board import Board
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.aiming import MOST_BEAM_WIDTH
from tilework.core.solver.kernels.constants import MAX_BEAM_CELLS
from tilework.core.solver.large.beam import beam_search
from tilework.core.solver.large.outcome import Outcome

FIRST_WIDTH = 1000
GROWTH = 4
_NODES_A_MOVE = 2.2
"""Children of a board, less those that are cut or known."""


class WideningBeams:
    """Searches a board with beams that grow.

    Parameters
    ----------
    board, goal, pdb_folder
        As for `beam_search`.
    """

    def __init__(self, board: Board, goal: Board, pdb_folder: Path | None) -> None:
        self._board = board
        self._goal = goal
        self._pdb_folder = pdb_folder
        suits = 1 not in goal.size and goal.size.cells <= MAX_BEAM_CELLS
        self._width = FIRST_WIDTH if suits else MOST_BEAM_WIDTH + 1

    @property
    def has_next(self) -> bool:
        """Whether there is a wider beam to search with, or any at all for boards of this size."""
        return self._width <= MOST_BEAM_WIDTH

    def cost(self, lower_bound: int, upper_bound: int | None) -> int:
        """Return about how many nodes the next search is going to take."""
        # A first solution may be far longer than what a beam finds.
        moves = 2 * lower_bound if upper_bound is None else min(upper_bound, 2 * lower_bound)
        return int(_NODES_A_MOVE * self._width * moves)

    def search(self, upper_bound: int | None, limits: Limits) -> Outcome:
        """Look for a solution shorter than the bound, in a wider beam than the last time."""
        width = self._width
        self._width *= GROWTH
        outcome = beam_search(
            self._board,
            self._goal,
            width,
            limits=limits,
            pdb_folder=self._pdb_folder,
            upper_bound=upper_bound,
        )
        if outcome.stopped_by is StopReason.MEMORY:
            self._width = MOST_BEAM_WIDTH + 1
        return outcome
