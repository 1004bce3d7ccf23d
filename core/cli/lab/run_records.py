"""Runs of the lab as rows, by the names that the HTTP interface has for their columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tilework.core.errors import OptionError
from tilework.core.lab.method import Method
from tilework.core.lab.result import RunResult, RunStatistics
from tilework.core.lab.verdict import is_optimal, proved_length
from tilework.core.messages import Message
from tilework.core.model.states import RunState
from tilework.core.puzzle.board import Board
from tilework.core.search.limits import StopReason

Record = dict[str, Any]
"""A row; its message is one still, which machines are told in English and people in theirs."""

STATISTICS = (
    "expanded",
    "generated",
    "visited",
    "frontier",
    "max_frontier",
    "duplicates",
    "depth",
    "branching",
    "seconds",
    "memory_bytes",
)
COLUMNS = (
    "board_index",
    "board",
    "optimal_length",
    "method",
    "algorithm",
    "heuristic",
    "weight",
    "beam_width",
    "state",
    "length",
    "optimal",
    "stopped_by",
    *STATISTICS,
    "message",
)
"""As in the results that can be downloaded over HTTP."""


@dataclass(frozen=True, slots=True)
class Run:
    """A method's run on a board.

    Attributes
    ----------
    board_index : int
        Which board of a sweep, from 0.
    result : RunResult or None
        None where the method does not work on this board; ``fault`` says why.
    """

    board_index: int
    board: Board
    method: Method
    result: RunResult | None
    fault: Message | None = None

    @property
    def length(self) -> int | None:
        """Moves of the solution."""
        if self.result is None or self.result.moves is None:
            return None
        return len(self.result.moves)

    @property
    def state(self) -> RunState:
        """How the run ended."""
        if self.result is None:
            return RunState.FAILED
        cancelled = self.result.stopped_by is StopReason.CANCELLED
        return RunState.CANCELLED if cancelled else RunState.DONE


def records_of(runs: Sequence[Run]) -> list[Record]:
    """Return runs on one board as records; a bound proved by one run is applied to the others."""
    proved = proved_length((run.method, run.length) for run in runs)
    return [_record(run, proved) for run in runs]


def check_column(name: str | None) -> None:
    """Refuse to sort by an unknown column.

    Raises
    ------
    OptionError
        If there is none of that name.
    """
    if name is not None and name not in COLUMNS:
        raise OptionError(
            "column",
            "unknown column {name!r}; sort by one of {offered}",
            name=name[:40],
            offered=", ".join(COLUMNS),
        )


def sorted_by(column: str | None, records: list[Record]) -> list[Record]:
    """Return records by a column, the least first and those without a value last."""
    if column is None:
        return records
    known = [record for record in records if record[column] is not None]
    by = str if column == "message" else lambda value: value
    return sorted(known, key=lambda record: by(record[column])) + [
        record for record in records if record[column] is None
    ]


def statistics_of(statistics: RunStatistics | None) -> Record:
    """Return a run's statistics by name; None for each where there are none."""
    if statistics is None:
        return dict.fromkeys(STATISTICS)
    found: Record = {name: getattr(statistics, name) for name in STATISTICS}
    return found | {
        "branching": round(found["branching"], 6),
        "seconds": round(found["seconds"], 6),
    }


def _record(run: Run, proved: int | None) -> Record:
    method, result = run.method, run.result
    stopped_by = None if result is None else result.stopped_by
    message = run.fault if result is None else result.message
    return {
        "board_index": run.board_index,
        "board": run.board.cells.tolist(),
        "optimal_length": proved,
        "method": method.text,
        "algorithm": method.algorithm.value,
        "heuristic": None if method.heuristic is None else method.heuristic.value,
        "weight": method.weight,
        "beam_width": method.width,
        "state": run.state.value,
        "length": run.length,
        "optimal": is_optimal(method, run.length, proved),
        "stopped_by": None if stopped_by is None else stopped_by.value,
        **statistics_of(None if result is None else result.statistics),
        "message": message,
    }
