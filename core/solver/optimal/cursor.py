"""What is left of a depth-first search, as a value.

A search is what it has not yet searched: positions in the tree, each a path from the root and the
moves not yet tried at its end. That is enough to stop anywhere, to resume anywhere, and to give
half of the rest away. A search by many nodes at a time leaves some hundred positions.

A puzzle has two trees: from its board to the goal, and from the goal to the board.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from tilework.core.errors import InputError
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves, blank_steps, legal_moves, reversed_moves
from tilework.core.solver.kernels.depth_first.rows import MOST_DEPTH
from tilework.core.solver.optimal import cursor_bytes

_ALL_MOVES = 0b1111

# Children of a node that the rules leave, on average: how a position's tree is guessed
BRANCHING = 2.1


class Position(NamedTuple):
    path: bytes  # move codes from the root
    # The set of untried moves at its end, bit m for move m. It may hold moves that are illegal
    # there, or that the rules of a search forbid: they are ignored.
    moves: int


@dataclass(frozen=True, slots=True)
class Cursor:
    # In the order in which they are searched; none lies in another's tree
    positions: tuple[Position, ...]
    # The cell of the goal's blank where the tree begins at the goal; else None
    goal_blank: int | None = None

    @classmethod
    def root(cls, moves: int = _ALL_MOVES, goal_blank: int | None = None) -> Cursor:
        """Return the cursor of the whole tree of any board, or of what begins with some moves."""
        return cls((Position(b"", moves),), goal_blank)

    def to_bytes(self) -> bytes:
        return cursor_bytes.written(self.positions, self.goal_blank)

    @classmethod
    def from_bytes(cls, data: bytes) -> Cursor:
        """Read what `to_bytes` wrote, also in earlier versions."""
        positions, goal_blank = cursor_bytes.read(data)
        found = tuple(Position(path, moves) for path, moves in positions)
        ways = sorted(_ways(found))
        for way, after in pairwise(ways):
            if after.startswith(way):
                raise InputError(
                    "cursor-repeats",
                    "{cursor!r} is not a search cursor: it tries a move twice",
                    cursor=data.hex()[:80],
                )
        return cls(found, goal_blank)

    def ends(self, board: Board, goal: Board) -> tuple[Board, Board]:
        """Return where the tree of a puzzle begins, and what is looked for in it."""
        if self.goal_blank is None:
            return board, goal
        if self.goal_blank != goal.blank:
            raise InputError(
                "cursor-goal",
                "the search cursor begins at a goal with its blank on cell {cell}, not {expected}",
                cell=self.goal_blank,
                expected=goal.blank,
            )
        return goal, board

    def solution(self, path: Moves) -> Moves:
        """Return the solution of the puzzle that a path through the whole tree stands for."""
        return path if self.goal_blank is None else reversed_moves(path)

    def split(self) -> tuple[Cursor, Cursor] | None:
        """Halve it: the first part has the first position. None where only one move is untried."""
        if len(self.positions) < 2:
            return self._split_moves()
        halves: tuple[list[int], list[int]] = ([], [])
        sizes = [0.0, 0.0]
        shortest = min(len(path) for path, _ in self.positions)
        guesses = [
            moves.bit_count() * BRANCHING ** (shortest - len(path))
            for path, moves in self.positions
        ]
        # The largest first, each to the half that is smaller by then.
        for place in sorted(range(len(guesses)), key=lambda place: -guesses[place]):
            half = int(sizes[1] < sizes[0])
            halves[half].append(place)
            sizes[half] += guesses[place]
        one, other = sorted(sorted(half) for half in halves)
        return self._some(one), self._some(other)

    def share(self, board: Board) -> float:
        """Return the part of the tree of a puzzle with this board that is left, from 0 to 1."""
        left = 0.0
        shares = [1.0]
        before = b""
        blanks = [board.blank if self.goal_blank is None else self.goal_blank]
        if blanks[0] >= board.size.cells:
            raise illegal_move(board, 0)
        legal = [_legal(board, blanks[0], None)]
        ways = blank_steps(board.width)
        for path, moves in self.positions:
            depth = cursor_bytes.common(before, path)
            for row in (shares, legal, blanks):
                del row[depth + 1 :]
            for place in range(depth, len(path)):
                move = path[place]
                if not legal[place] >> move & 1:
                    raise illegal_move(board, place)
                shares.append(shares[place] / legal[place].bit_count())
                blanks.append(blanks[place] + ways[move])
                legal.append(_legal(board, blanks[-1], move))
            before = path
            if here := legal[-1]:
                left += shares[-1] / here.bit_count() * (moves & here).bit_count()
        return left

    def _split_moves(self) -> tuple[Cursor, Cursor] | None:
        if not self.positions:
            return None
        ((path, moves),) = self.positions
        ways = [1 << move for move in range(4) if moves >> move & 1]
        if len(ways) < 2:
            return None
        half = (len(ways) + 1) // 2
        kept, given = sum(ways[:half]), sum(ways[half:])
        return (
            Cursor((Position(path, kept),), self.goal_blank),
            Cursor((Position(path, given),), self.goal_blank),
        )

    def _some(self, places: Iterable[int]) -> Cursor:
        return Cursor(tuple(self.positions[place] for place in places), self.goal_blank)


def too_deep() -> Message:
    """Return the words for a search of longer paths than a node can tell."""
    return Message(
        "search-moves", "searches are limited to paths of {most} moves", most=MOST_DEPTH - 1
    )


def illegal_move(board: Board, place: int) -> InputError:
    """Return the error that says which move of a cursor's path cannot be made."""
    return InputError(
        "cursor-move",
        "move {place} of the cursor's path is illegal on {board}",
        place=place + 1,
        board=repr(board),
    )


