"""All shortest solutions of a board."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tilework.board import Board, BoardLike, read_puzzle
from tilework.core.errors import NotFoundError
from tilework.core.puzzle.goals import GoalName
from tilework.core.puzzle.moves import to_letters
from tilework.core.search.limits import Limits

if TYPE_CHECKING:
    from tilework.core.solver.shortest_paths.graph import ShortestPaths


@dataclass(frozen=True, slots=True)
class Ways:
    """All shortest solutions of a board.

    Attributes
    ----------
    board, goal : Board
    lower_bound : int
        Proven lower bound on the length; equal to it if the solutions were found.
    stopped_by : str or None
        The limit that stopped the search: ``time`` or ``memory``.
    seconds : float

    Raises
    ------
    NotFoundError
        What needs the solutions, if they were not all found.
    """

    board: Board
    goal: Board
    lower_bound: int
    stopped_by: str | None
    seconds: float
    _paths: ShortestPaths | None = field(repr=False)

    def __bool__(self) -> bool:
        """Whether all solutions were found."""
        return self._paths is not None

    @property
    def length(self) -> int:
        """The number of moves of each solution."""
        return self._require_paths().length

    @property
    def count(self) -> int:
        """The exact number of solutions."""
        return self._require_paths().count()

    @property
    def boards(self) -> int:
        """The number of boards on the solutions, including start and goal."""
        return self._require_paths().boards

    def __iter__(self) -> Iterator[str]:
        """Yield the moves of each solution, ordered by up, down, left, right.

        There can be a huge number; take only as many as needed.
        """
        return map(to_letters, self._require_paths().solutions())

    def fewest_turns(self) -> str:
        """Return the moves of the solution with the fewest changes of direction."""
        return to_letters(self._require_paths().fewest_slides())

    def graph(self) -> dict[str, Any]:
        """Return the boards and the moves between them as a JSON document.

        Raises
        ------
        TileworkError
            If there are more than 2,000 boards.
        """
        return self._require_paths().graph().document()

    def dot(self) -> str:
        """Return the graph in the DOT language of Graphviz.

        Raises
        ------
        TileworkError
            If there are more than 2,000 boards.
        """
        return "\n".join(self._require_paths().graph().dot()) + "\n"

    def _require_paths(self) -> ShortestPaths:
        if self._paths is None:
            raise NotFoundError(
                "not-all-ways", "the shortest solutions were not all found within the limits"
            )
        return self._paths


def ways(
    board: BoardLike,
    goal: BoardLike | GoalName = GoalName.BLANK_LAST,
    *,
    time_limit: float | None = None,
    memory_bytes: int | None = None,
) -> Ways:
    """Find all shortest solutions of a board of up to 16 cells.

    Parameters
    ----------
    board, goal, time_limit : see `solve`, which also raises the same errors
    memory_bytes : int, optional
        Memory limit for stored boards; one GiB by default.

    Raises
    ------
    TileworkError
        For a board of more than 16 cells.
    """
    from tilework.core.solver.shortest_paths.find import find_shortest_paths

    start, end = read_puzzle(board, goal)
    result = find_shortest_paths(
        start, end, limits=Limits.of(time_limit, memory_bytes=memory_bytes)
    )
    return Ways(
        board=start,
        goal=end,
        lower_bound=result.lower_bound,
        stopped_by=result.stopped_by,
        seconds=result.statistics.seconds,
        _paths=result.graph,
    )
