"""Boards to begin with in the lab: from one that fits on a slide to the hardest of 3×3."""

from __future__ import annotations

from functools import lru_cache

from flask_babel import lazy_gettext

from tilework.core.puzzle.board import Board
from tilework.web.pages.home.examples import Example


@lru_cache(maxsize=1)
def lab_examples() -> tuple[Example, ...]:
    """Return the examples, the quickest first."""
    return (
        Example(
            lazy_gettext("Four moves"),
            lazy_gettext("3×3, the whole search at one glance"),
            Board([0, 1, 3, 4, 2, 5, 7, 8, 6]),
        ),
        Example(
            lazy_gettext("Thirteen moves"),
            lazy_gettext("3×3, where heuristics begin to tell"),
            Board([1, 2, 3, 4, 5, 0, 6, 7, 8]),
        ),
        Example(
            lazy_gettext("Twenty-seven moves"),
            lazy_gettext("3×3, thousands of steps"),
            Board([7, 5, 8, 2, 3, 4, 1, 0, 6]),
        ),
        Example(
            lazy_gettext("The farthest 8-puzzle"),
            lazy_gettext("3×3, 31 moves"),
            Board([8, 6, 7, 2, 5, 4, 3, 0, 1]),
        ),
        Example(
            lazy_gettext("A small rectangle"),
            lazy_gettext("3×2, 21 moves, the farthest of its size"),
            Board([4, 5, 0, 1, 2, 3], 3, 2),
        ),
        Example(
            lazy_gettext("A 15-puzzle"),
            lazy_gettext("4×4, 20 moves"),
            Board([2, 5, 3, 4, 1, 12, 6, 8, 9, 10, 7, 11, 13, 0, 15, 14]),
        ),
    )
