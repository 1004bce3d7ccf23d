"""Searches for all shortest solutions: the validation of requests, and their results."""

from __future__ import annotations

from itertools import islice
from typing import Final

from tilework.core.errors import NotFoundError, OptionError
from tilework.core.formats.solution_graph import SolutionGraph
from tilework.core.model.states import Queue
from tilework.core.model.task_specs import ShortestPathsSpec, TaskKind
from tilework.core.model.tasks import Result, Task
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import check_solvable
from tilework.core.puzzle.moves import Moves
from tilework.core.services.tasks.questions import MAX_SECONDS, QuestionService, check_seconds
from tilework.core.services.tasks.results import read_graph, read_solutions
from tilework.core.solver.shortest_paths.graph import MAX_DRAWN
from tilework.core.solver.shortest_paths.stored_solutions import check_size

MEBIBYTE: Final = 1 << 20

MAX_MEMORY_BYTES: Final = 512 * MEBIBYTE
"""The most memory for the boards of a search."""

_QUICK_CELLS: Final = 12
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
        reached, OptionError if there are too many cells or a limit is too high.
        Raises QuotaError or OverloadError if the client or the service has too many unfinished
        analyses.
        """
        check_size(start.size)
        check_solvable(start, goal)
        spec = ShortestPathsSpec(
            start=start,
            goal=goal,
            seconds=MAX_SECONDS if seconds is None else check_seconds(seconds, MAX_SECONDS),
            memory_bytes=_check_memory(memory_bytes, MAX_MEMORY_BYTES),
        )
        is_quick = start.size.cells <= _QUICK_CELLS
        return self._take(client_id, spec, Queue.QUICK_ANALYSIS if is_quick else Queue.ANALYSIS)

    def solutions(self, ways_id: str, first: int = 0, count: int | None = None) -> list[Moves]:
        """Return some of the stored solutions, starting with number `first`.

        Raises NotFoundError if there is no such search, or it has not found all solutions.
        Raises ReplayError if a stored solution does not reach the goal.
        """
        view, result = self._read_result(ways_id)
        end = None if count is None else first + count
        return list(islice(read_solutions(view.spec, result), first, end))

    def graph(self, ways_id: str) -> SolutionGraph:
        """Return the graph of all solutions.

        Raises NotFoundError and ReplayError like `solutions`, and NotFoundError if the graph is
        too large.
        """
        view, result = self._read_result(ways_id)
        graph = read_graph(view.spec, result)
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


def _check_memory(memory: int | None, maximum: int) -> int:
    if memory is None:
        return maximum
    if not 0 < memory <= maximum:
        raise OptionError(
            "ways-memory-limit",
            "invalid memory limit {limit} MiB; use more than 0 and at most {max} MiB",
            limit=memory // MEBIBYTE,
            max=maximum // MEBIBYTE,
        )
    return memory
