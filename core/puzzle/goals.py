"""The standard goals, and whether a goal can be reached, with an explanation.

The textbook argument, for any goal: number the tiles by their order in the goal (row by row,
without the blank). A horizontal move does not change the order. A vertical move takes a tile past
``width − 1`` others, which changes the parity of the inversions if the width is even. So the parity
of the inversions (odd width), or of the inversions plus the rows between the blank and its goal row
(even width), never changes, and it is even at the goal. Some courses add the blank's row, counted
from 0 at the top, instead of that distance. The parity must then be that of the goal, which is odd
if the goal's blank is in the last of four rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, NoReturn

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import BoardError, UnsolvableError
from tilework.core.messages import Message
from tilework.core.puzzle.arrangement import inverse
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.phrases import goal_size, unknown_goal


class GoalName(StrEnum):
    """The named goals; any other board can be a goal, too."""

    BLANK_LAST = "blank-last"
    BLANK_FIRST = "blank-first"
    SPIRAL = "spiral"
    COLUMNS = "columns"
    DESCENDING = "descending"

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        raise BoardError(unknown_goal(str(value)[:40], ", ".join(cls)))


def blank_last(size: Size) -> Board:
    """Return ``1 2 3 … 0``, the standard goal."""
    return blank_at(size, size.cells - 1)


def blank_first(size: Size) -> Board:
    """Return ``0 1 2 …``, the goal of Korf's benchmarks."""
    return blank_at(size, 0)


def blank_at(size: Size, blank: int) -> Board:
    """Return tiles ``1 2 3 …`` in reading order around a blank on the given cell, from 0."""
    cells = np.arange(1, size.cells + 1, dtype=np.int32)
    cells[blank] = 0
    cells[blank + 1 :] -= 1
    return Board.trusted(cells, Size(*size), blank)


def has_blank_in_corner(goal: Board) -> bool:
    """Whether mirroring alone moves the goal's blank to the last cell."""
    row, column = divmod(goal.blank, goal.width)
    return row in (0, goal.height - 1) and column in (0, goal.width - 1)


def spiral(size: Size) -> Board:
    """Return 1 2 3 … in a clockwise spiral from the first cell inwards, the blank at the end."""
    width, height = size
    cells = np.zeros((height, width), dtype=np.int32)
    top, left, bottom, right = 0, 0, height, width
    tile = 1
    while top < bottom and left < right:
        tile = _fill(cells[top, left:right], tile)
        tile = _fill(cells[top + 1 : bottom, right - 1], tile)
        if bottom - top > 1:
            tile = _fill(cells[bottom - 1, left : right - 1][::-1], tile)
        if right - left > 1:
            tile = _fill(cells[top + 1 : bottom - 1, left][::-1], tile)
        top, left, bottom, right = top + 1, left + 1, bottom - 1, right - 1
    cells[cells == size.cells] = 0
    return Board.trusted(cells.reshape(-1), Size(*size))


def columns(size: Size) -> Board:
    """Return 1 2 3 … column by column, the blank last."""
    width, height = size
    cells = np.arange(1, size.cells + 1, dtype=np.int32).reshape(width, height).T
    return Board.trusted(cells.reshape(-1) % size.cells, Size(*size))


def descending(size: Size) -> Board:
    """Return … 3 2 1 and the blank."""
    return Board.trusted(np.arange(size.cells - 1, -1, -1, dtype=np.int32), Size(*size))


def _fill(line: np.ndarray[tuple[int, ...], np.dtype[np.int32]], tile: int) -> int:
    line[:] = np.arange(tile, tile + line.size)
    return tile + line.size


_FACTORIES = {
    GoalName.BLANK_LAST: blank_last,
    GoalName.BLANK_FIRST: blank_first,
    GoalName.SPIRAL: spiral,
    GoalName.COLUMNS: columns,
    GoalName.DESCENDING: descending,
    "snail": spiral,
}


def is_goal_name(text: str) -> bool:
    """Whether a string is the name of a goal (``snail`` is an alias of spiral)."""
    return _normalize(text) in _FACTORIES


