"""The canonical form: one key for all equivalent puzzles.

A puzzle is a start and a goal. Renaming the tiles, mirroring or transposing both boards, and
exchanging start and goal give a puzzle with the same optimal length, and a solution of one follows
from a solution of the other. Every such form with the tiles renamed so that the goal reads
``1 2 3 …`` is a candidate. Of those whose goal has its blank on the last possible cell, the
lexicographically smallest arrangement is the canonical form.

The candidates are the orbit of a group, so all members have the same minimum. Each candidate is
isomorphic to the given puzzle, so boards that share a key have equal optimal lengths.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import BoardError
from tilework.core.puzzle.arrangement import inverse
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_at
from tilework.core.puzzle.moves import Moves, MoveSequence, reverse_moves
from tilework.core.puzzle.packing import MappedMoves
from tilework.core.puzzle.phrases import goal_size

MAX_TABLE_CELLS = 1 << 12


class Symmetry(NamedTuple):
    """Transpose (``t``), mirror left to right (``x``), mirror top to bottom (``y``), in this order.

    All eight map a square to itself. On other rectangles, only the four without ``t`` do; the four
    with it map to the transposed size.
    """

    transpose: bool = False
    mirror_x: bool = False
    mirror_y: bool = False

    @property
    def inverse(self) -> Symmetry:
        if self.transpose:
            return Symmetry(True, self.mirror_y, self.mirror_x)
        return self

    def size(self, size: Size) -> Size:
        return Size(size.height, size.width) if self.transpose else size

    def sources(self, size: Size) -> NDArray[np.int32]:
        """Return for each cell of the image the cell of the original that it comes from."""
        grid = np.arange(size.cells, dtype=np.int32).reshape(size.height, size.width)
        if self.transpose:
            grid = grid.T
        if self.mirror_x:
            grid = grid[:, ::-1]
        if self.mirror_y:
            grid = grid[::-1]
        return np.ascontiguousarray(grid).reshape(-1)

    def moves(self, moves: Moves) -> Moves:
        """Return the image of moves: the same tiles slide on the transformed board."""
        return self.move_images[moves]

    @property
    def move_images(self) -> Moves:
        """The image of each of the four moves, by code."""
        return _MOVE_IMAGES[self]


class Tables(NamedTuple):
    sources: NDArray[np.int32]
    targets: NDArray[np.int32]


SYMMETRIES = tuple(
    Symmetry(t, x, y) for t in (False, True) for x in (False, True) for y in (False, True)
)


def tables(symmetry: Symmetry, size: Size) -> Tables:
    """Return the cell tables of a symmetry, cached for small boards."""
    if size.cells <= MAX_TABLE_CELLS:
        return _cached_tables(symmetry, size)
    return _tables(symmetry, size)


def _tables(symmetry: Symmetry, size: Size) -> Tables:
    return Tables(symmetry.sources(size), symmetry.inverse.sources(symmetry.size(size)))


_cached_tables = lru_cache(maxsize=256)(_tables)


def _find_wide(size: Size) -> list[tuple[Symmetry, Tables]]:
    """Return the symmetries whose image is at least as wide as it is tall."""
    width, height = size
    wide = SYMMETRIES if width == height else SYMMETRIES[:4] if width > height else SYMMETRIES[4:]
    return [(symmetry, tables(symmetry, size)) for symmetry in wide]


_cached_wide = lru_cache(maxsize=32)(_find_wide)


def _move_image(symmetry: Symmetry) -> Moves:
    codes = np.arange(4, dtype=np.uint8)
    if symmetry.transpose:
        codes = codes ^ np.uint8(2)
    if symmetry.mirror_x:
        codes = np.where(codes >= 2, codes ^ 1, codes).astype(np.uint8)
    if symmetry.mirror_y:
        codes = np.where(codes < 2, codes ^ 1, codes).astype(np.uint8)
    return codes


_MOVE_IMAGES = {symmetry: _move_image(symmetry) for symmetry in SYMMETRIES}


# Boards up to this many cells have a readable key; 121 cells take at most 384 characters.
READABLE_CELLS = 121

_LETTERS = "txyr"
_IDENTITY = "i"


@dataclass(frozen=True, slots=True)
class Transform:
    """How a puzzle becomes its canonical form: a symmetry, then possibly the reverse problem."""

    symmetry: Symmetry
    reverse: bool

    def to_text(self) -> str:
        """Return a letter per step: t transpose, x and y mirror, r reverse; ``i`` for none."""
        steps = (*self.symmetry, self.reverse)
        return "".join(compress(_LETTERS, steps)) or _IDENTITY

    @classmethod
    def from_text(cls, text: str) -> Transform:
        """Parse the letters of `to_text`."""
        steps = [letter in text for letter in _LETTERS]
        transform = cls(Symmetry(*steps[:3]), steps[3])
        if transform.to_text() != text:
            raise BoardError(
                "transform",
                "{text!r} is not a transform; a transform is letters of {letters!r}, or i",
                text=text[:40],
                letters=_LETTERS,
            )
        return transform

    def from_canonical(self, moves: Moves) -> Moves:
        image = self.symmetry.inverse.moves(moves)
        return reverse_moves(image) if self.reverse else image

    def to_canonical(self, moves: Moves) -> Moves:
        return self.symmetry.moves(reverse_moves(moves) if self.reverse else moves)

    def view_from_canonical(self, moves: MoveSequence) -> MoveSequence:
        """Like `from_canonical`, but unpack moves only when they are read."""
        if isinstance(moves, np.ndarray):
            return self.from_canonical(moves)
        images = self.symmetry.inverse.move_images
        # Backwards, each move is replaced by its opposite.
        return MappedMoves(moves, images ^ np.uint8(self.reverse), backwards=self.reverse)


@dataclass(frozen=True, slots=True)
class Canonical:
    # Start, at least as wide as it is tall, and goal with tiles ``1 2 3 …`` in reading order
    board: Board
    goal: Board
    key: str  # at most 500 characters; equal exactly if the forms are equal
    transform: Transform  # from the given puzzle to this form


def canonicalize(start: Board, goal: Board, *, reversible: bool = True) -> Canonical:
    """Return the canonical form of a puzzle, in linear time.

    If it is not ``reversible``, start and goal are not exchanged, so that all starts with the same
    goal have forms with the same goal.
    """
    if start.size != goal.size:
        raise BoardError(goal_size(goal.size, start.size))
    is_small = start.size.cells <= MAX_TABLE_CELLS
    symmetries = _cached_wide(start.size) if is_small else _find_wide(start.size)
    goal_cells = inverse(goal.cells)[start.cells]
    directions = ((goal.blank, False), (start.blank, True))[: 1 + reversible]
    candidates = [
        (int(table.targets[blank]), symmetry, table, reverse)
        for blank, reverse in directions
        for symmetry, table in symmetries
    ]
    last_blank = max(candidates, key=itemgetter(0))[0]
    best: NDArray[np.int32] | None = None
    best_bytes = b""
    transform = Transform(symmetries[0][0], False)
    for blank, symmetry, (sources, targets), reverse in candidates:
        if blank != last_blank:
            continue
        from_cells = inverse(goal_cells) if reverse else goal_cells
        form = _relabel(targets[from_cells[sources]], blank)
        form_bytes = form.astype(">u4").tobytes()
        if best is None or form_bytes < best_bytes:
            best, best_bytes = form, form_bytes
            transform = Transform(symmetry, reverse)
    assert best is not None  # noqa: S101 - the latest blank belongs to some form
    size = transform.symmetry.size(start.size)
    return Canonical(
        Board.trusted(best, size),
        blank_at(size, last_blank),
        _key(size, last_blank, best),
        transform,
    )


def first_moves(start: Board, goal: Board) -> int:
    """Return the first moves that a search must try, bit m for move m.

    If a puzzle is its own mirror image, the image of each solution is a solution. Of two moves that
    mirror each other, only the smaller one is tried, so the lexicographically smallest of the
    shortest solutions is found.
    """
    tried = 0b1111
    goal_cells = inverse(goal.cells)[start.cells]
    symmetries = SYMMETRIES if start.size.width == start.size.height else SYMMETRIES[:4]
    for symmetry in symmetries[1:]:
        sources, targets = tables(symmetry, start.size)
        keeps_blanks = targets[start.blank] == start.blank and targets[goal.blank] == goal.blank
        if keeps_blanks and np.array_equal(targets[goal_cells[sources]], goal_cells):
            for move, image in enumerate(symmetry.move_images.tolist()):
                if image < move:
                    tried &= ~(1 << move)
    return tried


def canonical_key(board: Board, goal: Board) -> str | None:
    """Return the key of a board in canonical form; None if the goal is not canonical."""
    if goal != blank_at(board.size, goal.blank):
        return None
    return _key(board.size, goal.blank, board.cells)


def _relabel(goal_cells: NDArray[np.int32], blank: int) -> NDArray[np.int32]:
    """Rename each tile to the rank of its goal cell among the cells other than the blank's."""
    tiles = goal_cells + (goal_cells < blank)
    tiles[goal_cells == blank] = 0
    return tiles.astype(np.int32, copy=False)


def _key(size: Size, blank: int, cells: NDArray[np.int32]) -> str:
    if size.cells <= READABLE_CELLS:
        body = "-".join(map(str, cells.tolist()))
    else:
        body = "sha256-" + hashlib.sha256(cells.astype("<i4").tobytes()).hexdigest()
    return f"{size.width}x{size.height}:{blank}:{body}"
