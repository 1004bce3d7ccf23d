"""Finds solutions with few slides, and lower bounds."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilework.core.compiling import loading
from tilework.core.machine import user_databases
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.canonical import canonicalize
from tilework.core.puzzle.metric import BoundProof, Metric, count_slides
from tilework.core.puzzle.moves import NO_MOVES, Moves, MoveSequence
from tilework.core.puzzle.replay import replay
from tilework.core.search.limits import Limits, Statistics, StopReason, search_clock
from tilework.core.solver.kernels.constants import EXHAUSTED, FOUND, NO_F
from tilework.core.solver.kernels.slides import (
    BLANK,
    DEPTH,
    EXPANDED,
    GENERATED,
    NEXT_THRESHOLD,
    REPORT_LENGTH,
    search_slides,
)
from tilework.core.solver.pdb.files import Databases, open_or_build
from tilework.core.solver.result import (
    Outcome,
    Progress,
    ProgressListener,
    SearchedThreshold,
    SearchResult,
    SlidesResult,
    SolutionListener,
)
from tilework.core.solver.slides.patterns import SlidePatterns, SlideTables
from tilework.core.solver.solve import solve
from tilework.core.solver.strategy import SLIDES_CELLS
from tilework.core.solver.target import Algorithm, Target, TargetKind

CHUNK = 1_000_000  # boards to generate between two checks of the limits: about 0.1 s
_PROGRESS_INTERVAL_S = 0.2


def ida_star_slides(
    board: Board,
    tables: SlideTables,
    limits: Limits,
    progress: ProgressListener | None = None,
    *,
    until: int | None = None,
    searched: tuple[SearchedThreshold, ...] = (),
) -> SlidesResult:
    """Search for a solution with the fewest slides to the goal of the tables.

    ``searched``: the thresholds that an earlier call has exhausted.
    """
    started = reported = search_clock()
    threshold = searched[-1].next if searched else tables.estimate(board)
    generated = expanded = 0
    thresholds = list(searched)

    def result(moves: Moves | None, stopped_by: StopReason | None) -> SlidesResult:
        statistics = Statistics(expanded, generated, search_clock() - started)
        return SlidesResult(
            threshold,
            moves,
            Algorithm.IDA_STAR,
            statistics,
            stopped_by,
            engine=f"{board.width}x{board.height} slides",
            thresholds=tuple(thresholds),
        )

    if board == tables.goal:
        return result(NO_MOVES, None)
    while until is None or threshold < until:
        start_nodes, start_seconds = generated, search_clock() - started
        walk = _Walk(board, tables, threshold)
        status = None
        while status not in (FOUND, EXHAUSTED):
            status = walk.search(limits.budget(CHUNK, generated))
            generated += int(walk.report[GENERATED])
            expanded += int(walk.report[EXPANDED])
            seconds = search_clock() - started
            if status == FOUND:
                return result(walk.moves(), None)
            if (stopped_by := limits.check(seconds, generated)) is not None:
                return result(None, stopped_by)
            if progress is not None and started + seconds - reported >= _PROGRESS_INTERVAL_S:
                reported = started + seconds
                progress(Progress(threshold, None, generated, seconds))
        next_threshold = int(walk.report[NEXT_THRESHOLD])
        fields = (threshold, generated - start_nodes, seconds - start_seconds, next_threshold)
        thresholds.append(SearchedThreshold(*fields))
        threshold = next_threshold
    return result(None, None)


class _Walk:
    def __init__(self, board: Board, tables: SlideTables, threshold: int) -> None:
        self._tables = tables
        self._threshold = threshold
        self._cells = board.cells.astype(np.int64)
        self._indices = tables.indices(board.cells)
        self._directions = np.zeros(threshold + 2, dtype=np.int64)
        self._steps = np.zeros(threshold + 2, dtype=np.int64)
        self.report = np.zeros(REPORT_LENGTH, dtype=np.int64)
        self.report[BLANK] = board.blank
        self.report[NEXT_THRESHOLD] = NO_F

    def search(self, budget: int) -> int:
        tables = self._tables
        status: int = search_slides(
            tables.entries, tables.shifts, tables.neighbors, self._threshold, budget,
            self._cells, self._indices, self._directions, self._steps, self.report,
        )  # fmt: skip
        return status

    def moves(self) -> Moves:
        depth = int(self.report[DEPTH])
        return np.repeat(self._directions[:depth], self._steps[:depth]).astype(np.uint8)


_TILE_BITS = 4
_NO_DIRECTION = -1

Column = NDArray[Any]


class _Level(NamedTuple):
    """Boards at one distance from the start, by columns."""

    cells: Column
    blanks: Column
    indices: Column  # of the entries, by pattern
    origins: Column  # the board on the previous level
    directions: Column  # of the last slide, as move codes
    steps: Column  # number of tiles in the last slide

    def select(self, rows: Column) -> _Level:
        return _Level(*(column[rows] for column in self))


def slide_beam(
    board: Board, tables: SlideTables, width: int, limits: Limits, upper_bound: int
) -> Outcome:
    """Look for a solution with fewer slides than a bound; keep the best boards of each level.

    The maximum of a board's estimates prunes it, and their sum orders the remaining boards.
    """
    started, nodes = search_clock(), 0
    blank, indices = np.array([board.blank]), tables.indices(board.cells)[None]
    none = np.zeros(1, dtype=np.int64)
    levels = [_Level(board.cells[None], blank, indices, none, none + _NO_DIRECTION, none)]
    for room in range(upper_bound - 2, -1, -1):
        if (stopped_by := limits.check(search_clock() - started, nodes)) is not None:
            return Outcome(None, nodes, search_clock() - started, stopped_by)
        children = _expand(levels[-1], tables)
        nodes += children.blanks.size
        estimates = tables.entries[children.indices]
        highest = estimates.max(axis=1)
        if (solved := np.flatnonzero(highest == 0)).size:
            moves = _read_moves([*levels, children], int(solved[0]))
            return Outcome(moves, nodes, search_clock() - started, None)
        kept = _find_unique(children, np.flatnonzero(highest <= room))
        totals = estimates[kept].sum(axis=1, dtype=np.int64)
        levels.append(children.select(kept[np.argsort(totals, kind="stable")[:width]]))
    return Outcome(None, nodes, search_clock() - started, None)


def _expand(level: _Level, tables: SlideTables) -> _Level:
    """Make all slides along the line that the last one was not along."""
    parts: list[_Level] = []
    for direction in range(4):
        rows = np.flatnonzero(
            (level.directions == _NO_DIRECTION) | (level.directions // 2 != direction // 2)
        )
        part = level.select(rows)._replace(origins=rows)
        for steps in range(1, max(tables.goal.size)):
            targets = tables.neighbors[part.blanks, direction].astype(np.int64)
            legal = np.flatnonzero(targets >= 0)
            part, targets = part.select(legal), targets[legal]
            rows = np.arange(legal.size)
            tiles = part.cells[rows, targets]
            part.cells[rows, part.blanks] = tiles
            part.cells[rows, targets] = 0
            part = part._replace(
                blanks=targets,
                indices=part.indices + tables.shifts[direction, tiles],
                directions=np.full(legal.size, direction),
                steps=np.full(legal.size, steps),
            )
            parts.append(part)
    return _Level(*map(np.concatenate, zip(*parts, strict=True)))


def _find_unique(level: _Level, rows: Column) -> Column:
    """Return one row for each board and each line of its last slide."""
    # The last cell follows from the others.
    cells = level.cells[rows, :-1].astype(np.int64)
    keys = (cells << _TILE_BITS * np.arange(cells.shape[1])).sum(axis=1)
    _, first = np.unique(2 * keys + level.directions[rows] // 2, return_index=True)
    return rows[first]


def _read_moves(levels: list[_Level], row: int) -> Moves:
    slides: list[Moves] = []
    for level in levels[:0:-1]:
        slides.append(np.full(level.steps[row], level.directions[row], dtype=np.uint8))
        row = int(level.origins[row])
    return np.concatenate(slides[::-1])


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
    databases = open_or_build(patterns, (pdb_folder or user_databases()) / FOLDER)
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
