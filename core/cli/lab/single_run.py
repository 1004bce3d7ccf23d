"""One run of the lab from the command line, and the summary of how it ended."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, replace

from tilework.core.cli.boards import goal_of
from tilework.core.cli.exits import ExitCode
from tilework.core.cli.interrupts import interruptible
from tilework.core.cli.lab.options import lab_board_of
from tilework.core.cli.lab.run_note import run_note
from tilework.core.cli.lab.run_records import STATISTICS, Record, Run, records_of
from tilework.core.cli.language import say
from tilework.core.cli.progress_line import ProgressLine, clock
from tilework.core.cli.solve.answers import AnswerStyle
from tilework.core.formats.eightpuzzle import Effort
from tilework.core.lab.method import Method
from tilework.core.lab.names import PUBLISHED_NAMES
from tilework.core.lab.result import RunResult
from tilework.core.lab.trace import Trace, TraceWindow
from tilework.core.puzzle.board import Board
from tilework.core.search.limits import Limits, StopReason


@dataclass(frozen=True, slots=True)
class SingleRun:
    """A run that ended.

    Attributes
    ----------
    result : RunResult
        With a trace where one was asked for, unless it was interrupted.
    """

    start: Board
    goal: Board
    result: RunResult

    @classmethod
    def of(
        cls,
        words: list[str],
        goal_text: str,
        width: int | None,
        *,
        method_text: str,
        limits: Limits,
        window: TraceWindow | None = None,
        exhaust: bool = False,
    ) -> SingleRun:
        """Read a board and run a method on it; on a terminal a line shows the elapsed time.

        Raises
        ------
        InputError
            If board, goal or method cannot be used; UnsolvableError with the inversions counted.
        """
        from tilework.core.lab.run import run

        method = Method.from_text(method_text)
        start = lab_board_of(words, width)
        goal = goal_of(goal_text, start.size)
        with ProgressLine(sys.stderr) as line, interruptible() as interrupted:
            began = time.monotonic()

            def poll() -> bool:
                line.draw(lambda: f"{method.text}   {clock(time.monotonic() - began)}")
                return interrupted()

            limits = replace(limits, cancelled=poll)
            return cls(start, goal, run(start, goal, method, limits, window, exhaust=exhaust))

    @property
    def record(self) -> Record:
        """The run by the names that the HTTP interface has, with its boards."""
        (record,) = records_of([Run(0, self.start, self.result.method, self.result)])
        del record["board_index"]
        sizes = {"width": self.start.width, "height": self.start.height}
        return {**sizes, "goal": self.goal.cells.tolist(), **record}

    def traced(self, trace: Trace) -> Record:
        """Return the trace as the HTTP interface writes it, and before it what was run."""
        record = self.record
        statistics = {name: record.pop(name) for name in STATISTICS}
        return {**record, "statistics": statistics, **trace.document()}

    def letters(self, *, by_blank: bool) -> str | None:
        """Return the solution as ``UDLR`` by the tile's way, or the blank's; None without one."""
        style = AnswerStyle(by_blank=by_blank)
        return None if self.result.moves is None else style.letters(self.result.moves)

    @property
    def effort(self) -> Effort:
        """What solutions are written with of the search."""
        counts, heuristic = self.result.statistics, self.result.method.heuristic
        name = None if heuristic is None else PUBLISHED_NAMES.get(heuristic, heuristic)
        return Effort(counts.visited, counts.max_frontier, name)

    @property
    def note(self) -> str:
        """How the run ended and what it cost, in one line."""
        return say(run_note(self.result))

    @property
    def exit_code(self) -> ExitCode:
        """The command's exit code."""
        if self.result.stopped_by is StopReason.CANCELLED:
            return ExitCode.INTERRUPTED
        return ExitCode.NO_SOLUTION if self.result.moves is None else ExitCode.ANSWERED
