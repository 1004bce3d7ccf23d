"""A search for few slides in place of the solver's own, which looks for few moves."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from tilework.core.cli.interrupts import interruptible
from tilework.core.cli.progress_line import ProgressLine
from tilework.core.puzzle.board import Board
from tilework.core.search.limits import Limits
from tilework.core.solver.slides.result import SlidesResult
from tilework.core.solver.target import Target


@dataclass(frozen=True, slots=True)
class SlideSearch:
    """A search for few slides to be made."""

    @property
    def heuristic_name(self) -> None:
        """There is none to choose."""

    def search(
        self, board: Board, goal: Board, target: Target, seconds: float | None, nodes: int | None
    ) -> SlidesResult:
        """Search in this process, with a progress line on a terminal.

        The first Ctrl-C ends the search with the bounds it has, a second one raises
        KeyboardInterrupt.
        """
        with ProgressLine(sys.stderr) as line, interruptible() as interrupted:
            from tilework.core.solver.slides.find import find_slides

            limits = Limits(seconds, nodes, cancelled=interrupted)
            return find_slides(board, goal, target=target, limits=limits, progress=line)
