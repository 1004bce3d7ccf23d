"""Asking for all shortest solutions of a board: it is checked, stored and queued."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tilework.core.errors import OptionError
from tilework.core.model.questions import AnalysisView, WaysSpec
from tilework.core.model.states import Queue
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.solvability import check_solvable
from tilework.core.services.analyses.intake import Intake, check_seconds
from tilework.core.services.ports import Tickets
from tilework.core.settings import Settings
from tilework.core.solver.shortest_paths.kept import check_size
from tilework.core.storage.database import Database

MEBIBYTE: Final = 1 << 20

_QUICK_CELLS: Final = 12
"""Of boards whose ways are found in a tenth of a second."""


@dataclass(frozen=True, kw_only=True)
class WaysRequest:
    """A board whose shortest solutions a client wants to know, all of them.

    Attributes
    ----------
    seconds : float, optional
        What the search may take; as much as there is where left out.
    memory_bytes : int, optional
        What the boards may take that it keeps; as much as there is where left out.
    """

    client_id: str
    start: Board
    goal: Board
    seconds: float | None = None
    memory_bytes: int | None = None


class SubmitWays:
    """Submits boards whose shortest solutions are asked for."""

    def __init__(self, storage: Database, tickets: Tickets, settings: Settings) -> None:
        self._intake = Intake(storage, tickets, settings, WaysSpec)
        self._settings = settings

    def __call__(self, request: WaysRequest) -> AnalysisView[WaysSpec]:
        """Store a request.

        The same board of the same client is the same analysis; one that failed or was cancelled is
        tried again.

        Raises
        ------
        BoardError
            For a goal that does not fit its board.
        UnsolvableError
            With the inversions counted.
        OptionError
            For too many cells, and for limits over what the settings allow.
        QuotaError, OverloadError
            For too many unfinished analyses, of the client or of all.
        """
        check_size(request.start.size)
        check_solvable(request.start, request.goal)
        settings = self._settings
        most = settings.analysis_max_seconds
        spec = WaysSpec(
            start=request.start,
            goal=request.goal,
            seconds=most if request.seconds is None else check_seconds(request.seconds, most),
            memory_bytes=_checked_memory(request.memory_bytes, settings.ways_max_memory_bytes),
        )
        quick = spec.start.size.cells <= _QUICK_CELLS
        queue = Queue.QUICK_ANALYSIS if quick else Queue.ANALYSIS
        return self._intake.take(request.client_id, spec, queue)


def _checked_memory(memory: int | None, most: int) -> int:
    if memory is None:
        return most
    if not 0 < memory <= most:
        raise OptionError(
            "ways-memory-limit",
            "invalid memory limit {limit} MiB; give more than 0 and at most {most} MiB",
            limit=memory // MEBIBYTE,
            most=most // MEBIBYTE,
        )
    return memory
