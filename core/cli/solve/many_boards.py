"""``tilework solve --jsonl``: many boards in, one JSON object a line out, as they are solved."""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from types import TracebackType
from typing import Any, Generic, NamedTuple, Self, TypeVar

from tilework.core.cli.boards import read_goal_option, read_lines
from tilework.core.cli.exit_codes import ExitCode
from tilework.core.cli.solve.answers import AnswerStyle, record_of
from tilework.core.cli.solve.searches import SearchOptions, was_interrupted
from tilework.core.errors import BoardSyntaxError, InputError, UnsolvableError
from tilework.core.formats.board_list import BoardLine, board_lines
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board
from tilework.core.solver.result import SearchResult

Search = Callable[[Board, Board], SearchResult]

_LONGEST_WORDS = 500
_NO_MEMORY = Message("no-memory", "there is not enough memory for this board")


def solve_lines(
    words: list[str], goal_text: str, width: int | None, options: SearchOptions, style: AnswerStyle
) -> ExitCode:
    """Solve every board of a file, side by side; answer in order, with the worst exit code."""
    solving = _Solving(options, style)
    lines = _lines_of(words)
    with SideBySide(options.threads, solving.tell) as threads:
        try:
            for line in board_lines(lines):
                work, alone = solving.work_on(line, goal_text, width)
                if alone:
                    threads.wait()
                    solving.tell(work())
                else:
                    threads.give(work)
                if solving.worst is ExitCode.INTERRUPTED:
                    break
            threads.wait()
        except KeyboardInterrupt:
            if not threads.busy:
                raise
            # What is under way ends with the bounds it has.
            solving.cancelled = True
            threads.wait()
        finally:
            # Whoever reads may be gone, or another Ctrl-C came: nothing is searched for nobody.
            solving.cancelled = True
    return solving.worst


class _Answer(NamedTuple):
    """What is printed of a line, and what it means for the exit code."""

    record: dict[str, Any]
    code: ExitCode


@dataclass
class _Solving:
    options: SearchOptions
    style: AnswerStyle
    worst: ExitCode = ExitCode.ANSWERED
    cancelled: bool = False

    def work_on(
        self, line: BoardLine, goal_text: str, width: int | None
    ) -> tuple[Callable[[], _Answer | None], bool]:
        """Return what is to be done for a line, and whether that takes the whole machine."""
        try:
            board = line.board(width)
            goal = read_goal_option(goal_text, board.size)
        except InputError as error:
            refused = _Answer(_failure(line, _words(error)), ExitCode.BAD_INPUT)
            return (lambda: refused), False
        alone = not self.options.searches_beside(board)
        search = self.options.search if alone else self._search_beside
        return partial(self._solved, line, board, goal, search), alone

    def tell(self, answer: _Answer | None) -> None:
        if answer is not None:
            print(json.dumps(answer.record), flush=True)
            self.worst = max(self.worst, answer.code)

    def _search_beside(self, board: Board, goal: Board) -> SearchResult:
        return self.options.search_beside(board, goal, lambda: self.cancelled)

    def _solved(self, line: BoardLine, board: Board, goal: Board, search: Search) -> _Answer | None:
        """Solve a board; None where Ctrl-C came before it was begun."""
        if self.cancelled:
            return None
        try:
            result = search(board, goal)
            record = {"id": line.id, **record_of(board, goal, result, self.style)}
        except UnsolvableError as error:
            return _Answer(_failure(line, _words(error)), ExitCode.NO_SOLUTION)
        except InputError as error:
            return _Answer(_failure(line, _words(error)), ExitCode.BAD_INPUT)
        except MemoryError:
            return _Answer(_failure(line, str(_NO_MEMORY)), ExitCode.NO_SOLUTION)
        except Exception as error:  # a search may fail in any way; the other boards are solved
            words = f"{type(error).__name__}: {error}"[:_LONGEST_WORDS]
            failed = Message("search-failed-here", "the search failed: {error}", error=words)
            return _Answer(_failure(line, str(failed)), ExitCode.NO_SOLUTION)
        if was_interrupted(result):
            return _Answer(record, ExitCode.INTERRUPTED)
        return _Answer(record, ExitCode.NO_SOLUTION if result.moves is None else ExitCode.ANSWERED)


def _failure(line: BoardLine, words: str) -> dict[str, Any]:
    return {"id": line.id, "line": line.number, "error": words}


def _words(error: InputError) -> str:
    # The place of a syntax error is one in the board's text, which is a part of the file's line.
    return str(error.fault if isinstance(error, BoardSyntaxError) else error)


def _lines_of(words: list[str]) -> Iterator[str]:
    if len(words) != 1:
        raise InputError(
            "one-file",
            "--jsonl reads one file, or - for standard input, not {words!r}",
            words=" ".join(words)[:60],
        )
    return read_lines(words[0])


Result = TypeVar("Result")


@dataclass(slots=True)
class _Place(Generic[Result]):
    """A place in the order, and what came of the work there: a tuple of it, or nothing yet."""

    outcome: tuple[()] | tuple[Result] = ()


class SideBySide(Generic[Result]):
    """Threads that work; `tell` gets the results in order, never twice at once.

    The thread that gives the work never tells: it may be waiting for more to give. What `tell` or
    the work raises is raised by `give` and `wait`; nothing more is told then.
    """

    def __init__(self, threads: int, tell: Callable[[Result], None]) -> None:
        self._tell = tell
        # Some are ready while others are worked on, so that no thread waits for the next.
        self._most = 2 * threads
        self._places: deque[_Place[Result]] = deque()
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
    def busy(self) -> bool:
        """Whether something that was given is not told yet."""
        return bool(self._places)

    def give(self, work: Callable[[], Result]) -> None:
        """Have something done; waits while there is much to do."""
        self._wait_for(self._most - 1)
        place = _Place[Result]()
        with self._changed:
            self._places.append(place)
            try:
                self._pool.submit(self._do, work, place)
            except BaseException:  # a Ctrl-C just here: nobody is to wait for this place
                self._places.pop()
                raise

    def wait(self) -> None:
        self._wait_for(0)

    def _wait_for(self, most: int) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._failure or len(self._places) <= most)
            if self._failure is not None:
                raise self._failure

    def _do(self, work: Callable[[], Result], place: _Place[Result]) -> None:
        try:
            place.outcome = (work(),)
            with self._changed:
                self._tell_what_is_due()
        except BaseException as error:  # it is raised where somebody can answer it
            with self._changed:
                self._failure = self._failure or error
        finally:
            with self._changed:
                self._changed.notify_all()

    def _tell_what_is_due(self) -> None:
        while self._failure is None and self._places and self._places[0].outcome:
            (result,) = self._places[0].outcome
            self._tell(result)
            self._places.popleft()
