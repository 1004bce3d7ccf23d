"""What is known of a board after a search: the best solution, and what is proved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from tilework.board import Board
from tilework.core.formats.solution_formats import SolutionFormat, write_solution
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.slides import slides_in


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
        return slides_in(from_letters(self._found()))

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
