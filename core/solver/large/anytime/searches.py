"""Which searches a portfolio is made of, by size of board: the one place that names them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from core.puzzle.board import Board, Size
from core.puzzle.moves import Moves
from core.search.limits import Limits
from core.solver.large.outcome import Outcome
from core.solver.names import Algorithm


class FirstSearch(Protocol):
    """A search that finds some solution of any board."""

    def __call__(self, board: Board, goal: Board, *, limits: Limits) -> Outcome:
        """Look for a solution."""


class BeamSearch(Protocol):
    """A search of a whole board, by levels of so many boards."""

    def __call__(
        self, board: Board, goal: Board, width: int, *, limits: Limits, upper_bound: int | None
    ) -> Outcome:
        """Look for a solution that is shorter than the bound."""


class WindowSearch(Protocol):
    """A search for a shorter way from one board of a path to another."""

    def __call__(
        self, start: Board, end: Board, moves: Moves, width: int, *, limits: Limits
    ) -> Outcome:
        """Look for fewer moves than these from start to end."""


@dataclass(frozen=True, slots=True)
class First:
    """What finds the first solution that is worth to be improved."""

    search: FirstSearch
    algorithm: Algorithm


@dataclass(frozen=True, slots=True)
class Beams:
    """Beams of any width.

    Attributes
    ----------
    first_width : int
        Where the widths begin, if there is time.
    board_bytes : int
        Memory for each board of the width, all arrays together.
    nodes_a_move : float
        Nodes for each board of the width and move of the solution, before any was measured.
    """

    search: BeamSearch
    algorithm: Algorithm
    first_width: int
    board_bytes: int
    nodes_a_move: float = 2.2


@dataclass(frozen=True, slots=True)
class Effort:
    """How windows are searched: moves of each, and the width of its beam."""

    length: int
    width: int


@dataclass(frozen=True, slots=True)
class Windows:
    """Windows of a path, and the efforts at them, the least first."""

    search: WindowSearch
    algorithm: Algorithm
    efforts: tuple[Effort, ...]


@dataclass(frozen=True, slots=True)
class Searches:
    """What is tried on a board; None where there is nothing of the kind."""

    first: First | None = None
    beams: Beams | None = None
    windows: Windows | None = None


_EFFORTS = (Effort(100, 500), Effort(150, 2_000), Effort(200, 10_000))


def searches_for(size: Size) -> Searches:
    """Return what is tried on the boards of a size, both sides at least 2."""
    # Here, so that whoever only wants the types loads no kernels.
    from core.solver.large.learned.search import LARGEST_SIDE, learned_beam
    from core.solver.large.learned.window import shorter_way

    windows = Windows(shorter_way, Algorithm.BEAM, _EFFORTS)
    if max(size) > LARGEST_SIDE:
        return Searches(windows=windows)
    beams = Beams(learned_beam, Algorithm.BEAM, first_width=1_000, board_bytes=_board_bytes(size))
    return Searches(beams=beams, windows=windows)


def _board_bytes(size: Size) -> int:
    """Return the bytes that a learned beam takes for each board of its width."""
    # Two levels of labels and of codes with a border; candidates, hashes, and where all come from.
    return 4 * size.cells + 2 * (size.width + 1) * (size.height + 2) + 600
