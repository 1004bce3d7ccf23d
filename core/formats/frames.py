"""The boards of a solution as lines of text, one board after the other.

A move changes one or two rows, so only those are written anew; and no more than the present board
is held, however long the solution is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import MoveSequence
from tilework.core.puzzle.replay import blank_path


def frames(
    start: Board, moves: MoveSequence, row_text: Callable[[list[int]], str]
) -> Iterator[list[str]]:
    """Yield the rows of the start and of the board after each move; read them before going on.

    Parameters
    ----------
    row_text : callable
        Writes one row of tiles.

    Raises
    ------
    ReplayError
        At the first move that no tile can make.
    """
    width = start.width
    rows: list[list[int]] = start.cells.reshape(start.height, width).tolist()
    lines = [row_text(row) for row in rows]
    yield lines
    blank_row, blank_column = divmod(start.blank, width)
    for path in blank_path(start, moves):
        for cell in path.tolist():
            row, column = divmod(cell, width)
            rows[blank_row][blank_column] = rows[row][column]
            rows[row][column] = 0
            lines[row] = row_text(rows[row])
            if row != blank_row:
                lines[blank_row] = row_text(rows[blank_row])
            blank_row, blank_column = row, column
            yield lines
