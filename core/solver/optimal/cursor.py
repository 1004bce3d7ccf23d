"""The state of a depth-first search, as a value.

A depth-first search is its path and, at each depth along it, the moves not yet tried. That is
enough to stop anywhere, to resume anywhere, and to give half of the rest away.
"""

from __future__ import annotations

from dataclasses import dataclass

from tilework.core.errors import InputError
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import blank_steps, legal_moves

_VERSION = 1
_ALL_MOVES = 0b1111


@dataclass(frozen=True, slots=True)
class Cursor:
    """What is left of a search: every way that leaves the path by an untried move.

    Attributes
    ----------
    path : bytes
        Move codes from the root.
    untried : bytes
        ``len(path) + 1`` sets of moves, bit m for move m: at each depth along the path, and at its
        end. A set may hold moves that are illegal there; they are ignored.
    """

    path: bytes
    untried: bytes

    @classmethod
    def root(cls) -> Cursor:
        """Return the cursor that covers the whole tree of any board."""
        return cls(b"", bytes([_ALL_MOVES]))

    def to_bytes(self) -> bytes:
        """Write the cursor: a version, then a byte for each depth."""
        steps = (
            move << 4 | rest for move, rest in zip(self.path + b"\0", self.untried, strict=True)
        )
        return bytes([_VERSION, *steps])

    @classmethod
    def from_bytes(cls, data: bytes) -> Cursor:
        """Read what `to_bytes` wrote.

        Raises
        ------
        InputError
            If it is not a valid cursor.
        """
        steps = data[1:]
        if len(data) < 2 or data[0] != _VERSION or max(steps) > 0x3F or steps[-1] > _ALL_MOVES:
            raise InputError(
                "cursor-version",
                "{cursor!r} is not a search cursor of version {version}",
                cursor=data.hex()[:80],
                version=_VERSION,
            )
        path = bytes(step >> 4 for step in steps[:-1])
        untried = bytes(step & _ALL_MOVES for step in steps)
        for depth, move in enumerate(path):
            turned_back = depth > 0 and move == path[depth - 1] ^ 1
            if turned_back or untried[depth] >> move & 1:
                raise InputError(
                    "cursor-repeats",
                    "{cursor!r} is not a search cursor: it tries a move twice",
                    cursor=data.hex()[:80],
                )
        return cls(path, untried)

    def split(self) -> tuple[Cursor, Cursor] | None:
        """Give away part of the rest, as near to the root as can be.

        Returns
        -------
        tuple of two cursors, or None
            Together they cover exactly what this one does. None where only one way is left to
            try: search on a little, then ask again.
        """
        if sum(rest.bit_count() for rest in self.untried) < 2:
            return None
        depth = next(depth for depth, rest in enumerate(self.untried) if rest)
        rest = self.untried[depth]
        # Below the path there is one way more, half done; it counts as the one to keep.
        under_way = any(self.untried[depth + 1 :])
        given = _highest(rest, (rest.bit_count() + under_way) // 2)
        kept = bytearray(self.untried)
        kept[depth] = rest & ~given
        return (
            Cursor(self.path, bytes(kept)),
            Cursor(self.path[:depth], bytes(depth) + bytes([given])),
        )

    def share(self, board: Board) -> float:
        """Return the part of the tree below a board that is left, from 0 to 1.

        A node's share is divided evenly among its children, whatever their true sizes: the sum
        over the cursors of a search only falls, and reaches 0 at the end.
        """
        share = 1.0
        left = 0.0
        for depth, moves in enumerate(moves_along(board, self.path)):
            if not moves:
                break
            share /= moves.bit_count()
            left += share * (self.untried[depth] & moves).bit_count()
        return left


def moves_along(board: Board, path: bytes) -> list[int]:
    """Return by depth along a path the set of legal moves that do not undo the last one.

    Raises
    ------
    InputError
        If the path makes a move that is not among them.
    """
    width, height = board.size
    ways = blank_steps(width)
    blank = board.blank
    back = 0
    legal = []
    for place, move in enumerate((*path, None)):
        moves = legal_moves(blank, width, height) & ~back
        legal.append(moves)
        if move is None:
            break
        if not moves >> move & 1:
            raise InputError(
                "cursor-move",
                "move {place} of the cursor's path is illegal on {board}",
                place=place + 1,
                board=repr(board),
            )
        blank += ways[move]
        back = 1 << (move ^ 1)
    return legal


def _highest(moves: int, count: int) -> int:
    """Return the given number of highest bits of a set of moves."""
    given = 0
    for move in (3, 2, 1, 0):
        if moves >> move & 1 and given.bit_count() < count:
            given |= 1 << move
    return given
