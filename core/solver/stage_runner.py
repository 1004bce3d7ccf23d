"""Runs the stages of a strategy, and keeps the bounds and the remaining limits of one call."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tilework.core.errors import DamagedFileError
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.metric import BoundProof
from tilework.core.puzzle.moves import DOWN, LEFT, RIGHT, UP, MoveSequence
from tilework.core.puzzle.replay import replay
from tilework.core.search.limits import Limits, Statistics, StopReason, search_clock
from tilework.core.solver.heuristics.lower_bounds import Bound, distance_bound
from tilework.core.solver.large.constructive import construct
from tilework.core.solver.optimal.a_star import a_star
from tilework.core.solver.result import (
    Outcome,
    Progress,
    ProgressListener,
    SearchResult,
    SolutionListener,
)
from tilework.core.solver.strategy import (
    A_STAR_CELLS,
    FINDING_STEPS,
    INSTANT_CELLS,
    MAX_BEAM_WIDTH,
    NEARBY_MOVES,
    PROVABLE_CELLS,
    Stage,
    Step,
    choose_aimed_width,
    uses_aimed_beams,
)
from tilework.core.solver.target import Algorithm, Heuristic, Target

if TYPE_CHECKING:
    from tilework.core.solver.optimal.subtrees import Subtrees

_logger = logging.getLogger(__name__)

_MAX_MOVE_BYTES = 1 << 30  # of a huge board, unless the request limits memory
_MOVES_PER_BYTE = 4  # of a huge board, whose moves are packed

# Step `beams`: width of the first beam, and growth of the width from one beam to the next
_FIRST_WIDTH = 1_000
_GROWTH = 4
_NODES_PER_MOVE = 2.2  # per unit of width: children that are neither pruned nor duplicates

_MIN_SECONDS_FOR_GROUPS = 1.0  # with less time left, groups are skipped to save time for solutions


@dataclass
class StageRunner:
    """Runs the stages of one call of `solve`, and keeps its bounds and remaining limits."""

    board: Board
    goal: Board
    target: Target
    limits: Limits
    heuristic: Heuristic
    progress: ProgressListener | None
    pdb_folder: Path | None
    on_solution: SolutionListener | None = None
    threads: int = 1
    moves: MoveSequence | None = None
    lower: int = 0
    bound: Bound | None = None
    algorithm: str = Algorithm.CONSTRUCTIVE
    engine: str | None = None
    statistics: Statistics = field(default_factory=Statistics)
    stopped_by: StopReason | None = None
    started: float = field(default_factory=search_clock)
    _proves: bool = False  # whether the steps include IDA*
    _reported_length: int | None = None
    _stage_end_s: float | None = None
    _stage_end_nodes: int | None = None

    def run(self, stages: Sequence[Stage]) -> None:
        steps: dict[Step, Callable[[Stage], None]] = {
            Step.SLIDE: self._slide,
            Step.NEARBY: self._search_nearby,
            Step.CONSTRUCT: self._construct,
            Step.SWEEP: self._sweep,
            Step.SWEEP_HUGE: self._sweep_huge,
            Step.A_STAR: self._run_a_star,
            Step.IMPROVE: self._improve,
            Step.BEAMS: self._run_beams,
            Step.IDA_STAR: lambda _stage: self._run_ida_star(None),
            Step.DEEPEN: self._deepen,
        }
        self._proves = any(stage.step is Step.DEEPEN for stage in stages)
        for index, stage in enumerate(stages):
            if self.is_good_enough() or self.stopped_by is StopReason.CANCELLED:
                return
            # Without time, the first step still runs, to find a lower bound, and so do the steps
            # that find a first solution. A step that ran out of memory does not stop the others.
            if index and self._reached_limit() and stage.step not in FINDING_STEPS:
                return
            self._begin_stage(stage)
            steps[stage.step](stage)
            self._end_stage()

    def _begin_stage(self, stage: Stage) -> None:
        self.stopped_by = None
        self._stage_end_s = self._stage_end_nodes = None
        remaining = self.remaining_limits()
        unlimited = remaining.seconds is None and remaining.nodes is None
        # Threads improve solutions with beams of their own, each as wide as that of one thread.
        factor = self.threads if stage.step is Step.IMPROVE else 1
        limits = [stage.nodes and factor * stage.nodes]
        limits.append(remaining.nodes and int(stage.share * remaining.nodes))
        if unlimited and stage.default_nodes is not None:
            limits.append(factor * stage.default_nodes)
        nodes = [limit for limit in limits if limit is not None]
        if nodes:
            self._stage_end_nodes = self.statistics.generated + min(nodes)
        if remaining.seconds is not None:
            self._stage_end_s = self.seconds() + stage.share * remaining.seconds

    def _end_stage(self) -> None:
        """End a stage, and reset the stop reason if only the stage's limit was reached."""
        self._stage_end_s = self._stage_end_nodes = None
        if (self.stopped_by is StopReason.NODES and self.limits.nodes is None) or (
            self.stopped_by is StopReason.TIME and self.limits.seconds is None
        ):
            self.stopped_by = None

    def _reached_limit(self) -> StopReason | None:
        remaining = self.remaining_limits()
        if remaining.nodes == 0:
            return StopReason.NODES
        return StopReason.TIME if remaining.seconds == 0 else None

    def should_continue(self) -> bool:
        """Whether the current stage continues."""
        return self.stopped_by in (None, StopReason.MEMORY) and not self.is_good_enough()

    def add_result(self, result: SearchResult) -> None:
        self.statistics += result.statistics
        self.engine = result.engine or self.engine
        self.stopped_by = result.stopped_by
        self.lower = max(self.lower, result.lower_bound)
        if result.moves is not None:
            self.add_solution(result.moves, result.algorithm)
        elif self.moves is None:
            self.algorithm = result.algorithm

    def add_solution(self, moves: MoveSequence, algorithm: str) -> None:
        if self.moves is not None and len(self.moves) <= len(moves):
            return
        self.moves, self.algorithm = moves, algorithm
        self.report_solution(moves, algorithm)

    def report_solution(self, moves: MoveSequence, algorithm: str, nodes: int = 0) -> None:
        """Report a solution to the caller if it is shorter than all earlier ones.

        ``nodes``: the nodes of a running search so far.
        """
        if self._reported_length is not None and self._reported_length <= len(moves):
            return
        self._reported_length = len(moves)
        if self.on_solution is not None:
            generated = self.statistics.generated + nodes
            effort = Statistics(generated=generated, seconds=self.seconds())
            self.on_solution(SearchResult(self.lower, moves, algorithm, effort, engine=self.engine))

    def distance(self) -> int:
        """Return the lower bound that follows from the tiles' distances."""
        if self.bound is None:
            conflicts = self.heuristic is not Heuristic.MANHATTAN
            self.bound = distance_bound(self.board, self.goal, conflicts=conflicts)
        return self.bound.value

    def add_group_bound(self) -> None:
        """Raise the lower bound with tile groups, on boards where this is faster than IDA*."""
        remaining_s = self.remaining_limits().seconds
        if (
            self.board.size.cells > A_STAR_CELLS
            and self.heuristic is Heuristic.AUTO
            and self.should_continue()
            and (remaining_s is None or remaining_s >= _MIN_SECONDS_FOR_GROUPS)
        ):
            # Imported here, so that its kernels are loaded only when needed.
            from tilework.core.solver.heuristics.lower_bounds import best_lower_bound

            limits = Limits(remaining_s, cancelled=self.limits.cancelled)
            self.bound = best_lower_bound(self.board, self.goal, limits)
            self.lower = max(self.lower, self.bound.value)

    def upper(self) -> int | None:
        return None if self.moves is None else len(self.moves)

    def is_good_enough(self) -> bool:
        return self.target.is_met_by(self.lower, self.upper())

    def seconds(self) -> float:
        return search_clock() - self.started

    def remaining_limits(self) -> Limits:
        """Return the remaining limits of the current stage."""
        limits, seconds, nodes = self.limits, self.limits.seconds, self.limits.nodes
        if self._stage_end_s is not None:
            seconds = self._stage_end_s
        if self._stage_end_nodes is not None:
            nodes = self._stage_end_nodes
        stage_limits = Limits(seconds, nodes, limits.memory_bytes, limits.cancelled, limits.report)
        return stage_limits.after(self.seconds(), self.statistics.generated)

    def report_progress(self, nodes: int, lower: int = 0) -> None:
        """Report progress, with the nodes of a running search and its lower bound."""
        self.limits.report(self.statistics.generated + nodes)
        if self.progress is not None:
            lower, generated = max(self.lower, lower), self.statistics.generated + nodes
            self.progress(Progress(lower, self._reported_length, generated, self.seconds()))

    def progress_listener(self) -> ProgressListener | None:
        """Return a listener for the progress of a search, if the caller listens to progress."""
        if self.progress is None:
            return None
        return lambda search: self.report_progress(search.nodes, search.lower_bound)

    def result(self) -> SearchResult:
        """Replay the solution and return it with the bounds."""
        if self.moves is not None:
            replay(self.board, self.moves, self.goal)
        if self.is_good_enough():
            self.stopped_by = None
        elif self.stopped_by is None:
            # A limit may have been reached between two searches.
            self.stopped_by = self._reached_limit()
        bound = self.bound
        return SearchResult(
            self.lower,
            self.moves,
            str(self.algorithm),
            replace(self.statistics, seconds=self.seconds()),
            self.stopped_by,
            bound.proof if bound and bound.value >= self.lower else BoundProof.SEARCH,
            self.engine,
        )

    def _slide(self, _stage: Stage) -> None:
        """Solve a board one cell wide or high, which has only one path to the goal."""
        steps = self.goal.blank - self.board.blank
        # The tile moves in the opposite direction to the blank.
        forward, backward = (LEFT, RIGHT) if self.board.height == 1 else (UP, DOWN)
        move = backward if steps < 0 else forward
        self.lower = abs(steps)
        self.add_solution(np.full(abs(steps), move, dtype=np.uint8), Algorithm.CONSTRUCTIVE)

    def _construct(self, _stage: Stage) -> None:
        self.lower = max(self.lower, self.distance())
        limits = self.remaining_limits()
        if self.on_solution is not None or self.board.size.cells <= INSTANT_CELLS:
            # The time depends only on the size, so a solution is always found.
            limits = replace(limits, seconds=None)
        moves = construct(self.board, self.goal, limits)
        if isinstance(moves, StopReason):
            self.stopped_by = moves
        else:
            self.add_solution(moves, Algorithm.CONSTRUCTIVE)
        # IDA* finds a better bound of a 24-puzzle in less time.
        if self.board.size.cells > PROVABLE_CELLS or not self._proves:
            self.add_group_bound()

    def _sweep(self, _stage: Stage) -> None:
        """Find a first solution of a large board."""
        from tilework.core.solver.large.sweeps import plan_quick_sweeps, sweep

        self.lower = max(self.lower, self.distance())
        # The time depends only on the size.
        limits = replace(self.remaining_limits(), seconds=None, nodes=None)
        outcome = sweep(self.board, self.goal, plan_quick_sweeps(self.board.size), limits=limits)
        self.statistics += Statistics(generated=outcome.nodes)
        if outcome.moves is None:
            self.stopped_by = outcome.stopped_by
        else:
            self.add_solution(outcome.moves, Step.SWEEP)

    def _sweep_huge(self, _stage: Stage) -> None:
        """Find the only solution of a huge board, if the limits allow it."""
        from tilework.core.solver.large.sweeps import plan_huge_sweeps, sweep_huge

        self.lower = max(self.lower, self.distance())
        limits = self.remaining_limits()
        memory_bytes = limits.memory_bytes or _MAX_MOVE_BYTES
        if self.lower > _MOVES_PER_BYTE * memory_bytes:
            self.stopped_by = StopReason.MEMORY
            return
        limits = replace(limits, memory_bytes=memory_bytes, report=self.report_progress)
        plan = plan_huge_sweeps(self.board.size)
        moves, nodes = sweep_huge(self.board, self.goal, plan, limits)
        self.statistics += Statistics(generated=nodes)
        if isinstance(moves, StopReason):
            self.stopped_by = moves
        else:
            self.add_solution(moves, Step.SWEEP)

    def _run_a_star(self, _stage: Stage) -> None:
        limits, progress = self.remaining_limits(), self.progress_listener()
        self.add_result(
            a_star(
                self.board, self.goal, heuristic=self.heuristic, limits=limits, progress=progress
            )
        )

    def _search_nearby(self, _stage: Stage) -> None:
        """Search a large board optimally if its goal is near."""
        # Imported here, so that its kernel is loaded only when needed.
        from tilework.core.solver.optimal.nearby import solve_nearby

        result = solve_nearby(self.board, self.goal, NEARBY_MOVES, self.remaining_limits())
        if result is None:
            self.lower = max(self.lower, self.distance())
        else:
            self.add_result(result)

    def _improve(self, _stage: Stage) -> None:
        """Look for shorter and shorter solutions."""
        # Imported here, so that its kernels are loaded only when needed.
        from tilework.core.solver.large.portfolio import Listener, Portfolio, Solution
        from tilework.core.solver.large.trials import load_searches

        load_searches(self.goal, self.pdb_folder)
        best = None if self.moves is None else Solution(self.moves[:], self.algorithm)
        listener = Listener(
            lambda length: self.target.is_met_by(self.lower, length),
            lambda solution, nodes: self.report_solution(*solution, nodes),
            self.report_progress,
        )
        self.lower = max(self.lower, self.distance())
        portfolio = Portfolio(self.board, self.goal, self.lower, self.threads)
        outcome = portfolio.run(best, self.remaining_limits(), listener)
        self.statistics += Statistics(generated=outcome.nodes)
        self.stopped_by = outcome.stopped_by
        if outcome.best is not None:
            self.add_solution(*outcome.best)

    def _run_beams(self, stage: Stage) -> None:
        """Run beams of increasing width while the remaining nodes are enough for the next one."""
        from tilework.core.solver.large.learned.search import learned_beam

        self.lower = max(self.lower, self.distance())
        nodes, width = stage.nodes or 0, _FIRST_WIDTH
        while self.should_continue() and width <= MAX_BEAM_WIDTH:
            upper = self.upper()
            # A first solution may be far longer than a beam's, so limit the estimate.
            moves = 2 * self.lower if upper is None else min(upper, 2 * self.lower)
            cost = int(_NODES_PER_MOVE * width * moves)
            if cost > nodes:
                break
            nodes -= cost
            remaining = self.remaining_limits()
            self._add_beam(
                learned_beam(self.board, self.goal, width, limits=remaining, upper_bound=upper)
            )
            self.report_progress(0)
            if self.stopped_by is StopReason.MEMORY:
                break
            width *= _GROWTH

    def _deepen(self, stage: Stage) -> None:
        """Run IDA*; on large boards, run an aimed beam before each threshold."""
        if not uses_aimed_beams(self.board.size.cells):
            self._run_ida_star(self.upper())
            return
        while self.should_continue():
            nodes = self.statistics.generated
            self._run_ida_star(self.lower + 1)
            if not self.should_continue():
                return
            nodes = self.statistics.generated - nodes
            if stage.shared_from is not None and nodes >= stage.shared_from:
                return
            width = choose_aimed_width(self.statistics.generated, self.lower)
            if width is not None:
                # Imported here, so that its kernels are loaded only when needed.
                from tilework.core.solver.large.beam import run_aimed_beams

                limits, folder = self.remaining_limits(), self.pdb_folder
                self._add_beam(
                    run_aimed_beams(
                        self.board, self.goal, self.lower, width, limits=limits, pdb_folder=folder
                    )
                )

    def _run_ida_star(self, upper_bound: int | None) -> None:
        try:
            self.add_result(self._search_with_ida_star(upper_bound))
        except DamagedFileError as error:
            # A changed file is not used again until its checksum is verified.
            _logger.warning("%s; searching again without it", error)
            self.add_result(self._search_with_ida_star(upper_bound))

    @cached_property
    def _subtrees(self) -> Subtrees:
        from tilework.core.solver.optimal.subtrees import Subtrees

        return Subtrees()

    def _search_with_ida_star(self, upper_bound: int | None) -> SearchResult:
        from tilework.core.solver.optimal.ida_star import ida_star

        return ida_star(
            self.board,
            self.goal,
            self.remaining_limits(),
            self.pdb_folder,
            self.progress_listener(),
            known_bound=self.lower,
            upper_bound=upper_bound,
            heuristic=self.heuristic,
            subtrees=self._subtrees,
            threads=self.threads,
        )

    def _add_beam(self, outcome: Outcome) -> None:
        statistics = Statistics(generated=outcome.nodes)
        self.add_result(
            SearchResult(self.lower, outcome.moves, Algorithm.BEAM, statistics, outcome.stopped_by)
        )
