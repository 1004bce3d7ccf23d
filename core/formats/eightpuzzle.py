"""A solution as a program of Brazilian courses prints it: boards, arrows, what the search took.

Its words are Portuguese in every language, as they are there. What is not known of a search has
no line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tilework.core.formats.frames import frames
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import MoveSequence


@dataclass(frozen=True, slots=True)
class Effort:
    """What is told of the search behind a solution; None for what is not known.

    Attributes
    ----------
    visited : int or None
        Nodes taken up, the goal among them.
    max_frontier : int or None
        Nodes that waited at most.
    heuristic : str or None
        Its name, such as ``h2``.
    """

    visited: int | None = None
    max_frontier: int | None = None
    heuristic: str | None = None


def eightpuzzle(start: Board, moves: MoveSequence, effort: Effort) -> Iterator[str]:
    """Yield one board at a time, a ``|`` and a ``v`` between two, then the figures.

    Raises
    ------
    ReplayError
        At the first move that no tile can make.
    """
    digits = len(str(start.size.cells - 1))

    def row_text(row: list[int]) -> str:
        return "|" + " ".join(str(tile or "X").rjust(digits) for tile in row) + "|"

    middle = (start.width * (digits + 1) + 1) // 2 + 1
    arrow = f"{'|'.rjust(middle)}\n{'v'.rjust(middle)}\n"
    gap = ""
    for lines in frames(start, moves, row_text):
        yield gap + "\n".join(lines) + "\n"
        gap = arrow
    yield "\n"
    yield from figures(len(moves), effort)


def figures(length: int, effort: Effort) -> Iterator[str]:
    """Yield the figures alone, which is the program's short form."""
    for words, figure in (
        ("Número de nodos visitados", effort.visited),
        ("Maior quantidade de nodos na fronteira", effort.max_frontier),
        ("Número de passos", length),
        ("Heurística utilizada", effort.heuristic),
    ):
        if figure is not None:
            yield f"## {words}: {figure}\n"
