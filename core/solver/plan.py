"""Runs the stages of a strategy in one process."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tilework.core.errors import DamagedFileError
from tilework.core.puzzle.moves import DOWN, LEFT, RIGHT, UP
from tilework.core.search.limits import Statistics, StopReason
from tilework.core.solver.large.constructive import construct
from tilework.core.solver.optimal.a_star import a_star
from tilework.core.solver.result import SearchResult
from tilework.core.solver.search_context import SearchContext
from tilework.core.solver.strategy import (
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
from tilework.core.solver.target import Algorithm

if TYPE_CHECKING:
    from tilework.core.solver.large.outcome import Outcome
    from tilework.core.solver.optimal.subtrees import Subtrees

logger = logging.getLogger(__name__)

_MAX_MOVE_BYTES = 1 << 30  # of a huge board, unless the request limits memory
_MOVES_PER_BYTE = 4  # of a huge board, whose moves are packed

# Step `beams`: width of the first beam, and growth of the width from one beam to the next
_FIRST_WIDTH = 1_000
_GROWTH = 4
_NODES_PER_MOVE = 2.2  # per unit of width: children that are neither pruned nor duplicates


@dataclass
class StageRunner(SearchContext):
    """The steps of one call of `solve`."""

    _proves: bool = False  # whether the steps include IDA*

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
            Step.IDA_STAR: self._run_only_ida_star,
            Step.DEEPEN: self._deepen,
        }
        self._proves = any(stage.step is Step.DEEPEN for stage in stages)
        for index, stage in enumerate(stages):
            if self.is_finished():
                return
            # Without time, the first step still runs, to find a lower bound, and so do the steps
            # that find a first solution. A step that ran out of memory does not stop the others.
            if index and self.has_reached_limits() and stage.step not in FINDING_STEPS:
                return
            self.begin_stage(stage)
            steps[stage.step](stage)
            self.end_stage()

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
        from tilework.core.solver.large.anytime.choice import find_quick_solution

        self.lower = max(self.lower, self.distance())
        # The time depends only on the size.
        limits = replace(self.remaining_limits(), seconds=None, nodes=None)
        outcome = find_quick_solution(self.board, self.goal, limits)
        self.statistics += Statistics(generated=outcome.nodes)
        if outcome.moves is None:
            self.stopped_by = outcome.stopped_by
        else:
            self.add_solution(outcome.moves, Step.SWEEP)

    def _sweep_huge(self, _stage: Stage) -> None:
        """Find the only solution of a huge board, if the limits allow it."""
        from tilework.core.solver.large.sweeps.plan import plan_huge_sweeps
        from tilework.core.solver.large.sweeps.sweeps import sweep_huge

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
        self.add_result(
            a_star(
                self.board,
                self.goal,
                heuristic=self.heuristic,
                limits=self.remaining_limits(),
                progress=self.progress_listener(),
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
        from tilework.core.solver.large.anytime.choice import load_searches
        from tilework.core.solver.large.anytime.portfolio import Listener, Portfolio, Solution

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

    def _run_only_ida_star(self, _stage: Stage) -> None:
        self._run_ida_star(None)

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
                self._add_beam(self._aim_beam(width))

    def _aim_beam(self, width: int) -> Outcome:
        from tilework.core.solver.large.beam import run_aimed_beams

        limits, folder = self.remaining_limits(), self.pdb_folder
        return run_aimed_beams(
            self.board, self.goal, self.lower, width, limits=limits, pdb_folder=folder
        )

    def _run_ida_star(self, upper_bound: int | None) -> None:
        try:
            self.add_result(self._search_with_ida_star(upper_bound))
        except DamagedFileError as error:
            # A changed file is not used again until its checksum is verified.
            logger.warning("%s; searching again without it", error)
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
