"""Boards of the public package."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tilework.core.arguments import check_text, invalid, optional
from tilework.core.errors import BoardError, MissingBoardError, MoveError
from tilework.core.formats.board_text import read_board, read_goal
from tilework.core.formats.solutions import BLANK_DIRECTIONS
from tilework.core.messages import Message
from tilework.core.puzzle import board as core
from tilework.core.puzzle.board import Size, check_side
from tilework.core.puzzle.embedding import embed
from tilework.core.puzzle.goals import GoalName, named_goal
from tilework.core.puzzle.moves import LETTERS, from_letters, legal_moves
from tilework.core.puzzle.replay import apply, replaying_input
from tilework.core.puzzle.scramble import scramble as draw_board

BoardLike = core.Board | str | Sequence[int] | Sequence[Sequence[int]]
"""A board, its text in any format, its tiles, or its rows."""


class Board(core.Board):
    """An immutable, hashable board of tiles and one blank.

    Parameters
    ----------
    tiles : str, sequence of int, sequence of rows, or ndarray of whole numbers
        Text in any format of ``docs/formats.md``, such as ``"8 1 3 / 4 0 2 / 7 6 5"``; or
        ``width * height`` numbers, row by row, 0 or None for the blank.
    width, height : int, optional
        From 1 to 32,768; optional if rows are given or the count is a square.

    Raises
    ------
    BoardError
        If the numbers are not a permutation of 0 .. n-1 or do not fill the size, or if the text is
        not a board; the message says where and why.
    TypeError
        For None.
    """

    __slots__ = ()

    def __init__(
        self,
        tiles: str | Sequence[int] | Sequence[Sequence[int]] | NDArray[np.integer],
        width: int | None = None,
        height: int | None = None,
    ) -> None:
        _check_given(tiles)
        if isinstance(tiles, str):
            read = read_board(tiles, optional(check_side, "width", width))
            tiles, width, height = read.cells, read.width, height or read.height
        super().__init__(tiles, width, height)

    @classmethod
    def of(cls, board: BoardLike) -> Self:
        """Return a board from any of its representations.

        Raises
        ------
        BoardError
            If it is invalid.
        TypeError
            For None.
        """
        if isinstance(board, cls):
            return board
        if isinstance(board, core.Board):
            return cls.trusted(board.cells, board.size, board.blank)
        return cls(board)

    @classmethod
    def goal(
        cls, width: int, height: int | None = None, name: GoalName | str = GoalName.BLANK_LAST
    ) -> Self:
        """Return a named goal; square if no height is given."""
        return cls.of(named_goal(check_text("name", name), _make_size(width, height)))

    def equals(self, other: object) -> bool:
        """Same as ``==``."""
        return self == other

    def moved(self, moves: str) -> Self:
        """Return the board after moves, named by the directions of the tiles: ``"LURD"``.

        Raises
        ------
        MoveError
            For an unknown letter or an illegal move.
        """
        with replaying_input():
            return self.of(apply(self, from_letters(check_text("moves", moves))))

    def possible_moves(self) -> list[str]:
        """Return the directions in which the *blank* can move: ``up``, ``down`` and so on."""
        legal = legal_moves(self.blank, *self.size)
        return [name for code, name in enumerate(BLANK_DIRECTIONS) if legal >> code & 1]

    def move(self, direction: str) -> Self:
        """Return the board after the *blank* has moved, as in ``board.move("up")``.

        `moved` takes the directions of the tiles instead.

        Raises
        ------
        MoveError
            For a direction that is not one of `possible_moves`.
        """
        possible = self.possible_moves()
        if isinstance(direction, str) and direction in possible:
            return self.moved(LETTERS[BLANK_DIRECTIONS.index(direction)])
        allowed = Message("one-of", "one of {expected}", expected=", ".join(possible))
        raise MoveError(invalid("direction", direction, allowed))

    def _repr_svg_(self) -> str:
        """Draw the board in a notebook."""
        from tilework.core.drawing.svg import board_svg

        return board_svg(self, named_goal(GoalName.BLANK_LAST, self.size))

    def embedded(
        self,
        width: int,
        height: int | None = None,
        *,
        goal: GoalName | str = GoalName.BLANK_LAST,
    ) -> Self:
        """Return a larger board that has this one as a part and is solved by the same moves.

        All other tiles are on their goal cells. The larger board may have shorter solutions.

        Parameters
        ----------
        width, height : int
            Of the larger board; square if no height is given.
        goal : str
            The name of the goal of both boards.

        Raises
        ------
        BoardError
            If no part of that size has the blank of the goal on the same cell.
        """
        return self.of(embed(self, _make_size(width, height), check_text("goal", goal)))

    def twin(self) -> Self:
        """Return this board with its first two tiles exchanged.

        Exactly one of a board and its twin is solvable, unless they are one cell wide or high.

        Raises
        ------
        BoardError
            If the board has fewer than two tiles.
        """
        cells = [cell for cell in range(min(3, self.size.cells)) if cell != self.blank][:2]
        if len(cells) < 2:
            raise BoardError("no-twin", "{size} boards have no two tiles to swap", size=self.size)
        tiles = self.cells.copy()
        tiles[cells] = tiles[cells[::-1]]
        return self.trusted(tiles, self.size, self.blank)


def resolve_goal(goal: BoardLike | GoalName, size: Size) -> Board:
    """Return a goal for boards of a size, given by name or as a board."""
    return Board.of(read_goal(goal, size) if isinstance(goal, str) else goal)


def read_puzzle(board: BoardLike, goal: BoardLike | GoalName) -> tuple[Board, Board]:
    start = Board.of(board)
    return start, resolve_goal(goal, start.size)


def _check_given(value: Any) -> None:
    if value is None:
        raise MissingBoardError(
            "missing-board",
            "expected a board, got None; use a board, its text, its tiles or its rows",
        )


def _make_size(width: int, height: int | None) -> Size:
    width = check_side("width", width)
    return Size(width, width if height is None else check_side("height", height))


def scramble(
    width: int,
    height: int | None = None,
    *,
    seed: int | None = None,
    moves: int | None = None,
    goal: BoardLike | GoalName = GoalName.BLANK_LAST,
) -> Board:
    """Return a random solvable board.

    Parameters
    ----------
    width, height : int
        In cells; square if no height is given.
    seed : int, optional
        From 0; the same seed gives the same board.
    moves : int, optional
        Number of random moves from the goal, up to 10**9. By default every solvable board is
        equally likely.
    goal : Board or its name or text

    Raises
    ------
    TileworkError
        For an invalid size, seed, number of moves or goal.
    """
    size = _make_size(width, height)
    return Board.of(draw_board(size, resolve_goal(goal, size), seed, moves))
