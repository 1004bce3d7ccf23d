"""Analysis of games."""

from __future__ import annotations

from tilework.board import Board, BoardLike, read_puzzle
from tilework.core.arguments import check_text
from tilework.core.formats.moves_text import read_moves
from tilework.core.puzzle.goals import GoalName
from tilework.core.puzzle.moves import reverse_moves, to_letters
from tilework.core.search.limits import Limits
from tilework.core.solver.analysis.game import Analysis, Game, Loss

__all__ = ["Analysis", "Loss", "analyse", "invert", "simplify"]


def analyse(
    board: BoardLike,
    moves: str,
    goal: BoardLike | GoalName = GoalName.BLANK_LAST,
    *,
    time_limit: float | None = None,
) -> Analysis:
    """Find the remaining moves at each position of a game, and its wasted moves.

    Parameters
    ----------
    board : Board, or its text, tiles or rows
        The position before the first move.
    moves : str
        At most 10,000 moves in any solution format: ``"LURD"``, ``"L2U"``, moved tiles, JSON, or a
        sequence of boards. They need not reach the goal.
    goal : see `solve`, which also raises the same errors
    time_limit : float, optional
        Time limit. By default boards of up to 16 cells are analysed completely, and larger ones for
        ten seconds.
    """
    from tilework.core.solver.analysis.analyse import analyse as search

    start, end = read_puzzle(board, goal)
    game = read_moves(check_text("moves", moves), start)
    return search(start, end, game, limits=Limits.of(time_limit))


def simplify(board: BoardLike, moves: str) -> str:
    """Return the moves without those between two visits of the same board.

    Parameters
    ----------
    board, moves : see `analyse`

    Raises
    ------
    MoveError
        For moves that cannot be read or are illegal.
    """
    return to_letters(_read_game(board, moves).without_loops())


def invert(board: BoardLike, moves: str) -> str:
    """Return the moves that lead back to a board after `moves`; see `simplify`."""
    return to_letters(reverse_moves(_read_game(board, moves).moves))


def _read_game(board: BoardLike, moves: str) -> Game:
    start = Board.of(board)
    return Game(start, start, read_moves(check_text("moves", moves), start))
