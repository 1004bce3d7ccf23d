"""A sweep: many random boards, from near the goal to far from it, the same for the same seed."""

from __future__ import annotations

from dataclasses import dataclass

from core.puzzle.board import Board
from core.puzzle.scramble import scramble


@dataclass(frozen=True, slots=True)
class Sweep:
    """How the boards of a comparison are drawn.

    Attributes
    ----------
    boards : int
        How many, at least 1.
    moves : int
        Random moves, none undone at once, that lead from the goal to the last board; the first
        ones take fewer, evenly.
    seed : int
        From 0 on.
    """

    boards: int = 40
    moves: int = 120
    seed: int = 1

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
