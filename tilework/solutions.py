"""Solutions of boards, those with few slides, and hints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Literal
from warnings import warn

from tilework.board import Board, BoardLike, resolve_goal
from tilework.core.arguments import check_choice, check_number
from tilework.core.formats.solutions import (
    Mover,
    SolutionFormat,
    format_letters,
    format_runs,
    format_solution,
)
from tilework.core.messages import Message
from tilework.core.puzzle import hint as core
from tilework.core.puzzle.goals import GoalName, check_solvable
from tilework.core.puzzle.metric import count_slides
from tilework.core.puzzle.moves import MoveSequence, from_letters, to_letters
from tilework.core.search.limits import Limits
from tilework.core.solver.target import Algorithm, Heuristic, Target, TargetKind

if TYPE_CHECKING:
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """The best solution of a board, and a proven lower bound.

    Attributes
    ----------
    board, goal : Board
    moves : str or None
        ``U``, ``D``, ``L``, ``R``, the directions of the tiles; replayed. None if nothing was
        found within the limits. Millions of moves are stored in less memory, and the string is
        created each time.
    lower_bound : int
        Proven lower bound on the length of any solution.
    algorithm : str
        The algorithm that found the solution.
    nodes : int
        Number of generated boards.
    seconds : float
    """

    board: Board
    goal: Board
    lower_bound: int
    algorithm: str
    nodes: int
    seconds: float
    _moves: MoveSequence | None = field(repr=False)

    @property
    def moves(self) -> str | None:
        return None if self._moves is None else to_letters(self._moves)

    def __len__(self) -> int:
        """Return the number of moves.

        Raises
        ------
        ValueError
            If there is no solution.
        """
        return len(self._require_moves())

    def __bool__(self) -> bool:
        """Whether a solution was found, possibly of no moves."""
        return self._moves is not None

    @property
    def slides(self) -> int:
        """The number of slides: adjacent tiles that move together count once.

        Raises
        ------
        ValueError
            If there is no solution.
        """
        return count_slides(self._require_moves())

    @property
    def is_optimal(self) -> bool:
        """Whether the solution is proven to be a shortest one."""
        return self._moves is not None and len(self._moves) == self.lower_bound

    def boards(self) -> Iterator[Board]:
        """Yield the boards from the start to the goal."""
        board = self.board
        yield board
        for move in chain.from_iterable(format_letters(self._require_moves())):
            board = board.moved(move)
            yield board

    def text(
        self,
        form: SolutionFormat | str = SolutionFormat.TEXT,
        language: str = "en",
        by: Literal["tile", "blank"] = "tile",
    ) -> str:
        """Return the solution as text.

        `chunks` takes the same arguments and needs less memory.

        Parameters
        ----------
        form : str
            One of the formats of ``docs/formats.md``, such as ``arrows``.
        language : {"en", "pt"}
            Language of the headings in ``text`` and ``princeton``.
        by : {"tile", "blank"}
            Whose directions to write in ``udlr``, ``runs`` and ``json``.

        Raises
        ------
        TileworkError
            For an unknown format, language or ``by``.
        ValueError
            If there is no solution.
        """
        return "".join(self.chunks(form, language, by))

    def chunks(
        self,
        form: SolutionFormat | str = SolutionFormat.TEXT,
        language: str = "en",
        by: Literal["tile", "blank"] = "tile",
    ) -> Iterator[str]:
        """Return the text of `text` in chunks, for solutions of many millions of moves."""
        return format_solution(
            form,
            self.board,
            self._require_moves(),
            self.goal,
            language=language,
            blank_moves=check_choice(by, Mover) is Mover.BLANK,
            lower_bound=self.lower_bound,
        )

    def _require_moves(self) -> MoveSequence:
        if self._moves is None:
            raise ValueError("no solution was found within the limits")
        return self._moves


TargetLike = float | Literal["optimal", "any"]
"""The shortest solution, any solution, or a maximum gap: 0.1 for 10%."""


def solve(
    board: BoardLike,
    goal: BoardLike | GoalName = GoalName.BLANK_LAST,
    *,
    target: TargetLike = "optimal",
    seconds: float | None = None,
    algorithm: Algorithm | str = Algorithm.AUTO,
    heuristic: Heuristic | str = Heuristic.AUTO,
) -> Solution:
    """Find a solution, and prove a lower bound on its length.

    Parameters
    ----------
    board : Board, or its text, tiles or rows
    goal : Board or its name or text
    target : "optimal", "any" or float
        When to stop: with a proven shortest solution, with any solution, or with a gap of at most
        this fraction between the solution and the lower bound.
    seconds : float, optional
        Time limit. Without one the proof for a board of up to 36 cells can take years; larger
        boards, for which no proof is attempted, are improved for about ten seconds.
    algorithm, heuristic : str
        Members of `Algorithm` and `Heuristic`, or their values; by default, chosen by the size.

    Returns
    -------
    Solution
        Its moves have been replayed.

    Raises
    ------
    UnsolvableError
        If the goal cannot be reached; its ``explanation`` says why.
    TileworkError
        For an invalid board, goal or option.
    TypeError
        For None.
    """
    from tilework.core.solver.solve import solve as search

    start = Board.of(board)
    end = resolve_goal(goal, start.size)
    result = search(
        start,
        end,
        target=make_target(target),
        limits=Limits.of(seconds),
        algorithm=check_choice(algorithm, Algorithm),
        heuristic=check_choice(heuristic, Heuristic),
    )
    return Solution(
        board=start,
        goal=end,
        lower_bound=result.lower_bound,
        algorithm=result.algorithm,
        nodes=result.statistics.generated,
        seconds=result.statistics.seconds,
        _moves=result.moves,
    )


class Solver:
    """A shortest solution of a board, computed on first use.

    The interface is that of Princeton's 8-puzzle assignment.

    Parameters
    ----------
    board : Board, or its text, tiles or rows
    goal : Board or its name or text

    Raises
    ------
    UnsolvableError
        If the goal cannot be reached; it is a `ValueError`.
    TypeError
        For None.
    """

    def __init__(self, board: BoardLike, goal: BoardLike | GoalName = GoalName.BLANK_LAST) -> None:
        self._board = Board.of(board)
        self._goal = resolve_goal(goal, self._board.size)
        check_solvable(self._board, self._goal)

    def is_solvable(self) -> bool:
        """Return True, because the constructor rejects unsolvable boards.

        .. deprecated:: 0.2
            Use `Board.is_solvable`.
        """
        warn("use board.is_solvable()", DeprecationWarning, stacklevel=2)
        return True

    def moves(self) -> int:
        """Return the minimum number of moves; over 36 cells, that of the best solution found."""
        return len(self._solution)

    def solution(self) -> list[Board]:
        """Return the boards of that solution, including start and goal."""
        return list(self._solution.boards())

    @cached_property
    def _solution(self) -> Solution:
        return solve(self._board, self._goal)


def make_target(target: TargetLike) -> Target:
    if isinstance(target, str) and target in (TargetKind.OPTIMAL, TargetKind.ANY):
        return Target(TargetKind(target))
    allowed = Message("target-allowed", "optimal, any or a gap of at least 0, such as 0.1")
    return Target(TargetKind.GAP, check_number("target", target, allowed))


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


@dataclass(frozen=True, slots=True)
class Hint:
    """The next tile to move, and the solution it belongs to.

    Attributes
    ----------
    tile : int or None
        None if the board is solved or no solution is known.
    direction : str or None
        ``left``, ``right``, ``up`` or ``down``.
    moves : str or None
        The complete solution, which starts with the hint; replayed.
    lower_bound : int
        Proven lower bound on the length of any solution.
    """

    tile: int | None
    direction: str | None
    moves: str | None
    lower_bound: int

    @property
    def is_solved(self) -> bool:
        """Whether the board is already solved."""
        return self.moves == ""

    @property
    def is_optimal(self) -> bool:
        """Whether the solution is proven optimal."""
        return self.moves is not None and len(self.moves) == self.lower_bound


def make_hint(hint: core.Hint) -> Hint:
    """Convert a hint whose moves have been replayed."""
    moves = None if hint.moves is None else to_letters(hint.moves)
    return Hint(hint.tile, hint.direction, moves, hint.lower_bound)


def hint(board: BoardLike, goal: BoardLike | GoalName = GoalName.BLANK_LAST) -> Hint:
    """Return the next tile to move.

    On boards of up to 16 cells, the move is the first of a shortest solution. On larger boards, it
    is the first of a good solution that is found within seconds.

    Parameters
    ----------
    board : Board, or its text, tiles or rows
    goal : Board or its name or text

    Raises
    ------
    UnsolvableError
        If the goal cannot be reached; its ``explanation`` says why.
    TileworkError
        For an invalid board or goal.
    TypeError
        For None.
    """
    from tilework.core.solver.solve import find_hint

    start = Board.of(board)
    return make_hint(find_hint(start, resolve_goal(goal, start.size)))
