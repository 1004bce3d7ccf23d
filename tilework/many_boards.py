"""Solutions of many boards, on all processors."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from typing import Final

from tilework.board import BoardLike, read_puzzle
from tilework.core.arguments import check_iterable
from tilework.core.errors import TileworkError
from tilework.core.machine import usable_processors
from tilework.core.messages import Message
from tilework.core.puzzle.goals import GoalName
from tilework.core.search.limits import Limits
from tilework.core.solver.strategy import A_STAR_CELLS
from tilework.solutions import Solution, TargetLike, find_solution, make_target

_PENDING_PER_PROCESSOR: Final = 2


def solve_many(
    boards: Iterable[BoardLike],
    goal: BoardLike | GoalName = GoalName.BLANK_LAST,
    *,
    target: TargetLike = "optimal",
    time_limit: float | None = None,
) -> Iterator[Solution]:
    """Yield the solutions of boards, in their order, while the next ones are being solved.

    Boards of up to 16 cells are solved side by side, one a processor; each larger one has all
    processors. A few boards are read ahead, so that `boards` may be endless.

    Parameters
    ----------
    boards : iterable of Board, or their texts, tiles or rows
    goal, target, time_limit : see `solve`
        For each board.

    Raises
    ------
    TileworkError
        As `solve`; a note names the board, counted from 0. The solutions before it have been
        yielded.
    """
    allowed = Message("boards-allowed", "a list of boards")
    return _solve_many(check_iterable("boards", boards, allowed), goal, target, time_limit)


def _solve_many(
    boards: Iterable[BoardLike],
    goal: BoardLike | GoalName,
    target: TargetLike,
    time_limit: float | None,
) -> Iterator[Solution]:
    closed = threading.Event()
    stop_at, limits = make_target(target), replace(Limits.of(time_limit), cancelled=closed.is_set)
    processors = usable_processors()
    free, alone = threading.Semaphore(processors), threading.Lock()

    def solve(index: int, given: BoardLike) -> Solution:
        try:
            board, end = read_puzzle(given, goal)
            if board.size.cells <= A_STAR_CELLS:
                with free:
                    return find_solution(board, end, stop_at, limits)
            with alone:
                return find_solution(board, end, stop_at, limits, threads=processors)
        except (TileworkError, TypeError) as error:
            error.add_note(f"board {index} of solve_many")
            raise

    pending = deque[Future[Solution]]()
    try:
        for index, board in enumerate(boards):
            pending.append(_start(partial(solve, index, board)))
            while pending and (
                pending[0].done() or len(pending) >= _PENDING_PER_PROCESSOR * processors
            ):
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        closed.set()


def _start(task: Callable[[], Solution]) -> Future[Solution]:
    """Run a task in a thread that the end of the program does not wait for, unlike a pool's."""
    future = Future[Solution]()

    def run() -> None:
        try:
            future.set_result(task())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, name="solve_many", daemon=True).start()
    return future
