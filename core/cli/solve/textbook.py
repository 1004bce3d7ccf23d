"""A textbook search in place of the solver, and what is told of it."""

from __future__ import annotations

import sys
import time
from dataclasses import asdict, dataclass
from typing import Any, Final

from tilework.core.cli.interrupts import interruptible
from tilework.core.cli.lab.options import MEBIBYTES, check_fits
from tilework.core.cli.progress_line import ProgressLine, clock
from tilework.core.formats.bound_proof import BoundProof
from tilework.core.lab.method import Method
from tilework.core.lab.names import PUBLISHED_NAMES
from tilework.core.lab.result import RunResult
from tilework.core.puzzle.board import Board
from tilework.core.search.limits import Limits
from tilework.core.solver.result import SearchResult

_MEBIBYTE: Final = 2**20


@dataclass(frozen=True, slots=True)
class TextbookResult(SearchResult):
    """What a textbook search found.

    Its bound is the length that it found where it ends with a shortest solution only, else the
    Manhattan distance.

    Attributes
    ----------
    run : RunResult
        With its figures.
    """

    run: RunResult | None = None

    @property
    def figures(self) -> dict[str, Any]:
        """What the run did, by the names that the HTTP interface has."""
        if self.run is None:
            return {}
        return {
            "method": self.run.method.text,
            "optimal": True if self.run.optimal else None,
            "stopped_by": self.run.stopped_by,
            **asdict(self.run.statistics),
        }


@dataclass(frozen=True, slots=True)
class Textbook:
    """A textbook search to be made.

    Attributes
    ----------
    mebibytes : int
        What its nodes may take.
    """

    method: Method
    mebibytes: int = MEBIBYTES

    @property
    def heuristic_name(self) -> str | None:
        """What solutions call the heuristic; None of a search without one."""
        chosen = self.method.heuristic
        return None if chosen is None else PUBLISHED_NAMES.get(chosen, chosen)

    def search(
        self, board: Board, goal: Board, seconds: float | None, nodes: int | None
    ) -> TextbookResult:
        """Search in this process; on a terminal a line shows the elapsed time.

        The first Ctrl-C ends the search, a second one raises KeyboardInterrupt.

        Raises
        ------
        InputError
            If the board is too large for it, or cannot be solved.
        """
        check_fits(board.size)
        with ProgressLine(sys.stderr) as line, interruptible() as interrupted:
            from tilework.core.lab.run import run

            began = time.monotonic()

            def poll() -> bool:
                line.draw(lambda: f"{self.method.text}   {clock(time.monotonic() - began)}")
                return interrupted()

            limits = Limits(seconds, nodes, self.mebibytes * _MEBIBYTE, cancelled=poll)
            found = run(board, goal, self.method, limits)
        proved = len(found.moves) if found.moves is not None and found.optimal else None
        return TextbookResult(
            lower_bound=board.manhattan(goal) if proved is None else proved,
            moves=found.moves,
            algorithm=self.method.text,
            statistics=found.statistics,
            stopped_by=found.stopped_by,
            bound_proof=BoundProof.MANHATTAN if proved is None else BoundProof.SEARCH,
            run=found,
        )
