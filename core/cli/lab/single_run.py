"""One run of the lab from the command line, and the summary of how it ended."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, replace

from core.cli.boards import goal_of
from core.cli.exits import ExitCode
from core.cli.interrupts import interruptible
from core.cli.lab.options import lab_board_of
from core.cli.lab.run_records import STATISTICS, Record, Run, records_of
from core.cli.language import say
from core.cli.progress_line import ProgressLine, clock
from core.cli.solve.answers import AnswerStyle
from core.lab.method import Method
from core.lab.result import RunResult
from core.lab.trace import Trace, TraceWindow
from core.messages import Message
from core.puzzle.board import Board
from core.puzzle.phrases import moves as moves_of
from core.search.limits import Limits, StopReason


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
    ) -> SingleRun:
        """Read a board and run a method on it; on a terminal a line shows the elapsed time.

        Raises
        ------
        InputError
            If board, goal or method cannot be used; UnsolvableError with the inversions counted.
        """
        from core.lab.run import run

        method = Method.from_text(method_text)
        start = lab_board_of(words, width)
        goal = goal_of(goal_text, start.size)
        with ProgressLine(sys.stderr) as line, interruptible() as interrupted:
            began = time.monotonic()

            def poll() -> bool:
                line.draw(lambda: f"{method.text}   {clock(time.monotonic() - began)}")
                return interrupted()

            return cls(
                start, goal, run(start, goal, method, replace(limits, cancelled=poll), window)
            )

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
    def note(self) -> str:
        """How the run ended and what it cost, in one line."""
        counts = self.result.statistics
        return say(
            Message(
                "run-note",
                "{ending} {visited} visited, {generated} generated, largest frontier {frontier}, "
                "{seconds} s",
                ending=self._ending(),
                visited=counts.visited,
                generated=counts.generated,
                frontier=counts.max_frontier,
                seconds=f"{counts.seconds:.3f}",
            )
        )

    @property
    def exit_code(self) -> ExitCode:
        """The command's exit code."""
        if self.result.stopped_by is StopReason.CANCELLED:
            return ExitCode.INTERRUPTED
        return ExitCode.NO_SOLUTION if self.result.moves is None else ExitCode.ANSWERED

    def _ending(self) -> Message:
        moves = self.result.moves
        if moves is None:
            return Message("run-no-solution", "no solution: {reason}", reason=self.result.message)
        if not len(moves):
            return Message("run-already-solved", "0 moves, already solved:")
        if self.result.optimal:
            return Message(
                "run-shortest", "{moves}, a shortest solution:", moves=moves_of(len(moves))
            )
        return Message(
            "run-solution", "{moves}, perhaps not a shortest solution:", moves=moves_of(len(moves))
        )
