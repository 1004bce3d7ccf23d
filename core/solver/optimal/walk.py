"""A cursor in the form that kernels change in place."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Board
from tilework.core.solver.kernels.constants import DEPTH, NEXT_THRESHOLD, NO_F, REPORT_LENGTH
from tilework.core.solver.optimal.cursor import Cursor, moves_along
from tilework.core.solver.optimal.move_pruning import PruningRules


@dataclass(frozen=True, slots=True)
class Walk:
    """A cursor laid out for a search.

    Attributes
    ----------
    path, untried : uint8 arrays, longer than any path under the threshold
    states : int32 array, as long
        By depth the state of the move-pruning rules.
    report : int64 array, shape (REPORT_LENGTH,)
    """

    path: NDArray[np.uint8]
    untried: NDArray[np.uint8]
    states: NDArray[np.int32]
    report: NDArray[np.int64]

    @classmethod
    def of(cls, cursor: Cursor, board: Board, threshold: int, rules: PruningRules) -> Walk:
        """Lay a cursor out for a search up to a threshold.

        Raises
        ------
        InputError
            For a cursor of another board.
        """
        legal = bytes(moves_along(board, cursor.path))
        made = len(cursor.path)
        room = max(threshold, made) + 2
        path = np.zeros(room, dtype=np.uint8)
        untried = np.zeros(room, dtype=np.uint8)
        states = np.zeros(room, dtype=np.int32)
        path[:made] = np.frombuffer(cursor.path, dtype=np.uint8)
        untried[: made + 1] = np.frombuffer(cursor.untried, dtype=np.uint8)
        untried[: made + 1] &= np.frombuffer(legal, dtype=np.uint8)
        states[: made + 1] = rules.states_along(board, cursor.path)
        untried[: made + 1] &= rules.allowed[states[: made + 1]]
        report = np.zeros(REPORT_LENGTH, dtype=np.int64)
        report[DEPTH] = made
        report[NEXT_THRESHOLD] = NO_F
        return cls(path, untried, states, report)

    @property
    def arrays(self) -> tuple[NDArray[np.generic], ...]:
        """What a kernel changes, in the order in which it takes them."""
        return self.path, self.untried, self.states, self.report

    def cursor(self) -> Cursor:
        """Return the walk's position, as a value."""
        made = int(self.report[DEPTH])
        return Cursor(self.path[:made].tobytes(), self.untried[: made + 1].tobytes())
