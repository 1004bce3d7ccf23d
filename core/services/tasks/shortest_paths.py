"""All shortest solutions of a board: how a request is checked, and what was found is read."""

from __future__ import annotations

from itertools import islice
from typing import Final

from tilework.core.errors import NotFoundError, OptionError
from tilework.core.formats.solution_graph import SolutionGraph
from tilework.core.model.states import Queue
from tilework.core.model.task_specs import ShortestPathsSpec, TaskKind
from tilework.core.model.tasks import Result, Task
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves
from tilework.core.puzzle.solvability import check_solvable
from tilework.core.services.tasks.questions import QuestionService, check_seconds
from tilework.core.services.tasks.results import graph_of, solutions_of
from tilework.core.solver.shortest_paths.graph import MOST_DRAWN
from tilework.core.solver.shortest_paths.stored_solutions import check_size

MEBIBYTE: Final = 1 << 20

_QUICK_CELLS: Final = 12
"""Of boards whose ways are found in a tenth of a second."""


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
        """Have all shortest solutions of a board found.

        The same board of the same client is the same search; one that failed or was cancelled is
        tried again.

        Parameters
        ----------
        seconds : float, optional
            What the search may take; as much as there is where left out.
        memory_bytes : int, optional
            What the boards may take that it keeps; as much as there is where left out.

        Raises
        ------
        BoardError
            For a goal that does not fit its board.
        UnsolvableError
            With the inversions counted.
        OptionError
            For too many cells, and for limits over what the settings allow.
        QuotaError, OverloadError
            For too many unfinished analyses, of the client or of all.
        """
        check_size(start.size)
        check_solvable(start, goal)
        settings = self._settings
        most = settings.analysis_max_seconds
        spec = ShortestPathsSpec(
            start=start,
            goal=goal,
            seconds=most if seconds is None else check_seconds(seconds, most),
            memory_bytes=_checked_memory(memory_bytes, settings.ways_max_memory_bytes),
        )
        quick = start.size.cells <= _QUICK_CELLS
        return self._take(client_id, spec, Queue.QUICK_ANALYSIS if quick else Queue.ANALYSIS)

    def solutions(self, ways_id: str, first: int = 0, count: int | None = None) -> list[Moves]:
        """Return some of the solutions that are kept, from the one with number `first`.

        Raises
        ------
        NotFoundError
            Here and below, if there is no such search, or it has not found them all.
        ReplayError
            Here and below, if what is stored does not lead to the goal.
        """
        view, answer = self._answer(ways_id)
        end = None if count is None else first + count
        return list(islice(solutions_of(view.spec, answer), first, end))

    def graph(self, ways_id: str) -> SolutionGraph:
        """Return the graph of all solutions.

        Raises
        ------
        NotFoundError
            If it has too many boards, besides.
        """
        view, answer = self._answer(ways_id)
        found = graph_of(view.spec, answer)
        if found is None:
            raise NotFoundError(
                "ways-graph",
                "the shortest solutions pass through {boards} boards; graphs of up to {most} "
                "can be drawn",
                boards=answer.document["boards"],
                most=MOST_DRAWN,
            )
        return found

    def _answer(self, ways_id: str) -> tuple[Task[ShortestPathsSpec], Result]:
        view = self.view(ways_id)
        with self._storage.reading() as session:
            answer = session.tasks.result(ways_id)
        if answer is None or answer.solutions is None:
            raise NotFoundError(
                "ways-not-found",
                "the shortest solutions of {id!r} are not all known",
                id=ways_id,
            )
        return view, answer


def _checked_memory(memory: int | None, most: int) -> int:
    if memory is None:
        return most
    if not 0 < memory <= most:
        raise OptionError(
            "ways-memory-limit",
            "invalid memory limit {limit} MiB; give more than 0 and at most {most} MiB",
            limit=memory // MEBIBYTE,
            most=most // MEBIBYTE,
        )
    return memory
