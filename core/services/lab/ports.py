"""What the lab's work needs from outside: something that runs a method on a board."""

from __future__ import annotations

from typing import Protocol

from core.lab.method import Method
from core.lab.result import RunResult
from core.lab.trace import TraceWindow
from core.puzzle.board import Board
from core.search.limits import Limits


class LabRunner(Protocol):
    """Runs textbook searches."""

    def run(
        self, start: Board, goal: Board, method: Method, limits: Limits, window: TraceWindow | None
    ) -> RunResult:
        """Run a method on a solvable board.

        Raises
        ------
        OptionError
            If the method is not offered for boards of this size.
        """