def named_goal(name: str, size: Size) -> Board:
    """Return a goal by name, ignoring case; ``_`` is read as ``-``."""
    key = _normalize(name)
    return _FACTORIES[key if key in _FACTORIES else GoalName(name)](size)


def reachable_goals(board: Board) -> list[GoalName]:
    """Return the named goals that a board can reach."""
    return [name for name in GoalName if board.is_solvable(named_goal(name, board.size))]


def _normalize(name: str) -> str:
    return name.strip().lower().replace("_", "-")


MAX_EXPLAINED_CELLS = 1_000_000  # counting inversions takes a hundred bytes per cell
MAX_PAIRS = 100  # maximum number of inverted pairs to list


class Convention(StrEnum):
    """A sum whose parity no move changes.

    The inversions only; plus the rows between the blank and its goal row; or plus the blank's row,
    counted from 0 at the top.
    """

    INVERSIONS = "inversions"
    BLANK_DISTANCE = "blank-distance"
    BLANK_ROW = "blank-row"


@dataclass(frozen=True, slots=True)
class Parity:
    """A sum whose parity never changes, and the parity that it has on solvable boards."""

    convention: Convention
    sum: int
    solvable_if: Literal["even", "odd"]


@dataclass(frozen=True, slots=True)
class Explanation:
    solvable: bool
    inversions: int  # pairs of tiles in the opposite order to the goal's
    blank_row: int  # the blank's row, from 1
    blank_distance: int  # rows between the blank and its goal row
    sum: int  # must be even: the inversions, plus ``blank_distance`` if the width is even
    # The sum by each convention: one if the width is odd, two if it is even, none on a board one
    # cell wide or high
    parities: tuple[Parity, ...]
    message: Message  # the argument as sentences

    @property
    def words(self) -> str:
        return str(self.message)


def check_goal(start: Board, goal: Board) -> None:
    if start.size != goal.size:
        raise BoardError(goal_size(goal.size, start.size))


def check_solvable(start: Board, goal: Board) -> None:
    """Raise UnsolvableError, with an explanation up to `MAX_EXPLAINED_CELLS`."""
    if not start.is_solvable(goal):
        is_explained = start.size.cells <= MAX_EXPLAINED_CELLS
        raise UnsolvableError(
            "unsolvable",
            "this {size} board cannot reach its goal",
            size=start.size,
            explanation=explain(start, goal).message if is_explained else None,
            reachable_goals=reachable_goals(start) if is_explained else (),
        )


def explain(start: Board, goal: Board) -> Explanation:
    check_goal(start, goal)
    width = start.width
    inversions = count_inversions(_ranks(start, goal))
    row, goal_row = start.blank // width, goal.blank // width
    distance = abs(row - goal_row)
    total = inversions + (distance if width % 2 == 0 else 0)
    parities: tuple[Parity, ...] = ()
    if 1 in start.size:
        solvable = inversions == 0
        argument = _line_argument(solvable)
    elif width % 2:
        solvable = total % 2 == 0
        parities = (Parity(Convention.INVERSIONS, total, "even"),)
        argument = Message(
            "parity",
            "{invariant} {verdict}",
            invariant=_odd_invariant(width, inversions),
            verdict=_verdict(total),
        )
    else:
        solvable = total % 2 == 0
        by_row = Parity(Convention.BLANK_ROW, inversions + row, "odd" if goal_row % 2 else "even")
        parities = (Parity(Convention.BLANK_DISTANCE, total, "even"), by_row)
        argument = Message(
            "parities",
            "{invariant} {verdict} {by_row}",
            invariant=_even_invariant(width, inversions, row + 1, goal_row + 1),
            verdict=_verdict(total),
            by_row=_row_argument(inversions, row, by_row.solvable_if),
        )
    return Explanation(solvable, inversions, row + 1, distance, total, parities, argument)


