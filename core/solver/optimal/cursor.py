"""Cursors: the unsearched part of a depth-first search, as a value.

A cursor is a list of positions in the tree: paths from the root, each with the untried moves at its
end. It allows a search to stop anywhere, to resume in another process, and to hand over half of its
work. A search that expands nodes in batches leaves about a hundred positions.

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
from tilework.core.puzzle.moves import Moves, blank_steps, legal_moves, reverse_moves
from tilework.core.solver.kernels.depth_first.rows import MAX_DEPTH
from tilework.core.solver.optimal import cursor_bytes

_ALL_MOVES = 0b1111

BRANCHING = 2.1  # average children of a node after pruning, to estimate the size of subtrees


class Position(NamedTuple):
    path: bytes  # move codes from the root
    # The set of untried moves at the end, bit m for move m; illegal and pruned moves are ignored
    moves: int


@dataclass(frozen=True, slots=True)
class Cursor:
    positions: tuple[Position, ...]  # in search order; none is in the subtree of another
    goal_blank: int | None = None  # the goal's blank cell if the tree begins at the goal

    @classmethod
    def root(cls, moves: int = _ALL_MOVES, goal_blank: int | None = None) -> Cursor:
        """Return the cursor of a whole tree, or of the part that starts with some moves."""
        return cls((Position(b"", moves),), goal_blank)

    def to_bytes(self) -> bytes:
        return cursor_bytes.encode(self.positions, self.goal_blank)

    @classmethod
    def from_bytes(cls, data: bytes) -> Cursor:
        """Decode a cursor of this or an earlier version."""
        pairs, goal_blank = cursor_bytes.decode(data)
        positions = tuple(Position(path, moves) for path, moves in pairs)
        branches = sorted(_branches(positions))
        for branch, following in pairwise(branches):
            if following.startswith(branch):
                raise InputError(
                    "cursor-repeats",
                    "{cursor!r} is not a search cursor: it tries a move twice",
                    cursor=data.hex()[:80],
                )
        return cls(positions, goal_blank)

    def ends(self, board: Board, goal: Board) -> tuple[Board, Board]:
        """Return the root of a puzzle's tree, and the board to reach."""
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
        """Return the solution that corresponds to a path through the tree."""
        return path if self.goal_blank is None else reverse_moves(path)

    def split(self) -> tuple[Cursor, Cursor] | None:
        """Split the cursor; the first half contains the first position. None for a single move."""
        if len(self.positions) < 2:
            return self._split_moves()
        halves: tuple[list[int], list[int]] = ([], [])
        sizes = [0.0, 0.0]
        shortest = min(len(path) for path, _ in self.positions)
        estimates = [
            moves.bit_count() * BRANCHING ** (shortest - len(path))
            for path, moves in self.positions
        ]
        # Assign the positions to the smaller half, starting with the largest.
        for index in sorted(range(len(estimates)), key=lambda index: -estimates[index]):
            half = int(sizes[1] < sizes[0])
            halves[half].append(index)
            sizes[half] += estimates[index]
        first, second = sorted(sorted(half) for half in halves)
        return self._select(first), self._select(second)

    def share(self, board: Board) -> float:
        """Return the remaining share of the tree, from 0 to 1."""
        left = 0.0
        shares = [1.0]
        previous = b""
        blanks = [board.blank if self.goal_blank is None else self.goal_blank]
        if blanks[0] >= board.size.cells:
            raise illegal_move(board, 0)
        legal = [_legal_moves(board, blanks[0], None)]
        steps = blank_steps(board.width)
        for path, moves in self.positions:
            depth = cursor_bytes.common_length(previous, path)
            for stack in (shares, legal, blanks):
                del stack[depth + 1 :]
            for index in range(depth, len(path)):
                move = path[index]
                if not legal[index] >> move & 1:
                    raise illegal_move(board, index)
                shares.append(shares[index] / legal[index].bit_count())
                blanks.append(blanks[index] + steps[move])
                legal.append(_legal_moves(board, blanks[-1], move))
            previous = path
            if legal_here := legal[-1]:
                left += shares[-1] / legal_here.bit_count() * (moves & legal_here).bit_count()
        return left

    def _split_moves(self) -> tuple[Cursor, Cursor] | None:
        if not self.positions:
            return None
        ((path, moves),) = self.positions
        untried = [1 << move for move in range(4) if moves >> move & 1]
        if len(untried) < 2:
            return None
        half = (len(untried) + 1) // 2
        return (
            Cursor((Position(path, sum(untried[:half])),), self.goal_blank),
            Cursor((Position(path, sum(untried[half:])),), self.goal_blank),
        )

    def _select(self, indices: Iterable[int]) -> Cursor:
        return Cursor(tuple(self.positions[index] for index in indices), self.goal_blank)


def too_deep() -> Message:
    """Return the message for paths that are too long for a node."""
    return Message(
        "search-moves", "searches are limited to paths of {max} moves", max=MAX_DEPTH - 1
    )


def illegal_move(board: Board, index: int) -> InputError:
    """Return the error for an illegal move in a cursor's path."""
    return InputError(
        "cursor-move",
        "move {position} of the cursor's path is illegal on {board}",
        position=index + 1,
        board=repr(board),
    )


def _legal_moves(board: Board, blank: int, last: int | None) -> int:
    undo = 0 if last is None else 1 << (last ^ 1)
    return int(legal_moves(blank, *board.size)) & ~undo


def _branches(positions: Iterable[Position]) -> Iterator[bytes]:
    for path, moves in positions:
        for move in range(4):
            if moves >> move & 1:
                yield path + bytes([move])


@dataclass(frozen=True, slots=True)
class SearchedPart:
    """The part of a cursor that is not in other cursors."""

    residual: Cursor  # covers this part without the inner nodes
    inner_nodes: int  # nodes between the roots of the cursor and those of the other cursors


def difference(full: Cursor, remaining: Iterable[Cursor]) -> SearchedPart | None:
    """Subtract cursors from a cursor; None if they are not part of it."""
    returned = list(remaining)
    ends = {cursor.goal_blank for cursor in returned}
    if full == Cursor.root() and len(ends) == 1:
        full = Cursor.root(goal_blank=ends.pop())
    elif not ends <= {full.goal_blank}:
        return None
    left: dict[bytes, int] = {}
    for path, moves in (position for cursor in returned for position in cursor.positions):
        if left.get(path, 0) & moves:
            return None
        left[path] = left.get(path, 0) | moves
    inner: set[bytes] = set()
    for path in left:
        # Neighbouring positions share most of their paths.
        depth = len(path)
        while depth >= 0 and path[:depth] not in inner:
            inner.add(path[:depth])
            depth -= 1
    searched: list[Position] = []
    inner_nodes = 0
    stack = [(path, moves) for path, moves in reversed(full.positions)]
    while stack:
        path, moves = stack.pop()
        untried = left.pop(path, 0)
        inner_moves = [
            move for move in range(4) if moves >> move & 1 and path + bytes([move]) in inner
        ]
        inner_mask = sum(1 << move for move in inner_moves)
        if untried & ~moves or untried & inner_mask:
            return None
        if searched_moves := moves & ~untried & ~inner_mask:
            searched.append(Position(path, searched_moves))
        inner_nodes += len(inner_moves)
        stack += [(path + bytes([move]), _ALL_MOVES) for move in inner_moves]
    if left:
        return None
    return SearchedPart(Cursor(tuple(searched), full.goal_blank), inner_nodes)
