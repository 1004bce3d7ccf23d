"""Solving in this process: the best solution of a board, and what is proved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal
from warnings import warn

from tilework.board import Board, BoardLike, goal_of
from tilework.core.formats.solution_formats import SolutionFormat, write_solution
from tilework.core.puzzle.goals import GoalName
from tilework.core.puzzle.metric import count_slides
from tilework.core.puzzle.moves import from_letters, to_letters
from tilework.core.puzzle.solvability import check_solvable
from tilework.core.search.limits import Limits
from tilework.core.solver.target import Algorithm, Heuristic, Target, TargetKind


@dataclass(frozen=True, slots=True)
class Solution:
    """A board's best solution and the proved bound under all of them.

    Attributes
    ----------
    board, goal : Board
    moves : str or None
        ``U``, ``D``, ``L``, ``R``, each the way that a tile slides, replayed; None where nothing
        was found within the limits.
    lower_bound : int
        No solution is shorter; proved.
    algorithm : str
        What found it.
    nodes : int
        Boards generated.
    seconds : float
    """

    board: Board
    goal: Board
    moves: str | None
    lower_bound: int
    algorithm: str
    nodes: int
    seconds: float

    def __len__(self) -> int:
        """Return the number of moves.

        Raises
        ------
        ValueError
            If there is no solution.
        """
        return len(self._found())

    def __bool__(self) -> bool:
        """Whether there is a solution; a board that is solved has one of no moves."""
        return self.moves is not None

    @property
    def slides(self) -> int:
        """How many slides the moves are: tiles of a line that go together count once.

        Raises
        ------
        ValueError
            If there is no solution.
        """
        return count_slides(from_letters(self._found()))

    @property
    def is_optimal(self) -> bool:
        """Whether it is proved that no solution is shorter."""
        return self.moves is not None and len(self.moves) == self.lower_bound

    def boards(self) -> Iterator[Board]:
        """Yield the boards from the first to the goal."""
        board = self.board
        yield board
        for move in self._found():
            board = board.moved(move)
            yield board

    def text(
        self,
        form: SolutionFormat | str = SolutionFormat.TEXT,
        language: str = "en",
        by: Literal["tile", "blank"] = "tile",
    ) -> str:
        """Return the solution as text.

        Parameters
        ----------
        form : str
            One of the formats of ``docs/formats.md``, such as ``arrows``.
        language : {"en", "pt"}
            Of the words in ``text`` and ``princeton``.
        by : {"tile", "blank"}
            Whose way the moves of ``udlr``, ``runs`` and ``json`` name.

        Raises
        ------
        TileworkError
            If there is no such format or language.
        ValueError
            If there is no solution, or ``by`` is neither.
        """
        if by not in ("tile", "blank"):
            raise ValueError(f'by is "tile" or "blank", not {by!r}')
        pieces = write_solution(
            form,
            self.board,
            from_letters(self._found()),
            self.goal,
            language=language,
            blank_moves=by == "blank",
            lower_bound=self.lower_bound,
        )
        return "".join(pieces)

    def _found(self) -> str:
        if self.moves is None:
            raise ValueError("no solution was found within the limits")
        return self.moves


Wanted = float | Literal["optimal", "any"]
"""The shortest solution, any, or one at most so much longer than is proved: 0.1 for a tenth."""


def solve(
    board: BoardLike,
    goal: BoardLike | GoalName = GoalName.BLANK_LAST,
    *,
    target: Wanted = "optimal",
    seconds: float | None = None,
    algorithm: Algorithm | str = Algorithm.AUTO,
    heuristic: Heuristic | str = Heuristic.AUTO,
) -> Solution:
    """Find a solution and prove how short any may be.

    Parameters
    ----------
    board : Board, or its text, tiles or rows
    goal : Board or its name or text
    target : "optimal", "any" or float
        When to stop: with a proved shortest solution, with any, or with one at most so much longer
        than is proved, as a fraction from 0.
    seconds : float, optional
        The search ends after so long, with what it has by then. Without a limit the proof of a
        board of up to 36 cells may take years; larger ones, which have none, are improved for
        some ten seconds.
    algorithm, heuristic : str
        As ``tilework solve --algorithm`` has them; chosen for the board where left out.

    Returns
    -------
    Solution
        Its moves were replayed.

    Raises
    ------
    UnsolvableError
        If no moves lead to the goal; its ``explanation`` says why.
    TileworkError
        For a board, goal or option that cannot be.
    TypeError
        For None.
    """
    from tilework.core.solver.solve import solve as search

    start = Board.of(board)
    end = goal_of(goal, start)
    result = search(
        start,
        end,
        target=_target(target),
        limits=Limits(seconds=seconds),
        algorithm=Algorithm(algorithm),
        heuristic=Heuristic(heuristic),
    )
    return Solution(
        board=start,
        goal=end,
        moves=None if result.moves is None else to_letters(result.moves),
        lower_bound=result.lower_bound,
        algorithm=result.algorithm,
        nodes=result.statistics.generated,
        seconds=result.statistics.seconds,
    )


class Solver:
    """A board's shortest solution, found when it is first asked for.

    The names are those of Princeton's 8-puzzle assignment.

    Parameters
    ----------
    board : Board, or its text, tiles or rows
    goal : Board or its name or text

    Raises
    ------
    UnsolvableError
        If no moves lead from the board to the goal; it is a `ValueError`.
    TypeError
        For None.
    """

    def __init__(self, board: BoardLike, goal: BoardLike | GoalName = GoalName.BLANK_LAST) -> None:
        self._board = Board.of(board)
        self._goal = goal_of(goal, self._board)
        check_solvable(self._board, self._goal)

    def is_solvable(self) -> bool:
        """Return True: of a board that is not solvable there is no solver.

        .. deprecated:: 0.2
            Ask the board.
        """
        warn("ask the board: board.is_solvable()", DeprecationWarning, stacklevel=2)
        return True

    def moves(self) -> int:
        """Return the least number of moves."""
        return len(self._found)

    def solution(self) -> list[Board]:
        """Return the boards of a shortest solution, the first and the goal among them."""
        return list(self._found.boards())

    @cached_property
    def _found(self) -> Solution:
        return solve(self._board, self._goal)


def _target(wanted: Wanted) -> Target:
    if isinstance(wanted, str):
        return Target(TargetKind(wanted))
    return Target(TargetKind.GAP, wanted)
