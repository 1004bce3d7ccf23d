"""Runs of the lab on plain tuples, with what every test of one holds against its solution."""

from __future__ import annotations

from tests.support import naive
from tilework.core.lab.method import Method
from tilework.core.lab.run import run
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import to_letters
from tilework.core.search.limits import Limits

NO_LIMITS = Limits()


def run_of(tiles, method, goal=None, width=3, limits=NO_LIMITS, window=None):
    """Run a method, named as in ``a-star:manhattan``, and play its solution by hand."""
    goal = goal or naive.solved(width, len(tiles) // width)
    chosen = method if isinstance(method, Method) else Method.from_text(method)
    result = run(Board(tiles, width), Board(goal, width), chosen, limits, window)
    if result.moves is not None:
        assert naive.played(tiles, width, to_letters(result.moves)) == goal
    return result


def blank_ways(result):
    """The solution as the ways of the blank, each the opposite of its tile's."""
    return to_letters(result.moves).translate(str.maketrans("UDLR", "DURL"))


def numbers(text):
    """Read tiles, the blank written as 0 or X."""
    return tuple(0 if word == "X" else int(word) for word in text.split())
