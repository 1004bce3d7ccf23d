"""find_slides(): few slides, and how few there must be."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.canonical import canonicalize
from tilework.core.puzzle.moves import Moves
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.slides import slides_in
from tilework.core.search.limits import Limits, StopReason
from tilework.core.search.statistics import Statistics
from tilework.core.solver.pdb.files import default_folder
from tilework.core.solver.pdb.store import open_or_build
from tilework.core.solver.pdb.watched import Databases, InMemory
from tilework.core.solver.result import ProgressListener
from tilework.core.solver.slides.patterns import MOST_CELLS, SlidePatterns
from tilework.core.solver.slides.search import ida_star_slides
from tilework.core.solver.slides.tables import SlideTables
from tilework.core.solver.solve import solve
from tilework.core.solver.target import Target, TargetKind

DEFAULT_SECONDS = 10.0
"""For boards of more than 16 cells, whose fewest slides nothing proves, where there is no limit."""

FOLDER = "slides"
"""Beside the other pattern databases, in their folder."""


@dataclass(frozen=True, slots=True)
class SlidesResult:
    """The best solution by slides, and what is proved of it.

    Attributes
    ----------
    lower_bound : int
        No solution has fewer slides; proved.
    moves : Moves or None
        Tile by tile; replayed. None where a limit came before any solution.
    stopped_by : StopReason or None
    """

    lower_bound: int
    moves: Moves | None
    statistics: Statistics = field(default_factory=Statistics)
    stopped_by: StopReason | None = None

    @property
    def slides(self) -> int | None:
        """Slides of the solution."""
        return None if self.moves is None else slides_in(self.moves)

    @property
    def optimal(self) -> bool:
        """Whether it is proved that none has fewer."""
        return self.slides == self.lower_bound


def find_slides(
    board: Board,
    goal: Board,
    *,
    limits: Limits | None = None,
    progress: ProgressListener | None = None,
    pdb_folder: Path | None = None,
) -> SlidesResult:
    """Find a solution of few slides: of the fewest on boards of up to 16 cells.

    Parameters
    ----------
    board, goal : Board
        Of one size.
    limits : Limits, optional
        Where one of time or nodes stops the proof, or the board is larger, the solution is what a
        search for few moves has found, of which each run in one direction is a slide.
    progress : callable, optional
        Called several times a second.
    pdb_folder : Path, optional
        Folder of the pattern databases; the user's cache folder by default.

    Raises
    ------
    BoardError, UnsolvableError
        As of `tilework.core.solver.solve.solve`.
    """
    limits = limits or Limits()
    began = time.perf_counter()
    quick = board.size.cells <= MOST_CELLS
    first = _by_moves(board, goal, limits, progress, pdb_folder, quick=quick)
    if not quick or first.optimal or first.stopped_by is StopReason.CANCELLED:
        return first
    form = canonicalize(board, goal)
    patterns = SlidePatterns(form.goal.size, form.goal.blank)
    tables, databases = _tables(patterns, pdb_folder)
    found = ida_star_slides(form.board, tables, _left(limits, first.statistics, began), progress)
    databases.confirm()
    moves = first.moves if found.moves is None else form.transform.from_canonical(found.moves)
    if moves is not None:
        replay(board, moves, goal)
    statistics = first.statistics + found.statistics
    result = SlidesResult(
        max(found.lower_bound, first.lower_bound),
        moves,
        replace(statistics, seconds=time.perf_counter() - began),
        found.stopped_by,
    )
    return replace(result, stopped_by=None) if result.optimal else result


def _by_moves(
    board: Board,
    goal: Board,
    limits: Limits,
    progress: ProgressListener | None,
    pdb_folder: Path | None,
    *,
    quick: bool,
) -> SlidesResult:
    """Find few moves, and take the solution on the way to them that has the fewest slides."""
    best: list[Moves] = []

    def take(_lower: int, moves: Moves, _algorithm: str) -> None:
        best.append(moves)
        best[:] = [min(best, key=slides_in)]

    if not quick and limits.seconds is None and limits.nodes is None:
        limits = replace(limits, seconds=DEFAULT_SECONDS)
    found = solve(
        board,
        goal,
        target=Target(TargetKind.ANY if quick else TargetKind.OPTIMAL),
        limits=limits,
        progress=None if quick else progress,
        pdb_folder=pdb_folder,
        found=take,
    )
    if found.moves is not None:
        take(found.lower_bound, found.moves, found.algorithm)
    # A slide moves at most a whole line but for the blank.
    most = max(board.size) - 1
    lower = -(-found.lower_bound // most) if most else 0
    moves = best[0] if best else None
    if moves is not None:
        replay(board, moves, goal)
    return SlidesResult(lower, moves, found.statistics, found.stopped_by)


def _left(limits: Limits, taken: Statistics, began: float) -> Limits:
    seconds, nodes = limits.seconds, limits.nodes
    if seconds is not None:
        seconds = max(0.0, seconds - (time.perf_counter() - began))
    return replace(
        limits,
        seconds=seconds,
        nodes=None if nodes is None else max(0, nodes - taken.generated),
    )


def _tables(patterns: SlidePatterns, pdb_folder: Path | None) -> tuple[SlideTables, Databases]:
    if not patterns.is_stored:
        return _in_memory(patterns)
    databases = open_or_build(patterns, (pdb_folder or default_folder()) / FOLDER)
    return SlideTables(patterns, databases.entries), databases


@lru_cache(maxsize=8)
def _in_memory(patterns: SlidePatterns) -> tuple[SlideTables, Databases]:
    entries = patterns.build()
    entries.flags.writeable = False
    return SlideTables(patterns, entries), InMemory(entries)
