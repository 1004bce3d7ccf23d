"""A cursor laid out for a search under one threshold."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import InputError
from tilework.core.puzzle.moves import Moves
from tilework.core.solver.kernels.constants import (
    FOUND,
    NEXT_THRESHOLD,
    NO_F,
    TOP,
)
from tilework.core.solver.kernels.depth_first.rows import MOST_DEPTH
from tilework.core.solver.kernels.depth_first.search import BATCH
from tilework.core.solver.optimal.cursor import Cursor, Position, illegal_move, too_deep
from tilework.core.solver.optimal.engines import Engine, Stack, Start
from tilework.core.solver.optimal.layout import keep_untried, untried_moves

# Children of a batch; at the root of a tree a node may have four.
_MOST_CHILDREN = 4 * BATCH


class Walk:
    """The search of what a cursor covers, which can stop anywhere and go on.

    Parameters
    ----------
    engine : Engine
    start : Start
        Where the cursor's tree begins, laid out for the engine.
    threshold : int
        Largest f to follow.
    cursor : Cursor
        On the same board.

    Attributes
    ----------
    report : int64 array, shape (REPORT_LENGTH,)
        What the last call took, at the places of `tilework.core.solver.kernels.constants`.
    path : uint8 array or None
        Once one was found, the moves through the tree.

    Raises
    ------
    InputError
        For a cursor of another board, and for paths longer than a node can tell.
    """

    def __init__(self, engine: Engine, start: Start, threshold: int, cursor: Cursor) -> None:
        if not 0 <= threshold < MOST_DEPTH:
            raise InputError(too_deep())
        self.engine = engine
        self.threshold = threshold
        self.path: Moves | None = None
        self._goal_blank = cursor.goal_blank
        longest = max((len(path) for path, _ in cursor.positions), default=0)
        width = engine.layout.width(max(threshold, longest) + 1)
        # All nodes are counted in one subtree.
        self._stack = Stack.empty(stack_rows(len(cursor.positions), threshold), width, 1)
        self.report = self._stack.report
        self.report[NEXT_THRESHOLD] = NO_F
        # The first position comes to lie on top.
        for position in reversed(cursor.positions):
            row = self.report[TOP]
            self.report[TOP] += lay_out(engine, start, position, self._stack.rows[row : row + 2])

    def search(self, budget: int) -> int:
        """Generate so many nodes at most; return how the kernel ended."""
        status = self.engine.search(self.threshold, budget, self._stack)
        if status == FOUND:
            self.path = path_found(self.engine, self._stack)
        return status

    def going_on(self, engine: Engine, start: Start) -> Walk:
        """Return the search of what is left by another engine."""
        other = Walk(engine, start, self.threshold, self.cursor())
        other.report[NEXT_THRESHOLD] = self.report[NEXT_THRESHOLD]
        return other

    def cursor(self) -> Cursor:
        """Return what is left, as a value."""
        rows = self._stack.rows[: self.report[TOP]][::-1]
        paths, untried = self.engine.layout.paths(rows), untried_moves(rows)
        return Cursor(tuple(map(Position, paths, untried)), self._goal_blank)


def stack_rows(positions: int, threshold: int) -> int:
    """Return the rows that a search may fill which begins with so many positions.

    What a batch pushes lies on what an earlier one pushed, and is deeper than that: there is at
    most one batch's for each move.
    """
    return positions + _MOST_CHILDREN * (threshold + 2)


def lay_out(engine: Engine, start: Start, position: Position, rows: NDArray[np.uint64]) -> bool:
    """Lay a position out in the first of two rows; return whether there is a move to try.

    Raises
    ------
    InputError
        If its path makes a move that is illegal.
    """
    rows[0] = 0
    rows[0, : start.row.size] = start.row
    made = engine.replay(np.frombuffer(position.path, dtype=np.uint8), rows).size
    if made < len(position.path):
        raise illegal_move(start.board, made)
    # Where the path breaks the rules they begin again, but it never turns back.
    back = 1 << (position.path[-1] ^ 1) if position.path else 0
    return keep_untried(rows[0], position.moves & ~back)


def path_found(engine: Engine, stack: Stack) -> Moves:
    """Return the moves to the goal that a kernel left on top of a stack."""
    top = stack.report[TOP]
    (path,) = engine.layout.paths(stack.rows[top : top + 1])
    return np.frombuffer(path, dtype=np.uint8)
