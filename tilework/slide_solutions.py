"""Solutions with few slides."""

from __future__ import annotations

from dataclasses import dataclass

from tilework.board import Board, BoardLike, resolve_goal
from tilework.core.formats.solutions import format_runs
from tilework.core.puzzle.goals import GoalName
from tilework.core.puzzle.metric import count_slides
from tilework.core.puzzle.moves import from_letters, to_letters
from tilework.core.search.limits import Limits


@dataclass(frozen=True, slots=True)
class Slides:
    """A solution counted in slides: adjacent tiles that move together count once.

    Attributes
    ----------
    board, goal : Board
    moves : str or None
        Single moves, as in `Solution.moves`; replayed. None if nothing was found within the limit.
    lower_bound : int
        Proven lower bound on the slides of any solution.
    nodes : int
        Number of generated boards.
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
        return count_slides(from_letters(self._require_moves()))

    def __bool__(self) -> bool:
        """Whether a solution was found, possibly of no slides."""
        return self.moves is not None

    @property
    def is_optimal(self) -> bool:
        """Whether the solution is proven to have the fewest slides."""
        return self.moves is not None and len(self) == self.lower_bound

    def text(self) -> str:
        """Return the slides as text: ``R2`` moves two tiles to the right."""
        return "".join(format_runs(from_letters(self._require_moves())))

    def _require_moves(self) -> str:
        if self.moves is None:
            raise ValueError("no solution was found within the limit")
        return self.moves


def slides(
    board: BoardLike,
    goal: BoardLike | GoalName = GoalName.BLANK_LAST,
    *,
    seconds: float | None = None,
) -> Slides:
    """Find a solution with few slides; on boards of up to 16 cells, with the fewest.

    Parameters
    ----------
    board : Board, or its text, tiles or rows
    goal : Board or its name or text
    seconds : float, optional
        Time limit. By default larger boards are improved for ten seconds.

    Raises
    ------
    UnsolvableError
        If the goal cannot be reached; its ``explanation`` says why.
    TileworkError
        For an invalid board or goal.
    TypeError
        For None.
    """
    from tilework.core.solver.slides.find import find_slides

    start = Board.of(board)
    end = resolve_goal(goal, start.size)
    result = find_slides(start, end, limits=Limits.of(seconds))
    return Slides(
        board=start,
        goal=end,
        moves=None if result.moves is None else to_letters(result.moves),
        lower_bound=result.lower_bound,
        nodes=result.statistics.generated,
        seconds=result.statistics.seconds,
    )
