"""A hint: the first move of a solution, and bounds on the remaining moves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import NO_MOVES, MoveSequence, blank_steps

DIRECTIONS: Final = ("up", "down", "left", "right")  # of the moving tile, by move code


@dataclass(frozen=True, slots=True)
class Hint:
    board: Board  # before the move
    lower_bound: int  # proven: no solution is shorter
    # A complete solution, replayed, whose first move is the hint; None if none is known yet
    moves: MoveSequence | None

    @classmethod
    def at_goal(cls, board: Board) -> Hint:
        return cls(board, 0, NO_MOVES)

    @property
    def upper_bound(self) -> int | None:
        return None if self.moves is None else len(self.moves)

    @property
    def solved(self) -> bool:
        return self.upper_bound == 0

    @property
    def optimal(self) -> bool:
        """Whether the solution is proven optimal."""
        return self.upper_bound == self.lower_bound

    @property
    def direction(self) -> str | None:
        code = self._first()
        return None if code is None else DIRECTIONS[code]

    @property
    def tile(self) -> int | None:
        code = self._first()
        if code is None:
            return None
        return int(self.board.cells[self.board.blank + blank_steps(self.board.width)[code]])

    def _first(self) -> int | None:
        if self.moves is None or self.solved:
            return None
        return int(self.moves[:1][0])
