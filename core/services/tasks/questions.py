"""Services for questions, which are tasks about games or all shortest solutions.

Results are replayed before they are stored and whenever they are read.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Any, Final, Generic

from tilework.core.errors import (
    ForbiddenError,
    MoveError,
    NotFoundError,
    OverloadError,
    QuotaError,
)
from tilework.core.formats.solutions import SolutionGraph
from tilework.core.messages import Message, plural
from tilework.core.model.ids import MAX_QUOTED, new_id
from tilework.core.model.states import Queue
from tilework.core.model.tasks import (
    QUESTIONS,
    GameSpec,
    NewTask,
    Q,
    Question,
    Result,
    RunSpec,
    ShortestPathsSpec,
    Spec,
    Task,
    TaskKind,
)
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import check_solvable
from tilework.core.puzzle.moves import Moves
from tilework.core.puzzle.packing import unpack
from tilework.core.puzzle.replay import replay
from tilework.core.services.long_polling import wait_for_change
from tilework.core.services.tasks.state_machine import queue_tasks
from tilework.core.services.tickets import Tickets, announce
from tilework.core.solver.analysis.game import (
    EXACT_CELLS,
    MAX_CELLS,
    MAX_MOVES,
    Game,
    check_better_paths,
)
from tilework.core.solver.shortest_paths.graph import MAX_CELLS as MAX_PATH_CELLS
from tilework.core.solver.shortest_paths.graph import (
    MAX_DRAWN,
    MAX_LISTED,
    check_document,
    check_size,
    read_graph,
    read_solutions,
)
from tilework.core.storage.database import Database

__all__ = [
    "MAX_CELLS",
    "MAX_DRAWN",
    "MAX_LISTED",
    "MAX_MOVES",
    "MAX_PATH_CELLS",
    "GameService",
    "ShortestPathsService",
    "check",
]


def check(spec: Spec, result: Result) -> None:
    """Replay a complete result.

    Raises ReplayError if a solution in it does not reach the goal.
    """
    if isinstance(spec, RunSpec):
        if result.solutions is not None:
            replay(spec.start, unpack(result.solutions), spec.goal)
    elif isinstance(spec, GameSpec | ShortestPathsSpec):
        _check_document(spec, result.document)
        if isinstance(spec, ShortestPathsSpec):
            for _ in _read_solutions(spec, result):
                pass
            _read_graph(spec, result)


def _check_document(spec: Question, document: dict[str, Any]) -> None:
    if isinstance(spec, GameSpec):
        check_better_paths(Game(spec.start, spec.goal, spec.moves), document)
    else:
        check_document(spec.start, spec.goal, document)


def _read_solutions(spec: ShortestPathsSpec, result: Result) -> Iterator[Moves]:
    """Yield the stored solutions of a result, each replayed."""
    if result.solutions is not None:
        document = result.document
        yield from read_solutions(
            spec.start,
            spec.goal,
            result.solutions,
            count=document["listed"],
            length=document["length"],
        )


def _read_graph(spec: ShortestPathsSpec, result: Result) -> SolutionGraph | None:
    """Return the stored graph of a result, replayed; None if there is none."""
    if result.detail is None:
        return None
    document = result.document
    return read_graph(
        spec.start, spec.goal, result.detail, count=document["count"], length=document["length"]
    )


ANALYSES_PER_CLIENT: Final = 100
MAX_UNFINISHED_ANALYSES: Final = 2_000

MAX_SECONDS: Final = 60.0
"""The longest time limit of a question."""

DELAY_S: Final = 5.0
"""Seconds by which each unfinished question of a client delays the next one, which interleaves the
questions of different clients.
"""


class QuestionService(Generic[Q]):
    """The questions of one kind: submitting, reading, waiting, cancelling."""

    kind: TaskKind

    def __init__(self, storage: Database, tickets: Tickets) -> None:
        self._storage = storage
        self._tickets = tickets

    def view(self, task_id: str) -> Task[Q]:
        """Return a question. If its stored result is damaged, it is computed again.

        Raises NotFoundError if there is no question of this kind with this id.
        Raises ReplayError if a stored solution does not reach the goal.
        """
        with self._storage.reading() as session:
            task: Task[Q] | None = session.tasks.view(self.kind, task_id)
        if task is None:
            raise self._not_found(task_id)
        if task.result is not None:
            _check_document(task.spec, task.result)
        return task

    def version(self, task_id: str) -> str:
        """Return only the version of a question's view, which is much cheaper."""
        with self._storage.reading() as session:
            version = session.tasks.version(self.kind, task_id)
        if version is None:
            raise self._not_found(task_id)
        return version

    def wait(self, task_id: str, version: str, seconds: float) -> Task[Q]:
        """Return the view once its version differs, or after this many seconds."""
        wait_for_change(partial(self.version, task_id), version, seconds)
        return self.view(task_id)

    def cancel(self, task_id: str, client_id: str) -> Task[Q]:
        """Cancel a question unless it has ended. Its worker stops within half a second.

        Raises ForbiddenError if it belongs to another client.
        """
        view = self.view(task_id)
        if view.client_id != client_id:
            raise ForbiddenError(
                "foreign-analysis",
                "the analysis {id!r} belongs to someone else; you can only view it",
                id=task_id,
            )
        if view.finished:
            return view
        with self._storage.writing() as session:
            # It may have ended since it was read.
            session.tasks.cancel([task_id], self._storage.clock())
        return self.view(task_id)

    def _take(self, client_id: str, spec: Q, queue: Queue) -> Task[Q]:
        """Return a client's question, queued unless it has been answered.

        A repeated request of a client returns the same task, queued again if it failed or was
        cancelled.

        Raises QuotaError or OverloadError if the client or the service has too many unfinished
        questions.
        """
        now = self._storage.clock()
        key = f"{client_id}:{spec.key}"
        with self._storage.writing() as session:
            session.clients.add(client_id, now)
            before = session.tasks.count_unfinished(QUESTIONS, client_id)
            new = NewTask(new_id(), key, spec, queue, now + before * DELAY_S, client_id)
            tasks, waiting = queue_tasks(session, [new], now)
            after = session.tasks.count_unfinished(QUESTIONS, client_id)
            if after > max(before, ANALYSES_PER_CLIENT):
                raise QuotaError(_quota(before))
            if (
                after > before
                and session.tasks.count_unfinished(QUESTIONS) > MAX_UNFINISHED_ANALYSES
            ):
                raise OverloadError(
                    "analysis-overload",
                    "the service has {count} unfinished analyses and accepts no more for now",
                    count=MAX_UNFINISHED_ANALYSES,
                )
        if waiting:
            announce(self._tickets, [queue])
        return self.view(tasks[key].id)

    def _not_found(self, task_id: str) -> NotFoundError:
        quoted = task_id[:MAX_QUOTED]
        if self.kind is TaskKind.SHORTEST_PATHS:
            return NotFoundError(
                "no-ways", "there is no search for all shortest solutions {id!r}", id=quoted
            )
        return NotFoundError("no-analysis", "there is no analysis {id!r}", id=quoted)


