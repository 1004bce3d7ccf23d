"""Analysing games in this process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from tilework.board import Board, BoardLike, goal_of
from tilework.core.puzzle.goals import GoalName
from tilework.core.search.limits import Limits


@dataclass(frozen=True, slots=True)
class Loss:
    """A move after which more remains than before it: two moves are lost by it.

    Attributes
    ----------
    move : int
        Its number, from 1.
    remaining : int
        Moves of the better way, from the position before the move.
    way : str or None
        That way, by the ways of the tiles; None where all ways together are too long.
    """

    move: int
    remaining: int
    way: str | None


@dataclass(frozen=True, slots=True)
class Analysis:
    """What remains at each position of a game, and where moves were lost.

    Attributes
    ----------
    is_solution : bool
        Whether the game ends at its goal.
    is_exact : bool
        Whether it is known of every position what remains.
    lower : tuple of int
        By position, from the one before the first move: no solution of it is shorter; proved.
    upper : tuple of int or None
        Moves of the shortest solution that is known.
    losses : tuple of Loss
        All of them if the analysis is exact; else those that are proved.
    loops : tuple of (int, int)
        The position after the first number of moves is that after the second.
    slides : int
        Moves, where those of one direction in a row count as one.
    lost : tuple of (int, int or None)
        Moves that were lost, at least and at most: the game's and those that remain at its end,
        less those of a shortest solution.
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
        """Read the JSON value that the command line and servers write."""
        return cls(
            is_solution=document["is_solution"],
            is_exact=document["exact"],
            lower=tuple(document["lower"]),
            upper=tuple(document["upper"]),
            losses=tuple(
                Loss(one["move"], one["remaining"], one["way"]) for one in document["losses"]
            ),
            loops=tuple((one["first"], one["last"]) for one in document["loops"]),
            slides=document["slides"],
            lost=(document["lost_at_least"], document["lost_at_most"]),
        )


def analyse(
    board: BoardLike,
    moves: str,
    goal: BoardLike | GoalName = GoalName.BLANK_LAST,
    *,
    seconds: float | None = None,
) -> Analysis:
    """Find what remains at each position of a game, and which of its moves lost some.

    Parameters
    ----------
    board : Board, or its text, tiles or rows
        Before the first move.
    moves : str
        At most 10,000, in any format that solutions are written in: ``"LURD"``, ``"L2U"``, the
        tiles that slide, JSON, or every board. They need not lead to the goal.
    goal : Board or its name or text
    seconds : float, optional
        The analysis ends after so long, with what is proved by then. Without a limit boards of up
        to 16 cells are analysed to the end, and larger ones for ten seconds.

    Raises
    ------
    UnsolvableError
        If no moves lead to the goal.
    TileworkError
        For a board, goal or moves that cannot be.
    """
    from tilework.core.formats.moves_text import read_moves
    from tilework.core.solver.analysis.analyse import analyse as search
    from tilework.core.solver.analysis.result import analysis_document

    start = Board.of(board)
    end = goal_of(goal, start)
    made = read_moves(moves, start)
    return Analysis.of(analysis_document(search(start, end, made, limits=Limits(seconds=seconds))))
