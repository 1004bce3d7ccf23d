"""The lab of this process, as the work sees it: only workers import this."""

from __future__ import annotations

from core.lab.method import Method
from core.lab.result import RunResult
from core.lab.run import run
from core.lab.trace import TraceWindow
from core.puzzle.board import Board
from core.search.limits import Limits


class LocalLabEngine:
    """Implements ``core.services.lab.work.LabEngine``."""

    def run(
        self, start: Board, goal: Board, method: Method, limits: Limits, window: TraceWindow | None
    ) -> RunResult:
        """Run a method on a board."""
        return run(start, goal, method, limits, window)
