"""Solutions of boards, those with few slides, and hints."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any, Final, Literal

from tilework.board import Board, BoardLike, read_puzzle
from tilework.core.arguments import check_choice, check_number, check_text
from tilework.core.errors import NotFoundError
from tilework.core.formats.moves_text import read_moves
from tilework.core.formats.solutions import (
    Mover,
    SolutionFormat,
    format_letters,
    format_solution,
)
from tilework.core.lab.methods import RUN_MEMORY_BYTES
from tilework.core.machine import has_extra
from tilework.core.messages import Message
from tilework.core.model.search_names import check_shortens, find_method
from tilework.core.model.textbook_result import TextbookResult
from tilework.core.puzzle import hint as core
from tilework.core.puzzle.goals import GoalName, check_solvable
from tilework.core.puzzle.metric import Metric, count_slides
from tilework.core.puzzle.moves import MoveSequence, to_letters
from tilework.core.search.limits import Limits
from tilework.core.solver.result import SearchResult
from tilework.core.solver.target import Algorithm, Heuristic, Target, TargetKind

_MAX_SHOWN_MOVES: Final = 500


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """The best solution of a board, and a proven lower bound.

    Attributes
    ----------
    board, goal : Board
    metric : "moves" or "slides"
        What ``len()`` and the lower bound count: moves of single tiles, or slides of one or more
        adjacent tiles.
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

    Raises
    ------
    NotFoundError
        What needs a solution, if none was found.
    """

    board: Board
    goal: Board
    metric: str
    lower_bound: int
    algorithm: str
    nodes: int
    seconds: float
    _moves: MoveSequence | None = field(repr=False)

    @property
    def moves(self) -> str | None:
        return None if self._moves is None else to_letters(self._moves)

    def __len__(self) -> int:
        """Return the length in the metric."""
        return Metric(self.metric).length(self._require_moves())

    def __bool__(self) -> bool:
        """Whether a solution was found, possibly of no moves."""
        return self._moves is not None

    @property
    def slides(self) -> int:
        """The number of slides: adjacent tiles that move together count once."""
        return count_slides(self._require_moves())

    @property
    def is_optimal(self) -> bool:
        """Whether the solution is proven to be a shortest one."""
        return bool(self) and len(self) == self.lower_bound

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
            metric=Metric(self.metric),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain values; a list of these makes a table in pandas."""
        return {
            "board": str(self.board),
            "metric": self.metric,
            "length": len(self) if self else None,
            "lower_bound": self.lower_bound,
            "optimal": self.is_optimal,
            "moves": self.moves,
            "algorithm": self.algorithm,
            "nodes": self.nodes,
            "seconds": self.seconds,
        }

    def _repr_html_(self) -> str:
        """Play the solution in a notebook, or show only its board if it is large."""
        from tilework.core.drawing.animation import is_animatable, solution_gif
        from tilework.core.drawing.svg import board_svg

        picture = board_svg(self.board, self.goal)
        if self and is_animatable(self.board.size) and has_extra("pictures"):
            data = b64encode(solution_gif(self.board, self._require_moves(), self.goal)).decode()
            picture = f'<img alt="" src="data:image/gif;base64,{data}">'
        length = str(Metric(self.metric).describe(len(self))) if self else "no solution found"
        proof = "optimal" if self.is_optimal else f"at least {self.lower_bound}"
        moves = (self.moves or "")[:_MAX_SHOWN_MOVES]
        return f"{picture}<p>{length}, {proof}</p><p><code>{moves}</code></p>"

    def _require_moves(self) -> MoveSequence:
        if self._moves is None:
            raise NotFoundError("no-solution-in-limits", "no solution was found within the limits")
        return self._moves


TargetLike = float | Literal["optimal", "any"]
"""The shortest solution, any solution, or a maximum gap: 0.1 for 10%."""


