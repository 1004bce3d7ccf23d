"""Solving in few slides, in this process."""

from __future__ import annotations

from dataclasses import dataclass

from tilework.board import Board, BoardLike, goal_of
from tilework.core.formats.solution_moves import runs
from tilework.core.puzzle.goals import GoalName
from tilework.core.puzzle.metric import count_slides
from tilework.core.puzzle.moves import from_letters, to_letters
from tilework.core.search.limits import Limits


@dataclass(frozen=True, slots=True)
class Slides:
    """A solution counted by slides: tiles of a row or column that go together count once.

    Attributes
    ----------
    board, goal : Board
    moves : str or None
        Tile by tile, as `Solution.moves`; replayed. None where nothing was found within the limit.
    lower_bound : int
        No solution has fewer slides; proved.
    nodes : int
        Boards generated.
    seconds : float
    """

    board: Board
    goal: Board
    moves: str | None
    lower_bound: int
    nodes: int
    seconds: float

    def __len__(self) -> int:
        """Return the number of slides.

        Raises
        ------
        ValueError
            If there is no solution.
        """
        return count_slides(from_letters(self._found()))

    def __bool__(self) -> bool:
        """Whether there is a solution; a board that is solved has one of no slides."""
        return self.moves is not None

    @property
    def is_optimal(self) -> bool:
        """Whether it is proved that no solution has fewer slides."""
        return self.moves is not None and len(self) == self.lower_bound

    def text(self) -> str:
        """Return the slides: ``R2`` moves two tiles to the right."""
        return "".join(runs(from_letters(self._found())))

    def _found(self) -> str:
        if self.moves is None:
            raise ValueError("no solution was found within the limit")
        return self.moves


def slides(
    board: BoardLike,
    goal: BoardLike | GoalName = GoalName.BLANK_LAST,
    *,
    seconds: float | None = None,
) -> Slides:
    """Find a solution of few slides; of the fewest on boards of up to 16 cells.

    Parameters
    ----------
    board : Board, or its text, tiles or rows
    goal : Board or its name or text
    seconds : float, optional
        The search ends after so long, with what it has by then. Larger boards are improved for ten
        seconds without a limit.

    Raises
    ------
    UnsolvableError
        If no moves lead to the goal; its ``explanation`` says why.
    TileworkError
        For a board or goal that cannot be.
    TypeError
        For None.
    """
    from tilework.core.solver.slides.find import find_slides

    start = Board.of(board)
    end = goal_of(goal, start)
    found = find_slides(start, end, limits=Limits(seconds=seconds))
    return Slides(
        board=start,
        goal=end,
        moves=None if found.moves is None else to_letters(found.moves),
        lower_bound=found.lower_bound,
        nodes=found.statistics.generated,
        seconds=found.statistics.seconds,
    )
