"""Reading boards and goals as people write them.

Accepted, with the blank as ``0 X x _ .`` or empty between commas::

    3               Princeton's file: the side, then the rows
    0 1 3
    4 2 5
    7 8 6

    0 1 3 4 2 5 7 8 6            a flat list, with spaces or commas
    (0 1 3 4 2 5 7 8 6)          the same in brackets
    0 1 3 / 4 2 5 / 7 8 6        rows parted by / or by newlines
    [[0,1,3],[4,2,5],[7,8,6]]    rows as JSON
    3x2: 1 2 3 4 5 0             any of these after width x height

A single row is a square board where its count is a square; for another size the width has to be
said. A first line of one number n before n·n more is always Princeton's side.
"""

from __future__ import annotations

import re
from itertools import pairwise
from math import isqrt

from core.errors import BoardSyntaxError
from core.formats.board_pieces import Pieces, cut, error_at, quoted
from core.puzzle import goals
from core.puzzle.board import MAX_SIDE, Board, Size
from core.puzzle.permutation import KERNEL_CELLS, describe_fault, fault_place, is_permutation

_PREFIX = re.compile(r"\s*([0-9]{1,9})\s*[xX×*]\s*([0-9]{1,9})\s*:")


def read_board(text: str, width: int | None = None) -> Board:
    """Read a board in any of the accepted forms.

    Parameters
    ----------
    text : str
    width : int, optional
        In cells; needed for a flat list that is not square.

    Raises
    ------
    BoardSyntaxError
        At text that is no board; the message quotes the piece with its line and column.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    prefix = _PREFIX.match(text)
    given = Size(int(prefix[1]), int(prefix[2])) if prefix else None
    if given and not all(1 <= side <= MAX_SIDE for side in given):
        raise error_at(text, prefix.start(1), f"{given} is no size; sides go from 1 to {MAX_SIDE}")
    pieces = cut(text, prefix.end() if prefix else 0)
    if not pieces.row_ends:
        raise BoardSyntaxError(f"{quoted(text)} holds no board; write one as in 0 1 3 4 2 5 7 8 6")
    if given is None:
        given, pieces = _without_header(text, pieces)
    if given and width is not None and width != given.width:
        raise BoardSyntaxError(f"the text says {given}, but the width asked for is {width}")
    if given is None:
        given = _size_of(text, pieces, width)
    _check_rows(text, pieces, given)
    return _board(text, pieces, given)


def read_goal(text: str, size: Size) -> Board:
    """Read a goal: its name (``blank-last``, ``blank-first``, ``spiral`` or ``snail``) or a board.

    Raises
    ------
    BoardError
        If it is neither, or a board of another size.
    """
    if goals.is_name(text):
        return goals.named(text, size)
    try:
        goal = read_board(text, None if _PREFIX.match(text) else size.width)
    except BoardSyntaxError as error:
        if re.search("[0-9]", text):
            raise
        offered = ", ".join(goals.GoalName)
        raise BoardSyntaxError(
            f"{quoted(text)} is not a goal; goals are {offered}, or a board", error.line, error.column
        ) from None
    if goal.size != size:
        raise BoardSyntaxError(f"a goal of {goal.size} does not fit a board of {Size(*size)}")
    return goal


def _without_header(text: str, pieces: Pieces) -> tuple[Size | None, Pieces]:
    """Take Princeton's first line, the side alone, off the pieces."""
    if pieces.row_ends[0] != 1 or len(pieces.row_ends) < 2:
        return None, pieces
    side = int(pieces.values[0])
    rest = pieces.values.size - 1
    only_ones = pieces.row_ends[-1] == len(pieces.row_ends)
    if only_ones and rest != side * side:
        return None, pieces
    if not 1 <= side <= MAX_SIDE:
        raise error_at(
            text,
            pieces.offset_of(0),
            f"the first line says {side} tiles a side; sides go from 1 to {MAX_SIDE}",
        )
    ends = [rest] if only_ones else [end - 1 for end in pieces.row_ends[1:]]
    return Size(side, side), Pieces(
        pieces.values[1:], ends, lambda place: pieces.offset_of(place + 1)
    )


def _size_of(text: str, pieces: Pieces, width: int | None) -> Size:
    """The size of a board that does not say it: by its rows, the asked width, or as a square."""
    count = pieces.values.size
    rows = len(pieces.row_ends)
    if rows > 1:
        wide = pieces.row_ends[0]
        if width is not None and width != wide:
            if wide != 1:
                raise BoardSyntaxError(f"the rows have {wide} tiles, the width asked for is {width}")
            wide, rows = width, count // width if width > 0 else 0
        size = Size(wide, rows)
    elif width is not None:
        size = Size(width, count // width if width > 0 else 0)
    else:
        side = isqrt(count)
        if side * side != count:
            raise error_at(
                text,
                pieces.offset_of(count - 1),
                f"{count} tiles, the last {int(pieces.values[-1])}, are not a square; "
                "say the width, as in 4x3: before the tiles",
            )
        size = Size(side, side)
    if not all(1 <= side <= MAX_SIDE for side in size) or (
        len(pieces.row_ends) == 1 and size.cells != count
    ):
        raise BoardSyntaxError(
            f"{count} tiles do not fill rows of {size.width}; sides go from 1 to {MAX_SIDE}"
        )
    return size


def _check_rows(text: str, pieces: Pieces, size: Size) -> None:
    """Check that the rows are as wide as the board, or everything is in one row or column."""
    ends = pieces.row_ends
    count = pieces.values.size
    flat = len(ends) == 1 or ends[-1] == len(ends)
    if not flat:
        for row, (before, end) in enumerate(pairwise([0, *ends])):
            if end - before != size.width:
                last = int(pieces.values[end - 1])
                raise error_at(
                    text,
                    pieces.offset_of(end - 1),
                    f"row {row + 1} has {end - before} tiles, the last {last}, "
                    f"where a row has {size.width}",
                )
    if count != size.cells:
        place = min(count, size.cells + 1) - 1
        word = "goes beyond" if count > size.cells else "ends short of"
        raise error_at(
            text,
            pieces.offset_of(place),
            f"{int(pieces.values[place])}, number {place + 1} of {count}, {word} "
            f"the {size.cells} cells of {size}",
        )


def _board(text: str, pieces: Pieces, size: Size) -> Board:
    values = pieces.values
    if not is_permutation(values):
        message = f"not each of 0 to {values.size - 1} once: {describe_fault(values)}"
        if values.size > KERNEL_CELLS:
            raise BoardSyntaxError(message)
        place = fault_place(values)
        raise error_at(
            text, pieces.offset_of(place), f"{int(values[place])} is wrong here; {message}"
        )
    return Board.trusted(values.astype("int32"), size)
