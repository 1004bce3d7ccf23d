"""``tilework scramble``: random boards that can be solved."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated

import typer

from tilework.core.cli.boards import goal_of
from tilework.core.cli.options import GoalText
from tilework.core.errors import OptionError
from tilework.core.puzzle.board import MAX_SIDE, Board, Size
from tilework.core.puzzle.scramble import scramble as scrambled

_SIZE = re.compile(r"(\d+)(?:[x×X*](\d+))?")


class BoardFormat(StrEnum):
    """How to write a board."""

    LINE = "line"
    GRID = "grid"
    JSON = "json"


def scramble(
    size: Annotated[
        str, typer.Argument(metavar="SIZE", help="4 for 4×4, or width x height as in 5x3")
    ],
    *,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0, metavar="N", help="The same seed gives the same boards.", show_default=False
        ),
    ] = None,
    moves: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="N",
            help="Walk this many random moves from the goal; without it every solvable board is "
            "equally likely.",
            show_default=False,
        ),
    ] = None,
    goal: GoalText = "blank-last",
    count: Annotated[int, typer.Option(min=1, metavar="N", help="How many boards.")] = 1,
    output: Annotated[
        BoardFormat, typer.Option("--format", help="How to write a board.")
    ] = BoardFormat.LINE,
) -> None:
    """Print random solvable boards, one a line."""
    wanted = size_of(size)
    end = goal_of(goal, wanted)
    for board in _boards(wanted, end, seed, moves, count):
        print(_written(board, output))


def size_of(text: str) -> Size:
    """Read ``4`` or ``5x3``.

    Raises
    ------
    OptionError
        If the text is not a size; it is quoted.
    """
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise OptionError(
            "size-text",
            "invalid size {text!r}; give a side, as in 4, or width x height, as in 5x3",
            text=text[:40],
        )
    width = int(match[1])
    size = Size(width, int(match[2]) if match[2] else width)
    if not all(1 <= side <= MAX_SIDE for side in size):
        raise OptionError(
            "size-range",
            "invalid size {text!r}: sides go from 1 to {most}",
            text=text[:40],
            most=MAX_SIDE,
        )
    return size


def _boards(
    size: Size, goal: Board, seed: int | None, moves: int | None, count: int
) -> Iterator[Board]:
    """With a seed, the first board has that seed and each further one the next."""
    for place in range(count):
        yield scrambled(size, goal, None if seed is None else seed + place, moves)


def _written(board: Board, output: BoardFormat) -> str:
    if output is BoardFormat.GRID:
        return str(board)
    if output is BoardFormat.JSON:
        return json.dumps(board.cells.reshape(board.height, board.width).tolist())
    prefix = "" if board.width == board.height else f"{board.width}x{board.height}: "
    return prefix + " ".join(map(str, board.cells.tolist()))
