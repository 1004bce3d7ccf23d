"""Example boards for the home page and the lab."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from flask_babel import LazyString, lazy_gettext

from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last, named_goal
from tilework.core.puzzle.scramble import scramble
from tilework.web.pages.forms import format_board


class Example(NamedTuple):
    name: LazyString
    remark: LazyString
    board: Board
    goal: str = "blank-last"

    @property
    def text(self) -> str:
        return format_board(self.board)

    @property
    def tiles(self) -> list[int]:
        return list(self.board.cells.tolist())

    @property
    def goal_tiles(self) -> list[int]:
        return list(named_goal(self.goal, self.board.size).cells.tolist())

    @property
    def width(self) -> int:
        return self.board.width


# Korf's first 15-puzzle (1985): 57 moves to the goal with the blank first.
_KORF_1 = [14, 13, 15, 7, 11, 12, 9, 5, 6, 0, 2, 1, 4, 8, 10, 3]
# One of the two 8-puzzles farthest from the goal: 31 moves.
_FARTHEST_8 = [8, 6, 7, 2, 5, 4, 3, 0, 1]
# Sam Loyd's challenge of the 1880s: 14 and 15 are swapped, which is unsolvable.
_LOYD = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 14, 0]


class FirstMove(NamedTuple):
    """The first move that a newcomer is shown, and the optimal length after it."""

    board: str
    tile: int
    left: int


FIRST_MOVE: Final = FirstMove(" ".join(map(str, _FARTHEST_8)), tile=1, left=30)


@lru_cache(maxsize=1)
def examples() -> tuple[Example, ...]:
    """Return the examples. The random ones have fixed seeds."""
    return (
        Example(
            lazy_gettext("Hardest 8-puzzle"),
            lazy_gettext("3×3, 31 moves, solved instantly"),
            Board(_FARTHEST_8),
        ),
        Example(
            lazy_gettext("Korf's first board"),
            lazy_gettext("4×4, blank first, under a second"),
            Board(_KORF_1),
            "blank-first",
        ),
        Example(
            lazy_gettext("A rectangle"),
            lazy_gettext("5×3, optimal within seconds"),
            _scramble(Size(5, 3), seed=7),
        ),
        Example(lazy_gettext("Loyd's 14–15 puzzle"), lazy_gettext("4×4, unsolvable"), Board(_LOYD)),
        Example(
            lazy_gettext("A 24-puzzle"),
            lazy_gettext("5×5, a long search"),
            _scramble(Size(5, 5), seed=24),
        ),
        Example(
            lazy_gettext("A large board"),
            lazy_gettext("10×10, near-optimal"),
            _scramble(Size(10, 10), seed=100),
        ),
    )


def _scramble(size: Size, seed: int) -> Board:
    return scramble(size, blank_last(size), seed=seed)


@lru_cache(maxsize=1)
def lab_examples() -> tuple[Example, ...]:
    return (
        Example(
            lazy_gettext("Four moves"),
            lazy_gettext("3×3, a search small enough to fit on the screen"),
            Board([0, 1, 3, 4, 2, 5, 7, 8, 6]),
        ),
        Example(
            lazy_gettext("Thirteen moves"),
            lazy_gettext("3×3, where heuristics start to matter"),
            Board([1, 2, 3, 4, 5, 0, 6, 7, 8]),
        ),
        Example(
            lazy_gettext("Twenty-seven moves"),
            lazy_gettext("3×3, thousands of steps"),
            Board([7, 5, 8, 2, 3, 4, 1, 0, 6]),
        ),
        Example(
            lazy_gettext("Hardest 8-puzzle"),
            lazy_gettext("3×3, 31 moves"),
            Board([8, 6, 7, 2, 5, 4, 3, 0, 1]),
        ),
        Example(
            lazy_gettext("A small rectangle"),
            lazy_gettext("3×2, 21 moves, the hardest of its size"),
            Board([4, 5, 0, 1, 2, 3], 3, 2),
        ),
        Example(
            lazy_gettext("A 15-puzzle"),
            lazy_gettext("4×4, 20 moves"),
            Board([2, 5, 3, 4, 1, 12, 6, 8, 9, 10, 7, 11, 13, 0, 15, 14]),
        ),
    )
