"""Example boards for the home page and the lab."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from flask_babel import LazyString
from flask_babel import lazy_gettext as _

from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import GoalName, blank_last, named_goal
from tilework.core.puzzle.scramble import scramble
from tilework.web.pages.forms import format_board


class Example(NamedTuple):
    name: LazyString
    remark: LazyString
    board: Board
    goal: GoalName

    @property
    def text(self) -> str:
        return format_board(self.board)

    @property
    def goal_board(self) -> Board:
        return named_goal(self.goal, self.board.size)


class FirstMove(NamedTuple):
    """The first move that a newcomer is shown, and the optimal length after it."""

    board: str
    tile: int
    left: int


# One of the two 8-puzzles farthest from the goal: 31 moves.
_FARTHEST_8: Final = "8 6 7 2 5 4 3 0 1"
FIRST_MOVE: Final = FirstMove(_FARTHEST_8, tile=1, left=30)


def _example(
    name: LazyString,
    remark: LazyString,
    board: str | Board,
    goal: GoalName = GoalName.BLANK_LAST,
    width: int | None = None,
) -> Example:
    if isinstance(board, str):
        board = Board(list(map(int, board.split())), width)
    return Example(name, remark, board, goal)


def _scramble(width: int, height: int, seed: int) -> Board:
    size = Size(width, height)
    return scramble(size, blank_last(size), seed=seed)


@lru_cache(maxsize=1)
def examples() -> tuple[Example, ...]:
    return (
        _example(_("Hardest 8-puzzle"), _("3×3, 31 moves, solved instantly"), _FARTHEST_8),
        # His first 15-puzzle (1985): 57 moves to the goal with the blank first
        _example(
            _("Korf's first board"),
            _("4×4, blank first, under a second"),
            "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3",
            GoalName.BLANK_FIRST,
        ),
        _example(_("A rectangle"), _("5×3, optimal within seconds"), _scramble(5, 3, seed=7)),
        # Sam Loyd's challenge of the 1880s: 14 and 15 are swapped.
        _example(
            _("Loyd's 14–15 puzzle"),
            _("4×4, unsolvable"),
            "1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0",
        ),
        _example(_("A 24-puzzle"), _("5×5, a long search"), _scramble(5, 5, seed=24)),
        _example(_("A large board"), _("10×10, near-optimal"), _scramble(10, 10, seed=100)),
    )


@lru_cache(maxsize=1)
def lab_examples() -> tuple[Example, ...]:
    return (
        _example(
            _("Four moves"),
            _("3×3, a search small enough to fit on the screen"),
            "0 1 3 4 2 5 7 8 6",
        ),
        _example(
            _("Thirteen moves"), _("3×3, where heuristics start to matter"), "1 2 3 4 5 0 6 7 8"
        ),
        _example(_("Twenty-seven moves"), _("3×3, thousands of steps"), "7 5 8 2 3 4 1 0 6"),
        _example(_("Hardest 8-puzzle"), _("3×3, 31 moves"), _FARTHEST_8),
        _example(
            _("A small rectangle"),
            _("3×2, 21 moves, the hardest of its size"),
            "4 5 0 1 2 3",
            width=3,
        ),
        _example(_("A 15-puzzle"), _("4×4, 20 moves"), "2 5 3 4 1 12 6 8 9 10 7 11 13 0 15 14"),
    )
