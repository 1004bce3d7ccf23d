"""Analysis of a game: bounds on the remaining moves at every position, and mistakes."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from heapq import heapify, heappop, heappush
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import BoardError, DamagedFileError
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import check_solvable
from tilework.core.puzzle.moves import Moves, to_letters
from tilework.core.puzzle.phrases import goal_size
from tilework.core.puzzle.replay import replay
from tilework.core.search.limits import Limits, Statistics, StopReason, search_clock
from tilework.core.solver.analysis.bounds import Bounds
from tilework.core.solver.analysis.game import (
    EXACT_CELLS,
    Analysis,
    AnalysisListener,
    AnalysisProgress,
    Game,
    Loss,
)
from tilework.core.solver.heuristics.lower_bounds import distance_bound
from tilework.core.solver.kernels.constants import (
    EXHAUSTED,
    EXPANDED,
    FOUND,
    GENERATED,
    MAX_CELLS,
    MAX_NEARBY_MOVES,
)
from tilework.core.solver.optimal.cursor import Cursor
from tilework.core.solver.optimal.engine_choice import select_engine
from tilework.core.solver.optimal.engines import Engine
from tilework.core.solver.optimal.nearby import solve_nearby
from tilework.core.solver.optimal.slice import Walk, confirm
from tilework.core.solver.solve import solve

logger = logging.getLogger(__name__)

_ALL_MOVES = 0b1111


class EffortMeter:
    """Measures the time and nodes spent, and limits them."""

    def __init__(self, limits: Limits, tick: Callable[[], object]) -> None:
        def cancelled() -> bool:
            tick()
            return limits.cancelled()

        self._limits = replace(limits, cancelled=cancelled)
        self._started = search_clock()
        self._counts = Statistics()

    @property
    def seconds(self) -> float:
        return search_clock() - self._started

    @property
    def statistics(self) -> Statistics:
        return Statistics(self._counts.expanded, self._counts.generated, self.seconds)

    @contextmanager
    def share(self, fraction: float) -> Iterator[None]:
        """Limit the effort within the block to a share of the remaining effort."""
        outer_limits, remaining = self._limits, self.remaining()
        self._limits = replace(
            outer_limits,
            seconds=None
            if remaining.seconds is None
            else self.seconds + fraction * remaining.seconds,
            nodes=None
            if remaining.nodes is None
            else self._counts.generated + int(fraction * remaining.nodes),
        )
        try:
            yield
        finally:
            self._limits = outer_limits

    def add(self, statistics: Statistics) -> None:
        self._counts += statistics

    def chunk(self, maximum: int) -> int:
        return self._limits.budget(maximum, self._counts.generated)

    def remaining(self) -> Limits:
        return self._limits.after(self.seconds, self._counts.generated)

    def stopped_by(self) -> StopReason | None:
        return self._limits.check(self.seconds, self._counts.generated)


class Decision(NamedTuple):
    lower: int  # a proven lower bound
    path: Moves | None  # a replayed solution of that length; None if none was found


class Decider:
    def __init__(self, goal: Board, pdb_folder: Path | None) -> None:
        self._goal = goal
        self._folder = pdb_folder

    def estimates(self, boards: Collection[Board]) -> list[int]:
        engine = select_engine(self._goal, self._folder)
        starts = [engine.start(board) for board in boards]
        if starts:
            confirm(engine, starts[0], None)
        return [start.estimate for start in starts]

    def decide(self, board: Board, length: int, pruned: int, effort: EffortMeter) -> Decision:
        """Search for a solution whose length is the lower bound."""
        try:
            decision = self._search(board, length, pruned, effort)
        except DamagedFileError as error:
            # A changed file is not used again until its checksum is verified.
            logger.warning("%s; searching again without it", error)
            decision = self._search(board, length, pruned, effort)
        if decision.path is not None:
            replay(board, decision.path, self._goal)
        return decision

    def _search(self, board: Board, length: int, pruned: int, effort: EffortMeter) -> Decision:
        if board.size.cells > MAX_CELLS:
            return self._search_nearby(board, length, effort)
        return _search_threshold(
            select_engine(self._goal, self._folder), board, length, _ALL_MOVES & ~pruned, effort
        )

    def _search_nearby(self, board: Board, length: int, effort: EffortMeter) -> Decision:
        """Search a larger board if its goal is near."""
        if length > MAX_NEARBY_MOVES:
            return Decision(length, None)
        result = solve_nearby(board, self._goal, MAX_NEARBY_MOVES, effort.remaining())
        if result is None:
            return Decision(length, None)
        effort.add(result.statistics)
        moves = None if result.moves is None else result.moves[:]
        return Decision(max(length, result.lower_bound), moves)


def _search_threshold(
    engine: Engine, board: Board, length: int, first_moves: int, effort: EffortMeter
) -> Decision:
    start = engine.start(board)
    if start.estimate > length:
        confirm(engine, start, None)
        return Decision(start.estimate, None)
    walk = Walk(engine, start, length, Cursor.root(first_moves))
    while True:
        status = walk.search(effort.chunk(engine.chunk))
        effort.add(Statistics(int(walk.report[EXPANDED]), int(walk.report[GENERATED])))
        if status == FOUND:
            confirm(engine, start, walk.path)
            return Decision(length, walk.path)
        if status == EXHAUSTED:
            confirm(engine, start, None)
            return Decision(length + 2, None)
        if effort.stopped_by() is not None:
            return Decision(length, None)


# For boards of more than `EXACT_CELLS` cells, whose proofs may take years
DEFAULT_SECONDS: Final = 10.0

# Limit on the total moves and cells of all better paths, because clients replay them. Later losses
# have only the length of the path.
MAX_PATH_MOVES: Final = 200_000

_PROGRESS_INTERVAL_S: Final = 0.2

# Shares of the remaining effort: for a first solution, if the game does not end at its goal; for
# proofs, starting at the end of the game; for each search for a shorter solution
_FIRST_SHARE: Final = 0.3
_PROOF_SHARE: Final = 0.5
_IMPROVE_SHARE: Final = 0.4

_MIN_SECONDS: Final = 0.2
_MIN_NODES: Final = 10_000

# Total cells of the boards whose linear conflicts are counted; the others only have distances
_MAX_CONFLICT_CELLS: Final = 2_000_000


def analyse(
    board: Board,
    goal: Board,
    moves: Moves,
    *,
    limits: Limits | None = None,
    progress: AnalysisListener | None = None,
    pdb_folder: Path | None = None,
    threads: int = 1,
) -> Analysis:
    """Find bounds on the remaining moves at every position of a game.

    Parameters
    ----------
    board, goal : Board; of the same size, with at most 10,000 cells
    moves : Moves; the game, at most 10,000 moves; it need not end at the goal
    limits : Limits, optional; for the whole analysis. If neither time nor nodes are limited, boards
        of up to 16 cells are analysed completely, and larger ones for `DEFAULT_SECONDS`.

    Returns
    -------
    Analysis; every bound is proven, by a search or by a replayed solution

    Notes
    -----
    A move changes the remaining moves by one, up or down. So if they are known for a position, only
    two lengths are possible for its neighbours, and a single threshold of IDA* (Korf, "Depth-first
    iterative-deepening: an optimal admissible tree search", Artificial Intelligence 27, 1985)
    decides between them. The analysis starts at the end of the game. Moves to boards that are known
    to be too far from the goal are pruned, and a solution settles every position on its path.
    """
    if board.size != goal.size:
        raise BoardError(goal_size(goal.size, board.size))
    check_solvable(board, goal)
    game = Game(board, goal, moves)
    limits = limits or Limits()
    if limits.seconds is None and limits.nodes is None and board.size.cells > EXACT_CELLS:
        limits = Limits(DEFAULT_SECONDS, None, limits.memory_bytes, limits.cancelled)
    analysis = _Analyser(game, limits, progress, pdb_folder, threads)
    analysis.ensure_solution()
    analysis.settle_neighbors()
    analysis.improve()
    return analysis.result()


class _Analyser:
    def __init__(
        self,
        game: Game,
        limits: Limits,
        progress: AnalysisListener | None,
        pdb_folder: Path | None,
        threads: int,
    ) -> None:
        self._game = game
        self._effort = EffortMeter(limits, self._report)
        self._progress = progress
        self._folder = pdb_folder
        self._threads = threads
        self._large = game.start.size.cells > EXACT_CELLS
        self._last_report = search_clock()
        self._decider = Decider(game.goal, pdb_folder)
        self._bounds = Bounds(game, self._estimates().tolist())

    def ensure_solution(self) -> None:
        """Find a solution for some position; it gives upper bounds for all positions."""
        bounds = self._bounds
        if bounds.upper(0) is not None:
            return
        with self._effort.share(_FIRST_SHARE if self._large else 1.0):
            self._solve(min(bounds.boards, key=bounds.lower))

    def settle_neighbors(self) -> None:
        """Settle boards next to settled ones, starting with those nearest to the goal."""
        bounds = self._bounds
        with self._effort.share(_PROOF_SHARE if self._large else 1.0):
            queue = [(bounds.lower(board), board) for board in bounds.boards]
            heapify(queue)
            undecided_boards: set[int] = set()
            while queue and self._effort.stopped_by() is None:
                lower, board = heappop(queue)
                if (
                    bounds.is_settled(board)
                    or board in undecided_boards
                    or lower != bounds.lower(board)
                    or not self._is_next_to_settled(board)
                ):
                    continue
                changed_boards = self._decide(board)
                if not changed_boards:
                    undecided_boards.add(board)
                for changed_board in changed_boards:
                    neighbors = bounds.neighbors[changed_board].values()
                    for neighbor in (changed_board, *neighbors):
                        if not bounds.is_settled(neighbor):
                            heappush(queue, (bounds.lower(neighbor), neighbor))

    def improve(self) -> None:
        """Look for shorter solutions where the gap is largest, until a limit is reached."""
        bounds = self._bounds
        tried_boards: set[int] = set()
        while self._large and self._stopped_by() is None:
            candidates = [
                board
                for board in bounds.boards
                if board not in tried_boards and not bounds.is_settled(board)
            ]
            if not candidates:
                return
            board = max(candidates, key=self._gap)
            tried_boards.add(board)
            with self._effort.share(_IMPROVE_SHARE):
                self._solve(board)

    def result(self) -> Analysis:
        bounds, game = self._bounds, self._game
        positions = range(len(game) + 1)
        settled = all(map(bounds.is_settled, bounds.boards))
        return Analysis(
            lower=tuple(map(bounds.lower, positions)),
            upper=tuple(map(bounds.upper, positions)),
            losses=self._losses(),
            loops=tuple(game.loops()),
            slides=game.slides(),
            is_solution=game.is_solution,
            statistics=self._effort.statistics,
            stopped_by=None if settled else self._stopped_by(),
        )

    def _stopped_by(self) -> StopReason | None:
        remaining = self._effort.remaining()
        if remaining.nodes is not None and remaining.nodes < _MIN_NODES:
            return StopReason.NODES
        if remaining.seconds is not None and remaining.seconds < _MIN_SECONDS:
            return StopReason.TIME
        return self._effort.stopped_by()

    def _losses(self) -> tuple[Loss, ...]:
        bounds = self._bounds
        losses = []
        path_budget = MAX_PATH_MOVES
        for position in range(len(self._game)):
            upper = bounds.upper(position)
            if upper is None or bounds.lower(position + 1) <= upper:
                continue
            path_budget -= upper + self._game.start.size.cells
            path = bounds.path(position) if path_budget >= 0 else None
            way = None if path is None else to_letters(path)
            losses.append(Loss(position + 1, upper, way))
        return tuple(losses)

    def _estimates(self) -> NDArray[np.int64]:
        game = self._game
        estimates = game.manhattan_distances()
        cells = game.start.size.cells
        if 1 in game.start.size:
            # There is only one path, whose length is the distance.
            return estimates
        if cells <= MAX_CELLS:
            boards = [game.board(position) for position in range(len(game) + 1)]
            return np.array(self._decider.estimates(boards))
        step = max(1, len(game) * cells // _MAX_CONFLICT_CELLS)
        for position in range(0, len(game) + 1, step):
            estimates[position] = distance_bound(game.board(position), game.goal).value
        return estimates

    def _is_next_to_settled(self, board: int) -> bool:
        neighbors = self._bounds.neighbors[board].values()
        return any(map(self._bounds.is_settled, neighbors))

    def _decide(self, board: int) -> list[int]:
        """Search one threshold of a board; return the boards whose bounds changed."""
        bounds = self._bounds
        lower = bounds.lower(board)
        pruned = sum(
            1 << move
            for move, neighbor in bounds.neighbors[board].items()
            if bounds.lower(neighbor) >= lower
        )
        decision = self._decider.decide(self._game.board(board), lower, pruned, self._effort)
        changed_boards = bounds.add_lower_bound(board, decision.lower)
        if decision.path is not None:
            changed_boards += bounds.add_solution(board, decision.path)
        return sorted(set(changed_boards))

    def _solve(self, board: int) -> None:
        result = solve(
            self._game.board(board),
            self._game.goal,
            limits=self._effort.remaining(),
            pdb_folder=self._folder,
            threads=self._threads,
        )
        self._effort.add(result.statistics)
        self._bounds.add_lower_bound(board, result.lower_bound)
        if result.moves is not None:
            self._bounds.add_solution(board, result.moves[:])

    def _gap(self, board: int) -> int:
        upper = self._bounds.upper(board)
        return np.iinfo(np.int64).max if upper is None else upper - self._bounds.lower(board)

    def _report(self) -> None:
        now = search_clock()
        if self._progress is None or now - self._last_report < _PROGRESS_INTERVAL_S:
            return
        self._last_report = now
        bounds, statistics = self._bounds, self._effort.statistics
        self._progress(
            AnalysisProgress(
                settled=sum(map(bounds.is_settled, bounds.boards)),
                total=len(bounds.boards),
                lower=bounds.lower(0),
                upper=bounds.upper(0),
                nodes=statistics.generated,
                seconds=statistics.seconds,
            )
        )
