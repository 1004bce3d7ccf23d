"""Which searches a portfolio is made of, by size of board: the one place that names them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from core.puzzle.board import Board, Size
from core.puzzle.moves import Moves
from core.search.limits import Limits
from core.solver.kernels.constants import MAX_BEAM_CELLS
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
    reverses : bool
        Whether the problem with start and goal exchanged is as good.
    """

    search: BeamSearch
    algorithm: Algorithm
    first_width: int
    board_bytes: int
    nodes_a_move: float = 2.2
    reverses: bool = True


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


_EFFORTS = (Effort(50, 500), Effort(100, 2_000), Effort(150, 10_000))


def searches_for(goal: Board, pdb_folder: Path | None) -> Searches:
    """Return what is tried on the boards of a goal.

    Parameters
    ----------
    goal : Board
        At least 2 × 2.
    pdb_folder : Path or None
        Folder of the pattern databases; the user's cache folder by default.
    """
    if goal.size.cells > MAX_BEAM_CELLS:
        return Searches()
    from core.solver.large.beam import beam_search
    from core.solver.options import has_partitions

    beams = Beams(
        partial(beam_search, pdb_folder=pdb_folder),
        Algorithm.BEAM,
        first_width=1_000,
        board_bytes=_board_bytes(goal.size),
        # Goals that begin with the blank anywhere have no pattern databases.
        reverses=not has_partitions(goal),
    )
    windows = Windows(partial(_search_window, pdb_folder), Algorithm.BEAM, _EFFORTS)
    return Searches(beams=beams, windows=windows)


def _board_bytes(size: Size) -> int:
    # Two levels; three candidates with their place in a table at most four times as long.
    return 2 * (size.cells + 32) + 3 * (32 + 4 * 8)


def _search_window(
    pdb_folder: Path | None,
    start: Board,
    end: Board,
    moves: Moves,
    width: int,
    *,
    limits: Limits,
) -> Outcome:
    from core.solver.large.beam import beam_search

    return beam_search(
        start, end, width, limits=limits, pdb_folder=pdb_folder, upper_bound=len(moves)
    )