def solve(
    board: BoardLike,
    goal: BoardLike | GoalName = GoalName.BLANK_LAST,
    *,
    target: TargetLike = "optimal",
    time_limit: float | None = None,
    algorithm: str = "auto",
    heuristic: str = "auto",
    shorten: str | None = None,
) -> Solution:
    """Find a solution, and prove a lower bound on its length.

    Parameters
    ----------
    board : Board, or its text, tiles or rows
    goal : Board or its name or text
    target : "optimal", "any" or float
        When to stop: with a proven shortest solution, with any solution, or with a gap of at most
        this fraction between the solution and the lower bound.
    time_limit : float, optional
        Time limit. Without one the proof for a board of up to 36 cells can take years; larger
        boards, for which no proof is attempted, are improved for about ten seconds.
    algorithm, heuristic : str
        Names of ``tilework lab list``, such as ``"greedy"`` and ``"hamming"``, or the solver's own;
        by default, chosen by the size. A textbook search stops at its first solution, and may need
        a lot of time; its weight or width is written ``"weighted-a-star:manhattan:1.5"``.
    shorten : str, optional
        The moves of a solution, in any solution format, to be made shorter; textbook searches
        cannot.

    Returns
    -------
    Solution
        Its moves have been replayed.

    Raises
    ------
    UnsolvableError
        If the goal cannot be reached; its ``explanation`` says why.
    TileworkError
        For an invalid board, goal or option, or if `shorten` is not a solution.
    """
    stop_at = make_target(target)
    method = find_method(algorithm, heuristic, stop_at)
    start, end = read_puzzle(board, goal)
    if shorten is not None:
        check_shortens(method)
    if method is not None:
        from tilework.core.lab.run import run

        limits = Limits.of(time_limit, memory_bytes=RUN_MEMORY_BYTES)
        result = TextbookResult.of(start, end, run(start, end, method, limits))
        return _make_solution(start, end, result)
    return find_solution(
        start,
        end,
        stop_at,
        Limits.of(time_limit),
        algorithm=Algorithm(algorithm),
        heuristic=Heuristic(heuristic),
        known=None if shorten is None else read_moves(check_text("shorten", shorten), start),
    )


def find_solution(
    start: Board,
    goal: Board,
    target: Target,
    limits: Limits,
    *,
    algorithm: Algorithm = Algorithm.AUTO,
    heuristic: Heuristic = Heuristic.AUTO,
    threads: int = 1,
    known: MoveSequence | None = None,
) -> Solution:
    from tilework.core.solver.solve import solve as search

    result = search(
        start,
        goal,
        target=target,
        limits=limits,
        algorithm=algorithm,
        heuristic=heuristic,
        threads=threads,
        known=known,
    )
    return _make_solution(start, goal, result)


def _make_solution(start: Board, goal: Board, result: SearchResult) -> Solution:
    return Solution(
        board=start,
        goal=goal,
        metric=result.metric.value,
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
    board, goal : see `solve`

    Raises
    ------
    UnsolvableError
        If the goal cannot be reached; it is a `ValueError`.
    """

    def __init__(self, board: BoardLike, goal: BoardLike | GoalName = GoalName.BLANK_LAST) -> None:
        self._board, self._goal = read_puzzle(board, goal)
        check_solvable(self._board, self._goal)

    def is_solvable(self) -> bool:
        """Return True, because the constructor rejects unsolvable boards."""
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


def slides(
    board: BoardLike,
    goal: BoardLike | GoalName = GoalName.BLANK_LAST,
    *,
    time_limit: float | None = None,
) -> Solution:
    """Find a solution with few slides; on boards of up to 16 cells, with the fewest.

    Its length and its lower bound count slides.

    Parameters
    ----------
    board, goal : see `solve`, which also raises the same errors
    time_limit : float, optional
        Time limit. By default larger boards are improved for ten seconds.
    """
    from tilework.core.solver.slides.find import find_slides

    start, end = read_puzzle(board, goal)
    return _make_solution(start, end, find_slides(start, end, limits=Limits.of(time_limit)))


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
    board, goal : see `solve`, which also raises the same errors
    """
    from tilework.core.solver.solve import find_hint

    return make_hint(find_hint(*read_puzzle(board, goal)))
