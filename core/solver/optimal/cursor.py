"""Cursors: the unsearched part of a depth-first search, as a value.

A cursor is a list of positions in the tree: paths from the root, each with the untried moves at its
end. It allows a search to stop anywhere, to resume in another process, and to hand over half of its
work. The cursor of a search that expands nodes in batches has about a hundred positions.

A puzzle has two trees: from its board to the goal, and from the goal to the board.

In bytes, version 2 encodes a position as the length of the path that it shares with the previous
position, the number of further moves, then the untried moves and the further moves, two per byte.
Neighbouring positions on a stack share most of their paths. Version 3, for trees that start at the
goal, begins with the goal's blank cell and is otherwise like version 2. Version 1 was a path with
the untried moves at each depth.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, pairwise
from typing import NamedTuple

from tilework.core.errors import InputError
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves, blank_steps, move_tables, reverse_moves
from tilework.core.solver.kernels.depth_first.search import MAX_DEPTH

_VERSION, _VERSION_1, _VERSION_FROM_GOAL = 2, 1, 3
_CONTINUATION_BIT = 0x80
MAX_POSITIONS = 10_000  # to decode; the cursor of a search has about a hundred

_ALL_MOVES = 0b1111
_MOVE_BYTES = [bytes([move]) for move in range(4)]
_MOVES = [[move for move in range(4) if moves >> move & 1] for moves in range(16)]

# Average number of children of a node after pruning, to estimate the size of subtrees
BRANCHING = 2.1


class Position(NamedTuple):
    path: bytes  # move codes from the root
    # Untried moves at the end of the path, bit m for move m; illegal and pruned ones are ignored
    moves: int


@dataclass(frozen=True, slots=True)
class Cursor:
    positions: tuple[Position, ...]  # in search order; none is in the subtree of another
    goal_blank: int | None = None  # the goal's blank cell if the tree begins at the goal

    @classmethod
    def root(cls, moves: int = _ALL_MOVES, goal_blank: int | None = None) -> Cursor:
        """Return the cursor of a whole tree, or of the part that starts with the given moves."""
        return cls((Position(b"", moves),), goal_blank)

    def to_bytes(self) -> bytes:
        goal_blank = self.goal_blank
        data = bytearray([_VERSION] if goal_blank is None else [_VERSION_FROM_GOAL, goal_blank])
        previous = b""
        for path, moves in self.positions:
            depth = _common_prefix_length(previous, path)
            data += _encode_number(depth) + _encode_number(len(path) - depth)
            codes = [moves, *path[depth:]]
            data += bytes(
                codes[index] << 4 | (codes[index + 1] if index + 1 < len(codes) else 0)
                for index in range(0, len(codes), 2)
            )
            previous = path
        return bytes(data)

    @classmethod
    def from_bytes(cls, data: bytes) -> Cursor:
        """Decode a cursor of this or an earlier version."""
        return _decode(data)

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
        """Split the cursor; the first half contains the first position. None if it has one move."""
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
        blank = board.blank if self.goal_blank is None else self.goal_blank
        if blank >= board.size.cells:
            raise illegal_move_error(board, 0)
        legal_moves = move_tables(board.size)[1].tolist()
        steps = blank_steps(board.width)
        share = 0.0
        shares, blanks, legal, previous = [1.0], [blank], [legal_moves[blank]], b""
        # Neighbouring paths in alphabetical order share most of their moves.
        for path, moves in sorted(self.positions):
            depth = _common_prefix_length(previous, path)
            for stack in (shares, legal, blanks):
                del stack[depth + 1 :]
            for index in range(depth, len(path)):
                move = path[index]
                if not legal[index] >> move & 1:
                    raise illegal_move_error(board, index)
                shares.append(shares[index] / legal[index].bit_count())
                blanks.append(blanks[index] + steps[move])
                legal.append(legal_moves[blanks[-1]] & ~(1 << (move ^ 1)))
            previous = path
            if last_legal := legal[-1]:
                share += shares[-1] / last_legal.bit_count() * (moves & last_legal).bit_count()
        return share

    def _split_moves(self) -> tuple[Cursor, Cursor] | None:
        if not self.positions:
            return None
        ((path, moves),) = self.positions
        move_bits = [1 << move for move in _MOVES[moves]]
        if len(move_bits) < 2:
            return None
        half = (len(move_bits) + 1) // 2
        return (
            Cursor((Position(path, sum(move_bits[:half])),), self.goal_blank),
            Cursor((Position(path, sum(move_bits[half:])),), self.goal_blank),
        )

    def _select(self, indices: Iterable[int]) -> Cursor:
        return Cursor(tuple(self.positions[index] for index in indices), self.goal_blank)


@lru_cache(maxsize=32)  # a proof's check decodes each cursor several times
def _decode(data: bytes) -> Cursor:
    positions, goal_blank = _read_positions(data)
    branches = sorted(_list_branches(positions))
    for branch, next_branch in pairwise(branches):
        if next_branch.startswith(branch):
            raise InputError(
                "cursor-repeats",
                "{cursor!r} is not a search cursor: it tries a move twice",
                cursor=data.hex()[:80],
            )
    return Cursor(tuple(positions), goal_blank)


def _read_positions(data: bytes) -> tuple[Sequence[Position], int | None]:
    """Decode positions of any version, and the goal's blank if the tree starts at the goal."""
    try:
        if data[:1] == bytes([_VERSION_1]):
            return _decode_version_1(data[1:]), None
        if data[:1] in (bytes([_VERSION]), bytes([_VERSION_FROM_GOAL])):
            numbers = iter(data[1:])
            goal_blank = next(numbers) if data[0] == _VERSION_FROM_GOAL else None
            positions = list(islice(_decode_positions(numbers), MAX_POSITIONS + 1))
            if len(positions) <= MAX_POSITIONS:
                return positions, goal_blank
    except (ValueError, StopIteration, RuntimeError):
        pass
    raise InputError(
        "cursor-version",
        "{cursor!r} is not a search cursor of version {version}",
        cursor=data.hex()[:80],
        version=_VERSION,
    )


