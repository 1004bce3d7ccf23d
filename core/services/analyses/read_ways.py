"""Reading what was found of all shortest solutions of a board: the first of them, their graph."""

from __future__ import annotations

from itertools import islice

from tilework.core.errors import NotFoundError
from tilework.core.formats.ways_graph import WaysGraph
from tilework.core.model.questions import AnalysisView, Answer, WaysSpec
from tilework.core.puzzle.moves import Moves
from tilework.core.services.analyses.answers import graph_of, solutions_of
from tilework.core.services.analyses.read import ReadAnalyses
from tilework.core.settings import Settings
from tilework.core.solver.shortest_paths.shortest_ways import MOST_DRAWN
from tilework.core.storage.database import Database


class ReadWays(ReadAnalyses[WaysSpec]):
    """Read-only access to what was found of ways."""

    def __init__(self, storage: Database, settings: Settings) -> None:
        super().__init__(storage, WaysSpec, settings)

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

    def graph(self, ways_id: str) -> WaysGraph:
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
                "the shortest solutions pass {boards} boards; up to {most} are drawn",
                boards=answer.document["boards"],
                most=MOST_DRAWN,
            )
        return found

    def _answer(self, ways_id: str) -> tuple[AnalysisView[WaysSpec], Answer]:
        view = self.view(ways_id)
        with self._storage.reading() as session:
            answer = session.analyses.answer(ways_id)
        if answer is None or answer.solutions is None:
            raise NotFoundError(
                "ways-not-found",
                "the shortest solutions of {id!r} are not all known",
                id=ways_id,
            )
        return view, answer
