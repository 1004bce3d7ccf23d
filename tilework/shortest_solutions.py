"""All shortest solutions of a board, computed locally or by a server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tilework.board import Board, BoardLike, resolve_goal
from tilework.core.errors import ReplayError
from tilework.core.puzzle.goals import GoalName
from tilework.core.puzzle.moves import from_letters, to_letters
from tilework.core.puzzle.replay import replay
from tilework.core.search.limits import Limits

if TYPE_CHECKING:
    from tilework.core.remote import Server
    from tilework.core.solver.shortest_paths.graph import ShortestPaths


@dataclass(frozen=True, slots=True)
class Source:
    """Access to the solutions, computed locally or by a server."""

    length: int
    boards: int
    count: Callable[[], int]
    solutions: Callable[[], Iterator[str]]
    fewest_turns: Callable[[], str]
    graph: Callable[[], dict[str, Any]]
    dot: Callable[[], str]


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
    """

    board: Board
    goal: Board
    lower_bound: int
    stopped_by: str | None
    seconds: float
    _source: Source | None = field(repr=False)

    def __bool__(self) -> bool:
        """Whether all solutions were found."""
        return self._source is not None

    @property
    def length(self) -> int:
        """The number of moves of each solution."""
        return self._require_source().length

    @property
    def count(self) -> int:
        """The exact number of solutions."""
        return self._require_source().count()

    @property
    def boards(self) -> int:
        """The number of boards on the solutions, including start and goal."""
        return self._require_source().boards

    def __iter__(self) -> Iterator[str]:
        """Yield the moves of each solution, ordered by up, down, left, right.

        There can be a huge number; take only as many as needed. A server stores the first thousand.
        """
        return self._require_source().solutions()

    def fewest_turns(self) -> str:
        """Return the moves of the solution with the fewest changes of direction."""
        return self._require_source().fewest_turns()

    def graph(self) -> dict[str, Any]:
        """Return the boards and the moves between them as a JSON document.

        Raises
        ------
        TileworkError
            If there are more than 2,000 boards.
        """
        return self._require_source().graph()

    def dot(self) -> str:
        """Return the graph in the DOT language of Graphviz.

        Raises
        ------
        TileworkError
            If there are more than 2,000 boards.
        """
        return self._require_source().dot()

    def _require_source(self) -> Source:
        if self._source is None:
            raise ValueError("the shortest solutions were not all found within the limits")
        return self._source


def ways(
    board: BoardLike,
    goal: BoardLike | GoalName = GoalName.BLANK_LAST,
    *,
    seconds: float | None = None,
    memory_bytes: int | None = None,
) -> Ways:
    """Find all shortest solutions of a board of up to 16 cells.

    Parameters
    ----------
    board : Board, or its text, tiles or rows
    goal : Board or its name or text
    seconds : float, optional
        Time limit.
    memory_bytes : int, optional
        Memory limit for stored boards; one GiB by default.

    Raises
    ------
    UnsolvableError
        If the goal cannot be reached; its ``explanation`` says why.
    TileworkError
        For an invalid board or goal, or a board of more than 16 cells.
    TypeError
        For None.
    """
    from tilework.core.solver.shortest_paths.find import find_shortest_paths

    start = Board.of(board)
    end = resolve_goal(goal, start.size)
    result = find_shortest_paths(start, end, limits=Limits.of(seconds, memory_bytes=memory_bytes))
    return Ways(
        board=start,
        goal=end,
        lower_bound=result.lower_bound,
        stopped_by=result.stopped_by,
        seconds=result.statistics.seconds,
        _source=None if result.graph is None else _local_source(result.graph),
    )


def _local_source(paths: ShortestPaths) -> Source:
    return Source(
        length=paths.length,
        boards=paths.boards,
        count=paths.count,
        solutions=lambda: map(to_letters, paths.solutions()),
        fewest_turns=lambda: to_letters(paths.fewest_slides()),
        graph=lambda: paths.graph().document(),
        dot=lambda: "\n".join(paths.graph().dot()) + "\n",
    )


def read_ways(server: Server, view: dict[str, Any]) -> Ways:
    board = Board(view["board"], view["width"], view["height"])
    goal = Board(view["goal"], view["width"], view["height"])
    result = view["result"]
    return Ways(
        board=board,
        goal=goal,
        lower_bound=result["lower_bound"],
        stopped_by=result["stopped_by"],
        seconds=result["seconds"],
        _source=None
        if result["count"] is None
        else _remote_source(server, view["id"], board, goal, result),
    )


def _remote_source(
    server: Server, ways_id: str, board: Board, goal: Board, result: dict[str, Any]
) -> Source:
    """Return access to the server's solutions, which are replayed as they arrive."""
    length = int(result["length"])

    def check(letters: str) -> str:
        moves = from_letters(letters)
        replay(board, moves, goal)
        if len(moves) != length:
            raise ReplayError(
                "way-length",
                "a solution of {count} moves is recorded as having {recorded}",
                count=len(moves),
                recorded=length,
            )
        return letters

    return Source(
        length=length,
        boards=int(result["boards"]),
        count=lambda: int(result["count"]),
        solutions=lambda: map(check, server.ways_solutions(ways_id)),
        fewest_turns=lambda: check(result["fewest_turns"]["moves"]),
        graph=lambda: server.ways_graph(ways_id),
        dot=lambda: "".join(server.ways_dot(ways_id)),
    )
