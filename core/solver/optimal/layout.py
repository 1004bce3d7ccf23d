"""How a board lies in a row of words, for the depth-first kernels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Board, Size
from tilework.core.solver.kernels.depth_first.rows import (
    BLANK_BIT,
    KEPT,
    MOST_DEPTH,
    MOVES_A_WORD,
    PLACE,
    STATE_BIT,
    SUMS,
    UNTRIED_BIT,
)

Row = NDArray[np.uint64]

_WORD_BITS = 64


class Layout:
    """The columns of rows of one size of board and one kind of estimate.

    Attributes
    ----------
    columns, shifts : uint8 arrays, shape (cells,); by cell, its column and its lowest bit there
    mask : int; all bits of a tile
    path_at : int; the column in which the moves begin
    """

    def __init__(self, size: Size, kept: int) -> None:
        bits = max(1, (size.cells - 1).bit_length())
        cells_a_word = _WORD_BITS // bits
        word, place = np.divmod(np.arange(size.cells), cells_a_word)
        self.columns = (KEPT + kept + word).astype(np.uint8)
        self.shifts = (bits * place).astype(np.uint8)
        self.mask = (1 << bits) - 1
        self.path_at = int(self.columns[-1]) + 1

    def width(self, moves: int) -> int:
        """Return the columns of a row with room for paths of so many moves."""
        return self.path_at + -(-moves // MOVES_A_WORD)

    def row(self, board: Board, kept: Row, sums: tuple[int, int], state: int, untried: int) -> Row:
        """Return the row of a board before the first move, without columns for a path."""
        row = np.zeros(self.path_at, dtype=np.uint64)
        row[SUMS] = sums[0] | sums[1] << 32
        row[PLACE] = board.blank << BLANK_BIT | untried << UNTRIED_BIT | state << STATE_BIT
        row[KEPT : KEPT + kept.size] = kept
        tiles = board.cells.astype(np.uint64) << self.shifts
        np.bitwise_or.at(row, self.columns, tiles)
        return row

    def depths(self, rows: NDArray[np.uint64]) -> NDArray[np.int64]:
        return (rows[:, PLACE] & np.uint64(MOST_DEPTH)).astype(np.int64)

    def paths(self, rows: NDArray[np.uint64]) -> list[bytes]:
        depths = self.depths(rows)
        made = np.arange(depths.max(initial=0))
        words = rows[:, self.path_at + made // MOVES_A_WORD]
        codes = words >> (2 * (made % MOVES_A_WORD)).astype(np.uint64) & np.uint64(3)
        codes = codes.astype(np.uint8)
        return [line[:depth].tobytes() for line, depth in zip(codes, depths.tolist(), strict=True)]


def untried_moves(rows: NDArray[np.uint64]) -> list[int]:
    """Return by row the set of moves not yet tried, bit m for move m."""
    untried: list[int] = (rows[:, PLACE] >> np.uint64(UNTRIED_BIT) & np.uint64(15)).tolist()
    return untried


def keep_untried(row: Row, moves: int) -> bool:
    """Leave only moves of a set untried in a row; return whether there are any."""
    row[PLACE] &= np.uint64(~((15 & ~moves) << UNTRIED_BIT) & (1 << _WORD_BITS) - 1)
    return bool(row[PLACE] >> np.uint64(UNTRIED_BIT) & np.uint64(15))
