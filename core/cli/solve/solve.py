"""``tilework solve``: solve one board, a file of boards, or boards at a prompt."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from queue import Queue
from typing import Annotated, NamedTuple

import typer

from tilework.core.cli import options
from tilework.core.cli.answers import (
    AnswerStyle,
    exit_code,
    format_result,
    print_answer,
    print_unsolvable,
)
from tilework.core.cli.boards import (
    STANDARD_INPUT,
    one_standard_input,
    read_board_argument,
    read_goal_option,
    read_lines,
    read_moves_argument,
)
from tilework.core.cli.console import (
    NO_MEMORY,
    ExitCode,
    exit_code_for,
    print_error,
    print_note,
    translate,
)
from tilework.core.cli.options import option
from tilework.core.cli.solve.background_builds import BackgroundBuilds
from tilework.core.cli.solve.searches import Search, make_search, make_target
from tilework.core.errors import BoardSyntaxError, InputError, OptionError, UnsolvableError
from tilework.core.formats.board_list import BoardLine, board_lines
from tilework.core.formats.solutions import Mover, SolutionFormat
from tilework.core.formats.spellings import EXAMPLE
from tilework.core.lab.methods import PUBLISHED, LabHeuristic, Method
from tilework.core.machine import usable_processors
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import check_solvable
from tilework.core.puzzle.metric import Metric
from tilework.core.solver.target import Algorithm, Heuristic


def solve(
    board: options.BoardWords = [STANDARD_INPUT],  # noqa: B006 - typer copies it
    *,
    goal: options.GoalText = "blank-last",
    width: options.Width = None,
    metric: options.MetricName = Metric.MOVES,
    target: options.TargetName = None,
    gap: options.Gap = None,
    time_limit: options.TimeLimit = None,
    node_limit: Annotated[
        int | None, option(min=1, metavar="N", help="Node limit per board.")
    ] = None,
    memory_limit: Annotated[
        int | None,
        option(min=1, metavar="MiB", help="Memory limit for the nodes of a textbook search."),
    ] = None,
    algorithm: options.AlgorithmName = "auto",
    heuristic: options.HeuristicName = "auto",
    shorten: Annotated[
        str | None,
        option(
            metavar="MOVES|FILE|-",
            help="Shorten this solution, in any format for solutions, until a limit is reached.",
        ),
    ] = None,
    output: options.SolutionForm = SolutionFormat.UDLR,
    by: options.MoverName = Mover.TILE,
    jsonl: Annotated[
        bool,
        typer.Option(
            "--jsonl", help="Read a file of many boards and print one JSON object per line."
        ),
    ] = False,
    threads: Annotated[
        int | None,
        option(
            min=1,
            metavar="N",
            envvar="TILEWORK_SOLVE_THREADS",
            help="Number of processors to use.  [default: all]",
            show_envvar=False,
        ),
    ] = None,
    no_build: Annotated[
        bool, typer.Option("--no-build", help="Build no pattern databases during a long search.")
    ] = False,
) -> None:
    """Solve a board, one in each of several files, or a file of many with --jsonl.

    On a terminal, `tilework solve` without a board prompts for boards. During long searches,
    better pattern databases are built in the background and stored for this user.
    """
    style = AnswerStyle(output, by is Mover.BLANK)
    solves_many = jsonl or (board == [STANDARD_INPUT] and sys.stdin.isatty())
    if shorten is not None and (solves_many or _are_files(board)):
        raise OptionError(
            "shorten-many", "--shorten takes a solution of one board; give that board"
        )
    if board == [STANDARD_INPUT] == [shorten]:
        raise one_standard_input()
    with BackgroundBuilds(None if solves_many else time_limit, forbidden=no_build) as builds:
        search = make_search(
            algorithm,
            heuristic,
            metric=metric,
            target=make_target(target, gap),
            mebibytes=memory_limit,
            time_limit=time_limit,
            node_limit=node_limit,
            threads=threads or usable_processors(),
            builds=builds,
        )
        if jsonl:
            code = _solve_lines(board, goal, width, search, style)
        elif solves_many:
            code = _solve_prompted(goal, width, search, style)
        elif _are_files(board):
            code = _solve_files(board, goal, width, search, style)
        else:
            code = _solve_one(board, goal, width, search, style, shorten=shorten)
    raise typer.Exit(code)


def _are_files(words: list[str]) -> bool:
    """Whether words are the names of several files; numbers are a board, whatever files exist."""
    is_board = all(word.isdecimal() for word in words)
    return len(words) > 1 and not is_board and all(map(os.path.isfile, words))


def _solve_files(
    files: list[str], goal: str, width: int | None, search: Search, style: AnswerStyle
) -> ExitCode:
    """Solve the board of each file; return the worst exit code."""
    worst = ExitCode.ANSWERED
    for file in files:
        # As `head` does for several files. A program that reads JSON counts the objects instead.
        if style.format is not SolutionFormat.JSON:
            print(f"==> {file} <==", flush=True)
        try:
            code = _solve_one([file], goal, width, search, style)
        except InputError as error:
            print_error(error.message)
            code = exit_code_for(error)
        worst = max(worst, code)
        if code is ExitCode.INTERRUPTED:
            break
    return worst


_MAX_CELLS_OF_FORMAT = 9


def _solve_one(
    words: list[str],
    goal_text: str,
    width: int | None,
    search: Search,
    style: AnswerStyle,
    *,
    shorten: str | None = None,
) -> ExitCode:
    start = read_board_argument(words, width)
    goal = read_goal_option(goal_text, start.size)
    try:
        check_solvable(start, goal)
    except UnsolvableError as error:
        return print_unsolvable(start, error, style)
    search = _match_format(start, search, style)
    if shorten is not None:
        moves = read_moves_argument(shorten, start, blank_moves=style.by_blank)
        search = search.shortening(moves)
    return print_answer(start, goal, search.solve(start, goal), style, search.heuristic_name)


def _match_format(start: Board, search: Search, style: AnswerStyle) -> Search:
    """Use the algorithm of the program whose format was requested, to print its statistics."""
    is_published = style.format in (SolutionFormat.EIGHTPUZZLE, SolutionFormat.EIGHTPUZZLE_SHORT)
    is_chosen = search.method is not None or search.metric is not Metric.MOVES
    names = (search.algorithm, search.heuristic)
    if (
        is_published
        and not is_chosen
        and names == (Algorithm.AUTO, Heuristic.AUTO)
        and start.size.cells <= _MAX_CELLS_OF_FORMAT
    ):
        return replace(search, method=Method.of(PUBLISHED, LabHeuristic.MANHATTAN))
    return search


def _solve_prompted(
    goal_text: str, width: int | None, search: Search, style: AnswerStyle
) -> ExitCode:
    """Solve typed boards until an empty line; Ctrl-C ends a search or the command."""
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401 - gives input() its line editing and history

    print_note(
        Message(
            "welcome",
            "Type the numbers of a board all on one line, row by row, with 0 for the blank, and "
            "press Enter. An empty line quits.",
        )
    )
    print_note(Message("example", "Example: {board}", board=EXAMPLE))
    while text := _read_board(translate(Message("prompt", "Board> "))):
        try:
            _solve_one([text], goal_text, width, search, style)
        except InputError as error:
            print_note(error.message)
    return ExitCode.ANSWERED


_MAX_PASTED_ROWS = 100  # a larger number is a board without spaces


def _read_board(prompt: str) -> str:
    """Read a line, and the rows after a side length (a pasted Princeton file)."""
    first = _read_line(prompt)
    if not first.isdecimal() or not 2 <= int(first) <= _MAX_PASTED_ROWS:
        return first
    rows = [first]
    while len(rows) <= int(first) and (row := _read_line("")):
        rows.append(row)
    return "\n".join(rows)


def _read_line(prompt: str) -> str:
    try:
        return input(prompt).strip()
    except EOFError:
        print(file=sys.stderr)
        return ""


_MAX_ERROR_CHARACTERS = 500


def _solve_lines(
    words: list[str], goal_text: str, width: int | None, search: Search, style: AnswerStyle
) -> ExitCode:
    """Solve the boards in a file in parallel; print in order, return the worst exit code."""
    if len(words) != 1:
        raise InputError(
            "one-file",
            "--jsonl reads one file, or - for standard input, not {words!r}",
            words=" ".join(words)[:60],
        )
    run = _Run(search, style)
    # More tasks than threads, so that no thread waits for the next task.
    submitted = Queue[Future[_Answer | None] | None](2 * search.threads)
    # This thread may be blocked on input, so another one prints.
    printer = threading.Thread(target=run.print_results, args=[submitted])
    printer.start()
    with ThreadPoolExecutor(search.threads) as pool:
        try:
            for line in board_lines(read_lines(words[0]), width):
                task, is_exclusive = run.make_task(line, goal_text)
                if is_exclusive:
                    submitted.join()
                    run.print_result(task())
                else:
                    submitted.put(pool.submit(task))
                if run.failure is not None or run.worst is ExitCode.INTERRUPTED:
                    break
            submitted.join()
        except KeyboardInterrupt:
            if not submitted.unfinished_tasks:
                raise
            # Running searches end with their current bounds.
            run.cancelled = True
            submitted.join()
            run.worst = ExitCode.INTERRUPTED  # even if these searches were completed
        finally:
            # After a second Ctrl-C, the remaining results are not needed.
            run.cancelled = True
            submitted.put(None)
            printer.join()
    if run.failure is not None:
        raise run.failure
    return run.worst


class _Answer(NamedTuple):
    """The result of a line: the JSON to print, in chunks, and its exit code."""

    chunks: Iterable[str]
    code: ExitCode


@dataclass
class _Run:
    search: Search
    style: AnswerStyle
    worst: ExitCode = ExitCode.ANSWERED
    cancelled: bool = False
    failure: BaseException | None = None  # of the output, such as a closed pipe

    def make_task(
        self, line: BoardLine, goal_text: str
    ) -> tuple[Callable[[], _Answer | None], bool]:
        """Return the task of a line, and whether it needs all processors."""
        try:
            board = line.read().board
            goal = read_goal_option(goal_text, board.size)
        except InputError as error:
            return partial(_reject, line, _describe_error(error), ExitCode.BAD_INPUT), False
        is_exclusive = not self.search.is_parallel(board)
        return partial(self._solve, line, board, goal, is_exclusive), is_exclusive

    def print_results(self, submitted: Queue[Future[_Answer | None] | None]) -> None:
        """Print the results of tasks in the order of their submission, until None."""
        for future in iter(submitted.get, None):
            try:
                if self.failure is None:
                    self.print_result(future.result())
            except BaseException as error:
                self.failure, self.cancelled = error, True
            finally:
                submitted.task_done()

    def print_result(self, answer: _Answer | None) -> None:
        if answer is not None:
            sys.stdout.writelines(answer.chunks)
            sys.stdout.flush()
            self.worst = max(self.worst, answer.code)

    def _solve(
        self, line: BoardLine, board: Board, goal: Board, is_exclusive: bool
    ) -> _Answer | None:
        """Solve a board; return None if Ctrl-C was pressed before it started."""
        if self.cancelled:
            return None
        try:
            if is_exclusive:
                result = self.search.solve(board, goal)
            else:
                result = self.search.solve_in_thread(board, goal, lambda: self.cancelled)
            chunks = format_result(board, goal, result, self.style, id=line.id)
        except InputError as error:
            return _reject(line, _describe_error(error), exit_code_for(error))
        except MemoryError:
            return _reject(line, str(NO_MEMORY), ExitCode.NO_SOLUTION)
        except Exception as error:  # a failed search must not affect the other boards
            text = f"{type(error).__name__}: {error}"[:_MAX_ERROR_CHARACTERS]
            message = Message("search-failed-here", "the search failed: {error}", error=text)
            return _reject(line, str(message), ExitCode.NO_SOLUTION)
        return _Answer(chunks, exit_code(result.stopped_by, result.moves is not None))


def _reject(line: BoardLine, text: str, code: ExitCode) -> _Answer:
    return _Answer([json.dumps({"id": line.id, "line": line.number, "error": text}), "\n"], code)


def _describe_error(error: InputError) -> str:
    # Omit the position, which is relative to the board's text, not to the file.
    return str(error.reason if isinstance(error, BoardSyntaxError) else error)
