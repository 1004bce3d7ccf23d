"""The canonical form: one key for all equivalent forms of a puzzle.

A puzzle is a start and a goal. Renaming the tiles, mirroring or turning both boards, and
exchanging start and goal give a puzzle with the same optimal length, and a solution of one is
read off a solution of the other. Every such form with the tiles renamed so that the goal reads
``1 2 3 …`` is a candidate; the goal's blank must lie as late as possible (in the last cell, where
any form allows it), and among those the least arrangement wins.

The candidates are the orbit of a group, so a minimum over them is the same for every member;
and each is the given puzzle itself up to an isomorphism, so boards that share a key have equal
optimal lengths.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import BoardError
from tilework.core.puzzle import symmetry
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.distance import inverse
from tilework.core.puzzle.goals import blank_at
from tilework.core.puzzle.moves import Moves, MoveSequence, reversed_moves
from tilework.core.puzzle.packed_moves import SeenMoves
from tilework.core.puzzle.phrases import goal_size
from tilework.core.puzzle.symmetry import Symmetry

# Boards up to this many cells have a readable key; 121 cells take at most 384 characters.
READABLE_CELLS = 121

_LETTERS = "txyr"
_IDENTITY = "i"


@dataclass(frozen=True, slots=True)
class Transform:
    """The way from a puzzle to its canonical form: a symmetry, then perhaps the reverse problem."""

    symmetry: Symmetry
    reverse: bool

    def to_text(self) -> str:
        """Letters of the steps in order: t transpose, x and y mirror, r reverse; ``i`` for none."""
        steps = (*self.symmetry, self.reverse)
        return (
            "".join(letter for letter, set_ in zip(_LETTERS, steps, strict=True) if set_)
            or _IDENTITY
        )

    @classmethod
    def from_text(cls, text: str) -> Transform:
        """Read what `to_text` wrote.

        Raises
        ------
        BoardError
            At any other text.
        """
        steps = [letter in text for letter in _LETTERS]
        transform = cls(Symmetry(*steps[:3]), steps[3])
        if transform.to_text() != text:
            raise BoardError(
                "transform",
                "{text!r} is not a transform; one is letters of {letters!r}, or i",
                text=text[:40],
                letters=_LETTERS,
            )
        return transform

    def from_canonical(self, moves: Moves) -> Moves:
        """Turn a solution of the canonical form into one of the puzzle."""
        image = self.symmetry.inverse.moves(moves)
        return reversed_moves(image) if self.reverse else image

    def to_canonical(self, moves: Moves) -> Moves:
        """Turn a solution of the puzzle into one of the canonical form."""
        return self.symmetry.moves(reversed_moves(moves) if self.reverse else moves)

    def seen_from_canonical(self, moves: MoveSequence) -> MoveSequence:
        """The same, but moves that are unpacked as they are read stay so."""
        if isinstance(moves, np.ndarray):
            return self.from_canonical(moves)
        images = self.symmetry.inverse.move_images
        # Backwards, each move is undone.
        return SeenMoves(moves, images ^ np.uint8(self.reverse), backwards=self.reverse)


@dataclass(frozen=True, slots=True)
class Canonical:
    """A puzzle's canonical form.

    Attributes
    ----------
    board, goal : Board
        Start, at least as wide as high, and goal with tiles ``1 2 3 …`` in reading order.
    key : str
        At most 500 characters; equal exactly where the forms are equal.
    transform : Transform
        From the puzzle that was given to this form.
    """

    board: Board
    goal: Board
    key: str
    transform: Transform


def canonicalize(start: Board, goal: Board) -> Canonical:
    """Bring a puzzle to canonical form, linear in the cells.

    Raises
    ------
    BoardError
        If start and goal differ in size.
    """
    if start.size != goal.size:
        raise BoardError(goal_size(goal.size, start.size))
    symmetries = symmetry.onto_wide(start.size)
    tables = [symmetry.tables(one, start.size) for one in symmetries]
    blanks = [
        (int(table.targets[board.blank]), index, reverse)
        for board, reverse in ((goal, False), (start, True))
        for index, table in enumerate(tables)
    ]
    last_blank = max(blanks)[0]
    goal_cells = _goal_cells(start, goal)
    best: NDArray[np.int32] | None = None
    best_bytes = b""
    transform = Transform(symmetries[0], False)
    for blank, index, reverse in blanks:
        if blank != last_blank:
            continue
        sources, targets = tables[index]
        from_cells = inverse(goal_cells) if reverse else goal_cells
        form = _relabelled(targets[from_cells[sources]], blank)
        form_bytes = form.astype(">u4").tobytes()
        if best is None or form_bytes < best_bytes:
            best, best_bytes = form, form_bytes
            transform = Transform(symmetries[index], reverse)
    assert best is not None  # noqa: S101 - the latest blank belongs to some form
    size = symmetries[0].size(start.size)
    return Canonical(
        Board.trusted(best, size),
        blank_at(size, last_blank),
        _key(size, last_blank, best),
        transform,
    )


def key_of(board: Board, goal: Board) -> str | None:
    """Return the key that boards of a canonical form have; None where the goal is not one's."""
    if goal != blank_at(board.size, goal.blank):
        return None
    return _key(board.size, goal.blank, board.cells)


def _goal_cells(start: Board, goal: Board) -> NDArray[np.int32]:
    """For each cell of the start, the goal cell of its tile."""
    return inverse(goal.cells)[start.cells]


def _relabelled(goal_cells: NDArray[np.int32], blank: int) -> NDArray[np.int32]:
    """Name each tile by its goal cell's rank among the cells other than the blank's."""
    tiles = goal_cells + (goal_cells < blank)
    tiles[goal_cells == blank] = 0
    return tiles.astype(np.int32, copy=False)


def _key(size: Size, blank: int, cells: NDArray[np.int32]) -> str:
    if size.cells <= READABLE_CELLS:
        body = "-".join(map(str, cells.tolist()))
    else:
        body = "sha256-" + hashlib.sha256(cells.astype("<i4").tobytes()).hexdigest()
    return f"{size.width}x{size.height}:{blank}:{body}"
