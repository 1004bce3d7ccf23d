"""solve(): plan, search, replay, in this process."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from core.errors import BoardError, UnsolvableError
from core.optimal.options import check_options
from core.plan import Run
from core.puzzle.board import Board, Size
from core.puzzle.goals import blank_last
from core.puzzle.solvability import explain, is_solvable
from core.search.catalogue import Algorithm, Heuristic
from core.search.limits import Limits
from core.search.result import ProgressListener, SearchResult
from core.search.target import Target


def solve(
    board: Board,
    goal: Board,
    *,
    target: Target | None = None,
    limits: Limits | None = None,
    algorithm: Algorithm = Algorithm.AUTO,
    heuristic: Heuristic = Heuristic.AUTO,
    progress: ProgressListener | None = None,
    databases: Path | None = None,
) -> SearchResult:
    """Find the best solution that the target asks for and the limits allow.

    Parameters
    ----------
    board, goal : Board
        Of one size, at least one cell.
    target : Target, optional
        The optimum where left out.
    limits : Limits, optional
        None where left out: an optimal search of a large board may then take years.
    algorithm : Algorithm
        ``AUTO`` plans: boards of up to nine cells go to A*, those of over 36 to a short IDA*
        where the goal seems near. Others, and what that leaves, get a constructive solution,
        then, up to 16 cells, A* until its memory is full (not 4×4, whose pattern databases are
        better), from 17 to 64, beams for about a second; then, up to 36 cells, IDA*, with a beam
        aimed at each threshold before it begins.
        The other values run that algorithm alone.
    heuristic : Heuristic
        What ``algorithm`` is to search with. Without an algorithm, ``AUTO`` chooses among those
        that know the heuristic.
    progress : callable, optional
        Called some times a second.
    databases : Path, optional
        Folder of the pattern databases; the user's cache folder by default.

    Returns
    -------
    SearchResult
        Its solution was replayed. ``stopped_by`` is None where the plan came to its end, also
        where that leaves a gap (boards of over 36 cells).

    Raises
    ------
    BoardError
        For a goal of another size.
    UnsolvableError
        Where no moves lead to the goal.
    OptionError
        For an algorithm or a heuristic that cannot take a board of this size.
    """
    if board.size != goal.size:
        raise BoardError(f"a goal of {goal.size} does not fit a board of {board.size}")
    if not is_solvable(board, goal):
        raise UnsolvableError(
            f"no moves lead from this {board.size} board to its goal", explain(board, goal).words
        )
    check_options(goal, algorithm, heuristic)
    run = Run(board, goal, target or Target(), limits or Limits(), heuristic, progress, databases)
    if 1 in board.size:
        run.slide()
    elif algorithm is Algorithm.CONSTRUCTIVE:
        run.construct()
    elif algorithm is Algorithm.BEAM:
        run.beam()
    elif algorithm is Algorithm.A_STAR:
        run.a_star(run.limits.memory_bytes)
    elif algorithm is Algorithm.IDA_STAR:
        run.ida_star(None)
    else:
        run.plan()
    return run.result()


def warm_up(databases: Path | None = None) -> None:
    """Load or compile the kernels of every search, and quick databases of 4×4 and 5×5.

    Numba keeps what it compiled on disk, so that only a host's first process takes long. Better
    databases are built elsewhere, in the background.
    """
    _try_each(_SEARCHES, databases)


def warm_up_beams(databases: Path | None = None) -> None:
    """Load or compile what no board of up to 16 cells waits for: beams, and larger boards' own."""
    _try_each(_LARGE, databases)


def _try_each(trials: Iterable[tuple[Size, Algorithm]], databases: Path | None) -> None:
    for size, algorithm in trials:
        goal = blank_last(size)
        solve(next(goal.neighbors()), goal, algorithm=algorithm, databases=databases)


_SEARCHES = (
    (Size(3, 3), Algorithm.A_STAR),
    (Size(4, 4), Algorithm.IDA_STAR),
    (Size(5, 5), Algorithm.IDA_STAR),
    (Size(5, 5), Algorithm.CONSTRUCTIVE),
)
_LARGE = (
    (Size(5, 5), Algorithm.BEAM),
    (Size(7, 6), Algorithm.BEAM),
    (Size(7, 6), Algorithm.AUTO),
)
