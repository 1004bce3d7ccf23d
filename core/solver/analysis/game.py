"""A game: a board and the moves made on it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import MoveError, OptionError, ReplayError
from tilework.core.puzzle.arrangement import inverse
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves
from tilework.core.puzzle.phrases import cells
from tilework.core.puzzle.replay import apply, blank_path
from tilework.core.solver.analysis.keys import BoardKeys
from tilework.core.solver.options import A_STAR_CELLS

MAX_MOVES: Final = 10_000  # about the length of a solution of a random 24×24 board
MAX_CELLS: Final = 10_000  # because every position is read completely at least once

# Boards of up to this many cells are analysed completely by default
EXACT_CELLS: Final = A_STAR_CELLS

_STORE_INTERVAL: Final = 64


class Loop(NamedTuple):
    """Moves without effect: the positions after ``first`` and ``last`` moves are the same."""

    first: int
    last: int


class Game:
    """A board, its goal and the moves; position i is the board after i moves."""

    def __init__(self, board: Board, goal: Board, moves: Moves) -> None:
        check_game(board, len(moves))
        self.start, self.goal, self.moves = board, goal, moves
        try:
            path = list(blank_path(board, moves))
        except ReplayError as error:
            # The moves are input, so this is not an internal error.
            raise MoveError(error.message) from None
        self.blanks = np.concatenate([np.array([board.blank], dtype=np.int32), *path])
        self._stored_boards = [board]
        self._board_keys = BoardKeys(board.cells.tobytes() + goal.cells.tobytes() + moves.tobytes())

    def __len__(self) -> int:
        return len(self.moves)

    def board(self, position: int) -> Board:
        index, offset = divmod(position, _STORE_INTERVAL)
        while len(self._stored_boards) <= index:
            first = (len(self._stored_boards) - 1) * _STORE_INTERVAL
            moves = self.moves[first : first + _STORE_INTERVAL]
            self._stored_boards.append(apply(self._stored_boards[-1], moves))
        first = index * _STORE_INTERVAL
        return apply(self._stored_boards[index], self.moves[first : first + offset])

    @cached_property
    def keys(self) -> list[bytes]:
        """By position, a key that identifies the board."""
        chunks = self._board_keys.along(self.start, self.moves)
        return [key.tobytes() for keys in chunks for key in keys]

    @cached_property
    def positions(self) -> dict[bytes, list[int]]:
        """The positions of each board, in order."""
        positions: dict[bytes, list[int]] = {}
        for position, key in enumerate(self.keys):
            positions.setdefault(key, []).append(position)
        return positions

    def visits(self, board: Board, moves: Moves) -> Iterator[tuple[int, int]]:
        """Yield the boards of the game on a path: the moves made, and the board's first position.

        A path may have millions of moves, so it is compared with the game in chunks.
        """
        count = 0
        for keys in self._board_keys.along(board, moves):
            for index in np.flatnonzero(np.isin(keys[:, 0], self._first_words)).tolist():
                if (positions := self.positions.get(keys[index].tobytes())) is not None:
                    yield count + index, positions[0]
            count += len(keys)

    @cached_property
    def _first_words(self) -> NDArray[np.uint64]:
        return np.frombuffer(b"".join(self.positions), dtype=np.uint64)[::2]

    @property
    def is_solution(self) -> bool:
        """Whether the game ends at its goal."""
        return self.keys[-1] == self._board_keys.key(self.goal).tobytes()

    def loops(self) -> list[Loop]:
        """Return disjoint loops in order; without their moves, no board occurs twice."""
        loops = []
        position = 0
        while position < len(self):
            last = self.positions[self.keys[position]][-1]
            if last > position:
                loops.append(Loop(position, last))
            position = max(last, position + 1)
        return loops

    def slides(self) -> int:
        """Count slides: consecutive moves in the same direction are one slide."""
        return int(np.count_nonzero(np.diff(self.moves)) + 1) if len(self) else 0

    def manhattan_distances(self) -> NDArray[np.int64]:
        """Return the Manhattan distances to the goal by position, int64 of shape (moves + 1,)."""
        width = self.start.width
        homes = inverse(self.goal.cells)
        current_cells = self.start.cells.copy()
        distances = np.empty(len(self) + 1, dtype=np.int64)
        distances[0] = distance = self.start.manhattan(self.goal)
        blanks = self.blanks.tolist()
        for position, (blank, next_blank) in enumerate(pairwise(blanks), 1):
            tile = int(current_cells[next_blank])
            current_cells[blank], current_cells[next_blank] = tile, 0
            home = int(homes[tile])
            distance += _count_steps(blank, home, width) - _count_steps(next_blank, home, width)
            distances[position] = distance
        return distances


def check_game(board: Board, move_count: int) -> None:
    """Reject a game that is too long or whose board is too large."""
    if board.size.cells > MAX_CELLS:
        raise OptionError(
            "game-cells",
            "{size} boards have {cells}; games can be analysed on boards of at most {max}",
            size=board.size,
            cells=cells(board.size.cells),
            max=MAX_CELLS,
        )
    if move_count > MAX_MOVES:
        raise OptionError(
            "game-length",
            "a game of {count} moves is too long; at most {max} are analysed",
            count=move_count,
            max=MAX_MOVES,
        )


def _count_steps(cell: int, other: int, width: int) -> int:
    row, column = divmod(cell, width)
    other_row, other_column = divmod(other, width)
    return abs(row - other_row) + abs(column - other_column)
