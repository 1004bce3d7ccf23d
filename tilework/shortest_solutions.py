"""All shortest solutions of a board, found in this process or by a server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tilework.board import Board, BoardLike, goal_of
from tilework.core.errors import ReplayError
from tilework.core.puzzle.goals import GoalName
from tilework.core.puzzle.moves import from_letters, to_letters
from tilework.core.puzzle.replay import replay
from tilework.core.search.limits import Limits

if TYPE_CHECKING:
    from tilework.core.remote import Server
    from tilework.core.solver.shortest_paths.graph import ShortestPaths


@dataclass(frozen=True, slots=True)
class Found:
    """All shortest solutions, wherever they were found."""

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
        No solution is shorter; proved. Their length, where they were found.
    stopped_by : str or None
        The limit that was reached before they were all found: ``time`` or ``memory``.
    seconds : float
    """

    board: Board
    goal: Board
    lower_bound: int
    stopped_by: str | None
    seconds: float
    _found: Found | None = field(repr=False)

    def __bool__(self) -> bool:
        """Whether they were all found."""
        return self._found is not None

    @property
    def length(self) -> int:
        """Moves of each."""
        return self._ways().length

    @property
    def count(self) -> int:
        """How many there are; exact, however many."""
        return self._ways().count()

    @property
    def boards(self) -> int:
        """How many boards lie on them, both ends among them."""
        return self._ways().boards

    def __iter__(self) -> Iterator[str]:
        """Yield their moves, as `Solution.moves`: up before down before left before right.

        There may be more than anybody can wait for: take as many as are wanted. A server keeps the
        first thousand.
        """
        return self._ways().solutions()

    def fewest_turns(self) -> str:
        """Return the moves of the one that changes its direction least often."""
        return self._ways().fewest_turns()

    def graph(self) -> dict[str, Any]:
        """Return boards and the moves between them, as what JSON can hold.

        Raises
        ------
        TileworkError
            If there are more boards than could be drawn: 2,000.
        """
        return self._ways().graph()

    def dot(self) -> str:
        """Return the same graph for Graphviz.

        Raises
        ------
        TileworkError
            If there are more boards than could be drawn: 2,000.
        """
        return self._ways().dot()

    def _ways(self) -> Found:
        if self._found is None:
            raise ValueError("the shortest solutions were not all found within the limits")
        return self._found


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
        The search ends after so long.
    memory_bytes : int, optional
        What the boards that are kept may take; a gibibyte where left out.

    Raises
    ------
    UnsolvableError
        If no moves lead to the goal; its ``explanation`` says why.
    TileworkError
        For a board or goal that cannot be, or a board of more than 16 cells.
    TypeError
        For None.
    """
    from tilework.core.solver.shortest_paths.find import find_shortest_paths

    start = Board.of(board)
    end = goal_of(goal, start)
    found = find_shortest_paths(start, end, limits=Limits(seconds, memory_bytes=memory_bytes))
    return Ways(
        board=start,
        goal=end,
        lower_bound=found.lower_bound,
        stopped_by=found.stopped_by,
        seconds=found.statistics.seconds,
        _found=None if found.graph is None else _found_here(found.graph),
    )


def _found_here(ways: ShortestPaths) -> Found:
    return Found(
        length=ways.length,
        boards=ways.boards,
        count=ways.count,
        solutions=lambda: map(to_letters, ways.solutions()),
        fewest_turns=lambda: to_letters(ways.fewest_slides()),
        graph=lambda: ways.graph().document(),
        dot=lambda: "\n".join(ways.graph().dot()) + "\n",
    )


def ways_of(server: Server, view: dict[str, Any]) -> Ways:
    board = Board(view["board"], view["width"], view["height"])
    goal = Board(view["goal"], view["width"], view["height"])
    result = view["result"]
    return Ways(
        board=board,
        goal=goal,
        lower_bound=result["lower_bound"],
        stopped_by=result["stopped_by"],
        seconds=result["seconds"],
        _found=None
        if result["count"] is None
        else _found_there(server, view["id"], board, goal, result),
    )


def _found_there(
    server: Server, ways_id: str, board: Board, goal: Board, result: dict[str, Any]
) -> Found:
    """Return what the server tells; solutions are replayed as they come."""
    length = int(result["length"])

    def replayed(letters: str) -> str:
        moves = from_letters(letters)
        replay(board, moves, goal)
        if len(moves) != length:
            raise ReplayError(
                "way-length",
                "a solution of {count} moves is recorded as having {told}",
                count=len(moves),
                told=length,
            )
        return letters

    return Found(
        length=length,
        boards=int(result["boards"]),
        count=lambda: int(result["count"]),
        solutions=lambda: map(replayed, server.ways_solutions(ways_id)),
        fewest_turns=lambda: replayed(result["fewest_turns"]["moves"]),
        graph=lambda: server.ways_graph(ways_id),
        dot=lambda: "".join(server.ways_dot(ways_id)),
    )
