"""A sweep: many random boards, from near the goal to far from it, the same for the same seed."""

from __future__ import annotations

from dataclasses import dataclass

from tilework.core.errors import OptionError
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.scramble import scramble

MAX_BOARDS = 1_000
MAX_MOVES = 1_000

# Boards times moves: drawing them is a part of the request.
MAX_WALK = 250_000

# Largest integer that every JSON reader keeps exact.
MAX_SEED = 2**53 - 1 - MAX_BOARDS


@dataclass(frozen=True, slots=True)
class Sweep:
    """How the boards of a comparison are drawn.

    Attributes
    ----------
    boards : int
        How many, from 1 to 1,000.
    moves : int
        Random moves, none undone at once, that lead from the goal to the last board, from 1 to
        1,000; the first ones take fewer, evenly. Boards times moves is at most 250,000.
    seed : int
        From 0 on.

    Raises
    ------
    OptionError
        For a number out of its range.
    """

    boards: int = 40
    moves: int = 120
    seed: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.boards <= MAX_BOARDS:
            raise OptionError(
                "sweep-boards",
                "invalid number of boards in a sweep: {count}; give 1 to {most}",
                count=str(self.boards)[:40],
                most=MAX_BOARDS,
            )
        if not 1 <= self.moves <= MAX_MOVES:
            raise OptionError(
                "sweep-moves",
                "invalid number of moves in a sweep: {count}; give 1 to {most}",
                count=str(self.moves)[:40],
                most=MAX_MOVES,
            )
        if not 0 <= self.seed <= MAX_SEED:
            raise OptionError(
                "sweep-seed",
                "invalid seed {seed}; give a whole number from 0 to {most}",
                seed=str(self.seed)[:40],
                most=MAX_SEED,
            )
        if self.boards * self.moves > MAX_WALK:
            raise OptionError(
                "sweep-walk",
                "a sweep of {boards} boards with up to {moves} moves each is too long; for so many "
                "boards give at most {most} moves",
                boards=self.boards,
                moves=self.moves,
                most=MAX_WALK // self.boards,
            )

    @property
    def text(self) -> str:
        """The sweep in one word."""
        return f"{self.boards}-{self.moves}-{self.seed}"

    def draw(self, goal: Board) -> list[Board]:
        """Return the boards, those of few moves first."""
        return [
            scramble(
                goal.size,
                goal,
                moves=max(1, round(self.moves * (place + 1) / self.boards)),
                seed=self.seed + place,
            )
            for place in range(self.boards)
        ]