def _common_prefix_length(path: bytes, other: bytes) -> int:
    """Return the length of the common prefix of two paths."""
    for index, (move, other_move) in enumerate(zip(path, other, strict=False)):
        if move != other_move:
            return index
    return min(len(path), len(other))


def _decode_positions(data: Iterator[int]) -> Iterator[Position]:
    previous = b""
    for first in data:
        depth = _decode_number(data, first)
        count = _decode_number(data, next(data))
        if depth > len(previous) or depth + count > MAX_DEPTH:
            raise ValueError
        codes = [code for _ in range(count // 2 + 1) for code in divmod(next(data), 16)]
        moves, path = codes[0], previous[:depth] + bytes(codes[1 : 1 + count])
        if not moves or any(codes[1 + count :]) or max(path, default=0) > 3:
            raise ValueError
        yield Position(path, moves)
        previous = path


def _decode_version_1(steps: bytes) -> list[Position]:
    too_long = len(steps) > MAX_DEPTH + 1
    if not steps or too_long or max(steps) > 0x3F or steps[-1] > _ALL_MOVES:
        raise ValueError
    path = bytes(step >> 4 for step in steps[:-1])
    untried = [step & _ALL_MOVES for step in steps]
    # The deepest position is searched first.
    deepest_first = reversed(range(len(untried)))
    return [Position(path[:depth], untried[depth]) for depth in deepest_first if untried[depth]]


def _encode_number(value: int) -> bytes:
    out = bytearray()
    while value >= _CONTINUATION_BIT:
        out.append(value & _CONTINUATION_BIT - 1 | _CONTINUATION_BIT)
        value >>= 7
    out.append(value)
    return bytes(out)


def _decode_number(data: Iterator[int], first: int) -> int:
    value, shift, byte = first & _CONTINUATION_BIT - 1, 7, first
    while byte & _CONTINUATION_BIT:
        if shift > 14:
            raise ValueError
        byte = next(data)
        value |= (byte & _CONTINUATION_BIT - 1) << shift
        shift += 7
    return value


def depth_message() -> Message:
    """Return the message for paths that are too long."""
    return Message(
        "search-moves", "searches are limited to paths of {max} moves", max=MAX_DEPTH - 1
    )


def illegal_move_error(board: Board, index: int) -> InputError:
    """Return the error for an illegal move in a cursor's path."""
    return InputError(
        "cursor-move",
        "move {position} of the cursor's path is illegal on {board}",
        position=index + 1,
        board=repr(board),
    )


def _list_branches(positions: Iterable[Position]) -> Iterator[bytes]:
    for path, moves in positions:
        for move in _MOVES[moves]:
            yield path + _MOVE_BYTES[move]


@dataclass(frozen=True, slots=True)
class CursorDifference:
    """The part of a cursor that is not in other cursors."""

    residual: Cursor  # this part without the inner nodes
    inner_nodes: int  # number of nodes between the roots of the cursor and those of the others


def difference(
    full: Cursor, remaining: Iterable[Cursor], board: Board, goal: Board
) -> CursorDifference | None:
    """Subtract cursors from a cursor; return None if they are not part of it.

    The residual only contains moves that are legal and do not undo the last one.
    """
    cursors = list(remaining)
    goal_blanks = {cursor.goal_blank for cursor in cursors}
    if full == Cursor.root() and len(goal_blanks) == 1:
        full = Cursor.root(goal_blank=goal_blanks.pop())
    elif not goal_blanks <= {full.goal_blank}:
        return None
    if full.goal_blank not in (None, goal.blank):
        return None
    untried_by_path: dict[bytes, int] = {}
    for path, moves in (position for cursor in cursors for position in cursor.positions):
        if untried_by_path.get(path, 0) & moves:
            return None
        untried_by_path[path] = untried_by_path.get(path, 0) | moves
    inner_moves_by_path: dict[bytes, int] = {}
    for path in untried_by_path:
        for depth in range(len(path) - 1, -1, -1):
            parent, move = path[:depth], 1 << path[depth]
            inner_moves = inner_moves_by_path.get(parent, 0)
            if inner_moves & move:
                break  # neighbouring positions share most of their paths
            inner_moves_by_path[parent] = inner_moves | move
    steps, legal_moves = (table.tolist() for table in move_tables(board.size))
    root = board.blank if full.goal_blank is None else goal.blank
    residual: list[Position] = []
    inner_nodes = 0
    stack = [
        (path, moves, root + sum(steps[move] for move in path))
        for path, moves in reversed(full.positions)
    ]
    while stack:
        path, moves, blank = stack.pop()
        untried = untried_by_path.pop(path, 0)
        inner_moves = moves & inner_moves_by_path.get(path, 0)
        legal = legal_moves[blank] & ~(1 << (path[-1] ^ 1)) if path else legal_moves[blank]
        if untried & ~moves or inner_moves & (untried | ~legal):
            return None
        if searched_moves := moves & legal & ~untried & ~inner_moves:
            residual.append(Position(path, searched_moves))
        inner_nodes += inner_moves.bit_count()
        for move in _MOVES[inner_moves]:
            stack.append((path + _MOVE_BYTES[move], _ALL_MOVES, blank + steps[move]))
    if untried_by_path:
        return None
    return CursorDifference(Cursor(tuple(residual), full.goal_blank), inner_nodes)
