"""Keys that identify the boards of a game, each computed from the one before."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves
from tilework.core.puzzle.replay import blank_path, moved_tiles

Keys = NDArray[np.uint64]  # of shape (boards, 2), or (2,) for one board

_STEP: Final = np.uint64(0x9E3779B97F4A7C15)
_FACTORS: Final = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


class BoardKeys:
    """Zobrist keys of 128 bits: the exclusive or of one word for each tile and its cell.

    The words depend on ``content``. If it includes the boards, nobody can look for boards with the
    same key.

    Notes
    -----
    A. Zobrist, "A new hashing method with application for game playing", 1970. The words are from
    SplitMix: G. Steele, D. Lea and C. Flood, "Fast splittable pseudorandom number generators",
    OOPSLA 2014.
    """

    def __init__(self, content: bytes) -> None:
        self._seeds = np.frombuffer(blake2b(content, digest_size=16).digest(), dtype=np.uint64)

    def key(self, board: Board) -> Keys:
        cells = np.flatnonzero(board.cells)
        key: Keys = np.bitwise_xor.reduce(self._words(board.cells[cells], cells), axis=0)
        return key

    def along(self, board: Board, moves: Moves) -> Iterator[Keys]:
        """Yield, in chunks, the keys of the boards along moves, including the first board."""
        key = self.key(board)
        yield key[None]
        blank = board.blank
        for path, tiles in zip(blank_path(board, moves), moved_tiles(board, moves), strict=True):
            labels, targets = np.array(tiles), np.concatenate([[blank], path[:-1]])
            changes = self._words(labels, path) ^ self._words(labels, targets)
            changes[0] ^= key
            keys: Keys = np.bitwise_xor.accumulate(changes, axis=0)
            key, blank = keys[-1], int(path[-1])
            yield keys

    def _words(self, tiles: NDArray[np.integer], cells: NDArray[np.integer]) -> Keys:
        pairs = tiles.astype(np.uint64) << np.uint64(32) | cells.astype(np.uint64)
        words: Keys = self._seeds + pairs[:, None] * _STEP
        for shift, factor in zip((30, 27), _FACTORS, strict=True):
            words = (words ^ (words >> np.uint64(shift))) * factor
        return words ^ (words >> np.uint64(31))
