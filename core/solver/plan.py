"""Following a strategy in one process: its steps, and the bounds that each of them improves."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tilework.core.errors import DamagedFileError
from tilework.core.puzzle.moves import DOWN, LEFT, RIGHT, UP
from tilework.core.search.limits import Limits, Statistics, StopReason
from tilework.core.solver.large.constructive import construct
from tilework.core.solver.optimal.a_star import a_star
from tilework.core.solver.result import SearchResult
from tilework.core.solver.search_context import SearchContext
from tilework.core.solver.strategy import (
    FINDERS,
    INSTANT_CELLS,
    MOST_BEAM_WIDTH,
    NEARBY_MOVES,
    Stage,
    Step,
    aimed_width,
    uses_aimed_beams,
)
from tilework.core.solver.target import LOOK_UP, Algorithm

if TYPE_CHECKING:
    from tilework.core.solver.large.outcome import Outcome
    from tilework.core.solver.optimal.subtrees import Subtrees

logger = logging.getLogger(__name__)

# Of beams alone: boards kept of each level of the first, and how much wider the next is
_FIRST_WIDTH = 1_000
_GROWTH = 4
_NODES_A_MOVE = 2.2  # children of a board, less those that are cut or known


@dataclass
class Run(SearchContext):
    """One call of `solve`: the steps that improve what is known."""

    def follow(self, stages: Sequence[Stage]) -> None:
        steps: dict[Step, Callable[[Stage], None]] = {
            Step.SLIDE: self._slide,
            Step.LOOK_UP: self._look_up,
            Step.NEARBY: self._look_nearby,
            Step.CONSTRUCT: self._construct,
            Step.SWEEP: self._sweep,
            Step.A_STAR: self._a_star,
            Step.ESTIMATE: self._estimate,
            Step.IMPROVE: self._improve,
            Step.BEAMS: self._beams_alone,
            Step.IDA_STAR: self._ida_star_alone,
            Step.DEEPEN: self._deepen,
        }
        for place, stage in enumerate(stages):
            if self.is_settled():
                return
            # Without any time there is still a bound, and where a user is watching a solution. A
            # step that filled its memory does not stop the others.
            if place and self.is_used_up() and stage.step not in FINDERS:
                return
            self.begin(stage)
            steps[stage.step](stage)
            self.end()

    def _slide(self, _stage: Stage) -> None:
        """Solve a board one cell wide or high, where there is only one way: towards the goal."""
        way = self.goal.blank - self.board.blank
        # The tile goes against the blank.
        against = (LEFT, RIGHT) if self.board.height == 1 else (UP, DOWN)
        self.lower = abs(way)
        self.better(np.full(abs(way), against[way < 0], dtype=np.uint8), Algorithm.CONSTRUCTIVE)

    def _look_up(self, _stage: Stage) -> None:
        from tilework.core.solver.distances.lookup import look_up

        moves = look_up(self.board, self.goal, self.pdb_folder)
        if moves is not None:
            self.lower = len(moves)
            self.better(moves, LOOK_UP)

    def _construct(self, _stage: Stage) -> None:
        self.lower = max(self.lower, self.distance())
        limits = self.limits_left()
        if self.found is not None or self.board.size.cells <= INSTANT_CELLS:
            # Its time depends on the size alone, so that a solution is found in any case.
            limits = replace(limits, seconds=None)
        found = construct(self.board, self.goal, limits)
        if isinstance(found, StopReason):
            self.stopped_by = found
        else:
            self.better(found, Algorithm.CONSTRUCTIVE)
        self.look_for_groups()

    def _sweep(self, _stage: Stage) -> None:
        """The same for huge boards: a shorter solution in less time, whose time is its size's."""
        from tilework.core.solver.large.anytime.choice import quick_solution

        self.lower = max(self.lower, self.distance())
        found = quick_solution(self.board, self.goal, Limits(cancelled=self.limits.cancelled))
        self.statistics += Statistics(generated=found.nodes)
        if found.moves is None:
            self.stopped_by = found.stopped_by
        else:
            self.better(found.moves, Algorithm.CONSTRUCTIVE)

    def _a_star(self, _stage: Stage) -> None:
        self.take(
            a_star(
                self.board,
                self.goal,
                heuristic=self.heuristic,
                limits=self.limits_left(),
                progress=self.listener(),
            )
        )

    def _look_nearby(self, _stage: Stage) -> None:
        """A short optimal search of a board too large for a long one, where the goal is near."""
        # Here, so that its kernel is loaded, or compiled, only where there is a use for it.
        from tilework.core.solver.optimal.nearby import solve_nearby

        found = solve_nearby(self.board, self.goal, NEARBY_MOVES, self.limits_left())
        if found is not None:
            self.take(found)

    def _estimate(self, _stage: Stage) -> None:
        """Use IDA*'s estimate, a better bound than the tiles' distances, without any search."""
        self._ida_star(0)

    def _improve(self, _stage: Stage) -> None:
        """Better and better solutions, for as long as the stage may take."""
        # Here, so that only boards with a use for it load what it is made of.
        from tilework.core.solver.large.anytime.choice import searches_for
        from tilework.core.solver.large.anytime.portfolio import Listener, Portfolio, Solution

        best = None if self.moves is None else Solution(self.moves, self.algorithm)
        listener = Listener(
            lambda length: self.target.is_met_by(self.lower, length),
            lambda found: self.tell(found.moves, found.algorithm),
            self.report,
        )
        self.lower = max(self.lower, self.distance())
        # Most solutions that beams find are shorter than that.
        searches = searches_for(self.goal.size, int(1.6 * self.lower))
        portfolio = Portfolio(self.board, self.goal, searches, self.threads)
        improved = portfolio.run(best, self.limits_left(), listener)
        self.statistics += Statistics(generated=improved.nodes)
        self.stopped_by = improved.stopped_by
        if improved.best is not None:
            self.better(*improved.best)

    def _beams_alone(self, stage: Stage) -> None:
        """Beams, each wider than the last, as long as one takes no more nodes than are left."""
        from tilework.core.solver.large.learned.search import learned_beam

        self.lower = max(self.lower, self.distance())
        nodes, width = stage.nodes or 0, _FIRST_WIDTH
        while self.goes_on() and width <= MOST_BEAM_WIDTH:
            upper = self.upper()
            # A first solution may be far longer than what a beam finds.
            moves = 2 * self.lower if upper is None else min(upper, 2 * self.lower)
            cost = int(_NODES_A_MOVE * width * moves)
            if cost > nodes:
                break
            nodes -= cost
            left = self.limits_left()
            self._take_beam(
                learned_beam(self.board, self.goal, width, limits=left, upper_bound=upper)
            )
            self.report(0)
            if self.stopped_by is StopReason.MEMORY:
                break
            width *= _GROWTH

    def _ida_star_alone(self, _stage: Stage) -> None:
        self._ida_star(None)

    def _deepen(self, _stage: Stage) -> None:
        """IDA*; on large boards one threshold at a time, with a beam aimed at it before each."""
        if not uses_aimed_beams(self.board.size.cells):
            self._ida_star(self.upper())
            return
        while self.goes_on():
            self._ida_star(self.lower + 1)
            if not self.goes_on():
                return
            width = aimed_width(self.statistics.generated, self.lower)
            if width is not None:
                self._take_beam(self._aimed(width))

    def _aimed(self, width: int) -> Outcome:
        from tilework.core.solver.large.beam import aim

        left, folder = self.limits_left(), self.pdb_folder
        return aim(self.board, self.goal, self.lower, width, limits=left, pdb_folder=folder)

    def _ida_star(self, upper_bound: int | None) -> None:
        # Here and above, so that a board that A* solves loads as little as it needs.
        try:
            self.take(self._searched(upper_bound))
        except DamagedFileError as error:
            # Once changed, a file is not used again before its checksum was found right.
            logger.warning("%s; searching again without it", error)
            self.take(self._searched(upper_bound))

    @cached_property
    def _subtrees(self) -> Subtrees:
        from tilework.core.solver.optimal.subtrees import Subtrees

        return Subtrees()

    def _searched(self, upper_bound: int | None) -> SearchResult:
        from tilework.core.solver.optimal.ida_star import ida_star

        return ida_star(
            self.board,
            self.goal,
            self.limits_left(),
            self.pdb_folder,
            self.listener(),
            known_bound=self.lower,
            upper_bound=upper_bound,
            heuristic=self.heuristic,
            subtrees=self._subtrees,
            threads=self.threads,
        )

    def _take_beam(self, found: Outcome) -> None:
        effort = Statistics(generated=found.nodes)
        self.take(SearchResult(self.lower, found.moves, Algorithm.BEAM, effort, found.stopped_by))
