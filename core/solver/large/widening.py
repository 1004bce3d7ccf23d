"""Beams of one board, each wider than the last, for any solution or for one of one length alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tilework.core.puzzle.board import Board
from tilework.core.search.limits import Limits, StopReason, search_clock
from tilework.core.solver.kernels.constants import MAX_BEAM_CELLS
from tilework.core.solver.large.beam import beam_search
from tilework.core.solver.large.outcome import Outcome
from tilework.core.solver.strategy import LEAST_AIMED_WIDTH, MOST_BEAM_WIDTH

# By these the width is divided. Narrow beams often find what wide ones do, and cost a third.
PARTS = (16, 4, 1)


def aim(
    board: Board,
    goal: Board,
    length: int,
    width: int,
    *,
    limits: Limits | None = None,
    pdb_folder: Path | None = None,
) -> Outcome:
    """Look for a solution of a length, in beams of up to a width."""
    began = search_clock()
    limits = limits or Limits()
    nodes = 0
    widths = [width // part for part in PARTS if part == 1 or width >= part * LEAST_AIMED_WIDTH]
    for each in widths:
        seconds = search_clock() - began
        found = beam_search(
            board,
            goal,
            each,
            limits=replace(
                limits,
                seconds=None if limits.seconds is None else limits.seconds - seconds,
                nodes=None if limits.nodes is None else limits.nodes - nodes,
            ),
            pdb_folder=pdb_folder,
            upper_bound=length + 1,
        )
        nodes += found.nodes
        if found.moves is not None or found.stopped_by is not None:
            break
    return Outcome(found.moves, nodes, search_clock() - began, found.stopped_by)


FIRST_WIDTH = 1000
GROWTH = 4
_NODES_A_MOVE = 2.2  # children of a board, less those that are cut or known


class WideningBeams:
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
