"""Analysis of games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from tilework.board import Board, BoardLike, resolve_goal
from tilework.core.arguments import check_text, invalid
from tilework.core.errors import InputError
from tilework.core.messages import Message
from tilework.core.puzzle.goals import GoalName
from tilework.core.search.limits import Limits


@dataclass(frozen=True, slots=True)
class Loss:
    """A move away from the goal, which costs two moves.

    Attributes
    ----------
    move : int
        Number of the move, from 1.
    remaining : int
        Length of a shortest solution from the position before the move.
    way : str or None
        Moves of that solution; None if the solutions of all losses together are too long.
    """

    move: int
    remaining: int
    way: str | None


@dataclass(frozen=True, slots=True)
class Analysis:
    """The remaining moves at each position of a game, and its wasted moves.

    Attributes
    ----------
    is_solution : bool
        Whether the game ends at its goal.
    is_exact : bool
        Whether the remaining moves are known for every position.
    lower : tuple of int
        Proven lower bound for each position, starting before the first move.
    upper : tuple of int or None
        Length of the shortest known solution for each position.
    losses : tuple of Loss
        All losses if the analysis is exact, otherwise those that are proven.
    loops : tuple of (int, int)
        Pairs of move numbers after which the position is the same.
    slides : int
        Number of slides: consecutive moves in one direction count once.
    lost : tuple of (int, int or None)
        Lower and upper bound on the wasted moves: the length of the game plus the moves remaining
        at its end, minus the length of a shortest solution.
    """

    is_solution: bool
    is_exact: bool
    lower: tuple[int, ...]
    upper: tuple[int | None, ...]
    losses: tuple[Loss, ...]
    loops: tuple[tuple[int, int], ...]
    slides: int
    lost: tuple[int, int | None]

    def __len__(self) -> int:
        """Return the number of moves of the game."""
        return len(self.lower) - 1

    @classmethod
    def of(cls, document: dict[str, Any]) -> Self:
        """Read the JSON document of the command line or a server.

        Raises
        ------
        TileworkError
            If it is not one.
        """
        try:
            return cls(
                is_solution=document["is_solution"],
                is_exact=document["exact"],
                lower=tuple(document["lower"]),
                upper=tuple(document["upper"]),
                losses=tuple(
                    Loss(loss["move"], loss["remaining"], loss["way"])
                    for loss in document["losses"]
                ),
                loops=tuple((loop["first"], loop["last"]) for loop in document["loops"]),
                slides=document["slides"],
                lost=(document["lost_at_least"], document["lost_at_most"]),
            )
        except (LookupError, TypeError):
            allowed = Message("analysis-document", "the JSON of “tilework analyse --json”")
            raise InputError(invalid("analysis", document, allowed)) from None


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
    goal : Board or its name or text
    time_limit : float, optional
        Time limit. By default boards of up to 16 cells are analysed completely, and larger ones for
        ten seconds.

    Raises
    ------
    UnsolvableError
        If the goal cannot be reached.
    TileworkError
        For an invalid board, goal or moves.
    """
    from tilework.core.formats.moves_text import read_moves
    from tilework.core.solver.analysis.analyse import analyse as search
    from tilework.core.solver.analysis.game import analysis_document

    start = Board.of(board)
    end = resolve_goal(goal, start.size)
    game = read_moves(check_text("moves", moves), start)
    return Analysis.of(analysis_document(search(start, end, game, limits=Limits.of(time_limit))))
