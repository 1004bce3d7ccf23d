"""``tilework solve --jsonl``: solve a file of boards, one JSON object per line."""

from __future__ import annotations

import json
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from types import TracebackType
from typing import Generic, NamedTuple, Self, TypeVar

from tilework.core.cli.boards import read_goal_option, read_lines
from tilework.core.cli.exit_codes import ExitCode
from tilework.core.cli.solve.answers import AnswerStyle, format_result
from tilework.core.cli.solve.searches import SearchOptions, was_interrupted
from tilework.core.errors import BoardSyntaxError, InputError, UnsolvableError
from tilework.core.formats.board_list import BoardLine, board_lines
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board
from tilework.core.solver.result import SearchResult

Search = Callable[[Board, Board], SearchResult]

_MAX_ERROR_CHARACTERS = 500
_NO_MEMORY = Message("no-memory", "there is not enough memory for this board")


def solve_lines(
    words: list[str], goal_text: str, width: int | None, options: SearchOptions, style: AnswerStyle
) -> ExitCode:
    """Solve the boards in a file in parallel; print in order, return the worst exit code."""
    run = _Run(options, style)
    lines = _open_lines(words)
    with OrderedPool(options.threads, run.print_result) as pool:
        try:
            for line in board_lines(lines, width):
                task, is_exclusive = run.make_task(line, goal_text)
                if is_exclusive:
                    pool.wait()
                    run.print_result(task())
                else:
                    pool.submit(task)
                if run.worst is ExitCode.INTERRUPTED:
                    break
            pool.wait()
        except KeyboardInterrupt:
            if not pool.is_busy:
                raise
            # Running searches end with their current bounds.
            run.cancelled = True
            pool.wait()
            run.worst = ExitCode.INTERRUPTED  # even if these searches were completed
        finally:
            # After a broken pipe or a second Ctrl-C, the remaining results are not needed.
            run.cancelled = True
    return run.worst


class _Answer(NamedTuple):
    """The result of a line: the JSON to print, in chunks, and its exit code."""

    chunks: Iterable[str]
    code: ExitCode


@dataclass
class _Run:
    options: SearchOptions
    style: AnswerStyle
    worst: ExitCode = ExitCode.ANSWERED
    cancelled: bool = False

    def make_task(
        self, line: BoardLine, goal_text: str
    ) -> tuple[Callable[[], _Answer | None], bool]:
        """Return the task of a line, and whether it needs all processors."""
        try:
            board = line.read().board
            goal = read_goal_option(goal_text, board.size)
        except InputError as error:
            rejected = _Answer(_format_error(line, _describe_error(error)), ExitCode.BAD_INPUT)
            return (lambda: rejected), False
        is_exclusive = not self.options.is_parallel(board)
        search = self.options.search if is_exclusive else self._search_in_thread
        return partial(self._solve, line, board, goal, search), is_exclusive

    def print_result(self, answer: _Answer | None) -> None:
        if answer is not None:
            sys.stdout.writelines(answer.chunks)
            sys.stdout.flush()
            self.worst = max(self.worst, answer.code)

    def _search_in_thread(self, board: Board, goal: Board) -> SearchResult:
        return self.options.search_in_thread(board, goal, lambda: self.cancelled)

    def _solve(self, line: BoardLine, board: Board, goal: Board, search: Search) -> _Answer | None:
        """Solve a board; return None if Ctrl-C was pressed before it started."""
        if self.cancelled:
            return None
        try:
            result = search(board, goal)
            chunks = format_result(board, goal, result, self.style, id=line.id)
        except UnsolvableError as error:
            return _Answer(_format_error(line, _describe_error(error)), ExitCode.NO_SOLUTION)
        except InputError as error:
            return _Answer(_format_error(line, _describe_error(error)), ExitCode.BAD_INPUT)
        except MemoryError:
            return _Answer(_format_error(line, str(_NO_MEMORY)), ExitCode.NO_SOLUTION)
        except Exception as error:  # a failed search must not affect the other boards
            text = f"{type(error).__name__}: {error}"[:_MAX_ERROR_CHARACTERS]
            message = Message("search-failed-here", "the search failed: {error}", error=text)
            return _Answer(_format_error(line, str(message)), ExitCode.NO_SOLUTION)
        if was_interrupted(result):
            return _Answer(chunks, ExitCode.INTERRUPTED)
        return _Answer(chunks, ExitCode.NO_SOLUTION if result.moves is None else ExitCode.ANSWERED)


def _format_error(line: BoardLine, text: str) -> list[str]:
    return [json.dumps({"id": line.id, "line": line.number, "error": text}), "\n"]


def _describe_error(error: InputError) -> str:
    # Omit the position, which is relative to the board's text, not to the file.
    return str(error.reason if isinstance(error, BoardSyntaxError) else error)


def _open_lines(words: list[str]) -> Iterator[str]:
    if len(words) != 1:
        raise InputError(
            "one-file",
            "--jsonl reads one file, or - for standard input, not {words!r}",
            words=" ".join(words)[:60],
        )
    return read_lines(words[0])


Result = TypeVar("Result")


@dataclass(slots=True)
class _Slot(Generic[Result]):
    """A position in the order; ``outcome`` contains the result once it is available."""

    outcome: tuple[()] | tuple[Result] = ()


class OrderedPool(Generic[Result]):
    """A thread pool that passes results to `report` in order, from one thread at a time.

    Results are reported by worker threads, since the submitting thread may be blocked on input.
    Exceptions of a task or of `report` are raised by `submit` and `wait`, and end all reports.
    """

    def __init__(self, threads: int, report: Callable[[Result], None]) -> None:
        self._report = report
        # More tasks than threads, so that no thread waits for the next task.
        self._max_pending = 2 * threads
        self._slots: deque[_Slot[Result]] = deque()
        self._changed = threading.Condition()
        self._failure: BaseException | None = None
        self._pool = ThreadPoolExecutor(threads)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._pool.shutdown(cancel_futures=True)

    @property
    def is_busy(self) -> bool:
        """Whether a submitted result has not been reported yet."""
        return bool(self._slots)

    def submit(self, task: Callable[[], Result]) -> None:
        """Submit a task; wait while too many are pending."""
        self._wait_until(self._max_pending - 1)
        slot = _Slot[Result]()
        with self._changed:
            self._slots.append(slot)
            try:
                self._pool.submit(self._run, task, slot)
            except BaseException:  # such as Ctrl-C; `wait` must not wait for this slot
                self._slots.pop()
                raise

    def wait(self) -> None:
        self._wait_until(0)

    def _wait_until(self, max_pending: int) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._failure or len(self._slots) <= max_pending)
            if self._failure is not None:
                raise self._failure

    def _run(self, task: Callable[[], Result], slot: _Slot[Result]) -> None:
        try:
            slot.outcome = (task(),)
            with self._changed:
                self._report_finished()
        except BaseException as error:  # raised by `submit` or `wait`
            with self._changed:
                self._failure = self._failure or error
        finally:
            with self._changed:
                self._changed.notify_all()

    def _report_finished(self) -> None:
        while self._failure is None and self._slots and self._slots[0].outcome:
            (result,) = self._slots[0].outcome
            self._report(result)
            self._slots.popleft()