def _quota(count: int) -> Message:
    return plural(
        "analysis-quota",
        "you have {count} unfinished analysis, and the limit is {max}; wait for it to end",
        "you have {count} unfinished analyses, and the limit is {max}; wait for one to end",
        count=count,
        max=ANALYSES_PER_CLIENT,
    )


LARGE_BOARD_S: Final = 10.0
"""The default time limit for boards that are not solved exactly."""

MAX_TIME_MS: Final = 30 * 86_400_000
"""Maximum duration of a game: thirty days."""

_QUICK_CELLS: Final = 9
_QUICK_MOVES: Final = 500
"""Moves of a game on a small board that are analysed quickly, about two milliseconds each."""

_NEAR_MOVES: Final = 40
"""Solutions of up to this many moves on up to 16 cells have only boards that are easy to search."""


class GameService(QuestionService[GameSpec]):
    """Analyses of games."""

    kind = TaskKind.GAME

    def submit(
        self,
        client_id: str,
        start: Board,
        goal: Board,
        moves: Moves,
        *,
        times_ms: tuple[int, ...] | None = None,
        seconds: float | None = None,
    ) -> Task[GameSpec]:
        """Request the analysis of a game.

        A repeated request of a client returns the same analysis, queued again if it failed or was
        cancelled.

        ``times_ms``: time of each move, in milliseconds since the first move.
        ``seconds``: time limit; by default the maximum on small boards, which are analysed
            completely.

        Raises BoardError if the goal does not fit the board, UnsolvableError if it cannot be
        reached, MoveError if a move is impossible or the times do not fit the moves.
        Raises OptionError if there are too many moves or cells.
        Raises QuotaError or OverloadError if the client or the service has too many unfinished
        analyses.
        """
        check_solvable(start, goal)
        game = Game(start, goal, moves)
        if times_ms is not None:
            _check_times(times_ms, len(moves))
        if seconds is None:
            seconds = LARGE_BOARD_S if start.size.cells > EXACT_CELLS else MAX_SECONDS
        spec = GameSpec(start, goal, moves, times_ms, float(seconds))
        return self._take(client_id, spec, _choose_queue(game))