def inverted_pairs(start: Board, goal: Board) -> list[tuple[int, int]]:
    """List pairs of tiles whose order is opposite to the goal's."""
    ranks = _ranks(start, goal)
    tiles = start.cells[start.cells != 0]
    pairs = np.argwhere(np.triu(ranks[:, np.newaxis] > ranks, k=1))[:MAX_PAIRS]
    return [(int(tiles[first]), int(tiles[second])) for first, second in pairs]


def _line_argument(solvable: bool) -> Message:
    if solvable:
        return Message(
            "line-in-order",
            "On a board one cell wide or high, tiles can never pass each other. They are in "
            "the goal's order, so the goal can be reached.",
        )
    return Message(
        "line-out-of-order",
        "On a board one cell wide or high, tiles can never pass each other. They are not in "
        "the goal's order, so the goal cannot be reached.",
    )


def _odd_invariant(width: int, inversions: int) -> Message:
    return Message(
        "odd-width",
        "Inversions (pairs of tiles in the opposite order to the goal): {inversions}. The "
        "width, {width}, is odd, so no move changes whether the number of inversions is "
        "odd or even; at the goal it is even.",
        width=width,
        inversions=inversions,
    )


def _even_invariant(width: int, inversions: int, row: int, goal_row: int) -> Message:
    distance = abs(row - goal_row)
    return Message(
        "even-width",
        "Inversions (pairs of tiles in the opposite order to the goal): {inversions}. The "
        "blank is in row {row}; in the goal it is in row {goal_row}: distance {distance}. The "
        "width, {width}, is even, so no move changes the parity of inversions plus distance, "
        "and at the goal the sum is 0. Here the sum is {inversions} + {distance} = {sum}.",
        width=width,
        inversions=inversions,
        row=row,
        goal_row=goal_row,
        distance=distance,
        sum=inversions + distance,
    )


def _row_argument(inversions: int, row: int, solvable_if: str) -> Message:
    total = inversions + row
    values = {"inversions": inversions, "row": row, "sum": total}
    if solvable_if == "odd":
        return Message(
            "sum-by-row-odd",
            "Counting the blank's row from 0 at the top instead, the sum is {inversions} + "
            "{row} = {sum}; for this goal it must be odd.",
            **values,
        )
    return Message(
        "sum-by-row-even",
        "Counting the blank's row from 0 at the top instead, the sum is {inversions} + {row} = "
        "{sum}; for this goal it must be even.",
        **values,
    )


def _verdict(total: int) -> Message:
    if total % 2 == 0:
        return Message("even-sum", "{sum} is even, so the goal can be reached.", sum=total)
    return Message("odd-sum", "{sum} is odd, so the goal cannot be reached.", sum=total)


def _ranks(start: Board, goal: Board) -> NDArray[np.int32]:
    """Return the start's tiles in reading order, each as its rank in the goal's order."""
    goal_cells = inverse(goal.cells)
    ranks: NDArray[np.int32] = goal_cells[start.cells[start.cells != 0]]
    ranks -= ranks > goal.blank
    return ranks


def count_inversions(ranks: NDArray[np.integer]) -> int:
    """Count the inversions of a permutation of ``0 .. n-1``.

    A radix sort from the highest bit: among the numbers that agree in all higher bits, which are
    adjacent and in their original order, each 1 before a 0 is an inversion. Then zeros and ones are
    separated in a stable way. This takes log2(n) passes of array operations.
    """
    count = ranks.size
    values = ranks.astype(np.int64)
    positions = np.arange(count, dtype=np.int64)
    inversions = 0
    for bit in reversed(range(max(count - 1, 0).bit_length())):
        ones = values >> bit & 1
        ones_before = np.cumsum(ones) - ones
        group_starts = values >> (bit + 1) << (bit + 1)
        ones_in_group_before = ones_before - ones_before[group_starts]
        zeros = ones == 0
        inversions += int(ones_in_group_before[zeros].sum())
        zeros_in_group_before = positions - group_starts - ones_in_group_before
        targets = np.where(
            zeros,
            group_starts + zeros_in_group_before,
            group_starts + (1 << bit) + ones_in_group_before,
        )
        separated = np.empty_like(values)
        separated[targets] = values
        values = separated
    return inversions