def _legal(board: Board, blank: int, last: int | None) -> int:
    back = 0 if last is None else 1 << (last ^ 1)
    return int(legal_moves(blank, *board.size)) & ~back


def _ways(positions: Iterable[Position]) -> Iterator[bytes]:
    for path, moves in positions:
        for move in range(4):
            if moves >> move & 1:
                yield path + bytes([move])


@dataclass(frozen=True, slots=True)
class Searched:
    """What lies in one cursor and not in others."""

    residual: Cursor  # positions whose trees hold all of it but for the nodes passed
    passed: int  # nodes on the way from the one cursor down to the others


def difference(whole: Cursor, remains: Iterable[Cursor]) -> Searched | None:
    """Take what is left away from a cursor."""
    handed_back = list(remains)
    ends = {cursor.goal_blank for cursor in handed_back}
    if whole == Cursor.root() and len(ends) == 1:
        whole = Cursor.root(goal_blank=ends.pop())
    elif not ends <= {whole.goal_blank}:
        return None
    left: dict[bytes, int] = {}
    for path, moves in (position for cursor in handed_back for position in cursor.positions):
        if left.get(path, 0) & moves:
            return None
        left[path] = left.get(path, 0) | moves
    inner: set[bytes] = set()
    for path in left:
        # Neighbours have most of their paths in common.
        depth = len(path)
        while depth >= 0 and path[:depth] not in inner:
            inner.add(path[:depth])
            depth -= 1
    searched: list[Position] = []
    passed = 0
    # Each with the untried moves of what is taken from, there.
    waiting = [(path, moves) for path, moves in reversed(whole.positions)]
    while waiting:
        path, moves = waiting.pop()
        here = left.pop(path, 0)
        ways = [move for move in range(4) if moves >> move & 1 and path + bytes([move]) in inner]
        entered = sum(1 << move for move in ways)
        if here & ~moves or here & entered:
            return None
        if fresh := moves & ~here & ~entered:
            searched.append(Position(path, fresh))
        passed += len(ways)
        waiting += [(path + bytes([move]), _ALL_MOVES) for move in ways]
    return None if left else Searched(Cursor(tuple(searched), whole.goal_blank), passed)
