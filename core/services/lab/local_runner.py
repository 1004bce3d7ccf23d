"""The lab of this process, behind the services' port. Only workers import this."""

from __future__ import annotations

from core.lab.method import Method
from core.lab.result import RunResult
from core.lab.run import run
from core.lab.trace import TraceWindow
from core.puzzle.board import Board
from core.search.limits import Limits


class LocalLabRunner:
    """Implements ``core.services.lab.ports.LabRunner``."""

    def run(
        self, start: Board, goal: Board, method: Method, limits: Limits, window: TraceWindow | None
    ) -> RunResult:
        """Run a method on a board."""
        return run(start, goal, method, limits, window)
