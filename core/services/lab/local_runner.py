"""The lab of this process, behind the services' port. Only workers import this."""

from __future__ import annotations

from tilework.core.lab.method import Method
from tilework.core.lab.result import RunResult
from tilework.core.lab.run import run
from tilework.core.lab.trace import TraceWindow
from tilework.core.puzzle.board import Board
from tilework.core.search.limits import Limits


class LocalLabRunner:
    """Implements ``tilework.core.services.lab.work.LabRunner``."""

    def run(
        self, start: Board, goal: Board, method: Method, limits: Limits, window: TraceWindow | None
    ) -> RunResult:
        """Run a method on a board."""
        # Whether the board may be one without a solution was asked when it was submitted.
        return run(start, goal, method, limits, window, exhaust=True)
