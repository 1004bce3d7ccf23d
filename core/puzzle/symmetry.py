"""The symmetries of a grid: what each does to the cells and to the moves.

A symmetry is at most three steps, in this order: transpose (``t``), mirror left to right
(``x``), mirror top to bottom (``y``). A square has all eight; another rectangle maps to itself by
the four without ``t`` and to its transpose by the four with it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Size
from tilework.core.puzzle.moves import Moves

TABLED_CELLS = 1 << 12


class Symmetry(NamedTuple):
    """Transpose, then mirror left to right, then mirror top to bottom, where each is set."""

    transpose: bool = False
    mirror_x: bool = False
    mirror_y: bool = False

    @property
    def inverse(self) -> Symmetry:
        if self.transpose:
            return Symmetry(True, self.mirror_y, self.mirror_x)
        return self

    def size(self, size: Size) -> Size:
        """The size of a board's image."""
        return Size(size.height, size.width) if self.transpose else size

    def sources(self, size: Size) -> NDArray[np.int32]:
        """For each cell of the image, the cell of the original it comes from; shape (n,)."""
        grid = np.arange(size.cells, dtype=np.int32).reshape(size.height, size.width)
        if self.transpose:
            grid = grid.T
        if self.mirror_x:
            grid = grid[:, ::-1]
        if self.mirror_y:
            grid = grid[::-1]
        return np.ascontiguousarray(grid).reshape(-1)

    def moves(self, moves: Moves) -> Moves:
        """The image of moves: the same tiles slide, seen through the symmetry."""
        return self.move_images[moves]

    @property
    def move_images(self) -> Moves:
        """The image of each of the four moves, by code."""
        return _MOVE_IMAGES[self]


class Tables(NamedTuple):
    """Both directions of a symmetry on one size: ``targets`` is the inverse of ``sources``."""

    sources: NDArray[np.int32]
    targets: NDArray[np.int32]


ALL = tuple(Symmetry(t, x, y) for t in (False, True) for x in (False, True) for y in (False, True))


def onto_wide(size: Size) -> tuple[Symmetry, ...]:
    """The symmetries whose image is at least as wide as high: eight for squares, else four."""
    width, height = size
    if width == height:
        return ALL
    return ALL[:4] if width > height else ALL[4:]


def tables(symmetry: Symmetry, size: Size) -> Tables:
    """The cell tables of a symmetry; those of ordinary boards are kept."""
    if size.cells <= TABLED_CELLS:
        return _kept_tables(symmetry, size)
    return _tables(symmetry, size)


def _tables(symmetry: Symmetry, size: Size) -> Tables:
    return Tables(symmetry.sources(size), symmetry.inverse.sources(symmetry.size(size)))


_kept_tables = lru_cache(maxsize=256)(_tables)


def _move_image(symmetry: Symmetry) -> Moves:
    codes = np.arange(4, dtype=np.uint8)
    if symmetry.transpose:
        codes = codes ^ np.uint8(2)
    if symmetry.mirror_x:
        codes = np.where(codes >= 2, codes ^ 1, codes).astype(np.uint8)
    if symmetry.mirror_y:
        codes = np.where(codes < 2, codes ^ 1, codes).astype(np.uint8)
    return codes


_MOVE_IMAGES = {symmetry: _move_image(symmetry) for symmetry in ALL}
