"""The lab of this process, as the work sees it: only workers import this."""

from __future__ import annotations

from core.lab.run import run
from core.puzzle.board import Board
from core.search.limits import Limits
from core.search.method import Method
from core.search.run import RunResult
from core.search.trace import TraceWindow


class LocalLabEngine:
    """Implements ``core.services.lab.ports.LabEngine``."""

    def run(
        self, start: Board, goal: Board, method: Method, limits: Limits, window: TraceWindow | None
    ) -> RunResult:
        """Run a method on a board."""
        return run(start, goal, method, limits, window)
