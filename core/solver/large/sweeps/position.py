"""A board during a search, and the moves made so far."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.arrangement import inverse
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves
from tilework.core.puzzle.packing import MoveRecord, PackedMoves


class Position:
    """The goal cell of the tile on each cell, and the moves so far."""

    def __init__(self, board: Board, goal: Board, *, is_packed: bool = False) -> None:
        self.goal = goal
        self.size = board.size
        self.cells: NDArray[np.int32] = inverse(goal.cells)[board.cells]
        self.blank = board.blank
        self.goal_blank = goal.blank
        self._is_packed = is_packed
        self.length = 0
        self._record = MoveRecord()

    @property
    def nbytes(self) -> int:
        """The size of the solution so far."""
        return self.length // 4 if self._is_packed else self.length

    def board(self) -> Board:
        return Board.trusted(self.goal.cells[self.cells], self.size, self.blank)

    def distance(self) -> int:
        return self.board().manhattan(self.goal)

    def copy(self) -> Position:
        position = Position(self.board(), self.goal)
        position.length = self.length
        position._record = self._record.copy()
        return position

    def add(self, moves: Moves) -> None:
        """Record moves that were made on ``cells``; the array is not copied."""
        self._record.add(moves)
        self.length += len(moves)

    def move_blank(self, target: int) -> None:
        """Move the blank straight to a cell, first along its own column."""
        width = self.size.width
        row, column = divmod(self.blank, width)
        target_row, target_column = divmod(target, width)
        moves = [0 if target_row > row else 1] * abs(target_row - row)
        moves += [2 if target_column > column else 3] * abs(target_column - column)
        cells = self.cells
        for move in moves:
            neighbor = self.blank + (width, -width, 1, -1)[move]
            cells[self.blank] = cells[neighbor]
            self.blank = neighbor
        cells[self.blank] = self.goal_blank
        self.add(np.array(moves, dtype=np.uint8))

    def moves(self) -> Moves:
        """Return all moves, without pairs at the ends of two parts that cancel each other."""
        return self.packed_moves()[:]

    def packed_moves(self) -> PackedMoves:
        return self._record.read()
