"""Textbook searches side by side, on one board."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tilework.board import Board, BoardLike, goal_of
from tilework.core.lab.method import DEFAULT_METHODS, Method
from tilework.core.puzzle.goals import GoalName
from tilework.core.puzzle.moves import to_letters
from tilework.core.search.limits import Limits


@dataclass(frozen=True, slots=True)
class Run:
    """How a textbook search went.

    Attributes
    ----------
    method : str
        The algorithm and what it takes: ``a-star:manhattan``.
    moves : str or None
        The solution, by the ways of the tiles; None where there is none.
    visited, expanded, generated : int
        Boards taken up, those whose neighbours were made, and how many of these were made.
    max_frontier : int
        Boards that waited at most.
    seconds : float
    stopped_by : str or None
        The limit that ended it: ``time``, ``nodes`` or ``memory``.
    """

    method: str
    moves: str | None
    visited: int
    expanded: int
    generated: int
    max_frontier: int
    seconds: float
    stopped_by: str | None


def compare(
    board: BoardLike,
    methods: Iterable[str] = (),
    *,
    goal: BoardLike | GoalName = GoalName.BLANK_LAST,
    seconds: float | None = 60.0,
    nodes: int | None = 1_000_000,
) -> list[Run]:
    """Run textbook searches on a board, one after the other.

    Parameters
    ----------
    board : Board, or its text, tiles or rows
    methods : iterable of str
        An algorithm, its heuristic, its weight or width, as ``weighted-a-star:manhattan:1.5``;
        ``tilework lab list`` has the names. Ten that differ if none is given.
    goal : Board or its name or text
    seconds, nodes : optional
        The limits of each run.

    Returns
    -------
    list of Run
        In the order of the methods.

    Raises
    ------
    UnsolvableError
        If no moves lead to the goal.
    TileworkError
        For a board, goal or method that cannot be.
    """
    from tilework.core.lab.run import run

    start = Board.of(board)
    end = goal_of(goal, start)
    limits = Limits(seconds=seconds, nodes=nodes)
    chosen = tuple(map(Method.from_text, methods)) or DEFAULT_METHODS
    runs = []
    for method in chosen:
        result = run(start, end, method, limits)
        runs.append(
            Run(
                method=method.text,
                moves=None if result.moves is None else to_letters(result.moves),
                visited=result.statistics.visited,
                expanded=result.statistics.expanded,
                generated=result.statistics.generated,
                max_frontier=result.statistics.max_frontier,
                seconds=result.statistics.seconds,
                stopped_by=None if result.stopped_by is None else result.stopped_by.value,
            )
        )
    return runs
