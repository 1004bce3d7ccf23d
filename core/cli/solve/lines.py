"""``tilework solve --jsonl``: many boards in, one JSON object a line out, as they are solved."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tilework.core.cli.boards import STANDARD_INPUT, goal_of
from tilework.core.cli.exits import ExitCode
from tilework.core.cli.solve.answers import AnswerStyle, record_of
from tilework.core.cli.solve.searching import SearchOptions, was_interrupted
from tilework.core.errors import BoardSyntaxError, InputError, UnsolvableError
from tilework.core.formats.board_lines import BoardLine, board_lines
from tilework.core.messages import Message
from tilework.core.puzzle.phrases import unreadable

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

    Returns
    -------
    ExitCode
        BAD_INPUT if any line was not a board, else NO_SOLUTION if any was left without a solution.
    """
    worst = ExitCode.ANSWERED
    with _lines_of(words) as lines:
        for line in board_lines(lines):
            record, code = _solve_line(line, goal_text, width, options, style)
            print(json.dumps(record), flush=True)
            if code is ExitCode.INTERRUPTED:
                return code
            worst = max(worst, code)
    return worst


def _solve_line(
    line: BoardLine,
    goal_text: str,
    width: int | None,
    options: SearchOptions,
    style: AnswerStyle,
) -> tuple[dict[str, Any], ExitCode]:
    try:
        board = line.board(width)
        goal = goal_of(goal_text, board.size)
        result = options.search(board, goal)
        record = {"id": line.id, **record_of(board, goal, result, style)}
    except UnsolvableError as error:
        return _failure(line, _words(error)), ExitCode.NO_SOLUTION
    except InputError as error:
        return _failure(line, _words(error)), ExitCode.BAD_INPUT
    except MemoryError:
        return _failure(line, str(_NO_MEMORY)), ExitCode.NO_SOLUTION
    except Exception as error:  # a search may fail in any way; the other boards are solved
        words = f"{type(error).__name__}: {error}"[:_LONGEST_WORDS]
        failed = Message("search-failed-here", "the search failed: {error}", error=words)
        return _failure(line, str(failed)), ExitCode.NO_SOLUTION
    if was_interrupted(result):
        return record, ExitCode.INTERRUPTED
    return record, ExitCode.NO_SOLUTION if result.moves is None else ExitCode.ANSWERED


def _failure(line: BoardLine, words: str) -> dict[str, Any]:
    return {"id": line.id, "line": line.number, "error": words}


def _words(error: InputError) -> str:
    # The place of a syntax error is one in the board's text, which is a part of the file's line.
    return str(error.fault if isinstance(error, BoardSyntaxError) else error)


@contextmanager
def _lines_of(words: list[str]) -> Iterator[Iterator[str]]:
    if words == [STANDARD_INPUT]:
        yield iter(sys.stdin)
        return
    if len(words) != 1:
        raise InputError(
            "one-file",
            "--jsonl reads one file or - for standard input, not {words!r}",
            words=" ".join(words)[:60],
        )
    try:
        file = Path(words[0]).open(encoding="utf-8", errors="replace")  # noqa: SIM115
    except OSError as error:
        raise InputError(unreadable(words[0], error.strerror)) from None
    with file:
        yield file
