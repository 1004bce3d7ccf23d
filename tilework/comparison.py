"""Comparison of textbook searches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tilework.board import BoardLike, read_puzzle
from tilework.core.arguments import check_iterable, check_text
from tilework.core.lab.methods import DEFAULT_METHODS, Method
from tilework.core.messages import Message
from tilework.core.puzzle.goals import GoalName
from tilework.core.puzzle.moves import to_letters
from tilework.core.search.limits import Limits


@dataclass(frozen=True, slots=True)
class Run:
    """The result of a textbook search.

    Attributes
    ----------
    method : str
        The algorithm with its heuristic and parameter: ``a-star:manhattan``.
    moves : str or None
        The solution, or None.
    visited, expanded, generated : int
        Numbers of nodes.
    max_frontier : int
        The largest size of the frontier.
    seconds : float
    stopped_by : str or None
        The limit that stopped it: ``time``, ``nodes`` or ``memory``.
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
    methods: str | Iterable[str] = (),
    *,
    goal: BoardLike | GoalName = GoalName.BLANK_LAST,
    time_limit: float | None = 60.0,
    nodes: int | None = 1_000_000,
) -> list[Run]:
    """Run textbook searches on a board.

    Parameters
    ----------
    board, goal : see `solve`, which also raises the same errors
    methods : str or iterable of str
        One algorithm or several, each with its heuristic and its weight or width, as in
        ``weighted-a-star:manhattan:1.5``; ``tilework lab list`` prints the names. By default, ten
        representative methods.
    time_limit, nodes : optional
        Limits of each run.

    Returns
    -------
    list of Run
        In the order of the methods.
    """
    from tilework.core.lab.run import run

    start, end = read_puzzle(board, goal)
    limits = Limits.of(time_limit, nodes=nodes)
    allowed = Message("methods-allowed", "a method such as a-star:manhattan, or a list of them")
    methods = [methods] if isinstance(methods, str) else check_iterable("methods", methods, allowed)
    names = (check_text("method", method) for method in methods)
    chosen = tuple(map(Method.from_text, names)) or DEFAULT_METHODS
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
