"""A solution as a program in Common Lisp prints it: the board after each move, as a vector.

Its words are Portuguese in every language, as they are there.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from tilework.core.formats.frames import frames
from tilework.core.formats.tiles import tiles
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import MoveSequence


def lisp(start: Board, moves: MoveSequence) -> Iterator[str]:
    """Yield the board after each move, then the number of moves and the tiles that slide.

    Raises
    ------
    ReplayError
        At the first move that no tile can make.
    """

    def row_text(row: list[int]) -> str:
        return " ".join(map(str, row))

    for lines in islice(frames(start, moves, row_text), 1, None):
        yield f"#({' '.join(lines)})\n"
    yield f"Número de movimentos: {len(moves)}\n"
    yield "Ordem de peças a serem movidas: ("
    yield from tiles(start, moves)
    yield ")\n"
