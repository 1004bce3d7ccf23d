"""solve(): plan, search, replay, in this process."""

from __future__ import annotations

from pathlib import Path

from core.errors import BoardError, UnsolvableError
from core.optimal.a_star import a_star
from core.puzzle.board import Board
from core.puzzle.replay import replay
from core.puzzle.solvability import explain, is_solvable
from core.search.catalogue import Algorithm, Heuristic
from core.search.limits import Limits
from core.search.result import ProgressListener, SearchResult
from core.search.target import Target


def solve(
    board: Board,
    goal: Board,
    *,
    target: Target | None = None,
    limits: Limits | None = None,
    algorithm: Algorithm = Algorithm.AUTO,
    heuristic: Heuristic = Heuristic.AUTO,
    progress: ProgressListener | None = None,
    databases: Path | None = None,
) -> SearchResult:
    """Find the best solution that the target asks for and the limits allow."""
    if board.size != goal.size:
        raise BoardError(f"the goal is {goal.size} and the board {board.size}; give one size")
    if not is_solvable(board, goal):
        raise UnsolvableError(
            f"this {board.size} board cannot reach its goal", explain(board, goal).words
        )
    result = a_star(board, goal, heuristic=heuristic, limits=limits, progress=progress)
    if result.moves is not None:
        replay(board, result.moves, goal)
    return result


def warm_up(databases: Path | None = None) -> None:
    """Load or compile every kernel."""
