"""Finds solutions with few slides, and lower bounds."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from tilework.core.compiling import loading
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.canonical import canonicalize
from tilework.core.puzzle.metric import BoundProof, Metric, count_slides
from tilework.core.puzzle.moves import MoveSequence
from tilework.core.puzzle.replay import replay
from tilework.core.search.limits import Limits, Statistics, StopReason, search_clock
from tilework.core.solver.options import SLIDES_CELLS
from tilework.core.solver.pdb.files import Databases, default_folder, open_or_build
from tilework.core.solver.result import (
    Progress,
    ProgressListener,
    SearchedThreshold,
    SearchResult,
    SlidesResult,
    SolutionListener,
)
from tilework.core.solver.slides.beam import slide_beam
from tilework.core.solver.slides.patterns import SlidePatterns, SlideTables
from tilework.core.solver.slides.search import ida_star_slides
from tilework.core.solver.solve import solve
from tilework.core.solver.target import Algorithm, Target, TargetKind

DEFAULT_SECONDS = 10.0  # for boards of more than 16 cells, for which there is no optimal search
FOLDER = "slides"  # within the folder of the pattern databases
OPTIMAL = Target()
# A solution that takes more nodes is first shortened by beams, for a few seconds
_EASY_NODES = 10_000_000
_BEAM_WIDTHS = (1_000, 3_000, 10_000, 30_000)


def find_slides(
    board: Board,
    goal: Board,
    *,
    target: Target = OPTIMAL,
    limits: Limits | None = None,
    progress: ProgressListener | None = None,
    on_solution: SolutionListener | None = None,
    pdb_folder: Path | None = None,
) -> SlidesResult:
    """Find a solution with few slides; with the fewest, on boards of up to 16 cells.

    The solution of a board that takes longer is first shortened by beams. On larger boards, it is
    that of a search for few moves, in which consecutive moves in the same direction count as one
    slide. ``on_solution`` is
    called with the lower bound in slides and a solution whenever either improves, at most several
    times a second.
    """
    limits = limits or Limits()
    started = search_clock()
    is_provable = board.size.cells <= SLIDES_CELLS
    if not is_provable and limits.seconds is None and limits.nodes is None:
        limits = replace(limits, seconds=DEFAULT_SECONDS)
    by_moves = Target(TargetKind.ANY) if is_provable else target
    initial = _search_by_moves(
        board,
        goal,
        by_moves,
        limits,
        progress=progress,
        on_solution=on_solution,
        pdb_folder=pdb_folder,
    )
    is_met = target.is_met_by(initial.lower_bound, initial.upper_bound)
    if not is_provable or is_met or initial.stopped_by is StopReason.CANCELLED:
        return initial
    form = canonicalize(board, goal)
    tables, databases = open_slide_tables(form.goal, pdb_folder)

    def report(state: Progress) -> None:
        nonlocal initial
        if progress is not None:
            progress(state)
        moves = initial.moves
        if (
            state.lower_bound > initial.lower_bound
            and on_solution is not None
            and moves is not None
        ):
            databases.confirm()
            initial = replace(initial, lower_bound=state.lower_bound)
            effort = Statistics(generated=state.nodes, seconds=state.seconds)
            on_solution(replace(initial, statistics=initial.statistics + effort))

    def remaining() -> Limits:
        return limits.after(search_clock() - started, initial.statistics.generated)

    def prove(limits: Limits, searched: tuple[SearchedThreshold, ...] = ()) -> SlidesResult:
        # The threshold of a known solution, which has most of the nodes, need not be searched.
        return ida_star_slides(
            form.board, tables, limits, report, until=initial.slides, searched=searched
        )

    def add(effort: Statistics, moves: MoveSequence | None, algorithm: str) -> None:
        nonlocal initial
        databases.confirm()
        initial = replace(initial, statistics=initial.statistics + effort)
        if moves is not None:
            moves = form.transform.from_canonical(moves[:])
            replay(board, moves, goal)
            initial = replace(initial, moves=moves, algorithm=algorithm)

    left = remaining()
    search = prove(replace(left, nodes=left.budget(_EASY_NODES)))
    add(search.statistics, search.moves, search.algorithm)
    if search.stopped_by is StopReason.NODES and initial.slides is not None:
        for width in _BEAM_WIDTHS:
            beam = slide_beam(form.board, tables, width, remaining(), initial.slides)
            add(Statistics(generated=beam.nodes), beam.moves, Algorithm.BEAM)
            if beam.moves is not None and on_solution is not None:
                on_solution(initial)
        search = prove(remaining(), search.thresholds)
        add(search.statistics, search.moves, search.algorithm)
    result = replace(
        initial,
        lower_bound=max(search.lower_bound, initial.lower_bound),
        statistics=replace(initial.statistics, seconds=search_clock() - started),
        stopped_by=search.stopped_by,
        bound_proof=BoundProof.SEARCH,
        engine=initial.engine if search.moves is None else search.engine,
        thresholds=search.thresholds if search.lower_bound >= initial.lower_bound else (),
    )
    return replace(result, stopped_by=None) if result.optimal else result


def open_slide_tables(goal: Board, pdb_folder: Path | None) -> tuple[SlideTables, Databases]:
    """Return the tables of a canonical goal of up to 16 cells, and the databases to confirm."""
    patterns = SlidePatterns(goal.size, goal.blank)
    if not patterns.is_stored:
        return _build_in_memory(patterns)
    databases = open_or_build(patterns, (pdb_folder or default_folder()) / FOLDER)
    return SlideTables(patterns, databases.entries), databases


def _search_by_moves(
    board: Board,
    goal: Board,
    target: Target,
    limits: Limits,
    *,
    progress: ProgressListener | None,
    on_solution: SolutionListener | None,
    pdb_folder: Path | None,
) -> SlidesResult:
    """Search for few moves; return the solution with the fewest slides of all that were found."""
    best: tuple[MoveSequence, str, str | None] | None = None
    lower, upper = 0, None

    def raise_bound(moves: int) -> None:
        nonlocal lower
        lower = max(lower, Metric.SLIDES.bound(moves, board.size))

    def keep_best(found: SearchResult) -> None:
        nonlocal best, upper
        raise_bound(found.lower_bound)
        if found.moves is None:
            return
        slides = count_slides(found.moves)
        if upper is not None and slides >= upper:
            return
        replay(board, found.moves, goal)
        best, upper = (found.moves, found.algorithm, found.engine), slides
        if on_solution is not None:
            on_solution(replace(found, lower_bound=lower))

    def report(state: Progress) -> None:
        raise_bound(state.lower_bound)
        if progress is not None:
            progress(replace(state, lower_bound=lower, upper_bound=upper))

    def is_met() -> bool:
        return target.is_met_by(lower, upper)

    result = solve(
        board,
        goal,
        # Other targets have a different meaning in slides.
        target=target if target.kind is TargetKind.ANY else OPTIMAL,
        limits=replace(limits, cancelled=lambda: is_met() or limits.cancelled()),
        progress=report,
        pdb_folder=pdb_folder,
        on_solution=keep_best,
    )
    keep_best(result)
    moves, algorithm, engine = best or (None, result.algorithm, result.engine)
    return SlidesResult(
        lower,
        moves,
        algorithm,
        result.statistics,
        None if is_met() else result.stopped_by,
        result.bound_proof,
        engine,
    )


@lru_cache(maxsize=8)
@loading
def _build_in_memory(patterns: SlidePatterns) -> tuple[SlideTables, Databases]:
    entries = patterns.build()
    entries.flags.writeable = False
    return SlideTables(patterns, entries), Databases(entries)
