"""Whether what a search found may be told: its tables were sound, and the solution agrees.

An estimate from pattern databases is at most what is left of any solution, and is odd or even as
that is. Along a solution, wrong entries seldom keep to both.
"""

from __future__ import annotations

from collections.abc import Iterator

from tilework.core.errors import DamagedFileError
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves, blank_steps
from tilework.core.solver.optimal.engines import Engine, nothing_to_confirm


def confirm(engine: Engine, board: Board, moves: Moves | None) -> None:
    """Check an engine's stored tables before something is told that rests on them.

    Parameters
    ----------
    engine : Engine
    board : Board
    moves : uint8 array or None
        A solution of the board, if there is one.

    Raises
    ------
    DamagedFileError
        If the tables were changed while they were in use, or contradict the solution.
    """
    if engine.confirm is nothing_to_confirm:
        return
    engine.confirm()
    if moves is not None:
        _check_along(engine, board, moves)


def _check_along(engine: Engine, board: Board, moves: Moves) -> None:
    for made, here in enumerate(_boards(board, moves)):
        left = len(moves) - made
        estimate = engine.start(here).estimate
        if estimate > left or (left - estimate) % 2:
            raise DamagedFileError(
                "file-estimate",
                "the tables of {engine} estimate {estimate} moves where a solution has {left}",
                engine=engine.name,
                estimate=estimate,
                left=left,
            )


def _boards(board: Board, moves: Moves) -> Iterator[Board]:
    """Yield the board before each move, and the last one."""
    ways = blank_steps(board.width)
    cells, blank = board.cells.copy(), board.blank
    yield board
    for move in moves:
        tile = blank + ways[move]
        cells[blank], cells[tile] = cells[tile], 0
        blank = tile
        yield Board.trusted(cells.copy(), board.size, blank)