def _choose_queue(game: Game) -> Queue:
    """Return the queue of a game. Short games go to workers that are never occupied for long."""
    cells = game.start.size.cells
    is_quick = cells <= _QUICK_CELLS and len(game) <= _QUICK_MOVES
    is_near = cells <= EXACT_CELLS and len(game) <= _NEAR_MOVES and game.is_solution
    return Queue.QUICK_ANALYSIS if is_quick or is_near else Queue.ANALYSIS


def _check_times(times: tuple[int, ...], moves: int) -> None:
    if len(times) != moves:
        raise MoveError(
            "times-count",
            "{times} times were given for {moves} moves; use one for each move, or none",
            times=len(times),
            moves=moves,
        )
    previous = 0
    for number, time in enumerate(times, 1):
        if not previous <= time <= MAX_TIME_MS:
            raise MoveError(
                "time-range",
                "the time of move {position} is {time} ms; times must not decrease and range from "
                "0 to {max}",
                position=number,
                time=str(time)[:40],
                max=MAX_TIME_MS,
            )
        previous = time


MEBIBYTE: Final = 1 << 20

MAX_MEMORY_BYTES: Final = 512 * MEBIBYTE
"""The most memory for the boards of a search."""

_QUICK_PATH_CELLS: Final = 12
"""Boards of this many cells take a tenth of a second."""


class ShortestPathsService(QuestionService[ShortestPathsSpec]):
    """Searches for all shortest solutions of boards."""

    kind = TaskKind.SHORTEST_PATHS

    def submit(
        self,
        client_id: str,
        start: Board,
        goal: Board,
        *,
        seconds: float | None = None,
        memory_bytes: int | None = None,
    ) -> Task[ShortestPathsSpec]:
        """Request all shortest solutions of a board.

        A repeated request of a client returns the same search, queued again if it failed or was
        cancelled.

        ``seconds``: time limit; the maximum by default.
        ``memory_bytes``: memory limit of the stored boards; the maximum by default.

        Raises BoardError if the goal does not fit the board, UnsolvableError if it cannot be
        reached, OptionError if there are too many cells.
        Raises QuotaError or OverloadError if the client or the service has too many unfinished
        analyses.
        """
        check_size(start.size)
        check_solvable(start, goal)
        spec = ShortestPathsSpec(
            start=start,
            goal=goal,
            seconds=float(seconds or MAX_SECONDS),
            memory_bytes=memory_bytes or MAX_MEMORY_BYTES,
        )
        is_quick = start.size.cells <= _QUICK_PATH_CELLS
        return self._take(client_id, spec, Queue.QUICK_ANALYSIS if is_quick else Queue.ANALYSIS)

    def solutions(self, ways_id: str, first: int = 0, count: int | None = None) -> list[Moves]:
        """Return some of the stored solutions, starting with number `first`.

        Raises NotFoundError if there is no such search, or it has not found all solutions.
        Raises ReplayError if a stored solution does not reach the goal.
        """
        view, result = self._read_result(ways_id)
        end = None if count is None else first + count
        return list(islice(_read_solutions(view.spec, result), first, end))

    def graph(self, ways_id: str) -> SolutionGraph:
        """Return the graph of all solutions.

        Raises NotFoundError and ReplayError like `solutions`, and NotFoundError if the graph is
        too large.
        """
        view, result = self._read_result(ways_id)
        graph = _read_graph(view.spec, result)
        if graph is None:
            raise NotFoundError(
                "ways-graph",
                "the shortest solutions pass through {boards} boards; graphs of up to {max} "
                "can be drawn",
                boards=result.document["boards"],
                max=MAX_DRAWN,
            )
        return graph

    def _read_result(self, ways_id: str) -> tuple[Task[ShortestPathsSpec], Result]:
        view = self.view(ways_id)
        with self._storage.reading() as session:
            result = session.tasks.result(ways_id)
        if result is None or result.solutions is None:
            raise NotFoundError(
                "ways-not-found",
                "the shortest solutions of {id!r} are not all known",
                id=ways_id,
            )
        return view, result
