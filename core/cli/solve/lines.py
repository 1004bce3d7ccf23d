"""``tilework solve --jsonl``: many boards in, one JSON object a line out, as they are solved."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from tilework.core.cli.boards import goal_of
from tilework.core.cli.exits import ExitCode
from tilework.core.cli.files import read_lines
from tilework.core.cli.solve.answers import AnswerStyle, record_of
from tilework.core.cli.solve.searching import SearchOptions, was_interrupted
from tilework.core.cli.solve.side_by_side import SideBySide
from tilework.core.errors import BoardSyntaxError, InputError, UnsolvableError
from tilework.core.formats.board_lines import BoardLine, board_lines
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board
from tilework.core.solver.result import SearchResult

Search = Callable[[Board, Board], SearchResult]

_LONGEST_WORDS = 500
_NO_MEMORY = Message("no-memory", "there is not enough memory for this board")


def solve_lines(
    words: list[str],
    goal_text: str,
    width: int | None,
    options: SearchOptions,
    style: AnswerStyle,
) -> ExitCode:
    """Solve every board of a file or of standard input; one that fails does not stop the rest.

    Boards that take one processor each are solved side by side, on as many threads as the options
    allow. Answers come in the order of the lines.

    Returns
    -------
    ExitCode
        BAD_INPUT if any line was not a board, else NO_SOLUTION if any was left without a solution.
    """
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
    """What the lines have in common, and how they went so far."""

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
            goal = goal_of(goal_text, board.size)
        except InputError as error:
            refused = _Answer(_failure(line, _words(error)), ExitCode.BAD_INPUT)
            return (lambda: refused), False
        alone = not self.options.searches_beside(board)
        search = self.options.search if alone else self._search_beside
        return partial(self._solved, line, board, goal, search), alone

    def tell(self, answer: _Answer | None) -> None:
        """Print a record, and note how its line ended."""
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
            "--jsonl reads one file or - for standard input, not {words!r}",
            words=" ".join(words)[:60],
        )
    return read_lines(words[0])
